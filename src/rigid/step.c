/* A step of the prox scheme, split at the time at which a set changes its state.
 *
 * Within a step a block may stop, break loose or turn back, a contact may close or open. The trial
 * of the whole step shows it; the time is found from a straight line (a parabola for gaps) and the
 * step is split there, so no kink lies inside a step and the error stays of third order. tau: the
 * part of the step before the event; e: Newton's restitution, psi_dot+ = -e psi_dot-. */
#include "rigid_private.h"

enum {
    PARTS = 16,  /* of a step, at most; the rest is not split */
    BOUNCES = 4, /* of a contact in a step; then it rests (Zeno) */
    POLISH = 4   /* trials to meet a closing contact */
};
static const double SOON = 1e-5;  /* an event in this part of a step is at its start */
static const double TOUCH = 1e-9; /* a gap that closes in this part of a step is closed */

typedef struct event {
    double tau;  /* 1: none */
    int contact; /* the dio that closes; -1: another event */
} event;

/* ---- finding ------------------------------------------------------------- */

/* For a set that slips at the start and sticks or turns back at the end: the time at which the
 * slide would vanish if the set kept slipping. */
static double stops_at(const dry_rigid__problem *p, const dry_rigid__now *now, int set) {
    const int first = p->sets[set].force, n = p->sets[set].dim;
    const double *before = now->slide + first, *after = p->slide + first;
    const double speed = dry_norm(n, before);
    double along = 0.0, reach = 0.0, length = 0.0;
    for (int c = 0; c < n; c++) along += before[c] * after[c];
    if (speed == 0.0 || !(p->level[set] > 0.0) || (!p->inside[set] && along >= 0.0)) return 1.0;
    for (int i = 0; i < n; i++) {
        double slide = after[i]; /* at the end of the step, with the force of slipping */
        for (int c = 0; c < n; c++)
            slide += p->D[p->pattern.own[first + i] + c] *
                     (p->level[set] * (before[c] / speed) - p->lambda[first + c]);
        reach += before[i] * (before[i] - slide);
        length += (before[i] - slide) * (before[i] - slide);
    }
    return length > 0.0 ? reach / length : 1.0;
}

/* The distance of the holding force from the boundary of its set: negative inside. */
static double excess(const dry_rigid__problem *p, int set) {
    const int first = p->sets[set].force;
    double y[DRY_RIGID_DIM];
    for (int c = 0; c < p->sets[set].dim; c++)
        y[c] = p->lambda[first + c] - p->slide[first + c] / dry_rigid__diagonal(p, set);
    return p->sets[set].set->excess(p->sets[set].dim, p->level[set], y);
}

/* Held at the start and not at the end: the holding forces at both mid-steps on a straight line. */
static double lets_go_at(const dry_rigid__problem *p, const dry_rigid__past *past, int set) {
    if (past->known < 1 || p->inside[set]) return 1.0;
    const double now = excess(p, set), before = past->margin[set];
    return now > before ? -before / (now - before) - 0.5 : 1.0;
}

/* An open gap that is closed at the end: the parabola through its start, its rate and its end.
 * 2: it does not close. */
static double closes_at(const dry_rigid *r, int set, double h) {
    const double gap = dry_pos(r->now.gap[set]), end = r->trial.gap[set];
    const double b = h * r->now.slide[r->inclusion->sets[set].force], a = end - gap - b;
    if (!(end < dry_min(r->now.gap[set], 0.0))) return 2.0;
    if (gap == 0.0) return b > 0.0 ? dry_min(b / -a, 1.0) : 0.0;
    const double root = sqrt(dry_pos(b * b - 4.0 * a * gap));
    return dry_min(b < 0.0 ? 2.0 * gap / (root - b) : (b + root) / (-2.0 * a), 1.0);
}

