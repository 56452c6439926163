/* The classics by the rigid scheme and by the ordinary differential equation: as K grows, the one
 * becomes the other.
 *
 * With beta fixed, an element of friction is wrong by its stretch, at most F/K, with each change
 * between sticking and slipping: the difference of the final states falls like 1/K. Where a stuck
 * element rings and slips again, its damping must not be small for that (K beta^2 about M or more).
 * From K to 100 K the difference must fall with the slope -1 in logarithms; to 0.15, since a term
 * like 1/K^2 as large as the first at the smallest K changes it by 0.15.
 *
 * Not among them: models with contacts, whose impacts follow 1/sqrt(K), since a contact is wrong by
 * how long it takes, and whose tangential overshoot does not vanish; burridge-knopoff, in which a
 * block that lets go earlier by the smallest time changes when the next one does; capstan, which
 * takes dop853 minutes with a large K.
 *
 * K: stiffness, N/m or N m/rad; beta: retardation time, s; M: mass or inertia, kg or kg m^2. */
#define _POSIX_C_SOURCE 200809L /* opendir */
#include "unit.h"

#include <dirent.h>
#include <drystone/model.h>
#include <drystone/rigid.h>
#include <drystone/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 14, MOST_STATES = 64 };
static const char folder[] = DRY_SOURCE_DIR "/models/";

static void read_text(const char *name, char text[LARGEST_FILE]) {
    char path[1024];
    snprintf(path, sizeof path, "%s%s", folder, name);
    FILE *stream = fopen(path, "rb");
    if (!stream) fail_msg("%s is missing", path);
    text[fread(text, 1, LARGEST_FILE - 1, stream)] = '\0';
    assert_true(feof(stream));
    fclose(stream);
}

/* The end of the law in a line `.. in .. sgn(..)`: where ` with` or ` for` stands, or the line
 * ends; NULL: there is no law. */
static const char *law_end(const char *line, const char *end) {
    const char *in = strstr(line, " in "), *sgn = strstr(line, "sgn(");
    if (*line == '#' || !in || !sgn || in > sgn || sgn > end) return NULL;
    const char *with = strstr(sgn, " with "), *each = strstr(sgn, " for ");
    if (with && with < end) return with;
    return each && each < end ? each : end;
}

/* The text with `with K = .., beta = ..` in every law of friction, in the place of its own. */
static void set_stiffness(const char *from, double K, double beta, char to[LARGEST_FILE]) {
    char *next = to;
    while (*from) {
        const char *end = from + strcspn(from, "\n"), *law = law_end(from, end);
        assert_true(next + (end - from) + 100 < to + LARGEST_FILE);
        const int kept = (int)((law ? law : end) - from);
        next += sprintf(next, "%.*s", kept, from);
        if (law) next += sprintf(next, " with K = %.17g, beta = %.17g", K, beta);
        if (law && strncmp(law, " for ", 5) == 0)
            next += sprintf(next, "%.*s", (int)(end - law), law);
        *next++ = '\n';
        from = end + (*end == '\n');
    }
    *next = '\0';
}

static dry_model *compile(const char *name, const char *text, const char *method, double step) {
    const dry_model_options options = {
        .run = {.method = dry_model_method_find(method), .step = step}, .force = true};
    dry_model *model = dry_model_compile(name, text, strlen(text), &options);
    assert_non_null(model);
    return model;
}

