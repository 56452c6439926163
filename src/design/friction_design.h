/* friction_design: chooses K and beta of friction elements; law.h and design.h choose contacts. */
#ifndef DRY_DESIGN_FRICTION_DESIGN_H
#define DRY_DESIGN_FRICTION_DESIGN_H

#include <drystone/core.h>
#include <drystone/ode.h>

typedef struct dry_friction_choice {
    double K;    /* N/m */
    double beta; /* s */
} dry_friction_choice;

/* Chooses a stiff pair that `method` integrates with a margin at this step (s); adaptive methods
 * use a time scale instead of the step. Returns DRY_BAD_ARGUMENT if the row of the method has no
 * values for the choice. */
dry_status dry_friction_from_step(const dry_method *method, double mass, double step,
                                  dry_friction_choice *choice);

#endif
