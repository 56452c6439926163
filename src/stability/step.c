/* step: finds the largest step of a method that is stable in all branches of a model.
 *
 * For a polynomial R, the eigenvalues of J give it directly. Else the matrix of a step shows
 * whether that step is stable, and bisection finds the largest. For a large J the largest |lambda|
 * is estimated and assumed on the negative axis and at two angles beside it; a check with `doubts`
 * reports only what is unstable in every direction.
 *
 * T: step, s; tau: s; lambda: eigenvalue of J, 1/s. */
#include <drystone/math.h>
#include <drystone/stability.h>

#include <stdlib.h>
#include <string.h>

enum { PRODUCTS = 60, ROUNDS = 12, SEARCHED = 40 };
/* No mode is stable beyond so many times the bound of a real one: 1.10 for Heun, 1.07 for RK4, 1
 * for the others; the rest is for the estimate. */
static const double BEYOND = 1.2;

typedef struct linear {
    const dry_step_check *check;
    dry_branch branch;
    double tau;
    double *base, *shifted, *out; /* rate at x; state and rate nearby */
    double *J, *re, *im;          /* J is NULL if it is large */
    int n_modes;
} linear;

/* ---- J -------------------------------------------------------------------------------------- */

static double shift_of(double x) { return 1e-8 * dry_max(1.0, fabs(x)); }

static void rate_at(const linear *l, const double *x, double *out) {
    l->check->rate(l->check->user, l->branch, l->tau, x, out);
}

/* y = J v by one difference, for systems too large to factor */
static void product(void *user, const double *v, double *y) {
    linear *l = user;
    const int n = l->check->n;
    double largest = 0.0;
    for (int i = 0; i < n; i++) largest = dry_max(largest, fabs(v[i]));
    const double h = largest > 0.0 ? 1e-7 / largest : 0.0;
    for (int i = 0; i < n; i++) l->shifted[i] = l->check->x[i] + h * v[i];
    rate_at(l, l->shifted, l->out);
    for (int i = 0; i < n; i++) y[i] = h > 0.0 ? (l->out[i] - l->base[i]) / h : 0.0;
}

static void fill(linear *l) {
    const int n = l->check->n;
    const double *x = l->check->x;
    memcpy(l->shifted, x, sizeof *x * (size_t)n);
    for (int j = 0; j < n; j++) {
        l->shifted[j] += shift_of(x[j]);
        const double h = l->shifted[j] - x[j];
        rate_at(l, l->shifted, l->out);
        for (int i = 0; i < n; i++) l->J[i * n + j] = (l->out[i] - l->base[i]) / h;
        l->shifted[j] = x[j];
    }
}

/* Linearises the model near x in one branch, with the tau of a step T. */
static void linearise(linear *l, dry_branch branch, double T) {
    l->branch = branch;
    l->tau = l->check->method->tau > 0.0 && T > 0.0 ? l->check->method->tau * T : 0.0;
    rate_at(l, l->check->x, l->base);
    if (l->J) fill(l);
}

static bool open_linear(linear *l, const dry_step_check *check) {
    const size_t n = (size_t)check->n, modes = n > 3 ? n : 3;
    const bool dense = check->n <= DRY_STEP_DENSE;
    *l = (linear){.check = check};
    l->base = dry_heap_take(check->arena, 3 * n + 2 * modes + 1, sizeof *l->base);
    if (dense) l->J = dry_heap_take(check->arena, n * n + 1, sizeof *l->J);
    if (!l->base || (dense && !l->J)) return false;
    l->shifted = l->base + n;
    l->out = l->shifted + n;
    l->re = l->out + n;
    l->im = l->re + modes;
    return true;
}

static void close_linear(linear *l) {
    free(l->base);
    free(l->J);
}

/* ---- modes ---------------------------------------------------------------------------------- */

/* The spectral radius of a large system; false without memory. */
static bool large_radius(linear *l, double *radius) {
    double *work = dry_heap_take(l->check->arena, 3 * (size_t)l->check->n, sizeof *work);
    *radius = work ? dry_spectral_radius(l->check->n, product, l, PRODUCTS, work) : 0.0;
    free(work);
    return work != NULL;
}

static int large_modes(linear *l) {
    static const double angle[3][2] = {{-1.0, 0.0}, {-0.7071, 0.7071}, {-0.2, 0.9798}};
    double radius;
    if (!large_radius(l, &radius)) return 0;
    if (l->check->doubts) {
        l->re[0] = -radius;
        l->im[0] = 0.0;
        return 1;
    }
    for (int i = 0; i < 3; i++) {
        l->re[i] = radius * angle[i][0];
        l->im[i] = radius * angle[i][1];
    }
    return 3;
}

/* Finds all eigenvalues of a small system; overwrites J. Returns false if they are not known. */
static bool find_modes(linear *l) {
    const int n = l->check->n;
    if (!l->J)
        l->n_modes = large_modes(l);
    else
        l->n_modes = dry_eigenvalues(n, l->J, l->re, l->im) == DRY_OK ? n : 0;
    return l->n_modes > 0;
}

