/* matrix: whether steps of a method are stable for a small linear system, by the matrix R that one
 * of them is.
 *
 * y' = J y; column j of R is what one step T of the method itself makes of unit vector j. No
 * eigenvalue of R may be larger than 1, but for a growth that is slow as seen from the fastest
 * mode, or that of J itself.
 *
 * T: step, s; lambda: eigenvalue of J, 1/s. */
#include <drystone/math.h>
#include <drystone/stability.h>

#include <stdlib.h>
#include <string.h>

/* No mode that does not grow by itself is stable for a T |lambda| beyond this: 2.96 for RK4. */
static const double FARTHEST = 3.0;

/* ---- R -------------------------------------------------------------------------------------- */

static void rate_of(const dry_env *env, double t, double tau, const double *y, double *y_dot) {
    const dry_linear *l = env->model;
    (void)t, (void)tau;
    for (int i = 0; i < l->n; i++) {
        y_dot[i] = 0.0;
        for (int j = 0; j < l->n; j++) y_dot[i] += l->J[i * l->n + j] * y[j];
    }
}

static dry_status fill_column(const dry_method *method, const dry_system *system, double T, int j,
                              double *work, double *R) {
    const dry_ode_options options = {.step = T};
    const int n = system->n_states;
    double *y = work;
    dry_ode ode;
    memset(y, 0, sizeof *y * (size_t)n);
    y[j] = 1.0;
    dry_status status = dry_ode_init(&ode, system, method, &options, NULL, 0.0, y, NULL, work + n);
    if (status == DRY_OK) status = dry_ode_step(&ode, T);
    for (int i = 0; i < n && status == DRY_OK; i++) R[i * n + j] = ode.x[i];
    return status;
}

static dry_status fill(dry_arena *arena, const dry_method *method, const dry_linear *linear,
                       double T, double *R) {
    const size_t n = (size_t)linear->n;
    dry_quantity *names = dry_heap_take(arena, n, sizeof *names);
    const dry_system system = {.name = "linear",
                               .n_states = linear->n,
                               .states = names,
                               .positions = linear->positions,
                               .rate = rate_of,
                               .model = linear};
    double *work = dry_heap_take(arena, n + dry_ode_size(&system, method), sizeof *work);
    dry_status status = work && names ? DRY_OK : DRY_NO_MEMORY;
    for (int j = 0; j < linear->n && status == DRY_OK; j++)
        status = fill_column(method, &system, T, j, work, R);
    free(names);
    free(work);
    return status;
}

/* ---- its largest eigenvalue ------------------------------------------------------------------ */

/* ln of what the step multiplies the fastest growing mode by; NaN: not known. */
static double log_growth(dry_arena *arena, const dry_method *method, const dry_linear *linear,
                         double T, double *R, double *spare) {
    if (method->growth) {
        const double grows = method->growth(method, linear, T);
        if (isnan(grows)) dry_arena_fail(arena);
        return grows;
    }
    const dry_status status = fill(arena, method, linear, T, R);
    if (status == DRY_NOT_FINITE) return (double)INFINITY; /* a step that overflows */
    return status == DRY_OK ? dry_log_radius(linear->n, R, spare) : (double)NAN;
}

/* Finds the fastest mode of J and returns the largest growth rate of its modes; NaN: not known.
 * Overwrites J. */
static double find_growth(int n, double *J, double *re, double *im, dry_mode *fastest) {
    double growth = 0.0;
    *fastest = (dry_mode){0};
    if (dry_eigenvalues(n, J, re, im) != DRY_OK) return (double)NAN;
    for (int i = 0; i < n; i++) {
        const double rate = dry_hypot(re[i], im[i]);
        growth = dry_max(growth, re[i]);
        if (rate >= fastest->rate) *fastest = (dry_mode){rate, fabs(im[i]) > 0.1 * fabs(re[i])};
    }
    return growth;
}

/* A part of 1e-3 of the frequency, as for single modes, but where T |lambda| is beyond all bounds:
 * it outgrows ln |R| there. 1e-5 is for dry_log_radius, which finds more than 0 where something
 * drifts: a few times ln(m)/m. */
static bool is_stable(dry_arena *arena, const dry_method *method, const dry_linear *linear,
                      double T, double *room, dry_mode *fastest) {
    const size_t n = (size_t)linear->n;
    double *R = room, *spare = R + n * n, *re = spare + n * n, *im = re + n;
    const double grows = log_growth(arena, method, linear, T, R, spare);
    memcpy(spare, linear->J, sizeof *spare * n * n);
    const double growth = find_growth(linear->n, spare, re, im, fastest);
    if (isnan(growth)) return true;
    return !(grows > T * growth + 1e-3 * dry_min(T * fastest->rate, FARTHEST) + 1e-5);
}

bool dry_linear_is_stable(dry_arena *arena, const dry_method *method, const dry_linear *linear,
                          double T, dry_mode *fastest) {
    const size_t n = (size_t)linear->n;
    dry_mode ignored;
    if (fastest) *fastest = (dry_mode){0};
    if (method->stability == DRY_STABILITY_CONTROLLED) return true;
    if (method->stability == DRY_STABILITY_UNSAID) return false;
    double *room = dry_heap_take(arena, 2 * n * n + 2 * n + 1, sizeof *room);
    const bool stable =
        !room || is_stable(arena, method, linear, T, room, fastest ? fastest : &ignored);
    free(room);
    return stable;
}
