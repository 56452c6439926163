/* solids: the kinds rigid_body, sphere, box, capsule, cylinder and cloud; what they weigh and how
 * they begin.
 *
 * Of a homogeneous body of mass M about its centre (h = half length of a capsule's axis, r radius):
 *     sphere   2/5 M r^2
 *     box      M/12 (b^2 + c^2), a, b, c the widths
 *     capsule  the cylinder and two half spheres, whose centres of mass lie 3/8 r beyond its ends
 *     cylinder M/12 (3 r^2 + 4 h^2) across its axis, M/2 r^2 about it
 * A key `inertia` replaces it: the body is hollow, or its mass is not even.
 * M: kg; rho: density, kg/m^3; lengths: m. */
#include "rigid.h"

static const double pi = 3.14159265358979323846;

typedef struct request {
    const dry_kind *kind;
    const dry_value *values;
    int count;
    dry_arena *arena;
    dry_error *error;
} request;

static double number(const request *r, const char *key) {
    return dry_value_number(r->kind, r->values, r->count, key);
}
static int numbers(const request *r, const char *key, int n, double *x) {
    return dry_value_numbers(r->kind, r->values, r->count, key, n, x);
}
static bool is_given(const request *r, const char *key) {
    return dry_body__given(r->values, r->count, key) != NULL;
}

/* how it begins */
static bool begin(const request *r, double x[DRY_BODY__FRAME]) {
    numbers(r, "v", 3, x + DRY_BODY__V);
    numbers(r, "omega", 3, x + DRY_BODY__OMEGA);
    return dry_body__pose(r->kind, r->values, r->count, x + DRY_BODY__P, x + DRY_BODY__Q, r->error);
}

/* ---- what it weighs --------------------------------------------------------------- */

static bool mass_of(const request *r, double volume, double *mass) {
    if (is_given(r, "mass") == is_given(r, "density")) {
        dry_error_set_key(r->error, DRY_BAD_MODEL, "mass", NULL,
                          "a %s needs either mass or density", r->kind->name);
        return false;
    }
    *mass = is_given(r, "mass") ? number(r, "mass") : number(r, "density") * volume;
    if (*mass > 0.0 && isfinite(*mass)) return true;
    dry_error_set_key(r->error, DRY_BAD_MODEL, "density", NULL,
                      "a %s of this size and density has a mass of %g kg", r->kind->name, *mass);
    return false;
}
static bool inertia_of(const request *r, dry_body__solid *solid) {
    const int n = numbers(r, "inertia", 6, solid->inertia);
    if (n != 1 && n != 3 && n != 6) {
        dry_error_set_key(r->error, DRY_BAD_MODEL, "inertia",
                          "give one, or xx yy zz, or xx yy zz xy xz yz", "inertia has %d numbers",
                          n);
        return false;
    }
    solid->n_inertia = n;
    const double *J = solid->inertia;
    const double full[6] = {J[0],
                            n > 1 ? J[1] : J[0],
                            n > 1 ? J[2] : J[0],
                            n > 3 ? J[3] : 0.0,
                            n > 3 ? J[4] : 0.0,
                            n > 3 ? J[5] : 0.0};
    if (!(J[0] > 0.0) || !dry_inertia_is_positive(full, 1e-15)) {
        dry_error_set_key(r->error, DRY_BAD_MODEL, "inertia", NULL,
                          "the inertia is not positive definite: no body of positive mass has it");
        return false;
    }
    if (dry_inertia_has_moments(full)) return true;
    dry_error_set_key(r->error, DRY_BAD_MODEL, "inertia",
                      "give one with xx <= yy + zz, yy <= xx + zz and zz <= xx + yy",
                      "no body has this inertia, of which one principal value is larger than the "
                      "sum of the two others");
    return false;
}

/* ---- the six solids ---------------------------------------------------------------- */

typedef bool fill_fn(const request *r, dry_body__solid *solid);

