/* compliant_impact: one impact on the compliant contact, and the contact designed from it.
 *
 * While it presses, the contact of XD (5.6) on a mass m that comes with speed v obeys
 *
 *     delta' = u,   m u' = -N,   a' = gamma (s - a),   N = K (s + gamma (beta1 + beta2 a)(s - a))
 *
 * with s = delta^lambda and delta(0) = a(0) = 0. In units of m, v and
 * omega0 = (K v^(lambda-1)/m)^(1/(lambda+1)), lengths in v/omega0, K, m and v are 1, and what is
 * left is lambda and
 *
 *     g = gamma/omega0,   b1 = beta1 omega0,   b2 = beta2 omega0 (v/omega0)^lambda.
 *
 * beta1 loses energy and leaves a residual indentation, beta2 only loses energy: the design finds
 * both by two nested searches, and the contact time gives omega0. */
#include "indentation.h"

/* ---- one impact ---------------------------------------------------------------------- */

/* The impact in its units. */
typedef struct material {
    double lambda, g, b1, b2;
} material;

typedef struct motion {
    double depth, speed, a, t;
} motion;

/* Of the steps, beside 1/omega0 and 1/fastest. RK4 errs by 1e-9 then, s = delta^lambda at
 * touch-down included. */
static const double step_of_contact = 1e-3, step_of_rate = 0.05;
static const double fastest_contact = 1e4;  /* in omega0 */
static const double longest_contact = 50.0; /* in 1/omega0; undamped it lasts 3.2 for spheres */

static double force(const material *p, const motion *x) {
    const double s = dry_law__indentation(p->lambda, x->depth);
    return s + p->g * (p->b1 + p->b2 * x->a) * (s - x->a);
}

static motion rate(const material *p, const motion *x) {
    const double s = dry_law__indentation(p->lambda, x->depth);
    return (motion){x->speed, -force(p, x), p->g * (s - x->a), 1.0};
}

static motion moved(const motion *x, double h, const motion *k) {
    return (motion){x->depth + h * k->depth, x->speed + h * k->speed, x->a + h * k->a,
                    x->t + h * k->t};
}

/* One step of RK4. */
static motion step(const material *p, const motion *x, double h) {
    const motion k1 = rate(p, x), x2 = moved(x, 0.5 * h, &k1), k2 = rate(p, &x2);
    const motion x3 = moved(x, 0.5 * h, &k2), k3 = rate(p, &x3);
    const motion x4 = moved(x, h, &k3), k4 = rate(p, &x4);
    motion end = moved(x, h / 6.0, &k1);
    end = moved(&end, h / 3.0, &k2);
    end = moved(&end, h / 3.0, &k3);
    return moved(&end, h / 6.0, &k4);
}

/* From the last point that presses to where the force is zero, less than h ahead. */
static motion release(const material *p, const motion *x, double h) {
    double low = 0.0, high = h;
    for (int i = 0; i < 50; i++) {
        const double middle = 0.5 * (low + high);
        const motion end = step(p, x, middle);
        *(force(p, &end) > 0.0 ? &low : &high) = middle;
    }
    return step(p, x, high);
}

/* The rate of the inner indentation, or of the mass on the contact while that has not relaxed;
 * depth and a are not much above 1. */
static double fastest_of(const material *p) {
    const double stiffness = 2.0 * p->lambda * (1.0 + p->g * (p->b1 + 2.0 * p->b2));
    return dry_max(p->g, sqrt(stiffness));
}

static dry_status impact_of(const material *p, dry_impact *impact) {
    const double fastest = fastest_of(p), h = dry_min(step_of_contact, step_of_rate / fastest);
    if (!(fastest <= fastest_contact)) return DRY_BAD_ARGUMENT;
    motion x = {.speed = 1.0}, next = step(p, &x, h);
    *impact = (dry_impact){0};
    while (next.speed > 0.0 || force(p, &next) > 0.0) {
        x = next;
        impact->depth = dry_max(impact->depth, x.depth);
        impact->force = dry_max(impact->force, force(p, &x));
        if (x.t > longest_contact) return DRY_BAD_ARGUMENT;
        next = step(p, &x, h);
    }
    x = release(p, &x, h);
    impact->restitution = -x.speed;
    impact->duration = x.t;
    impact->residual = x.depth;
    return DRY_OK;
}

static bool positive(double x) { return x > 0.0 && x < (double)INFINITY; }
static bool not_negative(double x) { return x >= 0.0 && x < (double)INFINITY; }

static double rate_of_impact(double K, double lambda, double mass, double speed) {
    return dry_pow(K * dry_pow(speed, lambda - 1.0) / mass, 1.0 / (lambda + 1.0));
}

dry_status dry_compliant_impact(const dry_compliant_choice *contact, double lambda, double mass,
                                double speed, dry_impact *impact) {
    const dry_compliant_choice *c = contact;
    if (!(positive(c->K) && positive(c->gamma) && not_negative(c->beta1) && not_negative(c->beta2)))
        return DRY_BAD_ARGUMENT;
    if (!(lambda >= 1.0 && lambda <= 4.0 && positive(mass) && positive(speed)))
        return DRY_BAD_ARGUMENT;
    const double omega0 = rate_of_impact(c->K, lambda, mass, speed);
    const double s = dry_pow(speed / omega0, lambda);
    const material p = {lambda, c->gamma / omega0, c->beta1 * omega0, c->beta2 * omega0 * s};
    return impact_of(&p, impact);
}

