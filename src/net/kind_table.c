/* The table of kinds: those of this room, and one for every law of the catalogue; those that act on
 * a coordinate appear a second time for coordinates in rad. */
#define _POSIX_C_SOURCE 200809L
#include "net_private.h"
#if !defined(__STDC_NO_ATOMICS__)
#include <pthread.h>
#endif

#define ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))
#define NUMBER(name, unit, range, standard, meaning)                                               \
    { name, unit, 1, 1, false, range, standard, meaning }
#define NEEDED(name, unit, range, meaning)                                                         \
    { name, unit, 1, 1, true, range, 0.0, meaning }
#define NUMBERS(least, name, unit, meaning)                                                        \
    { name, unit, least, 3, false, DRY_ANY, 0.0, meaning }
#define VECTOR(name, unit, meaning) NUMBERS(1, name, unit, meaning)
#define OPEN -1.0 /* the part chooses it */
#define DIM NUMBER("dim", "", DRY_AT_LEAST_ONE, 1.0, "dimensions, 1 to 3")
#define ON                                                                                         \
    { "on", NULL, 1, 1, false, DRY_ANY, 0.0, "what it acts on: coordinate, or length" }

/* ---- this room's ------------------------------------------------------- */

static const dry_kind_param point_mass[] = {
    NEEDED("mass", "kg", DRY_POSITIVE, "mass"),
    VECTOR("p", "m", "position at the start"),
    VECTOR("v", "m/s", "velocity at the start"),
    NUMBER("dim", "", DRY_NONNEGATIVE, 0.0, "dimensions, 1 to 3; 0: as many as p or v have"),
};
static const dry_kind_param rotor[] = {
    NEEDED("inertia", "kg m^2", DRY_POSITIVE, "moment of inertia"),
    NUMBER("p", "rad", DRY_ANY, 0.0, "angle at the start"),
    NUMBER("v", "rad/s", DRY_ANY, 0.0, "angular velocity at the start"),
};
#define MOVING(least)                                                                              \
    NUMBERS(least, "p", "m", "position at t = 0"),                                                 \
        NUMBERS(least, "v", "m/s", "velocity at t = 0"),                                           \
        NUMBERS(least, "a", "m/s^2", "acceleration"),                                              \
        NUMBERS(least, "amplitude", "m", "of the oscillation"),                                    \
        NUMBER("w", "rad/s", DRY_ANY, 0.0, "angular frequency of the oscillation"),                \
        NUMBER("phase", "rad", DRY_ANY, 0.0, "phase of the oscillation at t = 0")
