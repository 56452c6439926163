/* meeting: finds the masses that meet in a contact, from which design chooses it (part.h,
 * dry_meeting).
 *
 *     1/m = J M^-1 J^T
 *
 * J: Psi, from the velocities of the bodies to the rate of the gap; J^T: Phi; M^-1: how the bodies
 * respond, held together by joints while the impact lasts (net.h, dry_net_held). Of shapes that may
 * touch anywhere each point where one may lie counts, its body by itself; the stiffest motion of a
 * body that all its points press, A = sum of their n n^T, or of what is left of the unit matrix
 * without it, weighted and seen from the body's frame, is at most as fast as the largest eigenvalue
 * of W A, for which stands
 *
 *     (tr (W A)^8)^(1/8)
 *
 * at most 6^(1/8) = 1.25 times as much, as no eigenvalue is below 0. Shapes of one body add up.
 *
 * What presses at the start (net.h, dry_response_load) moves the frame with the acceleration a, and
 * needs the force
 *
 *     F = |a|/(u^T W u),   u = a/|a|
 *
 * to be held, m |a| of a body that is free. One point bears its share of it, that of the shape or
 * of what it may lie on, whichever has fewer points.
 *
 * W: accelerations of a frame by a force and a moment of 1, 6 x 6, 1/kg, 1/(kg m), 1/(kg m^2). */
#include "design_private.h"
#include <math.h>
#include <stdlib.h>

enum { SIX = 6, SQUARE = SIX * SIX, ENDS = 2 };

/* Replaces numbers that no machine has by 0. */
static double sound(double W) { return W > 0.0 && isfinite(W) && isfinite(1.0 / W) ? W : 0.0; }

/* ---- shapes ------------------------------------------------------------- */

/* J^T u of a force u at the end of an arm: the force and its moment. */
static void wrench_of(const double arm[3], const double u[3], double wrench[SIX]) {
    memcpy(wrench, u, 3 * sizeof *u);
    dry_cross3(arm, u, wrench + 3);
}

static void add(double weight, const double *u, double *A) {
    for (int i = 0; i < SQUARE; i++) A[i] += weight * u[i / SIX] * u[i % SIX];
}

static void multiply(const double *A, const double *B, double *C) {
    for (int i = 0; i < SQUARE; i++) {
        const double *a = A + i / SIX * SIX, *b = B + i % SIX;
        double sum = 0.0;
        for (int k = 0; k < SIX; k++) sum += a[k] * b[SIX * k];
        C[i] = sum;
    }
}

static double trace(const double *A) {
    double sum = 0.0;
    for (int i = 0; i < SIX; i++) sum += A[(SIX + 1) * i];
    return sum;
}

/* (tr B^8)^(1/8), B = W A */
static double largest(const double *W, const double *A) {
    double B[SQUARE], C[SQUARE];
    multiply(W, A, B);
    const double size = trace(B);
    if (!(size > 0.0)) return 0.0;
    for (int i = 0; i < SQUARE; i++) B[i] /= size;
    multiply(B, B, C);
    multiply(C, C, B);
    multiply(B, B, C);
    return size * dry_pow(dry_pos(trace(C)), 0.125);
}

/* 1/m of a point along its normal. */
static double give_way(const double *W, const double *wrench) {
    double sum = 0.0;
    for (int i = 0; i < SQUARE; i++) sum += wrench[i / SIX] * W[i] * wrench[i % SIX];
    return sum;
}

/* The contribution of the points of one shape to a meeting. */
typedef struct shape {
    double W, along, across;
} shape;

static shape work_out(const double *W, const dry_touch *touches, int n) {
    double along[SQUARE] = {0.0}, all[SQUARE] = {0.0};
    shape found = {.W = 0.0};
    for (int k = 0; k < n; k++) {
        const dry_touch *touch = &touches[k];
        double wrench[SIX];
        wrench_of(touch->arm, touch->n, wrench);
        add(touch->weight, wrench, along);
        found.W = dry_max(found.W, sound(give_way(W, wrench)));
        for (int i = 0; i < 3; i++) {
            const double u[3] = {i == 0, i == 1, i == 2};
            wrench_of(touch->arm, u, wrench);
            add(touch->weight, wrench, all);
        }
    }
    found.along = largest(W, along);
    for (int i = 0; i < SQUARE; i++) all[i] -= along[i];
    found.across = largest(W, all);
    return found;
}

/* A cache of the last shape, because in a heap the next is often the same. */
typedef struct seen {
    double W[SQUARE];
    dry_touch touches[DRY_MOST_TOUCHES];
    int n;
    shape shape;
} seen;

