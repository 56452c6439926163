/* kinds: the catalogue of the kinds of this room, and the lookup over both rooms that have kinds.
 */
#include "body_private.h"

static const dry_kind *const kinds[] = {
    &dry_body__rigid_body, &dry_body__sphere, &dry_body__box,        &dry_body__capsule,
    &dry_body__cylinder,   &dry_body__cloud,  &dry_body__plane,      &dry_body__arm,
    &dry_body__hinge,      &dry_body__slider, &dry_body__ball_joint, &dry_body__weld,
    &dry_body__contact,
};

int dry_body_kind_count(void) { return (int)(sizeof kinds / sizeof kinds[0]); }

const dry_kind *dry_body_kind_at(int index) {
    return index < 0 || index >= dry_body_kind_count() ? NULL : kinds[index];
}

const dry_kind *dry_kind_find(const char *name) {
    for (int i = 0; i < dry_body_kind_count(); i++)
        if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
    for (int i = 0; i < dry_net_kind_count(); i++)
        if (strcmp(dry_net_kind_at(i)->name, name) == 0) return dry_net_kind_at(i);
    return NULL;
}
