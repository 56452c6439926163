/* The problem of one step with known levels, on problems without an order: many forces on few
 * bodies, so most are singular, scalars, vectors and contacts together.
 *
 * Each starts at rest and takes one step. The laws of the sets decide whether the forces are right;
 * for a convex problem they are enough, whatever found them. */
#include "unit.h"

#include "problems.h"

enum { BODIES = 6, SETS = 12, FORCES = 3 * SETS };

/* Below the effective mass of any force, kg: it turns a slide over a step into a force. */
static const double LIGHT = 0.03;

typedef struct tangle {
    dry_inclusion inclusion;
    dry_system system;
    dry_inclusion_set sets[SETS];
    dry_quantity states[BODIES];
    bool is_velocity[BODIES];
    int push_state[FORCES * BODIES], push_force[FORCES * BODIES];
    double B[FORCES][BODIES]; /* slide = B v */
    double mass[BODIES], force[BODIES], level[SETS];
} tangle;

/* From 0 to 1, without an order. */
static double chance(unsigned *bits) {
    *bits = *bits * 1664525u + 1013904223u;
    return (double)(*bits >> 8) / 16777216.0;
}

static double side(const tangle *of, int i) {
    int set = of->inclusion.n_sets - 1;
    while (of->sets[set].force > i) set--;
    return of->sets[set].set->kind == DRY_SET_OF_POSITIONS ? 1.0 : -1.0;
}

static void tangle_eval(const dry_env *env, double t, const double *x, const double *lambda,
                        const dry_inclusion_values *out) {
    const tangle *of = env->model;
    const int n = of->inclusion.n_states, forces = of->inclusion.n_forces;
    (void)t;
    for (int j = 0; j < n; j++) out->rate[j] = of->force[j] / of->mass[j];
    for (int i = 0; i < forces; i++) {
        out->slide[i] = 0.0;
        for (int j = 0; j < n; j++) {
            const double push = side(of, i) * of->B[i][j] / of->mass[j];
            out->rate[j] += push * lambda[i];
            out->slide[i] += of->B[i][j] * x[j];
            out->push[i * n + j] = push;
            out->feel[i * n + j] = of->B[i][j];
        }
    }
    for (int set = 0; set < of->inclusion.n_sets; set++) {
        out->gap[set] = 0.0;
        out->level[set] = of->level[set];
    }
}

static void tangle_start(const dry_env *env, double t, double *x) {
    (void)t;
    const tangle *of = env->model;
    for (int j = 0; j < of->inclusion.n_states; j++) x[j] = 0.0;
}

static void fill_sets(tangle *of, unsigned *bits, bool contacts) {
    int forces = 0;
    const int n = 1 + (int)(SETS * chance(bits));
    for (int set = 0; set < n; set++) {
        const bool contact = contacts && chance(bits) < 0.3;
        const int dim = contact ? 1 : 1 + (int)(3.0 * chance(bits));
        of->sets[set] =
            (dry_inclusion_set){"f", dry_set_find(contact ? "dio" : "sgn"), dim, forces, 0.0, 0, 0};
        of->level[set] = chance(bits) < 0.1 ? 0.0 : 3.0 * chance(bits);
        forces += dim;
    }
    of->inclusion.n_sets = n;
    of->inclusion.n_forces = forces;
}

static void tangle_begin(tangle *of, unsigned *bits, bool contacts) {
    memset(of, 0, sizeof *of);
    fill_sets(of, bits, contacts);
    const int n = 1 + (int)(BODIES * chance(bits)), forces = of->inclusion.n_forces;
    for (int j = 0; j < n; j++) {
        of->mass[j] = 0.2 + 2.0 * chance(bits);
        of->force[j] = 8.0 * (chance(bits) - 0.5);
        of->is_velocity[j] = true;
        of->states[j] = (dry_quantity){"v", "m/s"};
    }
    for (int i = 0; i < forces; i++)
        for (int j = 0; j < n; j++) {
            of->B[i][j] = chance(bits) < 0.5 ? 0.0 : 2.0 * (chance(bits) - 0.5);
            if (i % n == j) of->B[i][j] = 1.0;
            of->push_state[i * n + j] = j;
            of->push_force[i * n + j] = i;
        }
    of->system = (dry_system){
        .name = "tangle", .n_states = n, .states = of->states, .model = of, .start = tangle_start};
    of->inclusion.system = &of->system;
    of->inclusion.n_states = n;
    of->inclusion.sets = of->sets;
    of->inclusion.is_velocity = of->is_velocity;
    of->inclusion.n_push = of->inclusion.n_feel = forces * n;
    of->inclusion.push_state = of->inclusion.feel_state = of->push_state;
    of->inclusion.push_force = of->inclusion.feel_force = of->push_force;
    of->inclusion.eval = tangle_eval;
}

