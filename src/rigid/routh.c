/* An impact in which friction follows the slip from moment to moment (Routh, Darboux, Keller), with
 * the energetic restitution of Stronge.
 *
 * The impulse p of the contact takes the place of time, because all other forces are small beside
 * those of the impact:
 *
 *     d slide/dp = D r,   r_contact = 1,   r_f in chi_f sgn(theta_f),   chi_f = d chi_f/dN
 *     W = integral of psi_dot dp:  W = Wc < 0 if psi_dot = 0,  the end is at W = (1 - e^2) Wc
 *
 * Friction that slides along a line, sticks or starts to slide has a constant r; the slides are
 * then linear in p, W is a parabola, and the next change is found exactly. A slide that turns in
 * its plane has a rate that is singular as it stops; with ds = dp sum 1/|theta_f| it is smooth, and
 * Runge and Kutta's method with halved steps follows it. D: change of slides by impulses; theta,
 * psi_dot: slides of friction and contact; e: restitution. */
#include "rigid_private.h"

enum { MOST = 100000, HALVINGS = 60 }; /* changes and steps of an impact; of an interval */
static const double EXACT = 1e-12;     /* error of a step, in parts of the fastest slide */
static const double STOPPED = 1e-13;   /* a slide that turns has stopped, in the same parts */
static const double BRIEF = 1e-6;      /* first part of a slide that starts while another turns */
static const double PRESSED = 1e-9;    /* rate of a gap that closes: more than rounding */

typedef enum change { NOTHING, STOPS, COMPRESSED, ENDED, AGAIN } change;

static double *slides(double *y) { return y; }
static double *impulses(const dry_rigid *r, double *y) { return y + r->problem.n_forces; }
static double *work(const dry_rigid *r, double *y) { return y + 2 * r->problem.n_forces; }
static int size(const dry_rigid *r) { return 2 * r->problem.n_forces + 1; }
static int contact_of(const dry_rigid *r) { return r->inclusion->sets[r->course.contact].force; }

/* ---- friction while the impact lasts ------------------------------------- */

/* d chi of a friction by the force of the contact. */
static double lift_of(const dry_rigid__problem *p, int set, int force) {
    double lift = 0.0;
    for (int k = p->pattern.lift_start[set]; k < p->pattern.lift_start[set + 1]; k++)
        if (p->pattern.lift_force[k] == force) lift += p->lift[k];
    return lift;
}

/* Finds the forces of friction that sticks, given those of all that slides: a prox problem for what
 * the slides begin to do. */
static dry_rigid__fault hold(dry_rigid *r) {
    dry_rigid__problem *p = &r->problem;
    dry_rigid__course *of = &r->course;
    bool any = false;
    for (int set = 0; set < p->n_sets; set++) {
        p->active[set] = of->mode[set] == DRY_RIGID_STICKS;
        p->base[set] = of->level[set];
        any = any || p->active[set];
    }
    if (!any) return (dry_rigid__fault){0};
    for (int i = 0; i < p->n_forces; i++) {
        p->s0[i] = p->lambda[i] = 0.0;
        for (int k = p->pattern.start[i]; k < p->pattern.start[i + 1]; k++)
            if (!p->active[p->pattern.set_of[p->pattern.column[k]]])
                p->s0[i] += p->D[k] * of->rate[p->pattern.column[k]];
    }
    const dry_rigid__fault fault = dry_rigid__solve(p);
    for (int i = 0; i < p->n_forces; i++)
        if (p->active[p->pattern.set_of[i]]) of->rate[i] = p->lambda[i];
    return fault;
}

/* The friction of a slide that turns. */
static double turn(const dry_rigid *r, int set, const double *y) {
    const dry_inclusion_set *of = &r->problem.sets[set];
    const double speed = dry_norm(of->dim, y + of->force);
    for (int c = 0; c < of->dim; c++)
        r->course.rate[of->force + c] =
            speed > 0.0 ? r->course.level[set] * y[of->force + c] / speed : 0.0;
    return speed;
}

/* dy/dp. `slow`: 1 over the sum of 1/|theta| of the slides that turn. */
static dry_rigid__fault derive(dry_rigid *r, double *y, double *slope, double *slow) {
    const dry_rigid__problem *p = &r->problem;
    double sum = 0.0;
    for (int set = 0; set < p->n_sets; set++)
        if (r->course.mode[set] == DRY_RIGID_TURNS) sum += 1.0 / turn(r, set, y);
    const dry_rigid__fault fault = hold(r);
    for (int i = 0; i < p->n_forces; i++) {
        double rate = 0.0;
        for (int k = p->pattern.start[i]; k < p->pattern.start[i + 1]; k++)
            rate += p->D[k] * r->course.rate[p->pattern.column[k]];
        slides(slope)[i] = rate;
        impulses(r, slope)[i] = r->course.rate[i];
    }
    *work(r, slope) = slides(y)[contact_of(r)];
    *slow = 1.0 / sum;
    return fault;
}

