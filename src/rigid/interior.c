/* The convex problem of a step from inside of its sets (interior point): it takes some twenty
 * steps, whatever the problem, to come near the answer, where Newton on the projection finishes.
 *
 *     ball:       room = (chi^2 - |lambda|^2)/2,  g + mu lambda = 0
 *     half-line:  room = lambda,                  g - mu = 0
 *     mu room = sigma > 0, mu > 0, and sigma falls to 0
 *
 * Eliminating d mu leaves W plus a positive definite block for each set, also if W is singular:
 *
 *     ball:       (W + mu + mu/room lambda lambda') d = -(g + mu lambda) - lambda (sigma/room - mu)
 *     half-line:  (W + mu/lambda) d = -(g - mu) + sigma/lambda - mu
 *
 * sigma of each step: Mehrotra 1992. lambda: N; g: m/s. */
#include "rigid_private.h"

enum { STEPS = 80 };
static const double CLOSE = 0.99;  /* part of the way to the boundary */
static const double SMALL = 1e-20; /* of sigma, in parts of that at the start */
static const double SHORT = 1e-8;  /* a step that leads nowhere */
static const double PIVOT = 1e-15; /* in parts of the diagonal */

/* Whether a set takes part, and has a shape that is written out here. */
static bool takes_part(const dry_rigid__problem *p, int set) { return p->convex.gamma[set] > 0.0; }

static bool is_ball(const dry_rigid__problem *p, int set) {
    return p->sets[set].set->shape == DRY_SHAPE_BALL;
}

static bool all_known(const dry_rigid__problem *p) {
    for (int set = 0; set < p->n_sets; set++)
        if (takes_part(p, set) && p->sets[set].set->shape == DRY_SHAPE_OTHER) return false;
    return true;
}

/* ---- the start -------------------------------------------------------------- */

static double square(const dry_rigid__problem *p, int set, const double *x) {
    const double length = dry_norm(p->sets[set].dim, x + p->sets[set].force);
    return length * length;
}

static void set_rooms(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    for (int set = 0; set < p->n_sets; set++) {
        if (!takes_part(p, set)) continue;
        const double chi = p->level[set];
        c->room[set] = is_ball(p, set) ? 0.5 * (chi * chi - square(p, set, c->now.lambda))
                                       : c->now.lambda[p->sets[set].force];
    }
}

/* Balls at their centre, half-lines at a force that would stop the fastest gap. */
static void begin(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    double fast = 0.0, push = 0.0;
    for (int i = 0; i < p->n_forces; i++) fast = dry_max(fast, fabs(c->q[i]));
    if (!(fast > 0.0)) fast = 1.0;
    for (int set = 0; set < p->n_sets; set++)
        if (takes_part(p, set)) push = dry_max(push, c->gamma[set] * fast);
    for (int set = 0; set < p->n_sets; set++) {
        for (int k = 0; k < p->sets[set].dim; k++)
            c->now.lambda[p->sets[set].force + k] =
                takes_part(p, set) && !is_ball(p, set) ? push : 0.0;
        c->mu[set] = is_ball(p, set) && p->level[set] > 0.0 ? fast / p->level[set] : fast;
    }
    set_rooms(p);
}

static double mean_product(const dry_rigid__problem *p) {
    double sum = 0.0;
    int n = 0;
    for (int set = 0; set < p->n_sets; set++)
        if (takes_part(p, set)) {
            sum += p->convex.mu[set] * p->convex.room[set];
            n++;
        }
    return n > 0 ? sum / n : 0.0;
}

/* ---- a step ------------------------------------------------------------------ */

static void set_gradient(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    const dry_rigid__sparse *s = &c->sparse;
    for (int i = 0; i < s->n; i++) {
        c->now.g[i] = c->q[i];
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            c->now.g[i] += c->W[e] * c->now.lambda[s->column[e]];
    }
}

/* What the boundary of the set adds to its own block. */
static void add_block(dry_rigid__problem *p, int set) {
    dry_rigid__convex *c = &p->convex;
    const int first = p->sets[set].force, dim = p->sets[set].dim;
    const double stiff = c->mu[set] / c->room[set];
    for (int i = 0; i < dim; i++) {
        double *own = c->A + c->sparse.diagonal[first + i] - i;
        if (!is_ball(p, set)) {
            own[i] += stiff;
            continue;
        }
        own[i] += c->mu[set];
        for (int j = 0; j < dim; j++)
            own[j] += stiff * c->now.lambda[first + i] * c->now.lambda[first + j];
    }
}

static void fill_matrix(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    const dry_rigid__sparse *s = &c->sparse;
    for (int i = 0; i < s->n; i++) {
        const bool in = takes_part(p, p->pattern.set_of[i]);
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            c->A[e] = in && takes_part(p, p->pattern.set_of[s->column[e]]) ? c->W[e] : 0.0;
    }
    for (int set = 0; set < p->n_sets; set++)
        if (takes_part(p, set))
            add_block(p, set);
        else
            for (int k = 0; k < p->sets[set].dim; k++)
                c->A[s->diagonal[p->sets[set].force + k]] = 1.0;
    for (int i = 0; i < s->n; i++) c->spare[i] = PIVOT * c->A[s->diagonal[i]];
    dry_rigid__factor(&c->sparse, c->A, c->spare);
}

