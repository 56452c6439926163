/* The experiments of the papers as hand-written systems, for the tests of ode and sim.
 *
 * p: position, m; v: velocity, m/s; a: stretch of a friction element, m; e: of a contact, m;
 * K: stiffness, N/m; alpha, beta: retardation times, s; N: normal force, f: friction, N.
 * X13: Xiong, Kikuuwe, Yamamoto 2013; XD: Xiong's dissertation. */
#ifndef DRYSTONE_TESTS_ODE_PROBLEMS_H
#define DRYSTONE_TESTS_ODE_PROBLEMS_H

#include <drystone/law.h>
#include <drystone/ode.h>
#include <stdlib.h>

#define GRAVITY 9.8

/* ---- X13 Fig 3: a mass on a rough floor, pushed by (20) or by XD (3.11) ---- */

/* fe = min(level, rate t) before t = 2 s, mean + amplitude cos(100 t) from then on */
typedef struct forcing {
    double level, rate, mean, amplitude;
} forcing;
static const forcing force_x13 = {0.52, 0.8, 0.336, 0.144};
static const forcing force_xd = {0.55, 0.5, 0.35, 0.15};

enum { DRIFT_M, DRIFT_F, DRIFT_K, DRIFT_BETA, DRIFT_B };
static const double drift_par[] = {1.0, 0.5, 5e3, 2e-3, 10.0};
static const dry_quantity drift_params[] = {
    {"M", "kg"}, {"F", "N"}, {"K", "N/m"}, {"beta", "s"}, {"B", "N s/m"}};
static const dry_quantity drift_states[] = {{"v", "m/s"}, {"p", "m"}, {"a", "m"}};
static const dry_quantity drift_outputs[] = {{"fe", "N"}, {"f", "N"}};
static const bool drift_positions[] = {false, true, false};

static inline double drift_force(const dry_env *env, double t) {
    const forcing *force = env->model;
    return t < 2.0 ? dry_min(force->level, force->rate * t)
                   : force->mean + force->amplitude * cos(100.0 * t);
}
static inline void drift_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = x[1] = x[2] = 0.0;
}
static inline void drift_rate(const dry_env *env, double t, double tau, const double *x,
                              double *x_dot) {
    const double *par = env->par;
    double f;
    dry_friction(1, par[DRIFT_K], par[DRIFT_BETA], tau, par[DRIFT_F], &x[0], &x[2], &f, &x_dot[2]);
    x_dot[0] = (drift_force(env, t) - f) / par[DRIFT_M];
    x_dot[1] = x[0];
}
static inline void drift_output(const dry_env *env, double t, double tau, const double *x,
                                double *y) {
    const double *par = env->par;
    double a_dot;
    y[0] = drift_force(env, t);
    dry_friction(1, par[DRIFT_K], par[DRIFT_BETA], tau, par[DRIFT_F], &x[0], &x[2], &y[1], &a_dot);
}
static inline void drift_kinks(const dry_env *env, double t, const double *x, double *g) {
    const double *par = env->par;
    const forcing *force = env->model;
    const double f = par[DRIFT_K] * (x[2] + par[DRIFT_BETA] * x[0]);
    g[0] = par[DRIFT_F] - f;
    g[1] = par[DRIFT_F] + f;
    g[2] = force->level - force->rate * t;
}
static inline void drift_breaks(const dry_env *env, double *times) {
    (void)env;
    times[0] = 2.0;
}
/* X13 (12): LuGre without Stribeck effect, f = K a + B a_dot; Dahl with B = 0 */
static inline void lugre_rate(const dry_env *env, double t, double tau, const double *x,
                              double *x_dot) {
    (void)tau;
    const double *par = env->par;
    x_dot[2] = x[0] - par[DRIFT_K] * fabs(x[0]) * x[2] / par[DRIFT_F];
    const double f = par[DRIFT_K] * x[2] + par[DRIFT_B] * x_dot[2];
    x_dot[0] = (drift_force(env, t) - f) / par[DRIFT_M];
    x_dot[1] = x[0];
}
static inline void lugre_kinks(const dry_env *env, double t, const double *x, double *g) {
    const forcing *force = env->model;
    g[0] = x[0];
    g[1] = force->level - force->rate * t;
}

