/* lanes: the copies of a batch side by side in the vectors of a processor, DRY_NATIVE_LANES at a
 * time.
 *
 * Copies that are at the same time form packs. A pack is one system, whose states are those of its
 * lanes, so that dry_ode takes the same steps of the same grid as it does for a stepper alone: the
 * bits are the same. A pack in which a number is not finite is stepped again, copy by copy and step
 * by step, to find the copy and its last good step. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "bind_private.h"

#include <drystone/stability.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = DRY_NATIVE_LANES, ALIGNED = 64 };
static const long MOST_STEPS = 1000000000; /* what a stepper takes without an option */

/* What one thread steps a pack with. */
typedef struct bench {
    const dry_bind__lanes *of;
    dry_system pack;
    dry_ode ode;
    double *P, *work; /* lane by lane within each number */
} bench;

struct dry_bind__lanes {
    const dry_system *one;
    dry_lanes *code;
    double tau;
    int n, n_states, n_fixed, n_benches;
    bool *positions; /* of a pack */
    double *x, *p;   /* of the copies, without gaps */
    double *t;
    long *grid; /* whole steps since a copy began */
    int *order; /* copies by their times */
    int *begin; /* of each pack within the order, and the end of the last */
    int n_packs;
    bench *benches;
};

/* ---- a pack as a system ---------------------------------------------------------------------- */

static long march(const dry_env *env, const dry_method *method, dry_march *m) {
    const bench *b = env->model;
    const double end = m->t_start + (double)(m->grid + m->count) * m->step;
    const dry_lanes_span span = {.t_start = m->t_start,
                                 .step = m->step,
                                 .t = m->t,
                                 .end = end,
                                 .grid = m->grid,
                                 .count = m->count};
    (void)method;
    dry_lanes_march(b->of->code, b->P, m->x, &span);
    m->t = end;
    return m->count;
}

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const bench *b = env->model;
    dry_lanes_rates(b->of->code, b->P, t, tau, x, x_dot);
}

static double *aligned(size_t n) {
    void *memory = NULL;
    if (posix_memalign(&memory, ALIGNED, (n + 1) * sizeof(double)) != 0) return NULL;
    return memset(memory, 0, (n + 1) * sizeof(double));
}

static bool open_bench(bench *b, const dry_bind__lanes *l, const dry_run_options *run) {
    const dry_ode_options options = {.step = run->step};
    b->of = l;
    b->pack = (dry_system){.name = l->one->name,
                           .n_states = l->n_states * LANES,
                           .model = b,
                           .rate = rate,
                           .march = march,
                           .positions = l->one->positions ? l->positions : NULL};
    b->P = aligned((size_t)l->n_fixed * LANES);
    b->work = aligned(dry_ode_size(&b->pack, run->method));
    double *x = calloc((size_t)l->n_states * LANES, sizeof *x);
    const bool good = b->P && b->work && x &&
                      dry_ode_init(&b->ode, &b->pack, run->method, &options, NULL, 0.0, x, NULL,
                                   b->work) == DRY_OK;
    free(x);
    return good;
}

/* ---- begin and end --------------------------------------------------------------------------- */

/* Whether the steps of the model are fixed, and nothing happens between them. */
static bool fits(const dry_model *model, const dry_run_options *run) {
    const dry_system *system = dry_model_system(model);
    return run->method->fixed && !dry_model_inclusion(model) && run->step > 0.0 &&
           system->n_states > 0 && !system->n_breaks && !system->n_clocks && !system->latch &&
           !system->watch && (!system->fastest || dry_run_ode(run, system).most_rate == 0.0) &&
           (run->max_steps == 0 || run->max_steps >= MOST_STEPS);
}

static dry_lanes *compile(const dry_model *model, const dry_run_options *run) {
    const dry_native_options options = {.method = run->method};
    const int n = dry_model_system(model)->n_par;
    bool *varies = malloc(((size_t)n + 1) * sizeof *varies);
    if (!varies) return NULL;
    for (int i = 0; i < n; i++)
        varies[i] = dry_model_par_free(model, i) || dry_model_par_follows(model, i);
    dry_lanes *code = dry_lanes_new(model, varies, &options, NULL);
    free(varies);
    return code;
}

