/* Bounds of the values that a node can take, by interval arithmetic (span.h): the row of each
 * operation (ops.def) gives the bounds of a node from those of its arguments. */
#include "dag_private.h"
#include "ops.h"
#include "span.h"

/* ---- the walk ---------------------------------------------------------------------- */

typedef struct pass {
    const dry_dag *dag;
    const double *par;
} pass;

static span bounds_of(const pass *p, dry_node node) { return p->dag->memo->cells[node].interval; }

static span leaf_bounds(const pass *p, const dry_node_record *n) {
    switch (n->op) {
    case DRY_OP_CONST: return between(n->value, n->value);
    case DRY_OP_PAR: return between(p->par[n->index], p->par[n->index]);
    case DRY_OP_T:
    case DRY_OP_TAU: return (span){0.0, (double)INFINITY};
    default: return whole;
    }
}

/* Bounds of a law's results: contact does not pull, and |f| <= F of the coulomb law, up to
 * rounding. */
static span pick_bounds(const pass *p, dry_node block, int index) {
    const dry_block_info *info = dry_dag__block(p->dag, block);
    if (info->op != DRY_OP_LAW || index >= info->n_forces) return whole;
    if (index == 0 && (info->block.law->traits & DRY_NEVER_PULLS))
        return (span){0.0, (double)INFINITY};
    if (info->role != DRY_ROLE_COULOMB) return whole;
    const span F = bounds_of(p, dry_dag__args(p->dag, block)[info->at[0]]);
    const span force = hull(F, turned(F));
    return info->block.dim == 1 ? force : widen(force);
}

static span table_bounds(const pass *p, dry_node block, int index) {
    const dry_table *table = dry_dag__block(p->dag, block)->block.table;
    const dry_node *args = dry_dag__args(p->dag, block);
    const span a = bounds_of(p, args[0]);
    return dry_table__bounds(table, index, a, table->n2 ? bounds_of(p, args[1]) : a);
}

/* x*x: both factors are the same number. */
static span square_bounds(span a) {
    const span size = dry_op_rows[DRY_OP_ABS].bounds.one(a);
    return dry_op_rows[DRY_OP_MUL].bounds.two(size, size);
}

static span node_bounds(const pass *p, dry_node node) {
    const dry_node_record *n = dry_dag__at(p->dag, node);
    const dry_op op = (dry_op)n->op;
    if (dry_op_is_leaf(op)) return leaf_bounds(p, n);
    if (dry_op_is_block(op)) return whole;
    if (op == DRY_OP_PICK && dry_dag__block(p->dag, n->args[0])->op == DRY_OP_TABLE)
        return table_bounds(p, n->args[0], n->index);
    if (op == DRY_OP_PICK) return pick_bounds(p, n->args[0], n->index);
    const span a = bounds_of(p, n->args[0]);
    if (n->n_args == 1) return dry_op_rows[op].bounds.one(a);
    const span b = bounds_of(p, n->args[1]);
    if (op == DRY_OP_SELECT) {
        const span c = bounds_of(p, n->args[2]);
        return !holds(a, 0.0) ? b : is_zero(a) ? c : hull(b, c);
    }
    if (op == DRY_OP_MUL && n->args[0] == n->args[1]) return square_bounds(a);
    return dry_op_rows[op].bounds.two(a, b);
}

static void leave(void *context, dry_node node) {
    const pass *p = context;
    dry_memo__set(p->dag->memo, node, (dry_memo_cell){.interval = node_bounds(p, node)});
}

dry_interval dry_dag_bounds(const dry_dag *dag, dry_node node, const double *par) {
    pass p = {dag, par};
    const dry_walk walk = {.context = &p, .leave = leave};
    if (dag->failed || !dry_memo__begin(dag) || !dry_dag__walk(dag, node, &walk)) return whole;
    return bounds_of(&p, node);
}
