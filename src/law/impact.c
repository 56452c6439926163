/* impact: one impact of the contact element solved exactly, and the elements designed from it.
 *
 * In contact the element is the Zener solid N = K (1 + beta s)/(1 + alpha s) (-psi) (X13
 * (22)-(25)). In units of the mass m, the speed v and omega0 = sqrt(K/m), with a = alpha omega0,
 * b = beta omega0; P gap, V its rate, F force, G weight:
 *
 *     P' = V,   V' = F - G,   a F' = -(F + P + b V)
 *     P(0) = 0,   V(0) = -1,   F(0) = 0
 *
 * The contact ends where F returns to 0. The state (P + G, V, F - G) obeys a homogeneous linear
 * equation; its exponentials over steps of h, 2h, 4h, ... are exact also where roots of
 * a s^3 + s^2 + b s + 1 coincide (b^2 = 3, rho = 1/9), which the three exponentials written out are
 * not. */
#include <drystone/law.h>
#include <drystone/math.h>
#include <string.h>

/* ---- one impact -------------------------------------------------------------------- */

enum { DEGREE = 14, LEVELS = 40, STEPS_PER_LEVEL = 8 };

/* Of the element, in omega0; each doubling of the step doubles the rounding, to 1e-9 there. */
static const double fastest_rate = 1e7;
static const double longest_contact = 20.0; /* in 1/omega0; undamped it lasts pi */

typedef struct matrix {
    double at[3][3];
} matrix;

/* The equation and its exponentials over h, 2h, 4h, ... */
typedef struct flow {
    double a, b, h;
    matrix step[LEVELS];
} flow;

static void rate(const flow *f, const double y[3], double y_dot[3]) {
    y_dot[0] = y[1];
    y_dot[1] = y[2];
    y_dot[2] = -(y[2] + y[0] + f->b * y[1]) / f->a;
}

/* z = exp(A s) y by Taylor's series: s is at most h, where DEGREE terms are exact to rounding. */
static void flow_short(const flow *f, double s, const double y[3], double z[3]) {
    double term[3] = {y[0], y[1], y[2]};
    for (int i = 0; i < 3; i++) z[i] = y[i];
    for (int k = 1; k <= DEGREE; k++) {
        double next[3];
        rate(f, term, next);
        for (int i = 0; i < 3; i++) z[i] += term[i] = next[i] * s / k;
    }
}

static void flow_level(const flow *f, int level, const double y[3], double z[3]) {
    const matrix *E = &f->step[level];
    for (int i = 0; i < 3; i++) z[i] = E->at[i][0] * y[0] + E->at[i][1] * y[1] + E->at[i][2] * y[2];
}

static void flow_init(flow *f, double a, double b) {
    f->a = a;
    f->b = b;
    f->h = 1.0 / (16.0 * dry_max(1.0, dry_max(sqrt(b / a), 1.0 / a)));
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0.0, 0.0, 0.0}, column[3];
        unit[j] = 1.0;
        flow_short(f, f->h, unit, column);
        for (int i = 0; i < 3; i++) f->step[0].at[i][j] = column[i];
    }
    for (int level = 1; level < LEVELS; level++)
        for (int j = 0; j < 3; j++) {
            const matrix *half = &f->step[level - 1];
            const double before[3] = {half->at[0][j], half->at[1][j], half->at[2][j]};
            double column[3];
            flow_level(f, level - 1, before, column);
            for (int i = 0; i < 3; i++) f->step[level].at[i][j] = column[i];
        }
}

/* A quantity c . y + offset of the state. */
typedef struct quantity {
    double c[3], offset;
} quantity;

static double value(const quantity *q, const double y[3]) {
    return q->c[0] * y[0] + q->c[1] * y[1] + q->c[2] * y[2] + q->offset;
}

/* Moves (t, y) by one step of `level` unless the quantity is negative after it. */
static bool try_level(const flow *f, const quantity *q, int level, double *t, double y[3]) {
    double next[3];
    flow_level(f, level, y, next);
    if (value(q, next) < 0.0) return false;
    memcpy(y, next, sizeof next);
    *t += ldexp(f->h, level);
    return true;
}

