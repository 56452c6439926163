/* How far elements give way whose K was chosen from the step: the largest stretch of a
 * set-valued force, which is |f|/K at rest, the depth of a contact, and of a joint what its stored
 * energy E allows, sqrt(2 E/K).
 *
 * All of it is in the record. An element gets a line if it gives way by more than it may: the
 * trusted part of the size of what moves, or SHARE of the thinnest thing that a contact keeps
 * apart. */
#include "watch_private.h"

#include <stdlib.h>
#include <string.h>

static const double SHARE = 0.05;

/* ---- set-valued forces -------------------------------------------------------------- */

/* The largest norm over the run of the stretch of a force: `dim` states of the system. */
static double largest_stretch(const dry_model *model, const dry_record *record, int state,
                              int dim) {
    const dry_system *system = dry_model_system(model);
    int column = 1;
    for (int i = 0; i < state; i++) column += !dry_state_is_inner(&system->states[i]);
    double largest = 0.0;
    for (size_t k = 0; k < dry_record_rows(record); k++) {
        double sum = 0.0;
        for (int i = 0; i < dim; i++) {
            const double a = dry_record_values(record, column + i)[k];
            sum += a * a;
        }
        largest = fmax(largest, sqrt(sum));
    }
    return largest;
}

/* The way that states with the unit of its velocity went: for models that have no positions. */
static double way_of(const dry_watch__states *s, const dry_record *record, const char *unit) {
    const double *t = dry_record_values(record, 0);
    const size_t rows = dry_record_rows(record);
    char speed[64];
    double longest = 0.0;
    snprintf(speed, sizeof speed, "%s/s", unit);
    for (int i = 0; i < s->n; i++) {
        if (strcmp(dry_record_quantity(record, s->column[i]).unit, speed) != 0) continue;
        const double *v = dry_record_values(record, s->column[i]);
        double way = 0.0;
        for (size_t k = 1; k < rows; k++)
            way += 0.5 * (fabs(v[k]) + fabs(v[k - 1])) * (t[k] - t[k - 1]);
        longest = fmax(longest, way);
    }
    return longest;
}

static double size_of_way(const dry_watch__states *s, const dry_record *record, const char *unit) {
    const double size = dry_watch__unit_size(s, record, unit);
    return size > 0.0 ? size : way_of(s, record, unit);
}

static void add_sets(const dry_watch__states *s, const dry_model *model, const dry_record *record,
                     double most, dry_watch__elements *list) {
    for (int i = 0; i < dry_model_sets(model); i++) {
        const dry_set_info set = dry_model_set(model, i);
        if (!set.from_step || set.state < 0 || !(set.K > 0.0)) continue;
        list->element[list->n++] =
            (dry_watch__element){.name = set.name,
                                 .unit = set.unit,
                                 .K_unit = set.K_unit,
                                 .K = set.K,
                                 .by = largest_stretch(model, record, set.state, set.dim),
                                 .allowed = most * size_of_way(s, record, set.unit)};
    }
}

/* ---- parts -------------------------------------------------------------------------- */

static double largest_of(const dry_record *record, const char *part, size_t length,
                         const char *quantity) {
    char name[256];
    snprintf(name, sizeof name, "%.*s.%s", (int)length, part, quantity);
    const int column = dry_record_find(record, name);
    double largest = 0.0;
    for (size_t k = 0; column >= 0 && k < dry_record_rows(record); k++)
        largest = fmax(largest, dry_record_values(record, column)[k]);
    return largest;
}

/* The part of that name, looked for from where the last one was. */
static const dry_part *find_part(const dry_net *net, const char *text, size_t length, int *last,
                                 const char **name) {
    const int n = dry_net_part_count(net);
    for (int k = 0; k < n; k++) {
        const int i = (*last + k) % n;
        const dry_part *part = dry_net_part_at(net, i, name);
        if (strlen(*name) != length || strncmp(*name, text, length) != 0) continue;
        *last = i;
        return part;
    }
    return NULL;
}

static dry_watch__element of_part(const dry_watch__states *s, const dry_record *record,
                                  const dry_part *part, const char *name, double K, double most) {
    const size_t length = strlen(name);
    dry_watch__element e = {.name = name, .unit = "m", .K_unit = "N/m", .K = K};
    if (part->gives > 0) {
        e.by = largest_of(record, name, length, part->outputs[part->gives - 1].name);
        e.allowed = SHARE * part->thinnest;
    } else {
        e.by = sqrt(2.0 * largest_of(record, name, length, "stored") / K);
        e.allowed = most * dry_watch__unit_size(s, record, "m");
    }
    return e;
}

/* The first stiffness in N/m that a part has chosen speaks for it. */
static void add_parts(const dry_watch__states *s, const dry_model *model, const dry_record *record,
                      double most, dry_watch__elements *list) {
    const dry_system *system = dry_model_system(model);
    const dry_part *before = NULL;
    int last = 0;
    for (int i = dry_model_next_chosen(model, 0); i >= 0; i = dry_model_next_chosen(model, i + 1)) {
        const char *par = system->params[i].name, *dot = strrchr(par, '.'), *name;
        if (!dot || strcmp(system->params[i].unit, "N/m") != 0 || !(system->par[i] > 0.0)) continue;
        const dry_part *part =
            find_part(dry_model_net(model), par, (size_t)(dot - par), &last, &name);
        if (!part || part == before) continue;
        before = part;
        list->element[list->n++] = of_part(s, record, part, name, system->par[i], most);
    }
}

static int count_chosen(const dry_model *model) {
    int n = dry_model_sets(model);
    for (int i = dry_model_next_chosen(model, 0); i >= 0; i = dry_model_next_chosen(model, i + 1))
        n++;
    return n;
}

bool dry_watch__elements_begin(dry_watch__elements *list, const dry_watch__states *s,
                               const dry_model *model, const dry_record *record, double most) {
    *list = (dry_watch__elements){
        .element = calloc((size_t)count_chosen(model) + 1, sizeof *list->element)};
    if (!list->element) return false;
    add_sets(s, model, record, most, list);
    if (dry_model_net(model)) add_parts(s, model, record, most, list);
    return true;
}

/* ---- words -------------------------------------------------------------------------- */

typedef struct length {
    char text[48];
} length;

/* Ways below a tenth of a metre in mm. */
static length in_words(double x, const char *unit) {
    length l;
    const bool small = !strcmp(unit, "m") && x < 0.1;
    snprintf(l.text, sizeof l.text, "%.2g %s", small ? 1e3 * x : x, small ? "mm" : unit);
    return l;
}

void dry_watch_give_text(const dry_watch_give *g, char *text, size_t size) {
    const length by = in_words(g->by, g->unit), wanted = in_words(g->wanted, g->unit);
    const char *rigid = g->rigid ? ", or rigid" : "";
    if (g->step > 0.0)
        snprintf(text, size, "%s gives way by %s; step <= %.2g ms, K >= %.2g %s%s, for %s", g->name,
                 by.text, 1e3 * g->step, g->K, g->K_unit, rigid, wanted.text);
    else
        snprintf(text, size, "%s gives way by %s; take a shorter step%s, or give K, for %s",
                 g->name, by.text, rigid, wanted.text);
}
