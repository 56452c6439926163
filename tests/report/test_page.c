/* A page is well formed, carries its curves, and lets no text of a model become markup. */
#define _POSIX_C_SOURCE 200809L
#include "unit.h"

#include "base/comma.h"
#include "report/report_private.h"
#include "run.h"
#include <math.h>
#include <unistd.h>

static const char block[] =
    "# A block <b>slides</b> & stops.\n"
    "model block \"</title><script>owned()</script>\"\n"
    "param F = 0.5 [N]\n"
    "state p = 0 [m], v = 1 [m/s]\n"
    "f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]    # <script>owned()</script>\n"
    "p' = v\n1 [kg]*v' = -f\n"
    "run until = 3 [s], step = 1 [ms]\n"
    "plot p, if p < 1 then p else 0\n"
    "# <script>owned()</script>\n"
    "expect final(p) = 1 +- 0.01    # </table><script>owned()</script>\n";

static char *read_page(const finished *f) {
    char path[] = "/tmp/drystone-page-XXXXXX", *text = NULL;
    dry_error error = {0};
    const int file = mkstemp(path);
    at_least(file, 0);
    close(file);
    is_ok(dry_report_write(&f->card, path, &error), &error);
    is_ok(dry_file_read(path, 0, &text, NULL, &error), &error);
    unlink(path);
    return text;
}

/* ---- well formed -------------------------------------------------------------------------------
 */

static bool is_void(const char *tag, size_t n) {
    static const char *const names[] = {"meta", "link", "!DOCTYPE", "img", "source"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && !strncmp(names[i], tag, n)) return true;
    return false;
}

/* Every element is closed in its turn; what is in a style or a script is passed over. */
static void check_nesting(const char *text) {
    const char *open[64];
    size_t length[64];
    int depth = 0;
    for (const char *c = strchr(text, '<'); c; c = strchr(c + 1, '<')) {
        const bool closing = c[1] == '/';
        const char *tag = c + 1 + closing, *end = strchr(c, '>');
        assert_non_null(end);
        const size_t n = strcspn(tag, " />");
        if (closing) {
            above(depth, 0);
            depth--;
            assert_int_equal(n, length[depth]);
            assert_memory_equal(open[depth], tag, n);
        } else if (end[-1] != '/' && !is_void(tag, n)) {
            below(depth, 64);
            open[depth] = tag;
            length[depth++] = n;
            if (!strncmp(tag, "script", 6)) c = strstr(c, "</script") - 1;
            if (!strncmp(tag, "style", 5)) c = strstr(c, "</style") - 1;
        }
    }
    assert_int_equal(depth, 0);
}

/* Titles and legends are those of the drawn pictures: v with its index lowered, and the unit. */
static void test_titles(void **state) {
    (void)state;
    finished f;
    run_text(&f, "state x = 0 [m], v[2] = 1 [m/s]\nx' = v[1]\nv[i]' = 0 [m/s^2] for i in 1..2\n"
                 "run until = 1 [s], step = 0.1 [s]\nplot v[2]\nplot x, v[1] against v[2]\n");
    char *text = read_page(&f);
    assert_non_null(
        strstr(text, "\"texts\":{\"title\":\"\",\"across\":\"t [s]\",\"up\":\"v\uE032 [m/s]\","));
    assert_non_null(strstr(text, "\"labels\":[\"x [m]\",\"v\uE031 [m/s]\"]"));
    assert_non_null(strstr(text, "\"abscissa\":\"v\uE032\",\"unit\":\"m/s\""));
    assert_non_null(strstr(text, "drawTitle(view, g, view.yTitle"));
    free(text);
    end_run(&f);
}

static void test_units(void **state) {
    (void)state;
    static const char *const units[][2] = {{"m/s^2", "m/s<sup>2</sup>"},
                                           {"kg s^-0.5 m", "kg s<sup>−0.5</sup> m"},
                                           {"m^2.s", "m<sup>2</sup>.s"}};
    for (int i = 0; i < 3; i++) {
        char *text;
        WRITTEN(text, dry_report__unit(units[i][0], stream));
        assert_string_equal(text, units[i][1]);
        free(text);
    }
}

static void test_nesting(void **state) {
    (void)state;
    finished f;
    run_text(&f, block);
    char *text = read_page(&f);
    check_nesting(text);
    free(text);
    end_run(&f);
}

