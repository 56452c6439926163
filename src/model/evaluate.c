/* evaluate: the measures and expectations of a run, from its record.
 *
 * The columns of the record are t, the states and the outputs, in the order of the system. */
#include "model_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct curve {
    const double *t, *y;
    size_t n;
} curve;

/* Returns y at a time, linear between samples. */
static double value_at(const curve *c, double time) {
    if (!c->n || !(time >= c->t[0] - 1e-9 * fabs(c->t[0])) ||
        !(time <= c->t[c->n - 1] * (1.0 + 1e-12) + 1e-12))
        return (double)NAN;
    size_t low = 0, high = c->n - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (c->t[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    double span = c->t[high] - c->t[low];
    if (!(span > 0.0)) return c->y[high];
    double w = (time - c->t[low]) / span;
    return w >= 1.0 ? c->y[high] : w <= 0.0 ? c->y[low] : (1.0 - w) * c->y[low] + w * c->y[high];
}

typedef struct span {
    double from, to;
} span;

/* A condition within a span: the samples begin .. end - 1, and the ends of the span if they lie
 * between samples. A column of differences is linear between samples, because its zero is located
 * this way. A truth value lasts until the next sample. */
typedef struct stretch {
    curve c;
    span s;
    bool differs;      /* a column of differences */
    size_t begin, end; /* samples */
    size_t head, n;    /* head is 1 if the span begins between samples; n is the number of points */
} stretch;

typedef struct instant {
    double t, y;
} instant;

/* Returns the accuracy of a time. */
static double slack(double t) { return 1e-9 * (fabs(t) + 1e-300); }
static bool is_before(double a, double b) { return a < b - slack(b); }

static stretch cut(const curve *c, const span *s, bool differs) {
    stretch r = {.c = *c, .s = *s, .differs = differs};
    if (!(s->from <= s->to)) return r;
    while (r.begin < c->n && is_before(c->t[r.begin], s->from)) r.begin++;
    r.end = r.begin;
    while (r.end < c->n && !is_before(s->to, c->t[r.end])) r.end++;
    if (r.begin == c->n || r.end == 0) return r; /* outside the run */
    r.head = r.begin > 0 && is_before(s->from, c->t[r.begin]);
    r.n = r.head + (r.end - r.begin) + (r.end < c->n && is_before(c->t[r.end - 1], s->to));
    return r;
}

/* Returns the instant between the samples i - 1 and i. A difference within the slack of zero counts
 * as zero, because the end may be the time of a zero that another measure found. */
static instant between(const stretch *r, size_t i, double t) {
    const double y0 = r->c.y[i - 1], y1 = r->c.y[i], dt = r->c.t[i] - r->c.t[i - 1];
    const double w = (t - r->c.t[i - 1]) / dt, y = (1.0 - w) * y0 + w * y1;
    if (!r->differs) return (instant){t, y0};
    return (instant){t, fabs(y) <= fabs(y1 - y0) * slack(t) / dt ? 0.0 : y};
}

static instant point(const stretch *r, size_t k) {
    if (k < r->head) return between(r, r->begin, r->s.from);
    const size_t i = r->begin + k - r->head;
    return i < r->end ? (instant){r->c.t[i], r->c.y[i]} : between(r, r->end, r->s.to);
}

/* Returns true if a difference is positive, or if a truth value is not zero. */
static bool holds(const stretch *r, instant p) { return r->differs ? p.y > 0.0 : p.y != 0.0; }

static double change_time(const stretch *r, instant a, instant b) {
    if (!r->differs || a.y == b.y || !isfinite(a.y) || !isfinite(b.y)) return b.t;
    return a.t + (b.t - a.t) * a.y / (a.y - b.y);
}

static double first_time(const stretch *r) {
    for (size_t k = 0; k < r->n; k++) {
        const instant p = point(r, k);
        if (holds(r, p)) return k ? change_time(r, point(r, k - 1), p) : p.t;
    }
    return (double)NAN;
}

static double last_time(const stretch *r) {
    for (size_t k = r->n; k-- > 0;) {
        const instant p = point(r, k);
        if (holds(r, p)) return k + 1 < r->n ? change_time(r, p, point(r, k + 1)) : p.t;
    }
    return (double)NAN;
}

/* Counts how often the condition becomes true; true at the beginning counts once. */
static double count_times(const stretch *r) {
    int n = 0;
    bool before = false;
    for (size_t k = 0; k < r->n; k++) {
        const bool now = holds(r, point(r, k));
        n += now && !before;
        before = now;
    }
    return n;
}

static double condition(const curve *c, const span *s, const dry_reducer *r) {
    const stretch asked = cut(c, s, r->crossing);
    return r->kind == DRY_FIRST  ? first_time(&asked)
           : r->kind == DRY_LAST ? last_time(&asked)
                                 : count_times(&asked);
}

static double statistic(const dry_record *record, int column, dry_reducer_kind kind,
                        const span *s) {
    dry_record_stats stats;
    if (dry_record_statistics(record, 0, column, s->from, s->to, &stats) != DRY_OK)
        return (double)NAN;
    switch (kind) {
    case DRY_MAX_OF: return stats.max;
    case DRY_MIN_OF: return stats.min;
    case DRY_MEAN: return stats.mean;
    case DRY_RMS: return stats.rms;
    case DRY_INTEGRAL: return stats.integral;
    default: return stats.last;
    }
}

static double node_value(const dry_model *model, dry_node node, const double *par) {
    return dry_dag_value(model->elab.dag, node, par, 0.0, NULL, NULL, 0);
}

static double reduce(const dry_model *model, const dry_reducer *r, const double *par,
                     const dry_record *record) {
    int column = dry_record_columns(record) - model->system.n_outputs + r->output;
    curve c = {dry_record_values(record, 0), dry_record_values(record, column),
               dry_record_rows(record)};
    if (!c.n) return (double)NAN;
    span s = {r->from >= 0 ? node_value(model, r->from, par) : c.t[0],
              r->to >= 0 ? node_value(model, r->to, par) : c.t[c.n - 1]};
    switch (r->kind) {
    case DRY_FINAL: return c.y[c.n - 1];
    case DRY_AT: return value_at(&c, s.from);
    case DRY_FIRST:
    case DRY_LAST:
    case DRY_COUNT_OF: return condition(&c, &s, r);
    default: return statistic(record, column, r->kind, &s);
    }
}

static const char *expectation_text(const char *source) {
    return !strncmp(source, "expect", 6) ? source + 6 + strspn(source + 6, " \t") : source;
}

static void evaluate_expect(const dry_model *model, const dry_expect_info *info, const double *par,
                            dry_expected *out) {
    *out = (dry_expected){.source = expectation_text(info->source),
                          .line = info->at.line,
                          .value = node_value(model, info->value, par),
                          .target = (double)NAN,
                          .tolerance = (double)NAN};
    if (info->target < 0) {
        out->met = out->value != 0.0 && !isnan(out->value);
        return;
    }
    out->target = node_value(model, info->target, par);
    out->tolerance = node_value(model, info->tolerance, par);
    out->met = fabs(out->value - out->target) <= out->tolerance;
}

dry_measured dry_model_measure_at(const dry_model *model, int index) {
    const dry_measure_info *info = &model->elab.results.measure[index];
    return (dry_measured){info->name, info->source, model->measure_unit[index], (double)NAN};
}

/* Returns true if a node needs the parameter that takes a reducer's result. */
static bool needs(const dry_model *model, dry_node node, int slot) {
    const dry_node leaf = dry_dag_leaf(model->elab.dag, DRY_OP_PAR, slot);
    unsigned char *mark = calloc((size_t)dry_dag_count(model->elab.dag) + 1, 1);
    if (mark) dry_dag_reach(model->elab.dag, node, mark);
    const bool needed = !mark || mark[leaf];
    free(mark);
    return needed;
}

int dry_model_measure_output(const dry_model *model, int index, int k) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->results.n_reducers; i++)
        if (needs(model, elab->results.measure[index].value, elab->results.reducer[i].slot) &&
            k-- == 0)
            return elab->results.reducer[i].output;
    return -1;
}

