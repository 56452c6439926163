/* The beginning and the end of a run: options checked, memory taken, the state at the start. */
#include <float.h>

#include "rigid_private.h"

/* More velocities than this have no dense slope in the elastic step. */
enum { DENSE_LIMIT = 400 };

static void *take(dry_arena *arena, int count, size_t bytes) {
    return dry_arena_take(arena, (size_t)(count > 0 ? count : 1) * bytes);
}

/* ---- what does not fit --------------------------------------------------- */

static dry_status check_numbers(const dry_rigid_options *options, double t, dry_error *error) {
    if ((int)options->scheme < 0 || (int)options->scheme >= dry_rigid_method_count())
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "there is no such rigid scheme; take one of dry_rigid_scheme");
    if (!(options->step > 0.0) || !isfinite(options->step) || !isfinite(t) ||
        t + options->step == t)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the rigid scheme needs a step > 0 that changes the time; give one");
    if (!(options->residual >= 0.0 && options->residual < 1.0) || options->max_iterations < 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "residual must be between 0 and 1, and max_iterations must not be "
                             "negative; leave them out for the defaults");
    if (options->P < 0 || options->Q < 0)
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the substeps P and Q must be positive; leave them out for 10 and 2");
    if (options->weight != -1.0 && !(options->weight >= 0.0 && options->weight <= 0.5))
        return dry_error_set(error, DRY_BAD_ARGUMENT,
                             "the weight of the elastic step must be between 0 and 1/2 (-1 means "
                             "0, 0 means the default 1/4)");
    return DRY_OK;
}

static dry_status check_sets(const dry_inclusion *inc, dry_rigid_scheme scheme, dry_error *error) {
    for (int set = 0; set < inc->n_sets; set++) {
        const dry_inclusion_set *of = &inc->sets[set];
        const int most = of->set ? of->set->max_dim : 0;
        DRY_ASSERT(of->force == (set == 0 ? 0 : of[-1].force + of[-1].dim));
        if (!of->set || dry_set_lacks(of->set))
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "the set of force '%s' has an incomplete row: use a set of the "
                                 "catalogue (dry_set_find), or complete its row in src/math",
                                 of->name);
        if (of->set->ends)
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "the set %s of force '%s' has two ends: give each as a %s of its "
                                 "own, with the distance to it as the gap",
                                 of->set->name, of->name, of->set->ends->name);
        if (of->dim < 1 || of->dim > most || of->dim > DRY_RIGID_DIM)
            return dry_error_set(error, DRY_UNSUPPORTED,
                                 "force '%s' has %d components; a %s has 1 to %d", of->name,
                                 of->dim, of->set->name, most);
        if (of->dim > 1 && of->set->shape != DRY_SHAPE_BALL)
            return dry_error_set(error, DRY_UNSUPPORTED,
                                 "force '%s': the rigid methods solve only for vectors in a ball; "
                                 "use a method that relaxes the set",
                                 of->name);
        if (of->set->kind == DRY_SET_OF_POSITIONS && !dry_rigid__facts_of(scheme)->prox)
            return dry_error_set(error, DRY_UNSUPPORTED,
                                 "force '%s' %s%s), but the splitting schemes take only friction; "
                                 "use the scheme '%s'",
                                 of->name, of->end ? "has two ends (each a " : "is a contact (",
                                 of->set->name, dry_rigid_method_at(DRY_RIGID_PROX)->name);
        if (of->set->kind == DRY_SET_OF_POSITIONS &&
            !(of->restitution >= 0.0 && of->restitution <= 1.0))
            return dry_error_set(error, DRY_BAD_ARGUMENT,
                                 "the restitution of '%s' must be between 0 and 1", of->name);
    }
    return DRY_OK;
}

/* ---- memory -------------------------------------------------------------- */

/* One array of the run: the address of its pointer, its length, the size of an entry. */
typedef struct array {
    void *to; /* a pointer to the pointer */
    int count;
    size_t bytes;
} array;

