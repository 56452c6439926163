/* step: whether the step of a model without parts is inside the stability bound of the method
 * (check 6; check.h), and whether a stuck element resonates with a periodic forcing (check 8).
 *
 * The modes are those of the model at the start with all its elements stuck or sliding, closed or
 * open, all together: elements that share a body add up (X13's Example II is stable for each of
 * them alone, and not for two). With method = rigid or split the sets hold or are left out. */
#include "model.h"
#include "ops.h"

#include <drystone/check.h>
#include <drystone/math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The K of chosen elements is divided by SOFTER^k, k <= MOST_SOFTER (1.4e6), where several act
 * together. */
enum { MOST_SOFTER = 74 };
static const double SOFTER = 1.21;

/* ---- the model as the check sees it -------------------------------------------------- */

typedef struct looked {
    const dry_model *model;
    dry_check check;
    dry_rigid_options rigid;
    dry_inclusion_values values; /* of an inclusion */
    double *x, *room;
    void *work;
} looked;

static void rate_of_equations(void *user, dry_branch branch, double tau, const double *x,
                              double *x_dot) {
    const looked *l = user;
    dry_image_run_branch(l->model->image, DRY_SECTION_RATE, branch, 0.0, tau, x, x_dot, l->work);
}

/* With no force of a set. */
static void rate_of_inclusion(void *user, dry_branch branch, double tau, const double *x,
                              double *x_dot) {
    looked *l = user;
    const dry_inclusion *inc = &l->model->inclusion;
    const dry_env env = {
        .model = l->model->system.model, .par = l->model->elab.par_value, .work = l->work};
    (void)branch, (void)tau;
    l->values.rate = x_dot;
    memcpy(l->room, x, sizeof *x * (size_t)inc->n_states);
    inc->eval(&env, 0.0, l->room, l->room + l->model->system.n_states, &l->values);
}

int dry_lang__branches(const dry_elab *elab, dry_branch branches[4]) {
    const unsigned ends = elab->net ? dry_net_ends(elab->net) : 0;
    bool frictions = ends & DRY_SLIPS, contacts = ends & DRY_OPEN;
    for (int i = 0; i < elab->n_forces; i++) {
        frictions = frictions || elab->force[i].law->kind == DRY_FRICTION;
        contacts = contacts || elab->force[i].law->kind != DRY_FRICTION;
    }
    return dry_branches_of(frictions, contacts, branches);
}

static void describe_equations(looked *l, const dry_method *method) {
    const dry_system *system = &l->model->system;
    l->check = (dry_check){.arena = l->model->arena,
                           .method = method,
                           .n = system->n_states,
                           .positions = system->positions,
                           .x = l->x,
                           .rate = rate_of_equations,
                           .user = l};
    l->check.n_branches = dry_lang__branches(&l->model->elab, l->check.branches);
}

/* The states of the laws' own are no part of it. The room is the state with those, all forces,
 * which are zero, and what the inclusion tells besides the rates. */
static void describe_inclusion(looked *l, const dry_method *method) {
    const dry_inclusion *inc = &l->model->inclusion;
    double *at = l->room + l->model->system.n_states + inc->n_forces;
    l->values = (dry_inclusion_values){.slide = at};
    l->values.gap = l->values.slide + inc->n_forces;
    l->values.level = l->values.gap + inc->n_sets;
    l->values.push = l->values.level + inc->n_sets;
    l->values.feel = l->values.push + inc->n_push;
    l->values.lift = l->values.feel + inc->n_feel;
    l->rigid = dry_run_rigid(&l->model->elab.run);
    l->check = (dry_check){.arena = l->model->arena,
                           .method = method,
                           .options = &l->rigid,
                           .n = inc->n_states,
                           .forced = inc->is_velocity,
                           .x = l->x,
                           .rate = rate_of_inclusion,
                           .user = l,
                           .branches = {DRY_ALL_LOOSE},
                           .n_branches = 1};
}

