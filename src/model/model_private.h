/* What the files of model share among themselves. */
#ifndef DRY_MODEL_MODEL_PRIVATE_H
#define DRY_MODEL_MODEL_PRIVATE_H

#include "model/model.h"

/* system.c: the image, the functions of the system, its kinks and break times. */
bool dry_model__build(dry_model *model);
/* positions.c: which states are positions, by the structure of the equations; false without memory.
 */
bool dry_model__find_positions(dry_model *model);
/* inclusion.c: the model with its sets kept, for the rigid solvers. */
void dry_model__inclusion(dry_model *model);
/* Whether they keep its set: its law relaxes it and adds nothing. */
bool dry_model__is_kept(const dry_force *force);
void dry_model__prepare_inclusion(const dry_env *env);
/* jacobian.c: the Jacobian of the system, for the implicit methods. */
void dry_model__jacobian(dry_model *model);
void dry_model__prepare_jacobian(const dry_env *env);
/* machine.c: with parts, equations and net become one system; false without memory. */
bool dry_model__machine(dry_model *model);
/* Takes over parameters of the equations that were chosen anew. */
void dry_model__renew_par(dry_model *model);
/* Its rates at t = 0, with every law of the equations as the branch says. roots: rates of the
 * equations, then what they push; they follow x, or are taken as they are. */
void dry_model__branch_rate(const dry_env *env, dry_branch branch, double tau, const double *x,
                            double *roots, bool follows, double *x_dot);
/* structural.c: which parameters need the model compiled anew. */
void dry_model__structural(dry_model *model);
/* show.c: for printing. What stands in front of the set in a right side (NULL: nothing); the force
 * that a statement made, the first of an indexed one. */
const dry_expr *dry_model__level_of(const dry_expr *expr);
const dry_force *dry_model__force_of(const dry_elab *elab, const dry_stmt *stmt);

/* How a form of writing puts the derived equations: templates with <f> the force, <F> its level,
 * <u> the argument of the set, <v> the same as a factor. */
typedef struct dry_writer {
    void (*name)(const dry_stmt *stmt, FILE *stream);
    void (*expr)(const dry_expr *expr, FILE *stream);
    void (*factor)(const dry_expr *expr, FILE *stream);
    const char *relaxed[3][2]; /* by resolvent: f and -f, if that is written otherwise */
} dry_writer;
/* Writes the equations of a law that is a resolvent of its set; false for another law. */
bool dry_model__write_lowered(const dry_stmt *stmt, const dry_force *force,
                              const dry_writer *writer, FILE *stream);

/* Scratch of the system's work behind the registers: guards and latches. */
double *dry_model__behind_registers(const dry_env *env);
/* The conditions on the equations, and their laws' latches, where `inputs` are in the registers:
 * number of the condition that fails, 0: none; whether x was changed. */
int dry_model__watch(const dry_env *env, double t, const double *inputs);
double dry_model__fastest(const dry_env *env, double t, double tau, const double *inputs,
                          const char **law);
bool dry_model__latch(const dry_env *env, double t, const double *inputs, double *x);

/* What each force of the equations does, if `inputs` are in the registers. */
void dry_model__phases(const dry_env *env, double t, double tau, const double *inputs,
                       unsigned char *phase);
/* The same of one force: the parameters and inputs of its law, and the states of all. */
unsigned dry_model__phase(const dry_force *force, double tau, const double *values,
                          const double *states);

/* ---- soften.c -------------------------------------------------------------------------- */

/* Makes chosen elements softer until the model fits its step, and says so; false, and they are as
 * they were, if that does not help. */
typedef bool dry_fits_fn(dry_model *model, void *user);
bool dry_model__soften_until(dry_model *model, dry_fits_fn *fits, void *user);

/* ---- step.c ------------------------------------------------------------------------------ */

/* The model as checks see it. */
dry_subject dry_model__subject(const dry_model *model);
/* Check 6, after which the step of the run is known: softens what was chosen, if that helps. */
void dry_model__check_equation_step(dry_model *model);
void dry_model__check_part_step(dry_model *model);

#endif
