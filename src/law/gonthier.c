/* gonthier: Hunt-Crossley contact with the damping of Gonthier, McPhee, Lange, Piedboeuf 2004.
 *
 *     N = K delta^lambda (1 + c delta_dot/v0)  for delta > 0,  else 0,   delta = -psi
 *     c = (1 - e^2)/e
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; K: stiffness, N/m^lambda; lambda:
 * exponent; e: wanted restitution; v0: speed at touch-down, m/s, a state (rebound.h).
 *
 * c approximates the exact inverse (rebound.c) and is near it for all e but those close to 1. */
#include "catalogue.h"
#include "rebound.h"

static double coefficient(const double *par, const double *u) {
    (void)u;
    const double e = par[DRY_LAW__REBOUND_E];
    return (1.0 - e * e) / e;
}

#include "rebound.in"

const dry_law dry_law__gonthier = {
    .name = "gonthier",
    .title = "Gonthier contact",
    .equation = "N = K delta^lambda (1 + c delta_dot/v0) for delta > 0, else 0,  delta = -psi\n"
                "c = (1 - restitution^2)/restitution",
    .paper = "Gonthier, McPhee, Lange, Piedboeuf 2004",
    .known =
        "A coefficient near the exact one for soft bodies. The speeds after the impact in the "
        "figure should be\n"
        "0.1, 0.3, 0.5, 0.7 and 0.9 of the speed before, and are 0.101, 0.304, 0.488, 0.670 "
        "and 0.876 of it:\n"
        "as the restitution approaches 1, the contact loses a third more energy than it should. "
        "It pulls if\n"
        "the bodies are torn apart faster than v0/c.",
    REBOUND_MEMBERS,
};
