/* Every promise of the catalogue, for every law that makes it, in every dimension and for several
 * parameter sets; and for every promise a law that does not make it, which the same test catches.
 */
#include "unit.h"

#include "law/motion.h"
#include <float.h>

enum { POINTS = 300 };

/* Passes where `holds` is true for every claim of `trait`. */
static void every_claim(unsigned trait, bool (*holds)(sample *p, random_source *source)) {
    walk w = {0};
    sample p;
    int claims = 0;
    for (; next_claim(&w, trait, &p); claims++)
        if (!holds(&p, &w.source)) fail_msg("%s, dim %d, set %d", p.law->name, p.dim, p.set);
    above(claims, 0);
}

/* True where the test catches a law of the catalogue that does not claim the trait, with its
 * defaults but for one parameter (NULL: all of them). */
static bool catches(const char *name, const char *other, double value, unsigned trait,
                    bool (*holds)(sample *p, random_source *source)) {
    random_source source = {7};
    const dry_law *law = dry_law_find(name);
    assert_false(law->traits & trait);
    sample p = sample_of(law, law->max_dim > 0, 0, &source);
    if (other) *param(&p, other) = value;
    assert_null(dry_law_check(law, p.par, p.dim, NULL));
    return !holds(&p, &source);
}

/* ---- odd -------------------------------------------------------------------------- */

/* Flips what turns with the motion: velocities, friction forces, states that are not single. */
static void flip(const sample *p, double *u, double *f, double *s, double *s_dot) {
    for (int i = v_at(p); i < p->n_inputs; i++) u[i] = -u[i];
    for (int i = f_at(p); i < p->n_forces; i++) f[i] = -f[i];
    for (int i = 0, at = 0; i < p->law->n_states; i++)
        for (int k = 0; k < state_length(p, &p->law->states[i]); k++, at++)
            if (p->law->states[i].form != DRY_ONE) s[at] = -s[at], s_dot[at] = -s_dot[at];
}

static bool is_odd(sample *p, random_source *source) {
    for (int k = 0; k < POINTS; k++) {
        double u[5], s[MOST_SIZE], f[4], f_other[4], s_dot[MOST_SIZE], other[MOST_SIZE];
        random_input(p, source, u);
        random_states(p, source, u, s);
        evaluate(p, 0.0, u, s, f, s_dot);
        flip(p, u, f, s, s_dot);
        evaluate(p, 0.0, u, s, f_other, other);
        for (int i = 0; i < p->n_forces; i++) /* to the last bit: rounding is symmetric */
            if (f[i] != f_other[i]) return false;
        for (int i = 0; i < p->n_states; i++)
            if (s_dot[i] != other[i]) return false;
    }
    return true;
}

static void lopsided(const double *par, int dim, double tau, const double *u, const double *s,
                     double *f, double *s_dot) {
    dry_law_find("viscous")->eval(par, dim, tau, u, s, f, s_dot);
    f[0] += 1e-12 * fabs(u[0]);
}

static void odd(void **state) {
    (void)state;
    every_claim(DRY_ODD, is_odd);
    random_source source = {8}; /* one that is not, by a little */
    dry_law fake = *dry_law_find("viscous");
    fake.eval = lopsided;
    sample p = sample_of(&fake, 1, 0, &source);
    assert_false(is_odd(&p, &source));
}

/* ---- bounded ------------------------------------------------------------------------ */

static bool within(const sample *p, const double *u, const double *f, double bound) {
    const double D = value_or((sample *)p, "D", 0.0);
    double rest_of_force[3];
    for (int i = 0; i < p->dim; i++) rest_of_force[i] = f[f_at(p) + i] - D * u[v_at(p) + i];
    /* a sum of N projections, and the difference above: a few roundings of the largest term */
    const double slack = 32.0 * DBL_EPSILON * (bound + D * dry_norm(p->dim, u + v_at(p)));
    return dry_norm(p->dim, rest_of_force) <= bound + slack;
}

static bool is_bounded(sample *p, random_source *source) {
    const double limit = p->law->bound ? p->law->bound(p->par, p->dim) : p->level;
    for (int kind = 0; kind < MOTION_KINDS; kind++) {
        const motion m = random_motion(p, (motion_kind)kind, source);
        double u[5], f[4], x[MOST_SIZE] = {0}, s_dot[MOST_SIZE];
        input_at(p, &m, 0, 0.0, u);
        rest(p, u, x);
        for (int step = 0; step < MOTION_STEPS; step++) {
            advance(p, &m, step, 0.0, x);
            input_at(p, &m, step, 1.0, u);
            evaluate(p, 0.0, u, x, f, s_dot);
            if (!within(p, u, f, limit)) return false;
        }
    }
    return true;
}

