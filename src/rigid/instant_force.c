/* The forces at the present time, from the means over parts of steps.
 *
 *     two parts before:           lambda_1 + (lambda_1 - lambda_0) w,  w = h_1/(h_0 + h_1)
 *     one before, a trial ahead:  lambda_1 + (lambda_+ - lambda_1) w,  w = h_1/(h_1 + h)
 *     two trials ahead, h/2, h:   lambda_+ (1 + 1) - lambda_++
 *
 * The mean over a part is the force at its middle up to the second order; the line through two
 * middles leads to the present. Two parts form a line only if no set changes, nothing jumps and
 * nothing is hit between them; otherwise the line would smear a jump. The force is projected onto
 * its set. After a step with an impact the force is the mean, which contains the impulse.
 *
 * lambda_1, h_1: the last part, lambda_0, h_0: the one before; h: trial, N and s. */
#include "rigid_private.h"

void dry_rigid__note_forces(dry_rigid *r, const double *lambda, double h) {
    dry_rigid__instant *line = &r->instant;
    const dry_inclusion *inc = r->inclusion;
    const double *level = inc->n_lift > 0 ? r->problem.level : r->past.chi1;
    dry_rigid__swap(&line->lambda0, &line->lambda1);
    dry_rigid__swap(&line->level0, &line->level1);
    memcpy(line->lambda1, lambda, (size_t)inc->n_forces * sizeof *lambda);
    memcpy(line->level1, level, (size_t)inc->n_sets * sizeof *level);
    line->h0 = line->h1;
    line->h1 = h;
    line->parts++;
}

/* ---- ahead --------------------------------------------------------------- */

/* As far as the next time at which something jumps, a step at most. */
static double time_ahead(const dry_rigid__clock *clock, double step) {
    return dry_min(step, dry_breaks_after(&clock->breaks, clock->t) - clock->t);
}

static bool same_sets(const dry_rigid__problem *p, const bool *slips) {
    for (int set = 0; set < p->n_sets; set++)
        if (p->active[set] && p->inside[set] == slips[set]) return false;
    return true;
}

/* The forces and levels of a trial of length h, which leaves the run unchanged; false if a set
 * changes. */
static bool try_ahead(dry_rigid *r, double h, double *lambda, double *level) {
    const dry_inclusion *inc = r->inclusion;
    const size_t bytes = (size_t)inc->n_forces * sizeof *lambda;
    const int past = r->past.known;
    memcpy(r->steady.lambda, r->problem.lambda, bytes);
    const dry_rigid__fault fault =
        dry_rigid__try(r, r->clock.t, h, nextafter(r->clock.t + h, r->clock.t));
    const bool good =
        !fault.why && same_sets(&r->problem, r->now.slips) && !dry_rigid__has_event(r, h);
    memcpy(lambda, r->problem.lambda, bytes);
    memcpy(level, r->problem.level, (size_t)inc->n_sets * sizeof *level);
    memcpy(r->problem.lambda, r->steady.lambda, bytes);
    r->past.known = past;
    return good;
}

/* ---- now ----------------------------------------------------------------- */

/* The force at a time from those at two others: from `a` over `b` on by w. */
typedef struct two {
    const double *a, *b;             /* n_forces */
    const double *level_a, *level_b; /* n_sets */
    double w;
} two;

static double extrapolate(double a, double b, double w) { return a + (a - b) * w; }

/* The force of one set: inside the set if it holds, along the slide and with its length if it
 * slips. */
static void set_force(dry_rigid *r, const two *of, int set) {
    const dry_inclusion_set *kind = &r->inclusion->sets[set];
    const int first = kind->force, n = kind->dim;
    const double *slide = r->now.slide + first, speed = dry_norm(n, slide);
    double *force = r->instant.force + first;
    for (int c = 0; c < n; c++) force[c] = extrapolate(of->a[first + c], of->b[first + c], of->w);
    if (kind->set->kind == DRY_SET_OF_POSITIONS) {
        if (r->now.slips[set])
            force[0] = 0.0;
        else
            kind->set->project(n, 0.0, force, force);
    } else if (r->now.slips[set] && speed > 0.0) {
        const double length =
            extrapolate(dry_norm(n, of->a + first), dry_norm(n, of->b + first), of->w);
        for (int c = 0; c < n; c++) force[c] = dry_pos(length) * (slide[c] / speed);
    } else {
        kind->set->project(n, dry_pos(extrapolate(of->level_a[set], of->level_b[set], of->w)),
                           force, force);
    }
}

/* Finds the two means; false if there are none. */
static bool find_means(dry_rigid *r, two *of) {
    dry_rigid__instant *line = &r->instant;
    const double h = time_ahead(&r->clock, r->options.step);
    *of = (two){line->lambda1, line->lambda0, line->level1, line->level0, 0.0};
    if (!r->now.fresh && line->parts > 1) {
        of->w = line->h1 / (line->h0 + line->h1);
        return true;
    }
    if (!r->now.fresh && line->parts == 1) {
        if (try_ahead(r, h, line->lambda0, line->level0))
            of->w = -line->h1 / (line->h1 + h);
        else
            of->b = of->a, of->level_b = of->level_a;
        return true;
    }
    const bool good = try_ahead(r, 0.5 * h, line->lambda1, line->level1) &&
                      try_ahead(r, h, line->lambda0, line->level0);
    of->w = 1.0;
    line->parts = 0;
    return good;
}

void dry_rigid__set_instant_force(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    two of;
    if (!r->facts->prox || r->now.struck || !find_means(r, &of)) {
        memcpy(r->instant.force, r->now.forces, (size_t)inc->n_forces * sizeof *r->instant.force);
        return;
    }
    for (int set = 0; set < inc->n_sets; set++) set_force(r, &of, set);
}
