/* equation_step: checks whether the step of a model without parts is inside the stability bound of
 * the method (check 6; stability.h).
 *
 * The modes are those of the model at the start, with all its elements stuck or sliding, closed or
 * open. All elements act together, because elements that share a body add up (X13's Example II is
 * stable for each of them alone, and not for two). With method = rigid or split the sets hold or
 * are left out. */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model as the check sees it -------------------------------------------------- */

typedef struct looked {
    const dry_subject *subject;
    dry_step_check check;
    dry_rigid_options rigid;
    dry_inclusion_values values; /* of an inclusion */
    double *x, *room, *rate;
    dry_env env;
} looked;

/* What delay lines hold does not change within a step; so the check leaves out their states, which
 * are the last ones. */
static int without_lines(const looked *l, int n_states) {
    return n_states - l->subject->elab->quantities.sampling.n_states;
}

static const double *with_lines(const looked *l, const double *x) {
    memcpy(l->room, x, sizeof *x * (size_t)l->check.n);
    return l->room;
}

static void rate_of_equations(void *user, dry_branch branch, double tau, const double *x,
                              double *x_dot) {
    const looked *l = user;
    l->subject->rate_in(&l->env, branch, tau, with_lines(l, x), NULL, true, l->rate);
    memcpy(x_dot, l->rate, sizeof *x_dot * (size_t)l->check.n);
}

/* Computes the rates without the forces of sets. */
static void rate_of_inclusion(void *user, dry_branch branch, double tau, const double *x,
                              double *x_dot) {
    looked *l = user;
    const dry_inclusion *inc = l->subject->inclusion;
    (void)branch, (void)tau;
    l->values.rate = l->rate;
    inc->eval(&l->env, 0.0, with_lines(l, x), l->room + l->subject->system->n_states, &l->values);
    memcpy(x_dot, l->rate, sizeof *x_dot * (size_t)l->check.n);
}

int dry_check__branches(const dry_elab *elab, dry_branch branches[4]) {
    const unsigned ends = elab->scene.net ? dry_net_ends(elab->scene.net) : 0;
    bool frictions = ends & DRY_SLIPS, contacts = ends & DRY_OPEN;
    for (int i = 0; i < elab->quantities.n_forces; i++) {
        frictions = frictions || elab->quantities.force[i].law->kind == DRY_FRICTION;
        contacts = contacts || elab->quantities.force[i].law->kind != DRY_FRICTION;
    }
    return dry_branches_of(frictions, contacts, branches);
}

static void describe_equations(looked *l, const dry_method *method) {
    const dry_system *system = l->subject->system;
    l->check = (dry_step_check){.arena = l->subject->elab->arena,
                                .method = method,
                                .n = without_lines(l, system->n_states),
                                .positions = system->positions,
                                .x = l->x,
                                .rate = rate_of_equations,
                                .user = l};
    l->check.n_branches = dry_check__branches(l->subject->elab, l->check.branches);
}

/* Leaves out the laws' own states. The room holds the state with these, all forces, which are zero,
 * and the further values of the inclusion besides the rates. */
static void describe_inclusion(looked *l, const dry_method *method) {
    const dry_inclusion *inc = l->subject->inclusion;
    double *at = l->room + l->subject->system->n_states + inc->n_forces;
    l->values = (dry_inclusion_values){.slide = at};
    l->values.gap = l->values.slide + inc->n_forces;
    l->values.level = l->values.gap + inc->n_sets;
    l->values.push = l->values.level + inc->n_sets;
    l->values.feel = l->values.push + inc->n_push;
    l->values.lift = l->values.feel + inc->n_feel;
    l->rigid = dry_run_rigid(&l->subject->elab->run);
    l->check = (dry_step_check){.arena = l->subject->elab->arena,
                                .method = method,
                                .options = &l->rigid,
                                .n = without_lines(l, inc->n_states),
                                .forced = inc->is_velocity,
                                .x = l->x,
                                .rate = rate_of_inclusion,
                                .user = l,
                                .branches = {DRY_ALL_LOOSE},
                                .n_branches = 1};
}

static size_t inclusion_size(const dry_inclusion *inc) {
    if (!inc) return 0;
    return 2 * (size_t)inc->n_forces + 2 * (size_t)inc->n_sets + (size_t)inc->n_push +
           (size_t)inc->n_feel + (size_t)inc->n_lift;
}

static bool open_model(looked *l, const dry_subject *subject, const dry_method *method) {
    const dry_system *system = subject->system;
    dry_arena *arena = subject->elab->arena;
    const size_t n = (size_t)system->n_states;
    *l = (looked){.subject = subject,
                  .env = {.model = system->model,
                          .par = subject->elab->quantities.par_value,
                          .work = dry_heap_take(arena, 1, system->work_size + 1)}};
    l->x = dry_heap_take(arena, 3 * n + inclusion_size(subject->inclusion) + 1, sizeof *l->x);
    if (!l->env.work || !l->x) return false;
    l->rate = l->x + n;
    l->room = l->rate + n;
    system->prepare(&l->env);
    system->start(&l->env, 0.0, l->x);
    memcpy(l->room, l->x, sizeof *l->x * n);
    if (method->takes & DRY_TAKES_SETS)
        describe_inclusion(l, method);
    else
        describe_equations(l, method);
    return true;
}

