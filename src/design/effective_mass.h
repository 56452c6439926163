/* The effective mass of a set-valued force at the start.
 *
 *   friction   1/m = -d(theta_dot)/df     f opposes its own sliding if it is positive
 *   contact    1/m =  d(psi_ddot)/dN      N opens its own gap if it is positive
 *
 * If theta or psi are quantities of parts, mass_through_net.c evaluates the net. */
#ifndef DRY_DESIGN_EFFECTIVE_MASS_H
#define DRY_DESIGN_EFFECTIVE_MASS_H

#include "lang/lang.h"

/* The model at the start: states, rates, and which friction depends on which contact. */
typedef struct dry_mass_search {
    const dry_elab *elab;
    double *x;       /* the state at the start */
    dry_node *rate;  /* of each state */
    int *seen;       /* of each node: 1 + the last friction force whose level was walked */
    int *first_user; /* of each node: 1 + the first entry in user, next_user */
    int *user, *next_user, n_users, user_room; /* friction forces whose level uses the node */
} dry_mass_search;

/* False without memory; close it in both cases. */
bool dry_mass_search_open(dry_mass_search *search, const dry_elab *elab);
void dry_mass_search_close(dry_mass_search *search);
/* The value of a node at the start. */
double dry_mass_search_at(const dry_mass_search *search, dry_node node);

/* Whether theta or psi are quantities of parts. */
bool dry_mass_is_through_net(const dry_mass_search *search, const dry_force *force);

/* W[i n + j]: how component j of the friction brakes component i of theta, 1/kg; *total becomes the
 * sum of the diagonal as a node, -1 if the net was asked. False if it cannot be found. */
bool dry_friction_mobility(const dry_mass_search *search, const dry_force *force, double W[9],
                           dry_node *total);

/* How a contact force opens its own gap, 1/kg. */
typedef struct dry_opening {
    bool has_inertia; /* else N acts on the rate of psi itself, and the rest is not set */
    double direct;    /* with the friction that N causes held fixed */
    double in_slip;   /* with that friction slipping as it slides now: Painleve's test */
    double rigid;     /* if the net was asked: with joints as rigid ones; else `direct` */
    dry_node node;    /* `direct` as a node, -1 if the net was asked */
} dry_opening;
/* False if it cannot be found. */
bool dry_contact_mobility(const dry_mass_search *search, const dry_force *force,
                          dry_opening *opening);

/* ---- mass_through_net.c ---------------------------------------------------------------- */

/* The same by asking the net: of a contact in an impact of the duration h, `own` being the rate of
 * psi by the equations. */
bool dry_design__friction_through_net(const dry_mass_search *search, const dry_force *force,
                                      double *W);
bool dry_design__contact_through_net(const dry_mass_search *search, const dry_force *force,
                                     dry_node own, const dry_node *frozen, int n_frozen, double h,
                                     double *inverse_mass);

#endif
