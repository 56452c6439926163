/* elab: functions that all elaboration files share: they find names, add rows and run loops of
 * statements. */
#include "lang_private.h"

#include <stdlib.h>
#include <string.h>

void *dry_lang_grow(dry_arena *arena, void **items, int *n, int *room, size_t size) {
    if (*n == *room) {
        int more = *room ? 2 * *room : 16;
        void *grown = dry_heap_grow(arena, *items, size * (size_t)more);
        if (!grown) return NULL;
        *items = grown;
        *room = more;
    }
    void *item = (char *)*items + size * (size_t)(*n)++;
    memset(item, 0, size);
    return item;
}

static unsigned hash_of(const char *name) {
    unsigned h = 2166136261u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
    return h;
}

/* Returns the slot of the name in the hash: the slot that holds the name, or the empty slot
 * for it. */
int *dry_lang__slot(const dry_elab *elab, const char *name) {
    unsigned mask = (unsigned)elab->names.hash_size - 1u;
    for (unsigned i = hash_of(name) & mask;; i = (i + 1u) & mask) {
        int s = elab->names.hash[i];
        if (s < 0 || !strcmp(elab->names.symbol[s].name, name)) return &elab->names.hash[i];
    }
}

dry_symbol *dry_lang_find(const dry_elab *elab, const char *name) {
    if (!elab->names.hash) return NULL;
    int s = *dry_lang__slot(elab, name);
    return s < 0 ? NULL : &elab->names.symbol[s];
}

bool dry_lang__lost(const dry_elab *elab, const char *name) {
    for (int i = 0; i < elab->tree.n_lost; i++)
        if (!strcmp(elab->tree.lost[i], name)) return true;
    return false;
}

int dry_lang__new_ref(dry_elab *elab, dry_place at) {
    int room = elab->quantities.ref_room;
    dry_node *ref = DRY_GROW(elab->arena, &elab->quantities, ref);
    if (!ref) return -1;
    if (elab->quantities.ref_room != room) {
        dry_place *places = dry_heap_grow(elab->arena, elab->quantities.ref_at,
                                          sizeof *places * (size_t)elab->quantities.ref_room);
        if (!places) {
            elab->quantities.n_refs--;
            elab->quantities.ref_room = room;
            return -1;
        }
        elab->quantities.ref_at = places;
    }
    elab->quantities.ref_at[elab->quantities.n_refs - 1] = at;
    *ref = -1;
    return elab->quantities.n_refs - 1;
}

dry_param_info *dry_lang__add_param(dry_elab *elab, const char *name, dry_dim dim, double value,
                                    dry_place at) {
    int n = elab->quantities.n_params, room = elab->quantities.param_room;
    dry_param_info *param = DRY_GROW(elab->arena, &elab->quantities, param);
    if (!param) return NULL;
    if (elab->quantities.param_room != room) {
        double *values = dry_heap_grow(elab->arena, elab->quantities.par_value,
                                       sizeof *values * (size_t)elab->quantities.param_room);
        if (!values) {
            elab->quantities.n_params = n;
            elab->quantities.param_room = room;
            return NULL;
        }
        elab->quantities.par_value = values;
    }
    *param = (dry_param_info){
        .name = name, .dim = dim, .value = value, .meaning = -1, .low = -1, .high = -1, .at = at};
    elab->quantities.par_value[n] = value;
    return param;
}

int dry_lang_add_hidden(dry_elab *elab, const char *name, dry_dim dim, double value) {
    dry_param_info *param = dry_lang__add_param(elab, name, dim, value, (dry_place){0});
    if (!param) return 0;
    param->hidden = true;
    return elab->quantities.n_params - 1;
}

dry_term dry_lang__like(dry_elab *elab, const dry_term *v) {
    return v->rank ? dry_lang__array(elab, 1, v->rows, 1, v->dim)
                   : dry_lang__scalar(elab, 0, v->dim);
}

/* Makes states that start at `from`, or at 0 if it is NULL, and returns them. */
dry_term dry_lang__hold(dry_elab *elab, const dry_symbol *symbol, const char *name, dry_term shape,
                        const dry_term *from) {
    dry_term v = dry_lang__like(elab, &shape);
    for (int k = 0; !v.bad && k < dry_term_size(&v); k++) {
        dry_state_info *state = DRY_GROW(elab->arena, &elab->quantities, state);
        if (!state) return dry_lang__bad(elab);
        const char *own = v.rank ? dry_diag_text(elab->diag, "%s[%d]", name, k + 1) : name;
        *state = (dry_state_info){.name = own,
                                  .dim = shape.dim,
                                  .start = from ? dry_term_at(from, k) : 0,
                                  .rate = 0,
                                  .at = symbol->at,
                                  .rate_at = symbol->at,
                                  .symbol = (int)(symbol - elab->names.symbol)};
        const int index = elab->quantities.n_states - 1;
        dry_term_put(&v, k, dry_dag_leaf(elab->dag, DRY_OP_STATE, index));
    }
    return v;
}

dry_node dry_lang_offset(const dry_sampling *all, int clock) {
    for (int i = 0; i < all->n_offsets; i++)
        if (all->offset[i].clock == clock) return all->offset[i].node;
    return -1;
}

static int find_clock(dry_elab *elab, dry_clock clock, dry_node node) {
    dry_sampling *all = &elab->quantities.sampling;
    for (int i = 0; i < all->n_clocks; i++)
        if (all->clock[i].period == clock.period && all->clock[i].offset == clock.offset &&
            dry_lang_offset(all, i) == node)
            return i;
    dry_clock *slot = DRY_GROW(elab->arena, all, clock);
    if (!slot) return 0;
    *slot = clock;
    return all->n_clocks - 1;
}