/* The mass with the friction of X13 (18). */
static inline dry_system drift_system(const forcing *force) {
    return (dry_system){.name = "drift",
                        .n_states = 3,
                        .n_outputs = 2,
                        .n_par = 5,
                        .n_kinks = 3,
                        .n_breaks = 1,
                        .states = drift_states,
                        .outputs = drift_outputs,
                        .params = drift_params,
                        .par = drift_par,
                        .model = force,
                        .start = drift_start,
                        .rate = drift_rate,
                        .output = drift_output,
                        .kinks = drift_kinks,
                        .breaks = drift_breaks,
                        .positions = drift_positions};
}
/* The same mass with LuGre friction; B = 0: Dahl. */
static inline dry_system lugre_system(const forcing *force) {
    dry_system system = drift_system(force);
    system.name = "lugre";
    system.rate = lugre_rate;
    system.n_kinks = 2;
    system.kinks = lugre_kinks;
    system.n_outputs = 0;
    system.output = NULL;
    return system;
}
/* As the paper integrated it: the jump of the forcing is not told to the integrator. */
static inline dry_system without_breaks(dry_system system) {
    system.n_breaks = 0;
    system.breaks = NULL;
    return system;
}

/* ---- X13 Fig 5: a bouncing mass, (27) ------------------------------------ */

enum { BOUNCE_M, BOUNCE_K, BOUNCE_ALPHA, BOUNCE_BETA, BOUNCE_G };
static const double bounce_par[] = {1.0, 1e5, 5e-3, 1e-2, GRAVITY};
static const dry_quantity bounce_params[] = {
    {"M", "kg"}, {"K", "N/m"}, {"alpha", "s"}, {"beta", "s"}, {"g", "m/s^2"}};
static const dry_quantity bounce_states[] = {{"v", "m/s"}, {"p", "m"}, {"e", "m"}};
static const dry_quantity bounce_outputs[] = {{"N", "N"}};
static const bool bounce_positions[] = {false, true, false};

static inline void bounce_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = 0.0;
    x[1] = 1.0;
    x[2] = 0.0;
}
static inline double bounce_contact(const dry_env *env, double tau, const double *x,
                                    double *e_dot) {
    const double *par = env->par;
    return dry_contact(par[BOUNCE_K], par[BOUNCE_ALPHA], par[BOUNCE_BETA], tau, x[1], x[2], e_dot);
}
static inline void bounce_rate(const dry_env *env, double t, double tau, const double *x,
                               double *x_dot) {
    (void)t;
    x_dot[0] = -env->par[BOUNCE_G] + bounce_contact(env, tau, x, &x_dot[2]) / env->par[BOUNCE_M];
    x_dot[1] = x[0];
}
static inline void bounce_output(const dry_env *env, double t, double tau, const double *x,
                                 double *y) {
    double e_dot;
    (void)t;
    y[0] = bounce_contact(env, tau, x, &e_dot);
}
static inline double contact_switch(double alpha, double beta, double psi, double e) {
    return e / beta - (psi + e) / alpha;
}
static inline void bounce_kinks(const dry_env *env, double t, const double *x, double *g) {
    (void)t;
    g[0] = contact_switch(env->par[BOUNCE_ALPHA], env->par[BOUNCE_BETA], x[1], x[2]);
}
static inline dry_system bounce_system(void) {
    return (dry_system){.name = "bounce",
                        .n_states = 3,
                        .n_outputs = 1,
                        .n_par = 5,
                        .n_kinks = 1,
                        .states = bounce_states,
                        .outputs = bounce_outputs,
                        .params = bounce_params,
                        .par = bounce_par,
                        .start = bounce_start,
                        .rate = bounce_rate,
                        .output = bounce_output,
                        .kinks = bounce_kinks,
                        .positions = bounce_positions};
}

/* ---- X13 Example I in its plane: a sphere falls, slips and rolls, XD (3.27) ---- */

enum { SPHERE_VX, SPHERE_VZ, SPHERE_X, SPHERE_Z, SPHERE_OMEGA, SPHERE_E, SPHERE_A, SPHERE_STATES };
static const struct {
    double M, R, mu, K, beta, alpha;
} sphere = {1.0, 0.5, 0.1, 1e5, 4e-3, 2.8e-3};
static const dry_quantity sphere_states[] = {{"vx", "m/s"}, {"vz", "m/s"},      {"x", "m"},
                                             {"z", "m"},    {"omega", "rad/s"}, {"e", "m"},
                                             {"a", "m"}};

