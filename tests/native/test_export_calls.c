/* Exported C is what the stepper of the library is: rates, derivatives, phases, inputs, parameters
 * by name and what is saved have its bits; what is given wrongly is refused; time is a count. */
#include "export_test.h"

#include <drystone/stepper.h>

/* An input, a sample, a table of the time, a jump, a set of forces and one of positions, parameters
 * that follow from others, that are fixed, and that have a range. */
static const char machine[] =
    "param M = 1 [kg] in 0.1..5, r = 2, F = 0.25 [N]*r, w = 100 [1/s], n = 2, T = 0.5 [s]\n"
    "input u = 0.1 [N]\n"
    "table push(s) at [0.123, 0.777, 1.234] [s] = [0, 1, -1]\n"
    "state p = 0 [m], v = 0 [m/s], q[n] = 0 [m]\n"
    "fe = if t < T then min(0.52, 0.8*t) else 0.336 + 0.144*cos(w*t)\n"
    "sample z = 0.5*p every 10 [ms]\n"
    "f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"
    "g in dio(20 [mm] - p) with K = 1e4 [N/m], alpha = 5 [ms], beta = 10 [ms]\n"
    "p' = v\n"
    "q' = [v, v*n]\n"
    "M*v' = fe + u - f - g + push(t)*1 [N] - 3 [N/m]*z\n"
    "run until = 2 [s], step = 1 [ms], method = rk4\n";
static const char tau[] = "state v[3] = 0.2 [m/s], x = 0.1 [m], y = 0 [m/s]\n"
                          "a = multistate(v[1], N = 3, Fs = 2.7)\n"
                          "b = lugre(v[2], F = 0.5, Fs = 0.7, K = 5e3, alpha = 1.5)\n"
                          "c = stribeck(v[3], F = 0.5, Fs = 0.7, vs = 1e-2, eps = 1e-3)\n"
                          "h = hunt_crossley(x, y)\n"
                          "1 [kg]*v' = -[a, b, c]\n"
                          "x' = y\n"
                          "1 [kg]*y' = h - 10 [N]*cos(3*t)\n"
                          "run until = 1 [s], step = 0.1 [ms], method = rk4-tau\n";
static const char swing[] = "state x = 1, v = 0\n"
                            "x' = v*1 [1/s]\n"
                            "v' = (-sin(x) - 0.1*v*v*v + x*cos(2*t))*1 [1/s]\n"
                            "run until = 1 [s], step = 1 [ms]\n";

/* ---- a program with numbers of ours -------------------------------------------------------------
 */

static FILE *stream; /* of numbers.h */

static void begin_numbers(void) {
    char path[192];
    snprintf(path, sizeof path, "%s/numbers.h", cache);
    stream = fopen(path, "w");
    assert_non_null(stream);
}

static void put_numbers(const char *name, const double *numbers, int n) {
    fprintf(stream, "static const double %s[] = {", name);
    for (int i = 0; i < n; i++) fprintf(stream, "%a, ", numbers[i]);
    fputs("0.0};\n", stream);
}

static void put_codes(const char *name, const int *codes, int n) {
    fprintf(stream, "static const int %s[] = {", name);
    for (int i = 0; i < n; i++) fprintf(stream, "%d, ", codes[i]);
    fputs("-1};\n", stream);
}

static void end_numbers(void) { assert_int_equal(fclose(stream), 0); }

/* A program without them. */
static void run_alone(const char *text, bool single, const char *program) {
    need_compiler();
    begin_numbers();
    end_numbers();
    export(text, "slow", single);
    run_main(program);
}

/* ---- rates and derivatives ----------------------------------------------------------------------
 */

enum { DRAWS = 50, MOST = 64 };

typedef struct drawn {
    double t[DRAWS], x[DRAWS * MOST], rate[DRAWS * MOST], jacobian[DRAWS * MOST];
} drawn;

