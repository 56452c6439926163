/* Painleve's paradox: a closed contact that slides, and is pressed in by the friction that it
 * causes itself. The equations of rigid bodies then have no solution, or several, whatever a solver
 * finds.
 *
 *     d psi''/dN = D_nn + sum D_nf (d chi_f/dN) theta_f/|theta_f|  <=  0
 *
 * D: d slide/d lambda over a step, only its sign matters; n: contact, f: friction that slides;
 * theta at the start of the step. */
#include "rigid_private.h"

/* A speed below this part of what friction takes away in a step is rounding. */
static const double SLOW = 1e-6;

/* The speed of a friction that slides, else 0. */
static double speed_of(const dry_rigid__problem *p, const dry_rigid__now *now, int set) {
    const dry_inclusion_set *of = &p->sets[set];
    if (of->set->kind == DRY_SET_OF_POSITIONS || !now->slips[set]) return 0.0;
    const double speed = dry_norm(of->dim, now->slide + of->force);
    const double taken =
        fabs(dry_rigid__diagonal(p, set)) * dry_norm(of->dim, p->lambda + of->force);
    return speed > SLOW * taken ? speed : 0.0;
}

/* d chi of a friction / d lambda of a contact */
static double lift_of(const dry_rigid__problem *p, int friction, int contact) {
    double lift = 0.0;
    for (int k = p->pattern.lift_start[friction]; k < p->pattern.lift_start[friction + 1]; k++)
        if (p->pattern.lift_force[k] == contact) lift += p->lift[k];
    return lift;
}

/* What the friction adds in column `at` of the row of the contact i. */
static double added(const dry_rigid__problem *p, const dry_rigid__now *now, int i, int at) {
    const int j = p->pattern.column[at], set = p->pattern.set_of[j];
    const double speed = speed_of(p, now, set);
    return speed > 0.0 ? p->D[at] * lift_of(p, set, i) * (now->slide[j] / speed) : 0.0;
}

/* d psi''/dN of a closed contact that slides: by itself, and with its friction. */
static void slopes(const dry_rigid *r, int set, double *alone, double *sum) {
    const dry_rigid__problem *p = &r->problem;
    const int i = p->sets[set].force;
    *sum = *alone = p->D[p->pattern.own[i]];
    for (int k = p->pattern.start[i]; k < p->pattern.start[i + 1]; k++)
        *sum += added(p, &r->now, i, k);
}

dry_rigid__fault dry_rigid__painleve(dry_rigid *r, double h) {
    const dry_rigid__problem *p = &r->problem;
    for (int set = 0; set < p->n_sets && r->inclusion->n_lift > 0; set++) {
        double alone, sum;
        if (p->sets[set].set->kind != DRY_SET_OF_POSITIONS || r->now.slips[set]) continue;
        slopes(r, set, &alone, &sum);
        if (!(alone > 0.0) || sum > 0.0) continue;
        r->painleve[0] = alone / h;
        r->painleve[1] = sum / h;
        return (dry_rigid__fault){DRY_RIGID_PAINLEVE, set};
    }
    return (dry_rigid__fault){0};
}

int dry_rigid__nearest_wedge(const dry_rigid *r, double *number) {
    int nearest = -1;
    *number = 1.0;
    for (int set = 0; set < r->problem.n_sets && r->inclusion->n_lift > 0; set++) {
        double alone, sum;
        if (r->problem.sets[set].set->kind != DRY_SET_OF_POSITIONS) continue;
        slopes(r, set, &alone, &sum);
        if (!(sum < *number * alone)) continue;
        *number = sum / alone;
        nearest = set;
    }
    return nearest;
}