bool dry_model_measure_is_expected(const dry_model *model, int index) {
    const dry_elab *elab = &model->elab;
    const dry_node measure = elab->results.measure[index].value;
    unsigned char *mark = dry_heap_take(elab->arena, (size_t)dry_dag_count(elab->dag) + 1, 1);
    for (int i = 0; mark && i < elab->results.n_expects; i++) {
        const dry_expect_info *e = &elab->results.expect[i];
        dry_dag_reach(elab->dag, e->value, mark);
        if (e->target >= 0) dry_dag_reach(elab->dag, e->target, mark);
        if (e->tolerance >= 0) dry_dag_reach(elab->dag, e->tolerance, mark);
    }
    const bool expected = mark && mark[measure];
    free(mark);
    return expected;
}

bool dry_model_measure_is_final(const dry_model *model, int index) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->results.n_reducers; i++)
        if (elab->results.reducer[i].kind != DRY_FINAL &&
            needs(model, elab->results.measure[index].value, elab->results.reducer[i].slot))
            return false;
    return true;
}

dry_status dry_model_evaluate(const dry_model *model, const double *par, const dry_record *record,
                              dry_measured *measured, dry_expected *expected, dry_error *error) {
    const dry_elab *elab = &model->elab;
    if (dry_record_columns(record) !=
        1 + dry_system_named(&model->system) + model->system.n_outputs)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the record does not fit this model: it must have the columns t, "
                             "every named state and every output of the model's system");
    double *values = malloc(sizeof *values * (size_t)(elab->quantities.n_params + 1));
    if (!values) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int i = 0; i < elab->quantities.n_params; i++)
        values[i] = (par ? par : elab->quantities.par_value)[i];
    for (int i = 0; i < elab->results.n_reducers; i++)
        values[elab->results.reducer[i].slot] =
            reduce(model, &elab->results.reducer[i], values, record);
    for (int i = 0; i < elab->results.n_measures; i++) {
        measured[i] = dry_model_measure_at(model, i);
        measured[i].value = node_value(model, elab->results.measure[i].value, values);
    }
    for (int i = 0; expected && i < elab->results.n_expects; i++)
        evaluate_expect(model, &elab->results.expect[i], values, &expected[i]);
    free(values);
    return dry_model_failed(model) ? dry_error_set(error, DRY_NO_MEMORY, "out of memory") : DRY_OK;
}
