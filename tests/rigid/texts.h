/* Machines as texts of equations, for the tests of rigid. */
#ifndef DRYSTONE_TESTS_RIGID_TEXTS_H
#define DRYSTONE_TESTS_RIGID_TEXTS_H

#include <drystone/model.h>
#include <drystone/rigid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct machine {
    dry_model *model;
    dry_rigid *rigid;
    dry_error error;
} machine;

static inline dry_model *compile_text(const char *text) {
    const dry_model_options options = {.run = {.method = dry_model_method_find("rigid")}};
    dry_model *model = dry_model_compile("test", text, strlen(text), &options);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, stderr, false);
    assert_true(dry_model_ok(model));
    assert_non_null(dry_model_inclusion(model));
    return model;
}

static inline machine machine_begin(const char *text, dry_rigid_options options) {
    machine of = {.model = compile_text(text)};
    is_ok(dry_rigid_new(dry_model_inclusion(of.model), &options, NULL, 0.0, &of.rigid, &of.error),
          &of.error);
    return of;
}

static inline void machine_end(machine *of) {
    dry_rigid_free(of->rigid);
    dry_model_free(of->model);
}

static inline void machine_go(machine *of, double t) {
    is_ok(dry_rigid_advance(of->rigid, t, &of->error), &of->error);
}

/* A state by its name. */
static inline double machine_state(const machine *of, const char *name) {
    const dry_system *system = dry_model_inclusion(of->model)->system;
    for (int j = 0; j < system->n_states; j++)
        if (strcmp(system->states[j].name, name) == 0) return dry_rigid_state(of->rigid)[j];
    fail_msg("there is no state %s", name);
    return 0.0;
}

#endif
