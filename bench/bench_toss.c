/* How well does a cube thrown on a table follow the measured one?
 *
 * Friction and restitution are chosen on tosses 0 to 29 (the least sum of the position error, in
 * widths, and of the angle error, in units of a right angle, by a pattern search), and judged on
 * tosses 30 to 59. See toss.h for the data and docs/bench.md for the protocol. */
#include "bench.h"
#include "toss.h"

#ifndef DRY_SOURCE_DIR
#define DRY_SOURCE_DIR "."
#endif

enum { MU, RHO, BETA, CHOSEN };

static toss_model at(const double *log_values, double floor) {
    return (toss_model){.mu = exp(log_values[MU]),
                        .rho = fmin(exp(log_values[RHO]), 1.0),
                        .beta = exp(log_values[BETA]),
                        .K = 1e5,
                        .floor = floor,
                        .step = 1e-4};
}

static double judge(const toss *tosses, const double *values, double floor) {
    const toss_model m = at(values, floor);
    const toss_error e = toss_mean(tosses, TRAINING, &m);
    const double sum = e.position + e.angle / 90.0;
    return isfinite(sum) ? sum : (double)INFINITY;
}

/* A step up or down in each direction while that helps, then half the step. */
static int search(const toss *tosses, double *values, double floor) {
    double best = judge(tosses, values, floor);
    int tried = 1;
    for (double step = 0.4; step > 0.04; step *= 0.5)
        for (int k = 0, failed = 0; failed < 2 * CHOSEN; k = (k + 1) % (2 * CHOSEN)) {
            double trial[CHOSEN];
            memcpy(trial, values, sizeof trial);
            trial[k / 2] += k % 2 ? -step : step;
            const double now = judge(tosses, trial, floor);
            tried++, failed++;
            if (!(now < best)) continue;
            best = now, failed = 0;
            memcpy(values, trial, sizeof trial);
        }
    return tried;
}

static void print_row(const char *name, const toss *tosses, int count, const toss_model *m) {
    const toss_error e = toss_mean(tosses, count, m);
    printf("%-28s %10.4f %10.2f\n", name, e.position, e.angle);
}

int main(void) {
    static toss tosses[TOSSES];
    for (int i = 0; i < TOSSES; i++)
        if (!toss_read(DRY_SOURCE_DIR "/models/measured/cube-toss", i, &tosses[i])) {
            fprintf(stderr, "models/measured/cube-toss: toss %d is not there\n", i);
            return 1;
        }
    const double floor = toss_floor(tosses, TRAINING);
    double values[CHOSEN] = {log(0.2), log(0.7), log(1e-3)};
    const double begin = seconds_now();
    const int tried = search(tosses, values, floor);
    const toss_model m = at(values, floor);
    printf("chosen on tosses 0 to 29: mu %.3g, alpha/beta %.3g, beta %.3g ms (%d sets tried, %.0f "
           "s)\n",
           m.mu, m.rho, 1e3 * m.beta, tried, seconds_now() - begin);
    printf("table at %.2f mm in the frame of the data\n", 1e3 * floor);
    printf("%-28s %10s %10s\n", "mean error", "widths", "degrees");
    print_row("tosses 0 to 29 (chosen on)", tosses, TRAINING, &m);
    print_row("tosses 30 to 59", tosses + TRAINING, TOSSES - TRAINING, &m);
    return 0;
}
