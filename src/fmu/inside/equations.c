/* equations: what computes for an FMU of equations: exported C, in the same file. */
#include "fmu.h"

struct fmu_core {
    MODEL_TYPE m;
    MODEL_TYPE_PAR par; /* to be taken */
};

static const fmu_facts core_all = {.token = FMU_TOKEN,
                                   .n_states = MODEL_SIZE(STATES),
                                   .n_outputs = MODEL_SIZE(OUTPUTS),
                                   .n_par = MODEL_SIZE(PARAMETERS),
                                   .state = fmu_state_kinds,
                                   .par = fmu_par_kinds,
                                   .nominal = fmu_nominals,
                                   .step = FMU_STEP_SIZE,
                                   .largest = FMU_LARGEST,
                                   .exchanges = FMU_EXCHANGES,
                                   .n_jacobian = MODEL_SIZE(JACOBIAN),
                                   .n_slopes = MODEL_SIZE(SLOPES),
                                   .jacobian_row = MODEL(jacobian_row),
                                   .jacobian_column = MODEL(jacobian_column),
                                   .slope_row = MODEL(output_row),
                                   .slope_column = MODEL(output_column)};

static const fmu_facts *core_facts(const fmu_core *core) {
    (void)core;
    return &core_all;
}

static fmu_core *core_new(const char *resources, int kind, fmu_why *why) {
    fmu_core *core = calloc(1, sizeof *core);
    (void)resources, (void)kind;
    if (core && core_default_par(core, why)) return core;
    if (!core) fmu_explain(why, "out of memory");
    free(core);
    return NULL;
}

static void core_free(fmu_core *core) { free(core); }

/* ---- parameters ---------------------------------------------------------------------------------
 */

static double core_par(const fmu_core *core, int i) {
    MODEL_TYPE_PAR par = core->par;
    return *sys_field(&par, i);
}

static bool core_par_fits(const fmu_core *core, int i, double value, fmu_why *why) {
    MODEL_TYPE_PAR par = core->par;
    if (MODEL(par_set)(&par, i, value) == 0) return true;
    if (sys_fixed[i])
        fmu_explain(why,
                    "the model was compiled for the value of %s: export it anew for another one",
                    MODEL(par_names)[i]);
    else
        fmu_explain(why, "%s is not in its range, %g to %g", MODEL(par_names)[i],
                    MODEL(par_ranges)[i][0], MODEL(par_ranges)[i][1]);
    return false;
}

static void core_put_par(fmu_core *core, int i, double value) {
    (void)MODEL(par_set)(&core->par, i, value);
}

static bool core_take_par(fmu_core *core, fmu_why *why) {
    if (MODEL(set_par)(&core->m, &core->par) == 0) return true;
    fmu_explain(why, "a parameter is not in its range");
    core->par = core->m.par;
    return false;
}

static bool core_default_par(fmu_core *core, fmu_why *why) {
    core->par = MODEL(defaults);
    if (MODEL(init)(&core->m, NULL) == 0) return true;
    fmu_explain(why, "the model does not begin");
    return false;
}

/* ---- states and what follows from them
 * ------------------------------------------------------------ */

static bool core_begin(fmu_core *core, double t, const unsigned char *set, const double *start,
                       double tolerance, fmu_why *why) {
    (void)tolerance;
    if (MODEL(start)(&core->m, t, set, start) == 0) return true;
    fmu_explain(why, "the start is not finite");
    return false;
}

static const double *core_states(fmu_core *core) { return core->m.x; }

static bool core_put_state(fmu_core *core, int i, double value) {
    core->m.x[i] = value;
    return true;
}

static void core_rate(fmu_core *core, double t, double *rate) {
    MODEL(rate)(&core->m, t, core->m.x, rate);
}

static bool core_output(fmu_core *core, double t, double *y) {
    core->m.t = t;
    MODEL(output)(&core->m, y);
    return true;
}

