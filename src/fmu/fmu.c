/* fmu: a model as an FMU: the plan, the files, their token, the archive. */
#define _POSIX_C_SOURCE 200809L
#include "fmu_private.h"

#include <drystone/native.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* ---- names of the standard ----------------------------------------------------------------------
 */

void dry_fmu__platform(int version, char text[DRY_FMU__PLATFORM]) {
    struct utsname about;
    const bool wide = sizeof(void *) == 8;
    const char *machine = uname(&about) == 0 ? about.machine : "x86_64";
    if (!wide && strcmp(machine, "x86_64") == 0) machine = "x86";
    if (version == 2)
        snprintf(text, DRY_FMU__PLATFORM, "linux%d", wide ? 64 : 32);
    else
        snprintf(text, DRY_FMU__PLATFORM, "%.40s-linux", machine);
}

/* ---- the description, and the token -------------------------------------------------------------
 */

static char *describe(const dry_fmu__plan *plan, size_t *length) {
    char *text = NULL;
    FILE *stream = dry_text_open(&text, length);
    if (stream) dry_fmu__describe(plan, stream);
    if (stream && !dry_text_close(stream, &text)) text = NULL;
    return text;
}

/* All files, with the description before it has its token. */
static char *gather(const dry_fmu__plan *plan, const dry_fmu__files *files, size_t *length) {
    char *text = NULL;
    FILE *stream = dry_text_open(&text, length);
    if (!stream) return NULL;
    dry_fmu__describe(plan, stream);
    for (int i = 0; i < files->n; i++) {
        fprintf(stream, "\n%s %zu\n", files->file[i].name, files->file[i].length);
        fwrite(files->file[i].data, 1, files->file[i].length, stream);
    }
    return dry_text_close(stream, &text) ? text : NULL;
}

/* {8-4-4-4-12} hexadecimal digits of the digest. */
static bool find_token(dry_fmu__plan *plan, const dry_fmu__files *files) {
    size_t length;
    char hex[DRY_DIGEST_SIZE], *text = gather(plan, files, &length);
    if (!text) return false;
    dry_digest(text, length, hex);
    free(text);
    snprintf(plan->token, sizeof plan->token, "{%.8s-%.4s-%.4s-%.4s-%.12s}", hex, hex + 8, hex + 12,
             hex + 16, hex + 20);
    return true;
}

/* ---- the files ----------------------------------------------------------------------------------
 */

typedef dry_status add_fn(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error);

/* The texts twice: for the token, and with it. */
static dry_status collect(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error) {
    add_fn *const texts = plan->library ? dry_fmu__add_resources : dry_fmu__add_sources;
    add_fn *const object = plan->library ? dry_fmu__add_library : dry_fmu__add_object;
    size_t length = 0;
    dry_status status = texts(plan, files, error);
    if (status == DRY_OK && (files->failed || !find_token(plan, files)))
        status = dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    dry_fmu__files_free(files);
    if (status != DRY_OK) return status;
    char *text = describe(plan, &length);
    dry_fmu__give(files, "modelDescription.xml", text, length);
    status = texts(plan, files, error);
    const bool whole = plan->library || !plan->options->only_sources;
    if (status == DRY_OK && !files->failed && whole) status = object(plan, files, error);
    if (status != DRY_OK) return status;
    return files->failed ? dry_error_set(error, DRY_NO_MEMORY, "out of memory") : DRY_OK;
}

static dry_status write_archive(const dry_fmu__files *files, const char *path, size_t *size,
                                dry_error *error) {
    dry_file file;
    if (!dry_fmu__zip_fits(files))
        return dry_error_set_at(error, DRY_UNSUPPORTED, path, 0, 0,
                                "this FMU would have more than 4 GB or more than 65534 files, "
                                "which importers do not read: give the model shorter tables");
    const dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    *size = dry_fmu__zip(files, file.stream);
    if (*size > 0) return dry_file_commit(&file, error);
    dry_file_abandon(&file);
    return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
}

/* ---- the door -----------------------------------------------------------------------------------
 */

bool dry_fmu_needs_library(const dry_model *model, dry_error *error) {
    return dry_export_can(model, error) == DRY_UNSUPPORTED;
}

static void describe_fmu(const dry_fmu__plan *plan, size_t size, dry_fmu_about *about) {
    bool by_all;
    *about = (dry_fmu_about){.kinds = plan->kinds,
                             .library = plan->library,
                             .size = size,
                             .step = plan->run.method->adaptive ? 0.0 : plan->run.step,
                             .largest = dry_fmu__largest(plan->model, &by_all)};
    dry_fmu__say_largest(plan->model, about->longest, sizeof about->longest);
    snprintf(about->identifier, sizeof about->identifier, "%s", plan->identifier);
    if (!dry_fmu__exchanges(plan->model))
        snprintf(about->only, sizeof about->only,
                 "co-simulation only: the method %s needs its own steps, which model exchange "
                 "leaves to the importer",
                 plan->run.method->name);
}

static dry_status check_options(const dry_fmu_options *options, dry_error *error) {
    if (options && (options->version == 2 || options->version == 3) && options->kinds >= 0 &&
        options->kinds <= (DRY_FMU_EXCHANGE | DRY_FMU_STEPS))
        return DRY_OK;
    return dry_error_set(error, DRY_BAD_ARGUMENT,
                         "the version of FMI is 2 or 3, and the kinds are DRY_FMU_EXCHANGE, "
                         "DRY_FMU_STEPS or both");
}

dry_status dry_fmu_write(const dry_model *model, const dry_fmu_options *options, const char *path,
                         dry_fmu_about *about, dry_error *error) {
    dry_fmu__files files = {0};
    size_t size = 0;
    dry_status status = check_options(options, error);
    if (status != DRY_OK) return status;
    dry_fmu__plan plan = {.model = model,
                          .options = options,
                          .arena = dry_arena_new(0),
                          .library = dry_fmu_needs_library(model, NULL)};
    if (!plan.arena) return dry_error_set(error, DRY_NO_MEMORY, "out of memory");
    status = dry_fmu__make_plan(&plan, error);
    if (status == DRY_OK) status = collect(&plan, &files, error);
    if (status == DRY_OK) status = write_archive(&files, path, &size, error);
    if (status == DRY_OK && about) describe_fmu(&plan, size, about);
    dry_fmu__files_free(&files);
    dry_arena_free(plan.arena);
    return status;
}
