/* Exact derivatives: each operation has a rule that gives the derivative of a node from those of
 * its arguments; a walk applies them from the variable up to the root.
 *
 * Laws: d(results) = J d(u, s), J the law's own Jacobian. X13 (18) by F where it slips, with
 * b = beta + tau and y = K (a + b theta): df/dF = y/|y|, d(a_dot)/dF = y/(|y| K b).
 * Solve: A x = b gives A dx = db - dA x. */
#include "dag_private.h"
#include <stdlib.h>

typedef struct pass {
    dry_dag *dag;
    dry_node variable;    /* -1: along the motion */
    const dry_node *rate; /* of the states, along the motion */
    int n_states;
} pass;

/* ---- short names for what the rules build ------------------------------------------ */

static dry_node num(dry_dag *dag, double value) { return dry_dag_const(dag, value); }
static dry_node un(dry_dag *dag, dry_op op, dry_node a) { return dry_dag_un(dag, op, a); }
static dry_node add(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_ADD, a, b);
}
static dry_node sub(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_SUB, a, b);
}
static dry_node mul(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_MUL, a, b);
}
static dry_node over(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_DIV, a, b);
}
static dry_node square(dry_dag *dag, dry_node a) { return mul(dag, a, a); }
static dry_node less(dry_dag *dag, dry_node a, dry_node b) {
    return dry_dag_bin(dag, DRY_OP_LT, a, b);
}

/* The derivative where the argument moves, with d its derivative; 0 where it rests, also where the
 * slope of the operation is infinite: sqrt(max(0, x)) for x < 0, the length of a vector at rest. */
static dry_node where_moving(dry_dag *dag, dry_node d, dry_node derivative) {
    const dry_node moves = dry_dag_bin(dag, DRY_OP_NE, d, num(dag, 0.0));
    return dry_dag_select(dag, moves, derivative, num(dag, 0.0));
}

/* ---- rules: self = op(a[0], a[1], a[2]), d the derivatives of the arguments -------- */

typedef dry_node rule(dry_dag *dag, dry_node self, const dry_node *a, const dry_node *d);

#define RULE(name)                                                                                 \
    static dry_node name(dry_dag *dag, dry_node self, const dry_node *a, const dry_node *d)