static bool fill_rigid_body(const request *r, dry_body__solid *solid) {
    solid->mass = number(r, "mass");
    return true; /* its inertia is given */
}
static bool fill_sphere(const request *r, dry_body__solid *solid) {
    const double radius = number(r, "radius");
    solid->shape = (dry_shape){.kind = DRY_SPHERE, .size = {radius}};
    if (!mass_of(r, 4.0 / 3.0 * pi * radius * radius * radius, &solid->mass)) return false;
    solid->n_inertia = 1;
    solid->inertia[0] = 0.4 * solid->mass * radius * radius;
    return true;
}
static bool fill_box(const request *r, dry_body__solid *solid) {
    double w[3];
    const int given = numbers(r, "size", 3, w);
    if (given == 2) {
        dry_error_set_key(r->error, DRY_BAD_MODEL, "size",
                          "give the widths along x, y, z, or one for a cube", "size has 2 numbers");
        return false;
    }
    if (given == 1) w[1] = w[2] = w[0];
    solid->shape = (dry_shape){.kind = DRY_BOX, .size = {0.5 * w[0], 0.5 * w[1], 0.5 * w[2]}};
    if (!mass_of(r, w[0] * w[1] * w[2], &solid->mass)) return false;
    solid->n_inertia = w[0] == w[1] && w[1] == w[2] ? 1 : 3;
    for (int i = 0; i < 3; i++) {
        const double b = w[(i + 1) % 3], c = w[(i + 2) % 3];
        solid->inertia[i] = solid->mass / 12.0 * (b * b + c * c);
    }
    return true;
}
static bool fill_capsule(const request *r, dry_body__solid *solid) {
    const double a = number(r, "radius"), h = 0.5 * number(r, "length");
    const double cylinder = 2.0 * pi * a * a * h, caps = 4.0 / 3.0 * pi * a * a * a;
    if (!mass_of(r, cylinder + caps, &solid->mass)) return false;
    const double rho = solid->mass / (cylinder + caps), M = rho * cylinder, m = rho * caps;
    /* both half spheres: 2/5 m a^2 about the centre of their balls, moved out to h */
    const double across = M * (0.25 * a * a + h * h / 3.0) + m * (0.4 * a * a + h * (h + 0.75 * a));
    solid->shape = (dry_shape){.kind = DRY_CAPSULE, .size = {a, h}};
    solid->n_inertia = 3;
    solid->inertia[0] = solid->inertia[1] = across;
    solid->inertia[2] = 0.5 * M * a * a + 0.4 * m * a * a;
    return true;
}

static bool fill_cylinder(const request *r, dry_body__solid *solid) {
    const double a = number(r, "radius"), h = 0.5 * number(r, "length");
    if (!mass_of(r, 2.0 * pi * a * a * h, &solid->mass)) return false;
    solid->shape = (dry_shape){.kind = DRY_CYLINDER, .size = {a, h}};
    solid->n_inertia = 3;
    solid->inertia[0] = solid->inertia[1] = solid->mass / 12.0 * (3.0 * a * a + 4.0 * h * h);
    solid->inertia[2] = 0.5 * solid->mass * a * a;
    return true;
}

enum { CLOUD_MOST = 4096 }; /* points */

static bool fill_cloud(const request *r, dry_body__solid *solid) {
    const dry_value *given = dry_body__given(r->values, r->count, "points");
    const int count = given->count;
    double *points = dry_arena_take(r->arena, (size_t)count * sizeof *points);
    if (count % 3 != 0 || points == NULL) {
        dry_error_set_key(r->error, points ? DRY_BAD_MODEL : DRY_NO_MEMORY, "points",
                          "give x, y, z of each", "points has %d numbers", count);
        return false;
    }
    memcpy(points, given->numbers, (size_t)count * sizeof *points);
    solid->shape = (dry_shape){.kind = DRY_CLOUD, .points = points, .n_points = count / 3};
    solid->mass = number(r, "mass");
    return true;
}

typedef struct filler {
    fill_fn *fill;
    bool has_shape;
} filler;

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error) {
    const request r = {self, values, count, arena, error};
    const filler *row = self->data;
    dry_body__solid solid = {.has_shape = row->has_shape};
    if (!begin(&r, solid.start) || !row->fill(&r, &solid)) return NULL;
    if (is_given(&r, "inertia") && !inertia_of(&r, &solid)) return NULL;
    return dry_body__rigid(self->name, arena, &solid, error);
}

