/* export: writes a model as a folder of C that needs nothing else. */
#define _POSIX_C_SOURCE 200809L
#include "export_private.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const double SLACK = 1e-9; /* the same as in the recording of a run */

static const struct {
    const char *name;
    dry_export__file *print;
} files[] = {{"~.h", dry_export__header}, /* begins with the mark of an export */
             {"~.c", dry_export__model},
             {"main.c", dry_export__main},
             {"Makefile", dry_export__makefile},
             {"README.md", dry_export__readme}};
enum { N_FILES = sizeof files / sizeof *files };

/* ---- the folder --------------------------------------------------------------------------------
 */

static bool is_empty(const char *path) {
    DIR *directory = opendir(path);
    bool empty = directory != NULL;
    for (const struct dirent *file; empty && (file = readdir(directory));)
        empty = strcmp(file->d_name, ".") == 0 || strcmp(file->d_name, "..") == 0;
    if (directory) closedir(directory);
    return empty;
}

/* Returns the path of a file in the folder. The caller frees it. */
static char *path_of(const dry_export__plan *plan, const char *path, int row) {
    char name[DRY_EXPORT__NAME + 16];
    const char *own = files[row].name;
    snprintf(name, sizeof name, "%s%s", *own == '~' ? plan->prefix : "", own + (*own == '~'));
    return dry_native__join(path, name);
}

static bool is_export(const dry_export__plan *plan, const char *path) {
    static const char mark[] = "/* drystone export: ";
    char *name = path_of(plan, path, 0), begin[sizeof mark] = "";
    FILE *stream = name ? fopen(name, "r") : NULL;
    if (stream && !fgets(begin, sizeof begin, stream)) begin[0] = '\0';
    if (stream) fclose(stream);
    free(name);
    return strcmp(begin, mark) == 0;
}

static dry_status open_folder(const dry_export__plan *plan, const char *path, dry_error *error) {
    struct stat about;
    if (mkdir(path, 0777) == 0) return DRY_OK;
    const int cause = errno;
    if (stat(path, &about) != 0)
        return dry_error_set_at(error, DRY_IO, path, 0, 0,
                                "cannot create this folder: %s; create the folder above it first",
                                strerror(cause));
    if (!S_ISDIR(about.st_mode))
        return dry_error_set_at(error, DRY_BAD_ARGUMENT, path, 0, 0,
                                "a file has the name of this folder: choose another name");
    if (is_empty(path) || is_export(plan, path)) return DRY_OK;
    return dry_error_set_at(
        error, DRY_BAD_ARGUMENT, path, 0, 0,
        "this folder has other files, which might be overwritten: choose a new or an empty folder");
}

static dry_status write_file(const dry_export__plan *plan, const char *path, int row,
                             dry_error *error) {
    dry_file file;
    char *name = path_of(plan, path, row);
    if (!name) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_status status = dry_file_open(&file, name, error);
    free(name);
    if (status != DRY_OK) return status;
    status = files[row].print(plan, file.stream, error);
    if (status == DRY_OK) return dry_file_commit(&file, error);
    dry_file_abandon(&file);
    return status;
}

/* ---- what is written
 * ------------------------------------------------------------------------------ */

/* Returns the number of steps from one row to the next. */
static double steps_of(const dry_run_options *run) {
    return round((run->record > run->step ? run->record : run->step) / run->step);
}

/* dry_export_c refuses a model that does not give the length of the run. */
dry_run_options dry_export_run(const dry_model *model) {
    dry_run_options run;
    dry_model_plan(model, &run, NULL);
    run.record = steps_of(&run) * run.step;
    return run;
}

/* Whether any number of the model depends on the time; when it samples does. */
static bool reads_time(const dry_model *model) {
    bool reads = model->system.n_clocks > 0;
    for (int s = 0; s < DRY_N_SECTIONS; s++)
        for (int i = 0; i < model->code.n_roots[s]; i++)
            reads |= dry_dag_depends(model->elab.dag, model->code.roots[s][i]) & DRY_ON_T;
    return reads;
}

