/* The forces at the present time, from the means over parts of steps.
 *
 *     two parts behind:           lambda_1 + (lambda_1 - lambda_0) w,  w = h_1/(h_0 + h_1)
 *     one behind, a trial ahead:  lambda_1 + (lambda_+ - lambda_1) w,  w = h_1/(h_1 + h)
 *     two trials ahead, h/2, h:   lambda_+ (1 + 1) - lambda_++
 *
 * The mean over a part is the force at its middle up to the second order; the line through two
 * middles leads to the present. Parts count together only as long as no set changes, nothing jumps
 * and nothing is hit, so that no jump is smeared; the line is kept within the sets. A step with an
 * impact has its mean, which holds the impulse.
 *
 * lambda_1, h_1: the last part, lambda_0, h_0: the one before; h: trial, N and s. */
#include "rigid_private.h"

static void swap(double **a, double **b) {
    double *c = *a;
    *a = *b;
    *b = c;
}

void dry_rigid__note_forces(dry_rigid *r, const double *lambda, double h) {
    dry_rigid__line *line = &r->line;
    const dry_inclusion *inc = r->inclusion;
    const double *level = inc->n_lift > 0 ? r->problem.level : r->chi1;
    swap(&line->lambda0, &line->lambda1);
    swap(&line->level0, &line->level1);
    memcpy(line->lambda1, lambda, (size_t)inc->n_forces * sizeof *lambda);
    memcpy(line->level1, level, (size_t)inc->n_sets * sizeof *level);
    line->h0 = line->h1;
    line->h1 = h;
    line->parts++;
}

/* ---- ahead --------------------------------------------------------------- */

/* As far as the next time at which something jumps, a step at most. */
static double reach(const dry_rigid *r) {
    double h = r->options.step;
    for (int k = r->next_break; k < r->n_breaks; k++)
        if (r->breaks[k] > r->t) h = dry_min(h, r->breaks[k] - r->t);
    return h;
}

static bool same_sets(const dry_rigid *r) {
    const dry_rigid__problem *p = &r->problem;
    for (int set = 0; set < p->n_sets; set++)
        if (p->active[set] && p->inside[set] == r->slips[set]) return false;
    return true;
}

/* The forces and levels of a trial of length h, after which all is as before; false where a set
 * changes. */
static bool look(dry_rigid *r, double h, double *lambda, double *level) {
    const dry_inclusion *inc = r->inclusion;
    const size_t bytes = (size_t)inc->n_forces * sizeof *lambda;
    const int past = r->past;
    memcpy(r->lambda, r->problem.lambda, bytes);
    const dry_rigid__fault fault = dry_rigid__try(r, r->t, h, nextafter(r->t + h, r->t));
    const bool good = !fault.why && same_sets(r) && !dry_rigid__happens(r, h);
    memcpy(lambda, r->problem.lambda, bytes);
    memcpy(level, r->problem.level, (size_t)inc->n_sets * sizeof *level);
    memcpy(r->problem.lambda, r->lambda, bytes);
    r->past = past;
    return good;
}

/* ---- now ----------------------------------------------------------------- */

/* The force at a time from those at two others: from `a` over `b` on by w. */
typedef struct two {
    const double *a, *b;             /* n_forces */
    const double *level_a, *level_b; /* n_sets */
    double w;
} two;

static double on(double a, double b, double w) { return a + (a - b) * w; }

/* One set: where it holds it stays inside, where it slips it has its direction and its length. */
static void set_one(dry_rigid *r, const two *of, int set) {
    const dry_inclusion_set *kind = &r->inclusion->sets[set];
    const int first = kind->force, n = kind->dim;
    const double *slide = r->start_slide + first, speed = dry_norm(n, slide);
    double *force = r->present + first;
    for (int c = 0; c < n; c++) force[c] = on(of->a[first + c], of->b[first + c], of->w);
    if (kind->set->kind == DRY_SET_OF_PLACES) {
        if (r->slips[set])
            force[0] = 0.0;
        else
            kind->set->project(n, 0.0, force, force);
    } else if (r->slips[set] && speed > 0.0) {
        const double length = on(dry_norm(n, of->a + first), dry_norm(n, of->b + first), of->w);
        for (int c = 0; c < n; c++) force[c] = dry_pos(length) * (slide[c] / speed);
    } else {
        kind->set->project(n, dry_pos(on(of->level_a[set], of->level_b[set], of->w)), force, force);
    }
}

/* Which two there are; false where there are none. */
static bool find_two(dry_rigid *r, two *of) {
    dry_rigid__line *line = &r->line;
    const double h = reach(r);
    *of = (two){line->lambda1, line->lambda0, line->level1, line->level0, 0.0};
    if (!r->fresh && line->parts > 1) {
        of->w = line->h1 / (line->h0 + line->h1);
        return true;
    }
    if (!r->fresh && line->parts == 1) {
        if (look(r, h, line->lambda0, line->level0))
            of->w = -line->h1 / (line->h1 + h);
        else
            of->b = of->a, of->level_b = of->level_a;
        return true;
    }
    const bool good =
        look(r, 0.5 * h, line->lambda1, line->level1) && look(r, h, line->lambda0, line->level0);
    of->w = 1.0;
    line->parts = 0;
    return good;
}

void dry_rigid__set_present(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    two of;
    if (r->options.scheme != DRY_RIGID_PROX || r->struck || !find_two(r, &of)) {
        memcpy(r->present, r->forces, (size_t)inc->n_forces * sizeof *r->present);
        return;
    }
    for (int set = 0; set < inc->n_sets; set++) set_one(r, &of, set);
}
