/* Files are written whole or not at all, and what goes wrong is said with a way out. */
#define _XOPEN_SOURCE 700
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <drystone/base.h>

static char directory[64];

static char *in(const char *name) {
    static char paths[4][400];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static int make_directory(void **state) {
    (void)state;
    strcpy(directory, "/tmp/dry-file-XXXXXX");
    return mkdtemp(directory) == NULL;
}

static void each_entry(void (*action)(const char *name, void *user), void *user) {
    DIR *d = opendir(directory);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) action(e->d_name, user);
    }
    closedir(d);
}

static void remove_entry(const char *name, void *user) {
    (void)user;
    remove(in(name));
}

static void count_entry(const char *name, void *user) {
    (void)name;
    ++*(int *)user;
}

static int entries(void) {
    int n = 0;
    each_entry(count_entry, &n);
    return n;
}

static int empty_directory(void **state) {
    (void)state;
    each_entry(remove_entry, NULL);
    return 0;
}

static int remove_directory(void **state) {
    empty_directory(state);
    return rmdir(directory);
}

static dry_status put(const char *path, const char *text, dry_error *error) {
    dry_file file;
    dry_status status = dry_file_open(&file, path, error);
    if (status != DRY_OK) return status;
    fputs(text, file.stream);
    return dry_file_commit(&file, error);
}

static void assert_content(const char *path, const char *text) {
    char *content;
    size_t length;
    assert_int_equal(dry_file_read(path, 1 << 20, &content, &length, NULL), DRY_OK);
    assert_int_equal(length, strlen(text));
    assert_string_equal(content, text);
    free(content);
}

static void written_file_appears_at_commit(void **state) {
    (void)state;
    dry_file file;
    assert_int_equal(dry_file_open(&file, in("a"), NULL), DRY_OK);
    fputs("one\n", file.stream);
    assert_int_not_equal(access(in("a"), F_OK), 0);
    assert_int_equal(access(file.temporary, F_OK), 0);
    assert_int_equal(dry_file_commit(&file, NULL), DRY_OK);
    assert_content(in("a"), "one\n");
    assert_int_equal(entries(), 1);
}

static void abandoned_file_leaves_the_old_one(void **state) {
    (void)state;
    dry_file file;
    assert_int_equal(put(in("a"), "old", NULL), DRY_OK);
    assert_int_equal(dry_file_open(&file, in("a"), NULL), DRY_OK);
    fputs("new", file.stream);
    dry_file_abandon(&file);
    assert_content(in("a"), "old");
    assert_int_equal(entries(), 1);
}

static void two_writers_of_one_path_do_not_meet(void **state) {
    (void)state;
    dry_file first, second;
    assert_int_equal(dry_file_open(&first, in("a"), NULL), DRY_OK);
    assert_int_equal(dry_file_open(&second, in("a"), NULL), DRY_OK);
    assert_string_not_equal(first.temporary, second.temporary);
    fputs("first", first.stream);
    fputs("second", second.stream);
    assert_int_equal(dry_file_commit(&second, NULL), DRY_OK);
    assert_content(in("a"), "second");
    assert_int_equal(dry_file_commit(&first, NULL), DRY_OK);
    assert_content(in("a"), "first");
    assert_int_equal(entries(), 1);
}

static void permissions_are_kept_or_by_umask(void **state) {
    (void)state;
    struct stat s;
    mode_t old = umask(027);
    assert_int_equal(put(in("a"), "x", NULL), DRY_OK);
    stat(in("a"), &s);
    assert_int_equal(s.st_mode & 0777, 0640);
    chmod(in("a"), 0606);
    assert_int_equal(put(in("a"), "y", NULL), DRY_OK);
    stat(in("a"), &s);
    assert_int_equal(s.st_mode & 0777, 0606);
    umask(old);
}

