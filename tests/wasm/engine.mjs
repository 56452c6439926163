/* The API of the engine, call by call: what web/engine/drystone.d.ts promises. Expected numbers follow from closed
 * forms: a block that slides stops after v^2/(2 mu g); a decay is exp(-t). */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { build, DrystoneError, finish, load, same, start, test, text, thrown, wasm } from "./common.mjs";

const engine = await start();

const slide = `model slide "A block that slides to rest"
param mu = 0.5 in 0 .. 2, g = 10 [m/s^2], v0 = 1 [m/s]
state x = 0 [m], v = v0
f in mu*g*sgn(v)
x' = v
v' = -f
run until = 1 [s], step = 1 [ms]
measure way = final(x)
expect way = 0.1 +- 1e-4 [m]
plot x, v with title = "Way"
`;
const decay = `param k = 1 [1/s]
state v = 1 [m/s]
input u = 0 [m/s^2]
v' = u - k*v
run until = 1 [s], step = 1 [ms], method = rk4
measure end = final(v)
`;
const near = (what, a, b, tolerance) => (Math.abs(a - b) <= tolerance ? [] : [`${what}: ${a}, not ${b} within ${tolerance}`]);
const refused = (work, kind, words) => {
    const error = thrown(work);
    return error instanceof DrystoneError && error.kind === kind && words.test(error.message) ? []
        : [`${error.kind || error}: ${error.message}, not ${kind}: ${words}`];
};

const sorted = (object) => Object.fromEntries(Object.entries(object).sort());

/* ---- models ------------------------------------------------------------------------------------------------------ */

await test("a model has its facts", () => {
    const m = engine.load(slide);
    return [...same("title", m.title, "A block that slides to rest"),
        ...same("parameters", m.parameters.map(({ name, unit, value, free }) => [name, unit, value, free]),
            [["mu", "", 0.5, true], ["g", "m/s^2", 10, true], ["v0", "m/s", 1, true]]),
        ...same("range", [m.parameters[0].low, m.parameters[0].high, "low" in m.parameters[1]], [0, 2, false]),
        ...same("states", m.states.slice(0, 2), [{ name: "x", unit: "m" }, { name: "v", unit: "m/s" }]),
        ...same("outputs", m.outputs.map((one) => one.name), ["f"]),
        ...same("measures", m.measures, [{ name: "way", unit: "m" }]),
        ...same("elements", m.elements, ["f"]),
        ...same("run", [m.until, m.step_size, m.adaptive], [1, 0.001, false]),
        ...same("panel", [m.panels.length, m.panels[0].title, m.panels[0].curves.map((c) => [c.y, c.x])],
            [1, "Way", [["x", "t"], ["v", "t"]]])];
});

await test("a run has columns, measures, expectations", () => {
    const r = engine.load(slide).run();
    return [...near("way", r.measures.way, 0.1, 1e-4), ...same("met", r.met, true),
        ...same("line", r.expectations[0].line, 9), ...near("target", r.expectations[0].target, 0.1, 0),
        ...same("rows", [r.rows, r.t.length, r.column("v").length, r.t[r.rows - 1]], [1001, 1001, 1001, 1]),
        ...near("speed at 0.1 s", r.column("v")[100], 0.5, 1e-3), ...same("end", [r.end, r.stop, r.steps], [1, "", 1000])];
});

await test("parameters, options, the method and inputs concern one run", () => {
    const m = engine.load(decay), v = (how) => m.run(how).measures.end;
    return [...near("as it is", v(), Math.exp(-1), 1e-12), ...near("k", v({ parameters: { k: 2 } }), Math.exp(-2), 1e-12),
        ...near("with a unit", v({ parameters: { k: "2000 1/ks" } }), Math.exp(-2), 1e-12),
        ...near("until", v({ until: 3 }), Math.exp(-3), 1e-12),
        ...near("method", v({ method: "dop853", rtol: 1e-12, atol: 1e-14 }), Math.exp(-1), 1e-11),
        ...near("an input that stays", v({ inputs: { u: 1 } }), 1, 1e-12),
        ...near("an input as arrays", v({ inputs: { u: { t: [0, 1], values: [1, 1] } } }), 1, 1e-12),
        ...near("an input with a unit", v({ inputs: { u: { t: [0, 1], values: [1000, 1000], unit: "mm/s^2" } } }), 1, 1e-12),
        ...near("an input as a function", v({ inputs: { u: (t) => t } }), Math.exp(-1) * 2, 1e-9),
        ...near("it has not changed", v(), Math.exp(-1), 1e-12)];
});

