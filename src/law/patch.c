/* patch: dry friction on an area of contact that slips and spins, as N friction elements in points
 * of the area that bear equal loads (X13 section 2 leaves the distributed contact open).
 *
 *     v_k     = (v1 - y_k w R, v2 + x_k w R)
 *     f_k     = sat(F/N, K/N (a_k + (beta + tau) v_k)),   a_k_dot = (f_k/(K/N) - a_k)/(beta + tau)
 *     f       = sum (f_k1, f_k2, x_k f_k2 - y_k f_k1)
 *
 * Input (v1, v2, w R): slip of the middle, m/s, and speed of the rim by the spin w, R the radius;
 * force (f1, f2, M/R), M the moment, N. In one and two dimensions nothing spins, and it is coulomb;
 * in one b stays as it is.
 * x_k, y_k: place by R; a_k = (a, b): stretch, m; F: level, N; K: stiffness of all elements, N/m;
 * beta: time constant, s; tau: step of the stage, s.
 *
 * A round area has the pressure (1 - (r/R)^2)^pressure from r = inner R to R: 0 uniform, 1/2 Hertz.
 * Point k has the share t = (k + 1/2)/N of the load inside of it, and the golden angle lies between
 * a point and the next:
 *
 *     r_k^2 = 1 - (1 - inner^2) (1 - t)^(1/(1 + pressure)),   angle_k = 2.3999632 k
 *
 * A rectangle, 2 R long and 2 R aspect wide, has x_k = 2 t - 1, y_k = aspect (2 frac(0.6180340 k) -
 * 1). All points are moved so that their mean is the middle.
 *
 * Passive, as each element is (coulomb.c): f . u = sum f_k . v_k. */
#include "catalogue.h"
#include "resolvent.h"

enum { N, F, K, BETA, PRESSURE, INNER, ASPECT };

static const dry_law_param params[] = {
    {"N", "", "number of points", 16.0, DRY_AT_LEAST_ONE, DRY_COUNT, DRY_EACH},
    {"F", "N", "friction level of the whole area", 0.5, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"K", "N/m", "stiffness of the whole area", 5e3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"beta", "s", "time constant: damping/stiffness", 2e-3, DRY_POSITIVE, DRY_SCALAR, DRY_EACH},
    {"pressure", "", "its exponent: (1 - (r/R)^2)^pressure; 0 uniform, 0.5 Hertz", 0.0,
     DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"inner", "", "inner radius of a ring over R; 0: a disc", 0.0, DRY_NONNEGATIVE, DRY_SCALAR,
     DRY_EACH},
    {"aspect", "", "width of a rectangle over its length 2 R; 0: it is round", 0.0, DRY_NONNEGATIVE,
     DRY_SCALAR, DRY_EACH},
};

static const dry_law_state states[] = {
    {"a", "m", "stretch of each point along v1", DRY_PER_ELEMENT},
    {"b", "m", "stretch of each point along v2", DRY_PER_ELEMENT},
};

/* ---- the points ------------------------------------------------------------------------- */

/* A walk over the points; (c, s): direction of point k. */
typedef struct points {
    const double *par;
    int n, k;
    double c, s, middle[2];
} points;

static void place_on_disc(points *p, double t, double x[2]) {
    const double *par = p->par, rest = 1.0 - par[INNER] * par[INNER];
    const double inside =
        par[PRESSURE] > 0.0 ? dry_pow(1.0 - t, 1.0 / (1.0 + par[PRESSURE])) : 1.0 - t;
    const double r = sqrt(dry_pos(1.0 - rest * inside)), before = p->c;
    const double cos_golden = -0.73736887807831990, sin_golden = 0.67549029426152364;
    x[0] = r * p->c;
    x[1] = r * p->s;
    p->c = p->c * cos_golden - p->s * sin_golden;
    p->s = before * sin_golden + p->s * cos_golden;
}

static void place_on_rectangle(const points *p, double t, double x[2]) {
    const double turns = 0.61803398874989485 * p->k;
    x[0] = 2.0 * t - 1.0;
    x[1] = p->par[ASPECT] * (2.0 * (turns - floor(turns)) - 1.0);
}

