/* What the tests of nets share: parts by kind, and an integration from the start to an end. */
#ifndef DRYSTONE_TESTS_NET_TEST_H
#define DRYSTONE_TESTS_NET_TEST_H

#include <drystone/net.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline const dry_kind *kind_of(const char *name) {
    for (int i = 0; i < dry_net_kind_count(); i++)
        if (strcmp(dry_net_kind_at(i)->name, name) == 0) return dry_net_kind_at(i);
    return NULL;
}

/* add_part(net, "ball", "point_mass", DRY_NUMBERS("mass", 1.0), ...) */
#define add_part(net, name, kind, ...)                                                             \
    dry_net_make(net, name, kind_of(kind), (const dry_value[]){__VA_ARGS__},                       \
                 (int)(sizeof((const dry_value[]){__VA_ARGS__}) / sizeof(dry_value)))

static inline dry_end end_at(const char *port) { return (dry_end){.port = port}; }
static const dry_end world = {0};

/* An integration with its memory. */
typedef struct trial {
    dry_ode ode;
    void *scratch;
    double *work;
    dry_status status;
} trial;

static inline trial trial_begin(const dry_system *system, const char *method, double step) {
    const dry_method *row = dry_method_find(method);
    const dry_ode_options options = {.step = step, .rtol = 1e-10, .atol = 1e-12};
    trial r = {.scratch = malloc(system->work_size + 1),
               .work = malloc(dry_ode_size(system, row) * sizeof *r.work)};
    r.status = dry_ode_init(&r.ode, system, row, &options, NULL, 0.0, NULL, r.scratch, r.work);
    return r;
}
static inline void trial_end(trial *r) {
    free(r->scratch);
    free(r->work);
}

/* The index of a state or of an output, -1: none. */
static inline int index_of(const dry_quantity *all, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0) return i;
    return -1;
}
static inline double state_of(const trial *r, const char *name) {
    const int i = index_of(r->ode.system->states, r->ode.system->n_states, name);
    return i < 0 ? (double)NAN : r->ode.x[i];
}

/* The record of a run: t, states, outputs, at samples + 1 times. */
static inline dry_record *record_of(const dry_system *system, const char *method, double step,
                                    double until, int samples) {
    const int n = system->n_states, width = 1 + n + system->n_outputs;
    const bool staged = dry_method_find(method)->uses_tau;
    dry_quantity *columns = malloc((size_t)width * sizeof *columns);
    double *row = malloc((size_t)width * sizeof *row);
    columns[0] = (dry_quantity){"t", "s"};
    memcpy(columns + 1, system->states, (size_t)n * sizeof *columns);
    memcpy(columns + 1 + n, system->outputs, (size_t)system->n_outputs * sizeof *columns);
    dry_record *record = dry_record_new(columns, width);
    trial r = trial_begin(system, method, step);
    for (int i = 0; i <= samples && r.status == DRY_OK; i++) {
        r.status = dry_ode_advance(&r.ode, until * i / samples);
        row[0] = r.ode.t;
        memcpy(row + 1, r.ode.x, (size_t)n * sizeof *row);
        system->output(&r.ode.env, r.ode.t, staged ? step : 0.0, r.ode.x, row + 1 + n);
        dry_record_add(record, row);
    }
    trial_end(&r);
    free(columns);
    free(row);
    return record;
}

/* FNV-1a of the bytes. */
static inline uint64_t hash_of(const void *data, size_t bytes) {
    const unsigned char *byte = data;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ byte[i]) * 1099511628211u;
    return hash;
}

#endif
