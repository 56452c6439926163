// The panels of a page: curves that can be zoomed and read off, and the phases of the forces.
// Drag to zoom, shift and drag to move, wheel after a click, pinch, double click to go back; arrows,
// + - and 0 on the keyboard. Panels over the time zoom together.
(function () {
  const { decode, ticks, plain, reading, readingOn } = drystone;
  const NS = "http://www.w3.org/2000/svg";
  const GAP = 7;               // between a label and its axis
  const TITLE = 16;            // room for the title of an ordinate
  let counter = 0;

  // ---- elements ----------------------------------------------------------------------------------

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

  // ---- curves ------------------------------------------------------------------------------------

  const style = k => "curve c" + (k % 6) + (k >= 6 ? " dashed" : "");

  // Whether a curve lies under one of those before it for the most part, and would not be seen.
  function isUnder(curves, k, range) {
    return curves.slice(0, k).some(c => {
      if (c.x !== curves[k].x || c.beside !== curves[k].beside) return false;
      let near = 0;
      for (let i = 0; i < c.y.length; i++) near += Math.abs(c.y[i] - curves[k].y[i]) < 0.008 * range;
      return near > 0.85 * c.y.length;
    });
  }

  function widened(axis) {
    const { low, high, log } = axis, size = Math.max(Math.abs(low), Math.abs(high));
    const room = high > low ? Math.max(0.04 * (high - low), 1e-12 * size) : log ? 0.5 : 0.1 * size || 1;
    return axis.fixed ? { low, high, log } : { low: low - room, high: high + room, log };
  }
  const join = (a, b) => ({ low: Math.min(a.low, b.low), high: Math.max(a.high, b.high), log: a.log });

  // The curves of a panel as numbers, those over one abscissa with one array of it.
  function numbersOf(panel) {
    const shared = panel.x && decode(panel.x);
    return panel.curves.map(c => ({ name: c.y.name, unit: c.y.unit, beside: c.beside, range: c.y.high - c.y.low,
      x: c.x ? decode(c.x) : shared, y: decode(c.y) }));
  }

  // Signs on curves, which distinguish them without colours.
  const SIGNS = ["M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", "M-3 -3h6v6h-6z", "M-3.4 2.6h6.8L0 -3.7z", "M0 -4l3.7 4L0 4l-3.7 -4z",
    "M-3.7 0h7.4M0 -3.7v7.4", "M-3 -3l6 6M-3 3l6 -6"];

  // What two runs must have in common so that one can stand beside the other.
  const shape = data => JSON.stringify([data.panels.map(p => [p.time, p.marks, p.texts, p.axes.x.log, p.axes.y.log, p.axes.beside.log,
    p.curves.map(c => [c.y.name, c.beside])]), data.bands.map(b => b.name)]);

  // ---- phases ------------------------------------------------------------------------------------

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

  // ---- the panels of one run ---------------------------------------------------------------------

  // Fills `place`. The run can be exchanged for another of the same shape; kept ones stay as ghosts.
  function newPanels(place, run) {
    const EDGE = { left: 0, right: 10, top: 8, bottom: 34 }; // left, right: as wide as the labels (fitEdges)
    const views = [];            // every panel and the band
    const ghosts = [];           // earlier runs, the latest last: {name, panels}
    let data = run;
    const wholeTime = { low: data.from, high: data.until }, time = { ...wholeTime };
    place.textContent = "";

    // A view has a figure, an svg, a window [low, high] in x and y, and draws itself.
    function newView(height, isTime, title) {
      const figure = html("figure", "panel", place);
      if (title) inPage(html("div", "title", figure), title);
      figure.tabIndex = 0;
      const svg = make("svg", { role: "img" }, figure);
      const clip = "clip" + counter++;
      const defs = make("defs", {}, svg);
      const rect = make("rect", {}, make("clipPath", { id: clip }, defs));
      const view = {
        figure, svg, height, isTime, active: false,
        whole: { x: wholeTime, y: { low: 0, high: 1 } }, x: isTime ? time : {}, y: {},
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
      view.py = (y, axis = view.y) => height - EDGE.bottom - (y - axis.low) / (axis.high - axis.low) * (height - EDGE.top - EDGE.bottom);
      view.atX = p => view.x.low + (p - EDGE.left) / (view.width - EDGE.left - EDGE.right) * (view.x.high - view.x.low);
      view.atY = p => view.y.low + (height - EDGE.bottom - p) / (height - EDGE.top - EDGE.bottom) * (view.y.high - view.y.low);
      view.zoomed = () => view.x.low > view.whole.x.low || view.x.high < view.whole.x.high ||
        view.y.low > view.whole.y.low || view.y.high < view.whole.y.high;
      // All that there is to see now; a window that showed all goes on to show all.
      view.setWhole = (axis, whole) => {
        const window = view[axis], before = view.whole[axis];
        const showsAll = window.low === undefined || (window.low <= before.low && window.high >= before.high);
        Object.assign(view.whole[axis] = axis === "x" && isTime ? wholeTime : {}, whole);
        if (showsAll) Object.assign(window, whole);
        else setWindow(window, window.low, window.high, whole);
      };
      views.push(view);
      return view;
    }

    const mostUp = view => Math.max(2, Math.floor((view.height - EDGE.top - EDGE.bottom) / 36));

    // Makes the edges of all views as wide as the widest label beside an axis, in steps of 8, so
    // that panels over the time stay in line and do not tremble while they are moved.
    function fitEdges() {
      const widest = { left: 40, right: 0 };
      views.forEach(v => {
        const ruler = make("text", { visibility: "hidden" }, v.svg);
        for (const side of ["left", "right"])
          v.labels(v, side).forEach(text => {
            ruler.textContent = text;
            widest[side] = Math.max(widest[side], ruler.getComputedTextLength());
          });
        ruler.remove();
      });
      EDGE.left = 8 * Math.ceil((widest.left + GAP + 1) / 8) + (views.some(v => v.yTitle) ? TITLE : 0);
      EDGE.right = widest.right ? 8 * Math.ceil((widest.right + GAP + 1) / 8) + TITLE : 10;
      place.style.setProperty("--edge", EDGE.left + "px");
    }

    // Along an ordinate, squeezed if it is too long for it.
    function drawTitle(view, g, title, x, turn) {
      const middle = (EDGE.top + view.height - EDGE.bottom) / 2, room = view.height - EDGE.top;
      const text = make("text", { transform: "translate(" + x + " " + middle + ") rotate(" + turn + ")", "text-anchor": "middle", class: "title" }, g);
      inPicture(text, title);
      if (text.getComputedTextLength() > room) {
        text.setAttribute("textLength", room);
        text.setAttribute("lengthAdjust", "spacingAndGlyphs");
      }
    }

    function drawAxes(view, xLabel, withY) {
      const g = view.back, w = view.width, h = view.height, bottom = h - EDGE.bottom, end = w - EDGE.right;
      g.textContent = "";
      if (view.drawShades) view.drawShades(g, bottom);
      for (const t of ticks(view.x, Math.max(2, Math.floor((w - EDGE.left) / 90)))) {
        const p = view.px(t.at);
        make("path", { class: "grid", d: "M" + p + " " + EDGE.top + "V" + bottom }, g);
        make("text", { x: p, y: bottom + 15, "text-anchor": p > w - 22 ? "end" : "middle" }, g).textContent = t.text;
      }
      inPicture(make("text", { x: end, y: h - 4, "text-anchor": "end", class: "title" }, g), xLabel);
      if (withY) {
        drawTitle(view, g, view.yTitle, 12, -90);
        for (const t of ticks(view.y, mostUp(view))) {
          const p = view.py(t.at);
          make("path", { class: "grid", d: "M" + EDGE.left + " " + p + "H" + end }, g);
          make("text", { x: EDGE.left - GAP, y: p + 4, "text-anchor": "end" }, g).textContent = t.text;
        }
      }
      if (view.beside) {
        drawTitle(view, g, view.besideTitle, w - 4, -90);
        for (const t of ticks(view.beside(), mostUp(view))) {
          const p = view.py(t.at, view.beside());
          make("path", { class: "grid tick", d: "M" + end + " " + p + "h4" }, g);
          make("text", { x: end + GAP, y: p + 4 }, g).textContent = t.text;
        }
      }
      make("rect", { class: "frame", x: EDGE.left, y: EDGE.top, width: end - EDGE.left, height: bottom - EDGE.top }, g);
    }

    // ---- a panel of curves -----------------------------------------------------------------------

    const tenth = p => Math.round(10 * p) / 10;
    function path(view, x, y, axis, sorted) {
      let d = "", on = false;
      for (const i of sorted ? seenOf(view, x, y) : x.keys()) {
        if (!isFinite(x[i]) || !isFinite(y[i])) { on = false; continue; }
        d += (on ? "L" : "M") + tenth(view.px(x[i])) + " " + tenth(view.py(y[i], axis));
        on = true;
      }
      return d;
    }

    // The rows that are needed where the abscissa never falls: in each column of pixels the first, the least,
    // the greatest and the last.
    function seenOf(view, x, y) {
      const rows = [];
      let i = 0, last = x.length - 1;
      while (i < last && x[i + 1] < view.x.low) i++;
      while (last > i && x[last - 1] > view.x.high) last--;
      while (i <= last) {
        const first = i, column = Math.floor(view.px(x[i]));
        let low = i, high = i, gap = !isFinite(x[i]);
        do {
          if (y[i] < y[low]) low = i;
          if (y[i] > y[high]) high = i;
          gap = gap || !isFinite(y[i]);
          i++;
        } while (i <= last && Math.floor(view.px(x[i])) === column);
        if (gap) for (let k = first; k < i; k++) rows.push(k);
        else rows.push(...new Set([first, Math.min(low, high), Math.max(low, high), i - 1]));
      }
      return rows;
    }

    function newPanel(number) {
      const first = data.panels[number], isTime = first.time;
      const view = newView(isTime ? 250 : 340, isTime, first.texts.title);
      const wholeBeside = {};
      let panel, curves, under, drawn;
      view.yTitle = first.texts.up;
      view.besideTitle = first.texts.beside;
      const names = first.curves.map(c => c.y.name).join(", ");
      view.svg.setAttribute("aria-label", names + " against " + (first.x || first.curves[0].x).name);
      view.reads = first.curves.map((c, k) => {
        const span = html("span", "", view.legend), key = make("svg", { viewBox: "0 0 20 8", "aria-hidden": "true" }, span);
        make("path", { class: style(k), d: "M0 4H20" }, key);
        if (first.marks) make("path", { class: "mark c" + (k % 6), d: SIGNS[k % SIGNS.length], transform: "translate(10 4)" }, key);
        inPage(span, first.texts.labels[k]);
        return html("output", "", span);
      });
      first.shades.forEach((s, k) => {
        const span = html("span", "", view.legend);
        make("rect", { class: "shade s" + k, x: 0, y: 0, width: 20, height: 8 }, make("svg", { viewBox: "0 0 20 8", "aria-hidden": "true" }, span));
        inPage(span, s.label);
      });
      view.earlier = html("span", "earlier", view.legend);
      view.at = html("span", "at", view.legend);

      // The second ordinate shows the part of its own range that the first one shows.
      const axisOf = c => c.beside ? view.beside() : view.y;
      if (first.curves.some(c => c.beside)) view.beside = () => {
        const whole = view.whole.y, span = whole.high - whole.low, own = wholeBeside.high - wholeBeside.low;
        return { low: wholeBeside.low + (view.y.low - whole.low) / span * own, high: wholeBeside.low + (view.y.high - whole.low) / span * own, log: wholeBeside.log };
      };
      view.labels = (v, side) => side === "left" ? ticks(view.y, mostUp(view)).map(t => t.text)
        : view.beside ? ticks(view.beside(), mostUp(view)).map(t => t.text) : [];

      // The numbers of a run, and room for them and the ghosts; `steady`: and for the run before.
      view.take = steady => {
        panel = data.panels[number];
        curves = numbersOf(panel);
        under = curves.map((_, k) => isUnder(curves, k, panel.axes.y.high - panel.axes.y.low));
        const whole = axis => widened(ghosts.reduce((a, ghost) => panel.axes[axis].fixed ? a : { ...a, ...join(a, ghost.panels[number].axes[axis]) }, panel.axes[axis]));
        const grown = (before, now) => steady && before.low !== undefined && !now.fixed ? join(now, before) : now;
        drawn = { ...view.whole.y };
        if (!isTime) view.setWhole("x", grown(view.x.low === undefined ? {} : view.whole.x, whole("x")));
        Object.assign(wholeBeside, grown(wholeBeside, whole("beside")));
        view.setWhole("y", grown(view.y.low === undefined ? {} : drawn, whole("y")));
        view.earlier.textContent = ghosts.length ? "pale: " + ghosts.map(g => g.name).join(", ") : "";
      };

      view.drawShades = (g, bottom) => panel.shades.forEach((s, k) => {
        let d = "";
        s.from.forEach((from, i) => {
          const a = Math.max(EDGE.left, view.px(from)), b = Math.min(view.width - EDGE.right, view.px(s.to[i]));
          if (b > a) d += "M" + a.toFixed(1) + " " + EDGE.top + "H" + b.toFixed(1) + "V" + bottom + "H" + a.toFixed(1) + "z";
        });
        make("path", { class: "shade s" + k, d }, g);
      });

      function drawMarks(c, k) {
        const x = c.x, n = panel.marks, d = [];
        const row = i => isTime ? view.find(view.px(view.x.low + (i + 0.5) / n * (view.x.high - view.x.low))).at : Math.floor((i + 0.5) / n * x.length);
        for (let i = 0; i < n; i++) {
          const r = row(i), px = view.px(x[r]), py = view.py(c.y[r], axisOf(c));
          if (isFinite(px) && isFinite(py)) make("path", { class: "mark c" + (k % 6), d: SIGNS[k % SIGNS.length], transform: "translate(" + px.toFixed(1) + " " + py.toFixed(1) + ")" }, view.inner);
        }
        return d;
      }

      view.draw = () => {
        drawAxes(view, panel.texts.across, true);
        view.inner.textContent = "";
        ghosts.forEach((ghost, age) => ghost.panels[number].curves.forEach((c, k) =>
          make("path", { class: style(k) + " ghost", "stroke-opacity": 0.2 + 0.25 * (age + 1) / ghosts.length, d: path(view, c.x, c.y, axisOf(c), isTime) }, view.inner)));
        for (let k = curves.length - 1; k >= 0; k--) {
          make("path", { class: style(k) + (under[k] ? " under" : ""), d: path(view, curves[k].x, curves[k].y, axisOf(curves[k]), isTime) }, view.inner);
          if (panel.marks) drawMarks(curves[k], k);
        }
      };

      // Where to read: a row and a part of the way to the next; the nearest in time, or the nearest
      // point of all curves, which may be far from the next row. `of`: the curve, if they do not share it.
      view.find = (px, py) => {
        if (isTime) {
          const x = curves[0].x, t = view.atX(px);
          let a = 0, b = x.length - 1;
          while (b - a > 1) { const m = (a + b) >> 1; if (x[m] <= t) a = m; else b = m; }
          return { at: t - x[a] < x[b] - t ? a : b };
        }
        let best = { at: 0 }, least = Infinity;
        for (const c of curves) for (let i = 0; i < c.x.length; i++) {
          const axis = axisOf(c), ax = view.px(c.x[i]), ay = view.py(c.y[i], axis);
          const bx = view.px(c.x[i + 1]) - ax, by = view.py(c.y[i + 1], axis) - ay;
          const along = ((px - ax) * bx + (py - ay) * by) / (bx * bx + by * by);
          const part = along > 0 ? Math.min(1, along) : 0; // also where there is no next point
          const far = part ? Math.hypot(ax + part * bx - px, ay + part * by - py) : Math.hypot(ax - px, ay - py);
          if (far < least) { least = far; best = { at: i + part, of: panel.x ? null : c }; }
        }
        return best;
      };
      const at = (values, place) => {
        const i = Math.floor(place), part = place - i;
        return part ? values[i] + part * (values[i + 1] - values[i]) : values[i];
      };
      view.read = (px, py) => {
        view.front.textContent = "";
        view.reads.forEach(o => { o.textContent = ""; });
        view.at.textContent = "";
        if (px === null) return;
        const found = view.find(px, py), x = (found.of || curves[0]).x, ours = at(x, found.at), p = view.px(ours);
        make("path", { class: "hair", d: "M" + p + " " + EDGE.top + "V" + (view.height - EDGE.bottom) }, view.front);
        curves.forEach((c, k) => {
          if (found.of && c !== found.of) return;
          const y = at(c.y, found.at), q = view.py(y, axisOf(c)), axis = c.beside ? panel.axes.beside : panel.axes.y;
          if (q >= EDGE.top && q <= view.height - EDGE.bottom)
            make("circle", { class: "dot c" + (k % 6), cx: p, cy: q, r: 3.5 }, view.front);
          view.reads[k].textContent = readingOn(axis, y);
        });
        inPage(view.at, panel.texts.abscissa + " = " + readingOn(panel.axes.x, ours) + (panel.texts.unit ? " " + panel.texts.unit : ""));
      };
      view.take(false);
      return view;
    }

    // ---- the phases ------------------------------------------------------------------------------

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

    function newBand() {
      const ROW = 22, height = EDGE.top + EDGE.bottom + ROW * data.bands.length;
      const view = newView(height, true);
      view.fixed = true;
      view.figure.id = "phases";
      view.svg.setAttribute("aria-label", "Phases of " + data.bands.map(b => b.name).join(", "));
      const key = html("span", "keys", view.legend);
      view.at = html("span", "at", view.legend);
      view.labels = (v, side) => side === "left" ? data.bands.map(b => short(b.name)) : [];
      view.take = () => {
        view.setWhole("y", { low: 0, high: data.bands.length });
        key.textContent = "";
        PHASES.forEach(p => {
          const those = data.bands.filter(b => Array.from(b.phase).some(code => code & p.bit));
          if (!those.length) return;
          const span = html("span", "", key);
          const s = make("svg", { viewBox: "0 0 20 8", "aria-hidden": "true" }, span);
          make("rect", { class: p.style, x: 0, y: 8 - 8 * p.tall, width: 20, height: 8 * p.tall }, s);
          span.appendChild(document.createTextNode(Array.from(new Set(those.map(b => words(b, p.bit)))).join(", ")));
        });
      };
      view.draw = () => {
        drawAxes(view, "t [s]", false);
        view.inner.textContent = "";
        data.bands.forEach((b, row) => {
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
        view.at.textContent = "t = " + reading(t, data.until - data.from) + " s: " + data.bands.map(b => {
          let i = 0;
          while (i + 1 < b.begin.length && b.begin[i + 1] <= t) i++;
          return b.name + " " + words(b, b.phase[i]);
        }).join(", ");
      };
      view.take();
      return view;
    }

    // ---- zoom and read-off -------------------------------------------------------------------------

    function draw() {
      if (!place.clientWidth) return; // not shown now
      fitEdges();
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
      axis.log = whole.log;
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

    // The panels over the time at one instant.
    const readAt = t => keepReading(() => views.forEach(v => {
      const p = v.isTime ? v.px(t) : -1;
      if (p >= EDGE.left && p <= v.width - EDGE.right) v.read(p, v.height / 2); else v.read(null);
    }));

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

    // ---- all of it ----------------------------------------------------------------------------------

    // Every view looks at the run again.
    function takeAll(steady) {
      const first = views.find(v => v.isTime);
      if (first) first.setWhole("x", steady ? join({ low: data.from, high: data.until }, wholeTime) : { low: data.from, high: data.until });
      views.forEach(v => v.take(steady));
      redraw();
    }
    // Another run instead of this one; false if it has other panels.
    function refresh(next, steady) {
      if (shape(next) !== shape(data)) return false;
      data = next;
      takeAll(steady);
      return true;
    }
    function keep(name, most) {
      ghosts.push({ name, panels: data.panels.map(p => ({ axes: p.axes, curves: numbersOf(p) })) });
      while (ghosts.length > most) ghosts.shift();
      takeAll(false);
    }
    function forget() {
      ghosts.length = 0;
      takeAll(false);
    }

    data.panels.forEach((_, i) => newPanel(i));
    if (data.bands.length) newBand();
    if (views.length)
      html("p", "note help", place, "Drag to zoom, shift and drag to move, wheel after a click, pinch; a double click shows all again. Point at a curve to read it off.");
    views.forEach(listen);
    const seen = new ResizeObserver(redraw);
    seen.observe(place);
    draw();
    return { refresh, keep, forget, readAt, draw, remove: () => { seen.disconnect(); place.textContent = ""; } };
  }

  Object.assign(drystone, { make, html, newPanels });
})();
