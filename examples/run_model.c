/* Compiles a .dry text, runs it, and prints its measures.
 *
 *     m v' = pull(t) - f,  f in mu m g sgn(v)     a crate, pulled with 3 N/s for 4 s, then let go
 *
 * Expected: the crate breaks loose at t1 = mu m g/(3 N/s) = 3.27 s. It slides
 * (3 N/s)/(6 m) (4 s - t1)^3 while it is pulled, then v^2/(2 mu g): 0.113538 m in all. */
#include <drystone/drystone.h>

static const char text[] = "param m = 2 [kg], mu = 0.5, g = 9.81 [m/s^2], rise = 3 [N/s]\n"
                           "state x = 0 [m], v = 0 [m/s]\n"
                           "pull = if t < 4 then rise*t else 0\n"
                           "f in mu*m*g*sgn(v)\n"
                           "x' = v\n"
                           "m*v' = pull - f\n"
                           "run until = 5 [s], step = 1 [ms]\n"
                           "measure starts = first(v > 1 [mm/s])\n"
                           "measure way = final(x)\n";

enum { MOST_MEASURES = 8 };

/* The method and the options of the text, or the defaults. */
static dry_status run(const dry_model *model, dry_sim_result *result, dry_error *error) {
    const dry_inclusion *inclusion = dry_model_inclusion(model); /* rigid and split keep the sets */
    dry_sim_options options = {0};
    const dry_status status = dry_model_plan(model, &options.run, error);
    if (status != DRY_OK) return status;
    return inclusion ? dry_sim_run_inclusion(inclusion, &options, result, error)
                     : dry_sim_run(dry_model_system(model), &options, result, error);
}

static dry_status print_measures(const dry_model *model, const dry_record *record,
                                 dry_error *error) {
    dry_measured measured[MOST_MEASURES];
    const double *par = dry_model_system(model)->par;
    if (dry_model_measures(model) > MOST_MEASURES) return DRY_NO_MEMORY;
    const dry_status status = dry_model_evaluate(model, par, record, measured, NULL, error);
    for (int i = 0; status == DRY_OK && i < dry_model_measures(model); i++)
        printf("%s: %.6g %s\n", measured[i].name, measured[i].value, measured[i].unit);
    return status;
}

int main(void) {
    dry_model *model = dry_model_compile("crate.dry", text, sizeof text - 1, NULL);
    if (!model) return 1; /* no memory */
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);

    dry_sim_result result = {0};
    dry_error error = {0};
    dry_status status = dry_model_ok(model) ? run(model, &result, &error) : DRY_BAD_MODEL;
    if (status == DRY_OK) status = print_measures(model, result.record, &error);
    if (status == DRY_OK) printf("steps: %ld\n", result.counts.steps);
    if (status != DRY_OK)
        fprintf(stderr, "run_model: %s: %s\n", dry_status_text(status), error.text);
    dry_record_free(result.record);
    dry_model_free(model);
    return status != DRY_OK;
}
