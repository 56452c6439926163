/* message: error messages of a run: what, where, and what to do. */
#include "sim_private.h"

#include <stdio.h>
#include <string.h>

typedef struct number {
    char text[DRY_NUMBER_SIZE];
} number;

static number in_text(double x) {
    number n;
    dry_number_text(x, n.text);
    return n;
}

/* ---- before the run ------------------------------------------------------ */

static bool positive(double x) { return x > 0.0 && isfinite(x); }
static bool nonnegative(double x) { return x >= 0.0 && isfinite(x); }

dry_status dry_sim__check_numbers(const dry_sim__run *run, dry_error *error) {
    const dry_ode_options *ode = &run->ode_options;
    if (!run->method->adaptive && !positive(ode->step))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the method %s needs a finite step > 0 (it is %s s): give one, or use "
                             "dopri5, which chooses its steps",
                             run->method->name, in_text(ode->step).text);
    if (!nonnegative(ode->step) || !nonnegative(ode->max_step))
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "the first step (%s s) and the longest step (%s s) must be finite and not negative",
            in_text(ode->step).text, in_text(ode->max_step).text);
    if (!nonnegative(ode->rtol) || !nonnegative(ode->atol))
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "the tolerances rtol (%s) and atol (%s) must be finite and not negative",
            in_text(ode->rtol).text, in_text(ode->atol).text);
    if (ode->max_steps < 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "the limit of steps (%ld) cannot be negative",
                             ode->max_steps);
    return DRY_OK;
}

/* Every method, whatever its room; NULL beyond the last. */
static const dry_method *method_at(int index) {
    const int own = dry_method_count(), with_stiff = own + dry_stiff_method_count();
    if (index < own) return dry_method_at(index);
    if (index < with_stiff) return dry_stiff_method_at(index - own);
    index -= with_stiff;
    return index < dry_rigid_method_count() ? dry_rigid_method_at(index) : NULL;
}

dry_status dry_sim__check_method(const dry_method *method, unsigned takes, const char *what,
                                 dry_error *error) {
    char names[200] = "";
    if (method->takes & takes) return DRY_OK;
    for (int i = 0; method_at(i); i++) {
        const size_t n = strlen(names);
        if (method_at(i)->takes & takes)
            snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", method_at(i)->name);
    }
    return dry_error_set(error, DRY_BAD_ARGUMENT, "the method %s cannot run %s: take one of %s",
                         method->name, what, names);
}

static dry_status check_times(const dry_sim__run *run, dry_error *error) {
    const dry_sim_options *options = &run->options;
    if (!isfinite(options->from) || !isfinite(options->run.until) ||
        !(options->run.until > options->from))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the run must end (until = %s s) after it begins (%s s)",
                             in_text(options->run.until).text, in_text(options->from).text);
    if (!nonnegative(options->run.record))
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "the sampling interval (record = %s s) must be finite and not negative",
            in_text(options->run.record).text);
    if (!run->method->adaptive && !(options->from + run->ode_options.step > options->from))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a step of %s s does not change the time t = %s s in double "
                             "precision: use a longer step",
                             in_text(run->ode_options.step).text, in_text(options->from).text);
    return DRY_OK;
}

dry_status dry_sim__check_step(double span, double step, dry_error *error) {
    if (step <= span * (1.0 + 1e-9)) return DRY_OK;
    return dry_error_set(
        error, DRY_BAD_ARGUMENT,
        "the step (%s s) is longer than the run (%s s): use a shorter step, or run longer",
        in_text(step).text, in_text(span).text);
}

dry_status dry_sim__check_count(double span, double step, const char *what, long most,
                                dry_error *error) {
    if (!(step > 0.0) || span / step <= (double)most * (1.0 + 1e-9)) return DRY_OK;
    return dry_error_set(error, DRY_TOO_MANY_STEPS,
                         "with %s of %s s a run of %s s takes %.3g steps, more than the limit of "
                         "%ld: use longer steps, or raise the limit (max_steps)",
                         what, in_text(step).text, in_text(span).text, span / step, most);
}

/* Each instant of a clock ends a step. */
dry_status dry_sim__check_clocks(const dry_system *system, double span, long most,
                                 dry_error *error) {
    dry_status status = DRY_OK;
    for (int i = 0; status == DRY_OK && i < system->n_clocks; i++)
        status = dry_sim__check_count(span, system->clocks[i].period, "samples at intervals", most,
                                      error);
    return status;
}

/* A given limit ends the run when it is reached; the default limit is checked before the run. */
dry_status dry_sim__check_steps(const dry_sim__run *run, dry_error *error) {
    const dry_sim_options *o = &run->options;
    const double span = o->run.until - o->from;
    const long most =
        run->ode_options.max_steps > 0 ? run->ode_options.max_steps : DRY_SIM_MOST_STEPS;
    dry_status status = dry_sim__check_clocks(run->system, span, most, error);
    if (status != DRY_OK) return status;
    if (run->method->adaptive)
        return dry_sim__check_count(span, run->ode_options.max_step, "a longest step", most, error);
    status = dry_sim__check_step(span, run->ode_options.step, error);
    if (status != DRY_OK || run->ode_options.max_steps > 0) return status;
    return dry_sim__check_count(span, run->ode_options.step, "a step", most, error);
}

dry_status dry_sim__check(const dry_sim__run *run, dry_error *error) {
    dry_status status = dry_sim__check_method(run->method, DRY_TAKES_EQUATIONS, "a system", error);
    if (status == DRY_OK) status = dry_sim__check_numbers(run, error);
    return status == DRY_OK ? check_times(run, error) : status;
}

