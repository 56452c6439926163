/* build_open: finds parameters that parts leave open and calls the function that chooses them
   (net.h, dry_net_options.choose; design.h).
 */
#include "net_private.h"

/* ---- contacts ----------------------------------------------------------- */

bool dry_contact_is_open(const double par[3], double restitution, const dry_wrong **wrong) {
    static const dry_wrong creates = {"restitution",
                                      "restitution must be at most 1: an impact gives no energy",
                                      NULL},
                           twice = {"restitution", "restitution and alpha, beta say the same",
                                    "give restitution, or K, alpha and beta, not both"},
                           alone = {"alpha", "alpha and beta need each other and K",
                                    "give all three, or restitution instead of alpha and beta"};
    const bool K = par[0] > 0.0, alpha = par[1] > 0.0, beta = par[2] > 0.0;
    *wrong = restitution > 1.0                       ? &creates
             : restitution >= 0.0 && (alpha || beta) ? &twice
             : alpha != beta || (alpha && !K)        ? &alone
                                                     : NULL;
    return !(K && alpha && beta);
}

/* ---- the net ------------------------------------------------------------ */

/* Returns true if a part leaves parameters open; *wrong: why its keys contradict each other. */
static bool is_open(const dry_net *net, const dry_net__node *node, const dry_wrong **wrong) {
    static const dry_wrong unknown = {
        NULL, "design may choose its parameters, but nobody knows which of them are open",
        "give the part an is_open (part.h, dry_part_design)"};
    const dry_part *part = node->part;
    *wrong = NULL;
    if (!dry_part_is_joint(part) && !dry_part_is_contact(part)) return false;
    if (!part->design->is_open) *wrong = &unknown;
    return part->design->is_open && part->design->is_open(part, net->par + node->par, wrong);
}

/* Returns true if any part does; reports keys that contradict each other. */
static bool find_open(dry_net *net) {
    bool open = false;
    for (int i = 0; i < net->wiring.n_impedance; i++) {
        const dry_net__node *node = net->wiring.impedance[i];
        const dry_wrong *wrong;
        open |= is_open(net, node, &wrong);
        if (wrong)
            dry_net_mistaken(
                net,
                (dry_mistake){DRY_NET__OF_PART(node), .key = wrong->key, .way_out = wrong->way_out},
                "%s", wrong->what);
    }
    return open && net->mistakes.count == 0;
}

/* Reports parts whose parameters are still open, because a net cannot run with them. */
static void refuse_open(dry_net *net, const char *what, const char *way_out) {
    for (int i = 0; i < net->wiring.n_impedance; i++) {
        const dry_net__node *node = net->wiring.impedance[i];
        const dry_wrong *wrong;
        if (is_open(net, node, &wrong))
            dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_PART(node), .way_out = way_out}, "%s",
                             what);
    }
}

void dry_net__choose(dry_net *net, dry_net_choose_fn *choose) {
    const size_t n = (size_t)net->system.n_par;
    if (!find_open(net)) return;
    if (!choose) {
        refuse_open(net, "nobody chooses the parameters that it leaves open",
                    "give them, or put dry_design_net (design.h) into dry_net_options.choose");
        return;
    }
    net->given = dry_net__take(net, n + 1, sizeof *net->given);
    if (!net->given) return;
    memcpy(net->given, net->par, n * sizeof *net->given);
    const dry_status status = choose(net);
    if (status == DRY_NO_MEMORY)
        net->full = true;
    else
        refuse_open(net, "the parameters that it leaves open could not be chosen", "give them");
}

bool dry_net_reopen(dry_net *net) {
    if (!net->given) return false;
    memcpy(net->par, net->given, (size_t)net->system.n_par * sizeof *net->par);
    for (int i = 0; i < net->asked.n_nodes; i++)
        if (net->wiring.nodes[i]->press) *net->wiring.nodes[i]->press = (dry_net_press){0};
    return true;
}

double *dry_net_own_par(dry_net *net, int part) { return net->par + net->wiring.nodes[part]->par; }

bool dry_net_is_chosen(const dry_net *net, int par) {
    return net->given && par >= 0 && par < net->system.n_par && net->given[par] != net->par[par];
}

/* ---- what presses ------------------------------------------------------- */

bool dry_net_note_press(dry_net *net, int part, const dry_net_press *press) {
    dry_net__node *node = net->wiring.nodes[part];
    if (!node->press) node->press = dry_net__take(net, 1, sizeof *node->press);
    if (node->press) *node->press = *press;
    return node->press != NULL;
}

bool dry_net_press_at(const dry_net *net, int index, dry_net_press *press) {
    if (!net->built || index < 0 || index >= net->asked.n_nodes) return false;
    const dry_net_press *chosen = net->wiring.nodes[index]->press;
    if (chosen) *press = *chosen;
    return chosen && press->K > 0.0;
}
