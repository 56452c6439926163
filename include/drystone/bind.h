/* bind: the library for other languages. Handles, numbers and texts only, so that a binding needs
 * no layout of a struct: it calls these functions, and those of the other headers whose arguments
 * are as plain. The package in python/ and the MEX file in octave/ use them.
 *
 *     dry_bind_plan *plan = dry_bind_plan_new();
 *     dry_bind_plan_par(plan, "F", "0.4 kN", 0.0, error);
 *     dry_bind_plan_option(plan, "until", 5.0, error);
 *     dry_model *model = dry_bind_compile("x.dry", text, length, plan);
 *     dry_bind_run *run = dry_bind_run_new(model, plan);
 *     dry_bind_run_start(run, DRY_BIND_EITHER, NULL, NULL, error);
 *     const double *p = dry_record_values(dry_bind_run_record(run), 1);
 *
 * Every _new has a _free, which takes NULL. What is made of a model must be freed before it, and
 * what is made of a plan before the plan. A `char *` that is not const belongs to the caller, who
 * frees it with dry_bind_text_free. An error is a dry_error from dry_bind_error_new.
 *
 * Floor 9: all below. */
#ifndef DRYSTONE_BIND_H
#define DRYSTONE_BIND_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/model.h>
#include <drystone/native.h>
#include <drystone/record.h>
#include <drystone/stepper.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors and texts ------------------------------------------------------------ */

DRY_API dry_error *dry_bind_error_new(void);
DRY_API void dry_bind_error_free(dry_error *error);
DRY_API dry_status dry_bind_error_status(const dry_error *error);
DRY_API const char *dry_bind_error_file(const dry_error *error); /* "": no file is concerned */
DRY_API int dry_bind_error_line(const dry_error *error);
DRY_API int dry_bind_error_column(const dry_error *error);
DRY_API const char *dry_bind_error_text(const dry_error *error);
DRY_API const char *dry_bind_error_key(const dry_error *error);
DRY_API void dry_bind_text_free(char *text);
DRY_API const char *dry_bind_version(void);

/* Called now and then during a run, with the time that it has reached, or the share of a sweep that
 * is done. Return false to end it. */
typedef bool dry_bind_progress(void *user, double t);

/* ---- plans: with what to compile and to run ---------------------------------------- */

typedef struct dry_bind_plan dry_bind_plan;
DRY_API dry_bind_plan *dry_bind_plan_new(void);
DRY_API void dry_bind_plan_free(dry_bind_plan *plan);
/* Sets a parameter to a text such as "0.4 kN" or "[1, 2] [mm]", or, without a text (NULL), to a
 * value in SI units. A parameter, an input or an option that is set twice is refused. */
DRY_API dry_status dry_bind_plan_par(dry_bind_plan *plan, const char *name, const char *text,
                                     double value, dry_error *error);
/* Gives an input n values at increasing times (s); `unit` "": in SI units. */
DRY_API dry_status dry_bind_plan_input(dry_bind_plan *plan, const char *name, const char *unit,
                                       size_t n, const double *t, const double *values,
                                       dry_error *error);
/* Gives an input a column of a file. */
DRY_API dry_status dry_bind_plan_file(dry_bind_plan *plan, const char *name, const char *file,
                                      const char *column, dry_error *error);
/* Sets an option of dry_run_options or dry_model_options by its name: "step", "until", "force". */
DRY_API dry_status dry_bind_plan_option(dry_bind_plan *plan, const char *name, double value,
                                        dry_error *error);
/* The name of one of these options; NULL after the last. */
DRY_API const char *dry_bind_option(int index);
/* Returns true if the option is yes (1) or no (0), false if it is a number. */
DRY_API bool dry_bind_option_is_yes(const char *name);
DRY_API dry_status dry_bind_plan_method(dry_bind_plan *plan, const char *name, dry_error *error);

/* ---- models ------------------------------------------------------------------------ */

/* Compiles a text; plan NULL: as the text says. Returns NULL without memory. Ask dry_model_ok. The
 * model does not need the plan afterwards. */
