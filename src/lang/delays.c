/* delays: delay(x, T), the value of x T seconds ago.
 *
 *     f = -Kp*delay(x, T) - Kd*delay(v, T)      before t = T: the values at the start
 *     y = delay(x, T, cos(w*t))                 before t = T: what x was before the start
 *
 * delay(e, T) is the expression e with all that it reads T seconds older: t becomes t - T, a state
 * becomes what its delay line holds (lines.c), and the delay of a delay adds up the times. So a
 * jump of a function of time stays a jump at a known time, and only states are remembered.
 *
 * While the text is read, a REF stands for each delayed number; its meaning is made when all rates
 * are known. */
#include "lang_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the call ---------------------------------------------------------------------- */

static bool find_time(dry_elab *elab, const dry_expr *expr, double *T) {
    dry_numbers numbers;
    if (!dry_lang__numbers(elab, expr, "delay time", "s", &numbers)) return false;
    *T = numbers.count == 1 ? numbers.value[0] : (double)NAN;
    if (*T > 0.0 && isfinite(*T)) return true;
    DRY_SAY(elab->diag, expr->at, DELAY_TIME, "");
    return false;
}

/* What it was before the start: a function of parameters and the time. */
static bool fits_before(dry_elab *elab, const dry_expr *expr, const dry_term *x,
                        const dry_term *before) {
    if (!dry_lang__same_shape(x, before)) {
        dry_lang__shapes_differ(elab, expr->at, "delay", x, before);
        return false;
    }
    for (int k = 0; k < dry_term_size(before); k++)
        if (dry_dag_depends(elab->dag, dry_term_at(before, k)) &
            ~(unsigned)(DRY_ON_PAR | DRY_ON_T)) {
            DRY_SAY(elab->diag, expr->at, DELAY_BEFORE, "");
            return false;
        }
    return dry_lang__same_dim(elab, expr->at, "delay", x->dim, before->dim);
}

/* What does not change has no past of its own. */
static dry_node delay_one(dry_elab *elab, dry_node value, dry_node before, double T, dry_place at) {
    if (before < 0 && dry_dag_is_static(elab->dag, value)) return value;
    const int ref = dry_lang__new_ref(elab, at);
    dry_delay_info *info =
        ref >= 0 ? DRY_GROW(elab->arena, &elab->quantities.sampling, delay) : NULL;
    if (!info) return 0;
    *info = (dry_delay_info){value, before, T, ref, at};
    return dry_dag_leaf(elab->dag, DRY_OP_REF, ref);
}

dry_term dry_lang__delay(dry_elab *elab, const dry_expr *call, const dry_term *arg) {
    const dry_term *before = call->n_args > 2 ? &arg[2] : NULL;
    double T;
    if (!find_time(elab, call->arg[1], &T)) return dry_lang__bad(elab);
    if (arg[0].rank > 1) {
        DRY_SAY(elab->diag, call->at, BAD_ARGUMENT, call->text, "a number or a vector",
                dry_lang_shape(elab, &arg[0]));
        return dry_lang__bad(elab);
    }
    if (before && !fits_before(elab, call->arg[2], &arg[0], before)) return dry_lang__bad(elab);
    dry_term v = dry_lang__like(elab, &arg[0]);
    for (int k = 0; !v.bad && k < dry_term_size(&v); k++)
        dry_term_put(&v, k,
                     delay_one(elab, dry_term_at(&arg[0], k), before ? dry_term_at(before, k) : -1,
                               T, call->at));
    return v;
}

/* ---- the meaning ------------------------------------------------------------------- */

/* What takes the place of t in what is copied: t - T, or a constant that is not after the start.
 * Numbers of the motion are T seconds old in both. */
typedef struct past {
    dry_elab *elab;
    double T, constant;
    bool is_constant;
    dry_place at;
    dry_node *renamed, *args;
    unsigned char *mark;
} past;

