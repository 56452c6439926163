/* By how much are two threads faster on a heap of spheres?
 *
 * From states in which the spheres fall, pile up and settle: the shortest times, by the wall clock,
 * of a piece of the run on one and on two threads, in turns; and of two such runs on one thread
 * beside each other, which shows what the machine has to give. Aim: 1.8.
 *
 * Two processors may share a cache or not, and a virtual machine may be given now such a pair, now
 * another: before and after each turn a message goes to and fro between two threads. Near: there
 * and back in less than 250 ns, as with a common cache; far: in more. */
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

/* Seconds of two runs beside each other: those of the slower one. */
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
    return fmax(seconds[0], seconds[1]);
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

static const column columns[] = {{"N", -6},     {"at s", -4},     {"one, ms", -7},
                                 {"near", -5},  {"turns", -5},    {"far", -5},
                                 {"turns", -5}, {"two runs", -8}, {"message, ns", -11}};

typedef struct times {
    double one, pair, message;
    double two[2]; /* near, far */
    int turns[2];
} times;

static void turn(const heap *from, int steps, times *t) {
    const double limit = 250.0;
    t->one = fmin(t->one, piece(from, steps, 1));
    t->pair = fmin(t->pair, two_runs(from, steps));
    const double before = message(), two = piece(from, steps, 2), after = message();
    t->message = fmin(t->message, fmin(before, after));
    if ((before < limit) != (after < limit)) return; /* it has changed meanwhile */
    const int far = before < limit ? 0 : 1;
    t->two[far] = fmin(t->two[far], two);
    t->turns[far]++;
}

static void row(table *t, const heap *from, int steps, int turns) {
    const double never = (double)INFINITY;
    times best = {never, never, never, {never, never}, {0, 0}};
    for (int k = 0; k < turns; k++) turn(from, steps, &best);
    cell_number(t, "%6.0f", from->N);
    cell_number(t, "%4.1f", from->ode.t);
    cell_number(t, "%7.1f", 1e3 * best.one);
    for (int far = 0; far < 2; far++) {
        cell_number(t, "%5.2f", best.turns[far] ? best.one / best.two[far] : (double)NAN);
        cell_number(t, "%5.0f", best.turns[far]);
    }
    cell_number(t, "%8.2f", 2.0 * best.one / best.pair);
    cell_number(t, "%11.0f", best.message);
}

/* Its rows while the spheres fall, pile up and settle, up to the time `until`. */
static void rows(table *t, int N, double until, int steps, int turns) {
    const double looks[] = {0.3, 1.0, 2.0};
    heap s = {.N = N};
    heap_begin(&s, heap_step(N), 1);
    for (int i = 0; i < 3 && looks[i] <= until; i++) {
        must(dry_ode_advance(&s.ode, looks[i]) == DRY_OK, "the heap fails");
        row(t, &s, steps, turns);
    }
    heap_end(&s);
}

int main(int argc, char **argv) {
    table t = table_begin(argc, argv, columns, (int)(sizeof columns / sizeof columns[0]));
    rows(&t, 1000, 2.0, 100, 40);
    rows(&t, 10000, 0.3, 100, 8);
    return 0;
}
