/* Random graphs for property tests: a pool of nodes in which each new one combines earlier ones. */
#ifndef DRY_TESTS_LANG_RANDOM_DAG_H
#define DRY_TESTS_LANG_RANDOM_DAG_H

#include "graph/dag.h"
#include <stdint.h>
#include <string.h>

enum { N_PAR = 4, N_STATES = 6, MOST_NODES = 256 };

/* Blocks in a pool: none; laws as they are meant; laws with a parameter that may be anything. */
typedef enum blocks { NO_BLOCKS, TAME_BLOCKS, WILD_BLOCKS } blocks;

typedef struct pool {
    dry_dag *dag;
    blocks blocks;
    dry_node nodes[MOST_NODES];
    int n;
    uint64_t seed;
} pool;

static inline uint64_t draw(pool *p) { /* splitmix64 */
    uint64_t z = p->seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline int draw_below(pool *p, int n) { return (int)(draw(p) % (uint64_t)n); }

static inline double draw_between(pool *p, double low, double high) {
    return low + (high - low) * (double)(draw(p) >> 11) * 0x1p-53;
}

static inline void keep(pool *p, dry_node node) {
    if (p->n < MOST_NODES) p->nodes[p->n++] = node;
}

/* A node of the pool, the younger ones more often. */
static inline dry_node any(pool *p) {
    const int a = draw_below(p, p->n), b = draw_below(p, p->n);
    return p->nodes[a > b ? a : b];
}

static inline void add_leaves(pool *p) {
    const double constants[] = {1.0, 2.0, -0.5, 0.25, 3.0};
    for (int i = 0; i < 5; i++) keep(p, dry_dag_const(p->dag, constants[i]));
    for (int i = 0; i < N_PAR; i++) keep(p, dry_dag_leaf(p->dag, DRY_OP_PAR, i));
    keep(p, dry_dag_leaf(p->dag, DRY_OP_T, 0));
    keep(p, dry_dag_leaf(p->dag, DRY_OP_TAU, 0));
    for (int i = 0; i < N_STATES; i++) keep(p, dry_dag_leaf(p->dag, DRY_OP_STATE, i));
}

static inline void add_unary(pool *p) {
    const dry_op op = (dry_op)(DRY_OP_NEG + draw_below(p, DRY_OP_NOT - DRY_OP_NEG + 1));
    if (op == DRY_OP_ROUNDING) return; /* a quotient by it leaves nothing of what is added */
    keep(p, dry_dag_un(p->dag, op, any(p)));
}

static inline void add_binary(pool *p) {
    const int all = DRY_OP_OR - DRY_OP_ADD + 1;
    const dry_op op = (dry_op)(DRY_OP_ADD + draw_below(p, draw_below(p, 2) ? 4 : all));
    const dry_node a = any(p);
    keep(p, dry_dag_bin(p->dag, op, a, any(p)));
}

static inline void add_select(pool *p) {
    const dry_op op = draw_below(p, 2) ? DRY_OP_LT : DRY_OP_LE;
    const dry_node a = any(p), b = any(p), x = any(p), y = any(p);
    const dry_node c = draw_below(p, 4) ? dry_dag_bin(p->dag, op, a, b) : a;
    keep(p, dry_dag_select(p->dag, c, x, y));
}

static inline void add_solve(pool *p) {
    dry_node args[12];
    const int n = 1 + draw_below(p, 3);
    for (int i = 0; i < n * n + n; i++) args[i] = any(p);
    const dry_node block =
        dry_dag_block(p->dag, DRY_OP_SOLVE, (dry_block){.dim = n, .elements = 1}, args, n * n + n);
    for (int i = 0; i < n; i++) keep(p, dry_dag_pick(p->dag, block, i));
}

/* The block of a law with its default parameters; the first one that is no count may be replaced
 * by `level` (-1: it is not). Inputs and states are drawn. */
static inline dry_node law_block(pool *p, dry_op op, const dry_law *law, int dim, int elements,
                                 dry_node level) {
    double par[64];
    dry_node args[128];
    int n = dry_law_par_size(law, elements);
    dry_law_defaults(law, elements, par);
    for (int i = 0; i < n; i++) args[i] = dry_dag_const(p->dag, par[i]);
    if (level >= 0 && law->params[0].form == DRY_SCALAR) args[0] = level;
    const int more =
        dry_law_inputs(law, dim) + (op == DRY_OP_LAW_START ? 0 : dry_law_states(law, par, dim));
    for (int i = 0; i < more; i++) args[n++] = any(p);
    return dry_dag_block(p->dag, op, (dry_block){.law = law, .dim = dim, .elements = elements},
                         args, n);
}

static inline void add_law(pool *p) {
    const dry_law *law = dry_law_at(draw_below(p, dry_law_count()));
    if (draw_below(p, 2)) law = dry_law_find(draw_below(p, 2) ? "coulomb" : "contact");
    const int dim = law->max_dim ? 1 + draw_below(p, law->max_dim) : 0;
    const int elements = law->params[0].form == DRY_COUNT ? 1 + draw_below(p, 3) : 1;
    const dry_op ops[] = {DRY_OP_LAW, DRY_OP_LAW_JAC, DRY_OP_LAW_KINKS, DRY_OP_LAW_FASTEST,
                          law->by_par ? DRY_OP_LAW_BY_PAR : DRY_OP_LAW};
    const dry_op op = ops[draw_below(p, 3) ? 0 : draw_below(p, 5)];
    const bool free_level = p->blocks == WILD_BLOCKS || strcmp(law->name, "coulomb") == 0;
    const dry_node level = draw_below(p, 3) || !free_level ? -1 : any(p);
    const dry_node block = law_block(p, op, law, dim, elements, level);
    const int n = dry_dag_results(p->dag, block);
    for (int i = 0; i < n && i < 4; i++) keep(p, dry_dag_pick(p->dag, block, draw_below(p, n)));
}

/* A pool of about n nodes. */
static inline void fill_pool(pool *p, dry_dag *dag, uint64_t seed, int n, blocks kind) {
    *p = (pool){.dag = dag, .blocks = kind, .seed = seed};
    add_leaves(p);
    while (p->n < n && p->n < MOST_NODES) {
        const int dice = draw_below(p, 20);
        if (dice < 5)
            add_unary(p);
        else if (dice < 14)
            add_binary(p);
        else if (dice < 18 || kind == NO_BLOCKS)
            add_select(p);
        else if (dice < 19)
            add_solve(p);
        else
            add_law(p);
    }
}

static inline void draw_numbers(pool *p, double *numbers, int n) {
    for (int i = 0; i < n; i++) numbers[i] = draw_between(p, -2.0, 2.0);
}

#endif
