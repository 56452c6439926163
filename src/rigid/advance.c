/* The way to an end time: the grid of steps, break times, what follows a step, and what went wrong.
 *
 * t: time, s; the grid is t_start + k step. */
#include "rigid_private.h"

/* Skip a remainder that is shorter than this part of a step. */
static const double SLACK = 1e-9;
/* Steps after which the step is checked for the second time. */
enum { FIRST_STEPS = 256 };

/* ---- messages ------------------------------------------------------------ */

typedef struct message {
    dry_status status;
    const char *text; /* the first %s is the time, the second the subject */
} message;

static const message messages[] = {
    [DRY_RIGID_NOT_CONVERGED] =
        {DRY_BAD_MODEL, "at t = %s s no forces were found that solve the step: those of %s "
                        "do not settle; use a smaller step, less friction if a body "
                        "wedges, or a method that relaxes the sets, such as rk4"},
    [DRY_RIGID_TOO_MANY] = {DRY_BAD_MODEL,
                            "at t = %s s sets change more often than a step can be split, the last "
                            "of them %s; use a smaller step, or a method that relaxes the sets, "
                            "such as rk4"},
    [DRY_RIGID_CRUSHED] = {DRY_BAD_MODEL,
                           "at t = %s s no forces solve the step: %s press against each other, and "
                           "what they press cannot give way; check the motion that the model "
                           "prescribes, or use a method that relaxes the sets, such as rk4"},
    [DRY_RIGID_GAINS] = {DRY_BAD_MODEL,
                         "at t = %s s the impact %s: Newton's restitution, with friction or at "
                         "several contacts, can create energy; use `rigid-routh`, whose friction "
                         "follows the slip through the impact, lower the restitution or the "
                         "friction, or use a method that relaxes the sets, such as dop853"},
    [DRY_RIGID_SEVERAL] = {DRY_UNSUPPORTED,
                           "at t = %s s the impact %s, which touches too: Routh's law takes one "
                           "contact at a time; use `rigid`, which solves for all of them by "
                           "Moreau's law, or a method that relaxes the sets, such as dop853"},
    [DRY_RIGID_NESTED] = {DRY_UNSUPPORTED,
                          "at t = %s s an impact changes the level of %s, which depends on another "
                          "friction: Routh's law takes levels that depend on the contact alone; "
                          "use `rigid`, which has Moreau's law"},
    [DRY_RIGID_WRONG_SIGN] = {DRY_BAD_MODEL,
                              "at t = %s s the force %s does not oppose its own motion; check its "
                              "sign, that it acts on a mass, and that no half axis of an ellipse "
                              "is 0 (give its matrix fewer rows: transpose(A)*sgn(A*v))"},
    [DRY_RIGID_BAD_LEVEL] =
        {DRY_BAD_MODEL,
         "at t = %s s the friction level chi of %s became negative (or not a number), so friction "
         "would push. Keep chi at or above 0, for example with max(0, chi)"},
    [DRY_RIGID_LOST] = {DRY_NOT_FINITE,
                        "after t = %s s the state %s is no longer a number; use a smaller step"},
    [DRY_RIGID_WATCHED] = {DRY_RUN_FAILED, "at t = %s s condition %s of the model does not hold"},
    [DRY_RIGID_STOPS] = {DRY_STOPPED, "the model stops at t = %s s"},
    [DRY_RIGID_PAINLEVE] = {DRY_BAD_MODEL,
                            "at t = %s s Painleve's paradox: alone, the contact force %s: in this "
                            "position rigid bodies have no motion, or several; lower the friction "
                            "coefficient, or make a body compliant, as rk4 does"},
    [DRY_RIGID_TOO_LONG] = {DRY_BAD_ARGUMENT,
                            "at t = %s s the step is too long for the springs and dampers of the "
                            "model: their fastest mode grows; use %s s or less, softer springs, or "
                            "an implicit method with relaxed sets (rodas4)"},
    [DRY_RIGID_ELASTIC] = {DRY_SINGULAR, "at t = %s s the elastic step of '%s' has no solution; "
                                         "use a smaller step, or the weight 0 (option -1)"}};

enum { SUBJECT_SIZE = 300, MOST_NAMES = 3 };
static const double NEAR_ONE = 0.9995; /* what is above is 1 in three digits, and says nothing */

static void name_set(const dry_inclusion_set *of, char *text) {
    if (of->line > 0)
        snprintf(text, SUBJECT_SIZE, "`%.60s` (line %d)", of->name, of->line);
    else
        snprintf(text, SUBJECT_SIZE, "`%.60s`", of->name);
}

