/* Parameters that a program changes between two calls: methods of ode follow them, the others
 * refuse to go on. A mass of 1 kg is pushed by 1 N for half a second, then pulled by 1 N: it stands
 * still at 1 s, after 1/4 m. */
#include "unit.h"

#include <drystone/model.h>
#include <drystone/rigid.h>
#include <drystone/stepper.h>
#include <drystone/stiff.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char TEXT[] = "param u = 0 [N]\nstate x = 0 [m], v = 0 [m/s]\nx' = v\n1 [kg]*v' = u\n"
                           "run until = 1 [s], step = 1 [ms]";

typedef struct pushed {
    dry_model *model;
    const dry_system *system;
    double *par;
    int u;
} pushed;

static pushed begin(const char *method) {
    char text[300];
    snprintf(text, sizeof text, "%s, method = %s\n", TEXT, method);
    pushed p = {.model = dry_model_compile("in.dry", text, strlen(text), NULL)};
    assert_non_null(p.model);
    assert_true(dry_model_ok(p.model));
    p.system = dry_model_system(p.model);
    p.par = malloc(sizeof *p.par * (size_t)p.system->n_par);
    memcpy(p.par, p.system->par, sizeof *p.par * (size_t)p.system->n_par);
    p.u = dry_model_par_find(p.model, "u");
    at_least(p.u, 0);
    return p;
}

static void end(pushed *p) {
    free(p->par);
    dry_model_free(p->model);
}

static void methods_of_ode_follow(void **state) {
    (void)state;
    for (int i = 0; i < dry_method_count(); i++) {
        const dry_method *method = dry_method_at(i);
        pushed p = begin(method->name);
        void *scratch = calloc(1, p.system->work_size + 1);
        double *work = malloc(sizeof *work * dry_ode_size(p.system, method));
        const dry_ode_options options = {.step = 1e-3};
        dry_ode ode;
        assert_int_equal(
            dry_ode_init(&ode, p.system, method, &options, p.par, 0.0, NULL, scratch, work),
            DRY_OK);
        for (int k = 0; k < 1000; k++) {
            p.par[p.u] = k < 500 ? 1.0 : -1.0;
            assert_int_equal(dry_ode_advance(&ode, (k + 1) * 1e-3), DRY_OK);
        }
        if (!(fabs(ode.x[0] - 0.25) < (method->order > 1 ? 1e-12 : 1e-3)))
            fail_msg("%s: %.17g", method->name, ode.x[0]);
        free(scratch);
        free(work);
        end(&p);
    }
}

static void implicit_methods_refuse(void **state) {
    (void)state;
    pushed p = begin("rodas4");
    dry_stiff *s = NULL;
    dry_error error = {0};
    const dry_method *method = dry_stiff_method_find("rodas4");
    is_ok(dry_stiff_new(p.system, method, NULL, p.par, 0.0, NULL, &s, &error), &error);
    is_ok(dry_stiff_advance(s, 0.5, &error), &error);
    p.par[p.u] = 1.0;
    assert_int_equal(dry_stiff_advance(s, 1.0, &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "parameter"));
    dry_stiff_free(s);
    end(&p);
}

static void rigid_schemes_refuse(void **state) {
    (void)state;
    pushed p = begin("rigid");
    dry_rigid *r = NULL;
    dry_error error = {0};
    const dry_rigid_options options = {.step = 1e-3};
    is_ok(dry_rigid_new(dry_model_inclusion(p.model), &options, p.par, 0.0, &r, &error), &error);
    is_ok(dry_rigid_advance(r, 0.5, &error), &error);
    p.par[p.u] = 1.0;
    assert_int_equal(dry_rigid_advance(r, 1.0, &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "parameter"));
    dry_rigid_free(r);
    end(&p);
}

/* From the state in which the first run was left, and with the new parameter. */
static void a_rigid_scheme_begins_anew_from_a_state(void **state) {
    (void)state;
    pushed p = begin("rigid");
    double x0[2] = {0.125, 0.5};
    dry_rigid *r = NULL;
    dry_error error = {0};
    const dry_rigid_options options = {.step = 1e-3, .x0 = x0};
    p.par[p.u] = -1.0;
    assert_int_equal(p.system->n_states, 2);
    is_ok(dry_rigid_new(dry_model_inclusion(p.model), &options, p.par, 0.5, &r, &error), &error);
    is_ok(dry_rigid_advance(r, 1.0, &error), &error);
    closer(dry_rigid_state(r)[0], 0.25, 1e-12);
    dry_rigid_free(r);
    end(&p);
}

/* ---- a stepper ------------------------------------------------------------------------------- */

/* T and P are in the code, W follows from M, which has a range, and m belongs to a part. */
static const char RULES[] =
    "param T = 10 [ms], P = 0.4 [s], M = 2 [kg] in 1..4, W = 3*M, u = 1 [N]\n"
    "state v = 0 [m/s]\nsample q = u every T\n"
    "r = if mod(t, P) < 0.5*P then 1 [N] else 0 [N]\nW*v' = q + r - r\n"
    "part sledge = point_mass(mass = 2 [kg])\nsledge.f += 1 [N]\n"
    "run until = 1 [s], step = 1 [ms]\n";

static void refuses(dry_stepper *s, const char *name, double value, dry_status wanted,
                    const char *why) {
    dry_error error = {0};
    assert_int_equal(dry_stepper_set_par_named(s, name, value, &error), wanted);
    if (!strstr(error.text, why)) fail_msg("%s: %s", name, error.text);
}

static double speed(const dry_stepper *s, const dry_system *system, const char *name) {
    for (int i = 0; i < system->n_states; i++)
        if (!strcmp(system->states[i].name, name)) return dry_stepper_states(s)[i];
    fail_msg("no state %s", name);
    return 0.0;
}

