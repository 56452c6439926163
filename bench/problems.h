/* The three problems of the benchmarks, each as a system and as a loop written by hand.
 *
 *     drift      a mass on a rough floor, pushed by X13 (20)          X13 Fig 3
 *     bounce     a mass that falls on a floor, alpha = 5 ms           X13 Fig 5, (27)
 *     conveyor   two blocks, a wall and a conveyor                    X13 Example II, XD (3.35)
 *
 * p: position, m; v: velocity, m/s; a: stretch of a friction element, m; e: of a contact, m; K:
 * stiffness, N/m; alpha, beta: retardation times, s; N: normal force, f: friction, N; u: speed of
 * the conveyor, m/s. X13: Xiong, Kikuuwe, Yamamoto 2013; XD: Xiong's dissertation.
 *
 * The loops by hand are what one would write without a library: everything local, the equations of
 * the paper in the order of the paper, and what depends on the time alone once for each time: the
 * end of a step is the begin of the next, and two stages lie in its middle. They do the same
 * arithmetic as the systems, to the last bit, and take their parameters from outside, so that no
 * constant is folded on one side only. */
#ifndef DRYSTONE_BENCH_PROBLEMS_H
#define DRYSTONE_BENCH_PROBLEMS_H

#include "bench.h"
#include <drystone/law.h>
#include <drystone/ode.h>

enum { MOST_STATES = 16 };

/* Takes `steps` steps of classical Runge-Kutta of length h from t = 0, in place. */
typedef void hand_fn(const double *par, long steps, double h, double *x);

typedef struct problem {
    const dry_system *system;
    hand_fn *by_hand;
    hand_fn *inlined; /* dry_rk4_step with the rate of the system */
    long (*march)(const dry_env *env, const dry_method *method, dry_march *m);
    double end, step; /* of the paper's run, s */
} problem;

/* dry_rk4_step on a state that never leaves the function. */
#define INLINED_LOOP(name, rate, n)                                                                \
    static NOINLINE void name(const double *par, long steps, double h, double *x) {                \
        const dry_env env = {.par = par};                                                          \
        double y[n], work[5 * (n)];                                                                \
        for (int i = 0; i < (n); i++) y[i] = x[i];                                                 \
        for (long k = 0; k < steps; k++)                                                           \
            dry_rk4_step(rate, &env, n, (double)k *h, h, (double)(k + 1) * h, false, y, work);     \
        for (int i = 0; i < (n); i++) x[i] = y[i];                                                 \
    }                                                                                              \
    static inline long name##_march(const dry_env *env, const dry_method *method, dry_march *m) {  \
        return dry_rk4_march(rate, n, env, method, m);                                             \
    }

/* ---- drift ----------------------------------------------------------------- */

enum { DRIFT_M, DRIFT_F, DRIFT_K, DRIFT_BETA, DRIFT_PAR };
enum { DRIFT_P, DRIFT_V, DRIFT_A, DRIFT_STATES };
static const double drift_par[DRIFT_PAR] = {1.0, 0.5, 5e3, 2e-3};

