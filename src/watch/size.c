/* How large a state is, and how far two runs are apart in it.
 *
 * The size of a state is its range over the run, at least the largest range among states of its
 * unit: a joint that hardly moves is not judged by its own trembling. States of laws and work are
 * not judged. */
#include "watch_private.h"

#include <stdlib.h>
#include <string.h>

/* Of the largest value: what rounding leaves of a state that stands still. */
static const double STANDS = 1e-9;
/* Of anything, in SI: nothing is smaller. */
static const double NOTHING = 1e-12;

static double range_of(const double *x, size_t n) {
    double low = (double)INFINITY, high = -(double)INFINITY, largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, x[i]);
        high = fmax(high, x[i]);
        largest = fmax(largest, fabs(x[i]));
    }
    return n ? fmax(fmax(high - low, STANDS * largest), NOTHING) : NOTHING;
}

static const char *unit_at(const dry_watch__states *s, const dry_record *record, int i) {
    return dry_record_quantity(record, s->column[i]).unit;
}

double dry_watch__unit_size(const dry_watch__states *s, const dry_record *record,
                            const char *unit) {
    for (int i = 0; i < s->n; i++)
        if (!strcmp(unit_at(s, record, i), unit)) return s->size[i];
    return 0.0;
}

/* Units are few: each is looked for among the first states that had it. */
enum { MOST_UNITS = 64 };

static bool share_sizes(dry_watch__states *s, const dry_record *record) {
    int first[MOST_UNITS], *which = calloc((size_t)s->n + 1, sizeof *which), n = 0;
    double largest[MOST_UNITS];
    for (int i = 0; which && i < s->n; i++) {
        int k = 0;
        while (k < n && strcmp(unit_at(s, record, first[k]), unit_at(s, record, i)) != 0) k++;
        which[i] = k < MOST_UNITS ? k : -1;
        if (k == MOST_UNITS) continue;
        if (k == n) first[n] = i, largest[n++] = 0.0;
        largest[k] = fmax(largest[k], s->size[i]);
    }
    for (int i = 0; which && i < s->n; i++)
        if (which[i] >= 0) s->size[i] = largest[which[i]];
    free(which);
    return which != NULL;
}

/* The column of each state of the system: those with names of their own follow the time. */
static void set_columns(dry_watch__states *s, const dry_model *model) {
    const dry_system *system = dry_model_system(model);
    int column = 1, state = 0;
    for (int i = 0; i < s->n; i++) {
        const int own = dry_model_own_state(model, i);
        for (; state < own; state++) column += !dry_state_is_inner(&system->states[state]);
        s->column[i] = column;
    }
}

bool dry_watch__states_begin(dry_watch__states *s, const dry_model *model,
                             const dry_record *record) {
    const size_t n = (size_t)dry_model_own_states(model);
    *s = (dry_watch__states){.n = (int)n, .rows = dry_record_rows(record)};
    s->column = calloc(n + 1, sizeof *s->column);
    s->size = calloc(n + 1, sizeof *s->size);
    s->mark = calloc(s->rows + 1, sizeof *s->mark);
    if (!s->column || !s->size || !s->mark) return false;
    set_columns(s, model);
    for (int i = 0; i < s->n; i++)
        s->size[i] = range_of(dry_record_values(record, s->column[i]), dry_record_rows(record));
    return share_sizes(s, record);
}

void dry_watch__states_end(dry_watch__states *s) {
    free(s->column);
    free(s->size);
    free(s->mark);
}

/* ---- measures ------------------------------------------------------------------------ */

/* Of a column that it reads, in its own unit; of the states of its unit; of a time, the length of
 * the run; of a number without a unit, 1. Else nothing but its own value is left. */
static double measure_size(const dry_watch__states *s, const dry_model *model,
                           const dry_record *record, int measure, double a, double b) {
    const char *unit = dry_model_measure_at(model, measure).unit;
    const int outputs = dry_record_columns(record) - dry_model_system(model)->n_outputs;
    const size_t rows = dry_record_rows(record);
    double size = dry_watch__unit_size(s, record, unit);
    for (int k = 0, out; (out = dry_model_measure_output(model, measure, k)) >= 0; k++)
        if (!strcmp(dry_record_quantity(record, outputs + out).unit, unit))
            size = fmax(size, range_of(dry_record_values(record, outputs + out), rows));
    if (size > 0.0) return size;
    if (!strcmp(unit, "s")) return dry_record_values(record, 0)[rows - 1];
    const double own = fmax(fabs(a), fabs(b));
    return !strcmp(unit, "") || !strcmp(unit, "1") ? fmax(own, 1.0) : fmax(own, NOTHING);
}

double dry_watch__measure_apart(const dry_watch__states *s, const dry_model *model,
                                const dry_record *record, int measure, double a, double b) {
    if (dry_model_measure_is_expected(model, measure)) return 0.0;
    if ((isnan(a) && isnan(b)) || a == b) return 0.0;
    if (isnan(a - b)) return (double)INFINITY;
    return fabs(a - b) / measure_size(s, model, record, measure, a, b);
}

/* ---- two runs ------------------------------------------------------------------------ */

static size_t common_rows(const dry_record *a, const dry_record *b) {
    const size_t n = dry_record_rows(a), m = dry_record_rows(b);
    return n < m ? n : m;
}

double dry_watch__apart(const dry_watch__states *s, int i, const dry_record *a,
                        const dry_record *b) {
    const double *x = dry_record_values(a, s->column[i]), *y = dry_record_values(b, s->column[i]);
    const size_t n = common_rows(a, b);
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) sum += fabs(x[k] - y[k]);
    const double end = fabs(x[dry_record_rows(a) - 1] - y[dry_record_rows(b) - 1]);
    return fmax(end, sum / (double)n) / s->size[i];
}

/* Marks the rows in which a state is more than `far` of its size apart. */
static void mark_far(const dry_watch__states *s, const dry_record *a, const dry_record *b,
                     double far, size_t n, unsigned char *mark) {
    for (int i = 0; i < s->n; i++) {
        const double *x = dry_record_values(a, s->column[i]);
        const double *y = dry_record_values(b, s->column[i]);
        const double most = far * s->size[i];
        for (size_t k = 0; k < n; k++) mark[k] |= !(fabs(x[k] - y[k]) <= most);
    }
}

/* Runs are apart for at least one row in STRETCH: an impact at the end of the run that comes a hair
 * later in one of them does not part them. */
enum { STRETCH = 50 };

size_t dry_watch__parts_at(const dry_watch__states *s, const dry_record *a, const dry_record *b,
                           double far) {
    const size_t there = common_rows(a, b), n = there < s->rows ? there : s->rows;
    unsigned char *mark = s->mark;
    size_t found = n, marked = 0;
    memset(mark, 0, n);
    mark_far(s, a, b, far, n, mark);
    for (size_t k = n; k-- > 0;) {
        marked += mark[k];
        if (mark[k] && 2 * marked >= n - k && STRETCH * (n - k) >= n) found = k;
    }
    return found;
}
