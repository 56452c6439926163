/* sensitivity: the model together with the derivatives of its states and outputs by parameters, as
 * one system.
 *
 *     x' = r(t, x, p),   s' = (dr/dx) s + dr/dp,   s(0) = (dx0/dx) s + dx0/dp,   s = dx/dp
 *
 * x: states; p: one parameter; s: as many numbers as x for each parameter, after x, those of one
 * state side by side. Each parameter is a way of the graph: one derivative in the directions (s,
 * dp) gives the equations of all. A step of an explicit method takes this system from (x, s) to the
 * derivative of what it makes of x. At a kink, where r is continuous, s
 * does not jump. If r jumps at a time that depends on a parameter or on the states, s jumps: for
 * the delay of what is sampled that is known, else the model has no such derivatives, and the
 * reason says so. */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>

struct dry_sensitivity {
    const dry_model *model;
    dry_arena *arena;
    int *par, n_par;   /* the parameters that have derivatives */
    int n, n_outputs;  /* of the model */
    int n_named;       /* states that a run records; the past of delays comes after them */
    dry_model text;    /* the system as a model, whose sections it replaces (dry_model_code) */
    dry_node *measure; /* derivative of measure m by parameter j at j n_measures + m; -1: inexact */
};

enum {
    SECTION_RATE = DRY_SECTION_RATE,
    SECTION_START = DRY_SECTION_START,
    SECTION_OUTPUT = DRY_SECTION_OUTPUT,
    SECTION_SAMPLE = DRY_SECTION_SAMPLE,
    SECTION_SLOPE = DRY_SECTION_SLOPE,
    N_SECTIONS = DRY_N_SECTIONS
};

/* ---- why there are none --------------------------------------------------------------- */

/* Whether the value of a node is not continuous in what its arguments are. */
static bool jumps(const dry_dag *dag, dry_node node) {
    const dry_node_view v = dry_dag_view(dag, node);
    if (v.op == DRY_OP_TABLE) return v.block.table->hold;
    return dry_op_rows[v.op].course == DRY_JUMPS;
}

/* mark[i]: some rate or sample needs node i; to be freed. */
static unsigned char *needed(const dry_elab *elab) {
    const dry_sampling *all = &elab->quantities.sampling;
    unsigned char *mark = dry_heap_take(elab->arena, (size_t)dry_dag_count(elab->dag) + 1, 1);
    for (int i = 0; mark && i < elab->quantities.n_states; i++)
        dry_dag_reach(elab->dag, elab->quantities.state[i].rate, mark);
    for (int i = 0; mark && i < all->n_helds; i++)
        dry_dag_reach(elab->dag, all->held[i].next, mark);
    return mark;
}

static const char *jumping_law(dry_model *model) {
    const dry_quantities *q = &model->elab.quantities;
    for (int i = 0; i < q->n_forces; i++)
        if (q->force[i].law->latch || !(q->force[i].law->traits & DRY_CONTINUOUS))
            return dry_diag_text(&model->diag, "the law %s of %s may jump", q->force[i].law->name,
                                 q->force[i].name);
    return NULL;
}

static bool switches_by_states(const dry_elab *elab, const unsigned char *mark, int count) {
    for (int i = 0; i < count; i++)
        if (mark[i] && jumps(elab->dag, i) && dry_dag_depends(elab->dag, i) & DRY_ON_STATE &&
            !dry_model__only_bends(elab, i, mark, count))
            return true;
    return false;
}

/* Why the model has no derivatives by any parameter; NULL: it has. */
static const char *why_none(dry_model *model, const unsigned char *mark, int count) {
    const dry_elab *elab = &model->elab;
    if (elab->scene.net) return "the model has parts";
    if (model->kept.image) return "the method keeps the sets";
    if (dry_lang_method_row(elab)->implicit) return "the method is implicit";
    if (elab->results.n_settleds) return "a start is steady";
    if (switches_by_states(elab, mark, count))
        return "the rates or samples may jump where the states switch them";
    return jumping_law(model);
}

/* ---- the direction of one parameter ----------------------------------------------------- */

typedef struct way {
    dry_sensitivity *s;
    dry_node *state, *par; /* how the states and the parameters change */
    dry_node *all;         /* par of each place, after those of the place before */
    bool hit;
    bool lost; /* memory ran out */
} way;

