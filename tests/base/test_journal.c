/* The journal: what is whole is kept, what is not is not there, what is another's is refused. */
#define _POSIX_C_SOURCE 200809L
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "scratch_file.h"

#define FILE_NAME scratch_file("base_test_journal.part")

/* 10 points in blocks of 4, 4 and 2. */
static const dry_work work = {.name = "sweep",
                              .depends = "model, grid, measures",
                              .points = 10,
                              .per_point = 2,
                              .per_block = 4,
                              .identity = 0x1234};

static void fill(double *values, size_t n, double seed) {
    for (size_t i = 0; i < n; i++) values[i] = seed + (double)i;
}

static dry_status open_it(dry_journal *journal, bool resume, double *values, unsigned char *done,
                          dry_error *error) {
    return dry_journal_open(journal, FILE_NAME, resume, &work, values, done, error);
}

static int forget(void **state) {
    (void)state;
    remove(FILE_NAME);
    return 0;
}

/* A journal with blocks 2 and 0. */
static void write_two(void) {
    double values[20] = {0}, block[8];
    unsigned char done[3] = {0};
    dry_error error = {0};
    dry_journal journal;
    is_ok(open_it(&journal, false, values, done, &error), &error);
    fill(block, 4, 200.0);
    is_ok(dry_journal_add(&journal, &work, 2, block, &error), &error);
    fill(block, 8, 100.0);
    is_ok(dry_journal_add(&journal, &work, 0, block, &error), &error);
    dry_journal_close(&journal);
}

static void test_again(void **state) {
    (void)state;
    double values[20] = {0};
    unsigned char done[3] = {0};
    dry_error error = {0};
    dry_journal journal;
    write_two();
    is_ok(open_it(&journal, true, values, done, &error), &error);
    assert_true(done[0]);
    assert_false(done[1]);
    assert_true(done[2]);
    equal(values[0], 100.0);
    equal(values[7], 107.0);
    equal(values[8], 0.0);
    equal(values[16], 200.0);
    equal(values[19], 203.0);
    dry_journal_close(&journal);
}

/* Cut at any byte: only whole blocks count, and it can be gone on with. */
static void test_cut(void **state) {
    (void)state;
    struct stat about;
    write_two();
    assert_int_equal(stat(FILE_NAME, &about), 0);
    const long first = 128 + 6 * 8, all = first + 10 * 8;
    assert_int_equal(about.st_size, all);
    for (long size = all; size >= 0; size -= 17) {
        double values[20] = {0}, block[8] = {7.0};
        unsigned char done[3] = {0};
        dry_error error = {0};
        dry_journal journal;
        assert_int_equal(truncate(FILE_NAME, size), 0);
        is_ok(open_it(&journal, true, values, done, &error), &error);
        assert_int_equal(done[2], size >= first);
        assert_int_equal(done[0], size >= all);
        assert_int_equal(done[1], 0);
        is_ok(dry_journal_add(&journal, &work, 1, block, &error), &error);
        dry_journal_close(&journal);
        memset(done, 0, sizeof done);
        is_ok(open_it(&journal, true, values, done, &error), &error);
        assert_int_equal(done[1], 1);
        dry_journal_close(&journal);
        remove(FILE_NAME);
        write_two();
    }
}

/* A byte that has changed, anywhere in a block: it does not count. */
static void test_damage(void **state) {
    (void)state;
    for (long at = 128; at < 128 + 48; at += 7) {
        double values[20] = {0};
        unsigned char done[3] = {0};
        dry_error error = {0};
        dry_journal journal;
        write_two();
        FILE *file = fopen(FILE_NAME, "r+b");
        assert_non_null(file);
        fseek(file, at, SEEK_SET);
        const int byte = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(byte ^ 0x10, file);
        fclose(file);
        is_ok(open_it(&journal, true, values, done, &error), &error);
        assert_int_equal(done[2], 0);
        dry_journal_close(&journal);
        remove(FILE_NAME);
    }
}

static void test_another(void **state) {
    (void)state;
    double values[20] = {0};
    unsigned char done[3] = {0};
    dry_error error = {0};
    dry_journal journal;
    dry_work other = work;
    write_two();
    other.identity++;
    assert_int_equal(dry_journal_open(&journal, FILE_NAME, true, &other, values, done, &error),
                     DRY_BAD_FILE);
    assert_non_null(strstr(error.text, "another sweep"));
    dry_journal_close(&journal);
    /* and it is not overwritten by a sweep that begins */
    assert_int_equal(open_it(&journal, false, values, done, &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "--resume"));
    dry_journal_close(&journal);
}

/* A limit on the file size makes the disk seem full: no byte, or half of the head, can be written.
 */
static void test_full_disk(void **state) {
    (void)state;
    static const rlim_t room[] = {0, 60};
    double values[20] = {0};
    unsigned char done[3] = {0};
    dry_journal journal;
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    for (int i = 0; i < 4; i++) {
        dry_error error = {0};
        small = old;
        small.rlim_cur = room[i % 2];
        setrlimit(RLIMIT_FSIZE, &small);
        const dry_status status = open_it(&journal, i > 1, values, done, &error);
        setrlimit(RLIMIT_FSIZE, &old);
        dry_journal_close(&journal);
        assert_int_equal(status, DRY_IO);
        assert_non_null(strstr(error.text, "cannot write"));
        assert_non_null(strstr(error.text, "ulimit -f"));
        assert_int_equal(access(FILE_NAME, F_OK), -1);
    }
    signal(SIGXFSZ, SIG_DFL);
    write_two(); /* nothing is in its way */
}

static void test_none(void **state) {
    (void)state;
    double block[8] = {0};
    dry_error error = {0};
    dry_journal journal;
    is_ok(dry_journal_open(&journal, NULL, false, &work, NULL, NULL, &error), &error);
    is_ok(dry_journal_add(&journal, &work, 1, block, &error), &error);
    dry_journal_close(&journal);
    assert_int_equal(dry_journal_open(&journal, "no/such/place", false, &work, NULL, NULL, &error),
                     DRY_IO);
    dry_journal_close(&journal);
}

/* FNV-1a has published values: those of "" and of "foobar". */
static void test_digest(void **state) {
    (void)state;
    assert_int_equal(dry_mark_bytes(DRY_MARK, "", 0), UINT64_C(0xcbf29ce484222325));
    assert_int_equal(dry_mark_bytes(DRY_MARK, "foobar", 6), UINT64_C(0x85944171f73967e8));
}

/* At least one thread, and no more than blocks; a computer that does not tell its cores has one. */
static void test_threads(void **state) {
    (void)state;
    assert_int_equal(dry_crew_threads(0, -1, 64), 1);
    assert_int_equal(dry_crew_threads(0, 4, 64), 4);
    assert_int_equal(dry_crew_threads(0, 4, 3), 3);
    assert_int_equal(dry_crew_threads(5, -1, 64), 5);
    assert_int_equal(dry_crew_threads(5, 4, 0), 1);
    assert_int_equal(dry_crew_threads(1 << 30, 4, (size_t)-1), 1024);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_again, forget, forget),
        cmocka_unit_test_setup_teardown(test_cut, forget, forget),
        cmocka_unit_test_setup_teardown(test_damage, forget, forget),
        cmocka_unit_test_setup_teardown(test_another, forget, forget),
        cmocka_unit_test_setup_teardown(test_full_disk, forget, forget),
        cmocka_unit_test_setup_teardown(test_none, forget, forget),
        cmocka_unit_test(test_digest),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
