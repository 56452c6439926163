/* model_private: declarations that the files of model share. */
#ifndef DRY_MODEL_MODEL_PRIVATE_H
#define DRY_MODEL_MODEL_PRIVATE_H

#include "model/model.h"

/* system.c: builds the image, the functions of the system, its kinks and break times. */
bool dry_model__build(dry_model *model);
/* Makes an image of all sections; n_inputs: states, and numbers of the net. NULL without memory. */
dry_image *dry_model__image(const dry_model_code *code, const dry_elab *elab, int n_inputs);
/* The bytes of work that an image takes with what is behind its registers. */
size_t dry_model__work_size(const dry_model *model);
/* The clocks for the parameters of the work. */
const dry_clock *dry_model__clocks(const dry_env *env);
void dry_model__output(const dry_env *env, double t, double tau, const double *x, double *y);
/* positions.c: finds the states that are positions, by the structure of the equations. Returns
 * false without memory. */
bool dry_model__find_positions(dry_model *model);
/* inclusion.c: builds the model with its sets kept, for the rigid solvers. */
void dry_model__inclusion(dry_model *model);
/* inclusion_run.c: returns true if the rigid solvers keep the set of the force: its law relaxes the
 * set and adds nothing. */
bool dry_model__is_kept(const dry_force *force);
/* The sections of its code. */
enum { DRY_KEPT_VALUES, DRY_KEPT_SMOOTH, DRY_KEPT_OUTPUT, DRY_KEPT_PHASE, DRY_KEPT_SECTIONS };
/* Returns the number of values that determine the phase of a force, in the section of phases. */
int dry_model__phase_values(const dry_force *force);
/* Sets the functions of an inclusion that the rigid solvers call. */
void dry_model__give_calls(dry_inclusion *inclusion);
void dry_model__prepare_inclusion(const dry_env *env);
/* jacobian.c: builds the Jacobian of the system, for the implicit methods. */
void dry_model__jacobian(dry_model *model);
void dry_model__prepare_jacobian(const dry_env *env);
/* equations_and_parts.c: makes one system of equations and net, if the model has parts. Returns
 * false without memory. */
bool dry_model__machine(dry_model *model);
/* Copies the parameters of the equations after they were chosen anew. */
void dry_model__renew_par(dry_model *model);
/* Computes the rates of this system at t = 0, with every law of the equations in the given branch.
 * roots: the rates of the equations, then their pushes. The roots are computed from x, or are used
 * as given. */
void dry_model__branch_rate(const dry_env *env, dry_branch branch, double tau, const double *x,
                            double *roots, bool follows, double *x_dot);
/* bends.c: whether a comparison of a state or the time only bends what is marked (mark[0 ..
 * count)), because what is chosen by it has one value there. Adds nodes to the graph. */
bool dry_model__only_bends(const dry_elab *elab, dry_node node, const unsigned char *mark,
                           int count);
/* reduce.c: one number from a column, as its samples come. */
typedef struct dry_model__instant {
    double t, y;
} dry_model__instant;

typedef struct dry_model__reduction {
    dry_reducer_kind kind;
    bool differs;          /* a column of differences */
    bool has_from, has_to; /* the span is given; else it is the run */
    double from, to;
    long long n;             /* samples so far */
    double t0;               /* the first one's time */
    dry_model__instant last; /* sample */
    dry_record_sums sums;    /* of a statistic */
    dry_model__instant pair[2];
    /* of a condition: */
    bool begun, ended, held;    /* the span; the condition at the last point */
    dry_model__instant point;   /* the last one */
    long long n_points, n_true; /* points, and how often it became true */
    double found;
} dry_model__reduction;

/* from, to: NULL if not given. */
void dry_model__reduce_begin(dry_model__reduction *r, const dry_reducer *what, const double *from,
                             const double *to);
void dry_model__reduce_add(dry_model__reduction *r, double t, double y);
double dry_model__reduce_end(dry_model__reduction *r);

/* evaluate.c: the value of the derivative of a measure. It needs the parameters, the results of the
 * reducers in `run`, and after all parameters what the reducers make of the derivatives of their
 * columns: that of output i is column first + i apart of `slopes`. Returns false without memory.
 */
