/* Native code of the equations of sensitivities gives the bits of their bytecode: for every law
 * that has derivatives by its parameters. */
#include "bits.h"

/* All parameters that have derivatives. */
static void agree(const char *text, int wanted) {
    enum { MOST = 64 };
    int par[MOST], n = 0;
    const char *why[MOST];
    dry_sensitivity *s;
    dry_error error = {0};
    need_compiler();
    dry_model *model = compile_text(text);
    if (!dry_model_ok(model)) fail_msg("%s", dry_model_message(model, 0).text);
    for (int i = 0; i < dry_model_system(model)->n_par && n < MOST; i++) {
        char name[256];
        if (dry_model_par_setting(model, i, name, sizeof name)) par[n++] = i;
    }
    is_ok(dry_sensitivity_new(model, par, n, why, &s, &error), &error);
    for (int i = 0; i < n; i++)
        if (why[i]) fail_msg("%s: %s", dry_model_system(model)->params[par[i]].name, why[i]);
    assert_int_equal(n, wanted);
    dry_native *native = make_native(dry_sensitivity_model(s), NULL, NULL);
    const dry_system *bytecode = dry_sensitivity_system(s), *code = dry_native_system(native);
    bench a = set_up(bytecode), b = set_up(code);
    compare_everywhere(&a, &b);
    take_down(&a);
    take_down(&b);
    compare_methods(bytecode, code, 1e-5);
    dry_native_free(native);
    dry_sensitivity_free(s);
    dry_model_free(model);
}

static void friction_laws(void **state) {
    (void)state;
    agree("param F = 0.5 [N], Fs = 0.7 [N], K = 5e3 [N/m], beta = 2 [ms], vs = 1 [mm/s], D = 2 [N "
          "s/m]\n"
          "param M = 1 [kg], v0 = 0.2 [m/s]\n"
          "state v[9] = v0\n"
          "a = multistate(v[1], N = 3, Fs = 2.7)\n"
          "b = smoothing(v[2], F = F)\n"
          "c = stribeck(v[3], F = F, Fs = Fs, vs = vs, alpha = 1.5)\n"
          "d = viscous(v[4], D = D)\n"
          "e = dahl(v[5], F = F, K = K)\n"
          "g = lugre(v[6], F = F, Fs = Fs, K = K, alpha = 1.3)\n"
          "h = elastoplastic(v[7], F = F, K = K)\n"
          "k = bouc_wen(v[8])\n"
          "l in F*sgn(v[9]) with K = K, beta = beta\n"
          "M*v' = -[a, b, c, d, e, g, h, k, l]\n"
          "run until = 1 [s], step = 0.1 [ms]\n",
          8);
}

static void contact_laws(void **state) {
    (void)state;
    agree("param K = 1e5 [N/m], M = 1 [kg], high = 1 [mm]\n"
          "state z[4] = high, w[4] = 0 [m/s], v = 1 [m/s]\n"
          "a = contact(z[1], w[1], K = K)\n"
          "e = hunt_crossley(z[2], w[2])\n"
          "f = frictional_contact(z[3], w[3], v)\n"
          "g in dio(z[4]) with K = K, alpha = 1 [ms], beta = 1 [ms]\n"
          "z' = w\n"
          "M*v' = -f[2]\n"
          "M*w' = [a, e, f[1], g] - 10 [N]*[1, 1, 1, 1]\n"
          "run until = 1 [s], step = 0.1 [ms]\n",
          3);
}

static void play_and_functions(void **state) {
    (void)state;
    agree("param h = 1 [mm], w = 9 [1/s], c = 0.3\n"
          "state x = 0.1 [m], y = 0.2 [m], z = 0\n"
          "r = play(x, h = h)\n"
          "x' = y*w - x*w*min(c, abs(y/x))\n"
          "y' = -r*w + 0.1 [m/s]*sin(w*t)\n"
          "z' = w*exp(-c*z^2)\n"
          "run until = 1 [s], step = 0.1 [ms]\n",
          3);
}

static void samples_and_delays(void **state) {
    (void)state;
    agree("param k = 2e3 [1/s], x0 = 1 [m], a = 0.3, late = 13 [us]\n"
          "state x = x0\n"
          "sample q = x every 50 [us] from x0\n"
          "sample u = -k*(q + q.before)/2 every 50 [us] from 0.1*k*x0 with delay = late\n"
          "sample w = 0.5*w.before + a*q every 100 [us] from 0 [m] with delay = 2*late\n"
          "x' = u - a*k*delay(x, 125 [us]) - 0.1*k*delay(w, 70 [us]) - 0.2*delay(u, 100 [us])"
          " - 0.3*k*delay(x^2, 150 [us], a*x0^2)/x0\n"
          "run until = 1 [s], step = 10 [us]\n",
          4);
}