static inline void sphere_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    for (int i = 0; i < SPHERE_STATES; i++) x[i] = 0.0;
    x[SPHERE_VX] = 5.5;
    x[SPHERE_Z] = 2.0 * sphere.R;
}
static inline void sphere_rate(const dry_env *env, double t, double tau, const double *x,
                               double *x_dot) {
    (void)env, (void)t;
    const double slide = x[SPHERE_VX] - sphere.R * x[SPHERE_OMEGA];
    double f;
    const double N = dry_contact(sphere.K, sphere.alpha, sphere.beta, tau, x[SPHERE_Z] - sphere.R,
                                 x[SPHERE_E], &x_dot[SPHERE_E]);
    dry_friction(1, sphere.K, sphere.beta, tau, sphere.mu * N, &slide, &x[SPHERE_A], &f,
                 &x_dot[SPHERE_A]);
    x_dot[SPHERE_VX] = -f / sphere.M;
    x_dot[SPHERE_VZ] = N / sphere.M - GRAVITY;
    x_dot[SPHERE_X] = x[SPHERE_VX];
    x_dot[SPHERE_Z] = x[SPHERE_VZ];
    x_dot[SPHERE_OMEGA] = 5.0 / (2.0 * sphere.M * sphere.R) * f;
}
static inline void sphere_kinks(const dry_env *env, double t, const double *x, double *g) {
    double x_dot[SPHERE_STATES];
    sphere_rate(env, t, 0.0, x, x_dot);
    const double slide = x[SPHERE_VX] - sphere.R * x[SPHERE_OMEGA];
    const double chi = sphere.mu * sphere.M * (x_dot[SPHERE_VZ] + GRAVITY);
    const double f = sphere.K * (x[SPHERE_A] + sphere.beta * slide);
    g[0] = contact_switch(sphere.alpha, sphere.beta, x[SPHERE_Z] - sphere.R, x[SPHERE_E]);
    g[1] = chi - f;
    g[2] = chi + f;
}
static inline dry_system sphere_system(void) {
    return (dry_system){.name = "sphere",
                        .n_states = SPHERE_STATES,
                        .n_kinks = 3,
                        .states = sphere_states,
                        .start = sphere_start,
                        .rate = sphere_rate,
                        .kinks = sphere_kinks};
}

/* ---- X13 Example II: two blocks, a wall and a conveyor, XD (3.35) -------- */

enum { P1X, P1Y, P2X, P2Y, V1X, V1Y, V2X, V2Y, E1, E2, E3, A1, A2, A3, CONVEYOR_STATES };
static const struct {
    double M1, M2, Ks, u, mu, K, beta, alpha;
} conveyor = {0.5, 1.0, 100.0, 1.0, 0.5, 5e5, 2e-3, 1.6e-3};
static const dry_quantity conveyor_states[] = {
    {"p1x", "m"},   {"p1y", "m"},   {"p2x", "m"},   {"p2y", "m"}, {"v1x", "m/s"},
    {"v1y", "m/s"}, {"v2x", "m/s"}, {"v2y", "m/s"}, {"e1", "m"},  {"e2", "m"},
    {"e3", "m"},    {"a1", "m"},    {"a2", "m"},    {"a3", "m"}};

/* gap and sliding velocity of the three contacts: wall-M1, M1-M2, M2-conveyor */
static inline void conveyor_contacts(const double *x, double psi[3], double theta[3]) {
    psi[0] = x[P1X];
    psi[1] = x[P2X] - x[P1X];
    psi[2] = x[P2Y];
    theta[0] = x[V1Y];
    theta[1] = x[V1Y] - x[V2Y];
    theta[2] = x[V2X] + conveyor.u;
}
static inline void conveyor_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    for (int i = 0; i < CONVEYOR_STATES; i++) x[i] = 0.0;
    x[P1Y] = 0.25;
    x[P2X] = 0.05;
}
static inline void conveyor_rate(const dry_env *env, double t, double tau, const double *x,
                                 double *x_dot) {
    (void)env, (void)t;
    double psi[3], theta[3], N[3], f[3];
    conveyor_contacts(x, psi, theta);
    for (int i = 0; i < 3; i++) {
        N[i] = dry_contact(conveyor.K, conveyor.alpha, conveyor.beta, tau, psi[i], x[E1 + i],
                           &x_dot[E1 + i]);
        dry_friction(1, conveyor.K, conveyor.beta, tau, conveyor.mu * N[i], &theta[i], &x[A1 + i],
                     &f[i], &x_dot[A1 + i]);
    }
    for (int i = 0; i < 4; i++) x_dot[P1X + i] = x[V1X + i];
    x_dot[V1X] = (N[0] - N[1]) / conveyor.M1;
    x_dot[V1Y] = (-conveyor.Ks * x[P1Y] - f[0] - f[1]) / conveyor.M1;
    x_dot[V2X] = (-f[2] + N[1]) / conveyor.M2;
    x_dot[V2Y] = (f[1] + N[2]) / conveyor.M2 - GRAVITY;
}
static inline void conveyor_kinks(const dry_env *env, double t, const double *x, double *g) {
    (void)env, (void)t;
    double psi[3], theta[3];
    conveyor_contacts(x, psi, theta);
    for (int i = 0; i < 3; i++) {
        double e_dot;
        const double N =
            dry_contact(conveyor.K, conveyor.alpha, conveyor.beta, 0.0, psi[i], x[E1 + i], &e_dot);
        const double f = conveyor.K * (x[A1 + i] + conveyor.beta * theta[i]);
        g[3 * i] = contact_switch(conveyor.alpha, conveyor.beta, psi[i], x[E1 + i]);
        g[3 * i + 1] = conveyor.mu * N - f;
        g[3 * i + 2] = conveyor.mu * N + f;
    }
}
static inline dry_system conveyor_system(void) {
    return (dry_system){.name = "conveyor",
                        .n_states = CONVEYOR_STATES,
                        .n_kinks = 9,
                        .states = conveyor_states,
                        .start = conveyor_start,
                        .rate = conveyor_rate,
                        .kinks = conveyor_kinks};
}

