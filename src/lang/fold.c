/* Constructors that simplify: constants are computed, and identities applied that are exact, or
 * differ only for values that are not finite or in the sign of zero. */
#include "dag_private.h"

enum { NO_RULE = -1 };

/* ---- values of single operations --------------------------------------------------- */

typedef struct op_row {
    const char *text;
    int cost;
} op_row;

#define ROW(name, text, cost, value) [DRY_OP_##name] = {text, cost},
static const op_row op_rows[DRY_N_OPS] = {
    DRY_UNARY_OPS(ROW) DRY_BINARY_OPS(ROW)[DRY_OP_CONST] = {"const", 0},
    [DRY_OP_PAR] = {"param", 0},
    [DRY_OP_T] = {"t", 0},
    [DRY_OP_TAU] = {"tau", 0},
    [DRY_OP_STATE] = {"state", 0},
    [DRY_OP_REF] = {"ref", 0},
    [DRY_OP_SELECT] = {"select", 1},
    [DRY_OP_SOLVE] = {"solve", 50},
    [DRY_OP_LAW] = {"law", 50},
    [DRY_OP_LAW_JAC] = {"law_jacobian", 50},
    [DRY_OP_LAW_KINKS] = {"law_kinks", 50},
    [DRY_OP_LAW_START] = {"law_start", 50},
    [DRY_OP_PICK] = {"pick", 0},
};
#undef ROW

const char *dry_op_text(dry_op op) { return op_rows[op].text; }

int dry_op__cost(dry_op op) { return op_rows[op].cost; }

double dry_op__value1(dry_op op, double a) {
    switch (op) {
#define ARM(name, text, cost, value)                                                               \
    case DRY_OP_##name: return value;
        DRY_UNARY_OPS(ARM)
    default: return (double)NAN;
    }
}

double dry_op__value2(dry_op op, double a, double b) {
    switch (op) {
        DRY_BINARY_OPS(ARM)
#undef ARM
    default: return (double)NAN;
    }
}

/* ---- helpers ----------------------------------------------------------------------- */

static dry_op op_of(const dry_dag *dag, dry_node node) { return (dry_op)dag->nodes[node].op; }

static bool is_constant(const dry_dag *dag, dry_node node) {
    return op_of(dag, node) == DRY_OP_CONST;
}

static bool is_neg(const dry_dag *dag, dry_node node) { return op_of(dag, node) == DRY_OP_NEG; }

static dry_node argument(const dry_dag *dag, dry_node node, int i) {
    return dag->nodes[node].args[i];
}

static bool is_truth(const dry_dag *dag, dry_node node) {
    const dry_op op = op_of(dag, node);
    return (op >= DRY_OP_LT && op <= DRY_OP_OR) || op == DRY_OP_NOT ||
           dry_dag__is_const(dag, node, 0.0) || dry_dag__is_const(dag, node, 1.0);
}

static dry_node make1(dry_dag *dag, dry_op op, dry_node a) {
    return dry_dag__make(dag, op, 0, 0.0, (dry_node[]){a}, 1);
}

static dry_node make2(dry_dag *dag, dry_op op, dry_node a, dry_node b) {
    return dry_dag__make(dag, op, 0, 0.0, (dry_node[]){a, b}, 2);
}

static dry_node neg(dry_dag *dag, dry_node a) { return dry_dag_un(dag, DRY_OP_NEG, a); }

/* Commutative: the older node first. */
static dry_node in_order(dry_dag *dag, dry_op op, dry_node a, dry_node b) {
    return a <= b ? make2(dag, op, a, b) : make2(dag, op, b, a);
}

/* ---- one argument ------------------------------------------------------------------ */

dry_node dry_dag_un(dry_dag *dag, dry_op op, dry_node a) {
    const dry_op inner = op_of(dag, a);
    if (inner == DRY_OP_CONST) return dry_dag_const(dag, dry_op__value1(op, dag->nodes[a].value));
    if (op == DRY_OP_NEG && inner == DRY_OP_NEG) return argument(dag, a, 0);
    if (op == DRY_OP_NEG && inner == DRY_OP_SUB)
        return dry_dag_bin(dag, DRY_OP_SUB, argument(dag, a, 1), argument(dag, a, 0));
    if (op == DRY_OP_ABS && inner == DRY_OP_ABS) return a;
    if (op == DRY_OP_ABS && inner == DRY_OP_NEG) return make1(dag, op, argument(dag, a, 0));
    return make1(dag, op, a);
}

