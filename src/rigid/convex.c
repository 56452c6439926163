/* The convex problem of a step whose levels are known, by Newton on the projection with a line
 * search, so it cannot cycle.
 *
 *     R(lambda) = lambda - T,  T = prox(lambda - gamma g),  g = W lambda + q
 *     E(lambda) = 1/2 lambda.W lambda + q.lambda + g.(T - lambda) + |T - lambda|^2/(2 gamma)
 *
 * E is the forward-backward envelope of the objective (Patrinos, Bemporad 2013): it has the same
 * minima, and falls by a step to T if 1/gamma - W is positive definite; gamma is one over the sum
 * of a row of |W|. Newton's step d solves (I - P (I - gamma W)) d = -R with P = d prox; with d = P
 * z - R its matrix is symmetric,
 *
 *     (P W P + P (I - P)/gamma + delta/gamma) z = P (W R - R/gamma)
 *
 * The step is lambda - (1 - s) R + s d, s halved until E falls (Stella et al. 2017). delta takes,
 * of many answers of a singular W, one near the last. If this does not converge, interior.c starts
 * it anew.
 *
 * lambda: forces, N; g: slides, m/s; gamma: kg/s. */
#include "rigid_private.h"

/* Steps from the last forces, and from those of interior.c. */
enum { FIRST = 12, NEWTONS = 40, HALVINGS = 8, POLISH = 2 };
static const double MARGIN = 0.95; /* of gamma */
static const double DELTA = 1e-12;
static const double FALL = 1e-3;      /* of E, in parts of what T promises */
static const double ROUNDING = 1e-11; /* of E */
/* An error of the forces that rounding may leave, in parts of the largest. */
static const double ENOUGH = 1e-9;
static const double LARGE = 1e6;
/* W is symmetric up to this part of its largest entry in the row. */
static const double SYMMETRIC = 1e-9;

static void *take(dry_arena *arena, size_t count, size_t bytes) {
    return dry_arena_take(arena, (count > 0 ? count : 1) * bytes);
}

/* ---- memory --------------------------------------------------------------- */

/* The entry of W for each entry of D, both with rising columns. */
static void find_entries(const dry_rigid__problem *p, dry_rigid__convex *c) {
    for (int i = 0; i < p->n_forces; i++)
        for (int k = p->pattern.start[i], e = c->sparse.start[i]; k < p->pattern.start[i + 1];
             k++) {
            while (c->sparse.column[e] != p->pattern.column[k]) e++;
            c->from[k] = e;
        }
}

static bool take_point(dry_arena *arena, size_t n, dry_rigid__point *to) {
    to->lambda = take(arena, n, sizeof(double));
    to->g = take(arena, n, sizeof(double));
    to->T = take(arena, n, sizeof(double));
    return to->lambda && to->g && to->T;
}

bool dry_rigid__convex_new(dry_arena *arena, dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    const size_t n = (size_t)p->n_forces, sets = (size_t)p->n_sets;
    if (!p->pattern.coupled) return true;
    if (!dry_rigid__sparse_new(arena, p, &c->sparse, &c->possible)) return false;
    if (!c->possible) return true;
    const size_t entries = (size_t)c->sparse.start[p->n_forces];
    c->from = take(arena, (size_t)p->pattern.start[p->n_forces], sizeof(int));
    c->W = take(arena, entries, sizeof(double)), c->A = take(arena, entries, sizeof(double));
    c->gamma = take(arena, sets, sizeof(double));
    c->mu = take(arena, sets, sizeof(double)), c->room = take(arena, sets, sizeof(double));
    c->P = take(arena, sets * DRY_RIGID_DIM * DRY_RIGID_DIM, sizeof(double));
    c->q = take(arena, n, sizeof(double)), c->R = take(arena, n, sizeof(double));
    c->z = take(arena, n, sizeof(double)), c->best = take(arena, n, sizeof(double));
    c->spare = take(arena, n, sizeof(double));
    if (!c->from || !c->W || !c->A || !c->gamma || !c->mu || !c->room || !c->P || !c->q || !c->R ||
        !c->z || !c->spare || !c->best || !take_point(arena, n, &c->now) ||
        !take_point(arena, n, &c->next))
        return false;
    find_entries(p, c);
    return true;
}

/* ---- W and q -------------------------------------------------------------- */

static double side(const dry_rigid__problem *p, int i) {
    return p->sets[p->pattern.set_of[i]].set->kind == DRY_SET_OF_POSITIONS ? 1.0 : -1.0;
}

