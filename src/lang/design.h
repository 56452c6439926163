/* design: K, beta and alpha of contact and friction elements from what a user wants of them.
 *
 * One impact of the contact element (X13 (24), (25)) on a mass m with speed v:
 *   omega0 = sqrt(K/m), 1/s     b = beta omega0     rho = alpha/beta     G = g/(v omega0)
 * The rebound is a sum of three exponentials; the coefficient of restitution (COR) depends on
 * (b, rho, G) alone. Tangent design: the rho whose COR has its minimum over b at the wanted value;
 * there the COR is insensitive to m, K and beta. */
#ifndef DRYSTONE_LANG_DESIGN_H
#define DRYSTONE_LANG_DESIGN_H

#include <drystone/core.h>
#include <drystone/ode.h>

/* ---- contact ----------------------------------------------------------------------- */

/* One impact, in units of m, v and omega0. */
typedef struct dry_impact {
    double restitution; /* speed at release / speed at touch-down */
    double depth;       /* D: greatest depth * omega0/v */
    double duration;    /* tau_c: contact time * omega0 */
    double force;       /* greatest force / (m v omega0) */
    double residual;    /* depth at release, scaled like depth */
} dry_impact;

/* The exact impact, with a constant force m g pressing on: G = g/(v omega0) >= 0.
 * DRY_BAD_ARGUMENT outside 0 < rho <= 1, b > 0, G >= 0, where the element is faster than 1e7
 * omega0, or where there is no rebound: the mass does not rise above the surface again. The ratio
 * of the heights after and before is restitution^2 - 2 G residual. */
dry_status dry_impact_of(double b, double rho, double G, dry_impact *impact);

typedef struct dry_tangent {
    double rho, b, depth, duration; /* depth and duration scaled as in dry_impact, at G = 0 */
} dry_tangent;

/* The rho whose COR has its minimum over b equal to `restitution`, to 1e-9.
 * 0.03 <= restitution <= 0.999, or 1 (rho = 1); else DRY_BAD_ARGUMENT. */
dry_status dry_tangent_design(double restitution, dry_tangent *design);
/* The nearest restitution that has one. */
double dry_tangent_nearest(double restitution);

typedef struct dry_contact_choice {
    double K;           /* N/m */
    double alpha, beta; /* s */
} dry_contact_choice;

/* Tangent designs: omega0 follows from the greatest depth (m) at an impact speed (m/s), from the
 * contact time (s), from K (N/m), or from the step (s): `steps_per_contact` steps in one contact,
 * or more where the bound of RK4, T max(sqrt(K beta/(alpha m)), 1/alpha) <= 2.5, asks for it. RK4
 * then errs by up to 0.5/steps^2 in the COR: 24 steps keep 1e-3 whatever the phase of the step; a
 * whole number gives both kinks the same phase, their errors cancel, and 8 are enough for this
 * mass. Methods with fixed steps whose mean error is larger than 1e-4 (by 0.1 with Euler) get the
 * tangent design of another restitution, with which the mean is right, where there is one; an
 * adaptive or unknown method, or none (NULL), is exact. `mass` is the effective mass 1/(J M^-1
 * J^T), kg. */
dry_status dry_contact_from_depth(double restitution, double mass, double depth, double speed,
                                  dry_contact_choice *choice);
dry_status dry_contact_from_duration(double restitution, double mass, double duration,
                                     dry_contact_choice *choice);
dry_status dry_contact_from_stiffness(double restitution, double mass, double K,
                                      dry_contact_choice *choice);
dry_status dry_contact_from_step(const char *method, double restitution, double mass, double step,
                                 double steps_per_contact, dry_contact_choice *choice);

/* The COR of an element that is given; 0 where the mass does not rise above the surface again. */
double dry_contact_restitution(const dry_contact_choice *contact, double mass);

/* rebound.c: its COR by steps of a method with fixed steps, the mean over the phases of the step
 * at the touch-down; NaN where the method breaks down. */
double dry_contact_rebound(const dry_contact_choice *contact, const dry_method *method, double mass,
                           double step);

/* ---- friction ---------------------------------------------------------------------- */

typedef struct dry_friction_choice {
    double K;    /* N/m */
    double beta; /* s */
} dry_friction_choice;

/* A stiff pair that `method` integrates with a margin at this step (s); adaptive methods take a
 * time scale in place of the step. DRY_BAD_ARGUMENT for an unknown method. */
dry_status dry_friction_from_step(const char *method, double mass, double step,
                                  dry_friction_choice *choice);

#endif
