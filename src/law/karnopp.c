/* karnopp: Coulomb friction with a band of speeds that count as rest (Karnopp 1985).
 *
 *     f = sat(Fs, push)   for |v| <= dv
 *     f = F sgn(v)        for |v| > dv
 *
 * v: sliding velocity, m/s; f: friction force, N; dv: half the width of the band, m/s; push: the
 * sum of the other forces on the body, N, which the caller gives; Fs: static level, N (0: F);
 * F: kinetic level, N.
 *
 * Within the band it balances the push and nothing brakes: the body keeps the speed with which it
 * entered. Not odd and not passive: the sign of the force there is that of the push, not of v. */
#include "catalogue.h"

enum { F, FS, DV, PUSH };

static const dry_law_param params[] = {
    {"F", "N", "kinetic friction level", 0.5, DRY_NONNEGATIVE, DRY_SCALAR, DRY_EACH},
    {"Fs", "N", "static friction level; 0: the same as the kinetic one", 0.0, DRY_NONNEGATIVE,
     DRY_SCALAR, DRY_EACH},
    {"dv", "m/s", "speed up to which the body counts as standing", 1e-3, DRY_POSITIVE, DRY_SCALAR,
     DRY_EACH},
    {"push", "N", "sum of the other forces on the body", 0.0, DRY_ANY, DRY_SCALAR, DRY_EACH},
};

static double static_level(const double *par) { return par[FS] > 0.0 ? par[FS] : par[F]; }

static void eval(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)dim, (void)tau, (void)s, (void)s_dot;
    f[0] = fabs(u[0]) > par[DV] ? par[F] * dry_sgn(u[0]) : dry_sat1(static_level(par), par[PUSH]);
}

static void jacobian(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s;
    J[0] = 0.0;
}

static double bound(const double *par, int dim) {
    (void)dim;
    return dry_max(par[F], static_level(par));
}

static int n_kinks(const double *par, int dim) {
    (void)par, (void)dim;
    return 2;
}

static void kinks(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g) {
    (void)dim, (void)tau, (void)s;
    g[0] = par[DV] - u[0];
    g[1] = par[DV] + u[0];
}

/* Neither end has a slope. */
static void flat(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s, (void)s_dot;
    f[0] = 0.0;
}

/* It has no states. */
static double fastest(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)par, (void)dim, (void)tau, (void)u, (void)s;
    return 0.0;
}

static unsigned phase(const double *par, int dim, double tau, const double *u, const double *s) {
    (void)dim, (void)tau, (void)s;
    return fabs(u[0]) > par[DV] ? DRY_SLIPS : DRY_STICKS;
}

const dry_law dry_law__karnopp = {
    .name = "karnopp",
    .title = "Karnopp's friction with a band of rest",
    .equation = "f = sat(Fs, push) for |v| <= dv, F sgn(v) for |v| > dv",
    .paper = "Karnopp 1985; Xiong, Kikuuwe, Yamamoto 2013, [31]",
    .known =
        "A threshold in place of rest. A body that slows down enters the band with the speed "
        "dv and\n"
        "keeps it, because friction then only balances the push. In the figure it should stop "
        "after 10 mm;\n"
        "instead it goes on at 1 mm/s for ever. (Karnopp's program also sets the speed to "
        "zero\n"
        "within the band, which no force can do: write p' = if abs(v) > dv then v else 0.) Give "
        "the law\n"
        "the sum of all other forces on the body as push. Its force jumps at both ends of the "
        "band.",
    .kind = DRY_FRICTION,
    .traits = DRY_BOUNDED | DRY_FINITE,
    .max_dim = 1,
    .params = params,
    .n_params = DRY_LAW__ROWS(params),
    .eval = eval,
    .jacobian = jacobian,
    .stuck = flat,
    .loose = flat,
    .fastest = fastest,
    .phase = phase,
    .bound = bound,
    .n_kinks = n_kinks,
    .kinks = kinks,
};
