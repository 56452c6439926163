/* Forces that press against each other: what cannot give way is named, and what gives way, even if
 * it is heavy or held from both sides, has an answer. */
#include "unit.h"

#include "texts.h"

#include <math.h>

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

/* n wheels in mesh without play: each tooth is held from both sides, which has many answers for the
 * forces and one for the motion, that of one wheel:
 *     n J q'' = T sin(w t) - n Tf  from w t0 = asin(n Tf/T) on */
#define WHEELS                                                                                     \
    "param n = %d, J = 1e-3 [kg*m^2], R = 0.05 [m], Tf = 0.01 [N*m], T = 5 [N*m]\n"                \
    "state q[n] = 0 [rad], w[n] = 0 [rad/s]\n"                                                     \
    "s[i] = R*(q[i] + q[i+1]) for i in 1..n-1\n"                                                   \
    "A[i] in dio(s[i]) with restitution = 0 for i in 1..n-1\n"                                     \
    "B[i] in dio(-s[i]) with restitution = 0 for i in 1..n-1\n"                                    \
    "f[i] in Tf*sgn(w[i]) for i in 1..n\n"                                                         \
    "c[i] = A[i] - B[i] for i in 1..n-1\n"                                                         \
    "left[i] = if i == 1 then 0 else c[i-1] for i in 1..n\n"                                       \
    "right[i] = if i == n then 0 else c[i] for i in 1..n\n"                                        \
    "q' = w\n"                                                                                     \
    "J*w[i]' = (if i == 1 then T*sin(5 [1/s]*t) else 0) + R*left[i] + R*right[i] - f[i] for i in " \
    "1..n\n"

static double turned(int n, double t) {
    const double J = 1e-3, Tf = 0.01, T = 5.0, w = 5.0, t0 = asin(n * Tf / T) / w;
    const double drive = cos(w * t0) * (t - t0) - (sin(w * t) - sin(w * t0)) / w;
    return (T / w * drive - 0.5 * n * Tf * (t - t0) * (t - t0)) / (n * J);
}

static void wheels_without_play_turn_as_one(void **state) {
    (void)state;
    static const int n[] = {3, 6, 10, 20, 50};
    for (int k = 0; k < 5; k++) {
        char text[2000], last[30];
        snprintf(text, sizeof text, WHEELS, n[k]);
        snprintf(last, sizeof last, "q[%d]", n[k]);
        machine of = machine_begin(text, (dry_rigid_options){.step = 1e-3});
        machine_go(&of, 0.5);
        const double q = turned(n[k], 0.5);
        near(machine_state(&of, "q[1]"), q, 1e-6 * q);
        near(machine_state(&of, last), n[k] % 2 ? q : -q, 1e-6 * q);
        machine_end(&of);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heavy_body_gives_way),
        cmocka_unit_test(a_long_row_between_walls_is_named),
        cmocka_unit_test(wheels_without_play_turn_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
