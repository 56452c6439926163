/* law_keys: the parameters of a law that takes the place of another. The text gives some of them by
 * the same key. The others become parameters that are free; by the units of their rows they begin
 * at multiples of the force, the stiffness, the speed and the time of the text. */
#include "laws.h"

#include <math.h>
#include <string.h>

/* ---- how a key is filled --------------------------------------------------------------------- */

typedef enum way {
    AS_ROW, /* it stays at its default: pure numbers, which are exponents and shares */
    OFF,    /* it is 0 */
    FREE,   /* a number that begins at factor times its size */
    CURVE,  /* of the level over the speed */
    SPREAD, /* stiffnesses that slip one after the other */
    DAMPING /* in proportion to the stiffnesses */
} way;

typedef struct rule {
    const char *name; /* NULL: any */
    const char *unit;
    dry_param_form form;
    way way;
    double factor;    /* of its size */
    double low, high; /* bounds, in parts of where it begins */
    bool steep;       /* a small one makes the level fall steeply */
} rule;

/* The first that fits. */
static const rule rules[] = {
    {"Fs", "N", DRY_SCALAR, CURVE, 1.0, 0.2, 5.0, false},
    {"vs", "m/s", DRY_SCALAR, CURVE, 1.0, 1e-2, 1e2, true},
    {"D", "N s/m", DRY_SCALAR, OFF, 0.0, 0.0, 0.0, false},
    {"tau_d", "s", DRY_SCALAR, OFF, 0.0, 0.0, 0.0, false},
    {"beta", "s", DRY_SCALAR, FREE, 1.0, 1e-3, 1e2, false},
    {NULL, "N/m", DRY_SCALAR, FREE, 1.0, 1e-4, 1e2, false},
    {NULL, "N/m", DRY_LIST, SPREAD, 1.0, 1e-4, 1e2, false},
    {NULL, "N s/m", DRY_SCALAR, FREE, 1.0, 1e-4, 1e2, false},
    {NULL, "N s/m", DRY_LIST, DAMPING, 1.0, 1e-3, 1e2, false},
    {NULL, "m/s", DRY_SCALAR, FREE, 0.01, 1e-4, 1e2, false},
    {NULL, "N/s", DRY_SCALAR, FREE, 1.0, 1e-4, 1e2, false},
};

static const rule *rule_of(const dry_law_param *row) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if ((!rules[i].name || !strcmp(rules[i].name, row->name)) &&
            !strcmp(rules[i].unit, row->unit) && rules[i].form == row->form)
            return &rules[i];
    return NULL;
}

bool dry_fit__is_off(const dry_law_param *row) {
    const rule *r = rule_of(row);
    return r && r->way == OFF;
}

/* Whether the text gives the old law this key, and it means the same in the new one: not K and beta
 * that only relax a set, unless something is free in them; not a list of another length. */
const dry_friction_key *dry_fit__kept(const dry_fit__swap *swap, const dry_law_param *row) {
    for (int i = 0; i < swap->old.n_keys; i++) {
        const dry_friction_key *key = &swap->old.keys[i];
        if (strcmp(key->name, row->name) != 0 || row->form == DRY_COUNT) continue;
        if (swap->old.plain && !key->free) return NULL;
        return row->form == DRY_LIST && swap->elements != swap->old.elements ? NULL : key;
    }
    return NULL;
}

/* Whether no curve over the speed belongs beside the level: it varies in a run, or the text says
 * that the static level is the kinetic one. */
static bool is_flat(const dry_fit__swap *swap) {
    const dry_friction_text *old = &swap->old;
    const int Fs = dry_law_par_find(old->law, "Fs"), own = dry_law_par_find(swap->law, "Fs");
    if (isnan(old->level)) return true;
    if (Fs < 0 || own < 0 || !dry_fit__kept(swap, &swap->law->params[own])) return false;
    return old->par[dry_law_par_offset(old->law, Fs, old->elements)] == 0.0;
}

static way way_of(const dry_fit__swap *swap, const dry_law_param *row) {
    const rule *r = rule_of(row);
    if (!r) return AS_ROW;
    if (r->way != CURVE || !is_flat(swap)) return r->way;
    return !strcmp(row->unit, "N") ? OFF : AS_ROW;
}

const char *dry_fit__name(const dry_fit__swap *swap, const char *key) {
    char name[200];
    int n = snprintf(name, sizeof name - 8, "%s_%s", swap->old.name, key);
    if (n < 0 || n > (int)sizeof name - 8) n = (int)strlen(name);
    while (dry_model_has_name(swap->model, name) && n < (int)sizeof name - 1) {
        name[n++] = '_';
        name[n] = '\0';
    }
    return dry_arena_text(swap->arena, name, strlen(name));
}

/* ---- starts ------------------------------------------------------------------------------------
 */

/* The least stretch that fixed steps follow: the states of some laws settle at |v|/stretch. */
static double least_stretch(const dry_fit__swap *swap) {
    return swap->law->quickens ? swap->sizes.peak * swap->sizes.step : 0.0;
}

