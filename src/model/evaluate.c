/* evaluate: the measures and expectations of a run, from its record or from its rows as they come.
 *
 * The columns of the record are t, the states and the outputs, in the order of the system. */
#include "model_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double node_value(const dry_model *model, dry_node node, const double *par) {
    return dry_dag_value(model->elab.dag, node, par, 0.0, NULL, NULL, 0);
}

static void begin(const dry_model *model, const dry_reducer *r, const double *par,
                  dry_model__reduction *reduction) {
    const double from = r->from >= 0 ? node_value(model, r->from, par) : 0.0;
    const double to = r->to >= 0 ? node_value(model, r->to, par) : 0.0;
    dry_model__reduce_begin(reduction, r, r->from >= 0 ? &from : NULL, r->to >= 0 ? &to : NULL);
}

static double reduce(const dry_model *model, const dry_reducer *r, const double *par,
                     const dry_record *record, int column) {
    const double *t = dry_record_values(record, 0), *y = dry_record_values(record, column);
    dry_model__reduction reduction;
    begin(model, r, par, &reduction);
    for (size_t i = 0; i < dry_record_rows(record); i++)
        dry_model__reduce_add(&reduction, t[i], y[i]);
    return dry_model__reduce_end(&reduction);
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
    return (dry_measured){.name = info->name,
                          .source = info->source,
                          .unit = model->measure_unit[index],
                          .value = (double)NAN};
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

static int first_output(const dry_model *model) { return 1 + dry_system_named(&model->system); }

/* The parameters, with room for what the reducers find; NULL without memory. */
static double *copy_params(const dry_model *model, const double *par) {
    const dry_elab *elab = &model->elab;
    double *values = malloc(sizeof *values * (size_t)(elab->quantities.n_params + 1));
    for (int i = 0; values && i < elab->quantities.n_params; i++)
        values[i] = (par ? par : elab->quantities.par_value)[i];
    return values;
}

/* The latest time that a reducer reads; -INFINITY: whatever there is. */
static double latest_of(const dry_model *model, const dry_reducer *r, const double *values) {
    const dry_node last = r->to >= 0 ? r->to : r->from;
    return last >= 0 ? node_value(model, last, values) : -(double)INFINITY;
}

/* The latest time that a node reads, if the run ended before; else 0. */
static double beyond(const dry_model *model, dry_node node, const double *values, double end) {
    const dry_elab *elab = &model->elab;
    double latest = 0.0;
    for (int i = 0; i < elab->results.n_reducers; i++) {
        const dry_reducer *r = &elab->results.reducer[i];
        const double time = latest_of(model, r, values);
        if (time > end * (1.0 + 1e-9) && time > latest && needs(model, node, r->slot))
            latest = time;
    }
    return latest;
}

/* end: the last instant of the run. */
static dry_status give(const dry_model *model, const double *values, double end,
                       dry_measured *measured, dry_expected *expected, dry_error *error) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->results.n_measures; i++) {
        measured[i] = dry_model_measure_at(model, i);
        measured[i].value = node_value(model, elab->results.measure[i].value, values);
        measured[i].beyond = beyond(model, elab->results.measure[i].value, values, end);
    }
    for (int i = 0; expected && i < elab->results.n_expects; i++) {
        evaluate_expect(model, &elab->results.expect[i], values, &expected[i]);
        expected[i].beyond = beyond(model, elab->results.expect[i].value, values, end);
    }
    return dry_model_failed(model) ? dry_error_set(error, DRY_NO_MEMORY, "out of memory") : DRY_OK;
}

dry_status dry_model_evaluate(const dry_model *model, const double *par, const dry_record *record,
                              dry_measured *measured, dry_expected *expected, dry_error *error) {
    const dry_elab *elab = &model->elab;
    if (dry_record_columns(record) != first_output(model) + model->system.n_outputs)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the record does not fit this model: it must have the columns t, "
                             "every named state and every output of the model's system");
    double *values = copy_params(model, par);
    if (!values) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int i = 0; i < elab->results.n_reducers; i++) {
        const dry_reducer *r = &elab->results.reducer[i];
        values[r->slot] = reduce(model, r, values, record, first_output(model) + r->output);
    }
    const size_t rows = dry_record_rows(record);
    const double end = rows ? dry_record_values(record, 0)[rows - 1] : (double)NAN;
    const dry_status status = give(model, values, end, measured, expected, error);
    free(values);
    return status;
}

