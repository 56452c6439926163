/* What the tests and the benchmark of the engine share: the texts of the tree as files, the peer that runs them on this
 * computer, and TAP. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export const [build, peer] = process.argv.slice(2);
if (!peer) throw new Error("give the folder of the engine, and the program of tests/wasm/peer.c");
export const { DrystoneError, load, start } = await import(join(process.cwd(), build, "drystone.js"));
export const wasm = readFileSync(join(build, "drystone.wasm"));

/** Paths below a folder, sorted. */
export function walk(folder) {
    return readdirSync(folder).sort().flatMap((name) => {
        const path = `${folder}/${name}`;
        return statSync(path).isDirectory() ? walk(path) : [path];
    });
}

/** The files of a folder under the paths by which the peer opens them. */
export function files(folder) {
    return Object.fromEntries(walk(folder).map((path) => [`/${path}`, readFileSync(path)]));
}

export const text = (path) => readFileSync(path, "utf8");

/** What the peer says about each path. */
export function ask(what, paths) {
    const said = [];
    for (let i = 0; i < paths.length; i += 500)
        said.push(...execFileSync(peer, [what, ...paths.slice(i, i + 500)], { encoding: "utf8", maxBuffer: 1 << 28 })
            .trim().split("\n").map((line) => JSON.parse(line)));
    return said;
}

/** A row of a message as the peer has it. */
export const row = (message) => [message.word, message.wayOut, message.shown];

/* ---- TAP ---- */

let number = 0, failed = 0;

/** Runs one test: `work` throws, or returns (a promise of) a list of what is wrong. */
export async function test(name, work) {
    let problems;
    try {
        problems = (await work()) || [];
    } catch (error) {
        problems = [error.stack || String(error)];
    }
    console.log(`${problems.length ? "not ok" : "ok"} ${++number} - ${name}`);
    for (const problem of problems.slice(0, 20)) console.log(`# ${String(problem).split("\n").join("\n# ")}`);
    if (problems.length > 20) console.log(`# and ${problems.length - 20} more`);
    if (problems.length) failed++;
}
export function finish() {
    console.log(`1..${number}`);
    process.exitCode = failed ? 1 : 0;
}

/** Says what differs from what is wanted. */
export function same(what, got, want) {
    const a = JSON.stringify(got), b = JSON.stringify(want);
    return a === b ? [] : [`${what}: ${a}, not ${b}`];
}
/** The error that `work` throws. */
export function thrown(work) {
    try {
        work();
    } catch (error) {
        return error;
    }
    throw new Error("nothing was thrown");
}
