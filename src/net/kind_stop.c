/* kind_stop: end stops at both ends of a coordinate's range, each a unilateral contact that never
 * pulls (X13 (24), (25)).
 *
 *     0 <= p - lower   and   0 <= upper - p:   N in dio(psi) at each
 *
 * K, alpha and beta that are not given follow from the restitution, from the mass that meets the
 * end stop and from the pace of the run (part.h, choose_contact).
 *
 * p: coordinate, m (rad); lower, upper: ends of the range; K: stiffness, N/m; alpha, beta: times,
 * s; e: inner indentation of each end stop, m. */
#include "kind.h"
#include <math.h>

enum { LOWER, UPPER, K, ALPHA, BETA, N_PAR };

typedef struct stop {
    double restitution; /* below 0: not given */
} stop;

static void gaps(const double *par, double p, double psi[2]) {
    psi[0] = p - par[LOWER];
    psi[1] = par[UPPER] - p;
}

static void eval(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot) {
    const double *par = env->par;
    double psi[2], N[2];
    gaps(par, in[0], psi);
    for (int i = 0; i < 2; i++)
        N[i] = dry_contact(par[K], par[ALPHA], par[BETA], env->tau, psi[i], x[i], &x_dot[i]);
    out[0] = N[0] - N[1];
}

/* The law of each end stop, for its energy and its switching function. */
static const dry_law *law(void) { return dry_law_find("contact"); }

static double energy(const dry_part_env *env, const double *in, const double *x) {
    double psi[2], sum = 0.0;
    gaps(env->par, in[0], psi);
    for (int i = 0; i < 2; i++) {
        const double u[2] = {psi[i], 0.0};
        sum += law()->energy(env->par + K, 0, env->tau, u, &x[i]);
    }
    return sum;
}

static void kinks(const dry_part_env *env, const double *in, const double *x, double *g) {
    double psi[2];
    gaps(env->par, in[0], psi);
    for (int i = 0; i < 2; i++) {
        const double u[2] = {psi[i], 0.0};
        law()->kinks(env->par + K, 0, env->tau, u, &x[i], &g[i]);
    }
}

/* It is closed if either end is. */
static unsigned phase(const dry_part_env *env, const double *in, const double *x, const double *y) {
    double psi[2];
    unsigned all = 0;
    (void)y;
    gaps(env->par, in[0], psi);
    for (int i = 0; i < 2; i++) {
        const double u[2] = {psi[i], 0.0};
        all |= dry_law_phase(law(), env->par + K, 0, env->tau, u, &x[i]);
    }
    return all & DRY_CLOSED ? DRY_CLOSED : DRY_OPEN;
}

/* ---- what is not given -------------------------------------------------- */

static bool is_open(const dry_part *self, const double *par, const dry_wrong **wrong) {
    return dry_contact_is_open(par + K, ((const stop *)self->data)->restitution, wrong);
}

static void choose_contact(const dry_part *self, const dry_meeting *meeting, dry_pace *pace,
                           double *par, dry_net_press *press) {
    const double mass = meeting->W[0] > 0.0 ? 1.0 / meeting->W[0] : 1.0;
    dry_contact_choice c;
    (void)press;
    pace->contact(pace, ((const stop *)self->data)->restitution, mass, par[K], 1.0, &c);
    par[K] = c.K;
    par[ALPHA] = c.alpha;
    par[BETA] = c.beta;
}

/* ---- how firm it is, and what is beyond it ------------------------------ */

/* The firmness of one closed end stop. */
static void firmness(const dry_part_env *env, dry_firmness *rows) {
    const double *par = env->par;
    rows[0] = (dry_firmness){.Kc = par[K], .alpha = par[ALPHA], .beta = par[BETA]};
}

