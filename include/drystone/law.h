/* law: friction and contact laws, one file and one row of laws.def each.
 *
 * A law is a pure function of (parameters, tau, input u, state s) that gives (force f, rate s_dot).
 * tau is the step of the Runge-Kutta stage (KY08 (19)-(22)); tau = 0 is the law in continuous time
 * (X13). Laws without a resolvent ignore it.
 *
 *   kind                 input u                 force f        power that flows into the law
 *   friction             v[dim]                  f[dim]         f . v
 *   contact              psi, psi_dot            N              -N psi_dot
 *   frictional contact   psi, psi_dot, v[dim]    N, f[dim]      -N psi_dot + f . v
 *
 * v: sliding velocity, m/s; psi: gap, m, negative when pressed in. f is subtracted and opposes the
 * motion: M v_dot = fe - f; N opens the gap: M psi_ddot = fe + N.
 *
 * Floor 0. */
#ifndef DRYSTONE_LAW_H
#define DRYSTONE_LAW_H

#include <drystone/core.h>
#include <drystone/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the resolvents that everything is built on -------------------------- */

/* Dry friction f in chi sgn(theta), theta in R^n, with one state a in R^n (X13 (18), KY08 (19)):
 *     f = sat(chi, K (a + (beta + tau) theta)),  a_dot = (f/K - a)/(beta + tau)
 * While it sticks a_dot is theta to the last bit: the proxy does not move. Returns true in slip. */
DRY_INLINE bool dry_friction(int n, double K, double beta, double tau, double chi,
                             const double *theta, const double *a, double *f, double *a_dot) {
    const double b = beta + tau;
    for (int i = 0; i < n; i++) f[i] = K * (a[i] + b * theta[i]);
    const bool slips = dry_sat(n, chi, f, f);
    for (int i = 0; i < n; i++) a_dot[i] = slips ? (f[i] / K - a[i]) / b : theta[i];
    return slips;
}

/* Unilateral contact N in dio(psi) with one state e (X13 (24), (25)):
 *     e_dot = max(-e/(beta + tau), -(psi + e)/(alpha + tau)),  N = K (e + (beta + tau) e_dot)
 * Returns N, which is never negative and exactly 0 while the contact is open. */
DRY_INLINE double dry_contact(double K, double alpha, double beta, double tau, double psi, double e,
                              double *e_dot) {
    const double open = -e / (beta + tau);
    const double closed = -(psi + e) / (alpha + tau);
    *e_dot = dry_max(open, closed);
    return closed > open ? dry_pos(K * (e + (beta + tau) * closed)) : 0.0;
}

/* How far the free place q - (1 - alpha/beta) e lies beyond [-h, h]; *pressed: how far the flank is
 * pressed in. shrink: alpha/beta. */
DRY_INLINE double dry_backlash_beyond(double shrink, double h, double q, double e,
                                      double *pressed) {
    const double y = q - (1.0 - shrink) * e, inside = dry_sat1(h, y);
    *pressed = q - inside;
    return y - inside;
}

/* Play between two flanks, r in N_P(q) with P = [-h, h] and one state e (X13 (22), (23) with P in
 * the place of the half-line; alpha' = alpha + tau, beta' = beta + tau):
 *     r in N_P(q - e - alpha' e_dot),  r = K (e + beta' e_dot)
 *     <=>  y = q - (1 - alpha'/beta') e,  r = K beta'/alpha' (y - clip(y, -h, h)),
 *          e_dot = (r/K - e)/beta'
 * Returns r, which is exactly 0 between the flanks. */
DRY_INLINE double dry_backlash(double K, double alpha, double beta, double tau, double h, double q,
                               double e, double *e_dot) {
    const double in = alpha + tau, out = beta + tau;
    double pressed;
    const double r = K * (out / in) * dry_backlash_beyond(in / out, h, q, e, &pressed);
    *e_dot = (r / K - e) / out;
    return r;
}

/* ---- the catalogue ------------------------------------------------------- */

typedef enum dry_law_kind { DRY_FRICTION, DRY_CONTACT, DRY_FRICTIONAL_CONTACT } dry_law_kind;

/* What a law promises; tests/law/test_traits.c and test_loops.c run each promise for every law that
 * makes it. */
