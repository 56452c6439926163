/* What the files of the graph share: how they store nodes, what each operation computes, and the
 * walk over a part of the graph that remembers its results. */
#ifndef DRY_GRAPH_DAG_PRIVATE_H
#define DRY_GRAPH_DAG_PRIVATE_H

#include "dag.h"
#include <stdint.h>

/* ---- operations (ops.c) -------------------------------------------------------------- */

int dry_op__cost(dry_op op);
double dry_op__value1(dry_op op, double a);
double dry_op__value2(dry_op op, double a, double b);

/* ---- blocks ------------------------------------------------------------------------ */

/* Fills the record of a kind of block. Without memory it returns false, and the arena has failed.
 */
bool dry_block__describe(dry_arena *arena, dry_op op, dry_block block, dry_block_info *info);
/* Computes the results of the block of a law or of a table from its packed parameters, inputs and
 * states. */
void dry_block__run(const dry_block_info *info, const double *par, const double *u, const double *s,
                    double tau, dry_branch branch, double *results);
/* Returns bounds of result `index` of a table for arguments within the bounds a and b (tables.c).
 */
dry_interval dry_table__bounds(const dry_table *table, int index, dry_interval a, dry_interval b);
/* Returns how many derivatives of a table with one argument can differ from 0. */
int dry_table__degree(const dry_table *table);
bool dry_table__same(const dry_table *a, const dry_table *b);
/* x = A^-1 b. Destroys A; b becomes x, or NaN if A is singular. */
void dry_block__solve(int n, double *A, double *b);

/* ---- nodes ------------------------------------------------------------------------- */

typedef struct dry_node_record {
    double value;     /* CONST */
    dry_node args[3]; /* a block: args[0] is where its arguments begin in `pool` */
    int n_args;
    int index; /* PAR, STATE, REF, PICK; a block: its row in `blocks` */
    unsigned char op, depends;
} dry_node_record;

typedef union dry_memo_cell {
    dry_node node;
    double value;
    int offset;
    dry_interval interval;
} dry_memo_cell;

/* What a walk knows about the nodes. A cell is valid if its stamp is the present generation. */
typedef struct dry_memo {
    uint32_t generation;
    uint32_t *stamps;
    dry_memo_cell *cells;
    int capacity;
    int *stack;
    int n_stack, stack_capacity;
    double *numbers; /* results of blocks */
    int n_numbers, numbers_capacity;
    dry_arena *arena; /* remembers that memory ran out */
} dry_memo;

struct dry_dag {
    dry_node_record *nodes;
    int count, capacity, limit;
    uint32_t *hash; /* node + 1; 0: free */
    uint32_t table_size;
    dry_node *pool;
    int pool_count, pool_capacity;
    dry_block_info *blocks;
    int n_blocks, blocks_capacity;
    bool failed;      /* too many nodes, or no memory */
    dry_arena *arena; /* remembers that memory ran out */
    dry_memo *memo;
};

/* Finds a node or adds it as it is, without folding. */
dry_node dry_dag__make(dry_dag *dag, dry_op op, int index, double value, const dry_node *args,
                       int n_args);

static inline const dry_node_record *dry_dag__at(const dry_dag *dag, dry_node node) {
    return dag->nodes + node;
}
static inline const dry_node *dry_dag__args(const dry_dag *dag, dry_node node) {
    const dry_node_record *n = dag->nodes + node;
    return dry_op_is_block((dry_op)n->op) ? dag->pool + n->args[0] : n->args;
}
static inline const dry_block_info *dry_dag__block(const dry_dag *dag, dry_node node) {
    return dag->blocks + dag->nodes[node].index;
}
static inline bool dry_dag__is_const(const dry_dag *dag, dry_node node, double value) {
    return dag->nodes[node].op == DRY_OP_CONST && dag->nodes[node].value == value;
}

/* Returns whether the value of the node is always 0 or 1 (fold.c). */
bool dry_dag__is_truth(const dry_dag *dag, dry_node node);

/* ---- the walk (walk.c) ------------------------------------------------------------- */

/* Forgets all cells and makes room for every node. Returns false without memory. */
bool dry_memo__begin(const dry_dag *dag);
static inline bool dry_memo__known(const dry_memo *memo, dry_node node) {
    return memo->stamps[node] == memo->generation;
}
static inline void dry_memo__set(dry_memo *memo, dry_node node, dry_memo_cell cell) {
    memo->stamps[node] = memo->generation;
    memo->cells[node] = cell;
}
bool dry_memo__push(dry_memo *memo, int entry);

/* Calls `leave` once for each unknown node that the root needs, after the node's arguments; `leave`
 * sets the node's cell. The walk first calls `enter` (may be NULL), which returns true if it has
 * set the cell itself. The cost is that of the nodes visited. Returns false without memory. */
typedef struct dry_walk {
    void *context;
    bool (*enter)(void *context, dry_node node);
    void (*leave)(void *context, dry_node node);
} dry_walk;
bool dry_dag__walk(const dry_dag *dag, dry_node root, const dry_walk *walk);

#endif
