/* stepper: steps a system from outside, for a control loop or a binding: inputs and parameters in,
 * states and outputs out, one step or one sampling interval at a time.
 *
 *     dry_stepper *s;
 *     dry_status status = dry_stepper_new(dry_model_system(model), &run, &s, &error);
 *     for (k = 1; status == DRY_OK && k <= n; k++) {
 *         status = dry_stepper_set_input(s, 0, control(dry_stepper_states(s)), &error);
 *         if (status == DRY_OK) status = dry_stepper_advance(s, k * interval, &error);
 *     }
 *     dry_stepper_free(s);
 *
 * Every method of ode, stiff and rigid steps. A value that you set takes effect at the next step,
 * whatever the method; until then states, outputs and phases are those of the last step. Implicit
 * and rigid methods, which keep what they know of past steps, then begin anew from the present
 * state, and take no memory for that. A value that is the same to the last bit changes nothing.
 *
 * Who may share what: any number of steppers, in any number of threads, over one system or
 * inclusion, which is const and outlives them. A stepper belongs to one thread at a time. It keeps
 * no array of yours, except the memory of dry_stepper_init.
 *
 * No function takes memory, except _new, dry_stepper_reset with a method of stiff or rigid, and a
 * step that fails. A function that is given a stepper of NULL returns DRY_BAD_ARGUMENT, NAN, NULL,
 * 0 or -1.
 *
 * Floor 6, room sim: core, base, ode, rigid, stiff. */
#ifndef DRYSTONE_STEPPER_H
#define DRYSTONE_STEPPER_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/ode.h>
#include <drystone/rigid.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dry_stepper dry_stepper;

/* ---- begin and end ---------------------------------------------------------- */

/* A stepper at the time 0, with the system's start and the default values of its parameters; on the
 * heap. `run`: method, step and tolerances as for any run; NULL: all defaults. run->until is not
 * needed and ends nothing: an adaptive method without max_step takes no step longer than a tenth of
 * it. */
DRY_API dry_status dry_stepper_new(const dry_system *system, const dry_run_options *run,
                                   dry_stepper **stepper, dry_error *error);
/* The same for an inclusion that keeps its sets, by a rigid method (default: `rigid`). */
DRY_API dry_status dry_stepper_new_inclusion(const dry_inclusion *inclusion,
                                             const dry_run_options *run, dry_stepper **stepper,
                                             dry_error *error);
DRY_API void dry_stepper_free(dry_stepper *stepper);

/* The same in `memory` of `size` bytes, aligned as malloc aligns, for methods of the room ode. The
 * others take memory from the heap: their _size is 0, and _init refuses them. Do not free such a
 * stepper. */
DRY_API size_t dry_stepper_size(const dry_system *system, const dry_run_options *run);
DRY_API dry_status dry_stepper_init(void *memory, size_t size, const dry_system *system,
                                    const dry_run_options *run, dry_stepper **stepper,
                                    dry_error *error);

/* Begins anew at time t, with the parameters that are set, from x0 (n_states) or, if that is NULL,
 * from the system's start. The inputs become those of that state. */
DRY_API dry_status dry_stepper_reset(dry_stepper *stepper, double t, const double *x0,
                                     dry_error *error);

/* ---- set ----------------------------------------------------------------------- */

/* An input is a state that is set from outside; `input` counts system->inputs. The state has the
 * value from the begin of the next step on. A system that samples has taken its samples of this
 * instant already: they hold the input before. */
DRY_API dry_status dry_stepper_set_input(dry_stepper *stepper, int input, double value,
                                         dry_error *error);
/* All n_inputs of them. */
DRY_API dry_status dry_stepper_set_inputs(dry_stepper *stepper, const double *values,
                                          dry_error *error);
/* The number of the input whose state has that name; -1: none. */
DRY_API int dry_stepper_input_find(const dry_stepper *stepper, const char *name);

/* A parameter of the system, by its index, by its name, or all n_par at once. What the rules of the
 * system exclude is refused (ode.h, dry_par_rule): a value that is in the code, one outside its
 * range, and a single one from which others follow, their ranges, or a K, alpha or beta that the
 * compiler chose. dry_model_par_follow computes these, for dry_stepper_set_all_par. If it does not
 * (dry_model_par_follows), as for parts, what the compiler chose keeps its value.
 * dry_stepper_set_all_par does not check a value whose range follows from others that change: call
 * dry_model_par_outside before. */
