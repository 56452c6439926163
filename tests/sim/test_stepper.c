/* The stepper: what is set takes effect at the next step, rows of an array are single steps, and
 * what was saved goes on to the bit, by every method. */
#include "unit.h"

#include "plant.h"

#include <drystone/model.h>
#include <math.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "listed.h"

static dry_error error;

static dry_stepper *begin(const dry_method *method) {
    dry_stepper *s = NULL;
    is_ok(step_plant(method, &s, &error), &error);
    assert_non_null(s);
    return s;
}
static void set(dry_stepper *s, double u) { is_ok(dry_stepper_set_input(s, 0, u, &error), &error); }
static void set_par(dry_stepper *s, const char *name, double value) {
    is_ok(dry_stepper_set_par_named(s, name, value, &error), &error);
}
static void go(dry_stepper *s, double t) { is_ok(dry_stepper_advance(s, t, &error), &error); }

/* ---- what is set ------------------------------------------------------------- */

/* Without friction v' = g u: v is the sum of the stairs g_k u_k T. */
static void stairs_of_inputs_and_parameters_add_up(void **state) {
    (void)state;
    const double T = 0x1p-6;
    for (int m = 0; each_method(m); m++) {
        dry_stepper *s = begin(each_method(m));
        double sum = 0.0;
        set_par(s, "F", 0.0);
        for (int k = 0; k < 50; k++) {
            const double u = k % 7 - 3.0, g = k % 4 == 0 ? 2.0 : 0.5;
            set(s, u);
            set_par(s, "g", g);
            go(s, (k + 1) * T);
            sum += g * u * T;
            near_case(dry_stepper_states(s)[V], sum, 1e-9, "%s, row %d", each_method(m)->name, k);
        }
        equal(dry_stepper_time(s), 50 * T);
        dry_stepper_free(s);
    }
}

/* Pushed with 2 for 0.25 s against 0.5, then let go: v = 0.375, which lasts another 0.75 s; the way
 * is 0.375 (0.25 + 0.75)/2. Relaxed friction lags by some F/K. */
static void friction_stops_what_is_let_go(void **state) {
    (void)state;
    for (int m = 0; each_method(m); m++) {
        const dry_method *method = each_method(m);
        const bool kept = method->takes & DRY_TAKES_SETS;
        dry_stepper *s = begin(method);
        unsigned char phase = 0;
        double y[N_OUTPUTS];
        set(s, 0.25);
        go(s, 0.125);
        is_ok(dry_stepper_phases(s, &phase, &error), &error);
        near_case(phase, DRY_STICKS, 0.0, "%s", method->name);
        is_ok(dry_stepper_outputs(s, y, &error), &error);
        near_case(y[FORCE], 0.25, 1e-4, "%s", method->name);
        set(s, 2.0);
        go(s, 0.375);
        is_ok(dry_stepper_phases(s, &phase, &error), &error);
        near_case(phase, DRY_SLIPS, 0.0, "%s", method->name);
        set(s, 0.0);
        go(s, 1.5);
        is_ok(dry_stepper_outputs(s, y, &error), &error);
        near_case(y[PLACE], 0.1875, kept && method->holds ? 1e-3 : 2e-3, "%s", method->name);
        near_case(dry_stepper_states(s)[V], 0.0, 1e-3, "%s", method->name);
        dry_stepper_free(s);
    }
}

/* Until the next step all is as the last step left it. */
static void what_is_set_waits_for_the_next_step(void **state) {
    (void)state;
    for (int m = 0; each_method(m); m++) {
        dry_stepper *s = begin(each_method(m));
        double before[N_OUTPUTS], after[N_OUTPUTS];
        set(s, 2.0);
        go(s, 0.25);
        is_ok(dry_stepper_outputs(s, before, &error), &error);
        set(s, -1.0);
        set_par(s, "F", 0.125);
        is_ok(dry_stepper_outputs(s, after, &error), &error);
        all_same_bits(N_OUTPUTS, before, after);
        equal(dry_stepper_states(s)[U], 2.0);
        equal(dry_stepper_inputs(s)[0], -1.0);
        equal(dry_stepper_par(s)[LEVEL], 0.125);
        go(s, 0.25); /* no step */
        equal(dry_stepper_states(s)[U], 2.0);
        go(s, 0.3);
        equal(dry_stepper_states(s)[U], -1.0);
        is_ok(dry_stepper_outputs(s, after, &error), &error);
        near_case(after[FORCE], 0.125, 1e-3, "%s", each_method(m)->name);
        dry_stepper_free(s);
    }
}

