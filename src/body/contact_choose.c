/* contact_choose: chooses K, alpha, beta, Kt and betat of a contact that leaves them open, from the
 * bodies that may meet (part.h, dry_meeting).
 *
 * The restitution holds for an impact of the lightest body, with effective mass m: on something
 * fixed 1/m = W1, on the next heavier body 1/m = W1 + W2. If both can happen, m is their geometric
 * mean, which is wrong for either by a factor of at most 2^(1/2); the restitution hardly changes
 * there. K is as large as the steps of an impact allow; Kt = K, and betat = 2/w damps the fastest
 * motion across, w^2 = Kt across, critically. If the method is not stable for a body that is met at
 * all its points at once, alone or held by joints, the impact is made slower with the same
 * restitution.
 *
 * A load P on one point at the start indents it by P/K, and by up to 1 + e times as much at first,
 * because it acts suddenly. If that is more than DRY_SINKS of the thinnest shape, K is made larger
 * as far as the method is stable.
 *
 * along, across: 1/kg; omega: of the joints, rad/s. */
#include "contact_private.h"

bool dry_body__contact_is_open(const dry_part *self, const double *par, const dry_wrong **wrong) {
    const dry_body__contacts *c = self->data;
    return dry_contact_is_open(par + DRY_BODY__K, c->restitution, wrong);
}

/* m, kg */
static double mass_of(const dry_meeting *meeting) {
    const double W1 = meeting->W[0], both = W1 + meeting->W[1];
    if (!(W1 > 0.0)) return 1.0;
    return meeting->fixed ? 1.0 / (sqrt(W1) * sqrt(both)) : 1.0 / both;
}

/* Chooses Kt and betat if they are open, after K. */
static void choose_across(double across, double *par) {
    if (!(par[DRY_BODY__KT] > 0.0)) par[DRY_BODY__KT] = par[DRY_BODY__K];
    if (!(par[DRY_BODY__BETAT] > 0.0))
        par[DRY_BODY__BETAT] =
            across > 0.0 ? 2.0 / sqrt(par[DRY_BODY__KT] * across) : par[DRY_BODY__BETA];
}

/* Checks the contacts of a body alone, its friction alone, and all that may hold it. Without a
 * method, the least stable one is checked. */
static bool is_stable(const dry_meeting *meeting, const dry_pace *pace, const double *par) {
    const dry_method *method = pace->method ? pace->method : dry_method_find("semi-implicit");
    const double Kt = dry_body__rubs(par) ? par[DRY_BODY__KT] * meeting->across : 0.0;
    const double omega = meeting->held ? pace->omega : 0.0, w = Kt * par[DRY_BODY__BETAT];
    const dry_firmness along = {.Kc = par[DRY_BODY__K] * meeting->along,
                                .alpha = par[DRY_BODY__ALPHA],
                                .beta = par[DRY_BODY__BETA]},
                       across = {.C = w, .Kf = Kt, .Ktau = Kt, .alpha = (double)INFINITY};
    dry_firmness all = along;
    all.K = omega * omega;
    all.C = 2.0 * omega + w;
    all.Kf = all.Ktau = Kt;
    return method->adaptive || (dry_firmness_is_stable(&along, method, pace->step) &&
                                dry_firmness_is_stable(&across, method, pace->step) &&
                                dry_firmness_is_stable(&all, method, pace->step));
}

typedef struct wish {
    const dry_meeting *meeting;
    dry_pace *pace;
    const double *given; /* parameters */
    double restitution, slower;
} wish;

static void choose_as(const wish *w, double *par) {
    dry_contact_choice c;
    memcpy(par, w->given, DRY_BODY__N_PAR * sizeof *par);
    w->pace->contact(w->pace, w->restitution, mass_of(w->meeting), w->given[DRY_BODY__K], w->slower,
                     &c);
    par[DRY_BODY__K] = c.K;
    par[DRY_BODY__ALPHA] = c.alpha;
    par[DRY_BODY__BETA] = c.beta;
    choose_across(w->meeting->across, par);
}

static const double MORE = 1.15, MOST = 60.0;

/* Slows the impact until it is stable; returns false if no pace is. */
static bool slow_down(wish *w, double *par) {
    choose_as(w, par);
    while (w->slower < MOST && !is_stable(w->meeting, w->pace, par)) {
        w->slower *= MORE;
        choose_as(w, par);
    }
    return w->slower < MOST;
}

/* If no pace is stable, such as with euler and restitution 1, the step is not the cause. */
static void choose_alone(wish *w, double *par) {
    if (slow_down(w, par)) return;
    w->slower = 1.0;
    choose_as(w, par);
}

/* ---- what presses -------------------------------------------------------------------------- */

static const double FASTER = 4.0; /* three steps are left to an impact */

/* The wanted stiffness if the method is stable with it, else the largest stable one. */
static double stiffest(const wish *w, double K_wanted, double *par) {
    wish try = *w;
    try.slower = 1.0;
    choose_as(&try, par);
    try.slower = dry_max(1.0 / FASTER, sqrt(par[DRY_BODY__K] / K_wanted));
    return slow_down(&try, par) ? par[DRY_BODY__K] : 0.0;
}

/* Stiffens the contact so that an impact takes fewer steps; the restitution stays as given. */
static void press_on(const wish *w, const dry_net_press *press, double *par) {
    double stiffer[DRY_BODY__N_PAR];
    const double K = stiffest(w, press->K_wanted * (1.0 - 1e-9), stiffer);
    if (K > press->K_alone) memcpy(par, stiffer, sizeof stiffer);
}

void dry_body__contact_choose(const dry_part *self, const dry_meeting *meeting, dry_pace *pace,
                              double *par, dry_net_press *press) {
    const dry_body__contacts *c = self->data;
    double given[DRY_BODY__N_PAR];
    const double asked = c->restitution < 0.0 ? DRY_PLAIN_RESTITUTION : c->restitution;
    const double sudden = 1.0 + dry_max(asked, DRY_PLAIN_RESTITUTION);
    wish w = {meeting, pace, given, asked, 1.0};
    memcpy(given, par, sizeof given);
    if (given[DRY_BODY__K] > 0.0) {
        choose_as(&w, par);
        return;
    }
    choose_alone(&w, par);
    *press =
        (dry_net_press){.load = meeting->press,
                        .K_alone = par[DRY_BODY__K],
                        .K_wanted = sudden * meeting->press / (DRY_SINKS * self->gathers->thinnest),
                        .thinnest = self->gathers->thinnest};
    if (press->K_alone < press->K_wanted) press_on(&w, press, par);
    press->K = par[DRY_BODY__K];
}
