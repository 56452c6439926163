/* equations_and_parts: a model with parts as one system. The equations read numbers of the net and
 * push its parts. This is KY08 section II with the equations as one more impedance and admittance.
 *
 *     x = [ states of the equations and of their laws | states of the net ]
 *     rate: motions and forces of the net -> their numbers into the equations -> rates and pushes
 *           -> rates of the net under these pushes
 *
 * Parameters, outputs, kinks, break times and watched conditions have the same order. */
#include "model_private.h"

#include <drystone/math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that are adjacent both in the net and among the inputs of the equations. */
typedef struct span {
    dry_net_where where;
    int index, count;
    int first; /* input */
} span;

typedef struct dry_mixed {
    const dry_system *net;
    int n_own;   /* states of the equations */
    double *par; /* of equations and net, those of the equations first */
    int n_par;   /* of the equations */
    span *spans;
    int n_spans;
    bool alone; /* the equations have nothing that moves: the net uses its own loops */
    int n_kinks, n_breaks, n_outputs, n_guards; /* of the equations */
    int n_more;
    int push_work; /* the state that holds the work of the pushes; -1 if there is none */
    int *columns;  /* for each push: the output of the net that it adds to; -1 if there is none */
    bool shown;    /* some push has such an output */
    size_t roots, more, work; /* offsets of rates and pushes, `more`, scratch of the net */
} dry_mixed;

static dry_env net_env(const dry_env *env) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    return (dry_env){.model = m->net->model,
                     .par = env->par + m->n_par,
                     .work = (char *)env->work + m->work,
                     .once = env->once};
}

/* Fills the registers of the equations' states and of the net's numbers. The caller must have
 * evaluated the net at x. */
static double *fill(const dry_env *env, const double *x) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    double *y = dry_image_inputs(model->code.image, env->work);
    memcpy(y, x, sizeof *y * (size_t)m->n_own);
    for (int i = 0; i < m->n_spans; i++) {
        const span *s = &m->spans[i];
        const dry_net_found spot = {s->where, s->index, s->count, ""};
        if (s->where != DRY_IN_OUTPUT)
            memcpy(y + s->first, dry_net_read(&net, x + m->n_own, spot),
                   sizeof *y * (size_t)s->count);
    }
    return y;
}

/* Fills the inputs that are outputs of the net. */
static void fill_outputs(const dry_mixed *m, const double *outputs, double *y) {
    for (int i = 0; i < m->n_spans; i++) {
        const span *s = &m->spans[i];
        if (s->where == DRY_IN_OUTPUT)
            memcpy(y + s->first, outputs + s->index, sizeof *y * (size_t)s->count);
    }
}

static double *inputs(const dry_env *env, double t, double tau, const double *x) {
    const dry_model *model = env->model;
    const dry_env net = net_env(env);
    if (model->mixed->n_spans) dry_net_forces(&net, t, tau, x + model->mixed->n_own);
    return fill(env, x);
}

void dry_model_touching(const dry_env *env, double t, double tau, const double *x,
                        dry_touching_fn *each, void *user) {
    const dry_model *model = env->model;
    if (!model->mixed) return;
    const dry_env net = net_env(env);
    dry_net_touching(&net, t, tau, x + model->mixed->n_own, each, user);
}

/* ---- functions of the system ------------------------------------------------------- */

static void prepare(const dry_env *env) {
    const dry_model *model = env->model;
    const dry_env net = net_env(env);
    dry_image_prepare(model->code.image, env->par, env->work);
    if (model->mixed->net->prepare) model->mixed->net->prepare(&net);
}

