/* The forces of the sets that hold, where nothing changes: linear in the slides without them.
 *
 *     s0 + h D lambda = 0   =>   lambda = hold s0,  hold = -1/(h D)
 *
 * D: of those that hold, 1/kg; s0: slides at the end of the step without their forces, m/s. */
#include "rigid_private.h"

/* The largest entry of h D times that of its inverse, at most. */
static const double WORST = 1e8;

/* Whether the forces that act do not act on each other. */
static bool is_loose(const dry_rigid *r) {
    const dry_rigid__problem *p = &r->problem;
    if (!p->coupled) return true;
    for (int i = 0; i < p->n_forces; i++)
        for (int k = p->start[i]; k < p->start[i + 1] && dry_rigid__acts(r, i); k++)
            if (p->column[k] != i && dry_rigid__acts(r, p->column[k])) return false;
    return true;
}

/* h D of two sets. */
static double entry(const dry_rigid *r, int i, int j) {
    const dry_inclusion *inc = r->inclusion;
    double D = 0.0;
    for (int k = r->feel_start[i]; k < r->feel_start[i + 1]; k++)
        for (int l = 0; l < inc->n_push; l++)
            if (inc->push_force[l] == j && inc->push_state[l] == inc->feel_state[k])
                D += r->mid.feel[k] * r->mid.push[l];
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
    for (int i = 0; i < n; i++) r->hold[i * n + j] = x[i];
    return true;
}

/* Whether the matrix is far from singular: no contact is held twice over. */
static bool is_sound(const dry_rigid *r) {
    const int n = r->inclusion->n_sets;
    double forward = 0.0, back = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            forward = dry_max(forward, fabs(entry(r, i, j)));
            back = dry_max(back, fabs(r->hold[i * n + j]));
        }
    return forward * back < WORST;
}

static bool fill_hold(dry_rigid *r) {
    const int n = r->inclusion->n_sets;
    bool good = true;
    for (int i = 0; i < n && good; i++) {
        if (r->dense)
            good = fill_column(r, i);
        else
            r->hold[i] = -1.0 / (r->options.step * r->lean_D[i]);
    }
    return good && (r->dense ? is_sound(r) : is_loose(r));
}

bool dry_rigid__set_hold(dry_rigid *r) {
    const int n = r->inclusion->n_sets;
    const size_t bytes = (size_t)n * sizeof *r->slips;
    if (r->hold_tried && memcmp(r->hold_slips, r->slips, bytes) == 0) return r->hold_good;
    memcpy(r->hold_slips, r->slips, bytes);
    r->hold_tried = true;
    r->hold_good = fill_hold(r);
    r->any_holds = false;
    for (int i = 0; i < n; i++) r->any_holds = r->any_holds || dry_rigid__holds(r, i);
    return r->hold_good;
}