/* What each friction of the contact does now; friction that sticks and cannot starts to slide along
 * a line. `begins`: one does. */
static dry_rigid__fault classify(dry_rigid *r, double *slope, bool *turns, bool *begins) {
    dry_rigid__problem *p = &r->problem;
    dry_rigid__course *of = &r->course;
    double *y = of->y, slow;
    memset(of->rate, 0, (size_t)p->n_forces * sizeof *of->rate);
    of->rate[contact_of(r)] = 1.0;
    *turns = *begins = false;
    for (int set = 0; set < p->n_sets; set++) {
        const int first = p->sets[set].force, dim = p->sets[set].dim;
        const double speed = dry_norm(dim, y + first);
        of->mode[set] = !(of->level[set] > 0.0) ? DRY_RIGID_IDLE
                        : speed == 0.0          ? DRY_RIGID_STICKS
                        : dim == 1              ? DRY_RIGID_SLIDES
                                                : DRY_RIGID_TURNS;
        if (of->mode[set] == DRY_RIGID_SLIDES)
            of->rate[first] = y[first] > 0.0 ? of->level[set] : -of->level[set];
        *turns = *turns || of->mode[set] == DRY_RIGID_TURNS;
    }
    const dry_rigid__fault fault = derive(r, y, slope, &slow);
    for (int set = 0; set < p->n_sets; set++)
        if (of->mode[set] == DRY_RIGID_STICKS && !p->inside[set]) {
            of->mode[set] = DRY_RIGID_SLIDES;
            *begins = true;
        }
    return fault;
}

/* ---- along straight lines ------------------------------------------------ */

typedef struct next {
    double dp;
    change what;
    int set;
} next;

/* When a slide along a line stops. */
static next first_stop(const dry_rigid *r, const double *slope) {
    const dry_rigid__problem *p = &r->problem;
    next first = {(double)INFINITY, NOTHING, -1};
    for (int set = 0; set < p->n_sets; set++) {
        const int i = p->sets[set].force;
        if (r->course.mode[set] != DRY_RIGID_SLIDES || p->sets[set].dim > 1) continue;
        const double dp = -r->course.y[i] / slope[i];
        if (r->course.y[i] != 0.0 && dp > 0.0 && dp < first.dp) first = (next){dp, STOPS, set};
    }
    return first;
}

/* When the contact is compressed, or has got back the part e^2 of the work. */
static next end_of_phase(const dry_rigid *r, double *slope) {
    const dry_rigid__course *of = &r->course;
    const double w = of->y[contact_of(r)], a = slope[contact_of(r)];
    if (!of->restores) return (next){a > 0.0 ? -w / a : (double)INFINITY, COMPRESSED, of->contact};
    const double left = of->target - *work(r, of->y), square = w * w + 2.0 * a * left;
    if (square < 0.0) return (next){-w / a, AGAIN, of->contact};
    return (next){2.0 * left / (w + sqrt(square)), ENDED, of->contact};
}

static void go_straight(dry_rigid *r, const double *slope, double dp) {
    double *y = r->course.y;
    const int i = contact_of(r);
    const double w = y[i];
    for (int k = 0; k < size(r); k++) y[k] += dp * slope[k];
    *work(r, y) += 0.5 * dp * (y[i] - w); /* the parabola */
}

/* ---- along curves -------------------------------------------------------- */

/* One step of the classical Runge-Kutta method over ds, from y to `to`. */
static dry_rigid__fault step_curve(dry_rigid *r, const double *from, double ds, double *to) {
    static const double ahead[] = {0.0, 0.5, 0.5, 1.0}, weight[] = {1.0, 2.0, 2.0, 1.0};
    double *point = r->course.point, *slope = r->course.slope, *sum = r->course.sum, slow;
    memset(sum, 0, (size_t)size(r) * sizeof *sum);
    memset(slope, 0, (size_t)size(r) * sizeof *slope);
    for (int stage = 0; stage < 4; stage++) {
        for (int k = 0; k < size(r); k++) point[k] = from[k] + ahead[stage] * ds * slope[k];
        const dry_rigid__fault fault = derive(r, point, slope, &slow);
        if (fault.why) return fault;
        for (int k = 0; k < size(r); k++) {
            slope[k] *= slow;
            sum[k] += weight[stage] * slope[k];
        }
    }
    for (int k = 0; k < size(r); k++) to[k] = from[k] + ds / 6.0 * sum[k];
    return (dry_rigid__fault){0};
}

