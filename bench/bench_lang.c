/* What does a model written as text cost, against the same model written by hand in C?
 *
 * First table: a step of Runge-Kutta of the three problems, their .dry text compiled to bytecode
 * and run by dry_ode_advance, against the loops by hand. Aim: at most 5. Second table: a chain of
 * blocks on rough ground, coupled by springs and pulled by a slow drive (Burridge and Knopoff 1967,
 * with Coulomb friction): the time to compile it, which should grow like the number of blocks and
 * stay well below a second for thousands of them, and the time of a step per block. Third table:
 * spheres over a floor, as parts with one contact, each held by a string: the time to compile them
 * and to check their start, which should grow like their number. */
#include "problems.h"
#include <drystone/model.h>

static const char drift_text[] =
    "param M = 1 [kg], F = 0.5 [N], K = 5e3 [N/m], beta = 2 [ms]\n"
    "state p = 0 [m], v = 0 [m/s]\n"
    "fe = if t < 2 then min(0.52, 0.8*t) else 0.336 + 0.144*cos(100*t)\n"
    "f in F*sgn(v) with K = K, beta = beta\n"
    "p' = v\n"
    "M*v' = fe - f\n";

static const char bounce_text[] =
    "param M = 1 [kg], K = 1e5 [N/m], alpha = 5 [ms], beta = 10 [ms], g = 9.8 [m/s^2]\n"
    "state p = 1 [m], v = 0 [m/s]\n"
    "N in dio(p) with K = K, alpha = alpha, beta = beta\n"
    "p' = v\n"
    "v' = N/M - g\n";

static const char conveyor_text[] =
    "param M1 = 0.5 [kg], M2 = 1 [kg], Ks = 100 [N/m], u = 1 [m/s], mu = 0.5\n"
    "param K = 5e5 [N/m], beta = 2 [ms], alpha = 1.6 [ms], g = 9.8 [m/s^2]\n"
    "state p1x = 0 [m], p1y = 0.25 [m], p2x = 0.05 [m], p2y = 0 [m]\n"
    "state v1x = 0 [m/s], v1y = 0 [m/s], v2x = 0 [m/s], v2y = 0 [m/s]\n"
    "N1 in dio(p1x)       with K = K, alpha = alpha, beta = beta\n"
    "N2 in dio(p2x - p1x) with K = K, alpha = alpha, beta = beta\n"
    "N3 in dio(p2y)       with K = K, alpha = alpha, beta = beta\n"
    "f1 in mu*N1*sgn(v1y)       with K = K, beta = beta\n"
    "f2 in mu*N2*sgn(v1y - v2y) with K = K, beta = beta\n"
    "f3 in mu*N3*sgn(v2x + u)   with K = K, beta = beta\n"
    "p1x' = v1x\n"
    "p1y' = v1y\n"
    "p2x' = v2x\n"
    "p2y' = v2y\n"
    "M1*v1x' = N1 - N2\n"
    "M1*v1y' = -Ks*p1y - f1 - f2\n"
    "M2*v2x' = N2 - f3\n"
    "v2y' = (f2 + N3)/M2 - g\n";

static const char chain_text[] =
    "param n = 100, kc = 2500 [N/m], kp = 40 [N/m], V = 0.01 [m/s], F = 1 [N], M = 1 [kg]\n"
    "state x[n] = 0 [m], v[n] = 0 [m/s]\n"
    "init x[i] = 1e-4*sin(12.9898*i) for i in 1..n\n"
    "f[i] in F*sgn(v[i]) with K = 5e3 [N/m], beta = 2 [ms] for i in 1..n\n"
    "left[i]  = if i == 1 then 0 else kc*(x[i-1] - x[i]) for i in 1..n\n"
    "right[i] = if i == n then 0 else kc*(x[i+1] - x[i]) for i in 1..n\n"
    "x[i]' = v[i] for i in 1..n\n"
    "M*v[i]' = left[i] + right[i] + kp*(V*t - x[i]) - f[i] for i in 1..n\n";

static const char spheres_text[] =
    "param n = 100\n"
    "part earth = gravity(g = 9.81)\n"
    "part ground = plane()\n"
    "part touch = contact(K = 5e5 [N/m], alpha = 0.05 [ms], beta = 0.2 [ms], mu = 0.3)\n"
    "part ball[i] = sphere(radius = 0.05, density = 1000, p = [0.11*(i - 100*floor(i/100)),"
    " 0.11*floor(i/100), 0.06]) for i in 1..n\n"
    "part string[i] = spring(K = 10, on = length) for i in 1..n\n"
    "connect touch - ground\n"
    "connect touch - ball[i] for i in 1..n\n"
    "connect string[i] - ball[i] - world for i in 1..n\n"
    "run until = 1 [s], step = 0.2 [ms], method = semi-implicit\n";

