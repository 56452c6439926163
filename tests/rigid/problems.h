/* Inclusions written by hand, for the tests of rigid.
 *
 * p, x: position, m; v, w: velocity, m/s; M, m: mass, kg; c, F, chi: friction level, N;
 * f: applied force, N. G04: Glowinski et al. 2004; X13: Xiong, Kikuuwe, Yamamoto 2013. */
#ifndef DRYSTONE_TESTS_RIGID_PROBLEMS_H
#define DRYSTONE_TESTS_RIGID_PROBLEMS_H

#include <drystone/math.h>
#include <drystone/rigid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

typedef void eval_fn(const dry_env *env, double t, const double *x, const double *lambda,
                     const dry_inclusion_values *out);

/* An inclusion with its system, to be filled in by parts. */
enum { MOST_SETS = 8, MOST_ENTRIES = 32, MOST_STATES = 16 };
typedef struct problem {
    dry_inclusion inclusion;
    dry_system system;
    dry_inclusion_set sets[MOST_SETS];
    dry_quantity states[MOST_STATES];
    bool is_velocity[MOST_STATES];
    int push_state[MOST_ENTRIES], push_force[MOST_ENTRIES];
    int feel_force[MOST_ENTRIES], feel_state[MOST_ENTRIES];
    int lift_set[MOST_ENTRIES], lift_force[MOST_ENTRIES];
    double start[MOST_STATES];
} problem;

static inline void start_of_problem(const dry_env *env, double t, double *x) {
    (void)t;
    const problem *of = env->model;
    memcpy(x, of->start, (size_t)of->inclusion.n_states * sizeof *x);
}
static inline void problem_begin(problem *of, const char *name, eval_fn *eval, const double *par) {
    memset(of, 0, sizeof *of);
    of->system = (dry_system){
        .name = name, .states = of->states, .par = par, .model = of, .start = start_of_problem};
    of->inclusion = (dry_inclusion){.system = &of->system,
                                    .sets = of->sets,
                                    .is_velocity = of->is_velocity,
                                    .push_state = of->push_state,
                                    .push_force = of->push_force,
                                    .feel_force = of->feel_force,
                                    .feel_state = of->feel_state,
                                    .lift_set = of->lift_set,
                                    .lift_force = of->lift_force,
                                    .eval = eval};
}
static inline void add_state(problem *of, const char *name, bool is_velocity, double start) {
    const int j = of->inclusion.n_states++;
    of->system.n_states++;
    of->states[j] = (dry_quantity){name, is_velocity ? "m/s" : "m"};
    of->is_velocity[j] = is_velocity;
    of->start[j] = start;
}
static inline void add_set(problem *of, const char *name, const dry_set *kind, int dim, double e) {
    of->sets[of->inclusion.n_sets++] =
        (dry_inclusion_set){name, kind, dim, of->inclusion.n_forces, e, 0, 0};
    of->inclusion.n_forces += dim;
}
static inline void add_push(problem *of, int state, int force) {
    of->push_state[of->inclusion.n_push] = state;
    of->push_force[of->inclusion.n_push++] = force;
}
static inline void add_feel(problem *of, int force, int state) {
    of->feel_force[of->inclusion.n_feel] = force;
    of->feel_state[of->inclusion.n_feel++] = state;
}
static inline void add_lift(problem *of, int set, int force) {
    of->lift_set[of->inclusion.n_lift] = set;
    of->lift_force[of->inclusion.n_lift++] = force;
}
static inline void add_breaks(problem *of, int count, void (*breaks)(const dry_env *, double *)) {
    of->system.n_breaks = count;
    of->system.breaks = breaks;
}
/* A set on the velocity of state 0, pushing against it, and the position in state 1. */
static inline void one_mass(problem *of, const char *set, const dry_set *kind, double e) {
    add_set(of, set, kind, 1, e);
    add_push(of, 0, 0);
    add_feel(of, 0, 0);
    of->inclusion.steady = true;
}

