/* run_march_rk4: a step of classical Runge-Kutta in two loops per stage: each part is evaluated and
 * moved to the next stage while its data are in the cache. The bits equal those of dry_rk4_step
 * (ode.h); KY08 (21) gives the tau of the stages. Nets with parts that gather do not use it,
 * because their many states would need five times the memory. */
#include "net_private.h"

enum { STAGES = 4 };

size_t dry_net__rk4_size(const dry_net *net) {
    return net->wiring.n_single == net->wiring.n_impedance
               ? (STAGES + 1) * (size_t)net->system.n_states
               : 0;
}

/* One stage: k of all stages, the state y at which the rate is taken, the step that leads to the
 * state of the next stage. */
typedef struct stage {
    const dry_net__stepper *stepper;
    dry_net__run run; /* at (t, tau, y) of the stage */
    dry_net__run next;
    int index;
    double *k[STAGES], *y;
    double before, after; /* the parts of h that lead here and to the next stage */
} stage;

/* y = x + c k */
static void move_to(const stage *s, double c, const double *k, int from, int n) {
    const double *x = s->stepper->x;
    for (int i = from; i < from + n; i++) s->y[i] = x[i] + c * k[i];
}

/* The whole step for a range of states. */
static unsigned arrive(const stage *s, int from, int n) {
    const double h = s->stepper->h;
    const double *k1 = s->k[0], *k2 = s->k[1], *k3 = s->k[2], *k4 = s->k[3];
    double *x = s->stepper->x, *before = s->stepper->before, zero = 0.0;
    for (int i = from; i < from + n; i++) {
        before[i] = x[i];
        x[i] += h * (1.0 / 6.0) * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        zero += 0.0 * x[i];
    }
    return zero == 0.0 ? 0 : DRY_NET__BROKEN;
}

static unsigned arrive_lane(const stage *s, const dry_net__packed *packed) {
    const unsigned flags = packed->account < 0 ? 0 : arrive(s, packed->account, 1);
    return arrive(s, packed->x, packed->n_x) | flags;
}

static unsigned law_range(const void *data, int from, int to) {
    const stage *s = data;
    unsigned flags = 0;
    for (int i = from; i < to; i++) {
        const dry_net__packed *law = &s->run.net->loops.laws[i];
        if (s->index > 0) move_to(s, s->before, s->k[s->index - 1], law->x, law->n_x);
        dry_net__impede(&s->run, law);
        if (s->index == STAGES - 1) flags |= arrive_lane(s, law);
    }
    return flags;
}

static unsigned body_range(const void *data, int from, int to) {
    const stage *s = data;
    unsigned flags = 0;
    for (int i = from; i < to; i++) {
        const dry_net__packed *body = &s->run.net->loops.bodies[i];
        dry_part_env env = dry_net__packed_env(&s->run, body, NULL);
        dry_net__sum(&s->run, body);
        dry_net__admit(&s->run, &env, body, s->run.x_dot + body->x);
        if (s->index == STAGES - 1)
            flags |= arrive_lane(s, body);
        else
            move_to(s, s->after, s->k[s->index], body->x, body->n_x);
        env.t = s->next.t;
        env.tau = s->next.tau;
        dry_net__move(&s->next, &env, body);
    }
    return flags;
}

unsigned dry_net__rk4_step(const dry_net__stepper *stepper) {
    const dry_net *net = stepper->run.net;
    const double h = stepper->h, half = 0.5 * h, t = stepper->run.t, end = stepper->end;
    const double tau = stepper->staged ? h : 0.0, half_tau = 0.5 * tau;
    const double times[] = {t, t + half, t + half, end, end};
    const double taus[] = {half_tau, half_tau, tau, tau, tau};
    const double parts[] = {0.0, half, half, h, 0.0};
    stage s = {.stepper = stepper, .run = stepper->run, .next = stepper->run};
    for (int i = 0; i < STAGES; i++) s.k[i] = stepper->run.stages + i * net->system.n_states;
    s.y = stepper->run.stages + STAGES * net->system.n_states;
    unsigned flags = 0;
    for (s.index = 0; s.index < STAGES; s.index++) {
        s.run.t = times[s.index];
        s.run.tau = taus[s.index];
        s.run.x = s.index == 0 ? stepper->x : s.y;
        s.run.x_dot = s.k[s.index];
        s.next.t = times[s.index + 1];
        s.next.x = s.index == STAGES - 1 ? stepper->x : s.y;
        s.before = parts[s.index];
        s.after = parts[s.index + 1];
        flags |= dry_net__each(s.run.team, net->wiring.n_single, law_range, &s);
        flags |= dry_net__each(s.run.team, net->wiring.n_admittance, body_range, &s);
    }
    return flags;
}
