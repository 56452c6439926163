/* A step of the prox scheme, split at the time at which a set changes its state.
 *
 * Within a step a block may stop, break loose or turn back, a contact may close or open. The trial
 * of the whole step shows it; the time is found from a straight line (a parabola for gaps) and the
 * step is split there, so no kink lies inside a step and the error stays of third order. tau: the
 * part of the step before the event. */
#include "rigid_private.h"

enum {
    PARTS = 16, /* of a step, at most; the rest is not split */
    POLISH = 4, /* trials to meet a closing contact */
    SEARCH = 10 /* trials to meet another event of coupled sets */
};
static const double SOON = 1e-5;  /* an event in this part of a step is at its start */
static const double MINOR = 1e-6; /* a change of a level or of the fastest slide that is not met */

typedef struct event {
    double tau;  /* 1: none */
    int contact; /* the dio that closes; -1: another event */
} event;

/* ---- finding ------------------------------------------------------------- */

/* Whether a set that slips at the start sticks or turns back at the end. */
static bool stops(const dry_rigid__problem *p, const dry_rigid__now *now, int set) {
    const int first = p->sets[set].force, n = p->sets[set].dim;
    double along = 0.0;
    for (int c = 0; c < n; c++) along += now->slide[first + c] * p->slide[first + c];
    return dry_norm(n, now->slide + first) > 0.0 && p->level[set] > 0.0 &&
           (p->inside[set] || along < 0.0);
}

