/* An interrupt (Ctrl-C) ends a run at the instant it has reached; a second one ends the program. */
#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "running.h"

#include <signal.h>

static volatile sig_atomic_t interrupted = 0;

static void interrupt(int number) {
    (void)number;
    interrupted = 1;
}

void cli_catch_interrupt(void) {
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

bool cli_is_interrupted(void) { return interrupted != 0; }
