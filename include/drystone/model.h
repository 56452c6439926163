/* model: compiles a .dry text into a model: a system to integrate, with its checks, measures and
 * plots.
 *
 * Floor 5. lang.h lists what a text can name; syntax.h has the messages. */
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

/* Compiles a text. Always returns a model, except NULL without memory. If dry_model_ok returns
 * false, use only the messages of the model. The messages contain `file`. */
DRY_API dry_model *dry_model_compile(const char *file, const char *text, size_t length,
                                     const dry_model_options *options);
DRY_API void dry_model_free(dry_model *model);
DRY_API bool dry_model_ok(const dry_model *model);
/* Returns true if memory ran out since the model was compiled. What the model printed or computed
 * since then may be incomplete. */
DRY_API bool dry_model_failed(const dry_model *model);

DRY_API int dry_model_messages(const dry_model *model);
DRY_API dry_message dry_model_message(const dry_model *model, int index);
/* Prints a message as `file:line:column: error: text`, then the source line, a caret and the way
 * out. */
DRY_API void dry_model_print_message(const dry_model *model, int index, FILE *stream, bool colour);

/* The contents of the compiled model; the model owns all of them. */
DRY_API const char *dry_model_name(const dry_model *model);
DRY_API const char *dry_model_title(const dry_model *model);
/* Returns the text that the model was compiled from; `length` may be NULL. */
DRY_API const char *dry_model_text(const dry_model *model, size_t *length);
/* Returns the path of that text, as dry_model_compile got it: files that it names are relative to
 * its folder. */
DRY_API const char *dry_model_path(const dry_model *model);
/* Returns the text of one of the files that it includes, each of them once, and its path; NULL
 * after the last. */
DRY_API const char *dry_model_included(const dry_model *model, int index, const char **path);
/* Returns the path of one of the files that the text names, as the compiler opens it; NULL after
 * the last file. The files have no particular order. */
DRY_API const char *dry_model_file(const dry_model *model, int index);
DRY_API const dry_system *dry_model_system(const dry_model *model);
/* Number of states that belong to the model's equations and bodies, without the states of laws; and
 * the number of the index-th of them in the system. */
DRY_API int dry_model_own_states(const dry_model *model);
DRY_API int dry_model_own_state(const dry_model *model, int index);
DRY_API dry_run_options dry_model_run(const dry_model *model);
/* Returns the same options with the defaults filled in: the method, and the step of a fixed-step
 * method. Returns DRY_BAD_ARGUMENT if neither the text nor the caller gives the length of the
 * run. */
DRY_API dry_status dry_model_plan(const dry_model *model, dry_run_options *run, dry_error *error);
/* The inclusion with its sets kept, for method = rigid, rigid-routh, split, split-symmetric; NULL
 * for other methods. */
DRY_API const dry_inclusion *dry_model_inclusion(const dry_model *model);
/* The parts of the model; NULL if it has none. The system has the states of the equations first,
 * then those of the net. Parameters and outputs have the same order. */
DRY_API const dry_net *dry_model_net(const dry_model *model);
/* Computes the energy account of a run of a model with parts, as dry_net_account does. If equations
 * push parts, the account has one more row: a feed called "equations". Its work is the state
 * "equations.work" of the system. Returns DRY_BAD_ARGUMENT if the model has no parts. */
DRY_API dry_status dry_model_account(const dry_model *model, const dry_record *record,
                                     dry_account *account, dry_error *error);
/* Calls `each` for every two shapes of a contact that press on each other at (t, x). env and x are
 * those of dry_model_system, whose prepare has set up the scratch. */
DRY_API void dry_model_touching(const dry_env *env, double t, double tau, const double *x,
                                dry_touching_fn *each, void *user);
/* Returns true if the output is a force or a named quantity of the model. The other outputs serve
 * measures and plots. */
DRY_API bool dry_model_output_shown(const dry_model *model, int output);
/* Computes the start of a run at t with parameters `par` (NULL: those of the model), where x[i]
 * stays as you give it if given[i] is not 0: states that follow from it follow, and what
 * the model samples at t it samples from it. dry_stepper_reset begins there. Returns
 * DRY_BAD_ARGUMENT if t or a given value is not finite. */
