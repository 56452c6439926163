/* What every benchmark needs: a race of contestants in one run, and a table of what came out.
 *
 * A machine is never quiet and never the same: the contestants take turns, each keeps the shortest
 * of its times, and what is to be read is the ratio of two of them. */
#ifndef DRYSTONE_BENCH_H
#define DRYSTONE_BENCH_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 199309L
#endif
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif

/* ---- time ------------------------------------------------------------------ */

/* of this program on a processor: what others do meanwhile does not count */
static inline double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct contestant {
    const char *name;
    void (*run)(void *data);
    void *data;
    double seconds; /* the shortest time of one run */
} contestant;

/* One turn: runs for `least` seconds, once at least. */
static inline void take_turn(contestant *c, double least) {
    const double start = seconds_now();
    double before = start;
    do {
        c->run(c->data);
        const double now = seconds_now();
        if (now > before) c->seconds = fmin(c->seconds, now - before); /* the clock may stand */
        before = now;
    } while (before - start < least);
}

/* Lets them take turns for `budget` seconds, and for three turns at least. */
static inline void race(contestant *all, int n, double budget) {
    const double start = seconds_now();
    for (int i = 0; i < n; i++) all[i].seconds = (double)INFINITY;
    for (int turn = 0; turn < 3 || seconds_now() - start < budget; turn++)
        for (int i = 0; i < n; i++) take_turn(&all[(i + turn) % n], 0.02 * budget);
}

/* ---- the table ------------------------------------------------------------- */

/* Columns of text are as wide as `width` says, columns of numbers are right-aligned; with --csv
 * cells are separated by commas and numbers have all their digits. */
typedef struct column {
    const char *name;
    int width; /* > 0: text; < 0: numbers */
} column;

typedef struct table {
    const column *columns;
    int n_columns, at;
    bool csv;
} table;

static inline void cell_end(table *t) {
    t->at = (t->at + 1) % t->n_columns;
    fputs(t->at == 0 ? "\n" : t->csv ? "," : "  ", stdout);
    fflush(stdout);
}
static inline void cell_text(table *t, const char *text) {
    if (t->csv)
        fputs(text, stdout);
    else
        printf("%*s", -t->columns[t->at].width, text);
    cell_end(t);
}
/* NaN: an empty cell */
static inline void cell_number(table *t, const char *format, double value) {
    char text[64] = "";
    if (!isnan(value)) snprintf(text, sizeof text, t->csv ? "%.9g" : format, value);
    cell_text(t, text);
}

static inline table table_begin(int argc, char **argv, const column *columns, int n_columns) {
    table t = {columns, n_columns, 0, false};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--csv") == 0) {
            t.csv = true;
        } else {
            fprintf(stderr, "usage: %s [--csv]\n", argv[0]);
            exit(2);
        }
    }
    for (int i = 0; i < n_columns; i++) cell_text(&t, columns[i].name);
    return t;
}

/* Ends the program where the contestants have not computed the same. */
static inline void must(bool condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "not a fair race: %s\n", what);
    exit(1);
}

#endif