/* ---- a run --------------------------------------------------------------- */

static inline dry_rigid *rigid_begin(const problem *of, dry_rigid_options options) {
    dry_rigid *r = NULL;
    dry_error error = {0};
    if (dry_rigid_new(&of->inclusion, &options, NULL, 0.0, &r, &error) != DRY_OK) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
    return r;
}
static inline void go(dry_rigid *r, double t) {
    dry_error error = {0};
    if (dry_rigid_advance(r, t, &error) != DRY_OK) {
        fprintf(stderr, "%s\n", error.text);
        abort();
    }
}

/* ---- X13 Fig 3: a mass on a rough floor, pushed by (20) ------------------ */

static inline double drift_force(double t) {
    return t < 2.0 ? dry_min(0.52, 0.8 * t) : 0.336 + 0.144 * cos(100.0 * t);
}
static inline void drift_eval(const dry_env *env, double t, const double *x, const double *lambda,
                              const dry_inclusion_values *out) {
    (void)env;
    out->rate[0] = drift_force(t) - lambda[0];
    out->rate[1] = x[0];
    out->slide[0] = x[0];
    out->level[0] = 0.5;
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}
static inline void drift_breaks(const dry_env *env, double *times) {
    (void)env;
    times[0] = 2.0;
}
static inline void drift_problem(problem *of) {
    problem_begin(of, "drift", drift_eval, NULL);
    add_state(of, "v", true, 0.0);
    add_state(of, "p", false, 0.0);
    one_mass(of, "f", dry_set_find("sgn"), 0.0);
    add_breaks(of, 1, drift_breaks);
}

/* ---- G04 ----------------------------------------------------------------- */

/* (3) */
static inline double g04_gamma(double beta, double eps, double w) {
    return beta * dry_sat1(eps, w) / eps;
}
static inline double positive_sine(double t) {
    return dry_pos(sin(2.0 * PI * (t - floor(t)))) * (t - floor(t) < 0.5 ? 1.0 : 0.0);
}

/* Section 5.1: m w' + c (sgn w - gamma(w)) = f, w = (sin 2 pi t)+ */
static inline void friction_eval(const dry_env *env, double t, const double *x,
                                 const double *lambda, const dry_inclusion_values *out) {
    (void)env;
    const double c = 0.5, s = t - floor(t);
    const double f = s < 0.5 && t < 2.0
                         ? 2.0 * PI * cos(2.0 * PI * t) +
                               c * (1.0 - g04_gamma(1.0 / 3.0, 0.1, sin(2.0 * PI * t)))
                         : 0.0;
    out->rate[0] = f + c * g04_gamma(1.0 / 3.0, 0.1, x[0]) - lambda[0];
    out->slide[0] = x[0];
    out->level[0] = c;
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}
static inline void half_breaks(const dry_env *env, double *times) {
    (void)env;
    for (int i = 0; i < 3; i++) times[i] = 0.5 * (i + 1);
}
static inline void friction_problem(problem *of) {
    problem_begin(of, "test problem 1", friction_eval, NULL);
    add_state(of, "w", true, 0.0);
    one_mass(of, "lambda", dry_set_find("sgn"), 0.0);
    add_breaks(of, 3, half_breaks);
}

