/* impedance: computes the stiffness of an impedance part near a state, at rest (stability.h,
 * dry_firmness).
 *
 * If the part has no `firmness` of its own, differences of its eval give it, one velocity of a port
 * at a time. They are small enough for friction to stick:
 *
 *     C  = -df/dv,   Ktau = dC/dtau,   K = -df/dp
 *     Kf = -df/dx . dx_dot/dv,   x the states: those that a stuck friction stretches
 *
 * Coupling between directions is neglected. p: m (rad); v: m/s (rad/s); f: N (N m); tau: s.
 */
#include "net_private.h"
#include <math.h>
#include <stdlib.h>

/* Differences of v, m/s; of tau, s; the time for which states follow their rates, s; of p, m.
 * Friction of 1e7 N/m that yields at 1e-3 N still sticks. */
static const double SPEED = 1e-9, STAGE = 1e-3, WHILE = 1e-2, WAY = 1e-7;

/* ---- ports -------------------------------------------------------------- */

int dry_net__velocity_at(const dry_port *port, int i) {
    switch (port->kind) {
    case DRY_COORDINATE: return port->dim + i;
    case DRY_FRAME: return i < 3 ? 3 + i : 7 + i;
    case DRY_LENGTH:
    case DRY_SURFACE: return 1 + i;
    case DRY_RELATIVE: return 6 + i;
    }
    return 0;
}

/* The index of the position whose rate is velocity i; -1: no single number is. */
static int position_at(const dry_port *port, int i) {
    if (port->kind == DRY_FRAME) return i < 3 ? i : -1;
    if (port->kind == DRY_SURFACE) return i == 0 ? 0 : -1;
    return i;
}

/* ---- by differences ----------------------------------------------------- */

/* A part under test: its motion, states and results; force and rates at rest. */
typedef struct probe {
    const dry_part *part;
    dry_part_env env;
    const double *x;
    double *in, *tried, *out, *x_dot, *rest, *still;
} probe;

static double force(probe *p, int i) {
    p->part->eval(&p->env, p->in, p->tried, p->out, p->part->n_states ? p->x_dot : NULL);
    return p->out[i];
}

static double force_at(probe *p, int at, double change, int i) {
    const double before = p->in[at];
    p->in[at] += change;
    const double f = force(p, i);
    p->in[at] = before;
    return f;
}

/* Force i after the states have moved along the change of their rates for a while. */
static double stretched(probe *p, int i) {
    for (int k = 0; k < p->part->n_states; k++) p->tried[k] += WHILE * (p->x_dot[k] - p->still[k]);
    const double f = force(p, i);
    for (int k = 0; k < p->part->n_states; k++) p->tried[k] = p->x[k];
    return f;
}

/* Clamps negative stiffness to 0: it never limits the step. */
static double positive(double x) { return isfinite(x) ? dry_pos(x) : 0.0; }

static dry_firmness row_of(probe *p, int at_v, int at_p, int i) {
    const double rest = p->rest[i];
    p->env.tau = STAGE;
    const double staged = force_at(p, at_v, SPEED, i);
    p->env.tau = 0.0;
    const double moved = force_at(p, at_v, SPEED, i);
    dry_firmness f = {.C = positive((rest - moved) / SPEED),
                      .Ktau = positive((moved - staged) / (SPEED * STAGE)),
                      .Kf = positive((rest - stretched(p, i)) / (SPEED * WHILE))};
    if (at_p >= 0) f.K = positive((rest - force_at(p, at_p, WAY, i)) / WAY);
    return f;
}

static void try_out(probe *p, dry_firmness *rows) {
    int motion = 0, row = 0;
    force(p, 0);
    memcpy(p->rest, p->out, (size_t)dry_net__force_size(p->part) * sizeof *p->rest);
    memcpy(p->still, p->x_dot, (size_t)p->part->n_states * sizeof *p->still);
    for (int k = 0; k < p->part->n_ports; k++) {
        const dry_port *port = &p->part->ports[k];
        for (int i = 0; i < dry_port_force(port); i++, row++) {
            const int at_p = position_at(port, i);
            rows[row] = row_of(p, motion + dry_net__velocity_at(port, i),
                               at_p < 0 ? -1 : motion + at_p, row);
        }
        motion += dry_port_motion(port);
    }
}

int dry_net__force_size(const dry_part *part) {
    int size = 0;
    for (int k = 0; k < part->n_ports; k++) size += dry_port_force(&part->ports[k]);
    return size;
}

bool dry_net__probe(const dry_part *part, const dry_part_env *env, const double *in,
                    const double *x, dry_firmness *rows) {
    size_t n_in = 0;
    const size_t n_x = (size_t)part->n_states, n_out = (size_t)dry_net__force_size(part);
    for (int k = 0; k < part->n_ports; k++) n_in += (size_t)dry_port_motion(&part->ports[k]);
    double *room = calloc(n_in + 2 * n_out + 3 * n_x + 1, sizeof *room);
    if (!room) return false;
    probe p = {.part = part, .env = *env, .x = x, .in = room};
    p.out = p.in + n_in;
    p.rest = p.out + n_out;
    p.tried = p.rest + n_out;
    p.x_dot = p.tried + n_x;
    p.still = p.x_dot + n_x;
    p.env.tau = 0.0;
    memcpy(p.in, in, n_in * sizeof *in);
    memcpy(p.tried, x, n_x * sizeof *x);
    try_out(&p, rows);
    free(room);
    return true;
}

/* ---- forgetting --------------------------------------------------------- */

double dry_net__shortest_beta(const dry_part *part, const double *par) {
    double least = (double)INFINITY;
    const bool known = part->design && part->design->forgets;
    for (int i = 0; known && i < part->n_par; i++)
        if (par[i] > 0.0 && part->design->forgets(part, i)) least = dry_min(least, par[i]);
    return least;
}
