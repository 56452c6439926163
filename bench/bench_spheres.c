/* What does a heap of spheres cost, and does it come to rest?
 *
 * Spheres fall from a loose lattice into a box of planes (spheres.h), as parts of a net: bodies and
 * one contact, semi-implicit steps with tau in the laws. Per N: seconds per simulated second over
 * the first 2 s on one thread, and by how much two threads are faster, while the spheres fall, pile
 * up and settle; mean and worst penetration of the points that touch, in R, and the rms speed at
 * the end; memory.
 *
 * By default N = 10,000 runs for 0.5 s only; --full runs it for 4 s, as the others. Aim: 0.9 s for
 * N = 1,000 and 15 s for N = 10,000, 1.8 times faster on two threads, mean penetration 2e-3 R, rms
 * speed below 1e-4 m/s, less than 50 MB. */
#include "bench.h"
#include "heap.h"
#include <sys/resource.h>

static double wall_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Goes on to t; adds to the clock. */
static void go(heap *s, double t, double (*clock)(void)) {
    const double before = clock();
    const dry_status status = dry_ode_advance(&s->ode, t);
    s->seconds += clock() - before;
    if (status != DRY_OK) {
        fprintf(stderr, "t = %g: %s\n", s->ode.t, dry_status_text(status));
        if (s->ode.fault.watch) fputs(dry_net_watch_text(s->net, s->ode.fault.watch), stderr);
        exit(1);
    }
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

/* From one state on on one and on two threads, in turns: adds the shortest times of a piece. */
static void compare_threads(const heap *from, double t, const double *x, double length,
                            double total[2]) {
    double least[2] = {(double)INFINITY, (double)INFINITY};
    for (int turn = 0; turn < 8; turn++)
        for (int k = 0; k < 2; k++) {
            heap s = {.N = from->N};
            heap_begin(&s, from->T, k + 1);
            dry_ode_init(&s.ode, s.system, from->ode.method, &from->ode.options, NULL, t, x,
                         s.scratch, s.work);
            go(&s, t + 0.2 * length, wall_now); /* its memory is there now */
            s.seconds = 0.0;
            go(&s, t + length, wall_now);
            least[k] = fmin(least[k], s.seconds);
            heap_end(&s);
        }
    for (int k = 0; k < 2; k++) total[k] += least[k];
}

/* When the spheres fall, pile up, and settle. */
enum { LOOKS = 3 };
static const double looks[LOOKS] = {0.3, 1.0, 2.0};

/* By how much two threads are faster from these states on. */
static double speed_up(const heap *s, double until, FILE *states) {
    const size_t n = (size_t)s->system->n_states;
    double *x = malloc(n * sizeof *x), total[2] = {0.0, 0.0};
    must(x != NULL, "no memory");
    rewind(states);
    for (int i = 0; i < LOOKS && looks[i] <= until; i++) {
        must(fread(x, sizeof *x, n, states) == n, "the states cannot be read");
        compare_threads(s, looks[i], x, s->N > 5000 ? 0.05 : 0.1, total);
    }
    free(x);
    return total[0] / total[1];
}

/* ---- the table --------------------------------------------------------------------------------
 */

static const column columns[] = {
    {"N", -6},       {"step, us", -8}, {"s per s", -7},     {"2 threads", -9}, {"at s", -4},
    {"mean, R", -8}, {"worst, R", -8}, {"speed, m/s", -10}, {"state, MB", -9}, {"peak, MB", -8}};

static void row(table *t, int N, double until) {
    heap s = {.N = N};
    heap_begin(&s, heap_step(N), 1);
    const double timed = fmin(2.0, until);
    FILE *states = tmpfile(); /* not in memory, whose peak is looked at */
    must(states != NULL, "no file for the states");
    for (int i = 0; i < LOOKS && looks[i] <= until; i++) {
        go(&s, looks[i], seconds_now);
        fwrite(s.ode.x, sizeof *s.ode.x, (size_t)s.system->n_states, states);
    }
    go(&s, timed, seconds_now);
    const double cost = s.seconds / timed, peak = most_resident();
    const double faster = speed_up(&s, until, states);
    go(&s, until, seconds_now);
    fclose(states);
    double *p = malloc(6 * (size_t)N * sizeof *p), *v = p + 3 * N;
    must(p != NULL, "no memory");
    heap_look(&s, p, v);
    const spheres_depth d = spheres_measure(N, p);
    cell_number(t, "%6.0f", N);
    cell_number(t, "%8.0f", 1e6 * s.T);
    cell_number(t, "%7.2f", cost);
    cell_number(t, "%9.2f", faster);
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
