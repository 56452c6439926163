/* How much does a step of Runge-Kutta cost, against a loop written by hand?
 *
 * Four contestants per problem: the loop by hand, dry_rk4_step inlined with the same right-hand
 * side, and dry_ode_advance, which looks after the state (copy of the last good one, check for
 * finite numbers, grid of times): with a march that the compiler sees (dry_rk4_march), and through
 * a pointer to the right-hand side. All end in the same bits. Aim: at most 1.3 where the compiler
 * sees the right-hand side. */
#include "problems.h"

typedef struct entry {
    const problem *problem;
    hand_fn *loop; /* NULL: dry_ode_advance */
    bool marches;  /* by dry_rk4_march */
    double x[MOST_STATES];
} entry;

static const dry_ode_options options = {.step = 1e-3};

static void run_loop(void *data) {
    entry *e = data;
    const dry_system *system = e->problem->system;
    system->start(NULL, 0.0, e->x);
    e->loop(system->par, lround(e->problem->end / options.step), options.step, e->x);
}

static void run_library(void *data) {
    entry *e = data;
    dry_system system = *e->problem->system;
    system.n_breaks = 0; /* the loops take no notice of jumps of the force */
    if (e->marches) system.march = e->problem->march;
    integration run;
    integration_begin(&run, &system, "rk4", &options);
    dry_ode_advance(&run.ode, e->problem->end);
    memcpy(e->x, run.ode.x, (size_t)system.n_states * sizeof *e->x);
    integration_end(&run);
}

static void measure(table *t, const problem *p) {
    entry by_hand = {.problem = p, .loop = p->by_hand},
          inlined = {.problem = p, .loop = p->inlined};
    entry library = {.problem = p}, marching = {.problem = p, .marches = true};
    contestant all[] = {{"by hand", run_loop, &by_hand, 0.0},
                        {"dry_rk4_step", run_loop, &inlined, 0.0},
                        {"dry_ode_advance, march", run_library, &marching, 0.0},
                        {"dry_ode_advance", run_library, &library, 0.0}};
    race(all, 4, 0.7);
    const size_t bytes = (size_t)p->system->n_states * sizeof(double);
    must(memcmp(by_hand.x, inlined.x, bytes) == 0, "dry_rk4_step and the hand differ");
    must(memcmp(by_hand.x, library.x, bytes) == 0, "dry_ode_advance and the hand differ");
    must(memcmp(by_hand.x, marching.x, bytes) == 0, "dry_rk4_march and the hand differ");
    for (int i = 0; i < 4; i++) {
        cell_text(t, p->system->name);
        cell_text(t, all[i].name);
        cell_number(t, "%.1f", all[i].seconds * 1e9 / (p->end / options.step));
        cell_number(t, "%.2f", all[i].seconds / all[0].seconds);
    }
}

int main(int argc, char **argv) {
    static const column columns[] = {
        {"problem", 10}, {"contestant", 24}, {"ns/step", -9}, {"ratio", -7}};
    table t = table_begin(argc, argv, columns, 4);
    for (int i = 0; i < N_PROBLEMS; i++) measure(&t, &problems[i]);
    return 0;
}
