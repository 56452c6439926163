/* What is free: for every model of ours and every parameter that needs no new compilation, other
 * values give what compiling with them gives, to the bit, and no values pass that the compiler
 * refuses. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "unit.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drystone/model.h>

enum { MOST_PAR = 400, MOST_TRIED = 12 };

static uint64_t seed = 1;
static double chance(void) { /* xorshift, 0 .. 1 */
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(seed >> 11) * 0x1p-53;
}

/* Of all models: parameters that are free, values that pass, that the compiler refuses, and that
 * it takes though they do not pass. */
static struct { int models, free, passed, refused, missed; } count;

/* ---- two systems ------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The times at which a run with these parameters has a break, each once. */
static int breaks_of(const dry_system *system, const dry_env *env, double *times) {
    int n = 0;
    if (system->breaks) system->breaks(env, times);
    for (int i = 0; i < system->n_breaks; i++)
        if (isfinite(times[i])) times[n++] = times[i];
    qsort(times, (size_t)n, sizeof *times, by_size);
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || times[i] != times[kept - 1]) times[kept++] = times[i];
    return kept;
}

typedef struct looked {
    double *x, *rate, *y, *times;
    int n_breaks;
} looked;

/* Start, rates and outputs there and a little beside, break times. */
static looked look(const dry_system *s, const double *par) {
    const size_t n = (size_t)s->n_states, n_y = (size_t)s->n_outputs;
    looked l = {.x = calloc(2 * n + 1, sizeof(double)),
                .rate = calloc(2 * n + 1, sizeof(double)),
                .y = calloc(2 * n_y + 1, sizeof(double)),
                .times = calloc((size_t)s->n_breaks + 1, sizeof(double))};
    const dry_env env = {.model = s->model, .par = par, .work = calloc(1, s->work_size + 1)};
    assert_true(l.x && l.rate && l.y && l.times && env.work);
    s->prepare(&env);
    s->start(&env, 0.0, l.x);
    for (size_t i = 0; i < n; i++) l.x[n + i] = 1.1 * l.x[i] + 1e-3 * (double)(i % 3);
    for (size_t k = 0; k < 2; k++) {
        const double t = 0.37 * (double)k, tau = 1e-4 * (double)k;
        s->rate(&env, t, tau, l.x + k * n, l.rate + k * n);
        if (s->output) s->output(&env, t, tau, l.x + k * n, l.y + k * n_y);
    }
    l.n_breaks = breaks_of(s, &env, l.times);
    free(env.work);
    return l;
}

static void forget(const looked *l) {
    free(l->x);
    free(l->rate);
    free(l->y);
    free(l->times);
}

static const char *difference(const dry_system *a, const double *par, const dry_system *b) {
    const looked of_a = look(a, par), of_b = look(b, b->par);
    const size_t n = 2 * sizeof(double) * (size_t)a->n_states,
                 n_y = 2 * sizeof(double) * (size_t)a->n_outputs;
    const char *what =
        memcmp(par, b->par, sizeof *par * (size_t)a->n_par) != 0 ? "parameters"
        : memcmp(of_a.x, of_b.x, n) != 0                         ? "starts"
        : memcmp(of_a.rate, of_b.rate, n) != 0                   ? "rates"
        : memcmp(of_a.y, of_b.y, n_y) != 0                       ? "outputs"
        : of_a.n_breaks != of_b.n_breaks ||
                memcmp(of_a.times, of_b.times, sizeof(double) * (size_t)of_a.n_breaks) != 0
            ? "breaks"
            : NULL;
    forget(&of_a);
    forget(&of_b);
    return what;
}

/* ---- one set of values ---------------------------------------------------------------------- */

typedef struct subject {
    const char *path, *text;
    size_t length;
    const dry_model *model;
} subject;

static void compare(const subject *s, const dry_model *other, const double *par, const char *name,
                    double value) {
    if (!dry_model_ok(other))
        fail_msg("%s: %s = %.17g passes, and the compiler says: %s", s->path, name, value,
                 dry_model_message(other, 0).text);
    if (!dry_model_alike(s->model, other))
        fail_msg("%s: %s = %.17g makes another model", s->path, name, value);
    const dry_system *a = dry_model_system(s->model), *b = dry_model_system(other);
    if (!a->watch != !b->watch) fail_msg("%s: %s = %.17g is watched", s->path, name, value);
    const char *what = difference(a, par, b);
    if (what) fail_msg("%s: %s = %.17g: other %s", s->path, name, value, what);
}

