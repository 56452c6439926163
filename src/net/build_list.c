/* build_list: lists the parts of a net, for printing. */
#include "net_private.h"

int dry_net_part_count(const dry_net *net) { return net->asked.n_nodes; }

const dry_part *dry_net_part_at(const dry_net *net, int index, const char **name) {
    *name = "";
    if (!net->built) return NULL;
    *name = net->wiring.nodes[index]->name;
    return net->wiring.nodes[index]->part;
}

/* The parameters of parts follow each other in the order of the parts. */
int dry_net_part_of_par(const dry_net *net, int par) {
    if (!net->built || par < 0 || par >= net->system.n_par) return -1;
    int low = 0, high = net->asked.n_nodes; /* the part is in low .. high - 1 */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (net->wiring.nodes[middle]->par <= par)
            low = middle;
        else
            high = middle;
    }
    return low;
}