static void link_stays_and_its_target_is_replaced(void **state) {
    (void)state;
    struct stat s;
    assert_int_equal(put(in("target"), "old", NULL), DRY_OK);
    assert_int_equal(symlink("target", in("middle")), 0);
    assert_int_equal(symlink(in("middle"), in("link")), 0);
    assert_int_equal(put(in("link"), "new", NULL), DRY_OK);
    assert_int_equal(lstat(in("link"), &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    assert_content(in("target"), "new");
    assert_int_equal(entries(), 3);
}

static void dangling_link_gets_its_target(void **state) {
    (void)state;
    assert_int_equal(symlink("missing", in("link")), 0);
    assert_int_equal(put(in("link"), "new", NULL), DRY_OK);
    assert_content(in("missing"), "new");
}

static void ring_of_links_is_an_error(void **state) {
    (void)state;
    dry_error error;
    assert_int_equal(symlink("b", in("a")), 0);
    assert_int_equal(symlink("a", in("b")), 0);
    assert_int_equal(put(in("a"), "x", &error), DRY_IO);
    assert_non_null(strstr(error.text, "ring"));
    assert_int_equal(entries(), 2);
}

static void long_name_can_be_written(void **state) {
    (void)state;
    char name[256];
    memset(name, 'n', 255); /* the longest that the file system takes */
    name[255] = '\0';
    assert_int_equal(put(in(name), "x", NULL), DRY_OK);
    assert_content(in(name), "x");
}

static void pipe_is_written_directly(void **state) {
    (void)state;
    assert_int_equal(mkfifo(in("pipe"), 0600), 0);
    int reader = open(in("pipe"), O_RDONLY | O_NONBLOCK);
    assert_int_equal(put(in("pipe"), "through", NULL), DRY_OK);
    char got[16] = "";
    assert_int_equal(read(reader, got, sizeof got), 7);
    assert_string_equal(got, "through");
    close(reader);
    struct stat s;
    stat(in("pipe"), &s);
    assert_true(S_ISFIFO(s.st_mode));
}

/* Our output was redirected into a file that holds something: it is kept. */
static void descriptor_is_appended_to(void **state) {
    (void)state;
    assert_int_equal(put(in("log"), "before ", NULL), DRY_OK);
    int log = open(in("log"), O_WRONLY | O_APPEND);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", log);
    assert_int_equal(put(path, "after", NULL), DRY_OK);
    close(log);
    assert_content(in("log"), "before after");
    assert_int_equal(entries(), 1);
}

/* What was printed before comes first, and standard output stays open. */
static void minus_writes_standard_output(void **state) {
    (void)state;
    fflush(stdout);
    int saved = dup(1), log = open(in("log"), O_WRONLY | O_CREAT, 0600);
    dup2(log, 1);
    close(log);
    printf("one ");
    dry_status status = put("-", "two ", NULL);
    printf("three");
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    assert_int_equal(status, DRY_OK);
    assert_content(in("log"), "one two three");
}

static void full_device_is_an_error(void **state) {
    (void)state;
    dry_error error;
    assert_int_equal(put("/dev/full", "x", &error), DRY_IO);
    assert_string_equal(error.file, "/dev/full");
    assert_non_null(strstr(error.text, strerror(ENOSPC)));
    assert_non_null(strstr(error.text, "free some space"));
}

/* A limit on the file size makes the disk seem full. */
static void failed_write_leaves_the_old_file_and_no_litter(void **state) {
    (void)state;
    assert_int_equal(put(in("a"), "old", NULL), DRY_OK);
    char large[100000];
    memset(large, 'x', sizeof large);
    large[sizeof large - 1] = '\0';
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 50000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    dry_error error;
    dry_status status = put(in("a"), large, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, DRY_IO);
    assert_non_null(strstr(error.text, strerror(EFBIG)));
    assert_content(in("a"), "old");
    assert_int_equal(entries(), 1);
}

static void killed_writer_leaves_the_old_file(void **state) {
    (void)state;
    assert_int_equal(put(in("a"), "old", NULL), DRY_OK);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        dry_file file;
        dry_file_open(&file, in("a"), NULL);
        for (int i = 0;; i++) {
            fputs("new new new new\n", file.stream);
            if (i == 100000 && write(ready[1], "x", 1) != 1) _exit(1);
        }
    }
    char x;
    assert_int_equal(read(ready[0], &x, 1), 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    assert_content(in("a"), "old");
    /* what the dead writer left is not in the way of the next */
    assert_int_equal(put(in("a"), "next", NULL), DRY_OK);
    assert_content(in("a"), "next");
}

static void unwritable_places_are_explained(void **state) {
    (void)state;
    dry_error error;
    assert_int_equal(put(in("no/such/a"), "x", &error), DRY_IO);
    assert_string_equal(error.file, in("no/such/a"));
    assert_non_null(strstr(error.text, "mkdir -p"));
    assert_int_equal(put(directory, "x", &error), DRY_IO);
    assert_non_null(strstr(error.text, "directory"));
    assert_int_equal(put("", "x", &error), DRY_IO);
    assert_int_equal(put(in("a"), "x", NULL), DRY_OK);
    assert_int_equal(put(in("a/b"), "x", &error), DRY_IO);
    assert_non_null(strstr(error.text, "a file stands where a directory should be"));
    assert_int_equal(entries(), 1);
}

/* As a user without rights, in a child, since the tests may run as root. */
static int try_without_rights(const char *path) {
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(77);
        dry_error error = {0};
        dry_status status = put(path, "x", &error);
        _exit(status == DRY_IO && strstr(error.text, strerror(EACCES)) != NULL ? 0 : 1);
    }
    int result;
    waitpid(child, &result, 0);
    return WEXITSTATUS(result);
}

static void missing_permission_is_an_error(void **state) {
    (void)state;
    assert_int_equal(put(in("a"), "old", NULL), DRY_OK);
    chmod(in("a"), 0444);
    chmod(directory, 0777); /* the directory would allow to replace the file */
    int file = try_without_rights(in("a"));
    chmod(directory, 0555);
    int new_file = try_without_rights(in("b"));
    chmod(directory, 0700);
    assert_int_equal(file, 0);
    assert_int_equal(new_file, 0);
    assert_content(in("a"), "old");
    assert_int_equal(entries(), 1);
}

static void read_gives_the_whole_content(void **state) {
    (void)state;
    enum { N = 300000 }; /* several chunks */
    char *content, *text = malloc(N + 1);
    size_t length;
    for (int i = 0; i < N; i++) text[i] = (char)('a' + i % 26);
    text[N] = '\0';
    assert_int_equal(put(in("a"), text, NULL), DRY_OK);
    assert_int_equal(dry_file_read(in("a"), N, &content, &length, NULL), DRY_OK);
    assert_int_equal(length, N);
    assert_string_equal(content, text);
    free(content);
    assert_int_equal(dry_file_read(in("a"), 0, &content, NULL, NULL), DRY_OK);
    free(content);
    free(text);
    assert_int_equal(put(in("b"), "", NULL), DRY_OK);
    assert_content(in("b"), "");
}

static void read_stops_at_the_limit(void **state) {
    (void)state;
    dry_error error;
    char *content;
    assert_int_equal(put(in("a"), "12345", NULL), DRY_OK);
    assert_int_equal(dry_file_read(in("a"), 5, &content, NULL, NULL), DRY_OK);
    free(content);
    assert_int_equal(dry_file_read(in("a"), 4, &content, NULL, &error), DRY_BAD_FILE);
    assert_null(content);
    assert_non_null(strstr(error.text, "more than 4 bytes"));
    assert_int_equal(dry_file_read("/dev/zero", 100000, &content, NULL, &error), DRY_BAD_FILE);
    assert_null(content);
}

static void unreadable_files_are_explained(void **state) {
    (void)state;
    dry_error error;
    char *content;
    assert_int_equal(dry_file_read(in("none"), 9, &content, NULL, &error), DRY_IO);
    assert_string_equal(error.file, in("none"));
    assert_non_null(strstr(error.text, strerror(ENOENT)));
    assert_non_null(strstr(error.text, "spelling"));
    assert_int_equal(dry_file_read(directory, 9, &content, NULL, &error), DRY_IO);
    assert_non_null(strstr(error.text, strerror(EISDIR)));
    assert_null(content);
}

static void minus_reads_standard_input(void **state) {
    (void)state;
    assert_int_equal(put(in("a"), "from stdin", NULL), DRY_OK);
    int saved = dup(0), file = open(in("a"), O_RDONLY);
    dup2(file, 0);
    close(file);
    char *content = NULL;
    dry_status status = dry_file_read("-", 100, &content, NULL, NULL);
    dup2(saved, 0);
    close(saved);
    assert_int_equal(status, DRY_OK);
    assert_string_equal(content, "from stdin");
    free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(written_file_appears_at_commit, empty_directory),
        cmocka_unit_test_teardown(abandoned_file_leaves_the_old_one, empty_directory),
        cmocka_unit_test_teardown(two_writers_of_one_path_do_not_meet, empty_directory),
        cmocka_unit_test_teardown(permissions_are_kept_or_by_umask, empty_directory),
        cmocka_unit_test_teardown(link_stays_and_its_target_is_replaced, empty_directory),
        cmocka_unit_test_teardown(dangling_link_gets_its_target, empty_directory),
        cmocka_unit_test_teardown(ring_of_links_is_an_error, empty_directory),
        cmocka_unit_test_teardown(long_name_can_be_written, empty_directory),
        cmocka_unit_test_teardown(pipe_is_written_directly, empty_directory),
        cmocka_unit_test_teardown(descriptor_is_appended_to, empty_directory),
        cmocka_unit_test_teardown(minus_writes_standard_output, empty_directory),
        cmocka_unit_test_teardown(full_device_is_an_error, empty_directory),
        cmocka_unit_test_teardown(failed_write_leaves_the_old_file_and_no_litter, empty_directory),
        cmocka_unit_test_teardown(killed_writer_leaves_the_old_file, empty_directory),
        cmocka_unit_test_teardown(unwritable_places_are_explained, empty_directory),
        cmocka_unit_test_teardown(missing_permission_is_an_error, empty_directory),
        cmocka_unit_test_teardown(read_gives_the_whole_content, empty_directory),
        cmocka_unit_test_teardown(read_stops_at_the_limit, empty_directory),
        cmocka_unit_test_teardown(unreadable_files_are_explained, empty_directory),
        cmocka_unit_test_teardown(minus_reads_standard_input, empty_directory),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