static dry_mode fastest_mode(const linear *l) {
    dry_mode fastest = {0};
    for (int i = 0; i < l->n_modes; i++) {
        const double rate = dry_hypot(l->re[i], l->im[i]);
        if (rate >= fastest.rate) fastest = (dry_mode){rate, fabs(l->im[i]) > 0.1 * fabs(l->re[i])};
    }
    return fastest;
}

/* Rounding in the differences makes false slow modes: what is slower than 1e-6 of the fastest mode
 * does not matter for the step. */
static void drop_slow(linear *l, double fastest) {
    int kept = 0;
    for (int i = 0; i < l->n_modes; i++) {
        if (dry_hypot(l->re[i], l->im[i]) < 1e-6 * fastest) continue;
        l->re[kept] = l->re[i];
        l->im[kept++] = l->im[i];
    }
    l->n_modes = kept;
}

/* The largest (|J| d)_i/d_i, which is no less than any |lambda| for any d > 0 (Collatz 1942). */
static double rate_bound(const linear *l, const double *d, double *ratio) {
    const int n = l->check->n;
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) sum += fabs(l->J[i * n + j]) * d[j];
        ratio[i] = sum / d[i];
        most = ratio[i] > most || isnan(ratio[i]) ? ratio[i] : most;
    }
    return most;
}

/* Returns true if bounds, which cost much less than eigenvalues, show that no mode of a small
 * system is faster than the limit. Each round makes the ratios more equal. Computed eigenvalues
 * belong to a matrix with an error of 1e-16, which d magnifies by at most 1/LEAST: well inside the
 * margin of 1 %, so eigenvalues would give the same answer. */
static bool is_slow(linear *l, double limit) {
    static const double LEAST = 1e-8;
    double *d = l->shifted, *ratio = l->out;
    if (!l->J || !(limit > 0.0)) return false;
    for (int i = 0; i < l->check->n; i++) d[i] = 1.0;
    for (int round = 0; round < ROUNDS; round++) {
        const double most = rate_bound(l, d, ratio);
        if (most <= 0.99 * limit) return true;
        if (!isfinite(most)) return false;
        for (int i = 0; i < l->check->n; i++) d[i] = dry_max(LEAST, d[i] * sqrt(ratio[i] / most));
    }
    return false;
}

/* ---- by the matrix of a step ------------------------------------------------------------------
 */

/* A large system counts as unstable if the method is stable for no mode of that size. */
static bool is_stable_large(linear *l, double T) {
    static const double one = -1.0, none = 0.0;
    const double bound = dry_largest_step(l->check->method, 1, &one, &none);
    double radius;
    if (!large_radius(l, &radius)) return true;
    return !(T * radius > BEYOND * (bound > 0.0 && isfinite(bound) ? bound : 2.0));
}

static bool is_stable(linear *l, dry_branch branch, double T) {
    const dry_step_check *c = l->check;
    linearise(l, branch, T);
    if (!l->J) return is_stable_large(l, T);
    const dry_linear near_x = {c->n, l->J, c->positions, c->forced, c->options};
    return dry_linear_is_stable(c->arena, c->method, &near_x, T, NULL);
}

/* The largest step, to three digits; searched above `step` if J is small. */
static double largest_by_matrix(linear *l, dry_branch branch, double step) {
    double low = step, high = step;
    if (is_stable(l, branch, step)) {
        if (!l->J || l->check->n > SEARCHED) return (double)INFINITY;
        for (int k = 0; k < 30 && is_stable(l, branch, high); k++) low = high, high *= 2.0;
        if (high > 5e8 * step) return (double)INFINITY;
    } else {
        for (int k = 0; k < 40 && !is_stable(l, branch, low); k++) high = low, low /= 2.0;
    }
    while (high - low > 1e-3 * low) {
        const double middle = 0.5 * (low + high);
        *(is_stable(l, branch, middle) ? &low : &high) = middle;
    }
    return low;
}

/* ---- one branch --------------------------------------------------------------------------------
 */

static bool is_polynomial(const dry_step_check *check) {
    return check->method->stability == DRY_STABILITY_POLYNOMIAL;
}

/* The mode that requires a step no longer than this. */
static dry_mode limiting_mode(const linear *l, double largest) {
    for (int i = 0; i < l->n_modes; i++) {
        const double *re = &l->re[i], *im = &l->im[i];
        if (dry_largest_step(l->check->method, 1, re, im) <= largest)
            return (dry_mode){dry_hypot(*re, *im), fabs(*im) > 0.1 * fabs(*re)};
    }
    return fastest_mode(l);
}