/* ---- the design ---------------------------------------------------------------------- */

/* gamma/omega0 of every design, as XD's figures have it at 1 m/s: fast beside the impact. */
static const double design_rate = 50.0;
static const double search_error = 1e-10;

/* What is asked for, and the two numbers that give it. */
typedef struct request {
    double restitution, ratio; /* residual/(speed * duration) */
    material found;
    dry_impact impact;
} request;

/* How far a search is from its aim; rising with its variable. */
typedef double miss(request *r, double variable);

/* A root of f between low (f < 0) and high (f > 0), or the end that is a root: regula falsi after
 * Illinois. */
static double search(request *r, miss *f, double low, double high) {
    double f_low = f(r, low), f_high = f(r, high), x = low;
    if (f_low >= 0.0) return low;
    if (f_high <= 0.0) return high;
    for (int i = 0, side = 0; i < 60 && high - low > search_error * (1.0 + high); i++) {
        x = i % 4 == 3 ? 0.5 * (low + high) : low - f_low * (high - low) / (f_high - f_low);
        const double f_x = f(r, x);
        if (fabs(f_x) < search_error) break;
        if (f_x < 0.0) {
            low = x, f_low = f_x;
            if (side < 0) f_high *= 0.5;
            side = -1;
        } else {
            high = x, f_high = f_x;
            if (side > 0) f_low *= 0.5;
            side = 1;
        }
    }
    return x;
}

/* Energy that is lost too little, in restitution; an impact that does not end loses all. */
static double miss_of_restitution(request *r) {
    const bool ends = impact_of(&r->found, &r->impact) == DRY_OK;
    return r->restitution - (ends ? r->impact.restitution : 0.0);
}

static double miss_by_b1(request *r, double b1) {
    r->found.b1 = b1;
    return miss_of_restitution(r);
}

static double miss_by_b2(request *r, double b2) {
    r->found.b2 = b2;
    return miss_of_restitution(r);
}

/* The value that is more than enough, from 1 on by doubling. */
static double enough(request *r, miss *f) {
    double x = 1.0;
    while (x < 1e6 && f(r, x) < 0.0) x *= 2.0;
    return x;
}

/* How far the residual is off if b2 gives the restitution that b1 leaves to it. */
static double miss_of_residual(request *r, double b1) {
    r->found.b1 = b1;
    r->found.b2 = 0.0;
    if (miss_of_restitution(r) < -search_error) {
        const double high = enough(r, miss_by_b2);
        r->found.b2 = search(r, miss_by_b2, 0.0, high);
        (void)miss_by_b2(r, r->found.b2);
    }
    return r->impact.residual / r->impact.duration - r->ratio;
}

static const double least_restitution = 0.1, most_restitution = 0.99;

static bool has_design(double restitution, double lambda) {
    return restitution >= least_restitution && restitution <= most_restitution && lambda >= 1.0 &&
           lambda <= 4.0;
}

/* The b1 that loses all alone, b2 = 0. */
static double most_b1(request *r) {
    r->found.b2 = 0.0;
    return search(r, miss_by_b1, 0.0, enough(r, miss_by_b1));
}

dry_status dry_compliant_residuals(double restitution, double lambda, double *least, double *most) {
    if (!has_design(restitution, lambda)) return DRY_BAD_ARGUMENT;
    request r = {.restitution = restitution, .found = {.lambda = lambda, .g = design_rate}};
    const double b1 = most_b1(&r);
    *least = miss_of_residual(&r, 0.0);
    *most = miss_of_residual(&r, b1);
    return DRY_OK;
}

dry_status dry_compliant_design(double restitution, double residual, double duration, double speed,
                                double mass, double lambda, dry_compliant_choice *choice) {
    if (!(has_design(restitution, lambda) && not_negative(residual) && positive(duration) &&
          positive(speed) && positive(mass)))
        return DRY_BAD_ARGUMENT;
    request r = {.restitution = restitution,
                 .ratio = residual / (speed * duration),
                 .found = {.lambda = lambda, .g = design_rate}};
    const double slack = 1e-7, most = most_b1(&r); /* slack: both ends are designs too */
    if (miss_of_residual(&r, 0.0) > slack || miss_of_residual(&r, most) < -slack)
        return DRY_BAD_ARGUMENT;
    (void)miss_of_residual(&r, search(&r, miss_of_residual, 0.0, most));
    const double omega0 = r.impact.duration / duration, s = dry_pow(speed / omega0, lambda);
    *choice = (dry_compliant_choice){.K = mass * dry_pow(omega0, lambda + 1.0) /
                                          dry_pow(speed, lambda - 1.0),
                                     .gamma = design_rate * omega0,
                                     .beta1 = r.found.b1 / omega0,
                                     .beta2 = r.found.b2 / (omega0 * s)};
    return DRY_OK;
}
