/* system: makes code of the graph, and the functions of a dry_system of the code. */
#include "declared.h"
#include "model_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- growing lists of roots -------------------------------------------------------- */

typedef struct roots {
    dry_node *node;
    int n, room;
    dry_arena *arena; /* remembers that memory ran out */
} roots;

static void add(roots *list, dry_node node) {
    dry_node *slot =
        dry_lang_grow(list->arena, (void **)&list->node, &list->n, &list->room, sizeof *slot);
    if (slot) *slot = node;
}

static void keep(dry_model *model, int section, roots list) {
    model->code.roots[section] = list.node;
    model->code.n_roots[section] = list.n;
}

/* ---- kinks and break times --------------------------------------------------------------------
 */

/* mark[i]: some rate needs node i, what ends the run, or what is sampled */
static unsigned char *needed(const dry_elab *elab, bool with_samples) {
    int n = dry_dag_count(elab->dag);
    unsigned char *mark = dry_heap_take(elab->arena, (size_t)n + 1, 1);
    if (!mark) return NULL;
    for (int i = 0; i < elab->quantities.n_states; i++) mark[elab->quantities.state[i].rate] = 1;
    for (int i = 0; i < elab->scene.n_thrusts; i++) mark[elab->scene.thrust[i].node] = 1;
    for (int i = 0; with_samples && i < elab->quantities.sampling.n_helds; i++)
        mark[elab->quantities.sampling.held[i].next] = 1;
    for (int i = 0; i < elab->results.n_stops; i++) mark[elab->results.stop[i].node] = 1;
    for (int i = 0; with_samples && i < elab->quantities.sampling.n_lines; i++)
        mark[dry_dag_leaf(elab->dag, DRY_OP_STATE, elab->quantities.sampling.line[i].input)] = 1;
    for (int i = n - 1; i >= 0; i--) { /* arguments come before their users */
        if (!mark[i]) continue;
        dry_node_view v = dry_dag_view(elab->dag, i);
        for (int k = 0; k < v.n_args; k++) mark[v.args[k]] = 1;
    }
    return mark;
}

static bool is_time(const dry_dag *dag, dry_node node) {
    return dry_dag_view(dag, node).op == DRY_OP_T;
}

static bool is_fixed(const dry_dag *dag, dry_node node) {
    return !(dry_dag_depends(dag, node) & ~(unsigned)DRY_ON_PAR);
}

/* t < constant: finds the time at which the rate jumps */
static bool break_time(const dry_elab *elab, dry_node a, dry_node b, roots *breaks) {
    if (is_time(elab->dag, b)) {
        dry_node swap = a;
        a = b;
        b = swap;
    }
    if (!is_time(elab->dag, a) || !is_fixed(elab->dag, b)) return false;
    add(breaks, b);
    return true;
}

/* ---- times at which a function of the time beats ----------------------------------- */

enum { MOST_BEATS = 1000, ULPS = 4 }; /* breaks of a model */

static double value_at(const dry_elab *elab, dry_node node, double t) {
    return dry_dag_value(elab->dag, node, elab->quantities.par_value, t, NULL, NULL, 0);
}

/* Returns the first number near t at which the node has jumped; t itself if it does not jump
 * there. */
static double first_after(const dry_elab *elab, dry_node node, double t, double jump) {
    double from = t;
    for (int i = 0; i < ULPS; i++) from = nextafter(from, -(double)INFINITY);
    for (int i = 0; i < 2 * ULPS; i++) {
        const double next = nextafter(from, (double)INFINITY);
        if (fabs(value_at(elab, node, next) - value_at(elab, node, from)) > 0.5 * fabs(jump))
            return next;
        from = next;
    }
    return t;
}

/* c + s t, which is a multiple of the period at the wanted times. */
typedef struct straight {
    double c, s, period, until, first, last; /* the first and last multiples below it */
} straight;

/* A node that jumps itself can have the slope of a straight line, but is not one. */
static bool is_straight(const dry_elab *elab, dry_node node, const straight *l) {
    for (double t = 0.37 * l->until; t <= l->until; t += 0.63 * l->until)
        if (!(fabs(value_at(elab, node, t) - l->c - l->s * t) <=
              1e-9 * (fabs(l->c) + fabs(l->s * t))))
            return false;
    return true;
}