/* Section 5.2: m x'' + k x + c (sgn x' - gamma(x')) = f, x = ((sin 2 pi t)+)^2 from t = 1 on */
static inline double elastic_x(double t) {
    const double s = t < 1.0 ? 0.0 : positive_sine(t);
    return s * s;
}
static inline double elastic_v(double t) {
    return t > 1.0 && t - floor(t) < 0.5 ? 2.0 * PI * sin(4.0 * PI * t) : 0.0;
}
static inline double elastic_force(double t) {
    const double c = 0.2, s = t - floor(t), sine = sin(2.0 * PI * t);
    if (t < 1.0) return 0.0;
    if (s >= 0.5 || t >= 3.0) return -0.5 * c;
    const double sign = s < 0.25 ? 1.0 : -1.0;
    return 8.0 * PI * PI * cos(4.0 * PI * t) + sine * sine +
           c * (sign - g04_gamma(1.0 / 3.0, 0.1, 2.0 * PI * sin(4.0 * PI * t)));
}
static inline void elastic_eval(const dry_env *env, double t, const double *x, const double *lambda,
                                const dry_inclusion_values *out) {
    (void)env;
    out->rate[0] = elastic_force(t) - x[1] + 0.2 * g04_gamma(1.0 / 3.0, 0.1, x[0]) - lambda[0];
    out->rate[1] = x[0];
    out->slide[0] = x[0];
    out->level[0] = 0.2;
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}
static inline void elastic_breaks(const dry_env *env, double *times) {
    (void)env;
    const double at[] = {1.0, 1.25, 1.5, 2.0, 2.25, 2.5};
    memcpy(times, at, sizeof at);
}
static inline void elastic_problem(problem *of) {
    problem_begin(of, "test problem 2", elastic_eval, NULL);
    add_state(of, "v", true, 0.0);
    add_state(of, "x", false, 0.0);
    one_mass(of, "lambda", dry_set_find("sgn"), 0.0);
    add_breaks(of, 6, elastic_breaks);
}

/* (27): the gear box as two sets on one velocity; w = (sin 2 pi t)+ with m = 1, c = .5, a = .8,
 * b = 1.2, k(delta) = 2 delta. Where w rests the force keeps both sets inside. */
static inline void gear_eval(const dry_env *env, double t, const double *x, const double *lambda,
                             const dry_inclusion_values *out) {
    const double delta = env->par[0], c = 0.5, a = 0.8, b = 1.2, k = 2.0 * delta;
    const double s = t - floor(t), w = positive_sine(t), half = 0.5 * (b - a);
    const double smooth = c * g04_gamma(1.0 / 3.0, 0.1, w) +
                          k * half * g04_gamma(0.25, 0.1, delta * w) - 0.5 * k * (a + b);
    const double moving = 2.0 * PI * cos(2.0 * PI * t) - smooth + c + fabs(k) * half;
    const double f = s < 0.5 && t < 2.0 ? moving : 0.5 * k * (a + b);
    out->rate[0] = f + c * g04_gamma(1.0 / 3.0, 0.1, x[0]) +
                   k * half * g04_gamma(0.25, 0.1, delta * x[0]) - 0.5 * k * (a + b) - lambda[0] -
                   lambda[1];
    out->slide[0] = out->slide[1] = x[0];
    out->level[0] = c;
    out->level[1] = fabs(k) * half;
    out->push[0] = out->push[1] = -1.0;
    out->feel[0] = out->feel[1] = 1.0;
}
static inline void gear_problem(problem *of, const double *delta) {
    problem_begin(of, "gear box", gear_eval, delta);
    add_state(of, "w", true, 0.0);
    one_mass(of, "bearing", dry_set_find("sgn"), 0.0);
    add_set(of, "teeth", dry_set_find("sgn"), 1, 0.0);
    add_push(of, 0, 1);
    add_feel(of, 1, 0);
    add_breaks(of, 3, half_breaks);
}

/* ---- X13 (48): a mass on a spring and a belt; w is the slide on the belt ---- */

static inline void belt_eval(const dry_env *env, double t, const double *x, const double *lambda,
                             const dry_inclusion_values *out) {
    (void)t;
    const double w = x[0], p = x[1];
    out->rate[0] = p * p * p - p - lambda[0];
    out->rate[1] = 1.0 - w;
    out->slide[0] = w;
    out->level[0] = env->par[0] / (1.0 + fabs(w));
    out->push[0] = -1.0;
    out->feel[0] = 1.0;
}
static inline void belt_problem(problem *of, const double *F) {
    problem_begin(of, "belt", belt_eval, F);
    add_state(of, "w", true, 0.0);
    add_state(of, "p", false, 1.19149);
    one_mass(of, "f", dry_set_find("sgn"), 0.0);
}

