/* What the comparisons with other libraries share: the search for a tolerance, the race, the table.
 *
 * As in bench_adaptive.c: the error is the largest difference of any state from the reference at
 * twenty times spread over the run, in SI units; the reference is dopri5 with kinks located and a
 * tolerance of 1e-13; atol = rtol; the loosest tolerance of a ladder is taken with which the error
 * stays below the wanted one. A peer is told where the force jumps in time and begins anew there,
 * as ours does, and gets the same right-hand side in C. It is timed without the stops at the twenty
 * times that finding its error may need. */
#ifndef DRYSTONE_BENCH_PEERS_H
#define DRYSTONE_BENCH_PEERS_H

#include "../problems.h"

enum { N_SAMPLES = 20, RUNGS = 23 };
typedef double trajectory[N_SAMPLES][MOST_STATES];

/* What the right-hand side of a peer reads; `last` is the largest time it may look at. */
typedef struct equations {
    const dry_system *system;
    dry_env env;
    double last;
    long rates;
} equations;

static inline void equations_rate(equations *e, double t, const double *x, double *x_dot) {
    e->rates++;
    e->system->rate(&e->env, t < e->last ? t : e->last, 0.0, x, x_dot);
}

/* Another library's solver. */
typedef struct peer {
    const char *name;
    int choice;
    /* A solver at t = 0 that works on x, which stays where it is; NULL: not with these numbers. */
    void *(*begin)(const struct peer *peer, equations *e, double tolerance, double *x);
    /* After a jump of the right-hand side at t. */
    bool (*restart)(void *solver, double t);
    /* On to `to`, never looking beyond `stop`. */
    bool (*go)(void *solver, double *t, double to, double stop);
    void (*end)(void *solver);
} peer;

/* A contestant: a peer, or a method of ours. */
typedef struct entry {
    const problem *problem;
    const char *method; /* ours */
    const peer *peer;
    double end, setting, error; /* setting NaN: no rung of the ladder reaches the wanted error */
    long rates;
} entry;

static inline double sample_time(const entry *e, int i) { return e->end * (i + 1) / N_SAMPLES; }

/* ---- ours -------------------------------------------------------------------- */

static inline bool follow_ours(entry *e, double setting, trajectory samples) {
    const dry_ode_options options = {.rtol = setting, .atol = setting};
    integration run;
    integration_begin(&run, e->problem->system, e->method, &options);
    bool good = true;
    if (!samples) good = dry_ode_advance(&run.ode, e->end) == DRY_OK;
    for (int i = 0; samples && i < N_SAMPLES && good;) {
        good = dry_ode_step(&run.ode, e->end) == DRY_OK;
        for (; good && i < N_SAMPLES && sample_time(e, i) <= run.ode.t; i++)
            dry_ode_dense(&run.ode, sample_time(e, i), samples[i]);
    }
    e->rates = run.ode.counts.rates;
    integration_end(&run);
    return good;
}

/* ---- a peer ------------------------------------------------------------------ */

/* One leg between jumps, with the samples in it from *next on. */
static inline bool go_leg(const entry *e, void *solver, double *t, double stop, const double *x,
                          trajectory samples, int *next) {
    for (; samples && *next < N_SAMPLES && sample_time(e, *next) <= stop; ++*next) {
        if (!e->peer->go(solver, t, sample_time(e, *next), stop)) return false;
        memcpy(samples[*next], x, sizeof samples[*next]);
    }
    return *t >= stop || e->peer->go(solver, t, stop, stop);
}

static inline bool follow_peer(entry *e, double setting, trajectory samples) {
    const dry_system *system = e->problem->system;
    equations eq = {.system = system, .env = {.model = system->model, .par = system->par}};
    double x[MOST_STATES] = {0}, t = 0.0, jump = (double)INFINITY;
    int next = 0;
    must(system->n_breaks <= 1, "a peer is told of one jump at most");
    if (system->n_breaks == 1) system->breaks(&eq.env, &jump);
    system->start(&eq.env, 0.0, x);
    eq.last = jump < e->end ? nextafter(jump, 0.0) : e->end;
    void *solver = e->peer->begin(e->peer, &eq, setting, x);
    bool good = solver && go_leg(e, solver, &t, fmin(jump, e->end), x, samples, &next);
    if (good && jump < e->end) {
        eq.last = e->end;
        good = e->peer->restart(solver, t) && go_leg(e, solver, &t, e->end, x, samples, &next);
    }
    if (solver) e->peer->end(solver);
    e->rates = eq.rates;
    return good;
}

