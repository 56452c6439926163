/* sweep: a grid of runs for a binding, axis by axis. */
#include "bind_private.h"

#include <drystone/sweep.h>

#include <stdlib.h>
#include <string.h>

struct dry_bind_sweep {
    dry_sweep_axis axes[DRY_SWEEP_AXES];
    int n_axes;
    char **measures;
    int n_measures;
    dry_sweep_result result;
};

/* The progress of a binding in that of a sweep. */
typedef struct caller {
    dry_bind_progress *progress;
    void *user;
} caller;

dry_bind_sweep *dry_bind_sweep_new(void) { return calloc(1, sizeof(dry_bind_sweep)); }

void dry_bind_sweep_free(dry_bind_sweep *s) {
    if (!s) return;
    for (int i = 0; i < s->n_axes; i++) dry_sweep_axis_free(&s->axes[i]);
    for (int i = 0; i < s->n_measures; i++) free(s->measures[i]);
    free(s->measures);
    dry_record_free(s->result.record);
    free(s);
}

static char *copy_of(const char *text) {
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static dry_status check_room(const dry_bind_sweep *s, dry_error *error) {
    if (s->n_axes < DRY_SWEEP_AXES) return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT, "a sweep has at most %d axes: leave some out",
                         DRY_SWEEP_AXES);
}

dry_status dry_bind_sweep_values(dry_bind_sweep *s, const char *name, size_t n,
                                 const double *values, dry_error *error) {
    const dry_status status = check_room(s, error);
    if (status != DRY_OK) return status;
    if (n < 1 || n > 1000000000u)
        return dry_error_set_key(error, DRY_BAD_ARGUMENT, name, "give at least one",
                                 "the axis `%.100s` has %zu values", name, n);
    dry_sweep_axis axis = {
        .name = copy_of(name), .values = malloc(n * sizeof(double)), .n = (int)n};
    if (!axis.name || !axis.values) return dry_sweep_axis_free(&axis), dry_bind__no_memory(error);
    memcpy(axis.values, values, n * sizeof(double));
    s->axes[s->n_axes++] = axis;
    return DRY_OK;
}

dry_status dry_bind_sweep_axis(dry_bind_sweep *s, const char *text, dry_error *error) {
    dry_status status = check_room(s, error);
    if (status == DRY_OK) status = dry_sweep_axis_read(&s->axes[s->n_axes], text, error);
    if (status == DRY_OK) s->n_axes++;
    return status;
}

dry_status dry_bind_sweep_measure(dry_bind_sweep *s, const char *name, dry_error *error) {
    char **more = realloc(s->measures, ((size_t)s->n_measures + 1) * sizeof *more);
    if (more) s->measures = more;
    char *copy = copy_of(name);
    if (!more || !copy) {
        free(copy);
        return dry_bind__no_memory(error);
    }
    s->measures[s->n_measures++] = copy;
    return DRY_OK;
}

static bool report_progress(void *user, size_t done, size_t points) {
    const caller *c = user;
    return !c->progress || c->progress(c->user, (double)done / (double)points);
}

static dry_sweep_code code_of(dry_bind_code code) {
    switch (code) {
    case DRY_BIND_BYTECODE: return DRY_SWEEP_BYTECODE;
    case DRY_BIND_NATIVE: return DRY_SWEEP_NATIVE;
    case DRY_BIND_EITHER: break;
    }
    return DRY_SWEEP_EITHER;
}

dry_status dry_bind_sweep_run(dry_bind_sweep *s, const dry_model *model, const dry_bind_plan *plan,
                              int threads, dry_bind_code code, bool watch,
                              dry_bind_progress *progress, void *user, dry_error *error) {
    static const dry_watch_options watched;
    caller c = {progress, user};
    size_t length;
    const char *text = dry_model_text(model, &length);
    const dry_sweep_options options = {.axes = s->axes,
                                       .n_axes = s->n_axes,
                                       .measures = (const char *const *)s->measures,
                                       .n_measures = s->n_measures,
                                       .model = plan ? plan->options : (dry_model_options){0},
                                       .threads = threads,
                                       .code = code_of(code),
                                       .watch = watch ? &watched : NULL,
                                       .progress = report_progress,
                                       .user = &c};
    dry_record_free(s->result.record);
    s->result = (dry_sweep_result){0};
    return dry_sweep_run(dry_model_path(model), text, length, &options, &s->result, error);
}

const dry_record *dry_bind_sweep_record(const dry_bind_sweep *s) { return s->result.record; }
int dry_bind_sweep_axes(const dry_bind_sweep *s) { return s->n_axes; }
int dry_bind_sweep_length(const dry_bind_sweep *s, int axis) {
    return axis >= 0 && axis < s->n_axes ? s->axes[axis].n : 0;
}
size_t dry_bind_sweep_failed(const dry_bind_sweep *s) { return s->result.failed; }
size_t dry_bind_sweep_untrusted(const dry_bind_sweep *s) { return s->result.untrusted; }
bool dry_bind_sweep_native(const dry_bind_sweep *s) { return s->result.native; }
