/* HDF5: exact round trip, readable by others, whole or not at all; a way out where it is missing.
 */
#define _XOPEN_SOURCE 700
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "counting.h"
#include "listed.h"
#include "record/scratch.h"
#include <drystone/record.h>

static const dry_quantity columns[] = {{"t", "s"},     {"z", "m"},  {"a", ""},    {"v/w", "m/s"},
                                       {"50%2F", "%"}, {".", "µm"}, {"x[1]", "m"}};
enum { N = sizeof columns / sizeof *columns };

static dry_record *sample(int rows) {
    dry_record *record = dry_record_new(columns, N);
    for (int i = 0; i < rows; i++) {
        double row[N];
        for (int j = 0; j < N; j++) row[j] = ldexp(sin(15.0 * i + j), (i + j) % 2100 - 1070);
        row[2] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -0.0;
        dry_record_add(record, row);
    }
    return record;
}

/* As many spheres would give: their values have nothing that deflating finds. */
static dry_record *wide(int n, int rows) {
    dry_quantity *q = calloc((size_t)n, sizeof *q);
    char(*names)[32] = calloc((size_t)n, sizeof *names);
    double *row = calloc((size_t)n, sizeof *row);
    for (int i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "s%d.p[%d]", i / 3, i % 3 + 1);
        q[i] = (dry_quantity){names[i], "m"};
    }
    dry_record *record = dry_record_new(q, n);
    for (int k = 0; k < rows; k++) {
        for (int i = 0; i < n; i++) row[i] = sin(0.1 * i + 0.01 * k * (i % 7));
        dry_record_add(record, row);
    }
    free(q);
    free(names);
    free(row);
    return record;
}

static void assert_same(const dry_record *a, const dry_record *b) {
    assert_int_equal(dry_record_columns(a), dry_record_columns(b));
    assert_int_equal(dry_record_rows(a), dry_record_rows(b));
    for (int i = 0; i < dry_record_columns(a); i++) {
        assert_string_equal(dry_record_quantity(a, i).name, dry_record_quantity(b, i).name);
        assert_string_equal(dry_record_quantity(a, i).unit, dry_record_quantity(b, i).unit);
        size_t bytes = dry_record_rows(a) * sizeof(double);
        if (bytes == 0) continue;
        assert_memory_equal(dry_record_values(a, i), dry_record_values(b, i), bytes);
    }
}

static void missing_library_gives_a_way_out(void **state) {
    (void)state;
    dry_error error;
    dry_record *record = sample(1), *back = record;
    assert_int_equal(dry_record_write(record, in_scratch("a.h5"), &error), DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "libhdf5-dev"));
    assert_non_null(strstr(error.text, ".csv"));
    assert_int_equal(dry_record_read(in_scratch("a.h5"), &back, &error), DRY_UNSUPPORTED);
    assert_null(back);
    assert_int_equal(scratch_files(false), 0);
    dry_record_free(record);
}

/* 100 rows lie in the headers of datasets, 40000 are more than one chunk. */
static void written_table_is_read_back_exactly(void **state) {
    (void)state;
    static const int rows[] = {0, 1, 100, 129, 40000};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_record *record = sample(rows[i]), *back;
        dry_error error = {0};
        if (dry_record_write(record, in_scratch("a.h5"), &error) != DRY_OK)
            fail_msg("%s", error.text);
        if (dry_record_read(in_scratch("a.h5"), &back, &error) != DRY_OK)
            fail_msg("%s", error.text);
        assert_same(record, back);
        assert_int_equal(scratch_files(false), 1);
        dry_record_free(record);
        dry_record_free(back);
    }
}

static void equal_tables_give_equal_files(void **state) {
    (void)state;
    dry_record *record = sample(100);
    char *a, *b;
    size_t n, m;
    assert_int_equal(dry_record_write(record, in_scratch("a.h5"), NULL), DRY_OK);
    assert_int_equal(dry_record_write(record, in_scratch("b.hdf5"), NULL), DRY_OK);
    assert_int_equal(dry_file_read(in_scratch("a.h5"), 0, &a, &n, NULL), DRY_OK);
    assert_int_equal(dry_file_read(in_scratch("b.hdf5"), 0, &b, &m, NULL), DRY_OK);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
    dry_record_free(record);
}