static bool open_model(looked *l, const dry_model *model, const dry_method *method) {
    const dry_system *system = &model->system;
    const dry_inclusion *inc = &model->inclusion;
    const size_t n = (size_t)system->n_states;
    const size_t more = 2 * (size_t)inc->n_forces + 2 * (size_t)inc->n_sets + (size_t)inc->n_push +
                        (size_t)inc->n_feel + (size_t)inc->n_lift;
    *l = (looked){.model = model};
    l->work = dry_heap_take(model->arena, 1, system->work_size + 1);
    l->x = dry_heap_take(model->arena, 2 * n + more + 1, sizeof *l->x);
    if (!l->work || !l->x) return false;
    l->room = l->x + n;
    const dry_env env = {.model = model, .par = model->elab.par_value, .work = l->work};
    system->prepare(&env);
    system->start(&env, 0.0, l->x);
    if (method->takes & DRY_TAKES_SETS)
        describe_inclusion(l, method);
    else
        describe_equations(l, method);
    return true;
}

static void close_model(looked *l) {
    free(l->work);
    free(l->x);
}

/* ---- the step -------------------------------------------------------------------------- */

/* Whether the text gives some element its stiffness, which it then could lower. */
static bool gives_K(const dry_elab *elab) {
    for (int i = 0; i < elab->n_forces; i++)
        if (elab->force[i].slot_K < 0) return true;
    return false;
}

static void say_unstable(dry_model *model, double step, const dry_check_answer *answer) {
    dry_report *report = &model->report;
    const char *args[] = {"",
                          dry_lang__number(report, step),
                          dry_lang__method(&model->elab),
                          dry_lang__text(report, "%.4g", answer->mode.rate),
                          dry_lang__at_most(report, answer->largest),
                          model->elab.n_forces
                              ? dry_lang__text(report, ", %s,", dry_branch_text(answer->branch))
                              : ""};
    dry_place at = dry_lang__run_place(&model->elab);
    bool forced = model->elab.options->force;
    dry_lang__say(report, at, forced ? DRY_MSG_UNSTABLE_FORCED : DRY_MSG_UNSTABLE, args, 6);
    if (!forced && !gives_K(&model->elab))
        dry_lang__way_out(report, "use a step of at most %s s, or --force to run it all the same",
                          args[4]);
}

/* The step that has to be inside the bound; NaN where the method chooses it or nobody knows it. */
static double bound_step(const dry_model *model) {
    const dry_method *method = dry_lang__method_row(&model->elab);
    return method && !method->adaptive ? dry_lang__run_step(&model->elab) : (double)NAN;
}

/* The step that resolves what swings for long to 1e-3 at the end of the run; INFINITY: the usual
 * one does, or one is given. */
static double resolving_step(const dry_model *model, const dry_check *check, dry_mode *mode) {
    static const double ERROR = 1e-3;
    const dry_run_options *run = &model->elab.run;
    const double usual = DRY_RUN_STEP * run->until;
    if (!isnan(run->step) || !(usual > 0.0)) return (double)INFINITY;
    const double T = dry_check_resolving(check, usual, run->until, ERROR, mode);
    return T < usual ? T : (double)INFINITY;
}

void dry_lang__choose_run_step(dry_model *model, const dry_check *check) {
    static const double MOST_STEPS = 1e7;
    dry_report *report = &model->report;
    dry_elab *elab = &model->elab;
    dry_mode mode = {0};
    elab->resolving = resolving_step(model, check, &mode);
    if (!(elab->resolving * MOST_STEPS < elab->run.until) || elab->options->force) return;
    DRY_SAY(report, dry_lang__run_place(elab), UNRESOLVED,
            dry_lang__text(report, "%.4g", mode.rate), dry_lang__at_most(report, elab->resolving),
            dry_lang__text(report, "%.2g", elab->run.until / elab->resolving));
}

