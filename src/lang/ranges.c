/* ranges: the values that the text allows for a parameter, `param mu = 0.3 in 0..1`. The ends are
 * expressions of earlier parameters, so that they are nodes, and every check computes them anew. A
 * range of a vector holds for each of its numbers. */
#include "lang_private.h"

#include <math.h>

/* ---- the text ------------------------------------------------------------------------ */

static bool range_end(dry_elab *elab, const dry_expr *expr, dry_dim dim, dry_node *node) {
    const dry_term v = dry_lang__scalar_expr(elab, expr, "the end of a range");
    if (v.bad || !dry_lang__same_dim(elab, expr->at, "parameter and its range", dim, v.dim))
        return false;
    *node = v.one;
    return true;
}

void dry_lang__define_range(dry_elab *elab, const dry_symbol *symbol) {
    const dry_span_expr *range = &symbol->stmt->range;
    dry_node low, high;
    if (!range_end(elab, range->from, symbol->value.dim, &low) ||
        !range_end(elab, range->to, symbol->value.dim, &high))
        return;
    for (int k = 0; k < dry_term_size(&symbol->value); k++) {
        elab->quantities.param[symbol->first + k].low = low;
        elab->quantities.param[symbol->first + k].high = high;
    }
}

/* ---- values -------------------------------------------------------------------------- */

bool dry_lang_range(const dry_elab *elab, const double *values, int par, double range[2]) {
    const dry_param_info *param = &elab->quantities.param[par];
    if (param->low < 0 || param->high < 0) return false;
    range[0] = dry_dag_value(elab->dag, param->low, values, 0.0, NULL, NULL, 0);
    range[1] = dry_dag_value(elab->dag, param->high, values, 0.0, NULL, NULL, 0);
    return true;
}

static bool is_outside(const dry_elab *elab, const double *values, int par) {
    double range[2];
    return dry_lang_range(elab, values, par, range) &&
           !(values[par] >= range[0] && values[par] <= range[1]);
}

int dry_lang_outside(const dry_elab *elab, const double *values) {
    for (int i = 0; i < elab->quantities.n_params; i++)
        if (is_outside(elab, values, i)) return i;
    return -1;
}

/* ---- messages ------------------------------------------------------------------------ */

static const char *in_unit(const dry_elab *elab, double x, dry_dim dim) {
    char unit[DRY_DIM_TEXT];
    dry_dim_text(elab->dims, dim, unit);
    return dry_diag_text(elab->diag, unit[0] ? "%s %s" : "%s", dry_diag_number(elab->diag, x),
                         unit);
}

static void check_range(const dry_elab *elab, int par) {
    const dry_param_info *param = &elab->quantities.param[par];
    const double *values = elab->quantities.par_value;
    double range[2];
    if (!dry_lang_range(elab, values, par, range)) return;
    const char *from = dry_diag_number(elab->diag, range[0]);
    const char *to = in_unit(elab, range[1], param->dim);
    if (!(range[0] <= range[1]))
        DRY_SAY(elab->diag, param->at, RANGE_EMPTY, param->name, from, to);
    else if (isfinite(values[par]) && is_outside(elab, values, par))
        DRY_SAY(elab->diag, param->at, OUTSIDE_RANGE, param->name,
                in_unit(elab, values[par], param->dim), from, to);
}

void dry_lang_check_ranges(const dry_elab *elab) {
    for (int i = 0; i < elab->quantities.n_params; i++) check_range(elab, i);
}
