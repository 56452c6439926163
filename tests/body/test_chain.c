/* The kind `arm`: where its rods are, what it refuses. */
#include "unit.h"

#include <drystone/body.h>
#include <string.h>

static const dry_part *make(dry_arena *arena, const dry_value *values, int count,
                            dry_error *error) {
    const dry_kind *kind = dry_kind_find("arm");
    return kind->make(kind, arena, values, count, error);
}

/* Two rods in the plane of x and y: the tip is where trigonometry puts it. */
static void test_tip(void **state) {
    dry_arena *arena = dry_arena_new(0);
    dry_error error = {0};
    const dry_value values[] = {DRY_NUMBERS("links", 2.0),  DRY_NUMBERS("length", 0.5, 0.3),
                                DRY_NUMBERS("mass", 0.7),   DRY_NUMBERS("at", 1.0, 2.0, 3.0),
                                DRY_NUMBERS("q", 0.4, 0.9), DRY_NUMBERS("q_dot", 2.0, -3.0)};
    double x[4], motion[2 * 2 + 3 * 13];
    (void)state;
    const dry_part *part = make(arena, values, 6, &error);
    assert_non_null(part);
    const dry_part_env env = {.data = part->data};
    part->start(&env, NULL, x);
    part->motion(&env, x, motion);
    assert_string_equal(part->ports[0].name, "joint1");
    assert_string_equal(part->ports[2].name, "link1");
    assert_string_equal(part->ports[4].name, "tip");
    assert_string_equal(part->states[3].name, "q_dot[2]");
    const double *tip = motion + 2 * 2 + 2 * 13;
    closer(tip[0], 1.0 + 0.5 * cos(0.4) + 0.3 * cos(1.3), 1e-15);
    closer(tip[1], 2.0 + 0.5 * sin(0.4) + 0.3 * sin(1.3), 1e-15);
    equal(tip[2], 3.0);
    closer(tip[3], -0.5 * 2.0 * sin(0.4) + 0.3 * 1.0 * sin(1.3), 1e-15);
    closer(tip[4], 0.5 * 2.0 * cos(0.4) - 0.3 * 1.0 * cos(1.3), 1e-15);
    closer(tip[6], cos(0.65), 1e-15);
    closer(tip[9], sin(0.65), 1e-15);
    equal(tip[12], -1.0);
    dry_arena_free(arena);
}

/* Letters for the joints: the first turns about z, the second about y of the first rod. */
static void test_axes(void **state) {
    dry_arena *arena = dry_arena_new(0);
    dry_error error = {0};
    const dry_value values[] = {DRY_NUMBERS("links", 2.0), DRY_NUMBERS("length", 1.0),
                                DRY_NUMBERS("mass", 1.0), DRY_WORD("axis", "zy"),
                                DRY_NUMBERS("rotation", 0.0, 0.0, 0.2)};
    const double x[4] = {0.3, -0.6, 0.0, 0.0};
    double motion[2 * 2 + 3 * 13];
    (void)state;
    const dry_part *part = make(arena, values, 5, &error);
    assert_non_null(part);
    const dry_part_env env = {.data = part->data};
    part->motion(&env, x, motion);
    const double *tip = motion + 2 * 2 + 2 * 13, reach = 1.0 + cos(0.6);
    closer(tip[0], reach * cos(0.5), 1e-15);
    closer(tip[1], reach * sin(0.5), 1e-15);
    closer(tip[2], sin(0.6), 1e-15);
    dry_arena_free(arena);
}

/* Of the rods those with a radius are capsules from joint to joint, in a group of each arm. */
static void test_shapes(void **state) {
    dry_arena *arena = dry_arena_new(0);
    dry_error error = {0};
    const dry_value values[] = {DRY_NUMBERS("links", 3.0), DRY_NUMBERS("length", 0.5, 0.3, 0.1),
                                DRY_NUMBERS("mass", 0.7), DRY_NUMBERS("radius", 0.1, 0.0, 0.2)};
    const double along_z[3] = {0.0, 0.0, 1.0};
    double axis[3];
    (void)state;
    const dry_part *part = make(arena, values, 4, &error), *other = make(arena, values, 4, &error);
    assert_non_null(part);
    assert_non_null(other);
    const dry_port *link = part->ports + 3, *link2 = other->ports + 3;
    assert_string_equal(link[0].name, "link1");
    assert_int_equal(link[0].n_shapes, 1);
    assert_int_equal(link[1].n_shapes, 0);
    assert_int_equal(link[3].n_shapes, 0); /* tip */
    const dry_shape *shape = link[0].shapes;
    assert_int_equal(shape->kind, DRY_CAPSULE);
    equal(shape->size[0], 0.1);
    closer(shape->size[1], 0.15, 1e-15);
    equal(shape->p[0], 0.25);
    equal(shape->p[1], 0.0);
    equal(shape->p[2], 0.0);
    dry_quat_rotate(shape->q, along_z, axis);
    closer(axis[0], 1.0, 1e-15);
    closer(axis[1], 0.0, 1e-15);
    closer(axis[2], 0.0, 1e-15);
    equal(link[2].shapes->size[1], 0.0); /* thicker than long: a ball */
    assert_int_not_equal(shape->group, 0);
    assert_int_equal(shape->group, link[2].shapes->group);
    assert_int_not_equal(shape->group, link2[0].shapes->group);
    dry_arena_free(arena);
}

static void test_refused(void **state) {
    static const double two[] = {1.0, 2.0}, half[] = {2.5}, three[] = {3.0}, one[] = {1.0};
    const struct {
        dry_value links, length, more;
        const char *word;
    } cases[] = {
        {{"links", NULL, half, 1, 0, 0},
         {"length", NULL, one, 1, 0, 0},
         {"q", NULL, one, 0, 0, 0},
         "whole"},
        {{"links", NULL, three, 1, 0, 0},
         {"length", NULL, two, 2, 0, 0},
         {"q", NULL, one, 0, 0, 0},
         "length"},
        {{"links", NULL, three, 1, 0, 0},
         {"length", NULL, one, 1, 0, 0},
         {"q", NULL, two, 2, 0, 0},
         "joints"},
        {{"links", NULL, three, 1, 0, 0},
         {"length", NULL, one, 1, 0, 0},
         DRY_WORD("axis", "zw"),
         "axis"},
        {{"links", NULL, three, 1, 0, 0},
         {"length", NULL, one, 1, 0, 0},
         DRY_WORD("axis", "zzx"),
         "inertia"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dry_arena *arena = dry_arena_new(0);
        dry_error error = {0};
        const dry_value values[] = {cases[i].links, cases[i].length, DRY_NUMBERS("mass", 1.0),
                                    cases[i].more};
        assert_null(make(arena, values, 4, &error));
        if (strstr(error.text, cases[i].word) == NULL)
            fail_msg("'%s' is not in '%s'", cases[i].word, error.text);
        dry_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tip),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
