/* Exact derivatives: the row of each operation (ops.def) gives the derivative of a node from those
 * of its arguments; a walk applies it from the variable up to the root.
 *
 * Laws: d(results) = J d(u, s), J the law's own Jacobian. X13 (18) by F where it slips, with
 * b = beta + tau and y = K (a + b theta): df/dF = y/|y|, d(a_dot)/dF = y/(|y| K b).
 * Solve: A x = b gives A dx = db - dA x.
 * In a direction of states and parameters, laws differentiate by all that they are given. */
#include "dag_private.h"
#include "formula.h"
#include "ops.h"
#include <stdlib.h>

typedef struct pass {
    dry_dag *dag;
    dry_node variable;    /* -1: along the motion */
    const dry_node *rate; /* of the states, along the motion */
    int n_states;
    const dry_direction *direction; /* NULL: by the variable, or along the motion */
    const char *lacks;              /* the law that does not give what the direction needs */
} pass;

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

/* Returns the block dx = A^-1 (db - dA x), or 0 if all derivatives vanish. */
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
    const dry_node way = dim == 1 ? un(dag, DRY_OP_SIDE, y) : over(dag, y, length);
    const dry_node slope = i < dim ? way : over(dag, way, mul(dag, K, b));
    return dry_dag_select(dag, less(dag, F, length), slope, num(dag, 0.0));
}

/* Returns the block of this kind with the first n_args arguments of a law's block. */
static dry_node law_block(dry_dag *dag, dry_node node, dry_op op, int n_args) {
    const dry_block_info info = *dry_dag__block(dag, node);
    dry_node *args = dry_heap_take(dag->arena, 1, (size_t)info.n_args * sizeof *args + 1);
    if (!args) {
        dag->failed = true;
        return 0;
    }
    for (int i = 0; i < n_args; i++) args[i] = dry_dag__args(dag, node)[i];
    const dry_node block = dry_dag_block(dag, op, info.block, args, n_args);
    free(args);
    return block;
}

/* Row `index` of a block of derivatives times the changes of arguments 0 .. n; such a block is made
 * if one of them changes. */
static dry_node row_times(const pass *p, dry_node node, dry_op op, int index, int n) {
    dry_dag *dag = p->dag;
    const int n_args = dry_dag__block(dag, node)->n_args;
    dry_node sum = 0;
    for (int k = 0; k < n; k++) {
        const dry_node d = found(p, dry_dag__args(dag, node)[k]);
        if (d == 0) continue;
        const dry_node by = law_block(dag, node, op, n_args);
        sum = add(dag, sum, mul(dag, dry_dag_pick(dag, by, index * n + k), d));
    }
    return sum;
}

/* Row `index` of J d(u, s). */
static dry_node row_of_jacobian(const pass *p, dry_node block, int index) {
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
    return sum;
}

/* Row `index` of J d(u, s), and the part of F; in a direction the parts of all parameters. */
static dry_node law_derivative(const pass *p, dry_node block, int index) {
    dry_dag *dag = p->dag;
    const dry_block_info info = *dry_dag__block(dag, block);
    if (dag->nodes[found(p, block)].op == DRY_OP_LAW_TANGENTS)
        return dry_dag_pick(dag, found(p, block), index);
    const dry_node sum = row_of_jacobian(p, block, index);
    if (p->direction)
        return add(dag, sum, row_times(p, block, DRY_OP_LAW_BY_PAR, index, info.n_par));
    if (info.role != DRY_ROLE_COULOMB) return sum;
    const dry_node dF = found(p, dry_dag__args(dag, block)[info.at[0]]);
    return dF == 0 ? sum : add(dag, sum, mul(dag, slope_by_F(dag, block, &info, index), dF));
}

static bool any_changes(const pass *p, dry_node node, int n) {
    bool any = false;
    for (int k = 0; k < n; k++) any = any || found(p, dry_dag__args(p->dag, node)[k]) != 0;
    return any;
}

/* Whether an argument changes in several ways. */
static bool any_wide(const pass *p, dry_node node) {
    const int n = dry_dag__block(p->dag, node)->n_args;
    bool any = false;
    for (int k = 0; k < n; k++)
        any = any || dry_dag_is_wide(p->dag, found(p, dry_dag__args(p->dag, node)[k]));
    return any;
}