/* Values of some parameters, as settings and in `par`. */
static void check_values(const subject *s, const int *which, const double *values, int n) {
    const dry_system *system = dry_model_system(s->model);
    double par[MOST_PAR];
    char names[MOST_TRIED][128];
    dry_setting settings[MOST_TRIED];
    memcpy(par, system->par, sizeof *par * (size_t)system->n_par);
    for (int i = 0; i < n; i++) {
        assert_true(dry_model_par_setting(s->model, which[i], names[i], sizeof names[i]));
        settings[i] = (dry_setting){.name = names[i], .value = values[i]};
        par[which[i]] = values[i];
    }
    dry_model_par_follow(s->model, par);
    const bool passes = dry_model_par_passes(s->model, par);
    const dry_model_options options = {.settings = settings, .n_settings = n};
    dry_model *other = dry_model_compile(s->path, s->text, s->length, &options);
    assert_non_null(other);
    if (passes) compare(s, other, par, names[0], values[0]);
    count.passed += passes;
    count.refused += !dry_model_ok(other);
    count.missed += !passes && dry_model_ok(other);
    dry_model_free(other);
}

static void check_par(const subject *s, int par) {
    const double value = dry_model_system(s->model)->par[par];
    const double tried[] = {value * (0.5 + chance()), value + (chance() - 0.5), -value, 0.0,
                            chance() < 0.5 ? value * 1e7 : value * 1e-7};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) check_values(s, &par, &tried[i], 1);
}

/* ---- models -------------------------------------------------------------------------------- */

/* All parameters one by one, then several together. */
static void check_model(const subject *s) {
    const dry_system *system = dry_model_system(s->model);
    int which[MOST_TRIED], n = 0;
    double values[MOST_TRIED];
    at_most(system->n_par, MOST_PAR);
    for (int i = 0; i < system->n_par && n < MOST_TRIED; i++)
        if (dry_model_par_free(s->model, i) && !dry_model_par_follows(s->model, i)) which[n++] = i;
    for (int i = 0; i < n; i++) check_par(s, which[i]);
    for (int k = 0; n > 1 && k < 3; k++) {
        for (int i = 0; i < n; i++) values[i] = system->par[which[i]] * (0.8 + 0.4 * chance());
        check_values(s, which, values, n);
    }
    count.free += n;
    count.models += n > 0;
}

static int visit(const char *path, const struct stat *about, int kind, struct FTW *where) {
    (void)about, (void)where;
    const size_t length = strlen(path);
    dry_error error = {0};
    char *text;
    if (kind != FTW_F || length < 4 || strcmp(path + length - 4, ".dry") != 0) return 0;
    subject s = {.path = path};
    is_ok(dry_file_read(path, 0, &text, &s.length, &error), &error);
    s.text = text;
    dry_model *model = dry_model_compile(path, s.text, s.length, NULL);
    assert_non_null(model);
    s.model = model;
    if (dry_model_ok(model) && !dry_model_net(model) && !dry_model_inclusion(model))
        check_model(&s);
    dry_model_free(model);
    free(text);
    return 0;
}

static void check_folder(const char *folder, int models, int free, int passed, int refused) {
    memset(&count, 0, sizeof count);
    assert_int_equal(nftw(folder, visit, 16, FTW_PHYS), 0);
    print_message("%d models, %d free: %d values pass, %d are refused, %d missed\n", count.models,
                  count.free, count.passed, count.refused, count.missed);
    at_least(count.models, models);
    at_least(count.free, free);
    at_least(count.passed, passed);
    at_least(count.refused, refused);
}

static void test_models(void **state) {
    (void)state;
    check_folder(DRY_SOURCE_DIR "/models", 60, 400, 1500, 400);
}

static void test_features(void **state) {
    (void)state;
    check_folder(DRY_SOURCE_DIR "/tests/lang/features", 40, 120, 500, 80);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models),
                                       cmocka_unit_test(test_features)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