enum {
    DRY_ODD = 1 << 0,              /* -v and -a give -f and -a_dot */
    DRY_BOUNDED = 1 << 1,          /* |f - D v| never exceeds a bound given by the parameters */
    DRY_PASSIVE = 1 << 2,          /* power in >= rate of stored energy, along every motion */
    DRY_NO_DRIFT = 1 << 3,         /* an oscillation below the limit leaves the proxy where it is */
    DRY_NEVER_PULLS = 1 << 4,      /* N >= 0 */
    DRY_CONTINUOUS = 1 << 5,       /* force and rate are Lipschitz in input and state */
    DRY_FINITE = 1 << 6,           /* finite for every finite input and state up to 1e100 */
    DRY_RATE_INDEPENDENT = 1 << 7, /* the presliding loop does not depend on its speed */
    DRY_MINOR_LOOPS = 1 << 8       /* a minor loop closes and leaves the major loop unharmed */
};
#define DRY_N_TRAITS 9

/* Which of the functions above computes the law, if one does: `show` prints its equations. The
 * bytecode has an instruction for the first two. */
typedef enum dry_resolvent {
    DRY_RESOLVENT_NONE,
    DRY_RESOLVENT_FRICTION, /* dry_friction of F, K and beta */
    DRY_RESOLVENT_CONTACT,  /* dry_contact of K, alpha and beta */
    DRY_RESOLVENT_BACKLASH  /* dry_backlash of h, K, alpha and beta */
} dry_resolvent;

/* The phase of an element, as bits: one of the first two, one of the last two, or one of each. */
enum { DRY_STICKS = 1 << 0, DRY_SLIPS = 1 << 1, DRY_OPEN = 1 << 2, DRY_CLOSED = 1 << 3 };

typedef enum dry_param_form {
    DRY_SCALAR,
    DRY_COUNT, /* a whole number >= 1: the number of elements */
    DRY_LIST   /* one value per element */
} dry_param_form;

typedef enum dry_param_rule {
    DRY_EACH,   /* every element of a list has the standard value */
    DRY_OVER_I, /* element i has standard/i */
    DRY_OVER_N  /* every element has standard/N */
} dry_param_rule;

typedef enum dry_param_range {
    DRY_ANY,
    DRY_NONNEGATIVE,
    DRY_POSITIVE,
    DRY_AT_LEAST_ONE
} dry_param_range;

/* A unit that holds a parameter's name, such as N/m^lambda, cannot be checked. */
typedef struct dry_law_param {
    const char *name, *unit, *meaning;
    double standard; /* the default, SI */
    dry_param_range range;
    dry_param_form form;
    dry_param_rule rule;
} dry_law_param;

typedef enum dry_state_form { DRY_ONE, DRY_PER_DIM, DRY_PER_ELEMENT } dry_state_form;

/* States of a friction law that reverse with v (-v gives -a) are per dimension or per element;
 * those of form DRY_ONE keep their sign. */
typedef struct dry_law_state {
    const char *name, *unit, *meaning;
    dry_state_form form;
} dry_law_state;

/* The differential inclusion of which a law is the exact solution, as its paper writes it: rows of
 * equations in LaTeX (amsmath, with & and \\\\) and in MathML (cells of a table), where
 *   <f> is the force, <s> a minus if the text turns it, <v> the velocity and <u> the gap as the
 * text has them, <m> minus the gap, <i> the index of an element, <F> the level that the text gives.
 */
typedef struct dry_law_inclusion {
    const char *latex, *mathml;
    const char *latex_level, *mathml_level; /* one row more if the text gives a level; NULL: none */
} dry_law_inclusion;

/* How the arguments of a law change in n ways: for each packed parameter, input and state a row of
 * n numbers. moves[k] is 0 if parameter k changes in none. */
typedef struct dry_tangents {
    int n;
    const double *par, *u, *s;
    const unsigned char *moves;
} dry_tangents;

/* Functions take parameters as packed numbers: scalars, the count and lists of N values, in the
 * order of the keys. It is long because it is a row: it holds all that other rooms need to know
 * about a law. */