static void test_mathml(void **state) {
    (void)state;
    finished f;
    char *inclusion, *derived;
    run_text(&f, "param mu_1 = 0.5\nstate x[2] = 1, y = 0\n"
                 "function h(u) = if u < 0 then -u^2 else if u < 1 then sqrt(u) else 1e-3\n"
                 "f in max(0, 1 - y)*sgn(y)\ng = h(t/1 [s])\n"
                 "a = [[1, 2], [3, 4]]*x\n"
                 "x[i]' = -x[i]/2 [s]*(1 - y) for i in 1..2\n"
                 "1 [s]*y' = -f + sum(x[k] for k in 1..2)*mu_1 + a[1]\n"
                 "run until = 1 [s], step = 1 [ms]\n");
    WRITTEN(inclusion, dry_model_print_mathml(f.model, false, stream));
    WRITTEN(derived, dry_model_print_mathml(f.model, true, stream));
    check_nesting(inclusion);
    check_nesting(derived);
    assert_non_null(strstr(inclusion, "<mo>∈</mo>"));
    assert_null(strstr(derived, "<mo>∈</mo>"));
    assert_non_null(strstr(derived, "<mi>sat</mi>"));
    assert_non_null(strstr(derived, "<msub><mi>μ</mi>"));
    assert_non_null(strstr(derived, "otherwise"));
    free(inclusion);
    free(derived);
    end_run(&f);
}

/* ---- words -------------------------------------------------------------------------------------
 */

static void test_one_step(void **state) {
    (void)state;
    finished f;
    run_text(&f, "state x = 1\nx' = -x/1 [s]\nrun until = 1 [s], step = 1 [s]\n");
    char *text = read_page(&f);
    assert_non_null(strstr(text, "<span>1 step</span>"));
    free(text);
    end_run(&f);
}

/* ---- safe
 * ---------------------------------------------------------------------------------------- */

static void test_escaped(void **state) {
    (void)state;
    finished f;
    run_text(&f, block);
    char *text = read_page(&f);
    assert_null(strstr(text, "<script>owned"));
    assert_null(strstr(text, "<b>slides"));
    assert_non_null(strstr(text, "&lt;script&gt;owned()"));
    assert_non_null(strstr(text, "&lt;b&gt;slides&lt;/b&gt; &amp; stops."));
    assert_non_null(strstr(text, "1 of 1 met"));
    assert_null(strstr(text, "src=\"http"));
    free(text);
    end_run(&f);
}

/* A shell reads back what was asked for. */
static void test_command(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, block);
    f.card.verdict = "";
    WRITTEN(text, dry_report__command(&f.card, stream));
    assert_non_null(strstr(text, "<code>drystone run test.dry</code>"));
    free(text);
    const dry_setting settings[] = {{.name = "F", .value = 0.1},
                                    {.name = "a[1]", .value = -2.5e-7}};
    const dry_model_options options = {
        .settings = settings,
        .n_settings = 2,
        .run = {.until = 2.0, .step = 5e-4, .method = dry_method_find("heun")},
        .force = true};
    f.card.path = "it's <b>.dry";
    f.card.options = &options;
    f.card.verdict = "converged";
    WRITTEN(text, dry_report__command(&f.card, stream));
    const char *line = "drystone run &#39;it&#39;\\&#39;&#39;s &lt;b&gt;.dry&#39; -p F=0.1 -p "
                       "&#39;a[1]=-2.5e-7&#39; --method heun --until 2 --step 0.0005 --force "
                       "--verify</code>";
    assert_non_null(strstr(text, line));
    free(text);
    char *page = read_page(&f);
    assert_non_null(strstr(page, line));
    free(page);
    end_run(&f);
}

static void test_json(void **state) {
    (void)state;
    char *text;
    WRITTEN(text, dry_report__json("a</script>\"\\\n&", stream));
    assert_string_equal(text, "\"a\\u003c/script\\u003e\\u0022\\u005c\\u000a\\u0026\"");
    free(text);
}