/* Returns false if the argument is not a straight line in time, or if the times have no end. */
static bool straight_line(dry_elab *elab, dry_beat beat, straight *l) {
    const double most = 1e15; /* larger whole numbers have no exact successor */
    const dry_node t = dry_dag_leaf(elab->dag, DRY_OP_T, 0);
    const dry_node slope = dry_dag_diff(elab->dag, beat.argument, t, NULL, 0);
    if (!is_fixed(elab->dag, slope) || !is_fixed(elab->dag, beat.period)) return false;
    *l = (straight){.c = value_at(elab, beat.argument, 0.0),
                    .s = value_at(elab, slope, 0.0),
                    .period = value_at(elab, beat.period, 0.0),
                    .until = elab->run.until};
    const double begin = l->c / l->period, end = (l->c + l->s * l->until) / l->period;
    l->first = floor(fmin(begin, end));
    l->last = floor(fmax(begin, end));
    return l->until > 0.0 && l->first > -most && l->last < most &&
           is_straight(elab, beat.argument, l);
}

/* floor(c + s t) and similar functions: finds the times until the end of the run, if they are not
 * too many. The switching functions handle the others. */
static void beat_times(dry_elab *elab, dry_node node, dry_beat beat, roots *breaks) {
    straight l;
    if (dry_dag_depends(elab->dag, node) & ~(unsigned)(DRY_ON_PAR | DRY_ON_T)) return;
    if (!straight_line(elab, beat, &l) || l.last - l.first + breaks->n > MOST_BEATS) return;
    dry_lang_fix(elab, beat.argument);
    dry_lang_fix(elab, beat.period);
    for (double n = l.first; n <= l.last + 1.0; n++) {
        const double time = (n * l.period - l.c) / l.s;
        if (time > 0.0 && time <= l.until)
            add(breaks, dry_dag_const(elab->dag, first_after(elab, node, time, l.period)));
    }
}

/* ---- kinks ------------------------------------------------------------------------- */

/* Finds the switching functions of one node. */
static void kinks_of(dry_elab *elab, dry_node node, roots *kinks, roots *breaks) {
    const dry_node_view v = dry_dag_view(elab->dag, node);
    const dry_op_row *row = &dry_op_rows[v.op];
    if (!row->switches && !row->beat) return;
    const dry_node a[2] = {v.args[0], v.n_args > 1 ? v.args[1] : 0};
    if (row->meets && break_time(elab, a[0], a[1], breaks)) return;
    if (row->beat) beat_times(elab, node, row->beat(elab->dag, a), breaks);
    dry_node g[DRY_MOST_SWITCHES];
    const int n = dry_op_find_switches(elab->dag, row, a, g);
    for (int k = 0; k < n; k++) add(kinks, g[k]);
}

static void law_kinks(dry_elab *elab, dry_node node, roots *kinks) {
    dry_node_view v = dry_dag_view(elab->dag, node);
    if (!v.block.law->kinks) return;
    dry_node *args = dry_heap_take(elab->arena, (size_t)(v.n_args + 1), sizeof *args);
    if (!args) return;
    memcpy(args, v.args, sizeof *args * (size_t)v.n_args);
    dry_node block = dry_dag_block(elab->dag, DRY_OP_LAW_KINKS, v.block, args, v.n_args);
    free(args);
    int n = dry_dag_results(elab->dag, block);
    for (int k = 0; k < n; k++) add(kinks, dry_dag_pick(elab->dag, block, k));
}

static void check_outers(dry_elab *elab) {
    unsigned char *mark = needed(elab, true);
    if (mark) dry_lang_check_outers(elab, mark);
    free(mark);
}

static void add_break_table(dry_model *model, const dry_table *table) {
    dry_model_code *code = &model->code;
    for (int i = 0; i < code->n_break_tables; i++)
        if (code->break_table[i] == table) return;
    const dry_table **slot = DRY_GROW(model->arena, code, break_table);
    if (slot) *slot = table;
}

/* The knots of a table of the time are break times; those of any other argument are located. */
static void table_kinks(dry_model *model, dry_node node, roots *kinks) {
    dry_dag *dag = model->elab.dag;
    const dry_node_view v = dry_dag_view(dag, node);
    const dry_table *table = v.block.table;
    const dry_node args[2] = {v.args[0], v.n_args > 1 ? v.args[1] : 0};
    for (int i = 0; i < v.n_args; i++) {
        if (!dry_table_knots(table, i).n) continue;
        if (v.n_args == 1 && is_time(dag, args[i])) {
            add_break_table(model, table);
            continue;
        }
        if (is_fixed(dag, args[i])) continue;
        const dry_node block = dry_dag_block(dag, DRY_OP_TABLE_KINKS,
                                             (dry_block){.dim = i, .table = table}, &args[i], 1);
        const int n = dry_dag_results(dag, block);
        for (int k = 0; k < n; k++) add(kinks, dry_dag_pick(dag, block, k));
    }
}

