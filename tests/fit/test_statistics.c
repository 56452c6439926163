/* Intervals and warnings of linear models, against closed forms. */
#include "unit.h"

#include "linear.h"
#include <drystone/math.h>

static const double TURN = 6.283185307179586;

/* y = a + b x over x = 0, 1, ..: var b = s^2/sum (x - mean)^2, var a = s^2 (1/n + mean^2/sum ..) */
static linear *line(int n, uint64_t seed) {
    linear *l = linear_new(n, 2);
    noise from = noise_of(seed, 0.0);
    for (int i = 0; i < n; i++) {
        l->X[2 * i] = 1.0;
        l->X[2 * i + 1] = i;
        l->y[i] = 3.0 - 0.2 * i + 0.1 * gauss(&from);
    }
    return l;
}

/* The first whose residuals pass for independent. */
static linear *independent_line(int n) {
    for (uint64_t seed = 1;; seed++) {
        linear *l = line(n, seed);
        linear_solve(l);
        if (l->result.stats.look[0].order == 0) return l;
        linear_free(l);
    }
}

static void a_straight_line(void **state) {
    (void)state;
    enum { N = 40 };
    linear *l = line(N, 7);
    linear_solve(l);
    const double mean = 0.5 * (N - 1), square = N * (N * N - 1.0) / 12.0;
    double s2 = 0.0;
    for (int i = 0; i < N; i++) s2 += l->residual[i] * l->residual[i] / (N - 2);
    assert_int_equal(l->result.stats.look[0].order, 0);
    near_share(l->par[1].plain, sqrt(s2 / square), 1e-12);
    near_share(l->par[0].plain, sqrt(s2 * (1.0 / N + mean * mean / square)), 1e-12);
    near(l->result.stats.correlation[1], -mean / sqrt(square / N + mean * mean), 1e-12);
    near_share(l->result.stats.covariance[1], -s2 * mean / square, 1e-12);
    near(l->par[1].degrees, N - 2.0, 1e-9);
    equal(l->result.stats.independent, (double)N);
    linear_free(l);
}

/* Student's t, 97.5 %, to the digits of the tables of Abramowitz and Stegun (26.10). */
static void student(void **state) {
    (void)state;
    static const struct {
        int degrees;
        double t;
    } table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {5, 2.571},
                 {10, 2.228}, {30, 2.042}, {120, 1.980}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        linear *l = independent_line(table[k].degrees + 2);
        const double width = l->par[1].interval[1] - l->par[1].interval[0];
        near_case(0.5 * width / l->par[1].deviation, table[k].t, 0.0005001, "%d degrees",
                  table[k].degrees);
        linear_free(l);
    }
}

/* The mean of n numbers of AR(1): var = s^2/n (1 + 2 sum (1 - k/n) phi^k). */
static void correlated_residuals(void **state) {
    (void)state;
    enum { N = 20000 };
    static const double phis[] = {0.5, 0.9, 0.97};
    for (int k = 0; k < 3; k++) {
        const double phi = phis[k];
        linear *l = linear_new(N, 1);
        noise from = noise_of(100 + (uint64_t)k, phi);
        double sum = 1.0;
        for (int i = 0; i < N; i++) {
            l->X[i] = 1.0;
            l->y[i] = 2.0 + coloured(&from);
            if (i) sum += 2.0 * (1.0 - (double)i / N) * pow(phi, i);
        }
        linear_solve(l);
        near_share(l->par[0].deviation, sqrt(sum / N), 0.08);
        near_share(l->par[0].deviation / l->par[0].plain, sqrt(sum), 0.06);
        near_share(l->result.stats.effective[0], N * (1.0 - phi) / (1.0 + phi), 0.12);
        near_share(l->result.stats.widened[0], sqrt((1.0 + phi) / (1.0 - phi)), 0.06);
        double rho[5];
        near_share(dry_fit_autocorrelation(&l->output, 5, rho), 1.96 / sqrt(N), 1e-4);
        for (int i = 0; i < 5; i++) near(rho[i], pow(phi, i), 0.05);
        assert_int_equal(linear_says(l, "rows of force are worth"), phi > 0.85);
        linear_free(l);
    }
}