static void close_model(looked *l) {
    free(l->env.work);
    free(l->x);
}

/* ---- the step -------------------------------------------------------------------------- */

/* Returns true if the text gives the stiffness of some element; the user could then lower it. */
static bool gives_K(const dry_elab *elab) {
    for (int i = 0; i < elab->quantities.n_forces; i++)
        if (elab->quantities.force[i].design.slot_K < 0) return true;
    return false;
}

void dry_check_say_unstable(const dry_subject *subject, const dry_step_answer *answer) {
    const dry_elab *elab = subject->elab;
    dry_diagnostics *diag = elab->diag;
    const char *args[] = {"",
                          dry_diag_number(diag, dry_design_run_step(elab)),
                          dry_lang_method(elab),
                          dry_diag_text(diag, "%.4g", answer->mode.rate),
                          dry_check__at_most(diag, answer->largest),
                          elab->quantities.n_forces
                              ? dry_diag_text(diag, ", %s,", dry_branch_text(answer->branch))
                              : ""};
    const bool forced = elab->options->force;
    dry_diag_say(diag, dry_lang_run_place(elab),
                 forced ? DRY_MSG_UNSTABLE_FORCED : DRY_MSG_UNSTABLE, args, 6);
    if (!forced && !gives_K(elab))
        dry_diag_way_out(diag, "use a step of at most %s s, or --force to run it anyway", args[4]);
}

/* Returns the step that must be inside the bound; NaN if the method chooses the step or if it is
 * unknown. */
static double bound_step(const dry_elab *elab) {
    const dry_method *method = dry_lang_method_row(elab);
    return method && !method->adaptive ? dry_design_run_step(elab) : (double)NAN;
}

/* Returns the step that resolves long-lasting oscillations to 1e-3 at the end of the run; INFINITY
 * if the usual step resolves them, or if a step is given. */
static double resolving_step(const dry_elab *elab, const dry_step_check *check, dry_mode *mode) {
    static const double ERROR = 1e-3;
    const dry_run_options *run = &elab->run;
    const double usual = DRY_RUN_STEP * run->until;
    if (run->step > 0.0 || !(usual > 0.0)) return (double)INFINITY;
    const double T = dry_step_resolving(check, usual, run->until, ERROR, mode);
    return T < usual ? T : (double)INFINITY;
}

double dry_check__choose_run_step(const dry_elab *elab, const dry_step_check *check) {
    static const double MOST_STEPS = 1e7;
    dry_diagnostics *diag = elab->diag;
    dry_mode mode = {0};
    const double T = resolving_step(elab, check, &mode);
    if (T * MOST_STEPS < elab->run.until && !elab->options->force)
        DRY_SAY(diag, dry_lang_run_place(elab), UNRESOLVED, dry_diag_text(diag, "%.4g", mode.rate),
                dry_check__at_most(diag, T), dry_diag_text(diag, "%.2g", elab->run.until / T));
    return T;
}

bool dry_check_step_fits(const dry_subject *subject) {
    const dry_elab *elab = subject->elab;
    const double step = bound_step(elab);
    looked l;
    if (isnan(step)) return true;
    const bool fits =
        open_model(&l, subject, dry_lang_method_row(elab)) && dry_step_fits(&l.check, step);
    close_model(&l);
    return fits;
}

bool dry_check_resolves_same(const dry_subject *subject) {
    const dry_elab *elab = subject->elab;
    looked l;
    if (isnan(bound_step(elab)) || elab->run.step > 0.0) return true;
    const bool same = open_model(&l, subject, dry_lang_method_row(elab)) &&
                      resolving_step(elab, &l.check, NULL) == elab->resolving;
    close_model(&l);
    return same;
}

bool dry_check_equation_step(const dry_subject *subject, dry_step_answer *answer) {
    const double step = bound_step(subject->elab);
    looked l;
    if (open_model(&l, subject, dry_lang_method_row(subject->elab)))
        dry_step_largest(&l.check, step, answer);
    close_model(&l);
    return !answer->known || !(step > answer->largest);
}

double dry_check_largest_step(const dry_subject *subject, const dry_method *method) {
    dry_step_answer answer = {0};
    looked l;
    if (open_model(&l, subject, method)) dry_step_largest(&l.check, 0.0, &answer);
    close_model(&l);
    return answer.known ? answer.largest : (double)INFINITY;
}

/* Applies to a method with fixed steps. */
double dry_check_resolving_step(const dry_subject *subject) {
    double T = subject->elab->resolving;
    looked l;
    if (isnan(bound_step(subject->elab))) return T;
    if (open_model(&l, subject, dry_lang_method_row(subject->elab)))
        T = dry_check__choose_run_step(subject->elab, &l.check);
    close_model(&l);
    return T;
}
