/* FMUs of equations in a host: co-simulation gives the bits of a run, model exchange by the host's
 * Runge-Kutta those of co-simulation, derivatives agree with differences. */
#include "host.h"

#include "listed.h"

#define MODELS DRY_SOURCE_DIR "/models/"
#define TESTS DRY_SOURCE_DIR "/tests/"

static const dry_model_options plain_options;

typedef struct subject {
    const char *path, *method;
    double step;
    int every, rows; /* steps from one comparison to the next; comparisons */
} subject;

static dry_model_options options_of(const subject *s) {
    dry_model_options options = plain_options;
    if (s->method) options.run.method = dry_model_method_find(s->method);
    options.force = true;
    options.run.step = s->step;
    return options;
}

/* The record of a run with rows `every` steps apart. */
static dry_record *run(const dry_model *model, int every) {
    dry_sim_options how = {0};
    dry_sim_result result = {0};
    dry_error error = {0};
    is_ok(dry_model_plan(model, &how.run, &error), &error);
    how.run = dry_model_run(model);
    dry_model_plan(model, &how.run, NULL);
    how.run.record = every * how.run.step;
    const dry_inclusion *inclusion = dry_model_inclusion(model);
    is_ok(inclusion ? dry_sim_run_inclusion(inclusion, &how, &result, &error)
                    : dry_sim_run(dry_model_system(model), &how, &result, &error),
          &error);
    return result.record;
}

/* Every column of the record that is a variable of the FMU. */
static void compare_row(host *h, const dry_record *record, size_t row) {
    for (int i = 1; i < dry_record_columns(record); i++) {
        char key[128];
        const char *name = dry_record_quantity(record, i).name;
        snprintf(key, sizeof key, " name=\"%s\" ", name);
        if (!strstr(h->description, key)) continue;
        const double value = get_named(h, name), there = dry_record_values(record, i)[row];
        if (!alike(value, there))
            fail_msg("FMI %d.0, kind %d: %s, row %zu, t = %g: %.17g, run: %.17g", h->version,
                     h->kind, name, row, dry_record_values(record, 0)[row], value, there);
    }
}

typedef struct against {
    host h;
    dry_record *record;
    double step;
} against;

static void step_like_a_run(against *a, const subject *s) {
    const double H = s->every * a->step;
    start(&a->h, STEPS);
    compare_row(&a->h, a->record, 0);
    for (int k = 0; k < s->rows && (size_t)k + 1 < dry_record_rows(a->record); k++) {
        outcome o;
        fine(&a->h, do_step(&a->h, k * H, H, &o));
        equal(o.reached, k * H + H);
        compare_row(&a->h, a->record, (size_t)k + 1);
    }
    free_instance(&a->h);
}

static void exchange_like_a_run(against *a, const subject *s) {
    double t = 0.0;
    start(&a->h, EXCHANGE);
    for (long k = 0; k < (long)s->rows * s->every; k++) {
        const size_t row = (size_t)((k + 1) / s->every);
        if (row >= dry_record_rows(a->record)) break;
        exchange_step(&a->h, &t, k, a->step);
        if ((k + 1) % s->every == 0) compare_row(&a->h, a->record, row);
    }
    assert_int_equal(a->h.logged, 0);
    free_instance(&a->h);
}

static void both_like_a_run(const subject *s, bool exchanges) {
    const dry_model_options options = options_of(s);
    dry_model *model = compile(s->path, &options);
    against a = {.record = run(model, s->every)};
    dry_run_options planned = dry_model_run(model);
    dry_model_plan(model, &planned, NULL);
    a.step = planned.step;
    for (int version = 2; version <= 3; version++) {
        a.h = open_fmu(model, &options, version);
        assert_int_equal(strstr(a.h.description, "<ModelExchange model") != NULL, exchanges);
        step_like_a_run(&a, s);
        if (exchanges) exchange_like_a_run(&a, s);
        close_fmu(&a.h);
    }
    dry_record_free(a.record);
    dry_model_free(model);
}