/* At random times and states, with the tau that the header promises. */
static void draw_all(const dry_system *system, double step_tau, drawn *d) {
    uint64_t seed = 7;
    const dry_env env = {
        .model = system->model, .par = system->par, .work = calloc(1, system->work_size + 1)};
    system->prepare(&env);
    assert_in_range(system->n_jacobian, 1, MOST);
    for (int i = 0; i < DRAWS; i++) {
        double *x = d->x + i * system->n_states;
        d->t[i] = 1.0 + draw(&seed);
        system->start(&env, 0.0, x);
        for (int k = 0; k < system->n_states; k++) x[k] += 1e-3 * draw(&seed);
        system->rate(&env, d->t[i], step_tau, x, d->rate + i * system->n_states);
        system->jacobian(&env, d->t[i], step_tau, x, d->jacobian + i * system->n_jacobian);
    }
    free(env.work);
}

static void write_draws(const char *text, double step_tau) {
    const dry_model_options implicit = {.force = true,
                                        .run.method = dry_model_method_find("rodas4")};
    dry_model *model = dry_model_compile("test.dry", text, strlen(text), &implicit);
    assert_true(dry_model_ok(model));
    const dry_system *system = dry_model_system(model);
    drawn *d = calloc(1, sizeof *d);
    draw_all(system, step_tau, d);
    begin_numbers();
    put_numbers("t", d->t, DRAWS);
    put_numbers("x", d->x, DRAWS * system->n_states);
    put_numbers("rate", d->rate, DRAWS * system->n_states);
    put_numbers("jacobian", d->jacobian, DRAWS * system->n_jacobian);
    put_codes("row", system->jacobian_row, system->n_jacobian);
    put_codes("column", system->jacobian_column, system->n_jacobian);
    end_numbers();
    free(d);
    dry_model_free(model);
}

static void test_rates(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double tau;
    } cases[] = {{machine, 0.0}, {tau, 1e-4}, {swing, 0.0}};
    need_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_draws(cases[i].text, cases[i].tau);
        export(cases[i].text, "slow", false);
        run_main("    double out[SLOW_STATES], values[SLOW_JACOBIAN];\n"
                 "    slow m;\n"
                 "    CHECK(slow_init(&m, 0) == 0);\n"
                 "    CHECK(SLOW_JACOBIAN + 1 == sizeof row / sizeof *row);\n"
                 "    CHECK(memcmp(row, slow_jacobian_row, sizeof row) == 0);\n"
                 "    CHECK(memcmp(column, slow_jacobian_column, sizeof column) == 0);\n"
                 "    for (int i = 0; i < 50; i++) {\n"
                 "        slow_rate(&m, t[i], x + i*SLOW_STATES, out);\n"
                 "        CHECK(memcmp(out, rate + i*SLOW_STATES, sizeof out) == 0);\n"
                 "        slow_jacobian(&m, t[i], x + i*SLOW_STATES, values);\n"
                 "        CHECK(memcmp(values, jacobian + i*SLOW_JACOBIAN, sizeof values) == 0);\n"
                 "    }\n");
    }
}

/* Central differences of the rates over 2e-5, of a model whose third derivatives are some 5: to
 * 1e-9. */
static void test_differences(void **state) {
    (void)state;
    run_alone(swing, false,
              "    const double d = 1e-5;\n"
              "    double x[2], up[2], down[2], values[SLOW_JACOBIAN], J[2][3] = {{0}};\n"
              "    slow m;\n"
              "    CHECK(slow_init(&m, 0) == 0);\n"
              "    CHECK(slow_advance(&m, 1e-3, 0.7) == 0);\n"
              "    slow_jacobian(&m, m.t, m.x, values);\n"
              "    for (int k = 0; k < SLOW_JACOBIAN; k++)\n"
              "        J[slow_jacobian_row[k]][slow_jacobian_column[k]] += values[k];\n"
              "    for (int j = 0; j < 3; j++) {\n"
              "        for (int side = 1; side >= -1; side -= 2) {\n"
              "            for (int i = 0; i < 2; i++) x[i] = m.x[i] + (i == j ? side*d : 0.0);\n"
              "            slow_rate(&m, m.t + (j == 2 ? side*d : 0.0), x, side > 0 ? up : down);\n"
              "        }\n"
              "        for (int i = 0; i < 2; i++)\n"
              "            CHECK(fabs((up[i] - down[i])/(2*d) - J[i][j]) < 1e-8);\n"
              "    }\n"
              "    CHECK(fabs(J[1][0]) > 0.1 && fabs(J[1][1]) > 1e-3 && fabs(J[1][2]) > 0.1);\n");
}