typedef struct dry_law {
    const char *name;     /* "lugre": its name in .dry files and in C */
    const char *part;     /* its name as a part, if it has another one there; NULL: the same. A part
                             that has this name without the catalogue stands for the law */
    const char *title;    /* "LuGre friction" */
    const char *equation; /* one or several lines of plain text */
    const char *paper;    /* and equation */
    const char *known;    /* what it is known for, as sentences for its page; NULL: nothing more */
    const char *set;      /* "sgn": the set that it relaxes without adding anything, so that methods
                             without K use the set instead (dry_law_set); NULL: none */
    dry_resolvent resolvent;
    const dry_law_inclusion *inclusion; /* NULL: there is none, or its set says it */
    dry_law_kind kind;
    unsigned traits;
    int max_dim; /* dimensions of v: 1 .. max_dim; 0 for contact without friction */
    /* A contact whose force depends on psi_dot. It cannot stand for a set, which has the gap alone.
     */
    bool uses_rate;
    bool yields; /* a model may define a function of this name: for laws that came after the first
                    models */
    bool spins;  /* the third number of v is the speed of a rim, radius times spin, and that of f is
                    the moment over the radius, so that f . v is the power */
    const dry_law_param *params;
    int n_params;
    const dry_law_state *states;
    int n_states; /* rows of `states`; dry_law_states counts the numbers */

    void (*eval)(const double *par, int dim, double tau, const double *u, const double *s,
                 double *f, double *s_dot);
    /* J, row-major: rows (f, s_dot), columns (u, s); at a kink, the element of the generalised
     * Jacobian for the branch that eval takes. */
    void (*jacobian)(const double *par, int dim, double tau, const double *u, const double *s,
                     double *J);
    /* P, row-major: rows (f, s_dot), columns the packed parameters; of the branch that eval takes.
     * A count has 0, and so has a parameter whose value changes nothing there. NaN if the law jumps
     * as the parameter changes. NULL: the law does not have it, and sensitivities by its parameters
     * come from differences (fit.h). */
    void (*by_par)(const double *par, int dim, double tau, const double *u, const double *s,
                   double *P);
    /* How force and rate then change: rows of ways->n numbers in `to`, first those of f. The same
     * as J and P times the changes, but for rounding. NULL: J and P serve. */
    void (*tangents)(const double *par, int dim, double tau, const double *u, const double *s,
                     const dry_tangents *ways, double *to);
    /* The two ends of what the law can be, for the check of the step (stability.h): `stuck`, with
     * nothing slipping and all closed, and `loose`, with all slipping and open. Only their
     * derivatives are used, not their values, so leave out a constant level. Every law must have
     * both. */
    void (*stuck)(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot);
    void (*loose)(const double *par, int dim, double tau, const double *u, const double *s,
                  double *f, double *s_dot);
    /* The fastest rate, 1/s, at which a state of the law now settles by itself: K |v|/g(v) of
     * sliding bristles, 1/alpha of a closed contact; 0: none settles. */
    double (*fastest)(const double *par, int dim, double tau, const double *u, const double *s);
    /* True if that rate can exceed the rates of its two ends at rest as the motion grows. Then the
     * check before a run cannot bound it, and the run checks it (ode.h). */
    bool quickens;
    /* The phase: bits DRY_STICKS, DRY_SLIPS, DRY_OPEN, DRY_CLOSED. */
    unsigned (*phase)(const double *par, int dim, double tau, const double *u, const double *s);
    /* The elastic energy held by the state, J; NULL if nothing is stored. */
    double (*energy)(const double *par, int dim, double tau, const double *u, const double *s);
    /* The bound of a law with the trait DRY_BOUNDED, N; NULL for the others. */
    double (*bound)(const double *par, int dim);
    /* Of a law with K and beta whose level depends on its own slip v - a_dot: how steeply the level
     * falls at most, N s/m. The force has one value if K beta is more. NULL: the level depends on
     * v, so that it is known before the force. */
    double (*fall)(const double *par);
    /* Switching functions: force and rate are smooth while no g changes its sign. Their number
     * depends only on dim and the count of elements. */
    int (*n_kinks)(const double *par, int dim); /* NULL: none */
    void (*kinks)(const double *par, int dim, double tau, const double *u, const double *s,
                  double *g);
    /* Sets the state at the start of a motion; NULL: zeros. */
    void (*start)(const double *par, int dim, const double *u, double *s);
    /* S, row-major: the derivatives of these states, rows s, columns the packed parameters and then
     * the inputs. NULL: as of by_par. */
    void (*start_by)(const double *par, int dim, const double *u, double *S);
    /* Updates discrete states after an accepted step; true if s was changed. NULL: none. */
    bool (*latch)(const double *par, int dim, const double *u, double *s);
    /* Checks a relation between parameters that ranges cannot express: NULL if it holds, else what
     * is wrong and what to do. NULL: there is no such relation. */
    const dry_wrong *(*check)(const double *par, int dim);
} dry_law;