static void find_kinks(dry_model *model, roots *kinks, roots *breaks) {
    dry_elab *elab = &model->elab;
    int n = dry_dag_count(elab->dag);
    check_outers(elab);
    unsigned char *mark = needed(elab, false);
    for (int i = 0; mark && i < n; i++) {
        if (!mark[i] || is_fixed(elab->dag, i)) continue;
        if (dry_dag_view(elab->dag, i).op == DRY_OP_LAW)
            law_kinks(elab, i, kinks);
        else if (dry_dag_view(elab->dag, i).op == DRY_OP_TABLE)
            table_kinks(model, i, kinks);
        else
            kinks_of(elab, i, kinks, breaks);
    }
    free(mark);
}

/* ---- strains: states inside of laws -------------------------------------------------- */

/* States of parts are not strains, because the net keeps more than strains in them. The work of the
 * equations is not a strain either. */
static const bool *find_strains(dry_model *model) {
    const dry_elab *elab = &model->elab;
    bool *strains = dry_arena_take(model->arena, (size_t)dry_lang_all_states(elab) + 1);
    for (int i = 0; strains && i < elab->quantities.n_states; i++)
        strains[i] = i < elab->quantities.n_states - elab->quantities.sampling.n_states &&
                     elab->quantities.state[i].symbol < 0 && !dry_lang_is_push_work(elab, i);
    return strains;
}

/* ---- functions of the system ------------------------------------------------------- */

/* They are behind the scratch of the sections. */
static dry_clock *own_clocks(const dry_env *env) {
    const dry_model *model = env->model;
    const size_t bytes = sizeof(dry_clock) * (size_t)model->elab.quantities.sampling.n_clocks;
    return (dry_clock *)(void *)((char *)env->work + dry_model__work_size(model) - bytes);
}

const dry_clock *dry_model__clocks(const dry_env *env) {
    const dry_model *model = env->model;
    const dry_sampling *all = &model->elab.quantities.sampling;
    return all->n_offsets ? own_clocks(env) : all->clock;
}

static void set_clocks(const dry_env *env) {
    const dry_model *model = env->model;
    const dry_sampling *all = &model->elab.quantities.sampling;
    const dry_image *image = model->code.image;
    double *offset = dry_model__behind_registers(env);
    dry_clock *clocks = own_clocks(env);
    memcpy(clocks, all->clock, sizeof *clocks * (size_t)all->n_clocks);
    dry_image_run(image, DRY_SECTION_INSTANTS, 0.0, 0.0, dry_image_inputs(image, env->work), offset,
                  env->work);
    for (int i = 0; i < all->n_offsets; i++) clocks[all->offset[i].clock].offset = offset[i];
}

static void prepare(const dry_env *env) {
    const dry_model *model = env->model;
    dry_image_prepare(model->code.image, env->par, env->work);
    if (model->elab.quantities.sampling.n_offsets) set_clocks(env);
    if (model->kept.image) dry_model__prepare_inclusion(env);
    if (model->jacobian_image) dry_model__prepare_jacobian(env);
}

void dry_model__keep_given(const dry_model__given *given, int n, double *x) {
    for (int i = 0; given && i < n; i++)
        if (given->is[i]) x[i] = given->x[i];
}

/* Behind the numbers of the sections. */
static double *steady_work(const dry_env *env) {
    static const int sections[] = {DRY_SECTION_GUARD,  DRY_SECTION_LATCH, DRY_SECTION_FASTEST,
                                   DRY_SECTION_SAMPLE, DRY_SECTION_SLOPE, DRY_SECTION_PHASE};
    const dry_model *model = env->model;
    double *at = dry_model__behind_registers(env);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        at += model->code.n_roots[sections[i]];
    return at;
}

void dry_model__start_equations(const dry_env *env, double t, const dry_model__given *given,
                                double *x) {
    const dry_model *model = env->model;
    int n = model->system.n_states;
    memset(x, 0, sizeof *x * (size_t)n);
    dry_model__keep_given(given, n, x);
    for (int pass = 0; pass < 2; pass++) { /* law states may start at others */
        dry_image_run(model->code.image, DRY_SECTION_START, t, 0.0, x, x, env->work);
        dry_model__keep_given(given, n, x);
    }
    dry_model__sample_at_start(env, t, x, x);
    if (!model->elab.results.n_settleds) return;
    dry_model__settle(env, t, given, steady_work(env), x);
    dry_model__sample_at_start(env, t, x, x);
}