static inline double drift_push(double t) {
    return t < 2.0 ? dry_min(0.52, 0.8 * t) : 0.336 + 0.144 * dry_cos(100.0 * t);
}
static inline void drift_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    for (int i = 0; i < DRIFT_STATES; i++) x[i] = 0.0;
}
static inline void drift_rate(const dry_env *env, double t, double tau, const double *x,
                              double *x_dot) {
    const double *par = env->par;
    double f;
    dry_friction(1, par[DRIFT_K], par[DRIFT_BETA], tau, par[DRIFT_F], &x[DRIFT_V], &x[DRIFT_A], &f,
                 &x_dot[DRIFT_A]);
    x_dot[DRIFT_P] = x[DRIFT_V];
    x_dot[DRIFT_V] = (drift_push(t) - f) / par[DRIFT_M];
}
static inline void drift_kinks(const dry_env *env, double t, const double *x, double *g) {
    const double *par = env->par;
    const double f = par[DRIFT_K] * (x[DRIFT_A] + par[DRIFT_BETA] * x[DRIFT_V]);
    g[0] = par[DRIFT_F] - f;
    g[1] = par[DRIFT_F] + f;
    g[2] = 0.52 - 0.8 * t;
}
static inline void drift_breaks(const dry_env *env, double *times) {
    (void)env;
    times[0] = 2.0;
}
static const dry_system drift_system = {.name = "drift",
                                        .n_states = DRIFT_STATES,
                                        .n_par = DRIFT_PAR,
                                        .n_kinks = 3,
                                        .n_breaks = 1,
                                        .par = drift_par,
                                        .start = drift_start,
                                        .rate = drift_rate,
                                        .kinks = drift_kinks,
                                        .breaks = drift_breaks};

typedef struct mass {
    double p, v, s; /* s: the stretch a or e */
} mass;

static inline mass mass_add(mass x, double h, mass rate) {
    return (mass){x.p + h * rate.p, x.v + h * rate.v, x.s + h * rate.s};
}
static inline double rk4_mean(double h, double k1, double k2, double k3, double k4) {
    return h * (1.0 / 6.0) * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}
static inline mass mass_step(mass x, double h, mass k1, mass k2, mass k3, mass k4) {
    return (mass){x.p + rk4_mean(h, k1.p, k2.p, k3.p, k4.p),
                  x.v + rk4_mean(h, k1.v, k2.v, k3.v, k4.v),
                  x.s + rk4_mean(h, k1.s, k2.s, k3.s, k4.s)};
}

static inline double drift_by_hand_push(double t) {
    return t < 2.0 ? (0.8 * t > 0.52 ? 0.52 : 0.8 * t) : 0.336 + 0.144 * dry_cos(100.0 * t);
}
static inline mass drift_by_hand_rate(double M, double F, double K, double beta, double fe,
                                      mass x) {
    double f = K * (x.s + beta * x.v), a_dot = x.v;
    if (f > F || f < -F) {
        f = f > F ? F : -F;
        a_dot = (f / K - x.s) / beta;
    }
    return (mass){x.v, (fe - f) / M, a_dot};
}
static NOINLINE void drift_by_hand(const double *par, long steps, double h, double *states) {
    const double M = par[DRIFT_M], F = par[DRIFT_F], K = par[DRIFT_K], beta = par[DRIFT_BETA];
    const double half = 0.5 * h;
    double begin = drift_by_hand_push(0.0);
    mass x = {states[0], states[1], states[2]};
    for (long k = 0; k < steps; k++) {
        const double middle = drift_by_hand_push((double)k * h + half);
        const double end = drift_by_hand_push((double)(k + 1) * h);
        const mass k1 = drift_by_hand_rate(M, F, K, beta, begin, x);
        const mass k2 = drift_by_hand_rate(M, F, K, beta, middle, mass_add(x, half, k1));
        const mass k3 = drift_by_hand_rate(M, F, K, beta, middle, mass_add(x, half, k2));
        const mass k4 = drift_by_hand_rate(M, F, K, beta, end, mass_add(x, h, k3));
        x = mass_step(x, h, k1, k2, k3, k4);
        begin = end;
    }
    states[0] = x.p, states[1] = x.v, states[2] = x.s;
}
INLINED_LOOP(drift_inlined, drift_rate, DRIFT_STATES)

/* ---- bounce ---------------------------------------------------------------- */

enum { BOUNCE_M, BOUNCE_K, BOUNCE_ALPHA, BOUNCE_BETA, BOUNCE_G, BOUNCE_PAR };
enum { BOUNCE_P, BOUNCE_V, BOUNCE_E, BOUNCE_STATES };
static const double bounce_par[BOUNCE_PAR] = {1.0, 1e5, 5e-3, 1e-2, 9.8};