/* ---- beside the stepper -------------------------------------------------------------------------
 */

enum { ROWS = 180 };

typedef struct driven {
    double states[ROWS * MOST], outputs[ROWS * 3];
    int phases[ROWS * 2];
} driven;

static double input_of(int row) { return sin(0.4 * row); }

/* An input that changes every 10 ms, and what comes out. */
static void drive(const dry_system *system, driven *d) {
    dry_stepper *s;
    dry_error error = {0};
    const dry_run_options run = {.method = dry_method_find("rk4"), .step = 1e-3};
    assert_int_equal(system->n_outputs, 3);
    assert_int_equal(dry_stepper_new(system, &run, &s, &error), DRY_OK);
    for (int i = 0; i < ROWS; i++) {
        unsigned char phase[2];
        assert_int_equal(dry_stepper_set_input(s, 0, input_of(i), &error), DRY_OK);
        assert_int_equal(dry_stepper_advance(s, (i + 1) * 0.01, &error), DRY_OK);
        memcpy(d->states + i * system->n_states, dry_stepper_states(s),
               (size_t)system->n_states * sizeof *d->states);
        assert_int_equal(dry_stepper_outputs(s, d->outputs + 3 * i, &error), DRY_OK);
        assert_int_equal(dry_stepper_phases(s, phase, &error), DRY_OK);
        for (int k = 0; k < 2; k++) d->phases[2 * i + k] = phase[k];
    }
    dry_stepper_free(s);
}

/* What is sampled, tabulated and set has the same bits in bytecode and native code. */
static void write_driven(void) {
    double inputs[ROWS];
    driven *bytecode = calloc(1, sizeof *bytecode), *compiled = calloc(1, sizeof *compiled);
    dry_model *model = compile_text(machine);
    dry_native *native = make_native(model, dry_method_find("rk4"), NULL);
    const int n = dry_model_system(model)->n_states;
    drive(dry_model_system(model), bytecode);
    drive(dry_native_system(native), compiled);
    assert_memory_equal(bytecode->states, compiled->states, sizeof bytecode->states);
    assert_memory_equal(bytecode->outputs, compiled->outputs, sizeof bytecode->outputs);
    assert_memory_equal(bytecode->phases, compiled->phases, sizeof bytecode->phases);
    for (int i = 0; i < ROWS; i++) inputs[i] = input_of(i);
    begin_numbers();
    put_numbers("u", inputs, ROWS);
    put_numbers("states", bytecode->states, ROWS * n);
    put_numbers("outputs", bytecode->outputs, ROWS * 3);
    put_codes("phases", bytecode->phases, ROWS * 2);
    end_numbers();
    dry_native_free(native);
    dry_model_free(model);
    free(bytecode);
    free(compiled);
}

