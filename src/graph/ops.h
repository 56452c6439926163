/* An operation is a row of ops.def. The row holds everything that the program knows about a
 * function of the language. */
#ifndef DRY_GRAPH_OPS_H
#define DRY_GRAPH_OPS_H

#include "dag.h"

typedef enum dry_op_kind {
    DRY_INNER, /* nodes of the graph that no model writes directly, such as leaves and blocks */
    DRY_OPERATOR,
    DRY_FUNCTION,
    DRY_SPECIAL
} dry_op_kind;

/* How the value varies with the arguments; 0: not specified. */
typedef enum dry_course { DRY_SMOOTH = 1, DRY_KINKS, DRY_JUMPS } dry_course;

typedef enum dry_takes { DRY_TAKES_ANY = 1, DRY_TAKES_NUMBER, DRY_TAKES_ANGLE } dry_takes;

typedef enum dry_gives {
    DRY_GIVES_NUMBER = 1,
    DRY_GIVES_SAME,
    DRY_GIVES_SQUARE_ROOT,
    DRY_GIVES_CUBE_ROOT
} dry_gives;

/* Returns the derivative of node self = op(a[0], a[1]), given the derivatives d of its arguments.
 */
typedef dry_node dry_op_derivative(dry_dag *dag, dry_node self, const dry_node *a,
                                   const dry_node *d);

/* Returns a simpler node with the same value, or DRY_NO_FOLD. */
enum { DRY_NO_FOLD = -1 };
typedef dry_node dry_op_fold1(dry_dag *dag, dry_node a);
typedef dry_node dry_op_fold2(dry_dag *dag, dry_node a, dry_node b);

/* Returns bounds of the values for arguments within bounds. */
typedef dry_interval dry_op_bounds1(dry_interval a);
typedef dry_interval dry_op_bounds2(dry_interval a, dry_interval b);

/* Finds the nodes that change their sign where the operation has a kink or jumps, and returns their
 * number. A node that is 0 at the jump itself has not changed its sign yet. */
enum { DRY_MOST_SWITCHES = 2 };
typedef int dry_op_switches(dry_dag *dag, const dry_node *a, dry_node *g);

/* The operation jumps by the period wherever the argument is a multiple of the period. */
typedef struct dry_beat {
    dry_node argument, period;
} dry_beat;
typedef dry_beat dry_op_beat(dry_dag *dag, const dry_node *a);

/* Where the operation takes a time that equals the one of its jump but for rounding. */
typedef enum dry_leans {
    DRY_LEANS_NOT,
    DRY_LEANS_UP,   /* as a slightly larger one */
    DRY_LEANS_DOWN, /* as a slightly smaller one */
    DRY_LEANS_OUT,  /* as one that is slightly farther from 0 */
    DRY_LEANS_NEAR  /* as equal */
} dry_leans;

/* See the head of ops.def. */
typedef struct dry_op_row {
    const char *text, *value;
    dry_op_kind kind;
    int n_args, cost, most_seed;
    bool yields, meets, periodic, keeps_unit;
    dry_course course;
    dry_takes takes;
    dry_gives gives;
    dry_leans leans;
    dry_op_derivative *derivative;
    union {
        dry_op_bounds1 *one;
        dry_op_bounds2 *two;
    } bounds;
    union {
        dry_op_fold1 *one;
        dry_op_fold2 *two;
    } fold;
    dry_op_switches *switches;
    dry_op_beat *beat;
    const char *set, *form, *meaning, *library, *latex, *mathml, *foreign, *hint;
} dry_op_row;

/* The rows by operation. The rows of leaves and blocks have only text and cost. */
extern const dry_op_row dry_op_rows[DRY_N_OPS];

/* Returns whether models call the operation by its name. */
static inline bool dry_op_is_function(const dry_op_row *row) {
    return row->kind == DRY_FUNCTION || row->kind == DRY_SPECIAL;
}
/* Finds the nodes that change their sign where the operation on `a` has a kink or jumps. Returns
 * their number. */
int dry_op_find_switches(dry_dag *dag, const dry_op_row *row, const dry_node *a, dry_node *g);
/* Returns the function with this name, or NULL. */
const dry_op_row *dry_op_find(const char *name);
/* Returns the function (ordinary or special) that other languages call by this name, or NULL. */
const dry_op_row *dry_op_foreign(const char *name);

#endif
