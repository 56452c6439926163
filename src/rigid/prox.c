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
enum { SWEEPS = 8, NEWTONS = 12, SECULAR = 60 };
/* After so many sweeps, levels that depend on forces follow them only by a part. Without this, a
 * contact that friction relieves by more than it causes would oscillate for ever. */
enum { PATIENCE = 4 * SWEEPS };

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

/* The slipping force: |lambda| = chi with mu = |slide| / chi. The length falls as mu rises: Newton
 * on 1/length, which is nearly straight, kept within a bracket. */
static void secular(int n, const double *W, double chi, const double *s, double *lambda) {
    double low = 0.0, high = dry_norm(n, s) / chi, mu = 0.0;
    for (int k = 0; k < SECULAR; k++) {
        double rate[DRY_RIGID_DIM];
        if (!shifted(n, W, mu, s, lambda)) break;
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
    const bool solved = shifted(n, W, 0.0, s, stuck);
    if (solved && dry_norm(n, stuck) <= chi) {
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

static double largest(const dry_rigid__problem *p) {
    double most = 0.0;
    for (int i = 0; i < p->n_forces; i++) most = dry_max(most, fabs(p->lambda[i]));
    return most;
}

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
    const double sign = p->sets[set].set->kind == DRY_SET_OF_PLACES ? 1.0 : -1.0;
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

/* Iterates Newton as long as the residual falls; true if the residual is small enough. */
static bool newton(dry_rigid__problem *p) {
    int force;
    double error = dry_rigid__residual(p, &force);
    for (int k = 0; k < NEWTONS; k++) {
        memcpy(p->band.saved, p->lambda, (size_t)p->n_forces * sizeof *p->lambda);
        const bool solved = dry_rigid__newton(p);
        p->newtons++;
        const double now = solved ? dry_rigid__residual(p, &force) : (double)INFINITY;
        const bool reached = now <= p->residual * largest(p);
        if (!reached && !(now < error)) {
            memcpy(p->lambda, p->band.saved, (size_t)p->n_forces * sizeof *p->lambda);
            return false;
        }
        error = now;
        if (reached) return true;
    }
    return false;
}

/* The slides of the answer. */
static dry_rigid__fault finish(dry_rigid__problem *p) {
    for (int i = 0; i < p->n_forces; i++) p->slide[i] = dry_rigid__slide(p, i);
    return (dry_rigid__fault){0};
}

dry_rigid__fault dry_rigid__solve(dry_rigid__problem *p) {
    const dry_rigid__fault bad = prepare(p);
    if (bad.why) return bad;
    int force = 0;
    for (int k = 1; k <= p->max_iterations; k++) {
        const double change = sweep(p, k <= PATIENCE ? 1.0 : k <= 8 * PATIENCE ? 0.5 : 0.125);
        if (!p->pattern.coupled || change <= p->residual * largest(p)) return finish(p);
        if (!(change < (double)INFINITY)) break;
        if (k % SWEEPS == 0 && p->band.matrix && newton(p))
            sweep(p, 1.0); /* sets `inside` as well */
    }
    dry_rigid__residual(p, &force);
    return (dry_rigid__fault){DRY_RIGID_NOT_CONVERGED, force};
}