/* To the bit, by co-simulation and by model exchange with the host's Runge-Kutta method. */
static void equations_step_like_a_run(void **state) {
    static const subject all[] = {
        {MODELS "papers/xiong2013/fig03-drift.dry", NULL, 0.0, 5, 1000},
        {MODELS "papers/xiong2013/fig09-conveyor.dry", "rk4", 2e-5, 50, 150},
        {TESTS "fmu/pid.dry", NULL, 0.0, 10, 1000},
        {TESTS "lang/features/breaks.dry", "rk4", 0.0, 3, 100},
        {TESTS "lang/features/delays.dry", NULL, 0.0, 1, 300},
        {TESTS "lang/features/samples.dry", NULL, 0.0, 10, 45},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) both_like_a_run(&all[i], true);
}

static void parts_step_like_a_run(void **state) {
    static const subject all[] = {
        {MODELS "classics/door.dry", NULL, 0.0, 20, 300},
        {TESTS "lang/features/parts-arm.dry", "rk4", 0.0, 1, 100},
        {TESTS "lang/features/parts-friction.dry", "rk4", 0.0, 1, 60},
        {MODELS "robots/six-axis.dry", "rk4", 1e-3, 10, 30},
        {TESTS "lang/features/backlash.dry", NULL, 0.0, 10, 60}, /* without `method` */
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (can_be_read(all[i].path)) both_like_a_run(&all[i], true);
}

/* Methods that need their own steps: co-simulation alone. */
static void other_methods_step_like_a_run(void **state) {
    static const subject all[] = {
        {TESTS "lang/features/friction-given.dry", "rk4-tau", 1e-3, 2, 50},
        {TESTS "lang/features/friction-given.dry", "semi-implicit", 1e-3, 2, 50},
        {TESTS "lang/features/friction-given.dry", "rigid", 1e-3, 2, 50},
    };
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) both_like_a_run(&all[i], false);
}

/* Steps of its own choice end where the importer wants to know something, so the bits are others.
 */
static void adaptive_methods_keep_their_tolerance(void **state) {
    static const subject s = {TESTS "lang/features/friction-given.dry", "rodas4", 1e-3, 2, 50};
    const dry_model_options options = options_of(&s);
    (void)state;
    dry_model *model = compile(s.path, &options);
    dry_record *record = run(model, s.every);
    host h = open_fmu(model, &options, 3);
    const double *p = dry_record_values(record, dry_record_find(record, "p"));
    start(&h, STEPS);
    for (int k = 0; k < s.rows; k++) {
        outcome o;
        fine(&h, do_step(&h, 2e-3 * k, 2e-3, &o));
        near(get_named(&h, "p"), p[k + 1], 1e-8);
    }
    close_fmu(&h);
    dry_record_free(record);
    dry_model_free(model);
}

/* A fixed parameter that is set before the start: the library compiles the text anew, and steps as
 * the model with that setting does. A state that is kept goes on with the same
 * bits. */
static void parameters_of_parts_are_set_before_the_start(void **state) {
    static const dry_setting heavy = {.name = "m", .text = "25"};
    static const subject s = {MODELS "classics/door.dry", NULL, 0.0, 20, 60};
    dry_model_options options = plain_options;
    (void)state;
    dry_model *model = compile(s.path, &options);
    host h = open_fmu(model, &options, 2);
    dry_model_free(model);
    options.settings = &heavy;
    options.n_settings = 1;
    model = compile(s.path, &options);
    dry_record *record = run(model, s.every);
    size_t size = 0;
    void *kept = NULL;
    instantiate(&h, STEPS, h.token, "test", false);
    assert_int_equal(set_named(&h, "m", -1.0), OK); /* the compiler says so at the start */
    fine(&h, enter_initialization(&h));
    assert_int_equal(plain(&h, "ExitInitializationMode"), ERROR);
    fine(&h, set_named(&h, "m", 25.0));
    initialize(&h);
    for (int k = 0; k < s.rows; k++) {
        outcome o;
        if (k == 30) {
            fine(&h, CALL(&h, "GetFMUstate", void *, void **)(h.fmu, &kept));
            fine(&h,
                 CALL(&h, "SerializedFMUstateSize", void *, void *, size_t *)(h.fmu, kept, &size));
        }
        fine(&h, do_step(&h, 0.02 * k, 0.02, &o));
        compare_row(&h, record, (size_t)k + 1);
    }
    assert_int_equal(set_named(&h, "m", 20.0), ERROR);
    fine(&h, CALL(&h, "SetFMUstate", void *, void *)(h.fmu, kept));
    for (int k = 30; k < s.rows; k++) {
        outcome o;
        fine(&h, do_step(&h, 0.02 * k, 0.02, &o));
        compare_row(&h, record, (size_t)k + 1);
    }
    above(size, 1000);
    free_instance(&h); /* another instance, that has neither these parameters nor begun */
    instantiate(&h, STEPS, h.token, "other", false);
    fine(&h, CALL(&h, "SetFMUstate", void *, void *)(h.fmu, kept));
    equal(get_named(&h, "m"), 25.0);
    for (int k = 30; k < s.rows; k++) {
        outcome o;
        fine(&h, do_step(&h, 0.02 * k, 0.02, &o));
        compare_row(&h, record, (size_t)k + 1);
    }
    fine(&h, CALL(&h, "FreeFMUstate", void *, void **)(h.fmu, &kept));
    close_fmu(&h);
    dry_record_free(record);
    dry_model_free(model);
}

