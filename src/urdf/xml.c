/* xml: elements, attributes and numbers of an XML tree, with mistakes and remarks at their line. */
#ifdef DRY_WITH_XML
#include "urdf/urdf_private.h"

#include <drystone/math.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int dry_urdf__line(const xmlNode *node) { return (int)xml.GetLineNo(node); }

void dry_urdf__mistake(reader *r, const xmlNode *node, const char *format, ...) {
    char text[400];
    va_list arguments;
    if (r->status != DRY_OK) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->status =
        dry_error_set_at(r->error, DRY_BAD_FILE, r->path, node ? dry_urdf__line(node) : 0, 0,
                         "%s%s%s", node ? (const char *)node->name : "", node ? ": " : "", text);
}

/* ---- remarks ------------------------------------------------------------------------ */

static void *grown(reader *r, const void *old, int capacity, size_t size) {
    void *new = dry_arena_take(r->arena, (size_t)capacity * size);
    if (new != NULL && r->n_remarks > 0) memcpy(new, old, (size_t)r->n_remarks * size);
    return new;
}

static bool grow(reader *r) {
    const int capacity = r->capacity == 0 ? 16 : 2 * r->capacity;
    dry_urdf_remark *remarks = grown(r, r->remarks, capacity, sizeof *remarks);
    const char **kinds = grown(r, r->kinds, capacity, sizeof *kinds);
    int *counts = grown(r, r->counts, capacity, sizeof *counts);
    if (remarks == NULL || kinds == NULL || counts == NULL) return false;
    r->remarks = remarks;
    r->kinds = kinds;
    r->counts = counts;
    r->capacity = capacity;
    return true;
}

/* Returns true if there is a remark of that kind already; counts it, and keeps the first line. */
static bool joins(reader *r, const char *kind, int line, const char *text) {
    for (int i = 0; i < r->n_remarks; i++) {
        if (strcmp(r->kinds[i], kind) != 0) continue;
        r->counts[i]++;
        if (line >= r->remarks[i].line) return true;
        const char *copy = dry_arena_text(r->arena, text, strlen(text));
        if (copy == NULL) r->status = DRY_NO_MEMORY;
        r->remarks[i] = (dry_urdf_remark){line, copy ? copy : ""};
        return true;
    }
    return false;
}

enum { MOST_REMARKS = 500 }; /* kinds of them that are kept apart */

static void remark(reader *r, const xmlNode *node, const char *kind, const char *text) {
    char key[300], whole[300];
    const int line = dry_urdf__line(node);
    const bool many = r->n_remarks == MOST_REMARKS;
    snprintf(key, sizeof key, "%.60s: %s", (const char *)node->name, kind);
    snprintf(whole, sizeof whole, "%.60s: %s", (const char *)node->name,
             many ? "and more remarks, which are not listed" : text);
    if (r->n_remarks == r->capacity && !grow(r)) {
        r->status = DRY_NO_MEMORY;
        return;
    }
    if (joins(r, key, line, whole)) return;
    if (r->n_remarks > MOST_REMARKS) {
        r->counts[r->n_remarks - 1]++;
        return;
    }
    const char *copy = dry_arena_text(r->arena, whole, strlen(whole));
    const char *kept = dry_arena_text(r->arena, key, strlen(key));
    if (copy == NULL || kept == NULL) r->status = DRY_NO_MEMORY;
    r->kinds[r->n_remarks] = kept ? kept : "";
    r->counts[r->n_remarks] = 1;
    r->remarks[r->n_remarks++] = (dry_urdf_remark){line, copy ? copy : ""};
}

