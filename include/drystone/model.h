/* model: a .dry text becomes a model: a system to integrate, with its checks, measures and plots.
 *
 * Floor 5: what a text can name is in lang.h, its messages are in syntax.h. */
#ifndef DRYSTONE_MODEL_H
#define DRYSTONE_MODEL_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/lang.h>
#include <drystone/law.h>
#include <drystone/net.h>
#include <drystone/ode.h>
#include <drystone/record.h>
#include <drystone/rigid.h>
#include <drystone/syntax.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dry_model dry_model;

/* Compiles a text. Always gives a model (NULL only without memory): ask dry_model_ok before using
 * more of it than its messages. `file` is for messages. */
DRY_API dry_model *dry_model_compile(const char *file, const char *text, size_t length,
                                     const dry_model_options *options);
DRY_API void dry_model_free(dry_model *model);
DRY_API bool dry_model_ok(const dry_model *model);
/* Whether memory ran out since it was compiled: what it printed or computed then may be cut short.
 */
DRY_API bool dry_model_failed(const dry_model *model);

DRY_API int dry_model_messages(const dry_model *model);
DRY_API dry_message dry_model_message(const dry_model *model, int index);
/* Prints a message as `file:line:column: error: text`, the source line, a caret, the way out. */
DRY_API void dry_model_print_message(const dry_model *model, int index, FILE *stream, bool colour);

/* What was compiled; all of it belongs to the model. */
DRY_API const char *dry_model_name(const dry_model *model);
DRY_API const char *dry_model_title(const dry_model *model);
/* The text it was compiled from; *length may be NULL. */
DRY_API const char *dry_model_text(const dry_model *model, size_t *length);
/* The files that the text names, as they are opened, in any order; NULL behind the last. */
DRY_API const char *dry_model_file(const dry_model *model, int index);
DRY_API const dry_system *dry_model_system(const dry_model *model);
/* How many of the system's states are the model's own, of its equations and of its bodies, without
 * those of laws; and which number the index-th of them has. */
DRY_API int dry_model_own_states(const dry_model *model);
DRY_API int dry_model_own_state(const dry_model *model, int index);
DRY_API dry_run_options dry_model_run(const dry_model *model);
/* The same with what is taken if nothing is said: the method, and the step of a fixed-step method.
 * DRY_BAD_ARGUMENT if nobody says how long to run. */
DRY_API dry_status dry_model_plan(const dry_model *model, dry_run_options *run, dry_error *error);
/* The inclusion with its sets kept, for method = rigid, split, split-symmetric; NULL otherwise. */
DRY_API const dry_inclusion *dry_model_inclusion(const dry_model *model);
/* The parts of the model; NULL where it has none. The states of the system are those of the
 * equations, then those of the net; so are parameters and outputs. */
DRY_API const dry_net *dry_model_net(const dry_model *model);
/* The energy account of a run of a model with parts, as dry_net_account: with one row more, a
 * source called "equations", where equations push parts (its work is the state "equations.work" of
 * the system). DRY_BAD_ARGUMENT where the model has no parts. */
DRY_API dry_status dry_model_account(const dry_model *model, const dry_record *record,
                                     dry_account *account, dry_error *error);
/* Which of the system's outputs are the model's forces and named quantities; the others serve
 * measures and plots. */
DRY_API bool dry_model_output_shown(const dry_model *model, int output);
/* The text for a condition that the system's watch reported. */
DRY_API const char *dry_model_watch_text(const dry_model *model, int watch);

/* ---- other values of its parameters ------------------------------------------ */

/* Where the parameter of that name is among those of the system, -1: it is none of the equations'.
 */
DRY_API int dry_model_par_find(const dry_model *model, const char *name);
/* Whether the compiler has decided nothing by its value, so that another value in `par` is as good
 * as compiling anew; what the compiler checks by its value dry_model_par_passes tells. */
DRY_API bool dry_model_par_free(const dry_model *model, int par);
/* Whether the compiler would take these values of free parameters: true is certain, false is for
 * compiling anew to tell. A model serves one thread at a time here. */
DRY_API bool dry_model_par_passes(const dry_model *model, const double *par);
/* Whether that depends on a parameter, beyond that its value is finite. */
DRY_API bool dry_model_par_matters(const dry_model *model, int par);
/* Computes those parameters in `par` that the text defines by others. */
DRY_API void dry_model_par_follow(const dry_model *model, double *par);
/* Whether `par` is one of them. */
DRY_API bool dry_model_par_follows(const dry_model *model, int par);
/* The name by which a setting replaces parameter `par` of the system, such as load.p where the net
 * has load.p0; false where none does, or the text is too short for it. */
