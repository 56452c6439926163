/* fmi2: the functions of FMI 2.0 for model exchange and co-simulation. Types and names are those of
 * the standard (https://fmi-standard.org). */
#include "fmu.h"

/* ---- types of the standard ----------------------------------------------------------------------
 */

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum {
    fmi2DoStepStatus,
    fmi2PendingStatus,
    fmi2LastSuccessfulTime,
    fmi2Terminated
} fmi2StatusKind;
typedef void fmi2Logger(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String,
                        ...);
typedef struct fmi2CallbackFunctions {
    fmi2Logger *logger;
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;
typedef struct fmi2EventInfo {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
        valuesOfContinuousStatesChanged, nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

/* A program that links several FMUs gives each a prefix. */
#ifdef FMI2_FUNCTION_PREFIX
#define FMI2_PASTE(a, b) a##b
#define FMI2_JOIN(a, b) FMI2_PASTE(a, b)
#define FMI2(name) FMI2_JOIN(FMI2_FUNCTION_PREFIX, fmi2##name)
#else
#define FMI2(name) fmi2##name
#endif
#define FMI2_STATUS(name) FMU_EXPORT fmi2Status FMI2(name)

/* ---- begin and end ------------------------------------------------------------------------------
 */

FMU_EXPORT const char *FMI2(GetTypesPlatform)(void);
FMU_EXPORT const char *FMI2(GetTypesPlatform)(void) { return "default"; }

FMU_EXPORT const char *FMI2(GetVersion)(void);
FMU_EXPORT const char *FMI2(GetVersion)(void) { return "2.0"; }

static void fmi2_log(const fmu *f, int status, const char *category, const char *text) {
    const fmi2CallbackFunctions *to = f->callbacks;
    if (to && to->logger)
        to->logger(f->environment, f->name ? f->name : "", (fmi2Status)status, category, "%s",
                   text);
}

FMU_EXPORT fmi2Component FMI2(Instantiate)(fmi2String, fmi2Type, fmi2String, fmi2String,
                                           const fmi2CallbackFunctions *, fmi2Boolean, fmi2Boolean);
FMU_EXPORT fmi2Component FMI2(Instantiate)(fmi2String name, fmi2Type type, fmi2String guid,
                                           fmi2String resources,
                                           const fmi2CallbackFunctions *functions,
                                           fmi2Boolean visible, fmi2Boolean logging) {
    (void)visible;
    if (!functions || (type != fmi2ModelExchange && type != fmi2CoSimulation)) return NULL;
    fmu *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->kind = type == fmi2CoSimulation ? FMU_CO_SIMULATION : FMU_MODEL_EXCHANGE;
    f->muted = logging ? 0 : ~0;
    f->log = fmi2_log;
    f->callbacks = functions;
    f->environment = functions->componentEnvironment;
    return fmu_begin(f, name, guid, resources);
}

FMU_EXPORT void FMI2(FreeInstance)(fmi2Component);
FMU_EXPORT void FMI2(FreeInstance)(fmi2Component c) { fmu_free(c); }

FMI2_STATUS(SetDebugLogging)(fmi2Component, fmi2Boolean, size_t, const fmi2String[]);
FMI2_STATUS(SetDebugLogging)
(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String category[]) {
    if (!fmu_may(c, "fmi2SetDebugLogging", FMU_ALL, FMU_ANY)) return fmi2Error;
    return (fmi2Status)fmu_mute(c, on, n, category);
}

FMI2_STATUS(SetupExperiment)(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real);
FMI2_STATUS(SetupExperiment)
(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
 fmi2Boolean has_stop, fmi2Real stop) {
    if (!fmu_may(c, "fmi2SetupExperiment", FMU_INSTANTIATED, FMU_ANY)) return fmi2Error;
    return (fmi2Status)fmu_set_up(c, has_tolerance ? tolerance : (double)NAN, start,
                                  has_stop ? stop : (double)NAN);
}

FMI2_STATUS(EnterInitializationMode)(fmi2Component);
FMI2_STATUS(EnterInitializationMode)(fmi2Component c) {
    if (!fmu_may(c, "fmi2EnterInitializationMode", FMU_INSTANTIATED, FMU_ANY)) return fmi2Error;
    return (fmi2Status)fmu_initialize(c);
}

FMI2_STATUS(ExitInitializationMode)(fmi2Component);
FMI2_STATUS(ExitInitializationMode)(fmi2Component c) {
    if (!fmu_may(c, "fmi2ExitInitializationMode", FMU_INITIALIZATION, FMU_ANY)) return fmi2Error;
    return (fmi2Status)fmu_initialized(c);
}

FMI2_STATUS(Terminate)(fmi2Component);
FMI2_STATUS(Terminate)(fmi2Component c) {
    if (!fmu_may(c, "fmi2Terminate", FMU_STEPS, FMU_ANY)) return fmi2Error;
    ((fmu *)c)->now.mode = FMU_TERMINATED;
    return fmi2OK;
}

FMI2_STATUS(Reset)(fmi2Component);
FMI2_STATUS(Reset)(fmi2Component c) {
    if (!fmu_may(c, "fmi2Reset", FMU_ALL, FMU_ANY)) return fmi2Error;
    return (fmi2Status)fmu_reset(c);
}

/* ---- values -------------------------------------------------------------------------------------
 */

FMI2_STATUS(GetReal)(fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]);
FMI2_STATUS(GetReal)(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
    return (fmi2Status)(c ? fmu_get(c, "fmi2GetReal", FMU_READS, vr, n, value) : FMU_ERROR);
}

FMI2_STATUS(SetReal)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]);
FMI2_STATUS(SetReal)
(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[]) {
    return (fmi2Status)(c ? fmu_set(c, "fmi2SetReal", vr, n, value) : FMU_ERROR);
}

