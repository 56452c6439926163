/* read: reads a URDF file as an arm, and orders links such that each follows its parent. */
#include "urdf/urdf_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef DRY_WITH_XML
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

enum { FILE_LIMIT = 64 << 20, LINK_LIMIT = 100000 };

/* The elements of the file in their order. */
typedef struct draft {
    dry_link *links;          /* as read; parents are not yet known */
    const xmlNode **elements; /* <link> */
    const xmlNode **joints;   /* <joint> by which link i hangs; NULL: the root */
    int *parents;             /* in the order of the file; -1: the root */
    int *first, *next;        /* lists of children */
    int count;
} draft;

bool dry_urdf_has_xml(void) { return true; }

static int count_named(const xmlNode *root, const char *name) {
    int count = 0;
    for (const xmlNode *n = dry_urdf__child(root, name); n; n = dry_urdf__next(n->next, name))
        count++;
    return count;
}

static void *take(reader *r, int count, size_t size) {
    void *memory = dry_arena_take(r->arena, (size_t)(count > 0 ? count : 1) * size);
    if (memory == NULL) r->status = DRY_NO_MEMORY;
    return memory;
}

static void read_links(reader *r, const xmlNode *root, draft *d) {
    int i = 0;
    for (const xmlNode *n = dry_urdf__child(root, "link"); n; n = dry_urdf__next(n->next, "link")) {
        d->elements[i] = n;
        dry_urdf__link(r, n, &d->links[i++]);
        if (r->status != DRY_OK) return;
    }
}

/* Sorted names, so that a robot of many links is read in n log n. */
typedef struct entry {
    const char *name;
    int link;
} entry;

