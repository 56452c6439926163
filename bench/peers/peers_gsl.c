/* What does an error of 1e-8 cost here, and with the explicit methods of the GNU Scientific
 * Library?
 *
 * rk8pd is Prince and Dormand's pair of order 8, the method of our dop853's family. The library has
 * no dense output: to find its error it stops at the sample times. Links GPL code, and is no part
 * of the product. */
#include "peers.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

typedef struct solver {
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver;
    double *x;
} solver;

enum { RK8PD, RKF45, RKCK };

static const gsl_odeiv2_step_type *type_of(int choice) {
    const gsl_odeiv2_step_type *const types[] = {gsl_odeiv2_step_rk8pd, gsl_odeiv2_step_rkf45,
                                                 gsl_odeiv2_step_rkck};
    return types[choice];
}

static int rate(double t, const double x[], double x_dot[], void *data) {
    equations_rate(data, t, x, x_dot);
    return GSL_SUCCESS;
}

static void *begin(const peer *of, equations *e, double tolerance, double *x) {
    solver *s = malloc(sizeof *s);
    must(s != NULL, "no memory");
    s->system = (gsl_odeiv2_system){rate, NULL, (size_t)e->system->n_states, e};
    s->driver =
        gsl_odeiv2_driver_alloc_y_new(&s->system, type_of(of->choice), 1e-4, tolerance, tolerance);
    must(s->driver != NULL, "no memory");
    s->x = x;
    return s;
}
static bool restart(void *data, double t) {
    const solver *s = data;
    (void)t;
    return gsl_odeiv2_driver_reset(s->driver) == GSL_SUCCESS;
}
static bool go(void *data, double *t, double to, double stop) {
    const solver *s = data;
    (void)stop;
    return gsl_odeiv2_driver_apply(s->driver, t, to, s->x) == GSL_SUCCESS;
}
static void end(void *data) {
    solver *s = data;
    gsl_odeiv2_driver_free(s->driver);
    free(s);
}

int main(int argc, char **argv) {
    static const peer peers[] = {{"GSL rk8pd", RK8PD, begin, restart, go, end},
                                 {"GSL rkf45", RKF45, begin, restart, go, end},
                                 {"GSL rkck", RKCK, begin, restart, go, end}};
    gsl_set_error_handler_off();
    return compare_with(argc, argv, peers, sizeof peers / sizeof peers[0]);
}
