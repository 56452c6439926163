/* The inclusion in native code goes the way of the bytecode, to the last bit. */
#include "native_test.h"

#include <drystone/rigid.h>

static void go(const dry_inclusion *inclusion, const dry_run_options *run, double *x, double *y) {
    const dry_rigid_options options = {.step = run->step};
    dry_error error = {0};
    dry_rigid *rigid;
    if (dry_rigid_new(inclusion, &options, NULL, 0.0, &rigid, &error) != DRY_OK ||
        dry_rigid_advance(rigid, run->until, &error) != DRY_OK)
        fail_msg("%s", error.text);
    memcpy(x, dry_rigid_state(rigid), (size_t)inclusion->n_states * sizeof *x);
    inclusion->output(dry_rigid_env(rigid), run->until, dry_rigid_state(rigid),
                      dry_rigid_forces(rigid), y);
    dry_rigid_free(rigid);
}

static void compare(const char *text) {
    enum { MOST = 32 };
    double x[2][MOST] = {{0}}, y[2][MOST] = {{0}};
    dry_model *model = compile_text(text);
    assert_true(dry_model_ok(model));
    dry_native *native = make_native(model, NULL, NULL);
    const dry_run_options run = dry_model_run(model);
    const dry_inclusion *bytecode = dry_model_inclusion(model);
    const dry_inclusion *compiled = dry_native_inclusion(native);
    assert_true(bytecode && compiled && compiled->smooth != bytecode->smooth);
    assert_true(bytecode->n_states <= MOST && bytecode->system->n_outputs <= MOST);
    go(bytecode, &run, x[0], y[0]);
    go(compiled, &run, x[1], y[1]);
    assert_same("state", x[0], x[1], MOST);
    assert_same("output", y[0], y[1], MOST);
    dry_native_free(native);
    dry_model_free(model);
}

static void one_set_goes_the_same_way(void **state) {
    (void)state;
    need_compiler();
    compare("param M = 1 [kg], F = 0.5 [N]\n"
            "state p = 0 [m], v = 0 [m/s]\n"
            "fe = if t < 2 then min(0.52, 0.8*t) else 0.336 + 0.144*cos(100*t)\n"
            "f in F*sgn(v)\n"
            "p' = v\n"
            "M*v' = fe - f\n"
            "run until = 3 [s], step = 1 [ms], method = rigid\n");
}

static void many_sets_go_the_same_way(void **state) {
    (void)state;
    need_compiler();
    compare("param M = 1 [kg], k = 100 [N/m], F = 0.5 [N]\n"
            "state p = 0.1 [m], q = -0.05 [m], v = 0 [m/s], w = 0 [m/s]\n"
            "f in F*sgn(v)\n"
            "g in F*(1 + exp(-abs(q)/1[m]))*sgn(w)\n"
            "p' = v\nq' = w\n"
            "M*v' = k*(q - 2*p) - f\n"
            "M*w' = k*(p - 2*q) - g\n"
            "run until = 2 [s], step = 1 [ms], method = rigid\n");
}

static void contacts_go_the_same_way(void **state) {
    (void)state;
    need_compiler();
    compare("param M = 1 [kg], g = 9.8 [m/s^2]\n"
            "state p = 1 [m], v = 0 [m/s], q = 0 [m], w = 1 [m/s]\n"
            "N in dio(p) with restitution = 0.5\n"
            "f in 0.3*N*sgn(w)\n"
            "p' = v\nq' = w\n"
            "M*v' = N - M*g\n"
            "M*w' = -f\n"
            "run until = 3 [s], step = 1 [ms], method = rigid\n");
}

static void a_model_without_sets_has_no_inclusion(void **state) {
    (void)state;
    need_compiler();
    dry_model *model =
        compile_text("state x = 1\nx' = -x/1[s]\nrun until = 1 [s], step = 1 [ms]\n");
    dry_native *native = make_native(model, dry_method_find("rk4"), NULL);
    assert_null(dry_native_inclusion(native));
    dry_native_free(native);
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_set_goes_the_same_way),
        cmocka_unit_test(many_sets_go_the_same_way),
        cmocka_unit_test(contacts_go_the_same_way),
        cmocka_unit_test(a_model_without_sets_has_no_inclusion),
    };
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
