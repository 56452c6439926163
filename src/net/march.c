/* The net's own loop of steps, and semi-implicit ones (KY08 (14)) with one evaluation of the
 * impedance parts each: the rate of a position depends on no force, so the second evaluation of the
 * method is one of the admittance parts alone. Two loops per step: each part is evaluated, moved
 * and checked while it is at hand. The bits are those of the generic loop (src/ode).
 *
 * v becomes v + h v_dot(p, v), then p becomes p + h p_dot(p, v). */
#include "net_private.h"

typedef dry_net__stepper stepper;

/* x + h x_dot in a range of states, after a copy; false where a number is not finite. Sums of 0 x
 * are 0 where all are finite. */
static bool push(const stepper *s, int from, int n) {
    double *x = s->x + from, *before = s->before + from, zero[4] = {0.0, 0.0, 0.0, 0.0};
    const double *rate = s->run.rates + from, h = s->h;
    for (int i = 0; i < n; i++) {
        before[i] = x[i];
        x[i] += h * rate[i];
        zero[i % 4] += 0.0 * x[i];
    }
    return zero[0] + zero[1] + zero[2] + zero[3] == 0.0;
}

static bool push_account(const stepper *s, int account) {
    return account < 0 || push(s, account, 1);
}

/* ---- impedance parts --------------------------------------------------- */

static bool law_range(const void *data, int from, int to) {
    const stepper *s = data;
    bool good = true;
    for (int i = from; i < to; i++) {
        const dry_net__lane *law = &s->run.net->laws[i];
        dry_net__impede(&s->run, law);
        good &= push(s, law->x, law->n_x);
        good &= push_account(s, law->account);
    }
    return good;
}

typedef struct piece {
    const stepper *stepper;
    int first;
} piece;

static bool piece_range(const void *data, int from, int to) {
    const piece *p = data;
    return push(p->stepper, p->first + from, to - from);
}

/* One that gathers, with the many states it may have. */
static bool gathered(const stepper *s, const dry_net__lane *law) {
    const piece all = {s, law->x};
    dry_net__gather_force(&s->run, law);
    const bool good = dry_net__each(s->run.team, law->n_x, piece_range, &all);
    return push_account(s, law->account) && good;
}

/* ---- admittance parts -------------------------------------------------- */

/* The states of a body that are positions, or those that are not. */
static void push_body(const stepper *s, const dry_net__lane *body, bool positions) {
    const bool *is_position = s->run.net->system.positions + body->x;
    double *x = s->x + body->x;
    const double *rate = s->run.rates + body->x;
    for (int i = 0; i < body->n_x; i++)
        if (is_position[i] == positions) x[i] += s->h * rate[i];
}

static bool is_finite(int n, const double *x) {
    double zero = 0.0;
    for (int i = 0; i < n; i++) zero += 0.0 * x[i];
    return zero == 0.0;
}

/* The whole step of each body, and its motion at the end. */
static bool body_range(const void *data, int from, int to) {
    const stepper *s = data;
    dry_net__run end = s->run;
    end.t = s->end;
    bool good = true;
    for (int i = from; i < to; i++) {
        const dry_net__lane *body = &s->run.net->bodies[i];
        dry_net__sum(&s->run, body);
        dry_net__admit(&s->run, body);
        memcpy(s->before + body->x, s->x + body->x, (size_t)body->n_x * sizeof *s->x);
        good &= push_account(s, body->account);
        push_body(s, body, false);
        dry_net__admit(&end, body);
        push_body(s, body, true);
        good &= is_finite(body->n_x, s->x + body->x);
        dry_net__move(&end, body);
    }
    return good;
}

static bool semi_implicit_step(const stepper *s) {
    const dry_net *net = s->run.net;
    bool good = dry_net__each(s->run.team, net->n_single, law_range, s);
    for (int i = net->n_single; i < net->n_impedance; i++) {
        if (!s->fresh) dry_net__gather_motion(&s->run, &net->laws[i]);
        good = gathered(s, &net->laws[i]) && good;
    }
    return dry_net__each(s->run.team, net->n_admittance, body_range, s) && good;
}

