/* Texts that nobody would write, in the engine and in the library of this computer: the same messages, no dead engine,
 * and memory that does not grow. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, build, files, finish, row, same, start, test, text, walk } from "./common.mjs";

const good = "state v = 1 [m/s]\nv' = -v*1[1/s]\nrun until = 1 [s], step = 1 [ms]\nmeasure end = final(v)\n";
const engine = await start();

await test("the messages of tests/lang/errors", () => {
    const given = { ...files("tests/lang/errors"), ...files("tests/lang/features") }, paths = walk("tests/lang/errors").filter((path) => path.endsWith(".dry"));
    const wrong = paths.length > 200 ? [] : [`only ${paths.length} texts were found`];
    for (const said of ask("compile", paths)) {
        const source = readFileSync(said.path), got = engine.check(source, { path: said.path, files: given });
        if (!source.includes("urdf(")) wrong.push(...same(said.path, got.map(row), said.messages));
        else if (!got.some((one) => one.kind === "error")) wrong.push(`${said.path}: a robot was read`);
    }
    return wrong;
});

/* ---- a thousand texts: those of tests/fuzz, and models with pieces of other models in them, the same every time ---- */

let seed = 1;
const random = (n) => (seed = (seed * 48271) % 2147483647) % n;

function mutate(sources) {
    let changed = sources[random(sources.length)];
    for (let k = 1 + random(4); k > 0; k--) {
        const other = sources[random(sources.length)], from = random(other.length), at = random(changed.length);
        const piece = other.slice(from, from + 1 + random(40));
        changed = changed.slice(0, at) + piece + changed.slice(at + random(3) * piece.length);
    }
    return changed.slice(0, 8192);
}

const folder = join(build, "test/hostile");
const kept = walk("tests/fuzz/corpus");
const sources = walk("models").filter((path) => path.endsWith(".dry") && !path.includes("robots")).map(text)
    .filter((source) => source.length < 4000);
mkdirSync(folder, { recursive: true });
const written = Array.from({ length: 1000 }, (_, i) => {
    const path = join(folder, `${String(i).padStart(3, "0")}.dry`);
    writeFileSync(path, mutate(sources));
    return path;
});

await test("a thousand hostile texts and those that once failed: the messages of this computer", () => {
    const wrong = [];
    for (const said of ask("compile", [...kept, ...written]))
        wrong.push(...same(said.path, engine.check(text(said.path), { path: said.path }).map(row), said.messages));
    return [...wrong, ...same("the engine lives", engine.load(good).run().rows, 1001)];
});

await test("those of them that compile run, or say why not", () => {
    const short = { until: 0.05, max_steps: 2000 }, wrong = [];
    let ran = 0;
    for (const path of written) {
        let model;
        try {
            model = engine.load(text(path), { path });
            model.run(short).free();
            ran++;
        } catch (error) {
            if (!["model", "run", "argument", "unsupported"].includes(error.kind)) wrong.push(`${path}: ${error.stack}`);
        }
        if (model) model.free();
    }
    return [...wrong, ...same("many run", ran > 50, true), ...same("the engine lives", engine.load(good).run().rows, 1001)];
});

await test("memory stays over 1000 compilations, 1000 runs and 1000 texts of an editor", async () => {
    const own = await start(), editor = own.editor();
    const once = (i) => {
        const model = own.load(good);
        model.run().free();
        model.curves({ until: 0.1 });
        model.stepper().free();
        own.check("state v = q");
        editor.set(`${good}# ${i}\n`);
        model.free();
    };
    for (let i = 0; i < 20; i++) once(i);
    const before = own.memory;
    for (let i = 0; i < 1000; i++) once(i);
    return same("bytes", own.memory, before);
});

finish();