/* A column that changes its sign from row to row feels less of such noise: the variance of sum
 * (-1)^i e[i]/n is about s^2/n (1 - phi)/(1 + phi), and no interval becomes shorter than plain. */
static void a_column_that_alternates(void **state) {
    (void)state;
    enum { N = 4000 };
    linear *l = linear_new(N, 2);
    noise from = noise_of(5, 0.8);
    for (int i = 0; i < N; i++) {
        l->X[2 * i] = 1.0;
        l->X[2 * i + 1] = i % 2 ? -1.0 : 1.0;
        l->y[i] = coloured(&from);
    }
    linear_solve(l);
    near_share(l->par[0].deviation / l->par[0].plain, 3.0, 0.1);
    near_share(l->par[1].deviation, l->par[1].plain, 1e-9);
    linear_free(l);
}

/* Noise is larger in some rows, and a parameter acts in these alone: var = s1^2/n1 there. */
static void noise_where_a_parameter_acts(void **state) {
    (void)state;
    enum { N = 2000, EVERY = 10 };
    linear *l = linear_new(N, 2);
    noise from = noise_of(11, 0.0);
    for (int i = 0; i < N; i++) {
        const bool loud = i % EVERY == 3;
        l->X[2 * i] = loud ? 0.0 : 1.0;
        l->X[2 * i + 1] = loud ? 1.0 : 0.0;
        l->y[i] = (loud ? 5.0 : 1.0) * gauss(&from);
    }
    linear_solve(l);
    near_share(l->par[1].deviation, 5.0 / sqrt(N / EVERY), 0.1);
    near_share(l->par[1].plain, sqrt((0.9 + 0.1 * 25.0) / (N / EVERY)), 0.1);
    linear_free(l);
}

static void held_rows_and_gaps(void **state) {
    (void)state;
    enum { N = 60 };
    linear *all = line(N, 9), *part = line(N / 2, 9);
    for (int i = N / 2; i < N; i++) all->held[i] = 1, all->y[i] = 1e6;
    linear_solve(all);
    linear_solve(part);
    near(all->par[1].value, part->par[1].value, 1e-12);
    near_share(all->par[1].deviation, part->par[1].deviation, 1e-9);
    near(all->par[1].degrees, part->par[1].degrees, 1e-9);
    linear_free(all);
    linear_free(part);
}

/* A value missing in the middle: correlation does not reach across, and one row is less. */
static void a_missing_value(void **state) {
    (void)state;
    enum { N = 41 };
    linear *l = line(N, 13);
    l->held[20] = 1;
    linear_solve(l);
    double mean = 0.0, square = 0.0, s2 = 0.0;
    for (int i = 0; i < N; i++) mean += i == 20 ? 0.0 : i / (N - 1.0);
    for (int i = 0; i < N; i++) square += i == 20 ? 0.0 : (i - mean) * (i - mean);
    for (int i = 0; i < N; i++) s2 += i == 20 ? 0.0 : l->residual[i] * l->residual[i] / (N - 3.0);
    near_share(l->par[1].plain, sqrt(s2 / square), 1e-12);
    linear_free(l);
}

/* A parameter by factors: the interval is value exp(+- t s/value). */
static void by_factors(void **state) {
    (void)state;
    linear *l = line(40, 7);
    l->par[0].log = true;
    linear_solve(l);
    const double up = l->par[0].interval[1] / l->par[0].value;
    near(up * l->par[0].interval[0] / l->par[0].value, 1.0, 1e-12);
    near(log(up), 2.0244 * l->par[0].deviation / l->par[0].value, 1e-5);
    l->par[0].high = 1.0001 * l->par[0].value;
    linear_judge(l);
    equal(l->par[0].interval[1], l->par[0].high);
    linear_free(l);
}

/* ---- what cannot be seen ------------------------------------------------------------------------
 */