static void bounded(void **state) {
    (void)state;
    for (int i = 0; i < dry_law_count(); i++)
        assert_int_equal(dry_law_at(i)->bound != NULL, (dry_law_at(i)->traits & DRY_BOUNDED) != 0);
    every_claim(DRY_BOUNDED, is_bounded);
    assert_true(catches("lugre", NULL, 0, DRY_BOUNDED, is_bounded)); /* B a_dot overshoots */
}

/* Projections hold their bound for every state and input that a double can have. */
static void bounded_at_the_end_of_the_numbers(void **state) {
    (void)state;
    static const char *const names[] = {"coulomb",    "patch",     "ellipsoid",
                                        "multistate", "smoothing", "stribeck"};
    random_source source = {9};
    for (int k = 0; k < 6; k++) {
        const dry_law *law = dry_law_find(names[k]);
        for (int dim = 1; dim <= law->max_dim; dim++) {
            sample p = sample_of(law, dim, 0, &source);
            for (int trial = 0; trial < POINTS; trial++) {
                double u[5], s[MOST_SIZE] = {0}, f[4], s_dot[MOST_SIZE];
                const double huge = DBL_MAX / 4.0;
                for (int i = 0; i < dim; i++) u[i] = huge * random_between(&source, -1.0, 1.0);
                rest(&p, u, s);
                const int a = state_at(&p, "a");
                for (int i = a; a >= 0 && i < p.n_states; i++)
                    s[i] = huge * random_between(&source, -1.0, 1.0);
                evaluate(&p, 0.0, u, s, f, s_dot);
                at_most(dry_norm(dim, f), law->bound(p.par, dim) * (1.0 + 1e-14));
            }
        }
    }
}

/* ---- passive -------------------------------------------------------------------------- */

/* The least of work - growth of the stored energy along a motion, as a share of the energy that is
 * turned over. RK4 is exact to 1e-9 between kinks (40 steps per time constant) and makes an error
 * of second order in the step at each; what that leaves is below 1e-5, and a law that gains energy
 * gains percents. */
static double worst_balance(const sample *p, const motion *m, double tau) {
    double u[5], f[4], x[MOST_SIZE] = {0}, s_dot[MOST_SIZE], turnover = 0.0, worst = 0.0;
    input_at(p, m, 0, 0.0, u);
    rest(p, u, x);
    const double at_start = stored(p, tau, u, x);
    for (int step = 0; step < MOTION_STEPS; step++) {
        advance(p, m, step, tau, x);
        input_at(p, m, step, 1.0, u);
        evaluate(p, tau, u, x, f, s_dot);
        turnover += m->h * fabs(power_in(p, u, f));
        worst = dry_min(worst, x[p->n_states] - (stored(p, tau, u, x) - at_start));
    }
    return turnover > 0.0 ? worst / turnover : 0.0;
}

static const double balance_error = 1e-5;

static bool is_passive(sample *p, random_source *source) {
    for (int kind = 0; kind < MOTION_KINDS; kind++) {
        const motion m = random_motion(p, (motion_kind)kind, source);
        const double tau = kind == RAMPS ? p->fast : 0.0;
        if (worst_balance(p, &m, tau) < -balance_error) return false;
    }
    return true;
}

static void passive(void **state) {
    (void)state;
    every_claim(DRY_PASSIVE, is_passive);
}

/* The same inequality at random points: dV/dt <= power, with dV/dt by a difference along the motion
 * (psi_dot, s_dot). Holds for every motion at once, and for states no test motion reaches. */
