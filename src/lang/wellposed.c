/* wellposed: whether the set-valued forces are set up as mechanics wants it (checks 2 to 5 of
 * docs/language.md), with the effective mass of each.
 *
 *   friction   1/m = -d(theta_dot)/df, must be positive: f opposes its own sliding
 *   contact    1/m =  d(psi_ddot)/dN, must be positive: N opens its own gap; where it is negative
 *              only through the friction that N causes, that is Painleve's paradox */
#include "wellposed.h"
#include "ops.h"

#include <drystone/math.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the state at the start -------------------------------------------------------- */

void dry_lang__start(const dry_elab *elab, double *x) {
    for (int i = 0; i < elab->n_states; i++) x[i] = 0.0;
    for (int i = 0; i < elab->n_outers; i++) x[elab->n_states + i] = elab->outer[i].start;
    for (int pass = 0; pass < 2; pass++) /* states of laws may begin where the others are */
        for (int i = 0; i < elab->n_states; i++)
            if ((elab->state[i].symbol >= 0) != (pass > 0))
                x[i] = dry_dag_value(elab->dag, elab->state[i].start, elab->par_value, 0.0, x, NULL,
                                     0);
}

static double at_start(const dry_wellposed *w, dry_node node) {
    return dry_dag_value(w->elab->dag, node, w->elab->par_value, 0.0, w->x, NULL, 0);
}

/* ---- continuity --------------------------------------------------------------------------------
 */

static bool is_jump(dry_op op) {
    return op == DRY_OP_SELECT || dry_op_rows[op].course == DRY_JUMPS;
}

/* jumps[node] is set where the node may jump with the state. */
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
static const char *jumping_functions(dry_report *report) {
    const char *list = "";
    for (const dry_op_row *row = dry_op_rows; row < dry_op_rows + DRY_N_OPS; row++)
        if (row->kind == DRY_FUNCTION && row->course == DRY_JUMPS)
            list = dry_lang__text(report, "%s%s%s", list, *list ? ", " : "", row->text);
    return list;
}

static void say_jump(dry_wellposed *w, const dry_force *force, dry_place at, const char *what) {
    dry_report *report = w->elab->report;
    DRY_SAY(report, at, NOT_CONTINUOUS, force->name, what, jumping_functions(report));
}

static void check_continuous(dry_wellposed *w, const dry_force *force) {
    const char *what = force->set->argument;
    for (int k = 0; k < force->n_inputs; k++)
        if (w->jumps[force->input[k]]) say_jump(w, force, force->argument_at, what);
    if (dry_lang__is_friction(force) && w->jumps[force->chi]) say_jump(w, force, force->at, "chi");
}

/* ---- chi is not negative ----------------------------------------------------------- */

static void watch(dry_elab *elab, dry_node node, const char *text) {
    dry_guard_info *info = DRY_GROW(elab, guard);
    if (info) *info = (dry_guard_info){node, text};
}

/* A level that feeds on its own force has one answer where that is a part of it (own_force.c). */
static void check_feed(dry_wellposed *w, const dry_force *force) {
    dry_elab *elab = w->elab;
    dry_dag *dag = elab->dag;
    const dry_interval bounds = dry_dag_bounds(dag, force->feed, elab->par_value);
    if (!force->feed || (bounds.low > -1.0 && bounds.high < 1.0)) return;
    const double start = at_start(w, force->feed);
    if (bounds.low >= 1.0 || bounds.high <= -1.0 || !(fabs(start) < 1.0)) {
        DRY_SAY(elab->report, force->at, SELF_LOCKING, force->name,
                dry_lang__number(elab->report, start));
        return;
    }
    const dry_node most = dry_dag_const(dag, 1.0 - DBL_EPSILON);
    watch(elab, dry_dag_bin(dag, DRY_OP_SUB, most, dry_dag_un(dag, DRY_OP_ABS, force->feed)),
          dry_lang__text(elab->report,
                         "the level of `%s` (line %d) began to change by as much as the force "
                         "itself: it locks. Keep its slope in `%s` between -1 and 1",
                         force->name, force->at.line, force->name));
}

static void check_level(dry_wellposed *w, const dry_force *force) {
    dry_elab *elab = w->elab;
    const dry_node chi = force->feed ? force->unfed : force->chi;
    dry_interval bounds = dry_dag_bounds(elab->dag, chi, elab->par_value);
    check_feed(w, force);
    if (bounds.low >= 0.0) return;
    double start = at_start(w, chi);
    if (bounds.high <= 0.0 || start < 0.0) {
        DRY_SAY(elab->report, force->at, LEVEL_NEGATIVE, force->name,
                dry_lang__number(elab->report, start));
        return;
    }
    watch(elab, chi,
          dry_lang__text(
              elab->report,
              "the friction level chi of `%s` (line %d) became negative: friction would push. "
              "Write it so that it cannot, such as max(0, chi)",
              force->name, force->at.line));
}

