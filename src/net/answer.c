/* answer: how bodies answer to forces on their ports, at rest where they start, whatever else acts
 * on them (M^-1 of choose.c). */
#include "net_private.h"
#include <stdlib.h>

/* ---- all bodies at rest ------------------------------------------------- */

static void place(const dry_net__survey *s) {
    dry_net__start_bodies(&s->run, s->rest);
    for (int b = 0; b < s->net->wiring.n_admittance; b++) {
        const dry_net__node *body = s->net->wiring.admittance[b];
        for (int i = 0; i < body->part->n_states; i++)
            if (dry_net__is_velocity(body->part, i)) s->rest[body->x + i] = 0.0;
        dry_net__show(s, b, s->rest);
    }
}

bool dry_net__survey_new(const dry_net *net, dry_net__survey *s) {
    const size_t n = (size_t)net->system.n_states;
    *s = (dry_net__survey){.net = net,
                           .work = dry_heap_take(net->arena, 1, net->system.work_size + 1),
                           .rest = dry_heap_take(net->arena, 4 * n + 1, sizeof *s->rest)};
    if (!s->work || !s->rest) {
        dry_net__survey_free(s);
        return false;
    }
    const dry_env env = {.model = net, .par = net->par, .work = s->work};
    s->x = s->rest + n;
    s->idle = s->rest + 2 * n;
    s->pressed = s->rest + 3 * n;
    s->run = dry_net__run_of(&env, 0.0, 0.0, s->rest);
    place(s);
    return true;
}

void dry_net__survey_free(dry_net__survey *s) {
    free(s->work);
    free(s->rest);
}

/* ---- one of them -------------------------------------------------------- */

int dry_net__body_of(const dry_net *net, int inlet) {
    int low = 0, high = net->wiring.n_admittance;
    if (inlet < 0) return -1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(net->wiring.admittance[middle]->port <= inlet ? &low : &high) = middle;
    }
    return net->wiring.admittance[low]->part->n_states > 0 ? low : -1;
}

void dry_net__show(const dry_net__survey *s, int body, const double *x) {
    const dry_net__node *node = s->net->wiring.admittance[body];
    const dry_part_env env = dry_net__env(&s->run, node);
    double *motion = s->run.motion + node->motion;
    if (node->part->motion)
        node->part->motion(&env, x + node->x, motion);
    else
        memcpy(motion, x + node->x, (size_t)node->n_motion * sizeof *motion);
}

static void clear(const dry_net__survey *s, const dry_net__node *body) {
    for (int k = 0; k < body->part->n_ports; k++) {
        const dry_net__inlet *inlet = &s->net->wiring.inlets[body->port + k];
        memset(s->run.total + inlet->total, 0, (size_t)inlet->size * sizeof *s->run.total);
    }
}

static void answer(const dry_net__survey *s, const dry_net__node *body, double *rates) {
    const dry_part_env env = dry_net__env(&s->run, body);
    body->part->eval(&env, s->run.total + body->force, s->rest + body->x, NULL, rates + body->x);
}

void dry_net__let_go(const dry_net__survey *s, int body) {
    clear(s, s->net->wiring.admittance[body]);
    answer(s, s->net->wiring.admittance[body], s->idle);
}

void dry_net__press(const dry_net__survey *s, int inlet, double times, const double *force) {
    if (inlet < 0) return;
    const dry_net__inlet *at = &s->net->wiring.inlets[inlet];
    for (int i = 0; i < at->size; i++) s->run.total[at->total + i] += times * force[i];
}

void dry_net__react(const dry_net__survey *s, int body) {
    const dry_net__node *node = s->net->wiring.admittance[body];
    answer(s, node, s->run.rates);
    for (int i = 0; i < node->part->n_states; i++) {
        const int at = node->x + i;
        const double change = s->run.rates[at] - s->idle[at];
        s->x[at] = s->rest[at] + (dry_net__is_velocity(node->part, i) ? change : 0.0);
    }
    clear(s, node);
    dry_net__show(s, body, s->x);
}

/* ---- the two at the ends of a link -------------------------------------- */

int dry_net__bodies_of(const dry_net *net, const dry_net__link *link, int bodies[2]) {
    const int a = dry_net__body_of(net, link->a.inlet), b = dry_net__body_of(net, link->b.inlet);
    int n = 0;
    if (a >= 0) bodies[n++] = a;
    if (b >= 0 && b != a) bodies[n++] = b;
    return n;
}

void dry_net__pull(const dry_net__survey *s, const dry_net__link *link, const double *force) {
    enum { WRENCH = 6 };
    double *wrench = s->run.force + link->wrench;
    memcpy(s->run.force + link->out, force, (size_t)dry_port_force(link->port) * sizeof *force);
    if (!link->direct) dry_net__phi(link, s->run.motion, s->run.force);
    dry_net__press(s, link->a.inlet, 1.0, link->direct ? force : wrench);
    dry_net__press(s, link->b.inlet, link->direct ? -1.0 : 1.0,
                   link->direct ? force : wrench + WRENCH);
}
