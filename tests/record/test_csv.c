/* CSV: exact round trip, the dialects that are taken, and errors that tell where and what to do. */
#define _XOPEN_SOURCE 700
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "record/scratch.h"
#include <drystone/record.h>

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

static dry_record *read_text(const char *text) {
    dry_record *record;
    dry_error error = {0};
    put_text(in_scratch("in.csv"), text, strlen(text));
    if (dry_record_read_csv(in_scratch("in.csv"), &record, &error) != DRY_OK) {
        fail_msg("%d:%d: %s", error.line, error.column, error.text);
    }
    return record;
}

static void assert_text(const char *path, const char *text) {
    char *content;
    assert_int_equal(dry_file_read(path, 1 << 20, &content, NULL, NULL), DRY_OK);
    assert_string_equal(content, text);
    free(content);
}

static void text_is_as_promised(void **state) {
    (void)state;
    dry_quantity columns[] = {{"t", "s"}, {"x[1]", "m"}, {"n", ""}, {"a \"b\", c", "N m"}};
    dry_record *record = dry_record_new(columns, 4);
    dry_record_add(record, (double[]){0, 0.1, -0.0, 1e-7});
    dry_record_add(record, (double[]){1e21, NAN, INFINITY, -INFINITY});
    assert_int_equal(dry_record_write_csv(record, in_scratch("a.csv"), NULL), DRY_OK);
    assert_text(in_scratch("a.csv"), "t [s],x[1] [m],n,\"a \"\"b\"\", c [N m]\"\n"
                                     "0,0.1,-0,1e-7\n"
                                     "1e21,nan,inf,-inf\n");
    dry_record_free(record);
}

/* Names and units that look like syntax, and numbers at the edges. */
static void written_table_is_read_back_exactly(void **state) {
    (void)state;
    dry_quantity columns[] = {
        {"\xef\xbb\xbfm", ""}, {"t", "s"},         {"x[1]", "m"},      {"x [m]", ""},
        {"a [b]", "c"},        {"two\nlines", ""}, {" blank ", "1/s"}, {" left", ""},
        {"right\t", ""},       {"", ""},           {"\"", "\""},       {"θ̇", "rad/s"},
        {"[m]", ""},           {"comma,", "a[b]"}, {"1", ""},          {"x [y", "m"},
        {"tail []", ""},       {"t", "s"}};
    enum { N = sizeof columns / sizeof *columns };
    dry_record *record = dry_record_new(columns, N), *back;
    for (int i = 0; i < 5000; i++) {
        double row[N];
        for (int j = 0; j < N; j++) row[j] = ldexp(sin(i * 15.0 + j), (i + j) % 2100 - 1070);
        dry_record_add(record, row);
    }
    assert_int_equal(dry_record_write_csv(record, in_scratch("a.csv"), NULL), DRY_OK);
    assert_int_equal(dry_record_read_csv(in_scratch("a.csv"), &back, NULL), DRY_OK);
    assert_same(record, back);
    dry_record_free(record);
    dry_record_free(back);
}

static void single_column_without_name_is_read_back(void **state) {
    (void)state;
    dry_record *record = dry_record_new((dry_quantity[]){{"", ""}}, 1), *back;
    dry_record_add(record, &(double){1});
    assert_int_equal(dry_record_write_csv(record, in_scratch("a.csv"), NULL), DRY_OK);
    assert_int_equal(dry_record_read_csv(in_scratch("a.csv"), &back, NULL), DRY_OK);
    assert_same(record, back);
    dry_record_free(record);
    dry_record_free(back);
}

