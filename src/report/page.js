// The pictures of a report: curves that can be zoomed and read off, and the phases of the forces.
// Drag to zoom, shift and drag to move, wheel after a click, pinch, double click to go back; arrows,
// + - and 0 on the keyboard. Panels over the time zoom together.
"use strict";
const report = (function () {
  const holder = document.getElementById("data"), place = document.getElementById("plots");
  if (!holder || !place) return null;
  const data = JSON.parse(holder.textContent);
  const NS = "http://www.w3.org/2000/svg";
  const EDGE = { left: 0, right: 10, top: 8, bottom: 34 }; // left: as wide as the labels (fitEdge)
  const GAP = 7;               // between a label and its axis
  const TITLE = 16;            // room for the title of an ordinate
  const NONE = (1 << 24) - 1;

  // ---- numbers ---------------------------------------------------------------------------------

  const digit = new Uint8Array(128);
  Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    .forEach((c, i) => { digit[c.charCodeAt(0)] = i; });

  function decode(curve) {
    const s = curve.codes, n = s.length / 4, y = new Float64Array(n);
    const scale = (curve.high - curve.low) / (NONE - 1);
    for (let i = 0, k = 0; i < n; i++) {
      let code = 0;
      for (let j = 0; j < 4; j++) code = code * 64 + digit[s.charCodeAt(k++)];
      y[i] = code === NONE ? NaN : curve.low + code * scale;
    }
    return y;
  }

  // Steps of 1, 2 or 5 times a power of ten, at most `most` of them.
  function ticks(low, high, most) {
    const raw = (high - low) / most, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = power * [1, 2, 5, 10].find(f => f * power >= raw * 0.9999);
    const list = [], first = Math.ceil(low / step - 1e-9);
    for (let i = 0; i <= most && (first + i) * step <= high + 1e-9 * step; i++) list.push((first + i) * step);
    return { list, step };
  }

  // To the digits of a step; an axis is given its greatest number, so that its labels are alike.
  function plain(x, step, size = Math.max(Math.abs(x), step)) {
    if (x === 0 || Math.abs(x) < 1e-9 * step) return "0";
    if (size >= 1e5 || size < 1e-3) {
      const digits = Math.max(0, Math.min(15, Math.floor(Math.log10(Math.abs(x)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9)));
      const [m, e] = x.toExponential(digits).split("e");
      return m.replace(/\.0+$/, "").replace("-", "−") + "e" + e.replace("+", "").replace("-", "−");
    }
    return x.toFixed(Math.max(0, Math.min(15, -Math.floor(Math.log10(step) + 1e-9)))).replace("-", "−");
  }

  // Five digits of the range that a curve goes through, or of the number where it is constant.
  const reading = (x, range) => plain(x, 1e-5 * (range || Math.abs(x) || 1));

  // ---- drawing -----------------------------------------------------------------------------------

  function make(name, attributes, parent) {
    const e = document.createElementNS(NS, name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    if (parent) parent.appendChild(e);
    return e;
  }
  function html(name, className, parent, text) {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  }
  // A text in mathematics: U+E000 and more stand for lowered letters. `low` makes an element of them,
  // `back` what stands after them.
  function write(parent, text, low, back) {
    text.split(/([\ue000-\ue07f]+)/).forEach((part, k) => {
      if (!part) return;
      const letters = k % 2 ? Array.from(part, c => String.fromCharCode(c.charCodeAt(0) - 0xe000)).join("") : part;
      (k % 2 ? low : back)(parent).appendChild(document.createTextNode(letters));
    });
    return parent;
  }
  const inPage = (parent, text) => write(parent, text, p => html("sub", "", p), p => p);
  const inPicture = (parent, text) => write(parent, text,
    p => make("tspan", { dy: 3, "font-size": "9px" }, p), p => p.lastChild ? make("tspan", { dy: -3 }, p) : p);

  const style = k => "curve c" + (k % 6) + (k >= 6 ? " dashed" : "");

  // Whether a curve lies under one of those before it for the most part, and would not be seen.
  function isUnder(curves, k, range) {
    return curves.slice(0, k).some(c => {
      let near = 0;
      for (let i = 0; i < c.y.length; i++) near += Math.abs(c.y[i] - curves[k].y[i]) < 0.008 * range;
      return near > 0.85 * c.y.length;
    });
  }

  let counter = 0;
  const views = [];            // every panel and the band
  const time = { low: data.from, high: data.until };

  // A view has a figure, an svg, a window [low, high] in x and y, and draws itself.
  function newView(height, isTime, whole) {
    const figure = html("figure", "panel", place);
    figure.tabIndex = 0;
    const svg = make("svg", { role: "img" }, figure);
    const clip = "clip" + counter++;
    const defs = make("defs", {}, svg);
    const rect = make("rect", {}, make("clipPath", { id: clip }, defs));
    const view = {
      figure, svg, height, isTime, whole, active: false, hover: null,
      x: isTime ? time : { low: whole.x.low, high: whole.x.high },
      y: { low: whole.y.low, high: whole.y.high },
      back: make("g", {}, svg),
      inner: make("g", { "clip-path": "url(#" + clip + ")" }, svg),
      front: make("g", {}, svg),
      legend: html("div", "legend", figure),
    };
    view.size = () => {
      const width = Math.max(200, figure.clientWidth);
      view.width = width;
      svg.setAttribute("viewBox", "0 0 " + width + " " + height);
      svg.setAttribute("height", height);
      rect.setAttribute("x", EDGE.left); rect.setAttribute("y", EDGE.top);
      rect.setAttribute("width", width - EDGE.left - EDGE.right);
      rect.setAttribute("height", height - EDGE.top - EDGE.bottom);
    };
    view.px = x => EDGE.left + (x - view.x.low) / (view.x.high - view.x.low) * (view.width - EDGE.left - EDGE.right);
    view.py = y => height - EDGE.bottom - (y - view.y.low) / (view.y.high - view.y.low) * (height - EDGE.top - EDGE.bottom);
    view.atX = p => view.x.low + (p - EDGE.left) / (view.width - EDGE.left - EDGE.right) * (view.x.high - view.x.low);
    view.atY = p => view.y.low + (height - EDGE.bottom - p) / (height - EDGE.top - EDGE.bottom) * (view.y.high - view.y.low);
    view.zoomed = () => view.x.low > whole.x.low || view.x.high < whole.x.high ||
      view.y.low > whole.y.low || view.y.high < whole.y.high;
    views.push(view);
    return view;
  }

  const label = (t, x, axis) => plain(x, t.step, Math.max(Math.abs(axis.low), Math.abs(axis.high)));
  const yTicks = view => ticks(view.y.low, view.y.high, Math.max(2, Math.floor((view.height - EDGE.top - EDGE.bottom) / 36)));
  function yLabels(view) {
    const ys = yTicks(view);
    return ys.list.map(y => label(ys, y, view.y));
  }

  // Makes the left edge of all views as wide as the widest label beside an axis, in steps of 8, so
  // that panels over the time stay in line and do not tremble while they are moved.
  function fitEdge() {
    let widest = 40;
    views.forEach(v => {
      const ruler = make("text", { visibility: "hidden" }, v.svg);
      v.labels(v).forEach(text => {
        ruler.textContent = text;
        widest = Math.max(widest, ruler.getComputedTextLength());
      });
      ruler.remove();
    });
    EDGE.left = 8 * Math.ceil((widest + GAP + 1) / 8) + (views.some(v => v.yTitle) ? TITLE : 0);
    place.style.setProperty("--edge", EDGE.left + "px");
  }

  // Along the ordinate, squeezed if it is too long for it.
  function drawTitle(view, g) {
    const middle = (EDGE.top + view.height - EDGE.bottom) / 2, room = view.height - EDGE.top;
    const text = make("text", { transform: "translate(12 " + middle + ") rotate(-90)", "text-anchor": "middle", class: "title" }, g);
    inPicture(text, view.yTitle);
    if (text.getComputedTextLength() > room) {
      text.setAttribute("textLength", room);
      text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
  }

  function drawAxes(view, xLabel, withY) {
    const g = view.back, w = view.width, h = view.height, bottom = h - EDGE.bottom;
    g.textContent = "";
    const xs = ticks(view.x.low, view.x.high, Math.max(2, Math.floor((w - EDGE.left) / 90)));
    for (const x of xs.list) {
      const p = view.px(x);
      make("path", { class: "grid", d: "M" + p + " " + EDGE.top + "V" + bottom }, g);
      make("text", { x: p, y: bottom + 15, "text-anchor": p > w - 22 ? "end" : "middle" }, g).textContent = label(xs, x, view.x);
    }
    inPicture(make("text", { x: w - EDGE.right, y: h - 4, "text-anchor": "end", class: "title" }, g), xLabel);
    if (withY) {
      drawTitle(view, g);
      const ys = yTicks(view);
      for (const y of ys.list) {
        const p = view.py(y);
        make("path", { class: "grid", d: "M" + EDGE.left + " " + p + "H" + (w - EDGE.right) }, g);
        make("text", { x: EDGE.left - GAP, y: p + 4, "text-anchor": "end" }, g).textContent = label(ys, y, view.y);
      }
    }
    make("rect", { class: "frame", x: EDGE.left, y: EDGE.top, width: w - EDGE.left - EDGE.right, height: bottom - EDGE.top }, g);
  }

  // ---- a panel of curves -------------------------------------------------------------------------

  function widened(low, high) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    const room = high > low ? Math.max(0.04 * (high - low), 1e-12 * size) : 0.1 * size || 1;
    return { low: low - room, high: high + room };
  }

  function path(view, x, y, sorted) {
    let d = "", on = false, first = 0, last = x.length - 1;
    if (sorted) {
      while (first < last && x[first + 1] < view.x.low) first++;
      while (last > first && x[last - 1] > view.x.high) last--;
    }
    for (let i = first; i <= last; i++) {
      if (!isFinite(x[i]) || !isFinite(y[i])) { on = false; continue; }
      d += (on ? "L" : "M") + view.px(x[i]).toFixed(1) + " " + view.py(y[i]).toFixed(1);
      on = true;
    }
    return d;
  }

  function newPanel(panel) {
    const x = decode(panel.x), curves = panel.curves.map(c => ({ name: c.name, unit: c.unit, y: decode(c) }));
    const low = Math.min(...panel.curves.map(c => c.low)), high = Math.max(...panel.curves.map(c => c.high));
    const whole = { x: panel.time ? { low: data.from, high: data.until } : widened(panel.x.low, panel.x.high), y: widened(low, high) };
    const view = newView(panel.time ? 250 : 340, panel.time, whole);
    const under = curves.map((_, k) => isUnder(curves, k, high - low));
    const names = panel.curves.map(c => c.name).join(", ");
    view.svg.setAttribute("aria-label", names + " against " + panel.x.name);
    view.reads = curves.map((c, k) => {
      const span = html("span", "", view.legend);
      make("path", { class: style(k), d: "M0 4H20" }, make("svg", { viewBox: "0 0 20 8", "aria-hidden": "true" }, span));
      inPage(span, panel.texts.labels[k]);
      return html("output", "", span);
    });
    view.at = html("span", "at", view.legend);
    view.labels = yLabels;
    view.yTitle = panel.texts.up;
    view.draw = () => {
      drawAxes(view, panel.texts.across, true);
      view.inner.textContent = "";
      for (let k = curves.length - 1; k >= 0; k--)
        make("path", { class: style(k) + (under[k] ? " under" : ""), d: path(view, x, curves[k].y, panel.time) }, view.inner);
    };
    // Where to read, as a row and a part of the way to the next: the nearest in time, or the nearest
    // point of all curves, which may be far from the next row.
    view.find = (px, py) => {
      if (panel.time) {
        const t = view.atX(px);
        let a = 0, b = x.length - 1;
        while (b - a > 1) { const m = (a + b) >> 1; if (x[m] <= t) a = m; else b = m; }
        return t - x[a] < x[b] - t ? a : b;
      }
      let best = 0, least = Infinity;
      for (let i = 0; i < x.length; i++) for (const c of curves) {
        const ax = view.px(x[i]), ay = view.py(c.y[i]);
        const bx = view.px(x[i + 1]) - ax, by = view.py(c.y[i + 1]) - ay;
        const along = ((px - ax) * bx + (py - ay) * by) / (bx * bx + by * by);
        const part = along > 0 ? Math.min(1, along) : 0; // also where there is no next point
        const far = part ? Math.hypot(ax + part * bx - px, ay + part * by - py) : Math.hypot(ax - px, ay - py);
        if (far < least) { least = far; best = i + part; }
      }
      return best;
    };
    const at = (values, place) => {
      const i = Math.floor(place), part = place - i;
      return part ? values[i] + part * (values[i + 1] - values[i]) : values[i];
    };
    view.read = (px, py) => {
      view.front.textContent = "";
      if (px === null) {
        view.reads.forEach(o => { o.textContent = ""; });
        view.at.textContent = "";
        return;
      }
      const found = view.find(px, py), ours = at(x, found), p = view.px(ours);
      make("path", { class: "hair", d: "M" + p + " " + EDGE.top + "V" + (view.height - EDGE.bottom) }, view.front);
      curves.forEach((c, k) => {
        const y = at(c.y, found), q = view.py(y);
        if (q >= EDGE.top && q <= view.height - EDGE.bottom)
          make("circle", { class: "dot c" + (k % 6), cx: p, cy: q, r: 3.5 }, view.front);
        view.reads[k].textContent = reading(y, high - low);
      });
      view.at.textContent = "";
      inPage(view.at, panel.texts.abscissa + " = " + reading(ours, panel.x.high - panel.x.low) + (panel.texts.unit ? " " + panel.texts.unit : ""));
    };
    return view;
  }

  // ---- the phases --------------------------------------------------------------------------------

  // In the order in which they are drawn: the heights distinguish them without colours, and where
  // several stand in one place every one of them is seen.
  const PHASES = [
    { bit: 2, style: "hold", word: "stick", tall: 1 },
    { bit: 4, style: "slip", word: "slip", tall: 0.55 },
    { bit: 1, style: "open", word: "open", tall: 0.16 },
  ];
  const short = name => name.length > 12 ? name.slice(0, 11) + "…" : name;
  const words = (band, phases) => PHASES.filter(p => phases & p.bit)
    .map(p => band.contact && p.style === "hold" ? "closed" : p.word).join("/");

  // The boxes of one phase, each at least a pixel wide; those that meet are one.
  function boxes(view, band, phase, bottom, tall) {
    let d = "", left = 0, right = -1;
    const put = () => { if (right > left) d += "M" + left + " " + bottom + "v" + -tall + "H" + right + "v" + tall + "z"; };
    for (let i = 0; i < band.begin.length; i++) {
      const a = band.begin[i], e = i + 1 < band.begin.length ? band.begin[i + 1] : data.until;
      if (!(band.phase[i] & phase.bit) || e < view.x.low || a > view.x.high) continue;
      const from = Math.floor(Math.max(EDGE.left, view.px(a)));
      const to = Math.max(from + 1, Math.floor(Math.min(view.width - EDGE.right, view.px(e))));
      if (from > right) { put(); left = from; }
      right = Math.max(right, to);
    }
    put();
    return d;
  }

  function newBand(bands) {
    const ROW = 22, height = EDGE.top + EDGE.bottom + ROW * bands.length;
    const whole = { x: { low: data.from, high: data.until }, y: { low: 0, high: bands.length } };
    const view = newView(height, true, whole);
    view.fixed = true;
    view.figure.id = "phases";
    view.svg.setAttribute("aria-label", "Phases of " + bands.map(b => b.name).join(", "));
    PHASES.forEach(p => {
      const those = bands.filter(b => Array.from(b.phase).some(code => code & p.bit));
      if (!those.length) return;
      const span = html("span", "", view.legend);
      const s = make("svg", { viewBox: "0 0 20 8", "aria-hidden": "true" }, span);
      make("rect", { class: p.style, x: 0, y: 8 - 8 * p.tall, width: 20, height: 8 * p.tall }, s);
      span.appendChild(document.createTextNode(Array.from(new Set(those.map(b => words(b, p.bit)))).join(", ")));
    });
    view.at = html("span", "at", view.legend);
    view.labels = () => bands.map(b => short(b.name));
    view.draw = () => {
      drawAxes(view, "t [s]", false);
      view.inner.textContent = "";
      bands.forEach((b, row) => {
        const bottom = EDGE.top + ROW * (row + 1) - 4;
        const name = make("text", { x: EDGE.left - GAP, y: bottom - 3, "text-anchor": "end" }, view.back);
        name.textContent = short(b.name);
        make("title", {}, name).textContent = b.name;
        PHASES.forEach(p => make("path", { class: p.style, d: boxes(view, b, p, bottom, (ROW - 8) * p.tall) }, view.inner));
      });
    };
    view.read = px => {
      view.front.textContent = "";
      view.at.textContent = "";
      if (px === null) return;
      const t = view.atX(px);
      make("path", { class: "hair", d: "M" + px + " " + EDGE.top + "V" + (view.height - EDGE.bottom) }, view.front);
      view.at.textContent = "t = " + reading(t, data.until - data.from) + " s: " + bands.map(b => {
        let i = 0;
        while (i + 1 < b.begin.length && b.begin[i + 1] <= t) i++;
        return b.name + " " + words(b, b.phase[i]);
      }).join(", ");
    };
    return view;
  }

  // ---- zoom and read-off ---------------------------------------------------------------------------

  function draw() {
    fitEdge();
    views.forEach(v => { v.size(); v.draw(); v.button.hidden = !v.zoomed(); });
    readAgain();
  }

  let waiting = false;
  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }

  function setWindow(axis, low, high, whole) {
    const least = 1e-6 * (whole.high - whole.low), span = Math.min(Math.max(high - low, least), whole.high - whole.low);
    const middle = (low + high) / 2;
    low = Math.max(whole.low, Math.min(whole.high - span, middle - span / 2));
    axis.low = low;
    axis.high = low + span;
  }

  // By a factor about a point of the picture; `both`: in x and y.
  function zoom(view, factor, px, py, both) {
    const x = view.atX(px), y = view.atY(py);
    setWindow(view.x, x - (x - view.x.low) * factor, x + (view.x.high - x) * factor, view.whole.x);
    if (both && !view.fixed)
      setWindow(view.y, y - (y - view.y.low) * factor, y + (view.y.high - y) * factor, view.whole.y);
    redraw();
  }

  function move(view, dx, dy) {
    setWindow(view.x, view.x.low + dx, view.x.high + dx, view.whole.x);
    if (!view.fixed) setWindow(view.y, view.y.low + dy, view.y.high + dy, view.whole.y);
    redraw();
  }

  function reset(view) {
    setWindow(view.x, view.whole.x.low, view.whole.x.high, view.whole.x);
    setWindow(view.y, view.whole.y.low, view.whole.y.high, view.whole.y);
    redraw();
  }

  // The last reading, which a new window or a new size of the page repeats: draw() calls it.
  let readAgain = () => {};
  function keepReading(read) {
    readAgain = read;
    read();
  }

  // At a point of one view: the panels over the time read off at one instant.
  function readAll(view, place) {
    keepReading(() => {
      const p = place && inside(view, place) ? place : null;
      views.forEach(v => {
        if (v === view) v.read(p ? p.x : null, p ? p.y : null);
        else if (p && v.isTime && view.isTime) v.read(Math.min(p.x, v.width - EDGE.right), v.height / 2);
        else v.read(null);
      });
    });
  }

  function point(view, event) {
    const box = view.svg.getBoundingClientRect();
    return { x: (event.clientX - box.left) * view.width / box.width, y: (event.clientY - box.top) * view.height / box.height };
  }
  const inside = (view, p) => p.x >= EDGE.left && p.x <= view.width - EDGE.right && p.y >= 0 && p.y <= view.height - EDGE.bottom + 4;

  function listen(view) {
    const svg = view.svg, touches = new Map();
    let start = null, box = null, pinch = null;
    view.button = html("button", "reset", view.legend, "whole picture");
    view.button.type = "button";
    view.button.hidden = true;
    view.button.addEventListener("click", () => reset(view));

    function drawBox(p) {
      if (!box) box = make("rect", { class: "box" }, svg);
      const narrow = view.fixed || Math.abs(p.y - start.y) < 12;
      const top = narrow ? EDGE.top : Math.min(p.y, start.y), high = narrow ? view.height - EDGE.bottom : Math.max(p.y, start.y);
      box.setAttribute("x", Math.min(p.x, start.x)); box.setAttribute("y", top);
      box.setAttribute("width", Math.abs(p.x - start.x)); box.setAttribute("height", high - top);
    }
    function takeBox(p) {
      const a = view.atX(Math.min(p.x, start.x)), b = view.atX(Math.max(p.x, start.x));
      const low = view.atY(Math.max(p.y, start.y)), high = view.atY(Math.min(p.y, start.y));
      const narrow = view.fixed || Math.abs(p.y - start.y) < 12;
      setWindow(view.x, a, b, view.whole.x);
      if (!narrow) setWindow(view.y, low, high, view.whole.y);
      redraw();
    }
    function drop() { if (box) box.remove(); box = null; start = null; }

    svg.addEventListener("pointerdown", e => {
      const p = point(view, e);
      touches.set(e.pointerId, p);
      if (e.pointerType === "touch") {
        if (touches.size === 2) { drop(); pinch = Array.from(touches.values()); }
        readAll(view, p);
        return;
      }
      if (e.button !== 0 || !inside(view, p)) return;
      views.forEach(v => { v.active = v === view; });
      start = Object.assign({ shift: e.shiftKey }, p);
      svg.setPointerCapture(e.pointerId);
    });
    svg.addEventListener("pointermove", e => {
      const p = point(view, e);
      if (touches.has(e.pointerId)) touches.set(e.pointerId, p);
      if (pinch && touches.size === 2) {
        const [a, b] = pinch, [c, d] = Array.from(touches.values());
        const before = Math.hypot(a.x - b.x, a.y - b.y), after = Math.hypot(c.x - d.x, c.y - d.y);
        if (after > 0) zoom(view, before / after, (c.x + d.x) / 2, (c.y + d.y) / 2, true);
        pinch = [c, d];
        return;
      }
      if (start && start.shift) {
        move(view, view.atX(start.x) - view.atX(p.x), view.atY(start.y) - view.atY(p.y));
        Object.assign(start, p);
        return;
      }
      if (start && Math.hypot(p.x - start.x, p.y - start.y) > 4) drawBox(p);
      readAll(view, p);
    });
    const lift = e => {
      touches.delete(e.pointerId);
      if (touches.size < 2) pinch = null;
      if (start && box && e.type === "pointerup" && !start.shift) {
        const p = point(view, e);
        if (Math.abs(p.x - start.x) > 4) takeBox(p);
      }
      drop();
    };
    svg.addEventListener("pointerup", lift);
    svg.addEventListener("pointercancel", lift);
    svg.addEventListener("pointerleave", () => { if (!start) { readAll(view, null); view.active = false; } });
    svg.addEventListener("touchmove", e => { if (e.touches.length > 1) e.preventDefault(); }, { passive: false });
    svg.addEventListener("dblclick", () => reset(view));
    svg.addEventListener("wheel", e => {
      if (!view.active && !e.ctrlKey) return; // the page scrolls
      e.preventDefault();
      const p = point(view, e);
      zoom(view, Math.exp(Math.max(-60, Math.min(60, e.deltaY)) * 0.004), p.x, p.y, e.shiftKey || !view.isTime);
    }, { passive: false });
    view.figure.addEventListener("keydown", e => {
      const dx = 0.1 * (view.x.high - view.x.low), dy = 0.1 * (view.y.high - view.y.low);
      const middle = [(EDGE.left + view.width) / 2, view.height / 2];
      const keys = {
        ArrowLeft: () => move(view, -dx, 0), ArrowRight: () => move(view, dx, 0),
        ArrowUp: () => move(view, 0, dy), ArrowDown: () => move(view, 0, -dy),
        "+": () => zoom(view, 0.7, ...middle, !view.isTime), "=": () => zoom(view, 0.7, ...middle, !view.isTime),
        "-": () => zoom(view, 1 / 0.7, ...middle, !view.isTime), 0: () => reset(view),
      };
      if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key.startsWith("Arrow") && !view.zoomed()) return; // the page scrolls
      e.preventDefault();
      keys[e.key]();
    });
  }

  // ---- all of it ------------------------------------------------------------------------------------

  place.textContent = "";
  data.panels.forEach(newPanel);
  if (data.bands.length) newBand(data.bands);
  html("p", "note help", place, "Drag to zoom, shift and drag to move, wheel after a click, pinch; a double click shows all again. Point at a curve to read it off.");
  views.forEach(listen);
  window.addEventListener("resize", redraw);
  draw();
  // The time panels read off at one instant.
  const readAt = t => keepReading(() => views.forEach(v => {
    const p = v.isTime ? v.px(t) : -1;
    if (p >= EDGE.left && p <= v.width - EDGE.right) v.read(p, v.height / 2); else v.read(null);
  }));
  return { data, decode, html, plain, place, readAt };
})();
