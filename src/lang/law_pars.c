/* law_pars: the parameters of a law, packed from the keys that the text gives, and checked. */
#include "lang_private.h"

#include <math.h>
#include <string.h>

/* ---- keys -------------------------------------------------------------------------- */

const dry_key *dry_lang__find_key(const dry_key *key, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (!strcmp(key[i].name, name)) return &key[i];
    return NULL;
}

void dry_lang__check_keys(dry_elab *elab, const dry_key *key, int n, const char *const *known,
                          int n_known, const char *what) {
    for (int i = 0; i < n; i++) {
        bool found = false;
        for (int k = 0; k < n_known; k++) found = found || !strcmp(key[i].name, known[k]);
        if (!found) dry_diag_unknown_key(elab->diag, key[i].at, what, key[i].name, known, n_known);
        for (int k = 0; k < i; k++)
            if (!strcmp(key[i].name, key[k].name))
                DRY_SAY(elab->diag, key[i].at, KEY_TWICE, key[i].name);
    }
}

/* ---- packed -------------------------------------------------------------------------- */

/* Returns the key that gives the number of elements of the law. */
static const char *count_of(const dry_law *law) {
    for (int i = 0; i < law->n_params; i++)
        if (law->params[i].form == DRY_COUNT) return law->params[i].name;
    return "";
}

static bool read_count(dry_elab *elab, const dry_law *law, const dry_key *key, int n_keys,
                       int *elements) {
    *elements = 1;
    for (int i = 0; i < law->n_params; i++) {
        if (law->params[i].form != DRY_COUNT) continue;
        const dry_key *given = dry_lang__find_key(key, n_keys, law->params[i].name);
        *elements = (int)law->params[i].standard;
        if (given)
            return dry_lang__integer(elab, given->value, law->params[i].name, 1, 1000, elements);
    }
    return true;
}

static dry_dim par_dim(dry_dims *dims, const dry_force *force, const char *text, dry_dim length) {
    double factor;
    dry_dim unit;
    char bad[DRY_DIM_TEXT];
    if (!text[0]) return dry_dim_pure();
    if (!dry_unit_parse(text, &factor, &unit, bad)) return dry_dim_unknown(dims);
    const double m = unit.power[0], kg = unit.power[1], s = unit.power[2]; /* N = kg m/s^2 */
    const dry_dim rest = dry_dim_combine(dims, length, m - kg, dry_dim_seconds(1.0), s + 2 * kg);
    return dry_dim_combine(dims, force->dim_force, kg, rest, 1.0);
}

dry_dim dry_lang_law_dim(dry_dims *dims, const dry_force *force, const char *unit) {
    const dry_dim second = dry_dim_seconds(1.0);
    return par_dim(dims, force, unit, dry_dim_combine(dims, force->dim_argument, 1.0, second, 1.0));
}

static void set_list(dry_elab *elab, dry_force *force, int offset, int n, const dry_key *key,
                     dry_dim dim) {
    dry_term v = dry_lang__expr(elab, key->value);
    if (v.bad || !dry_lang__same_dim(elab, key->at, key->name, v.dim, dim)) return;
    if (v.rank > 1 || (v.rank == 1 && v.rows != n)) {
        DRY_SAY(elab->diag, key->at, LIST_SIZE, key->name, dry_diag_text(elab->diag, "%d", n),
                dry_lang_shape(elab, &v));
        if (v.rank == 1 && v.rows > 0)
            dry_diag_way_out(elab->diag, "give the number of elements: %s = %d",
                             count_of(force->law), v.rows);
        return;
    }
    for (int i = 0; i < n; i++) force->par[offset + i] = dry_term_at(&v, v.rank ? i : 0);
}

void dry_lang__check_law_keys(dry_elab *elab, const dry_law *law, const dry_key *key, int n_keys) {
    const char *known[64];
    int n_known = 0;
    for (int i = 0; i < law->n_params && n_known < 64; i++) known[n_known++] = law->params[i].name;
    dry_lang__check_keys(elab, key, n_keys, known, n_known, law->name);
}

/* Fills in the defaults, then the values that the text gives by name. */
bool dry_lang__pack_law(dry_elab *elab, dry_force *force, const dry_key *key, int n_keys,
                        dry_dim length) {
    const dry_law *law = force->law;
    dry_lang__check_law_keys(elab, law, key, n_keys);
    if (!read_count(elab, law, key, n_keys, &force->elements)) return false;
    force->n_par = dry_law_par_size(law, force->elements);
    force->par = dry_arena_take(elab->arena, sizeof(dry_node) * (size_t)force->n_par);
    double *standard = dry_arena_take(elab->arena, sizeof(double) * (size_t)force->n_par);
    if (!force->par || !standard) return false;
    dry_law_defaults(law, force->elements, standard);
    for (int i = 0; i < force->n_par; i++) force->par[i] = dry_dag_const(elab->dag, standard[i]);
    for (int i = 0; i < law->n_params; i++) {
        const dry_key *given = dry_lang__find_key(key, n_keys, law->params[i].name);
        int offset = dry_law_par_offset(law, i, force->elements);
        if (!given || law->params[i].form == DRY_COUNT) continue;
        const dry_dim dim = par_dim(elab->dims, force, law->params[i].unit, length);
        if (law->params[i].form == DRY_LIST) {
            set_list(elab, force, offset, force->elements, given, dim);
        } else {
            dry_term v = dry_lang__scalar_expr(elab, given->value, given->name);
            if (!v.bad && dry_lang__same_dim(elab, given->at, given->name, v.dim, dim))
                force->par[offset] = v.one;
        }
    }
    return true;
}

/* ---- their values ------------------------------------------------------------------ */

/* Fills the packed parameters with the values that are known now; of one that changes in a run with
 * what it can be, next to the default; of one that is not known yet with the default. */
static void known_values(const dry_elab *elab, const dry_force *force, double *par) {
    dry_law_defaults(force->law, force->elements, par);
    for (int row = 0, i = 0; row < force->law->n_params; row++) {
        const bool list = force->law->params[row].form == DRY_LIST;
        for (const int end = i + (list ? force->elements : 1); i < end; i++) {
            const dry_interval bounds = dry_lang__law_bounds(elab, force, row, i);
            par[i] = fmax(bounds.low, fmin(bounds.high, par[i]));
        }
    }
}

/* Checks that every parameter that is known now is in its range. */
void dry_lang_check_law(dry_elab *elab, const dry_force *force) {
    double *par = dry_arena_take(elab->arena, sizeof(double) * (size_t)force->n_par);
    if (!par || !dry_lang__has_one_answer(elab, force, par)) return;
    known_values(elab, force, par);
    int row;
    const dry_wrong *wrong = dry_law_check(force->law, par, force->dim, &row);
    if (!wrong) return;
    DRY_SAY(elab->diag, force->at, LAW_PARAMETER, force->law->name, wrong->what);
    if (wrong->way_out) dry_diag_way_out(elab->diag, "%s", wrong->way_out);
}

double dry_lang_law_value(const dry_elab *elab, const dry_force *force, const char *name) {
    int i = dry_law_par_find(force->law, name);
    if (i < 0) return (double)NAN;
    if (force->design.follows && !strcmp(name, "K"))
        return elab->quantities.par_value[force->design.slot_K];
    dry_node node = force->par[dry_law_par_offset(force->law, i, force->elements)];
    if (dry_dag_depends(elab->dag, node) & ~(unsigned)DRY_ON_PAR) return (double)NAN;
    return dry_dag_value(elab->dag, node, elab->quantities.par_value, 0.0, NULL, NULL, 0);
}