/* ---- a ball over a floor ------------------------------------------------- */

static inline void ball_eval(const dry_env *env, double t, const double *x, const double *lambda,
                             const dry_inclusion_values *out) {
    (void)t;
    out->rate[0] = -9.8 * (1.0 + env->par[0] * x[1]) + lambda[0];
    out->rate[1] = x[0];
    out->slide[0] = x[0];
    out->gap[0] = x[1];
    out->push[0] = 1.0;
    out->feel[0] = 1.0;
}
static inline void ball_problem(problem *of, const double *growth, double height, double e) {
    problem_begin(of, "ball", ball_eval, growth);
    add_state(of, "v", true, 0.0);
    add_state(of, "p", false, height);
    one_mass(of, "N", dry_set_find("dio"), e);
}

/* ---- a block on a slope: par = angle, mu; contact and friction mu N ------ */

static inline void slope_eval(const dry_env *env, double t, const double *x, const double *lambda,
                              const dry_inclusion_values *out) {
    (void)t;
    const double angle = env->par[0], mu = env->par[1];
    out->rate[0] = 9.8 * sin(angle) - lambda[1];  /* along */
    out->rate[1] = -9.8 * cos(angle) + lambda[0]; /* off the slope */
    out->rate[2] = x[0];
    out->rate[3] = x[1];
    out->slide[0] = x[1];
    out->slide[1] = x[0];
    out->gap[0] = x[3];
    out->level[1] = mu * lambda[0];
    out->push[0] = 1.0;
    out->push[1] = -1.0;
    out->feel[0] = out->feel[1] = 1.0;
    out->lift[0] = mu;
}
static inline void slope_problem(problem *of, const double *par) {
    problem_begin(of, "slope", slope_eval, par);
    add_state(of, "vx", true, 0.0);
    add_state(of, "vy", true, 0.0);
    add_state(of, "x", false, 0.0);
    add_state(of, "y", false, 0.0);
    add_set(of, "N", dry_set_find("dio"), 1, 0.0);
    add_set(of, "f", dry_set_find("sgn"), 1, 0.0);
    add_push(of, 1, 0);
    add_push(of, 0, 1);
    add_feel(of, 0, 1);
    add_feel(of, 1, 0);
    add_lift(of, 1, 0);
    of->inclusion.steady = true;
}

/* ---- a puck in the plane: par = chi, then the constant force across ------ */

static inline void puck_eval(const dry_env *env, double t, const double *x, const double *lambda,
                             const dry_inclusion_values *out) {
    (void)t;
    for (int i = 0; i < 2; i++) {
        out->rate[i] = env->par[1 + i] - lambda[i];
        out->rate[2 + i] = x[i];
        out->slide[i] = x[i];
        out->push[i] = -1.0;
        out->feel[i] = 1.0;
    }
    out->level[0] = env->par[0];
}
static inline void puck_problem(problem *of, const double *par, double vx, double vy) {
    problem_begin(of, "puck", puck_eval, par);
    add_state(of, "vx", true, vx);
    add_state(of, "vy", true, vy);
    add_state(of, "x", false, 0.0);
    add_state(of, "y", false, 0.0);
    add_set(of, "f", dry_set_find("sgn"), 2, 0.0);
    for (int i = 0; i < 2; i++) {
        add_push(of, i, i);
        add_feel(of, i, i);
    }
    of->inclusion.steady = true;
}

/* ---- two stacked blocks: floor, lower, upper; par = force on the lower, mu below, mu between ----
 */

