/* settle: where states begin that the text says are steady at the start: where they come to rest
 * while all other states, the time and the inputs stay.
 *
 *     y' = r(y),   (I/h - dr/dy) d = r(y),   y <- y + d
 *
 * with steps h that grow as r falls (pseudo-transient continuation, Kelley and Keyes 1998): short
 * ones follow the motion, so that a stuck element stays where it is reached, and long ones are
 * those of Newton. */
#include "model_private.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 400 };
/* The first step, s; by how much steps grow, and shrink if r grew by so much. */
static const double FIRST_STEP = 1e-6, GROW = 4.0, SHRINK = 0.125, WORSE = 1.5;
/* At rest: r is so much smaller than it has been. */
static const double AT_REST = 1e-11;
/* Of a difference, in parts of the last step or of the state. */
static const double DIFFERENCE = 1e-6;

/* ---- names ----------------------------------------------------------------------------------- */

/* f.a of f.a, f.a[2] of f.a, f.a of f */
static bool is_named(const char *state, const char *name) {
    const size_t n = strlen(name);
    return !strncmp(state, name, n) && (!state[n] || state[n] == '[' || state[n] == '.');
}

/* The law of the state, if it changes states after steps, which a rate does not show; NULL. */
static const dry_law *switching_law(const dry_model *model, int state) {
    for (int i = 0; i < model->elab.quantities.n_forces; i++) {
        const dry_law *law = model->elab.quantities.force[i].law;
        if (law && law->latch && is_named(model->states[state].name, model->elements[i]))
            return law;
    }
    return NULL;
}

static void find_one(dry_model *model, const dry_steady_info *info) {
    dry_elab *elab = &model->elab;
    const int n = elab->quantities.n_states - elab->quantities.sampling.n_states;
    bool any = false;
    for (int i = 0; i < n; i++) {
        if (dry_lang_is_push_work(elab, i) || !is_named(model->states[i].name, info->name))
            continue;
        const dry_law *law = switching_law(model, i);
        any = true;
        if (law) {
            DRY_SAY(&model->diag, info->at, STEADY_WITH, law->name,
                    "take a law that does not switch after steps");
            return;
        }
        int *slot = DRY_GROW(elab->arena, &elab->results, settled);
        if (slot) *slot = i;
    }
    if (!any) DRY_SAY(&model->diag, info->at, STEADY_WHAT, info->name);
}

void dry_model__find_steady(dry_model *model) {
    const dry_results *results = &model->elab.results;
    for (int i = 0; i < results->n_steadys; i++) {
        const dry_place at = results->steady[i].at;
        if (model->elab.scene.net)
            DRY_SAY(&model->diag, at, STEADY_WITH, "parts", "write the machine as equations");
        else if (dry_lang_keeps_sets(&model->elab))
            DRY_SAY(&model->diag, at, STEADY_WITH, "a method that keeps the sets",
                    "choose another method, such as rk4");
        else
            find_one(model, &results->steady[i]);
    }
}

/* ---- coming to rest -------------------------------------------------------------------------- */

typedef struct rest {
    const dry_env *env;
    const dry_system *system;
    double t;
    double *x;        /* all states */
    const int *state; /* those that come to rest */
    int n;
    double *rate, *more; /* of all states */
    double *r, *next;    /* of those: the rates here and after a step */
    double *most;        /* the largest that each rate has been */
    double *d, *y, *J;   /* a step, where it began, I/h - dr/dy */
} rest;

size_t dry_model__steady_numbers(const dry_model *model) {
    const size_t n = (size_t)model->elab.results.n_settleds;
    return n ? 2 * (size_t)model->elab.quantities.n_states + 5 * n + n * n + (n + 1) / 2 : 0;
}

static void rates(const rest *s, double *to) {
    s->system->rate(s->env, s->t, 0.0, s->x, s->rate);
    for (int i = 0; i < s->n; i++) to[i] = s->rate[s->state[i]];
}

/* How large the rates are, in parts of the largest that each has been. */
static double size_of(const rest *s, const double *r) {
    double most = 0.0;
    for (int i = 0; i < s->n; i++) {
        if (!isfinite(r[i])) return (double)INFINITY;
        if (r[i] != 0.0) most = fmax(most, fabs(r[i]) / s->most[i]);
    }
    return most;
}

static void note_most(const rest *s, const double *r) {
    for (int i = 0; i < s->n; i++) s->most[i] = fmax(s->most[i], fabs(r[i]));
}

