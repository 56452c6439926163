/* The modelDescription.xml of FMUs against the rules of the standard: names and references, which
 * causality goes with which variability, which variables have a start, what is listed as unknown,
 * units, and what a number depends on. */
#include "host.h"

#define MODELS DRY_SOURCE_DIR "/models/"
#define TESTS DRY_SOURCE_DIR "/tests/"

/* ---- elements and attributes ---------------------------------------------------------------- */

enum { WORD = 160 };

/* The value of an attribute of the element that begins at `at`; false: it has none. */
static bool attribute(const char *at, const char *name, char value[WORD]) {
    const char *end = strchr(at, '>');
    char key[64];
    snprintf(key, sizeof key, " %s=\"", name);
    const char *found = strstr(at, key);
    value[0] = '\0';
    if (!found || found > end) return false;
    found += strlen(key);
    snprintf(value, WORD, "%.*s", (int)strcspn(found, "\""), found);
    return true;
}

typedef struct variable {
    char name[WORD], reference[WORD], causality[WORD], variability[WORD], initial[WORD];
    char unit[WORD], start[WORD], least[WORD], most[WORD], derivative[WORD], reset[WORD];
    bool between;
} variable;

typedef struct description {
    int version, n;
    const char *text;
    variable v[MOST];
} description;

/* FMI 2.0 has an element within the element, with the start and the unit. */
static void read_variables(const host *h, description *d) {
    const char *element = h->version == 2 ? "<ScalarVariable " : "<Float64 ";
    char word[WORD];
    *d = (description){.version = h->version, .text = h->description};
    for (const char *at = h->description; (at = strstr(at, element)); at++) {
        variable *v = &d->v[d->n++];
        assert_true(d->n < MOST);
        const char *inner = h->version == 2 ? strstr(at, "<Real") : at;
        assert_true(attribute(at, "name", v->name));
        assert_true(attribute(at, "valueReference", v->reference));
        assert_true(attribute(at, "causality", v->causality));
        assert_true(attribute(at, "variability", v->variability));
        attribute(at, "initial", v->initial);
        attribute(inner, "unit", v->unit);
        attribute(inner, "start", v->start);
        attribute(inner, "min", v->least);
        attribute(inner, "max", v->most);
        attribute(inner, "derivative", v->derivative);
        attribute(inner, "reinit", v->reset);
        v->between = attribute(at, "intermediateUpdate", word);
    }
    above(d->n, 1);
}

static int find_name(const description *d, const char *name) {
    for (int i = 0; i < d->n; i++)
        if (strcmp(d->v[i].name, name) == 0) return i;
    fail_msg("there is no variable %s", name);
    return -1;
}

/* The variable that a list of the structure names: by its number from 1, or by its reference. */
static int find_listed(const description *d, const char *word) {
    if (d->version == 2) return atoi(word) - 1;
    for (int i = 0; i < d->n; i++)
        if (strcmp(d->v[i].reference, word) == 0) return i;
    return -1;
}

/* The variables of one list, in its order. */
static int read_list(const description *d, const char *old, const char *new, int *listed) {
    char element[64], end[64], word[WORD];
    const char *at = d->text, *stop = d->text + strlen(d->text);
    int n = 0;
    if (d->version == 2) {
        snprintf(element, sizeof element, "    <%s>", old);
        snprintf(end, sizeof end, "    </%s>", old);
        at = strstr(at, element);
        if (!at) return 0;
        stop = strstr(at, end);
    }
    snprintf(element, sizeof element, "<%s ", d->version == 2 ? "Unknown" : new);
    for (; (at = strstr(at, element)) && at < stop; at++) {
        assert_true(attribute(at, d->version == 2 ? "index" : "valueReference", word));
        listed[n] = find_listed(d, word);
        assert_in_range(listed[n], 0, d->n - 1);
        n++;
        assert_true(n < MOST);
    }
    return n;
}

/* ---- the rules ------------------------------------------------------------------------------ */

