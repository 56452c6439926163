/* The methods of the room as rows. */
#include <string.h>

#include "stiff_private.h"

static const dry_stiff__method *const methods[] = {&dry_stiff__rodas4, &dry_stiff__cvode_row};
enum { COUNT = sizeof methods / sizeof *methods };

int dry_stiff_method_count(void) { return COUNT; }

const dry_method *dry_stiff_method_at(int index) {
    DRY_ASSERT(index >= 0 && index < COUNT);
    return &methods[index]->row;
}

const dry_method *dry_stiff_method_find(const char *name) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(name, methods[i]->row.name) == 0) return &methods[i]->row;
    return dry_method_missing();
}

const dry_stiff__method *dry_stiff__method_of(const dry_method *row) {
    for (int i = 0; i < COUNT; i++)
        if (row == &methods[i]->row) return methods[i];
    return NULL;
}