DRY_API dry_model *dry_bind_compile(const char *file, const char *text, size_t length,
                                    const dry_bind_plan *plan);

DRY_API int dry_bind_message_kind(const dry_model *model, int index); /* dry_message_kind */
DRY_API int dry_bind_message_line(const dry_model *model, int index);
DRY_API int dry_bind_message_column(const dry_model *model, int index);
DRY_API const char *dry_bind_message_word(const dry_model *model, int index);
DRY_API const char *dry_bind_message_text(const dry_model *model, int index);
DRY_API const char *dry_bind_message_way_out(const dry_model *model, int index);
DRY_API const char *dry_bind_message_file(const dry_model *model, int index);
/* As the command prints it, with the line of the text and a caret. NULL without memory. */
DRY_API char *dry_bind_message_shown(const dry_model *model, int index);
/* What parts have left out, such as elements of a robot's file; NULL after the last. */
DRY_API const char *dry_bind_remark(const dry_model *model, int index);

/* The named quantities of a model. */
typedef enum dry_bind_list {
    DRY_BIND_STATES,
    DRY_BIND_OUTPUTS,
    DRY_BIND_PARAMETERS, /* their names are those of settings */
    DRY_BIND_INPUTS,     /* those that a program sets */
    DRY_BIND_ELEMENTS,   /* what sticks, slips, is open or closed; without units */
    DRY_BIND_MEASURES
} dry_bind_list;
DRY_API int dry_bind_count(const dry_model *model, dry_bind_list list);
DRY_API const char *dry_bind_name(const dry_model *model, dry_bind_list list, int index);
DRY_API const char *dry_bind_unit(const dry_model *model, dry_bind_list list, int index);
/* Whether the index-th of them belongs to the text: a parameter that a setting replaces and
 * whose number counts (dry_model_par_not_given), an output that is not scratch, a state that is not
 * inside a law. */
DRY_API bool dry_bind_is_own(const dry_model *model, dry_bind_list list, int index);
/* The value of a parameter. */
DRY_API double dry_bind_par(const dry_model *model, int index);

/* How the model runs, with every default filled in. */
typedef enum dry_bind_how {
    DRY_BIND_UNTIL, /* 0: the text does not say */
    DRY_BIND_STEP,
    DRY_BIND_RECORD,
    DRY_BIND_RTOL,
    DRY_BIND_ATOL,
    DRY_BIND_ADAPTIVE,    /* 1: the method chooses its steps */
    DRY_BIND_LARGEST_STEP /* that is stable, by the method of the model; nan or inf: unknown */
} dry_bind_how;
DRY_API double dry_bind_runs(const dry_model *model, dry_bind_how how);
DRY_API const char *dry_bind_runs_by(const dry_model *model); /* the method */

/* The equations as LaTeX: derived, or the inclusion as the text has it. NULL without memory. */
DRY_API char *dry_bind_latex(const dry_model *model, bool derived);
/* The same as a table of MathML, which browsers show by themselves. */
DRY_API char *dry_bind_mathml(const dry_model *model, bool derived);

/* ---- runs -------------------------------------------------------------------------- */

/* What evaluates the model. */
typedef enum dry_bind_code {
    DRY_BIND_EITHER, /* native code if the number of steps pays for it or the cache has it */
    DRY_BIND_BYTECODE,
    DRY_BIND_NATIVE /* an error if there is no native code */
} dry_bind_code;

typedef struct dry_bind_run dry_bind_run;
/* A run of the model, which was compiled with `plan` (NULL: none). NULL without memory. */
DRY_API dry_bind_run *dry_bind_run_new(const dry_model *model, const dry_bind_plan *plan);
DRY_API void dry_bind_run_free(dry_bind_run *run);
/* Runs, evaluates the measures and expectations, and keeps the account of the energy of parts. On
 * an error the record holds the rows before it. */
DRY_API dry_status dry_bind_run_start(dry_bind_run *run, dry_bind_code code,
                                      dry_bind_progress *progress, void *user, dry_error *error);