static void test_numbers(void **state) {
    (void)state;
    static const struct {
        double x;
        const char *text;
    } rows[] = {{0.5, "0.5"},  {-2.0, "−2"},    {1e-6, "10<sup>−6</sup>"},
                {NAN, "none"}, {INFINITY, "∞"}, {1.5e8, "1.5\u202f·\u202f10<sup>8</sup>"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text;
        WRITTEN(text, dry_report__number(rows[i].x, 4, stream));
        assert_string_equal(text, rows[i].text);
        free(text);
    }
}

static void test_whole_or_not(void **state) {
    (void)state;
    finished f;
    dry_error error = {0};
    run_text(&f, block);
    assert_int_equal(dry_report_write(&f.card, "/tmp/drystone-no-such-folder/a.html", &error),
                     DRY_IO);
    end_run(&f);
}

/* ---- curves
 * ---------------------------------------------------------------------------------------- */

/* p = t - t^2/4 while the block slides: from 0 to 1 in steps of 2^-24. */
static void test_codes(void **state) {
    (void)state;
    finished f;
    char *text;
    const dry_report__bands none = {0};
    run_text(&f, block);
    WRITTEN(text, dry_report__data(&f.card, &none, stream));
    const char *curve = strstr(text, "\"curves\":[");
    const char *codes = strstr(curve, "\"codes\":\"") + 9;
    double low, high;
    assert_int_equal(sscanf(strstr(curve, "\"low\":"), "\"low\":%lf,\"high\":%lf", &low, &high), 2);
    const double *p = dry_record_values(f.result.record, 1);
    assert_int_equal(dry_record_rows(f.result.record), 3001);
    for (size_t row = 0; row < 3001; row += 250) {
        const unsigned code = code_at(codes + 4 * row);
        closer(low + code * (high - low) / ((1 << 24) - 2), p[row], (high - low) / (1 << 24));
    }
    free(text);
    end_run(&f);
}

/* ---- the link to a playground ------------------------------------------------------------------
 */

/* RFC 1951, 3.2.4: 1 for the last block, its length, the complement, the bytes; 01 02 00 fd ff,
 * "hi". */
static void test_deflated(void **state) {
    (void)state;
    char *text;
    WRITTEN(text, assert_true(dry_report__deflated("hi", 2, stream)));
    assert_string_equal(text, "AQIA_f9oaQ");
    free(text);
    char *large = calloc(1, 70000), *once;
    memset(large, 'a', 70000);
    WRITTEN(once, assert_true(dry_report__deflated(large, 70000, stream)));
    assert_memory_equal(once, "AP__AABhYWFh", 12);               /* 00 ffff 0000 aaaa */
    assert_int_equal(strlen(once), (70000 + 2 * 5) * 4 / 3 + 1); /* two blocks, without = */
    free(once);
    free(large);
}

/* With the parameters that were set, and the method; without an address, or if the address cannot
 * say what ran, there is no link. An address that names the model needs no text. */
static void test_link(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, "param F = 0.5 [N], a = [1, 2]\nstate v = a[2]\nv' = -F*v/1 [N s]\n"
                 "run until = 1 [s], step = 1 [ms]\n");
    WRITTEN(text, dry_report__link(&f.card, stream));
    assert_string_equal(text, "");
    free(text);
    const dry_setting settings[] = {{.name = "F", .text = "500 mN"},
                                    {.name = "a", .text = "[1, 2]"}};
    dry_model_options options = {
        .settings = settings, .n_settings = 2, .run = {.method = dry_method_find("heun")}};
    f.card.options = &options;
    f.card.path = "models/my <b>.dry";
    f.card.playground = "https://example.org/\"><script>";
    WRITTEN(text, dry_report__link(&f.card, stream));
    assert_non_null(strstr(text, "href=\"https://example.org/&quot;&gt;&lt;script&gt;#z=A"));
    assert_non_null(strstr(text,
                           "&amp;name=my%20%3Cb%3E.dry&amp;p.F=0.5&amp;p.a[1]=1&amp;p.a[2]=2&amp;"
                           "method=heun\">"));
    check_nesting(text);
    free(text);
    f.card.playground = "../playground/index.html#model=hello";
    WRITTEN(text, dry_report__link(&f.card, stream));
    assert_non_null(strstr(text, "\"../playground/index.html#model=hello&amp;p.F=0.5&amp;"));
    free(text);
    const dry_given_input input = {.name = "u"};
    options.inputs = &input;
    options.n_inputs = 1;
    WRITTEN(text, dry_report__link(&f.card, stream));
    assert_string_equal(text, "");
    free(text);
    end_run(&f);
}

/* ---- data -------------------------------------------------------------------------------------
 */

static int count(const char *text, const char *what) {
    int n = 0;
    for (const char *c = strstr(text, what); c; c = strstr(c + 1, what)) n++;
    return n;
}

/* What a page is refreshed with is what it was written with, between its braces; without markup a
 * text of a model can never become some, and the sections are escaped as in the page. */
static void test_data(void **state) {
    (void)state;
    finished f;
    char *alone, *sections;
    run_text(&f, block);
    WRITTEN(alone, dry_report_data(&f.card, false, stream, NULL));
    WRITTEN(sections, dry_report_data(&f.card, true, stream, NULL));
    char *page = read_page(&f);
    const char *data = strstr(page, "id=\"data\">") + strlen("id=\"data\">");
    assert_memory_equal(data, alone, strlen(alone));
    assert_memory_equal(sections, alone, strlen(alone) - 1);
    assert_memory_equal(data + strlen(alone), "</script>", 9);
    assert_null(strchr(sections, '<'));
    static const char *const names[] = {"how",      "messages", "expectations", "model",
                                        "measures", "energy",   "verified"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char key[40], place[40];
        snprintf(key, sizeof key, "\"%s\":\"", names[i]);
        snprintf(place, sizeof place, "data-section=\"%s\"", names[i]);
        assert_int_equal(count(sections, key), 1);
        assert_int_equal(count(page, place), 1);
    }
    free(page);
    free(alone);
    free(sections);
    end_run(&f);
}