/* There are no variables of other types. */
static fmi2Status fmi2_none(fmu *f, const char *function, const fmi2ValueReference vr[], size_t n) {
    if (!fmu_may(f, function, FMU_ALL, FMU_ANY)) return fmi2Error;
    if (n == 0) return fmi2OK;
    return (fmi2Status)fmu_say(f, FMU_ERROR,
                               "%s: no variable of this FMU has this type, nor has %lu", function,
                               vr ? (unsigned long)vr[0] : 0UL);
}
#define FMI2_NO(Type)                                                                              \
    FMI2_STATUS(Get##Type)(fmi2Component, const fmi2ValueReference[], size_t, fmi2##Type[]);       \
    FMI2_STATUS(Get##Type)                                                                         \
    (fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2##Type value[]) {               \
        (void)value;                                                                               \
        return fmi2_none(c, "fmi2Get" #Type, vr, n);                                               \
    }                                                                                              \
    FMI2_STATUS(Set##Type)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2##Type[]); \
    FMI2_STATUS(Set##Type)                                                                         \
    (fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2##Type value[]) {         \
        (void)value;                                                                               \
        return fmi2_none(c, "fmi2Set" #Type, vr, n);                                               \
    }
FMI2_NO(Integer)
FMI2_NO(Boolean)
FMI2_NO(String)

/* ---- states of the FMU --------------------------------------------------------------------------
 */

FMI2_STATUS(GetFMUstate)(fmi2Component, fmi2FMUstate *);
FMI2_STATUS(GetFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    if (!fmu_may(c, "fmi2GetFMUstate", FMU_ALL, FMU_ANY) ||
        !fmu_given(c, "fmi2GetFMUstate", state, 1))
        return fmi2Error;
    fmu_state *saved = *state;
    const int status = fmu_save(c, "fmi2GetFMUstate", &saved);
    *state = saved;
    return (fmi2Status)status;
}

FMI2_STATUS(SetFMUstate)(fmi2Component, fmi2FMUstate);
FMI2_STATUS(SetFMUstate)(fmi2Component c, fmi2FMUstate state) {
    if (!fmu_may(c, "fmi2SetFMUstate", FMU_ALL, FMU_ANY)) return fmi2Error;
    return (fmi2Status)fmu_restore(c, "fmi2SetFMUstate", state);
}

FMI2_STATUS(FreeFMUstate)(fmi2Component, fmi2FMUstate *);
FMI2_STATUS(FreeFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    if (!fmu_may(c, "fmi2FreeFMUstate", FMU_ALL, FMU_ANY)) return fmi2Error;
    if (state) free(*state), *state = NULL;
    return fmi2OK;
}

FMI2_STATUS(SerializedFMUstateSize)(fmi2Component, fmi2FMUstate, size_t *);
FMI2_STATUS(SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state, size_t *size) {
    const char *name = "fmi2SerializedFMUstateSize";
    if (!fmu_may(c, name, FMU_ALL, FMU_ANY) || !fmu_given(c, name, state, 1) ||
        !fmu_given(c, name, size, 1))
        return fmi2Error;
    *size = (size_t)((fmu_state *)state)->size;
    return fmi2OK;
}

FMI2_STATUS(SerializeFMUstate)(fmi2Component, fmi2FMUstate, fmi2Byte[], size_t);
FMI2_STATUS(SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    if (!fmu_may(c, "fmi2SerializeFMUstate", FMU_ALL, FMU_ANY)) return fmi2Error;
    return (fmi2Status)fmu_write(c, "fmi2SerializeFMUstate", state, bytes, size);
}

FMI2_STATUS(DeSerializeFMUstate)(fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate *);
FMI2_STATUS(DeSerializeFMUstate)
(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    const char *name = "fmi2DeSerializeFMUstate";
    if (!fmu_may(c, name, FMU_ALL, FMU_ANY) || !fmu_given(c, name, state, 1)) return fmi2Error;
    fmu_state *read = *state;
    const int status = fmu_read(c, name, bytes, size, &read);
    *state = read;
    return (fmi2Status)status;
}

FMI2_STATUS(GetDirectionalDerivative)
(fmi2Component, const fmi2ValueReference[], size_t, const fmi2ValueReference[], size_t,
 const fmi2Real[], fmi2Real[]);
FMI2_STATUS(GetDirectionalDerivative)
(fmi2Component c, const fmi2ValueReference unknown[], size_t n_unknown,
 const fmi2ValueReference known[], size_t n_known, const fmi2Real seed[], fmi2Real value[]) {
    const char *name = "fmi2GetDirectionalDerivative";
    if (!fmu_may(c, name, FMU_READS, FMU_ANY) || !fmu_given(c, name, unknown, n_unknown) ||
        !fmu_given(c, name, known, n_known) || !fmu_given(c, name, seed, n_known) ||
        !fmu_given(c, name, value, n_unknown))
        return fmi2Error;
    return (fmi2Status)fmu_direct(c, name, unknown, n_unknown, known, n_known, seed, value);
}

/* ---- model exchange -----------------------------------------------------------------------------
 */

FMI2_STATUS(EnterEventMode)(fmi2Component);
FMI2_STATUS(EnterEventMode)(fmi2Component c) {
    return (fmi2Status)(c ? fmu_enter_event(c, "fmi2EnterEventMode") : FMU_ERROR);
}

FMI2_STATUS(NewDiscreteStates)(fmi2Component, fmi2EventInfo *);
FMI2_STATUS(NewDiscreteStates)(fmi2Component c, fmi2EventInfo *info) {
    const char *name = "fmi2NewDiscreteStates";
    fmu_update update;
    if (!c || !fmu_given(c, name, info, 1)) return fmi2Error;
    const int status = fmu_update_discrete(c, name, &update);
    if (status >= FMU_ERROR) return fmi2Error;
    *info = (fmi2EventInfo){.terminateSimulation = update.stops,
                            .valuesOfContinuousStatesChanged = update.changed,
                            .nextEventTimeDefined = update.has_event,
                            .nextEventTime = update.event};
    return (fmi2Status)status;
}

FMI2_STATUS(EnterContinuousTimeMode)(fmi2Component);
FMI2_STATUS(EnterContinuousTimeMode)(fmi2Component c) {
    return (fmi2Status)(c ? fmu_enter_continuous(c, "fmi2EnterContinuousTimeMode") : FMU_ERROR);
}

FMI2_STATUS(CompletedIntegratorStep)(fmi2Component, fmi2Boolean, fmi2Boolean *, fmi2Boolean *);
FMI2_STATUS(CompletedIntegratorStep)
(fmi2Component c, fmi2Boolean no_way_back, fmi2Boolean *event_mode, fmi2Boolean *terminate) {
    const char *name = "fmi2CompletedIntegratorStep";
    bool event, stops;
    (void)no_way_back;
    if (!c || !fmu_given(c, name, event_mode, 1) || !fmu_given(c, name, terminate, 1))
        return fmi2Error;
    const int status = fmu_complete_step(c, name, &event, &stops);
    *event_mode = event;
    *terminate = stops;
    return (fmi2Status)status;
}

FMI2_STATUS(SetTime)(fmi2Component, fmi2Real);
FMI2_STATUS(SetTime)(fmi2Component c, fmi2Real t) {
    return (fmi2Status)(c ? fmu_set_time(c, "fmi2SetTime", t) : FMU_ERROR);
}

FMI2_STATUS(SetContinuousStates)(fmi2Component, const fmi2Real[], size_t);
FMI2_STATUS(SetContinuousStates)(fmi2Component c, const fmi2Real x[], size_t n) {
    return (fmi2Status)(c ? fmu_set_states(c, "fmi2SetContinuousStates", x, n) : FMU_ERROR);
}

FMI2_STATUS(GetDerivatives)(fmi2Component, fmi2Real[], size_t);
FMI2_STATUS(GetDerivatives)(fmi2Component c, fmi2Real rate[], size_t n) {
    return (fmi2Status)(c ? fmu_get_rates(c, "fmi2GetDerivatives", rate, n) : FMU_ERROR);
}

FMI2_STATUS(GetEventIndicators)(fmi2Component, fmi2Real[], size_t);
FMI2_STATUS(GetEventIndicators)(fmi2Component c, fmi2Real indicators[], size_t n) {
    (void)indicators;
    if (!fmu_may(c, "fmi2GetEventIndicators", FMU_READS, FMU_ME)) return fmi2Error;
    if (n == 0) return fmi2OK;
    return (fmi2Status)fmu_say(c, FMU_ERROR, "fmi2GetEventIndicators: there are 0, not %zu", n);
}

FMI2_STATUS(GetContinuousStates)(fmi2Component, fmi2Real[], size_t);
FMI2_STATUS(GetContinuousStates)(fmi2Component c, fmi2Real x[], size_t n) {
    return (fmi2Status)(c ? fmu_get_states(c, "fmi2GetContinuousStates", x, n) : FMU_ERROR);
}

FMI2_STATUS(GetNominalsOfContinuousStates)(fmi2Component, fmi2Real[], size_t);
FMI2_STATUS(GetNominalsOfContinuousStates)(fmi2Component c, fmi2Real x[], size_t n) {
    return (fmi2Status)(c ? fmu_get_nominals(c, "fmi2GetNominalsOfContinuousStates", x, n)
                          : FMU_ERROR);
}

/* ---- co-simulation ------------------------------------------------------------------------------
 */

/* Inputs are held during a step, and outputs have no derivatives in time. */
static fmi2Status fmi2_no_slopes(fmu *f, const char *name, int modes, size_t n) {
    if (!fmu_may(f, name, modes, FMU_CS)) return fmi2Error;
    if (n == 0) return fmi2OK;
    return (fmi2Status)fmu_say(f, FMU_ERROR,
                               "%s: this FMU does not interpolate (see its capabilities)", name);
}

FMI2_STATUS(SetRealInputDerivatives)
(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[], const fmi2Real[]);
FMI2_STATUS(SetRealInputDerivatives)
(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[],
 const fmi2Real value[]) {
    (void)vr, (void)order, (void)value;
    return fmi2_no_slopes(c, "fmi2SetRealInputDerivatives", FMU_BEFORE | FMU_STEP, n);
}

FMI2_STATUS(GetRealOutputDerivatives)
(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Integer[], fmi2Real[]);
FMI2_STATUS(GetRealOutputDerivatives)
(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[],
 fmi2Real value[]) {
    (void)vr, (void)order, (void)value;
    return fmi2_no_slopes(c, "fmi2GetRealOutputDerivatives", FMU_STEP | FMU_TERMINATED, n);
}

FMI2_STATUS(DoStep)(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean);
FMI2_STATUS(DoStep)(fmi2Component c, fmi2Real from, fmi2Real h, fmi2Boolean no_way_back) {
    fmu_outcome outcome;
    (void)no_way_back;
    if (!fmu_may(c, "fmi2DoStep", FMU_STEP, FMU_CS)) return fmi2Error;
    const int status = fmu_step(c, "fmi2DoStep", from, h, &outcome);
    if (status == FMU_OK && outcome.stopped)
        return (fmi2Status)fmu_say(
            c, FMU_DISCARD, "the model ends its run at t = %.9g s (terminated)", outcome.reached);
    return (fmi2Status)status;
}

FMI2_STATUS(CancelStep)(fmi2Component);
FMI2_STATUS(CancelStep)(fmi2Component c) {
    if (!fmu_may(c, "fmi2CancelStep", FMU_STEP, FMU_CS)) return fmi2Error;
    return (fmi2Status)fmu_say(c, FMU_ERROR, "fmi2CancelStep: no step is pending");
}

static fmi2Status fmi2_no_status(fmu *f, const char *name, int kind) {
    if (!fmu_may(f, name, FMU_STEP | FMU_TERMINATED, FMU_CS)) return fmi2Error;
    return (fmi2Status)fmu_say(f, FMU_DISCARD, "%s: there is no answer of kind %d", name, kind);
}

FMI2_STATUS(GetStatus)(fmi2Component, const fmi2StatusKind, fmi2Status *);
FMI2_STATUS(GetStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value) {
    (void)value;
    return fmi2_no_status(c, "fmi2GetStatus", (int)kind);
}

FMI2_STATUS(GetRealStatus)(fmi2Component, const fmi2StatusKind, fmi2Real *);
FMI2_STATUS(GetRealStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    const char *name = "fmi2GetRealStatus";
    if (kind != fmi2LastSuccessfulTime || !c) return fmi2_no_status(c, name, (int)kind);
    if (!fmu_may(c, name, FMU_STEP | FMU_TERMINATED, FMU_CS) || !fmu_given(c, name, value, 1))
        return fmi2Error;
    *value = ((fmu *)c)->now.reached;
    return fmi2OK;
}

FMI2_STATUS(GetIntegerStatus)(fmi2Component, const fmi2StatusKind, fmi2Integer *);
FMI2_STATUS(GetIntegerStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value) {
    (void)value;
    return fmi2_no_status(c, "fmi2GetIntegerStatus", (int)kind);
}

FMI2_STATUS(GetBooleanStatus)(fmi2Component, const fmi2StatusKind, fmi2Boolean *);
FMI2_STATUS(GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    const char *name = "fmi2GetBooleanStatus";
    if (kind != fmi2Terminated || !c) return fmi2_no_status(c, name, (int)kind);
    if (!fmu_may(c, name, FMU_STEP | FMU_TERMINATED, FMU_CS) || !fmu_given(c, name, value, 1))
        return fmi2Error;
    *value = ((fmu *)c)->now.stopped;
    return fmi2OK;
}

FMI2_STATUS(GetStringStatus)(fmi2Component, const fmi2StatusKind, fmi2String *);
FMI2_STATUS(GetStringStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2String *value) {
    (void)value;
    return fmi2_no_status(c, "fmi2GetStringStatus", (int)kind);
}
