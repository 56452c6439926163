/* result: a run: its columns, measures, expectations, verdict and pictures. */
import { noMemory, noMore, orNaN, SCRATCH, wrong } from "./core.js";

const BYTECODE = 1;
/* dry_bind_fact */
const STEPS = 0, REJECTED = 1, RATES = 2, KINKS = 3, SECONDS = 4, END = 5;

const expectation = ({ text, line, met, value, target, tolerance }) =>
    ({ text, line, met, value: orNaN(value), target: orNaN(target), tolerance: orNaN(tolerance) });

function columnsOf(instance, record) {
    const c = instance.c, names = [], units = [];
    for (let i = 0; record !== 0 && i < c.dry_record_columns(record); i++) {
        names.push(instance.text(c.dry_bind_column_name(record, i)));
        units.push(instance.text(c.dry_bind_column_unit(record, i)));
    }
    return { names, units };
}

function find(names, name) {
    const at = names.indexOf(name);
    if (at < 0) throw wrong(`the record has no column \`${name}\`: it has ${names.join(", ")}`, name);
    return at;
}

/** Some columns (default: all) of a record, t first, thinned. */
export function thin(instance, keep, record, columns, points) {
    const c = instance.c, all = columnsOf(instance, record);
    if (!(points >= 2)) throw wrong("points must be a number of 2 or more");
    const wanted = columns === undefined ? all.names.map((_, i) => i) : [0];
    for (const name of columns || []) {
        const at = find(all.names, name);
        if (!wanted.includes(at)) wanted.push(at);
    }
    const list = keep(instance.putInts(wanted)), slot = keep(instance.take(4));
    const rows = c.dry_web_thin(record, list, wanted.length, Math.min(points, 0x7fffffff), slot) >>> 0;
    const at = new DataView(instance.memory.buffer).getUint32(slot, true);
    if (rows === 0) throw noMemory();
    const values = instance.doubles(keep(at), rows * wanted.length);
    return new Table(wanted.map((i) => all.names[i]), wanted.map((i) => all.units[i]), rows, values);
}

class Table {
    constructor(names, units, rows, values) {
        this.names = names;
        this.units = units;
        this.rows = rows;
        this.values = values;
    }
    column(name) {
        const at = find(this.names, name);
        return this.values.subarray(at * this.rows, (at + 1) * this.rows);
    }
}

export class Curves extends Table {
    constructor(about, table, compiled) {
        super(table.names, table.units, table.rows, table.values);
        this.measures = Object.fromEntries(about.measures.map(({ name, value }) => [name, orNaN(value)]));
        this.expectations = about.expectations.map(expectation);
        this.stop = about.stop;
        this.end = orNaN(about.end);
        this.compiled = compiled;
    }
}

export class Result {
    #handle;
    #root;

    constructor(model, handle, root) {
        this.model = model;
        this.#handle = handle.watch(this);
        this.#root = root;
        this.names = [];
        this.units = [];
        this.rows = 0;
        this.measures = {};
        this.expectations = [];
        this.remarks = [];
        this.stop = "";
        this.end = this.steps = this.rejected = this.rates = this.kinks = this.seconds = NaN;
    }

