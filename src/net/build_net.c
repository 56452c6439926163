/* build_net: stores what the caller adds, then makes a system of all of it at once. */
#include "net_private.h"
#include <math.h>

/* ---- the net ----------------------------------------------------------- */

dry_net *dry_net_new(void) {
    dry_arena *arena = dry_arena_new(0);
    if (!arena) return NULL;
    dry_net *net = dry_arena_take(arena, sizeof *net);
    if (net)
        net->arena = arena;
    else
        dry_arena_free(arena);
    return net;
}

void dry_net_free(dry_net *net) {
    if (!net) return;
    dry_team_end(net->team);
    dry_arena_free(net->asked.wires);
    dry_arena_free(net->arena);
}

bool dry_net_failed(const dry_net *net) { return net->full || dry_arena_failed(net->arena); }

dry_arena *dry_net_arena(dry_net *net) { return net->arena; }

static const char *copy_text(dry_net *net, const char *text) {
    return text ? dry_net_text(net, "%s", text) : NULL;
}

/* Memory that is needed only until the net is built. */
static void *take_wire(dry_net *net, size_t size) {
    if (!net->asked.wires) net->asked.wires = dry_arena_new(0);
    void *piece = net->asked.wires ? dry_arena_take(net->asked.wires, size) : NULL;
    if (!piece) net->full = true;
    return piece;
}

static const char *wire_text(dry_net *net, const char *text) {
    char *copy = text ? take_wire(net, strlen(text) + 1) : NULL;
    return copy ? strcpy(copy, text) : NULL;
}

static void drop_wires(dry_net *net) {
    dry_arena_free(net->asked.wires);
    net->asked.wires = NULL;
    net->asked.first_wire = net->asked.last_wire = NULL;
}

static bool is_fixed(dry_net *net, const char *what) {
    if (net->built)
        dry_net_mistaken(net,
                         (dry_mistake){.name = what, .way_out = "say it before dry_net_system"},
                         "the net is a system already");
    return net->built;
}

int dry_net_add(dry_net *net, const char *name, const dry_part *part) {
    if (is_fixed(net, name)) return -1;
    if (!part) {
        dry_net_mistaken(net, (dry_mistake){.name = name},
                         "there is no part to add: it could not be made");
        return -1;
    }
    dry_net__node *node = dry_net__take(net, 1, sizeof *node);
    if (!node) return -1;
    node->name = copy_text(net, name);
    node->part = part;
    node->gathers = part->gathers && part->gathers->gather;
    return !net->full && dry_net__list_node(net, node) ? node->index : -1;
}

/* A part that is there, or none. */
static int part_of(const dry_net *net, dry_member member) {
    return member.part >= 0 && member.part < net->asked.n_nodes ? member.part : -1;
}

/* What a caller gave by index. `own` is a copy of member.name. */
static dry_net__named named_by(const dry_net *net, dry_member member, const char *own) {
    const int part = part_of(net, member);
    return (dry_net__named){.name = part < 0 ? own : NULL, .part = part, .own = own};
}

static const char *own_name(dry_member member) { return member.name ? member.name : ""; }

/* NULL: without memory, or too late. */
static dry_net__setting *make_setting(dry_net *net, dry_net__named of, const double *values,
                                      int count) {
    if (is_fixed(net, of.name)) return NULL;
    dry_net__setting *setting = dry_net__take(net, 1, sizeof *setting);
    double *copy = dry_net__take(net, (size_t)(count > 0 ? count : 1), sizeof *copy);
    if (!setting || !copy) return NULL;
    for (int i = 0; i < count; i++) copy[i] = values[i];
    of.name = copy_text(net, of.name);
    of.own = copy_text(net, of.own);
    *setting = (dry_net__setting){.of = of, .values = copy, .count = count};
    return setting;
}

void dry_net_set(dry_net *net, const char *parameter, const double *values, int count) {
    const dry_net__named of = {.name = parameter, .part = -1};
    dry_net__setting *new = make_setting(net, of, values, count);
    if (!new) return;
    new->about = DRY_ABOUT_SETTING;
    new->number = net->asked.n_pars++;
    *(net->asked.last_par ? &net->asked.last_par->next : &net->asked.first_par) = new;
    net->asked.last_par = new;
}

