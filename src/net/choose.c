/* Parameters that a part chooses itself, by how its two ends answer to its force (net.h, `choose`).
 *
 *     W = J M^-1 J^T
 *
 * J: Psi, from the velocities of the two bodies to those of the port; J^T: Phi; M^-1: what the
 * bodies answer, at rest where they start, whatever else acts on them. One column of W is the
 * answer to a force of 1 in one direction.
 *
 * Parts that pull at one body add up. Let Z_i be the stiffness that part i chooses for n_i W_i, so
 * that W_i Z_i has no eigenvalue above omega^2/n_i, n_i the larger number of such parts at one of
 * its bodies a and b. Then for all velocities w of the bodies, T_b = w_b^T M_b w_b,
 *
 *     sum_i w^T J_i^T Z_i J_i w <= sum_i omega^2/n_i (T_a + T_b) <= omega^2 w^T M w
 *
 * and nothing swings faster than omega by all of them together. */
#include "net_private.h"
#include <math.h>
#include <stdlib.h>

enum { FORCES = 6, MOTION = 12, ENDS = 2 };
static const double STANDARD = 500.0; /* rad/s */

typedef struct survey {
    const dry_net *net;
    dry_net__run run;
    double *rest, *x; /* states without velocities; with those that a force gives in 1 s */
    double *idle;     /* rates without forces */
    int *crowd;       /* parts that choose, at each body */
} survey;

/* ---- the bodies at the two ends ---------------------------------------- */

/* The number of the body that has the inlet, -1: it has no states, or is the world. */
static int body_of(const dry_net *net, int inlet) {
    int low = 0, high = net->n_admittance;
    if (inlet < 0) return -1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(net->admittance[middle]->port <= inlet ? &low : &high) = middle;
    }
    return net->admittance[low]->part->n_states > 0 ? low : -1;
}

/* Both ends may be on one body. */
static int numbers_of(const dry_net *net, const dry_net__link *link, int numbers[ENDS]) {
    const int a = body_of(net, link->a.inlet), b = body_of(net, link->b.inlet);
    int n = 0;
    if (a >= 0) numbers[n++] = a;
    if (b >= 0 && b != a) numbers[n++] = b;
    return n;
}
static int bodies_of(const dry_net *net, const dry_net__link *link,
                     const dry_net__node *bodies[ENDS]) {
    int numbers[ENDS];
    const int n = numbers_of(net, link, numbers);
    for (int i = 0; i < n; i++) bodies[i] = net->admittance[numbers[i]];
    return n;
}

static void clear(const survey *s, const dry_net__node *body) {
    for (int k = 0; k < body->part->n_ports; k++) {
        const dry_net__inlet *inlet = &s->net->inlets[body->port + k];
        memset(s->run.total + inlet->total, 0, (size_t)inlet->size * sizeof *s->run.total);
    }
}

/* The wrench that Phi gave to an end. */
static void press(const survey *s, const dry_net__end *end, const double *wrench) {
    if (end->inlet < 0) return;
    const dry_net__inlet *inlet = &s->net->inlets[end->inlet];
    for (int i = 0; i < inlet->size; i++) s->run.total[inlet->total + i] += wrench[i];
}

static void answer(const survey *s, const dry_net__node *body, double *rates) {
    const dry_part_env env = dry_net__env(&s->run, body);
    body->part->eval(&env, s->run.total + body->force, s->rest + body->x, NULL, rates + body->x);
}

/* Its motion at the states x. */
static void show(const survey *s, const dry_net__node *body, const double *x) {
    const dry_part_env env = dry_net__env(&s->run, body);
    double *motion = s->run.motion + body->motion;
    if (body->part->motion)
        body->part->motion(&env, x + body->x, motion);
    else
        memcpy(motion, x + body->x, (size_t)body->n_motion * sizeof *motion);
}

/* x = rest + (rates - idle) in the velocities */
static void speed_up(const survey *s, const dry_net__node *body) {
    for (int i = 0; i < body->part->n_states; i++) {
        const int at = body->x + i;
        const double change = s->run.rates[at] - s->idle[at];
        s->x[at] = s->rest[at] + (dry_net__is_velocity(body->part, i) ? change : 0.0);
    }
}

/* ---- W ----------------------------------------------------------------- */

/* The velocities of the port that a force gives in 1 s. */
static void respond(const survey *s, const dry_net__link *link, const double force[FORCES],
                    double velocity[FORCES]) {
    const dry_net__node *bodies[ENDS];
    const int n = bodies_of(s->net, link, bodies);
    double in[MOTION];
    memcpy(s->run.force + link->out, force, FORCES * sizeof *force);
    dry_net__phi(link, s->run.motion, s->run.force);
    for (int i = 0; i < n; i++) clear(s, bodies[i]);
    press(s, &link->a, s->run.force + link->wrench);
    press(s, &link->b, s->run.force + link->wrench + FORCES);
    for (int i = 0; i < n; i++) {
        answer(s, bodies[i], s->run.rates);
        speed_up(s, bodies[i]);
        show(s, bodies[i], s->x);
    }
    dry_net__psi(link, s->run.motion, in);
    for (int i = 0; i < FORCES; i++) velocity[i] = in[dry_net__velocity_at(link->port, i)];
    for (int i = 0; i < n; i++) show(s, bodies[i], s->rest);
}

