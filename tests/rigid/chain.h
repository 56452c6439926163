/* A row of n blocks, n as large as you like, for the tests of rigid.
 *
 * v_i: velocities, p_i: positions; every block has 1 kg. */
#ifndef DRYSTONE_TESTS_RIGID_CHAIN_H
#define DRYSTONE_TESTS_RIGID_CHAIN_H

#include "problems.h"

typedef struct chain {
    dry_inclusion inclusion;
    dry_system system;
    int n;
    bool between; /* friction between neighbours; else each block on the floor, springs between */
    double force; /* on the last block */
    int *numbers;
    bool *is_velocity;
    dry_inclusion_set *sets;
    dry_quantity *states;
} chain;

static inline void chain_start(const dry_env *env, double t, double *x) {
    (void)t;
    const chain *of = env->model;
    for (int i = 0; i < 2 * of->n; i++) x[i] = 0.0;
}

/* Set i on block i: springs of 400 N/m between the blocks, level 0.5 N. */
static inline void floor_eval(const dry_env *env, double t, const double *x, const double *lambda,
                              const dry_inclusion_values *out) {
    const chain *of = env->model;
    const int n = of->n;
    const double *p = x + n;
    for (int i = 0; i < n; i++) {
        double f = i == n - 1 ? of->force * sin(3.0 * t) : 400.0 * (p[i + 1] - p[i]);
        if (i > 0) f -= 400.0 * (p[i] - p[i - 1]);
        out->rate[i] = f - lambda[i];
        out->rate[n + i] = out->slide[i] = x[i];
        out->level[i] = 0.5;
        out->push[i] = -1.0;
        out->feel[i] = 1.0;
    }
}

/* Set i between block i and block i + 1, level 0.5 N. */
static inline void between_eval(const dry_env *env, double t, const double *x, const double *lambda,
                                const dry_inclusion_values *out) {
    const chain *of = env->model;
    const int n = of->n;
    (void)t;
    for (int i = 0; i < n; i++) {
        out->rate[i] = (i < n - 1 ? lambda[i] : of->force) - (i > 0 ? lambda[i - 1] : 0.0);
        out->rate[n + i] = x[i];
    }
    for (int i = 0; i < n - 1; i++) {
        out->slide[i] = x[i + 1] - x[i];
        out->level[i] = 0.5;
        out->push[2 * i] = 1.0, out->push[2 * i + 1] = -1.0;
        out->feel[2 * i] = -1.0, out->feel[2 * i + 1] = 1.0;
    }
}

static inline void chain_begin(chain *of, int n, bool between, double force) {
    const int n_sets = between ? n - 1 : n, per_set = between ? 2 : 1, entries = n_sets * per_set;
    *of = (chain){.n = n, .between = between, .force = force};
    of->numbers = malloc((size_t)entries * 2 * sizeof *of->numbers);
    of->is_velocity = calloc((size_t)n * 2, sizeof *of->is_velocity);
    of->sets = calloc((size_t)n_sets, sizeof *of->sets);
    of->states = calloc((size_t)n * 2, sizeof *of->states);
    int *state = of->numbers, *set = of->numbers + entries;
    for (int i = 0; i < n_sets; i++) {
        of->sets[i] = (dry_inclusion_set){"f", dry_set_find("sgn"), 1, i, 0.0, 0, 0};
        for (int c = 0; c < per_set; c++) {
            state[i * per_set + c] = i + c;
            set[i * per_set + c] = i;
        }
    }
    for (int i = 0; i < 2 * n; i++) {
        of->is_velocity[i] = i < n;
        of->states[i] = (dry_quantity){i < n ? "v" : "p", ""};
    }
    of->system = (dry_system){.name = "chain",
                              .n_states = 2 * n,
                              .states = of->states,
                              .model = of,
                              .start = chain_start};
    of->inclusion = (dry_inclusion){.system = &of->system,
                                    .n_states = 2 * n,
                                    .n_sets = n_sets,
                                    .n_forces = n_sets,
                                    .sets = of->sets,
                                    .is_velocity = of->is_velocity,
                                    .n_push = entries,
                                    .n_feel = entries,
                                    .push_state = state,
                                    .push_force = set,
                                    .feel_state = state,
                                    .feel_force = set,
                                    .steady = true,
                                    .eval = between ? between_eval : floor_eval};
}
static inline void chain_end(chain *of) {
    free(of->numbers);
    free(of->is_velocity);
    free(of->sets);
    free(of->states);
}

#endif
