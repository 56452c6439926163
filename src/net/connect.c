/* Wires become links: each port of an impedance part finds its ends, and mistakes are told by part
 * and port. */
#include "net_private.h"
#include <math.h>

/* ---- the parts --------------------------------------------------------- */

static bool unit_fits(const dry_port *port) {
    return port->unit && (strcmp(port->unit, "m") == 0 || strcmp(port->unit, "rad") == 0);
}

static void check_port(dry_net *net, const dry_net__node *node, const dry_port *port) {
    const bool outward = node->part->side == DRY_ADMITTANCE;
    const char *name = dry_net__text(net, "%s.%s", node->name, port->name ? port->name : "");
    if (!port->name)
        dry_net_mistaken(net, "%s: a port has no name: say \"\" for the only one", name);
    if (port->kind == DRY_COORDINATE && (port->dim < 1 || port->dim > 3))
        dry_net_mistaken(net, "%s: a coordinate has 1 to 3 dimensions, not %d", name, port->dim);
    if (port->kind == DRY_COORDINATE && !unit_fits(port))
        dry_net_mistaken(net, "%s: the unit of a coordinate is \"m\" or \"rad\", not \"%s\"", name,
                         port->unit ? port->unit : "");
    if (outward && port->kind != DRY_COORDINATE && port->kind != DRY_FRAME)
        dry_net_mistaken(
            net,
            "%s: an admittance part has coordinates and frames alone: lengths, surfaces "
            "and relative motion are made by connecting",
            name);
}

/* A description that the wiring can rely on. */
static void check_part(dry_net *net, const dry_net__node *node) {
    const dry_part *part = node->part;
    if (node->gathers && part->side != DRY_IMPEDANCE)
        dry_net_mistaken(net, "%s: only an impedance part can gather frames", node->name);
    const bool acts = part->side == DRY_IMPEDANCE || part->n_states > 0;
    if (!node->gathers && acts && !part->eval)
        dry_net_mistaken(net, "%s: a part of kind %s has no eval: it must say what it does",
                         node->name, part->kind ? part->kind : "?");
    if (!node->gathers && part->side == DRY_IMPEDANCE && part->n_ports == 0)
        dry_net_mistaken(net, "%s: an impedance part without ports acts on nothing", node->name);
    if (part->side == DRY_ADMITTANCE && part->n_states == 0 && !part->motion)
        dry_net_mistaken(net, "%s: an admittance part has states or a function `motion`",
                         node->name);
    for (int i = 0; i < part->n_ports; i++) check_port(net, node, &part->ports[i]);
}

static bool sort_sides(dry_net *net) {
    net->admittance = dry_net__take(net, (size_t)net->n_nodes, sizeof *net->admittance);
    net->impedance = dry_net__take(net, (size_t)net->n_nodes, sizeof *net->impedance);
    if (net->full) return false;
    for (int i = 0; i < net->n_nodes; i++) {
        dry_net__node *node = net->nodes[i];
        if (node->broken) continue;
        check_part(net, node);
        if (node->part->side == DRY_ADMITTANCE) net->admittance[net->n_admittance++] = node;
        if (node->part->side == DRY_IMPEDANCE && !node->gathers)
            net->impedance[net->n_impedance++] = node;
    }
    net->n_single = net->n_impedance;
    for (int i = 0; i < net->n_nodes; i++)
        if (net->nodes[i]->gathers) net->impedance[net->n_impedance++] = net->nodes[i];
    return true;
}

/* ---- the inlets: ports of admittance parts ----------------------------- */

static void open_inlets(dry_net *net) {
    for (int i = 0; i < net->n_admittance; i++) {
        net->admittance[i]->port = net->n_inlets;
        net->n_inlets += net->admittance[i]->part->n_ports;
    }
    net->inlets = dry_net__take(net, (size_t)net->n_inlets, sizeof *net->inlets);
    if (net->full) return;
    for (int i = 0; i < net->n_admittance; i++) {
        dry_net__node *node = net->admittance[i];
        node->motion = net->n_motion;
        node->force = net->n_total;
        for (int k = 0; k < node->part->n_ports; k++) {
            const dry_port *port = &node->part->ports[k];
            dry_net__inlet *inlet = &net->inlets[node->port + k];
            *inlet =
                (dry_net__inlet){.port = port, .total = net->n_total, .size = dry_port_force(port)};
            net->n_motion += dry_port_motion(port);
            net->n_total += inlet->size;
        }
        node->n_motion = net->n_motion - node->motion;
    }
}

/* Where the motion of port k begins. */
static int motion_of(const dry_net__node *node, int k) {
    int at = node->motion;
    for (int i = 0; i < k; i++) at += dry_port_motion(&node->part->ports[i]);
    return at;
}

/* ---- the ends of a wire ------------------------------------------------ */

