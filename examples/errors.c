/* What can go wrong, and how your program finds out: a text that is wrong, a run that fails.
 *
 * Expected: the compiler finds the sign of the friction and names it by the word `friction-drives`;
 * the run of the second text ends at t = 2 s, because its friction level becomes negative. */
#include <drystone/drystone.h>

static const char wrong[] = "param m = 1 [kg], F = 1 [N]\n"
                            "state v = 1 [m/s]\n"
                            "f in F*sgn(v)\n"
                            "m*v' = f\n" /* should be - f */
                            "run until = 1 [s]\n";
static const char fails[] = "param m = 1 [kg]\n"
                            "state v = 1 [m/s], wear = 0 [N]\n"
                            "level = 1 [N] - wear\n"
                            "f in level*sgn(v)\n"
                            "m*v' = 2 [N]*sin(1 [rad/s]*t) - f\n"
                            "wear' = 0.5 [N/s]\n"
                            "run until = 5 [s], step = 1 [ms]\n";

/* A mistake of the text: a place, a word of docs/errors.md, what is wrong, the way out. */
static void print_messages(const dry_model *model) {
    static const char *const kinds[] = {"note", "warning", "error"};
    for (int i = 0; i < dry_model_messages(model); i++) {
        const dry_message m = dry_model_message(model, i);
        printf("%s in line %d: %s\n  %s\n  way out: %s\n", kinds[m.kind], m.line, m.word, m.text,
               m.way_out);
    }
}

/* A failure of the run: a status, the time, and if a condition of the model failed, its text. */
static void print_failure(const dry_model *model) {
    const dry_sim_options options = {.run = {.until = 5.0, .step = 1e-3}};
    dry_sim_result result = {0};
    dry_error error = {0};
    const dry_status status = dry_sim_run(dry_model_system(model), &options, &result, &error);
    printf("status: %s\n", dry_status_text(status));
    if (status != DRY_OK && result.fault.watch != 0)
        printf("at %.3f s: %s\n", result.fault.t, dry_model_watch_text(model, result.fault.watch));
    if (result.record) printf("rows recorded before it: %zu\n", dry_record_rows(result.record));
    dry_record_free(result.record);
}

int main(void) {
    dry_model *a = dry_model_compile("wrong.dry", wrong, sizeof wrong - 1, NULL);
    dry_model *b = dry_model_compile("fails.dry", fails, sizeof fails - 1, NULL);
    const bool expected = a && b && !dry_model_ok(a) && dry_model_ok(b);
    if (a) print_messages(a);
    if (expected) print_failure(b);
    dry_model_free(a);
    dry_model_free(b);
    return !expected;
}
