/* The loops over parts, one part at a time (KY08 section II). Every part writes numbers of its own
 * and reads none of the same loop's, and sums are in a fixed order: the bits do not depend on the
 * number of threads. */
#include "net_private.h"

/* ---- the arrays of a run ----------------------------------------------- */

static size_t numbers(const dry_net *net) {
    return (size_t)net->n_motion + (size_t)net->n_force + (size_t)net->n_wrench +
           (size_t)net->n_total + (size_t)net->system.n_states + dry_net__rk4_size(net);
}

/* The parts' own work begins on a boundary that suits any type. */
static size_t work_start(const dry_net *net) { return (numbers(net) + 1) / 2 * 16; }

size_t dry_net__work_size(const dry_net *net) {
    size_t size = work_start(net);
    for (int i = 0; i < net->n_nodes; i++) size += (net->nodes[i]->part->work_size + 15) / 16 * 16;
    return size;
}

dry_net__run dry_net__run_of(const dry_env *env, double t, double tau, const double *x) {
    const dry_net *net = env->model;
    double *first = env->work;
    dry_net__run run = {.net = net, .par = env->par, .t = t, .tau = tau, .x = x};
    run.motion = first;
    run.force = run.motion + net->n_motion;
    run.total = run.force + net->n_force + net->n_wrench;
    run.rates = run.total + net->n_total;
    run.stages = run.rates + net->system.n_states;
    run.work = (char *)env->work + work_start(net);
    return run;
}

dry_part_env dry_net__env(const dry_net__run *run, const dry_net__node *node) {
    return (dry_part_env){.data = node->part->data,
                          .par = run->par + node->par,
                          .work = run->work + node->work,
                          .gravity = run->net->gravity,
                          .t = run->t,
                          .tau = run->tau,
                          .team = node->gathers ? run->team : NULL,
                          .calm = run->calm && node->part->frame_moved};
}

static dry_part_env env_of(const dry_net__run *run, const dry_net__lane *lane, dry_team *team) {
    return (dry_part_env){.data = lane->data,
                          .par = run->par + lane->par,
                          .work = run->work + lane->work,
                          .gravity = run->net->gravity,
                          .t = run->t,
                          .tau = run->tau,
                          .team = team};
}

/* ---- packing ----------------------------------------------------------- */

static dry_net__lane pack_node(const dry_net *net, const dry_net__node *node) {
    const bool body = node->part->side == DRY_ADMITTANCE;
    dry_net__lane lane = {.eval = node->part->eval,
                          .motion = node->part->motion,
                          .latch = node->part->latch,
                          .data = node->part->data,
                          .work = node->work,
                          .x = node->x,
                          .n_x = node->part->n_states,
                          .par = node->par,
                          .account = node->account,
                          .in = body ? node->force : node->motion,
                          .out = body ? node->motion : node->force,
                          .link = body ? node->port : node->link,
                          .n_links = node->part->n_ports,
                          .n_motion = node->n_motion};
    for (int k = 0; !body && k < lane.n_links; k++)
        lane.indirect |= !net->links[lane.link + k].direct;
    return lane;
}

static dry_net__strand pack_link(const dry_net__link *link) {
    const bool simple = link->direct && link->port->kind == DRY_COORDINATE;
    dry_net__strand strand = {.a = link->a.inlet < 0 ? -1 : link->a.motion,
                              .b = link->b.inlet < 0 ? -1 : link->b.motion,
                              .in = link->in,
                              .dim = (signed char)(simple ? link->dim : 0)};
    for (int i = 0; i < 3; i++) strand.offset |= link->a.at[i] != 0.0 || link->b.at[i] != 0.0;
    return strand;
}

/* The frames of each body in parts that gather: counts, sums up, and fills from behind. */
static void pack_members(dry_net *net) {
    int *owner = dry_net__take(net, (size_t)net->n_inlets, sizeof *owner);
    for (int law = net->n_single; law < net->n_impedance; law++)
        net->n_members += net->laws[law].n_links;
    net->members = dry_net__take(net, (size_t)net->n_members, sizeof *net->members);
    if (net->full) return;
    for (int i = 0; i < net->n_admittance; i++)
        for (int k = 0; k < net->bodies[i].n_links; k++) owner[net->bodies[i].link + k] = i;
    for (int fills = 0; fills <= 1; fills++) {
        for (int law = net->n_impedance - 1; law >= net->n_single; law--)
            for (int k = net->laws[law].n_links - 1; k >= 0; k--) {
                const int inlet = net->links[net->laws[law].link + k].a.inlet;
                if (inlet < 0) continue;
                dry_net__lane *body = &net->bodies[owner[inlet]];
                if (fills)
                    net->members[--body->member] = (dry_net__member){law, k};
                else
                    body->member++;
            }
        if (fills) return;
        net->n_members = 0; /* those of the world have no body */
        for (int i = 0; i < net->n_admittance; i++)
            net->bodies[i].member = net->n_members += net->bodies[i].member;
    }
}

