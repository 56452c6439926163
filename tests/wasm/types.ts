/* A program with types against web/engine/drystone.d.ts: tools/wasm-test.sh compiles it strictly, and runs it by the
 * package as npm installs it. */
import { DrystoneError, load, start, type Curves, type Message, type Model, type Result } from "drystone";

const text = "param k = 1 [1/s] in 0..5\nstate v = 1 [m/s]\ninput u = 0 [m/s^2]\nv' = u - k*v\n" +
    "run until = 1 [s], step = 1 [ms], method = rk4\nmeasure end = final(v)\nplot v\n";
const m: Model = await load(text, { parameters: { k: "2 1/s" }, files: { "x.csv": new Uint8Array(3) } });
const r: Result = m.run({ inputs: { u: (t) => 0 * t }, until: 1, progress: (t) => t >= 0 });
const c: Curves = m.curves({ parameters: { k: 1 }, columns: ["v"], points: 50 });
const column: Float64Array = r.column("v");
const low: number | undefined = m.parameters[0]?.low;
const trusted: boolean | undefined = r.verify().trusted;
const left: string | undefined = m.panels[0]?.curves[0]?.y;
const stepper = m.stepper({ step: 0.01 });
stepper.advance(1, { u: 0 });
const phases: Record<string, string[]> = stepper.phases;
const engine = await start();
const messages: Message[] = engine.check("state v = q\n");
let kind = "";
try {
    engine.load("v");
} catch (error) {
    if (error instanceof DrystoneError) kind = error.kind;
}
const bytes: Uint8Array = m.exportFmu({ version: 3 });
const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6;
console.log(JSON.stringify([near(r.measures["end"] ?? 0, Math.exp(-2)), near(c.measures["end"] ?? 0, Math.exp(-1)), column.length, low,
    trusted, left, near(stepper.states[m.states.findIndex((s) => s.name === "v")] ?? 0, Math.exp(-2)), Object.keys(phases).length,
    messages[0]?.kind, kind, bytes.length > 1000]));