static inline void bounce_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[BOUNCE_P] = 1.0;
    x[BOUNCE_V] = x[BOUNCE_E] = 0.0;
}
static inline void bounce_rate(const dry_env *env, double t, double tau, const double *x,
                               double *x_dot) {
    (void)t;
    const double *par = env->par;
    const double N = dry_contact(par[BOUNCE_K], par[BOUNCE_ALPHA], par[BOUNCE_BETA], tau,
                                 x[BOUNCE_P], x[BOUNCE_E], &x_dot[BOUNCE_E]);
    x_dot[BOUNCE_P] = x[BOUNCE_V];
    x_dot[BOUNCE_V] = N / par[BOUNCE_M] - par[BOUNCE_G];
}
/* positive where the contact is closed */
static inline double contact_switch(double alpha, double beta, double psi, double e) {
    return e / beta - (psi + e) / alpha;
}
static inline void bounce_kinks(const dry_env *env, double t, const double *x, double *g) {
    (void)t;
    g[0] = contact_switch(env->par[BOUNCE_ALPHA], env->par[BOUNCE_BETA], x[BOUNCE_P], x[BOUNCE_E]);
}
static const dry_system bounce_system = {.name = "bounce",
                                         .n_states = BOUNCE_STATES,
                                         .n_par = BOUNCE_PAR,
                                         .n_kinks = 1,
                                         .par = bounce_par,
                                         .start = bounce_start,
                                         .rate = bounce_rate,
                                         .kinks = bounce_kinks};

/* N and e_dot of a contact, as X13 (24), (25) say it */
static inline double contact_by_hand(double K, double alpha, double beta, double psi, double e,
                                     double *e_dot) {
    const double open = -e / beta, closed = -(psi + e) / alpha;
    if (closed <= open) {
        *e_dot = open;
        return 0.0;
    }
    *e_dot = closed;
    const double N = K * (e + beta * closed);
    return N > 0.0 ? N : 0.0;
}
static inline mass bounce_by_hand_rate(double M, double K, double alpha, double beta, double g,
                                       mass x) {
    double e_dot;
    const double N = contact_by_hand(K, alpha, beta, x.p, x.s, &e_dot);
    return (mass){x.v, N / M - g, e_dot};
}
static NOINLINE void bounce_by_hand(const double *par, long steps, double h, double *states) {
    const double M = par[BOUNCE_M], K = par[BOUNCE_K], alpha = par[BOUNCE_ALPHA];
    const double beta = par[BOUNCE_BETA], g = par[BOUNCE_G], half = 0.5 * h;
    mass x = {states[0], states[1], states[2]};
    for (long k = 0; k < steps; k++) {
        const mass k1 = bounce_by_hand_rate(M, K, alpha, beta, g, x);
        const mass k2 = bounce_by_hand_rate(M, K, alpha, beta, g, mass_add(x, half, k1));
        const mass k3 = bounce_by_hand_rate(M, K, alpha, beta, g, mass_add(x, half, k2));
        const mass k4 = bounce_by_hand_rate(M, K, alpha, beta, g, mass_add(x, h, k3));
        x = mass_step(x, h, k1, k2, k3, k4);
    }
    states[0] = x.p, states[1] = x.v, states[2] = x.s;
}
INLINED_LOOP(bounce_inlined, bounce_rate, BOUNCE_STATES)

/* ---- conveyor -------------------------------------------------------------- */

enum { M1, M2, KS, U, MU, K_ALL, BETA, ALPHA, GRAVITY, CONVEYOR_PAR };
enum { P1X, P1Y, P2X, P2Y, V1X, V1Y, V2X, V2Y, E1, E2, E3, A1, A2, A3, CONVEYOR_STATES };
static const double conveyor_par[CONVEYOR_PAR] = {0.5, 1.0,  100.0,  1.0, 0.5,
                                                  5e5, 2e-3, 1.6e-3, 9.8};

