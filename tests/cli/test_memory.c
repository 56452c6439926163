/* Memory that runs out: of every command below each allocation fails once, alone and with all that
 * follow it. The command then ends with "out of memory" and exit code 4, or it gives exactly what
 * it gives otherwise; files are whole or absent, and nothing stays allocated that a quiet run
 * frees.
 *
 * Each try is a process of its own, split off before the command begins. An allocation is known by
 * the calls that lead to it: of those with the same calls the first, the second and the last fail,
 * and with DRY_MEMORY_ALL in the environment every one. */
#define _GNU_SOURCE /* backtrace, nftw */
#include "unit.h"

#include <drystone/urdf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <link.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define main drystone_main
#include "cli/main.c"
#include "scratch_file.h"
#undef main

/* ---- an allocator that fails when it is told to
 * -------------------------------------------------- */

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void __libc_free(void *piece);

enum { DEPTH = 24, MOST_CALLS = 1 << 16 };

/* What the child tells: shared with it. */
typedef struct told {
    atomic_long calls, live;
    void *failed_at[DEPTH]; /* the calls that led to the first that failed */
    int depth;
    uint64_t site[MOST_CALLS]; /* of allocation k, a number for the calls that led to it */
} told;

static told *shared;
static bool counting, noting; /* in the child alone; noting: the site of each */
static long first_to_fail = LONG_MAX, last_to_fail = LONG_MAX;
static _Thread_local bool inside;

/* Where the C library lies. */
static const char *libc_begin, *libc_end;

static int find_libc(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size, (void)user;
    if (!strstr(info->dlpi_name, "libc.so")) return 0;
    libc_begin = libc_end = (const char *)info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const char *end = libc_begin + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > libc_end) libc_end = end;
    }
    return 1;
}

static uint64_t site_of(void *const *address, int depth) {
    uint64_t hash = 14695981039346656037U;
    for (int i = 0; i < depth; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)address[i]) * 1099511628211U;
    return hash;
}

/* Whether the call comes from the program or from the C library: how other libraries bear it is
 * theirs. */
static bool is_ours(const void *caller) {
    extern const char __executable_start, etext;
    const char *at = caller;
    return (at >= &__executable_start && at < &etext) || (at >= libc_begin && at < libc_end);
}

static bool fails(const void *caller) {
    if (!counting || inside || !is_ours(caller)) return false;
    const long k = atomic_fetch_add(&shared->calls, 1);
    const bool bad = k >= first_to_fail && k <= last_to_fail;
    inside = true;
    if (noting && k < MOST_CALLS) {
        void *address[DEPTH];
        shared->site[k] = site_of(address, backtrace(address, DEPTH));
    }
    if (k == first_to_fail) shared->depth = backtrace(shared->failed_at, DEPTH);
    inside = false;
    if (bad) errno = ENOMEM;
    return bad;
}

static void *lives(void *piece) {
    if (counting && piece) atomic_fetch_add(&shared->live, 1);
    return piece;
}

/* The libraries find these too, and so what they take fails as well. */
#pragma GCC visibility push(default)
void *malloc(size_t bytes) {
    return fails(__builtin_return_address(0)) ? NULL : lives(__libc_malloc(bytes));
}
void *calloc(size_t count, size_t bytes) {
    return fails(__builtin_return_address(0)) ? NULL : lives(__libc_calloc(count, bytes));
}
void *realloc(void *old, size_t bytes) {
    if (fails(__builtin_return_address(0))) return NULL;
    void *piece = __libc_realloc(old, bytes);
    return old ? piece : lives(piece);
}
void free(void *piece) {
    if (counting && piece) atomic_fetch_sub(&shared->live, 1);
    __libc_free(piece);
}
#pragma GCC visibility pop

/* ---- a clock that stands still, so that a result does not say how long it took
 * -------------------- */

#pragma GCC visibility push(default)
clock_t clock(void) { return 0; }
int clock_gettime(clockid_t which, struct timespec *t) {
    (void)which;
    *t = (struct timespec){.tv_sec = 1};
    return 0;
}
#pragma GCC visibility pop

/* ---- one try
 * -------------------------------------------------------------------------------------- */

enum { MOST_WORDS = 24, MOST_FILES = 16, NAME = 64 };

typedef struct content {
    char name[NAME];
    uint64_t hash;
} content;