static bool is_passive_at_points(sample *p, random_source *source) {
    for (int k = 0; k < POINTS; k++) {
        double u[5], s[MOST_SIZE], f[4], s_dot[MOST_SIZE], V[2];
        const double tau = k % 2 ? p->fast : 0.0, h = 1e-7 * p->fast;
        random_input(p, source, u);
        random_states(p, source, u, s);
        evaluate(p, tau, u, s, f, s_dot);
        for (int side = 0; side < 2; side++) { /* a centred difference: some laws lose nothing */
            double near[5], next[MOST_SIZE];
            const double step = side ? h : -h;
            memcpy(near, u, sizeof u);
            if (p->law->kind != DRY_FRICTION) near[0] += step * u[1];
            for (int i = 0; i < p->n_states; i++) next[i] = s[i] + step * s_dot[i];
            V[side] = stored(p, tau, near, next);
        }
        const double power = power_in(p, u, f), rise = (V[1] - V[0]) / (2.0 * h);
        /* rounding eps V/h, and a kink of V within h */
        const double slack = 1e-8 * V[1] / p->fast + 1e-5 * (fabs(power) + fabs(rise));
        if (rise > power + slack) return false;
    }
    return true;
}

static void passive_at_points(void **state) {
    (void)state;
    every_claim(DRY_PASSIVE, is_passive_at_points);
    assert_true(catches("compliant", "beta1", 0.0, DRY_PASSIVE, is_passive_at_points));
    assert_false(catches("compliant", "beta2", 0.0, DRY_PASSIVE, is_passive_at_points));
}

/* One speed, and another one for the last knot. */
static motion change_of_speed(double h, double before, double after) {
    motion m = {.kind = JUMPS, .h = h};
    for (int k = 0; k < KNOTS; k++) m.knots[k][0] = k < KNOTS - 2 ? before : after;
    return m;
}

/* LuGre and the elastoplastic law without a Stribeck curve do not gain energy; with one they do,
 * when they break away from Fs into a fast slide. */
static void bristles_with_and_without_a_stribeck_curve(void **state) {
    (void)state;
    static const char *const names[] = {"lugre", "elastoplastic"};
    random_source source = {10};
    for (int k = 0; k < 2; k++) {
        const dry_law *law = dry_law_find(names[k]);
        assert_false(law->traits & DRY_PASSIVE);
        for (int dim = 1; dim <= law->max_dim; dim++) {
            sample plain = sample_of(law, dim, 0, &source);
            equal(*param(&plain, "Fs"), 0.0);
            assert_true(is_passive(&plain, &source));
        }
        sample p = sample_of(law, 1, 0, &source);
        *param(&p, "Fs") = 3.0 * *param(&p, "F");
        *param(&p, "vs") = 10.0 * p.v_scale; /* slow is slow: the bristles are bent to Fs */
        const motion m = change_of_speed(p.fast / 200.0, 3.0 * p.v_scale, 1000.0 * p.v_scale);
        below(worst_balance(&p, &m, 0.0), -100.0 * balance_error);
    }
}

/* GMS slides at Fc, then creeps: the elements are drawn up to Fs with no motion to pay for it. */
static void gms_gains_energy_when_it_slows_down(void **state) {
    (void)state;
    random_source source = {11};
    sample p = sample_of(dry_law_find("gms"), 1, 0, &source);
    assert_false(p.law->traits & DRY_PASSIVE);
    const double vs = *param(&p, "vs"), rise = *param(&p, "F") / *param(&p, "C");
    const motion m = change_of_speed(rise / STEPS_PER_KNOT, 10.0 * vs, 1e-3 * vs);
    double u[5] = {0}, x[MOST_SIZE] = {0};
    for (int step = 0; step < MOTION_STEPS - STEPS_PER_KNOT; step++) advance(&p, &m, step, 0.0, x);
    const double V = stored(&p, 0.0, u, x), work = x[p.n_states];
    for (int step = MOTION_STEPS - STEPS_PER_KNOT; step < MOTION_STEPS; step++)
        advance(&p, &m, step, 0.0, x);
    above(stored(&p, 0.0, u, x) - V, 10.0 * (x[p.n_states] - work));
}

/* ---- no drift ---------------------------------------------------------------------------- */

/* The stretch below which no element slips. */
static double elastic_stretch(sample *p) {
    const double *kappa = param(p, "kappa"), *lambda = param(p, "lambda");
    const double normal = value_or(p, "K", 1.0) * gap_scale;
    const double slides = dry_min(p->level, static_level(p));
    const double level = value_or(p, "mu", 0.0) > 0.0 ? *param(p, "mu") * normal : slides;
    double least = value_or(p, "ba", 1.0) * level / value_or(p, "Kt", value_or(p, "K", 1.0));
    for (int i = 0; kappa && i < p->elements; i++) {
        const double limit = lambda[i] * level / kappa[i];
        least = i == 0 ? limit : dry_min(least, limit);
    }
    return least;
}