static dry_node copied(const past *p, dry_node root);

static dry_node seconds(const past *p, double T) { return dry_dag_const(p->elab->dag, T); }

static dry_node time_of(const past *p) {
    dry_dag *dag = p->elab->dag;
    if (p->is_constant) return seconds(p, p->constant);
    return dry_dag_bin(dag, DRY_OP_SUB, dry_dag_leaf(dag, DRY_OP_T, 0), seconds(p, p->T));
}

static bool needs_time(const past *p, dry_node node) {
    return dry_dag_depends(p->elab->dag, node) & (DRY_ON_T | DRY_ON_REF);
}

/* Before the start a number is what the text says, or what it is at the start: with t = 0 and with
 * the lines, which hold their values at the start until then. */
static dry_node before_start(const past *p, const dry_delay_info *delay) {
    past q = *p;
    q.is_constant = delay->before < 0 || p->is_constant;
    q.constant = delay->before < 0 ? 0.0 : p->constant - delay->T;
    q.T = p->T + delay->T;
    return copied(&q, delay->before < 0 ? delay->value : delay->before);
}

static dry_node meaning(const past *p, const dry_delay_info *delay) {
    dry_dag *dag = p->elab->dag;
    const bool plain = delay->before < 0 && !needs_time(p, delay->value);
    if (p->is_constant && !plain) return before_start(p, delay);
    past q = *p;
    q.T += delay->T;
    const dry_node after = copied(&q, delay->value);
    if (plain || p->is_constant) return after;
    const dry_node early =
        dry_dag_bin(dag, DRY_OP_LT, dry_dag_leaf(dag, DRY_OP_T, 0), seconds(p, q.T));
    return dry_dag_select(dag, early, before_start(p, delay), after);
}

static dry_node meaning_of_ref(const past *p, int ref) {
    const dry_sampling *all = &p->elab->quantities.sampling;
    for (int i = 0; i < all->n_delays; i++)
        if (all->delay[i].ref == ref) return meaning(p, &all->delay[i]);
    for (int i = 0; i < p->elab->scene.n_outers; i++)
        if (p->elab->scene.outer[i].ref == ref) return dry_lang__past(p->elab, -1, i, p->T, p->at);
    return dry_dag_leaf(p->elab->dag, DRY_OP_REF, ref); /* a circle, which is reported later */
}

/* t < c becomes t < c + T, a time that a method can meet. */
static bool shift_comparison(const past *p, const dry_node_view *v, dry_node *node) {
    dry_dag *dag = p->elab->dag;
    if (!dry_op_rows[v->op].meets || p->is_constant) return false;
    for (int i = 0; i < 2; i++) {
        const dry_node c = v->args[1 - i];
        if (dry_dag_op(dag, v->args[i]) != DRY_OP_T ||
            (dry_dag_depends(dag, c) & ~(unsigned)DRY_ON_PAR))
            continue;
        const dry_op op = v->op;
        const dry_node t = v->args[i], later = dry_dag_bin(dag, DRY_OP_ADD, c, seconds(p, p->T));
        *node = i ? dry_dag_bin(dag, op, later, t) : dry_dag_bin(dag, op, t, later);
        return true;
    }
    return false;
}

/* A table of the time has all its knots later. */
static bool shift_table(const past *p, const dry_node_view *v, dry_node *node) {
    dry_dag *dag = p->elab->dag;
    if (v->op != DRY_OP_TABLE || v->n_args != 1 || p->is_constant) return false;
    const dry_node argument = v->args[0];
    if (dry_dag_op(dag, argument) != DRY_OP_T) return false;
    dry_table *later = dry_arena_take(p->elab->arena, sizeof *later);
    double *x = dry_arena_take(p->elab->arena, sizeof *x * (size_t)(v->block.table->n + 1));
    if (!later || !x) return false;
    *later = *v->block.table;
    for (int i = 0; i < later->n; i++) x[i] = later->x[i] + p->T;
    later->x = x;
    *node = dry_dag_table(dag, later, &argument);
    return true;
}

