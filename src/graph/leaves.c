/* leaves: the states that a node needs. */
#include "leaves.h"
#include "dag_private.h"

#include <stdlib.h>

bool dry_leaves_size(dry_leaves *leaves, const dry_dag *dag) {
    const size_t n = (size_t)dry_dag_count(dag) + 1;
    dry_leaves_free(leaves);
    leaves->dag = dag;
    leaves->mark = dry_heap_take(dag->arena, n, 1);
    leaves->stack = dry_heap_take(dag->arena, n, sizeof *leaves->stack);
    leaves->seen = dry_heap_take(dag->arena, n, sizeof *leaves->seen);
    return leaves->mark && leaves->stack && leaves->seen;
}

void dry_leaves_free(dry_leaves *leaves) {
    free(leaves->mark);
    free(leaves->stack);
    free(leaves->seen);
    *leaves = (dry_leaves){0};
}

void dry_leaves_of(dry_leaves *leaves, dry_node root, dry_leaf_fn *found, void *user) {
    int depth = 0, n_seen = 0;
    if (!leaves->mark || !leaves->stack || !leaves->seen) return; /* the graph's arena has failed */
    leaves->stack[depth++] = leaves->seen[n_seen++] = root;
    leaves->mark[root] = 1;
    while (depth > 0) {
        dry_node_view v = dry_dag_view(leaves->dag, leaves->stack[--depth]);
        if (v.op == DRY_OP_STATE) found(user, v.index);
        for (int k = 0; k < v.n_args; k++) {
            if (leaves->mark[v.args[k]]) continue;
            leaves->mark[v.args[k]] = 1;
            leaves->stack[depth++] = leaves->seen[n_seen++] = v.args[k];
        }
    }
    for (int i = 0; i < n_seen; i++) leaves->mark[leaves->seen[i]] = 0;
}
