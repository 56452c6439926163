/* run_loops: the loops over parts, one part at a time (KY08 section II). Every part writes its own
 * numbers and reads none that the same loop writes, and sums have a fixed order. So the bits do not
 * depend on the number of threads. */
#include "net_private.h"

/* ---- the arrays of a run ----------------------------------------------- */

static size_t numbers(const dry_net *net) {
    return (size_t)net->sizes.n_motion + (size_t)net->sizes.n_force + (size_t)net->sizes.n_wrench +
           (size_t)net->sizes.n_total + (size_t)net->system.n_states + dry_net__rk4_size(net) +
           (net->asked.account ? (size_t)net->system.n_states : 0);
}

/* The scratch of the parts begins at an alignment for any type. */
static size_t work_start(const dry_net *net) { return (numbers(net) + 1) / 2 * 16; }

size_t dry_net__work_size(const dry_net *net) {
    size_t size = work_start(net);
    for (int i = 0; i < net->asked.n_nodes; i++)
        size += (net->wiring.nodes[i]->part->work_size + 15) / 16 * 16;
    return size;
}

dry_net__run dry_net__run_of(const dry_env *env, double t, double tau, const double *x) {
    const dry_net *net = env->model;
    double *first = env->work;
    dry_net__run run = {.net = net, .par = env->par, .t = t, .tau = tau, .once = env->once, .x = x};
    run.motion = first;
    run.force = run.motion + net->sizes.n_motion;
    run.total = run.force + net->sizes.n_force + net->sizes.n_wrench;
    run.rates = run.total + net->sizes.n_total;
    run.stages = run.rates + net->system.n_states;
    run.middle = run.stages + dry_net__rk4_size(net);
    run.work = (char *)env->work + work_start(net);
    return run;
}

dry_part_env dry_net__env(const dry_net__run *run, const dry_net__node *node) {
    return (dry_part_env){.data = node->part->data,
                          .par = run->par + node->par,
                          .work = run->work + node->work,
                          .gravity = run->net->asked.gravity,
                          .t = run->t,
                          .tau = run->tau,
                          .branch = run->branch,
                          .once = run->once,
                          .team = node->gathers ? run->team : NULL,
                          .calm = run->calm && node->gathers && node->part->gathers->frame_moved};
}

/* ---- packing ----------------------------------------------------------- */

static dry_net__packed pack_node(const dry_net *net, const dry_net__node *node) {
    const bool body = node->part->side == DRY_ADMITTANCE;
    dry_net__packed packed = {.eval = node->part->eval,
                              .motion = node->part->motion,
                              .latch = node->part->latch,
                              .data = node->part->data,
                              .work = node->work,
                              .x = node->x,
                              .n_x = node->part->n_states + node->n_turns,
                              .par = node->par,
                              .account = node->account,
                              .in = body ? node->force : node->motion,
                              .out = body ? node->motion : node->force,
                              .link = body ? node->port : node->link,
                              .n_links = node->part->n_ports,
                              .n_motion = node->n_motion};
    for (int k = 0; !body && k < packed.n_links; k++)
        packed.indirect |= !net->wiring.links[packed.link + k].direct;
    return packed;
}

/* Lists the spans of the states; returns how many. */
static int spans_of(const dry_part *part, dry_net__span *spans) {
    int n = 0;
    for (int i = 0; i < part->n_states; i++) {
        const bool is_position = part->positions && part->positions[i];
        if (n == 0 || spans[n - 1].are_positions != is_position)
            spans[n++] = (dry_net__span){i, i, is_position};
        spans[n - 1].to = i + 1;
    }
    return n;
}

/* A body like the one before has the same spans. */
static void pack_spans(dry_net *net) {
    const dry_part *before = NULL;
    int room = 0;
    for (int i = 0; i < net->wiring.n_admittance; i++)
        room += net->wiring.admittance[i]->part->n_states;
    net->loops.spans = dry_net__take(net, (size_t)room, sizeof *net->loops.spans);
    for (int i = 0; i < net->wiring.n_admittance && !net->full; i++) {
        const dry_part *part = net->wiring.admittance[i]->part;
        dry_net__packed *body = &net->loops.bodies[i];
        const bool alike =
            before && before->n_states == part->n_states && before->positions == part->positions;
        body->span = alike ? body[-1].span : net->loops.n_spans;
        body->n_spans =
            alike ? body[-1].n_spans : spans_of(part, net->loops.spans + net->loops.n_spans);
        if (!alike) net->loops.n_spans += body->n_spans;
        before = part;
    }
}

