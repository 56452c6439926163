/* Makes a part of a kind, and what it has to be connected to. */
#include "specimen.h"

#include <drystone/design.h>

#include <string.h>

enum { MOST_VALUES = 16, MOST_NUMBERS = 16 };

typedef struct given {
    dry_value values[MOST_VALUES];
    double numbers[MOST_VALUES][MOST_NUMBERS];
    int n;
} given;

/* A mass is wanted also where a density may stand in its place. */
static bool is_wanted(const dry_kind_param *p, const char *on) {
    return p->required || !strcmp(p->name, "mass") || (on && !strcmp(p->name, "on"));
}

/* The first key gets ones, the next twos, and so on: an upper end lies above a lower one. False
 * where another word than `on` is needed. */
static bool give(const dry_kind *kind, const char *on, given *g) {
    for (int i = 0; i < kind->n_params; i++) {
        const dry_kind_param *p = &kind->params[i];
        const bool is_on = on && !strcmp(p->name, "on");
        if (!is_wanted(p, on)) continue;
        if (g->n == MOST_VALUES || p->least > MOST_NUMBERS || (!p->unit && !is_on)) return false;
        double *numbers = g->numbers[g->n];
        for (int k = 0; k < p->least; k++) numbers[k] = g->n + 1;
        g->values[g->n++] = (dry_value){.key = p->name,
                                        .word = is_on ? on : NULL,
                                        .numbers = is_on ? NULL : numbers,
                                        .count = is_on ? 0 : p->least};
    }
    return true;
}

static void add_body(dry_net *net, const char *name, const char *kind, const dry_value *values,
                     int count) {
    dry_net_make(net, name, dry_part_kind_find(kind), values, count);
}

/* Where a port of a law finds its end a; end b is the world. */
static void connect_port(dry_net *net, const dry_port *port) {
    const double dim = port->dim;
    const dry_value mass[] = {DRY_NUMBERS("mass", 1.0), {"dim", NULL, &dim, 1, 0, 0}};
    const dry_value inertia[] = {DRY_NUMBERS("inertia", 1.0)};
    const dry_value body[] = {DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", 1.0),
                              DRY_NUMBERS("p", 0.0, 0.0, 1.0)};
    char name[64], end[64];
    snprintf(end, sizeof end, "end_%s", port->name);
    snprintf(name, sizeof name, "%s%s%s", CLI_SPECIMEN, port->name[0] ? "." : "", port->name);
    if (port->kind != DRY_COORDINATE)
        add_body(net, end, "rigid_body", body, 3);
    else if (!strcmp(port->unit, "rad"))
        add_body(net, end, "rotor", inertia, 1);
    else
        add_body(net, end, "point_mass", mass, 2);
    dry_net_connect(net, name, (dry_end){.port = end}, (dry_end){0});
}

/* Something that moves, where the part may stand still. */
static void add_mover(dry_net *net) {
    const dry_value mass[] = {DRY_NUMBERS("mass", 1.0)};
    add_body(net, "mover", "point_mass", mass, 1);
}

static void connect_shapes(dry_net *net) {
    const dry_value ball[] = {DRY_NUMBERS("radius", 1.0), DRY_NUMBERS("mass", 1.0),
                              DRY_NUMBERS("p", 0.0, 0.0, 2.0)};
    add_body(net, "ball", "sphere", ball, 3);
    add_body(net, "ground", "plane", NULL, 0);
    dry_net_connect(net, CLI_SPECIMEN, (dry_end){.port = "ball"}, (dry_end){0});
    dry_net_connect(net, CLI_SPECIMEN, (dry_end){.port = "ground"}, (dry_end){0});
}

bool cli_specimen_make(cli_specimen *s, const dry_kind *kind, const char *on) {
    given g = {0};
    dry_error error = {0};
    *s = (cli_specimen){.kind = kind};
    if (!kind->make || !give(kind, on, &g)) return false;
    s->net = dry_net_new();
    if (!s->net) return false;
    s->part = kind->make(kind, dry_net_arena(s->net), g.values, g.n, &error);
    if (!s->part) return false;
    dry_net_add(s->net, CLI_SPECIMEN, s->part);
    add_mover(s->net);
    if (s->part->gathers) connect_shapes(s->net);
    for (int i = 0; s->part->side == DRY_IMPEDANCE && i < s->part->n_ports; i++)
        connect_port(s->net, &s->part->ports[i]);
    return dry_net_system(s->net, &(dry_net_options){.account = true, .choose = dry_design_net},
                          &s->system, &error) == DRY_OK;
}

void cli_specimen_free(cli_specimen *s) { dry_net_free(s->net); }