/* The sets that have the largest part in `blame`; `otherwise` if none has one. */
static void name_blamed(const dry_rigid__problem *p, int otherwise, char *text) {
    double most = 0.0;
    int named = 0, more = 0;
    for (int i = 0; i < p->n_forces; i++) most = dry_max(most, p->blame[i]);
    *text = '\0';
    for (int set = 0; set < p->n_sets && most > 0.0; set++) {
        double part = 0.0;
        for (int c = 0; c < p->sets[set].dim; c++)
            part = dry_max(part, p->blame[p->sets[set].force + c]);
        if (part < 0.1 * most) continue;
        if (named == MOST_NAMES) {
            more++;
            continue;
        }
        char name[SUBJECT_SIZE];
        name_set(&p->sets[set], name);
        const size_t at = strlen(text);
        snprintf(text + at, SUBJECT_SIZE - at, "%s%.80s", named++ > 0 ? ", " : "", name);
    }
    if (named == 0) name_set(&p->sets[p->pattern.set_of[otherwise]], text);
    const size_t at = strlen(text);
    if (more > 0) snprintf(text + at, SUBJECT_SIZE - at, " and %d more", more);
}

/* Which forces are not in their sets, by how much, and whether a contact is near its wedge. */
static void describe_failure(const dry_rigid *r, int force, char *text) {
    const dry_rigid__problem *p = &r->problem;
    name_blamed(p, force, text);
    size_t at = strlen(text);
    if (p->error > 0.0)
        snprintf(text + at, SUBJECT_SIZE - at, " (residual %.2g of the largest force", p->error);
    else
        return;
    at = strlen(text);
    if (p->rounds > 0)
        snprintf(text + at, SUBJECT_SIZE - at, " after %d rounds on the levels", p->rounds);
    at = strlen(text);
    double number;
    const int contact = dry_rigid__nearest_wedge(r, &number);
    if (contact >= 0 && number < NEAR_ONE)
        snprintf(text + at, SUBJECT_SIZE - at, "; Painleve's number of `%.40s` is %.3g",
                 p->sets[contact].name, number);
    at = strlen(text);
    snprintf(text + at, SUBJECT_SIZE - at, ")");
}

static void describe_gain(const dry_rigid *r, int set, char *text) {
    char name[SUBJECT_SIZE];
    name_set(&r->inclusion->sets[set], name);
    snprintf(text, SUBJECT_SIZE, "of %.80s would add %.4g J to the motion", name, r->gained);
}

/* Which contact hits, and which one it presses. */
static void describe_several(const dry_rigid *r, int set, char *text) {
    char hits[SUBJECT_SIZE], other[SUBJECT_SIZE];
    name_set(&r->inclusion->sets[set], hits);
    name_set(&r->inclusion->sets[r->course.other], other);
    snprintf(text, SUBJECT_SIZE, "of %.80s presses %.80s", hits, other);
}

/* How the contact opens its gap, and with its friction closes it. */
static void describe_wedge(const dry_rigid *r, int set, char *text) {
    char name[SUBJECT_SIZE];
    name_set(&r->inclusion->sets[set], name);
    snprintf(text, SUBJECT_SIZE,
             "%.80s opens its gap (d2psi/dt2 per N is %.4g), but with its friction closes it "
             "(%.4g)",
             name, r->painleve[0], r->painleve[1]);
}

static void subject(const dry_rigid *r, dry_rigid__fault fault, char *text) {
    const dry_inclusion *inc = r->inclusion;
    switch (fault.why) {
    case DRY_RIGID_NOT_CONVERGED: describe_failure(r, fault.index, text); return;
    case DRY_RIGID_CRUSHED: name_blamed(&r->problem, fault.index, text); return;
    case DRY_RIGID_GAINS: describe_gain(r, fault.index, text); return;
    case DRY_RIGID_SEVERAL: describe_several(r, fault.index, text); return;
    case DRY_RIGID_TOO_MANY:
    case DRY_RIGID_NESTED:
    case DRY_RIGID_WRONG_SIGN:
    case DRY_RIGID_BAD_LEVEL: name_set(&inc->sets[fault.index], text); return;
    case DRY_RIGID_PAINLEVE: describe_wedge(r, fault.index, text); return;
    case DRY_RIGID_LOST:
        snprintf(text, SUBJECT_SIZE, "`%.60s`", inc->system->states[fault.index].name);
        return;
    case DRY_RIGID_TOO_LONG: snprintf(text, SUBJECT_SIZE, "%.3g", r->growth.enough); return;
    case DRY_RIGID_WATCHED: snprintf(text, SUBJECT_SIZE, "%d", fault.index); return;
    default: snprintf(text, SUBJECT_SIZE, "%.60s", inc->system->name); return;
    }
}

