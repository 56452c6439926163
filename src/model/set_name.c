/* set_name: the names by which -p sets the parameters of a system. Parameters of the text keep
 * their names. Parameters of parts have the names of the keys of their kinds; the net calls their
 * starts p0 and v0. */
#include "model_private.h"

#include <stdio.h>
#include <string.h>

/* The key of a kind that gives a parameter of a part. */
typedef struct origin {
    const char *key;
    int number; /* of the numbers of the key, from 1; 0: the key has one */
} origin;

/* Returns true if `word` is the parameter of the key, or number `to->number` of it: the key's name,
 * with 0 after it for a start. */
static bool is_from(const char *word, const dry_kind_param *row, const char *after, origin *to) {
    char name[64];
    *to = (origin){.key = row->name};
    snprintf(name, sizeof name, "%s%s", row->name, after);
    if (!strcmp(word, name)) return true;
    if (strncmp(word, name, strlen(name)) != 0) return false;
    while (to->number++ < row->most) {
        snprintf(name, sizeof name, "%s%s[%d]", row->name, after, to->number);
        if (!strcmp(word, name)) return true;
    }
    return false;
}

/* The row of that key; NULL: there is none. */
static const dry_kind_param *find_origin(const dry_kind *kind, const char *word, origin *to) {
    static const char *const after[] = {"", "0"};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < kind->n_params; i++)
            if (is_from(word, &kind->params[i], after[k], to)) return &kind->params[i];
    return NULL;
}

static bool text_gives(const dry_expr *call, const char *key) {
    for (int i = 0; i < call->n_keys; i++)
        if (!strcmp(call->key[i].name, key)) return true;
    return false;
}

/* Writes the setting of parameter number `par` of the net. */
static bool part_setting(const dry_elab *elab, int par, char *text, size_t size) {
    const int index = dry_net_part_of_par(elab->scene.net, par);
    const dry_symbol *symbol = dry_lang_owner(elab, index);
    const dry_kind *kind = dry_part_kind_find(symbol->stmt->value->text);
    const char *part, *word = dry_net_par_name(elab->scene.net, par);
    origin from;
    (void)dry_net_part_at(elab->scene.net, index, &part);
    if (kind->build) return snprintf(text, size, "%s.%s", part, word) < (int)size;
    if (!find_origin(kind, word, &from)) return false;
    if (!from.number) return snprintf(text, size, "%s.%s", part, from.key) < (int)size;
    return text_gives(symbol->stmt->value, from.key) &&
           snprintf(text, size, "%s.%s[%d]", part, from.key, from.number) < (int)size;
}

bool dry_model_par_setting(const dry_model *model, int par, char *text, size_t size) {
    const dry_elab *elab = &model->elab;
    if (par < 0 || par >= model->system.n_par) return false;
    const int own = elab->quantities.n_params;
    if (par >= own) return part_setting(elab, par - own, text, size);
    return !elab->quantities.param[par].hidden &&
           snprintf(text, size, "%s", model->system.params[par].name) < (int)size;
}

const char *dry_model_par_not_given(const dry_model *model, int par) {
    const dry_elab *elab = &model->elab;
    const int own = elab->quantities.n_params;
    if (par < own || par >= model->system.n_par || !(model->system.par[par] < 0.0)) return NULL;
    const dry_symbol *symbol =
        dry_lang_owner(elab, dry_net_part_of_par(elab->scene.net, par - own));
    const char *word = dry_net_par_name(elab->scene.net, par - own);
    origin from;
    const dry_kind_param *row =
        find_origin(dry_part_kind_find(symbol->stmt->value->text), word, &from);
    return row ? dry_key_not_given(row) : NULL;
}