bool dry_model__measure_slope(const dry_model *model, dry_node slope, const double *par,
                              const dry_record *run, const dry_record *slopes, int first, int apart,
                              double *value) {
    const dry_elab *elab = &model->elab;
    const int n = elab->quantities.n_params, n_reducers = elab->results.n_reducers;
    double *values = calloc((size_t)(n + n_reducers) + 1, sizeof *values);
    if (!values) return false;
    memcpy(values, par ? par : elab->quantities.par_value, sizeof *values * (size_t)n);
    for (int i = 0; i < n_reducers; i++) {
        const dry_reducer *r = &elab->results.reducer[i];
        values[r->slot] = reduce(model, r, values, run, first_output(model) + r->output);
        values[n + i] = reduce(model, r, values, slopes, first + r->output * apart);
    }
    *value = node_value(model, slope, values);
    free(values);
    return true;
}

/* ---- as rows come -------------------------------------------------------------------------- */

/* A reducer whose times depend on what others find looks back: it keeps its samples. */
typedef struct reading {
    dry_model__reduction reduction;
    dry_record *kept; /* t and y; NULL: it does not look back */
} reading;

struct dry_measuring {
    const dry_model *model;
    double *values;
    reading *readings; /* one for each reducer */
    double end;        /* the time of the last row */
};

static bool looks_back(const dry_model *model, const dry_reducer *r) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->results.n_reducers; i++) {
        const int slot = elab->results.reducer[i].slot;
        if ((r->from >= 0 && needs(model, r->from, slot)) ||
            (r->to >= 0 && needs(model, r->to, slot)))
            return true;
    }
    return false;
}

static bool open_reading(const dry_measuring *m, const dry_reducer *r, reading *to) {
    static const dry_quantity columns[] = {{"t", "s"}, {"y", ""}};
    if (looks_back(m->model, r)) return (to->kept = dry_record_new(columns, 2)) != NULL;
    begin(m->model, r, m->values, &to->reduction);
    return true;
}

dry_measuring *dry_measuring_new(const dry_model *model, const double *par) {
    const int n = model->elab.results.n_reducers;
    dry_measuring *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    *m = (dry_measuring){.model = model,
                         .values = copy_params(model, par),
                         .readings = calloc((size_t)n + 1, sizeof *m->readings)};
    bool good = m->values && m->readings;
    for (int i = 0; good && i < n; i++)
        good = open_reading(m, &model->elab.results.reducer[i], &m->readings[i]);
    if (good) return m;
    dry_measuring_free(m);
    return NULL;
}

void dry_measuring_free(dry_measuring *m) {
    if (!m) return;
    for (int i = 0; m->readings && i < m->model->elab.results.n_reducers; i++)
        dry_record_free(m->readings[i].kept);
    free(m->readings);
    free(m->values);
    free(m);
}

dry_status dry_measuring_add(dry_measuring *m, const double *row) {
    dry_status status = DRY_OK;
    m->end = row[0];
    for (int i = 0; status == DRY_OK && i < m->model->elab.results.n_reducers; i++) {
        reading *to = &m->readings[i];
        const double t = row[0];
        const double y = row[first_output(m->model) + m->model->elab.results.reducer[i].output];
        if (to->kept)
            status = dry_record_add(to->kept, (const double[]){t, y});
        else
            dry_model__reduce_add(&to->reduction, t, y);
    }
    return status;
}

dry_status dry_measuring_end(dry_measuring *m, dry_measured *measured, dry_expected *expected,
                             dry_error *error) {
    for (int i = 0; i < m->model->elab.results.n_reducers; i++) {
        const dry_reducer *r = &m->model->elab.results.reducer[i];
        reading *from = &m->readings[i];
        m->values[r->slot] = from->kept ? reduce(m->model, r, m->values, from->kept, 1)
                                        : dry_model__reduce_end(&from->reduction);
    }
    return give(m->model, m->values, m->end, measured, expected, error);
}