static const double stack_m[2] = {2.0, 1.0};
/* states: v1x v1y v2x v2y x1 y1 x2 y2; forces: N1, N2, f1, f2 */
static inline void stack_eval(const dry_env *env, double t, const double *x, const double *lambda,
                              const dry_inclusion_values *out) {
    const double *par = env->par, *m = stack_m;
    out->rate[0] = (par[0] * cos(par[1] * t) - lambda[2] + lambda[3]) / m[0];
    out->rate[1] = -9.8 + (lambda[0] - lambda[1]) / m[0];
    out->rate[2] = -lambda[3] / m[1];
    out->rate[3] = -9.8 + lambda[1] / m[1];
    for (int i = 0; i < 4; i++) out->rate[4 + i] = x[i];
    out->gap[0] = x[5];
    out->gap[1] = x[7] - x[5];
    out->slide[0] = x[1];
    out->slide[1] = x[3] - x[1];
    out->slide[2] = x[0];
    out->slide[3] = x[2] - x[0];
    out->level[2] = par[2] * lambda[0];
    out->level[3] = par[3] * lambda[1];
    const double push[] = {1.0 / m[0],  -1.0 / m[0], 1.0 / m[1],
                           -1.0 / m[0], 1.0 / m[0],  -1.0 / m[1]};
    memcpy(out->push, push, sizeof push);
    const double feel[] = {1.0, -1.0, 1.0, 1.0, -1.0, 1.0};
    memcpy(out->feel, feel, sizeof feel);
    out->lift[0] = par[2];
    out->lift[1] = par[3];
}
static inline void stack_problem(problem *of, const double *par) {
    static const char *const names[] = {"v1x", "v1y", "v2x", "v2y", "x1", "y1", "x2", "y2"};
    problem_begin(of, "stack", stack_eval, par);
    for (int i = 0; i < 8; i++) add_state(of, names[i], i < 4, 0.0);
    add_set(of, "N1", dry_set_find("dio"), 1, 0.0);
    add_set(of, "N2", dry_set_find("dio"), 1, 0.0);
    add_set(of, "f1", dry_set_find("sgn"), 1, 0.0);
    add_set(of, "f2", dry_set_find("sgn"), 1, 0.0);
    const int push[][2] = {{1, 0}, {1, 1}, {3, 1}, {0, 2}, {0, 3}, {2, 3}};
    const int feel[][2] = {{0, 1}, {1, 1}, {1, 3}, {2, 0}, {3, 0}, {3, 2}};
    for (int k = 0; k < 6; k++) {
        add_push(of, push[k][0], push[k][1]);
        add_feel(of, feel[k][0], feel[k][1]);
    }
    add_lift(of, 2, 0);
    add_lift(of, 3, 1);
    of->inclusion.steady = true;
}

/* ---- a two-link arm with dry joints: par = torque at the shoulder, its rad/s, chi ---- */

/* Uniform rods of 1 kg and 0.5 m, no gravity; states: w1 w2 q1 q2 (q2 relative).
 * H w' = (T - l1, -l2) + c; the coupling depends on q2, so that the inclusion is not steady. */
static inline void arm_eval(const dry_env *env, double t, const double *x, const double *lambda,
                            const dry_inclusion_values *out) {
    const double *par = env->par, L2 = 0.25, c = cos(x[3]), s = sin(x[3]);
    const double h11 = L2 * (5.0 / 3.0 + c), h12 = L2 * (1.0 / 3.0 + 0.5 * c), h22 = L2 / 3.0;
    const double det = h11 * h22 - h12 * h12, k = 0.5 * L2 * s;
    const double a = par[0] * cos(par[1] * t) + k * (2.0 * x[0] * x[1] + x[1] * x[1]) - lambda[0];
    const double b = -k * x[0] * x[0] - lambda[1];
    out->rate[0] = (h22 * a - h12 * b) / det;
    out->rate[1] = (-h12 * a + h11 * b) / det;
    for (int i = 0; i < 2; i++) {
        out->rate[2 + i] = out->slide[i] = x[i];
        out->level[i] = par[2];
        out->feel[i] = 1.0;
    }
    const double push[] = {-h22 / det, h12 / det, h12 / det, -h11 / det};
    memcpy(out->push, push, sizeof push);
}
static inline void arm_problem(problem *of, const double *par, double w1, double w2) {
    problem_begin(of, "arm", arm_eval, par);
    add_state(of, "w1", true, w1);
    add_state(of, "w2", true, w2);
    add_state(of, "q1", false, 0.0);
    add_state(of, "q2", false, 1.0);
    add_set(of, "shoulder", dry_set_find("sgn"), 1, 0.0);
    add_set(of, "elbow", dry_set_find("sgn"), 1, 0.0);
    for (int i = 0; i < 2; i++) {
        add_push(of, 0, i);
        add_push(of, 1, i);
        add_feel(of, i, i);
    }
}