static void begin(const survey *s, const dry_net__link *link) {
    const dry_net__node *bodies[ENDS];
    const int n = bodies_of(s->net, link, bodies);
    for (int i = 0; i < n; i++) {
        clear(s, bodies[i]);
        answer(s, bodies[i], s->idle);
    }
}

/* W of a part, n-fold where n parts share a body. */
static void find_W(const survey *s, const dry_net__link *link, double W[FORCES * FORCES]) {
    double idle[FORCES], velocity[FORCES];
    const double nothing[FORCES] = {0.0};
    int numbers[ENDS], share = 1;
    const int n = numbers_of(s->net, link, numbers);
    for (int i = 0; i < n; i++)
        if (s->crowd[numbers[i]] > share) share = s->crowd[numbers[i]];
    begin(s, link);
    respond(s, link, nothing, idle); /* ends that move as they are told */
    for (int j = 0; j < FORCES; j++) {
        double force[FORCES] = {0.0};
        force[j] = 1.0;
        respond(s, link, force, velocity);
        for (int i = 0; i < FORCES; i++) W[i * FORCES + j] = share * (velocity[i] - idle[i]);
    }
}

/* ---- all of them ------------------------------------------------------- */

/* The next that chooses, from number i on; n_single: no more. */
static int next(const dry_net *net, int i) {
    while (i < net->n_single && !net->impedance[i]->part->choose) i++;
    return i;
}

/* Where all bodies start, at rest. */
static void place(const survey *s, const dry_env *env) {
    dry_net__start_state(env, 0.0, s->rest);
    for (int b = 0; b < s->net->n_admittance; b++) {
        const dry_net__node *body = s->net->admittance[b];
        for (int i = 0; i < body->part->n_states; i++)
            if (dry_net__is_velocity(body->part, i)) s->rest[body->x + i] = 0.0;
        show(s, body, s->rest);
    }
}

static void count(const survey *s) {
    const dry_net *net = s->net;
    for (int i = next(net, 0); i < net->n_single; i = next(net, i + 1)) {
        int numbers[ENDS];
        const int n = numbers_of(net, &net->links[net->impedance[i]->link], numbers);
        for (int k = 0; k < n; k++) s->crowd[numbers[k]]++;
    }
}

static void choose_all(const survey *s, double omega) {
    const dry_net *net = s->net;
    double W[FORCES * FORCES];
    for (int i = next(net, 0); i < net->n_single; i = next(net, i + 1)) {
        const dry_net__node *node = net->impedance[i];
        find_W(s, &net->links[node->link], W);
        node->part->choose(node->part, W, omega, net->par + node->par);
    }
}

dry_status dry_net_choose(dry_net *net, double omega) {
    if (!(omega > 0.0 && isfinite(omega))) return DRY_BAD_ARGUMENT;
    if (!net->told) return DRY_OK;
    memcpy(net->par, net->told, (size_t)net->system.n_par * sizeof *net->par);
    const size_t n = (size_t)net->system.n_states;
    const dry_env env = {
        .model = net, .par = net->par, .work = calloc(1, net->system.work_size + 1)};
    double *room = calloc(3 * n + 1, sizeof *room);
    int *crowd = calloc((size_t)net->n_admittance + 1, sizeof *crowd);
    const bool fits = env.work && room && crowd;
    if (fits) {
        survey s = {.net = net, .rest = room, .x = room + n, .idle = room + 2 * n, .crowd = crowd};
        s.run = dry_net__run_of(&env, 0.0, 0.0, s.rest);
        place(&s, &env);
        count(&s);
        choose_all(&s, omega);
    }
    free(env.work);
    free(room);
    free(crowd);
    return fits ? DRY_OK : DRY_NO_MEMORY;
}

void dry_net__choose(dry_net *net) {
    const size_t n = (size_t)net->system.n_par;
    if (next(net, 0) == net->n_single) return;
    net->told = dry_net__take(net, n + 1, sizeof *net->told);
    if (!net->told) return;
    memcpy(net->told, net->par, n * sizeof *net->told);
    if (dry_net_choose(net, STANDARD) != DRY_OK) net->full = true;
}

bool dry_net_is_chosen(const dry_net *net, int par) {
    return net->told && par >= 0 && par < net->system.n_par && net->told[par] != net->par[par];
}
