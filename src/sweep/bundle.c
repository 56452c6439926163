/* bundle: the lanes of a group of points as one system, whose states are those of all lanes, so
 * that dry_ode takes its steps: whole ones in the loop of the native code, and those that end at a
 * time at which all lanes jump, or sample, by the rates of all lanes. */
#include "lanes.h"

#include <math.h>
#include <string.h>

/* ---- functions of the system --------------------------------------------------------------- */

static long march(const dry_env *env, const dry_method *method, dry_march *m) {
    const struct dry_sweep__bench *b = env->model;
    const double end = m->t_start + (double)(m->grid + m->count) * m->step;
    const dry_lanes_span span = {.t_start = m->t_start,
                                 .step = m->step,
                                 .t = m->t,
                                 .end = end,
                                 .grid = m->grid,
                                 .count = m->count,
                                 .failed = env->work};
    (void)method;
    dry_lanes_march(b->lanes, b->P, m->x, &span);
    m->t = end;
    return m->count;
}

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const struct dry_sweep__bench *b = env->model;
    dry_lanes_rates(b->lanes, b->P, t, tau, x, x_dot);
}

static bool settle(const dry_env *env, double t, double *x) {
    const struct dry_sweep__bench *b = env->model;
    dry_lanes_settle(b->lanes, b->P, t, x, env->work);
    return true;
}

static void breaks(const dry_env *env, double *times) {
    const struct dry_sweep__bench *b = env->model;
    memcpy(times, b->common, sizeof *times * (size_t)b->n_breaks);
}

void dry_sweep__bundle_make(struct dry_sweep__bench *b, const dry_system *one) {
    for (int i = 0; i < one->n_states * LANES; i++)
        b->positions[i] = one->positions && one->positions[i / LANES];
    b->bundle = (dry_system){.name = one->name,
                             .n_states = one->n_states * LANES,
                             .n_breaks = one->n_breaks,
                             .model = b,
                             .rate = rate,
                             .march = march,
                             .breaks = one->n_breaks ? breaks : NULL,
                             .latch = one->latch || one->watch ? settle : NULL,
                             .n_clocks = one->n_clocks,
                             .clocks = one->clocks,
                             .positions = one->positions ? b->positions : NULL};
}

/* ---- lanes that leave --------------------------------------------------------------------------
 */

static bool is_finite(const struct dry_sweep__bench *b, const double *x, int lane) {
    for (int i = 0; i < b->n_states; i++)
        if (!isfinite(x[i * LANES + lane])) return false;
    return true;
}

/* The first lane that is not run alone; LANES if there is none. */
static int first_left(const struct dry_sweep__bench *b, const double *x) {
    int lane = 0;
    while (lane < LANES && (b->alone[lane] || !is_finite(b, x, lane))) lane++;
    return lane;
}

/* The lane is run alone later. Until then it repeats another, so that its numbers stay finite. If
 * it does so already, it is the other that leaves. Returns false if no lane is left. */
static bool leave(struct dry_sweep__bench *b, double *x, int lane) {
    if (b->alone[lane]) lane = first_left(b, x);
    if (lane < LANES) b->alone[lane] = true;
    const int other = first_left(b, x);
    if (other == LANES) return false;
    for (int l = 0; l < LANES; l++) {
        if (!b->alone[l]) continue;
        for (int i = 0; i < b->n_fixed; i++) b->P[i * LANES + l] = b->P[i * LANES + other];
        for (int i = 0; i < b->n_states; i++) x[i * LANES + l] = x[i * LANES + other];
    }
    return true;
}

bool dry_sweep__bundle_begin(struct dry_sweep__bench *b, const dry_run_options *run, double *x) {
    const dry_ode_options options = {.step = run->step};
    for (int l = 0; l < LANES; l++)
        if (!is_finite(b, x, l) && !leave(b, x, l)) return false;
    return dry_ode_init(&b->ode, &b->bundle, run->method, &options, NULL, 0.0, x, b->failed,
                        b->work) == DRY_OK;
}

bool dry_sweep__bundle_advance(struct dry_sweep__bench *b, double t) {
    dry_status status;
    while ((status = dry_ode_advance(&b->ode, t)) == DRY_NOT_FINITE)
        if (!leave(b, b->ode.x, b->ode.fault.state % LANES)) break;
    return status == DRY_OK;
}

bool dry_sweep__bundle_is_good(const struct dry_sweep__bench *b, int lane) {
    return !b->alone[lane] && b->failed[lane] == 0.0 && is_finite(b, b->ode.x, lane);
}