/* How a command ended, and what it wrote. */
typedef struct outcome {
    int status; /* of wait */
    long calls, live;
    uint64_t output, messages;
    bool says_so; /* "out of memory" */
    content file[MOST_FILES];
    int n_files;
} outcome;

static char scratch[1024];

static const char *in_scratch(const char *name) {
    static char path[4][sizeof scratch + 64];
    static int turn;
    char *const to = path[turn++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", scratch, name);
    return to;
}

static char *content_of(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = __libc_calloc(1, (1 << 22) + 1);
    *length = fread(text, 1, 1 << 22, file);
    fclose(file);
    return text;
}

static uint64_t hash_of(const char *path) {
    size_t length;
    char *text = content_of(path, &length);
    uint64_t hash = 14695981039346656037U ^ length;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 1099511628211U;
    free(text);
    return hash;
}

static outcome *found_by;

static int note_file(const char *path, const struct stat *about, int kind, struct FTW *walk) {
    (void)about, (void)walk;
    if (kind != FTW_F) return 0;
    below(found_by->n_files, MOST_FILES);
    content *c = &found_by->file[found_by->n_files++];
    snprintf(c->name, sizeof c->name, "%s", path + strlen(in_scratch("out")));
    c->hash = hash_of(path);
    return 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk) {
    (void)about, (void)kind, (void)walk;
    return remove(path);
}

static void clear(const char *folder) { nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* "@/x" becomes x in the scratch folder. */
static int split(char *line, char **words) {
    static char place[MOST_WORDS][sizeof scratch + 256];
    int n = 0;
    words[n++] = (char[]){"drystone"};
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        snprintf(place[n], sizeof place[n], "%s%s", word[0] == '@' ? in_scratch("out") : "",
                 word[0] == '@' ? word + 1 : word);
        words[n] = place[n];
        n++;
    }
    words[n] = NULL;
    return n;
}

static void child(const char *command, long first, long last) {
    static char line[4000];
    static const int deaths[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE,
                                 SIGILL}; /* cmocka catches them */
    char *words[MOST_WORDS + 1];
    snprintf(line, sizeof line, "%s", command);
    const int n = split(line, words);
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) signal(deaths[i], SIG_DFL);
    alarm(60);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    dup2(open(in_scratch("stdout"), flags, 0600), 1);
    dup2(open(in_scratch("stderr"), flags, 0600), 2);
    first_to_fail = first;
    last_to_fail = last;
    counting = true;
    const int code = drystone_main(n, words);
    counting = false;
    _exit(code);
}

static void try(const char *command, long first, long last, outcome *o) {
    *o = (outcome){0};
    shared->calls = shared->live = shared->depth = 0;
    clear(in_scratch("out"));
    mkdir(in_scratch("out"), 0700);
    fflush(NULL);
    const pid_t pid = fork();
    at_least(pid, 0);
    if (pid == 0) child(command, first, last);
    assert_int_equal(waitpid(pid, &o->status, 0), pid);
    size_t length;
    char *text = content_of(in_scratch("stderr"), &length);
    o->says_so = strstr(text, "out of memory") != NULL;
    free(text);
    o->calls = shared->calls;
    o->live = shared->live;
    o->output = hash_of(in_scratch("stdout"));
    o->messages = hash_of(in_scratch("stderr"));
    found_by = o;
    nftw(in_scratch("out"), note_file, 16, FTW_PHYS);
}

/* ---- what must hold
 * -------------------------------------------------------------------------------- */

static const content *find(const outcome *o, const char *name) {
    for (int i = 0; i < o->n_files; i++)
        if (!strcmp(o->file[i].name, name)) return &o->file[i];
    return NULL;
}

static bool ends_with(const char *text, const char *ending) {
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && !strcmp(text + n - m, ending);
}

/* The list of what a sweep has done so far; and what a run that did not end has recorded. */
static bool is_part(const char *name) {
    return ends_with(name, ".part") || strstr(name, ".partial.");
}

/* Files that a quiet run writes too, whole; and parts, whose names say so. */
static bool are_whole(const outcome *o, const outcome *quiet) {
    for (int i = 0; i < o->n_files; i++) {
        const content *c = find(quiet, o->file[i].name);
        if (!is_part(o->file[i].name) && (!c || c->hash != o->file[i].hash)) return false;
    }
    return true;
}

