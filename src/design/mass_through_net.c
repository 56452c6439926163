/* mass_through_net: computes the effective mass of a set-valued force on parts by evaluating the
 * net.
 *
 * A force df changes the rates at the start, in which forces stand in proportion, by
 *     of the equations   R = d rate/df                                (derivatives of the graph)
 *     of the net         D = rates(pushes P) - rates(no pushes),  P = d push/df
 * Along the direction (R, D), s being a step in it,
 *     friction   1/m = -(theta(x + s) - theta(x - s))/(2 s)
 *     contact    1/m = (psi_dot(x + s) - psi_dot(x - s))/(2 s),
 *                psi_dot = d psi/dt of the equations + (psi(x + h x_dot) - psi(x - h x_dot))/(2 h)
 * theta and psi_dot are linear in velocities, so that only rounding is lost. Stiff joints hold
 * during an impact, so they reduce D of a contact (net.h, dry_net_held). Friction is stiff on the
 * time scale of a step, on which joints do not hold. */
#include "design.h"

#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_WORK = 1e8; /* forces times states of the net */
static const double SHIFT = 1e-6;    /* of positions along the motion, m or rad */
static const double IDLE = 1e-7;     /* rate of psi for a motion of 1: rounding */

typedef struct probe {
    const dry_mass_search *search;
    const dry_elab *elab;
    int n_own, n_net;
    double *x;         /* own states, then the numbers of the net */
    double *R, *D;     /* the direction */
    double *y, *y_dot; /* states of the net nearby, and rates */
    double *more;
    bool *needed; /* of x, those that count */
    bool forces;  /* theta or psi needs a force of a law: it jumps, and says nothing */
} probe;

static bool open_probe(probe *p, const dry_mass_search *search) {
    const dry_elab *elab = search->elab;
    const size_t own = (size_t)elab->quantities.n_states + 1, outer = (size_t)elab->scene.n_outers;
    const size_t net = (size_t)elab->scene.net_system->n_states + 1;
    const size_t more = (size_t)dry_net_force_count(elab->scene.net) + 1;
    *p = (probe){
        .search = search, .elab = elab, .n_own = elab->quantities.n_states, .n_net = (int)net - 1};
    p->x = dry_heap_take(search->elab->arena, 2 * own + outer + 3 * net + more, sizeof *p->x);
    p->needed = dry_heap_take(search->elab->arena, own + outer, sizeof *p->needed);
    if (!p->x || !p->needed) return false;
    p->R = p->x + own + outer;
    p->D = p->R + own;
    p->y = p->D + net;
    p->y_dot = p->y + net;
    p->more = p->y_dot + net;
    return true;
}

static void close_probe(probe *p) {
    free(p->x);
    free(p->needed);
}

/* ---- what counts ---------------------------------------------------------------------- */

static void note(void *user, int index) {
    probe *p = user;
    p->needed[index] = true;
    if (index >= p->n_own)
        p->forces = p->forces || p->elab->scene.outer[index - p->n_own].where >= DRY_IN_FORCE;
}

static void look_at(probe *p, dry_node node) {
    dry_leaves leaves = {0};
    if (dry_leaves_size(&leaves, p->elab->dag)) dry_leaves_of(&leaves, node, note, p);
    dry_leaves_free(&leaves);
}

/* ---- values nearby ---------------------------------------------------------------------- */

static double at_start(const probe *p, dry_node node) {
    return dry_dag_value(p->elab->dag, node, p->elab->quantities.par_value, 0.0, p->search->x, NULL,
                         0);
}

/* Reads the quantities of the net at its states y. */
static void look_up(const probe *p, const double *y) {
    const dry_env *env = &p->elab->scene.net_env;
    dry_net_forces(env, 0.0, 0.0, y);
    for (int i = 0; i < p->elab->scene.n_outers; i++) {
        if (!p->needed[p->n_own + i]) continue;
        const dry_outer *outer = &p->elab->scene.outer[i];
        const dry_net_found spot = {outer->where, outer->index, 1, ""};
        p->x[p->n_own + i] =
            outer->where == DRY_IN_OUTPUT ? outer->start : *dry_net_read(env, y, spot);
    }
}

static double value(const probe *p, dry_node node) {
    return dry_dag_value(p->elab->dag, node, p->elab->quantities.par_value, 0.0, p->x, NULL, 0);
}

/* Moves the probe by s along the direction: own states in x, those of the net in y. */
static void go(const probe *p, double s) {
    for (int i = 0; i < p->n_own; i++) p->x[i] = p->search->x[i] + s * p->R[i];
    for (int i = 0; i < p->n_net; i++) p->y[i] = p->elab->scene.net_x[i] + s * p->D[i];
    look_up(p, p->y);
}

static double largest(const double *x, int n) {
    double most = 0.0;
    for (int i = 0; i < n; i++) most = dry_max(most, fabs(x[i]));
    return most;
}

