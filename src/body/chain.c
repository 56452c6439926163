/* chain: the kind `arm`: a serial chain of uniform rods, from numbers.
 *
 * The frame of a link lies in its joint, its rod runs along its x axis to the next joint; with all
 * q = 0 the chain is stretched along the x axis of the base. A rod of mass M, length L and radius r
 * has its centre at L/2 and about it
 *     Ixx = M r^2/2,  Iyy = Izz = M (L^2/12 + r^2/4)
 * Joints are named joint1, ..., links link1, ..., and tip is the end of the last rod. A rod with a
 * radius touches others as a capsule whose caps end where the rod does; rods of one arm, which meet
 * in their joints, do not touch each other. */
#include "arm.h"

enum { MOST = 256 };

typedef struct rods {
    double length[MOST], mass[MOST], radius[MOST];
    double begin[2 * MOST];
    const char *axes;
    int count;
} rods;

/* One number for all, or one for each. */
static bool spread(const dry_kind *self, const dry_value *values, int count, const char *key, int n,
                   double *x, dry_error *error) {
    const int given = dry_value_numbers(self, values, count, key, n, x);
    for (int i = 1; given == 1 && i < n; i++) x[i] = x[0];
    if (given <= 1 || given == n) return true;
    dry_error_set_key(error, DRY_BAD_MODEL, key, "give one for all rods or one for each",
                      "%s has %d numbers", key, given);
    return false;
}

static bool read_axes(const dry_value *values, int count, rods *r, dry_error *error) {
    r->axes = dry_value_word(values, count, "axis", "z");
    const size_t given = strlen(r->axes);
    if ((given == 1 || given == (size_t)r->count) && strspn(r->axes, "xyz") == given) return true;
    dry_error_set_key(error, DRY_BAD_MODEL, "axis", NULL,
                      "axis is x, y or z, or one of these letters for each joint, such as zyy");
    return false;
}

/* q and q_dot: as many as there are joints, or none */
static bool read_start(const dry_kind *self, const dry_value *values, int count, rods *r,
                       dry_error *error) {
    static const char *const keys[] = {"q", "q_dot"};
    for (int i = 0; i < 2; i++) {
        const int given =
            dry_value_numbers(self, values, count, keys[i], r->count, r->begin + i * r->count);
        if (given == 0 || given == r->count) continue;
        dry_error_set_key(error, DRY_BAD_MODEL, keys[i], NULL,
                          "%s has %d numbers, and there are %d joints", keys[i], given, r->count);
        return false;
    }
    return true;
}

static bool read_rods(const dry_kind *self, const dry_value *values, int count, rods *r,
                      dry_error *error) {
    const double wanted = dry_value_number(self, values, count, "links");
    if (!(wanted <= MOST) || wanted != floor(wanted)) {
        dry_error_set_key(error, DRY_BAD_MODEL, "links", NULL,
                          "links is not a whole number from 1 to %d", MOST);
        return false;
    }
    r->count = (int)wanted;
    return spread(self, values, count, "length", r->count, r->length, error) &&
           spread(self, values, count, "mass", r->count, r->mass, error) &&
           spread(self, values, count, "radius", r->count, r->radius, error) &&
           read_axes(values, count, r, error) && read_start(self, values, count, r, error);
}

static dry_link rod(const rods *r, int i) {
    const double L = r->length[i], M = r->mass[i], a = r->radius[i];
    const double across = M * (L * L / 12.0 + 0.25 * a * a);
    dry_link link = {.parent = i - 1,
                     .kind = DRY_REVOLUTE,
                     .at = {i > 0 ? r->length[i - 1] : 0.0},
                     .mass = M,
                     .com = {0.5 * L},
                     .inertia = {0.5 * M * a * a, across, across}};
    link.axis[(r->axes[1] ? r->axes[i] : r->axes[0]) - 'x'] = 1.0;
    return link;
}

/* The capsule of a rod, its axis, z, turned onto x; the group of an arm is the address of its rods.
 */
