/* What a sweep costs against a loop written by hand: 10^4 impacts of XD Fig. 5.7 over speed and
 * beta1, RK4 at h = 0.2 ms, one thread. Then what it costs to sweep over other parameters: 640
 * points of the drift of X13 Fig. 3 over its mass, and over a level, over the time of its jump,
 * with a K that follows from the mass; and of a controller that samples, against one that does not.
 *
 * By hand: four impacts in each AVX2 register, two registers at a time; with the mass as a number,
 * and with M = 1 left out. Everything else that is equal in all impacts is a constant of the loop.
 * *lanes*: dry_lanes_march alone; *sweep*: the whole of dry_sweep_run, with its measures and its
 * table; *native*, *bytecode*: dry_sim_run point by point, a tenth of them.
 *
 * p: position into the wall, m; v: velocity, m/s; a: inner indentation, m^1.5
 * (src/law/compliant.c).
 */
#include "bench.h"
#include <drystone/drystone.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_HAND 1
#else
#define HAS_HAND 0
#endif

static const char text[] =
    "param M = 1 [kg], K = 1e4, lambda = 1.5, gamma = 2e3 [1/s], beta1 = 3 [ms], beta2 = 0.1\n"
    "param speed = 1 [m/s]\n"
    "state p = 0 [m], v = speed\n"
    "N = compliant(-p, K = K, lambda = lambda, gamma = gamma, beta1 = beta1, beta2 = beta2)\n"
    "p' = v\n"
    "M*v' = -N\n"
    "run until = 0.1 [s], step = 0.2 [ms], method = rk4\n"
    "measure cor = -final(v)/speed\n";

enum { SIDE = 100, POINTS = SIDE * SIDE, STEPS = 500, TENTH = POINTS / 10 };
static const double h = 2e-4, stiffness = 1e4, rate = 2e3, beta2 = 0.1;
static double mass; /* the compiler does not know it */

static double speeds[SIDE], betas[SIDE];
static double by_hand[POINTS], by_lanes[POINTS];

/* ---- by hand ------------------------------------------------------------------------------- */

#if HAS_HAND
#define AVX2 __attribute__((target("avx2")))
typedef __m256d vec;
typedef struct impact {
    vec p, v, a;
} impact;

AVX2 DRY_INLINE vec set(double x) { return _mm256_set1_pd(x); }

AVX2 DRY_INLINE impact slope(impact x, vec beta1, bool light) {
    const vec sign = set(-0.0), zero = set(0.0), gamma = set(rate), one = set(1.0);
    const vec size = _mm256_andnot_pd(sign, x.p);
    const vec s = _mm256_or_pd(_mm256_mul_pd(size, _mm256_sqrt_pd(size)), _mm256_and_pd(sign, x.p));
    const vec m = _mm256_mul_pd(gamma, _mm256_add_pd(beta1, _mm256_mul_pd(set(beta2), x.a)));
    const vec open =
        _mm256_div_pd(_mm256_mul_pd(_mm256_xor_pd(sign, gamma), x.a), _mm256_add_pd(one, m));
    const vec gap = _mm256_sub_pd(s, x.a);
    const vec N =
        _mm256_mul_pd(set(stiffness), _mm256_max_pd(_mm256_add_pd(s, _mm256_mul_pd(m, gap)), zero));
    const vec force = light ? N : _mm256_div_pd(N, set(mass));
    return (impact){x.v, _mm256_xor_pd(sign, force),
                    _mm256_max_pd(open, _mm256_mul_pd(gamma, gap))};
}

AVX2 DRY_INLINE vec along(vec x, double step, vec k) {
    return _mm256_add_pd(x, _mm256_mul_pd(set(step), k));
}

AVX2 DRY_INLINE impact move(impact x, double step, impact k) {
    return (impact){along(x.p, step, k.p), along(x.v, step, k.v), along(x.a, step, k.a)};
}

