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

/* ---- outputs ------------------------------------------------------------ */

/* Those of the part itself. */
static bool find_output(const dry_net__node *node, const char *rest, dry_net_place *place) {
    const dry_part_outputs *own = node->part->outputs;
    int count;
    const int at = own ? dry_net__quantity_of(own->names, own->count, rest, &count) : -1;
    if (at < 0) return false;
    *place = (dry_net_place){DRY_IN_OUTPUT, node->output + at, count, own->names[at].unit};
    return true;
}

/* The work that flowed into it, which is a state, and its energies. */
static bool find_account(const dry_net *net, const dry_net__node *node, const char *rest,
                         dry_net_place *place) {
    static const char *const names[][2] = {
        [DRY_ADMITTANCE] = {"kinetic", "potential"}, [DRY_IMPEDANCE] = {"stored"}};
    *place = (dry_net_place){DRY_IN_STATE, node->account, 1, "J"};
    if (node->account >= 0 && strcmp(rest, "work") == 0) return true;
    for (int i = 0; net->asked.account && i < 2 && names[node->part->side][i]; i++) {
        *place = (dry_net_place){DRY_IN_OUTPUT, node->energies + i, 1, "J"};
        if (strcmp(rest, names[node->part->side][i]) == 0) return true;
    }
    return false;
}

static bool find_in(const dry_net *net, const dry_net__node *node, const char *name,
                    dry_net_place *place) {
    return find_state(node, name, place) || find_in_port(node, name, place) ||
           find_on_frame(net, node, name, place) || find_output(node, name, place) ||
           find_account(net, node, name, place);
}

bool dry_net_find_in(const dry_net *net, int part, const char *name, dry_net_place *place) {
    return net->built && find_in(net, net->wiring.nodes[part], name, place);
}

dry_status dry_net_find(const dry_net *net, const char *name, dry_net_place *place,
                        dry_error *error) {
    const char *rest;
    const dry_net__node *node = net->built ? dry_net__node_of(net, name, &rest) : NULL;
    if (!node) return dry_error_set(error, DRY_BAD_ARGUMENT, "there is no part in %s", name);
    if (find_in(net, node, rest, place)) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT, "%s, a %s, has no quantity %s", node->name,
                         node->part->kind, rest);
}

/* ---- ports by their index ----------------------------------------------- */

dry_net_place dry_net_motion_of(const dry_net *net, dry_net_port port) {
    const dry_net__node *node = net->wiring.nodes[port.part];
    const dry_port *self = &node->part->ports[port.port];
    int at = node->motion;
    if (node->part->side == DRY_IMPEDANCE)
        at = net->wiring.links[node->link + port.port].in;
    else
        for (int k = 0; k < port.port; k++) at += dry_port_motion(&node->part->ports[k]);
    return (dry_net_place){DRY_IN_MOTION, at, dry_port_motion(self), self->unit};
}

dry_net_place dry_net_force_of(const dry_net *net, dry_net_port port) {
    const dry_net__node *node = net->wiring.nodes[port.part];
    if (node->part->side != DRY_IMPEDANCE) return (dry_net_place){DRY_IN_FORCE, 0, 0, ""};
    const dry_net__link *link = &net->wiring.links[node->link + port.port];
    return (dry_net_place){DRY_IN_FORCE, link->out, dry_port_force(link->port), ""};
}

int dry_net_push_of(const dry_net *net, dry_net_port port) {
    if (port.part < 0) return -1;
    const dry_net__node *node = net->wiring.nodes[port.part];
    if (node->part->side == DRY_ADMITTANCE) return net->wiring.inlets[node->port + port.port].total;
    return dry_net__push_at(net, &net->wiring.links[node->link + port.port]);
}

int dry_net_column_of(const dry_net *net, dry_net_port port) {
    const dry_net__columns *c = &net->columns;
    const dry_net__node *node = net->wiring.nodes[port.part];
    for (int i = 0, output = 0; i < c->n_force_copies; output += c->force_copies[i].count, i++)
        if (c->force_copies[i].port == &node->part->ports[port.port] &&
            c->force_copies[i].node == node)
            return output;
    return -1;
}

static dry_net_port port_of(const dry_net *net, const dry_net__end *end) {
    if (end->inlet < 0) return (dry_net_port){-1, -1};
    const int part = net->wiring.inlets[end->inlet].part;
    return (dry_net_port){part, end->inlet - net->wiring.nodes[part]->port};
}

