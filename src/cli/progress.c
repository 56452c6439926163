/* progress: shows the progress of a run. An interrupt (Ctrl-C), the end of a session and a polite
 * kill end the run at the time it has reached; a second one ends the program. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, sigaction */
#include "job.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t interrupted = 0;

static void interrupt(int number) {
    (void)number;
    interrupted = 1;
}

static void catch_one(int number) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* Under nohup the end of a session is ignored, and stays so. */
void cli_catch_interrupt(void) {
    struct sigaction now;
    catch_one(SIGINT);
    catch_one(SIGTERM);
    if (sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_DFL) catch_one(SIGHUP);
}

bool cli_is_interrupted(void) { return interrupted != 0; }

/* ---- the bar -------------------------------------------------------------------------- */

double cli_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

cli_bar cli_bar_begin(double until, bool wanted) {
    return (cli_bar){
        .until = until, .begun = cli_now(), .wanted = wanted && cli_is_terminal(stderr)};
}

bool cli_bar_show(void *bar, double t) {
    cli_bar *b = bar;
    const double time = cli_now();
    if (cli_is_interrupted()) return false;
    if (!b->wanted || time - b->begun < 1.0 || time - b->shown < 0.1) return true;
    b->shown = time;
    const double part = t / b->until;
    const int filled = (int)(40.0 * part);
    fprintf(stderr, "\r[");
    for (int i = 0; i < 40; i++) fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %3.0f %%  %.0f s left ", 100.0 * part,
            (time - b->begun) * (1.0 - part) / (part + 1e-9));
    fflush(stderr);
    return true;
}

void cli_bar_clear(const cli_bar *bar) {
    if (bar->shown > 0.0) fprintf(stderr, "\r%78s\r", "");
}
