/* The calls of an importer: derivatives against differences, states that are kept and restored,
 * wrong calls, random calls, and the ends that a model gives its run. */
#include "host.h"

static const char plant[] =
    "model plant \"<a> & 'c'\"\n"
    "param M = 2 [kg], k = 30 [N/m] in 1..1e3, top = 0.4 [m], n = 2, T = 0.1 [s]\n"
    "state p = 0.1 [m], v = 0 [m/s], q[n] = 0.2\n"
    "input push = 1 [N]\n"
    "f in 0.3 [N]*sgn(v) with K = 4e3 [N/m], beta = 2 [ms]\n"
    "load = k*p + 0.2 [N]*sin(p/(0.1 [m]))*q[1]\n"
    "p' = v\n"
    "M*v' = push - load - f\n"
    "q' = [q[2], -q[1]*cos(1 [rad/s]*t) + 0.01*mod(t, T)/T]*1 [1/s]\n"
    "stop when p > top as \"it is at the top\"\n"
    "run until = 2 [s], step = 1 [ms], method = rk4\n";

static dry_model *compile_plant(const char *text) {
    const dry_model_options options = {.force = true};
    dry_model *model = dry_model_compile("plant.dry", text, strlen(text), &options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model) && !dry_model_ok(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    return model;
}

static host open_plant(int version) {
    dry_model *model = compile_plant(plant);
    host h = open_fmu(model, NULL, version);
    dry_model_free(model);
    return h;
}

/* ---- derivatives --------------------------------------------------------------------------------
 */

static int direct(host *h, const unsigned *unknown, size_t n_unknown, const unsigned *known,
                  size_t n_known, const double *seed, double *value) {
    if (h->version == 2)
        return CALL(h, "GetDirectionalDerivative", void *, const unsigned *, size_t,
                    const unsigned *, size_t, const double *,
                    double *)(h->fmu, unknown, n_unknown, known, n_known, seed, value);
    return CALL(h, "GetDirectionalDerivative", void *, const unsigned *, size_t, const unsigned *,
                size_t, const double *, size_t, double *, size_t)(
        h->fmu, unknown, n_unknown, known, n_known, seed, n_known, value, n_unknown);
}

static int adjoin(host *h, const unsigned *unknown, size_t n_unknown, const unsigned *known,
                  size_t n_known, const double *seed, double *value) {
    return CALL(h, "GetAdjointDerivative", void *, const unsigned *, size_t, const unsigned *,
                size_t, const double *, size_t, double *, size_t)(
        h->fmu, unknown, n_unknown, known, n_known, seed, n_unknown, value, n_known);
}

static const char *const unknowns[] = {"der(p)",    "der(v)", "der(f.a)", "der(q[1])",
                                       "der(q[2])", "f",      "load",     "p"};
static const char *const knowns[] = {"p", "v", "f.a", "q[1]", "q[2]", "push"};
enum { N_UNKNOWN = 8, N_KNOWN = 6, N_STATES = 5 };

/* The unknowns where `known` is moved by d. The states are in the order of `knowns`. */
static void moved(host *h, const double *x, int known, double d, const unsigned *vr, double *y) {
    double at[N_STATES];
    memcpy(at, x, sizeof at);
    if (known < N_STATES) at[known] += d;
    fine(h, set_states(h, at));
    if (known == N_STATES) fine(h, set_named(h, "push", 1.0 + d));
    fine(h, get(h, vr, N_UNKNOWN, y));
    if (known == N_STATES) fine(h, set_named(h, "push", 1.0));
    fine(h, set_states(h, x));
}

static void find_references(const host *h, unsigned *unknown, unsigned *known) {
    for (int i = 0; i < N_UNKNOWN; i++) unknown[i] = reference(h, unknowns[i]);
    for (int i = 0; i < N_KNOWN; i++) known[i] = reference(h, knowns[i]);
}

/* The order of continuous states is that of their derivatives in the structure. */
static void states_in_order(host *h, double *x) {
    const double wanted[N_STATES] = {0.13, 0.02, 1e-5, 0.3, -0.7};
    const unsigned first = reference(h, "p");
    for (int i = 0; i < N_STATES; i++) {
        const unsigned vr = reference(h, knowns[i]);
        assert_in_range(vr - first, 0, N_STATES - 1);
        x[vr - first] = wanted[i];
    }
}

static void derivatives_are_those_of_differences(void **state) {
    unsigned unknown[N_UNKNOWN], known[N_KNOWN];
    double x[N_STATES], a[N_UNKNOWN], b[N_UNKNOWN], d[N_UNKNOWN];
    (void)state;
    for (int version = 2; version <= 3; version++) {
        host h = open_plant(version);
        start(&h, EXCHANGE);
        find_references(&h, unknown, known);
        states_in_order(&h, x);
        fine(&h, set_time(&h, 0.25));
        for (int k = 0; k < N_KNOWN; k++) {
            const double seed = 1.5, step = k == 2 ? 1e-9 : 1e-5;
            const int place = k < N_STATES ? (int)(known[k] - reference(&h, "p")) : N_STATES;
            fine(&h, set_states(&h, x));
            fine(&h, direct(&h, unknown, N_UNKNOWN, &known[k], 1, &seed, d));
            moved(&h, x, place, -step, unknown, a);
            moved(&h, x, place, step, unknown, b);
            for (int i = 0; i < N_UNKNOWN; i++)
                near_case(d[i], seed * (b[i] - a[i]) / (2.0 * step), 1e-5 * (1.0 + fabs(d[i])),
                          "%s by %s", unknowns[i], knowns[k]);
        }
        close_fmu(&h);
    }
}

/* u'(J s) = (J'u)'s for any u and s. */
static void adjoints_agree_with_directions(void **state) {
    unsigned unknown[N_UNKNOWN], known[N_KNOWN];
    double x[N_STATES], d[N_UNKNOWN], w[N_KNOWN], u[N_UNKNOWN], s[N_KNOWN], left = 0.0, right = 0.0;
    (void)state;
    host h = open_plant(3);
    start(&h, EXCHANGE);
    find_references(&h, unknown, known);
    states_in_order(&h, x);
    fine(&h, set_states(&h, x));
    for (int i = 0; i < N_UNKNOWN; i++) u[i] = cos(1.0 + i);
    for (int k = 0; k < N_KNOWN; k++) s[k] = sin(2.0 + k);
    fine(&h, direct(&h, unknown, N_UNKNOWN, known, N_KNOWN, s, d));
    fine(&h, adjoin(&h, unknown, N_UNKNOWN, known, N_KNOWN, u, w));
    for (int i = 0; i < N_UNKNOWN; i++) left += u[i] * d[i];
    for (int k = 0; k < N_KNOWN; k++) right += w[k] * s[k];
    near_share(left, right, 1e-13);
    unequal(left, 0.0);
    close_fmu(&h);
}

/* ---- the end of a run
 * ------------------------------------------------------------------------------ */

/* Pushed by 100 N against 30 N/m: the top is reached soon. */
static void a_stop_terminates(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        host h = open_plant(version);
        outcome o = {0};
        double t = 0.0;
        int status = OK;
        start(&h, STEPS);
        fine(&h, set_named(&h, "push", 100.0));
        for (int k = 0; k < 100 && !o.terminated; k++) status = do_step(&h, 0.01 * k, 0.01, &o);
        assert_true(o.terminated);
        assert_int_equal(status, version == 2 ? DISCARD : OK);
        near(get_named(&h, "p"), 0.4, 1e-12);
        between(o.reached, 0.1, 0.2);
        free_instance(&h);
        start(&h, EXCHANGE);
        fine(&h, set_named(&h, "push", 100.0));
        for (long k = 0; k < 1000 && !h.stopped; k++) exchange_step(&h, &t, k, 1e-3);
        assert_true(h.stopped);
        near(t, o.reached, 1e-3);
        close_fmu(&h);
    }
}

