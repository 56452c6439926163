/* contact_match: assigns the points of two boxes to slots.
 *
 * The slots of two boxes are those of their points and some more whose numbers are the keys of
 * these points; 0: the slot is free. */
#include "contact_private.h"

static double *notes_of(double *slots, int stride) { return slots + DRY_BODY__BOX_POINTS * stride; }

int dry_body__slot(const dry_body__point *point, const double *slots, int stride) {
    const double *notes = slots + DRY_BODY__BOX_POINTS * stride;
    for (int k = 0; k < DRY_BODY__BOX_POINTS; k++)
        if (notes[k] == (double)point->slot) return k;
    return -1;
}

static bool is_found(double key, const dry_body__point *points, int count) {
    for (int k = 0; k < count; k++)
        if ((double)points[k].slot == key) return true;
    return false;
}

/* The point with the deepest indentation. A corner that leaves a face continues as two crossings,
 * so points that have gone come first. NULL: none is pressed in. */
static const double *firmest(const double *slots, int stride) {
    const double *notes = slots + DRY_BODY__BOX_POINTS * stride, *best[2] = {NULL, NULL};
    for (int k = 0; k < DRY_BODY__BOX_POINTS; k++) {
        const double *slot = slots + k * stride, **held = &best[notes[k] < 0.0];
        if (slot[DRY_BODY__E] > (*held ? (*held)[DRY_BODY__E] : 0.0)) *held = slot;
    }
    return best[1] ? best[1] : best[0];
}

/* If the boxes already rest on each other, a new point starts with the indentation of its depth and
 * with the friction strain of the other points. */
void dry_body__take_over(const dry_body__point *point, const double *slots, int stride,
                         double *slot) {
    const double *beside = point->psi < 0.0 ? firmest(slots, stride) : NULL;
    if (beside == NULL) {
        memset(slot, 0, (size_t)stride * sizeof *slot);
        return;
    }
    memcpy(slot, beside, (size_t)stride * sizeof *slot);
    slot[DRY_BODY__E] = -point->psi;
}

/* Points that have gone have their keys reversed; true if there are any. */
static bool mark_gone(const dry_body__point *points, int count, double *slots, int stride) {
    double *notes = notes_of(slots, stride);
    bool changed = false;
    for (int k = 0; k < DRY_BODY__BOX_POINTS; k++) {
        if (notes[k] == 0.0 || is_found(notes[k], points, count)) continue;
        notes[k] = -notes[k];
        changed = true;
    }
    return changed;
}

/* Initialises new points from the previous ones, then puts them into free slots. */
static bool take_slots(const dry_body__point *points, int count, double *slots, int stride) {
    double *notes = notes_of(slots, stride), fresh[DRY_BODY__BOX_POINTS][DRY_BODY__ROLLS];
    bool is_new[DRY_BODY__BOX_POINTS], changed = false;
    for (int i = 0; i < count; i++) {
        is_new[i] = dry_body__slot(&points[i], slots, stride) < 0;
        if (is_new[i]) dry_body__take_over(&points[i], slots, stride, fresh[i]);
    }
    for (int k = 0, i = 0; k < DRY_BODY__BOX_POINTS; k++) {
        if (notes[k] > 0.0) continue;
        while (i < count && !is_new[i]) i++;
        changed |= i < count;
        notes[k] = i < count ? (double)points[i].slot : 0.0;
        memset(slots + k * stride, 0, (size_t)stride * sizeof *slots);
        if (i < count) memcpy(slots + k * stride, fresh[i++], (size_t)stride * sizeof *slots);
    }
    return changed;
}

static bool match_boxes(const dry_part_env *env, const double *in, const dry_body__link *link,
                        double *slots, int stride) {
    const dry_body__placed a = dry_body__placed_at(env, in, link->a);
    const dry_body__placed b = dry_body__placed_at(env, in, link->b);
    dry_body__point points[DRY_BODY__BOX_POINTS];
    const int count = dry_body__boxes(&a, &b, points);
    const bool gone = mark_gone(points, count, slots, stride);
    return take_slots(points, count, slots, stride) || gone;
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
