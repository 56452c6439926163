/* One evaluation (KY08 section II): all motions, Psi, all I, Phi, all A. */
#include "net_private.h"

static unsigned motion_range(const void *data, int from, int to) {
    const dry_net__run *run = data;
    for (int i = from; i < to; i++) {
        const dry_net__packed *body = &run->net->loops.bodies[i];
        const dry_part_env env = dry_net__packed_env(run, body, NULL);
        dry_net__move(run, &env, body);
    }
    return 0;
}

void dry_net__motions(const dry_net__run *run) {
    dry_net__each(run->team, run->net->wiring.n_admittance, motion_range, run);
}

void dry_net__relative(const dry_net__run *run, int n, dry_net__filter *has) {
    const dry_net *net = run->net;
    for (int i = 0; i < n; i++)
        if (has(net->wiring.impedance[i]->part)) dry_net__gather_motion(run, &net->loops.laws[i]);
}

static unsigned impedance_range(const void *data, int from, int to) {
    const dry_net__run *run = data;
    for (int i = from; i < to; i++) dry_net__impede(run, &run->net->loops.laws[i]);
    return 0;
}

static void forces(const dry_net__run *run) {
    const dry_net *net = run->net;
    dry_net__motions(run);
    dry_net__each(run->team, net->wiring.n_single, impedance_range, run);
    for (int i = net->wiring.n_single; i < net->wiring.n_impedance; i++) {
        dry_net__gather_motion(run, &net->loops.laws[i]);
        dry_net__gather_force(run, &net->loops.laws[i], false);
    }
}

static unsigned admittance_range(const void *data, int from, int to) {
    const dry_net__run *run = data;
    for (int i = from; i < to; i++) {
        const dry_net__packed *body = &run->net->loops.bodies[i];
        const dry_part_env env = dry_net__packed_env(run, body, NULL);
        dry_net__sum(run, body);
        dry_net__admit(run, &env, body, run->x_dot + body->x);
    }
    return 0;
}

void dry_net__accelerations(const dry_net__run *run) {
    dry_net__each(run->team, run->net->wiring.n_admittance, admittance_range, run);
    if (run->once && run->net->asked.account) dry_net__account_middle(run);
}

static void lead_forces(dry_team *team, void *data) {
    dry_net__run *run = data;
    run->team = team;
    forces(run);
}

static void lead_accelerations(dry_team *team, void *data) {
    dry_net__run *run = data;
    run->team = team;
    dry_net__accelerations(run);
}

static void lead_both(dry_team *team, void *data) {
    lead_forces(team, data);
    lead_accelerations(team, data);
}

void dry_net__rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    dry_net__run run = dry_net__run_of(env, t, tau, x);
    run.x_dot = x_dot;
    dry_team_lead(run.net->team, lead_both, &run);
}

void dry_net_forces(const dry_env *env, double t, double tau, const double *x) {
    dry_net_forces_in(env, DRY_AS_IS, t, tau, x);
}

unsigned dry_net_ends(const dry_net *net) {
    unsigned ends = 0;
    for (int i = 0; i < net->wiring.n_impedance; i++) ends |= net->wiring.impedance[i]->part->ends;
    return ends;
}

void dry_net_forces_in(const dry_env *env, dry_branch branch, double t, double tau,
                       const double *x) {
    dry_net__run run = dry_net__run_of(env, t, tau, x);
    run.branch = branch;
    run.x_dot = run.rates;
    dry_team_lead(run.net->team, lead_forces, &run);
}

void dry_net_rates(const dry_env *env, double t, double tau, const double *x, const double *more,
                   double *x_dot) {
    dry_net__run run = dry_net__run_of(env, t, tau, x);
    memcpy(x_dot, run.rates, (size_t)run.net->system.n_states * sizeof *x_dot);
    run.x_dot = x_dot;
    run.more = more;
    dry_net__push_axes(&run);
    dry_team_lead(run.net->team, lead_accelerations, &run);
}
