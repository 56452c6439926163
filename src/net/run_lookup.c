/* run_lookup: lets equations outside of a net read its quantities by name and add forces.
 */
#include "net_private.h"

/* What follows the name of the port in "arm.tip.v[1]"; NULL if it names another port. */
static const char *after_port(const dry_port *port, const char *rest) {
    const size_t n = strlen(port->name);
    if (n == 0) return rest;
    return strncmp(rest, port->name, n) == 0 && rest[n] == '.' ? rest + n + 1 : NULL;
}

static bool find_state(const dry_net__node *node, const char *rest, dry_net_found *to) {
    int count;
    const int at = dry_net__quantity_of(node->part->states, node->part->n_states, rest, &count);
    if (at < 0) return false;
    *to = (dry_net_found){DRY_IN_STATE, node->x + at, count, node->part->states[at].unit};
    return true;
}

/* Searches the motions of the ports and, for an impedance part, the forces. */
static bool find_in_port(const dry_net__node *node, const char *rest, dry_net_found *to) {
    int motion = node->motion, force = node->force;
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    for (int k = 0; k < node->part->n_ports; k++) {
        const dry_port *port = &node->part->ports[k];
        const char *name = after_port(port, rest);
        if (name && dry_net__field_of(fields, dry_net__motion_fields(port, fields), name, &found)) {
            *to = (dry_net_found){DRY_IN_MOTION, motion + found.first, found.count, found.unit};
            return true;
        }
        if (name && node->part->side == DRY_IMPEDANCE &&
            dry_net__field_of(fields, dry_net__force_fields(port, fields), name, &found)) {
            *to = (dry_net_found){DRY_IN_FORCE, force + found.first, found.count, found.unit};
            return true;
        }
        motion += dry_port_motion(port);
        force += dry_port_force(port);
    }
    return false;
}

/* The inlet of a body that a name begins with, "f" or "hand.f", and what follows it; -1: none. */
static int inlet_before(const dry_net__node *body, const char *name, const char **rest) {
    if (body->part->side != DRY_ADMITTANCE) return -1;
    for (int k = 0; k < body->part->n_ports; k++)
        if ((*rest = after_port(&body->part->ports[k], name)) != NULL) return body->port + k;
    return -1;
}

/* Finds the force of a part that gathers on a frame of a body. */
static bool find_on_body(const dry_net *net, const dry_net__node *node, const dry_net__node *body,
                         const char *name, dry_net_found *to) {
    const char *rest;
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    const int inlet = node->gathers && body ? inlet_before(body, name, &rest) : -1;
    for (int k = 0; inlet >= 0 && k < node->part->n_ports; k++) {
        const dry_net__link *link = &net->wiring.links[node->link + k];
        if (link->a.inlet != inlet) continue;
        if (!dry_net__field_of(fields, dry_net__force_fields(link->port, fields), rest, &found))
            return false;
        *to = (dry_net_found){DRY_IN_FORCE, link->out + found.first, found.count, found.unit};
        return true;
    }
    return false;
}

/* The same by the body's name, "ball.f". */
static bool find_on_frame(const dry_net *net, const dry_net__node *node, const char *name,
                          dry_net_found *to) {
    const char *own;
    const dry_net__node *body = node->gathers ? dry_net__node_of(net, name, &own) : NULL;
    return body && find_on_body(net, node, body, own, to);
}

bool dry_net_find_on(const dry_net *net, int part, dry_member on, dry_net_found *to) {
    return net->built && on.part >= 0 &&
           find_on_body(net, net->wiring.nodes[part], net->wiring.nodes[on.part], on.name, to);
}

/* ---- outputs ------------------------------------------------------------ */