/* ---- two arguments: one rule per operation; NO_RULE where nothing applies ---------- */

static dry_node fold_add(dry_dag *dag, dry_node a, dry_node b) {
    if (dry_dag__is_const(dag, a, 0.0)) return b;
    if (dry_dag__is_const(dag, b, 0.0)) return a;
    if (is_neg(dag, b)) return dry_dag_bin(dag, DRY_OP_SUB, a, argument(dag, b, 0));
    if (is_neg(dag, a)) return dry_dag_bin(dag, DRY_OP_SUB, b, argument(dag, a, 0));
    return in_order(dag, DRY_OP_ADD, a, b);
}

static dry_node fold_sub(dry_dag *dag, dry_node a, dry_node b) {
    if (a == b) return dry_dag_const(dag, 0.0);
    if (dry_dag__is_const(dag, b, 0.0)) return a;
    if (dry_dag__is_const(dag, a, 0.0)) return neg(dag, b);
    if (is_neg(dag, b)) return dry_dag_bin(dag, DRY_OP_ADD, a, argument(dag, b, 0));
    return NO_RULE;
}

static dry_node fold_constant_factor(dry_dag *dag, dry_node c, dry_node x) {
    const double value = dag->nodes[c].value;
    if (value == 0.0) return dry_dag_const(dag, 0.0);
    if (value == 1.0) return x;
    if (value == -1.0) return neg(dag, x);
    if (is_neg(dag, x)) return make2(dag, DRY_OP_MUL, neg(dag, c), argument(dag, x, 0));
    return make2(dag, DRY_OP_MUL, c, x);
}

static dry_node fold_mul(dry_dag *dag, dry_node a, dry_node b) {
    if (is_constant(dag, a)) return fold_constant_factor(dag, a, b);
    if (is_constant(dag, b)) return fold_constant_factor(dag, b, a);
    if (is_neg(dag, a)) return neg(dag, dry_dag_bin(dag, DRY_OP_MUL, argument(dag, a, 0), b));
    if (is_neg(dag, b)) return neg(dag, dry_dag_bin(dag, DRY_OP_MUL, a, argument(dag, b, 0)));
    return in_order(dag, DRY_OP_MUL, a, b);
}

static dry_node fold_div(dry_dag *dag, dry_node a, dry_node b) {
    if (dry_dag__is_const(dag, a, 0.0)) return dry_dag_const(dag, 0.0);
    if (dry_dag__is_const(dag, b, 1.0)) return a;
    if (dry_dag__is_const(dag, b, -1.0)) return neg(dag, a);
    if (is_neg(dag, a)) return neg(dag, dry_dag_bin(dag, DRY_OP_DIV, argument(dag, a, 0), b));
    return NO_RULE;
}

static dry_node fold_pow(dry_dag *dag, dry_node a, dry_node b) {
    if (dry_dag__is_const(dag, a, 1.0) || dry_dag__is_const(dag, b, 0.0))
        return dry_dag_const(dag, 1.0);
    if (!is_constant(dag, b)) return NO_RULE;
    const double exponent = dag->nodes[b].value;
    const dry_node square =
        exponent == 2.0 || exponent == 3.0 ? dry_dag_bin(dag, DRY_OP_MUL, a, a) : 0;
    if (exponent == 1.0) return a;
    if (exponent == 2.0) return square;
    if (exponent == 3.0) return dry_dag_bin(dag, DRY_OP_MUL, square, a);
    if (exponent == 0.5) return dry_dag_un(dag, DRY_OP_SQRT, a);
    if (exponent == -1.0) return dry_dag_bin(dag, DRY_OP_DIV, dry_dag_const(dag, 1.0), a);
    return NO_RULE;
}

