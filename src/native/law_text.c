/* The laws as text, piece by piece: printed by tools/law-text.sh, not written by hand. */
/* clang-format off */
#include "cgen_private.h"

const dry_c__piece dry_c__pieces[] = {
    {"dry_status DRY_OK DRY_SINGULAR", "typedef enum dry_status { DRY_OK, DRY_SINGULAR } dry_status;\n"},
    {"dry_max",
     "DRY_INLINE double dry_max(double a, double b) { return a > b ? a : b; }\n"},
    {"dry_min",
     "DRY_INLINE double dry_min(double a, double b) { return a < b ? a : b; }\n"},
    {"dry_pos",
     "DRY_INLINE double dry_pos(double x) { return x > 0.0 ? x : 0.0; }\n"},
    {"dry_sgn",
     "DRY_INLINE double dry_sgn(double x) { return (double)((x > 0.0) - (x < 0.0)); }\n"},
    {"dry_sat1",
     "DRY_INLINE double dry_sat1(double Z, double x) { return x > Z ? Z : (x < -Z ? -Z : x); }\n"},
    {"dry_norm",
     "DRY_INLINE double dry_norm(int n, const double *x) {\n"
     "    double square = 0.0;\n"
     "    for (int i = 0; i < n; i++) square += x[i] * x[i];\n"
     "    if (square > 1e-280 && square < 1e280) return sqrt(square);\n"
     "    double largest = 0.0;\n"
     "    for (int i = 0; i < n; i++) largest = dry_max(largest, fabs(x[i]));\n"
     "    if (!(largest > 0.0) || !(largest < (double)INFINITY)) return largest + square;\n"
     "    square = 0.0;\n"
     "    for (int i = 0; i < n; i++) square += (x[i] / largest) * (x[i] / largest);\n"
     "    return largest * sqrt(square);\n"
     "}\n"},
    {"dry_sat",
     "DRY_INLINE bool dry_sat(int n, double Z, const double *x, double *y) {\n"
     "    if (n == 1) {\n"
     "        bool outside = x[0] > Z || x[0] < -Z;\n"
     "        y[0] = dry_sat1(Z, x[0]);\n"
     "        return outside;\n"
     "    }\n"
     "    double length = dry_norm(n, x);\n"
     "    if (!(length > Z)) {\n"
     "        for (int i = 0; i < n; i++) y[i] = x[i];\n"
     "        return false;\n"
     "    }\n"
     "    if (isinf(length)) {\n"
     "        double infinite = 0.0;\n"
     "        for (int i = 0; i < n; i++) {\n"
     "            infinite += isinf(x[i]) ? 1.0 : 0.0;\n"
     "            y[i] = isinf(x[i]) ? dry_sgn(x[i]) : 0.0;\n"
     "        }\n"
     "        length = sqrt(infinite);\n"
     "        x = y;\n"
     "    }\n"
     "    for (int i = 0; i < n; i++) y[i] = Z * (x[i] / length);\n"
     "    return true;\n"
     "}\n"},
    {"dry_set",
     "typedef struct dry_set {\n"
     "    const char *name;\n"
     "    const char *title;\n"
     "    const char *equation;\n"
     "    const char *source;\n"
     "    const char *argument;\n"
     "    const char *force;\n"
     "    dry_set_kind kind;\n"
     "    dry_set_shape shape;\n"
     "    int max_dim;\n"
     "    bool has_level;\n"
     "    bool symmetric;\n"
     "    bool (*project)(int n, double chi, const double *y, double *f);\n"
     "    bool (*derivative)(int n, double chi, const double *y, double *P, double *g);\n"
     "    double (*excess)(int n, double chi, const double *y);\n"
     "    double (*support)(int n, double chi, const double *v);\n"
     "} dry_set;\n"},
    {"solve_swap",
     "static inline void solve_swap(double *a, double *b) {\n"
     "    const double keep = *a;\n"
     "    *a = *b;\n"
     "    *b = keep;\n"
     "}\n"},
    {"solve_pivot_row",
     "static inline int solve_pivot_row(int n, const double *A, int k) {\n"
     "    int best = k;\n"
     "    for (int i = k + 1; i < n; i++)\n"
     "        if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;\n"
     "    return best;\n"
     "}\n"},
    {"solve_swap_rows",
     "static inline void solve_swap_rows(int n, double *A, double *b, int i, int k) {\n"
     "    if (i == k) return;\n"
     "    for (int j = k; j < n; j++) solve_swap(&A[i * n + j], &A[k * n + j]);\n"
     "    solve_swap(&b[i], &b[k]);\n"
     "}\n"},
    {"solve_eliminate_below",
     "static inline void solve_eliminate_below(int n, double *A, double *b, int k) {\n"
     "    for (int i = k + 1; i < n; i++) {\n"
     "        const double factor = A[i * n + k] / A[k * n + k];\n"
     "        for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];\n"
     "        b[i] -= factor * b[k];\n"
     "    }\n"
     "}\n"},
    {"solve_substitute_back",
     "static inline void solve_substitute_back(int n, const double *A, double *b) {\n"
     "    for (int i = n - 1; i >= 0; i--) {\n"
     "        for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];\n"
     "        b[i] /= A[i * n + i];\n"
     "    }\n"
     "}\n"},
    {"dry_solve",
     "static inline dry_status dry_solve(int n, double *A, double *b) {\n"
     "    for (int k = 0; k < n; k++) {\n"
     "        solve_swap_rows(n, A, b, solve_pivot_row(n, A, k), k);\n"
     "        if (A[k * n + k] == 0.0) return DRY_SINGULAR;\n"
     "        solve_eliminate_below(n, A, b, k);\n"
     "    }\n"
     "    solve_substitute_back(n, A, b);\n"
     "    return DRY_OK;\n"
     "}\n"},
    {"dry_friction",
     "DRY_INLINE bool dry_friction(int n, double K, double beta, double tau, double chi,\n"
     "                             const double *theta, const double *a, double *f, double *a_dot) {\n"
     "    const double b = beta + tau;\n"
     "    for (int i = 0; i < n; i++) f[i] = K * (a[i] + b * theta[i]);\n"
     "    const bool slips = dry_sat(n, chi, f, f);\n"
     "    for (int i = 0; i < n; i++) a_dot[i] = slips ? (f[i] / K - a[i]) / b : theta[i];\n"
     "    return slips;\n"
     "}\n"},
    {"dry_contact",
     "DRY_INLINE double dry_contact(double K, double alpha, double beta, double tau, double psi, double e,\n"
     "                              double *e_dot) {\n"
     "    const double open = -e / (beta + tau);\n"
     "    const double closed = -(psi + e) / (alpha + tau);\n"
     "    *e_dot = dry_max(open, closed);\n"
     "    return closed > open ? dry_pos(K * (e + (beta + tau) * closed)) : 0.0;\n"
     "}\n"},
    {"DRY_STICKS DRY_SLIPS DRY_OPEN DRY_CLOSED",
     "enum { DRY_STICKS = 1 << 0, DRY_SLIPS = 1 << 1, DRY_OPEN = 1 << 2, DRY_CLOSED = 1 << 3 };\n"},
    {"dry_impact",
     "typedef struct dry_impact {\n"
     "    double restitution;\n"
     "    double depth;\n"
     "    double duration;\n"
     "    double force;\n"
     "    double residual;\n"
     "} dry_impact;\n"},
    {"dry_tangent",
     "typedef struct dry_tangent {\n"
     "    double rho, b, depth, duration;\n"
     "} dry_tangent;\n"},
    {"dry_contact_choice",
     "typedef struct dry_contact_choice {\n"
     "    double K;\n"
     "    double alpha, beta;\n"
     "} dry_contact_choice;\n"},
    {"DRY_LAW__MOST_DIM",
     "enum { DRY_LAW__MOST_DIM = 3 };\n"},
    {"dry_law__sat_slopes",
     "static inline void dry_law__sat_slopes(int n, double Z, const double *y, double *P, double *r) {\n"
     "    const double length = n == 1 ? fabs(y[0]) : dry_norm(n, y);\n"
     "    const bool outside = length > Z;\n"
     "    for (int i = 0; i < n; i++) r[i] = outside ? y[i] / length : 0.0;\n"
     "    for (int i = 0; i < n; i++)\n"
     "        for (int j = 0; j < n; j++) {\n"
     "            const double same = i == j ? 1.0 : 0.0;\n"
     "            P[i * n + j] = outside ? Z / length * (same - r[i] * r[j]) : same;\n"
     "        }\n"
     "}\n"},
    {"dry_law__friction_slopes",
     "typedef struct dry_law__friction_slopes {\n"
     "    double P[DRY_LAW__MOST_DIM * DRY_LAW__MOST_DIM], r[DRY_LAW__MOST_DIM];\n"
     "    double K, b;\n"
     "    int n;\n"
     "} dry_law__friction_slopes;\n"},
    {"dry_law__friction_slopes_at",
     "static inline dry_law__friction_slopes dry_law__friction_slopes_at(int n, double K, double beta,\n"
     "                                                                   double tau, double chi,\n"
     "                                                                   const double *theta,\n"
     "                                                                   const double *a) {\n"
     "    dry_law__friction_slopes slopes = {.K = K, .b = beta + tau, .n = n};\n"
     "    double y[DRY_LAW__MOST_DIM];\n"
     "    for (int i = 0; i < n; i++) y[i] = K * (a[i] + slopes.b * theta[i]);\n"
     "    dry_law__sat_slopes(n, chi, y, slopes.P, slopes.r);\n"
     "    return slopes;\n"
     "}\n"},
    {"dry_law__friction_rows",
     "static inline void dry_law__friction_rows(const dry_law__friction_slopes *slopes, int i,\n"
     "                                          double *f_theta, double *f_a, double *a_dot_theta,\n"
     "                                          double *a_dot_a) {\n"
     "    const int n = slopes->n;\n"
     "    for (int j = 0; j < n; j++) {\n"
     "        const double P = slopes->P[i * n + j];\n"
     "        f_theta[j] = slopes->K * slopes->b * P;\n"
     "        f_a[j] = slopes->K * P;\n"
     "        a_dot_theta[j] = P;\n"
     "        a_dot_a[j] = (P - (i == j ? 1.0 : 0.0)) / slopes->b;\n"
     "    }\n"
     "}\n"},
    {"dry_law__slips",
     "static inline bool dry_law__slips(int n, double K, double b, double chi, const double *theta,\n"
     "                                  const double *a) {\n"
     "    double y[DRY_LAW__MOST_DIM];\n"
     "    for (int i = 0; i < n; i++) y[i] = K * (a[i] + b * theta[i]);\n"
     "    return dry_norm(n, y) > chi;\n"
     "}\n"},
    {"dry_law__slipping",
     "static inline void dry_law__slipping(int n, double b, const double *a, double *f, double *a_dot) {\n"
     "    for (int i = 0; i < n; i++) {\n"
     "        f[i] = 0.0;\n"
     "        a_dot[i] = -a[i] / b;\n"
     "    }\n"
     "}\n"},
    {"dry_law__sat_n_kinks",
     "static inline int dry_law__sat_n_kinks(int n) { return n == 1 ? 2 : 1; }\n"},
    {"dry_law__sat_kinks",
     "static inline void dry_law__sat_kinks(int n, double Z, const double *y, double *g) {\n"
     "    if (n > 1) {\n"
     "        g[0] = Z - dry_norm(n, y);\n"
     "        return;\n"
     "    }\n"
     "    g[0] = Z - y[0];\n"
     "    g[1] = Z + y[0];\n"
     "}\n"},
    {"dry_law__friction_kinks",
     "static inline void dry_law__friction_kinks(int n, double K, double beta, double tau, double chi,\n"
     "                                           const double *theta, const double *a, double *g) {\n"
     "    double y[DRY_LAW__MOST_DIM];\n"
     "    for (int i = 0; i < n; i++) y[i] = K * (a[i] + (beta + tau) * theta[i]);\n"
     "    dry_law__sat_kinks(n, chi, y, g);\n"
     "}\n"},
    {"dry_law__level_power",
     "static inline double dry_law__level_power(const double *level, double x) {\n"
     "    const double ratio = x / level[2];\n"
     "    return level[3] == 2.0 ? ratio * ratio : pow(ratio, level[3]);\n"
     "}\n"},
    {"dry_law__level",
     "static inline double dry_law__level(const double *level, double x) {\n"
     "    if (level[1] == 0.0) return level[0];\n"
     "    return level[0] + (level[1] - level[0]) * exp(-dry_law__level_power(level, x));\n"
     "}\n"},
    {"dry_law__level_slope",
     "static inline double dry_law__level_slope(const double *level, double x) {\n"
     "    if (level[1] == 0.0) return 0.0;\n"
     "    const double decay = exp(-dry_law__level_power(level, x));\n"
     "    if (decay == 0.0) return 0.0;\n"
     "    const double rise = level[3] / level[2] * pow(x / level[2], level[3] - 1.0);\n"
     "    return -(level[1] - level[0]) * rise * decay;\n"
     "}\n"},
    {"dry_law__level_gradient",
     "static inline void dry_law__level_gradient(const double *level, int dim, const double *v, double x,\n"
     "                                           double *gradient) {\n"
     "    const double slope = dry_law__level_slope(level, x);\n"
     "    for (int i = 0; i < dim; i++) gradient[i] = x > 0.0 ? slope * (v[i] / x) : 0.0;\n"
     "}\n"},
    {"dry_law__level_kink",
     "static inline double dry_law__level_kink(const double *level, double v) {\n"
     "    const bool smooth = level[1] == 0.0 || fmod(level[3], 2.0) == 0.0;\n"
     "    return smooth ? 1.0 : v;\n"
     "}\n"},
    {"dry_law__unilateral",
     "typedef struct dry_law__unilateral {\n"
     "    double K, alpha, beta;\n"
     "} dry_law__unilateral;\n"},
    {"dry_law__unilateral_slopes",
     "typedef struct dry_law__unilateral_slopes {\n"
     "    double N_psi, N_e, e_dot_psi, e_dot_e;\n"
     "} dry_law__unilateral_slopes;\n"},
    {"dry_law__unilateral_of",
     "static inline dry_law__unilateral dry_law__unilateral_of(const double *par, double tau) {\n"
     "    return (dry_law__unilateral){par[0], par[1] + tau, par[2] + tau};\n"
     "}\n"},
    {"dry_law__unilateral_kink",
     "static inline double dry_law__unilateral_kink(const dry_law__unilateral *p, double psi, double e) {\n"
     "    return e - p->beta * (psi + e) / p->alpha;\n"
     "}\n"},
    {"dry_law__unilateral_slopes_at",
     "static inline dry_law__unilateral_slopes dry_law__unilateral_slopes_at(const dry_law__unilateral *p,\n"
     "                                                                       double psi, double e) {\n"
     "    if (!(-(psi + e) / p->alpha > -e / p->beta))\n"
     "        return (dry_law__unilateral_slopes){.e_dot_e = -1.0 / p->beta};\n"
     "    const double ratio = p->beta / p->alpha;\n"
     "    return (dry_law__unilateral_slopes){-p->K * ratio, p->K * (1.0 - ratio), -1.0 / p->alpha,\n"
     "                                        -1.0 / p->alpha};\n"
     "}\n"},
    {"dry_law__unilateral_closed",
     "static inline double dry_law__unilateral_closed(const double *par, double tau, double psi, double e,\n"
     "                                                double *e_dot) {\n"
     "    *e_dot = -(psi + e) / (par[1] + tau);\n"
     "    return par[0] * (e + (par[2] + tau) * *e_dot);\n"
     "}\n"},
    {"dry_law__unilateral_fastest",
     "static inline double dry_law__unilateral_fastest(const double *par, double tau, double psi,\n"
     "                                                 double e) {\n"
     "    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);\n"
     "    return 1.0 / (dry_law__unilateral_kink(&p, psi, e) > 0.0 ? p.alpha : p.beta);\n"
     "}\n"},
    {"dry_law__power",
     "static inline double dry_law__power(double x, double lambda) {\n"
     "    return lambda == 1.5 ? x * sqrt(x) : pow(x, lambda);\n"
     "}\n"},
    {"dry_law__indentation",
     "static inline double dry_law__indentation(double lambda, double delta) {\n"
     "    return copysign(dry_law__power(fabs(delta), lambda), delta);\n"
     "}\n"},
    {"dry_law__indentation_slope",
     "static inline double dry_law__indentation_slope(double lambda, double delta) {\n"
     "    return lambda * pow(fabs(delta), lambda - 1.0);\n"
     "}\n"},
    {"dry_law__elements",
     "typedef struct dry_law__elements {\n"
     "    const double *kappa, *sigma, *lambda;\n"
     "    int N;\n"
     "} dry_law__elements;\n"},
    {"dry_law__elements_of",
     "static inline dry_law__elements dry_law__elements_of(const double *count, const double *lists) {\n"
     "    const int N = (int)*count;\n"
     "    return (dry_law__elements){lists, lists + N, lists + 2 * N, N};\n"
     "}\n"},
    {"dry_law__bristle",
     "typedef struct dry_law__bristle {\n"
     "    const double *level;\n"
     "    double K, B, D;\n"
     "} dry_law__bristle;\n"},
    {"dry_law__bristle_rate",
     "static inline void dry_law__bristle_rate(const dry_law__bristle *p, int dim, const double *v,\n"
     "                                         const double *a, double *a_dot) {\n"
     "    const double speed = dry_norm(dim, v);\n"
     "    const double fade = p->K * speed / dry_law__level(p->level, speed);\n"
     "    for (int i = 0; i < dim; i++) a_dot[i] = v[i] - fade * a[i];\n"
     "}\n"},
    {"dry_law__bristle_force",
     "static inline void dry_law__bristle_force(const dry_law__bristle *p, int dim, const double *v,\n"
     "                                          const double *a, const double *a_dot, double *f) {\n"
     "    for (int i = 0; i < dim; i++) f[i] = p->K * a[i] + p->B * a_dot[i] + p->D * v[i];\n"
     "}\n"},
    {"dry_law__bristle_fade",
     "static inline double dry_law__bristle_fade(const dry_law__bristle *p, int dim, const double *v) {\n"
     "    const double speed = dry_norm(dim, v);\n"
     "    return p->K * speed / dry_law__level(p->level, speed);\n"
     "}\n"},
    {"dry_law__bristle_stuck",
     "static inline void dry_law__bristle_stuck(const dry_law__bristle *p, int dim, const double *v,\n"
     "                                          const double *a, double *f, double *a_dot) {\n"
     "    for (int i = 0; i < dim; i++) a_dot[i] = v[i];\n"
     "    dry_law__bristle_force(p, dim, v, a, a_dot, f);\n"
     "}\n"},
    {"dry_law__bristle_loose",
     "static inline void dry_law__bristle_loose(const dry_law__bristle *p, int dim, const double *v,\n"
     "                                          const double *a, double *f, double *a_dot) {\n"
     "    const double fade = dry_law__bristle_fade(p, dim, v);\n"
     "    for (int i = 0; i < dim; i++) a_dot[i] = -fade * a[i];\n"
     "    dry_law__bristle_force(p, dim, v, a, a_dot, f);\n"
     "}\n"},
    {"dry_law__bristle_phase",
     "static inline unsigned dry_law__bristle_phase(const dry_law__bristle *p, int dim, const double *v,\n"
     "                                              const double *a) {\n"
     "    const double steady = dry_law__level(p->level, dry_norm(dim, v)) / p->K;\n"
     "    return dry_norm(dim, a) > 0.5 * steady ? DRY_SLIPS : DRY_STICKS;\n"
     "}\n"},
    {"dry_law__bristle_rate_rows",
     "static inline void dry_law__bristle_rate_rows(const dry_law__bristle *p, int dim, const double *v,\n"
     "                                              const double *a, double *J) {\n"
     "    const double speed = dry_norm(dim, v), g = dry_law__level(p->level, speed);\n"
     "    double gradient[DRY_LAW__MOST_DIM];\n"
     "    dry_law__level_gradient(p->level, dim, v, speed, gradient);\n"
     "    for (int i = 0; i < dim; i++)\n"
     "        for (int j = 0; j < dim; j++) {\n"
     "            const double same = i == j ? 1.0 : 0.0;\n"
     "            const double direction = speed > 0.0 ? v[j] / speed : 0.0;\n"
     "            const double fade_v = p->K * (direction - speed * gradient[j] / g) / g;\n"
     "            double *row = J + (dim + i) * 2 * dim;\n"
     "            row[j] = same - fade_v * a[i];\n"
     "            row[dim + j] = -same * p->K * speed / g;\n"
     "        }\n"
     "}\n"},
    {"dry_law__bristle_force_rows",
     "static inline void dry_law__bristle_force_rows(const dry_law__bristle *p, int dim, double *J) {\n"
     "    for (int i = 0; i < dim; i++)\n"
     "        for (int j = 0; j < dim; j++) {\n"
     "            const double *rate = J + (dim + i) * 2 * dim;\n"
     "            double *row = J + i * 2 * dim;\n"
     "            row[j] = p->B * rate[j] + (i == j ? p->D : 0.0);\n"
     "            row[dim + j] = p->B * rate[dim + j] + (i == j ? p->K : 0.0);\n"
     "        }\n"
     "}\n"},
    {"dry_law__bristle_kinks",
     "static inline void dry_law__bristle_kinks(int dim, const double *v, double *g) {\n"
     "    for (int i = 0; i < dim; i++) g[i] = v[i];\n"
     "}\n"},
    {"coulomb_F coulomb_K coulomb_BETA",
     "enum { coulomb_F, coulomb_K, coulomb_BETA };\n"},
    {"coulomb_eval",
     "static inline void coulomb_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    dry_friction(dim, par[coulomb_K], par[coulomb_BETA], tau, par[coulomb_F], u, s, f, s_dot);\n"
     "}\n"},
    {"coulomb_jacobian",
     "static inline void coulomb_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    const int width = 2 * dim;\n"
     "    const dry_law__friction_slopes slopes =\n"
     "        dry_law__friction_slopes_at(dim, par[coulomb_K], par[coulomb_BETA], tau, par[coulomb_F], u, s);\n"
     "    for (int i = 0; i < dim; i++) {\n"
     "        double *force = J + i * width, *rate = J + (dim + i) * width;\n"
     "        dry_law__friction_rows(&slopes, i, force, force + dim, rate, rate + dim);\n"
     "    }\n"
     "}\n"},
    {"coulomb_kinks",
     "static inline void coulomb_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    dry_law__friction_kinks(dim, par[coulomb_K], par[coulomb_BETA], tau, par[coulomb_F], u, s, g);\n"
     "}\n"},
    {"coulomb_stuck",
     "static inline void coulomb_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    dry_friction(dim, par[coulomb_K], par[coulomb_BETA], tau, (double)INFINITY, u, s, f, s_dot);\n"
     "}\n"},
    {"coulomb_loose",
     "static inline void coulomb_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)u;\n"
     "    dry_law__slipping(dim, par[coulomb_BETA] + tau, s, f, s_dot);\n"
     "}\n"},
    {"coulomb_slips",
     "static inline bool coulomb_slips(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    return dry_law__slips(dim, par[coulomb_K], par[coulomb_BETA] + tau, par[coulomb_F], u, s);\n"
     "}\n"},
    {"coulomb_fastest",
     "static inline double coulomb_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    return coulomb_slips(par, dim, tau, u, s) ? 1.0 / (par[coulomb_BETA] + tau) : 0.0;\n"
     "}\n"},
    {"coulomb_phase",
     "static inline unsigned coulomb_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    return coulomb_slips(par, dim, tau, u, s) ? DRY_SLIPS : DRY_STICKS;\n"
     "}\n"},
    {"multistate_N multistate_FC multistate_FS multistate_VS multistate_ALPHA multistate_TAU_D multistate_D multistate_LISTS",
     "enum { multistate_N, multistate_FC, multistate_FS, multistate_VS, multistate_ALPHA, multistate_TAU_D, multistate_D, multistate_LISTS };\n"},
    {"multistate_GAMMA multistate_A",
     "enum { multistate_GAMMA, multistate_A };\n"},
    {"multistate_elements_of",
     "static inline dry_law__elements multistate_elements_of(const double *par) {\n"
     "    return dry_law__elements_of(&par[multistate_N], &par[multistate_LISTS]);\n"
     "}\n"},
    {"multistate_level_at",
     "static inline double multistate_level_at(const double *par, const double *u, const double *s) {\n"
     "    return par[multistate_TAU_D] > 0.0 ? s[multistate_GAMMA] : dry_law__level(&par[multistate_FC], fabs(u[0]));\n"
     "}\n"},
    {"multistate_eval",
     "static inline void multistate_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)dim;\n"
     "    const dry_law__elements p = multistate_elements_of(par);\n"
     "    const double level = multistate_level_at(par, u, s);\n"
     "    s_dot[multistate_GAMMA] = 0.0;\n"
     "    if (par[multistate_TAU_D] > 0.0)\n"
     "        s_dot[multistate_GAMMA] = (dry_law__level(&par[multistate_FC], fabs(u[0])) - level) / par[multistate_TAU_D];\n"
     "    f[0] = par[multistate_D] * u[0];\n"
     "    for (int i = 0; i < p.N; i++) {\n"
     "        double fi;\n"
     "        dry_friction(1, p.kappa[i], p.sigma[i] / p.kappa[i], tau, p.lambda[i] * level, u, &s[multistate_A + i],\n"
     "                     &fi, &s_dot[multistate_A + i]);\n"
     "        f[0] += fi;\n"
     "    }\n"
     "}\n"},
    {"multistate_jacobian",
     "static inline void multistate_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    const dry_law__elements p = multistate_elements_of(par);\n"
     "    const bool lags = par[multistate_TAU_D] > 0.0;\n"
     "    const double level = multistate_level_at(par, u, s);\n"
     "    double g_v;\n"
     "    dry_law__level_gradient(&par[multistate_FC], dim, u, fabs(u[0]), &g_v);\n"
     "    const int width = 1 + multistate_A + p.N;\n"
     "    double *force = J, *multistate_lag = J + width;\n"
     "    for (int k = 0; k < width * width; k++) J[k] = 0.0;\n"
     "    multistate_lag[0] = lags ? g_v / par[multistate_TAU_D] : 0.0;\n"
     "    multistate_lag[1 + multistate_GAMMA] = lags ? -1.0 / par[multistate_TAU_D] : 0.0;\n"
     "    force[0] = par[multistate_D];\n"
     "    for (int i = 0; i < p.N; i++) {\n"
     "        double *rate = J + (1 + multistate_A + i) * width, f_v, *f_a = &force[1 + multistate_A + i];\n"
     "        const dry_law__friction_slopes slopes = dry_law__friction_slopes_at(\n"
     "            1, p.kappa[i], p.sigma[i] / p.kappa[i], tau, p.lambda[i] * level, u, &s[multistate_A + i]);\n"
     "        dry_law__friction_rows(&slopes, 0, &f_v, f_a, rate, &rate[1 + multistate_A + i]);\n"
     "        const double f_level = slopes.r[0] * p.lambda[i];\n"
     "        const double rate_level = f_level / (slopes.K * slopes.b);\n"
     "        force[0] += f_v + (lags ? 0.0 : f_level * g_v);\n"
     "        force[1 + multistate_GAMMA] += lags ? f_level : 0.0;\n"
     "        rate[0] += lags ? 0.0 : rate_level * g_v;\n"
     "        rate[1 + multistate_GAMMA] = lags ? rate_level : 0.0;\n"
     "    }\n"
     "}\n"},
    {"multistate_kinks",
     "static inline void multistate_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    const dry_law__elements p = multistate_elements_of(par);\n"
     "    const double level = multistate_level_at(par, u, s);\n"
     "    for (int i = 0; i < p.N; i++)\n"
     "        dry_law__friction_kinks(dim, p.kappa[i], p.sigma[i] / p.kappa[i], tau, p.lambda[i] * level,\n"
     "                                u, &s[multistate_A + i], &g[2 * i]);\n"
     "    g[2 * p.N] = dry_law__level_kink(&par[multistate_FC], u[0]);\n"
     "}\n"},
    {"multistate_start",
     "static inline void multistate_start(const double *par, int dim, const double *u, double *s) {\n"
     "    (void)dim;\n"
     "    s[multistate_GAMMA] = dry_law__level(&par[multistate_FC], fabs(u[0]));\n"
     "    for (int i = 0; i < (int)par[multistate_N]; i++) s[multistate_A + i] = 0.0;\n"
     "}\n"},
    {"multistate_lag",
     "static inline void multistate_lag(const double *par, const double *u, const double *s, double *s_dot) {\n"
     "    s_dot[multistate_GAMMA] = 0.0;\n"
     "    if (par[multistate_TAU_D] > 0.0)\n"
     "        s_dot[multistate_GAMMA] = (dry_law__level(&par[multistate_FC], fabs(u[0])) - s[multistate_GAMMA]) / par[multistate_TAU_D];\n"
     "}\n"},
    {"multistate_stuck",
     "static inline void multistate_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim;\n"
     "    const dry_law__elements p = multistate_elements_of(par);\n"
     "    multistate_lag(par, u, s, s_dot);\n"
     "    f[0] = par[multistate_D] * u[0];\n"
     "    for (int i = 0; i < p.N; i++) {\n"
     "        double fi;\n"
     "        dry_friction(1, p.kappa[i], p.sigma[i] / p.kappa[i], tau, (double)INFINITY, u, &s[multistate_A + i],\n"
     "                     &fi, &s_dot[multistate_A + i]);\n"
     "        f[0] += fi;\n"
     "    }\n"
     "}\n"},
    {"multistate_loose",
     "static inline void multistate_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim;\n"
     "    const dry_law__elements p = multistate_elements_of(par);\n"
     "    multistate_lag(par, u, s, s_dot);\n"
     "    for (int i = 0; i < p.N; i++)\n"
     "        dry_law__slipping(1, p.sigma[i] / p.kappa[i] + tau, &s[multistate_A + i], f, &s_dot[multistate_A + i]);\n"
     "    f[0] = par[multistate_D] * u[0];\n"
     "}\n"},
    {"multistate_slips",
     "static inline bool multistate_slips(const double *par, int i, double tau, const double *u, const double *s) {\n"
     "    const dry_law__elements p = multistate_elements_of(par);\n"
     "    return dry_law__slips(1, p.kappa[i], p.sigma[i] / p.kappa[i] + tau,\n"
     "                          p.lambda[i] * multistate_level_at(par, u, s), u, &s[multistate_A + i]);\n"
     "}\n"},
    {"multistate_fastest",
     "static inline double multistate_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)dim;\n"
     "    const dry_law__elements p = multistate_elements_of(par);\n"
     "    double rate = par[multistate_TAU_D] > 0.0 ? 1.0 / par[multistate_TAU_D] : 0.0;\n"
     "    for (int i = 0; i < p.N; i++)\n"
     "        if (multistate_slips(par, i, tau, u, s)) rate = dry_max(rate, 1.0 / (p.sigma[i] / p.kappa[i] + tau));\n"
     "    return rate;\n"
     "}\n"},
    {"multistate_phase",
     "static inline unsigned multistate_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)dim;\n"
     "    for (int i = 0; i < (int)par[multistate_N]; i++)\n"
     "        if (!multistate_slips(par, i, tau, u, s)) return DRY_STICKS;\n"
     "    return DRY_SLIPS;\n"
     "}\n"},
    {"smoothing_F smoothing_EPS",
     "enum { smoothing_F, smoothing_EPS };\n"},
    {"smoothing_eval",
     "static inline void smoothing_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)tau, (void)s, (void)s_dot;\n"
     "    dry_sat(dim, par[smoothing_EPS], u, f);\n"
     "    for (int i = 0; i < dim; i++) f[i] = par[smoothing_F] * (f[i] / par[smoothing_EPS]);\n"
     "}\n"},
    {"smoothing_jacobian",
     "static inline void smoothing_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)tau, (void)s;\n"
     "    double r[DRY_LAW__MOST_DIM];\n"
     "    dry_law__sat_slopes(dim, par[smoothing_EPS], u, J, r);\n"
     "    for (int i = 0; i < dim * dim; i++) J[i] *= par[smoothing_F] / par[smoothing_EPS];\n"
     "}\n"},
    {"smoothing_kinks",
     "static inline void smoothing_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)tau, (void)s;\n"
     "    dry_law__sat_kinks(dim, par[smoothing_EPS], u, g);\n"
     "}\n"},
    {"smoothing_stuck",
     "static inline void smoothing_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)tau, (void)s, (void)s_dot;\n"
     "    for (int i = 0; i < dim; i++) f[i] = par[smoothing_F] / par[smoothing_EPS] * u[i];\n"
     "}\n"},
    {"smoothing_loose",
     "static inline void smoothing_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)par, (void)tau, (void)u, (void)s, (void)s_dot;\n"
     "    for (int i = 0; i < dim; i++) f[i] = 0.0;\n"
     "}\n"},
    {"smoothing_fastest",
     "static inline double smoothing_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s;\n"
     "    return 0.0;\n"
     "}\n"},
    {"smoothing_phase",
     "static inline unsigned smoothing_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)tau, (void)s;\n"
     "    return dry_norm(dim, u) > par[smoothing_EPS] ? DRY_SLIPS : DRY_STICKS;\n"
     "}\n"},
    {"stribeck_F stribeck_FS stribeck_VS stribeck_ALPHA stribeck_EPS stribeck_D",
     "enum { stribeck_F, stribeck_FS, stribeck_VS, stribeck_ALPHA, stribeck_EPS, stribeck_D };\n"},
    {"stribeck_eval",
     "static inline void stribeck_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)tau, (void)s, (void)s_dot;\n"
     "    const double g = dry_law__level(&par[stribeck_F], dry_norm(dim, u));\n"
     "    dry_sat(dim, par[stribeck_EPS], u, f);\n"
     "    for (int i = 0; i < dim; i++) f[i] = g * (f[i] / par[stribeck_EPS]) + par[stribeck_D] * u[i];\n"
     "}\n"},
    {"stribeck_jacobian",
     "static inline void stribeck_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)tau, (void)s;\n"
     "    const double speed = dry_norm(dim, u), g = dry_law__level(&par[stribeck_F], speed);\n"
     "    double r[DRY_LAW__MOST_DIM], gradient[DRY_LAW__MOST_DIM], direction[DRY_LAW__MOST_DIM];\n"
     "    dry_law__level_gradient(&par[stribeck_F], dim, u, speed, gradient);\n"
     "    dry_law__sat_slopes(dim, par[stribeck_EPS], u, J, r);\n"
     "    dry_sat(dim, par[stribeck_EPS], u, direction);\n"
     "    for (int i = 0; i < dim; i++)\n"
     "        for (int j = 0; j < dim; j++)\n"
     "            J[i * dim + j] = (g * J[i * dim + j] + direction[i] * gradient[j]) / par[stribeck_EPS] +\n"
     "                             (i == j ? par[stribeck_D] : 0.0);\n"
     "}\n"},
    {"stribeck_kinks",
     "static inline void stribeck_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)tau, (void)s;\n"
     "    dry_law__sat_kinks(dim, par[stribeck_EPS], u, g);\n"
     "    g += dry_law__sat_n_kinks(dim);\n"
     "    for (int i = 0; i < dim; i++) g[i] = dry_law__level_kink(&par[stribeck_F], u[i]);\n"
     "}\n"},
    {"stribeck_stuck",
     "static inline void stribeck_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)tau, (void)s, (void)s_dot;\n"
     "    const double slope = dry_law__level(&par[stribeck_F], 0.0) / par[stribeck_EPS] + par[stribeck_D];\n"
     "    for (int i = 0; i < dim; i++) f[i] = slope * u[i];\n"
     "}\n"},
    {"stribeck_loose",
     "static inline void stribeck_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)tau, (void)s, (void)s_dot;\n"
     "    for (int i = 0; i < dim; i++) f[i] = par[stribeck_D] * u[i];\n"
     "}\n"},
    {"stribeck_fastest",
     "static inline double stribeck_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s;\n"
     "    return 0.0;\n"
     "}\n"},
    {"stribeck_phase",
     "static inline unsigned stribeck_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)tau, (void)s;\n"
     "    return dry_norm(dim, u) > par[stribeck_EPS] ? DRY_SLIPS : DRY_STICKS;\n"
     "}\n"},
    {"viscous_D",
     "enum { viscous_D };\n"},
    {"viscous_eval",
     "static inline void viscous_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)tau, (void)s, (void)s_dot;\n"
     "    for (int i = 0; i < dim; i++) f[i] = par[viscous_D] * u[i];\n"
     "}\n"},
    {"viscous_jacobian",
     "static inline void viscous_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)tau, (void)u, (void)s;\n"
     "    for (int i = 0; i < dim; i++)\n"
     "        for (int j = 0; j < dim; j++) J[i * dim + j] = i == j ? par[viscous_D] : 0.0;\n"
     "}\n"},
    {"viscous_fastest",
     "static inline double viscous_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s;\n"
     "    return 0.0;\n"
     "}\n"},
    {"viscous_phase",
     "static inline unsigned viscous_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s;\n"
     "    return DRY_SLIPS;\n"
     "}\n"},
    {"dahl_F dahl_K",
     "enum { dahl_F, dahl_K };\n"},
    {"dahl_bristle_of",
     "static inline dry_law__bristle dahl_bristle_of(const double *par, double level[4]) {\n"
     "    level[0] = par[dahl_F];\n"
     "    level[1] = 0.0;\n"
     "    level[2] = level[3] = 1.0;\n"
     "    return (dry_law__bristle){.level = level, .K = par[dahl_K]};\n"
     "}\n"},
    {"dahl_eval",
     "static inline void dahl_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)tau;\n"
     "    double level[4];\n"
     "    const dry_law__bristle p = dahl_bristle_of(par, level);\n"
     "    dry_law__bristle_rate(&p, dim, u, s, s_dot);\n"
     "    dry_law__bristle_force(&p, dim, u, s, s_dot, f);\n"
     "}\n"},
    {"dahl_jacobian",
     "static inline void dahl_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)tau;\n"
     "    double level[4];\n"
     "    const dry_law__bristle p = dahl_bristle_of(par, level);\n"
     "    dry_law__bristle_rate_rows(&p, dim, u, s, J);\n"
     "    dry_law__bristle_force_rows(&p, dim, J);\n"
     "}\n"},
    {"dahl_kinks",
     "static inline void dahl_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)par, (void)tau, (void)s;\n"
     "    dry_law__bristle_kinks(dim, u, g);\n"
     "}\n"},
    {"dahl_stuck",
     "static inline void dahl_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)tau;\n"
     "    double level[4];\n"
     "    const dry_law__bristle p = dahl_bristle_of(par, level);\n"
     "    dry_law__bristle_stuck(&p, dim, u, s, f, s_dot);\n"
     "}\n"},
    {"dahl_loose",
     "static inline void dahl_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)tau;\n"
     "    double level[4];\n"
     "    const dry_law__bristle p = dahl_bristle_of(par, level);\n"
     "    dry_law__bristle_loose(&p, dim, u, s, f, s_dot);\n"
     "}\n"},
    {"dahl_fastest",
     "static inline double dahl_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)tau, (void)s;\n"
     "    double level[4];\n"
     "    const dry_law__bristle p = dahl_bristle_of(par, level);\n"
     "    return dry_law__bristle_fade(&p, dim, u);\n"
     "}\n"},
    {"dahl_phase",
     "static inline unsigned dahl_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)tau;\n"
     "    double level[4];\n"
     "    const dry_law__bristle p = dahl_bristle_of(par, level);\n"
     "    return dry_law__bristle_phase(&p, dim, u, s);\n"
     "}\n"},
    {"lugre_F lugre_FS lugre_VS lugre_ALPHA lugre_K lugre_B lugre_D",
     "enum { lugre_F, lugre_FS, lugre_VS, lugre_ALPHA, lugre_K, lugre_B, lugre_D };\n"},
    {"lugre_bristle_of",
     "static inline dry_law__bristle lugre_bristle_of(const double *par) {\n"
     "    return (dry_law__bristle){.level = &par[lugre_F], .K = par[lugre_K], .B = par[lugre_B], .D = par[lugre_D]};\n"
     "}\n"},
    {"lugre_eval",
     "static inline void lugre_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = lugre_bristle_of(par);\n"
     "    dry_law__bristle_rate(&p, dim, u, s, s_dot);\n"
     "    dry_law__bristle_force(&p, dim, u, s, s_dot, f);\n"
     "}\n"},
    {"lugre_jacobian",
     "static inline void lugre_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = lugre_bristle_of(par);\n"
     "    dry_law__bristle_rate_rows(&p, dim, u, s, J);\n"
     "    dry_law__bristle_force_rows(&p, dim, J);\n"
     "}\n"},
    {"lugre_kinks",
     "static inline void lugre_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)par, (void)tau, (void)s;\n"
     "    dry_law__bristle_kinks(dim, u, g);\n"
     "}\n"},
    {"lugre_stuck",
     "static inline void lugre_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = lugre_bristle_of(par);\n"
     "    dry_law__bristle_stuck(&p, dim, u, s, f, s_dot);\n"
     "}\n"},
    {"lugre_loose",
     "static inline void lugre_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = lugre_bristle_of(par);\n"
     "    dry_law__bristle_loose(&p, dim, u, s, f, s_dot);\n"
     "}\n"},
    {"lugre_fastest",
     "static inline double lugre_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)tau, (void)s;\n"
     "    const dry_law__bristle p = lugre_bristle_of(par);\n"
     "    return dry_law__bristle_fade(&p, dim, u);\n"
     "}\n"},
    {"lugre_phase",
     "static inline unsigned lugre_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = lugre_bristle_of(par);\n"
     "    return dry_law__bristle_phase(&p, dim, u, s);\n"
     "}\n"},
    {"elastoplastic_F elastoplastic_FS elastoplastic_VS elastoplastic_ALPHA elastoplastic_K elastoplastic_B elastoplastic_D elastoplastic_BA",
     "enum { elastoplastic_F, elastoplastic_FS, elastoplastic_VS, elastoplastic_ALPHA, elastoplastic_K, elastoplastic_B, elastoplastic_D, elastoplastic_BA };\n"},
    {"elastoplastic_bristle_of",
     "static inline dry_law__bristle elastoplastic_bristle_of(const double *par) {\n"
     "    return (dry_law__bristle){.level = &par[elastoplastic_F], .K = par[elastoplastic_K], .B = par[elastoplastic_B], .D = par[elastoplastic_D]};\n"
     "}\n"},
    {"elastoplastic_slip_share",
     "static inline double elastoplastic_slip_share(double ba, double q, double *slope) {\n"
     "    const double pi = 3.14159265358979323846;\n"
     "    *slope = 0.0;\n"
     "    if (q <= ba) return 0.0;\n"
     "    if (q >= 1.0) return 1.0;\n"
     "    const double angle = pi * (q - 0.5 * (1.0 + ba)) / (1.0 - ba);\n"
     "    *slope = 0.5 * pi / (1.0 - ba) * cos(angle);\n"
     "    return 0.5 + 0.5 * sin(angle);\n"
     "}\n"},
    {"elastoplastic_may_slip",
     "static inline bool elastoplastic_may_slip(double v, double a) { return (v > 0.0 && a > 0.0) || (v < 0.0 && a < 0.0); }\n"},
    {"elastoplastic_eval",
     "static inline void elastoplastic_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = elastoplastic_bristle_of(par);\n"
     "    s_dot[0] = u[0];\n"
     "    if (elastoplastic_may_slip(u[0], s[0])) {\n"
     "        const double q = p.K * fabs(s[0]) / dry_law__level(p.level, fabs(u[0]));\n"
     "        double slope;\n"
     "        s_dot[0] = u[0] * (1.0 - elastoplastic_slip_share(par[elastoplastic_BA], q, &slope) * q);\n"
     "    }\n"
     "    dry_law__bristle_force(&p, dim, u, s, s_dot, f);\n"
     "}\n"},
    {"elastoplastic_jacobian",
     "static inline void elastoplastic_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = elastoplastic_bristle_of(par);\n"
     "    double *rate = J + 2;\n"
     "    rate[0] = 1.0;\n"
     "    rate[1] = 0.0;\n"
     "    if (elastoplastic_may_slip(u[0], s[0])) {\n"
     "        const double speed = fabs(u[0]), g = dry_law__level(p.level, speed),\n"
     "                     q = p.K * fabs(s[0]) / g;\n"
     "        double slope;\n"
     "        const double w = elastoplastic_slip_share(par[elastoplastic_BA], q, &slope);\n"
     "        const double loss_q = slope * q + w;\n"
     "        rate[0] = 1.0 - w * q + speed * loss_q * q * dry_law__level_slope(p.level, speed) / g;\n"
     "        rate[1] = -speed * loss_q * p.K / g;\n"
     "    }\n"
     "    dry_law__bristle_force_rows(&p, dim, J);\n"
     "}\n"},
    {"elastoplastic_kinks",
     "static inline void elastoplastic_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)tau;\n"
     "    const double steady = dry_law__level(&par[elastoplastic_F], fabs(u[0])) / par[elastoplastic_K];\n"
     "    dry_law__bristle_kinks(dim, u, g);\n"
     "    g[1] = par[elastoplastic_BA] * steady - fabs(s[0]);\n"
     "    g[2] = steady - fabs(s[0]);\n"
     "}\n"},
    {"elastoplastic_stuck",
     "static inline void elastoplastic_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = elastoplastic_bristle_of(par);\n"
     "    dry_law__bristle_stuck(&p, dim, u, s, f, s_dot);\n"
     "}\n"},
    {"elastoplastic_loose",
     "static inline void elastoplastic_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = elastoplastic_bristle_of(par);\n"
     "    dry_law__bristle_loose(&p, dim, u, s, f, s_dot);\n"
     "}\n"},
    {"elastoplastic_loss_slope",
     "static inline double elastoplastic_loss_slope(const double *par, const double *u, const double *s) {\n"
     "    double slope;\n"
     "    if (!elastoplastic_may_slip(u[0], s[0])) return 0.0;\n"
     "    const double q = par[elastoplastic_K] * fabs(s[0]) / dry_law__level(&par[elastoplastic_F], fabs(u[0]));\n"
     "    const double w = elastoplastic_slip_share(par[elastoplastic_BA], q, &slope);\n"
     "    return slope * q + w;\n"
     "}\n"},
    {"elastoplastic_fastest",
     "static inline double elastoplastic_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)tau;\n"
     "    const dry_law__bristle p = elastoplastic_bristle_of(par);\n"
     "    return fabs(elastoplastic_loss_slope(par, u, s)) * dry_law__bristle_fade(&p, dim, u);\n"
     "}\n"},
    {"elastoplastic_phase",
     "static inline unsigned elastoplastic_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)dim, (void)tau;\n"
     "    return elastoplastic_loss_slope(par, u, s) > 0.0 ? DRY_SLIPS : DRY_STICKS;\n"
     "}\n"},
    {"gms_N gms_F gms_FS gms_VS gms_ALPHA gms_C gms_LISTS",
     "enum { gms_N, gms_F, gms_FS, gms_VS, gms_ALPHA, gms_C, gms_LISTS };\n"},
    {"gms_elements_of",
     "static inline dry_law__elements gms_elements_of(const double *par) {\n"
     "    return dry_law__elements_of(&par[gms_N], &par[gms_LISTS]);\n"
     "}\n"},
    {"gms_eval",
     "static inline void gms_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)dim, (void)tau;\n"
     "    const dry_law__elements p = gms_elements_of(par);\n"
     "    const double g = dry_law__level(&par[gms_F], fabs(u[0]));\n"
     "    const double *a = s, *m = s + p.N;\n"
     "    double *a_dot = s_dot, *m_dot = s_dot + p.N;\n"
     "    f[0] = 0.0;\n"
     "    for (int i = 0; i < p.N; i++) {\n"
     "        const double pull = par[gms_C] / p.kappa[i] * (m[i] * p.lambda[i] - p.kappa[i] * a[i] / g);\n"
     "        a_dot[i] = m[i] == 0.0 ? u[0] : pull;\n"
     "        m_dot[i] = 0.0;\n"
     "        f[0] += p.kappa[i] * a[i] + p.sigma[i] * a_dot[i];\n"
     "    }\n"
     "}\n"},
    {"gms_jacobian",
     "static inline void gms_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)tau;\n"
     "    const dry_law__elements p = gms_elements_of(par);\n"
     "    const int width = 1 + 2 * p.N;\n"
     "    const double speed = fabs(u[0]), g = dry_law__level(&par[gms_F], speed);\n"
     "    const double *a = s, *m = s + p.N;\n"
     "    double g_v;\n"
     "    dry_law__level_gradient(&par[gms_F], dim, u, speed, &g_v);\n"
     "    for (int k = 0; k < width * width; k++) J[k] = 0.0;\n"
     "    for (int i = 0; i < p.N; i++) {\n"
     "        double *rate = J + (1 + i) * width;\n"
     "        const bool gms_slips = m[i] != 0.0;\n"
     "        rate[0] = gms_slips ? par[gms_C] * a[i] / g * (g_v / g) : 1.0;\n"
     "        rate[1 + i] = gms_slips ? -par[gms_C] / g : 0.0;\n"
     "        rate[1 + p.N + i] = gms_slips ? par[gms_C] * p.lambda[i] / p.kappa[i] : 0.0;\n"
     "        for (int k = 0; k < width; k++) J[k] += p.sigma[i] * rate[k];\n"
     "        J[1 + i] += p.kappa[i];\n"
     "    }\n"
     "}\n"},
    {"gms_kinks",
     "static inline void gms_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)dim, (void)tau;\n"
     "    const dry_law__elements p = gms_elements_of(par);\n"
     "    const double level = dry_law__level(&par[gms_F], fabs(u[0]));\n"
     "    const double *a = s, *m = s + p.N;\n"
     "    for (int i = 0; i < p.N; i++)\n"
     "        g[i] = m[i] == 0.0 ? p.lambda[i] * level / p.kappa[i] - fabs(a[i]) : m[i] * u[0];\n"
     "    g[p.N] = dry_law__level_kink(&par[gms_F], u[0]);\n"
     "}\n"},
    {"gms_latch",
     "static inline bool gms_latch(const double *par, int dim, const double *u, double *s) {\n"
     "    (void)dim;\n"
     "    const dry_law__elements p = gms_elements_of(par);\n"
     "    const double level = dry_law__level(&par[gms_F], fabs(u[0])), way = dry_sgn(u[0]);\n"
     "    const double *a = s;\n"
     "    double *m = s + p.N;\n"
     "    bool changed = false;\n"
     "    for (int i = 0; i < p.N; i++) {\n"
     "        const double before = m[i];\n"
     "        if (m[i] * u[0] <= 0.0) m[i] = 0.0;\n"
     "        if (m[i] == 0.0 && way * p.kappa[i] * a[i] >= p.lambda[i] * level) m[i] = way;\n"
     "        changed |= m[i] != before;\n"
     "    }\n"
     "    return changed;\n"
     "}\n"},
    {"gms_pull_of",
     "static inline void gms_pull_of(const dry_law__elements *p, const double *s, double *f, double *s_dot) {\n"
     "    f[0] = 0.0;\n"
     "    for (int i = 0; i < p->N; i++) {\n"
     "        f[0] += p->kappa[i] * s[i] + p->sigma[i] * s_dot[i];\n"
     "        s_dot[p->N + i] = 0.0;\n"
     "    }\n"
     "}\n"},
    {"gms_stuck",
     "static inline void gms_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim, (void)tau;\n"
     "    const dry_law__elements p = gms_elements_of(par);\n"
     "    for (int i = 0; i < p.N; i++) s_dot[i] = u[0];\n"
     "    gms_pull_of(&p, s, f, s_dot);\n"
     "}\n"},
    {"gms_loose",
     "static inline void gms_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim, (void)tau;\n"
     "    const dry_law__elements p = gms_elements_of(par);\n"
     "    const double rate = par[gms_C] / dry_law__level(&par[gms_F], fabs(u[0]));\n"
     "    for (int i = 0; i < p.N; i++) s_dot[i] = -rate * s[i];\n"
     "    gms_pull_of(&p, s, f, s_dot);\n"
     "}\n"},
    {"gms_slips",
     "static inline bool gms_slips(const double *par, const double *s) {\n"
     "    const int n = (int)par[gms_N];\n"
     "    bool all = true;\n"
     "    for (int i = 0; i < n; i++) all = all && s[n + i] != 0.0;\n"
     "    return all;\n"
     "}\n"},
    {"gms_fastest",
     "static inline double gms_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)dim, (void)tau;\n"
     "    const int n = (int)par[gms_N];\n"
     "    bool any = false;\n"
     "    for (int i = 0; i < n; i++) any = any || s[n + i] != 0.0;\n"
     "    return any ? par[gms_C] / dry_law__level(&par[gms_F], fabs(u[0])) : 0.0;\n"
     "}\n"},
    {"gms_phase",
     "static inline unsigned gms_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)dim, (void)tau, (void)u;\n"
     "    return gms_slips(par, s) ? DRY_SLIPS : DRY_STICKS;\n"
     "}\n"},
    {"contact_K contact_ALPHA contact_BETA",
     "enum { contact_K, contact_ALPHA, contact_BETA };\n"},
    {"contact_eval",
     "static inline void contact_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)dim;\n"
     "    f[0] = dry_contact(par[contact_K], par[contact_ALPHA], par[contact_BETA], tau, u[0], s[0], s_dot);\n"
     "}\n"},
    {"contact_jacobian",
     "static inline void contact_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)dim;\n"
     "    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);\n"
     "    const dry_law__unilateral_slopes slopes = dry_law__unilateral_slopes_at(&p, u[0], s[0]);\n"
     "    J[0] = slopes.N_psi;\n"
     "    J[1] = 0.0;\n"
     "    J[2] = slopes.N_e;\n"
     "    J[3] = slopes.e_dot_psi;\n"
     "    J[4] = 0.0;\n"
     "    J[5] = slopes.e_dot_e;\n"
     "}\n"},
    {"contact_kinks",
     "static inline void contact_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)dim;\n"
     "    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);\n"
     "    g[0] = dry_law__unilateral_kink(&p, u[0], s[0]);\n"
     "}\n"},
    {"contact_stuck",
     "static inline void contact_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim;\n"
     "    f[0] = dry_law__unilateral_closed(par, tau, u[0], s[0], s_dot);\n"
     "}\n"},
    {"contact_loose",
     "static inline void contact_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim, (void)u;\n"
     "    f[0] = 0.0;\n"
     "    s_dot[0] = -s[0] / (par[contact_BETA] + tau);\n"
     "}\n"},
    {"contact_fastest",
     "static inline double contact_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)dim;\n"
     "    return dry_law__unilateral_fastest(par, tau, u[0], s[0]);\n"
     "}\n"},
    {"contact_phase",
     "static inline unsigned contact_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)dim;\n"
     "    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);\n"
     "    return dry_law__unilateral_kink(&p, u[0], s[0]) > 0.0 ? DRY_CLOSED : DRY_OPEN;\n"
     "}\n"},
    {"compliant_K compliant_LAMBDA compliant_GAMMA compliant_BETA1 compliant_BETA2",
     "enum { compliant_K, compliant_LAMBDA, compliant_GAMMA, compliant_BETA1, compliant_BETA2 };\n"},
    {"compliant_rate_of",
     "static inline double compliant_rate_of(const double *par, double tau) {\n"
     "    return par[compliant_GAMMA] / (1.0 + par[compliant_GAMMA] * tau);\n"
     "}\n"},
    {"compliant_pressed",
     "static inline double compliant_pressed(const double *par, double rate, double s, double a) {\n"
     "    return s + rate * (par[compliant_BETA1] + par[compliant_BETA2] * a) * (s - a);\n"
     "}\n"},
    {"compliant_eval",
     "static inline void compliant_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)dim;\n"
     "    const double gamma = compliant_rate_of(par, tau), a = s[0];\n"
     "    const double in = dry_law__indentation(par[compliant_LAMBDA], -u[0]);\n"
     "    const double open = -gamma * a / (1.0 + gamma * (par[compliant_BETA1] + par[compliant_BETA2] * a));\n"
     "    s_dot[0] = dry_max(open, gamma * (in - a));\n"
     "    f[0] = par[compliant_K] * dry_pos(compliant_pressed(par, gamma, in, a));\n"
     "}\n"},
    {"compliant_jacobian",
     "static inline void compliant_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)dim;\n"
     "    const double gamma = compliant_rate_of(par, tau), a = s[0], m = par[compliant_BETA1] + par[compliant_BETA2] * a;\n"
     "    const double in = dry_law__indentation(par[compliant_LAMBDA], -u[0]);\n"
     "    const double slope = dry_law__indentation_slope(par[compliant_LAMBDA], -u[0]);\n"
     "    const bool closed = compliant_pressed(par, gamma, in, a) > 0.0;\n"
     "    const double compliant_loose = 1.0 + gamma * m;\n"
     "    J[0] = closed ? -par[compliant_K] * slope * compliant_loose : 0.0;\n"
     "    J[1] = 0.0;\n"
     "    J[2] = closed ? par[compliant_K] * gamma * (par[compliant_BETA2] * (in - a) - m) : 0.0;\n"
     "    J[3] = closed ? -gamma * slope : 0.0;\n"
     "    J[4] = 0.0;\n"
     "    J[5] = closed ? -gamma : -gamma * (1.0 + gamma * par[compliant_BETA1]) / (compliant_loose * compliant_loose);\n"
     "}\n"},
    {"compliant_kinks",
     "static inline void compliant_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)dim;\n"
     "    const double in = dry_law__indentation(par[compliant_LAMBDA], -u[0]);\n"
     "    g[0] = compliant_pressed(par, compliant_rate_of(par, tau), in, s[0]);\n"
     "    g[1] = u[0];\n"
     "}\n"},
    {"compliant_stuck",
     "static inline void compliant_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim;\n"
     "    const double gamma = compliant_rate_of(par, tau), in = dry_law__indentation(par[compliant_LAMBDA], dry_pos(-u[0]));\n"
     "    s_dot[0] = gamma * (in - s[0]);\n"
     "    f[0] = par[compliant_K] * compliant_pressed(par, gamma, in, s[0]);\n"
     "}\n"},
    {"compliant_loose",
     "static inline void compliant_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim, (void)u;\n"
     "    const double gamma = compliant_rate_of(par, tau);\n"
     "    f[0] = 0.0;\n"
     "    s_dot[0] = -gamma * s[0] / (1.0 + gamma * (par[compliant_BETA1] + par[compliant_BETA2] * s[0]));\n"
     "}\n"},
    {"compliant_is_closed",
     "static inline bool compliant_is_closed(const double *par, double tau, const double *u, const double *s) {\n"
     "    return compliant_pressed(par, compliant_rate_of(par, tau), dry_law__indentation(par[compliant_LAMBDA], -u[0]), s[0]) > 0.0;\n"
     "}\n"},
    {"compliant_fastest",
     "static inline double compliant_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)dim;\n"
     "    const double gamma = compliant_rate_of(par, tau), m = par[compliant_BETA1] + par[compliant_BETA2] * s[0];\n"
     "    const double forgets =\n"
     "        gamma * (1.0 + gamma * par[compliant_BETA1]) / ((1.0 + gamma * m) * (1.0 + gamma * m));\n"
     "    return compliant_is_closed(par, tau, u, s) ? gamma : forgets;\n"
     "}\n"},
    {"compliant_phase",
     "static inline unsigned compliant_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)dim;\n"
     "    return compliant_is_closed(par, tau, u, s) ? DRY_CLOSED : DRY_OPEN;\n"
     "}\n"},
    {"kelvin_voigt_K kelvin_voigt_B",
     "enum { kelvin_voigt_K, kelvin_voigt_B };\n"},
    {"kelvin_voigt_pressed",
     "static inline double kelvin_voigt_pressed(const double *par, const double *u) { return -par[kelvin_voigt_K] * u[0] - par[kelvin_voigt_B] * u[1]; }\n"},
    {"kelvin_voigt_eval",
     "static inline void kelvin_voigt_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)dim, (void)tau, (void)s, (void)s_dot;\n"
     "    f[0] = u[0] <= 0.0 ? kelvin_voigt_pressed(par, u) : 0.0;\n"
     "}\n"},
    {"kelvin_voigt_jacobian",
     "static inline void kelvin_voigt_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)dim, (void)tau, (void)s;\n"
     "    const bool closed = u[0] <= 0.0;\n"
     "    J[0] = closed ? -par[kelvin_voigt_K] : 0.0;\n"
     "    J[1] = closed ? -par[kelvin_voigt_B] : 0.0;\n"
     "}\n"},
    {"kelvin_voigt_kinks",
     "static inline void kelvin_voigt_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)par, (void)dim, (void)tau, (void)s;\n"
     "    g[0] = u[0];\n"
     "}\n"},
    {"kelvin_voigt_stuck",
     "static inline void kelvin_voigt_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim, (void)tau, (void)s, (void)s_dot;\n"
     "    f[0] = kelvin_voigt_pressed(par, u);\n"
     "}\n"},
    {"kelvin_voigt_loose",
     "static inline void kelvin_voigt_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s, (void)s_dot;\n"
     "    f[0] = 0.0;\n"
     "}\n"},
    {"kelvin_voigt_fastest",
     "static inline double kelvin_voigt_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s;\n"
     "    return 0.0;\n"
     "}\n"},
    {"kelvin_voigt_phase",
     "static inline unsigned kelvin_voigt_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)s;\n"
     "    return u[0] < 0.0 ? DRY_CLOSED : DRY_OPEN;\n"
     "}\n"},
    {"kelvin_voigt_cut_K kelvin_voigt_cut_B",
     "enum { kelvin_voigt_cut_K, kelvin_voigt_cut_B };\n"},
    {"kelvin_voigt_cut_pressed",
     "static inline double kelvin_voigt_cut_pressed(const double *par, const double *u) { return -par[kelvin_voigt_cut_K] * u[0] - par[kelvin_voigt_cut_B] * u[1]; }\n"},
    {"kelvin_voigt_cut_eval",
     "static inline void kelvin_voigt_cut_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)dim, (void)tau, (void)s, (void)s_dot;\n"
     "    f[0] = u[0] <= 0.0 ? dry_pos(kelvin_voigt_cut_pressed(par, u)) : 0.0;\n"
     "}\n"},
    {"kelvin_voigt_cut_jacobian",
     "static inline void kelvin_voigt_cut_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)dim, (void)tau, (void)s;\n"
     "    const bool closed = u[0] <= 0.0 && kelvin_voigt_cut_pressed(par, u) > 0.0;\n"
     "    J[0] = closed ? -par[kelvin_voigt_cut_K] : 0.0;\n"
     "    J[1] = closed ? -par[kelvin_voigt_cut_B] : 0.0;\n"
     "}\n"},
    {"kelvin_voigt_cut_kinks",
     "static inline void kelvin_voigt_cut_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)dim, (void)tau, (void)s;\n"
     "    g[0] = u[0];\n"
     "    g[1] = kelvin_voigt_cut_pressed(par, u);\n"
     "}\n"},
    {"kelvin_voigt_cut_stuck",
     "static inline void kelvin_voigt_cut_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)dim, (void)tau, (void)s, (void)s_dot;\n"
     "    f[0] = kelvin_voigt_cut_pressed(par, u);\n"
     "}\n"},
    {"kelvin_voigt_cut_loose",
     "static inline void kelvin_voigt_cut_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s, (void)s_dot;\n"
     "    f[0] = 0.0;\n"
     "}\n"},
    {"kelvin_voigt_cut_fastest",
     "static inline double kelvin_voigt_cut_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s;\n"
     "    return 0.0;\n"
     "}\n"},
    {"kelvin_voigt_cut_phase",
     "static inline unsigned kelvin_voigt_cut_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)s;\n"
     "    return u[0] < 0.0 ? DRY_CLOSED : DRY_OPEN;\n"
     "}\n"},
    {"hunt_crossley_K hunt_crossley_LAMBDA hunt_crossley_B",
     "enum { hunt_crossley_K, hunt_crossley_LAMBDA, hunt_crossley_B };\n"},
    {"hunt_crossley_eval",
     "static inline void hunt_crossley_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    (void)dim, (void)tau, (void)s, (void)s_dot;\n"
     "    const double in = dry_pos(dry_law__indentation(par[hunt_crossley_LAMBDA], -u[0]));\n"
     "    f[0] = par[hunt_crossley_K] * in * (1.0 - par[hunt_crossley_B] * u[1]);\n"
     "}\n"},
    {"hunt_crossley_jacobian",
     "static inline void hunt_crossley_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    (void)dim, (void)tau, (void)s;\n"
     "    const bool closed = u[0] < 0.0;\n"
     "    const double in = dry_law__indentation(par[hunt_crossley_LAMBDA], -u[0]);\n"
     "    const double slope = dry_law__indentation_slope(par[hunt_crossley_LAMBDA], -u[0]);\n"
     "    J[0] = closed ? -par[hunt_crossley_K] * slope * (1.0 - par[hunt_crossley_B] * u[1]) : 0.0;\n"
     "    J[1] = closed ? -par[hunt_crossley_K] * in * par[hunt_crossley_B] : 0.0;\n"
     "}\n"},
    {"hunt_crossley_kinks",
     "static inline void hunt_crossley_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    (void)par, (void)dim, (void)tau, (void)s;\n"
     "    g[0] = u[0];\n"
     "}\n"},
    {"hunt_crossley_loose",
     "static inline void hunt_crossley_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s, (void)s_dot;\n"
     "    f[0] = 0.0;\n"
     "}\n"},
    {"hunt_crossley_fastest",
     "static inline double hunt_crossley_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)u, (void)s;\n"
     "    return 0.0;\n"
     "}\n"},
    {"hunt_crossley_phase",
     "static inline unsigned hunt_crossley_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    (void)par, (void)dim, (void)tau, (void)s;\n"
     "    return u[0] < 0.0 ? DRY_CLOSED : DRY_OPEN;\n"
     "}\n"},
    {"frictional_contact_K frictional_contact_ALPHA frictional_contact_BETA frictional_contact_MU frictional_contact_KT frictional_contact_BETAT",
     "enum { frictional_contact_K, frictional_contact_ALPHA, frictional_contact_BETA, frictional_contact_MU, frictional_contact_KT, frictional_contact_BETAT };\n"},
    {"frictional_contact_PSI frictional_contact_PSI_DOT frictional_contact_V",
     "enum { frictional_contact_PSI, frictional_contact_PSI_DOT, frictional_contact_V };\n"},
    {"frictional_contact_E frictional_contact_A",
     "enum { frictional_contact_E, frictional_contact_A };\n"},
    {"frictional_contact_level_at",
     "static inline double frictional_contact_level_at(const double *par, double tau, const double *u, const double *s) {\n"
     "    double e_dot;\n"
     "    return par[frictional_contact_MU] * dry_contact(par[frictional_contact_K], par[frictional_contact_ALPHA], par[frictional_contact_BETA], tau, u[frictional_contact_PSI], s[frictional_contact_E], &e_dot);\n"
     "}\n"},
    {"frictional_contact_eval",
     "static inline void frictional_contact_eval(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                 double *f, double *s_dot) {\n"
     "    f[frictional_contact_E] = dry_contact(par[frictional_contact_K], par[frictional_contact_ALPHA], par[frictional_contact_BETA], tau, u[frictional_contact_PSI], s[frictional_contact_E], &s_dot[frictional_contact_E]);\n"
     "    dry_friction(dim, par[frictional_contact_KT], par[frictional_contact_BETAT], tau, par[frictional_contact_MU] * f[frictional_contact_E], &u[frictional_contact_V], &s[frictional_contact_A], &f[frictional_contact_A], &s_dot[frictional_contact_A]);\n"
     "}\n"},
    {"frictional_contact_jacobian",
     "static inline void frictional_contact_jacobian(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                     double *J) {\n"
     "    const int width = frictional_contact_V + dim + frictional_contact_A + dim, e = frictional_contact_V + dim, a = e + frictional_contact_A;\n"
     "    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);\n"
     "    const dry_law__unilateral_slopes normal = dry_law__unilateral_slopes_at(&p, u[frictional_contact_PSI], s[frictional_contact_E]);\n"
     "    const dry_law__friction_slopes slopes = dry_law__friction_slopes_at(\n"
     "        dim, par[frictional_contact_KT], par[frictional_contact_BETAT], tau, frictional_contact_level_at(par, tau, u, s), &u[frictional_contact_V], &s[frictional_contact_A]);\n"
     "    double *force = J, *rate = J + (frictional_contact_A + dim) * width;\n"
     "    for (int k = 0; k < 2 * (frictional_contact_A + dim) * width; k++) J[k] = 0.0;\n"
     "    force[frictional_contact_PSI] = normal.N_psi;\n"
     "    force[e] = normal.N_e;\n"
     "    rate[frictional_contact_PSI] = normal.e_dot_psi;\n"
     "    rate[e] = normal.e_dot_e;\n"
     "    for (int i = 0; i < dim; i++) {\n"
     "        double *f_row = force + (frictional_contact_A + i) * width, *a_row = rate + (frictional_contact_A + i) * width;\n"
     "        dry_law__friction_rows(&slopes, i, f_row + frictional_contact_V, f_row + a, a_row + frictional_contact_V, a_row + a);\n"
     "        const double f_N = slopes.r[i] * par[frictional_contact_MU], a_N = f_N / (slopes.K * slopes.b);\n"
     "        f_row[frictional_contact_PSI] = f_N * normal.N_psi;\n"
     "        f_row[e] = f_N * normal.N_e;\n"
     "        a_row[frictional_contact_PSI] = a_N * normal.N_psi;\n"
     "        a_row[e] = a_N * normal.N_e;\n"
     "    }\n"
     "}\n"},
    {"frictional_contact_kinks",
     "static inline void frictional_contact_kinks(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *g) {\n"
     "    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);\n"
     "    g[0] = dry_law__unilateral_kink(&p, u[frictional_contact_PSI], s[frictional_contact_E]);\n"
     "    dry_law__friction_kinks(dim, par[frictional_contact_KT], par[frictional_contact_BETAT], tau, frictional_contact_level_at(par, tau, u, s), &u[frictional_contact_V], &s[frictional_contact_A],\n"
     "                            &g[1]);\n"
     "}\n"},
    {"frictional_contact_stuck",
     "static inline void frictional_contact_stuck(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    f[frictional_contact_E] = dry_law__unilateral_closed(par, tau, u[frictional_contact_PSI], s[frictional_contact_E], &s_dot[frictional_contact_E]);\n"
     "    dry_friction(dim, par[frictional_contact_KT], par[frictional_contact_BETAT], tau, (double)INFINITY, &u[frictional_contact_V], &s[frictional_contact_A], &f[frictional_contact_A], &s_dot[frictional_contact_A]);\n"
     "}\n"},
    {"frictional_contact_loose",
     "static inline void frictional_contact_loose(const double *par, int dim, double tau, const double *u, const double *s,\n"
     "                  double *f, double *s_dot) {\n"
     "    (void)u;\n"
     "    f[frictional_contact_E] = 0.0;\n"
     "    s_dot[frictional_contact_E] = -s[frictional_contact_E] / (par[frictional_contact_BETA] + tau);\n"
     "    dry_law__slipping(dim, par[frictional_contact_BETAT] + tau, &s[frictional_contact_A], &f[frictional_contact_A], &s_dot[frictional_contact_A]);\n"
     "}\n"},
    {"frictional_contact_slips",
     "static inline bool frictional_contact_slips(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    const double level = frictional_contact_level_at(par, tau, u, s);\n"
     "    return dry_law__slips(dim, par[frictional_contact_KT], par[frictional_contact_BETAT] + tau, level, &u[frictional_contact_V], &s[frictional_contact_A]);\n"
     "}\n"},
    {"frictional_contact_fastest",
     "static inline double frictional_contact_fastest(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    const double across = frictional_contact_slips(par, dim, tau, u, s) ? 1.0 / (par[frictional_contact_BETAT] + tau) : 0.0;\n"
     "    return dry_max(across, dry_law__unilateral_fastest(par, tau, u[frictional_contact_PSI], s[frictional_contact_E]));\n"
     "}\n"},
    {"frictional_contact_phase",
     "static inline unsigned frictional_contact_phase(const double *par, int dim, double tau, const double *u, const double *s) {\n"
     "    const dry_law__unilateral p = dry_law__unilateral_of(par, tau);\n"
     "    if (!(dry_law__unilateral_kink(&p, u[frictional_contact_PSI], s[frictional_contact_E]) > 0.0)) return DRY_OPEN;\n"
     "    return DRY_CLOSED | (frictional_contact_slips(par, dim, tau, u, s) ? DRY_SLIPS : DRY_STICKS);\n"
     "}\n"},
    {0},
};
