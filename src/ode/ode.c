/* An integration: its workspace, its start, and the way to an end time.
 *
 * t: time, s; x: states. */
#include "ode_private.h"

/* ---- workspace ----------------------------------------------------------- */

static size_t vectors(const dry_method *method) {
    const int stages = method->tableau->k.stages;
    if (method->adaptive)
        return (size_t)(DRY_ODE_VECTORS + 2 * stages + method->tableau->dense_terms +
                        DRY_ODE_RELAX_VECTORS + 1); /* one for the absolute tolerances */
    return (size_t)(DRY_ODE_VECTORS + (stages > 2 ? stages : 2)); /* two for the Hermite cubic */
}

/* The sides, and the samples of a step. */
static size_t kink_rows(const dry_method *method) {
    return method->adaptive ? 1 + DRY_ODE_SAMPLES : 0;
}

/* Whether a method was found, and belongs to this room. */
static bool is_ours(const dry_method *method) {
    return method && method->tableau && !dry_method_lacks(method);
}

size_t dry_ode_size(const dry_system *system, const dry_method *method) {
    if (!is_ours(method)) return 0;
    return vectors(method) * (size_t)system->n_states +
           kink_rows(method) * (size_t)system->n_kinks + (size_t)system->n_breaks;
}

/* ---- breaks -------------------------------------------------------------- */

/* Shell's sort: n is small, and floor 0 has no qsort. */
static void sort(int n, double *x) {
    for (int gap = n / 2; gap > 0; gap /= 2)
        for (int i = gap; i < n; i++) {
            const double value = x[i];
            int j = i;
            for (; j >= gap && x[j - gap] > value; j -= gap) x[j] = x[j - gap];
            x[j] = value;
        }
}

void dry_breaks_read(dry_breaks *breaks, const dry_system *system, const dry_env *env) {
    breaks->n = breaks->next = 0;
    breaks->n_clocks = system->n_clocks;
    breaks->clocks = system->instants ? system->instants(env) : system->clocks;
    if (!system->breaks || system->n_breaks == 0) return;
    system->breaks(env, breaks->times);
    for (int i = 0; i < system->n_breaks; i++)
        if (isfinite(breaks->times[i])) breaks->times[breaks->n++] = breaks->times[i];
    sort(breaks->n, breaks->times);
}

double dry_breaks_after(const dry_breaks *breaks, double t) {
    int next = breaks->next;
    while (next < breaks->n && breaks->times[next] <= t) next++;
    double first = next < breaks->n ? breaks->times[next] : (double)INFINITY;
    for (int i = 0; i < breaks->n_clocks; i++)
        first = dry_min(first, dry_clock_after(&breaks->clocks[i], t));
    return first;
}

double dry_breaks_limit(dry_breaks *breaks, double t, double t_end, bool *is_break) {
    while (breaks->next < breaks->n && breaks->times[breaks->next] <= t) breaks->next++;
    const double first = dry_breaks_after(breaks, t);
    *is_break = first <= t_end;
    return *is_break ? first : t_end;
}

/* ---- start --------------------------------------------------------------- */

static bool fits(double value) { return value >= 0.0 && isfinite(value); }

static bool options_fit(const dry_method *method, const dry_ode_options *options, double t) {
    const bool has_step = options->step > 0.0 && t + options->step > t;
    return isfinite(t) && fits(options->step) && fits(options->rtol) && fits(options->atol) &&
           fits(options->max_step) && options->max_steps >= 0 && fits(options->most_rate) &&
           (method->adaptive || has_step);
}

static double or_default(double value, double standard) { return value > 0.0 ? value : standard; }

static void lay_out(dry_ode *ode, double *work) {
    const dry_system *system = ode->system;
    ode->work = work;
    ode->x = work;
    ode->kinks = work + vectors(ode->method) * (size_t)system->n_states;
    ode->breaks.times = ode->kinks + kink_rows(ode->method) * (size_t)system->n_kinks;
}

