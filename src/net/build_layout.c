/* build_layout: assigns an index and a name to every state, parameter and output, and completes the
 * system. */
#include "net_private.h"
#include <math.h>

/* ---- names ------------------------------------------------------------- */

static void name_quantities(dry_net *net, const dry_net__node *node, const dry_quantity *from,
                            int n, dry_quantity *to) {
    const char *nameless = from || n == 0 ? NULL : dry_net_text(net, "%s.*", node->name);
    for (int i = 0; i < n; i++)
        to[i] = from ? (dry_quantity){dry_net_text(net, "%s.%s", node->name, from[i].name),
                                      from[i].unit}
                     : (dry_quantity){nameless, ""};
}

/* ---- sizes ------------------------------------------------------------- */

static bool is_accounted(const dry_net *net, const dry_part *part) {
    return net->asked.account && (part->side == DRY_IMPEDANCE || part->promise == DRY_FEEDS);
}

/* They follow the part's own states. */
static void lay_out_turns(dry_net *net, const dry_net__node *node) {
    for (int k = 0; node->n_turns > 0 && k < node->part->n_ports; k++) {
        dry_net__link *link = &net->wiring.links[node->link + k];
        if (dry_net__turns(link)) link->theta = net->system.n_states++;
    }
}

static void lay_out_node(dry_net *net, dry_net__node *node, size_t *work) {
    const dry_part *part = node->part;
    dry_system *system = &net->system;
    node->x = system->n_states;
    node->par = system->n_par;
    node->kink = system->n_kinks;
    node->pause = system->n_breaks;
    node->watch = net->sizes.n_watches;
    node->work = *work;
    system->n_states += part->n_states;
    lay_out_turns(net, node);
    system->n_par += part->n_par;
    system->n_kinks += part->side == DRY_IMPEDANCE ? part->n_kinks : 0;
    if (part->breaks) system->n_breaks += part->breaks->count;
    if (part->watches) net->sizes.n_watches += part->watches->count;
    net->loops.n_watched += part->watches != NULL;
    net->loops.body_has_latch |= part->side == DRY_ADMITTANCE && part->latch;
    net->loops.law_has_latch |= part->side == DRY_IMPEDANCE && (part->latch || node->n_turns > 0);
    net->loops.has_holds |= part->gathers && part->gathers->holds;
    net->loops.has_fastest |= part->fastest != NULL;
    net->loops.law_has_positions |= part->side == DRY_IMPEDANCE && part->positions;
    system->n_elements += part->phase != NULL;
    *work += (part->work_size + 15) / 16 * 16;
}

static void lay_out_nodes(dry_net *net) {
    size_t work = 0;
    for (int i = 0; i < net->asked.n_nodes; i++) lay_out_node(net, net->wiring.nodes[i], &work);
    for (int i = 0; i < net->asked.n_nodes; i++)
        net->wiring.nodes[i]->account =
            is_accounted(net, net->wiring.nodes[i]->part) ? net->system.n_states++ : -1;
}

/* ---- states and parameters --------------------------------------------- */

static void fill_node(dry_net *net, const dry_net__node *node, dry_quantity *states,
                      dry_quantity *params, bool *positions) {
    const dry_part *part = node->part;
    name_quantities(net, node, part->states, part->n_states, states + node->x);
    name_quantities(net, node, NULL, node->n_turns, states + node->x + part->n_states);
    name_quantities(net, node, part->params, part->n_par, params + node->par);
    for (int i = 0; i < part->n_states && part->positions; i++)
        positions[node->x + i] = part->positions[i];
    for (int i = 0; i < part->n_par; i++) net->par[node->par + i] = part->par[i];
    for (int i = 0; part->watches && i < part->watches->count; i++)
        net->columns.watches[node->watch + i] =
            dry_net_text(net, "%s: %s", node->name, part->watches->texts[i]);
    if (node->account >= 0)
        states[node->account] = (dry_quantity){dry_net_text(net, "%s.work", node->name), "J"};
}

