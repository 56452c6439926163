/* Exported C: two models in one program, names of parameters, and steps that time cannot take. */
#include "export_test.h"

/* Decays at its own rate: x = exp(-rate t). α and its spelling, p and a name that begins with no
 * letter, a keyword, an element of a list and its spelling. */
static const char slow[] = "param alpha = 1, α = 2, p = 3, double = 4, a = [5], a_1 = 6, Δx = 7\n"
                           "state x = 1\n"
                           "x' = -x*1 [1/s]*(alpha + α + p + double + a[1] + a_1 + Δx - 27)\n"
                           "run until = 1 [s], step = 1 [ms]\n";
static const char fast[] = "param α = 2\nstate x = 1\nx' = -α*x*1 [1/s]\n"
                           "run until = 1 [s], step = 1 [ms]\n";

static void test_fields(void **state) {
    (void)state;
    static const char *const lines[] = {"_real alpha; /* 1 */",
                                        "_real alpha_2; /* 1; α in the model */",
                                        "_real p; /* 1 */",
                                        "_real double_; /* 1; double in the model */",
                                        "_real a_1; /* 1 */",
                                        "_real a_1_2; /* 1; a[1] in the model */",
                                        "_real Delta_x; /* 1; Δx in the model */"};
    export(slow, NULL, false);
    char *header = text_of("model.h");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr(header, lines[i])) fail_msg("no '%s'", lines[i]);
    free(header);
}

/* What is a keyword only since C++20 or C23, or a macro of the folder. */
static void test_taken_fields(void **state) {
    (void)state;
    static const char *const words[] = {
        "concept", "requires", "co_await", "co_return",     "co_yield", "consteval", "constinit",
        "char8_t", "char16_t", "char32_t", "typeof_unqual", "SYS_RATE", "SYS_APART", "DRY_LAW"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "param %s = 1\nstate x = 1\nx' = -x*%s*1 [1/s]\nrun until = 1 [s]\n", words[i],
                 words[i]);
        export(text, "model", false);
        snprintf(text, sizeof text, "_real %s_; /* 1; %s in the model */", words[i], words[i]);
        char *header = text_of("model.h");
        if (!strstr(header, text)) fail_msg("no '%s'", text);
        free(header);
    }
}

/* A step that nobody gives is that of a run, and follows from the length of the run. */
static void test_unstepped(void **state) {
    (void)state;
    dry_error error = {0};
    export("state x = 1\nx' = -x*1 [1/s]\nrun until = 8 [s]\n", "model", false);
    char *text = text_of("main.c");
    assert_non_null(strstr(text, "#define STEP 0.0008 "));
    free(text);
    dry_model *model = compile_text("state x = 1\nx' = -x*1 [1/s]\n");
    assert_int_equal(dry_export_c(model, NULL, folder, &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "the length of the run"));
    dry_model_free(model);
}

/* exp(-1) and exp(-2) to the 1e-12 of rk4 with 1000 steps, and bits that parameters change. */
static void test_two_in_one(void **state) {
    (void)state;
    need_compiler();
    export(slow, "slow", false);
    export(fast, "fast", false);
    run_both("    slow a;\n    fast b;\n    fast_par par = fast_defaults;\n"
             "    slow_init(&a, 0);\n    fast_init(&b, 0);\n"
             "    CHECK(slow_advance(&a, 1e-3, 1.0) == 0);\n"
             "    CHECK(fast_advance(&b, 1e-3, 1.0) == 0);\n"
             "    CHECK(fabs(a.x[SLOW_STATES - 1] - exp(-1.0)) < 1e-12);\n"
             "    CHECK(fabs(b.x[FAST_STATES - 1] - exp(-2.0)) < 1e-12);\n"
             "    par.alpha = 3.0;\n    fast_init(&b, &par);\n"
             "    CHECK(fast_advance(&b, 1e-3, 1.0) == 0);\n"
             "    CHECK(fabs(b.x[0] - exp(-3.0)) < 1e-11);\n");
}

/* x goes over jumps of all of them, and no stage of a step lies on one. The parameter has the name
 * of a function that is called, too, in another precision. */
static const char jumpy[] =
    "param log10 = 1.73\n"
    "state x = -2.305, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0\n"
    "x' = log10*1 [1/s]\na' = sign(x)*1 [1/s]\nb' = mod(x, 0.6)*1 [1/s]\n"
    "c' = mod(x, -0.6)*1 [1/s]\nd' = ceil(x)*1 [1/s]\ne' = round(x)*1 [1/s]\n"
    "f' = cbrt(x)*1 [1/s]\ng' = erf(x)*1 [1/s]\n"
    "run until = 2 [s], step = 10 [ms]\n";
static const char logarithm[] = "state x = 0.1\nx' = log10(x + 2)*1 [1/s]\n"
                                "run until = 2 [s], step = 10 [ms]\n";

