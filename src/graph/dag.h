/* The graph of scalar expressions that the compiler makes from a model. These files build, fold,
 * differentiate and bound the graph, order it into code, and run the code.
 *
 * Nodes are numbered from 0; every argument has a smaller number than its user. Equal nodes are one
 * node (hash-consing), so that the code computes a common subexpression once. The front end has
 * already split vectors and matrices into scalars. Blocks are nodes with several results: a law, a
 * linear solve. PICK takes one result out of a block.
 *
 * Memory comes from one arena. If the arena is exhausted, `failed` is set and every constructor
 * returns node 0 (the constant 0); the owner checks `failed` once at the end. A graph belongs to
 * one thread, because even functions that take it as const store values in it. Threads may share an
 * image, because each run has its own work array. */
#ifndef DRY_GRAPH_DAG_H
#define DRY_GRAPH_DAG_H

#include <drystone/base.h>
#include <drystone/law.h>
#include <drystone/math.h>
#include <drystone/stability.h>

typedef int dry_node; /* an index */

typedef enum dry_op {
    /* leaves */
    DRY_OP_CONST, /* value */
    DRY_OP_PAR,   /* index: a parameter, constant for a run */
    DRY_OP_T,
    DRY_OP_TAU,
    DRY_OP_STATE, /* index */
    DRY_OP_UNIT,  /* index: wide; 1 in this way and 0 in the others */
    DRY_OP_WAY,   /* index: wide; how the state of this index changes in each way */
    DRY_OP_REF,   /* index: stands for a quantity that is not known yet (dry_dag_resolve) */
/* one argument, then two: the rows of ops.def */
#define UNARY(name, ...) DRY_OP_##name,
#define BINARY(name, ...) DRY_OP_##name,
#include "ops.def"
    /* three arguments */
    DRY_OP_SELECT, /* a if c is not 0, else b: args c, a, b */
    /* blocks, any number of arguments */
    DRY_OP_SOLVE,        /* n*n entries of A row by row, then n of b -> x, n results */
    DRY_OP_LAW,          /* packed parameters, inputs, states; tau implied -> forces, state rates */
    DRY_OP_LAW_JAC,      /* same arguments -> the law's Jacobian, row-major */
    DRY_OP_LAW_BY_PAR,   /* same arguments -> its derivatives by the packed parameters, row-major */
    DRY_OP_LAW_TANGENTS, /* same arguments, and the change of each -> the changes of the results */
    DRY_OP_LAW_KINKS,    /* same arguments -> the law's switching functions */
    DRY_OP_LAW_FASTEST,  /* same arguments -> the fastest rate at which one of its states settles */
    DRY_OP_LAW_START,    /* packed parameters, inputs -> states at the start */
    DRY_OP_LAW_START_BY, /* same arguments -> their derivatives by all of these, row-major */
    DRY_OP_TABLE, /* one or two arguments -> the value of the table and derivatives (math.h) */
    DRY_OP_TABLE_KINKS, /* one argument -> the switching functions of its knots */
    DRY_OP_PICK,        /* result `index` of block `args[0]` */
    DRY_N_OPS
} dry_op;

static inline bool dry_op_is_leaf(dry_op op) { return op <= DRY_OP_REF; }
static inline bool dry_op_is_block(dry_op op) {
    return op >= DRY_OP_SOLVE && op <= DRY_OP_TABLE_KINKS;
}

typedef struct dry_dag dry_dag;

/* A block's kind: the law and its dimension (LAW...), the size n (SOLVE, law NULL), the table and
 * how many arguments it has (TABLE), or the table and the number of the argument (TABLE_KINKS). */
typedef struct dry_block {
    const dry_law *law;
    int dim;
    int elements; /* of the law; 1 if the law has no count */
    const dry_table *table;
} dry_block;

typedef enum dry_role { DRY_ROLE_ANY, DRY_ROLE_COULOMB, DRY_ROLE_CONTACT } dry_role;

