/* design, for the rooms above: what a model leaves open is chosen here, from the effective mass,
 * the step and the method.
 *
 *   who                     when                    from what
 *   dry_design_parts        the net is built        stiffest motion, inertia of the ends, step
 *   dry_design_forces       masses are known        effective mass, step, row of the method
 *   dry_design_follow_mass  after that              how the mass changes with the motion
 *   dry_design_soften       the step does not fit   all of it by one factor */
#ifndef DRY_DESIGN_DESIGN_H
#define DRY_DESIGN_DESIGN_H

#include "effective_mass.h"
#include "friction_design.h"
#include "lang/lang.h"

#include <drystone/design.h>

/* part_design.c: lets parts choose what they leave open, for the step of the run. */
void dry_design_parts(dry_elab *elab);

/* ---- force_design.c ------------------------------------------------------------------ */

/* K, beta and alpha that were left out. */
void dry_design_forces(dry_elab *elab);
/* Divides the K of chosen elements by `factor`; returns false if there are none. */
bool dry_design_soften(dry_elab *elab, double factor, bool contacts);
/* The restitution that the text asks of a contact: given, or that of its K, alpha, beta on the
 * effective mass, or the one where nothing is said. */
double dry_design_restitution(const dry_elab *elab, const dry_force *force);
/* About how long an impact will last, s, as far as it follows from the text and the step. */
double dry_design_impact_time(const dry_elab *elab, const dry_force *force);
/* The step that K, beta and alpha are chosen for, s. */
double dry_design_time_scale(const dry_elab *elab);
/* The step that a run with fixed steps takes, given or not; NaN if its length is not known. */
double dry_design_run_step(const dry_elab *elab);

/* follow_mass.c: chosen K of masses that change: lets them follow, or watches them.
 * dry_design_follow_start computes the W0 of those that follow, for other values of parameters.
 * dry_design_watches_mass returns true if the run must watch one. */
void dry_design_follow_mass(dry_elab *elab);
void dry_design_follow_start(dry_elab *elab);
bool dry_design_watches_mass(const dry_elab *elab);

#endif
