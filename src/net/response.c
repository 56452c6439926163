/* response: computes how bodies respond to forces on their ports, at rest in their start pose,
 * without any other forces.
 *
 *     W = J M^-1 J^T
 *
 * J: Psi, from the velocities of the bodies to those of a port; J^T: Phi; M^-1: the response of the
 * bodies to a force. One column of W is the response to a force of 1 in one direction. */
#include "net_private.h"
#include <math.h>
#include <stdlib.h>

/* ---- one of them -------------------------------------------------------- */

/* The body that owns the inlet; -1: it has no states, or is the world. */
static int body_of(const dry_net *net, int inlet) {
    int low = 0, high = net->wiring.n_admittance;
    if (inlet < 0) return -1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(net->wiring.admittance[middle]->port <= inlet ? &low : &high) = middle;
    }
    return net->wiring.admittance[low]->part->n_states > 0 ? low : -1;
}

/* Computes the motion of a body at these states. */
static void compute_motion(const dry_response *s, int body, const double *x) {
    const dry_net__node *node = s->net->wiring.admittance[body];
    const dry_part_env env = dry_net__env(&s->run, node);
    double *motion = s->run.motion + node->motion;
    if (node->part->motion)
        node->part->motion(&env, x + node->x, motion);
    else
        memcpy(motion, x + node->x, (size_t)node->n_motion * sizeof *motion);
}

static void clear(const dry_response *s, const dry_net__node *body) {
    for (int k = 0; k < body->part->n_ports; k++) {
        const dry_net__inlet *inlet = &s->net->wiring.inlets[body->port + k];
        memset(s->run.total + inlet->total, 0, (size_t)inlet->size * sizeof *s->run.total);
    }
}

static void respond(const dry_response *s, const dry_net__node *body, double *rates) {
    const dry_part_env env = dry_net__env(&s->run, body);
    body->part->eval(&env, s->run.total + body->force, s->rest + body->x, NULL, rates + body->x);
}

/* Clears the forces on a body and computes its rates without them. */
static void clear_forces(const dry_response *s, int body) {
    clear(s, s->net->wiring.admittance[body]);
    respond(s, s->net->wiring.admittance[body], s->idle);
}

/* Adds to the force on an inlet. */
static void add_force(const dry_response *s, int inlet, double times, const double *force) {
    if (inlet < 0) return;
    const dry_net__inlet *at = &s->net->wiring.inlets[inlet];
    for (int i = 0; i < at->size; i++) s->run.total[at->total + i] += times * force[i];
}

/* Computes the velocities that the forces give in 1 s, into s->x and the motion of the ports;
 * clears the forces. */
static void accelerate(const dry_response *s, int body) {
    const dry_net__node *node = s->net->wiring.admittance[body];
    respond(s, node, s->run.rates);
    for (int i = 0; i < node->part->n_states; i++) {
        const int at = node->x + i;
        const double change = s->run.rates[at] - s->idle[at];
        s->x[at] = s->rest[at] + (dry_net__is_velocity(node->part, i) ? change : 0.0);
    }
    clear(s, node);
    compute_motion(s, body, s->x);
}

/* ---- all bodies at rest ------------------------------------------------- */

static void set_at_rest(const dry_response *s) {
    dry_net__start_bodies(&s->run, s->rest);
    for (int b = 0; b < s->net->wiring.n_admittance; b++) {
        const dry_net__node *body = s->net->wiring.admittance[b];
        for (int i = 0; i < body->part->n_states; i++)
            if (dry_net__is_velocity(body->part, i)) s->rest[body->x + i] = 0.0;
        compute_motion(s, b, s->rest);
    }
}

dry_response *dry_response_new(const dry_net *net) {
    const size_t n = (size_t)net->system.n_states;
    dry_response *s = dry_heap_take(net->arena, 1, sizeof *s);
    if (!s) return NULL;
    s->net = net;
    s->work = dry_heap_take(net->arena, 1, net->system.work_size + 1);
    s->rest = dry_heap_take(net->arena, 4 * n + 1, sizeof *s->rest);
    if (!s->work || !s->rest) {
        dry_response_free(s);
        return NULL;
    }
    const dry_env env = {.model = net, .par = net->par, .work = s->work};
    s->x = s->rest + n;
    s->idle = s->rest + 2 * n;
    s->loaded = s->rest + 3 * n;
    s->run = dry_net__run_of(&env, 0.0, 0.0, s->rest);
    set_at_rest(s);
    return s;
}

void dry_response_free(dry_response *response) {
    if (!response) return;
    free(response->work);
    free(response->rest);
    free(response);
}

/* ---- the two at the ends of a link -------------------------------------- */

/* Finds the bodies at the two ends; returns 0, 1 or 2. */
static int bodies_of(const dry_net *net, const dry_net__link *link, int bodies[2]) {
    const int a = body_of(net, link->a.inlet), b = body_of(net, link->b.inlet);
    int n = 0;
    if (a >= 0) bodies[n++] = a;
    if (b >= 0 && b != a) bodies[n++] = b;
    return n;
}

/* Adds the force of a port to those on the ends of its link. */
static void add_port_force(const dry_response *s, const dry_net__link *link, const double *force) {
    enum { WRENCH = 6 };
    double *wrench = s->run.force + link->wrench;
    memcpy(s->run.force + link->out, force, (size_t)dry_port_force(link->port) * sizeof *force);
    if (!link->direct) dry_net__phi(link, s->run.motion, s->run.force);
    add_force(s, link->a.inlet, 1.0, link->direct ? force : wrench);
    add_force(s, link->b.inlet, link->direct ? -1.0 : 1.0, link->direct ? force : wrench + WRENCH);
}