/* ---- X13 Example III: periodic motion on a belt, (49) and (50) ----------- */

enum { PERIODIC_F, PERIODIC_K, PERIODIC_BETA, PERIODIC_EPS };
static const double periodic_par[] = {0.2, 1e5, 0.5, 1e-5};
static const dry_quantity periodic_params[] = {
    {"F", "N"}, {"K", "N/m"}, {"beta", "s"}, {"eps", "m/s"}};
static const dry_quantity periodic_states[] = {{"p", "m"}, {"w", "m/s"}, {"a", "m"}};

static inline void periodic_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = 1.19149;
    x[1] = x[2] = 0.0;
}
/* (49); M = k1 = k2 = u = V = 1 */
static inline void periodic_rate(const dry_env *env, double t, double tau, const double *x,
                                 double *x_dot) {
    const double *par = env->par, p = x[0], w = x[1];
    const double chi = par[PERIODIC_F] / (1.0 + fabs(w));
    double f;
    (void)t;
    dry_friction(1, par[PERIODIC_K], par[PERIODIC_BETA], tau, chi, &w, &x[2], &f, &x_dot[2]);
    x_dot[0] = 1.0 - w;
    x_dot[1] = p * p * p - p - f;
}
static inline void periodic_kinks(const dry_env *env, double t, const double *x, double *g) {
    const double *par = env->par, w = x[1];
    const double chi = par[PERIODIC_F] / (1.0 + fabs(w));
    const double f = par[PERIODIC_K] * (x[2] + par[PERIODIC_BETA] * w);
    (void)t;
    g[0] = chi - f;
    g[1] = chi + f;
    g[2] = w;
}
/* (50), the smoothing of Awrejcewicz; the third state rests */
static inline void smoothed_rate(const dry_env *env, double t, double tau, const double *x,
                                 double *x_dot) {
    const double F = env->par[PERIODIC_F], eps = env->par[PERIODIC_EPS], p = x[0], w = x[1];
    (void)t, (void)tau;
    x_dot[0] = 1.0 - w;
    x_dot[1] = p * p * p - p - F * dry_sat1(eps, w) / ((1.0 + dry_max(fabs(w), eps)) * eps);
    x_dot[2] = 0.0;
}
static inline dry_system periodic_system(void) {
    return (dry_system){.name = "periodic",
                        .n_states = 3,
                        .n_par = 4,
                        .n_kinks = 3,
                        .states = periodic_states,
                        .params = periodic_params,
                        .par = periodic_par,
                        .start = periodic_start,
                        .rate = periodic_rate,
                        .kinks = periodic_kinks};
}
static inline dry_system smoothed_system(void) {
    dry_system system = periodic_system();
    system.name = "smoothed";
    system.rate = smoothed_rate;
    system.n_kinks = 0;
    system.kinks = NULL;
    return system;
}

/* The rows with error control. */
static const char *const pairs[] = {"dopri5", "dop853"};
enum { PAIRS = 2 };

/* ---- an integration with its memory -------------------------------------- */

typedef struct run {
    dry_ode ode;
    dry_system system;
    double *work;
    void *scratch;
} run;

/* Begins an integration; NULL par and x0 as in dry_ode_init. The run must stay where it is. */
static inline dry_status run_begin(run *r, dry_system system, const char *method,
                                   dry_ode_options options, const double *par, const double *x0) {
    const dry_method *row = dry_method_find(method);
    r->system = system;
    r->work = malloc(dry_ode_size(&r->system, row) * sizeof(double));
    r->scratch = malloc(system.work_size + 1);
    return dry_ode_init(&r->ode, &r->system, row, &options, par, 0.0, x0, r->scratch, r->work);
}
static inline void run_end(run *r) {
    free(r->work);
    free(r->scratch);
}

#endif
