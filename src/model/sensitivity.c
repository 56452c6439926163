/* sensitivity: the model together with the derivatives of its states and outputs by parameters, as
 * one system.
 *
 *     x' = r(t, x, p),   s' = (dr/dx) s + dr/dp,   s(0) = (dx0/dx) s + dx0/dp,   s = dx/dp
 *
 * x: states; p: one parameter; s: as many numbers as x for each parameter, after x, those of one
 * state side by side. Each parameter is a way of the graph: one derivative in the directions (s,
 * dp) gives the equations of all. A step of an explicit method takes this system from (x, s) to the
 * derivative of what it makes of x. At a kink, where r is continuous, s
 * does not jump. If r jumps at a time that depends on a parameter or on the states, s would jump:
 * then the model has no such derivatives, and the reason says so. */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>

struct dry_sensitivity {
    const dry_model *model;
    dry_arena *arena;
    int *par, n_par;  /* the parameters that have derivatives */
    int n, n_outputs; /* of the model */
    dry_image *image;
    size_t registers; /* where they are in env->work, after the work of the model */
    dry_system system;
    dry_model text;    /* the same system as a model, for native code: see dry_sensitivity_model */
    dry_node *measure; /* derivative of measure m by parameter j at j n_measures + m; -1: inexact */
};

enum { SECTION_RATE, SECTION_START, SECTION_OUTPUT, N_SECTIONS };

/* ---- why there are none --------------------------------------------------------------- */

/* Whether the value of a node is not continuous in what its arguments are. */
static bool jumps(const dry_dag *dag, dry_node node) {
    const dry_node_view v = dry_dag_view(dag, node);
    if (v.op == DRY_OP_TABLE) return v.block.table->hold;
    return dry_op_rows[v.op].course == DRY_JUMPS;
}

