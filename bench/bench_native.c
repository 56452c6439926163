/* How much does a step of Runge-Kutta cost in the native code of a .dry model, against a loop
 * written by hand and against the bytecode?
 *
 * The models are the three problems as one would write them in a .dry file. All contestants go the
 * same way; the native loop also checks every state and keeps the last good one. Aim: at most 1.15
 * times the hand. */
#include "problems.h"
#include <drystone/native.h>

static const char *const texts[N_PROBLEMS] = {
    "model drift\n"
    "param M = 1 [kg], F = 0.5 [N], K = 5e3 [N/m], beta = 2 [ms]\n"
    "state p = 0 [m], v = 0 [m/s]\n"
    "fe = if t < 2 then min(0.52, 0.8*t) else 0.336 + 0.144*cos(100*t)\n"
    "f in F*sgn(v) with K = K, beta = beta\n"
    "p' = v\n"
    "M*v' = fe - f\n"
    "run until = 5 [s], step = 1 [ms]\n",
    "model bounce\n"
    "param M = 1 [kg], K = 1e5 [N/m], alpha = 5 [ms], beta = 10 [ms], g = 9.8 [m/s^2]\n"
    "state p = 1 [m], v = 0 [m/s]\n"
    "f in dio(p) with K = K, alpha = alpha, beta = beta\n"
    "p' = v\n"
    "v' = f/M - g\n"
    "run until = 6 [s], step = 1 [ms]\n",
    "model conveyor\n"
    "param M1 = 0.5 [kg], M2 = 1 [kg], Ks = 100 [N/m], u = 1 [m/s], mu = 0.5\n"
    "param K = 5e5 [N/m], beta = 2 [ms], alpha = 1.6 [ms], g = 9.8 [m/s^2]\n"
    "state p1x = 0 [m], p1y = 0.25 [m], p2x = 0.05 [m], p2y = 0 [m]\n"
    "state v1x = 0 [m/s], v1y = 0 [m/s], v2x = 0 [m/s], v2y = 0 [m/s]\n"
    "N1 in dio(p1x) with K = K, alpha = alpha, beta = beta\n"
    "N2 in dio(p2x - p1x) with K = K, alpha = alpha, beta = beta\n"
    "N3 in dio(p2y) with K = K, alpha = alpha, beta = beta\n"
    "f1 in mu*N1*sgn(v1y) with K = K, beta = beta\n"
    "f2 in mu*N2*sgn(v1y - v2y) with K = K, beta = beta\n"
    "f3 in mu*N3*sgn(v2x + u) with K = K, beta = beta\n"
    "p1x' = v1x\np1y' = v1y\np2x' = v2x\np2y' = v2y\n"
    "v1x' = (N1 - N2)/M1\n"
    "v1y' = (-Ks*p1y - f1 - f2)/M1\n"
    "v2x' = (N2 - f3)/M2\n"
    "v2y' = (f2 + N3)/M2 - g\n"
    "run until = 0.4 [s], step = 1 [ms]\n",
};

static const double step = 1e-3;

typedef struct entry {
    const problem *problem;
    const dry_system *system; /* NULL: the loop by hand */
    double x[MOST_STATES];
} entry;

static void run_by_hand(void *data) {
    entry *e = data;
    const dry_system *system = e->problem->system;
    system->start(NULL, 0.0, e->x);
    e->problem->by_hand(system->par, lround(e->problem->end / step), step, e->x);
}

static void run_system(void *data) {
    entry *e = data;
    const dry_ode_options options = {.step = step};
    dry_system system = *e->system;
    system.n_breaks = 0; /* the loops take no notice of jumps of the force */
    system.breaks = NULL;
    integration run;
    integration_begin(&run, &system, "rk4", &options);
    dry_ode_advance(&run.ode, e->problem->end);
    memcpy(e->x, run.ode.x, (size_t)system.n_states * sizeof *e->x);
    integration_end(&run);
}

/* Sums may have another order than by hand. */
static bool are_near(const entry *a, const entry *b) {
    for (int i = 0; i < a->problem->system->n_states; i++)
        if (fabs(a->x[i] - b->x[i]) > 1e-9 * (1.0 + fabs(a->x[i]))) return false;
    return true;
}

static void measure(table *t, const problem *p, const char *text) {
    const dry_model_options forced = {.force = true};
    dry_error error = {0};
    dry_model *model = dry_model_compile(p->system->name, text, strlen(text), &forced);
    must(model && dry_model_ok(model), "the model does not compile");
    const dry_native_options options = {.method = dry_method_find("rk4")};
    dry_native *native = dry_native_new(model, &options, &error);
    must(native != NULL, error.text);
    entry by_hand = {.problem = p}, compiled = {p, dry_native_system(native), {0}};
    entry bytecode = {p, dry_model_system(model), {0}};
    contestant all[] = {{"by hand", run_by_hand, &by_hand, 0.0},
                        {"native", run_system, &compiled, 0.0},
                        {"bytecode", run_system, &bytecode, 0.0}};
    race(all, 3, 0.7);
    must(are_near(&by_hand, &compiled), "native code and the hand differ");
    must(memcmp(compiled.x, bytecode.x, sizeof compiled.x) == 0, "native code and bytecode differ");
    for (int i = 0; i < 3; i++) {
        cell_text(t, p->system->name);
        cell_text(t, all[i].name);
        cell_number(t, "%.1f", all[i].seconds * 1e9 / (p->end / step));
        cell_number(t, "%.2f", all[i].seconds / all[0].seconds);
    }
    dry_native_free(native);
    dry_model_free(model);
}

int main(int argc, char **argv) {
    static const column columns[] = {
        {"problem", 10}, {"contestant", 16}, {"ns/step", -9}, {"ratio", -7}};
    table t = table_begin(argc, argv, columns, 4);
    for (int i = 0; i < N_PROBLEMS; i++) measure(&t, &problems[i], texts[i]);
    return 0;
}
