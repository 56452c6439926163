/* Checks that the step is short enough for the springs and dampers of the model: the scheme
 * advances a small disturbance of the state, which must not grow faster than with half the step.
 *
 *     d = (dz, du):  d f = (f(x + e d) - f(x))/e      all set-valued forces as they are
 *
 * The scheme of trial.c with its terms from earlier steps is stable with a damper of up to h c/m =
 * 0.5, as every Adams method of third order; without them, where it is the midpoint rule, of up to
 * 2. So the scheme drops those terms if they grow, and refuses the step if that does not help.
 *
 * e: size of the disturbance, m/s; dz is of the order of h e; other letters as in trial.c. */
#include "rigid_private.h"

enum { STEPS = 192, PATTERNS = 3, HALVINGS = 40 };
/* A disturbance is harmless if a step changes its velocities by less than this part. */
static const double SLOW = 0.1;
/* Growth above MUCH in STEPS is examined. It belongs to the model, not to the step, if half the
 * step gives the same growth up to FACTOR. */
static const double MUCH = 30.0, FACTOR = 10.0, SMALL = 1e-3;

/* ---- one step of a disturbance ---------------------------------------------------- */

/* out = change of the rates for the disturbance d of the state. */
static void respond(dry_rigid *r, const double *d, double *out) {
    dry_rigid__growth *g = &r->growth;
    const int n = r->inclusion->n_states;
    for (int j = 0; j < n; j++) r->trial.point[j] = r->now.x[j] + g->size * d[j];
    dry_rigid__eval(r, r->clock.t, r->trial.point, r->zero, &r->trial.end);
    for (int j = 0; j < n; j++) out[j] = (r->trial.end.rate[j] - g->rate[j]) / g->size;
}

/* g->y = d + h (rates at u of g->u, z of `at`) for the states that are not velocities. */
static void carry(dry_rigid *r, double h, const double *at) {
    dry_rigid__growth *g = &r->growth;
    for (int k = 0; k < r->layout.n_others; k++)
        g->u[r->layout.others[k]] = at[r->layout.others[k]];
    respond(r, g->u, g->f);
    for (int k = 0; k < r->layout.n_others; k++)
        g->y[r->layout.others[k]] = g->d[r->layout.others[k]] + h * g->f[r->layout.others[k]];
}

/* Smooth accelerations at mid-step, in g->f, predicted with the accelerations a. */
static void halfway(dry_rigid *r, double h, const double *a) {
    dry_rigid__growth *g = &r->growth;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        g->u[j] = g->d[j] + 0.25 * h * a[j];
        g->y[j] = g->d[j] + 0.5 * h * a[j];
    }
    carry(r, 0.5 * h, g->d);
    respond(r, g->y, g->f);
}

static void step_plain(dry_rigid *r, double h) {
    dry_rigid__growth *g = &r->growth;
    memset(g->A, 0, (size_t)r->inclusion->n_states * sizeof *g->A);
    for (int pass = 0; pass < 2; pass++) {
        halfway(r, h, g->A);
        for (int k = 0; k < r->layout.n_velocities; k++)
            g->A[r->layout.velocities[k]] = g->f[r->layout.velocities[k]];
    }
}

static void step_adams(dry_rigid *r, double h) {
    dry_rigid__growth *g = &r->growth;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        g->A[j] = g->A1[j] + 0.75 * (g->A1[j] - g->A2[j]);
    }
    halfway(r, h, g->A);
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        g->A[j] = g->f[j] + (g->f[j] - 2.0 * g->F1[j] + g->F2[j]) * (1.0 / 24.0);
        g->F2[j] = g->F1[j], g->F1[j] = g->f[j];
    }
}

/* d after a step with the accelerations g->A. */
static void move(dry_rigid *r, double h, bool plain) {
    dry_rigid__growth *g = &r->growth;
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        const double past = plain ? g->A[j] : g->A1[j];
        g->u[j] = g->d[j] + 0.5 * h * g->A[j] - h * (1.0 / 12.0) * (g->A[j] - past);
    }
    carry(r, h, g->y);
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        g->y[j] = g->d[j] + h * g->A[j];
        g->A2[j] = g->A1[j], g->A1[j] = g->A[j];
    }
    memcpy(g->d, g->y, (size_t)r->inclusion->n_states * sizeof *g->d);
}

/* ---- many ------------------------------------------------------------------------- */

/* Velocities of size 1 and other states of size h, signs without an order. */
static void set_pattern(dry_rigid *r, double h, unsigned pattern) {
    unsigned bits = 2654435769u * (pattern + 1u);
    for (int j = 0; j < r->inclusion->n_states; j++) {
        bits = bits * 1664525u + 1013904223u;
        const double sign = bits >> 31 ? 1.0 : -1.0;
        r->growth.d[j] = r->inclusion->is_velocity[j] ? sign : h * sign;
    }
}

