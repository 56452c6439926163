/* The prox problem of a step: projected Gauss-Seidel, finished by Newton.
 *
 *     slide = s0 + D lambda
 *     sgn:  lambda in chi sgn(slide)      <=>  lambda = sat(chi, lambda + rho slide)
 *     dio:  0 <= lambda, slide >= 0, one is 0  <=>  lambda = max(0, lambda - rho slide)
 *
 * X13 section 2, Theorems 1 and 2. D of a sgn resists (negative), of a dio pushes apart (positive).
 * W = -D of the own block. A problem that does not couple is solved by one sweep. */
#include "rigid_private.h"

/* Sweeps before the first iteration of Newton, and between iterations that did not help. */
enum { SWEEPS = 8, SECULAR = 60 };
/* After so many sweeps, levels that depend on forces follow them only by a part. Without this, a
 * contact that friction relieves by more than it causes would oscillate for ever. */
enum { PATIENCE = 4 * SWEEPS };
/* So many forces are solved for as a convex problem at once, fewer after so many sweeps. */
enum { MANY = 16, FEW = 2 * SWEEPS };

void dry_rigid__assemble(dry_rigid__problem *p, double scale, const double *feel,
                         const double *push) {
    memset(p->D, 0, (size_t)p->pattern.start[p->n_forces] * sizeof *p->D);
    for (int k = 0; k < p->pattern.n_terms; k++)
        p->D[p->pattern.term_at[k]] +=
            scale * feel[p->pattern.term_feel[k]] * push[p->pattern.term_push[k]];
}

/* ---- one set, the others given ------------------------------------------- */

/* lambda with (W + mu I) lambda = s; false if the matrix is singular. */
static bool shifted(int n, const double *W, double mu, const double *s, double *lambda) {
    double A[DRY_RIGID_DIM * DRY_RIGID_DIM];
    for (int i = 0; i < n * n; i++) A[i] = W[i] + (i % (n + 1) == 0 ? mu : 0.0);
    for (int i = 0; i < n; i++) lambda[i] = s[i];
    return dry_solve(n, A, lambda) == DRY_OK;
}

/* A vector whose parts act on fewer velocities has a singular W: many forces hold, and this shift
 * takes a short one. */
static double least_shift(int n, const double *W) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += W[i * n + i];
    return 1e-13 * sum;
}

/* Whether lambda stops the slide. */
static bool holds(int n, const double *W, const double *s, const double *lambda) {
    double left[DRY_RIGID_DIM];
    for (int i = 0; i < n; i++) {
        left[i] = s[i];
        for (int c = 0; c < n; c++) left[i] -= W[i * n + c] * lambda[c];
    }
    return dry_norm(n, left) <= 1e-10 * dry_norm(n, s);
}

/* The slipping force: |lambda| = chi with mu = |slide| / chi. The length falls as mu rises: Newton
 * on 1/length, which is nearly straight, kept within a bracket. */
static void secular(int n, const double *W, double chi, const double *s, double *lambda) {
    double low = 0.0, high = dry_norm(n, s) / chi, mu = 0.0;
    for (int k = 0; k < SECULAR; k++) {
        double rate[DRY_RIGID_DIM];
        if (!shifted(n, W, mu, s, lambda)) { /* singular: only mu = 0 is */
            mu = least_shift(n, W);
            continue;
        }
        const double length = dry_norm(n, lambda);
        if (fabs(length - chi) <= 1e-15 * chi) break;
        if (length > chi)
            low = mu;
        else
            high = mu;
        if (!shifted(n, W, mu, lambda, rate)) break;
        double slope = 0.0; /* of length^2 / 2, with its sign changed */
        for (int i = 0; i < n; i++) slope += lambda[i] * rate[i];
        const double next = mu + (length - chi) / chi * length * length / slope;
        mu = next > low && next < high ? next : 0.5 * (low + high);
    }
    dry_sat(n, chi, lambda, lambda);
}