/* Tables in one and two arguments; one of the time, whose knots are off the grid. */
static const char tables[] =
    "table tri(x) at [-1.1, 0.3, 1.2] = [0, 1, 0.5]\n"
    "table curve(x) at [-2, 0.1, 0.7, 2] = [0, 1, 1, -3] with by = cubic, ends = extended\n"
    "table plane(x, s) at [-1, 0, 1], [0, 1.5] [s] = [[0, 1], [2, 1], [4, 7]]\n"
    "table ramp(s) at [0.123, 0.777, 1.234] [s] = [0, 1, -1]\n"
    "state x = -2.305, a = 0, b = 0, c = 0, d = 0\n"
    "x' = 1.73 [1/s]\na' = tri(x)*1 [1/s]\nb' = curve(x)*1 [1/s]\n"
    "c' = plane(x, t)*1 [1/s]\nd' = ramp(t)*1 [1/s]\n"
    "run until = 2 [s], step = 10 [ms]\n";

/* Delays of a state, a sample and a jump; 0.13 s is no multiple of the step. */
static const char late[] = "state x = 1, y = 0, z = 0\nsample s = x every 50 [ms]\n"
                           "x' = -delay(x, 0.7 [s])/(1 [s])\ny' = delay(s, 0.13 [s])/(1 [s]) - "
                           "delay(y, 0.13 [s])/(1 [s])\n"
                           "z' = delay(if t < 0.333 [s] then 0 else 1, 0.4 [s])/(1 [s])\n"
                           "run until = 2 [s], step = 10 [ms]\n";

/* The first n_states states that rk4 comes to in bytecode. */
static void run_bytecode(const char *text, double *x, int n_states) {
    dry_model *model = compile_text(text);
    const dry_system *system = dry_model_system(model);
    at_most(n_states, system->n_states);
    const dry_method *rk4 = dry_method_find("rk4");
    const dry_ode_options options = {.step = 10e-3};
    dry_ode ode;
    double *work = calloc(dry_ode_size(system, rk4), sizeof *work);
    void *scratch = calloc(1, system->work_size + 1);
    assert_int_equal(dry_ode_init(&ode, system, rk4, &options, NULL, 0.0, NULL, scratch, work),
                     DRY_OK);
    assert_int_equal(dry_ode_advance(&ode, 2.0), DRY_OK);
    memcpy(x, ode.x, sizeof *x * (size_t)n_states);
    free(work);
    free(scratch);
    dry_model_free(model);
}

/* In double precision the bits of the bytecode, in single precision its digits. */
static void compare_exported(const char *text, int n_states) {
    char program[4096] = "    slow a;\n    fast b;\n    slow_init(&a, 0);\n    fast_init(&b, 0);\n"
                         "    CHECK(slow_advance(&a, 0.01, 2.0) == 0);\n"
                         "    CHECK(fast_advance(&b, 0.01f, 2.0f) == 0);\n";
    double x[8];
    run_bytecode(text, x, n_states);
    for (int i = 0; i < n_states; i++) {
        const size_t length = strlen(program);
        snprintf(program + length, sizeof program - length,
                 "    CHECK(a.x[%d] == %a);\n    CHECK(fabs(b.x[%d] - %a) < 1e-4);\n", i, x[i], i,
                 x[i]);
    }
    export(text, "slow", false);
    export(text, "fast", true);
    run_both(program);
}

static void test_functions_of_models(void **state) {
    (void)state;
    need_compiler();
    compare_exported(jumpy, 8);
    compare_exported(logarithm, 1);
    compare_exported(tables, 5);
    compare_exported(late, 4);
}

/* Whatever cannot be a step is told, and nothing has moved; what is one still is. */
static void test_bad_steps(void **state) {
    (void)state;
    need_compiler();
    export(slow, "slow", false);
    export(fast, "fast", true);
    run_both("    const double bad[] = {-1e-3, 0.0, -0.0, NAN, INFINITY, -INFINITY, 1e-300};\n"
             "    slow a;\n    fast b;\n"
             "    slow_init(&a, 0);\n    fast_init(&b, 0);\n"
             "    CHECK(slow_step(&a, 1e-3) == 0 && fast_step(&b, 1e-3f) == 0);\n"
             "    const double x = a.x[0];\n    const float y = b.x[0];\n"
             "    for (int i = 0; i < 7; i++) {\n"
             "        CHECK(slow_step(&a, bad[i]) == SLOW_BAD_STEP);\n"
             "        CHECK(fast_step(&b, (float)bad[i]) == FAST_BAD_STEP);\n"
             "        CHECK(slow_advance(&a, bad[i], 1.0) == SLOW_BAD_STEP);\n"
             "        CHECK(fast_advance(&b, (float)bad[i], 1.0f) == FAST_BAD_STEP);\n"
             "    }\n"
             "    const double early[] = {0.0, 0.9e-3, -1.0, NAN, INFINITY};\n"
             "    for (int i = 0; i < 5; i++) {\n"
             "        CHECK(slow_advance(&a, 1e-3, early[i]) == SLOW_BAD_STEP);\n"
             "        CHECK(fast_advance(&b, 1e-3f, (float)early[i]) == FAST_BAD_STEP);\n"
             "    }\n"
             "    CHECK(a.t == 1e-3 && b.t == 1e-3f && a.x[0] == x && b.x[0] == y);\n"
             "    CHECK(slow_advance(&a, 1e-3, a.t) == 0 && a.t == 1e-3);\n"
             "    CHECK(slow_step(&a, 1e-3) == 0 && a.t == 2e-3);\n"
             "    CHECK(fast_step(&b, 1e-3f) == 0 && b.t == 2e-3f);\n");
}