bool dry_lang__step_fits(dry_model *model) {
    const double step = bound_step(model);
    const dry_method *method = dry_lang__method_row(&model->elab);
    looked l;
    if (isnan(step)) return true;
    const bool fits = open_model(&l, model, method) && dry_check_fits(&l.check, step) &&
                      resolving_step(model, &l.check, NULL) == model->elab.resolving;
    close_model(&l);
    return fits;
}

/* Finds the least k by halving, of the frictions alone or of the contacts, too; if no k will do,
 * all are as they were. */
static bool soften_kind(dry_model *model, dry_fits_fn *fits, void *user, bool contacts) {
    dry_elab *elab = &model->elab;
    int low = 0, high = MOST_SOFTER, at = high;
    if (!dry_lang__soften(elab, pow(SOFTER, at), contacts)) return false;
    if (!fits(model, user)) {
        dry_lang__soften(elab, pow(SOFTER, -at), contacts);
        return false;
    }
    while (high - low > 1) {
        const int k = (low + high) / 2;
        dry_lang__soften(elab, pow(SOFTER, k - at), contacts);
        at = k;
        *(fits(model, user) ? &high : &low) = k;
    }
    dry_lang__soften(elab, pow(SOFTER, high - at), contacts);
    DRY_SAY(&model->report, (dry_place){0}, SOFTENED,
            dry_lang__text(&model->report, "%.3g", pow(SOFTER, high)));
    return fits(model, user);
}

bool dry_lang__soften_until(dry_model *model, dry_fits_fn *fits, void *user) {
    if (fits(model, user)) return true;
    if (!soften_kind(model, fits, user, false) && !soften_kind(model, fits, user, true)) {
        fits(model, user); /* it is not they who are too stiff */
        return false;
    }
    return true;
}

typedef struct sought {
    double step;
    dry_check_answer answer;
} sought;

static bool fits(dry_model *model, void *user) {
    sought *s = user;
    looked l;
    if (open_model(&l, model, dry_lang__method_row(&model->elab)))
        dry_check_largest(&l.check, s->step, &s->answer);
    close_model(&l);
    model->fastest = s->answer.fastest;
    if (s->answer.known) model->largest_step = s->answer.largest;
    return !s->answer.known || !(s->step > s->answer.largest);
}

/* Where the method has fixed steps. */
static void choose_step(dry_model *model) {
    looked l;
    if (isnan(bound_step(model))) return;
    if (open_model(&l, model, dry_lang__method_row(&model->elab)))
        dry_lang__choose_run_step(model, &l.check);
    close_model(&l);
}

void dry_lang__stability(dry_model *model) {
    choose_step(model);
    sought s = {.step = bound_step(model)};
    if (!dry_lang__soften_until(model, fits, &s)) say_unstable(model, s.step, &s.answer);
}

/* ---- resonance --------------------------------------------------------------------- */

/* omega of sin (omega t + phase) and its like; 0 where the argument is not of that kind */
static double frequency(dry_elab *elab, dry_node node) {
    dry_node_view v = dry_dag_view(elab->dag, node);
    if (!dry_op_rows[v.op].periodic) return 0.0;
    dry_node argument = v.args[0];
    if (dry_dag_depends(elab->dag, argument) & (DRY_ON_STATE | DRY_ON_TAU)) return 0.0;
    dry_node t = dry_dag_leaf(elab->dag, DRY_OP_T, 0);
    dry_node d = dry_dag_diff(elab->dag, argument, t, NULL, 0);
    if (dry_dag_depends(elab->dag, d) & ~(unsigned)DRY_ON_PAR) return 0.0;
    return fabs(dry_dag_value(elab->dag, d, elab->par_value, 0.0, NULL, NULL, 0));
}

typedef struct forcing {
    dry_node node;
    double omega;
} forcing;

enum { MOST_FORCINGS = 16 };

static int find_forcings(dry_elab *elab, forcing *list) {
    int n = 0, count = dry_dag_count(elab->dag);
    for (int i = 0; i < count && n < MOST_FORCINGS; i++) {
        double omega = frequency(elab, i);
        if (omega > 0.0) list[n++] = (forcing){i, omega};
    }
    return n;
}