static void names_are_unique(const description *d) {
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(d->v[i].name, d->v[j].name);
            assert_string_not_equal(d->v[i].reference, d->v[j].reference);
        }
}

/* The combinations that an FMU of numbers can have (FMI 2.0, 2.2.7; FMI 3.0, 2.4.7.4). */
static void kinds_are_allowed(const description *d) {
    static const char *const allowed[] = {
        "parameter fixed exact",      "parameter tunable exact",      "input continuous ",
        "output continuous exact",    "output continuous calculated", "output discrete exact",
        "output discrete calculated", "local continuous exact",       "local continuous calculated",
        "local discrete exact",       "local discrete calculated",    "independent continuous ",
        "local continuous "};
    for (int i = 0; i < d->n; i++) {
        const variable *v = &d->v[i];
        char all[3 * WORD];
        bool found = false;
        snprintf(all, sizeof all, "%s %s %s", v->causality, v->variability, v->initial);
        for (size_t k = 0; k < sizeof allowed / sizeof *allowed; k++)
            found = found || strcmp(all, allowed[k]) == 0;
        if (!found) fail_msg("%s: %s", v->name, all);
        const bool starts = strcmp(v->initial, "exact") == 0 || strcmp(v->causality, "input") == 0;
        if (starts != (v->start[0] != 0)) fail_msg("%s: start '%s'", v->name, v->start);
        if (v->start[0] && v->least[0]) assert_true(atof(v->least) <= atof(v->start));
        if (v->start[0] && v->most[0]) assert_true(atof(v->start) <= atof(v->most));
    }
}

static void units_are_defined(const description *d) {
    for (int i = 0; i < d->n; i++) {
        char element[WORD + 16];
        snprintf(element, sizeof element, "<Unit name=\"%s\"", d->v[i].unit);
        if (d->v[i].unit[0] && count_in(d->text, element) != 1) fail_msg("unit %s", d->v[i].unit);
    }
}

static bool has(const int *list, int n, int i) {
    for (int k = 0; k < n; k++)
        if (list[k] == i) return true;
    return false;
}

/* Outputs and rates are listed; so are, as unknowns of the initialization, outputs that are
 * computed, and states and rates that are. */
static void structure_is_complete(const description *d) {
    int output[MOST], rate[MOST], unknown[MOST];
    const int n_outputs = read_list(d, "Outputs", "Output", output);
    const int n_rates = read_list(d, "Derivatives", "ContinuousStateDerivative", rate);
    const int n_unknowns = read_list(d, "InitialUnknowns", "InitialUnknown", unknown);
    for (int i = 0; i < d->n; i++) {
        const variable *v = &d->v[i];
        bool state = false;
        for (int k = 0; k < n_rates; k++)
            state = state || find_listed(d, d->v[rate[k]].derivative) == i;
        const bool is_output = strcmp(v->causality, "output") == 0, is_rate = v->derivative[0];
        const bool computed = strcmp(v->initial, "exact") != 0;
        if (has(output, n_outputs, i) != is_output) fail_msg("%s as an output", v->name);
        if (has(rate, n_rates, i) != is_rate) fail_msg("%s as a rate", v->name);
        if (has(unknown, n_unknowns, i) != (computed && (is_output || is_rate || state)))
            fail_msg("%s as an unknown of the initialization", v->name);
        if (v->reset[0] && !state) fail_msg("%s has reinit", v->name);
        if (v->between &&
            !(d->version == 3 && is_output && strcmp(v->variability, "continuous") == 0))
            fail_msg("%s has intermediateUpdate", v->name);
    }
}

static void check(const char *path, const char *method, double step, int version) {
    dry_model_options options = {.force = true, .run.step = step};
    static description d;
    if (method) options.run.method = dry_model_method_find(method);
    dry_model *model = compile(path, &options);
    host h = open_fmu(model, &options, version);
    read_variables(&h, &d);
    names_are_unique(&d);
    kinds_are_allowed(&d);
    units_are_defined(&d);
    structure_is_complete(&d);
    close_fmu(&h);
    dry_model_free(model);
}

