// worker: one engine in a thread of its own. It takes { id, task, ... } and answers { id, value } or { id, error }; during a
// run it says { id, progress: t }.
"use strict";

let engine = null, editor = null;
let model = null, modelKey = "";      // the last model, and what it was compiled from
let result = null;

// What of an error the page shows. kind "engine": the engine had to begin anew.
function plainError(e) {
  if (e && e.kind === "engine") { model = result = editor = null; modelKey = ""; }
  return {
    text: e && e.message ? e.message : String(e), kind: e && e.kind || "engine",
    messages: e && e.messages ? e.messages.map(plainMessage) : [], key: e && e.key || "",
  };
}
const plainMessage = m => ({ kind: m.kind, file: m.file, line: m.line, column: m.column, word: m.word, text: m.text, wayOut: m.wayOut });

function free(thing) { if (thing && thing.free) thing.free(); }

function modelOf(job) {
  const key = JSON.stringify([job.text, job.files, job.path, job.how]);
  if (model && key === modelKey) return model;
  free(result); result = null;
  free(model); model = null;
  model = engine.load(job.text, { ...job.how, files: job.files, path: job.path });
  modelKey = key;
  return model;
}

// The parameters and inputs as the text has them, whatever is set.
let textKey = "", textFacts = null;
function factsOfText(m, job) {
  const key = JSON.stringify([job.text, job.files, job.path]), how = job.how || {};
  if (key === textKey) return textFacts;
  let plain = m;
  if (Object.keys(how.parameters || {}).length || how.inputs)
    try { plain = engine.load(job.text, { files: job.files, path: job.path, force: how.force }); } catch (e) { /* the text alone is refused */ }
  textFacts = {
    parameters: plain.parameters.map(p => ({ name: p.name, unit: p.unit, value: p.value, low: p.low, high: p.high })),
    inputs: plain.inputs.map(q => ({ name: q.name, unit: q.unit })),
  };
  textKey = key;
  if (plain !== m) free(plain);
  return textFacts;
}

function modelFacts(m, job) {
  return {
    title: m.title, messages: m.messages.map(plainMessage), remarks: m.remarks,
    ...factsOfText(m, job), method: m.method, step: m.step_size, until: m.until,
  };
}

// A run keeps every number of every row.
const MOST_NUMBERS = 2e7;
function isTooLarge(m) {
  const record = m.record || m.step_size;
  return record > 0 && m.until / record * (1 + m.states.length + m.outputs.length) > MOST_NUMBERS;
}

const tasks = {
  async start(job) {
    engine = await drystone.start(job.module || job.bytes);
    return { version: engine.version };
  },

  run(job, id) {
    const begin = performance.now(), m = modelOf(job), compiled = performance.now();
    if (isTooLarge(m)) throw Object.assign(new Error("this run would keep more than " + MOST_NUMBERS / 1e6 +
      " million numbers, which is the limit of this page: write record = ... in the statement run, with a longer time"), { kind: "limit" });
    let last = begin;
    free(result); result = null;
    let failed = "";
    try {
      result = m.run({ progress: t => {
        const now = performance.now();
        if (now - last > 100) { last = now; postMessage({ id, progress: { t, until: m.until } }); }
        return true;
      } });
    } catch (e) {
      // A run that ended early is shown until there.
      if (e.kind !== "run" || !e.result || e.result.rows < 2) throw e;
      result = e.result;
      failed = e.message;
    }
    const ran = performance.now(), data = JSON.parse(result.data({ sections: true }));
    return {
      data, failed, facts: modelFacts(m, job), rows: result.rows, steps: result.steps, rates: result.rates, measures: result.measures,
      units: Object.fromEntries(m.measures.map(q => [q.name, q.unit])),
      expectations: result.expectations, stop: result.stop, end: result.end, remarks: result.remarks,
      times: { compile: compiled - begin, run: ran - compiled, data: performance.now() - ran },
    };
  },

  // The whole page of the report, for its frame and for a file.
  report() { return result.page(); },
  csv() { return result.csv(); },
  svg(job) { return result.svg({ dark: job.dark }); },
  pdf() { return result.pdf({}); },

  verify(job) {
    modelOf(job);
    if (!result) result = model.run({});
    const t = result.verify({});
    return { word: t.word, text: t.text, lines: t.lines, error: t.error, trusted: t.trusted };
  },

  // ---- the language ----

  check(job) {
    const messages = engine.check(job.text, { ...job.how, files: job.files, path: job.path }).map(plainMessage);
    free(editor);
    editor = engine.editor({ files: job.files, path: job.path });
    const lines = [0];
    for (let i = job.text.indexOf("\n"); i >= 0; i = job.text.indexOf("\n", i + 1)) lines.push(i + 1);
    const offset = p => Math.min(job.text.length, (p.line < lines.length ? lines[p.line] : job.text.length) + p.character);
    const shown = editor.set(job.text);
    messages.forEach((m, k) => {
      const d = shown[k];
      if (!d || d.code !== m.word) return;
      m.from = offset(d.range.start); m.to = offset(d.range.end);
      m.fixes = editor.fixes(m.from, Math.max(m.to, m.from + 1));
    });
    return messages;
  },
  complete(job) { return editor ? editor.complete(job.offset) : []; },
  hover(job) { return editor ? editor.hover(job.offset) : ""; },
  equations(job) {
    const m = modelOf(job);
    return { inclusion: m.mathml({ derived: false }), ode: m.mathml({ derived: true }) };
  },
  latex(job) { return modelOf(job).latex({ derived: true }); },
  exportC(job) { return modelOf(job).exportC({}); },
  exportFmu(job) { return modelOf(job).exportFmu({ version: job.version }); },
};

onmessage = async ({ data: job }) => {
  try {
    postMessage({ id: job.id, value: await tasks[job.task](job, job.id) });
  } catch (e) {
    postMessage({ id: job.id, error: plainError(e) });
  }
};