static void names_that_cannot_be_held_are_refused(void **state) {
    (void)state;
    static const dry_quantity twice[] = {{"t", "s"}, {"t", "s"}}, empty[] = {{"", ""}};
    dry_error error;
    dry_record *record = dry_record_new(twice, 2);
    assert_int_equal(dry_record_write(record, in_scratch("a.h5"), &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "two columns are named t"));
    dry_record_free(record);
    record = dry_record_new(empty, 1);
    assert_int_equal(dry_record_write(record, in_scratch("a.h5"), &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "an empty name"));
    assert_int_equal(scratch_files(false), 0);
    dry_record_free(record);
}

static void what_is_no_hdf5_is_refused(void **state) {
    (void)state;
    dry_error error;
    dry_record *record;
    assert_int_equal(dry_record_read(in_scratch("no.h5"), &record, &error), DRY_IO);
    assert_non_null(strstr(error.text, strerror(ENOENT)));
    put_text(in_scratch("text.h5"), "t,x\n1,2\n", 8);
    assert_int_equal(dry_record_read(in_scratch("text.h5"), &record, &error), DRY_BAD_FILE);
    assert_non_null(strstr(error.text, "signature"));
    assert_null(record);
    record = sample(1000);
    assert_int_equal(dry_record_write(record, in_scratch("no/a.h5"), &error), DRY_IO);
    assert_non_null(strstr(error.text, "mkdir -p"));
    dry_record_free(record);
}

/* A file cut off anywhere is an error or a smaller table, never a crash. */
static void check_cut(dry_record *record) {
    dry_record *back;
    char *content;
    size_t length;
    assert_int_equal(dry_record_write(record, in_scratch("a.h5"), NULL), DRY_OK);
    assert_int_equal(dry_file_read(in_scratch("a.h5"), 0, &content, &length, NULL), DRY_OK);
    for (size_t i = 1; i < 20; i++) {
        dry_error error = {0};
        put_text(in_scratch("cut.h5"), content, length * i / 20);
        dry_status status = dry_record_read(in_scratch("cut.h5"), &back, &error);
        assert_int_equal(status, DRY_BAD_FILE);
        assert_null(back);
        above(strlen(error.text), 0);
    }
    free(content);
    dry_record_free(record);
}

static void cut_file_is_refused(void **state) {
    (void)state;
    check_cut(sample(1000));
    check_cut(wide(2000, 20));
}

/* A limit on the file size makes the disk seem full. */
static void full_disk_leaves_the_old_file_and_no_litter(void **state) {
    (void)state;
    dry_record *small = sample(3), *large = sample(40000), *back;
    assert_int_equal(dry_record_write(small, in_scratch("a.h5"), NULL), DRY_OK);
    struct rlimit old, limit;
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    dry_error error;
    dry_status status = dry_record_write(large, in_scratch("a.h5"), &error);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, DRY_IO);
    assert_non_null(strstr(error.text, strerror(EFBIG)));
    assert_int_equal(dry_record_read(in_scratch("a.h5"), &back, NULL), DRY_OK);
    assert_same(small, back);
    assert_int_equal(scratch_files(false), 1);
    dry_record_free(small);
    dry_record_free(large);
    dry_record_free(back);
}

/* ---- many columns -------------------------------------------------------- */

static double bytes_of(const char *path) {
    char *content;
    size_t length;
    assert_int_equal(dry_file_read(path, 0, &content, &length, NULL), DRY_OK);
    free(content);
    return (double)length;
}

/* What we promise of a column: three times its values and 300 bytes at most, in headers of datasets
 * (3, 100 rows), in chunks (200) and among many (3000 columns). The file itself may have 4 kB. */
