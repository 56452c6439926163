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
    [DRY_RIGID_NOT_CONVERGED] = {DRY_BAD_MODEL,
                                 "at t = %s s no forces solve the step, because of %s; use a "
                                 "smaller step, less friction if a body wedges, or, if many points "
                                 "hold one body, a method that relaxes the sets, such as rk4"},
    [DRY_RIGID_WRONG_SIGN] = {DRY_BAD_MODEL, "at t = %s s the force %s does not oppose its own "
                                             "motion; check its sign, and that it acts on a mass"},
    [DRY_RIGID_BAD_LEVEL] =
        {DRY_BAD_MODEL,
         "at t = %s s the friction level chi of %s became negative (or not a number), so friction "
         "would push. Keep chi at or above 0, for example with max(0, chi)"},
    [DRY_RIGID_LOST] = {DRY_NOT_FINITE,
                        "after t = %s s the state %s is no longer a number; use a smaller step"},
    [DRY_RIGID_WATCHED] = {DRY_RUN_FAILED, "at t = %s s condition %s of the model does not hold"},
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

enum { SUBJECT_SIZE = 200 };

static void name_set(const dry_inclusion_set *of, char *text) {
    if (of->line > 0)
        snprintf(text, SUBJECT_SIZE, "`%.60s` (line %d)", of->name, of->line);
    else
        snprintf(text, SUBJECT_SIZE, "`%.60s`", of->name);
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
    case DRY_RIGID_NOT_CONVERGED:
        name_set(&inc->sets[r->problem.pattern.set_of[fault.index]], text);
        return;
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

static dry_status fail(dry_rigid *r, dry_rigid__fault fault, dry_error *error) {
    const message *of = &messages[fault.why];
    char time[DRY_NUMBER_SIZE], what[SUBJECT_SIZE], text[480];
    r->fault = (dry_ode_fault){.state = fault.why == DRY_RIGID_LOST ? fault.index : 0,
                               .t = r->clock.t,
                               .watch = fault.why == DRY_RIGID_WATCHED ? fault.index : 0};
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
    return failed ? (dry_rigid__fault){DRY_RIGID_WATCHED, failed} : (dry_rigid__fault){0};
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
    const dry_rigid__fault fault = r->step(r, h, end, last);
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
    return counts;
}
