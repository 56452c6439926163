/* build_axis: connects a part to the axis of a joint, such as the closer of a door. Its wire names
 * the joint instead of two ends and becomes a link between the two ends of the joint. */
#include "net_private.h"

static const char rotary[] = "rotary_";

/* Each axis in words, and its unit. */
static const struct {
    const char *what, *unit;
} axes[] = {[DRY_TURNS] = {"turns", "rad"}, [DRY_SLIDES] = {"slides", "m"}};

static dry_net__node *joint_of(const dry_net *net, const dry_net__named *end) {
    dry_net__node *node = dry_net__part_of(net, end);
    return node && !node->broken && node->part->side == DRY_IMPEDANCE && node->part->axis ? node
                                                                                          : NULL;
}

bool dry_net__is_on_axis(const dry_net *net, const dry_net__wire *wire) {
    return joint_of(net, &wire->on_a) || joint_of(net, &wire->on_b);
}

/* ---- does it fit? ------------------------------------------------------- */

bool dry_net__takes_axis(const dry_port *port) {
    return port->kind == DRY_COORDINATE || port->kind == DRY_LENGTH;
}

/* "use rotary_motor": the twin of a kind for the other unit. */
static const char *twin_of(dry_net *net, const dry_part *part, const char *unit) {
    const size_t n = strlen(rotary);
    const bool is_rotary = part->kind && strncmp(part->kind, rotary, n) == 0;
    if (!part->kind || is_rotary == (strcmp(unit, "rad") == 0))
        return dry_net_text(net, "a part for coordinates in %s", unit);
    return is_rotary ? part->kind + n : dry_net_text(net, "%s%s", rotary, part->kind);
}

static bool is_alone(dry_net *net, const dry_net__wire *wire, const dry_net__node *joint) {
    if (joint == joint_of(net, &wire->on_a) && dry_net__is_world(&wire->on_b)) return true;
    dry_net_mistaken(net,
                     (dry_mistake){DRY_NET__OF_WIRE(net, wire),
                                   .way_out = "name the joint as end a and leave out end b"},
                     "%s, a %s, has two ends of its own, between which the part acts", joint->name,
                     joint->part->kind);
    return false;
}

static bool is_plain(dry_net *net, const dry_net__wire *wire, const dry_net__node *joint) {
    if (*wire->on_a.own) {
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_WIRE(net, wire),
                                       .end = dry_net__full_name(net, &wire->on_a),
                                       .way_out = dry_net_text(net, "say %s", joint->name)},
                         "end a, %s: a %s has one axis, which is called like it",
                         dry_net__full_name(net, &wire->on_a), joint->part->kind);
        return false;
    }
    if (dry_net__is_zero(wire->a.at, 3) && dry_net__is_zero(wire->b.at, 3) &&
        dry_net__is_zero(wire->a.turn, 4) && dry_net__is_zero(wire->b.turn, 4))
        return true;
    dry_net_mistaken(net,
                     (dry_mistake){DRY_NET__OF_WIRE(net, wire), .end = joint->name,
                                   .way_out = "leave them out here"},
                     "end a, %s: a place or axes are given where the %s itself is connected",
                     joint->name, joint->part->kind);
    return false;
}

static bool fits(dry_net *net, const dry_net__wire *wire, const dry_net__node *joint,
                 const dry_part *part, const dry_port *port) {
    const char *kind = joint->part->kind, *what = axes[joint->part->axis].what;
    const char *unit = axes[joint->part->axis].unit;
    if (port->kind != DRY_COORDINATE) {
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_WIRE(net, wire), .end = joint->name,
                                       .way_out = "leave out on = length"},
                         "end a, %s, is a %s, which %s", joint->name, kind, what);
        return false;
    }
    if (strcmp(port->unit, unit) != 0) {
        dry_net_mistaken(
            net,
            (dry_mistake){DRY_NET__OF_WIRE(net, wire), .end = joint->name,
                          .way_out = dry_net_text(net, "use %s", twin_of(net, part, unit))},
            "end a, %s, is a %s, which %s: the part takes %s", joint->name, kind, what, port->unit);
        return false;
    }
    if (port->dim == 1) return true;
    dry_net_mistaken(net,
                     (dry_mistake){DRY_NET__OF_WIRE(net, wire), .end = joint->name,
                                   .way_out = "make the part with dim = 1"},
                     "end a, %s, has 1 dimension, the port %d", joint->name, port->dim);
    return false;
}

/* ---- the link ----------------------------------------------------------- */

void dry_net__join_axis(dry_net *net, const dry_net__wire *wire, dry_net__node *node,
                        const dry_port *port, dry_net__link *link) {
    const dry_net__node *on_a = joint_of(net, &wire->on_a);
    const dry_net__node *joint = on_a ? on_a : joint_of(net, &wire->on_b);
    const dry_net__link *held = &net->wiring.links[joint->link];
    link->port = port;
    if (!is_alone(net, wire, joint) || !is_plain(net, wire, joint) ||
        !fits(net, wire, joint, node->part, port) || !held->port)
        return; /* another function reports a joint that is not connected */
    link->dim = port->dim;
    link->axis = joint->part->axis;
    link->a = held->a;
    link->b = held->b;
    node->n_turns += dry_net__turns(link);
    net->wiring.n_driven++;
}

/* Call it after all links are made. */
void dry_net__list_axes(dry_net *net) {
    net->wiring.driven =
        dry_net__take(net, (size_t)net->wiring.n_driven, sizeof *net->wiring.driven);
    for (int i = 0, n = 0; i < net->wiring.n_links && !net->full; i++)
        if (net->wiring.links[i].axis) net->wiring.driven[n++] = i;
}

/* ---- pushes ------------------------------------------------------------- */

int dry_net__push_at(const dry_net *net, const dry_net__link *link) {
    const int index = (int)(link - net->wiring.links);
    int low = 0, high = net->wiring.n_driven; /* `driven` is sorted by link */
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (net->wiring.driven[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low < net->wiring.n_driven && net->wiring.driven[low] == index ? net->sizes.n_total + low
                                                                          : -1;
}

/* Computes the forces on the ends again with what equations add; the part's own force stays. */
void dry_net__push_axes(const dry_net__run *run) {
    for (int i = 0; i < run->net->wiring.n_driven; i++) {
        const dry_net__link *link = &run->net->wiring.links[run->net->wiring.driven[i]];
        double *f = run->force + link->out, own = *f;
        if (run->more) *f += run->more[run->net->sizes.n_total + i];
        dry_net__phi(link, run->motion, run->force);
        *f = own;
    }
}

double dry_net__push_power_on_axes(const dry_net__run *run, const double *more) {
    double power = 0.0;
    for (int i = 0; i < run->net->wiring.n_driven; i++)
        power += more[run->net->sizes.n_total + i] *
                 run->motion[run->net->wiring.links[run->net->wiring.driven[i]].in + 1];
    return power;
}

void dry_net_push(const dry_env *env, const double *more) {
    const dry_net__run run = dry_net__run_of(env, 0.0, 0.0, NULL);
    for (int i = 0; i < run.net->wiring.n_driven; i++)
        run.force[run.net->wiring.links[run.net->wiring.driven[i]].out] +=
            more[run.net->sizes.n_total + i];
}
