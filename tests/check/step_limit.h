/* Models at a step: whether it is refused, and by which message; where it is refused for the first
 * time. For tests whose LIMIT_WORD is the word of that message. */
#ifndef DRYSTONE_TESTS_LANG_STEP_LIMIT_H
#define DRYSTONE_TESTS_LANG_STEP_LIMIT_H

#include <drystone/model.h>
#include <stdio.h>
#include <string.h>

static dry_model *compile(const char *text, const char *method, double step, bool force) {
    char all[2000];
    const dry_model_options options = {.force = force};
    snprintf(all, sizeof all, "%s\nrun until = 2 [s], step = %.17g [s], method = %s\n", text, step,
             method);
    dry_model *model = dry_model_compile("test.dry", all, strlen(all), &options);
    assert_non_null(model);
    return model;
}

/* The text of the message of that word; NULL: it is not there. */
static const char *said(const dry_model *model, const char *word) {
    for (int i = 0; i < dry_model_messages(model); i++)
        if (!strcmp(dry_model_message(model, i).word, word))
            return dry_model_message(model, i).text;
    return NULL;
}

/* By this check, and by no other. */
static bool is_refused(const char *text, const char *method, double step) {
    dry_model *model = compile(text, method, step, false);
    const bool refused = !dry_model_ok(model);
    if (refused != (said(model, LIMIT_WORD) != NULL))
        fail_msg("%s, step %g: %s", method, step, dry_model_message(model, 0).text);
    dry_model_free(model);
    return refused;
}

static void assert_limit(const char *text, const char *method, double limit, double close) {
    if (is_refused(text, method, (1.0 - close) * limit))
        fail_msg("%s: %g is refused, the limit is %g", method, (1.0 - close) * limit, limit);
    if (!is_refused(text, method, (1.0 + close) * limit))
        fail_msg("%s: %g passes, the limit is %g", method, (1.0 + close) * limit, limit);
}

/* What the message says of a step that is far too long. */
static double bound_of(const char *text, const char *method) {
    dry_model *model = compile(text, method, 0.5, false);
    const double bound = dry_model_largest_step(model);
    assert_non_null(said(model, LIMIT_WORD));
    dry_model_free(model);
    return bound;
}

#endif
