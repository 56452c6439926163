/* lang: what a .dry text can name, and what a caller adds to it: methods, kinds of parts, settings,
 * options of a run.
 *
 * Floor 3: core, base, math, law, ode, record, stability, syntax, graph, rigid, stiff, net, body,
 * urdf. */
#ifndef DRYSTONE_LANG_H
#define DRYSTONE_LANG_H

#include <drystone/base.h>
#include <drystone/core.h>
#include <drystone/law.h>
#include <drystone/net.h>
#include <drystone/ode.h>
#include <drystone/record.h>
#include <drystone/rigid.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter value from outside, which replaces that of the text: -p NAME=VALUE. A setting of one
 * element, "x[2]", goes before one of the whole vector. */
typedef struct dry_setting {
    const char *name;
    double value;     /* in `unit` */
    const char *unit; /* NULL: SI, whatever the dimension of the parameter is */
    const char *text; /* in place of value and unit: "2", "2kg", "500 [mN]", "[1, 2, 3] [mm]"; NULL:
                         none */
} dry_setting;

/* Returns DRY_BAD_ARGUMENT, and why, if the text of a setting cannot be read. Whether its numbers
 * and its unit fit the parameter, the compiler says. */
DRY_API dry_status dry_setting_check(const char *text, dry_error *error);

/* A column of a file for an input of the text, which replaces the file of the text: --input
 * NAME=FILE:COLUMN. */
typedef struct dry_given_input {
    const char *name, *file, *column;
    const dry_record *record; /* if not NULL: its column, over its first one, in place of a file;
                                 without a unit the values are in SI units */
} dry_given_input;

/* The defaults of a run: the method dry_method_standard, and its step as this fraction of the
 * length of the run. */
#define DRY_RUN_STEP 1e-4

/* All methods that a model can name, from the rooms ode, stiff and rigid. dry_model_method_find
 * returns dry_method_missing if no method has the name. */
DRY_API int dry_model_method_count(void);
DRY_API const dry_method *dry_model_method_at(int index);
DRY_API const dry_method *dry_model_method_find(const char *name);
/* Writes the names of the methods into `text`, separated by commas. */
DRY_API const char *dry_model_method_names(char *text, size_t room);

/* Zero means the default. */
typedef struct dry_model_options {
    bool unstepped; /* the step in the text sets only the sampling interval, as it does for a method
                       that chooses its own steps; `run` may give another step */
    const dry_setting *settings;
    int n_settings;
    const dry_given_input *inputs;
    int n_inputs;
    const char *data; /* a file that replaces that of the outputs, and of inputs that read the same;
                         NULL: none does */
    dry_run_options run; /* values given here replace those of the model's own `run` */
    double choose_step; /* the step for which K, beta and alpha are chosen; contacts are then chosen
                           for exact integration; default: the step and the method of the run */
    bool force;         /* a step outside the stability bound is a warning, not an error */
    bool jacobian;      /* the system has its Jacobian with every method, not only with those that
                           need it; a model with parts has none */
    int most_nodes; /* limit for the graph of the text, about 100 bytes per node, so that a short
                       text cannot take more memory; default DRY_MODEL_MOST_NODES */
    int threads; /* number of threads for the parts; default 1; the result has the same bits for any
                    number */
} dry_model_options;

enum { DRY_MODEL_MOST_BYTES = 16 << 20, DRY_MODEL_MOST_NODES = 5000000 };

/* ---- kinds of parts -------------------------------------------------------- */

/* The kinds that `part NAME = kind(...)` accepts: gravity, and the kinds of net.h, body.h and
 * urdf.h. dry_part_kind_find returns NULL if no kind has the name. */
DRY_API int dry_part_kind_count(void);
DRY_API const dry_kind *dry_part_kind_at(int index);
DRY_API const dry_kind *dry_part_kind_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