static void the_same_value_changes_nothing(void **state) {
    (void)state;
    for (int m = 0; each_method(m); m++) {
        dry_stepper *a = begin(each_method(m)), *b = begin(each_method(m));
        set(a, 1.0), set(b, 1.0);
        for (int k = 1; k <= 20; k++) {
            set(b, 1.0);
            set_par(b, "g", 1.0);
            go(a, k * 0.01), go(b, k * 0.01);
            all_same_bits(N_STATES, dry_stepper_states(a), dry_stepper_states(b));
        }
        dry_stepper_free(a), dry_stepper_free(b);
    }
}

/* A mass of 1 kg is pushed by 1 N for half a second, then pulled by 1 N: 1/4 m after 1 s. */
static void a_parameter_of_a_model_changes_between_steps(void **state) {
    static const char text[] = "param u = 0 [N]\nstate x = 0 [m], v = 0 [m/s]\nx' = v\n"
                               "1 [kg]*v' = u\nrun until = 1 [s], step = 1 [ms]\n";
    (void)state;
    for (int m = 0; each_method(m); m++) {
        const dry_method *method = each_method(m);
        const dry_model_options options = {.run = {.method = method}};
        dry_model *model = dry_model_compile("in.dry", text, strlen(text), &options);
        assert_non_null(model);
        assert_true(dry_model_ok(model));
        dry_run_options run = dry_model_run(model);
        run.rtol = 1e-10, run.atol = 1e-12;
        const dry_inclusion *inclusion = dry_model_inclusion(model);
        dry_stepper *s = NULL;
        is_ok(inclusion ? dry_stepper_new_inclusion(inclusion, &run, &s, &error)
                        : dry_stepper_new(dry_model_system(model), &run, &s, &error),
              &error);
        for (int k = 0; k < 1000; k++) {
            set_par(s, "u", k < 500 ? 1.0 : -1.0);
            go(s, (k + 1) * 1e-3);
        }
        near_case(dry_stepper_states(s)[0], 0.25, method->order > 1 ? 1e-9 : 1e-3, "%s",
                  method->name);
        dry_stepper_free(s);
        dry_model_free(model);
    }
}

static void all_parameters_at_once(void **state) {
    static const double par[] = {0.0, 3.0};
    (void)state;
    dry_stepper *s = begin(dry_method_find("rk4"));
    is_ok(dry_stepper_set_all_par(s, par, &error), &error);
    set(s, 2.0);
    go(s, 0.5);
    near(dry_stepper_states(s)[V], 3.0, 1e-12);
    assert_int_equal(dry_stepper_par_find(s, "g"), GAIN);
    assert_int_equal(dry_stepper_input_find(s, "u"), 0);
    dry_stepper_free(s);
}

/* From another time, another state, with other parameters; from the system's start. */
static void a_reset_begins_anew(void **state) {
    static const double x0[N_STATES] = {1.0, 5.0, 0.25, 0.0};
    (void)state;
    for (int m = 0; each_method(m); m++) {
        dry_stepper *s = begin(each_method(m));
        set(s, 1.0);
        go(s, 0.1);
        set_par(s, "F", 0.0);
        is_ok(dry_stepper_reset(s, 3.0, x0, &error), &error);
        equal(dry_stepper_time(s), 3.0);
        equal(dry_stepper_inputs(s)[0], 0.25);
        go(s, 4.0);
        near_case(dry_stepper_states(s)[V], 1.25, 1e-9, "%s", each_method(m)->name);
        is_ok(dry_stepper_reset(s, 0.0, NULL, &error), &error);
        equal(dry_stepper_states(s)[P], 0.0);
        equal(dry_stepper_inputs(s)[0], 0.0);
        dry_stepper_free(s);
    }
}

/* ---- steps --------------------------------------------------------------------- */

static void one_step_ends_on_the_grid(void **state) {
    (void)state;
    for (int m = 0; each_method(m); m++) {
        if (each_method(m)->adaptive) continue;
        dry_stepper *s = begin(each_method(m));
        set(s, 1.0);
        for (int k = 1; k <= 100; k++) {
            is_ok(dry_stepper_step(s, &error), &error);
            equal(dry_stepper_time(s), k * 0x1p-10);
        }
        go(s, 0.0979); /* between the points 100 and 101 */
        is_ok(dry_stepper_step(s, &error), &error);
        equal(dry_stepper_time(s), 101 * 0x1p-10);
        dry_stepper_free(s);
    }
}

