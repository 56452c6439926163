/* Where two shapes touch: gaps and normals that geometry tells. Boxes in any position:
 * test_boxes.c. */
#include "unit.h"

#include "body/contact_private.h"
#include <math.h>

typedef struct item {
    dry_shape shape;
    double c[3], R[9];
} item;

static item at(dry_shape shape, double x, double y, double z) {
    return (item){shape, {x, y, z}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}
/* turned about the axis by the angle */
static item turned(item it, double x, double y, double z, double angle) {
    const double s = sin(0.5 * angle) / sqrt(x * x + y * y + z * z);
    dry_body__matrix((const double[4]){cos(0.5 * angle), s * x, s * y, s * z}, it.R);
    return it;
}
static dry_body__placed placed(const item *it) {
    return (dry_body__placed){&it->shape, it->c, it->R};
}
static dry_body__point touch(const item *a, const item *b, int k) {
    const dry_body__placed p = placed(a), q = placed(b);
    dry_body__point point;
    assert_true(dry_body__touch(a->shape.kind, b->shape.kind)(&p, &q, k, &point));
    return point;
}
static void is(const item *a, const item *b, int k, double psi, double nx, double ny, double nz) {
    const dry_body__point p = touch(a, b, k);
    const double n[3] = {nx, ny, nz};
    near(p.psi, psi, 1e-14);
    all_near(3, p.n, n, 1e-14);
}

static const dry_shape plane = {.kind = DRY_PLANE};
static const dry_shape ball = {.kind = DRY_SPHERE, .size = {0.5}};
static const dry_shape cube = {.kind = DRY_BOX, .size = {1, 1, 1}};
static const dry_shape pill = {.kind = DRY_CAPSULE, .size = {0.25, 1.0}};
static const double tip[3] = {0, 0, -1};
static const dry_shape cloud = {.kind = DRY_CLOUD, .points = tip, .n_points = 1};

static void test_plane(void **state) {
    (void)state;
    const item floor = at(plane, 3, 4, 0), b = at(ball, 0, 0, 0.4), c = at(cube, 0, 0, 0.9);
    const item p = at(pill, 0, 0, 1.2), t = at(cloud, 0, 0, 0.5);
    const item wall = turned(at(plane, -1, 0, 0), 0, 1, 0, 2.0 * atan(1.0));
    is(&floor, &b, 0, -0.1, 0, 0, 1);
    is(&wall, &b, 0, 0.5, 1, 0, 0);
    for (int k = 0; k < 8; k++) is(&floor, &c, k, k & 4 ? 1.9 : -0.1, 0, 0, 1);
    is(&floor, &p, 0, -0.05, 0, 0, 1);
    is(&floor, &p, 1, 1.95, 0, 0, 1);
    is(&floor, &t, 0, -0.5, 0, 0, 1);
}

static void test_sphere(void **state) {
    (void)state;
    const item b = at(ball, 0, 0, 0), other = at(ball, 0.6, 0, 0.7), far = at(cube, 1.4, 0, 0.5);
    const item corner = at(cube, 1.3, 1.3, 1.3), inside = at(cube, 0.2, 0.9, 0.1);
    const item p = at(pill, 0.7, 0, 1.2), t = at(cloud, 0.3, 0.4, 1), same = at(ball, 0, 0, 0);
    const double d = hypot(0.6, 0.7);
    is(&b, &other, 0, d - 1.0, 0.6 / d, 0, 0.7 / d);
    is(&b, &same, 0, -1.0, 0, 0, 1); /* any direction is as good */
    is(&b, &far, 0, -0.1, 1, 0, 0);
    is(&b, &corner, 0, 0.3 * sqrt(3.0) - 0.5, sqrt(1.0 / 3.0), sqrt(1.0 / 3.0), sqrt(1.0 / 3.0));
    is(&b, &inside, 0, -0.6, 0, 1, 0); /* the nearest face is 0.1 away */
    is(&b, &p, 0, hypot(0.7, 0.2) - 0.75, 0.7 / hypot(0.7, 0.2), 0, 0.2 / hypot(0.7, 0.2));
    is(&b, &t, 0, 0.0, 0.6, 0.8, 0);
}

static void test_capsule_and_box(void **state) {
    (void)state;
    const item c = at(cube, 0, 0, 0), upright = at(pill, 0, 0, 2.2);
    const item lying = turned(at(pill, 0, 0, 1.2), 1, 0, 0, 2.0 * atan(1.0));
    const item over = turned(at(pill, 1.1, 0, 1.1), 0, 1, 0, 3.0 * atan(1.0)); /* over an edge */
    const item cross = at(pill, 0.4, 0, 0), t = at(cloud, 0, 0, 1.9);
    const dry_body__placed p = placed(&c), q = placed(&lying);
    const double s = sqrt(0.5);
    dry_body__point none;
    is(&c, &upright, 0, -0.05, 0, 0, 1);
    is(&c, &lying, 0, -0.05, 0, 0, 1);
    is(&c, &lying, 1, -0.05, 0, 0, 1);
    assert_false(dry_body__touch(DRY_BOX, DRY_CAPSULE)(&p, &q, 2, &none)); /* the ends carry it */
    const dry_body__point edge = touch(&c, &over, 2);
    near(edge.psi, 0.1 * sqrt(2.0) - 0.25, 1e-9);
    near(edge.n[0], s, 1e-6); /* the place along the axis is searched to 1e-7 */
    is(&c, &t, 0, -0.1, 0, 0, 1);
    const item side = turned(at(pill, 0.0, 0.3, 0), 0, 1, 0, 1.0);
    is(&cross, &side, 0, hypot(0, 0.3) - 0.5, 0, 1, 0);
}

/* ---- boxes --------------------------------------------------------------------------------- */

/* Those that press come first. */
static int meet(const item *a, const item *b, dry_body__point *points) {
    const dry_body__placed p = placed(a), q = placed(b);
    const int n = dry_body__boxes(&p, &q, points);
    int count = 0;
    while (count < n && points[count].psi < 0.0) count++;
    for (int k = count; k < n; k++) at_least(points[k].psi, 0.0);
    return count;
}

static void test_boxes_face_to_face(void **state) {
    dry_body__point points[DRY_BODY__BOX_POINTS];
    const item low = at(cube, 0, 0, 0), high = at(cube, 0, 0, 1.9);
    const item aside = at(cube, 0.5, 0.3, 1.9), apart = at(cube, 0, 0, 2.01);
    const item twisted = turned(high, 0, 0, 1, atan(1.0));
    (void)state;
    assert_int_equal(meet(&low, &apart, points), 0);
    /* corners on corners: four points, those of the upper box */
    assert_int_equal(meet(&low, &high, points), 4);
    for (int k = 0; k < 4; k++) {
        near(points[k].psi, -0.1, 1e-14);
        near(points[k].n[2], 1.0, 1e-14);
        near(fabs(points[k].x[0]), 1.0, 1e-14);
        near(points[k].x[2], 0.95, 1e-14);
        near(points[k].weight, 1.0, 1e-14);
        above(points[k].slot, 8);
        at_most(points[k].slot, 16);
    }
    /* moved aside: one corner of each, and two crossings */
    int corners = 0, crossings = 0;
    const int n = meet(&low, &aside, points);
    for (int k = 0; k < n; k++) {
        corners += points[k].slot <= 16;
        crossings += points[k].slot > 16;
        above(points[k].x[0], -0.5 - 1e-14);
        above(points[k].x[1], -0.7 - 1e-14);
    }
    assert_int_equal(corners, 2);
    assert_int_equal(crossings, 2);
    assert_int_equal(meet(&low, &twisted, points), 8); /* an octagon */
}

static void test_boxes_edge_to_edge(void **state) {
    dry_body__point points[DRY_BODY__BOX_POINTS];
    const double eighth = atan(1.0), top = sqrt(2.0);
    const item low = turned(at(cube, 0, 0, 0), 1, 0, 0, eighth); /* its edge up, along x */
    const item high = turned(at(cube, 0, 0, 2.0 * top - 0.1), 0, 1, 0, eighth);
    (void)state;
    assert_int_equal(meet(&low, &high, points), 1);
    near(points[0].psi, -0.1, 1e-14);
    near(points[0].n[2], 1.0, 1e-14);
    near(points[0].x[2], top - 0.05, 1e-14);
    above(points[0].slot, 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_capsule_and_box),
        cmocka_unit_test(test_boxes_face_to_face),
        cmocka_unit_test(test_boxes_edge_to_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
