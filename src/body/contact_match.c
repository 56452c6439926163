/* contact_match: which slot remembers the crossing of which two edges of boxes.
 *
 * The slots of two boxes are those of the corners, those of crossings, and two more whose numbers
 * are the keys of the crossings; 0: the slot is free. */
#include "contact_private.h"

static double *notes_of(double *slots, int stride) {
    return slots + (DRY_BODY__CORNERS + DRY_BODY__CROSSINGS) * stride;
}

int dry_body__slot(const dry_body__point *point, const double *slots, int stride) {
    const double *notes = slots + (DRY_BODY__CORNERS + DRY_BODY__CROSSINGS) * stride;
    if (point->slot >= 0) return point->slot;
    for (int k = 0; k < DRY_BODY__CROSSINGS; k++)
        if (notes[k] == (double)(-1 - point->slot)) return DRY_BODY__CORNERS + k;
    return -1;
}

static bool is_found(double key, const dry_body__point *points, int count) {
    for (int k = 0; k < count; k++)
        if ((double)(-1 - points[k].slot) == key) return true;
    return false;
}

static bool free_slots(const dry_body__point *points, int count, double *slots, int stride) {
    double *notes = notes_of(slots, stride);
    bool changed = false;
    for (int k = 0; k < DRY_BODY__CROSSINGS; k++) {
        if (notes[k] == 0.0 || is_found(notes[k], points, count)) continue;
        notes[k] = 0.0;
        memset(slots + (DRY_BODY__CORNERS + k) * stride, 0, (size_t)stride * sizeof *slots);
        changed = true;
    }
    return changed;
}

/* The point of the same boxes that carries most: what is found beside it takes over from it. */
static const double *firmest(const double *slots, int stride) {
    const double *best = slots;
    for (int k = 1; k < DRY_BODY__CORNERS + DRY_BODY__CROSSINGS; k++)
        if (slots[k * stride + DRY_BODY__E] > best[DRY_BODY__E]) best = slots + k * stride;
    return best[DRY_BODY__E] > 0.0 ? best : NULL;
}

/* Boxes that rest on each other already press at a new crossing with what its depth says, and are
 * strained by friction as their other points are. */
static void take_slot(const dry_body__point *point, double *slots, int stride) {
    double *notes = notes_of(slots, stride);
    const double *beside = firmest(slots, stride);
    for (int k = 0; k < DRY_BODY__CROSSINGS; k++) {
        double *slot = slots + (DRY_BODY__CORNERS + k) * stride;
        if (notes[k] != 0.0) continue;
        notes[k] = (double)(-1 - point->slot);
        if (beside == NULL) return;
        memcpy(slot, beside, (size_t)stride * sizeof *slot);
        slot[DRY_BODY__E] = dry_pos(-point->psi);
        return;
    }
}

static bool match_boxes(const dry_part_env *env, const double *in, const dry_body__link *link,
                        double *slots, int stride) {
    const dry_body__placed a = dry_body__placed_at(env, in, link->a);
    const dry_body__placed b = dry_body__placed_at(env, in, link->b);
    dry_body__point points[DRY_BODY__BOX_POINTS];
    const int count = dry_body__boxes(&a, &b, points);
    bool changed = free_slots(points, count, slots, stride);
    for (int k = 0; k < count; k++) {
        if (dry_body__slot(&points[k], slots, stride) >= 0) continue;
        take_slot(&points[k], slots, stride);
        changed = true;
    }
    return changed;
}

bool dry_body__match(const dry_part_env *env, const double *in, double *x) {
    const dry_body__contacts *c = env->data;
    const dry_body__link *links = DRY_BODY__WORK(dry_body__link, env, links);
    bool changed = false;
    for (int k = 0; k < (int)x[DRY_BODY__HEAD_PAIRS]; k++) {
        const dry_body__link *link = &links[k];
        if (c->shapes[link->a].kind != DRY_BOX || c->shapes[link->b].kind != DRY_BOX) continue;
        changed |= match_boxes(env, in, link, x + c->at_slots + link->first * c->stride, c->stride);
    }
    return changed;
}
