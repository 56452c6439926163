/* stiffest_mode: finds the stiffest motion of a net, which determines the longest step.
 *
 * At rest, with friction stuck and contacts closed, or with all friction sliding and all contacts
 * open, the parts are springs and dampers between masses,
 *
 *     M w_dot = -J^T Z J p,   p_dot = w
 *
 * w: velocities of the bodies' states; J: Psi, to the velocities of the ports; J^T: Phi; Z: for
 * each direction of a port the stiffness |Z(i omega)| at the frequency omega that the step
 * resolves,
 *
 *     Z(s) = K + Kf + (C + Ktau tau) s + Kc (1 + (beta + tau) s)/(1 + (alpha + tau) s)
 *
 * (check.h, dry_firmness; X13 (18), (24)). The stiffest motion maximises w^T J^T Z J w / w^T M w:
 * power iteration w <- M^-1 J^T Z J w, whose quotient comes from below and converges twice as fast
 * as w. None of these matrices is formed: the wiring computes J w and J^T f, the bodies M^-1. Then
 * everything is projected on that w. This is exact for one body, for equal masses and springs, and
 * if damping and stiffness have the same ratio everywhere; else it is an estimate.
 *
 * Shapes that may touch (a part that gathers) are loaded at the points that `touches` finds,
 * whether or not another shape is near. */
#include "net_private.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST_ROUNDS = 60, ROWS = 3 }; /* rows of a part that gathers */
static const double CONVERGED = 1e-6;

typedef struct survey {
    const dry_net *net;
    dry_net__run run;
    const dry_net_question *question;
    double *rest, *motion; /* states without velocities; motion of all ports in them */
    double *idle;          /* rates in them, without forces */
    double *w, *x, *rates; /* velocities, 0 elsewhere; states with them; rates by Z */
    dry_firmness *rows;    /* for each number of a force; a part that gathers has the first three */
    double *each;          /* |Z| v^2 of each impedance part */
    dry_firmness sum;      /* of the last motion: firmness times v^2 */
} survey;

/* ---- stiffness ---------------------------------------------------------- */

static double stiffness(const survey *s, const dry_firmness *f) {
    const double w = s->question->omega, tau = s->run.tau, a = w * (f->alpha + tau),
                 b = w * (f->beta + tau);
    const double over = 1.0 + a * a;
    const double real = f->K + f->Kf + f->Kc * (1.0 + a * b) / over;
    const double imaginary = w * (f->C + f->Ktau * tau) + f->Kc * (b - a) / over;
    return dry_hypot(real, imaginary);
}

static void add(dry_firmness *sum, const dry_firmness *f, double square) {
    sum->K += f->K * square;
    sum->C += f->C * square;
    sum->Kf += f->Kf * square;
    sum->Ktau += f->Ktau * square;
    sum->Kc += f->Kc * square;
    sum->alpha += f->Kc * f->alpha * square;
    sum->beta += f->Kc * f->beta * square;
}

static bool counts(const survey *s, const dry_firmness *f) {
    const dry_net_stiff by = s->question->by;
    return by == DRY_STIFF_ALL || by == DRY_STIFF_LOOSE ||
           (by == DRY_STIFF_CLOSED) == (f->Kc > 0.0);
}

/* One direction: computes the force against a velocity and adds to the sums. */
static double resist(survey *s, int law, const dry_firmness *f, double weight, double v) {
    if (!counts(s, f)) return 0.0;
    const double k = weight * stiffness(s, f);
    add(&s->sum, f, weight * v * v);
    s->each[law] += k * v * v;
    return -k * v;
}

/* ---- Z ------------------------------------------------------------------ */

static void press_ports(survey *s, int law) {
    const dry_net *net = s->net;
    const dry_net__packed *packed = &net->loops.laws[law];
    for (int k = 0; k < packed->n_links; k++) {
        const dry_net__link *link = &net->wiring.links[packed->link + k];
        dry_net__psi_link(&s->run, packed->link + k);
        for (int i = 0; i < dry_port_force(link->port); i++) {
            const int at = link->in + dry_net__velocity_at(link->port, i);
            const double v = s->run.motion[at] - s->motion[at];
            s->run.force[link->out + i] = resist(s, law, &s->rows[link->out + i], 1.0, v);
        }
        if (!link->direct) dry_net__phi(link, s->run.motion, s->run.force);
    }
}

