/* set_name: the names by which -p sets the parameters of a system. Parameters of the text keep
 * their names. Parameters of parts have the names of the keys of their kinds; the net calls their
 * starts p0 and v0. */
#include "model_private.h"

#include <stdio.h>
#include <string.h>

/* Returns the length of the kind's key in "mass", "p0" or "p0[2]"; 0 if the kind has no such
 * key. */
static size_t key_length(const dry_kind *kind, const char *word) {
    const size_t whole = strcspn(word, "[");
    for (size_t n = whole; n > 0 && (n == whole || word[n] == '0'); n--)
        for (int i = 0; i < kind->n_params; i++)
            if (!strncmp(kind->params[i].name, word, n) && !kind->params[i].name[n]) return n;
    return 0;
}

static bool text_gives(const dry_expr *call, const char *key, size_t length) {
    for (int i = 0; i < call->n_keys; i++)
        if (!strncmp(call->key[i].name, key, length) && !call->key[i].name[length]) return true;
    return false;
}

/* Writes the setting of parameter number `par` of the net. */
static bool part_setting(const dry_elab *elab, int par, char *text, size_t size) {
    const int index = dry_net_part_of_par(elab->scene.net, par);
    const dry_symbol *symbol = dry_lang_owner(elab, index);
    const dry_kind *kind = dry_part_kind_find(symbol->stmt->value->text);
    const char *part, *key = dry_net_par_name(elab->scene.net, par);
    (void)dry_net_part_at(elab->scene.net, index, &part);
    const size_t n = kind->build ? 0 : key_length(kind, key);
    const char *element = strchr(key, '[');
    if (kind->build) return snprintf(text, size, "%s.%s", part, key) < (int)size;
    if (!n || (element && !text_gives(symbol->stmt->value, key, n))) return false;
    return snprintf(text, size, "%s.%.*s%s", part, (int)n, key, element ? element : "") < (int)size;
}

bool dry_model_par_setting(const dry_model *model, int par, char *text, size_t size) {
    const dry_elab *elab = &model->elab;
    if (par < 0 || par >= model->system.n_par) return false;
    const int own = elab->quantities.n_params;
    if (par >= own) return part_setting(elab, par - own, text, size);
    return !elab->quantities.param[par].hidden &&
           snprintf(text, size, "%s", model->system.params[par].name) < (int)size;
}