static void start(const dry_env *env, double t, double *x) {
    dry_model__start_equations(env, t, NULL, x);
}

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const dry_model *model = env->model;
    dry_image_run(model->code.image, DRY_SECTION_RATE, t, tau, x, x_dot, env->work);
}

void dry_model__output(const dry_env *env, double t, double tau, const double *x, double *y) {
    const dry_model *model = env->model;
    dry_image_run(model->code.image, DRY_SECTION_OUTPUT, t, tau, x, y, env->work);
}

static void kinks(const dry_env *env, double t, const double *x, double *g) {
    const dry_model *model = env->model;
    dry_image_run(model->code.image, DRY_SECTION_KINKS, t, 0.0, x, g, env->work);
}

static int count_knots(const dry_model *model) {
    int n = 0;
    for (int i = 0; i < model->code.n_break_tables; i++)
        n += dry_table_knots(model->code.break_table[i], 0).n;
    return n;
}

static void add_knots(const dry_model *model, double *times) {
    int n = 0;
    for (int i = 0; i < model->code.n_break_tables; i++) {
        const dry_knots knots = dry_table_knots(model->code.break_table[i], 0);
        for (int k = 0; k < knots.n; k++) times[n++] = knots.x[k * knots.stride];
    }
}

void dry_model__breaks(const dry_env *env, double *times) {
    const dry_model *model = env->model;
    const dry_image *image = model->code.image;
    dry_image_run(image, DRY_SECTION_BREAKS, 0.0, 0.0, dry_image_inputs(image, env->work), times,
                  env->work);
    add_knots(model, times + model->code.n_roots[DRY_SECTION_BREAKS]);
}

double *dry_model__behind_registers(const dry_env *env) {
    const dry_model *model = env->model;
    return (double *)(void *)((char *)env->work + dry_image_work_size(model->code.image));
}

int dry_model__watch(const dry_env *env, double t, const double *inputs) {
    const dry_model *model = env->model;
    double *value = dry_model__behind_registers(env);
    dry_image_run(model->code.image, DRY_SECTION_GUARD, t, 0.0, inputs, value, env->work);
    for (int i = 0; i < model->code.n_roots[DRY_SECTION_GUARD]; i++)
        if (value[i] < -1e-12) return i + 1;
    return 0;
}

bool dry_model__latch(const dry_env *env, double t, double *inputs, double *x) {
    const dry_model *model = env->model;
    double *value = dry_model__behind_registers(env);
    bool changed = dry_model__sample(env, t, inputs, x);
    dry_image_run(model->code.image, DRY_SECTION_LATCH, t, 0.0, inputs, value, env->work);
    for (int i = 0; i < model->code.n_latched; i++) {
        const dry_force *force = &model->elab.quantities.force[model->code.latched[i]];
        if (force->law->latch(value, force->dim, value + force->n_par, x + force->state))
            changed = true;
        value += force->n_par + force->n_inputs;
    }
    return changed;
}

double dry_model__fastest(const dry_env *env, double t, double tau, const double *inputs,
                          const char **law) {
    const dry_model *model = env->model;
    double *value = dry_model__behind_registers(env), fastest = 0.0;
    dry_image_run(model->code.image, DRY_SECTION_FASTEST, t, tau, inputs, value, env->work);
    for (int i = 0; i < model->code.n_quick; i++) {
        if (!(value[i] > fastest)) continue;
        fastest = value[i];
        *law = model->elab.quantities.force[model->code.quick[i]].name;
    }
    return fastest;
}

unsigned dry_model__phase(const dry_force *force, double tau, const double *values,
                          const double *states) {
    return dry_law_phase(force->law, values, force->dim, tau, values + force->n_par,
                         states + force->state);
}

bool dry_model__has_phase(const dry_model *model, int force, const double *inputs) {
    const dry_quantities *all = &model->elab.quantities;
    return !model->code.phaseless || !model->code.phaseless[force] ||
           !isnan(inputs[all->n_states - all->sampling.n_states]);
}

void dry_model__phases(const dry_env *env, double t, double tau, const double *inputs,
                       unsigned char *phase) {
    const dry_model *model = env->model;
    const double *value = dry_model__behind_registers(env);
    dry_image_run(model->code.image, DRY_SECTION_PHASE, t, tau, inputs,
                  dry_model__behind_registers(env), env->work);
    for (int i = 0; i < model->elab.quantities.n_forces; i++) {
        const dry_force *force = &model->elab.quantities.force[i];
        phase[i] = 0;
        if (dry_model__has_phase(model, i, inputs))
            phase[i] = (unsigned char)dry_model__phase(force, tau, value, inputs);
        value += force->n_par + force->n_inputs;
    }
}

