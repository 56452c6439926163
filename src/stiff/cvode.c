/* cvode: the BDF methods of SUNDIALS (Hindmarsh et al. 2005), if the build has it.
 *
 * Orders 1 to 5 and a Newton iteration, whose linear systems are solved by this room's sparse LU:
 *     (I - gamma J) x = b   as   (I/gamma - J) x = b/gamma.
 * CVODE bounds the root mean square of error/tolerance by 1; tolerances divided by sqrt(n) keep
 * each state within its own. After kinks, breaks and changed discrete states it starts again.
 * gamma: the length of a step times a number, s. */
#include "stiff_private.h"

#ifdef DRY_WITH_SUNDIALS
#include "base/base.h"
#include <cvode/cvode.h>
#include <float.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>

/* ---- the library: sun.CVode is CVode of SUNDIALS --------------------------- */

#define CALL(name) DRY_SYMBOL_TEXT(name),
static const char *const symbols[] = {
#include "cvode_calls.def"
    NULL};
#undef CALL

#define CALL(name) __typeof__(name) *name;
typedef struct calls {
#include "cvode_calls.def"
} calls;
#undef CALL

#ifdef DRY_FILE_SUNDIALS
static calls sun;
#else
#define DRY_FILE_SUNDIALS NULL
#define CALL(name) .name = &name,
static calls sun = {
#include "cvode_calls.def"
};
#undef CALL
#endif

static dry_library library = {.name = "SUNDIALS",
                              .file = DRY_FILE_SUNDIALS,
                              .package = DRY_PACKAGE_SUNDIALS,
                              .instead = "use rodas4",
                              .symbols = symbols,
                              .calls = &sun};

/* How often a step may be shortened, until it vanishes: by 10 after an error, by 4 after a failed
 * iteration.
 *
 * */
enum { MOST_ERRORS = 40, MOST_FAILED_ITERATIONS = 60 };

struct dry_stiff__cvode {
    SUNContext context;
    void *memory;
    N_Vector x, end, between; /* s->x, s->end, and the point of dense output */
    SUNMatrix matrix;         /* stands for s->linear.matrix */
    SUNLinearSolver solver;
    double *work;
    double gamma;  /* of the matrix */
    double last;   /* largest time at which the rate may be evaluated */
    bool restart;  /* the history of CVODE does not belong to (t, x) */
    bool singular; /* the last matrix was */
    int lost;      /* the state whose rate was no number in this step, or -1 */
    long rejected; /* before the last restart */
};

/* ---- what CVODE asks for ------------------------------------------------- */

/* CVODE reduces the step if this returns a positive number. */
static int rate(realtype t, N_Vector x, N_Vector x_dot, void *data) {
    dry_stiff *s = data;
    double *to = sun.N_VGetArrayPointer(x_dot);
    s->system->rate(&s->env, fmin(t, s->cvode->last), 0.0, sun.N_VGetArrayPointer(x), to);
    s->counts.rates++;
    for (int i = 0; i < s->system->n_states; i++) {
        if (isfinite(to[i])) continue;
        s->cvode->lost = i;
        return 1;
    }
    return 0;
}

static int kinks(realtype t, N_Vector x, realtype *g, void *data) {
    const dry_stiff *s = data;
    s->system->kinks(&s->env, fmin(t, s->cvode->last), sun.N_VGetArrayPointer(x), g);
    return 0;
}

/* `still_good`: the last Jacobian may be used again. */
static int set_matrix(realtype t, N_Vector x, N_Vector x_dot, SUNMatrix matrix,
                      booleantype still_good, booleantype *is_new, realtype gamma, void *data,
                      N_Vector a, N_Vector b, N_Vector c) {
    (void)matrix, (void)a, (void)b, (void)c;
    dry_stiff *s = data;
    if (!still_good)
        dry_stiff__jacobian(s, &(dry_stiff__place){.t = fmin(t, s->cvode->last),
                                                   .h = gamma,
                                                   .last = s->cvode->last,
                                                   .x = sun.N_VGetArrayPointer(x),
                                                   .rate = sun.N_VGetArrayPointer(x_dot)});
    *is_new = !still_good;
    s->cvode->gamma = gamma;
    s->cvode->singular = !dry_stiff__matrix(&s->linear, gamma);
    return s->cvode->singular;
}