static void values_that_are_not_finite_are_discarded(void **state) {
    static const char text[] = "state x = 1\nx' = x*x*1 [1/s]\nrun until = 2 [s], step = 1 [ms]\n";
    (void)state;
    for (int version = 2; version <= 3; version++) {
        dry_model *model = compile_plant(text);
        host h = open_fmu(model, NULL, version);
        outcome o;
        double x = 1e200, rate = 0.0;
        int status = OK;
        start(&h, STEPS); /* 1/(1 - t) */
        for (int k = 0; k < 20 && status == OK; k++) status = do_step(&h, 0.1 * k, 0.1, &o);
        assert_int_equal(status, DISCARD);
        between(o.reached, 0.99, 1.05);
        free_instance(&h);
        start(&h, EXCHANGE);
        fine(&h, set_states(&h, &x));
        assert_int_equal(get_rates(&h, &rate), DISCARD);
        x = (double)NAN;
        assert_int_equal(set_states(&h, &x), DISCARD);
        close_fmu(&h);
        dry_model_free(model);
    }
}

/* A step of 0.1 s, with laws chosen for 1 ms: said once. */
static void a_step_that_is_too_long_is_said_once(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        host h = open_plant(version);
        bool event, terminate;
        start(&h, EXCHANGE);
        fine(&h, set_time(&h, 1e-3));
        fine(&h, complete(&h, &event, &terminate));
        assert_int_equal(h.logged, 0);
        fine(&h, set_time(&h, 0.1));
        assert_int_equal(complete(&h, &event, &terminate), WARNING);
        fine(&h, set_time(&h, 0.2));
        fine(&h, complete(&h, &event, &terminate));
        assert_int_equal(h.logged, 1);
        assert_non_null(strstr(h.log, "may become unstable"));
        close_fmu(&h);
    }
}

