/* run_march: the net's own loop of steps, and its semi-implicit step (KY08 (14)). The step
 * evaluates impedance parts once: the rate of a position depends on no force, so the second
 * evaluation of the method needs admittance parts alone. It takes two loops: each part is
 * evaluated, moved and checked while its data are in the cache, and so are the frames of parts that
 * gather. The bits equal those of the generic loop (src/ode).
 *
 * v becomes v + h v_dot(p, v), then p becomes p + h p_dot(p, v). */
#include "net_private.h"

typedef dry_net__stepper stepper;

/* Copies a range of states and adds h x_dot. The sum of 0 x is 0 if all are finite. */
static unsigned advance(const stepper *s, int from, int n) {
    double *x = s->x + from, *before = s->before + from, zero[4] = {0.0, 0.0, 0.0, 0.0};
    const double *rate = s->run.rates + from, h = s->h;
    for (int i = 0; i < n; i++) {
        before[i] = x[i];
        x[i] += h * rate[i];
        zero[i % 4] += 0.0 * x[i];
    }
    return zero[0] + zero[1] + zero[2] + zero[3] == 0.0 ? 0 : DRY_NET__BROKEN;
}

static unsigned advance_account(const stepper *s, int account) {
    return account < 0 ? 0 : advance(s, account, 1);
}

/* ---- impedance parts --------------------------------------------------- */

static unsigned law_range(const void *data, int from, int to) {
    const stepper *s = data;
    unsigned flags = 0;
    for (int i = from; i < to; i++) {
        const dry_net__packed *law = &s->run.net->loops.laws[i];
        dry_net__impede(&s->run, law);
        flags |= advance(s, law->x, law->n_x);
    }
    return flags;
}

/* The copy alone. */
static void copy_states(const stepper *s, int from, int n) {
    memcpy(s->before + from, s->x + from, (size_t)n * sizeof *s->x);
}

/* Moves a share of the many states of a part that gathers, in the proportion of from .. to to all
 * bodies. Other threads may read the states that only latch changes; they are copied only after a
 * change. */
static unsigned advance_share(const stepper *s, const dry_net__packed *law, int from, int to) {
    const dry_net__extent e = dry_net__gather_extent(&s->run, law);
    const int n = s->run.net->wiring.n_admittance;
    unsigned flags = 0;
    for (int i = 0, first = law->x; i < DRY_NET__RANGES; first += e.sizes[i++]) {
        const int start = dry_piece_start(e.sizes[i], from, n);
        const int count = dry_piece_start(e.sizes[i], to, n) - start;
        if (i == DRY_NET__MOVING)
            flags |= advance(s, first + start, count);
        else if (i == DRY_NET__TICKING || s->changed)
            copy_states(s, first + start, count);
    }
    return flags;
}

/* ---- admittance parts -------------------------------------------------- */

/* Moves the states of a body that are positions, or those that are not. */
DRY_INLINE void advance_body(const stepper *s, const dry_net__packed *body, const double *rate,
                             bool positions) {
    const dry_net__span *spans = s->run.net->loops.spans + body->span;
    double *x = s->x + body->x;
    for (int k = 0; k < body->n_spans; k++)
        for (int i = spans[k].from; spans[k].are_positions == positions && i < spans[k].to; i++)
            x[i] += s->h * rate[i];
}

static unsigned check(int n, const double *x) {
    double zero = 0.0;
    for (int i = 0; i < n; i++) zero += 0.0 * x[i];
    return zero == 0.0 ? 0 : DRY_NET__BROKEN;
}

/* Rates of a body with up to so many states go to the stack, because no other function reads
 * them. */
enum { ON_STACK = 64 };

/* The whole step of each body and its motion at the end, and a share of the parts that gather. The
 * account has computed the rates already. */
static unsigned body_range(const void *data, int from, int to) {
    const stepper *s = data;
    const dry_net *net = s->run.net;
    dry_net__run end = s->run;
    end.t = s->end;
    double on_stack[ON_STACK];
    unsigned flags = 0;
    for (int i = net->wiring.n_single; i < net->wiring.n_impedance; i++)
        flags |= advance_share(s, &net->loops.laws[i], from, to);
    dry_net__member_forces(&s->run, from, to);
    for (int i = from; i < to; i++) {
        const dry_net__packed *body = &net->loops.bodies[i];
        const bool at_once = !net->asked.account && body->n_x <= ON_STACK;
        double *rate = at_once ? on_stack : s->run.rates + body->x;
        dry_part_env env = dry_net__packed_env(&s->run, body, NULL);
        if (!net->asked.account) {
            dry_net__sum(&s->run, body);
            dry_net__admit(&s->run, &env, body, rate);
        }
        copy_states(s, body->x, body->n_x);
        flags |= advance_account(s, body->account);
        advance_body(s, body, rate, false);
        env.t = s->end;
        dry_net__admit(&end, &env, body, rate);
        advance_body(s, body, rate, true);
        flags |= check(body->n_x, s->x + body->x);
        if (s->settles) dry_net__latch_body(&env, body, s->x);
        dry_net__move(&end, &env, body);
    }
    return s->settles ? flags | dry_net__member_motions(&end, from, to) : flags;
}