static dry_model *compile_well(const char *name, const char *text, const char *method,
                               double step) {
    dry_model *model = compile(name, text, method, step);
    for (int i = 0; !dry_model_ok(model) && i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    if (!dry_model_ok(model)) fail_msg("%s does not compile for %s", name, method);
    return model;
}

/* ---- the limit ----------------------------------------------------------------------- */

static int go_rigid(const char *name, const char *text, double step, double *x) {
    dry_model *model = compile_well(name, text, "rigid", step);
    const dry_rigid_options options = {.step = step};
    dry_error error;
    dry_rigid *rigid = NULL;
    if (dry_rigid_new(dry_model_inclusion(model), &options, NULL, 0.0, &rigid, &error) != DRY_OK ||
        dry_rigid_advance(rigid, dry_model_run(model).until, &error) != DRY_OK)
        fail_msg("%s: %s", name, error.text);
    const int n = dry_model_own_states(model);
    assert_in_range(n, 1, MOST_STATES);
    memcpy(x, dry_rigid_state(rigid), (size_t)n * sizeof *x);
    dry_rigid_free(rigid);
    dry_model_free(model);
    return n;
}

static void go_soft(const char *name, const char *text, double *x) {
    dry_model *model = compile_well(name, text, "dop853", 1e-4);
    const dry_system *system = dry_model_system(model);
    const dry_sim_options options = {.run = {.method = dry_method_find("dop853"),
                                             .until = dry_model_run(model).until,
                                             .record = dry_model_run(model).until,
                                             .rtol = 1e-11,
                                             .atol = 1e-12}};
    dry_sim_result result;
    dry_error error;
    if (dry_sim_run(system, &options, &result, &error) != DRY_OK)
        fail_msg("%s: %s", name, error.text);
    for (int i = 0; i < dry_model_own_states(model); i++) {
        const double *column = dry_record_values(result.record, 1 + i);
        x[i] = column[dry_record_rows(result.record) - 1];
    }
    dry_record_free(result.record);
    dry_model_free(model);
}

typedef struct limit {
    const char *name;
    double K, beta, step; /* the smallest K; of the law; of the rigid scheme */
} limit;

/* log10 of the difference of the final states at K and at 100 K, per decade */
static double slope(const limit *of) {
    static char text[LARGEST_FILE], soft[LARGEST_FILE];
    double x[MOST_STATES], y[MOST_STATES], apart[3] = {0.0};
    read_text(of->name, text);
    const int n = go_rigid(of->name, text, of->step, x);
    for (int k = 0; k < 3; k++) {
        set_stiffness(text, of->K * pow(10.0, k), of->beta, soft);
        go_soft(of->name, soft, y);
        for (int i = 0; i < n; i++) apart[k] = fmax(apart[k], fabs(x[i] - y[i]));
    }
    print_message("%-36s %.2e %.2e %.2e\n", of->name, apart[0], apart[1], apart[2]);
    return 0.5 * log10(apart[2] / apart[0]);
}

/* The steps are such that the rigid scheme is wrong by less than a hundredth of what is compared.
 */
static const limit limits[] = {
    {"hello.dry", 5e3, 2e-3, 1e-3},
    {"classics/coulomb-oscillator.dry", 1e5, 2e-2, 2e-5},
    {"classics/puck-stops.dry", 1e4, 1e-3, 1e-3},
    {"classics/masses-friction-joint.dry", 1e4, 1e-3, 1e-3},
    {"classics/clutch.dry", 1e5, 1e-3, 1e-3},
    {"classics/pendulum.dry", 1e3, 2e-2, 2e-5},
    {"classics/bowling-ball.dry", 1e5, 1e-3, 1e-3},
    {"classics/puck-on-slope.dry", 1e5, 1e-3, 1e-4},
    {"classics/den-hartog.dry", 1e6, 1e-2, 1e-4},
    {"classics/belt-stick-slip.dry", 1e6, 1e-3, 1e-5},
};

static void the_difference_falls_like_one_over_K(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const double found = slope(&limits[i]);
        if (!(fabs(found + 1.0) <= 0.15))
            fail_msg("%s: the difference falls like K^%.2f", limits[i].name, found);
    }
}

/* ---- every classic runs -------------------------------------------------------------- */

/* 1 ms is enough but for the rope, whose own springs and dampers are taken explicitly: above 50 us
 * they chatter; for the slide whose controller damps it at 2e4 1/s, which is taken explicitly too;
 * and for the springs with sliders, which have elements of 10 us, or sliders that swing at 6e3 1/s.
 */
static double step_for(const char *name) {
    if (strstr(name, "persoz")) return 1e-5;
    return strstr(name, "capstan") || strstr(name, "friction-compensation") ? 5e-5 : 1e-3;
}

/* The first 20 s of it are enough. */
/* Parts have relaxed laws of their own, and no inclusion. */
static bool has_parts(const char *name, const char *text) {
    dry_model *model = compile_well(name, text, "rk4", 1e-3);
    const bool parts = dry_model_net(model) != NULL;
    dry_model_free(model);
    return parts;
}

static void run_rigidly(const char *name) {
    static char text[LARGEST_FILE];
    read_text(name, text);
    if (has_parts(name, text)) return;
    const double step = step_for(name);
    dry_model *model = compile_well(name, text, "rigid", step);
    const dry_rigid_options options = {.step = step};
    const double end = fmin(dry_model_run(model).until, 20.0);
    dry_error error;
    dry_rigid *rigid = NULL;
    if (dry_rigid_new(dry_model_inclusion(model), &options, NULL, 0.0, &rigid, &error) != DRY_OK ||
        dry_rigid_advance(rigid, end, &error) != DRY_OK)
        fail_msg("%s: %s", name, error.text);
    equal(dry_rigid_time(rigid), end);
    dry_rigid_free(rigid);
    dry_model_free(model);
}

static void every_classic_runs_rigidly(void **state) {
    (void)state;
    int n = 0;
    DIR *all = opendir(DRY_SOURCE_DIR "/models/classics");
    assert_non_null(all);
    for (const struct dirent *entry; (entry = readdir(all));) {
        char name[300];
        if (!strstr(entry->d_name, ".dry")) continue;
        snprintf(name, sizeof name, "classics/%s", entry->d_name);
        run_rigidly(name);
        n++;
    }
    closedir(all);
    at_least(n, 15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_difference_falls_like_one_over_K),
        cmocka_unit_test(every_classic_runs_rigidly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