/* A block of 1 kg that is pushed by 0.3 N below its friction of 0.5 N rests at 0.3/K, and nothing
 * of its motion remains: by Euler's method with the longest steps that the description allows. A
 * spring without damping bears no step of Euler's method, so there the description speaks of the
 * method of the text alone. */
static void explicit_methods_are_stable_as_described(void **state) {
    static const char block[] = "param F = 0.5 [N], M = 1 [kg]\nstate p = 0 [m], v = 0 [m/s]\n"
                                "f in F*sgn(v) with K = 1e6 [N/m], beta = 2 [ms]\np' = v\n"
                                "M*v' = 0.3 [N] - f\n"
                                "run until = 2 [s], step = 0.2 [ms], method = rk4\n",
                      spring[] = "state x = 1 [m], v = 0 [m/s]\nx' = v\nv' = -4 [1/s^2]*x\n"
                                 "run until = 2 [s], step = 1 [ms], method = rk4\n";
    (void)state;
    for (int version = 2; version <= 3; version++) {
        dry_model *model = compile_plant(block);
        host h = open_fmu(model, NULL, version);
        const char *at = strstr(h.description, "largestStep=\"");
        assert_non_null(at);
        const double step = atof(at + strlen("largestStep=\""));
        double x[3], rate[3];
        bool event, terminate;
        above(step, 0.2e-3);
        assert_non_null(strstr(h.description, "explicit methods need steps of at most"));
        start(&h, EXCHANGE);
        fine(&h, get_states(&h, x));
        for (int k = 1; k <= 5000; k++) {
            fine(&h, rate_at(&h, (k - 1) * step, x, rate));
            for (int i = 0; i < 3; i++) x[i] += step * rate[i];
            fine(&h, set_time(&h, k * step));
            fine(&h, set_states(&h, x));
            fine(&h, complete(&h, &event, &terminate));
        }
        near(get_named(&h, "f"), 0.3, 1e-9);
        near(get_named(&h, "v"), 0.0, 1e-9);
        near(get_named(&h, "p"), 0.0, 1e-5);
        close_fmu(&h);
        dry_model_free(model);
        model = compile_plant(spring);
        h = open_fmu(model, NULL, version);
        assert_non_null(strstr(h.description, "largestStep=\"0.001\""));
        assert_non_null(strstr(h.description, "Runge-Kutta needs steps of at most 0.001 s, other"));
        close_fmu(&h);
        dry_model_free(model);
    }
}

