// knobs: a slider and a number for each parameter that the text gives as a plain number.

// Whether it says how many there are of something: x[n], for i in 1..n.
const counts = (text, name) => new RegExp("[A-Za-z_]\\w*\\[\\s*" + name + "\\s*\\]|\\.\\.\\s*" + name + "\\b").test(text);

// Parameters that are numbers in the text; others follow from these.
function plainParameters(text) {
  const names = new Map();
  for (const statement of text.replace(/#[^\n]*/g, "").matchAll(/^[ \t]*param\b(.*(?:\n(?![ \t]*(?:[A-Za-z_]\w*\b(?!\s*=)|$)).*)*)/gm)) {
    let depth = 0, piece = "";
    for (const c of statement[1] + ",") {
      if ("([{".includes(c)) depth++;
      if (")]}".includes(c)) depth--;
      if (c !== "," || depth > 0) { piece += c; continue; }
      const found = /^\s*([A-Za-z_]\w*)\s*=\s*(-?\s*(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(\[[^\]]*\])?\s*(in\b[\s\S]*)?$/.exec(piece);
      if (found) names.set(found[1], { ranged: Boolean(found[4]), counts: counts(text, found[1]) });
      piece = "";
    }
  }
  return names;
}

// Where the slider goes: the range of the text, or about the value that the text has.
function rangeOf(p) {
  const given = isFinite(p.low) && isFinite(p.high) && p.high > p.low;
  const v = p.text;
  if (p.counts && !given) return { given: true, low: 1, high: Math.max(2, 2 * v), log: false, counts: true };
  const low = given ? p.low : isFinite(p.low) ? p.low : v > 0 ? 0 : v < 0 ? 2 * v : 0;
  const high = given ? p.high : isFinite(p.high) ? p.high : v > 0 ? 2 * v : v < 0 ? 0 : 1;
  return { given, low, high, log: given && low > 0 && high / low >= 30 };
}

const STEPS = 500;
const toValue = (r, k) => r.counts ? Math.round(r.low + (r.high - r.low) * k / STEPS) : r.log ? r.low * Math.pow(r.high / r.low, k / STEPS) : r.low + (r.high - r.low) * k / STEPS;
const toStep = (r, x) => Math.max(0, Math.min(STEPS, Math.round(STEPS * (r.log ? Math.log(x / r.low) / Math.log(r.high / r.low) : (x - r.low) / (r.high - r.low)))));

const knobs = (function () {
  const place = $("knobs");
  let shown = "", rows = [], wanted = null, change = () => {}, all = false;
  const FEW = 6;

  function row(p) {
    const r = rangeOf(p), id = "knob-" + p.name;
    const slider = el("input", { type: "range", id, min: 0, max: STEPS, step: 1, value: toStep(r, p.value) });
    const number = el("input", { type: "text", inputmode: "decimal", class: "number", value: numberText(p.value), "aria-label": p.name + " as a number" + (p.unit ? " in " + p.unit : "") });
    const back = el("button", { type: "button", class: "back", title: "As the text has it: " + numberText(p.text), "aria-label": p.name + " as the text has it" }, "↺");
    const line = el("div", { class: "knob" }, el("label", { for: id }, p.name), slider,
      el("span", { class: "value" }, number, el("span", { class: "unit" }, unitText(p.unit))), back);
    const spell = x => slider.setAttribute("aria-valuetext", numberText(x) + (p.unit ? " " + p.unit : ""));
    const show = x => {
      slider.value = toStep(r, x);
      if (document.activeElement !== number) number.value = numberText(x);
      spell(x);
      back.hidden = x === p.text;
      line.classList.toggle("set", x !== p.text);
      number.setAttribute("aria-invalid", "false");
    };
    const set = x => { p.value = x; show(x); change(p.name, x === p.text ? undefined : x); };
    slider.addEventListener("input", () => {
      // The mark of the text's own value catches the slider.
      const x = +slider.value === toStep(r, p.text) && p.text >= r.low && p.text <= r.high ? p.text : +numberText(toValue(r, +slider.value), 4);
      number.value = numberText(x);
      set(x);
    });
    number.addEventListener("change", () => {
      const x = Number(number.value.replace("−", "-").replace(",", "."));
      const bad = number.value.trim() === "" || !isFinite(x) || (r.given && (x < r.low || x > r.high)) || (r.counts && !Number.isInteger(x));
      number.setAttribute("aria-invalid", String(bad));
      if (!bad) { set(x); number.value = numberText(x, 6); }
      else number.title = r.given ? "A number from " + numberText(r.low) + " to " + numberText(r.high) : "A number";
    });
    back.addEventListener("click", () => { set(p.text); slider.focus(); });
    show(p.value);
    return { p, line, show };
  }

  // parameters: with the values of the text; set: what the reader has set; only: names, or null for all.
  function draw(parameters, text, set, only) {
    const plain = plainParameters(text);
    const list = parameters.filter(p => plain.has(p.name) && (!only || only.includes(p.name)));
    if (only) list.sort((a, b) => only.indexOf(a.name) - only.indexOf(b.name));
    else list.sort((a, b) => plain.get(b.name).ranged - plain.get(a.name).ranged);
    const key = JSON.stringify([list, only]);
    if (key !== shown) {
      shown = key;
      rows = list.map(p => row({ ...p, text: p.value, counts: plain.get(p.name).counts }));
      const few = only || list.length <= FEW + 2 ? list.length : FEW;
      const more = el("button", { type: "button", class: "more", onclick: () => { all = !all; fold(); } });
      const fold = () => {
        rows.forEach((k, i) => { k.line.hidden = !all && i >= few; });
        more.textContent = all ? "Fewer parameters" : "All " + list.length + " parameters";
        more.setAttribute("aria-expanded", String(all));
      };
      place.replaceChildren(el("h2", { class: "hidden" }, "Parameters"), ...rows.map(k => k.line));
      if (few < list.length) { place.append(more); fold(); }
    }
    rows.forEach(k => k.show(k.p.name in set ? set[k.p.name] : k.p.text));
    place.hidden = !rows.length;
  }

  return {
    draw,
    clear() { shown = ""; rows = []; all = false; place.replaceChildren(); place.hidden = true; },
    onchange(f) { change = f; },
  };
})();
