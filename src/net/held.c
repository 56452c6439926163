/* held: how bodies answer to a force where joints hold them together for a while.
 *
 * A force alone would give the bodies the accelerations a0. A joint, of stiffness K and damping C,
 * follows by the force -(K p + C v) within the time h: with D = h C + h^2 K, as an implicit step
 * has it,
 *
 *     a = a0 - M^-1 J^T D J a
 *
 * J: Psi, from the velocities of the bodies to those of the joints' ports; J^T: Phi; M^-1: what the
 * bodies answer. Stiff joints are rigid for it, soft ones as good as not there. With W = J M^-1 J^T
 * and D^1/2 J a = u,
 *
 *     (1 + D^1/2 W D^1/2) u = D^1/2 J a0
 *
 * by conjugate gradients, for which none of these matrices is formed. Friction is left out: it
 * yields. h: s; K: N/m (N m); C: N s/m (N m s); a: m/s^2 (rad/s^2). */
#include "net_private.h"
#include <math.h>
#include <stdlib.h>

enum { FORCES = 6, MOST_ROUNDS = 400 };
static const double CONVERGED = 1e-8; /* of the first residual */

typedef struct survey {
    const dry_net *net;
    dry_net__run run;
    double *rest, *x, *idle, *rates; /* states at rest, with velocities; rates without forces */
    double *still;                   /* velocities of the ports, where all bodies are at rest */
    double *root;                    /* of D, six for each joint, 0: free */
    int *link, n;                    /* of the joints */
} survey;

/* ---- J, J^T, M^-1 ------------------------------------------------------- */

/* The velocities of the ports, at the states x. */
static void look(const survey *s, const double *x, double *velocity) {
    dry_net__run run = s->run;
    run.x = x;
    dry_net__motions(&run);
    for (int j = 0; j < s->n; j++) {
        const dry_net__link *link = &s->net->links[s->link[j]];
        dry_net__psi_link(&run, s->link[j]);
        for (int i = 0; i < FORCES; i++)
            velocity[FORCES * j + i] = run.motion[link->in + dry_net__velocity_at(link->port, i)];
    }
}

/* u = D^1/2 J a */
static void stretch(const survey *s, const double *a, double *u) {
    for (int b = 0; b < s->net->n_admittance; b++) {
        const dry_net__node *node = s->net->admittance[b];
        for (int i = 0; i < node->part->n_states; i++)
            s->x[node->x + i] =
                s->rest[node->x + i] + (dry_net__is_velocity(node->part, i) ? a[node->x + i] : 0.0);
    }
    look(s, s->x, u);
    for (int i = 0; i < FORCES * s->n; i++) u[i] = s->root[i] * (u[i] - s->still[i]);
}

/* The bodies' answer to the forces D^1/2 u of the joints, NULL: none. */
static void answer(const survey *s, const double *u, double *rates) {
    dry_net__run run = s->run;
    run.x = s->rest;
    run.x_dot = rates;
    dry_net__motions(&run);
    for (int j = 0; j < s->n; j++) {
        const dry_net__link *link = &s->net->links[s->link[j]];
        for (int i = 0; i < FORCES; i++)
            run.force[link->out + i] = u ? s->root[FORCES * j + i] * u[FORCES * j + i] : 0.0;
        if (!link->direct) dry_net__phi(link, run.motion, run.force);
    }
    for (int b = 0; b < s->net->n_admittance; b++) {
        const dry_net__lane *body = &s->net->bodies[b];
        const dry_part_env env = dry_net__lane_env(&run, body, NULL);
        dry_net__sum(&run, body);
        dry_net__admit(&run, &env, body, rates + body->x);
    }
}

/* M^-1 J^T D^1/2 u, in rates */
static void give(const survey *s, const double *u) {
    answer(s, u, s->rates);
    for (int i = 0; i < s->net->system.n_states; i++) s->rates[i] -= s->idle[i];
}

/* ---- conjugate gradients ------------------------------------------------ */

static double dot(int n, const double *u, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += u[i] * v[i];
    return sum;
}

