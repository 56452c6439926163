/* events: the times at which steps of a group of points end beside the grid: at jumps of all lanes
 * and at instants of samples, where dry_ode splits the steps of the bundle; and at jumps of one
 * lane, around which the model itself runs this lane for some steps.
 *
 * The bits of a step at such a time depend on where the run halts for its samples. So a group halts
 * where a run of one point halts, or at least a step away from these times. t = k h: the grid. */
#include "lanes.h"

#include <math.h>
#include <string.h>

/* ---- where a run of one point halts -------------------------------------------------------------
 */

/* The last halt at or before step k. */
static long halt_before(const struct dry_sweep__plan *plan, long k) {
    const long sample = k / plan->every * plan->every;
    return sample + (k - sample) / DRY_SIM_STEPS_AT_ONCE * DRY_SIM_STEPS_AT_ONCE;
}

static long halt_after(const struct dry_sweep__plan *plan, long k) {
    const long sample = k / plan->every * plan->every;
    const long halt = sample + ((k - sample) / DRY_SIM_STEPS_AT_ONCE + 1) * DRY_SIM_STEPS_AT_ONCE;
    const long next = halt < sample + plan->every ? halt : sample + plan->every;
    return next < plan->steps ? next : plan->steps;
}

/* ---- times
 * --------------------------------------------------------------------------------------- */

/* The first common event after t. */
static double event_after(const struct dry_sweep__bench *b, double t) {
    dry_breaks events = b->events;
    bool is_break;
    events.next = 0;
    return dry_breaks_limit(&events, t, (double)INFINITY, &is_break);
}

/* Whether the group may halt at step k. */
static bool is_safe(const dry_sweep__worker *worker, long k) {
    const struct dry_sweep__plan *plan = &worker->job->plan;
    const double h = plan->run.step, t = (double)k * h;
    return k >= plan->steps || halt_before(plan, k) == k ||
           event_after(worker->bench, t - h) > t + h;
}

/* Whether a jump of the lane itself is within a step of step k. */
static bool is_near_own(const dry_sweep__worker *worker, int lane, long k) {
    const struct dry_sweep__bench *b = worker->bench;
    const double h = worker->job->plan.run.step;
    bool near = false;
    for (int i = 0; i < b->n_breaks; i++)
        near = near || fabs(b->own[lane * b->n_breaks + i] - (double)k * h) <= h;
    return near;
}

/* ---- finding them
 * -------------------------------------------------------------------------------- */

/* A time that is the same in all lanes is common. The times of a lane that is run alone are those
 * of no one. */
static void sort_out(struct dry_sweep__bench *b) {
    for (int i = 0; i < b->n_breaks; i++) {
        bool same = true;
        for (int l = 1; l < LANES; l++) same = same && b->own[l * b->n_breaks + i] == b->own[i];
        b->common[i] = same ? b->own[i] : (double)INFINITY;
        for (int l = 0; same && l < LANES; l++) b->own[l * b->n_breaks + i] = (double)INFINITY;
    }
}

static dry_sweep__solo around(const dry_sweep__worker *worker, int lane, double time) {
    const struct dry_sweep__plan *plan = &worker->job->plan;
    const double h = plan->run.step;
    dry_sweep__solo s = {(long)floor(time / h - 1.5), (long)ceil(time / h + 1.5)};
    if (s.begin < 0) s.begin = 0;
    if (s.end > plan->steps) s.end = plan->steps;
    while (s.begin > 0 && (is_near_own(worker, lane, s.begin) || !is_safe(worker, s.begin)))
        s.begin--;
    while (s.end < plan->steps && (is_near_own(worker, lane, s.end) || !is_safe(worker, s.end)))
        s.end++;
    return s;
}

/* Adds it in the order of the steps, joined with those that it meets. */
static void add(dry_sweep__solo *list, int *n, dry_sweep__solo s) {
    int kept = 0;
    for (int i = 0; i < *n; i++) {
        if (list[i].end < s.begin || list[i].begin > s.end) {
            list[kept++] = list[i];
            continue;
        }
        if (list[i].begin < s.begin) s.begin = list[i].begin;
        if (list[i].end > s.end) s.end = list[i].end;
    }
    int at = kept;
    while (at > 0 && list[at - 1].begin > s.begin) list[at] = list[at - 1], at--;
    list[at] = s;
    *n = kept + 1;
}

static void find_solos(const dry_sweep__worker *worker, int lane) {
    struct dry_sweep__bench *b = worker->bench;
    const struct dry_sweep__plan *plan = &worker->job->plan;
    const double h = plan->run.step, end = plan->run.until;
    b->n_solo[lane] = b->at_solo[lane] = 0;
    b->is_solo[lane] = false;
    for (int i = 0; i < b->n_breaks; i++) {
        const double time = b->own[lane * b->n_breaks + i];
        if (time > -h && time < end + h)
            add(b->solo + lane * b->n_breaks, &b->n_solo[lane], around(worker, lane, time));
    }
}

