/* export --to fmu2, fmu3: the line's words for an FMU, and the library that some FMUs need. */
#define _POSIX_C_SOURCE 200809L
#include "job.h"

#include <drystone/fmu.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

int cli_fmu_version(const cli_args *args) {
    const char *language = cli_text(args, "to", "c");
    return strcmp(language, "fmu2") == 0 ? 2 : strcmp(language, "fmu3") == 0 ? 3 : 0;
}

/* -1: it is not a kind. */
static int kinds_of(const char *kind) {
    static const struct {
        const char *name;
        int kinds;
    } all[] = {{"", 0},
               {"me", DRY_FMU_EXCHANGE},
               {"cs", DRY_FMU_STEPS},
               {"both", DRY_FMU_EXCHANGE | DRY_FMU_STEPS}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(kind, all[i].name) == 0) return all[i].kinds;
    return -1;
}

bool cli_fmu_fits(const cli_args *args) {
    const char *path = cli_text(args, "output", ""), *kind = cli_text(args, "kind", "");
    if (!cli_fmu_version(args)) {
        if (cli_has(args, "kind")) cli_complain("--kind needs --to fmu2 or --to fmu3");
        return !cli_has(args, "kind");
    }
    if (kinds_of(kind) < 0 || (cli_has(args, "kind") && !*kind))
        return cli_complain("there is no kind '%s'; write --kind me, cs or both", kind), false;
    if (cli_has(args, "float") || cli_has(args, "prefix"))
        return cli_complain("an FMU has double precision and the name of the model: leave out "
                            "--float and --prefix"),
               false;
    if (!cli_ends_with(path, ".fmu"))
        return cli_complain("the name '%s' must end in .fmu, because importers require it", path),
               false;
    return cli_can_write(path) && cli_spares_input(args, "-o", path);
}

/* ---- drystone_fmu.so
 * ------------------------------------------------------------------------------ */

/* Beside the command, where it was built, or in the folder where `make install` puts it. */
static const char *find_library(char *path, size_t size) {
    static const char *const where[] = {".",
#ifdef DRY_FMU_FOLDER /* a folder of libraries that is not usual */
                                        DRY_FMU_FOLDER "/drystone",
#endif
                                        DRY_FMU_ARCHITECTURE "/drystone", "../lib/drystone",
                                        "../lib64/drystone"};
    char own[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    if (n <= 0) return NULL;
    own[n] = '\0';
    *strrchr(own, '/') = '\0';
    for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
        snprintf(path, size, "%s/%s/drystone_fmu.so", own, where[i]);
        if (access(path, R_OK) == 0) return path;
    }
    return NULL;
}

/* ---- what came out
 * -------------------------------------------------------------------------------- */

static void print_about(const char *path, int version, const dry_fmu_about *about) {
    static const char *const kinds[] = {"", "model exchange", "co-simulation",
                                        "model exchange and co-simulation"};
    printf("%s: FMI %d.0, %s, %.0f kB, %s", path, version, kinds[about->kinds],
           (double)about->size / 1000.0,
           about->library ? "library and text" : "compiled, with sources");
    if (about->step > 0.0) printf("; step %.6g s", about->step);
    putchar('\n');
    if (about->only[0]) fprintf(stderr, "note: %s\n", about->only);
    if (about->kinds & DRY_FMU_EXCHANGE)
        fprintf(stderr, "note: in model exchange the importer chooses the steps: %s\n",
                about->longest);
}

int cli_export_fmu(const cli_job *job, const cli_args *args, const char *const *notes,
                   int n_notes) {
    char library[PATH_MAX + 64];
    const char *path = cli_text(args, "output", "");
    const dry_fmu_options options = {.version = cli_fmu_version(args),
                                     .kinds = kinds_of(cli_text(args, "kind", "")),
                                     .model = &job->options,
                                     .library = find_library(library, sizeof library),
                                     .notes = notes,
                                     .n_notes = n_notes};
    dry_fmu_about about;
    dry_error error = {0};
    const dry_status status = dry_fmu_write(job->model, &options, path, &about, &error);
    if (status != DRY_OK) {
        cli_complain_error(&error);
        return status == DRY_BAD_ARGUMENT || status == DRY_UNSUPPORTED ? CLI_USAGE : CLI_RUN;
    }
    print_about(path, options.version, &about);
    return CLI_FINE;
}
