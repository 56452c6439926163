/* model: a compiled text: its facts, its runs, its equations, its exports. */
import { DrystoneError, Handle, noMemory, noMore, orNaN, SCRATCH, wrong } from "./core.js";
import { fillPlan, isEmpty, needsEnd, over, readHow, withoutThose } from "./plan.js";
import { Curves, Result, thin } from "./result.js";
import { Stepper } from "./stepper.js";

const KINDS = ["note", "warning", "error"];

/** The messages of a model, as the API gives them. */
export function messagesOf(list) {
    return list.map(({ i, ...message }) => ({ ...message, kind: KINDS[message.kind] }));
}

const quantity = ({ name, unit }) => ({ name, unit });

function parameter({ name, unit, value, free, low, high }) {
    const made = { name, unit, value: orNaN(value), free };
    if (typeof low === "number") made.low = low;
    if (typeof high === "number") made.high = high;
    return made;
}

function panel({ i, ...rest }) {
    return { ...rest, curves: rest.curves.map(({ i: at, ...curve }) => curve) };
}

/** Compiles; returns handles of the plan and the model, and the facts of a good model or the messages of a bad one. */
export function compile(core, text, path, root, given) {
    const instance = core.living();
    instance.files.root = root;
    if (needsEnd(given)) {
        const plain = compile(core, text, path, root, withoutThose(given));
        if (!plain.facts) return plain;
        const made = compileWith(core, instance, text, path, given, plain.facts);
        plain.model.end(), plain.plan.end();
        return made;
    }
    return compileWith(core, instance, text, path, given, undefined);
}

function compileWith(core, instance, text, path, given, facts) {
    return core.call(instance, (c, keep) => {
        const plan = new Handle(instance, c.dry_bind_plan_new(), "dry_bind_plan_free");
        if (plan.at === 0) throw noMemory();
        try {
            fillPlan(instance, keep, plan.at, given, facts);
        } catch (error) {
            plan.end();
            throw error;
        }
        const file = keep(instance.putText(path).at), source = instance.putText(text);
        keep(source.at);
        const at = c.dry_bind_compile(file, source.at, source.length, plan.at);
        if (at === 0) {
            plan.end();
            throw noMemory();
        }
        const model = new Handle(instance, at, "dry_model_free");
        const good = c.dry_model_ok(at) !== 0;
        const known = JSON.parse(instance.owned(good ? c.dry_web_model(at) : c.dry_web_messages(at)));
        return good ? { model, plan, facts: known, messages: messagesOf(known.messages) }
            : { model, plan, facts: null, messages: messagesOf(known) };
    });
}

/** The error of a text that the compiler refuses. */
export function refusal(messages) {
    const errors = messages.filter((message) => message.kind === "error");
    return new DrystoneError("model", errors.map((message) => message.shown.trimEnd()).join("\n"), { messages });
}

export class Model {
    #core;
    #handles;
    #given;
    #root;
    #facts;
    #near = null; /* the model that `curves` ran last, of the same options */
    #kept = null; /* the stepper of `step` */

    constructor(core, text, path, root, given) {
        const made = compile(core, text, path, root, given);
        if (!made.facts) {
            made.model.end(), made.plan.end();
            throw refusal(made.messages);
        }
        this.#core = core;
        this.#root = root;
        this.#given = given;
        this.#facts = made.facts;
        this.#handles = { model: made.model.watch(this), plan: made.plan.watch(this) };
        this.text = typeof text === "string" ? text : new TextDecoder().decode(text);
        this.path = path;
        this.messages = made.messages;
        const own = made.facts;
        this.title = own.title;
        this.method = own.method;
        this.adaptive = own.adaptive !== 0;
        this.step_size = orNaN(own.step);
        this.until = orNaN(own.until);
        this.record = orNaN(own.record);
        this.largest_step = orNaN(own.largest);
        this.remarks = own.remarks;
        this.parameters = own.parameters.filter((row) => row.own).map(parameter);
        this.inputs = own.inputs.map(quantity);
        this.states = own.states.map(quantity);
        this.outputs = own.outputs.filter((row) => row.own).map(quantity);
        this.measures = own.measures.map(quantity);
        this.elements = own.elements.map((row) => row.name);
        this.panels = own.panels.map(panel);
    }

    /** For the package itself. */
    get inside() {
        return { core: this.#core, instance: this.#handles.model.instance, model: this.#handles.model,
            plan: this.#handles.plan, facts: this.#facts };
    }
    #call(work) {
        const { instance, model } = this.inside;
        instance.files.root = this.#root;
        return this.#core.call(instance, (c, keep) => work(c, keep, model.address(), instance));
    }

    /* ---- other values ---- */

    with(how) {
        return this.#changed(readHow(this.inside.instance, how));
    }
    #changed(given) {
        return isEmpty(given) ? this : new Model(this.#core, this.text, this.path, this.#root, over(given, this.#given));
    }

    /* ---- runs ---- */

