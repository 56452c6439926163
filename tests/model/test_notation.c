/* The inclusion of a law in LaTeX and MathML: it is printed for every law whose row has one, as the
 * paper writes it, and is whole: each bracket and each tag is closed, each row has one sign. */
#include "unit.h"

#include <drystone/law.h>
#include <drystone/model.h>
#include <stdlib.h>
#include <string.h>

typedef void print_fn(const dry_model *model, bool derived, FILE *stream);

static char *printed(const char *text, print_fn *print, bool derived) {
    enum { MOST = 100000 };
    char *out = calloc(1, MOST);
    FILE *stream = tmpfile();
    dry_model *model = dry_model_compile("text", text, strlen(text), NULL);
    assert_true(out && stream && model);
    if (!dry_model_ok(model)) fail_msg("%s: %s", text, dry_model_message(model, 0).text);
    print(model, derived, stream);
    rewind(stream);
    below(fread(out, 1, MOST - 1, stream), MOST - 1);
    fclose(stream);
    dry_model_free(model);
    return out;
}

static int count(const char *text, const char *word) {
    int n = 0;
    for (; (text = strstr(text, word)); text += strlen(word)) n++;
    return n;
}

static void latex_is_whole(const char *text) {
    int depth = 0;
    for (const char *c = text; *c; c++) {
        depth += (*c == '{') - (*c == '}');
        assert_true(depth >= 0);
        if (*c == '_') assert_true(c[1] == '{' || c[-1] == '\\');
    }
    assert_int_equal(depth, 0);
    assert_int_equal(count(text, "\\left"), count(text, "\\right"));
    assert_int_equal(count(text, "&"), count(text, "\\\\") + 1);
    assert_int_equal(count(text, "<"), 0); /* nothing is left open in a pattern */
}

/* Tags close in the order in which they opened. */
static void mathml_is_whole(const char *text) {
    const char *open[200];
    int depth = 0;
    for (const char *c = text; (c = strchr(c, '<')); c++) {
        const char *end = strchr(c, '>'), *name = c[1] == '/' ? c + 2 : c + 1;
        assert_non_null(end);
        if (end[-1] == '/') continue;
        const size_t length = strcspn(name, " >");
        if (c[1] != '/') {
            assert_true(depth < 200);
            open[depth++] = name;
            continue;
        }
        assert_true(depth > 0);
        depth--;
        if (strncmp(open[depth], name, length) != 0 || strcspn(open[depth], " >") != length)
            fail_msg("%.20s is closed by %.20s", open[depth], name);
    }
    assert_int_equal(depth, 0);
    assert_int_equal(count(text, "<mtr>") * 3, count(text, "<mtd>"));
    assert_int_equal(count(text, "<f>") + count(text, "<u>") + count(text, "<v>"), 0);
}

static void look_at(const char *text, const char *sets) {
    char *latex = printed(text, dry_model_print_latex, false);
    char *mathml = printed(text, dry_model_print_mathml, false);
    latex_is_whole(latex);
    mathml_is_whole(mathml);
    assert_int_equal(count(latex, "\\in "), 1);
    assert_int_equal(count(mathml, "<mo>∈</mo>"), 1);
    assert_int_equal(count(latex, sets), 1);
    free(latex);
    free(mathml);
}

static void every_row_is_printed(void **state) {
    int seen = 0;
    (void)state;
    for (int i = 0; i < dry_law_count(); i++) {
        const dry_law *law = dry_law_at(i);
        const bool contact = law->kind == DRY_CONTACT;
        if (!law->inclusion) continue;
        char text[400];
        seen++;
        snprintf(text, sizeof text,
                 "state x = 1 [m], v = 1 [m/s]\nx' = v\n1 [kg]*v' = %s\nf = %s(%s)\n",
                 contact ? "f" : "-f", law->name,
                 !contact         ? "v"
                 : law->uses_rate ? "x, v"
                                  : "x");
        look_at(text, contact ? "\\operatorname{dio}" : "\\operatorname{sgn}");
    }
    at_least(seen, 2);
}

static void says(const char *text, print_fn *print, const char *wanted) {
    char *out = printed(text, print, false);
    if (!strstr(out, wanted)) fail_msg("%s\nlacks\n%s", out, wanted);
    free(out);
}

#define BLOCK "state x = 0 [m], v = 1 [m/s]\nx' = v\n"
#define BLOCKS "state x[2] = 0 [m], v[2] = 1 [m/s]\nx' = v\n1 [kg]*v[i]' = -f[i] for i in 1..2\n"

