/* The door for other languages: what a binding sets, runs, reads and steps, against closed forms.
 *
 *     m v' = u - mu m g sgn(v)     a puck that a force pushes; it slides v0^2/(2 mu g)
 */
#include <unit.h>

#include <drystone/bind.h>
#include <stdlib.h>

static const char puck[] = "param m = 0.5 [kg], g = 9.81 [m/s^2], mu = 0.2, v0 = 1 [m/s]\n"
                           "state x = 0 [m], v = v0\n"
                           "input u = 0 [N]\n"
                           "f in mu*m*g*sgn(v) with K = 1e6 [N/m], beta = 1 [ms]\n"
                           "x' = v\n"
                           "m*v' = u - f\n"
                           "run until = 1 [s], step = 0.1 [ms]\n"
                           "measure way = final(x)\n"
                           "expect way = 0.25 [m] +- 0.1 [m]\n"
                           "plot x\n";
enum { X = 1, V = 2 }; /* the input is state 0 */

static double way(double v0, double mu) { return v0 * v0 / (2.0 * mu * 9.81); }

typedef struct bench {
    dry_error *error;
    dry_bind_plan *plan;
    dry_model *model;
} bench;

static int set_up(void **state) {
    bench *b = calloc(1, sizeof *b);
    b->error = dry_bind_error_new();
    b->plan = dry_bind_plan_new();
    b->model = dry_bind_compile("puck.dry", puck, sizeof puck - 1, NULL);
    *state = b;
    return !b->error || !b->plan || !b->model || !dry_model_ok(b->model);
}

static int tear_down(void **state) {
    bench *b = *state;
    dry_model_free(b->model);
    dry_bind_plan_free(b->plan);
    dry_bind_error_free(b->error);
    free(b);
    return 0;
}

static void compile(bench *b) {
    dry_model_free(b->model);
    b->model = dry_bind_compile("puck.dry", puck, sizeof puck - 1, b->plan);
    assert_non_null(b->model);
    assert_true(dry_model_ok(b->model));
}

static bool go_on(void *user, double t) {
    (void)t;
    ++*(int *)user;
    return true;
}
static bool end(void *user, double t) {
    *(double *)user = t;
    return false;
}

/* ---- plans ----------------------------------------------------------------------------- */

static void test_a_plan_is_followed(void **state) {
    bench *b = *state;
    is_ok(dry_bind_plan_par(b->plan, "v0", "200 cm/s", 0.0, b->error), b->error);
    is_ok(dry_bind_plan_par(b->plan, "mu", NULL, 0.4, b->error), b->error);
    is_ok(dry_bind_plan_option(b->plan, "until", 2.0, b->error), b->error);
    is_ok(dry_bind_plan_option(b->plan, "step", 1e-4, b->error), b->error);
    is_ok(dry_bind_plan_method(b->plan, "heun", b->error), b->error);
    compile(b);
    equal(dry_bind_runs(b->model, DRY_BIND_UNTIL), 2.0);
    same_text(dry_bind_runs_by(b->model), "heun");
    dry_bind_run *run = dry_bind_run_new(b->model, b->plan);
    int heard = 0;
    is_ok(dry_bind_run_start(run, DRY_BIND_BYTECODE, go_on, &heard, b->error), b->error);
    above(heard, 0);
    near_share(dry_bind_run_measure(run, 0), way(2.0, 0.4), 1e-4);
    equal(dry_bind_run_fact(run, DRY_BIND_STEPS), 20000.0);
    equal(dry_bind_run_fact(run, DRY_BIND_IS_NATIVE), 0.0);
    above(dry_bind_run_fact(run, DRY_BIND_SECONDS), 0.0);
    assert_false(dry_bind_run_expected_met(run, 0)); /* 0.51 m */
    equal(dry_bind_run_expected_target(run, 0), 0.25);
    assert_int_equal(dry_bind_run_expected_line(run, 0), 9);
    is_ok(dry_bind_run_watch(run, 0.0, 0.0, NULL, NULL, b->error), b->error);
    assert_int_equal(dry_bind_run_trusted(run), 1);
    same_text(dry_bind_run_word(run), "trusted");
    assert_non_null(dry_bind_run_trust_line(run, 0));
    assert_null(dry_bind_run_remark(run, 0));
    char *svg = dry_bind_run_svg(run, true, b->error);
    assert_non_null(strstr(svg, "</svg>"));
    dry_bind_text_free(svg);
    same_text(dry_bind_run_expected(run, 1), ""); /* there is one */
    is_nan(dry_bind_run_measure(run, -1));
    dry_bind_run_free(run);
}