/* ---- X13 Example I in its plane: a sphere falls, slips and rolls; M = 1, R = 0.5, mu = 0.1 ----
 */

/* states: vx vz omega x z; the contact point slides with vx - R omega */
static inline void sphere_eval(const dry_env *env, double t, const double *x, const double *lambda,
                               const dry_inclusion_values *out) {
    (void)env, (void)t;
    const double R = 0.5;
    out->rate[0] = -lambda[1];
    out->rate[1] = -9.8 + lambda[0];
    out->rate[2] = 2.5 / R * lambda[1];
    out->rate[3] = x[0];
    out->rate[4] = x[1];
    out->gap[0] = x[4] - R;
    out->slide[0] = x[1];
    out->slide[1] = x[0] - R * x[2];
    out->level[1] = 0.1 * lambda[0];
    const double push[] = {1.0, -1.0, 2.5 / R}, feel[] = {1.0, 1.0, -R};
    memcpy(out->push, push, sizeof push);
    memcpy(out->feel, feel, sizeof feel);
    out->lift[0] = 0.1;
}
static inline void sphere_problem(problem *of, double e) {
    static const char *const names[] = {"vx", "vz", "omega", "x", "z"};
    const double start[] = {5.5, 0.0, 0.0, 0.0, 1.0};
    problem_begin(of, "sphere", sphere_eval, NULL);
    for (int i = 0; i < 5; i++) add_state(of, names[i], i < 3, start[i]);
    add_set(of, "N", dry_set_find("dio"), 1, e);
    add_set(of, "f", dry_set_find("sgn"), 1, 0.0);
    const int push[][2] = {{1, 0}, {0, 1}, {2, 1}}, feel[][2] = {{0, 1}, {1, 0}, {1, 2}};
    for (int k = 0; k < 3; k++) {
        add_push(of, push[k][0], push[k][1]);
        add_feel(of, feel[k][0], feel[k][1]);
    }
    add_lift(of, 1, 0);
    of->inclusion.steady = true;
}

/* ---- X13 Example II: a block on a wall, a block on a conveyor that hits it, XD (3.35) ---- */

/* states: v1x v1y v2x v2y p1x p1y p2x p2y; forces: N of wall-M1, M1-M2, M2-conveyor, then friction
 */