/* Moves (t, y) to the zero of the quantity, which lies less than h ahead. */
static void bisect(const flow *f, const quantity *q, double *t, double y[3]) {
    double low = 0.0, high = f->h, z[3];
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        flow_short(f, middle, y, z);
        *(value(q, z) < 0.0 ? &high : &low) = middle;
    }
    flow_short(f, low, y, z);
    memcpy(y, z, sizeof z);
    *t += low;
}

/* Moves (t, y) from the touch-down to the first time where the quantity becomes negative: steps
 * that grow with the time gone by, then halved. False if that does not happen. */
static bool seek(const flow *f, const quantity *q, double G, double *t, double y[3]) {
    const double touch[3] = {G, -1.0, -G};
    memcpy(y, touch, sizeof touch);
    *t = 0.0;
    int level = 0;
    for (int steps = 1; try_level(f, q, level, t, y); steps++) {
        if (*t > longest_contact) return false;
        if (steps % STEPS_PER_LEVEL == 0 && level + 1 < LEVELS) level++;
    }
    while (level > 0) (void)try_level(f, q, --level, t, y);
    bisect(f, q, t, y);
    return true;
}

dry_status dry_impact_of(double b, double rho, double G, dry_impact *impact) {
    const double a = rho * b;
    if (!(rho > 0.0 && rho <= 1.0 && b > 0.0 && G >= 0.0 && G < (double)INFINITY))
        return DRY_BAD_ARGUMENT;
    if (!(1.0 / a < fastest_rate && sqrt(1.0 / rho) < fastest_rate && b < fastest_rate))
        return DRY_BAD_ARGUMENT;
    flow f;
    flow_init(&f, a, b);
    const quantity sinking = {{0.0, -1.0, 0.0}, 0.0}; /* -V */
    const quantity loading = {{-1.0, -b, -1.0}, 0.0}; /* a F' */
    const quantity pressing = {{0.0, 0.0, 1.0}, G};   /* F */
    double t, y[3];
    if (!seek(&f, &sinking, G, &t, y)) return DRY_BAD_ARGUMENT;
    impact->depth = G - y[0];
    if (!seek(&f, &loading, G, &t, y)) return DRY_BAD_ARGUMENT;
    impact->force = value(&pressing, y);
    if (!seek(&f, &pressing, G, &t, y)) return DRY_BAD_ARGUMENT;
    impact->duration = t;
    impact->residual = G - y[0];
    impact->restitution = y[1];
    return y[1] * y[1] > 2.0 * G * impact->residual ? DRY_OK : DRY_BAD_ARGUMENT;
}

/* ---- tangent design ---------------------------------------------------------------- */

/* Fits of the tangent design over 0.03 .. 0.98, polynomials in e and in ln e: where the search
 * begins. */
static const double fit_rho[] = {0.71226, -0.05600, 0.37311, -0.13192};
static const double fit_b[] = {-0.09818, -0.57840, -0.03583, -0.00960, -0.00101};

/* e -> 1: 1 - e = (1 - rho) b/(1 + b^2) (pi/2 - b (1 + exp(-pi/b))/(1 + b^2)), greatest here. */
static const double elastic_b = 0.905698;

static double polynomial(int n, const double *c, double x) {
    double sum = 0.0;
    while (n-- > 0) sum = sum * x + c[n];
    return sum;
}

static double restitution_of(double b, double rho) {
    dry_impact impact;
    return dry_impact_of(b, rho, 0.0, &impact) == DRY_OK ? impact.restitution : (double)NAN;
}

/* One step of Newton's method for dCOR/d(ln b) = 0. */
static double nearer_minimum(double b, double rho) {
    const double d = 1e-3;
    const double left = restitution_of(b * dry_exp(-d), rho),
                 right = restitution_of(b * dry_exp(d), rho);
    const double bend = left - 2.0 * restitution_of(b, rho) + right;
    return b * dry_exp(dry_sat1(0.3, 0.5 * d * (left - right) / bend));
}