static void fill_nodes(dry_net *net) {
    dry_system *system = &net->system;
    const size_t n_states = (size_t)system->n_states, n_par = (size_t)system->n_par;
    dry_quantity *states = dry_net__take(net, n_states, sizeof *states);
    dry_quantity *params = dry_net__take(net, n_par, sizeof *params);
    bool *positions = dry_net__take(net, n_states, sizeof *positions);
    net->par = dry_net__take(net, n_par, sizeof *net->par);
    net->columns.watches =
        dry_net__take(net, (size_t)net->sizes.n_watches, sizeof *net->columns.watches);
    net->loops.watched =
        dry_net__take(net, (size_t)net->loops.n_watched, sizeof *net->loops.watched);
    if (net->full) return;
    for (int i = 0, n = 0; i < net->asked.n_nodes; i++) {
        fill_node(net, net->wiring.nodes[i], states, params, positions);
        if (net->wiring.nodes[i]->part->watches) net->loops.watched[n++] = net->wiring.nodes[i];
    }
    system->states = states;
    system->params = params;
    system->positions = positions;
    system->par = net->par;
}

/* ---- what was set ------------------------------------------------------ */

typedef struct target {
    const char *what; /* "parameter" */
    const dry_quantity *all;
    int n, first; /* their count in the part, and the index of the first in the system */
} target;

static const char *list(dry_net *net, const target *t) {
    enum { MOST = 12 };
    const char *text = t->n > 0 ? "" : "none";
    for (int i = 0; i < t->n && i < MOST; i++)
        text = dry_net_text(net, "%s%s%s", text, i > 0 ? ", " : "", t->all[i].name);
    return t->n > MOST ? dry_net_text(net, "%s, ...", text) : text;
}

/* The index at which the numbers of a setting go; -1 if it reported a mistake. */
static int index_of(dry_net *net, const dry_net__setting *setting, const target *t) {
    int belong = 0;
    const int begin = dry_net__quantity_of(t->all, t->n, setting->of.own, &belong);
    const int at = begin + setting->first;
    if (begin < 0) {
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_SETTING(net, setting), .unknown = true,
                                       .way_out = dry_net_text(net, "it has %s", list(net, t))},
                         "there is no such %s", t->what);
        return -1;
    }
    if (setting->first < 0 || setting->first >= belong) {
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_SETTING(net, setting), .unknown = true,
                                       .way_out = dry_net_text(net, "it has %d", belong)},
                         "there is no number %d of this %s", setting->first + 1, t->what);
        return -1;
    }
    if (setting->count < 1 || at + setting->count > t->n) {
        dry_net_mistaken(net, (dry_mistake){DRY_NET__OF_SETTING(net, setting)},
                         "%d numbers are given, and from there on it has %d", setting->count,
                         t->n - at);
        return -1;
    }
    for (int i = 0; i < setting->count; i++)
        if (!isfinite(setting->values[i])) {
            dry_net_mistaken(
                net, (dry_mistake){DRY_NET__OF_SETTING(net, setting), .way_out = "give it a value"},
                "number %d is not finite", i + 1);
            return -1;
        }
    return t->first + at;
}

static void find_index(dry_net *net, dry_net__setting *setting, bool is_par) {
    dry_net__know(net, &setting->of);
    const dry_net__node *node = dry_net__part_of(net, &setting->of);
    setting->index = -1;
    if (!node)
        dry_net_mistaken(net,
                         (dry_mistake){DRY_NET__OF_SETTING(net, setting), .unknown = true,
                                       .way_out = "correct the name, or add the part"},
                         "there is no such part");
    if (!node || node->broken) return;
    const dry_part *part = node->part;
    const target par = {"parameter", part->params, part->n_par, node->par};
    const target state = {"state", part->states, part->states ? part->n_states : 0, node->x};
    if (!is_par && part->gathers &&
        part->gathers->n_latched > 0) { /* its other states are counted by those */
        dry_net_mistaken(
            net, (dry_mistake){DRY_NET__OF_SETTING(net, setting), .way_out = "leave it out"},
            "%s %s chooses the start of its states itself", dry_net__article(part->kind),
            part->kind);
        return;
    }
    setting->side = part->side;
    setting->index = index_of(net, setting, is_par ? &par : &state);
}

