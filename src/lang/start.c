/* start: computes the states at the start of a run, and the pushes of equations at that time. */
#include "lang_private.h"

#include <stdlib.h>

/* Computes what is sampled at the start: all from the states before, then all at once. */
static void sample_at_start(const dry_elab *elab, double *x) {
    const dry_sampling *all = &elab->quantities.sampling;
    double *next = dry_heap_take(elab->arena, (size_t)all->n_helds + 1, sizeof *next);
    for (int i = 0; next && i < all->n_helds; i++)
        next[i] = dry_dag_value(elab->dag, all->held[i].next, elab->quantities.par_value, 0.0, x,
                                NULL, 0);
    for (int i = 0; next && i < all->n_helds; i++)
        if (dry_clock_ticks(&all->clock[all->held[i].clock], 0.0)) x[all->held[i].state] = next[i];
    free(next);
}

void dry_lang_start(const dry_elab *elab, double *x) {
    for (int i = 0; i < elab->quantities.n_states; i++) x[i] = 0.0;
    for (int i = 0; i < elab->scene.n_outers; i++)
        x[elab->quantities.n_states + i] = elab->scene.outer[i].start;
    for (int pass = 0; pass < 2; pass++) /* states of laws may begin where the others are */
        for (int i = 0; i < elab->quantities.n_states; i++)
            if ((elab->quantities.state[i].symbol >= 0) != (pass > 0))
                x[i] = dry_dag_value(elab->dag, elab->quantities.state[i].start,
                                     elab->quantities.par_value, 0.0, x, NULL, 0);
    sample_at_start(elab, x);
    dry_lang_fill_lines(&elab->quantities.sampling, 0.0, x, x);
}

bool dry_lang_add_pushes(const dry_elab *elab, double *more) {
    double *x = dry_heap_take(
        elab->arena, (size_t)(elab->quantities.n_states + elab->scene.n_outers) + 1, sizeof *x);
    if (x) dry_lang_start(elab, x);
    for (int i = 0; x && i < elab->scene.n_thrusts; i++)
        more[elab->scene.thrust[i].first] += dry_dag_value(
            elab->dag, elab->scene.thrust[i].node, elab->quantities.par_value, 0.0, x, NULL, 0);
    free(x);
    return x != NULL;
}
