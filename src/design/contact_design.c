/* contact_design: chooses K, alpha and beta of a part's contact that its keys leave open, for the
 * steps of a run (part.h, dry_pace).
 *
 * K: N/m (N m/rad); alpha, beta: s; below 0 or 0: not given. */
#include "design_private.h"
#include <math.h>

/* The contact for a mass of 1; it is kept, because the next part usually needs the same. */
static dry_status unit_contact(dry_pace *pace, const dry_pace_wish *wish) {
    const char *method = pace->method ? pace->method->name : NULL;
    return wish->K > 0.0 ? dry_contact_by_step(method, wish->restitution, 1.0, wish->K, pace->step,
                                               &pace->unit)
                         : dry_contact_from_step(method, wish->restitution, 1.0, pace->step,
                                                 DRY_IMPACT_STEPS * wish->slower, &pace->unit);
}

void dry_design__contact(dry_pace *pace, double restitution, double mass, double K, double slower,
                         dry_contact_choice *choice) {
    const double e = restitution < 0.0 ? DRY_PLAIN_RESTITUTION : restitution;
    const bool given = K > 0.0 && isfinite(K / mass) && K / mass > 0.0;
    const dry_pace_wish wish = {dry_tangent_nearest(e), given ? K / mass : 0.0, slower};
    if (memcmp(&wish, &pace->wish, sizeof wish) != 0) {
        const dry_status status = unit_contact(pace, &wish);
        DRY_ASSERT(status == DRY_OK);
        pace->wish = status == DRY_OK ? wish : (dry_pace_wish){0};
    }
    *choice = pace->unit;
    choice->K = K > 0.0 ? K : choice->K * mass;
}
