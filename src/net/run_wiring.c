/* run_wiring: Psi and Phi. Psi computes the motion of a port from the motions of its two ends; Phi
 * computes the forces on the ends from the force of the port. Only this file handles frames and
 * lever arms (KY08 section II).
 *
 * Both use the same numbers, so the power of the port's force equals the power that the ends
 * receive: f . v = F_a . v_a + M_a . omega_a + F_b . v_b + M_b . omega_b.
 *
 * p: a point, m; v: its velocity, m/s; q: axes, as a quaternion; omega: their angular velocity,
 * rad/s; r: lever arm, from the origin of the end's frame to the point, m; F, M: force, N, and
 * moment, N m; all in the axes of the world. u: the velocity that an observer on end b sees, m/s.
 * theta: an angle, rad; g: its gradient, as an axis.
 */
#include "net_private.h"

/* The point of an end to which the link is fixed. */
typedef struct spot {
    double p[3], v[3], q[4], omega[3], r[3];
} spot;

/* ---- ends -------------------------------------------------------------- */

static void locate_frame(const dry_net__end *end, const double *motion, spot *s) {
    const double *p = motion, *v = motion + 3, *q = motion + 6, *omega = motion + 10;
    double swing[3];
    dry_quat_rotate(q, end->at, s->r);
    dry_cross3(omega, s->r, swing);
    dry_quat_multiply(q, end->turn, s->q);
    for (int i = 0; i < 3; i++) {
        s->p[i] = p[i] + s->r[i];
        s->v[i] = v[i] + swing[i];
        s->omega[i] = omega[i];
    }
}

static void locate(const dry_net__end *end, const double *motion, spot *s) {
    if (end->kind == DRY_NET__FRAME) {
        locate_frame(end, motion + end->motion, s);
        return;
    }
    *s = (spot){0};
    memcpy(s->p, end->at, sizeof s->p);
    memcpy(s->q, end->turn, sizeof s->q);
    if (end->kind == DRY_NET__WORLD) return;
    const double *p = motion + end->motion, *v = p + end->dim;
    for (int i = 0; i < end->dim; i++) {
        s->p[i] += p[i];
        s->v[i] = v[i];
    }
}

static void locate_both(const dry_net__link *link, const double *motion, spot *a, spot *b) {
    locate(&link->a, motion, a);
    locate(&link->b, motion, b);
}

/* Writes F and M at the point as the force on the end's port; M NULL: none. */
static void apply_wrench(const dry_net__end *end, const double r[3], const double F[3],
                         const double *M, double sign, double *wrench) {
    if (end->kind == DRY_NET__WORLD) return;
    const int n = end->kind == DRY_NET__FRAME ? 3 : end->dim;
    for (int i = 0; i < n; i++) wrench[i] = sign * F[i];
    if (end->kind != DRY_NET__FRAME) return;
    dry_cross3(r, wrench, wrench + 3);
    for (int i = 0; M && i < 3; i++) wrench[3 + i] += sign * M[i];
}

/* w = q* v q: world to the axes q */
static void turn_back(const double q[4], const double v[3], double w[3]) {
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    dry_quat_rotate(back, v, w);
}

/* ---- Psi --------------------------------------------------------------- */

static void psi_coordinate(const dry_net__link *link, const double *motion, double *in) {
    spot a, b;
    locate_both(link, motion, &a, &b);
    for (int i = 0; i < 3; i++) {
        in[i] = a.p[i] - b.p[i];
        in[3 + i] = a.v[i] - b.v[i];
    }
}

/* The direction from b to a, zero if they coincide; returns the distance. */
static double direction(const spot *a, const spot *b, double n[3]) {
    for (int i = 0; i < 3; i++) n[i] = a->p[i] - b->p[i];
    const double l = dry_norm(3, n);
    for (int i = 0; i < 3; i++) n[i] = l > 0.0 ? n[i] / l : 0.0;
    return l;
}

static void psi_length(const dry_net__link *link, const double *motion, double *in) {
    spot a, b;
    double n[3];
    locate_both(link, motion, &a, &b);
    in[0] = direction(&a, &b, n);
    in[1] = dry_dot3(n, a.v) - dry_dot3(n, b.v);
}

/* Position and velocity of a as an observer on b sees them, in the axes of b. */
static void observe(const spot *a, const spot *b, double d[3], double u[3]) {
    double D[3], U[3], swing[3];
    for (int i = 0; i < 3; i++) D[i] = a->p[i] - b->p[i];
    dry_cross3(b->omega, D, swing);
    for (int i = 0; i < 3; i++) U[i] = a->v[i] - b->v[i] - swing[i];
    turn_back(b->q, D, d);
    turn_back(b->q, U, u);
}