DRY_API dry_status dry_stepper_set_par(dry_stepper *stepper, int par, double value,
                                       dry_error *error);
DRY_API dry_status dry_stepper_set_par_named(dry_stepper *stepper, const char *name, double value,
                                             dry_error *error);
DRY_API dry_status dry_stepper_set_all_par(dry_stepper *stepper, const double *values,
                                           dry_error *error);
DRY_API int dry_stepper_par_find(const dry_stepper *stepper, const char *name);

/* ---- step ---------------------------------------------------------------------- */

/* Steps to t_end exactly. On an error the state is that of the last good step, and the error names
 * the time, the cause and a way out.
 * DRY_STOPPED is not a fault: the model says that a run ends at the present time (`stop when`). You
 * may go on; as long as the condition holds, each further step returns DRY_STOPPED again. */
DRY_API dry_status dry_stepper_advance(dry_stepper *stepper, double t_end, dry_error *error);
/* One step. Fixed steps: to the next point of the grid, begin + k step. Adaptive: one accepted
 * step, which needs max_step or until in the options, because nothing else bounds it. */
DRY_API dry_status dry_stepper_step(dry_stepper *stepper, dry_error *error);

/* Rows of a record that is driven through the system. */
typedef struct dry_stepper_rows {
    size_t rows;
    double interval;      /* s, from one row to the next */
    const double *inputs; /* rows by n_inputs: held while the row lasts; NULL: inputs stay */
    double *outputs;      /* rows by n_outputs: at the end of each row; NULL: none */
    double *states;       /* rows by n_states: the same */
    /* Called after about every thousand fixed steps, every few rows of an adaptive method. Return
     * false to end with DRY_RUN_FAILED after that row. NULL: not called. */
    bool (*progress)(void *user, double t);
    void *user;
} dry_stepper_rows;

/* For each row: sets its inputs, steps over its interval, reads. The same bits as with the calls
 * above and ends at t + k interval. `done` (NULL: not asked) becomes the number of whole rows. */
DRY_API dry_status dry_stepper_run(dry_stepper *stepper, const dry_stepper_rows *rows, size_t *done,
                                   dry_error *error);

/* ---- read ---------------------------------------------------------------------- */

DRY_API const dry_system *dry_stepper_system(const dry_stepper *stepper);
/* After DRY_STOPPED the number of the condition, for dry_model_watch_text; else 0. */
DRY_API int dry_stepper_stop(const dry_stepper *stepper);
DRY_API double dry_stepper_time(const dry_stepper *stepper);
/* n_states numbers that the next step changes. */
DRY_API const double *dry_stepper_states(const dry_stepper *stepper);
/* What is set: n_par and n_inputs numbers, which may differ from those of the last step. */
DRY_API const double *dry_stepper_par(const dry_stepper *stepper);
DRY_API const double *dry_stepper_inputs(const dry_stepper *stepper);
/* The outputs at the present time, n_outputs, as a run records them; forces of a rigid method are
 * those of dry_rigid_instant_forces. */
DRY_API dry_status dry_stepper_outputs(dry_stepper *stepper, double *outputs, dry_error *error);
/* What the elements do at the present time, n_elements (law.h, DRY_STICKS). */
DRY_API dry_status dry_stepper_phases(dry_stepper *stepper, unsigned char *phases,
                                      dry_error *error);

/* ---- save and restore ---------------------------------------------------------- */

/* How many bytes `save` writes; 0: the method cannot (cvode keeps memory of its own). */
DRY_API size_t dry_stepper_save_size(const dry_stepper *stepper);
/* All that the future depends on: time, states, parameters, what is set and not yet in effect, and
 * what the method knows. A stepper that is restored goes on with the same bits as if nothing had
 * been done since, with every method, fixed or adaptive.
 *
 * Bytes of a method of ode also restore another stepper of an equal system with equal options, in
 * another run of the same program too. Those of stiff and rigid restore only the stepper that saved
 * them, and only until it is reset. Other bytes are refused, and the stepper stays as it is. */
DRY_API dry_status dry_stepper_save(const dry_stepper *stepper, void *bytes, size_t size,
                                    dry_error *error);
DRY_API dry_status dry_stepper_restore(dry_stepper *stepper, const void *bytes, size_t size,
                                       dry_error *error);

#ifdef __cplusplus
}
#endif
#endif