enum { DRY_MOST_PLACES = 3 };

/* The contents of a block; all blocks of a kind share one record. */
typedef struct dry_block_info {
    dry_op op;
    dry_block block;
    int n_par, n_inputs, n_states, n_forces; /* of the law; 0 for SOLVE */
    int n_args, n_results;
    dry_role role;           /* of the plain law of a set */
    int at[DRY_MOST_PLACES]; /* where its parameters are: F, K, beta of sgn; K, alpha, beta of dio
                              */
} dry_block_info;

/* A read-only view of a node. */
typedef struct dry_node_view {
    dry_op op;
    double value;         /* CONST */
    int index;            /* PAR, STATE, REF, PICK */
    const dry_node *args; /* valid until the next node is made */
    int n_args;
    dry_block block; /* blocks */
} dry_node_view;

/* ---- building (dag.c) -------------------------------------------------------------- */

/* `limit` bounds the number of nodes (about 64 bytes each); node 0 is the constant 0. */
dry_dag *dry_dag_new(dry_arena *arena, int limit);
void dry_dag_free(dry_dag *dag); /* its growing arrays are on the heap */
bool dry_dag_failed(const dry_dag *dag);
int dry_dag_count(const dry_dag *dag);
dry_node_view dry_dag_view(const dry_dag *dag, dry_node node);
dry_op dry_dag_op(const dry_dag *dag, dry_node node);
const dry_node *dry_dag_args(const dry_dag *dag, dry_node node);             /* as in the view */
const dry_block_info *dry_dag_block_info(const dry_dag *dag, dry_node node); /* of a block */
dry_arena *dry_dag_arena(const dry_dag *dag);
/* Makes room for `needed` entries of `size` bytes. Without memory it returns false, and the arena
 * has failed. */
bool dry_dag_grow(dry_arena *arena, void *array, int *capacity, int needed, size_t size);
const char *dry_op_text(dry_op op); /* "+", "sin", ... */

dry_node dry_dag_const(dry_dag *dag, double value);
dry_node dry_dag_leaf(dry_dag *dag, dry_op op, int index); /* PAR, T, TAU, STATE, REF */
/* These fold constants. They also apply the identities that are exact or harmless in floating point
 * for finite values: x+0, x*1, x*0 -> 0, x/1, 0/x -> 0, x-x -> 0, --x, x^1, x^2 -> x*x, x^0.5 ->
 * sqrt, 0-x -> -x, x + (-y) -> x - y, constants to the left of commutative products, select by a
 * constant, ... */
dry_node dry_dag_un(dry_dag *dag, dry_op op, dry_node a);
dry_node dry_dag_bin(dry_dag *dag, dry_op op, dry_node a, dry_node b);
dry_node dry_dag_select(dry_dag *dag, dry_node c, dry_node a, dry_node b);
dry_node dry_dag_block(dry_dag *dag, dry_op op, dry_block block, const dry_node *args, int n_args);
dry_node dry_dag_pick(dry_dag *dag, dry_node block, int index);
/* Returns the block of a table, which must outlive the graph, for its one or two arguments. */
dry_node dry_dag_table(dry_dag *dag, const dry_table *table, const dry_node *args);
int dry_dag_results(const dry_dag *dag, dry_node block); /* how many results a block has */

/* Rebuilds the graph with each REF i replaced by meaning[i] (a node that may hold REFs itself).
 * renamed[node] becomes the new node of each old one; the caller provides the array, with
 * dry_dag_count entries from before the call. Iterative. Returns -1, or the REF index that is part
 * of a cycle. */
int dry_dag_resolve(dry_dag *dag, const dry_node *meaning, int n_refs, dry_node *renamed);
/* Returns the node with other arguments. */
dry_node dry_dag_rebuild(dry_dag *dag, dry_node node, const dry_node *args);
/* Returns how many arguments the largest node has, 3 or more. */
int dry_dag_most_args(const dry_dag *dag);
/* Rebuilds the graph with each leaf[i] replaced by by[i], which may hold the leaf itself. `renamed`
 * is as above. Returns false without memory. */
