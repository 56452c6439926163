/* elab: what every file that understands a model uses: names found again, rows added, loops of
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

/* The slot of the name in the hash table: its own, or the empty one where it would be. */
int *dry_lang__slot(const dry_elab *elab, const char *name) {
    unsigned mask = (unsigned)elab->hash_size - 1u;
    for (unsigned i = hash_of(name) & mask;; i = (i + 1u) & mask) {
        int s = elab->hash[i];
        if (s < 0 || !strcmp(elab->symbol[s].name, name)) return &elab->hash[i];
    }
}

dry_symbol *dry_lang_find(const dry_elab *elab, const char *name) {
    if (!elab->hash) return NULL;
    int s = *dry_lang__slot(elab, name);
    return s < 0 ? NULL : &elab->symbol[s];
}

bool dry_lang__lost(const dry_elab *elab, const char *name) {
    for (int i = 0; i < elab->tree.n_lost; i++)
        if (!strcmp(elab->tree.lost[i], name)) return true;
    return false;
}

int dry_lang__new_ref(dry_elab *elab, dry_place at) {
    int room = elab->ref_room;
    dry_node *ref = DRY_GROW(elab, ref);
    if (!ref) return -1;
    if (elab->ref_room != room) {
        dry_place *places =
            dry_heap_grow(elab->arena, elab->ref_at, sizeof *places * (size_t)elab->ref_room);
        if (!places) {
            elab->n_refs--;
            elab->ref_room = room;
            return -1;
        }
        elab->ref_at = places;
    }
    elab->ref_at[elab->n_refs - 1] = at;
    *ref = -1;
    return elab->n_refs - 1;
}

dry_param_info *dry_lang__add_param(dry_elab *elab, const char *name, dry_dim dim, double value,
                                    dry_place at) {
    int n = elab->n_params, room = elab->param_room;
    dry_param_info *param = DRY_GROW(elab, param);
    if (!param) return NULL;
    if (elab->param_room != room) {
        double *values =
            dry_heap_grow(elab->arena, elab->par_value, sizeof *values * (size_t)elab->param_room);
        if (!values) {
            elab->n_params = n;
            elab->param_room = room;
            return NULL;
        }
        elab->par_value = values;
    }
    *param = (dry_param_info){.name = name, .dim = dim, .value = value, .meaning = -1, .at = at};
    elab->par_value[n] = value;
    return param;
}

int dry_lang__add_hidden(dry_elab *elab, const char *name, dry_dim dim, double value) {
    dry_param_info *param = dry_lang__add_param(elab, name, dim, value, (dry_place){0});
    if (!param) return 0;
    param->hidden = true;
    return elab->n_params - 1;
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
    int errors = elab->report->n_errors;
    for (int i = first; i <= last && elab->report->n_errors == errors; i++) {
        dry_term index = dry_lang__scalar(elab, dry_dag_const(elab->dag, i), dry_dim_pure());
        dry_local local = {stmt->loop, &index, elab->locals};
        elab->locals = &local;
        body(elab, stmt, user);
        elab->locals = local.next;
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
    for (int i = 0; i < elab->n_params; i++) RENAME(elab->param[i].meaning);
    for (int i = 0; i < elab->n_states; i++) {
        RENAME(elab->state[i].rate);
        RENAME(elab->state[i].start);
    }
    for (int i = 0; i < elab->n_outputs; i++) RENAME(elab->output[i].node);
    for (int i = 0; i < elab->n_thrusts; i++) RENAME(elab->thrust[i].node);
    for (int i = 0; i < elab->n_reducers; i++) {
        RENAME(elab->reducer[i].from);
        RENAME(elab->reducer[i].to);
    }
    for (int i = 0; i < elab->n_measures; i++) RENAME(elab->measure[i].value);
    for (int i = 0; i < elab->n_expects; i++) {
        RENAME(elab->expect[i].value);
        RENAME(elab->expect[i].target);
        RENAME(elab->expect[i].tolerance);
    }
    for (int i = 0; i < elab->n_forces; i++) {
        dry_force *force = &elab->force[i];
        RENAME(force->chi);
        RENAME(force->unfed);
        RENAME(force->feed);
        RENAME(force->side);
        RENAME(force->slip);
        RENAME(force->block);
        RENAME(force->inverse_mass);
        if (force->shared >= 0) continue; /* its arrays are those of the other */
        for (int k = 0; k < force->n_par; k++) RENAME(force->par[k]);
        for (int k = 0; k < force->n_inputs; k++) RENAME(force->input[k]);
        for (int k = 0; k < force->n_results; k++) RENAME(force->result[k]);
    }
    for (int i = 0; i < elab->n_guards; i++) RENAME(elab->guard[i].node);
    for (int i = 0; i < elab->n_selections; i++) RENAME(elab->selection[i].node);
#undef RENAME
}