DRY_API int dry_law_count(void);
DRY_API const dry_law *dry_law_at(int index);
/* NULL if there is no law of that name. */
DRY_API const dry_law *dry_law_find(const char *name);
/* The set that the law relaxes without adding anything; NULL: none. */
DRY_API const dry_set *dry_law_set(const dry_law *law);
/* The law that replaces a set if the model names none: the first law of the catalogue that relaxes
 * the set; NULL: there is none. */
DRY_API const dry_law *dry_law_of_set(const dry_set *set);
/* The parameter that is the level of friction; -1: none. */
DRY_API int dry_law_level(const dry_law *law);
/* True if a text may write `with law = NAME(...)` after the set: friction with a level whose v is a
 * velocity for a set of forces, a contact that knows the gap alone for a set of positions. */
DRY_API bool dry_law_stands_for(const dry_law *law, const dry_set *set);
/* The first fact that is missing in the row, such as "stuck"; NULL: the row is complete. The
 * compiler refuses a law with an incomplete row. */
DRY_API const char *dry_law_lacks(const dry_law *law);
/* The phase of the law. Friction with level 0 carries no force and counts as open.
 */
DRY_API unsigned dry_law_phase(const dry_law *law, const double *par, int dim, double tau,
                               const double *u, const double *s);
/* "no drift", and what it means, for bit `trait` in 0 .. DRY_N_TRAITS-1. */
DRY_API const char *dry_trait_name(int trait);
DRY_API const char *dry_trait_meaning(int trait);

DRY_API int dry_law_inputs(const dry_law *law, int dim);
DRY_API int dry_law_forces(const dry_law *law, int dim);
DRY_API int dry_law_states(const dry_law *law, const double *par, int dim);
/* The length of the packed parameters with `elements` elements (1 if the law has no count).
 */
DRY_API int dry_law_par_size(const dry_law *law, int elements);
/* Where parameter `index` of the law begins in the packed parameters. */
DRY_API int dry_law_par_offset(const dry_law *law, int index, int elements);
/* The index in law->params, -1 if there is none of that name. */
DRY_API int dry_law_par_find(const dry_law *law, const char *name);
/* Fills the packed parameters with the defaults. */
DRY_API void dry_law_defaults(const dry_law *law, int elements, double *par);
/* Returns true if the force has one value: K beta of the law is above the steepest fall of a level
 * that depends on its own slip. Sets *damping to K beta and *fall to that fall, N s/m; both to 0 if
 * the level does not depend on its slip. */
DRY_API bool dry_law_has_one_answer(const dry_law *law, const double *par, double *damping,
                                    double *fall);
/* NULL if every parameter is finite and in its range and the law's own check holds; else what is
 * wrong; *index is then the parameter's row (-1 for a relation of several), and may be NULL. */
DRY_API const dry_wrong *dry_law_check(const dry_law *law, const double *par, int dim, int *index);

/* ---- multistate friction in batches --------------------------------------- */

/* gcc at -O2 vectorises only loops with a known count, so it gets this many lanes at a time. Other
 * compilers do better without (0). */
#if defined(__GNUC__) && !defined(__clang__)
#define DRY_LANES 4
#else
#define DRY_LANES 0
#endif

