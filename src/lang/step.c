/* step: whether the step is inside the stability bound of the method (check 6), and whether a stuck
 * element resonates with a periodic forcing (check 8).
 *
 * The modes are the eigenvalues of the Jacobian at the start with every friction stuck and every
 * contact closed, all together: elements that share a body add up (X13's Example II is stable for
 * each of them alone, and not for two). */
#include "model.h"
#include "stability.h"

#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_DENSE = 160, PRODUCTS = 60, ROUNDS = 12 };
/* The K of chosen elements is divided by SOFTER^k, k <= MOST_SOFTER (1.4e6), where several act
 * together. */
enum { MOST_SOFTER = 74 };
static const double SOFTER = 1.21;

typedef struct linear {
    const dry_model *model;
    void *work;
    double tau;
    double *x, *base, *shifted, *out; /* state, rate there, state and rate nearby */
    double *J;                        /* NULL where it is large */
    int n;
} linear;

static double shift_of(double x) { return 1e-8 * dry_max(1.0, fabs(x)); }

static void rate_at(const linear *l, const double *x, double *out) {
    dry_image_run_linear(l->model->image, DRY_SECTION_RATE, 0.0, l->tau, x, out, l->work);
}

/* y = J v by one difference, for systems too large to factor */
static void product(void *user, const double *v, double *y) {
    linear *l = user;
    double largest = 0.0;
    for (int i = 0; i < l->n; i++) largest = dry_max(largest, fabs(v[i]));
    double h = largest > 0.0 ? 1e-7 / largest : 0.0;
    for (int i = 0; i < l->n; i++) l->shifted[i] = l->x[i] + h * v[i];
    rate_at(l, l->shifted, l->out);
    for (int i = 0; i < l->n; i++) y[i] = h > 0.0 ? (l->out[i] - l->base[i]) / h : 0.0;
}

static void fill(linear *l) {
    const int n = l->n;
    memcpy(l->shifted, l->x, sizeof *l->x * (size_t)n);
    for (int j = 0; j < n; j++) {
        l->shifted[j] += shift_of(l->x[j]);
        const double h = l->shifted[j] - l->x[j];
        rate_at(l, l->shifted, l->out);
        for (int i = 0; i < n; i++) l->J[i * n + j] = (l->out[i] - l->base[i]) / h;
        l->shifted[j] = l->x[j];
    }
}

static bool open_linear(linear *l, const dry_model *model, double tau) {
    size_t n = (size_t)model->system.n_states;
    *l = (linear){.model = model, .tau = tau, .n = (int)n};
    l->work = dry_heap_take(model->arena, 1, model->system.work_size + 1);
    l->x = dry_heap_take(model->arena, 4 * n, sizeof *l->x);
    if (n <= LARGEST_DENSE) l->J = dry_heap_take(model->arena, (n * n + 1), sizeof *l->J);
    if (!l->work || !l->x || (n <= LARGEST_DENSE && !l->J)) return false;
    l->base = l->x + n;
    l->shifted = l->x + 2 * n;
    l->out = l->x + 3 * n;
    dry_env env = {.model = model, .par = model->elab.par_value, .work = l->work};
    model->system.prepare(&env);
    model->system.start(&env, 0.0, l->x);
    rate_at(l, l->x, l->base);
    if (l->J) fill(l);
    return true;
}

static void close_linear(linear *l) {
    free(l->work);
    free(l->x);
    free(l->J);
}

/* All eigenvalues of a small system; J is lost. */
static int dense_modes(linear *l, double **re, double **im) {
    *re = dry_heap_take(l->model->arena, (size_t)l->n, sizeof **re);
    *im = dry_heap_take(l->model->arena, (size_t)l->n, sizeof **im);
    return *re && *im && dry_eigenvalues(l->n, l->J, *re, *im) == DRY_OK ? l->n : 0;
}

/* The spectral radius of a large system, put on the negative axis and at two angles beside it. */
static int large_modes(linear *l, double **re, double **im) {
    double *work = dry_heap_take(l->model->arena, 1, sizeof *work * 3 * (size_t)l->n);
    *re = dry_heap_take(l->model->arena, 3, sizeof **re);
    *im = dry_heap_take(l->model->arena, 3, sizeof **im);
    if (!work || !*re || !*im) {
        free(work);
        return 0;
    }
    double radius = dry_spectral_radius(l->n, product, l, PRODUCTS, work);
    static const double angle[3][2] = {{-1.0, 0.0}, {-0.7071, 0.7071}, {-0.2, 0.9798}};
    for (int i = 0; i < 3; i++) {
        (*re)[i] = radius * angle[i][0];
        (*im)[i] = radius * angle[i][1];
    }
    free(work);
    return 3;
}