/* Of the four phases of the two elements, more than one occurs of each. */
static void test_driven(void **state) {
    (void)state;
    need_compiler();
    write_driven();
    export(machine, "slow", false);
    run_main(
        "    unsigned char phase[2], seen[2] = {0};\n"
        "    double y[3];\n"
        "    slow m;\n"
        "    CHECK(slow_init(&m, 0) == 0);\n"
        "    const int u_at = slow_input_find(\"u\");\n"
        "    CHECK(u_at == 0 && slow_input_find(\"p\") == -1 && slow_output_find(\"f\") >= 0);\n"
        "    for (int i = 0; i < 180; i++) {\n"
        "        CHECK(slow_set_input(&m, u_at, u[i]) == 0);\n"
        "        CHECK(slow_advance(&m, 1e-3, (i + 1)*0.01) == 0);\n"
        "        CHECK(memcmp(m.x, states + i*SLOW_STATES, sizeof m.x) == 0);\n"
        "        slow_output(&m, y);\n"
        "        CHECK(memcmp(y, outputs + 3*i, sizeof y) == 0);\n"
        "        slow_phases(&m, phase);\n"
        "        for (int k = 0; k < 2; k++) {\n"
        "            CHECK(phase[k] == phases[2*i + k]);\n"
        "            seen[k] |= phase[k];\n"
        "        }\n"
        "    }\n"
        "    CHECK(seen[0] == (SLOW_STICKS | SLOW_SLIPS));\n"
        "    CHECK(seen[1] == (SLOW_OPEN | SLOW_CLOSED));\n");
}

/* ---- parameters by name -------------------------------------------------------------------------
 */

/* As `-p M=2 -p r=3 -p T=0.61` would; F follows r. */
static void write_other(void) {
    const dry_setting settings[] = {
        {.name = "M", .value = 2.0}, {.name = "r", .value = 3.0}, {.name = "T", .value = 0.61}};
    const dry_model_options options = {.force = true, .settings = settings, .n_settings = 3};
    dry_model *model = dry_model_compile("test.dry", machine, strlen(machine), &options);
    const dry_system *system = dry_model_system(model);
    const dry_method *rk4 = dry_method_find("rk4");
    const dry_ode_options ode_options = {.step = 1e-3};
    dry_ode ode;
    double *work = calloc(dry_ode_size(system, rk4), sizeof *work);
    void *scratch = calloc(1, system->work_size + 1);
    assert_true(dry_model_ok(model));
    assert_int_equal(dry_ode_init(&ode, system, rk4, &ode_options, NULL, 0.0, NULL, scratch, work),
                     DRY_OK);
    assert_int_equal(dry_ode_advance(&ode, 1.5), DRY_OK);
    begin_numbers();
    put_numbers("states", ode.x, system->n_states);
    end_numbers();
    free(work);
    free(scratch);
    dry_model_free(model);
}

static void test_parameters(void **state) {
    (void)state;
    need_compiler();
    write_other();
    export(machine, "slow", false);
    run_main("    slow m, other;\n"
             "    slow_par par = slow_defaults;\n"
             "    CHECK(slow_par_set(&par, slow_par_find(\"M\"), 2.0) == 0 && par.M == 2.0);\n"
             "    CHECK(slow_par_set(&par, slow_par_find(\"r\"), 3.0) == 0);\n"
             "    CHECK(slow_par_set(&par, slow_par_find(\"T\"), 0.61) == 0);\n"
             "    CHECK(slow_init(&m, &par) == 0);\n"
             "    CHECK(slow_advance(&m, 1e-3, 1.5) == 0);\n"
             "    CHECK(memcmp(m.x, states, sizeof m.x) == 0);\n"
             "    CHECK(slow_init(&other, 0) == 0 && slow_set_par(&other, &par) == 0);\n"
             "    CHECK(slow_advance(&other, 1e-3, 1.5) == 0);\n"
             "    CHECK(memcmp(other.x, states, sizeof m.x) == 0);\n"
             "    CHECK(slow_reset(&other, 0.0, 0) == 0 && other.t == 0.0 && other.x[1] == 0.0);\n"
             "    CHECK(slow_advance(&other, 1e-3, 1.5) == 0);\n"
             "    CHECK(memcmp(other.x, states, sizeof m.x) == 0);\n");
}

