/* fit: parameters from measured data for a binding. */
#include "bind_private.h"

#include <drystone/fit.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dry_bind_fit {
    dry_fit_job job;
    dry_fit_free *free;
    const char **data;
    dry_arena *arena; /* the names */
    dry_fit_result result;
    dry_bind_progress *progress;
    void *user;
};

dry_bind_fit *dry_bind_fit_new(void) {
    dry_bind_fit *f = calloc(1, sizeof *f);
    if (f) f->arena = dry_arena_new(0);
    if (f && f->arena) return f;
    free(f);
    return NULL;
}

void dry_bind_fit_free(dry_bind_fit *f) {
    if (!f) return;
    dry_fit_result_free(&f->result);
    dry_arena_free(f->arena);
    free(f->free);
    free((void *)f->data);
    free(f);
}

/* ---- what to fit to what -------------------------------------------------------------------- */

dry_status dry_bind_fit_data(dry_bind_fit *f, const char *file, dry_error *error) {
    const char **more = realloc((void *)f->data, ((size_t)f->job.n_data + 1) * sizeof *more);
    if (more) f->data = more;
    const char *kept = more ? dry_arena_text(f->arena, file, strlen(file)) : NULL;
    if (!kept) return dry_bind__no_memory(error);
    f->data[f->job.n_data++] = kept;
    return DRY_OK;
}

dry_status dry_bind_fit_vary(dry_bind_fit *f, const char *name, double low, double high,
                             bool by_factors, bool own, dry_error *error) {
    dry_fit_free *more = realloc(f->free, ((size_t)f->job.n_free + 1) * sizeof *more);
    if (more) f->free = more;
    const char *kept = more ? dry_arena_text(f->arena, name, strlen(name)) : NULL;
    if (!kept) return dry_bind__no_memory(error);
    f->free[f->job.n_free++] =
        (dry_fit_free){.name = kept, .low = low, .high = high, .log = by_factors, .own = own};
    return DRY_OK;
}

void dry_bind_fit_set(dry_bind_fit *f, dry_bind_fit_option option, double value) {
    switch (option) {
    case DRY_BIND_FIT_HOLD_LAST: f->job.hold_last = value; break;
    case DRY_BIND_FIT_HOLD_FROM: f->job.hold_from = value; break;
    case DRY_BIND_FIT_HUBER: f->job.huber = value; break;
    case DRY_BIND_FIT_STARTS: f->job.starts = (int)value; break;
    case DRY_BIND_FIT_SEED: f->job.seed = (unsigned)value; break;
    case DRY_BIND_FIT_THREADS: f->job.threads = (int)value; break;
    case DRY_BIND_FIT_MOST_STEPS: f->job.most_steps = (int)value; break;
    case DRY_BIND_FIT_TOLERANCE: f->job.tolerance = value; break;
    case DRY_BIND_FIT_WINDOWS: f->job.windows = (int)value; break;
    case DRY_BIND_FIT_WINDOW: f->job.window = value; break;
    }
}

static bool report_progress(void *user, const dry_fit_progress *now) {
    const dry_bind_fit *f = user;
    return !f->progress || f->progress(f->user, (double)now->runs);
}

dry_status dry_bind_fit_run(dry_bind_fit *f, const dry_model *model, const dry_bind_plan *plan,
                            dry_bind_progress *progress, void *user, dry_error *error) {
    dry_fit_result_free(&f->result);
    f->result = (dry_fit_result){0};
    f->job.path = dry_model_path(model);
    f->job.text = dry_model_text(model, &f->job.length);
    f->job.options = plan ? plan->options : (dry_model_options){0};
    f->job.data = f->data;
    f->job.free = f->free;
    f->job.progress = report_progress;
    f->job.user = f;
    f->progress = progress;
    f->user = user;
    return dry_fit_run(&f->job, &f->result, error);
}

/* ---- what came out -------------------------------------------------------------------------- */

