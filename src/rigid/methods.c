/* The methods of the room as rows, and how they make a disturbance of a linear model grow.
 *
 * x' = J x without a set, in which some states may be pushed by sets, is run by the scheme itself:
 * column j of R is what a step makes of unit vector j. The prox scheme takes terms from its last
 * two steps as long as they do not grow (growth.c), so that R has five times as many rows there. */
#include "rigid_private.h"
#include <stdlib.h>

static double growth(const dry_method *method, const dry_linear *linear, double T);

/* They have no K, so nothing is chosen for them. */
#define FACTS                                                                                      \
    .takes = DRY_TAKES_SETS, .locates = false, .stability = DRY_STABILITY_GROWTH, .growth = growth

static const dry_method methods[] = {
    [DRY_RIGID_PROX] = {.name = "rigid",
                        .title = "prox step with its sets, forces at mid-step",
                        .paper = "Moreau 1988; Acary, Brogliato 2008",
                        .order = 3,
                        .stages = 1,
                        .holds = true,
                        FACTS},
    [DRY_RIGID_ROUTH] = {.name = "rigid-routh",
                         .title = "as rigid, with Coulomb's law during each impact",
                         .paper = "Routh 1860; Keller 1986; Stronge 1990",
                         .order = 3,
                         .stages = 1,
                         .holds = true,
                         FACTS},
    [DRY_RIGID_SPLIT] = {.name = "split",
                         .title = "friction, then elasticity",
                         .paper = "Glowinski et al. 2004 (9)-(12)",
                         .order = 1,
                         .stages = 1,
                         .substeps = true,
                         FACTS},
    [DRY_RIGID_SPLIT_SYMMETRIC] = {.name = "split-symmetric",
                                   .title = "half friction, elasticity, half friction",
                                   .paper = "Glowinski et al. 2004 (13)-(16)",
                                   .order = 1,
                                   .stages = 1,
                                   .substeps = true,
                                   FACTS},
};
enum { COUNT = sizeof methods / sizeof *methods };

/* What they do. */
static const dry_rigid__facts facts[COUNT] = {
    [DRY_RIGID_PROX] = {.step = dry_rigid__step_prox, .prox = true},
    [DRY_RIGID_ROUTH] = {.step = dry_rigid__step_prox, .prox = true, .routh = true},
    [DRY_RIGID_SPLIT] = {.step = dry_rigid__step_split},
    [DRY_RIGID_SPLIT_SYMMETRIC] = {.step = dry_rigid__step_symmetric},
};

const dry_rigid__facts *dry_rigid__facts_of(dry_rigid_scheme scheme) { return &facts[scheme]; }

int dry_rigid_method_count(void) { return COUNT; }

const dry_method *dry_rigid_method_at(int index) {
    DRY_ASSERT(index >= 0 && index < COUNT);
    return &methods[index];
}

const dry_method *dry_rigid_method_find(const char *name) {
    dry_rigid_scheme scheme;
    return dry_rigid_scheme_find(name, &scheme) ? &methods[scheme] : dry_method_missing();
}

bool dry_rigid_scheme_find(const char *name, dry_rigid_scheme *scheme) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(name, methods[i].name) == 0) {
            *scheme = (dry_rigid_scheme)i;
            return true;
        }
    return false;
}

dry_rigid_options dry_run_rigid(const dry_run_options *run) {
    dry_rigid_options rigid = {
        .step = run->step, .P = (int)run->P, .Q = (int)run->Q, .weight = run->weight};
    if (run->method && !dry_rigid_scheme_find(run->method->name, &rigid.scheme))
        rigid.scheme = (dry_rigid_scheme)COUNT;
    return rigid;
}

/* ---- a linear model ------------------------------------------------------- */

typedef struct model {
    const dry_linear *linear;
    double *x; /* the start */
} model;

static void start(const dry_env *env, double t, double *x) {
    const model *m = env->model;
    (void)t;
    memcpy(x, m->x, (size_t)m->linear->n * sizeof *x);
}

