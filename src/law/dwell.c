/* dwell: bristle friction whose static level grows with the time at rest (Gonthier, McPhee, Lange,
 * Piedboeuf 2004).
 *
 *     s     = exp(-|v|^2/vs^2)                                     1 at rest, 0 in sliding
 *     a_dot = s v + (1 - s) (F dir(v) - K a)/B
 *     w_dot = (s - w)/tau_dw  for s > w,  (s - w) K/B  for s <= w
 *     f     = sat(F + (Fs - F) w, K a + B a_dot) + D v
 *     dir(v) = v/|v|  for |v| >= e,  (v/e) (3 - |v|^2/e^2)/2  for |v| < e,   e = vs/100
 *
 * v: sliding velocity, m/s; f: friction force, N; a: deflection, m; w: share of Fs - F that the
 * rest has built up, from 0 (it slides) to 1 (after a long rest); F: kinetic level, N; Fs: static
 * level after a long rest, N (0: F); vs: Stribeck velocity, m/s; K: stiffness, N/m; B:
 * micro-damping, N s/m; D: viscous friction, N s/m; tau_dw: time constant of the dwell, s. The
 * paper writes z, s_dw, sigma0, sigma1, sigma2 for a, w, K, B, D, and tau_br for B/K. We did not
 * have it: the equations are as they are commonly cited, and the width e of the smooth direction is
 * our choice. It matters little, because 1 - s is below 1e-4 there.
 *
 * With the second equation K a + B a_dot = s (K a + B v) + (1 - s) F dir(v), which is what is
 * computed: in sliding it is F to the last bit.
 *
 * At rest w = 1 - (1 - w(0)) exp(-t/tau_dw). Nothing creeps under a constant force, since a_dot = v
 * where v = 0; under one that swings, it creeps in proportion to 1 - s. Not passive: bristles that
 * come into a slide at a speed below F/(4 B) are drawn to F/K with too little motion to pay for it.
 */
#include "catalogue.h"
#include "resolvent.h"

enum { F, FS, VS, K, B, D, TAU_DW };

static const dry_law_param params[] = {
    {"F", "N", "kinetic friction level", 0.5, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"Fs", "N", "static friction level after a long rest; 0: the same as the kinetic one", 0.8,
     DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"vs", "m/s", "Stribeck velocity", 1e-2, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"K", "N/m", "stiffness of the bristles", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"B", "N s/m", "micro-damping of the bristles", 10.0, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"D", "N s/m", "viscous friction", 0.0, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"tau_dw", "s", "time constant with which the static level grows at rest", 2.0, DRY_POSITIVE,
     DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {
    {"a", "m", "deflection of the bristles", DRY_PER_DIM},
    {"w", "", "share of Fs - F that the rest has built up, 0 to 1", DRY_ONE},
};

enum { MOST = DRY_LAW__MOST_DIM };

/* What a velocity means: s with its derivatives, dir with its own. */
typedef struct motion {
    double s, s_v[MOST], dir[MOST], dir_v[MOST][MOST];
} motion;

/* dir(v) = c v. */
static void find_direction(double e, int dim, const double *v, motion *m) {
    const double speed = dry_norm(dim, v), r = speed / e;
    const bool slow = speed < e;
    const double c = slow ? 0.5 * (3.0 - r * r) / e : 1.0 / speed;
    for (int i = 0; i < dim; i++) m->dir[i] = slow ? c * v[i] : v[i] / speed;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            const double turns = slow ? (v[i] / e) * (v[j] / e) / e : m->dir[i] * m->dir[j] / speed;
            m->dir_v[i][j] = (i == j ? c : 0.0) - turns;
        }
}

static motion motion_of(const double *par, int dim, const double *v) {
    motion m;
    const double r = dry_norm(dim, v) / par[VS];
    m.s = dry_exp(-r * r);
    for (int i = 0; i < dim; i++) m.s_v[i] = -2.0 * m.s * (v[i] / par[VS]) / par[VS];
    find_direction(0.01 * par[VS], dim, v, &m);
    return m;
}

/* The rate at which bristles that slide settle, 1/s. */
static double settling(const double *par) { return par[K] / par[B]; }

/* How fast w follows s, 1/s. */
static double pace(const double *par, double s, double w) {
    return s > w ? 1.0 / par[TAU_DW] : settling(par);
}

/* By how much the static level is above the kinetic one. */
static double rise(const double *par) { return par[FS] > 0.0 ? par[FS] - par[F] : 0.0; }

static double level(const double *par, double w) { return par[F] + rise(par) * w; }

/* y = K a + B a_dot */
static void bristle_force(const double *par, const motion *m, int dim, const double *v,
                          const double *a, double *y) {
    for (int i = 0; i < dim; i++)
        y[i] = m->s * (par[K] * a[i] + par[B] * v[i]) + (1.0 - m->s) * par[F] * m->dir[i];
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)tau;
    const motion m = motion_of(par, dim, u);
    const double w = s[dim];
    for (int i = 0; i < dim; i++)
        s_dot[i] = m.s * u[i] + (1.0 - m.s) * (par[F] * m.dir[i] - par[K] * s[i]) / par[B];
    s_dot[dim] = (m.s - w) * pace(par, m.s, w);
    bristle_force(par, &m, dim, u, s, f);
    dry_sat(dim, level(par, w), f, f);
    for (int i = 0; i < dim; i++) f[i] += par[D] * u[i];
}

