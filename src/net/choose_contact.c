/* choose_contact: what contacts leave open, by the masses that meet there (net.h, choose_contact).
 *
 *     1/m = J M^-1 J^T
 *
 * J: Psi, from the velocities of the bodies to the rate of the gap; J^T: Phi; M^-1: what the bodies
 * answer, held together by joints while the impact lasts (held.c). Of shapes that may touch
 * anywhere each point where one may lie counts, its body by itself; the stiffest motion of a body
 * that all its points press, A = sum of their n n^T, or of what is left of the unit matrix without
 * it, weighted and seen from the body's frame, is no faster than the largest eigenvalue of W A, for
 * which stands
 *
 *     (tr (W A)^8)^(1/8)
 *
 * at most 6^(1/8) = 1.25 times as much, as no eigenvalue is below 0. Shapes of one body add up.
 *
 * What presses at the start (press.c) moves the frame with the acceleration a, and needs the force
 *
 *     F = |a|/(u^T W u),   u = a/|a|
 *
 * to be held, m |a| of a body that is free. One point bears its share of it, that of the shape or
 * of what it may lie on, whichever has fewer points.
 *
 * W: accelerations of a frame by a force and a moment of 1, 6 x 6, 1/kg, 1/(kg m), 1/(kg m^2). */
#include "net_private.h"
#include <math.h>
#include <stdlib.h>

enum { SIX = 6, SQUARE = SIX * SIX, ENDS = 2 };

/* Of numbers that no machine has nothing follows. */
static double sound(double W) { return W > 0.0 && isfinite(W) && isfinite(1.0 / W) ? W : 0.0; }

/* ---- a port of one number ----------------------------------------------- */

/* Joints carry on what the two bodies do. */
static bool hold(const dry_net__survey *s, const int *bodies, int n, double h) {
    const dry_net *net = s->net;
    double *a = dry_heap_take(net->arena, (size_t)net->system.n_states + 1, sizeof *a);
    if (!a) return false;
    for (int k = 0; k < n; k++) {
        const dry_net__node *node = net->wiring.admittance[bodies[k]];
        for (int i = node->x; i < node->x + node->part->n_states; i++) a[i] = s->x[i] - s->rest[i];
    }
    const bool fits = dry_net_held(net, s->rest, h, a) == DRY_OK;
    for (int k = 0; k < n && fits; k++) {
        const dry_net__node *node = net->wiring.admittance[bodies[k]];
        for (int i = node->x; i < node->x + node->part->n_states; i++) s->x[i] = s->rest[i] + a[i];
        dry_net__show(s, bodies[k], s->x);
    }
    free(a);
    return fits;
}

/* The rate of the gap that a force gives in 1 s; NaN without memory. */
static double rate_by(const dry_net__survey *s, const dry_net__link *link, double force, double h) {
    int bodies[ENDS];
    double in[2];
    const int n = dry_net__bodies_of(s->net, link, bodies);
    dry_net__pull(s, link, &force);
    for (int i = 0; i < n; i++) dry_net__react(s, bodies[i]);
    const bool fits = force == 0.0 || n == 0 || hold(s, bodies, n, h);
    dry_net__psi(link, s->run.motion, in);
    for (int i = 0; i < n; i++) dry_net__show(s, bodies[i], s->rest);
    return fits ? in[dry_net__velocity_at(link->port, 0)] : (double)NAN;
}

static bool meet_at_port(const dry_net__survey *s, const dry_net__node *node, double h,
                         dry_meeting *meeting) {
    const dry_net__link *link = &s->net->wiring.links[node->link];
    int bodies[ENDS];
    const int n = dry_net__bodies_of(s->net, link, bodies);
    for (int i = 0; i < n; i++) dry_net__let_go(s, bodies[i]);
    const double W = rate_by(s, link, 1.0, h) - rate_by(s, link, 0.0, h);
    *meeting = (dry_meeting){.W = {sound(W)}, .fixed = true};
    return !isnan(W);
}

/* ---- shapes ------------------------------------------------------------- */

/* W of a frame of the body, whose port has this inlet and whose motion is there. */
static void find_W(const dry_net__survey *s, int body, const dry_net__end *end, double *W) {
    const double *motion = s->run.motion + end->motion;
    dry_net__let_go(s, body);
    for (int j = 0; j < SIX; j++) {
        double wrench[SIX] = {0.0};
        wrench[j] = 1.0;
        dry_net__press(s, end->inlet, 1.0, wrench);
        dry_net__react(s, body);
        for (int i = 0; i < SIX; i++) W[SIX * i + j] = motion[i < 3 ? 3 + i : 7 + i];
    }
    dry_net__show(s, body, s->rest);
}

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
    return size * pow(dry_pos(trace(C)), 0.125);
}

/* 1/m of a point along its normal. */
static double give_way(const double *W, const double *wrench) {
    double sum = 0.0;
    for (int i = 0; i < SQUARE; i++) sum += wrench[i / SIX] * W[i] * wrench[i % SIX];
    return sum;
}