/* In steps of 0.1 ms, which no number of bits has, over an hour. */
static void no_point_of_the_grid_is_lost(void **state) {
    (void)state;
    const dry_run_options run = {.method = dry_method_find("euler"), .step = 1e-4};
    dry_stepper *s = NULL;
    is_ok(dry_stepper_new(&plant, &run, &s, &error), &error);
    is_ok(dry_stepper_reset(s, 0.1, NULL, &error), &error);
    for (int k = 1; k <= 100000; k++) {
        is_ok(dry_stepper_step(s, &error), &error);
        equal(dry_stepper_time(s), 0.1 + k * 1e-4);
    }
    dry_stepper_free(s);
}

static void one_adaptive_step_is_bounded(void **state) {
    (void)state;
    for (int m = 0; each_method(m); m++) {
        if (!each_method(m)->adaptive) continue;
        dry_stepper *s = begin(each_method(m)); /* until 1 s */
        for (int k = 0; k < 50; k++) {
            const double t = dry_stepper_time(s);
            is_ok(dry_stepper_step(s, &error), &error);
            above(dry_stepper_time(s), t);
            at_most(dry_stepper_time(s) - t, 0.1 + 1e-12);
        }
        dry_stepper_free(s);
        const dry_run_options run = {.method = each_method(m)};
        is_ok(dry_stepper_new(&plant, &run, &s, &error), &error);
        assert_int_equal(dry_stepper_step(s, &error), DRY_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "max_step"));
        dry_stepper_free(s);
    }
}

/* ---- rows ------------------------------------------------------------------------ */

enum { ROWS = 60 };
static const double INTERVAL = 0x1p-7;
static double input_of(int k) { return k % 10 < 4 ? 2.0 : k % 10 < 6 ? 0.25 * k : -1.0; }

static void drive(dry_stepper *s, int from, int to, double (*y)[N_OUTPUTS], double (*x)[N_STATES]) {
    for (int k = from; k < to; k++) {
        set(s, input_of(k));
        go(s, (k + 1) * INTERVAL);
        is_ok(dry_stepper_outputs(s, y[k], &error), &error);
        memcpy(x[k], dry_stepper_states(s), sizeof x[k]);
    }
}

static void rows_are_single_steps(void **state) {
    (void)state;
    for (int m = 0; each_method(m); m++) {
        dry_stepper *a = begin(each_method(m)), *b = begin(each_method(m));
        double y[ROWS][N_OUTPUTS], x[ROWS][N_STATES], u[ROWS];
        double rows_y[ROWS][N_OUTPUTS], rows_x[ROWS][N_STATES];
        size_t done = 0;
        for (int k = 0; k < ROWS; k++) u[k] = input_of(k);
        drive(a, 0, ROWS, y, x);
        const dry_stepper_rows rows = {.rows = ROWS,
                                       .interval = INTERVAL,
                                       .inputs = u,
                                       .outputs = rows_y[0],
                                       .states = rows_x[0]};
        is_ok(dry_stepper_run(b, &rows, &done, &error), &error);
        assert_int_equal(done, ROWS);
        all_same_bits(ROWS * N_OUTPUTS, y[0], rows_y[0]);
        all_same_bits(ROWS * N_STATES, x[0], rows_x[0]);
        unequal(x[ROWS - 1][P], 0.0);
        dry_stepper_free(a), dry_stepper_free(b);
    }
}

