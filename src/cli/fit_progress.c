/* fit_progress: one line on the terminal says how far a fit is. */
#include "fit.h"

#include <math.h>

cli_bar cli_fit_bar(const cli_args *args, const dry_processes *processes) {
    const bool speaks = !cli_has(args, "quiet") && !cli_has(args, "json");
    return cli_bar_begin(0.0, speaks && (!processes || processes->rank == 0));
}

/* Of several starts, how many have ended; of a search, where it is; else the step. */
static void write_line(const dry_fit_progress *now, const dry_fit_job *job, char *text,
                       size_t size) {
    const char *runs = cli_noun((double)now->runs, "run", "runs");
    int n = 0;
    if (now->starts > 1)
        n = snprintf(text, size, "%d of %d starts have ended, %ld %s", now->ended, now->starts,
                     now->runs, runs);
    else if (now->searched)
        n = snprintf(text, size, "search, %d of %d points", now->searched, job->search_runs);
    else
        n = snprintf(text, size, "step %d, %ld %s", now->step, now->runs, runs);
    if (now->starts <= 1 && isfinite(now->misfit))
        snprintf(text + n, size - (size_t)n, ", %s rms %.3g %% of the deviation",
                 now->searched ? "least" : "present", 100.0 * now->misfit);
}

bool cli_fit_show(void *user, const dry_fit_progress *now) {
    cli_fit *f = user;
    cli_bar *bar = &f->bar;
    const double time = cli_now();
    char text[78];
    if (cli_is_interrupted()) return false;
    if (!bar->wanted || time - bar->begun < 0.5 || time - bar->shown < 0.1) return true;
    bar->shown = time;
    write_line(now, &f->fit, text, sizeof text);
    fprintf(stderr, "\r%-77s", text);
    fflush(stderr);
    return true;
}
