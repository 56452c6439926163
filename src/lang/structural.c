/* structural: which parameters of a compiled model may take other values without compiling anew,
 * and whether two models are the same but for the values of their parameters.
 *
 * A parameter is structural where the compiler has decided something by its value: a size, an
 * index, a branch, a time at which a force jumps, a stiffness. */
#include "dag_private.h"
#include "model.h"

#include <string.h>

/* ---- what the compiler has looked at ------------------------------------------------- */

static void mark(void *context, dry_node node) {
    dry_elab *elab = context;
    const dry_node_record *n = dry_dag__at(elab->dag, node);
    if (n->op == DRY_OP_PAR) elab->param[n->index].structural = true;
    dry_memo__set(elab->dag->memo, node, (dry_memo_cell){.node = node});
}

void dry_lang__note(dry_elab *elab, dry_node node) {
    const dry_walk walk = {.context = elab, .leave = mark};
    if (!(dry_dag_depends(elab->dag, node) & DRY_ON_PAR)) return;
    if (!dry_memo__begin(elab->dag) || !dry_dag__walk(elab->dag, node, &walk))
        for (int i = 0; i < elab->n_params; i++) elab->param[i].structural = true;
}

/* The level of a friction decides whether it is watched; what is chosen depends on everything. */
static bool chooses(dry_elab *elab) {
    for (int i = 0; i < elab->n_forces; i++) {
        const dry_force *force = &elab->force[i];
        if (!force->set) continue;
        if (force->choice != DRY_GIVEN) return true;
        if (dry_lang__is_friction(force)) dry_lang__note(elab, force->chi);
    }
    return false;
}

void dry_lang__structural(dry_model *model) {
    dry_elab *elab = &model->elab;
    const bool all = elab->net || model->inclusion_image || chooses(elab);
    for (int i = elab->n_params - 1; i >= 0; i--) { /* defined by earlier ones only */
        dry_param_info *param = &elab->param[i];
        param->structural = param->structural || all || param->hidden;
        if (param->structural && param->meaning >= 0) dry_lang__note(elab, param->meaning);
    }
}

/* ---- the door ------------------------------------------------------------------------ */

int dry_model_par_find(const dry_model *model, const char *name) {
    for (int i = 0; i < model->elab.n_params; i++)
        if (!model->elab.param[i].hidden && !strcmp(model->elab.param[i].name, name)) return i;
    return -1;
}

bool dry_model_par_free(const dry_model *model, int par) {
    return par >= 0 && par < model->elab.n_params && !model->elab.param[par].structural;
}

bool dry_model_par_follows(const dry_model *model, int par) {
    if (par < 0 || par >= model->elab.n_params) return false;
    const dry_node meaning = model->elab.param[par].meaning;
    return meaning >= 0 && (dry_dag_depends(model->elab.dag, meaning) & DRY_ON_PAR);
}

void dry_model_par_follow(const dry_model *model, double *par) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->n_params; i++)
        if (dry_model_par_follows(model, i))
            par[i] = dry_dag_value(elab->dag, elab->param[i].meaning, par, 0.0, NULL, NULL, 0);
}

/* ---- two models ---------------------------------------------------------------------- */

static bool same_number(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool same_block(const dry_block_info *a, const dry_block_info *b) {
    return a->op == b->op && a->block.law == b->block.law && a->block.dim == b->block.dim &&
           a->block.elements == b->block.elements;
}

static bool same_node(const dry_dag *a, const dry_dag *b, dry_node node) {
    const dry_node_record *n = dry_dag__at(a, node), *m = dry_dag__at(b, node);
    if (n->op != m->op || n->n_args != m->n_args || !same_number(n->value, m->value)) return false;
    if (dry_op__is_block((dry_op)n->op)
            ? !same_block(dry_dag__block(a, node), dry_dag__block(b, node))
            : n->index != m->index)
        return false;
    const dry_node *args = dry_dag__args(a, node), *others = dry_dag__args(b, node);
    for (int i = 0; i < n->n_args; i++)
        if (args[i] != others[i]) return false;
    return true;
}

static bool same_graph(const dry_dag *a, const dry_dag *b) {
    if (dry_dag_count(a) != dry_dag_count(b)) return false;
    for (dry_node i = 0; i < dry_dag_count(a); i++)
        if (!same_node(a, b, i)) return false;
    return true;
}

static bool same_roots(const dry_model *a, const dry_model *b) {
    for (int i = 0; i < DRY_N_SECTIONS; i++)
        if (a->n_roots[i] != b->n_roots[i] ||
            (a->n_roots[i] &&
             memcmp(a->roots[i], b->roots[i], sizeof *a->roots[i] * (size_t)a->n_roots[i]) != 0))
            return false;
    return true;
}

static bool same_breaks(const dry_model *a, const dry_model *b) {
    if (a->system.n_breaks != b->system.n_breaks) return false;
    for (int i = 0; i < a->system.n_breaks; i++)
        if (!same_number(a->breaks[i], b->breaks[i])) return false;
    return true;
}

static bool same_run(const dry_run_options *a, const dry_run_options *b) {
    const double of_a[] = {a->until,    a->step,      a->record, a->rtol, a->atol,
                           a->max_step, a->max_steps, a->P,      a->Q,    a->alpha};
    const double of_b[] = {b->until,    b->step,      b->record, b->rtol, b->atol,
                           b->max_step, b->max_steps, b->P,      b->Q,    b->alpha};
    const bool named = a->method && b->method;
    return memcmp(of_a, of_b, sizeof of_a) == 0 &&
           (named ? !strcmp(a->method, b->method) : a->method == b->method);
}

static bool same_measures(const dry_elab *a, const dry_elab *b) {
    if (a->n_reducers != b->n_reducers || a->n_measures != b->n_measures) return false;
    for (int i = 0; i < a->n_reducers; i++) {
        const dry_reducer *r = &a->reducer[i], *s = &b->reducer[i];
        if (r->kind != s->kind || r->output != s->output || r->crossing != s->crossing ||
            r->from != s->from || r->to != s->to || r->slot != s->slot)
            return false;
    }
    for (int i = 0; i < a->n_measures; i++)
        if (a->measure[i].value != b->measure[i].value) return false;
    return true;
}

bool dry_model_alike(const dry_model *a, const dry_model *b) {
    if (a->elab.net || b->elab.net || a->inclusion_image || b->inclusion_image) return false;
    return a->elab.n_params == b->elab.n_params && a->elab.n_states == b->elab.n_states &&
           same_graph(a->elab.dag, b->elab.dag) && same_roots(a, b) && same_breaks(a, b) &&
           same_run(&a->elab.run, &b->elab.run) && same_measures(&a->elab, &b->elab);
}
