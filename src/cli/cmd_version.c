/* drystone version: the version, the compiler, and the optional libraries that are in. */
#include "cli.h"
#include "processes.h"
#include <drystone/fit.h>
#include <drystone/plot.h>
#include <drystone/record.h>
#include <drystone/stiff.h>
#include <drystone/urdf.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

static void print_library(const char *name, bool in) {
    printf("  %-9s %s\n", name, in ? "yes" : "no");
}

static int run(const cli_args *args) {
    (void)args;
    printf("drystone " DRY_VERSION "\n");
    printf("  compiler  %s\n", COMPILER);
    print_library("HDF5", dry_record_has_hdf5());
    print_library("MPI", cli_processes_possible());
    print_library("NLopt", dry_fit_has_search());
    print_library("PNG", dry_plot_has_png());
    print_library("SUNDIALS", dry_stiff_has_cvode());
    print_library("URDF", dry_urdf_has_xml());
    return CLI_FINE;
}

const cli_verb cli_verb_version = {.name = "version",
                                   .arguments = "",
                                   .summary =
                                       "print the version, the compiler and the optional libraries",
                                   .run = run};