DRY_API dry_status dry_model_start(const dry_model *model, const double *par, double t,
                                   const unsigned char *given, double *x, dry_error *error);
/* Returns the index-th state of the system that begins where it comes to rest (`steady f.a`); -1 if
 * there are no more. If it does not come to rest, it begins at NaN. */
DRY_API int dry_model_steady(const dry_model *model, int index);
/* Returns the text for a condition that the system's watch reported: what is wrong, or, of one that
 * ends the run, its reason. */
DRY_API const char *dry_model_watch_text(const dry_model *model, int watch);

/* ---- other values of its parameters ------------------------------------------ */

/* Returns the index of the named parameter in the system; -1 if the equations have no such
 * parameter. */
DRY_API int dry_model_par_find(const dry_model *model, const char *name);
/* Returns true if the compiler decided nothing by the value of the parameter. Then another value in
 * `par` gives the same result as a new compilation. The compiler may still check the value: see
 * dry_model_par_passes. */
DRY_API bool dry_model_par_free(const dry_model *model, int par);
/* Returns true if the compiler would certainly accept these values of free parameters. If the
 * function returns false, only a new compilation can decide. Only one thread at a time may call
 * this function for a model. */
DRY_API bool dry_model_par_passes(const dry_model *model, const double *par);
/* Returns true if the result of dry_model_par_passes depends on the parameter beyond the condition
 * that its value is finite. */
DRY_API bool dry_model_par_matters(const dry_model *model, int par);
/* Computes the parameters in `par` that follow from others: those that the text defines by other
 * parameters, and every K, alpha and beta that the compiler chose (NaN if it would refuse the
 * values). Only one thread at a time may call this function for a model. */
DRY_API void dry_model_par_follow(const dry_model *model, double *par);
/* Does both at once, which costs less: dry_model_par_follow, then dry_model_par_passes. If it
 * returns false, every K, alpha and beta that the compiler chose is NaN. */
DRY_API bool dry_model_par_settle(const dry_model *model, double *par);
/* Returns true if the compiler decided nothing by the parameter but instants of samples, which
 * follow it in every run of the system (dry_system.instants), though dry_model_par_free is false:
 * exported code does not. dry_model_instants_fit: whether these instants fit the model that was
 * compiled; else the values need a compilation. */
DRY_API bool dry_model_par_timed(const dry_model *model, int par);
DRY_API bool dry_model_instants_fit(const dry_model *model, const double *par);
/* Returns true if dry_model_par_follow computes parameter `par`. */
DRY_API bool dry_model_par_follows(const dry_model *model, int par);
/* Sets range[0] and range[1] to the range that the text gives parameter `par`, with the values of
 * the other parameters in the model. Returns false if the text gives none. */
DRY_API bool dry_model_par_range(const dry_model *model, int par, double range[2]);
/* Returns the first parameter in `par` that is outside its range; -1 if there is none. */
DRY_API int dry_model_par_outside(const dry_model *model, const double *par);
/* Writes the name by which a setting replaces parameter `par` of the system, for example load.p if
 * the net has load.p0. Returns false if no setting replaces it, or if `text` is too small for the
 * name. */
DRY_API bool dry_model_par_setting(const dry_model *model, int par, char *text, size_t size);
/* What holds in place of a parameter of a part that is not given, and whose number means nothing:
 * "mu" for mu_along of a contact; NULL: the number counts. */
DRY_API const char *dry_model_par_not_given(const dry_model *model, int par);
/* Returns true if the text asks by the parameter, or by one that follows it, for what the compiler
 * chooses: if it is in the restitution, depth, duration or speed of a contact. */
DRY_API bool dry_model_par_asks(const dry_model *model, int par);
/* Returns true if two models of one text differ only in the values of their parameters. */
DRY_API bool dry_model_alike(const dry_model *a, const dry_model *b);