static void phases(const dry_env *env, double t, double tau, const double *x, const double *y,
                   unsigned char *phase) {
    (void)y;
    dry_model__phases(env, t, tau, x, phase);
}

static bool latch(const dry_env *env, double t, double *x) {
    return dry_model__latch(env, t, x, x);
}

/* ---- building ---------------------------------------------------------------------- */

static void add_law(roots *list, const dry_force *force) {
    for (int k = 0; k < force->n_par; k++) add(list, force->par[k]);
    for (int k = 0; k < force->n_inputs; k++) add(list, force->input[k]);
}

static void latch_roots(dry_model *model) {
    roots list = {.arena = model->arena};
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const dry_force *force = &elab->quantities.force[i];
        if (!force->law->latch || force->shared >= 0) continue;
        add_law(&list, force);
        int *slot = dry_lang_grow(model->arena, (void **)&model->code.latched,
                                  &model->code.n_latched, &model->code.latch_room, sizeof *slot);
        if (slot) *slot = i;
    }
    keep(model, DRY_SECTION_LATCH, list);
}

/* Uses the same arguments as the block of the force. */
static void add_fastest(dry_model *model, int force, roots *list) {
    dry_dag *dag = model->elab.dag;
    const dry_node_view v = dry_dag_view(dag, model->elab.quantities.force[force].block);
    dry_node *args = dry_heap_take(model->arena, (size_t)(v.n_args + 1), sizeof *args);
    int *slot = dry_lang_grow(model->arena, (void **)&model->code.quick, &model->code.n_quick,
                              &model->code.quick_room, sizeof *slot);
    if (args && slot) {
        *slot = force;
        memcpy(args, v.args, sizeof *args * (size_t)v.n_args);
        const dry_node block = dry_dag_block(dag, DRY_OP_LAW_FASTEST, v.block, args, v.n_args);
        add(list, dry_dag_pick(dag, block, 0));
    }
    free(args);
}

/* These roots must be made last, so that the numbers of the other nodes do not change. */
static void fastest_roots(dry_model *model) {
    roots list = {.arena = model->arena};
    for (int i = 0; i < model->elab.quantities.n_forces; i++) {
        const dry_force *force = &model->elab.quantities.force[i];
        if (force->law->quickens && force->shared < 0) add_fastest(model, i, &list);
    }
    keep(model, DRY_SECTION_FASTEST, list);
}

/* mark[i]: node i needs the past, which a record does not have; NULL: none does. To be freed. */
static unsigned char *needs_past(const dry_elab *elab) {
    const int n = elab->quantities.n_states, first = n - elab->quantities.sampling.n_states;
    const int count = dry_dag_count(elab->dag);
    unsigned char *mark = first < n ? dry_heap_take(elab->arena, (size_t)count + 1, 1) : NULL;
    for (int i = 0; mark && i < count; i++) {
        const dry_node_view v = dry_dag_view(elab->dag, i);
        mark[i] = v.op == DRY_OP_STATE && v.index >= first && v.index < n;
        for (int k = 0; k < v.n_args; k++) mark[i] |= mark[v.args[k]];
    }
    return mark;
}

/* Forces that need the past have no phases from a record, because it does not hold the past. */
static void phase_roots(dry_model *model) {
    roots list = {.arena = model->arena};
    const dry_elab *elab = &model->elab;
    unsigned char *mark = needs_past(elab);
    if (mark)
        model->code.phaseless = dry_arena_take(model->arena, (size_t)elab->quantities.n_forces + 1);
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        const int first = list.n;
        add_law(&list, &elab->quantities.force[i]);
        for (int k = first; model->code.phaseless && k < list.n; k++)
            model->code.phaseless[i] |= mark[list.node[k]];
    }
    free(mark);
    keep(model, DRY_SECTION_PHASE, list);
}

/* With parts clocks are as the compiler found them. */
static void instant_roots(dry_model *model) {
    roots list = {.arena = model->arena};
    dry_sampling *all = &model->elab.quantities.sampling;
    if (model->elab.scene.net) all->n_offsets = 0;
    for (int i = 0; i < all->n_offsets; i++) add(&list, all->offset[i].node);
    keep(model, DRY_SECTION_INSTANTS, list);
}

static void sample_roots(dry_model *model) {
    roots list = {.arena = model->arena};
    const dry_sampling *all = &model->elab.quantities.sampling;
    for (int i = 0; i < all->n_helds; i++) add(&list, all->held[i].next);
    keep(model, DRY_SECTION_SAMPLE, list);
}

