/* zhang_sharf: Hunt-Crossley contact with the exact damping of a restitution, after Zhang, Sharf
 * 2009.
 *
 *     N = K delta^lambda (1 + c delta_dot/v0)  for delta > 0,  else 0,   delta = -psi
 *     (1 + c)/(1 - e c) = exp(c (1 + e)),   0 < c < 1/e
 *
 * psi: gap, m; psi_dot: its rate, m/s; N: contact force, N; K: stiffness, N/m^lambda; lambda:
 * exponent; e: wanted restitution; v0: speed at touch-down, m/s, a state (rebound.h).
 *
 * The line for c is the closed form of one impact (rebound.c), so a mass that nothing else pushes
 * has the restitution e. It has no solution in elementary functions; rebound.h finds c to rounding.
 */
#include "catalogue.h"
#include "rebound.h"

/* While the gap is open nothing asks for c. */
static double coefficient(const double *par, const double *u) {
    return u[0] < 0.0 ? dry_law__rebound_exact(par[DRY_LAW__REBOUND_E]) : 0.0;
}

#include "rebound.in"

const dry_law dry_law__zhang_sharf = {
    .name = "zhang_sharf",
    .title = "Zhang-Sharf contact",
    .equation = "N = K delta^lambda (1 + c delta_dot/v0) for delta > 0, else 0,  delta = -psi\n"
                "(1 + c)/(1 - e c) = exp(c (1 + e)), e = restitution",
    .paper = "Zhang, Sharf 2004, 2009",
    .known =
        "The restitution that you ask for. The speeds after the impact in the figure should be "
        "0.1, "
        "0.3, 0.5,\n"
        "0.7 and 0.9 of the speed before, and they are; the other laws of this form miss them. "
        "c is 9.998,\n"
        "3.087, 1.433, 0.6348 and 0.1665. This holds for one impact with nothing else that "
        "pushes. It pulls\n"
        "if the bodies are torn apart faster than v0/c.",
    REBOUND_MEMBERS,
};
