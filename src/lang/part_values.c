/* part_values: the values of a part, by the keys of its kind. The text gives them, or settings such
 * as -p ball.mass=2 replace them, so that the kind derives everything from the new values. */
#include "lang_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- values of the text --------------------------------------------------------------------- */

static const dry_kind_param *param_of(dry_elab *elab, const dry_kind *kind, const dry_key *key) {
    const char *names[64];
    int n = 0;
    for (int i = 0; i < kind->n_params; i++) {
        if (!strcmp(kind->params[i].name, key->name)) return &kind->params[i];
        if (n < 64) names[n++] = kind->params[i].name;
    }
    dry_diag_unknown_key(elab->diag, key->at, kind->name, key->name, names, n);
    if (!dry_diag_nearest(key->name, names, n))
        dry_diag_way_out(elab->diag, "`drystone parts %s` lists its keys", kind->name);
    return NULL;
}

static bool word_value(dry_elab *elab, const dry_key *key, dry_value *value) {
    const dry_expr *expr = key->value;
    if (expr->kind != DRY_EX_NAME && expr->kind != DRY_EX_TEXT) {
        DRY_SAY(elab->diag, expr->at, WORD_WANTED, key->name);
        return false;
    }
    value->word =
        strcmp(key->name, "file") ? expr->text : dry_lang__path(elab, expr->text, expr->at);
    return true;
}

bool dry_lang__numbers(dry_elab *elab, const dry_expr *expr, const char *what, const char *unit,
                       dry_numbers *numbers) {
    dry_term v = dry_lang__expr(elab, expr);
    if (v.bad) return false;
    if (unit && !dry_lang__same_dim(elab, expr->at, what, v.dim, dry_lang_unit_dim(elab, unit)))
        return false;
    const int count = dry_term_size(&v);
    double *known = dry_arena_take(elab->arena, sizeof *known * (size_t)(count + 1));
    *numbers = (dry_numbers){known, count, v.dim};
    for (int k = 0; known && k < count; k++) {
        dry_lang_fix(elab, dry_term_at(&v, k));
        if (!dry_lang__known(elab, dry_term_at(&v, k), &known[k])) {
            DRY_SAY(elab->diag, expr->at, NOT_CONSTANT, what);
            return false;
        }
    }
    return known != NULL;
}

static bool number_value(dry_elab *elab, const dry_key *key, const char *unit, dry_value *value) {
    dry_numbers numbers;
    if (!dry_lang__numbers(elab, key->value, key->name, unit, &numbers)) return false;
    value->numbers = numbers.value;
    value->count = numbers.count;
    return true;
}

static bool is_new(dry_elab *elab, const dry_expr *call, int i) {
    for (int k = 0; k < i; k++)
        if (!strcmp(call->key[i].name, call->key[k].name)) {
            DRY_SAY(elab->diag, call->key[i].at, KEY_TWICE, call->key[i].name);
            return false;
        }
    return true;
}

static bool read_value(dry_elab *elab, const dry_kind *kind, const dry_key *key, dry_value *value) {
    const dry_kind_param *row = param_of(elab, kind, key);
    *value = (dry_value){.key = key->name, .line = key->at.line, .column = key->at.column};
    if (!row) return false;
    return row->unit ? number_value(elab, key, row->unit, value) : word_value(elab, key, value);
}

/* ---- settings in their place ---------------------------------------------------------------- */

/* The target of a setting: number `index` of a key, from 1; 0 means the whole key. */
typedef struct aim {
    const dry_kind_param *row;
    int index;
    int file; /* of the text of the part */
} aim;

static bool aim_at(const dry_kind *kind, const char *name, aim *to) {
    const size_t length = strcspn(name, "[");
    char *end = NULL;
    const long index = name[length] ? strtol(name + length + 1, &end, 10) : 0;
    if (name[length] && (index < 1 || index > 1000000 || strcmp(end, "]") != 0)) return false;
    for (int i = 0; i < kind->n_params; i++) {
        *to = (aim){.row = &kind->params[i], .index = (int)index};
        if (!strncmp(to->row->name, name, length) && !to->row->name[length]) return true;
    }
    return false;
}

static void refuse(dry_elab *elab, const dry_setting *setting, const char *way_out) {
    DRY_SAY(elab->diag, (dry_place){0}, NO_SUCH_PARAM, setting->name);
    if (way_out) dry_diag_way_out(elab->diag, "%s", way_out);
}

