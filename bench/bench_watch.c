/* What does the watch of a run cost?
 *
 * A block on a rough floor, 10 s in steps of 1 ms, in bytecode: ns per step of the run alone, and
 * with the repeat at half the step that says how far it can be trusted. The repeat takes twice the
 * steps, so the ratio should be near 3. */
#include <drystone/watch.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char text[] = "param M = 1 [kg], F = 0.5 [N]\n"
                           "state p = 0 [m], v = 0 [m/s]\n"
                           "f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"
                           "p' = v\n"
                           "M*v' = 0.6 [N]*sin(3*t/1 [s]) - f\n"
                           "run until = 10 [s], step = 1 [ms]\n";

static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Seconds of the fastest of several runs; steps becomes how many it took. */
static double fastest(const dry_model *model, bool watched, long *steps) {
    dry_run_options run;
    dry_error error = {0};
    double least = 1e9;
    dry_model_plan(model, &run, &error);
    const dry_sim_options options = {.run = run};
    for (int i = 0; i < 20; i++) {
        dry_sim_result result;
        dry_watch_verdict verdict = {0};
        const double begin = now();
        if (dry_sim_run(dry_model_system(model), &options, &result, &error) != DRY_OK) return -1.0;
        if (watched && dry_watch(model, &run, &result, NULL, &verdict, &error) != DRY_OK)
            return -1.0;
        const double seconds = now() - begin;
        least = seconds < least ? seconds : least;
        *steps = result.counts.steps;
        dry_watch_free(&verdict);
        dry_record_free(result.record);
    }
    return least;
}

int main(void) {
    dry_model *model = dry_model_compile("block", text, strlen(text), NULL);
    long steps = 1;
    if (!model || !dry_model_ok(model)) return 1;
    const double off = fastest(model, false, &steps), on = fastest(model, true, &steps);
    dry_model_free(model);
    if (off < 0.0 || on < 0.0) return 1;
    printf("%-24s %12s %12s %8s\n", "watch, ns per step", "off", "on", "ratio");
    printf("%-24s %12.1f %12.1f %8.2f\n", "a block, rk4", 1e9 * off / (double)steps,
           1e9 * on / (double)steps, on / off);
    return 0;
}