static event earliest(const dry_rigid *r, double h) {
    event first = {1.0, -1};
    for (int set = 0; set < r->inclusion->n_sets; set++) {
        const bool dio = r->inclusion->sets[set].set->kind == DRY_SET_OF_PLACES,
                   closing = dio && r->now.slips[set];
        const double tau = closing             ? closes_at(r, set, h)
                           : r->now.slips[set] ? stops_at(&r->problem, &r->now, set)
                                               : lets_go_at(&r->problem, &r->past, set);
        if (closing ? tau <= first.tau : tau > SOON && tau < first.tau)
            first = (event){tau, closing ? set : -1};
    }
    return first;
}

bool dry_rigid__has_event(const dry_rigid *r, double h) {
    const event first = earliest(r, h);
    return first.contact >= 0 || first.tau < 1.0 - SOON;
}

/* ---- impacts ------------------------------------------------------------- */

void dry_rigid__refresh(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__eval(r, r->clock.t, r->now.x, r->problem.lambda, &r->trial.end);
    memcpy(r->now.slide, r->trial.end.slide, (size_t)inc->n_forces * sizeof *r->now.slide);
    for (int set = 0; set < inc->n_sets; set++)
        if (inc->sets[set].set->kind == DRY_SET_OF_PLACES)
            r->now.gap[set] = r->trial.end.gap[set];
        else
            r->now.slips[set] =
                dry_norm(inc->sets[set].dim, r->now.slide + inc->sets[set].force) > 0;
    r->past.known = 0;
    r->now.fresh = true;
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
        p->base[set] = 0.0;
        if (of->set->kind == DRY_SET_OF_FORCES) {
            p->active[set] = dry_rigid__is_lifted(&p->pattern, set);
            continue;
        }
        p->active[set] = set == hit || !r->now.slips[set] ||
                         (speed < 0.0 && r->now.gap[set] <= -TOUCH * speed * r->options.step);
        if (!p->active[set] || !(speed < 0.0)) continue;
        if (restitute && r->now.hits[set]++ < BOUNCES) p->s0[of->force] += of->restitution * speed;
    }
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

/* The impact of all contacts that touch at (t, r->now.x); `hit` is one of them. `mean` is one over
 * the length of the step that the impulse is spread over in the forces. */
static dry_rigid__fault impact(dry_rigid *r, double t, int hit, bool restitute, double mean) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    dry_rigid__eval(r, t, r->now.x, r->zero, &r->trial.end);
    memcpy(r->trial.mid.feel, r->trial.end.feel, (size_t)inc->n_feel * sizeof *r->trial.mid.feel);
    if (inc->n_lift > 0) memcpy(p->lift, r->trial.end.lift, (size_t)inc->n_lift * sizeof *p->lift);
    dry_rigid__assemble(p, 1.0, r->trial.end.feel, r->trial.end.push);
    set_up_impact(r, hit, restitute);
    const dry_rigid__fault fault = dry_rigid__solve(p);
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

/* ---- going on ------------------------------------------------------------ */

/* Updates which sets hold and which slip; true if one changed. */
static bool note_sets(dry_rigid *r) {
    const dry_rigid__problem *p = &r->problem;
    bool changed = false;
    for (int set = 0; set < p->n_sets; set++) {
        const int first = p->sets[set].force;
        const bool dio = p->sets[set].set->kind == DRY_SET_OF_PLACES;
        r->past.margin[set] = excess(p, set);
        if (dio && r->now.slips[set]) continue; /* a contact closes by impact alone */
        const bool holds = p->inside[set];
        changed = changed || holds == r->now.slips[set];
        r->now.slips[set] = !holds;
        if (holds)
            for (int c = 0; c < p->sets[set].dim; c++) r->problem.slide[first + c] = 0.0;
    }
    return changed;
}

