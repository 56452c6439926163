/* wellposed: checks whether the set-valued forces are set up as mechanics requires (checks 2 to 5
 * of docs/language.md), by the effective mass of each force (effective_mass.h).
 *
 *   friction   1/m = -d(theta_dot)/df, must be positive: f opposes its own sliding
 *   contact    1/m =  d(psi_ddot)/dN, must be positive: N opens its own gap; if it is negative
 *              only through the friction that N causes, that is Painleve's paradox */
#include "check.h"

#include <drystone/math.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct wellposed {
    const dry_elab *elab;
    dry_mass_search search;
    unsigned char *jumps; /* for each node: it may jump with the state */
    dry_wellposed *found;
} wellposed;

static double at_start(const wellposed *w, dry_node node) {
    return dry_mass_search_at(&w->search, node);
}

/* ---- continuity --------------------------------------------------------------------------------
 */

static bool is_jump(dry_op op) {
    return op == DRY_OP_SELECT || dry_op_rows[op].course == DRY_JUMPS;
}

/* Sets jumps[node] if the node may jump with the state. */
static unsigned char *find_jumps(dry_arena *arena, const dry_dag *dag) {
    int n = dry_dag_count(dag);
    unsigned char *jumps = dry_heap_take(arena, (size_t)n + 1, 1);
    for (int i = 0; jumps && i < n; i++) {
        dry_node_view v = dry_dag_view(dag, i);
        dry_node decides = v.op == DRY_OP_SELECT ? v.args[0] : i;
        jumps[i] = is_jump(v.op) && (dry_dag_depends(dag, decides) & DRY_ON_STATE);
        for (int k = 0; k < v.n_args; k++) jumps[i] |= jumps[v.args[k]];
    }
    return jumps;
}

/* "floor, ceil, round": the functions that jump */
static const char *jumping_functions(dry_diagnostics *diag) {
    const char *list = "";
    for (const dry_op_row *row = dry_op_rows; row < dry_op_rows + DRY_N_OPS; row++)
        if (row->kind == DRY_FUNCTION && row->course == DRY_JUMPS)
            list = dry_diag_text(diag, "%s%s%s", list, *list ? ", " : "", row->text);
    return list;
}

static void say_jump(wellposed *w, const dry_force *force, dry_place at, const char *what) {
    dry_diagnostics *diag = w->elab->diag;
    DRY_SAY(diag, at, NOT_CONTINUOUS, force->name, what, jumping_functions(diag));
}

static void check_continuous(wellposed *w, const dry_force *force) {
    const char *what = force->set->argument;
    for (int k = 0; k < force->n_inputs; k++)
        if (w->jumps[force->input[k]]) say_jump(w, force, force->argument_at, what);
    if (dry_lang_is_friction(force) && w->jumps[force->chi]) say_jump(w, force, force->at, "chi");
}

/* ---- chi is not negative ----------------------------------------------------------- */

static void watch(wellposed *w, dry_node node, const char *text) {
    dry_wellposed *found = w->found;
    dry_guard_info *info = dry_lang_grow(w->elab->arena, (void **)&found->guard, &found->n_guards,
                                         &found->guard_room, sizeof *found->guard);
    if (info) *info = (dry_guard_info){node, text};
}

/* A level that depends on its own force has one solution if the feedback is less than the force
 * itself, |feed| < 1 (own_force.c). */
static void check_feed(wellposed *w, const dry_force *force) {
    const dry_elab *elab = w->elab;
    dry_dag *dag = elab->dag;
    const dry_interval bounds = dry_dag_bounds(dag, force->feed, elab->quantities.par_value);
    if (!force->feed || (bounds.low > -1.0 && bounds.high < 1.0)) return;
    const double start = at_start(w, force->feed);
    if (bounds.low >= 1.0 || bounds.high <= -1.0 || !(fabs(start) < 1.0)) {
        DRY_SAY(elab->diag, force->at, SELF_LOCKING, force->name,
                dry_diag_number(elab->diag, start));
        return;
    }
    const dry_node most = dry_dag_const(dag, 1.0 - DBL_EPSILON);
    watch(w, dry_dag_bin(dag, DRY_OP_SUB, most, dry_dag_un(dag, DRY_OP_ABS, force->feed)),
          dry_diag_text(elab->diag,
                        "the level of `%s` (line %d) now changes by as much as the force itself, "
                        "so the force locks. Keep the slope of the level in `%s` between -1 and 1",
                        force->name, force->at.line, force->name));
}

