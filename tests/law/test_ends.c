/* The two ends of every law, at points where the equations leave no doubt: at rest and pressed the
 * law is its `stuck` end and sticks or is closed; in steady sliding and away from the surface it is
 * its `loose` end and slips or is open. Ends are compared with the law by their derivatives, which
 * is what the check of the step uses. */
#include "unit.h"

#include "sample.h"

typedef struct point {
    double u[5], s[MOST_SIZE];
} point;

typedef void (*end_function)(const double *, int, double, const double *, const double *, double *,
                             double *);

static double *list(sample *p, const char *name, double *one) {
    double *values = param(p, name);
    return values ? values : one;
}

/* At rest, with nothing bent, and not yet for ever; a contact is pressed in by gap_scale and has
 * settled: e = -psi, or a = delta^lambda. With play, it is pressed in beyond the flank at -h. */
static point at_rest(sample *p) {
    point at = {{0}, {0}};
    rest(p, at.u, at.s);
    if (state_at(p, "w") >= 0) at.s[state_at(p, "w")] = 0.5;
    if (p->law->kind == DRY_FRICTION) return at;
    at.u[0] = -gap_scale;
    if (state_at(p, "e") == 0) at.s[0] = gap_scale;
    if (state_at(p, "a") == 0) at.s[0] = pow(gap_scale, *param(p, "lambda"));
    if (param(p, "h")) at.u[0] -= *param(p, "h"), at.s[0] = -gap_scale;
    return at;
}

/* Sliding in direction 1, far beyond every speed at which the level changes, with each spring bent
 * by 1% more than its part of the level bends it. */
static void slide(sample *p, point *at) {
    double one = 1.0, K = value_or(p, "Kt", value_or(p, "K", 1.0));
    const double *share = list(p, "lambda", &one), *kappa = list(p, "kappa", &K);
    const int a = state_at(p, "a"), gamma = state_at(p, "gamma"), m = state_at(p, "m"),
              w = state_at(p, "w");
    const double speed = 1e3 * dry_max(p->v_scale, value_or(p, "vs", 0.0));
    at->u[v_at(p)] = speed;
    for (int i = 0; a >= 0 && i < (param(p, "kappa") ? p->elements : 1); i++)
        at->s[a + i] = 1.01 * share[i] * p->level / kappa[i];
    for (int i = 0; m >= 0 && i < p->elements; i++) at->s[m + i] = 1.0;
    if (gamma >= 0) at->s[gamma] = p->level;
    if (w >= 0) at->s[w] = 0.0;
}

static point sliding(sample *p) {
    point at = at_rest(p);
    slide(p, &at);
    return at;
}

/* Above the surface, with the dent of the last contact. */
static point open_contact(sample *p) {
    point at = at_rest(p);
    at.u[0] = 10.0 * gap_scale;
    if (param(p, "h")) at.u[0] = 0.0, at.s[0] = -0.5 * *param(p, "h"); /* between the flanks */
    if (p->dim > 0) slide(p, &at);
    return at;
}

/* One column of differences of an end; its parts are linear or smooth. */
static void column(const sample *p, end_function end, double tau, const point *at, int j,
                   double *out) {
    double f[2][4] = {{0}}, s_dot[2][MOST_SIZE] = {{0}};
    double step = 0.0;
    for (int side = 0; side < 2; side++) {
        point moved = *at;
        double *x = j < p->n_inputs ? &moved.u[j] : &moved.s[j - p->n_inputs];
        const double scale = j < v_at(p) ? gap_scale : fabs(*x) + p->a_scale;
        *x += (side ? 1e-5 : -1e-5) * scale;
        step = side ? *x - step : *x;
        end(p->par, p->dim, tau, moved.u, moved.s, f[side], s_dot[side]);
    }
    for (int i = 0; i < p->n_forces; i++) out[i] = (f[1][i] - f[0][i]) / step;
    for (int i = 0; i < p->n_states; i++) out[p->n_forces + i] = (s_dot[1][i] - s_dot[0][i]) / step;
}

/* Whether the state is a level, gamma, or a mode, m: the loose end leaves both as they are. */
static bool stays(const sample *p, int state) {
    const int gamma = state_at(p, "gamma"), m = state_at(p, "m");
    return (gamma >= 0 && state == gamma) || (m >= 0 && state >= m && state < m + p->elements);
}

/* Columns first.. of the law's Jacobian against those of the end. */
static void compare(const sample *p, end_function end, double tau, const point *at, int first) {
    const int rows = p->n_forces + p->n_states, columns = p->n_inputs + p->n_states;
    double J[MOST_SIZE * MOST_SIZE], out[MOST_SIZE];
    p->law->jacobian(p->par, p->dim, tau, at->u, at->s, J);
    for (int j = first; j < columns; j++) {
        if (end == p->law->loose && stays(p, j - p->n_inputs)) continue;
        column(p, end, tau, at, j, out);
        double largest = 0.0;
        for (int i = 0; i < rows; i++) largest = dry_max(largest, fabs(J[i * columns + j]));
        for (int i = 0; i < rows; i++)
            near_case(out[i], J[i * columns + j], 1e-4 * largest + 1e-9,
                      "%s, set %d, dim %d, row %d, column %d", p->law->name, p->set, p->dim, i, j);
    }
}

