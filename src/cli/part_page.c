/* What a kind of part offers to connections and to expressions: its ports and its quantities, read
 * from a part that is mounted in a net just large enough for it. */
#include "table.h"

#include <drystone/design.h>
#include <stdlib.h>
#include <string.h>

#define PART "NAME" /* what the part is called */
enum { SHOWN = 0 }; /* its index in the net: it is added first */

/* A part of a kind, mounted. */
typedef struct mounted {
    const dry_kind *kind;
    dry_net *net;
    const dry_part *part;
    const dry_system *system;
} mounted;

/* ---- mounting ------------------------------------------------------------------------- */

enum { MOST_VALUES = 16, MOST_NUMBERS = 16 };

typedef struct given {
    dry_value values[MOST_VALUES];
    double numbers[MOST_VALUES][MOST_NUMBERS];
    int n;
} given;

/* A mass is needed, although a density may replace it; on a frame, a radius. */
static bool is_needed(const dry_kind_param *p, const char *on) {
    const bool on_frame = on && !strcmp(on, "frame");
    return p->required || !strcmp(p->name, "mass") || (on && !strcmp(p->name, "on")) ||
           (on_frame && !strcmp(p->name, "radius"));
}

/* The first key gets ones, the next twos, and so on: an upper end lies above a lower one. False if
 * another word than `on` is needed. */
