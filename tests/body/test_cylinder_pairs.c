/* A cylinder and a box, and two cylinders, in 20,000 positions each, random and degenerate:
 * parallel and crossed axes, flush ends, standing, lying, by a depth of next to nothing. The force
 * of a contact of unit stiffness moves continuously with the position. In some of them: they have
 * points with psi < 0 if they overlap and none if they are apart, and the points lie in both within
 * their depth.
 *
 * Whether they overlap is found out in another way: with
 *
 *     g(x) = max |local| - h of a box,  max(radial - r, |axial| - h) of a cylinder
 *
 * both convex, they overlap by t if -t is the least of max(g_a, g_b) over x, three searches in each
 * other. */
#include "unit.h"

#include "placed.h"
#include <stdlib.h>

typedef placed thing;

typedef struct pair {
    thing a, b;
} pair;

/* ---- positions ------------------------------------------------------------------------------ */

static thing random_thing(dry_shape_kind kind) { return random_shape(kind, 0.6, 0.4); }
static void tilt(thing *s, double angle) {
    double turn[4] = {1.0, 0.0, 0.0, 0.0}, q[4];
    for (int i = 1; i < 4; i++) turn[i] = 0.5 * angle * random_number();
    dry_quat_multiply(turn, s->q, q);
    for (int i = 0; i < 4; i++) s->q[i] = q[i];
    place(s);
}
/* How far it reaches along n. */
static double reach(const thing *s, const double n[3]) {
    const double *h = s->shape.size;
    double c[3];
    for (int k = 0; k < 3; k++) c[k] = s->R[k] * n[0] + s->R[3 + k] * n[1] + s->R[6 + k] * n[2];
    if (s->shape.kind == DRY_BOX) return h[0] * fabs(c[0]) + h[1] * fabs(c[1]) + h[2] * fabs(c[2]);
    return h[1] * fabs(c[2]) + h[0] * hypot(c[0], c[1]);
}
/* Sets b so that, along the axes of a, it is in its middle, flush with it, on it, or anywhere. */
static void set_beside(pair *p, int kind, double depth) {
    double at[3];
    for (int k = 0; k < 3; k++, kind /= 5) {
        const double n[3] = {p->a.R[k], p->a.R[3 + k], p->a.R[6 + k]};
        const double mine = reach(&p->a, n), its = reach(&p->b, n);
        const double sign = random_number() < 0.0 ? -1.0 : 1.0;
        const double ways[5] = {0.0, mine - its, mine + its - depth, mine - its + depth,
                                (mine + its) * random_number()};
        at[k] = sign * ways[kind % 5];
    }
    dry_body__turn(p->a.R, at, p->b.c);
    for (int i = 0; i < 3; i++) p->b.c[i] += p->a.c[i];
}
static pair position(int trial, dry_shape_kind first) {
    static const double depths[] = {0.1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12, -1e-9, 0.0};
    static const double angles[] = {0.0, 0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.03, 0.12, 0.3};
    pair p = {random_thing(first), random_thing(DRY_CYLINDER)};
    if (trial % 4 == 0) return p;
    if (random_choice(3) == 0) p.b.shape.size[0] = p.a.shape.size[0];
    for (int i = 0; i < 4; i++) p.b.q[i] = p.a.q[i];
    turn_by_right_angles(&p.b);
    if (trial % 8 == 1) tilt(&p.b, 3.0);
    set_beside(&p, random_choice(125), depths[random_choice(8)]);
    tilt(&p.b, angles[random_choice(9)]);
    return p;
}

/* ---- do they overlap? -------------------------------------------------------------------------
 */

static double g_of(const thing *s, const double x[3]) {
    const double d[3] = {x[0] - s->c[0], x[1] - s->c[1], x[2] - s->c[2]}, *h = s->shape.size;
    double y[3];
    dry_body__turn_back(s->R, d, y);
    if (s->shape.kind == DRY_CYLINDER) return fmax(hypot(y[0], y[1]) - h[0], fabs(y[2]) - h[1]);
    return fmax(fabs(y[0]) - h[0], fmax(fabs(y[1]) - h[1], fabs(y[2]) - h[2]));
}
/* The least over the coordinates from number k on, by sections of 0.62. */
static double least(const pair *p, int k, double x[3]) {
    if (k == 3) return fmax(g_of(&p->a, x), g_of(&p->b, x));
    const double golden = 0.6180339887498949;
    double low = p->a.c[k] - 1.8, high = p->a.c[k] + 1.8, at[2], value[2];
    for (int i = 0; i < 2; i++) {
        x[k] = at[i] = i ? low + golden * (high - low) : high - golden * (high - low);
        value[i] = least(p, k + 1, x);
    }
    for (int round = 0; round < 30; round++) {
        const int worse = value[0] < value[1];
        *(worse ? &high : &low) = at[worse];
        at[worse] = at[!worse], value[worse] = value[!worse];
        x[k] = at[!worse] = worse ? high - golden * (high - low) : low + golden * (high - low);
        value[!worse] = least(p, k + 1, x);
    }
    return fmin(value[0], value[1]);
}
static double overlap_of(const pair *p) {
    double x[3];
    return -least(p, 0, x);
}