/* What the points of one shape are to a meeting. */
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

/* The last shape that was looked at: in a heap the next is often the same. */
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

/* F of a frame, whose motion is there. */
static double force_on(const dry_net__survey *s, int body, const dry_net__end *end,
                       const double *W) {
    const double *v = s->run.motion + end->motion + 3;
    double a[SIX] = {0.0};
    dry_net__show(s, body, s->pressed);
    memcpy(a, v, 3 * sizeof *a);
    dry_net__show(s, body, s->rest);
    const double size = dry_norm(3, a), way = give_way(W, a);
    return sound(way) > 0.0 ? size * size * size / way : 0.0;
}

static double most_borne(const dry_touch *touches, int n) {
    double most = 0.0;
    for (int k = 0; k < n; k++) most = dry_max(most, touches[k].bears);
    return most;
}

/* The largest of what one point of a body bears; `fixed`: of the shapes that do not move. */
static double largest_press(const dry_net *net, const load *loads, double fixed) {
    double first = fixed, second = 0.0, most = 0.0; /* the largest shares of two things */
    for (int i = 0; i < net->wiring.n_admittance; i++) {
        second = dry_max(second, dry_min(first, loads[i].bears));
        first = dry_max(first, loads[i].bears);
    }
    for (int i = 0; i < net->wiring.n_admittance; i++) {
        const double others = loads[i].bears < first ? first : second;
        most = dry_max(most, loads[i].force * dry_max(loads[i].bears, others));
    }
    return most;
}

static void find_held(const dry_net *net, load *loads) {
    for (int i = 0; i < net->wiring.n_single; i++) {
        int bodies[ENDS];
        if (!dry_part_is_joint(net->wiring.impedance[i]->part)) continue;
        const int n =
            dry_net__bodies_of(net, &net->wiring.links[net->wiring.impedance[i]->link], bodies);
        for (int k = 0; k < n; k++) loads[bodies[k]].held = true;
    }
}

static void meet_each(const dry_net__survey *s, int law, load *loads, dry_meeting *meeting) {
    const dry_net *net = s->net;
    const dry_net__lane *lane = &net->loops.laws[law];
    const dry_part *part = net->wiring.impedance[law]->part;
    const dry_part_env env = dry_net__lane_env(&s->run, lane, NULL);
    const double *in = s->run.motion + lane->in;
    dry_touch touches[DRY_MOST_TOUCHES];
    seen last = {.n = 0};
    double fixed = 0.0;
    int n, frame = 0;
    for (int i = 0; (n = part->gathers->touches(&env, in, i, true, &frame, touches)) >= 0; i++) {
        const dry_net__end *end = &net->wiring.links[lane->link + frame].a;
        const int body = dry_net__body_of(net, end->inlet);
        double W[SQUARE];
        meeting->fixed |= body < 0;
        if (body < 0) fixed = dry_max(fixed, most_borne(touches, n));
        if (body < 0 || n == 0) continue;
        load *sum = &loads[body];
        find_W(s, body, end, W);
        sum->force = dry_max(sum->force, force_on(s, body, end, W));
        sum->bears = dry_max(sum->bears, most_borne(touches, n));
        const shape found = look_at(&last, W, touches, n);
        note(&found, meeting);
        meeting->along = dry_max(meeting->along, sum->along += found.along);
        meeting->across = dry_max(meeting->across, sum->across += found.across);
        meeting->held |= sum->held;
    }
    meeting->press = largest_press(net, loads, fixed);
}

static bool meet_among_shapes(const dry_net__survey *s, int law, dry_meeting *meeting) {
    load *loads =
        dry_heap_take(s->net->arena, (size_t)s->net->wiring.n_admittance + 1, sizeof *loads);
    *meeting = (dry_meeting){0};
    if (!loads) return false;
    find_held(s->net, loads);
    dry_net__gather_motion(&s->run, &s->net->loops.laws[law]);
    meet_each(s, law, loads, meeting);
    free(loads);
    return true;
}

/* ---- all of them -------------------------------------------------------- */

bool dry_net__choose_contacts(dry_net *net, const dry_net__survey *s, dry_pace *pace) {
    for (int i = 0; i < net->wiring.n_impedance; i++) {
        dry_net__node *node = net->wiring.impedance[i];
        double *par = net->par + node->par;
        const dry_wrong *wrong;
        dry_meeting meeting;
        if (node->press) *node->press = (dry_net_press){0};
        if (!dry_part_is_contact(node->part) ||
            !node->part->design->is_open(node->part, par, &wrong))
            continue;
        const bool fits = node->gathers
                              ? meet_among_shapes(s, i, &meeting)
                              : meet_at_port(s, node, DRY_IMPACT_STEPS * pace->step, &meeting);
        if (!fits) return false;
        if (!node->press) node->press = dry_net__take(net, 1, sizeof *node->press);
        if (!node->press) return false;
        node->part->design->choose_contact(node->part, &meeting, pace, par, node->press);
    }
    return true;
}
