/* HDF5 files that others wrote, made here with the library itself: what is a table is read, what is
 * none is explained, and nothing that an attribute holds is taken on trust. */
#define _XOPEN_SOURCE 700
#include "unit.h"

#include "record/scratch.h"
#include <drystone/record.h>

#include <hdf5.h>

static hid_t new_file(const char *name) {
    return H5Fcreate(in_scratch(name), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
}

/* A dataset of `rank` sizes, whose values are given as doubles and stored as `type`. */
static hid_t put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *sizes,
                 const double *values) {
    hid_t space = H5Screate_simple(rank, sizes, NULL), usual = H5P_DEFAULT;
    hid_t dataset = H5Dcreate2(file, name, type, space, usual, usual, usual);
    at_least(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, usual, values), 0);
    H5Sclose(space);
    return dataset;
}

/* n times the same number. */
static void put_numbers(hid_t dataset, const char *name, hid_t type, int n, int value) {
    const hsize_t size = (hsize_t)n;
    int *values = calloc((size_t)n, sizeof *values);
    for (int i = 0; i < n; i++) values[i] = value;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t attribute = H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    at_least(H5Awrite(attribute, H5T_NATIVE_INT, values), 0);
    H5Aclose(attribute);
    H5Sclose(space);
    free(values);
}

/* n times a text of fixed length that has no end. */
static void put_texts(hid_t dataset, const char *name, int n, const char *text) {
    const hsize_t size = (hsize_t)n;
    const size_t length = strlen(text);
    char *all = calloc((size_t)n, length);
    for (int i = 0; i < n; i++) memcpy(all + (size_t)i * length, text, length);
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &size, NULL);
    H5Tset_size(type, length);
    hid_t attribute = H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    at_least(H5Awrite(attribute, type, all), 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
    free(all);
}

static dry_record *read_back(const char *name) {
    dry_record *record = NULL;
    dry_error error = {0};
    if (dry_record_read(in_scratch(name), &record, &error) != DRY_OK) fail_msg("%s", error.text);
    return record;
}

/* Integers, single precision, a matrix of one column, a unit of fixed length, a group beside. */
static void numbers_of_all_kinds_are_read(void **state) {
    (void)state;
    const hsize_t three = 3, column[] = {3, 1};
    hid_t file = new_file("a.h5");
    hid_t t = put(file, "t", H5T_IEEE_F64LE, 1, &three, (double[]){0.0, 0.1, 0.2});
    hid_t x = put(file, "x", H5T_STD_I16BE, 1, &three, (double[]){1, -2, 3});
    hid_t b = put(file, "b", H5T_IEEE_F32LE, 2, column, (double[]){0.5, 1.5, 2.5});
    put_numbers(t, "column", H5T_STD_I64LE, 1, 0);
    put_texts(t, "unit", 1, "s");
    put_texts(x, "unit", 1, "mm");
    H5Gclose(H5Gcreate2(file, "notes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Dclose(t);
    H5Dclose(x);
    H5Dclose(b);
    H5Fclose(file);
    dry_record *record = read_back("a.h5");
    static const struct {
        const char *name, *unit;
        double second;
    } found[] = {{"t", "s", 0.1}, {"b", "", 1.5}, {"x", "mm", -2.0}};
    assert_int_equal(dry_record_columns(record), 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dry_record_find(record, found[i].name), i);
        assert_string_equal(dry_record_quantity(record, i).unit, found[i].unit);
        equal(dry_record_values(record, i)[1], found[i].second);
    }
    dry_record_free(record);
}

/* A place or a unit is one number, or one text: where there are a thousand, there is none. */
static void attributes_of_another_size_or_kind_are_passed_over(void **state) {
    (void)state;
    const hsize_t two = 2;
    hid_t file = new_file("a.h5");
    hid_t a = put(file, "a", H5T_IEEE_F64LE, 1, &two, (double[]){1, 2});
    hid_t b = put(file, "b", H5T_IEEE_F64LE, 1, &two, (double[]){3, 4});
    put_numbers(a, "column", H5T_STD_I32LE, 1000, 0x41414141);
    put_numbers(a, "unit", H5T_STD_I32LE, 1, 7);
    put_texts(b, "column", 1, "first");
    put_texts(b, "unit", 1000, "kilometre");
    H5Dclose(a);
    H5Dclose(b);
    H5Fclose(file);
    dry_record *record = read_back("a.h5");
    assert_int_equal(dry_record_columns(record), 2);
    for (int i = 0; i < 2; i++) assert_string_equal(dry_record_quantity(record, i).unit, "");
    equal(dry_record_values(record, dry_record_find(record, "b"))[1], 4.0);
    dry_record_free(record);
}

static void put_matrix(hid_t file) {
    const hsize_t square[] = {2, 2};
    H5Dclose(put(file, "m", H5T_IEEE_F64LE, 2, square, (double[]){1, 2, 3, 4}));
}
static void put_unequal(hid_t file) {
    const hsize_t two = 2, three = 3;
    H5Dclose(put(file, "a", H5T_IEEE_F64LE, 1, &two, (double[]){1, 2}));
    H5Dclose(put(file, "b", H5T_IEEE_F64LE, 1, &three, (double[]){1, 2, 3}));
}
static void put_word(hid_t file) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, 4);
    hid_t dataset = H5Dcreate2(file, "s", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "word");
    H5Dclose(dataset);
    H5Sclose(space);
    H5Tclose(type);
}
static void put_nothing(hid_t file) { (void)file; }

static void what_is_no_table_is_explained(void **state) {
    (void)state;
    static const struct {
        void (*fill)(hid_t file);
        const char *text;
    } rows[] = {
        {put_matrix, "dataset m is not a one-dimensional array"},
        {put_word, "dataset s is not a one-dimensional array"},
        {put_unequal, "dataset b has 3 values and a has 2"},
        {put_nothing, "the root group has no dataset"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_record *record;
        dry_error error = {0};
        hid_t file = new_file("a.h5");
        rows[i].fill(file);
        H5Fclose(file);
        assert_int_equal(dry_record_read(in_scratch("a.h5"), &record, &error), DRY_BAD_FILE);
        if (strstr(error.text, rows[i].text) == NULL) fail_msg("%s", error.text);
        assert_null(record);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(numbers_of_all_kinds_are_read, clear_scratch),
        cmocka_unit_test_teardown(attributes_of_another_size_or_kind_are_passed_over,
                                  clear_scratch),
        cmocka_unit_test_teardown(what_is_no_table_is_explained, clear_scratch),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
