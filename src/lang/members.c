/* members: what belongs to a force besides its value: f.a, f.slip, N.closed, f.K. */
#include "elab.h"

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

static bool state_member(dry_elab *elab, const dry_force *force, const char *member, dry_term *v) {
    int first = force->state;
    for (int r = 0; r < force->law->n_states; r++) {
        const dry_law_state *row = &force->law->states[r];
        int n = dry_lang__row_size(row, force);
        if (!strcmp(row->name, member)) {
            dry_dim dim = elab->state[first].dim;
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
    dry_dim dim = dry_dim_unknown(&elab->dims);
    if (force->law->params[i].form != DRY_LIST) {
        *v = dry_lang__scalar(elab, force->par[offset], dim);
        return true;
    }
    *v = dry_lang__array(elab, 1, force->elements, 1, dim);
    for (int k = 0; !v->bad && k < force->elements; k++) v->many[k] = force->par[offset + k];
    return true;
}

static void unknown_member(dry_elab *elab, const dry_force *force, const char *member,
                           dry_place at) {
    const char *names[64];
    int n = 0;
    for (int i = 0; i < force->law->n_states; i++) names[n++] = force->law->states[i].name;
    for (int i = 0; i < force->law->n_params && n < 60; i++)
        names[n++] = force->law->params[i].name;
    names[n++] = "slip";
    names[n++] = "closed";
    char list[300] = "";
    for (int i = 0; i < n; i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", i ? ", " : "", names[i]);
    }
    DRY_SAY(elab->report, at, UNKNOWN_MEMBER, force->name, member, list);
}

dry_term dry_lang__member(dry_elab *elab, int index, const char *member, dry_place at) {
    const dry_force *force = &elab->force[index];
    dry_term v;
    if (state_member(elab, force, member, &v) || parameter_member(elab, force, member, &v))
        return v;
    bool contact = force->law->kind != DRY_FRICTION;
    if (!strcmp(member, "closed") && contact) {
        dry_node N = dry_dag_pick(elab->dag, force->block, 0);
        return dry_lang__scalar(elab, dry_dag_bin(elab->dag, DRY_OP_LT, 0, N), dry_dim_pure());
    }
    if (!strcmp(member, "slip") && !strcmp(force->law->name, "coulomb")) {
        dry_force copy = *force;
        if (copy.chi < 0) copy.chi = copy.par[0];
        return slip(elab, &copy);
    }
    unknown_member(elab, force, member, at);
    return dry_lang__bad(elab);
}