/* The time at which the slide of such a set would vanish if the set kept slipping. */
static double stops_at(const dry_rigid__problem *p, const dry_rigid__now *now, int set) {
    const int first = p->sets[set].force, n = p->sets[set].dim;
    const double *before = now->slide + first, *after = p->slide + first;
    const double speed = dry_norm(n, before);
    double reach = 0.0, length = 0.0;
    if (!stops(p, now, set)) return 1.0;
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
    if (now <= 4.0 * p->residual * p->level[set]) return 1.0; /* by rounding */
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

/* The largest slide, with forces or without. */
static double fastest(const dry_rigid__problem *p) {
    double most = 0.0;
    for (int i = 0; i < p->n_forces; i++)
        most = dry_max(most, dry_max(fabs(p->slide[i]), fabs(p->s0[i])));
    return most;
}

/* Whether a set has changed at the end of the trial, but for contacts that close. `known`: it did
 * not change at the start. */
static bool changes(const dry_rigid *r, int set, bool known) {
    const dry_rigid__problem *p = &r->problem;
    if (r->now.slips[set]) {
        if (dry_rigid__is_dio(r, set)) return false;
        const double speed = dry_norm(p->sets[set].dim, r->now.slide + p->sets[set].force);
        return stops(p, &r->now, set) && stops_at(p, &r->now, set) > SOON &&
               speed > MINOR * fastest(p);
    }
    return known && !p->inside[set] && excess(p, set) > MINOR * p->level[set];
}

/* The line of a coupled set may miss its event, because other forces answer too. */
static double meets_at(const dry_rigid *r, int set) {
    const double tau = r->now.slips[set] ? stops_at(&r->problem, &r->now, set)
                                         : lets_go_at(&r->problem, &r->past, set);
    const bool missed = tau >= 1.0 - SOON && r->problem.pattern.coupled;
    return missed && changes(r, set, r->past.known >= 1) ? 0.5 : tau;
}

static event earliest(const dry_rigid *r, double h) {
    event first = {1.0, -1};
    for (int set = 0; set < r->inclusion->n_sets; set++) {
        const bool dio = r->inclusion->sets[set].set->kind == DRY_SET_OF_POSITIONS,
                   closing = dio && r->now.slips[set];
        const double tau = closing ? closes_at(r, set, h) : meets_at(r, set);
        if (closing ? tau <= first.tau : tau > SOON && tau < first.tau)
            first = (event){tau, closing ? set : -1};
    }
    return first;
}

bool dry_rigid__has_event(const dry_rigid *r, double h) {
    const event first = earliest(r, h);
    return first.contact >= 0 || first.tau < 1.0 - SOON;
}

/* ---- going on ------------------------------------------------------------ */

/* Updates which sets hold and which slip, by more than rounding; true if one changed. */
static bool note_sets(dry_rigid *r) {
    const dry_rigid__problem *p = &r->problem;
    const double still = 4.0 * p->residual * fastest(p);
    bool changed = false;
    for (int set = 0; set < p->n_sets; set++) {
        const int first = p->sets[set].force;
        const bool dio = p->sets[set].set->kind == DRY_SET_OF_POSITIONS;
        r->past.margin[set] = excess(p, set);
        if (dio && r->now.slips[set]) continue; /* a contact closes by impact alone */
        const bool holds =
            p->inside[set] || (!dio && dry_norm(p->sets[set].dim, p->slide + first) <= still);
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

/* When a set will change that has not changed in a trial of length h, on the line through what it
 * did: a slide from its start, a holding force from the last part, which was `before` long (0: not
 * known). */
static double changes_at(const dry_rigid *r, int set, double h, double before) {
    const dry_rigid__problem *p = &r->problem;
    const int first = p->sets[set].force, n = p->sets[set].dim;
    double whole = 0.0, lost = 0.0;
    if (!r->now.slips[set]) {
        const double now = excess(p, set), rise = now - r->past.margin[set];
        const bool meets = before > 0.0 && now < 0.0 && rise > 0.0;
        return meets ? 0.5 * h - now / rise * 0.5 * (h + before) : (double)INFINITY;
    }
    for (int c = 0; c < n; c++) {
        const double slide = r->now.slide[first + c];
        whole += slide * slide;
        lost += slide * (slide - p->slide[first + c]);
    }
    const bool slows = lost > 0.0 && !dry_rigid__is_dio(r, set) && !stops(p, &r->now, set);
    return slows ? h * whole / lost : (double)INFINITY;
}

/* The first change after the trial, unless one lies in it: then `change` is true. */
static double next_change(const dry_rigid *r, double h, double before, bool *change) {
    double first = (double)INFINITY;
    *change = false;
    for (int set = 0; set < r->problem.n_sets && !*change; set++) {
        *change = changes(r, set, before > 0.0);
        first = dry_min(first, changes_at(r, set, h, before));
    }
    return first;
}

/* Shortens the trial to the first change of coupled sets. The line of `earliest` knows the own
 * force of a set alone, but others answer too, so the time is searched between a trial without a
 * change and one with it: ahead by the line of the first, back by halves. */
static dry_rigid__fault shorten_to_change(dry_rigid *r, double tau, stretch *part) {
    const double whole = part->h, before = r->past.known >= 1 ? r->past.h : 0.0;
    double low = 0.0, high = part->h;
    part->h *= tau;
    for (int k = 0;; k++) {
        bool change;
        const dry_rigid__fault fault = dry_rigid__try(r, part->t, part->h, part->t + part->h);
        const double at = next_change(r, part->h, before, &change);
        const bool met = !change && at <= part->h + SOON * whole;
        if (fault.why || met || high - low <= SOON * whole || k == SEARCH) return fault;
        if (change)
            high = part->h;
        else
            low = part->h;
        part->h = !change && at < high ? at : 0.5 * (low + high);
    }
}

/* The next part of the step, as far as the first event in it. */
static dry_rigid__fault try_part(dry_rigid *r, stretch *part, bool may_split) {
    dry_rigid__fault fault = dry_rigid__try(r, part->t, part->h, part->last);
    const dry_rigid__fault wedged = dry_rigid__painleve(r, part->h);
    if (wedged.why || fault.why) return wedged.why ? wedged : fault;
    const event first = earliest(r, part->h);
    part->contact = first.contact;
    part->waits = first.contact >= 0 && (first.tau <= DRY_RIGID_TOUCH || !may_split);
    part->split = !part->waits && may_split && (first.contact >= 0 || first.tau < 1.0 - SOON);
    if (!part->split) return fault;
    if (first.contact < 0 && r->problem.pattern.coupled)
        return shorten_to_change(r, first.tau, part);
    part->h *= first.tau;
    return first.contact >= 0 ? shorten_to_contact(r, part->t, first.contact, &part->h)
                              : dry_rigid__try(r, part->t, part->h, part->t + part->h);
}

/* Whether a contact that closes does so by rounding alone. */
static bool rests(const dry_rigid *r, const stretch *part) {
    const double rate = r->now.slide[r->inclusion->sets[part->contact].force];
    return dry_rigid__is_still(r, rate) || (part->waits && rate >= 0.0);
}

static void add_mean(dry_rigid *r, double weight) {
    for (int i = 0; i < r->inclusion->n_forces; i++)
        r->now.forces[i] += weight * r->problem.lambda[i];
}

dry_rigid__fault dry_rigid__step_prox(dry_rigid *r, double h, double end, double last) {
    const double t_start = r->clock.t;
    double t = t_start;
    int last_contact = 0;
    memset(r->now.forces, 0, (size_t)r->inclusion->n_forces * sizeof *r->now.forces);
    r->now.struck = false;
    if (r->layout.n_dio > 0)
        memset(r->now.hits, 0, (size_t)r->inclusion->n_sets * sizeof *r->now.hits);
    for (int k = 0; k <= PARTS + 4 * r->inclusion->n_sets; k++) {
        stretch part = {.t = t, .h = k == 0 ? h : end - t, .last = last};
        dry_rigid__fault fault = try_part(r, &part, k < PARTS);
        if (fault.why) return fault;
        if (part.contact >= 0) last_contact = part.contact;
        if (!part.waits) {
            add_mean(r, part.h / h);
            accept(r, part.h);
            if (!part.split) return fault;
            t += part.h;
            r->past.known = 0;
            r->now.fresh = true;
        }
        if (part.contact >= 0 && rests(r, &part))
            r->now.slips[part.contact] = false;
        else if (part.contact >= 0)
            fault = dry_rigid__impact(r, t, part.contact, k < PARTS, 1.0 / h);
        if (fault.why || !(t < end)) return fault;
    }
    return (dry_rigid__fault){DRY_RIGID_TOO_MANY, last_contact};
}