static void descriptions_obey_the_standard(void **state) {
    static const struct subject {
        const char *path, *method;
        double step;
    } all[] = {{MODELS "papers/xiong2013/fig03-drift.dry", NULL, 0.0},
               {MODELS "papers/xiong2013/fig09-conveyor.dry", NULL, 0.0},
               {TESTS "fmu/pid.dry", NULL, 0.0},
               {TESTS "fmu/first-parts.dry", NULL, 0.0},
               {MODELS "classics/door.dry", NULL, 0.0},
               {MODELS "robots/six-axis.dry", "rk4", 1e-3},
               {TESTS "lang/features/friction-given.dry", "rigid", 1e-3},
               {TESTS "lang/features/delays.dry", NULL, 0.0}};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int version = 2; version <= 3 && can_be_read(all[i].path); version++)
            check(all[i].path, all[i].method, all[i].step, version);
}

/* ---- what a number depends on --------------------------------------------------------------- */

/* The names in `dependencies` of an output or a rate, in the order of the variables. */
static void read_needs(const description *d, const char *name, char *needs, size_t size) {
    char element[64], list[WORD];
    const int i = find_name(d, name);
    if (d->version == 2)
        snprintf(element, sizeof element, "<Unknown index=\"%d\" dep", i + 1);
    else
        snprintf(element, sizeof element, "valueReference=\"%s\" dep", d->v[i].reference);
    const char *at = strstr(d->text, element);
    if (!at) fail_msg("%s has no dependencies", name);
    assert_true(at && attribute(at, "dependencies", list));
    needs[0] = '\0';
    for (char *rest = list, *word; (word = strtok(rest, " ")); rest = NULL) {
        const size_t n = strlen(needs);
        snprintf(needs + n, size - n, "%s%s", n ? " " : "", d->v[find_listed(d, word)].name);
    }
}

/* e = wanted(t) - p is sampled, u = Kp e + I + D, and M v' = u + push - f(v, f.a): what a sample
 * reads counts, because it is taken at an event. */
static void samples_depend_on_what_they_read(void **state) {
    static description d;
    char needs[WORD];
    (void)state;
    dry_model *model = compile(TESTS "fmu/pid.dry", NULL);
    for (int version = 2; version <= 3; version++) {
        host h = open_fmu(model, NULL, version);
        read_variables(&h, &d);
        read_needs(&d, "e", needs, sizeof needs);
        assert_string_equal(needs, "time p");
        read_needs(&d, "u", needs, sizeof needs);
        assert_string_equal(needs, "time p");
        read_needs(&d, "wanted", needs, sizeof needs);
        assert_string_equal(needs, "time");
        read_needs(&d, "der(p)", needs, sizeof needs);
        assert_string_equal(needs, "v");
        read_needs(&d, "der(v)", needs, sizeof needs);
        assert_string_equal(needs, "time push p v f.a");
        close_fmu(&h);
    }
    dry_model_free(model);
}

/* ---- units ---------------------------------------------------------------------------------- */

/* The radian is a base unit of FMI: torque over an angle is m^2 kg s^-2 rad^-1. */
static void angles_are_in_radians(void **state) {
    (void)state;
    dry_model *model = compile(MODELS "classics/door.dry", NULL);
    host h = open_fmu(model, NULL, 3);
    assert_int_equal(count_in(h.description, "<Unit name=\"rad\">\n      <BaseUnit rad=\"1\"/>"),
                     1);
    assert_int_equal(count_in(h.description, "<BaseUnit s=\"-1\" rad=\"1\"/>"), 1);
    assert_int_equal(
        count_in(h.description,
                 "<Unit name=\"N m/rad\">\n      <BaseUnit m=\"2\" kg=\"1\" s=\"-2\" rad=\"-1\"/>"),
        1);
    close_fmu(&h);
    dry_model_free(model);
}

