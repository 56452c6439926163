/* What does an error cost, with kinks located, with error control alone, and with fixed steps?
 *
 * For each problem and each wanted error the loosest tolerance (or the longest step) of a ladder is
 * sought with which the error stays below it; then the four race. The error is the largest
 * difference of any state from the reference at twenty times spread over the run, in SI units; the
 * reference is dopri5 with kinks located and a tolerance of 1e-13. atol = rtol throughout. */
#include "problems.h"

enum { N_SAMPLES = 20 };
typedef double trajectory[N_SAMPLES][MOST_STATES];

typedef struct way {
    const char *name, *method;
    bool ignore_kinks;
    double first, factor; /* the ladder of tolerances or steps */
    int rungs;
} way;
static const way ways[] = {
    {"dopri5, kinks located", "dopri5", false, 1e-2, 0.31622776601683794, 22},
    {"dopri5, kinks ignored", "dopri5", true, 1e-2, 0.31622776601683794, 22},
    {"dop853, kinks located", "dop853", false, 1e-2, 0.31622776601683794, 22},
    {"rk4", "rk4", false, 1e-3, 0.5, 13},
};
enum { N_WAYS = sizeof ways / sizeof ways[0] };

typedef struct entry {
    const problem *problem;
    const way *way;
    double end, setting, error; /* NaN: no rung of the ladder reaches the wanted error */
    dry_ode_counts counts;
} entry;

static dry_ode_options options_of(const way *w, double setting) {
    if (strcmp(w->method, "rk4") == 0) return (dry_ode_options){.step = setting};
    return (dry_ode_options){.rtol = setting, .atol = setting, .ignore_kinks = w->ignore_kinks};
}

static double sample_time(const entry *e, int i) { return e->end * (i + 1) / N_SAMPLES; }

static void follow(const entry *e, double setting, trajectory samples) {
    const dry_ode_options options = options_of(e->way, setting);
    integration run;
    integration_begin(&run, e->problem->system, e->way->method, &options);
    for (int i = 0; i < N_SAMPLES;) {
        must(dry_ode_step(&run.ode, e->end) == DRY_OK, "a reference run failed");
        for (; i < N_SAMPLES && sample_time(e, i) <= run.ode.t; i++)
            dry_ode_dense(&run.ode, sample_time(e, i), samples[i]);
    }
    integration_end(&run);
}

static double difference(int n_states, trajectory a, trajectory b) {
    double largest = 0.0;
    for (int i = 0; i < N_SAMPLES; i++)
        for (int k = 0; k < n_states; k++) largest = fmax(largest, fabs(a[i][k] - b[i][k]));
    return largest;
}

static void climb(entry *e, trajectory reference, double wanted) {
    static trajectory samples;
    e->setting = e->way->first;
    for (int rung = 0; rung < e->way->rungs; rung++, e->setting *= e->way->factor) {
        follow(e, e->setting, samples);
        e->error = difference(e->problem->system->n_states, samples, reference);
        if (e->error <= wanted) return;
    }
    e->setting = (double)NAN;
}

static void run_entry(void *data) {
    entry *e = data;
    if (isnan(e->setting)) return;
    const dry_ode_options options = options_of(e->way, e->setting);
    integration run;
    integration_begin(&run, e->problem->system, e->way->method, &options);
    must(dry_ode_advance(&run.ode, e->end) == DRY_OK, "a run failed");
    e->counts = run.ode.counts;
    integration_end(&run);
}

static void row(table *t, const contestant *c, double wanted, const contestant *first) {
    const entry *e = c->data;
    const double nothing = isnan(e->setting) ? (double)NAN : 0.0;
    cell_text(t, e->problem->system->name);
    cell_number(t, "%.0e", wanted);
    cell_text(t, c->name);
    cell_number(t, "%.1e", e->setting);
    cell_number(t, "%.1e", e->error);
    cell_number(t, "%.0f", (double)e->counts.rates + nothing);
    cell_number(t, "%.0f", (double)e->counts.kinks + nothing);
    cell_number(t, "%.3f", c->seconds * 1e3 + nothing);
    cell_number(t, "%.1f", c->seconds / first->seconds + nothing);
}

static void measure(table *t, const problem *p, double end) {
    static trajectory reference;
    follow(&(entry){.problem = p, .way = &ways[0], .end = end}, 1e-13, reference);
    for (double wanted = 1e-4; wanted > 5e-9; wanted *= 1e-2) {
        entry entries[N_WAYS];
        contestant all[N_WAYS];
        for (int i = 0; i < N_WAYS; i++) {
            entries[i] = (entry){.problem = p, .way = &ways[i], .end = end};
            climb(&entries[i], reference, wanted);
            all[i] = (contestant){ways[i].name, run_entry, &entries[i], 0.0};
        }
        race(all, N_WAYS, 0.3);
        for (int i = 0; i < N_WAYS; i++) row(t, &all[i], wanted, &all[0]);
    }
}

int main(int argc, char **argv) {
    static const column columns[] = {{"problem", 9},    {"wanted", -7}, {"method", 22},
                                     {"rtol/step", -9}, {"error", -8},  {"rates", -9},
                                     {"kinks", -6},     {"ms", -9},     {"ratio", -8}};
    static const double ends[N_PROBLEMS] = {3.0, 2.0, 0.4};
    table t = table_begin(argc, argv, columns, 9);
    for (int i = 0; i < N_PROBLEMS; i++) measure(&t, &problems[i], ends[i]);
    return 0;
}