static bool take_all(dry_arena *arena, const array *arrays, size_t count) {
    for (size_t i = 0; i < count; i++) {
        void *memory = take(arena, arrays[i].count, arrays[i].bytes);
        if (!memory) return false;
        memcpy(arrays[i].to, &memory, sizeof memory);
    }
    return true;
}

static bool take_values(dry_arena *arena, const dry_inclusion *inc, dry_inclusion_values *values) {
    const array arrays[] = {{&values->rate, inc->n_states, sizeof(double)},
                            {&values->slide, inc->n_forces, sizeof(double)},
                            {&values->gap, inc->n_sets, sizeof(double)},
                            {&values->level, inc->n_sets, sizeof(double)},
                            {&values->push, inc->n_push, sizeof(double)},
                            {&values->feel, inc->n_feel, sizeof(double)},
                            {&values->lift, inc->n_lift, sizeof(double)}};
    return take_all(arena, arrays, sizeof arrays / sizeof *arrays);
}

static bool take_problem(dry_arena *arena, const dry_inclusion *inc, dry_rigid__problem *p) {
    const int past = inc->n_lift > 0 ? 2 * (1 + DRY_RIGID_DEPTH) * inc->n_sets : 0;
    const array arrays[] = {{&p->pattern.set_of, inc->n_forces, sizeof(int)},
                            {&p->s0, inc->n_forces, sizeof(double)},
                            {&p->blame, inc->n_forces, sizeof(double)},
                            {&p->lambda, inc->n_forces, sizeof(double)},
                            {&p->slide, inc->n_forces, sizeof(double)},
                            {&p->base, inc->n_sets, sizeof(double)},
                            {&p->level, inc->n_sets, sizeof(double)},
                            {&p->past_levels, past, sizeof(double)},
                            {&p->first, inc->n_lift > 0 ? inc->n_forces : 0, sizeof(double)},
                            {&p->active, inc->n_sets, sizeof(bool)},
                            {&p->inside, inc->n_sets, sizeof(bool)},
                            {&p->lift, inc->n_lift, sizeof(double)}};
    return take_all(arena, arrays, sizeof arrays / sizeof *arrays);
}

static bool take_states(dry_rigid *r) {
    const int n = r->inclusion->n_states, all = r->inclusion->system->n_states;
    const int room = dry_rigid__carry_room(r), square = r->inclusion->march ? n * n : 0;
    const array arrays[] = {{&r->now.x, all, sizeof(double)},
                            {&r->saved.x, all, sizeof(double)},
                            {&r->trial.point, n, sizeof(double)},
                            {&r->trial.middle, n, sizeof(double)},
                            {&r->trial.y, n, sizeof(double)},
                            {&r->trial.F, n, sizeof(double)},
                            {&r->past.F1, n, sizeof(double)},
                            {&r->past.F2, n, sizeof(double)},
                            {&r->trial.A, n, sizeof(double)},
                            {&r->past.A1, n, sizeof(double)},
                            {&r->past.A2, n, sizeof(double)},
                            {&r->trial.bulk, n, sizeof(double)},
                            {&r->elastic.origin, n, sizeof(double)},
                            {&r->elastic.origin_rate, n, sizeof(double)},
                            {&r->elastic.now, n, sizeof(double)},
                            {&r->elastic.next, n, sizeof(double)},
                            {&r->carry.one, n, sizeof(double)},
                            {&r->carry.square, square, sizeof(double)},
                            {&r->carry.constant, n, sizeof(double)},
                            {&r->carry.state, room, sizeof(int)},
                            {&r->carry.velocity, room, sizeof(int)},
                            {&r->carry.value, room, sizeof(double)},
                            {&r->carry.group, n, sizeof(int)},
                            {&r->carry.mark, n, sizeof(int)},
                            {&r->carry.unit, r->inclusion->n_carry, sizeof(double)}};
    return take_all(r->arena, arrays, sizeof arrays / sizeof *arrays);
}

