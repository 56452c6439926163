/* give: finds how far elements yield whose K was chosen from the step: the largest stretch of a
 * set-valued force, which is |f|/K at rest, the depth of a contact, and of a joint what its stored
 * energy E allows, sqrt(2 E/K).
 *
 * All of it is in the record. An element gets a line if it yields further than allowed: the trusted
 * share of the size of what moves, or SHARE of the thinnest thing that a contact keeps apart. */
#include "watch_private.h"

#include <stdlib.h>
#include <string.h>

static const double SHARE = DRY_SINKS;

/* ---- set-valued forces -------------------------------------------------------------- */

/* The largest of a series, and the time by which it was there but for 1 %. */
typedef struct peak {
    double most, when;
} peak;

static void look_at(peak *p, double value, double t) {
    if (value > 1.01 * p->most) p->when = t;
    p->most = fmax(p->most, value);
}

/* The largest norm over the run of the stretch of a force: `dim` states of the system. */
static peak largest_stretch(const dry_model *model, const dry_record *record, int state, int dim) {
    const dry_system *system = dry_model_system(model);
    int column = 1;
    for (int i = 0; i < state; i++) column += !dry_state_is_inner(&system->states[i]);
    peak p = {0.0, 0.0};
    for (size_t k = 0; k < dry_record_rows(record); k++) {
        double sum = 0.0;
        for (int i = 0; i < dim; i++) {
            const double a = dry_record_values(record, column + i)[k];
            sum += a * a;
        }
        look_at(&p, sqrt(sum), dry_record_values(record, 0)[k]);
    }
    return p;
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
        const peak p = largest_stretch(model, record, set.state, set.dim);
        list->element[list->n++] =
            (dry_watch__element){.name = set.name,
                                 .unit = set.unit,
                                 .K_unit = set.K_unit,
                                 .K = set.K,
                                 .by = p.most,
                                 .when = p.when,
                                 .allowed = most * size_of_way(s, record, set.unit)};
    }
}

/* ---- parts -------------------------------------------------------------------------- */

static peak largest_of(const dry_record *record, const char *part, const char *quantity) {
    char name[256];
    snprintf(name, sizeof name, "%s.%s", part, quantity);
    const int column = dry_record_find(record, name);
    peak p = {0.0, 0.0};
    for (size_t k = 0; column >= 0 && k < dry_record_rows(record); k++)
        look_at(&p, dry_record_values(record, column)[k], dry_record_values(record, 0)[k]);
    return p;
}

/* The unit of displacement for a stiffness of that unit; NULL: it is not a stiffness. */
static const char *way_by(const char *K_unit) {
    return !strcmp(K_unit, "N/m") ? "m" : !strcmp(K_unit, "N m/rad") ? "rad" : NULL;
}

static dry_watch__element of_part(const dry_watch__states *s, const dry_record *record,
                                  const dry_part *part, const char *name, const dry_quantity *K,
                                  double value, double most) {
    dry_watch__element e = {.name = name, .unit = way_by(K->unit), .K_unit = K->unit, .K = value};
    const bool shapes = part->gathers && part->gathers->gives > 0;
    const peak p = largest_of(
        record, name, shapes ? part->outputs->names[part->gathers->gives - 1].name : "stored");
    e.by = shapes ? p.most : sqrt(2.0 * p.most / value);
    e.when = p.when;
    e.follows = shapes;
    e.allowed =
        shapes ? SHARE * part->gathers->thinnest : most * dry_watch__unit_size(s, record, e.unit);
    return e;
}

/* The first chosen stiffness of a part represents it: one in N/m, or the K of a part on one angle.
 */
static bool speaks(const dry_part *part, const dry_quantity *par, const char *key) {
    const char *way = way_by(par->unit);
    if (!way) return false;
    return !strcmp(way, "m") || (part->n_ports == 1 && part->ports->dim == 1 && !strcmp(key, "K"));
}

static void add_parts(const dry_watch__states *s, const dry_model *model, const dry_record *record,
                      double most, dry_watch__elements *list) {
    const dry_system *system = dry_model_system(model);
    int before = -1;
    for (int i = dry_model_next_chosen(model, 0); i >= 0; i = dry_model_next_chosen(model, i + 1)) {
        const dry_quantity *par = &system->params[i];
        const int at = dry_model_part_of_par(model, i);
        const char *name;
        if (at == before || !(system->par[i] > 0.0)) continue;
        const dry_part *part = dry_net_part_at(dry_model_net(model), at, &name);
        if (!part || !speaks(part, par, dry_model_part_par_name(model, i))) continue;
        before = at;
        list->element[list->n++] = of_part(s, record, part, name, par, system->par[i], most);
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
    char tried[48] = "";
    if (g->tried > 0.0) snprintf(tried, sizeof tried, " (tried until %.2g s)", g->tried);
    if (g->step > 0.0)
        snprintf(text, size, "%s gives way by %s; step <= %.2g ms, K >= %.2g %s%s, for %s%s",
                 g->name, by.text, 1e3 * g->step, g->K, g->K_unit, rigid, wanted.text, tried);
    else
        snprintf(text, size, "%s gives way by %s; use a shorter step%s, or give K, for %s", g->name,
                 by.text, rigid, wanted.text);
}
