// text: the editor. A textarea writes, the layer beneath it shows the same letters in colours, with what the compiler says
// about them at its place.

const KINDS = new Map();             // of the words of the language
for (const [kind, text] of drystoneModels.words)
  if (!KINDS.has(text)) KINDS.set(text, kind);
const TOKENS = /#[^\n]*|"[^"\n]*"?|\[\s*[A-Za-z%°µΩ1][^\]\n;,]*\]|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|[^\w\s]|\s+/g;
const UNIT = /^\[\s*(?:1|[A-Za-z%°µΩ]+)(?:\s*\^\s*-?\d+)?(?:\s*[*/ ]\s*[A-Za-z%°µΩ]+(?:\s*\^\s*-?\d+)?)*\s*\]$/;
const STYLES = { statement: "w", joining: "w", constant: "n", function: "f", set: "s", law: "s", part: "s", method: "s", key: "k" };

// before: the token before it that is not space; touching: whether it stands right at it.
function styleOf(token, before, touching) {
  const c = token[0];
  if (c === "#") return "c";
  if (c === "\"") return "t";
  if (c === "[") return UNIT.test(token) && !(touching && /[\w)']$/.test(before) && !/^[\d.]/.test(before)) ? "u" : "";
  if (/[\d.]/.test(c) && /\d/.test(token)) return "n";
  if (!/[A-Za-z_]/.test(c)) return "";
  const style = STYLES[KINDS.get(token)] || "";
  return before === "." || (style === "k" && !/[(,]/.test(before)) ? "" : style;
}

// The text as spans; marks: [{ from, to, kind }] in order.
function paint(text, marks) {
  const all = document.createDocumentFragment();
  let at = 0, before = "", touching = false;
  const cuts = marks.flatMap(m => [m.from, m.to]);
  for (const token of text.match(TOKENS) || []) {
    const style = styleOf(token, before, touching), end = at + token.length;
    touching = token.trim() !== "";
    if (touching) before = token;
    const stops = [at, ...cuts.filter(c => c > at && c < end).sort((a, b) => a - b), end];
    for (let i = 0; i + 1 < stops.length; i++) {
      const mark = marks.find(m => m.from <= stops[i] && stops[i] < m.to);
      const piece = text.slice(stops[i], stops[i + 1]);
      const names = (style ? "x" + style : "") + (mark ? " mark " + mark.kind : "");
      all.append(names.trim() ? el("span", { class: names.trim() }, piece) : piece);
    }
    at = end;
  }
  all.append("\n");
  return all;
}

const editor = (function () {
  const listeners = [];
  const lines = el("div", { class: "lines", "aria-hidden": "true" });
  const layer = el("pre", { class: "layer", "aria-hidden": "true" });
  const area = el("textarea", { id: "text", wrap: "off", spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off",
    "aria-label": "Text of the model", "aria-describedby": "hint", "aria-autocomplete": "list", "aria-controls": "offers" });
  const offers = el("ul", { id: "offers", class: "offers", role: "listbox", "aria-label": "How it may go on", hidden: true });
  const tip = el("div", { class: "tip", role: "tooltip", hidden: true });
  const sheet = el("div", { class: "sheet" }, layer, area);
  $("editor").append(lines, sheet, offers, tip);
  let marks = [], chosen = 0, list = [], from = 0;

  function draw() {
    layer.replaceChildren(paint(area.value, marks));
    const n = area.value.split("\n").length;
    const worst = new Map();
    for (const m of marks) if (m.kind === "error" || !worst.has(m.line)) worst.set(m.line, m.kind);
    lines.replaceChildren(...Array.from({ length: n }, (_, i) => el("span", { class: worst.get(i + 1) }, String(i + 1))));
  }

  // ---- places ----

  function metrics() {
    const style = getComputedStyle(area), probe = el("span", {}, "0".repeat(50));
    layer.append(probe);
    const wide = probe.getBoundingClientRect().width / 50;
    probe.remove();
    return { wide, high: parseFloat(style.lineHeight), left: parseFloat(style.paddingLeft), top: parseFloat(style.paddingTop) };
  }
  function placeOf(offset) {
    const before = area.value.slice(0, offset), row = before.split("\n").length - 1, m = metrics();
    return { x: sheet.offsetLeft + m.left + (offset - before.lastIndexOf("\n") - 1) * m.wide, y: sheet.offsetTop + m.top + row * m.high, high: m.high };
  }
  function offsetAt(event) {
    const box = area.getBoundingClientRect(), m = metrics();
    const row = Math.floor((event.clientY - box.top - m.top) / m.high), column = Math.floor((event.clientX - box.left - m.left) / m.wide);
    const all = area.value.split("\n");
    if (row < 0 || row >= all.length || column < 0 || column >= all[row].length) return -1;
    return all.slice(0, row).reduce((sum, l) => sum + l.length + 1, 0) + column;
  }

  // ---- how it may go on ----

  const wordBefore = () => /[A-Za-z_]\w*$/.exec(area.value.slice(0, area.selectionStart))?.[0] || "";
  function hideOffers() { offers.hidden = true; list = []; area.removeAttribute("aria-activedescendant"); }
  function choose(k) {
    chosen = (k + list.length) % list.length;
    [...offers.children].forEach((li, i) => li.setAttribute("aria-selected", i === chosen));
    offers.children[chosen].scrollIntoView({ block: "nearest" });
    area.setAttribute("aria-activedescendant", "offer" + chosen);
    tell(list[chosen].detail || meaningOf(list[chosen].label));
  }
  function take(k) {
    const item = list[k], text = item.insertText || item.label;
    replace(from, area.selectionStart, text);
    hideOffers();
  }
  async function offer(asked) {
    const word = wordBefore(), offset = area.selectionStart, text = area.value;
    if (!asked && word.length < 2 && text[offset - 1] !== ".") return hideOffers();
    const found = await threads.language.ask("complete", { offset }).catch(() => []);
    if (area.selectionStart !== offset || area.value !== text || document.activeElement !== area) return;
    const small = word.toLowerCase();
    list = found.filter(i => i.label.toLowerCase().startsWith(small) && i.label !== word).slice(0, 40);
    if (!list.length) return hideOffers();
    from = offset - word.length;
    offers.replaceChildren(...list.map((item, i) => el("li", { id: "offer" + i, role: "option", "aria-selected": "false",
      onpointerdown: e => { e.preventDefault(); take(i); } }, el("b", {}, item.label), el("span", {}, item.detail || ""))));
    const at = placeOf(from);
    offers.hidden = false;
    offers.style.left = Math.min(at.x, $("editor").scrollLeft + $("editor").clientWidth - offers.offsetWidth - 8) + "px";
    offers.style.top = at.y + at.high + "px";
    choose(0);
  }

  // ---- what it means ----

  const meaningOf = word => drystoneModels.words.filter(w => w[1] === word).map(w => (w[2] ? w[2] + ": " : "") + w[3])[0] || "";
  function tell(text) { $("hint").textContent = text; }
  const plainMarkdown = text => text.replace(/```\w*\n?/g, "").replace(/`([^`]*)`/g, "$1").replace(/\*\*?/g, "").replace(/\n\n+/g, "\n").trim();
  const tellMeaning = later(150, async () => {
    if (!offers.hidden) return;
    const said = marks.find(m => m.from <= area.selectionStart && area.selectionStart <= m.to);
    if (said) return tell(said.text);
    const text = await threads.language.ask("hover", { offset: area.selectionStart }).catch(() => "");
    tell(plainMarkdown(text).replace(/\n/g, " · "));
  });
  let pointed = -1;
  const showTip = later(350, async () => {
    const offset = pointed;
    if (offset < 0) return;
    const said = marks.filter(m => m.from <= offset && offset < m.to).map(m => m.text + (m.wayOut ? "\n" + m.wayOut : ""));
    const text = said.length ? said.join("\n") : plainMarkdown(await threads.language.ask("hover", { offset }).catch(() => ""));
    if (offset !== pointed || !text) return;
    const at = placeOf(offset);
    tip.textContent = text;
    tip.hidden = false;
    const pane = $("editor");
    tip.style.left = Math.max(pane.scrollLeft + 8, Math.min(at.x, pane.scrollLeft + pane.clientWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = (at.y - tip.offsetHeight - 4 > pane.scrollTop ? at.y - tip.offsetHeight - 4 : at.y + at.high + 4) + "px";
  });

  // ---- writing ----

  // As if it had been typed, so that it can be undone.
  function replace(a, b, text) {
    area.focus({ preventScroll: true });
    area.setSelectionRange(a, b);
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, a, b, "end");
      area.dispatchEvent(new Event("input"));
    }
  }
  area.addEventListener("input", e => {
    marks = [];
    draw();
    listeners.forEach(f => f(area.value));
    if (e.inputType === "insertText") waitAndOffer(); else hideOffers();
  });
  const waitAndOffer = later(120, () => offer(false));
  area.addEventListener("keydown", e => {
    if (e.key === " " && e.ctrlKey) { e.preventDefault(); offer(true); return; }
    if (e.key === "." && e.ctrlKey) {
      const fix = marks.find(m => m.fixes && m.fixes.length && m.from <= area.selectionStart && area.selectionStart <= m.to) ||
        marks.find(m => m.fixes && m.fixes.length);
      if (fix) { e.preventDefault(); apply(fix.fixes[0]); }
      return;
    }
    if (offers.hidden) return;
    const keys = { ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1), Enter: () => take(chosen), Tab: () => take(chosen), Escape: hideOffers };
    if (!keys[e.key] || e.ctrlKey || e.metaKey) return;
    e.preventDefault();
    e.stopPropagation();
    keys[e.key]();
  });
  area.addEventListener("blur", () => { hideOffers(); });
  area.addEventListener("keyup", tellMeaning);
  area.addEventListener("click", () => { hideOffers(); tellMeaning(); });
  area.addEventListener("pointermove", e => {
    const at = offsetAt(e);
    if (at === pointed) return;
    pointed = at;
    tip.hidden = true;
    showTip();
  });
  area.addEventListener("pointerleave", () => { pointed = -1; tip.hidden = true; });

  function apply(fix) {
    [...fix.edits].sort((a, b) => b.from - a.from).forEach(e => replace(e.from, e.to, e.text));
  }

  return {
    get text() { return area.value; },
    set text(text) {
      area.value = text;
      area.setSelectionRange(0, 0);
      marks = [];
      hideOffers();
      $("editor").scrollTop = $("editor").scrollLeft = 0;
      draw();
      tell("");
    },
    onchange: f => listeners.push(f),
    mark(messages) {
      marks = messages.filter(m => m.from !== undefined).sort((a, b) => a.from - b.from);
      draw();
    },
    goTo(line, column) {
      const all = area.value.split("\n"), at = all.slice(0, line - 1).reduce((sum, l) => sum + l.length + 1, 0) + Math.max(0, column - 1);
      area.focus({ preventScroll: true });
      area.setSelectionRange(at, at);
      const place = placeOf(at), pane = $("editor");
      pane.scrollTop = Math.max(0, place.y - pane.clientHeight / 3);
      if (place.x < pane.scrollLeft || place.x > pane.scrollLeft + pane.clientWidth) pane.scrollLeft = Math.max(0, place.x - 80);
      area.scrollIntoView({ block: "nearest" });
      tellMeaning();
    },
    apply,
  };
})();
