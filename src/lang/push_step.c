/* push_step: whether the step is inside the stability bound of the method where a model with parts
 * has equations (check 6): a spring that is written as cart.f += -K*cart.p, a controller, states of
 * their own.
 *
 * The states y of the equations and of the bodies that they push obey, near the start, with the
 * laws of the equations as a branch says (check.h) and all else where it is,
 *
 *     y_dot = J y,   J by differences
 *
 * So it is asked of each branch with the equations, and with what they push held as it is: told are
 * equations that are to blame, since part_step.c looks at the parts. That the other bodies stand
 * still makes nothing stiffer.
 *
 * Of a large J the largest |lambda| is estimated, and told where the method is stable for none of
 * that size, whatever its direction.
 *
 * T: step, s; tau: s; lambda: eigenvalue of J, 1/s. */
#include "model.h"

#include <drystone/check.h>
#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_DENSE = 120, PRODUCTS = 60 };

/* No mode is stable beyond so many times the bound of a real one: 1.10 for Heun, 1.07 for RK4, 1
 * for the others; the rest is for the estimate. */
static const double BEYOND = 1.2;

typedef struct linear {
    const dry_model *model;
    const dry_method *method;
    dry_env env;
    dry_branch branches[4], branch;
    int n_branches;
    double tau;
    bool follows;                  /* the equations do; else they are held as they are */
    double *x, *near, *base, *out; /* states at the start and nearby; rates there */
    double *roots, *held;          /* of the equations, nearby and at the start */
    int *at, n;                    /* the states y among x */
    bool *positions;               /* of y */
    double *J;                     /* NULL where it is large */
    dry_mode fastest;
} linear;

/* ---- J ------------------------------------------------------------------------------------ */

static void rate_near(linear *l) {
    dry_lang__branch_rate(&l->env, l->branch, l->tau, l->near, l->follows ? l->roots : l->held,
                          l->follows, l->out);
}

/* Where differences begin, for this step and branch. */
static void settle(linear *l, dry_branch branch, double T, bool follows) {
    l->branch = branch;
    l->tau = l->method->tau * T;
    l->follows = follows;
    memcpy(l->near, l->x, sizeof *l->x * (size_t)l->model->system.n_states);
    dry_lang__branch_rate(&l->env, l->branch, l->tau, l->near, l->held, true, l->base);
}

/* y = J v by one difference */
static void product(void *user, const double *v, double *y) {
    linear *l = user;
    double largest = 0.0;
    for (int i = 0; i < l->n; i++) largest = dry_max(largest, fabs(v[i]));
    const double h = 1e-7 / largest;
    for (int i = 0; i < l->n; i++) l->near[l->at[i]] = l->x[l->at[i]] + h * v[i];
    rate_near(l);
    for (int i = 0; i < l->n; i++) y[i] = (l->out[l->at[i]] - l->base[l->at[i]]) / h;
}

static void fill(linear *l) {
    const int n = l->n;
    for (int j = 0; j < n; j++) {
        const double x = l->x[l->at[j]];
        double *near = &l->near[l->at[j]];
        *near = x + 1e-8 * dry_max(1.0, fabs(x));
        rate_near(l);
        for (int i = 0; i < n; i++)
            l->J[i * n + j] = (l->out[l->at[i]] - l->base[l->at[i]]) / (*near - x);
        *near = x;
    }
}

/* ---- whether a step is stable ------------------------------------------------------------- */

static bool is_stable_dense(linear *l, double T) {
    fill(l);
    const dry_linear near_start = {.n = l->n, .J = l->J, .positions = l->positions};
    return dry_linear_is_stable(l->model->arena, l->method, &near_start, T, &l->fastest);
}