/* The next point, by R; false after the last. */
static bool next(points *p, double x[2]) {
    const double t = (p->k + 0.5) / p->n;
    if (p->k == p->n) return false;
    if (p->par[ASPECT] > 0.0)
        place_on_rectangle(p, t, x);
    else
        place_on_disc(p, t, x);
    for (int i = 0; i < 2; i++) x[i] -= p->middle[i];
    p->k++;
    return true;
}

static points points_of(const double *par) {
    points p = {.par = par, .n = (int)par[N], .c = 1.0}, mean = p;
    double x[2];
    while (next(&mean, x))
        for (int i = 0; i < 2; i++) p.middle[i] += x[i] / p.n;
    return p;
}

/* The directions in which a point slips. */
static int n_ways(int dim) { return dim > 1 ? 2 : 1; }

/* The input that the point at x feels, and the force that its f gives. */
static void spread(int dim, const double *u, const double x[2], double v[2]) {
    const double rim = dim > 2 ? u[2] : 0.0;
    v[0] = u[0] - x[1] * rim;
    v[1] = (dim > 1 ? u[1] : 0.0) + x[0] * rim;
}
static void gather(int dim, const double f_k[2], const double x[2], double *f) {
    f[0] += f_k[0];
    if (dim > 1) f[1] += f_k[1];
    if (dim > 2) f[2] += x[0] * f_k[1] - x[1] * f_k[0];
}

/* ---- the law ---------------------------------------------------------------------------- */

static void eval_at(const double *par, double F_all, int dim, double tau, const double *u,
                    const double *s, double *f, double *s_dot) {
    points p = points_of(par);
    const double n = p.n;
    double x[2];
    for (int i = 0; i < dim; i++) f[i] = 0.0;
    while (next(&p, x)) {
        const int k = p.k - 1;
        double v[2], f_k[2], rate[2] = {0.0, 0.0};
        const double a[2] = {s[k], s[p.n + k]};
        spread(dim, u, x, v);
        dry_friction(n_ways(dim), par[K] / n, par[BETA], tau, F_all / n, v, a, f_k, rate);
        gather(dim, f_k, x, f);
        s_dot[k] = rate[0];
        s_dot[p.n + k] = rate[1];
    }
}

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    eval_at(par, par[F], dim, tau, u, s, f, s_dot);
}

/* Row i of the force of one point times what x and `dim` make of it: a column of `gather`. */
static void add_rows(int dim, const double x[2], int column, const double f_k[2], int width,
                     double *J) {
    double f[3] = {0.0, 0.0, 0.0};
    gather(dim, f_k, x, f);
    for (int i = 0; i < dim; i++) J[i * width + column] += f[i];
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    points p = points_of(par);
    const int n = p.n, width = dim + 2 * n, ways = n_ways(dim); /* columns u, a, b; rows f, a, b */
    double x[2];
    for (int i = 0; i < width * width; i++) J[i] = 0.0;
    while (next(&p, x)) {
        const int k = p.k - 1, at[2] = {dim + k, dim + n + k};
        double v[2], column[2];
        const double a[2] = {s[k], s[n + k]};
        spread(dim, u, x, v);
        const dry_law__friction_slopes slopes =
            dry_law__friction_slopes_at(ways, par[K] / n, par[BETA], tau, par[F] / n, v, a);
        for (int j = 0; j < dim + ways; j++) { /* by u_j, then by its own stretch */
            const double unit[3] = {j == 0, j == 1, j == 2};
            const int of = j < dim ? j : at[j - dim];
            if (j < dim) spread(dim, unit, x, v);
            for (int i = 0; i < ways; i++) {
                const double *P = slopes.P + ways * i, same = i == j - dim ? 1.0 : 0.0;
                const double by_u = P[0] * v[0] + (ways > 1 ? P[1] * v[1] : 0.0);
                J[at[i] * width + of] = j < dim ? by_u : (P[j - dim] - same) / slopes.b;
                column[i] = slopes.K * (j < dim ? slopes.b * by_u : P[j - dim]);
            }
            add_rows(dim, x, of, column, width, J);
        }
    }
}

