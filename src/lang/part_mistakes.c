/* part_mistakes: mistakes that the net collects (net.h, dry_mistake) get the place of the text that
 * they are about. */
#include "lang_private.h"

#include <math.h>
#include <string.h>

/* ---- where -------------------------------------------------------------------------------- */

enum { NODES_PER_WIRE = 20, BYTES_PER_NODE = 200 };

bool dry_lang__note_wire(dry_elab *elab, const char *name, const char *end, dry_place at) {
    const bool fits = elab->scene.n_wires < elab->scope.most_nodes / NODES_PER_WIRE &&
                      dry_arena_used(dry_net_arena(elab->scene.net)) / BYTES_PER_NODE <
                          (size_t)elab->scope.most_nodes;
    dry_wire *wire = fits ? DRY_GROW(elab->arena, &elab->scene, wire) : NULL;
    if (wire)
        *wire = (dry_wire){.name = name, .end = end, .at = at};
    else
        dry_lang__spend(elab, at, (double)INFINITY);
    return wire != NULL;
}

/* The place of what a mistake is about: the last connection of that name and end, or else the part
 * itself, which is noted before its connections. */
static dry_place place_of(const dry_elab *elab, const dry_mistake *mistake) {
    dry_place at = {0};
    if (!mistake->name) return at;
    const size_t part = strcspn(mistake->name, ".");
    for (int i = 0; i < elab->scene.n_wires; i++) {
        const dry_wire *wire = &elab->scene.wire[i];
        const bool ends = !mistake->end || !wire->end || !strcmp(wire->end, mistake->end);
        if (!strcmp(wire->name, mistake->name) && ends) at = wire->at;
        if (!at.line && !strncmp(wire->name, mistake->name, part) && !wire->name[part])
            at = wire->at;
    }
    return at;
}

/* The key of a part's call; else nothing. */
static dry_place place_of_key(const dry_expr *call, const char *key) {
    for (int i = 0; key && i < call->n_keys; i++)
        if (!strcmp(call->key[i].name, key)) return call->key[i].at;
    return (dry_place){0};
}

/* ---- what to do --------------------------------------------------------------------------- */

static void tell(dry_elab *elab, const dry_mistake *m, dry_place at) {
    const char *name = m->name ? m->name : "";
    const char *part = dry_diag_text(elab->diag, "%.*s", (int)strcspn(name, ".["), name);
    if (dry_lang__lost(elab, part)) return; /* what the text says about it could not be read */
    if (dry_lang__tell_setting(elab, m)) return;
    DRY_SAY(elab->diag, at, WIRING,
            dry_diag_text(elab->diag, "%s%s%s", name, *name ? ": " : "", m->what));
    const dry_symbol *symbol = dry_lang_find(elab, part);
    if (m->way_out)
        dry_diag_way_out(elab->diag, "%s", m->way_out);
    else if (symbol && symbol->kind == DRY_SYM_PART)
        dry_diag_way_out(elab->diag, "`drystone parts %s` lists its keys, ports and units",
                         symbol->stmt->value->text);
}

void dry_lang__tell_mistakes(dry_elab *elab, int from, const dry_place *at) {
    const int n = dry_net_mistake_count(elab->scene.net);
    for (int i = from; i < n && i < from + DRY_MOST_MESSAGES; i++) {
        const dry_mistake *mistake = dry_net_mistake(elab->scene.net, i);
        tell(elab, mistake, at ? *at : place_of(elab, mistake));
    }
}

void dry_lang__tell_part_mistake(dry_elab *elab, const dry_stmt *stmt, const dry_mistake *mistake) {
    const dry_place key = place_of_key(stmt->value, mistake->key);
    if (mistake->in_file)
        dry_lang__tell_robot(elab, key, mistake);
    else
        tell(elab, mistake, key.line ? key : stmt->at);
}