/* W is a multiple of the identity. */
static bool isotropic(int n, const double *W) {
    for (int i = 0; i < n * n; i++)
        if (fabs(W[i] - (i % (n + 1) == 0 ? W[0] : 0.0)) > 1e-15 * fabs(W[0])) return false;
    return true;
}

/* s is the slide with the own force at zero. */
static bool solve_vector(int n, const double *W, double chi, const double *s, double *lambda) {
    double stuck[DRY_RIGID_DIM];
    if (isotropic(n, W)) {
        for (int i = 0; i < n; i++) stuck[i] = s[i] / W[0];
        return !dry_sat(n, chi, stuck, lambda);
    }
    if ((shifted(n, W, 0.0, s, stuck) && dry_norm(n, stuck) <= chi) ||
        (shifted(n, W, least_shift(n, W), s, stuck) && dry_norm(n, stuck) <= chi &&
         holds(n, W, s, stuck))) {
        memcpy(lambda, stuck, (size_t)n * sizeof *lambda);
        return true;
    }
    if (chi > 0.0)
        secular(n, W, chi, s, lambda);
    else
        memset(lambda, 0, (size_t)n * sizeof *lambda);
    return false;
}

/* Solves for one set, its level following the forces by the part `follow`; the largest change of
 * its force. */
static double relax(dry_rigid__problem *p, int set, double follow) {
    const dry_inclusion_set *of = &p->sets[set];
    const int first = of->force, n = of->dim;
    double W[DRY_RIGID_DIM * DRY_RIGID_DIM], s[DRY_RIGID_DIM], change = 0.0;
    double *lambda = p->lambda + first, before[DRY_RIGID_DIM];
    for (int i = 0; i < n; i++) {
        before[i] = lambda[i];
        s[i] = dry_rigid__slide(p, first + i);
        for (int c = 0; c < n; c++) {
            W[i * n + c] = -p->D[p->pattern.own[first + i] + c];
            s[i] += W[i * n + c] * lambda[c];
        }
    }
    if (of->set->has_level) {
        const double level = dry_rigid__level(p, set);
        p->level[set] = follow < 1.0 ? p->level[set] + follow * (level - p->level[set]) : level;
    }
    if (n == 1) {
        const double holding = s[0] / W[0];
        p->inside[set] = of->set->project(1, p->level[set], &holding, lambda);
    } else
        p->inside[set] = solve_vector(n, W, p->level[set], s, lambda);
    for (int i = 0; i < n; i++) change = dry_max(change, fabs(lambda[i] - before[i]));
    return change;
}

/* ---- all sets ------------------------------------------------------------ */

/* The largest change of a force; not a number if a force is not finite. */
static double sweep(dry_rigid__problem *p, double follow) {
    double change = 0.0, zero = 0.0;
    for (int set = 0; set < p->n_sets; set++)
        if (p->active[set]) {
            const double moved = relax(p, set, follow);
            zero += 0.0 * moved;
            change = dry_max(change, moved);
        }
    p->iterations++;
    return change + zero;
}

static bool sign_fits(const dry_rigid__problem *p, int set) {
    const double sign = p->sets[set].set->kind == DRY_SET_OF_POSITIONS ? 1.0 : -1.0;
    for (int c = 0; c < p->sets[set].dim; c++)
        if (!(sign * p->D[p->pattern.own[p->sets[set].force + c] + c] > 0.0)) return false;
    return true;
}

static dry_rigid__fault prepare(dry_rigid__problem *p) {
    for (int set = 0; set < p->n_sets; set++) {
        if (!p->active[set]) {
            for (int c = 0; c < p->sets[set].dim; c++) p->lambda[p->sets[set].force + c] = 0.0;
            p->inside[set] = false;
            p->level[set] = 0.0;
            continue;
        }
        if (!sign_fits(p, set)) return (dry_rigid__fault){DRY_RIGID_WRONG_SIGN, set};
        if (p->sets[set].set->kind == DRY_SET_OF_FORCES &&
            !dry_rigid__is_lifted(&p->pattern, set) && !(p->base[set] >= 0.0))
            return (dry_rigid__fault){DRY_RIGID_BAD_LEVEL, set};
    }
    return (dry_rigid__fault){0};
}

