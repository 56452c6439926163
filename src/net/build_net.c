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

void dry_net_add(dry_net *net, const char *name, const dry_part *part) {
    if (is_fixed(net, name)) return;
    if (!part) {
        dry_net_mistaken(net, (dry_mistake){.name = name},
                         "there is no part to add: it could not be made");
        return;
    }
    dry_net__node *node = dry_net__take(net, 1, sizeof *node);
    if (!node) return;
    node->name = copy_text(net, name);
    node->index = net->asked.n_nodes;
    node->part = part;
    node->gathers = part->gathers && part->gathers->gather;
    *(net->asked.last_node ? &net->asked.last_node->next : &net->asked.first_node) = node;
    net->asked.last_node = node;
    net->asked.n_nodes++;
}

/* NULL: without memory, or too late. */
static dry_net__setting *make_setting(dry_net *net, const char *name, const double *values,
                                      int count) {
    if (is_fixed(net, name)) return NULL;
    dry_net__setting *setting = dry_net__take(net, 1, sizeof *setting);
    double *copy = dry_net__take(net, (size_t)(count > 0 ? count : 1), sizeof *copy);
    if (!setting || !copy) return NULL;
    for (int i = 0; i < count; i++) copy[i] = values[i];
    *setting = (dry_net__setting){.name = copy_text(net, name), .values = copy, .count = count};
    return setting;
}

void dry_net_set(dry_net *net, const char *parameter, const double *values, int count) {
    dry_net__setting *new = make_setting(net, parameter, values, count);
    if (!new) return;
    new->about = DRY_ABOUT_SETTING;
    new->number = net->asked.n_pars++;
    *(net->asked.last_par ? &net->asked.last_par->next : &net->asked.first_par) = new;
    net->asked.last_par = new;
}

void dry_net_start(dry_net *net, const char *state, const double *values, int count) {
    dry_net__setting *new = make_setting(net, state, values, count);
    if (!new) return;
    new->about = DRY_ABOUT_START;
    new->number = net->asked.n_starts++;
    *(net->asked.last_start ? &net->asked.last_start->next : &net->asked.first_start) = new;
    net->asked.last_start = new;
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

int dry_net_connect(dry_net *net, const char *port, dry_end a, dry_end b) {
    if (is_fixed(net, port)) return -1;
    dry_net__wire *wire = take_wire(net, sizeof *wire);
    if (!wire) return -1;
    *wire = (dry_net__wire){
        .number = net->asked.n_wires++, .port = wire_text(net, port), .a = a, .b = b};
    wire->a.port = wire_text(net, a.port);
    wire->b.port = wire_text(net, b.port);
    *(net->asked.last_wire ? &net->asked.last_wire->next : &net->asked.first_wire) = wire;
    net->asked.last_wire = wire;
    return wire->number;
}

/* ---- the system -------------------------------------------------------- */

static void build(dry_net *net, const dry_net_options *options) {
    const dry_net_options standard = {0};
    if (!options) options = &standard;
    net->built = true;
    net->asked.account = options->account;
    if (net->asked.n_nodes == 0)
        dry_net_mistaken(net, (dry_mistake){.way_out = "add one"}, "the net has no parts");
    dry_net__index_names(net);
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