/* Which end of which wire a message is about. */
typedef struct spot {
    const char *port, *end;
    const char *name; /* the end's own, "ball.frame" */
} spot;

static bool is_zero(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] != 0.0) return false;
    return true;
}

static bool take_place(dry_net *net, const spot *s, const dry_end *from, dry_net__end *end) {
    const double length = dry_norm(4, from->turn);
    for (int i = 0; i < 3; i++)
        if (!isfinite(from->at[i])) {
            dry_net_mistaken(net, "%s: end %s, %s: `at` is not finite", s->port, s->end, s->name);
            return false;
        }
    if (!is_zero(from->turn, 4) && !(fabs(length - 1.0) < 1e-6)) {
        dry_net_mistaken(net,
                         "%s: end %s, %s: `turn` must be a quaternion (w, x, y, z) of length 1, or "
                         "all zeros for axes that are not turned",
                         s->port, s->end, s->name);
        return false;
    }
    const double identity[4] = {1.0, 0.0, 0.0, 0.0};
    memcpy(end->at, from->at, sizeof end->at);
    memcpy(end->turn, is_zero(from->turn, 4) ? identity : from->turn, sizeof end->turn);
    dry_quat_normalise(end->turn);
    return true;
}

/* The port of an admittance part that the end names. */
static const dry_port *find_end(dry_net *net, const spot *s, dry_net__end *end) {
    const char *rest;
    const dry_net__node *node = dry_net__node_of(net, s->name, &rest);
    if (!node) {
        dry_net_mistaken(net,
                         "%s: end %s, %s: there is no such part: correct the name, or add the part",
                         s->port, s->end, s->name);
        return NULL;
    }
    if (node->broken) return NULL;
    if (node->part->side != DRY_ADMITTANCE) {
        dry_net_mistaken(
            net,
            "%s: end %s, %s, is an impedance part (%s): forces act on bodies and other "
            "admittance parts, so put one between the two",
            s->port, s->end, s->name, node->part->kind);
        return NULL;
    }
    const int k = dry_net__port_of(node->part, rest);
    if (k < 0) {
        dry_net_mistaken(net, "%s: end %s, %s: %s has no such port: it has %s", s->port, s->end,
                         s->name, node->name, dry_net__port_list(net, node->part));
        return NULL;
    }
    end->inlet = node->port + k;
    end->motion = motion_of(node, k);
    return &node->part->ports[k];
}

/* The end itself; false where a mistake was told. */
static bool resolve_end(dry_net *net, const spot *s, const dry_end *from, dry_net__end *end) {
    *end = (dry_net__end){.place = DRY_NET__WORLD, .dim = 3, .inlet = -1};
    if (!take_place(net, s, from, end)) return false;
    if (!from->port) return true;
    const dry_port *port = find_end(net, s, end);
    if (!port) return false;
    end->place = port->kind == DRY_FRAME ? DRY_NET__FRAME : DRY_NET__POINT;
    if (port->kind == DRY_COORDINATE) end->dim = port->dim;
    if (end->place == DRY_NET__POINT && !is_zero(from->turn, 4)) {
        dry_net_mistaken(net, "%s: end %s, %s, is a coordinate and has no axes to be turned",
                         s->port, s->end, s->name);
        return false;
    }
    return true;
}

/* ---- does the end fit the port? ---------------------------------------- */

static const char *unit_of_end(const dry_net *net, const dry_net__end *end) {
    return end->place == DRY_NET__POINT ? net->inlets[end->inlet].port->unit : "m";
}

static bool fits_coordinate(dry_net *net, const spot *s, const dry_port *port,
                            const dry_net__end *end) {
    if (end->place == DRY_NET__WORLD) return true;
    const char *unit = unit_of_end(net, end);
    if (end->place == DRY_NET__FRAME && (port->dim != 3 || strcmp(port->unit, "m") != 0)) {
        dry_net_mistaken(net,
                         "%s: end %s, %s, is a frame, the port a coordinate of dimension %d in %s: "
                         "points of frames need a coordinate of dimension 3 in m",
                         s->port, s->end, s->name, port->dim, port->unit);
        return false;
    }
    if (strcmp(unit, port->unit) != 0) {
        dry_net_mistaken(
            net, "%s: end %s, %s, is in %s, the port in %s: use a part for coordinates in %s",
            s->port, s->end, s->name, unit, port->unit, unit);
        return false;
    }
    if (end->place == DRY_NET__POINT && end->dim != port->dim) {
        dry_net_mistaken(
            net,
            "%s: end %s, %s, has %d dimension%s, the port %d: make the part with dim = "
            "%d",
            s->port, s->end, s->name, end->dim, end->dim == 1 ? "" : "s", port->dim, end->dim);
        return false;
    }
    return true;
}

