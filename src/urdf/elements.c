/* elements: the elements of a URDF file that are read, and what each may hold. Reports everything
 * else as a remark. */
#ifdef DRY_WITH_XML
#include "urdf/urdf_private.h"

#include <string.h>

/* One row per element; lists of words with a blank between them. */
static const struct element {
    const char *name, *attributes;
    const char *once, *often; /* its children */
    const char *others;       /* what is said of any other child */
} elements[] = {
    {"robot", "name version", "", "link joint", "is not used in a simulation"},
    {"link", "name", "inertial", "collision", "is not used in a simulation"},
    {"inertial", "", "origin mass inertia", "", "is not part of an inertia"},
    {"mass", "value", "", "", "is not part of a mass"},
    {"inertia", "ixx iyy izz ixy ixz iyz", "", "", "is not part of an inertia"},
    {"collision", "name", "origin geometry", "", "has no effect on contact"},
    {"geometry", "", "sphere box cylinder", "",
     "this shape cannot touch anything; use a sphere, a box or a cylinder"},
    {"sphere", "radius", "", "", "is not part of a shape"},
    {"box", "size", "", "", "is not part of a shape"},
    {"cylinder", "radius length", "", "", "is not part of a shape"},
    {"joint", "name type",
     "origin parent child axis limit dynamics mimic rotor_inertia gear_ratio drake:rotor_inertia "
     "drake:gear_ratio",
     "", "is not simulated"},
    {"origin", "xyz rpy", "", "", "is not part of a place"},
    {"parent", "link", "", "", "is not part of a joint's end"},
    {"child", "link", "", "", "is not part of a joint's end"},
    {"axis", "xyz", "", "", "is not part of an axis"},
    {"limit", "lower upper effort velocity", "", "", "is not part of a limit"},
    {"dynamics", "damping friction armature", "", "", "is not part of the dynamics"},
    {"mimic", "joint multiplier offset", "", "", "is not part of a mimic"},
    {"rotor_inertia", "value", "", "", "is not part of a rotor"},
    {"gear_ratio", "value", "", "", "is not part of a gear"},
    {"drake:rotor_inertia", "value", "", "", "is not part of a rotor"},
    {"drake:gear_ratio", "value", "", "", "is not part of a gear"},
};

static const struct element *find(const xmlNode *node) {
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (strcmp(elements[i].name, (const char *)node->name) == 0) return &elements[i];
    return NULL;
}

static bool lists(const char *words, const xmlChar *name) {
    const size_t length = strlen((const char *)name);
    for (size_t n; *words != '\0'; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        if (n == length && memcmp(words, name, n) == 0) return true;
    }
    return false;
}

static void check_attributes(reader *r, const xmlNode *node, const char *known) {
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
        if (a->ns != NULL || !lists(known, a->name))
            dry_urdf__remark(r, node, "its attribute '%.60s' is not read; it can have %s",
                             (const char *)a->name, *known != '\0' ? known : "none");
}

/* Reports text between elements, at the line of its element. */
static void check_text(reader *r, const xmlNode *node, const xmlNode *child) {
    const bool named = child->type == XML_ENTITY_REF_NODE;
    if (!named && child->type != XML_TEXT_NODE && child->type != XML_CDATA_SECTION_NODE) return;
    const char *text = (const char *)(named ? child->name : child->content);
    if (text == NULL) return;
    text += strspn(text, " \t\r\n");
    const size_t length = strcspn(text, "\r\n");
    if (length > 0)
        dry_urdf__remark(r, node, "the text '%.*s' in it is not read",
                         (int)(length < 40 ? length : 40), text);
}

static void check(reader *r, const xmlNode *node, const struct element *row);

/* Returns true if b has all attributes of a. */
static bool is_within(const xmlNode *a, const xmlNode *b) {
    bool same = true;
    for (const xmlAttr *at = a->properties; at != NULL && same; at = at->next) {
        xmlChar *mine = xml.GetNoNsProp(a, at->name), *its = xml.GetNoNsProp(b, at->name);
        same = mine != NULL && its != NULL && xml.StrEqual(mine, its);
        (*xml.Free)(mine);
        (*xml.Free)(its);
    }
    return same;
}
static bool is_again(const xmlNode *a, const xmlNode *b) {
    return a->children == NULL && b->children == NULL && is_within(a, b) && is_within(b, a);
}

static void check_child(reader *r, const xmlNode *child, const struct element *row) {
    const bool once = lists(row->once, child->name);
    const xmlNode *first = once ? dry_urdf__child(child->parent, (const char *)child->name) : child;
    if (!once && !lists(row->often, child->name))
        dry_urdf__remark(r, child, "%s", row->others);
    else if (first != child && is_again(first, child))
        dry_urdf__remark(r, child, "repeats line %d", dry_urdf__line(first));
    else if (first != child)
        dry_urdf__mistake(r, child, "this <%s> already has one on line %d; remove one of them",
                          row->name, dry_urdf__line(first));
    else
        check(r, child, find(child));
}

/* Recurses to the depth of the elements: robot, link, collision, geometry, box. */
static void check(reader *r, const xmlNode *node, const struct element *row) {
    check_attributes(r, node, row->attributes);
    for (const xmlNode *n = node->children; n != NULL && r->status == DRY_OK; n = n->next)
        if (n->type == XML_ELEMENT_NODE)
            check_child(r, n, row);
        else
            check_text(r, node, n);
}

void dry_urdf__check(reader *r, const xmlNode *root) { check(r, root, find(root)); }
#else
typedef int dry_urdf__no_elements; /* a file needs something in it */
#endif
