/* push_step: whether the step is inside the stability bound of the method where a model with parts
 * has equations (check 6): a spring that is written as cart.f += -K*cart.p, a controller, states of
 * their own.
 *
 * The states y of the equations and of the bodies that they push obey, near the start, with every
 * set of the equations stuck or closed and all else where it is,
 *
 *     y_dot = J y,   J by differences
 *
 * One step of the method makes of each state a column of a matrix R; no eigenvalue of R may be
 * larger than 1, but for a growth that is slow as seen from the fastest mode, or that of J itself.
 * So it is asked with the equations, and with what they push held as it is: told are equations that
 * are to blame, since part_step.c looks at the parts. That the other bodies stand still makes
 * nothing stiffer.
 *
 * Of a large J the largest |lambda| is estimated, and told where the method is stable for none of
 * that size, whatever its direction.
 *
 * T: step, s; tau: s; lambda: eigenvalue of J, 1/s. */
#include "model.h"
#include "stability.h"

#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_DENSE = 120, PRODUCTS = 60, SQUARINGS = 24 };

/* No mode is stable beyond so many times the bound of a real one: 1.10 for Heun, 1.07 for RK4, 1
 * for the others; the rest is for the estimate. */
static const double BEYOND = 1.2;
/* No mode that does not grow by itself is stable for a T |lambda| beyond this: 2.96 for RK4. */
static const double FARTHEST = 3.0;

typedef struct linear {
    const dry_model *model;
    const dry_method *method;
    dry_env env;
    double tau;
    bool follows;                  /* the equations do; else they are held as they are */
    double *x, *near, *base, *out; /* states at the start and nearby; rates there */
    double *roots, *held;          /* of the equations, nearby and at the start */
    int *at, n;                    /* the states y among x */
    bool *positions;               /* of y */
    double *J, *R, *re, *im;       /* NULL where J is large */
    double rate;                   /* the largest |lambda| */
    const char *does, *unit;       /* "swing at", "rad/s" */
} linear;

/* ---- J ------------------------------------------------------------------------------------ */

static void rate_near(linear *l) {
    dry_lang__linear_rate(&l->env, l->tau, l->near, l->follows ? l->roots : l->held, l->follows,
                          l->out);
}

/* Where differences begin, for this step. rk4-tau is RK4 with beta + 3/4 T (KY08 (21)). */
static void settle(linear *l, double T, bool follows) {
    l->tau = !l->method->uses_tau ? 0.0 : l->method->order > 1 ? 0.75 * T : T;
    l->follows = follows;
    memcpy(l->near, l->x, sizeof *l->x * (size_t)l->model->system.n_states);
    dry_lang__linear_rate(&l->env, l->tau, l->near, l->held, true, l->base);
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

/* ---- one step ----------------------------------------------------------------------------- */

static void rate_of(const dry_env *env, double t, double tau, const double *y, double *y_dot) {
    const linear *l = env->model;
    (void)t, (void)tau;
    for (int i = 0; i < l->n; i++) {
        y_dot[i] = 0.0;
        for (int j = 0; j < l->n; j++) y_dot[i] += l->J[i * l->n + j] * y[j];
    }
}

/* Column j of R. */
static dry_status step_along(const linear *l, const dry_system *system, double T, int j,
                             double *work) {
    const dry_ode_options options = {.step = T};
    const int n = l->n;
    double *y = work;
    dry_ode ode;
    memset(y, 0, sizeof *y * (size_t)n);
    y[j] = 1.0;
    dry_status status =
        dry_ode_init(&ode, system, l->method, &options, NULL, 0.0, y, NULL, work + n);
    if (status == DRY_OK) status = dry_ode_step(&ode, T);
    for (int i = 0; i < n && status == DRY_OK; i++) l->R[i * n + j] = ode.x[i];
    return status;
}

static dry_status fill_step(linear *l, double T) {
    const dry_system system = {.name = "equations",
                               .n_states = l->n,
                               .states = l->model->system.states,
                               .positions = l->positions,
                               .rate = rate_of,
                               .model = l};
    double *work = dry_heap_take(l->model->arena, (size_t)l->n + dry_ode_size(&system, l->method),
                                 sizeof *work);
    dry_status status = work ? DRY_OK : DRY_NO_MEMORY;
    for (int j = 0; j < l->n && status == DRY_OK; j++) status = step_along(l, &system, T, j, work);
    free(work);
    return status;
}

/* ---- whether a step is stable ------------------------------------------------------------- */

/* A / |A|, where |A| is its largest row; returns ln |A|. */
static double normalise(int n, double *A) {
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        double row = 0.0;
        for (int j = 0; j < n; j++) row += fabs(A[i * n + j]);
        most = row > most || isnan(row) ? row : most;
    }
    for (int i = 0; i < n * n; i++) A[i] /= most;
    return log(most);
}

