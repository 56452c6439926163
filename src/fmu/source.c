/* source: the C of an FMU of equations: the exported model, the functions of FMI around it, and the
 * object that the compiler of this computer makes of them. */
#define _POSIX_C_SOURCE 200809L
#include "fmu_private.h"

#include <drystone/native.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a folder for a while
 * --------------------------------------------------------------------------- */

typedef struct folder {
    char path[400];
    char prefix[DRY_FMU__NAME + 8], upper[DRY_FMU__NAME + 8];
} folder;

static void path_in(const folder *f, const char *name, char *path, size_t size) {
    snprintf(path, size, "%s/%s", f->path, name);
}

static dry_status make_folder(folder *f, dry_error *error) {
    const char *where = getenv("TMPDIR");
    snprintf(f->path, sizeof f->path, "%.300s/drystone-fmu-XXXXXX",
             where && *where ? where : "/tmp");
    if (mkdtemp(f->path)) return DRY_OK;
    return dry_error_set_at(error, DRY_IO, f->path, 0, 0,
                            "cannot make this folder for a while: %s; name another one in the "
                            "environment variable TMPDIR",
                            strerror(errno));
}

static void remove_folder(const folder *f, const dry_fmu__files *files) {
    static const char *const others[] = {"main.c", "Makefile", "README.md", "log", "fmu.so"};
    char path[600];
    for (int i = 0; i < files->n; i++) {
        const char *name = strrchr(files->file[i].name, '/');
        path_in(f, name ? name + 1 : files->file[i].name, path, sizeof path);
        (void)unlink(path);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        path_in(f, others[i], path, sizeof path);
        (void)unlink(path);
    }
    for (int c = 0; c < 2; c++) {
        char name[DRY_FMU__NAME + 16];
        snprintf(name, sizeof name, "%s.%c", f->prefix, c ? 'c' : 'h');
        path_in(f, name, path, sizeof path);
        (void)unlink(path);
    }
    (void)rmdir(f->path);
}

static dry_status write_files(const folder *f, const dry_fmu__files *files, dry_error *error) {
    char path[600];
    for (int i = 0; i < files->n; i++) {
        dry_file file;
        const char *name = strrchr(files->file[i].name, '/');
        path_in(f, name ? name + 1 : files->file[i].name, path, sizeof path);
        dry_status status = dry_file_open(&file, path, error);
        if (status != DRY_OK) return status;
        fwrite(files->file[i].data, 1, files->file[i].length, file.stream);
        status = dry_file_commit(&file, error);
        if (status != DRY_OK) return status;
    }
    return DRY_OK;
}

/* ---- config.h
 * --------------------------------------------------------------------------------------- */

static bool has_events(const dry_model *model) {
    return model->code.n_roots[DRY_SECTION_BREAKS] > 0 || model->code.n_break_tables > 0 ||
           dry_model_system(model)->n_clocks > 0;
}

static void put_kinds(const char *name, const unsigned char *kind, int n, FILE *stream) {
    fprintf(stream, "static const unsigned char %s[] = {", name);
    for (int i = 0; i < n; i++) fprintf(stream, "%d, ", kind[i]);
    fputs("0};\n", stream);
}

static void put_value(double value, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    dry_number_text(value, text);
    fprintf(stream, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

/* What the functions of FMI need to know of the exported model. */
static void put_config(const dry_fmu__plan *plan, const folder *f, FILE *stream) {
    const dry_system *system = plan->system;
    bool by_all;
    fprintf(stream,
            "/* What the functions of FMI need to know of %s.h. */\n"
            "#define MODEL(name) %s_##name\n#define MODEL_SIZE(name) %s_##name\n"
            "#define MODEL_TYPE %s\n#define MODEL_TYPE_PAR %s_par\n"
            "#define MODEL_TYPE_SAVED %s_saved\n",
            f->prefix, f->prefix, f->upper, f->prefix, f->prefix, f->prefix);
    fprintf(stream,
            "#define MODEL_LATCHES %d\n#define MODEL_WATCHES %d\n#define MODEL_EVENTFUL %d\n"
            "#define MODEL_FIRST_STOP %d\n#define FMU_EXCHANGES %s\n#define FMU_TOKEN \"%s\"\n"
            "#define FMU_STEP_SIZE ",
            system->latch != NULL, system->watch != NULL, has_events(plan->model),
            system->n_stops > 0 ? system->first_stop : 0,
            dry_fmu__exchanges(plan->model) ? "true" : "false", plan->token);
    put_value(plan->run.step, stream);
    fputs("\n#define FMU_LARGEST ", stream);
    put_value(dry_fmu__largest(plan->model, &by_all), stream);
    fputc('\n', stream);
    put_kinds("fmu_state_kinds", plan->state, system->n_states, stream);
    put_kinds("fmu_par_kinds", plan->par_kind, plan->n_par, stream);
    fputs("static const double fmu_nominals[] = {", stream);
    for (int i = 0; i < system->n_states; i++) {
        put_value(plan->nominal[i], stream);
        fputs(", ", stream);
    }
    fputs("0.0};\n", stream);
}

static void put_main(const dry_fmu__plan *plan, const folder *f, FILE *stream) {
    fprintf(stream,
            "/* All of this FMU in one file: the model, and the functions of FMI %d.0 around it.\n"
            " * -ffp-contract=off keeps the bits: a fused multiply-add rounds once where the model "
            "rounds twice. */\n"
            "#if defined(__clang__) || defined(_MSC_VER)\n#pragma STDC FP_CONTRACT OFF\n#endif\n"
            "#include \"%s.c\"\n#include \"config.h\"\n#include \"equations.c\"\n"
            "#include \"instance.c\"\n#include \"steps.c\"\n#include \"fmi%d.c\"\n",
            plan->options->version, f->prefix, plan->options->version);
}

/* ---- files
 * ------------------------------------------------------------------------------------------ */

typedef void print_fn(const dry_fmu__plan *plan, const folder *f, FILE *stream);

static void add_printed(dry_fmu__files *files, const char *name, const dry_fmu__plan *plan,
                        const folder *f, print_fn *print) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = dry_text_open(&text, &length);
    if (stream) print(plan, f, stream);
    if (stream && !dry_text_close(stream, &text)) text = NULL;
    dry_fmu__give(files, name, text, length);
}

static void put_build(const dry_fmu__plan *plan, const folder *f, FILE *stream) {
    (void)f;
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
            "  <BuildConfiguration modelIdentifier=\"%s\">\n"
            "    <SourceFileSet language=\"C99\">\n      <SourceFile name=\"fmu.c\"/>\n"
            "    </SourceFileSet>\n    <Library name=\"m\" external=\"true\"/>\n"
            "  </BuildConfiguration>\n</fmiBuildDescription>\n",
            plan->identifier);
}