/* Those of the part itself. */
static bool find_output(const dry_net__node *node, const char *rest, dry_net_found *to) {
    const dry_part_outputs *own = node->part->outputs;
    int count;
    const int at = own ? dry_net__quantity_of(own->names, own->count, rest, &count) : -1;
    if (at < 0) return false;
    *to = (dry_net_found){DRY_IN_OUTPUT, node->output + at, count, own->names[at].unit};
    return true;
}

/* The work that flowed into it, which is a state, and its energies. */
static bool find_account(const dry_net *net, const dry_net__node *node, const char *rest,
                         dry_net_found *to) {
    static const char *const names[][2] = {
        [DRY_ADMITTANCE] = {"kinetic", "potential"}, [DRY_IMPEDANCE] = {"stored"}};
    *to = (dry_net_found){DRY_IN_STATE, node->account, 1, "J"};
    if (node->account >= 0 && strcmp(rest, "work") == 0) return true;
    for (int i = 0; net->asked.account && i < 2 && names[node->part->side][i]; i++) {
        *to = (dry_net_found){DRY_IN_OUTPUT, node->energies + i, 1, "J"};
        if (strcmp(rest, names[node->part->side][i]) == 0) return true;
    }
    return false;
}

static bool find_in(const dry_net *net, const dry_net__node *node, const char *name,
                    dry_net_found *to) {
    return find_state(node, name, to) || find_in_port(node, name, to) ||
           find_on_frame(net, node, name, to) || find_output(node, name, to) ||
           find_account(net, node, name, to);
}

bool dry_net_find_in(const dry_net *net, int part, const char *name, dry_net_found *to) {
    return net->built && find_in(net, net->wiring.nodes[part], name, to);
}

dry_status dry_net_find(const dry_net *net, const char *name, dry_net_found *to, dry_error *error) {
    const char *rest;
    const dry_net__node *node = net->built ? dry_net__node_of(net, name, &rest) : NULL;
    if (!node) return dry_error_set(error, DRY_BAD_ARGUMENT, "there is no part in %s", name);
    if (find_in(net, node, rest, to)) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT, "%s, %s %s, has no quantity %s", node->name,
                         dry_net__article(node->part->kind), node->part->kind, rest);
}

/* ---- ports by their index ----------------------------------------------- */

dry_net_found dry_net_motion_of(const dry_net *net, dry_net_port port) {
    const dry_net__node *node = net->wiring.nodes[port.part];
    const dry_port *self = &node->part->ports[port.port];
    int at = node->motion;
    if (node->part->side == DRY_IMPEDANCE)
        at = net->wiring.links[node->link + port.port].in;
    else
        for (int k = 0; k < port.port; k++) at += dry_port_motion(&node->part->ports[k]);
    return (dry_net_found){DRY_IN_MOTION, at, dry_port_motion(self), self->unit};
}