static void refuse_key(dry_elab *elab, const dry_kind *kind, const dry_setting *setting,
                       const char *key) {
    const char *names[64];
    int n = 0;
    for (int i = 0; i < kind->n_params && n < 64; i++)
        if (kind->params[i].unit) names[n++] = kind->params[i].name;
    const char *nearest = dry_diag_nearest(key, names, n);
    refuse(elab, setting,
           nearest ? dry_diag_text(elab->diag, "did you mean `%.*s%s`?", (int)(key - setting->name),
                                   setting->name, nearest)
                   : dry_diag_text(elab->diag, "`drystone parts %s` lists its keys", kind->name));
}

/* Returns why a setting cannot replace the key, which has `count` numbers; NULL if it can. */
static const char *misfit(dry_elab *elab, const aim *to, int count) {
    const char *key = to->row->name;
    if (!to->row->unit)
        return dry_diag_text(elab->diag, "`%s` takes a word: set it in the text of the model", key);
    if (!count)
        return dry_diag_text(elab->diag,
                             "the text of the model does not give `%s`: give all its numbers, here "
                             "or there, before you set one of them",
                             key);
    if (to->index > count)
        return dry_diag_text(elab->diag, "`%s` has %d number%s", key, count, count > 1 ? "s" : "");
    return NULL;
}

static const char *shape_of(dry_elab *elab, int count) {
    const dry_term v = {.rank = count > 1, .rows = count, .cols = 1};
    return dry_lang_shape(elab, &v);
}

/* Returns whether a setting gives as many numbers as it must, in a unit of the key; otherwise it
 * reports the difference at the key. */
static bool fits(dry_elab *elab, int index, const aim *to, const dry_value *value, int count) {
    const char *name = elab->options->settings[index].name;
    const dry_given *given = &elab->given[index];
    const dry_place at = {value->line, value->column, 1, to->file};
    const int n = given->rows * given->cols, wanted = to->index ? 1 : count;
    if (n == wanted)
        return dry_lang__setting_fits_dim(elab, given, name, at,
                                          dry_lang_unit_dim(elab, to->row->unit));
    DRY_SAY(elab->diag, at, SETTING_SHAPE, name, shape_of(elab, wanted), shape_of(elab, n));
    if (n == 1)
        dry_diag_way_out(elab->diag,
                         "give a list of all its numbers, %s=[...], or set one of them, such as "
                         "%s[1]",
                         name, name);
    return false;
}

/* Returns the numbers of the key with those of the setting in place; NULL without memory. */
static const double *replaced(dry_elab *elab, const aim *to, const dry_value *value,
                              const dry_given *given, int count) {
    double *numbers = dry_arena_take(elab->arena, sizeof *numbers * (size_t)count);
    for (int i = 0; numbers && i < value->count; i++) numbers[i] = value->numbers[i];
    for (int i = 0; numbers && i < given->rows * given->cols; i++)
        numbers[to->index ? to->index - 1 : i] = given->number[i];
    return numbers;
}

/* Returns how many numbers a setting gives a key that the text omits; 0 if it cannot. */
static int omitted_count(const aim *to, const dry_given *given) {
    const dry_kind_param *row = to->row;
    const int n = given->rows * given->cols;
    if (to->index) return row->most == 1;
    return n >= row->least && n <= row->most ? n : row->least;
}

/* Replaces the value of the part in values[0 .. n) by one setting; returns the new n. A setting can
 * also give a key that the text omits, if it gives all its numbers. */
static int replace(dry_elab *elab, int index, const aim *to, dry_value *values, int n) {
    const dry_setting *setting = &elab->options->settings[index];
    const dry_given *given = &elab->given[index];
    const dry_kind_param *row = to->row;
    int k = 0;
    if (!given->number) return n; /* has been reported */
    while (k < n && strcmp(values[k].key, row->name) != 0) k++;
    if (k == n) values[k] = (dry_value){.key = row->name};
    const int count = k < n ? values[k].count : omitted_count(to, given);
    const char *wrong = misfit(elab, to, count);
    if (wrong) refuse(elab, setting, wrong);
    if (wrong || !fits(elab, index, to, &values[k], count)) return n;
    const double *numbers = replaced(elab, to, &values[k], given, count);
    if (!numbers) return n;
    values[k].numbers = numbers;
    values[k].count = count;
    return k == n ? n + 1 : n;
}

/* Returns the key in ball.mass, of the part ball; NULL if the setting is for another part. */
static const char *key_of(const char *setting, const char *part) {
    const size_t n = strlen(part);
    return !strncmp(setting, part, n) && setting[n] == '.' ? setting + n + 1 : NULL;
}

