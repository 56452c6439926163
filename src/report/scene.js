// The bodies of a report in motion: drawn on a canvas in parallel projection; drag to turn the view.
(function () {
  if (!report || !report.data.scene) return;
  const { decode, html, plain, place } = report, scene = report.data.scene;
  const time = decode(scene.time), last = time.length - 1;
  const bodies = scene.bodies.map(b => ({ part: b.part, shapes: b.shapes, at: b.at.map(decode), turn: b.turn.map(decode) }));

  // ---- motion ------------------------------------------------------------------------------------

  // Quaternions are w, x, y, z; zeros stand for no turn.
  function rotate(q, v) {
    const [w, x, y, z] = q, s = w * w + x * x + y * y + z * z;
    if (!(s > 0)) return v;
    const cx = y * v[2] - z * v[1], cy = z * v[0] - x * v[2], cz = x * v[1] - y * v[0];
    return [v[0] + 2 * (w * cx + y * cz - z * cy) / s, v[1] + 2 * (w * cy + z * cx - x * cz) / s, v[2] + 2 * (w * cz + x * cy - y * cx) / s];
  }
  const back = q => [q[0], -q[1], -q[2], -q[3]];
  const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

  // Where a body is between two instants.
  function poseOf(body, i, part) {
    const k = Math.min(i + 1, last), mix = (c, sign) => (1 - part) * c[i] + part * sign * c[k];
    const p = [0, 1, 2].map(n => body.at[n] ? mix(body.at[n], 1) : 0);
    if (body.turn.length < 4) return { p, q: [1, 0, 0, 0] };
    const same = body.turn.reduce((sum, c) => sum + c[i] * c[k], 0) < 0 ? -1 : 1;
    return { p, q: body.turn.map(c => mix(c, same)) };
  }

  // ---- the view ----------------------------------------------------------------------------------

  const moving = bodies.filter(b => b.at.length && !b.shapes.some(s => s.kind === "plane"));
  const radius = b => Math.max(0, ...b.shapes.map(s => s.kind === "plane" ? 0 :
    Math.hypot(...s.p) + (s.kind === "box" ? Math.hypot(...s.size) : s.size[0] + (s.kind === "capsule" || s.kind === "cylinder" ? s.size[1] : 0))));
  const range = n => {
    let low = Infinity, high = -Infinity;
    moving.forEach(b => { if (b.at[n]) b.at[n].forEach(x => { low = Math.min(low, x); high = Math.max(high, x); }); });
    return low > high ? { low: 0, high: 0 } : { low, high };
  };
  const ranges = [0, 1, 2].map(range), spans = ranges.map(r => r.high - r.low);
  const large = Math.max(...spans, ...moving.map(radius), 1e-9);
  // Looked at along an axis in which nothing moves, else from aside; z is up.
  const solid = moving.some(b => b.shapes.length);
  let turn = -Math.PI / 2, lift = 0;
  if (spans[2] < 1e-6 * large && !solid) lift = Math.PI / 2;
  else if (spans[1] >= 1e-6 * large || spans[2] < 1e-6 * large) { turn = -Math.PI / 3; lift = 0.3; }
  const middle = ranges.map(r => (r.low + r.high) / 2);
  const reach = Math.max(...moving.map(b => Math.max(...Array.from(time, (_, i) =>
    Math.hypot(...[0, 1, 2].map(n => b.at[n] ? b.at[n][i] - middle[n] : 0)))) + radius(b)), 1e-9);

  const figure = html("figure", "scene");
  place.prepend(figure);
  const canvas = html("canvas", "", figure), pen = canvas.getContext("2d");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The bodies in motion: " + Array.from(new Set(bodies.map(b => b.part))).join(", "));
  const bar = html("div", "controls", figure);
  const button = html("button", "reset", bar, "play");
  const slider = html("input", "", bar);
  const readout = html("span", "at", bar);
  button.type = "button";
  Object.assign(slider, { type: "range", min: 0, max: 1000, step: 1, value: 0 });
  slider.setAttribute("aria-label", "time");

  let width = 600, height = 320, scale = 1, now = time[0];
  function project(v) {
    const d = [v[0] - middle[0], v[1] - middle[1], v[2] - middle[2]];
    const c = Math.cos(turn), s = Math.sin(turn), ce = Math.cos(lift), se = Math.sin(lift);
    return {
      x: width / 2 + scale * (-s * d[0] + c * d[1]),
      y: height / 2 - scale * (-se * c * d[0] - se * s * d[1] + ce * d[2]),
      depth: ce * c * d[0] + ce * s * d[1] + se * d[2],
    };
  }

  // ---- drawing -----------------------------------------------------------------------------------

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  function line(points, close) {
    pen.beginPath();
    points.forEach((p, i) => { if (i) pen.lineTo(p.x, p.y); else pen.moveTo(p.x, p.y); });
    if (close) pen.closePath();
  }
  function disc(p, r) { pen.beginPath(); pen.arc(p.x, p.y, r, 0, 2 * Math.PI); }

  const draw = {
    plane(world, s, pose) {
      const N = 5, size = reach * 1.2 / N;
      // below the middle of the scene
      const [u, v] = rotate(back(s.q), sub(rotate(back(pose.q), sub(middle, pose.p)), s.p));
      const at = (i, k) => world([u + i * size, v + k * size, 0]);
      pen.strokeStyle = colour("open");
      pen.lineWidth = 0.6;
      for (let i = -N; i <= N; i++) {
        line([at(i, -N), at(i, N)]); pen.stroke();
        line([at(-N, i), at(N, i)]); pen.stroke();
      }
    },
    sphere(world, s) {
      const p = world([0, 0, 0]);
      disc(p, Math.max(1.5, s.size[0] * scale)); pen.fill(); pen.stroke();
      line([p, world([s.size[0], 0, 0])]); pen.stroke();
    },
    box(world, s) {
      const [a, b, c] = s.size, corner = (x, y, z) => world([x * a, y * b, z * c]);
      for (const [n, m, k] of [[0, 1, 2], [1, 2, 0], [2, 0, 1]]) for (const side of [-1, 1]) {
        const face = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => {
          const at = [0, 0, 0]; at[n] = side; at[m] = u; at[k] = v;
          return corner(...at);
        });
        const front = face.reduce((sum, p) => sum + p.depth, 0) / 4 >= world([0, 0, 0]).depth - 1e-12;
        if (front) { line(face, true); pen.fill(); pen.stroke(); }
      }
    },
    capsule(world, s) {
      const ends = [world([0, 0, -s.size[1]]), world([0, 0, s.size[1]])], wide = Math.max(3, 2 * s.size[0] * scale);
      pen.lineCap = "round";
      for (const [w, c] of [[wide, pen.strokeStyle], [wide - 2, pen.fillStyle]]) {
        pen.save(); pen.lineWidth = w; pen.strokeStyle = c; line(ends); pen.stroke(); pen.restore();
      }
    },
    // the side between two rims, then the end that looks at the reader; a line shows how it turns
    cylinder(world, s) {
      const [r, h] = s.size, N = 32, rim = side => Array.from({ length: N }, (_, i) =>
        world([r * Math.cos(2 * Math.PI * i / N), r * Math.sin(2 * Math.PI * i / N), side * h]));
      const low = rim(-1), high = rim(1), near = world([0, 0, h]).depth >= world([0, 0, -h]).depth;
      for (let i = 0; i < N; i++) {
        const k = (i + 1) % N, face = [low[i], low[k], high[k], high[i]];
        pen.save(); pen.strokeStyle = pen.fillStyle; line(face, true); pen.fill(); pen.stroke(); pen.restore();
      }
      for (const end of near ? [low, high] : [high, low]) { line(end, true); pen.fill(); pen.stroke(); }
      line([world([0, 0, near ? h : -h]), (near ? high : low)[0]]); pen.stroke();
    },
    cloud(world, s) {
      for (let i = 0; i + 2 < s.points.length; i += 3) { disc(world(s.points.slice(i, i + 3)), 1.5); pen.stroke(); }
    },
  };

  // Frames of one part, such as the links of an arm, are joined by a line.
  function drawChains(poses) {
    pen.strokeStyle = colour("hold");
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    for (let i = 1; i < bodies.length; i++)
      if (bodies[i].part === bodies[i - 1].part) { line([project(poses[i - 1].p), project(poses[i].p)]); pen.stroke(); }
  }

  function drawAll() {
    let i = 0;
    while (i < last && time[i + 1] <= now) i++;
    const part = i < last ? (now - time[i]) / (time[i + 1] - time[i]) : 0;
    const poses = bodies.map(b => poseOf(b, i, part)), list = [];
    bodies.forEach((b, k) => b.shapes.forEach(s => {
      const world = v => project(add(poses[k].p, rotate(poses[k].q, add(s.p, rotate(s.q, v)))));
      list.push({ s, world, pose: poses[k], depth: s.kind === "plane" ? -Infinity : world([0, 0, 0]).depth });
    }));
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    pen.clearRect(0, 0, width, height);
    list.sort((a, b) => a.depth - b.depth).forEach(({ s, world, pose }) => {
      pen.fillStyle = colour("tint"); pen.strokeStyle = colour("hold"); pen.lineWidth = 1.2;
      draw[s.kind](world, s, pose);
    });
    drawChains(poses);
    pen.fillStyle = colour("slip");
    bodies.forEach((b, k) => { if (!b.shapes.length) { disc(project(poses[k].p), 4); pen.fill(); } });
    readout.textContent = "t = " + plain(now, (time[last] - time[0]) * 1e-3) + " s";
    slider.value = 1000 * (now - time[0]) / (time[last] - time[0]);
  }

  // ---- time --------------------------------------------------------------------------------------

  const pace = Math.max(1, (time[last] - time[0]) / 20); // a long run is shown in 20 s
  let playing = false, before = 0;
  function step(stamp) {
    if (!playing) return;
    now = Math.min(time[last], now + pace * Math.min(0.1, (stamp - before) / 1000));
    before = stamp;
    if (now >= time[last]) setPlaying(false);
    show();
    requestAnimationFrame(step);
  }
  function setPlaying(on) {
    playing = on;
    button.textContent = on ? "pause" : "play";
  }
  function show() { drawAll(); report.readAt(now); }
  button.addEventListener("click", () => {
    setPlaying(!playing);
    if (playing && now >= time[last]) now = time[0];
    requestAnimationFrame(stamp => { before = stamp; step(stamp); });
  });
  slider.addEventListener("input", () => {
    setPlaying(false);
    now = time[0] + slider.value / 1000 * (time[last] - time[0]);
    show();
  });
  canvas.addEventListener("pointermove", e => {
    if (!(e.buttons & 1)) return;
    turn -= 0.01 * e.movementX;
    lift = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, lift + 0.01 * e.movementY));
    drawAll();
  });
  canvas.addEventListener("wheel", e => {
    if (!e.ctrlKey) return;
    e.preventDefault();
    scale *= Math.exp(-0.004 * e.deltaY);
    drawAll();
  }, { passive: false });

  // So that all that is ever shown has room; a scene that is flat has a flat picture.
  function resize() {
    const r = Math.max(...moving.map(radius), 0);
    let wide = 1e-9, high = 1e-9;
    scale = 1;
    for (const b of moving) for (let i = 0; i <= last; i++) {
      const p = project([0, 1, 2].map(n => b.at[n] ? b.at[n][i] : 0));
      wide = Math.max(wide, Math.abs(p.x - width / 2) + r);
      high = Math.max(high, Math.abs(p.y - height / 2) + r);
    }
    width = Math.max(200, figure.clientWidth);
    height = Math.round(Math.min(420, Math.max(160, 1.15 * width * high / wide)));
    scale = 0.45 * Math.min(width / wide, height / high);
    canvas.width = width * devicePixelRatio;
    canvas.height = height * devicePixelRatio;
    canvas.style.height = height + "px";
    drawAll();
  }
  window.addEventListener("resize", resize);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  resize();
})();
