/* kind_backlash: play between two flanks, on a coordinate or on the distance of two points, with
 * one state. The place q = p - rest lies in P = [-h, h], relaxed as a contact is (X13 (22), (23)):
 *
 *     r in N_P(q - e - alpha e_dot),   r = K (e + beta e_dot),   beta >= alpha
 *
 * N_P is the normal cone of P. Eliminate e_dot; the projection on P resolves the inclusion:
 *
 *     y = q - (1 - alpha/beta) e,   g = y - clip(y, -h, h)
 *     r = K (beta/alpha) g,         e_dot = (r/K - e)/beta,   f = -r
 *
 * which is dry_backlash (law.h), the law of the set `backlash`. Besides, the part has a middle and
 * a spring without damping, and begins relaxed. At one flank this is X13 (24), (25) with psi = h -
 * q: the force rises from zero at touch, falls to zero at release and presses only. The tau of the
 * stage is added to alpha and beta, as in KY08.
 *
 * The energy is that of the spring K beside a Maxwell branch of the spring k1 = K (beta -
 * alpha)/(alpha + tau) and the damper c1 = K (beta - alpha), whose length is e:
 *
 *     V = K d^2/2 + k1 (d - e)^2/2,   d = q - clip(y, -h, h),   r v - V_dot = c1 e_dot^2 >= 0
 *
 * p: coordinate, or length, m (rad); v: its rate; f: force on end a, N (N m); h: half the gap, m;
 * K: stiffness, N/m; alpha, beta: relaxation times at a flank and between the flanks, s; D = K
 * (beta - alpha): damping of slow motion at a flank, N s/m. D alone stands for alpha = D/K, beta =
 * 2 D/K; D = 0 is a spring beyond the gap. */
#include "kind.h"

enum { K, D, GAP, REST, ALPHA, BETA, N_PAR };

/* The times of a stage; both are 0 for a spring without damping. */
typedef struct times {
    double alpha, beta;
} times;

static times times_of(const dry_part_env *env) {
    const double *par = env->par, slow = par[D] / par[K];
    const bool given = par[ALPHA] > 0.0;
    const double alpha = given ? par[ALPHA] : slow, beta = given ? par[BETA] : 2.0 * slow;
    if (alpha == beta) return (times){0.0, 0.0}; /* e does not matter */
    return (times){alpha + env->tau, beta + env->tau};
}

/* How far the free place y is beyond the gap; *surface is how far the flank is pressed in. */
static double beyond(const dry_part_env *env, const times *t, double p, double e, double *surface) {
    const double shrink = t->beta > 0.0 ? t->alpha / t->beta : 1.0;
    return dry_backlash_beyond(shrink, 0.5 * env->par[GAP], p - env->par[REST], e, surface);
}

static void eval(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot) {
    const times t = times_of(env);
    const double stiffness = env->par[K];
    double surface;
    const double g = beyond(env, &t, in[0], x[0], &surface);
    const double r = t.beta > 0.0 ? stiffness * (t.beta / t.alpha) * g : stiffness * g;
    out[0] = 0.0 - r; /* 0, not -0, in the gap */
    x_dot[0] = t.beta > 0.0 ? (r / stiffness - x[0]) / t.beta : 0.0;
}

static double energy(const dry_part_env *env, const double *in, const double *x) {
    const times t = times_of(env);
    const double stiffness = env->par[K];
    double surface;
    beyond(env, &t, in[0], x[0], &surface);
    const double k1 = t.beta > 0.0 ? stiffness * (t.beta - t.alpha) / t.alpha : 0.0;
    const double maxwell = surface - x[0];
    return 0.5 * stiffness * surface * surface + 0.5 * k1 * maxwell * maxwell;
}

static void kinks(const dry_part_env *env, const double *in, const double *x, double *g) {
    const times t = times_of(env);
    const double half = 0.5 * env->par[GAP];
    double surface;
    const double above = beyond(env, &t, in[0], x[0], &surface);
    const double y = in[0] - env->par[REST] - surface + above;
    g[0] = y - half;
    g[1] = y + half;
}