static void a_column_takes_little_besides_its_values(void **state) {
    (void)state;
    static const struct {
        int columns, rows;
    } sizes[] = {{600, 3}, {600, 100}, {600, 200}, {3000, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int n = sizes[i].columns, rows = sizes[i].rows;
        dry_record *record = wide(n, rows);
        const double values = rows * (double)sizeof(double);
        assert_int_equal(dry_record_write(record, in_scratch("a.h5"), NULL), DRY_OK);
        const double each = (bytes_of(in_scratch("a.h5")) - 4096.0) / n;
        if (each > 3.0 * values + 300.0) fail_msg("%d rows: %g bytes", rows, each);
        dry_record_free(record);
    }
}

/* Names and units of many columns take less than their values do. */
static void many_columns_are_one_array(void **state) {
    (void)state;
    static const int rows[] = {0, 3, 50};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_record *record = wide(5000, rows[i]), *back;
        assert_int_equal(dry_record_write(record, in_scratch("a.h5"), NULL), DRY_OK);
        below(bytes_of(in_scratch("a.h5")), 5000.0 * (8.0 * rows[i] + 16.0) + 4096.0);
        assert_int_equal(dry_record_read(in_scratch("a.h5"), &back, NULL), DRY_OK);
        assert_same(record, back);
        dry_record_free(record);
        dry_record_free(back);
    }
}

/* ---- Python -------------------------------------------------------------- */

static int python(const char *script) {
    char command[2000];
    snprintf(command, sizeof command, "cd %s && PATH=/usr/bin:$PATH python3 -c '%s'", scratch,
             script);
    return system(command);
}

static bool has_h5py(void) {
    return dry_record_has_hdf5() &&
           system("PATH=/usr/bin:$PATH python3 -c 'import h5py' 2>/dev/null") == 0;
}

static void python_reads_what_we_write(void **state) {
    (void)state;
    dry_record *record = dry_record_new((dry_quantity[]){{"t", "s"}, {"v/w", "µm"}}, 2);
    for (int i = 0; i < 5; i++) dry_record_add(record, (double[]){0.25 * i, i * i});
    assert_int_equal(dry_record_write(record, in_scratch("a.h5"), NULL), DRY_OK);
    assert_int_equal(python("import h5py\n"
                            "f = h5py.File(\"a.h5\", \"r\")\n"
                            "assert sorted(f) == [\"t\", \"v%2Fw\"]\n"
                            "assert list(f[\"t\"]) == [0, 0.25, 0.5, 0.75, 1]\n"
                            "assert list(f[\"v%2Fw\"]) == [0, 1, 4, 9, 16]\n"
                            "assert f[\"t\"].attrs[\"unit\"] == \"s\"\n"
                            "assert f[\"v%2Fw\"].attrs[\"unit\"] == \"\\u00b5m\"\n"
                            "assert f[\"v%2Fw\"].attrs[\"column\"] == 1\n"
                            "assert h5py.h5g.get_objinfo(f[\"t\"].id).mtime == 0\n"
                            "assert h5py.h5g.get_objinfo(f[\"/\"].id).mtime == 0\n"),
                     0);
    dry_record_free(record);
}

static void write_long(const char *name, int rows) {
    dry_record *record = dry_record_new((dry_quantity[]){{"t", "s"}, {"a", "m"}}, 2);
    for (int i = 0; i < rows; i++) dry_record_add(record, (double[]){i, 1.0});
    assert_int_equal(dry_record_write(record, in_scratch(name), NULL), DRY_OK);
    dry_record_free(record);
}

/* Deflated up to a block; beyond it as quick as CSV, in three chunks. */
static void python_reads_long_tables(void **state) {
    (void)state;
    write_long("a.h5", 30000);
    write_long("b.h5", 70000);
    assert_int_equal(
        python("import h5py\n"
               "f = h5py.File(\"a.h5\", \"r\")\n"
               "assert f[\"t\"].compression == \"gzip\" and f[\"t\"].shuffle\n"
               "assert f[\"t\"][0] == 0 and f[\"t\"][29999] == 29999\n"
               "assert f[\"a\"].id.get_storage_size() < 30000\n"
               "g = h5py.File(\"b.h5\", \"r\")\n"
               "assert g[\"t\"].compression is None and g[\"t\"].chunks == (32768,)\n"
               "assert g[\"a\"].attrs[\"column\"] == 1 and g[\"t\"].shape == (70000,)\n"
               "assert (g[\"t\"][:] == range(70000)).all()\n"
               "assert h5py.h5g.get_objinfo(g[\"t\"].id).mtime == 0\n"),
        0);
}