/* Judges how far the run can be trusted; limit and most: of dry_watch_options, 0: the defaults. */
DRY_API dry_status dry_bind_run_watch(dry_bind_run *run, double limit, double most,
                                      dry_bind_progress *progress, void *user, dry_error *error);
/* NULL: there is none. */
DRY_API const dry_record *dry_bind_run_record(const dry_bind_run *run);
/* Remarks on the run that you must not overlook: a law too fast for the step, a measure after the
 * end, energy that was created; NULL after the last. */
DRY_API const char *dry_bind_run_remark(const dry_bind_run *run, int index);

typedef enum dry_bind_fact {
    DRY_BIND_STEPS,
    DRY_BIND_REJECTED,
    DRY_BIND_RATES,
    DRY_BIND_KINKS,
    DRY_BIND_SECONDS,  /* of CPU */
    DRY_BIND_END,      /* the time that was reached, s */
    DRY_BIND_STOPPED,  /* 1: the model ended it */
    DRY_BIND_IS_NATIVE /* 1: machine code ran it */
} dry_bind_fact;
DRY_API double dry_bind_run_fact(const dry_bind_run *run, dry_bind_fact fact);
/* Why the model ended the run; "": it did not. */
DRY_API const char *dry_bind_run_stop(const dry_bind_run *run);

DRY_API double dry_bind_run_measure(const dry_bind_run *run, int index);
DRY_API const char *dry_bind_run_expected(const dry_bind_run *run, int index); /* as in the text */
DRY_API int dry_bind_run_expected_line(const dry_bind_run *run, int index);
DRY_API bool dry_bind_run_expected_met(const dry_bind_run *run, int index);
DRY_API double dry_bind_run_expected_value(const dry_bind_run *run, int index);
DRY_API double dry_bind_run_expected_target(const dry_bind_run *run, int index);
DRY_API double dry_bind_run_expected_tolerance(const dry_bind_run *run, int index);

/* Of the verdict of the watch. line 0 is its text; then what gives way; NULL after the last. */
DRY_API const char *dry_bind_run_word(const dry_bind_run *run); /* "trusted", "sensitive", ... */
DRY_API const char *dry_bind_run_trust_line(const dry_bind_run *run, int line);
DRY_API double dry_bind_run_trust_error(const dry_bind_run *run);
/* 1: it can be trusted; -1: there is evidence against it; 0: neither is known. */
DRY_API int dry_bind_run_trusted(const dry_bind_run *run);

/* The panels of the model as SVG; NULL with an error if they cannot be drawn. */
DRY_API char *dry_bind_run_svg(const dry_bind_run *run, bool dark, dry_error *error);
/* A page of HTML, into a file. */
DRY_API dry_status dry_bind_run_report(const dry_bind_run *run, const char *path, dry_error *error);
/* The same page as a text; brief: with its pictures, expectations, measures and verdict alone. NULL
 * with an error if there is none. If a panel cannot be drawn, the page says why. */
DRY_API char *dry_bind_run_page(const dry_bind_run *run, bool brief, dry_error *error);

/* The data of the page alone, as JSON, by which its script refreshes it; sections: with the markup
 * of the sections of a page that a run changes. NULL with an error if there is none. */
DRY_API char *dry_bind_run_data(const dry_bind_run *run, bool sections, dry_error *error);

/* Of a column of a record. */
DRY_API const char *dry_bind_column_name(const dry_record *record, int column);
DRY_API const char *dry_bind_column_unit(const dry_record *record, int column);

/* ---- rates: for integrators of others ------------------------------------------------ */

/* The rate of a model's system as a function of (t, x), with tau = 0; nan at a t or x that is not
 * finite. One thread at a time for the same rates. Refuses a system that changes its states between
 * steps, by samples, delays or contacts of parts, because another integrator does not call the
 * functions that change them. */
typedef struct dry_bind_rates dry_bind_rates;
DRY_API dry_status dry_bind_rates_new(const dry_model *model, dry_bind_rates **rates,
                                      dry_error *error);
