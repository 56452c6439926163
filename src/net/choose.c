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
static const double ANY_METHOD = 0.5; /* omega T */

typedef struct survey {
    dry_net__survey bodies;
    int *crowd; /* parts that choose, at each body */
} survey;

/* ---- W ----------------------------------------------------------------- */

/* The velocities of the port that a force gives in 1 s. */
static void respond(const dry_net__survey *s, const dry_net__link *link, const double force[FORCES],
                    double velocity[FORCES]) {
    int bodies[ENDS];
    const int n = dry_net__bodies_of(s->net, link, bodies);
    double in[MOTION];
    dry_net__pull(s, link, force);
    for (int i = 0; i < n; i++) dry_net__react(s, bodies[i]);
    dry_net__psi(link, s->run.motion, in);
    for (int i = 0; i < FORCES; i++) velocity[i] = in[dry_net__velocity_at(link->port, i)];
    for (int i = 0; i < n; i++) dry_net__show(s, bodies[i], s->rest);
}

/* W of a part, n-fold where n parts share a body. */
static void find_W(const survey *s, const dry_net__link *link, double W[FORCES * FORCES]) {
    double idle[FORCES], velocity[FORCES];
    const double nothing[FORCES] = {0.0};
    int bodies[ENDS], share = 1;
    const int n = dry_net__bodies_of(s->bodies.net, link, bodies);
    for (int i = 0; i < n; i++) {
        if (s->crowd[bodies[i]] > share) share = s->crowd[bodies[i]];
        dry_net__let_go(&s->bodies, bodies[i]);
    }
    respond(&s->bodies, link, nothing, idle); /* ends that move as they are told */
    for (int j = 0; j < FORCES; j++) {
        double force[FORCES] = {0.0};
        force[j] = 1.0;
        respond(&s->bodies, link, force, velocity);
        for (int i = 0; i < FORCES; i++) W[i * FORCES + j] = share * (velocity[i] - idle[i]);
    }
}

/* ---- all of them ------------------------------------------------------- */

/* The next that chooses, from number i on; n_single: no more. */
static int next(const dry_net *net, int i) {
    while (i < net->wiring.n_single && !dry_part_is_joint(net->wiring.impedance[i]->part)) i++;
    return i;
}

static void count(const dry_net *net, int *crowd) {
    for (int i = next(net, 0); i < net->wiring.n_single; i = next(net, i + 1)) {
        int bodies[ENDS];
        const int n =
            dry_net__bodies_of(net, &net->wiring.links[net->wiring.impedance[i]->link], bodies);
        for (int k = 0; k < n; k++) crowd[bodies[k]]++;
    }
}

static void choose_all(const survey *s, double omega) {
    const dry_net *net = s->bodies.net;
    double W[FORCES * FORCES];
    for (int i = next(net, 0); i < net->wiring.n_single; i = next(net, i + 1)) {
        const dry_net__node *node = net->wiring.impedance[i];
        find_W(s, &net->wiring.links[node->link], W);
        node->part->design->choose_joint(node->part, W, omega, net->par + node->par);
    }
}

static bool choose_joints(const dry_net *net, const dry_net__survey *bodies, double omega) {
    const survey s = {
        *bodies, dry_heap_take(net->arena, (size_t)net->wiring.n_admittance + 1, sizeof *s.crowd)};
    if (!s.crowd) return false;
    count(net, s.crowd);
    choose_all(&s, omega);
    free(s.crowd);
    return true;
}

/* ---- for a pace -------------------------------------------------------- */

static bool is_pace(const dry_pace *pace) {
    return pace->omega > 0.0 && isfinite(pace->omega) && pace->step > 0.0 && isfinite(pace->step);
}

dry_status dry_net_choose_for(dry_net *net, const dry_pace *pace) {
    dry_net__survey bodies;
    dry_pace own = *pace;
    if (!is_pace(pace)) return DRY_BAD_ARGUMENT;
    if (!net->told) return DRY_OK;
    memcpy(net->par, net->told, (size_t)net->system.n_par * sizeof *net->par);
    bool fits = dry_net__survey_new(net, &bodies);
    if (!fits) return DRY_NO_MEMORY;
    fits = choose_joints(net, &bodies, pace->omega) && dry_net__find_pressed(&bodies, pace) &&
           dry_net__choose_contacts(net, &bodies, &own);
    dry_net__survey_free(&bodies);
    return fits ? DRY_OK : DRY_NO_MEMORY;
}

dry_status dry_net_choose(dry_net *net, double omega) {
    return dry_net_choose_for(net, &(dry_pace){.omega = omega, .step = ANY_METHOD / omega});
}

/* Whether a part leaves something open; tells of what does not go together. */
static bool leaves_open(dry_net *net) {
    bool open = false;
    for (int i = 0; i < net->wiring.n_impedance; i++) {
        const dry_net__node *node = net->wiring.impedance[i];
        const dry_part *part = node->part;
        const dry_wrong *wrong = NULL;
        if (!part->design) continue;
        open |=
            dry_part_is_joint(part) ||
            (part->design->is_open && part->design->is_open(part, net->par + node->par, &wrong));
        if (wrong)
            dry_net_mistaken(
                net,
                (dry_mistake){.name = node->name, .key = wrong->key, .way_out = wrong->way_out},
                "%s", wrong->what);
    }
    return open && net->mistakes.count == 0;
}

void dry_net__choose(dry_net *net) {
    const size_t n = (size_t)net->system.n_par;
    if (!leaves_open(net)) return;
    net->told = dry_net__take(net, n + 1, sizeof *net->told);
    if (!net->told) return;
    memcpy(net->told, net->par, n * sizeof *net->told);
    if (dry_net_choose(net, STANDARD) != DRY_OK) net->full = true;
}

bool dry_net_is_chosen(const dry_net *net, int par) {
    return net->told && par >= 0 && par < net->system.n_par && net->told[par] != net->par[par];
}
