/* bind, inside the room. */
#ifndef DRY_BIND_PRIVATE_H
#define DRY_BIND_PRIVATE_H

#include <drystone/bind.h>

/* What a binding has set so far; it owns all names and texts. */
struct dry_bind_plan {
    dry_model_options options; /* settings and inputs point at the arrays below */
    dry_setting *settings;
    dry_given_input *inputs;
    dry_arena *arena;     /* the names and texts */
    dry_record **records; /* of inputs given as arrays */
    int n_records;
    const char **set; /* names of options that are set */
    int n_set;
};

/* A copy that the plan owns; NULL without memory. */
const char *dry_bind__keep(dry_bind_plan *plan, const char *text);
dry_status dry_bind__no_memory(dry_error *error);

/* How to run the model: every default filled in where the length of the run is known. */
dry_run_options dry_bind__run_of(const dry_model *model);

#endif