/* A force of friction lies in its ball, and on its boundary along the slide if it slides:
 * f = sat(level, f + rho slide) for any rho > 0 (X13 Theorem 1). */
static void check_friction(int dim, double level, const double *f, const double *slide, double rho,
                           double small) {
    double y[3], want[3];
    for (int c = 0; c < dim; c++) y[c] = f[c] + rho * slide[c];
    dry_sat(dim, level, y, want);
    all_near((size_t)dim, f, want, small);
}

static void check_step(const tangle *of, const dry_rigid *r, double h) {
    const double *f = dry_rigid_forces(r), *v = dry_rigid_state(r);
    const int n = of->inclusion.n_states, forces = of->inclusion.n_forces;
    double slide[FORCES], most = 1.0;
    for (int i = 0; i < forces; i++) most = dry_max(most, fabs(f[i]));
    for (int j = 0; j < n; j++) { /* momentum */
        double sum = of->force[j];
        for (int i = 0; i < forces; i++) sum += side(of, i) * of->B[i][j] * f[i];
        near(of->mass[j] * v[j], h * sum, 1e-10 * h * most);
    }
    for (int i = 0; i < forces; i++) {
        slide[i] = 0.0;
        for (int j = 0; j < n; j++) slide[i] += of->B[i][j] * v[j];
    }
    for (int set = 0; set < of->inclusion.n_sets; set++) {
        const int i = of->sets[set].force;
        if (of->sets[set].set->kind == DRY_SET_OF_FORCES) {
            check_friction(of->sets[set].dim, of->level[set], f + i, slide + i, LIGHT / h,
                           1e-9 * most);
        } else {
            at_least(f[i], 0.0);
            at_least(slide[i], -1e-9 * h * most / LIGHT);
            at_most(f[i] * slide[i], 1e-9 * h * most * most / LIGHT);
        }
    }
}

static void solve_tangles(int count, bool contacts, unsigned seed) {
    const double h = 0.01;
    unsigned bits = seed;
    for (int k = 0; k < count; k++) {
        tangle of;
        dry_rigid *r = NULL;
        dry_error error = {0};
        const dry_rigid_options options = {.step = h};
        tangle_begin(&of, &bits, contacts);
        is_ok(dry_rigid_new(&of.inclusion, &options, NULL, 0.0, &r, &error), &error);
        is_ok(dry_rigid_advance(r, h, &error), &error);
        check_step(&of, r, h);
        dry_rigid_free(r);
    }
}

static void friction_without_an_order_obeys_its_sets(void **state) {
    (void)state;
    solve_tangles(3000, false, 1u);
}

static void contacts_and_friction_obey_their_sets(void **state) {
    (void)state;
    solve_tangles(3000, true, 7u);
}

/* ---- no answer ------------------------------------------------------------ */

/* A body between two walls that close at 1 m/s each: gaps x + 1 - t and 1 - t - x. */
static void vice_eval(const dry_env *env, double t, const double *x, const double *lambda,
                      const dry_inclusion_values *out) {
    (void)env;
    out->rate[0] = lambda[0] - lambda[1];
    out->rate[1] = x[0];
    out->gap[0] = x[1] + 1.0 - t, out->gap[1] = 1.0 - t - x[1];
    out->slide[0] = x[0] - 1.0, out->slide[1] = -1.0 - x[0];
    out->push[0] = 1.0, out->push[1] = -1.0;
    out->feel[0] = 1.0, out->feel[1] = -1.0;
}

static void walls_that_crush_a_body_are_named(void **state) {
    (void)state;
    problem of;
    dry_rigid *r = NULL;
    dry_error error = {0};
    problem_begin(&of, "vice", vice_eval, NULL);
    add_state(&of, "v", true, 0.0);
    add_state(&of, "x", false, 0.25);
    for (int k = 0; k < 2; k++) {
        add_set(&of, k == 0 ? "left" : "right", dry_set_find("dio"), 1, 0.0);
        add_push(&of, 0, k);
        add_feel(&of, k, 0);
    }
    const dry_rigid_options options = {.step = 0.01};
    is_ok(dry_rigid_new(&of.inclusion, &options, NULL, 0.0, &r, &error), &error);
    is_ok(dry_rigid_advance(r, 0.99, &error), &error); /* the right wall pushes it to the middle */
    assert_int_equal(dry_rigid_advance(r, 1.1, &error), DRY_BAD_MODEL);
    assert_non_null(strstr(error.text, "`left`, `right` press against each other"));
    near(dry_rigid_time(r), 1.0, 0.011);
    dry_rigid_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_without_an_order_obeys_its_sets),
        cmocka_unit_test(contacts_and_friction_obey_their_sets),
        cmocka_unit_test(walls_that_crush_a_body_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
