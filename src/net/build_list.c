/* build_list: lists the parts of a net, for printing. */
#include "net_private.h"

int dry_net_part_count(const dry_net *net) { return net->asked.n_nodes; }

const dry_part *dry_net_part_at(const dry_net *net, int index, const char **name) {
    *name = "";
    if (!net->built) return NULL;
    *name = net->wiring.nodes[index]->name;
    return net->wiring.nodes[index]->part;
}

int dry_net_part_find(const dry_net *net, const char *name) {
    const dry_net__node *node = dry_net__node_at(net, name, strlen(name));
    return node ? node->index : -1;
}

int dry_net_first_state(const dry_net *net, int part) { return net->wiring.nodes[part]->x; }
int dry_net_first_par(const dry_net *net, int part) { return net->wiring.nodes[part]->par; }

/* The last part whose numbers begin at or before that one: they follow each other. */
typedef int place_fn(const dry_net__node *node);
static int state_of(const dry_net__node *node) { return node->x; }
static int par_of(const dry_net__node *node) { return node->par; }

static int part_before(const dry_net *net, place_fn *place, int number) {
    int low = 0, high = net->asked.n_nodes; /* it is one of low .. high - 1 */
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (place(net->wiring.nodes[middle]) <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int dry_net_part_of_par(const dry_net *net, int par) {
    if (!net->built || par < 0 || par >= net->system.n_par) return -1;
    return part_before(net, par_of, par);
}

const char *dry_net_par_name(const dry_net *net, int par) {
    const int part = dry_net_part_of_par(net, par);
    if (part < 0) return NULL;
    return net->wiring.nodes[part]->part->params[par - net->wiring.nodes[part]->par].name;
}

int dry_net_part_of_state(const dry_net *net, int state) {
    if (!net->built || state < 0 || net->asked.n_nodes == 0) return -1;
    const int part = part_before(net, state_of, state);
    const dry_net__node *node = net->wiring.nodes[part];
    return state < node->x + node->part->n_states + node->n_turns ? part : -1;
}

dry_side dry_net_state_side(const dry_net *net, int state) {
    const int part = dry_net_part_of_state(net, state);
    return part < 0 ? DRY_IMPEDANCE : net->wiring.nodes[part]->part->side;
}
