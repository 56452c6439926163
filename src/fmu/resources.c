/* resources: what the library needs inside an FMU: the text of the model, the files that it names,
 * and how it was compiled (run.txt: a word and its value in each line). */
#define _POSIX_C_SOURCE 200809L
#include "fmu_private.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char folder[] = "resources/";

/* ---- paths --------------------------------------------------------------------------------------
 */

/* The path without "." and "..", from the root; false if it does not fit. */
static bool make_absolute(const char *path, char *to, size_t size) {
    size_t n = 0;
    if (*path != '/') {
        if (!getcwd(to, size)) return false;
        n = strcmp(to, "/") == 0 ? 0 : strlen(to);
    }
    while (*path) {
        const size_t length = strcspn(path, "/");
        if (length == 2 && strncmp(path, "..", 2) == 0) {
            while (n > 0 && to[--n] != '/') continue;
        } else if (length > 0 && !(length == 1 && *path == '.')) {
            if (n + length + 2 > size) return false;
            to[n++] = '/';
            memcpy(to + n, path, length);
            n += length;
        }
        path += length + (path[length] == '/');
    }
    to[n] = '\0';
    return true;
}

/* How long the folder is that both are in, with its slash. */
static size_t shared_folder(const char *a, const char *b) {
    size_t n = 0, last = 0;
    for (; a[n] && a[n] == b[n]; n++)
        if (a[n] == '/') last = n + 1;
    return last;
}

/* ---- the files that the text names
 * ----------------------------------------------------------------- */

/* File number i of the model; NULL after the last. The first is its own. */
static const char *named(const dry_model *model, int i) {
    const char *path = NULL;
    int included = 0;
    if (i == 0) return dry_model_path(model);
    while (dry_model_included(model, included, &path)) {
        if (included == i - 1) return path;
        included++;
    }
    return dry_model_file(model, i - 1 - included);
}

static dry_status add_file(const char *path, const char *name, dry_fmu__files *files,
                           dry_error *error) {
    char *text;
    size_t length;
    for (int i = 0; i < files->n; i++)
        if (strcmp(files->file[i].name, name) == 0) return DRY_OK;
    const dry_status status = dry_file_read(path, 0, &text, &length, error);
    if (status == DRY_OK) dry_fmu__give(files, name, text, length);
    return status;
}

static dry_status refuse(const char *path, const char *why, dry_error *error) {
    return dry_error_set_at(error, DRY_UNSUPPORTED, path, 0, 0, "%s", why);
}

static bool quotes(const char *text, const char *path) {
    const size_t length = strlen(path);
    for (const char *at = text; (at = strstr(at, path)); at++)
        if (at > text && at[-1] == '"' && at[length] == '"') return true;
    return false;
}

/* Whether a text of the model has that very path, from the root of the file system. */
static bool names_from_root(const dry_model *model, const char *path) {
    const char *text, *ignored;
    bool found = quotes(dry_model_text(model, NULL), path);
    for (int i = 0; !found && (text = dry_model_included(model, i, &ignored)); i++)
        found = quotes(text, path);
    return found;
}

/* A text can be moved with its files if it names them from its own folder. */
static dry_status check_path(const dry_model *model, const char *path, dry_error *error) {
    if (dry_file_is_stream(path))
        return refuse(path, "an FMU needs files that can be read again: write this one to a file",
                      error);
    if (*path == '/' && names_from_root(model, path))
        return refuse(path,
                      "an FMU is used elsewhere, where this path means nothing: name the file from "
                      "the folder of the model",
                      error);
    return DRY_OK;
}

static dry_status add_files(const dry_model *model, dry_fmu__files *files, char *own, size_t size,
                            dry_error *error) {
    char first[PATH_MAX], path[PATH_MAX], name[PATH_MAX + 16];
    const char *each;
    if (!make_absolute(dry_model_path(model), first, sizeof first))
        return refuse(dry_model_path(model), "this path is too long: move the model", error);
    size_t shared = shared_folder(first, first);
    for (int i = 0; (each = named(model, i)); i++) {
        const dry_status status = check_path(model, each, error);
        if (status != DRY_OK) return status;
        if (!make_absolute(each, path, sizeof path))
            return refuse(each, "this path is too long: move the file", error);
        const size_t both = shared_folder(first, path);
        if (both < shared) shared = both;
    }
    dry_status status = DRY_OK;
    for (int i = 0; status == DRY_OK && (each = named(model, i)); i++) {
        make_absolute(each, path, sizeof path);
        snprintf(name, sizeof name, "%s%s", folder, path + shared);
        if (i == 0) {
            size_t length;
            const char *text = dry_model_text(model, &length);
            dry_fmu__add(files, name, text, length);
            snprintf(own, size, "%s", path + shared);
        } else {
            status = add_file(each, name, files, error);
        }
    }
    return status;
}

