/* link: reads <link>: mass, centre of mass, inertia, and collision shapes. */
#ifdef DRY_WITH_XML
#include "urdf/urdf_private.h"

#include <drystone/math.h>
#include <math.h>

/* I_link = R I R^T for I = (xx yy zz xy xz yz). */
static void turn_inertia(const double q[4], double inertia[6]) {
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    double R[3][3], M[3][3] = {{0}};
    for (int j = 0; j < 3; j++) { /* column j of R is the turned axis j */
        const double axis[3] = {j == 0, j == 1, j == 2};
        double turned[3];
        dry_quat_rotate(q, axis, turned);
        for (int i = 0; i < 3; i++) R[i][j] = turned[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) M[i][j] += R[i][k] * inertia[at[k][l]] * R[j][l];
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) inertia[at[i][j]] = M[i][j];
}

/* A single link may have any inertia; only the sum over welded links must be that of a body
 * (read.c). */
static void check_inertia(reader *r, const xmlNode *node, const dry_link *link) {
    const double *J = link->inertia;
    if (dry_inertia_is_positive(J, -1e-12) && !dry_inertia_has_moments(J))
        dry_urdf__remark(r, node,
                         "no real body has this inertia, because one of its principal values is "
                         "larger than the sum of the others; it is used unchanged");
}

static void read_inertial(reader *r, const xmlNode *node, dry_link *link) {
    static const char *const names[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const xmlNode *mass = dry_urdf__child(node, "mass");
    const xmlNode *inertia = dry_urdf__child(node, "inertia");
    double turn[4];
    dry_urdf__origin(r, node, link->com, turn);
    if (mass == NULL)
        dry_urdf__mistake(r, node, "has no <mass value=\"...\"/>");
    else
        dry_urdf__numbers(r, mass, "value", true, 1, &link->mass);
    if (link->mass < 0.0) dry_urdf__mistake(r, mass, "is negative");
    if (inertia == NULL) {
        dry_urdf__mistake(r, node, "has no <inertia ixx=\"...\" .../>");
        return;
    }
    for (int i = 0; i < 6; i++)
        dry_urdf__numbers(r, inertia, names[i], i < 3, 1, &link->inertia[i]);
    if (r->status == DRY_OK) check_inertia(r, inertia, link);
    turn_inertia(turn, link->inertia);
}

static double positive(reader *r, const xmlNode *node, const char *attribute) {
    double value = 0.0;
    if (dry_urdf__numbers(r, node, attribute, true, 1, &value) && !(value > 0.0))
        dry_urdf__mistake(r, node, "%s must be positive", attribute);
    return value;
}

static void read_sphere(reader *r, const xmlNode *node, dry_shape *shape) {
    shape->kind = DRY_SPHERE;
    shape->size[0] = positive(r, node, "radius");
}

static void read_box(reader *r, const xmlNode *node, dry_shape *shape) {
    double size[3] = {0};
    shape->kind = DRY_BOX;
    if (!dry_urdf__numbers(r, node, "size", true, 3, size)) return;
    for (int i = 0; i < 3; i++) {
        if (!(size[i] > 0.0)) dry_urdf__mistake(r, node, "size must be three positive numbers");
        shape->size[i] = 0.5 * size[i];
    }
}

static void read_cylinder(reader *r, const xmlNode *node, dry_shape *shape) {
    shape->kind = DRY_CYLINDER;
    shape->size[0] = positive(r, node, "radius");
    shape->size[1] = 0.5 * positive(r, node, "length");
}

/* One row per geometry that can touch. */
static const struct {
    const char *name;
    void (*read)(reader *r, const xmlNode *node, dry_shape *shape);
} geometries[] = {{"sphere", read_sphere}, {"box", read_box}, {"cylinder", read_cylinder}};

/* The element in a <geometry>; NULL after a mistake. */
static const xmlNode *only_shape(reader *r, const xmlNode *geometry) {
    const xmlNode *found = NULL;
    for (const xmlNode *n = geometry->children; n != NULL; n = n->next) {
        if (n->type != XML_ELEMENT_NODE) continue;
        if (found != NULL)
            dry_urdf__mistake(
                r, n, "this <geometry> already has a <%s>; give each shape its own <collision>",
                (const char *)found->name);
        found = n;
    }
    if (found == NULL)
        dry_urdf__mistake(r, geometry, "is empty; put a sphere, a box or a cylinder into it");
    return r->status == DRY_OK ? found : NULL;
}

/* Returns true if this library has the shape of the collision. */
static bool read_collision(reader *r, const xmlNode *collision, dry_shape *shape) {
    const xmlNode *geometry = dry_urdf__child(collision, "geometry");
    if (geometry == NULL) {
        dry_urdf__mistake(r, collision, "has no <geometry>");
        return false;
    }
    *shape = (dry_shape){0};
    dry_urdf__origin(r, collision, shape->p, shape->q);
    const xmlNode *node = only_shape(r, geometry);
    for (size_t i = 0; node != NULL && i < sizeof geometries / sizeof *geometries; i++) {
        if (!dry_urdf__is(node, geometries[i].name)) continue;
        geometries[i].read(r, node, shape);
        return true;
    }
    return false;
}

static void read_shapes(reader *r, const xmlNode *node, dry_link *link) {
    int count = 0;
    const xmlNode *first = dry_urdf__child(node, "collision");
    for (const xmlNode *c = first; c != NULL; c = dry_urdf__next(c->next, "collision")) count++;
    if (count == 0) return;
    dry_shape *shapes = dry_arena_take(r->arena, (size_t)count * sizeof *shapes);
    if (shapes == NULL) {
        r->status = DRY_NO_MEMORY;
        return;
    }
    for (const xmlNode *c = first; c != NULL; c = dry_urdf__next(c->next, "collision"))
        if (read_collision(r, c, &shapes[link->n_shapes])) link->n_shapes++;
    link->shapes = shapes;
}

void dry_urdf__link(reader *r, const xmlNode *node, dry_link *link) {
    const xmlNode *inertial = dry_urdf__child(node, "inertial");
    link->name = dry_urdf__word(r, node, "name", true);
    if (link->name != NULL && !dry_urdf__is_name(link->name))
        dry_urdf__remark_like(r, node,
                              "a model cannot contain the name '%.80s', so nothing can be "
                              "connected to it: rename it with letters, digits and _ to use "
                              "it",
                              link->name);
    if (inertial != NULL) read_inertial(r, inertial, link);
    read_shapes(r, node, link);
}
#else
typedef int dry_urdf__no_link; /* a file needs something in it */
#endif
