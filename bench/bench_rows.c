/* How many rows per second does a run write, and in how much memory?
 *
 * A table of six columns, as of a block on a rough floor, goes row by row to CSV and to HDF5. CPU
 * of the fastest of three, with the disk of the folder for scratch; the peak is that of the
 * process. */
#include "bench.h"
#include <drystone/record.h>
#include <sys/resource.h>

enum { ROWS = 1000000, COLUMNS = 6 };

static const dry_quantity columns[COLUMNS] = {{"t", "s"}, {"p", "m"}, {"v", "m/s"},
                                              {"a", "m"}, {"f", "N"}, {"e", "J"}};

/* Seconds of CPU; below 0 if it failed. */
static double write_table(const char *path) {
    dry_record_writer *writer;
    dry_error error = {0};
    const double begin = seconds_now();
    if (dry_record_writer_new(columns, COLUMNS, path, &writer, &error) != DRY_OK)
        return fprintf(stderr, "%s\n", error.text), -1.0;
    for (int i = 0; i < ROWS; i++) {
        const double t = 1e-3 * i, s = 1.0 / (1.0 + t), p = t - s;
        const double row[COLUMNS] = {t,   p,    1.0 + s * s, i % 1000 < 500 ? 1e-4 : 1e-4 * s,
                                     0.5, p * s};
        dry_record_writer_add(writer, row);
    }
    if (dry_record_writer_commit(writer, &error) != DRY_OK)
        return fprintf(stderr, "%s\n", error.text), -1.0;
    return seconds_now() - begin;
}

static double fastest(const char *ending) {
    const char *folder = getenv("TMPDIR");
    char path[1024];
    double least = (double)INFINITY;
    snprintf(path, sizeof path, "%s/drystone-bench-rows%s", folder ? folder : "/tmp", ending);
    for (int i = 0; i < 3 && least > 0.0; i++) least = fmin(least, write_table(path));
    remove(path);
    return least;
}

static double peak_megabytes(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss / 1024.0;
}

int main(void) {
    const double csv = fastest(".csv"), hdf5 = dry_record_has_hdf5() ? fastest(".h5") : 0.0;
    if (csv < 0.0 || hdf5 < 0.0) return 1;
    printf("%-24s %12s %12s %8s\n", "a table of 10^6 rows", "CSV", "HDF5", "ratio");
    printf("%-24s %12.2f %12.2f %8.2f\n", "10^6 rows per second", 1e-6 * ROWS / csv,
           hdf5 > 0.0 ? 1e-6 * ROWS / hdf5 : 0.0, csv / hdf5);
    printf("%-24s %12.1f\n", "peak memory, MB", peak_megabytes());
    return 0;
}