static void add_start(dry_net *net, dry_net__named of, int first, const double *values, int count) {
    dry_net__setting *new = make_setting(net, of, values, count);
    if (!new) return;
    new->first = first;
    new->about = DRY_ABOUT_START;
    new->number = net->asked.n_starts++;
    *(net->asked.last_start ? &net->asked.last_start->next : &net->asked.first_start) = new;
    net->asked.last_start = new;
}

void dry_net_start(dry_net *net, const char *state, const double *values, int count) {
    add_start(net, (dry_net__named){.name = state, .part = -1}, 0, values, count);
}

void dry_net_start_member(dry_net *net, dry_member state, int first, const double *values,
                          int count) {
    add_start(net, named_by(net, state, own_name(state)), first, values, count);
}

void dry_net_gravity(dry_net *net, double x, double y, double z) {
    if (is_fixed(net, "gravity")) return;
    const double gravity[3] = {x, y, z};
    memcpy(net->asked.gravity, gravity, sizeof gravity);
    for (int i = 0; i < 3; i++)
        if (!isfinite(gravity[i]))
            dry_net_mistaken(net, (dry_mistake){.name = "gravity"},
                             "component %d is not a finite number", i + 1);
}

/* What a wire names, copied to the memory of the wires. */
static dry_net__named by_name(dry_net *net, const char *name) {
    return (dry_net__named){.name = wire_text(net, name), .part = -1};
}

static dry_net__named by_member(dry_net *net, dry_member member) {
    return named_by(net, member, wire_text(net, own_name(member)));
}

static dry_net__named end_of(dry_net *net, const dry_end *end) {
    if (end->port && end->member)
        dry_net_mistaken(net, (dry_mistake){.name = end->port, .way_out = "leave one of them NULL"},
                         "an end is given twice, by its name and by the index of its part");
    return end->member ? by_member(net, *end->member) : by_name(net, end->port);
}

static int add_wire(dry_net *net, dry_net__named of, const dry_end *a, const dry_end *b) {
    dry_net__wire *wire = take_wire(net, sizeof *wire);
    if (!wire) return -1;
    *wire = (dry_net__wire){.number = net->asked.n_wires++, .of = of, .a = *a, .b = *b};
    wire->on_a = end_of(net, a);
    wire->on_b = end_of(net, b);
    *(net->asked.last_wire ? &net->asked.last_wire->next : &net->asked.first_wire) = wire;
    net->asked.last_wire = wire;
    return wire->number;
}

int dry_net_connect(dry_net *net, const char *port, dry_end a, dry_end b) {
    return is_fixed(net, port) ? -1 : add_wire(net, by_name(net, port), &a, &b);
}

int dry_net_connect_member(dry_net *net, dry_member port, dry_end a, dry_end b) {
    return is_fixed(net, own_name(port)) ? -1 : add_wire(net, by_member(net, port), &a, &b);
}

/* ---- the system -------------------------------------------------------- */

static void build(dry_net *net, const dry_net_options *options) {
    const dry_net_options standard = {0};
    if (!options) options = &standard;
    net->built = true;
    net->asked.account = options->account;
    if (net->asked.n_nodes == 0)
        dry_net_mistaken(net, (dry_mistake){.way_out = "add one"}, "the net has no parts");
    dry_net__check_names(net);
    if (!net->full) dry_net__connect(net);
    drop_wires(net);
    if (!net->full) dry_net__lay_out(net, options->name ? options->name : "net");
    if (!net->full && net->mistakes.count == 0) dry_net__choose(net, options->choose);
    const bool pays =
        net->wiring.n_admittance >= DRY_TEAM_PAYS || net->wiring.n_links >= DRY_TEAM_PAYS;
    if (pays && !net->full && net->mistakes.count == 0)
        net->team = dry_team_new(net->arena, options->threads);
}

dry_status dry_net_system(dry_net *net, const dry_net_options *options, const dry_system **system,
                          dry_error *error) {
    *system = NULL;
    if (!net->built) build(net, options);
    if (dry_net_failed(net))
        return dry_error_set(error, DRY_NO_MEMORY, "out of memory for the net");
    if (net->mistakes.count > 0)
        return dry_error_set(error, DRY_BAD_MODEL, "%s", dry_net_mistake(net, 0)->text);
    *system = &net->system;
    return DRY_OK;
}

const char *dry_net_watch_text(const dry_net *net, int watch) {
    return watch >= 1 && watch <= net->sizes.n_watches ? net->columns.watches[watch - 1] : NULL;
}
