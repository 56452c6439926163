/* Every law's Jacobian against central differences, at random points whose stencil crosses no kink;
 * and where the Jacobian jumps, a kink is told. */
#include "unit.h"

#include "law/sample.h"
#include <float.h>

enum { POINTS = 60 };

typedef struct point {
    double x[2 * MOST_SIZE]; /* u, then s */
} point;

typedef struct tally {
    long compared, wrong;
} tally;

static void outputs(const sample *p, double tau, const point *at, double *out) {
    evaluate(p, tau, at->x, at->x + p->n_inputs, out, out + p->n_forces);
}

static int signs(const sample *p, double tau, const point *at, int *sign) {
    double g[2 * MOST_SIZE];
    const int n = p->law->n_kinks ? p->law->n_kinks(p->par, p->dim) : 0;
    if (n > 0) p->law->kinks(p->par, p->dim, tau, at->x, at->x + p->n_inputs, g);
    for (int i = 0; i < n; i++) sign[i] = (g[i] > 0.0) - (g[i] < 0.0);
    return n;
}

static bool same_side(const sample *p, double tau, const point *a, const point *b) {
    int sa[2 * MOST_SIZE], sb[2 * MOST_SIZE];
    const int n = signs(p, tau, a, sa);
    signs(p, tau, b, sb);
    return memcmp(sa, sb, (size_t)n * sizeof *sa) == 0;
}

/* A mode that sticks is 0 or not, and so is the speed of a touch-down that has not been: there is
 * nothing to differentiate by. */
static bool is_discrete(const sample *p, const point *at, int j) {
    const int modes = state_at(p, "m"), touch = state_at(p, "v0");
    if (touch >= 0 && j == p->n_inputs + touch) return at->x[j] == 0.0;
    return modes >= 0 && j >= p->n_inputs + modes && at->x[j] == 0.0;
}

/* Truncation is (1e-5)^2 times a third derivative that is at most some 1e3 of the first; rounding
 * is eps/1e-5 of the terms that are summed, whose size the row of J times x tells. In a moment the
 * forces of the points of an area cancel, which are as large as its level. */
static void compare_column(const sample *p, double tau, const point *at, const double *J, int j,
                           tally *count) {
    const int rows = p->n_forces + p->n_states, columns = p->n_inputs + p->n_states;
    const double h = 1e-5 * fabs(at->x[j]);
    point ahead = *at, behind = *at;
    double up[2 * MOST_SIZE], down[2 * MOST_SIZE];
    ahead.x[j] += h;
    behind.x[j] -= h;
    if (!same_side(p, tau, &ahead, &behind) || !same_side(p, tau, at, &ahead)) return;
    outputs(p, tau, &ahead, up);
    outputs(p, tau, &behind, down);
    for (int i = 0; i < rows; i++) {
        const double slope = (up[i] - down[i]) / (ahead.x[j] - behind.x[j]),
                     told = J[i * columns + j];
        double size = fabs(up[i]) + (p->law->spins && i == 2 ? p->level : 0.0);
        for (int k = 0; k < columns; k++) size += fabs(J[i * columns + k] * at->x[k]);
        const double tolerance = 1e-6 * fabs(told) + 16.0 * DBL_EPSILON * size / h;
        count->wrong += !(fabs(slope - told) <= tolerance);
        count->compared++;
    }
}

static tally compare_points(sample *p, random_source *source) {
    tally count = {0, 0};
    for (int k = 0; k < POINTS; k++) {
        point at;
        double J[4 * MOST_SIZE * MOST_SIZE];
        const double tau = k % 3 == 0 ? 0.0 : p->fast * random_between(source, 0.0, 2.0);
        random_input(p, source, at.x);
        random_states(p, source, at.x, at.x + p->n_inputs);
        p->law->jacobian(p->par, p->dim, tau, at.x, at.x + p->n_inputs, J);
        for (int j = 0; j < p->n_inputs + p->n_states; j++)
            if (!is_discrete(p, &at, j)) compare_column(p, tau, &at, J, j, &count);
    }
    return count;
}