/* u of the right side r, which becomes what is left of it; p, q: as long. */
static void solve(const survey *s, double *u, double *r, double *p, double *q) {
    const int n = FORCES * s->n;
    double square = dot(n, r, r);
    const double enough = CONVERGED * CONVERGED * square;
    memcpy(p, r, (size_t)n * sizeof *p);
    for (int round = 0; round < MOST_ROUNDS && square > enough; round++) {
        give(s, p);
        stretch(s, s->rates, q);
        for (int i = 0; i < n; i++) q[i] += p[i];
        const double step = square / dot(n, p, q), before = square;
        for (int i = 0; i < n; i++) {
            u[i] += step * p[i];
            r[i] -= step * q[i];
        }
        square = dot(n, r, r);
        for (int i = 0; i < n; i++) p[i] = r[i] + square / before * p[i];
    }
}

/* ---- the joints --------------------------------------------------------- */

static bool holds(const dry_part *part) { return part->choose != NULL; }

static void place(const survey *s, const double *x) {
    memcpy(s->rest, x, (size_t)s->net->system.n_states * sizeof *x);
    for (int b = 0; b < s->net->n_admittance; b++) {
        const dry_net__node *node = s->net->admittance[b];
        for (int i = 0; i < node->part->n_states; i++)
            if (dry_net__is_velocity(node->part, i)) s->rest[node->x + i] = 0.0;
    }
}

/* The roots of D of a joint; where it rubs it is free. */
static bool find_root(const survey *s, const dry_net__node *node, double h, double *root) {
    dry_firmness rows[FORCES];
    const dry_part_env env = dry_net__env(&s->run, node);
    if (!dry_net__probe(node->part, &env, s->run.motion + node->motion, s->rest + node->x, rows))
        return false;
    for (int i = 0; i < FORCES; i++)
        root[i] = rows[i].Kf > 0.0 ? 0.0 : sqrt(h * rows[i].C + h * h * rows[i].K);
    return true;
}

static bool find_joints(survey *s, double h) {
    const dry_net *net = s->net;
    for (int i = 0; i < net->n_single; i++)
        if (holds(net->impedance[i]->part)) s->link[s->n++] = net->impedance[i]->link;
    look(s, s->rest, s->still);
    int j = 0;
    for (int i = 0; i < net->n_single; i++)
        if (holds(net->impedance[i]->part) &&
            !find_root(s, net->impedance[i], h, s->root + FORCES * j++))
            return false;
    return true;
}

static int count_joints(const dry_net *net) {
    int n = 0;
    for (int i = 0; i < net->n_single; i++) n += holds(net->impedance[i]->part);
    return n;
}

/* a becomes what is left of it; room: four vectors of the joints. */
static void hold(const survey *s, double *a, double *room) {
    const int n = FORCES * s->n;
    answer(s, NULL, s->idle);
    stretch(s, a, room + n);
    solve(s, room, room + n, room + 2 * n, room + 3 * n);
    give(s, room);
    for (int b = 0; b < s->net->n_admittance; b++) {
        const dry_net__node *node = s->net->admittance[b];
        for (int i = node->x; i < node->x + node->part->n_states; i++) a[i] -= s->rates[i];
    }
}

dry_status dry_net_held(const dry_net *net, const double *x, double h, double *a) {
    const size_t n = (size_t)net->system.n_states, joints = (size_t)count_joints(net);
    if (joints == 0) return DRY_OK;
    const dry_env env = {
        .model = net, .par = net->par, .work = calloc(1, net->system.work_size + 1)};
    double *room = calloc(4 * n + 6 * FORCES * joints, sizeof *room);
    survey s = {.net = net, .link = calloc(joints, sizeof *s.link)};
    bool fits = env.work && room && s.link;
    if (fits) {
        s.run = dry_net__run_of(&env, 0.0, 0.0, x);
        s.rest = room, s.x = room + n, s.idle = room + 2 * n, s.rates = room + 3 * n;
        s.still = room + 4 * n, s.root = s.still + FORCES * joints;
        place(&s, x);
        fits = find_joints(&s, h);
        if (fits) hold(&s, a, s.root + FORCES * joints);
    }
    free(env.work);
    free(room);
    free(s.link);
    return fits ? DRY_OK : DRY_NO_MEMORY;
}