bool dry_model__measure_slope(const dry_model *model, dry_node slope, const double *par,
                              const dry_record *run, const dry_record *slopes, int first, int apart,
                              double *value);

/* structural.c: finds the parameters that need a new compilation. */
void dry_model__structural(dry_model *model);
/* trial.c: a copy of the data that checks and choices read and write, with other values of the
 * parameters. dry_model__trial_begin returns false without memory, or if the text asks for
 * what is outside its range; end it in any case. */
typedef struct dry_model__trial {
    dry_model copy;
    dry_arena *arena;
} dry_model__trial;
bool dry_model__trial_begin(dry_model__trial *trial, const dry_model *model, const double *par);
void dry_model__trial_end(dry_model__trial *trial);
/* Returns true if checks 2 to 5 pass, with what is watched as in the model. The forces have their
 * masses then. */
bool dry_model__trial_wellposed(dry_model__trial *trial);
/* rechoose.c: what the compiler chose, for a trial: dry_model__forget_chosen before checks 2 to 5,
 * dry_model__choose after them, dry_model__soften_chosen after those of the start. */
void dry_model__forget_chosen(dry_model__trial *trial);
bool dry_model__choose(dry_model__trial *trial);
void dry_model__soften_chosen(dry_model__trial *trial);
/* Chooses for the other values in `par`; NaN if nothing can be chosen for them. */
void dry_model__rechoose(const dry_model *model, double *par);
/* Finds whether what was chosen can be chosen anew, and marks it; before anything is softer. */
void dry_model__find_chosen(dry_model *model);
/* show.c: for printing. dry_model__level_of returns the factor in front of the set in a right side
 * (NULL: nothing). The other function returns the force that a statement made, or the first force
 * of an indexed statement. */
const dry_expr *dry_model__level_of(const dry_expr *expr);
const dry_force *dry_model__force_of(const dry_elab *elab, const dry_stmt *stmt);

/* How a notation writes the derived equations: templates with <f> for the force, <F> for its level,
 * <u> for the argument of the set, <v> for the same argument as a factor, <m> for minus the
 * argument. */
typedef struct dry_writer {
    void (*name)(const dry_stmt *stmt, FILE *stream);
    void (*expr)(const dry_expr *expr, FILE *stream);
    void (*factor)(const dry_expr *expr, FILE *stream);
    void (*level)(const dry_expr *expr, FILE *stream); /* as expr, and intervals */
    const char *relaxed[4][2]; /* by resolvent: f and, if it is written differently, -f */
    const char *cone[2];       /* -f and f in the normal cone of <P>, [-h, h] */
    const char *stretched[2];  /* the same for chi*A'*sgn(A*v), with <A> for A' */
    const char *named;         /* a law by its name, <L>, instead of a set that it does not relax */
    void (*law)(const char *name, FILE *stream);
    /* for the inclusions of laws: their rows, the row of the level, and signs (dry_law_inclusion)
     */
    const char *(*inclusion)(const dry_law_inclusion *rows);
    const char *(*inclusion_level)(const dry_law_inclusion *rows);
    const char *next, *minus, *index[2]; /* between rows; <s>; <i>, and <i> in a loop over i */
} dry_writer;
/* Writes the equations of a law that is a resolvent of its set, or the name of a law that stands
 * for it, if the writer has a form for that. Returns false for another law. */
bool dry_model__write_lowered(const dry_stmt *stmt, const dry_force *force,
                              const dry_writer *writer, FILE *stream);

/* Writes the inclusion that the row of a law has, if the statement does not write it as a set, or
 * that of a set with two ends. Returns false if there is none. */
bool dry_model__write_inclusion(const dry_stmt *stmt, const dry_force *force,
                                const dry_writer *writer, FILE *stream);

/* Returns the scratch after the registers in the system's work: guards and latches. */
double *dry_model__behind_registers(const dry_env *env);
/* The conditions on the equations, and the latches of their laws, with `inputs` in the registers.
 * dry_model__watch returns the number of the condition that fails, 0 if none fails.
 * dry_model__latch returns whether it changed x. */
