/* brush: a rolling tyre as bristles that the contact carries along, each with a dry friction of its
 * own (the brush model, relaxed as in X13 (18)).
 *
 *     f_j     = sat(F_j, k dz (a_j + (beta + tau) v)),   f = sum f_j
 *     a_j_dot = (f_j/(k dz) - a_j)/(beta + tau) - V (a_j - a_(j-1))/dz,   a_0 = 0
 *     F_j     = 6 F x_j (1 - x_j)/N,   x_j = j/N,   dz = length/N
 *
 * v: sliding velocity of the carcass over the ground, m/s; f: friction force, N; a_j: deflection of
 * bristle j, m, counted from the leading edge; F: friction level of the whole contact, mu Fz, N; k:
 * stiffness of the bristles per length, N/m^2; length: of the contact, m; V: rolling speed, m/s,
 * with which bristles enter straight; beta: time constant, s; tau: step of the stage, s. The
 * pressure is a parabola, taken at the downstream end x_j of each cell: then the error falls like
 * 1/N^2. If V is negative, the last bristle is the first.
 *
 * In steady rolling with the slip sigma = v/V: f = F (3 x - 3 x^2 + x^3), x = k length^2 sigma/(6
 * F) up to 1, and F beyond. Passive with V = sum k dz a_j^2/2: each friction is, and the flow takes
 * k |V| (sum (a_j - a_(j-1))^2 + a_N^2)/2 with it. */
#include "catalogue.h"
#include "resolvent.h"

enum { N, F, STIFFNESS, LENGTH, SPEED, BETA };

static const dry_law_param params[] = {
    {"N", "", "number of bristles", 20.0, DRY_AT_LEAST_ONE, DRY_COUNT, DRY_EACH},
    {"F", "N", "friction level of the whole contact, mu Fz", 1.0, DRY_NONNEGATIVE, DRY_SCALAR,
     DRY_EACH},
    {"k", "N/m^2", "stiffness of the bristles per length of the contact", 300.0, DRY_POSITIVE,
     DRY_SCALAR, DRY_EACH},
    {"length", "m", "length of the contact", 0.1, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"V", "m/s", "rolling speed", 10.0, DRY_ANY, DRY_SCALAR, DRY_EACH},
    {"beta", "s", "time constant of a bristle: damping/stiffness", 1e-5, DRY_POSITIVE, DRY_SCALAR,
     DRY_EACH},
};

static const dry_law_state states[] = {{"a", "m", "deflection of each bristle", DRY_PER_ELEMENT}};

/* k dz */
static double bristle_stiffness(const double *par) { return par[STIFFNESS] * par[LENGTH] / par[N]; }

/* |V|/dz: how often per second a cell gets a new bristle. */
static double flow(const double *par) { return fabs(par[SPEED]) * par[N] / par[LENGTH]; }

/* F_j of cell i, counted from 0. */
static double level(const double *par, int i) {
    const double x = (double)(par[SPEED] < 0.0 ? i : i + 1) / par[N];
    return 6.0 * par[F] * x * (1.0 - x) / par[N];
}

/* The cell from which bristles come into cell i; -1: from outside. */
static int upstream(const double *par, int i) {
    if (par[SPEED] < 0.0) return i + 1 < (int)par[N] ? i + 1 : -1;
    return i - 1;
}

/* What the flow does to bristle i, 1/s times m. */
static double carried(const double *par, const double *a, int i) {
    const int from = upstream(par, i);
    return flow(par) * ((from < 0 ? 0.0 : a[from]) - a[i]);
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim;
    const double K = bristle_stiffness(par);
    f[0] = 0.0;
    for (int i = 0; i < (int)par[N]; i++) {
        double fi;
        dry_friction(1, K, par[BETA], tau, level(par, i), u, &s[i], &fi, &s_dot[i]);
        s_dot[i] += carried(par, s, i);
        f[0] += fi;
    }
}

