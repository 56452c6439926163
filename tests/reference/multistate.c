/* Xiong's dissertation, chapter 4, with M = 1 kg: a mass on the multistate law (4.13).
 *
 *     multistate push END EVERY      the force of Figure 4.4, as the model has it
 *     multistate pull END EVERY      the spring of Figure 4.6: 0.1 N/um, its end at 2 um/s
 *
 * Prints t, p, v, f at t = 0, EVERY, 2 EVERY, ... up to END. Units: N, um, s; 1 kg is 1e-6 N
 * s^2/um, so that 10 sigma/M = 2e5 1/s asks for small steps: classical Runge-Kutta at 5 us, in C
 * because of their number. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 10, STATES = 3 + ELEMENTS }; /* p, v, gamma, a_i */

static const double pi = 3.14159265358979323846;
static const double M = 1e-6, Fc = 1.0, Fs = 2.5, vs = 5.0, tau_d = 0.02, sigma = 0.02,
                    lambda = 0.1;

static double kappa(int i) { return 5.0 / (i + 1); }

static double pushed(double t, double p) {
    (void)p;
    return t < 10.0 ? 0.15 * t : 1.0 + 0.5 * cos(2.0 * pi * 0.05 * (t - 10.0));
}

static double pulled(double t, double p) { return 0.1 * (2.0 * t - p); }

/* (4.13): the force, and the rates of gamma and of the elements. */
static double friction(const double *x, double *rate) {
    const double v = x[1], gamma = x[2], level = lambda * gamma;
    double f = 0.0;
    for (int i = 0; i < ELEMENTS; i++) {
        const double elastic = kappa(i) * x[3 + i];
        const double one = fmax(-level, fmin(level, elastic + sigma * v));
        rate[3 + i] = (one - elastic) / sigma;
        f += one;
    }
    rate[2] = (Fc + (Fs - Fc) * exp(-(v / vs) * (v / vs)) - gamma) / tau_d;
    return f;
}

typedef double (*force)(double t, double p);

static void rates(force push, double t, const double *x, double *rate) {
    rate[0] = x[1];
    rate[1] = (push(t, x[0]) - friction(x, rate)) / M;
}

static void step(force push, double t, double T, double *x) {
    static const double at[4] = {0.0, 0.5, 0.5, 1.0},
                        weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double sum[STATES] = {0}, y[STATES], k[STATES] = {0};
    for (int stage = 0; stage < 4; stage++) {
        for (int j = 0; j < STATES; j++) y[j] = x[j] + at[stage] * T * k[j];
        rates(push, t + at[stage] * T, y, k);
        for (int j = 0; j < STATES; j++) sum[j] += weight[stage] * k[j];
    }
    for (int j = 0; j < STATES; j++) x[j] += T * sum[j];
}

int main(int count, char **words) {
    if (count != 4) {
        fprintf(stderr, "usage: multistate push|pull END EVERY\n");
        return 2;
    }
    const force push = strcmp(words[1], "pull") == 0 ? pulled : pushed;
    const double T = 5e-6, end = atof(words[2]), every = atof(words[3]);
    const long steps = lround(every / T), rows = lround(end / every);
    double x[STATES] = {0}, rate[STATES];
    x[2] = Fs;
    for (long row = 0; row <= rows; row++) {
        printf("%.17g %.17g %.17g %.17g\n", (double)row * every, x[0], x[1], friction(x, rate));
        for (long n = row * steps; n < (row + 1) * steps; n++) step(push, (double)n * T, T, x);
    }
    return 0;
}