/* What has no effect, or not the effect of a run, is an error, and changes nothing. */
static void test_refusals(void **state) {
    (void)state;
    run_alone(machine, false,
              "    const double wild[] = {NAN, INFINITY, -INFINITY, 0.0999, 5.001};\n"
              "    slow m, copy;\n"
              "    slow_par par = slow_defaults;\n"
              "    const int M = slow_par_find(\"M\"), n = slow_par_find(\"n\");\n"
              "    CHECK(slow_init(&m, 0) == 0 && slow_advance(&m, 1e-3, 0.1) == 0);\n"
              "    copy = m;\n"
              "    for (int i = 0; i < 5; i++) {\n"
              "        CHECK(slow_par_set(&par, M, wild[i]) == SLOW_BAD_VALUE);\n"
              "        CHECK(par.M == slow_defaults.M);\n"
              "        par.M = wild[i];\n"
              "        CHECK(slow_set_par(&m, &par) == SLOW_BAD_VALUE);\n"
              "        CHECK(slow_init(&m, &par) == SLOW_BAD_VALUE);\n"
              "        par = slow_defaults;\n"
              "        if (i > 2) continue;\n"
              "        CHECK(slow_set_input(&m, 0, wild[i]) == SLOW_BAD_VALUE);\n"
              "        CHECK(slow_reset(&m, wild[i], 0) == SLOW_BAD_VALUE);\n"
              "        unsigned char given[SLOW_STATES] = {1};\n"
              "        double begin[SLOW_STATES] = {0.0};\n"
              "        CHECK(slow_start(&m, wild[i], given, begin) == SLOW_BAD_VALUE);\n"
              "        begin[0] = wild[i];\n"
              "        CHECK(slow_start(&m, 0.0, given, begin) == SLOW_BAD_VALUE);\n"
              "    }\n"
              "    CHECK(slow_par_set(&par, M, 0.1) == 0 && slow_par_set(&par, M, 5.0) == 0);\n"
              "    CHECK(slow_par_set(&par, n, 3.0) == SLOW_BAD_VALUE);\n"
              "    CHECK(slow_par_set(&par, n, 2.0) == 0);\n"
              "    CHECK(slow_par_find(\"F\") == -1 && slow_par_find(\"\") == -1);\n"
              "    CHECK(slow_par_find(\"Mx\") == -1);\n"
              "    CHECK(slow_par_set(&par, -1, 1.0) == SLOW_NO_SUCH);\n"
              "    CHECK(slow_par_set(&par, SLOW_PARAMETERS, 1.0) == SLOW_NO_SUCH);\n"
              "    CHECK(slow_set_input(&m, -1, 1.0) == SLOW_NO_SUCH);\n"
              "    CHECK(slow_set_input(&m, SLOW_INPUTS, 1.0) == SLOW_NO_SUCH);\n"
              "    CHECK(memcmp(&m, &copy, sizeof m) == 0);\n");
}

/* ---- save and restore ---------------------------------------------------------------------------
 */

/* A run that is continued from bytes, or from a copy, has the bits of one that never stopped; other
 * bytes change nothing. */
static void test_saved(void **state) {
    (void)state;
    run_alone(machine, false,
              "    slow m, copy, end;\n"
              "    slow_saved saved, other;\n"
              "    CHECK(slow_init(&m, 0) == 0);\n"
              "    for (int k = 0; k < 497; k++) CHECK(slow_step(&m, 1e-3) == 0);\n"
              "    slow_save(&m, &saved);\n"
              "    copy = m;\n"
              "    CHECK(slow_set_input(&m, 0, -0.2) == 0 && slow_advance(&m, 1e-3, 1.3) == 0);\n"
              "    end = m;\n"
              "    memcpy(&other, &saved, sizeof other);\n"
              "    CHECK(slow_restore(&m, &other) == 0);\n"
              "    CHECK(slow_set_input(&m, 0, -0.2) == 0 && slow_advance(&m, 1e-3, 1.3) == 0);\n"
              "    CHECK(m.t == end.t && memcmp(m.x, end.x, sizeof m.x) == 0);\n"
              "    CHECK(slow_set_input(&copy, 0, -0.2) == 0);\n"
              "    CHECK(slow_advance(&copy, 1e-3, 1.3) == 0);\n"
              "    CHECK(copy.k == end.k && memcmp(copy.x, end.x, sizeof m.x) == 0);\n"
              "    for (size_t i = 0; i < SLOW_STATES; i++) {\n"
              "        other = saved;\n"
              "        other.m.x[i] += 1e-12;\n"
              "        CHECK(slow_restore(&m, &other) == SLOW_BAD_SAVE);\n"
              "    }\n"
              "    other = saved;\n"
              "    other.mark++;\n"
              "    CHECK(slow_restore(&m, &other) == SLOW_BAD_SAVE);\n"
              "    CHECK(m.t == end.t && memcmp(m.x, end.x, sizeof m.x) == 0);\n");
}