/* ---- run.txt
 * -------------------------------------------------------------------------------------- */

static void put(const char *word, const char *text, FILE *stream) {
    fprintf(stream, "%s %s\n", word, text);
}

static void put_number(const char *word, double value, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    if (value == 0.0) return; /* nothing is said */
    dry_number_text(value, text);
    put(word, text, stream);
}

static void put_run(const dry_fmu__plan *plan, FILE *stream) {
    const dry_model_options none = {0},
                            *options = plan->options->model ? plan->options->model : &none;
    const dry_run_options *run = &options->run;
    const struct {
        const char *word;
        double value;
    } numbers[] = {{"until", run->until},
                   {"step", run->step},
                   {"record", run->record},
                   {"rtol", run->rtol},
                   {"atol", run->atol},
                   {"max_step", run->max_step},
                   {"max_steps", run->max_steps},
                   {"P", run->P},
                   {"Q", run->Q},
                   {"weight", run->weight},
                   {"run_force", run->force},
                   {"force", options->force},
                   {"unstepped", options->unstepped},
                   {"choose_step", options->choose_step}};
    if (run->method) put("method", run->method->name, stream);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put_number(numbers[i].word, numbers[i].value, stream);
    for (int i = 0; i < options->n_settings; i++)
        fprintf(stream, "setting %s %s\n", options->settings[i].name, options->settings[i].text);
    for (int i = 0; i < plan->system->n_states; i++) {
        char text[DRY_NUMBER_SIZE];
        if (plan->nominal[i] == 1.0) continue;
        dry_number_text(plan->nominal[i], text);
        fprintf(stream, "nominal %d %s\n", i, text);
    }
}

static dry_status check_options(const dry_fmu__plan *plan, dry_error *error) {
    const dry_model_options *options = plan->options->model;
    if (options && options->n_inputs > 0)
        return dry_error_set(
            error, DRY_UNSUPPORTED,
            "an FMU of a machine with parts takes inputs from the importer, not "
            "from a file of the command: leave out --input, or write the file into "
            "the text of the model");
    for (int i = 0; options && i < options->n_settings; i++)
        if (!options->settings[i].text || strpbrk(options->settings[i].text, "\r\n"))
            return dry_error_set(error, DRY_UNSUPPORTED,
                                 "the setting of %.100s has more than one line: write it in one",
                                 options->settings[i].name);
    return DRY_OK;
}

dry_status dry_fmu__add_resources(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error) {
    char own[PATH_MAX] = "", *text = NULL;
    size_t length = 0;
    dry_status status = check_options(plan, error);
    if (status == DRY_OK) status = add_files(plan->model, files, own, sizeof own, error);
    if (status != DRY_OK) return status;
    FILE *stream = dry_text_open(&text, &length);
    if (stream) {
        put("token", plan->token[0] ? plan->token : "-", stream);
        put("model", own, stream);
        put_run(plan, stream);
        if (!dry_text_close(stream, &text)) text = NULL;
    }
    dry_fmu__give(files, "resources/run.txt", text, length);
    return DRY_OK;
}

/* ---- the library
 * ---------------------------------------------------------------------------------- */

dry_status dry_fmu__add_library(dry_fmu__plan *plan, dry_fmu__files *files, dry_error *error) {
    char name[DRY_FMU__NAME + DRY_FMU__PLATFORM + 16], platform[DRY_FMU__PLATFORM], *data;
    size_t length;
    const char *library = plan->options->library;
    if (!library)
        return dry_error_set(error, DRY_UNSUPPORTED,
                             "this model needs the library inside its FMU, but there is no "
                             "drystone_fmu.so beside the command or in its lib/drystone: install "
                             "drystone as a whole (make install)");
    const dry_status status = dry_file_read(library, 0, &data, &length, error);
    if (status != DRY_OK) return status;
    dry_fmu__platform(plan->options->version, platform);
    snprintf(name, sizeof name, "binaries/%s/%s.so", platform, plan->identifier);
    dry_fmu__give(files, name, data, length);
    return DRY_OK;
}
