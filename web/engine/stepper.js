/* stepper: steps a model from outside. */
import { DrystoneError, Handle, STOPPED, wrong } from "./core.js";

export class Stepper {
    #core;
    #handle;
    #model;
    #names;

    constructor(model) {
        const { core, instance, model: of, facts } = model.inside;
        this.#core = core;
        this.#model = model;
        this.#names = { inputs: facts.inputs.map((row) => row.name), states: facts.states.length,
            outputs: facts.outputs.length, elements: facts.elements.map((row) => row.name) };
        core.call(instance, (c, keep) => {
            const slot = keep(instance.take(4));
            instance.check(c.dry_bind_stepper_new(of.address(), 0, slot, instance.fault));
            const at = new DataView(instance.memory.buffer).getUint32(slot, true);
            this.#handle = new Handle(instance, at, "dry_stepper_free", [of]).watch(this);
        });
    }

    #call(work) {
        const handle = this.#handle, instance = handle.instance;
        return this.#core.call(instance, (c, keep) => work(c, keep, handle.address(), instance));
    }

    get t() {
        return this.#call((c, keep, at) => c.dry_stepper_time(at));
    }
    get states() {
        return this.#call((c, keep, at, instance) => instance.doubles(c.dry_stepper_states(at), this.#names.states));
    }
    get outputs() {
        return this.#call((c, keep, at, instance) => {
            const to = keep(instance.take(8 * this.#names.outputs));
            instance.check(c.dry_stepper_outputs(at, to, instance.fault));
            return instance.doubles(to, this.#names.outputs);
        });
    }
    get phases() {
        return this.#call((c, keep, at, instance) => {
            const words = [], to = keep(instance.take(this.#names.elements.length));
            for (let bit = 0, word; (word = c.dry_bind_phase(bit)) !== 0; bit++) words.push(instance.text(word));
            instance.check(c.dry_stepper_phases(at, to, instance.fault));
            const bits = new Uint8Array(instance.memory.buffer, to, this.#names.elements.length);
            return Object.fromEntries(this.#names.elements.map((name, i) =>
                [name, words.filter((_, bit) => bits[i] & (1 << bit))]));
        });
    }
    get stop() {
        return this.#call((c, keep, at, instance) =>
            instance.text(c.dry_bind_stepper_stop(at, this.#model.inside.model.address())));
    }

    get(name) {
        const value = this.#call((c, keep, at, instance) => c.dry_bind_stepper_par_now(at,
            this.#model.inside.model.address(), keep(instance.putText(name).at)));
        if (Number.isNaN(value)) throw wrong(`the model has no parameter \`${name}\``, name);
        return value;
    }
    set(parameters) {
        this.#call((c, keep, at, instance) => {
            for (const [name, value] of Object.entries(parameters)) {
                if (typeof value !== "number") throw wrong(`the parameter \`${name}\` must be a number here`, name);
                instance.check(c.dry_bind_stepper_par(at, this.#model.inside.model.address(),
                    keep(instance.putText(name).at), value, instance.fault));
            }
        });
    }

    step(inputs) {
        return this.#go(-Infinity, inputs);
    }
    advance(t, inputs) {
        if (typeof t !== "number" || Number.isNaN(t)) throw wrong("advance needs a time in seconds");
        return t > this.t ? this.#go(t, inputs) : this.states;
    }
    #go(t, inputs) {
        return this.#call((c, keep, at, instance) => {
            const n = this.#names.states, to = keep(instance.take(8 * n));
            const given = inputs === undefined ? 0 : keep(instance.putDoubles(this.#all(instance, at, inputs)));
            const status = c.dry_bind_step(at, given, t, to, 0, instance.fault);
            if (status !== STOPPED) instance.check(status);
            return instance.doubles(to, n);
        });
    }
    /** The inputs as they are, with those that are given. */
    #all(instance, at, inputs) {
        const names = this.#names.inputs, all = instance.doubles(instance.c.dry_stepper_inputs(at), names.length);
        for (const [name, value] of Object.entries(inputs)) {
            const i = names.indexOf(name);
            if (i < 0) throw wrong(`the model has no input \`${name}\`${names.length ? `: it has ${names.join(", ")}` : ""}`, name);
            if (typeof value !== "number") throw wrong(`the input \`${name}\` must be a number`, name);
            all[i] = value;
        }
        return all;
    }

    reset(t = 0, states) {
        this.#call((c, keep, at, instance) => {
            if (states !== undefined && states.length !== this.#names.states)
                throw wrong(`reset needs ${this.#names.states} states, not ${states.length}`);
            const from = states === undefined ? 0 : keep(instance.putDoubles(Float64Array.from(states)));
            instance.check(c.dry_stepper_reset(at, t, from, instance.fault));
        });
    }
    save() {
        return this.#call((c, keep, at, instance) => {
            const size = c.dry_stepper_save_size(at) >>> 0;
            if (size === 0) throw new DrystoneError("unsupported", "the method of this model cannot be saved: choose another one");
            const to = keep(instance.take(size));
            instance.check(c.dry_stepper_save(at, to, size, instance.fault));
            return new Uint8Array(instance.memory.buffer, to, size).slice();
        });
    }
    restore(bytes) {
        this.#call((c, keep, at, instance) => {
            const from = keep(instance.take(bytes.length));
            new Uint8Array(instance.memory.buffer).set(bytes, from);
            instance.check(c.dry_stepper_restore(at, from, bytes.length, instance.fault));
        });
    }
    free() {
        this.#handle.end();
    }
}