/* The set-valued forces, as they are in the model's text. */
typedef struct dry_set_info {
    const char *name;
    const dry_set *set; /* NULL for a catalogue law without a set */
    const dry_law *law;
    bool plain;            /* the law relaxes the set and adds nothing to it */
    int dim;               /* of theta; 1 for a gap */
    double K, beta, alpha; /* in use; NaN if the law has none, or if the set is kept */
    double mass;           /* effective mass at the start; NaN if unknown */
    double restitution;    /* of the contact law in one impact on that mass alone; computed with the
                              method's steps if the law was chosen for them; Newton's e if the set is
                              kept; NaN for other laws */
    const char *chosen;    /* origin of the parameters: "given", "from the step", ... */
    int state;             /* its first state in the system, the stretch; -1 if it has none */
    bool from_step;        /* K was chosen from the step */
    bool is_chosen; /* the compiler chose K, alpha or beta, from the step or from something else */
    bool quickens;  /* the rate of its law grows with the motion (law.h) */
    const char *unit, *K_unit; /* of |f|/K, how far it gives way, and of K; "": without a unit */
} dry_set_info;
DRY_API int dry_model_sets(const dry_model *model);
DRY_API dry_set_info dry_model_set(const dry_model *model, int index);
/* Returns how many numbers the model reads from their past, by delay(x, T). */
DRY_API int dry_model_delays(const dry_model *model);
/* Returns the first parameter of the system, starting at number `par`, that a part has chosen from
 * the step and the inertia of its ends, such as "pin.K"; -1 if there are no more. */
DRY_API int dry_model_next_chosen(const dry_model *model, int par);
/* Returns the index in dry_model_net of the part that owns a parameter of the system; -1 if the
 * parameter belongs to the equations. */
DRY_API int dry_model_part_of_par(const dry_model *model, int par);
/* Returns the name of the parameter without the name of its part, "K"; NULL if no part owns it. */
DRY_API const char *dry_model_part_par_name(const dry_model *model, int par);
/* Stability: the fastest mode of the all-stuck, all-closed system (1/s), and the largest stable
 * step of the model's method; NaN and INFINITY if unknown. */
DRY_API double dry_model_fastest_mode(const dry_model *model);
DRY_API double dry_model_largest_step(const dry_model *model);
/* The step (s) for which the compiler chooses K, beta and alpha if the text does not give them. */
DRY_API double dry_model_choose_step(const dry_model *model);

/* Plots: panels of columns, as the model's `plot` lines define them. Column 0 is t. The states with
 * names of their own follow, then the outputs, as in the record of a run. */
typedef struct dry_model_panel {
    int n;
    const int *y, *x; /* columns of each curve: its ordinate and its abscissa */
    const char *const *label;
    const bool *beside; /* of each curve: it belongs to the ordinate at the right */
    const int *shade;   /* columns: bands are shaded while one is not 0 */
    int n_shades;
    dry_picture_axis x_axis, y_axis, beside_axis;
    const char *title; /* NULL: none */
    int marks;         /* on each curve */
} dry_model_panel;
DRY_API int dry_model_panels(const dry_model *model);
DRY_API dry_model_panel dry_model_panel_at(const dry_model *model, int index);

/* Measures and expectations of a run, from its record. */
typedef struct dry_measured {
    const char *name, *source, *unit;
    double value;
    double beyond; /* the latest time that it reads, if the run ended before, s; 0: all are there */
} dry_measured;
typedef struct dry_expected {
    const char *source; /* as written in the model */
    int line;
    bool met;
    double value, target, tolerance; /* the target is NaN for a condition */
    double beyond;                   /* as of a measure */
} dry_expected;
DRY_API int dry_model_measures(const dry_model *model);
DRY_API int dry_model_expects(const dry_model *model);
/* Returns name, source and unit of a measure; its value is NaN. */
DRY_API dry_measured dry_model_measure_at(const dry_model *model, int index);
/* Returns the k-th output of the system that the measure reads; -1 if it reads no more. */
DRY_API int dry_model_measure_output(const dry_model *model, int index, int k);
/* Returns true if an expectation reads the measure. */
DRY_API bool dry_model_measure_is_expected(const dry_model *model, int index);
/* Returns true if the measure needs only the last row of a record. */
DRY_API bool dry_model_measure_is_final(const dry_model *model, int index);
/* Evaluates all measures and expectations into the caller's arrays; `expected` may be NULL. Only
 * one thread at a time may call this function for a model. */
