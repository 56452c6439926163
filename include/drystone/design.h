/* design: how K, alpha and beta of joints and contacts are chosen.
 *
 *     joints    from how their two ends respond to a force, and the frequency omega that the step
 *               bears: nothing swings faster (joint_design.c; part.h, choose_joint)
 *     contacts  from the masses that meet, the restitution, the steps of the method and what
 *               presses at the start (meeting.c, contact_design.c, impact.c; part.h,
 *               choose_contact)
 *
 * Contacts are chosen after joints, because joints hold bodies together while an impact lasts. What
 * the keys of a part give stays as it is.
 *
 * Floor 2: core, base, math, law, ode, net. */
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

/* Chooses for 500 rad/s, which semi-implicit steps of 1.3 ms and RK4's of 5 ms integrate: what you
 * put into dry_net_options.choose. DRY_NO_MEMORY. */
DRY_API dry_status dry_design_net(dry_net *net);
/* Chooses anew in a net that is a system, for motions of at most omega, rad/s, exact integration
 * and a step of 0.5/omega. DRY_NO_MEMORY; DRY_BAD_ARGUMENT unless omega is positive and finite. */
DRY_API dry_status dry_design_at(dry_net *net, double omega);
/* The same for the pace of a run: joints by its omega, contacts by all of it. DRY_BAD_ARGUMENT also
 * if its method was not found. */
DRY_API dry_status dry_design_for(dry_net *net, const dry_pace *pace);

/* ---- contacts for the steps of a method --------------------------------------- */

/* The COR of a contact (law.h) by steps of a method with fixed steps, the mean over the phases of
 * the step at the touch-down; NaN if the method breaks down. */
DRY_API double dry_contact_rebound(const dry_contact_choice *contact, const dry_method *method,
                                   double mass, double step);
/* As dry_contact_resolved; a method with fixed steps whose mean error is larger than 1e-4 (by 0.1
 * with Euler) gets, if there is one with which the mean is right, that design with alpha and beta
 * shorter by a share of the step, if its stages make them longer, or else the tangent design of
 * another restitution. An adaptive or unknown method, or none (NULL), is exact, and so is an impact
 * of more than a thousand steps. */
DRY_API dry_status dry_contact_from_step(const char *method, double restitution, double mass,
                                         double step, double steps_per_contact,
                                         dry_contact_choice *choice);
/* The same of a given stiffness K. */
DRY_API dry_status dry_contact_by_step(const char *method, double restitution, double mass,
                                       double K, double step, dry_contact_choice *choice);

#ifdef __cplusplus
}
#endif
#endif
