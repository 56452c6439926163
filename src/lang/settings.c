/* settings: values from outside (-p NAME=VALUE) in place of those of the text. A setting names a
 * parameter, one of its elements, or a number of a part (part_values.c). */
#include "lang_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------- */

static const char *text_of(dry_elab *elab, const dry_setting *setting) {
    if (setting->text) return setting->text;
    return dry_diag_text(elab->diag, "%s [%s]", dry_diag_number(elab->diag, setting->value),
                         setting->unit);
}

/* The value of a setting without a text; it needs no text of its own, so that sweeps are quick. */
static bool read_value(dry_elab *elab, const dry_setting *setting, dry_given *given,
                       dry_error *error) {
    char bad[DRY_DIM_TEXT];
    double factor = 1.0, *number = dry_arena_take(elab->arena, sizeof *number);
    *given = (dry_given){.rows = 1, .cols = 1, .has_unit = setting->unit != NULL};
    if (!number) return true;
    if (setting->unit && !dry_unit_parse(setting->unit, &factor, &given->dim, bad)) {
        dry_error_set(error, DRY_BAD_ARGUMENT, "there is no unit `%s`", bad);
        return false;
    }
    *number = factor * setting->value;
    given->number = number;
    return true;
}

void dry_lang__read_settings(dry_elab *elab) {
    const int n = elab->options->n_settings;
    dry_given *given = dry_arena_take(elab->arena, sizeof *given * (size_t)(n + 1));
    for (int i = 0; given && i < n; i++) {
        const dry_setting *setting = &elab->options->settings[i];
        dry_error error = {0};
        const bool good = setting->text
                              ? dry_given_read(setting->text, elab->arena, &given[i], &error)
                              : read_value(elab, setting, &given[i], &error);
        if (!good)
            DRY_SAY(elab->diag, (dry_place){0}, BAD_SETTING, setting->name, text_of(elab, setting),
                    dry_diag_text(elab->diag, "%s", error.text));
    }
    elab->given = given;
}

dry_status dry_setting_check(const char *text, dry_error *error) {
    dry_given given;
    dry_arena *arena = dry_arena_new(0);
    if (!arena) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    const bool good = dry_given_read(text, arena, &given, error);
    dry_arena_free(arena);
    return good ? DRY_OK : DRY_BAD_ARGUMENT;
}

/* ---- parameters ---------------------------------------------------------------------- */

/* Returns the setting of that name; NULL if there is none, or if it could not be read. */
static const dry_given *find(const dry_elab *elab, const char *name) {
    for (int i = 0; elab->given && i < elab->options->n_settings; i++)
        if (elab->given[i].number && !strcmp(elab->options->settings[i].name, name))
            return &elab->given[i];
    return NULL;
}

static bool fits(const dry_given *given, const dry_term *v) {
    return given->rank == v->rank && given->rows == v->rows && given->cols == v->cols;
}

bool dry_lang__set_entry(const dry_elab *elab, const dry_symbol *symbol, const dry_term *v, int k,
                         const char *name, double *value) {
    const dry_given *own = find(elab, name), *whole = find(elab, symbol->name);
    if (own && own->rank == 0)
        *value = own->number[0];
    else if (whole && v->rank && fits(whole, v))
        *value = whole->number[k];
    else
        return false;
    return true;
}

/* ---- what fits ----------------------------------------------------------------------- */

static const char *shape_of(dry_elab *elab, const dry_given *given) {
    const dry_term v = {.rank = given->rank, .rows = given->rows, .cols = given->cols};
    return dry_lang_shape(elab, &v);
}

static void refuse_name(dry_elab *elab, const char *name) {
    const char **names =
        dry_heap_take(elab->arena, (size_t)(elab->quantities.n_params + 1), sizeof *names);
    for (int k = 0; names && k < elab->quantities.n_params; k++)
        names[k] = elab->quantities.param[k].name;
    const char *nearest = names ? dry_diag_nearest(name, names, elab->quantities.n_params) : NULL;
    DRY_SAY(elab->diag, (dry_place){0}, NO_SUCH_PARAM, name);
    if (nearest) dry_diag_mean(elab->diag, nearest);
    free((void *)names);
}

/* Refuses a setting whose shape is not that of the parameter. */
static void check_shape(dry_elab *elab, const dry_given *given, const char *name, dry_place at,
                        const dry_term *v) {
    if (!given->number || v->bad || fits(given, v)) return;
    DRY_SAY(elab->diag, at, SETTING_SHAPE, name, dry_lang_shape(elab, v), shape_of(elab, given));
    if (v->rank == 1 && given->rank == 0)
        dry_diag_way_out(elab->diag,
                         "give a list of all its numbers, %s=[...], or set one of its elements, "
                         "such as %s[1]",
                         name, name);
}

/* Returns the parameter, or the element of a parameter, of that name; -1 if there is none. */
static int find_entry(const dry_elab *elab, const char *name) {
    for (int k = 0; k < elab->quantities.n_params; k++)
        if (!elab->quantities.param[k].hidden && !strcmp(elab->quantities.param[k].name, name))
            return k;
    return -1;
}

void dry_lang__check_settings(dry_elab *elab) {
    static const dry_term number = {.rows = 1, .cols = 1};
    for (int i = 0; elab->given && i < elab->options->n_settings; i++) {
        const char *name = elab->options->settings[i].name;
        const dry_symbol *symbol = dry_lang_find(elab, name);
        const int entry = find_entry(elab, name);
        if (dry_lang__is_part_setting(elab, name)) continue;
        if (symbol && symbol->kind == DRY_SYM_PARAM)
            check_shape(elab, &elab->given[i], name, symbol->at, &symbol->value);
        else if (entry >= 0)
            check_shape(elab, &elab->given[i], name, elab->quantities.param[entry].at, &number);
        else
            refuse_name(elab, name);
    }
}

bool dry_lang__setting_fits_dim(dry_elab *elab, const dry_given *given, const char *name,
                                dry_place at, dry_dim dim) {
    if (!given->number || !given->has_unit || dry_dim_unify(elab->dims, dim, given->dim))
        return true;
    DRY_SAY(elab->diag, at, SETTING_DIMENSION, name, dry_lang__dim_name(elab, dim),
            dry_lang__dim_name(elab, given->dim));
    return false;
}

/* The number of a part that no key of the text names, such as a joint of a robot. */
static void check_net_dim(dry_elab *elab, const dry_given *given, const char *name) {
    const dry_system *net = elab->scene.net_system;
    for (int k = 0; net && k < net->n_par; k++)
        if (!strcmp(net->params[k].name, name))
            dry_lang__setting_fits_dim(elab, given, name, (dry_place){0},
                                       dry_lang_unit_dim(elab, net->params[k].unit));
}

void dry_lang_setting_dims(dry_elab *elab) {
    for (int i = 0; elab->given && i < elab->options->n_settings; i++) {
        const char *name = elab->options->settings[i].name;
        const dry_symbol *symbol = dry_lang_find(elab, name);
        const int entry = find_entry(elab, name);
        if (symbol && symbol->kind == DRY_SYM_PARAM)
            dry_lang__setting_fits_dim(elab, &elab->given[i], name, symbol->at, symbol->value.dim);
        else if (entry >= 0)
            dry_lang__setting_fits_dim(elab, &elab->given[i], name,
                                       elab->quantities.param[entry].at,
                                       elab->quantities.param[entry].dim);
        else if (elab->scene.setting_used && !elab->scene.setting_used[i])
            check_net_dim(elab, &elab->given[i], name);
    }
}
