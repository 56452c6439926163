/* Newton for the prox problem: the equation R(lambda) = 0, its slope, and a solver for narrow
 * bands.
 *
 *     R = lambda - prox(y),  y = lambda + rho slide,  rho = -1/D_own: its sign is that of the set
 *     dR = dl - P (dl + rho D dl) - g dchi,  P = d prox/dy, g = d prox/dchi (dry_set, math.h)
 *
 * The forces are ordered so that those which act on each other are near (Cuthill, McKee 1969), so
 * that thousands of bodies cost in proportion to their number. */
#include "rigid_private.h"

enum { NEWTONS = 12 }; /* one after the other */
enum { HALVES = 4 };   /* of a step that does not help as a whole */

/* Problems whose levels are known are convex, and convex.c solves those that Newton does not. If
 * levels depend on forces, only Newton is left at a limit, and it has two helps. A step that does
 * not help as a whole is halved. Where forces hold more than moves (hyperstatic), the matrix is
 * singular: a row of a force inside of its set is D scaled to a diagonal of 1, and with this much
 * more on it the matrix is regular. A step then leaves forces about where they are along what the
 * equations do not say (the proximal point of Rockafellar 1976), and lacks this part of what they
 * say, so that a few steps have all of it. */
static const double SHIFT = 1e-9;

/* ---- the equation -------------------------------------------------------- */

/* y of a set, and rho with its sign. */
static double argument(const dry_rigid__problem *p, int set, double y[DRY_RIGID_DIM]) {
    const double rho = -1.0 / dry_rigid__diagonal(p, set);
    const int first = p->sets[set].force;
    for (int c = 0; c < p->sets[set].dim; c++)
        y[c] = p->lambda[first + c] + rho * dry_rigid__slide(p, first + c);
    return rho;
}

/* R of a set. */
static void equation(dry_rigid__problem *p, int set, double R[DRY_RIGID_DIM]) {
    const dry_inclusion_set *of = &p->sets[set];
    double y[DRY_RIGID_DIM], prox[DRY_RIGID_DIM] = {0};
    if (p->active[set]) {
        argument(p, set, y);
        of->set->project(of->dim, dry_rigid__level(p, set), y, prox);
    }
    for (int c = 0; c < of->dim; c++) R[c] = p->lambda[of->force + c] - prox[c];
}

double dry_rigid__residual(dry_rigid__problem *p, double *of) {
    double most = 0.0;
    for (int set = 0; set < p->n_sets; set++) {
        double R[DRY_RIGID_DIM];
        equation(p, set, R);
        for (int c = 0; c < p->sets[set].dim; c++) {
            if (of) of[p->sets[set].force + c] = fabs(R[c]);
            if (!(fabs(R[c]) <= most)) most = fabs(R[c]);
        }
    }
    return most;
}

/* ---- its slope: row k of the band holds columns k - band .. k + 2 band ---- */

static int row_length(const dry_rigid__band *b) { return 3 * b->width + 1; }

static double *entry(const dry_rigid__band *b, int row, int column) {
    return b->matrix + (size_t)row * (size_t)row_length(b) + (column - row + b->width);
}
static void add(dry_rigid__band *b, int force, int by, double value) {
    *entry(b, b->place[force], b->place[by]) += value;
}

/* Row `force` += factor times row `of` of D. */
static void add_slide(dry_rigid__problem *p, int force, int of, double factor) {
    for (int k = p->pattern.start[of]; k < p->pattern.start[of + 1]; k++)
        add(&p->band, force, p->pattern.column[k], factor * p->D[k]);
}

/* Outside of its set. */
static void slope_outside(dry_rigid__problem *p, int set, double rho, const double *P,
                          const double *g) {
    const int first = p->sets[set].force, dim = p->sets[set].dim;
    for (int i = 0; i < dim; i++) {
        add(&p->band, first + i, first + i, 1.0);
        for (int c = 0; c < dim; c++) {
            const double part = -P[i * dim + c];
            if (part == 0.0) continue;
            add(&p->band, first + i, first + c, part);
            add_slide(p, first + i, first + c, rho * part);
        }
        if (g[i] == 0.0) continue;
        for (int k = p->pattern.lift_start[set]; k < p->pattern.lift_start[set + 1]; k++)
            add(&p->band, first + i, p->pattern.lift_force[k], -g[i] * p->lift[k]);
    }
}

static void slope(dry_rigid__problem *p, int set, double shift) {
    const dry_inclusion_set *of = &p->sets[set];
    double y[DRY_RIGID_DIM], P[DRY_RIGID_DIM * DRY_RIGID_DIM] = {0}, g[DRY_RIGID_DIM] = {0};
    double rho = 0.0;
    bool inside = false;
    if (p->active[set]) {
        rho = argument(p, set, y);
        inside = of->set->derivative(of->dim, dry_rigid__level(p, set), y, P, g);
    }
    if (!inside)
        slope_outside(p, set, rho, P, g);
    else /* P is the identity */
        for (int c = 0; c < of->dim; c++) {
            add(&p->band, of->force + c, of->force + c, shift);
            add_slide(p, of->force + c, of->force + c, -rho);
        }
}

