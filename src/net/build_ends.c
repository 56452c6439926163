/* build_ends: resolves the ends of a wire. It finds their parts and ports, checks that they fit the
 * port of the impedance part, and reports mistakes by part and port. */
#include "net_private.h"
#include <math.h>

/* ---- the ends of a wire ------------------------------------------------ */

typedef dry_net__spot spot;

bool dry_net__is_zero(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] != 0.0) return false;
    return true;
}

static bool read_pose(dry_net *net, const spot *s, const dry_end *from, dry_net__end *end) {
    const double length = dry_norm(4, from->turn);
    for (int i = 0; i < 3; i++)
        if (!isfinite(from->at[i])) {
            dry_net_mistaken(net,
                             (dry_mistake){DRY_NET__OF_WIRE(net, s->wire),
                                           .end = dry_net__full_name(net, s->on)},
                             "end %s, %s: `at` is not finite", s->end,
                             dry_net__full_name(net, s->on));
            return false;
        }
    if (!dry_net__is_zero(from->turn, 4) && !(fabs(length - 1.0) < 1e-6)) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on)},
            "end %s, %s: `turn` must be a quaternion (w, x, y, z) of length 1, or all "
            "zeros for axes that are not turned",
            s->end, dry_net__full_name(net, s->on));
        return false;
    }
    const double identity[4] = {1.0, 0.0, 0.0, 0.0};
    memcpy(end->at, from->at, sizeof end->at);
    memcpy(end->turn, dry_net__is_zero(from->turn, 4) ? identity : from->turn, sizeof end->turn);
    dry_quat_normalise(end->turn);
    return true;
}

static bool is_joint_without_axis(const dry_part *part) {
    return part->side == DRY_IMPEDANCE && part->n_ports == 1 &&
           part->ports[0].kind == DRY_RELATIVE && !part->axis;
}

/* The port of an admittance part that the end names. */
static const dry_port *find_end(dry_net *net, const spot *s, dry_net__end *end) {
    const dry_net__node *node = dry_net__part_of(net, s->on);
    if (!node) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on),
                          .way_out = "correct the name, or add the part"},
            "end %s, %s: there is no such part", s->end, dry_net__full_name(net, s->on));
        return NULL;
    }
    if (node->broken) return NULL;
    if (is_joint_without_axis(node->part)) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on),
                          .way_out = "connect it to a hinge or a slider, or to bodies"},
            "end %s, %s, is %s %s, which has no axis for a part to act on", s->end,
            dry_net__full_name(net, s->on), dry_net__article(node->part->kind), node->part->kind);
        return NULL;
    }
    if (node->part->side != DRY_ADMITTANCE) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on),
                          .way_out = "put a body, or another part that moves, between the two"},
            "end %s, %s, is %s %s, which gives forces itself", s->end,
            dry_net__full_name(net, s->on), dry_net__article(node->part->kind), node->part->kind);
        return NULL;
    }
    const int k = dry_net__port_of(node->part, s->on->own);
    if (k < 0) {
        const char *list = dry_net__port_list(net, node->part);
        dry_net_mistaken(
            net,
            (dry_mistake){
                DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on),
                .way_out = dry_net_text(net, "it has %s",
                                        *list ? list : "one alone, which is called like the part")},
            "end %s, %s: %s has no such port", s->end, dry_net__full_name(net, s->on), node->name);
        return NULL;
    }
    end->inlet = node->port + k;
    return &node->part->ports[k];
}

/* Resolves the end; returns false if it reported a mistake. */
bool dry_net__end_resolve(dry_net *net, const spot *s, const dry_end *from, dry_net__end *end) {
    *end = (dry_net__end){.kind = DRY_NET__WORLD, .dim = 3, .inlet = -1};
    if (!read_pose(net, s, from, end)) return false;
    if (dry_net__is_world(s->on)) return true;
    const dry_port *port = find_end(net, s, end);
    if (!port) return false;
    end->kind = port->kind == DRY_FRAME ? DRY_NET__FRAME : DRY_NET__POINT;
    if (port->kind == DRY_COORDINATE) end->dim = port->dim;
    if (end->kind == DRY_NET__POINT && !dry_net__is_zero(from->turn, 4)) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on)},
            "end %s, %s, is a coordinate and has no axes to be turned", s->end,
            dry_net__full_name(net, s->on));
        return false;
    }
    return true;
}

/* ---- does the end fit the port? ---------------------------------------- */

static const char *unit_of_end(const dry_net *net, const dry_net__end *end) {
    return end->kind == DRY_NET__POINT ? net->wiring.inlets[end->inlet].port->unit : "m";
}

/* What else a part with a coordinate in m may do to a frame. */
static const char *way_to_frame(const dry_port *port) {
    return port->spins ? "say on = frame and give the radius of the area, or on = length, "
                         "for the distance of its point"
                       : "give the part dim = 3, for the point of a frame, or on = length, "
                         "for its distance";
}

static bool fits_coordinate(dry_net *net, const spot *s, const dry_port *port,
                            const dry_net__end *end) {
    if (end->kind == DRY_NET__WORLD) return true;
    const char *unit = unit_of_end(net, end);
    if (end->kind == DRY_NET__FRAME && (port->dim != 3 || strcmp(port->unit, "m") != 0)) {
        dry_net_mistaken(
            net,
            (dry_mistake){
                DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on),
                .way_out = strcmp(port->unit, "m") == 0
                               ? way_to_frame(port)
                               : "connect it to a coordinate in rad, such as a rotor or a joint of "
                                 "an arm"},
            "end %s, %s, is a frame, the port a coordinate of dimension %d in %s", s->end,
            dry_net__full_name(net, s->on), port->dim, port->unit);
        return false;
    }
    if (strcmp(unit, port->unit) != 0) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on),
                          .way_out = dry_net_text(net, "use a part for coordinates in %s", unit)},
            "end %s, %s, is in %s, the port in %s", s->end, dry_net__full_name(net, s->on), unit,
            port->unit);
        return false;
    }
    if (end->kind == DRY_NET__POINT && end->dim != port->dim) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on),
                          .way_out =
                              port->spins && end->dim > 2
                                  ? "connect it to a frame, with on = frame and a radius"
                                  : dry_net_text(net, "make the part with dim = %d", end->dim)},
            "end %s, %s, has %d dimension%s, the port %d", s->end, dry_net__full_name(net, s->on),
            end->dim, end->dim == 1 ? "" : "s", port->dim);
        return false;
    }
    return true;
}

static bool fits_point(dry_net *net, const spot *s, const dry_net__end *end, const char *what) {
    if (strcmp(unit_of_end(net, end), "m") == 0) return true;
    dry_net_mistaken(
        net, (dry_mistake){DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on)},
        "end %s, %s, is in rad: %s takes points, whose coordinates are in m", s->end,
        dry_net__full_name(net, s->on), what);
    return false;
}

static bool fits_frame(dry_net *net, const spot *s, const dry_net__end *end, const char *what) {
    if (end->kind != DRY_NET__POINT) return true;
    dry_net_mistaken(
        net, (dry_mistake){DRY_NET__OF_WIRE(net, s->wire), .end = dry_net__full_name(net, s->on)},
        "end %s, %s, is a coordinate: %s takes a frame here", s->end,
        dry_net__full_name(net, s->on), what);
    return false;
}

bool dry_net__end_fits(dry_net *net, const spot *s, const dry_port *port, const dry_net__end *end,
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