static bool fits_point(dry_net *net, const spot *s, const dry_net__end *end, const char *what) {
    if (strcmp(unit_of_end(net, end), "m") == 0) return true;
    dry_net_mistaken(net, "%s: end %s, %s, is in rad: %s takes points, whose coordinates are in m",
                     s->port, s->end, s->name, what);
    return false;
}

static bool fits_frame(dry_net *net, const spot *s, const dry_net__end *end, const char *what) {
    if (end->place != DRY_NET__POINT) return true;
    dry_net_mistaken(net, "%s: end %s, %s, is a coordinate: %s takes a frame here", s->port, s->end,
                     s->name, what);
    return false;
}

static bool fits(dry_net *net, const spot *s, const dry_port *port, const dry_net__end *end,
                 bool is_a) {
    switch (port->kind) {
    case DRY_COORDINATE: return fits_coordinate(net, s, port, end);
    case DRY_LENGTH: return fits_point(net, s, end, "a length");
    case DRY_SURFACE:
        return is_a ? fits_point(net, s, end, "a surface") : fits_frame(net, s, end, "a surface");
    case DRY_RELATIVE: return fits_frame(net, s, end, "relative motion");
    case DRY_FRAME: return fits_frame(net, s, end, "this part");
    }
    return false;
}

/* ---- one wire ---------------------------------------------------------- */

static const char *shown(const dry_end *end) { return end->port ? end->port : "the world"; }

static bool is_direct(const dry_net__link *link) {
    if (link->port->kind == DRY_COORDINATE)
        return link->a.place != DRY_NET__FRAME && link->b.place != DRY_NET__FRAME;
    return link->port->kind == DRY_FRAME;
}

static void join(dry_net *net, const dry_net__wire *wire, const dry_port *port,
                 dry_net__link *link) {
    const spot a = {wire->port, "a", shown(&wire->a)}, b = {wire->port, "b", shown(&wire->b)};
    link->port = port;
    link->dim = port->dim;
    const bool has_a = resolve_end(net, &a, &wire->a, &link->a);
    const bool has_b = resolve_end(net, &b, &wire->b, &link->b);
    if (has_a) fits(net, &a, port, &link->a, true);
    if (has_b) fits(net, &b, port, &link->b, false);
    if (!wire->a.port && !wire->b.port)
        dry_net_mistaken(net, "%s: both ends are the world: connect one of them to a body",
                         wire->port);
    link->direct = is_direct(link);
}

/* The impedance part that a wire is about. */
static dry_net__node *owner_of(dry_net *net, const dry_net__wire *wire, const char **rest) {
    if (!wire->port) {
        dry_net_mistaken(net, "a connection names no port: say which impedance part it is for");
        return NULL;
    }
    dry_net__node *node = dry_net__node_of(net, wire->port, rest);
    if (!node)
        dry_net_mistaken(net, "%s: there is no such part: correct the name, or add the part",
                         wire->port);
    else if (node->broken)
        return NULL;
    else if (node->part->side != DRY_IMPEDANCE) {
        dry_net_mistaken(
            net,
            "%s: a connection belongs to an impedance part (a spring, a law, a motor), "
            "and %s is a %s: name it as an end",
            wire->port, node->name, node->part->kind);
        return NULL;
    }
    return node;
}

static void connect_single(dry_net *net, const dry_net__wire *wire, dry_net__node *node,
                           const char *rest) {
    const int k = dry_net__port_of(node->part, rest);
    if (k < 0) {
        dry_net_mistaken(net, "%s: %s has no such port: it has %s", wire->port, node->name,
                         dry_net__port_list(net, node->part));
        return;
    }
    dry_net__link *link = &net->links[node->link + k];
    if (link->port) {
        dry_net_mistaken(net, "%s: the port is connected twice: add a part for each connection",
                         wire->port);
        return;
    }
    join(net, wire, &node->part->ports[k], link);
}

/* ---- parts that gather ------------------------------------------------- */

static const dry_port any_frame = {.name = "", .unit = "", .kind = DRY_FRAME};

static void connect_gathered(dry_net *net, const dry_net__wire *wire, dry_net__node *node) {
    dry_net__link *link = &net->links[node->link + node->port++];
    const spot a = {wire->port, "a", shown(&wire->a)};
    link->direct = true;
    if (!wire->a.port || wire->b.port)
        dry_net_mistaken(net, "%s: it takes one frame at a time, as end a, and end b is left empty",
                         wire->port);
    else if (!is_zero(wire->a.at, 3) || !is_zero(wire->a.turn, 4))
        dry_net_mistaken(
            net,
            "%s: end a, %s: this part takes whole frames, without `at` and `turn`: the "
            "shapes say where they are",
            wire->port, a.name);
    else if (resolve_end(net, &a, &wire->a, &link->a) && fits(net, &a, &any_frame, &link->a, true))
        link->port = net->inlets[link->a.inlet].port;
    link->b = (dry_net__end){.place = DRY_NET__WORLD, .inlet = -1};
}