static bool take_growth(dry_arena *arena, int n, dry_rigid__growth *g) {
    const array arrays[] = {{&g->rate, n, sizeof(double)}, {&g->d, n, sizeof(double)},
                            {&g->y, n, sizeof(double)},    {&g->u, n, sizeof(double)},
                            {&g->f, n, sizeof(double)},    {&g->A, n, sizeof(double)},
                            {&g->A1, n, sizeof(double)},   {&g->A2, n, sizeof(double)},
                            {&g->F1, n, sizeof(double)},   {&g->F2, n, sizeof(double)}};
    return take_all(arena, arrays, sizeof arrays / sizeof *arrays);
}

static bool take_sets(dry_rigid *r) {
    const int n = r->inclusion->n_sets, forces = r->inclusion->n_forces;
    const int few = n <= DRY_RIGID_MARCH_SETS ? n * n : n;
    const array arrays[] = {
        {&r->now.forces, forces, sizeof(double)},
        {&r->saved.forces, forces, sizeof(double)},
        {&r->saved.slide, forces, sizeof(double)},
        {&r->saved.gap, n, sizeof(double)},
        {&r->instant.force, forces, sizeof(double)},
        {&r->instant.lambda0, forces, sizeof(double)},
        {&r->instant.lambda1, forces, sizeof(double)},
        {&r->instant.level0, n, sizeof(double)},
        {&r->instant.level1, n, sizeof(double)},
        {&r->zero, forces, sizeof(double)},
        {&r->now.slide, forces, sizeof(double)},
        {&r->carry.slide, forces, sizeof(double)},
        {&r->steady.feel_start, forces + 1, sizeof(int)},
        {&r->steady.own_D, forces, sizeof(double)},
        {&r->now.gap, n, sizeof(double)},
        {&r->trial.forces, forces, sizeof(double)},
        {&r->trial.gap, n, sizeof(double)},
        {&r->trial.chi, n, sizeof(double)},
        {&r->past.chi1, n, sizeof(double)},
        {&r->past.chi2, n, sizeof(double)},
        {&r->past.margin, n, sizeof(double)},
        {&r->steady.margin, n, sizeof(double)},
        {&r->steady.lambda, forces, sizeof(double)},
        {&r->sticking.gain, few, sizeof(double)},
        {&r->sticking.slips, n, sizeof(bool)},
        {&r->steady.chi_mean, n, sizeof(double)},
        {&r->steady.smooth, r->layout.n_velocities + n, sizeof(double)},
        {&r->now.slips, n, sizeof(bool)},
        {&r->saved.slips, n, sizeof(bool)},
        {&r->trial.blended, n, sizeof(bool)},
        {&r->now.hits, n, sizeof(int)},
        {&r->now.restitution, n, sizeof(double)},
        {&r->clock.breaks.times, r->inclusion->system->n_breaks, sizeof(double)}};
    return take_all(r->arena, arrays, sizeof arrays / sizeof *arrays);
}

/* Memory for impacts by Routh's law. */
static bool take_course(dry_rigid *r) {
    const int n = r->inclusion->n_sets, forces = r->inclusion->n_forces, y = 2 * forces + 1;
    dry_rigid__course *of = &r->course;
    const array arrays[] = {{&of->touches, n, sizeof *of->touches},
                            {&of->mode, n, sizeof *of->mode},
                            {&of->level, n, sizeof(double)},
                            {&of->rate, forces, sizeof(double)},
                            {&of->y, y, sizeof(double)},
                            {&of->to, y, sizeof(double)},
                            {&of->half, y, sizeof(double)},
                            {&of->whole, y, sizeof(double)},
                            {&of->point, y, sizeof(double)},
                            {&of->slope, y, sizeof(double)},
                            {&of->sum, y, sizeof(double)}};
    return !r->facts->routh || take_all(r->arena, arrays, sizeof arrays / sizeof *arrays);
}

