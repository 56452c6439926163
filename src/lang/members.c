/* members: the members of a force besides its value: f.a, f.slip, N.closed, f.K; and the meaning of
 * f.slip if the set is kept. */
#include "lang_private.h"

#include <string.h>

/* 1 while |K (a + (beta + tau) theta)| > chi */
static dry_term slip(dry_elab *elab, const dry_force *force) {
    dry_term y = dry_lang__array(elab, 1, force->dim, 1, dry_dim_pure());
    if (y.bad) return y;
    dry_dag *dag = elab->dag;
    dry_node K = force->par[dry_law_par_offset(force->law, dry_law_par_find(force->law, "K"), 1)];
    dry_node beta =
        force->par[dry_law_par_offset(force->law, dry_law_par_find(force->law, "beta"), 1)];
    dry_node b = dry_dag_bin(dag, DRY_OP_ADD, beta, dry_dag_leaf(dag, DRY_OP_TAU, 0));
    for (int k = 0; k < force->dim; k++) {
        dry_node a = dry_dag_leaf(dag, DRY_OP_STATE, force->state + k);
        dry_node stretch =
            dry_dag_bin(dag, DRY_OP_ADD, a, dry_dag_bin(dag, DRY_OP_MUL, b, force->input[k]));
        y.many[k] = dry_dag_bin(dag, DRY_OP_MUL, K, stretch);
    }
    dry_node length = dry_lang__norm(elab, &y);
    return dry_lang__scalar(elab, dry_dag_bin(dag, DRY_OP_LT, force->chi, length), dry_dim_pure());
}

/* Returns the sum of the magnitudes of the addends of a node; the rounding error is in proportion
 * to it. The sum includes addends of addends, as deep as texts go. */
static dry_node magnitude(dry_dag *dag, dry_node node, int depth) {
    const dry_node_view v = dry_dag_view(dag, node);
    const bool sum = v.op == DRY_OP_ADD || v.op == DRY_OP_SUB;
    if (depth == 0 || !(sum || v.op == DRY_OP_MUL || v.op == DRY_OP_NEG))
        return dry_dag_un(dag, DRY_OP_ABS, node);
    const dry_node left = v.args[0], right = v.op == DRY_OP_NEG ? -1 : v.args[1];
    const dry_node a = magnitude(dag, left, depth - 1);
    if (right < 0) return a;
    const dry_node b = magnitude(dag, right, depth - 1);
    return dry_dag_bin(dag, sum ? DRY_OP_ADD : DRY_OP_MUL, a, b);
}

static dry_node length_of(dry_elab *elab, int n, const dry_node *node) {
    dry_term y = dry_lang__array(elab, 1, n, 1, dry_dim_pure());
    for (int k = 0; !y.bad && k < n; k++) y.many[k] = node[k];
    return y.bad ? 0 : dry_lang__norm(elab, &y);
}

/* The set slips while theta is not zero. If the scheme `rigid` holds v1 - v2, rounding in
 * proportion to v1 and v2 remains; a single velocity that it holds is zero to the last bit. The
 * splitting schemes let a sticking element creep within a step. For them the set slips while the
 * force is at its level, which may change in the step. */
void dry_lang_slides(dry_elab *elab, int n, const dry_node *theta, const dry_node *f, dry_node chi,
                     dry_node *low, dry_node *high) {
    enum { DEPTH = 8 };
    const double rounding = 1e-9, at_level = 0.99;
    dry_dag *dag = elab->dag;
    const dry_method *method = dry_lang_method_row(elab);
    const bool held = method && method->holds;
    dry_node size = 0;
    for (int k = 0; k < n && held; k++)
        size = dry_dag_bin(dag, DRY_OP_ADD, size, magnitude(dag, theta[k], DEPTH));
    *low = dry_dag_bin(dag, DRY_OP_MUL, dry_dag_const(dag, held ? rounding : at_level),
                       held ? size : chi);
    *high = length_of(elab, n, held ? theta : f);
}

static bool state_member(dry_elab *elab, const dry_force *force, const char *member, dry_term *v) {
    int first = force->state;
    for (int r = 0; r < force->law->n_states; r++) {
        const dry_law_state *row = &force->law->states[r];
        int n = dry_lang_row_size(row, force);
        if (!strcmp(row->name, member)) {
            dry_dim dim = elab->quantities.state[first].dim;
            *v = n == 1 ? dry_lang__scalar(elab, 0, dim) : dry_lang__array(elab, 1, n, 1, dim);
            for (int k = 0; !v->bad && k < n; k++)
                dry_term_put(v, k, dry_dag_leaf(elab->dag, DRY_OP_STATE, first + k));
            return true;
        }
        first += n;
    }
    return false;
}

static bool parameter_member(dry_elab *elab, const dry_force *force, const char *member,
                             dry_term *v) {
    int i = dry_law_par_find(force->law, member);
    if (i < 0) return false;
    int offset = dry_law_par_offset(force->law, i, force->elements);
    dry_dim dim = dry_dim_unknown(elab->dims);
    if (force->law->params[i].form != DRY_LIST) {
        *v = dry_lang__scalar(elab, force->par[offset], dim);
        return true;
    }
    *v = dry_lang__array(elab, 1, force->elements, 1, dim);
    for (int k = 0; !v->bad && k < force->elements; k++) v->many[k] = force->par[offset + k];
    return true;
}

static bool has_slip(const dry_force *force) {
    return force->law->resolvent == DRY_RESOLVENT_FRICTION;
}
static bool has_closed(const dry_force *force) { return force->law->kind != DRY_FRICTION; }

static void unknown_member(dry_elab *elab, const dry_force *force, const char *member,
                           dry_place at) {
    const char *names[64];
    int n = 0;
    for (int i = 0; i < force->law->n_states; i++) names[n++] = force->law->states[i].name;
    for (int i = 0; i < force->law->n_params && n < 60; i++)
        names[n++] = force->law->params[i].name;
    if (has_slip(force)) names[n++] = "slip";
    if (has_closed(force)) names[n++] = "closed";
    char list[300] = "";
    for (int i = 0; i < n; i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", names[i]);
    }
    DRY_SAY(elab->diag, at, UNKNOWN_MEMBER, force->name, member, list);
}

dry_term dry_lang__member(dry_elab *elab, int index, const char *member, dry_place at) {
    const dry_force *force = &elab->quantities.force[index];
    dry_term v;
    if (state_member(elab, force, member, &v) || parameter_member(elab, force, member, &v))
        return v;
    if (!strcmp(member, "closed") && has_closed(force)) {
        dry_node N = dry_dag_pick(elab->dag, force->block, 0);
        if (force->set && force->set->ends) N = dry_dag_un(elab->dag, DRY_OP_ABS, N);
        return dry_lang__scalar(elab, dry_dag_bin(elab->dag, DRY_OP_LT, 0, N), dry_dim_pure());
    }
    if (!strcmp(member, "slip") && has_slip(force)) {
        dry_force copy = *force;
        if (copy.chi < 0) copy.chi = copy.par[0];
        v = slip(elab, &copy);
        if (!v.bad) elab->quantities.force[force->shared >= 0 ? force->shared : index].slip = v.one;
        return v;
    }
    unknown_member(elab, force, member, at);
    return dry_lang__bad(elab);
}
