/* push_step: whether the step is inside the stability bound of the method where a model with parts
 * has equations (check 6): a spring that is written as cart.f += -K*cart.p, a controller, states of
 * their own.
 *
 * What the check looks at (check.h) are the states y of the equations and of the bodies that they
 * push, with the laws of equations and parts as a branch says, and all else where it is at the
 * start. So it is asked of each branch with the equations, and with what they push held as it is:
 * told are equations that are to blame, since part_step.c looks at the parts. That the other bodies
 * stand still makes nothing stiffer.
 *
 * T: step, s; tau: s. */
#include "model.h"

#include <drystone/check.h>
#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pushed {
    const dry_model *model;
    dry_check check;
    dry_env env;
    bool follows;           /* the equations do; else they are held as they are */
    double *x, *near, *out; /* all states at the start and nearby; rates there */
    double *roots, *held;   /* of the equations, nearby and at the start */
    double *y;              /* the states that are looked at */
    bool is_held;           /* `held` is known, for this branch and tau */
    dry_branch held_in;
    double held_tau;
    int *at;         /* where they are among x */
    bool *positions; /* of y */
    dry_check_answer answer;
} pushed;

/* ---- the model as the check sees it ------------------------------------------------------- */

/* What the equations push with at the start, which depends on the branch. */
static void hold(pushed *p, dry_branch branch, double tau) {
    if (p->is_held && p->held_in == branch && p->held_tau == tau) return;
    dry_lang__branch_rate(&p->env, branch, tau, p->x, p->held, true, p->out);
    p->is_held = true;
    p->held_in = branch;
    p->held_tau = tau;
}

static void rate_near(void *user, dry_branch branch, double tau, const double *y, double *y_dot) {
    pushed *p = user;
    const dry_check *c = &p->check;
    memcpy(p->near, p->x, sizeof *p->x * (size_t)p->model->system.n_states);
    if (!p->follows) hold(p, branch, tau);
    for (int i = 0; i < c->n; i++) p->near[p->at[i]] = y[i];
    dry_lang__branch_rate(&p->env, branch, tau, p->near, p->follows ? p->roots : p->held,
                          p->follows, p->out);
    for (int i = 0; i < c->n; i++) y_dot[i] = p->out[p->at[i]];
}

static bool is_stable_in(pushed *p, dry_branch branch, double T, bool follows) {
    dry_check one = p->check;
    one.branches[0] = branch;
    one.n_branches = 1;
    p->follows = follows;
    return dry_check_fits(&one, T);
}

/* ---- the states ---------------------------------------------------------------------------- */

/* Whether two states are of one part. */
static bool are_mates(const char *a, const char *b) {
    const size_t n = strcspn(a, ".");
    return !strncmp(a, b, n) && b[n] == '.';
}

/* All states of a body of which one is pushed: those from `from` on; returns where they end. */
static int add_body(pushed *p, int from, const double *before) {
    const dry_system *system = &p->model->system;
    int to = from + 1;
    bool moved = p->out[from] != before[from];
    for (; to < system->n_states && are_mates(system->states[from].name, system->states[to].name);
         to++)
        moved = moved || p->out[to] != before[to];
    for (int i = from; moved && i < to; i++) p->at[p->check.n++] = i;
    return to;
}

/* Of the equations all that can act on something; bodies where more of each push shows, by a
 * unit or twofold. */
static void choose_states(pushed *p) {
    const dry_elab *elab = &p->model->elab;
    const dry_system *system = &p->model->system;
    const int own = system->n_states - elab->net_system->n_states;
    double *before = p->near;
    dry_lang__branch_rate(&p->env, DRY_ALL_STUCK, 0.0, p->x, p->held, true, before);
    memcpy(p->roots, p->held, sizeof *p->roots * (size_t)(own + elab->n_thrusts));
    for (int i = own; i < own + elab->n_thrusts; i++)
        p->roots[i] += (1.0 + 0.1 * ((i - own) % 7)) * dry_max(1.0, fabs(p->roots[i]));
    dry_lang__branch_rate(&p->env, DRY_ALL_STUCK, 0.0, p->x, p->roots, false, p->out);
    for (int i = 0; i < own; i++)
        if (strcmp(system->states[i].name, DRY_PUSH_WORK) != 0) p->at[p->check.n++] = i;
    for (int i = own; i < system->n_states;)
        i = dry_net_state_side(elab->net, i - own) == DRY_ADMITTANCE ? add_body(p, i, before)
                                                                     : i + 1;
    for (int i = 0; i < p->check.n; i++) p->positions[i] = system->positions[p->at[i]];
}

static void start(pushed *p) {
    p->model->system.prepare(&p->env);
    p->model->system.start(&p->env, 0.0, p->x);
    for (int i = 0; i < p->check.n; i++) p->y[i] = p->x[p->at[i]];
    p->is_held = false;
}

/* ---- what is told ------------------------------------------------------------------------- */

