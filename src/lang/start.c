/* start: the states at the start of a run, and what equations push then. */
#include "lang_private.h"

#include <stdlib.h>

void dry_lang_start(const dry_elab *elab, double *x) {
    for (int i = 0; i < elab->n_states; i++) x[i] = 0.0;
    for (int i = 0; i < elab->n_outers; i++) x[elab->n_states + i] = elab->outer[i].start;
    for (int pass = 0; pass < 2; pass++) /* states of laws may begin where the others are */
        for (int i = 0; i < elab->n_states; i++)
            if ((elab->state[i].symbol >= 0) != (pass > 0))
                x[i] = dry_dag_value(elab->dag, elab->state[i].start, elab->par_value, 0.0, x, NULL,
                                     0);
}

bool dry_lang_add_pushes(const dry_elab *elab, double *more) {
    double *x =
        dry_heap_take(elab->arena, (size_t)(elab->n_states + elab->n_outers) + 1, sizeof *x);
    if (x) dry_lang_start(elab, x);
    for (int i = 0; x && i < elab->n_thrusts; i++)
        more[elab->thrust[i].place] +=
            dry_dag_value(elab->dag, elab->thrust[i].node, elab->par_value, 0.0, x, NULL, 0);
    free(x);
    return x != NULL;
}
