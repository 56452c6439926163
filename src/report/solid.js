// Draws a scene as shaded solids by WebGL 2: light from above, shadows on the planes of the scene,
// forces as arrows on top. Parallel projection, so that lengths can be compared.
(function () {
  const { add, sub, times, dot, cross, length, rotate, place, axesOf } = drystone.space;

  // ---- meshes: triangles of unit size, their normals -----------------------------------------------

  // A surface over u, v from 0 to 1, in n x m cells; f gives a point and its normal.
  function surface(n, m, f, to) {
    const at = (i, k) => f(i / n, k / m);
    for (let i = 0; i < n; i++) for (let k = 0; k < m; k++) {
      const [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
      for (const [p, normal] of [a, b, c, a, c, d]) to.push(...p, ...normal);
    }
    return to;
  }
  const ROUND = 40;
  const circle = u => [Math.cos(2 * Math.PI * u), Math.sin(2 * Math.PI * u)];
  function part(from, to) { // of a sphere, by its polar angle
    return (u, v) => {
      const [c, s] = circle(u), th = from + (to - from) * v, p = [c * Math.sin(th), s * Math.sin(th), Math.cos(th)];
      return [p, p];
    };
  }
  const side = (low, high, r0, r1) => (u, v) => {
    const [c, s] = circle(u), r = r0 + (r1 - r0) * v, slope = (r0 - r1) / (high - low);
    return [[c * r, s * r, low + (high - low) * v], [c, s, slope]];
  };
  const disc = (z, up) => (u, v) => { const [c, s] = circle(u); return [[c * v, s * v, z], [0, 0, up]]; };
  const face = (n, m, k, sign) => (u, v) => {
    const p = [0, 0, 0], normal = [0, 0, 0];
    p[n] = normal[n] = sign; p[m] = 2 * u - 1; p[k] = 2 * v - 1;
    return [p, normal];
  };
  function box() {
    const to = [];
    for (const [n, m, k] of [[0, 1, 2], [1, 2, 0], [2, 0, 1]]) for (const sign of [-1, 1]) surface(1, 1, face(n, m, k, sign), to);
    return to;
  }
  const MESHES = {
    sphere: () => surface(ROUND, ROUND / 2, part(0, Math.PI), []),
    dome: () => surface(ROUND, ROUND / 4, part(0, Math.PI / 2), []),
    box,
    tube: () => surface(ROUND, 1, side(-1, 1, 1, 1), []),
    cylinder: () => [disc(1, 1), disc(-1, -1)].reduce((to, f) => surface(ROUND, 1, f, to), surface(ROUND, 1, side(-1, 1, 1, 1), [])),
    cone: () => surface(ROUND, 1, disc(0, -1), surface(ROUND, 1, side(0, 1, 1, 0), [])),
    square: () => surface(1, 1, face(2, 0, 1, 1), []),
  };
  const LOOKS = { smooth: 0, ball: 1, box: 2, turned: 3, plane: 4, shadow: 5 };

  // ---- shaders -------------------------------------------------------------------------------------

  // v: in the shape; a point of it is at t + R (s v) in the world. A shadow is thrown along the light
  // onto the plane through `ground` with normal `level`.
  const VERTEX = `#version 300 es
    layout(location = 0) in vec3 v; layout(location = 1) in vec3 n;
    uniform mat3 R; uniform vec3 s, t, light, ground, level, middle, right, up, near; uniform vec3 view; uniform int look;
    out vec3 at, world, normal;
    void main() {
      at = v;
      world = t + R * (s * v);
      normal = R * (n / max(s, vec3(1e-12)));
      if (look == 5) world -= light * dot(level, world - ground) / dot(level, light);
      vec3 d = world - middle;
      gl_Position = vec4(dot(right, d) * view.x, dot(up, d) * view.y, -dot(near, d) * view.z, 1.0);
    }`;
  const FRAGMENT = `#version 300 es
    precision highp float; precision highp int;
    in vec3 at, world, normal;
    uniform vec3 s, colour, grid, light, near, level, focus; uniform float pixel, reach, cell; uniform int look;
    out vec4 ink;
    float outline(vec3 d) { // from the second nearest of three faces, in pixels
      float m = max(max(min(d.x, d.y), min(d.y, d.z)), min(d.z, d.x));
      return 1.0 - smoothstep(0.6, 1.6, m);
    }
    float fade() { return 1.0 - smoothstep(0.55, 1.0, length(world - focus) / reach); }
    void main() {
      if (look == 5) { ink = vec4(0.0, 0.0, 0.0, 0.28 * fade()); return; }
      if (look == 4) {
        vec2 p = at.xy * s.xy / cell, w = fwidth(p), line = abs(fract(p - 0.5) - 0.5) / max(w, vec2(1e-6));
        float on = 1.0 - min(min(line.x, line.y), 1.0);
        float a = (0.30 + 0.5 * on) * fade();
        ink = vec4(mix(colour, grid, on) * a, a);
        return;
      }
      vec3 n = normalize(normal);
      if (dot(n, near) < 0.0) n = -n;
      vec3 c = colour;
      if (look == 1 && at.x * at.y * at.z < 0.0) c *= 0.8;
      if (look == 3 && at.x * at.y < 0.0) c *= 0.8;
      float bright = 0.50 + 0.10 * n.z + 0.34 * max(0.0, dot(n, light)) + 0.20 * dot(n, near);
      float shine = pow(max(0.0, dot(n, normalize(light + near))), 40.0) * 0.18;
      c = c * bright + shine;
      if (look == 2) c *= 1.0 - 0.4 * outline((1.0 - abs(at)) * s * pixel);
      ink = vec4(c, 1.0);
    }`;

  function programOf(gl) {
    const program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const name = gl.getActiveUniform(program, i).name;
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    gl.useProgram(program);
    return uniforms;
  }

  function meshOf(gl, name) {
    const numbers = new Float32Array(MESHES[name]()), array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    for (const [place, offset] of [[0, 0], [1, 12]]) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, 3, gl.FLOAT, false, 24, offset);
    }
    return { array, count: numbers.length / 6 };
  }

  // ---- colours and turns -----------------------------------------------------------------------------

  function rgb(text) {
    const hex = /^#(..)(..)(..)$/.exec(text);
    return hex ? hex.slice(1).map(h => parseInt(h, 16) / 255) : [0.5, 0.5, 0.5];
  }
  const mix = (a, b, share) => a.map((x, i) => (1 - share) * x + share * b[i]);
  const columns = q => [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map(e => rotate(q, e));
  // The columns of a turn that takes z to a direction.
  function upright(z) {
    const other = Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], x = cross(other, z), k = 1 / length(x);
    return [times(k, x), cross(z, times(k, x)), z];
  }

  // ---- the painter -------------------------------------------------------------------------------------

  // What a shape is drawn with: {mesh, look, s: half sizes, t: where in the shape}.
  function solidsOf(shape) {
    const [a, b, c] = shape.size;
    switch (shape.kind) {
    case "sphere": return [{ mesh: "sphere", look: "ball", s: [a, a, a], t: [0, 0, 0] }];
    case "box": return [{ mesh: "box", look: "box", s: [a, b, c], t: [0, 0, 0] }];
    case "cylinder": return [{ mesh: "cylinder", look: "turned", s: [a, a, b], t: [0, 0, 0] }];
    case "capsule": return [{ mesh: "tube", look: "turned", s: [a, a, b], t: [0, 0, 0] },
      { mesh: "dome", look: "turned", s: [a, a, a], t: [0, 0, b] }, { mesh: "dome", look: "turned", s: [a, a, -a], t: [0, 0, -b] }];
    default: return [];
    }
  }
  const cloudOf = (shape, r) => Array.from({ length: shape.points.length / 3 }, (_, i) =>
    ({ mesh: "sphere", look: "smooth", s: [r, r, r], t: shape.points.slice(3 * i, 3 * i + 3) }));

  // null: the browser has no WebGL 2.
  drystone.newSolidPainter = function (canvas, again) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, stencil: true, preserveDrawingBuffer: true });
    if (!gl) return null;
    let u, meshes;
    function begin() {
      u = programOf(gl);
      meshes = {};
      for (const name in MESHES) meshes[name] = meshOf(gl, name);
    }
    begin();
    if (!u) return null;
    canvas.addEventListener("webglcontextlost", e => e.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { begin(); again(); });

    function draw(mesh, look, colour, R, s, t) {
      gl.uniformMatrix3fv(u.R, false, [].concat(...R));
      gl.uniform3fv(u.s, s);
      gl.uniform3fv(u.t, t);
      gl.uniform3fv(u.colour, colour);
      gl.uniform1i(u.look, LOOKS[look]);
      gl.bindVertexArray(meshes[mesh].array);
      gl.drawArrays(gl.TRIANGLES, 0, meshes[mesh].count);
    }
    function drawSolids(item, look, colour, dot) {
      const q = item.shape.q, solids = item.shape.kind === "cloud" ? cloudOf(item.shape, dot) : solidsOf(item.shape);
      const turned = columns(q).map(e => rotate(item.pose.q, e));
      for (const solid of solids)
        draw(solid.mesh, look || solid.look, colour, turned, solid.s, place(item.pose, add(item.shape.p, rotate(q, solid.t))));
    }
    function drawRod(a, b, radius, mesh, colour) {
      const d = sub(b, a), l = length(d);
      if (!(l > 0)) return;
      const z = times(1 / l, d);
      if (mesh === "cone") draw("cone", "smooth", colour, upright(z), [radius, radius, l], a);
      else draw("cylinder", "smooth", colour, upright(z), [radius, radius, l / 2], times(0.5, add(a, b)));
    }
    function drawArrow(from, to, colour, px) {
      const d = sub(to, from), l = length(d), head = Math.min(12 * px, l);
      if (!(l > 0.5 * px)) return;
      const neck = sub(to, times(head / l, d));
      drawRod(from, neck, 1.8 * px, "cylinder", colour);
      drawRod(neck, to, 0.42 * head, "cone", colour);
    }

    // The planes of the scene: a point, the normal, the columns of their frame.
    const planesOf = what => what.shapes.filter(i => i.shape.kind === "plane").map(item => {
      const R = columns(item.shape.q).map(e => rotate(item.pose.q, e));
      return { p: place(item.pose, item.shape.p), n: R[2], R };
    });
    // Where the light through a point meets a plane first; null: nowhere.
    function below(planes, p, light) {
      let best = null;
      for (const plane of planes) {
        const far = dot(plane.n, sub(p, plane.p)) / dot(plane.n, light);
        if (dot(plane.n, light) > 0.05 && far > 0 && (!best || far < best.far)) best = { plane, far };
      }
      return best && best.plane;
    }

    function drawShadows(what, planes, light) {
      gl.enable(gl.STENCIL_TEST);
      gl.stencilFunc(gl.EQUAL, 0, 1);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR); // no place is darkened twice
      for (const item of what.shapes) {
        const plane = item.shape.kind !== "plane" && below(planes, place(item.pose, item.shape.p), light);
        if (!plane) continue;
        gl.uniform3fv(u.ground, plane.p);
        gl.uniform3fv(u.level, plane.n);
        drawSolids(item, "shadow", [0, 0, 0], 0);
      }
      gl.disable(gl.STENCIL_TEST);
    }

    function setView(camera, what, light, ratio) {
      const axes = axesOf(camera), deep = 4 * Math.max(what.reach, camera.width / camera.scale);
      gl.viewport(0, 0, camera.width * ratio, camera.height * ratio);
      for (const name of ["right", "up", "near"]) gl.uniform3fv(u[name], axes[name]);
      gl.uniform3fv(u.middle, camera.middle);
      gl.uniform3fv(u.view, [2 * camera.scale / camera.width, 2 * camera.scale / camera.height, 1 / deep]);
      gl.uniform3fv(u.light, light);
      gl.uniform1f(u.pixel, camera.scale);
    }

    function paint(camera, what, inks, ratio) {
      const light = times(1 / Math.hypot(0.35, 0.45, 1), [0.35, -0.45, 1]), px = 1 / camera.scale, sheet = rgb(inks.sheet);
      const bodies = ["c0", "c4", "c2", "c3", "c1", "c5"].map(name => mix(rgb(inks[name]), sheet, 0.35));
      const planes = planesOf(what), wide = 2.2 * what.reach;
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
      setView(camera, what, light, ratio);
      gl.enable(gl.DEPTH_TEST);
      gl.disable(gl.BLEND);
      for (const item of what.shapes) drawSolids(item, null, bodies[item.body % bodies.length], 2.5 * px);
      for (const [a, b] of what.links) drawRod(a, b, Math.max(3 * px, 0.015 * what.reach), "cylinder", mix(rgb(inks.hold), sheet, 0.3));
      for (const p of what.points) draw("sphere", "smooth", rgb(inks.slip), columns([1, 0, 0, 0]), Array(3).fill(Math.max(4.5 * px, 0.022 * what.reach)), p);

      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.depthMask(false);
      gl.uniform3fv(u.focus, camera.middle);
      gl.uniform1f(u.cell, cellOf(what.reach));
      gl.uniform3fv(u.grid, rgb(inks.open));
      for (const plane of planes) {
        const foot = sub(camera.middle, times(dot(plane.n, sub(camera.middle, plane.p)), plane.n));
        const along = plane.R.slice(0, 2).map(e => Math.round(dot(e, sub(foot, plane.p)) / cellOf(what.reach)) * cellOf(what.reach));
        const at = add(plane.p, add(times(along[0], plane.R[0]), times(along[1], plane.R[1])));
        gl.uniform1f(u.reach, Math.hypot(wide, length(sub(foot, camera.middle))));
        draw("square", "plane", mix(rgb(inks.open), sheet, 0.75), plane.R, [wide, wide, 0], at);
      }
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(-1, -4);
      drawShadows(what, planes, light);
      gl.disable(gl.POLYGON_OFFSET_FILL);
      gl.depthMask(true);
      gl.disable(gl.BLEND);
      gl.clear(gl.DEPTH_BUFFER_BIT); // arrows are seen through bodies
      for (const { from, to, ink } of what.arrows) drawArrow(from, to, rgb(inks[ink]), px);
    }
    return { paint };
  };

  // The side of a square of the grid: a round number of metres.
  function cellOf(reach) {
    const raw = 0.4 * reach, power = Math.pow(10, Math.floor(Math.log10(raw)));
    return power * (raw / power >= 5 ? 5 : raw / power >= 2 ? 2 : 1);
  }
})();