/* A closed gap at rest, the friction stretched by `bias` along (1, .., 1)/sqrt(dim). */
static void loaded(const sample *p, double bias, double *u, double *s) {
    for (int i = 0; i < p->n_inputs; i++) u[i] = 0.0;
    if (p->law->kind != DRY_FRICTION) u[0] = -gap_scale;
    rest(p, u, s);
    if (state_at(p, "e") >= 0) s[state_at(p, "e")] = gap_scale;
    const int a = state_at(p, "a"),
              n = p->law->states[p->law->n_states - 1].form == DRY_PER_DIM ? p->dim : p->elements;
    for (int i = 0; i < n; i++) s[a + i] = bias / (n == p->dim ? sqrt(p->dim) : 1.0);
}

/* The first stretch, or the mean of the elements of an area that spins: each feels its own v. */
static double stretch_of(const sample *p, const double *s) {
    const int a = state_at(p, "a"), n = p->law->states[0].form == DRY_PER_ELEMENT ? p->elements : 1;
    double sum = 0.0;
    if (!p->law->spins) return s[a];
    for (int i = 0; i < n; i++) sum += s[a + i] / n;
    return sum;
}

/* An oscillation of 0.3 of the elastic stretch about 0.4 of it. While every element sticks its rate
 * is v to the last bit, so that the proxy (integral of v minus a) moves by the rounding of the two
 * sums: at most eps/2 of their size per step. */
static double proxy_motion(sample *p, long steps, double *stretch) {
    double u[5], s[MOST_SIZE] = {0}, f[4], s_dot[MOST_SIZE], travel[3] = {0};
    *stretch = elastic_stretch(p);
    const int v = v_at(p);
    loaded(p, 0.4 * *stretch, u, s);
    const double before = stretch_of(p, s), omega = 0.01 / p->slow, h = 0.5 * p->fast;
    const double V = 0.3 * *stretch * omega / sqrt(p->dim);
    double c = 1.0, d = 0.0; /* (cos, sin) of the angle, turned by a rotation */
    const double cos_h = cos(omega * h), sin_h = sin(omega * h);
    for (long step = 0; step < steps; step++) {
        for (int i = 0; i < p->dim; i++) u[v + i] = V * c;
        evaluate(p, 0.0, u, s, f, s_dot);
        for (int i = 0; i < p->dim; i++) travel[i] += h * u[v + i];
        for (int i = 0; i < p->n_states; i++) s[i] += h * s_dot[i];
        const double turned = c * cos_h - d * sin_h;
        d = c * sin_h + d * cos_h;
        c = turned;
    }
    return fabs(travel[0] - (stretch_of(p, s) - before));
}

enum { MANY = 1000000, FEW = 20000 };

static bool does_not_drift(sample *p, random_source *source) {
    (void)source;
    double stretch;
    const double moved = proxy_motion(p, FEW, &stretch);
    return moved <= FEW * DBL_EPSILON * stretch;
}

static void no_drift(void **state) {
    (void)state;
    every_claim(DRY_NO_DRIFT, does_not_drift);
    assert_true(catches("dahl", NULL, 0, DRY_NO_DRIFT, does_not_drift));
    assert_true(catches("lugre", NULL, 0, DRY_NO_DRIFT, does_not_drift));
    assert_true(catches("gms_smooth", NULL, 0, DRY_NO_DRIFT, does_not_drift));
}

static void no_drift_in_a_million_steps(void **state) {
    (void)state;
    random_source source = {11};
    for (int i = 0; i < dry_law_count(); i++) {
        if (!(dry_law_at(i)->traits & DRY_NO_DRIFT)) continue;
        sample p = sample_of(dry_law_at(i), 1, 0, &source);
        double stretch;
        const double moved = proxy_motion(&p, MANY, &stretch);
        at_most(moved, MANY * DBL_EPSILON * stretch);
    }
    sample p = sample_of(dry_law_find("lugre"), 1, 0, &source);
    double stretch;
    const double moved = proxy_motion(&p, FEW, &stretch);
    above(moved, 0.1 * stretch);
}

/* ---- never pulls --------------------------------------------------------------------------- */

static bool never_pulls_at_points(sample *p, random_source *source) {
    for (int k = 0; k < POINTS; k++) {
        double u[5], s[MOST_SIZE], f[4], s_dot[MOST_SIZE];
        random_input(p, source, u);
        random_states(p, source, u, s);
        if (k % 2) u[1] *= 1e3;
        evaluate(p, k % 3 ? p->fast : 0.0, u, s, f, s_dot);
        if (!(f[0] >= 0.0)) return false;
    }
    return true;
}