/* Rounding in the differences makes false slow modes: what is slower than 1e-6 of the fastest mode
 * does not matter for the step. */
static int drop_slow(double *re, double *im, int n, double fastest) {
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (hypot(re[i], im[i]) < 1e-6 * fastest) continue;
        re[kept] = re[i];
        im[kept++] = im[i];
    }
    return kept;
}

/* A slipping friction and an open contact forget their stretch at the rate 1/beta, which is no mode
 * of the stuck system: the fastest of them. */
static double slip_rate(const dry_elab *elab, double tau) {
    double rate = 0.0;
    for (int i = 0; i < elab->n_forces; i++) {
        const dry_force *force = &elab->force[i];
        int row = dry_law_par_find(force->law, "beta");
        if (force->kind == DRY_FORCE_ELEMENT || row < 0) continue;
        dry_node beta = force->par[dry_law_par_offset(force->law, row, force->elements)];
        rate = dry_max(rate, 1.0 / (tau + dry_dag_value(elab->dag, beta, elab->par_value, 0.0, NULL,
                                                        NULL, 0)));
    }
    return rate;
}

static double largest_step(const char *method, int n, const double *re, const double *im,
                           double slip) {
    const double back = -slip, still = 0.0;
    const double T = n ? dry_largest_step(method, n, re, im) : (double)INFINITY;
    return slip > 0.0 ? dry_min(T, dry_largest_step(method, 1, &back, &still)) : T;
}

/* The largest (|J| d)_i/d_i, which is no less than any |lambda| for any d > 0 (Collatz 1942). */
static double rate_bound(const linear *l, const double *d, double *ratio) {
    double most = 0.0;
    for (int i = 0; i < l->n; i++) {
        double sum = 0.0;
        for (int j = 0; j < l->n; j++) sum += fabs(l->J[i * l->n + j]) * d[j];
        ratio[i] = sum / d[i];
        most = ratio[i] > most || isnan(ratio[i]) ? ratio[i] : most;
    }
    return most;
}

/* Whether no mode of a small system is faster than the limit, as far as bounds tell that cost much
 * less than eigenvalues. Each round makes the ratios more equal. Eigenvalues that are computed are
 * those of a matrix with an error of 1e-16, which d makes at most 1/LEAST times as large: well
 * inside the 1 % that is kept free, so that they tell the same. */
static bool is_slow(linear *l, double limit) {
    static const double LEAST = 1e-8;
    double *d = l->shifted, *ratio = l->out;
    if (!l->J || !(limit > 0.0)) return false;
    for (int i = 0; i < l->n; i++) d[i] = 1.0;
    for (int round = 0; round < ROUNDS; round++) {
        const double most = rate_bound(l, d, ratio);
        if (most <= 0.99 * limit) return true;
        if (!isfinite(most)) return false;
        for (int i = 0; i < l->n; i++) d[i] = dry_max(LEAST, d[i] * sqrt(ratio[i] / most));
    }
    return false;
}

/* Finds the fastest mode and the largest step; or only that the step `enough` is safe, which is
 * faster (NaN: no such step). False where they are not known. */
static bool find_bound(dry_model *model, double enough) {
    const char *method = dry_lang__method(&model->elab);
    bool staged = !strcmp(method, "rk4-tau"); /* is RK4 with beta + 3/4 T */
    double T = model->elab.run.step, *re = NULL, *im = NULL;
    if (isnan(T)) T = dry_lang__time_scale(&model->elab);
    linear l;
    int n = 0;
    const bool open = open_linear(&l, model, staged ? 0.75 * T : 0.0);
    const double slip = slip_rate(&model->elab, l.tau), limit = dry_safe_radius(method) / enough;
    if (open && slip <= limit && is_slow(&l, limit)) {
        model->largest_step = enough;
        close_linear(&l);
        return true;
    }
    if (open) n = l.J ? dense_modes(&l, &re, &im) : large_modes(&l, &re, &im);
    model->fastest = n ? 0.0 : (double)NAN;
    for (int i = 0; i < n; i++) model->fastest = dry_max(model->fastest, hypot(re[i], im[i]));
    n = drop_slow(re, im, n, model->fastest);
    if (staged) method = "rk4";
    const bool safe = enough * dry_max(model->fastest, slip) <= dry_safe_radius(method);
    model->largest_step = safe ? enough : largest_step(method, n, re, im, slip);
    free(re);
    free(im);
    close_linear(&l);
    return n > 0;
}

