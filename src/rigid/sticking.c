/* The forces of the sets that hold while no set changes. They are linear in the slides without
 * them.
 *
 *     s0 + h D lambda = 0   =>   lambda = gain s0, gain = -1/(h D)
 *
 * D: of those that hold, 1/kg; s0: slides at the end of the step without their forces, m/s. */
#include "rigid_private.h"

/* The largest entry of h D times that of its inverse, at most. */
static const double WORST = 1e8;

/* Whether no force acts on the slide of another. */
static bool is_uncoupled(const dry_rigid *r) {
    const dry_rigid__problem *p = &r->problem;
    if (!p->pattern.coupled) return true;
    for (int i = 0; i < p->n_forces; i++)
        for (int k = p->pattern.start[i]; k < p->pattern.start[i + 1] && dry_rigid__acts(r, i); k++)
            if (p->pattern.column[k] != i && dry_rigid__acts(r, p->pattern.column[k])) return false;
    return true;
}

/* h D of two sets. */
static double entry(const dry_rigid *r, int i, int j) {
    const dry_inclusion *inc = r->inclusion;
    double D = 0.0;
    for (int k = r->steady.feel_start[i]; k < r->steady.feel_start[i + 1]; k++)
        for (int l = 0; l < inc->n_push; l++)
            if (inc->push_force[l] == j && inc->push_state[l] == inc->feel_state[k])
                D += r->trial.mid.feel[k] * r->trial.mid.push[l];
    return r->options.step * D;
}

/* Column j of -1/(h D) of those that hold; rows and columns of the others are zero. */
static bool fill_column(dry_rigid *r, int j) {
    double A[DRY_RIGID_MARCH_SETS * DRY_RIGID_MARCH_SETS], x[DRY_RIGID_MARCH_SETS];
    const int n = r->inclusion->n_sets;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            A[i * n + k] = dry_rigid__holds(r, i) && dry_rigid__holds(r, k) ? entry(r, i, k)
                           : i == k                                         ? 1.0
                                                                            : 0.0;
        x[i] = i == j && dry_rigid__holds(r, j) ? -1.0 : 0.0;
    }
    if (dry_solve(n, A, x) != DRY_OK) return false;
    for (int i = 0; i < n; i++) r->sticking.gain[i * n + j] = x[i];
    return true;
}

/* Whether the matrix is far from singular, so no contact is held by redundant sets. */
static bool is_well_conditioned(const dry_rigid *r) {
    const int n = r->inclusion->n_sets;
    double forward = 0.0, back = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            forward = dry_max(forward, fabs(entry(r, i, j)));
            back = dry_max(back, fabs(r->sticking.gain[i * n + j]));
        }
    return forward * back < WORST;
}

static bool fill_gain(dry_rigid *r) {
    const int n = r->inclusion->n_sets;
    bool good = true;
    for (int i = 0; i < n && good; i++) {
        if (r->sticking.dense)
            good = fill_column(r, i);
        else
            r->sticking.gain[i] = -1.0 / (r->options.step * r->steady.own_D[i]);
    }
    return good && (r->sticking.dense ? is_well_conditioned(r) : is_uncoupled(r));
}

bool dry_rigid__set_sticking(dry_rigid *r) {
    const int n = r->inclusion->n_sets;
    const size_t bytes = (size_t)n * sizeof *r->now.slips;
    if (r->sticking.tried && memcmp(r->sticking.slips, r->now.slips, bytes) == 0)
        return r->sticking.good;
    memcpy(r->sticking.slips, r->now.slips, bytes);
    r->sticking.tried = true;
    r->sticking.good = fill_gain(r);
    r->sticking.any = false;
    for (int i = 0; i < n; i++) r->sticking.any = r->sticking.any || dry_rigid__holds(r, i);
    return r->sticking.good;
}
