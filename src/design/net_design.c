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

/* A pace that hears which restitution a part asks for. */
typedef struct asking {
    dry_pace pace;
    double restitution; /* below 0: none, or not given */
} asking;

static void hear(dry_pace *pace, double restitution, double mass, double K, double slower,
                 dry_contact_choice *choice) {
    ((asking *)pace)->restitution = restitution;
    dry_design__contact(pace, restitution, mass, K, slower, choice);
}

static void remark(dry_net *net, const char *name, double asked) {
    const double least = dry_tangent_nearest(0.0);
    if (asked >= 0.0 && asked < least)
        dry_net_remark(net,
                       "%s bounces with the restitution %g, not %.4g: %g is the least for which K, "
                       "alpha and beta are chosen; give %g or more, or K, alpha and beta",
                       name, least, asked, least, least);
}

static bool choose_contact(dry_net *net, const dry_response *response, int part, asking *by) {
    const char *name;
    const dry_part *self = dry_net_part_at(net, part, &name);
    double *par = dry_net_own_par(net, part);
    const dry_wrong *wrong;
    dry_pace *pace = &by->pace;
    dry_meeting meeting;
    dry_net_press press = {0};
    if (!dry_part_is_contact(self) || !self->design->is_open(self, par, &wrong)) return true;
    if (!dry_design__meeting(net, response, part, DRY_IMPACT_STEPS * pace->step, &meeting))
        return false;
    by->restitution = -1.0;
    self->design->choose_contact(self, &meeting, pace, par, &press);
    remark(net, name, by->restitution);
    return dry_net_note_press(net, part, &press);
}

static bool choose_contacts(dry_net *net, dry_response *response, asking *by) {
    if (!has_contacts(net)) return true;
    const dry_pace *pace = &by->pace;
    bool fits = dry_response_load(response, pace->pushes, DRY_IMPACT_STEPS * pace->step);
    for (int i = 0; fits && i < dry_net_part_count(net); i++)
        fits = choose_contact(net, response, i, by);
    return fits;
}

/* ---- all of it ---------------------------------------------------------- */

dry_status dry_design_for(dry_net *net, const dry_pace *pace) {
    asking own = {.pace = *pace};
    own.pace.contact = hear;
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