/* y = a + (b + 2 c) sin t: b and c are one number. */
static void two_that_are_one(void **state) {
    (void)state;
    enum { N = 200 };
    linear *l = linear_new(N, 3);
    noise from = noise_of(21, 0.0);
    for (int i = 0; i < N; i++) {
        l->X[3 * i] = 1.0;
        l->X[3 * i + 1] = sin(TURN * i / 50.0);
        l->X[3 * i + 2] = 2.0 * l->X[3 * i + 1];
        l->y[i] = 1.0 + 5.0 * l->X[3 * i + 1] + 0.01 * gauss(&from);
    }
    l->par[0].value = 1.0, l->par[1].value = 1.0, l->par[2].value = 2.0;
    linear_judge(l);
    is_infinite(l->result.stats.condition);
    is_infinite(l->par[1].interval[1]);
    is_infinite(l->par[2].deviation);
    near_share(l->par[0].deviation, 0.01 / sqrt(N), 0.15);
    /* b by 1 and c by 1/2 is the same: of 1 and of 2, as parts, as 1 to 1/4 */
    assert_true(linear_says(l, "the data cannot distinguish b and c: with b up by 10 % and c down "
                               "by 2.5 %, the outputs change by"));
    linear_free(l);
}

/* The same, where they differ by a little that the noise hides. */
static void two_that_are_nearly_one(void **state) {
    (void)state;
    enum { N = 400 };
    linear *l = linear_new(N, 2);
    noise from = noise_of(22, 0.0);
    for (int i = 0; i < N; i++) {
        l->X[2 * i] = sin(TURN * i / 50.0);
        l->X[2 * i + 1] = l->X[2 * i] + 0.001 * cos(TURN * i / 50.0);
        l->y[i] = l->X[2 * i] + l->X[2 * i + 1] + 0.1 * gauss(&from);
    }
    l->par[0].value = l->par[1].value = 1.0;
    linear_judge(l);
    assert_true(linear_says(l, "with a up by 10 % and b down by 10 %"));
    /* the part of b that a has not is 0.001 cos: var = s^2/(n/2 0.001^2) */
    near_share(l->par[1].deviation, 0.1 / sqrt(0.5 * N) / 0.001, 0.1);
    /* the columns are (1, 0) and (1, 0.001) times a length: s = sqrt(2), 0.001/sqrt(2) */
    near_share(l->result.stats.condition, 2000.0, 0.001);
    linear_free(l);
}

static void bounds_and_effects(void **state) {
    (void)state;
    enum { N = 100 };
    linear *l = linear_new(N, 3);
    noise from = noise_of(23, 0.0);
    for (int i = 0; i < N; i++) {
        l->X[3 * i] = 1.0;
        l->X[3 * i + 1] = i / (double)N;
        l->y[i] = 1.0 + 0.1 * gauss(&from);
    }
    l->par[0].value = 1.0;
    l->par[1].at_low = true, l->par[1].low = 0.0, l->par[1].unit = "N/m";
    l->par[2].no_effect = true;
    linear_judge(l);
    assert_true(linear_says(l, "b ended at its lower bound, 0 N/m"));
    assert_true(linear_says(l, "c has no effect on any output"));
    is_nan(l->par[1].deviation);
    is_nan(l->par[2].interval[0]);
    near_share(l->par[0].deviation, 0.1 / sqrt(N), 0.2); /* as if there were no other */
    linear_free(l);
}

/* The last column of table X of Feldman and Cousins (1998), but one: 95 % intervals of a mean that
 * is not negative, for measured 0, -1, -2 and -3 deviations. Here a slope that least squares would
 * put so far beyond its bound, with a constant that is free; the bound below, and above. */
static void one_sided(void **state) {
    (void)state;
    static const double table[] = {1.96, 1.10, 0.62, 0.42};
    enum { N = 2000 };
    for (int k = 0; k < 8; k++) {
        linear *l = independent_line(N);
        dry_fit_parameter *slope = &l->par[1];
        const bool low = k < 4;
        const double way = (low ? 1.0 : -1.0) * slope->deviation, at = slope->value + (k % 4) * way;
        const double centre = 0.5 * (N - 1.0);
        l->par[0].value += (slope->value - at) * centre; /* where the slope is held */
        slope->value = at;
        *(low ? &slope->low : &slope->high) = at;
        *(low ? &slope->at_low : &slope->at_high) = true;
        linear_judge(l);
        equal(slope->interval[!low], at);
        near((slope->interval[low] - at) / way, table[k % 4], 0.008);
        near(slope->beyond, k % 4, 0.01); /* x^2/2000 more variance */
        linear_free(l);
    }
}