/* The load on a stuck element at the end of the run: mean, and amplitude of one forcing; everything
 * at rest where it started, friction itself left out. */
static bool load(dry_model *model, const dry_force *force, const forcing *f, const double *x,
                 double *mean, double *amplitude) {
    dry_elab *elab = &model->elab;
    dry_node *rates = dry_heap_take(elab->arena, (size_t)elab->n_states, sizeof *rates);
    if (!rates) return false;
    for (int i = 0; i < elab->n_states; i++) rates[i] = elab->state[i].rate;
    dry_node speed_up = dry_dag_time_derivative(elab->dag, force->input[0], rates, elab->n_states);
    free(rates);
    dry_node pick = dry_dag_pick(elab->dag, force->block, 0);
    dry_override rest[] = {{pick, 0.0}, {f->node, 0.0}}, top[] = {{pick, 0.0}, {f->node, 1.0}};
    double t = isnan(elab->run.until) ? 0.0 : elab->run.until;
    double at_rest = dry_dag_value(elab->dag, speed_up, elab->par_value, t, x, rest, 2);
    double at_top = dry_dag_value(elab->dag, speed_up, elab->par_value, t, x, top, 2);
    *mean = fabs(force->mass * at_rest);
    *amplitude = fabs(force->mass * (at_top - at_rest));
    return isfinite(*mean) && isfinite(*amplitude);
}

/* The stiffnesses at which the amplified load just reaches the level, above and below resonance. */
static void safe_stiffness(double m, double beta, double omega, double allowed, double *low,
                           double *high) {
    double K = m * omega * omega;
    *low = 0.5 * K; /* H <= 1 for sqrt(K/m) <= omega/sqrt(2) */
    *high = K;
    for (int i = 0; i < 200 && dry_transmissibility(*high, beta, m, omega) > allowed; i++)
        *high *= 1.05;
}

static void check_resonance(dry_model *model, const dry_force *force, const forcing *f,
                            const double *x) {
    dry_elab *elab = &model->elab;
    double mean, amplitude, low, high;
    double K = dry_lang__law_value(elab, force, "K"),
           beta = dry_lang__law_value(elab, force, "beta");
    double chi = dry_dag_value(elab->dag, force->chi, elab->par_value, 0.0, x, NULL, 0);
    double H = dry_transmissibility(K, beta, force->mass, f->omega);
    if (H < 1.02 || !load(model, force, f, x, &mean, &amplitude) || amplitude == 0.0) return;
    if (mean + amplitude > chi || mean + amplitude * H <= chi) return;
    safe_stiffness(force->mass, beta, f->omega, (chi - mean) / amplitude, &low, &high);
    DRY_SAY(&model->report, force->at, RESONANCE, force->name,
            dry_lang__number(&model->report, f->omega), dry_lang__text(&model->report, "%.3g", H),
            dry_lang__text(&model->report, "%.2g", high),
            dry_lang__text(&model->report, "%.2g", low));
}

enum { MOST_CHECKED = 50 }; /* a chain of thousands has the same forcing everywhere */

void dry_lang__resonance(dry_model *model) {
    dry_elab *elab = &model->elab;
    forcing list[MOST_FORCINGS];
    int n = find_forcings(elab, list);
    double *x = n ? dry_heap_take(elab->arena, (size_t)elab->n_states, sizeof *x) : NULL;
    if (!x) return;
    dry_lang__start(elab, x);
    for (int i = 0; i < elab->n_forces && i < MOST_CHECKED; i++) {
        const dry_force *force = &elab->force[i];
        if (!dry_lang__is_friction(force) || force->dim != 1 || isnan(force->mass) ||
            force->shared >= 0 || !dry_lang__is_plain(force))
            continue;
        for (int k = 0; k < n; k++) check_resonance(model, force, &list[k], x);
    }
    free(x);
}