/* Makes the disturbance one of size 1 again; its size before. */
static double rescale(dry_rigid *r, double h) {
    dry_rigid__growth *g = &r->growth;
    double most = 0.0;
    for (int j = 0; j < r->inclusion->n_states; j++)
        most = dry_max(most, r->inclusion->is_velocity[j] ? fabs(g->d[j]) : fabs(g->d[j]) / h);
    double *const all[] = {g->d, g->A1, g->A2, g->F1, g->F2};
    for (size_t i = 0; i < sizeof all / sizeof *all && most > 0.0; i++)
        for (int j = 0; j < r->inclusion->n_states; j++) all[i][j] /= most;
    return most;
}

/* The logarithm of the growth of a disturbance in `steps` steps, after as many steps in which it
 * takes the form that grows. It is -INFINITY if the model gives no finite number. */
static double growth(dry_rigid *r, double h, int steps, bool plain) {
    dry_rigid__growth *g = &r->growth;
    const size_t bytes = (size_t)r->inclusion->n_states * sizeof(double);
    double sum = 0.0;
    set_pattern(r, h, 0);
    memset(g->A1, 0, bytes), memset(g->A2, 0, bytes);
    memset(g->F1, 0, bytes), memset(g->F2, 0, bytes);
    for (int k = 0; k < 2 * steps; k++) {
        (plain ? step_plain : step_adams)(r, h);
        move(r, h, plain);
        const double size = rescale(r, h);
        if (!(size > 0.0 && size < (double)INFINITY)) return -(double)INFINITY;
        if (k >= steps) sum += dry_log(size);
    }
    return sum;
}

static bool is_stable(dry_rigid *r, double h, bool plain) {
    const double whole = growth(r, h, STEPS, plain);
    if (whole < dry_log(MUCH)) return true;
    return fabs(whole - growth(r, 0.5 * h, 2 * STEPS, plain)) < dry_log(FACTOR);
}

/* ---- as a matrix ------------------------------------------------------------------- */

/* What a step with its terms from earlier steps makes of (d, A1, A2, F1, F2): R, 5 n by 5 n. The
 * model is linear and at rest. */
void dry_rigid__adams_matrix(dry_rigid *r, double h, double *R) {
    dry_rigid__growth *g = &r->growth;
    const int n = r->inclusion->n_states;
    double *const all[] = {g->d, g->A1, g->A2, g->F1, g->F2};
    memset(g->rate, 0, (size_t)n * sizeof *g->rate);
    g->size = 1.0;
    for (int j = 0; j < 5 * n; j++) {
        for (int i = 0; i < 5; i++) memset(all[i], 0, (size_t)n * sizeof *g->d);
        all[j / n][j % n] = 1.0;
        step_adams(r, h);
        move(r, h, false);
        for (int i = 0; i < 5 * n; i++) R[i * 5 * n + j] = all[i / n][i % n];
    }
}

/* ---- the check during a run ---------------------------------------------------------- */

/* Whether all motion of the model is slow compared with the step. */
static bool is_slow(dry_rigid *r, double h) {
    dry_rigid__growth *g = &r->growth;
    double most = SLOW;
    for (unsigned pattern = 0; pattern < PATTERNS && most > 0.0 && most <= SLOW; pattern++) {
        most = 0.0;
        set_pattern(r, h, pattern);
        respond(r, g->d, g->f);
        for (int k = 0; k < r->layout.n_velocities; k++)
            most = dry_max(most, h * fabs(g->f[r->layout.velocities[k]]));
    }
    return most <= SLOW;
}

/* The rates without a disturbance, and its size; false if they are not numbers. */
static bool begin(dry_rigid *r) {
    dry_rigid__growth *g = &r->growth;
    double most = 0.0, zero = 0.0;
    dry_rigid__eval(r, r->clock.t, r->now.x, r->zero, &r->trial.end);
    memcpy(g->rate, r->trial.end.rate, (size_t)r->inclusion->n_states * sizeof *g->rate);
    for (int k = 0; k < r->layout.n_velocities; k++) {
        const int j = r->layout.velocities[k];
        most = dry_max(most, dry_max(fabs(r->now.x[j]), r->options.step * fabs(g->rate[j])));
        zero += 0.0 * g->rate[j];
    }
    g->size = SMALL * (most > 0.0 ? most : 1.0);
    return zero == 0.0;
}

dry_rigid__fault dry_rigid__check_step(dry_rigid *r) {
    dry_rigid__growth *g = &r->growth;
    double h = r->options.step;
    if (!r->facts->prox) return (dry_rigid__fault){0};
    if (!begin(r) || is_slow(r, h)) return (dry_rigid__fault){0};
    if (!r->past.plain && !is_stable(r, h, false)) {
        r->past.plain = true;
        r->past.known = 0;
    }
    if (!r->past.plain || is_stable(r, h, true)) return (dry_rigid__fault){0};
    for (int k = 0; k < HALVINGS && !is_stable(r, h, true); k++) h *= 0.5;
    g->enough = 0.5 * h; /* at h it may hardly decay */
    return (dry_rigid__fault){DRY_RIGID_TOO_LONG, 0};
}