static bool is_stable_large(linear *l, double T) {
    static const double one = -1.0, none = 0.0;
    const double bound = dry_largest_step(l->method, 1, &one, &none);
    double *work = dry_heap_take(l->model->arena, 3 * (size_t)l->n, sizeof *work);
    l->fastest =
        (dry_mode){work ? dry_spectral_radius(l->n, product, l, PRODUCTS, work) : 0.0, false};
    free(work);
    return !(T * l->fastest.rate > BEYOND * (bound > 0.0 && isfinite(bound) ? bound : 2.0));
}

static bool is_stable_in(linear *l, dry_branch branch, double T, bool follows) {
    settle(l, branch, T, follows);
    return l->J ? is_stable_dense(l, T) : is_stable_large(l, T);
}

/* In all branches; in the one that is not, l->branch stays. */
static bool is_stable(linear *l, double T, bool follows) {
    bool stable = true;
    for (int i = 0; i < l->n_branches && stable; i++)
        stable = is_stable_in(l, l->branches[i], T, follows);
    return stable;
}

/* The largest step up to T, to three digits. */
static double largest(linear *l, double T) {
    double low = T, high = T;
    while (low > 1e-12 * T && !is_stable(l, low, true)) high = low, low /= 2.0;
    while (high - low > 1e-3 * low) {
        const double middle = 0.5 * (low + high);
        *(is_stable(l, middle, true) ? &low : &high) = middle;
    }
    return low;
}

/* ---- what is told ------------------------------------------------------------------------- */

/* The state that equations act on most, for a motion of all of them. */
static const char *most_pushed(linear *l, double T) {
    double *v = dry_heap_take(l->model->arena, 3 * (size_t)l->n, sizeof *v);
    int most = 0;
    if (!v) return "";
    double *with = v + l->n, *without = with + l->n;
    for (int i = 0; i < l->n; i++) v[i] = 1.0 + 0.1 * (i % 7);
    settle(l, l->branch, T, true);
    product(l, v, with);
    settle(l, l->branch, T, false);
    product(l, v, without);
    for (int i = 0; i < l->n; i++) {
        with[i] = fabs(with[i] - without[i]);
        if (with[i] > with[most]) most = i;
    }
    free(v);
    return l->model->system.states[l->at[most]].name;
}

static void tell(dry_model *model, linear *l, double T) {
    dry_report *report = &model->report;
    const bool forced = model->elab.options->force;
    is_stable(l, T, true); /* for the pace, and its branch */
    const dry_branch branch = l->branch;
    const char *pace = dry_lang__text(report,
                                      !l->J               ? "move at a rate of %.4g 1/s"
                                      : l->fastest.swings ? "swing at %.4g rad/s"
                                                          : "settle at a rate of %.4g 1/s",
                                      l->fastest.rate);
    model->fastest = l->fastest.rate;
    model->largest_step = largest(l, T);
    l->branch = branch;
    const char *args[] = {"",
                          dry_lang__number(report, T),
                          l->method->name,
                          most_pushed(l, T),
                          pace,
                          dry_lang__at_most(report, model->largest_step)};
    dry_lang__say(report, dry_lang__run_place(&model->elab),
                  forced ? DRY_MSG_UNSTABLE_PUSH_FORCED : DRY_MSG_UNSTABLE_PUSH, args, 6);
}

/* ---- the states ---------------------------------------------------------------------------- */

/* Whether two states are of one part. */
static bool are_mates(const char *a, const char *b) {
    const size_t n = strcspn(a, ".");
    return !strncmp(a, b, n) && b[n] == '.';
}

/* All states of a body of which one is pushed: those from `from` on; returns where they end. */
static int add_body(linear *l, int from) {
    const dry_system *system = &l->model->system;
    int to = from + 1;
    bool pushed = l->out[from] != l->base[from];
    for (; to < system->n_states && are_mates(system->states[from].name, system->states[to].name);
         to++)
        pushed = pushed || l->out[to] != l->base[to];
    for (int i = from; pushed && i < to; i++) l->at[l->n++] = i;
    return to;
}