static dry_direction direction_of(const way *w) {
    return (dry_direction){w->state, w->par, w->s->n, w->s->model->elab.quantities.n_params};
}

static void note(void *user, int index) {
    way *w = user;
    w->hit = w->hit || (index < w->s->model->elab.quantities.n_params && w->par[index] != 0);
}

/* Whether a node needs a parameter that changes. */
static bool reads_changing(way *w, dry_node node) {
    w->hit = false;
    return !dry_dag_each_par(w->s->model->elab.dag, node, note, w) || w->hit;
}

/* No parameter moves the times of the last instants of delay lines, which follow from clocks alone,
 * and what a program sets. */
static void hold_others(const way *w) {
    const dry_model *model = w->s->model;
    const dry_sampling *all = &model->elab.quantities.sampling;
    for (int i = 0; i < all->n_lines; i++)
        if (all->line[i].last >= 0) w->state[all->line[i].last] = 0;
    for (int i = 0; i < model->n_inputs; i++) {
        const dry_node start = model->elab.quantities.state[model->inputs[i]].start;
        if (dry_dag_op(model->elab.dag, start) == DRY_OP_CONST) w->state[model->inputs[i]] = 0;
    }
}

/* The parameter, those that the text defines by it, and its part of the states. What the compiler
 * has chosen is held. */
static void begin_way(way *w, int par) {
    const dry_model *model = w->s->model;
    const dry_elab *elab = &model->elab;
    const char *lacks;
    for (int i = 0; i < w->s->n; i++) w->state[i] = dry_dag_leaf(elab->dag, DRY_OP_WAY, i);
    hold_others(w);
    memset(w->par, 0, sizeof *w->par * (size_t)elab->quantities.n_params);
    w->par[par] = dry_dag_const(elab->dag, 1.0);
    for (int i = par + 1; i < elab->quantities.n_params; i++) {
        const dry_direction d = direction_of(w);
        if (dry_model_par_follows(model, i) && !elab->quantities.param[i].chosen)
            (void)dry_dag_directional(elab->dag, &elab->quantities.param[i].meaning, 1, &d,
                                      &w->par[i], &lacks);
    }
}

static bool decides(const way *w) {
    const dry_quantities *q = &w->s->model->elab.quantities;
    bool any = false;
    for (int i = 0; i < q->n_params; i++)
        any = any || (w->par[i] != 0 && q->param[i].decides && !q->param[i].timed);
    return any;
}

static bool moves_a_switch(way *w, const unsigned char *mark, int count) {
    const dry_elab *elab = &w->s->model->elab;
    const dry_dag *dag = elab->dag;
    bool moves = false;
    for (int i = 0; i < count && !moves; i++)
        moves = mark[i] && jumps(dag, i) && dry_dag_depends(dag, i) & DRY_ON_T &&
                reads_changing(w, i) && !dry_model__only_bends(elab, i, mark, count);
    return moves;
}

/* ---- the roots --------------------------------------------------------------------------- */

typedef struct lists {
    dry_node *root[N_SECTIONS];
    int n[N_SECTIONS];
    dry_node *fall;      /* of rate i at the clock of offset o, by o n + i */
    dry_held_info *jump; /* the next of each is wide */
    int n_jumps;
} lists;

/* The sections that differ from those of the model. They begin with what the model has there,
 * except for the outputs, which are all derivatives. */
static const int sections[] = {SECTION_RATE, SECTION_START, SECTION_OUTPUT, SECTION_SAMPLE,
                               SECTION_SLOPE};
enum { N_OWN = sizeof sections / sizeof *sections };

/* The name of a law that lacks derivatives by what changes; NULL: none does. */
static const char *lacking(way *w) {
    const dry_model_code *code = &w->s->model->code;
    const dry_direction d = direction_of(w);
    const char *lacks = NULL;
    for (int i = 0; i < N_OWN && !lacks; i++)
        lacks = dry_dag_lacking(w->s->model->elab.dag, code->roots[sections[i]],
                                code->n_roots[sections[i]], &d);
    return lacks;
}