AVX2 DRY_INLINE vec mean(vec x, vec k1, vec k2, vec k3, vec k4) {
    const vec two = set(2.0);
    const vec sum = _mm256_add_pd(
        _mm256_add_pd(_mm256_add_pd(k1, _mm256_mul_pd(two, k2)), _mm256_mul_pd(two, k3)), k4);
    return _mm256_add_pd(x, _mm256_mul_pd(set(h * (1.0 / 6.0)), sum));
}

AVX2 DRY_INLINE impact step_of(impact x, vec beta1, bool light) {
    const impact k1 = slope(x, beta1, light);
    const impact k2 = slope(move(x, 0.5 * h, k1), beta1, light);
    const impact k3 = slope(move(x, 0.5 * h, k2), beta1, light);
    const impact k4 = slope(move(x, h, k3), beta1, light);
    return (impact){mean(x.p, k1.p, k2.p, k3.p, k4.p), mean(x.v, k1.v, k2.v, k3.v, k4.v),
                    mean(x.a, k1.a, k2.a, k3.a, k4.a)};
}

AVX2 DRY_INLINE void run_hand(bool light) {
    for (int i = 0; i < POINTS; i += 8) {
        double speed[8], beta1[8], end[8];
        for (int l = 0; l < 8; l++) {
            speed[l] = speeds[(i + l) / SIDE];
            beta1[l] = betas[(i + l) % SIDE];
        }
        const vec b1 = _mm256_loadu_pd(beta1), b2 = _mm256_loadu_pd(beta1 + 4);
        impact x1 = {set(0.0), _mm256_loadu_pd(speed), set(0.0)};
        impact x2 = {set(0.0), _mm256_loadu_pd(speed + 4), set(0.0)};
        for (int k = 0; k < STEPS; k++) {
            x1 = step_of(x1, b1, light);
            x2 = step_of(x2, b2, light);
        }
        _mm256_storeu_pd(end, x1.v);
        _mm256_storeu_pd(end + 4, x2.v);
        for (int l = 0; l < 8; l++) by_hand[i + l] = -end[l] / speed[l];
    }
}

AVX2 static void run_by_hand(void *data) {
    (void)data;
    run_hand(false);
}
AVX2 static void run_light(void *data) {
    (void)data;
    run_hand(true);
}
#endif

