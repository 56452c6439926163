/* one_answer: whether a law whose level depends on the slip of its own element has one force for
 * each motion: K beta must be above the steepest fall of the level (law.h, `fall`).
 *
 * A parameter may change in a run. Then it counts with both ends of its bounds, because K beta
 * rises with K and beta, and the fall with Fs, 1/vs and 1/F, and is largest at an end of alpha. */
#include "lang_private.h"

#include <math.h>

enum { MOST_VARYING = 10 };

/* Its one value if it is known now, else the bounds of all that it can be within its range. */
dry_interval dry_lang__law_bounds(const dry_elab *elab, const dry_force *force, int row, int at) {
    static const double least[] = {[DRY_ANY] = -(double)INFINITY,
                                   [DRY_NONNEGATIVE] = 0.0,
                                   [DRY_POSITIVE] = 0.0,
                                   [DRY_AT_LEAST_ONE] = 1.0};
    double value;
    if (dry_lang__peek(elab, force->par[at], &value)) return (dry_interval){value, value};
    dry_interval bounds = dry_dag_bounds(elab->dag, force->par[at], elab->quantities.par_value);
    bounds.low = fmin(fmax(bounds.low, least[force->law->params[row].range]), bounds.high);
    return bounds;
}

/* The parameters that change, each with its bounds. */
typedef struct varying {
    int n, row[MOST_VARYING], at[MOST_VARYING];
    dry_interval bounds[MOST_VARYING];
} varying;

/* False if a value will be known later, or too many change. */
static bool gather(const dry_elab *elab, const dry_force *force, double *par, varying *v) {
    v->n = 0;
    for (int row = 0; row < force->law->n_params; row++) {
        const int at = dry_law_par_offset(force->law, row, force->elements);
        const dry_interval bounds = dry_lang__law_bounds(elab, force, row, at);
        par[at] = bounds.low;
        if (isnan(bounds.low) || v->n == MOST_VARYING) return false;
        if (bounds.low == bounds.high) continue;
        v->row[v->n] = row, v->at[v->n] = at, v->bounds[v->n++] = bounds;
    }
    return true;
}

/* The first parameter without a bound at the end that the corner takes; NULL: none. */
static const char *endless(const dry_force *force, const varying *v, const double *par) {
    for (int i = 0; i < v->n; i++)
        if (isinf(par[v->at[i]])) return force->law->params[v->row[i]].name;
    return NULL;
}

static void say(dry_elab *elab, const dry_force *force, const varying *v, const double *par,
                double damping, double fall) {
    dry_diagnostics *diag = elab->diag;
    const char *name = endless(force, v, par);
    if (name)
        DRY_SAY(diag, force->at, ANSWERS_UNKNOWN, force->law->name, name);
    else
        DRY_SAY(diag, force->at, TWO_ANSWERS, force->law->name, dry_diag_number(diag, damping),
                dry_diag_number(diag, fall));
}

bool dry_lang__has_one_answer(dry_elab *elab, const dry_force *force, double *par) {
    varying v;
    double damping, fall;
    if (!force->law->fall || !gather(elab, force, par, &v)) return true;
    for (unsigned corner = 0; corner < 1u << v.n; corner++) {
        for (int i = 0; i < v.n; i++)
            par[v.at[i]] = corner >> i & 1u ? v.bounds[i].high : v.bounds[i].low;
        if (dry_law_has_one_answer(force->law, par, &damping, &fall)) continue;
        say(elab, force, &v, par, damping, fall);
        return false;
    }
    return true;
}
