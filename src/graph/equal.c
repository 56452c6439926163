/* Compares two graphs, node by node. */
#include "dag_private.h"

#include <string.h>

static bool same_number(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool same_block(const dry_block_info *a, const dry_block_info *b) {
    return a->op == b->op && a->block.law == b->block.law && a->block.dim == b->block.dim &&
           a->block.elements == b->block.elements &&
           dry_table__same(a->block.table, b->block.table);
}

static bool same_node(const dry_dag *a, const dry_dag *b, dry_node node) {
    const dry_node_record *n = dry_dag__at(a, node), *m = dry_dag__at(b, node);
    if (n->op != m->op || n->n_args != m->n_args || !same_number(n->value, m->value)) return false;
    if (dry_op_is_block((dry_op)n->op)
            ? !same_block(dry_dag__block(a, node), dry_dag__block(b, node))
            : n->index != m->index)
        return false;
    const dry_node *args = dry_dag__args(a, node), *others = dry_dag__args(b, node);
    for (int i = 0; i < n->n_args; i++)
        if (args[i] != others[i]) return false;
    return true;
}

bool dry_dag_equal(const dry_dag *a, const dry_dag *b) {
    if (dry_dag_count(a) != dry_dag_count(b)) return false;
    for (dry_node i = 0; i < dry_dag_count(a); i++)
        if (!same_node(a, b, i)) return false;
    return true;
}
