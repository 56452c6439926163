/* run_midpoint_work: computes the work of a step of first order with the velocities at its
 * midpoint.
 *
 * Such a step takes the forces f at its beginning, and v becomes v + h v_dot. The kinetic energy
 * then changes by f . (v + h v_dot/2) h for any h, so with that velocity the account misses no work
 * of the forces on the bodies. With the velocity at the beginning, the account would miss f^2
 * h^2/(2 m) of each force in every step. The remaining error is that of the energies that depend on
 * positions; it does not grow.
 *
 * h: s; the rates of the bodies are known. */
#include "net_private.h"

static unsigned body_range(const void *data, int from, int to) {
    const dry_net__run *run = data;
    dry_net__run middle = *run;
    middle.x = run->middle;
    for (int i = from; i < to; i++) {
        const dry_net__packed *body = &run->net->loops.bodies[i];
        const dry_net__span *spans = run->net->loops.spans + body->span;
        const double *x = run->x + body->x, *rate = run->x_dot + body->x;
        double *y = run->middle + body->x;
        for (int k = 0; k < body->n_spans; k++)
            for (int s = spans[k].from; s < spans[k].to; s++)
                y[s] = spans[k].are_positions ? x[s] : x[s] + 0.5 * run->tau * rate[s];
        const dry_part_env env = dry_net__packed_env(run, body, NULL);
        dry_net__move(&middle, &env, body);
    }
    return 0;
}

static unsigned law_range(const void *data, int from, int to) {
    const dry_net__run *run = data;
    for (int i = from; i < to; i++) {
        const dry_net__packed *law = &run->net->loops.laws[i];
        for (int k = 0; k < law->n_links; k++) dry_net__psi_link(run, law->link + k);
        dry_net__account_law(run, law);
    }
    return 0;
}

void dry_net__account_middle(const dry_net__run *run) {
    const dry_net *net = run->net;
    dry_net__each(run->team, net->wiring.n_admittance, body_range, run);
    dry_net__each(run->team, net->wiring.n_single, law_range, run);
    for (int i = net->wiring.n_single; i < net->wiring.n_impedance; i++) {
        dry_net__gather_motion(run, &net->loops.laws[i]);
        dry_net__account_law(run, &net->loops.laws[i]);
    }
}

double dry_net_push_power(const dry_env *env, const double *more) {
    const dry_net__run run = dry_net__run_of(env, 0.0, 0.0, NULL);
    double power = dry_net__push_power_on_axes(&run, more);
    for (int i = 0; i < run.net->wiring.n_admittance; i++)
        power += dry_net__power_on(&run, &run.net->loops.bodies[i], more);
    return power;
}