/* I/h - dr/dy, by differences of the size of a step. */
static void differentiate(const rest *s, double h) {
    const int n = s->n;
    for (int j = 0; j < n; j++) {
        double *x = &s->x[s->state[j]];
        const double here = *x, step = fmax(fabs(h * s->r[j]), fabs(s->d[j]));
        const double size = DIFFERENCE * fmax(fabs(here), fmin(step, 1e100));
        *x = here + (size > 0.0 ? size : DIFFERENCE * FIRST_STEP);
        const double apart = *x - here;
        rates(s, s->more);
        *x = here;
        for (int i = 0; i < n; i++)
            s->J[i * n + j] = (i == j ? 1.0 / h : 0.0) - (s->more[i] - s->r[i]) / apart;
    }
}

/* One step of this length; false: it does not help. */
static bool step(const rest *s, double h) {
    differentiate(s, h);
    for (int i = 0; i < s->n; i++) {
        s->y[i] = s->x[s->state[i]];
        s->d[i] = s->r[i];
    }
    if (dry_solve(s->n, s->J, s->d) != DRY_OK) return false;
    for (int i = 0; i < s->n; i++) s->x[s->state[i]] = s->y[i] + s->d[i];
    rates(s, s->next);
    const bool good = size_of(s, s->next) <= WORSE * size_of(s, s->r);
    for (int i = 0; !good && i < s->n; i++) s->x[s->state[i]] = s->y[i];
    return good;
}

static bool come_to_rest(const rest *s) {
    double h = FIRST_STEP;
    memset(s->most, 0, sizeof *s->most * (size_t)s->n);
    memset(s->d, 0, sizeof *s->d * (size_t)s->n);
    rates(s, s->r);
    note_most(s, s->r);
    for (int k = 0; k < MOST_STEPS; k++) {
        const double size = size_of(s, s->r);
        if (size > 0.0 && size <= AT_REST) (void)step(s, h);
        if (size <= AT_REST) return true;
        if (!(h > 0.0) || !isfinite(size) || !isfinite(h)) return false;
        if (step(s, h)) {
            memcpy(s->r, s->next, sizeof *s->r * (size_t)s->n);
            note_most(s, s->r);
            h *= GROW;
        } else {
            h *= SHRINK;
        }
    }
    return false;
}

/* The state whose rate is largest. */
static int restless(const rest *s) {
    int worst = 0;
    for (int i = 1; i < s->n; i++)
        if (fabs(s->r[i]) * s->most[worst] > fabs(s->r[worst]) * s->most[i]) worst = i;
    return s->state[worst];
}

void dry_model__settle(const dry_env *env, double t, const dry_model__given *given, double *work,
                       double *x) {
    const dry_model *model = env->model;
    const dry_results *results = &model->elab.results;
    const size_t n_states = (size_t)model->system.n_states, n = (size_t)results->n_settleds;
    rest s = {.env = env, .system = &model->system, .t = t, .x = x};
    s.rate = work;
    s.more = s.rate + n_states;
    s.r = s.more + n_states;
    s.next = s.r + n;
    s.most = s.next + n;
    s.d = s.most + n;
    s.y = s.d + n;
    s.J = s.y + n;
    int *state = (int *)(void *)(s.J + n * n);
    for (size_t i = 0; i < n; i++)
        if (!given || !given->is[results->settled[i]]) state[s.n++] = results->settled[i];
    s.state = state;
    if (s.n && !come_to_rest(&s)) x[restless(&s)] = (double)NAN;
}

/* ---- the check ------------------------------------------------------------------------------- */

/* The start of the system; NULL without memory. */
static const double *whole_start(const dry_model *model) {
    const dry_system *system = &model->system;
    double *x = dry_arena_take(model->arena, sizeof *x * (size_t)system->n_states);
    dry_env env = {.model = model,
                   .par = system->par,
                   .work = dry_arena_take(model->arena, system->work_size + 1)};
    if (!x || !env.work) return NULL;
    system->prepare(&env);
    system->start(&env, 0.0, x);
    return x;
}

void dry_model__take_steady(const dry_model *model, double *x) {
    const dry_results *results = &model->elab.results;
    const double *start = results->n_settleds ? whole_start(model) : NULL;
    for (int i = 0; start && i < results->n_settleds; i++)
        x[results->settled[i]] = start[results->settled[i]];
}

void dry_model__check_steady(dry_model *model) {
    const dry_results *results = &model->elab.results;
    const double *x = results->n_settleds ? whole_start(model) : NULL;
    for (int i = 0; x && i < results->n_settleds; i++) {
        const char *name = model->system.states[results->settled[i]].name;
        for (int k = 0; isnan(x[results->settled[i]]) && k < results->n_steadys; k++)
            if (is_named(name, results->steady[k].name))
                DRY_SAY(&model->diag, results->steady[k].at, STEADY_NONE, name);
    }
}
