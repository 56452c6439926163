/* A controller of your own, sampled at 1 kHz, on a plant that is a .dry text.
 *
 *     m v' = u - f,  f in F sgn(v)        plant, by Runge-Kutta with 0.1 ms
 *     u = Kp (goal - x) - Kd v            controller, held for 1 ms, at most 20 N
 *
 * The controller hands u to the plant as the parameter `u`. A system reads its parameters when an
 * integration begins, so each sample begins a new one from the state of the last.
 *
 * Expected: a proportional controller cannot end the stick of the last millimetres. The slide rests
 * with an error of at most F/Kp = 2 mm, and u is then between -F and F. */
#include <drystone/drystone.h>
#include <stdlib.h>

static const char text[] = "param m = 2 [kg], F = 4 [N], u = 0 [N]\n"
                           "state x = 0 [m], v = 0 [m/s]\n"
                           "f in F*sgn(v) with K = 1e6 [N/m], beta = 1 [ms]\n"
                           "x' = v\n"
                           "m*v' = u - f\n"
                           "run until = 1 [s], step = 0.1 [ms]\n";

static const double goal = 0.1, Kp = 2000.0, Kd = 90.0, most = 20.0, sample = 1e-3;
enum { X, V, MOST_STATES = 8, SAMPLES = 2000 }; /* states have the order of the text */

static double control(const double *x) {
    const double u = Kp * (goal - x[X]) - Kd * x[V];
    return dry_max(-most, dry_min(u, most));
}

static dry_status loop(const dry_system *system, double *u, double *par, void *scratch,
                       double *work, double *x) {
    const dry_method *rk4 = dry_method_find("rk4");
    const dry_ode_options options = {.step = 1e-4};
    dry_status status = DRY_OK;
    for (int k = 0; k < SAMPLES && status == DRY_OK; k++) {
        dry_ode ode;
        *u = control(x);
        status = dry_ode_init(&ode, system, rk4, &options, par, k * sample, x, scratch, work);
        if (status == DRY_OK) status = dry_ode_advance(&ode, (k + 1) * sample);
        memcpy(x, ode.x, (size_t)system->n_states * sizeof *x);
    }
    return status;
}

int main(void) {
    dry_model *model = dry_model_compile("slide.dry", text, sizeof text - 1, NULL);
    if (!model || !dry_model_ok(model)) return 1;
    const dry_system *system = dry_model_system(model);
    const int u = dry_model_par_find(model, "u");
    if (!dry_model_par_free(model, u) || system->n_states > MOST_STATES) return 1;

    double x[MOST_STATES] = {0.0}; /* x, v, and the stretch of the friction */
    double *par = malloc((size_t)system->n_par * sizeof *par);
    double *work = malloc(dry_ode_size(system, dry_method_find("rk4")) * sizeof *work);
    void *scratch = malloc(system->work_size + 1);
    dry_status status = par && work && scratch ? DRY_OK : DRY_NO_MEMORY;
    if (status == DRY_OK) {
        memcpy(par, system->par, (size_t)system->n_par * sizeof *par);
        status = loop(system, &par[u], par, scratch, work, x);
    }
    if (status == DRY_OK) {
        printf("off by: %.3f mm, at most %.3f mm\n", 1e3 * (goal - x[X]), 1e3 * 4.0 / Kp);
        printf("force of the controller: %.3f N\n", par[u]);
        printf("at rest: %s\n", fabs(x[V]) < 1e-9 ? "yes" : "no");
    } else {
        fprintf(stderr, "controller: %s\n", dry_status_text(status));
    }
    free(par), free(work), free(scratch);
    dry_model_free(model);
    return status != DRY_OK;
}
