/* run_touching: which shapes press on each other in a motion, and how much. */
#include "net_private.h"

bool dry_net_can_touch(const dry_net *net) {
    for (int i = 0; i < net->asked.n_nodes; i++) {
        const dry_gathering *gathers = net->wiring.nodes[i]->part->gathers;
        if (gathers && gathers->touching) return true;
    }
    return false;
}

void dry_net_touching(const dry_env *env, double t, double tau, const double *x,
                      dry_touching_fn *each, void *user) {
    dry_net__run run = dry_net__run_of(env, t, tau, x);
    dry_net_forces(env, t, tau, x);
    for (int i = 0; i < run.net->asked.n_nodes; i++) {
        const dry_net__node *node = run.net->wiring.nodes[i];
        const dry_part_env part = dry_net__env(&run, node);
        if (node->part->gathers && node->part->gathers->touching)
            node->part->gathers->touching(&part, run.motion + node->motion, x + node->x, each,
                                          user);
    }
}
