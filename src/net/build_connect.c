/* build_connect: turns wires into links. It finds the two ends of every port of an impedance part,
 * and reports mistakes by part and port. */
#include "net_private.h"

/* ---- the parts --------------------------------------------------------- */

static bool unit_fits(const dry_port *port) {
    return port->unit && (strcmp(port->unit, "m") == 0 || strcmp(port->unit, "rad") == 0);
}

static bool port_fits(const dry_part *part, const dry_port *port) {
    if (!port->name) return false;
    if (port->kind == DRY_COORDINATE) return port->dim >= 1 && port->dim <= 3 && unit_fits(port);
    return part->side == DRY_IMPEDANCE || port->kind == DRY_FRAME;
}

static void tell_port(dry_net *net, const dry_net__node *node, const dry_port *port) {
    const bool outward = node->part->side == DRY_ADMITTANCE;
    const char *name = dry_net_text(net, "%s.%s", node->name, port->name ? port->name : "");
    if (!port->name)
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_MEMBER(node->index, name),
                                       .way_out = "say \"\" for the only one"},
                         "a port has no name");
    if (port->kind == DRY_COORDINATE && (port->dim < 1 || port->dim > 3))
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_MEMBER(node->index, name)},
                         "a coordinate has 1 to 3 dimensions, not %d", port->dim);
    if (port->kind == DRY_COORDINATE && !unit_fits(port))
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_MEMBER(node->index, name)},
                         "the unit of a coordinate is \"m\" or \"rad\", not \"%s\"",
                         port->unit ? port->unit : "");
    if (outward && port->kind != DRY_COORDINATE && port->kind != DRY_FRAME)
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_MEMBER(node->index, name)},
                         "an admittance part has only coordinates and frames: connections make "
                         "lengths, surfaces and relative motion of them");
}

/* Checks the part's own description, on which the wiring relies. */
static void check_part(dry_net *net, const dry_net__node *node) {
    const dry_part *part = node->part;
    if (node->gathers && part->side != DRY_IMPEDANCE)
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_PART(node)},
                         "only an impedance part can gather frames");
    const bool acts = part->side == DRY_IMPEDANCE || part->n_states > 0;
    if (!node->gathers && acts && !part->eval)
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_PART(node)},
                         "a part of kind %s has no eval, which says what it does",
                         part->kind ? part->kind : "?");
    if (!node->gathers && part->side == DRY_IMPEDANCE && part->n_ports == 0)
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_PART(node)},
                         "an impedance part without ports acts on nothing");
    if (part->side == DRY_ADMITTANCE && part->n_states == 0 && !part->motion)
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_PART(node)},
                         "an admittance part has states or a function `motion`");
    for (int i = 0; i < part->n_ports; i++)
        if (!port_fits(part, &part->ports[i])) tell_port(net, node, &part->ports[i]);
}

static bool sort_sides(dry_net *net) {
    net->wiring.admittance =
        dry_net__take(net, (size_t)net->asked.n_nodes, sizeof *net->wiring.admittance);
    net->wiring.impedance =
        dry_net__take(net, (size_t)net->asked.n_nodes, sizeof *net->wiring.impedance);
    if (net->full) return false;
    for (int i = 0; i < net->asked.n_nodes; i++) {
        dry_net__node *node = net->wiring.nodes[i];
        if (node->broken) continue;
        check_part(net, node);
        if (node->part->side == DRY_ADMITTANCE)
            net->wiring.admittance[net->wiring.n_admittance++] = node;
        if (node->part->side == DRY_IMPEDANCE && !node->gathers)
            net->wiring.impedance[net->wiring.n_impedance++] = node;
    }
    net->wiring.n_single = net->wiring.n_impedance;
    for (int i = 0; i < net->asked.n_nodes; i++)
        if (net->wiring.nodes[i]->gathers)
            net->wiring.impedance[net->wiring.n_impedance++] = net->wiring.nodes[i];
    return true;
}

/* ---- the inlets: ports of admittance parts ----------------------------- */