void dry_net__pack(dry_net *net) {
    net->bodies = dry_net__take(net, (size_t)net->n_admittance, sizeof *net->bodies);
    net->laws = dry_net__take(net, (size_t)net->n_impedance, sizeof *net->laws);
    net->strands = dry_net__take(net, (size_t)net->n_links, sizeof *net->strands);
    if (net->full) return;
    for (int i = 0; i < net->n_admittance; i++) net->bodies[i] = pack_node(net, net->admittance[i]);
    for (int i = 0; i < net->n_impedance; i++) net->laws[i] = pack_node(net, net->impedance[i]);
    for (int i = 0; i < net->n_links; i++) net->strands[i] = pack_link(&net->links[i]);
    pack_members(net);
}

/* ---- threads ----------------------------------------------------------- */

typedef struct loop {
    int count;
    dry_net__range_fn *body;
    const void *data;
    unsigned *told; /* by each piece */
} loop;

static void loop_piece(const void *data, int piece, int pieces) {
    const loop *l = data;
    l->told[piece] = l->body(l->data, dry_piece_start(l->count, piece, pieces),
                             dry_piece_start(l->count, piece + 1, pieces));
}

unsigned dry_net__each(dry_team *team, int count, dry_net__range_fn *body, const void *data) {
    enum { MOST = 256 };
    const int wanted = dry_team_pieces(team, count), pieces = wanted < MOST ? wanted : MOST;
    if (pieces == 1) return body(data, 0, count);
    unsigned told[MOST], all = 0;
    dry_team_run(team, pieces, loop_piece, &(loop){count, body, data, told});
    for (int i = 0; i < pieces; i++) all |= told[i];
    return all;
}

/* ---- motion ------------------------------------------------------------ */

void dry_net__move(const dry_net__run *run, const dry_net__lane *body) {
    const double *x = run->x + body->x;
    double *motion = run->motion + body->out;
    if (!body->motion) {
        for (int k = 0; k < body->n_motion; k++) motion[k] = x[k];
        return;
    }
    const dry_part_env env = env_of(run, body, NULL);
    body->motion(&env, x, motion);
}

bool dry_net__latch_body(const dry_net__run *run, const dry_net__lane *body, double *x) {
    const dry_part_env env = env_of(run, body, NULL);
    if (!body->latch || !body->latch(&env, NULL, x + body->x)) return false;
    dry_net__move(run, body);
    return true;
}

/* Psi between coordinates, of which most nets have the most. */
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

static void psi_link(const dry_net__run *run, int link) {
    const dry_net__strand *strand = &run->net->strands[link];
    if (strand->dim > 0 && !strand->offset)
        psi_strand(run, strand);
    else
        dry_net__psi(&run->net->links[link], run->motion, run->motion + strand->in);
}

static void psi_lane(const dry_net__run *run, const dry_net__lane *law) {
    for (int k = 0; k < law->n_links; k++) psi_link(run, law->link + k);
}

/* ---- impedance --------------------------------------------------------- */

/* The power that flows into the part: what its forces take from the motion of its ports. */
static double power_in(const dry_net__run *run, const dry_net__lane *law) {
    double power = 0.0;
    for (int k = 0; k < law->n_links; k++) {
        const dry_net__link *link = &run->net->links[law->link + k];
        power -= dry_net__power(link->port, run->motion + link->in, run->force + link->out);
    }
    return power;
}

static void eval_law(const dry_net__run *run, const dry_net__lane *law, dry_team *team) {
    const dry_part_env env = env_of(run, law, team);
    law->eval(&env, run->motion + law->in, run->x + law->x, run->force + law->out,
              law->n_x > 0 ? run->x_dot + law->x : NULL);
}

static void account_law(const dry_net__run *run, const dry_net__lane *law) {
    if (law->account >= 0) run->x_dot[law->account] = power_in(run, law);
}

void dry_net__impede(const dry_net__run *run, const dry_net__lane *law) {
    psi_lane(run, law);
    eval_law(run, law, NULL);
    account_law(run, law);
    for (int k = 0; law->indirect && k < law->n_links; k++) {
        const dry_net__link *link = &run->net->links[law->link + k];
        if (!link->direct) dry_net__phi(link, run->motion, run->force);
    }
}

/* ---- impedance parts that gather: one at a time, on all threads -------- */

typedef struct gathered {
    const dry_net__run *run;
    const dry_net__lane *law;
} gathered;

static unsigned gather_range(const void *data, int from, int to) {
    const gathered *g = data;
    for (int k = from; k < to; k++) psi_link(g->run, g->law->link + k);
    return 0;
}

