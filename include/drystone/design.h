/* design: chooses K, alpha and beta of joints and contacts.
 *
 *     joints    from how their two ends respond to a force, and the frequency omega that the step
 *               bears: nothing swings faster (joint_design.c; part.h, choose_joint)
 *     contacts  from the masses that meet, the restitution, the steps of the method and what
 *               presses at the start (meeting.c, contact_design.c, impact.c; part.h,
 *               choose_contact)
 *
 * Contacts are chosen after joints, because joints hold bodies together during an impact. Values
 * that the keys of a part give stay unchanged.
 *
 * Floor 3: core, base, math, law, ode, stability, graph, net, lang. */
#ifndef DRYSTONE_DESIGN_H
#define DRYSTONE_DESIGN_H

#include <drystone/core.h>
#include <drystone/law.h>
#include <drystone/net.h>
#include <drystone/ode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a net ------------------------------------------------------------------ */

/* Chooses for 500 rad/s, which semi-implicit steps of 1.3 ms and RK4 steps of 5 ms can integrate.
 * Pass it as dry_net_options.choose. Returns DRY_OK or DRY_NO_MEMORY. */
DRY_API dry_status dry_design_net(dry_net *net);
/* Chooses again in a net that is a system already, for motions of at most omega, rad/s, exact
 * integration and a step of 0.5/omega. Returns DRY_NO_MEMORY, or DRY_BAD_ARGUMENT unless omega is
 * positive and finite. */
DRY_API dry_status dry_design_at(dry_net *net, double omega);
/* The same for the pace of a run: joints use its omega, contacts all of it. DRY_BAD_ARGUMENT also
 * if its method was not found. */
DRY_API dry_status dry_design_for(dry_net *net, const dry_pace *pace);

/* ---- contacts for the steps of a method --------------------------------------- */

/* The COR of a contact (law.h) when a method integrates it with fixed steps: the mean over the
 * phases of the step at touch-down; NaN if the method fails. */
DRY_API double dry_contact_rebound(const dry_contact_choice *contact, const dry_method *method,
                                   double mass, double step);
/* As dry_contact_resolved, corrected for a method with fixed steps whose mean COR is wrong by more
 * than 1e-4 (by 0.1 with Euler). If the stages of the method lengthen alpha and beta, the
 * correction shortens both by a share of the step; else it takes the tangent design of another
 * restitution. No correction is made if none gives the right mean. An adaptive or unknown method,
 * or none (NULL), counts as exact, and so does an impact of more than a thousand steps. */
DRY_API dry_status dry_contact_from_step(const char *method, double restitution, double mass,
                                         double step, double steps_per_contact,
                                         dry_contact_choice *choice);
/* The same for a given stiffness K. */
DRY_API dry_status dry_contact_by_step(const char *method, double restitution, double mass,
                                       double K, double step, dry_contact_choice *choice);

#ifdef __cplusplus
}
#endif
#endif