/* ---- parameters and starts
 * ------------------------------------------------------------------------- */

static void parameters_and_starts_take_effect(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        host h = open_plant(version);
        outcome o;
        instantiate(&h, STEPS, h.token, "test", false);
        fine(&h, set_named(&h, "p", 0.2));
        fine(&h, enter_initialization(&h));
        fine(&h, set_named(&h, "k", 50.0));
        fine(&h, set_named(&h, "q[1]", 0.0));
        equal(get_named(&h, "load"), 50.0 * 0.2);
        fine(&h, set_named(&h, "push", 2.0));
        equal(get_named(&h, "der(v)"), (2.0 - 50.0 * 0.2) / 2.0);
        initialize(&h);
        fine(&h, do_step(&h, 0.0, 0.01, &o));
        below(get_named(&h, "v"), -0.03);
        fine(&h, set_named(&h, "k", 40.0)); /* tunable */
        assert_int_equal(set_named(&h, "k", 2e3), ERROR);
        assert_non_null(strstr(h.log, "range"));
        equal(get_named(&h, "k"), 40.0);
        assert_int_equal(set_named(&h, "p", 0.0), ERROR);
        fine(&h, plain(&h, "Reset"));
        fine(&h, enter_initialization(&h));
        equal(get_named(&h, "k"), 30.0);
        equal(get_named(&h, "p"), 0.1);
        close_fmu(&h);
    }
}

/* ---- save and restore
 * ------------------------------------------------------------------------------ */

static void go(host *h, int from, int to, double *x) {
    unsigned vr[4] = {reference(h, "p"), reference(h, "v"), reference(h, "f.a"),
                      reference(h, "time")};
    outcome o;
    for (int k = from; k < to; k++) {
        fine(h, set_named(h, "push", 1.0 + 4.0 * sin(0.3 * k)));
        fine(h, do_step(h, 0.01 * k, 0.01, &o));
    }
    fine(h, get(h, vr, 4, x));
}

static void what_is_saved_goes_on_to_the_bit(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        const char *const get_state = version == 2 ? "GetFMUstate" : "GetFMUState",
                          *const set_state = version == 2 ? "SetFMUstate" : "SetFMUState",
                          *const free_state = version == 2 ? "FreeFMUstate" : "FreeFMUState",
                          *const size_of =
                              version == 2 ? "SerializedFMUstateSize" : "SerializedFMUStateSize",
                          *const write = version == 2 ? "SerializeFMUstate" : "SerializeFMUState",
                          *const read =
                              version == 2 ? "DeSerializeFMUstate" : "DeserializeFMUState";
        host h = open_plant(version);
        double first[4], again[4], middle[4];
        void *kept = NULL, *other = NULL;
        size_t size = 0;
        start(&h, STEPS);
        go(&h, 0, 30, middle);
        fine(&h, CALL(&h, get_state, void *, void **)(h.fmu, &kept));
        fine(&h, CALL(&h, size_of, void *, void *, size_t *)(h.fmu, kept, &size));
        char *bytes = malloc(size);
        fine(&h, CALL(&h, write, void *, void *, char *, size_t)(h.fmu, kept, bytes, size));
        go(&h, 30, 60, first);
        fine(&h, CALL(&h, set_state, void *, void *)(h.fmu, kept));
        go(&h, 30, 60, again);
        all_same_bits(4, again, first);
        fine(&h, CALL(&h, free_state, void *, void **)(h.fmu, &kept));
        assert_null(kept);
        free_instance(&h);
        start(&h, STEPS); /* another instance */
        fine(&h, CALL(&h, read, void *, const char *, size_t, void **)(h.fmu, bytes, size, &other));
        fine(&h, CALL(&h, set_state, void *, void *)(h.fmu, other));
        go(&h, 30, 60, again);
        all_same_bits(4, again, first);
        fine(&h, CALL(&h, free_state, void *, void **)(h.fmu, &other));
        bytes[size / 2] ^= 1;
        const int status =
            CALL(&h, read, void *, const char *, size_t, void **)(h.fmu, bytes, size, &other);
        if (status == OK)
            assert_int_equal(CALL(&h, set_state, void *, void *)(h.fmu, other), ERROR);
        fine(&h, CALL(&h, free_state, void *, void **)(h.fmu, &other));
        assert_int_equal(CALL(&h, set_state, void *, void *)(h.fmu, NULL), ERROR);
        free(bytes);
        close_fmu(&h);
    }
}

