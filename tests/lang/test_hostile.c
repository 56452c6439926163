/* Texts that mean harm: whatever is thrown at the compiler, it gives a model or errors without
 * crashing. Run it under the sanitizers. What long texts cost is in test_cost.c. */
#include "unit.h"

#include "lang/text.h"
#include <drystone/model.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

/* Under the sanitizers texts that go on and on are a tenth as long, which ends in the same
 * messages. */
#ifdef SANITIZED
enum { SHORTER = 10 };
#else
enum { SHORTER = 1 };
#endif

static int many(int n) { return n / SHORTER; }

/* ---- compiling ----------------------------------------------------------------------------- */

enum outcome { REFUSED, ACCEPTED, EITHER };

/* Messages must be printable whatever the text is. */
static void print_all(const dry_model *model) {
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, nowhere, true);
    fclose(nowhere);
}

static void compile_bytes(const char *name, const char *bytes, size_t n, enum outcome wanted) {
    dry_model *model = dry_model_compile("hostile", bytes, n, NULL);
    assert_non_null(model);
    const bool ok = dry_model_ok(model);
    print_all(model);
    int errors = 0;
    for (int i = 0; i < dry_model_messages(model); i++)
        errors += dry_model_message(model, i).kind == DRY_ERROR;
    if (ok != (errors == 0)) fail_msg("%s: %d errors and ok = %d", name, errors, ok);
    if (wanted != EITHER && ok != (wanted == ACCEPTED))
        fail_msg("%s: %s", name, ok ? "was accepted" : dry_model_message(model, 0).text);
    dry_model_free(model);
}

static void compile(const char *name, text *source, enum outcome wanted) {
    compile_bytes(name, source->bytes, source->n, wanted);
    free(source->bytes);
    *source = (text){0};
}

static void compile_text(const char *words, enum outcome wanted) {
    compile_bytes(words, words, strlen(words), wanted);
}

/* ---- depth
 * ---------------------------------------------------------------------------------------- */

static void deep_nesting_is_refused(void **state) {
    (void)state;
    static const char *const opening[] = {"(",
                                          "[",
                                          "-",
                                          "+",
                                          "not ",
                                          "if 1 then ",
                                          "if ",
                                          "f(",
                                          "sum(",
                                          "2^",
                                          "x[",
                                          "max(1, ",
                                          "f(a = ",
                                          "1 + (2 * (",
                                          "[[",
                                          "x'",
                                          "x.",
                                          "1 and not (",
                                          "if 1 then 1 else "};
    for (size_t i = 0; i < sizeof opening / sizeof *opening; i++)
        for (int close = 0; close < 2; close++) {
            text t = {0};
            put(&t, "state x = 0\nx' = ");
            put_times(&t, opening[i], 10000);
            put(&t, "1");
            if (close) put_times(&t, ")", 10000);
            compile(opening[i], &t, EITHER);
        }
}

static void long_sums_are_refused_or_read(void **state) {
    (void)state;
    static const char *const terms[] = {" + 1", " * x", " - x/2", " and 1", " or x", "^1", ", 1"};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        text t = {0};
        put(&t, "state x = 0\nx' = 1");
        put_times(&t, terms[i], many(50000));
        compile(terms[i], &t, REFUSED);
    }
    compile_text("state x = 0\nx' = sum(sin(i*x) for i in 1..20000)*1 [1/s]", ACCEPTED);
}

static void long_chains_of_definitions(void **state) {
    const int n = many(20000);
    char line[64];
    text t = {0};
    (void)state;
    put(&t, "state x = 0\ny0 = x\n");
    put_each(&t, "y# = y@ + 1\n", n);
    snprintf(line, sizeof line, "x' = y%d*1 [1/s]\n", n);
    put(&t, line);
    compile("forwards", &t, ACCEPTED);
    snprintf(line, sizeof line, "state x = 0\nx' = y%d\n", n);
    put(&t, line);
    for (int i = n; i > 0; i--) {
        snprintf(line, sizeof line, "y%d = y%d + 1\n", i, i - 1);
        put(&t, line);
    }
    put(&t, "y0 = x\n");
    compile("backwards", &t, EITHER);
    put(&t, "state x = 0\nx' = y[20000]\ny[1] = x\ny[i] = y[i-1] + x for i in 2..20000\n");
    compile("recurrence", &t, EITHER);
}