static unsigned phase(const dry_part_env *env, const double *in, const double *x, const double *y) {
    const times t = times_of(env);
    double surface;
    (void)y;
    return beyond(env, &t, in[0], x[0], &surface) == 0.0 ? DRY_OPEN : DRY_CLOSED;
}

/* A flank that is pressed at the start is relaxed: its force is K times the depth. */
static void start(const dry_part_env *env, const double *in, double *x) {
    const double q = in[0] - env->par[REST];
    x[0] = q - dry_sat1(0.5 * env->par[GAP], q);
}

/* At one flank. */
static void firmness(const dry_part_env *env, dry_firmness *rows) {
    dry_part_env still = *env;
    still.tau = 0.0;
    const times t = times_of(&still);
    rows[0] = t.beta > 0.0 ? (dry_firmness){.Kc = env->par[K], .alpha = t.alpha, .beta = t.beta}
                           : (dry_firmness){.K = env->par[K]};
}

/* ---- the kind ----------------------------------------------------------- */

static const dry_wrong *mistake(const double *par) {
    static const dry_wrong alone = {"alpha", "alpha and beta belong together",
                                    "give both, or D, or neither"},
                           twice = {"D", "D is K (beta - alpha)",
                                    "give D, or alpha and beta, and not all of them"},
                           gains = {"alpha",
                                    "alpha is larger than beta, so each impact would gain energy",
                                    "lower alpha or raise beta"};
    const bool alpha = par[ALPHA] > 0.0, beta = par[BETA] > 0.0;
    if (alpha != beta) return &alone;
    if (alpha && par[D] > 0.0) return &twice;
    if (alpha && par[ALPHA] > par[BETA]) return &gains;
    return NULL;
}

static bool forgets(const dry_part *self, int par) {
    (void)self;
    return par == BETA;
}

static const dry_part_design design = {.firmness = firmness, .forgets = forgets};

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error) {
    static const dry_quantity names[] = {{"K", "N/m"},  {"D", "N s/m"}, {"gap", "m"},
                                         {"rest", "m"}, {"alpha", "s"}, {"beta", "s"}};
    const dry_part pattern = {.kind = self->name,
                              .side = DRY_IMPEDANCE,
                              .n_states = 1,
                              .n_par = N_PAR,
                              .eval = eval,
                              .start = start,
                              .energy = energy,
                              .n_kinks = 2,
                              .kinks = kinks,
                              .phase = phase,
                              .design = &design};
    dry_net__draft d;
    if (!dry_net__draft_new(arena, &pattern, &d, error)) return NULL;
    dry_net__put_numbers(self, values, count, names, N_PAR, &d);
    dry_net__name_list(arena, "e", dry_net__unit(dry_net__is_rotary(self), "m"), 1, d.states);
    if (dry_error_set_wrong(error, mistake(d.par)) != DRY_OK) return NULL;
    return dry_net__put_port(self, values, count, 1, &d, error) ? d.part : NULL;
}

static const dry_kind_param keys[] = {
    NEEDED("K", "N/m", DRY_POSITIVE, "stiffness beyond the gap"),
    NUMBER("D", "N s/m", DRY_NONNEGATIVE, 0.0,
           "damping of slow motion beyond the gap, K (beta - alpha): alpha = D/K, beta = 2 D/K"),
    NEEDED("gap", "m", DRY_NONNEGATIVE, "width in which nothing acts"),
    NUMBER("rest", "m", DRY_ANY, 0.0, "the middle of the gap"),
    NUMBER("alpha", "s", DRY_POSITIVE, OPEN,
           "relaxation time at a flank, instead of D; not given: D/K"),
    NUMBER("beta", "s", DRY_POSITIVE, OPEN, "relaxation time between the flanks; not given: 2 D/K"),
    ON,
};

const dry_kind dry_net__backlash = {
    .name = "backlash",
    .title = "Backlash",
    .meaning =
        "a gap in which nothing acts; state e. Beyond it the flanks press, with a force that "
        "rises from\nzero at touch and falls to zero at release, as that of a contact does.",
    .params = keys,
    .n_params = ROWS(keys),
    .make = make};