/* Finds the largest step and the fastest mode of a branch; returns false if they are not known. */
static bool bound_branch(linear *l, dry_branch branch, double step, double *largest,
                         dry_mode *mode) {
    const dry_step_check *check = l->check;
    linearise(l, branch, step);
    if (!find_modes(l)) return false;
    *mode = fastest_mode(l);
    drop_slow(l, mode->rate);
    *largest = is_polynomial(check) ? dry_largest_step(check->method, l->n_modes, l->re, l->im)
               : step > 0.0         ? largest_by_matrix(l, branch, step)
                                    : (double)INFINITY;
    if (!l->J && check->doubts && is_polynomial(check)) *largest *= BEYOND;
    return true;
}

void dry_step_largest(const dry_step_check *check, double step, dry_step_answer *answer) {
    linear l;
    *answer = (dry_step_answer){.fastest = (double)NAN, .largest = (double)INFINITY};
    bool good = open_linear(&l, check);
    for (int i = 0; i < check->n_branches && good; i++) {
        double largest;
        dry_mode mode;
        if (!bound_branch(&l, check->branches[i], step, &largest, &mode)) continue;
        answer->known = true;
        if (i == 0) answer->fastest = mode.rate;
        if (i > 0 && !(largest < answer->largest)) continue;
        answer->largest = largest;
        answer->branch = check->branches[i];
        answer->mode = mode;
        if (is_polynomial(check) && step > largest) answer->mode = limiting_mode(&l, largest);
    }
    close_linear(&l);
}

static bool fits_branch(linear *l, dry_branch branch, double step) {
    const dry_step_check *check = l->check;
    double largest;
    dry_mode mode;
    linearise(l, branch, step);
    if (is_slow(l, dry_safe_radius(check->method) / step) && is_polynomial(check)) return true;
    if (!is_polynomial(check)) return is_stable(l, branch, step);
    return !bound_branch(l, branch, step, &largest, &mode) ||
           step * mode.rate <= dry_safe_radius(check->method) || !(step > largest);
}

bool dry_step_fits(const dry_step_check *check, double step) {
    linear l;
    bool fits = open_linear(&l, check);
    for (int i = 0; i < check->n_branches && fits; i++)
        fits = fits_branch(&l, check->branches[i], step);
    close_linear(&l);
    return fits;
}

/* ---- accuracy ----------------------------------------------------------------------------------
 */

/* Whether a mode is off by more than that part after its life; one that settles soon is not. */
static bool is_off(const dry_step_check *check, double re, double im, double T, double time,
                   double error) {
    if (fabs(re) > 0.05 * dry_hypot(re, im)) return false;
    const double life = 1.0 / dry_max(fabs(re), 1.0 / time);
    return dry_mode_error(check->method, re, im, T) * life > error * T;
}

/* To one percent, below what resolves it. */
static double resolve_mode(const linear *l, int i, double T, double time, double error) {
    const double re = l->re[i], im = l->im[i];
    double low = T, high = T;
    if (!is_off(l->check, re, im, T, time, error)) return T;
    for (int k = 0; k < 200 && is_off(l->check, re, im, low, time, error); k++)
        high = low, low *= 0.5;
    while (high - low > 1e-2 * low) {
        const double middle = 0.5 * (low + high);
        *(is_off(l->check, re, im, middle, time, error) ? &high : &low) = middle;
    }
    return low;
}

double dry_step_resolving(const dry_step_check *check, double step, double time, double error,
                          dry_mode *mode) {
    linear l;
    double T = step;
    if (check->n > DRY_STEP_DENSE) return T;
    const bool good = open_linear(&l, check);
    for (int k = 0; good && k < check->n_branches; k++) {
        linearise(&l, check->branches[k], step);
        if (!find_modes(&l)) continue;
        drop_slow(&l, fastest_mode(&l).rate);
        for (int i = 0; i < l.n_modes; i++) {
            const double needed = resolve_mode(&l, i, T, time, error);
            if (needed < T && mode) *mode = (dry_mode){dry_hypot(l.re[i], l.im[i]), true};
            T = needed;
        }
    }
    close_linear(&l);
    return T;
}

/* ---- branches ----------------------------------------------------------------------------------
 */

const char *dry_branch_text(dry_branch branch) {
    static const char *const texts[] = {[DRY_AS_IS] = "as it starts",
                                        [DRY_ALL_STUCK] = "all stuck and all closed",
                                        [DRY_ALL_SLIDING] = "all sliding and all closed",
                                        [DRY_ALL_OPEN] = "all stuck and all open",
                                        [DRY_ALL_LOOSE] = "all sliding and all open"};
    return texts[branch];
}

int dry_branches_of(bool frictions, bool contacts, dry_branch branches[4]) {
    int n = 0;
    branches[n++] = DRY_ALL_STUCK;
    if (frictions && contacts) branches[n++] = DRY_ALL_SLIDING;
    if (frictions && contacts) branches[n++] = DRY_ALL_OPEN;
    if (frictions || contacts) branches[n++] = DRY_ALL_LOOSE;
    return n;
}