/* The main of the folder says why it stops: each model is run until it does. */
static void test_reasons(void **state) {
    (void)state;
    static const struct {
        const char *text, *reason;
        bool single;
    } stops[] = {{"state x = 1\nx' = x^3*1 [1/s]\nrun until = 9 [s], step = 1 [s]\n",
                  "the state is not finite", false},
                 /* 0 as a float */
                 {"state x = 1\nx' = -x*1 [1/s]\nrun until = 1e-59 [s], step = 1e-60 [s]\n",
                  "time does not go on by such a step", true},
                 {"state v = 1 [m/s], c = 1 [N]\nc' = -2 [N/s]\nv' = -f/(1 [kg])\n"
                  "f in c*sgn(v) with K = 100 [N/m], beta = 0.01 [s]\n"
                  "run until = 1 [s], step = 1 [ms]\n",
                  "became negative", false}};
    char command[512];
    need_compiler();
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        export(stops[i].text, "stops", stops[i].single);
        snprintf(command, sizeof command,
                 "cd '%s' && ${CC:-cc} -std=c99 -w -o stops *.c -lm && { ./stops >/dev/null 2>why; "
                 "test $? = 1; } && grep -q 'stopped at .*: .*%s' why",
                 folder, stops[i].reason);
        if (system(command) != 0) fail_msg("not '%s'", stops[i].reason);
    }
}

/* ---- prefixes -----------------------------------------------------------------------------------
 */

static void refuse(const dry_model *model, const char *prefix) {
    dry_error error = {0};
    const dry_export_options options = {.prefix = prefix};
    if (dry_export_c(model, &options, "/tmp/drystone-no-such/folder", &error) != DRY_BAD_ARGUMENT)
        fail_msg("the prefix '%s' is taken", prefix);
    assert_non_null(strstr(error.text, "prefix"));
}

/* No names; keywords; what the folder is made of; what the names in it begin with. */
static void test_prefixes(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "",       "2x",    "a b",      "a/b", "αβ",     "../x",    "while",  "double",   "requires",
        "main",   "step",  "why",      "is",  "sys",    "sys_x",   "Sys",    "dry",      "dry_x",
        "N",      "n",     "N_x",      "n_x", "math",   "time",    "size_t", "Makefile", "ceilf",
        "roundl", "gamma", "lgamma_r", "go",  "run_to", "far_time"};
    dry_model *model = compile_text(fast);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) refuse(model, wrong[i]);
    dry_model_free(model);
}

/* The functions that the headers of main.c declare: a name at the outermost level before a (. */
static void test_functions(void **state) {
    (void)state;
    need_compiler();
    char word[64] = "";
    int depth = 0, n = 0, functions = 0;
    dry_model *model = compile_text(fast);
    FILE *stream = popen("printf '#include <%s.h>\\n' math stdio stdlib string | "
                         "${CC:-cc} -std=c99 -E -P -x c -",
                         "r");
    assert_non_null(stream);
    for (int c; (c = getc(stream)) != EOF;) {
        if (c == '(' && depth == 0 && word[0] && word[0] != '_') refuse(model, word), functions++;
        depth += (c == '(' || c == '{') - (c == ')' || c == '}');
        if (c == ' ' || c == '\n') {
            n = 0; /* the word stays until another begins */
        } else {
            word[n] = (char)c;
            n += n < (int)sizeof word - 2;
            word[n] = '\0';
        }
    }
    assert_int_equal(pclose(stream), 0);
    above(functions, 200); /* C99 has some 270 */
    dry_model_free(model);
}

/* Names that are also those of variables, or begin nearly as names of the folder. */
static void test_fine_prefixes(void **state) {
    (void)state;
    static const char *const fine[] = {"m", "y", "sys2", "roundabout"};
    char command[512];
    need_compiler();
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        export(slow, fine[i], i % 2);
        snprintf(command, sizeof command,
                 "cd '%s' && ${CC:-cc} -std=c99 -Wall -Wextra -Werror -fsyntax-only *.c", folder);
        assert_int_equal(system(command), 0);
    }
}

/* Nothing in the folder is called model where another name is asked for. */
static void test_every_name(void **state) {
    (void)state;
    static const char *const files[] = {"gear.h", "gear.c", "main.c", "Makefile"};
    export(slow, "gear", false);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *text = text_of(files[i]);
        assert_null(strstr(text, "model_"));
        assert_null(strstr(text, "MODEL"));
        assert_null(strstr(text, "model."));
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unstepped),          cmocka_unit_test(test_fields),
        cmocka_unit_test(test_taken_fields),       cmocka_unit_test(test_two_in_one),
        cmocka_unit_test(test_bad_steps),          cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_prefixes),           cmocka_unit_test(test_functions),
        cmocka_unit_test(test_fine_prefixes),      cmocka_unit_test(test_every_name),
        cmocka_unit_test(test_functions_of_models)};
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
