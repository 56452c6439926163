/* part_step: checks whether the step is inside the stability bound of the method for a model with
 * parts (check 6).
 *
 * The stiffest motion of the parts at the start, stuck and closed (net.h, dry_net_stiffest), is one
 * mass between springs. The check tries the method's own step on it (stability.h, dry_firmness). It
 * compares the parts' stiffnesses at the frequency 2/step. An element that slips or is open forgets
 * its stretch at the rate 1/(beta + tau), which must be stable by itself.
 *
 * The check covers all stiff elements together, closed contacts alone and the rest alone, the
 * elements that remain if everything slides and is open, and motions down to a tenth as stiff. It
 * covers the limits of robots' joints one by one, because a joint may never reach them. push_step.c
 * checks the effect of equations on the parts.
 *
 * T: step, s. */
#include "check_private.h"

#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model ------------------------------------------------------------------------ */

typedef struct verdict {
    double step; /* that would be short enough */
    dry_mode mode;
    dry_net_port by; /* the part, or the joint of a robot, that needs it */
    bool loose;      /* found with everything sliding and open */
} verdict;

/* Finds the stiffest motion at a step. An element that does not press has no alpha. */
static bool look(const dry_subject *subject, const dry_method *method, double T, dry_net_question q,
                 dry_net_mode *mode) {
    q.omega = 2.0 / T;
    q.tau = method->uses_tau ? T : 0.0;
    if (dry_net_stiffest(subject->elab->scene.net, subject->elab->scene.net_x, &q, mode) != DRY_OK)
        return false;
    if (!(mode->per_mass.Kc > 0.0)) mode->per_mass.alpha = (double)INFINITY;
    return true;
}

/* Shortens the step of the verdict as far as a motion needs. Returns true if it shortens the step.
 * port: of the part; -1 if unknown. */
static bool shorten_for(const dry_net_mode *mode, int port, const dry_method *method, verdict *v) {
    const dry_firmness slips = {.C = 0.5 / v->step, .alpha = mode->beta}; /* at rest soon */
    const double step =
        mode->part >= 0 ? dry_firmness_largest(&mode->per_mass, method, v->step) : v->step;
    const double forgets = dry_firmness_largest(&slips, method, v->step);
    if (!(dry_min(step, forgets) < v->step)) return false;
    v->by = (dry_net_port){forgets < step ? mode->forgets : mode->part, port};
    v->step = dry_min(step, forgets);
    v->mode = forgets < step ? (dry_mode){1.0 / mode->beta, false}
                             : dry_firmness_mode(&mode->per_mass, method->uses_tau ? v->step : 0.0);
    return true;
}

/* Shortens the step repeatedly, because the stiffest motion at a shorter step may be another
 * one. */
static void shorten(const dry_subject *subject, const dry_method *method, dry_net_question q,
                    verdict *v) {
    dry_net_mode mode;
    bool more = true;
    for (int round = 0; more && round < 4; round++) {
        more = look(subject, method, v->step, q, &mode) && shorten_for(&mode, -1, method, v);
        if (more) v->loose = q.by == DRY_STIFF_LOOSE;
    }
}

typedef struct limits {
    const dry_method *method;
    verdict *verdict;
} limits;

static void shorten_for_limit(void *user, dry_net_port joint, const dry_firmness *per_mass) {
    const limits *l = user;
    const dry_net_mode mode = {
        .per_mass = *per_mass, .part = joint.part, .beta = per_mass->beta, .forgets = joint.part};
    shorten_for(&mode, joint.port, l->method, l->verdict);
}

static bool is_too_long(const dry_subject *subject, const dry_method *method, double T, bool crowd,
                        const double *w, verdict *v) {
    static const dry_net_stiff by[] = {DRY_STIFF_ALL, DRY_STIFF_CLOSED, DRY_STIFF_HELD,
                                       DRY_STIFF_LOOSE};
    *v = (verdict){.step = T};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        shorten(subject, method, (dry_net_question){.by = by[i], .crowd = crowd, .w = w}, v);
    if (crowd) dry_lang_each_limit(subject->elab, shorten_for_limit, &(limits){method, v});
    return v->step < T;
}

/* Computes w, the velocities that the start causes, at the places of the parts' states: the start's
 * own velocities, and those that the forces at some times add. Weights keep them from
 * cancelling. */
static void start_moving(const dry_subject *subject, const dry_env *env, double *x, double *rates,
                         double *w) {
    enum { TIMES = 8 };
    const dry_system *system = subject->system;
    const int n = subject->elab->scene.net_system->n_states, own = system->n_states - n;
    const double until = subject->elab->run.until > 0.0 ? subject->elab->run.until : 1.0;
    double weight = 1.0;
    if (system->prepare) system->prepare(env);
    system->start(env, 0.0, x);
    memcpy(w, x + own, sizeof *w * (size_t)n);
    for (int k = 0; k < TIMES; k++, weight *= 0.618) {
        system->rate(env, until * k / TIMES, 0.0, x, rates);
        for (int i = 0; i < n; i++)
            w[i] += isfinite(rates[own + i]) ? weight * rates[own + i] : 0.0;
    }
}