/* The part made for the frames that were connected to it. */
static void gather(dry_net *net, dry_net__node *node) {
    const int count = node->port;
    const dry_part *self = node->part;
    dry_error error;
    if (count == 0) {
        dry_net_mistaken(net, "%s: nothing is connected to it: connect the frames it is to act on",
                         node->name);
        return;
    }
    const dry_port **frames = dry_net__take(net, (size_t)count, sizeof *frames);
    if (!frames) return;
    for (int i = 0; i < count; i++) {
        frames[i] = net->links[node->link + i].port;
        if (!frames[i]) return; /* told already */
    }
    const dry_part *made = self->gather(self, net->arena, frames, count, &error);
    if (!made) {
        dry_net_mistaken(net, "%s: %s", node->name, error.text);
        return;
    }
    if (made->n_ports != count || !made->eval) {
        dry_net_mistaken(net, "%s: gathered %d frames into %d ports: one for each is needed",
                         node->name, count, made->n_ports);
        return;
    }
    node->part = made;
    for (int i = 0; i < count; i++) net->links[node->link + i].port = &made->ports[i];
}

/* ---- all of them ------------------------------------------------------- */

/* How many links each impedance part has. */
static void count_links(dry_net *net) {
    for (int i = 0; i < net->n_single; i++) {
        net->impedance[i]->link = net->n_links;
        net->n_links += net->impedance[i]->part->n_ports;
    }
    const char *rest;
    for (const dry_net__wire *wire = net->first_wire; wire; wire = wire->next) {
        dry_net__node *node = wire->port ? dry_net__node_of(net, wire->port, &rest) : NULL;
        if (node && node->gathers) node->link++;
    }
    for (int i = net->n_single; i < net->n_impedance; i++) {
        const int count = net->impedance[i]->link;
        net->impedance[i]->link = net->n_links;
        net->n_links += count;
    }
    net->links = dry_net__take(net, (size_t)net->n_links, sizeof *net->links);
}

static void tell_unconnected(dry_net *net) {
    for (int i = 0; i < net->n_single; i++) {
        const dry_net__node *node = net->impedance[i];
        for (int k = 0; k < node->part->n_ports; k++) {
            const char *name = node->part->ports[k].name;
            if (!net->links[node->link + k].port)
                dry_net_mistaken(net, "%s%s%s: the port is not connected: say what it joins",
                                 node->name, *name ? "." : "", name);
        }
    }
}

/* Places of the motions and forces of the impedance ports, and of the wrenches. */
static void place_links(dry_net *net) {
    for (int i = 0; i < net->n_impedance; i++) {
        dry_net__node *node = net->impedance[i];
        node->motion = net->n_motion;
        node->force = net->n_force;
        for (int k = 0; k < node->part->n_ports; k++) {
            dry_net__link *link = &net->links[node->link + k];
            link->in = net->n_motion;
            link->out = net->n_force;
            net->n_motion += dry_port_motion(&node->part->ports[k]);
            net->n_force += dry_port_force(&node->part->ports[k]);
        }
    }
    for (int i = 0; i < net->n_links; i++)
        if (!net->links[i].direct) {
            net->links[i].wrench = net->n_force + net->n_wrench;
            net->n_wrench += 12;
        }
}

/* The shares of each inlet, in the order of the links. */
static void add_share(dry_net *net, const dry_net__link *link, const dry_net__end *end, bool is_b) {
    if (end->inlet < 0) return;
    dry_net__inlet *inlet = &net->inlets[end->inlet];
    dry_net__share *share = &net->shares[inlet->first + inlet->count++];
    *share = link->direct ? (dry_net__share){link->out, is_b}
                          : (dry_net__share){link->wrench + (is_b ? 6 : 0), false};
}

static void share_out(dry_net *net) {
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

void dry_net__connect(dry_net *net) {
    const int before = net->mistakes.count;
    if (!sort_sides(net) || net->mistakes.count > before) return;
    open_inlets(net);
    count_links(net);
    if (net->full) return;
    for (const dry_net__wire *wire = net->first_wire; wire; wire = wire->next) {
        const char *rest;
        dry_net__node *node = owner_of(net, wire, &rest);
        if (node && node->gathers)
            connect_gathered(net, wire, node);
        else if (node)
            connect_single(net, wire, node, rest);
    }
    for (int i = net->n_single; i < net->n_impedance; i++) gather(net, net->impedance[i]);
    tell_unconnected(net);
    if (net->mistakes.count > before || net->full) return;
    place_links(net);
    share_out(net);
}
