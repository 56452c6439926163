/* effective_mass: computes how set-valued forces change their own theta or psi, at the start
 * (effective_mass.h). */
#include "design.h"

#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>

/* ---- the model at the start ------------------------------------------------------------- */

double dry_mass_search_at(const dry_mass_search *search, dry_node node) {
    return dry_dag_value(search->elab->dag, node, search->elab->quantities.par_value, 0.0,
                         search->x, NULL, 0);
}

/* Walks the graph of a level and notes every contact force in it. */
static void note_contacts(dry_mass_search *search, int force, dry_node node, int depth) {
    dry_node_view v = dry_dag_view(search->elab->dag, node);
    if (depth > 200 || search->seen[node] == force + 1) return;
    search->seen[node] = force + 1;
    if (v.op == DRY_OP_PICK && dry_dag_view(search->elab->dag, v.args[0]).op == DRY_OP_LAW) {
        int i = search->n_users++;
        search->user[i] = force;
        search->next_user[i] = search->first_user[node] - 1;
        search->first_user[node] = i + 1;
        return;
    }
    for (int k = 0; k < v.n_args && search->n_users < search->user_room; k++) {
        dry_node arg = dry_dag_view(search->elab->dag, node).args[k];
        if (dry_dag_depends(search->elab->dag, arg) & DRY_ON_STATE)
            note_contacts(search, force, arg, depth + 1);
    }
}

bool dry_mass_search_open(dry_mass_search *search, const dry_elab *elab) {
    const size_t n = (size_t)elab->quantities.n_states + (size_t)elab->scene.n_outers + 1;
    const size_t n_nodes = (size_t)dry_dag_count(elab->dag) + 1;
    *search = (dry_mass_search){.elab = elab, .user_room = 8 * elab->quantities.n_forces + 64};
    const size_t room = (size_t)search->user_room;
    search->x = dry_heap_take(elab->arena, n, sizeof *search->x);
    search->rate = dry_heap_take(elab->arena, n, sizeof *search->rate);
    search->first_user = dry_heap_take(elab->arena, n_nodes, sizeof *search->first_user);
    search->seen = dry_heap_take(elab->arena, n_nodes, sizeof *search->seen);
    search->user = dry_heap_take(elab->arena, room, sizeof *search->user);
    search->next_user = dry_heap_take(elab->arena, room, sizeof *search->next_user);
    if (!search->x || !search->rate || !search->first_user || !search->seen || !search->user ||
        !search->next_user)
        return false;
    dry_lang_start(elab, search->x);
    for (int i = 0; i < elab->quantities.n_states; i++)
        search->rate[i] = elab->quantities.state[i].rate;
    for (int i = 0; i < elab->quantities.n_forces; i++)
        if (dry_lang_is_friction(&elab->quantities.force[i]) && search->n_users < search->user_room)
            note_contacts(search, i, elab->quantities.force[i].chi, 0);
    return true;
}

void dry_mass_search_close(dry_mass_search *search) {
    free(search->x);
    free(search->rate);
    free(search->first_user);
    free(search->seen);
    free(search->user);
    free(search->next_user);
}

/* If theta or psi are quantities of parts, the net must compute how they move. */
bool dry_mass_is_through_net(const dry_mass_search *search, const dry_force *force) {
    for (int k = 0; k < force->n_inputs; k++)
        if (dry_lang_needs_outer(search->elab, force->input[k])) return true;
    return false;
}

/* ---- friction --------------------------------------------------------------------------- */

/* How the components of the force brake those of theta, W; the sum of its diagonal as a node. */
static dry_node braking_matrix(const dry_mass_search *search, const dry_force *force, double *W) {
    const dry_elab *elab = search->elab;
    const int n = force->dim;
    dry_node total = 0;
    for (int i = 0; i < n; i++) {
        dry_node rate = dry_dag_time_derivative(elab->dag, force->input[i], search->rate,
                                                elab->quantities.n_states);
        for (int j = 0; j < n; j++) {
            dry_node pick = dry_dag_pick(elab->dag, force->block, j);
            dry_node d =
                dry_dag_un(elab->dag, DRY_OP_NEG, dry_dag_diff(elab->dag, rate, pick, NULL, 0));
            W[i * n + j] = dry_mass_search_at(search, d);
            if (i == j) total = dry_dag_bin(elab->dag, DRY_OP_ADD, total, d);
        }
    }
    return total;
}

