/* How often 95 % intervals hold the truth: parameter by parameter, in 400 repetitions of linear
 * models. Of 400 with 95 % each, 364 to 393 hold but for 1 in 2000 (binomial). */
#include "unit.h"

#include "linear.h"
#include <drystone/math.h>

enum { RUNS = 400, LEAST = 364, MOST = 393, N = 500, P = 5 };

static const double TRUTH[P] = {1.0, 2.0, -1.0, 0.5, 3.0};

/* A constant, a drift, a wave, its sign a little later, and a bump that 10 rows feel. */
static void put_columns(linear *l) {
    for (int i = 0; i < N; i++) {
        const double s = (double)i / N, turn = 6.283185307179586 * 10.0 * s;
        double *x = &l->X[P * i];
        x[0] = 1.0;
        x[1] = s - 0.5;
        x[2] = sin(turn);
        x[3] = sin(turn + 0.3) > 0.0 ? 1.0 : -1.0;
        x[4] = exp(-0.5 * (s - 0.3) * (s - 0.3) / (0.01 * 0.01));
    }
}

static void cover(double phi, uint64_t seed, int held[P]) {
    noise from = noise_of(seed, phi);
    memset(held, 0, sizeof *held * P);
    for (int run = 0; run < RUNS; run++) {
        linear *l = linear_new(N, P);
        put_columns(l);
        from.last = gauss(&from);
        for (int i = 0; i < N; i++) {
            l->y[i] = 0.3 * coloured(&from);
            for (int j = 0; j < P; j++) l->y[i] += TRUTH[j] * l->X[P * i + j];
        }
        linear_solve(l);
        for (int j = 0; j < P; j++)
            held[j] += l->par[j].interval[0] <= TRUTH[j] && TRUTH[j] <= l->par[j].interval[1];
        linear_free(l);
    }
}

static void independent_noise(void **state) {
    (void)state;
    int held[P];
    cover(0.0, 1, held);
    for (int j = 0; j < P; j++) {
        at_least(held[j], LEAST);
        at_most(held[j], MOST);
    }
}

static void correlated_noise(void **state) {
    (void)state;
    int held[P];
    cover(0.7, 2, held);
    for (int j = 0; j < P; j++) {
        at_least(held[j], LEAST);
        at_most(held[j], MOST);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_noise),
        cmocka_unit_test(correlated_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