/* Returns the block of the changes of the results. */
static dry_node law_tangents(const pass *p, dry_node node) {
    dry_dag *dag = p->dag;
    const dry_block_info info = *dry_dag__block(dag, node);
    dry_node *args = dry_heap_take(dag->arena, 2 * (size_t)info.n_args, sizeof *args);
    if (!args) {
        dag->failed = true;
        return 0;
    }
    for (int k = 0; k < info.n_args; k++) {
        args[k] = dry_dag__args(dag, node)[k];
        args[info.n_args + k] = found(p, args[k]);
    }
    const dry_node block =
        dry_dag_block(dag, DRY_OP_LAW_TANGENTS, info.block, args, 2 * info.n_args);
    free(args);
    return block;
}

/* Returns the block with the same arguments that computes the Jacobian, or the changes. */
static dry_node law_jacobian(pass *p, dry_node node) {
    const dry_block_info *info = dry_dag__block(p->dag, node);
    const dry_law *law = info->block.law;
    if (p->direction && !law->by_par && any_changes(p, node, info->n_par)) p->lacks = law->name;
    if (law->tangents && any_wide(p, node)) return law_tangents(p, node);
    return law_block(p->dag, node, DRY_OP_LAW_JAC, info->n_args);
}

/* The start of a law counts as constant, but not in a direction. */
static dry_node law_start(pass *p, dry_node node) {
    const dry_block_info *info = dry_dag__block(p->dag, node);
    const dry_law *law = info->block.law;
    if (!p->direction || !law->start || !any_changes(p, node, info->n_args)) return 0;
    if (!law->start_by) p->lacks = law->name;
    return law->start_by ? node : 0;
}

static dry_node start_derivative(const pass *p, dry_node block, int index) {
    return row_times(p, block, DRY_OP_LAW_START_BY, index, dry_dag__block(p->dag, block)->n_args);
}

/* Result k of a table with one argument is its derivative k; with two arguments the results are the
 * value, the derivatives by a, by b, and by both. */
static dry_node table_derivative(const pass *p, dry_node block, int index) {
    static const int by_a[] = {1, -1, 3, -1}, by_b[] = {2, 3, -1, -1};
    dry_dag *dag = p->dag;
    const dry_table *table = dry_dag__block(dag, block)->block.table;
    const dry_node da = found(p, dry_dag__args(dag, block)[0]);
    const dry_node db = table->n2 ? found(p, dry_dag__args(dag, block)[1]) : 0;
    const int next = index < dry_table__degree(table) ? index + 1 : -1;
    const int a = table->n2 ? by_a[index] : next, b = by_b[index];
    dry_node sum = 0;
    if (da != 0 && a >= 0) sum = mul(dag, dry_dag_pick(dag, block, a), da);
    if (db != 0 && b >= 0) sum = add(dag, sum, mul(dag, dry_dag_pick(dag, block, b), db));
    return sum;
}

/* Returns the block from which the derivatives of a block's results are picked: the solved block,
 * the Jacobian, or the table itself. The other blocks count as piecewise constant. */
static dry_node block_derivative(pass *p, dry_node node) {
    switch (p->dag->nodes[node].op) {
    case DRY_OP_SOLVE: return solve_derivative(p, node);
    case DRY_OP_LAW: return law_jacobian(p, node);
    case DRY_OP_LAW_START: return law_start(p, node);
    case DRY_OP_TABLE: return node;
    default: return 0;
    }
}

static dry_node pick_derivative(const pass *p, dry_node block, int index) {
    if (found(p, block) == 0) return 0;
    switch (p->dag->nodes[block].op) {
    case DRY_OP_SOLVE: return dry_dag_pick(p->dag, found(p, block), index);
    case DRY_OP_TABLE: return table_derivative(p, block, index);
    case DRY_OP_LAW_START: return start_derivative(p, block, index);
    default: return law_derivative(p, block, index);
    }
}

/* ---- the walk ---------------------------------------------------------------------- */

/* A node does not depend on the variable if it was made before the variable, or if it does not
 * depend on what the variable depends on. */