await test("files beside the text", () => {
    const given = { "u.csv": "t [s],u [m/s^2]\n0,1\n2,1\n", "law.dry": "param k = 1 [1/s]\nstate w = 0\nw' = 0 [1/s]\n" };
    const source = "include \"law.dry\" as law\nstate v = 1 [m/s]\ninput u from \"u.csv\" column \"u\" [m/s^2]\nv' = u - law.k*v\n" +
        "run until = 1 [s], step = 1 [ms]\nmeasure end = final(v)\n";
    const m = engine.load(source, { files: given, path: "deep/er/model.dry" });
    const missing = engine.check(source, { files: { "law.dry": given["law.dry"] } });
    const by = engine.load(decay, { files: given, inputs: { u: { file: "u.csv" } } });
    return [...near("included and read", m.run().measures.end, 1, 1e-12), ...near("by an option", by.run().measures.end, 1, 1e-12),
        ...same("missing", missing.map((one) => [one.kind, /u\.csv/.test(one.shown)]), [["error", true]])];
});

await test("curves are those of a run, thinned, without compiling anew", () => {
    const m = engine.load(slide), wrong = [];
    for (const mu of [0.3, 0.5, 0.9]) {
        const c = m.curves({ parameters: { mu }, columns: ["v"], points: 100 }), r = m.run({ parameters: { mu } });
        const at = Array.from(c.column("t"), (t) => Math.round(t / 0.001)), v = r.column("v");
        wrong.push(...same("names", c.names, ["t", "v"]), ...same("few", c.rows <= 100 && c.rows > 40, true),
            ...same("values", [...c.column("v")], at.map((k) => v[k])), ...same("compiled", c.compiled, false),
            ...same("way", c.measures.way, r.measures.way), ...same("met", c.expectations[0].met, r.met),
            ...same("extremes", [Math.min(...c.column("v")), Math.max(...c.column("v"))], [Math.min(...v), Math.max(...v)]));
    }
    const all = m.curves();
    return [...wrong, ...same("all", [all.rows, all.names.slice(0, 3)], [1001, ["t", "x", "v"]]),
        ...same("compiled", [m.curves({ parameters: { mu: "0.4" } }).compiled, m.curves({ step: 0.002 }).rows], [true, 501])];
});

await test("curves of a value that the compiler checks are those of a new compilation", () => {
    const m = engine.load(slide);
    return [...refused(() => m.curves({ parameters: { mu: 3 } }), "model", /mu/),
        ...refused(() => m.curves({ parameters: { nu: 3 } }), "model", /nu/),
        ...near("afterwards", m.curves({ parameters: { mu: 1 } }).measures.way, 0.05, 1e-4)];
});

await test("a stop of the model, a run that ends early", () => {
    const stops = engine.load("state v = 1 [m/s]\nv' = -1 [m/s^2]\nstop when v < 0.5 [m/s] as \"slow enough\"\n" +
        "run until = 2 [s], step = 1 [ms]\n").run();
    const m = engine.load("state v = 1 [m/s]\nv' = v^2*1[1/m]\nrun until = 2 [s], step = 1 [ms]\n");
    const error = thrown(() => m.run());
    return [...near("stop", stops.end, 0.5, 0.002), ...same("why", stops.stop, "slow enough"),
        ...same("blows up", [error.kind, error.result.rows > 500], ["run", true]),
        ...near("until", error.result.t[error.result.rows - 1], 1, 0.1)];
});

