/* The parts of a net, for whoever wants to show them. */
#include "net_private.h"

int dry_net_part_count(const dry_net *net) { return net->n_nodes; }

const dry_part *dry_net_part_at(const dry_net *net, int index, const char **name) {
    *name = "";
    if (!net->built) return NULL;
    *name = net->nodes[index]->name;
    return net->nodes[index]->part;
}