/* The changes of the parameters in all ways. */
static void widen(way *w) {
    dry_dag *dag = w->s->model->elab.dag;
    const int n = w->s->model->elab.quantities.n_params;
    for (int i = 0; i < n; i++) {
        w->par[i] = 0;
        for (int k = 0; k < w->s->n_par; k++) {
            const dry_node unit = dry_dag_leaf(dag, DRY_OP_UNIT, k);
            const dry_node part = dry_dag_bin(dag, DRY_OP_MUL, w->all[k * n + i], unit);
            w->par[i] = dry_dag_bin(dag, DRY_OP_ADD, w->par[i], part);
        }
    }
}

/* Appends the derivatives of all sections. */
static void append_all(way *w, lists *l) {
    const dry_model_code *code = &w->s->model->code;
    const dry_direction d = direction_of(w);
    for (int i = 0; i < w->s->n_named; i++)
        l->root[SECTION_OUTPUT][l->n[SECTION_OUTPUT]++] = w->state[i];
    for (int i = 0; i < N_OWN; i++) {
        const int section = sections[i];
        const char *lacks;
        (void)dry_dag_directional(w->s->model->elab.dag, code->roots[section],
                                  code->n_roots[section], &d, l->root[section] + l->n[section],
                                  &lacks);
        l->n[section] += code->n_roots[section];
    }
}

/* ---- instants that a parameter moves ------------------------------------------------------ */

/* The output of a sample is shown at t_k = k T + d. If d depends on p, then what is shown changes
 * later by dt/dp, while the other states go on with the rate from before:
 *
 *     s+ = s- + (r(t, x-) - r(t, x+)) dd/dp
 *
 * What is shown did not change since its sample, so its own derivative does not jump by that. */
typedef struct change {
    dry_node *leaf, *by; /* the states that change at the instant, and what they become */
    int n;
} change;

static void add_change(change *c, dry_dag *dag, int state, dry_node by) {
    c->leaf[c->n] = dry_dag_leaf(dag, DRY_OP_STATE, state);
    c->by[c->n++] = by;
}

static dry_node next_of(const dry_elab *elab, int state) {
    const dry_sampling *all = &elab->quantities.sampling;
    for (int i = 0; i < all->n_helds; i++)
        if (all->held[i].state == state) return all->held[i].next;
    return dry_dag_leaf(elab->dag, DRY_OP_STATE, state);
}

/* Of a line of what is held, only the oldest value is read. */
static void find_change(const dry_elab *elab, int clock, change *c) {
    const dry_sampling *all = &elab->quantities.sampling;
    c->n = 0;
    for (int i = 0; i < all->n_helds; i++)
        if (all->held[i].clock == clock)
            add_change(c, elab->dag, all->held[i].state, all->held[i].next);
    for (int i = 0; i < all->n_lines; i++) {
        const dry_line_info *line = &all->line[i];
        if (line->clock != clock) continue;
        add_change(c, elab->dag, line->first,
                   line->n ? dry_dag_leaf(elab->dag, DRY_OP_STATE, line->first + 1)
                           : next_of(elab, line->input));
    }
}

/* By how much the rates of all states fall at an instant of the clock. */
static bool find_fall(const dry_model *model, change *c, int clock, dry_node *fall) {
    const dry_elab *elab = &model->elab;
    const dry_node *rate = model->code.roots[DRY_SECTION_RATE];
    const size_t count = (size_t)dry_dag_count(elab->dag);
    dry_node *renamed = dry_heap_take(elab->arena, count + 1, sizeof *renamed);
    find_change(elab, clock, c);
    const bool good = renamed && dry_dag_replace(elab->dag, c->leaf, c->by, c->n, renamed);
    for (int i = 0; good && i < elab->quantities.n_states; i++)
        fall[i] = dry_dag_bin(elab->dag, DRY_OP_SUB, rate[i], renamed[rate[i]]);
    free(renamed);
    return good;
}

static bool find_falls(const dry_sensitivity *s, lists *l) {
    const dry_sampling *all = &s->model->elab.quantities.sampling;
    const size_t most = (size_t)(all->n_helds + all->n_lines + 1);
    change c = {.leaf = dry_arena_take(s->arena, sizeof *c.leaf * most),
                .by = dry_arena_take(s->arena, sizeof *c.by * most)};
    bool good = c.leaf && c.by;
    for (int o = 0; good && o < all->n_offsets; o++)
        good = find_fall(s->model, &c, all->offset[o].clock, l->fall + o * s->n);
    return good;
}

