/* bends: whether an `if` that compares a state or the time only bends what depends on it.
 *
 *     if v > 0 then a*v else b*v
 *
 * has one value on both sides of v = 0: with 0 in place of v, both branches are one node. */
#include "model_private.h"

#include <stdlib.h>

/* The leaf that is compared, and with what. */
typedef struct meeting {
    dry_node leaf, with;
} meeting;

static bool is_variable(const dry_dag *dag, dry_node node) {
    const dry_op op = dry_dag_op(dag, node);
    return op == DRY_OP_STATE || op == DRY_OP_T;
}

static bool find_meeting(const dry_dag *dag, dry_node node, meeting *m) {
    const dry_node_view v = dry_dag_view(dag, node);
    if (!dry_op_rows[v.op].meets) return false;
    const int at = is_variable(dag, v.args[0]) ? 0 : 1;
    *m = (meeting){v.args[at], v.args[1 - at]};
    return is_variable(dag, m->leaf);
}

/* All that need the node choose by it, between two numbers that are one where it jumps. */
static bool is_one(const dry_dag *dag, dry_node node, const unsigned char *mark, int count,
                   const dry_node *renamed) {
    for (int i = 0; i < count; i++) {
        if (!mark[i]) continue;
        const dry_node_view v = dry_dag_view(dag, i);
        for (int k = 0; k < v.n_args; k++) {
            if (v.args[k] != node) continue;
            if (v.op != DRY_OP_SELECT || k > 0 || renamed[v.args[1]] != renamed[v.args[2]])
                return false;
        }
    }
    return true;
}

bool dry_model__only_bends(const dry_elab *elab, dry_node node, const unsigned char *mark,
                           int count) {
    dry_dag *dag = elab->dag;
    meeting m;
    if (!find_meeting(dag, node, &m)) return false;
    dry_node *renamed = dry_heap_take(elab->arena, (size_t)dry_dag_count(dag) + 1, sizeof *renamed);
    const bool bends = renamed && dry_dag_replace(dag, &m.leaf, &m.with, 1, renamed) &&
                       is_one(dag, node, mark, count, renamed);
    free(renamed);
    return bends;
}