DRY_API bool dry_model_par_setting(const dry_model *model, int par, char *text, size_t size);
/* Whether two models of one text are the same but for the values of their parameters. */
DRY_API bool dry_model_alike(const dry_model *a, const dry_model *b);

/* The set-valued forces, as the model's text has them. */
typedef struct dry_set_info {
    const char *name;
    const dry_set *set; /* NULL for a catalogue law without a set */
    const dry_law *law;
    bool plain;            /* the law relaxes the set and adds nothing to it */
    int dim;               /* of theta; 1 for a gap */
    double K, beta, alpha; /* in force; NaN where the law has none, and where the set is kept */
    double mass;           /* effective, at the start; NaN where unknown */
    double restitution;    /* of the contact law in one impact on that mass alone, by the method's
                              steps where it was chosen for them; Newton's e where the set is kept;
                              NaN for other laws */
    const char *chosen;    /* how the parameters came about: "given", "from the step", ... */
    int state;             /* the first of its states in the system, the stretch; -1: none */
    bool from_step;        /* K was chosen from the step */
    bool quickens;         /* the rate of its law grows with the motion (law.h) */
    const char *unit, *K_unit; /* of |f|/K, how far it gives way, and of K; "": without a unit */
} dry_set_info;
DRY_API int dry_model_sets(const dry_model *model);
DRY_API dry_set_info dry_model_set(const dry_model *model, int index);
/* The first of the system's parameters, from number `par` on, that a part has chosen itself, from
 * the step and the inertia of its ends: "pin.K"; -1: no more. */
DRY_API int dry_model_next_chosen(const dry_model *model, int par);
/* The index in dry_model_net of the part that a parameter of the system belongs to; -1: it is the
 * model's own. */
DRY_API int dry_model_part_of_par(const dry_model *model, int par);
/* Its name without that of the part, "K"; NULL: no part has it. */
DRY_API const char *dry_model_part_par_name(const dry_model *model, int par);
/* Stability: the fastest mode of the all-stuck, all-closed system (1/s) and the largest step of the
 * model's method; NaN and INFINITY where unknown. */
DRY_API double dry_model_fastest_mode(const dry_model *model);
DRY_API double dry_model_largest_step(const dry_model *model);
/* The step (s) that K, beta and alpha are chosen for where the text leaves them open. */
DRY_API double dry_model_choose_step(const dry_model *model);

/* Plots: panels of columns, as the model's `plot` lines say. A column counts t as 0, then the
 * states that have names of their own, then the outputs: as in the record of a run. */
typedef struct dry_model_panel {
    int x, n;
    const int *y;
    const char *const *label;
} dry_model_panel;
DRY_API int dry_model_panels(const dry_model *model);
DRY_API dry_model_panel dry_model_panel_at(const dry_model *model, int index);

/* Measures and expectations of a run, from its record. */
typedef struct dry_measured {
    const char *name, *source, *unit;
    double value;
} dry_measured;
typedef struct dry_expected {
    const char *source; /* as the model has it */
    int line;
    bool met;
    double value, target, tolerance; /* NaN target: a condition */
} dry_expected;
DRY_API int dry_model_measures(const dry_model *model);
DRY_API int dry_model_expects(const dry_model *model);
/* Name, source and unit of a measure; its value is nan. */
DRY_API dry_measured dry_model_measure_at(const dry_model *model, int index);
/* The k-th of the system's outputs that it reads, -1: it reads no more. */
DRY_API int dry_model_measure_output(const dry_model *model, int index, int k);
/* Whether an expectation reads it. */
DRY_API bool dry_model_measure_is_expected(const dry_model *model, int index);
/* Whether the last row of a record is all that it is computed from. */
DRY_API bool dry_model_measure_is_final(const dry_model *model, int index);
/* Evaluates them all into the caller's arrays; `expected` may be NULL. A model serves one thread at
 * a time here. */
DRY_API dry_status dry_model_evaluate(const dry_model *model, const double *par,
                                      const dry_record *record, dry_measured *measured,
                                      dry_expected *expected, dry_error *error);

/* Prints a stage: tokens, tree, checked, lowered, ordered, code; DRY_BAD_ARGUMENT for another. */
DRY_API dry_status dry_model_print_stage(const dry_model *model, const char *stage, FILE *stream);
/* The derived ordinary differential equation as one would write it in a paper. */
DRY_API void dry_model_print_text(const dry_model *model, FILE *stream);
DRY_API void dry_model_print_latex(const dry_model *model, FILE *stream);
/* As MathML, a table of equations: the inclusion as it is in the text, or the equations derived. */
DRY_API void dry_model_print_mathml(const dry_model *model, bool derived, FILE *stream);

/* Instructions of one evaluation of the rate. */
DRY_API int dry_model_operations(const dry_model *model);

#ifdef __cplusplus
}
#endif
#endif