/* `count` lanes of one element with stiffness K, damping B and share L. */
DRY_INLINE void dry_multistate_lanes(size_t count, double K, double B, double L, double over_B,
                                     const double *DRY_RESTRICT v, const double *DRY_RESTRICT gamma,
                                     const double *DRY_RESTRICT a, double *DRY_RESTRICT f,
                                     double *DRY_RESTRICT a_dot) {
    for (size_t lane = 0; lane < count; lane++) {
        const double spring = K * a[lane];
        const double limit = L * gamma[lane];
        double fi = spring + B * v[lane];
        fi = fi > limit ? limit : fi;
        fi = fi < -limit ? -limit : fi;
        a_dot[lane] = (fi - spring) * over_B;
        f[lane] += fi;
    }
}

/* `lanes` independent multistate laws of n elements each (XD (4.13b,c)), laid out for SIMD:
 * a[i*lanes + lane]. v and gamma (the level) have one number per lane; f becomes the sum over the
 * elements, a_dot is laid out like a; kappa, sigma, lambda have n numbers. The arrays must not
 * overlap.
 *
 * Inline, so that the flags of your own build decide on the vector width: -O2 alone gives two lanes
 * per instruction, -O2 -mavx2 four, and -O3 -mavx2 is the fastest by a little. Best if a and a_dot
 * stay in the first-level cache: n lanes of about 1000. */
static inline void dry_multistate_batch(int n, size_t lanes, const double *DRY_RESTRICT kappa,
                                        const double *DRY_RESTRICT sigma,
                                        const double *DRY_RESTRICT lambda,
                                        const double *DRY_RESTRICT v,
                                        const double *DRY_RESTRICT gamma,
                                        const double *DRY_RESTRICT a, double *DRY_RESTRICT f,
                                        double *DRY_RESTRICT a_dot) {
    for (size_t lane = 0; lane < lanes; lane++) f[lane] = 0.0;
    for (int i = 0; i < n; i++) {
        const double K = kappa[i], B = sigma[i], L = lambda[i], over_B = 1.0 / sigma[i];
        const double *DRY_RESTRICT ai = a + (size_t)i * lanes;
        double *DRY_RESTRICT ai_dot = a_dot + (size_t)i * lanes;
        size_t lane = 0;
        for (; DRY_LANES > 0 && lane + DRY_LANES <= lanes; lane += DRY_LANES)
            dry_multistate_lanes(DRY_LANES, K, B, L, over_B, v + lane, gamma + lane, ai + lane,
                                 f + lane, ai_dot + lane);
        dry_multistate_lanes(lanes - lane, K, B, L, over_B, v + lane, gamma + lane, ai + lane,
                             f + lane, ai_dot + lane);
    }
}

/* ---- contacts from requirements --------------------------------- */

/* One impact of the contact element (X13 (24), (25)) on a mass m with speed v:
 *   omega0 = sqrt(K/m), 1/s     b = beta omega0     rho = alpha/beta     G = g/(v omega0)
 * The rebound is a sum of three exponentials; the coefficient of restitution (COR) depends on
 * (b, rho, G) alone. Tangent design: the rho whose COR has its minimum over b at the wanted value;
 * there the COR is insensitive to m, K and beta. */

/* One impact, in units of m, v and omega0. */
typedef struct dry_impact {
    double restitution; /* speed at release / speed at touch-down */
    double depth;       /* D: greatest depth * omega0/v */
    double duration;    /* tau_c: contact time * omega0 */
    double force;       /* greatest force / (m v omega0) */
    double residual;    /* depth at release, scaled like depth */
} dry_impact;

/* The exact impact, with a constant force m g pressing on: G = g/(v omega0) >= 0. DRY_BAD_ARGUMENT
 * outside 0 < rho <= 1, b > 0, G >= 0, if the element is faster than 1e7 omega0, or if there is no
 * rebound: the mass does not rise above the surface again. The ratio of the heights after and
 * before is restitution^2 - 2 G residual. */
DRY_API dry_status dry_impact_of(double b, double rho, double G, dry_impact *impact);

typedef struct dry_tangent {
    double rho, b, depth, duration; /* depth and duration scaled as in dry_impact, at G = 0 */
} dry_tangent;

/* The rho whose COR has its minimum over b equal to `restitution`, to 1e-9.
 * 0.03 <= restitution <= 0.999, or 1 (rho = 1); else DRY_BAD_ARGUMENT. */