static SUNMatrix_ID matrix_id(SUNMatrix matrix) {
    (void)matrix;
    return SUNMATRIX_CUSTOM;
}
static SUNLinearSolver_Type solver_type(SUNLinearSolver solver) {
    (void)solver;
    return SUNLINEARSOLVER_DIRECT;
}
/* The matrix has its factors already. */
static int set_up(SUNLinearSolver solver, SUNMatrix matrix) {
    (void)solver, (void)matrix;
    return 0;
}
static int solve(SUNLinearSolver solver, SUNMatrix matrix, N_Vector x, N_Vector b,
                 realtype tolerance) {
    (void)matrix, (void)tolerance;
    const dry_stiff *s = solver->content;
    const double *from = sun.N_VGetArrayPointer(b);
    double *to = sun.N_VGetArrayPointer(x);
    for (int i = 0; i < s->system->n_states; i++) to[i] = from[i] / s->cvode->gamma;
    dry_stiff__solve(&s->linear.matrix, to, s->cvode->work);
    return 0;
}
/* Nothing is printed: dry_error reports what fails. */
static void ignore_message(int code, const char *module, const char *function, char *text,
                           void *data) {
    (void)code, (void)module, (void)function, (void)text, (void)data;
}

/* ---- the beginning and the end ------------------------------------------- */

static void end(dry_stiff *s) {
    dry_stiff__cvode *c = s->cvode;
    if (!c) return;
    sun.CVodeFree(&c->memory);
    if (c->solver) sun.SUNLinSolFreeEmpty(c->solver);
    if (c->matrix) sun.SUNMatFreeEmpty(c->matrix);
    sun.N_VDestroy(c->between);
    sun.N_VDestroy(c->end);
    sun.N_VDestroy(c->x);
    sun.SUNContext_Free(&c->context);
}

static bool take_memory(dry_stiff *s) {
    const size_t bytes = (size_t)s->system->n_states * sizeof(double);
    dry_stiff__cvode *c = s->cvode = dry_arena_take(s->arena, sizeof *c);
    if (!c) return false;
    *c = (dry_stiff__cvode){.last = s->t};
    c->work = dry_arena_take(s->arena, bytes);
    if (!c->work || sun.SUNContext_Create(NULL, &c->context) != 0) return false;
    c->x = sun.N_VMake_Serial(s->system->n_states, s->x, c->context);
    c->end = sun.N_VMake_Serial(s->system->n_states, s->end, c->context);
    c->between = sun.N_VMake_Serial(s->system->n_states, s->point, c->context);
    c->matrix = sun.SUNMatNewEmpty(c->context);
    c->solver = sun.SUNLinSolNewEmpty(c->context);
    c->memory = sun.CVodeCreate(CV_BDF, c->context);
    return c->x && c->end && c->between && c->matrix && c->solver && c->memory;
}

static bool set_solver(dry_stiff *s) {
    dry_stiff__cvode *c = s->cvode;
    c->matrix->ops->getid = matrix_id;
    c->solver->content = s;
    c->solver->ops->gettype = solver_type;
    c->solver->ops->setup = set_up;
    c->solver->ops->solve = solve;
    return sun.CVodeSetLinearSolver(c->memory, c->solver, c->matrix) == 0 &&
           sun.CVodeSetLinSysFn(c->memory, set_matrix) == 0;
}

