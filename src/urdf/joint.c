/* joint: reads <joint>: kind, pose, axis, limits, damping, friction, rotor, and the joint it
   mimics.
 */
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
    bool limited;       /* its <limit> bounds the position */
    const char *unused; /* what has no effect on it */
} types[] = {{"revolute", DRY_REVOLUTE, "rad", true, ""},
             {"continuous", DRY_REVOLUTE, "rad", false, ""},
             {"prismatic", DRY_PRISMATIC, "m", true, ""},
             {"fixed", DRY_WELD, "", false, "axis limit dynamics mimic"},
             {"spherical", DRY_BALL, "", false, "axis limit dynamics mimic"},
             {"planar", DRY_PLANAR, "", false, "limit dynamics mimic"},
             {"floating", DRY_FREE, "", false, "axis limit dynamics mimic"}};

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
    return xml.HasNsProp(node, (const xmlChar *)attribute, NULL) != NULL;
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
    if (r->status != DRY_OK || !(joint->lower > joint->upper)) return;
    dry_urdf__remark_like(r, limit, "'%.60s' has lower above upper, so it has no limits",
                          joint->name);
    joint->lower = joint->upper = (double)NAN;
}

/* Reads the limits of the drive, and reports attributes that are not used. */
static void read_bounds(reader *r, const xmlNode *limit, const struct type *type,
                        dry_urdf_joint *joint) {
    if (!type->limited && (has(limit, "lower") || has(limit, "upper")))
        dry_urdf__remark(r, limit,
                         "a continuous joint has no limits; lower and upper are not used");
    dry_urdf__numbers(r, limit, "effort", false, 1, &joint->effort);
    dry_urdf__numbers(r, limit, "velocity", false, 1, &joint->velocity);
    if (joint->effort < 0.0 || joint->velocity < 0.0)
        dry_urdf__mistake(r, limit, "effort and velocity must not be negative");
}

/* Reports elements that such a joint does not use; a fixed joint has only a pose. */
static void check_unused(reader *r, const xmlNode *node, const struct type *type) {
    static const char *const moving[] = {"axis", "limit", "dynamics", "mimic"};
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
        const xmlNode *child = dry_urdf__child(node, moving[i]);
        if (child != NULL && strstr(type->unused, moving[i]) != NULL)
            dry_urdf__remark(r, child, "has no effect: the joint is %s", type->name);
    }
}

static void read_dynamics(reader *r, const xmlNode *node, dry_urdf_joint *joint, double *rotor) {
    const xmlNode *dynamics = dry_urdf__child(node, "dynamics");
    if (dynamics == NULL) return;
    dry_urdf__numbers(r, dynamics, "damping", false, 1, &joint->damping);
    dry_urdf__numbers(r, dynamics, "friction", false, 1, &joint->friction);
    dry_urdf__numbers(r, dynamics, "armature", false, 1, rotor);
    if (joint->damping < 0.0 || joint->friction < 0.0 || *rotor < 0.0)
        dry_urdf__mistake(r, dynamics, "damping, friction and armature must not be negative");
}

/* <rotor_inertia value> of a motor, seen through a <gear_ratio value>: J n^2. */
static void read_rotor(reader *r, const xmlNode *node, double *rotor) {
    const xmlNode *inertia = dry_urdf__child(node, "rotor_inertia");
    const xmlNode *gear = dry_urdf__child(node, "gear_ratio");
    double J = 0.0, n = 1.0;
    if (inertia == NULL) inertia = dry_urdf__child(node, "drake:rotor_inertia");
    if (gear == NULL) gear = dry_urdf__child(node, "drake:gear_ratio");
    if (gear != NULL) dry_urdf__numbers(r, gear, "value", true, 1, &n);
    if (inertia == NULL) {
        if (gear != NULL) dry_urdf__remark(r, gear, "has no effect without a <rotor_inertia>");
        return;
    }
    dry_urdf__numbers(r, inertia, "value", true, 1, &J);
    if (J < 0.0) dry_urdf__mistake(r, inertia, "must not be negative");
    *rotor += J * n * n;
}

static void read_mimic(reader *r, const xmlNode *node, dry_urdf__draft_joint *joint) {
    const xmlNode *mimic = dry_urdf__child(node, "mimic");
    joint->joint.ratio = 1.0;
    if (mimic == NULL) return;
    joint->mimics = dry_urdf__word(r, mimic, "joint", true);
    dry_urdf__numbers(r, mimic, "multiplier", false, 1, &joint->joint.ratio);
    dry_urdf__numbers(r, mimic, "offset", false, 1, &joint->joint.offset);
}

void dry_urdf__fix(dry_link *link, dry_urdf__draft_joint *joint, double at) {
    const double s = dry_sin(0.5 * at), *a = link->axis,
                 before[4] = {link->turn[0], link->turn[1], link->turn[2], link->turn[3]};
    const double by[4] = {dry_cos(0.5 * at), s * a[0], s * a[1], s * a[2]};
    const double way[3] = {at * a[0], at * a[1], at * a[2]};
    double moved[3];
    joint->fixed_at = at;
    if (link->kind == DRY_REVOLUTE && at != 0.0) dry_quat_multiply(before, by, link->turn);
    dry_quat_rotate(before, way, moved);
    for (int i = 0; link->kind == DRY_PRISMATIC && i < 3; i++) link->at[i] += moved[i];
    link->kind = DRY_WELD;
    link->rotor = 0.0;
}

/* A joint of one coordinate. */
static void read_scalar(reader *r, const xmlNode *node, const struct type *type, dry_link *link,
                        dry_urdf__draft_joint *draft) {
    dry_urdf_joint *joint = &draft->joint;
    const xmlNode *limit = dry_urdf__child(node, "limit");
    if (type->limited) read_limit(r, node, limit, joint);
    if (limit != NULL) read_bounds(r, limit, type, joint);
    read_dynamics(r, node, joint, &link->rotor);
    read_rotor(r, node, &link->rotor);
    read_mimic(r, node, draft);
    if (r->status != DRY_OK || !(joint->lower == joint->upper)) return;
    dry_urdf__remark_like(r, limit, "'%.60s' has equal limits: it is fixed at %g %s", joint->name,
                          joint->lower, joint->unit);
    dry_urdf__fix(link, draft, joint->lower);
}

void dry_urdf__joint(reader *r, const xmlNode *node, dry_link *link, dry_urdf__draft_joint *draft) {
    const char *word = dry_urdf__word(r, node, "type", true);
    *draft = (dry_urdf__draft_joint){.joint = {.name = dry_urdf__word(r, node, "name", true),
                                               .lower = (double)NAN,
                                               .upper = (double)NAN,
                                               .driver = -1},
                                     .node = node};
    if (r->status != DRY_OK) return;
    const struct type *type = find_type(word);
    if (type == NULL) {
        dry_urdf__mistake(r, node,
                          "'%s' is of type '%.30s'; possible are revolute, continuous, prismatic, "
                          "spherical, planar, floating and fixed",
                          draft->joint.name, word);
        return;
    }
    link->joint = draft->joint.name;
    link->kind = type->kind;
    draft->joint.unit = type->unit;
    dry_urdf__origin(r, node, link->at, link->turn);
    check_unused(r, node, type);
    if (strstr(type->unused, "axis") == NULL) read_axis(r, node, link->axis);
    if (type->unit[0] != '\0') read_scalar(r, node, type, link, draft);
}
#else
typedef int dry_urdf__no_joint; /* a file needs something in it */
#endif
