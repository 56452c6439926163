/* The catalogue of methods: coefficients as tables, one row of methods.def each.
 *
 * a: stage weights, b: solution weights, c: stage times, e: error weights, d: weights of the
 * fourth-order continuous output (Shampine 1986; Hairer, Norsett, Wanner 1993, II.6). */
#include "ode_private.h"

static const double euler_b[] = {1.0};
static const double euler_c[] = {0.0};
static const struct dry_tableau euler_tableau = {.stages = 1,
                                                 .b = euler_b,
                                                 .c = euler_c,
                                                 .step = dry_ode__step_tableau,
                                                 .run = dry_ode__run_tableau};

static const double heun_a[] = {1.0};
static const double heun_b[] = {0.5, 0.5};
static const double heun_c[] = {0.0, 1.0};
static const struct dry_tableau heun_tableau = {.stages = 2,
                                                .a = heun_a,
                                                .b = heun_b,
                                                .c = heun_c,
                                                .step = dry_ode__step_tableau,
                                                .run = dry_ode__run_tableau};

/* The coefficients of the classical method stand in dry_rk4_step. */
static const struct dry_tableau rk4_tableau = {
    .stages = 4, .step = dry_ode__step_rk4, .run = dry_ode__run_rk4};
static const struct dry_tableau rk4_tau_tableau = {
    .stages = 4, .step = dry_ode__step_rk4_tau, .run = dry_ode__run_rk4_tau};

static const struct dry_tableau semi_implicit_tableau = {
    .stages = 2, .step = dry_ode__step_semi_implicit, .run = dry_ode__run_tableau};

/* The last row of a is b: the seventh rate is the first one of the next step. */
static const double dopri5_a[] = {1.0 / 5.0,                     /**/
                                  3.0 / 40.0,        9.0 / 40.0, /**/
                                  44.0 / 45.0,       -56.0 / 15.0,
                                  32.0 / 9.0, /**/
                                  19372.0 / 6561.0,  -25360.0 / 2187.0,
                                  64448.0 / 6561.0,  -212.0 / 729.0, /**/
                                  9017.0 / 3168.0,   -355.0 / 33.0,
                                  46732.0 / 5247.0,  49.0 / 176.0,
                                  -5103.0 / 18656.0, /**/
                                  35.0 / 384.0,      0.0,
                                  500.0 / 1113.0,    125.0 / 192.0,
                                  -2187.0 / 6784.0,  11.0 / 84.0};
static const double dopri5_c[] = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};
static const double dopri5_e[] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                  -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
static const double dopri5_d[] = {-12715105075.0 / 11282082432.0,  0.0,
                                  87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                  701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                  69997945.0 / 29380423.0};
static const struct dry_tableau dopri5_tableau = {
    .stages = 7, .a = dopri5_a, .b = dopri5_a + 15, .c = dopri5_c, .e = dopri5_e, .d = dopri5_d};

static const dry_method methods[] = {
#define METHOD(id, name, title, source, order, stages, adaptive, uses_tau)                         \
    {name, title, source, order, stages, adaptive, uses_tau, &id##_tableau},
#include "methods.def"
#undef METHOD
};

int dry_method_count(void) { return (int)(sizeof methods / sizeof methods[0]); }

const dry_method *dry_method_at(int index) {
    return index >= 0 && index < dry_method_count() ? &methods[index] : NULL;
}

const dry_method *dry_method_find(const char *name) {
    for (int i = 0; i < dry_method_count(); i++)
        if (strcmp(methods[i].name, name) == 0) return &methods[i];
    return NULL;
}
