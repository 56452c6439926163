/* run_turns: the angle about the axis of a hinge, continued beyond half a turn.
 *
 * Two frames determine their angle up to whole turns. A state theta counts the turns,
 *
 *     theta_dot = v,   p = angle + 2 pi n,   n such that p is next to theta
 *
 * v: the rate of the angle. So p is a function of the net's states alone, is as exact as the
 * frames, and does not jump between the stages of a step, however far they turn. The error of the
 * method makes theta drift from p; the latch after a step removes the drift long before it reaches
 * half a turn.
 *
 * theta, p, angle: rad; v: rad/s. */
#include "net_private.h"
#include <math.h>

static const double TURN = 6.283185307179586477, FAR = 1.0; /* rad */

double dry_net__turned(double angle, double theta) {
    return angle + TURN * rint((theta - angle) / TURN);
}

void dry_net__psi_turned(const dry_net__run *run, const dry_net__link *link) {
    double *in = run->motion + link->in;
    dry_net__psi(link, run->motion, in);
    if (dry_net__turns(link)) in[0] = dry_net__turned(in[0], run->x[link->theta]);
}

void dry_net__phi_turned(const dry_net__run *run, const dry_net__link *link) {
    dry_net__phi(link, run->motion, run->force);
    if (dry_net__turns(link)) run->x_dot[link->theta] = run->motion[link->in + 1];
}

static double p_of(const dry_net__run *run, int index) {
    dry_net__psi_link(run, index);
    return run->motion[run->net->wiring.links[index].in];
}

void dry_net__start_turns(const dry_net__run *run, double *x) {
    for (int i = 0; i < run->net->wiring.n_driven; i++) {
        const int index = run->net->wiring.driven[i];
        const dry_net__link *link = &run->net->wiring.links[index];
        if (dry_net__turns(link)) x[link->theta] = p_of(run, index);
    }
}

bool dry_net__latch_turns(const dry_net__run *run, double *x) {
    bool changed = false;
    for (int i = 0; i < run->net->wiring.n_driven; i++) {
        const int index = run->net->wiring.driven[i];
        const dry_net__link *link = &run->net->wiring.links[index];
        const double p = dry_net__turns(link) ? p_of(run, index) : 0.0;
        if (!dry_net__turns(link) || fabs(p - x[link->theta]) <= FAR) continue;
        x[link->theta] = p;
        changed = true;
    }
    return changed;
}