static const dry_kind_param motion[] = {MOVING(1), DIM};
static const dry_kind_param moving_frame[] = {
    MOVING(3),
    NUMBERS(3, "omega", "rad/s", "angular velocity, in the axes of the world"),
    {"q", "", 4, 4, false, DRY_ANY, 0.0,
     "orientation at t = 0, a quaternion w, x, y, z of length 1"},
};
static const dry_kind_param spring[] = {
    NUMBER("K", "N/m", DRY_ANY, 0.0, "stiffness"),
    NUMBER("K3", "N/m^3", DRY_ANY, 0.0, "stiffness of the cubic part"),
    NUMBER("exponent", "", DRY_POSITIVE, 1.0, "of the stretch in the force"),
    NUMBER("scale", "m", DRY_POSITIVE, 1.0, "stretch at which every exponent gives K"),
    VECTOR("rest", "m", "where it is at rest"),
    {"at", "m", 2, 64, false, DRY_ANY, 0.0, "places of a table, rising"},
    {"force", "N", 2, 64, false, DRY_ANY, 0.0, "forces at these places, which push back"},
    DIM,
    ON,
};
static const dry_kind_param damper[] = {
    NEEDED("D", "N s/m", DRY_ANY, "damping"),
    DIM,
    ON,
};
static const dry_kind_param backlash[] = {
    NEEDED("K", "N/m", DRY_POSITIVE, "stiffness beyond the gap"),
    NUMBER("D", "N s/m", DRY_NONNEGATIVE, 0.0,
           "damping of slow motion beyond the gap, K (beta - alpha): alpha = D/K, beta = 2 D/K"),
    NEEDED("gap", "m", DRY_NONNEGATIVE, "width in which nothing acts"),
    NUMBER("rest", "m", DRY_ANY, 0.0, "the middle of the gap"),
    NUMBER("alpha", "s", DRY_POSITIVE, OPEN, "relaxation time at a flank, in the place of D"),
    NUMBER("beta", "s", DRY_POSITIVE, OPEN, "relaxation time between the flanks"),
    ON,
};
static const dry_kind_param stop[] = {
    NEEDED("lower", "m", DRY_ANY, "lower end of the way"),
    NEEDED("upper", "m", DRY_ANY, "upper end of the way"),
    NUMBER("K", "N/m", DRY_POSITIVE, OPEN, "stiffness"),
    NUMBER("alpha", "s", DRY_POSITIVE, OPEN,
           "relaxation time in contact; beta: nothing is lost in an impact, less: it bounces less"),
    NUMBER("beta", "s", DRY_POSITIVE, OPEN, "relaxation time out of contact"),
    NUMBER("restitution", "", DRY_NONNEGATIVE, OPEN,
           "speed after an impact by that before it, up to 1, in the place of alpha and beta; 0.3 "
           "where neither is given"),
    ON,
};
static const dry_kind_param motor[] = {
    VECTOR("force", "N", "constant part"),
    VECTOR("amplitude", "N", "amplitude of the sine"),
    NUMBER("w", "rad/s", DRY_ANY, 0.0, "angular frequency of the sine"),
    NUMBER("phase", "rad", DRY_ANY, 0.0, "phase of the sine at t = 0"),
    NUMBER("from", "s", DRY_ANY, -1e30, "when it is switched on"),
    NUMBER("until", "s", DRY_ANY, 1e30, "when it is switched off"),
    DIM,
    ON,
};

