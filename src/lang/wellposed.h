/* What the checks of a model share: the start, the rates, and who depends on whom. */
#ifndef DRY_LANG_WELLPOSED_H
#define DRY_LANG_WELLPOSED_H

#include "elab.h"

typedef struct dry_wellposed {
    dry_elab *elab;
    double *x;            /* the state at the start */
    dry_node *rate;       /* of each state */
    unsigned char *jumps; /* of each node: may jump with the state */
    int n_nodes;          /* when jumps and first_user were made */
    int *seen;            /* of each node: 1 + the last friction force whose level was walked */
    int *first_user;      /* of each node: 1 + the first entry in user, next_user */
    int *user, *next_user, n_users, user_room; /* friction forces whose level uses the node */
} dry_wellposed;

/* through.c: of a force that acts on parts, by asking the net. W[i n + j]: how force j brakes theta
 * i, 1/kg; the inverse of the effective mass of a contact in an impact of the duration h, `own`
 * being the rate of psi by the equations. False where it cannot be found. */
bool dry_lang__friction_through(const dry_wellposed *w, const dry_force *force, double *W);
bool dry_lang__contact_through(const dry_wellposed *w, const dry_force *force, dry_node own,
                               const dry_node *frozen, int n_frozen, double h,
                               double *inverse_mass);

/* The start values of all states, from the parameters as they are now. */
void dry_lang__start(const dry_elab *elab, double *x);

#endif