await test("progress, and a run that the page ends", () => {
    const m = engine.load(decay, { until: 100 }), seen = [];
    m.run({ progress: (t) => void seen.push(t) });
    const ended = thrown(() => m.run({ progress: (t) => t < 50 }));
    const own = thrown(() => m.run({ progress: () => { throw new TypeError("mine"); } }));
    const nested = thrown(() => m.run({ progress: () => m.latex() }));
    return [...same("times", seen.length > 5 && seen.every((t, i) => i === 0 || t > seen[i - 1]), true),
        ...same("ended", [ended.kind, ended.result.end >= 49 && ended.result.end < 60], ["run", true]),
        ...same("thrown", own.message, "mine"), ...same("nested", nested.kind, "argument"),
        ...near("the engine lives", m.run({ until: 1 }).measures.end, Math.exp(-1), 1e-12)];
});

await test("the verdict", () => {
    const trust = engine.load(slide).run().verify();
    return [...same("trusted", [trust.trusted, trust.word], [true, "trusted"]), ...same("text", trust.text.length > 5, true)];
});

/* ---- what a result becomes --------------------------------------------------------------------------------------- */

await test("page, data, SVG, PDF, CSV", () => {
    const r = engine.load(slide).run(), csv = r.csv().trim().split("\n");
    return [...same("page", /<html[\s\S]*A block that slides to rest[\s\S]*<\/html>/.test(r.page()), true),
        ...same("brief", r.page({ brief: true }).length < r.page().length, true),
        ...same("data", typeof JSON.parse(r.data()), "object"),
        ...same("svg", /<svg[\s\S]*<\/svg>\s*$/.test(r.svg()), true), ...same("dark", r.svg({ dark: true }) === r.svg(), false),
        ...same("pdf", new TextDecoder("latin1").decode(r.pdf().subarray(0, 5)), "%PDF-"),
        ...same("csv", [csv.length, csv[0].split(",").slice(0, 3), csv[1].split(",").slice(0, 3)],
            [1002, ["t [s]", "x [m]", "v [m/s]"], ["0", "0", "1"]])];
});

await test("equations, stages", () => {
    const m = engine.load(slide);
    return [...same("latex", /\\dot/.test(m.latex()), true), ...same("sets", m.latex({ derived: false }) === m.latex(), false),
        ...same("mathml", /^<math/.test(m.mathml().trim()), true), ...same("stage", m.stage("code").length > 100, true),
        ...refused(() => m.stage("soup"), "argument", /soup/)];
});