/* ---- what may change at an event, and between steps ------------------------------------------ */

/* Parts may change their states when a step is completed; samples change no state with a rate. */
static void states_that_events_change_are_marked(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        dry_model *parts = compile(MODELS "classics/door.dry", NULL);
        dry_model *equations = compile(TESTS "fmu/pid.dry", NULL);
        host a = open_fmu(parts, NULL, version), b = open_fmu(equations, NULL, version);
        above(count_in(a.description, " reinit=\"true\""), 0);
        assert_int_equal(count_in(b.description, " reinit="), 0);
        close_fmu(&a);
        close_fmu(&b);
        dry_model_free(parts);
        dry_model_free(equations);
    }
}

/* At T the controller samples e = -p, and no state with a rate changes. */
static void events_say_whether_states_changed(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        dry_model *equations = compile(TESTS "fmu/pid.dry", NULL);
        host h = open_fmu(equations, NULL, version);
        double x[MOST];
        bool changed = true;
        start(&h, EXCHANGE);
        near(h.event, 1e-3, 1e-15);
        fine(&h, get_states(&h, x));
        x[0] = 0.25;
        fine(&h, set_time(&h, h.event));
        fine(&h, set_states(&h, x));
        fine(&h, plain(&h, "EnterEventMode"));
        fine(&h, update(&h, &changed));
        assert_false(changed);
        near(get_named(&h, "e"), -0.25, 0.0);
        near(h.event, 2e-3, 1e-15);
        close_fmu(&h);
        dry_model_free(equations);
    }
}

/* ---- the experiment, sizes and ranges ---------------------------------------------------------
 */

static dry_model *compile_text(const char *text, const dry_model_options *options) {
    dry_model *model = dry_model_compile("sizes.dry", text, strlen(text), options);
    assert_non_null(model);
    assert_true(dry_model_ok(model));
    return model;
}

/* a = 3e4 t and b = 4e4 t reach 3e4 and 4e4 at t = 1 s: 10^4.48 and 10^4.60, so their sizes are
 * 10^4 and 10^5; c = 0.02 - 0.0199 t begins at 10^-1.7, so it is 10^-2; d stays 0, so its size
 * is 1. */
static const char sizes[] =
    "param top = 5 [m] in 1 .. 1e3 [m], T = 0.1 [s], least = 0 [N] in 0 .. inf\n"
    "state a = 0 [m], b = 0 [m], c = 0.02 [m], d = 0 [m], e[2] = 1\n"
    "input u = 0.5 [N]\n"
    "a' = 3e4 [m/s]\nb' = 4e4 [m/s] + least*1 [m/s/N]\nc' = -0.0199 [m/s]\n"
    "d' = d*top/(1 [m s])*mod(t, T)/T\ne' = -e/(1 [s])*u/(1 [N])\n"
    "run until = 1 [s], step = 2 [ms], method = rk4\n";