static bool take_memory(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    r->layout.velocities = take(r->arena, inc->n_states, sizeof(int));
    r->layout.others = take(r->arena, inc->n_states, sizeof(int));
    if (!r->layout.velocities || !r->layout.others) return false;
    for (int j = 0; j < inc->n_states; j++)
        if (inc->is_velocity[j])
            r->layout.velocities[r->layout.n_velocities++] = j;
        else
            r->layout.others[r->layout.n_others++] = j;
    if (inc->system->work_size > 0) {
        r->env.work = dry_arena_take(r->arena, inc->system->work_size);
        if (!r->env.work) return false;
    }
    if (!r->facts->prox && r->layout.n_velocities <= DENSE_LIMIT)
        r->elastic.jacobian =
            take(r->arena, r->layout.n_velocities * r->layout.n_velocities, sizeof(double));
    return take_values(r->arena, inc, &r->trial.mid) && take_values(r->arena, inc, &r->trial.end) &&
           take_problem(r->arena, inc, &r->problem) && take_states(r) && take_sets(r) &&
           take_course(r) && take_growth(r->arena, inc->n_states, &r->growth);
}

/* ---- start --------------------------------------------------------------- */

static void set_options(dry_rigid *r, const dry_rigid_options *options) {
    dry_rigid_options *o = &r->options;
    *o = *options;
    r->facts = dry_rigid__facts_of(o->scheme);
    if (o->residual == 0.0) o->residual = 1e-12;
    if (o->max_iterations == 0) o->max_iterations = 1000;
    if (o->P == 0) o->P = 10;
    if (o->Q == 0) o->Q = 2;
    o->weight = o->weight == -1.0 ? 0.0 : o->weight == 0.0 ? 0.25 : o->weight;
    r->problem.residual = o->residual;
    r->problem.max_iterations = o->max_iterations;
}

static void set_problem(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    dry_rigid__problem *p = &r->problem;
    p->n_sets = inc->n_sets;
    p->n_forces = inc->n_forces;
    p->sets = inc->sets;
    for (int set = 0; set < inc->n_sets; set++) {
        if (inc->sets[set].set->kind == DRY_SET_OF_POSITIONS) r->layout.n_dio++;
        for (int c = 0; c < inc->sets[set].dim; c++)
            p->pattern.set_of[inc->sets[set].force + c] = set;
    }
}

/* A contact that touches and does not move is closed; one that touches and moves will hit. */
static void read_contact(dry_rigid *r, int set) {
    const double slide = r->now.slide[r->inclusion->sets[set].force];
    r->now.slips[set] = !(r->now.gap[set] <= 0.0 && slide == 0.0);
}

static void read_contacts(dry_rigid *r) {
    dry_rigid__refresh(r);
    for (int set = 0; set < r->inclusion->n_sets; set++)
        if (dry_rigid__is_dio(r, set)) read_contact(r, set);
}

static dry_status check_state(const dry_system *system, const double *x, dry_error *error) {
    for (int j = 0; j < system->n_states; j++)
        if (!isfinite(x[j]))
            return dry_error_set(error, DRY_NOT_FINITE,
                                 "the start value of state '%s' is not a finite number",
                                 system->states[j].name);
    return DRY_OK;
}

/* What depends on parameters, before the state and after it is known. */
static void prepare(dry_rigid *r) {
    const dry_system *system = r->inclusion->system;
    if (system->prepare) system->prepare(&r->env);
    r->par_mark = dry_par_mark(r->env.par, system->n_par);
    dry_breaks_read(&r->clock.breaks, system, &r->env);
}
static void probe(dry_rigid *r) {
    dry_rigid__probe(r);
    if (!r->facts->prox) dry_rigid__choose_origin(r);
    r->steady.possible = r->steady.possible && r->facts->prox;
}