static inline void conveyor_eval(const dry_env *env, double t, const double *x,
                                 const double *lambda, const dry_inclusion_values *out) {
    (void)env, (void)t;
    const double M1 = 0.5, M2 = 1.0, Ks = 100.0, u = 1.0, mu = 0.5;
    const double *N = lambda, *f = lambda + 3;
    out->rate[0] = (N[0] - N[1]) / M1;
    out->rate[1] = (-Ks * x[5] - f[0] - f[1]) / M1;
    out->rate[2] = (-f[2] + N[1]) / M2;
    out->rate[3] = (f[1] + N[2]) / M2 - 9.8;
    for (int i = 0; i < 4; i++) out->rate[4 + i] = x[i];
    const double gap[] = {x[4], x[6] - x[4], x[7]};
    const double slide[] = {x[0], x[2] - x[0], x[3], x[1], x[1] - x[3], x[2] + u};
    memcpy(out->gap, gap, sizeof gap);
    memcpy(out->slide, slide, sizeof slide);
    for (int i = 0; i < 3; i++) {
        out->level[3 + i] = mu * N[i];
        out->lift[i] = mu;
    }
    const double push[] = {1.0 / M1,  -1.0 / M1, 1.0 / M2, 1.0 / M2,
                           -1.0 / M1, -1.0 / M1, 1.0 / M2, -1.0 / M2};
    const double feel[] = {1.0, -1.0, 1.0, 1.0, 1.0, 1.0, -1.0, 1.0};
    memcpy(out->push, push, sizeof push);
    memcpy(out->feel, feel, sizeof feel);
}
static inline void conveyor_problem(problem *of) {
    static const char *const states[] = {"v1x", "v1y", "v2x", "v2y", "p1x", "p1y", "p2x", "p2y"};
    static const char *const sets[] = {"N1", "N2", "N3", "f1", "f2", "f3"};
    problem_begin(of, "conveyor", conveyor_eval, NULL);
    for (int i = 0; i < 8; i++) add_state(of, states[i], i < 4, 0.0);
    of->start[5] = 0.25, of->start[6] = 0.05;
    for (int i = 0; i < 6; i++)
        add_set(of, sets[i], i < 3 ? dry_set_find("dio") : dry_set_find("sgn"), 1, 0.0);
    const int at[][2] = {{0, 0}, {0, 1}, {2, 1}, {3, 2}, {1, 3}, {1, 4}, {3, 4}, {2, 5}};
    for (int k = 0; k < 8; k++) {
        add_push(of, at[k][0], at[k][1]);
        add_feel(of, at[k][1], at[k][0]);
    }
    for (int i = 0; i < 3; i++) add_lift(of, 3 + i, i);
    of->inclusion.steady = true;
}

/* ---- Painleve's rod, sliding on its tip: par = mu ------------------------ */

/* Uniform rod of length 2 l, m = 1, at the angle of 1 rad to the floor, leaning back: with friction
 * against the motion the tip is pushed into the floor by its own normal force where mu is large and
 * the speed negative, and relieved where it is positive.
 * states: vx vy omega x y angle; tip = centre - l (cos, sin) */
static inline void rod_eval(const dry_env *env, double t, const double *x, const double *lambda,
                            const dry_inclusion_values *out) {
    (void)t;
    const double l = 1.0, I = l * l / 3.0, mu = env->par[0], c = l * cos(x[5]), s = l * sin(x[5]);
    const double N = lambda[0], f = lambda[1];
    out->rate[0] = -f;
    out->rate[1] = -9.8 + N;
    out->rate[2] = (-c * N - s * f) / I;
    for (int i = 0; i < 3; i++) out->rate[3 + i] = x[i];
    out->gap[0] = x[4] - s;
    out->slide[0] = x[1] - c * x[2];
    out->slide[1] = x[0] + s * x[2];
    out->level[1] = mu * N;
    const double push[] = {1.0, -c / I, -1.0, -s / I}, feel[] = {1.0, -c, 1.0, s};
    memcpy(out->push, push, sizeof push);
    memcpy(out->feel, feel, sizeof feel);
    out->lift[0] = mu;
}
static inline void rod_problem(problem *of, const double *par, double speed) {
    static const char *const names[] = {"vx", "vy", "omega", "x", "y", "angle"};
    const double start[] = {speed, 0.0, 0.0, 0.0, sin(1.0), 1.0};
    problem_begin(of, "rod", rod_eval, par);
    for (int i = 0; i < 6; i++) add_state(of, names[i], i < 3, start[i]);
    add_set(of, "N", dry_set_find("dio"), 1, 0.0);
    add_set(of, "f", dry_set_find("sgn"), 1, 0.0);
    const int push[][2] = {{1, 0}, {2, 0}, {0, 1}, {2, 1}};
    const int feel[][2] = {{0, 1}, {0, 2}, {1, 0}, {1, 2}};
    for (int k = 0; k < 4; k++) {
        add_push(of, push[k][0], push[k][1]);
        add_feel(of, feel[k][0], feel[k][1]);
    }
    add_lift(of, 1, 0);
}

#endif
