/* rebound: what a method with fixed steps makes of one impact of the contact element.
 *
 * In units of the mass m, the speed before and the step T the element of X13 (24), (25) has
 * K T^2/m, alpha/T and beta/T: the coefficient of restitution (COR) depends on these three, on the
 * method and on where in a step the touch-down lies, over which the mean is taken. */
#include "lang/design.h"

#include <drystone/law.h>
#include <drystone/math.h>
#include <drystone/ode.h>

enum { PHASES = 8, MOST_STEPS = 4000, MOST_WORK = 128 };

enum { GAP, SPEED, INDENTATION, N_STATES };

static void rate(const dry_env *env, double t, double tau, const double *x, double *x_dot) {
    (void)t;
    const double *par = env->par;
    x_dot[GAP] = x[SPEED];
    x_dot[SPEED] =
        dry_contact(par[0], par[1], par[2], tau, x[GAP], x[INDENTATION], &x_dot[INDENTATION]);
}

static void touch(const dry_env *env, double t, double *x) {
    (void)env, (void)t;
    x[GAP] = x[INDENTATION] = 0.0;
    x[SPEED] = -1.0;
}

/* The speed with which a mass leaves that touches down `phase` of a step after the start. */
static double leaves_with(const dry_system *system, const dry_method *method, double phase) {
    const dry_ode_options options = {.step = 1.0};
    const double x[N_STATES] = {phase, -1.0, 0.0};
    double work[MOST_WORK];
    dry_ode ode;
    DRY_ASSERT(dry_ode_size(system, method) <= MOST_WORK);
    if (dry_ode_init(&ode, system, method, &options, NULL, 0.0, x, NULL, work) != DRY_OK)
        return (double)NAN;
    do
        if (dry_ode_step(&ode, MOST_STEPS) != DRY_OK) return (double)NAN;
    while (ode.t < MOST_STEPS && !(ode.x[GAP] > 0.0 && ode.x[SPEED] > 0.0));
    return dry_max(ode.x[SPEED], 0.0);
}

double dry_contact_rebound(const dry_contact_choice *contact, const dry_method *method, double mass,
                           double step) {
    static const dry_quantity names[N_STATES] = {{"gap", ""}, {"speed", ""}, {"e", ""}};
    static const dry_quantity params[3] = {{"K", ""}, {"alpha", ""}, {"beta", ""}};
    static const bool positions[N_STATES] = {[GAP] = true};
    const double par[3] = {contact->K * step * step / mass, contact->alpha / step,
                           contact->beta / step};
    const dry_system system = {.name = "impact",
                               .n_states = N_STATES,
                               .n_par = 3,
                               .states = names,
                               .params = params,
                               .par = par,
                               .positions = positions,
                               .start = touch,
                               .rate = rate};
    double sum = 0.0;
    for (int i = 0; i < PHASES; i++) sum += leaves_with(&system, method, (i + 0.5) / PHASES);
    return sum / PHASES;
}