static void append_jumps(way *w, lists *l) {
    const dry_elab *elab = &w->s->model->elab;
    const dry_sampling *all = &elab->quantities.sampling;
    const dry_direction d = direction_of(w);
    const char *lacks;
    for (int o = 0; o < all->n_offsets; o++) {
        dry_node later = 0;
        (void)dry_dag_directional(elab->dag, &all->offset[o].node, 1, &d, &later, &lacks);
        for (int i = 0; later != 0 && i < w->s->n; i++) {
            const dry_node fall = l->fall[o * w->s->n + i];
            if (fall != 0)
                l->jump[l->n_jumps++] =
                    (dry_held_info){.state = i,
                                    .clock = all->offset[o].clock,
                                    .next = dry_dag_bin(elab->dag, DRY_OP_MUL, fall, later),
                                    .adds = true};
        }
    }
}

/* ---- measures --------------------------------------------------------------------------- */

/* What a reducer makes of the derivative of its column is the derivative of its result. */
static bool is_linear(way *w, const dry_reducer *r) {
    const bool linear =
        r->kind == DRY_FINAL || r->kind == DRY_AT || r->kind == DRY_MEAN || r->kind == DRY_INTEGRAL;
    return linear && (r->from < 0 || !reads_changing(w, r->from)) &&
           (r->to < 0 || !reads_changing(w, r->to));
}

/* The parameter after all others that holds the derivative of what reducer r finds. */
static dry_node slope_of_reducer(const dry_elab *elab, int r) {
    return dry_dag_leaf(elab->dag, DRY_OP_PAR, elab->quantities.n_params + r);
}

typedef struct seen {
    const dry_elab *elab;
    const bool *linear;
    bool all;
} seen;

static void see(void *user, int index) {
    seen *s = user;
    for (int r = 0; r < s->elab->results.n_reducers; r++)
        if (s->elab->results.reducer[r].slot == index && !s->linear[r]) s->all = false;
}

static bool differentiate_measures(way *w, int place) {
    const dry_elab *elab = &w->s->model->elab;
    const dry_results *results = &elab->results;
    bool *linear = dry_heap_take(elab->arena, (size_t)results->n_reducers + 1, sizeof *linear);
    if (!linear) return false;
    for (int r = 0; r < results->n_reducers; r++) linear[r] = is_linear(w, &results->reducer[r]);
    for (int r = 0; r < results->n_reducers; r++)
        w->par[results->reducer[r].slot] = slope_of_reducer(elab, r);
    const dry_direction d = direction_of(w);
    for (int m = 0; m < results->n_measures; m++) {
        dry_node *slope = &w->s->measure[place * results->n_measures + m];
        seen s = {elab, linear, true};
        const char *lacks = NULL;
        const bool known = dry_dag_each_par(elab->dag, results->measure[m].value, see, &s);
        (void)dry_dag_directional(elab->dag, &results->measure[m].value, 1, &d, slope, &lacks);
        if (!known || !s.all || lacks) *slope = -1;
    }
    free(linear);
    return true;
}

/* ---- names, units and marks ------------------------------------------------------------- */

static const char *slope_unit(const dry_sensitivity *s, dry_dim of, int par) {
    const dry_model *model = s->model;
    char text[DRY_DIM_TEXT];
    const dry_dim by = model->elab.quantities.param[par].dim;
    dry_dim_text(model->elab.dims, dry_dim_combine(model->elab.dims, of, 1.0, by, -1.0), text);
    return dry_arena_text(s->arena, text, strlen(text));
}

/* "dp/dF"; a state: "dp/dF.*", which a run does not record by itself */
static dry_quantity slope_of(const dry_sensitivity *s, const char *name, dry_dim dim, int par,
                             const char *end) {
    const char *by = s->model->elab.quantities.param[par].name;
    const size_t size = strlen(name) + strlen(by) + strlen(end) + 4;
    char *text = dry_arena_take(s->arena, size);
    if (text) snprintf(text, size, "d%s/d%s%s", name, by, end);
    return (dry_quantity){text, slope_unit(s, dim, par)};
}