    run(how) {
        const progress = how && how.progress;
        const model = this.#changed(readHow(this.inside.instance, how, ["progress"]));
        return model.#run(progress);
    }
    #run(progress) {
        const { model, plan, instance } = this.inside;
        const at = this.#call((c) => c.dry_bind_run_new(model.at, plan.at));
        if (at === 0) throw noMemory();
        const handle = new Handle(instance, at, "dry_bind_run_free", [model, plan]);
        const result = new Result(this, handle, this.#root);
        try {
            result.start(progress);
        } catch (error) {
            if (error instanceof DrystoneError && error.kind === "run") error.result = result;
            else result.free();
            throw error;
        }
        return result;
    }

    curves(how = {}) {
        const { columns, points = Infinity, ...rest } = how;
        const given = readHow(this.inside.instance, rest);
        if (columns !== undefined && !Array.isArray(columns)) throw wrong("columns must be a list of names");
        const { parameters, ...others } = given;
        const base = this.#nearest({ ...others, parameters: {} });
        const quick = base.#rerun(parameters, columns, points);
        if (quick) return quick;
        const model = base.#changed({ parameters, inputs: {}, options: {}, method: undefined });
        const curves = model.#rerun({}, columns, points, true);
        if (model !== base) model.free();
        return curves;
    }
    /** The model with these options, which is kept for the next call. */
    #nearest(given) {
        if (isEmpty(given)) return this;
        const key = JSON.stringify(given, (name, value) => (ArrayBuffer.isView(value) ? Array.from(value)
            : typeof value === "function" ? String(value) : value));
        if (this.#near && this.#near.key === key && !this.#near.model.inside.instance.dead) return this.#near.model;
        if (this.#near) this.#near.model.free();
        this.#near = null;
        this.#near = { key, model: this.#changed(given) };
        return this.#near.model;
    }
    /** Returns null if only a new compilation can take the values. */
    #rerun(parameters, columns, points, compiled = false) {
        return this.#call((c, keep, model, instance) => {
            const rerun = new Handle(instance, c.dry_web_rerun_new(model), "dry_web_rerun_free");
            if (rerun.at === 0) throw noMemory();
            try {
                for (const [name, value] of Object.entries(parameters)) {
                    if (typeof value !== "number") return null;
                    if (!Number.isFinite(value)) throw wrong(`the parameter \`${name}\` cannot be ${value}: give a finite number`, name);
                    if (!c.dry_web_rerun_par(rerun.at, keep(instance.putText(name).at), value)) return null;
                }
                if (Object.keys(parameters).length && !c.dry_web_rerun_settle(rerun.at)) return null;
                instance.check(c.dry_web_rerun_start(rerun.at, instance.fault));
                const about = JSON.parse(instance.owned(c.dry_web_rerun_about(rerun.at)));
                const record = c.dry_web_rerun_record(rerun.at);
                return new Curves(about, thin(instance, keep, record, columns, points), compiled);
            } finally {
                rerun.end();
            }
        });
    }

    /* ---- steps ---- */

    stepper(how) {
        return new Stepper(this.#changed(readHow(this.inside.instance, how)));
    }
    step(inputs) {
        if (!this.#kept) this.#kept = this.stepper();
        return this.#kept.step(inputs);
    }

    /* ---- texts ---- */

    latex({ derived = true } = {}) {
        return this.#call((c, keep, model, instance) => instance.owned(c.dry_bind_latex(model, derived ? 1 : 0)));
    }
    mathml({ derived = true } = {}) {
        return this.#call((c, keep, model, instance) => instance.owned(c.dry_bind_mathml(model, derived ? 1 : 0)));
    }
    stage(name) {
        return this.#call((c, keep, model, instance) => {
            const at = c.dry_web_stage(model, keep(instance.putText(String(name)).at));
            if (at === 0) throw wrong(`there is no stage \`${name}\`: use tokens, tree, checked, lowered, ordered or code`);
            return instance.owned(at);
        });
    }

    /* ---- files ---- */

    exportC({ float = false, prefix, layout, ...rest } = {}) {
        noMore(rest, "float, prefix and layout");
        return this.#call((c, keep, model, instance) => {
            const text = (value) => (value === undefined ? 0 : keep(instance.putText(String(value)).at));
            instance.files.makeFolder(SCRATCH);
            const folder = `${SCRATCH}/c`;
            try {
                instance.check(c.dry_web_export_c(model, text(folder), text(prefix), text(layout), float ? 1 : 0, instance.fault));
                return Object.fromEntries(instance.files.list(folder).map((name) =>
                    [name, new TextDecoder().decode(instance.files.read(`${folder}/${name}`))]));
            } finally {
                instance.files.remove(SCRATCH);
            }
        });
    }
    exportFmu({ version = 2, ...rest } = {}) {
        noMore(rest, "version");
        return this.#call((c, keep, model, instance) => {
            const path = `${SCRATCH}/model.fmu`;
            instance.files.makeFolder(SCRATCH);
            instance.files.makeFolder("/tmp");
            try {
                instance.check(c.dry_web_export_fmu(model, version, keep(instance.putText(path).at), instance.fault));
                return instance.files.read(path);
            } finally {
                instance.files.remove(SCRATCH);
            }
        });
    }

    free() {
        if (this.#kept) this.#kept.free();
        if (this.#near) this.#near.model.free();
        this.#kept = this.#near = null;
        this.#handles.model.end();
        this.#handles.plan.end();
    }
}
