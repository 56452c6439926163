/* patch and ellipsoid: pure slip, pure spin against closed forms, and slip with spin against the
 * integral over the area. */
#include "unit.h"

#include <drystone/law.h>
#include <stdlib.h>

enum { MOST = 4000 };

/* The force per level of a patch that slips fast; par: after N. */
static void slipping(int N, double pressure, double inner, double aspect, const double u[3],
                     double f[3]) {
    const double par[] = {N, 1.0, 1e6, 1.0, pressure, inner, aspect};
    double *s = calloc(4 * MOST, sizeof *s);
    assert_non_null(s);
    assert_null(dry_law_check(dry_law_find("patch"), par, 3, NULL));
    dry_law_find("patch")->eval(par, 3, 0.0, u, s, f, s + 2 * MOST);
    free(s);
}

static double spin_of(int N, double pressure, double inner, double aspect) {
    const double u[3] = {0.0, 0.0, 1.0};
    double f[3];
    slipping(N, pressure, inner, aspect, u, f);
    closer(f[0], 0.0, 0.05); /* the middle hardly pushes */
    closer(f[1], 0.0, 0.05);
    return f[2];
}

/* The mean of |r|: a disc 2/3, Hertz 3 pi/16, a ring 2/3 (1 - q^3)/(1 - q^2), a rectangle with the
 * half sides 1 and c: d/3 + asinh(c)/(6 c) + c^2 asinh(1/c)/6, d = sqrt(1 + c^2). */
static void pure_spin(void **state) {
    (void)state;
    const double pi = acos(-1.0), q = 0.6, c = 0.4;
    const double rectangle =
        sqrt(1.0 + c * c) / 3.0 + asinh(c) / (6.0 * c) + c * c * asinh(1.0 / c) / 6.0;
    near(spin_of(MOST, 0.0, 0.0, 0.0), 2.0 / 3.0, 1e-5);
    near(spin_of(MOST, 0.5, 0.0, 0.0), 3.0 * pi / 16.0, 1e-4);
    near(spin_of(MOST, 0.0, q, 0.0), 2.0 / 3.0 * (1.0 - q * q * q) / (1.0 - q * q), 1e-5);
    near(spin_of(MOST, 0.0, 0.0, c), rectangle, 1e-4);
    near(spin_of(64, 0.0, 0.0, 0.0), 2.0 / 3.0, 2e-3);
    near(spin_of(64, 0.5, 0.0, 0.0), 3.0 * pi / 16.0, 4e-3);
}

static void pure_slip(void **state) {
    (void)state;
    const double u[3] = {3.0, 4.0, 0.0};
    for (int N = 1; N < 50; N += 7) {
        double f[3];
        slipping(N, 0.0, 0.0, 0.0, u, f);
        all_near(3, f, ((const double[]){0.6, 0.8, 0.0}), 1e-14);
    }
}

/* The mean of s = (v - y, x)/|(v - y, x)| and of x s_y - y s_x over the disc, in rings and angles
 * by the midpoint rule, with the weight of the pressure. */
static void integrate(double v, double pressure, double *force, double *moment) {
    enum { RINGS = 1500, ANGLES = 1500 };
    double sum = 0.0;
    *force = *moment = 0.0;
    for (int i = 0; i < RINGS; i++)
        for (int j = 0; j < ANGLES; j++) {
            const double r = (i + 0.5) / RINGS, angle = 2.0 * acos(-1.0) * (j + 0.5) / ANGLES;
            const double x = r * cos(angle), y = r * sin(angle);
            const double weight = r * pow(1.0 - r * r, pressure), speed = hypot(v - y, x);
            *force += weight * (v - y) / speed;
            *moment += weight * (x * x - y * (v - y)) / speed;
            sum += weight;
        }
    *force /= sum;
    *moment /= sum;
}

/* The ellipsoid is off by up to 15 % of the level on the way from slip to spin; the patch is not.
 */
static void slip_with_spin(void **state) {
    (void)state;
    double worst = 0.0;
    for (int k = 0; k < 8; k++) {
        const double v = 0.25 * (k + 0.5), u[3] = {v, 0.0, 1.0};
        const double par[] = {1.0, 1e6, 1.0, 2.0 / 3.0}, none[3] = {0.0, 0.0, 0.0};
        for (int hertz = 0; hertz < 2; hertz++) {
            double f[3], force, moment;
            integrate(v, 0.5 * hertz, &force, &moment);
            slipping(MOST, 0.5 * hertz, 0.0, 0.0, u, f);
            near(f[0], force, 1e-3);
            near(f[2], moment, 1e-3);
            if (hertz) continue;
            double cheap[3], rate[3];
            dry_law_find("ellipsoid")->eval(par, 3, 0.0, u, none, cheap, rate);
            worst = dry_max(worst, hypot(cheap[0] - force, cheap[2] - moment));
        }
    }
    between(worst, 0.1, 0.16);
}

static void refuses(const double *par, const char *key) {
    const dry_wrong *wrong = dry_law_check(dry_law_find("patch"), par, 3, NULL);
    assert_non_null(wrong);
    assert_string_equal(wrong->key, key);
}

static void mistakes(void **state) {
    (void)state;
    refuses((const double[]){8, 1, 1e3, 1e-3, 0.0, 1.0, 0.0}, "inner");
    refuses((const double[]){8, 1, 1e3, 1e-3, 0.0, 0.5, 0.5}, "aspect");
    refuses((const double[]){8, 1, 1e3, 1e-3, 0.5, 0.0, 0.5}, "pressure");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pure_spin),
        cmocka_unit_test(pure_slip),
        cmocka_unit_test(slip_with_spin),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
