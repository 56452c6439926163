// Draws a scene with lines and flat fills on a canvas, for browsers without WebGL.
(function () {
  const { add, sub, rotate, back, place, project } = drystone.space;

  // null: not even that.
  drystone.newFlatPainter = function (canvas) {
    const pen = canvas.getContext("2d");
    if (!pen) return null;
    let camera, colours;

    function line(points, close) {
      pen.beginPath();
      points.forEach((p, i) => { if (i) pen.lineTo(p.x, p.y); else pen.moveTo(p.x, p.y); });
      if (close) pen.closePath();
    }
    function disc(p, r) { pen.beginPath(); pen.arc(p.x, p.y, r, 0, 2 * Math.PI); }

    const draw = {
      plane(world, s, pose, reach) {
        const N = 5, size = reach * 1.2 / N;
        // below the middle of the scene
        const [u, v] = rotate(back(s.q), sub(rotate(back(pose.q), sub(camera.middle, pose.p)), s.p));
        const at = (i, k) => world([u + i * size, v + k * size, 0]);
        pen.strokeStyle = colours.open;
        pen.lineWidth = 0.6;
        for (let i = -N; i <= N; i++) {
          line([at(i, -N), at(i, N)]); pen.stroke();
          line([at(-N, i), at(N, i)]); pen.stroke();
        }
      },
      sphere(world, s) {
        const p = world([0, 0, 0]);
        disc(p, Math.max(1.5, s.size[0] * camera.scale)); pen.fill(); pen.stroke();
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
        const ends = [world([0, 0, -s.size[1]]), world([0, 0, s.size[1]])], wide = Math.max(3, 2 * s.size[0] * camera.scale);
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

    function drawShapes(list, reach) {
      const at = list.map(({ shape, pose }) => {
        const world = v => project(camera, place(pose, add(shape.p, rotate(shape.q, v))));
        return { shape, pose, world, depth: shape.kind === "plane" ? -Infinity : world([0, 0, 0]).depth };
      });
      at.sort((a, b) => a.depth - b.depth).forEach(({ shape, world, pose }) => {
        pen.fillStyle = colours.tint; pen.strokeStyle = colours.hold; pen.lineWidth = 1.2;
        draw[shape.kind](world, shape, pose, reach);
      });
    }

    function drawArrow(from, to, ink) {
      const a = project(camera, from), b = project(camera, to), dx = b.x - a.x, dy = b.y - a.y, far = Math.hypot(dx, dy);
      if (!(far > 1)) return;
      const head = Math.min(9, far), u = dx / far, v = dy / far, end = { x: b.x - head * u, y: b.y - head * v };
      pen.strokeStyle = pen.fillStyle = colours[ink];
      pen.lineWidth = 2;
      line([a, end]); pen.stroke();
      line([b, { x: end.x - 0.4 * head * v, y: end.y + 0.4 * head * u }, { x: end.x + 0.4 * head * v, y: end.y - 0.4 * head * u }], true); pen.fill();
    }

    // what: shapes with the poses of their frames; links, pairs of points; points; arrows (scene.js).
    function paint(view, what, inks, ratio) {
      camera = view;
      colours = inks;
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      pen.clearRect(0, 0, camera.width, camera.height);
      drawShapes(what.shapes, what.reach);
      pen.strokeStyle = colours.hold; pen.lineWidth = 3; pen.lineJoin = "round";
      what.links.forEach(([a, b]) => { line([project(camera, a), project(camera, b)]); pen.stroke(); });
      pen.fillStyle = colours.slip;
      what.points.forEach(p => { disc(project(camera, p), 4); pen.fill(); });
      what.arrows.forEach(({ from, to, ink }) => drawArrow(from, to, ink));
    }
    return { paint };
  };
})();