/* One step of Newton's method for COR = e at this b. */
static double nearer_restitution(double b, double rho, double e) {
    const double d = 1e-6 * rho, here = restitution_of(b, rho);
    const double slope = (here - restitution_of(b, rho - d)) / d;
    return dry_min(1.0, rho + (e - here) / slope);
}

static const double least = 0.03, most = 0.999; /* of the designs that are not elastic */

double dry_tangent_nearest(double restitution) {
    return restitution > most ? 1.0 : dry_max(restitution, least);
}

dry_status dry_tangent_design(double restitution, dry_tangent *design) {
    const double e = restitution;
    if (!((e >= least && e <= most) || e == 1.0)) return DRY_BAD_ARGUMENT;
    double rho = e * (1.0 - (1.0 - e) * polynomial(4, fit_rho, e));
    double b = dry_exp(polynomial(5, fit_b, dry_log(e)));
    if (e == 1.0) b = elastic_b;
    for (int i = 0; i < 6 && e < 1.0; i++) {
        b = nearer_minimum(b, rho);
        rho = nearer_restitution(b, rho, e);
    }
    dry_impact impact = {0};
    const dry_status status = dry_impact_of(b, rho, 0.0, &impact);
    *design = (dry_tangent){rho, b, impact.depth, impact.duration};
    return status;
}

/* ---- the contact element ----------------------------------------------------------- */

static bool positive(double x) { return x > 0.0 && x < (double)INFINITY; }

static dry_status contact_of(const dry_tangent *design, double mass, double omega0,
                             dry_contact_choice *choice) {
    if (!positive(mass) || !positive(omega0)) return DRY_BAD_ARGUMENT;
    const double beta = design->b / omega0;
    *choice = (dry_contact_choice){
        .K = mass * omega0 * omega0, .alpha = design->rho * beta, .beta = beta};
    return DRY_OK;
}

dry_status dry_contact_from_depth(double restitution, double mass, double depth, double speed,
                                  dry_contact_choice *choice) {
    dry_tangent design;
    const dry_status status = dry_tangent_design(restitution, &design);
    if (status != DRY_OK || !positive(depth) || !positive(speed)) return DRY_BAD_ARGUMENT;
    return contact_of(&design, mass, design.depth * speed / depth, choice);
}

dry_status dry_contact_from_duration(double restitution, double mass, double duration,
                                     dry_contact_choice *choice) {
    dry_tangent design;
    const dry_status status = dry_tangent_design(restitution, &design);
    if (status != DRY_OK || !positive(duration)) return DRY_BAD_ARGUMENT;
    return contact_of(&design, mass, design.duration / duration, choice);
}

dry_status dry_contact_from_stiffness(double restitution, double mass, double K,
                                      dry_contact_choice *choice) {
    dry_tangent design;
    const dry_status status = dry_tangent_design(restitution, &design);
    if (status != DRY_OK || !positive(K) || !positive(mass)) return DRY_BAD_ARGUMENT;
    return contact_of(&design, mass, sqrt(K / mass), choice);
}

/* RK4: T max(sqrt(K beta/(alpha m)), 1/alpha) <= 2.5, that is T omega0 fastest <= 2.5. */
dry_status dry_contact_resolved(double restitution, double mass, double step,
                                double steps_per_contact, dry_contact_choice *choice) {
    const double rk4_limit = 2.5;
    dry_tangent design;
    const dry_status status = dry_tangent_design(restitution, &design);
    if (status != DRY_OK || !positive(step) || !positive(steps_per_contact))
        return DRY_BAD_ARGUMENT;
    const double fastest = dry_max(1.0 / sqrt(design.rho), 1.0 / (design.rho * design.b));
    const double resolved = design.duration / steps_per_contact;
    return contact_of(&design, mass, dry_min(resolved, rk4_limit / fastest) / step, choice);
}

double dry_contact_restitution(const dry_contact_choice *contact, double mass) {
    const double b = contact->beta * sqrt(contact->K / mass);
    dry_impact impact;
    const dry_status status = dry_impact_of(b, contact->alpha / contact->beta, 0.0, &impact);
    return status == DRY_OK ? impact.restitution : 0.0;
}