static void dialects_give_the_same_table(void **state) {
    (void)state;
    static const char *const texts[] = {
        "t [s],x\n0,1.5\n1,-2\n",
        "t [s],x\r\n0,1.5\r\n1,-2\r\n",
        "t [s],x\n0,1.5\n1,-2",
        "t [s],x\r\n0,1.5\r\n1,-2\r",
        "\xef\xbb\xbft [s],x\n0,1.5\n1,-2\n",
        " t [s] ,\tx\n 0 , 1.5\n1,-2 \n",
        "\"t [s]\",\"x\"\n\"0\",\"1.5\"\n\"1\" , \"-2\"\r\n",
        "t [s],x\n\n0,1.5\n\n \n1,-2\n\n\n",
        "t [s],x []\n+0.0,15e-1\n1.,-2E+00\n",
    };
    dry_record *first = read_text(texts[0]);
    assert_int_equal(dry_record_rows(first), 2);
    assert_string_equal(dry_record_quantity(first, 0).unit, "s");
    equal(dry_record_values(first, 1)[1], -2);
    for (size_t i = 1; i < sizeof texts / sizeof *texts; i++) {
        dry_record *other = read_text(texts[i]);
        assert_same(first, other);
        dry_record_free(other);
    }
    dry_record_free(first);
}

static void empty_fields_are_nan(void **state) {
    (void)state;
    dry_record *record = read_text("a,b\n,1\n2,\n\"\",NaN\n");
    assert_int_equal(dry_record_rows(record), 3);
    is_nan(dry_record_values(record, 0)[0]);
    equal(dry_record_values(record, 1)[0], 1);
    is_nan(dry_record_values(record, 1)[1]);
    is_nan(dry_record_values(record, 0)[2]);
    is_nan(dry_record_values(record, 1)[2]);
    dry_record_free(record);
}

static void header_alone_is_an_empty_table(void **state) {
    (void)state;
    dry_record *record = read_text("t [s],x [m]");
    assert_int_equal(dry_record_columns(record), 2);
    assert_int_equal(dry_record_rows(record), 0);
    dry_record_free(record);
}

/* Fields across the borders of the reader's blocks: rows of all lengths, many blocks long. */
static void long_file_is_read(void **state) {
    (void)state;
    enum { N = 40000 };
    dry_record *record = dry_record_new((dry_quantity[]){{"a", ""}, {"b", ""}}, 2), *back;
    for (int i = 0; i < N; i++) dry_record_add(record, (double[]){i, sin(i)});
    assert_int_equal(dry_record_write_csv(record, in_scratch("a.csv"), NULL), DRY_OK);
    assert_int_equal(dry_record_read_csv(in_scratch("a.csv"), &back, NULL), DRY_OK);
    assert_same(record, back);
    dry_record_free(record);
    dry_record_free(back);
}

static void errors_tell_where_and_what_to_do(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int line, column;
        const char *what, *do_this;
    } rows[] = {
        {"", 1, 1, "first line is empty", "write the names of the columns"},
        {"\n1,2\n", 1, 1, "first line is empty", "write the names of the columns"},
        {"0,1\n2,3\n", 1, 1, "has numbers", "put a header"},
        {"t,x\n0,1\n2,abc\n", 3, 3, "column 2 (x) has 'abc'", "write it as 1.5"},
        {"t,x\n0,1\n2, 1.5m \n", 3, 4, "'1.5m'", "write it as"},
        {"t,x\n0;1\n", 2, 1, "column 1 (t) has '0;1'", "comma between columns"},
        {"t,x\n0,0x1F\n", 2, 3, "'0x1F'", "write it as"},
        {"t,x\n0,1\n2\n", 3, 1, "ends after 1 of 2 columns, before x", "complete it"},
        {"t,x\n0,1\n2,3,4\n", 3, 5, "goes on with '4' after all 2 columns", "name all columns"},
        {"t,x\n0,1,5\n", 2, 5, "goes on", "decimals with a point"},
        {"t,x\n0,\"1\n", 2, 3, "never closed", "add a \""},
        {"t,\"x\"y\n", 1, 3, "'y' follows the closing quote", "double the quotes"},
        {"t,\"x\ny\"\n0,a\n", 3, 3, "(x?y) has 'a'", "write it as"},
        {"\xef\xbb\xbft,x\nz,1\n", 2, 1, "has 'z'", "write it as"},
        {"t,x\n0,\x01\x7f\n", 2, 3, "'?\?'", "write it as"},
        {"t,x\n0,aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaé\n", 2, 3, "aaa...'", "write it as"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_record *record;
        dry_error error = {0};
        put_text(in_scratch("bad.csv"), rows[i].text, strlen(rows[i].text));
        dry_status status = dry_record_read_csv(in_scratch("bad.csv"), &record, &error);
        if (status != DRY_BAD_FILE || strstr(error.text, rows[i].what) == NULL ||
            strstr(error.text, rows[i].do_this) == NULL || error.line != rows[i].line ||
            error.column != rows[i].column) {
            fail_msg("row %zu: status %d, %d:%d: %s", i, status, error.line, error.column,
                     error.text);
        }
        assert_null(record);
        assert_string_equal(error.file, in_scratch("bad.csv"));
    }
}

