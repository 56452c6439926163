/* The cache of native code: what is whole and the user's own is taken, everything else is made
 * anew. */
#include "native_test.h"

#include "native/native_private.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char text[] = "model secret_name \"secret title */ # include\"\n"
                           "param secret_mass = 2 [kg]\n"
                           "state secret_p = 0 [m], secret_v = 1 [m/s]\n"
                           "secret_f in 0.5 [N]*sgn(secret_v) with K = 5e3 [N/m], beta = 2 [ms]\n"
                           "secret_p' = secret_v\n"
                           "secret_mass*secret_v' = -secret_f\n"
                           "run until = 1 [s], step = 1 [ms]\n";

static dry_model *model;

static int set_up(void **state) {
    model = compile_text(text);
    return dry_model_ok(model) ? make_cache(state) : -1;
}

static int tear_down(void **state) {
    dry_model_free(model);
    return remove_cache(state);
}

static dry_native *try(bool only_cached, const char *compiler, dry_error *error) {
    const dry_native_options options = {.compiler = compiler,
                                        .cache = cache,
                                        .only_cached = only_cached,
                                        .method = dry_method_find("rk4")};
    return dry_native_new(model, &options, error);
}

static bool is_cached(void) {
    dry_native *native = try(true, NULL, NULL);
    dry_native_free(native);
    return native != NULL;
}

static void make(void) {
    dry_native *native = try(false, NULL, NULL);
    assert_non_null(native);
    dry_native_free(native);
}

/* The path of a file of the only entry; how many entries there are. */
static int find(const char *file, char *path, size_t room) {
    DIR *directory = opendir(cache);
    int n = 0;
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, room, "%s/%s/%s", cache, entry->d_name, file);
        n++;
    }
    closedir(directory);
    return n;
}

static void change_byte(const char *path, long at) {
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    const int c = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    fputc(c ^ 1, file);
    fclose(file);
}

static void is_kept(void **state) {
    (void)state;
    need_compiler();
    assert_false(is_cached());
    make();
    assert_true(is_cached());
}

static void damage_is_noticed(void **state) {
    (void)state;
    need_compiler();
    static const char *const files[] = {"code.so", "source.c", "about"};
    for (int i = 0; i < 3; i++) {
        char path[512];
        make();
        assert_int_equal(find(files[i], path, sizeof path), 1);
        change_byte(path, i == 0 ? 5000 : 20);
        assert_false(is_cached());
        make();
        assert_true(is_cached());
        assert_int_equal(find(files[i], path, sizeof path), 1);
        assert_int_equal(truncate(path, 10), 0);
        assert_false(is_cached());
        make();
        assert_true(is_cached());
    }
}

/* What others may write is not loaded. */
static void open_doors_are_noticed(void **state) {
    (void)state;
    need_compiler();
    static const char *const files[] = {"code.so", "about", "."};
    for (int i = 0; i < 3; i++) {
        char path[512];
        make();
        assert_int_equal(find(files[i], path, sizeof path), 1);
        assert_int_equal(chmod(path, 0777), 0);
        assert_false(is_cached());
        make();
        assert_true(is_cached());
    }
    assert_int_equal(chmod(cache, 0777), 0);
    assert_false(is_cached());
    assert_int_equal(chmod(cache, 0700), 0);
    assert_true(is_cached());
}

static void links_are_not_followed(void **state) {
    (void)state;
    need_compiler();
    char path[512], moved[520];
    make();
    assert_int_equal(find("code.so", path, sizeof path), 1);
    snprintf(moved, sizeof moved, "%s.bak", path);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink(moved, path), 0);
    assert_false(is_cached());
    make();
    assert_true(is_cached());
}

/* Several programs at once, beginning with nothing: all succeed, one entry is left. */
static void many_at_once(void **state) {
    (void)state;
    need_compiler();
    char path[512];
    pid_t children[4];
    if (find(".", path, sizeof path)) {
        *strrchr(path, '/') = '\0';
        dry_native__remove(path);
    }
    for (int i = 0; i < 4; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            dry_native *native = try(false, NULL, NULL);
            _exit(native ? 0 : 1);
        }
    }
    for (int i = 0; i < 4; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_int_equal(find("about", path, sizeof path), 1);
    assert_true(is_cached());
}

static void without_a_cache_it_works_too(void **state) {
    (void)state;
    need_compiler();
    const dry_native_options options = {.cache = "/dev/null/nowhere",
                                        .method = dry_method_find("rk4")};
    dry_native *native = dry_native_new(model, &options, NULL);
    assert_non_null(native);
    dry_native_free(native);
}

static void compilers_that_fail(void **state) {
    (void)state;
    dry_error error = {0};
    assert_null(try(false, "/nonexistent/cc", &error));
    assert_int_equal(error.status, DRY_UNSUPPORTED);
    assert_non_null(strstr(error.text, "C compiler"));
    assert_null(try(false, "false", &error));
    assert_int_equal(error.status, DRY_RUN_FAILED);
    assert_null(try(false, "true", &error)); /* says yes, and makes nothing */
    assert_int_equal(error.status, DRY_RUN_FAILED);
}

/* No name, title or text of the model is in what the compiler sees. */
static void names_stay_outside(void **state) {
    (void)state;
    char *source = dry_native__source(model, NULL, NULL);
    assert_non_null(source);
    assert_null(strstr(source, "secret"));
    free(source);
}

/* An entry that was used in 1970, with code of so many bytes, all of them a hole. */
static void put_old_entry(char letter, long long bytes) {
    char name[DRY_DIGEST_SIZE], path[300];
    const struct timespec long_ago[2] = {{0}, {0}};
    memset(name, letter, sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(path, sizeof path, "%s/%s", cache, name);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/%s/code.so", cache, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), bytes), 0);
    fclose(file);
    snprintf(path, sizeof path, "%s/%s", cache, name);
    assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
}

/* 128 MiB at most: the oldest goes when a new one comes, and nothing goes if all of it fits. */
static void the_cache_has_a_largest_size(void **state) {
    (void)state;
    static const long long sizes[] = {100LL << 20, 129LL << 20};
    for (int i = 0; i < 2; i++) {
        char command[200], path[300];
        snprintf(command, sizeof command, "rm -rf '%s'/*", cache);
        assert_int_equal(system(command), 0);
        put_old_entry('a', sizes[i]);
        make();
        assert_true(is_cached());
        assert_int_equal(find("code.so", path, sizeof path), i ? 1 : 2);
    }
}

/* FIPS 180-4 and the NIST examples */
static void digests(void **state) {
    (void)state;
    static const char *const known[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
         "lmnopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
    for (int i = 0; i < 4; i++) {
        char hex[DRY_DIGEST_SIZE];
        dry_digest(known[i][0], strlen(known[i][0]), hex);
        assert_string_equal(hex, known[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_kept),
        cmocka_unit_test(damage_is_noticed),
        cmocka_unit_test(open_doors_are_noticed),
        cmocka_unit_test(links_are_not_followed),
        cmocka_unit_test(many_at_once),
        cmocka_unit_test(without_a_cache_it_works_too),
        cmocka_unit_test(compilers_that_fail),
        cmocka_unit_test(names_stay_outside),
        cmocka_unit_test(the_cache_has_a_largest_size),
        cmocka_unit_test(digests),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