static void open_inlets(dry_net *net) {
    for (int i = 0; i < net->wiring.n_admittance; i++) {
        net->wiring.admittance[i]->port = net->wiring.n_inlets;
        net->wiring.n_inlets += net->wiring.admittance[i]->part->n_ports;
    }
    net->wiring.inlets =
        dry_net__take(net, (size_t)net->wiring.n_inlets, sizeof *net->wiring.inlets);
    if (net->full) return;
    for (int i = 0; i < net->wiring.n_admittance; i++) {
        dry_net__node *node = net->wiring.admittance[i];
        node->force = net->sizes.n_total;
        for (int k = 0; k < node->part->n_ports; k++) {
            const dry_port *port = &node->part->ports[k];
            dry_net__inlet *inlet = &net->wiring.inlets[node->port + k];
            *inlet = (dry_net__inlet){.port = port,
                                      .part = node->index,
                                      .total = net->sizes.n_total,
                                      .size = dry_port_force(port)};
            node->n_motion += dry_port_motion(port);
            net->sizes.n_total += inlet->size;
        }
    }
}

/* ---- one wire ---------------------------------------------------------- */

static bool is_direct(const dry_net__link *link) {
    if (link->axis) return false;
    if (link->port->kind == DRY_COORDINATE)
        return link->a.kind != DRY_NET__FRAME && link->b.kind != DRY_NET__FRAME;
    return link->port->kind == DRY_FRAME;
}

static void join(dry_net *net, const dry_net__wire *wire, const dry_port *port,
                 dry_net__link *link) {
    const dry_net__spot a = {wire, "a", &wire->on_a}, b = {wire, "b", &wire->on_b};
    link->port = port;
    link->dim = port->dim;
    const bool fits_a = dry_net__end_resolve(net, &a, &wire->a, &link->a) &&
                        dry_net__end_fits(net, &a, port, &link->a, true);
    const bool fits_b = dry_net__end_resolve(net, &b, &wire->b, &link->b) &&
                        dry_net__end_fits(net, &b, port, &link->b, false);
    if (dry_net__is_world(&wire->on_a) && dry_net__is_world(&wire->on_b))
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, wire), .way_out = "connect one of them to a body"},
            "both ends are the world");
    else if (fits_a && fits_b && link->a.inlet == link->b.inlet)
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, wire),
                          .way_out = "connect one of them to another body or to the world"},
            "both ends are on %s, where its forces cancel", dry_net__full_name(net, a.on));
    link->direct = is_direct(link);
}

/* The impedance part of a wire. */
static dry_net__node *owner_of(dry_net *net, const dry_net__wire *wire) {
    if (dry_net__is_world(&wire->of)) {
        dry_net_mistaken(net, (dry_mistake){.way_out = "say which part it is for"},
                         "a connection names no port");
        return NULL;
    }
    dry_net__node *node = dry_net__part_of(net, &wire->of);
    if (!node)
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_WIRE(net, wire),
                                       .way_out = "correct the name, or add the part"},
                         "there is no such part");
    else if (node->broken)
        return NULL;
    else if (node->part->side != DRY_IMPEDANCE) {
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_WIRE(net, wire), .way_out = "name it as an end"},
                         "a connection belongs to a part that gives forces (a spring, a law, a "
                         "motor), and %s is %s %s",
                         node->name, dry_net__article(node->part->kind), node->part->kind);
        return NULL;
    }
    return node;
}

static void connect_single(dry_net *net, const dry_net__wire *wire, dry_net__node *node,
                           bool on_axis) {
    const int k = dry_net__port_of(node->part, wire->of.own);
    if (k < 0) {
        const char *list = dry_net__port_list(net, node->part);
        dry_net_mistaken(
            net,
            (dry_mistake){
                DRY_NET__OF_WIRE(net, wire),
                .way_out = dry_net_text(net, "it has %s",
                                        *list ? list : "one alone, which is called like the part")},
            "%s has no such port", node->name);
        return;
    }
    dry_net__link *link = &net->wiring.links[node->link + k];
    if (link->port) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, wire), .way_out = "add a part for each connection"},
            "the port is connected twice");
        return;
    }
    if (on_axis && dry_net__takes_axis(&node->part->ports[k]))
        dry_net__join_axis(net, wire, node, &node->part->ports[k], link);
    else
        join(net, wire, &node->part->ports[k], link);
}