static void slope_roots(dry_model *model) {
    roots list = {.arena = model->arena};
    const dry_quantities *all = &model->elab.quantities;
    for (int i = 0; i < all->sampling.n_lines; i++)
        if (all->sampling.line[i].kind == DRY_LINE_SMOOTH)
            add(&list, all->state[all->sampling.line[i].input].rate);
    keep(model, DRY_SECTION_SLOPE, list);
}

static void start_roots(dry_model *model) {
    roots list = {.arena = model->arena};
    for (int i = 0; i < model->elab.quantities.n_states; i++)
        add(&list, model->elab.quantities.state[i].start);
    keep(model, DRY_SECTION_START, list);
}

/* Makes the rates of the states, then the pushes of the equations on the parts. */
static void rate_roots(dry_model *model) {
    roots list = {.arena = model->arena};
    for (int i = 0; i < model->elab.quantities.n_states; i++)
        add(&list, model->elab.quantities.state[i].rate);
    for (int i = 0; i < model->elab.scene.n_thrusts; i++)
        add(&list, model->elab.scene.thrust[i].node);
    keep(model, DRY_SECTION_RATE, list);
}

/* Keeps each of the break times once; the knots of the tables of the time follow them. */
static void break_roots(dry_model *model, roots times) {
    int n = 0;
    for (int i = 0; i < times.n; i++) {
        bool fresh = true;
        for (int k = 0; k < n; k++) fresh = fresh && times.node[k] != times.node[i];
        if (fresh) times.node[n++] = times.node[i];
    }
    times.n = n;
    keep(model, DRY_SECTION_BREAKS, times);
    model->system.n_breaks = n + count_knots(model);
}

/* They follow the conditions that must hold, and become -1 if they end the run. */
static void stop_roots(dry_model *model, roots *guards) {
    dry_dag *dag = model->elab.dag;
    const dry_node zero = dry_dag_const(dag, 0.0);
    for (int i = 0; i < model->elab.results.n_stops; i++) {
        const dry_node holds = dry_dag_bin(dag, DRY_OP_NE, model->elab.results.stop[i].node, zero);
        add(guards, dry_dag_un(dag, DRY_OP_NEG, holds));
    }
}

static void all_roots(dry_model *model) {
    const roots none = {.arena = model->arena};
    roots kink_list = none, break_list = none, outputs = none, guards = none;
    find_kinks(model, &kink_list, &break_list);
    keep(model, DRY_SECTION_KINKS, kink_list);
    break_roots(model, break_list);
    rate_roots(model);
    start_roots(model);
    for (int i = 0; i < model->elab.results.n_outputs; i++)
        add(&outputs, model->elab.results.output[i].node);
    keep(model, DRY_SECTION_OUTPUT, outputs);
    for (int i = 0; i < model->elab.quantities.n_guards; i++)
        add(&guards, model->elab.quantities.guard[i].node);
    stop_roots(model, &guards);
    keep(model, DRY_SECTION_GUARD, guards);
    latch_roots(model);
    fastest_roots(model);
    phase_roots(model);
    sample_roots(model);
    slope_roots(model);
    instant_roots(model);
}

static const char *unit_text(dry_model *model, dry_dim dim) {
    char text[DRY_DIM_TEXT];
    dry_dim_text(model->elab.dims, dim, text);
    return dry_diag_text(&model->diag, "%s", text);
}

static bool give_units(dry_model *model) {
    dry_elab *elab = &model->elab;
    const size_t n = (size_t)elab->quantities.n_forces + 1;
    model->give_unit = dry_arena_take(model->arena, sizeof *model->give_unit * n);
    for (int i = 0; model->give_unit && i < elab->quantities.n_forces; i++) {
        const dry_force *force = &elab->quantities.force[i];
        const double of_time = dry_lang_is_friction(force) ? 1.0 : 0.0; /* theta is a velocity */
        const dry_dim way =
            dry_dim_combine(elab->dims, force->dim_argument, 1.0, dry_dim_seconds(of_time), 1.0);
        const dry_dim K = dry_dim_combine(elab->dims, force->dim_force, 1.0, way, -1.0);
        model->give_unit[i] = (dry_give_unit){unit_text(model, way), unit_text(model, K)};
    }
    return model->give_unit != NULL;
}