static int by_name(const void *a, const void *b) {
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

static entry *sort_names(reader *r, const draft *d) {
    entry *entries = take(r, d->count, sizeof *entries);
    if (entries == NULL) return NULL;
    for (int i = 0; i < d->count; i++) entries[i] = (entry){d->links[i].name, i};
    qsort(entries, (size_t)d->count, sizeof *entries, by_name);
    return entries;
}

/* The link that <parent link> or <child link> of a joint names; -1 after a mistake. */
static int named_link(reader *r, const draft *d, const entry *entries, const xmlNode *joint,
                      const char *role) {
    const xmlNode *node = dry_urdf__child(joint, role);
    if (node == NULL) {
        dry_urdf__mistake(r, joint, "has no <%s link=\"...\"/>", role);
        return -1;
    }
    const entry key = {dry_urdf__word(r, node, "link", true), 0};
    if (key.name == NULL) return -1;
    const entry *found = bsearch(&key, entries, (size_t)d->count, sizeof *entries, by_name);
    if (found == NULL) dry_urdf__mistake(r, node, "there is no link '%.80s'", key.name);
    return found == NULL ? -1 : found->link;
}

static void hang_links(reader *r, const xmlNode *root, draft *d, const entry *entries) {
    for (const xmlNode *n = dry_urdf__child(root, "joint"); n && r->status == DRY_OK;
         n = dry_urdf__next(n->next, "joint")) {
        const int parent = named_link(r, d, entries, n, "parent");
        const int child = named_link(r, d, entries, n, "child");
        if (r->status != DRY_OK) return;
        if (d->joints[child] != NULL)
            dry_urdf__mistake(r, n, "link '%s' is the child of two joints; loops cannot be read",
                              d->links[child].name);
        d->joints[child] = n;
        d->parents[child] = parent;
    }
}

/* The only link without a joint. */
static int find_root(reader *r, const xmlNode *root, const draft *d) {
    int found = -1;
    for (int i = 0; i < d->count; i++) {
        if (d->joints[i] != NULL) continue;
        if (found >= 0) {
            dry_urdf__mistake(
                r, d->elements[i],
                "'%s' and '%s' are both children of no joint; only one link can be the root",
                d->links[i].name, d->links[found].name);
            return -1;
        }
        found = i;
    }
    if (found < 0)
        dry_urdf__mistake(r, root, "every link is the child of another link, so there is no root");
    return found;
}

static void list_children(draft *d) {
    for (int i = 0; i < d->count; i++) d->first[i] = d->next[i] = -1;
    for (int i = d->count - 1; i >= 0; i--) {
        if (d->parents[i] < 0) continue;
        d->next[i] = d->first[d->parents[i]];
        d->first[d->parents[i]] = i;
    }
}

/* Breadth first from the root: order[k] is the link, in the file's order, that becomes link k. */
static int walk(const draft *d, int root, int *order) {
    int count = 1;
    order[0] = root;
    for (int k = 0; k < count; k++)
        for (int child = d->first[order[k]]; child >= 0; child = d->next[child])
            order[count++] = child;
    return count;
}

/* ---- what moves ------------------------------------------------------------------------ */

static bool is_heavy(const dry_link *link) {
    return link->mass > 0.0 || link->inertia[0] + link->inertia[1] + link->inertia[2] > 0.0;
}

/* From the tips: heavy[k], whether the joint of link k moves some mass, or has a rotor. */
static void find_heavy(int n, const dry_link *links, bool *heavy) {
    for (int k = n - 1; k >= 0; k--) {
        heavy[k] = heavy[k] || is_heavy(&links[k]);
        if (links[k].parent >= 0 && heavy[k]) heavy[links[k].parent] = true;
        heavy[k] = heavy[k] || links[k].rotor > 0.0;
    }
}

/* The element that causes the wrong inertia of a group: an impossible <inertia> of a link, or the
 * first link. */
static const xmlNode *culprit(const draft *d, const int *order, const dry_arm *arm,
                              const dry_group *groups, int head) {
    for (int k = head; k < arm->n_links; k++) {
        const xmlNode *inertial = dry_urdf__child(d->elements[order[k]], "inertial");
        const bool bad = !dry_inertia_is_positive(arm->links[k].inertia, -1e-12);
        if (groups[k].head == head && bad && inertial != NULL)
            return dry_urdf__child(inertial, "inertia");
    }
    return d->elements[order[head]];
}

/* Checks that welded links together have the inertia of a body. */
static void check_groups(reader *r, const draft *d, const int *order, const dry_arm *arm) {
    dry_group *groups = take(r, arm->n_links, sizeof *groups);
    if (r->status != DRY_OK) return;
    dry_arm_groups(arm, groups);
    const int bad = dry_arm_bad_group(arm, groups, true);
    if (bad >= 0)
        dry_urdf__mistake(r, culprit(d, order, arm, groups, bad),
                          "no real body has the inertia of '%.60s' with the links fixed to it: the "
                          "matrix must be positive definite, kg m^2",
                          arm->links[bad].name);
    for (int k = 0; k < arm->n_links; k++)
        if (groups[k].head == k && groups[k].mass > 0.0 &&
            !dry_inertia_is_positive(groups[k].inertia, 1e-15))
            dry_urdf__remark_like(r, d->elements[order[k]],
                                  "'%.60s', with the links fixed to it, has a mass but no inertia "
                                  "about some axis; it is used unchanged",
                                  arm->links[k].name);
}

/* ---- the joints ------------------------------------------------------------------------ */

static void note_name(reader *r, const xmlNode *node, const dry_urdf_joint *joint) {
    if (dry_urdf__is_name(joint->name)) return;
    if (joint->scalar >= 0)
        dry_urdf__remark_like(
            r, node,
            "a model cannot contain the name '%.80s': the joint is q[%d] and q_dot[%d] there, and "
            "nothing can be connected to it; rename it with letters, digits and _",
            joint->name, joint->scalar + 1, joint->scalar + 1);
    else
        dry_urdf__remark_like(r, node,
                              "a model cannot contain the name '%.80s', so nothing can be "
                              "connected to it: rename it with letters, digits and _",
                              joint->name);
}

/* Keeps only the joints that move, and renumbers their drivers. */
static int keep_moving(const dry_link *links, int n, const dry_urdf__draft_joint *drafts,
                       int *number, dry_urdf_joint *joints) {
    int count = 0;
    for (int k = 0; k < n; k++) {
        number[k] = count;
        if (links[k].kind != DRY_WELD) joints[count++] = drafts[k].joint;
    }
    for (int i = 0; i < count; i++)
        if (joints[i].driver >= 0) joints[i].driver = number[joints[i].driver];
    return count;
}

static void read_joints(reader *r, const draft *d, const int *order, dry_link *links,
                        dry_urdf__draft_joint *drafts) {
    int *place = take(r, d->count, sizeof *place);
    for (int k = 0; k < d->count && r->status == DRY_OK; k++) {
        const int i = order[k];
        place[i] = k;
        links[k] = d->links[i];
        links[k].parent = d->parents[i] < 0 ? -1 : place[d->parents[i]];
        links[k].kind = DRY_WELD;
        drafts[k].joint.driver = -1;
        if (d->joints[i] != NULL) dry_urdf__joint(r, d->joints[i], &links[k], &drafts[k]);
    }
}

static void finish(reader *r, const draft *d, const int *order, dry_robot *robot) {
    const int n = d->count;
    dry_link *links = take(r, n, sizeof *links);
    dry_urdf__draft_joint *drafts = take(r, n, sizeof *drafts);
    dry_urdf_joint *joints = take(r, n, sizeof *joints);
    const xmlNode **elements = take(r, n, sizeof *elements);
    bool *heavy = take(r, n, sizeof *heavy);
    int *number = take(r, n, sizeof *number);
    if (r->status == DRY_OK) read_joints(r, d, order, links, drafts);
    if (r->status != DRY_OK) return;
    find_heavy(n, links, heavy);
    dry_urdf__mimic(r, n, links, drafts, heavy);
    for (int k = 0; k < n; k++) elements[k] = d->elements[order[k]];
    if (r->status == DRY_OK) dry_urdf__part_names(r, n, links, elements);
    if (r->status != DRY_OK) return;
    robot->arm = (dry_arm){
        .links = links, .n_links = n, .n_joints = keep_moving(links, n, drafts, number, joints)};
    robot->is_lone = robot->arm.n_joints == 0;
    check_groups(r, d, order, &robot->arm);
    if (r->status == DRY_OK) r->status = dry_urdf__lay_out(robot, joints, r->arena);
    for (int k = 0; k < n && r->status == DRY_OK; k++)
        if (links[k].kind != DRY_WELD) note_name(r, drafts[k].node, &joints[number[k]]);
}

static void read_robot(reader *r, const xmlNode *root, dry_robot *robot) {
    draft d = {.count = count_named(root, "link")};
    if (d.count == 0) dry_urdf__mistake(r, root, "has no <link>");
    if (d.count > LINK_LIMIT) dry_urdf__mistake(r, root, "has more than %d links", (int)LINK_LIMIT);
    if (r->status != DRY_OK) return;
    dry_urdf__check(r, root);
    if (r->status == DRY_OK) dry_urdf__names(r, root);
    robot->name = dry_urdf__word(r, root, "name", false);
    d.links = take(r, d.count, sizeof *d.links);
    d.elements = take(r, d.count, sizeof *d.elements);
    d.joints = take(r, d.count, sizeof *d.joints);
    d.parents = take(r, d.count, sizeof *d.parents);
    d.first = take(r, d.count, sizeof *d.first);
    d.next = take(r, d.count, sizeof *d.next);
    int *order = take(r, d.count, sizeof *order);
    if (r->status != DRY_OK) return;
    for (int i = 0; i < d.count; i++) d.parents[i] = -1;
    read_links(r, root, &d);
    const entry *entries = r->status == DRY_OK ? sort_names(r, &d) : NULL;
    if (r->status != DRY_OK) return;
    hang_links(r, root, &d, entries);
    const int base = r->status == DRY_OK ? find_root(r, root, &d) : -1;
    if (base < 0) return;
    list_children(&d);
    if (walk(&d, base, order) < d.count)
        dry_urdf__mistake(r, root, "some links form a ring that is not connected to the root '%s'",
                          d.links[base].name);
    if (r->status == DRY_OK) finish(r, &d, order, robot);
}

/* The first error in the XML; later ones are usually consequences of it. */
typedef struct broken {
    int line;
    char text[300];
    bool no_memory;
} broken;

#if LIBXML_VERSION >= 21200
typedef const xmlError xml_error;
#else
typedef xmlError xml_error;
#endif

/* Of errors that do not concern the text, only a lack of memory matters: the document may be
 * incomplete. */
static void keep_lack(void *user, xml_error *error) {
    broken *first = user;
    first->no_memory = first->no_memory || error->code == XML_ERR_NO_MEMORY;
}

static void keep_first(void *user, xml_error *error) {
    broken *first = ((xmlParserCtxt *)user)->_private;
    keep_lack(first, error);
    const char *text = error->message != NULL ? error->message : "not XML";
    if (error->level != XML_ERR_FATAL || first->text[0] != '\0') return;
    first->line = error->line;
    snprintf(first->text, sizeof first->text, "%.*s", (int)strcspn(text, "\n"), text);
}

static xmlDoc *parse_once(reader *r, const char *text, size_t length, broken *first) {
    xmlParserCtxt *parser = xml.NewParserCtxt();
    *first = (broken){0};
    if (parser == NULL) {
        r->status = DRY_NO_MEMORY;
        return NULL;
    }
    parser->_private = first;
    parser->sax->serror = keep_first;
    xmlDoc *document = xml.CtxtReadMemory(parser, text, (int)length, r->path, NULL,
                                          XML_PARSE_NONET | XML_PARSE_BIG_LINES);
    xml.FreeParserCtxt(parser);
    return document;
}

/* Blanks out the declaration <?xml ...?> before the first element; false: there is none. */
static bool blank_declaration(char *text, size_t length) {
    size_t i = 0;
    while (i + 6 < length && !(text[i] == '<' && isalpha((unsigned char)text[i + 1]))) {
        if (memcmp(text + i, "<?xml", 5) == 0 && isspace((unsigned char)text[i + 5])) {
            for (; i + 1 < length && memcmp(text + i, "?>", 2) != 0; i++)
                if (text[i] != '\n') text[i] = ' ';
            if (i + 1 < length) text[i] = text[i + 1] = ' ';
            return i + 1 < length;
        }
        i++;
    }
    return false;
}

/* Ignores a declaration that is wrong or comes late, because a robot needs nothing from it. */
static xmlDoc *parse(reader *r, char *text, size_t length) {
    broken first;
    bool odd = false;
    xmlDoc *document = parse_once(r, text, length, &first);
    if (document == NULL && r->status == DRY_OK && (odd = blank_declaration(text, length)))
        document = parse_once(r, text, length, &first);
    if (document != NULL && odd)
        dry_urdf__remark(r, xml.DocGetRootElement(document),
                         "the declaration <?xml ...?> before it is not valid, or is not at the "
                         "beginning of the file: it is ignored");
    if (document == NULL && r->status == DRY_OK)
        r->status = dry_error_set_at(r->error, DRY_BAD_FILE, r->path, first.line, 0,
                                     "the XML is broken: %s",
                                     first.text[0] != '\0' ? first.text : "there is none");
    return document;
}

dry_status dry_urdf_read(const char *path, dry_arena *arena, dry_robot *robot, dry_error *error) {
    reader r = {.path = path, .arena = arena, .error = error};
    char *text;
    size_t length;
    *robot = (dry_robot){0};
    r.status = dry_file_read(path, FILE_LIMIT, &text, &length, error);
    if (r.status != DRY_OK) return r.status;
    if (length == 0) {
        free(text);
        return dry_error_set_at(error, DRY_BAD_FILE, path, 0, 0, "the file is empty");
    }
    r.status = dry_urdf__load_xml(error);
    xmlDoc *document = r.status == DRY_OK ? parse(&r, text, length) : NULL;
    if (document != NULL) {
        const xmlNode *root = xml.DocGetRootElement(document);
        if (root == NULL || strcmp((const char *)root->name, "robot") != 0)
            dry_urdf__mistake(&r, root, "the outermost element of a URDF file must be <robot>");
        else
            read_robot(&r, root, robot);
        xml.FreeDoc(document);
    }
    free(text);
    if (r.status == DRY_NO_MEMORY) dry_error_set(error, r.status, "out of memory for the robot");
    dry_urdf__close_remarks(&r);
    robot->remarks = r.remarks;
    robot->n_remarks = r.n_remarks;
    return r.status;
}

#else

bool dry_urdf_has_xml(void) { return false; }

dry_status dry_urdf_read(const char *path, dry_arena *arena, dry_robot *robot, dry_error *error) {
    (void)arena;
    *robot = (dry_robot){0};
    return dry_error_set_at(
        error, DRY_UNSUPPORTED, path, 0, 0,
        "this build cannot read URDF: install libxml2 (Debian: libxml2-dev) and build again");
}

#endif
