// The bodies of a page in motion: play, pause, slide through the time; drag, or use the arrow keys,
// to turn the view.
(function () {
  const { decode, html, make, plain } = drystone;
  const { add, sub, times, length, project } = drystone.space;

  // Where a body is between two instants.
  function poseOf(body, i, k, part) {
    const mix = (c, sign) => (1 - part) * c[i] + part * sign * c[k];
    const p = [0, 1, 2].map(n => body.at[n] ? mix(body.at[n], 1) : 0);
    if (body.turn.length < 4) return { p, q: [1, 0, 0, 0] };
    const same = body.turn.reduce((sum, c) => sum + c[i] * c[k], 0) < 0 ? -1 : 1;
    return { p, q: body.turn.map(c => mix(c, same)) };
  }

  const radiusOf = body => Math.max(0, ...body.shapes.map(s => s.kind === "plane" ? 0 : length(s.p) +
    (s.kind === "box" ? length(s.size) : s.kind === "cloud" ? Math.max(...cloud(s).map(length)) :
      s.size[0] + (s.kind === "capsule" || s.kind === "cylinder" ? s.size[1] : 0))));
  const cloud = s => Array.from({ length: s.points.length / 3 }, (_, i) => s.points.slice(3 * i, 3 * i + 3));

  // The forces of contacts at instants of their own: [{at, normal, friction}] for each. A length that
  // suits most of them: of the largest force at an instant the median over the instants with one.
  function forcesOf(scene) {
    if (!scene.forces) return null;
    const { time, begin } = scene.forces, numbers = scene.forces.numbers.map(decode);
    const three = (k, i) => [numbers[k][i], numbers[k + 1][i], numbers[k + 2][i]];
    const all = time.map((_, i) => Array.from({ length: begin[i + 1] - begin[i] }, (_, k) =>
      ({ at: three(0, begin[i] + k), normal: three(3, begin[i] + k), friction: three(6, begin[i] + k) })));
    const largest = all.map(list => Math.max(0, ...list.map(f => length(f.normal)))).filter(f => f > 0).sort((a, b) => a - b);
    return { time, all, usual: largest.length ? largest[largest.length >> 1] : 0 };
  }

  // What the scene of a run shows, in numbers.
  function motionOf(scene) {
    const time = decode(scene.time), bodies = scene.bodies.map(b => ({ part: b.part, shapes: b.shapes, at: b.at.map(decode), turn: b.turn.map(decode) }));
    const moving = bodies.filter(b => b.at.length && !b.shapes.some(s => s.kind === "plane"));
    const ranges = [0, 1, 2].map(n => {
      let low = Infinity, high = -Infinity;
      moving.forEach(b => { if (b.at[n]) b.at[n].forEach(x => { low = Math.min(low, x); high = Math.max(high, x); }); });
      return low > high ? { low: 0, high: 0 } : { low, high };
    });
    const spans = ranges.map(r => r.high - r.low), middle = ranges.map(r => (r.low + r.high) / 2);
    const large = Math.max(...spans, ...moving.map(radiusOf), 1e-9);
    const at = (b, i) => [0, 1, 2].map(n => b.at[n] ? b.at[n][i] : 0);
    let reach = 1e-9;
    moving.forEach(b => { const r = radiusOf(b); time.forEach((_, i) => { reach = Math.max(reach, length(sub(at(b, i), middle)) + r); }); });
    return { time, last: time.length - 1, bodies, moving, spans, middle, large, reach, at, forces: forcesOf(scene) };
  }

  // Looked at along an axis in which nothing moves, else from aside; z is up.
  function directionOf(motion) {
    const { spans, large } = motion, solid = motion.moving.some(b => b.shapes.length);
    if (spans[2] < 1e-6 * large && !solid) return { turn: -Math.PI / 2, lift: Math.PI / 2 };
    if (spans[1] >= 1e-6 * large || spans[2] < 1e-6 * large || solid) return { turn: -Math.PI / 3, lift: 0.3 };
    return { turn: -Math.PI / 2, lift: 0 };
  }

  const INKS = ["hold", "slip", "open", "tint", "sheet", "ink", "normal", "friction", "c0", "c1", "c2", "c3", "c4", "c5"];

  // Fills `place`; calls onTime(t) whenever another instant is shown.
  drystone.newScene = function (place, scene, onTime) {
    const figure = html("figure", "scene", place);
    let canvas = html("canvas", "", figure), painter = drystone.newSolidPainter(canvas, () => draw());
    if (!painter) { // a canvas is for one kind of drawing only
      canvas.remove();
      canvas = html("canvas", "", figure);
      painter = drystone.newFlatPainter(canvas);
    }
    const bar = html("div", "controls", figure);
    const button = html("button", "reset", bar, "play"), slider = html("input", "", bar), readout = html("span", "at", bar);
    const key = html("div", "legend arrows", figure), ARROW = 70; // pixels of a usual force
    let motion = motionOf(scene), now = motion.time[0], playing = false, before = 0;
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    const first = directionOf(motion), camera = { ...first, middle: motion.middle, width: 600, height: 320, scale: 1, zoom: 1 };

    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "The bodies in motion: " + Array.from(new Set(motion.bodies.map(b => b.part))).join(", ") + ". Arrow keys turn the view.");
    button.type = "button";
    Object.assign(slider, { type: "range", min: 0, max: 1000, step: 1, value: 0 });
    slider.setAttribute("aria-label", "time");

    // ---- what is seen at an instant ----------------------------------------------------------------

    function whatAt(t) {
      const { time, last, bodies } = motion;
      let i = 0;
      while (i < last && time[i + 1] <= t) i++;
      const k = Math.min(i + 1, last), part = i < last ? (t - time[i]) / (time[k] - time[i]) : 0;
      const poses = bodies.map(b => poseOf(b, i, k, part)), what = { shapes: [], links: [], points: [], arrows: [], reach: motion.reach };
      bodies.forEach((b, n) => {
        b.shapes.forEach(shape => what.shapes.push({ shape, pose: poses[n], body: n }));
        // frames of one part, such as the links of an arm, are joined by a line
        if (n && bodies[n - 1].part === b.part) what.links.push([poses[n - 1].p, poses[n].p]);
        if (!b.shapes.length) what.points.push(poses[n].p);
      });
      what.arrows = arrowsAt(t);
      return what;
    }

    // From the place of the contact along the force; a force far beyond the usual is cut.
    function arrowsAt(t) {
      const { forces } = motion, arrows = [];
      if (!forces || !forces.usual) return arrows;
      let i = forces.time.length - 1;
      while (i > 0 && forces.time[i] > t) i--;
      for (const f of forces.all[i]) for (const ink of ["normal", "friction"]) {
        const size = length(f[ink]), pixels = Math.min(2.5, size / forces.usual) * ARROW;
        if (pixels > 1) arrows.push({ from: f.at, to: add(f.at, times(pixels / camera.scale / size, f[ink])), ink });
      }
      return arrows;
    }

    // Which arrow is which, and how long one of so many newtons is.
    function writeKey() {
      key.textContent = "";
      if (!motion.forces || !motion.forces.usual) return;
      const { list } = drystone.steps(0, motion.forces.usual * 60 / ARROW, 2), N = list[list.length - 1], wide = N / motion.forces.usual * ARROW;
      for (const [ink, words] of [["normal", "normal force"], ["friction", "friction"]]) {
        const span = html("span", "", key), svg = make("svg", { viewBox: "0 0 " + wide + " 8", style: "width:" + wide + "px;height:8px", "aria-hidden": "true" }, span);
        make("path", { class: ink, d: "M0 4H" + (wide - 8) + "M" + (wide - 8) + " 0.5L" + wide + " 4L" + (wide - 8) + " 7.5z" }, svg);
        span.append(words);
      }
      html("span", "at", key, "arrows as long as these: " + plain(N, N) + " N");
    }

    function inks() {
      const style = getComputedStyle(figure);
      return Object.fromEntries(INKS.map(name => [name, style.getPropertyValue("--" + name).trim()]));
    }

    function draw() {
      const { time, last } = motion;
      painter.paint(camera, whatAt(now), inks(), devicePixelRatio);
      readout.textContent = "t = " + plain(now, (time[last] - time[0]) * 1e-3) + " s";
      slider.value = 1000 * (now - time[0]) / (time[last] - time[0] || 1);
    }
    function show() { draw(); onTime(now); }

    // ---- time --------------------------------------------------------------------------------------

    function step(stamp) {
      if (!playing) return;
      const { time, last } = motion, pace = Math.max(1, (time[last] - time[0]) / 20); // a long run is shown in 20 s
      if (calm.matches && stamp - before < 500) return requestAnimationFrame(step); // two pictures a second
      now = Math.min(time[last], now + pace * Math.min(calm.matches ? 1 : 0.1, (stamp - before) / 1000));
      before = stamp;
      if (now >= time[last]) setPlaying(false);
      show();
      requestAnimationFrame(step);
    }
    function setPlaying(on) {
      playing = on;
      button.textContent = on ? "pause" : "play";
    }
    button.addEventListener("click", () => {
      setPlaying(!playing);
      if (playing && now >= motion.time[motion.last]) now = motion.time[0];
      requestAnimationFrame(stamp => { before = stamp; step(stamp); });
    });
    slider.addEventListener("input", () => {
      setPlaying(false);
      now = motion.time[0] + slider.value / 1000 * (motion.time[motion.last] - motion.time[0]);
      show();
    });

    // ---- the view ----------------------------------------------------------------------------------

    function look(dx, dy) {
      camera.turn -= dx;
      camera.lift = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, camera.lift + dy));
      draw();
    }
    function zoom(factor) {
      camera.zoom *= factor;
      camera.scale *= factor;
      draw();
    }
    // One finger or the mouse turns, two fingers zoom by how far they are apart.
    const fingers = new Map();
    function apart() {
      const [a, b] = fingers.values();
      return Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));
    }
    canvas.addEventListener("pointerdown", e => { if (e.pointerType === "touch") fingers.set(e.pointerId, e); });
    canvas.addEventListener("pointermove", e => {
      const before = fingers.size === 2 && apart();
      if (fingers.has(e.pointerId)) fingers.set(e.pointerId, e);
      if (before) zoom(apart() / before);
      else if (e.buttons & 1) look(0.01 * e.movementX, 0.01 * e.movementY);
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) canvas.addEventListener(end, e => fingers.delete(e.pointerId));
    canvas.addEventListener("touchmove", e => { if (e.touches.length > 1) e.preventDefault(); }, { passive: false });
    canvas.addEventListener("wheel", e => {
      if (!e.ctrlKey && document.activeElement !== canvas) return; // the page scrolls
      e.preventDefault();
      zoom(Math.exp(-0.004 * Math.max(-60, Math.min(60, e.deltaY))));
    }, { passive: false });
    canvas.addEventListener("keydown", e => {
      const keys = {
        ArrowLeft: () => look(-0.1, 0), ArrowRight: () => look(0.1, 0), ArrowUp: () => look(0, 0.1), ArrowDown: () => look(0, -0.1),
        "+": () => zoom(1.2), "=": () => zoom(1.2), "-": () => zoom(1 / 1.2),
        0: () => { Object.assign(camera, first); zoom(1 / camera.zoom); }, " ": () => button.click(),
      };
      if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      keys[e.key]();
    });

    // So that all that is ever shown has room; a scene that is flat has a flat picture.
    function resize() {
      const { moving, last, at } = motion, r = Math.max(...moving.map(radiusOf), 0);
      if (!figure.clientWidth) return; // not shown now
      let wide = 1e-9, high = 1e-9;
      camera.scale = 1;
      camera.middle = motion.middle;
      for (const b of moving) for (let i = 0; i <= last; i++) {
        const p = project(camera, at(b, i));
        wide = Math.max(wide, Math.abs(p.x - camera.width / 2) + r);
        high = Math.max(high, Math.abs(p.y - camera.height / 2) + r);
      }
      camera.width = Math.max(200, figure.clientWidth);
      camera.height = Math.round(Math.min(420, Math.max(160, 1.15 * camera.width * high / wide)));
      camera.scale = camera.zoom * 0.45 * Math.min(camera.width / wide, camera.height / high);
      canvas.width = camera.width * devicePixelRatio;
      canvas.height = camera.height * devicePixelRatio;
      canvas.style.height = camera.height + "px";
      draw();
    }
    const seen = new ResizeObserver(resize), dark = matchMedia("(prefers-color-scheme: dark)");
    seen.observe(figure);
    dark.addEventListener("change", draw);
    writeKey();
    resize();

    // Another run instead of this one: the view and the instant stay.
    function refresh(next) {
      motion = motionOf(next);
      writeKey();
      now = Math.max(motion.time[0], Math.min(motion.time[motion.last], now));
      resize();
    }
    function remove() {
      setPlaying(false);
      seen.disconnect();
      dark.removeEventListener("change", draw);
      figure.remove();
    }
    return { refresh, remove, at: t => { now = t; draw(); } };
  };
})();