/* mark[i]: some rate needs node i; to be freed. */
static unsigned char *needed(const dry_elab *elab) {
    unsigned char *mark = dry_heap_take(elab->arena, (size_t)dry_dag_count(elab->dag) + 1, 1);
    for (int i = 0; mark && i < elab->quantities.n_states; i++)
        dry_dag_reach(elab->dag, elab->quantities.state[i].rate, mark);
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

static bool switches_by_states(const dry_elab *elab, const unsigned char *mark) {
    for (int i = 0; i < dry_dag_count(elab->dag); i++)
        if (mark[i] && jumps(elab->dag, i) && dry_dag_depends(elab->dag, i) & DRY_ON_STATE)
            return true;
    return false;
}

/* Why the model has no derivatives by any parameter; NULL: it has. */
static const char *why_none(dry_model *model, const unsigned char *mark) {
    const dry_elab *elab = &model->elab;
    if (elab->scene.net) return "the model has parts";
    if (model->kept.image) return "the method keeps the sets";
    if (dry_lang_method_row(elab)->implicit) return "the method is implicit";
    if (elab->quantities.sampling.n_clocks) return "the model samples or delays";
    if (elab->results.n_settleds) return "a start is steady";
    if (switches_by_states(elab, mark)) return "the rates may jump where the states switch them";
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

/* The parameter, those that the text defines by it, and its part of the states. What the compiler
 * has chosen is held. */
static void begin_way(way *w, int par) {
    const dry_model *model = w->s->model;
    const dry_elab *elab = &model->elab;
    const char *lacks;
    for (int i = 0; i < w->s->n; i++) w->state[i] = dry_dag_leaf(elab->dag, DRY_OP_WAY, i);
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
    for (int i = 0; i < q->n_params; i++) any = any || (w->par[i] != 0 && q->param[i].decides);
    return any;
}

static bool moves_a_switch(way *w, const unsigned char *mark, int count) {
    const dry_dag *dag = w->s->model->elab.dag;
    bool moves = false;
    for (int i = 0; i < count && !moves; i++)
        moves =
            mark[i] && jumps(dag, i) && dry_dag_depends(dag, i) & DRY_ON_T && reads_changing(w, i);
    return moves;
}

/* ---- the roots --------------------------------------------------------------------------- */

typedef struct lists {
    dry_node *root[N_SECTIONS];
    int n[N_SECTIONS];
} lists;

/* What has derivatives: roots of the model, which become those of a section. */
typedef struct source {
    int section, of;
} source;
static const source sources[] = {{SECTION_RATE, DRY_SECTION_RATE},
                                 {SECTION_START, DRY_SECTION_START},
                                 {SECTION_OUTPUT, DRY_SECTION_OUTPUT}};
enum { N_SOURCES = sizeof sources / sizeof *sources };

/* The name of a law that lacks derivatives by what changes; NULL: none does. */
static const char *lacking(way *w) {
    const dry_model_code *code = &w->s->model->code;
    const dry_direction d = direction_of(w);
    const char *lacks = NULL;
    for (int i = 0; i < N_SOURCES && !lacks; i++)
        lacks = dry_dag_lacking(w->s->model->elab.dag, code->roots[sources[i].of],
                                code->n_roots[sources[i].of], &d);
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

/* Appends the derivatives of all rates, starts and outputs. */
static void append_all(way *w, lists *l) {
    const dry_model_code *code = &w->s->model->code;
    widen(w);
    const dry_direction d = direction_of(w);
    for (int i = 0; i < w->s->n; i++) l->root[SECTION_OUTPUT][l->n[SECTION_OUTPUT]++] = w->state[i];
    for (int i = 0; i < N_SOURCES; i++) {
        const source *from = &sources[i];
        dry_node *to = l->root[from->section] + l->n[from->section];
        const char *lacks;
        (void)dry_dag_directional(w->s->model->elab.dag, code->roots[from->of],
                                  code->n_roots[from->of], &d, to, &lacks);
        l->n[from->section] += code->n_roots[from->of];
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

/* ---- functions of the system ------------------------------------------------------------ */

static dry_env of_model(const dry_env *env) {
    const dry_sensitivity *s = env->model;
    return (dry_env){
        .model = s->model->system.model, .par = env->par, .work = env->work, .once = env->once};
}

static void run_section(const dry_env *env, int section, double t, double tau, const double *x,
                        double *to) {
    const dry_sensitivity *s = env->model;
    dry_image_run(s->image, section, t, tau, x, to, (char *)env->work + s->registers);
}

static void prepare(const dry_env *env) {
    const dry_sensitivity *s = env->model;
    const dry_env own = of_model(env);
    s->model->system.prepare(&own);
    dry_image_prepare(s->image, env->par, (char *)env->work + s->registers);
}

static void start(const dry_env *env, double t, double *x) {
    const dry_sensitivity *s = env->model;
    const dry_env own = of_model(env);
    s->model->system.start(&own, t, x);
    memset(x + s->n, 0, sizeof *x * (size_t)(s->n * s->n_par));
    for (int pass = 0; pass < 2; pass++) /* law states may start at others */
        run_section(env, SECTION_START, t, 0.0, x, x + s->n);
}

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    run_section(env, SECTION_RATE, t, tau, x, x_dot);
}

static void output(const dry_env *env, double t, double tau, const double *x, double *y) {
    run_section(env, SECTION_OUTPUT, t, tau, x, y);
}

static void kinks(const dry_env *env, double t, const double *x, double *g) {
    const dry_sensitivity *s = env->model;
    const dry_env own = of_model(env);
    s->model->system.kinks(&own, t, x, g);
}

static void breaks(const dry_env *env, double *times) {
    const dry_sensitivity *s = env->model;
    const dry_env own = of_model(env);
    s->model->system.breaks(&own, times);
}

static int watch(const dry_env *env, double t, const double *x) {
    const dry_sensitivity *s = env->model;
    const dry_env own = of_model(env);
    return s->model->system.watch(&own, t, x);
}

static double fastest(const dry_env *env, double t, double tau, const double *x, const char **law) {
    const dry_sensitivity *s = env->model;
    const dry_env own = of_model(env);
    return s->model->system.fastest(&own, t, tau, x, law);
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
            *outputs++ = slope_of(s, state->name, state->dim, s->par[j], "");
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

static bool describe(dry_sensitivity *s) {
    const dry_system *own = &s->model->system;
    const size_t n = (size_t)(s->n * (1 + s->n_par));
    const size_t n_outputs = (size_t)(s->n_par * (s->n + s->n_outputs)), line = sizeof(double);
    dry_quantity *states = dry_arena_take(s->arena, sizeof *states * n);
    dry_quantity *outputs = dry_arena_take(s->arena, sizeof *outputs * (n_outputs + 1));
    bool *positions = dry_arena_take(s->arena, n), *strains = dry_arena_take(s->arena, n);
    if (!states || !outputs || !positions || !strains) return false;
    name_states(s, states, outputs);
    mark_states(s, positions, strains);
    s->registers = (own->work_size + line - 1) / line * line;
    s->system = (dry_system){.name = own->name,
                             .n_states = (int)n,
                             .n_outputs = (int)n_outputs,
                             .n_par = own->n_par,
                             .n_kinks = own->n_kinks,
                             .n_breaks = own->n_breaks,
                             .work_size = s->registers + dry_image_work_size(s->image),
                             .states = states,
                             .outputs = outputs,
                             .params = own->params,
                             .par = own->par,
                             .model = s,
                             .start = start,
                             .rate = rate,
                             .output = output,
                             .kinks = own->kinks ? kinks : NULL,
                             .breaks = own->breaks ? breaks : NULL,
                             .positions = own->positions ? positions : NULL,
                             .strains = strains,
                             .watch = own->watch ? watch : NULL,
                             .first_stop = own->first_stop,
                             .n_stops = own->n_stops,
                             .fastest = own->fastest ? fastest : NULL,
                             .prepare = prepare};
    return !dry_arena_failed(s->arena);
}

/* ---- as a model ------------------------------------------------------------------------- */

/* A model with the roots of this system, which owns nothing. */
static bool make_model(dry_sensitivity *s, const lists *l) {
    const dry_model *model = s->model;
    dry_node *starts = dry_arena_take(s->arena, sizeof *starts * 2 * (size_t)s->n);
    if (!starts) return false;
    memcpy(starts, model->code.roots[DRY_SECTION_START], sizeof *starts * (size_t)s->n);
    memcpy(starts + s->n, l->root[SECTION_START], sizeof *starts * (size_t)l->n[SECTION_START]);
    s->text = *model;
    s->text.system = s->system;
    s->text.code.image = s->image;
    s->text.code.n_ways = s->n_par;
    s->text.code.n_wide[DRY_SECTION_START] = s->text.code.n_wide[DRY_SECTION_RATE] = s->n;
    s->text.code.n_wide[DRY_SECTION_OUTPUT] = l->n[SECTION_OUTPUT];
    s->text.code.roots[DRY_SECTION_START] = starts;
    s->text.code.n_roots[DRY_SECTION_START] = s->n + l->n[SECTION_START];
    s->text.code.roots[DRY_SECTION_RATE] = l->root[SECTION_RATE];
    s->text.code.n_roots[DRY_SECTION_RATE] = l->n[SECTION_RATE];
    s->text.code.roots[DRY_SECTION_OUTPUT] = l->root[SECTION_OUTPUT];
    s->text.code.n_roots[DRY_SECTION_OUTPUT] = l->n[SECTION_OUTPUT];
    return true;
}

/* ---- building --------------------------------------------------------------------------- */

static bool make_image(dry_sensitivity *s, const lists *l) {
    static const char *const names[] = {"rate", "start", "output"};
    const dry_elab *elab = &s->model->elab;
    dry_section sections[N_SECTIONS];
    const dry_image_sizes sizes = {elab->quantities.n_params, s->n, s->n_par};
    for (int i = 0; i < N_SECTIONS; i++)
        sections[i] = (dry_section){.name = names[i],
                                    .roots = l->root[i],
                                    .n_roots = l->n[i],
                                    .n_wide = i == SECTION_RATE ? s->n : l->n[i],
                                    .timed = i == SECTION_RATE};
    s->image = dry_image_new(elab->dag, sizes, sections, N_SECTIONS);
    return s->image != NULL;
}

/* Why there are no derivatives by one parameter; else it has a place. */
static const char *add_par(way *w, const unsigned char *mark, int count, int par) {
    dry_model *model = (dry_model *)(void *)(uintptr_t)w->s->model; /* its texts are its own */
    const int n = model->elab.quantities.n_params;
    begin_way(w, par);
    if (decides(w)) return "the compiler decides by its value, so each value needs a compilation";
    if (dry_model_par_asks(model, par)) return "the compiler chooses K, alpha and beta by it";
    if (moves_a_switch(w, mark, count)) return "the rates jump at a time that depends on it";
    const char *lacks = lacking(w);
    if (lacks)
        return dry_diag_text(&model->diag, "the law %s has no derivatives by its parameters",
                             lacks);
    memcpy(w->all + w->s->n_par * n, w->par, sizeof *w->par * (size_t)n);
    w->lost = w->lost || !differentiate_measures(w, w->s->n_par);
    w->s->par[w->s->n_par++] = par;
    return NULL;
}

static bool take_lists(dry_sensitivity *s, way *w, lists *l, int n_par) {
    const dry_elab *elab = &s->model->elab;
    const size_t n = (size_t)s->n, k = (size_t)n_par, outputs = (size_t)s->n_outputs;
    const size_t sizes[] = {2 * n, n, n + outputs};
    const size_t n_params = (size_t)elab->quantities.n_params;
    bool good = true;
    for (int i = 0; i < N_SECTIONS; i++) {
        l->root[i] = dry_arena_take(s->arena, sizeof *l->root[i] * (sizes[i] + 1));
        good = good && l->root[i];
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
    lists l = {{NULL}, {0}};
    unsigned char *mark = needed(&model->elab);
    const int count = dry_dag_count(model->elab.dag);
    bool good = mark && take_lists(s, &w, &l, n_par);
    const char *none = good ? why_none(model, mark) : NULL;
    if (good && !none) {
        memcpy(l.root[SECTION_RATE], model->code.roots[DRY_SECTION_RATE],
               sizeof(dry_node) * (size_t)s->n);
        l.n[SECTION_RATE] = s->n;
    }
    for (int i = 0; good && i < n_par; i++) why[i] = none ? none : add_par(&w, mark, count, par[i]);
    if (good && s->n_par) append_all(&w, &l);
    good = good && !w.lost && !dry_dag_failed(model->elab.dag) && !dry_arena_failed(s->arena);
    if (good && s->n_par) good = make_image(s, &l) && describe(s) && make_model(s, &l);
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
                               .n_outputs = model->elab.results.n_outputs};
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
    dry_image_free(s->image);
    dry_arena_free(s->arena);
}

const dry_system *dry_sensitivity_system(const dry_sensitivity *s) {
    return s->n_par ? &s->system : NULL;
}

const dry_model *dry_sensitivity_model(const dry_sensitivity *s) {
    return s->n_par ? &s->text : NULL;
}

int dry_sensitivity_column(const dry_sensitivity *s, int place, int column) {
    return 1 + s->n + (column - 1) * s->n_par + place;
}

bool dry_sensitivity_measure(const dry_sensitivity *s, int place, int measure, const double *par,
                             const dry_record *run, const dry_record *slopes, double *value) {
    const dry_node node = s->measure[place * s->model->elab.results.n_measures + measure];
    const int first = dry_sensitivity_column(s, place, 1 + s->n);
    return node >= 0 &&
           dry_model__measure_slope(s->model, node, par, run, slopes, first, s->n_par, value);
}