static bool shape_link(const rods *r, int i, dry_arena *arena, dry_link *link) {
    const double half = sqrt(0.5), L = r->length[i], a = r->radius[i];
    dry_shape *shape = a > 0.0 ? dry_arena_take(arena, sizeof *shape) : NULL;
    if (shape == NULL) return !(a > 0.0);
    *shape = (dry_shape){.kind = DRY_CAPSULE,
                         .p = {0.5 * L},
                         .q = {half, 0.0, half, 0.0},
                         .size = {a, dry_pos(0.5 * L - a)},
                         .group = (intptr_t)r};
    link->shapes = shape;
    link->n_shapes = 1;
    return true;
}

/* "link" and "joint" with their numbers */
static bool name_link(dry_arena *arena, int i, dry_link *link) {
    char text[32];
    int length = snprintf(text, sizeof text, "link%d", i + 1);
    link->name = dry_arena_text(arena, text, (size_t)length);
    length = snprintf(text, sizeof text, "joint%d", i + 1);
    link->joint = dry_arena_text(arena, text, (size_t)length);
    return link->name != NULL && link->joint != NULL;
}

static const dry_part *build(const dry_kind *self, const rods *r, dry_arm *arm, dry_arena *arena,
                             dry_error *error) {
    dry_link *links = dry_arena_take(arena, (size_t)(r->count + 1) * sizeof *links);
    bool whole = links != NULL;
    for (int i = 0; whole && i < r->count; i++) {
        links[i] = rod(r, i);
        whole = name_link(arena, i, &links[i]) && shape_link(r, i, arena, &links[i]);
    }
    if (!whole) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for an arm");
        return NULL;
    }
    links[r->count] = (dry_link){
        .name = "tip", .parent = r->count - 1, .kind = DRY_WELD, .at = {r->length[r->count - 1]}};
    arm->links = links;
    arm->n_links = r->count + 1;
    arm->n_joints = r->count;
    return dry_body__arm_part(self->name, arm, r->begin, arena, error);
}

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error) {
    rods *r = dry_arena_take(arena, sizeof *r);
    dry_arm arm = {0};
    double rotation[3];
    if (r == NULL) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for an arm");
        return NULL;
    }
    if (!read_rods(self, values, count, r, error)) return NULL;
    dry_value_numbers(self, values, count, "at", 3, arm.at);
    dry_value_numbers(self, values, count, "rotation", 3, rotation);
    dry_body__turned(rotation, arm.turn);
    return build(self, r, &arm, arena, error);
}

static const dry_kind_param params[] = {
    {"links", "", 1, 1, true, DRY_AT_LEAST_ONE, 1.0, "how many rods"},
    {"length", "m", 1, MOST, true, DRY_POSITIVE, 0.0, "of each rod, or of all"},
    {"mass", "kg", 1, MOST, true, DRY_POSITIVE, 0.0, "of each rod, or of all"},
    {"radius", "m", 1, MOST, false, DRY_NONNEGATIVE, 0.0,
     "of each rod, or of all; 0: a thin rod, which touches nothing"},
    {"axis", NULL, 1, 1, false, DRY_ANY, 0.0,
     "x, y or z for all joints, or a letter for each, such as zyy; z if you leave it out"},
    {"at", "m", 3, 3, false, DRY_ANY, 0.0, "where the base is"},
    {"rotation", "rad", 3, 3, false, DRY_ANY, 0.0, "how the base is turned, as axis times angle"},
    {"q", "rad", 1, MOST, false, DRY_ANY, 0.0, "angles at the start"},
    {"q_dot", "rad/s", 1, MOST, false, DRY_ANY, 0.0, "their rates at the start"},
};

const dry_kind dry_body__arm = {
    .name = "arm",
    .title = "serial arm of rods",
    .meaning =
        "A chain of uniform rods along their x axes with revolute joints. Ports: joint1, ... "
        "(coordinates in rad), link1, ..., tip (frames). Quantities q, q_dot. Links whose rods "
        "have a radius are capsules for a `contact`, and do not touch each other; tip has no "
        "shape.",
    .params = params,
    .n_params = (int)(sizeof params / sizeof params[0]),
    .make = make,
};
