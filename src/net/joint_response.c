/* joint_response: computes how bodies respond to a force while joints hold them together.
 *
 * A force alone would give the bodies the accelerations a0. A joint of stiffness K and damping C
 * resists with the force -(K p + C v) during the time h. With D = h C + h^2 K, as in an implicit
 * step,
 *
 *     a = a0 - M^-1 J^T D J a
 *
 * J: Psi, from the velocities of the bodies to those of the joints' ports; J^T: Phi; M^-1: the
 * response of the bodies. Stiff joints then act as rigid ones, soft ones hardly at all. With W = J
 * M^-1 J^T and D^1/2 J a = u,
 *
 *     (1 + D^1/2 W D^1/2) u = D^1/2 J a0
 *
 * by conjugate gradients, without forming any of these matrices. Each iteration reaches one joint
 * further from the force. Bodies and joints that it has not reached are asleep, and all their
 * numbers are 0. Friction is neglected because it yields. h: s; K: N/m (N m); C: N s/m (N m s); a:
 * m/s^2 (rad/s^2). */
#include "net_private.h"
#include <math.h>
#include <stdlib.h>

enum { FORCES = 6, MOST_ROUNDS = 400 };
static const double CONVERGED = 1e-8; /* of the first residual */

typedef struct joint {
    const dry_net__node *node;
    int body[2]; /* at its ends, -1: the world */
    bool awake;
} joint;

typedef struct survey {
    const dry_net *net;
    dry_net__run run; /* with the motions of bodies at rest, except in `stretch` */
    double h;
    double *rest, *x, *idle, *rates; /* states at rest, with velocities; rates without forces */
    double *still;                   /* velocities of the ports while all bodies are at rest */
    double *root;                    /* of D, six for each joint, 0: free */
    joint *joints;
    int n;
    bool *awake; /* the bodies */
    bool full;   /* memory ran out */
} survey;

/* ---- who is awake ------------------------------------------------------- */

/* Computes the velocities of a joint's port. */
static void find_velocity(const survey *s, const joint *j, double *velocity) {
    const dry_net__link *link = &s->net->wiring.links[j->node->link];
    dry_net__psi_link(&s->run, j->node->link);
    for (int i = 0; i < FORCES; i++)
        velocity[i] = s->run.motion[link->in + dry_net__velocity_at(link->port, i)];
}

/* Computes the roots of D of a joint; directions with friction are free. */
static bool find_root(const survey *s, const dry_net__node *node, double *root) {
    const double h = s->h;
    dry_firmness rows[FORCES];
    const dry_part_env env = dry_net__env(&s->run, node);
    if (!dry_net__probe(node->part, &env, s->run.motion + node->motion, s->rest + node->x, rows))
        return false;
    for (int i = 0; i < FORCES; i++)
        root[i] = rows[i].Kf > 0.0 ? 0.0 : sqrt(h * rows[i].C + h * h * rows[i].K);
    return true;
}

/* Wakes the joints of bodies that are awake. */
static void wake_joints(survey *s) {
    for (int k = 0; k < s->n; k++) {
        joint *j = &s->joints[k];
        for (int e = 0; e < 2 && !j->awake; e++) {
            if (j->body[e] < 0 || !s->awake[j->body[e]]) continue;
            j->awake = true;
            find_velocity(s, j, s->still + FORCES * k);
            s->full = !find_root(s, j->node, s->root + FORCES * k) || s->full;
        }
    }
}

/* Wakes the bodies of joints that are awake. */
static void wake_bodies(survey *s) {
    for (int k = 0; k < s->n; k++)
        for (int e = 0; e < 2 && s->joints[k].awake; e++)
            if (s->joints[k].body[e] >= 0) s->awake[s->joints[k].body[e]] = true;
}

/* ---- J, J^T, M^-1 ------------------------------------------------------- */

static void move(survey *s, const double *x) {
    s->run.x = x;
    for (int b = 0; b < s->net->wiring.n_admittance; b++) {
        const dry_part_env env = dry_net__packed_env(&s->run, &s->net->loops.bodies[b], NULL);
        if (s->awake[b]) dry_net__move(&s->run, &env, &s->net->loops.bodies[b]);
    }
}

/* u = D^1/2 J a */
static void stretch(survey *s, const double *a, double *u) {
    wake_joints(s);
    for (int b = 0; b < s->net->wiring.n_admittance; b++) {
        const dry_net__node *node = s->net->wiring.admittance[b];
        for (int i = 0; s->awake[b] && i < node->part->n_states; i++)
            s->x[node->x + i] =
                s->rest[node->x + i] + (dry_net__is_velocity(node->part, i) ? a[node->x + i] : 0.0);
    }
    move(s, s->x);
    for (int k = 0; k < s->n; k++) {
        if (!s->joints[k].awake) continue;
        find_velocity(s, &s->joints[k], u + FORCES * k);
        for (int i = FORCES * k; i < FORCES * (k + 1); i++)
            u[i] = s->root[i] * (u[i] - s->still[i]);
    }
    move(s, s->rest);
}

/* Computes the rates of the bodies that are awake under the present forces. */
static void compute_rates(survey *s, double *rates) {
    s->run.x_dot = rates;
    for (int b = 0; b < s->net->wiring.n_admittance; b++) {
        const dry_net__packed *body = &s->net->loops.bodies[b];
        const dry_part_env env = dry_net__packed_env(&s->run, body, NULL);
        if (!s->awake[b]) continue;
        dry_net__sum(&s->run, body);
        dry_net__admit(&s->run, &env, body, rates + body->x);
    }
}