static void numbers_are_those_of_the_run(void **state) {
    static const double nominal[] = {1e4, 1e5, 1e-2, 1.0, 1.0, 1.0};
    static description d;
    (void)state;
    dry_model *model = compile_text(sizes, NULL);
    for (int version = 2; version <= 3; version++) {
        host h = open_fmu(model, NULL, version);
        double x[MOST];
        read_variables(&h, &d);
        assert_non_null(strstr(h.description, "<DefaultExperiment startTime=\"0\" stopTime=\"1\" "
                                              "tolerance=\"1e-6\" stepSize=\"0.002\"/>"));
        assert_int_equal(count_in(h.description, " nominal=\"10000\""), 1);
        assert_int_equal(count_in(h.description, " nominal=\"100000\""), 1);
        assert_int_equal(count_in(h.description, " nominal=\"0.01\""), 1);
        assert_int_equal(count_in(h.description, " nominal="), 3);
        start(&h, EXCHANGE);
        fine(&h, CALL(&h, "GetNominalsOfContinuousStates", void *, double *, size_t)(h.fmu, x,
                                                                                     (size_t)h.n));
        for (int i = 0; i < h.n; i++) near(x[i], nominal[i], 0.0);
        const variable *top = &d.v[find_name(&d, "top")], *T = &d.v[find_name(&d, "T")],
                       *least = &d.v[find_name(&d, "least")], *u = &d.v[find_name(&d, "u")];
        near(atof(top->least), 1.0, 0.0);
        near(atof(top->most), 1000.0, 0.0);
        near(atof(top->start), 5.0, 0.0);
        assert_string_equal(top->variability, "tunable");
        assert_string_equal(least->least, "0");
        assert_string_equal(least->most, "");
        assert_string_equal(T->variability, "fixed"); /* it is in the code */
        near(atof(T->least), 0.1, 0.0);
        near(atof(T->most), 0.1, 0.0);
        near(atof(u->start), 0.5, 0.0);
        close_fmu(&h);
    }
    dry_model_free(model);
}

static void an_adaptive_run_gives_its_tolerance_and_interval(void **state) {
    const dry_model_options options = {
        .run.method = dry_model_method_find("dop853"), .run.rtol = 1e-9, .run.record = 0.05};
    (void)state;
    dry_model *model = compile_text(sizes, &options);
    dry_fmu_about about;
    dry_error error = {0};
    const dry_fmu_options wanted = {.version = 3, .kinds = DRY_FMU_EXCHANGE, .model = &options};
    assert_int_equal(dry_fmu_write(model, &wanted, "/nowhere/x.fmu", &about, &error),
                     DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "model exchange leaves the steps to the importer"));
    dry_model_free(model);
    dry_model *decay = compile_text("state x = 1\nx' = -x/(1 [s])\nrun until = 12 [s]\n", &options);
    host h = open_fmu(decay, &options, 3);
    const char *experiment = strstr(h.description, "<DefaultExperiment");
    assert_non_null(experiment);
    if (!strstr(experiment, "tolerance=\"1e-9\" stepSize=\"0.05\"")) fail_msg("%.100s", experiment);
    assert_null(strstr(h.description, "fixedInternalStepSize"));
    assert_null(strstr(h.description, "<ModelExchange "));
    close_fmu(&h);
    dry_model_free(decay);
}

static void the_kinds_are_those_that_are_wanted(void **state) {
    (void)state;
    dry_model *model = compile_text(sizes, NULL);
    for (int version = 2; version <= 3; version++)
        for (int kinds = DRY_FMU_EXCHANGE; kinds <= (DRY_FMU_EXCHANGE | DRY_FMU_STEPS); kinds++) {
            const bool exchanges = kinds & DRY_FMU_EXCHANGE, steps = kinds & DRY_FMU_STEPS;
            wanted_kinds = kinds;
            host h = open_fmu(model, NULL, version);
            wanted_kinds = 0;
            assert_int_equal(count_in(h.description, "  <ModelExchange modelId"), exchanges);
            assert_int_equal(count_in(h.description, "  <CoSimulation modelId"), steps);
            assert_int_equal(count_in(h.description, " largestStep=\""), exchanges);
            assert_int_equal(strstr(h.description, " intermediateUpdate=") != NULL,
                             steps && version == 3);
            close_fmu(&h);
        }
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_obey_the_standard),
        cmocka_unit_test(samples_depend_on_what_they_read),
        cmocka_unit_test(angles_are_in_radians),
        cmocka_unit_test(states_that_events_change_are_marked),
        cmocka_unit_test(events_say_whether_states_changed),
        cmocka_unit_test(numbers_are_those_of_the_run),
        cmocka_unit_test(an_adaptive_run_gives_its_tolerance_and_interval),
        cmocka_unit_test(the_kinds_are_those_that_are_wanted),
    };
    return cmocka_run_group_tests(tests, make_room, remove_room);
}