static dry_node fold_hypot(dry_dag *dag, dry_node a, dry_node b) {
    if (dry_dag__is_const(dag, a, 0.0)) return dry_dag_un(dag, DRY_OP_ABS, b);
    if (dry_dag__is_const(dag, b, 0.0)) return dry_dag_un(dag, DRY_OP_ABS, a);
    return NO_RULE;
}

static dry_node fold_extremum(dry_dag *dag, dry_node a, dry_node b) {
    (void)dag;
    return a == b ? a : NO_RULE;
}

static dry_node fold_sat(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag__is_const(dag, a, (double)INFINITY) ? b : NO_RULE;
}

static dry_node fold_unequal(dry_dag *dag, dry_node a, dry_node b) {
    return a == b ? dry_dag_const(dag, 0.0) : NO_RULE;
}

static dry_node fold_equal(dry_dag *dag, dry_node a, dry_node b) {
    return a == b ? dry_dag_const(dag, 1.0) : NO_RULE;
}

/* With x a truth value: 1 and x is x, 0 and x is 0; or the other way round. */
static dry_node fold_logic(dry_dag *dag, dry_op op, dry_node c, dry_node x) {
    const bool holds = dag->nodes[c].value != 0.0;
    if (holds == (op == DRY_OP_OR)) return dry_dag_const(dag, holds ? 1.0 : 0.0);
    return is_truth(dag, x) ? x : dry_dag_bin(dag, DRY_OP_NE, x, dry_dag_const(dag, 0.0));
}

static dry_node fold_and(dry_dag *dag, dry_node a, dry_node b) {
    if (is_constant(dag, a)) return fold_logic(dag, DRY_OP_AND, a, b);
    if (is_constant(dag, b)) return fold_logic(dag, DRY_OP_AND, b, a);
    return a == b && is_truth(dag, a) ? a : NO_RULE;
}

static dry_node fold_or(dry_dag *dag, dry_node a, dry_node b) {
    if (is_constant(dag, a)) return fold_logic(dag, DRY_OP_OR, a, b);
    if (is_constant(dag, b)) return fold_logic(dag, DRY_OP_OR, b, a);
    return a == b && is_truth(dag, a) ? a : NO_RULE;
}

typedef dry_node rule(dry_dag *dag, dry_node a, dry_node b);

static rule *const rules[DRY_N_OPS] = {
    [DRY_OP_ADD] = fold_add,      [DRY_OP_SUB] = fold_sub,      [DRY_OP_MUL] = fold_mul,
    [DRY_OP_DIV] = fold_div,      [DRY_OP_POW] = fold_pow,      [DRY_OP_HYPOT] = fold_hypot,
    [DRY_OP_MIN] = fold_extremum, [DRY_OP_MAX] = fold_extremum, [DRY_OP_SAT] = fold_sat,
    [DRY_OP_LT] = fold_unequal,   [DRY_OP_NE] = fold_unequal,   [DRY_OP_LE] = fold_equal,
    [DRY_OP_EQ] = fold_equal,     [DRY_OP_AND] = fold_and,      [DRY_OP_OR] = fold_or,
};

dry_node dry_dag_bin(dry_dag *dag, dry_op op, dry_node a, dry_node b) {
    if (is_constant(dag, a) && is_constant(dag, b))
        return dry_dag_const(dag, dry_op__value2(op, dag->nodes[a].value, dag->nodes[b].value));
    const dry_node folded = rules[op] ? rules[op](dag, a, b) : NO_RULE;
    return folded != NO_RULE ? folded : make2(dag, op, a, b);
}

/* ---- the others -------------------------------------------------------------------- */

dry_node dry_dag_select(dry_dag *dag, dry_node c, dry_node a, dry_node b) {
    if (is_constant(dag, c)) return dag->nodes[c].value != 0.0 ? a : b;
    if (a == b) return a;
    if (op_of(dag, c) == DRY_OP_NOT) return dry_dag_select(dag, argument(dag, c, 0), b, a);
    if (is_truth(dag, c) && dry_dag__is_const(dag, a, 1.0) && dry_dag__is_const(dag, b, 0.0))
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
