/* catalogue: finds laws, and counts, places, fills and checks their parameters, from its rows. */
#include "catalogue.h"
#include <string.h>

static const dry_law *const laws[] = {
#define DRY_LAW(name) &dry_law__##name,
#include "laws.def"
#include "set_laws.def" /* of sets that no law above relaxes; written by tools/set-laws.sh */
#undef DRY_LAW
};

static const struct {
    const char *name, *meaning;
} traits[DRY_N_TRAITS] = {
    {"odd", "the opposite motion gives the opposite force"},
    {"bounded", "beyond its viscous part the force never exceeds a bound that the parameters give"},
    {"passive", "it never gives back more energy than it stored"},
    {"no drift", "an oscillation below the limit leaves the body where it is"},
    {"never pulls", "the contact force is never negative"},
    {"continuous", "force and rate do not jump"},
    {"finite", "no overflow for inputs and states up to 1e100"},
    {"rate independent", "the presliding loop does not depend on its speed"},
    {"minor loops", "a minor loop closes and leaves the major loop unharmed"},
};

int dry_law_count(void) { return DRY_LAW__ROWS(laws); }

const dry_law *dry_law_at(int index) {
    return index >= 0 && index < dry_law_count() ? laws[index] : NULL;
}

const dry_law *dry_law_find(const char *name) {
    for (int i = 0; i < dry_law_count(); i++)
        if (strcmp(laws[i]->name, name) == 0) return laws[i];
    return NULL;
}

const dry_set *dry_law_set(const dry_law *law) { return law->set ? dry_set_find(law->set) : NULL; }

const dry_law *dry_law_of_set(const dry_set *set) {
    for (int i = 0; i < dry_law_count(); i++)
        if (dry_law_set(laws[i]) == set) return laws[i];
    return NULL;
}

int dry_law_level(const dry_law *law) {
    const int F = dry_law_par_find(law, "F");
    return F >= 0 ? F : dry_law_par_find(law, "Fc");
}

bool dry_law_stands_for(const dry_law *law, const dry_set *set) {
    const dry_set *own = dry_law_set(law);
    if (set->size || (own && own->size)) return own == set; /* other laws have no width */
    if (set->kind == DRY_SET_OF_POSITIONS) return law->kind == DRY_CONTACT && !law->uses_rate;
    return law->kind == DRY_FRICTION && dry_law_level(law) >= 0 && !law->spins;
}

/* ---- whole rows -------------------------------------------------------------- */

static bool is_text(const char *text) { return text && text[0]; }
static bool has(const dry_law *law, const char *name) {
    return law->params && dry_law_par_find(law, name) >= 0;
}

/* Whether a law that relaxes a set has the parameters that are given and chosen for it. */
static bool fits_set(const dry_law *law) {
    const dry_set *set = dry_law_set(law);
    if (!law->set) return true;
    if (!set || !has(law, "K") || !has(law, "beta")) return false;
    if (set->size && !has(law, set->size)) return false;
    if (set->kind == DRY_SET_OF_POSITIONS) return law->kind == DRY_CONTACT && has(law, "alpha");
    return law->kind == DRY_FRICTION && law->max_dim <= set->max_dim;
}

static bool fits_resolvent(const dry_law *law) {
    const bool K = has(law, "K") && has(law, "beta");
    switch (law->resolvent) {
    case DRY_RESOLVENT_NONE: return true;
    case DRY_RESOLVENT_FRICTION: return K && has(law, "F") && law->kind == DRY_FRICTION;
    case DRY_RESOLVENT_CONTACT: return K && has(law, "alpha") && law->kind == DRY_CONTACT;
    case DRY_RESOLVENT_BACKLASH:
        return K && has(law, "alpha") && has(law, "h") && law->kind == DRY_CONTACT;
    }
    return false;
}

unsigned dry_law_phase(const dry_law *law, const double *par, int dim, double tau, const double *u,
                       const double *s) {
    const bool has_level = law->kind == DRY_FRICTION && law->bound;
    if (has_level && !(law->bound(par, dim) > 0.0)) return DRY_OPEN;
    return law->phase(par, dim, tau, u, s);
}

const char *dry_law_lacks(const dry_law *law) {
    const struct {
        const char *fact;
        bool there;
    } facts[] = {
        {"name", is_text(law->name)},
        {"title", is_text(law->title)},
        {"equation", is_text(law->equation)},
        {"paper", is_text(law->paper)},
        {"max_dim", (law->max_dim > 0) == (law->kind != DRY_CONTACT)},
        {"params", law->n_params == 0 || law->params},
        {"states", law->n_states == 0 || law->states},
        {"eval", law->eval != NULL},
        {"jacobian", law->jacobian != NULL},
        {"stuck", law->stuck != NULL},
        {"loose", law->loose != NULL},
        {"fastest", law->fastest != NULL},
        {"phase", law->phase != NULL},
        {"bound", (law->bound != NULL) == ((law->traits & DRY_BOUNDED) != 0)},
        {"kinks", (law->kinks != NULL) == (law->n_kinks != NULL)},
        {"set", fits_set(law)},
        {"resolvent", fits_resolvent(law)},
        {"fall", !law->fall || (has(law, "K") && has(law, "beta"))},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!facts[i].there) return facts[i].fact;
    return NULL;
}

const char *dry_trait_name(int trait) {
    return trait >= 0 && trait < DRY_N_TRAITS ? traits[trait].name : NULL;
}

const char *dry_trait_meaning(int trait) {
    return trait >= 0 && trait < DRY_N_TRAITS ? traits[trait].meaning : NULL;
}

/* ---- counts ----------------------------------------------------------------- */