/* Makes the trial the state. */
static void accept(dry_rigid *r, double h) {
    const dry_inclusion *inc = r->inclusion;
    const bool changed = note_sets(r);
    memcpy(r->now.slide, r->problem.slide, (size_t)inc->n_forces * sizeof *r->now.slide);
    if (r->layout.n_dio > 0)
        memcpy(r->now.gap, r->trial.gap, (size_t)inc->n_sets * sizeof *r->now.gap);
    memcpy(r->now.x, r->trial.y, (size_t)inc->n_states * sizeof *r->now.x);
    dry_rigid__shift(&r->past, &r->trial);
    if (changed || r->now.fresh) r->instant.parts = 0;
    r->now.fresh = false;
    dry_rigid__note_forces(r, r->problem.lambda, h);
    r->past.known = changed || r->past.plain ? 0 : r->past.known < 2 ? r->past.known + 1 : 2;
    r->past.h = h;
}

/* Shortens the trial until the gap of a contact is closed at its end. */
static dry_rigid__fault shorten_to_contact(dry_rigid *r, double t, int contact, double *h) {
    dry_rigid__fault fault = {0};
    const int i = r->inclusion->sets[contact].force;
    const double most = 2.0 * *h;
    for (int k = 0; k < POLISH; k++) {
        fault = dry_rigid__try(r, t, *h, t + *h);
        const double gap = r->trial.gap[contact], rate = r->problem.slide[i];
        if (fault.why || fabs(gap) <= 1e-13 * fabs(rate) * *h || !(rate < 0.0)) break;
        const double better = *h - gap / rate;
        if (k == POLISH - 1 || !(better > 0.0 && better < most)) break;
        *h = better;
    }
    return fault;
}

typedef struct stretch {
    double t, h, last;
    bool split; /* it ends at an event */
    int contact;
    bool waits; /* the event is at the start of the part */
} stretch;

/* The next part of the step, as far as the first event in it. */
static dry_rigid__fault try_part(dry_rigid *r, stretch *part, bool may_split) {
    dry_rigid__fault fault = dry_rigid__try(r, part->t, part->h, part->last);
    const dry_rigid__fault wedged = dry_rigid__painleve(r, part->h);
    if (wedged.why || fault.why) return wedged.why ? wedged : fault;
    const event first = earliest(r, part->h);
    part->contact = first.contact;
    part->waits = first.contact >= 0 && (first.tau <= TOUCH || !may_split);
    part->split = !part->waits && may_split && (first.contact >= 0 || first.tau < 1.0 - SOON);
    if (!part->split) return fault;
    part->h *= first.tau;
    return first.contact >= 0 ? shorten_to_contact(r, part->t, first.contact, &part->h)
                              : dry_rigid__try(r, part->t, part->h, part->t + part->h);
}

static void add_mean(dry_rigid *r, double weight) {
    for (int i = 0; i < r->inclusion->n_forces; i++)
        r->now.forces[i] += weight * r->problem.lambda[i];
}

dry_rigid__fault dry_rigid__step_prox(dry_rigid *r, double h, double end, double last) {
    const double t_start = r->clock.t;
    double t = t_start;
    memset(r->now.forces, 0, (size_t)r->inclusion->n_forces * sizeof *r->now.forces);
    r->now.struck = false;
    if (r->layout.n_dio > 0)
        memset(r->now.hits, 0, (size_t)r->inclusion->n_sets * sizeof *r->now.hits);
    for (int k = 0; k <= PARTS + 4 * r->inclusion->n_sets; k++) {
        stretch part = {.t = t, .h = k == 0 ? h : end - t, .last = last};
        dry_rigid__fault fault = try_part(r, &part, k < PARTS);
        if (fault.why) return fault;
        if (!part.waits) {
            add_mean(r, part.h / h);
            accept(r, part.h);
            if (!part.split) return fault;
            t += part.h;
            r->past.known = 0;
            r->now.fresh = true;
        }
        if (part.waits && r->now.slide[r->inclusion->sets[part.contact].force] >= 0.0)
            r->now.slips[part.contact] = false; /* apart by rounding: it rests */
        else if (part.contact >= 0)
            fault = impact(r, t, part.contact, k < PARTS, 1.0 / h);
        if (fault.why || !(t < end)) return fault;
    }
    return (dry_rigid__fault){DRY_RIGID_NOT_CONVERGED, r->inclusion->sets[0].force};
}