static void jacobians_are_derivatives(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_sample(&w, &p)) {
        assert_null(dry_law_check(p.law, p.par, p.dim, NULL));
        const long most = (long)POINTS * (p.n_forces + p.n_states) * (p.n_inputs + p.n_states);
        const tally count = compare_points(&p, &w.source);
        if (count.wrong > 0) fail_msg("%s, dim %d: %ld wrong", p.law->name, p.dim, count.wrong);
        above(count.compared, most / 2); /* most points are away from kinks */
    }
}

/* ---- by the parameters ------------------------------------------------------------------ */

/* A count is not moved, and neither is a level at rest of 0, which means the other one. */
static bool is_held(const sample *p, int k) {
    for (int i = 0; i < p->law->n_params; i++) {
        const int at = dry_law_par_offset(p->law, i, p->elements);
        const bool zero = !strcmp(p->law->params[i].name, "Fs") && p->par[at] == 0.0;
        if (at == k && (p->law->params[i].form == DRY_COUNT || zero)) return true;
    }
    return false;
}

static void compare_par(const sample *p, double tau, const point *at, const double *P, int k,
                        tally *count) {
    const int rows = p->n_forces + p->n_states, columns = dry_law_par_size(p->law, p->elements);
    const double h = 1e-5 * (p->par[k] != 0.0 ? fabs(p->par[k]) : 1.0);
    sample ahead = *p, behind = *p;
    double up[2 * MOST_SIZE], down[2 * MOST_SIZE];
    int sides[3][2 * MOST_SIZE], n = 0;
    ahead.par[k] += h;
    behind.par[k] -= h;
    const sample *const three[] = {p, &ahead, &behind};
    for (int i = 0; i < 3; i++) n = signs(three[i], tau, at, sides[i]);
    for (int i = 1; i < 3; i++)
        if (memcmp(sides[0], sides[i], (size_t)n * sizeof sides[0][0]) != 0) return;
    outputs(&ahead, tau, at, up);
    outputs(&behind, tau, at, down);
    for (int i = 0; i < rows; i++) {
        const double slope = (up[i] - down[i]) / (ahead.par[k] - behind.par[k]),
                     told = P[i * columns + k];
        double size = fabs(up[i]);
        for (int m = 0; m < columns; m++)
            if (!is_held(p, m)) size += fabs(P[i * columns + m] * p->par[m]);
        const double tolerance = 1e-6 * fabs(told) + 16.0 * DBL_EPSILON * size / h;
        count->wrong += !(fabs(slope - told) <= tolerance);
        count->compared++;
    }
}

static tally compare_pars(sample *p, random_source *source) {
    tally count = {0, 0};
    for (int k = 0; k < POINTS; k++) {
        point at;
        double P[2 * MOST_SIZE * MOST_PAR];
        const double tau = k % 3 == 0 ? 0.0 : p->fast * random_between(source, 0.0, 2.0);
        random_input(p, source, at.x);
        random_states(p, source, at.x, at.x + p->n_inputs);
        p->law->by_par(p->par, p->dim, tau, at.x, at.x + p->n_inputs, P);
        for (int j = 0; j < dry_law_par_size(p->law, p->elements); j++)
            if (!is_held(p, j)) compare_par(p, tau, &at, P, j, &count);
    }
    return count;
}

static void columns_of_parameters_are_derivatives(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_sample(&w, &p)) {
        if (!p.law->by_par) continue;
        const long most =
            (long)POINTS * (p.n_forces + p.n_states) * dry_law_par_size(p.law, p.elements);
        const tally count = compare_pars(&p, &w.source);
        if (count.wrong > 0)
            fail_msg("%s, dim %d, set %d: %ld of %ld wrong", p.law->name, p.dim, p.set, count.wrong,
                     count.compared);
        above(count.compared, most / 3); /* most points are away from kinks, most parameters move */
    }
}

/* ---- all changes at once ------------------------------------------------------------- */

