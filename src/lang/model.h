/* The compiled model. */
#ifndef DRY_LANG_MODEL_H
#define DRY_LANG_MODEL_H

#include "elab.h"
#include "wellposed.h"

#include <drystone/check.h>
#include <drystone/rigid.h>

/* The pieces of code of a model's image. */
enum {
    DRY_SECTION_RATE,
    DRY_SECTION_OUTPUT,
    DRY_SECTION_KINKS,
    DRY_SECTION_START,
    DRY_SECTION_GUARD,
    DRY_SECTION_LATCH,
    DRY_SECTION_FASTEST, /* rates of laws that grow with the motion; in bytecode alone */
    DRY_N_SECTIONS
};

/* The units of |f|/K, the way that an element gives, and of its K. */
typedef struct dry_give_unit {
    const char *way, *K;
} dry_give_unit;

struct dry_model {
    const char *file;
    const char *text;
    size_t length;
    dry_report report;
    dry_arena *arena;
    dry_tokens tokens;
    dry_elab elab;
    bool ok;

    dry_system system;
    dry_image *image;
    dry_node *roots[DRY_N_SECTIONS];
    int n_roots[DRY_N_SECTIONS];
    dry_quantity *states, *outputs, *params;
    bool *positions;
    int *own, n_own; /* states of equations and of bodies, not of laws */
    double *breaks;
    dry_node *break_nodes; /* what the breaks are computed from */
    int *latched;          /* forces with discrete states */
    int n_latched, latch_room;
    int *quick; /* forces whose laws are asked for their rates, as in their section */
    int n_quick, quick_room;
    double fastest, largest_step, choose_step;
    dry_model_panel *panel;
    const char **measure_unit;
    dry_give_unit *give_unit; /* of each force */

    dry_inclusion inclusion; /* with method = rigid or split */
    dry_image *inclusion_image;
    dry_node *inclusion_root; /* all that its `eval` gives, in the order of the values */
    int inclusion_roots;
    dry_node *smooth_roots; /* rates of the velocities, levels */
    int n_smooth_roots;
    size_t inclusion_work; /* where its scratch begins in the work of the system */

    dry_image *jacobian_image; /* with an implicit method */
    size_t jacobian_work;

    struct dry_machine *machine; /* with parts */
};

/* system.c: the image, the functions of the system, its kinks and break times. */
bool dry_lang__build(dry_model *model);
/* positions.c: which states are positions, by the structure of the equations; false without memory.
 */
bool dry_lang__find_positions(dry_model *model);
/* inclusion.c: the model with its sets kept, for the rigid solvers. */
void dry_lang__inclusion(dry_model *model);
/* Whether they keep its set: its law relaxes it and adds nothing. */
bool dry_lang__is_kept(const dry_force *force);
void dry_lang__prepare_inclusion(const dry_env *env);
/* jacobian.c: the Jacobian of the system, for the implicit methods. */
void dry_lang__jacobian(dry_model *model);
void dry_lang__prepare_jacobian(const dry_env *env);
/* machine.c: with parts, equations and net become one system; false without memory. */
bool dry_lang__machine(dry_model *model);
/* Takes over parameters of the equations that were chosen anew. */
void dry_lang__renew_par(dry_model *model);
/* Its rates at t = 0, with every law of the equations as the branch says. roots: rates of the
 * equations, then what they push; they follow x, or are taken as they are. */
void dry_lang__branch_rate(const dry_env *env, dry_branch branch, double tau, const double *x,
                           double *roots, bool follows, double *x_dot);
/* structural.c: which parameters need the model compiled anew. */
void dry_lang__structural(dry_model *model);
/* part_soft.c: contacts that were chosen too soft for a weight. */
void dry_lang__check_softness(dry_model *model);
/* masses.c: masses below zero. */
void dry_lang__masses(dry_elab *elab);
void dry_lang__follow(dry_elab *elab); /* chosen K of masses that change */
/* begin.c: the rates at the start. */
void dry_lang__begin(dry_model *model);
/* check 6: the step against the modes of the equations, in all branches. */
void dry_lang__stability(dry_model *model);
/* The branches that the laws of the equations have; returns how many. */
int dry_lang__branches(const dry_elab *elab, dry_branch branches[4]);
/* Whether it passes; nothing is said. */
bool dry_lang__step_fits(dry_model *model);
/* step.c: chooses the step of a run where nobody gives one (elab.resolving), for the model as it is
 * described; says where no step would do. */
void dry_lang__choose_run_step(dry_model *model, const dry_check *check);
/* Three digits that are not more. */
const char *dry_lang__at_most(dry_report *report, double T);
/* part_step.c: the same for the stiffest motion of the parts. */
void dry_lang__part_stability(dry_model *model);
/* push_step.c: the same for what equations do to themselves and to the parts. */
void dry_lang__push_stability(dry_model *model);
/* push_step.c: the step of a model with parts, where nobody gives one. */
void dry_lang__choose_part_step(dry_model *model);
/* check 8: periodic forcing that a stuck element amplifies. */
void dry_lang__resonance(dry_model *model);

/* show.c: for printing. What stands in front of the set in a right side (NULL: nothing); the force
 * that a statement made, the first of an indexed one. */
const dry_expr *dry_lang__level_of(const dry_expr *expr);
const dry_force *dry_lang__force_of(const dry_elab *elab, const dry_stmt *stmt);

/* How a form of writing puts the derived equations: templates with <f> the force, <F> its level,
 * <u> the argument of the set, <v> the same as a factor. */
typedef struct dry_writer {
    void (*name)(const dry_stmt *stmt, FILE *stream);
    void (*expr)(const dry_expr *expr, FILE *stream);
    void (*factor)(const dry_expr *expr, FILE *stream);
    const char *relaxed[3][2]; /* by resolvent: f and -f, if that is written otherwise */
} dry_writer;
/* Writes the equations of a law that is a resolvent of its set; false for another law. */
bool dry_lang__write_lowered(const dry_stmt *stmt, const dry_force *force, const dry_writer *writer,
                             FILE *stream);

/* Scratch of the system's work behind the registers: guards and latches. */
double *dry_lang__behind_registers(const dry_env *env);
/* The conditions on the equations, and their laws' latches, where `inputs` are in the registers:
 * number of the condition that fails, 0: none; whether x was changed. */
int dry_lang__watch(const dry_env *env, double t, const double *inputs);
double dry_lang__fastest(const dry_env *env, double t, double tau, const double *inputs,
                         const char **law);
bool dry_lang__latch(const dry_env *env, double t, const double *inputs, double *x);

double dry_lang__time_scale(const dry_elab *elab);
/* choose.c: the step that a fixed-step run takes, given or not; NaN where its length is not known.
 */
double dry_lang__run_step(const dry_elab *elab);
bool dry_lang__soften(dry_elab *elab, double factor, bool contacts);
/* step.c: makes chosen elements softer until the model fits its step, and says so; false, and they
 * are as they were, where that does not help. */
typedef bool dry_fits_fn(dry_model *model, void *user);
bool dry_lang__soften_until(dry_model *model, dry_fits_fn *fits, void *user);

#endif
