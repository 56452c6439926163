/* How long the engine takes to start, to compile and to run, against bytecode on this computer; and its bytes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ask, build, files, start, text, walk, wasm } from "../tests/wasm/common.mjs";

const ms = (since) => performance.now() - since;
const median = (values) => values.slice().sort((a, b) => a - b)[values.length >> 1];
const print = (...cells) => console.log(cells.join("\t"));

/* ---- bytes ---- */

print("bytes", "plain", "gzip -9", "file");
for (const name of ["drystone.wasm", "drystone-classic.js", "engine.js", "core.js", "files.js", "model.js", "plan.js", "result.js",
    "stepper.js", "editor.js", "drystone.js"]) {
    const bytes = readFileSync(join(build, name));
    print("", bytes.length, gzipSync(bytes, { level: 9 }).length, name);
}

/* ---- starts ---- */

const times = { compile: [], start: [], hello: [], run: [], again: [] }, hello = text("models/hello.dry");
for (let i = 0; i < 9; i++) {
    let t = performance.now();
    const module = await WebAssembly.compile(wasm);
    times.compile.push(ms(t)), (t = performance.now());
    const own = await start(module);
    times.start.push(ms(t)), (t = performance.now());
    const model = own.load(hello);
    times.hello.push(ms(t)), (t = performance.now());
    model.run();
    times.run.push(ms(t)), (t = performance.now());
    model.curves({ parameters: { F: 0.4 }, points: 800 });
    times.again.push(ms(t));
}
print("ms", "median of 9");
print("", median(times.compile).toFixed(1), "the module is compiled");
print("", median(times.start).toFixed(1), "an engine starts");
print("", median(times.hello).toFixed(1), "models/hello.dry is compiled, the first time");
print("", median(times.run).toFixed(1), "it runs, 10,000 steps, the first time");
print("", median(times.again).toFixed(1), "it runs with another F, as for a slider");

/* ---- runs: the least CPU time of several, after one by which the engine of JavaScript warms up ---- */

const engine = await start(), given = files("models"), ratios = [], wanted = 3;
const least = (work) => Math.min(...Array.from({ length: wanted }, work));

/** Milliseconds of CPU of a whole run. */
function run(model) {
    const before = process.cpuUsage();
    try {
        model.run().free();
    } catch (error) {
        error.result.free(); /* it ends early, as it should */
    }
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
}

print("ratio", "here, ms", "engine, ms", "model");
for (const path of walk("models").filter((name) => name.endsWith(".dry") && !name.startsWith("models/robots/"))) {
    const native = least(() => Number(ask("times", [path])[0].seconds || NaN)) * 1000;
    if (!(native > 1)) continue; /* too short to be measured, or refused as it should be */
    const model = engine.load(text(path), { path, files: given });
    run(model);
    const there = least(() => run(model));
    model.free();
    ratios.push(there / native);
    print((there / native).toFixed(2), native.toFixed(1), there.toFixed(1), path);
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
print("ratio", `geometric mean ${mean.toFixed(2)}, median ${median(ratios).toFixed(2)}, least ${Math.min(...ratios).toFixed(2)}, ` +
    `greatest ${Math.max(...ratios).toFixed(2)} of ${ratios.length} models that take more than 1 ms`);
