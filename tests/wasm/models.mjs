/* The models of the tree in the engine, against the library of this computer: every record to the bit, every measure,
 * every message, the pinned digests. */
import { createHash } from "node:crypto";
import { ask, files, finish, row, same, start, test, text, walk } from "./common.mjs";

const engine = await start();
const given = files("models");
const paths = walk("models").filter((path) => path.endsWith(".dry"));
const native = new Map(ask("run", paths).map((said) => [said.path, said]));

/** As dry_number_text writes it: what JSON has not, and the sign of zero. */
const digits = (x) => (Number.isNaN(x) ? "nan" : x === Infinity ? "inf" : x === -Infinity ? "-inf" : x);
const number = (written) => (written === "nan" ? NaN : Number(written.replace("inf", "Infinity")));

/** Of the columns one after the other; every nan is the same. */
function digest(columns) {
    const hash = createHash("sha256");
    for (const values of columns) hash.update(new Uint8Array(values.map((x) => (x === x ? x : NaN)).buffer));
    return hash.digest("hex");
}

function compare(want, result) {
    const wrong = [];
    for (const [name, written] of want.measures) {
        const a = result.measures[name], b = number(written);
        if (!Object.is(a, b) && !(Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))))
            wrong.push(`${name}: ${a}, not ${b}`);
        else if (!Object.is(a, b)) wrong.push(`${name}: ${a} is near ${b}, but has other bits`);
    }
    return [...wrong, ...same("rows", result.rows, want.rows), ...same("end", digits(result.end), digits(number(want.end))),
        ...same("steps", result.steps, number(want.steps)), ...same("remarks", result.remarks, want.remarks),
        ...same("expectations that are met", result.expectations.map((one) => Number(one.met)), want.met),
        ...same("digest of the record", digest(result.all()), want.digest)];
}

/** In the engine there is nothing that reads robots. */
const robots = (path) => path.startsWith("models/robots/");

for (const path of paths) {
    await test(path, () => {
        const want = native.get(path), source = text(path);
        const messages = engine.check(source, { path, files: given });
        if (robots(path))
            return same("messages", messages.filter((m) => m.kind === "error").map((m) => [m.word, /libxml2/.test(m.shown)]),
                [["robot-file", true]]);
        const wrong = same("messages", messages.map(row), want.messages);
        if (wrong.length || messages.some((m) => m.kind === "error")) return wrong;
        const model = engine.load(source, { path, files: given });
        let result;
        try {
            result = model.run();
        } catch (error) {
            result = error.result;
            wrong.push(...same("error", error.message.endsWith(want.error), true));
        }
        wrong.push(...compare(want, result));
        result.free();
        model.free();
        return wrong;
    });
}

/* ---- the digests that the tests of every build compare ------------------------------------------------------------ */

const MASK = 0xffffffffffffffffn, PRIME = 0x100000001b3n, bits = new DataView(new ArrayBuffer(8));

/** FNV-1a, as tests/sim/test_records.c has it. */
function add(sum, x) {
    bits.setBigUint64(0, 0x7ff8000000000000n);
    if (x === x) bits.setFloat64(0, x);
    for (let k = 7; k >= 0; k--) sum = ((sum ^ BigInt(bits.getUint8(k))) * PRIME) & MASK;
    return sum;
}

/** The first 4000 fixed steps in rows of 20; a quarter of an adaptive run in 200 rows. */
function shortened(model) {
    const fixed = model.step_size > 0 && !model.adaptive;
    const until = fixed ? Math.min(model.until, 4000 * model.step_size) : 0.25 * model.until;
    return { until, record: fixed ? 20 * model.step_size : until / 200 };
}

await test("the digests of tests/sim/record_digests.h", () => {
    const pins = [...text("tests/sim/record_digests.h").matchAll(/\{"([^"]+)", "([^"]+)"\}/g)];
    const wrong = pins.length > 90 ? [] : [`only ${pins.length} digests were found`];
    for (const [, name, pin] of pins) {
        const path = `models/${name}`, model = engine.load(text(path), { path, files: given, force: true });
        const result = model.run(shortened(model));
        let sum = add(add(0xcbf29ce484222325n, 0), result.end);
        for (const values of result.all()) for (const x of values) sum = add(sum, x);
        wrong.push(...same(name, sum.toString(16).padStart(16, "0"), pin));
        result.free();
        model.free();
    }
    return wrong;
});

finish();