static bool fill_keys(const dry_kind *kind, const char *on, given *g) {
    for (int i = 0; i < kind->n_params; i++) {
        const dry_kind_param *p = &kind->params[i];
        const bool is_on = on && !strcmp(p->name, "on");
        if (!is_needed(p, on)) continue;
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
    const dry_member end = {.part = dry_net_part_count(net)};
    char name[64];
    snprintf(name, sizeof name, "end_%s", port->name);
    if (port->kind != DRY_COORDINATE)
        add_body(net, name, "rigid_body", body, 3);
    else if (!strcmp(port->unit, "rad"))
        add_body(net, name, "rotor", inertia, 1);
    else
        add_body(net, name, "point_mass", mass, 2);
    dry_net_connect_member(net, (dry_member){SHOWN, port->name}, (dry_end){.member = &end},
                           (dry_end){0});
}

/* Something that moves, in case the part stands still. */
static void add_mover(dry_net *net) {
    const dry_value mass[] = {DRY_NUMBERS("mass", 1.0)};
    add_body(net, "mover", "point_mass", mass, 1);
}

static void connect_shapes(dry_net *net) {
    const dry_value ball[] = {DRY_NUMBERS("radius", 1.0), DRY_NUMBERS("mass", 1.0),
                              DRY_NUMBERS("p", 0.0, 0.0, 2.0)};
    add_body(net, "ball", "sphere", ball, 3);
    add_body(net, "ground", "plane", NULL, 0);
    dry_net_connect(net, PART, (dry_end){.port = "ball"}, (dry_end){0});
    dry_net_connect(net, PART, (dry_end){.port = "ground"}, (dry_end){0});
}

/* With the least that the keys ask for, and `on` unless it is NULL; false if the kind is not a part
 * of its own, or needs a file, or has no such `on`. To be freed in either case. */
static bool mount(mounted *s, const dry_kind *kind, const char *on) {
    given g = {0};
    dry_error error = {0};
    *s = (mounted){.kind = kind};
    if (!kind->make || !fill_keys(kind, on, &g)) return false;
    s->net = dry_net_new();
    if (!s->net) return false;
    s->part = kind->make(kind, dry_net_arena(s->net), g.values, g.n, &error);
    if (!s->part) return false;
    dry_net_add(s->net, PART, s->part);
    add_mover(s->net);
    if (s->part->gathers) connect_shapes(s->net);
    for (int i = 0; s->part->side == DRY_IMPEDANCE && i < s->part->n_ports; i++)
        connect_port(s->net, &s->part->ports[i]);
    const dry_net_options options = {.account = true, .choose = dry_design_net};
    return dry_net_system(s->net, &options, &s->system, &error) == DRY_OK;
}

/* ---- ports ---------------------------------------------------------------------------- */

static bool has_key(const dry_kind *kind, const char *key) {
    for (int i = 0; i < kind->n_params; i++)
        if (!strcmp(kind->params[i].name, key)) return true;
    return false;
}

static void set_unit(char cell[CLI_CELL], const char *unit) {
    snprintf(cell, CLI_CELL, "%s%s%s", unit[0] ? "[" : "", unit, unit[0] ? "]" : "");
}

/* What a port of a body is, and what that of a law is connected to. */
static const char *const of_body[] = {
    [DRY_COORDINATE] = "a coordinate",
    [DRY_FRAME] = "a frame: `at`, `axes` and `normal` give points and axes of it"};
static const char *const of_law[] = {
    [DRY_COORDINATE] = "takes two coordinates, or one and the world",
    [DRY_LENGTH] = "takes two points, of frames or of coordinates in m",
    [DRY_SURFACE] = "takes a point, and as end b the frame whose plane of normal z it touches",
    [DRY_RELATIVE] = "takes two frames, or one and the world"};

/* What else the coordinate of a law takes. */
static const char *joint_too(const mounted *s, const dry_port *port) {
    if (s->part->side != DRY_IMPEDANCE || port->kind != DRY_COORDINATE || port->dim != 1) return "";
    return strcmp(port->unit, "rad") ? ", or a slider" : ", or a hinge";
}

/* Where it may have three dimensions. */
static const char *frames_too(const mounted *s, const dry_port *port) {
    const dry_law *of = dry_part_law(s->part);
    if (of && of->spins) return "";
    const bool law = s->part->side == DRY_IMPEDANCE && port->kind == DRY_COORDINATE;
    return law && has_key(s->kind, "dim") ? "; with dim = 3 points of frames, too" : "";
}

static bool fill_port(const void *about, int index, cli_row cells) {
    const mounted *s = about;
    const bool is_body = s->part->side == DRY_ADMITTANCE;
    if (s->part->gathers) {
        cli_set(cells[0], PART);
        cli_set(cells[2], "takes frames with shapes, one at a time, two at least");
        return index == 0;
    }
    if (index >= s->part->n_ports) return false;
    const dry_port *port = &s->part->ports[index];
    snprintf(cells[0], CLI_CELL, "%s%s%s", PART, port->name[0] ? "." : "", port->name);
    set_unit(cells[1], port->kind == DRY_COORDINATE ? port->unit : "");
    snprintf(cells[2], CLI_CELL, "%s%s%s", (is_body ? of_body : of_law)[port->kind],
             joint_too(s, port), frames_too(s, port));
    return true;
}

/* ---- what quantities mean -------------------------------------------------------------- */

typedef struct word {
    const char *name, *meaning;
} word;

enum { MOST_WORDS = 6 };
static const word of_port[][MOST_WORDS] = {
    [DRY_COORDINATE] = {{"p", "where end a is, less where end b is"},
                        {"v", "its rate"},
                        {"f", "on end a, and reversed on end b"}},
    [DRY_LENGTH] = {{"l", "distance of the ends"},
                    {"l_dot", "its rate"},
                    {"f", "positive where it pushes the ends apart"}},
    [DRY_SURFACE] = {{"psi", "gap"},
                     {"psi_dot", "its rate"},
                     {"v", "sliding velocity, in the axes of the plane"},
                     {"N", "on the point, along the normal"},
                     {"f", "friction on the point, in the axes of the plane"}},
    [DRY_RELATIVE] = {{"d", "end a seen from end b, in its axes, as all that follows"},
                      {"phi", "its rotation, axis times angle"},
                      {"v", "its velocity"},
                      {"omega", "its angular velocity"},
                      {"f", "on end a"},
                      {"m", "on end a"}},
};
static const word of_all[MOST_WORDS] = {
    {"work", "energy that has flowed into it; negative: that it has given"},
    {"kinetic", "energy of its motion"},
    {"potential", "energy in the gravity of the model"},
    {"stored", "elastic energy"},
};

static const char *look_up(const word words[MOST_WORDS], const char *name) {
    for (int i = 0; i < MOST_WORDS && words[i].name; i++)
        if (!strcmp(words[i].name, name)) return words[i].meaning;
    return NULL;
}

static const char *meaning_of(const dry_part *part, const char *name) {
    const char *meaning = look_up(of_all, name);
    for (int i = 0; !meaning && part->side == DRY_IMPEDANCE && i < part->n_ports; i++)
        if (part->ports[i].kind != DRY_FRAME) meaning = look_up(of_port[part->ports[i].kind], name);
    return meaning ? meaning : "";
}

/* ---- quantities ------------------------------------------------------------------------ */

enum { MOST_QUANTITIES = 200 };

typedef struct quantity {
    char name[CLI_CELL / 2]; /* after that of the part, without an index */
    const char *unit;
    int count;
    bool late; /* computed after the rates, which cannot use it */
} quantity;

typedef struct quantities {
    const dry_part *part;
    quantity all[MOST_QUANTITIES];
    int n;
} quantities;

static quantity *find(quantities *q, const char *name, size_t length) {
    for (int i = 0; i < q->n; i++)
        if (strlen(q->all[i].name) == length && !strncmp(q->all[i].name, name, length))
            return &q->all[i];
    return NULL;
}

static quantity *add(quantities *q, const char *name, size_t length, const char *unit) {
    if (q->n == MOST_QUANTITIES) return NULL;
    quantity *to = &q->all[q->n++];
    *to = (quantity){.unit = unit};
    snprintf(to->name, sizeof to->name, "%.*s", (int)length, name);
    return to;
}

static void collect(void *user, const dry_net_quantity *from) {
    quantities *q = user;
    const size_t length = (size_t)from->length;
    if (from->is_inner) return;
    quantity *to = find(q, from->name, length);
    if (!to) to = add(q, from->name, length, from->unit);
    if (!to) return;
    to->count = from->count > to->count ? from->count : to->count;
    to->late = from->where == DRY_IN_OUTPUT;
}

/* What the ports of a law feel is in no record, but in expressions. */
static void collect_felt(quantities *q, const mounted *s, const dry_port *port) {
    for (int i = 0; i < MOST_WORDS && of_port[port->kind][i].name; i++) {
        char own[CLI_CELL];
        dry_net_found spot;
        snprintf(own, sizeof own, "%s%s%s", port->name, port->name[0] ? "." : "",
                 of_port[port->kind][i].name);
        if (find(q, own, strlen(own)) || !dry_net_find_in(s->net, SHOWN, own, &spot)) continue;
        quantity *to = add(q, own, strlen(own), spot.unit);
        if (to) to->count = spot.count;
    }
}

static void collect_all(quantities *q, const mounted *s) {
    q->part = s->part;
    for (int i = 0; s->part->side == DRY_IMPEDANCE && i < s->part->n_ports; i++)
        collect_felt(q, s, &s->part->ports[i]);
    dry_net_each_quantity(s->net, SHOWN, collect, q);
}

static bool fill_quantity(const void *about, int index, cli_row cells) {
    const quantities *q = about;
    if (index >= q->n) return false;
    const quantity *of = &q->all[index];
    const char *dot = strrchr(of->name, '.');
    snprintf(cells[0], CLI_CELL, of->count > 1 ? "%s.%s[1..%d]" : "%s.%s", PART, of->name,
             of->count);
    set_unit(cells[1], of->unit);
    cli_set(cells[2], meaning_of(q->part, dot ? dot + 1 : of->name));
    if (of->late) {
        const size_t n = strlen(cells[2]);
        snprintf(cells[2] + n, CLI_CELL - n, "%s(not in rates)", n ? " " : "");
    }
    return true;
}

/* ---- the page ---------------------------------------------------------------------------- */

/* "ports, on = length, dim = 1" */
static void print_section(const char *what, const dry_kind *kind, const char *on, const void *about,
                          cli_fill *fill) {
    char title[CLI_CELL];
    snprintf(title, sizeof title, "%s%s%s%s", what, on ? ", on = " : "", on ? on : "",
             has_key(kind, "dim") && (!on || !strcmp(on, "coordinate")) ? ", dim = 1" : "");
    cli_section(title, about, fill);
}

static void print_offers(const dry_kind *kind, const char *on) {
    mounted s;
    if (mount(&s, kind, on)) {
        quantities q = {0};
        collect_all(&q, &s);
        print_section("ports", kind, on, &s, fill_port);
        print_section("quantities", kind, on, &q, fill_quantity);
    }
    dry_net_free(s.net);
}

void cli_print_offers(const dry_kind *kind) {
    static const char *const ways[] = {"coordinate", "length", "surface", "frame"};
    if (kind->build)
        puts("ports and quantities\n"
             "    as its file names them: those of an arm (`drystone parts arm`), with its joints "
             "and\n"
             "    links in place of joint1 and link1; NAME_joints.JOINT has f, v, a, e_lower, "
             "e_upper");
    if (!has_key(kind, "on")) print_offers(kind, NULL);
    for (int i = 0; has_key(kind, "on") && i < 4; i++) print_offers(kind, ways[i]);
}
