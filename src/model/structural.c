/* structural: finds the parameters of a compiled model that may take other values without a new
 * compilation, and whether two models differ only in the values of their parameters.
 *
 * A parameter is structural if the compiler decided something by its value: a size, an index, a
 * branch, a time at which a force jumps. What it only checks by its value is checked again
 * (recheck.c), what it chooses by it is chosen again (rechoose.c). */
#include "model_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the compiler has looked at ------------------------------------------------- */

static bool chooses(const dry_elab *elab) {
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force *force = &elab->quantities.force[i];
        if (force->set && force->design.choice != DRY_GIVEN) return true;
    }
    return false;
}

/* ---- for callers of the system --------------------------------------------------------- */

static void lead(void *user, int par) { ((dry_par_rule *)user)[par].leads = true; }

static const dry_par_rule any_value = {.low = -(double)INFINITY, .high = (double)INFINITY};

/* A range whose ends use parameters moves with them: the system knows that of their default values.
 */
static dry_par_rule rule_of(const dry_elab *elab, int par) {
    const dry_param_info *param = &elab->quantities.param[par];
    double range[2];
    dry_par_rule rule = any_value;
    rule.fixed = param->fixed;
    if (!dry_lang_range(elab, elab->quantities.par_value, par, range)) return rule;
    rule.moves =
        (dry_dag_depends(elab->dag, param->low) | dry_dag_depends(elab->dag, param->high)) &
        DRY_ON_PAR;
    rule.low = range[0];
    rule.high = range[1];
    return rule;
}

/* The parameters from which the value of another one follows, or its range. */
static void lead_by_text(const dry_elab *elab, dry_par_rule *rules) {
    for (int i = 0; i < elab->quantities.n_params; i++) {
        const dry_param_info *param = &elab->quantities.param[i];
        const dry_node nodes[] = {param->chosen ? -1 : param->meaning, param->low, param->high};
        for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++)
            if (nodes[k] >= 0) (void)dry_dag_each_par(elab->dag, nodes[k], lead, rules);
    }
}

/* The parameters by which dry_model_par_follow chooses K, alpha and beta of a force anew: those of
 * its effective mass, and of what the text asks for. */
static void lead_by_choice(const dry_elab *elab, dry_par_rule *rules) {
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force_design *d = &elab->quantities.force[i].design;
        if (d->choice == DRY_GIVEN) continue;
        if (d->inverse_mass >= 0) (void)dry_dag_each_par(elab->dag, d->inverse_mass, lead, rules);
        for (int k = 0; k < DRY_N_ASKED; k++)
            if (d->asked[k] >= 0) (void)dry_dag_each_par(elab->dag, d->asked[k], lead, rules);
    }
}

/* Parameters of parts follow those of the equations, and are read anew. */
static void give_rules(dry_model *model) {
    const dry_quantities *q = &model->elab.quantities;
    const int n = model->system.n_par;
    dry_par_rule *rules = dry_arena_take(model->arena, sizeof *rules * (size_t)(n + 1));
    for (int i = 0; rules && i < n; i++)
        rules[i] = i < q->n_params ? rule_of(&model->elab, i) : any_value;
    if (rules) lead_by_text(&model->elab, rules);
    if (rules && model->rechooses) lead_by_choice(&model->elab, rules);
    model->system.rules = rules;
}

static void time_it(void *user, int par) { ((dry_elab *)user)->quantities.param[par].timed = true; }

/* Instants follow a parameter in a system of equations; C that is made of the model does not. */
static void finish_timed(dry_elab *elab, dry_param_info *param) {
    const bool decides = param->structural || elab->scene.net;
    if (!param->timed) return;
    if (param->meaning >= 0) (void)dry_dag_each_par(elab->dag, param->meaning, time_it, elab);
    param->timed = !decides;
    param->structural = param->fixed = true;
    param->decides = decides;
}

void dry_model__structural(dry_model *model) {
    dry_elab *elab = &model->elab;
    const bool all = elab->scene.net || model->kept.image || (chooses(elab) && !model->rechooses);
    for (int i = elab->quantities.n_params - 1; i >= 0; i--) { /* defined by earlier ones only */
        dry_param_info *param = &elab->quantities.param[i];
        if (param->structural && param->meaning >= 0) dry_lang_note(elab, param->meaning);
        if (param->fixed && param->meaning >= 0) dry_lang_fix(elab, param->meaning);
        param->decides = param->structural;
        finish_timed(elab, param);
    }
    for (int i = 0; i < elab->quantities.n_params; i++) {
        dry_param_info *param = &elab->quantities.param[i];
        param->structural = param->structural || all || param->hidden;
    }
    give_rules(model);
}

/* ---- the door ------------------------------------------------------------------------ */

int dry_model_par_find(const dry_model *model, const char *name) {
    for (int i = 0; i < model->elab.quantities.n_params; i++)
        if (!model->elab.quantities.param[i].hidden &&
            !strcmp(model->elab.quantities.param[i].name, name))
            return i;
    return -1;
}

bool dry_model_par_free(const dry_model *model, int par) {
    return par >= 0 && par < model->elab.quantities.n_params &&
           !model->elab.quantities.param[par].structural;
}

bool dry_model_par_timed(const dry_model *model, int par) {
    return par >= 0 && par < model->elab.quantities.n_params &&
           model->elab.quantities.param[par].timed;
}

