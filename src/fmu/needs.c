/* needs: what rates and outputs depend on, by the graph of the equations. Parts are functions
 * without a graph, so in a model with parts it is not known. */
#include "fmu_private.h"
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

typedef struct finding {
    dry_fmu__plan *plan;
    dry_leaves leaves;
    int *of_state;           /* index of the variable of a state; -1: none */
    const int *next;         /* node that a state samples; -1: it samples none */
    unsigned char *seen;     /* states */
    int *found, n;           /* variables */
    int *waiting, n_waiting; /* samples whose own needs are to be found */
} finding;

/* A sample is taken at an event, from what holds there. */
static void note(void *user, int state) {
    finding *f = user;
    if (state >= f->plan->system->n_states || f->seen[state]) return;
    f->seen[state] = 1;
    if (f->of_state[state] >= 0) f->found[f->n++] = f->of_state[state];
    if (f->next[state] >= 0) f->waiting[f->n_waiting++] = f->next[state];
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static bool keep(finding *f, dry_fmu__variable *v) {
    v->needs = dry_arena_take(f->plan->arena, ((size_t)f->n + 1) * sizeof *v->needs);
    v->n_needs = f->n;
    if (!v->needs) return false;
    qsort(f->found, (size_t)f->n, sizeof *f->found, by_number);
    memcpy(v->needs, f->found, (size_t)f->n * sizeof *v->needs);
    return true;
}

/* The node of the rate or output that a variable shows; -1: it shows none. */
static dry_node node_of(const dry_fmu__plan *plan, const dry_fmu__variable *v) {
    const dry_model *model = plan->model;
    const unsigned n = (unsigned)plan->system->n_states;
    if (v->reference > n && v->reference <= 2 * n)
        return model->elab.quantities.state[v->reference - 1 - n].rate;
    if (v->reference > 2 * n && v->reference <= 2 * n + (unsigned)plan->n_outputs)
        return model->code.roots[DRY_SECTION_OUTPUT][plan->output[v->reference - 1 - 2 * n]];
    return -1;
}

static bool find(finding *f, int index) {
    dry_fmu__variable *v = &f->plan->variable[index];
    const dry_dag *dag = f->plan->model->elab.dag;
    const dry_node node = node_of(f->plan, v);
    bool on_time = false;
    f->n = f->n_waiting = 0;
    memset(f->seen, 0, (size_t)f->plan->system->n_states + 1);
    if (node < 0) note(f, (int)v->reference - 1);
    if (node >= 0) f->waiting[f->n_waiting++] = node;
    while (f->n_waiting > 0) {
        const dry_node at = f->waiting[--f->n_waiting];
        on_time = on_time || dry_dag_depends(dag, at) & DRY_ON_T;
        dry_leaves_of(&f->leaves, at, note, f);
    }
    if (on_time) f->found[f->n++] = 0;
    return keep(f, v);
}

static bool make_room(finding *f) {
    const dry_fmu__plan *plan = f->plan;
    const dry_sampling *sampling = &plan->model->elab.quantities.sampling;
    const size_t n = (size_t)plan->system->n_states;
    int *next = dry_arena_take(plan->arena, (n + 1) * sizeof *next);
    f->of_state = dry_arena_take(plan->arena, (n + 1) * sizeof *f->of_state);
    f->found = dry_arena_take(plan->arena, (n + 2) * sizeof *f->found);
    f->waiting = dry_arena_take(plan->arena, (n + 2) * sizeof *f->waiting);
    f->seen = dry_arena_take(plan->arena, n + 1);
    if (dry_arena_failed(plan->arena) || !dry_leaves_size(&f->leaves, plan->model->elab.dag))
        return false;
    for (size_t i = 0; i < n; i++) f->of_state[i] = next[i] = -1;
    for (int i = 0; i < sampling->n_helds; i++)
        next[sampling->held[i].state] = sampling->held[i].next;
    f->next = next;
    for (int i = 0; i < plan->n_variables; i++) {
        const unsigned reference = plan->variable[i].reference;
        if (reference > 0 && reference <= n) {
            const int kind = plan->state[reference - 1] & 3;
            if (kind == DRY_FMU__RATED || kind == DRY_FMU__INPUT) f->of_state[reference - 1] = i;
        }
    }
    return true;
}

bool dry_fmu__find_needs(dry_fmu__plan *plan) {
    finding f = {.plan = plan};
    bool good = plan->library || make_room(&f);
    for (int i = 0; i < plan->n_variables; i++) plan->variable[i].n_needs = -1;
    for (int i = 0; good && !plan->library && i < plan->n_variables; i++)
        if (plan->variable[i].output || plan->variable[i].rate_of >= 0) good = find(&f, i);
    dry_leaves_free(&f.leaves);
    return good;
}
