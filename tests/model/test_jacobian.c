/* The Jacobian that the compiler derives, of every model here, equals central differences of the
 * rate wherever no kink is near. */
#define _POSIX_C_SOURCE 200809L /* opendir */
#include "unit.h"

#include <dirent.h>
#include <drystone/model.h>
#include <drystone/stiff.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "needs.h"

enum { LARGEST_FILE = 1 << 16, POINTS = 4 };

static uint64_t seed = 7;
static double uniform(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* ---- one point ----------------------------------------------------------- */

typedef struct point {
    const dry_system *system;
    dry_env env;
    double t, *x, *low, *high, *g, *g_moved, *values;
    double *dense; /* of one column */
    int n_compared, n_wrong;
    double worst;
    int worst_row, worst_column;
} point;

static double *numbers(int n) { return calloc((size_t)n + 1, sizeof(double)); }

/* Whether the rate jumps or has a kink in the time within `by`. */
static bool beside_break(const point *p, double by) {
    const dry_system *system = p->system;
    double *times = numbers(system->n_breaks);
    bool found = false;
    if (system->breaks) system->breaks(&p->env, times);
    for (int i = 0; i < system->n_breaks; i++) found = found || fabs(times[i] - p->t) <= fabs(by);
    free(times);
    return found;
}

/* Moves column j (n: the time) by `by`; gives the rate, and whether all kinks kept their side. */
static bool moved(point *p, int j, double by, double *rate) {
    const bool time = j == p->system->n_states;
    const double t = time ? p->t + by : p->t, before = time ? 0.0 : p->x[j];
    if (!time) p->x[j] += by;
    p->system->rate(&p->env, t, 0.0, p->x, rate);
    bool same = !time || !beside_break(p, by);
    if (p->system->kinks) p->system->kinks(&p->env, t, p->x, p->g_moved);
    for (int k = 0; k < p->system->n_kinks; k++)
        same = same && (p->g_moved[k] > 0.0) == (p->g[k] > 0.0) && p->g[k] != 0.0;
    if (!time) p->x[j] = before;
    return same;
}

static void column_of(const point *p, int j) {
    memset(p->dense, 0, (size_t)p->system->n_states * sizeof(double));
    for (int k = 0; k < p->system->n_jacobian; k++)
        if (p->system->jacobian_column[k] == j)
            p->dense[p->system->jacobian_row[k]] += p->values[k];
}

/* Central differences at two distances: their difference tells what they are worth. */
static void compare_column(point *p, int j) {
    const int n = p->system->n_states;
    const double size = j == n ? fmax(p->t, 1e-2) : fabs(p->x[j]) + 1e-6;
    double *slope[2] = {numbers(n), numbers(n)};
    bool same = true;
    for (int k = 0; k < 2; k++) {
        const double by = size * (k ? 2e-5 : 1e-5);
        same = moved(p, j, -by, p->low) && moved(p, j, by, p->high) && same;
        for (int i = 0; i < n; i++) slope[k][i] = (p->high[i] - p->low[i]) / (2.0 * by);
    }
    column_of(p, j);
    for (int i = 0; same && i < n; i++) {
        const double noise = 1e-14 * (fabs(p->low[i]) + fabs(p->high[i])) / (1e-5 * size);
        const double allowed = 4.0 * fabs(slope[0][i] - slope[1][i]) +
                               1e-7 * (fabs(slope[0][i]) + fabs(p->dense[i])) + 100.0 * noise +
                               1e-9;
        const double apart = fabs(slope[0][i] - p->dense[i]);
        p->n_compared++;
        if (apart <= allowed) continue;
        p->n_wrong++;
        if (!(apart > p->worst)) continue;
        p->worst = apart;
        p->worst_row = i;
        p->worst_column = j;
    }
    free(slope[0]);
    free(slope[1]);
}

static void compare_point(point *p) {
    const dry_system *system = p->system;
    if (system->kinks) system->kinks(&p->env, p->t, p->x, p->g);
    system->jacobian(&p->env, p->t, 0.0, p->x, p->values);
    for (int j = 0; j <= system->n_states; j++) compare_column(p, j);
}

/* ---- one model ----------------------------------------------------------- */

/* Points on the way of a run, each state stirred a little. */
static void compare_model(const char *path, const dry_model *model) {
    const dry_system *s = dry_model_system(model);
    const int n = s->n_states;
    point p = {.system = s,
               .env = {.model = s->model, .par = s->par, .work = calloc(1, s->work_size + 1)}};
    p.x = numbers(n), p.low = numbers(n), p.high = numbers(n), p.dense = numbers(n);
    p.g = numbers(s->n_kinks), p.g_moved = numbers(s->n_kinks), p.values = numbers(s->n_jacobian);
    if (s->prepare) s->prepare(&p.env);
    dry_stiff *run;
    const dry_ode_options options = {.rtol = 1e-4, .atol = 1e-7, .max_steps = 2000};
    assert_int_equal(
        dry_stiff_new(s, dry_stiff_method_find("rodas4"), &options, NULL, 0.0, NULL, &run, NULL),
        DRY_OK);
    for (int k = 0; k < POINTS; k++) {
        p.t = dry_stiff_time(run);
        for (int i = 0; i < n; i++)
            p.x[i] = dry_stiff_state(run)[i] * (1.0 + 0.01 * (uniform() - 0.5)) +
                     1e-5 * (uniform() - 0.5);
        compare_point(&p);
        (void)dry_stiff_advance(run, p.t + 0.01 + 0.1 * uniform(), NULL);
    }
    if (p.n_wrong)
        print_error("%s: %d of %d differ, by %g in d %s'/d %s\n", path, p.n_wrong, p.n_compared,
                    p.worst, s->states[p.worst_row].name,
                    p.worst_column < n ? s->states[p.worst_column].name : "t");
    assert_int_equal(p.n_wrong, 0);
    above(p.n_compared, 0);
    dry_stiff_free(run);
    double *const arrays[] = {p.x, p.low, p.high, p.dense, p.g, p.g_moved, p.values};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    free(p.env.work);
}

static int read_settings(const char *text, dry_setting *set, char (*name)[64]) {
    int n = 0;
    for (const char *at = text; n < 8 && (at = strstr(at, "#! set ")); at++, n++) {
        assert_int_equal(sscanf(at, "#! set %63s = %lf", name[n], &set[n].value), 2);
        set[n].name = name[n];
    }
    return n;
}

static void check_file(const char *path) {
    static char text[LARGEST_FILE];
    dry_setting set[8] = {{0}};
    char name[8][64];
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    const size_t length = fread(text, 1, sizeof text - 1, stream);
    text[length] = '\0';
    fclose(stream);
    if (!can_be_compiled(text)) return;
    const dry_model_options options = {.settings = set,
                                       .n_settings = read_settings(text, set, name),
                                       .run = {.method = dry_model_method_find("rodas4")}};
    dry_model *model = dry_model_compile(path, text, length, &options);
    assert_non_null(model);
    if (!dry_model_ok(model)) fail_msg("%s does not compile", path);
    if (!dry_model_net(model)) { /* parts do not know theirs */
        above(dry_model_system(model)->n_jacobian, 0);
        compare_model(path, model);
    }
    dry_model_free(model);
}

static int check_folder(const char *folder) {
    DIR *dir = opendir(folder);
    int n = 0;
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        char path[1024];
        const size_t length = strlen(entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".dry") == 0) {
            check_file(path);
            n++;
        }
    }
    closedir(dir);
    return n;
}