/* ---- parts that gather ------------------------------------------------- */

static const dry_port any_frame = {.name = "", .unit = "", .kind = DRY_FRAME};

/* Scratch for connecting the parts that gather. */
typedef struct crowd {
    const dry_net__wire **said; /* of each link */
    int *taken; /* of each inlet: 1 + the number of the part that has taken it last */
} crowd;

static bool crowd_new(dry_net *net, crowd *c) {
    const bool any = net->wiring.n_impedance > net->wiring.n_single;
    c->said = dry_net__take(net, any ? (size_t)net->wiring.n_links : 0, sizeof *c->said);
    c->taken = dry_net__take(net, any ? (size_t)net->wiring.n_inlets : 0, sizeof *c->taken);
    return !net->full;
}

static void connect_gathered(dry_net *net, const dry_net__wire *wire, dry_net__node *node,
                             const crowd *c) {
    const int index = node->link + node->port++;
    dry_net__link *link = &net->wiring.links[index];
    const dry_net__spot a = {wire, "a", &wire->on_a};
    c->said[index] = wire;
    link->direct = true;
    if (dry_net__is_world(&wire->on_a) && dry_net__is_world(&wire->on_b))
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_WIRE(net, wire),
                                       .way_out = "connect a plane, or another part with a shape"},
                         "end a, the world, has no shape");
    else if (dry_net__is_world(&wire->on_a) || !dry_net__is_world(&wire->on_b))
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_WIRE(net, wire)},
                         "it takes one frame at a time, as end a, and end b is left empty");
    else if (!dry_net__is_zero(wire->a.at, 3) || !dry_net__is_zero(wire->a.turn, 4))
        dry_net_mistaken(
            net, (dry_mistake){DRY_NET__OF_WIRE(net, wire), .end = dry_net__full_name(net, a.on)},
            "end a, %s: this part takes whole frames, without a place or axes on "
            "them: the shapes say where they are",
            dry_net__full_name(net, a.on));
    else if (dry_net__end_resolve(net, &a, &wire->a, &link->a) &&
             dry_net__end_fits(net, &a, &any_frame, &link->a, true))
        link->port = net->wiring.inlets[link->a.inlet].port;
    link->b = (dry_net__end){.kind = DRY_NET__WORLD, .inlet = -1};
}

static void tell_twice(dry_net *net, const dry_net__node *node, int number, const crowd *c) {
    for (int i = node->link; i < node->link + node->port; i++) {
        if (!net->wiring.links[i].port) continue;
        int *taken = &c->taken[net->wiring.links[i].a.inlet];
        if (*taken == number + 1) {
            const char *end = dry_net__full_name(net, &c->said[i]->on_a);
            dry_net_mistaken(net,
                             (dry_mistake){DRY_NET__OF_WIRE(net, c->said[i]), .end = end,
                                           .way_out = "say it once"},
                             "end a, %s, is connected to it already", end);
        }
        *taken = number + 1;
    }
}

/* Makes the part for the frames that are connected to it. */
static void gather(dry_net *net, dry_net__node *node) {
    const int count = node->port;
    const dry_part *self = node->part;
    dry_error error;
    if (count == 0) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_PART(node), .way_out = "connect the frames it is to act on"},
            "nothing is connected to it");
        return;
    }
    const dry_port **frames = dry_net__take(net, (size_t)count, sizeof *frames);
    if (!frames) return;
    for (int i = 0; i < count; i++) {
        frames[i] = net->wiring.links[node->link + i].port;
        if (!frames[i]) return; /* already reported */
    }
    const dry_part *made = self->gathers->gather(self, net->arena, frames, count, &error);
    if (!made) {
        dry_net__mistaken_by(net, (dry_mistake){DRY_NET__OF_PART(node)}, &error);
        return;
    }
    if (!made->gathers) {
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_PART(node), .way_out = "keep its `gathers`"},
                         "what it makes of its frames does not gather");
        return;
    }
    if (made->n_ports != count || !made->eval) {
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_PART(node)},
                         "gathered %d frames into %d ports: one for each is needed", count,
                         made->n_ports);
        return;
    }
    if (made->gathers->touches && count == 1)
        dry_net_mistaken(
            net, (dry_mistake){DRY_NET__OF_PART(node), .way_out = "connect what it can touch"},
            "one frame alone is connected to it");
    node->part = made;
    for (int i = 0; i < count; i++) net->wiring.links[node->link + i].port = &made->ports[i];
}