static dry_status start(dry_rigid *r, const double *par, double t, dry_error *error) {
    const dry_system *system = r->inclusion->system;
    r->clock.t = r->clock.t_start = t;
    r->env.model = system->model;
    r->env.par = par ? par : system->par;
    prepare(r);
    if (r->options.x0)
        memcpy(r->now.x, r->options.x0, (size_t)system->n_states * sizeof *r->now.x);
    else if (system->start)
        system->start(&r->env, t, r->now.x);
    const dry_status status = check_state(system, r->now.x, error);
    if (status != DRY_OK) return status;
    probe(r);
    read_contacts(r);
    dry_rigid__set_instant_force(r);
    return DRY_OK;
}

dry_status dry_rigid_new(const dry_inclusion *inclusion, const dry_rigid_options *options,
                         const double *par, double t, dry_rigid **rigid, dry_error *error) {
    DRY_ASSERT(inclusion && inclusion->system && options && rigid);
    *rigid = NULL;
    dry_status status = check_numbers(options, t, error);
    if (status == DRY_OK) status = check_sets(inclusion, options->scheme, error);
    if (status != DRY_OK) return status;
    dry_arena *arena = dry_arena_new(0);
    dry_rigid *r = arena ? dry_arena_take(arena, sizeof *r) : NULL;
    if (r) {
        r->inclusion = inclusion;
        r->arena = arena;
        set_options(r, options);
    }
    bool enough = r && take_memory(r);
    if (enough) {
        set_problem(r);
        enough = dry_rigid__structure(arena, inclusion, &r->problem);
    }
    status = enough ? start(r, par, t, error)
                    : dry_error_set(error, DRY_NO_MEMORY, "out of memory for the rigid scheme");
    if (status == DRY_OK)
        *rigid = r;
    else
        dry_arena_free(arena);
    return status;
}

void dry_rigid_free(dry_rigid *rigid) {
    if (rigid) dry_arena_free(rigid->arena);
}

/* ---- going on with other numbers ------------------------------------------ */

/* The parameters have changed: so may the constants, the gains and the longest step. */
static void follow_par(dry_rigid *r) {
    prepare(r);
    probe(r);
    r->sticking.tried = false;
    r->past.plain = false;
    r->growth.next_check = r->counts.steps;
}

/* What rounding of a sum of the states could change. */
static double rounding(const dry_rigid *r) {
    double most = 0.0;
    for (int j = 0; j < r->inclusion->n_states; j++) most = dry_max(most, fabs(r->now.x[j]));
    return 64.0 * DBL_EPSILON * most;
}

/* A contact whose gap has jumped, or the rate of its gap, is read anew; all others stay closed or
 * open. */
static void keep_contacts(dry_rigid *r) {
    const dry_inclusion *inc = r->inclusion;
    memcpy(r->saved.gap, r->now.gap, (size_t)inc->n_sets * sizeof *r->now.gap);
    memcpy(r->saved.slide, r->now.slide, (size_t)inc->n_forces * sizeof *r->now.slide);
    dry_rigid__refresh(r);
    const double small = rounding(r);
    for (int set = 0; set < inc->n_sets; set++) {
        const int force = inc->sets[set].force;
        if (dry_rigid__is_dio(r, set) &&
            (fabs(r->now.gap[set] - r->saved.gap[set]) > small ||
             fabs(r->now.slide[force] - r->saved.slide[force]) > small))
            read_contact(r, set);
    }
}

dry_status dry_rigid_restart(dry_rigid *r, const double *x, dry_error *error) {
    const dry_system *system = r->inclusion->system;
    const dry_status status = check_state(system, x ? x : r->now.x, error);
    if (status != DRY_OK) return status;
    if (x) memmove(r->now.x, x, (size_t)system->n_states * sizeof *x);
    if (dry_par_mark(r->env.par, system->n_par) != r->par_mark) follow_par(r);
    keep_contacts(r);
    return DRY_OK;
}

size_t dry_rigid_save_size(const dry_rigid *r) { return dry_arena_image_size(r->arena); }
void dry_rigid_save(const dry_rigid *r, void *bytes) { dry_arena_image_save(r->arena, bytes); }
bool dry_rigid_restore(dry_rigid *r, const void *bytes) {
    return dry_arena_image_load(r->arena, bytes);
}