static bool quantities(dry_model *model) {
    dry_elab *elab = &model->elab;
    model->states = dry_arena_take(model->arena,
                                   sizeof(dry_quantity) * (size_t)(elab->quantities.n_states + 1));
    model->outputs =
        dry_arena_take(model->arena, sizeof(dry_quantity) * (size_t)(elab->results.n_outputs + 1));
    model->params = dry_arena_take(model->arena,
                                   sizeof(dry_quantity) * (size_t)(elab->quantities.n_params + 1));
    if (!model->states || !model->outputs || !model->params) return false;
    for (int i = 0; i < elab->quantities.n_states; i++)
        model->states[i] = (dry_quantity){elab->quantities.state[i].name,
                                          unit_text(model, elab->quantities.state[i].dim)};
    for (int i = 0; i < elab->results.n_outputs; i++)
        model->outputs[i] = (dry_quantity){elab->results.output[i].name,
                                           unit_text(model, elab->results.output[i].dim)};
    for (int i = 0; i < elab->quantities.n_params; i++)
        model->params[i] = (dry_quantity){elab->quantities.param[i].name,
                                          unit_text(model, elab->quantities.param[i].dim)};
    model->measure_unit = dry_arena_take(model->arena, sizeof *model->measure_unit *
                                                           (size_t)(elab->results.n_measures + 1));
    for (int i = 0; model->measure_unit && i < elab->results.n_measures; i++)
        model->measure_unit[i] = unit_text(model, elab->results.measure[i].dim);
    if (model->measure_unit) dry_model__declare_units(model);
    return model->measure_unit != NULL && give_units(model);
}

/* Returns the column of the first output, which follows the time and the recorded states. */
static int first_output(const dry_elab *elab) {
    return 1 + elab->quantities.n_states - elab->quantities.sampling.n_states +
           (elab->scene.net_system ? dry_system_named(elab->scene.net_system) : 0);
}

/* The columns of a record, from those of a plot. */
static const int *columns_of(const dry_model *model, const int *plotted, int n) {
    const int outputs = first_output(&model->elab);
    int *columns = dry_arena_take(model->arena, sizeof *columns * (size_t)(n + 1));
    for (int k = 0; columns && k < n; k++)
        columns[k] = plotted[k] == DRY_PLOT_TIME ? 0
                     : plotted[k] < 0            ? -plotted[k] /* state k is column k + 1 */
                                                 : outputs + plotted[k];
    return columns;
}

static bool panels(dry_model *model) {
    const dry_elab *elab = &model->elab;
    model->panel =
        dry_arena_take(model->arena, sizeof *model->panel * (size_t)(elab->results.n_plots + 1));
    for (int i = 0; model->panel && i < elab->results.n_plots; i++) {
        const dry_plot_info *info = &elab->results.plot[i];
        dry_model_panel *panel = &model->panel[i];
        *panel = (dry_model_panel){.n = info->n,
                                   .y = columns_of(model, info->y, info->n),
                                   .x = columns_of(model, info->x, info->n),
                                   .label = info->label,
                                   .beside = info->beside,
                                   .shade = columns_of(model, info->shade, info->n_shades),
                                   .n_shades = info->n_shades,
                                   .x_axis = info->x_axis,
                                   .y_axis = info->y_axis,
                                   .beside_axis = info->beside_axis,
                                   .title = info->title,
                                   .marks = info->marks};
        if (!panel->x || !panel->y || !panel->shade) return false;
    }
    return model->panel != NULL;
}

static bool name_elements(dry_model *model) {
    const dry_elab *elab = &model->elab;
    model->elements = dry_arena_take(model->arena, sizeof *model->elements *
                                                       (size_t)(elab->quantities.n_forces + 1));
    for (int i = 0; model->elements && i < elab->quantities.n_forces; i++)
        model->elements[i] = elab->quantities.force[i].name;
    return model->elements != NULL;
}

static bool find_own(dry_model *model) {
    const dry_elab *elab = &model->elab;
    const int n = dry_lang_all_states(elab);
    model->own = dry_arena_take(model->arena, sizeof *model->own * (size_t)(n + 1));
    for (int i = 0; model->own && i < n; i++) {
        const bool own = i < elab->quantities.n_states
                             ? elab->quantities.state[i].symbol >= 0
                             : dry_net_state_side(elab->scene.net, i - elab->quantities.n_states) ==
                                   DRY_ADMITTANCE;
        if (own) model->own[model->n_own++] = i;
    }
    return model->own != NULL;
}

static bool is_input(const dry_elab *elab, int state) {
    const int symbol = elab->quantities.state[state].symbol;
    return symbol >= 0 && elab->names.symbol[symbol].kind == DRY_SYM_INPUT;
}

static bool find_inputs(dry_model *model) {
    const dry_elab *elab = &model->elab;
    const int n = elab->quantities.n_states;
    model->inputs = dry_arena_take(model->arena, sizeof *model->inputs * (size_t)(n + 1));
    for (int i = 0; model->inputs && i < n; i++)
        if (is_input(elab, i)) model->inputs[model->n_inputs++] = i;
    return model->inputs != NULL;
}