/* Row i of a_dot, and that of y; columns v, a. */
static void bristle_rows(const double *par, const motion *m, int dim, const double *u,
                         const double *a, int i, double *rate, double *y) {
    const double drive = par[F] * m->dir[i], own = par[K] * a[i];
    for (int j = 0; j < dim; j++) {
        const double same = i == j ? 1.0 : 0.0;
        const double turn = (1.0 - m->s) * par[F] * m->dir_v[i][j];
        rate[j] = m->s_v[j] * (u[i] - (drive - own) / par[B]) + m->s * same + turn / par[B];
        rate[dim + j] = -same * (1.0 - m->s) * settling(par);
        y[j] = m->s_v[j] * (own + par[B] * u[i] - drive) + m->s * par[B] * same + turn;
        y[dim + j] = same * m->s * par[K];
    }
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)tau;
    const motion m = motion_of(par, dim, u);
    const int width = 2 * dim + 1; /* rows f, a, w; columns v, a, w */
    double y[MOST], y_x[MOST][2 * MOST], P[MOST * MOST], r[MOST];
    for (int k = 0; k < width * width; k++) J[k] = 0.0;
    bristle_force(par, &m, dim, u, s, y);
    dry_law__sat_slopes(dim, level(par, s[dim]), y, P, r);
    for (int i = 0; i < dim; i++)
        bristle_rows(par, &m, dim, u, s, i, J + (dim + i) * width, y_x[i]);
    for (int i = 0; i < dim; i++) {
        double *row = J + i * width;
        for (int k = 0; k < 2 * dim; k++)
            for (int j = 0; j < dim; j++) row[k] += P[i * dim + j] * y_x[j][k];
        row[i] += par[D];
        row[2 * dim] = r[i] * rise(par);
    }
    double *row = J + 2 * dim * width;
    for (int j = 0; j < dim; j++) row[j] = m.s_v[j] * pace(par, m.s, s[dim]);
    row[2 * dim] = -pace(par, m.s, s[dim]);
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau, (void)u;
    return dry_law__spring_energy(dim, par[K], s);
}

static double bound(const double *par, int dim) {
    (void)dim;
    return par[F] + dry_pos(rise(par));
}

/* Those of sat, the ends of the smooth direction and the turn of w. */
static int n_kinks(const double *par, int dim) {
    (void)par;
    return 2 * dry_law__sat_n_kinks(dim) + 1;
}

