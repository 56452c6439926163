/* start_rates: checks whether a run can begin: the rates at the start must be finite.
 *
 * If the model keeps its sets, these are the rates with all set-valued forces zero. If a rate of a
 * model with parts is not finite, the check looks for the force that causes it: the force of a law,
 * or a push of an equation. */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *defect_of(double x) { return isnan(x) ? "not a number" : "infinite"; }

/* Returns the first index that is not finite; n if all are finite. */
static int first_bad(const double *x, int n) {
    int i = 0;
    while (i < n && isfinite(x[i])) i++;
    return i;
}

/* ---- equations -------------------------------------------------------------------------- */

/* Law states are derived from the equations; do not report them. */
static bool tell_state(const dry_elab *elab, const double *rate) {
    for (int i = 0; i < elab->quantities.n_states; i++) {
        const dry_state_info *state = &elab->quantities.state[i];
        if (state->symbol < 0 || isfinite(rate[i])) continue;
        DRY_SAY(elab->diag, state->rate_at, RATE_NOT_FINITE, state->name, defect_of(rate[i]));
        return true;
    }
    return false;
}

/* ---- parts ------------------------------------------------------------------------------ */

/* Returns the name of the force of a port: pin.f, robot_joints.elbow.f */
static const char *force_name(const dry_elab *elab, const char *part, const dry_port *port) {
    return dry_diag_text(elab->diag, "%s%s%s.%s", part, port->name[0] ? "." : "", port->name,
                         port->kind == DRY_SURFACE ? "N" : "f");
}

static bool tell_port(const dry_elab *elab, dry_net_port at) {
    const char *name;
    const dry_port *port = &dry_net_part_at(elab->scene.net, at.part, &name)->ports[at.port];
    const double *f = dry_net_read(&elab->scene.net_env, elab->scene.net_x,
                                   dry_net_force_of(elab->scene.net, at));
    const int n = dry_port_force(port), i = first_bad(f, n);
    if (i == n) return false;
    DRY_SAY(elab->diag, dry_lang_owner(elab, at.part)->at, FORCE_NOT_FINITE,
            force_name(elab, name, port), defect_of(f[i]));
    dry_diag_way_out(elab->diag, "check the keys of `%s`, and the start positions of its ends",
                     name);
    return true;
}

static bool tell_law(const dry_elab *elab, double tau) {
    const dry_env *env = &elab->scene.net_env;
    if (elab->scene.net_system->prepare) elab->scene.net_system->prepare(env);
    dry_net_forces(env, 0.0, tau, elab->scene.net_x);
    for (int i = 0; i < dry_net_part_count(elab->scene.net); i++) {
        const char *name;
        const dry_part *part = dry_net_part_at(elab->scene.net, i, &name);
        for (int k = 0; k < part->n_ports && part->side == DRY_IMPEDANCE; k++)
            if (tell_port(elab, (dry_net_port){i, k})) return true;
    }
    return false;
}

static bool tell_push(const dry_elab *elab) {
    double *x = dry_heap_take(
        elab->arena, (size_t)(elab->quantities.n_states + elab->scene.n_outers) + 1, sizeof *x);
    bool said = false;
    if (x) dry_lang_start(elab, x);
    for (int i = 0; x && i < elab->scene.n_thrusts && !said; i++) {
        const dry_thrust *thrust = &elab->scene.thrust[i];
        const double f =
            dry_dag_value(elab->dag, thrust->node, elab->quantities.par_value, 0.0, x, NULL, 0);
        said = !isfinite(f);
        if (said) DRY_SAY(elab->diag, thrust->at, FORCE_NOT_FINITE, thrust->name, defect_of(f));
    }
    free(x);
    return said;
}

/* rate: rates of the states of the net. */
static void tell_body(const dry_elab *elab, const double *rate) {
    const dry_system *net = elab->scene.net_system;
    const int i = first_bad(rate, net->n_states);
    if (i == net->n_states) return;
    const int part = dry_net_part_of_state(elab->scene.net, i);
    DRY_SAY(elab->diag, part < 0 ? (dry_place){0} : dry_lang_owner(elab, part)->at, RATE_NOT_FINITE,
            net->states[i].name, defect_of(rate[i]));
    dry_diag_way_out(elab->diag, "check the keys of this part, and its start values");
}

static void tell_parts(const dry_subject *subject, double tau, const double *rate) {
    const dry_elab *elab = subject->elab;
    const int n = subject->system->n_states;
    if (first_bad(rate, n) == n || tell_law(elab, tau) || tell_push(elab)) return;
    if (!tell_state(elab, rate)) tell_body(elab, rate + n - elab->scene.net_system->n_states);
}

/* ---- the rates -------------------------------------------------------------------------- */

/* Computes the rates with the sets kept and all forces zero; ignores the other values. */
static void kept_rates(dry_arena *arena, const dry_inclusion *inc, const dry_env *env,
                       const double *x, double *rate) {
    const size_t n_sets = (size_t)inc->n_sets, n_forces = (size_t)inc->n_forces;
    const size_t n = 2 * n_forces + 2 * n_sets + (size_t)(inc->n_push + inc->n_feel + inc->n_lift);
    double *room = dry_heap_take(arena, n + 1, sizeof *room);
    if (!room) return;
    double *lambda = room, *slide = lambda + n_forces, *gap = slide + n_forces;
    double *level = gap + n_sets, *push = level + n_sets, *feel = push + inc->n_push;
    const dry_inclusion_values values = {.rate = rate,
                                         .slide = slide,
                                         .gap = gap,
                                         .level = level,
                                         .push = push,
                                         .feel = feel,
                                         .lift = feel + inc->n_feel};
    inc->eval(env, 0.0, x, lambda, &values);
    free(room);
}

/* Uses a tau, because some laws need it (KY08). */
void dry_check_start_rates(const dry_subject *subject) {
    const dry_elab *elab = subject->elab;
    const dry_system *system = subject->system;
    const double tau = elab->run.step > 0.0 ? elab->run.step : 1e-3;
    double *x = dry_heap_take(elab->arena, 2 * (size_t)system->n_states + 1, sizeof *x);
    const dry_env env = {.model = system->model,
                         .par = system->par,
                         .work = dry_heap_take(elab->arena, 1, system->work_size + 1)};
    if (x && env.work) {
        double *rate = x + system->n_states;
        system->prepare(&env);
        system->start(&env, 0.0, x);
        if (subject->inclusion)
            kept_rates(elab->arena, subject->inclusion, &env, x, rate);
        else
            system->rate(&env, 0.0, tau, x, rate);
        if (elab->scene.net)
            tell_parts(subject, tau, rate);
        else
            tell_state(elab, rate);
    }
    free(env.work);
    free(x);
}