/* What a free column has already: nothing is known about it. */
static void one_sided_unseen(void **state) {
    (void)state;
    enum { N = 100 };
    linear *l = linear_new(N, 2);
    noise from = noise_of(23, 0.0);
    for (int i = 0; i < N; i++) {
        l->X[2 * i] = l->X[2 * i + 1] = 1.0 + i;
        l->y[i] = 1.0 + i + gauss(&from);
    }
    l->par[0].value = 1.0;
    l->par[1].at_low = true, l->par[1].low = 0.0, l->par[1].high = 7.0;
    linear_judge(l);
    equal(l->par[1].interval[0], 0.0);
    equal(l->par[1].interval[1], 7.0);
    linear_free(l);
}

/* The slope is -0.2: as a damping that began positive it is told, but not if it began negative, as
 * a stiffness of another sign in the text, nor as a force. */
static void negative_damping(void **state) {
    (void)state;
    linear *l = line(200, 31);
    linear_solve(l);
    l->par[1].unit = "N s/m";
    l->par[1].start = 0.1;
    linear_judge(l);
    assert_true(linear_says(l, "b is negative, -0.2 N s/m: a damping that is negative is a damper "
                               "that gives energy with each motion. Bound it (`free b in 0..`)"));
    assert_int_equal(l->result.stats.n_warnings, 1);
    l->par[1].start = -0.1;
    linear_judge(l);
    assert_int_equal(l->result.stats.n_warnings, 0);
    l->par[1].start = 0.1;
    l->par[1].unit = "N";
    linear_judge(l);
    assert_int_equal(l->result.stats.n_warnings, 0);
    linear_free(l);
}

/* A slope of 0.1 deviations: of a mass, or of what is bounded by 0, that is told, of a force not.
 */
static void not_distinguishable(void **state) {
    (void)state;
    linear *l = line(200, 31);
    linear_solve(l);
    for (int i = 0; i < 200; i++)
        l->y[i] -= (l->par[1].value - 0.1 * l->par[1].deviation) * l->X[2 * i + 1];
    linear_solve(l);
    assert_false(linear_says(l, "distinguishable"));
    l->par[1].unit = "kg";
    linear_judge(l);
    assert_true(linear_says(l, "b is not distinguishable from 0: its interval is -"));
    l->par[1].unit = "N";
    l->par[1].low = 0.0;
    linear_judge(l);
    assert_true(linear_says(l, "b is not distinguishable from 0: its interval is 0 .. "));
    linear_free(l);
}

static void good_data_have_no_warnings(void **state) {
    (void)state;
    linear *l = line(200, 31);
    linear_solve(l);
    assert_int_equal(l->result.stats.n_warnings, 0);
    linear_free(l);
}

/* ---- the step
 * ---------------------------------------------------------------------------------------- */

/* What half the step adds is 0.03 times the slope's column, which the slope takes up, and a wave
 * that nothing takes up: the slope falls by 0.03, and the squares of the wave add up. */
static void a_coarse_step(void **state) {
    (void)state;
    enum { N = 400 };
    linear *l = independent_line(N);
    double finer[N], added = 0.0, square = 0.0, wave = 0.0;
    l->output.train.rms = 0.1;
    for (int i = 0; i < N; i++) {
        const double a = 0.1 * sin(6.283185307179586 * 0.25 * i); /* across 1 and i: nearly */
        finer[i] = l->model[i] + 0.03 * l->X[2 * i + 1] + a;
        added += pow(finer[i] - l->model[i], 2.0) / N;
        square += l->residual[i] * l->residual[i] / N;
        wave += pow(l->residual[i] + a, 2.0) / N;
    }
    l->output.finer = finer;
    linear_judge(l);
    const dry_fit_look *look = l->result.stats.look;
    near_share(l->par[1].coarse * l->par[1].deviation, -0.03, 1e-2);
    near_share(look->coarse, sqrt(added), 1e-9);
    near_share(look->finer_rms, 0.1 * sqrt(wave / square), 1e-3);
    assert_true(linear_says(l, "the tolerances are too coarse for this fit: with a tenth of them b "
                               "moves by"));
    assert_true(linear_says(l, "and the rms of the residuals of force goes from 0.1 to 0.1"));
    linear_free(l);
}

