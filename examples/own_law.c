/* A law of your own in a system of your own: friction that holds more in one direction.
 *
 *     v - a' in N_C(f),  f = K (a + beta a'),  C = [-Fb, Ff]      the fur of a ski, a ratchet
 *     =>   f = clip(K (a + beta v), -Fb, Ff),  a' = (f/K - a)/beta
 *
 * The procedure is that of docs/theory.md with an interval for the set: its projection is a clip.
 * m = 1 kg, Ff = 1 N forwards, Fb = 4 N backwards, K = 1e6 N/m, beta = 1 ms.
 *
 * Expected: thrown forwards with 2 m/s the body slides m v^2/(2 Ff) = 2 m, backwards 0.5 m. Pushed
 * with 3 N backwards it stands: the proxy p - a does not move. */
#include <drystone/drystone.h>

enum { P, V, A, N_STATES };
typedef struct body {
    double push, speed;
} body;
static const double mass = 1.0, K = 1e6, beta = 1e-3, forwards = 1.0, backwards = 4.0;

/* The law: a pure function of velocity and state. Stuck, a' is v to the last bit. */
static double fur(double v, double a, double *a_dot) {
    const double y = K * (a + beta * v);
    const double f = dry_max(-backwards, dry_min(y, forwards));
    *a_dot = f == y ? v : (f / K - a) / beta;
    return f;
}

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const body *b = env->model;
    (void)t, (void)tau;
    x_dot[P] = x[V];
    x_dot[V] = (b->push - fur(x[V], x[A], &x_dot[A])) / mass;
}

/* `rate` is smooth while neither of these changes its sign: an adaptive method looks for that. */
static void kinks(const dry_env *env, double t, const double *x, double *g) {
    (void)env, (void)t;
    g[0] = forwards - K * (x[A] + beta * x[V]);
    g[1] = backwards + K * (x[A] + beta * x[V]);
}

static void start(const dry_env *env, double t, double *x) {
    (void)t;
    x[P] = x[A] = 0.0, x[V] = ((const body *)env->model)->speed;
}

static dry_status run(body b, double *way, double *creep) {
    static const dry_quantity states[N_STATES] = {{"p", "m"}, {"v", "m/s"}, {"a", "m"}};
    const dry_system system = {.name = "fur",
                               .n_states = N_STATES,
                               .n_kinks = 2,
                               .states = states,
                               .model = &b,
                               .start = start,
                               .rate = rate,
                               .kinks = kinks};
    const dry_sim_options options = {.run = {.method = dry_method_find("dopri5"), .until = 3.0}};
    dry_sim_result result = {0};
    dry_error error = {0};
    const dry_status status = dry_sim_run(&system, &options, &result, &error);
    if (status == DRY_OK) {
        const dry_record *r = result.record;
        *way = dry_record_at(r, 0, 1 + P, 3.0);
        *creep = *way - dry_record_at(r, 0, 1 + A, 3.0) - dry_record_at(r, 0, 1 + P, 2.0) +
                 dry_record_at(r, 0, 1 + A, 2.0);
    } else {
        fprintf(stderr, "own_law: %s\n", error.text);
    }
    dry_record_free(result.record);
    return status;
}

int main(void) {
    double way, creep;
    if (run((body){.speed = 2.0}, &way, &creep) != DRY_OK) return 1;
    printf("forwards: %.4f m\n", way);
    if (run((body){.speed = -2.0}, &way, &creep) != DRY_OK) return 1;
    printf("backwards: %.4f m\n", way);
    if (run((body){.push = -3.0}, &way, &creep) != DRY_OK) return 1;
    printf("pushed: %.2e m, creep below 1e-15 m: %s\n", way, fabs(creep) < 1e-15 ? "yes" : "no");
    return 0;
}