static dry_model *compiled(const char *text, const dry_setting *settings, int n_settings) {
    const dry_model_options options = {
        .settings = settings, .n_settings = n_settings, .force = true};
    dry_model *model = dry_model_compile("bench", text, strlen(text), &options);
    if (model && dry_model_ok(model)) return model;
    for (int i = 0; model && i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    must(false, "a model does not compile");
    return NULL;
}

/* ---- a step ------------------------------------------------------------------- */

static const dry_ode_options options = {.step = 1e-3};

typedef struct entry {
    const problem *problem;
    const dry_system *system; /* NULL: by hand */
    double x[MOST_STATES];
} entry;

static void run_hand(void *data) {
    entry *e = data;
    e->problem->system->start(NULL, 0.0, e->x);
    e->problem->by_hand(e->problem->system->par, lround(e->problem->end / options.step),
                        options.step, e->x);
}
static void run_system(void *data) {
    entry *e = data;
    integration run;
    integration_begin(&run, e->system, "rk4", &options);
    must(dry_ode_advance(&run.ode, e->problem->end) == DRY_OK, "a run failed");
    memcpy(e->x, run.ode.x, (size_t)e->system->n_states * sizeof *e->x);
    integration_end(&run);
}

/* The jump of the push is known to the library and not to the hand: 3e-6 m in the end. */
static bool alike(const entry *a, const entry *b) {
    double largest = 0.0;
    for (int i = 0; i < a->problem->system->n_states; i++)
        largest = fmax(largest, fabs(a->x[i] - b->x[i]));
    return largest < 1e-5;
}

static void measure_step(table *t, const problem *p, const char *text) {
    dry_model *model = compiled(text, NULL, 0);
    entry by_hand = {.problem = p};
    entry in_c = {.problem = p, .system = p->system};
    entry as_text = {.problem = p, .system = dry_model_system(model)};
    contestant all[] = {{"by hand", run_hand, &by_hand, 0.0},
                        {"dry_ode_advance, C", run_system, &in_c, 0.0},
                        {"dry_ode_advance, text", run_system, &as_text, 0.0}};
    must(as_text.system->n_states == p->system->n_states, "the text has other states");
    race(all, 3, 0.7);
    must(alike(&by_hand, &as_text), "the text computes something else than the hand");
    for (int i = 0; i < 3; i++) {
        cell_text(t, p->system->name);
        cell_text(t, all[i].name);
        cell_number(t, "%.1f", all[i].seconds * 1e9 / (p->end / options.step));
        cell_number(t, "%.2f", all[i].seconds / all[0].seconds);
    }
    dry_model_free(model);
}

/* ---- a chain ------------------------------------------------------------------- */

static void compile_chain(void *data) {
    const dry_setting setting = {.name = "n", .value = *(const int *)data};
    dry_model_free(compiled(chain_text, &setting, 1));
}

typedef struct chain {
    integration run;
    double end;
} chain;
static void step_chain(void *data) {
    chain *c = data;
    c->end += 10.0 * options.step;
    must(dry_ode_advance(&c->run.ode, c->end) == DRY_OK, "the chain failed");
}

static void measure_chain(table *t, int blocks) {
    const dry_setting setting = {.name = "n", .value = blocks};
    dry_model *model = compiled(chain_text, &setting, 1);
    chain c = {.end = 0.0};
    integration_begin(&c.run, dry_model_system(model), "rk4", &options);
    contestant all[] = {{"compile", compile_chain, &blocks, 0.0}, {"step", step_chain, &c, 0.0}};
    race(all, 2, 0.5);
    cell_number(t, "%.0f", blocks);
    cell_number(t, "%.2f", all[0].seconds * 1e3);
    cell_number(t, "%.2f", all[0].seconds * 1e6 / blocks);
    cell_number(t, "%.1f", all[1].seconds * 1e9 / (10.0 * blocks));
    integration_end(&c.run);
    dry_model_free(model);
}

/* ---- spheres ------------------------------------------------------------------- */

static void compile_spheres(void *data) {
    const dry_setting setting = {.name = "n", .value = *(const int *)data};
    dry_model_free(compiled(spheres_text, &setting, 1));
}

static void measure_spheres(table *t, int spheres) {
    contestant all[] = {{"compile", compile_spheres, &spheres, 0.0}};
    race(all, 1, 0.5);
    cell_number(t, "%.0f", spheres);
    cell_number(t, "%.2f", all[0].seconds * 1e3);
    cell_number(t, "%.2f", all[0].seconds * 1e6 / spheres);
}

int main(int argc, char **argv) {
    static const column steps[] = {
        {"problem", 10}, {"contestant", 22}, {"ns/step", -9}, {"ratio", -7}};
    static const column chains[] = {
        {"blocks", -8}, {"compile ms", -11}, {"us/block", -9}, {"ns/block-step", -14}};
    static const column parts[] = {{"spheres", -8}, {"compile ms", -11}, {"us/sphere", -10}};
    static const char *const texts[N_PROBLEMS] = {drift_text, bounce_text, conveyor_text};
    table t = table_begin(argc, argv, steps, 4);
    for (int i = 0; i < N_PROBLEMS; i++) measure_step(&t, &problems[i], texts[i]);
    puts("");
    t = table_begin(argc, argv, chains, 4);
    for (int blocks = 100; blocks <= 100000; blocks *= 10) measure_chain(&t, blocks);
    puts("");
    t = table_begin(argc, argv, parts, 3);
    for (int spheres = 100; spheres <= 10000; spheres *= 10) measure_spheres(&t, spheres);
    return 0;
}