/* NULL where all is well. */
static const char *mistake(const outcome *o, const outcome *quiet) {
    static char text[64];
    if (!WIFEXITED(o->status)) {
        snprintf(text, sizeof text, "died of signal %d", WTERMSIG(o->status));
        return text;
    }
    if (!are_whole(o, quiet)) return "a file is not whole";
    if (o->live > quiet->live) {
        snprintf(text, sizeof text, "%ld pieces of memory are lost", o->live - quiet->live);
        return text;
    }
    if (o->status == quiet->status) {
        if (o->output != quiet->output || o->messages != quiet->messages ||
            o->n_files != quiet->n_files)
            return o->says_so ? "says it is out of memory and ends well" : "gives another result";
        return NULL;
    }
    if (!o->says_so) {
        snprintf(text, sizeof text, "ends with %d and does not say why", WEXITSTATUS(o->status));
        return text;
    }
    return WEXITSTATUS(o->status) == CLI_RUN ? NULL : "ends with another code";
}

static int n_shown;

static void complain_about(const char *command, long k, bool all, const char *what) {
    fprintf(stderr, "%s: allocation %ld%s fails: %s\n", command, k,
            all ? " and all that follow" : "", what);
    if (n_shown++ >= 20 && !getenv("DRY_MEMORY_ALL")) return;
    backtrace_symbols_fd(shared->failed_at + 2, shared->depth > 2 ? shared->depth - 2 : 0, 2);
    size_t length;
    char *text = content_of(in_scratch("stderr"), &length);
    fprintf(stderr, "%s\n", text);
    free(text);
}

/* Which allocations fail: the first, the second and the last with the same calls. */
static bool *chosen(const uint64_t *site, long n) {
    bool *fail = calloc((size_t)n + 1, 1);
    assert_non_null(fail);
    for (long k = 0; k < n; k++) {
        int before = 0;
        bool later = false;
        for (long i = 0; i < k; i++) before += site[i] == site[k];
        for (long i = k + 1; i < n && !later; i++) later = site[i] == site[k];
        fail[k] = before < 2 || !later || getenv("DRY_MEMORY_ALL");
    }
    return fail;
}

static void fail_each(const char *command, int status) {
    outcome quiet, o;
    noting = true;
    try(command, LONG_MAX, LONG_MAX, &quiet);
    noting = false;
    const long n = quiet.calls;
    assert_true(WIFEXITED(quiet.status));
    assert_int_equal(WEXITSTATUS(quiet.status), status);
    between(n, 0, MOST_CALLS);
    bool *fail = chosen(shared->site, n);
    long tried = 0, wrong = 0;
    for (long k = 0; k < n; k++)
        for (int all = 0; fail[k] && all < 2; all++) {
            try(command, k, all ? LONG_MAX : k, &o);
            const char *what = mistake(&o, &quiet);
            if (what) complain_about(command, k, all, what);
            tried++;
            wrong += what != NULL;
        }
    free(fail);
    print_message("%s: %ld allocations, %ld tries\n", command, n, tried);
    assert_int_equal(wrong, 0);
}

/* ---- the commands
 * ---------------------------------------------------------------------------------- */

static void check_ends_well(void **state) {
    (void)state;
    fail_each("check models/hello.dry", CLI_FINE);
    fail_each("check models/robots/six-axis.dry", dry_urdf_has_xml() ? CLI_FINE : CLI_MODEL);
    fail_each("check tests/lang/features/indices.dry", CLI_FINE);
    fail_each("check tests/lang/features/contact-chosen.dry", CLI_FINE);
    fail_each("check tests/lang/features/matrix-equation.dry", CLI_FINE);
    fail_each("check tests/lang/features/delays.dry", CLI_FINE);
    fail_each("check tests/lang/features/parts-settings.dry", CLI_FINE);
    fail_each("check tests/lang/errors/unknown-name.dry", CLI_MODEL);
}

static void run_ends_well(void **state) {
    (void)state;
    fail_each("run models/hello.dry --until 0.02 --no-native -o @/a.csv --plot @/a.svg --picture",
              CLI_EXPECTATION);
    fail_each("run models/hello.dry --until 0.02 --no-native --json --report @/a.html",
              CLI_EXPECTATION);
    fail_each("run models/classics/puck-stops.dry --method rigid --until 0.02 -o - --quiet",
              CLI_EXPECTATION);
}

