/* The absolute tolerance of each state.
 *
 * An error per step may be atol + rtol |x|. The stretch a of a stiff law is at most F/K, which may
 * be far below atol, and its error appears K times larger in the force. So a strain starts with a
 * small part of atol, and later has rtol times the largest value that it has had.
 *
 * a: stretch, m; K: N/m; F: largest force, N. */
#include "ode_private.h"

/* The least tolerance of a strain, in parts of atol: what is smaller is noise. */
static const double LEAST = 1e-6;

void dry_ode__atol_set(dry_ode *ode) {
    const dry_system *system = ode->system;
    double *atol = dry_ode__atol(ode);
    for (int i = 0; i < system->n_states; i++)
        atol[i] = ode->options.atol * (system->strains && system->strains[i] ? LEAST : 1.0);
    dry_ode__atol_grow(ode);
}

void dry_ode__atol_grow(dry_ode *ode) {
    const dry_system *system = ode->system;
    double *atol = dry_ode__atol(ode);
    for (int i = 0; system->strains && i < system->n_states; i++) {
        const double part = ode->options.rtol * fabs(ode->x[i]), most = ode->options.atol;
        if (part > atol[i]) atol[i] = part < most ? part : most;
    }
}