DRY_API void dry_bind_rates_free(dry_bind_rates *rates);
DRY_API void dry_bind_rates_start(const dry_bind_rates *rates, double *x);
DRY_API void dry_bind_rates_rate(const dry_bind_rates *rates, double t, const double *x,
                                 double *x_dot);
DRY_API void dry_bind_rates_output(const dry_bind_rates *rates, double t, const double *x,
                                   double *y);
/* n_states by n_states numbers, row by row. The model must be compiled with the option
 * "jacobian". */
DRY_API dry_status dry_bind_rates_jacobian(dry_bind_rates *rates, double t, const double *x,
                                           double *jacobian, dry_error *error);
/* The number of times at which the rate jumps in t; and these times, in any order. */
DRY_API int dry_bind_rates_n_breaks(const dry_bind_rates *rates);
DRY_API void dry_bind_rates_breaks(const dry_bind_rates *rates, double *times);

/* ---- steps --------------------------------------------------------------------------- */

/* Machine code of a model, which it must outlive. */
DRY_API dry_native *dry_bind_native(const dry_model *model, dry_error *error);
/* A stepper of the model, of its system or its inclusion; native NULL: by bytecode. */
DRY_API dry_status dry_bind_stepper_new(const dry_model *model, const dry_native *native,
                                        dry_stepper **stepper, dry_error *error);
/* Sets a free parameter of the model, and with it those that follow from it. Refuses a parameter
 * that is not free, and a value that the compiler might refuse. One thread at a time for a model.
 */
DRY_API dry_status dry_bind_stepper_par(dry_stepper *stepper, const dry_model *model,
                                        const char *name, double value, dry_error *error);
DRY_API double dry_bind_stepper_par_now(const dry_stepper *stepper, const dry_model *model,
                                        const char *name);
/* Sets all inputs (NULL: they stay), steps to t_end (not later than the present time: one step),
 * and reads the states and outputs (NULL: not asked). */
DRY_API dry_status dry_bind_step(dry_stepper *stepper, const double *inputs, double t_end,
                                 double *states, double *outputs, dry_error *error);
/* dry_stepper_run with the fields of its rows as arguments. */
DRY_API dry_status dry_bind_rows(dry_stepper *stepper, size_t rows, double interval,
                                 const double *inputs, double *outputs, double *states,
                                 size_t *done, dry_bind_progress *progress, void *user,
                                 dry_error *error);
/* The word of the phase of that bit of dry_stepper_phases: "sticks", ...; NULL after the last. */
DRY_API const char *dry_bind_phase(int bit);
/* Why the last step ended: the text of a stop of the model; "": it went on. */
DRY_API const char *dry_bind_stepper_stop(const dry_stepper *stepper, const dry_model *model);

/* ---- copies --------------------------------------------------------------------------- */

/* Many steppers of one model that step together, on several threads. The bits of a copy are those
 * of a stepper alone, whatever the number of threads. */
typedef struct dry_bind_batch dry_bind_batch;
DRY_API dry_status dry_bind_batch_new(const dry_model *model, const dry_native *native, int copies,
                                      int threads, dry_bind_batch **batch, dry_error *error);
DRY_API void dry_bind_batch_free(dry_bind_batch *batch);
/* Begins the copies anew whose `which` is not 0 (NULL: all), from x0 (copies by n_states; NULL: the
 * start of the model). */
DRY_API dry_status dry_bind_batch_reset(dry_bind_batch *batch, const unsigned char *which,
                                        const double *x0, dry_error *error);
/* Sets one parameter of each copy, as dry_bind_stepper_par; of all of them or, on an error, of
 * none. */
DRY_API dry_status dry_bind_batch_par(dry_bind_batch *batch, const char *name, const double *values,
                                      dry_error *error);
/* Each copy takes its inputs (copies by n_inputs; NULL: they stay), steps over the interval, and
 * gives its states and outputs (NULL: not asked). `stopped` becomes 1 for a copy that the model
 * ended; it stays where it ended until it is reset. An input that is not finite is refused before
 * any copy steps. If a copy fails on the way, the others have stepped, and the error is that of the
 * first one; a copy that failed is where its last good step ended. */
