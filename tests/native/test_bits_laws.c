/* Native code gives the bits of the bytecode, optimised as in use: every law, linear systems,
 * nested branches, watched conditions, and states that run away. */
#include "bits.h"

static void agree(const char *text) {
    need_compiler();
    dry_model *model = compile_text(text);
    if (!dry_model_ok(model)) fail_msg("%s", dry_model_message(model, 0).text);
    compare_model(model, true, NULL);
    dry_model_free(model);
}

static void friction_laws(void **state) {
    (void)state;
    agree("state v[9] = 0.2 [m/s]\n"
          "param K = 5e3 [N/m]\n"
          "a = multistate(v[1], N = 3, Fs = 2.7)\n"
          "b = smoothing(v[2], F = 0.5)\n"
          "c = stribeck(v[3], F = 0.5, Fs = 0.7, vs = 1e-2, alpha = 1.5)\n"
          "d = viscous(v[4], D = 2)\n"
          "e = dahl(v[5], F = 0.5, K = K)\n"
          "g = lugre(v[6], F = 0.5, Fs = 0.7, K = 5e3, alpha = 1.3)\n"
          "h = elastoplastic(v[7], F = 0.5, K = 5e3)\n"
          "k = gms(v[8], N = 3)\n"
          "l = coulomb(v[9], F = 0.5, K = 5e3, beta = 2e-3)\n"
          "1 [kg]*v' = -[a, b, c, d, e, g, h, k, l]\n"
          "run until = 1 [s], step = 0.1 [ms]\n");
}

static void contact_laws(void **state) {
    (void)state;
    agree("state z[6] = 0.001 [m], w[6] = 0 [m/s]\n"
          "a = contact(z[1], w[1])\n"
          "b = compliant(z[2], w[2])\n"
          "c = kelvin_voigt(z[3], w[3])\n"
          "d = kelvin_voigt_cut(z[4], w[4])\n"
          "e = hunt_crossley(z[5], w[5])\n"
          "z' = w\n"
          "1 [kg]*w' = [a, b, c, d, e, 0 [N]] - 10 [N]*[1, 1, 1, 1, 1, 1]\n"
          "run until = 1 [s], step = 0.1 [ms]\n");
}

/* Every law of the catalogue with its defaults in one model, each on a body of its own: friction
 * slows it down, a contact throws it back. */
static void the_whole_catalogue(void **state) {
    (void)state;
    char text[8192];
    size_t n = 0;
    for (int i = 0; i < dry_law_count(); i++) {
        const dry_law *law = dry_law_at(i);
        static const char *const lines[] = {
            [DRY_FRICTION] = "state v%d = 1e-5 [m/s]\nf%d = %s(v%d)\n1 [kg]*v%d' = -f%d\n",
            [DRY_CONTACT] = "state z%d = 0.1 [mm], w%d = -0.1 [m/s]\nf%d = %s(z%d, w%d)\n"
                            "z%d' = w%d\n1 [kg]*w%d' = f%d\n",
            [DRY_FRICTIONAL_CONTACT] =
                "state z%d = 0.1 [mm], w%d = -0.1 [m/s], v%d = 1 [m/s]\nf%d = %s(z%d, w%d, v%d)\n"
                "z%d' = w%d\n1 [kg]*w%d' = f%d[1]\n1 [kg]*v%d' = -f%d[2]\n"};
        for (const char *at = lines[law->kind]; *at && n + 64 < sizeof text;) {
            if (strncmp(at, "%d", 2) && strncmp(at, "%s", 2)) {
                text[n++] = *at++;
                continue;
            }
            n += (size_t)(at[1] == 'd' ? snprintf(text + n, 64, "%d", i)
                                       : snprintf(text + n, 64, "%s", law->name));
            at += 2;
        }
    }
    snprintf(text + n, sizeof text - n, "run until = 1 [s], step = 10 [us]\n");
    agree(text);
}

static void branches(void **state) {
    (void)state;
    agree("state x = 0.1 [m], y = 0.2 [m]\n"
          "g = if x < 0.05 [m] then (if y < x then sin(x/y) else exp(-x/y)*atan(y/x)) "
          "else (if t > 0.01 then sqrt(abs(x/y)) else log(1 + (x/y)^2)*tanh(y/x))\n"
          "x' = (g - x/1 [m])*1 [m/s]\n"
          "y' = (sat(0.3, g) - min(g, 0.1) + max(y/1 [m], sgn1)) * 1 [m/s]\n"
          "sgn1 = if x > 0 [m] and not (y > 0 [m]) or t > 0.02 then 1 else -1\n"
          "run until = 1 [s], step = 1 [ms]\n");
}

/* exp of a state that grows beyond all bounds: both stop at the same step with the same fault */
static void a_fault(void **state) {
    (void)state;
    agree("state x = 1, y = 0\nx' = x*x*x*1 [1/s]\ny' = x*1 [1/s]\n"
          "run until = 1 [s], step = 20 [ms]\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_laws),
        cmocka_unit_test(contact_laws),
        cmocka_unit_test(the_whole_catalogue),
        cmocka_unit_test(branches),
        cmocka_unit_test(a_fault),
    };
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
