/* By how much are two threads faster on a heap of spheres?
 *
 * From states in which the spheres fall, pile up and settle, by the wall clock: a piece of the run
 * on one thread, on two threads, and two such runs on one thread each beside each other, in turns;
 * the middle one of each figure. One and two: wall seconds per simulated second. Speed-up: one
 * thread to two. It can be no more than two runs have beside each other (two runs: their gain over
 * one after the other), and where the two processors share a core or a clock that is less than 2.
 * To one beside: the time of a run beside another one to that on two threads, which is the speed-up
 * at equal load of the machine. Aim: 1.8.
 *
 * Two processors may share a cache or not, and a virtual machine may be given now such a pair, now
 * another: before and after each turn a message goes to and fro between two threads. There and back
 * in less than 250 ns are near ones, as with a common cache; those that take more have a row of
 * their own. */
#include "bench.h"

#include "heap.h"
#include <stdatomic.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static double wall_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of some steps from the state of `from` on; a fifth of them goes before, so that all
 * memory is there. */
static double piece(const heap *from, int steps, int threads) {
    const double start = from->ode.t, warm = start + from->T * (double)(steps / 5);
    heap s = {.N = from->N};
    heap_begin(&s, from->T, threads);
    dry_ode_init(&s.ode, s.system, from->ode.method, &from->ode.options, NULL, from->ode.t,
                 from->ode.x, s.scratch, s.work);
    must(dry_ode_advance(&s.ode, warm) == DRY_OK, "the heap fails");
    const double before = wall_now(), end = start + from->T * (double)(steps / 5 + steps);
    must(dry_ode_advance(&s.ode, end) == DRY_OK, "the heap fails");
    const double seconds = wall_now() - before;
    heap_end(&s);
    return seconds;
}

/* Seconds of two runs beside each other: the mean of both. */
static double two_runs(const heap *from, int steps) {
    double seconds[2] = {0.0, 0.0};
    int ends[2];
    must(pipe(ends) == 0, "no pipe");
    fflush(stdout);
    const pid_t child = fork();
    must(child >= 0, "no second process");
    seconds[0] = piece(from, steps, 1);
    if (child == 0) {
        const bool told = write(ends[1], seconds, sizeof *seconds) == (ssize_t)sizeof *seconds;
        _exit(told ? 0 : 1);
    }
    must(read(ends[0], seconds + 1, sizeof *seconds) == (ssize_t)sizeof *seconds, "no answer");
    waitpid(child, NULL, 0);
    close(ends[0]);
    close(ends[1]);
    return 0.5 * (seconds[0] + seconds[1]);
}

/* ---- how far the two are from each other --------------------------------------------------- */

enum { MESSAGES = 4000, APART = 128 };

typedef struct post {
    atomic_int there;
    char apart[APART];
    atomic_int back;
} post;

static int answer(void *data) {
    post *p = data;
    for (int i = 1; i <= MESSAGES; i++) {
        while (atomic_load(&p->there) != i) continue;
        atomic_store(&p->back, i);
    }
    return 0;
}

/* Nanoseconds there and back. */
static double message(void) {
    post p = {.there = 0};
    thrd_t other;
    must(thrd_create(&other, answer, &p) == thrd_success, "no thread");
    atomic_store(&p.there, 1);
    while (atomic_load(&p.back) != 1) continue;
    const double before = wall_now();
    for (int i = 2; i <= MESSAGES; i++) {
        atomic_store(&p.there, i);
        while (atomic_load(&p.back) != i) continue;
    }
    const double seconds = wall_now() - before;
    thrd_join(other, NULL);
    return 1e9 * seconds / (MESSAGES - 1);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const column columns[] = {{"N", -6},        {"at s", -4},     {"message, ns", -11},
                                 {"turns", -5},    {"one, s/s", -9}, {"two, s/s", -9},
                                 {"speed-up", -8}, {"two runs", -8}, {"to one beside", -13}};

enum { ONE, TWO, PAIR, MESSAGE, SPEED_UP, TWO_RUNS, TO_ONE_BESIDE, FIGURES, MOST_TURNS = 64 };

/* The figures of all turns, those of near processors and those of far ones. */
typedef struct turns {
    double figures[2][FIGURES][MOST_TURNS];
    int count[2];
} turns;

static void turn(const heap *from, int steps, turns *all) {
    const double limit = 250.0, before = message();
    const double one = piece(from, steps, 1), two = piece(from, steps, 2);
    const double pair = two_runs(from, steps), after = message();
    if ((before < limit) != (after < limit)) return; /* it has changed meanwhile */
    const int far = before < limit ? 0 : 1, k = all->count[far]++;
    const double figures[FIGURES] = {[ONE] = one,
                                     [TWO] = two,
                                     [PAIR] = pair,
                                     [MESSAGE] = fmax(before, after),
                                     [SPEED_UP] = one / two,
                                     [TWO_RUNS] = 2.0 * one / pair,
                                     [TO_ONE_BESIDE] = pair / two};
    for (int i = 0; i < FIGURES; i++) all->figures[far][i][k] = figures[i];
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double middle(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* A row for each distance that was met with often enough. */
static void rows_at(table *t, const heap *from, int steps, int count) {
    enum { ENOUGH = 3 };
    static turns all;
    all.count[0] = all.count[1] = 0;
    for (int k = 0; k < count; k++) turn(from, steps, &all);
    for (int far = 0; far < 2; far++) {
        const int n = all.count[far];
        double m[FIGURES];
        if (n < ENOUGH) continue;
        for (int i = 0; i < FIGURES; i++) m[i] = middle(all.figures[far][i], n);
        cell_number(t, "%6.0f", from->N);
        cell_number(t, "%4.1f", from->ode.t);
        cell_number(t, "%11.0f", m[MESSAGE]);
        cell_number(t, "%5.0f", n);
        cell_number(t, "%9.3f", m[ONE] / (steps * from->T));
        cell_number(t, "%9.3f", m[TWO] / (steps * from->T));
        cell_number(t, "%8.2f", m[SPEED_UP]);
        cell_number(t, "%8.2f", m[TWO_RUNS]);
        cell_number(t, "%13.2f", m[TO_ONE_BESIDE]);
    }
}

/* While the spheres fall, pile up and settle, up to the time `until`. */
static void rows(table *t, int N, double until, int steps, int count) {
    const double looks[] = {0.3, 1.0, 2.0};
    heap s = {.N = N};
    heap_begin(&s, heap_step(N), 1);
    for (int i = 0; i < 3 && looks[i] <= until; i++) {
        must(dry_ode_advance(&s.ode, looks[i]) == DRY_OK, "the heap fails");
        rows_at(t, &s, steps, count);
    }
    heap_end(&s);
}

int main(int argc, char **argv) {
    table t = table_begin(argc, argv, columns, (int)(sizeof columns / sizeof columns[0]));
    rows(&t, 1000, 2.0, 100, 40);
    rows(&t, 10000, 0.3, 60, 12);
    return 0;
}