static void check_gap(dry_wellposed *w, const dry_force *force) {
    double psi = at_start(w, force->input[0]);
    if (psi < -1e-12)
        DRY_SAY(w->elab->report, force->argument_at, GAP_NEGATIVE, force->name,
                dry_lang__number(w->elab->report, psi));
}

/* ---- effective mass ---------------------------------------------------------------- */

/* The state in whose equation the force stands, for the way out. */
static const char *acts_on(const dry_wellposed *w, dry_node pick) {
    for (int i = 0; i < w->elab->n_states; i++) {
        if (w->elab->state[i].symbol < 0) continue;
        dry_node d = dry_dag_diff(w->elab->dag, w->elab->state[i].rate, pick, NULL, 0);
        if (at_start(w, d) != 0.0) return w->elab->state[i].name;
    }
    return NULL;
}

/* The first parameter below 0 with whose other sign the node, which is negative, would be positive;
 * or NULL. */
static const dry_param_info *turned_by(const dry_wellposed *w, dry_node node) {
    dry_elab *elab = w->elab;
    for (int i = 0; node >= 0 && i < elab->n_params; i++) {
        const double value = elab->par_value[i];
        if (elab->param[i].hidden || !(value < 0.0)) continue;
        elab->par_value[i] = -value;
        const bool turned = at_start(w, node) > 0.0;
        elab->par_value[i] = value;
        if (turned) return &elab->param[i];
    }
    return NULL;
}

/* Which sign to turn where a force acts the wrong way round; `own` is 1/m as it is. */
static void suggest_sign(const dry_wellposed *w, const dry_force *force, dry_node pick,
                         dry_node own) {
    const dry_param_info *param = turned_by(w, own);
    if (param) {
        dry_lang__way_out(w->elab->report, "the parameter `%s` is %.6g: give it the other sign",
                          param->name, param->value);
        return;
    }
    const char *state = acts_on(w, pick);
    bool friction = dry_lang__is_friction(force);
    char sign = (friction ? force->sign > 0.0 : force->sign < 0.0) ? '-' : '+';
    if (state)
        dry_lang__way_out(w->elab->report, "write `%c %s` in the equation of %s", sign, force->name,
                          state);
}

/* What is lost where the net is asked (through.c). */
static const double rounding = 1e-8;

/* How theta and psi move where they are quantities of parts is for the net to know. */
static bool acts_through_parts(const dry_wellposed *w, const dry_force *force) {
    for (int k = 0; k < force->n_inputs; k++)
        if (dry_lang__needs_outer(w->elab, force->input[k])) return true;
    return false;
}

/* How the components of the force brake those of theta, W; the sum of its diagonal as a node. */
static dry_node brake(const dry_wellposed *w, const dry_force *force, double *W) {
    dry_elab *elab = w->elab;
    const int n = force->dim;
    dry_node total = 0;
    for (int i = 0; i < n; i++) {
        dry_node rate =
            dry_dag_time_derivative(elab->dag, force->input[i], w->rate, elab->n_states);
        for (int j = 0; j < n; j++) {
            dry_node pick = dry_dag_pick(elab->dag, force->block, j);
            dry_node d =
                dry_dag_un(elab->dag, DRY_OP_NEG, dry_dag_diff(elab->dag, rate, pick, NULL, 0));
            W[i * n + j] = at_start(w, d);
            if (i == j) total = dry_dag_bin(elab->dag, DRY_OP_ADD, total, d);
        }
    }
    return total;
}