/* XD (4.12b) for a law by its name, after a set with a minus and a level, and in a loop over i. */
static void multistate_as_in_the_paper(void **state) {
    (void)state;
    static const char sum[] = "\\kappa_{f,i} a_{f,i} + \\sigma_{f,i} \\dot a_{f,i} &\\in "
                              "\\lambda_{f,i} \\gamma_{f} "
                              "\\operatorname{sgn}\\left(v - \\dot a_{f,i}\\right)";
    static const char after_a_set[] =
        BLOCK "1 [kg]*v' = f\nf in -2 [N]*sgn(v) with law = multistate(N = 3)\n";
    says(BLOCK "1 [kg]*v' = -f\nf = multistate(v)\n", dry_model_print_latex, sum);
    says(after_a_set, dry_model_print_latex, sum);
    says(after_a_set, dry_model_print_latex, "-f &= \\sum_{i=1}^{N_{f}}");
    says(after_a_set, dry_model_print_latex, "F_{c,f} &= 2\\,\\mathrm{N}");
    look_at(after_a_set, "\\operatorname{sgn}");
    says(BLOCKS "f[i] = multistate(v[i]) for i in 1..2\n", dry_model_print_latex,
         "\\sum_{k=1}^{N_{f^{(i)}}}");
}

/* The indentation is p, not minus minus p. */
static void a_minus_is_not_doubled(void **state) {
    (void)state;
    static const char into[] = BLOCK "1 [kg]*v' = -f\nf = compliant(-x)\n";
    static const char apart[] = BLOCK "1 [kg]*v' = f\nf = compliant(x)\n";
    says(into, dry_model_print_latex, "\\delta_{f} = x");
    says(into, dry_model_print_mathml, "<mo>=</mo><mi>x</mi>");
    says(apart, dry_model_print_latex, "\\delta_{f} = -x");
    says(apart, dry_model_print_mathml, "<mo>=</mo><mo>−</mo><mi>x</mi>");
}

/* LaTeX has commands for what a text writes as letters and signs of UTF-8. */
static void letters_are_latex(void **state) {
    (void)state;
    says("state σ = 0, ώ_1 = 1, αx = 2, ϗ = 3\nσ' = ώ_1\nώ_1' = αx\nαx' = ϗ\nϗ' = 1\n",
         dry_model_print_latex, "\\dot{{\\sigma}} &= {\\acute\\omega}_{1}");
    says("state αx = 2\nαx' = 1\n", dry_model_print_latex, "\\dot{\\mathit{{\\alpha}x}}");
    says("state ϗ = 2\nϗ' = 1\n", dry_model_print_latex, "\\dot{\\mathrm{U03D7}}");
    says("state x = 0 [µm]\nx' = 2 [μm/s]\n", dry_model_print_latex, "2\\,\\mathrm{\\mu m/s}");
    says("state x = 0 [m³]\nx' = 2 [m²·m/s]\n", dry_model_print_latex, "2\\,\\mathrm{m^{2}\\,m/s}");
}

/* omega of a part is a letter, and q_dot is q with two indices, not q, d, o, t. */
static void members_are_latex(void **state) {
    (void)state;
    const char *text = "part ball = sphere(radius = 0.1 [m], mass = 1 [kg])\n"
                       "part hand = arm(links = 2, length = 1 [m], mass = 1 [kg])\n"
                       "spin = ball.omega[3]\nturn = hand.q_dot[1]\n";
    says(text, dry_model_print_latex, "{\\omega_{\\mathit{ball}}}_{3}");
    says(text, dry_model_print_latex, "{q_{dot,\\mathit{hand}}}_{1}");
}

static void units_are_latex(void **state) {
    (void)state;
    says("state x = 0 [m]\nx' = 2 [um/s]\n", dry_model_print_latex, "2\\,\\mathrm{\\mu m/s}");
    says("state v = 0 [m/s]\nv' = 2 [m s^-2]\n", dry_model_print_latex, "2\\,\\mathrm{m\\,s^{-2}}");
    says("state a = 0 [m^2]\na' = 2 [m^2.s^-1]\n", dry_model_print_latex,
         "\\mathrm{m^{2}\\,s^{-1}}");
}

/* LaTeX refuses an align without rows; a comment it reads. */
static void parts_alone_are_no_align(void **state) {
    (void)state;
    static const char parts[] = "part cart = point_mass(mass = 2 [kg], p = 0.1 [m])\n"
                                "part spring = spring(K = 800 [N/m])\nconnect spring - cart\n"
                                "run until = 1 [s], step = 1 [ms]\n";
    char *latex = printed(parts, dry_model_print_latex, false);
    assert_int_equal(count(latex, "align"), 0);
    assert_true(latex[0] == '%' && latex[strlen(latex) - 1] == '\n');
    free(latex);
}

/* What is solved in its place is no set any more. */
static void derived_equations_name_the_law(void **state) {
    (void)state;
    static const char text[] =
        BLOCK "1 [kg]*v' = f\nf in -2 [N]*sgn(v) with law = multistate(N = 3)\n";
    char *latex = printed(text, dry_model_print_latex, true);
    char *mathml = printed(text, dry_model_print_mathml, true);
    assert_int_equal(count(latex, "\\in ") + count(mathml, "∈"), 0);
    assert_non_null(strstr(latex, "f &= -\\operatorname{multistate}\\left(v\\right)"));
    latex_is_whole(latex);
    mathml_is_whole(mathml);
    free(latex);
    free(mathml);
}

