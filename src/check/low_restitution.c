/* low_restitution: a contact is asked for a restitution below the least that a contact with K,
 * alpha and beta is designed for (law.h, dry_tangent_design). As e falls, alpha/beta falls with it,
 * and the element is stiffer by beta/alpha while it is hit: the step would allow only a soft K.
 *
 *     e < dry_tangent_nearest(0): it bounces with that */
#include "check_private.h"

void dry_check_low_restitution(const dry_elab *elab) {
    const double least = dry_tangent_nearest(0.0);
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force *force = &elab->quantities.force[i];
        if (force->shared >= 0 || !force->set || dry_lang_is_friction(force)) continue;
        if (force->design.choice == DRY_GIVEN || !force->design.restitution_given) continue;
        if (force->design.restitution < least)
            DRY_SAY(elab->diag, force->at, LOW_RESTITUTION, force->name,
                    dry_diag_text(elab->diag, "%g", least),
                    dry_diag_text(elab->diag, "%.4g", force->design.restitution));
    }
}
