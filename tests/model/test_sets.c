/* What a model tells of its forces: which numbers they have, and who chose them. */
#include "unit.h"

#include <drystone/model.h>
#include <math.h>
#include <string.h>

static const char rest[] = "state x = 0.1 [m], v = 1 [m/s]\n"
                           "x' = v\n1 [kg]*v' = f - 1 [N]\n"
                           "run until = 1 [s], step = 1e-6 [s]\n";

/* The force f of a model with this line. */
static dry_set_info set_of(const char *line, dry_model **model) {
    char text[512];
    snprintf(text, sizeof text, "%s\n%s", line, rest);
    *model = dry_model_compile("test.dry", text, strlen(text), NULL);
    assert_true(dry_model_ok(*model));
    assert_int_equal(dry_model_sets(*model), 1);
    return dry_model_set(*model, 0);
}

static void test_origins(void **state) {
    (void)state;
    static const char defaults[] = "the law's defaults";
    static const char in_part[] = "given in part, otherwise the law's defaults";
    static const struct {
        const char *line, *chosen;
        bool K, beta, alpha; /* are told */
    } rows[] = {
        {"f in -1 [N]*sgn(v) with K = 1e3, beta = 2 [ms]", "given", true, true, false},
        {"f in -1 [N]*sgn(v) with law = coulomb, K = 1e3, beta = 2 [ms]", "given", true, true,
         false},
        {"f in -1 [N]*sgn(v) with law = multistate()", defaults, false, false, false},
        {"f in -1 [N]*sgn(v) with law = multistate(N = 3, alpha = 1.5)", in_part, false, false,
         false},
        {"f in -1 [N]*sgn(v) with law = lugre", defaults, true, false, false},
        {"f in -1 [N]*sgn(v) with law = lugre(K = 1e4, alpha = 1.5)", "given", true, false, false},
        {"f in dio(x) with law = compliant()", defaults, true, false, false},
        {"f in dio(x) with law = compliant(K = 5e4)", "given", true, false, false},
        {"f in dio(x) with K = 1e4, alpha = 2 [ms], beta = 4 [ms]", "given", true, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_model *model;
        const dry_set_info set = set_of(rows[i].line, &model);
        if (strcmp(set.chosen, rows[i].chosen) != 0)
            fail_msg("%s: told as %s", rows[i].line, set.chosen);
        if (!isnan(set.K) != rows[i].K || !isnan(set.beta) != rows[i].beta ||
            !isnan(set.alpha) != rows[i].alpha)
            fail_msg("%s: K %g, beta %g, alpha %g", rows[i].line, set.K, set.beta, set.alpha);
        dry_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_origins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