/* Columns v, a; rows f, a. */
static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)dim;
    const int n = (int)par[N], width = 1 + n;
    const double K = bristle_stiffness(par);
    for (int k = 0; k < width * width; k++) J[k] = 0.0;
    for (int i = 0; i < n; i++) {
        double *rate = J + (1 + i) * width, f_v;
        const int from = upstream(par, i);
        const dry_law__friction_slopes slopes =
            dry_law__friction_slopes_at(1, K, par[BETA], tau, level(par, i), u, &s[i]);
        dry_law__friction_rows(&slopes, 0, &f_v, &J[1 + i], rate, &rate[1 + i]);
        J[0] += f_v;
        rate[1 + i] -= flow(par);
        if (from >= 0) rate[1 + from] += flow(par);
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)u;
    return dry_law__spring_energy((int)par[N], bristle_stiffness(par), s);
}

/* The sum of all F_j is F (1 - 1/N^2). */
static double bound(const double *par, int dim) {
    (void)dim;
    return par[F];
}

static int n_kinks(const double *par, int dim) { return (int)par[N] * dry_law__sat_n_kinks(dim); }

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    const int each = dry_law__sat_n_kinks(dim);
    for (int i = 0; i < (int)par[N]; i++)
        dry_law__friction_kinks(dim, bristle_stiffness(par), par[BETA], tau, level(par, i), u,
                                &s[i], &g[each * i]);
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim;
    f[0] = 0.0;
    for (int i = 0; i < (int)par[N]; i++) {
        double fi;
        dry_friction(1, bristle_stiffness(par), par[BETA], tau, (double)INFINITY, u, &s[i], &fi,
                     &s_dot[i]);
        s_dot[i] += carried(par, s, i);
        f[0] += fi;
    }
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)dim, (void)u;
    for (int i = 0; i < (int)par[N]; i++) {
        dry_law__slipping(1, par[BETA] + tau, &s[i], f, &s_dot[i]);
        s_dot[i] += carried(par, s, i);
    }
}

static bool slips(const double *par, int i, double tau, const double *u, const double *s) {
    return dry_law__slips(1, bristle_stiffness(par), par[BETA] + tau, level(par, i), u, &s[i]);
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    for (int i = 0; i < (int)par[N]; i++)
        if (slips(par, i, tau, u, s)) return flow(par) + 1.0 / (par[BETA] + tau);
    return flow(par);
}

/* It slips if no bristle sticks. */
static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim;
    for (int i = 0; i < (int)par[N]; i++)
        if (!slips(par, i, tau, u, s)) return DRY_STICKS;
    return DRY_SLIPS;
}

const dry_law dry_law__brush = {
    .name = "brush",
    .title = "Brush model of a rolling tyre",
    .equation =
        "f_j = sat(F_j, k dz (a_j + (beta + tau) v)),  F_j = 6 F x_j (1 - x_j)/N,  x_j = j/N\n"
        "a_j_dot = (f_j/(k dz) - a_j)/(beta + tau) - V (a_j - a_(j-1))/dz,  a_0 = 0\n"
        "f = sum f_j,  dz = length/N",
    .paper =
        "Fromm 1927; Pacejka 2002, section 3.2; relaxed as in Xiong, Kikuuwe, Yamamoto 2013, (18)",
    .known = "A force that rises with the slip sigma = v/V and then saturates, although every "
             "bristle has Coulomb's\n"
             "friction: f = F (3 x - 3 x^2 + x^3), x = k length^2 sigma/(6 F). In the figure the "
             "slip grows slowly,\n"
             "and N = 20 bristles follow this curve. At sigma = 0.6 they give 0.65625 F, the "
             "curve 0.657 F.",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_BOUNDED | DRY_PASSIVE | DRY_CONTINUOUS | DRY_FINITE,
    .max_dim = 1,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .states = states,
    .n_states = DRY_LAW__ROWS(states),
    .eval = eval,
    .jacobian = jacobian,
    .stuck = stuck,
    .loose = loose,
    .fastest = fastest,
    .quickens = true, /* V may change in a run */
    .phase = phase,
    .energy = energy,
    .bound = bound,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