/* False if W is not symmetric. */
static bool load(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    const dry_rigid__sparse *s = &c->sparse;
    memset(c->W, 0, (size_t)s->start[s->n] * sizeof *c->W);
    for (int i = 0; i < s->n; i++) {
        const double sign = side(p, i);
        c->q[i] = sign * p->s0[i];
        for (int k = p->pattern.start[i]; k < p->pattern.start[i + 1]; k++)
            c->W[c->from[k]] = sign * p->D[k];
    }
    for (int i = 0; i < s->n; i++)
        for (int e = s->start[i]; e < s->start[i + 1] && s->column[e] < i; e++) {
            const int m = s->mirror[e], j = s->column[e];
            const double apart = fabs(c->W[e] - c->W[m]);
            if (p->active[p->pattern.set_of[i]] && p->active[p->pattern.set_of[j]] &&
                !(apart <= SYMMETRIC * (fabs(c->W[s->diagonal[i]]) + fabs(c->W[s->diagonal[j]]))))
                return false;
            c->W[e] = c->W[m] = 0.5 * (c->W[e] + c->W[m]);
        }
    return true;
}

bool dry_rigid__is_mutual(dry_rigid__problem *p) {
    return !p->pattern.coupled || (p->convex.possible && load(p));
}

static void set_gamma(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    const dry_rigid__sparse *s = &c->sparse;
    for (int set = 0; set < p->n_sets; set++) {
        const dry_inclusion_set *of = &p->sets[set];
        double most = 0.0;
        c->gamma[set] = 0.0;
        if (!p->active[set] || (of->set->has_level && !(p->level[set] > 0.0))) continue;
        for (int i = of->force; i < of->force + of->dim; i++) {
            double sum = 0.0;
            for (int e = s->start[i]; e < s->start[i + 1]; e++) sum += fabs(c->W[e]);
            most = dry_max(most, sum);
        }
        c->gamma[set] = MARGIN / most;
    }
}

/* A force that is much larger than what would stop the fastest slide has no meaning of its own. */
static void set_large(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    double fast = 0.0, light = 0.0, level = 0.0;
    for (int i = 0; i < p->n_forces; i++) {
        const int set = p->pattern.set_of[i];
        if (c->gamma[set] == 0.0) continue;
        fast = dry_max(fast, fabs(c->q[i]));
        light = dry_max(light, 1.0 / fabs(dry_rigid__diagonal(p, set)));
        if (p->sets[set].set->has_level) level = dry_max(level, p->level[set]);
    }
    c->large = LARGE * (fast * light + level);
}

/* out = W x, with q if there is one. */
static void multiply(const dry_rigid__convex *c, const double *x, const double *q, double *out) {
    const dry_rigid__sparse *s = &c->sparse;
    for (int i = 0; i < s->n; i++) {
        double sum = q ? q[i] : 0.0;
        for (int e = s->start[i]; e < s->start[i + 1]; e++) sum += c->W[e] * x[s->column[e]];
        out[i] = sum;
    }
}

/* ---- a point -------------------------------------------------------------- */

/* prox(lambda - step g) of a set. */
static void project(const dry_rigid__problem *p, const dry_rigid__point *at, int set, double step,
                    double *to) {
    const dry_inclusion_set *of = &p->sets[set];
    double y[DRY_RIGID_DIM];
    for (int c = 0; c < of->dim; c++)
        y[c] = at->lambda[of->force + c] - step * at->g[of->force + c];
    of->set->project(of->dim, p->level[set], y, to);
}

static void evaluate(dry_rigid__problem *p, dry_rigid__point *at) {
    const dry_rigid__convex *c = &p->convex;
    double twice = 0.0, ahead = 0.0;
    for (int set = 0; set < p->n_sets; set++)
        if (c->gamma[set] == 0.0)
            for (int k = 0; k < p->sets[set].dim; k++)
                at->lambda[p->sets[set].force + k] = at->T[p->sets[set].force + k] = 0.0;
    multiply(c, at->lambda, c->q, at->g);
    at->change = 0.0;
    for (int set = 0; set < p->n_sets; set++) {
        const int first = p->sets[set].force;
        if (c->gamma[set] == 0.0) continue;
        project(p, at, set, c->gamma[set], at->T + first);
        for (int i = first; i < first + p->sets[set].dim; i++) {
            const double move = at->T[i] - at->lambda[i];
            twice += at->lambda[i] * (at->g[i] + c->q[i]);
            ahead += move * (at->g[i] + 0.5 * move / c->gamma[set]);
            at->change = dry_max(at->change, fabs(move));
        }
    }
    at->envelope = 0.5 * twice + ahead;
}