static void many_unknown_parts_are_told(void **state) {
    (void)state;
    text t = {0};
    put_each(&t, "part ball# = sphere(radius = 1 [m], mass = 1 [kg], p = [#, 0, 0])\n",
             many(10000));
    put(&t, "part touch = contact(K = 1e4 [N/m], alpha = 1 [ms], beta = 1 [ms])\n");
    put_each(&t, "connect touch - bull#\n", many(10000));
    compile("unknown parts", &t, REFUSED);
}

/* ---- explosions
 * ------------------------------------------------------------------------------------- */

/* f60(x) = f59(x) + f59(x) ... stands for 2^60 terms. */
static void exponential_functions_end(void **state) {
    (void)state;
    static const int levels[] = {10, 39, 60};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        text t = {0};
        char line[64];
        put(&t, "state x = 0\nfunction f0(x) = x\n");
        put_each(&t, "function f#(x) = f@(x) + f@(x)\n", levels[i]);
        snprintf(line, sizeof line, "x' = f%d(x)*1 [1/s]\n", levels[i]);
        put(&t, line);
        compile(line, &t, levels[i] <= 10 ? ACCEPTED : REFUSED);
    }
}

/* The same as definitions is linear: equal nodes are made once. */
static void exponential_definitions_are_shared(void **state) {
    (void)state;
    text t = {0};
    put(&t, "state x = 1e-30\ny0 = x\n");
    put_each(&t, "y# = y@ + y@\n", 60);
    put(&t, "x' = y60*1e-30 [1/s]\n");
    compile("definitions", &t, ACCEPTED);
    put(&t, "state x = 1, z = 1, w = 0\nN in dio(z)\ny0 = N + abs(x)\n");
    put_each(&t, "y# = y@ + y@\n", 60);
    put(&t, "f in y60*1e-18*sgn(x)\nz' = w\nw' = N\nx' = -f\n");
    compile("a level of shared nodes", &t, EITHER);
    compile_text("state x = 0\nx' = sum(sum(sum(1 for i in 1..100000) for j in 1..100000) "
                 "for k in 1..100000)",
                 REFUSED);
    compile_text("state x[1000] = 0\ny = [x, x, x]\nx[i]' = dot(x, x) for i in 1..1000\n", EITHER);
}

static void huge_sizes_are_refused(void **state) {
    (void)state;
    static const char *const refused[] = {
        "state x[1e9] = 0\nx[1]' = 1",
        "state x[-1] = 0",
        "state x[0.5] = 0",
        "state x[1/0] = 0",
        "param n = 1e300\nstate x[n] = 0\nx' = x",
        "state x = 0\nx[i]' = 1 for i in 1..1e12",
        "state x = 0\ny[i] = 1 for i in 1..1e12\nx' = 1",
        "state x = 0\ny[1e9] = 1\nx' = 1",
        "state x = 0\ny[1000000] = 1\nx' = 1",
        "state x = 0\nx' = sum(1 for i in 1..1e12)",
        "state x = 0\ninit x[1] = 0 for i in -1e12..1e12\nx' = 1",
        "state v = 1\nf = gms(v, N = 1000000000)\nv' = -f",
        "state v = 1\nf = gms(v, N = -1)\nv' = -f",
        "state x = 0\nx' = x[1e9]",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) compile_text(refused[i], REFUSED);
}