/* Changes in n ways, of which a third of the parameters has none. */
typedef struct changes {
    double par[MOST_PAR * 7], x[2 * MOST_SIZE * 7];
    unsigned char moves[MOST_PAR];
} changes;

static void draw_changes(const sample *p, random_source *source, int n, changes *d) {
    for (int k = 0; k < dry_law_par_size(p->law, p->elements); k++) {
        d->moves[k] = !is_held(p, k) && random_between(source, 0.0, 3.0) > 1.0;
        for (int w = 0; w < n; w++)
            d->par[k * n + w] = d->moves[k] ? random_between(source, -1.0, 1.0) * p->par[k] : 0.0;
    }
    for (int k = 0; k < p->n_inputs + p->n_states; k++)
        for (int w = 0; w < n; w++) d->x[k * n + w] = random_between(source, -1.0, 1.0);
}

/* One way against J d(u, s) + P d(par). */
static void compare_way(const sample *p, const changes *d, int n, int w, const double *J,
                        const double *P, const double *to) {
    const int columns = p->n_inputs + p->n_states, rows = p->n_forces + p->n_states;
    const int n_par = dry_law_par_size(p->law, p->elements);
    for (int i = 0; i < rows; i++) {
        double sum = 0.0, size = 0.0;
        for (int k = 0; k < columns; k++) {
            sum += J[i * columns + k] * d->x[k * n + w];
            size += fabs(J[i * columns + k] * d->x[k * n + w]);
        }
        for (int k = 0; k < n_par; k++) {
            if (!d->moves[k]) continue;
            sum += P[i * n_par + k] * d->par[k * n + w];
            size += fabs(P[i * n_par + k] * d->par[k * n + w]);
        }
        near(to[i * n + w], sum, 1e-12 * size);
    }
}

static void tangents_are_derivatives(void **state) {
    (void)state;
    static const int ways[] = {1, 2, 5, 7};
    walk w = {0};
    sample p;
    int compared = 0;
    while (next_sample(&w, &p)) {
        if (!p.law->tangents) continue;
        for (int k = 0; k < POINTS; k++) {
            const int n = ways[k % 4];
            const double tau = k % 3 == 0 ? 0.0 : p.fast * random_between(&w.source, 0.0, 2.0);
            double J[MOST_SIZE * 2 * MOST_SIZE], P[2 * MOST_SIZE * MOST_PAR], to[2 * MOST_SIZE * 7];
            changes d;
            point at;
            random_input(&p, &w.source, at.x);
            random_states(&p, &w.source, at.x, at.x + p.n_inputs);
            draw_changes(&p, &w.source, n, &d);
            const dry_tangents t = {n, d.par, d.x, d.x + p.n_inputs * n, d.moves};
            const double *u = at.x, *s = at.x + p.n_inputs;
            p.law->tangents(p.par, p.dim, tau, u, s, &t, to);
            p.law->jacobian(p.par, p.dim, tau, u, s, J);
            p.law->by_par(p.par, p.dim, tau, u, s, P);
            for (int i = 0; i < n; i++) compare_way(&p, &d, n, i, J, P, to);
            compared++;
        }
    }
    above(compared, POINTS - 1);
}

static void thirteen_laws_have_columns(void **state) {
    (void)state;
    int with = 0;
    for (int i = 0; i < dry_law_count(); i++) {
        const dry_law *law = dry_law_at(i);
        with += law->by_par && law->traits & DRY_CONTINUOUS;
        assert_true(law->start || !law->start_by);
    }
    assert_int_equal(with, 13);
}