dry_net_found dry_net_force_of(const dry_net *net, dry_net_port port) {
    const dry_net__node *node = net->wiring.nodes[port.part];
    if (node->part->side != DRY_IMPEDANCE) return (dry_net_found){DRY_IN_FORCE, 0, 0, ""};
    const dry_net__link *link = &net->wiring.links[node->link + port.port];
    return (dry_net_found){DRY_IN_FORCE, link->out, dry_port_force(link->port), ""};
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

const double *dry_net_read(const dry_env *env, const double *x, dry_net_found to) {
    const dry_net__run run = dry_net__run_of(env, 0.0, 0.0, x);
    const double *const from[] = {
        [DRY_IN_STATE] = x, [DRY_IN_MOTION] = run.motion, [DRY_IN_FORCE] = run.force};
    return from[to.where] + to.index;
}

int dry_net_force_count(const dry_net *net) { return net->sizes.n_total + net->wiring.n_driven; }

/* The velocity whose product with a force, or a moment, is a power. */
static bool find_speed(const dry_net__node *node, int port, const char *name, dry_net_found *to) {
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    const dry_port *self = &node->part->ports[port];
    int motion = node->motion;
    if (!*self->name && find_state(node, name, to)) return true;
    for (int k = 0; k < port; k++) motion += dry_port_motion(&node->part->ports[k]);
    if (!dry_net__field_of(fields, dry_net__motion_fields(self, fields), name, &found))
        return false;
    *to = (dry_net_found){DRY_IN_MOTION, motion + found.first, found.count, found.unit};
    return true;
}

static bool push_find(const dry_net *net, const dry_net__node *node, const char *rest,
                      dry_net_found_push *push) {
    dry_net__field fields[DRY_NET__MOST_FIELDS], found;
    for (int k = 0; k < node->part->n_ports; k++) {
        const dry_port *port = &node->part->ports[k];
        const char *name = after_port(port, rest);
        if (!name || !dry_net__field_of(fields, dry_net__force_fields(port, fields), name, &found))
            continue;
        const int first = dry_net_push_of(net, (dry_net_port){node->index, k});
        *push = (dry_net_found_push){.port = {node->index, k},
                                     .first = first + found.first,
                                     .count = found.count,
                                     .unit = found.unit,
                                     .velocity = strcmp(found.name, "m") == 0 ? "omega" : "v"};
        return first >= 0 && find_speed(node, k, push->velocity, &push->speed);
    }
    return false;
}

bool dry_net_push_find(const dry_net *net, int part, const char *name, dry_net_found_push *push) {
    return net->built && push_find(net, net->wiring.nodes[part], name, push);
}

int dry_net_force_find(const dry_net *net, const char *name) {
    const char *rest;
    dry_net_found_push push;
    const dry_net__node *node = net->built ? dry_net__node_of(net, name, &rest) : NULL;
    return node && push_find(net, node, rest, &push) ? push.first : -1;
}

/* ---- what a part has ---------------------------------------------------- */

typedef struct listing {
    const dry_net__node *node;
    dry_net_quantity_fn *each;
    void *user;
} listing;

/* Quantities of the system, whose names begin with that of the part. */
static void list(const listing *l, const dry_quantity *all, int n, dry_net_where where) {
    const size_t prefix = strlen(l->node->name) + 1;
    for (int i = 0, count; i < n; i += count) {
        dry_net_quantity q = {.name = all[i].name + prefix,
                              .unit = all[i].unit,
                              .where = where,
                              .is_inner = where == DRY_IN_STATE && dry_state_is_inner(&all[i])};
        for (count = 1; i + count < n; count++)
            if (!dry_net__same_stem(q.name, all[i + count].name + prefix)) break;
        q.count = count;
        q.length = dry_net__stem_length(q.name);
        l->each(l->user, &q);
    }
}

static const dry_quantity *list_copies(const listing *l, const dry_net__copy *copies, int n,
                                       const dry_quantity *output, dry_net_where where) {
    for (int i = 0; i < n; output += copies[i].count, i++)
        if (copies[i].node == l->node) list(l, output, copies[i].count, where);
    return output;
}

void dry_net_each_quantity(const dry_net *net, int part, dry_net_quantity_fn *each, void *user) {
    const dry_net__node *node = net->wiring.nodes[part];
    const listing l = {node, each, user};
    const dry_system *system = &net->system;
    const dry_net__columns *c = &net->columns;
    list(&l, system->states + node->x, node->part->n_states + node->n_turns, DRY_IN_STATE);
    if (node->account >= 0) list(&l, system->states + node->account, 1, DRY_IN_STATE);
    const dry_quantity *motions =
        list_copies(&l, c->force_copies, c->n_force_copies, system->outputs, DRY_IN_FORCE);
    list_copies(&l, c->motion_copies, c->n_motion_copies, motions, DRY_IN_MOTION);
    if (node->part->outputs)
        list(&l, system->outputs + node->output, node->part->outputs->count, DRY_IN_OUTPUT);
    if (net->asked.account)
        list(&l, system->outputs + node->energies, dry_net__energies(node), DRY_IN_OUTPUT);
}
