/* jacobian: the derivatives of all rates with respect to the time and to the states that they need,
 * for the implicit methods (stiff.h). Symbolic differentiation makes them. They have code of their
 * own, which is made only if the run's method needs it.
 *
 * A law is differentiated by its own Jacobian with respect to its inputs and states. Parameters of
 * a law that vary with the state (all except coulomb's level) count as constant in it. */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>

typedef struct entries {
    const dry_elab *elab;
    dry_derivatives *to;
    bool failed;
    const dry_node *node; /* what is differentiated: n numbers */
    int n, row;           /* row: the one that is examined */
} entries;

static bool grow(dry_arena *arena, dry_derivatives *to) {
    const int room = to->room > 0 ? 2 * to->room : 64;
    dry_node *node = dry_heap_grow(arena, to->node, sizeof *node * (size_t)room);
    if (node) to->node = node;
    int *row = dry_heap_grow(arena, to->row, sizeof *row * (size_t)room);
    if (row) to->row = row;
    int *column = dry_heap_grow(arena, to->column, sizeof *column * (size_t)room);
    if (column) to->column = column;
    if (!node || !row || !column) return false;
    to->room = room;
    return true;
}

static void put(entries *e, dry_node node, int row, int column) {
    dry_derivatives *to = e->to;
    e->failed = e->failed || (to->n == to->room && !grow(e->elab->arena, to));
    if (e->failed) return;
    to->node[to->n] = node;
    to->row[to->n] = row;
    to->column[to->n++] = column;
}

static void add(entries *e, dry_node variable, int column) {
    const dry_node d = dry_dag_diff(e->elab->dag, e->node[e->row], variable, NULL, 0);
    if (d != 0) put(e, d, e->row, column);
}

/* ---- which, then what -------------------------------------------------------------- */

typedef struct found {
    int *state, n;
} found;

static void note(void *user, int index) {
    found *f = user;
    f->state[f->n++] = index;
}

static bool differentiate(entries *e) {
    const dry_elab *elab = e->elab;
    dry_leaves leaves = {0};
    found f = {
        .state = dry_heap_take(elab->arena, (size_t)(elab->quantities.n_states + 1), sizeof(int))};
    bool good = f.state && dry_leaves_size(&leaves, elab->dag); /* the nodes exist already */
    for (e->row = 0; good && e->row < e->n; e->row++) {
        f.n = 0;
        dry_leaves_of(&leaves, e->node[e->row], note, &f);
        for (int k = 0; k < f.n; k++)
            add(e, dry_dag_leaf(elab->dag, DRY_OP_STATE, f.state[k]), f.state[k]);
        if (dry_dag_depends(elab->dag, e->node[e->row]) & DRY_ON_T)
            add(e, dry_dag_leaf(elab->dag, DRY_OP_T, 0), elab->quantities.n_states);
        good = !e->failed && !dry_dag_failed(elab->dag);
    }
    dry_leaves_free(&leaves);
    free(f.state);
    return good;
}

bool dry_model_differentiate_nodes(const dry_model *model, const dry_node *nodes, int n,
                                   dry_derivatives *derivatives) {
    entries e = {.elab = &model->elab, .to = derivatives, .node = nodes, .n = n};
    *derivatives = (dry_derivatives){0};
    const bool good = differentiate(&e);
    if (good && derivatives->n == 0) put(&e, 0, 0, 0); /* known to be 0, not unknown */
    return good && !e.failed;
}

bool dry_model_differentiate(const dry_model *model, dry_derivatives *derivatives) {
    const dry_quantities *all = &model->elab.quantities;
    dry_node *rate = dry_heap_take(model->elab.arena, (size_t)all->n_states + 1, sizeof *rate);
    *derivatives = (dry_derivatives){0};
    for (int i = 0; rate && i < all->n_states; i++) rate[i] = all->state[i].rate;
    const bool good =
        rate && dry_model_differentiate_nodes(model, rate, all->n_states, derivatives);
    free(rate);
    return good;
}

void dry_model_derivatives_free(dry_derivatives *derivatives) {
    free(derivatives->node);
    free(derivatives->row);
    free(derivatives->column);
}

/* ---- the function of the system ---------------------------------------------------- */

static void *registers(const dry_env *env) {
    const dry_model *model = env->model;
    return (char *)env->work + model->jacobian_work;
}

static void jacobian(const dry_env *env, double t, double tau, const double *x, double *values) {
    const dry_model *model = env->model;
    dry_image_run(model->jacobian_image, 0, t, tau, x, values, registers(env));
}

void dry_model__prepare_jacobian(const dry_env *env) {
    const dry_model *model = env->model;
    dry_image_prepare(model->jacobian_image, env->par, registers(env));
}

static const int *kept(dry_model *model, const int *from, int n) {
    int *to = dry_arena_take(model->arena, sizeof *to * (size_t)(n + 1));
    if (to) memcpy(to, from, sizeof *to * (size_t)n);
    return to;
}

static bool describe(dry_model *model, const dry_derivatives *d) {
    dry_system *system = &model->system;
    const dry_section section = {"jacobian", d->node, d->n, false, 0};
    model->jacobian_image = dry_image_new(
        model->elab.dag,
        (dry_image_sizes){model->elab.quantities.n_params, model->elab.quantities.n_states, 0},
        &section, 1);
    if (!model->jacobian_image) return false;
    const size_t line = sizeof(double);
    model->jacobian_work = (system->work_size + line - 1) / line * line;
    system->work_size = model->jacobian_work + dry_image_work_size(model->jacobian_image);
    system->jacobian_row = kept(model, d->row, d->n);
    system->jacobian_column = kept(model, d->column, d->n);
    system->n_jacobian = d->n;
    system->jacobian = jacobian;
    return system->jacobian_row && system->jacobian_column;
}

void dry_model__jacobian(dry_model *model) {
    dry_derivatives d;
    if (!dry_model_differentiate(model, &d) || !describe(model, &d))
        DRY_SAY(&model->diag, (dry_place){0}, TOO_LARGE, "");
    dry_model_derivatives_free(&d);
}
