/* Forces that press against each other: what cannot give way is named, and what gives way, even if
 * it is heavy or held from both sides, has an answer. */
#include "unit.h"

#include "texts.h"

/* n bodies of 1 kg in contact, the first at a wall that comes at 0.1 m/s. `end` closes the row. */
#define ROW                                                                                        \
    "param n = %d, M = %g [kg]\n"                                                                  \
    "state x[n] = 0 [m], v[n] = 0 [m/s], X = 0 [m], V = 0 [m/s]\n"                                 \
    "wall = 0.1 [m/s]*t\n"                                                                         \
    "gap[i] = if i == 1 then x[1] - wall else x[i] - x[i-1] for i in 1..n\n"                       \
    "N[i] in dio(gap[i]) with restitution = 0 for i in 1..n\n"                                     \
    "R in dio(%s - x[n]) with restitution = 0\n"                                                   \
    "ahead[i] = if i == n then R else N[i+1] for i in 1..n\n"                                      \
    "x' = v\n"                                                                                     \
    "1 [kg]*v[i]' = N[i] - ahead[i] for i in 1..n\n"                                               \
    "X' = V\n"                                                                                     \
    "M*V' = R\n"

static machine row_begin(int n, double M, const char *end) {
    char text[2000];
    snprintf(text, sizeof text, ROW, n, M, end);
    return machine_begin(text, (dry_rigid_options){.step = 1e-3});
}

/* A row in front of a heavy body, which it sets in motion: without restitution all have the speed
 * of the wall. */
static void a_heavy_body_gives_way(void **state) {
    (void)state;
    static const int n[] = {2, 15, 20};
    for (int k = 0; k < 3; k++)
        for (double M = 1e3; M < 2e9; M *= 1e3) {
            machine of = row_begin(n[k], M, "X");
            machine_go(&of, 0.01);
            near(machine_state(&of, "V"), 0.1, 1e-6);
            near(machine_state(&of, "v[1]"), 0.1, 1e-9);
            machine_end(&of);
        }
}

/* A row between two walls that meet: its end is reached after 5 ms. */
static void a_long_row_between_walls_is_named(void **state) {
    (void)state;
    static const int n[] = {1, 3, 20, 200};
    for (int k = 0; k < 4; k++) {
        char last[30];
        machine of = row_begin(n[k], 1.0, "(1 [mm] - 0.1 [m/s]*t)");
        machine_go(&of, 4e-3);
        assert_int_equal(dry_rigid_advance(of.rigid, 6e-3, &of.error), DRY_BAD_MODEL);
        assert_non_null(strstr(of.error.text, "`N[1]`"));
        assert_non_null(strstr(of.error.text, "press against each other"));
        snprintf(last, sizeof last, "and %d more", n[k] - 2);
        if (n[k] > 2) assert_non_null(strstr(of.error.text, last));
        near(dry_rigid_time(of.rigid), 5e-3, 1.001e-3);
        machine_end(&of);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heavy_body_gives_way),
        cmocka_unit_test(a_long_row_between_walls_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
