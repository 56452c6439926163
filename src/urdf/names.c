/* names: checks the names of links and joints. They name the ports of the arm, so no two links and
 * no two joints may share a name. A link with the name of a moving joint gets another name. */
#ifdef DRY_WITH_XML
#include "urdf/urdf_private.h"

#include <stdlib.h>
#include <string.h>

typedef enum group { LINK, JOINT } group;

typedef struct entry {
    const char *name;
    const xmlNode *node;
    int order; /* in the file */
    group group;
} entry;

static int compare(const void *a, const void *b) {
    const entry *x = a, *y = b;
    const int names = strcmp(x->name, y->name);
    if (names != 0) return names;
    return x->group != y->group ? (x->group > y->group) - (x->group < y->group)
                                : (x->order > y->order) - (x->order < y->order);
}

static int collect(reader *r, const xmlNode *root, entry *entries) {
    int count = 0;
    for (const xmlNode *n = root->children; n != NULL && r->status == DRY_OK; n = n->next) {
        if (!dry_urdf__is(n, "link") && !dry_urdf__is(n, "joint")) continue;
        const char *name = dry_urdf__word(r, n, "name", true);
        if (name != NULL && *name == '\0') dry_urdf__mistake(r, n, "its name is empty");
        if (entries != NULL)
            entries[count] = (entry){name, n, count, dry_urdf__is(n, "link") ? LINK : JOINT};
        count++;
    }
    return count;
}

/* Reports two neighbours of the sorted list that have the same name. */
static void refuse(reader *r, const entry *a, const entry *b) {
    const entry *first = a->order < b->order ? a : b, *second = first == a ? b : a;
    dry_urdf__mistake(r, second->node, "the name '%.80s' is already used by the <%s> on line %d",
                      second->name, (const char *)first->node->name, dry_urdf__line(first->node));
}

void dry_urdf__names(reader *r, const xmlNode *root) {
    const int count = collect(r, root, NULL);
    entry *entries = dry_arena_take(r->arena, (size_t)(count + 1) * sizeof *entries);
    if (entries == NULL) r->status = DRY_NO_MEMORY;
    if (r->status != DRY_OK) return;
    collect(r, root, entries);
    if (r->status != DRY_OK) return;
    qsort(entries, (size_t)count, sizeof *entries, compare);
    for (int i = 1; i < count; i++) {
        const entry *a = &entries[i - 1], *b = &entries[i];
        if (a->group == b->group && strcmp(a->name, b->name) == 0) refuse(r, a, b);
    }
}

/* ---- a link called like a joint ---------------------------------------------------------- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_in(const char *const *names, int n, const char *name) {
    return bsearch(&name, names, (size_t)n, sizeof *names, by_text) != NULL;
}

void dry_urdf__part_names(reader *r, int n, dry_link *links, const xmlNode **elements) {
    const char **names = dry_arena_take(r->arena, 2 * (size_t)n * sizeof *names);
    int count = 0;
    if (names == NULL) {
        r->status = DRY_NO_MEMORY;
        return;
    }
    for (int i = 0; i < n; i++)
        if (links[i].kind != DRY_WELD) names[count++] = links[i].joint;
    const char **own = names + count;
    for (int i = 0; i < n; i++) own[i] = links[i].name;
    qsort(names, (size_t)count, sizeof *names, by_text);
    qsort(own, (size_t)n, sizeof *own, by_text);
    for (int i = 0; i < n; i++) {
        const char *name = links[i].name;
        if (!is_in(names, count, name)) continue;
        do name = dry_urdf__join(r->arena, name, "_", "link");
        while (*name != '\0' && (is_in(names, count, name) || is_in(own, n, name)));
        dry_urdf__remark_like(
            r, elements[i],
            "'%.60s' is also the name of a joint: in a model, the link is called '%.60s'",
            links[i].name, name);
        links[i].name = name;
    }
}

/* Bytes of a Latin letter, _ or a Greek letter, of which the names of a model are made. */
static size_t letter(const char *c) {
    const unsigned char a = (unsigned char)c[0];
    if ((a >= 'a' && a <= 'z') || (a >= 'A' && a <= 'Z') || a == '_') return 1;
    return a >= 0xCD && a <= 0xCF && c[1] != '\0' ? 2 : 0;
}

bool dry_urdf__is_name(const char *text) {
    if (letter(text) == 0) return false;
    while (*text != '\0') {
        const size_t n = *text >= '0' && *text <= '9' ? 1 : letter(text);
        if (n == 0) return false;
        text += n;
    }
    return true;
}
#else
typedef int dry_urdf__no_names; /* a file needs something in it */
#endif