/* An impact by Routh's law itself: its way out is another one. */
static const message gains_by_routh = {
    DRY_BAD_MODEL, "at t = %s s the impact %s; lower the restitution or the friction, or use a "
                   "method that relaxes the sets, such as dop853"};

static bool is_watched(dry_rigid__fault fault) {
    return fault.why == DRY_RIGID_WATCHED || fault.why == DRY_RIGID_STOPS;
}

static dry_status fail(dry_rigid *r, dry_rigid__fault fault, dry_error *error) {
    const bool routh = fault.why == DRY_RIGID_GAINS && r->facts->routh;
    const message *of = routh ? &gains_by_routh : &messages[fault.why];
    char time[DRY_NUMBER_SIZE], what[SUBJECT_SIZE], text[512];
    r->fault = (dry_ode_fault){.state = fault.why == DRY_RIGID_LOST ? fault.index : 0,
                               .t = r->clock.t,
                               .watch = is_watched(fault) ? fault.index : 0};
    dry_number_rounded(r->clock.t, 10, time);
    subject(r, fault, what);
    snprintf(text, sizeof text, of->text, time, what);
    return dry_error_set(error, of->status, "%s", text);
}

/* ---- one step and what follows it ---------------------------------------- */

static dry_rigid__fault after_step(dry_rigid *r) {
    const dry_system *system = r->inclusion->system;
    if (system->latch && system->latch(&r->env, r->clock.t, r->now.x)) dry_rigid__refresh(r);
    const int failed = system->watch ? system->watch(&r->env, r->clock.t, r->now.x) : 0;
    if (!failed) return (dry_rigid__fault){0};
    const bool stops = dry_watch_status(system, failed) == DRY_STOPPED;
    return (dry_rigid__fault){stops ? DRY_RIGID_STOPS : DRY_RIGID_WATCHED, failed};
}

/* One step to the time `end`; on a fault the state is that before it. */
static dry_rigid__fault take_step(dry_rigid *r, double h, double end, double last) {
    const dry_system *system = r->inclusion->system;
    const int n = r->inclusion->n_states;
    const size_t flags = (size_t)r->inclusion->n_sets * sizeof *r->now.slips;
    const size_t forces = (size_t)r->inclusion->n_forces * sizeof *r->now.forces;
    memcpy(r->saved.x, r->now.x, (size_t)n * sizeof *r->now.x);
    memcpy(r->saved.slips, r->now.slips, flags);
    memcpy(r->saved.forces, r->now.forces, forces);
    const dry_rigid__fault fault = r->facts->step(r, h, end, last);
    if (fault.why) {
        memcpy(r->now.x, r->saved.x, (size_t)n * sizeof *r->now.x);
        memcpy(r->now.slips, r->saved.slips, flags);
        memcpy(r->now.forces, r->saved.forces, forces);
        dry_rigid__refresh(r);
        return fault;
    }
    r->clock.t = end;
    r->counts.steps++;
    return system->latch || system->watch ? after_step(r) : fault;
}

/* ---- the grid ------------------------------------------------------------ */

/* How many whole steps lie before `limit`. A step that ends at a break is not counted: it must not
 * evaluate anything after the break. */
static long whole_steps(const dry_rigid *r, double limit, bool is_break) {
    const double h = r->options.step, slack = SLACK * h;
    if (fabs(r->clock.t - dry_rigid__grid_time(r, r->clock.grid)) > slack) return 0;
    const double last = is_break ? limit - slack : limit + slack,
                 most = (last - r->clock.t_start) / h;
    long k = most < 1e15 ? (long)most : (long)1e15;
    while (k > r->clock.grid && dry_rigid__grid_time(r, k) >= last) k--;
    return k > r->clock.grid ? k - r->clock.grid : 0;
}