/* ---- steps ------------------------------------------------------------- */

/* What follows a good step; motions and Psi of those that look at them stay known. */
static int finish(dry_net__run *run, double *x) {
    run->tau = 0.0;
    dry_net__latch_bodies(run, x);
    dry_net__relative(run, dry_net__is_attentive);
    dry_net__latch_laws(run, x);
    return dry_net__watched(run);
}

static bool all_attentive(const dry_net *net) {
    for (int i = net->n_single; i < net->n_impedance; i++)
        if (!dry_net__is_attentive(net->impedance[i]->part)) return false;
    return true;
}

static const struct {
    const char *method;
    dry_net__step_fn *step;
    bool staged;
} steps[] = {{"semi-implicit", semi_implicit_step, true},
             {"rk4-tau", dry_net__rk4_step, true},
             {"rk4", dry_net__rk4_step, false}};

/* The row of the method, -1 where the net has no steps of its own for it. */
static int row_of(const dry_net *net, const char *method) {
    int i = 2;
    while (i >= 0 && strcmp(steps[i].method, method) != 0) i--;
    if (i == 0) return net->law_has_positions ? -1 : 0;
    return dry_net__rk4_size(net) > 0 ? i : -1;
}

typedef struct marching {
    stepper stepper;
    dry_march *march;
    dry_net__step_fn *step;
    bool looks; /* there are latches or watches */
    bool keeps; /* and all that gather have them */
    long good;  /* steps */
} marching;

static bool copy_range(const void *data, int from, int to) {
    const dry_march *m = data;
    memcpy(m->end + from, m->x + from, (size_t)(to - from) * sizeof *m->x);
    return true;
}

/* One step; false where it is no good. */
static bool go(marching *g) {
    const dry_march *m = g->march;
    stepper *s = &g->stepper;
    s->run.t = m->t;
    s->run.tau = m->step;
    return g->step(s);
}

/* What follows a good step; `end` is kept where somebody may ask for it. */
static void arrive(marching *g, bool last) {
    dry_march *m = g->march;
    dry_net__run *run = &g->stepper.run;
    run->t = g->stepper.end;
    if (last) dry_net__each(run->team, run->net->system.n_states, copy_range, m);
    if (g->looks) m->watch = finish(run, m->x);
}

/* The last step again, now that it is known to be the last. */
static void again(marching *g) {
    const dry_march *m = g->march;
    memcpy(m->x, m->before, (size_t)g->stepper.run.net->system.n_states * sizeof *m->x);
    g->stepper.fresh = false;
    g->stepper.run.t = m->t;
    dry_net__motions(&g->stepper.run);
    go(g);
    arrive(g, true);
}

static void lead(dry_team *team, void *data) {
    marching *g = data;
    dry_march *m = g->march;
    stepper *s = &g->stepper;
    s->run.team = team;
    dry_net__motions(&s->run);
    while (g->good < m->count && m->watch == 0) {
        const bool last = g->good + 1 == m->count;
        s->end = m->t_start + (double)(m->grid + g->good + 1) * m->step;
        s->fresh = g->keeps && g->good > 0;
        if (!go(g)) return;
        arrive(g, last);
        if (m->watch != 0 && !last) again(g);
        m->t = s->end;
        g->good++;
    }
}

long dry_net__march(const dry_env *env, const char *method, dry_march *m) {
    const dry_net *net = env->model;
    const int row = row_of(net, method);
    if (row < 0) return -1;
    marching g = {.march = m, .step = steps[row].step};
    g.looks = net->body_has_latch || net->law_has_latch || net->n_watches > 0;
    g.keeps = g.looks && all_attentive(net);
    g.stepper =
        (stepper){.h = m->step, .x = m->x, .before = m->before, .staged = steps[row].staged};
    g.stepper.run = dry_net__run_of(env, m->t, m->step, m->x);
    g.stepper.run.x_dot = g.stepper.run.rates;
    dry_net__lead(net->team, lead, &g);
    return g.good;
}