/* ---- between the steps of co-simulation
 * --------------------------------------------------------------- */

static void updates_come_after_each_step_and_may_end_it(void **state) {
    (void)state;
    host h = open_plant(3);
    outcome o;
    instantiate(&h, STEPS, h.token, "test", true);
    fine(&h, enter_initialization(&h));
    initialize(&h);
    fine(&h, do_step(&h, 0.0, 0.01, &o));
    assert_int_equal(h.heard, 9); /* between ten steps */
    assert_false(o.early);
    h.early = 0.0145; /* the host asks at 0.015 to return at 0.0145, which has passed */
    fine(&h, do_step(&h, 0.01, 0.01, &o));
    assert_true(o.early);
    near(o.reached, 0.015, 1e-12);
    const double reached = get_named(&h, "p");
    h.early = (double)NAN;
    fine(&h, do_step(&h, 0.015, 0.005, &o));
    assert_false(o.early);
    equal(o.reached, 0.02);
    unequal(get_named(&h, "p"), reached);
    close_fmu(&h);
}

/* A variable that is read between steps must be one that has values there: an output, or a state.
 */
static void variables_between_steps_are_outputs_and_states(void **state) {
    static const char *const names[] = {"load", "p", "push", "k", "der(v)", "time"};
    (void)state;
    host h = open_plant(3);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const unsigned vr = reference(&h, names[i]);
        char folder[192];
        snprintf(folder, sizeof folder, "%s/resources/", h.folder);
        h.log[0] = '\0';
        h.fmu = ((void *(*)(const char *, const char *, const char *, bool, bool, bool, bool,
                            const unsigned *, size_t, void *,
                            void (*)(void *, int, const char *, const char *),
                            void (*)(void *, double, bool, bool, bool, bool, bool *,
                                     double *)))find_function(&h, "InstantiateCoSimulation"))(
            "test", h.token, folder, false, true, false, false, &vr, 1, &h, hear3, hear_step);
        if ((h.fmu != NULL) != (i < 2)) fail_msg("%s: %s", names[i], h.log);
        assert_int_equal(strstr(h.log, "intermediateUpdate") != NULL, i >= 2);
        free_instance(&h);
    }
    close_fmu(&h);
}

/* ---- wrong calls
 * --------------------------------------------------------------------------------------- */

#define wrong(h, call, word)                                                                       \
    do {                                                                                           \
        (h)->log[0] = '\0';                                                                        \
        assert_int_equal(call, ERROR);                                                             \
        if (!strstr((h)->log, word)) fail_msg("'%s' is not in '%s'", word, (h)->log);              \
    } while (0)

static int set_logging(host *h, bool on, size_t n, const char *const *category) {
    if (h->version == 2)
        return CALL(h, "SetDebugLogging", void *, int, size_t, const char *const *)(h->fmu, on, n,
                                                                                    category);
    return CALL(h, "SetDebugLogging", void *, bool, size_t, const char *const *)(h->fmu, on, n,
                                                                                 category);
}

/* A step of 0.1 s, with laws chosen for 1 ms, is a warning; that a mode is wrong is an error. */
static int warn_and_err(host *h) {
    bool event, terminate;
    const int before = h->logged;
    fine(h, set_time(h, 1e-3));
    fine(h, complete(h, &event, &terminate));
    fine(h, set_time(h, 0.1));
    assert_int_equal(complete(h, &event, &terminate), WARNING);
    assert_int_equal(plain(h, "ExitInitializationMode"), ERROR);
    return h->logged - before;
}

