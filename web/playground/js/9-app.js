// app: what the reader has open, and what happens when it changes.

const state = {
  name: "model.dry", text: "", files: {}, path: "model.dry",
  parameters: {}, inputs: {}, method: "", force: false,
  story: null, step: 0,
};
const MOST_KEPT = 4;                 // runs whose curves stay, pale

function jobOf() {
  const how = { parameters: { ...state.parameters } };
  if (state.method) how.method = state.method;
  if (state.force) how.force = true;
  const inputs = {};
  for (const [name, text] of Object.entries(state.inputs)) {
    const at = text.lastIndexOf(":");
    inputs[name] = at > 0 ? { file: text.slice(0, at), column: text.slice(at + 1) } : Number(text);
  }
  if (Object.keys(inputs).length) how.inputs = inputs;
  return { text: state.text, files: state.files, path: state.path, how };
}

// ---- what the reader opens --------------------------------------------------------------------------

function open({ name, text, files = {}, path, parameters = {}, inputs = {}, method = "", story = null, step = 0 }) {
  const other = text !== state.text;
  Object.assign(state, { name, text, files: { ...files }, path: path || name, parameters: { ...parameters }, inputs: { ...inputs }, method, force: false, story, step });
  $("file-name").textContent = name;
  document.title = (story ? story.title : name) + " · Drystone playground";
  if (other) {
    editor.text = text;
    frame.kept = [];
    runs.forget();
    knobs.clear();
    runs.say("");
    $("badges").replaceChildren();
    $("messages").replaceChildren();
    frame.fade(true);
    forgetPanes();
  }
  drawStory();
  drawKeep();
  run();
}

async function openModel(model, more = {}) {
  try {
    open({ name: model.path.split("/").pop() + ".dry", path: model.file, text: model.text, files: await filesOfModel(model), ...more });
  } catch (e) { runs.say(e.message); }
}

function openStory(story, step) {
  const now = story.steps[step];
  frame.kept = state.story === story && now.ghost && runs.last ? [{ name: "before", data: runs.last.data }] : [];
  return openModel(modelByPath(story.model), { parameters: now.set, story, step });
}

function run() {
  runs.ask(jobOf(), true);
  check();
  saveAddress();
}

// ---- the text --------------------------------------------------------------------------------------

async function check() {
  const job = jobOf();
  const messages = await threads.language.ask("check", job).catch(() => null);
  if (!messages || job.text !== state.text) return;
  editor.mark(messages);
  drawMessages(messages);
}
const checkLater = later(200, check);
const runLater = later(400, () => { if (!runs.last || runs.last.times.run < ABOUT_ALL) run(); else runs.say("changed: Run (Ctrl+Enter) shows it"); });

editor.onchange(text => {
  state.text = text;
  if (state.story) { state.story = null; drawStory(); }
  state.force = false;
  // A setting goes with the name that it was for.
  for (const set of [state.parameters, state.inputs])
    for (const name of Object.keys(set)) if (/^\w/.test(name) && !new RegExp("\\b" + name.match(/^\w+/)[0] + "\\b").test(text)) delete set[name];
  checkLater();
  runLater();
});

function drawMessages(messages) {
  const own = messages.filter(m => !m.file || m.file === state.path);
  $("messages").replaceChildren(...messages.map(m => el("div", { class: "message " + m.kind },
    el("button", { type: "button", class: "place", onclick: () => editor.goTo(m.line, m.column), disabled: !own.includes(m) },
      m.kind + (m.line ? ", line " + m.line : "")), " ",
    el("span", { class: "said" }, m.text), m.wayOut ? el("span", { class: "way" }, m.wayOut) : null,
    ...(m.fixes || []).slice(0, 2).map(fix => el("button", { type: "button", class: "fix", title: "Ctrl+.", onclick: () => editor.apply(fix) }, fix.title)))));
}

// ---- a run ------------------------------------------------------------------------------------------

const drags = [];
runs.onrun(async r => {
  knobs.draw(r.facts.parameters, state.text, state.parameters, state.story ? state.story.steps[state.step].sliders : null);
  drawInputs(r.facts);
  await frame.show(r, JSON.stringify([state.text, r.job.files]), () => threads.run.ask("report"), r.job.dragged);
  frame.fade(false);
  drawBadges(r);
  if (!r.failed) verifyLater(r);
  announce();
  refreshPane();
  // For tests: how many runs there were, how long after the page was asked for the first was shown, and how long sliders took.
  const root = document.documentElement, now = performance.now();
  root.dataset.runs = r.number;
  if (!root.dataset.first) root.dataset.first = Math.round(now);
  if (r.job.dragged) {
    drags.push(now - r.job.dragged);
    root.dataset.drag = drags.slice(-30).sort((a, b) => a - b)[Math.floor(Math.min(30, drags.length) / 2)].toFixed(1);
  }
});