/* How far the coordinate is beyond one of the ends, in its unit. */
static double beyond(const dry_part_env *env, const double *in, dry_breach *breach) {
    const double begin[2] = {0.0};
    double psi[2];
    gaps(env->par, in[0], psi);
    const int i = psi[0] < psi[1] ? 0 : 1;
    *breach = (dry_breach){.energy = energy(env, in, begin),
                           .size = fmax(fabs(env->par[LOWER + i]), fabs(in[0]))};
    return dry_pos(-psi[i]);
}
static void breach_m(const dry_part_env *env, const double *in, dry_breach *breach) {
    breach->moved = beyond(env, in, breach);
}
static void breach_rad(const dry_part_env *env, const double *in, dry_breach *breach) {
    breach->turned = beyond(env, in, breach);
}

/* ---- the kind ----------------------------------------------------------- */

static const dry_wrong *mistake(const dry_part *part) {
    static const dry_wrong crossed = {
        "lower", "lower must lie below upper: there is no way between them", NULL};
    const double *par = part->par;
    const dry_wrong *wrong;
    if (!(par[LOWER] < par[UPPER])) return &crossed;
    const bool open = is_open(part, par, &wrong);
    return wrong || open ? wrong : dry_law_check(law(), par + K, 0, NULL);
}

static bool forgets(const dry_part *self, int par) {
    (void)self;
    return par == BETA;
}

#define DESIGN(by)                                                                                 \
    {                                                                                              \
        .firmness = firmness, .forgets = forgets, .is_open = is_open,                              \
        .choose_contact = choose_contact, .breach = by                                             \
    }
static const dry_part_design designs[] = {DESIGN(breach_m), DESIGN(breach_rad)};

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error) {
    static const dry_quantity names[] = {
        {"lower", "m"}, {"upper", "m"}, {"K", "N/m"}, {"alpha", "s"}, {"beta", "s"}};
    stop *data = dry_arena_take(arena, sizeof *data);
    const dry_part pattern = {.kind = self->name,
                              .side = DRY_IMPEDANCE,
                              .n_states = 2,
                              .n_par = N_PAR,
                              .data = data,
                              .eval = eval,
                              .energy = energy,
                              .n_kinks = 2,
                              .kinks = kinks,
                              .phase = phase,
                              .design = &designs[dry_net__is_rotary(self)]};
    dry_net__draft d;
    if (!dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    if (data) data->restitution = dry_value_number(self, values, count, "restitution");
    dry_net__put_numbers(self, values, count, names, N_PAR, &d);
    dry_net__name_list(arena, "e", dry_net__unit(dry_net__is_rotary(self), "m"), 2, d.states);
    if (!data) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for the part");
        return NULL;
    }
    if (dry_error_set_wrong(error, mistake(d.part)) != DRY_OK) return NULL;
    return dry_net__put_port(self, values, count, 1, &d, error) ? d.part : NULL;
}

static const dry_kind_param keys[] = {
    NEEDED("lower", "m", DRY_ANY, "lower end of the way"),
    NEEDED("upper", "m", DRY_ANY, "upper end of the way"),
    NUMBER("K", "N/m", DRY_POSITIVE, OPEN, "stiffness"),
    NUMBER("alpha", "s", DRY_POSITIVE, OPEN,
           "relaxation time in contact; beta: nothing is lost in an impact, less: it bounces less"),
    NUMBER("beta", "s", DRY_POSITIVE, OPEN, "relaxation time out of contact"),
    NUMBER("restitution", "", DRY_NONNEGATIVE, OPEN,
           "speed after an impact by that before it, up to 1, instead of alpha and beta; 0.3 "
           "if you give neither"),
    ON,
};

const dry_kind dry_net__stop = {
    .name = "stop",
    .title = "End stops",
    .meaning =
        "the way ends at lower and at upper; states e[1], e[2].\n"
        "What is not given of K, alpha and beta follows from restitution, from the mass that "
        "meets\n"
        "the end stop at the start and from the step of the run, in 12 of which an impact passes.",
    .params = keys,
    .n_params = ROWS(keys),
    .make = make};