static void name_states(const dry_sensitivity *s, dry_quantity *states, dry_quantity *outputs) {
    const dry_elab *elab = &s->model->elab;
    memcpy(states, s->model->system.states, sizeof *states * (size_t)s->n);
    states += s->n;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n_par; j++) {
            const dry_state_info *state = &elab->quantities.state[i];
            *states++ = slope_of(s, state->name, state->dim, s->par[j], ".*");
            if (i < s->n_named) *outputs++ = slope_of(s, state->name, state->dim, s->par[j], "");
        }
    for (int i = 0; i < s->n_outputs; i++)
        for (int j = 0; j < s->n_par; j++) {
            const dry_output_info *info = &elab->results.output[i];
            *outputs++ = slope_of(s, info->name, info->dim, s->par[j], "");
        }
}

/* A derivative is a position if its state is one. Their sizes differ widely, so each has a
 * tolerance relative to its own size. */
static void mark_states(const dry_sensitivity *s, bool *positions, bool *strains) {
    const dry_system *own = &s->model->system;
    for (int i = 0; i < s->n * (1 + s->n_par); i++) {
        const int of = i < s->n ? i : (i - s->n) / s->n_par;
        positions[i] = own->positions && own->positions[of];
        strains[i] = i >= s->n || (own->strains && own->strains[i]);
    }
}

/* The functions are those of the model, which read the sections of `text`. */
static bool describe(dry_sensitivity *s) {
    const dry_system *own = &s->model->system;
    const size_t n = (size_t)(s->n * (1 + s->n_par));
    const size_t n_outputs = (size_t)(s->n_par * (s->n_named + s->n_outputs));
    dry_quantity *states = dry_arena_take(s->arena, sizeof *states * n);
    dry_quantity *outputs = dry_arena_take(s->arena, sizeof *outputs * (n_outputs + 1));
    bool *positions = dry_arena_take(s->arena, n), *strains = dry_arena_take(s->arena, n);
    if (!states || !outputs || !positions || !strains) return false;
    name_states(s, states, outputs);
    mark_states(s, positions, strains);
    s->text.system = (dry_system){.name = own->name,
                                  .n_states = (int)n,
                                  .n_outputs = (int)n_outputs,
                                  .n_par = own->n_par,
                                  .n_kinks = own->n_kinks,
                                  .n_breaks = own->n_breaks,
                                  .work_size = dry_model__work_size(&s->text),
                                  .states = states,
                                  .outputs = outputs,
                                  .params = own->params,
                                  .par = own->par,
                                  .model = &s->text,
                                  .start = own->start,
                                  .rate = own->rate,
                                  .output = dry_model__output,
                                  .kinks = own->kinks,
                                  .breaks = own->breaks,
                                  .latch = own->latch,
                                  .n_clocks = own->n_clocks,
                                  .clocks = own->clocks,
                                  .instants = own->instants,
                                  .n_inputs = own->n_inputs,
                                  .inputs = own->inputs,
                                  .positions = own->positions ? positions : NULL,
                                  .strains = strains,
                                  .watch = own->watch,
                                  .first_stop = own->first_stop,
                                  .n_stops = own->n_stops,
                                  .fastest = own->fastest,
                                  .prepare = own->prepare};
    return !dry_arena_failed(s->arena);
}

/* ---- what is sampled and delayed -------------------------------------------------------- */

/* At an instant that no parameter moves, what a sample becomes is x+ = g(t, x-, p), so
 *
 *     s+ = (dg/dx) s- + dg/dp
 *
 * A delay line of x has one of s beside it, which moves with it. So derivatives are sampled and
 * delayed like the numbers that they belong to. */
static int place_of(const dry_sensitivity *s, int state, int j) {
    return dry_sensitivity_state(s->n, s->n_par, j, state);
}

/* One for each way. */
static dry_held_info *put_ways(const dry_sensitivity *s, const dry_held_info *held,
                               dry_held_info *to) {
    for (int j = 0; j < s->n_par; j++) {
        *to = *held;
        to++->state = place_of(s, held->state, j);
    }
    return to;
}

/* In the order of the numbers of their section: those of the model, of the derivatives, of jumps.
 */
static void put_helds(const dry_sensitivity *s, const lists *l, dry_held_info *to) {
    const dry_sampling *all = &s->model->elab.quantities.sampling;
    const dry_node *next = l->root[SECTION_SAMPLE] + all->n_helds;
    for (int i = 0; i < all->n_helds; i++) *to++ = all->held[i];
    for (int i = 0; i < all->n_helds; i++) {
        dry_held_info held = all->held[i];
        held.next = next[i];
        to = put_ways(s, &held, to);
    }
    for (int i = 0; i < l->n_jumps; i++) to = put_ways(s, &l->jump[i], to);
}