/* ---- the rows ---------------------------------------------------------------------------- */

#define MASS_ROW                                                                                   \
    { "mass", "kg", 1, 1, true, DRY_POSITIVE, 0.0, "mass" }
#define INERTIA                                                                                    \
    "about the centre of mass in the body's axes: one number, xx yy zz, or xx yy zz xy xz yz"
#define INERTIA_ROW                                                                                \
    { "inertia", "kg m^2", 1, 6, true, DRY_ANY, 0.0, INERTIA }
#define MASS_OR_DENSITY_ROWS                                                                       \
    {"mass", "kg", 1, 1, false, DRY_POSITIVE, 0.0, "mass; or give density"},                       \
        {"density", "kg/m^3", 1, 1, false, DRY_POSITIVE, 0.0, "density; or give mass"}, {          \
        "inertia", "kg m^2", 1, 6, false, DRY_ANY, 0.0,                                            \
            INERTIA "; not given: that of a homogeneous body"                                      \
    }
#define START_ROWS                                                                                 \
    DRY_BODY__POSE_ROWS, {"v", "m/s", 3, 3, false, DRY_ANY, 0.0, "velocity at the start"}, {       \
        "omega", "rad/s", 3, 3, false, DRY_ANY, 0.0, "angular velocity at the start, world's axes" \
    }
#define QUANTITIES " Port: its frame, at the centre of mass. Quantities p, v, q, omega."

static const dry_kind_param rigid_body_params[] = {MASS_ROW, INERTIA_ROW, START_ROWS};
static const dry_kind_param sphere_params[] = {
    {"radius", "m", 1, 1, true, DRY_POSITIVE, 0.0, "radius"}, MASS_OR_DENSITY_ROWS, START_ROWS};
static const dry_kind_param box_params[] = {
    {"size", "m", 1, 3, true, DRY_POSITIVE, 0.0, "widths along x, y, z; one number: a cube"},
    MASS_OR_DENSITY_ROWS,
    START_ROWS};
static const dry_kind_param capsule_params[] = {
    {"radius", "m", 1, 1, true, DRY_POSITIVE, 0.0, "radius"},
    {"length", "m", 1, 1, true, DRY_NONNEGATIVE, 0.0, "of its axis, along z, without the caps"},
    MASS_OR_DENSITY_ROWS,
    START_ROWS};
static const dry_kind_param cylinder_params[] = {
    {"radius", "m", 1, 1, true, DRY_POSITIVE, 0.0, "radius"},
    {"length", "m", 1, 1, true, DRY_POSITIVE, 0.0, "of its axis, along z, from end to end"},
    MASS_OR_DENSITY_ROWS,
    START_ROWS};
static const dry_kind_param cloud_params[] = {
    {"points", "m", 3, 3 * CLOUD_MOST, true, DRY_ANY, 0.0, "x, y, z of each, in the body's axes"},
    MASS_ROW,
    INERTIA_ROW,
    START_ROWS};

#define ROW(word, heading, text, shaped)                                                           \
    const dry_kind dry_body__##word = {.name = #word,                                              \
                                       .title = heading,                                           \
                                       .meaning = text QUANTITIES,                                 \
                                       .params = word##_params,                                    \
                                       .n_params =                                                 \
                                           (int)(sizeof word##_params / sizeof word##_params[0]),  \
                                       .make = make,                                               \
                                       .data = &(const filler){fill_##word, shaped}}

ROW(rigid_body, "rigid body", "A body without a shape: a `contact` does not see it.", false);
ROW(sphere, "solid sphere", "A homogeneous ball.", true);
ROW(box, "solid box", "A homogeneous block.", true);
ROW(capsule, "solid capsule", "A homogeneous cylinder along z with round ends.", true);
ROW(cylinder, "solid cylinder",
    "A homogeneous wheel, roller or disc: it rolls on its side and stands on its flat ends. Two "
    "cylinders touch along their sides, and with eight points on each rim.",
    true);
ROW(cloud, "body of points", "Points that touch others, fixed to a body.", true);
