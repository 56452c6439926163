/* Levels that depend on forces, as chi = mu N: a fixed point on the level, one convex problem in
 * each round.
 *
 *     lambda = answer with the levels chi,  G(chi) = base + lift lambda,  r = G(chi) - chi = 0
 *
 * The law is not associated, so nothing is minimized: there may be no answer, or several. Rounds
 * chi := G(chi) contract if mu times the coupling is small. Near a limit, as in an arch that hardly
 * stands, they contract slowly, and the last rounds show where they lead (Anderson 1965):
 *
 *     chi := G - sum c_i dG_i,   c: least |r - sum c_i dr_i|
 *
 * with dG_i, dr_i the changes over the last DEPTH rounds. If r grows, the past is forgotten and
 * the level follows by a part only. Newton on the whole problem finishes from near the answer. An
 * answer is one only if the residual of the projection says so. */
#include "rigid_private.h"

enum { ROUNDS = 120, DEPTH = DRY_RIGID_DEPTH };

/* How an attempt goes: plain rounds before the past counts, and by which part the levels follow
 * them. A past of levels that were far away can lead into a circle, so an attempt that fails is
 * followed by a slower one, from the start again, and by one without the past. */
static const struct pace {
    int plain;
    double follow;
} PACES[] = {{4, 1.0}, {8, 0.5}, {ROUNDS, 0.5}};

static const double ROUGH = 0.1; /* error of the forces in a round, in parts of the largest */

/* ---- the past ------------------------------------------------------------ */

/* Vector i of the past: r, G of the last round, then dr_i, dG_i. */
static double *past_r(const dry_rigid__problem *p, int i) {
    return p->past_levels + (size_t)(2 * i) * (size_t)p->n_sets;
}
static double *past_G(const dry_rigid__problem *p, int i) { return past_r(p, i) + p->n_sets; }

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* G and r of this round in vector 0; what changed since the last round, if there is one, in vector
 * `slot`. Returns |r|^2. */
static double note_round(dry_rigid__problem *p, int slot) {
    double *r = past_r(p, 0), *G = past_G(p, 0), *dr = past_r(p, slot), *dG = past_G(p, slot);
    for (int set = 0; set < p->n_sets; set++) {
        const bool moves = p->active[set] && dry_rigid__is_lifted(&p->pattern, set);
        const double level = moves ? dry_rigid__level(p, set) : p->level[set];
        if (slot > 0) dr[set] = level - p->level[set] - r[set], dG[set] = level - G[set];
        G[set] = level;
        r[set] = level - p->level[set];
    }
    return dot(p->n_sets, r, r);
}

/* c of the last n changes; false if they say nothing. */
static bool fit(const dry_rigid__problem *p, int n, double *c) {
    double A[DEPTH * DEPTH], trace = 0.0;
    for (int i = 0; i < n; i++) {
        c[i] = dot(p->n_sets, past_r(p, i + 1), past_r(p, 0));
        for (int j = 0; j < n; j++)
            A[i * n + j] = dot(p->n_sets, past_r(p, i + 1), past_r(p, j + 1));
        trace += A[i * n + i];
    }
    for (int i = 0; i < n; i++) A[i * n + i] += 1e-14 * trace;
    return n > 0 && dry_solve(n, A, c) == DRY_OK;
}

/* The next levels, from n changes; `follow`: by which part without them. */
static void set_levels(dry_rigid__problem *p, int n, double follow) {
    const double *r = past_r(p, 0);
    double c[DEPTH];
    const bool fits = fit(p, n, c);
    for (int set = 0; set < p->n_sets; set++) {
        double level = p->level[set] + (fits ? 1.0 : follow) * r[set];
        for (int i = 0; fits && i < n; i++) level -= c[i] * past_G(p, i + 1)[set];
        p->level[set] = dry_pos(level);
    }
}

/* ---- rounds -------------------------------------------------------------- */

/* Whether the forces fit the levels that they cause. */
static bool is_solved(dry_rigid__problem *p, double enough) {
    return dry_rigid__residual(p, NULL) <= enough * dry_rigid__largest(p);
}

/* One convex problem. Its levels are not yet right, so a rough answer will do. */
static dry_rigid__answer solve_round(dry_rigid__problem *p) {
    const dry_rigid__answer answer = dry_rigid__convex_solve(p);
    if (answer != DRY_RIGID_UNSOLVED || !(p->convex.error < ROUGH)) return answer;
    memcpy(p->lambda, p->convex.best, (size_t)p->n_forces * sizeof *p->lambda);
    return DRY_RIGID_SOLVED;
}

static dry_rigid__answer attempt(dry_rigid__problem *p, struct pace pace) {
    double least = (double)INFINITY;
    int known = 0, newest = 0; /* changes, and the vector of the newest */
    for (int k = 0; k < ROUNDS; k++) {
        const dry_rigid__answer answer = solve_round(p);
        p->rounds++;
        if (answer != DRY_RIGID_SOLVED) return answer;
        newest = k > pace.plain ? newest % DEPTH + 1 : 0;
        const double size = note_round(p, newest);
        if (is_solved(p, 0.5 * p->residual) || dry_rigid__finish_by_newton(p))
            return DRY_RIGID_SOLVED;
        known = newest == 0 ? 0 : known < DEPTH ? known + 1 : DEPTH;
        const bool grows = size > 4.0 * least;
        if (grows) known = newest = 0;
        least = dry_min(least, size);
        set_levels(p, known, grows ? 0.25 : pace.follow);
    }
    return is_solved(p, DRY_RIGID_ENOUGH) ? DRY_RIGID_SOLVED : DRY_RIGID_UNSOLVED;
}

/* The levels that the forces cause as they are. */
static void begin_levels(dry_rigid__problem *p) {
    for (int set = 0; set < p->n_sets; set++)
        if (p->active[set]) p->level[set] = dry_rigid__level(p, set);
}

static dry_rigid__answer rounds(dry_rigid__problem *p) {
    const size_t size = (size_t)p->n_forces * sizeof *p->lambda;
    dry_rigid__answer answer = DRY_RIGID_UNSOLVED;
    memcpy(p->first, p->lambda, size);
    for (size_t k = 0; k < sizeof PACES / sizeof *PACES && answer == DRY_RIGID_UNSOLVED; k++) {
        memcpy(p->lambda, p->first, size);
        begin_levels(p);
        answer = attempt(p, PACES[k]);
    }
    return answer;
}

dry_rigid__answer dry_rigid__settle(dry_rigid__problem *p) {
    p->rounds = 0;
    if (p->pattern.lifted) return rounds(p);
    begin_levels(p);
    return dry_rigid__convex_solve(p);
}
