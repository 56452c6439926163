/* contact_choose: K, alpha, beta, Kt and betat of a contact that leaves them open, by the bodies
 * that may meet there (net.h, dry_meeting).
 *
 * The restitution is that of an impact of the lightest body, m: on something fixed 1/m = W1, on the
 * next lighter one 1/m = W1 + W2; where there are both, m is the mean of the two in its logarithm,
 * which either misses by a factor of at most 2^(1/2): the restitution hardly changes there. K is as
 * large as the steps of an impact allow; Kt = K, and betat = 2/w damps the fastest motion across,
 * w^2 = Kt across, critically. Where the method is not stable for a body all points of which are
 * met at once, alone or held by joints, the impact is made slower, its restitution being the same.
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

/* Kt and betat where they are open, once K is there. */
static void choose_across(double across, double *par) {
    if (!(par[DRY_BODY__KT] > 0.0)) par[DRY_BODY__KT] = par[DRY_BODY__K];
    if (!(par[DRY_BODY__BETAT] > 0.0))
        par[DRY_BODY__BETAT] =
            across > 0.0 ? 2.0 / sqrt(par[DRY_BODY__KT] * across) : par[DRY_BODY__BETA];
}

/* For the contacts of a body alone, for its friction alone, for all that may hold it; in the place
 * of no method stands the one that can do least. */
static bool is_stable(const dry_meeting *meeting, const dry_pace *pace, const double *par) {
    const dry_method *method = pace->method ? pace->method : dry_method_find("semi-implicit");
    const double Kt = par[DRY_BODY__MU] > 0.0 ? par[DRY_BODY__KT] * meeting->across : 0.0;
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

static void choose_slower(const dry_body__contacts *contacts, const dry_meeting *meeting,
                          double slower, dry_pace *pace, const double *told, double *par) {
    dry_contact_choice c;
    memcpy(par, told, DRY_BODY__N_PAR * sizeof *par);
    dry_pace_contact(pace, contacts->restitution, mass_of(meeting), told[DRY_BODY__K], slower, &c);
    par[DRY_BODY__K] = c.K;
    par[DRY_BODY__ALPHA] = c.alpha;
    par[DRY_BODY__BETA] = c.beta;
    choose_across(meeting->across, par);
}

/* Where no pace would do, such as with euler and nothing lost, the step is not to blame. */
void dry_body__contact_choose(const dry_part *self, const dry_meeting *meeting, dry_pace *pace,
                              double *par) {
    const double MORE = 1.15, MOST = 60.0;
    double told[DRY_BODY__N_PAR], slower = 1.0;
    memcpy(told, par, sizeof told);
    choose_slower(self->data, meeting, slower, pace, told, par);
    if (told[DRY_BODY__K] > 0.0) return;
    while (slower < MOST && !is_stable(meeting, pace, par))
        choose_slower(self->data, meeting, slower *= MORE, pace, told, par);
    if (!(slower < MOST)) choose_slower(self->data, meeting, 1.0, pace, told, par);
}
