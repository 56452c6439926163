/* follow_mass: lets a chosen K follow an effective mass that changes with the motion.
 *
 *     K(x) = K c W0/max(c W0, W(x)),   c = 1 friction, 2 contact
 *
 * W = 1/m is the response of theta or psi to the force (effective_mass.h), W0 its value at the
 * start, for which K was chosen. So K W T^2, which the step bounds, never grows past c times its
 * value at the start. A contact may wait until its mass is halved: its restitution hardly depends
 * on the mass and many steps resolve it.
 *
 * Methods that choose their steps need none of this: K is a stiffness like any other there. If K is
 * given, or W depends on forces, a run stops at half the mass and suggests values that work. */
#include "design.h"

#include <math.h>
#include <stdlib.h>

/* law[node] is set if the node needs the force or the state's rate of a law. */
static unsigned char *find_laws(dry_arena *arena, const dry_dag *dag) {
    const int n = dry_dag_count(dag);
    unsigned char *law = dry_heap_take(arena, (size_t)n + 1, 1);
    for (int i = 0; law && i < n; i++) {
        const dry_node_view v = dry_dag_view(dag, i);
        law[i] = v.op == DRY_OP_LAW;
        for (int k = 0; k < v.n_args; k++) law[i] |= law[v.args[k]];
    }
    return law;
}

static bool changes(const dry_elab *elab, const dry_force *force) {
    return force->design.choice != DRY_GIVEN && force->shared < 0 &&
           force->design.inverse_mass >= 0 && !isnan(force->design.mass) &&
           (dry_dag_depends(elab->dag, force->design.inverse_mass) & DRY_ON_STATE);
}

/* The step of a run by a method of fixed steps; NaN if the method chooses its steps. */
static double fixed_step(const dry_elab *elab) {
    return dry_lang_method_row(elab)->fixed ? dry_design_time_scale(elab) : (double)NAN;
}

static double at_start(const dry_elab *elab, dry_node node, const double *x) {
    return dry_dag_value(elab->dag, node, elab->quantities.par_value, 0.0, x, NULL, 0);
}

/* c W0 */
static double limit_of(const dry_elab *elab, const dry_force *force, const double *x) {
    const double c = dry_lang_is_contact(force) ? 2.0 : 1.0;
    return c * at_start(elab, force->design.inverse_mass, x);
}

/* K c W0/max(c W0, W). W0 is a parameter, so that it can be another for other values of those that
 * the text has. */
static dry_node following(dry_elab *elab, dry_force *force, const double *x) {
    dry_dag *dag = elab->dag;
    force->design.slot_limit =
        dry_lang_add_hidden(elab, dry_diag_text(elab->diag, "%s.W0", force->name),
                            dry_dim_unknown(elab->dims), limit_of(elab, force, x));
    const dry_node limit = dry_dag_leaf(dag, DRY_OP_PAR, force->design.slot_limit);
    const dry_node most = dry_dag_bin(dag, DRY_OP_MAX, limit, force->design.inverse_mass);
    const dry_node share = dry_dag_bin(dag, DRY_OP_DIV, limit, most);
    return dry_dag_bin(dag, DRY_OP_MUL, dry_dag_leaf(dag, DRY_OP_PAR, force->design.slot_K), share);
}

/* The numbers that the message names: of a tenth of the mass at the start, or with the K that is
 * given. */
static const char *advice(dry_elab *elab, const dry_force *force, double step) {
    dry_friction_choice pair;
    if (dry_lang_is_contact(force)) return "give K, alpha and beta";
    if (force->design.choice == DRY_CHOSEN_FROM_K)
        return dry_diag_text(elab->diag, "also give beta = %.3g [s], or give a smaller K",
                             sqrt(2.0 * force->design.mass / dry_lang_law_value(elab, force, "K")));
    if (dry_friction_from_step(dry_lang_method_row(elab), 0.1 * force->design.mass, step, &pair) !=
        DRY_OK)
        return "give K and beta";
    return dry_diag_text(elab->diag, "give K = %.3g, beta = %.3g [s]", pair.K, pair.beta);
}