/* Many columns are one array; Python may give its texts any length. */
static void python_reads_and_writes_wide_tables(void **state) {
    (void)state;
    dry_record *record = wide(1200, 4), *back;
    assert_int_equal(dry_record_write(record, in_scratch("a.h5"), NULL), DRY_OK);
    assert_int_equal(python("import h5py\n"
                            "f = h5py.File(\"a.h5\", \"r\")\n"
                            "names = list(f[\"names\"].asstr())\n"
                            "assert len(names) == 1200 and names[4] == \"s1.p[2]\"\n"
                            "assert f[\"units\"].asstr()[4] == \"m\"\n"
                            "assert f[\"table\"].shape == (1200, 4)\n"
                            "assert h5py.h5g.get_objinfo(f[\"table\"].id).mtime == 0\n"
                            "g = h5py.File(\"b.h5\", \"w\")\n"
                            "g[\"names\"] = names\n"
                            "g[\"units\"] = list(f[\"units\"].asstr())\n"
                            "g[\"table\"] = f[\"table\"][:]\n"),
                     0);
    assert_int_equal(dry_record_read(in_scratch("b.h5"), &back, NULL), DRY_OK);
    assert_same(record, back);
    dry_record_free(record);
    dry_record_free(back);
}

/* Blocks of memory that it takes to read a table of `n` datasets, as our files had it before. */
static long to_read_datasets(int n) {
    char script[200], last[16];
    snprintf(script, sizeof script,
             "import h5py\n"
             "f = h5py.File(\"a.h5\", \"w\", libver=\"latest\")\n"
             "for i in range(%d): f[\"s\" + str(i)] = [i, 1]\n",
             n);
    snprintf(last, sizeof last, "s%d", n - 1);
    assert_int_equal(python(script), 0);
    dry_record *record;
    const long before = allocations;
    assert_int_equal(dry_record_read(in_scratch("a.h5"), &record, NULL), DRY_OK);
    const long taken = allocations - before;
    assert_int_equal(dry_record_columns(record), n);
    equal(dry_record_values(record, dry_record_find(record, last))[0], n - 1);
    dry_record_free(record);
    return taken;
}
/* The library takes some 50 blocks for a dataset, and two more for each link that it passes: where
 * every link is counted off from the first, four times the datasets would take 16 times as many. */
static void many_datasets_are_read_in_one_go(void **state) {
    (void)state;
    const long few = to_read_datasets(500);
    if (COUNTING) above((double)few, 500.0);
    at_most((double)to_read_datasets(2000), 6.0 * (double)few);
}

int main(void) {
    const bool hdf5 = dry_record_has_hdf5(), h5py = has_h5py();
    const struct CMUnitTest tests[] = {
        TEST_IF_TEARDOWN(!hdf5, missing_library_gives_a_way_out, clear_scratch),
        TEST_IF_TEARDOWN(hdf5, written_table_is_read_back_exactly, clear_scratch),
        TEST_IF_TEARDOWN(hdf5, equal_tables_give_equal_files, clear_scratch),
        TEST_IF_TEARDOWN(hdf5, names_that_cannot_be_held_are_refused, clear_scratch),
        TEST_IF_TEARDOWN(hdf5, what_is_no_hdf5_is_refused, clear_scratch),
        TEST_IF_TEARDOWN(hdf5, cut_file_is_refused, clear_scratch),
        TEST_IF_TEARDOWN(hdf5, full_disk_leaves_the_old_file_and_no_litter, clear_scratch),
        TEST_IF_TEARDOWN(hdf5, a_column_takes_little_besides_its_values, clear_scratch),
        TEST_IF_TEARDOWN(hdf5, many_columns_are_one_array, clear_scratch),
        TEST_IF_TEARDOWN(h5py, python_reads_what_we_write, clear_scratch),
        TEST_IF_TEARDOWN(h5py, python_reads_long_tables, clear_scratch),
        TEST_IF_TEARDOWN(h5py, python_reads_and_writes_wide_tables, clear_scratch),
        TEST_IF_TEARDOWN(h5py, many_datasets_are_read_in_one_go, clear_scratch),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