static dry_net__strand pack_link(const dry_net__link *link) {
    const bool simple = link->direct && link->port->kind == DRY_COORDINATE;
    dry_net__strand strand = {.a = link->a.inlet < 0 ? -1 : link->a.motion,
                              .b = link->b.inlet < 0 ? -1 : link->b.motion,
                              .in = link->in,
                              .dim = (signed char)(simple ? link->dim : 0)};
    if (link->port->kind == DRY_FRAME && strand.a == strand.in) strand.dim = -1;
    for (int i = 0; i < 3; i++) strand.offset |= link->a.at[i] != 0.0 || link->b.at[i] != 0.0;
    return strand;
}

void dry_net__pack(dry_net *net) {
    net->loops.bodies =
        dry_net__take(net, (size_t)net->wiring.n_admittance, sizeof *net->loops.bodies);
    net->loops.laws = dry_net__take(net, (size_t)net->wiring.n_impedance, sizeof *net->loops.laws);
    net->loops.strands =
        dry_net__take(net, (size_t)net->wiring.n_links, sizeof *net->loops.strands);
    if (net->full) return;
    for (int i = 0; i < net->wiring.n_admittance; i++)
        net->loops.bodies[i] = pack_node(net, net->wiring.admittance[i]);
    for (int i = 0; i < net->wiring.n_impedance; i++)
        net->loops.laws[i] = pack_node(net, net->wiring.impedance[i]);
    for (int i = 0; i < net->wiring.n_links; i++)
        net->loops.strands[i] = pack_link(&net->wiring.links[i]);
    pack_spans(net);
    dry_net__pack_members(net);
}

/* ---- threads ----------------------------------------------------------- */

typedef struct loop {
    int count;
    dry_net__range_fn *body;
    const void *data;
    unsigned *flags; /* by each piece */
} loop;

static void loop_piece(const void *data, dry_team_piece piece) {
    const loop *l = data;
    l->flags[piece.index] =
        l->body(l->data, dry_piece_from(l->count, piece), dry_piece_to(l->count, piece));
}

unsigned dry_net__each(dry_team *team, int count, dry_net__range_fn *body, const void *data) {
    enum { MOST = 256 };
    const int wanted = dry_team_pieces(team, count), pieces = wanted < MOST ? wanted : MOST;
    if (pieces == 1) return body(data, 0, count);
    unsigned flags[MOST], all = 0;
    dry_team_run(team, pieces, loop_piece, &(loop){count, body, data, flags});
    for (int i = 0; i < pieces; i++) all |= flags[i];
    return all;
}

/* ---- motion ------------------------------------------------------------ */

/* Numbers of a frame's motion. */
enum { FRAME = 13 };

/* A prescribed motion that stands still is not written again, because that would invalidate the
 * caches of other threads. */
static void prescribe(const dry_net__packed *body, const dry_part_env *env, const double *x,
                      double *motion) {
    double now[FRAME];
    body->motion(env, x, now);
    if (memcmp(motion, now, (size_t)body->n_motion * sizeof *now) != 0)
        memcpy(motion, now, (size_t)body->n_motion * sizeof *now);
}

void dry_net__move(const dry_net__run *run, const dry_part_env *env, const dry_net__packed *body) {
    const double *x = run->x + body->x;
    double *motion = run->motion + body->out;
    if (!body->motion) {
        for (int k = 0; k < body->n_motion; k++) motion[k] = x[k];
        return;
    }
    if (body->n_x == 0 && body->n_motion <= FRAME)
        prescribe(body, env, x, motion);
    else
        body->motion(env, x, motion);
}

bool dry_net__latch_body(const dry_part_env *env, const dry_net__packed *body, double *x) {
    return body->latch && body->latch(env, NULL, x + body->x);
}