/* ---- all of them ------------------------------------------------------- */

/* Counts the links of each impedance part. */
static void count_links(dry_net *net) {
    for (int i = 0; i < net->wiring.n_single; i++) {
        net->wiring.impedance[i]->link = net->wiring.n_links;
        net->wiring.n_links += net->wiring.impedance[i]->part->n_ports;
    }
    for (const dry_net__wire *wire = net->asked.first_wire; wire; wire = wire->next)
        if (wire->of.part >= 0 && net->wiring.nodes[wire->of.part]->gathers)
            net->wiring.nodes[wire->of.part]->link++;
    for (int i = net->wiring.n_single; i < net->wiring.n_impedance; i++) {
        const int count = net->wiring.impedance[i]->link;
        net->wiring.impedance[i]->link = net->wiring.n_links;
        net->wiring.n_links += count;
    }
    net->wiring.links = dry_net__take(net, (size_t)net->wiring.n_links, sizeof *net->wiring.links);
}

static void tell_unconnected(dry_net *net) {
    for (int i = 0; i < net->wiring.n_single; i++) {
        const dry_net__node *node = net->wiring.impedance[i];
        for (int k = 0; k < node->part->n_ports; k++) {
            const char *name = node->part->ports[k].name;
            if (!net->wiring.links[node->link + k].port)
                dry_net_mistaken(
                    net,
                    (dry_mistake){
                        DRY_NET__OF_MEMBER(node->index, dry_net_text(net, "%s%s%s", node->name,
                                                                     *name ? "." : "", name)),
                        .way_out = "say what it joins"},
                    "the port is not connected");
        }
    }
}

static bool has_axes(const dry_net *net) {
    for (int i = 0; i < net->wiring.n_single; i++)
        if (net->wiring.impedance[i]->part->axis) return true;
    return false;
}

/* Connects the wires on axes of joints, or all others. some: there are axes. */
static void connect_wires(dry_net *net, const crowd *c, bool some, bool on_axes) {
    for (const dry_net__wire *wire = net->asked.first_wire; wire; wire = wire->next) {
        if (some && dry_net__is_on_axis(net, wire) != on_axes) continue;
        dry_net__node *node = owner_of(net, wire);
        if (node && node->gathers)
            connect_gathered(net, wire, node, c);
        else if (node)
            connect_single(net, wire, node, on_axes);
    }
}

/* Finds the parts that the wires are for. */
static void know_wires(dry_net *net) {
    for (dry_net__wire *wire = net->asked.first_wire; wire; wire = wire->next) {
        dry_net__know(net, &wire->of);
        dry_net__know(net, &wire->on_a);
        dry_net__know(net, &wire->on_b);
    }
}

void dry_net__connect(dry_net *net) {
    const int before = net->mistakes.count;
    know_wires(net);
    if (!sort_sides(net) || net->mistakes.count > before) return;
    open_inlets(net);
    count_links(net);
    crowd c;
    if (net->full || !crowd_new(net, &c)) return;
    const bool some = has_axes(net);
    connect_wires(net, &c, some, false);
    if (some) connect_wires(net, &c, some, true);
    for (int i = net->wiring.n_single; i < net->wiring.n_impedance; i++) {
        tell_twice(net, net->wiring.impedance[i], i, &c);
        gather(net, net->wiring.impedance[i]);
    }
    tell_unconnected(net);
    dry_net__list_axes(net);
    if (net->mistakes.count > before || net->full) return;
    dry_net__set_offsets(net);
    dry_net__share_out(net);
}