static bool is_of_version(const dry_fmu__plan *plan, const char *name) {
    if (strcmp(name, "fmi2.c") == 0) return plan->options->version == 2;
    return strcmp(name, "fmi3.c") != 0 || plan->options->version == 3;
}

static void add_lines(dry_fmu__files *files, const char *name, const char *const *line) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = dry_text_open(&text, &length);
    while (stream && *line) fputs(*line++, stream);
    if (stream && !dry_text_close(stream, &text)) text = NULL;
    dry_fmu__give(files, name, text, length);
}

static dry_status add_exported(const folder *f, dry_fmu__files *files, dry_error *error) {
    char name[DRY_FMU__NAME + 32], path[600], *text;
    size_t length;
    for (int c = 0; c < 2; c++) {
        snprintf(name, sizeof name, "sources/%s.%c", f->prefix, c ? 'c' : 'h');
        path_in(f, name + strlen("sources/"), path, sizeof path);
        const dry_status status = dry_file_read(path, 0, &text, &length, error);
        if (status != DRY_OK) return status;
        dry_fmu__give(files, name, text, length);
    }
    return DRY_OK;
}

static void name_folder(const dry_fmu__plan *plan, folder *f) {
    snprintf(f->prefix, sizeof f->prefix, "%s_eq", plan->identifier);
    for (size_t i = 0; i <= strlen(f->prefix); i++) {
        const char c = f->prefix[i];
        f->upper[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
}

/* The exported C, by way of a folder. */
static dry_status add_model(const dry_fmu__plan *plan, folder *f, dry_fmu__files *files,
                            dry_error *error) {
    const dry_export_options wanted = {.prefix = f->prefix,
                                       .sensitive = true,
                                       .notes = plan->options->notes,
                                       .n_notes = plan->options->n_notes};
    dry_status status = make_folder(f, error);
    if (status != DRY_OK) return status;
    status = dry_export_c(plan->model, &wanted, f->path, error);
    if (status == DRY_OK) status = add_exported(f, files, error);
    remove_folder(f, files);
    return status;
}

dry_status dry_fmu__add_sources(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error) {
    folder f;
    char name[80];
    name_folder(plan, &f);
    const dry_status status = add_model(plan, &f, files, error);
    if (status != DRY_OK) return status;
    for (const dry_fmu__text *text = dry_fmu__texts; text->name; text++) {
        snprintf(name, sizeof name, "sources/%s", text->name);
        if (is_of_version(plan, text->name)) add_lines(files, name, text->line);
    }
    add_printed(files, "sources/config.h", plan, &f, put_config);
    add_printed(files, "sources/fmu.c", plan, &f, put_main);
    if (plan->options->version == 3)
        add_printed(files, "sources/buildDescription.xml", plan, &f, put_build);
    return DRY_OK;
}

/* ---- the object
 * ------------------------------------------------------------------------------------- */

dry_status dry_fmu__add_object(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error) {
    folder f;
    char source[600], object[600], *data;
    size_t length, bytes = 0;
    for (int i = 0; i < files->n; i++) bytes += files->file[i].length;
    name_folder(plan, &f);
    dry_status status = make_folder(&f, error);
    if (status != DRY_OK) return status;
    path_in(&f, "fmu.c", source, sizeof source);
    path_in(&f, "fmu.so", object, sizeof object);
    status = write_files(&f, files, error);
    if (status == DRY_OK) status = dry_export_build(f.path, source, object, bytes, error);
    if (status == DRY_OK) status = dry_file_read(object, 0, &data, &length, error);
    remove_folder(&f, files);
    if (status != DRY_OK) return status;
    char name[DRY_FMU__NAME + DRY_FMU__PLATFORM + 16], platform[DRY_FMU__PLATFORM];
    dry_fmu__platform(plan->options->version, platform);
    snprintf(name, sizeof name, "binaries/%s/%s.so", platform, plan->identifier);
    dry_fmu__give(files, name, data, length);
    return DRY_OK;
}