/* Whether the text gives some element its stiffness, which it then could lower. */
static bool gives_K(const dry_elab *elab) {
    for (int i = 0; i < elab->n_forces; i++)
        if (elab->force[i].slot_K < 0) return true;
    return false;
}

static void say_unstable(dry_model *model, double step) {
    dry_report *report = &model->report;
    const char *args[] = {"", dry_lang__number(report, step), dry_lang__method(&model->elab),
                          dry_lang__text(report, "%.4g", model->fastest),
                          dry_lang__text(report, "%.3g", model->largest_step)};
    dry_place at = dry_lang__run_place(&model->elab);
    bool forced = model->elab.options->force;
    dry_lang__say(report, at, forced ? DRY_MSG_UNSTABLE_FORCED : DRY_MSG_UNSTABLE, args, 5);
    if (!forced && !gives_K(&model->elab))
        dry_lang__way_out(report, "use a step of at most %s s, or --force to run it all the same",
                          args[4]);
}

/* The step that has to be inside the bound; NaN where the method chooses it or has no bound. */
static double bound_step(const dry_model *model) {
    const dry_method *method = dry_method_find(dry_lang__method(&model->elab));
    const bool bound = method && !method->adaptive && dry_safe_radius(method->name) > 0.0;
    return bound ? model->elab.run.step : (double)NAN;
}

bool dry_lang__step_fits(dry_model *model) {
    const double step = bound_step(model);
    return isnan(step) || !find_bound(model, step) || !(step > model->largest_step);
}

/* Finds the least k by halving, of the frictions alone or of the contacts, too; if no k will do,
 * all are as they were. */
static bool soften_kind(dry_model *model, dry_fits_fn *fits, void *user, bool contacts) {
    dry_elab *elab = &model->elab;
    int low = 0, high = MOST_SOFTER, at = high;
    if (!dry_lang__soften(elab, pow(SOFTER, at), contacts)) return false;
    if (!fits(model, user)) {
        dry_lang__soften(elab, pow(SOFTER, -at), contacts);
        return false;
    }
    while (high - low > 1) {
        const int k = (low + high) / 2;
        dry_lang__soften(elab, pow(SOFTER, k - at), contacts);
        at = k;
        *(fits(model, user) ? &high : &low) = k;
    }
    dry_lang__soften(elab, pow(SOFTER, high - at), contacts);
    DRY_SAY(&model->report, (dry_place){0}, SOFTENED,
            dry_lang__text(&model->report, "%.3g", pow(SOFTER, high)));
    return fits(model, user);
}

bool dry_lang__soften_until(dry_model *model, dry_fits_fn *fits, void *user) {
    if (fits(model, user)) return true;
    if (!soften_kind(model, fits, user, false) && !soften_kind(model, fits, user, true)) {
        fits(model, user); /* it is not they who are too stiff */
        return false;
    }
    return true;
}

static bool fits(dry_model *model, void *user) {
    const double *step = user;
    return !find_bound(model, (double)NAN) || !(*step > model->largest_step);
}

void dry_lang__stability(dry_model *model) {
    double step = bound_step(model);
    if (!dry_lang__soften_until(model, fits, &step)) say_unstable(model, step);
}

/* ---- resonance --------------------------------------------------------------------- */

/* omega of sin or cos (omega t + phase); 0 where the argument is not of that kind */
static double frequency(dry_elab *elab, dry_node node) {
    dry_node_view v = dry_dag_view(elab->dag, node);
    if (v.op != DRY_OP_SIN && v.op != DRY_OP_COS) return 0.0;
    dry_node argument = v.args[0];
    if (dry_dag_depends(elab->dag, argument) & (DRY_ON_STATE | DRY_ON_TAU)) return 0.0;
    dry_node t = dry_dag_leaf(elab->dag, DRY_OP_T, 0);
    dry_node d = dry_dag_diff(elab->dag, argument, t, NULL, 0);
    if (dry_dag_depends(elab->dag, d) & ~(unsigned)DRY_ON_PAR) return 0.0;
    return fabs(dry_dag_value(elab->dag, d, elab->par_value, 0.0, NULL, NULL, 0));
}

