/* machine: a net with its integration, for tests of parts that work together. */
#ifndef DRYSTONE_TESTS_BODY_MACHINE_H
#define DRYSTONE_TESTS_BODY_MACHINE_H

#include "par_of.h"
#include <drystone/body.h>
#include <drystone/design.h>
#include <drystone/net.h>
#include <drystone/ode.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct machine {
    dry_net *net;
    const dry_system *system;
    dry_ode ode;
    double *work;
    void *scratch;
} machine;

#define MAKE(net, name, kind, ...)                                                                 \
    dry_net_make(net, name, dry_kind_find(kind), (const dry_value[]){__VA_ARGS__},                 \
                 (int)(sizeof((const dry_value[]){__VA_ARGS__}) / sizeof(dry_value)))

/* Fixes the net and begins at t = 0, with what parts leave open chosen; what was wrong is the
 * failure of the test. */
static inline void machine_begin(machine *m, const char *method, dry_ode_options options,
                                 const dry_net_options *net_options) {
    const dry_method *row = dry_method_find(method);
    dry_net_options own = net_options ? *net_options : (dry_net_options){0};
    dry_error error = {0};
    own.choose = dry_design_net;
    if (dry_net_system(m->net, &own, &m->system, &error) != DRY_OK) fail_msg("%s", error.text);
    m->work = calloc(dry_ode_size(m->system, row), sizeof *m->work);
    m->scratch = calloc(m->system->work_size + 1, 1);
    assert_int_equal(
        dry_ode_init(&m->ode, m->system, row, &options, NULL, 0.0, NULL, m->scratch, m->work),
        DRY_OK);
}
static inline void machine_go(machine *m, double t) {
    assert_int_equal(dry_ode_advance(&m->ode, t), DRY_OK);
}
static inline void machine_end(machine *m) {
    free(m->work);
    free(m->scratch);
    dry_net_free(m->net);
}
/* Where the states that begin with "arm.q[1]" are. */
static inline const double *machine_at(const machine *m, const char *name) {
    for (int i = 0; i < m->system->n_states; i++)
        if (strcmp(m->system->states[i].name, name) == 0) return m->ode.x + i;
    fail_msg("there is no state %s", name);
    return NULL;
}

#endif