size_t dry_model__work_size(const dry_model *model) {
    static const int behind[] = {DRY_SECTION_GUARD,   DRY_SECTION_LATCH, DRY_SECTION_FASTEST,
                                 DRY_SECTION_SAMPLE,  DRY_SECTION_SLOPE, DRY_SECTION_PHASE,
                                 DRY_SECTION_INSTANTS};
    const dry_sampling *all = &model->elab.quantities.sampling;
    size_t n = 0;
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        n += (size_t)dry_model_numbers(&model->code, behind[i]);
    return dry_image_work_size(model->code.image) +
           sizeof(double) * (n + dry_model__steady_numbers(model)) +
           (all->n_offsets ? sizeof(dry_clock) * (size_t)all->n_clocks : 0);
}

static void describe(dry_model *model) {
    dry_elab *elab = &model->elab;
    int n_breaks = model->system.n_breaks;
    model->system = (dry_system){
        .name = model->elab.name,
        .n_states = elab->quantities.n_states,
        .n_outputs = elab->results.n_outputs,
        .n_par = elab->quantities.n_params,
        .n_kinks = model->code.n_roots[DRY_SECTION_KINKS],
        .n_breaks = n_breaks,
        .work_size = dry_model__work_size(model),
        .states = model->states,
        .outputs = model->outputs,
        .params = model->params,
        .par = elab->quantities.par_value,
        .model = model,
        .start = start,
        .rate = rate,
        .output = elab->results.n_outputs ? dry_model__output : NULL,
        .kinks = model->code.n_roots[DRY_SECTION_KINKS] ? kinks : NULL,
        .breaks = n_breaks ? dry_model__breaks : NULL,
        .latch = model->code.n_latched || elab->quantities.sampling.n_clocks ? latch : NULL,
        .n_clocks = elab->quantities.sampling.n_clocks,
        .clocks = elab->quantities.sampling.clock,
        .instants = elab->quantities.sampling.n_offsets ? dry_model__clocks : NULL,
        .n_inputs = model->n_inputs,
        .inputs = model->inputs,
        .positions = model->positions,
        .strains = find_strains(model),
        .watch = model->code.n_roots[DRY_SECTION_GUARD] ? dry_model__watch : NULL,
        .first_stop = elab->quantities.n_guards + 1,
        .n_stops = elab->results.n_stops,
        .fastest = model->code.n_quick ? dry_model__fastest : NULL,
        .n_elements = elab->quantities.n_forces,
        .elements = model->elements,
        .phases = elab->quantities.n_forces ? phases : NULL,
        .prepare = prepare,
    };
}

dry_image *dry_model__image(const dry_model_code *code, const dry_elab *elab, int n_inputs) {
    static const char *const names[] = {"rate",   "output", "kinks",   "start",
                                        "guard",  "latch",  "fastest", "phase",
                                        "sample", "breaks", "slope",   "instants"};
    dry_section sections[DRY_N_SECTIONS];
    const dry_image_sizes sizes = {elab->quantities.n_params, n_inputs, code->n_ways};
    for (int i = 0; i < DRY_N_SECTIONS; i++)
        sections[i] = (dry_section){names[i], code->roots[i], code->n_roots[i],
                                    i == DRY_SECTION_RATE, code->n_wide[i]};
    return dry_image_new(elab->dag, sizes, sections, DRY_N_SECTIONS);
}

bool dry_model__build(dry_model *model) {
    dry_elab *elab = &model->elab;
    if (!dry_lang_all_states(elab)) {
        DRY_SAY(&model->diag, (dry_place){0}, NO_STATES, "");
        return false;
    }
    all_roots(model);
    if (!quantities(model) || !panels(model) || !find_own(model) || !name_elements(model) ||
        !find_inputs(model))
        return false;
    dry_model__find_steady(model);
    if (model->diag.n_errors) return false;
    if (!dry_model__find_positions(model)) {
        DRY_SAY(&model->diag, (dry_place){0}, TOO_LARGE, "");
        return false;
    }
    if (dry_dag_failed(elab->dag)) return false;
    model->code.image =
        dry_model__image(&model->code, elab, elab->quantities.n_states + elab->scene.n_outers);
    if (!model->code.image) {
        DRY_SAY(&model->diag, (dry_place){0}, TOO_LARGE, "");
        return false;
    }
    describe(model);
    return !elab->scene.net || dry_model__machine(model);
}