/* M^-1 J^T D^1/2 u, in rates */
static void respond(survey *s, const double *u) {
    for (int k = 0; k < s->n; k++) {
        if (!s->joints[k].awake) continue;
        const dry_net__link *link = &s->net->wiring.links[s->joints[k].node->link];
        for (int i = 0; i < FORCES; i++)
            s->run.force[link->out + i] = s->root[FORCES * k + i] * u[FORCES * k + i];
        if (!link->direct) dry_net__phi(link, s->run.motion, s->run.force);
    }
    wake_bodies(s);
    compute_rates(s, s->rates);
    for (int b = 0; b < s->net->wiring.n_admittance; b++) {
        const dry_net__packed *body = &s->net->loops.bodies[b];
        for (int i = body->x; s->awake[b] && i < body->x + body->n_x; i++)
            s->rates[i] -= s->idle[i];
    }
}

/* ---- conjugate gradients ------------------------------------------------ */

static double dot(int n, const double *u, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += u[i] * v[i];
    return sum;
}

/* Solves for u. r: the right side on entry, the residual on return; p, q: scratch of the same
 * length. */
static void solve(survey *s, double *u, double *r, double *p, double *q) {
    const int n = FORCES * s->n;
    double square = dot(n, r, r);
    const double enough = CONVERGED * CONVERGED * square;
    memcpy(p, r, (size_t)n * sizeof *p);
    for (int round = 0; round < MOST_ROUNDS && square > enough; round++) {
        respond(s, p);
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

static int count_joints(const dry_net *net) {
    int n = 0;
    for (int i = 0; i < net->wiring.n_single; i++)
        n += dry_part_is_joint(net->wiring.impedance[i]->part);
    return n;
}

/* body_of: the body of each inlet. */
static void find_joints(survey *s, const int *body_of) {
    const dry_net *net = s->net;
    for (int i = 0; i < net->wiring.n_single; i++) {
        const dry_net__node *node = net->wiring.impedance[i];
        if (!dry_part_is_joint(node->part)) continue;
        const dry_net__link *link = &net->wiring.links[node->link];
        const int a = link->a.inlet, b = link->b.inlet;
        s->joints[s->n++] =
            (joint){.node = node, .body = {a < 0 ? -1 : body_of[a], b < 0 ? -1 : body_of[b]}};
    }
}

/* Puts all bodies at rest and computes their rates without forces. */
static void settle(survey *s, const double *x) {
    const dry_net *net = s->net;
    memcpy(s->rest, x, (size_t)net->system.n_states * sizeof *x);
    for (int b = 0; b < net->wiring.n_admittance; b++) {
        const dry_net__node *node = net->wiring.admittance[b];
        for (int i = 0; i < node->part->n_states; i++)
            if (dry_net__is_velocity(node->part, i)) s->rest[node->x + i] = 0.0;
        s->awake[b] = true;
    }
    move(s, s->rest);
    compute_rates(s, s->idle);
}

/* Wakes the bodies that the force alone accelerates. */
static void wake_pushed(survey *s, const double *a) {
    for (int b = 0; b < s->net->wiring.n_admittance; b++) {
        const dry_net__packed *body = &s->net->loops.bodies[b];
        s->awake[b] = false;
        for (int i = body->x; i < body->x + body->n_x; i++)
            s->awake[b] = s->awake[b] || a[i] != 0.0;
    }
}

/* Subtracts from a what the joints prevent; room: four vectors of the joints. */
static void apply_joints(survey *s, double *a, double *room) {
    const int n = FORCES * s->n;
    wake_pushed(s, a);
    stretch(s, a, room + n);
    solve(s, room, room + n, room + 2 * n, room + 3 * n);
    respond(s, room);
    for (int b = 0; b < s->net->wiring.n_admittance; b++) {
        const dry_net__packed *body = &s->net->loops.bodies[b];
        for (int i = body->x; i < body->x + body->n_x; i++) a[i] -= s->rates[i];
    }
}

/* ---- memory ------------------------------------------------------------- */

static void take_vectors(survey *s, double *room, size_t n, size_t joints) {
    s->rest = room;
    s->x = s->rest + n;
    s->idle = s->x + n;
    s->rates = s->idle + n;
    s->still = s->rates + n;
    s->root = s->still + FORCES * joints;
}

static void list_bodies(const dry_net *net, int *body_of) {
    for (int b = 0; b < net->wiring.n_admittance; b++)
        for (int k = 0; k < net->loops.bodies[b].n_links; k++)
            body_of[net->loops.bodies[b].link + k] = b;
}

dry_status dry_net_held(const dry_net *net, const double *x, double h, double *a) {
    const size_t n = (size_t)net->system.n_states, joints = (size_t)count_joints(net);
    if (joints == 0) return DRY_OK;
    const dry_env env = {.model = net,
                         .par = net->par,
                         .work = dry_heap_take(net->arena, 1, net->system.work_size + 1)};
    double *room = dry_heap_take(net->arena, 4 * n + 6 * FORCES * joints, sizeof *room);
    int *body_of = dry_heap_take(net->arena, (size_t)net->wiring.n_inlets + 1, sizeof *body_of);
    survey s = {
        .net = net,
        .h = h,
        .joints = dry_heap_take(net->arena, joints, sizeof *s.joints),
        .awake = dry_heap_take(net->arena, (size_t)net->wiring.n_admittance + 1, sizeof *s.awake)};
    s.full = !env.work || !room || !body_of || !s.joints || !s.awake;
    if (!s.full) {
        s.run = dry_net__run_of(&env, 0.0, 0.0, x);
        take_vectors(&s, room, n, joints);
        list_bodies(net, body_of);
        find_joints(&s, body_of);
        settle(&s, x);
        apply_joints(&s, a, s.root + FORCES * joints);
    }
    free(env.work);
    free(room);
    free(body_of);
    free(s.joints);
    free(s.awake);
    return s.full ? DRY_NO_MEMORY : DRY_OK;
}
