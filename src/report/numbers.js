// The numbers of a page: the codes of curves, round ticks, and how a number is written.
// An axis is {low, high, log}; on a logarithmic one all numbers are decimal logarithms.
"use strict";
const drystone = window.drystone = {};
(function () {
  const NONE = (1 << 24) - 1;
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
  function steps(low, high, most) {
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

  // Powers of ten, with 2 and 5 times them where there is room.
  function powers(low, high, most) {
    const every = Math.max(1, Math.ceil((high - low) / most)), list = [];
    const factors = (high - low) * 3 <= most ? [1, 2, 5] : [1];
    for (let e = Math.floor(low / every) * every; e <= high; e += every)
      for (const f of factors) list.push({ at: e + Math.log10(f), text: plain(f * Math.pow(10, e), Math.pow(10, e)) });
    return list.filter(t => t.at >= low - 1e-9 && t.at <= high + 1e-9);
  }

  // The ticks of an axis: [{at, text}].
  function ticks(axis, most) {
    if (axis.log) {
      const list = powers(axis.low, axis.high, most);
      if (list.length > 1) return list;
      const { list: values, step } = steps(Math.pow(10, axis.low), Math.pow(10, axis.high), most);
      return values.filter(x => x > 0).map(x => ({ at: Math.log10(x), text: plain(x, step) }));
    }
    const { list, step } = steps(axis.low, axis.high, most), size = Math.max(Math.abs(axis.low), Math.abs(axis.high));
    return list.map(x => ({ at: x, text: plain(x, step, size) }));
  }

  // Five digits of the range that a curve goes through, or of the number where it is constant.
  const reading = (x, range) => plain(x, 1e-5 * (range || Math.abs(x) || 1));
  // The same of a number of an axis.
  const readingOn = (axis, x) => axis.log ? plain(Math.pow(10, x), 1e-4 * Math.pow(10, x)) : reading(x, axis.high - axis.low);

  Object.assign(drystone, { decode, steps, ticks, plain, reading, readingOn });
})();
