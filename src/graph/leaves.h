/* Finds the states that a node of the graph needs, at a cost proportional to what is below the
 * node. */
#ifndef DRY_GRAPH_LEAVES_H
#define DRY_GRAPH_LEAVES_H

#include "dag.h"

/* Scratch memory of the walk, for the graph as it was when the scratch was sized. */
typedef struct dry_leaves {
    const dry_dag *dag;
    unsigned char *mark;
    dry_node *stack, *seen;
} dry_leaves;

/* Makes room for the graph as it is now. Returns false without memory. */
bool dry_leaves_size(dry_leaves *leaves, const dry_dag *dag);
void dry_leaves_free(dry_leaves *leaves);

/* Calls found(user, index) once for each state that the node needs. */
typedef void dry_leaf_fn(void *user, int index);
void dry_leaves_of(dry_leaves *leaves, dry_node root, dry_leaf_fn *found, void *user);

#endif