/* ---- points and forces --------------------------------------------------------------------------
 */

static int slots_of(const pair *p) {
    const dry_body__solid_shape s = {.shape = &p->a.shape, .kind = p->a.shape.kind, .frame = 0};
    const dry_body__solid_shape t = {.shape = &p->b.shape, .kind = p->b.shape.kind, .frame = 1};
    return dry_body__slots(&s, &t);
}
static bool point_of(const pair *p, int k, dry_body__point *point) {
    const dry_body__placed a = {&p->a.shape, p->a.c, p->a.R}, b = {&p->b.shape, p->b.c, p->b.R};
    *point = (dry_body__point){.weight = 1.0};
    return dry_body__touch(p->a.shape.kind, DRY_CYLINDER)(&a, &b, k, point);
}
/* Force on b and its moment about the centre of a, K = 1 N/m, at rest. */
static void force(const pair *p, double f[6]) {
    for (int i = 0; i < 6; i++) f[i] = 0.0;
    for (int k = 0; k < slots_of(p); k++) {
        dry_body__point point;
        double arm[3], push[3], m[3];
        if (!point_of(p, k, &point) || !(point.psi < 0.0)) continue;
        for (int i = 0; i < 3; i++) {
            arm[i] = point.x[i] - p->a.c[i];
            push[i] = -point.weight * point.psi * point.n[i];
        }
        dry_cross3(arm, push, m);
        for (int i = 0; i < 3; i++) f[i] += push[i], f[3 + i] += m[i];
    }
}
static double thinnest(const pair *p) {
    const double *h = p->a.shape.size, *l = p->b.shape.size;
    const double a = fmin(h[0], h[1]), b = fmin(l[0], l[1]);
    return fmin(p->a.shape.kind == DRY_BOX ? fmin(a, h[2]) : a, b);
}

/* So deep in each other that they can be pushed apart either way: more than this part of the
 * thinner half size. */
static const double DEEP = 0.15;

enum { TRIALS = 20000, LOOKED_AT = 2000 };

/* ---- they touch if they overlap ----------------------------------------------------------------
 */

/* How many points press; they lie in both, within what the overlap allows. */
static int pressing(const pair *p, double overlap) {
    int count = 0;
    for (int k = 0; k < slots_of(p); k++) {
        dry_body__point point;
        if (!point_of(p, k, &point) || !(point.weight * point.psi < 0.0)) continue;
        count++;
        closer(dry_norm(3, point.n), 1.0, 1e-12);
        above(point.weight, 0.0);
        if (overlap > DEEP * thinnest(p)) continue;
        const double out = fmax(g_of(&p->a, point.x), g_of(&p->b, point.x));
        below(out, 2.5 * fmax(overlap, 0.0) + 1e-5);
    }
    return count;
}
static void look(dry_shape_kind first) {
    int overlaps = 0, apart = 0, missed = 0, invented = 0;
    for (int trial = 0; trial < LOOKED_AT; trial++) {
        const pair p = position(trial, first);
        const double t = overlap_of(&p);
        const int count = pressing(&p, t);
        overlaps += t > 1e-5, apart += t < -1e-5;
        missed += t > 1e-5 && t < DEEP * thinnest(&p) && count == 0;
        invented += t < -1e-5 && count > 0;
    }
    above(overlaps, LOOKED_AT / 4);
    above(apart, LOOKED_AT / 10);
    assert_int_equal(missed, 0);
    assert_int_equal(invented, 0);
}
static void test_points_of_a_box(void **state) {
    (void)state;
    look(DRY_BOX);
}
static void test_points_of_cylinders(void **state) {
    (void)state;
    look(DRY_CYLINDER);
}

/* ---- the force moves with the position
 * ------------------------------------------------------------
 */

/* The most by which force and moment change, per unit of length. */
static double rate_of(const pair *p, double small) {
    pair moved = *p;
    double f[6], g[6], most = 0.0;
    for (int i = 0; i < 3; i++) moved.b.c[i] += small * random_number();
    tilt(&moved.b, small);
    force(p, f);
    force(&moved, g);
    for (int i = 0; i < 6; i++) most = fmax(most, fabs(f[i] - g[i]) / small);
    return most;
}

/* The positions in which it changes by more than 300, as a jump by a millionth of the size does at
 * 1e-9. Deep ones are looked at only then, as that takes long. */
static int jumps(dry_shape_kind first) {
    int count = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        const pair p = position(trial, first);
        const double most = fmax(rate_of(&p, 1e-9), rate_of(&p, 1e-6));
        count += most > 300.0 && overlap_of(&p) < DEEP * thinnest(&p);
    }
    return count;
}
static void test_forces_of_a_box(void **state) {
    (void)state;
    assert_int_equal(jumps(DRY_BOX), 0);
}
/* Arcs of two rims may be deepest at two places, about which they are symmetric; then one of them
 * is taken: this was found in one of 30,000 positions. */
static void test_forces_of_cylinders(void **state) {
    (void)state;
    at_most(jumps(DRY_CYLINDER), TRIALS / 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_of_a_box),
        cmocka_unit_test(test_points_of_cylinders),
        cmocka_unit_test(test_forces_of_a_box),
        cmocka_unit_test(test_forces_of_cylinders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