/* The state that equations act on most, for a motion of all of them. */
static const char *most_pushed(pushed *p, double tau) {
    const int n = p->check.n;
    double *v = dry_heap_take(p->model->arena, 5 * (size_t)n, sizeof *v);
    int most = 0;
    if (!v) return "";
    double *rates[2][2] = {{v + n, v + 2 * n}, {v + 3 * n, v + 4 * n}};
    for (int i = 0; i < n; i++) v[i] = p->y[i] + 1e-7 * (1.0 + 0.1 * (i % 7));
    for (int k = 0; k < 2; k++) {
        p->follows = k > 0;
        rate_near(p, p->answer.branch, tau, p->y, rates[k][0]);
        rate_near(p, p->answer.branch, tau, v, rates[k][1]);
    }
    for (int i = 0; i < n; i++) {
        v[i] = fabs((rates[1][1][i] - rates[1][0][i]) - (rates[0][1][i] - rates[0][0][i]));
        if (v[i] > v[most]) most = i;
    }
    free(v);
    return p->model->system.states[p->at[most]].name;
}

static void tell(dry_model *model, pushed *p, double T) {
    dry_report *report = &model->report;
    const bool forced = model->elab.options->force, large = p->check.n > DRY_CHECK_DENSE;
    p->follows = true;
    dry_check_largest(&p->check, T, &p->answer);
    model->fastest = p->answer.mode.rate;
    model->largest_step = p->answer.largest;
    const char *pace = large                   ? "move at a rate of %.4g 1/s"
                       : p->answer.mode.swings ? "swing at %.4g rad/s"
                                               : "settle at a rate of %.4g 1/s";
    const char *args[] = {"",
                          dry_lang__number(report, T),
                          p->check.method->name,
                          most_pushed(p, p->check.method->tau * T),
                          dry_lang__text(report, pace, p->answer.mode.rate),
                          dry_lang__at_most(report, model->largest_step)};
    dry_lang__say(report, dry_lang__run_place(&model->elab),
                  forced ? DRY_MSG_UNSTABLE_PUSH_FORCED : DRY_MSG_UNSTABLE_PUSH, args, 6);
}

/* ---- memory ------------------------------------------------------------------------------- */

static bool take_memory(pushed *p) {
    const dry_system *system = &p->model->system;
    const size_t n = (size_t)system->n_states;
    const size_t roots = n + (size_t)p->model->elab.n_thrusts;
    p->env = (dry_env){.model = system->model,
                       .par = system->par,
                       .work = dry_heap_take(p->model->arena, 1, system->work_size + 1)};
    p->x = dry_heap_take(p->model->arena, 4 * n + 2 * roots + 1, sizeof *p->x);
    p->at = dry_heap_take(p->model->arena, n + 1, sizeof *p->at);
    p->positions = dry_heap_take(p->model->arena, n + 1, sizeof *p->positions);
    if (!p->env.work || !p->x || !p->at || !p->positions) return false;
    p->near = p->x + n;
    p->out = p->near + n;
    p->y = p->out + n;
    p->roots = p->y + n;
    p->held = p->roots + roots;
    return true;
}

static void give_back(pushed *p) {
    free(p->env.work);
    free(p->x);
    free(p->at);
    free(p->positions);
}

/* ---- the model ---------------------------------------------------------------------------- */

static bool fits(dry_model *model, void *user) {
    pushed *p = user;
    const double T = dry_lang__run_step(&model->elab);
    dry_lang__renew_par(model);
    start(p);
    for (int i = 0; i < p->check.n_branches; i++)
        if (!is_stable_in(p, p->check.branches[i], T, true) &&
            is_stable_in(p, p->check.branches[i], T, false))
            return false;
    return true;
}

static void describe(pushed *p, const dry_method *method) {
    p->check = (dry_check){.arena = p->model->arena,
                           .method = method,
                           .positions = p->positions,
                           .x = p->y,
                           .rate = rate_near,
                           .user = p,
                           .doubts = true};
    p->check.n_branches = dry_lang__branches(&p->model->elab, p->check.branches);
}

/* All states, as far as equations or parts have a rate for them. */
static void choose_all_states(pushed *p) {
    const dry_system *system = &p->model->system;
    for (int i = 0; i < system->n_states; i++)
        if (strcmp(system->states[i].name, DRY_PUSH_WORK) != 0) p->at[p->check.n++] = i;
    for (int i = 0; i < p->check.n; i++) p->positions[i] = system->positions[p->at[i]];
}

void dry_lang__choose_part_step(dry_model *model) {
    const dry_elab *elab = &model->elab;
    const dry_method *method = dry_method_find(dry_lang__method(elab));
    pushed p = {.model = model, .follows = true};
    if (!method || method->adaptive || !isnan(elab->run.step) || !(elab->run.until > 0.0) ||
        model->system.n_states > DRY_CHECK_DENSE)
        return;
    if (take_memory(&p)) {
        describe(&p, method);
        choose_all_states(&p);
        start(&p);
        dry_lang__choose_run_step(model, &p.check);
    }
    give_back(&p);
}

void dry_lang__push_stability(dry_model *model) {
    const dry_elab *elab = &model->elab;
    const dry_method *method = dry_method_find(dry_lang__method(elab));
    const double T = dry_lang__run_step(elab);
    pushed p = {.model = model};
    if (!method || method->adaptive || !(T > 0.0) || !(elab->n_states || elab->n_thrusts)) return;
    if (take_memory(&p)) {
        describe(&p, method);
        start(&p);
        choose_states(&p);
        if (p.check.n && !dry_lang__soften_until(model, fits, &p)) tell(model, &p, T);
    }
    give_back(&p);
}