bool dry_model_instants_fit(const dry_model *model, const double *par) {
    const dry_sampling *all = &model->elab.quantities.sampling;
    bool fit = true;
    for (int i = 0; i < all->n_offsets; i++) {
        const double offset =
            dry_dag_value(model->elab.dag, all->offset[i].node, par, 0.0, NULL, NULL, 0);
        fit = fit && offset > 0.0 && offset <= all->offset[i].most;
    }
    return fit;
}

bool dry_model_par_follows(const dry_model *model, int par) {
    if (par < 0 || par >= model->elab.quantities.n_params) return false;
    if (model->elab.quantities.param[par].chosen) return true;
    const dry_node meaning = model->elab.quantities.param[par].meaning;
    return meaning >= 0 && (dry_dag_depends(model->elab.dag, meaning) & DRY_ON_PAR);
}

void dry_model_follow_text(const dry_model *model, double *par, int held) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->quantities.n_params; i++)
        if (i != held && dry_model_par_follows(model, i) && !elab->quantities.param[i].chosen)
            par[i] = dry_dag_value(elab->dag, elab->quantities.param[i].meaning, par, 0.0, NULL,
                                   NULL, 0);
}

void dry_model_par_follow(const dry_model *model, double *par) {
    dry_model_follow_text(model, par, -1);
    dry_model__rechoose(model, par);
}

typedef struct asking {
    const bool *changes;
    bool reads;
} asking;

static void note_change(void *user, int index) {
    asking *a = user;
    a->reads = a->reads || a->changes[index];
}

static bool reads_change(const dry_elab *elab, const bool *changes, dry_node node) {
    asking a = {changes, false};
    return node >= 0 && (!dry_dag_each_par(elab->dag, node, note_change, &a) || a.reads);
}

bool dry_model_par_asks(const dry_model *model, int par) {
    const dry_elab *elab = &model->elab;
    const dry_quantities *q = &elab->quantities;
    bool asks = false;
    bool *changes = par < 0 || par >= q->n_params
                        ? NULL
                        : dry_heap_take(elab->arena, (size_t)q->n_params, sizeof *changes);
    if (!changes) return false;
    changes[par] = true;
    for (int i = par + 1; i < q->n_params; i++)
        changes[i] = reads_change(elab, changes, q->param[i].meaning);
    for (int i = 0; i < q->n_forces; i++)
        for (int k = 0; k < DRY_N_ASKED; k++)
            asks = asks || reads_change(elab, changes, q->force[i].design.asked[k]);
    free(changes);
    return asks;
}

/* ---- ranges -------------------------------------------------------------------------- */

bool dry_model_par_range(const dry_model *model, int par, double range[2]) {
    return par >= 0 && par < model->elab.quantities.n_params &&
           dry_lang_range(&model->elab, model->elab.quantities.par_value, par, range);
}

int dry_model_par_outside(const dry_model *model, const double *par) {
    return dry_lang_outside(&model->elab, par);
}

/* ---- two models ---------------------------------------------------------------------- */

static bool same_roots(const dry_model *a, const dry_model *b) {
    for (int i = 0; i < DRY_N_SECTIONS; i++)
        if (a->code.n_roots[i] != b->code.n_roots[i] ||
            (a->code.n_roots[i] &&
             memcmp(a->code.roots[i], b->code.roots[i],
                    sizeof *a->code.roots[i] * (size_t)a->code.n_roots[i]) != 0))
            return false;
    return true;
}

static bool same_run(const dry_run_options *a, const dry_run_options *b) {
    const double of_a[] = {a->until,    a->step,      a->record, a->rtol, a->atol,
                           a->max_step, a->max_steps, a->P,      a->Q,    a->weight};
    const double of_b[] = {b->until,    b->step,      b->record, b->rtol, b->atol,
                           b->max_step, b->max_steps, b->P,      b->Q,    b->weight};
    return memcmp(of_a, of_b, sizeof of_a) == 0 && a->method == b->method;
}

static bool same_measures(const dry_results *a, const dry_results *b) {
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
    if (a->elab.scene.net || b->elab.scene.net || a->kept.image || b->kept.image) return false;
    return a->elab.quantities.n_params == b->elab.quantities.n_params &&
           a->elab.quantities.n_states == b->elab.quantities.n_states &&
           dry_dag_equal(a->elab.dag, b->elab.dag) && same_roots(a, b) &&
           a->system.n_breaks == b->system.n_breaks && same_run(&a->elab.run, &b->elab.run) &&
           same_measures(&a->elab.results, &b->elab.results);
}

/* ---- parameters of parts ---------------------------------------------------------------- */

int dry_model_next_chosen(const dry_model *model, int par) {
    const int own = model->elab.quantities.n_params, n = model->system.n_par;
    if (!model->elab.scene.net) return -1;
    if (par < own) par = own;
    while (par < n && !dry_net_is_chosen(model->elab.scene.net, par - own)) par++;
    return par < n ? par : -1;
}

int dry_model_part_of_par(const dry_model *model, int par) {
    const dry_net *net = model->elab.scene.net;
    return net ? dry_net_part_of_par(net, par - model->elab.quantities.n_params) : -1;
}

const char *dry_model_part_par_name(const dry_model *model, int par) {
    const dry_net *net = model->elab.scene.net;
    return net ? dry_net_par_name(net, par - model->elab.quantities.n_params) : NULL;
}
