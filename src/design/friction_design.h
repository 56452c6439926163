/* design: K and beta of friction elements from what a user wants of them; those of contacts are in
 * law.h and net.h. */
#ifndef DRY_DESIGN_FRICTION_DESIGN_H
#define DRY_DESIGN_FRICTION_DESIGN_H

#include <drystone/core.h>
#include <drystone/ode.h>

typedef struct dry_friction_choice {
    double K;    /* N/m */
    double beta; /* s */
} dry_friction_choice;

/* A stiff pair that `method` integrates with a margin at this step (s); adaptive methods take a
 * time scale in place of the step. DRY_BAD_ARGUMENT for a method that has nothing chosen for it. */
dry_status dry_friction_from_step(const dry_method *method, double mass, double step,
                                  dry_friction_choice *choice);

#endif