/* ---- time ---------------------------------------------------------------------------------------
 */

/* In single precision, 1e8 steps of 1 ms: t has steps of 8 ms there, and x goes on by 1 ms each.
 * With 2^-10 s the sum of 1000 of them is exact. */
static void test_count(void **state) {
    (void)state;
    run_alone("state x = 0\nx' = 1 [1/s]\nrun until = 1 [s], step = 1 [ms]\n", true,
              "    const float h = 1.0f/1024;\n"
              "    slow m;\n"
              "    CHECK(slow_init(&m, 0) == 0 && slow_step(&m, h) == 0);\n"
              "    CHECK(slow_reset(&m, 0.0f, 0) == 0);\n"
              "    m.k = 100000000;\n"
              "    m.t = (float)m.k*h;\n"
              "    const float before = m.t;\n"
              "    for (int k = 0; k < 1000; k++) CHECK(slow_step(&m, h) == 0);\n"
              "    CHECK(m.k == 100001000 && m.x[0] == 1000*h);\n"
              "    CHECK(fabsf(m.t - before - 1000*h) <= 8*h);\n"
              "    CHECK(slow_advance(&m, h, before + 2) == 0 && m.t == before + 2);\n"
              "    CHECK(slow_shift_time(&m, m.k - 5) == 0 && m.k == 5 && m.t == 5*h);\n"
              "    CHECK(slow_step(&m, h) == 0 && m.t == 6*h);\n"
              "    CHECK(slow_step(&m, 0.5f*h) == 0 && slow_step(&m, 1e-30f) == SLOW_BAD_STEP);\n");
}

/* Counts that a long of 32 bits does not hold are converted in two parts, to the same number. */
static void test_long_count(void **state) {
    (void)state;
    run_alone("state x = 0\nx' = 1 [1/s]\nrun until = 1 [s], step = 1 [ms]\n", false,
              "    static const long long begins[] = {-1073741830, 1073741819, 2147483644, "
              "4294967290,\n"
              "                                       3000000000007, 9007199254740981};\n"
              "    const double h = 1e-3;\n"
              "    slow m;\n"
              "    for (int i = 0; i < 6; i++) {\n"
              "        CHECK(slow_init(&m, 0) == 0 && slow_step(&m, h) == 0);\n"
              "        CHECK(slow_shift_time(&m, 1 - begins[i]) == 0 && m.k == begins[i]);\n"
              "        CHECK(m.t == (double)m.k*h);\n"
              "        for (int k = 0; k < 10; k++) {\n"
              "            CHECK(slow_step(&m, h) == 0);\n"
              "            CHECK(m.t == (double)m.k*h);\n"
              "        }\n"
              "        CHECK(m.k == begins[i] + 10);\n"
              "    }\n");
}

/* Two clocks in single precision, one of them 3 steps late: after eight hours of steps of 1 ms,
 * when t has a resolution of 2 ms, each has sampled once per 10 and 4 steps; after a copy, a shift
 * of time and steps of another length and back, too. */