/* FMI 3.0: without loggingOn the callback must not be called; with categories those alone are
 * logged, as in FMI 2.0. */
static void nothing_is_logged_unless_asked_for(void **state) {
    static const char *const warnings[] = {"logStatusWarning"},
                             *const errors[] = {"logStatusError"},
                             *const wrong_one[] = {"logEvents"};
    (void)state;
    for (int version = 2; version <= 3; version++) {
        host h = open_plant(version);
        h.quiet = true;
        for (int kind = 0; kind < 2; kind++) {
            instantiate(&h, kind ? STEPS : EXCHANGE, "{0}", "test", false);
            assert_null(h.fmu);
        }
        start(&h, EXCHANGE);
        assert_int_equal(warn_and_err(&h), 0);
        assert_int_equal(set_logging(&h, false, 1, wrong_one), ERROR);
        assert_int_equal(h.logged, 0);
        free_instance(&h);
        start(&h, EXCHANGE);
        fine(&h, set_logging(&h, true, 1, warnings));
        assert_int_equal(warn_and_err(&h), 1);
        assert_non_null(strstr(h.log, "may become unstable"));
        free_instance(&h);
        start(&h, EXCHANGE);
        fine(&h, set_logging(&h, true, 0, NULL));
        assert_int_equal(warn_and_err(&h), 2);
        free_instance(&h);
        h.quiet = false;
        start(&h, EXCHANGE);
        fine(&h, set_logging(&h, true, 1, errors));
        assert_int_equal(warn_and_err(&h), 1);
        assert_non_null(strstr(h.log, "ExitInitializationMode"));
        free_instance(&h);
        start(&h, EXCHANGE);
        fine(&h, set_logging(&h, false, 1, errors));
        assert_int_equal(warn_and_err(&h), 0);
        close_fmu(&h);
    }
}

static void wrong_calls_are_refused_with_a_message(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        host h = open_plant(version);
        outcome o;
        double x[N_STATES + 1] = {0}, value = 0.0;
        const unsigned far = 4711;
        instantiate(&h, STEPS, "{00000000-0000-0000-0000-000000000000}", "test", false);
        assert_null(h.fmu);
        assert_non_null(strstr(h.log, "token"));
        instantiate(&h, STEPS, h.token, "", false);
        assert_null(h.fmu);
        assert_non_null(strstr(h.log, "name"));
        instantiate(&h, STEPS, h.token, "test", false);
        wrong(&h, do_step(&h, 0.0, 0.01, &o), "instantiated");
        wrong(&h, plain(&h, "ExitInitializationMode"), "instantiated");
        wrong(&h, get(&h, &far, 1, &value), version == 2 ? "instantiated" : "4711");
        value = 0.0;
        const unsigned rate = reference(&h, "der(v)"), top = reference(&h, "top");
        wrong(&h, get(&h, &rate, 1, &value), "instantiated");
        assert_int_equal(get(&h, &top, 1, &value), version == 2 ? ERROR : OK);
        equal(value, version == 2 ? 0.0 : 0.4);
        fine(&h, enter_initialization(&h));
        wrong(&h, plain(&h, "EnterInitializationMode") == OK ? OK : ERROR, "");
        wrong(&h, get(&h, &far, 1, &value), "4711");
        wrong(&h, set(&h, &far, 1, &value), "4711");
        wrong(&h, set_named(&h, "load", 1.0), "computes");
        wrong(&h, set_named(&h, "time", 1.0), "computes");
        wrong(&h, set_named(&h, "T", 0.2), "compiled");
        wrong(&h, set_named(&h, "k", 0.5), "range");
        assert_int_equal(set_named(&h, "push", (double)NAN), DISCARD);
        wrong(&h, get(&h, NULL, 1, &value), "NULL");
        initialize(&h);
        wrong(&h, do_step(&h, 0.5, 0.01, &o), "begins");
        wrong(&h, do_step(&h, 0.0, -0.01, &o), "positive");
        wrong(&h, do_step(&h, 0.0, (double)NAN, &o), "positive");
        wrong(&h, do_step(&h, 0.0, 1e300, &o), "shorter");
        wrong(&h, set_time(&h, 1.0), "co-simulation");
        wrong(&h, get_states(&h, x), "co-simulation");
        fine(&h, do_step(&h, 0.0, 0.01, &o)); /* nothing was harmed */
        fine(&h, plain(&h, "Terminate"));
        wrong(&h, do_step(&h, 0.01, 0.01, &o), "terminated");
        free_instance(&h);
        start(&h, EXCHANGE);
        wrong(&h, do_step(&h, 0.0, 0.01, &o), "model exchange");
        h.n++;
        wrong(&h, set_states(&h, x), "5 continuous states");
        wrong(&h, get_rates(&h, x), "5 continuous states");
        h.n--;
        fine(&h, plain(&h, "EnterEventMode"));
        wrong(&h, plain(&h, "EnterContinuousTimeMode"), "not updated");
        wrong(&h, set_states(&h, x), "event mode");
        void *const kept = h.fmu;
        h.fmu = NULL;
        assert_int_equal(get(&h, &far, 1, &value), ERROR);
        assert_int_equal(do_step(&h, 0.0, 0.01, &o), ERROR);
        assert_int_equal(set_time(&h, 0.0), ERROR);
        assert_int_equal(plain(&h, "Reset"), ERROR);
        free_instance(&h);
        h.fmu = kept;
        close_fmu(&h);
    }
}

