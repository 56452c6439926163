/* What does a step of the scheme `rigid` cost from a .dry file, and from an inclusion in C, against
 * a loop written by hand?
 *
 * The block on a rough floor of X13 Fig 3, without K and beta, as far as the jump of the force
 * at 2 s ("ramp") and with the cosine that follows it ("whole"), whose price all contestants pay
 * alike. The hand does what one would write without a library: the force at mid-step, and the prox
 * of one scalar set in closed form,
 *     lambda = sat(F, fe + M v/h),  v+ = v + h (fe - lambda)/M,  p+ = p + h (v + v+)/2,
 * X13 section 2, Theorem 1. Aim: at most 3 times the hand from the .dry file.
 *
 * Then n blocks one upon the other on a shaken table, with equal and unequal layers, and a column
 * of n blocks that fell on each other: the set-up, and what a step costs for each set. Aim: 1 us.
 *
 * M: mass, kg; F: level of friction, N; fe: applied force, N; lambda: friction, N; h: step, s. */
#include "problems.h"
#include "stacks.h"
#include <drystone/model.h>
#include <drystone/native.h>
#include <drystone/rigid.h>

static const char text[] = "model drift\n"
                           "param M = 1 [kg], F = 0.5 [N]\n"
                           "state p = 0 [m], v = 0 [m/s]\n"
                           "fe = if t < 2 then min(0.52, 0.8*t) else 0.336 + 0.144*cos(100*t)\n"
                           "f in F*sgn(v)\n"
                           "p' = v\n"
                           "M*v' = fe - f\n"
                           "run until = 5 [s], step = 1 [ms], method = rigid\n";

static const double step = 1e-3;

typedef struct entry {
    const dry_inclusion *inclusion; /* NULL: the loop by hand */
    double end;
    double p, v;
} entry;

/* ---- by hand ----------------------------------------------------------------- */

static NOINLINE void loop(double M, double F, long steps, double h, double *states) {
    const double momentum = M / h, gain = h / M;
    double p = states[0], v = states[1];
    for (long k = 0; k < steps; k++) {
        const double fe = drift_push((double)k * h + 0.5 * h);
        const double stuck = fe + momentum * v;
        const double lambda = stuck > F ? F : stuck < -F ? -F : stuck;
        const double next = v + gain * (fe - lambda);
        p += 0.5 * h * (v + next);
        v = next;
    }
    states[0] = p, states[1] = v;
}

static void run_by_hand(void *data) {
    entry *e = data;
    double x[2] = {0.0, 0.0};
    loop(drift_par[DRIFT_M], drift_par[DRIFT_F], lround(e->end / step), step, x);
    e->p = x[0], e->v = x[1];
}

/* ---- in C --------------------------------------------------------------------- */

static void block_eval(const dry_env *env, double t, const double *x, const double *lambda,
                       const dry_inclusion_values *values) {
    const double *par = env->par;
    values->rate[DRIFT_P] = x[DRIFT_V];
    values->rate[DRIFT_V] = (drift_push(t) - lambda[0]) / par[DRIFT_M];
    values->slide[0] = x[DRIFT_V];
    values->level[0] = par[DRIFT_F];
    values->push[0] = -1.0 / par[DRIFT_M];
    values->feel[0] = 1.0;
}

static void block_smooth(const dry_env *env, double t, const double *x, double *values) {
    (void)x;
    values[0] = drift_push(t) / env->par[DRIFT_M];
    values[1] = env->par[DRIFT_F];
}

static const dry_quantity block_states[] = {{.name = "p"}, {.name = "v"}};
static const dry_system block_system = {.name = "drift",
                                        .n_states = 2,
                                        .n_par = DRIFT_PAR,
                                        .n_breaks = 1,
                                        .states = block_states,
                                        .par = drift_par,
                                        .breaks = drift_breaks};
static const int at_p_or_force[] = {0}, at_v[] = {DRIFT_V};
static const bool block_velocities[] = {false, true};
static dry_inclusion_set block_sets[] = {{.name = "f", .dim = 1}}; /* its set: main */
static const dry_inclusion block = {.system = &block_system,
                                    .n_states = 2,
                                    .n_sets = 1,
                                    .n_forces = 1,
                                    .sets = block_sets,
                                    .is_velocity = block_velocities,
                                    .n_push = 1,
                                    .n_feel = 1,
                                    .push_state = at_v,
                                    .push_force = at_p_or_force,
                                    .feel_force = at_p_or_force,
                                    .feel_state = at_v,
                                    .steady = true,
                                    .eval = block_eval,
                                    .smooth = block_smooth};