/* The state after 1 ms. */
static void run_to_end(const dry_system *system, const char *method, const double *par, double *x) {
    const dry_method *by = dry_method_find(method);
    const dry_ode_options options = {.step = 1e-5};
    double *work = calloc(dry_ode_size(system, by), sizeof *work);
    void *scratch = calloc(1, system->work_size + 1);
    dry_ode ode;
    assert_int_equal(dry_ode_init(&ode, system, by, &options, par, 0.0, NULL, scratch, work),
                     DRY_OK);
    assert_int_equal(dry_ode_advance(&ode, 1e-3), DRY_OK);
    memcpy(x, ode.x, sizeof *x * (size_t)system->n_states);
    free(work);
    free(scratch);
}

typedef struct delayed {
    dry_model *model;
    dry_sensitivity *slopes;
    dry_native *native, *native_slopes;
} delayed;

static delayed delay_by(const char *late) {
    char text[500];
    snprintf(text, sizeof text,
             "param k = 2e3 [1/s], late = %s [us], more = 2*late\nstate x = 1 [m]\n"
             "sample u = -k*x every 50 [us] from 0 [m/s] with delay = late\n"
             "sample w = -k*x every 50 [us] from 0 [m/s] with delay = more\n"
             "x' = u + 0.3*w + 0.2*delay(u, 70 [us])\nrun until = 1 [s], step = 10 [us]\n",
             late);
    delayed d = {.model = compile_text(text)};
    const char *why[2];
    const int par[] = {dry_model_par_find(d.model, "k"), dry_model_par_find(d.model, "late")};
    assert_true(dry_model_ok(d.model));
    assert_int_equal(dry_sensitivity_new(d.model, par, 2, why, &d.slopes, NULL), DRY_OK);
    assert_null(why[0]);
    assert_null(why[1]);
    d.native = make_native(d.model, NULL, NULL);
    d.native_slopes = make_native(dry_sensitivity_model(d.slopes), NULL, NULL);
    return d;
}

static void free_delayed(delayed *d) {
    dry_native_free(d->native);
    dry_native_free(d->native_slopes);
    dry_sensitivity_free(d->slopes);
    dry_model_free(d->model);
}

/* A delay of another length, which was given to the system, is that of a model with this length. */
static void a_delay_that_follows_its_parameter(void **state) {
    (void)state;
    need_compiler();
    delayed was = delay_by("13"), is = delay_by("19.7");
    const dry_system *before[] = {dry_model_system(was.model), dry_sensitivity_system(was.slopes),
                                  dry_native_system(was.native),
                                  dry_native_system(was.native_slopes)};
    const dry_system *after[] = {dry_model_system(is.model), dry_sensitivity_system(is.slopes)};
    const int late = dry_model_par_find(is.model, "late");
    double *x = calloc(2 * (size_t)after[1]->n_states, sizeof *x), *y = x + after[1]->n_states;
    double par[8];
    assert_false(dry_model_par_free(was.model, late));
    assert_true(dry_model_par_timed(was.model, late));
    assert_false(dry_model_par_timed(was.model, 0));
    for (int i = 0; i < 8; i++) {
        const char *method = i < 4 ? "rk4" : "dopri5";
        run_to_end(after[i % 2], method, NULL, x);
        run_to_end(before[i % 4], method, after[0]->par, y);
        assert_same(method, x, y, after[i % 2]->n_states);
        run_to_end(before[i % 4], method, NULL, y);
        above(fabs(x[0] - y[0]), 1e-4);
    }
    memcpy(par, after[0]->par, sizeof *par * (size_t)after[0]->n_par);
    assert_true(dry_model_instants_fit(was.model, par));
    par[late + 1] = 51e-6; /* more than a period */
    assert_false(dry_model_instants_fit(was.model, par));
    par[late + 1] = 0.0;
    assert_false(dry_model_instants_fit(was.model, par));
    free(x);
    free_delayed(&was);
    free_delayed(&is);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_laws),
        cmocka_unit_test(contact_laws),
        cmocka_unit_test(play_and_functions),
        cmocka_unit_test(samples_and_delays),
        cmocka_unit_test(a_delay_that_follows_its_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
