/* What the engines of bodies share: the race over the scene of ../spheres.h, and its table.
 *
 * An engine simulates 4 s on one thread; the first two, in which the spheres fall and pile up, are
 * timed (seconds of CPU per simulated second), depths are measured at 2 s, the speed at 4 s. */
#ifndef DRYSTONE_BENCH_SCENE_H
#define DRYSTONE_BENCH_SCENE_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "../spheres.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

/* One way to run an engine. */
typedef struct setting {
    double step; /* 0: the engine's own */
    int iterations;
} setting;

typedef struct engine {
    const char *name;
    double (*own_step)(int N);
    void *(*begin)(int N, const double *p, const setting *s);
    void (*go)(void *world, double h, long steps);
    /* p[3 i ..], v[3 i ..] of all spheres */
    void (*look)(void *world, double *p, double *v);
    void (*end)(void *world);
} engine;

static inline double scene_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void scene_run(const engine *e, int N, setting s, double rest) {
    const size_t bytes = 3 * (size_t)N * sizeof(double);
    double *p = (double *)malloc(bytes), *v = (double *)malloc(bytes);
    if (p == NULL || v == NULL) exit(1);
    spheres_place(N, p);
    if (!(s.step > 0.0)) s.step = 2.0 / ceil(2.0 / e->own_step(N));
    void *world = e->begin(N, p, &s);
    const long steps = lround(2.0 / s.step), more = lround((rest - 2.0) / s.step);
    const double begin = scene_seconds();
    e->go(world, s.step, steps);
    const double seconds = (scene_seconds() - begin) / 2.0;
    e->look(world, p, v);
    const spheres_depth depth = spheres_measure(N, p);
    e->go(world, s.step, more);
    e->look(world, p, v);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-8s %6d  %8.2g  %4d   %9.3g   %9.2e  %9.2e  %9.2e   %6.1f\n", e->name, N, s.step,
           s.iterations, seconds, depth.mean, depth.worst, spheres_rms(N, v),
           (double)usage.ru_maxrss / 1024.0);
    fflush(stdout);
    e->end(world);
    free(p);
    free(v);
}

/* Each setting with N = 100 and 1,000, or with the N of the command line. */
static inline int scene_main(const engine *e, const setting *settings, int n_settings, int most,
                             int argc, char **argv) {
    const int sizes[] = {100, 1000};
    printf(
        "engine        N      step  iter.  s per s     depth, mean and worst, R  rms m/s    MB\n");
    for (int i = 0; i < (argc > 1 ? 1 : 2); i++) {
        const int N = argc > 1 ? atoi(argv[1]) : sizes[i];
        if (N < 1 || (argc <= 1 && N > most)) continue;
        for (int k = 0; k < n_settings; k++) scene_run(e, N, settings[k], 4.0);
    }
    return 0;
}

#endif
