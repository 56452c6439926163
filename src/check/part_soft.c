/* part_soft: reports contacts that the loads at the start would press in too far, if K was chosen
 * from the masses and the step (net.h, dry_net_press).
 *
 *     depth = load/K > SHARE of the thinnest shape: too soft, as stiff as the step allows
 *
 * K is chosen like 1/T^2, so that a step of T (K_alone/K_wanted)^(1/2) is short enough. load: on
 * one point, N; depth: m; T: step, s. */
#include "check_private.h"

#include <math.h>

static const double SHARE = 0.125;

static const char *in_short(const dry_elab *elab, double x) {
    return dry_diag_text(elab->diag, "%.3g", x);
}

/* Prints x with two digits, rounded down. */
static const char *step_below(const dry_elab *elab, double x) {
    const double unit = dry_pow(10.0, floor(dry_log10(x)) - 1.0);
    return dry_diag_text(elab->diag, "%.2g", unit * floor(x / unit));
}

static void say(const dry_elab *elab, const char *name, const dry_net_press *p) {
    const double depth = p->load / p->K, T = dry_design_time_scale(elab);
    const char *step = step_below(elab, T * sqrt(p->K_alone / p->K_wanted));
    const dry_place at = dry_lang_run_place(elab);
    if (depth > SHARE * p->thinnest)
        DRY_SAY(elab->diag, at, SOFT_CONTACT, name, in_short(elab, p->K), in_short(elab, p->load),
                in_short(elab, depth), in_short(elab, p->thinnest), step,
                in_short(elab, p->K_wanted), in_short(elab, DRY_SINKS * p->thinnest));
}

void dry_check_softness(const dry_elab *elab) {
    for (int i = 0; i < dry_net_part_count(elab->scene.net); i++) {
        const char *name;
        dry_net_press press;
        (void)dry_net_part_at(elab->scene.net, i, &name);
        if (dry_net_press_at(elab->scene.net, i, &press)) say(elab, name, &press);
    }
}