DRY_API dry_status dry_model_evaluate(const dry_model *model, const double *par,
                                      const dry_record *record, dry_measured *measured,
                                      dry_expected *expected, dry_error *error);

/* The same as the rows of a record come, without the record: new, add for each row, end, free. A
 * measure whose times depend on other measures keeps its samples; the others keep none. `par` must
 * not change before the end. NULL without memory. */
typedef struct dry_measuring dry_measuring;
DRY_API dry_measuring *dry_measuring_new(const dry_model *model, const double *par);
DRY_API dry_status dry_measuring_add(dry_measuring *measuring, const double *row);
DRY_API dry_status dry_measuring_end(dry_measuring *measuring, dry_measured *measured,
                                     dry_expected *expected, dry_error *error);
DRY_API void dry_measuring_free(dry_measuring *measuring);

/* ---- what was measured ------------------------------------------------------- */

/* An output of the text against a column of a record: `output f against ...`. */
typedef struct dry_against {
    const char *name; /* the output as the text writes it */
    const char *unit; /* SI, of y */
    const char *file; /* NULL: the text names none, and there are no rows */
    const char *column;
    int output; /* of the system */
    const double *t, *y;
    size_t n;                 /* rows that have a value */
    double from, to;          /* s: rows of these times count; else -INFINITY, INFINITY */
    double weight, lag, hold; /* as in the text: a factor; s; the last part of the rows, 0 to 1 */
} dry_against;
DRY_API int dry_model_againsts(const dry_model *model);
DRY_API dry_against dry_model_against(const dry_model *model, int index);

/* What the text says is free: `free F in 0.1..10 log, start v`. */
typedef struct dry_freed {
    const char *name; /* as a setting names it; of a start: the state */
    double low, high; /* NAN: not given */
    bool start, log, own;
} dry_freed;
DRY_API int dry_model_freeds(const dry_model *model);
DRY_API dry_freed dry_model_freed(const dry_model *model, int index);

/* Where the text has a number: bytes from `offset` on, in a unit of `factor` SI units; or an
 * expression, which a number can replace if it has its unit with it. */
typedef struct dry_text_place {
    size_t offset, length;
    double factor;
    bool is_expression;
} dry_text_place;
/* Finds the number of a parameter, which is named as by a setting, or of the start of a state, or
 * the expression of one that is no element. Returns false if the text does not have it, if the
 * expression is longer than a line, or if an included text has it. */
DRY_API bool dry_model_place(const dry_model *model, const char *name, bool start,
                             dry_text_place *place);
/* Returns whether anything but other parameters that nothing reads depends on what is free. */
DRY_API bool dry_model_freed_read(const dry_model *model, int index);
/* Bytes of the text from `from` to before `to`. */
typedef struct dry_text_span {
    size_t from, to;
} dry_text_span;
/* Finds what to cut out of the text so that drop[i] of dry_model_freed(i) is no longer free, in the
 * order of the text; returns how many cuts there are, at most as many as freed. A vector that is
 * free as a whole stays if one of its elements does; what an included text frees stays. */
DRY_API int dry_model_freed_cuts(const dry_model *model, const bool *drop, dry_text_span *cuts);

/* ---- another law for a friction force ----------------------------------------- */

typedef struct dry_friction_key {
    const char *name;
    dry_text_span value;
    bool free; /* it reads a parameter that the text frees */
} dry_friction_key;

/* A statement of a friction force: `f in F*sgn(v) with law = lugre(K = ...)`, or
 * `f = lugre(v, F = F, ...)`. */