static inline bool follow(entry *e, double setting, trajectory samples) {
    return (e->peer ? follow_peer : follow_ours)(e, setting, samples);
}

/* ---- the search and the race --------------------------------------------------- */

static inline double difference(int n_states, trajectory a, trajectory b) {
    double largest = 0.0;
    for (int i = 0; i < N_SAMPLES; i++)
        for (int k = 0; k < n_states; k++) {
            const double apart = fabs(a[i][k] - b[i][k]);
            if (!(apart <= largest)) largest = apart;
        }
    return largest;
}

static inline void climb(entry *e, trajectory reference, double wanted) {
    static trajectory samples;
    double least = (double)INFINITY;
    e->setting = 1e-2;
    for (int rung = 0; rung < RUNGS; rung++, e->setting *= 0.31622776601683794) {
        const bool good = follow(e, e->setting, samples);
        e->error = good ? difference(e->problem->system->n_states, samples, reference) : INFINITY;
        if (e->error <= wanted) return;
        least = fmin(least, e->error);
    }
    e->error = least;
    e->setting = (double)NAN;
}

static inline void run_entry(void *data) {
    entry *e = data;
    if (isnan(e->setting)) return;
    must(follow(e, e->setting, NULL), "a run failed");
}

static inline void peer_row(table *t, const contestant *c, const contestant *first) {
    const entry *e = c->data;
    const double nothing = isnan(e->setting) ? (double)NAN : 0.0;
    cell_text(t, e->problem->system->name);
    cell_text(t, c->name);
    cell_number(t, "%.1e", e->setting);
    cell_number(t, "%.1e", e->error);
    cell_number(t, "%.0f", (double)e->rates + nothing);
    cell_number(t, "%.3f", c->seconds * 1e3 + nothing);
    cell_number(t, "%.2f", c->seconds / first->seconds + nothing);
}

enum { OURS = 2, MOST_PEERS = 12 };

static inline void measure(table *t, const problem *p, double end, const peer *peers, int n_peers) {
    static const char *const ours[OURS] = {"dop853", "dopri5"};
    static trajectory reference;
    entry entries[OURS + MOST_PEERS];
    contestant all[OURS + MOST_PEERS];
    must(follow(&(entry){.problem = p, .method = "dopri5", .end = end}, 1e-13, reference),
         "the reference run failed");
    for (int i = 0; i < OURS + n_peers; i++) {
        const peer *of = i < OURS ? NULL : &peers[i - OURS];
        const char *name = of ? of->name : ours[i];
        entries[i] = (entry){.problem = p, .method = of ? NULL : name, .peer = of, .end = end};
        climb(&entries[i], reference, 1e-8);
        all[i] = (contestant){name, run_entry, &entries[i], 0.0};
    }
    race(all, OURS + n_peers, 1.0);
    for (int i = 0; i < OURS + n_peers; i++) peer_row(t, &all[i], &all[0]);
}

static inline int compare_with(int argc, char **argv, const peer *peers, int n_peers) {
    static const column columns[] = {{"problem", 9}, {"method", 24}, {"rtol", -8}, {"error", -8},
                                     {"rates", -8},  {"ms", -8},     {"ratio", -7}};
    static const double ends[N_PROBLEMS] = {3.0, 2.0, 0.4};
    table t = table_begin(argc, argv, columns, 7);
    must(n_peers <= MOST_PEERS, "too many peers");
    for (int i = 0; i < N_PROBLEMS; i++) measure(&t, &problems[i], ends[i], peers, n_peers);
    return 0;
}

#endif