void dry_model__start_mixed(const dry_env *env, double t, const dry_model__given *given,
                            double *x) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    const int n = model->system.n_states;
    memset(x, 0, sizeof *x * (size_t)m->n_own);
    m->net->start(&net, t, x + m->n_own);
    dry_model__keep_given(given, n, x);
    for (int pass = 0; pass < 2; pass++) { /* law states may start at others */
        dry_image_run(model->code.image, DRY_SECTION_START, t, 0.0, inputs(env, t, 0.0, x), x,
                      env->work);
        dry_model__keep_given(given, n, x);
    }
    if (model->system.n_clocks) dry_model__sample_at_start(env, t, inputs(env, t, 0.0, x), x);
}

static void start(const dry_env *env, double t, double *x) {
    dry_model__start_mixed(env, t, NULL, x);
}

static const double *pushes(const dry_env *env, const double *roots) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_elab *elab = &model->elab;
    if (!elab->scene.n_thrusts) return NULL;
    double *more = (double *)(void *)((char *)env->work + m->more);
    memset(more, 0, sizeof *more * (size_t)m->n_more);
    for (int i = 0; i < elab->scene.n_thrusts; i++)
        more[elab->scene.thrust[i].first] += roots[m->n_own + i];
    return more;
}

/* The caller must have evaluated the net at x. */
static void rate_under(const dry_env *env, double t, double tau, const double *x,
                       const double *roots, double *x_dot) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    memcpy(x_dot, roots, sizeof *x_dot * (size_t)m->n_own);
    const double *more = pushes(env, roots);
    dry_net_rates(&net, t, tau, x + m->n_own, more, x_dot + m->n_own);
    if (env->once && m->push_work >= 0) x_dot[m->push_work] = dry_net_push_power(&net, more);
}

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    double *roots = (double *)(void *)((char *)env->work + m->roots);
    if (m->alone) {
        m->net->rate(&net, t, tau, x, x_dot);
        return;
    }
    dry_net_forces(&net, t, tau, x + m->n_own);
    dry_image_run(model->code.image, DRY_SECTION_RATE, t, tau, fill(env, x), roots, env->work);
    rate_under(env, t, tau, x, roots, x_dot);
}

void dry_model__branch_rate(const dry_env *env, dry_branch branch, double tau, const double *x,
                            double *roots, bool follows, double *x_dot) {
    const dry_model *model = env->model;
    const dry_env net = net_env(env);
    dry_net_forces_in(&net, branch, 0.0, tau, x + model->mixed->n_own);
    if (follows)
        dry_image_run_branch(model->code.image, DRY_SECTION_RATE, branch, 0.0, tau, fill(env, x),
                             roots, env->work);
    rate_under(env, 0.0, tau, x, roots, x_dot);
}

/* Adds the pushes to the outputs that show forces of parts on axes of joints; rates do not need
 * this. */
static const double *show_pushes(const dry_env *env, double t, double tau, const double *x,
                                 double *outputs) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    double *roots = (double *)(void *)((char *)env->work + m->roots);
    if (!m->shown) return NULL;
    dry_image_run(model->code.image, DRY_SECTION_RATE, t, tau, inputs(env, t, tau, x), roots,
                  env->work);
    for (int i = 0; i < model->elab.scene.n_thrusts; i++)
        if (m->columns[i] >= 0) outputs[m->columns[i]] += roots[m->n_own + i];
    return pushes(env, roots);
}

static void output(const dry_env *env, double t, double tau, const double *x, double *y) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    if (m->net->output) m->net->output(&net, t, tau, x + m->n_own, y + m->n_outputs);
    const double *more = show_pushes(env, t, tau, x, y + m->n_outputs);
    if (!m->n_outputs) return;
    if (m->n_spans) dry_net_forces(&net, t, tau, x + m->n_own);
    if (more) dry_net_push(&net, more);
    double *in = fill(env, x);
    fill_outputs(m, y + m->n_outputs, in);
    dry_image_run(model->code.image, DRY_SECTION_OUTPUT, t, tau, in, y, env->work);
}

static void kinks(const dry_env *env, double t, const double *x, double *g) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    if (m->n_kinks)
        dry_image_run(model->code.image, DRY_SECTION_KINKS, t, 0.0, inputs(env, t, 0.0, x), g,
                      env->work);
    if (m->net->kinks) m->net->kinks(&net, t, x + m->n_own, g + m->n_kinks);
}

