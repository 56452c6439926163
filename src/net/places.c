/* places: where the motions and the forces of all ports lie, and which forces add up where. */
#include "net_private.h"

/* ---- motions ------------------------------------------------------------- */

/* Those of the impedance ports. What gathers frames looks at them as they are: where a part has no
 * other port, its motion lies where that looks for it, and need not be copied. place: of each
 * inlet, -1: none yet. */
static void place_relative(dry_net *net, int *place) {
    for (int i = 0; i < net->n_impedance; i++) {
        dry_net__node *node = net->impedance[i];
        node->motion = net->n_motion;
        for (int k = 0; k < node->part->n_ports; k++) {
            dry_net__link *link = &net->links[node->link + k];
            link->in = net->n_motion;
            net->n_motion += dry_port_motion(link->port);
            if (node->gathers && link->a.inlet >= 0 && place[link->a.inlet] < 0)
                place[link->a.inlet] = link->in;
        }
    }
}

static void place_own(dry_net *net, int *place) {
    for (int i = 0; i < net->n_admittance; i++) {
        dry_net__node *node = net->admittance[i];
        const dry_part *part = node->part;
        if (part->n_ports == 1 && place[node->port] >= 0) {
            node->motion = place[node->port];
            continue;
        }
        node->motion = net->n_motion;
        for (int k = 0; k < part->n_ports; k++) {
            place[node->port + k] = net->n_motion;
            net->n_motion += dry_port_motion(&part->ports[k]);
        }
    }
}

static void place_end(const int *place, dry_net__end *end) {
    if (end->inlet >= 0) end->motion = place[end->inlet];
}

static void place_motions(dry_net *net) {
    int *place = dry_net__take(net, (size_t)net->n_inlets, sizeof *place);
    if (net->full) return;
    for (int i = 0; i < net->n_inlets; i++) place[i] = -1;
    place_relative(net, place);
    place_own(net, place);
    for (int i = 0; i < net->n_links; i++) {
        place_end(place, &net->links[i].a);
        place_end(place, &net->links[i].b);
    }
}

/* ---- forces -------------------------------------------------------------- */

/* Those of the impedance ports, then the wrenches on the ends. */
static void place_forces(dry_net *net) {
    for (int i = 0; i < net->n_impedance; i++) {
        dry_net__node *node = net->impedance[i];
        node->force = net->n_force;
        for (int k = 0; k < node->part->n_ports; k++) {
            net->links[node->link + k].out = net->n_force;
            net->n_force += dry_port_force(&node->part->ports[k]);
        }
    }
    for (int i = 0; i < net->n_links; i++)
        if (!net->links[i].direct) {
            net->links[i].wrench = net->n_force + net->n_wrench;
            net->n_wrench += 12;
        }
}

void dry_net__set_places(dry_net *net) {
    place_motions(net);
    place_forces(net);
}

/* ---- sums ---------------------------------------------------------------- */

/* The shares of each inlet, in the order of the links. */
static void add_share(dry_net *net, const dry_net__link *link, const dry_net__end *end, bool is_b) {
    if (end->inlet < 0) return;
    dry_net__inlet *inlet = &net->inlets[end->inlet];
    dry_net__share *share = &net->shares[inlet->first + inlet->count++];
    *share = link->direct ? (dry_net__share){link->out, is_b}
                          : (dry_net__share){link->wrench + (is_b ? 6 : 0), false};
}

void dry_net__share_out(dry_net *net) {
    int n = 0;
    for (int i = 0; i < net->n_links; i++) {
        if (net->links[i].a.inlet >= 0) net->inlets[net->links[i].a.inlet].count++, n++;
        if (net->links[i].b.inlet >= 0) net->inlets[net->links[i].b.inlet].count++, n++;
    }
    net->shares = dry_net__take(net, (size_t)n, sizeof *net->shares);
    if (net->full) return;
    n = 0;
    for (int i = 0; i < net->n_inlets; i++) {
        net->inlets[i].first = n;
        n += net->inlets[i].count;
        net->inlets[i].count = 0;
    }
    for (int i = 0; i < net->n_links; i++) {
        add_share(net, &net->links[i], &net->links[i].a, false);
        add_share(net, &net->links[i], &net->links[i].b, true);
    }
}