static void a_fine_step(void **state) {
    (void)state;
    enum { N = 400 };
    linear *l = independent_line(N);
    double finer[N];
    l->output.train.rms = 0.1;
    for (int i = 0; i < N; i++) finer[i] = l->model[i] + 1e-3;
    l->output.finer = finer;
    linear_judge(l);
    /* the constant takes it up */
    near_share(l->par[0].coarse * l->par[0].deviation, -1e-3, 1e-6);
    near_share(l->result.stats.look->finer_rms, 0.1, 1e-9);
    assert_int_equal(l->result.stats.n_warnings, 0);
    linear_free(l);
}

/* ---- time
 * ---------------------------------------------------------------------------------------- */

/* What is measured comes 2.3 rows after the model: a (t) = 2 sin + a constant. */
static void a_delay(void **state) {
    (void)state;
    enum { N = 1000 };
    const double w = TURN / 80.0;
    linear *l = linear_new(N, 2);
    noise from = noise_of(41, 0.0);
    for (int i = 0; i < N; i++) {
        l->X[2 * i] = 1.0;
        l->X[2 * i + 1] = sin(w * i) + 0.5 * sin(3.1 * w * i);
        l->y[i] =
            0.5 + 2.0 * (sin(w * (i - 2.3)) + 0.5 * sin(3.1 * w * (i - 2.3))) + 0.05 * gauss(&from);
    }
    linear_solve(l);
    const dry_fit_look *look = &l->result.stats.look[0];
    near(look->delay, 2.3 * 0.01, 2e-4);
    near_share(look->delay_rms, 0.05, 0.1);
    assert_int_equal(look->n_scan, 81);
    assert_true(linear_says(l, "s (+-"));
    assert_true(linear_says(l, "later than the model"));
    linear_free(l);
}

/* What the parameters take up is known by the rows alone that see them: of directions that no row
 * sees there is no curve below 0, and no delay that lowers the rms to nothing. */
static void no_delay_of_what_is_not_seen(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        linear *l = linear_new(400, 6);
        noise from = noise_of(seed, 0.0);
        for (int i = 0; i < l->n; i++) {
            const double t = l->t[i], spike = i == 3 || i == l->n - 3 ? 1.0 : 0.0;
            for (int j = 0; j < l->p; j++)
                l->X[i * l->p + j] = sin(0.3 * t + 1e-4 * j * t) + 3e-7 * j * spike;
            l->y[i] = sin(0.3 * t) + 1e-3 * gauss(&from);
        }
        linear_solve(l);
        linear_judge(l);
        const dry_fit_look *look = &l->result.stats.look[0];
        for (int i = 0; i < look->n_scan; i++) above(look->scan_rms[i], 1e-4);
        if (!isnan(look->delay)) above(look->delay_rms, 1e-4);
        linear_free(l);
    }
}

/* Without a delay it is 0 within its deviation, about s/(|m'| sqrt n), and nothing is said. */
static void no_delay(void **state) {
    (void)state;
    enum { N = 1000, RUNS = 100 };
    const double w = TURN / 80.0;
    double square = 0.0, deviation = 0.0;
    int warned = 0;
    for (int run = 0; run < RUNS; run++) {
        linear *l = linear_new(N, 1);
        noise from = noise_of(1000 + (uint64_t)run, 0.0);
        for (int i = 0; i < N; i++) {
            l->X[i] = sin(w * i);
            l->y[i] = 2.0 * l->X[i] + 0.1 * gauss(&from);
        }
        linear_solve(l);
        const dry_fit_look *look = &l->result.stats.look[0];
        square += look->delay * look->delay / RUNS;
        deviation += look->delay_deviation / RUNS;
        warned += l->result.stats.n_warnings;
        linear_free(l);
    }
    const double expected = 0.01 * 0.1 / (2.0 * w * sqrt(0.5 * N));
    near_share(deviation, expected, 0.1);
    near_share(sqrt(square), expected, 0.25);
    at_most(warned, 2);
}