/* Omits what only measures and plots need, and parameters that others define. */
static dry_status choose_contents(dry_export__plan *plan, dry_error *error) {
    const dry_system *system = plan->system;
    const size_t n_par = (size_t)system->n_par + 1, n_outputs = (size_t)system->n_outputs + 1;
    bool *used = malloc(sizeof *used * n_par);
    plan->params = malloc(sizeof *plan->params * n_par);
    plan->par = malloc(sizeof *plan->par * n_par);
    plan->outputs = malloc(sizeof *plan->outputs * n_outputs);
    plan->fields = malloc(sizeof *plan->fields * n_par);
    dry_status status = used && plan->params && plan->par && plan->outputs && plan->fields
                            ? dry_model_par_used(plan->model, used, error)
                            : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int i = 0; status == DRY_OK && i < system->n_par; i++) {
        if (!used[i] || dry_native__follows(plan->model, i)) continue;
        plan->params[plan->n_par] = system->params[i];
        plan->par[plan->n_par++] = i;
    }
    for (int i = 0; status == DRY_OK && i < system->n_outputs; i++)
        if (dry_model_output_shown(plan->model, i))
            plan->outputs[plan->n_outputs++] = system->outputs[i];
    if (status == DRY_OK && !dry_model_differentiate(plan->model, &plan->jacobian))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    plan->timed = dry_native__is_timed(plan->model);
    if (status == DRY_OK && dry_model_failed(plan->model))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    plan->reads_time = reads_time(plan->model);
    if (status == DRY_OK) dry_export__name_fields(plan);
    free(used);
    return status;
}

const char *dry_export_methods(char *text, size_t room) {
    size_t n = 0;
    text[0] = '\0';
    for (int i = 0; i < dry_method_count(); i++) {
        const dry_method *method = dry_method_at(i);
        if (!dry_native__has_step(method) || n + 2 + strlen(method->name) >= room) continue;
        n += (size_t)snprintf(text + n, room - n, "%s%s", n ? ", " : "", method->name);
    }
    return text;
}

static dry_status plan_export(dry_export__plan *plan, dry_error *error) {
    char names[300];
    if (dry_model_net(plan->model))
        return dry_error_set(
            error, DRY_UNSUPPORTED,
            "a model with parts cannot be exported as C, because its parts are functions of the "
            "library: write the machine as equations, or run the model from your own program with "
            "the library (dry_model_compile, dry_sim_run)");
    if (dry_model_inclusion(plan->model))
        return dry_error_set(
            error, DRY_UNSUPPORTED,
            "a model for a rigid method has no K to export: compile it for one of %s",
            dry_export_methods(names, sizeof names));
    const dry_run_options *run = &plan->run;
    const dry_status planned = dry_model_plan(plan->model, &plan->run, error);
    if (planned != DRY_OK) return planned;
    if (!dry_native__has_step(run->method))
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "the method %s cannot be exported: compile the model for one of %s",
                             run->method->name, dry_export_methods(names, sizeof names));
    const double steps = steps_of(run), rows = run->until / (steps * run->step);
    if (!(steps < 1e9 && rows < 1e9))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "a run of %g s with steps of %g s is too long to print: use a shorter "
                             "run or a longer step",
                             run->until, run->step);
    plan->multiple = (long)steps;
    plan->intervals = (long)ceil(rows - SLACK);
    return choose_contents(plan, error);
}

dry_status dry_export_c(const dry_model *model, const dry_export_options *options, const char *path,
                        dry_error *error) {
    dry_export__plan plan = {
        .model = model, .system = dry_model_system(model), .single = options && options->single};
    dry_error own = {0};
    if (options) plan.notes = options->notes, plan.n_notes = options->n_notes;
    if (!error) error = &own;
    dry_status status = dry_export__take_prefix(&plan, options ? options->prefix : NULL, error);
    if (status == DRY_OK) status = plan_export(&plan, error);
    if (status == DRY_OK) status = open_folder(&plan, path, error);
    for (int i = 0; i < N_FILES && status == DRY_OK; i++)
        status = write_file(&plan, path, i, error);
    free(plan.params);
    free(plan.par);
    dry_model_derivatives_free(&plan.jacobian);
    free(plan.outputs);
    free(plan.fields);
    return status;
}