runs.onslow(() => { frame.fade(true); $("badges").replaceChildren(); });

runs.onfail((e, job) => {
  frame.fade(true);
  announce();
  $("badges").replaceChildren();
  if (e.kind === "ended" || e.kind === "limit" || e.kind === "engine") return runs.say(e.message);
  if (e.kind === "model" || e.messages.length) {
    runs.say(runs.last ? "the text has an error: what you see is the run before it" : "the text has an error");
    if (job.text === state.text && e.messages.some(m => m.kind === "error" && /--force/.test(m.wayOut)))
      $("badges").append(el("button", { type: "button", onclick: () => { state.force = true; run(); } }, "Run it anyway"));
    // Errors of a setting have no place in the text.
    if (!e.messages.length || e.key) runs.say(e.message);
  } else runs.say(e.message);
});

// For readers who hear the page: not every frame of a drag, but what there is when it rests.
const announce = later(900, () => { $("announce").textContent = [$("status"), ...$("badges").children].map(e => e.textContent).filter(Boolean).join(". "); });

function badge(kind, text, title) { return el("span", { class: "badge " + kind, title }, text); }

function drawBadges(r) {
  const met = r.expectations.filter(e => e.met).length, n = r.expectations.length;
  $("badges").replaceChildren(
    ...(r.failed ? [badge("bad", "✗ ended early, at " + numberText(r.end) + " s")] : []),
    ...(n ? [badge(met === n ? "good" : "bad", (met === n ? "✓ " : "✗ ") + met + " of " + n + " checks met")] : []),
    el("span", { id: "trust" }),
    ...(state.force ? [badge("bad", "run in spite of its step")] : []));
  const f = r.facts;
  runs.say(r.failed ? r.failed : [f.method, f.step ? "step " + numberText(f.step * 1000) + " ms" : "", r.steps.toLocaleString("en") + " steps in " + duration(r.times.run),
    r.stop ? "stopped at " + numberText(r.end) + " s: " + r.stop : "", ...r.remarks].filter(Boolean).join(" · "));
}

// ---- how far it can be trusted ------------------------------------------------------------------------

const verifyLater = later(600, r => { if (r === runs.last && !runs.busy && r.times.run < 400) verify(r); else if (r === runs.last) offerVerify(r); });
function offerVerify(r) { $("trust")?.replaceChildren(el("button", { type: "button", onclick: () => verify(r) }, "Verify")); }
// The first half of the verdict; all of it when pointed at.
function trustBadge(t) {
  const [kind, sign] = t.trusted ? ["good", "✓ "] : t.trusted === false ? ["bad", "! "] : ["", ""];
  const text = t.trusted === false && t.word === "trusted" ? "what was chosen gives way" : t.text.split(/[,;:]/)[0];
  return badge(kind, sign + text, [t.text, ...t.lines].join("\n"));
}
async function verify(r) {
  const place = $("trust");
  if (!place) return;
  place.replaceChildren(badge("", "verifying …"));
  threads.background.end();
  try {
    const trust = await threads.background.ask("verify", r.job);
    if (r === runs.last && $("trust") === place)
      place.replaceChildren(trustBadge(trust));
  } catch (e) {
    if (r === runs.last && $("trust") === place) e.kind === "ended" ? offerVerify(r) : place.replaceChildren(badge("", "not verified: " + e.message));
  }
}

// ---- parameters ------------------------------------------------------------------------------------------

knobs.onchange((name, value) => {
  if (value === undefined) delete state.parameters[name]; else state.parameters[name] = value;
  threads.background.end();
  runs.ask({ ...jobOf(), dragged: performance.now() });
  saveAddress();
});

// ---- inputs ----------------------------------------------------------------------------------------------