void dry_urdf__remark(reader *r, const xmlNode *node, const char *format, ...) {
    char text[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    remark(r, node, text, text);
}

void dry_urdf__remark_like(reader *r, const xmlNode *node, const char *format, ...) {
    char text[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    remark(r, node, format, text);
}

static int by_line(const void *a, const void *b) {
    const dry_urdf_remark *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : strcmp(x->text, y->text);
}

void dry_urdf__close_remarks(reader *r) {
    for (int i = 0; i < r->n_remarks; i++) {
        char text[360];
        if (r->counts[i] == 1) continue;
        snprintf(text, sizeof text, "%s (and %d more of this kind)", r->remarks[i].text,
                 r->counts[i] - 1);
        const char *copy = dry_arena_text(r->arena, text, strlen(text));
        if (copy == NULL) r->status = DRY_NO_MEMORY;
        if (copy != NULL) r->remarks[i].text = copy;
    }
    if (r->n_remarks > 1) qsort(r->remarks, (size_t)r->n_remarks, sizeof *r->remarks, by_line);
}

/* ---- elements -------------------------------------------------------------------------- */

bool dry_urdf__is(const xmlNode *node, const char *name) {
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

const xmlNode *dry_urdf__next(const xmlNode *node, const char *name) {
    while (node != NULL && !dry_urdf__is(node, name)) node = node->next;
    return node;
}

const xmlNode *dry_urdf__child(const xmlNode *node, const char *name) {
    return dry_urdf__next(node->children, name);
}

const char *dry_urdf__word(reader *r, const xmlNode *node, const char *attribute, bool required) {
    xmlChar *value = xml.GetNoNsProp(node, (const xmlChar *)attribute);
    if (value == NULL) {
        if (xml.HasProp(node, (const xmlChar *)attribute) != NULL)
            r->status = DRY_NO_MEMORY; /* it is there, and could not be copied */
        else if (required)
            dry_urdf__mistake(r, node, "has no attribute '%s', which it needs", attribute);
        return NULL;
    }
    const char *copy = dry_arena_text(r->arena, (const char *)value, strlen((const char *)value));
    (*xml.Free)(value);
    if (copy == NULL) r->status = DRY_NO_MEMORY;
    return copy;
}

static const char *behind_space(const char *text) { return text + strspn(text, " \t\r\n"); }

/* Reports what follows the numbers of an attribute: another number, or something like a unit. */
static void complain_rest(reader *r, const xmlNode *node, const char *attribute, const char *text,
                          const char *rest, int count) {
    const char *end;
    double number;
    if (dry_number_parse(rest, &end, &number))
        dry_urdf__mistake(r, node, "%s = \"%.60s\" has more than %d number%s", attribute, text,
                          count, count == 1 ? "" : "s");
    else
        dry_urdf__mistake(
            r, node,
            "%s = \"%.60s\": \"%.20s\" is not a number; URDF has SI units and does not write them",
            attribute, text, rest);
}

bool dry_urdf__numbers(reader *r, const xmlNode *node, const char *attribute, bool required,
                       int count, double *numbers) {
    const char *text = dry_urdf__word(r, node, attribute, required);
    if (text == NULL) return false;
    const char *at = behind_space(text);
    bool commas = false;
    for (int i = 0; i < count; i++) {
        const char *end;
        if (i > 0 && *at == ',') at = behind_space(at + 1), commas = true;
        if (!dry_number_parse(at, &end, &numbers[i]) || !isfinite(numbers[i])) {
            dry_urdf__mistake(r, node, "%s = \"%.60s\" should be %d finite number%s", attribute,
                              text, count, count == 1 ? "" : "s");
            return false;
        }
        at = behind_space(end);
    }
    if (*at != '\0') complain_rest(r, node, attribute, text, at, count);
    if (commas && r->status == DRY_OK)
        dry_urdf__remark_like(r, node, "%s = \"%.60s\" has commas; they are read as spaces",
                              attribute, text);
    return r->status == DRY_OK;
}

/* q = qz(yaw) qy(pitch) qx(roll): about the fixed axes x, y, z in this order. */
static void from_rpy(const double rpy[3], double q[4]) {
    const double x[4] = {dry_cos(0.5 * rpy[0]), dry_sin(0.5 * rpy[0]), 0.0, 0.0};
    const double y[4] = {dry_cos(0.5 * rpy[1]), 0.0, dry_sin(0.5 * rpy[1]), 0.0};
    const double z[4] = {dry_cos(0.5 * rpy[2]), 0.0, 0.0, dry_sin(0.5 * rpy[2])};
    double zy[4];
    dry_quat_multiply(z, y, zy);
    dry_quat_multiply(zy, x, q);
}

void dry_urdf__origin(reader *r, const xmlNode *node, double at[3], double turn[4]) {
    const xmlNode *origin = dry_urdf__child(node, "origin");
    double rpy[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) at[i] = 0.0;
    if (origin != NULL) {
        dry_urdf__numbers(r, origin, "xyz", false, 3, at);
        dry_urdf__numbers(r, origin, "rpy", false, 3, rpy);
    }
    from_rpy(rpy, turn);
}
#else
typedef int dry_urdf__no_xml; /* a file needs something in it */
#endif