static void run_rigid(void *data) {
    entry *e = data;
    const dry_rigid_options options = {.step = step};
    dry_error error = {0};
    dry_rigid *rigid = NULL;
    must(dry_rigid_new(e->inclusion, &options, NULL, 0.0, &rigid, &error) == DRY_OK, error.text);
    must(dry_rigid_advance(rigid, e->end, &error) == DRY_OK, error.text);
    e->p = dry_rigid_state(rigid)[0], e->v = dry_rigid_state(rigid)[1];
    dry_rigid_free(rigid);
}

/* ---- the race ------------------------------------------------------------------ */

static void measure(table *t, const char *name, const dry_inclusion *bytecode,
                    const dry_inclusion *compiled, double end) {
    entry hand = {.end = end}, in_c = {&block, end, 0.0, 0.0}, dry = {bytecode, end, 0.0, 0.0};
    entry native = {compiled, end, 0.0, 0.0};
    contestant all[] = {{"by hand", run_by_hand, &hand, 0.0},
                        {"inclusion in C", run_rigid, &in_c, 0.0},
                        {".dry, native", run_rigid, &native, 0.0},
                        {".dry, bytecode", run_rigid, &dry, 0.0}};
    race(all, 4, 1.5);
    must(native.p == dry.p && native.v == dry.v, "native code and bytecode differ");
    must(in_c.p == dry.p && in_c.v == dry.v, "the text and the inclusion in C differ");
    must(fabs(hand.p - dry.p) < 1e-5 && fabs(hand.v - dry.v) < 1e-5, "the hand goes elsewhere");
    for (int i = 0; i < 4; i++) {
        cell_text(t, name);
        cell_text(t, all[i].name);
        cell_number(t, "%.1f", all[i].seconds * 1e9 / (end / step));
        cell_number(t, "%.2f", all[i].seconds / all[0].seconds);
    }
}

/* ---- many sets ------------------------------------------------------------------ */

static void measure_many(table *t, const char *name, const char *text_of, int n, double c) {
    char many[1000];
    snprintf(many, sizeof many, text_of, n, c);
    dry_model *model = dry_model_compile(name, many, strlen(many), NULL);
    must(model && dry_model_ok(model), "the model does not compile");
    const dry_rigid_options options = {.step = step};
    dry_error error = {0};
    dry_rigid *rigid = NULL;
    const double end = n > 1000 ? 0.4 : 2.0, begin = seconds_now();
    must(dry_rigid_new(dry_model_inclusion(model), &options, NULL, 0.0, &rigid, &error) == DRY_OK,
         error.text);
    const double ready = seconds_now();
    must(dry_rigid_advance(rigid, end, &error) == DRY_OK, error.text);
    cell_text(t, name);
    cell_number(t, "%.0f", n);
    cell_number(t, "%.2f", 1e3 * (ready - begin));
    cell_number(t, "%.3f", 1e6 * (seconds_now() - ready) / (end / step) / n);
    dry_rigid_free(rigid);
    dry_model_free(model);
}

static void measure_stacks(int argc, char **argv) {
    static const column columns[] = {
        {"machine", 16}, {"sets", -7}, {"set-up ms", -10}, {"us/set/step", -12}};
    static const int sizes[] = {10, 100, 1000, 10000};
    table t = table_begin(argc, argv, columns, 4);
    for (int i = 0; i < 4; i++) {
        measure_many(&t, "stack, equal", stack_text, sizes[i], 0.0);
        measure_many(&t, "stack, unequal", stack_text, sizes[i], 0.5);
        measure_many(&t, "column", column_text, sizes[i], 1.0);
    }
}

int main(int argc, char **argv) {
    static const column columns[] = {
        {"part", 10}, {"contestant", 16}, {"ns/step", -9}, {"ratio", -7}};
    table t = table_begin(argc, argv, columns, 4);
    block_sets[0].set = dry_set_find("sgn");
    dry_model *model = dry_model_compile("drift", text, strlen(text), NULL);
    must(model && dry_model_ok(model), "the model does not compile");
    dry_error error = {0};
    dry_native *native = dry_native_new(model, NULL, &error);
    must(native != NULL, error.text);
    measure(&t, "ramp, 2 s", dry_model_inclusion(model), dry_native_inclusion(native), 2.0);
    measure(&t, "whole, 5 s", dry_model_inclusion(model), dry_native_inclusion(native), 5.0);
    dry_native_free(native);
    dry_model_free(model);
    measure_stacks(argc, argv);
    return 0;
}
