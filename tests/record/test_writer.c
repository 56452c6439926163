/* Tables that are written row by row: the bytes are those of a whole table; a file that is not
 * whole has a name that says so. */
#define _XOPEN_SOURCE 700
#include "unit.h"

#include "record/scratch.h"
#include <drystone/record.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>

static const dry_quantity columns[] = {{"t", "s"}, {"x/y", "m"}, {"a, \"b\"", ""}};
enum { N = 3 };

static void row_at(size_t i, double *row) {
    row[0] = 0.1 * (double)i;
    row[1] = sin(row[0]);
    row[2] = i % 7 == 0 ? (double)NAN : 1.0 / (double)(i + 1);
}

static dry_record *whole(size_t rows) {
    dry_record *record = dry_record_new(columns, N);
    double row[N];
    for (size_t i = 0; i < rows; i++) {
        row_at(i, row);
        assert_int_equal(dry_record_add(record, row), DRY_OK);
    }
    return record;
}

/* Until a row is not taken. */
static dry_record_writer *written_to(const char *name, size_t rows, dry_status *status) {
    dry_record_writer *writer;
    dry_error error = {0};
    double row[N];
    if (dry_record_writer_new(columns, N, in_scratch(name), &writer, &error) != DRY_OK)
        fail_msg("%s", error.text);
    *status = DRY_OK;
    for (size_t i = 0; i < rows && *status == DRY_OK; i++) {
        row_at(i, row);
        *status = dry_record_writer_add(writer, row);
    }
    return writer;
}

static dry_record_writer *written(const char *name, size_t rows) {
    dry_status status;
    dry_record_writer *writer = written_to(name, rows, &status);
    assert_int_equal(status, DRY_OK);
    return writer;
}

static void assert_same_bytes(const char *a, const char *b) {
    char *p, *q;
    size_t n, m;
    assert_int_equal(dry_file_read(in_scratch(a), 0, &p, &n, NULL), DRY_OK);
    assert_int_equal(dry_file_read(in_scratch(b), 0, &q, &m, NULL), DRY_OK);
    assert_int_equal(n, m);
    assert_memory_equal(p, q, n);
    free(p);
    free(q);
}

/* No rows, one, and more than a block of text or of chunks. */
static void bytes_are_those_of_a_whole_table(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 100, 70000};
    const char *const names[][2] = {{"a.csv", "b.csv"}, {"a.h5", "b.h5"}};
    for (int k = 0; k < 1 + dry_record_has_hdf5(); k++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            dry_record *record = whole(counts[i]);
            assert_int_equal(dry_record_write(record, in_scratch(names[k][0]), NULL), DRY_OK);
            dry_record_free(record);
            assert_int_equal(dry_record_writer_commit(written(names[k][1], counts[i]), NULL),
                             DRY_OK);
            assert_same_bytes(names[k][0], names[k][1]);
        }
    scratch_files(true);
}

static void a_part_has_a_name_that_says_so(void **state) {
    (void)state;
    const char *const names[][2] = {{"x.y.csv", "x.y.partial.csv"}, {"x.h5", "x.partial.h5"}};
    for (int k = 0; k < 1 + dry_record_has_hdf5(); k++) {
        char *name;
        dry_record *read;
        assert_int_equal(dry_record_writer_partial(written(names[k][0], 10), &name, NULL), DRY_OK);
        assert_string_equal(name, in_scratch(names[k][1]));
        assert_int_equal(dry_record_read(name, &read, NULL), DRY_OK);
        assert_int_equal(dry_record_rows(read), 10);
        assert_int_equal(scratch_files(true), 1);
        dry_record_free(read);
        free(name);
    }
}

static void what_is_abandoned_leaves_nothing(void **state) {
    (void)state;
    dry_record_writer_abandon(written("x.csv", 10));
    if (dry_record_has_hdf5()) dry_record_writer_abandon(written("x.h5", 10));
    if (dry_record_has_hdf5()) dry_record_writer_abandon(written("x.h5", 40000));
    dry_record_writer_abandon(NULL);
    assert_int_equal(scratch_files(false), 0);
}

static void what_cannot_be_written_is_refused(void **state) {
    (void)state;
    dry_record_writer *writer;
    dry_error error;
    assert_int_equal(dry_record_writer_new(columns, N, in_scratch("x.txt"), &writer, &error),
                     DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, ".csv"));
    assert_int_equal(dry_record_writer_new(columns, 0, in_scratch("x.csv"), &writer, &error),
                     DRY_BAD_ARGUMENT);
    assert_int_equal(dry_record_writer_new(columns, N, in_scratch("none/x.csv"), &writer, &error),
                     DRY_IO);
    assert_null(writer);
}

/* A disk that is full while the run goes on: a row is not taken, commit says why, no file is there,
 * and the library can go on. */
static void a_full_disk_is_told(void **state) {
    (void)state;
    static const char *const names[] = {"x.csv", "x.h5"};
    struct rlimit old, small;
    dry_error error;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = (struct rlimit){.rlim_cur = 1 << 19, .rlim_max = old.rlim_max};
    for (int k = 0; k < 1 + dry_record_has_hdf5(); k++) {
        setrlimit(RLIMIT_FSIZE, &small);
        dry_status taken;
        dry_record_writer *writer = written_to(names[k], 70000, &taken);
        const dry_status status = dry_record_writer_commit(writer, &error);
        setrlimit(RLIMIT_FSIZE, &old);
        assert_int_equal(taken, DRY_IO);
        assert_int_equal(status, DRY_IO);
        assert_int_equal(scratch_files(false), 0);
        assert_int_equal(dry_record_writer_commit(written(names[k], 70000), NULL), DRY_OK);
        scratch_files(true);
    }
}

static void names_of_parts(void **state) {
    (void)state;
    static const char *const names[][2] = {{"x.csv", "x.partial.csv"},
                                           {"x", "x.partial"},
                                           {"a.b/x", "a.b/x.partial"},
                                           {".csv", ".csv.partial"},
                                           {"a/x.tar.gz", "a/x.tar.partial.gz"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *name = dry_file_partial_name(names[i][0]);
        assert_string_equal(name, names[i][1]);
        free(name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_a_whole_table),
        cmocka_unit_test(a_part_has_a_name_that_says_so),
        cmocka_unit_test(what_is_abandoned_leaves_nothing),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(names_of_parts),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