static void square(int n, const double *A, double *to) {
    memset(to, 0, sizeof *to * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double a = A[i * n + k];
            for (int j = 0; j < n; j++) to[i * n + j] += a * A[k * n + j];
        }
}

/* ln of the largest |eigenvalue| of A, from above: ln |A^m|/m for m = 2^SQUARINGS. That is good for
 * the many equal ones of what drifts, where an iteration for each of them is not. A and spare are
 * lost. */
static double log_radius(int n, double *A, double *spare) {
    double sum = 0.0, share = 1.0;
    for (int k = 0; k < SQUARINGS; k++, share *= 0.5) {
        sum += share * normalise(n, A);
        square(n, A, spare);
        double *squared = spare;
        spare = A, A = squared;
    }
    return sum + share * normalise(n, A);
}

/* The fastest mode of J, which is lost, and how fast one of them grows; NAN: not known. */
static double look_at_modes(linear *l) {
    double growth = 0.0;
    l->rate = 0.0;
    if (dry_eigenvalues(l->n, l->J, l->re, l->im) != DRY_OK) return (double)NAN;
    for (int i = 0; i < l->n; i++) {
        const double rate = hypot(l->re[i], l->im[i]);
        growth = dry_max(growth, l->re[i]);
        if (rate < l->rate) continue;
        const bool swings = fabs(l->im[i]) > 0.1 * fabs(l->re[i]);
        l->rate = rate;
        l->does = swings ? "swing at" : "settle at a rate of";
        l->unit = swings ? "rad/s" : "1/s";
    }
    return growth;
}

/* A part of 1e-3 of the frequency, as for equations alone, but where T |lambda| is beyond all
 * bounds: it outgrows ln |R| there. 1e-5 is for log_radius, which finds more than 0 where something
 * drifts: a few times ln(m)/m. A step that overflows is not stable; what is not known is, as where
 * J itself is not finite. */
static bool is_stable_dense(linear *l, double T) {
    fill(l);
    const dry_status status = fill_step(l, T);
    const double growth = look_at_modes(l);
    if (status != DRY_OK) return status != DRY_NOT_FINITE || isnan(growth);
    return !(log_radius(l->n, l->R, l->J) >
             T * growth + 1e-3 * dry_min(T * l->rate, FARTHEST) + 1e-5);
}

static bool is_stable_large(linear *l, double T) {
    static const double one = -1.0, none = 0.0;
    const double bound =
        dry_largest_step(l->method->name, 1, &one, &none); /* not of semi-implicit */
    double *work = dry_heap_take(l->model->arena, 1, sizeof *work * 3 * (size_t)l->n);
    l->rate = work ? dry_spectral_radius(l->n, product, l, PRODUCTS, work) : 0.0;
    l->does = "move at a rate of";
    l->unit = "1/s";
    free(work);
    return !(T * l->rate > BEYOND * (isfinite(bound) ? bound : 2.0));
}

static bool is_stable(linear *l, double T, bool follows) {
    settle(l, T, follows);
    return l->J ? is_stable_dense(l, T) : is_stable_large(l, T);
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
    settle(l, T, true);
    product(l, v, with);
    settle(l, T, false);
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
    is_stable(l, T, true); /* for the pace */
    const char *pace = dry_lang__text(report, "%s %.4g %s", l->does, l->rate, l->unit);
    model->fastest = l->rate;
    model->largest_step = largest(l, T);
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
    settle(l, 0.0, false);
    memcpy(l->roots, l->held, sizeof *l->roots * (size_t)(own + elab->n_thrusts));
    for (int i = own; i < own + elab->n_thrusts; i++)
        l->roots[i] += (1.0 + 0.1 * ((i - own) % 7)) * dry_max(1.0, fabs(l->roots[i]));
    dry_lang__linear_rate(&l->env, 0.0, l->x, l->roots, false, l->out);
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
    l->J = dry_heap_take(l->model->arena, 2 * n * n + 2 * n + 1, sizeof *l->J);
    if (!l->J) return false;
    l->R = l->J + n * n;
    l->re = l->R + n * n;
    l->im = l->re + n;
    return true;
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
    const double T = model->elab.run.step;
    dry_lang__renew_par(model);
    model->system.prepare(&l->env);
    model->system.start(&l->env, 0.0, l->x);
    return is_stable(l, T, true) || !is_stable(l, T, false);
}

void dry_lang__push_stability(dry_model *model) {
    const dry_elab *elab = &model->elab;
    linear l = {.model = model, .method = dry_method_find(dry_lang__method(elab))};
    if (!l.method || l.method->adaptive || !(elab->run.step > 0.0) ||
        !(elab->n_states || elab->n_thrusts))
        return;
    if (take_vectors(&l)) {
        model->system.prepare(&l.env);
        model->system.start(&l.env, 0.0, l.x);
        choose_states(&l);
        if (l.n && take_matrices(&l) && !dry_lang__soften_until(model, fits, &l))
            tell(model, &l, elab->run.step);
    }
    give_back(&l);
}
