/* The names by which -p sets the parameters of a system: those of the text as they are, those of
 * parts by the keys of their kinds, whose starts are called p0 and v0 in the net. */
#include "model_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part that has a parameter of the net: ball of ball.mass and ball[2].mass, or robot of
 * robot_joints.K; NULL: none of the text. */
static const dry_symbol *part_of(const dry_elab *elab, const char *name) {
    const size_t length = strcspn(name, ".[");
    char *head = dry_heap_take(elab->arena, length + 1, 1);
    const dry_symbol *part = NULL;
    if (head) memcpy(head, name, length);
    for (size_t n = length; head && n > 0 && !part; n--) {
        if (n < length && name[n] != '_') continue;
        head[n] = '\0';
        part = dry_lang_find(elab, head);
        if (part && part->kind != DRY_SYM_PART) part = NULL;
    }
    free(head);
    return part;
}

/* The length of the key of the kind in "mass", "p0" or "p0[2]"; 0: it has no such key. */
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

static bool part_setting(const dry_elab *elab, const char *name, char *text, size_t size) {
    const dry_symbol *part = part_of(elab, name);
    const dry_kind *kind = part ? dry_part_kind_find(part->stmt->value->text) : NULL;
    const char *key = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;
    if (!kind) return false;
    const size_t n = key_length(kind, key);
    const char *element = strchr(key, '[');
    if (!n && kind->build) return snprintf(text, size, "%s", name) < (int)size;
    if (!n || (element && !text_gives(part->stmt->value, key, n))) return false;
    return snprintf(text, size, "%.*s%s", (int)(key - name) + (int)n, name,
                    element ? element : "") < (int)size;
}

bool dry_model_par_setting(const dry_model *model, int par, char *text, size_t size) {
    const dry_elab *elab = &model->elab;
    if (par < 0 || par >= model->system.n_par) return false;
    const char *name = model->system.params[par].name;
    if (par >= elab->quantities.n_params) return part_setting(elab, name, text, size);
    return !elab->quantities.param[par].hidden && snprintf(text, size, "%s", name) < (int)size;
}
