/* export: writes a model as a folder of C that needs nothing else. */
#define _POSIX_C_SOURCE 200809L
#include "export_private.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double SLACK = 1e-9; /* the same as in the recording of a run */

/* A file of a folder; its name, in which ~ is the prefix. */
typedef struct row {
    const char *name;
    dry_export__file *print;
} row;

enum { FILES = 6, FOLDERS = 3 };

/* The first file begins with the mark of an export. */
struct dry_export__layout {
    dry_export_layout about;
    bool is_arduino;
    const char *folders[FOLDERS];
    row files[FILES];
};

static const dry_export__layout layouts[] = {
    {.about = {"c", "~.h, ~.c, main.c, Makefile, README.md; 'make -C ^' builds it", false},
     .files = {{"~.h", dry_export__header},
               {"~.c", dry_export__model},
               {"main.c", dry_export__main},
               {"Makefile", dry_export__makefile},
               {"README.md", dry_export__readme}}},
    {.about = {"arduino",
               "a library: copy ^ into the folder `libraries` of your sketchbook as ~, then open "
               "the example ~",
               true},
     .is_arduino = true,
     .folders = {"src", "examples", "examples/~"},
     .files = {{"src/~.h", dry_export__header},
               {"src/~.c", dry_export__model},
               {"examples/~/~.ino", dry_export__sketch},
               {"library.properties", dry_export__properties},
               {"keywords.txt", dry_export__keywords},
               {"README.md", dry_export__library_readme}}},
};
enum { N_LAYOUTS = sizeof layouts / sizeof *layouts };

static int n_files(const dry_export__layout *layout) {
    int n = 0;
    while (n < FILES && layout->files[n].name) n++;
    return n;
}

static int n_folders(const dry_export__layout *layout) {
    int n = 0;
    while (n < FOLDERS && layout->folders[n]) n++;
    return n;
}

const dry_export_layout *dry_export_layout_at(int i) {
    return i >= 0 && i < N_LAYOUTS ? &layouts[i].about : NULL;
}

const dry_export_layout *dry_export_layout_find(const char *name) {
    for (int i = 0; name && i < N_LAYOUTS; i++)
        if (strcmp(layouts[i].about.name, name) == 0) return &layouts[i].about;
    return NULL;
}

/* NULL stands for the first one. */
static dry_status take_layout(dry_export__plan *plan, const char *name, dry_error *error) {
    int i = 0;
    while (name && i < N_LAYOUTS && strcmp(layouts[i].about.name, name) != 0) i++;
    if (i == N_LAYOUTS)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no layout '%.60s' of an export: choose c or arduino", name);
    plan->layout = &layouts[i];
    plan->single |= plan->layout->about.single;
    plan->is_arduino = plan->layout->is_arduino;
    return DRY_OK;
}

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

/* Returns the path of what has this name in the folder. The caller frees it. */
static char *path_of(const dry_export__plan *plan, const char *path, const char *name) {
    char own[3 * DRY_EXPORT__NAME];
    size_t n = 0;
    for (; *name; name++)
        n += (size_t)snprintf(own + n, sizeof own - n, *name == '~' ? "%s" : "%.1s",
                              *name == '~' ? plan->prefix : name);
    return dry_native__join(path, own);
}

static bool is_export(const dry_export__plan *plan, const char *path) {
    static const char mark[] = "/* drystone export: ";
    char *name = path_of(plan, path, plan->layout->files[0].name), begin[sizeof mark] = "";
    FILE *stream = name ? fopen(name, "r") : NULL;
    if (stream && !fgets(begin, sizeof begin, stream)) begin[0] = '\0';
    if (stream) fclose(stream);
    free(name);
    return strcmp(begin, mark) == 0;
}