static double stiffness_of(const dry_fit__swap *swap) {
    const dry_fit__sizes *s = &swap->sizes;
    return s->force / fmax(s->force / s->stiffness, 3.0 * least_stretch(swap));
}

static double rate_of(const dry_fit__swap *swap) {
    const dry_fit__sizes *s = &swap->sizes;
    const double rate = stiffness_of(swap) * s->speed;
    return s->step > 0.0 ? fmin(rate, 0.1 * s->force / s->step) : rate;
}

static double size_of(const dry_fit__swap *swap, const char *unit) {
    const dry_fit__sizes *s = &swap->sizes;
    const double stiffness = stiffness_of(swap);
    const struct {
        const char *unit;
        double size;
    } sizes[] = {{"N", s->force},   {"N/m", stiffness},     {"N s/m", stiffness * s->time},
                 {"m/s", s->speed}, {"N/s", rate_of(swap)}, {"s", s->time}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!strcmp(sizes[i].unit, unit)) return sizes[i].size;
    return 1.0;
}

/* What fixed steps do not follow is out of bounds: stiffnesses and rates. */
static double most_of(const dry_fit__swap *swap, const dry_law_param *row) {
    const dry_fit__sizes *s = &swap->sizes;
    const int n = row->form == DRY_LIST ? swap->elements : 1;
    if (!strcmp(row->unit, "N/m")) return s->force / n / least_stretch(swap);
    return !strcmp(row->unit, "N/s") ? 0.5 * s->force / s->step : (double)INFINITY;
}

/* Elements settle within the time constant of their damping, which steps must follow too. */
static double least_bound(const dry_fit__swap *swap, const dry_law_param *row) {
    const bool time = !strcmp(row->unit, "s") || rule_of(row)->way == DAMPING;
    return time ? swap->sizes.step : 0.0;
}

/* The stretches at which elements begin to slip: 1/4 to 4 times that of the whole. */
static void find_stretches(const dry_fit__swap *swap, double ends[2]) {
    const double stretch = swap->sizes.force / stiffness_of(swap);
    ends[0] = fmax(0.25 * stretch, least_stretch(swap));
    ends[1] = 4.0 * stretch;
}

/* Where the level depends on the slip itself, a steep fall would give the force two values
 * (dry_law_has_one_answer). */
static double least_of(const dry_fit__swap *swap, const dry_law_param *row) {
    const dry_fit__sizes *s = &swap->sizes;
    if (!swap->law->fall || !rule_of(row)->steep) return 0.0;
    return 0.5 * s->force / (stiffness_of(swap) * s->time);
}

static double start_of(const dry_fit__swap *swap, const dry_law_param *row, int i) {
    const rule *r = rule_of(row);
    const int n = swap->elements;
    double ends[2];
    if (r->way == DAMPING) return swap->sizes.time;
    if (r->way == CURVE)
        return fmax(swap->curve[strcmp(row->unit, "N") != 0] * size_of(swap, row->unit),
                    least_of(swap, row));
    if (r->way != SPREAD) return r->factor * size_of(swap, row->unit);
    find_stretches(swap, ends);
    const double part = n > 1 ? (double)i / (n - 1) : 0.5;
    return swap->sizes.force / n / (ends[0] * pow(ends[1] / ends[0], part));
}

/* Three digits suffice for a start. */
static void put_number(double x, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    (void)dry_number_rounded(x, 3, text);
    fputs(text, stream);
}

static void put_unit(const dry_fit__swap *swap, const char *unit, FILE *stream) {
    char text[64];
    dry_model_friction_unit(swap->model, swap->index, unit, text, sizeof text);
    if (text[0]) fprintf(stream, " [%s]", text);
}

/* ---- the call of the new law -------------------------------------------------------------------
 */

static void put_key(const dry_fit__swap *swap, const dry_friction_key *key, FILE *stream) {
    const dry_text_span span = key->value;
    fwrite(swap->job->text + span.from, 1, span.to - span.from, stream);
}

/* The stiffnesses of the new law. */
static const dry_law_param *stiffnesses(const dry_fit__swap *swap, int *index) {
    for (*index = 0; *index < swap->law->n_params; ++*index) {
        const dry_law_param *row = &swap->law->params[*index];
        if (row->form == DRY_LIST && !strcmp(row->unit, "N/m")) return row;
    }
    return NULL;
}

static void put_damping(dry_fit__swap *swap, const char *name, FILE *stream) {
    int index;
    const dry_law_param *row = stiffnesses(swap, &index);
    const dry_friction_key *kept = row ? dry_fit__kept(swap, row) : NULL;
    if (kept) {
        fprintf(stream, "%s*(", name);
        put_key(swap, kept, stream);
        fputc(')', stream);
    } else if (row)
        fprintf(stream, "%s*%s", name, swap->names[index]);
}

/* Of a call: the level of the old law, by its expression or by its value. */
static void put_level(const dry_fit__swap *swap, FILE *stream) {
    const dry_law_param *row = &swap->old.law->params[dry_law_level(swap->old.law)];
    for (int i = 0; i < swap->old.n_keys; i++)
        if (!strcmp(swap->old.keys[i].name, row->name)) {
            put_key(swap, &swap->old.keys[i], stream);
            return;
        }
    put_number(swap->old.level, stream);
    put_unit(swap, row->unit, stream);
}