await test("exported C, FMUs of sources", () => {
    const m = engine.load(slide), c = m.exportC({ prefix: "slide", float: true }), a = m.exportC({ layout: "arduino" });
    const zip = (bytes) => new TextDecoder("latin1").decode(bytes);
    const parts = engine.load(text("models/classics/box-slope.dry"));
    return [...same("files", Object.keys(c).sort(), ["Makefile", "README.md", "main.c", "slide.c", "slide.h"]),
        ...same("float", /float/.test(c["slide.c"]), true), ...same("arduino", "library.properties" in a, true),
        ...[2, 3].flatMap((version) => {
            const fmu = zip(m.exportFmu({ version }));
            return same(`fmu ${version}`, [fmu.slice(0, 2), /modelDescription\.xml/.test(fmu), /sources\/fmu\.c|sources\/.*\.c/.test(fmu),
                /binaries\//.test(fmu)], ["PK", true, true, false]);
        }),
        ...refused(() => parts.exportC(), "unsupported", /parts/), ...refused(() => parts.exportFmu(), "unsupported", /library/)];
});

/* ---- steps ------------------------------------------------------------------------------------------------------- */

await test("a stepper", () => {
    const m = engine.load(decay), s = m.stepper(), wrong = [], at = m.states.findIndex((one) => one.name === "v");
    s.step();
    wrong.push(...near("t", s.t, 0.001, 1e-15), ...near("v", s.states[at], Math.exp(-0.001), 1e-14));
    s.advance(1);
    wrong.push(...near("v at 1 s", s.states[at], Math.exp(-1), 1e-12));
    const saved = s.save();
    s.step({ u: 5 });
    s.restore(saved);
    wrong.push(...near("restored", s.states[at], Math.exp(-1), 1e-12));
    s.reset(0);
    s.set({ k: 3 });
    wrong.push(...near("k", s.get("k"), 3, 0), ...near("faster", s.advance(1)[at], Math.exp(-3), 1e-11));
    s.reset(0, m.states.map((one) => (one.name === "v" ? 2 : 0)));
    wrong.push(...near("from 2", s.advance(1)[at], 2 * Math.exp(-3), 1e-11));
    const slides = engine.load(slide).stepper();
    slides.step();
    wrong.push(...same("slips", slides.phases.f, ["slips"]));
    slides.advance(0.9);
    wrong.push(...same("sticks", slides.phases.f, ["sticks"]), ...near("step of a model", m.step()[at], Math.exp(-0.001), 1e-14));
    return [...wrong, ...refused(() => s.step({ w: 1 }), "argument", /w/), ...refused(() => s.set({ q: 1 }), "argument", /q/),
        ...refused(() => s.set({ k: NaN }), "argument", /k/), ...refused(() => s.get("q"), "argument", /q/)];
});

/* ---- an editor --------------------------------------------------------------------------------------------------- */

await test("an editor", () => {
    const e = engine.editor(), bad = slide.replace("expect way", "expect wayy"), said = e.set(bad), at = bad.indexOf("wayy");
    const wrong = same("message", said.map((one) => [one.severity, one.code, one.range.start.line]), [[1, "unknown-name", 8]]);
    const fix = e.fixes(at, at + 4)[0];
    wrong.push(...same("fix", fix && fix.edits, [{ from: at, to: at + 4, text: "way" }]));
    wrong.push(...same("good", e.set(slide), []));
    wrong.push(...same("hover", /set|friction|sgn/.test(e.hover(slide.indexOf("sgn") + 1)), true));
    wrong.push(...same("complete", e.complete(slide.indexOf("measure way") + 3).some((one) => one.label === "measure"), true));
    wrong.push(...same("outline", e.outline().length > 0, true));
    e.set("# \u{1F600}\n" + bad);
    const later = e.fixes(at + 5, at + 9)[0];
    wrong.push(...same("after a letter of two units", later && later.edits, [{ from: at + 5, to: at + 9, text: "way" }]));
    const words = engine.words();
    return [...wrong, ...same("words", words.some((one) => one.text === "sgn" && one.kind === "set"), true),
        ...refused(() => e.request("no/such", {}), "argument", /no\/such/)];
});

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

await test("a text with mistakes", () => {
    const error = thrown(() => engine.load("state v = 0 [m/s]\nv' = q\nrun until = 1 [s]\n", { path: "mine.dry" }));
    const { shown, ...first } = error.messages[0];
    return [...same("kind", [error.name, error.kind, error.messages.length], ["DrystoneError", "model", 1]),
        ...same("message", sorted(first), sorted({ kind: "error", line: 2, column: 6, word: "unknown-name", text: "`q` is not defined",
            wayOut: "define it: param q = ..., state q = ..., or q = ...", file: "mine.dry", length: 1 })),
        ...same("shown", shown.split("\n")[0], "mine.dry:2:6: error: `q` is not defined [unknown-name]"),
        ...same("warnings stay", engine.load(slide).messages, [])];
});

await test("what is given is used or refused", () => {
    const m = engine.load(decay);
    return [...refused(() => m.run({ untill: 5 }), "argument", /untill.*until/),
        ...refused(() => m.run({ until: "5" }), "argument", /until/), ...refused(() => m.run({ until: NaN }), "argument", /until/),
        ...refused(() => m.run({ force: 1 }), "argument", /force/), ...refused(() => m.run({ method: "soup" }), "argument", /soup/),
        ...refused(() => m.run({ parameters: { k: NaN } }), "argument", /k/), ...refused(() => m.run({ parameters: { q: 1 } }), "model", /q/),
        ...refused(() => m.run({ parameters: { k: {} } }), "argument", /k/), ...refused(() => m.run({ parameters: [1] }), "argument", /parameters/),
        ...refused(() => m.run({ inputs: { w: 1 } }), "model", /w/), ...refused(() => m.run({ inputs: { u: "x" } }), "argument", /u/),
        ...refused(() => m.run({ inputs: { u: { t: [0, 1], values: [1] } } }), "argument", /as many/),
        ...refused(() => m.run({ inputs: { u: { t: [1, 0], values: [1, 1] } } }), "model", /u/),
        ...refused(() => m.run({ inputs: { u: () => NaN } }), "argument", /finite/),
        ...refused(() => m.run().column("q"), "argument", /q.*v/), ...refused(() => m.run().page({ breif: true }), "argument", /breif/),
        ...refused(() => m.curves({ points: 1 }), "argument", /points/), ...refused(() => m.curves({ columns: ["q"] }), "argument", /q/),
        ...refused(() => m.exportC({ prefix: "1x" }), "argument", /1x/), ...refused(() => m.exportC({ layout: "soup" }), "argument", /soup/),
        ...refused(() => m.exportFmu({ version: 4 }), "argument", /version/), ...refused(() => engine.load(5), "argument", /text/),
        ...refused(() => engine.load(decay, { path: "" }), "argument", /path/),
        ...refused(() => engine.load(decay, { files: { "a.csv": 5 } }), "argument", /a\.csv/)];
});

await test("what was freed says so, and a result outlives its model", () => {
    const m = engine.load(slide), r = m.run();
    m.free();
    const way = r.column("x").at(-1);
    r.free();
    return [...near("way", way, 0.1, 1e-4), ...refused(() => m.latex(), "argument", /freed/), ...refused(() => r.column("x"), "argument", /freed/)];
});

/* ---- the engine itself ------------------------------------------------------------------------------------------- */

await test("no memory for a run: an error, and the engine lives", () => {
    const own = new Map(), m = engine.load(decay);
    own.set("run", thrown(() => m.run({ until: 3e5 })));
    return [...same("kind", own.get("run").kind, "memory"), ...near("lives", m.run().measures.end, Math.exp(-1), 1e-12)];
});

await test("a trap or a stack that is exhausted: an error, and the engine begins anew", async () => {
    const over = () => over();
    const wrong = [];
    for (const work of [(c) => c.dry_model_free(-8), over]) {
        const own = await start(), m = own.load(decay), r = m.run(), s = m.stepper(), e = own.editor();
        e.set(decay);
        wrong.push(...refused(() => m.inside.core.call(m.inside.instance, work), "engine", /begin anew/),
            ...refused(() => m.run(), "engine", /load the model again/), ...refused(() => r.column("v"), "engine", /again/),
            ...refused(() => s.step(), "engine", /again/),
            ...near("anew", own.load(decay).run().measures.end, Math.exp(-1), 1e-12), ...same("the editor", e.set(decay), []),
            ...same("its hover", /state/.test(e.hover(decay.indexOf("v = 1"))), true));
        m.free(), r.free(), s.free(), e.free();
    }
    return wrong;
});

await test("the classic script", async () => {
    const context = { WebAssembly, TextEncoder, TextDecoder, performance, FinalizationRegistry };
    runInNewContext(readFileSync(join(build, "drystone-classic.js"), "utf8"), context);
    const own = await context.drystone.start(wasm);
    return [...near("end", own.load(decay).run().measures.end, Math.exp(-1), 1e-12),
        ...same("errors", thrown(() => own.load("x")) instanceof context.drystone.DrystoneError, true)];
});

await test("load, and starts from bytes, a module and an answer", async () => {
    const wrong = near("load", (await load(decay)).run().measures.end, Math.exp(-1), 1e-12);
    for (const from of [wasm, new WebAssembly.Module(wasm), new Response(wasm), Promise.resolve(new Response(wasm))])
        wrong.push(...near("start", (await start(from)).load(decay).run().measures.end, Math.exp(-1), 1e-12));
    const missing = await start(new Response("", { status: 404 })).catch((error) => error);
    return [...wrong, ...same("missing", [missing.kind, /404/.test(missing.message)], ["engine", true]),
        ...same("version", engine.version, text("include/drystone/core.h").match(/DRY_VERSION "(.*)"/)[1])];
});

finish();
