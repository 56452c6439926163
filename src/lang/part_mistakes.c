/* part_mistakes: mistakes that the net collects get the place of the text that they are about, and
 * the way out that they end with: "spring: the port is connected twice: add a part for each". */
#include "elab.h"

#include <math.h>
#include <string.h>

/* Of names in a text. */
#define WORD_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* ---- where -------------------------------------------------------------------------------- */

enum { NODES_PER_WIRE = 20, BYTES_PER_NODE = 200 };

bool dry_lang__note_wire(dry_elab *elab, const char *name, const char *end, dry_place at) {
    const bool fits =
        elab->n_wires < elab->most_nodes / NODES_PER_WIRE &&
        dry_arena_used(dry_net_arena(elab->net)) / BYTES_PER_NODE < (size_t)elab->most_nodes;
    dry_wire *wire = fits ? DRY_GROW(elab, wire) : NULL;
    if (wire)
        *wire = (dry_wire){.name = name, .end = end, .at = at};
    else
        dry_lang__spend(elab, at, (double)INFINITY);
    return wire != NULL;
}

/* Whether a mistake is about this end, "touch: end a, ball: ..."; about none it fits all. */
static bool is_about(const char *mistake, const char *end) {
    const char *says = strstr(mistake, ": end a, ");
    if (!says || !end) return true;
    says += strlen(": end a, ");
    const size_t n = strlen(end);
    return !strncmp(says, end, n) && strchr(",: ", says[n]);
}

/* The place of what a mistake begins with, "joint.ends: ...": the last connection of that name, or
 * else the part. */
static dry_place place_of(const dry_elab *elab, const char *mistake) {
    const size_t whole = strcspn(mistake, ": "), part = strcspn(mistake, ".: ");
    dry_place at = {0};
    for (int i = 0; i < elab->n_wires; i++) {
        const dry_wire *wire = &elab->wire[i];
        const char *name = wire->name;
        if (!strncmp(name, mistake, whole) && !name[whole] && is_about(mistake, wire->end))
            at = wire->at;
        if (!at.line && !strncmp(name, mistake, part) && !name[part]) at = wire->at;
    }
    return at;
}

/* The first of the keys that a mistake mentions; else nothing. */
static dry_place key_in(const dry_expr *call, const char *mistake) {
    const char *word = strstr(mistake, ": ");
    while (word && *word) {
        const size_t n = strspn(word, WORD_LETTERS);
        for (int i = 0; n && i < call->n_keys; i++)
            if (!strncmp(call->key[i].name, word, n) && !call->key[i].name[n])
                return call->key[i].at;
        word += n + strcspn(word + n, WORD_LETTERS);
    }
    return (dry_place){0};
}

/* ---- what to do --------------------------------------------------------------------------- */

/* How a way out begins. */
static const char *const ways[] = {"add ",  "connect ", "correct ",  "divide ", "for an angle ",
                                   "give ", "it has ",  "it takes ", "leave ",  "lower alpha ",
                                   "make ", "name ",    "put ",      "rename ", "say ",
                                   "use ",  "write "};

/* Where the way out begins that a mistake ends with, behind what it is about; NULL: it has none. */
static const char *way_in(const char *mistake) {
    const char *colon = strstr(mistake, ": ");
    while (colon && (colon = strstr(colon + 2, ": ")))
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            if (!strncmp(colon + 2, ways[i], strlen(ways[i]))) return colon + 2;
    return NULL;
}

/* ---- both --------------------------------------------------------------------------------- */

static void tell(dry_elab *elab, const char *text, dry_place at) {
    const char *way = way_in(text);
    const char *part = dry_lang__text(elab->report, "%.*s", (int)strcspn(text, ".[: "), text);
    if (dry_lang__lost(elab, part)) return; /* what the text says about it could not be read */
    if (dry_lang__tell_setting(elab, text)) return;
    const int length = (int)(way ? (size_t)(way - text) - 2 : strlen(text));
    DRY_SAY(elab->report, at, WIRING, dry_lang__text(elab->report, "%.*s", length, text));
    const dry_symbol *symbol = dry_lang__find(elab, part);
    if (way)
        dry_lang__way_out(elab->report, "%s", way);
    else if (symbol && symbol->kind == DRY_SYM_PART)
        dry_lang__way_out(elab->report, "`drystone parts %s` lists its keys, ports and units",
                          symbol->stmt->value->text);
}

void dry_lang__tell_mistakes(dry_elab *elab, int from, const dry_place *at) {
    const int n = dry_net_mistake_count(elab->net);
    for (int i = from; i < n && i < from + DRY_MOST_MESSAGES; i++) {
        const char *text = dry_net_mistake(elab->net, i);
        tell(elab, text, at ? *at : place_of(elab, text));
    }
}

void dry_lang__tell_part_mistake(dry_elab *elab, const dry_stmt *stmt, const dry_kind *kind,
                                 const dry_value *values, int n, const char *mistake) {
    const dry_place key = key_in(stmt->value, mistake), file = key_in(stmt->value, ": file");
    if (!kind->build || !dry_lang__tell_robot(elab, file, values, n, mistake))
        tell(elab, mistake, key.line ? key : stmt->at);
}
