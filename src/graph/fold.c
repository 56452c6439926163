/* Constructors that simplify. They compute constants. They apply identities that are exact, or that
 * differ only for values that are not finite or in the sign of zero. */
#include "dag_private.h"
#include "ops.h"

/* ---- helpers ----------------------------------------------------------------------- */

static dry_op op_of(const dry_dag *dag, dry_node node) { return (dry_op)dag->nodes[node].op; }

static bool is_constant(const dry_dag *dag, dry_node node) {
    return op_of(dag, node) == DRY_OP_CONST;
}

bool dry_dag__is_truth(const dry_dag *dag, dry_node node) {
    const dry_op op = op_of(dag, node);
    return (op >= DRY_OP_LT && op <= DRY_OP_OR) || op == DRY_OP_NOT ||
           dry_dag__is_const(dag, node, 0.0) || dry_dag__is_const(dag, node, 1.0);
}

/* ---- operations: what the row says, else a node ------------------------------------- */

dry_node dry_dag_un(dry_dag *dag, dry_op op, dry_node a) {
    if (is_constant(dag, a)) return dry_dag_const(dag, dry_op__value1(op, dag->nodes[a].value));
    dry_op_fold1 *fold = dry_op_rows[op].fold.one;
    const dry_node folded = fold ? fold(dag, a) : DRY_NO_FOLD;
    return folded != DRY_NO_FOLD ? folded : dry_dag__make(dag, op, 0, 0.0, (dry_node[]){a}, 1);
}

dry_node dry_dag_bin(dry_dag *dag, dry_op op, dry_node a, dry_node b) {
    if (is_constant(dag, a) && is_constant(dag, b))
        return dry_dag_const(dag, dry_op__value2(op, dag->nodes[a].value, dag->nodes[b].value));
    dry_op_fold2 *fold = dry_op_rows[op].fold.two;
    const dry_node folded = fold ? fold(dag, a, b) : DRY_NO_FOLD;
    return folded != DRY_NO_FOLD ? folded : dry_dag__make(dag, op, 0, 0.0, (dry_node[]){a, b}, 2);
}

/* ---- the others -------------------------------------------------------------------- */

dry_node dry_dag_select(dry_dag *dag, dry_node c, dry_node a, dry_node b) {
    if (is_constant(dag, c)) return dag->nodes[c].value != 0.0 ? a : b;
    if (a == b) return a;
    if (dry_dag__is_const(dag, a, 0.0) && dry_dag__is_const(dag, b, 0.0))
        return dry_dag_const(dag, 0.0); /* one of them is -0 */
    if (op_of(dag, c) == DRY_OP_NOT) return dry_dag_select(dag, dag->nodes[c].args[0], b, a);
    if (dry_dag__is_truth(dag, c) && dry_dag__is_const(dag, a, 1.0) &&
        dry_dag__is_const(dag, b, 0.0))
        return c;
    return dry_dag__make(dag, DRY_OP_SELECT, 0, 0.0, (dry_node[]){c, a, b}, 3);
}

dry_node dry_dag_pick(dry_dag *dag, dry_node block, int index) {
    if (dag->failed) return 0;
    const dry_node *args = dry_dag__args(dag, block);
    const dry_block_info *info = dry_dag__block(dag, block);
    DRY_ASSERT(index >= 0 && index < info->n_results);
    if (info->op == DRY_OP_SOLVE && info->n_results == 1)
        return dry_dag_bin(dag, DRY_OP_DIV, args[1], args[0]);
    return dry_dag__make(dag, DRY_OP_PICK, index, 0.0, (dry_node[]){block}, 1);
}
