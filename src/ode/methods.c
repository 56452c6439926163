/* The catalogue of methods: one row of methods.def each, and the coefficients of the fixed steps.
 *
 * a: stage weights, b: solution weights, c: stage times. */
#include "ode_private.h"

static const double euler_b[] = {1.0};
static const double euler_c[] = {0.0};
const struct dry_tableau dry_ode__euler = {.stages = 1,
                                           .b = euler_b,
                                           .c = euler_c,
                                           .step = dry_ode__step_tableau,
                                           .run = dry_ode__run_tableau};

static const double heun_a[] = {1.0};
static const double heun_b[] = {0.5, 0.5};
static const double heun_c[] = {0.0, 1.0};
const struct dry_tableau dry_ode__heun = {.stages = 2,
                                          .a = heun_a,
                                          .b = heun_b,
                                          .c = heun_c,
                                          .step = dry_ode__step_tableau,
                                          .run = dry_ode__run_tableau};

/* The coefficients of the classical method stand in dry_rk4_step. */
const struct dry_tableau dry_ode__rk4 = {
    .stages = 4, .step = dry_ode__step_rk4, .run = dry_ode__run_rk4};
const struct dry_tableau dry_ode__rk4_tau = {
    .stages = 4, .step = dry_ode__step_rk4_tau, .run = dry_ode__run_rk4_tau};

const struct dry_tableau dry_ode__semi_implicit = {
    .stages = 2, .step = dry_ode__step_semi_implicit, .run = dry_ode__run_tableau};

#define METHOD(id, text, long_name, paper, p, s, adapts, how, share, k, b, w)                      \
    {.name = text,                                                                                 \
     .title = long_name,                                                                           \
     .source = paper,                                                                              \
     .order = p,                                                                                   \
     .stages = s,                                                                                  \
     .adaptive = adapts,                                                                           \
     .uses_tau = (share) > 0.0,                                                                    \
     .tableau = &dry_ode__##id,                                                                    \
     .locates = adapts,                                                                            \
     .staggered = DRY_STABILITY_##how == DRY_STABILITY_MATRIX,                                     \
     .takes = DRY_TAKES_EQUATIONS | DRY_TAKES_PARTS,                                               \
     .stability = DRY_STABILITY_##how,                                                             \
     .tau = share,                                                                                 \
     .kappa = k,                                                                                   \
     .relax = b,                                                                                   \
     .omega_T = w},
static const dry_method methods[] = {
#include "methods.def"
};
#undef METHOD

int dry_method_count(void) { return (int)(sizeof methods / sizeof methods[0]); }

const dry_method *dry_method_at(int index) {
    return index >= 0 && index < dry_method_count() ? &methods[index] : NULL;
}

const dry_method *dry_method_find(const char *name) {
    for (int i = 0; i < dry_method_count(); i++)
        if (strcmp(methods[i].name, name) == 0) return &methods[i];
    return NULL;
}