DRY_API dry_status dry_bind_batch_step(dry_bind_batch *batch, double interval, const double *inputs,
                                       double *states, double *outputs, unsigned char *stopped,
                                       dry_error *error);
/* The times (copies), states and outputs of all (NULL: not asked). */
DRY_API dry_status dry_bind_batch_read(const dry_bind_batch *batch, double *times, double *states,
                                       double *outputs, dry_error *error);
/* A parameter of a copy, as it is set; nan: there is none of that name. */
DRY_API double dry_bind_batch_par_now(const dry_bind_batch *batch, int copy, const char *name);
/* Whether the copies step side by side in the vectors of the processor: those of native code by a
 * fixed step, of a model in which nothing happens between steps. The bits are the same. */
DRY_API bool dry_bind_batch_has_lanes(const dry_bind_batch *batch);

/* ---- sweeps ---------------------------------------------------------------------------- */

typedef struct dry_bind_sweep dry_bind_sweep;
DRY_API dry_bind_sweep *dry_bind_sweep_new(void);
DRY_API void dry_bind_sweep_free(dry_bind_sweep *sweep);
/* An axis by its values in SI units, or by a text such as "F=100mN:500mN:5". */
DRY_API dry_status dry_bind_sweep_values(dry_bind_sweep *sweep, const char *name, size_t n,
                                         const double *values, dry_error *error);
DRY_API dry_status dry_bind_sweep_axis(dry_bind_sweep *sweep, const char *text, dry_error *error);
/* Only the measures that are named; default all of them. */
DRY_API dry_status dry_bind_sweep_measure(dry_bind_sweep *sweep, const char *name,
                                          dry_error *error);
/* plan: for every point; threads 0: one for each core; watch: judge every point. */
DRY_API dry_status dry_bind_sweep_run(dry_bind_sweep *sweep, const dry_model *model,
                                      const dry_bind_plan *plan, int threads, dry_bind_code code,
                                      bool watch, dry_bind_progress *progress, void *user,
                                      dry_error *error);
DRY_API const dry_record *dry_bind_sweep_record(const dry_bind_sweep *sweep);
DRY_API int dry_bind_sweep_axes(const dry_bind_sweep *sweep);
DRY_API int dry_bind_sweep_length(const dry_bind_sweep *sweep, int axis);
/* How many points failed; of those that ran, how many are not trusted; and whether machine code
 * ran them. */
DRY_API size_t dry_bind_sweep_failed(const dry_bind_sweep *sweep);
DRY_API size_t dry_bind_sweep_untrusted(const dry_bind_sweep *sweep);
DRY_API bool dry_bind_sweep_native(const dry_bind_sweep *sweep);

/* ---- fits: parameters from measured data (fit.h) --------------------------------------------- */

typedef struct dry_bind_fit dry_bind_fit;
DRY_API dry_bind_fit *dry_bind_fit_new(void);
DRY_API void dry_bind_fit_free(dry_bind_fit *fit);
/* A file of records in place of that of the text; more of them are fitted together. */
DRY_API dry_status dry_bind_fit_data(dry_bind_fit *fit, const char *file, dry_error *error);
/* A parameter to fit, in place of those that the text frees. Bounds 0, 0: those of the text. */
DRY_API dry_status dry_bind_fit_vary(dry_bind_fit *fit, const char *name, double low, double high,
                                     bool by_factors, bool own, dry_error *error);
/* Numbers of dry_fit_job; 0: the default. */
typedef enum dry_bind_fit_option {
    DRY_BIND_FIT_HOLD_LAST,
    DRY_BIND_FIT_HOLD_FROM,
    DRY_BIND_FIT_HUBER,
    DRY_BIND_FIT_STARTS,
    DRY_BIND_FIT_SEED,
    DRY_BIND_FIT_THREADS,
    DRY_BIND_FIT_MOST_STEPS,
    DRY_BIND_FIT_TOLERANCE,
    DRY_BIND_FIT_WINDOWS, /* how many of each record */
    DRY_BIND_FIT_WINDOW   /* or their length, s */
} dry_bind_fit_option;
DRY_API void dry_bind_fit_set(dry_bind_fit *fit, dry_bind_fit_option option, double value);
/* Fits; the progress is the number of runs. Keep the model and the plan while you use the fit. */
DRY_API dry_status dry_bind_fit_run(dry_bind_fit *fit, const dry_model *model,
                                    const dry_bind_plan *plan, dry_bind_progress *progress,
                                    void *user, dry_error *error);