RULE(d_neg) {
    (void)self, (void)a;
    return un(dag, DRY_OP_NEG, d[0]);
}
RULE(d_abs) {
    (void)self;
    return mul(dag, un(dag, DRY_OP_SIGN, a[0]), d[0]);
}
RULE(d_sqrt) {
    (void)a;
    return where_moving(dag, d[0], over(dag, d[0], mul(dag, num(dag, 2.0), self)));
}
RULE(d_exp) {
    (void)a;
    return mul(dag, self, d[0]);
}
RULE(d_log) {
    (void)self;
    return over(dag, d[0], a[0]);
}
RULE(d_sin) {
    (void)self;
    return mul(dag, un(dag, DRY_OP_COS, a[0]), d[0]);
}
RULE(d_cos) {
    (void)self;
    return un(dag, DRY_OP_NEG, mul(dag, un(dag, DRY_OP_SIN, a[0]), d[0]));
}
RULE(d_tan) {
    (void)a;
    return mul(dag, add(dag, num(dag, 1.0), square(dag, self)), d[0]);
}
RULE(d_asin) {
    (void)self;
    const dry_node other = un(dag, DRY_OP_SQRT, sub(dag, num(dag, 1.0), square(dag, a[0])));
    return where_moving(dag, d[0], over(dag, d[0], other));
}
RULE(d_acos) { return un(dag, DRY_OP_NEG, d_asin(dag, self, a, d)); }
RULE(d_atan) {
    (void)self;
    return over(dag, d[0], add(dag, num(dag, 1.0), square(dag, a[0])));
}
RULE(d_sinh) {
    (void)self;
    return mul(dag, un(dag, DRY_OP_COSH, a[0]), d[0]);
}
RULE(d_cosh) {
    (void)self;
    return mul(dag, un(dag, DRY_OP_SINH, a[0]), d[0]);
}
RULE(d_tanh) {
    (void)a;
    return mul(dag, sub(dag, num(dag, 1.0), square(dag, self)), d[0]);
}
RULE(d_add) {
    (void)self, (void)a;
    return add(dag, d[0], d[1]);
}
RULE(d_sub) {
    (void)self, (void)a;
    return sub(dag, d[0], d[1]);
}
RULE(d_mul) {
    (void)self;
    return add(dag, mul(dag, d[0], a[1]), mul(dag, a[0], d[1]));
}
RULE(d_div) { return over(dag, sub(dag, d[0], mul(dag, self, d[1])), a[1]); }
/* b a^(b-1) da + a^b log(a) db; a power of a base <= 0 is defined for fixed exponents only, or 0 */
RULE(d_pow) {
    const dry_node reduced = dry_dag_bin(dag, DRY_OP_POW, a[0], sub(dag, a[1], num(dag, 1.0)));
    const dry_node by_base = where_moving(dag, d[0], mul(dag, mul(dag, a[1], reduced), d[0]));
    if (dry_dag__is_const(dag, d[1], 0.0)) return by_base;
    const dry_node slope = mul(dag, mul(dag, self, un(dag, DRY_OP_LOG, a[0])), d[1]);
    const dry_node positive = less(dag, num(dag, 0.0), a[0]);
    return add(dag, by_base, dry_dag_select(dag, positive, slope, num(dag, 0.0)));
}
RULE(d_atan2) { /* (x dy - y dx)/(x^2 + y^2) */
    (void)self;
    return over(dag, sub(dag, mul(dag, a[1], d[0]), mul(dag, a[0], d[1])),
                add(dag, square(dag, a[0]), square(dag, a[1])));
}
RULE(d_hypot) {
    const dry_node moving = add(dag, mul(dag, a[0], d[0]), mul(dag, a[1], d[1]));
    return where_moving(dag, moving, over(dag, moving, self));
}
RULE(d_min) {
    (void)self;
    return dry_dag_select(dag, less(dag, a[0], a[1]), d[0], d[1]);
}
RULE(d_max) {
    (void)self;
    return dry_dag_select(dag, less(dag, a[1], a[0]), d[0], d[1]);
}
RULE(d_sat) { /* sat(Z, x): dZ above Z, -dZ below -Z, dx between */
    (void)self;
    const dry_node below = less(dag, a[1], un(dag, DRY_OP_NEG, a[0]));
    const dry_node rest = dry_dag_select(dag, below, un(dag, DRY_OP_NEG, d[0]), d[1]);
    return dry_dag_select(dag, less(dag, a[0], a[1]), d[0], rest);
}
RULE(d_select) {
    (void)self;
    return dry_dag_select(dag, a[0], d[1], d[2]);
}
#undef RULE

/* No rule: piecewise constant. */
static rule *const rules[DRY_N_OPS] = {
    [DRY_OP_NEG] = d_neg,       [DRY_OP_ABS] = d_abs,     [DRY_OP_SQRT] = d_sqrt,
    [DRY_OP_EXP] = d_exp,       [DRY_OP_LOG] = d_log,     [DRY_OP_SIN] = d_sin,
    [DRY_OP_COS] = d_cos,       [DRY_OP_TAN] = d_tan,     [DRY_OP_ASIN] = d_asin,
    [DRY_OP_ACOS] = d_acos,     [DRY_OP_ATAN] = d_atan,   [DRY_OP_SINH] = d_sinh,
    [DRY_OP_COSH] = d_cosh,     [DRY_OP_TANH] = d_tanh,   [DRY_OP_ADD] = d_add,
    [DRY_OP_SUB] = d_sub,       [DRY_OP_MUL] = d_mul,     [DRY_OP_DIV] = d_div,
    [DRY_OP_POW] = d_pow,       [DRY_OP_ATAN2] = d_atan2, [DRY_OP_HYPOT] = d_hypot,
    [DRY_OP_MIN] = d_min,       [DRY_OP_MAX] = d_max,     [DRY_OP_SAT] = d_sat,
    [DRY_OP_SELECT] = d_select,
};

/* ---- blocks ------------------------------------------------------------------------ */

/* The derivative found for a node; of a block: the node it is made from (below). */
static dry_node found(const pass *p, dry_node node) { return p->dag->memo->cells[node].node; }