typedef struct dry_friction_text {
    const char *name;
    const dry_law *law;
    const dry_set *set; /* in front of which its level stands; NULL: the level is a key */
    bool plain;         /* K, beta and B only relax that set */
    bool is_here;       /* the text has it; else one that it includes, and there are no spans */
    dry_text_span whole, index, argument, loop;
    dry_text_span law_at; /* what another law replaces: " with ...", or the call of the law */
    const dry_friction_key *keys;
    int n_keys;
    int dim, elements;
    const double *par; /* the packed parameters; NAN: it varies in a run */
    double level;      /* NAN: it varies, or there is none */
} dry_friction_text;
DRY_API int dry_model_frictions(const dry_model *model);
/* With memory from the arena. */
DRY_API dry_status dry_model_friction(const dry_model *model, int index, dry_arena *arena,
                                      dry_friction_text *friction);
/* Writes the unit of a parameter of any friction law, "N/m", instead of this one: "N m/rad"
 * where the force is a torque; "" if the text does not say. */
DRY_API const char *dry_model_friction_unit(const dry_model *model, int index, const char *unit,
                                            char *text, size_t size);
/* Returns whether the text has a name, or could not have it. */
DRY_API bool dry_model_has_name(const dry_model *model, const char *name);

/* ---- sensitivities ----------------------------------------------------------- */

/* The model together with the derivatives of its states and outputs by parameters, as one system
 * that every explicit method takes: its states are x, then dx/dp of each parameter. Its outputs
 * are, for each parameter, the derivatives of the states and then of the outputs. A fixed step
 * gives the exact derivative of what the same step makes of x; K, alpha and beta that the compiler
 * chose are held. It adds nodes to the graph of the model, which must outlive it. */
typedef struct dry_sensitivity dry_sensitivity;
/* For the parameters par[0] to par[n_par - 1] of the system. why[i] becomes the reason why there
 * are no such derivatives by par[i], which the model keeps; NULL: there are, and the parameter has
 * the next place. Only one thread at a time may call this function for a model. */
DRY_API dry_status dry_sensitivity_new(const dry_model *model, const int *par, int n_par,
                                       const char **why, dry_sensitivity **sensitivity,
                                       dry_error *error);
DRY_API void dry_sensitivity_free(dry_sensitivity *sensitivity);
/* NULL: no parameter has derivatives. */
DRY_API const dry_system *dry_sensitivity_system(const dry_sensitivity *sensitivity);
/* The same as a model, only for dry_native_pays and dry_native_new, which make native code of it,
 * and for dry_model_start, in which a derivative of a start is as given as the start itself.
 * NULL: no parameter has derivatives. */
DRY_API const dry_model *dry_sensitivity_model(const dry_sensitivity *sensitivity);
/* Which state of this system is the derivative of state `state` of the model by the parameter with
 * that place, of so many; place -1: the state itself. */
DRY_API int dry_sensitivity_state(int n_states, int n_places, int place, int state);
/* Where the record of a run of this system has the derivative of column 1, 2, ... of the record of
 * the model by the parameter with that place. */
DRY_API int dry_sensitivity_column(const dry_sensitivity *sensitivity, int place, int column);
/* Computes the derivative of a measure from the record of a run of the model and from that of the
 * run of this system with the same samples. Returns false if it does not follow from them: if the
 * measure has an extreme value, a count or a time of an event, or if its times depend on the
 * parameter. Only one thread at a time may call this function for a model. */
DRY_API bool dry_sensitivity_measure(const dry_sensitivity *sensitivity, int place, int measure,
                                     const double *par, const dry_record *run,
                                     const dry_record *slopes, double *value);

/* Prints a stage: tokens, tree, checked, lowered, ordered, code. Returns DRY_BAD_ARGUMENT for any
 * other name. */
DRY_API dry_status dry_model_print_stage(const dry_model *model, const char *stage, FILE *stream);
/* Print the derived ordinary differential equation in the notation of a paper. */
DRY_API void dry_model_print_text(const dry_model *model, FILE *stream);
/* Print a table of equations as LaTeX (with amsmath) and as MathML: the derived equations, or the
 * inclusion as it is in the text. */
DRY_API void dry_model_print_latex(const dry_model *model, bool derived, FILE *stream);
DRY_API void dry_model_print_mathml(const dry_model *model, bool derived, FILE *stream);

/* Number of instructions in one evaluation of the rate. */
DRY_API int dry_model_operations(const dry_model *model);

#ifdef __cplusplus
}
#endif
#endif
