/* design: K and beta of a friction element, from the mass and the step of a method. */
#include "lang/design.h"

#include <math.h>
#include <string.h>

static bool positive(double x) { return x > 0.0 && x < (double)INFINITY; }

/* kappa = K T^2/m and beta/T for each method: two such elements on one body are still stable.
 *   euler          stuck: kappa (2 beta/T - 1) <= 4, here 4/3;  a mode is multiplied by 0.63
 *   heun           stuck: kappa <= 4 at beta = T (R = (1 - kappa/2)(1 + z));           by 0.1
 *   rk4            stuck: kappa <= 7.758/(2.785 beta/T - 1) = 4.35;                    by 0.37
 *   rk4-tau        as rk4 with beta + 3/4 T
 *   semi-implicit  stuck: kappa (1 + 2 beta/T) <= 4, here 2 (KY08 (14));               by 0.74
 *   dopri5, dop853, rodas4, cvode  T is a time scale to be resolved, damping ratio 0.71 */
static const struct {
    const char *method;
    double kappa, beta;
} friction_rows[] = {
    {"euler", 0.6, 2.0},    {"heun", 1.8, 1.0},          {"rk4", 2.0, 1.0},
    {"rk4-tau", 2.0, 0.25}, {"semi-implicit", 0.9, 0.5}, {"dopri5", 2.0, 1.0},
    {"dop853", 2.0, 1.0},   {"rodas4", 2.0, 1.0},        {"cvode", 2.0, 1.0},
};

dry_status dry_friction_from_step(const char *method, double mass, double step,
                                  dry_friction_choice *choice) {
    if (!positive(mass) || !positive(step)) return DRY_BAD_ARGUMENT;
    for (size_t i = 0; i < sizeof friction_rows / sizeof friction_rows[0]; i++) {
        if (strcmp(friction_rows[i].method, method) != 0) continue;
        choice->K = friction_rows[i].kappa * mass / (step * step);
        choice->beta = friction_rows[i].beta * step;
        return DRY_OK;
    }
    return DRY_BAD_ARGUMENT;
}