static void zero_byte_is_no_text(void **state) {
    (void)state;
    dry_record *record;
    dry_error error = {0};
    put_text(in_scratch("a.csv"), "t,x\n1,2\0003\n", 11);
    assert_int_equal(dry_record_read_csv(in_scratch("a.csv"), &record, NULL), DRY_BAD_FILE);
    assert_null(record);
    put_text(in_scratch("a.csv"), "t,x\0y\n1,2\n", 10);
    assert_int_equal(dry_record_read_csv(in_scratch("a.csv"), &record, &error), DRY_BAD_FILE);
    assert_non_null(strstr(error.text, "a byte of value 0"));
    assert_int_equal(error.column, 3);
    assert_null(record);
}

static void endless_field_is_an_error(void **state) {
    (void)state;
    enum { N = 200000 };
    char *text = malloc(N);
    dry_record *record;
    dry_error error;
    memset(text, 'x', N);
    text[0] = '"';
    put_text(in_scratch("a.csv"), text, N);
    assert_int_equal(dry_record_read_csv(in_scratch("a.csv"), &record, &error), DRY_BAD_FILE);
    assert_non_null(strstr(error.text, "closing quote is missing"));
    put_text(in_scratch("a.csv"), text + 1, N - 1);
    assert_int_equal(dry_record_read_csv(in_scratch("a.csv"), &record, &error), DRY_BAD_FILE);
    free(text);
}

static void missing_places_are_explained(void **state) {
    (void)state;
    dry_record *record = dry_record_new((dry_quantity[]){{"a", ""}}, 1), *back;
    dry_error error;
    assert_int_equal(dry_record_read_csv(in_scratch("no.csv"), &back, &error), DRY_IO);
    assert_non_null(strstr(error.text, strerror(ENOENT)));
    assert_int_equal(dry_record_read_csv(scratch, &back, &error), DRY_IO);
    assert_null(back);
    assert_int_equal(dry_record_write_csv(record, in_scratch("no/a.csv"), &error), DRY_IO);
    assert_non_null(strstr(error.text, "mkdir -p"));
    dry_record_free(record);
    record = dry_record_new(NULL, 0);
    assert_int_equal(dry_record_write_csv(record, in_scratch("a.csv"), &error), DRY_BAD_ARGUMENT);
    assert_int_equal(scratch_files(false), 0);
    dry_record_free(record);
}

static dry_record *large_record(void) {
    dry_record *record = dry_record_new((dry_quantity[]){{"a", ""}, {"b", ""}}, 2);
    for (int i = 0; i < 50000; i++) dry_record_add(record, (double[]){i, sqrt(i)});
    return record;
}