void dry_sweep__events_begin(dry_sweep__worker *worker) {
    struct dry_sweep__bench *b = worker->bench;
    const dry_system *system = dry_model_system(worker->model);
    for (int l = 0; b->n_breaks && l < LANES; l++) {
        const dry_env env = dry_sweep__lane_env(worker, l);
        system->breaks(&env, b->own + l * b->n_breaks);
    }
    sort_out(b);
    const dry_env env = {.model = b};
    dry_breaks_read(&b->events, &b->bundle, &env);
    for (int l = 0; l < LANES; l++) find_solos(worker, l);
}

/* ---- on the way
 * ---------------------------------------------------------------------------------- */

/* The first step after `at` at which a lane begins or ends to be run by itself. */
static long solo_halt(const struct dry_sweep__bench *b, long at, long most) {
    for (int l = 0; l < LANES; l++) {
        if (b->at_solo[l] == b->n_solo[l]) continue;
        const dry_sweep__solo s = b->solo[l * b->n_breaks + b->at_solo[l]];
        const long halt = b->is_solo[l] ? s.end : s.begin;
        if (halt > at && halt < most) most = halt;
    }
    return most;
}

static bool any_solo(const struct dry_sweep__bench *b) {
    bool any = false;
    for (int l = 0; l < LANES; l++) any = any || b->is_solo[l];
    return any;
}

long dry_sweep__events_halt(const dry_sweep__worker *worker, long at, long most, long often) {
    struct dry_sweep__bench *b = worker->bench;
    const struct dry_sweep__plan *plan = &worker->job->plan;
    const double h = plan->run.step;
    bool is_break;
    most = solo_halt(b, at, most);
    const double event =
        dry_breaks_limit(&b->events, ((double)at - 1.0) * h, (double)INFINITY, &is_break);
    long halt = most;
    if (any_solo(b)) halt = halt_after(plan, at);
    if (event <= ((double)most + 1.0) * h) {
        const long far = halt_before(plan, (long)fmax(floor(event / h - 1.0), 0.0));
        halt = far > at && halt == most ? far : halt_after(plan, at);
    }
    if (halt > most) halt = most;
    long asked = at + often;
    while (asked < halt && !is_safe(worker, asked)) asked++;
    return asked < halt ? asked : halt;
}

static void begin_solo(dry_sweep__worker *worker, int lane, long at, double t) {
    struct dry_sweep__bench *b = worker->bench;
    const struct dry_sweep__plan *plan = &worker->job->plan;
    const dry_system *system = dry_model_system(worker->model);
    const dry_ode_options options = {.step = plan->run.step};
    const dry_env env = dry_sweep__lane_env(worker, lane);
    dry_ode *ode = &b->solo_ode[lane];
    const size_t room = dry_ode_size(system, plan->run.method);
    for (int i = 0; i < b->n_states; i++) b->row[i] = b->ode.x[i * LANES + lane];
    b->is_solo[lane] = true;
    if (dry_ode_init(ode, system, plan->run.method, &options, env.par, 0.0, b->row, env.work,
                     b->solo_work + (size_t)lane * room) != DRY_OK)
        b->alone[lane] = true;
    ode->t = ode->t_before = t;
    ode->grid = at;
}

/* At a step at which only others halt, the lane does not. */
static void take_solo(const dry_sweep__worker *worker, int lane, long at, double t) {
    struct dry_sweep__bench *b = worker->bench;
    const long end = b->solo[lane * b->n_breaks + b->at_solo[lane]].end;
    dry_ode *ode = &b->solo_ode[lane];
    if (at < end && halt_before(&worker->job->plan, at) != at) return;
    if (!b->alone[lane] && dry_ode_advance(ode, t) != DRY_OK) b->alone[lane] = true;
    if (!b->alone[lane])
        for (int i = 0; i < b->n_states; i++) b->ode.x[i * LANES + lane] = ode->x[i];
    if (at < end) return;
    b->is_solo[lane] = false;
    b->at_solo[lane]++;
}

void dry_sweep__events_pass(dry_sweep__worker *worker, long at, double t) {
    struct dry_sweep__bench *b = worker->bench;
    for (int l = 0; l < LANES; l++) {
        if (b->is_solo[l]) take_solo(worker, l, at, t);
        if (!b->is_solo[l] && b->at_solo[l] < b->n_solo[l] &&
            b->solo[l * b->n_breaks + b->at_solo[l]].begin == at)
            begin_solo(worker, l, at, t);
    }
}