int dry_law_inputs(const dry_law *law, int dim) {
    if (!law) return 0;
    static const int before_v[] = {
        [DRY_FRICTION] = 0, [DRY_CONTACT] = 2, [DRY_FRICTIONAL_CONTACT] = 2};
    return before_v[law->kind] + (law->kind == DRY_CONTACT ? 0 : dim);
}

int dry_law_forces(const dry_law *law, int dim) {
    if (!law) return 0;
    static const int before_f[] = {
        [DRY_FRICTION] = 0, [DRY_CONTACT] = 1, [DRY_FRICTIONAL_CONTACT] = 1};
    return before_f[law->kind] + (law->kind == DRY_CONTACT ? 0 : dim);
}

static int find_count(const dry_law *law) {
    for (int i = 0; i < law->n_params; i++)
        if (law->params[i].form == DRY_COUNT) return i;
    return -1;
}

/* The count stands before every list, so its place does not depend on its value. */
static int elements_of(const dry_law *law, const double *par) {
    const int index = find_count(law);
    return index < 0 ? 1 : (int)par[dry_law_par_offset(law, index, 1)];
}

int dry_law_states(const dry_law *law, const double *par, int dim) {
    if (!law) return 0;
    const int sizes[] = {
        [DRY_ONE] = 1, [DRY_PER_DIM] = dim, [DRY_PER_ELEMENT] = elements_of(law, par)};
    int sum = 0;
    for (int i = 0; i < law->n_states; i++) sum += sizes[law->states[i].form];
    return sum;
}

/* ---- packed parameters -------------------------------------------------------- */

static int par_length(const dry_law *law, int index, int elements) {
    return law->params[index].form == DRY_LIST ? elements : 1;
}

int dry_law_par_offset(const dry_law *law, int index, int elements) {
    int offset = 0;
    if (!law || index < 0 || index > law->n_params) return -1;
    for (int i = 0; i < index; i++) offset += par_length(law, i, elements);
    return offset;
}

int dry_law_par_size(const dry_law *law, int elements) {
    return law ? dry_law_par_offset(law, law->n_params, elements) : 0;
}

int dry_law_par_find(const dry_law *law, const char *name) {
    for (int i = 0; law && i < law->n_params; i++)
        if (strcmp(law->params[i].name, name) == 0) return i;
    return -1;
}

static double default_value(const dry_law_param *param, int i, int elements) {
    if (param->form == DRY_COUNT) return elements;
    switch (param->rule) {
    case DRY_OVER_I: return param->standard / (i + 1);
    case DRY_OVER_N: return param->standard / elements;
    case DRY_EACH: break;
    }
    return param->standard;
}

void dry_law_defaults(const dry_law *law, int elements, double *par) {
    for (int index = 0; law && index < law->n_params; index++)
        for (int i = 0; i < par_length(law, index, elements); i++)
            *par++ = default_value(&law->params[index], i, elements);
}

/* ---- checks --------------------------------------------------------------------- */

static const double most_elements = 1e6;

/* Why a value is not in its range; NULL: it is. */
static const dry_wrong *check_value(const dry_law_param *param, double value) {
    static const dry_wrong infinite = {.what = "must be a finite number"},
                           broken = {.what = "must be a whole number from 1 to 1000000"},
                           negative = {.what = "must not be negative"},
                           zero = {.what = "must be positive"},
                           small = {.what = "must be at least 1"};
    if (!isfinite(value)) return &infinite;
    if (param->form == DRY_COUNT)
        return value >= 1.0 && value <= most_elements && value == floor(value) ? NULL : &broken;
    switch (param->range) {
    case DRY_ANY: break;
    case DRY_NONNEGATIVE: return value >= 0.0 ? NULL : &negative;
    case DRY_POSITIVE: return value > 0.0 ? NULL : &zero;
    case DRY_AT_LEAST_ONE: return value >= 1.0 ? NULL : &small;
    }
    return NULL;
}

static double value_of(const dry_law *law, const double *par, const char *name) {
    return par[dry_law_par_offset(law, dry_law_par_find(law, name), elements_of(law, par))];
}

bool dry_law_has_one_answer(const dry_law *law, const double *par, double *damping, double *fall) {
    *damping = *fall = 0.0;
    if (!law || !law->fall) return true;
    *damping = value_of(law, par, "K") * value_of(law, par, "beta");
    *fall = law->fall(par);
    return *fall == 0.0 || *damping > *fall;
}

/* What relates several parameters. */
static const dry_wrong *check_relations(const dry_law *law, const double *par, int dim) {
    static const dry_wrong steep = {
        "beta",
        "the level falls with its own slip by more than K beta, so the force has two values",
        "raise K or beta, or let the level fall less: a larger vs, a smaller Fs"};
    double damping, fall;
    if (!dry_law_has_one_answer(law, par, &damping, &fall)) return &steep;
    return law->check ? law->check(par, dim) : NULL;
}

const dry_wrong *dry_law_check(const dry_law *law, const double *par, int dim, int *index) {
    static const dry_wrong unknown = {.what = "there is no such law",
                                      .way_out = "look at dry_law_find"};
    int ignored, *row = index ? index : &ignored, elements = 1;
    const double *value = par;
    *row = -1;
    if (!law) return &unknown;
    for (*row = 0; *row < law->n_params; ++*row) {
        const dry_law_param *param = &law->params[*row];
        const int length = par_length(law, *row, elements);
        for (int i = 0; i < length; i++) {
            const dry_wrong *wrong = check_value(param, *value++);
            if (wrong) return wrong;
        }
        if (param->form == DRY_COUNT) elements = (int)value[-1];
    }
    *row = -1;
    return check_relations(law, par, dim);
}
