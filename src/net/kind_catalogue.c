/* kind_catalogue: the catalogue of kinds: those of this room, and one for every law of the
 * catalogue. Kinds that act on a coordinate appear a second time for coordinates in rad. */
#define _POSIX_C_SOURCE 200809L
#include "kind.h"
#if !defined(__STDC_NO_ATOMICS__)
#include <pthread.h>
#endif

#define ALONE(kind) &dry_net__##kind,
#define TWOFOLD(kind)
static const dry_kind *const alone[] = {
#include "kinds.def"
};
#undef ALONE
#undef TWOFOLD
#define ALONE(kind)
#define TWOFOLD(kind) &dry_net__##kind,
static const dry_kind *const twofold[] = {
#include "kinds.def"
};
#undef ALONE
#undef TWOFOLD

/* ---- the whole catalogue --------------------------------------------------- */

enum { MOST_LAWS = 100, MOST_KINDS = 250, MOST_ROWS = 2500, MOST_NAME = 40, MOST_MEANING = 80 };

static struct {
    dry_kind kinds[MOST_KINDS];
    dry_kind_param rows[MOST_ROWS];
    dry_net__law_data laws[MOST_LAWS];
    char names[MOST_KINDS][MOST_NAME];
    char counts[MOST_LAWS][MOST_MEANING]; /* what the number of elements of a law means */
    int n_kinds, n_rows, n_laws, n_names;
} all;

static void add_row(dry_kind *kind, dry_kind_param row) {
    DRY_ASSERT(all.n_rows < MOST_ROWS);
    all.rows[all.n_rows++] = row;
    kind->n_params++;
}

static dry_kind *add_kind(dry_kind kind) {
    DRY_ASSERT(all.n_kinds < MOST_KINDS);
    kind.params = all.rows + all.n_rows;
    kind.n_params = 0;
    all.kinds[all.n_kinds] = kind;
    return &all.kinds[all.n_kinds++];
}

/* The row of a parameter of the last law. */
static dry_kind_param row_of_law(const dry_law_param *param) {
    const int most = param->form == DRY_LIST ? DRY_NET__MOST_ELEMENTS : 1;
    char *count = all.counts[all.n_laws - 1];
    if (param->form == DRY_COUNT)
        snprintf(count, MOST_MEANING, "%s, up to %d", param->meaning, DRY_NET__MOST_ELEMENTS);
    return (dry_kind_param){param->name,
                            param->unit,
                            1,
                            most,
                            false,
                            param->range,
                            param->standard,
                            param->form == DRY_COUNT ? count : param->meaning};
}

/* Adds the keys of a contact, of friction in several dimensions, or of an area that spins, to those
 * of the law. */
static void add_port_keys(dry_kind *kind, const dry_law *law) {
    static const dry_kind_param dim = DIM, on = ON;
    static const dry_kind_param flat =
        NUMBER("dim", "", DRY_AT_LEAST_ONE, 1.0, "dimensions of a coordinate, 1 or 2");
    static const dry_kind_param offset =
        NUMBER("offset", "m", DRY_ANY, 0.0, "where the gap is closed");
    static const dry_kind_param on_any = {
        "on", NULL, 1, 1, false, DRY_ANY, 0.0, "what it acts on: coordinate, length, or surface"};
    static const dry_kind_param radius = NUMBER("radius", "m", DRY_POSITIVE, NONE,
                                                "R, which turns the spin of a frame into a speed");
    static const dry_kind_param on_frame = {
        "on", NULL, 1, 1, false, DRY_ANY, 0.0, "what it acts on: coordinate, length, or frame"};
    if (law->kind == DRY_FRICTION && law->max_dim > 1) add_row(kind, law->spins ? flat : dim);
    if (law->spins) add_row(kind, radius);
    if (law->kind != DRY_FRICTION) add_row(kind, offset);
    if (law->kind != DRY_FRICTIONAL_CONTACT)
        add_row(kind, law->kind == DRY_CONTACT ? on_any : law->spins ? on_frame : on);
}

static bool has_kind(const char *name) {
    for (int i = 0; i < all.n_kinds; i++)
        if (strcmp(all.kinds[i].name, name) == 0) return true;
    return false;
}

/* A kind of this room may stand for a law. */
static void add_law(const dry_law *law) {
    if (law->part && has_kind(law->part)) return;
    dry_net__law_data *data = &all.laws[all.n_laws++];
    DRY_ASSERT(all.n_laws <= MOST_LAWS);
    dry_net__law_fill(data, law);
    dry_kind *kind = add_kind((dry_kind){.name = law->part ? law->part : law->name,
                                         .title = law->title,
                                         .meaning = law->equation,
                                         .make = dry_net__make_law,
                                         .data = data});
    for (int i = 0; i < law->n_params; i++) add_row(kind, row_of_law(&law->params[i]));
    add_port_keys(kind, law);
}

/* Adds the twin in rad: one dimension, on a coordinate. */
static void add_twin(const dry_kind *from) {
    char *name = all.names[all.n_names++];
    snprintf(name, MOST_NAME, "rotary_%s", from->name);
    dry_kind head = *from;
    head.name = name;
    dry_kind *kind = add_kind(head);
    for (int i = 0; i < from->n_params; i++) {
        dry_kind_param row = from->params[i];
        if (strcmp(row.name, "dim") == 0 || strcmp(row.name, "on") == 0 ||
            strcmp(row.name, "radius") == 0)
            continue;
        row.unit = dry_net__unit(true, row.unit);
        if (row.most == 3) row.most = 1; /* a vector */
        add_row(kind, row);
    }
}

static void copy_kind(const dry_kind *from) {
    dry_kind *kind = add_kind(*from);
    for (int i = 0; i < from->n_params; i++) add_row(kind, from->params[i]);
}

static void build_catalogue(void) {
    for (int i = 0; i < ROWS(alone); i++) copy_kind(alone[i]);
    for (int i = 0; i < ROWS(twofold); i++) copy_kind(twofold[i]);
    for (int i = 0; i < dry_law_count(); i++) add_law(dry_law_at(i));
    const int n = all.n_kinds;
    for (int i = ROWS(alone); i < n; i++) {
        const dry_net__law_data *data = all.kinds[i].data;
        if (!data || data->law->kind != DRY_FRICTIONAL_CONTACT) add_twin(&all.kinds[i]);
    }
}

int dry_net_kind_count(void) {
#if !defined(__STDC_NO_ATOMICS__)
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, build_catalogue);
#else
    if (all.n_kinds == 0) build_catalogue();
#endif
    return all.n_kinds;
}

const dry_kind *dry_net_kind_at(int index) {
    return index >= 0 && index < dry_net_kind_count() ? &all.kinds[index] : NULL;
}