typedef struct forcing {
    dry_node node;
    double omega;
} forcing;

enum { MOST_FORCINGS = 16 };

static int find_forcings(dry_elab *elab, forcing *list) {
    int n = 0, count = dry_dag_count(elab->dag);
    for (int i = 0; i < count && n < MOST_FORCINGS; i++) {
        double omega = frequency(elab, i);
        if (omega > 0.0) list[n++] = (forcing){i, omega};
    }
    return n;
}

/* The load on a stuck element at the end of the run: mean, and amplitude of one forcing; everything
 * at rest where it started, friction itself left out. */
static bool load(dry_model *model, const dry_force *force, const forcing *f, const double *x,
                 double *mean, double *amplitude) {
    dry_elab *elab = &model->elab;
    dry_node *rates = dry_heap_take(elab->arena, (size_t)elab->n_states, sizeof *rates);
    if (!rates) return false;
    for (int i = 0; i < elab->n_states; i++) rates[i] = elab->state[i].rate;
    dry_node speed_up = dry_dag_time_derivative(elab->dag, force->input[0], rates, elab->n_states);
    free(rates);
    dry_node pick = dry_dag_pick(elab->dag, force->block, 0);
    dry_override rest[] = {{pick, 0.0}, {f->node, 0.0}}, top[] = {{pick, 0.0}, {f->node, 1.0}};
    double t = isnan(elab->run.until) ? 0.0 : elab->run.until;
    double at_rest = dry_dag_value(elab->dag, speed_up, elab->par_value, t, x, rest, 2);
    double at_top = dry_dag_value(elab->dag, speed_up, elab->par_value, t, x, top, 2);
    *mean = fabs(force->mass * at_rest);
    *amplitude = fabs(force->mass * (at_top - at_rest));
    return isfinite(*mean) && isfinite(*amplitude);
}

/* The stiffnesses at which the amplified load just reaches the level, above and below resonance. */
static void safe_stiffness(double m, double beta, double omega, double allowed, double *low,
                           double *high) {
    double K = m * omega * omega;
    *low = 0.5 * K; /* H <= 1 for sqrt(K/m) <= omega/sqrt(2) */
    *high = K;
    for (int i = 0; i < 200 && dry_transmissibility(*high, beta, m, omega) > allowed; i++)
        *high *= 1.05;
}

static void check_resonance(dry_model *model, const dry_force *force, const forcing *f,
                            const double *x) {
    dry_elab *elab = &model->elab;
    double mean, amplitude, low, high;
    double K = dry_lang__law_value(elab, force, "K"),
           beta = dry_lang__law_value(elab, force, "beta");
    double chi = dry_dag_value(elab->dag, force->chi, elab->par_value, 0.0, x, NULL, 0);
    double H = dry_transmissibility(K, beta, force->mass, f->omega);
    if (H < 1.02 || !load(model, force, f, x, &mean, &amplitude) || amplitude == 0.0) return;
    if (mean + amplitude > chi || mean + amplitude * H <= chi) return;
    safe_stiffness(force->mass, beta, f->omega, (chi - mean) / amplitude, &low, &high);
    DRY_SAY(&model->report, force->at, RESONANCE, force->name,
            dry_lang__number(&model->report, f->omega), dry_lang__text(&model->report, "%.3g", H),
            dry_lang__text(&model->report, "%.2g", high),
            dry_lang__text(&model->report, "%.2g", low));
}

enum { MOST_CHECKED = 50 }; /* a chain of thousands has the same forcing everywhere */

void dry_lang__resonance(dry_model *model) {
    dry_elab *elab = &model->elab;
    forcing list[MOST_FORCINGS];
    int n = find_forcings(elab, list);
    double *x = n ? dry_heap_take(elab->arena, (size_t)elab->n_states, sizeof *x) : NULL;
    if (!x) return;
    dry_lang__start(elab, x);
    for (int i = 0; i < elab->n_forces && i < MOST_CHECKED; i++) {
        const dry_force *force = &elab->force[i];
        if (force->kind != DRY_FORCE_SGN || force->dim != 1 || isnan(force->mass) ||
            force->shared >= 0 || strcmp(force->law->name, "coulomb") != 0)
            continue;
        for (int k = 0; k < n; k++) check_resonance(model, force, &list[k], x);
    }
    free(x);
}
