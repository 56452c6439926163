/* build_offsets: assigns offsets to the motions and forces of all ports, and lists the forces that
   each sum adds.
 */
#include "net_private.h"

/* ---- motions ------------------------------------------------------------- */

/* The motions of impedance ports. A part that gathers reads frames as they are. If the admittance
 * part of a frame has no other port, its motion is stored directly where the gathering part reads
 * it, so no copy is needed. offset: offset for each inlet, -1: none yet. */
static void lay_out_relative(dry_net *net, int *offset) {
    for (int i = 0; i < net->wiring.n_impedance; i++) {
        dry_net__node *node = net->wiring.impedance[i];
        node->motion = net->sizes.n_motion;
        for (int k = 0; k < node->part->n_ports; k++) {
            dry_net__link *link = &net->wiring.links[node->link + k];
            link->in = net->sizes.n_motion;
            net->sizes.n_motion += dry_port_motion(link->port);
            if (node->gathers && link->a.inlet >= 0 && offset[link->a.inlet] < 0)
                offset[link->a.inlet] = link->in;
        }
    }
}

static void lay_out_own(dry_net *net, int *offset) {
    for (int i = 0; i < net->wiring.n_admittance; i++) {
        dry_net__node *node = net->wiring.admittance[i];
        const dry_part *part = node->part;
        if (part->n_ports == 1 && offset[node->port] >= 0) {
            node->motion = offset[node->port];
            continue;
        }
        node->motion = net->sizes.n_motion;
        for (int k = 0; k < part->n_ports; k++) {
            offset[node->port + k] = net->sizes.n_motion;
            net->sizes.n_motion += dry_port_motion(&part->ports[k]);
        }
    }
}

static void lay_out_end(const int *offset, dry_net__end *end) {
    if (end->inlet >= 0) end->motion = offset[end->inlet];
}

static void lay_out_motions(dry_net *net) {
    int *offset = dry_net__take(net, (size_t)net->wiring.n_inlets, sizeof *offset);
    if (net->full) return;
    for (int i = 0; i < net->wiring.n_inlets; i++) offset[i] = -1;
    lay_out_relative(net, offset);
    lay_out_own(net, offset);
    for (int i = 0; i < net->wiring.n_links; i++) {
        lay_out_end(offset, &net->wiring.links[i].a);
        lay_out_end(offset, &net->wiring.links[i].b);
    }
}

/* ---- forces -------------------------------------------------------------- */

/* The forces of the impedance ports, then the wrenches on the ends. */
static void lay_out_forces(dry_net *net) {
    for (int i = 0; i < net->wiring.n_impedance; i++) {
        dry_net__node *node = net->wiring.impedance[i];
        node->force = net->sizes.n_force;
        for (int k = 0; k < node->part->n_ports; k++) {
            net->wiring.links[node->link + k].out = net->sizes.n_force;
            net->sizes.n_force += dry_port_force(&node->part->ports[k]);
        }
    }
    for (int i = 0; i < net->wiring.n_links; i++)
        if (!net->wiring.links[i].direct) {
            net->wiring.links[i].wrench = net->sizes.n_force + net->sizes.n_wrench;
            net->sizes.n_wrench += 12;
        }
}

void dry_net__set_offsets(dry_net *net) {
    lay_out_motions(net);
    lay_out_forces(net);
}

/* ---- sums ---------------------------------------------------------------- */

/* Adds a share to an inlet; shares have the order of the links. */
static void add_share(dry_net *net, const dry_net__link *link, const dry_net__end *end, bool is_b) {
    if (end->inlet < 0) return;
    dry_net__inlet *inlet = &net->wiring.inlets[end->inlet];
    dry_net__share *share = &net->wiring.shares[inlet->first + inlet->count++];
    *share = link->direct ? (dry_net__share){link->out, is_b}
                          : (dry_net__share){link->wrench + (is_b ? 6 : 0), false};
}

void dry_net__share_out(dry_net *net) {
    int n = 0;
    for (int i = 0; i < net->wiring.n_links; i++) {
        if (net->wiring.links[i].a.inlet >= 0)
            net->wiring.inlets[net->wiring.links[i].a.inlet].count++, n++;
        if (net->wiring.links[i].b.inlet >= 0)
            net->wiring.inlets[net->wiring.links[i].b.inlet].count++, n++;
    }
    net->wiring.shares = dry_net__take(net, (size_t)n, sizeof *net->wiring.shares);
    if (net->full) return;
    n = 0;
    for (int i = 0; i < net->wiring.n_inlets; i++) {
        net->wiring.inlets[i].first = n;
        n += net->wiring.inlets[i].count;
        net->wiring.inlets[i].count = 0;
    }
    for (int i = 0; i < net->wiring.n_links; i++) {
        add_share(net, &net->wiring.links[i], &net->wiring.links[i].a, false);
        add_share(net, &net->wiring.links[i], &net->wiring.links[i].b, true);
    }
}
