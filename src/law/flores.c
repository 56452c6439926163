/* flores: Hunt-Crossley contact with the damping of Flores, Machado, Silva, Martins 2011.
 *
 *     N = K delta^lambda (1 + c delta_dot/v0)  for delta > 0,  else 0,   delta = -psi
 *     c = 8 (1 - e)/(5 e)
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; K: stiffness, N/m^lambda; lambda:
 * exponent; e: wanted restitution; v0: speed at touch-down, m/s, a state (rebound.h).
 *
 * c is for soft bodies: it is near the exact inverse for small e and for e close to 1. */
#include "catalogue.h"
#include "rebound.h"

static double coefficient(const double *par, const double *u) {
    (void)u;
    const double e = par[DRY_LAW__REBOUND_E];
    return 1.6 * (1.0 - e) / e;
}

#include "rebound.in"

const dry_law dry_law__flores = {
    .name = "flores",
    .title = "Flores contact",
    .equation = "N = K delta^lambda (1 + c delta_dot/v0) for delta > 0, else 0,  delta = -psi\n"
                "c = 8 (1 - restitution)/(5 restitution)",
    .paper = "Flores, Machado, Silva, Martins 2011",
    .known = "A coefficient for soft bodies that is also right for nearly elastic ones. The speeds "
             "after the impact\n"
             "in the figure should be 0.1, 0.3, 0.5, 0.7 and 0.9 of the speed before, and are "
             "0.069, 0.256, 0.470,\n"
             "0.683 and 0.894 of it. It pulls if the bodies are torn apart faster than v0/c.",
    REBOUND_MEMBERS,
};