dry_status dry_ode_init(dry_ode *ode, const dry_system *system, const dry_method *method,
                        const dry_ode_options *options, const double *par, double t,
                        const double *x0, void *scratch, double *work) {
    DRY_ASSERT(ode && system && system->n_states > 0);
    *ode = (dry_ode){.t = t};
    if (!is_ours(method) || !work) return DRY_BAD_ARGUMENT;
    const dry_ode_options standard = {0};
    if (!options) options = &standard;
    *ode = (dry_ode){.t = t, .system = system, .method = method, .options = *options};
    lay_out(ode, work);
    ode->t_start = ode->t_before = t;
    ode->env = (dry_env){.model = system->model,
                         .par = par ? par : system->par,
                         .work = scratch,
                         .once = method->uses_tau && method->order == 1};
    if (system->prepare) system->prepare(&ode->env);
    ode->par_mark = dry_par_mark(ode->env.par, system->n_par);
    if (!options_fit(method, options, t)) return DRY_BAD_ARGUMENT;
    ode->options.rtol = or_default(options->rtol, 1e-6);
    ode->options.atol = or_default(options->atol, 1e-9);
    ode->control.h = options->step;
    ode->control.h_before = 1.0;
    ode->control.restart = true;
    memset(work, 0, dry_ode_size(system, method) * sizeof *work);
    if (x0)
        memcpy(ode->x, x0, (size_t)system->n_states * sizeof *x0);
    else if (system->start)
        system->start(&ode->env, t, ode->x);
    dry_breaks_read(&ode->breaks, ode->system, &ode->env);
    if (method->adaptive) dry_ode__atol_set(ode);
    for (int i = 0; i < system->n_states; i++)
        if (!isfinite(ode->x[i])) {
            ode->fault = (dry_ode_fault){.state = i, .t = t};
            return DRY_NOT_FINITE;
        }
    return DRY_OK;
}

/* ---- going on ------------------------------------------------------------ */

bool dry_ode__out_of_steps(dry_ode *ode) {
    const long most = ode->options.max_steps;
    if (most == 0 || ode->counts.steps + ode->counts.rejected < most) return false;
    ode->fault = (dry_ode_fault){.state = -1, .t = ode->t};
    return true;
}

dry_status dry_ode__accepted(dry_ode *ode) {
    const dry_system *system = ode->system;
    if (system->latch) {
        memcpy(dry_ode__end(ode), ode->x, (size_t)system->n_states * sizeof *ode->x);
        if (system->latch(&ode->env, ode->t, ode->x))
            ode->control.has_rate = ode->control.has_sides = false;
    }
    const int failed = system->watch ? system->watch(&ode->env, ode->t, ode->x) : 0;
    if (failed == 0) return DRY_OK;
    ode->fault = (dry_ode_fault){.state = -1, .t = ode->t, .watch = failed};
    return dry_watch_status(system, failed);
}

static void forget_rate(dry_ode *ode) {
    ode->control.has_rate = ode->control.has_sides = false;
    ode->control.restart = true;
}

/* Whether something is kept that depends on parameters. */
static bool keeps_par(const dry_ode *ode) {
    return ode->system->prepare || ode->method->adaptive || ode->system->n_breaks > 0;
}

/* Prepares the system again, if the caller has changed some since the last call. */
static void follow_par(dry_ode *ode) {
    if (!keeps_par(ode)) return;
    const uint64_t mark = dry_par_mark(ode->env.par, ode->system->n_par);
    if (mark == ode->par_mark) return;
    ode->par_mark = mark;
    if (ode->system->prepare) ode->system->prepare(&ode->env);
    dry_breaks_read(&ode->breaks, ode->system, &ode->env);
    forget_rate(ode);
}

void dry_ode_changed(dry_ode *ode) {
    if (!ode->method) return;
    forget_rate(ode);
    ode->has_dense = false;
}

static dry_status forward(dry_ode *ode, double t_end, bool once) {
    if (!ode->method || !isfinite(t_end) || t_end < ode->t) return DRY_BAD_ARGUMENT;
    follow_par(ode);
    if (!ode->method->adaptive) return dry_ode__fixed(ode, t_end, once);
    dry_status status = DRY_OK;
    while (ode->t < t_end && status == DRY_OK) {
        status = dry_ode__adaptive(ode, t_end);
        if (once) break;
    }
    return status;
}

dry_status dry_ode_advance(dry_ode *ode, double t_end) { return forward(ode, t_end, false); }
dry_status dry_ode_step(dry_ode *ode, double t_end) { return forward(ode, t_end, true); }
