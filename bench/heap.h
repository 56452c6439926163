/* The heap of spheres (spheres.h) as a net: bodies, planes, one contact; semi-implicit steps. */
#ifndef BENCH_HEAP_H
#define BENCH_HEAP_H

#include "spheres.h"
#include <drystone/body.h>
#include <drystone/net.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The stiffness follows from the wanted penetration under the weight of n layers, the step from the
 * stiffness: K T^2/m is 0.16 for a contact, and a sphere has several. Rolling resistance of 1 % of
 * R lets those come to rest that no neighbour holds. */
typedef struct heap {
    int N;
    double T;
    dry_net *net;
    const dry_system *system;
    dry_ode ode;
    double *work;
    void *scratch;
} heap;

static inline void heap_must(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* The step, by the stiffness that follows from the layers. */
static inline double heap_stiffness(int N) { return 2.2e4 * (double)spheres_side(N); }
static inline double heap_step(int N) { return sqrt(0.16 * spheres_mass() / heap_stiffness(N)); }

static inline void heap_add(dry_net *net, const char *name, const char *kind,
                            const dry_value *values, int count) {
    dry_net_make(net, name, dry_kind_find(kind), values, count);
    dry_net_connect(net, "touch", (dry_end){.port = name}, (dry_end){0});
}

static inline void heap_add_planes(dry_net *net, double w) {
    const double right = 1.57079632679489661923;
    const double p[5][3] = {{0}, {-w, 0, 0}, {w, 0, 0}, {0, -w, 0}, {0, w, 0}};
    const double turn[5][3] = {{0}, {0, right, 0}, {0, -right, 0}, {-right, 0, 0}, {right, 0, 0}};
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "wall%d", i);
        const dry_value values[] = {
            {.key = "p", .numbers = p[i], .count = 3},
            {.key = "rotation", .numbers = turn[i], .count = 3},
        };
        heap_add(net, name, "plane", values, 2);
    }
}

static inline void heap_add_spheres(dry_net *net, int N) {
    double *p = malloc(3 * (size_t)N * sizeof *p);
    heap_must(p != NULL, "no memory");
    spheres_place(N, p);
    for (int i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        const dry_value values[] = {DRY_NUMBERS("radius", spheres_R),
                                    DRY_NUMBERS("density", spheres_density),
                                    {.key = "p", .numbers = p + 3 * i, .count = 3}};
        heap_add(net, name, "sphere", values, 3);
    }
    free(p);
}

static inline void heap_begin(heap *s, double T, int threads) {
    const double K = heap_stiffness(s->N), R = spheres_R;
    const dry_value touch[] = {DRY_NUMBERS("K", K),           DRY_NUMBERS("alpha", 0.15 * T),
                               DRY_NUMBERS("beta", 0.7 * T),  DRY_NUMBERS("Kt", 0.25 * K),
                               DRY_NUMBERS("mu", spheres_mu), DRY_NUMBERS("rolling", 0.01 * R),
                               DRY_NUMBERS("Br", 0.01),       DRY_NUMBERS("capacity", 3.8 * s->N)};
    const dry_method *method = dry_method_find("semi-implicit");
    dry_error error = {0};
    *s = (heap){.N = s->N, .T = T, .net = dry_net_new()};
    dry_net_make(s->net, "touch", dry_kind_find("contact"), touch, sizeof touch / sizeof touch[0]);
    heap_add_planes(s->net, spheres_half_width(s->N));
    heap_add_spheres(s->net, s->N);
    dry_net_gravity(s->net, 0.0, 0.0, -spheres_g);
    const dry_net_options options = {.threads = threads};
    if (dry_net_system(s->net, &options, &s->system, &error) != DRY_OK) puts(error.text);
    heap_must(s->system != NULL, "the net cannot be made");
    s->work = malloc(dry_ode_size(s->system, method) * sizeof *s->work);
    s->scratch = malloc(s->system->work_size);
    heap_must(s->work && s->scratch, "no memory");
    dry_ode_init(&s->ode, s->system, method, &(dry_ode_options){.step = T}, NULL, 0.0, NULL,
                 s->scratch, s->work);
}

static inline void heap_end(heap *s) {
    free(s->work);
    free(s->scratch);
    dry_net_free(s->net);
}

/* Where the spheres are, and how fast: p[3 i ..], v[3 i ..]. */
static inline void heap_look(const heap *s, double *p, double *v) {
    int first = 0;
    while (strcmp(s->system->states[first].name, "s0.p[1]") != 0) first++;
    for (int i = 0; i < 3 * s->N; i++) {
        const double *x = s->ode.x + first + 13 * (i / 3) + i % 3;
        p[i] = x[0];
        v[i] = x[3];
    }
}

#endif