static void rate_of(const dry_linear *l, const double *x, double *x_dot) {
    for (int i = 0; i < l->n; i++) {
        x_dot[i] = 0.0;
        for (int j = 0; j < l->n; j++) x_dot[i] += l->J[i * l->n + j] * x[j];
    }
}

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)t, (void)tau;
    rate_of(((const model *)env->model)->linear, x, x_dot);
}

static void eval(const dry_env *env, double t, const double *x, const double *lambda,
                 const dry_inclusion_values *values) {
    (void)lambda;
    rate(env, t, 0.0, x, values->rate);
}

/* ---- its steps ------------------------------------------------------------- */

/* Column j of R, n by n. */
static bool fill_column(const dry_inclusion *inc, const dry_rigid_options *options, const model *m,
                        int j, double *R) {
    const int n = inc->n_states;
    dry_rigid *r;
    dry_error ignored = {0};
    memset(m->x, 0, (size_t)n * sizeof *m->x);
    m->x[j] = 1.0;
    if (dry_rigid_new(inc, options, NULL, 0.0, &r, &ignored) != DRY_OK) return false;
    const bool good = !r->facts->step(r, options->step, options->step, options->step).why;
    for (int i = 0; i < n; i++) R[i * n + j] = r->now.x[i];
    dry_rigid_free(r);
    return good;
}

/* ln of what a step of a scheme that remembers nothing makes grow; NAN: not known. */
static double growth_of_step(const dry_inclusion *inc, const dry_rigid_options *options,
                             const model *m) {
    const size_t n = (size_t)inc->n_states;
    double *R = malloc(sizeof *R * (2 * n * n + 1)), grows = (double)NAN;
    bool good = R != NULL;
    for (int j = 0; j < inc->n_states && good; j++) good = fill_column(inc, options, m, j, R);
    if (R && !good) grows = (double)INFINITY;
    if (good) grows = dry_log_radius(inc->n_states, R, R + n * n);
    free(R);
    return isnan(grows) && good ? (double)INFINITY : grows;
}

enum { MOST_REMEMBERED = 40 }; /* most states for which the larger R is computed */

/* The same of the prox scheme with its terms from earlier steps. */
static double growth_of_adams(const dry_inclusion *inc, const dry_rigid_options *options) {
    const size_t n = 5 * (size_t)inc->n_states;
    dry_rigid *r = NULL;
    dry_error ignored = {0};
    double *R = inc->n_states > MOST_REMEMBERED ? NULL : malloc(sizeof *R * (2 * n * n + 1));
    double grows = (double)NAN;
    if (R && dry_rigid_new(inc, options, NULL, 0.0, &r, &ignored) == DRY_OK) {
        dry_rigid__adams_matrix(r, options->step, R);
        grows = dry_log_radius((int)n, R, R + n * n);
    }
    dry_rigid_free(r);
    free(R);
    return grows;
}

static double growth(const dry_method *method, const dry_linear *linear, double T) {
    double *x = calloc((size_t)linear->n + 1, sizeof *x);
    dry_quantity *names = calloc((size_t)linear->n + 1, sizeof *names);
    const model m = {linear, x};
    const dry_system system = {.name = "linear",
                               .n_states = linear->n,
                               .states = names,
                               .start = start,
                               .rate = rate,
                               .model = &m};
    const dry_inclusion inc = {
        .system = &system, .n_states = linear->n, .is_velocity = linear->forced, .eval = eval};
    dry_rigid_options options = {0};
    double grows = (double)NAN;
    if (linear->options) options = *(const dry_rigid_options *)linear->options;
    options.scheme = (dry_rigid_scheme)(method - methods);
    options.step = T;
    if (x && names) grows = growth_of_step(&inc, &options, &m);
    if (x && names && dry_rigid__facts_of(options.scheme)->prox) {
        x[0] = 0.0; /* of the last column */
        memset(x, 0, (size_t)linear->n * sizeof *x);
        grows = fmin(grows, growth_of_adams(&inc, &options));
    }
    free(x);
    free(names);
    return grows;
}