static double theta_change(const probe *p, dry_node theta, double s) {
    go(p, s);
    const double ahead = value(p, theta);
    go(p, -s);
    return (ahead - value(p, theta)) / (2.0 * s);
}

/* psi_dot at s along the direction; `own` is its part by the equations. */
static double psi_rate(const probe *p, dry_node psi, dry_node own, double s) {
    go(p, s);
    const double by_equations = value(p, own);
    dry_net_rates(&p->elab->scene.net_env, 0.0, 0.0, p->y, NULL, p->y_dot);
    const double fastest = largest(p->y_dot, p->n_net);
    const double h = SHIFT / dry_max(1.0, fastest);
    double ends[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < p->n_net; i++) p->y[i] += (k ? -2.0 : 1.0) * h * p->y_dot[i];
        look_up(p, p->y);
        ends[k] = value(p, psi);
    }
    return by_equations + (ends[0] - ends[1]) / (2.0 * h);
}

/* ---- the direction ------------------------------------------------------------------------ */

static bool is_zero(const probe *p) {
    return !(dry_max(largest(p->R, p->n_own), largest(p->D, p->n_net)) > 0.0);
}

/* Computes the change of the rates by one more unit of the force `pick`; returns false if it is
 * zero. */
static bool find_direction(const probe *p, dry_node pick, const dry_node *frozen, int n_frozen) {
    const dry_elab *elab = p->elab;
    const dry_env *env = &elab->scene.net_env;
    for (int i = 0; i < p->n_own; i++)
        p->R[i] = p->needed[i] ? at_start(p, dry_dag_diff(elab->dag, elab->quantities.state[i].rate,
                                                          pick, frozen, n_frozen))
                               : 0.0;
    memset(p->more, 0, sizeof *p->more * (size_t)dry_net_force_count(elab->scene.net));
    for (int k = 0; k < elab->scene.n_thrusts; k++)
        p->more[elab->scene.thrust[k].first] += at_start(
            p, dry_dag_diff(elab->dag, elab->scene.thrust[k].node, pick, frozen, n_frozen));
    dry_net_forces(env, 0.0, 0.0, elab->scene.net_x);
    dry_net_rates(env, 0.0, 0.0, elab->scene.net_x, NULL, p->y_dot);
    dry_net_rates(env, 0.0, 0.0, elab->scene.net_x, p->more, p->D);
    for (int i = 0; i < p->n_net; i++) p->D[i] -= p->y_dot[i];
    return !is_zero(p);
}

/* The same for a push of the duration h, during which joints hold; also returns false without
 * memory. */
static bool find_push(const probe *p, dry_node pick, const dry_node *frozen, int n_frozen,
                      double h) {
    return find_direction(p, pick, frozen, n_frozen) &&
           dry_net_held(p->elab->scene.net, p->elab->scene.net_x, h, p->D) == DRY_OK && !is_zero(p);
}

static double step_of(const probe *p) {
    return 1.0 / dry_max(largest(p->R, p->n_own), largest(p->D, p->n_net));
}

/* ---- both kinds ------------------------------------------------------------------------------ */

static bool is_too_much(const dry_elab *elab) {
    return (double)elab->quantities.n_forces * elab->scene.net_system->n_states > MOST_WORK;
}

bool dry_design__friction_through_net(const dry_mass_search *search, const dry_force *force,
                                      double *W) {
    probe p = {0};
    const int n = force->dim;
    bool good = !is_too_much(search->elab) && open_probe(&p, search);
    for (int i = 0; good && i < n; i++) look_at(&p, force->input[i]);
    good = good && !p.forces;
    for (int j = 0; good && j < n; j++) {
        const dry_node pick = dry_dag_pick(search->elab->dag, force->block, j);
        const bool acts = find_direction(&p, pick, NULL, 0);
        for (int i = 0; i < n; i++)
            W[i * n + j] = acts ? -theta_change(&p, force->input[i], step_of(&p)) : 0.0;
    }
    close_probe(&p);
    return good;
}

bool dry_design__contact_through_net(const dry_mass_search *search, const dry_force *force,
                                     dry_node own, const dry_node *frozen, int n_frozen, double h,
                                     double *inverse_mass) {
    probe p = {0};
    const dry_node psi = force->input[0];
    const dry_node pick = dry_dag_pick(search->elab->dag, force->block, 0);
    bool good = !is_too_much(search->elab) && open_probe(&p, search);
    if (good) look_at(&p, psi);
    if (good) look_at(&p, own);
    good = good && !p.forces;
    *inverse_mass = 0.0;
    if (good && find_push(&p, pick, frozen, n_frozen, h)) {
        const double s = step_of(&p), ahead = psi_rate(&p, psi, own, s);
        const double change = 0.5 * (ahead - psi_rate(&p, psi, own, -s));
        *inverse_mass = fabs(change) > IDLE ? change / s : 0.0;
    }
    close_probe(&p);
    return good;
}