static void check_friction(dry_wellposed *w, dry_force *force) {
    dry_elab *elab = w->elab;
    const int n = force->dim;
    const bool through = acts_through_parts(w, force);
    double W[9], A[9], real[3], imaginary[3];
    bool zero = true;
    if (through && !dry_lang__friction_through(w, force, W)) return;
    const dry_node total = through ? -1 : brake(w, force, W);
    for (int i = 0; i < n * n; i++) zero = zero && W[i] == 0.0;
    if (zero) {
        DRY_SAY(elab->report, force->at, FRICTION_IDLE, force->name);
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
    if (least < (through ? -rounding * fabs(most) : 0.0)) {
        DRY_SAY(elab->report, force->at, FRICTION_DRIVES, force->name);
        suggest_sign(w, force, dry_dag_pick(elab->dag, force->block, 0), total);
        return;
    }
    force->mass = 1.0 / most;
    force->inverse_mass = total;
}

enum { MOST_PARTNERS = 32 };

/* The friction forces whose level depends on this contact's force. */
static int partners_of(const dry_wellposed *w, dry_node pick, int *partner) {
    int n = 0;
    for (int i = w->first_user[pick] - 1; i >= 0 && n < MOST_PARTNERS; i = w->next_user[i])
        partner[n++] = w->user[i];
    return n;
}

/* How much N opens the gap when every friction force that it feeds slips in the direction of its
 * present sliding: Painleve's test. Friction at rest is left out: it may stick. */
static double opening_in_slip(dry_wellposed *w, dry_node acceleration, dry_node pick, double direct,
                              const int *partner, int n, const dry_node *frozen, int n_frozen) {
    dry_elab *elab = w->elab;
    double total = direct;
    for (int i = 0; i < n; i++) {
        const dry_force *f = &elab->force[partner[i]];
        const dry_override side = {f->side, dry_sgn(at_start(w, f->input[0]))};
        double level = dry_dag_value(elab->dag, dry_dag_diff(elab->dag, f->chi, pick, NULL, 0),
                                     elab->par_value, 0.0, w->x, &side, f->feed ? 1 : 0);
        double speed = 0.0, along = 0.0;
        for (int k = 0; k < f->dim; k++) {
            dry_node fk = dry_dag_pick(elab->dag, f->block, k);
            double d = at_start(w, dry_dag_diff(elab->dag, acceleration, fk, frozen, n_frozen));
            double theta = at_start(w, f->input[k]);
            speed += theta * theta;
            along += d * theta;
        }
        if (speed > 0.0) total += level * along / sqrt(speed);
    }
    return total;
}

static void contact_mass(dry_wellposed *w, dry_force *force, dry_node own, double direct,
                         double in_slip) {
    dry_elab *elab = w->elab;
    if (direct == 0.0) {
        DRY_SAY(elab->report, force->at, CONTACT_IDLE, force->name);
        if (own < 0)
            dry_lang__way_out(elab->report,
                              "let psi depend on what the force moves: `f` of a body moves its p, "
                              "`m` turns its q, and p only where a joint holds it elsewhere");
    } else if (direct < 0.0) {
        DRY_SAY(elab->report, force->at, CONTACT_CLOSES, force->name);
        suggest_sign(w, force, dry_dag_pick(elab->dag, force->block, 0), own);
    } else {
        if (in_slip <= 0.0)
            DRY_SAY(elab->report, force->at, PAINLEVE, force->name,
                    dry_lang__number(elab->report, direct),
                    dry_lang__number(elab->report, in_slip));
        force->mass = 1.0 / direct;
    }
}

/* With joints as stiff as they are, and as rigid ones: in ten times the time of an impact. The
 * speed after it is off by twice the difference of the masses, or more where joints are damped
 * little. */
static void contact_through(dry_wellposed *w, dry_force *force, dry_node speed,
                            const dry_node *frozen, int n_frozen) {
    const double h = dry_lang__impact_time(w->elab, force), most_slack = 0.015;
    dry_report *report = w->elab->report;
    double direct, rigid;
    if (!dry_lang__contact_through(w, force, speed, frozen, n_frozen, h, &direct)) return;
    contact_mass(w, force, -1, direct, direct);
    if (isnan(force->mass) || force->choice == DRY_GIVEN) return;
    if (!dry_lang__contact_through(w, force, speed, frozen, n_frozen, 10.0 * h, &rigid)) return;
    if (fabs(direct - rigid) > most_slack * direct)
        DRY_SAY(report, force->at, HELD_LOOSELY, force->name,
                dry_lang__text(report, "%.3g", force->mass),
                dry_lang__text(report, "%.3g", 1.0 / rigid));
}

static void check_contact(dry_wellposed *w, dry_force *force) {
    dry_elab *elab = w->elab;
    dry_node pick = dry_dag_pick(elab->dag, force->block, 0);
    dry_node speed = dry_dag_time_derivative(elab->dag, force->input[0], w->rate, elab->n_states);
    if (at_start(w, dry_dag_diff(elab->dag, speed, pick, NULL, 0)) != 0.0) return; /* no inertia */
    int partner[MOST_PARTNERS], n = partners_of(w, pick, partner), n_frozen = 0;
    dry_node frozen[3 * MOST_PARTNERS];
    for (int i = 0; i < n; i++)
        for (int k = 0; k < elab->force[partner[i]].dim; k++)
            frozen[n_frozen++] = dry_dag_pick(elab->dag, elab->force[partner[i]].block, k);
    if (acts_through_parts(w, force) || dry_lang__needs_outer(elab, speed)) {
        contact_through(w, force, speed, frozen, n_frozen);
        return;
    }
    dry_node acceleration = dry_dag_time_derivative(elab->dag, speed, w->rate, elab->n_states);
    /* d(psi'')/dN, with the friction that N causes held fixed */
    dry_node d = dry_dag_diff(elab->dag, acceleration, pick, frozen, n_frozen);
    const double direct = at_start(w, d);
    contact_mass(w, force, d, direct,
                 opening_in_slip(w, acceleration, pick, direct, partner, n, frozen, n_frozen));
    if (!isnan(force->mass)) force->inverse_mass = d;
}

/* ---- which friction depends on which contact --------------------------------------- */

/* Walks the graph of a level and notes every contact force in it. */
static void note_contacts(dry_wellposed *w, int force, dry_node node, int depth) {
    dry_node_view v = dry_dag_view(w->elab->dag, node);
    if (depth > 200 || w->seen[node] == force + 1) return;
    w->seen[node] = force + 1;
    if (v.op == DRY_OP_PICK && dry_dag_view(w->elab->dag, v.args[0]).op == DRY_OP_LAW) {
        int i = w->n_users++;
        w->user[i] = force;
        w->next_user[i] = w->first_user[node] - 1;
        w->first_user[node] = i + 1;
        return;
    }
    for (int k = 0; k < v.n_args && w->n_users < w->user_room; k++) {
        dry_node arg = dry_dag_view(w->elab->dag, node).args[k];
        if (dry_dag_depends(w->elab->dag, arg) & DRY_ON_STATE)
            note_contacts(w, force, arg, depth + 1);
    }
}

static bool prepare(dry_wellposed *w, dry_elab *elab) {
    size_t n = (size_t)elab->n_states + (size_t)elab->n_outers + 1;
    *w = (dry_wellposed){.elab = elab, .user_room = 8 * elab->n_forces + 64};
    w->x = dry_heap_take(elab->arena, n, sizeof *w->x);
    w->rate = dry_heap_take(elab->arena, n, sizeof *w->rate);
    w->jumps = find_jumps(elab->arena, elab->dag);
    w->first_user =
        dry_heap_take(elab->arena, (size_t)dry_dag_count(elab->dag) + 1, sizeof *w->first_user);
    w->n_nodes = dry_dag_count(elab->dag);
    w->seen = dry_heap_take(elab->arena, (size_t)w->n_nodes + 1, sizeof *w->seen);
    w->user = dry_heap_take(elab->arena, (size_t)w->user_room, sizeof *w->user);
    w->next_user = dry_heap_take(elab->arena, (size_t)w->user_room, sizeof *w->next_user);
    if (!w->x || !w->rate || !w->jumps || !w->first_user || !w->seen || !w->user || !w->next_user)
        return false;
    dry_lang__start(elab, w->x);
    for (int i = 0; i < elab->n_states; i++) w->rate[i] = elab->state[i].rate;
    for (int i = 0; i < elab->n_forces; i++)
        if (dry_lang__is_friction(&elab->force[i]) && w->n_users < w->user_room)
            note_contacts(w, i, elab->force[i].chi, 0);
    return true;
}

static void release(dry_wellposed *w) {
    free(w->x);
    free(w->rate);
    free(w->jumps);
    free(w->first_user);
    free(w->seen);
    free(w->user);
    free(w->next_user);
}

/* ---- all checks -------------------------------------------------------------------- */

static void check_force(dry_wellposed *w, dry_force *force) {
    if (!force->set || force->shared >= 0) return;
    int errors = w->elab->report->n_errors;
    for (int k = 0; k < force->n_inputs; k++) dry_lang__refuse_results(w->elab, force->input[k]);
    check_continuous(w, force);
    if (dry_lang__is_friction(force))
        check_level(w, force);
    else
        check_gap(w, force);
    if (w->elab->report->n_errors > errors) return;
    if (dry_lang__is_friction(force))
        check_friction(w, force);
    else
        check_contact(w, force);
}

static void check_start(dry_wellposed *w) {
    for (int i = 0; i < w->elab->n_states; i++)
        if (!isfinite(w->x[i]))
            DRY_SAY(w->elab->report, w->elab->state[i].at, START_NOT_FINITE,
                    w->elab->state[i].name);
}

void dry_lang__wellposed(dry_elab *elab) {
    dry_wellposed w;
    if (prepare(&w, elab)) {
        check_start(&w);
        for (int i = 0; i < elab->n_forces && !dry_dag_failed(elab->dag); i++)
            check_force(&w, &elab->force[i]);
        for (int i = 0; i < elab->n_forces; i++)
            if (elab->force[i].shared >= 0)
                elab->force[i].mass = elab->force[elab->force[i].shared].mass;
    }
    release(&w);
}