static bool take_memory(dry_bind__lanes *l, const dry_run_options *run) {
    const size_t n = (size_t)l->n;
    l->positions = calloc((size_t)l->n_states * LANES, sizeof *l->positions);
    l->x = calloc(n * (size_t)l->n_states, sizeof *l->x);
    l->p = calloc(n * (size_t)l->n_fixed + 1, sizeof *l->p);
    l->t = calloc(n, sizeof *l->t);
    l->grid = calloc(n, sizeof *l->grid);
    l->order = calloc(n, sizeof *l->order);
    l->begin = calloc(n + 1, sizeof *l->begin);
    l->benches = calloc((size_t)l->n_benches, sizeof *l->benches);
    bool good =
        l->positions && l->x && l->p && l->t && l->grid && l->order && l->begin && l->benches;
    for (int i = 0; good && i < l->n_states * LANES; i++)
        l->positions[i] = l->one->positions && l->one->positions[i / LANES];
    for (int i = 0; good && i < l->n_benches; i++) good = open_bench(&l->benches[i], l, run);
    return good;
}

dry_bind__lanes *dry_bind__lanes_new(const dry_model *model, int copies, int benches) {
    const dry_run_options run = dry_bind__run_of(model);
    dry_lanes *code = fits(model, &run) ? compile(model, &run) : NULL;
    dry_bind__lanes *l = code ? calloc(1, sizeof *l) : NULL;
    if (!l) return dry_lanes_free(code), NULL;
    const dry_system *system = dry_model_system(model);
    *l = (dry_bind__lanes){.one = system,
                           .code = code,
                           .tau = run.method->uses_tau ? run.step : 0.0,
                           .n = copies,
                           .n_states = system->n_states,
                           .n_fixed = dry_lanes_fixed(code),
                           .n_benches = benches};
    if (take_memory(l, &run)) return l;
    dry_bind__lanes_free(l);
    return NULL;
}

void dry_bind__lanes_free(dry_bind__lanes *l) {
    if (!l) return;
    for (int i = 0; l->benches && i < l->n_benches; i++)
        free(l->benches[i].P), free(l->benches[i].work);
    void *const taken[] = {l->positions, l->x, l->p, l->t, l->grid, l->order, l->begin, l->benches};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) free(taken[i]);
    dry_lanes_free(l->code);
    free(l);
}

/* ---- one copy ----------------------------------------------------------------------------------
 */

static double *states_of(const dry_bind__lanes *l, int copy) {
    return l->x + (size_t)copy * (size_t)l->n_states;
}
static double *fixed_of(const dry_bind__lanes *l, int copy) {
    return l->p + (size_t)copy * (size_t)l->n_fixed;
}

void dry_bind__lanes_par(dry_bind__lanes *l, int copy, const double *par) {
    dry_lanes_prepare(l->code, par, fixed_of(l, copy));
}

void dry_bind__lanes_begin(dry_bind__lanes *l, int copy, const double *x) {
    memcpy(states_of(l, copy), x, (size_t)l->n_states * sizeof *x);
    l->t[copy] = 0.0;
    l->grid[copy] = 0;
    dry_bind__lanes_repack(l);
}

void dry_bind__lanes_inputs(dry_bind__lanes *l, int copy, const double *u) {
    for (int i = 0; i < l->one->n_inputs; i++) states_of(l, copy)[l->one->inputs[i]] = u[i];
}

double dry_bind__lanes_read(const dry_bind__lanes *l, int copy, double *states, double *outputs) {
    const double *x = states_of(l, copy);
    if (states) memcpy(states, x, (size_t)l->n_states * sizeof *x);
    if (outputs && l->one->n_outputs)
        dry_lanes_output(l->code, fixed_of(l, copy), l->t[copy], l->tau, x, outputs);
    return l->t[copy];
}

/* ---- packs
 * --------------------------------------------------------------------------------------- */

/* qsort gets two numbers only: each copy follows its time. */
typedef struct key {
    double t;
    long grid;
    int copy;
} key;
static int compare(const void *a, const void *b) {
    const key *p = a, *q = b;
    if (p->t != q->t) return p->t < q->t ? -1 : 1;
    if (p->grid != q->grid) return p->grid < q->grid ? -1 : 1;
    return p->copy - q->copy;
}