bool dry_friction_mobility(const dry_mass_search *search, const dry_force *force, double W[9],
                           dry_node *total) {
    *total = -1;
    if (dry_mass_is_through_net(search, force))
        return dry_design__friction_through_net(search, force, W);
    *total = braking_matrix(search, force, W);
    return true;
}

/* ---- contact ---------------------------------------------------------------------------- */

enum { MOST_PARTNERS = 32 };

/* The friction forces whose level depends on this contact's force. */
static int partners_of(const dry_mass_search *search, dry_node pick, int *partner) {
    int n = 0;
    for (int i = search->first_user[pick] - 1; i >= 0 && n < MOST_PARTNERS;
         i = search->next_user[i])
        partner[n++] = search->user[i];
    return n;
}

/* How much N opens the gap when every friction force that it feeds slips in the direction of its
 * present sliding: Painleve's test. Friction at rest is left out: it may stick. */
static double opening_in_slip(const dry_mass_search *search, dry_node acceleration, dry_node pick,
                              double direct, const int *partner, int n, const dry_node *frozen,
                              int n_frozen) {
    const dry_elab *elab = search->elab;
    double total = direct;
    for (int i = 0; i < n; i++) {
        const dry_force *f = &elab->quantities.force[partner[i]];
        const dry_override side = {f->side, dry_sgn(dry_mass_search_at(search, f->input[0]))};
        double level =
            dry_dag_value(elab->dag, dry_dag_diff(elab->dag, f->chi, pick, NULL, 0),
                          elab->quantities.par_value, 0.0, search->x, &side, f->side ? 1 : 0);
        double speed = 0.0, along = 0.0;
        for (int k = 0; k < f->dim; k++) {
            dry_node fk = dry_dag_pick(elab->dag, f->block, k);
            double d = dry_mass_search_at(
                search, dry_dag_diff(elab->dag, acceleration, fk, frozen, n_frozen));
            double theta = dry_mass_search_at(search, f->input[k]);
            speed += theta * theta;
            along += d * theta;
        }
        if (speed > 0.0) total += level * along / sqrt(speed);
    }
    return total;
}

/* Computes it with joints at their own stiffness, and as rigid ones: during ten times the time of
 * an impact. */
static bool opening_through_net(const dry_mass_search *search, const dry_force *force,
                                dry_node speed, const dry_node *frozen, int n_frozen,
                                dry_opening *opening) {
    const double h = dry_design_impact_time(search->elab, force);
    opening->node = -1;
    if (!dry_design__contact_through_net(search, force, speed, frozen, n_frozen, h,
                                         &opening->direct))
        return false;
    opening->in_slip = opening->rigid = opening->direct;
    double rigid;
    if (opening->direct > 0.0 && force->design.choice != DRY_GIVEN &&
        dry_design__contact_through_net(search, force, speed, frozen, n_frozen, 10.0 * h, &rigid))
        opening->rigid = rigid;
    return true;
}

bool dry_contact_mobility(const dry_mass_search *search, const dry_force *force,
                          dry_opening *opening) {
    const dry_elab *elab = search->elab;
    dry_node pick = dry_dag_pick(elab->dag, force->block, 0);
    dry_node speed = dry_dag_time_derivative(elab->dag, force->input[0], search->rate,
                                             elab->quantities.n_states);
    *opening = (dry_opening){
        .has_inertia =
            dry_mass_search_at(search, dry_dag_diff(elab->dag, speed, pick, NULL, 0)) == 0.0};
    if (!opening->has_inertia) return true;
    int partner[MOST_PARTNERS], n = partners_of(search, pick, partner), n_frozen = 0;
    dry_node frozen[3 * MOST_PARTNERS];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < elab->quantities.force[partner[i]].dim; k++)
            frozen[n_frozen++] =
                dry_dag_pick(elab->dag, elab->quantities.force[partner[i]].block, k);
    if (dry_mass_is_through_net(search, force) || dry_lang_needs_outer(elab, speed))
        return opening_through_net(search, force, speed, frozen, n_frozen, opening);
    dry_node acceleration =
        dry_dag_time_derivative(elab->dag, speed, search->rate, elab->quantities.n_states);
    opening->node = dry_dag_diff(elab->dag, acceleration, pick, frozen, n_frozen);
    opening->direct = opening->rigid = dry_mass_search_at(search, opening->node);
    opening->in_slip =
        opening_in_slip(search, acceleration, pick, opening->direct, partner, n, frozen, n_frozen);
    return true;
}