static void watch(dry_elab *elab, const dry_force *force, const double *x, double step) {
    const double limit = 2.0 * at_start(elab, force->design.inverse_mass, x);
    const dry_node margin = dry_dag_bin(elab->dag, DRY_OP_SUB, dry_dag_const(elab->dag, limit),
                                        force->design.inverse_mass);
    dry_guard_info *info = DRY_GROW(elab->arena, &elab->quantities, guard);
    if (info)
        *info = (dry_guard_info){
            margin,
            dry_diag_text(elab->diag,
                          "the effective mass of `%s` (line %d) fell below half of its start "
                          "value, %.4g, from which %s was chosen: %s",
                          force->name, force->at.line, force->design.mass,
                          force->design.slot_K < 0 ? "beta" : "K", advice(elab, force, step))};
}

typedef struct replacement {
    dry_node *leaf, *by;
    int n;
} replacement;

static void follow_or_watch(dry_elab *elab, const unsigned char *law, const double *x, double step,
                            replacement *r) {
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        dry_force *force = &elab->quantities.force[i];
        if (!changes(elab, force)) continue;
        force->design.follows = force->design.slot_K >= 0 && !law[force->design.inverse_mass];
        if (!force->design.follows) {
            watch(elab, force, x, step);
            continue;
        }
        r->leaf[r->n] = dry_dag_leaf(elab->dag, DRY_OP_PAR, force->design.slot_K);
        r->by[r->n++] = following(elab, force, x);
    }
}

static void replace(dry_elab *elab, const replacement *r) {
    const size_t count = (size_t)dry_dag_count(elab->dag);
    dry_node *renamed = dry_heap_take(elab->arena, count + 1, sizeof *renamed);
    if (renamed && dry_dag_replace(elab->dag, r->leaf, r->by, r->n, renamed))
        dry_lang_rename(elab, renamed);
    else
        DRY_SAY(elab->diag, (dry_place){0}, TOO_LARGE, "");
    free(renamed);
}

static bool any_changes(const dry_elab *elab) {
    bool any = false;
    for (int i = 0; i < elab->quantities.n_forces; i++)
        any = any || changes(elab, &elab->quantities.force[i]);
    return any && !isnan(fixed_step(elab));
}

bool dry_design_watches_mass(const dry_elab *elab) {
    bool any = false;
    for (int i = 0; i < elab->quantities.n_forces; i++)
        any = any || (changes(elab, &elab->quantities.force[i]) &&
                      !elab->quantities.force[i].design.follows);
    return any && !isnan(fixed_step(elab));
}

/* Room for the states at the start, with their values; NULL without memory. */
static double *start_values(const dry_elab *elab) {
    double *x = dry_heap_take(elab->arena,
                              (size_t)elab->quantities.n_states + (size_t)elab->scene.n_outers + 1,
                              sizeof *x);
    if (x) dry_lang_start(elab, x);
    return x;
}

void dry_design_follow_start(dry_elab *elab) {
    double *x = NULL;
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force *force = &elab->quantities.force[i];
        const int slot = force->design.slot_limit;
        if (slot < 0 || force->design.inverse_mass < 0) continue;
        if (!x) x = start_values(elab);
        if (!x) return;
        elab->quantities.param[slot].value = limit_of(elab, force, x);
        elab->quantities.par_value[slot] = elab->quantities.param[slot].value;
    }
    free(x);
}

void dry_design_follow_mass(dry_elab *elab) {
    const double step = fixed_step(elab);
    if (!any_changes(elab)) return;
    const size_t n = (size_t)elab->quantities.n_forces;
    unsigned char *law = find_laws(elab->arena, elab->dag);
    double *x = start_values(elab);
    dry_node *room = dry_heap_take(elab->arena, 2 * n + 1, sizeof *room);
    if (law && x && room) {
        replacement r = {room, room + n, 0};
        follow_or_watch(elab, law, x, step, &r);
        if (r.n) replace(elab, &r);
    }
    free(law);
    free(x);
    free(room);
}
