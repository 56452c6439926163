/* lang: what a .dry text can name, and what a caller gives besides it: methods, kinds of parts,
 * settings, how to run.
 *
 * Floor 3: core, base, law, ode, rigid, stiff, net, body, urdf. */
#ifndef DRYSTONE_LANG_H
#define DRYSTONE_LANG_H

#include <drystone/core.h>
#include <drystone/law.h>
#include <drystone/net.h>
#include <drystone/ode.h>
#include <drystone/rigid.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter replaced from outside: -p NAME=VALUE. */
typedef struct dry_setting {
    const char *name;
    double value; /* SI */
} dry_setting;

/* What is taken if nothing is said: dry_method_standard, and its step in parts of the run. */
#define DRY_RUN_STEP 1e-4

/* Every method that a model can name, of all rooms: ode, stiff, rigid. find:
 * dry_method_missing if none has that name. */
DRY_API int dry_model_method_count(void);
DRY_API const dry_method *dry_model_method_at(int index);
DRY_API const dry_method *dry_model_method_find(const char *name);
/* Their names in `text`, with commas. */
DRY_API const char *dry_model_method_names(char *text, size_t room);

/* Zero means the default. */
typedef struct dry_model_options {
    bool unstepped; /* the step of the text is the interval of its samples alone, as it is of a
                       method that chooses its steps; `run` may give another step */
    const dry_setting *settings;
    int n_settings;
    dry_run_options run; /* what is said here replaces what the model's own `run` says */
    double choose_step;  /* the step that K, beta and alpha are chosen for, contacts then for exact
                            integration; default the run's, and the method's */
    bool force;          /* a step outside the stability bound is a warning, not an error */
    int most_nodes;      /* of the graph that the text becomes, about 100 bytes each: a short
                            text cannot ask for more; default DRY_MODEL_MOST_NODES */
    int threads;         /* that the parts run on; default 1; the bits do not depend on it */
} dry_model_options;

enum { DRY_MODEL_MOST_BYTES = 16 << 20, DRY_MODEL_MOST_NODES = 5000000 };

/* ---- kinds of parts -------------------------------------------------------- */

/* What `part NAME = kind(...)` knows: gravity, the kinds of net.h, body.h and urdf.h. NULL where
 * there is none of that name. */
DRY_API int dry_part_kind_count(void);
DRY_API const dry_kind *dry_part_kind_at(int index);
DRY_API const dry_kind *dry_part_kind_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif
