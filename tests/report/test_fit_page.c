/* The page of a fit: what stands in it, and that nothing of it becomes markup. */
#include "unit.h"

#include "../fit/linear.h"
#include <drystone/math.h>
#include <drystone/report.h>

enum { N = 400 };
static const double TURN = 6.283185307179586;

/* force = a + b sin over a position that goes to and fro; the last quarter is held out. */
static linear *a_fit(void) {
    linear *l = linear_new(N, 2);
    noise from = noise_of(3, 0.0);
    for (int i = 0; i < N; i++) {
        l->X[2 * i] = 1.0;
        l->X[2 * i + 1] = sin(TURN * i / 50.0);
        l->y[i] = 1.0 + 2.0 * l->X[2 * i + 1] + 0.1 * gauss(&from);
        l->held[i] = i >= 300;
    }
    linear_solve(l);
    l->output.train = (dry_fit_size){0.1, 0.07, 300};
    l->output.hold = (dry_fit_size){0.1, 0.08, 100};
    return l;
}

static dry_record *a_run(void) {
    static const dry_quantity columns[] = {{"t", "s"}, {"x", "m"}, {"v", "m/s"}};
    dry_record *run = dry_record_new(columns, 3);
    for (int i = 0; i < N; i++) {
        const double turn = TURN * i / 50.0, t = 0.01 * i;
        assert_int_equal(dry_record_add(run, (const double[]){t, cos(turn), -sin(turn)}), DRY_OK);
    }
    return run;
}

static char *page_of(const dry_fit_page *page) {
    char *text = NULL;
    size_t length;
    dry_error error = {0};
    FILE *stream = dry_text_open(&text, &length);
    is_ok(dry_fit_page_print(page, stream, &error), &error);
    assert_true(dry_text_close(stream, &text));
    return text;
}

static void has(const char *page, const char *words) {
    if (!strstr(page, words)) fail_msg("the page lacks: %s", words);
}

static void lacks(const char *page, const char *words) {
    if (strstr(page, words)) fail_msg("the page has: %s", words);
}

static void all_sections(void **state) {
    (void)state;
    linear *l = a_fit();
    dry_record *run = a_run();
    const dry_record *runs[] = {run};
    const dry_fit_page page = {.path = "block.dry",
                               .title = "A block",
                               .result = &l->result,
                               .runs = runs,
                               .fitted = "param F = 1 [N]\n",
                               .command = "drystone fit block.dry",
                               .seconds = 0.5};
    char *text = page_of(&page);
    static const char *const words[] = {"<title>Fit of A block</title>",
                                        "id=\"parameters\"",
                                        "id=\"outputs\"",
                                        "id=\"pictures\"",
                                        "id=\"correlation\"",
                                        "force: measured and model",
                                        "force: residuals, model less measured",
                                        "force: loops",
                                        "force: residuals over the position",
                                        "force: residuals over the speed",
                                        "force: residuals over the phase of a cycle",
                                        "force: autocorrelation of the residuals",
                                        "force: residuals if it came later than the model",
                                        "held out",
                                        "param F = 1 [N]",
                                        "drystone fit block.dry"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) has(text, words[i]);
    lacks(text, "id=\"ranking\"");
    lacks(text, ">nan<");
    free(text);
    dry_record_free(run);
    linear_free(l);
}

/* Without a run, a period, a text: their pictures and sections are not there. */
static void what_is_not_there(void **state) {
    (void)state;
    linear *l = linear_new(N, 1);
    noise from = noise_of(5, 0.0);
    for (int i = 0; i < N; i++) l->X[i] = i, l->y[i] = 3.0 * i + gauss(&from);
    linear_solve(l);
    char *text = page_of(&(dry_fit_page){.title = "A line", .result = &l->result});
    has(text, "force: measured and model");
    lacks(text, "loops");
    lacks(text, "over the phase");
    lacks(text, "id=\"correlation\"");
    lacks(text, "id=\"text\"");
    free(text);
    linear_free(l);
}

static void markup_is_text(void **state) {
    (void)state;
    linear *l = a_fit();
    l->par[0].name = "<b>a";
    l->par[0].why = "if t < T & more";
    l->output.name = "</script>";
    const dry_fit_page page = {.title = "<i>", .result = &l->result, .fitted = "f < 1 & g"};
    char *text = page_of(&page);
    lacks(text, "<b>a");
    lacks(text, "<i>");
    has(text, "&lt;b&gt;a");
    has(text, "if t &lt; T &amp; more");
    has(text, "f &lt; 1 &amp; g");
    const char *data = strstr(text, "id=\"data\"");
    assert_non_null(data);
    const char *end = strstr(data, "</script>");
    assert_non_null(end);
    assert_memory_equal(end - 2, "]}", 2); /* the data end where the script does */
    free(text);
    linear_free(l);
}

/* The interval of a parameter at a bound begins there, one without effect has none, and the page
 * says why. */
static void what_is_said_of_parameters(void **state) {
    (void)state;
    linear *l = a_fit();
    l->par[0].at_low = true, l->par[0].low = l->par[0].value;
    l->par[1].no_effect = true;
    linear_judge(l);
    char *text = page_of(&(dry_fit_page){.title = "A block", .result = &l->result});
    has(text, "at its lower bound, where the interval begins</td>");
    has(text, "<td class=\"number\">none</td>");
    has(text, "without effect");
    has(text, "<b>warning</b> a ended at its lower bound");
    free(text);
    linear_free(l);
}

/* Held rows decide; without them the rows of the fit and the number of parameters do. */
static void a_ranking(void **state) {
    (void)state;
    linear *good = a_fit(), *bad = a_fit();
    bad->output.train.fraction = 0.05, bad->output.hold.fraction = 0.2;
    dry_fit_rank ranks[] = {{.name = "bad", .result = &bad->result},
                            {.name = "good", .result = &good->result}};
    dry_fit_rank_all(ranks, 2);
    assert_string_equal(ranks[0].name, "good");
    near(ranks[0].hold, 0.08, 1e-15);
    near(ranks[1].train, 0.05, 1e-15);
    const double rows = bad->result.stats.independent; /* of the least residuals */
    near(ranks[1].bic, 2.0 * rows * log(0.05) + 2.0 * log(rows), 1e-9);
    near(ranks[0].aic, 2.0 * rows * log(0.07) + 4.0, 1e-9);
    char *text = page_of(
        &(dry_fit_page){.title = "A block", .result = &good->result, .ranks = ranks, .n_ranks = 2});
    has(text, "id=\"ranking\"");
    assert_true(strstr(text, "<code>good") < strstr(text, "<code>bad"));
    free(text);
    good->output.hold.rows = bad->output.hold.rows = 0;
    dry_fit_rank_all(ranks, 2);
    assert_string_equal(ranks[0].name, "bad");
    is_nan(ranks[0].hold);
    linear_free(good);
    linear_free(bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sections),   cmocka_unit_test(what_is_not_there),
        cmocka_unit_test(markup_is_text), cmocka_unit_test(what_is_said_of_parameters),
        cmocka_unit_test(a_ranking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
