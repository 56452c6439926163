// Vectors, rotations and the camera of a scene. Quaternions are w, x, y, z; zeros stand for no turn.
(function () {
  const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const times = (k, a) => [k * a[0], k * a[1], k * a[2]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const length = a => Math.hypot(a[0], a[1], a[2]);

  function rotate(q, v) {
    const [w, x, y, z] = q, s = w * w + x * x + y * y + z * z;
    if (!(s > 0)) return v;
    const cx = y * v[2] - z * v[1], cy = z * v[0] - x * v[2], cz = x * v[1] - y * v[0];
    return [v[0] + 2 * (w * cx + y * cz - z * cy) / s, v[1] + 2 * (w * cy + z * cx - x * cz) / s, v[2] + 2 * (w * cz + x * cy - y * cx) / s];
  }
  const back = q => [q[0], -q[1], -q[2], -q[3]];
  // From a frame, or a shape in one, to the world.
  const place = (pose, v) => add(pose.p, rotate(pose.q, v));

  // A camera looks at its middle from a direction, in parallel projection: turn about z, lift above
  // the plane of x and y, pixels per metre.
  function axesOf(camera) {
    const c = Math.cos(camera.turn), s = Math.sin(camera.turn), ce = Math.cos(camera.lift), se = Math.sin(camera.lift);
    return { right: [-s, c, 0], up: [-se * c, -se * s, ce], near: [ce * c, ce * s, se] };
  }
  function project(camera, v) {
    const { right, up, near } = axesOf(camera), d = sub(v, camera.middle);
    return { x: camera.width / 2 + camera.scale * dot(right, d), y: camera.height / 2 - camera.scale * dot(up, d), depth: dot(near, d) };
  }

  drystone.space = { add, sub, times, dot, cross, length, rotate, back, place, axesOf, project };
})();