static void test_counted_samples(void **state) {
    (void)state;
    run_alone("state x = 0\nsample a = mod(a.before + 1, 4096) every 10 [ms] from 0\n"
              "sample b = mod(b.before + 1, 4096) every 4 [ms] from 0 with delay = 3 [ms]\n"
              "x' = (a - b)*1 [1/s]\nrun until = 1 [s], step = 1 [ms]\n",
              true,
              "    const float h = 1e-3f;\n"
              "    slow m, copy;\n"
              "    slow_saved saved;\n"
              "    const float *y = m.x;\n"
              "    const int a = 1, b = 2;\n"
              "    CHECK(slow_state_names[a][0] == 'a' && slow_state_names[b][0] == 'b');\n"
              "    CHECK(slow_init(&m, 0) == 0);\n"
              "    long first_a = lroundf(y[a]), first_b = lroundf(y[b]);\n"
              "    for (long k = 1; k <= 28800000; k++) {\n"
              "        CHECK(slow_step(&m, h) == 0);\n"
              "        if (k > 30 && k < 28799000) continue;\n"
              "        CHECK(lroundf(y[a]) == (first_a + k/10) % 4096);\n"
              "        CHECK(k > 30 || lroundf(y[b]) == first_b + (k < 3 ? 0 : (k + 1)/4));\n"
              "    }\n"
              "    CHECK(m.k == 28800000 && fabsf(m.t - 28800.0f) < 4e-3f);\n"
              "    first_a = lroundf(y[a]), first_b = lroundf(y[b]);\n"
              "    slow_save(&m, &saved);\n"
              "    CHECK(slow_shift_time(&m, 28800001) == SLOW_BAD_SHIFT);\n"
              "    CHECK(slow_shift_time(&m, 28800000 - 20) == 0 && m.k == 20 && m.t < 0.0201f);\n"
              "    copy = m;\n"
              "    for (int k = 1; k <= 40; k++) {\n"
              "        CHECK(slow_step(&m, h) == 0 && slow_step(&copy, h) == 0);\n"
              "        CHECK(lroundf(y[a]) == (first_a + k/10) % 4096);\n"
              "        CHECK(lroundf(y[b]) == (first_b + (k + 1)/4) % 4096);\n"
              "    }\n"
              "    CHECK(memcmp(m.x, copy.x, sizeof m.x) == 0);\n"
              "    for (int k = 1; k <= 40; k++) CHECK(slow_step(&m, 0.5e-3f) == 0);\n"
              "    for (int k = 1; k <= 20; k++) CHECK(slow_step(&m, h) == 0);\n"
              "    CHECK(lroundf(y[a]) == (first_a + 8) % 4096);\n"
              "    CHECK(lroundf(y[b]) == (first_b + 20) % 4096);\n"
              "    CHECK(slow_restore(&m, &saved) == 0 && m.k == 28800000);\n"
              "    saved.m.due[0]++;\n"
              "    CHECK(slow_restore(&m, &saved) == SLOW_BAD_SAVE);\n");
}

/* x'' = cos(2 pi t), sampled every 1/128 s, in steps of 2^-10 s: the same after whole seconds, to
 * the rounding of cos(2 pi t). */
static void test_shift(void **state) {
    (void)state;
    run_alone("param T = 0.25 [s]\nstate x = 0, y = 0\nsample z = x every 0.0078125 [s]\n"
              "table ramp(s) at [0.123, 0.777] [s] = [0, 1]\n"
              "y' = (ramp(t) + (if t < T then 1 else 0))*1 [1/s]\n"
              "x' = (cos(2*pi*t*1 [1/s]) - z)*1 [1/s]\nrun until = 1 [s], step = 1 [ms]\n",
              false,
              "    const double h = 1.0/1024;\n"
              "    slow m, still;\n"
              "    CHECK(slow_init(&m, 0) == 0);\n"
              "    for (int k = 0; k < 5*1024; k++) CHECK(slow_step(&m, h) == 0);\n"
              "    still = m;\n"
              "    CHECK(slow_shift_time(&m, 5*1024) == SLOW_BAD_SHIFT);\n" /* before the jump */
              "    CHECK(slow_shift_time(&m, 5*1024 - 512) == SLOW_BAD_SHIFT);\n" /* the knot */
              "    CHECK(slow_shift_time(&m, 4*1024 + 1) == SLOW_BAD_SHIFT);\n"   /* no sample */
              "    CHECK(memcmp(&m, &still, sizeof m) == 0);\n"
              "    CHECK(slow_shift_time(&m, 4*1024) == 0 && m.t == 1.0 && m.k == 1024);\n"
              "    for (int k = 0; k < 3*1024; k++) {\n"
              "        CHECK(slow_step(&m, h) == 0 && slow_step(&still, h) == 0);\n"
              "        for (int i = 0; i < SLOW_STATES; i++)\n"
              "            CHECK(fabs(m.x[i] - still.x[i]) < 1e-12);\n"
              "    }\n"
              "    CHECK(m.t == 4.0 && still.t == 8.0);\n"
              "    CHECK(slow_advance(&m, h, 4.0 + 0.3*h) == 0);\n"
              "    CHECK(slow_shift_time(&m, 1024) == SLOW_BAD_SHIFT);\n");
}