static void breaks(const dry_env *env, double *times) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    dry_model__breaks(env, times);
    if (m->net->breaks) m->net->breaks(&net, times + m->n_breaks);
}

static bool latch(const dry_env *env, double t, double *x) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    bool changed = false;
    if (model->code.n_latched || model->system.n_clocks)
        changed = dry_model__latch(env, t, inputs(env, t, 0.0, x), x);
    if (m->net->latch && m->net->latch(&net, t, x + m->n_own)) changed = true;
    return changed;
}

static bool holds(const dry_env *env, double t, const double *x) {
    const dry_model *model = env->model;
    const dry_env net = net_env(env);
    return model->mixed->net->holds(&net, t, x + model->mixed->n_own);
}

static int watch(const dry_env *env, double t, const double *x) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    int failed = m->n_guards ? dry_model__watch(env, t, inputs(env, t, 0.0, x)) : 0;
    if (failed || !m->net->watch) return failed;
    failed = m->net->watch(&net, t, x + m->n_own);
    return failed ? m->n_guards + failed : 0;
}

/* The fastest rate of the laws in the equations and in the parts. */
static double fastest(const dry_env *env, double t, double tau, const double *x, const char **law) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    const char *part = NULL;
    const double own =
        model->code.n_quick ? dry_model__fastest(env, t, tau, inputs(env, t, tau, x), law) : 0.0;
    const double of_parts =
        m->net->fastest ? m->net->fastest(&net, t, tau, x + m->n_own, &part) : 0.0;
    if (of_parts > own) *law = part;
    return dry_max(own, of_parts);
}

static void phases(const dry_env *env, double t, double tau, const double *x, const double *y,
                   unsigned char *phase) {
    const dry_model *model = env->model;
    const dry_mixed *m = model->mixed;
    const dry_env net = net_env(env);
    const int n_forces = model->elab.quantities.n_forces;
    if (n_forces) {
        double *in = inputs(env, t, tau, x);
        fill_outputs(m, y + m->n_outputs, in);
        dry_model__phases(env, t, tau, in, phase);
    }
    if (m->net->phases)
        m->net->phases(&net, t, tau, x + m->n_own, y + m->n_outputs, phase + n_forces);
}

static long march(const dry_env *env, const dry_method *method, struct dry_march *steps) {
    const dry_model *model = env->model;
    const dry_env net = net_env(env);
    return model->mixed->net->march(&net, method, steps);
}

/* ---- building ---------------------------------------------------------------------- */

static bool make_spans(dry_model *model, dry_mixed *m) {
    const dry_elab *elab = &model->elab;
    m->spans = dry_arena_take(model->arena, sizeof *m->spans * (size_t)(elab->scene.n_outers + 1));
    for (int i = 0; m->spans && i < elab->scene.n_outers; i++) {
        const dry_outer *outer = &elab->scene.outer[i];
        span *last = m->n_spans ? &m->spans[m->n_spans - 1] : NULL;
        if (last && last->where == outer->where && last->index + last->count == outer->index)
            last->count++;
        else
            m->spans[m->n_spans++] =
                (span){outer->where, outer->index, 1, elab->quantities.n_states + i};
    }
    return m->spans != NULL;
}

static bool find_columns(dry_model *model, dry_mixed *m) {
    const dry_elab *elab = &model->elab;
    m->columns =
        dry_arena_take(model->arena, sizeof *m->columns * (size_t)(elab->scene.n_thrusts + 1));
    for (int i = 0; m->columns && i < elab->scene.n_thrusts; i++) {
        m->columns[i] = dry_net_column_of(elab->scene.net, elab->scene.thrust[i].port);
        m->shown = m->shown || m->columns[i] >= 0;
    }
    return m->columns != NULL;
}