/* Of the equations all that can act on something; bodies where more of each push shows, by a
 * unit or twofold. */
static void choose_states(linear *l) {
    const dry_elab *elab = &l->model->elab;
    const dry_system *system = &l->model->system;
    const int own = system->n_states - elab->net_system->n_states;
    settle(l, DRY_ALL_STUCK, 0.0, false);
    memcpy(l->roots, l->held, sizeof *l->roots * (size_t)(own + elab->n_thrusts));
    for (int i = own; i < own + elab->n_thrusts; i++)
        l->roots[i] += (1.0 + 0.1 * ((i - own) % 7)) * dry_max(1.0, fabs(l->roots[i]));
    dry_lang__branch_rate(&l->env, DRY_ALL_STUCK, 0.0, l->x, l->roots, false, l->out);
    for (int i = 0; i < own; i++)
        if (strcmp(system->states[i].name, DRY_PUSH_WORK) != 0) l->at[l->n++] = i;
    for (int i = own; i < system->n_states;)
        i = dry_net_state_side(elab->net, i - own) == DRY_ADMITTANCE ? add_body(l, i) : i + 1;
    for (int i = 0; i < l->n; i++) l->positions[i] = system->positions[l->at[i]];
}

/* ---- memory ------------------------------------------------------------------------------- */

static bool take_vectors(linear *l) {
    const dry_system *system = &l->model->system;
    const size_t n = (size_t)system->n_states;
    const size_t roots = n + (size_t)l->model->elab.n_thrusts;
    l->env = (dry_env){.model = system->model,
                       .par = system->par,
                       .work = dry_heap_take(l->model->arena, 1, system->work_size + 1)};
    l->x = dry_heap_take(l->model->arena, 4 * n + 2 * roots + 1, sizeof *l->x);
    l->at = dry_heap_take(l->model->arena, n + 1, sizeof *l->at);
    l->positions = dry_heap_take(l->model->arena, n + 1, sizeof *l->positions);
    if (!l->env.work || !l->x || !l->at || !l->positions) return false;
    l->near = l->x + n;
    l->base = l->near + n;
    l->out = l->base + n;
    l->roots = l->out + n;
    l->held = l->roots + roots;
    return true;
}

static bool take_matrices(linear *l) {
    const size_t n = (size_t)l->n;
    if (l->n > LARGEST_DENSE) return true;
    l->J = dry_heap_take(l->model->arena, n * n + 1, sizeof *l->J);
    return l->J != NULL;
}

static void give_back(linear *l) {
    free(l->env.work);
    free(l->x);
    free(l->at);
    free(l->positions);
    free(l->J);
}

/* ---- the model ---------------------------------------------------------------------------- */

static bool fits(dry_model *model, void *user) {
    linear *l = user;
    const double T = dry_lang__run_step(&model->elab);
    dry_lang__renew_par(model);
    model->system.prepare(&l->env);
    model->system.start(&l->env, 0.0, l->x);
    for (int i = 0; i < l->n_branches; i++)
        if (!is_stable_in(l, l->branches[i], T, true) && is_stable_in(l, l->branches[i], T, false))
            return false;
    return true;
}

void dry_lang__push_stability(dry_model *model) {
    const dry_elab *elab = &model->elab;
    linear l = {.model = model, .method = dry_method_find(dry_lang__method(elab))};
    const double T = dry_lang__run_step(elab);
    if (!l.method || l.method->adaptive || !(T > 0.0) || !(elab->n_states || elab->n_thrusts))
        return;
    l.n_branches = dry_lang__branches(elab, l.branches);
    if (take_vectors(&l)) {
        model->system.prepare(&l.env);
        model->system.start(&l.env, 0.0, l.x);
        choose_states(&l);
        if (l.n && take_matrices(&l) && !dry_lang__soften_until(model, fits, &l))
            tell(model, &l, T);
    }
    give_back(&l);
}