bool dry_dag_replace(dry_dag *dag, const dry_node *leaf, const dry_node *by, int n,
                     dry_node *renamed);
/* The same with a function that returns the new node, given the old one and its new arguments;
 * DRY_NO_CHANGE: the old node with these arguments. */
enum { DRY_NO_CHANGE = -1 };
typedef dry_node dry_dag_change(dry_dag *dag, dry_node node, const dry_node *args);
bool dry_dag_map(dry_dag *dag, dry_dag_change *change, dry_node *renamed);

/* ---- where functions of the time jump (at_jumps.c) ----------------------------------- */

/* Rebuild the graph as dry_dag_map does: for rates, which take the value just after a jump at a
 * given time; for samples, for which times that only rounding separates are equal. */
bool dry_dag_after_jumps(dry_dag *dag, dry_node *renamed);
bool dry_dag_at_instants(dry_dag *dag, dry_node *renamed);

/* What a node depends on. */
enum {
    DRY_ON_PAR = 1,
    DRY_ON_T = 2,
    DRY_ON_STATE = 4,
    DRY_ON_TAU = 8,
    DRY_ON_REF = 16,
    DRY_ON_WAY = 32
};
unsigned dry_dag_depends(const dry_dag *dag,
                         dry_node node); /* computed for each node when it is made */
/* Returns whether the node depends on constants and parameters alone. */
bool dry_dag_is_static(const dry_dag *dag, dry_node node);
/* Returns whether the node is wide: it has a number for each way. */
bool dry_dag_is_wide(const dry_dag *dag, dry_node node);
/* Calls found(user, index) for each parameter that the node needs. Returns false without memory,
 * possibly after it has called `found` for some of them. */
bool dry_dag_each_par(const dry_dag *dag, dry_node node, void (*found)(void *user, int index),
                      void *user);
/* Returns whether two graphs have the same nodes, number by number, with bitwise equal constants.
 */
bool dry_dag_equal(const dry_dag *a, const dry_dag *b);
/* Marks (1) in mark[0 .. count) every node that the root needs, and the root itself. */
void dry_dag_reach(const dry_dag *dag, dry_node root, unsigned char *mark);

/* ---- derivative (diff.c) ----------------------------------------------------------- */

/* Returns d root / d variable. `variable` is a leaf or a PICK and counts as independent: the
 * derivative does not look through a node equal to it. The nodes in `frozen` (may be NULL, n_frozen
 * nodes) also count as independent of the variable. MIN, MAX, ABS, SAT, SELECT differentiate by
 * branch. The results of a LAW differentiate through LAW_JAC with respect to inputs and states. The
 * derivative with respect to the packed parameters covers only a coulomb law's F (df/dF = f/|f| in
 * slip, 0 in stick: through SELECT); it is zero for all others. */
dry_node dry_dag_diff(dry_dag *dag, dry_node root, dry_node variable, const dry_node *frozen,
                      int n_frozen);
/* A direction: by how much each leaf changes. The node 0 stands for no change. If changes are wide,
 * they are several directions side by side, the ways. */
typedef struct dry_direction {
    const dry_node *state; /* n_states, by index */
    const dry_node *par;   /* n_par, by index */
    int n_states, n_par;
} dry_direction;
/* Returns the derivatives of the roots in a direction, time and tau held: sum over states and
 * parameters of d root/d leaf times its change. It differentiates the results of a LAW by inputs
 * and states through LAW_JAC and by all packed parameters through LAW_BY_PAR, or through
 * LAW_TANGENTS if the changes are wide and the row has that function. Returns false if something on
 * the way has no such derivative: a law whose row does not give it, or the start of a law. `by`
 * names the law then. */
bool dry_dag_directional(dry_dag *dag, const dry_node *roots, int n_roots,
                         const dry_direction *direction, dry_node *derivatives, const char **by);
