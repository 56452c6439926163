// base: elements of the page, numbers as people write them, files that the browser saves.

const $ = id => document.getElementById(id);

// el("p", { class: "x", onclick: f }, "text", child)
function el(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
// kg m^2/s -> kg m²/s
const unitText = unit => (unit || "").replace(/\^(-?)(\d)/g, (_, minus, d) => (minus ? "⁻" : "") + SUPERSCRIPTS[d]);

// At most `digits` digits, no trailing zeros, a real minus only where it is shown and not typed.
function numberText(x, digits = 4) {
  if (x === 0) return "0";
  if (!isFinite(x)) return String(x);
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(digits - 1) : x.toPrecision(digits);
  return text.includes("e") ? text.replace(/\.?0+e/, "e").replace("e+", "e") : text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function duration(ms) {
  return ms < 1 ? numberText(ms, 1) + " ms" : ms < 995 ? Math.round(ms) + " ms" : numberText(ms / 1000, 2) + " s";
}

function saveFile(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const a = el("a", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Calls f once nothing has happened for `ms`.
function later(ms, f) {
  let timer = 0;
  return (...args) => { clearTimeout(timer); timer = setTimeout(f, ms, ...args); };
}

// ---- a zip archive of stored files ---------------------------------------------------------------

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});
function crc32(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) c = crcTable[(c ^ b) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

// files: { name: text or bytes }
function zip(files) {
  const parts = [], index = [];
  let offset = 0, size = 0;
  for (const [name, content] of Object.entries(files)) {
    const title = new TextEncoder().encode(name);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const head = new DataView(new ArrayBuffer(30)), entry = new DataView(new ArrayBuffer(46));
    head.setUint32(0, 0x04034b50, true);
    entry.setUint32(0, 0x02014b50, true);
    entry.setUint16(4, 20, true);
    for (const [view, at] of [[head, 4], [entry, 6]]) {
      view.setUint16(at, 20, true);                // version
      view.setUint16(at + 2, 0x0800, true);        // names in UTF-8
      view.setUint16(at + 8, 0x21, true);          // 1 January 1980, after the time 0
      view.setUint32(at + 10, crc32(bytes), true);
      view.setUint32(at + 14, bytes.length, true);
      view.setUint32(at + 18, bytes.length, true);
      view.setUint16(at + 22, title.length, true);
    }
    entry.setUint32(42, offset, true);
    parts.push(head.buffer, title, bytes);
    index.push(entry.buffer, title);
    offset += 30 + title.length + bytes.length;
    size += 46 + title.length;
  }
  const end = new DataView(new ArrayBuffer(22)), n = index.length / 2;
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, n, true);
  end.setUint16(10, n, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  return new Blob([...parts, ...index, end.buffer], { type: "application/zip" });
}
