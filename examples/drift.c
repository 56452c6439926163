/* A block on a rough floor, pushed and then shaken below its limit: does it creep? (X13 Fig. 3)
 *
 *     p' = v,  M v' = fe(t) - f,  f in F sgn(v)
 *     fe = min(0.52, 0.8 t) N for t < 2 s, then 0.336 + 0.144 cos(100 t) N     (X13 (20))
 *     M = 1 kg, F = 0.5 N, K = 5e3 N/m, beta = 2 ms; LuGre: B = 10 N s/m, D = 0
 *
 * Run for 5 s by classical Runge-Kutta with 1 ms. Expected in the end: the inclusion stands still
 * to rounding (its proxy p - a moves less than 1e-15 m/s), LuGre drifts at 1.18e-3 m/s. */
#include <drystone/drystone.h>

enum { P, V, A, P_LUGRE, V_LUGRE, A_LUGRE, N_STATES };
static const double M = 1.0, F = 0.5, K = 5e3, beta = 2e-3;

typedef struct model {
    const dry_law *lugre;
    double par[16];
} model;

static double push(double t) {
    return t < 2.0 ? dry_min(0.52, 0.8 * t) : 0.336 + 0.144 * cos(100.0 * t);
}

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const model *m = env->model;
    double f, f_lugre;
    dry_friction(1, K, beta, tau, F, &x[V], &x[A], &f, &x_dot[A]);
    m->lugre->eval(m->par, 1, tau, &x[V_LUGRE], &x[A_LUGRE], &f_lugre, &x_dot[A_LUGRE]);
    x_dot[P] = x[V];
    x_dot[V] = (push(t) - f) / M;
    x_dot[P_LUGRE] = x[V_LUGRE];
    x_dot[V_LUGRE] = (push(t) - f_lugre) / M;
}

static void start(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    for (int i = 0; i < N_STATES; i++) x[i] = 0.0;
}

static void breaks(const dry_env *env, double *times) {
    (void)env;
    times[0] = 2.0; /* the push jumps */
}

static void set(model *m, const char *name, double value) {
    m->par[dry_law_par_offset(m->lugre, dry_law_par_find(m->lugre, name), 1)] = value;
}

/* The mean velocity of the proxy p - a over the last 30 cycles of the push. */
static double creep(const dry_record *record, int p, int a) {
    const double end = 5.0, begin = end - 30.0 * (2.0 * 3.141592653589793 / 100.0);
    const double from = dry_record_at(record, 0, p, begin) - dry_record_at(record, 0, a, begin);
    const double to = dry_record_at(record, 0, p, end) - dry_record_at(record, 0, a, end);
    return (to - from) / (end - begin);
}

static dry_status show(const dry_record *record, dry_error *error) {
    const dry_panel panel = {.title = "position, m",
                             .y = {1 + P, 1 + P_LUGRE},
                             .label = {"f in F sgn(v)", "LuGre"},
                             .n_curves = 2};
    const dry_plot plot = {.record = record, .panels = &panel, .n_panels = 1};
    dry_status status = dry_plot_terminal(&plot, stdout, false, error);
    if (status == DRY_OK) status = dry_plot_svg(&plot, "out/drift.svg", error);
    if (status == DRY_OK) status = dry_record_write_csv(record, "out/drift.csv", error);
    return status;
}

int main(void) {
    static const dry_quantity states[N_STATES] = {{"p", "m"},         {"v", "m/s"},
                                                  {"a", "m"},         {"p_lugre", "m"},
                                                  {"v_lugre", "m/s"}, {"a_lugre", "m"}};
    model m = {.lugre = dry_law_find("lugre")};
    dry_law_defaults(m.lugre, 1, m.par);
    set(&m, "F", F), set(&m, "Fs", F), set(&m, "K", K), set(&m, "B", 10.0), set(&m, "D", 0.0);
    const dry_system block = {.name = "drift",
                              .n_states = N_STATES,
                              .n_breaks = 1,
                              .states = states,
                              .model = &m,
                              .start = start,
                              .rate = rate,
                              .breaks = breaks};
    const dry_sim_options options = {.run = {.until = 5.0, .step = 1e-3}};

    dry_sim_result result;
    dry_error error = {0};
    dry_status status = dry_sim_run(&block, &options, &result, &error);
    if (status == DRY_OK) status = show(result.record, &error);
    if (status == DRY_OK) {
        printf("creep of f in F sgn(v): %10.3e m/s\n", creep(result.record, 1 + P, 1 + A));
        printf("creep of LuGre:         %10.3e m/s\n",
               creep(result.record, 1 + P_LUGRE, 1 + A_LUGRE));
        puts("written: out/drift.csv, out/drift.svg");
    } else {
        fprintf(stderr, "drift: %s%s%s\n", error.file, error.file[0] ? ": " : "", error.text);
    }
    dry_record_free(result.record);
    return status != DRY_OK;
}