/* ---- random calls
 * ------------------------------------------------------------------------------------- */

static uint64_t seed;
static unsigned draw(unsigned n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % n;
}
static double draw_number(void) {
    static const double odd[] = {0.0, 1e-3, -1.0, 1e300, 1.0, 0.02};
    const unsigned k = draw(10);
    return k < 6 ? odd[k] : k == 6 ? (double)NAN : k == 7 ? (double)INFINITY : 1e-3 * draw(1000);
}

enum { BYTES = 1 << 16, ROOM = MOST + 2 };

typedef struct tour {
    host *h;
    void *kept;
    char *bytes;
    size_t size;
} tour;

/* The time of an instance, if it can be read. */
static double now(host *h) {
    const unsigned vr = 0;
    double t = 0.0;
    return get(h, &vr, 1, &t) == OK ? t : draw_number();
}

/* One call of any function, with any arguments; its status. */
static int call_any(tour *w) {
    static const char *const simple[] = {"ExitInitializationMode", "EnterEventMode",
                                         "EnterContinuousTimeMode", "Terminate", "Reset"};
    host *h = w->h;
    const bool old = h->version == 2;
    unsigned vr[3] = {draw(40), draw(40), draw(40)};
    double x[ROOM] = {draw_number(), draw_number(), draw_number(), draw_number(), 0.1};
    bool yes, no;
    outcome o;
    int status = OK;
    const int n = h->n;
    switch (draw(16)) {
    case 0: return plain(h, simple[draw(5)]);
    case 1: return enter_initialization(h);
    case 2: return get(h, vr, draw(4), x);
    case 3: return set(h, vr, draw(4), x);
    case 4: return update(h, &yes);
    case 5: return complete(h, &yes, &no);
    case 6: return set_time(h, draw_number());
    case 7:
        h->n += (int)draw(20) == 0;
        status = set_states(h, x);
        break;
    case 8: status = get_rates(h, x); break;
    case 9: return do_step(h, now(h), draw_number(), &o);
    case 10: return direct(h, vr, draw(4), vr, draw(4), x, x + 3);
    case 11: return CALL(h, old ? "GetFMUstate" : "GetFMUState", void *, void **)(h->fmu, &w->kept);
    case 12: return CALL(h, old ? "SetFMUstate" : "SetFMUState", void *, void *)(h->fmu, w->kept);
    case 13:
        return CALL(h, old ? "FreeFMUstate" : "FreeFMUState", void *, void **)(h->fmu, &w->kept);
    case 14:
        w->bytes[draw(64)] ^= (char)(draw(50) == 0);
        return CALL(h, old ? "DeSerializeFMUstate" : "DeserializeFMUState", void *, const char *,
                    size_t, void **)(h->fmu, w->bytes, draw(4) ? w->size : draw(100), &w->kept);
    default: status = get_states(h, x); break;
    }
    h->n = n;
    return status;
}