/* u = 7, p = 0.5 and g = 4 are set in initialization mode. The samples of t = 0 see them: e = u -
 * p, I = 5 + g T e, and the past of the delay is u - p. In (0, T) p' = e. The sample at T sees p =
 * 0.5 + T e. */
static void check_first_samples(host *h) {
    const double T = 0.01, g = 4.0, e = 7.0 - 0.5, later = 7.0 - (0.5 + T * e);
    near(get_named(h, "e"), e, 0.0);
    near(get_named(h, "I"), 5.0 + g * T * e, 1e-15);
    near(get_named(h, "late"), e, 0.0);
    double t = 0.0;
    for (int k = 0; k < 10; k++) {
        outcome o;
        if (h->kind == STEPS)
            fine(h, do_step(h, 1e-3 * k, 1e-3, &o));
        else
            exchange_step(h, &t, k, 1e-3);
        if (k == 2) near(get_named(h, "late"), e, 0.0);
        if (k == 4) near(get_named(h, "p"), 0.5 + 0.005 * e, 1e-15);
    }
    near(get_named(h, "e"), later, 1e-14);
    near(get_named(h, "I"), 5.0 + g * T * (e + later), 1e-14);
}

static void begin_at_set_values(const char *path, const char *method, bool exchanges) {
    const subject s = {path, method, 0.0, 1, 1};
    const dry_model_options options = options_of(&s);
    dry_model *model = compile(path, &options);
    for (int version = 2; version <= 3; version++) {
        host h = open_fmu(model, &options, version);
        for (int kind = exchanges ? EXCHANGE : STEPS; kind <= STEPS; kind++) {
            instantiate(&h, kind, h.token, "test", false);
            fine(&h, set_named(&h, "g", 4.0));
            fine(&h, enter_initialization(&h));
            fine(&h, set_named(&h, "u", 7.0));
            near(get_named(&h, "e"), 7.0 - 1.0, 0.0);
            fine(&h, set_named(&h, "p", 0.5));
            near(get_named(&h, "e"), 7.0 - 0.5, 0.0);
            initialize(&h);
            check_first_samples(&h);
            free_instance(&h);
        }
        close_fmu(&h);
    }
    dry_model_free(model);
}

static void first_samples_see_what_is_set(void **state) {
    (void)state;
    begin_at_set_values(TESTS "fmu/first.dry", NULL, true);
    begin_at_set_values(TESTS "fmu/first.dry", "rk4-tau", false);
    begin_at_set_values(TESTS "fmu/first-parts.dry", NULL, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_step_like_a_run),
        cmocka_unit_test(parts_step_like_a_run),
        cmocka_unit_test(other_methods_step_like_a_run),
        cmocka_unit_test(adaptive_methods_keep_their_tolerance),
        cmocka_unit_test(first_samples_see_what_is_set),
        cmocka_unit_test(parameters_of_parts_are_set_before_the_start),
    };
    return cmocka_run_group_tests(tests, make_room, remove_room);
}