DRY_API dry_status dry_tangent_design(double restitution, dry_tangent *design);
/* The nearest restitution that has a tangent design. */
DRY_API double dry_tangent_nearest(double restitution);

typedef struct dry_contact_choice {
    double K;           /* N/m */
    double alpha, beta; /* s */
} dry_contact_choice;

/* Tangent designs: omega0 follows from the greatest depth (m) at an impact speed (m/s), from the
 * contact time (s), from K (N/m), or from the step (s): one contact lasts `steps_per_contact`
 * steps, or more if the bound of RK4, T max(sqrt(K beta/(alpha m)), 1/alpha) <= 2.5, requires it.
 * RK4 then errs by up to 0.5/steps^2 in the COR: 24 steps keep 1e-3 whatever the phase of the step;
 * a whole number gives both kinks the same phase, their errors cancel, and 8 are enough for this
 * mass. `mass` is the effective mass 1/(J M^-1 J^T), kg. */
DRY_API dry_status dry_contact_from_depth(double restitution, double mass, double depth,
                                          double speed, dry_contact_choice *choice);
DRY_API dry_status dry_contact_from_duration(double restitution, double mass, double duration,
                                             dry_contact_choice *choice);
DRY_API dry_status dry_contact_from_stiffness(double restitution, double mass, double K,
                                              dry_contact_choice *choice);
DRY_API dry_status dry_contact_resolved(double restitution, double mass, double step,
                                        double steps_per_contact, dry_contact_choice *choice);

/* The COR of a given contact element; 0 if the mass does not rise above the surface again. */
DRY_API double dry_contact_restitution(const dry_contact_choice *contact, double mass);

/* Parameters of the law `compliant`, whose exponent lambda you give. */
typedef struct dry_compliant_choice {
    double K;            /* N/m^lambda */
    double gamma;        /* 1/s */
    double beta1, beta2; /* s, s/m^lambda */
} dry_compliant_choice;

/* One impact of a mass (kg) on the compliant contact (XD (5.6)) at a speed v (m/s), with no other
 * force, to 1e-8. The units are those of dry_impact with
 * omega0 = (K v^(lambda-1)/mass)^(1/(lambda+1)): depth and residual in v/omega0, the duration in
 * 1/omega0. DRY_BAD_ARGUMENT if lambda is not within 1 .. 4, the contact is faster than
 * 1e4 omega0, or the mass does not come back. */
DRY_API dry_status dry_compliant_impact(const dry_compliant_choice *contact, double lambda,
                                        double mass, double speed, dry_impact *impact);
/* The contact that gives a restitution, a residual indentation (m) and a contact time (s) at a
 * speed (m/s), to 1e-6 of each. gamma is 50 omega0: fast beside the impact, so that beta1 makes the
 * residual indentation and beta2 loses what remains. 0.1 <= restitution <= 0.99, lambda 1 .. 4, and
 * a residual within dry_compliant_residuals; else DRY_BAD_ARGUMENT, and the choice stays unchanged.
 * The restitution differs at other speeds. */
DRY_API dry_status dry_compliant_design(double restitution, double residual, double duration,
                                        double speed, double mass, double lambda,
                                        dry_compliant_choice *choice);
/* The least residual (beta1 = 0) and the most (beta2 = 0) of such a contact, as shares of the speed
 * times the contact time. */
DRY_API dry_status dry_compliant_residuals(double restitution, double lambda, double *least,
                                           double *most);

/* The COR of a Hunt-Crossley contact with damping b (s/m) at an impact speed (m/s), exact: the root
 * e of h(v) = h(-e v), h(u) = u/b - ln(1 + b u)/b^2. It depends on b times the speed alone, not on
 * the mass, K and lambda, as long as no other force acts. b >= 0, speed >= 0, else NAN; 1 if their
 * product is 0, 0 if it is infinite. */
DRY_API double dry_hunt_crossley_restitution(double b, double speed);
/* Its inverse: the b (s/m) that gives this restitution at this speed, to rounding.
 * 1e-6 <= restitution <= 1, speed > 0; else DRY_BAD_ARGUMENT, and b stays unchanged. */
DRY_API dry_status dry_hunt_crossley_design(double restitution, double speed, double *b);

#ifdef __cplusplus
}
#endif
#endif
