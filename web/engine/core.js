/* core: the module and its memory: texts and numbers across, errors, and a new beginning after a trap. */
import { Files, wasi } from "./files.js";

/* dry_status, as core.h numbers it. */
const STATUS = ["ok", "argument", "memory", "run", "run", "run", "run", "argument", "argument", "model", "run",
    "unsupported", "stopped"];
export const STOPPED = 12;

export class DrystoneError extends Error {
    constructor(kind, text, { messages = [], key = "", result } = {}) {
        super(text);
        this.name = "DrystoneError";
        this.kind = kind;
        this.messages = messages;
        this.key = key;
        this.result = result;
    }
}

/** The folder of files that live for one call. */
export const SCRATCH = "/.engine";
/** JSON has no nan: there it is null. */
export const orNaN = (x) => (typeof x === "number" ? x : NaN);

export const wrong = (text, key = "") => new DrystoneError("argument", text, { key });

export const noMemory = () => new DrystoneError("memory", "out of memory: free models and results, or start another engine");

/** Refuses what is left of an object of options. */
export function noMore(rest, known) {
    for (const name of Object.keys(rest)) throw wrong(`there is no option \`${name}\`: use ${known}`, name);
}

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** One instance of the module. After a trap it is dead, and all that it held with it. */
class Instance {
    constructor(module) {
        this.files = new Files();
        this.progress = null;
        this.messages = [];
        this.thrown = null;
        const imports = {
            wasi_snapshot_preview1: wasi(this.files, () => this.memory, (code) => {
                throw new Error(`the engine ended itself with ${code}`);
            }),
            drystone: {
                progress: (t) => this.tell(t),
                message: (at, length) => (this.messages.push(this.textAt(at, length)), 1),
            },
        };
        this.c = new WebAssembly.Instance(module, imports).exports;
        this.memory = this.c.memory;
        this.c._initialize();
        this.fault = this.c.dry_bind_error_new();
        this.dead = false;
    }

    /** Calls the page's function; what it throws ends the run and is thrown after it. */
    tell(t) {
        if (!this.progress) return 1;
        try {
            return this.progress(t) === false ? 0 : 1;
        } catch (error) {
            this.thrown = error;
            return 0;
        }
    }

    textAt(at, length) {
        return decoder.decode(new Uint8Array(this.memory.buffer, at, length));
    }
    /** A text of C; "" for NULL. */
    text(at) {
        if (at === 0) return "";
        const bytes = new Uint8Array(this.memory.buffer);
        return this.textAt(at, bytes.indexOf(0, at) - at);
    }
    /** A text that is ours: frees it. */
    owned(at) {
        if (at === 0) throw noMemory();
        const text = this.text(at);
        this.c.dry_bind_text_free(at);
        return text;
    }
    doubles(at, n) {
        return new Float64Array(this.memory.buffer, at, n).slice();
    }

    take(bytes) {
        const at = this.c.malloc(Math.max(bytes, 1)) >>> 0;
        if (at === 0) throw noMemory();
        return at;
    }
    putText(text) {
        const bytes = typeof text === "string" ? encoder.encode(text) : text, at = this.take(bytes.length + 1), to = new Uint8Array(this.memory.buffer);
        to.set(bytes, at);
        to[at + bytes.length] = 0;
        return { at, length: bytes.length };
    }
    putDoubles(values) {
        const at = this.take(8 * values.length);
        new Float64Array(this.memory.buffer, at, values.length).set(values);
        return at;
    }
    putInts(values) {
        const at = this.take(4 * values.length);
        new Int32Array(this.memory.buffer, at, values.length).set(values);
        return at;
    }

    /** The error of a status that is not DRY_OK. */
    error(status) {
        const c = this.c, file = this.text(c.dry_bind_error_file(this.fault)), line = c.dry_bind_error_line(this.fault);
        const key = this.text(c.dry_bind_error_key(this.fault));
        const column = c.dry_bind_error_column(this.fault);
        const place = file ? `${file}:${line ? `${line}:` : ""}${column ? `${column}:` : ""} ` : "";
        const kind = STATUS[status];
        return new DrystoneError(kind, place + this.text(c.dry_bind_error_text(this.fault)), { key });
    }
    check(status) {
        const thrown = this.thrown;
        this.thrown = null;
        if (thrown) throw thrown;
        if (status !== 0) throw this.error(status);
    }
}

/** What all models of an engine share: the living instance. */
export class Core {
    constructor(module) {
        this.module = module;
        this.instance = new Instance(module);
        this.busy = false;
    }

    /** The instance for what is new. */
    living() {
        if (this.instance.dead) this.instance = new Instance(this.module);
        return this.instance;
    }

    /** Calls `work` with the instance that `owner` belongs to, and with a function `keep` for memory that it needs for
     * this call alone. A trap ends the instance, never the page. */
    call(instance, work) {
        if (instance.dead)
            throw new DrystoneError("engine", "the engine had to begin anew: load the model again");
        if (this.busy) throw wrong("the engine is running: one thing at a time (call it after `progress` has returned)");
        const kept = [];
        const keep = (at) => (kept.push(at), at);
        this.busy = true;
        try {
            const result = work(instance.c, keep);
            for (const at of kept) instance.c.free(at);
            return result;
        } catch (error) {
            if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
                instance.dead = true;
                throw new DrystoneError("engine", `the engine had to begin anew (${error.message}): the model needs more ` +
                    "memory or deeper calls than a page has; make it smaller, or run it by the command");
            }
            for (const at of kept) instance.c.free(at);
            throw error;
        } finally {
            this.busy = false;
        }
    }
}

const forgotten = typeof FinalizationRegistry === "function"
    ? new FinalizationRegistry((handle) => handle.end()) : null;

/** An address in an instance with the function that frees it, once: when it is told to, or when its owner is gone. */
export class Handle {
    constructor(instance, at, free, below = []) {
        this.instance = instance;
        this.at = at;
        this.release = free;
        this.below = below; /* handles that must outlive it */
        this.users = 0;
        this.over = false;
        for (const other of below) other.users++;
    }
    watch(owner) {
        if (forgotten) forgotten.register(owner, this, this);
        return this;
    }
    /** Frees it as soon as nothing that was made of it needs it. */
    end() {
        this.over = true;
        this.settle();
    }
    settle() {
        if (!this.over || this.users > 0 || this.at === 0) return;
        if (!this.instance.dead) this.instance.c[this.release](this.at);
        this.at = 0;
        if (forgotten) forgotten.unregister(this);
        for (const other of this.below) {
            other.users--;
            other.settle();
        }
    }
    address() {
        if (this.over) throw wrong("this was freed already");
        return this.at;
    }
}