/* Two half steps, corrected by a whole one; their difference in parts of the fastest slide. */
static dry_rigid__fault double_step(dry_rigid *r, double ds, double *error) {
    dry_rigid__course *of = &r->course;
    dry_rigid__fault fault = step_curve(r, of->y, ds, of->whole);
    if (!fault.why) fault = step_curve(r, of->y, 0.5 * ds, of->half);
    if (!fault.why) fault = step_curve(r, of->half, 0.5 * ds, of->to);
    *error = 0.0;
    for (int k = 0; k < size(r); k++) {
        const double difference = (of->to[k] - of->whole[k]) / 15.0;
        if (k < r->problem.n_forces) *error = dry_max(*error, fabs(difference));
        of->to[k] += difference;
    }
    *error /= of->fastest;
    return fault;
}

/* What has changed between y and the end of the step. */
static next changed(const dry_rigid *r) {
    const dry_rigid__problem *p = &r->problem;
    const dry_rigid__course *of = &r->course;
    const double w = of->to[contact_of(r)];
    for (int set = 0; set < p->n_sets; set++) {
        const int i = p->sets[set].force;
        if ((of->mode[set] == DRY_RIGID_SLIDES && of->y[i] * of->to[i] <= 0.0) ||
            (of->mode[set] == DRY_RIGID_TURNS &&
             dry_norm(p->sets[set].dim, of->to + i) <= STOPPED * of->fastest))
            return (next){0.0, STOPS, set};
    }
    if (!of->restores && w >= 0.0) return (next){0.0, COMPRESSED, of->contact};
    if (of->restores && *work(r, of->to) >= of->target) return (next){0.0, ENDED, of->contact};
    return (next){0.0, of->restores && w < 0.0 ? AGAIN : NOTHING, of->contact};
}

/* Shortens a step to its first change. */
static dry_rigid__fault shorten(dry_rigid *r, double ds, next *what) {
    double least = 0.0, most = ds, error;
    dry_rigid__fault fault = {0};
    for (int k = 0; k < HALVINGS && !fault.why; k++) {
        const double middle = 0.5 * (least + most);
        fault = double_step(r, middle, &error);
        const next found = changed(r);
        if (found.what == NOTHING)
            least = middle;
        else
            most = middle, *what = found;
    }
    return fault.why ? fault : double_step(r, most, &error);
}

static dry_rigid__fault follow_curve(dry_rigid *r, next *what) {
    dry_rigid__course *of = &r->course;
    double error;
    for (int k = 0; k < HALVINGS; k++) {
        dry_rigid__fault fault = double_step(r, of->ds, &error);
        if (fault.why) return fault;
        const double ds = of->ds, better = 0.9 * dry_pow(EXACT / dry_max(error, 1e-4 * EXACT), 0.2);
        of->ds *= dry_max(0.2, dry_min(better, 4.0));
        if (!(error <= EXACT)) continue;
        *what = changed(r);
        if (what->what != NOTHING) fault = shorten(r, ds, what);
        memcpy(of->y, of->to, (size_t)size(r) * sizeof *of->y);
        return fault;
    }
    return (dry_rigid__fault){DRY_RIGID_NOT_CONVERGED, contact_of(r)};
}

/* ---- one contact --------------------------------------------------------- */

/* Whether the impact changes the rate of another gap. */
static bool reaches(const dry_rigid *r, int set) {
    const dry_rigid__problem *p = &r->problem;
    const int i = p->sets[set].force;
    for (int k = p->pattern.start[i]; k < p->pattern.start[i + 1]; k++) {
        const int j = p->pattern.column[k], of = p->pattern.set_of[j];
        if (p->D[k] != 0.0 && (of == r->course.contact || r->course.level[of] > 0.0)) return true;
    }
    return false;
}

/* Refuses a second contact that takes part: it touches, and the impact presses it. */
static dry_rigid__fault check_others(dry_rigid *r) {
    for (int set = 0; set < r->problem.n_sets; set++) {
        if (set == r->course.contact || !r->course.touches[set] || !dry_rigid__is_dio(r, set))
            continue;
        const double rate = r->course.y[r->problem.sets[set].force];
        if (rate >= -PRESSED * r->course.fastest || !reaches(r, set)) continue;
        r->course.other = set;
        return (dry_rigid__fault){DRY_RIGID_SEVERAL, r->course.contact};
    }
    return (dry_rigid__fault){0};
}