/* What came out, once a fit has run without an error. */
typedef enum dry_bind_fit_about {
    DRY_BIND_FIT_COST,
    DRY_BIND_FIT_STEPS,
    DRY_BIND_FIT_RUNS,
    DRY_BIND_FIT_SETTLED, /* 1: it ended by its tolerance */
    DRY_BIND_FIT_CONDITION
} dry_bind_fit_about;
DRY_API double dry_bind_fit_fact(const dry_bind_fit *fit, dry_bind_fit_about about);
DRY_API const char *dry_bind_fit_ended(const dry_bind_fit *fit);
DRY_API const char *dry_bind_fit_warning(const dry_bind_fit *fit, int index); /* NULL: no more */
DRY_API int dry_bind_fit_parameters(const dry_bind_fit *fit);
DRY_API const char *dry_bind_fit_name(const dry_bind_fit *fit, int parameter);
DRY_API const char *dry_bind_fit_unit(const dry_bind_fit *fit, int parameter);
typedef enum dry_bind_fit_of {
    DRY_BIND_FIT_VALUE,
    DRY_BIND_FIT_START,
    DRY_BIND_FIT_LOW, /* bounds */
    DRY_BIND_FIT_HIGH,
    DRY_BIND_FIT_DEVIATION,
    DRY_BIND_FIT_FROM, /* 95 % interval */
    DRY_BIND_FIT_TO,
    DRY_BIND_FIT_RECORD, /* whose own it is; -1: it is shared */
    DRY_BIND_FIT_AT_BOUND,
    DRY_BIND_FIT_NO_EFFECT
} dry_bind_fit_of;
DRY_API double dry_bind_fit_number(const dry_bind_fit *fit, int parameter, dry_bind_fit_of of);
DRY_API double dry_bind_fit_correlation(const dry_bind_fit *fit, int parameter, int other);
/* What was measured, record by record. */
DRY_API int dry_bind_fit_outputs(const dry_bind_fit *fit);
typedef enum dry_bind_fit_text_of {
    DRY_BIND_FIT_NAME,
    DRY_BIND_FIT_UNIT,
    DRY_BIND_FIT_FILE,
    DRY_BIND_FIT_COLUMN
} dry_bind_fit_text_of;
DRY_API const char *dry_bind_fit_output_text(const dry_bind_fit *fit, int output,
                                             dry_bind_fit_text_of of);
typedef enum dry_bind_fit_size {
    DRY_BIND_FIT_RMS, /* of the residuals, in the unit of the output */
    DRY_BIND_FIT_FRACTION,
    DRY_BIND_FIT_HELD_ROWS,
    DRY_BIND_FIT_HELD_RMS,
    DRY_BIND_FIT_HELD_FRACTION
} dry_bind_fit_size;
DRY_API double dry_bind_fit_output_number(const dry_bind_fit *fit, int output,
                                          dry_bind_fit_size of);
DRY_API size_t dry_bind_fit_rows(const dry_bind_fit *fit, int output);
typedef enum dry_bind_fit_column {
    DRY_BIND_FIT_T,
    DRY_BIND_FIT_MEASURED,
    DRY_BIND_FIT_MODEL
} dry_bind_fit_column;
DRY_API const double *dry_bind_fit_values(const dry_bind_fit *fit, int output,
                                          dry_bind_fit_column of);
/* The text with the fitted values, for dry_bind_text_free; an error if no text can hold them. */
DRY_API dry_status dry_bind_fit_text(const dry_bind_fit *fit, char **text, dry_error *error);

#ifdef __cplusplus
}
#endif
#endif
