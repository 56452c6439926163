/* run_lookup: lets equations outside of a net read its quantities by name and add forces.
 */
#include "net_private.h"

/* What follows the name of the port in "arm.tip.v[1]"; NULL if it names another port. */
static const char *after_port(const dry_port *port, const char *rest) {
    const size_t n = strlen(port->name);
    if (n == 0) return rest;
    return strncmp(rest, port->name, n) == 0 && rest[n] == '.' ? rest + n + 1 : NULL;
}

static bool find_state(const dry_net__node *node, const char *rest, dry_net_place *place) {
    int count;
    const int at = dry_net__quantity_of(node->part->states, node->part->n_states, rest, &count);
    if (at < 0) return false;
    *place = (dry_net_place){DRY_IN_STATE, node->x + at, count, node->part->states[at].unit};
    return true;
}

/* Searches the motions of the ports and, for an impedance part, the forces. */
static bool find_in_port(const dry_net__node *node, const char *rest, dry_net_place *place) {
    int motion = node->motion, force = node->force;
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    for (int k = 0; k < node->part->n_ports; k++) {
        const dry_port *port = &node->part->ports[k];
        const char *name = after_port(port, rest);
        if (name && dry_net__field_of(fields, dry_net__motion_fields(port, fields), name, &found)) {
            *place = (dry_net_place){DRY_IN_MOTION, motion + found.first, found.count, found.unit};
            return true;
        }
        if (name && node->part->side == DRY_IMPEDANCE &&
            dry_net__field_of(fields, dry_net__force_fields(port, fields), name, &found)) {
            *place = (dry_net_place){DRY_IN_FORCE, force + found.first, found.count, found.unit};
            return true;
        }
        motion += dry_port_motion(port);
        force += dry_port_force(port);
    }
    return false;
}

/* The inlet that a name begins with, "hand" or "robot.hand", and what follows it; -1: none. */
static int inlet_before(const dry_net *net, const char *name, const char **rest) {
    const char *after;
    const dry_net__node *body = dry_net__node_of(net, name, &after);
    if (!body || body->part->side != DRY_ADMITTANCE) return -1;
    for (int k = 0; k < body->part->n_ports; k++)
        if ((*rest = after_port(&body->part->ports[k], after)) != NULL) return body->port + k;
    return -1;
}

/* Finds the force of a part that gathers on a frame, by the frame's name in the connection. */
static bool find_on_frame(const dry_net *net, const dry_net__node *node, const char *name,
                          dry_net_place *place) {
    const char *rest;
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    const int inlet = node->gathers ? inlet_before(net, name, &rest) : -1;
    for (int k = 0; inlet >= 0 && k < node->part->n_ports; k++) {
        const dry_net__link *link = &net->wiring.links[node->link + k];
        if (link->a.inlet != inlet) continue;
        if (!dry_net__field_of(fields, dry_net__force_fields(link->port, fields), rest, &found))
            return false;
        *place = (dry_net_place){DRY_IN_FORCE, link->out + found.first, found.count, found.unit};
        return true;
    }
    return false;
}

dry_status dry_net_find(const dry_net *net, const char *name, dry_net_place *place,
                        dry_error *error) {
    const char *rest;
    const dry_net__node *node = net->built ? dry_net__node_of(net, name, &rest) : NULL;
    if (!node) return dry_error_set(error, DRY_BAD_ARGUMENT, "there is no part in %s", name);
    if (find_state(node, rest, place) || find_in_port(node, rest, place) ||
        find_on_frame(net, node, rest, place))
        return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT, "%s, a %s, has no quantity %s", node->name,
                         node->part->kind, rest);
}

const double *dry_net_look(const dry_env *env, const double *x, dry_net_place place) {
    const dry_net__run run = dry_net__run_of(env, 0.0, 0.0, x);
    const double *const from[] = {
        [DRY_IN_STATE] = x, [DRY_IN_MOTION] = run.motion, [DRY_IN_FORCE] = run.force};
    return from[place.where] + place.index;
}

int dry_net_force_count(const dry_net *net) { return net->sizes.n_total + net->wiring.n_driven; }

/* Finds the force of a part on the axis of a joint. */
static int find_push(const dry_net *net, const dry_net__node *node, const char *rest) {
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    for (int k = 0; k < node->part->n_ports; k++) {
        const dry_net__link *link = &net->wiring.links[node->link + k];
        const char *field = after_port(link->port, rest);
        if (field &&
            dry_net__field_of(fields, dry_net__force_fields(link->port, fields), field, &found))
            return dry_net__push_at(net, link);
    }
    return -1;
}

int dry_net_force_find(const dry_net *net, const char *name) {
    const char *rest;
    const dry_net__node *node = net->built ? dry_net__node_of(net, name, &rest) : NULL;
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    if (!node) return -1;
    if (node->part->side == DRY_IMPEDANCE) return find_push(net, node, rest);
    for (int k = 0; k < node->part->n_ports; k++) {
        const dry_net__inlet *inlet = &net->wiring.inlets[node->port + k];
        const char *field = after_port(inlet->port, rest);
        if (field &&
            dry_net__field_of(fields, dry_net__force_fields(inlet->port, fields), field, &found))
            return inlet->total + found.first;
    }
    return -1;
}

dry_side dry_net_state_side(const dry_net *net, int state) {
    int low = 0, high = net->asked.n_nodes - 1; /* find the last part whose states begin at or
                                                   before it */
    if (!net->built || high < 0) return DRY_IMPEDANCE;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (net->wiring.nodes[middle]->x <= state)
            low = middle;
        else
            high = middle - 1;
    }
    const dry_net__node *node = net->wiring.nodes[low];
    return state < node->x + node->part->n_states ? node->part->side : DRY_IMPEDANCE;
}
