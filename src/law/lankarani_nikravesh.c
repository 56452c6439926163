/* lankarani_nikravesh: Hunt-Crossley contact with the damping of Lankarani, Nikravesh 1990.
 *
 *     N = K delta^lambda (1 + c delta_dot/v0)  for delta > 0,  else 0,   delta = -psi
 *     c = 3 (1 - e^2)/4
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; K: stiffness, N/m^lambda; lambda:
 * exponent; e: wanted restitution; v0: speed at touch-down, m/s, a state (rebound.h).
 *
 * c is exact to first order in 1 - e, and loses too little for soft bodies: e = 0.5 becomes 0.73.
 */
#include "catalogue.h"
#include "rebound.h"

static double coefficient(const double *par, const double *u) {
    (void)u;
    const double e = par[DRY_LAW__REBOUND_E];
    return 0.75 * (1.0 - e * e);
}

#include "rebound.in"

const dry_law dry_law__lankarani_nikravesh = {
    .name = "lankarani_nikravesh",
    .title = "Lankarani-Nikravesh contact",
    .equation = "N = K delta^lambda (1 + c delta_dot/v0) for delta > 0, else 0,  delta = -psi\n"
                "c = 3 (1 - restitution^2)/4",
    .paper = "Lankarani, Nikravesh 1990",
    .known = "A coefficient that is right for nearly elastic bodies and far too small for soft "
             "ones. The speeds\n"
             "after the impact in the figure should be 0.1, 0.3, 0.5, 0.7 and 0.9 of the speed "
             "before, and are 0.665,\n"
             "0.684, 0.725, 0.796 and 0.913 of it: no wanted restitution gives less than 0.663. It "
             "pulls if the\n"
             "bodies are torn apart faster than v0/c.",
    REBOUND_MEMBERS,
};