static void export_ends_well(void **state) {
    (void)state;
    fail_each("export models/papers/kikuuwe2008/fig07-arm.dry --until 0.02 -o @/c", CLI_FINE);
    fail_each("export models/classics/puck-stops.dry --until 0.02 -o @/c --float", CLI_FINE);
}

static void show_ends_well(void **state) {
    (void)state;
    fail_each("show models/hello.dry --as latex", CLI_FINE);
    fail_each("show models/hello.dry --stage tokens", CLI_FINE);
    fail_each("show models/hello.dry --stage tree", CLI_FINE);
    fail_each("show models/hello.dry --stage checked", CLI_FINE);
    fail_each("show models/hello.dry --stage lowered", CLI_FINE);
    fail_each("show models/hello.dry --stage ordered", CLI_FINE);
    fail_each("show models/hello.dry --stage code", CLI_FINE);
    fail_each("show models/papers/kikuuwe2008/fig04-sphere-parts.dry", CLI_FINE);
}

static void sweep_ends_well(void **state) {
    (void)state;
    fail_each("sweep models/hello.dry -p F=0.4:0.5:2 --until 0.02 --no-native -j 1 -o @/s.csv "
              "--plot @/s.svg",
              CLI_FINE);
}

static FILE *new_file(char *path, size_t size, const char *name) {
    snprintf(path, size, "%s", in_scratch(name));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

/* A line with some waves, and a spring that slips at 0.5 N in some cycles. */
static void write_records(char *line, char *loop, size_t size) {
    FILE *file = new_file(line, size, "line.csv");
    fputs("t [s],y\n", file);
    for (int i = 1; i <= 12; i++)
        fprintf(file, "%.17g,%.17g\n", 0.05 * i, 1.0 - 0.015 * i + 0.01 * (i % 3));
    assert_int_equal(fclose(file), 0);
    file = new_file(loop, size, "loop.csv");
    fputs("t [s],x [m],f [N]\n", file);
    double x = 0.0, f = 0.0;
    for (int i = 0; i < 140; i++) {
        const double move = i < 20 || (i >= 60 && i < 100) ? 0.05 : -0.05;
        fprintf(file, "%d,%.17g,%.17g\n", i, x, f + 0.01 * (i % 2));
        x += move;
        f = fmin(fmax(f + move, -0.5), 0.5);
    }
    assert_int_equal(fclose(file), 0);
}

static void fit_ends_well(void **state) {
    (void)state;
    char line[1100], loop[1100], model[1100], command[4000];
    write_records(line, loop, sizeof line);
    FILE *file = new_file(model, sizeof model, "line.dry");
    fputs("param a = 0.5 [1/s] in 0.1..2\nstate x = 1.1\nx' = -a\n"
          "output x against \"line.csv\" column \"y\"\nfree a log, start x\n"
          "run until = 0.6 [s], step = 0.05 [s]\n",
          file);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "fit %s --no-native -j 1 -o @/new.dry --report @/new.html",
             model);
    fail_each(command, CLI_FINE);
    snprintf(command, sizeof command,
             "fit %s --no-native -j 1 --starts 2 --journal @/a.part --json", model);
    fail_each(command, CLI_FINE);
    snprintf(command, sizeof command,
             "fit %s %s --no-native -j 1 --hold-out last:20%% --loss huber:2", model, model);
    fail_each(command, CLI_FINE);
    snprintf(command, sizeof command, "fit %s --elements 2 --position x --friction f", loop);
    fail_each(command, CLI_FINE);
}

static int begin(void **state) {
    (void)state;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    dl_iterate_phdr(find_libc, NULL);
    void *first[4];
    backtrace(first, 4); /* which takes memory once */
    snprintf(scratch, sizeof scratch, "%s", scratch_file("drystone-memory-XXXXXX"));
    return shared == MAP_FAILED || !libc_end || !mkdtemp(scratch);
}

static int end(void **state) {
    (void)state;
    clear(scratch);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_ends_well),  cmocka_unit_test(run_ends_well),
        cmocka_unit_test(export_ends_well), cmocka_unit_test(show_ends_well),
        cmocka_unit_test(sweep_ends_well),  cmocka_unit_test(fit_ends_well),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
