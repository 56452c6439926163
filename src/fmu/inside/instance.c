/* instance: an instance of an FMU: its modes, its values, and how it is saved, for both versions of
 * FMI. */
#include "fmu.h"

/* ---- log --------------------------------------------------------------------------------------
 */

static const char *const fmu_categories[] = {"logAll", "logStatusWarning", "logStatusDiscard",
                                             "logStatusError"};
enum { FMU_CATEGORIES = 4 };

static int fmu_say(const fmu *f, int status, const char *format, ...) FMU_PRINTF(3, 4);
static int fmu_say(const fmu *f, int status, const char *format, ...) {
    char text[FMU_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (f->log && !(f->muted & 1 << status)) f->log(f, status, fmu_categories[status], text);
    return status;
}

/* On: these categories alone, 0 of them: all. Off: nothing is logged. */
static int fmu_mute(fmu *f, bool on, size_t n, const char *const *category) {
    int bits = 0;
    for (size_t i = 0; i < n; i++) {
        int k = 0;
        while (k < FMU_CATEGORIES &&
               (!category || !category[i] || strcmp(category[i], fmu_categories[k])))
            k++;
        if (k == FMU_CATEGORIES)
            return fmu_say(f, FMU_ERROR, "there is no log category '%s'",
                           category && category[i] ? category[i] : "(NULL)");
        bits |= k ? 1 << k : ~0;
    }
    f->muted = on ? (n ? ~bits : 0) : ~0;
    return FMU_OK;
}

/* ---- modes ------------------------------------------------------------------------------------
 */

static const char *fmu_mode_name(int mode) {
    switch (mode) {
    case FMU_INSTANTIATED: return "instantiated";
    case FMU_INITIALIZATION: return "initialization mode";
    case FMU_EVENT: return "event mode";
    case FMU_CONTINUOUS: return "continuous-time mode";
    case FMU_STEP: return "step mode";
    case FMU_INTERMEDIATE: return "intermediate update mode";
    default: return "terminated";
    }
}

/* Whether a function may be called now; kinds: bits 1 << FMU_MODEL_EXCHANGE, ... */
static bool fmu_may(const fmu *f, const char *function, int modes, int kinds) {
    if (!f) return false;
    if (!(kinds & 1 << f->kind))
        fmu_say(f, FMU_ERROR, "%s does not belong to %s", function,
                f->kind == FMU_CO_SIMULATION ? "co-simulation" : "model exchange");
    else if (!(modes & f->now.mode))
        fmu_say(f, FMU_ERROR, "%s may not be called in the state '%s'", function,
                fmu_mode_name(f->now.mode));
    else
        return true;
    return false;
}
enum { FMU_ME = 1 << FMU_MODEL_EXCHANGE, FMU_CS = 1 << FMU_CO_SIMULATION, FMU_ANY = 3 };

static bool fmu_given(const fmu *f, const char *function, const void *pointer, size_t n) {
    if (pointer || n == 0) return true;
    fmu_say(f, FMU_ERROR, "%s: an array is NULL", function);
    return false;
}

/* ---- begin and end ------------------------------------------------------------------------------
 */

static void fmu_clear(fmu *f) {
    memset(&f->now, 0, sizeof f->now);
    f->now.mode = FMU_INSTANTIATED;
    f->now.stale = true;
    f->now.stop = f->now.tolerance = (double)NAN;
    f->now.event = (double)INFINITY;
    memset(f->set, 0, (size_t)f->facts->n_states + 1);
}

static void fmu_free(fmu *f) {
    if (!f) return;
    core_free(f->core);
    free(f->name);
    free(f->start);
    free(f->set);
    free(f->work);
    free(f);
}

static size_t fmu_larger(int a, int b) { return (size_t)(a > b ? a : b); }

static bool fmu_take_memory(fmu *f, const char *name) {
    const fmu_facts *facts = f->facts;
    const size_t n = (size_t)facts->n_states + 1, y = (size_t)facts->n_outputs + 1;
    f->name = malloc(strlen(name) + 1);
    f->start = calloc(n, sizeof *f->start);
    f->set = calloc(n, 1);
    f->work =
        calloc(2 * n + 3 * y + fmu_larger(facts->n_jacobian, facts->n_slopes), sizeof *f->work);
    if (!f->name || !f->start || !f->set || !f->work) return false;
    memcpy(f->name, name, strlen(name) + 1);
    return true;
}
/* Parts of the scratch. */
static double *fmu_rates(const fmu *f) { return f->work; }
static double *fmu_seeds(const fmu *f) { return f->work + f->facts->n_states + 1; }
static double *fmu_outputs(const fmu *f) { return fmu_seeds(f) + f->facts->n_states + 1; }
static double *fmu_slopes(const fmu *f) { return fmu_outputs(f) + f->facts->n_outputs + 1; }
static double *fmu_lever(const fmu *f) { return fmu_slopes(f) + f->facts->n_outputs + 1; }
static double *fmu_values(const fmu *f) { return fmu_lever(f) + f->facts->n_outputs + 1; }

/* f comes with its log; frees it and returns NULL if it cannot begin. */
static fmu *fmu_begin(fmu *f, const char *name, const char *token, const char *resources) {
    fmu_why why = {"out of memory"};
    if (!name || !*name) fmu_say(f, FMU_ERROR, "an instance needs a name");
    f->core = name && *name ? core_new(resources, f->kind, &why) : NULL;
    f->facts = f->core ? core_facts(f->core) : NULL;
    bool good = f->core && fmu_take_memory(f, name);
    if (!good && name && *name) fmu_say(f, FMU_ERROR, "%s", why.text);
    if (good && (!token || strcmp(token, f->facts->token) != 0)) {
        fmu_say(f, FMU_ERROR,
                "the token '%.80s' is not that of this FMU, '%s': the modelDescription.xml "
                "belongs to another one",
                token ? token : "(NULL)", f->facts->token);
        good = false;
    }
    if (good && f->kind == FMU_MODEL_EXCHANGE && !f->facts->exchanges) {
        fmu_say(f, FMU_ERROR, "the method of this model needs its own steps: use co-simulation");
        good = false;
    }
    if (good) return fmu_clear(f), f;
    fmu_free(f);
    return NULL;
}

/* ---- the start ----------------------------------------------------------------------------------
 */

/* From the parameters, and what the importer has set. */
static int fmu_start(fmu *f) {
    fmu_why why = {""};
    if (!core_begin(f->core, f->now.time, f->set, f->start, f->now.tolerance, &why))
        return fmu_say(f, FMU_ERROR, "%s", why.text);
    f->now.stale = false;
    return FMU_OK;
}

/* NAN: not defined. */
static int fmu_set_up(fmu *f, double tolerance, double begin, double stop) {
    if (!isfinite(begin)) return fmu_say(f, FMU_ERROR, "the start time is not a finite number");
    if (stop <= begin)
        return fmu_say(f, FMU_ERROR, "the stop time %g s is not after the start time %g s", stop,
                       begin);
    if (tolerance <= 0.0)
        return fmu_say(f, FMU_ERROR, "the tolerance %g is not positive", tolerance);
    f->now.time = f->now.last = f->now.reached = begin;
    f->now.stop = stop;
    f->now.tolerance = tolerance;
    f->now.stale = true;
    return FMU_OK;
}

static int fmu_initialize(fmu *f) {
    f->now.mode = FMU_INITIALIZATION;
    f->now.stale = true;
    return FMU_OK;
}

static int fmu_initialized(fmu *f) {
    const int status = f->now.stale ? fmu_start(f) : FMU_OK;
    if (status != FMU_OK) return status;
    f->now.event = core_event(f->core, f->now.time);
    f->now.mode = f->kind == FMU_CO_SIMULATION ? FMU_STEP : FMU_EVENT;
    f->now.settled = false;
    return FMU_OK;
}

static int fmu_reset(fmu *f) {
    fmu_why why = {""};
    fmu_clear(f);
    return core_default_par(f->core, &why) ? FMU_OK : fmu_say(f, FMU_ERROR, "%s", why.text);
}

/* ---- variables ----------------------------------------------------------------------------------
 */

enum { FMU_NONE, FMU_TIME, FMU_STATE, FMU_RATE, FMU_OUTPUT, FMU_PAR };
typedef struct fmu_place {
    int what, i;
} fmu_place;

static int fmu_kind(const fmu *f, int state) { return f->facts->state[state] & FMU_KIND; }

static fmu_place fmu_find(const fmu *f, uint32_t reference) {
    const fmu_facts *facts = f->facts;
    const fmu_place none = {FMU_NONE, 0};
    if (reference == 0) return (fmu_place){FMU_TIME, 0};
    int64_t i = (int64_t)reference - 1;
    if (i < facts->n_states)
        return fmu_kind(f, (int)i) != FMU_HIDDEN ? (fmu_place){FMU_STATE, (int)i} : none;
    i -= facts->n_states;
    if (i < facts->n_states)
        return fmu_kind(f, (int)i) == FMU_RATED ? (fmu_place){FMU_RATE, (int)i} : none;
    i -= facts->n_states;
    if (i < facts->n_outputs) return (fmu_place){FMU_OUTPUT, (int)i};
    i -= facts->n_outputs;
    if (i < facts->n_par && facts->par[i] != FMU_NO_PAR) return (fmu_place){FMU_PAR, (int)i};
    return none;
}

static int fmu_unknown(const fmu *f, const char *function, uint32_t reference) {
    return fmu_say(f, FMU_ERROR,
                   "%s: there is no variable of type Float64 (Real) with value reference %lu",
                   function, (unsigned long)reference);
}

/* The time at which rates and outputs are computed: until the importer handles an event, the values
 * before it hold. */
static double fmu_instant(const fmu *f) {
    const bool before = f->now.mode == FMU_CONTINUOUS && f->now.time >= f->now.event;
    return before ? nextafter(f->now.event, -(double)INFINITY) : f->now.time;
}

/* Of co-simulation: the time that the model has reached. */
static double fmu_model_time(const fmu *f) {
    const bool steps = f->kind == FMU_CO_SIMULATION && f->now.mode != FMU_INITIALIZATION;
    return steps ? core_time(f->core) : fmu_instant(f);
}

static double fmu_value(const fmu *f, fmu_place at) {
    switch (at.what) {
    case FMU_TIME: return f->now.time;
    case FMU_STATE: return core_states(f->core)[at.i];
    case FMU_RATE: return fmu_rates(f)[at.i];
    case FMU_OUTPUT: return fmu_outputs(f)[at.i];
    default: return core_par(f->core, at.i);
    }
}

/* The modes in which a variable can be set. */
static int fmu_set_modes(const fmu *f, fmu_place at) {
    const int between = f->kind == FMU_CO_SIMULATION ? FMU_STEP : FMU_EVENT;
    if (at.what == FMU_PAR)
        return f->facts->par[at.i] == FMU_TUNABLE ? FMU_BEFORE | between : FMU_BEFORE;
    if (at.what != FMU_STATE) return 0;
    if (fmu_kind(f, at.i) == FMU_INPUT) return FMU_BEFORE | FMU_STEPS;
    return f->facts->state[at.i] & FMU_STARTS ? FMU_BEFORE : 0;
}

/* Computes the variables that the importer reads. */
static int fmu_compute(fmu *f, const uint32_t *reference, size_t n, const char *function) {
    bool rates = false, outputs = false;
    for (size_t k = 0; k < n; k++) {
        const fmu_place at = fmu_find(f, reference[k]);
        if (at.what == FMU_NONE) return fmu_unknown(f, function, reference[k]);
        if (f->now.mode == FMU_INSTANTIATED && !(fmu_set_modes(f, at) & FMU_INSTANTIATED))
            return fmu_say(f, FMU_ERROR, "%s: variable %lu is not known in the state '%s'",
                           function, (unsigned long)reference[k], fmu_mode_name(f->now.mode));
        rates = rates || at.what == FMU_RATE;
        outputs = outputs || at.what == FMU_OUTPUT;
    }
    if (f->now.mode & FMU_BEFORE && f->now.stale && fmu_start(f) != FMU_OK) return FMU_ERROR;
    if (rates) core_rate(f->core, fmu_model_time(f), fmu_rates(f));
    if (outputs && !core_output(f->core, fmu_model_time(f), fmu_outputs(f)))
        return fmu_say(f, FMU_DISCARD, "the outputs cannot be computed at t = %.9g s", f->now.time);
    return FMU_OK;
}

/* FMI 3.0 reads starts in the state 'instantiated' too. */
static int fmu_get(fmu *f, const char *function, int modes, const uint32_t *reference, size_t n,
                   double *value) {
    if (!fmu_may(f, function, modes, FMU_ANY)) return FMU_ERROR;
    if (!fmu_given(f, function, reference, n) || !fmu_given(f, function, value, n))
        return FMU_ERROR;
    const int status = fmu_compute(f, reference, n, function);
    if (status != FMU_OK) return status;
    for (size_t k = 0; k < n; k++) {
        value[k] = fmu_value(f, fmu_find(f, reference[k]));
        if (!isfinite(value[k]))
            return fmu_say(f, FMU_DISCARD, "variable %lu is not finite at t = %.9g s",
                           (unsigned long)reference[k], f->now.time);
    }
    return FMU_OK;
}

/* ---- set ----------------------------------------------------------------------------------------
 */

static int fmu_check_set(const fmu *f, const char *function, uint32_t reference, double value) {
    fmu_why why = {""};
    const fmu_place at = fmu_find(f, reference);
    const int modes = at.what == FMU_NONE ? 0 : fmu_set_modes(f, at);
    if (at.what == FMU_NONE) return fmu_unknown(f, function, reference);
    if (modes == 0)
        return fmu_say(f, FMU_ERROR, "%s: the model computes variable %lu: it cannot be set",
                       function, (unsigned long)reference);
    if (!(modes & f->now.mode))
        return fmu_say(f, FMU_ERROR, "%s: variable %lu cannot be set in the state '%s'", function,
                       (unsigned long)reference, fmu_mode_name(f->now.mode));
    if (!isfinite(value))
        return fmu_say(f, FMU_DISCARD, "%s: the value of variable %lu is not finite", function,
                       (unsigned long)reference);
    if (at.what == FMU_PAR && !core_par_fits(f->core, at.i, value, &why))
        return fmu_say(f, FMU_ERROR, "%s: %s", function, why.text);
    return FMU_OK;
}

static bool fmu_put(fmu *f, fmu_place at, double value) {
    if (at.what == FMU_PAR) return core_put_par(f->core, at.i, value), true;
    if (!(f->now.mode & FMU_BEFORE)) return core_put_state(f->core, at.i, value);
    f->set[at.i] = 1;
    f->start[at.i] = value;
    return true;
}

/* All of them or none. */
static int fmu_set(fmu *f, const char *function, const uint32_t *reference, size_t n,
                   const double *value) {
    fmu_why why = {""};
    bool par = false, good = true;
    if (!fmu_may(f, function, FMU_BEFORE | FMU_STEPS, FMU_ANY)) return FMU_ERROR;
    if (!fmu_given(f, function, reference, n) || !fmu_given(f, function, value, n))
        return FMU_ERROR;
    for (size_t k = 0; k < n; k++) {
        const int status = fmu_check_set(f, function, reference[k], value[k]);
        if (status != FMU_OK) return status;
        par = par || fmu_find(f, reference[k]).what == FMU_PAR;
    }
    for (size_t k = 0; k < n; k++) good = fmu_put(f, fmu_find(f, reference[k]), value[k]) && good;
    if (f->now.mode & FMU_BEFORE) f->now.stale = true;
    if (par && !core_take_par(f->core, &why))
        return fmu_say(f, FMU_ERROR, "%s: %s", function, why.text);
    return good ? FMU_OK : fmu_say(f, FMU_ERROR, "%s: an input is refused", function);
}

/* ---- derivatives --------------------------------------------------------------------------------
 */

/* The place of a known variable among the columns of the derivatives; -1: it is none. */
static int fmu_column(const fmu *f, uint32_t reference) {
    const fmu_place at = fmu_find(f, reference);
    if (at.what == FMU_TIME) return f->facts->n_states;
    return at.what == FMU_STATE && fmu_kind(f, at.i) != FMU_HELD ? at.i : -1;
}

static bool fmu_is_dependent(const fmu *f, uint32_t reference) {
    const fmu_place at = fmu_find(f, reference);
    return at.what == FMU_RATE || at.what == FMU_OUTPUT ||
           (at.what == FMU_STATE && fmu_kind(f, at.i) != FMU_INPUT);
}

static int fmu_check_direction(const fmu *f, const char *function, const uint32_t *unknown,
                               size_t n_unknown, const uint32_t *known, size_t n_known) {
    if (!f->facts->n_jacobian)
        return fmu_say(f, FMU_ERROR, "%s: this model gives no directional derivatives", function);
    for (size_t k = 0; k < n_unknown; k++)
        if (!fmu_is_dependent(f, unknown[k]))
            return fmu_say(f, FMU_ERROR, "%s: variable %lu is not one that depends on others",
                           function, (unsigned long)unknown[k]);
    for (size_t k = 0; k < n_known; k++)
        if (fmu_column(f, known[k]) < 0)
            return fmu_say(f, FMU_ERROR,
                           "%s: variable %lu is not a continuous state, an input or the time",
                           function, (unsigned long)known[k]);
    return FMU_OK;
}

/* The derivative of an unknown along `seeds`, after fmu_push. */
static double fmu_pushed(const fmu *f, uint32_t reference) {
    const fmu_place at = fmu_find(f, reference);
    if (at.what == FMU_STATE) return fmu_seeds(f)[at.i];
    return at.what == FMU_RATE ? fmu_rates(f)[at.i] : fmu_slopes(f)[at.i];
}

/* rates = J seeds, slopes = S seeds */
static void fmu_push(fmu *f) {
    const fmu_facts *facts = f->facts;
    const double *seed = fmu_seeds(f);
    double *rate = fmu_rates(f), *slope = fmu_slopes(f), *value = fmu_values(f);
    for (int i = 0; i <= facts->n_states; i++) rate[i] = 0.0;
    for (int i = 0; i <= facts->n_outputs; i++) slope[i] = 0.0;
    core_jacobian(f->core, fmu_model_time(f), value);
    for (int k = 0; k < facts->n_jacobian; k++)
        rate[facts->jacobian_row[k]] += value[k] * seed[facts->jacobian_column[k]];
    core_slopes(f->core, fmu_model_time(f), value);
    for (int k = 0; k < facts->n_slopes; k++)
        slope[facts->slope_row[k]] += value[k] * seed[facts->slope_column[k]];
}

static int fmu_finite(const fmu *f, const char *function, const double *value, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (!isfinite(value[k]))
            return fmu_say(f, FMU_DISCARD, "%s: a derivative is not finite at t = %.9g s", function,
                           f->now.time);
    return FMU_OK;
}

static int fmu_direct(fmu *f, const char *function, const uint32_t *unknown, size_t n_unknown,
                      const uint32_t *known, size_t n_known, const double *seed, double *value) {
    const int status = fmu_check_direction(f, function, unknown, n_unknown, known, n_known);
    double *seeds = fmu_seeds(f);
    if (status != FMU_OK) return status;
    if (f->now.mode == FMU_INITIALIZATION && f->now.stale && fmu_start(f) != FMU_OK)
        return FMU_ERROR;
    for (int i = 0; i <= f->facts->n_states; i++) seeds[i] = 0.0;
    for (size_t k = 0; k < n_known; k++) seeds[fmu_column(f, known[k])] += seed[k];
    fmu_push(f);
    for (size_t k = 0; k < n_unknown; k++) value[k] = fmu_pushed(f, unknown[k]);
    return fmu_finite(f, function, value, n_unknown);
}

/* ---- save and restore
 * ------------------------------------------------------------------------------ */

/* Bytes: mark of the FMU, sum of the rest, now, starts, the model. */
typedef struct fmu_state {
    uint64_t size, mark, sum;
} fmu_state;

static uint64_t fmu_sum(uint64_t sum, const void *bytes, size_t n) {
    const unsigned char *next = bytes;
    for (; n > 0; n--) sum = (sum ^ *next++) * 1099511628211u;
    return sum;
}

static uint64_t fmu_mark(const fmu *f) {
    const uint64_t sum = fmu_sum(14695981039346656037u, f->facts->token, strlen(f->facts->token));
    return fmu_sum(sum, &f->kind, sizeof f->kind);
}

static size_t fmu_state_size(const fmu *f) {
    const size_t n = (size_t)f->facts->n_states + 1;
    return sizeof(fmu_state) + sizeof(fmu_now) + n * (sizeof(double) + 1) + core_save_size(f->core);
}

static char *fmu_after(char *at, const void *from, size_t n) {
    memcpy(at, from, n);
    return at + n;
}

static int fmu_save(fmu *f, const char *function, fmu_state **state) {
    fmu_why why = {""};
    const size_t size = fmu_state_size(f), n = (size_t)f->facts->n_states + 1;
    if (core_save_size(f->core) == 0)
        return fmu_say(f, FMU_ERROR, "%s: the method of this model cannot be saved", function);
    if (f->now.stale && f->now.mode == FMU_INITIALIZATION && fmu_start(f) != FMU_OK)
        return FMU_ERROR;
    if (*state && (*state)->size != size) free(*state), *state = NULL;
    if (!*state) *state = calloc(1, size);
    if (!*state) return fmu_say(f, FMU_ERROR, "%s: out of memory", function);
    char *at = (char *)*state + sizeof **state;
    at = fmu_after(at, &f->now, sizeof f->now);
    at = fmu_after(at, f->start, n * sizeof *f->start);
    at = fmu_after(at, f->set, n);
    if (!core_save(f->core, at, &why)) return fmu_say(f, FMU_ERROR, "%s: %s", function, why.text);
    (*state)->size = size;
    (*state)->mark = fmu_mark(f);
    (*state)->sum = fmu_sum(0, *state + 1, size - sizeof **state);
    return FMU_OK;
}

static int fmu_restore(fmu *f, const char *function, const fmu_state *state) {
    fmu_why why = {""};
    fmu_state about = {0};
    const size_t n = (size_t)f->facts->n_states + 1;
    if (state) memcpy(&about, state, sizeof about);
    if (!state || about.size != fmu_state_size(f) || about.mark != fmu_mark(f) ||
        about.sum != fmu_sum(0, state + 1, (size_t)about.size - sizeof about))
        return fmu_say(f, FMU_ERROR, "%s: this state was not saved by this FMU, or is damaged",
                       function);
    const char *at = (const char *)(state + 1);
    fmu_now now;
    memcpy(&now, at, sizeof now);
    if (!core_restore(f->core, at + sizeof now + n * (sizeof(double) + 1), now.tolerance, &why))
        return fmu_say(f, FMU_ERROR, "%s: %s", function, why.text);
    f->now = now;
    memcpy(f->start, at + sizeof f->now, n * sizeof *f->start);
    memcpy(f->set, at + sizeof f->now + n * sizeof *f->start, n);
    return FMU_OK;
}

/* Bytes that another run of the same program can restore. */
static int fmu_write(const fmu *f, const char *function, const fmu_state *state, void *bytes,
                     size_t size) {
    if (!state || !bytes || size < state->size)
        return fmu_say(f, FMU_ERROR, "%s: there is no state, or too little room for it", function);
    memcpy(bytes, state, (size_t)state->size);
    return FMU_OK;
}

static int fmu_read(const fmu *f, const char *function, const void *bytes, size_t size,
                    fmu_state **state) {
    fmu_state about;
    if (bytes && size >= sizeof about) memcpy(&about, bytes, sizeof about);
    if (!bytes || size < sizeof about || about.size != fmu_state_size(f) || size < about.size ||
        about.mark != fmu_mark(f))
        return fmu_say(f, FMU_ERROR, "%s: these bytes are not a state of this FMU", function);
    free(*state);
    *state = malloc((size_t)about.size);
    if (!*state) return fmu_say(f, FMU_ERROR, "%s: out of memory", function);
    memcpy(*state, bytes, (size_t)about.size);
    return FMU_OK;
}
