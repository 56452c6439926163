/* fmi3: the functions of FMI 3.0 for model exchange and co-simulation. Types and names are those of
 * the standard (https://fmi-standard.org). */
#include "fmu.h"

/* ---- types of the standard ----------------------------------------------------------------------
 */

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;
typedef enum {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;
typedef void fmi3LogMessageCallback(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void fmi3IntermediateUpdateCallback(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean,
                                            fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean *,
                                            fmi3Float64 *);
typedef void fmi3ClockUpdateCallback(fmi3InstanceEnvironment);
typedef void fmi3LockPreemptionCallback(void);
typedef void fmi3UnlockPreemptionCallback(void);

/* A program that links several FMUs gives each a prefix. */
#ifdef FMI3_FUNCTION_PREFIX
#define FMI3_PASTE(a, b) a##b
#define FMI3_JOIN(a, b) FMI3_PASTE(a, b)
#define FMI3(name) FMI3_JOIN(FMI3_FUNCTION_PREFIX, fmi3##name)
#else
#define FMI3(name) fmi3##name
#endif
/* Declares a function and begins it. */
#define FMI3_BEGIN(name, ...)                                                                      \
    FMU_EXPORT fmi3Status FMI3(name)(__VA_ARGS__);                                                 \
    FMU_EXPORT fmi3Status FMI3(name)(__VA_ARGS__)

/* ---- begin and end ------------------------------------------------------------------------------
 */

FMU_EXPORT const char *FMI3(GetVersion)(void);
FMU_EXPORT const char *FMI3(GetVersion)(void) { return "3.0"; }

typedef void fmi3_function(void); /* any, to be kept */

static void fmi3_log(const fmu *f, int status, const char *category, const char *text) {
    fmi3LogMessageCallback *const *to = f->callbacks;
    if (to && *to) (*to)(f->environment, (fmi3Status)status, category, text);
}

static fmu *fmi3_new(int kind, const char *name, const char *token, const char *resources,
                     bool logging, void *environment, fmi3LogMessageCallback *log) {
    fmu *f = calloc(1, sizeof *f + sizeof(fmi3LogMessageCallback *));
    if (!f) return NULL;
    fmi3LogMessageCallback **kept = (void *)(f + 1);
    *kept = log;
    f->kind = kind;
    f->muted = logging ? 0 : ~0;
    f->log = fmi3_log;
    f->callbacks = kept;
    f->environment = environment;
    return fmu_begin(f, name, token, resources);
}

FMU_EXPORT fmi3Instance FMI3(InstantiateModelExchange)(fmi3String, fmi3String, fmi3String,
                                                       fmi3Boolean, fmi3Boolean,
                                                       fmi3InstanceEnvironment,
                                                       fmi3LogMessageCallback *);
FMU_EXPORT fmi3Instance FMI3(InstantiateModelExchange)(fmi3String name, fmi3String token,
                                                       fmi3String resources, fmi3Boolean visible,
                                                       fmi3Boolean logging,
                                                       fmi3InstanceEnvironment environment,
                                                       fmi3LogMessageCallback *log) {
    (void)visible;
    return fmi3_new(FMU_MODEL_EXCHANGE, name, token, resources, logging, environment, log);
}

/* ---- between the steps of co-simulation
 * ----------------------------------------------------------- */

static bool fmi3_meanwhile(fmu *f, double time, double *early) {
    fmi3IntermediateUpdateCallback *hears = (fmi3IntermediateUpdateCallback *)f->hears;
    fmi3Boolean returns = false;
    f->now.mode = FMU_INTERMEDIATE;
    hears(f->environment, time, false, true, true, f->may_return, &returns, early);
    f->now.mode = FMU_STEP;
    return !(returns && f->may_return);
}

/* Whether a variable has values between the steps. Inputs are held during fmi3DoStep. */
static bool fmi3_is_between(const fmu *f, uint32_t reference) {
    const char *name = "fmi3InstantiateCoSimulation";
    const fmu_place at = fmu_find(f, reference);
    if (at.what == FMU_NONE) return fmu_unknown(f, name, reference) == FMU_OK;
    if (at.what == FMU_OUTPUT || (at.what == FMU_STATE && fmu_kind(f, at.i) != FMU_INPUT))
        return true;
    fmu_say(f, FMU_ERROR, "%s: variable %lu does not have intermediateUpdate=\"true\"", name,
            (unsigned long)reference);
    return false;
}

FMU_EXPORT fmi3Instance FMI3(InstantiateCoSimulation)(fmi3String, fmi3String, fmi3String,
                                                      fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                                      fmi3Boolean, const fmi3ValueReference[],
                                                      size_t, fmi3InstanceEnvironment,
                                                      fmi3LogMessageCallback *,
                                                      fmi3IntermediateUpdateCallback *);
FMU_EXPORT fmi3Instance FMI3(InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3Boolean events, fmi3Boolean early, const fmi3ValueReference required[],
    size_t n_required, fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log,
    fmi3IntermediateUpdateCallback *update) {
    (void)visible;
    fmu *f = fmi3_new(FMU_CO_SIMULATION, name, token, resources, logging, environment, log);
    if (!f) return NULL;
    bool good = fmu_given(f, "fmi3InstantiateCoSimulation", required, n_required);
    if (events) fmu_say(f, FMU_ERROR, "fmi3InstantiateCoSimulation: this FMU has no event mode");
    for (size_t k = 0; good && k < n_required; k++) good = fmi3_is_between(f, required[k]);
    if (!good || events) return fmu_free(f), NULL;
    f->hears = (fmi3_function *)update;
    f->may_return = early && update;
    if (update && (n_required > 0 || early)) f->meanwhile = fmi3_meanwhile;
    return f;
}

FMU_EXPORT fmi3Instance FMI3(InstantiateScheduledExecution)(
    fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3InstanceEnvironment,
    fmi3LogMessageCallback *, fmi3ClockUpdateCallback *, fmi3LockPreemptionCallback *,
    fmi3UnlockPreemptionCallback *);
FMU_EXPORT fmi3Instance FMI3(InstantiateScheduledExecution)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback *log,
    fmi3ClockUpdateCallback *update, fmi3LockPreemptionCallback *lock,
    fmi3UnlockPreemptionCallback *unlock) {
    (void)name, (void)token, (void)resources, (void)visible;
    (void)update, (void)lock, (void)unlock;
    if (log && logging)
        log(environment, fmi3Error, "logStatusError",
            "this FMU has no scheduled execution: use model exchange or co-simulation");
    return NULL;
}

FMU_EXPORT void FMI3(FreeInstance)(fmi3Instance);
FMU_EXPORT void FMI3(FreeInstance)(fmi3Instance c) { fmu_free(c); }

FMI3_BEGIN(SetDebugLogging, fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String category[]) {
    if (!fmu_may(c, "fmi3SetDebugLogging", FMU_ALL, FMU_ANY)) return fmi3Error;
    return (fmi3Status)fmu_mute(c, on, n, category);
}

FMI3_BEGIN(EnterInitializationMode, fmi3Instance c, fmi3Boolean has_tolerance,
           fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
    if (!fmu_may(c, "fmi3EnterInitializationMode", FMU_INSTANTIATED, FMU_ANY)) return fmi3Error;
    const int status = fmu_set_up(c, has_tolerance ? tolerance : (double)NAN, start,
                                  has_stop ? stop : (double)NAN);
    return (fmi3Status)(status == FMU_OK ? fmu_initialize(c) : status);
}

FMI3_BEGIN(ExitInitializationMode, fmi3Instance c) {
    if (!fmu_may(c, "fmi3ExitInitializationMode", FMU_INITIALIZATION, FMU_ANY)) return fmi3Error;
    return (fmi3Status)fmu_initialized(c);
}

FMI3_BEGIN(Terminate, fmi3Instance c) {
    if (!fmu_may(c, "fmi3Terminate", FMU_STEPS, FMU_ANY)) return fmi3Error;
    ((fmu *)c)->now.mode = FMU_TERMINATED;
    return fmi3OK;
}

FMI3_BEGIN(Reset, fmi3Instance c) {
    if (!fmu_may(c, "fmi3Reset", FMU_ALL & ~FMU_INTERMEDIATE, FMU_ANY)) return fmi3Error;
    return (fmi3Status)fmu_reset(c);
}

/* There is no structural parameter. */
FMI3_BEGIN(EnterConfigurationMode, fmi3Instance c) {
    if (!c) return fmi3Error;
    return (fmi3Status)fmu_say(c, FMU_ERROR,
                               "fmi3EnterConfigurationMode: this FMU has no structural parameter");
}

FMI3_BEGIN(ExitConfigurationMode, fmi3Instance c) {
    if (!c) return fmi3Error;
    return (fmi3Status)fmu_say(c, FMU_ERROR,
                               "fmi3ExitConfigurationMode: this FMU has no configuration mode");
}

/* ---- values -------------------------------------------------------------------------------------
 */

/* FMI 3.0 counts values, which are as many as references, because no variable is an array. */
static bool fmi3_fits(fmu *f, const char *name, size_t n, size_t n_values) {
    if (!f || n == n_values) return f != NULL;
    fmu_say(f, FMU_ERROR, "%s: %zu values for %zu variables that are numbers", name, n_values, n);
    return false;
}

FMI3_BEGIN(GetFloat64, fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 value[],
           size_t n_values) {
    if (!fmi3_fits(c, "fmi3GetFloat64", n, n_values)) return fmi3Error;
    return (fmi3Status)fmu_get(c, "fmi3GetFloat64", FMU_ALL, vr, n, value);
}

FMI3_BEGIN(SetFloat64, fmi3Instance c, const fmi3ValueReference vr[], size_t n,
           const fmi3Float64 value[], size_t n_values) {
    if (!fmi3_fits(c, "fmi3SetFloat64", n, n_values)) return fmi3Error;
    return (fmi3Status)fmu_set(c, "fmi3SetFloat64", vr, n, value);
}

/* There are no variables of other types. */
static fmi3Status fmi3_none(fmu *f, const char *function, const fmi3ValueReference vr[], size_t n) {
    if (!fmu_may(f, function, FMU_ALL, FMU_ANY)) return fmi3Error;
    if (n == 0) return fmi3OK;
    return (fmi3Status)fmu_say(f, FMU_ERROR,
                               "%s: no variable of this FMU has this type, nor has %lu", function,
                               vr ? (unsigned long)vr[0] : 0UL);
}
#define FMI3_NO(Type)                                                                              \
    FMI3_BEGIN(Get##Type, fmi3Instance c, const fmi3ValueReference vr[], size_t n,                 \
               fmi3##Type value[], size_t n_values) {                                              \
        (void)value, (void)n_values;                                                               \
        return fmi3_none(c, "fmi3Get" #Type, vr, n);                                               \
    }                                                                                              \
    FMI3_BEGIN(Set##Type, fmi3Instance c, const fmi3ValueReference vr[], size_t n,                 \
               const fmi3##Type value[], size_t n_values) {                                        \
        (void)value, (void)n_values;                                                               \
        return fmi3_none(c, "fmi3Set" #Type, vr, n);                                               \
    }
FMI3_NO(Float32)
FMI3_NO(Int8)
FMI3_NO(UInt8)
FMI3_NO(Int16)
FMI3_NO(UInt16)
FMI3_NO(Int32)
FMI3_NO(UInt32)
FMI3_NO(Int64)
FMI3_NO(UInt64)
FMI3_NO(Boolean)
FMI3_NO(String)

FMI3_BEGIN(GetBinary, fmi3Instance c, const fmi3ValueReference vr[], size_t n, size_t size[],
           fmi3Binary value[], size_t n_values) {
    (void)size, (void)value, (void)n_values;
    return fmi3_none(c, "fmi3GetBinary", vr, n);
}

FMI3_BEGIN(SetBinary, fmi3Instance c, const fmi3ValueReference vr[], size_t n, const size_t size[],
           const fmi3Binary value[], size_t n_values) {
    (void)size, (void)value, (void)n_values;
    return fmi3_none(c, "fmi3SetBinary", vr, n);
}

/* ---- clocks of the importer, of which there are none
 * --------------------------------------------- */

#define FMI3_NO_CLOCK(name, ...)                                                                   \
    FMI3_BEGIN(name, fmi3Instance c, const fmi3ValueReference vr[], size_t n, __VA_ARGS__)
#define FMI3_NONE(name) return fmi3_none(c, "fmi3" #name, vr, n)

FMI3_NO_CLOCK(GetClock, fmi3Clock value[]) {
    (void)value;
    FMI3_NONE(GetClock);
}
FMI3_NO_CLOCK(SetClock, const fmi3Clock value[]) {
    (void)value;
    FMI3_NONE(SetClock);
}
FMI3_NO_CLOCK(GetIntervalDecimal, fmi3Float64 interval[], fmi3IntervalQualifier qualifier[]) {
    (void)interval, (void)qualifier;
    FMI3_NONE(GetIntervalDecimal);
}
FMI3_NO_CLOCK(GetIntervalFraction, fmi3UInt64 counter[], fmi3UInt64 resolution[],
              fmi3IntervalQualifier qualifier[]) {
    (void)counter, (void)resolution, (void)qualifier;
    FMI3_NONE(GetIntervalFraction);
}
FMI3_NO_CLOCK(GetShiftDecimal, fmi3Float64 shift[]) {
    (void)shift;
    FMI3_NONE(GetShiftDecimal);
}
FMI3_NO_CLOCK(GetShiftFraction, fmi3UInt64 counter[], fmi3UInt64 resolution[]) {
    (void)counter, (void)resolution;
    FMI3_NONE(GetShiftFraction);
}
FMI3_NO_CLOCK(SetIntervalDecimal, const fmi3Float64 interval[]) {
    (void)interval;
    FMI3_NONE(SetIntervalDecimal);
}
FMI3_NO_CLOCK(SetIntervalFraction, const fmi3UInt64 counter[], const fmi3UInt64 resolution[]) {
    (void)counter, (void)resolution;
    FMI3_NONE(SetIntervalFraction);
}
FMI3_NO_CLOCK(SetShiftDecimal, const fmi3Float64 shift[]) {
    (void)shift;
    FMI3_NONE(SetShiftDecimal);
}
FMI3_NO_CLOCK(SetShiftFraction, const fmi3UInt64 counter[], const fmi3UInt64 resolution[]) {
    (void)counter, (void)resolution;
    FMI3_NONE(SetShiftFraction);
}

FMI3_BEGIN(ActivateModelPartition, fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time) {
    (void)time;
    return fmi3_none(c, "fmi3ActivateModelPartition", &clock, 1);
}

/* ---- dependencies, states of the FMU
 * ------------------------------------------------------------- */

static fmi3Status fmi3_no_dependencies(fmu *f, const char *name) {
    if (!f) return fmi3Error;
    return (fmi3Status)fmu_say(f, FMU_ERROR, "%s: modelDescription.xml has the dependencies", name);
}

FMI3_BEGIN(GetNumberOfVariableDependencies, fmi3Instance c, fmi3ValueReference vr, size_t *n) {
    (void)vr, (void)n;
    return fmi3_no_dependencies(c, "fmi3GetNumberOfVariableDependencies");
}

FMI3_BEGIN(GetVariableDependencies, fmi3Instance c, fmi3ValueReference vr, size_t element[],
           fmi3ValueReference independent[], size_t element_of[], fmi3DependencyKind kind[],
           size_t n) {
    (void)vr, (void)element, (void)independent, (void)element_of, (void)kind, (void)n;
    return fmi3_no_dependencies(c, "fmi3GetVariableDependencies");
}

FMI3_BEGIN(GetFMUState, fmi3Instance c, fmi3FMUState *state) {
    const char *name = "fmi3GetFMUState";
    if (!fmu_may(c, name, FMU_ALL & ~FMU_INTERMEDIATE, FMU_ANY) || !fmu_given(c, name, state, 1))
        return fmi3Error;
    fmu_state *saved = *state;
    const int status = fmu_save(c, name, &saved);
    *state = saved;
    return (fmi3Status)status;
}

FMI3_BEGIN(SetFMUState, fmi3Instance c, fmi3FMUState state) {
    if (!fmu_may(c, "fmi3SetFMUState", FMU_ALL & ~FMU_INTERMEDIATE, FMU_ANY)) return fmi3Error;
    return (fmi3Status)fmu_restore(c, "fmi3SetFMUState", state);
}

FMI3_BEGIN(FreeFMUState, fmi3Instance c, fmi3FMUState *state) {
    if (!fmu_may(c, "fmi3FreeFMUState", FMU_ALL, FMU_ANY)) return fmi3Error;
    if (state) free(*state), *state = NULL;
    return fmi3OK;
}

FMI3_BEGIN(SerializedFMUStateSize, fmi3Instance c, fmi3FMUState state, size_t *size) {
    const char *name = "fmi3SerializedFMUStateSize";
    if (!fmu_may(c, name, FMU_ALL, FMU_ANY) || !fmu_given(c, name, state, 1) ||
        !fmu_given(c, name, size, 1))
        return fmi3Error;
    *size = (size_t)((fmu_state *)state)->size;
    return fmi3OK;
}

FMI3_BEGIN(SerializeFMUState, fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
    if (!fmu_may(c, "fmi3SerializeFMUState", FMU_ALL, FMU_ANY)) return fmi3Error;
    return (fmi3Status)fmu_write(c, "fmi3SerializeFMUState", state, bytes, size);
}

FMI3_BEGIN(DeserializeFMUState, fmi3Instance c, const fmi3Byte bytes[], size_t size,
           fmi3FMUState *state) {
    const char *name = "fmi3DeserializeFMUState";
    if (!fmu_may(c, name, FMU_ALL, FMU_ANY) || !fmu_given(c, name, state, 1)) return fmi3Error;
    fmu_state *read = *state;
    const int status = fmu_read(c, name, bytes, size, &read);
    *state = read;
    return (fmi3Status)status;
}

/* ---- derivatives --------------------------------------------------------------------------------
 */

static bool fmi3_derives(fmu *f, const char *name, const void *unknown, size_t n_unknown,
                         const void *known, size_t n_known) {
    return fmu_may(f, name, FMU_READS & ~FMU_INTERMEDIATE, FMU_ANY) &&
           fmu_given(f, name, unknown, n_unknown) && fmu_given(f, name, known, n_known);
}

FMI3_BEGIN(GetDirectionalDerivative, fmi3Instance c, const fmi3ValueReference unknown[],
           size_t n_unknown, const fmi3ValueReference known[], size_t n_known,
           const fmi3Float64 seed[], size_t n_seed, fmi3Float64 value[], size_t n_values) {
    const char *name = "fmi3GetDirectionalDerivative";
    if (!fmi3_fits(c, name, n_known, n_seed) || !fmi3_fits(c, name, n_unknown, n_values) ||
        !fmi3_derives(c, name, unknown, n_unknown, known, n_known) ||
        !fmu_given(c, name, seed, n_seed) || !fmu_given(c, name, value, n_values))
        return fmi3Error;
    return (fmi3Status)fmu_direct(c, name, unknown, n_unknown, known, n_known, seed, value);
}

/* seeds = J' rates + S' slopes */
static void fmi3_pull(fmu *f) {
    const fmu_facts *facts = f->facts;
    double *seed = fmu_seeds(f), *value = fmu_values(f);
    const double *rate = fmu_rates(f), *lever = fmu_lever(f);
    core_jacobian(f->core, fmu_model_time(f), value);
    for (int k = 0; k < facts->n_jacobian; k++)
        seed[facts->jacobian_column[k]] += value[k] * rate[facts->jacobian_row[k]];
    core_slopes(f->core, fmu_model_time(f), value);
    for (int k = 0; k < facts->n_slopes; k++)
        seed[facts->slope_column[k]] += value[k] * lever[facts->slope_row[k]];
}

static int fmi3_adjoin(fmu *f, const char *function, const uint32_t *unknown, size_t n_unknown,
                       const uint32_t *known, size_t n_known, const double *seed, double *value) {
    const int status = fmu_check_direction(f, function, unknown, n_unknown, known, n_known);
    double *seeds = fmu_seeds(f), *rate = fmu_rates(f), *lever = fmu_lever(f);
    if (status != FMU_OK) return status;
    if (f->now.mode == FMU_INITIALIZATION && f->now.stale && fmu_start(f) != FMU_OK)
        return FMU_ERROR;
    for (int i = 0; i <= f->facts->n_states; i++) seeds[i] = rate[i] = 0.0;
    for (int i = 0; i <= f->facts->n_outputs; i++) lever[i] = 0.0;
    for (size_t k = 0; k < n_unknown; k++) {
        const fmu_place at = fmu_find(f, unknown[k]);
        double *to = at.what == FMU_STATE ? seeds : at.what == FMU_RATE ? rate : lever;
        to[at.i] += seed[k];
    }
    fmi3_pull(f);
    for (size_t k = 0; k < n_known; k++) value[k] = seeds[fmu_column(f, known[k])];
    return fmu_finite(f, function, value, n_known);
}

FMI3_BEGIN(GetAdjointDerivative, fmi3Instance c, const fmi3ValueReference unknown[],
           size_t n_unknown, const fmi3ValueReference known[], size_t n_known,
           const fmi3Float64 seed[], size_t n_seed, fmi3Float64 value[], size_t n_values) {
    const char *name = "fmi3GetAdjointDerivative";
    if (!fmi3_fits(c, name, n_unknown, n_seed) || !fmi3_fits(c, name, n_known, n_values) ||
        !fmi3_derives(c, name, unknown, n_unknown, known, n_known) ||
        !fmu_given(c, name, seed, n_seed) || !fmu_given(c, name, value, n_values))
        return fmi3Error;
    return (fmi3Status)fmi3_adjoin(c, name, unknown, n_unknown, known, n_known, seed, value);
}

FMI3_BEGIN(GetOutputDerivatives, fmi3Instance c, const fmi3ValueReference vr[], size_t n,
           const fmi3Int32 order[], fmi3Float64 value[], size_t n_values) {
    (void)vr, (void)order, (void)value, (void)n_values;
    if (!fmu_may(c, "fmi3GetOutputDerivatives", FMU_STEP | FMU_TERMINATED, FMU_CS))
        return fmi3Error;
    if (n == 0) return fmi3OK;
    return (fmi3Status)fmu_say(
        c, FMU_ERROR, "fmi3GetOutputDerivatives: outputs have no derivatives in time here");
}

/* ---- model exchange -----------------------------------------------------------------------------
 */

FMI3_BEGIN(EnterEventMode, fmi3Instance c) {
    return (fmi3Status)(c ? fmu_enter_event(c, "fmi3EnterEventMode") : FMU_ERROR);
}

FMI3_BEGIN(EvaluateDiscreteStates, fmi3Instance c) {
    if (!fmu_may(c, "fmi3EvaluateDiscreteStates", FMU_INITIALIZATION | FMU_EVENT, FMU_ME))
        return fmi3Error;
    return fmi3OK; /* fmi3UpdateDiscreteStates computes and takes them at once */
}

FMI3_BEGIN(UpdateDiscreteStates, fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate,
           fmi3Boolean *nominals, fmi3Boolean *changed, fmi3Boolean *has_event,
           fmi3Float64 *event) {
    const char *name = "fmi3UpdateDiscreteStates";
    fmu_update update;
    if (!c || !fmu_given(c, name, again, 1) || !fmu_given(c, name, terminate, 1) ||
        !fmu_given(c, name, nominals, 1) || !fmu_given(c, name, changed, 1) ||
        !fmu_given(c, name, has_event, 1) || !fmu_given(c, name, event, 1))
        return fmi3Error;
    const int status = fmu_update_discrete(c, name, &update);
    if (status >= FMU_ERROR) return fmi3Error;
    *again = *nominals = false;
    *terminate = update.stops;
    *changed = update.changed;
    *has_event = update.has_event;
    *event = update.event;
    return (fmi3Status)status;
}

FMI3_BEGIN(EnterContinuousTimeMode, fmi3Instance c) {
    return (fmi3Status)(c ? fmu_enter_continuous(c, "fmi3EnterContinuousTimeMode") : FMU_ERROR);
}

FMI3_BEGIN(CompletedIntegratorStep, fmi3Instance c, fmi3Boolean no_way_back,
           fmi3Boolean *event_mode, fmi3Boolean *terminate) {
    const char *name = "fmi3CompletedIntegratorStep";
    (void)no_way_back;
    if (!c || !fmu_given(c, name, event_mode, 1) || !fmu_given(c, name, terminate, 1))
        return fmi3Error;
    return (fmi3Status)fmu_complete_step(c, name, event_mode, terminate);
}

FMI3_BEGIN(SetTime, fmi3Instance c, fmi3Float64 t) {
    return (fmi3Status)(c ? fmu_set_time(c, "fmi3SetTime", t) : FMU_ERROR);
}

FMI3_BEGIN(SetContinuousStates, fmi3Instance c, const fmi3Float64 x[], size_t n) {
    return (fmi3Status)(c ? fmu_set_states(c, "fmi3SetContinuousStates", x, n) : FMU_ERROR);
}

FMI3_BEGIN(GetContinuousStateDerivatives, fmi3Instance c, fmi3Float64 rate[], size_t n) {
    return (fmi3Status)(c ? fmu_get_rates(c, "fmi3GetContinuousStateDerivatives", rate, n)
                          : FMU_ERROR);
}

FMI3_BEGIN(GetEventIndicators, fmi3Instance c, fmi3Float64 indicators[], size_t n) {
    (void)indicators;
    if (!fmu_may(c, "fmi3GetEventIndicators", FMU_READS, FMU_ME)) return fmi3Error;
    if (n == 0) return fmi3OK;
    return (fmi3Status)fmu_say(c, FMU_ERROR, "fmi3GetEventIndicators: there are 0, not %zu", n);
}

FMI3_BEGIN(GetContinuousStates, fmi3Instance c, fmi3Float64 x[], size_t n) {
    return (fmi3Status)(c ? fmu_get_states(c, "fmi3GetContinuousStates", x, n) : FMU_ERROR);
}

FMI3_BEGIN(GetNominalsOfContinuousStates, fmi3Instance c, fmi3Float64 x[], size_t n) {
    return (fmi3Status)(c ? fmu_get_nominals(c, "fmi3GetNominalsOfContinuousStates", x, n)
                          : FMU_ERROR);
}

FMI3_BEGIN(GetNumberOfEventIndicators, fmi3Instance c, size_t *n) {
    const char *name = "fmi3GetNumberOfEventIndicators";
    if (!fmu_may(c, name, FMU_ALL, FMU_ME) || !fmu_given(c, name, n, 1)) return fmi3Error;
    *n = 0;
    return fmi3OK;
}

FMI3_BEGIN(GetNumberOfContinuousStates, fmi3Instance c, size_t *n) {
    const char *name = "fmi3GetNumberOfContinuousStates";
    if (!fmu_may(c, name, FMU_ALL, FMU_ME) || !fmu_given(c, name, n, 1)) return fmi3Error;
    *n = (size_t)fmu_count_rated(c);
    return fmi3OK;
}

/* ---- co-simulation ------------------------------------------------------------------------------
 */

FMI3_BEGIN(EnterStepMode, fmi3Instance c) {
    if (!c) return fmi3Error;
    return (fmi3Status)fmu_say(c, FMU_ERROR,
                               "fmi3EnterStepMode: this FMU has no event mode to leave");
}

FMI3_BEGIN(DoStep, fmi3Instance c, fmi3Float64 from, fmi3Float64 h, fmi3Boolean no_way_back,
           fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *reached) {
    const char *name = "fmi3DoStep";
    fmu_outcome outcome;
    (void)no_way_back;
    if (!fmu_may(c, name, FMU_STEP, FMU_CS) || !fmu_given(c, name, event, 1) ||
        !fmu_given(c, name, terminate, 1) || !fmu_given(c, name, early, 1) ||
        !fmu_given(c, name, reached, 1))
        return fmi3Error;
    const int status = fmu_step(c, name, from, h, &outcome);
    *event = false;
    *terminate = outcome.stopped;
    *early = outcome.early;
    *reached = outcome.reached;
    return (fmi3Status)status;
}