/* ---- after it ------------------------------------------------------------ */

static const char *state_name(const dry_sim__run *run) {
    const int i = run->ode.fault.state;
    return i >= 0 && i < run->system->n_states && run->system->states ? run->system->states[i].name
                                                                      : "a state";
}

static dry_status not_finite(const dry_sim__run *run, dry_error *error) {
    const number t = in_text(run->ode.fault.t), step = in_text(run->ode_options.step);
    if (run->ode.counts.steps == 0 && !isfinite(run->ode.x[run->ode.fault.state]))
        return dry_error_set(error, DRY_NOT_FINITE,
                             "%s is not a finite number at the start, t = %s s: give it an initial "
                             "value",
                             state_name(run), t.text);
    if (run->method->adaptive)
        return dry_error_set(
            error, DRY_NOT_FINITE,
            "the rate of %s is infinite or not a number at t = %s s, however short "
            "the step: look for a division by zero or the root of a negative "
            "number in its equation",
            state_name(run), t.text);
    return dry_error_set(error, DRY_NOT_FINITE,
                         "%s became infinite or not a number after t = %s s: if it grew before "
                         "that, reduce the step (now %s s), or reduce K if a contact or a friction "
                         "is too stiff for the step; if it did not grow, look for a division by "
                         "zero or the root of a negative number in its equation",
                         state_name(run), t.text, step.text);
}

static dry_status collapsed(const dry_sim__run *run, dry_error *error) {
    return dry_error_set(error, DRY_STEP_COLLAPSED,
                         "at t = %s s no step is short enough for the error of %s: its equation "
                         "jumps or grows without bound there; loosen rtol (now %s), use a fixed "
                         "step, or state a force that jumps with a velocity as a set (sgn)",
                         in_text(run->ode.fault.t).text, state_name(run),
                         in_text(run->ode.options.rtol).text);
}

static dry_status too_many(const dry_sim__run *run, dry_error *error) {
    return dry_error_set(error, DRY_TOO_MANY_STEPS,
                         "the limit of %ld steps was reached at t = %s s, before the end at %s s: "
                         "raise the limit, or use longer steps",
                         run->ode_options.max_steps, in_text(run->ode.t).text,
                         in_text(run->options.run.until).text);
}

/* Suggests a step for the whole rest of the run, because a law may settle faster later. */
static dry_status too_fast(const dry_sim__run *run, dry_error *error) {
    const dry_ode_fault *fault = &run->ode.fault;
    const dry_ode_options *ode = &run->ode_options;
    const number t = in_text(fault->t), step = in_text(ode->step);
    bool whole;
    if (!error) return DRY_RUN_FAILED;
    const double most = dry_sim__fastest(run, &whole);
    const double T = 0.99 * ode->most_rate * ode->step / most;
    const double unit = pow(10.0, floor(log10(T)) - 2.0);
    return dry_error_set(
        error, DRY_RUN_FAILED,
        "at t = %s s %s settles at a rate of %.4g 1/s, faster than steps of %s s of %s can follow "
        "(%.4g 1/s), and later at %s %.4g 1/s: use a step of at most %.3g s, a method that chooses "
        "its steps (dopri5, rodas4), or --force to run it anyway",
        t.text, fault->law, fault->rate, step.text, run->method->name, ode->most_rate,
        whole ? "up to" : "no less than", most, unit * floor(T / unit));
}

static dry_status run_failed(const dry_sim__run *run, dry_error *error) {
    const number t = in_text(run->ode.t);
    if (run->ode.fault.law) return too_fast(run, error);
    if (run->stopped)
        return dry_error_set(error, DRY_RUN_FAILED, "the run was stopped at t = %s s", t.text);
    return dry_error_set(error, DRY_RUN_FAILED,
                         "condition %d of the model %s is violated at t = %s s",
                         run->ode.fault.watch, run->system->name ? run->system->name : "", t.text);
}

dry_status dry_sim__stops_at_once(double t, dry_error *error) {
    return dry_error_set(
        error, DRY_BAD_ARGUMENT,
        "the condition of a `stop` is true when the run begins, at t = %s s, so there "
        "is nothing to run: add a condition that is false there, as in `v < 0.001 "
        "and t > 1`, or change the start",
        in_text(t).text);
}

dry_status dry_sim__explain(const dry_sim__run *run, dry_status status, dry_error *error) {
    switch (status) {
    case DRY_OK: return DRY_OK;
    case DRY_NOT_FINITE: return not_finite(run, error);
    case DRY_STEP_COLLAPSED: return collapsed(run, error);
    case DRY_TOO_MANY_STEPS: return too_many(run, error);
    case DRY_RUN_FAILED: return run_failed(run, error);
    case DRY_STOPPED:
        return dry_error_set(error, status, "condition %d of the model %s ends the run at t = %s s",
                             run->ode.fault.watch, run->system->name ? run->system->name : "",
                             in_text(run->ode.t).text);
    case DRY_NO_MEMORY:
        return dry_error_set(error, status,
                             "out of memory for the run: record less often than every %s s",
                             in_text(run->interval).text);
    case DRY_IO:
        return dry_error_set(error, status,
                             "the run ended at t = %s s, because its rows cannot be written",
                             in_text(run->ode.t).text);
    default:
        return dry_error_set(error, status, "the integration failed at t = %s s: %s",
                             in_text(run->ode.t).text, dry_status_text(status));
    }
}