static bool is_independent(const pass *p, dry_node node) {
    const unsigned depends = p->dag->nodes[node].depends;
    if (p->direction) return !(depends & (DRY_ON_STATE | DRY_ON_PAR));
    if (p->variable < 0) return !(depends & (DRY_ON_STATE | DRY_ON_T));
    const unsigned needed = p->dag->nodes[p->variable].depends;
    return node < p->variable || (depends & needed) != needed;
}

static dry_node change_of(const dry_direction *d, const dry_node_record *n) {
    if (n->op == DRY_OP_STATE) return n->index < d->n_states ? d->state[n->index] : 0;
    return n->op == DRY_OP_PAR && n->index < d->n_par ? d->par[n->index] : 0;
}

static dry_node leaf_derivative(const pass *p, dry_node node) {
    const dry_node_record n = p->dag->nodes[node];
    if (p->direction) return change_of(p->direction, &n);
    if (p->variable >= 0) return 0;
    if (n.op == DRY_OP_T) return num(p->dag, 1.0);
    return n.op == DRY_OP_STATE && n.index < p->n_states ? p->rate[n.index] : 0;
}

static bool enter(void *context, dry_node node) {
    const pass *p = context;
    if (is_independent(p, node))
        keep(p, node, 0);
    else if (dry_op_is_leaf((dry_op)p->dag->nodes[node].op))
        keep(p, node, leaf_derivative(p, node));
    else
        return false;
    return true;
}

static void leave(void *context, dry_node node) {
    pass *p = context;
    const dry_node_record n = p->dag->nodes[node];
    const dry_op op = (dry_op)n.op;
    dry_node d[3] = {0, 0, 0}, derivative = 0;
    if (dry_op_is_block(op)) {
        derivative = block_derivative(p, node);
    } else if (op == DRY_OP_PICK) {
        derivative = pick_derivative(p, n.args[0], n.index);
    } else {
        for (int i = 0; i < n.n_args; i++) d[i] = found(p, n.args[i]);
        derivative = op == DRY_OP_SELECT ? dry_dag_select(p->dag, n.args[0], d[1], d[2])
                                         : dry_op_rows[op].derivative(p->dag, node, n.args, d);
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

bool dry_dag_directional(dry_dag *dag, const dry_node *roots, int n_roots,
                         const dry_direction *direction, dry_node *derivatives, const char **by) {
    pass p = {.dag = dag, .variable = -1, .direction = direction};
    if (!begin(dag)) return true;
    for (int i = 0; i < n_roots; i++) derivatives[i] = differentiate(&p, roots[i]);
    *by = p.lacks;
    return !p.lacks;
}

/* ---- what is lacking ----------------------------------------------------------------- */

typedef struct survey {
    const dry_dag *dag;
    const dry_direction *direction;
    const char *lacks;
} survey;

static bool changes(const survey *s, const dry_node *args, int n) {
    bool any = false;
    for (int i = 0; i < n; i++) any = any || s->dag->memo->cells[args[i]].node;
    return any;
}

static void look(void *context, dry_node node) {
    survey *s = context;
    const dry_node_record *n = dry_dag__at(s->dag, node);
    const dry_node *args = dry_dag__args(s->dag, node);
    bool any = changes(s, args, n->n_args);
    if (dry_op_is_leaf((dry_op)n->op)) any = change_of(s->direction, n) != 0;
    if (n->op == DRY_OP_LAW) {
        const dry_block_info *info = dry_dag__block(s->dag, node);
        const dry_law *law = info->block.law;
        if (!law->by_par && changes(s, args, info->n_par)) s->lacks = law->name;
    }
    if (n->op == DRY_OP_LAW_START && any) {
        const dry_law *law = dry_dag__block(s->dag, node)->block.law;
        if (law->start && !law->start_by) s->lacks = law->name;
    }
    dry_memo__set(s->dag->memo, node, (dry_memo_cell){.node = any});
}

const char *dry_dag_lacking(dry_dag *dag, const dry_node *roots, int n_roots,
                            const dry_direction *direction) {
    survey s = {dag, direction, NULL};
    const dry_walk walk = {.context = &s, .leave = look};
    if (!begin(dag)) return NULL;
    for (int i = 0; i < n_roots; i++)
        if (!dry_dag__walk(dag, roots[i], &walk)) dag->failed = true;
    return s.lacks;
}