static void features(void **state) {
    (void)state;
    above(check_folder(DRY_SOURCE_DIR "/tests/lang/features"), 20);
}
static void classics(void **state) {
    (void)state;
    above(check_folder(DRY_SOURCE_DIR "/models"), 0);
    above(check_folder(DRY_SOURCE_DIR "/models/classics"), 10);
}
static void papers(void **state) {
    (void)state;
    above(check_folder(DRY_SOURCE_DIR "/models/papers/glowinski2004"), 3);
    above(check_folder(DRY_SOURCE_DIR "/models/papers/xiong2012"), 3);
    above(check_folder(DRY_SOURCE_DIR "/models/papers/xiong-dissertation"), 0);
    above(check_folder(DRY_SOURCE_DIR "/models/papers/xiong2013"), 3);
}

/* An explicit method has no use for it, and does not pay for it. */
static void only_where_it_is_needed(void **state) {
    (void)state;
    const char text[] = "state x = 1 [m]\nx' = -x/(1 [s])\nrun until = 1 [s], step = 0.1 [s]\n";
    dry_model *model = dry_model_compile("x.dry", text, sizeof text - 1, NULL);
    assert_non_null(model);
    assert_int_equal(dry_model_system(model)->n_jacobian, 0);
    assert_null(dry_model_system(model)->jacobian);
    dry_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features),
        cmocka_unit_test(classics),
        cmocka_unit_test(papers),
        cmocka_unit_test(only_where_it_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
