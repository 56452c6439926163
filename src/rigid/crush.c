/* The certificate that a convex problem has no answer: forces of half-lines that press against each
 * other, and what they press cannot give way.
 *
 *     l >= 0,  W l = 0,  q.l < 0
 *
 * Along l nothing moves, however large the forces become, while the gaps close on the whole. Two
 * starts lead to it: the forces that interior.c let grow without bound, and -gamma q, the forces
 * that would stop each gap alone. W l = 0 must hold up to rounding, because a heavy body also
 * hardly gives way, and has an answer:
 *
 *     l := delta (W + delta G)^-1 G l,   G = 1/gamma
 *
 * keeps what W leaves at rest, and divides the rest by its stiffness over delta. Forces that become
 * negative leave the certificate. l: a direction of forces; q: m/s; gamma: kg/s. */
#include "rigid_private.h"

enum { TURNS = 3, ROUNDS = 12 };
static const double DELTA = 1e-12;
static const double SMALL = 1e-9;     /* a force that has no part in it, in parts of the largest */
static const double ROUNDING = 1e-13; /* of W l, in parts of the sum of the magnitudes */
static const double CERTAIN = 1e-7;   /* of q.l, likewise */

static double largest(const dry_rigid__problem *p, const double *x) {
    double most = 0.0;
    for (int i = 0; i < p->n_forces; i++) most = dry_max(most, x[i]);
    return most;
}

static bool is_free(const dry_rigid__problem *p, int i) {
    const int set = p->pattern.set_of[i];
    return p->convex.gamma[set] > 0.0 && p->sets[set].set->shape == DRY_SHAPE_HALF_LINE;
}

void dry_rigid__note_growth(dry_rigid__problem *p) {
    for (int i = 0; i < p->n_forces; i++) {
        const double force = is_free(p, i) ? p->convex.now.lambda[i] : 0.0;
        p->blame[i] = isfinite(force) ? dry_pos(force) : 0.0;
    }
}

/* In parts of the largest, without those that have no part; false if one of them was there. */
static bool prune(dry_rigid__problem *p) {
    const double most = largest(p, p->blame);
    bool same = true;
    for (int i = 0; i < p->n_forces; i++) {
        const double part = most > 0.0 ? p->blame[i] / most : 0.0;
        same = same && (part > SMALL || p->blame[i] == 0.0);
        p->blame[i] = part > SMALL ? part : 0.0;
    }
    return same;
}

/* W + delta G among the forces of l. */
static void fill_matrix(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    const dry_rigid__sparse *s = &c->sparse;
    for (int i = 0; i < s->n; i++) {
        const double gamma = c->gamma[p->pattern.set_of[i]];
        const bool in = p->blame[i] > 0.0;
        for (int e = s->start[i]; e < s->start[i + 1]; e++)
            c->A[e] = in && p->blame[s->column[e]] > 0.0 ? c->W[e] : 0.0;
        c->A[s->diagonal[i]] += in ? DELTA / gamma : 1.0;
        c->spare[i] = in ? 0.5 * DELTA / gamma : 0.5;
    }
    dry_rigid__factor(&c->sparse, c->A, c->spare);
}

/* l: what W does not move of `start`, among the forces of l. */
static void polish(dry_rigid__problem *p, const double *start) {
    dry_rigid__convex *c = &p->convex;
    fill_matrix(p);
    for (int k = 0; k < TURNS; k++) {
        for (int i = 0; i < p->n_forces; i++) {
            const double part = p->blame[i] == 0.0 ? 0.0 : k == 0 ? start[i] : c->z[i];
            c->z[i] = part != 0.0 ? DELTA * part / c->gamma[p->pattern.set_of[i]] : 0.0;
        }
        dry_rigid__substitute(&c->sparse, c->z);
    }
    memcpy(p->blame, c->z, (size_t)p->n_forces * sizeof *p->blame);
}

/* Whether nothing moves along l, up to rounding. */
static bool is_held(const dry_rigid__problem *p) {
    const dry_rigid__convex *c = &p->convex;
    const dry_rigid__sparse *s = &c->sparse;
    for (int i = 0; i < s->n; i++) {
        double sum = 0.0, size = 0.0;
        if (c->gamma[p->pattern.set_of[i]] == 0.0) continue;
        for (int e = s->start[i]; e < s->start[i + 1]; e++) {
            sum += c->W[e] * p->blame[s->column[e]];
            size += fabs(c->W[e]) * p->blame[s->column[e]];
        }
        if (!(fabs(sum) <= ROUNDING * size)) return false;
    }
    return true;
}

/* Whether the gaps close along l, by more than the rounding of the speeds of the run. */
static bool closes(const dry_rigid__problem *p) {
    double fast = p->speed, along = 0.0, sum = 0.0;
    for (int i = 0; i < p->n_forces; i++) {
        fast = dry_max(fast, fabs(p->convex.q[i]));
        along += p->convex.q[i] * p->blame[i];
        sum += p->blame[i];
    }
    return along < -CERTAIN * fast * sum;
}

/* Whether `start` leads to a certificate among the forces of l. */
static bool certifies(dry_rigid__problem *p, const double *start) {
    bool same = false;
    prune(p);
    for (int k = 0; k < ROUNDS && !same; k++) {
        polish(p, start);
        same = prune(p);
    }
    return largest(p, p->blame) > 0.0 && is_held(p) && closes(p);
}

bool dry_rigid__is_crushed(dry_rigid__problem *p) {
    dry_rigid__convex *c = &p->convex;
    memcpy(c->R, p->blame, (size_t)p->n_forces * sizeof *c->R);
    if (certifies(p, c->R)) return true;
    for (int i = 0; i < p->n_forces; i++) {
        p->blame[i] = is_free(p, i) ? 1.0 : 0.0;
        c->R[i] = -c->gamma[p->pattern.set_of[i]] * c->q[i];
    }
    return certifies(p, c->R);
}