static void a_stepper_ignores_nothing(void **state) {
    (void)state;
    dry_error error = {0};
    dry_model *model = dry_model_compile("rules.dry", RULES, strlen(RULES), NULL);
    assert_non_null(model);
    assert_true(dry_model_ok(model));
    const dry_system *system = dry_model_system(model);
    const dry_run_options run = dry_model_run(model);
    double *par = malloc(sizeof *par * (size_t)system->n_par);
    dry_stepper *s = NULL;
    is_ok(dry_stepper_new(system, &run, &s, &error), &error);
    refuses(s, "T", 0.02, DRY_UNSUPPORTED, "in the code");
    refuses(s, "P", 0.2, DRY_UNSUPPORTED, "in the code");
    refuses(s, "M", 5.0, DRY_BAD_ARGUMENT, "range 1 .. 4");
    refuses(s, "M", 3.0, DRY_UNSUPPORTED, "follow from M");
    is_ok(dry_stepper_set_par_named(s, "M", 2.0, &error), &error); /* as it is */
    memcpy(par, system->par, sizeof *par * (size_t)system->n_par);
    par[dry_model_par_find(model, "M")] = 4.0;
    dry_model_par_follow(model, par);
    is_ok(dry_stepper_set_all_par(s, par, &error), &error);
    is_ok(dry_stepper_set_par_named(s, "sledge.mass", 8.0, &error), &error);
    is_ok(dry_stepper_advance(s, 1.0, &error), &error);
    closer(speed(s, system, "v"), 1.0 / 12.0, 1e-12);
    closer(speed(s, system, "sledge.v"), 1.0 / 8.0, 1e-12);
    par[dry_model_par_find(model, "T")] = 0.02;
    assert_int_equal(dry_stepper_set_all_par(s, par, &error), DRY_UNSUPPORTED);
    free(par);
    dry_stepper_free(s);
    dry_model_free(model);
}

/* The range of F moves with M, and so do K and beta of f, which the compiler chooses. */
static const char MOVES[] = "param M = 1, F = 0.5 in 0..2*M\nstate v = 1\nf in F*sgn(v)\n"
                            "M*v' = -f\nrun until = 0.1, step = 1e-3\n";

static dry_model *moves_with(double M) {
    const dry_setting setting = {.name = "M", .value = M};
    const dry_model_options options = {.settings = &setting, .n_settings = 1};
    dry_model *model = dry_model_compile("moves.dry", MOVES, strlen(MOVES), &options);
    assert_non_null(model);
    assert_true(dry_model_ok(model));
    return model;
}

static void what_moves_is_not_stale(void **state) {
    (void)state;
    dry_error error = {0};
    dry_model *model = moves_with(1.0), *heavier = moves_with(2.0);
    const dry_system *system = dry_model_system(model);
    const dry_run_options run = dry_model_run(model);
    const size_t size = sizeof(double) * (size_t)system->n_par;
    double *par = malloc(size);
    dry_stepper *s = NULL;
    is_ok(dry_stepper_new(system, &run, &s, &error), &error);
    refuses(s, "F", 3.0, DRY_BAD_ARGUMENT, "range 0 .. 2");
    is_ok(dry_stepper_set_par_named(s, "F", 1.5, &error), &error);
    is_ok(dry_stepper_set_par_named(s, "F", 0.5, &error), &error);
    refuses(s, "M", 2.0, DRY_UNSUPPORTED, "follow from M");
    memcpy(par, system->par, size);
    par[dry_model_par_find(model, "M")] = 2.0;
    dry_model_par_follow(model, par); /* as a new compilation */
    assert_memory_equal(par, dry_model_system(heavier)->par, size);
    assert_memory_not_equal(par, system->par, size);
    is_ok(dry_stepper_set_all_par(s, par, &error), &error);
    refuses(s, "F", 3.0, DRY_UNSUPPORTED, "ask dry_model_par_outside");
    par[dry_model_par_find(model, "M")] = 1.0;
    dry_model_par_follow(model, par);
    par[dry_model_par_find(model, "F")] = 3.0;
    assert_int_equal(dry_stepper_set_all_par(s, par, &error), DRY_BAD_ARGUMENT);
    free(par);
    dry_stepper_free(s);
    dry_model_free(model);
    dry_model_free(heavier);
}

/* With K and beta given, nothing follows from the mass. */
static void a_mass_alone(void **state) {
    (void)state;
    static const char text[] = "param M = 1, F = 0.5\nstate v = 1\n"
                               "f in F*sgn(v) with K = 1e4, beta = 1e-3\nM*v' = -f\n"
                               "run until = 1, step = 1e-3\n";
    dry_error error = {0};
    dry_model *model = dry_model_compile("alone.dry", text, strlen(text), NULL);
    assert_non_null(model);
    assert_true(dry_model_ok(model));
    const dry_run_options run = dry_model_run(model);
    dry_stepper *s = NULL;
    is_ok(dry_stepper_new(dry_model_system(model), &run, &s, &error), &error);
    is_ok(dry_stepper_set_par_named(s, "M", 2.0, &error), &error);
    is_ok(dry_stepper_advance(s, 1.0, &error), &error);
    closer(speed(s, dry_model_system(model), "v"), 1.0 - 0.5 / 2.0, 1e-3); /* 1 - F t/M */
    dry_stepper_free(s);
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_ode_follow),
        cmocka_unit_test(implicit_methods_refuse),
        cmocka_unit_test(rigid_schemes_refuse),
        cmocka_unit_test(a_rigid_scheme_begins_anew_from_a_state),
        cmocka_unit_test(a_stepper_ignores_nothing),
        cmocka_unit_test(what_moves_is_not_stale),
        cmocka_unit_test(a_mass_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