/* The residual of the projection with each set's own step, in parts of the largest force. */
static double error_of(const dry_rigid__problem *p, const dry_rigid__point *at) {
    double error = 0.0, most = 0.0;
    for (int set = 0; set < p->n_sets; set++) {
        const dry_inclusion_set *of = &p->sets[set];
        double to[DRY_RIGID_DIM];
        if (p->convex.gamma[set] == 0.0) continue;
        project(p, at, set, 1.0 / fabs(dry_rigid__diagonal(p, set)), to);
        for (int c = 0; c < of->dim; c++) {
            const double apart = fabs(at->lambda[of->force + c] - to[c]);
            if (isnan(apart)) return apart;
            error = dry_max(error, apart);
            most = dry_max(most, fabs(at->lambda[of->force + c]));
        }
    }
    return error == 0.0 ? 0.0 : error / dry_min(most, p->convex.large);
}

/* ---- Newton's step --------------------------------------------------------- */

static const int BLOCK = DRY_RIGID_DIM * DRY_RIGID_DIM;

/* The slopes of the projections at `now`. */
static void set_slopes(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    for (int set = 0; set < p->n_sets; set++) {
        const dry_inclusion_set *of = &p->sets[set];
        double y[DRY_RIGID_DIM], by_level[DRY_RIGID_DIM], *P = c->P + set * BLOCK;
        memset(P, 0, (size_t)BLOCK * sizeof *P);
        if (c->gamma[set] == 0.0) continue;
        for (int k = 0; k < of->dim; k++)
            y[k] = c->now.lambda[of->force + k] - c->gamma[set] * c->now.g[of->force + k];
        of->set->derivative(of->dim, p->level[set], y, P, by_level);
    }
}

/* out = P x, block by block. */
static void apply_slopes(const dry_rigid__problem *p, const double *x, double *out) {
    for (int set = 0; set < p->n_sets; set++) {
        const int first = p->sets[set].force, dim = p->sets[set].dim;
        const double *P = p->convex.P + set * BLOCK;
        double sum[DRY_RIGID_DIM] = {0};
        for (int i = 0; i < dim; i++)
            for (int k = 0; k < dim; k++) sum[i] += P[i * dim + k] * x[first + k];
        memcpy(out + first, sum, (size_t)dim * sizeof *out);
    }
}

/* Row i of the block of two vector sets in P W P; e: its first entry. */
static void multiply_block(dry_rigid__problem *p, int i, int e, int set, int other) {
    dry_rigid__convex *c = &p->convex;
    const int n = p->sets[set].dim, m = p->sets[other].dim, first = p->sets[set].force;
    const double *P = c->P + set * BLOCK + (i - first) * n, *Q = c->P + other * BLOCK;
    const int offset = e - c->sparse.start[i];
    double row[DRY_RIGID_DIM] = {0};
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m; j++) row[j] += P[k] * c->W[c->sparse.start[first + k] + offset + j];
    for (int j = 0; j < m; j++) {
        double sum = 0.0;
        for (int k = 0; k < m; k++) sum += row[k] * Q[k * m + j];
        c->A[e + j] = sum;
    }
}

/* Adds P (I - P)/gamma to the own block of row i, and delta/gamma to its diagonal. */
static void add_own(dry_rigid__problem *p, int i, int set) {
    dry_rigid__convex *c = &p->convex;
    const int n = p->sets[set].dim, row = i - p->sets[set].force;
    const double *P = c->P + set * BLOCK, one = c->gamma[set] > 0.0 ? 1.0 / c->gamma[set] : 1.0;
    double *own = c->A + c->sparse.diagonal[i] - row;
    for (int j = 0; j < n; j++) {
        double sum = P[row * n + j];
        for (int k = 0; k < n; k++) sum -= P[row * n + k] * P[k * n + j];
        own[j] += one * sum;
    }
    own[row] += DELTA * one;
    c->spare[i] = 0.5 * DELTA * one;
}

static void fill_matrix(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    const dry_rigid__sparse *s = &c->sparse;
    for (int i = 0; i < s->n; i++) {
        const int set = p->pattern.set_of[i];
        for (int e = s->start[i]; e < s->start[i + 1];) {
            const int other = p->pattern.set_of[s->column[e]], m = p->sets[other].dim;
            if (m == 1 && p->sets[set].dim == 1)
                c->A[e] = c->P[set * BLOCK] * c->W[e] * c->P[other * BLOCK];
            else
                multiply_block(p, i, e, set, other);
            e += m;
        }
        add_own(p, i, set);
    }
}

