/* model, for the rooms above: the compiled model. */
#ifndef DRY_MODEL_MODEL_H
#define DRY_MODEL_MODEL_H

#include "check/check.h"

#include <drystone/model.h>
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
    DRY_SECTION_PHASE,   /* what the phases of the laws are computed from; in bytecode alone */
    DRY_N_SECTIONS
};

/* The units of |f|/K, the way that an element gives, and of its K. */
typedef struct dry_give_unit {
    const char *way, *K;
} dry_give_unit;

/* The code of the equations. */
typedef struct dry_model_code {
    dry_image *image;
    dry_node *roots[DRY_N_SECTIONS];
    int n_roots[DRY_N_SECTIONS];
    double *breaks;
    dry_node *break_nodes; /* what the breaks are computed from */
    int *latched;          /* forces with discrete states */
    int n_latched, latch_room;
    int *quick; /* forces whose laws are asked for their rates, as in their section */
    int n_quick, quick_room;
} dry_model_code;

/* The model with its sets kept. */
typedef struct dry_model_kept {
    dry_inclusion inclusion;
    dry_image *image; /* NULL: the sets are relaxed */
    dry_node *root;   /* all that its `eval` gives, in the order of the values */
    int n_roots;
    dry_node *smooth; /* rates of the velocities, levels */
    int n_smooth;
    size_t work;  /* where its scratch begins in the work of the system ... */
    int n_values; /* ... and how many numbers stand before its registers */
} dry_model_kept;

struct dry_model {
    const char *file;
    const char *text;
    size_t length;
    dry_diagnostics diag;
    dry_arena *arena;
    dry_tokens tokens;
    dry_elab elab;
    bool ok;

    dry_system system;
    dry_quantity *states, *outputs, *params;
    bool *positions;
    const char **elements; /* the names of the forces */
    int *own, n_own;       /* states of equations and of bodies, not of laws */
    double fastest, largest_step, choose_step;
    dry_model_panel *panel;
    const char **measure_unit;
    dry_give_unit *give_unit; /* of each force */

    dry_model_code code;
    dry_model_kept kept; /* with method = rigid or split */

    dry_image *jacobian_image; /* with an implicit method */
    size_t jacobian_work;

    struct dry_machine *machine; /* with parts */
};

#endif
