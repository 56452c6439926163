/* The types of the engine: models of Drystone in JavaScript. docs/playground.md shows how to use it. */

/** A parameter: a number in SI units, a text with a unit of its own ("0.4 kN"), or a list of numbers for a vector. */
export type Value = number | string | number[];

/** What enters a model from outside: a number that stays, a function of the time, times with values, or a column of a
 * file of `files`. */
export type Given =
    | number
    | ((t: number) => number)
    | { t: ArrayLike<number>; values: ArrayLike<number>; unit?: string }
    | { file: string; column?: string };

/** Texts or bytes of files that a model names, by their paths as the model writes them: "x.csv", "parts/arm.dry". */
export type Files = Record<string, string | Uint8Array>;

/** How to run. Numbers are in SI units. What is left out, the text says. An unknown name is refused. */
export interface How {
    parameters?: Record<string, Value>;
    inputs?: Record<string, Given>;
    method?: string;
    until?: number;
    step?: number;
    record?: number;
    rtol?: number;
    atol?: number;
    max_step?: number;
    max_steps?: number;
    /** Runs in spite of a step that is too long, and remarks on it. */
    force?: boolean;
    [option: string]: unknown;
}

export interface LoadOptions extends How {
    files?: Files;
    /** The path of the text, for messages and for files beside it; default "model.dry". */
    path?: string;
}

/** What the compiler says about a place. Lines and columns count from 1. */
export interface Message {
    kind: "note" | "warning" | "error";
    file: string;
    line: number;
    column: number;
    /** How many letters are meant, from there on. */
    length: number;
    /** What to write in their place; undefined: you decide. */
    instead?: string;
    /** The name of the message, "unknown-name": docs/errors.md lists them. */
    word: string;
    text: string;
    /** What to do; "" if nothing is known. */
    wayOut: string;
    /** The message with the line of the text and a caret, as the command prints it. */
    shown: string;
}

/** Every error of the engine. */
export class DrystoneError extends Error {
    /** The messages of the compiler, warnings included; empty for an error of a run or of a call. */
    messages: Message[];
    /** "model": the text is refused; "run": a run ended early; "argument": what you gave does not fit;
     * "unsupported": not for this model or in this engine; "memory": there is not enough memory (2 GB); "engine": the
     * engine had to begin anew, because its stack was exhausted: load your models again. */
    kind: "model" | "run" | "argument" | "unsupported" | "memory" | "engine";
    /** Of a run that ended early: what there is until then. */
    result?: Result;
    /** The parameter, input or option that is wrong; "": none. */
    key: string;
}

export interface Quantity {
    name: string;
    unit: string;
}

export interface Parameter extends Quantity {
    value: number;
    /** The range that the text gives; undefined: none. */
    low?: number;
    high?: number;
    /** Whether the compiler decided nothing by its value: then `curves` and steppers change it without compiling anew.
     * `run`, `load` and `curves` take any value of any parameter, and compile if they must. */
    free: boolean;
}

/** A panel of `plot`. Curves name columns of a result. */
export interface Panel {
    title: string;
    curves: { y: string; x: string; label: string; beside: boolean }[];
    /** Columns: a band is shaded while one of them is not 0. */
    shades: string[];
    /** Axes: label, range, logarithm; low and high are undefined where the data decide. */
    xAxis: Axis;
    yAxis: Axis;
    besideAxis: Axis;
    /** How many small signs each curve has. */
    marks: number;
}
export interface Axis {
    label: string;
    low?: number;
    high?: number;
    log: boolean;
}

/** A compiled model. It never changes. */
export interface Model {
    readonly title: string;
    readonly path: string;
    readonly text: string;
    /** Notes and warnings. */
    readonly messages: Message[];
    /** What parts have left out. */
    readonly remarks: string[];
    readonly parameters: Parameter[];
    /** Inputs that a program sets. */
    readonly inputs: Quantity[];
    readonly states: Quantity[];
    /** Forces and other quantities that follow from the states. */
    readonly outputs: Quantity[];
    readonly measures: Quantity[];
    /** The laws and parts that stick, slip, open or close. */
    readonly elements: string[];
    readonly panels: Panel[];
    readonly method: string;
    /** Whether the method chooses its steps. */
    readonly adaptive: boolean;
    /** s; 0: an adaptive method begins with a step of its own. */
    readonly step_size: number;
    /** s; 0: nothing says when the run ends. */
    readonly until: number;
    /** s; the time between two rows of a result; 0: every step. */
    readonly record: number;
    /** s; the longest stable step; NaN: unknown. */
    readonly largest_step: number;

    /** Runs the model. Other parameters, inputs and options concern this run alone. */
    run(how?: How & { progress?: (t: number) => boolean | void }): Result;
    /** Runs the model again for a picture: without compiling anew where the parameters are free, and with the columns
     * that you name alone, thinned to at most `points` rows that keep every extreme. For sliders. */
    curves(how?: How & { columns?: string[]; points?: number }): Curves;
    /** Another model of the same text, with other parameters, inputs and options. */
    with(how: How): Model;
    /** A stepper at the start of the model. */
    stepper(how?: How): Stepper;
    /** One step of a stepper that the model keeps; returns its states. */
    step(inputs?: Record<string, number>): Float64Array;

    /** The equations: as they are integrated, or (derived: false) with their sets. */
    latex(options?: { derived?: boolean }): string;
    mathml(options?: { derived?: boolean }): string;
    /** A stage of the compiler: "tokens", "tree", "checked", "lowered", "ordered", "code". */
    stage(name: string): string;

    /** The model as C99: texts of files by their names. */
    exportC(options?: { float?: boolean; prefix?: string; layout?: "c" | "arduino" }): Record<string, string>;
    /** The model as an FMU of sources, which an importer compiles: a zip archive. */
    exportFmu(options?: { version?: 2 | 3 }): Uint8Array;