static void huge_and_tiny_numbers(void **state) {
    (void)state;
    static const char *const texts[] = {
        "state x = 1e308\nx' = x*x",
        "state x = 1e-400\nx' = 0*x",
        "state x = 4.9e-324\nx' = 0",
        "state v = 1\nf in 1e300*sgn(v) with K = 1e300, beta = 1e-300\nv' = -f",
        "state v = 1\nf in 1e-300*sgn(v) with K = 1e-300, beta = 1e300\n1e-300*v' = -f",
        "state z = 1, w = 0\nN in dio(z) with K = 1e300, alpha = 1e-9, beta = 9\nz' = w\nw' = N",
        "state z = 1, w = 0\nN in dio(z)\nz' = w\n1e-320*w' = N\nrun step = 1e-320, until = 1e308",
        "state x = 0\nx' = 1\nrun until = 1e400, step = -1, record = 0",
        "state x = 0 [m^99999999]\nx' = 1",
        "state x = 0 [m^1e400]\nx' = 1",
        "param a = 1e308*1e308\nstate x = a\nx' = 1",
        "state x = inf\nx' = 1",
        "state x = 0\nx' = 1\nmeasure m = at(x, 1e308*10)\nexpect m = inf +- inf",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) compile_text(texts[i], EITHER);
    text t = {0};
    put(&t, "state x = ");
    put_times(&t, "9", many(1000000));
    put(&t, "\nx' = 1");
    compile("a million digits", &t, REFUSED);
    put(&t, "state x = 0.");
    put_times(&t, "0", many(1000000));
    put(&t, "1\nx' = 1 [1/s]*x");
    compile("a million zeros", &t, ACCEPTED);
}

/* ---- bulk
 * ---------------------------------------------------------------------------------------------- */

static void large_files(void **state) {
    (void)state;
    text t = {0};
    put_times(&t, "# comment\n", DRY_MODEL_MOST_BYTES / 10 + 1);
    compile("17 MB", &t, REFUSED);
    put_times(&t, "# comment\n", DRY_MODEL_MOST_BYTES / 10 - 10);
    put(&t, "state x = 0\nx' = 1");
    compile("16 MB of comments", &t, ACCEPTED);
    put_each(&t, "a# = 1\n", 510000);
    compile("more tokens than there may be", &t, REFUSED);
    put_times(&t, "x\n", many(200000));
    compile("two hundred thousand faults", &t, REFUSED);
    put_times(&t, "y = z\n", many(100000));
    compile("one name a hundred thousand times", &t, REFUSED);
    put_each(&t, "a# = b@\n", many(20000));
    compile("twenty thousand unknown names", &t, REFUSED);
    put_times(&t, "$", many(200000));
    compile("two hundred thousand strange characters", &t, REFUSED);
    put_times(&t, "\n", many(2000000));
    put(&t, "state x = 0\nx' = 1");
    compile("two million lines", &t, ACCEPTED);
}

static void parts(void **state) {
    (void)state;
    text t = {0};
    put(&t, "part a = point_mass(mass = 1)\nx = a");
    put_times(&t, ".v", many(100000));
    compile("dots", &t, REFUSED);
    put(&t, "part a = point_mass(mass = 1)\nx = a");
    put_times(&t, "_", many(100000));
    put(&t, ".v\n");
    compile("a long name", &t, REFUSED);
    put(&t, "part a = point_mass(mass = 1)\npart s = spring(K = 1)\nconnect s - a");
    put_times(&t, " at [0, 0, 0]", many(20000));
    compile("ends", &t, EITHER);
    put_each(&t, "part p# = point_mass(mass = 1)\nconnect q# - p@\n", many(5000));
    compile("wires to nowhere", &t, REFUSED);
    put_each(&t, "part p# = spring(K = 1)\n", many(5000));
    compile("springs that hang in the air", &t, REFUSED);
    put(&t, "part a = point_mass(mass = 1)\n");
    put_each(&t, "a.f += #\n", many(5000));
    compile("many pushes", &t, ACCEPTED);
    compile_text("part a = a(a = a)\nconnect a - a - a\na.a += a.a\ninit a.a = a.a", REFUSED);
    compile_text("part t = rotor(inertia = 1)", REFUSED);
    compile_text("part world = rotor(inertia = 1)", REFUSED);
    compile_text("connect a - b", REFUSED);
    compile_text("part a[i] = rotor(inertia = i) for i in 1..0", REFUSED);
    compile_text("part a[2] = rotor(inertia = 1)", REFUSED);
    compile_text("part a = rotor(inertia = 1)\ninit a[1].v = 2", REFUSED);
    compile_text("part a = rotor(inertia = 1)\ninit a.v[3] = 2", REFUSED);
    compile_text("part a = rotor(inertia = inf)", REFUSED);
    compile_text("part g = gravity(g = [1, 2, 3, 4])\nstate x = 0\nx' = 1", REFUSED);
    compile_text("part g = gravity()\nstate x = 0\nx' = 1", EITHER);
    compile_text("part a = rotor(inertia = 1)\na.f[1] += -2*a.v[1]\na.f += 1\n", ACCEPTED);
    compile_text("part a = rotor(inertia = 1)\na.f[1][1] += 1", REFUSED);
    compile_text("part a = rotor(inertia = 1)\nx = a.v[1].p", REFUSED);
    compile_text("part a = rotor(inertia = 1)\nx = a[1, 2].v", REFUSED);
}