/* The wrench on a frame that is touched at a point: along the normal, across, against rotation. */
static void press_point(survey *s, int law, const dry_touch *touch, const double *v,
                        const double *omega, double *wrench) {
    const dry_firmness *rows = &s->rows[s->net->loops.laws[law].out];
    double u[3], f[3], m[3];
    dry_cross3(omega, touch->arm, u);
    for (int i = 0; i < 3; i++) u[i] += v[i];
    const double along = dry_dot3(u, touch->n);
    const double N = resist(s, law, &rows[0], touch->weight, along);
    for (int i = 0; i < 3; i++) {
        const double across = u[i] - along * touch->n[i];
        f[i] = N * touch->n[i] + resist(s, law, &rows[1], touch->weight, across);
        wrench[3 + i] += resist(s, law, &rows[2], touch->weight, omega[i]);
        wrench[i] += f[i];
    }
    dry_cross3(touch->arm, f, m);
    for (int i = 0; i < 3; i++) wrench[3 + i] += m[i];
}

static void press_shapes(survey *s, int law) {
    const dry_net__packed *packed = &s->net->loops.laws[law];
    const dry_part *part = s->net->wiring.impedance[law]->part;
    const dry_part_env env = dry_net__packed_env(&s->run, packed, NULL);
    const double *in = s->motion + packed->in;
    double *out = s->run.force + packed->out;
    dry_touch touches[DRY_MOST_TOUCHES];
    int n, frame = 0;
    memset(out, 0, 6 * (size_t)packed->n_links * sizeof *out);
    dry_net__gather_motion(&s->run, packed);
    for (int shape = 0;
         (n = part->gathers->touches(&env, in, shape, s->question->crowd, &frame, touches)) >= 0;
         shape++) {
        double u[6];
        for (int i = 0; i < 6; i++) {
            const int at = packed->in + 13 * frame + (i < 3 ? 3 + i : 7 + i);
            u[i] = s->run.motion[at] - s->motion[at];
        }
        for (int k = 0; k < n; k++)
            press_point(s, law, &touches[k], u, u + 3, out + 6 * (size_t)frame);
    }
}

/* Returns true if the part has a `firmness` of its own. */
static bool has_firmness(const dry_part *part) { return part->design && part->design->firmness; }
static bool has_touches(const dry_part *part) {
    return has_firmness(part) && dry_part_has_shapes(part);
}

static void press_all(survey *s) {
    const dry_net *net = s->net;
    s->sum = (dry_firmness){0};
    memset(s->each, 0, (size_t)net->wiring.n_impedance * sizeof *s->each);
    for (int i = 0; i < net->wiring.n_single; i++) press_ports(s, i);
    for (int i = net->wiring.n_single; i < net->wiring.n_impedance; i++)
        if (has_touches(net->wiring.impedance[i]->part)) press_shapes(s, i);
}

/* ---- one product -------------------------------------------------------- */

/* Computes the rates of the bodies under the forces, at rest. */
static void compute_rates(survey *s, double *rates) {
    s->run.x = s->rest;
    s->run.x_dot = rates;
    for (int i = 0; i < s->net->wiring.n_admittance; i++) {
        const dry_net__packed *body = &s->net->loops.bodies[i];
        const dry_part_env env = dry_net__packed_env(&s->run, body, NULL);
        dry_net__sum(&s->run, body);
        dry_net__admit(&s->run, &env, body, rates + body->x);
    }
}

/* rates = idle - M^-1 J^T Z J w, and the sums */
static void product(survey *s) {
    const int n = s->net->system.n_states;
    for (int i = 0; i < n; i++) s->x[i] = s->rest[i] + s->w[i];
    s->run.x = s->x;
    dry_net__motions(&s->run);
    press_all(s);
    compute_rates(s, s->rates);
}