/* A limit on the file size makes the disk seem full. */
static void full_disk_leaves_the_old_file_and_no_litter(void **state) {
    (void)state;
    dry_record *record = large_record();
    put_text(in_scratch("a.csv"), "old", 3);
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 300000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    dry_error error;
    dry_status status = dry_record_write_csv(record, in_scratch("a.csv"), &error);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, DRY_IO);
    assert_non_null(strstr(error.text, strerror(EFBIG)));
    assert_text(in_scratch("a.csv"), "old");
    assert_int_equal(scratch_files(false), 1);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(dry_record_write_csv(record, "/dev/full", &error), DRY_IO);
        assert_non_null(strstr(error.text, strerror(ENOSPC)));
    }
    dry_record_free(record);
}

/* Killed again and again at different moments: always the old table or the new one, whole. */
static void killed_writer_leaves_a_whole_table(void **state) {
    (void)state;
    dry_record *record = large_record();
    assert_int_equal(dry_record_write_csv(record, in_scratch("a.csv"), NULL), DRY_OK);
    for (int i = 0; i < 8; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (;;) dry_record_write_csv(record, in_scratch("a.csv"), NULL);
        }
        nanosleep(&(struct timespec){0, 3000000 + 2500000L * i}, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        dry_record *back;
        assert_int_equal(dry_record_read_csv(in_scratch("a.csv"), &back, NULL), DRY_OK);
        assert_same(record, back);
        dry_record_free(back);
    }
    dry_record_free(record);
}

static void format_is_told_by_the_ending(void **state) {
    (void)state;
    dry_record *record = read_text("t,x\n0,1\n"), *back;
    dry_error error;
    assert_int_equal(dry_record_write(record, in_scratch("A.CSV"), NULL), DRY_OK);
    assert_int_equal(dry_record_read(in_scratch("A.CSV"), &back, NULL), DRY_OK);
    assert_same(record, back);
    dry_record_free(back);
    assert_int_equal(dry_record_can_write("-", NULL), DRY_OK);
    assert_int_equal(dry_record_can_write("A.H5", NULL),
                     dry_record_has_hdf5() ? DRY_OK : DRY_UNSUPPORTED);
    static const char *const unknown[] = {"a.txt", "csv", "a", "a.csv.gz"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        dry_status status = dry_record_write(record, in_scratch(unknown[i]), &error);
        assert_int_equal(status, DRY_BAD_ARGUMENT);
        assert_string_equal(error.text, "the ending must be .csv, .h5 or .hdf5");
        assert_int_equal(dry_record_can_write(in_scratch(unknown[i]), NULL), DRY_BAD_ARGUMENT);
        status = dry_record_read(in_scratch(unknown[i]), &back, &error);
        assert_int_equal(status, DRY_BAD_ARGUMENT);
        assert_null(back);
    }
    dry_record_free(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(text_is_as_promised, clear_scratch),
        cmocka_unit_test_teardown(written_table_is_read_back_exactly, clear_scratch),
        cmocka_unit_test_teardown(single_column_without_name_is_read_back, clear_scratch),
        cmocka_unit_test_teardown(dialects_give_the_same_table, clear_scratch),
        cmocka_unit_test_teardown(empty_fields_are_nan, clear_scratch),
        cmocka_unit_test_teardown(header_alone_is_an_empty_table, clear_scratch),
        cmocka_unit_test_teardown(long_file_is_read, clear_scratch),
        cmocka_unit_test_teardown(errors_tell_where_and_what_to_do, clear_scratch),
        cmocka_unit_test_teardown(zero_byte_is_no_text, clear_scratch),
        cmocka_unit_test_teardown(endless_field_is_an_error, clear_scratch),
        cmocka_unit_test_teardown(missing_places_are_explained, clear_scratch),
        cmocka_unit_test_teardown(full_disk_leaves_the_old_file_and_no_litter, clear_scratch),
        cmocka_unit_test_teardown(killed_writer_leaves_a_whole_table, clear_scratch),
        cmocka_unit_test_teardown(format_is_told_by_the_ending, clear_scratch),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