/* Psi between coordinates, the most frequent link. */
static void psi_strand(const dry_net__run *run, const dry_net__strand *strand) {
    const int n = 2 * strand->dim;
    double *in = run->motion + strand->in;
    const double *a = run->motion + strand->a, *b = run->motion + strand->b;
    if (strand->a < 0)
        for (int i = 0; i < n; i++) in[i] = 0.0 - b[i];
    else if (strand->b < 0)
        for (int i = 0; i < n; i++) in[i] = a[i];
    else
        for (int i = 0; i < n; i++) in[i] = a[i] - b[i];
}

void dry_net__psi_link(const dry_net__run *run, int link) {
    const dry_net__strand *strand = &run->net->loops.strands[link];
    if (strand->dim < 0) return;
    if (strand->dim > 0 && !strand->offset)
        psi_strand(run, strand);
    else
        dry_net__psi_turned(run, &run->net->wiring.links[link]);
}

static void psi_lane(const dry_net__run *run, const dry_net__packed *law) {
    for (int k = 0; k < law->n_links; k++) dry_net__psi_link(run, law->link + k);
}

/* ---- impedance --------------------------------------------------------- */

/* The power that flows into the part: the power that its forces take from the motion of its
 * ports. */
static double power_in(const dry_net__run *run, const dry_net__packed *law) {
    double power = 0.0;
    for (int k = 0; k < law->n_links; k++) {
        const dry_net__link *link = &run->net->wiring.links[law->link + k];
        power -= dry_net__power(link->port, run->motion + link->in, run->force + link->out);
    }
    return power;
}

void dry_net__eval_law(const dry_net__run *run, const dry_net__packed *law, dry_team *team) {
    const dry_part_env env = dry_net__packed_env(run, law, team);
    law->eval(&env, run->motion + law->in, run->x + law->x, run->force + law->out,
              law->n_x > 0 ? run->x_dot + law->x : NULL);
}

void dry_net__account_law(const dry_net__run *run, const dry_net__packed *law) {
    if (law->account >= 0) run->x_dot[law->account] = power_in(run, law);
}

void dry_net__impede(const dry_net__run *run, const dry_net__packed *law) {
    psi_lane(run, law);
    dry_net__eval_law(run, law, NULL);
    if (!run->once) dry_net__account_law(run, law);
    for (int k = 0; law->indirect && k < law->n_links; k++) {
        const dry_net__link *link = &run->net->wiring.links[law->link + k];
        if (!link->direct) dry_net__phi_turned(run, link);
    }
}

/* ---- admittance -------------------------------------------------------- */

static void add_share(const dry_net__run *run, const dry_net__share *share, int size,
                      double *total) {
    const double *f = run->force + share->force, sign = share->reversed ? -1.0 : 1.0;
    for (int c = 0; c < size; c++) total[c] += sign * f[c];
}

/* Phi: sums the forces on the ports of a part, in the order of the links. */
void dry_net__sum(const dry_net__run *run, const dry_net__packed *body) {
    for (int k = 0; k < body->n_links; k++) {
        const dry_net__inlet *inlet = &run->net->wiring.inlets[body->link + k];
        const dry_net__share *shares = run->net->wiring.shares + inlet->first;
        double *total = run->total + inlet->total;
        memset(total, 0, (size_t)inlet->size * sizeof *total);
        for (int i = 0; i < inlet->count; i++) add_share(run, &shares[i], inlet->size, total);
        for (int c = 0; run->more && c < inlet->size; c++) total[c] += run->more[inlet->total + c];
    }
}

double dry_net__power_on(const dry_net__run *run, const dry_net__packed *body,
                         const double *total) {
    const double *motion = run->motion + body->out;
    double power = 0.0;
    for (int k = 0; k < body->n_links; k++) {
        const dry_net__inlet *inlet = &run->net->wiring.inlets[body->link + k];
        power += dry_net__power(inlet->port, motion, total + inlet->total);
        motion += dry_port_motion(inlet->port);
    }
    return power;
}

/* x_dot: the rates of its states alone. */
void dry_net__admit(const dry_net__run *run, const dry_part_env *env, const dry_net__packed *body,
                    double *x_dot) {
    if (body->account >= 0) run->x_dot[body->account] = dry_net__power_on(run, body, run->total);
    if (body->n_x == 0) return;
    body->eval(env, run->total + body->in, run->x + body->x, NULL, x_dot);
}