static void long_lists(void **state) {
    (void)state;
    text t = {0};
    put(&t, "state v = 1\nf in sgn(v) with K = 1");
    put_times(&t, ", K = 1", many(100000));
    compile("keys", &t, REFUSED);
    put(&t, "state x = 0\nfunction f(a");
    put_each(&t, ", a#", many(100000));
    put(&t, ") = a\nx' = f(1)");
    compile("arguments", &t, REFUSED);
    put(&t, "state x = 0\nx' = 1\nplot x");
    put_times(&t, ", x", many(100000));
    compile("curves", &t, REFUSED);
    put(&t, "state x = 0\nx' = max(1");
    put_times(&t, ", x", many(100000));
    put(&t, ")");
    compile("max", &t, REFUSED);
    put(&t, "state x = [0");
    put_times(&t, ", 0", many(90000));
    put(&t, "]\nx' = x*1 [1/s]");
    compile("a vector", &t, EITHER);
    put(&t, "state x = 1\nx' = 1 [");
    put_times(&t, "m/", many(500000));
    put(&t, "m]");
    compile("a unit", &t, EITHER);
}

static void long_names(void **state) {
    (void)state;
    text t = {0}, name = {0};
    put_times(&name, "a", many(1000000));
    const char *const forms[] = {
        "state %s = 0\n%s' = 1",  "state x = 0\nx' = %s",     "model %s", "state x = 0\nx' = %s(1)",
        "state x = 0\nx' = x.%s", "state x = 0 [%s]\nx' = 1", "\"%s",     "%s",
        "run method = %s"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        for (const char *c = forms[i]; *c; c++) {
            if (c[0] == '%')
                put_bytes(&t, name.bytes, name.n), c++;
            else
                put_bytes(&t, c, 1);
        }
        compile(forms[i], &t, EITHER);
    }
    free(name.bytes);
}

/* ---- bytes
 * ------------------------------------------------------------------------------------------------
 */

static void strange_bytes(void **state) {
    (void)state;
    static const char model[] = "state x = 0 [m]\nx' = 1 [m/s]\nplot x\nexpect final(x) = 1 +- 1\n";
    char bytes[sizeof model];
    for (size_t at = 0; at < sizeof model; at++)
        for (int byte = 0; byte < 256; byte += 23) {
            memcpy(bytes, model, sizeof model);
            bytes[at] = (char)byte;
            compile_bytes("one byte changed", bytes, sizeof model - 1, EITHER);
        }
    compile_bytes("NUL", "state x = 0\0\nx' = 1", 19, REFUSED);
    compile_bytes("NULs", "\0\0\0\0", 4, REFUSED);
    compile_bytes("half a character", "state \xCE", 7, REFUSED);
    compile_bytes("a lonely tail", "\x80\xBF", 2, REFUSED);
    compile_bytes("overlong", "\xC0\xAF", 2, REFUSED);
    compile_bytes("UTF-16", "\xFF\xFEs\0t\0a\0", 8, REFUSED);
    compile_bytes("a byte order mark", "\xEF\xBB\xBFstate x = 0\nx' = 1", 21, ACCEPTED);
    compile_bytes("line ends of another system", "state x = 0\r\nx' = 1\r\n", 21, ACCEPTED);
}