/* Kinds that read a file have parameters besides their keys. Leaves the settings of these
 * parameters to the net. */
static int replace_all(dry_elab *elab, const dry_kind *kind, const dry_expr *call, const char *part,
                       dry_value *values) {
    int n = call->n_keys;
    for (int i = 0; i < elab->options->n_settings; i++) {
        const dry_setting *setting = &elab->options->settings[i];
        const char *key = key_of(setting->name, part);
        aim to;
        if (!key) continue;
        const bool known = aim_at(kind, key, &to);
        to.file = call->at.file;
        if (!known && kind->build) continue;
        elab->scene.setting_used[i] = true;
        if (known)
            n = replace(elab, i, &to, values, n);
        else
            refuse_key(elab, kind, setting, key);
    }
    return n;
}

const dry_value *dry_lang__part_values(dry_elab *elab, const dry_expr *call, const dry_kind *kind,
                                       const char *name, int *n) {
    const size_t room = (size_t)call->n_keys + (size_t)elab->options->n_settings + 1;
    dry_value *values = dry_arena_take(elab->arena, sizeof *values * room);
    bool good = values != NULL;
    for (int i = 0; values && i < call->n_keys; i++) {
        good = is_new(elab, call, i) && good;
        good = read_value(elab, kind, &call->key[i], &values[i]) && good;
    }
    if (!good) return NULL;
    *n = replace_all(elab, kind, call, name, values);
    return values;
}

/* ---- settings that are left ----------------------------------------------------------------- */

/* The part named by the first `length` letters of a setting, or that made what they name. */
static const dry_symbol *part_named(const dry_elab *elab, const char *setting, size_t length) {
    for (size_t n = length; n > 0 && setting[n - 1] != '.'; n--) {
        if (n < length && setting[n] != '_') continue;
        const char *head = dry_arena_text(elab->arena, setting, n);
        const dry_symbol *symbol = head ? dry_lang_find(elab, head) : NULL;
        if (!symbol || symbol->kind != DRY_SYM_PART) continue;
        const dry_kind *kind = dry_part_kind_find(symbol->stmt->value->text);
        return n == length || (kind && kind->build) ? symbol : NULL;
    }
    return NULL;
}

/* Returns the part of the text for a setting: ball for ball.mass and ball[2].mass, m.ball for
 * m.ball.mass, or robot for robot_joints.K, if the robot's kind made robot_joints. */
static const dry_symbol *part_of(const dry_elab *elab, const char *setting) {
    if (!strchr(setting, '.')) return NULL;
    for (size_t length = strcspn(setting, ".[");;
         length += 1 + strcspn(setting + length + 1, ".[")) {
        const dry_symbol *part = setting[length] ? part_named(elab, setting, length) : NULL;
        if (part || setting[length] != '.') return part;
    }
}

bool dry_lang__is_part_setting(const dry_elab *elab, const char *name) {
    return part_of(elab, name) != NULL;
}

void dry_lang__set_rest(dry_elab *elab) {
    for (int i = 0; i < elab->options->n_settings; i++) {
        const dry_setting *setting = &elab->options->settings[i];
        const dry_symbol *part = elab->scene.setting_used[i] ? NULL : part_of(elab, setting->name);
        const dry_kind *kind = part ? dry_part_kind_find(part->stmt->value->text) : NULL;
        if (!kind) continue;
        const dry_given *given = &elab->given[i];
        if (kind->build && given->number)
            dry_net_set(elab->scene.net, setting->name, given->number, given->rows * given->cols);
        else if (!kind->build)
            refuse(elab, setting,
                   part->indexed
                       ? dry_diag_text(elab->diag, "`%s` has elements: %s[1] to %s[%d]", part->name,
                                       part->name, part->name, part->n_elements)
                       : NULL);
    }
}

bool dry_lang__say_setting(dry_elab *elab, const dry_mistake *mistake) {
    for (int i = 0; i < elab->options->n_settings; i++) {
        const dry_setting *setting = &elab->options->settings[i];
        if (elab->scene.setting_used[i] || !mistake->unknown ||
            mistake->about != DRY_ABOUT_SETTING || strcmp(mistake->name, setting->name) != 0)
            continue;
        refuse(elab, setting, dry_diag_text(elab->diag, "%s: %s", mistake->what, mistake->way_out));
        return true;
    }
    return false;
}
