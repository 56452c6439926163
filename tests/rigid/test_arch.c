/* An arch of stones that press on each other at the edges of their joints, as a text of equations:
 * it stands if forces exist that balance its weight, and falls or slides if not. The limits are
 * those of tests/reference/arch.py, which solves linear programs. */
#include "unit.h"

#include "texts.h"

/* Stone k lies between the joints k and k + 1, at the angles pi (k - 1)/n and pi k/n; mean radius
 * 1, thickness th, masses per area and depth. Motions are small, so that the geometry is that of
 * the start. h, s: the arms of forces along and across the ring about the centre of mass, which
 * lies at the radius rc. */
static const char arch[] =
    "param n = %d, th = %.17g, mu = %.17g, g = 9.81 [m/s^2]\n"
    "param d = pi/n, a = 1 - th/2, b = 1 + th/2\n"
    "param rc = 4/3*sin(d/2)/d*(b^3 - a^3)/(b^2 - a^2)\n"
    "param m = d*th*1 [kg], J = d/4*(b^4 - a^4)*1 [kg] - m*rc^2\n"
    "param ai = a - rc*cos(d/2), ae = b - rc*cos(d/2), hs = rc*sin(d/2)\n"
    "state x[n] = 0 [m], y[n] = 0 [m], q[n] = 0 [m]\n"
    "state vx[n] = 0 [m/s], vy[n] = 0 [m/s], w[n] = 0 [m/s]\n"
    "c[j] = cos(d*(j - 1)) for j in 1..n+1\n"
    "s[j] = sin(d*(j - 1)) for j in 1..n+1\n"
    /* the way along the ring of the stones behind and before a joint, and how they turn */
    "up[j] = if j == n + 1 then 0 [m] else c[j]*y[j] - s[j]*x[j] for j in 1..n+1\n"
    "down[j] = if j == 1 then 0 [m] else c[j]*y[j-1] - s[j]*x[j-1] for j in 1..n+1\n"
    "turn[j] = (if j == n + 1 then 0 [m] else q[j]) - (if j == 1 then 0 [m] else q[j-1]) for j in "
    "1..n+1\n"
    "Ni[j] in dio(up[j] - down[j] + ai*turn[j]) for j in 1..n+1\n"
    "Ne[j] in dio(up[j] - down[j] + ae*turn[j]) for j in 1..n+1\n"
    "out[j] = if j == n + 1 then 0 [m/s] else c[j]*vx[j] + s[j]*vy[j] + hs*w[j] for j in 1..n+1\n"
    "in_[j] = if j == 1 then 0 [m/s] else c[j]*vx[j-1] + s[j]*vy[j-1] - hs*w[j-1] for j in 1..n+1\n"
    "%s"
    "x' = vx\ny' = vy\nq' = w\n"
    "N[j] = Ni[j] + Ne[j] for j in 1..n+1\n"
    "M[j] = ai*Ni[j] + ae*Ne[j] for j in 1..n+1\n"
    "m*vx[k]' = -s[k]*N[k] - c[k]*f[k] + s[k+1]*N[k+1] + c[k+1]*f[k+1] for k in 1..n\n"
    "m*vy[k]' = c[k]*N[k] - s[k]*f[k] - c[k+1]*N[k+1] + s[k+1]*f[k+1] - m*g for k in 1..n\n"
    "J*w[k]' = M[k] - hs*f[k] - M[k+1] - hs*f[k+1] for k in 1..n\n"
    "run until = 0.1 [s], step = 1 [ms]\n";

/* The friction of a joint as one force, or as one force at each edge: then no equation says which
 * of them holds (hyperstatic). */
static const char *const frictions[] = {
    "f[j] in mu*(Ni[j] + Ne[j])*sgn(out[j] - in_[j]) for j in 1..n+1\n",
    "fi[j] in mu*Ni[j]*sgn(out[j] - in_[j]) for j in 1..n+1\n"
    "fe[j] in mu*Ne[j]*sgn(out[j] - in_[j]) for j in 1..n+1\n"
    "f[j] = fi[j] + fe[j] for j in 1..n+1\n"};

/* The fastest of all stones after 10 ms. */
static double arch_speed(int n, double thickness, double mu, const char *friction) {
    char text[4000];
    double most = 0.0;
    snprintf(text, sizeof text, arch, n, thickness, mu, friction);
    machine of = machine_begin(text, (dry_rigid_options){.step = 1e-3});
    machine_go(&of, 0.01);
    for (int k = 1; k <= n; k++) {
        static const char *const names[] = {"vx", "vy", "w"};
        for (int i = 0; i < 3; i++) {
            char name[20];
            snprintf(name, sizeof name, "%s[%d]", names[i], k);
            most = fmax(most, fabs(machine_state(&of, name)));
        }
    }
    machine_end(&of);
    return most;
}

typedef struct limit {
    int n;
    double thickness; /* with mu = 1 */
    double mu;        /* with the thickness 0.2 */
} limit;
static const limit limits[] = {
    {9, 0.102134, 0.308989}, {31, 0.107175, 0.308412}, {101, 0.107451, 0.309143}};

/* Close beside each other, so that an answer does not depend on the last digits of one arch. */
static const double beside[] = {1.0, 1.0 + 3e-8, 1.0 - 4.2e-8};
enum { BESIDE = sizeof beside / sizeof *beside };

/* 10 ms of free fall give 0.1 m/s; what stands keeps its speed of 0 to 1e-9. At 0.1 % beyond its
 * limit it begins slowly. */
static void an_arch_falls_if_it_is_too_thin(void **state) {
    (void)state;
    for (int k = 0; k < 6 * BESIDE; k++) {
        const limit *at = &limits[k % 3];
        const double thickness = beside[k / 6] * at->thickness;
        const char *friction = frictions[k / 3 % 2];
        near(arch_speed(at->n, 1.001 * thickness, 1.0, friction), 0.0, 1e-9);
        above(arch_speed(at->n, 0.999 * thickness, 1.0, friction), 1e-6);
    }
}

static void an_arch_slides_if_it_is_too_smooth(void **state) {
    (void)state;
    for (int k = 0; k < 6 * BESIDE; k++) {
        const limit *at = &limits[k % 3];
        const double mu = beside[k / 6] * at->mu;
        const char *friction = frictions[k / 3 % 2];
        near(arch_speed(at->n, 0.2, 1.001 * mu, friction), 0.0, 1e-9);
        above(arch_speed(at->n, 0.2, 0.999 * mu, friction), 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arch_falls_if_it_is_too_thin),
        cmocka_unit_test(an_arch_slides_if_it_is_too_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
