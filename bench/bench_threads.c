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
 * their own. Where it takes more than 2.5 us another program has one of them: such a turn is left
 * out. */
#include "bench.h"

#include "heap.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static double wall_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the runs ------------------------------------------------------------------------------- */

/* The state that all of them begin with, a run on one thread, one on two, and one on one thread in
 * a process of its own, which answers each question with its seconds. */
typedef struct runs {
    heap from, one, two;
    pid_t child;
    int questions[2], answers[2];
} runs;

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double middle(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

enum { STEPS = 10, STRETCHES = 10 }; /* of a piece */

/* Seconds of some steps from the state of `from` on: the middle one of several stretches, since
 * another program may have the processor for a moment; one goes before, so that all memory is at
 * hand. */
static double piece(const runs *r, heap *s) {
    const dry_ode *from = &r->from.ode;
    double seconds[STRETCHES + 1];
    dry_ode_init(&s->ode, s->system, from->method, &from->options, NULL, from->t, from->x,
                 s->scratch, s->work);
    for (int i = 0; i <= STRETCHES; i++) {
        const double before = wall_now(), end = from->t + s->T * (double)(STEPS * (i + 1));
        must(dry_ode_advance(&s->ode, end) == DRY_OK, "the heap fails");
        seconds[i] = wall_now() - before;
    }
    return middle(seconds + 1, STRETCHES);
}

static void answer_all(runs *r) {
    char question;
    close(r->questions[1]);
    while (read(r->questions[0], &question, 1) == 1) {
        const double seconds = piece(r, &r->one);
        if (write(r->answers[1], &seconds, sizeof seconds) != (ssize_t)sizeof seconds) _exit(1);
    }
    _exit(0);
}

/* Seconds of two runs beside each other: those of one run, were both equally fast. */
static double two_runs(runs *r) {
    double other = 0.0;
    must(write(r->questions[1], "?", 1) == 1, "no question");
    const double own = piece(r, &r->one);
    must(read(r->answers[0], &other, sizeof other) == (ssize_t)sizeof other, "no answer");
    return 2.0 / (1.0 / own + 1.0 / other);
}

static heap another(const heap *from, int threads) {
    heap s = {.N = from->N};
    heap_begin(&s, from->T, threads);
    return s;
}

static void begin_runs(runs *r) {
    r->one = another(&r->from, 1);
    must(pipe(r->questions) == 0 && pipe(r->answers) == 0, "no pipe");
    fflush(stdout);
    r->child = fork();
    must(r->child >= 0, "no second process");
    if (r->child == 0) answer_all(r);
    r->two = another(&r->from, 2);
}

static void end_runs(runs *r) {
    close(r->questions[1]);
    waitpid(r->child, NULL, 0);
    close(r->questions[0]);
    close(r->answers[0]);
    close(r->answers[1]);
    heap_end(&r->one);
    heap_end(&r->two);
}

/* ---- how far the two are from each other --------------------------------------------------- */

enum { MESSAGES = 4000, APART = 128 };

typedef struct post {
    atomic_int there;
    char apart[APART];
    atomic_int back;
} post;

static void *answer(void *data) {
    post *p = data;
    for (int i = 1; i <= MESSAGES; i++) {
        while (atomic_load(&p->there) != i) continue;
        atomic_store(&p->back, i);
    }
    return NULL;
}

/* Nanoseconds there and back. */
static double message(void) {
    post p = {.there = 0};
    pthread_t other;
    must(pthread_create(&other, NULL, answer, &p) == 0, "no thread");
    atomic_store(&p.there, 1);
    while (atomic_load(&p.back) != 1) continue;
    const double before = wall_now();
    for (int i = 2; i <= MESSAGES; i++) {
        atomic_store(&p.there, i);
        while (atomic_load(&p.back) != i) continue;
    }
    const double seconds = wall_now() - before;
    pthread_join(other, NULL);
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

enum { NEAR, FAR, AWAY };
static int distance(double ns) { return ns < 250.0 ? NEAR : ns < 2500.0 ? FAR : AWAY; }

static void turn(runs *r, turns *all) {
    const double before = message();
    const double one = piece(r, &r->one), two = piece(r, &r->two);
    const double pair = two_runs(r), after = message();
    const int far = distance(before);
    if (far == AWAY || far != distance(after)) return; /* it has changed meanwhile */
    const int k = all->count[far]++;
    const double figures[FIGURES] = {[ONE] = one,
                                     [TWO] = two,
                                     [PAIR] = pair,
                                     [MESSAGE] = fmax(before, after),
                                     [SPEED_UP] = one / two,
                                     [TWO_RUNS] = 2.0 * one / pair,
                                     [TO_ONE_BESIDE] = pair / two};
    for (int i = 0; i < FIGURES; i++) all->figures[far][i][k] = figures[i];
}

/* A row for each distance that was met with often enough. */
static void rows_at(table *t, runs *r, int count) {
    enum { ENOUGH = 3 };
    static turns all;
    const heap *from = &r->from;
    const double simulated = STEPS * from->T;
    all.count[0] = all.count[1] = 0;
    begin_runs(r);
    for (int k = 0; k < count; k++) turn(r, &all);
    end_runs(r);
    for (int far = 0; far < 2; far++) {
        const int n = all.count[far];
        double m[FIGURES];
        if (n < ENOUGH) continue;
        for (int i = 0; i < FIGURES; i++) m[i] = middle(all.figures[far][i], n);
        cell_number(t, "%6.0f", from->N);
        cell_number(t, "%4.1f", from->ode.t);
        cell_number(t, "%11.0f", m[MESSAGE]);
        cell_number(t, "%5.0f", n);
        cell_number(t, "%9.3f", m[ONE] / simulated);
        cell_number(t, "%9.3f", m[TWO] / simulated);
        cell_number(t, "%8.2f", m[SPEED_UP]);
        cell_number(t, "%8.2f", m[TWO_RUNS]);
        cell_number(t, "%13.2f", m[TO_ONE_BESIDE]);
    }
}

/* While the spheres fall, pile up and settle, up to the time `until`. */
static void rows(table *t, int N, double until, int count) {
    const double looks[] = {0.3, 1.0, 2.0};
    runs r = {.from = {.N = N}};
    heap_begin(&r.from, heap_step(N), 1);
    for (int i = 0; i < 3 && looks[i] <= until; i++) {
        must(dry_ode_advance(&r.from.ode, looks[i]) == DRY_OK, "the heap fails");
        rows_at(t, &r, count);
    }
    heap_end(&r.from);
}

int main(int argc, char **argv) {
    table t = table_begin(argc, argv, columns, (int)(sizeof columns / sizeof columns[0]));
    rows(&t, 1000, 2.0, 40);
    rows(&t, 10000, 0.3, 12);
    return 0;
}