/* Finds such a law without making a node: one that a root needs, and whose parameters (or inputs at
 * its start) need a leaf that changes. NULL: there is none. */
const char *dry_dag_lacking(dry_dag *dag, const dry_node *roots, int n_roots,
                            const dry_direction *direction);
/* Returns the time derivative along the motion: sum over states of d root/d x_i * rate[i] + d
 * root/d t. */
dry_node dry_dag_time_derivative(dry_dag *dag, dry_node root, const dry_node *rate, int n_states);

/* ---- bounds (interval.c) ----------------------------------------------------------- */

typedef struct dry_interval {
    double low, high; /* a NaN-free enclosure; [-inf, inf] if nothing is known */
} dry_interval;
/* Returns bounds of the values that a node can take with the parameters at `par`, any t >= 0, any
 * tau >= 0 and any state. The bounds hold for finite values: the function does not look for a
 * division by zero on the way, and it assumes that the parameters of laws are in their ranges.
 * Contact forces (result 0 of laws that never pull) are >= 0. The function knows x*x >= 0 and
 * x^even >= 0. */
dry_interval dry_dag_bounds(const dry_dag *dag, dry_node node, const double *par);

/* ---- code (emit.c) and its run (eval.c) -------------------------------------------- */

typedef struct dry_section {
    const char *name; /* for printing */
    const dry_node *roots;
    int n_roots;
    bool timed; /* runs several times at one time, for other states: what follows from the time and
                   the parameters alone is then computed once */
    int n_wide; /* so many roots, the last ones, are wide: a number for each way */
} dry_section;

typedef struct dry_image dry_image;

/* What the code is for. States come first in x; of n_ways ways the change of state i in way k is at
 * n_states + i n_ways + k. */
typedef struct dry_image_sizes {
    int n_par, n_states, n_ways;
} dry_image_sizes;

/* Orders the nodes that the sections need into straight code with jumps. A branch of SELECT runs
 * only when it is chosen, if nothing else needs it and it costs more than a few operations. Each
 * section gets one piece of code. One more piece runs once; it computes what depends on constants
 * and parameters alone. Another one runs if the time is not that of the last run. Returns NULL
 * without memory. */
dry_image *dry_image_new(const dry_dag *dag, dry_image_sizes sizes, const dry_section *sections,
                         int n_sections);
void dry_image_free(dry_image *image);
/* Returns the size of the register file in bytes. */
size_t dry_image_work_size(const dry_image *image);
int dry_image_length(const dry_image *image, int section); /* instructions; -1: the part run once */
/* Returns where the states are in a register file. dry_image_run copies them only if they are
 * elsewhere. */
double *dry_image_inputs(const dry_image *image, void *work);
/* Sets up a register file for these parameters. Call it before dry_image_run. */
void dry_image_prepare(const dry_image *image, const double *par, void *work);
/* Computes the roots of a section into out, side by side. */
void dry_image_run(const dry_image *image, int section, double t, double tau, const double *x,
                   double *out, void *work);
/* Does the same with every law stuck or loose, as `branch` specifies, to check the step. */
void dry_image_run_branch(const dry_image *image, int section, dry_branch branch, double t,
                          double tau, const double *x, double *out, void *work);
/* Prints the code of a section, one instruction per line, with the names of parameters and states.
 */
void dry_image_print(const dry_image *image, int section, const char *const *par_names,
                     const char *const *state_names, FILE *stream);

/* Returns the value of one node by direct evaluation (slow; for compile time). `overrides` gives
 * values that replace the computation of a node (NULL: none). An override of the leaf TAU also sets
 * the tau of the laws, which is 0 otherwise. Returns NaN if it meets a REF. */
typedef struct dry_override {
    dry_node node;
    double value;
} dry_override;
double dry_dag_value(const dry_dag *dag, dry_node node, const double *par, double t,
                     const double *x, const dry_override *overrides, int n_overrides);

#endif
