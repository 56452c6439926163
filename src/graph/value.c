/* The value of one node by direct evaluation of what it needs, for use while a model is compiled.
 */
#include "dag_private.h"
#include <math.h>

typedef struct pass {
    const dry_dag *dag;
    const double *par, *x;
    double t, tau;
    bool failed;
} pass;

static double value_of(const pass *p, dry_node node) { return p->dag->memo->cells[node].value; }

static double leaf_value(const pass *p, const dry_node_record *n) {
    switch (n->op) {
    case DRY_OP_CONST: return n->value;
    case DRY_OP_PAR: return p->par[n->index];
    case DRY_OP_T: return p->t;
    case DRY_OP_TAU: return p->tau;
    case DRY_OP_STATE: return p->x[n->index];
    default: return (double)NAN;
    }
}

/* Arguments are gathered after the results in the pool of numbers. */
static void run_block(pass *p, dry_node node) {
    dry_memo *memo = p->dag->memo;
    const dry_block_info *info = dry_dag__block(p->dag, node);
    const dry_node *args = dry_dag__args(p->dag, node);
    const int at = memo->n_numbers, end = at + info->n_results;
    dry_memo__set(memo, node, (dry_memo_cell){.offset = at});
    if (!dry_dag_grow(memo->arena, &memo->numbers, &memo->numbers_capacity, end + info->n_args,
                      sizeof(double))) {
        p->failed = true;
        return;
    }
    double *results = memo->numbers + at, *given = memo->numbers + end;
    for (int i = 0; i < info->n_args; i++) given[i] = value_of(p, args[i]);
    memo->n_numbers = end;
    if (info->op == DRY_OP_SOLVE) {
        const int n = info->n_results;
        for (int i = 0; i < n; i++) results[i] = given[n * n + i];
        dry_block__solve(n, given, results);
    } else {
        const double *u = given + info->n_par, *s = u + info->n_inputs;
        dry_block__run(info, given, u, s, p->tau, DRY_AS_IS, results);
    }
}

static double node_value(const pass *p, dry_node node) {
    const dry_node_record *n = dry_dag__at(p->dag, node);
    const dry_op op = (dry_op)n->op;
    if (dry_op_is_leaf(op)) return leaf_value(p, n);
    if (op == DRY_OP_PICK) {
        const dry_memo *memo = p->dag->memo;
        return memo->numbers[memo->cells[n->args[0]].offset + n->index];
    }
    const double a = value_of(p, n->args[0]);
    if (n->n_args == 1) return dry_op__value1(op, a);
    const double b = value_of(p, n->args[1]);
    if (n->n_args == 2) return dry_op__value2(op, a, b);
    return a != 0.0 ? b : value_of(p, n->args[2]);
}

static void leave(void *context, dry_node node) {
    pass *p = context;
    if (p->failed)
        dry_memo__set(p->dag->memo, node, (dry_memo_cell){.value = (double)NAN});
    else if (dry_op_is_block((dry_op)p->dag->nodes[node].op))
        run_block(p, node);
    else
        dry_memo__set(p->dag->memo, node, (dry_memo_cell){.value = node_value(p, node)});
}

double dry_dag_value(const dry_dag *dag, dry_node node, const double *par, double t,
                     const double *x, const dry_override *overrides, int n_overrides) {
    pass p = {.dag = dag, .par = par, .x = x, .t = t};
    if (dag->failed || !dry_memo__begin(dag)) return (double)NAN;
    for (int i = 0; i < n_overrides; i++) {
        const dry_override *given = overrides + i;
        dry_memo__set(dag->memo, given->node, (dry_memo_cell){.value = given->value});
        if (dag->nodes[given->node].op == DRY_OP_TAU) p.tau = given->value;
    }
    const dry_walk walk = {.context = &p, .leave = leave};
    if (!dry_dag__walk(dag, node, &walk) || p.failed) return (double)NAN;
    return value_of(&p, node);
}