static void psi_surface(const dry_net__link *link, const double *motion, double *in) {
    spot a, b;
    double d[3], u[3];
    locate_both(link, motion, &a, &b);
    observe(&a, &b, d, u);
    in[0] = d[2];
    in[1] = u[2];
    in[2] = u[0];
    in[3] = u[1];
    in[4] = 0.0;
}

/* The rotation vector of a against b, in the axes of b, of at most half a turn. */
static void rotation(const double qa[4], const double qb[4], double phi[3]) {
    const double back[4] = {qb[0], -qb[1], -qb[2], -qb[3]};
    double q[4];
    dry_quat_multiply(back, qa, q);
    const double sine = dry_norm(3, q + 1), sign = q[0] < 0.0 ? -1.0 : 1.0;
    const double scale = sine > 0.0 ? 2.0 * sign * dry_atan2(sine, fabs(q[0])) / sine : 2.0;
    for (int i = 0; i < 3; i++) phi[i] = scale * q[1 + i];
}

static void psi_relative(const dry_net__link *link, const double *motion, double *in) {
    spot a, b;
    double omega[3];
    locate_both(link, motion, &a, &b);
    observe(&a, &b, in, in + 6);
    rotation(a.q, b.q, in + 3);
    for (int i = 0; i < 3; i++) omega[i] = a.omega[i] - b.omega[i];
    turn_back(b.q, omega, in + 9);
}

/* The angle of a about z of b, theta = 2 atan2(q_z, q_w) with q that of a against b, up to whole
 * turns; g becomes its gradient, theta_dot = g . omega, in the axes of b. It lies in the middle of
 * the two z axes: g = (z + z_a)/(1 + z.z_a). */
static double angle_about(const spot *a, const spot *b, double g[3]) {
    const double back[4] = {b->q[0], -b->q[1], -b->q[2], -b->q[3]};
    double q[4];
    dry_quat_multiply(back, a->q, q);
    const double square = q[0] * q[0] + q[3] * q[3]; /* 0 if the axes are opposite */
    const double over = square > 0.0 ? 1.0 / square : 0.0;
    g[0] = (q[0] * q[2] + q[3] * q[1]) * over;
    g[1] = (q[3] * q[2] - q[0] * q[1]) * over;
    g[2] = 1.0;
    return 2.0 * dry_atan2(q[3], q[0]);
}

static void psi_about(const dry_net__link *link, const double *motion, double *in) {
    spot a, b;
    double g[3], omega[3], seen[3];
    locate_both(link, motion, &a, &b);
    for (int i = 0; i < 3; i++) omega[i] = a.omega[i] - b.omega[i];
    turn_back(b.q, omega, seen);
    in[0] = angle_about(&a, &b, g);
    in[1] = dry_dot3(g, seen);
}

static void psi_along(const dry_net__link *link, const double *motion, double *in) {
    spot a, b;
    double d[3], u[3];
    locate_both(link, motion, &a, &b);
    observe(&a, &b, d, u);
    in[0] = d[2];
    in[1] = u[2];
}

static void psi_frame(const dry_net__link *link, const double *motion, double *in) {
    memcpy(in, motion + link->a.motion, 13 * sizeof *in);
}

/* Coordinates of the same kind on both sides. */
static void psi_direct(const dry_net__link *link, const double *motion, double *in) {
    const int dim = link->dim;
    for (int i = 0; i < dim; i++) {
        in[i] = link->a.at[i] - link->b.at[i];
        in[dim + i] = 0.0;
    }
    if (link->a.inlet >= 0)
        for (int i = 0; i < 2 * dim; i++) in[i] += motion[link->a.motion + i];
    if (link->b.inlet >= 0)
        for (int i = 0; i < 2 * dim; i++) in[i] -= motion[link->b.motion + i];
}

/* The form of a link: the kind of its port, or about or along an axis. */
enum { ABOUT = DRY_RELATIVE + DRY_TURNS, ALONG = DRY_RELATIVE + DRY_SLIDES };
static int form_of(const dry_net__link *link) {
    return link->axis ? DRY_RELATIVE + (int)link->axis : (int)link->port->kind;
}