static void put_lines(const dry_sensitivity *s, dry_line_info *to) {
    const dry_sampling *all = &s->model->elab.quantities.sampling;
    for (int i = 0; i < all->n_lines; i++) *to++ = all->line[i];
    for (int i = 0; i < all->n_lines; i++)
        for (int j = 0; j < s->n_par; j++, to++) {
            *to = all->line[i];
            to->apart = s->n_par;
            to->input = place_of(s, to->input, j);
            to->first = place_of(s, to->first, j);
            if (to->shown >= 0) to->shown = place_of(s, to->shown, j);
            to->last = -1; /* that of the model keeps the time */
        }
}

static bool make_sampling(dry_sensitivity *s, const lists *l) {
    dry_sampling *to = &s->text.elab.quantities.sampling;
    to->n_helds = to->n_helds * (1 + s->n_par) + l->n_jumps * s->n_par;
    to->n_lines *= 1 + s->n_par;
    to->held = dry_arena_take(s->arena, sizeof *to->held * (size_t)(to->n_helds + 1));
    to->line = dry_arena_take(s->arena, sizeof *to->line * (size_t)(to->n_lines + 1));
    if (!to->held || !to->line) return false;
    put_helds(s, l, to->held);
    put_lines(s, to->line);
    return true;
}

/* ---- building --------------------------------------------------------------------------- */

/* How many roots are numbers: what the model has in a section comes before its derivatives. */
static int n_plain(const dry_model *model, int section) {
    return section == SECTION_OUTPUT ? 0 : model->code.n_roots[section];
}

/* A model with the roots of this system, which owns nothing but its image. */
static bool make_model(dry_sensitivity *s, lists *l) {
    const dry_elab *elab = &s->model->elab;
    for (int i = 0; i < l->n_jumps; i++)
        l->root[SECTION_SAMPLE][l->n[SECTION_SAMPLE]++] = l->jump[i].next;
    s->text.code.n_ways = s->n_par;
    for (int i = 0; i < N_OWN; i++) {
        const int section = sections[i], n = l->n[section];
        s->text.code.roots[section] = l->root[section];
        s->text.code.n_roots[section] = n;
        s->text.code.n_wide[section] = n - n_plain(s->model, section);
    }
    s->text.code.image = dry_model__image(&s->text.code, elab, s->n);
    return s->text.code.image && make_sampling(s, l) && describe(s);
}

/* Why there are no derivatives by one parameter; else it has a place. */
static const char *add_par(way *w, const unsigned char *mark, int count, int par) {
    dry_model *model = (dry_model *)(void *)(uintptr_t)w->s->model; /* its texts are its own */
    const int n = model->elab.quantities.n_params;
    begin_way(w, par);
    if (decides(w)) return "the compiler decides by its value, so each value needs a compilation";
    if (dry_model_par_asks(model, par)) return "the compiler chooses K, alpha and beta by it";
    if (moves_a_switch(w, mark, count))
        return "the rates or samples jump at a time that depends on it";
    const char *lacks = lacking(w);
    if (lacks)
        return dry_diag_text(&model->diag, "the law %s has no derivatives by its parameters",
                             lacks);
    memcpy(w->all + w->s->n_par * n, w->par, sizeof *w->par * (size_t)n);
    w->lost = w->lost || !differentiate_measures(w, w->s->n_par);
    w->s->par[w->s->n_par++] = par;
    return NULL;
}

static void begin_list(const dry_model *model, lists *l, int section) {
    const size_t n = (size_t)n_plain(model, section);
    if (n) memcpy(l->root[section], model->code.roots[section], sizeof *l->root[section] * n);
    l->n[section] = (int)n;
}

