/* engine: models of Drystone in JavaScript: starts the module, compiles texts. The module's bytes come from the caller,
 * so that the same source serves a page, a worker, a classic script and node. */
import { Core, DrystoneError, wrong } from "./core.js";
import { Editor } from "./editor.js";
import { Files } from "./files.js";
import { compile, Model } from "./model.js";
import { readHow } from "./plan.js";

/** The folder "/" with files beside the path of a text. */
function rootOf(files, path) {
    const all = new Files(), slash = path.lastIndexOf("/");
    for (const [name, content] of Object.entries(files || {})) {
        if (typeof content !== "string" && !(content instanceof Uint8Array))
            throw wrong(`the file \`${name}\` must be a text or a Uint8Array`);
        all.write(name.startsWith("/") ? name : path.slice(0, slash + 1) + name, content);
    }
    return all.root;
}

function pathOf(path = "model.dry") {
    if (typeof path !== "string" || path === "" || path.includes("\0")) throw wrong("path must be a name of a file");
    return path;
}

function checkText(text) {
    if (typeof text !== "string" && !(text instanceof Uint8Array)) throw wrong("the model must be a text, or a Uint8Array of UTF-8");
}

export class Engine {
    #core;
    constructor(module) {
        this.#core = new Core(module);
    }
    get version() {
        const instance = this.#core.living();
        return instance.text(instance.c.dry_bind_version());
    }
    get memory() {
        return this.#core.living().memory.buffer.byteLength;
    }
    load(text, options = {}) {
        const { files, path, ...how } = options;
        checkText(text);
        const at = pathOf(path);
        return new Model(this.#core, text, at, rootOf(files, at), readHow(this.#core.living(), how));
    }
    check(text, options = {}) {
        const { files, path, ...how } = options, at = pathOf(path);
        checkText(text);
        const made = compile(this.#core, text, at, rootOf(files, at), readHow(this.#core.living(), how));
        made.model.end(), made.plan.end();
        return made.messages;
    }
    editor({ files, path } = {}) {
        const at = pathOf(path);
        return new Editor(this.#core, rootOf(files, at), at);
    }
    words() {
        const instance = this.#core.living();
        return this.#core.call(instance, (c) => JSON.parse(instance.owned(c.dry_web_words()))
            .map(({ i, ...word }) => word));
    }
}

/** Starts an engine of bytes, of a compiled module, or of what fetch returns. */
export async function startFrom(wasm) {
    const from = await wasm;
    if (from instanceof WebAssembly.Module) return new Engine(from);
    if (typeof Response === "function" && from instanceof Response) {
        if (!from.ok) throw new DrystoneError("engine", `the module could not be fetched: ${from.status} ${from.statusText}`);
        return new Engine(await WebAssembly.compile(await from.arrayBuffer()));
    }
    return new Engine(await WebAssembly.compile(from));
}

export { DrystoneError };