/* The last step is taken by itself: the forces at its end need those of the step before. */
static dry_rigid__fault run_grid(dry_rigid *r, long count) {
    const dry_system *system = r->inclusion->system;
    dry_rigid__fault fault = {0};
    while (count > 0 && !fault.why) {
        const long steady = dry_rigid__steady_steps(r, system->latch || count == 1 ? 1 : count - 1);
        count -= steady;
        if (steady > 0 && (system->latch || system->watch)) fault = after_step(r);
        if (steady > 0) continue;
        const double end = dry_rigid__grid_time(r, r->clock.grid + 1);
        fault = take_step(r, r->options.step, end, end);
        if (r->clock.t == end) r->clock.grid++;
        count--;
    }
    return fault;
}

/* The step that ends at the next point of the grid, or at `limit` if that comes first. */
static dry_rigid__fault partial_step(dry_rigid *r, double limit, bool is_break) {
    const double slack = SLACK * r->options.step, next = dry_rigid__grid_time(r, r->clock.grid + 1);
    const bool at_limit = limit <= next + slack;
    const double end = at_limit ? limit : next;
    const bool on_grid = end >= next - slack;
    const bool whole =
        on_grid && fabs(r->clock.t - dry_rigid__grid_time(r, r->clock.grid)) <= slack;
    const double last = at_limit && is_break ? nextafter(end, -(double)INFINITY) : end;
    const dry_rigid__fault fault =
        take_step(r, whole ? r->options.step : end - r->clock.t, end, last);
    if (r->clock.t != end) return fault;
    if (on_grid) r->clock.grid++;
    if (at_limit && is_break) dry_rigid__refresh(r);
    return fault;
}

/* Before the first step, and whenever as many more have been taken. */
static dry_rigid__fault check_step(dry_rigid *r) {
    r->growth.next_check = r->counts.steps > 0 ? 2 * r->counts.steps : FIRST_STEPS;
    return dry_rigid__check_step(r);
}

static dry_status advance(dry_rigid *r, double t_end, dry_error *error) {
    while (r->clock.t < t_end) {
        bool is_break;
        const double limit = dry_breaks_limit(&r->clock.breaks, r->clock.t, t_end, &is_break);
        if (limit - r->clock.t <= SLACK * r->options.step) {
            r->clock.t = limit;
            const dry_rigid__fault missed =
                is_break && r->inclusion->system->n_clocks ? after_step(r) : (dry_rigid__fault){0};
            if (missed.why) return fail(r, missed, error);
            if (is_break) dry_rigid__refresh(r);
            continue;
        }
        if (r->counts.steps >= r->growth.next_check) {
            const dry_rigid__fault fault = check_step(r);
            if (fault.why) return fail(r, fault, error);
        }
        const long most = whole_steps(r, limit, is_break),
                   left = r->growth.next_check - r->counts.steps;
        const long count = most < left ? most : left;
        const dry_rigid__fault fault =
            count > 0 ? run_grid(r, count) : partial_step(r, limit, is_break);
        if (fault.why) return fail(r, fault, error);
        if (!is_break && r->clock.t > limit) r->clock.t = limit; /* by rounding of the grid */
    }
    return DRY_OK;
}

dry_status dry_rigid_advance(dry_rigid *r, double t_end, dry_error *error) {
    if (!isfinite(t_end) || t_end < r->clock.t)
        return dry_error_set(error, DRY_BAD_ARGUMENT, "the end is before the current time");
    if (dry_par_mark(r->env.par, r->inclusion->system->n_par) != r->par_mark)
        return dry_error_set(
            error, DRY_BAD_ARGUMENT,
            "a parameter was changed during the run, which a rigid scheme does not support: start "
            "a new run from the current state (x0 of dry_rigid_options)");
    const dry_status status = advance(r, t_end, error);
    dry_rigid__set_instant_force(r);
    return status;
}

/* ---- looking ------------------------------------------------------------- */

double dry_rigid_time(const dry_rigid *r) { return r->clock.t; }
const double *dry_rigid_state(const dry_rigid *r) { return r->now.x; }
const double *dry_rigid_forces(const dry_rigid *r) { return r->now.forces; }
const double *dry_rigid_instant_forces(const dry_rigid *r) { return r->instant.force; }
dry_ode_fault dry_rigid_fault(const dry_rigid *r) { return r->fault; }
const dry_env *dry_rigid_env(const dry_rigid *r) { return &r->env; }
dry_rigid_counts dry_rigid_count(const dry_rigid *r) {
    dry_rigid_counts counts = r->counts;
    counts.iterations = r->problem.iterations;
    counts.newtons = r->problem.newtons;
    counts.residual = r->problem.worst;
    return counts;
}