static void apply_settings(dry_net *net) {
    for (dry_net__setting *s = net->asked.first_par; s; s = s->next) {
        find_index(net, s, true);
        for (int i = 0; s->index >= 0 && i < s->count; i++) net->par[s->index + i] = s->values[i];
    }
    for (dry_net__setting *s = net->asked.first_start; s; s = s->next) find_index(net, s, false);
    for (int i = 0; i < net->system.n_par; i++)
        if (!isfinite(net->par[i]))
            dry_net_mistaken(net,
                             (dry_mistake){DRY_NET__OF_MEMBER(dry_net_part_of_par(net, i),
                                                              net->system.params[i].name),
                                           .way_out = "give it a value"},
                             "the parameter is not finite");
}

/* ---- outputs ----------------------------------------------------------- */

/* A motion that has the name of a state is not an output again. */
static bool is_state(const dry_part *part, const dry_port *port, const char *field) {
    int count;
    return *port->name == '\0' &&
           dry_net__quantity_of(part->states, part->n_states, field, &count) >= 0;
}

/* Writes to `to`, if it is not NULL, the fields of a node's ports that become outputs; returns how
 * many. */
typedef int copy_fn(const dry_net__node *node, dry_net__copy *to);

static dry_net__copy copy_of(const dry_net__node *node, const dry_port *port,
                             const dry_net__field *field, int from) {
    return (dry_net__copy){node, port, field->name, field->unit, from + field->first, field->count};
}

static int copy_forces(const dry_net__node *node, dry_net__copy *to) {
    dry_net__field fields[DRY_NET__MOST_FIELDS];
    int n = 0, from = node->force;
    for (int k = 0; k < node->part->n_ports; k++) {
        const dry_port *port = &node->part->ports[k];
        const int count = dry_net__force_fields(port, fields);
        for (int f = 0; f < count; f++, n++)
            if (to) to[n] = copy_of(node, port, &fields[f], from);
        from += dry_port_force(port);
    }
    return n;
}

static int copy_motions(const dry_net__node *node, dry_net__copy *to) {
    dry_net__field fields[DRY_NET__MOST_FIELDS];
    int n = 0, from = node->motion;
    for (int k = 0; node->part->motion && k < node->part->n_ports; k++) {
        const dry_port *port = &node->part->ports[k];
        const int count = dry_net__motion_fields(port, fields);
        for (int f = 0; f < count; f++) {
            if (is_state(node->part, port, fields[f].name)) continue;
            if (to) to[n] = copy_of(node, port, &fields[f], from);
            n++;
        }
        from += dry_port_motion(port);
    }
    return n;
}

static dry_net__copy *collect(dry_net *net, dry_net__node *const *nodes, int count, copy_fn *copy,
                              int *n) {
    *n = 0;
    for (int i = 0; i < count; i++) *n += copy(nodes[i], NULL);
    dry_net__copy *copies = dry_net__take(net, (size_t)*n, sizeof *copies), *to = copies;
    for (int i = 0; copies && i < count; i++) to += copy(nodes[i], to);
    for (int i = 0; copies && i < *n; i++) net->system.n_outputs += copies[i].count;
    return copies;
}

/* Counts the outputs: forces of parts that do not gather, motions that are not states, the parts'
 * own outputs, the account. */