static bool has_avx2(void) {
#if HAS_HAND
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

/* ---- the others ------------------------------------------------------------------------------ */

typedef struct entry {
    const dry_lanes *lanes;
    const dry_system *system;
    const double *par;
    int beta1, speed; /* where they are among the parameters */
    dry_sweep_axis axes[2];
    dry_sweep_code code;
    double last;
} entry;

static void set_par(const entry *e, int i, double *par) {
    memcpy(par, e->par, (size_t)e->system->n_par * sizeof *par);
    par[e->speed] = speeds[i / SIDE];
    par[e->beta1] = betas[i % SIDE];
}

static void run_lanes(void *data) {
    enum { L = DRY_NATIVE_LANES };
    const entry *e = data;
    static double P[64 * L] __attribute__((aligned(64))), X[3 * L] __attribute__((aligned(64)));
    double par[64], p[64], x[3];
    const int n = dry_lanes_fixed(e->lanes);
    const dry_lanes_span span = {.step = h, .end = STEPS * h, .count = STEPS};
    for (int i = 0; i < POINTS; i += L) {
        for (int l = 0; l < L; l++) {
            set_par(e, i + l, par);
            dry_lanes_prepare(e->lanes, par, p);
            dry_lanes_start(e->lanes, p, 0.0, x);
            for (int k = 0; k < n; k++) P[k * L + l] = p[k];
            for (int k = 0; k < 3; k++) X[k * L + l] = x[k];
        }
        dry_lanes_march(e->lanes, P, X, &span);
        for (int l = 0; l < L; l++) by_lanes[i + l] = -X[L + l] / speeds[(i + l) / SIDE];
    }
}

static void run_sweep(void *data) {
    entry *e = data;
    dry_error error = {0};
    dry_sweep_result result;
    const dry_sweep_options options = {
        .axes = e->axes, .n_axes = 2, .threads = 1, .code = DRY_SWEEP_NATIVE};
    must(dry_sweep_run("impact.dry", text, strlen(text), &options, &result, &error) == DRY_OK,
         error.text);
    must(result.failed == 0 && result.lanes == DRY_NATIVE_LANES, "no lanes");
    e->last = dry_record_values(result.record, 2)[POINTS - 1];
    dry_record_free(result.record);
}

static void run_one_by_one(void *data) {
    entry *e = data;
    dry_error error = {0};
    double par[64];
    for (int i = 0; i < POINTS; i += 10) {
        dry_sim_result result;
        set_par(e, i, par);
        const dry_sim_options options = {.run = {.until = STEPS * h, .step = h}, .par = par};
        must(dry_sim_run(e->system, &options, &result, &error) == DRY_OK, error.text);
        dry_record_free(result.record);
    }
}

/* ---- other parameters ------------------------------------------------------------------------ */

#define DRIFT(with)                                                                                \
    "param M = 1 [kg], F = 0.5 [N], T = 2 [s]\n"                                                   \
    "state p = 0 [m], v = 0 [m/s]\n"                                                               \
    "state p_lugre = 0 [m], v_lugre = 0 [m/s]\n"                                                   \
    "fe = if t < T then min(0.52, 0.8*t) else 0.336 + 0.144*cos(100*t)\n"                          \
    "f in F*sgn(v)" with "\n"                                                                      \
    "f_lugre = lugre(v_lugre, F = F, K = 5e3 [N/m], B = 10 [N s/m], D = 0)\n"                      \
    "p' = v\n"                                                                                     \
    "M*v' = fe - f\n"                                                                              \
    "p_lugre' = v_lugre\n"                                                                         \
    "M*v_lugre' = fe - f_lugre\n"                                                                  \
    "run until = 5 [s], step = 1 [ms], method = rk4\n"                                             \
    "measure reach = final(p)\n"
#define CONTROL(sample, before)                                                                    \
    "param Kp = 40 [N/m], B = 4 [N s/m]\n"                                                         \
    "state p = 0 [m], v = 0 [m/s]\n" sample "u = Kp*(0.01 [m] - p) - B*v" before "\n"              \
    "f in 0.1 [N]*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]\n"                                      \
    "p' = v\n"                                                                                     \
    "1 [kg]*v' = u - f\n"                                                                          \
    "run until = 2 [s], step = 0.2 [ms], method = rk4\n"                                           \
    "measure reach = final(p)\n"

static const char given[] = DRIFT(" with K = 5e3 [N/m], beta = 2 [ms]"), chosen[] = DRIFT("");
static const char steady[] = CONTROL("", ""),
                  sampled[] = CONTROL("sample ", " every 1 [ms] from 0 [N]"),
                  quickly[] = CONTROL("sample ", " every 0.2 [ms] from 0 [N]");

typedef struct other {
    const char *name, *text, *axis;
    int base; /* the row that its ratio is to */
} other;

static const other others[] = {
    {"drift, M", given, "M=0.5:2:640", 0},
    {"drift, F", given, "F=0.45:0.9:640", 0},
    {"drift, T", given, "T=1:4:640", 0},
    {"M, K chosen", chosen, "M=0.5:2:640", 0},
    {"Kp", steady, "Kp=10:60:640", 4},
    {"Kp, 5 steps", sampled, "Kp=10:60:640", 4},
    {"Kp, each step", quickly, "Kp=10:60:640", 4},
};
enum { OTHERS = sizeof others / sizeof *others };

static void sweep_other(void *data) {
    const other *o = data;
    dry_error error = {0};
    dry_sweep_axis axis;
    dry_sweep_result result;
    must(dry_sweep_axis_read(&axis, o->axis, &error) == DRY_OK, error.text);
    const dry_sweep_options options = {
        .axes = &axis, .n_axes = 1, .threads = 1, .code = DRY_SWEEP_NATIVE};
    must(dry_sweep_run("other.dry", o->text, strlen(o->text), &options, &result, &error) == DRY_OK,
         error.text);
    must(result.failed == 0 && result.compiled == 0 && result.lanes == DRY_NATIVE_LANES,
         "no lanes");
    dry_record_free(result.record);
    dry_sweep_axis_free(&axis);
}

static void race_others(table *t) {
    contestant all[OTHERS];
    for (int i = 0; i < OTHERS; i++)
        all[i] = (contestant){others[i].name, sweep_other, (void *)&others[i], 0.0};
    race(all, OTHERS, 6.0);
    for (int i = 0; i < OTHERS; i++) {
        const double rates = 4.0 * 640.0 * (others[i].base == 0 ? 5e3 : 1e4);
        cell_text(t, all[i].name);
        cell_number(t, "%.1f", 1e3 * all[i].seconds);
        cell_number(t, "%.2f", 1e9 * all[i].seconds / rates);
        cell_number(t, "%.2f", all[i].seconds / all[others[i].base].seconds);
    }
}

int main(int argc, char **argv) {
    static const column columns[] = {
        {"contestant", 14}, {"ms", -9}, {"ns/rate", -9}, {"ratio", -7}};
    dry_error error = {0};
    dry_model *model = dry_model_compile("impact.dry", text, strlen(text), NULL);
    must(model && dry_model_ok(model), "the model does not compile");
    const dry_native_options options = {.method = dry_method_find("rk4")};
    entry e = {.par = dry_model_system(model)->par,
               .beta1 = dry_model_par_find(model, "beta1"),
               .speed = dry_model_par_find(model, "speed")};
    bool varies[64] = {false};
    varies[e.beta1] = varies[e.speed] = true;
    dry_lanes *lanes = dry_lanes_new(model, varies, &options, &error);
    must(lanes != NULL, error.text);
    dry_native *native = dry_native_new(model, &options, &error);
    must(native != NULL, error.text);
    must(dry_sweep_axis_read(&e.axes[0], "speed=0.05:5:100:log", &error) == DRY_OK, error.text);
    must(dry_sweep_axis_read(&e.axes[1], "beta1=0:6e-3:100", &error) == DRY_OK, error.text);
    memcpy(speeds, e.axes[0].values, sizeof speeds);
    memcpy(betas, e.axes[1].values, sizeof betas);
    e.lanes = lanes;
    e.system = dry_native_system(native);
    entry bytecode = e;
    bytecode.system = dry_model_system(model);
    contestant all[] = {
        {"lanes", run_lanes, &e, 0.0},
        {"sweep", run_sweep, &e, 0.0},
        {"native", run_one_by_one, &e, 0.0},
        {"bytecode", run_one_by_one, &bytecode, 0.0},
#if HAS_HAND
        {"hand, M = 1", run_light, NULL, 0.0},
        {"by hand", run_by_hand, NULL, 0.0},
#endif
    };
    const bool hand = has_avx2();
    const int n = hand ? 6 : 4;
    table t = table_begin(argc, argv, columns, 4);
    mass = e.par[dry_model_par_find(model, "M")];
    race(all, n, 6.0);
    for (int i = 0; i < POINTS; i++)
        must(!hand || fabs(by_hand[i] - by_lanes[i]) < 1e-12, "the lanes and the hand differ");
    must(memcmp(&e.last, &by_lanes[POINTS - 1], sizeof e.last) == 0, "sweep and lanes differ");
    for (int i = n - 1; i >= 0; i--) {
        const double seconds = all[i].seconds * (all[i].run == run_one_by_one ? 10.0 : 1.0);
        cell_text(&t, all[i].name);
        cell_number(&t, "%.1f", 1e3 * seconds);
        cell_number(&t, "%.2f", 1e9 * seconds / (4.0 * STEPS * POINTS));
        cell_number(&t, "%.2f", seconds / all[hand ? 5 : 0].seconds);
    }
    race_others(&t);
    for (int i = 0; i < 2; i++) dry_sweep_axis_free(&e.axes[i]);
    dry_native_free(native);
    dry_lanes_free(lanes);
    dry_model_free(model);
    return 0;
}
