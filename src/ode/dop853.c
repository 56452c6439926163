/* dop853: the pair of Dormand and Prince of order 8 with the error estimate of orders 5 and 3 and
 * the continuous output of order 7 of Hairer, Norsett, Wanner 1993, II.5, II.6, II.10.
 *
 * a: stage weights, row by row; c: stage times; e5, e3: weights of the two error estimates; d: of
 * the last four coefficients of the continuous output. Row 12 of a (from 0) is the solution: its
 * rate is the first one of the next step. Rows 13 to 15 serve the continuous output alone. */
#include "pair.h"

enum { STAGES = 12, END_STAGE = 12, ALL = 16, DENSE = 8, INNER = 6, INNER_END = 11 };

/* clang-format off */
static const double a[] = {
    /* 1 */
    0.05260015195876773,
    /* 2 */
    0.0197250569845379, 0.0591751709536137,
    /* 3 */
    0.02958758547680685, 0, 0.08876275643042054,
    /* 4 */
    0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792,
    /* 5 */
    0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242,
    /* 6 */
    0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125,
    /* 7 */
    0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
    0.008273789163814023,
    /* 8 */
    0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
    20.154067550477894, -43.48988418106996,
    /* 9 */
    0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
    15.279233632882423, -33.28821096898486, -0.020331201708508627,
    /* 10 */
    -0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
    -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196,
    /* 11 */
    2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188,
    27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303,
    0.6433927460157636,
    /* 12 */
    0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
    0.3111643669578199, -0.1521609496625161, 0.20136540080403034, 0.04471061572777259,
    /* 13 */
    0.056167502283047954, 0, 0, 0, 0, 0, 0.25350021021662483, -0.2462390374708025,
    -0.12419142326381637, 0.15329179827876568, 0.00820105229563469, 0.007567897660545699,
    -0.008298,
    /* 14 */
    0.03183464816350214, 0, 0, 0, 0, 0.028300909672366776, 0.053541988307438566,
    -0.05492374857139099, 0, 0, -0.00010834732869724932, 0.0003825710908356584,
    -0.00034046500868740456, 0.1413124436746325,
    /* 15 */
    -0.42889630158379194, 0, 0, 0, 0, -4.697621415361164, 7.683421196062599, 4.06898981839711,
    0.3567271874552811, 0, 0, 0, -0.0013990241651590145, 2.9475147891527724, -9.15095847217987};
static const double c[] = {
    0.0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726,
    1.0 / 3.0, 0.25, 4.0 / 13.0, 127.0 / 195.0, 0.6, 6.0 / 7.0, 1.0, 1.0, 0.1, 0.2, 7.0 / 9.0};
static const double e5[] = {
    0.01312004499419488, 0, 0, 0, 0, -1.2251564463762044, -0.4957589496572502,
    1.6643771824549864, -0.35032884874997366, 0.3341791187130175, 0.08192320648511571,
    -0.022355307863886294};
static const double e3[] = {
    -0.18980075407240762, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
    -0.42268232132379197, -0.1521609496625161, 0.20136540080403034, 0.022651792198360825};
static const double d[DENSE - 4][ALL] = {
    {
     -8.428938276109013, 0, 0, 0, 0, 0.5667149535193777, -3.0689499459498917, 2.38466765651207,
     2.117034582445028, -0.871391583777973, 2.2404374302607883, 0.6315787787694688,
     -0.08899033645133331, 18.148505520854727, -9.194632392478356, -4.436036387594894},
    {
     10.427508642579134, 0, 0, 0, 0, 242.28349177525817, 165.20045171727028, -374.5467547226902,
     -22.113666853125306, 7.733432668472264, -30.674084731089398, -9.332130526430229,
     15.697238121770845, -31.139403219565178, -9.35292435884448, 35.81684148639408},
    {
     19.985053242002433, 0, 0, 0, 0, -387.0373087493518, -189.17813819516758, 527.8081592054236,
     -11.57390253995963, 6.8812326946963, -1.0006050966910838, 0.7777137798053443,
     -2.778205752353508, -60.19669523126412, 84.32040550667716, 11.99229113618279},
    {
     -25.69393346270375, 0, 0, 0, 0, -154.18974869023643, -231.5293791760455, 357.6391179106141,
     93.40532418362432, -37.45832313645163, 104.0996495089623, 29.8402934266605,
     -43.53345659001114, 96.32455395918828, -39.17726167561544, -149.72683625798564}};
/* clang-format on */

DRY_INLINE void stage(dry_ode *ode, int s, double h, double last) {
    dry_ode__stage_rate(ode, s, h, last, a + s * (s - 1) / 2, c[s]);
}

/* (II.10.17) with the largest errors in place of their means: the estimate of order 5, made
 * smaller where that of order 3 shows it to be large.
 *
 * On x_dot = -lambda x the estimate of order 5 vanishes at lambda h = 5.65, where the step is wrong
 * by a quarter of x. From lambda h = 4.5 on, and with oscillations from 5 on, the two values at the
 * end differ by more than the estimate of order 3: their difference counts then. */
