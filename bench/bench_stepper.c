/* How much does a step through the stepper cost, against dry_ode_advance?
 *
 * A control loop takes one step of 1 ms after the other, so dry_ode_advance, dry_stepper_advance
 * and dry_stepper_step are called once for each step. dry_stepper_run is called once for all rows,
 * and writes the states of each. These end in the same bits. The last contestant sets a parameter
 * before each step. Aim: at most 1.2. */
#include "problems.h"

#include <drystone/stepper.h>

typedef void drive_fn(dry_stepper *s, long steps);

typedef struct entry {
    const problem *problem;
    drive_fn *drive; /* NULL: dry_ode_advance */
    double x[MOST_STATES];
} entry;

static const dry_ode_options options = {.step = 1e-3};
static double *rows_x; /* states of all rows */

static dry_system system_of(const entry *e) {
    dry_system system = *e->problem->system;
    system.march = e->problem->march;
    return system;
}
static long steps_of(const entry *e) { return lround(e->problem->end / options.step); }

static void run_ode(void *data) {
    entry *e = data;
    const dry_system system = system_of(e);
    integration run;
    integration_begin(&run, &system, "rk4", &options);
    for (long k = 1; k <= steps_of(e); k++) dry_ode_advance(&run.ode, (double)k * options.step);
    memcpy(e->x, run.ode.x, (size_t)system.n_states * sizeof *e->x);
    integration_end(&run);
}

static void by_advance(dry_stepper *s, long steps) {
    for (long k = 1; k <= steps; k++) dry_stepper_advance(s, (double)k * options.step, NULL);
}
static void by_step(dry_stepper *s, long steps) {
    for (long k = 1; k <= steps; k++) dry_stepper_step(s, NULL);
}
static void by_rows(dry_stepper *s, long steps) {
    const dry_stepper_rows rows = {
        .rows = (size_t)steps, .interval = options.step, .states = rows_x};
    dry_stepper_run(s, &rows, NULL, NULL);
}
/* The first parameter, to and fro by one bit. */
static void by_changes(dry_stepper *s, long steps) {
    const double par = dry_stepper_par(s)[0], other = nextafter(par, 2.0 * par);
    for (long k = 1; k <= steps; k++) {
        dry_stepper_set_par(s, 0, k % 2 == 0 ? par : other, NULL);
        dry_stepper_advance(s, (double)k * options.step, NULL);
    }
}

static void run_stepper(void *data) {
    entry *e = data;
    const dry_system system = system_of(e);
    const dry_run_options run = {.method = dry_method_find("rk4"), .step = options.step};
    dry_stepper *s = NULL;
    must(dry_stepper_new(&system, &run, &s, NULL) == DRY_OK, "the stepper cannot begin");
    e->drive(s, steps_of(e));
    memcpy(e->x, dry_stepper_states(s), (size_t)system.n_states * sizeof *e->x);
    dry_stepper_free(s);
}

static void measure(table *t, const problem *p) {
    enum { N = 5 };
    entry entries[N] = {{.problem = p},
                        {.problem = p, .drive = by_advance},
                        {.problem = p, .drive = by_step},
                        {.problem = p, .drive = by_rows},
                        {.problem = p, .drive = by_changes}};
    contestant all[N] = {{"dry_ode_advance", run_ode, &entries[0], 0.0},
                         {"dry_stepper_advance", run_stepper, &entries[1], 0.0},
                         {"dry_stepper_step", run_stepper, &entries[2], 0.0},
                         {"dry_stepper_run", run_stepper, &entries[3], 0.0},
                         {"a parameter at each step", run_stepper, &entries[4], 0.0}};
    const size_t bytes = (size_t)p->system->n_states * sizeof(double);
    rows_x = malloc(((size_t)steps_of(&entries[0]) * (size_t)p->system->n_states) * sizeof *rows_x);
    must(rows_x != NULL, "no memory for the rows");
    race(all, N, 0.7);
    for (int i = 1; i < N - 1; i++)
        must(memcmp(entries[0].x, entries[i].x, bytes) == 0, "the stepper has other bits");
    for (int i = 0; i < N; i++) {
        cell_text(t, p->system->name);
        cell_text(t, all[i].name);
        cell_number(t, "%.1f", all[i].seconds * 1e9 / (double)steps_of(&entries[i]));
        cell_number(t, "%.2f", all[i].seconds / all[0].seconds);
    }
    free(rows_x);
}

int main(int argc, char **argv) {
    static const column columns[] = {
        {"problem", 10}, {"contestant", 26}, {"ns/step", -9}, {"ratio", -7}};
    table t = table_begin(argc, argv, columns, 4);
    for (int i = 0; i < N_PROBLEMS; i++) measure(&t, &problems[i]);
    return 0;
}
