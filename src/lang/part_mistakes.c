/* part_mistakes: finds the place in the text for each mistake that the net collects (net.h,
 * dry_mistake). */
#include "lang_private.h"

#include <math.h>
#include <string.h>

/* ---- where -------------------------------------------------------------------------------- */

enum { NODES_PER_WIRE = 20, BYTES_PER_NODE = 200 };

bool dry_lang__has_room(dry_elab *elab, dry_place at) {
    const dry_scene *scene = &elab->scene;
    const bool fits =
        scene->n_owners + scene->n_wires + scene->n_part_starts <
            elab->scope.most_nodes / NODES_PER_WIRE &&
        dry_arena_used(dry_net_arena(scene->net)) / BYTES_PER_NODE < (size_t)elab->scope.most_nodes;
    if (!fits) dry_lang__spend(elab, at, (double)INFINITY);
    return fits;
}

/* Returns the connection of the text with that number in the net; NULL if a kind made the
 * connection. */
static const dry_wire *wire_of(const dry_scene *scene, int number) {
    const int i = number - scene->first_connection;
    return i >= 0 && i < scene->n_wires ? &scene->wire[i] : NULL;
}

/* The subject of a mistake: its place, and the name of the part in the text. */
typedef struct topic {
    dry_place at;
    const char *part;
} topic;

/* Finds the subject of a mistake. A mistake of a whole part is reported at the part's last
 * connection, if it has one. */
static topic topic_of(const dry_elab *elab, const dry_mistake *m) {
    const dry_scene *scene = &elab->scene;
    const bool is_part = m->about == DRY_ABOUT_PART || m->about == DRY_ABOUT_MEMBER;
    const dry_owner *owner = is_part ? &scene->owner[m->number] : NULL;
    const dry_wire *wire = NULL;
    if (m->about == DRY_ABOUT_CONNECTION) wire = wire_of(scene, m->number);
    if (m->about == DRY_ABOUT_PART && owner->last_wire >= 0) wire = &scene->wire[owner->last_wire];
    if (m->about == DRY_ABOUT_START) {
        const dry_part_start *start = &scene->part_start[m->number];
        return (topic){start->at, start->of.base};
    }
    return (topic){wire    ? wire->at
                   : owner ? owner->at
                           : (dry_place){0},
                   wire    ? wire->of.base
                   : owner ? dry_lang_owner(elab, m->number)->name
                           : ""};
}

/* Returns the place of the key in a part's call; else no place. */
static dry_place place_of_key(const dry_expr *call, const char *key) {
    for (int i = 0; key && i < call->n_keys; i++)
        if (!strcmp(call->key[i].name, key)) return call->key[i].at;
    return (dry_place){0};
}

/* ---- what to do --------------------------------------------------------------------------- */

static void say(dry_elab *elab, const dry_mistake *m, topic of) {
    const char *name = m->name ? m->name : "";
    if (dry_lang__lost(elab, of.part)) return; /* the statement about it could not be read */
    if (dry_lang__say_setting(elab, m)) return;
    DRY_SAY(elab->diag, of.at, WIRING,
            dry_diag_text(elab->diag, "%s%s%s", name, *name ? ": " : "", m->what));
    const dry_symbol *symbol = dry_lang_find(elab, of.part);
    if (m->way_out)
        dry_diag_way_out(elab->diag, "%s", m->way_out);
    else if (symbol && symbol->kind == DRY_SYM_PART)
        dry_diag_way_out(elab->diag, "`drystone parts %s` lists its keys, ports and units",
                         symbol->stmt->value->text);
}

void dry_lang__say_mistakes(dry_elab *elab, int from) {
    const int n = dry_net_mistake_count(elab->scene.net);
    for (int i = from; i < n && i < from + DRY_MOST_MESSAGES; i++) {
        const dry_mistake *mistake = dry_net_mistake(elab->scene.net, i);
        say(elab, mistake, topic_of(elab, mistake));
    }
}

void dry_lang__say_part_mistake(dry_elab *elab, const dry_stmt *stmt, const dry_mistake *mistake) {
    const dry_place key = place_of_key(stmt->value, mistake->key);
    if (mistake->in_file)
        dry_lang__say_robot(elab, key, mistake);
    else
        say(elab, mistake, (topic){key.line ? key : stmt->at, stmt->name});
}