static double error_of(const dry_ode *ode, double h, int *worst) {
    const int n = ode->system->n_states;
    const double *x = dry_ode__before(ode), *y = dry_ode__end(ode), *k = dry_ode__stage(ode, 0);
    const double *last = dry_ode__stage_value(ode, STAGES - 1);
    double most5 = 0.0, most3 = 0.0;
    *worst = 0;
    for (int i = 0; i < n; i++) {
        const double scale = 1.0 / dry_ode__tolerance(ode, i, x[i], y[i]), scale_h = scale * h;
        const double error3 = fabs(scale_h * dry_ode__weigh(k + i, n, STAGES, e3));
        const double apart = fabs(scale * (y[i] - last[i]));
        double error5 = fabs(scale_h * dry_ode__weigh(k + i, n, STAGES, e5));
        if (apart > error3 && apart > error5) error5 = apart;
        if (error3 > most3) most3 = error3;
        if (error5 <= most5) continue;
        most5 = error5;
        *worst = i;
        if (!isfinite(error5)) return error5;
    }
    if (!(most5 > 0.0)) return 0.0;
    const double ratio = most3 / most5;
    return most5 / sqrt(1.0 + 0.01 * ratio * ratio);
}

static double trial(dry_ode *ode, double h, double last, int *worst) {
    dry_ode__first_stages(ode, h, last, a, c);
    stage(ode, 3, h, last);
    stage(ode, 4, h, last);
    stage(ode, 5, h, last);
    stage(ode, 6, h, last);
    stage(ode, 7, h, last);
    stage(ode, 8, h, last);
    stage(ode, 9, h, last);
    stage(ode, 10, h, last);
    stage(ode, 11, h, last);
    dry_ode__end_point(ode, END_STAGE, h, a + END_STAGE * (END_STAGE - 1) / 2);
    const double error = error_of(ode, h, worst);
    if (!(error <= 1.0)) return error;
    dry_ode__end_stage_rate(ode, END_STAGE, h, last);
    return dry_ode__with_end_rate(ode, error, dry_ode__stage(ode, END_STAGE), worst);
}

/* How far one state of the continuous output is from the stages inside of the step whose values are
 * of order 4 and more: with all coefficients, and with those of the cubic alone. */
static void misfit(const dry_ode *ode, int i, double *full, double *cubic) {
    const int n = ode->system->n_states;
    const double *r = dry_ode__dense(ode, 0) + i;
    *full = *cubic = 0.0;
#if defined(__GNUC__)
#pragma GCC unroll 8
#endif
    for (int s = INNER; s < INNER_END; s++) {
        const double p = c[s], q = 1.0 - p;
        const double apart =
            r[0] + p * (r[n] + q * (r[2 * n] + p * r[3 * n])) - dry_ode__stage_value(ode, s)[i];
        const double more = r[4 * n] + p * (r[5 * n] + q * (r[6 * n] + p * r[7 * n]));
        const double all = fabs(apart + p * q * (p * q) * more), four = fabs(apart);
        if (all > *full) *full = all;
        if (four > *cubic) *cubic = four;
    }
}

/* Where stability holds the step back (a body that sticks to a stiff law), the large weights of d
 * make much of what is left of the fastest motion: a hundred times the error of both ends. Where
 * the cubic fits better, it is kept, for all states: sums of them that do not change in a step do
 * not change inside of it. */
static void keep_cubic(dry_ode *ode) {
    const int n = ode->system->n_states;
    const double *x = dry_ode__before(ode), *y = dry_ode__end(ode);
    double most_full = 0.0, most_cubic = 0.0, full, cubic;
    for (int i = 0; i < n; i++) {
        if (dry_ode__lambda(ode)[i] > 0.0) continue; /* in closed form */
        const double scale = 1.0 / dry_ode__tolerance(ode, i, x[i], y[i]);
        misfit(ode, i, &full, &cubic);
        if (scale * full > most_full) most_full = scale * full;
        if (scale * cubic > most_cubic) most_cubic = scale * cubic;
    }
    if (most_full > most_cubic)
        memset(dry_ode__dense(ode, 4), 0, (size_t)(DENSE - 4) * (size_t)n * sizeof *x);
}

static void dense(dry_ode *ode, double h) {
    const double last = ode->t_before + h;
    stage(ode, 13, h, last);
    stage(ode, 14, h, last);
    stage(ode, 15, h, last);
    for (int i = 0; i < DENSE - 4; i++)
        dry_ode__weigh_all(ode, ALL, h, d[i], dry_ode__dense(ode, 4 + i));
    keep_cubic(ode);
}

const struct dry_tableau dry_ode__dop853 = {
    .k = {.stages = ALL, .a = a, .b = a + END_STAGE * (END_STAGE - 1) / 2, .c = c},
    .trial = trial,
    .dense = dense,
    .end_stage = END_STAGE,
    .dense_terms = DENSE,
    .stable = 6.1};
