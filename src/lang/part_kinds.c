/* part_kinds: every kind of part that a text can name, from all rooms. */
#include "lang_private.h"

#include <drystone/body.h>
#include <drystone/urdf.h>

#include <string.h>

int dry_part_kind_count(void) { return 2 + dry_net_kind_count() + dry_body_kind_count(); }

const dry_kind *dry_part_kind_at(int index) {
    const int n_net = dry_net_kind_count(), n_body = dry_body_kind_count();
    if (index == 0) return dry_lang__gravity();
    if (index <= n_net) return dry_net_kind_at(index - 1);
    return index <= n_net + n_body ? dry_body_kind_at(index - 1 - n_net) : dry_urdf_kind();
}

const dry_kind *dry_part_kind_find(const char *name) {
    if (!strcmp(name, dry_lang__gravity()->name)) return dry_lang__gravity();
    return strcmp(name, dry_urdf_kind()->name) ? dry_kind_find(name) : dry_urdf_kind();
}