/* XD (5.5a) */
static void compliant_as_in_the_paper(void **state) {
    (void)state;
    static const char text[] = BLOCK "1 [kg]*v' = N\nN in dio(x) with law = compliant(K = 1e4)\n";
    says(text, dry_model_print_latex,
         "a_{N} + \\left(\\frac{1}{\\gamma_{N}} + \\beta_{1,N} + \\beta_{2,N} a_{N}\\right) "
         "\\dot a_{N} &\\in \\operatorname{dio}\\left(\\gamma_{N} \\left(a_{N} - s_{N}\\right) + "
         "\\dot a_{N}\\right)");
    look_at(text, "\\operatorname{dio}");
}

/* A set with the law that relaxes it is its own inclusion. */
static void sets_stay_as_written(void **state) {
    (void)state;
    says(BLOCK "1 [kg]*v' = -f\nf in 2 [N]*sgn(v)\n", dry_model_print_latex,
         "f &\\in 2\\,\\mathrm{N}");
    says(BLOCK "1 [kg]*v' = -f\nf = hunt_crossley(x, v)\n", dry_model_print_latex,
         "hunt\\_crossley");
}

static void a_transpose_is_typeset(void **state) {
    (void)state;
    static const char text[] = "param A = [[1, 0], [0, 2]]\nstate v[2] = [1, 1] [m/s]\n"
                               "f in 1 [N]*transpose(A)*sgn(A*v)\n1 [kg]*v' = -f\n";
    char *latex = printed(text, dry_model_print_latex, false);
    char *mathml = printed(text, dry_model_print_mathml, false);
    assert_non_null(strstr(latex, "{A}^{\\mathsf{T}}"));
    assert_non_null(strstr(mathml, "T</mi></msup>"));
    mathml_is_whole(mathml);
    free(latex), free(mathml);
}

static void print_derived(const dry_model *model, bool derived, FILE *stream) {
    (void)derived;
    dry_model_print_latex(model, true, stream);
}

/* A vector of two before a set is an interval, in the text and in what is solved. */
static void two_levels_are_an_interval(void **state) {
    (void)state;
    static const char text[] = BLOCK "1 [kg]*v' = -f\nf in [-2, 3] [N]*sgn(v)\n";
    char *latex = printed(text, dry_model_print_latex, false);
    char *derived = printed(text, dry_model_print_latex, true);
    char *mathml = printed(text, dry_model_print_mathml, false);
    assert_non_null(strstr(latex, "f &\\in \\left[-2\\,\\mathrm{N}, 3\\,\\mathrm{N}\\right]"));
    assert_non_null(strstr(derived, "\\operatorname{sat}\\left(\\left["));
    assert_null(strstr(mathml, "<mtable><mtr><mtd><mo>−"));
    latex_is_whole(latex), latex_is_whole(derived), mathml_is_whole(mathml);
    free(latex), free(derived), free(mathml);
}

/* sgn(-3 v) = -sgn(v), and K belongs to v: what is printed is what runs. */
static void a_factor_of_the_slide_is_left_out(void **state) {
    (void)state;
    says(BLOCK "1 [kg]*v' = f\nf in 2 [N]*sgn(-3*v)\n", print_derived,
         "f &= -\\operatorname{sat}\\left(2\\,\\mathrm{N},\\ K_{f}\\left(a_{f} + \\beta_{f} "
         "v\\right)\\right)");
    says(BLOCK "1 [kg]*v' = f\nf in [-2, 3] [N]*sgn(v/-3)\n", print_derived,
         "\\beta_{f} \\left(-v\\right)\\right)");
}

/* A delay is written as a function of t - T, with what was before the start. */
static void delays_are_arguments(void **state) {
    (void)state;
    static const char text[] = "param T = 1 [s]\nstate x = 1\n"
                               "x' = -delay(x, T + 1 [s])/T - delay(x, T, cos(t/T))/T\n"
                               "run until = 9 [s], step = 10 [ms]\n";
    char *latex = printed(text, dry_model_print_latex, true);
    assert_non_null(strstr(latex, "x\\left(t - \\left(T + 1\\,\\mathrm{s}\\right)\\right)"));
    assert_non_null(strstr(latex, "x\\left(t - T\\right)\\big|_{t \\le 0:\\ \\cos"));
    latex_is_whole(latex);
    free(latex);
    char *mathml = printed(text, dry_model_print_mathml, true);
    assert_non_null(strstr(mathml, "<mi>t</mi><mo>−</mo><mi>T</mi>"));
    mathml_is_whole(mathml);
    free(mathml);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_levels_are_an_interval),
        cmocka_unit_test(a_factor_of_the_slide_is_left_out),
        cmocka_unit_test(a_transpose_is_typeset),
        cmocka_unit_test(every_row_is_printed),
        cmocka_unit_test(multistate_as_in_the_paper),
        cmocka_unit_test(a_minus_is_not_doubled),
        cmocka_unit_test(letters_are_latex),
        cmocka_unit_test(members_are_latex),
        cmocka_unit_test(units_are_latex),
        cmocka_unit_test(parts_alone_are_no_align),
        cmocka_unit_test(derived_equations_name_the_law),
        cmocka_unit_test(compliant_as_in_the_paper),
        cmocka_unit_test(sets_stay_as_written),
        cmocka_unit_test(delays_are_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
