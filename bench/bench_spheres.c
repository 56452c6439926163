/* What does a heap of spheres cost, and does it come to rest?
 *
 * Spheres fall from a loose lattice into a box of planes (spheres.h), as parts of a net: bodies and
 * one contact, semi-implicit steps with tau in the laws. Per N: seconds per simulated second over
 * the first 2 s on one thread (bench_threads has two); mean and worst penetration of the points
 * that touch, in R, and the rms speed at the end; memory.
 *
 * By default N = 10,000 runs for 0.5 s only; --full runs it for 4 s, as the others. Aim: 0.9 s for
 * N = 1,000 and 15 s for N = 10,000, mean penetration 2e-3 R, rms speed below 1e-4 m/s, less than
 * 50 MB. */
#include "bench.h"
#include "heap.h"
#include <sys/resource.h>

/* Goes on to t; the seconds that this took. */
static double go(heap *s, double t) {
    const double before = seconds_now();
    const dry_status status = dry_ode_advance(&s->ode, t);
    if (status != DRY_OK) {
        fprintf(stderr, "t = %g: %s\n", s->ode.t, dry_status_text(status));
        if (s->ode.fault.watch) fputs(dry_net_watch_text(s->net, s->ode.fault.watch), stderr);
        exit(1);
    }
    return seconds_now() - before;
}

/* ---- what came out ------------------------------------------------------------------------ */

static double megabytes(const heap *s) {
    const size_t numbers = dry_ode_size(s->system, s->ode.method);
    return 1e-6 * (double)(numbers * sizeof(double) + s->system->work_size);
}
static double most_resident(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1e-3 * (double)usage.ru_maxrss;
}

/* ---- the table --------------------------------------------------------------------------------
 */

static const column columns[] = {{"N", -6},           {"step, us", -8},  {"s per s", -7},
                                 {"at s", -4},        {"mean, R", -8},   {"worst, R", -8},
                                 {"speed, m/s", -10}, {"state, MB", -9}, {"peak, MB", -8}};

static void row(table *t, int N, double until) {
    heap s = {.N = N};
    heap_begin(&s, heap_step(N), 1);
    const double timed = fmin(2.0, until);
    const double cost = go(&s, timed) / timed, peak = most_resident();
    go(&s, until);
    double *p = malloc(6 * (size_t)N * sizeof *p), *v = p + 3 * N;
    must(p != NULL, "no memory");
    heap_look(&s, p, v);
    const spheres_depth d = spheres_measure(N, p);
    cell_number(t, "%6.0f", N);
    cell_number(t, "%8.0f", 1e6 * s.T);
    cell_number(t, "%7.2f", cost);
    cell_number(t, "%4.1f", until);
    cell_number(t, "%8.1e", d.mean);
    cell_number(t, "%8.1e", d.worst);
    cell_number(t, "%10.1e", spheres_rms(N, v));
    cell_number(t, "%9.1f", megabytes(&s));
    cell_number(t, "%8.1f", peak);
    free(p);
    heap_end(&s);
}

int main(int argc, char **argv) {
    bool full = false;
    int n = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--full") == 0)
            full = true;
        else
            argv[n++] = argv[i];
    }
    table t = table_begin(n, argv, columns, (int)(sizeof columns / sizeof columns[0]));
    row(&t, 100, 4.0);
    row(&t, 1000, 4.0);
    row(&t, 10000, full ? 4.0 : 0.5);
    return 0;
}