/* `made` becomes whether it was not there. */
static dry_status open_folder(const dry_export__plan *plan, const char *path, bool *made,
                              dry_error *error) {
    struct stat about;
    *made = mkdir(path, 0777) == 0;
    if (*made) return DRY_OK;
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

/* What is written: nothing of it has its name before all of it is there. */
typedef struct folder {
    const dry_export__plan *plan;
    const char *path;
    dry_file files[FILES];
    int n_open;
    bool made, made_inside[FOLDERS];
} folder;

static dry_status no_memory(dry_error *error) {
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

static dry_status make_inside(folder *f, int i, dry_error *error) {
    char *path = path_of(f->plan, f->path, f->plan->layout->folders[i]);
    struct stat about;
    if (!path) return no_memory(error);
    f->made_inside[i] = mkdir(path, 0777) == 0;
    const int cause = f->made_inside[i] ? 0 : errno;
    const bool good = f->made_inside[i] || (stat(path, &about) == 0 && S_ISDIR(about.st_mode));
    if (!good)
        dry_error_set_at(error, DRY_IO, path, 0, 0, "cannot create this folder: %s",
                         strerror(cause));
    free(path);
    return good ? DRY_OK : DRY_IO;
}

static dry_status write_file(folder *f, int i, dry_error *error) {
    dry_file *file = &f->files[i];
    char *name = path_of(f->plan, f->path, f->plan->layout->files[i].name);
    if (!name) return no_memory(error);
    dry_status status = dry_file_open(file, name, error);
    if (status == DRY_OK) {
        f->n_open++;
        status = f->plan->layout->files[i].print(f->plan, file->stream, error);
    }
    if (status == DRY_OK && fflush(file->stream) != 0)
        status =
            dry_error_set_at(error, DRY_IO, name, 0, 0, "cannot be written: %s", strerror(errno));
    free(name);
    return status;
}

/* Takes the folders away that were made. Those that are not empty stay. */
static void take_back(const folder *f) {
    for (int i = n_folders(f->plan->layout) - 1; i >= 0; i--) {
        char *path = path_of(f->plan, f->path, f->plan->layout->folders[i]);
        if (path && f->made_inside[i]) (void)rmdir(path);
        free(path);
    }
    if (f->made) (void)rmdir(f->path);
}

static dry_status write_all(folder *f, dry_error *error) {
    dry_status status = DRY_OK;
    int named = 0;
    for (int i = 0; i < n_folders(f->plan->layout) && status == DRY_OK; i++)
        status = make_inside(f, i, error);
    for (int i = 0; i < n_files(f->plan->layout) && status == DRY_OK; i++)
        status = write_file(f, i, error);
    while (status == DRY_OK && named < f->n_open)
        status = dry_file_commit(&f->files[named++], error);
    for (int i = named; i < f->n_open; i++) dry_file_abandon(&f->files[i]);
    if (status != DRY_OK) take_back(f);
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

/* Omits parameters that only measures and plots need, and those that others define. */
dry_status dry_export_par(const dry_model *model, int *par, int *n, dry_error *error) {
    const int n_par = dry_model_system(model)->n_par;
    bool *used = malloc(sizeof *used * ((size_t)n_par + 1));
    const dry_status status = used ? dry_model_par_used(model, used, error)
                                   : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    *n = 0;
    for (int i = 0; status == DRY_OK && i < n_par; i++)
        if (used[i] && !dry_native__follows(model, i)) par[(*n)++] = i;
    free(used);
    return status;
}

/* The outputs that the text has, and their derivatives. */
static bool find_slopes(dry_export__plan *plan) {
    const dry_model *model = plan->model;
    dry_node *node = malloc(sizeof *node * ((size_t)plan->system->n_outputs + 1));
    int n = 0;
    for (int i = 0; node && i < plan->system->n_outputs; i++)
        if (dry_model_output_shown(model, i)) node[n++] = model->code.roots[DRY_SECTION_OUTPUT][i];
    const bool good = node && dry_model_differentiate_nodes(model, node, n, &plan->slopes);
    free(node);
    return good;
}

static dry_status choose_contents(dry_export__plan *plan, dry_error *error) {
    const dry_system *system = plan->system;
    const size_t n_par = (size_t)system->n_par + 1, n_outputs = (size_t)system->n_outputs + 1;
    plan->params = malloc(sizeof *plan->params * n_par);
    plan->par = malloc(sizeof *plan->par * n_par);
    plan->outputs = malloc(sizeof *plan->outputs * n_outputs);
    plan->fields = malloc(sizeof *plan->fields * n_par);
    dry_status status = plan->params && plan->par && plan->outputs && plan->fields
                            ? dry_export_par(plan->model, plan->par, &plan->n_par, error)
                            : dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    for (int i = 0; status == DRY_OK && i < plan->n_par; i++)
        plan->params[i] = system->params[plan->par[i]];
    for (int i = 0; status == DRY_OK && i < system->n_outputs; i++)
        if (dry_model_output_shown(plan->model, i))
            plan->outputs[plan->n_outputs++] = system->outputs[i];
    if (status == DRY_OK && !dry_model_differentiate(plan->model, &plan->jacobian))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    if (status == DRY_OK && plan->sensitive && !find_slopes(plan))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    plan->timed = dry_native__is_timed(plan->model, NULL);
    if (status == DRY_OK && dry_model_failed(plan->model))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    plan->reads_time = reads_time(plan->model);
    plan->counts_samples = plan->single && system->n_clocks > 0;
    if (status == DRY_OK) dry_export__name_fields(plan);
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

dry_status dry_export_can(const dry_model *model, dry_error *error) {
    char names[300];
    dry_run_options run;
    if (dry_model_net(model))
        return dry_error_set(
            error, DRY_UNSUPPORTED,
            "a model with parts cannot be exported as C, because its parts are functions of the "
            "library: write the machine as equations, or run the model from your own program with "
            "the library (dry_model_compile, dry_sim_run)");
    if (dry_model_inclusion(model))
        return dry_error_set(
            error, DRY_UNSUPPORTED,
            "a model for a rigid method has no K to export: compile it for one of %s",
            dry_export_methods(names, sizeof names));
    if (dry_model_steady(model, 0) >= 0)
        return dry_error_set(
            error, DRY_UNSUPPORTED,
            "a model whose states begin steady cannot be exported as C, because the library finds "
            "where they come to rest: remove `steady`, and give %s a start",
            dry_model_system(model)->states[dry_model_steady(model, 0)].name);
    const dry_status planned = dry_model_plan(model, &run, error);
    if (planned != DRY_OK) return planned;
    if (!dry_native__has_step(run.method))
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "the method %s cannot be exported: compile the model for one of %s",
                             run.method->name, dry_export_methods(names, sizeof names));
    return DRY_OK;
}

static dry_status plan_export(dry_export__plan *plan, dry_error *error) {
    const dry_run_options *run = &plan->run;
    const dry_status able = dry_export_can(plan->model, error);
    if (able != DRY_OK) return able;
    dry_model_plan(plan->model, &plan->run, error);
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

dry_status dry_export_build(const char *place, const char *source, const char *object,
                            size_t length, dry_error *error) {
    enum { BYTES = 20 }; /* of C for each operation */
    const int operations = length / BYTES < INT_MAX ? (int)(length / BYTES) : INT_MAX;
    dry_native__compiler compiler;
    char *log = dry_native__join(place, "log");
    if (!log) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_status status = dry_native__find_compiler(NULL, operations, &compiler, error);
    if (status == DRY_OK) {
        status = dry_native__compile(&compiler, operations, source, object, log, error);
        dry_native__forget_compiler(&compiler);
    }
    free(log);
    return status;
}

dry_status dry_export_c(const dry_model *model, const dry_export_options *options, const char *path,
                        dry_error *error) {
    dry_export__plan plan = {
        .model = model, .system = dry_model_system(model), .single = options && options->single};
    dry_error own = {0};
    folder out = {.plan = &plan, .path = path};
    if (options) plan.notes = options->notes, plan.n_notes = options->n_notes;
    if (options) plan.sensitive = options->sensitive;
    if (!error) error = &own;
    dry_status status = take_layout(&plan, options ? options->layout : NULL, error);
    if (status == DRY_OK)
        status = dry_export__take_prefix(&plan, options ? options->prefix : NULL, error);
    if (status == DRY_OK) status = plan_export(&plan, error);
    if (status == DRY_OK) status = open_folder(&plan, path, &out.made, error);
    if (status == DRY_OK) status = write_all(&out, error);
    free(plan.params);
    free(plan.par);
    dry_model_derivatives_free(&plan.jacobian);
    dry_model_derivatives_free(&plan.slopes);
    free(plan.outputs);
    free(plan.fields);
    return status;
}