static void count_outputs(dry_net *net) {
    net->columns.force_copies = collect(net, net->wiring.impedance, net->wiring.n_single,
                                        copy_forces, &net->columns.n_force_copies);
    net->columns.motion_copies = collect(net, net->wiring.admittance, net->wiring.n_admittance,
                                         copy_motions, &net->columns.n_motion_copies);
    for (int i = 0; i < net->asked.n_nodes; i++) {
        const dry_part *part = net->wiring.nodes[i]->part;
        net->wiring.nodes[i]->output = net->system.n_outputs;
        if (part->outputs) net->system.n_outputs += part->outputs->count;
    }
    net->columns.account_outputs = net->system.n_outputs;
    for (int i = 0; net->asked.account && i < net->asked.n_nodes; i++) {
        net->wiring.nodes[i]->energies = net->system.n_outputs;
        net->system.n_outputs += dry_net__energies(net->wiring.nodes[i]);
    }
}

/* Names the numbers of a field: "arm.tip.v[1]". */
static dry_quantity *name_copies(dry_net *net, const dry_net__copy *copies, int n,
                                 dry_quantity *to) {
    for (int c = 0; c < n; c++) {
        const dry_net__copy *copy = &copies[c];
        const char *name = dry_net_text(net, "%s.%s%s%s", copy->node->name, copy->port->name,
                                        *copy->port->name ? "." : "", copy->name);
        for (int i = 0; i < copy->count; i++)
            *to++ = (dry_quantity){
                copy->count > 1 ? dry_net_text(net, "%s[%d]", name, i + 1) : name, copy->unit};
    }
    return to;
}

static void name_outputs(dry_net *net) {
    dry_quantity *outputs = dry_net__take(net, (size_t)net->system.n_outputs, sizeof *outputs);
    if (!outputs) return;
    dry_quantity *next =
        name_copies(net, net->columns.force_copies, net->columns.n_force_copies, outputs);
    name_copies(net, net->columns.motion_copies, net->columns.n_motion_copies, next);
    for (int i = 0; i < net->asked.n_nodes; i++) {
        const dry_net__node *node = net->wiring.nodes[i];
        const dry_part_outputs *own = node->part->outputs;
        if (own) name_quantities(net, node, own->names, own->count, outputs + node->output);
    }
    if (net->asked.account) dry_net__account_names(net, outputs + net->columns.account_outputs);
    net->system.outputs = outputs;
}

/* Lists the parts that have phases. */
static void name_elements(dry_net *net) {
    const char **names = dry_net__take(net, (size_t)net->system.n_elements, sizeof *names);
    net->system.elements = names;
    for (int i = 0; names && i < net->asked.n_nodes; i++)
        if (net->wiring.nodes[i]->part->phase) *names++ = net->wiring.nodes[i]->name;
}

/* ---- the system -------------------------------------------------------- */

static void complete(dry_net *net, const char *name) {
    dry_system *system = &net->system;
    system->name = dry_net_text(net, "%s", name);
    system->model = net;
    system->work_size = dry_net__work_size(net);
    system->start = dry_net__start_state;
    system->rate = dry_net__rate;
    system->prepare = dry_net__prepare;
    system->march = dry_net__march;
    if (system->n_outputs > 0) system->output = dry_net__output;
    if (system->n_kinks > 0) system->kinks = dry_net__kinks;
    if (system->n_breaks > 0) system->breaks = dry_net__breaks;
    if (net->loops.body_has_latch || net->loops.law_has_latch) system->latch = dry_net__latch;
    if (net->loops.has_holds) system->holds = dry_net__holds;
    if (net->sizes.n_watches > 0) system->watch = dry_net__watch;
    if (net->loops.has_fastest) system->fastest = dry_net__fastest;
    if (system->n_elements > 0) system->phases = dry_net__phases;
}

void dry_net__lay_out(dry_net *net, const char *name) {
    lay_out_nodes(net);
    fill_nodes(net);
    if (net->full) return;
    apply_settings(net);
    if (net->mistakes.count > 0) return;
    if (net->system.n_states == 0)
        dry_net_mistaken(net, (dry_mistake){0},
                         "no part has a state: there is nothing to integrate");
    count_outputs(net);
    if (net->full) return;
    name_outputs(net);
    name_elements(net);
    complete(net, name);
    dry_net__pack(net);
}