static unsigned semi_implicit_step(const stepper *s) {
    const dry_net *net = s->run.net;
    unsigned flags = dry_net__each(s->run.team, net->wiring.n_single, law_range, s);
    for (int i = net->wiring.n_single; i < net->wiring.n_impedance; i++) {
        if (!s->fresh) dry_net__gather_motion(&s->run, &net->loops.laws[i]);
        dry_net__gather_force(&s->run, &net->loops.laws[i], true);
    }
    if (net->asked.account) {
        dry_net__accelerations(&s->run);
        for (int i = 0; i < net->wiring.n_impedance; i++)
            flags |= advance_account(s, net->loops.laws[i].account);
    }
    return flags | dry_net__each(s->run.team, net->wiring.n_admittance, body_range, s);
}

/* ---- steps ------------------------------------------------------------- */

/* Finishes a good step, some of which may be done already; motions and Psi of parts with a latch or
 * a watch stay valid. */
static int finish(stepper *s, double *x, unsigned flags) {
    dry_net__run *run = &s->run;
    const dry_net *net = run->net;
    run->tau = 0.0;
    run->calm = s->settles && !(flags & DRY_NET__MOVED);
    if (!s->settles) dry_net__latch_bodies(run, x);
    dry_net__relative(run, s->settles ? net->wiring.n_single : net->wiring.n_impedance,
                      dry_net__is_attentive);
    s->changed = dry_net__latch_laws(run, x);
    return dry_net__watched(run);
}

/* The net's own steps; `settles`: bodies settle their latches in them. */
static const struct {
    dry_net__step_fn *step;
    bool settles;
} steps[] = {[DRY_FORM_SUMS] = {NULL, false},
             [DRY_FORM_CLASSICAL] = {dry_net__rk4_step, false},
             [DRY_FORM_STAGGERED] = {semi_implicit_step, true}};

/* Returns true if the net has steps of its own for the method. */
static bool has_steps(const dry_net *net, const dry_method *method) {
    if (!method->fixed || !steps[method->fixed->form].step) return false;
    if (method->fixed->form == DRY_FORM_STAGGERED) return !net->loops.law_has_positions;
    return dry_net__rk4_size(net) > 0;
}

typedef struct marching {
    stepper stepper;
    dry_march *march;
    dry_net__step_fn *step;
    bool settles; /* its steps can settle latches, if the state before that is not needed */
    bool looks;   /* there are latches or watches */
    long good;    /* steps */
} marching;

static unsigned copy_range(const void *data, int from, int to) {
    const dry_march *m = data;
    memcpy(m->end + from, m->x + from, (size_t)(to - from) * sizeof *m->x);
    return 0;
}

/* One step. */
static unsigned take_step(marching *g, bool last) {
    const dry_march *m = g->march;
    stepper *s = &g->stepper;
    s->run.t = m->t;
    s->run.tau = m->step;
    s->settles = g->settles && !last;
    return g->step(s);
}

/* Finishes a good step; keeps `end` if it may be needed. */
static void arrive(marching *g, bool last, unsigned flags) {
    dry_march *m = g->march;
    dry_net__run *run = &g->stepper.run;
    run->t = g->stepper.end;
    if (last) dry_net__each(run->team, run->net->system.n_states, copy_range, m);
    if (g->looks) m->watch = finish(&g->stepper, m->x, flags);
}

/* Repeats the last step, now that it is known to be the last. */
static void repeat_last_step(marching *g) {
    const dry_march *m = g->march;
    memcpy(m->x, m->before, (size_t)g->stepper.run.net->system.n_states * sizeof *m->x);
    g->stepper.fresh = false;
    g->stepper.changed = true;
    g->stepper.run.t = m->t;
    dry_net__motions(&g->stepper.run);
    arrive(g, true, take_step(g, true));
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
        s->fresh = g->settles && g->good > 0;
        const unsigned flags = take_step(g, last);
        if (flags & DRY_NET__BROKEN) return;
        arrive(g, last, flags);
        if (m->watch != 0 && !last) repeat_last_step(g);
        m->t = s->end;
        g->good++;
    }
}

long dry_net__march(const dry_env *env, const dry_method *method, dry_march *m) {
    const dry_net *net = env->model;
    if (!has_steps(net, method)) return -1;
    const dry_step_form form = method->fixed->form;
    marching g = {.march = m, .step = steps[form].step, .settles = steps[form].settles};
    g.looks = net->loops.body_has_latch || net->loops.law_has_latch || net->sizes.n_watches > 0;
    g.stepper = (stepper){
        .h = m->step, .x = m->x, .before = m->before, .staged = method->uses_tau, .changed = true};
    g.stepper.run = dry_net__run_of(env, m->t, m->step, m->x);
    g.stepper.run.x_dot = g.stepper.run.rates;
    dry_team_lead(net->team, lead, &g);
    return g.good;
}
