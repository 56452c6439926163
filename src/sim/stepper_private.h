/* stepper, inside the room: what a stepper holds, and one row of functions for each room that has
 * methods. */
#ifndef DRYSTONE_STEPPER_PRIVATE_H
#define DRYSTONE_STEPPER_PRIVATE_H

#include "sim_private.h"

#include <drystone/stepper.h>

/* How the methods of one room are begun, stepped, read and saved. */
typedef struct dry_sim__engine {
    dry_status (*begin)(dry_stepper *s, double t, const double *x0, dry_error *error);
    void (*end)(dry_stepper *s); /* NULL: nothing to free */
    /* s->par and s->inputs have changed. */
    dry_status (*follow)(dry_stepper *s, dry_error *error);
    dry_status (*advance)(dry_stepper *s, double t_end, dry_error *error);
    /* One accepted step; NULL: all methods of the room have fixed steps. */
    dry_status (*step)(dry_stepper *s, dry_error *error);
    double (*time)(const dry_stepper *s);
    const double *(*states)(const dry_stepper *s);
    void (*output)(const dry_stepper *s, double *y);
    /* y: the outputs; false if the system does not say. */
    bool (*phases)(const dry_stepper *s, const double *y, unsigned char *phases);
    size_t (*save_size)(const dry_stepper *s); /* 0: it cannot */
    void (*save)(const dry_stepper *s, void *bytes);
    /* False, with nothing changed, if the bytes are those of another. */
    bool (*restore)(dry_stepper *s, const void *bytes);
} dry_sim__engine;

extern const dry_sim__engine dry_sim__engine_ode, dry_sim__engine_stiff, dry_sim__engine_rigid;

struct dry_stepper {
    /* what is given */
    const dry_system *system;
    const dry_inclusion *inclusion; /* NULL: the system is run */
    const dry_method *method;
    dry_run_options run;
    dry_ode_options options; /* of run, for ode and stiff */

    const dry_sim__engine *engine;
    dry_ode ode;
    dry_stiff *stiff;
    dry_rigid *rigid;

    double t_start;  /* fixed steps: the grid is t_start + k step */
    double *par;     /* n_par: in effect */
    double *par_set; /* n_par: from the next step on */
    double *inputs;  /* n_inputs: from the next step on */
    bool changed;    /* par_set or inputs are not in effect yet */
    int stop;        /* the condition that ended the last call; 0: none */
    double *y;       /* n_outputs: scratch */
    double *x;       /* n_states: scratch */
    double *work;    /* of a method of ode */
    void *scratch;   /* of the system, for a method of ode */
};

/* The reason why a step of a method of ode to t_end failed. */
dry_status dry_sim__step_failed(const dry_stepper *s, dry_status status, double t_end,
                                dry_error *error);

/* s->x becomes the present state with the inputs that are set. */
void dry_sim__with_inputs(dry_stepper *s);

#endif