static void put_separator(bool *first, FILE *stream) {
    if (!*first) fputs(", ", stream);
    *first = false;
}

static void put_row(dry_fit__swap *swap, int i, bool *first, FILE *stream) {
    const dry_law_param *row = &swap->law->params[i];
    const dry_friction_key *kept = dry_fit__kept(swap, row);
    const way how = way_of(swap, row);
    const bool level = i == dry_law_level(swap->law);
    if (level ? swap->old.set != NULL : !kept && row->form != DRY_COUNT && how == AS_ROW) return;
    if (!kept && !level && how == OFF && row->standard == 0.0) return;
    put_separator(first, stream);
    fprintf(stream, "%s = ", row->name);
    if (level)
        put_level(swap, stream);
    else if (row->form == DRY_COUNT)
        fprintf(stream, "%d", swap->elements);
    else if (kept)
        put_key(swap, kept, stream);
    else if (how == OFF)
        fputc('0', stream);
    else if (how == DAMPING)
        put_damping(swap, swap->names[i], stream);
    else
        fputs(swap->names[i], stream);
}

/* Names for what comes with the law: DAMPING is a time. */
static dry_status find_names(dry_fit__swap *swap, dry_error *error) {
    for (int i = 0; i < swap->law->n_params; i++) {
        const dry_law_param *row = &swap->law->params[i];
        const way how = way_of(swap, row);
        const bool comes = i != dry_law_level(swap->law) && !dry_fit__kept(swap, row);
        if (!comes || how == AS_ROW || how == OFF) continue;
        swap->names[i] = dry_fit__name(swap, how == DAMPING ? "beta" : row->name);
        if (!swap->names[i]) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
        const rule *r = rule_of(row);
        const double last = how == SPREAD ? start_of(swap, row, swap->elements - 1) : 0.0;
        const double begin = start_of(swap, row, 0);
        swap->low[i] = fmax(r->low * (last > 0.0 ? last : begin), least_bound(swap, row));
        swap->high[i] = fmin(r->high * begin, most_of(swap, row));
    }
    return DRY_OK;
}

bool dry_fit__frees_curve(const dry_fit__swap *swap) {
    for (int i = 0; i < swap->law->n_params; i++)
        if (swap->names[i] && way_of(swap, &swap->law->params[i]) == CURVE) return true;
    return false;
}

bool dry_fit__frees_stiffness(const dry_fit__swap *swap) {
    for (int i = 0; i < swap->law->n_params; i++)
        if (swap->names[i] && !strcmp(swap->law->params[i].unit, "N/m")) return true;
    return false;
}

dry_status dry_fit__write_keys(dry_fit__swap *swap, bool first, FILE *stream, dry_error *error) {
    const dry_status status = find_names(swap, error);
    for (int i = 0; status == DRY_OK && i < swap->law->n_params; i++)
        put_row(swap, i, &first, stream);
    return status;
}

/* ---- what comes with it -------------------------------------------------------------------------
 */

static void put_start(const dry_fit__swap *swap, int i, FILE *stream) {
    const dry_law_param *row = &swap->law->params[i];
    const bool list = way_of(swap, row) == SPREAD;
    if (list) fputc('[', stream);
    for (int k = 0; k < (list ? swap->elements : 1); k++) {
        if (k) fputs(", ", stream);
        put_number(start_of(swap, row, k), stream);
    }
    if (list) fputc(']', stream);
    put_unit(swap, way_of(swap, row) == DAMPING ? "s" : row->unit, stream);
}

void dry_fit__write_free(const dry_fit__swap *swap, FILE *stream) {
    bool any = false;
    for (int i = 0; i < swap->law->n_params; i++) {
        if (!swap->names[i]) continue;
        fprintf(stream, "%s%s = ", any ? ", " : "free ", swap->names[i]);
        put_start(swap, i, stream);
        fputs(" in ", stream);
        put_number(swap->low[i], stream);
        fputs("..", stream);
        put_number(swap->high[i], stream);
        fputs(" log", stream);
        any = true;
    }
}

void dry_fit__write_starts(const dry_fit__swap *swap, FILE *stream) {
    bool any = false, spread = false;
    double ends[2];
    for (int i = 0; i < swap->law->n_params; i++) {
        if (!swap->names[i]) continue;
        fprintf(stream, "%s%s = ", any ? ", " : "", swap->names[i]);
        put_start(swap, i, stream);
        spread = spread || way_of(swap, &swap->law->params[i]) == SPREAD;
        any = true;
    }
    if (!spread) return;
    find_stretches(swap, ends);
    fprintf(stream, "; %d elements with equal shares of the level begin to slip at ",
            swap->elements);
    put_number(ends[0], stream);
    fputs(" to ", stream);
    put_number(ends[1], stream);
    put_unit(swap, "m", stream);
}