#define KIND(name, title, meaning)                                                                 \
    { #name, title, meaning, name, ROWS(name), dry_net__make_##name, NULL, NULL }
static const dry_kind alone[] = {
    KIND(point_mass, "Point mass", "moves by p_dot = v, mass v_dot = f + mass g; one port"),
    KIND(rotor, "Rotor", "turns by p_dot = v, inertia v_dot = f; one port, in rad"),
    {"moving_frame", "Prescribed frame",
     "moves as it is told: p + v t + a t^2/2 + amplitude sin(w t + phase), turned by omega t; it "
     "has no shape that could touch",
     moving_frame, ROWS(moving_frame), dry_net__make_motion, NULL, NULL},
};
/* These have twins. */
static const dry_kind twofold[] = {
    KIND(motion, "Prescribed motion",
         "moves as it is told: p + v t + a t^2/2 + amplitude sin(w t + phase)"),
    KIND(spring, "Spring",
         "f = -(K s |s/scale|^(exponent - 1) + K3 |s|^2 s), s = p - rest; or by a table"),
    KIND(damper, "Damper", "f = -D v"),
    KIND(backlash, "Backlash",
         "a gap in which nothing acts; state e. Beyond it the flanks press, with a force that "
         "rises from\nzero at touch and falls to zero at release, as that of a contact does."),
    KIND(stop, "Hard stops",
         "the way ends at lower and at upper; states e[1], e[2].\n"
         "What is not given of K, alpha and beta follows from restitution, from the mass that "
         "meets\n"
         "the stop at the start and from the step of the run, in 12 of which an impact passes."),
    KIND(motor, "Motor", "f = force + amplitude sin(w t + phase), while it is switched on"),
};

/* ---- the whole table --------------------------------------------------- */

enum { MOST_LAWS = 30, MOST_KINDS = 80, MOST_ROWS = 800, MOST_NAME = 40 };

static struct {
    dry_kind kinds[MOST_KINDS];
    dry_kind_param rows[MOST_ROWS];
    dry_net__law_data laws[MOST_LAWS];
    char names[MOST_KINDS][MOST_NAME];
    int n_kinds, n_rows, n_laws, n_names;
} table;

static void add_row(dry_kind *kind, dry_kind_param row) {
    DRY_ASSERT(table.n_rows < MOST_ROWS);
    table.rows[table.n_rows++] = row;
    kind->n_params++;
}

static dry_kind *add_kind(dry_kind kind) {
    DRY_ASSERT(table.n_kinds < MOST_KINDS);
    kind.params = table.rows + table.n_rows;
    kind.n_params = 0;
    table.kinds[table.n_kinds] = kind;
    return &table.kinds[table.n_kinds++];
}

static dry_kind_param row_of_law(const dry_law_param *param) {
    const int most = param->form == DRY_LIST ? 100 : 1;
    return (dry_kind_param){param->name,     param->unit,   1, most, false, param->range,
                            param->standard, param->meaning};
}

/* What a contact, or a friction in several dimensions, takes besides the law's own. */
static void add_place(dry_kind *kind, const dry_law *law) {
    static const dry_kind_param dim = DIM, on = ON;
    static const dry_kind_param offset =
        NUMBER("offset", "m", DRY_ANY, 0.0, "where the gap is closed");
    static const dry_kind_param on_any = {
        "on", NULL, 1, 1, false, DRY_ANY, 0.0, "what it acts on: coordinate, length, or surface"};
    if (law->kind == DRY_FRICTION && law->max_dim > 1) add_row(kind, dim);
    if (law->kind != DRY_FRICTION) add_row(kind, offset);
    if (law->kind != DRY_FRICTIONAL_CONTACT) add_row(kind, law->kind == DRY_CONTACT ? on_any : on);
}

static void add_law(const dry_law *law) {
    dry_net__law_data *data = &table.laws[table.n_laws++];
    DRY_ASSERT(table.n_laws <= MOST_LAWS);
    dry_net__law_fill(data, law);
    dry_kind *kind = add_kind((dry_kind){.name = law->part ? law->part : law->name,
                                         .title = law->title,
                                         .meaning = law->equation,
                                         .make = dry_net__make_law,
                                         .data = data});
    for (int i = 0; i < law->n_params; i++) add_row(kind, row_of_law(&law->params[i]));
    add_place(kind, law);
}

/* The same in rad: of one dimension, on a coordinate. */
static void add_twin(const dry_kind *from) {
    char *name = table.names[table.n_names++];
    snprintf(name, MOST_NAME, "rotary_%s", from->name);
    dry_kind head = *from;
    head.name = name;
    dry_kind *kind = add_kind(head);
    for (int i = 0; i < from->n_params; i++) {
        dry_kind_param row = from->params[i];
        if (strcmp(row.name, "dim") == 0 || strcmp(row.name, "on") == 0) continue;
        row.unit = dry_net__unit(true, row.unit);
        if (row.most == 3) row.most = 1; /* a vector */
        add_row(kind, row);
    }
}

static void copy_kind(const dry_kind *from) {
    dry_kind *kind = add_kind(*from);
    for (int i = 0; i < from->n_params; i++) add_row(kind, from->params[i]);
}

static void build_table(void) {
    for (int i = 0; i < ROWS(alone); i++) copy_kind(&alone[i]);
    for (int i = 0; i < ROWS(twofold); i++) copy_kind(&twofold[i]);
    for (int i = 0; i < dry_law_count(); i++) add_law(dry_law_at(i));
    const int n = table.n_kinds;
    for (int i = ROWS(alone); i < n; i++) {
        const dry_net__law_data *data = table.kinds[i].data;
        if (!data || data->law->kind != DRY_FRICTIONAL_CONTACT) add_twin(&table.kinds[i]);
    }
}

int dry_net_kind_count(void) {
#if !defined(__STDC_NO_ATOMICS__)
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, build_table);
#else
    if (table.n_kinds == 0) build_table();
#endif
    return table.n_kinds;
}

const dry_kind *dry_net_kind_at(int index) {
    return index >= 0 && index < dry_net_kind_count() ? &table.kinds[index] : NULL;
}