void dry_net__gather_motion(const dry_net__run *run, const dry_net__lane *law) {
    const gathered g = {run, law};
    dry_net__each(run->team, law->n_links, gather_range, &g);
}

static const dry_part *part_of(const dry_net__run *run, const dry_net__lane *law) {
    return run->net->impedance[law - run->net->laws]->part;
}

typedef void frame_fn(const dry_part_env *env, const double *x, int k, double *force);

static unsigned force_range(const void *data, int from, int to) {
    const gathered *g = data;
    const dry_part_env env = env_of(g->run, g->law, g->run->team);
    frame_fn *frame_force = part_of(g->run, g->law)->frame_force;
    for (int k = from; k < to; k++)
        frame_force(&env, g->run->x + g->law->x, k,
                    g->run->force + g->run->net->links[g->law->link + k].out);
    return 0;
}

/* Whether it leaves its forces to the loop over the bodies; the account needs them before. */
static bool leaves(const dry_net__run *run, const dry_net__lane *law) {
    return run->team && part_of(run, law)->frame_force && law->account < 0;
}

void dry_net__gather_force(const dry_net__run *run, const dry_net__lane *law, bool leave) {
    const gathered g = {run, law};
    eval_law(run, law, run->team);
    if (run->team && part_of(run, law)->frame_force && !(leave && leaves(run, law)))
        dry_net__each(run->team, law->n_links, force_range, &g);
    account_law(run, law);
}

dry_net__extent dry_net__gather_extent(const dry_net__run *run, const dry_net__lane *law) {
    const dry_part *part = part_of(run, law);
    const dry_part_env env = env_of(run, law, NULL);
    const int after = law->n_x - part->n_latched;
    return (dry_net__extent){part->n_latched,
                             part->n_moving ? part->n_moving(&env, run->x + law->x) : after};
}

static int members_end(const dry_net *net, int to) {
    return to < net->n_admittance ? net->bodies[to].member : net->n_members;
}

void dry_net__member_forces(const dry_net__run *run, int from, int to) {
    const dry_net *net = run->net;
    if (!run->team || from == to) return;
    for (int i = net->bodies[from].member; i < members_end(net, to); i++) {
        const dry_net__lane *law = &net->laws[net->members[i].law];
        const int k = net->members[i].k;
        if (leaves(run, law)) force_range(&(gathered){run, law}, k, k + 1);
    }
}

unsigned dry_net__member_motions(const dry_net__run *run, int from, int to) {
    const dry_net *net = run->net;
    const dry_net__lane *law = NULL;
    const dry_part *part = NULL;
    dry_part_env env;
    bool moved = false;
    if (from == to) return 0;
    for (int i = net->bodies[from].member; i < members_end(net, to); i++) {
        const int k = net->members[i].k;
        if (law != &net->laws[net->members[i].law]) {
            law = &net->laws[net->members[i].law];
            part = part_of(run, law);
            env = env_of(run, law, NULL);
        }
        psi_link(run, law->link + k);
        if (part->frame_moved && !moved)
            moved = part->frame_moved(&env, run->motion + law->in, run->x + law->x, k);
    }
    return moved ? DRY_NET__MOVED : 0;
}

/* ---- admittance -------------------------------------------------------- */

/* Phi: what acts on the ports of a part, in the order of the links. */
void dry_net__sum(const dry_net__run *run, const dry_net__lane *body) {
    for (int k = 0; k < body->n_links; k++) {
        const dry_net__inlet *inlet = &run->net->inlets[body->link + k];
        const dry_net__share *shares = run->net->shares + inlet->first;
        double *total = run->total + inlet->total;
        for (int c = 0; c < inlet->size; c++) total[c] = 0.0;
        for (int i = 0; i < inlet->count; i++) {
            const double *f = run->force + shares[i].force;
            const double sign = shares[i].reversed ? -1.0 : 1.0;
            for (int c = 0; c < inlet->size; c++) total[c] += sign * f[c];
        }
        for (int c = 0; run->more && c < inlet->size; c++) total[c] += run->more[inlet->total + c];
    }
}

/* The power that flows into a part whose motion is prescribed. */
static double power_taken(const dry_net__run *run, const dry_net__lane *body) {
    const double *motion = run->motion + body->out;
    double power = 0.0;
    for (int k = 0; k < body->n_links; k++) {
        const dry_net__inlet *inlet = &run->net->inlets[body->link + k];
        power += dry_net__power(inlet->port, motion, run->total + inlet->total);
        motion += dry_port_motion(inlet->port);
    }
    return power;
}

void dry_net__admit(const dry_net__run *run, const dry_net__lane *body) {
    if (body->account >= 0) run->x_dot[body->account] = power_taken(run, body);
    if (body->n_x == 0) return;
    const dry_part_env env = env_of(run, body, NULL);
    body->eval(&env, run->total + body->in, run->x + body->x, NULL, run->x_dot + body->x);
}
