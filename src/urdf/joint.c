/* <joint>: its kind, where it sits, its axis, limits, damping and friction. */
#ifdef DRY_WITH_XML
#include "urdf/urdf_private.h"

#include <drystone/math.h>
#include <math.h>
#include <string.h>

/* One row per type of joint. */
static const struct type {
    const char *name;
    dry_joint_kind kind;
    const char *unit;
    bool limited; /* its <limit> bounds the position */
} types[] = {{"revolute", DRY_REVOLUTE, "rad", true},
             {"continuous", DRY_REVOLUTE, "rad", false},
             {"prismatic", DRY_PRISMATIC, "m", true},
             {"fixed", DRY_WELD, "", false}};

static const struct type *find_type(const char *name) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0) return &types[i];
    return NULL;
}

static void read_axis(reader *r, const xmlNode *node, double axis[3]) {
    const xmlNode *element = dry_urdf__child(node, "axis");
    axis[0] = 1.0, axis[1] = axis[2] = 0.0; /* the standard's default */
    if (element == NULL || !dry_urdf__numbers(r, element, "xyz", true, 3, axis)) return;
    const double length = dry_norm(3, axis);
    if (!(length > 0.0)) dry_urdf__mistake(r, element, "has no direction");
    for (int i = 0; i < 3; i++) axis[i] /= length;
}

static bool has(const xmlNode *node, const char *attribute) {
    return xmlHasNsProp(node, (const xmlChar *)attribute, NULL) != NULL;
}

static void read_limit(reader *r, const xmlNode *node, const xmlNode *limit,
                       dry_urdf_joint *joint) {
    joint->lower = joint->upper = 0.0; /* the standard's default */
    if (limit == NULL) {
        dry_urdf__mistake(r, node, "'%s' needs a <limit lower upper>; or make it continuous",
                          joint->name);
        return;
    }
    joint->line = dry_urdf__line(limit);
    dry_urdf__numbers(r, limit, "lower", false, 1, &joint->lower);
    dry_urdf__numbers(r, limit, "upper", false, 1, &joint->upper);
    if (r->status == DRY_OK && !(joint->lower < joint->upper))
        dry_urdf__mistake(r, limit, "lower must be below upper");
}

/* What a <limit> says that is not used. */
static void check_limit(reader *r, const xmlNode *limit, const struct type *type) {
    if (!type->limited && (has(limit, "lower") || has(limit, "upper")))
        dry_urdf__remark(r, limit,
                         "a continuous joint has no limits; lower and upper are not used");
    if (!has(limit, "effort") && !has(limit, "velocity")) return;
    if (!r->n_bounds++ || dry_urdf__line(limit) < dry_urdf__line(r->bounds)) r->bounds = limit;
}

/* A fixed joint has a place and nothing else. */
static void check_fixed(reader *r, const xmlNode *node) {
    static const char *const moving[] = {"axis", "limit", "dynamics"};
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
        const xmlNode *child = dry_urdf__child(node, moving[i]);
        if (child != NULL) dry_urdf__remark(r, child, "has no effect: the joint is fixed");
    }
}

static void read_dynamics(reader *r, const xmlNode *node, dry_urdf_joint *joint) {
    const xmlNode *dynamics = dry_urdf__child(node, "dynamics");
    if (dynamics == NULL) return;
    dry_urdf__numbers(r, dynamics, "damping", false, 1, &joint->damping);
    dry_urdf__numbers(r, dynamics, "friction", false, 1, &joint->friction);
    if (joint->damping < 0.0 || joint->friction < 0.0)
        dry_urdf__mistake(r, dynamics, "damping and friction must not be negative");
}

void dry_urdf__joint(reader *r, const xmlNode *node, dry_link *link, dry_urdf_joint *joint) {
    const char *word = dry_urdf__word(r, node, "type", true);
    *joint = (dry_urdf_joint){
        .name = dry_urdf__word(r, node, "name", true), .lower = (double)NAN, .upper = (double)NAN};
    if (r->status != DRY_OK) return;
    const struct type *type = find_type(word);
    if (type == NULL) {
        dry_urdf__mistake(r, node,
                          "'%s' is of type '%.30s'; possible are revolute, continuous, prismatic "
                          "and fixed",
                          joint->name, word);
        return;
    }
    link->joint = joint->name;
    link->kind = type->kind;
    joint->unit = type->unit;
    dry_urdf__origin(r, node, link->at, link->turn);
    if (type->kind == DRY_WELD) {
        check_fixed(r, node);
        return;
    }
    const xmlNode *limit = dry_urdf__child(node, "limit");
    read_axis(r, node, link->axis);
    if (type->limited) read_limit(r, node, limit, joint);
    if (limit != NULL) check_limit(r, limit, type);
    read_dynamics(r, node, joint);
}
#else
typedef int dry_urdf__no_joint; /* a file needs something in it */
#endif
