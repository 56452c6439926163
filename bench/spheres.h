/* The scene of spheres that all contestants get: a loose lattice, dropped into a box of planes.
 *
 * n^3 >= N places at a distance of 2.3 R, filled layer by layer from below, each moved by up to
 * 0.05 R in every direction (a fixed sequence), so that nothing is symmetric. The box is as wide as
 * the lattice and open above. */
#ifndef BENCH_SPHERES_H
#define BENCH_SPHERES_H

#include <math.h>
#include <stdint.h>

static const double spheres_R = 0.05, spheres_density = 1000.0, spheres_mu = 0.3;
static const double spheres_g = 9.81, spheres_gap = 2.3; /* distance of two places, in R */

static inline double spheres_mass(void) {
    return spheres_density * 4.0 / 3.0 * 3.14159265358979323846 * spheres_R * spheres_R * spheres_R;
}

static inline int spheres_side(int N) {
    int n = 1;
    while (n * n * n < N) n++;
    return n;
}

/* The box reaches from -w to w in x and y, and up from z = 0. */
static inline double spheres_half_width(int N) {
    return 0.5 * spheres_gap * spheres_R * (double)spheres_side(N);
}

static inline double spheres_offset(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return 0.05 * spheres_R * ((double)(*seed >> 8) / 8388608.0 - 1.0);
}

/* p[3 i ..] for i in 0 .. N-1 */
static inline void spheres_place(int N, double *p) {
    const int n = spheres_side(N);
    const double gap = spheres_gap * spheres_R, w = spheres_half_width(N);
    uint32_t seed = 1;
    for (int i = 0; i < N; i++) {
        p[3 * i] = -w + gap * ((double)(i % n) + 0.5) + spheres_offset(&seed);
        p[3 * i + 1] = -w + gap * ((double)(i / n % n) + 0.5) + spheres_offset(&seed);
        p[3 * i + 2] = gap * ((double)(i / (n * n)) + 0.5) + spheres_offset(&seed);
    }
}

/* How deep bodies are in each other, in R: mean and worst over all pairs and walls that overlap. */
typedef struct spheres_depth {
    double mean, worst;
    long touching;
} spheres_depth;

static inline void spheres_overlap(double depth, spheres_depth *d) {
    if (!(depth > 0.0)) return;
    d->mean += depth;
    d->worst = depth > d->worst ? depth : d->worst;
    d->touching++;
}

static inline spheres_depth spheres_measure(int N, const double *p) {
    const double R = spheres_R, w = spheres_half_width(N);
    spheres_depth d = {0.0, 0.0, 0};
    for (int i = 0; i < N; i++) {
        const double *a = p + 3 * i;
        spheres_overlap(1.0 - a[2] / R, &d);
        for (int k = 0; k < 2; k++) spheres_overlap(1.0 - (w - fabs(a[k])) / R, &d);
        for (int j = 0; j < i; j++) {
            const double *b = p + 3 * j;
            const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
            const double square = x * x + y * y + z * z;
            if (square < 4.0 * R * R) spheres_overlap(2.0 - sqrt(square) / R, &d);
        }
    }
    if (d.touching > 0) d.mean /= (double)d.touching;
    return d;
}

static inline double spheres_rms(int N, const double *v) {
    double sum = 0.0;
    for (int i = 0; i < 3 * N; i++) sum += v[i] * v[i];
    return sqrt(sum / (double)N);
}

#endif
