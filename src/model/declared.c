/* declared: units as the text declares them (declared.h). States and parameters take the unit at
 * their place in the text; quantities of parts take that of the part; sums and sizes take that of
 * their terms; measures take that of the measured quantity. The work of the equations on parts is
 * in J, like the work of parts. */
#include "declared.h"

#include <string.h>

/* Returns the unit after entry k of -30 [deg] or [0 [rad], 1 [rad/s]]. */
static const char *written_unit(const dry_expr *expr, int k) {
    if (expr->kind == DRY_EX_VECTOR && k < expr->n_args) expr = expr->arg[k];
    if (expr->kind == DRY_EX_UNARY && expr->n_args == 1) expr = expr->arg[0];
    return expr->kind == DRY_EX_NUMBER ? expr->unit : NULL;
}

static void declare(const dry_model *model, const dry_symbol *symbol, dry_quantity *list) {
    const int n = symbol->value.bad ? 0 : dry_term_size(&symbol->value);
    for (int k = 0; symbol->stmt->value && k < n; k++) {
        const char *written = written_unit(symbol->stmt->value, k);
        char si[DRY_DIM_TEXT];
        const char *unit = written && dry_unit_si(written, si)
                               ? dry_arena_text(model->arena, si, strlen(si))
                               : NULL;
        if (unit) list[symbol->first + k].unit = unit;
    }
}

/* ---- what is made of them ---------------------------------------------------------------------
 */

enum { DEEP = 4 };

/* Returns the unit of a node; "" if it is not known. The terms of a sum must agree, except for
 * numbers. `deep` bounds the search. */
static const char *unit_of(const dry_model *model, dry_node node, int deep) {
    const dry_node_view v = dry_dag_view(model->elab.dag, node);
    const char *unit = "";
    if (v.op == DRY_OP_STATE)
        return v.index < model->elab.quantities.n_states
                   ? model->states[v.index].unit
                   : model->elab.scene.outer[v.index - model->elab.quantities.n_states].unit;
    if (v.op == DRY_OP_PAR) return model->params[v.index].unit;
    for (int i = 0; deep > 0 && dry_op_rows[v.op].keeps_unit && i < v.n_args; i++) {
        if (dry_dag_view(model->elab.dag, v.args[i]).op == DRY_OP_CONST) continue;
        const char *other = unit_of(model, v.args[i], deep - 1);
        if (!*other || (*unit && strcmp(unit, other) != 0)) return "";
        unit = other;
    }
    return unit;
}

/* Whether a unit is of a dimension: x/1 [m] folds to x, but is not a length. */
static bool is_unit_of(const dry_model *model, const char *unit, dry_dim dim) {
    dry_dims *dims = model->elab.dims;
    char bad[DRY_DIM_TEXT], one[DRY_DIM_TEXT], other[DRY_DIM_TEXT];
    double factor;
    dry_dim named;
    if (!*unit || !dry_unit_parse(unit, &factor, &named, bad)) return false;
    if (!dry_dim_is_known(dims, dim)) return true;
    dry_dim_text(dims, named, one);
    dry_dim_text(dims, dim, other);
    return !strcmp(one, other);
}

/* A state that starts at a parameter, or at a sum of parameters, has their unit. */
static void declare_by_start(const dry_model *model, int state) {
    const dry_state_info *info = &model->elab.quantities.state[state];
    if (info->symbol < 0 || info->start < 0) return;
    const char *unit = unit_of(model, info->start, DEEP);
    if (*unit) model->states[state].unit = unit;
}

static void declare_all(const dry_model *model, dry_symbol_kind kind, dry_quantity *list) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->names.n_symbols; i++)
        if (elab->names.symbol[i].kind == kind) declare(model, &elab->names.symbol[i], list);
}

static bool reducer_keeps_unit(dry_reducer_kind kind) {
    return kind == DRY_FINAL || kind == DRY_AT || kind == DRY_MAX_OF || kind == DRY_MIN_OF ||
           kind == DRY_MEAN || kind == DRY_RMS;
}

void dry_model__declare_units(dry_model *model) {
    const dry_elab *elab = &model->elab;
    declare_all(model, DRY_SYM_PARAM, model->params);
    for (int i = 0; i < elab->quantities.n_states; i++) declare_by_start(model, i);
    declare_all(model, DRY_SYM_STATE, model->states);
    if (elab->scene.n_thrusts) model->states[elab->quantities.push_work].unit = "J";
    for (int i = 0; i < elab->results.n_outputs; i++) {
        const dry_output_info *output = &elab->results.output[i];
        const char *unit = output->unit ? output->unit : unit_of(model, output->node, DEEP);
        if (is_unit_of(model, unit, output->dim)) model->outputs[i].unit = unit;
    }
    for (int i = 0; i < elab->results.n_reducers; i++) {
        const dry_reducer *r = &elab->results.reducer[i];
        if (reducer_keeps_unit(r->kind))
            model->params[r->slot].unit = model->outputs[r->output].unit;
    }
    for (int i = 0; i < elab->results.n_measures; i++) {
        const char *unit = unit_of(model, elab->results.measure[i].value, DEEP);
        if (is_unit_of(model, unit, elab->results.measure[i].dim)) model->measure_unit[i] = unit;
    }
}