double dry_bind_fit_fact(const dry_bind_fit *f, dry_bind_fit_about about) {
    const dry_fit_result *r = &f->result;
    switch (about) {
    case DRY_BIND_FIT_COST: return r->cost;
    case DRY_BIND_FIT_STEPS: return r->steps;
    case DRY_BIND_FIT_RUNS: return (double)(r->runs + r->slope_runs);
    case DRY_BIND_FIT_SETTLED: return r->settled;
    case DRY_BIND_FIT_CONDITION: return r->stats.condition;
    }
    return 0.0;
}

const char *dry_bind_fit_ended(const dry_bind_fit *f) {
    return f->result.ended ? f->result.ended : "";
}

const char *dry_bind_fit_warning(const dry_bind_fit *f, int index) {
    return index >= 0 && index < f->result.stats.n_warnings ? f->result.stats.warnings[index]
                                                            : NULL;
}

int dry_bind_fit_parameters(const dry_bind_fit *f) { return f->result.n_parameters; }
const char *dry_bind_fit_name(const dry_bind_fit *f, int i) { return f->result.parameters[i].name; }
const char *dry_bind_fit_unit(const dry_bind_fit *f, int i) {
    const char *unit = f->result.parameters[i].unit;
    return unit ? unit : "";
}

double dry_bind_fit_number(const dry_bind_fit *f, int i, dry_bind_fit_of of) {
    const dry_fit_parameter *p = &f->result.parameters[i];
    switch (of) {
    case DRY_BIND_FIT_VALUE: return p->value;
    case DRY_BIND_FIT_START: return p->start;
    case DRY_BIND_FIT_LOW: return p->low;
    case DRY_BIND_FIT_HIGH: return p->high;
    case DRY_BIND_FIT_DEVIATION: return p->deviation;
    case DRY_BIND_FIT_FROM: return p->interval[0];
    case DRY_BIND_FIT_TO: return p->interval[1];
    case DRY_BIND_FIT_RECORD: return p->record;
    case DRY_BIND_FIT_AT_BOUND: return p->at_low || p->at_high;
    case DRY_BIND_FIT_NO_EFFECT: return p->no_effect;
    }
    return 0.0;
}

double dry_bind_fit_correlation(const dry_bind_fit *f, int i, int j) {
    const dry_fit_result *r = &f->result;
    return r->stats.correlation ? r->stats.correlation[i * r->n_parameters + j] : (double)NAN;
}

int dry_bind_fit_outputs(const dry_bind_fit *f) { return f->result.n_outputs; }

const char *dry_bind_fit_output_text(const dry_bind_fit *f, int i, dry_bind_fit_text_of of) {
    const dry_fit_output *o = &f->result.outputs[i];
    const char *text = of == DRY_BIND_FIT_NAME   ? o->name
                       : of == DRY_BIND_FIT_UNIT ? o->unit
                       : of == DRY_BIND_FIT_FILE ? o->file
                                                 : o->column;
    return text ? text : "";
}

double dry_bind_fit_output_number(const dry_bind_fit *f, int i, dry_bind_fit_size of) {
    const dry_fit_output *o = &f->result.outputs[i];
    switch (of) {
    case DRY_BIND_FIT_RMS: return o->train.rms;
    case DRY_BIND_FIT_FRACTION: return o->train.fraction;
    case DRY_BIND_FIT_HELD_ROWS: return (double)o->hold.rows;
    case DRY_BIND_FIT_HELD_RMS: return o->hold.rms;
    case DRY_BIND_FIT_HELD_FRACTION: return o->hold.fraction;
    }
    return 0.0;
}

size_t dry_bind_fit_rows(const dry_bind_fit *f, int i) { return f->result.outputs[i].rows; }

const double *dry_bind_fit_values(const dry_bind_fit *f, int i, dry_bind_fit_column of) {
    const dry_fit_output *o = &f->result.outputs[i];
    return of == DRY_BIND_FIT_T ? o->t : of == DRY_BIND_FIT_MEASURED ? o->measured : o->model;
}

dry_status dry_bind_fit_text(const dry_bind_fit *f, char **text, dry_error *error) {
    size_t length;
    *text = NULL;
    return dry_fit_text(&f->job, &f->result, -1, text, &length, error);
}
