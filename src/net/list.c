/* The parts of a net, for whoever wants to show them. */
#include "net_private.h"

int dry_net_part_count(const dry_net *net) { return net->n_nodes; }

const dry_part *dry_net_part_at(const dry_net *net, int index, const char **name) {
    *name = "";
    if (!net->built) return NULL;
    *name = net->nodes[index]->name;
    return net->nodes[index]->part;
}

bool dry_net_press_at(const dry_net *net, int index, dry_net_press *press) {
    if (!net->built || index < 0 || index >= net->n_nodes) return false;
    *press = net->nodes[index]->press;
    return press->K > 0.0;
}
