/* Whether this build has what the text of a model needs. */
#ifndef DRYSTONE_TESTS_LANG_NEEDS_H
#define DRYSTONE_TESTS_LANG_NEEDS_H

#include <drystone/urdf.h>
#include <stdbool.h>
#include <string.h>

static inline bool can_be_compiled(const char *text) {
    return dry_urdf_has_xml() || !strstr(text, "urdf(");
}

#endif
