/* A mass on a rough floor that is driven from outside, as a system and as an inclusion, for the
 * tests of the stepper.
 *
 *     v' = g u - f,  p' = v,  f in F sgn(v)        u: an input, N/kg; F, g: parameters
 *
 * The system relaxes the friction with the stretch a; the inclusion keeps the set. */
#ifndef DRYSTONE_TESTS_SIM_PLANT_H
#define DRYSTONE_TESTS_SIM_PLANT_H

#include <drystone/law.h>
#include <drystone/rigid.h>
#include <drystone/stepper.h>
#include <drystone/stiff.h>

enum { V, P, U, A, N_STATES };
enum { LEVEL, GAIN, N_PAR };
enum { FORCE, PLACE, N_OUTPUTS };
static const double K = 1e4, BETA = 2e-2; /* the spring has 100 rad/s and is critically damped */

static inline double friction(const dry_env *env, double tau, const double *x, double *a_dot) {
    double f;
    dry_friction(1, K, BETA, tau, env->par[LEVEL], &x[V], &x[A], &f, a_dot);
    return f;
}
static inline void plant_rate(const dry_env *env, double t, double tau, const double *x,
                              double *x_dot) {
    (void)t;
    x_dot[V] = env->par[GAIN] * x[U] - friction(env, tau, x, &x_dot[A]);
    x_dot[P] = x[V];
    x_dot[U] = 0.0;
}
static inline void plant_kinks(const dry_env *env, double t, const double *x, double *g) {
    const double f = K * (x[A] + BETA * x[V]);
    (void)t;
    g[0] = env->par[LEVEL] - f;
    g[1] = env->par[LEVEL] + f;
}
static inline void plant_output(const dry_env *env, double t, double tau, const double *x,
                                double *y) {
    double a_dot;
    (void)t;
    y[FORCE] = friction(env, tau, x, &a_dot);
    y[PLACE] = x[P];
}
static inline void plant_phases(const dry_env *env, double t, double tau, const double *x,
                                const double *y, unsigned char *phase) {
    (void)t, (void)tau, (void)y;
    phase[0] = fabs(K * (x[A] + BETA * x[V])) > env->par[LEVEL] ? DRY_SLIPS : DRY_STICKS;
}

static inline void plant_eval(const dry_env *env, double t, const double *x, const double *lambda,
                              const dry_inclusion_values *out) {
    (void)t;
    out->rate[V] = env->par[GAIN] * x[U] - lambda[0];
    out->rate[P] = x[V];
    out->rate[U] = 0.0;
    out->slide[0] = x[V];
    out->level[0] = env->par[LEVEL];
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}
static inline void plant_forces(const dry_env *env, double t, const double *x, const double *lambda,
                                double *y) {
    (void)env, (void)t;
    y[FORCE] = lambda[0];
    y[PLACE] = x[P];
}
static inline void plant_holds(const dry_env *env, double t, const double *x, const double *lambda,
                               unsigned char *phase) {
    (void)env, (void)t, (void)lambda;
    phase[0] = fabs(x[V]) > 1e-3 ? DRY_SLIPS : DRY_STICKS; /* split trembles */
}

static const dry_quantity plant_states[] = {{"v", "m/s"}, {"p", "m"}, {"u", "N/kg"}, {"f.a", "m"}};
static const dry_quantity plant_outputs[] = {{"f", "N/kg"}, {"place", "m"}};
static const dry_quantity plant_params[] = {{"F", "N/kg"}, {"g", ""}};
static const double plant_par[] = {0.5, 1.0};
static const int plant_inputs[] = {U};
static const char *const plant_elements[] = {"f"};
static const bool plant_positions[] = {false, true, false, false};

static const dry_system plant = {.name = "plant",
                                 .n_states = N_STATES,
                                 .n_outputs = N_OUTPUTS,
                                 .n_par = N_PAR,
                                 .n_kinks = 2,
                                 .n_inputs = 1,
                                 .inputs = plant_inputs,
                                 .states = plant_states,
                                 .outputs = plant_outputs,
                                 .params = plant_params,
                                 .par = plant_par,
                                 .rate = plant_rate,
                                 .output = plant_output,
                                 .kinks = plant_kinks,
                                 .positions = plant_positions,
                                 .n_elements = 1,
                                 .elements = plant_elements,
                                 .phases = plant_phases};

static const dry_inclusion_set *plant_set(void) {
    static dry_inclusion_set set = {.name = "f", .dim = 1};
    set.set = dry_set_find("sgn");
    return &set;
}
static inline dry_inclusion plant_inclusion(void) {
    static const bool is_velocity[] = {true, false, false};
    static const int zero[] = {0};
    return (dry_inclusion){.system = &plant,
                           .n_states = 3,
                           .n_sets = 1,
                           .n_forces = 1,
                           .sets = plant_set(),
                           .is_velocity = is_velocity,
                           .n_push = 1,
                           .n_feel = 1,
                           .push_state = zero,
                           .push_force = zero,
                           .feel_force = zero,
                           .feel_state = zero,
                           .steady = true,
                           .eval = plant_eval,
                           .output = plant_forces,
                           .phases = plant_holds};
}

/* ---- every method ------------------------------------------------------------ */

/* The methods of ode, stiff and rigid that are in this build; NULL after the last. */
static inline const dry_method *each_method(int index) {
    const int implicit = dry_stiff_has_cvode() ? dry_stiff_method_count() : 1;
    if (index < dry_method_count()) return dry_method_at(index);
    index -= dry_method_count();
    if (index < implicit) return dry_stiff_method_at(index);
    index -= implicit;
    return index < dry_rigid_method_count() ? dry_rigid_method_at(index) : NULL;
}

static inline dry_status step_plant(const dry_method *method, dry_stepper **s, dry_error *error) {
    static dry_inclusion inclusion;
    const dry_run_options run = {.method = method, .step = 0x1p-10, .until = 1.0, .rtol = 1e-9};
    inclusion = plant_inclusion();
    return method->takes & DRY_TAKES_SETS ? dry_stepper_new_inclusion(&inclusion, &run, s, error)
                                          : dry_stepper_new(&plant, &run, s, error);
}

#endif