int dry_lang__clock(dry_elab *elab, double period, double offset) {
    return find_clock(elab, (dry_clock){period, offset}, -1);
}

int dry_lang__timed_clock(dry_elab *elab, dry_clock clock, dry_node node, double most) {
    dry_sampling *all = &elab->quantities.sampling;
    if (!(dry_dag_depends(elab->dag, node) & DRY_ON_PAR)) node = -1;
    const int n = all->n_clocks, found = find_clock(elab, clock, node);
    dry_offset_info *info = node >= 0 && found == n ? DRY_GROW(elab->arena, all, offset) : NULL;
    if (info) *info = (dry_offset_info){found, node, most};
    return found;
}

void dry_lang__set_next(dry_elab *elab, int state, int clock, dry_node next) {
    dry_held_info *info = DRY_GROW(elab->arena, &elab->quantities.sampling, held);
    if (info) *info = (dry_held_info){.state = state, .clock = clock, .next = next};
}

void dry_lang__loop(dry_elab *elab, const dry_stmt *stmt, dry_loop_fn *body, void *user) {
    if (!stmt->loop) {
        body(elab, stmt, user);
        return;
    }
    int first, last;
    if (!dry_lang__integer(elab, stmt->first, "the first index", -DRY_MOST_TERMS, DRY_MOST_TERMS,
                           &first) ||
        !dry_lang__integer(elab, stmt->last, "the last index", -DRY_MOST_TERMS, DRY_MOST_TERMS,
                           &last))
        return;
    int errors = elab->diag->n_errors;
    for (int i = first; i <= last && elab->diag->n_errors == errors; i++) {
        dry_term index = dry_lang__scalar(elab, dry_dag_const(elab->dag, i), dry_dim_pure());
        dry_local local = {stmt->loop, &index, elab->scope.locals};
        elab->scope.locals = &local;
        body(elab, stmt, user);
        elab->scope.locals = local.next;
    }
}

dry_dim dry_lang_unit_dim(const dry_elab *elab, const char *unit) {
    double factor;
    dry_dim dim;
    char bad[DRY_DIM_TEXT];
    if (!unit || !unit[0]) return dry_dim_pure();
    return dry_unit_parse(unit, &factor, &dim, bad) ? dim : dry_dim_unknown(elab->dims);
}

void dry_lang_rename(dry_elab *elab, const dry_node *renamed) {
#define RENAME(node) ((node) = (node) >= 0 ? renamed[node] : (node))
    for (int i = 0; i < elab->quantities.n_params; i++) {
        RENAME(elab->quantities.param[i].meaning);
        RENAME(elab->quantities.param[i].low);
        RENAME(elab->quantities.param[i].high);
    }
    for (int i = 0; i < elab->quantities.n_states; i++) {
        RENAME(elab->quantities.state[i].rate);
        RENAME(elab->quantities.state[i].start);
    }
    for (int i = 0; i < elab->results.n_outputs; i++) RENAME(elab->results.output[i].node);
    for (int i = 0; i < elab->results.n_stops; i++) RENAME(elab->results.stop[i].node);
    for (int i = 0; i < elab->scene.n_thrusts; i++) RENAME(elab->scene.thrust[i].node);
    for (int i = 0; i < elab->results.n_reducers; i++) {
        RENAME(elab->results.reducer[i].from);
        RENAME(elab->results.reducer[i].to);
    }
    for (int i = 0; i < elab->results.n_measures; i++) RENAME(elab->results.measure[i].value);
    for (int i = 0; i < elab->results.n_expects; i++) {
        RENAME(elab->results.expect[i].value);
        RENAME(elab->results.expect[i].target);
        RENAME(elab->results.expect[i].tolerance);
    }
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        dry_force *force = &elab->quantities.force[i];
        RENAME(force->chi);
        RENAME(force->unfed);
        RENAME(force->feed);
        RENAME(force->side);
        RENAME(force->interval.middle);
        for (int k = 0; k < 2; k++) RENAME(force->interval.level[k]);
        RENAME(force->slip);
        RENAME(force->block);
        RENAME(force->design.inverse_mass);
        for (int k = 0; k < DRY_N_ASKED; k++) RENAME(force->design.asked[k]);
        if (force->shared >= 0) continue; /* it shares the arrays of the other force */
        for (int k = 0; k < force->n_par; k++) RENAME(force->par[k]);
        for (int k = 0; k < force->n_inputs; k++) RENAME(force->input[k]);
        for (int k = 0; k < force->n_results; k++) RENAME(force->result[k]);
        for (int k = 0; force->stretch.matrix && k < force->dim * force->dim; k++)
            RENAME(force->stretch.matrix[k]);
    }
    for (int i = 0; i < elab->quantities.n_guards; i++) RENAME(elab->quantities.guard[i].node);
    for (int i = 0; i < elab->quantities.sampling.n_helds; i++)
        RENAME(elab->quantities.sampling.held[i].next);
    for (int i = 0; i < elab->quantities.sampling.n_offsets; i++)
        RENAME(elab->quantities.sampling.offset[i].node);
    for (int i = 0; i < elab->quantities.sampling.n_delays; i++) {
        RENAME(elab->quantities.sampling.delay[i].value);
        RENAME(elab->quantities.sampling.delay[i].before);
    }
    for (int i = 0; i < elab->quantities.n_selections; i++)
        RENAME(elab->quantities.selection[i].node);
#undef RENAME
}