    #call(work) {
        const instance = this.#handle.instance, { core } = this.model.inside;
        instance.files.root = this.#root;
        return core.call(instance, (c, keep) => work(c, keep, this.#handle.address(), instance));
    }
    /** With the page's function for progress. */
    #watched(progress, work) {
        if (progress !== undefined && typeof progress !== "function") throw wrong("progress must be a function of the time");
        return this.#call((c, keep, run, instance) => {
            instance.progress = progress || null;
            try {
                instance.check(work(c, run, progress ? c.dry_web_progress() : 0, instance.fault));
            } finally {
                instance.progress = null;
            }
        });
    }

    /** For the package itself. */
    start(progress) {
        try {
            this.#watched(progress, (c, run, tell, fault) => c.dry_bind_run_start(run, BYTECODE, tell, 0, fault));
        } finally {
            if (!this.#handle.instance.dead) this.#read();
        }
        this.#evaluate();
    }
    #read() {
        this.#call((c, keep, run, instance) => {
            const record = c.dry_bind_run_record(run), fact = (which) => c.dry_bind_run_fact(run, which);
            Object.assign(this, columnsOf(instance, record));
            this.rows = record === 0 ? 0 : c.dry_record_rows(record) >>> 0;
            this.end = fact(END);
            this.steps = fact(STEPS);
            this.rejected = fact(REJECTED);
            this.rates = fact(RATES);
            this.kinks = fact(KINKS);
            this.seconds = fact(SECONDS);
            this.stop = instance.text(c.dry_bind_run_stop(run));
            for (let i = 0, at; (at = c.dry_bind_run_remark(run, i)) !== 0; i++) this.remarks.push(instance.text(at));
        });
    }
    #evaluate() {
        this.#call((c, keep, run, instance) => {
            const measures = this.model.measures.map(({ name }, i) => [name, c.dry_bind_run_measure(run, i)]);
            this.measures = Object.fromEntries(measures);
            for (let i = 0; ; i++) {
                const text = instance.text(c.dry_bind_run_expected(run, i));
                if (text === "") break;
                this.expectations.push({
                    text,
                    line: c.dry_bind_run_expected_line(run, i),
                    met: c.dry_bind_run_expected_met(run, i) !== 0,
                    value: c.dry_bind_run_expected_value(run, i),
                    target: c.dry_bind_run_expected_target(run, i),
                    tolerance: c.dry_bind_run_expected_tolerance(run, i),
                });
            }
        });
    }

    get met() {
        return this.expectations.every((row) => row.met);
    }
    get t() {
        return this.column(this.names[0]);
    }
    column(name) {
        const at = find(this.names, name);
        return this.#call((c, keep, run, instance) => {
            const record = c.dry_bind_run_record(run);
            return instance.doubles(c.dry_record_values(record, at), this.rows);
        });
    }
    /** All columns in their order; names may be there twice. */
    all() {
        return this.#call((c, keep, run, instance) => {
            const record = c.dry_bind_run_record(run);
            return this.names.map((_, i) => instance.doubles(c.dry_record_values(record, i), this.rows));
        });
    }
    thinned(columns, points) {
        return this.#call((c, keep, run, instance) => thin(instance, keep, c.dry_bind_run_record(run), columns, points));
    }

    verify({ limit = 0, most = 0, progress, ...rest } = {}) {
        noMore(rest, "limit, most and progress");
        this.#watched(progress, (c, run, tell, fault) => c.dry_bind_run_watch(run, limit, most, tell, 0, fault));
        return this.#call((c, keep, run, instance) => {
            const lines = [];
            for (let i = 0, at; (at = c.dry_bind_run_trust_line(run, i)) !== 0; i++) lines.push(instance.text(at));
            const sign = c.dry_bind_run_trusted(run);
            return {
                word: instance.text(c.dry_bind_run_word(run)),
                text: lines[0] || "",
                lines: lines.slice(1),
                error: c.dry_bind_run_trust_error(run),
                trusted: sign === 0 ? undefined : sign > 0,
            };
        });
    }

    /** A text of C, or the error why there is none. */
    #text(make) {
        return this.#call((c, keep, run, instance) => {
            const at = make(c, run, instance.fault);
            if (at === 0) throw instance.error(c.dry_bind_error_status(instance.fault));
            return instance.owned(at);
        });
    }
    page({ brief = false, ...rest } = {}) {
        noMore(rest, "brief");
        return this.#text((c, run, fault) => c.dry_bind_run_page(run, brief ? 1 : 0, fault));
    }
    data({ sections = false, ...rest } = {}) {
        noMore(rest, "sections");
        return this.#text((c, run, fault) => c.dry_bind_run_data(run, sections ? 1 : 0, fault));
    }
    svg({ dark = false, ...rest } = {}) {
        noMore(rest, "dark");
        return this.#text((c, run, fault) => c.dry_bind_run_svg(run, dark ? 1 : 0, fault));
    }

    /** The bytes of a file that `write` writes. */
    #file(name, write) {
        return this.#call((c, keep, run, instance) => {
            const path = `${SCRATCH}/${name}`;
            instance.files.makeFolder(SCRATCH);
            try {
                const at = keep(instance.putText(path).at), record = c.dry_bind_run_record(run);
                if (record === 0) throw wrong("there is no record: the run did not begin");
                instance.check(write(c, record, at, instance.fault));
                return instance.files.read(path);
            } finally {
                instance.files.remove(SCRATCH);
            }
        });
    }
    csv() {
        const bytes = this.#file("record.csv", (c, record, path, fault) => c.dry_record_write_csv(record, path, fault));
        return new TextDecoder().decode(bytes);
    }
    pdf({ dark = false, ...rest } = {}) {
        noMore(rest, "dark");
        const model = this.model.inside.model.address();
        return this.#file("picture.pdf", (c, record, path, fault) =>
            c.dry_web_picture(model, record, dark ? 1 : 0, path, fault));
    }

    free() {
        this.#handle.end();
    }
}
