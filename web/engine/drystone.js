/* drystone: the package as an ES module: finds drystone.wasm beside itself. */
import { DrystoneError, startFrom } from "./engine.js";

async function beside() {
    const url = new URL("drystone.wasm", import.meta.url);
    if (url.protocol !== "file:") return fetch(url);
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
}

export const start = (wasm) => startFrom(wasm === undefined ? beside() : wasm);

let shared;
/** Compiles a text by one engine that all calls share. */
export async function load(text, options) {
    shared = shared || start();
    return (await shared).load(text, options);
}

export { DrystoneError };