/* z: the step of lambda towards mu room = sigma. */
static void solve(dry_rigid__problem *p, double sigma) {
    dry_rigid__convex *c = &p->convex;
    for (int set = 0; set < p->n_sets; set++)
        for (int i = p->sets[set].force; i < p->sets[set].force + p->sets[set].dim; i++)
            c->z[i] = !takes_part(p, set) ? 0.0
                      : is_ball(p, set)   ? -c->now.g[i] - c->now.lambda[i] * sigma / c->room[set]
                                          : -c->now.g[i] + sigma / c->room[set];
    dry_rigid__substitute(&c->sparse, c->z);
}

/* The step of mu that belongs to z. */
static double mu_step(const dry_rigid__problem *p, int set, double sigma) {
    const dry_rigid__convex *c = &p->convex;
    const int first = p->sets[set].force;
    double along = 0.0;
    for (int k = 0; k < p->sets[set].dim; k++)
        along += is_ball(p, set) ? c->now.lambda[first + k] * c->z[first + k] : -c->z[first + k];
    return (sigma + c->mu[set] * along) / c->room[set] - c->mu[set];
}

/* The part of z that leads to the boundary of the set; at least 1 if it lies inside. */
static double part_to_boundary(const dry_rigid__problem *p, int set) {
    const dry_rigid__convex *c = &p->convex;
    const double *z = c->z + p->sets[set].force, *at = c->now.lambda + p->sets[set].force;
    if (!is_ball(p, set)) return z[0] < 0.0 ? -at[0] / z[0] : (double)INFINITY;
    double a = 0.0, b = 0.0;
    for (int k = 0; k < p->sets[set].dim; k++) {
        a += z[k] * z[k];
        b += z[k] * at[k];
    }
    return a > 0.0 ? 2.0 * c->room[set] / (b + sqrt(b * b + 2.0 * a * c->room[set]))
                   : (double)INFINITY;
}

static double longest(const dry_rigid__problem *p, double sigma) {
    double part = 1.0 / CLOSE;
    for (int i = 0; i < p->n_forces; i++)
        if (!isfinite(p->convex.z[i])) return 0.0;
    for (int set = 0; set < p->n_sets; set++) {
        if (!takes_part(p, set)) continue;
        const double d = mu_step(p, set, sigma);
        part = dry_min(part, part_to_boundary(p, set));
        if (d < 0.0) part = dry_min(part, -p->convex.mu[set] / d);
    }
    return CLOSE * part;
}

/* The room after a part of the step: from the step, for the difference of two forces that are
 * nearly equal would lose it. */
static double room_after(const dry_rigid__problem *p, int set, double part) {
    const dry_rigid__convex *c = &p->convex;
    const int first = p->sets[set].force;
    double room = c->room[set];
    for (int k = 0; k < p->sets[set].dim; k++) {
        const double z = part * c->z[first + k];
        room += is_ball(p, set) ? -z * (c->now.lambda[first + k] + 0.5 * z) : z;
    }
    return room;
}

/* mu room after a part of the step, in the mean. */
static double product_after(const dry_rigid__problem *p, double part, double sigma) {
    double sum = 0.0;
    int n = 0;
    for (int set = 0; set < p->n_sets; set++) {
        if (!takes_part(p, set)) continue;
        sum += (p->convex.mu[set] + part * mu_step(p, set, sigma)) * room_after(p, set, part);
        n++;
    }
    return n > 0 ? sum / n : 0.0;
}

static void move(dry_rigid__problem *p, double part, double sigma) {
    dry_rigid__convex *c = &p->convex;
    for (int set = 0; set < p->n_sets; set++)
        if (takes_part(p, set)) {
            c->mu[set] += part * mu_step(p, set, sigma);
            c->room[set] = room_after(p, set, part);
        }
    for (int i = 0; i < p->n_forces; i++) c->now.lambda[i] += part * c->z[i];
}

void dry_rigid__interior(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    if (!all_known(p)) return;
    c->interiors++;
    begin(p);
    const double first = mean_product(p);
    for (int k = 0; k < STEPS; k++) {
        const double product = mean_product(p);
        if (!(product > SMALL * first)) return;
        set_gradient(p);
        fill_matrix(p);
        solve(p, 0.0);
        const double part = longest(p, 0.0), after = product_after(p, part, 0.0) / product;
        const double sigma = product * dry_max(after * after * after, 1e-4);
        solve(p, sigma);
        const double length = longest(p, sigma);
        if (!(length > SHORT)) return;
        move(p, length, sigma);
    }
}