typedef void psi_fn(const dry_net__link *link, const double *motion, double *in);
static psi_fn *const psi[] = {[DRY_COORDINATE] = psi_coordinate,
                              [DRY_FRAME] = psi_frame,
                              [DRY_LENGTH] = psi_length,
                              [DRY_SURFACE] = psi_surface,
                              [DRY_RELATIVE] = psi_relative,
                              [ABOUT] = psi_about,
                              [ALONG] = psi_along};

void dry_net__psi(const dry_net__link *link, const double *motion, double *in) {
    if (link->direct && link->port->kind == DRY_COORDINATE)
        psi_direct(link, motion, in);
    else
        psi[form_of(link)](link, motion, in);
}

/* ---- Phi --------------------------------------------------------------- */

/* F at a point of end a, and its reaction at that of end b. */
static void phi_coordinate(const dry_net__link *link, const spot *a, const spot *b, const double *f,
                           double *wrench) {
    apply_wrench(&link->a, a->r, f, NULL, 1.0, wrench);
    apply_wrench(&link->b, b->r, f, NULL, -1.0, wrench + 6);
}

static void phi_length(const dry_net__link *link, const spot *a, const spot *b, const double *f,
                       double *wrench) {
    double F[3];
    direction(a, b, F);
    for (int i = 0; i < 3; i++) F[i] *= f[0];
    phi_coordinate(link, a, b, F, wrench);
}

/* F and M at the point of a, and the reaction at the same point of space on b. */
static void react(const dry_net__link *link, const spot *a, const spot *b, const double F[3],
                  const double *M, double *wrench) {
    double r[3];
    for (int i = 0; i < 3; i++) r[i] = b->r[i] + (a->p[i] - b->p[i]);
    apply_wrench(&link->a, a->r, F, M, 1.0, wrench);
    apply_wrench(&link->b, r, F, M, -1.0, wrench + 6);
}

static void phi_surface(const dry_net__link *link, const spot *a, const spot *b, const double *f,
                        double *wrench) {
    const double local[3] = {f[1], f[2], f[0]};
    double F[3];
    dry_quat_rotate(b->q, local, F);
    react(link, a, b, F, NULL, wrench);
}

static void phi_relative(const dry_net__link *link, const spot *a, const spot *b, const double *f,
                         double *wrench) {
    double F[3], M[3];
    dry_quat_rotate(b->q, f, F);
    dry_quat_rotate(b->q, f + 3, M);
    react(link, a, b, F, M, wrench);
}

static void phi_about(const dry_net__link *link, const spot *a, const spot *b, const double *f,
                      double *wrench) {
    const double nothing[3] = {0.0};
    double g[3], M[3];
    angle_about(a, b, g);
    for (int i = 0; i < 3; i++) g[i] *= f[0];
    dry_quat_rotate(b->q, g, M);
    react(link, a, b, nothing, M, wrench);
}

static void phi_along(const dry_net__link *link, const spot *a, const spot *b, const double *f,
                      double *wrench) {
    const double local[3] = {0.0, 0.0, f[0]};
    double F[3];
    dry_quat_rotate(b->q, local, F);
    react(link, a, b, F, NULL, wrench);
}

typedef void phi_fn(const dry_net__link *link, const spot *a, const spot *b, const double *f,
                    double *wrench);
static phi_fn *const phi[] = {[DRY_COORDINATE] = phi_coordinate,
                              [DRY_FRAME] = NULL, /* always direct */
                              [DRY_LENGTH] = phi_length,
                              [DRY_SURFACE] = phi_surface,
                              [DRY_RELATIVE] = phi_relative,
                              [ABOUT] = phi_about,
                              [ALONG] = phi_along};

void dry_net__phi(const dry_net__link *link, const double *motion, double *force) {
    spot a, b;
    locate_both(link, motion, &a, &b);
    phi[form_of(link)](link, &a, &b, force + link->out, force + link->wrench);
}

/* ---- power ------------------------------------------------------------- */

/* Where the velocities are in the motion; they stand in the order of the force. */
static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

double dry_net__power(const dry_port *port, const double *motion, const double *force) {
    switch (port->kind) {
    case DRY_COORDINATE: return dot(port->dim, motion + port->dim, force);
    case DRY_FRAME: return dot(3, motion + 3, force) + dot(3, motion + 10, force + 3);
    case DRY_LENGTH: return motion[1] * force[0];
    case DRY_SURFACE: return dot(3, motion + 1, force);
    case DRY_RELATIVE: return dot(6, motion + 6, force);
    }
    return 0.0;
}