void dry_net_ends_of(const dry_net *net, dry_net_port port, dry_net_port ends[2]) {
    const dry_net__node *node = net->wiring.nodes[port.part];
    const dry_net__link *link = &net->wiring.links[node->link + port.port];
    ends[0] = port_of(net, &link->a);
    ends[1] = port_of(net, &link->b);
}

const double *dry_net_look(const dry_env *env, const double *x, dry_net_place place) {
    const dry_net__run run = dry_net__run_of(env, 0.0, 0.0, x);
    const double *const from[] = {
        [DRY_IN_STATE] = x, [DRY_IN_MOTION] = run.motion, [DRY_IN_FORCE] = run.force};
    return from[place.where] + place.index;
}

int dry_net_force_count(const dry_net *net) { return net->sizes.n_total + net->wiring.n_driven; }

/* The velocity whose product with a force, or a moment, is a power. */
static bool find_speed(const dry_net__node *node, int port, const char *name,
                       dry_net_place *place) {
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    const dry_port *self = &node->part->ports[port];
    int motion = node->motion;
    if (!*self->name && find_state(node, name, place)) return true;
    for (int k = 0; k < port; k++) motion += dry_port_motion(&node->part->ports[k]);
    if (!dry_net__field_of(fields, dry_net__motion_fields(self, fields), name, &found))
        return false;
    *place = (dry_net_place){DRY_IN_MOTION, motion + found.first, found.count, found.unit};
    return true;
}

static bool push_find(const dry_net *net, const dry_net__node *node, const char *rest,
                      dry_net_push_place *push) {
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    for (int k = 0; k < node->part->n_ports; k++) {
        const dry_port *port = &node->part->ports[k];
        const char *name = after_port(port, rest);
        if (!name || !dry_net__field_of(fields, dry_net__force_fields(port, fields), name, &found))
            continue;
        const int first = dry_net_push_of(net, (dry_net_port){node->index, k});
        *push = (dry_net_push_place){.port = {node->index, k},
                                     .place = first + found.first,
                                     .count = found.count,
                                     .unit = found.unit,
                                     .velocity = strcmp(found.name, "m") == 0 ? "omega" : "v"};
        return first >= 0 && find_speed(node, k, push->velocity, &push->speed);
    }
    return false;
}

bool dry_net_push_find(const dry_net *net, int part, const char *name, dry_net_push_place *push) {
    return net->built && push_find(net, net->wiring.nodes[part], name, push);
}

int dry_net_force_find(const dry_net *net, const char *name) {
    const char *rest;
    dry_net_push_place push;
    const dry_net__node *node = net->built ? dry_net__node_of(net, name, &rest) : NULL;
    return node && push_find(net, node, rest, &push) ? push.place : -1;
}

/* ---- what a part has ---------------------------------------------------- */

typedef void name_fn(void *user, const char *name);

/* Names of the system without that of the part. */
static void each_name(const dry_net__node *node, const dry_quantity *all, int n, name_fn *each,
                      void *user) {
    for (int i = 0; i < n; i++) each(user, all[i].name + strlen(node->name) + 1);
}

static const dry_quantity *each_copy(const dry_net__node *node, const dry_net__copy *copies, int n,
                                     const dry_quantity *output, name_fn *each, void *user) {
    for (int i = 0; i < n; output += copies[i].count, i++)
        if (copies[i].node == node) each_name(node, output, copies[i].count, each, user);
    return output;
}

void dry_net_each_quantity(const dry_net *net, int part, name_fn *each, void *user) {
    const dry_net__node *node = net->wiring.nodes[part];
    const dry_system *system = &net->system;
    const dry_net__columns *c = &net->columns;
    each_name(node, system->states + node->x, node->part->n_states + node->n_turns, each, user);
    if (node->account >= 0) each_name(node, system->states + node->account, 1, each, user);
    const dry_quantity *motions =
        each_copy(node, c->force_copies, c->n_force_copies, system->outputs, each, user);
    each_copy(node, c->motion_copies, c->n_motion_copies, motions, each, user);
    if (node->part->outputs)
        each_name(node, system->outputs + node->output, node->part->outputs->count, each, user);
    if (net->asked.account)
        each_name(node, system->outputs + node->energies, dry_net__energies(node), each, user);
}