static inline void conveyor_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    for (int i = 0; i < CONVEYOR_STATES; i++) x[i] = 0.0;
    x[P1Y] = 0.25;
    x[P2X] = 0.05;
}
/* gap and sliding velocity of the three contacts: wall-M1, M1-M2, M2-conveyor */
static inline void conveyor_contacts(const double *par, const double *x, double psi[3],
                                     double theta[3]) {
    psi[0] = x[P1X], psi[1] = x[P2X] - x[P1X], psi[2] = x[P2Y];
    theta[0] = x[V1Y], theta[1] = x[V1Y] - x[V2Y], theta[2] = x[V2X] + par[U];
}
static inline void conveyor_rate(const dry_env *env, double t, double tau, const double *x,
                                 double *x_dot) {
    (void)t;
    const double *par = env->par;
    double psi[3], theta[3], N[3], f[3];
    conveyor_contacts(par, x, psi, theta);
    for (int i = 0; i < 3; i++) {
        N[i] =
            dry_contact(par[K_ALL], par[ALPHA], par[BETA], tau, psi[i], x[E1 + i], &x_dot[E1 + i]);
        dry_friction(1, par[K_ALL], par[BETA], tau, par[MU] * N[i], &theta[i], &x[A1 + i], &f[i],
                     &x_dot[A1 + i]);
    }
    for (int i = 0; i < 4; i++) x_dot[P1X + i] = x[V1X + i];
    x_dot[V1X] = (N[0] - N[1]) / par[M1];
    x_dot[V1Y] = (-par[KS] * x[P1Y] - f[0] - f[1]) / par[M1];
    x_dot[V2X] = (N[1] - f[2]) / par[M2];
    x_dot[V2Y] = (f[1] + N[2]) / par[M2] - par[GRAVITY];
}
static inline void conveyor_kinks(const dry_env *env, double t, const double *x, double *g) {
    (void)t;
    const double *par = env->par;
    double psi[3], theta[3], e_dot;
    conveyor_contacts(par, x, psi, theta);
    for (int i = 0; i < 3; i++) {
        const double N =
            dry_contact(par[K_ALL], par[ALPHA], par[BETA], 0.0, psi[i], x[E1 + i], &e_dot);
        const double f = par[K_ALL] * (x[A1 + i] + par[BETA] * theta[i]);
        g[3 * i] = contact_switch(par[ALPHA], par[BETA], psi[i], x[E1 + i]);
        g[3 * i + 1] = par[MU] * N - f;
        g[3 * i + 2] = par[MU] * N + f;
    }
}
static const dry_system conveyor_system = {.name = "conveyor",
                                           .n_states = CONVEYOR_STATES,
                                           .n_par = CONVEYOR_PAR,
                                           .n_kinks = 9,
                                           .par = conveyor_par,
                                           .start = conveyor_start,
                                           .rate = conveyor_rate,
                                           .kinks = conveyor_kinks};

typedef struct two_blocks {
    double p1x, p1y, p2x, p2y, v1x, v1y, v2x, v2y, e1, e2, e3, a1, a2, a3;
} two_blocks;
#define EACH_OF_TWO_BLOCKS(X)                                                                      \
    X(p1x) X(p1y) X(p2x) X(p2y) X(v1x) X(v1y) X(v2x) X(v2y) X(e1) X(e2) X(e3) X(a1) X(a2) X(a3)

