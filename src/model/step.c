/* step: checks the step (check 6), and makes chosen elements softer until the step fits. */
#include "model_private.h"

#include <math.h>

/* ---- the model as checks see it --------------------------------------------------------- */

static void rate_of_equations(const dry_env *env, dry_branch branch, double tau, const double *x,
                              double *roots, bool follows, double *x_dot) {
    const dry_model *model = env->model;
    (void)roots, (void)follows;
    dry_image_run_branch(model->code.image, DRY_SECTION_RATE, branch, 0.0, tau, x, x_dot,
                         env->work);
}

dry_subject dry_model__subject(const dry_model *model) {
    return (dry_subject){.elab = &model->elab,
                         .system = &model->system,
                         .inclusion = model->kept.image ? &model->kept.inclusion : NULL,
                         .rate_in = model->mixed ? dry_model__branch_rate : rate_of_equations};
}

static void keep_answer(dry_model *model, const dry_step_answer *answer) {
    model->fastest = answer->fastest;
    if (answer->known) model->largest_step = answer->largest;
}

/* ---- equations alone ---------------------------------------------------------------------- */

static bool fits_equations(dry_model *model, void *user) {
    dry_step_answer *answer = user;
    const dry_subject subject = dry_model__subject(model);
    const bool fits = dry_check_equation_step(&subject, answer);
    keep_answer(model, answer);
    return fits;
}

void dry_model__check_equation_step(dry_model *model) {
    const dry_subject subject = dry_model__subject(model);
    dry_step_answer answer = {0};
    model->elab.resolving = dry_check_resolving_step(&subject);
    if (!dry_model__soften_until(model, fits_equations, &answer))
        dry_check_say_unstable(&subject, &answer);
}

/* For other values of the parameters. The faster check finds the usual case, in which nothing must
 * be softer. */
void dry_model__soften_again(dry_model *copy) {
    const dry_subject subject = dry_model__subject(copy);
    dry_step_answer answer = {0};
    if (!dry_check_step_fits(&subject)) dry_model__soften_until(copy, fits_equations, &answer);
}

double dry_model_largest_by(const dry_model *model, const dry_method *method) {
    const dry_subject subject = dry_model__subject(model);
    return model->mixed ? (double)INFINITY : dry_check_largest_step(&subject, method);
}

/* ---- with parts ---------------------------------------------------------------------------- */

static bool fits_pushes(dry_model *model, void *user) {
    dry_model__renew_par(model);
    return dry_push_check_fits(user);
}

static void check_pushes(dry_model *model, const dry_subject *subject) {
    dry_push_check *check = dry_push_check_new(subject);
    dry_step_answer answer = {0};
    if (check && !dry_model__soften_until(model, fits_pushes, check)) {
        dry_push_check_say(check, &answer);
        model->fastest = answer.mode.rate;
        model->largest_step = answer.largest;
    }
    dry_push_check_free(check);
}

void dry_model__check_part_step(dry_model *model) {
    const dry_subject subject = dry_model__subject(model);
    dry_step_answer answer = {0};
    model->elab.resolving = dry_check_part_resolving(&subject);
    if (model->diag.n_errors) return;
    if (!dry_check_part_step(&subject, &answer)) keep_answer(model, &answer);
    if (!model->diag.n_errors) check_pushes(model, &subject);
}