static bool set_kinks(dry_stiff *s) {
    if (!s->system->kinks || s->options.ignore_kinks) return true;
    return sun.CVodeRootInit(s->cvode->memory, s->system->n_kinks, kinks) == 0 &&
           sun.CVodeSetNoInactiveRootWarn(s->cvode->memory) == 0;
}

static bool set_options(dry_stiff *s) {
    void *memory = s->cvode->memory;
    const double share = 1.0 / sqrt(s->system->n_states);
    return sun.CVodeSetErrHandlerFn(memory, ignore_message, NULL) == 0 &&
           sun.CVodeInit(memory, rate, s->t, s->cvode->x) == 0 &&
           sun.CVodeSetUserData(memory, s) == 0 &&
           sun.CVodeSStolerances(memory, share * s->options.rtol, share * s->options.atol) == 0 &&
           sun.CVodeSetInitStep(memory, s->options.step) == 0 &&
           sun.CVodeSetMaxErrTestFails(memory, MOST_ERRORS) == 0 &&
           sun.CVodeSetMaxConvFails(memory, MOST_FAILED_ITERATIONS) == 0;
}

static dry_status begin(dry_stiff *s, dry_error *error) {
    const dry_status status = dry_library_load(&library, error);
    if (status != DRY_OK) return status;
    if (take_memory(s) && set_options(s) && set_solver(s) && set_kinks(s)) return DRY_OK;
    end(s);
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory for cvode");
}

/* ---- one step ------------------------------------------------------------ */

/* The state whose error is largest over its tolerance. */
static int worst_state(dry_stiff *s) {
    double worst = -1.0;
    int at = 0;
    sun.N_VSetArrayPointer(s->point, s->cvode->between);
    sun.CVodeGetEstLocalErrors(s->cvode->memory, s->cvode->between);
    for (int i = 0; i < s->system->n_states; i++) {
        const double size = s->options.atol + s->options.rtol * fabs(s->x[i]);
        const double part = fabs(s->point[i]) / size;
        if (!(part > worst)) continue;
        worst = part;
        at = i;
    }
    return at;
}

/* If a rate is not a number, report that: it causes the rest. */
static dry_status give_up(dry_stiff *s, dry_error *error) {
    if (s->cvode->lost >= 0) return dry_stiff__fail(s, DRY_NOT_FINITE, s->cvode->lost, error);
    if (s->cvode->singular) return dry_stiff__fail(s, DRY_SINGULAR, -1, error);
    return dry_stiff__fail(s, DRY_STEP_COLLAPSED, worst_state(s), error);
}

static void count_rejected(dry_stiff *s) {
    long errors = 0, iterations = 0;
    sun.CVodeGetNumErrTestFails(s->cvode->memory, &errors);
    sun.CVodeGetNumStepSolveFails(s->cvode->memory, &iterations);
    s->counts.rejected = s->cvode->rejected + errors + iterations;
}

static bool begin_anew(dry_stiff *s) {
    dry_stiff__cvode *c = s->cvode;
    c->rejected = s->counts.rejected;
    c->restart = false;
    return sun.CVodeReInit(c->memory, s->t, c->x) == 0 && sun.CVodeSetInitStep(c->memory, 0.0) == 0;
}

/* Takes one step of CVODE to s->end at time t, and returns its flag. */
static int cvode_step(dry_stiff *s, double limit, double longest, double *t) {
    dry_stiff__cvode *c = s->cvode;
    if (c->restart && !begin_anew(s)) return CV_ILL_INPUT;
    if (sun.CVodeSetStopTime(c->memory, limit) != 0 || sun.CVodeSetMaxStep(c->memory, longest) != 0)
        return CV_ILL_INPUT;
    const int flag = sun.CVode(c->memory, limit, c->end, t, CV_ONE_STEP);
    count_rejected(s);
    return flag;
}

