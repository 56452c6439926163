/* at_jumps: which value counts when a function of the time jumps.
 *
 * A rate takes the value just after the jump, because every method ends a step there and begins the
 * next one at the same t. A sample takes the value that the text says, but its instant k T and the
 * time of the jump may be one number that is rounded in two ways, such as 3*0.3 and 0.9. So times
 * that only rounding separates count as equal. */
#include "dag_private.h"
#include "ops.h"

static bool is_time(const dry_dag *dag, dry_node node) { return dry_dag_op(dag, node) == DRY_OP_T; }

/* Whether it changes with the time, and with nothing else. */
static bool is_timed(const dry_dag *dag, dry_node node) {
    const unsigned on = dry_dag_depends(dag, node);
    return (on & DRY_ON_T) && !(on & ~(unsigned)(DRY_ON_T | DRY_ON_PAR));
}

/* ---- rates --------------------------------------------------------------------------- */

/* The slope of a straight line of the time; DRY_NO_CHANGE: it is none. */
static dry_node slope(dry_dag *dag, dry_node line) {
    const dry_node_view v = dry_dag_view(dag, line);
    const dry_node none = DRY_NO_CHANGE;
    if (v.op == DRY_OP_T) return dry_dag_const(dag, 1.0);
    if (dry_dag_is_static(dag, line)) return dry_dag_const(dag, 0.0);
    if (v.op == DRY_OP_NEG) {
        const dry_node of = slope(dag, v.args[0]);
        return of == none ? none : dry_dag_un(dag, DRY_OP_NEG, of);
    }
    const bool sums = v.op == DRY_OP_ADD || v.op == DRY_OP_SUB;
    if (!sums && v.op != DRY_OP_MUL && v.op != DRY_OP_DIV) return none;
    const dry_node a = v.args[0], b = v.args[1];
    const bool turned = v.op == DRY_OP_MUL && dry_dag_is_static(dag, a);
    const dry_node first = slope(dag, turned ? b : a);
    if (first == none) return none;
    if (!sums && !turned)
        return dry_dag_is_static(dag, b) ? dry_dag_bin(dag, v.op, first, b) : none;
    if (turned) return dry_dag_bin(dag, DRY_OP_MUL, a, first);
    const dry_node second = slope(dag, b);
    return second == none ? none : dry_dag_bin(dag, v.op, first, second);
}

/* On a line that rises, ceil is floor + 1 just after each of its jumps, and so between them. */
static dry_node after_ceil(dry_dag *dag, dry_node line) {
    const dry_node rise = is_timed(dag, line) ? slope(dag, line) : DRY_NO_CHANGE;
    if (rise == DRY_NO_CHANGE) return DRY_NO_CHANGE;
    const dry_node floor_of = dry_dag_un(dag, DRY_OP_FLOOR, line);
    const dry_node rising = dry_dag_bin(dag, DRY_OP_LT, dry_dag_const(dag, 0.0), rise);
    return dry_dag_select(dag, rising,
                          dry_dag_bin(dag, DRY_OP_ADD, floor_of, dry_dag_const(dag, 1.0)),
                          dry_dag_un(dag, DRY_OP_CEIL, line));
}

/* t <= c becomes t < c, and c < t becomes c <= t. */
static dry_node after_jump(dry_dag *dag, dry_node node, const dry_node *a) {
    const dry_op op = dry_dag_op(dag, node);
    if (op == DRY_OP_CEIL) return after_ceil(dag, a[0]);
    if (op == DRY_OP_LE && is_time(dag, a[0]) && dry_dag_is_static(dag, a[1]))
        return dry_dag_bin(dag, DRY_OP_LT, a[0], a[1]);
    if (op == DRY_OP_LT && is_time(dag, a[1]) && dry_dag_is_static(dag, a[0]))
        return dry_dag_bin(dag, DRY_OP_LE, a[0], a[1]);
    return DRY_NO_CHANGE;
}

bool dry_dag_after_jumps(dry_dag *dag, dry_node *renamed) {
    return dry_dag_map(dag, after_jump, renamed);
}

/* ---- samples ------------------------------------------------------------------------- */

static dry_node moved(dry_dag *dag, dry_leans way, dry_node time) {
    dry_node by = dry_dag_un(dag, DRY_OP_ROUNDING, time);
    if (way == DRY_LEANS_OUT)
        by = dry_dag_bin(dag, DRY_OP_MUL, dry_dag_un(dag, DRY_OP_SIDE, time), by);
    return dry_dag_bin(dag, way == DRY_LEANS_DOWN ? DRY_OP_SUB : DRY_OP_ADD, time, by);
}

/* a op b: what changes with the time is moved to where `op` takes equal numbers. */
static dry_node compared(dry_dag *dag, dry_op op, dry_leans way, const dry_node *a) {
    const dry_leans back = way == DRY_LEANS_UP ? DRY_LEANS_DOWN : DRY_LEANS_UP;
    if (is_timed(dag, a[0])) return dry_dag_bin(dag, op, moved(dag, way, a[0]), a[1]);
    return dry_dag_bin(dag, op, a[0], moved(dag, back, a[1]));
}

/* a == b, a != b */
static dry_node equal(dry_dag *dag, dry_op op, const dry_node *a) {
    const dry_node time = a[is_timed(dag, a[0]) ? 0 : 1];
    const dry_node apart = dry_dag_un(dag, DRY_OP_ABS, dry_dag_bin(dag, DRY_OP_SUB, a[0], a[1]));
    const dry_node near =
        dry_dag_bin(dag, DRY_OP_LE, apart, dry_dag_un(dag, DRY_OP_ROUNDING, time));
    return op == DRY_OP_EQ ? near : dry_dag_un(dag, DRY_OP_NOT, near);
}

static dry_node held(dry_dag *dag, dry_node node, const dry_node *a) {
    const dry_table *table = dry_dag_view(dag, node).block.table;
    const dry_node later = table->hold ? moved(dag, DRY_LEANS_UP, a[0]) : a[0];
    return table->hold ? dry_dag_rebuild(dag, node, &later) : DRY_NO_CHANGE;
}

static dry_node sampled(dry_dag *dag, dry_node node, const dry_node *a) {
    const dry_op op = dry_dag_op(dag, node);
    const dry_leans way = dry_op_rows[op].leans;
    if (!is_timed(dag, node)) return DRY_NO_CHANGE;
    if (op == DRY_OP_TABLE) return held(dag, node, a);
    if (way == DRY_LEANS_NOT) return DRY_NO_CHANGE;
    if (way == DRY_LEANS_NEAR) return equal(dag, op, a);
    if (dry_op_rows[op].meets) return compared(dag, op, way, a);
    if (!is_timed(dag, a[0])) return DRY_NO_CHANGE;
    const dry_node args[] = {moved(dag, way, a[0]), dry_op_rows[op].n_args > 1 ? a[1] : 0};
    return dry_dag_rebuild(dag, node, args);
}

bool dry_dag_at_instants(dry_dag *dag, dry_node *renamed) {
    return dry_dag_map(dag, sampled, renamed);
}
