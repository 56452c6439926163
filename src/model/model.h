/* model, for the rooms above: the compiled model. */
#ifndef DRY_MODEL_MODEL_H
#define DRY_MODEL_MODEL_H

#include "check/check.h"

#include <drystone/model.h>
#include <drystone/rigid.h>

/* The sections of code in a model's image. */
enum {
    DRY_SECTION_RATE,
    DRY_SECTION_OUTPUT,
    DRY_SECTION_KINKS,
    DRY_SECTION_START,
    DRY_SECTION_GUARD,
    DRY_SECTION_LATCH,
    DRY_SECTION_FASTEST,  /* rates of laws that grow with the motion; only in bytecode */
    DRY_SECTION_PHASE,    /* inputs of the phases of the laws; only in bytecode */
    DRY_SECTION_SAMPLE,   /* next values of what is sampled */
    DRY_SECTION_BREAKS,   /* times at which the rate jumps; those of tables are knots */
    DRY_SECTION_SLOPE,    /* rates of what smooth delay lines hold, in their order */
    DRY_SECTION_INSTANTS, /* offsets of clocks that follow parameters */
    DRY_N_SECTIONS
};

/* The unit of |f|/K, the distance by which an element gives way, and the unit of its K. */
typedef struct dry_give_unit {
    const char *way, *K;
} dry_give_unit;

/* The code of the equations. */
typedef struct dry_model_code {
    dry_image *image;
    dry_node *roots[DRY_N_SECTIONS];
    int n_roots[DRY_N_SECTIONS];
    int n_ways;                    /* of sensitivities; else 0 */
    int n_wide[DRY_N_SECTIONS];    /* so many roots, the last ones, have a number for each way */
    const dry_table **break_table; /* tables of the time */
    int n_break_tables, break_table_room;
    int *latched; /* forces with discrete states */
    int n_latched, latch_room;
    unsigned char *phaseless; /* 1 for forces that need the past; NULL: there are none */
    int *quick; /* forces whose laws give their rates, in the order of their section */
    int n_quick, quick_room;
} dry_model_code;

/* How many numbers a section gives. */
static inline int dry_model_numbers(const dry_model_code *code, int section) {
    const int wide = code->n_wide[section];
    return code->n_roots[section] - wide + wide * code->n_ways;
}

/* The model with its sets kept. */
typedef struct dry_model_kept {
    dry_inclusion inclusion;
    dry_image *image; /* NULL if the sets are relaxed */
    dry_node *root;   /* all results of its `eval`, in the order of the values */
    int n_roots;
    dry_node *smooth; /* rates of the velocities, levels */
    int n_smooth;
    size_t work;  /* offset of its scratch in the work of the system ... */
    int n_values; /* ... and how many numbers come before its registers */
} dry_model_kept;

/* The derivatives of the rates that are not 0: node[k] is that of the rate of state row[k] with
 * respect to state column[k], or to the time if the column is the number of states. On the heap. */
typedef struct dry_derivatives {
    dry_node *node;
    int *row, *column;
    int n, room;
} dry_derivatives;

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
    int *inputs, n_inputs; /* states that a program sets */
    double fastest, largest_step, choose_step;
    bool rechooses; /* what was chosen can be chosen anew (rechoose.c) */
    dry_model_panel *panel;
    const char **measure_unit;
    dry_give_unit *give_unit; /* for each force */

    dry_model_code code;
    dry_model_kept kept; /* with method = rigid or split */

    dry_image *jacobian_image; /* with an implicit method */
    size_t jacobian_work;

    struct dry_mixed *mixed; /* with parts */
};

/* A number for all that the runs of the model depend on: its text, the contents of the files that
 * it names, and the options with which it was compiled. */
uint64_t dry_model_identity(const dry_model *model, const dry_model_options *options);

/* dry_model_par_follow without what the compiler chose, and without parameter `held`; -1: all. */
void dry_model_follow_text(const dry_model *model, double *par, int held);

/* The largest step that is stable by another method with fixed steps; INFINITY if there is no
 * bound, or none is known, as with parts. */
double dry_model_largest_by(const dry_model *model, const dry_method *method);

/* Finds them; adds nodes to the graph. Free them, even without memory, when it returns false. */
bool dry_model_differentiate(const dry_model *model, dry_derivatives *derivatives);
/* The same of `n` numbers, such as outputs, in place of the rates. */
bool dry_model_differentiate_nodes(const dry_model *model, const dry_node *nodes, int n,
                                   dry_derivatives *derivatives);
void dry_model_derivatives_free(dry_derivatives *derivatives);

#endif
