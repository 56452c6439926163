/* firmness: checks whether the steps of a method are short enough for a stiff motion.
 *
 * One mass between springs, per mass (stability.h, dry_firmness):
 *
 *     p_dot = v,  v_dot = -(K p + C v + Kf a + Ktau tau v) + N,  a_dot = v
 *     e_dot = -(p + e)/(alpha + tau),  N = Kc (e + (beta + tau) e_dot)        X13 (18), (24)
 *
 * One step of the method itself, with the tau of its stages (KY08 (14), (21)), maps each of the
 * four states to a column of a matrix R. The step is stable if no eigenvalue of R is larger than 1,
 * except for growth that is slow compared with the frequency of the motion.
 *
 * T: step, s; p: m; v: m/s; a, e: m. */
#include <drystone/math.h>
#include <drystone/stability.h>

enum { P, V, A, E, N_STATES, WORK = 64 * N_STATES };

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const dry_firmness *f = env->model;
    (void)t;
    x_dot[P] = x[V];
    x_dot[A] = x[V];
    x_dot[E] = -(x[P] + x[E]) / (f->alpha + tau);
    const double N = f->Kc * (x[E] + (f->beta + tau) * x_dot[E]);
    x_dot[V] = N - (f->K * x[P] + (f->C + f->Ktau * tau) * x[V] + f->Kf * x[A]);
}

/* The largest |eigenvalue| of R. */
static double amplification(const dry_firmness *f, const dry_method *method, double T) {
    static const dry_quantity names[N_STATES] = {{"p", "m"}, {"v", "m/s"}, {"a", "m"}, {"e", "m"}};
    static const bool positions[N_STATES] = {true};
    const dry_system system = {.name = "mode",
                               .n_states = N_STATES,
                               .states = names,
                               .positions = positions,
                               .rate = rate,
                               .model = f};
    double R[N_STATES * N_STATES], re[N_STATES], im[N_STATES], work[WORK], largest = 0.0;
    DRY_ASSERT(dry_ode_size(&system, method) <= WORK);
    for (int j = 0; j < N_STATES; j++) {
        const double unit[N_STATES] = {j == P, j == V, j == A, j == E};
        const dry_ode_options options = {.step = T};
        dry_ode ode;
        if (dry_ode_init(&ode, &system, method, &options, NULL, 0.0, unit, NULL, work) != DRY_OK ||
            dry_ode_step(&ode, T) != DRY_OK)
            return (double)INFINITY;
        for (int i = 0; i < N_STATES; i++) R[i * N_STATES + j] = ode.x[i];
    }
    if (dry_eigenvalues(N_STATES, R, re, im) != DRY_OK) return (double)INFINITY;
    for (int i = 0; i < N_STATES; i++) largest = dry_max(largest, dry_hypot(re[i], im[i]));
    return largest;
}

/* rad/s, as that of a spring */
static double frequency(const dry_firmness *f) {
    return sqrt(f->K + f->Kf + f->Kc * (f->alpha > 0.0 ? dry_max(1.0, f->beta / f->alpha) : 1.0));
}

/* Of a motion that is so many times as stiff. It may grow by a part of 1e-3 of its frequency, as
 * check 6 has it for equations; 1e-9 is for the rounding of the eigenvalue 1, which a state has
 * that keeps what it is. */
static bool is_stable_at(double times, const dry_firmness *f, const dry_method *method, double T) {
    const dry_firmness g = {.K = times * f->K,
                            .C = times * f->C,
                            .Kf = times * f->Kf,
                            .Ktau = times * f->Ktau,
                            .Kc = times * f->Kc,
                            .alpha = f->alpha,
                            .beta = f->beta};
    return dry_log(amplification(&g, method, T)) <= 1e-3 * T * frequency(&g) + 1e-9;
}

/* Bodies have softer motions of the same kind, which are damped less. */
bool dry_firmness_is_stable(const dry_firmness *f, const dry_method *method, double T) {
    bool stable = method != NULL;
    for (int i = 10; i > 0 && stable; i--) stable = is_stable_at(0.1 * i, f, method, T);
    return stable;
}

double dry_firmness_largest(const dry_firmness *f, const dry_method *method, double T) {
    double low = T, high = T;
    while (low > 1e-12 * T && !dry_firmness_is_stable(f, method, low)) high = low, low /= 1.25;
    while (high - low > 1e-4 * low) {
        const double middle = 0.5 * (low + high);
        *(dry_firmness_is_stable(f, method, middle) ? &low : &high) = middle;
    }
    return low;
}

dry_mode dry_firmness_mode(const dry_firmness *f, double tau) {
    const dry_env env = {.model = f};
    double J[N_STATES * N_STATES], re[N_STATES], im[N_STATES];
    dry_mode fastest = {0.0, true};
    for (int j = 0; j < N_STATES; j++) {
        const double unit[N_STATES] = {j == P, j == V, j == A, j == E};
        double x_dot[N_STATES];
        rate(&env, 0.0, tau, unit, x_dot);
        for (int i = 0; i < N_STATES; i++) J[i * N_STATES + j] = x_dot[i];
    }
    if (dry_eigenvalues(N_STATES, J, re, im) != DRY_OK) return (dry_mode){frequency(f), true};
    for (int i = 0; i < N_STATES; i++)
        if (dry_hypot(re[i], im[i]) > fastest.rate)
            fastest = (dry_mode){dry_hypot(re[i], im[i]), fabs(im[i]) > 0.1 * fabs(re[i])};
    return fastest;
}