static void at_rest_a_law_is_its_stuck_end(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_sample(&w, &p)) {
        const point at = at_rest(&p);
        compare(&p, p.law->stuck, 0.0, &at, 0);
        compare(&p, p.law->stuck, p.fast, &at, 0);
    }
}

/* Compared in one dimension: in a plane the direction of a force can turn, which an end leaves out.
 * If the rate of a law grows with v, the columns of the input are left out too: the loose end holds
 * v. */
static void sliding_or_open_a_law_is_its_loose_end(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_sample(&w, &p)) {
        if (p.dim > 1) continue;
        const point at = p.law->kind == DRY_FRICTION ? sliding(&p) : open_contact(&p);
        const int first = p.law->quickens ? p.n_inputs : 0;
        compare(&p, p.law->loose, 0.0, &at, first);
        compare(&p, p.law->loose, p.fast, &at, first);
    }
}

/* ---- the fastest rate --------------------------------------------------------------------------
 */

/* In one dimension the rates of the states are triangular in the states: a_i depends on the a_j
 * before it at most. The rates at which they settle are then on the diagonal of the Jacobian. The
 * elements of leuven settle together, with equal rows: at the sum of the diagonal. */
static double fastest_in(const sample *p, const double *J) {
    const int columns = p->n_inputs + p->n_states;
    double most = 0.0, sum = 0.0;
    for (int i = 0; i < p->n_states; i++) {
        const double rate = fabs(J[(p->n_forces + i) * columns + p->n_inputs + i]);
        most = dry_max(most, rate);
        sum += rate;
    }
    return strcmp(p->law->name, "leuven") == 0 ? sum : most;
}

static void the_fastest_rate_is_in_the_jacobian(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_sample(&w, &p)) {
        for (int k = 0; k < 200 && p.dim <= 1; k++) {
            const double tau = k % 2 ? p.fast : 0.0;
            double J[MOST_SIZE * MOST_SIZE];
            point at;
            random_input(&p, &w.source, at.u);
            random_states(&p, &w.source, at.u, at.s);
            p.law->jacobian(p.par, p.dim, tau, at.u, at.s, J);
            const double most = fastest_in(&p, J);
            const double fastest = p.law->fastest(p.par, p.dim, tau, at.u, at.s);
            near_case(fastest, most, 1e-9 * most, "%s, set %d, tau %g", p.law->name, p.set, tau);
        }
    }
}

/* ---- phases ------------------------------------------------------------------------------------
 */

static unsigned phase_at(const sample *p, point at) {
    return p->law->phase(p->par, p->dim, 0.0, at.u, at.s);
}

static void expect(const sample *p, const char *where, unsigned found, unsigned wanted) {
    if (found != wanted)
        fail_msg("%s, set %d, dim %d, %s: %u is not %u", p->law->name, p->set, p->dim, where, found,
                 wanted);
}

/* Only a friction with a level, F or mu N, sticks. */
static unsigned at_rest_it(sample *p) {
    if (p->law->kind == DRY_CONTACT) return DRY_CLOSED;
    const bool sticks = param(p, "F") || param(p, "Fc") || param(p, "mu");
    return (sticks ? DRY_STICKS : DRY_SLIPS) | (p->law->kind == DRY_FRICTION ? 0u : DRY_CLOSED);
}

static void phases(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_sample(&w, &p)) {
        const bool friction = p.law->kind == DRY_FRICTION;
        expect(&p, "at rest", phase_at(&p, at_rest(&p)), at_rest_it(&p));
        if (p.dim > 0)
            expect(&p, "sliding", phase_at(&p, sliding(&p)),
                   friction ? DRY_SLIPS : DRY_CLOSED | DRY_SLIPS);
        if (!friction) expect(&p, "open", phase_at(&p, open_contact(&p)), DRY_OPEN);
    }
}

/* A law of several elements sticks as long as one of them does, whichever it is. */
static void one_element_that_sticks_is_enough(void **state) {
    (void)state;
    random_source source = {.state = 5};
    sample p = sample_of(dry_law_find("gms"), 1, 1, &source);
    for (int i = 0; i < p.elements; i++) {
        point at = sliding(&p);
        at.s[state_at(&p, "m") + i] = 0.0;
        expect(&p, "one sticks", phase_at(&p, at), DRY_STICKS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_rest_a_law_is_its_stuck_end),
        cmocka_unit_test(sliding_or_open_a_law_is_its_loose_end),
        cmocka_unit_test(the_fastest_rate_is_in_the_jacobian),
        cmocka_unit_test(phases),
        cmocka_unit_test(one_element_that_sticks_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