/* next.lambda = now.lambda + d */
static void newton(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    set_slopes(p);
    for (int i = 0; i < p->n_forces; i++) c->R[i] = c->now.lambda[i] - c->now.T[i];
    multiply(c, c->R, NULL, c->z);
    for (int i = 0; i < p->n_forces; i++) {
        const double gamma = c->gamma[p->pattern.set_of[i]];
        c->z[i] -= gamma > 0.0 ? c->R[i] / gamma : 0.0;
    }
    apply_slopes(p, c->z, c->z);
    fill_matrix(p);
    dry_rigid__factor(&c->sparse, c->A, c->spare);
    dry_rigid__substitute(&c->sparse, c->z);
    apply_slopes(p, c->z, c->z);
    for (int i = 0; i < p->n_forces; i++) c->z[i] -= c->R[i];
    c->steps++;
}

/* ---- the iteration ---------------------------------------------------------- */

static void swap_points(dry_rigid__convex *c) {
    const dry_rigid__point kept = c->now;
    c->now = c->next;
    c->next = kept;
}

/* What a step to T promises. */
static double promise(const dry_rigid__problem *p) {
    const dry_rigid__convex *c = &p->convex;
    double sum = 0.0;
    for (int i = 0; i < p->n_forces; i++) {
        const double gamma = c->gamma[p->pattern.set_of[i]];
        if (gamma > 0.0) sum += c->R[i] * c->R[i] / (2.0 * gamma);
    }
    return sum;
}

/* One step of Newton, shortened until the envelope falls, or the residual is halved; a fall that
 * rounding would hide is not looked for. */
static void iterate(dry_rigid__problem *p, double *best) {
    dry_rigid__convex *c = &p->convex;
    newton(p);
    const double promised = promise(p), wanted = c->now.envelope - FALL * promised;
    const bool blind = promised <= ROUNDING * fabs(c->now.envelope);
    double part = 1.0;
    for (int k = 0; k <= HALVINGS; k++, part = k < HALVINGS ? 0.5 * part : 0.0) {
        for (int i = 0; i < p->n_forces; i++)
            c->next.lambda[i] = c->now.lambda[i] - (1.0 - part) * c->R[i] + part * c->z[i];
        evaluate(p, &c->next);
        if (blind || c->next.change <= 0.5 * *best || c->next.envelope <= wanted) break;
    }
    *best = dry_min(*best, c->next.change);
    swap_points(c);
}

/* Keeps the answer with the least error so far. */
static void keep_best(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    const double error = error_of(p, &c->now);
    if (!(error < c->error)) return;
    c->error = error;
    memcpy(c->best, c->now.lambda, (size_t)p->n_forces * sizeof *c->best);
}

/* Until the error is as small as wanted, or is rounding: small enough, and not much smaller after
 * some more steps. */
static bool descend(dry_rigid__problem *p, int most) {
    dry_rigid__convex *c = &p->convex;
    evaluate(p, &c->now);
    double best = c->now.change;
    for (int k = 0, close = 0; k <= most; k++) {
        keep_best(p);
        if (c->error <= 0.5 * p->residual) return true;
        if (c->error <= ENOUGH && ++close > POLISH) return true;
        if (!(c->now.change < (double)INFINITY)) return false;
        iterate(p, &best);
    }
    return c->error <= ENOUGH;
}

/* ---- the whole problem ------------------------------------------------------- */

/* Forces too large to be compared with what they leave: only a full answer counts. */
static bool is_vast(const dry_rigid__problem *p) {
    const dry_rigid__convex *c = &p->convex;
    double most = 0.0;
    for (int i = 0; i < p->n_forces; i++) most = dry_max(most, fabs(c->best[i]));
    return most > c->large && c->error > 0.5 * p->residual;
}

dry_rigid__answer dry_rigid__convex_solve(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    if (!c->possible || !load(p)) return DRY_RIGID_UNSOLVED;
    set_gamma(p);
    set_large(p);
    memcpy(c->now.lambda, p->lambda, (size_t)p->n_forces * sizeof *p->lambda);
    c->error = (double)INFINITY;
    if (!descend(p, FIRST) || is_vast(p)) {
        dry_rigid__interior(p);
        dry_rigid__note_growth(p);
        const bool found = descend(p, NEWTONS);
        if ((!found || is_vast(p)) && dry_rigid__is_crushed(p)) return DRY_RIGID_NO_ANSWER;
        if (!found) return DRY_RIGID_UNSOLVED;
    }
    memcpy(p->lambda, c->best, (size_t)p->n_forces * sizeof *p->lambda);
    return DRY_RIGID_SOLVED;
}