/* A model that repeats each 50.4 rows, a misfit that comes back, and noise. */
static void what_repeats(void **state) {
    (void)state;
    enum { N = 2016 };
    linear *l = linear_new(N, 1);
    noise from = noise_of(51, 0.0);
    for (int i = 0; i < N; i++) {
        const double turn = TURN * i / 50.4;
        l->X[i] = sin(turn) + 0.3 * sin(3.0 * turn);
        l->y[i] = l->X[i] + 0.2 * cos(5.0 * turn) + 0.05 * gauss(&from);
    }
    linear_solve(l);
    const dry_fit_look *look = &l->result.stats.look[0];
    near(look->period, 0.504, 2e-4);
    near(look->cycles, 40.0, 0.05);
    near_share(look->unrepeated, 0.05, 0.1);
    near(look->shared, 0.02 / (0.02 + 0.0025), 0.03); /* shares of the mean square */
    linear_free(l);
}

static void what_does_not_repeat(void **state) {
    (void)state;
    linear *l = line(500, 61);
    linear_solve(l);
    equal(l->result.stats.look[0].period, 0.0);
    is_nan(l->result.stats.look[0].unrepeated);
    linear_free(l);
}

/* Huber's loss at 1.345 deviations has 95 % of the efficiency of the mean for normal noise (Huber
 * 1964). */
static void huber(void **state) {
    (void)state;
    enum { N = 20000 };
    linear *l = linear_new(N, 1);
    noise from = noise_of(71, 0.0);
    for (int i = 0; i < N; i++) l->X[i] = 1.0, l->y[i] = gauss(&from);
    l->result.huber = 1.345;
    for (int step = 0; step < 50; step++) {
        double sum = 0.0;
        for (int i = 0; i < N; i++) sum += fmax(-1.345, fmin(1.345, l->y[i] - l->par[0].value)) / N;
        l->par[0].value += sum;
    }
    linear_judge(l);
    near_share(l->par[0].deviation, sqrt(1.0 / 0.95 / N), 0.02);
    linear_free(l);
}

/* AIC = n ln(RSS/n) + 2 p, BIC = n ln(RSS/n) + p ln n for independent rows. */
static void criteria(void **state) {
    (void)state;
    enum { N = 50 };
    linear *l = line(N, 81);
    linear_solve(l);
    double squares = 0.0;
    for (int i = 0; i < N; i++) squares += l->residual[i] * l->residual[i];
    assert_int_equal(l->result.stats.look[0].order, 0);
    near(l->result.stats.aic, N * log(squares / N) + 4.0, 1e-9);
    near(l->result.stats.bic, N * log(squares / N) + 2.0 * log(N), 1e-9);
    linear_free(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_line),
        cmocka_unit_test(student),
        cmocka_unit_test(correlated_residuals),
        cmocka_unit_test(a_column_that_alternates),
        cmocka_unit_test(noise_where_a_parameter_acts),
        cmocka_unit_test(held_rows_and_gaps),
        cmocka_unit_test(a_missing_value),
        cmocka_unit_test(by_factors),
        cmocka_unit_test(two_that_are_one),
        cmocka_unit_test(two_that_are_nearly_one),
        cmocka_unit_test(bounds_and_effects),
        cmocka_unit_test(one_sided),
        cmocka_unit_test(one_sided_unseen),
        cmocka_unit_test(negative_damping),
        cmocka_unit_test(not_distinguishable),
        cmocka_unit_test(good_data_have_no_warnings),
        cmocka_unit_test(a_coarse_step),
        cmocka_unit_test(a_fine_step),
        cmocka_unit_test(a_delay),
        cmocka_unit_test(no_delay),
        cmocka_unit_test(no_delay_of_what_is_not_seen),
        cmocka_unit_test(what_repeats),
        cmocka_unit_test(what_does_not_repeat),
        cmocka_unit_test(huber),
        cmocka_unit_test(criteria),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