/* The times that delay lines hold move with the origin of time. */
static void test_shift_with_delays(void **state) {
    (void)state;
    run_alone("state x = 0, y = 0\nx' = (cos(2*pi*t*1 [1/s]) - delay(x, 62.5 [ms]))*1 [1/s]\n"
              "y' = (delay(y + x, 0.25 [s]) - y)*1 [1/s]\n"
              "run until = 1 [s], step = 0.0009765625 [s]\n",
              false,
              "    const double h = 1.0/1024;\n"
              "    slow m, still;\n"
              "    CHECK(slow_init(&m, 0) == 0);\n"
              "    for (int k = 0; k < 5*1024; k++) CHECK(slow_step(&m, h) == 0);\n"
              "    still = m;\n"
              "    CHECK(slow_shift_time(&m, 4*1024) == 0 && m.t == 1.0);\n"
              "    for (int k = 0; k < 3*1024; k++) {\n"
              "        CHECK(slow_step(&m, h) == 0 && slow_step(&still, h) == 0);\n"
              "        CHECK(fabs(m.x[0] - still.x[0]) < 1e-12);\n"
              "        CHECK(fabs(m.x[1] - still.x[1]) < 1e-12);\n"
              "    }\n");
}

/* ---- what the folder says -----------------------------------------------------------------------
 */

/* The loop of the README compiles and runs. */
static void test_readme(void **state) {
    (void)state;
    static const char *const texts[] = {machine, tau, swing};
    need_compiler();
    begin_numbers();
    end_numbers();
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        export(texts[i / 2], "slow", i % 2);
        char program[2048], *readme = text_of("README.md");
        const char *loop = strstr(readme, "```c\n");
        assert_non_null(loop);
        const int length = (int)(strstr(loop + 5, "```") - loop - 5);
        snprintf(program, sizeof program, "%.*s    CHECK(status == 0 && m.k == 100);\n", length,
                 loop + 5);
        free(readme);
        run_main(program);
    }
}

static void test_header(void **state) {
    (void)state;
    export(machine, "slow", true);
    char *header = text_of("slow.h");
    assert_non_null(strstr(header, "from t = 16384 s (4.55 h) on some steps of 0.001 s"));
    assert_non_null(strstr(header, "slow_real n; /* 1; fixed: "));
    assert_null(strstr(header, "slow_real F;"));
    free(header);
    export("state x = 1\nx' = -x*1 [1/s]\nrun until = 1 [s]\n", "slow", true);
    header = text_of("slow.h");
    assert_non_null(strstr(header, "Nothing in the model depends on t."));
    free(header);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates),
                                       cmocka_unit_test(test_differences),
                                       cmocka_unit_test(test_driven),
                                       cmocka_unit_test(test_parameters),
                                       cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_saved),
                                       cmocka_unit_test(test_count),
                                       cmocka_unit_test(test_long_count),
                                       cmocka_unit_test(test_counted_samples),
                                       cmocka_unit_test(test_shift),
                                       cmocka_unit_test(test_shift_with_delays),
                                       cmocka_unit_test(test_readme),
                                       cmocka_unit_test(test_header)};
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