static void *joined(dry_model *model, const void *a, int n_a, const void *b, int n_b, size_t size) {
    char *all = dry_arena_take(model->arena, size * (size_t)(n_a + n_b) + 1);
    if (all && n_a) memcpy(all, a, size * (size_t)n_a);
    if (all && n_b && b) memcpy(all + size * (size_t)n_a, b, size * (size_t)n_b);
    return all;
}

static bool join_quantities(dry_model *model, const dry_system *net) {
    dry_system *s = &model->system;
    double *par = joined(model, s->par, s->n_par, net->par, net->n_par, sizeof *par);
    s->par = model->mixed->par = par;
    s->states =
        joined(model, s->states, s->n_states, net->states, net->n_states, sizeof *s->states);
    s->outputs =
        joined(model, s->outputs, s->n_outputs, net->outputs, net->n_outputs, sizeof *s->outputs);
    s->params = joined(model, s->params, s->n_par, net->params, net->n_par, sizeof *s->params);
    s->positions = joined(model, s->positions, s->n_states, net->positions, net->n_states,
                          sizeof *s->positions);
    s->elements = joined(model, s->elements, s->n_elements, net->elements, net->n_elements,
                         sizeof *s->elements);
    return s->states && s->outputs && s->params && s->par && s->positions && s->elements;
}

void dry_model__renew_par(dry_model *model) {
    const dry_mixed *m = model->mixed;
    for (int i = 0; i < m->n_par; i++) m->par[i] = model->elab.quantities.par_value[i];
}

static size_t rounded(size_t bytes) { return (bytes + 63) / 64 * 64; }

static void describe(dry_model *model, const dry_mixed *m) {
    dry_system *s = &model->system;
    s->n_states += m->net->n_states;
    s->n_outputs += m->net->n_outputs;
    s->n_par += m->net->n_par;
    s->n_kinks += m->net->n_kinks;
    s->n_breaks += m->net->n_breaks;
    s->n_elements += m->net->n_elements;
    s->work_size = m->work + m->net->work_size;
    s->start = start;
    s->rate = rate;
    s->output = s->n_outputs ? output : NULL;
    s->kinks = s->n_kinks ? kinks : NULL;
    s->breaks = s->n_breaks ? breaks : NULL;
    s->latch = s->latch || m->net->latch ? latch : NULL;
    s->holds = m->net->holds ? holds : NULL;
    s->watch = s->watch || m->net->watch ? watch : NULL;
    s->fastest = s->fastest || m->net->fastest ? fastest : NULL;
    s->phases = s->n_elements ? phases : NULL;
    s->march = m->alone && !m->n_guards && m->net->march ? march : NULL;
    s->prepare = prepare;
}

bool dry_model__machine(dry_model *model) {
    const dry_elab *elab = &model->elab;
    const dry_system *s = &model->system, *net = elab->scene.net_system;
    dry_mixed *m = dry_arena_take(model->arena, sizeof *m);
    if (!m) return false;
    *m = (dry_mixed){.net = net,
                     .n_own = s->n_states,
                     .n_par = s->n_par,
                     .alone = !s->n_states && !elab->scene.n_thrusts,
                     .n_kinks = s->n_kinks,
                     .n_breaks = s->n_breaks,
                     .n_outputs = s->n_outputs,
                     .n_guards = model->code.n_roots[DRY_SECTION_GUARD],
                     .n_more = dry_net_force_count(elab->scene.net),
                     .push_work = elab->scene.n_thrusts ? elab->quantities.push_work : -1};
    m->roots = rounded(s->work_size);
    m->more = m->roots + sizeof(double) * (size_t)(m->n_own + elab->scene.n_thrusts);
    m->work = rounded(m->more + sizeof(double) * (size_t)m->n_more);
    model->mixed = m;
    if (!make_spans(model, m) || !find_columns(model, m) || !join_quantities(model, net))
        return false;
    describe(model, m);
    return true;
}