function columnsOf(text) {
  const head = text.slice(0, text.indexOf("\n") < 0 ? text.length : text.indexOf("\n"));
  return head.split(",").map(c => c.trim().replace(/^"|"$/g, "").replace(/\s*[[(].*$/, ""));
}
function drawInputs(facts) {
  const place = $("inputs"), tables = Object.entries(state.files).filter(([name]) => /\.csv$/i.test(name));
  const rows = facts.inputs.map(q => {
    const id = "input-" + q.name, list = el("select", { id });
    const now = state.inputs[q.name];
    list.append(el("option", { value: "" }, "as the text has it"));
    for (const [name, text] of tables) for (const column of columnsOf(text).slice(1))
      list.append(el("option", { value: name + ":" + column, selected: now === name + ":" + column }, column + " of " + name));
    list.addEventListener("change", () => {
      if (list.value) state.inputs[q.name] = list.value; else delete state.inputs[q.name];
      run();
    });
    return el("div", { class: "knob" }, el("label", { for: id }, q.name), list, el("span", { class: "value" }, unitText(q.unit)),
      tables.length ? null : el("span", { class: "hint" }, "drop a .csv here to drive it"));
  });
  const names = Object.keys(state.files);
  if (names.length) rows.push(el("p", { class: "hint" }, "files: " + names.join(", ")));
  place.replaceChildren(...rows);
  place.hidden = !rows.length;
}

async function take(files) {
  for (const file of files) {
    if (file.size > MOST_TEXT) { runs.say(file.name + " has " + (file.size / 1e6).toFixed(1) + " MB; this page takes files of up to " + MOST_TEXT / 1e6 + " MB"); continue; }
    const text = await file.text();
    if (/\.csv$/i.test(file.name)) {
      // Under the path that the text writes, if it names such a file.
      const named = [...state.text.matchAll(/"([^"\n]*)"/g)].map(m => m[1]).find(p => p.split("/").pop() === file.name);
      state.files = { ...state.files, [named || file.name]: text };
      const held = runs.last ? runs.last.facts.inputs.filter(q => !state.inputs[q.name]) : [], columns = columnsOf(text).slice(1);
      // A column of the same name, or the only one.
      for (const q of held) {
        const column = columns.includes(q.name) ? q.name : held.length === 1 && columns.length === 1 ? columns[0] : "";
        if (column) state.inputs[q.name] = file.name + ":" + column;
      }
      run();
      if (!held.length && !state.text.includes(file.name))
        runs.say(file.name + " is here now. Read a column of it with: input u from \"" + file.name + "\" column \"" + (columns[0] || "u") + "\"");
    } else open({ name: file.name, text, files: state.files });
  }
}

// ---- curves that stay ----------------------------------------------------------------------------------

function labelOf(r) {
  const set = Object.entries(r.job.how.parameters).map(([k, v]) => k + " = " + numberText(v));
  return [r.job.how.method, ...set].filter(Boolean).join(", ") || "as the text has it";
}
function drawKeep() {
  const some = frame.kept.length > 0;
  $("keep").textContent = some ? "Drop pale curves" : "Keep curves";
  $("keep").setAttribute("aria-pressed", String(some));
}
$("keep").addEventListener("click", () => {
  const r = runs.last;
  frame.kept = !frame.kept.length && r ? [{ name: labelOf(r), data: r.data }] : [];
  drawKeep();
  runs.ask(jobOf());
});

// ---- stories ---------------------------------------------------------------------------------------------

function drawStory() {
  const place = $("story"), story = state.story;
  place.hidden = !story;
  document.documentElement.classList.toggle("with-story", Boolean(story));
  if (!story) return place.replaceChildren();
  const step = story.steps[state.step], n = story.steps.length;
  const go = (k, text, main) => el("button", { type: "button", class: main ? "main" : "", disabled: k < 0 || k >= n, onclick: async () => { await openStory(story, k); $("story-title").focus(); } }, text);
  place.replaceChildren(
    el("p", { class: "of" }, story.title + " · step " + (state.step + 1) + " of " + n),
    el("h2", { id: "story-title", tabindex: "-1" }, step.title),
    ...step.text.map(t => el("p", {}, t)),
    el("p", { class: "question" }, step.question),
    el("details", {}, el("summary", {}, "Answer"), el("p", {}, step.answer)),
    el("p", { class: "steps" }, go(state.step - 1, "Back"), go(state.step + 1, "Next", true)));
}

// ---- equations and methods ----------------------------------------------------------------------------------

const panes = { "tab-run": "pane-run", "tab-math": "pane-math", "tab-methods": "pane-methods" };
let tab = "tab-run", mathOf = "", methodsOf = "";
function forgetPanes() { mathOf = methodsOf = ""; $("pane-math").replaceChildren(); $("pane-methods").replaceChildren(); }
function chooseTab(id, focus) {
  tab = id;
  for (const [t, p] of Object.entries(panes)) {
    $(t).setAttribute("aria-selected", String(t === id));
    $(t).tabIndex = t === id ? 0 : -1;
    $(p).hidden = t !== id;
  }
  if (focus) $(id).focus();
  refreshPane();
}
Object.keys(panes).forEach((id, i, all) => {
  $(id).addEventListener("click", () => chooseTab(id));
  $(id).addEventListener("keydown", e => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: all.length - 1 }[e.key];
    if (to !== undefined) { e.preventDefault(); chooseTab(all[(to + all.length) % all.length], true); }
  });
});

