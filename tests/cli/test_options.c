/* The parser of options: every spelling, every form of value, and the messages of wrong ones. */
#include "unit.h"
#include <string.h>

#include "cli/cli.h"

static const cli_option options[] = {
    {"step", 0, CLI_POSITIVE, "SECONDS", "the step", "seconds"},
    {"offset", 0, CLI_NUMBER, "X", "any number", NULL},
    {"jobs", 'j', CLI_COUNT, "N", "how many", NULL},
    {"param", 'p', CLI_SETTING, "NAME=VALUE", "a parameter", NULL},
    {"output", 'o', CLI_TEXT, "FILE", "a file", NULL},
    {"quiet", 'q', CLI_FLAG, NULL, "say less", NULL},
    {0},
};

static const cli_verb verb = {.name = "mow",
                              .arguments = "LAWN [GARDEN]",
                              .summary = "",
                              .options = options,
                              .min_words = 1,
                              .max_words = 2};

enum { MOST = 16 };
static const char *words[MOST];
static cli_given given[MOST];
static cli_args args;
static dry_error error;

/* Parses the words of a NULL-terminated list. */
static dry_status parse(char **argv) {
    int argc = 0;
    while (argv[argc]) argc++;
    args = (cli_args){.words = words, .given = given};
    error = (dry_error){0};
    return cli_parse(&verb, argc, argv, &args, &error);
}
#define PARSE(...) parse((char *[]){__VA_ARGS__, NULL})

static void reads_every_spelling(void **state) {
    (void)state;
    assert_int_equal(PARSE("a", "--step", "1e-3", "--offset=-2", "-q", "-j4", "-o", "x.csv"),
                     DRY_OK);
    equal(cli_number(&args, "step", 0), 1e-3);
    equal(cli_number(&args, "offset", 0), -2);
    equal(cli_number(&args, "jobs", 0), 4);
    assert_string_equal(cli_text(&args, "output", ""), "x.csv");
    assert_true(cli_has(&args, "quiet"));
    assert_int_equal(args.n_words, 1);
    assert_string_equal(args.words[0], "a");
}

static void gives_the_value_otherwise(void **state) {
    (void)state;
    assert_int_equal(PARSE("a"), DRY_OK);
    assert_false(cli_has(&args, "quiet"));
    equal(cli_number(&args, "step", 7), 7);
    assert_string_equal(cli_text(&args, "output", "none"), "none");
    assert_null(cli_nth(&args, "output", 0));
}

static void keeps_repeated_options_in_order(void **state) {
    (void)state;
    char K[] = "K=2", M[] = "-pM=-1e3";
    assert_int_equal(PARSE("-o", "a.csv", "-p", K, "x", "--output=b.svg", M), DRY_OK);
    assert_string_equal(cli_nth(&args, "output", 0)->text, "a.csv");
    assert_string_equal(cli_nth(&args, "output", 1)->text, "b.svg");
    assert_null(cli_nth(&args, "output", 2));
    assert_string_equal(cli_text(&args, "output", ""), "b.svg");
    assert_string_equal(cli_nth(&args, "param", 0)->text, "K");
    assert_string_equal(cli_nth(&args, "param", 0)->value, "2");
    assert_string_equal(cli_nth(&args, "param", 1)->text, "M");
    assert_string_equal(cli_nth(&args, "param", 1)->value, "-1e3");
}

static void ends_options_at_two_dashes(void **state) {
    (void)state;
    assert_int_equal(PARSE("-", "--", "--step"), DRY_OK);
    assert_int_equal(args.n_words, 2);
    assert_string_equal(args.words[0], "-");
    assert_string_equal(args.words[1], "--step");
}

static void help_needs_no_words(void **state) {
    (void)state;
    assert_int_equal(PARSE("--help"), DRY_OK);
    assert_true(args.help);
    assert_int_equal(PARSE("-h"), DRY_OK);
    assert_true(args.help);
}

static void wrong_lines_say_what_is_wanted(void **state) {
    (void)state;
    static const struct {
        char *line[3];
        const char *text;
    } cases[] = {
        {{"--step", "abc"}, "--step takes a positive number of seconds, found 'abc'"},
        {{"--step=1x"}, "--step takes a positive number of seconds, found '1x'"},
        {{"--step=0"}, "--step takes a positive number of seconds, found '0'"},
        {{"--step="}, "--step takes a positive number of seconds, found ''"},
        {{"--step"}, "--step takes a positive number of seconds, and nothing follows"},
        {{"--offset", "inf"}, "--offset takes a number, found 'inf'"},
        {{"--offset=nan"}, "--offset takes a number, found 'nan'"},
        {{"-j", "1.5"}, "--jobs takes a whole number >= 1, found '1.5'"},
        {{"-j0"}, "--jobs takes a whole number >= 1, found '0'"},
        {{"-p", "K"},
         "--param takes NAME=VALUE, such as M=2, M=2kg, 'F=500 [mN]' or x=[1,2,3], found 'K'"},
        {{"-p", "=2"},
         "--param takes NAME=VALUE, such as M=2, M=2kg, 'F=500 [mN]' or x=[1,2,3], found '=2'"},
        {{"-p", "K=two"}, "--param K=two: a number must stand before `two`"},
        {{"--quiet=3"}, "--quiet takes no value, found '3'"},
        {{"--stpe=1"}, "'drystone mow' has no option --stpe; did you mean --step?"},
        {{"--zebra"}, "'drystone mow' has no option --zebra; 'drystone mow --help' lists them"},
        {{"-x"}, "'drystone mow' has no option -x; 'drystone mow --help' lists them"},
        {{"--quiet"}, "usage: drystone mow LAWN [GARDEN]"},
        {{"a", "b", "c"}, "'drystone mow' takes fewer arguments: 'c' is one too many"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *line[4] = {cases[i].line[0], cases[i].line[1], cases[i].line[2], NULL};
        assert_int_equal(parse(line), DRY_BAD_ARGUMENT);
        assert_string_equal(error.text, cases[i].text);
    }
}

static const char *fruit(const void *list, int index) { return ((const char *const *)list)[index]; }

static void nearest_forgives_small_mistakes_only(void **state) {
    (void)state;
    static const char *const fruits[] = {"apple", "pear", "quince", NULL};
    assert_string_equal(cli_nearest("aple", fruit, fruits), "apple");
    assert_string_equal(cli_nearest("PEAR", fruit, fruits), "pear");
    assert_string_equal(cli_nearest("epar", fruit, fruits), "pear");
    assert_string_equal(cli_nearest("qince", fruit, fruits), "quince");
    assert_null(cli_nearest("banana", fruit, fruits));
    assert_null(cli_nearest("", fruit, fruits));
    assert_null(cli_nearest("a word far longer than any name that a program would give to a thing",
                            fruit, fruits));
}

static void width_counts_letters_not_bytes(void **state) {
    (void)state;
    assert_int_equal(cli_width(""), 0);
    assert_int_equal(cli_width("N/m"), 3);
    assert_int_equal(cli_width("N·s/µm"), 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_spelling),
        cmocka_unit_test(gives_the_value_otherwise),
        cmocka_unit_test(keeps_repeated_options_in_order),
        cmocka_unit_test(ends_options_at_two_dashes),
        cmocka_unit_test(help_needs_no_words),
        cmocka_unit_test(wrong_lines_say_what_is_wanted),
        cmocka_unit_test(nearest_forgives_small_mistakes_only),
        cmocka_unit_test(width_counts_letters_not_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