/* Every beginning of a model is a file that an editor may have saved half-way. */
static void every_beginning_of_a_model(void **state) {
    (void)state;
    static const char model[] =
        "model m \"title\"\nparam a = [[1, 2], [3, 4]], n = 2\nstate x[n] = 0 [m], v = 1 [m/s]\n"
        "init x[i] = 1 [m]*i for i in 1..n\nfunction g(u, w) = if u < w then u else -w^2\n"
        "y[i] = sum(g(j, i) for j in 1..i) for i in 1..n\nf in 0.5 [N]*sgn(v) with K = 5 [N/um], "
        "beta = 2 [ms]\n"
        "N in dio(x[1]) with restitution = 0.5\nb = lugre(v, F = 0.5)\nx' = [v, v]\n"
        "2 [kg]*v' = -f - b + N\nrun until = 1 [s], method = rk4-tau\nplot f.a against x[1]\n"
        "measure m1 = max(x[1] from 0 to 1)\nexpect m1 = 1 [m] +- 2 [m]\n";
    for (size_t n = 0; n < sizeof model; n++) compile_bytes("a beginning", model, n, EITHER);
    compile_bytes("the whole", model, sizeof model - 1, ACCEPTED);
}

static void nothing_at_all(void **state) {
    (void)state;
    static const char *const texts[] = {"",  "\n\n\n", "# nothing\n# here",
                                        "#", " \t ",   "model empty"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) compile_text(texts[i], REFUSED);
}

/* ---- circles
 * -------------------------------------------------------------------------------------------------
 */

static void things_that_need_themselves(void **state) {
    (void)state;
    static const char *const refused[] = {
        "param a = a",
        "param a = b, b = a",
        "state x = x\nx' = 1",
        "state x = 0\ny = y\nx' = y",
        "state x = 0\ny = z\nz = w\nw = y\nx' = y",
        "state x = 0\nfunction f(a) = f(a)\nx' = f(1)",
        "state x = 0\nfunction f(a) = g(a) + g(a)\nfunction g(a) = f(a) + f(a)\nx' = f(1)",
        "state x = 0\ny[i] = y[i] for i in 1..3\nx' = y[1]",
        "state x = 0\ny[i] = y[4-i] for i in 1..3\nx' = y[1]",
        "state x = 0\ny[i] = z[i] for i in 1..3\nz[i] = y[i] for i in 1..3\nx' = y[1]",
        "state v = 1\nf in f*sgn(v)\nv' = -f",
        "state v = 1\nf in sgn(v + f)\nv' = -f",
        "state v = 1\nf in sgn(v) with K = f.K\nv' = -f",
        "state v = 1\nf = lugre(v + f)\nv' = -f",
        "state v = 1\nf = lugre(v, F = f)\nv' = -f",
        "state v = 1\nf[i] in f[3-i]*sgn(v) for i in 1..2\nv' = -f[1]",
        "state x = 0\nx' = 1\nmeasure m = m",
        "state x = 0\nx' = 1\nmeasure m = final(m)",
        "state x = 0\nx' = f\nfunction f(a) = a",
        "state x = 0\ny = sum(y for i in 1..2)\nx' = y",
        "state x = 0\nx' = x'",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) compile_text(refused[i], REFUSED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(long_sums_are_refused_or_read),
        cmocka_unit_test(long_chains_of_definitions),
        cmocka_unit_test(many_unknown_parts_are_told),
        cmocka_unit_test(exponential_functions_end),
        cmocka_unit_test(exponential_definitions_are_shared),
        cmocka_unit_test(huge_sizes_are_refused),
        cmocka_unit_test(huge_and_tiny_numbers),
        cmocka_unit_test(large_files),
        cmocka_unit_test(long_lists),
        cmocka_unit_test(parts),
        cmocka_unit_test(long_names),
        cmocka_unit_test(strange_bytes),
        cmocka_unit_test(every_beginning_of_a_model),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(things_that_need_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
