/* run_gather: evaluates parts that gather, such as the contact of all shapes, one at a time on all
 * threads. What concerns a single frame runs in the loop over the bodies that carry the frames. */
#include "net_private.h"

/* ---- packing ----------------------------------------------------------- */

typedef void member_fn(dry_net *net, dry_net__member member, dry_net__packed *body);

static void count_member(dry_net *net, dry_net__member member, dry_net__packed *body) {
    (void)net, (void)member;
    body->member++;
}
static void put_member(dry_net *net, dry_net__member member, dry_net__packed *body) {
    net->loops.members[--body->member] = member;
}

/* Calls `each` for all frames that a body carries, the last one first. owner: of each inlet. */
static void for_members(dry_net *net, const int *owner, member_fn *each) {
    for (int law = net->wiring.n_impedance - 1; law >= net->wiring.n_single; law--)
        for (int k = net->loops.laws[law].n_links - 1; k >= 0; k--) {
            const int inlet = net->wiring.links[net->loops.laws[law].link + k].a.inlet;
            if (inlet < 0) continue;
            dry_net__packed *body = &net->loops.bodies[owner[inlet]];
            each(net, (dry_net__member){law, k, body->n_x > 0 || body->account >= 0}, body);
        }
}

/* Counts the members of each body, sums up, and fills from the end. */
void dry_net__pack_members(dry_net *net) {
    int *owner = dry_net__take(net, (size_t)net->wiring.n_inlets, sizeof *owner);
    if (net->full) return;
    for (int i = 0; i < net->wiring.n_admittance; i++)
        for (int k = 0; k < net->loops.bodies[i].n_links; k++)
            owner[net->loops.bodies[i].link + k] = i;
    for_members(net, owner, count_member);
    for (int i = 0; i < net->wiring.n_admittance; i++)
        net->loops.bodies[i].member = net->loops.n_members += net->loops.bodies[i].member;
    net->loops.members =
        dry_net__take(net, (size_t)net->loops.n_members, sizeof *net->loops.members);
    if (!net->full) for_members(net, owner, put_member);
}

/* ---- the whole part ------------------------------------------------------ */

typedef struct gathered {
    const dry_net__run *run;
    const dry_net__packed *law;
} gathered;

static unsigned gather_range(const void *data, int from, int to) {
    const gathered *g = data;
    for (int k = from; k < to; k++) dry_net__psi_link(g->run, g->law->link + k);
    return 0;
}

void dry_net__gather_motion(const dry_net__run *run, const dry_net__packed *law) {
    const gathered g = {run, law};
    dry_net__each(run->team, law->n_links, gather_range, &g);
}

static const dry_gathering *part_of(const dry_net__run *run, const dry_net__packed *law) {
    return run->net->wiring.impedance[law - run->net->loops.laws]->part->gathers;
}

static unsigned force_range(const void *data, int from, int to) {
    const gathered *g = data;
    const dry_part_env env = dry_net__packed_env(g->run, g->law, g->run->team);
    part_of(g->run, g->law)
        ->frame_forces(&env, g->run->x + g->law->x, from, to, g->run->force + g->law->out);
    return 0;
}

/* Returns true if eval leaves forces to complete; with an account it does not, because the account
 * needs them at once. */
static bool leaves_forces(const dry_net__run *run, const dry_net__packed *law) {
    return run->team && part_of(run, law)->frame_forces;
}
static bool is_patient(const dry_net__packed *law) { return law->account < 0; }

dry_net__extent dry_net__gather_extent(const dry_net__run *run, const dry_net__packed *law) {
    const dry_gathering *part = part_of(run, law);
    const dry_part_env env = dry_net__packed_env(run, law, NULL);
    const int after = law->n_x - part->n_latched;
    const int moving = part->n_moving ? part->n_moving(&env, run->x + law->x) : after;
    return (dry_net__extent){{[DRY_NET__TICKING] = part->n_ticking,
                              [DRY_NET__STILL] = part->n_latched - part->n_ticking,
                              [DRY_NET__MOVING] = moving,
                              [DRY_NET__IDLE] = after - moving}};
}

/* Zeroes the rates that eval leaves to the net. */
static void zero_other_rates(const dry_net__run *run, const dry_net__packed *law) {
    const dry_net__extent e = dry_net__gather_extent(run, law);
    double *x_dot = run->x_dot + law->x;
    for (int i = 0; i < DRY_NET__RANGES; x_dot += e.sizes[i++])
        if (i != DRY_NET__MOVING) memset(x_dot, 0, (size_t)e.sizes[i] * sizeof *x_dot);
}

void dry_net__gather_force(const dry_net__run *run, const dry_net__packed *law, bool leave) {
    const gathered g = {run, law};
    dry_net__eval_law(run, law, run->team);
    if (!leave) zero_other_rates(run, law);
    if (leaves_forces(run, law) && !(leave && is_patient(law)))
        dry_net__each(run->team, law->n_links, force_range, &g);
    if (!run->once) dry_net__account_law(run, law);
}

/* ---- the frames of some bodies ------------------------------------------ */

static int members_end(const dry_net *net, int to) {
    return to < net->wiring.n_admittance ? net->loops.bodies[to].member : net->loops.n_members;
}

static bool follows(const dry_net__member *first, int i) {
    const dry_net__member *m = first + i;
    return m->law == first->law && m->k == first->k + i && m->moves == first->moves;
}

/* The number of consecutive frames of one part. */
static int in_a_row(const dry_net__member *first, int n) {
    int i = 1;
    while (i < n && follows(first, i)) i++;
    return i;
}

void dry_net__member_forces(const dry_net__run *run, int from, int to) {
    const dry_net *net = run->net;
    if (!run->team || from == to) return;
    const int end = members_end(net, to);
    for (int i = net->loops.bodies[from].member, n; i < end; i += n) {
        const dry_net__member *first = &net->loops.members[i];
        const gathered g = {run, &net->loops.laws[first->law]};
        n = in_a_row(first, end - i);
        if (first->moves && leaves_forces(run, g.law) && is_patient(g.law))
            force_range(&g, first->k, first->k + n);
    }
}

unsigned dry_net__member_motions(const dry_net__run *run, int from, int to) {
    const dry_net *net = run->net;
    const dry_net__packed *law = NULL;
    const dry_gathering *part = NULL;
    dry_part_env env;
    bool moved = false;
    if (from == to) return 0;
    for (int i = net->loops.bodies[from].member; i < members_end(net, to); i++) {
        const int k = net->loops.members[i].k;
        if (law != &net->loops.laws[net->loops.members[i].law]) {
            law = &net->loops.laws[net->loops.members[i].law];
            part = part_of(run, law);
            env = dry_net__packed_env(run, law, NULL);
        }
        dry_net__psi_link(run, law->link + k);
        if (part->frame_moved && !moved)
            moved = part->frame_moved(&env, run->motion + law->in, run->x + law->x, k);
    }
    return moved ? DRY_NET__MOVED : 0;
}
