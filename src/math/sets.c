/* The catalogue of sets: one row of sets.def each. */
#include "sets.h"
#include <string.h>

static const dry_set *const sets[] = {
#define DRY_SET(name) &dry_set__##name,
#include "sets.def"
#undef DRY_SET
};

int dry_set_count(void) { return (int)(sizeof sets / sizeof *sets); }

const dry_set *dry_set_at(int index) {
    return index >= 0 && index < dry_set_count() ? sets[index] : NULL;
}

const dry_set *dry_set_find(const char *name) {
    for (int i = 0; i < dry_set_count(); i++)
        if (strcmp(sets[i]->name, name) == 0) return sets[i];
    return NULL;
}

const char *dry_set_lacks(const dry_set *set) {
    const struct {
        const char *fact;
        bool there;
    } facts[] = {
        {"name", set->name && set->name[0]},
        {"title", set->title && set->title[0]},
        {"equation", set->equation && set->equation[0]},
        {"paper", set->paper && set->paper[0]},
        {"argument", set->argument && set->argument[0]},
        {"force", set->force && set->force[0]},
        {"max_dim", set->max_dim > 0},
        {"project", set->project != NULL},
        {"derivative", set->derivative != NULL},
        {"excess", set->excess != NULL},
        {"support", set->support != NULL},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!facts[i].there) return facts[i].fact;
    return NULL;
}