static void test_what_a_plan_refuses(void **state) {
    bench *b = *state;
    const double t[] = {0.0, 1.0}, u[] = {1.0, (double)NAN};
    dry_bind_plan *p = b->plan;
    is_ok(dry_bind_plan_par(p, "mu", NULL, 0.4, b->error), b->error);
    assert_int_equal(dry_bind_plan_par(p, "mu", "0.3", 0.0, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_plan_par(p, "mu[2]", "0.3", 0.0, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_plan_par(p, "v0", NULL, (double)NAN, b->error), DRY_BAD_ARGUMENT);
    same_text(dry_bind_error_key(b->error), "v0");
    assert_int_equal(dry_bind_plan_par(p, "v0", "1 [", 0.0, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_plan_option(p, "stpe", 1.0, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_plan_option(p, "step", -1.0, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_plan_option(p, "step", (double)NAN, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_plan_option(p, "force", 0.5, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_plan_option(p, "threads", 1.5, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_plan_method(p, "rk5", b->error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(dry_bind_error_text(b->error), "dopri5"));
    assert_int_equal(dry_bind_plan_input(p, "u", "", 2, t, u, b->error), DRY_BAD_ARGUMENT);
    is_ok(dry_bind_plan_input(p, "u", "", 2, t, t, b->error), b->error);
    assert_int_equal(dry_bind_plan_input(p, "u", "", 2, t, t, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_plan_file(p, "u", "a.csv", "u", b->error), DRY_BAD_ARGUMENT);
    assert_true(dry_bind_option_is_yes("force"));
    assert_false(dry_bind_option_is_yes("step"));
    assert_false(dry_bind_option_is_yes("stpe"));
    for (int i = 0; dry_bind_option(i); i++) {
        dry_bind_plan *other = dry_bind_plan_new();
        is_ok(dry_bind_plan_option(other, dry_bind_option(i), 1.0, b->error), b->error);
        assert_int_equal(dry_bind_plan_option(other, dry_bind_option(i), 1.0, b->error),
                         DRY_BAD_ARGUMENT);
        dry_bind_plan_free(other);
    }
}

/* With u = 3 N for 0.1 s the puck gains what the force less the friction gives. */
static void test_an_input_as_arrays(void **state) {
    bench *b = *state;
    const double t[] = {0.0, 1.0}, u[] = {3.0, 3.0}, milli[] = {3000.0, 3000.0};
    for (int k = 0; k < 2; k++) {
        dry_bind_plan *plan = dry_bind_plan_new();
        is_ok(dry_bind_plan_input(plan, "u", k ? "mN" : "", 2, t, k ? milli : u, b->error),
              b->error);
        dry_model *model = dry_bind_compile("puck.dry", puck, sizeof puck - 1, plan);
        assert_true(dry_model_ok(model));
        dry_bind_run *run = dry_bind_run_new(model, plan);
        is_ok(dry_bind_run_start(run, DRY_BIND_EITHER, NULL, NULL, b->error), b->error);
        const double a = 3.0 / 0.5 - 0.2 * 9.81; /* it moves all the time */
        near_share(dry_bind_run_measure(run, 0), 1.0 + 0.5 * a, 1e-4);
        dry_bind_run_free(run);
        dry_model_free(model);
        dry_bind_plan_free(plan);
    }
}

/* The page of a run; the brief one leaves out the model. */
static void test_pages(void **state) {
    bench *b = *state;
    dry_bind_run *run = dry_bind_run_new(b->model, NULL);
    assert_null(dry_bind_run_page(run, true, b->error));
    assert_non_null(strstr(dry_bind_error_text(b->error), "start the run first"));
    is_ok(dry_bind_run_start(run, DRY_BIND_EITHER, NULL, NULL, b->error), b->error);
    for (int brief = 0; brief < 2; brief++) {
        char *page = dry_bind_run_page(run, brief, b->error);
        assert_non_null(strstr(page, "id=\"plots\""));
        assert_non_null(strstr(page, "<code>way</code>"));
        assert_int_equal(strstr(page, "id=\"equations\"") != NULL, !brief);
        assert_int_equal(strstr(page, "<footer>") != NULL, !brief);
        same_text(strstr(page, "</html>"), "</html>\n");
        dry_bind_text_free(page);
    }
    dry_bind_run_free(run);
}

/* The data of a run are those in its page; with its sections too. */
static void test_data(void **state) {
    bench *b = *state;
    dry_bind_run *run = dry_bind_run_new(b->model, NULL);
    assert_null(dry_bind_run_data(run, true, b->error));
    assert_non_null(strstr(dry_bind_error_text(b->error), "start the run first"));
    is_ok(dry_bind_run_start(run, DRY_BIND_EITHER, NULL, NULL, b->error), b->error);
    char *page = dry_bind_run_page(run, false, b->error);
    char *data = dry_bind_run_data(run, false, b->error);
    char *more = dry_bind_run_data(run, true, b->error);
    assert_non_null(strstr(page, data));
    assert_int_equal(strncmp(more, data, strlen(data) - 1), 0);
    assert_non_null(strstr(more, "\"measures\":\"\\u003csection"));
    assert_null(strstr(data, "\"sections\""));
    dry_bind_text_free(page);
    dry_bind_text_free(data);
    dry_bind_text_free(more);
    dry_bind_run_free(run);
}

static void test_messages_one_by_one(void **state) {
    (void)state;
    static const char wrong[] = "state v = 0 [m/s]\nv' = q\nrun until = 1 [s]\n";
    dry_model *model = dry_bind_compile("wrong.dry", wrong, sizeof wrong - 1, NULL);
    assert_false(dry_model_ok(model));
    assert_int_equal(dry_bind_message_kind(model, 0), DRY_ERROR);
    assert_int_equal(dry_bind_message_line(model, 0), 2);
    assert_int_equal(dry_bind_message_column(model, 0), 6);
    same_text(dry_bind_message_word(model, 0), "unknown-name");
    same_text(dry_bind_message_file(model, 0), "wrong.dry");
    char *shown = dry_bind_message_shown(model, 0);
    assert_non_null(strstr(shown, dry_bind_message_text(model, 0)));
    assert_non_null(strstr(shown, dry_bind_message_way_out(model, 0)));
    assert_non_null(strstr(shown, "^"));
    dry_bind_text_free(shown);
    same_text(dry_bind_message_text(model, 99), "");
    assert_null(dry_bind_message_shown(model, -1));
    dry_model_free(model);
}

static void test_names(void **state) {
    bench *b = *state;
    assert_int_equal(dry_bind_count(b->model, DRY_BIND_INPUTS), 1);
    same_text(dry_bind_name(b->model, DRY_BIND_INPUTS, 0), "u");
    same_text(dry_bind_name(b->model, DRY_BIND_STATES, V), "v");
    same_text(dry_bind_unit(b->model, DRY_BIND_STATES, V), "m/s");
    same_text(dry_bind_name(b->model, DRY_BIND_STATES, 99), "");
    same_text(dry_bind_name(b->model, DRY_BIND_ELEMENTS, 0), "f");
    assert_true(dry_bind_is_own(b->model, DRY_BIND_PARAMETERS, 2));
    equal(dry_bind_par(b->model, 2), 0.2);
    char *latex = dry_bind_latex(b->model, true);
    assert_non_null(strstr(latex, "align"));
    dry_bind_text_free(latex);
    char *mathml = dry_bind_mathml(b->model, false);
    assert_non_null(strstr(mathml, "<mtr>"));
    dry_bind_text_free(mathml);
}

/* ---- runs that end early ----------------------------------------------------------------- */

static void test_a_run_ends_when_it_is_told(void **state) {
    bench *b = *state;
    double t = 0.0;
    dry_bind_run *run = dry_bind_run_new(b->model, NULL);
    assert_null(dry_bind_run_svg(run, false, b->error));
    assert_int_equal(dry_bind_run_watch(run, 0, 0, NULL, NULL, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_run_start(run, DRY_BIND_EITHER, end, &t, b->error), DRY_RUN_FAILED);
    between(t, 0.0, 1.0);
    const dry_record *record = dry_bind_run_record(run);
    near(dry_record_values(record, 0)[dry_record_rows(record) - 1], t, 1e-3);
    is_ok(dry_bind_run_start(run, DRY_BIND_EITHER, NULL, NULL, b->error), b->error); /* again */
    near_share(dry_bind_run_measure(run, 0), way(1.0, 0.2), 1e-4);
    dry_bind_run_free(run);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void test_a_stepper_of_a_model(void **state) {
    bench *b = *state;
    dry_stepper *s = NULL;
    double x[8], y[8], u = 0.0;
    unsigned char phase;
    is_ok(dry_bind_stepper_new(b->model, NULL, &s, b->error), b->error);
    is_ok(dry_bind_stepper_par(s, b->model, "mu", 0.4, b->error), b->error);
    equal(dry_bind_stepper_par_now(s, b->model, "mu"), 0.4);
    do is_ok(dry_bind_step(s, &u, 0.0, x, y, b->error), b->error);
    while (x[V] > 1e-9);
    near_share(x[X], way(1.0, 0.4), 1e-3);
    is_ok(dry_stepper_phases(s, &phase, b->error), b->error);
    while (!(phase & 1)) phase >>= 1;
    assert_int_equal(dry_bind_stepper_par(s, b->model, "mu", -1.0, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_stepper_par(s, b->model, "nu", 1.0, b->error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_bind_stepper_par(s, b->model, "mu", (double)NAN, b->error),
                     DRY_BAD_ARGUMENT);
    equal(dry_bind_stepper_par_now(s, b->model, "mu"), 0.4);
    assert_int_equal(dry_bind_step(s, &u, (double)NAN, x, y, b->error), DRY_BAD_ARGUMENT);
    u = (double)NAN;
    assert_int_equal(dry_bind_step(s, &u, 9.0, x, y, b->error), DRY_BAD_ARGUMENT);
    dry_stepper_free(s);
}

/* Rows tell their progress now and then, and end where they are told. */
static void test_rows_end_when_they_are_told(void **state) {
    bench *b = *state;
    enum { ROWS = 5000 };
    static double states[ROWS * 8];
    dry_stepper *s = NULL;
    size_t done = 0;
    int heard = 0;
    double t = 0.0;
    const int n = dry_bind_count(b->model, DRY_BIND_STATES);
    is_ok(dry_bind_stepper_new(b->model, NULL, &s, b->error), b->error);
    is_ok(dry_bind_rows(s, ROWS, 1e-4, NULL, NULL, states, &done, go_on, &heard, b->error),
          b->error);
    assert_int_equal(done, ROWS);
    assert_int_equal(heard, ROWS / 1024);
    near(states[(ROWS - 1) * n + X], 1.0 * 0.5 - 0.5 * 0.2 * 9.81 * 0.25, 1e-4);
    is_ok(dry_stepper_reset(s, 0.0, NULL, b->error), b->error);
    assert_int_equal(dry_bind_rows(s, ROWS, 1e-4, NULL, NULL, NULL, &done, end, &t, b->error),
                     DRY_RUN_FAILED);
    assert_int_equal(done, 1024);
    near(t, 0.1024, 1e-12);
    dry_stepper_free(s);
}

static void test_copies_have_the_bits_of_one(void **state) {
    bench *b = *state;
    enum { COPIES = 5, MOST = 8 };
    double x[COPIES * MOST], lone[MOST], u[COPIES];
    unsigned char stopped[COPIES];
    dry_bind_batch *batch = NULL;
    for (int threads = 1; threads <= 3; threads++) {
        is_ok(dry_bind_batch_new(b->model, NULL, COPIES, threads, &batch, b->error), b->error);
        for (int i = 0; i < COPIES; i++) u[i] = 0.1 * i;
        for (int k = 0; k < 10; k++)
            is_ok(dry_bind_batch_step(batch, 0.01, u, x, NULL, stopped, b->error), b->error);
        for (int i = 0; i < COPIES; i++) {
            dry_stepper *s = NULL;
            is_ok(dry_bind_stepper_new(b->model, NULL, &s, b->error), b->error);
            for (int k = 0; k < 10; k++)
                is_ok(dry_bind_step(s, &u[i], dry_stepper_time(s) + 0.01, lone, NULL, b->error),
                      b->error);
            const int n = dry_bind_count(b->model, DRY_BIND_STATES);
            all_same_bits(n, x + i * n, lone);
            assert_int_equal(stopped[i], 0);
            dry_stepper_free(s);
        }
        dry_bind_batch_free(batch);
    }
    assert_int_equal(dry_bind_batch_new(b->model, NULL, 0, 1, &batch, b->error), DRY_BAD_ARGUMENT);
    assert_null(batch);
}

/* Side by side in lanes a copy has the bits of a stepper, too. */
static void test_lanes_have_the_bits_of_one(void **state) {
    bench *b = *state;
    enum { COPIES = 21, MOST = 8 };
    double x[COPIES * MOST], u[COPIES], lone[MOST];
    unsigned char which[COPIES] = {0};
    dry_bind_batch *batch = NULL;
    const int n = dry_bind_count(b->model, DRY_BIND_STATES);
    dry_native *native = dry_bind_native(b->model, b->error);
    assert_non_null(native);
    is_ok(dry_bind_batch_new(b->model, native, COPIES, 3, &batch, b->error), b->error);
    assert_true(dry_bind_batch_has_lanes(batch));
    for (int i = 0; i < COPIES; i++) u[i] = 0.1 * i;
    is_ok(dry_bind_batch_step(batch, 0.01, u, x, NULL, NULL, b->error), b->error);
    for (int i = 0; i < COPIES; i += 3) which[i] = 1;
    is_ok(dry_bind_batch_reset(batch, which, NULL, b->error), b->error);
    for (int k = 0; k < 5; k++)
        is_ok(dry_bind_batch_step(batch, 0.01, u, x, NULL, NULL, b->error), b->error);
    for (int i = 0; i < COPIES; i++) {
        dry_stepper *s = NULL;
        is_ok(dry_bind_stepper_new(b->model, native, &s, b->error), b->error);
        for (int k = 0; k < (which[i] ? 5 : 6); k++)
            is_ok(dry_bind_step(s, &u[i], dry_stepper_time(s) + 0.01, lone, NULL, b->error),
                  b->error);
        all_same_bits(n, x + i * n, lone);
        dry_stepper_free(s);
    }
    dry_bind_batch_free(batch);
    dry_native_free(native);
}

/* What is wrong with one copy leaves all of them as they are. */
static void test_copies_take_all_or_nothing(void **state) {
    bench *b = *state;
    double x[3 * 8], t[3], u[] = {1.0, 2.0, (double)NAN}, mu[] = {0.3, 0.4, -1.0};
    dry_bind_batch *batch = NULL;
    is_ok(dry_bind_batch_new(b->model, NULL, 3, 2, &batch, b->error), b->error);
    assert_int_equal(dry_bind_batch_step(batch, 0.01, u, NULL, NULL, NULL, b->error),
                     DRY_BAD_ARGUMENT);
    assert_non_null(strstr(dry_bind_error_text(b->error), "copy 2"));
    assert_int_equal(dry_bind_batch_par(batch, "mu", mu, b->error), DRY_BAD_ARGUMENT);
    is_ok(dry_bind_batch_read(batch, t, x, NULL, b->error), b->error);
    for (int i = 0; i < 3; i++) {
        equal(t[i], 0.0);
        equal(x[i * dry_bind_count(b->model, DRY_BIND_STATES) + V], 1.0);
        equal(dry_bind_batch_par_now(batch, i, "mu"), 0.2);
    }
    is_nan(dry_bind_batch_par_now(batch, 3, "mu"));
    dry_bind_batch_free(batch);
}

/* An interval of no length, or none, leaves all copies where they are. */
static void test_an_interval_is_a_length(void **state) {
    bench *b = *state;
    const double bad[] = {0.0, -0.01, (double)NAN, (double)INFINITY};
    double t[2], u[2] = {0.0, 0.0};
    dry_bind_batch *batch = NULL;
    is_ok(dry_bind_batch_new(b->model, NULL, 2, 1, &batch, b->error), b->error);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(dry_bind_batch_step(batch, bad[i], u, NULL, NULL, NULL, b->error),
                         DRY_BAD_ARGUMENT);
        assert_non_null(strstr(dry_bind_error_text(b->error), "interval"));
    }
    is_ok(dry_bind_batch_read(batch, t, NULL, NULL, b->error), b->error);
    equal(t[0], 0.0);
    equal(t[1], 0.0);
    dry_bind_batch_free(batch);
}

/* Each copy begins at its own row of x0; the one that is not asked for stays. */
static void test_copies_begin_at_their_own_states(void **state) {
    bench *b = *state;
    enum { COPIES = 3, MOST = 8 };
    const unsigned char which[COPIES] = {1, 0, 1};
    double x0[COPIES * MOST] = {0.0}, x[COPIES * MOST], t[COPIES], u[COPIES] = {0.0};
    dry_bind_batch *batch = NULL;
    const int n = dry_bind_count(b->model, DRY_BIND_STATES);
    is_ok(dry_bind_batch_new(b->model, NULL, COPIES, 1, &batch, b->error), b->error);
    for (int i = 0; i < COPIES; i++) x0[i * n + X] = 10.0 * (1 + i), x0[i * n + V] = 2.0 + i;
    is_ok(dry_bind_batch_step(batch, 0.01, u, NULL, NULL, NULL, b->error), b->error);
    is_ok(dry_bind_batch_reset(batch, which, x0, b->error), b->error);
    is_ok(dry_bind_batch_read(batch, t, x, NULL, b->error), b->error);
    for (int i = 0; i < COPIES; i++) equal(t[i], which[i] ? 0.0 : 0.01);
    for (int i = 0; i < COPIES; i += 2) all_same_bits(n, x + i * n, x0 + i * n);
    below(x[n + V], 1.0); /* it has slid for 10 ms from 1 m/s */
    dry_bind_batch_free(batch);
}

/* Each step of Euler multiplies the energy of a mass on a spring, 50 J, by 1 + (omega T)^2: the run
 * says what the spring has created, a share of what the motion has gained. */
static void test_a_part_that_gives_energy_is_told(void **state) {
    bench *b = *state;
    static const char giver[] = "part m = point_mass(mass = 1 [kg], p = 1, v = 0)\n"
                                "part s = spring(K = 100 [N/m])\nconnect s - m - world\n"
                                "run until = 3 [s], step = 20 [ms], method = euler\n";
    is_ok(dry_bind_plan_option(b->plan, "force", 1.0, b->error), b->error);
    dry_model *model = dry_bind_compile("giver.dry", giver, sizeof giver - 1, b->plan);
    assert_true(dry_model_ok(model));
    dry_bind_run *run = dry_bind_run_new(model, b->plan);
    is_ok(dry_bind_run_start(run, DRY_BIND_BYTECODE, NULL, NULL, b->error), b->error);
    const char *remark = dry_bind_run_remark(run, 0);
    assert_non_null(remark);
    const char *created = strstr(remark, "s (spring) has created ");
    assert_non_null(created);
    char *end_of;
    const double gained = 50.0 * (pow(1.04, 150.0) - 1.0);
    const double energy = strtod(created + strlen("s (spring) has created "), &end_of);
    above(energy, 0.25 * gained);
    at_most(energy, gained);
    assert_memory_equal(end_of, " J, ", 4);
    const double share = strtod(end_of + 4, NULL);
    above(share, 0.0);
    at_most(share, 1.0);
    assert_null(dry_bind_run_remark(run, 1));
    dry_bind_run_free(run);
    dry_model_free(model);
}

/* ---- rates --------------------------------------------------------------------------------- */

static void test_rates_and_their_derivatives(void **state) {
    bench *b = *state;
    dry_bind_rates *rates = NULL;
    double x[8], up[8], down[8], at[8], J[64];
    is_ok(dry_bind_plan_option(b->plan, "jacobian", 1.0, b->error), b->error);
    compile(b);
    const int n = dry_bind_count(b->model, DRY_BIND_STATES);
    is_ok(dry_bind_rates_new(b->model, &rates, b->error), b->error);
    dry_bind_rates_start(rates, x);
    equal(x[V], 1.0);
    x[V] = 1e-4; /* it sticks: there the force is a spring */
    is_ok(dry_bind_rates_jacobian(rates, 0.0, x, J, b->error), b->error);
    for (int k = 0; k < n; k++) {
        const double h = 1e-9;
        memcpy(at, x, sizeof at);
        at[k] = x[k] + h, dry_bind_rates_rate(rates, 0.0, at, up);
        at[k] = x[k] - h, dry_bind_rates_rate(rates, 0.0, at, down);
        for (int i = 0; i < n; i++)
            near(J[i * n + k], (up[i] - down[i]) / (2.0 * h), 1e-4 * (1.0 + fabs(J[i * n + k])));
    }
    for (int k = 0; k < n; k++) { /* whatever the rates do with it, such as min(nan, 1) */
        memcpy(at, x, sizeof at);
        at[k] = (double)NAN;
        dry_bind_rates_rate(rates, 0.0, at, up);
        for (int i = 0; i < n; i++) is_nan(up[i]);
    }
    dry_bind_rates_free(rates);
}

static void test_what_changes_between_steps_has_no_rate_alone(void **state) {
    bench *b = *state;
    static const char sampled[] = "state x = 1 [m]\nsample u = -x/(1 [s]) every 10 [ms] from 0 "
                                  "[m/s]\nx' = u\nrun until = 1 [s], step = 1 [ms]\n";
    dry_bind_rates *rates = NULL;
    dry_model *model = dry_bind_compile("sampled.dry", sampled, sizeof sampled - 1, NULL);
    assert_true(dry_model_ok(model));
    assert_int_equal(dry_bind_rates_new(model, &rates, b->error), DRY_UNSUPPORTED);
    assert_null(rates);
    dry_model_free(model);
}

/* ---- sweeps --------------------------------------------------------------------------------- */

static void test_a_sweep(void **state) {
    bench *b = *state;
    const double v0[] = {0.5, 1.0};
    dry_bind_sweep *sweep = dry_bind_sweep_new();
    is_ok(dry_bind_sweep_axis(sweep, "mu=0.2,0.4,0.5", b->error), b->error);
    is_ok(dry_bind_sweep_values(sweep, "v0", 2, v0, b->error), b->error);
    is_ok(dry_bind_sweep_measure(sweep, "way", b->error), b->error);
    is_ok(dry_bind_sweep_run(sweep, b->model, NULL, 1, DRY_BIND_BYTECODE, false, NULL, NULL,
                             b->error),
          b->error);
    const dry_record *record = dry_bind_sweep_record(sweep);
    assert_int_equal(dry_bind_sweep_axes(sweep), 2);
    assert_int_equal(dry_bind_sweep_length(sweep, 0), 3);
    assert_int_equal(dry_record_rows(record), 6);
    assert_int_equal(dry_bind_sweep_failed(sweep), 0);
    for (size_t i = 0; i < 6; i++)
        near_share(dry_record_values(record, 2)[i],
                   way(dry_record_values(record, 1)[i], dry_record_values(record, 0)[i]), 1e-3);
    assert_int_equal(dry_bind_sweep_values(sweep, "v0", 0, v0, b->error), DRY_BAD_ARGUMENT);
    dry_bind_sweep_free(sweep);
}

#define WITH_BENCH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_BENCH(test_a_plan_is_followed),
        WITH_BENCH(test_what_a_plan_refuses),
        WITH_BENCH(test_an_input_as_arrays),
        WITH_BENCH(test_pages),
        WITH_BENCH(test_data),
        cmocka_unit_test(test_messages_one_by_one),
        WITH_BENCH(test_names),
        WITH_BENCH(test_a_run_ends_when_it_is_told),
        WITH_BENCH(test_a_stepper_of_a_model),
        WITH_BENCH(test_rows_end_when_they_are_told),
        WITH_BENCH(test_copies_have_the_bits_of_one),
        WITH_BENCH(test_lanes_have_the_bits_of_one),
        WITH_BENCH(test_copies_take_all_or_nothing),
        WITH_BENCH(test_an_interval_is_a_length),
        WITH_BENCH(test_copies_begin_at_their_own_states),
        WITH_BENCH(test_a_part_that_gives_energy_is_told),
        WITH_BENCH(test_rates_and_their_derivatives),
        WITH_BENCH(test_what_changes_between_steps_has_no_rate_alone),
        WITH_BENCH(test_a_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
