/* dopri5: the pair of Dormand and Prince of orders 5(4) (Dormand, Prince 1980), and its
 * continuous output of order 4 (Shampine 1986; Hairer, Norsett, Wanner 1993, II.6).
 *
 * a: stage weights; c: stage times; e: weights of the error; d: of the last coefficient of the
 * continuous output. The last row of a is the solution: the seventh rate is the first one of the
 * next step. */
#include "pair.h"

static const double a[] = {1.0 / 5.0,                     /**/
                           3.0 / 40.0,        9.0 / 40.0, /**/
                           44.0 / 45.0,       -56.0 / 15.0,
                           32.0 / 9.0, /**/
                           19372.0 / 6561.0,  -25360.0 / 2187.0,
                           64448.0 / 6561.0,  -212.0 / 729.0, /**/
                           9017.0 / 3168.0,   -355.0 / 33.0,
                           46732.0 / 5247.0,  49.0 / 176.0,
                           -5103.0 / 18656.0, /**/
                           35.0 / 384.0,      0.0,
                           500.0 / 1113.0,    125.0 / 192.0,
                           -2187.0 / 6784.0,  11.0 / 84.0};
static const double c[] = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};
static const double e[] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                           -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
static const double d[] = {-12715105075.0 / 11282082432.0,  0.0,
                           87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                           701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                           69997945.0 / 29380423.0};
enum { STAGES = 7, END_STAGE = 6, DENSE = 5 };

DRY_INLINE void stage(dry_ode *ode, int s, double h, double last) {
    dry_ode__stage_rate(ode, s, h, last, a + s * (s - 1) / 2, c[s]);
}

/* The largest error over its tolerance, and its state; not finite if any number is not. */
static double error_of(const dry_ode *ode, double h, int *worst) {
    const int n = ode->system->n_states;
    const double *x = dry_ode__before(ode), *y = dry_ode__end(ode), *k = dry_ode__stage(ode, 0);
    double most = 0.0;
    *worst = 0;
    for (int i = 0; i < n; i++) {
        const double scale = h / dry_ode__tolerance(ode, i, x[i], y[i]);
        const double error = fabs(scale * dry_ode__weigh(k + i, n, STAGES, e));
        if (error <= most) continue;
        most = error;
        *worst = i;
        if (!isfinite(error)) break;
    }
    return most;
}

static double trial(dry_ode *ode, double h, double last, int *worst) {
    dry_ode__first_stages(ode, h, last, a, c);
    stage(ode, 3, h, last);
    stage(ode, 4, h, last);
    stage(ode, 5, h, last);
    dry_ode__end_point(ode, END_STAGE, h, a + END_STAGE * (END_STAGE - 1) / 2);
    dry_ode__end_stage_rate(ode, END_STAGE, h, last);
    const double error = error_of(ode, h, worst);
    return dry_ode__with_end_rate(ode, error, dry_ode__stage(ode, END_STAGE), worst);
}

static void dense(dry_ode *ode, double h) {
    dry_ode__weigh_all(ode, STAGES, h, d, dry_ode__dense(ode, 4));
}

const struct dry_tableau dry_ode__dopri5 = {
    .k = {.stages = STAGES, .a = a, .b = a + END_STAGE * (END_STAGE - 1) / 2, .c = c},
    .trial = trial,
    .dense = dense,
    .end_stage = END_STAGE,
    .dense_terms = DENSE,
    .stable = 3.3};