void dry_bind__lanes_repack(dry_bind__lanes *l) { l->n_packs = 0; }

/* Copies of the same time stay so, whatever the interval, if all come to its end. */
static bool make_packs(dry_bind__lanes *l) {
    key *keys = malloc((size_t)l->n * sizeof *keys);
    if (!keys) return false;
    for (int i = 0; i < l->n; i++) keys[i] = (key){l->t[i], l->grid[i], i};
    qsort(keys, (size_t)l->n, sizeof *keys, compare);
    for (int i = 0; i < l->n; i++) {
        const bool same = i > 0 && keys[i].t == keys[i - 1].t && keys[i].grid == keys[i - 1].grid;
        l->order[i] = keys[i].copy;
        if (!same || i - l->begin[l->n_packs - 1] == LANES) l->begin[l->n_packs++] = i;
    }
    l->begin[l->n_packs] = l->n;
    free(keys);
    return true;
}

int dry_bind__lanes_packs(dry_bind__lanes *l) {
    return l->n_packs || make_packs(l) ? l->n_packs : -1;
}

/* The lanes of a bench from these copies; those that are too many repeat the last one. */
static void gather(bench *b, const int *copies, int n) {
    const dry_bind__lanes *l = b->of;
    for (int k = 0; k < LANES; k++) {
        const int copy = copies[k < n ? k : n - 1];
        const double *x = states_of(l, copy), *p = fixed_of(l, copy);
        for (int i = 0; i < l->n_states; i++) b->ode.x[i * LANES + k] = x[i];
        for (int i = 0; i < l->n_fixed; i++) b->P[i * LANES + k] = p[i];
    }
    b->ode.t = l->t[copies[0]];
    b->ode.grid = l->grid[copies[0]];
    b->ode.t_start = 0.0;
    b->ode.counts = (dry_ode_counts){0};
    dry_ode_changed(&b->ode);
}

static bool is_finite(const bench *b, int n) {
    bool good = true;
    for (int i = 0; i < n; i++) good = good && isfinite(b->ode.x[i]);
    return good;
}

static void scatter(const bench *b, const int *copies, int n) {
    const dry_bind__lanes *l = b->of;
    for (int k = 0; k < n; k++) {
        double *x = states_of(l, copies[k]);
        for (int i = 0; i < l->n_states; i++) x[i] = b->ode.x[i * LANES + k];
        l->t[copies[k]] = b->ode.t;
        l->grid[copies[k]] = b->ode.grid;
    }
}

/* Step by step to the last good one. */
static dry_status step_alone(bench *b, int copy, double t_end, dry_error *error) {
    const dry_bind__lanes *l = b->of;
    while (l->t[copy] < t_end) {
        gather(b, &copy, 1);
        const double next = (double)(b->ode.grid + 1) * b->ode.options.step;
        const dry_status status = dry_ode_advance(&b->ode, next < t_end ? next : t_end);
        if (status != DRY_OK || !is_finite(b, b->pack.n_states))
            return dry_error_set(error, DRY_NOT_FINITE,
                                 "its state is not a finite number after t = %.9g s: shorten the "
                                 "step, or reset the copy",
                                 l->t[copy]);
        scatter(b, &copy, 1);
    }
    return DRY_OK;
}

void dry_bind__lanes_step(const dry_bind__lanes *l, int bench_of, int pack, double interval,
                          dry_bind__ended *ended, void *user) {
    bench *b = &l->benches[bench_of];
    const int *copies = l->order + l->begin[pack], n = l->begin[pack + 1] - l->begin[pack];
    const double t_end = l->t[copies[0]] + interval;
    dry_error error = {0};
    gather(b, copies, n);
    const bool good = dry_ode_advance(&b->ode, t_end) == DRY_OK && is_finite(b, b->pack.n_states);
    if (good) scatter(b, copies, n);
    for (int k = 0; k < n; k++)
        ended(user, copies[k], good ? DRY_OK : step_alone(b, copies[k], t_end, &error), &error);
}
