/* Short names for files that write formulas with nodes. */
#ifndef DRY_GRAPH_FORMULA_H
#define DRY_GRAPH_FORMULA_H

#include "dag.h"

static inline dry_node num(dry_dag *dag, double value) { return dry_dag_const(dag, value); }
static inline dry_node un(dry_dag *dag, dry_op op, dry_node a) { return dry_dag_un(dag, op, a); }
static inline dry_node add(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_ADD, a, b);
}
static inline dry_node sub(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_SUB, a, b);
}
static inline dry_node mul(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_MUL, a, b);
}
static inline dry_node over(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_DIV, a, b);
}
static inline dry_node square(dry_dag *dag, dry_node a) { return mul(dag, a, a); }
static inline dry_node less(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_LT, a, b);
}

#endif