/* A force is a function of its past states and arguments, unless its set is kept. */
static bool is_kept(const past *p, dry_node block) {
    const dry_quantities *all = &p->elab->quantities;
    if (dry_dag_op(p->elab->dag, block) != DRY_OP_LAW) return false;
    for (int i = 0; i < all->n_forces; i++)
        if (all->force[i].block == block)
            return dry_lang__has_no_past(p->elab, &all->force[i], p->at);
    return false;
}

static dry_node copy_node(const past *p, dry_node k) {
    dry_dag *dag = p->elab->dag;
    const dry_node_view v = dry_dag_view(dag, k);
    dry_node node;
    if (v.op == DRY_OP_T) return time_of(p);
    if (v.op == DRY_OP_STATE) return dry_lang__past(p->elab, v.index, -1, p->T, p->at);
    if (v.op == DRY_OP_REF) return meaning_of_ref(p, v.index);
    if (shift_comparison(p, &v, &node) || shift_table(p, &v, &node)) return node;
    bool changed = false;
    for (int i = 0; i < v.n_args; i++) {
        p->args[i] = p->renamed[v.args[i]];
        changed |= p->args[i] != v.args[i];
    }
    if (is_kept(p, k)) return 0;
    return changed ? dry_dag_rebuild(dag, k, p->args) : k;
}

/* Arguments come before the nodes that need them. */
static dry_node copied(const past *p, dry_node root) {
    dry_dag *dag = p->elab->dag;
    const size_t size = (size_t)root + 1;
    past q = *p;
    if (dry_dag_failed(dag) || !dry_lang__spend(p->elab, p->at, 1e-3 * (double)size)) return 0;
    q.renamed = dry_heap_take(p->elab->arena, size, sizeof *q.renamed);
    q.mark = dry_heap_take(p->elab->arena, (size_t)dry_dag_count(dag) + 1, 1);
    q.args = dry_heap_take(p->elab->arena, (size_t)dry_dag_most_args(dag), sizeof *q.args);
    dry_node result = 0;
    if (q.renamed && q.mark && q.args) {
        dry_dag_reach(dag, root, q.mark);
        for (dry_node k = 0; k <= root && !dry_dag_failed(dag); k++)
            if (q.mark[k]) q.renamed[k] = copy_node(&q, k);
        result = q.renamed[root];
    }
    free(q.renamed);
    free(q.mark);
    free(q.args);
    return result;
}

/* ---- all delays -------------------------------------------------------------------- */

/* Replaces what stands for later elements, so that arguments come before their users. Returns false
 * if they form a circle. */
static bool resolve(dry_elab *elab) {
    dry_node *renamed =
        dry_heap_take(elab->arena, (size_t)dry_dag_count(elab->dag), sizeof *renamed);
    const bool good = renamed && dry_dag_resolve(elab->dag, elab->quantities.ref,
                                                 elab->quantities.n_refs, renamed) < 0;
    if (good) dry_lang_rename(elab, renamed);
    free(renamed);
    return good;
}

void dry_lang_delays(dry_elab *elab) {
    dry_sampling *all = &elab->quantities.sampling;
    const dry_method *method = dry_lang_method_row(elab);
    if (!all->n_delays || elab->diag->n_errors || !resolve(elab)) return;
    all->tau = method->uses_tau ? elab->run.step : 0.0;
    for (int i = 0; i < all->n_delays && !elab->diag->n_errors; i++) {
        const past now = {.elab = elab, .at = all->delay[i].at};
        elab->quantities.ref[all->delay[i].ref] = meaning(&now, &all->delay[i]);
    }
    for (int i = 0; i < all->n_lines; i++)
        if (all->line[i].outer >= 0)
            all->line[i].input = elab->quantities.n_states + all->line[i].outer;
}