static double energy(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)u;
    return dry_law__spring_energy(2 * (int)par[N], par[K] / par[N], s);
}

/* A point at the rim gives F (1, 1) at most; the corner of a rectangle is further out. */
static double bound(const double *par, int dim) {
    return dim < 3 ? par[F] : par[F] * sqrt(2.0 + par[ASPECT] * par[ASPECT]);
}

static int n_kinks(const double *par, int dim) {
    return (int)par[N] * dry_law__sat_n_kinks(n_ways(dim));
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    points p = points_of(par);
    const int ways = n_ways(dim);
    double x[2], v[2];
    for (; next(&p, x); g += dry_law__sat_n_kinks(ways)) {
        const double a[2] = {s[p.k - 1], s[p.n + p.k - 1]};
        spread(dim, u, x, v);
        dry_law__friction_kinks(ways, par[K] / p.n, par[BETA], tau, par[F] / p.n, v, a, g);
    }
}

static void stuck(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    eval_at(par, (double)INFINITY, dim, tau, u, s, f, s_dot);
}

static void loose(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot) {
    (void)u;
    for (int i = 0; i < dim; i++) f[i] = 0.0;
    const int n = (int)par[N], moving = n_ways(dim) * n;
    for (int i = 0; i < 2 * n; i++) s_dot[i] = i < moving ? -s[i] / (par[BETA] + tau) : 0.0;
}

/* How many points slip. */
static int n_slipping(const double *par, int dim, double tau, const double *u, const double *s) {
    points p = points_of(par);
    double x[2], v[2];
    int count = 0;
    while (next(&p, x)) {
        const double a[2] = {s[p.k - 1], s[p.n + p.k - 1]};
        spread(dim, u, x, v);
        count += dry_law__slips(n_ways(dim), par[K] / p.n, par[BETA] + tau, par[F] / p.n, v, a);
    }
    return count;
}

static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    return n_slipping(par, dim, tau, u, s) > 0 ? 1.0 / (par[BETA] + tau) : 0.0;
}

/* It slips if no point sticks. */
static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    return n_slipping(par, dim, tau, u, s) == (int)par[N] ? DRY_SLIPS : DRY_STICKS;
}

static const dry_wrong *check(const double *par, int dim) {
    static const dry_wrong full = {"inner", "the ring has no area: inner is not below 1",
                                   "give the inner radius divided by the outer one"};
    static const dry_wrong both = {"aspect", "a rectangle has no inner radius",
                                   "leave out inner or aspect"};
    static const dry_wrong uneven = {"pressure", "the pressure on a rectangle is uniform",
                                     "leave out pressure or aspect"};
    (void)dim;
    if (!(par[INNER] < 1.0)) return &full;
    if (par[ASPECT] > 0.0 && par[INNER] > 0.0) return &both;
    return par[ASPECT] > 0.0 && par[PRESSURE] > 0.0 ? &uneven : NULL;
}

const dry_law dry_law__patch = {
    .name = "patch",
    .title = "Coulomb friction on an area that slips and spins",
    .equation = "u = (v1, v2, R w),  f = (f1, f2, M/R)\n"
                "v_k = (v1 - y_k R w, v2 + x_k R w)\n"
                "f_k = sat(F/N, K/N (a_k + (beta + tau) v_k))\n"
                "a_k_dot = (f_k/(K/N) - a_k)/(beta + tau)\n"
                "f = sum (f_k1, f_k2, x_k f_k2 - y_k f_k1)",
    .paper = "Xiong, Kikuuwe, Yamamoto 2013, (18) in each point of the area; Contensou 1963",
    .kind = DRY_FRICTION,
    .traits = DRY_ODD | DRY_BOUNDED | DRY_PASSIVE | DRY_NO_DRIFT | DRY_CONTINUOUS | DRY_FINITE |
              DRY_RATE_INDEPENDENT | DRY_MINOR_LOOPS,
    .max_dim = DRY_LAW__MOST_DIM,
    .spins = true,
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
    .check = check,
};
