/* plan: what is given beside the text of a model, checked, and as a plan of the library. */
import { wrong } from "./core.js";

const MOST_HALVES = 5_000_000;

/** What compiles and runs a model, from an object of the caller's. `beside`: other keys that the call takes. */
export function readHow(instance, how, beside = []) {
    if (how === undefined) how = {};
    if (how === null || typeof how !== "object") throw wrong("what a model runs with is an object, such as { until: 5 }");
    const given = { parameters: {}, inputs: {}, options: {}, method: undefined };
    const known = optionNames(instance);
    for (const [name, value] of Object.entries(how)) {
        if (value === undefined || beside.includes(name)) continue;
        if (name === "parameters" || name === "inputs") given[name] = dictionary(name, value);
        else if (name === "method") given.method = value;
        else if (known.includes(name)) given.options[name] = value;
        else
            throw wrong(`there is no option \`${name}\`: use parameters, inputs, method, ${known.join(", ")}` +
                (beside.length ? `, ${beside.join(", ")}` : ""), name);
    }
    return given;
}

function dictionary(what, value) {
    if (value === null || typeof value !== "object" || Array.isArray(value))
        throw wrong(`${what} must be an object of names and values`);
    return { ...value };
}

/** This, and what `below` has besides. */
export function over(given, below) {
    return {
        parameters: { ...below.parameters, ...given.parameters },
        inputs: { ...below.inputs, ...given.inputs },
        options: { ...below.options, ...given.options },
        method: given.method === undefined ? below.method : given.method,
    };
}

export const isEmpty = (given) => given.method === undefined &&
    [given.parameters, given.inputs, given.options].every((of) => Object.keys(of).length === 0);

function optionNames(instance) {
    const names = [];
    for (;;) {
        const at = instance.c.dry_bind_option(names.length);
        if (at === 0) return names.filter((name) => name !== "jacobian");
        names.push(instance.text(at));
    }
}

/** Whether an input can only be made when the length of the run is known. */
export const needsEnd = (given) => Object.values(given.inputs).some((input) => typeof input === "number" ||
    typeof input === "function");
export const withoutThose = (given) => ({
    ...given,
    inputs: Object.fromEntries(Object.entries(given.inputs).filter(([, v]) => typeof v === "object")),
});

/** Fills a plan. `facts`: how the model runs, where an input needs it. */
export function fillPlan(instance, keep, plan, given, facts) {
    const c = instance.c, text = (value) => keep(instance.putText(value).at);
    for (const [name, value] of Object.entries(given.parameters))
        addParameter(instance, plan, text, name, value);
    for (const [name, value] of Object.entries(given.options)) {
        const yes = c.dry_bind_option_is_yes(text(name)) !== 0;
        if (typeof value !== (yes ? "boolean" : "number"))
            throw wrong(`the option \`${name}\` must be ${yes ? "true or false" : "a number"}, not ${shown(value)}`, name);
        instance.check(c.dry_bind_plan_option(plan, text(name), Number(value), instance.fault));
    }
    if (given.method !== undefined) {
        if (typeof given.method !== "string") throw wrong("the method must be a text, such as \"rk4\"", "method");
        instance.check(c.dry_bind_plan_method(plan, text(given.method), instance.fault));
    }
    for (const [name, value] of Object.entries(given.inputs))
        addInput(instance, keep, plan, text, name, value, facts);
}

const shown = (value) => {
    try {
        return JSON.stringify(value) || String(value);
    } catch {
        return String(value);
    }
};

/** As the language writes numbers: JavaScript's shortest digits. */
function listText(name, value) {
    const numbers = Array.from(value);
    if (numbers.length === 0 || !numbers.every((x) => typeof x === "number" && Number.isFinite(x)))
        throw wrong(`the parameter \`${name}\` must be a list of finite numbers, not ${shown(value)}`, name);
    return `[${numbers.join(", ")}]`;
}

function addParameter(instance, plan, text, name, value) {
    const c = instance.c;
    if (typeof value === "number")
        return instance.check(c.dry_bind_plan_par(plan, text(name), 0, value, instance.fault));
    if (typeof value !== "string" && !Array.isArray(value) && !ArrayBuffer.isView(value))
        throw wrong(`the parameter \`${name}\` must be a number, a text such as "0.4 kN" or a list, not ${shown(value)}`, name);
    const as = typeof value === "string" ? value : listText(name, value);
    return instance.check(c.dry_bind_plan_par(plan, text(name), text(as), 0, instance.fault));
}

function addArrays(instance, keep, plan, text, name, t, values, unit) {
    const c = instance.c;
    const numbers = (list, what) => {
        const all = Float64Array.from(list);
        if (!all.every(Number.isFinite)) throw wrong(`the ${what} of the input \`${name}\` must be finite numbers`, name);
        return all;
    };
    if (!t || !values || typeof t !== "object" || typeof values !== "object" || t.length !== values.length)
        throw wrong(`the input \`${name}\` needs as many times as values: { t: [0, 1], values: [0, 5] }`, name);
    const times = keep(instance.putDoubles(numbers(t, "times"))), ys = keep(instance.putDoubles(numbers(values, "values")));
    instance.check(c.dry_bind_plan_input(plan, text(name), text(unit), t.length, times, ys, instance.fault));
}

/** Times at which a function becomes numbers: each half of a fixed step, so that every stage of rk4 reads the value
 * itself; a ten-thousandth of the run for an adaptive method. */
function instants(name, facts) {
    const apart = facts.adaptive || !(facts.step > 0) ? facts.until / 10000 : facts.step / 2;
    const n = Math.max(1, Math.ceil(facts.until / apart - 1e-9));
    if (n > MOST_HALVES)
        throw wrong(`the input \`${name}\`, a function, would become ${n} numbers, more than ${MOST_HALVES}: give arrays`, name);
    return Float64Array.from({ length: n + 1 }, (_, k) => k * apart);
}

function addInput(instance, keep, plan, text, name, value, facts) {
    const c = instance.c;
    if (typeof value === "number" || typeof value === "function") {
        if (!facts || !(facts.until > 0))
            throw wrong(`the input \`${name}\` is needed until the end of the run, and nothing says when that is: give until`, name);
        const t = typeof value === "number" ? [0, facts.until] : instants(name, facts);
        const values = typeof value === "number" ? [value, value] : Array.from(t, (at) => Number(value(at)));
        return addArrays(instance, keep, plan, text, name, t, values, "");
    }
    if (value === null || typeof value !== "object")
        throw wrong(`the input \`${name}\` must be a number, { t, values } or { file, column }, not ${shown(value)}`, name);
    if (value.file === undefined)
        return addArrays(instance, keep, plan, text, name, value.t, value.values, value.unit || "");
    const column = value.column === undefined ? name : value.column;
    return instance.check(c.dry_bind_plan_file(plan, text(name), text(String(value.file)), text(String(column)),
        instance.fault));
}