/* The largest component of lambda - prox(lambda + rho slide) with the slides of the answer. */
static double residual(const dry_rigid__problem *p) {
    double most = 0.0;
    for (int set = 0; set < p->n_sets; set++) {
        const dry_inclusion_set *of = &p->sets[set];
        double f[DRY_RIGID_DIM];
        if (!p->active[set]) continue;
        const double rho = -1.0 / dry_rigid__diagonal(p, set);
        for (int c = 0; c < of->dim; c++)
            f[c] = p->lambda[of->force + c] + rho * p->slide[of->force + c];
        of->set->project(of->dim, dry_rigid__level(p, set), f, f);
        for (int c = 0; c < of->dim; c++)
            most = dry_max(most, fabs(f[c] - p->lambda[of->force + c]));
    }
    return most;
}

/* The slides of the answer, and how far it is from its sets. */
static dry_rigid__fault finish(dry_rigid__problem *p) {
    for (int i = 0; i < p->n_forces; i++) p->slide[i] = dry_rigid__slide(p, i);
    const double left = residual(p);
    if (left > 0.0) p->worst = dry_max(p->worst, left / dry_rigid__largest(p));
    return (dry_rigid__fault){0};
}

/* As a convex problem; a last sweep sets `inside`. */
static dry_rigid__answer settle(dry_rigid__problem *p) {
    const dry_rigid__answer answer = dry_rigid__settle(p);
    if (answer == DRY_RIGID_SOLVED) sweep(p, 1.0);
    return answer;
}

static dry_rigid__fault give_up(dry_rigid__problem *p) {
    const double residual = dry_rigid__residual(p, p->blame);
    p->error = residual / dry_rigid__largest(p);
    return (dry_rigid__fault){DRY_RIGID_NOT_CONVERGED, 0};
}

static bool fits_levels(dry_rigid__problem *p) {
    return dry_rigid__residual(p, NULL) <= DRY_RIGID_ENOUGH * dry_rigid__largest(p);
}

/* Whether sweep k has ended at an answer. Late sweeps follow their levels by a part only, so that
 * forces may stand still away from an answer: there the residual decides. */
static bool is_answer(dry_rigid__problem *p, int k, double change) {
    const double largest = dry_rigid__largest(p);
    if (!p->pattern.coupled) return true;
    if (!(change <= p->residual * largest)) return false;
    return k < PATIENCE || fits_levels(p);
}

dry_rigid__fault dry_rigid__solve(dry_rigid__problem *p) {
    const dry_rigid__fault bad = prepare(p);
    if (bad.why) return bad;
    for (int k = 0; k < p->max_iterations; k++) {
        if (k == (p->n_forces >= MANY ? 0 : FEW) && p->pattern.coupled) {
            const dry_rigid__answer answer = settle(p);
            if (answer == DRY_RIGID_SOLVED) return finish(p);
            if (answer == DRY_RIGID_NO_ANSWER) return (dry_rigid__fault){DRY_RIGID_CRUSHED, 0};
        }
        const double change = sweep(p, k < PATIENCE ? 1.0 : k < 8 * PATIENCE ? 0.5 : 0.125);
        if (is_answer(p, k, change)) return finish(p);
        if (!(change < (double)INFINITY)) break;
        if ((k + 1) % SWEEPS == 0 && dry_rigid__finish_by_newton(p))
            sweep(p, 1.0); /* sets `inside` as well */
    }
    return p->pattern.lifted && fits_levels(p) ? finish(p) : give_up(p);
}
