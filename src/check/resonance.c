/* resonance: checks whether a stuck element resonates with a periodic forcing (check 8). */
#include "check_private.h"

#include <math.h>
#include <stdlib.h>

/* Returns omega of sin (omega t + phase) and similar functions; 0 if the argument does not have
 * this form. */
static double frequency(const dry_elab *elab, dry_node node) {
    dry_node_view v = dry_dag_view(elab->dag, node);
    if (!dry_op_rows[v.op].periodic) return 0.0;
    dry_node argument = v.args[0];
    if (dry_dag_depends(elab->dag, argument) & (DRY_ON_STATE | DRY_ON_TAU)) return 0.0;
    dry_node t = dry_dag_leaf(elab->dag, DRY_OP_T, 0);
    dry_node d = dry_dag_diff(elab->dag, argument, t, NULL, 0);
    if (dry_dag_depends(elab->dag, d) & ~(unsigned)DRY_ON_PAR) return 0.0;
    return fabs(dry_dag_value(elab->dag, d, elab->quantities.par_value, 0.0, NULL, NULL, 0));
}

typedef struct forcing {
    dry_node node;
    double omega;
} forcing;

enum { MOST_FORCINGS = 16 };

static int find_forcings(const dry_elab *elab, forcing *list) {
    int n = 0, count = dry_dag_count(elab->dag);
    for (int i = 0; i < count && n < MOST_FORCINGS; i++) {
        double omega = frequency(elab, i);
        if (omega > 0.0) list[n++] = (forcing){i, omega};
    }
    return n;
}

/* Computes the load on a stuck element at the end of the run: its mean, and the amplitude of one
 * forcing. Everything rests where it started; the friction itself is left out. */
static bool load(const dry_elab *elab, const dry_force *force, const forcing *f, const double *x,
                 double *mean, double *amplitude) {
    dry_node *rates = dry_heap_take(elab->arena, (size_t)elab->quantities.n_states, sizeof *rates);
    if (!rates) return false;
    for (int i = 0; i < elab->quantities.n_states; i++) rates[i] = elab->quantities.state[i].rate;
    dry_node speed_up =
        dry_dag_time_derivative(elab->dag, force->input[0], rates, elab->quantities.n_states);
    free(rates);
    dry_node pick = dry_dag_pick(elab->dag, force->block, 0);
    dry_override rest[] = {{pick, 0.0}, {f->node, 0.0}}, top[] = {{pick, 0.0}, {f->node, 1.0}};
    const double t = elab->run.until;
    double at_rest = dry_dag_value(elab->dag, speed_up, elab->quantities.par_value, t, x, rest, 2);
    double at_top = dry_dag_value(elab->dag, speed_up, elab->quantities.par_value, t, x, top, 2);
    *mean = fabs(force->design.mass * at_rest);
    *amplitude = fabs(force->design.mass * (at_top - at_rest));
    return isfinite(*mean) && isfinite(*amplitude);
}

/* Finds the stiffnesses, above and below resonance, at which the amplified load just reaches the
 * level. */
static void safe_stiffness(double m, double beta, double omega, double allowed, double *low,
                           double *high) {
    double K = m * omega * omega;
    *low = 0.5 * K; /* H <= 1 for sqrt(K/m) <= omega/sqrt(2) */
    *high = K;
    for (int i = 0; i < 200 && dry_transmissibility(*high, beta, m, omega) > allowed; i++)
        *high *= 1.05;
}

static void check_resonance(const dry_elab *elab, const dry_force *force, const forcing *f,
                            const double *x) {
    double mean, amplitude, low, high;
    double K = dry_lang_law_value(elab, force, "K"), beta = dry_lang_law_value(elab, force, "beta");
    double chi = dry_dag_value(elab->dag, force->chi, elab->quantities.par_value, 0.0, x, NULL, 0);
    double H = dry_transmissibility(K, beta, force->design.mass, f->omega);
    if (H < 1.02 || !load(elab, force, f, x, &mean, &amplitude) || amplitude == 0.0) return;
    if (mean + amplitude > chi || mean + amplitude * H <= chi) return;
    safe_stiffness(force->design.mass, beta, f->omega, (chi - mean) / amplitude, &low, &high);
    DRY_SAY(elab->diag, force->at, RESONANCE, force->name, dry_diag_number(elab->diag, f->omega),
            dry_diag_text(elab->diag, "%.3g", H), dry_diag_text(elab->diag, "%.2g", high),
            dry_diag_text(elab->diag, "%.2g", low));
}

enum { MOST_CHECKED = 50 }; /* a chain of thousands has the same forcing everywhere */

void dry_check_resonance(const dry_elab *elab) {
    forcing list[MOST_FORCINGS];
    int n = find_forcings(elab, list);
    double *x = n ? dry_heap_take(elab->arena, (size_t)elab->quantities.n_states, sizeof *x) : NULL;
    if (!x) return;
    dry_lang_start(elab, x);
    for (int i = 0; i < elab->quantities.n_forces && i < MOST_CHECKED; i++) {
        const dry_force *force = &elab->quantities.force[i];
        if (!dry_lang_is_friction(force) || force->dim != 1 || isnan(force->design.mass) ||
            force->shared >= 0 || !dry_lang_is_plain(force))
            continue;
        for (int k = 0; k < n; k++) check_resonance(elab, force, &list[k], x);
    }
    free(x);
}
