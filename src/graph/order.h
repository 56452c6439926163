/* The order in which a piece of code computes the nodes that its roots need. Bytecode and C use the
 * same order. */
#ifndef DRY_GRAPH_ORDER_H
#define DRY_GRAPH_ORDER_H

#include "dag.h"

enum { DRY_NONE = -1 };

/* A node that a piece of code computes. Items are ordered so that arguments come first. */
typedef struct dry_item {
    dry_node node;
    int region;
    int uses;    /* by other items and as a root; decreases as code is made */
    int absorbs; /* the argument (0 or 1) whose operation this item's instruction performs */
    bool absorbed;
    bool owns;   /* its register is a temporary that is free after the last use */
    int reg;     /* where its value is; for a block, where its first value is */
    int target;  /* where its value must be; DRY_NONE: anywhere */
    int side[2]; /* SELECT: the regions of its branches, DRY_NONE if a branch has no region of its
                    own; a split block: the items of its results */
} dry_item;

/* A region of code that runs only if one side of a SELECT is chosen; region 0 always runs. */
typedef struct dry_region {
    int parent, depth, skip; /* skip: an ancestor farther up, for a fast common ancestor */
    long long cost;
    int first, n; /* the members of the region in `members` */
} dry_region;

typedef struct dry_order {
    const dry_dag *dag;
    bool once;
    const unsigned char *kept; /* by node: computed when the time changed; NULL: none is */
    dry_item *items;
    int n_items, items_capacity;
    int *item_of; /* by node; DRY_NONE: not an item */
    dry_region *regions;
    int n_regions, regions_capacity;
    int *members;
} dry_order;

/* Orders what the roots need into regions. Returns false without memory. */
bool dry_order_make(dry_order *order, const dry_node *roots, int n_roots);
void dry_order_free(dry_order *order);
/* Returns true if the piece of code computes the node, false if the node is already in its
 * register. */
static inline bool dry_order_computes(const dry_order *order, dry_node node) {
    return !dry_op_is_leaf(dry_dag_op(order->dag, node)) &&
           (order->once || !dry_dag_is_static(order->dag, node)) &&
           !(order->kept && order->kept[node]);
}

/* Marks with 1 in kept[0 .. count) what the roots need that follows from the time and the
 * parameters alone, and that a change of the states never leaves out: what need not be computed
 * again while the time stays. It marks nothing if that would save little. If parameters that differ
 * between sets side by side are given in `varies` (NULL: none), it marks what is equal in all sets,
 * also if it can be left out. Returns how many nodes it has marked; -1 without memory. */
int dry_order_keep_timed(const dry_dag *dag, const dry_node *roots, int n_roots, const bool *varies,
                         unsigned char *kept);

#endif
