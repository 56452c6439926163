/* push_step: checks whether the step is inside the stability bound of the method if a model with
 * parts has equations (check 6): a spring that is written as cart.f += -K*cart.p, a controller,
 * states of their own.
 *
 * The check (stability.h) uses the states y of the equations and of the bodies that they push. The
 * laws of equations and parts are in one branch, and everything else stays at its start. The check
 * tests each branch twice: with the equations, and with their pushes held constant. It reports only
 * instability that the equations cause, because part_step.c checks the parts. Holding the other
 * bodies still makes nothing stiffer.
 *
 * T: step, s; tau: s. */
#include "check_private.h"

#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dry_push_check {
    const dry_subject *subject;
    dry_step_check check;
    dry_env env;
    bool follows;           /* the equations follow the states; else their values are held */
    double *x, *near, *out; /* all states at the start and nearby; rates there */
    double *roots, *held;   /* of the equations, nearby and at the start */
    double *y;              /* the states that the check uses */
    bool is_held;           /* `held` is known, for this branch and tau */
    dry_branch held_in;
    double held_tau;
    int *at;         /* their indices in x */
    bool *positions; /* of y */
    dry_step_answer answer;
};

typedef struct dry_push_check pushed;

/* ---- the model as the check sees it ------------------------------------------------------- */

/* Computes the pushes of the equations at the start, which depend on the branch. */
static void hold(pushed *p, dry_branch branch, double tau) {
    if (p->is_held && p->held_in == branch && p->held_tau == tau) return;
    p->subject->rate_in(&p->env, branch, tau, p->x, p->held, true, p->out);
    p->is_held = true;
    p->held_in = branch;
    p->held_tau = tau;
}

static void rate_near(void *user, dry_branch branch, double tau, const double *y, double *y_dot) {
    pushed *p = user;
    const dry_step_check *c = &p->check;
    memcpy(p->near, p->x, sizeof *p->x * (size_t)p->subject->system->n_states);
    if (!p->follows) hold(p, branch, tau);
    for (int i = 0; i < c->n; i++) p->near[p->at[i]] = y[i];
    p->subject->rate_in(&p->env, branch, tau, p->near, p->follows ? p->roots : p->held, p->follows,
                        p->out);
    for (int i = 0; i < c->n; i++) y_dot[i] = p->out[p->at[i]];
}

static bool is_stable_in(pushed *p, dry_branch branch, double T, bool follows) {
    dry_step_check one = p->check;
    one.branches[0] = branch;
    one.n_branches = 1;
    p->follows = follows;
    return dry_step_fits(&one, T);
}

/* ---- the states ---------------------------------------------------------------------------- */

/* Adds all states of a body if one of them is pushed. The states of the body begin at `from`; the
 * first `own` of all states belong to the equations. Returns where the body's states end. */
static int add_body(pushed *p, int from, int own, const double *before) {
    const dry_net *net = p->subject->elab->scene.net;
    const int part = dry_net_part_of_state(net, from - own);
    int to = from;
    bool moved = false;
    for (; to < p->subject->system->n_states && dry_net_part_of_state(net, to - own) == part; to++)
        moved = moved || p->out[to] != before[to];
    for (int i = from; moved && i < to; i++) p->at[p->check.n++] = i;
    return to;
}

/* Chooses all states of the equations that can act on something, and the bodies that react to a
 * larger push. Each push grows by one unit or by its own size, times a weight. */
static void choose_states(pushed *p) {
    const dry_elab *elab = p->subject->elab;
    const dry_system *system = p->subject->system;
    const int own = system->n_states - elab->scene.net_system->n_states;
    double *before = p->near;
    p->subject->rate_in(&p->env, DRY_ALL_STUCK, 0.0, p->x, p->held, true, before);
    memcpy(p->roots, p->held, sizeof *p->roots * (size_t)(own + elab->scene.n_thrusts));
    for (int i = own; i < own + elab->scene.n_thrusts; i++)
        p->roots[i] += (1.0 + 0.1 * ((i - own) % 7)) * dry_max(1.0, fabs(p->roots[i]));
    p->subject->rate_in(&p->env, DRY_ALL_STUCK, 0.0, p->x, p->roots, false, p->out);
    for (int i = 0; i < own; i++)
        if (!dry_lang_is_push_work(elab, i)) p->at[p->check.n++] = i;
    for (int i = own; i < system->n_states;)
        i = dry_net_state_side(elab->scene.net, i - own) == DRY_ADMITTANCE
                ? add_body(p, i, own, before)
                : i + 1;
    for (int i = 0; i < p->check.n; i++) p->positions[i] = system->positions[p->at[i]];
}

static void start(pushed *p) {
    p->subject->system->prepare(&p->env);
    p->subject->system->start(&p->env, 0.0, p->x);
    for (int i = 0; i < p->check.n; i++) p->y[i] = p->x[p->at[i]];
    p->is_held = false;
}