static void start_derivatives_are_derivatives(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    int laws = 0;
    while (next_sample(&w, &p)) {
        if (!p.law->start_by) continue;
        const int n_par = dry_law_par_size(p.law, p.elements), columns = n_par + p.n_inputs;
        double S[MOST_SIZE * (MOST_PAR + MOST_SIZE)], up[MOST_SIZE], down[MOST_SIZE];
        point at;
        random_input(&p, &w.source, at.x);
        p.law->start_by(p.par, p.dim, at.x, S);
        for (int k = 0; k < columns; k++) {
            if (k < n_par && is_held(&p, k)) continue;
            sample moved = p;
            point there = at;
            double *x = k < n_par ? &moved.par[k] : &there.x[k - n_par];
            const double middle = *x, h = 1e-5 * (middle != 0.0 ? fabs(middle) : 1.0);
            *x = middle + h;
            p.law->start(moved.par, p.dim, there.x, up);
            *x = middle - h;
            p.law->start(moved.par, p.dim, there.x, down);
            for (int i = 0; i < p.n_states; i++)
                near(S[i * columns + k] * h, 0.5 * (up[i] - down[i]),
                     1e-6 * fabs(S[i * columns + k] * h) + 16.0 * DBL_EPSILON * fabs(up[i]));
        }
        laws++;
    }
    above(laws, 0);
}

static void wrong_columns(const double *par, int dim, double tau, const double *u, const double *s,
                          double *P) {
    dry_law_find("lugre")->by_par(par, dim, tau, u, s, P);
    for (int k = 0; k < 2 * dim * 7; k++) P[k] *= 1.0001;
}

static void a_column_wrong_by_1e_4_is_caught(void **state) {
    (void)state;
    random_source source = {8};
    dry_law liar = *dry_law_find("lugre");
    liar.by_par = wrong_columns;
    sample p = sample_of(&liar, 2, 0, &source);
    const tally count = compare_pars(&p, &source);
    above(count.wrong, count.compared / 4);
}

static void wrong_jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                           double *J) {
    dry_law_find("lugre")->jacobian(par, dim, tau, u, s, J);
    J[0] *= 1.0 + 1e-4;
}

static void a_jacobian_wrong_by_1e_4_is_caught(void **state) {
    (void)state;
    random_source source = {5};
    dry_law liar = *dry_law_find("lugre");
    liar.jacobian = wrong_jacobian;
    sample p = sample_of(&liar, 1, 0, &source);
    above(compare_points(&p, &source).wrong, 0);
}

/* ---- the kinks are all told ------------------------------------------------------------- */

/* J times the direction `way`, row by row, and the size of the terms. */
static void slopes_along(const sample *p, double tau, const point *at, const point *way,
                         double *slope, double *size) {
    double J[4 * MOST_SIZE * MOST_SIZE];
    const int rows = p->n_forces + p->n_states, columns = p->n_inputs + p->n_states;
    p->law->jacobian(p->par, p->dim, tau, at->x, at->x + p->n_inputs, J);
    for (int i = 0; i < rows; i++) {
        slope[i] = size[i] = 0.0;
        for (int j = 0; j < columns; j++) {
            slope[i] += J[i * columns + j] * way->x[j];
            size[i] += fabs(J[i * columns + j] * way->x[j]);
        }
    }
}

/* How much the slopes differ between two points, as a share of `size`, by the largest row. Numbers
 * near the least that a double can be have fewer digits, and are left out. */
static double change_of_slope(const sample *p, double tau, const point *a, const point *b,
                              const point *way, const double *size) {
    double at_a[2 * MOST_SIZE], at_b[2 * MOST_SIZE], ignored[2 * MOST_SIZE], most = 0.0;
    slopes_along(p, tau, a, way, at_a, ignored);
    slopes_along(p, tau, b, way, at_b, ignored);
    for (int i = 0; i < p->n_forces + p->n_states; i++)
        if (size[i] > DBL_MIN / DBL_EPSILON)
            most = dry_max(most, fabs(at_b[i] - at_a[i]) / size[i]);
    return most;
}

static point point_between(const point *a, const point *b, int n, double part) {
    point c = *a;
    for (int j = 0; j < n; j++) c.x[j] = a->x[j] + part * (b->x[j] - a->x[j]);
    return c;
}

/* Halves an interval in which no kink is told 25 times, to where the slope changes most: a smooth
 * law is left with 2^-25 of a change, a kink that is not told with all of it. */
