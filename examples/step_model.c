/* Compiles a .dry text and steps it: reads a state and a force at each sample, sets a parameter.
 *
 *     m v' = -f,  f in mu m g sgn(v),  v(0) = v0     a puck slides until it stops
 *
 * The program allocates nothing after dry_ode_init. Expected: the puck stops after the way
 * v0^2/(2 mu g): 0.254842 m with the text's v0 = 1 m/s and mu = 0.2, 1.019368 m with v0 = 2 m/s,
 * 0.127421 m with mu = 0.4. */
#include <drystone/drystone.h>
#include <stdlib.h>

static const char text[] = "param m = 0.5 [kg], g = 9.81 [m/s^2], mu = 0.2, v0 = 1 [m/s]\n"
                           "state x = 0 [m], v = v0\n"
                           "f in mu*m*g*sgn(v) with K = 1e6 [N/m], beta = 1 [ms]\n"
                           "x' = v\n"
                           "m*v' = -f\n"
                           "run until = 1 [s], step = 0.1 [ms]\n";

static int find(const dry_quantity *names, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i].name, name) == 0) return i;
    return -1;
}

/* What an integration needs; all of it is yours, and outlives the dry_ode. */
typedef struct memory {
    double *par, *work, *outputs;
    void *scratch;
} memory;

static memory take(const dry_system *system, const dry_method *method) {
    const size_t number = sizeof(double);
    return (memory){.par = malloc(((size_t)system->n_par + 1) * number),
                    .work = malloc((dry_ode_size(system, method) + 1) * number),
                    .outputs = malloc(((size_t)system->n_outputs + 1) * number),
                    .scratch = malloc(system->work_size + 1)};
}

static void give_back(memory m) { free(m.par), free(m.work), free(m.outputs), free(m.scratch); }

static dry_status slide(const dry_system *system, memory m) {
    const dry_method *rk4 = dry_method_find("rk4");
    const dry_ode_options options = {.step = 1e-4};
    const int x = find(system->states, system->n_states, "x");
    const int v = find(system->states, system->n_states, "v");
    const int f = find(system->outputs, system->n_outputs, "f");
    dry_ode ode;
    dry_status status =
        dry_ode_init(&ode, system, rk4, &options, m.par, 0.0, NULL, m.scratch, m.work);
    for (int k = 1; k <= 4 && status == DRY_OK; k++) {
        status = dry_ode_advance(&ode, 0.3 * k); /* to this time exactly */
        system->output(&ode.env, ode.t, 0.0, ode.x, m.outputs);
        printf("t = %.1f s, v = %.4f m/s, f = %.4f N\n", ode.t, fabs(ode.x[v]), fabs(m.outputs[f]));
    }
    if (status == DRY_OK) printf("way: %.6f m\n", ode.x[x]);
    return status;
}

/* v0 is free: the compiler has decided nothing by it, so you can change it without compiling. */
static dry_status slide_with_speed(const dry_model *model, memory m, double speed) {
    const dry_system *system = dry_model_system(model);
    const int v0 = dry_model_par_find(model, "v0");
    memcpy(m.par, system->par, (size_t)system->n_par * sizeof(double));
    m.par[v0] = speed;
    dry_model_par_follow(model, m.par); /* parameters that the text defines by others */
    if (!dry_model_par_free(model, v0) || !dry_model_par_passes(model, m.par))
        return DRY_BAD_ARGUMENT;
    return slide(system, m);
}

/* mu is not free, because a level must not be negative: compile anew. */
static dry_model *compile(double mu) {
    const dry_setting setting = {.name = "mu", .value = mu};
    const dry_model_options options = {.settings = &setting, .n_settings = 1};
    return dry_model_compile("puck.dry", text, sizeof text - 1, &options);
}

static dry_status run(double mu, double speed) {
    dry_model *model = compile(mu);
    dry_status status = model && dry_model_ok(model) ? DRY_OK : DRY_BAD_MODEL;
    if (status == DRY_OK) {
        const memory m = take(dry_model_system(model), dry_method_find("rk4"));
        const bool taken = m.par && m.work && m.outputs && m.scratch;
        printf("mu = %.1f, v0 = %.0f m/s\n", mu, speed);
        status = taken ? slide_with_speed(model, m, speed) : DRY_NO_MEMORY;
        give_back(m);
    }
    dry_model_free(model);
    return status;
}

int main(void) {
    dry_status status = run(0.2, 1.0);
    if (status == DRY_OK) status = run(0.2, 2.0);
    if (status == DRY_OK) status = run(0.4, 1.0);
    if (status != DRY_OK) fprintf(stderr, "step_model: %s\n", dry_status_text(status));
    return status != DRY_OK;
}