static void never_pulls(void **state) {
    (void)state;
    every_claim(DRY_NEVER_PULLS, never_pulls_at_points);
    assert_true(catches("kelvin_voigt", NULL, 0, DRY_NEVER_PULLS, never_pulls_at_points));
    assert_true(catches("hunt_crossley", NULL, 0, DRY_NEVER_PULLS, never_pulls_at_points));
}

/* ---- continuous ------------------------------------------------------------------------------ */

/* The largest change of force and of rate from one step to the next, along a smooth motion that
 * slides to and fro, and opens and closes the gap. Euler's method: the state is continuous anyway.
 */
static void largest_changes(const sample *p, int refine, double *force, double *rate) {
    double u[5] = {0}, s[MOST_SIZE] = {0}, f[4], s_dot[MOST_SIZE], f_old[4], old[MOST_SIZE];
    const double h = p->fast / 40.0 / refine, omega = 6.28 / (60.0 * p->fast);
    *force = *rate = 0.0;
    rest(p, u, s);
    for (int step = 0; step < 2500 * refine; step++) {
        const double angle = omega * h * step;
        if (p->law->kind != DRY_FRICTION)
            u[0] = 1e-3 * cos(angle), u[1] = -1e-3 * omega * sin(angle);
        for (int i = v_at(p); i < p->n_inputs; i++)
            u[i] = (i % 2 ? 3.0 : 2.0) * p->v_scale * sin((1.0 + 0.3 * i) * angle + 0.1);
        if (p->law->latch) p->law->latch(p->par, p->dim, u, s);
        evaluate(p, 0.0, u, s, f, s_dot);
        for (int i = 0; step > 0 && i < p->n_forces; i++)
            *force = dry_max(*force, fabs(f[i] - f_old[i]));
        for (int i = 0; step > 0 && i < p->n_states; i++)
            *rate = dry_max(*rate, fabs(s_dot[i] - old[i]));
        memcpy(f_old, f, sizeof f);
        memcpy(old, s_dot, sizeof s_dot);
        for (int i = 0; i < p->n_states; i++) s[i] += h * s_dot[i];
    }
}

/* A Lipschitz law changes by L h per step: 16 times finer, 16 times less. A jump stays. */
static bool is_continuous(sample *p, random_source *source) {
    (void)source;
    double force, rate, fine_force, fine_rate;
    largest_changes(p, 1, &force, &rate);
    largest_changes(p, 16, &fine_force, &fine_rate);
    return fine_force <= force / 8.0 && fine_rate <= rate / 8.0;
}

static void continuous(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_claim(&w, DRY_CONTINUOUS, &p)) {
        if (p.set > 2) continue;
        if (!is_continuous(&p, &w.source)) fail_msg("%s, dim %d", p.law->name, p.dim);
    }
    assert_true(catches("kelvin_voigt", "B", 1e3, DRY_CONTINUOUS, is_continuous));
    assert_true(catches("kelvin_voigt_cut", "B", 1e3, DRY_CONTINUOUS, is_continuous));
    assert_true(catches("gms", NULL, 0, DRY_CONTINUOUS, is_continuous));
}

/* ---- finite -----------------------------------------------------------------------------------
 */

static bool stays_finite(sample *p, random_source *source) {
    for (int k = 0; k < POINTS; k++) {
        double u[5], s[MOST_SIZE], f[4], s_dot[MOST_SIZE];
        random_input(p, source, u);
        random_states(p, source, u, s);
        const int modes = state_at(p, "m") < 0 ? p->n_states : state_at(p, "m");
        for (int i = 0; i < p->n_inputs; i++)
            u[i] = random_magnitude(source, k % 2 ? -100 : 99, 100);
        for (int i = 0; i < modes; i++) s[i] = random_magnitude(source, k % 3 ? -100 : 99, 100);
        evaluate(p, 0.0, u, s, f, s_dot);
        for (int i = 0; i < p->n_forces; i++)
            if (!isfinite(f[i])) return false;
        for (int i = 0; i < p->n_states; i++)
            if (!isfinite(s_dot[i])) return false;
    }
    return true;
}