static bool take_lists(dry_sensitivity *s, way *w, lists *l, int n_par) {
    const dry_elab *elab = &s->model->elab;
    const size_t n = (size_t)s->n, k = (size_t)n_par;
    const size_t n_params = (size_t)elab->quantities.n_params;
    const size_t falls = n * (size_t)elab->quantities.sampling.n_offsets;
    l->fall = dry_arena_take(s->arena, sizeof *l->fall * (falls + 1));
    l->jump = dry_arena_take(s->arena, sizeof *l->jump * (falls + 1));
    bool good = l->fall && l->jump;
    for (int i = 0; good && i < N_OWN; i++) {
        const size_t own = (size_t)s->model->code.n_roots[sections[i]] + n + falls;
        l->root[sections[i]] =
            dry_arena_take(s->arena, sizeof *l->root[sections[i]] * (2 * own + 1));
        good = l->root[sections[i]];
        if (good) begin_list(s->model, l, sections[i]);
    }
    w->state = dry_arena_take(s->arena, sizeof *w->state * (n + 1));
    w->par = dry_arena_take(s->arena, sizeof *w->par * (n_params + 1));
    w->all = dry_arena_take(s->arena, sizeof *w->all * (k * n_params + 1));
    s->par = dry_arena_take(s->arena, sizeof *s->par * (k + 1));
    s->measure =
        dry_arena_take(s->arena, sizeof *s->measure * (k * (size_t)elab->results.n_measures + 1));
    return good && w->state && w->par && w->all && s->par && s->measure;
}

static bool add_all(dry_sensitivity *s, const int *par, int n_par, const char **why) {
    dry_model *model = (dry_model *)(void *)(uintptr_t)s->model;
    way w = {.s = s};
    lists l = {.n_jumps = 0};
    unsigned char *mark = needed(&model->elab);
    const int count = dry_dag_count(model->elab.dag);
    bool good = mark && take_lists(s, &w, &l, n_par);
    const char *none = good ? why_none(model, mark, count) : NULL;
    if (good && !none) good = find_falls(s, &l);
    for (int i = 0; good && i < n_par; i++) why[i] = none ? none : add_par(&w, mark, count, par[i]);
    if (good && s->n_par) {
        widen(&w);
        append_all(&w, &l);
        append_jumps(&w, &l);
    }
    good = good && !w.lost && !dry_dag_failed(model->elab.dag) && !dry_arena_failed(s->arena);
    if (good && s->n_par) good = make_model(s, &l);
    free(mark);
    return good;
}

dry_status dry_sensitivity_new(const dry_model *model, const int *par, int n_par, const char **why,
                               dry_sensitivity **to, dry_error *error) {
    static const size_t most_memory = (size_t)1 << 30;
    dry_arena *arena = dry_arena_new(most_memory);
    dry_sensitivity *s = arena ? dry_arena_take(arena, sizeof *s) : NULL;
    *to = s;
    if (s) {
        *s = (dry_sensitivity){.model = model,
                               .arena = arena,
                               .n = model->elab.quantities.n_states,
                               .n_outputs = model->elab.results.n_outputs,
                               .n_named = model->elab.quantities.n_states -
                                          model->elab.quantities.sampling.n_states,
                               .text = *model};
        s->text.code.image = NULL;
        if (add_all(s, par, n_par, why)) return DRY_OK;
        dry_sensitivity_free(s);
    } else {
        dry_arena_free(arena);
    }
    *to = NULL;
    return dry_error_set(error, DRY_NO_MEMORY,
                         "out of memory for the equations of the sensitivities: ask for fewer "
                         "parameters at a time");
}

void dry_sensitivity_free(dry_sensitivity *s) {
    if (!s) return;
    dry_image_free(s->text.code.image);
    dry_arena_free(s->arena);
}

const dry_system *dry_sensitivity_system(const dry_sensitivity *s) {
    return s->n_par ? &s->text.system : NULL;
}

const dry_model *dry_sensitivity_model(const dry_sensitivity *s) {
    return s->n_par ? &s->text : NULL;
}

int dry_sensitivity_state(int n_states, int n_places, int place, int state) {
    return place < 0 ? state : n_states + state * n_places + place;
}

int dry_sensitivity_column(const dry_sensitivity *s, int place, int column) {
    return 1 + s->n_named + (column - 1) * s->n_par + place;
}

bool dry_sensitivity_measure(const dry_sensitivity *s, int place, int measure, const double *par,
                             const dry_record *run, const dry_record *slopes, double *value) {
    const dry_node node = s->measure[place * s->model->elab.results.n_measures + measure];
    const int first = dry_sensitivity_column(s, place, 1 + s->n_named);
    return node >= 0 &&
           dry_model__measure_slope(s->model, node, par, run, slopes, first, s->n_par, value);
}