static shape look_at(seen *last, const double *W, const dry_touch *touches, int n) {
    const size_t size = (size_t)n * sizeof *touches;
    if (last->n == n && memcmp(last->W, W, sizeof last->W) == 0 &&
        memcmp(last->touches, touches, size) == 0)
        return last->shape;
    memcpy(last->W, W, sizeof last->W);
    memcpy(last->touches, touches, size);
    last->n = n;
    return last->shape = work_out(W, touches, n);
}

static void note(const shape *s, dry_meeting *meeting) {
    if (s->W > meeting->W[0]) {
        meeting->W[1] = meeting->W[0];
        meeting->W[0] = s->W;
    } else if (s->W > meeting->W[1]) {
        meeting->W[1] = s->W;
    }
}

/* Of each body: the sums of its shapes, whether joints hold it, what presses it, N, and the largest
 * share of that which one point of its shapes bears. */
typedef struct load {
    double along, across;
    bool held;
    double force, bears;
} load;

/* F of a frame. */
static double force_on(const dry_response *response, int part, int frame, const double *W) {
    double a[SIX] = {0.0};
    dry_response_loaded(response, part, frame, a);
    const double size = dry_norm(3, a), way = give_way(W, a);
    return sound(way) > 0.0 ? size * size * size / way : 0.0;
}

static double most_borne(const dry_touch *touches, int n) {
    double most = 0.0;
    for (int k = 0; k < n; k++) most = dry_max(most, touches[k].bears);
    return most;
}

/* The largest of what one point of a body bears; `fixed`: of the shapes that do not move. */
static double largest_press(int n_bodies, const load *loads, double fixed) {
    double first = fixed, second = 0.0, most = 0.0; /* the largest shares of two things */
    for (int i = 0; i < n_bodies; i++) {
        second = dry_max(second, dry_min(first, loads[i].bears));
        first = dry_max(first, loads[i].bears);
    }
    for (int i = 0; i < n_bodies; i++) {
        const double others = loads[i].bears < first ? first : second;
        most = dry_max(most, loads[i].force * dry_max(loads[i].bears, others));
    }
    return most;
}

static void find_held(const dry_net *net, const dry_response *response, load *loads) {
    for (int i = 0; i < dry_net_part_count(net); i++) {
        const char *name;
        int bodies[ENDS];
        if (!dry_part_is_joint(dry_net_part_at(net, i, &name))) continue;
        const int n = dry_response_bodies(response, i, bodies);
        for (int k = 0; k < n; k++) loads[bodies[k]].held = true;
    }
}

static void meet_each(const dry_response *response, int part, int n_bodies, load *loads,
                      dry_meeting *meeting) {
    dry_touch touches[DRY_MOST_TOUCHES];
    seen last = {.n = 0};
    double fixed = 0.0;
    int n, frame = 0;
    for (int i = 0; (n = dry_response_touches(response, part, i, &frame, touches)) >= 0; i++) {
        const int body = dry_response_body(response, part, frame);
        double W[SQUARE];
        meeting->fixed |= body < 0;
        if (body < 0) fixed = dry_max(fixed, most_borne(touches, n));
        if (body < 0 || n == 0) continue;
        load *sum = &loads[body];
        dry_response_at_frame(response, part, frame, W);
        sum->force = dry_max(sum->force, force_on(response, part, frame, W));
        sum->bears = dry_max(sum->bears, most_borne(touches, n));
        const shape found = look_at(&last, W, touches, n);
        note(&found, meeting);
        meeting->along = dry_max(meeting->along, sum->along += found.along);
        meeting->across = dry_max(meeting->across, sum->across += found.across);
        meeting->held |= sum->held;
    }
    meeting->press = largest_press(n_bodies, loads, fixed);
}

static bool meet_among_shapes(const dry_net *net, const dry_response *response, int part,
                              dry_meeting *meeting) {
    const int n = dry_net_part_count(net); /* no fewer than bodies */
    load *loads = calloc((size_t)n + 1, sizeof *loads);
    *meeting = (dry_meeting){0};
    if (!loads) return false;
    find_held(net, response, loads);
    dry_response_gather(response, part);
    meet_each(response, part, n, loads, meeting);
    free(loads);
    return true;
}

/* ---- all of them -------------------------------------------------------- */

bool dry_design__meeting(const dry_net *net, const dry_response *response, int part, double h,
                         dry_meeting *meeting) {
    const char *name;
    if (dry_net_part_at(net, part, &name)->gathers)
        return meet_among_shapes(net, response, part, meeting);
    const double W = dry_response_held(response, part, h);
    *meeting = (dry_meeting){.W = {sound(W)}, .fixed = true};
    return !isnan(W);
}