/* Sets the levels per unit of impulse; refuses one that depends on friction that has an impulse. */
static dry_rigid__fault set_levels(dry_rigid *r, double t) {
    const dry_rigid__problem *p = &r->problem;
    dry_rigid__lift_impulse(r, t, contact_of(r));
    for (int set = 0; set < p->n_sets; set++)
        r->course.level[set] =
            dry_rigid__is_dio(r, set) ? 0.0 : dry_pos(lift_of(p, set, contact_of(r)));
    for (int set = 0; set < p->n_sets; set++)
        for (int k = p->pattern.lift_start[set]; k < p->pattern.lift_start[set + 1]; k++)
            if (r->course.level[p->pattern.set_of[p->pattern.lift_force[k]]] > 0.0)
                return (dry_rigid__fault){DRY_RIGID_NESTED, set};
    return (dry_rigid__fault){0};
}

static void snap(dry_rigid *r, next what) {
    const dry_rigid__problem *p = &r->problem;
    dry_rigid__course *of = &r->course;
    for (int set = 0; set < p->n_sets; set++)
        if (of->mode[set] == DRY_RIGID_STICKS || (what.what == STOPS && set == what.set))
            for (int c = 0; c < p->sets[set].dim; c++) of->y[p->sets[set].force + c] = 0.0;
    if (what.what == COMPRESSED) of->y[contact_of(r)] = 0.0;
}

/* From one change to the next, or a step on the way to it. */
static dry_rigid__fault go_on(dry_rigid *r, next *what) {
    dry_rigid__course *of = &r->course;
    double *slope = of->slope;
    bool turns, begins;
    const dry_rigid__fault fault = classify(r, slope, &turns, &begins);
    *what = (next){0};
    if (fault.why) return fault;
    if (turns && !begins) return follow_curve(r, what);
    const next stop = first_stop(r, slope), end = end_of_phase(r, slope);
    *what = stop.dp < end.dp ? stop : end;
    const double brief = BRIEF * fabs(of->fastest / slope[contact_of(r)]);
    if (turns && brief < what->dp) *what = (next){brief, NOTHING, -1};
    if (!(what->dp < (double)INFINITY))
        return (dry_rigid__fault){DRY_RIGID_NOT_CONVERGED, contact_of(r)};
    go_straight(r, slope, what->dp);
    return fault;
}

/* The impact of one contact with the restitution e. */
static dry_rigid__fault strike(dry_rigid *r, double t, double e) {
    dry_rigid__course *of = &r->course;
    dry_rigid__fault fault = set_levels(r, t);
    of->restores = false;
    *work(r, of->y) = 0.0;
    of->ds = 0.01 / dry_max(fabs(r->problem.D[r->problem.pattern.own[contact_of(r)]]), 1e-300);
    for (int k = 0; k < MOST && !fault.why; k++) {
        next what;
        fault = check_others(r);
        if (!fault.why) fault = go_on(r, &what);
        if (fault.why) return fault;
        snap(r, what);
        if (what.what == AGAIN) break;
        if (what.what == COMPRESSED) {
            of->restores = true;
            of->target = (1.0 - e * e) * *work(r, of->y);
        }
        if (what.what == ENDED || (of->restores && e == 0.0)) return check_others(r);
    }
    return fault.why ? fault : (dry_rigid__fault){DRY_RIGID_NOT_CONVERGED, contact_of(r)};
}

dry_rigid__fault dry_rigid__routh(dry_rigid *r, double t) {
    dry_rigid__problem *p = &r->problem;
    dry_rigid__course *of = &r->course;
    dry_rigid__fault fault = {0};
    memcpy(of->touches, p->active, (size_t)p->n_sets * sizeof *of->touches);
    memset(of->y, 0, (size_t)size(r) * sizeof *of->y);
    memset(p->blame, 0, (size_t)p->n_forces * sizeof *p->blame);
    p->error = 0.0;
    memcpy(slides(of->y), r->now.slide, (size_t)p->n_forces * sizeof *of->y);
    of->fastest = 0.0;
    for (int i = 0; i < p->n_forces; i++) of->fastest = dry_max(of->fastest, fabs(of->y[i]));
    for (int set = 0; set < p->n_sets && !fault.why; set++) {
        if (!of->touches[set] || !dry_rigid__is_dio(r, set)) continue;
        of->contact = set;
        if (of->y[contact_of(r)] < 0.0) fault = strike(r, t, r->now.restitution[set]);
    }
    memcpy(p->active, of->touches, (size_t)p->n_sets * sizeof *of->touches);
    memcpy(p->s0, r->now.slide, (size_t)p->n_forces * sizeof *p->s0);
    memcpy(p->slide, slides(of->y), (size_t)p->n_forces * sizeof *p->slide);
    memcpy(p->lambda, impulses(r, of->y), (size_t)p->n_forces * sizeof *p->lambda);
    return fault;
}