/* In sliding the force tends to the level, and w to s. Both functions are moved by 1e-12, so
 * that what rounding makes of these differences is not a kink. */
static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)tau;
    const double least = 1e-12;
    const motion m = motion_of(par, dim, u);
    double y[MOST];
    bristle_force(par, &m, dim, u, s, y);
    dry_law__sat_kinks(dim, level(par, s[dim]) + least * par[F], y, g);
    g += dry_law__sat_n_kinks(dim);
    dry_law__sat_kinks(dim, 0.01 * par[VS], u, g);
    g += dry_law__sat_n_kinks(dim);
    g[0] = m.s - s[dim] - least;
}

/* Where the motion starts, w is what it would be after a long time at this speed. */
static void start(const double *par, int dim, const double *u, double *s) {
    for (int i = 0; i < dim; i++) s[i] = 0.0;
    s[dim] = motion_of(par, dim, u).s;
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)tau;
    for (int i = 0; i < dim; i++) {
        f[i] = par[K] * s[i] + (par[B] + par[D]) * u[i];
        s_dot[i] = u[i];
    }
    s_dot[dim] = -s[dim] / par[TAU_DW];
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)tau;
    for (int i = 0; i < dim; i++) f[i] = par[D] * u[i];
    for (int i = 0; i <= dim; i++) s_dot[i] = -s[i] * settling(par);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau;
    const double share = motion_of(par, dim, u).s;
    return dry_max((1.0 - share) * settling(par), pace(par, share, s[dim]));
}

/* It slips where the force is at its level, and where the speed is nearer to sliding. */
static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)tau;
    const motion m = motion_of(par, dim, u);
    double y[MOST];
    bristle_force(par, &m, dim, u, s, y);
    return m.s < 0.5 || dry_norm(dim, y) > level(par, s[dim]) ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__dwell = {
    .name = "dwell",
    .title = "Gonthier's friction with dwell time",
    .equation = "s = exp(-|v|^2/vs^2),  a_dot = s v + (1 - s) (F dir(v) - K a)/B\n"
                "w_dot = (s - w)/tau_dw for s > w, (s - w) K/B for s <= w\n"
                "f = sat(F + (Fs - F) w, K a + B a_dot) + D v",
    .paper = "Gonthier, McPhee, Lange, Piedboeuf 2004, as it is commonly cited",
    .known = "A static level that grows with the time at rest. In the figure three blocks that "
             "have slid are loaded\n"
             "by 0.5 N/s from 0.1, 2.1 and 5.1 s on. They hold 0.65, 0.75 and 0.79 N: each slides "
             "when its load reaches\n"
             "F + (Fs - F) (1 - exp(-t/tau_dw)). Under a constant force nothing creeps. Under a "
             "force that swings between\n"
             "0.384 F and 0.96 F a light body creeps by 4 um in a cycle of 1 s and by 14 um in a "
             "cycle of 0.1 s. Two\n"
             "artefacts: a load that rises as fast as K B vs^2/(Fs - F), here 17 N/s, finds only "
             "0.61 N instead of 0.8;\n"
             "and slow motion winds the bristles up, to (F + B vs^2/v)/K in the end, though the "
             "force stays at its\n"
             "level. If the fourth friction of the figure is moved to and fro at vs/100, it "
             "opposes the motion again 0.33 mm\n"
             "after the turn; a spring K that carries Fs needs 0.16 mm.",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_BOUNDED | DRY_CONTINUOUS | DRY_FINITE,
    .max_dim = DRY_LAW__MOST_DIM,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .states = states,
    .n_states = DRY_LAW__ROWS(states),
    .eval = eval,
    .jacobian = jacobian,
    .stuck = stuck,
    .loose = loose,
    .fastest = fastest,
    .phase = phase,
    .energy = energy,
    .bound = bound,
    .n_kinks = n_kinks,
    .kinks = kinks,
    .start = start,
};
