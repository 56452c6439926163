/* recheck: repeats, for other values of parameters, the checks that the compiler makes by values:
 * ranges of parameters and of laws, times of measures, starts, gaps, effective masses, rates at the
 * start, the step. It runs the compiler's own checks on a copy of the data that they read and
 * write. */
#include "model_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the checks ---------------------------------------------------------------------- */

/* Keys of sets must be positive, whatever the range of the law is. */
static bool keys_pass(const dry_elab *elab, const dry_force *force) {
    static const char *const keys[] = {"K", "beta", "alpha"};
    bool pass = true;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && force->set; i++)
        pass = pass && !(dry_lang_law_value(elab, force, keys[i]) <= 0.0);
    return pass;
}

/* Checks the values before anything is chosen. */
static bool values_pass(dry_model__trial *trial) {
    dry_elab *elab = &trial->copy.elab;
    const dry_quantities *q = &elab->quantities;
    for (int i = 0; i < q->n_params; i++)
        if (!q->param[i].hidden && !isfinite(q->par_value[i])) return false;
    for (int i = 0; i < q->n_forces; i++)
        if (!keys_pass(elab, &q->force[i])) return false;
    for (int i = 0; i < q->n_forces; i++) dry_lang_check_law(elab, &q->force[i]);
    dry_lang_check_ranges(elab);
    dry_lang_check_times(elab);
    return trial->copy.diag.n_errors == 0 && dry_model__trial_wellposed(trial);
}

/* Checks the start of the run, with what was chosen, before it is softer. */
static bool start_passes(const dry_model__trial *trial) {
    const dry_model *copy = &trial->copy;
    const dry_subject subject = dry_model__subject(copy);
    dry_check_start_rates(&subject);
    return copy->diag.n_errors == 0 && !dry_dag_failed(copy->elab.dag) &&
           dry_check_resolves_same(&subject);
}

static bool step_passes(const dry_model__trial *trial) {
    const dry_subject subject = dry_model__subject(&trial->copy);
    return dry_check_step_fits(&subject);
}

static bool has(const dry_model__trial *trial, const double *par) {
    const dry_quantities *q = &trial->copy.elab.quantities;
    return memcmp(q->par_value, par, sizeof *par * (size_t)q->n_params) == 0;
}

/* Chooses, and checks all but the step that the run then has. */
static bool settles(dry_model__trial *trial, const dry_model *model, const double *par) {
    if (!dry_model__trial_begin(trial, model, par)) return false;
    dry_model__forget_chosen(trial);
    if (!values_pass(trial) || !dry_model__choose(trial) || !start_passes(trial)) return false;
    dry_model__soften_chosen(trial);
    return true;
}

/* Changes nothing in the model except what its graph remembers of the last query. With parts, only
 * a new compilation can decide: no parameter is free there. */
bool dry_model_par_passes(const dry_model *model, const double *par) {
    dry_model__trial trial;
    if (model->elab.scene.net) return false;
    const bool pass = settles(&trial, model, par) && has(&trial, par) && step_passes(&trial);
    dry_model__trial_end(&trial);
    return pass;
}

bool dry_model_par_settle(const dry_model *model, double *par) {
    const dry_quantities *q = &model->elab.quantities;
    dry_model__trial trial;
    if (model->elab.scene.net) return false;
    dry_model_follow_text(model, par, -1);
    const bool pass = settles(&trial, model, par) && step_passes(&trial);
    for (int i = 0; i < q->n_params; i++)
        if (q->param[i].chosen)
            par[i] = pass ? trial.copy.elab.quantities.par_value[i] : (double)NAN;
    dry_model__trial_end(&trial);
    return pass;
}

/* ---- which parameters they look at ----------------------------------------------------- */

/* How a node depends on a parameter: not at all; in proportion, through states that begin with it,
 * with a factor that is free of states; in another way. */
typedef enum part { FREE, LINEAR, OTHER } part;

static bool is_par(const dry_dag *dag, dry_node node, int par) {
    const dry_node_view v = dry_dag_view(dag, node);
    return v.op == DRY_OP_PAR && v.index == par;
}

static part leaf_part(const dry_elab *elab, const dry_node_view *n, int par) {
    if (n->op == DRY_OP_PAR) return n->index == par ? OTHER : FREE;
    if (n->op != DRY_OP_STATE || n->index >= elab->quantities.n_states) return FREE;
    return is_par(elab->dag, elab->quantities.state[n->index].start, par) ? LINEAR : FREE;
}

static part node_part(const dry_elab *elab, dry_node node, int par, const unsigned char *parts) {
    const dry_node_view n = dry_dag_view(elab->dag, node);
    const dry_node *args = n.args;
    if (dry_op_is_leaf(n.op)) return leaf_part(elab, &n, par);
    part most = FREE;
    bool factors = true; /* product: one depends on the parameter, the others on no state */
    for (int i = 0; i < n.n_args; i++) {
        if (parts[args[i]] > most) most = (part)parts[args[i]];
        factors = factors && (parts[args[i]] == LINEAR ||
                              !(dry_dag_depends(elab->dag, args[i]) & DRY_ON_STATE));
    }
    if (most != LINEAR || n.op == DRY_OP_ADD || n.op == DRY_OP_SUB || n.op == DRY_OP_NEG)
        return most;
    const bool one = n.op == DRY_OP_MUL && factors && parts[args[0]] != parts[args[1]];
    return one || (n.op == DRY_OP_DIV && factors && parts[args[1]] == FREE) ? LINEAR : OTHER;
}

static bool all_free(const unsigned char *parts, const dry_node *nodes, int n) {
    for (int i = 0; i < n; i++)
        if (nodes[i] >= 0 && parts[nodes[i]] != FREE) return false;
    return true;
}

static bool states_allow(const dry_elab *elab, int par, const unsigned char *parts) {
    for (int i = 0; i < elab->quantities.n_states; i++) {
        const dry_state_info *s = &elab->quantities.state[i];
        if (parts[s->rate] == OTHER) return false;
        if (parts[s->start] != FREE && !is_par(elab->dag, s->start, par)) return false;
    }
    return true;
}

static bool looked_at(const dry_elab *elab, int par, const unsigned char *parts) {
    for (int i = 0; i < elab->quantities.n_params; i++) {
        const dry_param_info *p = &elab->quantities.param[i];
        if (!all_free(parts, &p->meaning, i != par) || (i == par && p->low >= 0) ||
            !all_free(parts, (dry_node[]){p->low, p->high}, 2))
            return true;
    }
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force *f = &elab->quantities.force[i];
        const dry_node own[] = {dry_lang_is_friction(f) ? f->chi : -1, f->design.inverse_mass};
        if (!all_free(parts, f->par, f->n_par) || !all_free(parts, f->input, f->n_inputs) ||
            !all_free(parts, own, 2) || !all_free(parts, f->design.asked, DRY_N_ASKED))
            return true;
    }
    for (int i = 0; i < elab->results.n_reducers; i++)
        if (!all_free(parts,
                      (dry_node[]){elab->results.reducer[i].from, elab->results.reducer[i].to}, 2))
            return true;
    return !states_allow(elab, par, parts);
}

bool dry_model_par_matters(const dry_model *model, int par) {
    const dry_elab *elab = &model->elab;
    if (par < 0) return false;
    const int n = dry_dag_count(elab->dag);
    unsigned char *parts = malloc((size_t)n + 1);
    if (!parts) return true;
    for (dry_node i = 0; i < n; i++) parts[i] = (unsigned char)node_part(elab, i, par, parts);
    const bool matters = looked_at(elab, par, parts);
    free(parts);
    return matters;
}