static void finite(void **state) {
    (void)state;
    every_claim(DRY_FINITE, stays_finite);
    /* 1e100 to the power 3.5 is no double */
    assert_true(catches("compliant", "lambda", 3.5, DRY_FINITE, stays_finite));
    assert_true(catches("hunt_crossley", "lambda", 3.5, DRY_FINITE, stays_finite));
}

/* ---- rates ------------------------------------------------------------------------------------
 */

/* The largest sum of |d s_dot/d s| of one end of a law at rest, 1/s: no state settles faster. */
static double rate_of_end(const sample *p, bool loose) {
    const double h = 1e-9;
    double u[5] = {0.0}, s[MOST_SIZE] = {0.0}, f[4], rest[MOST_SIZE], moved[MOST_SIZE], most = 0.0;
    void (*end)(const double *, int, double, const double *, const double *, double *, double *) =
        loose ? p->law->loose : p->law->stuck;
    double sum[MOST_SIZE] = {0.0};
    end(p->par, p->dim, 0.0, u, s, f, rest);
    for (int j = 0; j < p->n_states; j++) {
        s[j] = h;
        end(p->par, p->dim, 0.0, u, s, f, moved);
        s[j] = 0.0;
        for (int i = 0; i < p->n_states; i++) sum[i] += fabs(moved[i] - rest[i]) / h;
    }
    for (int i = 0; i < p->n_states; i++) most = dry_max(most, sum[i]);
    return most;
}

/* Whether no motion makes the law faster than its ends are at rest, which the check before a run
 * looks at. */
static bool is_bounded_by_its_ends(sample *p, random_source *source) {
    const double most = dry_max(rate_of_end(p, false), rate_of_end(p, true));
    for (int k = 0; k < POINTS; k++) {
        double u[5], s[MOST_SIZE];
        random_input(p, source, u);
        random_states(p, source, u, s);
        for (int i = v_at(p); i < p->n_inputs; i++) u[i] *= random_magnitude(source, 0, 3);
        if (p->law->fastest(p->par, p->dim, 0.0, u, s) > 1.001 * most) return false;
    }
    return true;
}

static void rates_that_no_check_can_bound_are_said(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    int quickens = 0;
    while (next_sample(&w, &p)) {
        const bool bounded = is_bounded_by_its_ends(&p, &w.source);
        quickens += p.law->quickens && !bounded;
        if (!p.law->quickens && !bounded) fail_msg("%s, dim %d", p.law->name, p.dim);
    }
    above(quickens, 0);
}

/* ---- the rate of the gap ---------------------------------------------------------------------
 */

/* Whether another psi_dot gives another force or rate. */
static bool depends_on_rate(sample *p, random_source *source) {
    for (int k = 0; k < POINTS; k++) {
        double u[5], s[MOST_SIZE], f[4], other[4], s_dot[MOST_SIZE], other_dot[MOST_SIZE];
        random_input(p, source, u);
        random_states(p, source, u, s);
        evaluate(p, 0.0, u, s, f, s_dot);
        u[1] = -2.0 * u[1];
        evaluate(p, 0.0, u, s, other, other_dot);
        for (int i = 0; i < p->n_forces; i++)
            if (f[i] != other[i]) return true;
        for (int i = 0; i < p->n_states; i++)
            if (s_dot[i] != other_dot[i]) return true;
    }
    return false;
}

/* A law that uses psi_dot says so: `N in dio(psi)` has none to give it. */
static void laws_that_use_the_rate_say_so(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_sample(&w, &p)) {
        if (p.law->kind == DRY_FRICTION)
            assert_false(p.law->uses_rate);
        else if (depends_on_rate(&p, &w.source) != p.law->uses_rate)
            fail_msg("%s, dim %d", p.law->name, p.dim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd),
        cmocka_unit_test(bounded),
        cmocka_unit_test(bounded_at_the_end_of_the_numbers),
        cmocka_unit_test(passive),
        cmocka_unit_test(passive_at_points),
        cmocka_unit_test(bristles_with_and_without_a_stribeck_curve),
        cmocka_unit_test(gms_gains_energy_when_it_slows_down),
        cmocka_unit_test(no_drift),
        cmocka_unit_test(no_drift_in_a_million_steps),
        cmocka_unit_test(never_pulls),
        cmocka_unit_test(continuous),
        cmocka_unit_test(finite),
        cmocka_unit_test(rates_that_no_check_can_bound_are_said),
        cmocka_unit_test(laws_that_use_the_rate_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
