/* impact: integrates one impact of the contact element by a method with fixed steps.
 *
 * In units of the mass m, the speed before and the step T the element of X13 (24), (25) has
 * K T^2/m, alpha/T and beta/T: the coefficient of restitution (COR) depends on these three, on the
 * method and on where in a step the touch-down lies, over which the mean is taken. */
#include <drystone/design.h>
#include <drystone/math.h>

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

/* The rebound speed of a mass that touches down `phase` of a step after the start; NAN: it is still
 * in contact after all steps. */
static double leaves_with(const dry_system *system, const dry_method *method, double phase) {
    const dry_ode_options options = {.step = 1.0};
    const double x[N_STATES] = {phase, -1.0, 0.0};
    double work[MOST_WORK];
    dry_ode ode;
    DRY_ASSERT(dry_ode_size(system, method) <= MOST_WORK);
    if (dry_ode_init(&ode, system, method, &options, NULL, 0.0, x, NULL, work) != DRY_OK)
        return (double)NAN;
    do
        if (ode.t >= MOST_STEPS || dry_ode_step(&ode, MOST_STEPS) != DRY_OK) return (double)NAN;
    while (!(ode.x[GAP] > 0.0 && ode.x[SPEED] > 0.0));
    return ode.x[SPEED];
}

double dry_contact_rebound(const dry_contact_choice *contact, const dry_method *method, double mass,
                           double step) {
    static const dry_quantity names[N_STATES] = {{"gap", ""}, {"speed", ""}, {"e", ""}};
    static const dry_quantity params[3] = {{"K", ""}, {"alpha", ""}, {"beta", ""}};
    static const bool positions[N_STATES] = {[GAP] = true};
    if (!method || !method->tableau) return (double)NAN;
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

/* ---- designs for these steps --------------------------------------------- */

/* The wanted element: of this stiffness, or resolved by so many steps. */
typedef struct wish {
    double mass, step, K, steps_per_contact; /* K 0: not given */
} wish;

static dry_status design(const wish *w, double restitution, dry_contact_choice *choice) {
    return w->K > 0.0
               ? dry_contact_from_stiffness(restitution, w->mass, w->K, choice)
               : dry_contact_resolved(restitution, w->mass, w->step, w->steps_per_contact, choice);
}

static const double enough = 1e-4; /* of the COR */
enum { TRIES = 12 };

static double miss(const wish *w, const dry_method *method, double restitution,
                   const dry_contact_choice *choice) {
    return dry_contact_rebound(choice, method, w->mass, w->step) - restitution;
}

/* If a method adds the step of its stages to alpha and beta, they act longer by a share of the
 * step, about 3/4 with rk4-tau and 1/2 with semi-implicit. Shortened by that share they give the
 * tangent design again. The secant method finds the share. Returns false if alpha is too short. */
static bool shorten(const wish *w, const dry_method *method, double restitution,
                    dry_contact_choice *choice) {
    const dry_contact_choice exact = *choice;
    double share = 0.6, before = 0.0, missed = miss(w, method, restitution, choice);
    for (int i = 0; i < TRIES; i++) {
        const double less = share * w->step;
        if (!(less >= 0.0 && less < exact.alpha)) return false;
        *choice = (dry_contact_choice){exact.K, exact.alpha - less, exact.beta - less};
        const double now = miss(w, method, restitution, choice);
        if (fabs(now) <= enough) return true;
        const double next = share - now * (share - before) / (now - missed);
        before = share;
        missed = now;
        share = next;
    }
    return false;
}

/* The COR of a method grows with that of the design at a slope of about 1, so that the error of the
 * one corrects the other. */
static dry_status aim_beside(const wish *w, const dry_method *method, double restitution,
                             dry_contact_choice *choice) {
    double aim = restitution;
    dry_status status = design(w, aim, choice);
    for (int i = 0; i < TRIES && status == DRY_OK; i++) {
        const double error = miss(w, method, restitution, choice);
        const double next = dry_tangent_nearest(aim - error);
        if (!(fabs(error) > enough) || next == aim) break;
        aim = next;
        status = design(w, aim, choice);
    }
    return status;
}

/* An impact, which lasts pi sqrt(m/K) or less, of more than a thousand steps: all methods are right
 * to 2e-3 there without a correction. */
static bool is_long(const wish *w, const dry_contact_choice *choice) {
    return choice->K * w->step * w->step < 1e-5 * w->mass;
}

static dry_status correct(const wish *w, const dry_method *method, double restitution,
                          dry_contact_choice *choice) {
    const dry_status status = design(w, restitution, choice);
    if (status != DRY_OK || !method || !method->fixed || is_long(w, choice)) return status;
    if (method->uses_tau && shorten(w, method, restitution, choice)) return DRY_OK;
    return aim_beside(w, method, restitution, choice);
}

dry_status dry_contact_from_step(const char *method, double restitution, double mass, double step,
                                 double steps_per_contact, dry_contact_choice *choice) {
    const wish w = {.mass = mass, .step = step, .steps_per_contact = steps_per_contact};
    return correct(&w, method ? dry_method_find(method) : NULL, restitution, choice);
}

dry_status dry_contact_by_step(const char *method, double restitution, double mass, double K,
                               double step, dry_contact_choice *choice) {
    const wish w = {.mass = mass, .step = step, .K = K};
    return correct(&w, method ? dry_method_find(method) : NULL, restitution, choice);
}
