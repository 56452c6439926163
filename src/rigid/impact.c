/* Impacts: velocities jump by impulses, which take the place of forces.
 *
 * Here Moreau's law: one prox problem for the impulses of all contacts that touch, with Newton's
 * restitution, psi_dot+ = -e psi_dot-, and the friction of the slip after the impact. routh.c has
 * the other law, chosen by the method. */
#include "rigid_private.h"

enum { BOUNCES = 4 };            /* of a contact in a step; then it rests (Zeno) */
static const double GAIN = 1e-9; /* of energy in an impact: rounding */

void dry_rigid__refresh(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__eval(r, r->clock.t, r->now.x, r->problem.lambda, &r->trial.end);
    memcpy(r->now.slide, r->trial.end.slide, (size_t)inc->n_forces * sizeof *r->now.slide);
    for (int set = 0; set < inc->n_sets; set++)
        if (inc->sets[set].set->kind == DRY_SET_OF_POSITIONS)
            r->now.gap[set] = r->trial.end.gap[set];
        else
            r->now.slips[set] =
                dry_norm(inc->sets[set].dim, r->now.slide + inc->sets[set].force) > 0;
    r->past.known = 0;
    r->now.fresh = true;
}

/* Whether an open contact is about to close, or lies at its surface and is open by rounding. */
static bool touches(const dry_rigid *r, int set) {
    const double rate = r->now.slide[r->inclusion->sets[set].force], h = r->options.step;
    const double speed = dry_rigid__is_still(r, rate) ? r->problem.speed : -rate;
    return speed > 0.0 && r->now.gap[set] <= DRY_RIGID_TOUCH * speed * h;
}

/* Replaces forces by impulses: of contacts that touch, and of friction that depends on them. */
static void set_up_impact(dry_rigid *r, int hit, bool restitute) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    memset(p->lambda, 0, (size_t)inc->n_forces * sizeof *p->lambda);
    memcpy(p->s0, r->now.slide, (size_t)inc->n_forces * sizeof *p->s0);
    for (int set = 0; set < inc->n_sets; set++) {
        const dry_inclusion_set *of = &inc->sets[set];
        const double speed = r->now.slide[of->force];
        p->base[set] = r->now.restitution[set] = 0.0;
        if (of->set->kind == DRY_SET_OF_FORCES) {
            p->active[set] = dry_rigid__is_lifted(&p->pattern, set);
            continue;
        }
        p->active[set] = set == hit || !r->now.slips[set] || touches(r, set);
        if (!p->active[set] || !(speed < 0.0)) continue;
        if (restitute && r->now.hits[set]++ < BOUNCES) r->now.restitution[set] = of->restitution;
    }
}

/* Moreau's law: Newton's restitution is a slide that the contact must reach. */
static dry_rigid__fault moreau(dry_rigid *r, double t) {
    dry_rigid__problem *p = &r->problem;
    for (int set = 0; set < p->n_sets; set++) {
        const int i = p->sets[set].force;
        if (p->active[set]) p->s0[i] += r->now.restitution[set] * r->now.slide[i];
    }
    return dry_rigid__solve_impulses(r, t);
}

/* The velocities after the impact, and which contacts stay closed: those whose rate is at the level
 * of rounding compared with the fastest. */
static void apply_impact(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    double most = 0.0;
    memcpy(r->trial.y, r->now.x, (size_t)inc->n_states * sizeof *r->trial.y);
    for (int k = 0; k < inc->n_push; k++)
        r->trial.y[inc->push_state[k]] += r->trial.end.push[k] * p->lambda[inc->push_force[k]];
    for (int i = 0; i < inc->n_forces; i++) most = dry_max(most, fabs(r->now.slide[i]));
    for (int set = 0; set < inc->n_sets; set++) {
        const int i = inc->sets[set].force;
        if (inc->sets[set].set->kind == DRY_SET_OF_FORCES || !p->active[set]) continue;
        const double rate = p->slide[i] - (p->s0[i] - r->now.slide[i]);
        p->inside[set] = rate <= 4.0 * p->residual * most;
        r->now.slips[set] = !p->inside[set];
    }
    dry_rigid__hold_velocities(r);
    memcpy(r->now.x, r->trial.y, (size_t)inc->n_states * sizeof *r->now.x);
}

/* What the impulses add to the motion, J: each force times the mean of its slides before and after.
 * Zero or less for rigid bodies that are not driven. A force that does not act along its own slide,
 * so that D has no symmetry, does another work: then nothing is said. */
static double gain_of(const dry_rigid *r) {
    const dry_rigid__problem *p = &r->problem;
    double gain = 0.0;
    for (int i = 0; i < p->n_forces; i++) {
        const int set = p->pattern.set_of[i];
        const double before = r->now.slide[i], after = p->slide[i] - (p->s0[i] - before);
        const double sign = dry_rigid__is_dio(r, set) ? 1.0 : -1.0;
        if (p->active[set]) gain += sign * p->lambda[i] * 0.5 * (before + after);
    }
    return gain;
}

/* The work of the impulses against the slides before the impact: the size of the energies. */
static double work_before(const dry_rigid *r) {
    double work = 0.0;
    for (int i = 0; i < r->problem.n_forces; i++)
        work += fabs(r->problem.lambda[i] * r->now.slide[i]);
    return work;
}

static dry_rigid__fault check_gain(dry_rigid *r, int hit) {
    r->gained = gain_of(r);
    const bool gains = r->gained > GAIN * work_before(r) && dry_rigid__is_mutual(&r->problem);
    return gains ? (dry_rigid__fault){DRY_RIGID_GAINS, hit} : (dry_rigid__fault){0};
}

dry_rigid__fault dry_rigid__impact(dry_rigid *r, double t, int hit, bool restitute, double mean) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    dry_rigid__eval(r, t, r->now.x, r->zero, &r->trial.end);
    memcpy(r->trial.mid.feel, r->trial.end.feel, (size_t)inc->n_feel * sizeof *r->trial.mid.feel);
    if (inc->n_lift > 0) memcpy(p->lift, r->trial.end.lift, (size_t)inc->n_lift * sizeof *p->lift);
    dry_rigid__note_speed(r, r->trial.end.feel, r->now.x);
    dry_rigid__assemble(p, 1.0, r->trial.end.feel, r->trial.end.push);
    set_up_impact(r, hit, restitute);
    dry_rigid__fault fault = r->facts->routh ? dry_rigid__routh(r, t) : moreau(r, t);
    if (!fault.why) fault = check_gain(r, hit);
    if (fault.why) return fault;
    apply_impact(r);
    for (int i = 0; i < inc->n_forces; i++) r->now.forces[i] += mean * p->lambda[i];
    memset(p->lambda, 0, (size_t)inc->n_forces * sizeof *p->lambda);
    r->counts.impacts++;
    r->now.struck = true;
    const double now = r->clock.t;
    r->clock.t = t;
    dry_rigid__refresh(r);
    r->clock.t = now;
    return fault;
}
