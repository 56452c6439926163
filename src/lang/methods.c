/* methods: every method that a model can name, from all rooms, and the method of a run. */
#include "lang_private.h"

#include <drystone/rigid.h>
#include <drystone/stiff.h>

#include <stdio.h>
#include <string.h>

int dry_model_method_count(void) {
    return dry_method_count() + dry_stiff_method_count() + dry_rigid_method_count();
}

const dry_method *dry_model_method_at(int index) {
    const int own = dry_method_count(), stiff = dry_stiff_method_count();
    return index < own           ? dry_method_at(index)
           : index < own + stiff ? dry_stiff_method_at(index - own)
                                 : dry_rigid_method_at(index - own - stiff);
}

const dry_method *dry_model_method_find(const char *name) {
    const dry_method *row = dry_method_find(name);
    if (!dry_method_found(row)) row = dry_stiff_method_find(name);
    return dry_method_found(row) ? row : dry_rigid_method_find(name);
}

const char *dry_model_method_names(char *text, size_t room) {
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < dry_model_method_count(); i++) {
        const char *name = dry_model_method_at(i)->name;
        if (n + 2 + strlen(name) >= room) break;
        n += (size_t)snprintf(text + n, room - n, "%s%s", n ? ", " : "", name);
    }
    return text;
}

const char *dry_lang_method(const dry_elab *elab) { return dry_lang_method_row(elab)->name; }

bool dry_lang_keeps_sets(const dry_elab *elab) {
    return (dry_lang_method_row(elab)->takes & DRY_TAKES_SETS) != 0;
}

const dry_method *dry_lang_method_row(const dry_elab *elab) {
    return elab->run.method ? elab->run.method : dry_method_standard();
}

void dry_lang_check_method(const dry_elab *elab) {
    const dry_method *method = dry_lang_method_row(elab);
    const char *lacks = dry_method_lacks(method);
    char all[400];
    if (!dry_method_found(method))
        DRY_SAY(elab->diag, dry_lang_run_place(elab), UNKNOWN_METHOD, method->name,
                dry_diag_text(elab->diag, "%s", dry_model_method_names(all, sizeof all)));
    else if (lacks)
        DRY_SAY(elab->diag, dry_lang_run_place(elab), INCOMPLETE_ROW, "method", method->name,
                lacks);
}