static const dry_net__link *link_of(const dry_response *s, int part) {
    return &s->net->wiring.links[s->net->wiring.nodes[part]->link];
}

int dry_response_bodies(const dry_response *s, int part, int bodies[2]) {
    return bodies_of(s->net, link_of(s, part), bodies);
}

/* ---- a port ------------------------------------------------------------- */

enum { SIX = 6, MOTION = 12, ENDS = 2 };

/* Computes the velocities of the port that a force gives in 1 s. */
static void velocity_by(const dry_response *s, const dry_net__link *link, const double *force,
                        double *velocity) {
    int bodies[ENDS];
    const int n = bodies_of(s->net, link, bodies);
    double in[MOTION];
    add_port_force(s, link, force);
    for (int i = 0; i < n; i++) accelerate(s, bodies[i]);
    dry_net__psi(link, s->run.motion, in);
    for (int i = 0; i < dry_port_force(link->port); i++)
        velocity[i] = in[dry_net__velocity_at(link->port, i)];
    for (int i = 0; i < n; i++) compute_motion(s, bodies[i], s->rest);
}

static void let_ends_go(const dry_response *s, const dry_net__link *link) {
    int bodies[ENDS];
    const int n = bodies_of(s->net, link, bodies);
    for (int i = 0; i < n; i++) clear_forces(s, bodies[i]);
}

void dry_response_at_port(const dry_response *s, int part, double *W) {
    const dry_net__link *link = link_of(s, part);
    const int n = dry_port_force(link->port);
    double idle[SIX], velocity[SIX];
    const double nothing[SIX] = {0.0};
    let_ends_go(s, link);
    velocity_by(s, link, nothing, idle); /* subtract ends with prescribed motion */
    for (int j = 0; j < n; j++) {
        double force[SIX] = {0.0};
        force[j] = 1.0;
        velocity_by(s, link, force, velocity);
        for (int i = 0; i < n; i++) W[i * n + j] = velocity[i] - idle[i];
    }
}

/* ---- a port of one number, whose bodies joints hold ---------------------- */

/* Passes the motion of the two bodies on through the joints. */
static bool pass_through_joints(const dry_response *s, const int *bodies, int n, double h) {
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
        compute_motion(s, bodies[k], s->x);
    }
    free(a);
    return fits;
}

/* The rate of the gap that a force causes in 1 s; NaN without memory. */
static double rate_by(const dry_response *s, const dry_net__link *link, double force, double h) {
    int bodies[ENDS];
    double in[2];
    const int n = bodies_of(s->net, link, bodies);
    add_port_force(s, link, &force);
    for (int i = 0; i < n; i++) accelerate(s, bodies[i]);
    const bool fits = force == 0.0 || n == 0 || pass_through_joints(s, bodies, n, h);
    dry_net__psi(link, s->run.motion, in);
    for (int i = 0; i < n; i++) compute_motion(s, bodies[i], s->rest);
    return fits ? in[dry_net__velocity_at(link->port, 0)] : (double)NAN;
}

double dry_response_held(const dry_response *s, int part, double h) {
    const dry_net__link *link = link_of(s, part);
    let_ends_go(s, link);
    return rate_by(s, link, 1.0, h) - rate_by(s, link, 0.0, h);
}

/* ---- frames of a part that gathers --------------------------------------- */

static const dry_net__packed *law_of(const dry_response *s, int part) {
    const dry_net *net = s->net;
    int law = net->wiring.n_single;
    while (net->wiring.impedance[law] != net->wiring.nodes[part]) law++;
    return &net->loops.laws[law];
}

static const dry_net__end *end_of(const dry_response *s, int part, int frame) {
    return &link_of(s, part)[frame].a;
}

void dry_response_gather(const dry_response *s, int part) {
    dry_net__gather_motion(&s->run, law_of(s, part));
}

int dry_response_touches(const dry_response *s, int part, int shape, int *frame,
                         dry_touch touches[DRY_MOST_TOUCHES]) {
    const dry_net__packed *law = law_of(s, part);
    const dry_part_env env = dry_net__packed_env(&s->run, law, NULL);
    return s->net->wiring.nodes[part]->part->gathers->touches(&env, s->run.motion + law->in, shape,
                                                              true, frame, touches);
}

int dry_response_body(const dry_response *s, int part, int frame) {
    return body_of(s->net, end_of(s, part, frame)->inlet);
}

void dry_response_at_frame(const dry_response *s, int part, int frame, double W[36]) {
    const dry_net__end *end = end_of(s, part, frame);
    const int body = body_of(s->net, end->inlet);
    const double *motion = s->run.motion + end->motion;
    clear_forces(s, body);
    for (int j = 0; j < SIX; j++) {
        double wrench[SIX] = {0.0};
        wrench[j] = 1.0;
        add_force(s, end->inlet, 1.0, wrench);
        accelerate(s, body);
        for (int i = 0; i < SIX; i++) W[SIX * i + j] = motion[i < 3 ? 3 + i : 7 + i];
    }
    compute_motion(s, body, s->rest);
}

void dry_response_loaded(const dry_response *s, int part, int frame, double a[3]) {
    const dry_net__end *end = end_of(s, part, frame);
    const int body = body_of(s->net, end->inlet);
    compute_motion(s, body, s->loaded);
    memcpy(a, s->run.motion + end->motion + 3, 3 * sizeof *a);
    compute_motion(s, body, s->rest);
}
