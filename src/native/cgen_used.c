/* cgen_used: finds the parameters and outputs that a model needs without its measures and plots,
 * and the values that the rate needs only at another time. */
#include "cgen_private.h"
#include "native_private.h"

#include <stdlib.h>

static void mark(unsigned char *needed, const dry_node *roots, int n) {
    for (int i = 0; i < n; i++) needed[roots[i]] = 1;
}

int dry_c__shown_outputs(const dry_model *model, dry_node *shown) {
    int n = 0;
    for (int i = 0; i < model->code.n_roots[DRY_SECTION_OUTPUT]; i++)
        if (dry_model_output_shown(model, i)) shown[n++] = model->code.roots[DRY_SECTION_OUTPUT][i];
    return n;
}

static void mark_model(const dry_model *model, unsigned char *needed) {
    static const int sections[] = {DRY_SECTION_RATE,  DRY_SECTION_START,  DRY_SECTION_GUARD,
                                   DRY_SECTION_LATCH, DRY_SECTION_SAMPLE, DRY_SECTION_BREAKS,
                                   DRY_SECTION_PHASE, DRY_SECTION_SLOPE};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        mark(needed, model->code.roots[sections[i]], model->code.n_roots[sections[i]]);
    for (int i = 0; i < model->code.n_roots[DRY_SECTION_OUTPUT]; i++)
        if (dry_model_output_shown(model, i))
            mark(needed, &model->code.roots[DRY_SECTION_OUTPUT][i], 1);
}

static void mark_par(void *user, int par) { ((bool *)user)[par] = true; }

bool dry_native__follows(const dry_model *model, int par) {
    return dry_model_par_follows(model, par) && !model->elab.quantities.param[par].chosen;
}

/* What a parameter follows from is needed with it. Returns false without memory. */
static bool mark_origins(const dry_model *model, bool *used) {
    bool good = true;
    for (int i = model->elab.quantities.n_params - 1; i >= 0 && good; i--)
        if (used[i] && dry_native__follows(model, i))
            good = dry_dag_each_par(model->elab.dag, model->elab.quantities.param[i].meaning,
                                    mark_par, used);
    return good;
}

dry_status dry_model_par_used(const dry_model *model, bool *used, dry_error *error) {
    const dry_dag *dag = model->elab.dag;
    unsigned char *needed = calloc((size_t)dry_dag_count(dag) + 1, 1);
    if (!needed) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    mark_model(model, needed);
    dry_node last = dry_dag_count(dag) - 1;
    while (last > 0 && !needed[last]) last--;
    dry_dag_reach(dag, last, needed);
    for (int i = 0; i < model->elab.quantities.n_params; i++) used[i] = false;
    for (dry_node k = 0; k < dry_dag_count(dag); k++)
        if (needed[k] && dry_dag_op(dag, k) == DRY_OP_PAR) used[dry_dag_view(dag, k).index] = true;
    free(needed);
    return mark_origins(model, used) ? DRY_OK
                                     : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

bool dry_c__place_used(const dry_model *model, int *place, int *n_given, int *n_par) {
    const int n = model->elab.quantities.n_params;
    bool *used = malloc(sizeof *used * (size_t)(n + 1));
    const bool good = used && dry_model_par_used(model, used, NULL) == DRY_OK;
    *n_par = 0;
    for (int i = 0; i < n; i++) place[i] = DRY_NONE;
    for (int i = 0; good && i < n; i++)
        if (used[i] && !dry_native__follows(model, i)) place[i] = (*n_par)++;
    *n_given = *n_par;
    for (int i = 0; good && i < n; i++)
        if (used[i] && dry_native__follows(model, i)) place[i] = (*n_par)++;
    free(used);
    return good;
}

int dry_c__keep_timed(const dry_model *model, const bool *varies, unsigned char *kept) {
    return dry_order_keep_timed(model->elab.dag, model->code.roots[DRY_SECTION_RATE],
                                model->code.n_roots[DRY_SECTION_RATE], varies, kept);
}

bool dry_native__is_timed(const dry_model *model, const bool *varies) {
    dry_arena *arena = dry_dag_arena(model->elab.dag);
    unsigned char *kept = dry_heap_take(arena, (size_t)dry_dag_count(model->elab.dag) + 1, 1);
    const bool timed = kept && dry_c__keep_timed(model, varies, kept) > 0;
    free(kept);
    return timed;
}
