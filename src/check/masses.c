/* masses: reports a negative mass or moment of inertia if a rate is divided by it, because the mass
 * then moves against its force. The check reports parameters in kg and in kg m^2 that divide a term
 * of a rate, alone or in a product. In a sum one of them may be negative. (Zero makes the rate
 * infinite, which start_rates.c reports. wellposed.c checks the sign of set-valued forces.) */
#include "check_private.h"

enum { DEEPEST = 200 }; /* limit for nested sums and products */

typedef struct search {
    const dry_elab *elab;
    dry_dim mass, inertia;
    const dry_state_info *state;
} search;

static bool is_mass(const search *s, dry_dim dim) {
    dry_dims *dims = s->elab->dims;
    return dry_dim_is_known(dims, dim) &&
           (dry_dim_unify(dims, dim, s->mass) || dry_dim_unify(dims, dim, s->inertia));
}

static void check(const search *s, int par) {
    const dry_elab *elab = s->elab;
    const dry_param_info *param = &elab->quantities.param[par];
    if (param->hidden || !(elab->quantities.par_value[par] < 0.0) || !is_mass(s, param->dim))
        return;
    DRY_SAY(elab->diag, param->at, NEGATIVE_MASS, param->name,
            dry_diag_number(elab->diag, elab->quantities.par_value[par]), s->state->name);
}

/* Looks at the factors of a term's divisor. */
static void look_below(const search *s, dry_node node, int depth) {
    const dry_node_view v = dry_dag_view(s->elab->dag, node);
    if (v.op == DRY_OP_PAR) check(s, v.index);
    if (depth >= DEEPEST || (v.op != DRY_OP_MUL && v.op != DRY_OP_NEG)) return;
    for (int i = 0; i < v.n_args; i++) look_below(s, v.args[i], depth + 1);
}

/* Looks at the terms of a rate. */
static void look(const search *s, dry_node node, int depth) {
    const dry_node_view v = dry_dag_view(s->elab->dag, node);
    if (v.op == DRY_OP_DIV) look_below(s, v.args[1], depth + 1);
    const bool terms =
        v.op == DRY_OP_ADD || v.op == DRY_OP_SUB || v.op == DRY_OP_MUL || v.op == DRY_OP_NEG;
    for (int i = 0; terms && depth < DEEPEST && i < v.n_args; i++) look(s, v.args[i], depth + 1);
}

void dry_check_masses(const dry_elab *elab) {
    search s = {.elab = elab,
                .mass = dry_lang_unit_dim(elab, "kg"),
                .inertia = dry_lang_unit_dim(elab, "kg m^2")};
    bool negative = false;
    for (int i = 0; i < elab->quantities.n_params; i++)
        negative |= elab->quantities.par_value[i] < 0.0;
    for (int i = 0; negative && i < elab->quantities.n_states; i++) {
        s.state = &elab->quantities.state[i];
        if (s.state->symbol >= 0 && s.state->rate >= 0) look(&s, s.state->rate, 0);
    }
}