static void save_bytes(tour *w) {
    host *h = w->h;
    const bool old = h->version == 2;
    void *kept = NULL;
    fine(h, CALL(h, old ? "GetFMUstate" : "GetFMUState", void *, void **)(h->fmu, &kept));
    fine(h, CALL(h, old ? "SerializedFMUstateSize" : "SerializedFMUStateSize", void *, void *,
                 size_t *)(h->fmu, kept, &w->size));
    assert_true(w->size <= BYTES);
    fine(h, CALL(h, old ? "SerializeFMUstate" : "SerializeFMUState", void *, void *, char *,
                 size_t)(h->fmu, kept, w->bytes, w->size));
    fine(h, CALL(h, old ? "FreeFMUstate" : "FreeFMUState", void *, void **)(h->fmu, &kept));
}

/* Every call answers by a status of the standard; what is refused is said; numbers that are given
 * are finite. */
static void call_at_random(host *h, int sequences) {
    enum { CALLS = 40 };
    tour w = {.h = h, .bytes = calloc(1, BYTES)};
    int answers[4] = {0};
    assert_non_null(w.bytes);
    for (int i = 0; i < sequences; i++) {
        seed = (uint64_t)i;
        instantiate(h, i % 2 ? STEPS : EXCHANGE, h->token, "test", false);
        assert_non_null(h->fmu);
        if (i == 0) save_bytes(&w);
        if (i % 4 > 1) {
            fine(h, enter_initialization(h));
            if (i % 8 > 3) initialize(h);
        }
        for (int k = 0; k < CALLS; k++) {
            const int before = h->logged, status = call_any(&w);
            assert_in_range(status, OK, ERROR);
            answers[status]++;
            if (status != OK && h->logged == before)
                fail_msg("sequence %d: status %d without a message", i, status);
        }
        (void)CALL(h, h->version == 2 ? "FreeFMUstate" : "FreeFMUState", void *, void **)(h->fmu,
                                                                                          &w.kept);
        free_instance(h);
    }
    for (int i = OK; i <= ERROR; i++) assert_true(answers[i] > 0);
    free(w.bytes);
}

static void random_calls_do_no_harm(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        host h = open_plant(version);
        call_at_random(&h, 5000);
        close_fmu(&h);
    }
}

/* The same of the library, which compiles the text for each instance. */
static void random_calls_of_parts_do_no_harm(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        dry_model *model = compile(DRY_SOURCE_DIR "/tests/fmu/first-parts.dry", NULL);
        host h = open_fmu(model, NULL, version);
        call_at_random(&h, 300);
        close_fmu(&h);
        dry_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(adjoints_agree_with_directions),
        cmocka_unit_test(a_stop_terminates),
        cmocka_unit_test(values_that_are_not_finite_are_discarded),
        cmocka_unit_test(a_step_that_is_too_long_is_said_once),
        cmocka_unit_test(explicit_methods_are_stable_as_described),
        cmocka_unit_test(parameters_and_starts_take_effect),
        cmocka_unit_test(what_is_saved_goes_on_to_the_bit),
        cmocka_unit_test(updates_come_after_each_step_and_may_end_it),
        cmocka_unit_test(variables_between_steps_are_outputs_and_states),
        cmocka_unit_test(nothing_is_logged_unless_asked_for),
        cmocka_unit_test(wrong_calls_are_refused_with_a_message),
        cmocka_unit_test(random_calls_do_no_harm),
        cmocka_unit_test(random_calls_of_parts_do_no_harm),
    };
    return cmocka_run_group_tests(tests, make_room, remove_room);
}