int dry_model__watch(const dry_env *env, double t, const double *inputs);
double dry_model__fastest(const dry_env *env, double t, double tau, const double *inputs,
                          const char **law);
bool dry_model__latch(const dry_env *env, double t, double *inputs, double *x);

/* Computes the times at which the rate of the equations jumps. */
void dry_model__breaks(const dry_env *env, double *times);

/* friction_text.c: the token of the text at a place; NULL: another file has it. Of the expression
 * that this token belongs to, the first token, and the one behind the last. An item goes on to the
 * comma, the bracket, the loop or the end of the statement: it may have a range. */
const dry_token *dry_model__token(const dry_model *model, dry_place at);
const dry_token *dry_model__begin_of_expression(const dry_model *model, const dry_token *token);
const dry_token *dry_model__end_of_expression(const dry_token *token);
const dry_token *dry_model__end_of_item(const dry_token *token);
/* uses.c: whether an expression reads a parameter that the text frees, itself or through others. */
bool dry_model__reads_freed(const dry_model *model, const dry_expr *expr);

/* ---- the start of a run ----------------------------------------------------------------- */

/* States that the caller starts: x[i] where is[i]. */
typedef struct dry_model__given {
    const unsigned char *is;
    const double *x;
} dry_model__given;

/* system.c: puts them into x; NULL: none. */
void dry_model__keep_given(const dry_model__given *given, int n, double *x);
/* The start of a run, with what follows from given states: of equations (system.c), and of
 * equations and parts (equations_and_parts.c). */
void dry_model__start_equations(const dry_env *env, double t, const dry_model__given *given,
                                double *x);
void dry_model__start_mixed(const dry_env *env, double t, const dry_model__given *given, double *x);

/* ---- settle.c --------------------------------------------------------------------------- */

/* Finds the states that begin steady, by the names that the text gives. */
void dry_model__find_steady(dry_model *model);
/* An error for each that has no steady start with the values of the text. */
void dry_model__check_steady(dry_model *model);
/* Puts the starts of these states into x, with the values of the text. */
void dry_model__take_steady(const dry_model *model, double *x);
/* Numbers of scratch that settling takes, after all others of the equations. */
size_t dry_model__steady_numbers(const dry_model *model);
/* Puts these states where they come to rest while all others stay; one that does not becomes nan.
 * What is given stays. work: so many numbers. */
void dry_model__settle(const dry_env *env, double t, const dry_model__given *given, double *work,
                       double *x);

/* ---- instants.c ------------------------------------------------------------------------- */

/* Does what is sampled and delayed at t, if anything is. Returns whether it changed x. `inputs`
 * become those of the changed x. _at_start does so at the start of a run. */
bool dry_model__sample(const dry_env *env, double t, double *inputs, double *x);
void dry_model__sample_at_start(const dry_env *env, double t, double *inputs, double *x);

/* Whether the phase of a force follows from the states: not if it needs the past, and the states
 * are those of a record, in which the past is nan. */
bool dry_model__has_phase(const dry_model *model, int force, const double *inputs);
/* Computes the phase of each force of the equations, with `inputs` in the registers. */
void dry_model__phases(const dry_env *env, double t, double tau, const double *inputs,
                       unsigned char *phase);
/* Computes the phase of one force from the parameters and inputs of its law, and from the states of
 * all. */
unsigned dry_model__phase(const dry_force *force, double tau, const double *values,
                          const double *states);

/* ---- soften.c -------------------------------------------------------------------------- */

/* Makes chosen elements softer until the model fits its step, and reports it. If that does not
 * help, restores the elements and returns false. */
typedef bool dry_fits_fn(dry_model *model, void *user);
bool dry_model__soften_until(dry_model *model, dry_fits_fn *fits, void *user);

/* ---- step.c ------------------------------------------------------------------------------ */

/* Returns the model in the form that checks use. */
dry_subject dry_model__subject(const dry_model *model);
/* Check 6, after which the step of the run is known. Softens the chosen elements if that helps. */
void dry_model__check_equation_step(dry_model *model);
void dry_model__check_part_step(dry_model *model);
/* Makes what was chosen for a trial softer, as dry_model__check_equation_step does. */
void dry_model__soften_again(dry_model *copy);

#endif