static void keep(const pass *p, dry_node node, dry_node derivative) {
    dry_memo__set(p->dag->memo, node, (dry_memo_cell){.node = derivative});
}

/* db - dA x, row i */
static dry_node solve_row(const pass *p, dry_node block, int n, int i) {
    dry_dag *dag = p->dag;
    const dry_node *args = dry_dag__args(dag, block);
    dry_node row = found(p, args[n * n + i]);
    for (int j = 0; j < n; j++) {
        const dry_node dA = found(p, dry_dag__args(dag, block)[i * n + j]);
        if (dA != 0) row = sub(dag, row, mul(dag, dA, dry_dag_pick(dag, block, j)));
    }
    return row;
}

/* The block dx = A^-1 (db - dA x); 0 where all derivatives vanish. */
static dry_node solve_derivative(const pass *p, dry_node node) {
    dry_dag *dag = p->dag;
    const dry_block_info info = *dry_dag__block(dag, node);
    const int n = info.n_results;
    dry_node *args = dry_heap_take(p->dag->arena, (size_t)info.n_args, sizeof *args);
    if (!args) {
        dag->failed = true;
        return 0;
    }
    bool any = false;
    for (int i = 0; i < n * n; i++) args[i] = dry_dag__args(dag, node)[i];
    for (int i = 0; i < n; i++) {
        args[n * n + i] = solve_row(p, node, n, i);
        any |= args[n * n + i] != 0;
    }
    const dry_node derivative =
        any ? dry_dag_block(dag, DRY_OP_SOLVE, info.block, args, info.n_args) : 0;
    free(args);
    return derivative;
}

/* y_i = K (a_i + (beta + tau) theta_i) of a coulomb block, as dry_friction computes it. */
static dry_node trial(dry_dag *dag, dry_node block, const dry_block_info *info, dry_node b, int i) {
    const dry_node *args = dry_dag__args(dag, block);
    const dry_node K = args[info->at[1]], theta = args[info->n_par + i];
    const dry_node a = args[info->n_par + info->n_inputs + i];
    return mul(dag, K, add(dag, a, mul(dag, b, theta)));
}

/* d result i/dF of a coulomb block */
static dry_node slope_by_F(dry_dag *dag, dry_node block, const dry_block_info *info, int i) {
    const int dim = info->block.dim;
    const dry_node F = dry_dag__args(dag, block)[info->at[0]];
    const dry_node K = dry_dag__args(dag, block)[info->at[1]];
    const dry_node beta = dry_dag__args(dag, block)[info->at[2]];
    const dry_node b = add(dag, beta, dry_dag_leaf(dag, DRY_OP_TAU, 0));
    const dry_node y = trial(dag, block, info, b, i % dim);
    dry_node length = un(dag, DRY_OP_ABS, trial(dag, block, info, b, 0));
    for (int k = 1; k < dim; k++)
        length = dry_dag_bin(dag, DRY_OP_HYPOT, length, trial(dag, block, info, b, k));
    const dry_node way = dim == 1 ? un(dag, DRY_OP_SIGN, y) : over(dag, y, length);
    const dry_node slope = i < dim ? way : over(dag, way, mul(dag, K, b));
    return dry_dag_select(dag, less(dag, F, length), slope, num(dag, 0.0));
}

/* Row `index` of J d(u, s), and the part of F. */
static dry_node law_derivative(const pass *p, dry_node block, int index) {
    dry_dag *dag = p->dag;
    const dry_block_info info = *dry_dag__block(dag, block);
    const int columns = info.n_inputs + info.n_states;
    const dry_node jacobian = found(p, block);
    dry_node sum = 0;
    for (int k = 0; k < columns; k++) {
        const dry_node d = found(p, dry_dag__args(dag, block)[info.n_par + k]);
        if (d == 0) continue;
        sum = add(dag, sum, mul(dag, dry_dag_pick(dag, jacobian, index * columns + k), d));
    }
    if (info.role != DRY_ROLE_COULOMB) return sum;
    const dry_node dF = found(p, dry_dag__args(dag, block)[info.at[0]]);
    return dF == 0 ? sum : add(dag, sum, mul(dag, slope_by_F(dag, block, &info, index), dF));
}