/* w^T M w; NaN if a body has no kinetic energy function. */
static double twice_kinetic(const survey *s) {
    double sum = 0.0;
    for (int i = 0; i < s->net->wiring.n_admittance; i++) {
        const dry_net__node *node = s->net->wiring.admittance[i];
        const dry_part_env env = dry_net__env(&s->run, node);
        if (node->part->n_states == 0) continue;
        sum +=
            node->part->energy ? 2.0 * node->part->energy(&env, NULL, s->x + node->x) : (double)NAN;
    }
    return sum;
}

/* w = the rates, scaled to length 1 */
static void normalise(survey *s) {
    const int n = s->net->system.n_states;
    for (int b = 0; b < s->net->wiring.n_admittance; b++) {
        const dry_net__node *node = s->net->wiring.admittance[b];
        for (int i = node->x; i < node->x + node->part->n_states; i++)
            if (dry_net__is_velocity(node->part, i - node->x)) s->w[i] = s->rates[i] - s->idle[i];
    }
    const double over = 1.0 / dry_norm(n, s->w);
    for (int i = 0; i < n; i++) s->w[i] *= over;
}

/* ---- the iteration ------------------------------------------------------ */

/* A number in [-1, 1) from a linear congruential generator (Knuth, MMIX). */
static double noise(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/* A body may be touched from any direction, so it may move in any direction. */
static bool is_touched(const dry_net *net, int body) {
    const int end = body + 1 < net->wiring.n_admittance ? net->loops.bodies[body + 1].member
                                                        : net->loops.n_members;
    return end > net->loops.bodies[body].member;
}

static void begin(survey *s, const double *x) {
    const dry_net *net = s->net;
    uint64_t seed = 1;
    memcpy(s->rest, x, (size_t)net->system.n_states * sizeof *x);
    for (int b = 0; b < net->wiring.n_admittance; b++) {
        const dry_net__node *node = net->wiring.admittance[b];
        const double *w = is_touched(net, b) ? NULL : s->question->w;
        for (int i = node->x; i < node->x + node->part->n_states; i++) {
            if (!dry_net__is_velocity(node->part, i - node->x)) continue;
            s->rest[i] = 0.0;
            s->w[i] = w ? w[i] : noise(&seed);
        }
    }
}

/* Open contacts have no stiffness. */
static bool read_rows(survey *s) {
    const bool open = s->question->by == DRY_STIFF_LOOSE;
    s->run.branch = open ? DRY_ALL_LOOSE : DRY_AS_IS;
    for (int i = 0; i < s->net->wiring.n_impedance; i++) {
        const dry_net__node *node = s->net->wiring.impedance[i];
        const dry_part_env env = dry_net__env(&s->run, node);
        dry_firmness *rows = s->rows + node->force;
        if (has_firmness(node->part) && open) continue;
        if (has_firmness(node->part))
            node->part->design->firmness(&env, rows);
        else if (!node->gathers && !dry_net__probe(node->part, &env, s->motion + node->motion,
                                                   s->rest + node->x, rows))
            return false;
    }
    return true;
}

static bool settle(survey *s) {
    const dry_net *net = s->net;
    s->run.x = s->rest;
    dry_net__motions(&s->run);
    for (int i = 0; i < net->wiring.n_links; i++) dry_net__psi_link(&s->run, i);
    memcpy(s->motion, s->run.motion, (size_t)net->sizes.n_motion * sizeof *s->motion);
    memset(s->run.force, 0,
           (size_t)(net->sizes.n_force + net->sizes.n_wrench) * sizeof *s->run.force);
    compute_rates(s, s->idle);
    return read_rows(s);
}

/* Returns true if there are contacts and other stiff parts. Else the stiffest motion of all is also
 * that of its kind, and no further search is needed. */
static bool has_both(const survey *s) {
    bool closed = false, held = false;
    for (int i = 0; i < s->net->sizes.n_force + ROWS; i++) {
        const dry_firmness *f = &s->rows[i];
        closed |= f->Kc > 0.0;
        held |= f->K + f->C + f->Kf > 0.0;
    }
    return closed && held;
}

/* Computes the quotient, w, the sums and the contributions of the parts. */
static double iterate(survey *s) {
    double before = 0.0, quotient = 0.0;
    const bool some = s->question->by == DRY_STIFF_CLOSED || s->question->by == DRY_STIFF_HELD;
    if (some && !has_both(s)) return 0.0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (round > 0) normalise(s);
        product(s);
        double stretched = 0.0;
        for (int i = 0; i < s->net->wiring.n_impedance; i++) stretched += s->each[i];
        if (!(stretched > 0.0)) return stretched;
        quotient = stretched / twice_kinetic(s);
        if (!(fabs(quotient - before) > CONVERGED * quotient)) return quotient;
        before = quotient;
    }
    return quotient;
}