/* A model that has not run has no pictures, and says so by empty lists. */
static void test_no_run(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, block);
    f.card.record = NULL;
    WRITTEN(text, dry_report_data(&f.card, false, stream, NULL));
    assert_string_equal(text, "{\"from\":0,\"until\":0,\"panels\":[],\"bands\":[]}");
    free(text);
    end_run(&f);
}

/* ---- panels -----------------------------------------------------------------------------------
 */

/* The number after a key, from a place in the text on. */
static double number_after(const char *text, const char *key) {
    const char *at = strstr(text, key);
    double x;
    assert_non_null(at);
    assert_int_equal(sscanf(at + strlen(key), "%lf", &x), 1);
    return x;
}

/* y = 10^(t/s - 2) on a logarithmic axis: the codes are those of the logarithm, from -2 to 1, so
 * that a third of the way up is 0.1 to the same digits as 10 at the top. */
static void test_logarithmic(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, "state x = 0.01\nx' = 2.302585092994046*x/1 [s]\n"
                 "run until = 3 [s], step = 1 [ms]\nplot x with log = y\n");
    WRITTEN(text, dry_report_data(&f.card, false, stream, NULL));
    const char *axis = strstr(text, "\"y\":{\"log\":true,\"fixed\":false,"),
               *curve = strstr(text, "\"curves\":[");
    assert_non_null(axis);
    closer(number_after(axis, "\"low\":"), -2.0, 1e-12);
    closer(number_after(axis, "\"high\":"), 1.0, 1e-6);
    const double low = number_after(curve, "\"low\":"), high = number_after(curve, "\"high\":");
    const char *codes = strstr(curve, "\"codes\":\"") + 9;
    for (int i = 0; i < 4; i++)
        closer(low + code_at(codes + 4000 * i) * (high - low) / ((1 << 24) - 2), i - 2.0, 1e-6);
    free(text);
    end_run(&f);
}

/* A range of the abscissa: rows outside of it are left out, but for one on either side; curves
 * with abscissae of their own carry them; a band has its stretch; the second ordinate its name. */
static void test_asked_for(void **state) {
    (void)state;
    finished f;
    char *text;
    run_text(&f, "state x = 0 [m], y = 0 [m]\nx' = 1 [m/s]\ny' = 2 [m/s]\n"
                 "late = if t > 0.45 [s] then 1 else 0\n"
                 "run until = 1 [s], step = 0.1 [s]\n"
                 "plot x from 0.25 [s] to 0.55 [s] with title = \"part\"\n"
                 "plot x against y, y against x\nplot x beside y shade late\n");
    WRITTEN(text, dry_report_data(&f.card, false, stream, NULL));
    assert_non_null(strstr(text, "{\"title\":\"part\","));
    equal(number_after(text, "\"x\":{\"log\":false,\"fixed\":true,\"low\":"), 0.25);
    equal(number_after(text, "\"rows\":"), 5.0); /* 0.2 to 0.6 */
    const char *own = strstr(strstr(text, "\"curves\":[") + 1,
                             "\"curves\":[{\"beside\":false,\"x\":{\"name\":\"y\"");
    assert_non_null(own);
    assert_non_null(strstr(own, "{\"beside\":false,\"x\":{\"name\":\"x\""));
    const char *band = strstr(own, "\"shades\":[{\"label\":\"late\"");
    assert_non_null(band);
    closer(number_after(band, "\"from\":["), 0.5, 1e-6);
    closer(number_after(band, "\"to\":["), 1.0, 1e-6);
    assert_non_null(strstr(band, "{\"beside\":true,\"y\":{\"name\":\"y\""));
    free(text);
    end_run(&f);
}

/* Numbers of the page are for programs: the browser draws nothing by "6,0". */
static void test_locale(void **state) {
    (void)state;
    begin_comma_locale();
    finished f;
    run_text(&f, block);
    char *there = read_page(&f);
    end_comma_locale();
    char *here = read_page(&f);
    assert_string_equal(there, here);
    free(there);
    free(here);
    end_run(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting),     cmocka_unit_test(test_titles),
        cmocka_unit_test(test_units),       cmocka_unit_test(test_mathml),
        cmocka_unit_test(test_one_step),    cmocka_unit_test(test_escaped),
        cmocka_unit_test(test_command),     cmocka_unit_test(test_json),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_whole_or_not),
        cmocka_unit_test(test_codes),       cmocka_unit_test(test_locale),
        cmocka_unit_test(test_deflated),    cmocka_unit_test(test_link),
        cmocka_unit_test(test_data),        cmocka_unit_test(test_no_run),
        cmocka_unit_test(test_logarithmic), cmocka_unit_test(test_asked_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