    /** Frees its memory. Without it, the memory is freed when JavaScript forgets the model. */
    free(): void;
}

export interface Curves {
    names: string[];
    units: string[];
    rows: number;
    /** Row by row of column 0, then of column 1, ...: names.length * rows numbers. Column 0 is t. */
    values: Float64Array;
    /** The same memory, column by column. */
    column(name: string): Float64Array;
    measures: Record<string, number>;
    expectations: Expectation[];
    /** Why the model ended the run; "": it did not. */
    stop: string;
    end: number;
    /** Whether the model had to be compiled anew. */
    compiled: boolean;
}

export interface Expectation {
    /** As in the text. */
    text: string;
    line: number;
    met: boolean;
    value: number;
    /** NaN for a condition. */
    target: number;
    tolerance: number;
}

export interface Trust {
    /** "trusted", "sensitive", ...; docs/watch.md */
    word: string;
    text: string;
    /** What gives way. */
    lines: string[];
    /** The largest relative error that was found. */
    error: number;
    /** true: it can be trusted; false: there is evidence against it; undefined: neither is known. */
    trusted?: boolean;
}

/** A run. */
export interface Result {
    readonly model: Model;
    readonly rows: number;
    readonly names: string[];
    readonly units: string[];
    readonly t: Float64Array;
    /** A copy of the values of a column. */
    column(name: string): Float64Array;
    /** Copies of all columns, in the order of names, of which some may be there twice. */
    all(): Float64Array[];
    /** Some columns, thinned to at most `points` rows. */
    thinned(columns: string[], points: number): { rows: number; values: Float64Array; column(name: string): Float64Array };
    readonly measures: Record<string, number>;
    readonly expectations: Expectation[];
    /** Whether every expectation is met. */
    readonly met: boolean;
    /** Why the model ended the run; "": it did not. */
    readonly stop: string;
    readonly end: number;
    readonly steps: number;
    readonly rejected: number;
    readonly rates: number;
    readonly kinks: number;
    /** Of the integration. */
    readonly seconds: number;
    /** Remarks on the run that you must not overlook. */
    readonly remarks: string[];
    /** Repeats the run more finely, to judge how far it can be trusted. */
    verify(options?: { limit?: number; most?: number; progress?: (t: number) => boolean | void }): Trust;
    /** The page of the report as HTML; brief: pictures, checks, measures and verdict alone. */
    page(options?: { brief?: boolean }): string;
    /** The data of the page alone, as JSON, by which its script shows another run (docs/report.md); sections: with the
     * markup of the sections that a run changes. */
    data(options?: { sections?: boolean }): string;
    /** The panels as SVG. */
    svg(options?: { dark?: boolean }): string;
    pdf(options?: { dark?: boolean }): Uint8Array;
    csv(): string;
    free(): void;
}

export interface Stepper {
    readonly t: number;
    /** Copies. */
    readonly states: Float64Array;
    readonly outputs: Float64Array;
    readonly phases: Record<string, string[]>;
    /** Why the model ended the last step; "": it went on. */
    readonly stop: string;
    get(name: string): number;
    /** Sets free parameters. */
    set(parameters: Record<string, number>): void;
    /** One step. */
    step(inputs?: Record<string, number>): Float64Array;
    /** Steps to the time t. */
    advance(t: number, inputs?: Record<string, number>): Float64Array;
    reset(t?: number, states?: ArrayLike<number>): void;
    save(): Uint8Array;
    restore(bytes: Uint8Array): void;
    free(): void;
}

/** An editor's session: the language server of Drystone (Language Server Protocol 3.17, positions in UTF-16 from 0). */
export interface Editor {
    /** Sends a JSON-RPC request and returns its result; throws DrystoneError for an error. */
    request(method: string, params: object): any;
    notify(method: string, params: object): void;
    /** What the server said by itself since the last call, such as textDocument/publishDiagnostics. */
    notifications(): { method: string; params: any }[];

    /* The same for one text. */
    /** Sets the text; returns diagnostics of LSP: range, severity, code, message. */
    set(text: string): any[];
    /** Offsets count UTF-16 units, as JavaScript does. */
    complete(offset: number): { label: string; kind?: number; detail?: string; documentation?: any; insertText?: string }[];
    /** Markdown; "": nothing is known. */
    hover(offset: number): string;
    /** Mechanical ways out of the messages between two offsets: replace [from, to) by `text`. */
    fixes(from: number, to: number): { title: string; edits: { from: number; to: number; text: string }[] }[];
    outline(): any[];
    free(): void;
}

export interface Word {
    kind: string;
    text: string;
    form: string;
    meaning: string;
    reserved: boolean;
}

export interface Engine {
    readonly version: string;
    /** Compiles a text; throws DrystoneError with its messages. */
    load(text: string | Uint8Array, options?: LoadOptions): Model;
    /** All messages about a text; empty: it is good. Throws nothing for a text. */
    check(text: string | Uint8Array, options?: LoadOptions): Message[];
    editor(options?: { files?: Files; path?: string }): Editor;
    /** The words of the language, with their meanings. */
    words(): Word[];
    /** Bytes of the engine's memory. */
    readonly memory: number;
}

/** Starts an engine of the module's bytes, of a compiled module, or of what fetch returns. Without an argument the
 * package finds drystone.wasm beside itself (in node, and in a page that was served). */
export function start(wasm?: ArrayBuffer | Uint8Array | WebAssembly.Module | Response | Promise<Response>): Promise<Engine>;
/** Compiles a text by one engine that all calls share. */
export function load(text: string | Uint8Array, options?: LoadOptions): Promise<Model>;
