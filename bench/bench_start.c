/* How long does the command take before it does anything?
 *
 * CPU of `drystone version`, and of a program that is there in every system and does nothing: each
 * is started a hundred times, and the mean counts. */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

enum { RUNS = 100 };

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static double cpu_of_children(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

static int start(char *const *words) {
    posix_spawn_file_actions_t quiet;
    pid_t child;
    int code = -1;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&child, words[0], &quiet, NULL, words, environ) == 0) waitpid(child, &code, 0);
    posix_spawn_file_actions_destroy(&quiet);
    return code;
}

/* Milliseconds of one start; below 0 if it fails. */
static double mean(char *const *words) {
    const double begin = cpu_of_children();
    for (int i = 0; i < RUNS; i++)
        if (start(words) != 0) return -1.0;
    return 1e3 * (cpu_of_children() - begin) / RUNS;
}

int main(int argc, char **argv) {
    char command[4096]; /* ../drystone, from the folder of this program */
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    const int folder = slash ? (int)(slash - argv[0]) : 1;
    snprintf(command, sizeof command, "%.*s/../drystone", folder, slash ? argv[0] : ".");
    char version[] = "version", nothing[] = "true";
    char *const ours[] = {command, version, NULL}, *const theirs[] = {nothing, NULL};
    const double own = mean(ours), other = mean(theirs);
    if (own < 0.0 || other < 0.0) return fprintf(stderr, "cannot run %s\n", command), 1;
    printf("%-24s %12s %12s\n", "start, ms of CPU", "drystone", "true");
    printf("%-24s %12.2f %12.2f\n", "version", own, other);
    return 0;
}