/* ---- elimination with partial pivoting within the band ------------------- */

static void swap_rows(dry_rigid__band *of, int i, int k, int last) {
    for (int c = i; c <= last; c++) {
        const double value = *entry(of, i, c);
        *entry(of, i, c) = *entry(of, k, c);
        *entry(of, k, c) = value;
    }
    const double value = of->right[i];
    of->right[i] = of->right[k];
    of->right[k] = value;
}

static int pivot_row(const dry_rigid__band *b, int k, int below) {
    int best = k;
    for (int r = k + 1; r <= below; r++)
        if (fabs(*entry(b, r, k)) > fabs(*entry(b, best, k))) best = r;
    return best;
}

/* `right` becomes the answer; false if a pivot vanishes compared with the largest one. */
static bool eliminate(dry_rigid__band *b, int n) {
    double most = 0.0;
    for (int k = 0; k < n; k++) {
        const int below = k + b->width < n ? k + b->width : n - 1;
        const int last = k + 2 * b->width < n ? k + 2 * b->width : n - 1;
        const int best = pivot_row(b, k, below);
        if (best != k) swap_rows(b, k, best, last);
        const double pivot = *entry(b, k, k);
        most = dry_max(most, fabs(pivot));
        if (!(fabs(pivot) > 1e-14 * most)) return false;
        for (int r = k + 1; r <= below; r++) {
            const double factor = *entry(b, r, k) / pivot;
            if (factor == 0.0) continue;
            for (int c = k + 1; c <= last; c++) *entry(b, r, c) -= factor * *entry(b, k, c);
            b->right[r] -= factor * b->right[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        const int last = k + 2 * b->width < n ? k + 2 * b->width : n - 1;
        for (int c = k + 1; c <= last; c++) b->right[k] -= *entry(b, k, c) * b->right[c];
        b->right[k] /= *entry(b, k, k);
    }
    return true;
}

/* The equations at the present forces, with `shift` added to those of forces inside of their set.
 */
static void linearize(dry_rigid__problem *p, double shift) {
    memset(p->band.matrix, 0,
           (size_t)p->n_forces * (size_t)row_length(&p->band) * sizeof *p->band.matrix);
    for (int set = 0; set < p->n_sets; set++) {
        double R[DRY_RIGID_DIM];
        equation(p, set, R);
        slope(p, set, shift);
        for (int c = 0; c < p->sets[set].dim; c++)
            p->band.right[p->band.place[p->sets[set].force + c]] = -R[c];
    }
}

/* One iteration; DRY_SINGULAR without one. `shifted`: the shift was needed. */
static dry_status newton(dry_rigid__problem *p, bool *shifted) {
    linearize(p, 0.0);
    *shifted = !eliminate(&p->band, p->n_forces);
    if (*shifted && !p->pattern.lifted) return DRY_SINGULAR;
    if (*shifted) linearize(p, SHIFT);
    if (*shifted && !eliminate(&p->band, p->n_forces)) return DRY_SINGULAR;
    for (int i = 0; i < p->n_forces; i++) p->lambda[i] += p->band.right[p->band.place[i]];
    return DRY_OK;
}

/* lambda = saved + part of the step to it. */
static void go_part(dry_rigid__problem *p, double part) {
    for (int i = 0; i < p->n_forces; i++)
        p->lambda[i] = p->band.saved[i] + part * (p->lambda[i] - p->band.saved[i]);
}

static bool is_enough(const dry_rigid__problem *p, double residual) {
    return residual <= p->residual * dry_rigid__largest(p);
}

/* One iteration, as much of it as lowers the residual `error` or makes it small enough; the new
 * residual. Infinite: the forces stay. */
static double descend(dry_rigid__problem *p, double error, bool *shifted) {
    const int parts = p->pattern.lifted ? HALVES : 1;
    memcpy(p->band.saved, p->lambda, (size_t)p->n_forces * sizeof *p->lambda);
    const bool solved = newton(p, shifted) == DRY_OK;
    p->newtons++;
    for (int k = 0; solved && k < parts; k++) {
        const double now = dry_rigid__residual(p, NULL);
        if (now < error || is_enough(p, now)) return now;
        go_part(p, 0.5);
    }
    memcpy(p->lambda, p->band.saved, (size_t)p->n_forces * sizeof *p->lambda);
    return (double)INFINITY;
}

/* The shift makes Newton linear, so there it goes on as long as it helps. */
bool dry_rigid__finish_by_newton(dry_rigid__problem *p) {
    if (!p->band.matrix) return false;
    double error = dry_rigid__residual(p, NULL);
    for (int k = 0; k < NEWTONS; k++) {
        bool shifted = false;
        const double now = descend(p, error, &shifted);
        if (!(now < (double)INFINITY)) return k > 0 && is_enough(p, error);
        if (is_enough(p, now) && !(shifted && now < 0.5 * error)) return true;
        error = now;
    }
    return is_enough(p, error);
}
