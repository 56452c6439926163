/* A stepper: a record of inputs is driven through a system, then the future is tried twice.
 *
 *     x' = v,  v' = gain u - f,  f in F sgn(v)        u: an input, held for 10 ms; F = 1, gain = 1
 *
 * The friction is relaxed with K = 1e6 and beta = 2 ms, by Runge-Kutta with 0.1 ms. In a text, the
 * input is a line of the model, and dry_model_system gives the system.
 *
 * Expected: u = 3 for 0.1 s gives v = 0.2 after 10 mm, and with u = 0 the body stops after
 * v^2/(2 F) = 20 mm more: 30 mm. From the saved instant with F = 4 it stops after 5 mm: 15 mm. */
#include <drystone/drystone.h>
#include <stdlib.h>

enum { X, V, U, A, N_STATES };
enum { LEVEL, GAIN, N_PAR };
enum { ROWS = 10 };
static const double K = 1e6, beta = 2e-3;

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    double f;
    (void)t;
    dry_friction(1, K, beta, tau, env->par[LEVEL], &x[V], &x[A], &f, &x_dot[A]);
    x_dot[X] = x[V];
    x_dot[V] = env->par[GAIN] * x[U] - f;
    x_dot[U] = 0.0; /* it is set from outside */
}

static void output(const dry_env *env, double t, double tau, const double *x, double *y) {
    (void)env, (void)t, (void)tau;
    y[0] = 1e3 * x[X];
}

static const dry_quantity states[] = {{"x", "m"}, {"v", "m/s"}, {"u", "N/kg"}, {"f.a", "m"}};
static const dry_quantity params[] = {{"F", "N/kg"}, {"gain", ""}};
static const dry_quantity outputs[] = {{"way", "mm"}};
static const double par[N_PAR] = {1.0, 1.0};
static const int inputs[] = {U};
static const dry_system body = {.name = "body",
                                .n_states = N_STATES,
                                .n_outputs = 1,
                                .n_par = N_PAR,
                                .n_inputs = 1,
                                .inputs = inputs,
                                .states = states,
                                .outputs = outputs,
                                .params = params,
                                .par = par,
                                .rate = rate,
                                .output = output};

/* Rows in, rows out: ten inputs of 10 ms each. */
static dry_status push(dry_stepper *s, dry_error *error) {
    double u[ROWS], way[ROWS];
    for (int k = 0; k < ROWS; k++) u[k] = 3.0;
    const dry_stepper_rows rows = {.rows = ROWS, .interval = 0.01, .inputs = u, .outputs = way};
    const dry_status status = dry_stepper_run(s, &rows, NULL, error);
    if (status == DRY_OK) printf("pushed: %.2f mm\n", way[ROWS - 1]);
    return status;
}

/* Lets go, and steps until the body rests. */
static dry_status let_go(dry_stepper *s, double level, dry_error *error) {
    double way = 0.0;
    dry_status status = dry_stepper_set_input(s, 0, 0.0, error);
    if (status == DRY_OK) status = dry_stepper_set_par_named(s, "F", level, error);
    do {
        if (status == DRY_OK) status = dry_stepper_step(s, error);
    } while (status == DRY_OK && dry_stepper_states(s)[V] > 1e-6);
    if (status == DRY_OK) status = dry_stepper_outputs(s, &way, error);
    if (status == DRY_OK) printf("with F = %.0f: %.1f mm\n", level, way);
    return status;
}

static dry_status try_twice(dry_stepper *s, dry_error *error) {
    const size_t size = dry_stepper_save_size(s);
    void *saved = malloc(size);
    if (!saved) return DRY_NO_MEMORY;
    dry_status status = push(s, error);
    if (status == DRY_OK) status = dry_stepper_save(s, saved, size, error);
    if (status == DRY_OK) status = let_go(s, 1.0, error);
    if (status == DRY_OK) status = dry_stepper_restore(s, saved, size, error);
    if (status == DRY_OK) status = let_go(s, 4.0, error);
    free(saved);
    return status;
}

int main(void) {
    const dry_run_options run = {.method = dry_method_find("rk4"), .step = 1e-4};
    dry_stepper *s = NULL;
    dry_error error = {0};
    dry_status status = dry_stepper_new(&body, &run, &s, &error);
    if (status == DRY_OK) status = try_twice(s, &error);
    if (status != DRY_OK) fprintf(stderr, "stepper: %s: %s\n", dry_status_text(status), error.text);
    dry_stepper_free(s);
    return status != DRY_OK;
}