/* ---- what is found ------------------------------------------------------ */

static bool remembers(const survey *s, const dry_net__node *node) {
    const int n = node->gathers ? ROWS : dry_net__force_size(node->part);
    for (int i = 0; i < n; i++)
        if (s->rows[node->force + i].Kf > 0.0 || s->rows[node->force + i].Kc > 0.0) return true;
    return false;
}

static void tell_forgetting(const survey *s, dry_net_mode *mode) {
    mode->beta = (double)INFINITY;
    for (int i = 0; i < s->net->wiring.n_impedance; i++) {
        const dry_net__node *node = s->net->wiring.impedance[i];
        const double beta = dry_net__shortest_beta(node->part, s->run.par + node->par);
        if (!(beta < mode->beta) || !remembers(s, node)) continue;
        mode->beta = beta;
        mode->forgets = node->index;
    }
}

static void tell_stiffest(const survey *s, dry_net_mode *mode) {
    const double over = 1.0 / twice_kinetic(s), Kc = s->sum.Kc;
    dry_firmness *f = &mode->per_mass;
    double most = 0.0;
    *f = (dry_firmness){.K = over * s->sum.K,
                        .C = over * s->sum.C,
                        .Kf = over * s->sum.Kf,
                        .Ktau = over * s->sum.Ktau,
                        .Kc = over * Kc};
    if (Kc > 0.0) f->alpha = s->sum.alpha / Kc, f->beta = s->sum.beta / Kc;
    for (int i = 0; i < s->net->wiring.n_impedance; i++)
        if (s->each[i] > most) {
            most = s->each[i];
            mode->part = s->net->wiring.impedance[i]->index;
        }
}

/* ---- memory ------------------------------------------------------------- */

static double *piece(double **room, int n) {
    double *at = *room;
    *room += n;
    return at;
}

static double *make_room(survey *s) {
    const dry_net *net = s->net;
    const int n = net->system.n_states;
    double *all = dry_heap_take(net->arena,
                                5 * (size_t)n + (size_t)net->sizes.n_motion +
                                    (size_t)net->wiring.n_impedance + 1,
                                sizeof *all);
    double *room = all;
    if (!all) return NULL;
    s->rest = piece(&room, n);
    s->x = piece(&room, n);
    s->w = piece(&room, n);
    s->idle = piece(&room, n);
    s->rates = piece(&room, n);
    s->motion = piece(&room, net->sizes.n_motion);
    s->each = piece(&room, net->wiring.n_impedance);
    return all;
}

dry_status dry_net_stiffest(const dry_net *net, const double *x, const dry_net_question *q,
                            dry_net_mode *mode) {
    survey s = {.net = net, .question = q};
    const dry_env env = {.model = net,
                         .par = net->par,
                         .work = dry_heap_take(net->arena, 1, net->system.work_size + 1)};
    double *room = make_room(&s);
    dry_status status = DRY_NO_MEMORY;
    s.rows = dry_heap_take(net->arena, (size_t)net->sizes.n_force + ROWS, sizeof *s.rows);
    *mode = (dry_net_mode){.part = -1, .beta = (double)INFINITY, .forgets = -1};
    if (env.work && room && s.rows) {
        s.run = dry_net__run_of(&env, 0.0, q->tau, x);
        begin(&s, x);
        if (settle(&s)) {
            const double quotient = iterate(&s);
            status = isfinite(quotient) ? DRY_OK : DRY_NOT_FINITE;
            tell_forgetting(&s, mode);
            if (status == DRY_OK && quotient > 0.0) tell_stiffest(&s, mode);
        }
    }
    free(env.work);
    free(room);
    free(s.rows);
    return status;
}