/* CVODE refuses to start so near to its end. */
static bool is_near(const dry_stiff *s, double limit) {
    return limit - s->t <= 32.0 * DBL_EPSILON * fmax(fabs(s->t), fabs(limit));
}
static int euler_step(dry_stiff *s, double limit, double *t) {
    *t = limit;
    s->cvode->restart = true;
    if (rate(s->t, s->cvode->x, s->cvode->end, s) != 0) return CV_RHSFUNC_FAIL;
    for (int i = 0; i < s->system->n_states; i++) s->end[i] = s->x[i] + (limit - s->t) * s->end[i];
    return CV_SUCCESS;
}

static void dense(const dry_stiff *s, double time, double *x) {
    sun.N_VSetArrayPointer(x, s->cvode->between);
    if (sun.CVodeGetDky(s->cvode->memory, time, 0, s->cvode->between) !=
        0) /* within an Euler step */
        memcpy(x, s->x, (size_t)s->system->n_states * sizeof *x);
}

/* The first instant of the step to t at which the model stops the run, if it does so at t: by
 * halving, along what CVODE interpolates. */
static double look_for_stop(dry_stiff *s, double t) {
    double low = s->t, high = t;
    if (!dry_system_stops(s->system, &s->env, t, s->end)) return t;
    for (;;) {
        const double middle = low + 0.5 * (high - low);
        if (!(middle > low && middle < high)) break;
        dense(s, middle, s->point);
        if (dry_system_stops(s->system, &s->env, middle, s->point))
            high = middle;
        else
            low = middle;
    }
    if (high < t) dense(s, high, s->end);
    s->cvode->restart = s->cvode->restart || high < t;
    return high;
}

static dry_status step(dry_stiff *s, double t_end, dry_error *error) {
    dry_stiff__cvode *c = s->cvode;
    const double limit = dry_stiff__limit(s, t_end, &c->last);
    if (dry_stiff__out_of_steps(s)) return dry_stiff__fail(s, DRY_TOO_MANY_STEPS, -1, error);
    if (dry_stiff__chatters(s, t_end))
        return dry_stiff__fail(s, DRY_STEP_COLLAPSED, worst_state(s), error);
    double t = s->t, longest = dry_stiff__longest(s, t_end);
    int flag = CV_SUCCESS;
    c->lost = -1;
    for (bool retry = true; retry && flag >= 0; longest = 0.5 * (t - s->t)) {
        flag = is_near(s, limit) ? euler_step(s, limit, &t) : cvode_step(s, limit, longest, &t);
        retry = t > s->t && !is_near(s, t) && !dry_stiff__holds(s, t);
        if (retry) c->restart = true;
    }
    if (flag < 0 || !(t > s->t)) return give_up(s, error);
    bool latched;
    if (s->system->n_stops > 0) t = look_for_stop(s, t);
    const dry_status status = dry_stiff__accept(s, t, &latched, error);
    const bool at_break = t >= limit && c->last < limit;
    s->counts.kinks += flag == CV_ROOT_RETURN;
    c->restart = c->restart || latched || at_break || flag == CV_ROOT_RETURN;
    return status;
}

static void restart(dry_stiff *s) { s->cvode->restart = true; }

bool dry_stiff_has_cvode(void) { return true; }

#else

static dry_status begin(dry_stiff *s, dry_error *error) {
    (void)s;
    return dry_error_set(
        error, DRY_UNSUPPORTED,
        "this build has no SUNDIALS: install libsundials-dev and build again, or use rodas4");
}

bool dry_stiff_has_cvode(void) { return false; }

#endif

const dry_stiff__method dry_stiff__cvode_row = {
    .row = {.name = "cvode",
            .outside = true,
            .title = "BDF 1-5 of SUNDIALS",
            .paper = "Hindmarsh et al. 2005",
            .order = 5,
            .stages = 2,
            .locates = true,
            DRY_STIFF__FACTS},
    .begin = begin,
#ifdef DRY_WITH_SUNDIALS
    .step = step,
    .dense = dense,
    .restart = restart,
    .end = end,
#endif
};
