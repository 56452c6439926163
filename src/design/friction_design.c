/* friction_design: chooses K and beta of a friction element from the mass, the step and the row of
 * a method. */
#include "design.h"

#include <math.h>

static bool positive(double x) { return x > 0.0 && x < (double)INFINITY; }

dry_status dry_friction_from_step(const dry_method *method, double mass, double step,
                                  dry_friction_choice *choice) {
    if (!method || !positive(method->kappa) || !positive(mass) || !positive(step))
        return DRY_BAD_ARGUMENT;
    choice->K = method->kappa * mass / (step * step);
    choice->beta = method->relax * step;
    return DRY_OK;
}
