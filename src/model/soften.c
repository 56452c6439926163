/* soften: makes chosen elements softer until the model fits its step. */
#include "model_private.h"

#include <math.h>

/* If several elements act together, the K of chosen elements is divided by SOFTER^k, k <=
 * MOST_SOFTER (1.4e6). */
enum { MOST_SOFTER = 74 };
static const double SOFTER = 1.21;

/* Finds the smallest k by bisection, for the frictions alone or for the contacts too. If no k is
 * sufficient, restores all elements. */
static bool soften_kind(dry_model *model, dry_fits_fn *fits, void *user, bool contacts) {
    dry_elab *elab = &model->elab;
    int low = 0, high = MOST_SOFTER, at = high;
    if (!dry_design_soften(elab, dry_pow(SOFTER, at), contacts)) return false;
    if (!fits(model, user)) {
        dry_design_soften(elab, dry_pow(SOFTER, -at), contacts);
        return false;
    }
    while (high - low > 1) {
        const int k = (low + high) / 2;
        dry_design_soften(elab, dry_pow(SOFTER, k - at), contacts);
        at = k;
        *(fits(model, user) ? &high : &low) = k;
    }
    dry_design_soften(elab, dry_pow(SOFTER, high - at), contacts);
    DRY_SAY(model->elab.diag, (dry_place){0}, SOFTENED,
            dry_diag_text(model->elab.diag, "%.3g", dry_pow(SOFTER, high)));
    return fits(model, user);
}

bool dry_model__soften_until(dry_model *model, dry_fits_fn *fits, void *user) {
    if (fits(model, user)) return true;
    if (!soften_kind(model, fits, user, false) && !soften_kind(model, fits, user, true)) {
        fits(model, user); /* other elements are too stiff */
        return false;
    }
    return true;
}
