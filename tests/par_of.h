/* The value of a parameter of a system, by its name. */
#ifndef DRYSTONE_TESTS_PAR_OF_H
#define DRYSTONE_TESTS_PAR_OF_H

#include <drystone/ode.h>
#include <string.h>

static inline double par_of(const dry_system *system, const char *name) {
    for (int i = 0; i < system->n_par; i++)
        if (!strcmp(system->params[i].name, name)) return system->par[i];
    fail_msg("there is no parameter %s", name);
    return 0.0;
}

#endif