/* ---- what is said ------------------------------------------------------------------------- */

/* Returns the state on which the equations act most, for a motion of all of them. */
static const char *most_pushed(pushed *p, double tau) {
    const int n = p->check.n;
    double *v = dry_heap_take(p->subject->elab->arena, 5 * (size_t)n, sizeof *v);
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
    return p->subject->system->states[p->at[most]].name;
}

void dry_push_check_say(dry_push_check *p, dry_step_answer *answer) {
    const dry_elab *elab = p->subject->elab;
    dry_diagnostics *diag = elab->diag;
    const double T = dry_design_run_step(elab);
    const bool forced = elab->options->force, large = p->check.n > DRY_STEP_DENSE;
    p->follows = true;
    dry_step_largest(&p->check, T, &p->answer);
    *answer = p->answer;
    const char *pace = large                   ? "move at a rate of %.4g 1/s"
                       : p->answer.mode.swings ? "swing at %.4g rad/s"
                                               : "settle at a rate of %.4g 1/s";
    const char *args[] = {"",
                          dry_diag_number(diag, T),
                          p->check.method->name,
                          most_pushed(p, p->check.method->tau * T),
                          dry_diag_text(diag, pace, p->answer.mode.rate),
                          dry_check__at_most(diag, p->answer.largest)};
    dry_diag_say(diag, dry_lang_run_place(elab),
                 forced ? DRY_MSG_UNSTABLE_PUSH_FORCED : DRY_MSG_UNSTABLE_PUSH, args, 6);
}

/* ---- memory ------------------------------------------------------------------------------- */

static bool take_memory(pushed *p) {
    const dry_system *system = p->subject->system;
    const size_t n = (size_t)system->n_states;
    const size_t roots = n + (size_t)p->subject->elab->scene.n_thrusts;
    p->env = (dry_env){.model = system->model,
                       .par = system->par,
                       .work = dry_heap_take(p->subject->elab->arena, 1, system->work_size + 1)};
    p->x = dry_heap_take(p->subject->elab->arena, 4 * n + 2 * roots + 1, sizeof *p->x);
    p->at = dry_heap_take(p->subject->elab->arena, n + 1, sizeof *p->at);
    p->positions = dry_heap_take(p->subject->elab->arena, n + 1, sizeof *p->positions);
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

bool dry_push_check_fits(dry_push_check *p) {
    const double T = dry_design_run_step(p->subject->elab);
    start(p);
    for (int i = 0; i < p->check.n_branches; i++)
        if (!is_stable_in(p, p->check.branches[i], T, true) &&
            is_stable_in(p, p->check.branches[i], T, false))
            return false;
    return true;
}

static void describe(pushed *p, const dry_method *method) {
    p->check = (dry_step_check){.arena = p->subject->elab->arena,
                                .method = method,
                                .positions = p->positions,
                                .x = p->y,
                                .rate = rate_near,
                                .user = p,
                                .doubts = true};
    p->check.n_branches = dry_check__branches(p->subject->elab, p->check.branches);
}

/* Chooses all states for which equations or parts have a rate. */
static void choose_all_states(pushed *p) {
    const dry_system *system = p->subject->system;
    for (int i = 0; i < system->n_states; i++)
        if (!dry_lang_is_push_work(p->subject->elab, i)) p->at[p->check.n++] = i;
    for (int i = 0; i < p->check.n; i++) p->positions[i] = system->positions[p->at[i]];
}

double dry_check_part_resolving(const dry_subject *subject) {
    const dry_elab *elab = subject->elab;
    const dry_method *method = dry_lang_method_row(elab);
    pushed p = {.subject = subject, .follows = true};
    double T = elab->resolving;
    if (!method->fixed || elab->run.step > 0.0 || !(elab->run.until > 0.0) ||
        subject->system->n_states > DRY_STEP_DENSE)
        return T;
    if (take_memory(&p)) {
        describe(&p, method);
        choose_all_states(&p);
        start(&p);
        T = dry_check__choose_run_step(elab, &p.check);
    }
    give_back(&p);
    return T;
}

dry_push_check *dry_push_check_new(const dry_subject *subject) {
    const dry_elab *elab = subject->elab;
    const dry_method *method = dry_lang_method_row(elab);
    if (!method->fixed || !(dry_design_run_step(elab) > 0.0) ||
        !(elab->quantities.n_states || elab->scene.n_thrusts))
        return NULL;
    pushed *p = dry_heap_take(elab->arena, 1, sizeof *p);
    if (!p) return NULL;
    *p = (pushed){.subject = subject};
    if (take_memory(p)) {
        describe(p, method);
        start(p);
        choose_states(p);
        if (p->check.n) return p;
    }
    dry_push_check_free(p);
    return NULL;
}

void dry_push_check_free(dry_push_check *p) {
    if (!p) return;
    give_back(p);
    free(p);
}