/* f and a_dot of a friction element, as X13 (18) says it */
static inline double friction_by_hand(double K, double beta, double chi, double theta, double a,
                                      double *a_dot) {
    double f = K * (a + beta * theta);
    *a_dot = theta;
    if (f > chi || f < -chi) {
        f = f > chi ? chi : -chi;
        *a_dot = (f / K - a) / beta;
    }
    return f;
}
static inline two_blocks conveyor_by_hand_rate(const double *par, two_blocks x) {
    const double m1 = par[M1], m2 = par[M2], Ks = par[KS], u = par[U], mu = par[MU];
    const double K = par[K_ALL], beta = par[BETA], alpha = par[ALPHA], g = par[GRAVITY];
    two_blocks d = {.p1x = x.v1x, .p1y = x.v1y, .p2x = x.v2x, .p2y = x.v2y};
    const double psi1 = contact_by_hand(K, alpha, beta, x.p1x, x.e1, &d.e1);
    const double psi2 = contact_by_hand(K, alpha, beta, x.p2x - x.p1x, x.e2, &d.e2);
    const double psi3 = contact_by_hand(K, alpha, beta, x.p2y, x.e3, &d.e3);
    const double theta1 = friction_by_hand(K, beta, mu * psi1, x.v1y, x.a1, &d.a1);
    const double theta2 = friction_by_hand(K, beta, mu * psi2, x.v1y - x.v2y, x.a2, &d.a2);
    const double theta3 = friction_by_hand(K, beta, mu * psi3, x.v2x + u, x.a3, &d.a3);
    d.v1x = (psi1 - psi2) / m1;
    d.v1y = (-Ks * x.p1y - theta1 - theta2) / m1;
    d.v2x = (psi2 - theta3) / m2;
    d.v2y = (theta2 + psi3) / m2 - g;
    return d;
}
static inline two_blocks two_blocks_add(two_blocks x, double h, two_blocks d) {
#define ADD(s) x.s += h * d.s;
    EACH_OF_TWO_BLOCKS(ADD)
#undef ADD
    return x;
}
static NOINLINE void conveyor_by_hand(const double *par, long steps, double h, double *states) {
    const double half = 0.5 * h;
    two_blocks x;
    memcpy(&x, states, sizeof x);
    for (long k = 0; k < steps; k++) {
        const two_blocks k1 = conveyor_by_hand_rate(par, x);
        const two_blocks k2 = conveyor_by_hand_rate(par, two_blocks_add(x, half, k1));
        const two_blocks k3 = conveyor_by_hand_rate(par, two_blocks_add(x, half, k2));
        const two_blocks k4 = conveyor_by_hand_rate(par, two_blocks_add(x, h, k3));
#define STEP(s) x.s += rk4_mean(h, k1.s, k2.s, k3.s, k4.s);
        EACH_OF_TWO_BLOCKS(STEP)
#undef STEP
    }
    memcpy(states, &x, sizeof x);
}
INLINED_LOOP(conveyor_inlined, conveyor_rate, CONVEYOR_STATES)

/* ---- all of them ------------------------------------------------------------ */

/* The conveyor only as far as its trajectory is not sensitive. */
static const problem problems[] = {
    {&drift_system, drift_by_hand, drift_inlined, drift_inlined_march, 5.0, 1e-3},
    {&bounce_system, bounce_by_hand, bounce_inlined, bounce_inlined_march, 6.0, 1e-3},
    {&conveyor_system, conveyor_by_hand, conveyor_inlined, conveyor_inlined_march, 0.4, 1e-3},
};
enum { N_PROBLEMS = sizeof problems / sizeof problems[0] };

/* ---- an integration with its memory ------------------------------------------ */

typedef struct integration {
    dry_ode ode;
    double *work;
    void *scratch;
} integration;

static inline void integration_begin(integration *run, const dry_system *system, const char *method,
                                     const dry_ode_options *options) {
    const dry_method *row = dry_method_find(method);
    run->work = malloc(dry_ode_size(system, row) * sizeof(double));
    run->scratch = malloc(system->work_size + 1);
    must(run->work && run->scratch &&
             dry_ode_init(&run->ode, system, row, options, NULL, 0.0, NULL, run->scratch,
                          run->work) == DRY_OK,
         "the integration cannot begin");
}
static inline void integration_end(integration *run) {
    free(run->work);
    free(run->scratch);
}

#endif
