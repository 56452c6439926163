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

/* How to run the model: every default filled in if the length of the run is known. */
dry_run_options dry_bind__run_of(const dry_model *model);

/* ---- lanes.c: copies side by side -------------------------------------------------------------
 */

typedef struct dry_bind__lanes dry_bind__lanes;
/* NULL: not for this model, or no memory. `benches`: one for each piece of the loop over packs. */
dry_bind__lanes *dry_bind__lanes_new(const dry_model *model, int copies, int benches);
void dry_bind__lanes_free(dry_bind__lanes *lanes);
/* The parameters of a copy; its states at the time 0; its inputs; what it has, and its time. */
void dry_bind__lanes_par(dry_bind__lanes *lanes, int copy, const double *par);
void dry_bind__lanes_begin(dry_bind__lanes *lanes, int copy, const double *x);
void dry_bind__lanes_inputs(dry_bind__lanes *lanes, int copy, const double *u);
double dry_bind__lanes_read(const dry_bind__lanes *lanes, int copy, double *states,
                            double *outputs);
/* To be called after a copy did not come to the end of its step. */
void dry_bind__lanes_repack(dry_bind__lanes *lanes);
/* How many packs there are; -1 without memory. */
int dry_bind__lanes_packs(dry_bind__lanes *lanes);
/* Steps a pack on a bench, and says of each of its copies how it ended. */
typedef void dry_bind__ended(void *user, int copy, dry_status status, const dry_error *error);
void dry_bind__lanes_step(const dry_bind__lanes *lanes, int bench, int pack, double interval,
                          dry_bind__ended *ended, void *user);

#endif