static bool hides_a_kink(const sample *p, double tau, point a, point b) {
    const int n = p->n_inputs + p->n_states;
    point way = b;
    double ignored[2 * MOST_SIZE], size_a[2 * MOST_SIZE], size[2 * MOST_SIZE];
    for (int j = 0; j < n; j++) way.x[j] -= a.x[j];
    slopes_along(p, tau, &a, &way, ignored, size_a);
    slopes_along(p, tau, &b, &way, ignored, size);
    for (int i = 0; i < p->n_forces + p->n_states; i++) size[i] += size_a[i];
    for (int k = 0; k < 25; k++) {
        const point c = point_between(&a, &b, n, 0.5);
        if (!same_side(p, tau, &a, &c) || !same_side(p, tau, &c, &b)) return false;
        const double left = change_of_slope(p, tau, &a, &c, &way, size);
        if (left > change_of_slope(p, tau, &c, &b, &way, size))
            b = c;
        else
            a = c;
    }
    return change_of_slope(p, tau, &a, &b, &way, size) > 1e-4;
}

static int hidden_kinks(sample *p, random_source *source) {
    enum { PARTS = 40 };
    const int n = p->n_inputs + p->n_states;
    const int modes = state_at(p, state_at(p, "v0") < 0 ? "m" : "v0"); /* a law has one of them */
    int hidden = 0;
    for (int line = 0; line < 3; line++) {
        point from = {{0}}, to = {{0}};
        random_input(p, source, from.x);
        random_states(p, source, from.x, from.x + p->n_inputs);
        random_input(p, source, to.x);
        random_states(p, source, to.x, to.x + p->n_inputs);
        for (int j = p->n_inputs + modes; modes >= 0 && j < n; j++) to.x[j] = from.x[j];
        for (int k = 0; k < PARTS; k++) {
            const point a = point_between(&from, &to, n, (double)k / PARTS);
            const point b = point_between(&from, &to, n, (k + 1.0) / PARTS);
            if (same_side(p, 0.0, &a, &b)) hidden += hides_a_kink(p, 0.0, a, b);
        }
    }
    return hidden;
}

static void no_kink_is_hidden(void **state) {
    (void)state;
    walk w = {0};
    sample p;
    while (next_sample(&w, &p)) {
        const int hidden = hidden_kinks(&p, &w.source);
        if (hidden > 0) fail_msg("%s, dim %d, set %d: %d", p.law->name, p.dim, p.set, hidden);
    }
}

static void blind(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    dry_law_find("coulomb")->kinks(par, dim, tau, u, s, g);
    g[1] = 1.0;
}

static void a_kink_that_is_not_told_is_found(void **state) {
    (void)state;
    random_source source = {7};
    dry_law liar = *dry_law_find("coulomb");
    liar.kinks = blind;
    sample p = sample_of(&liar, 1, 0, &source);
    int hidden = 0;
    for (int i = 0; i < 10; i++) hidden += hidden_kinks(&p, &source);
    above(hidden, 0);
}

static void at_a_kink_the_branch_of_eval_is_told(void **state) {
    (void)state;
    random_source source = {6};
    sample p = sample_of(dry_law_find("coulomb"), 1, 0, &source);
    double J[4], u[1] = {0.0}, s[1] = {p.par[0] / p.par[1]}; /* K a = F exactly: it sticks */
    equal(p.par[1] * s[0], p.par[0]);
    p.law->jacobian(p.par, 1, 0.0, u, s, J);
    equal(J[0], p.par[1] * p.par[2]);
    equal(J[2], 1.0);
    equal(J[3], 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobians_are_derivatives),
        cmocka_unit_test(a_jacobian_wrong_by_1e_4_is_caught),
        cmocka_unit_test(columns_of_parameters_are_derivatives),
        cmocka_unit_test(thirteen_laws_have_columns),
        cmocka_unit_test(tangents_are_derivatives),
        cmocka_unit_test(start_derivatives_are_derivatives),
        cmocka_unit_test(a_column_wrong_by_1e_4_is_caught),
        cmocka_unit_test(no_kink_is_hidden),
        cmocka_unit_test(a_kink_that_is_not_told_is_found),
        cmocka_unit_test(at_a_kink_the_branch_of_eval_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