/* The block with the same arguments that gives the Jacobian. */
static dry_node law_jacobian(dry_dag *dag, dry_node node) {
    const dry_block_info info = *dry_dag__block(dag, node);
    dry_node *args = dry_heap_take(dag->arena, 1, (size_t)info.n_args * sizeof *args + 1);
    if (!args) {
        dag->failed = true;
        return 0;
    }
    for (int i = 0; i < info.n_args; i++) args[i] = dry_dag__args(dag, node)[i];
    const dry_node jacobian = dry_dag_block(dag, DRY_OP_LAW_JAC, info.block, args, info.n_args);
    free(args);
    return jacobian;
}

/* What the derivatives of a block's results are picked from: the solved block, or the Jacobian; the
 * other blocks are taken as piecewise constant. */
static dry_node block_derivative(const pass *p, dry_node node) {
    switch (p->dag->nodes[node].op) {
    case DRY_OP_SOLVE: return solve_derivative(p, node);
    case DRY_OP_LAW: return law_jacobian(p->dag, node);
    default: return 0;
    }
}

static dry_node pick_derivative(const pass *p, dry_node block, int index) {
    if (found(p, block) == 0) return 0;
    return p->dag->nodes[block].op == DRY_OP_SOLVE ? dry_dag_pick(p->dag, found(p, block), index)
                                                   : law_derivative(p, block, index);
}

/* ---- the walk ---------------------------------------------------------------------- */

/* A node made before the variable, or that does not depend on what the variable depends on, does
 * not depend on the variable. */
static bool is_independent(const pass *p, dry_node node) {
    const unsigned depends = p->dag->nodes[node].depends;
    if (p->variable < 0) return !(depends & (DRY_ON_STATE | DRY_ON_T));
    const unsigned needed = p->dag->nodes[p->variable].depends;
    return node < p->variable || (depends & needed) != needed;
}

static dry_node leaf_derivative(const pass *p, dry_node node) {
    const dry_node_record n = p->dag->nodes[node];
    if (p->variable >= 0) return 0;
    if (n.op == DRY_OP_T) return num(p->dag, 1.0);
    return n.op == DRY_OP_STATE && n.index < p->n_states ? p->rate[n.index] : 0;
}

static bool enter(void *context, dry_node node) {
    const pass *p = context;
    if (is_independent(p, node))
        keep(p, node, 0);
    else if (dry_op__is_leaf((dry_op)p->dag->nodes[node].op))
        keep(p, node, leaf_derivative(p, node));
    else
        return false;
    return true;
}

static void leave(void *context, dry_node node) {
    const pass *p = context;
    const dry_node_record n = p->dag->nodes[node];
    const dry_op op = (dry_op)n.op;
    dry_node d[3] = {0, 0, 0}, derivative = 0;
    if (dry_op__is_block(op)) {
        derivative = block_derivative(p, node);
    } else if (op == DRY_OP_PICK) {
        derivative = pick_derivative(p, n.args[0], n.index);
    } else if (rules[op]) {
        for (int i = 0; i < n.n_args; i++) d[i] = found(p, n.args[i]);
        derivative = rules[op](p->dag, node, n.args, d);
    }
    keep(p, node, derivative);
}

static dry_node differentiate(pass *p, dry_node root) {
    const dry_walk walk = {p, enter, leave};
    if (!dry_dag__walk(p->dag, root, &walk)) p->dag->failed = true;
    return p->dag->failed ? 0 : found(p, root);
}

static bool begin(dry_dag *dag) {
    if (!dag->failed && !dry_memo__begin(dag)) dag->failed = true;
    return !dag->failed;
}

dry_node dry_dag_diff(dry_dag *dag, dry_node root, dry_node variable, const dry_node *frozen,
                      int n_frozen) {
    pass p = {.dag = dag, .variable = variable};
    const dry_node one = dry_dag_const(dag, 1.0);
    if (!begin(dag)) return 0;
    for (int i = 0; i < n_frozen; i++) keep(&p, frozen[i], 0);
    keep(&p, variable, one);
    return differentiate(&p, root);
}

dry_node dry_dag_time_derivative(dry_dag *dag, dry_node root, const dry_node *rate, int n_states) {
    pass p = {.dag = dag, .variable = -1, .rate = rate, .n_states = n_states};
    return begin(dag) ? differentiate(&p, root) : 0;
}