static void core_jacobian(fmu_core *core, double t, double *values) {
    MODEL(jacobian)(&core->m, t, core->m.x, values);
}

static void core_slopes(fmu_core *core, double t, double *values) {
    MODEL(output_jacobian)(&core->m, t, core->m.x, values);
}

static bool core_latch(fmu_core *core, double t) {
#if MODEL_LATCHES
    return sys_latch(core->m.p, t, core->m.x);
#else
    (void)core, (void)t;
    return false;
#endif
}

static int core_watch(fmu_core *core, double t) {
#if MODEL_WATCHES
    return sys_watch(core->m.p, t, core->m.x);
#else
    (void)core, (void)t;
    return 0;
#endif
}

static bool core_is_stop(const fmu_core *core, int condition) {
    (void)core;
    return MODEL_FIRST_STOP > 0 && condition >= MODEL_FIRST_STOP;
}

static const char *core_condition(const fmu_core *core, int condition) {
    const char *text = condition > 0 ? MODEL(condition_texts)[condition - 1] : NULL;
    (void)core;
    return text ? text : "a condition does not hold";
}

static double core_event(fmu_core *core, double t) {
    core->m.t = t;
#if MODEL_EVENTFUL
    return sys_event(&core->m);
#else
    return (double)INFINITY;
#endif
}

/* ---- steps
 * ---------------------------------------------------------------------------------------- */

static double core_time(const fmu_core *core) { return core->m.t; }

static double core_next(const fmu_core *core) { return grid_time(&core->m, core->m.k + 1); }

/* The point of the grid at this time, up to the rounding of an importer that adds up steps. */
static double core_on_grid(const MODEL_TYPE *m, double t, long long *k) {
    const double count = floor((t - m->t_start) / m->h + 0.5);
    if (!(fabs(count) < 1e15)) return t;
    const double point = grid_time(m, (long long)count);
    if (!(fabs(point - t) <= 1e-6 * m->h + 4.0 * DBL_EPSILON * fabs(t))) return t;
    *k = (long long)count;
    return point;
}

static int core_advance(fmu_core *core, double end, fmu_why *why) {
    MODEL_TYPE *m = &core->m;
    long long k = m->k;
    const double to = core_on_grid(m, end, &k);
    if (to <= m->t) return CORE_FINE;
    const int status = k == m->k + 1 ? MODEL(step)(m, m->h) : MODEL(advance)(m, m->h, to);
    if (status == 0) return CORE_FINE;
    if (status == MODEL_SIZE(NOT_FINITE)) {
        fmu_explain(why, "the step is too long for the motion");
        return CORE_NOT_FINITE;
    }
    if (core_is_stop(core, status)) return CORE_STOPPED;
    if (status > 0)
        fmu_explain(why, "at t = %.9g s %s", m->t, core_condition(core, status));
    else
        fmu_explain(why, "the time does not go on from %.9g to %.9g s", m->t, end);
    return CORE_FAULT;
}

/* ---- save and restore
 * ------------------------------------------------------------------------------- */

typedef struct core_saved {
    MODEL_TYPE_SAVED saved;
    MODEL_TYPE_PAR par;
} core_saved;

static size_t core_save_size(const fmu_core *core) {
    (void)core;
    return sizeof(core_saved);
}

static bool core_save(fmu_core *core, void *bytes, fmu_why *why) {
    core_saved all;
    (void)why;
    memset(&all, 0, sizeof all);
    MODEL(save)(&core->m, &all.saved);
    all.par = core->par;
    memcpy(bytes, &all, sizeof all);
    return true;
}

static bool core_restore(fmu_core *core, const void *bytes, double tolerance, fmu_why *why) {
    (void)tolerance; /* of methods that choose their steps */
    core_saved all;
    memcpy(&all, bytes, sizeof all);
    if (MODEL(restore)(&core->m, &all.saved) != 0) {
        fmu_explain(why, "the state is damaged, or of another model");
        return false;
    }
    core->par = all.par;
    return true;
}