const char *dry_check__at_most(dry_diagnostics *diag, double T) {
    const double unit = dry_pow(10.0, floor(dry_log10(T)) - 2.0);
    return dry_diag_text(diag, "%.3g", unit * floor(T / unit));
}

/* "spring", "robot_joints.elbow" */
static const char *name_of(const dry_elab *elab, dry_net_port by) {
    const char *name;
    const dry_part *part = dry_net_part_at(elab->scene.net, by.part, &name);
    return by.port < 0 ? name : dry_diag_text(elab->diag, "%s.%s", name, part->ports[by.port].name);
}

/* Joints that are chosen for k times the step are stable for steps k times as long. They are meant
 * for the step of the run, or for a longer step if the method tolerates less. A motion that settles
 * comes from the damping in the file, which no choice changes: a shorter step helps, or an implicit
 * method. At the bound itself such a motion rings on, step by step. At CALM times the bound little
 * of it remains after three steps, with any method. */
static const double CALM = 0.7;

static void say_robot_step(const dry_subject *subject, double T, const verdict *v,
                           double chosen_for, const char *at_most) {
    const dry_elab *elab = subject->elab;
    const double least = 1.001 * chosen_for * T / v->step;
    const double unit = dry_pow(10.0, floor(dry_log10(least)) - 1.0);
    if (!v->mode.swings) {
        dry_diag_way_out(elab->diag,
                         "use a step of at most %s s, or an implicit method, which takes any "
                         "damping: run method = rodas4, without a step",
                         dry_check__at_most(elab->diag, CALM * v->step));
        return;
    }
    if (!isfinite(least)) return;
    dry_diag_way_out(elab->diag,
                     "use a step of at most %s s, or choose its joints for a longer step: "
                     "urdf(step = %.3g [s])",
                     at_most, dry_max(T, unit * ceil(least / unit)));
}

static void say(const dry_subject *subject, dry_msg id, double T, const verdict *v) {
    dry_diagnostics *diag = subject->elab->diag;
    const char *args[] = {
        "",
        dry_diag_number(diag, T),
        dry_lang_method(subject->elab),
        name_of(subject->elab, v->by),
        dry_diag_text(diag, v->mode.swings ? "swing at %.4g rad/s" : "settle at a rate of %.4g 1/s",
                      v->mode.rate),
        dry_check__at_most(diag, v->step),
        v->loose ? "when everything slides and is open" : "when it sticks or is closed"};
    dry_diag_say(diag, dry_lang_run_place(subject->elab), id, args, 7);
    double chosen_for;
    if (id != DRY_MSG_UNSTABLE_PART_FORCED &&
        dry_lang_robot_step(subject->elab, v->by, &chosen_for))
        say_robot_step(subject, T, v, chosen_for, args[5]);
}

static bool check(const dry_subject *subject, const dry_method *method, double T, const double *w,
                  dry_step_answer *answer) {
    const bool forced = subject->elab->options->force;
    verdict v;
    if (is_too_long(subject, method, T, false, w, &v)) {
        *answer = (dry_step_answer){
            .known = true, .fastest = v.mode.rate, .largest = v.step, .mode = v.mode};
        say(subject, forced ? DRY_MSG_UNSTABLE_PART_FORCED : DRY_MSG_UNSTABLE_PART, T, &v);
        return false;
    }
    if (is_too_long(subject, method, T, true, NULL, &v)) say(subject, DRY_MSG_LONG_STEP, T, &v);
    return true;
}

bool dry_check_part_step(const dry_subject *subject, dry_step_answer *answer) {
    const dry_elab *elab = subject->elab;
    const dry_system *system = subject->system;
    const dry_method *method = dry_lang_method_row(elab);
    const double T = dry_design_run_step(elab);
    if (!method->fixed || !(T > 0.0)) return true;
    const size_t n = (size_t)system->n_states;
    const dry_env env = {.model = system->model,
                         .par = system->par,
                         .work = dry_heap_take(elab->arena, 1, system->work_size + 1)};
    double *x = dry_heap_take(elab->arena, 3 * n + 1, sizeof *x);
    bool fits = true;
    if (env.work && x) {
        start_moving(subject, &env, x, x + n, x + 2 * n);
        fits = check(subject, method, T, x + 2 * n, answer);
    }
    free(env.work);
    free(x);
    return fits;
}