static void check_level(wellposed *w, const dry_force *force) {
    const dry_elab *elab = w->elab;
    const dry_node chi = force->side ? force->unfed : force->chi;
    dry_interval bounds = dry_dag_bounds(elab->dag, chi, elab->quantities.par_value);
    check_feed(w, force);
    if (bounds.low >= 0.0) return;
    double start = at_start(w, chi);
    if (bounds.high <= 0.0 || start < 0.0) {
        DRY_SAY(elab->diag, force->at, LEVEL_NEGATIVE, force->name,
                dry_diag_number(elab->diag, start));
        return;
    }
    watch(w, chi,
          dry_diag_text(elab->diag,
                        "the friction level chi of `%s` (line %d) became negative, so friction "
                        "would push. Keep chi at or above 0, for example with max(0, chi)",
                        force->name, force->at.line));
}

static void check_gap(wellposed *w, const dry_force *force) {
    double psi = at_start(w, force->input[0]);
    if (force->set->ends) psi = dry_lang_law_value(w->elab, force, force->set->size) - fabs(psi);
    if (psi >= -1e-12) return;
    DRY_SAY(w->elab->diag, force->argument_at, GAP_NEGATIVE, force->name,
            dry_diag_number(w->elab->diag, psi));
    if (force->set->ends)
        dry_diag_way_out(w->elab->diag, "start between the ends of the play, or make it wider");
}

/* ---- effective mass ---------------------------------------------------------------- */

/* Returns the state whose equation contains the force, for the suggested fix. */
static const char *acts_on(const wellposed *w, dry_node pick) {
    for (int i = 0; i < w->elab->quantities.n_states; i++) {
        if (w->elab->quantities.state[i].symbol < 0) continue;
        dry_node d = dry_dag_diff(w->elab->dag, w->elab->quantities.state[i].rate, pick, NULL, 0);
        if (at_start(w, d) != 0.0) return w->elab->quantities.state[i].name;
    }
    return NULL;
}

/* Returns the first negative parameter whose sign, if changed, makes the negative node positive;
 * NULL if there is none. */
static const dry_param_info *turned_by(const wellposed *w, dry_node node) {
    const dry_elab *elab = w->elab;
    const size_t n = (size_t)elab->quantities.n_params;
    double *par = dry_heap_take(elab->arena, n + 1, sizeof *par);
    const dry_param_info *turning = NULL;
    if (par && n) memcpy(par, elab->quantities.par_value, n * sizeof *par);
    for (int i = 0; par && node >= 0 && i < elab->quantities.n_params && !turning; i++) {
        if (elab->quantities.param[i].hidden || !(par[i] < 0.0)) continue;
        par[i] = -par[i];
        if (dry_dag_value(elab->dag, node, par, 0.0, w->search.x, NULL, 0) > 0.0)
            turning = &elab->quantities.param[i];
        par[i] = -par[i];
    }
    free(par);
    return turning;
}

/* Suggests which sign to change if a force acts in the wrong direction; `own` is the present
 * 1/m. */
static void suggest_sign(const wellposed *w, const dry_force *force, dry_node pick, dry_node own) {
    const dry_param_info *param = turned_by(w, own);
    if (param) {
        dry_diag_way_out(w->elab->diag, "change the sign of the parameter `%s`, which is %.6g",
                         param->name, param->value);
        return;
    }
    const char *state = acts_on(w, pick);
    bool friction = dry_lang_is_friction(force);
    char sign = (friction ? force->sign > 0.0 : force->sign < 0.0) ? '-' : '+';
    if (state)
        dry_diag_way_out(w->elab->diag, "write `%c %s` in the equation of %s", sign, force->name,
                         state);
}

/* Rounding error if the mass is computed through the net (mass_through_net.c). */
static const double rounding = 1e-8;

/* Its velocity is a function of the time, such as the rate of a record: then nothing that it acts
 * on can be wrong, and no mass chooses its K. */
static bool is_led(const wellposed *w, const dry_force *force) {
    const unsigned elsewhere = DRY_ON_STATE | DRY_ON_REF;
    for (int k = 0; k < force->n_inputs; k++)
        if (dry_dag_depends(w->elab->dag, force->input[k]) & elsewhere) return false;
    return true;
}

