/* net_design: chooses what the parts of a net leave open, joints first, then contacts (design.h).
 */
#include "design_private.h"
#include <math.h>

static const double STANDARD = 500.0; /* rad/s */
static const double ANY_METHOD = 0.5; /* omega T */

static bool is_pace(const dry_pace *pace) {
    return pace->omega > 0.0 && isfinite(pace->omega) && pace->step > 0.0 && isfinite(pace->step);
}

/* ---- contacts ----------------------------------------------------------- */

static bool has_contacts(const dry_net *net) {
    const char *name;
    for (int i = 0; i < dry_net_part_count(net); i++)
        if (dry_part_is_contact(dry_net_part_at(net, i, &name))) return true;
    return false;
}

static bool choose_contact(dry_net *net, const dry_response *response, int part, dry_pace *pace) {
    const char *name;
    const dry_part *self = dry_net_part_at(net, part, &name);
    double *par = dry_net_own_par(net, part);
    const dry_wrong *wrong;
    dry_meeting meeting;
    dry_net_press press = {0};
    if (!dry_part_is_contact(self) || !self->design->is_open(self, par, &wrong)) return true;
    if (!dry_design__meeting(net, response, part, DRY_IMPACT_STEPS * pace->step, &meeting))
        return false;
    self->design->choose_contact(self, &meeting, pace, par, &press);
    return dry_net_note_press(net, part, &press);
}

static bool choose_contacts(dry_net *net, dry_response *response, dry_pace *pace) {
    if (!has_contacts(net)) return true;
    bool fits = dry_response_load(response, pace->pushes, DRY_IMPACT_STEPS * pace->step);
    for (int i = 0; fits && i < dry_net_part_count(net); i++)
        fits = choose_contact(net, response, i, pace);
    return fits;
}

/* ---- all of it ---------------------------------------------------------- */

dry_status dry_design_for(dry_net *net, const dry_pace *pace) {
    dry_pace own = *pace;
    own.contact = dry_design__contact;
    if (!is_pace(pace) || pace->method == dry_method_missing()) return DRY_BAD_ARGUMENT;
    if (!dry_net_reopen(net)) return DRY_OK;
    dry_response *response = dry_response_new(net);
    const bool fits = response && dry_design__joints(net, response, pace->omega) &&
                      choose_contacts(net, response, &own);
    dry_response_free(response);
    return fits ? DRY_OK : DRY_NO_MEMORY;
}

dry_status dry_design_at(dry_net *net, double omega) {
    return dry_design_for(net, &(dry_pace){.omega = omega, .step = ANY_METHOD / omega});
}

dry_status dry_design_net(dry_net *net) { return dry_design_at(net, STANDARD); }