static void rows_stop_at_an_error(void **state) {
    static const double u[] = {1.0, 2.0, (double)INFINITY, 1.0};
    (void)state;
    dry_stepper *s = begin(dry_method_find("rk4"));
    size_t done = 9;
    const dry_stepper_rows rows = {.rows = 4, .interval = 0.25, .inputs = u};
    assert_int_equal(dry_stepper_run(s, &rows, &done, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(done, 2);
    equal(dry_stepper_time(s), 0.5);
    same_text(error.text, "the input u cannot become inf at t = 0.5 s: set a finite number");
    const dry_stepper_rows still = {.rows = 4};
    assert_int_equal(dry_stepper_run(s, &still, &done, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_run(s, NULL, NULL, &error), DRY_BAD_ARGUMENT);
    dry_stepper_free(s);
}

/* ---- save and restore -------------------------------------------------------------- */

static bool can_save(const dry_method *method) { return strcmp(method->name, "cvode") != 0; }

static void *saved(const dry_stepper *s, size_t *size) {
    *size = dry_stepper_save_size(s);
    above(*size, 0);
    void *bytes = malloc(*size);
    is_ok(dry_stepper_save(s, bytes, *size, &error), &error);
    return bytes;
}

/* b is never saved; a is, in the middle of what was set and of a step of the grid. */
static void a_restored_stepper_goes_on_to_the_bit(void **state) {
    (void)state;
    for (int m = 0; each_method(m); m++) {
        if (!can_save(each_method(m))) continue;
        dry_stepper *a = begin(each_method(m)), *b = begin(each_method(m));
        double y[ROWS][N_OUTPUTS], x[ROWS][N_STATES], again_y[ROWS][N_OUTPUTS],
            again_x[ROWS][N_STATES], whole_y[ROWS][N_OUTPUTS], whole_x[ROWS][N_STATES];
        const int half = ROWS / 2 - 3;
        size_t size;
        drive(a, 0, half, y, x), drive(b, 0, half, whole_y, whole_x);
        go(a, (half + 0.3) * INTERVAL), go(b, (half + 0.3) * INTERVAL);
        set_par(a, "F", 0.375), set_par(b, "F", 0.375);
        void *bytes = saved(a, &size);
        drive(b, half, ROWS, whole_y, whole_x);
        drive(a, half, ROWS, y, x);
        all_same_bits((ROWS - half) * N_STATES, x[half], whole_x[half]);
        set_par(a, "g", 7.0);
        go(a, 2.0);
        is_ok(dry_stepper_restore(a, bytes, size, &error), &error);
        equal(dry_stepper_time(a), (half + 0.3) * INTERVAL);
        equal(dry_stepper_par(a)[GAIN], 1.0);
        drive(a, half, ROWS, again_y, again_x);
        all_same_bits((ROWS - half) * N_STATES, again_x[half], whole_x[half]);
        all_same_bits((ROWS - half) * N_OUTPUTS, again_y[half], whole_y[half]);
        dry_stepper_free(a), dry_stepper_free(b);
        free(bytes);
    }
}

/* Balls that fall into a box, whose pairs are remembered in the scratch of the system; and a loop
 * with samples and a delay. */
static const char *const texts[] = {
    "param g = 9.8 [m/s^2]\n"
    "part earth = gravity(g = g)\npart floor = plane()\n"
    "part a = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, 0.2], v = [1, 0, 0])\n"
    "part b = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0.25, 0.02, 0.15])\n"
    "part c = sphere(radius = 0.1 [m], mass = 2 [kg], p = [0.26, 0, 0.5])\n"
    "part touch = contact(K = 1e5 [N/m], alpha = 0.5 [ms], beta = 1 [ms], mu = 0.3,\n"
    "                     Kt = 1e4 [N/m], betat = 5 [ms])\n"
    "connect touch - floor\nconnect touch - a\nconnect touch - b\nconnect touch - c\n"
    "run until = 1 [s], step = 0.25 [ms]\n",
    "param T = 10 [ms], d = 3.3 [ms], Kp = 20 [1/s], r = 1 [m]\n"
    "state x = 0 [m]\n"
    "sample e = r - x every T\n"
    "sample u = Kp*e every T from 0 [m/s] with delay = d\n"
    "x' = u\nrun until = 1 [s], step = 0.7 [ms]\n"};

static void continue_text(const char *text, const dry_method *method) {
    const dry_model_options options = {.run = {.method = method}};
    dry_model *model = dry_model_compile("in.dry", text, strlen(text), &options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model) && !dry_model_ok(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    const dry_run_options run = dry_model_run(model);
    const dry_system *system = dry_model_system(model);
    const size_t n = (size_t)system->n_states;
    double *x = malloc(2 * ROWS * n * sizeof *x);
    dry_stepper *s = NULL, *other = NULL;
    size_t size;
    is_ok(dry_stepper_new(system, &run, &s, &error), &error);
    is_ok(dry_stepper_new(system, &run, &other, &error), &error);
    go(s, 0.151);
    void *bytes = saved(s, &size);
    dry_stepper_rows rows = {.rows = ROWS, .interval = 0.0043, .states = x};
    is_ok(dry_stepper_run(s, &rows, NULL, &error), &error);
    if (method->implicit) dry_stepper_free(other), other = s;
    is_ok(dry_stepper_restore(other, bytes, size, &error), &error);
    rows.states = x + ROWS * n;
    is_ok(dry_stepper_run(other, &rows, NULL, &error), &error);
    all_same_bits(ROWS * n, x, x + ROWS * n);
    if (other != s) dry_stepper_free(other);
    dry_stepper_free(s);
    dry_model_free(model);
    free(bytes);
    free(x);
}

static void models_with_contacts_and_samples_go_on_to_the_bit(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int m = 0; m < dry_method_count() + 1; m++)
            if (i == 1 || each_method(m)->takes & DRY_TAKES_PARTS)
                continue_text(texts[i], each_method(m));
}

/* Methods of ode hand a state to another stepper; the others refuse, and stay where they are. */
static void another_stepper_takes_over(void **state) {
    (void)state;
    for (int m = 0; each_method(m); m++) {
        if (!can_save(each_method(m))) continue;
        dry_stepper *a = begin(each_method(m)), *b = begin(each_method(m));
        double y[ROWS][N_OUTPUTS], x[ROWS][N_STATES], other_x[ROWS][N_STATES];
        size_t size;
        set_par(a, "g", 1.5);
        drive(a, 0, 20, y, x);
        void *bytes = saved(a, &size);
        const dry_status status = dry_stepper_restore(b, bytes, size, &error);
        if (m < dry_method_count()) {
            is_ok(status, &error);
            drive(a, 20, ROWS, y, x), drive(b, 20, ROWS, y, other_x);
            all_same_bits((ROWS - 20) * N_STATES, x[20], other_x[20]);
        } else {
            assert_int_equal(status, DRY_BAD_ARGUMENT);
            assert_non_null(strstr(error.text, "another stepper"));
            equal(dry_stepper_time(b), 0.0);
            go(b, 0.1);
            is_ok(dry_stepper_reset(a, 0.0, NULL, &error), &error);
            is_ok(dry_stepper_reset(a, 0.0, NULL, &error), &error);
        }
        dry_stepper_free(a), dry_stepper_free(b);
        free(bytes);
    }
}

static void other_bytes_are_refused(void **state) {
    (void)state;
    dry_stepper *a = begin(dry_method_find("rk4")), *b = begin(dry_method_find("heun"));
    size_t size;
    char *bytes = saved(a, &size);
    assert_int_equal(dry_stepper_restore(a, bytes, size - 1, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_save(a, bytes, size - 1, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_restore(a, NULL, size, &error), DRY_BAD_ARGUMENT);
    if (dry_stepper_save_size(b) == size) {
        assert_int_equal(dry_stepper_restore(b, bytes, size, &error), DRY_BAD_ARGUMENT);
    }
    for (size_t i = 0; i < size; i += 7) {
        bytes[i] ^= 0x10;
        assert_int_not_equal(dry_stepper_restore(a, bytes, size, &error), DRY_OK);
        bytes[i] ^= 0x10;
    }
    is_ok(dry_stepper_restore(a, bytes, size, &error), &error);
    free(bytes);
    dry_stepper_free(a), dry_stepper_free(b);
}

static void cvode_says_that_it_cannot_be_saved(void **state) {
    (void)state;
    char bytes[8];
    dry_stepper *s = begin(dry_stiff_method_find("cvode"));
    assert_int_equal(dry_stepper_save_size(s), 0);
    assert_int_equal(dry_stepper_save(s, bytes, sizeof bytes, &error), DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "rodas4"));
    dry_stepper_free(s);
}

/* ---- memory -------------------------------------------------------------------------- */

static void no_allocation_after_the_beginning(void **state) {
    (void)state;
    for (int m = 0; each_method(m); m++) {
        double y[ROWS][N_OUTPUTS], u[ROWS];
        unsigned char phase;
        dry_stepper *s = begin(each_method(m));
        size_t size = dry_stepper_save_size(s);
        char *bytes = malloc(size + 1);
        for (int k = 0; k < ROWS; k++) u[k] = input_of(k);
        const dry_stepper_rows rows = {
            .rows = ROWS, .interval = INTERVAL, .inputs = u, .outputs = y[0]};
        const long before = allocations;
        dry_status status = dry_stepper_run(s, &rows, NULL, &error);
        if (status == DRY_OK && size > 0) status = dry_stepper_save(s, bytes, size, &error);
        dry_stepper_set_par(s, LEVEL, 0.25, &error);
        if (status == DRY_OK) status = dry_stepper_step(s, &error);
        if (status == DRY_OK) status = dry_stepper_outputs(s, y[0], &error);
        if (status == DRY_OK) status = dry_stepper_phases(s, &phase, &error);
        if (status == DRY_OK && size > 0) status = dry_stepper_restore(s, bytes, size, &error);
        const long after = allocations;
        is_ok(status, &error);
        near_case((double)after, (double)before, 0.0, "%s", each_method(m)->name);
        free(bytes);
        dry_stepper_free(s);
    }
}

static alignas(max_align_t) unsigned char room[1 << 16];

static void memory_of_the_caller_is_enough(void **state) {
    (void)state;
    for (int m = 0; m < dry_method_count(); m++) {
        const dry_run_options run = {
            .method = dry_method_at(m), .step = 0x1p-10, .until = 1.0, .rtol = 1e-9};
        const size_t size = dry_stepper_size(&plant, &run);
        double y[ROWS][N_OUTPUTS], x[ROWS][N_STATES], heap_x[ROWS][N_STATES];
        dry_stepper *heap = begin(dry_method_at(m)), *s = NULL;
        between(size, 1, sizeof room - 1);
        memset(room, 0xa5, sizeof room);
        assert_int_equal(dry_stepper_init(room, size - 1, &plant, &run, &s, &error), DRY_NO_MEMORY);
        assert_null(s);
        assert_int_equal(dry_stepper_init(room + 1, size, &plant, &run, &s, &error),
                         DRY_BAD_ARGUMENT);
        is_ok(dry_stepper_init(room, size, &plant, &run, &s, &error), &error);
        drive(s, 0, ROWS, y, x), drive(heap, 0, ROWS, y, heap_x);
        all_same_bits(ROWS * N_STATES, x[0], heap_x[0]);
        for (size_t i = size; i < sizeof room; i++) assert_int_equal(room[i], 0xa5);
        dry_stepper_free(heap);
    }
}

static void methods_of_the_heap_refuse_other_memory(void **state) {
    (void)state;
    const dry_run_options run = {.method = dry_stiff_method_find("rodas4")};
    dry_stepper *s = NULL;
    assert_int_equal(dry_stepper_size(&plant, &run), 0);
    assert_int_equal(dry_stepper_init(room, sizeof room, &plant, &run, &s, &error),
                     DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "dry_stepper_new"));
    assert_null(s);
}

/* ---- threads -------------------------------------------------------------------------- */

enum { THREADS = 4 };
typedef struct job {
    const dry_system *system;
    double x[N_STATES];
} job;

static void *drive_alone(void *data) {
    job *of = data;
    const dry_run_options run = {.method = dry_method_find("dopri5"), .until = 1.0};
    dry_stepper *s = NULL;
    if (dry_stepper_new(of->system, &run, &s, NULL) != DRY_OK) return NULL;
    for (int k = 0; k < ROWS; k++) {
        dry_stepper_set_input(s, 0, input_of(k), NULL);
        dry_stepper_advance(s, (k + 1) * INTERVAL, NULL);
    }
    memcpy(of->x, dry_stepper_states(s), sizeof of->x);
    dry_stepper_free(s);
    return of;
}

static void threads_share_a_system(void **state) {
    (void)state;
    job alone = {.system = &plant}, jobs[THREADS];
    pthread_t threads[THREADS];
    assert_non_null(drive_alone(&alone));
    unequal(alone.x[P], 0.0);
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.system = &plant};
        assert_int_equal(pthread_create(&threads[i], NULL, drive_alone, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *back = NULL;
        pthread_join(threads[i], &back);
        assert_non_null(back);
        all_same_bits(N_STATES, jobs[i].x, alone.x);
    }
}

/* ---- contacts ------------------------------------------------------------------------- */

/* p'' = -g + N, N in dio(p - h): a ball on a floor at the height h, an input. */
static void ball_eval(const dry_env *env, double t, const double *x, const double *lambda,
                      const dry_inclusion_values *out) {
    (void)t;
    out->rate[0] = lambda[0] - env->par[0];
    out->rate[1] = x[0];
    out->rate[2] = 0.0;
    out->slide[0] = x[0];
    out->gap[0] = x[1] - x[2];
    out->push[0] = 1.0;
    out->feel[0] = 1.0;
}
static void ball_output(const dry_env *env, double t, const double *x, const double *lambda,
                        double *y) {
    (void)env, (void)t, (void)x;
    y[0] = lambda[0];
}
static void ball_start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[0] = 0.0, x[1] = x[2] = 1.0;
}

static void a_closed_contact_stays_closed(void **state) {
    static const dry_quantity states[] = {{"v", "m/s"}, {"p", "m"}, {"h", "m"}},
                              params[] = {{"g", "m/s^2"}}, outputs[] = {{"N", "N/kg"}};
    static const double par[] = {10.0};
    static const int inputs[] = {2}, zero[] = {0};
    static const bool is_velocity[] = {true, false, false};
    (void)state;
    const dry_system system = {.name = "ball",
                               .n_states = 3,
                               .n_par = 1,
                               .n_outputs = 1,
                               .n_inputs = 1,
                               .inputs = inputs,
                               .states = states,
                               .outputs = outputs,
                               .params = params,
                               .par = par,
                               .start = ball_start};
    const dry_inclusion_set floor_set = {
        .name = "N", .set = dry_set_find("dio"), .dim = 1, .restitution = 0.5};
    const dry_inclusion ball = {.system = &system,
                                .n_states = 3,
                                .n_sets = 1,
                                .n_forces = 1,
                                .sets = &floor_set,
                                .is_velocity = is_velocity,
                                .n_push = 1,
                                .n_feel = 1,
                                .push_state = zero,
                                .push_force = zero,
                                .feel_force = zero,
                                .feel_state = zero,
                                .steady = true,
                                .eval = ball_eval,
                                .output = ball_output};
    const dry_run_options run = {.step = 1e-3};
    dry_stepper *s = NULL;
    double N;
    is_ok(dry_stepper_new_inclusion(&ball, &run, &s, &error), &error);
    for (int k = 1; k <= 100; k++) {
        set_par(s, "g", 10.0 + 0.01 * k);
        go(s, k * 1e-3);
        is_ok(dry_stepper_outputs(s, &N, &error), &error);
        near(N, 10.0 + 0.01 * k, 1e-12);
        equal(dry_stepper_states(s)[1], 1.0);
    }
    set_par(s, "g", 10.0);
    set(s, 0.0); /* the floor is gone: it falls 0.2 m in 0.2 s */
    go(s, 0.3);
    near(dry_stepper_states(s)[1], 0.8, 1e-9);
    dry_stepper_free(s);
}

/* ---- what is refused -------------------------------------------------------------------- */

static void rate_that_ends(const dry_env *env, double t, double tau, const double *x,
                           double *x_dot) {
    (void)env, (void)tau, (void)x;
    x_dot[0] = 1.0 / (t < 0.5 ? 1.0 : 0.0);
}

static void a_failed_step_tells_when_and_what_to_do(void **state) {
    static const dry_quantity states[] = {{"x", "m"}};
    (void)state;
    const dry_system system = {
        .name = "ends", .n_states = 1, .states = states, .rate = rate_that_ends};
    for (int m = 0; m < dry_method_count() + 1; m++) {
        const dry_run_options run = {.method = each_method(m), .step = 1.0 / 64};
        dry_stepper *s = NULL;
        is_ok(dry_stepper_new(&system, &run, &s, &error), &error);
        assert_int_not_equal(dry_stepper_advance(s, 1.0, &error), DRY_OK);
        assert_non_null(strstr(error.text, "t = 0."));
        assert_non_null(strstr(error.text, ": "));
        at_most(dry_stepper_time(s), 0.5);
        at_least(dry_stepper_time(s), 0.4);
        is_finite(dry_stepper_states(s)[0]);
        dry_stepper_free(s);
    }
}

static void wrong_options_are_refused(void **state) {
    (void)state;
    dry_stepper *s = NULL;
    dry_run_options run = {.method = dry_method_find("rk4")};
    assert_int_equal(dry_stepper_new(&plant, &run, &s, &error), DRY_BAD_ARGUMENT); /* no step */
    assert_non_null(strstr(error.text, "step"));
    run = (dry_run_options){.method = dry_method_missing(), .step = 1e-3};
    assert_int_equal(dry_stepper_new(&plant, &run, &s, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_size(&plant, &run), 0);
    run.method = dry_rigid_method_find("rigid");
    assert_int_equal(dry_stepper_new(&plant, &run, &s, &error), DRY_BAD_ARGUMENT);
    const dry_inclusion inclusion = plant_inclusion();
    run.method = dry_method_find("rk4");
    assert_int_equal(dry_stepper_new_inclusion(&inclusion, &run, &s, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_new_inclusion(&inclusion, NULL, &s, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_new(NULL, &run, &s, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_new_inclusion(NULL, &run, &s, &error), DRY_BAD_ARGUMENT);
    assert_null(s);
}

static void wrong_values_are_refused(void **state) {
    (void)state;
    dry_stepper *s = begin(dry_method_find("rk4"));
    const double x0[N_STATES] = {0.0, (double)NAN, 0.0, 0.0};
    assert_int_equal(dry_stepper_set_input(s, -1, 0.0, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_input(s, 1, 0.0, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_inputs(s, NULL, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_par(s, dry_stepper_par_find(s, "h"), 0.0, &error),
                     DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_par(s, N_PAR, 0.0, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_par(s, GAIN, (double)NAN, &error), DRY_BAD_ARGUMENT);
    same_text(error.key, "g");
    assert_int_equal(dry_stepper_set_par_named(s, "h", 0.0, &error), DRY_BAD_ARGUMENT);
    same_text(error.key, "h");
    assert_int_equal(dry_stepper_set_par_named(s, NULL, 0.0, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_all_par(s, NULL, &error), DRY_BAD_ARGUMENT);
    go(s, 0.5);
    assert_int_equal(dry_stepper_advance(s, 0.4, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_advance(s, (double)NAN, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_reset(s, 1e300, NULL, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_reset(s, 0.0, x0, &error), DRY_NOT_FINITE);
    assert_non_null(strstr(error.text, "p is not a finite number"));
    assert_int_equal(dry_stepper_outputs(s, NULL, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_phases(s, NULL, &error), DRY_BAD_ARGUMENT);
    equal(dry_stepper_time(s), 0.5);
    dry_stepper_free(s);
}

static void no_stepper_is_refused(void **state) {
    (void)state;
    double y[N_OUTPUTS];
    unsigned char phase;
    const dry_stepper_rows rows = {.rows = 1, .interval = 1.0};
    assert_int_equal(dry_stepper_advance(NULL, 1.0, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_step(NULL, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_run(NULL, &rows, NULL, NULL), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_input(NULL, 0, 0.0, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_inputs(NULL, y, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_par(NULL, 0, 0.0, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_par_named(NULL, "g", 0.0, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_set_all_par(NULL, y, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_reset(NULL, 0.0, NULL, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_outputs(NULL, y, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_phases(NULL, &phase, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_save(NULL, y, sizeof y, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_restore(NULL, y, sizeof y, &error), DRY_BAD_ARGUMENT);
    assert_int_equal(dry_stepper_save_size(NULL), 0);
    assert_int_equal(dry_stepper_par_find(NULL, "g"), -1);
    assert_int_equal(dry_stepper_input_find(NULL, "u"), -1);
    assert_null(dry_stepper_states(NULL));
    assert_null(dry_stepper_par(NULL));
    assert_null(dry_stepper_inputs(NULL));
    assert_null(dry_stepper_system(NULL));
    is_nan(dry_stepper_time(NULL));
    assert_int_equal(dry_stepper_size(NULL, NULL), 0);
    dry_stepper_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stairs_of_inputs_and_parameters_add_up),
        cmocka_unit_test(friction_stops_what_is_let_go),
        cmocka_unit_test(what_is_set_waits_for_the_next_step),
        cmocka_unit_test(the_same_value_changes_nothing),
        cmocka_unit_test(a_parameter_of_a_model_changes_between_steps),
        cmocka_unit_test(all_parameters_at_once),
        cmocka_unit_test(a_reset_begins_anew),
        cmocka_unit_test(one_step_ends_on_the_grid),
        cmocka_unit_test(no_point_of_the_grid_is_lost),
        cmocka_unit_test(one_adaptive_step_is_bounded),
        cmocka_unit_test(rows_are_single_steps),
        cmocka_unit_test(rows_stop_at_an_error),
        cmocka_unit_test(a_restored_stepper_goes_on_to_the_bit),
        cmocka_unit_test(models_with_contacts_and_samples_go_on_to_the_bit),
        cmocka_unit_test(another_stepper_takes_over),
        cmocka_unit_test(other_bytes_are_refused),
        TEST_IF(dry_stiff_has_cvode(), cvode_says_that_it_cannot_be_saved),
        TEST_IF(COUNTING, no_allocation_after_the_beginning),
        cmocka_unit_test(memory_of_the_caller_is_enough),
        cmocka_unit_test(methods_of_the_heap_refuse_other_memory),
        cmocka_unit_test(threads_share_a_system),
        cmocka_unit_test(a_closed_contact_stays_closed),
        cmocka_unit_test(a_failed_step_tells_when_and_what_to_do),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(no_stepper_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
