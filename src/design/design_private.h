/* design, inside the room. */
#ifndef DRYSTONE_DESIGN_PRIVATE_H
#define DRYSTONE_DESIGN_PRIVATE_H

#include <drystone/design.h>
#include <string.h>

/* joint_design.c: chooses all joints; false without memory. */
bool dry_design__joints(dry_net *net, const dry_response *response, double omega);

/* meeting.c: what meets in the contact that is part number `part`; h: how long an impact lasts, s.
 * False without memory. */
bool dry_design__meeting(const dry_net *net, const dry_response *response, int part, double h,
                         dry_meeting *meeting);

/* contact_design.c: dry_pace.contact. */
void dry_design__contact(dry_pace *pace, double restitution, double mass, double K, double slower,
                         dry_contact_choice *choice);

#endif