// Elements of MathML alone, without attributes that could do more than set a formula.
function mathOfText(text) {
  const read = new DOMParser().parseFromString(text, "text/html").querySelector("math");
  if (!read) return null;
  for (const e of [read, ...read.querySelectorAll("*")])
    for (const a of [...e.attributes]) if (!/^(class|display|mathvariant|stretchy|accent|columnalign|rowspacing|form|fence|separator|lspace|rspace|style|displaystyle)$/.test(a.name)) e.removeAttribute(a.name);
  return read.querySelector("mtr") ? document.importNode(read, true) : null;
}
async function drawMath() {
  const job = jobOf(), key = JSON.stringify(job);
  if (key === mathOf) return;
  mathOf = key;
  const both = await threads.language.ask("equations", job).catch(e => { $("pane-math").replaceChildren(el("p", { class: "note" }, e.message)); });
  if (!both || mathOf !== key) return;
  const half = (title, text) => {
    const math = mathOfText(text);
    return math ? el("section", { class: "math-half" }, el("h3", {}, title), el("div", { class: "math", tabindex: "0" }, math)) : null;
  };
  const parts = [half("The inclusion, as you wrote it", both.inclusion), half("The equation that runs", both.ode)].filter(Boolean);
  $("pane-math").replaceChildren(parts.length ? el("div", { class: "halves" }, ...parts)
    : el("p", { class: "note" }, "This model is made of parts; it has no equations of its own."));
}

const METHODS = drystoneModels.words.filter(w => w[0] === "method" && w[1] !== "cvode");
function drawMethods() {
  const r = runs.last;
  if (!r || methodsOf === state.text) return;
  methodsOf = state.text;
  const marked = new Set([r.facts.method, "dopri5", "rigid"]);
  const boxes = METHODS.map(w => el("label", { title: w[3] }, el("input", { type: "checkbox", value: w[1], checked: marked.has(w[1]) }), " " + w[1]));
  const table = el("div", { class: "wide" });
  const go = el("button", { type: "button", class: "main", onclick: () => compare(boxes.filter(b => b.firstChild.checked).map(b => b.firstChild.value), table, go) }, "Run side by side");
  const own = el("select", { id: "method" }, el("option", { value: "" }, "as the text has it"),
    ...METHODS.map(w => el("option", { value: w[1], selected: w[1] === state.method }, w[1])));
  own.addEventListener("change", () => { state.method = own.value; run(); });
  $("pane-methods").replaceChildren(
    el("p", {}, el("label", { for: "method" }, "Run by "), own),
    el("fieldset", {}, el("legend", {}, "Compare"), ...boxes), el("p", {}, go), table);
}
async function compare(names, table, go) {
  const text = state.text, rows = [];
  let measures = [];
  go.disabled = true;
  threads.background.end();
  const curves = [];
  const draw = last => {
    const head = ["method", "steps", "time", ...measures.map(m => m.name), "checks"];
    table.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ...head.map((h, i) => el("th", { class: i ? "number" : "", scope: "col" }, h)))),
      el("tbody", {}, ...rows.map(r => el("tr", {}, el("th", { scope: "row" }, r.name), ...(r.error ? [el("td", { colspan: String(head.length - 1), class: "note" }, r.error)] :
        [...r.cells.map(c => el("td", { class: "number" }, c))]))))),
      el("p", { class: "note" }, last ? "running " + last + " …" : curves.length > 1 ? "Their curves are in Result, pale behind those of the text." : ""));
  };
  for (const name of names) {
    draw(name);
    const job = jobOf();
    job.how.method = name;
    try {
      const r = await threads.background.ask("run", job);
      if (!measures.length) measures = Object.keys(r.measures).slice(0, 6).map(m => ({ name: m }));
      const met = r.expectations.filter(e => e.met).length;
      rows.push({ name, cells: [r.steps.toLocaleString("en"), duration(r.times.run), ...measures.map(m => numberText(r.measures[m.name], 6)), r.expectations.length ? met + " of " + r.expectations.length : "–"] });
      if (r.data) curves.push({ name, data: r.data });
    } catch (e) {
      const said = e.messages.find(m => m.kind === "error");
      rows.push({ name, error: e.kind === "ended" ? "stopped" : said ? said.text : e.message });
    }
    if (state.text !== text) break;
  }
  draw("");
  go.disabled = false;
  if (state.text !== text || curves.length < 2) return;
  frame.kept = curves.slice(0, MOST_KEPT);
  drawKeep();
  runs.ask(jobOf());
}
function refreshPane() {
  if (tab === "tab-math") drawMath();
  if (tab === "tab-methods") drawMethods();
}