static void check_friction(wellposed *w, int number) {
    const dry_elab *elab = w->elab;
    const dry_force *force = &elab->quantities.force[number];
    const int n = force->dim;
    double W[9], A[9], real[3], imaginary[3];
    dry_node total;
    bool zero = true;
    if (!dry_friction_mobility(&w->search, force, W, &total)) return;
    for (int i = 0; i < n * n; i++) zero = zero && W[i] == 0.0;
    const bool led = zero && is_led(w, force);
    if (led && force->design.choice == DRY_GIVEN) return;
    if (zero) {
        DRY_SAY(elab->diag, force->at, FRICTION_IDLE, force->name);
        if (led) dry_diag_way_out(elab->diag, "give K and beta: no mass moves by a given motion");
        return;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = 0.5 * (W[i * n + j] + W[j * n + i]);
    if (dry_eigenvalues(n, A, real, imaginary) != DRY_OK) return;
    double least = real[0], most = real[0];
    for (int i = 1; i < n; i++) {
        least = dry_min(least, real[i]);
        most = dry_max(most, real[i]);
    }
    if (least < (total < 0 ? -rounding * fabs(most) : 0.0)) {
        DRY_SAY(elab->diag, force->at, FRICTION_DRIVES, force->name);
        suggest_sign(w, force, dry_dag_pick(elab->dag, force->block, 0), total);
        return;
    }
    w->found->mass[number] = (dry_effective_mass){1.0 / most, total};
}

/* Reports the error in the impacts of a contact: the speed after an impact is off by twice the
 * difference of the masses, or by more if the joints have little damping. */
static void check_slack(const wellposed *w, const dry_force *force, const dry_opening *o) {
    static const double most_slack = 0.015;
    dry_diagnostics *diag = w->elab->diag;
    if (fabs(o->direct - o->rigid) > most_slack * o->direct)
        DRY_SAY(diag, force->at, HELD_LOOSELY, force->name,
                dry_diag_text(diag, "%.3g", 1.0 / o->direct),
                dry_diag_text(diag, "%.3g", 1.0 / o->rigid));
}

static void say_idle(const wellposed *w, const dry_force *force, const dry_opening *o) {
    DRY_SAY(w->elab->diag, force->at, CONTACT_IDLE, force->name);
    if (o->node < 0)
        dry_diag_way_out(
            w->elab->diag,
            "make psi depend on what the force moves: `f` of a body moves its p; `m` turns its q, "
            "and moves p only if a joint holds the body at another point");
}

static void check_contact(wellposed *w, int number) {
    const dry_elab *elab = w->elab;
    const dry_force *force = &elab->quantities.force[number];
    dry_opening o;
    if (!dry_contact_mobility(&w->search, force, &o) || !o.has_inertia) return;
    if (o.direct == 0.0) {
        say_idle(w, force, &o);
    } else if (o.direct < 0.0) {
        DRY_SAY(elab->diag, force->at, CONTACT_CLOSES, force->name);
        suggest_sign(w, force, dry_dag_pick(elab->dag, force->block, 0), o.node);
    } else {
        if (o.in_slip <= 0.0)
            DRY_SAY(elab->diag, force->at, PAINLEVE, force->name,
                    dry_diag_number(elab->diag, o.direct), dry_diag_number(elab->diag, o.in_slip));
        w->found->mass[number] = (dry_effective_mass){1.0 / o.direct, o.node};
        check_slack(w, force, &o);
    }
}

/* ---- all checks -------------------------------------------------------------------- */

static void check_force(wellposed *w, int number) {
    const dry_force *force = &w->elab->quantities.force[number];
    if (!force->set || force->shared >= 0) return;
    const int errors = w->elab->diag->n_errors;
    for (int k = 0; k < force->n_inputs; k++) dry_lang_refuse_results(w->elab, force->input[k]);
    check_continuous(w, force);
    if (dry_lang_is_friction(force))
        check_level(w, force);
    else
        check_gap(w, force);
    if (w->elab->diag->n_errors > errors) return;
    if (dry_lang_is_friction(force))
        check_friction(w, number);
    else
        check_contact(w, number);
}

static void check_start(const wellposed *w) {
    for (int i = 0; i < w->elab->quantities.n_states; i++)
        if (!isfinite(w->search.x[i]))
            DRY_SAY(w->elab->diag, w->elab->quantities.state[i].at, START_NOT_FINITE,
                    w->elab->quantities.state[i].name);
}

void dry_check_wellposed(const dry_elab *elab, dry_wellposed *found) {
    const size_t n = (size_t)elab->quantities.n_forces;
    wellposed w = {.elab = elab, .found = found};
    *found = (dry_wellposed){.mass = dry_heap_take(elab->arena, n + 1, sizeof *found->mass)};
    w.jumps = find_jumps(elab->arena, elab->dag);
    for (size_t i = 0; found->mass && i < n; i++)
        found->mass[i] = (dry_effective_mass){(double)NAN, -1};
    if (dry_mass_search_open(&w.search, elab) && w.jumps && found->mass) {
        check_start(&w);
        for (int i = 0; i < elab->quantities.n_forces && !dry_dag_failed(elab->dag); i++)
            check_force(&w, i);
        for (int i = 0; i < elab->quantities.n_forces; i++)
            if (elab->quantities.force[i].shared >= 0)
                found->mass[i].mass = found->mass[elab->quantities.force[i].shared].mass;
    }
    dry_mass_search_close(&w.search);
    free(w.jumps);
}

void dry_wellposed_free(dry_wellposed *found) {
    free(found->mass);
    free(found->guard);
}
