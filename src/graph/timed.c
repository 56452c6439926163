/* timed: finds what some roots need that follows from the time and the parameters alone, so that it
 * is computed once for all stages of a step that have the same time.
 *
 * What only a branch needs stays in the branch if the states choose it, because it would often be
 * computed for nothing. A branch that the time chooses is kept as a whole. For several sets of
 * parameters side by side only what is equal in all of them is kept; this includes what a branch
 * needs, because one computation serves all of them. */
#include "image_private.h"

#include <stdlib.h>

enum { COSTLY = 10 }; /* less work than this is done again sooner than looked up */

/* The roots, and which nodes differ from set to set of parameters; NULL: there is one set. */
typedef struct search {
    dry_order order;
    const unsigned char *differs;
} search;

static bool is_timed(const search *s, dry_node node) {
    const dry_dag *dag = s->order.dag;
    return !dry_op_is_leaf((dry_op)dag->nodes[node].op) && dag->nodes[node].depends & DRY_ON_T &&
           !(dag->nodes[node].depends & ~(unsigned)(DRY_ON_PAR | DRY_ON_T | DRY_ON_WAY)) &&
           !(s->differs && s->differs[node]);
}

static bool is_always_computed(const search *s, dry_node node) {
    const int i = s->order.item_of[node];
    return i != DRY_NONE && (s->differs || s->order.items[i].region == 0);
}

static int keep(const search *s, dry_node node, unsigned char *kept) {
    if (kept[node] || !is_timed(s, node) || !is_always_computed(s, node)) return 0;
    kept[node] = 1;
    return 1;
}

/* Keeps what other nodes need; returns how many values. */
static int keep_values(const search *s, const dry_node *roots, int n_roots, unsigned char *kept) {
    const dry_dag *dag = s->order.dag;
    int n = 0;
    for (int i = 0; i < n_roots; i++) n += keep(s, roots[i], kept);
    for (int i = 0; i < s->order.n_items; i++) {
        const dry_node node = s->order.items[i].node;
        if (is_timed(s, node)) continue;
        const dry_node *args = dry_dag__args(dag, node);
        for (int k = 0; k < dag->nodes[node].n_args; k++) n += keep(s, args[k], kept);
    }
    return n;
}

static long long cost_of(const search *s) {
    long long cost = 0;
    for (int i = 0; i < s->order.n_items; i++)
        if (is_timed(s, s->order.items[i].node))
            cost += dry_op__cost((dry_op)s->order.dag->nodes[s->order.items[i].node].op);
    return cost;
}

/* Marks the nodes that depend on parameters that differ. To be freed; NULL without memory. */
static unsigned char *find_different(const dry_dag *dag, const bool *varies) {
    unsigned char *mark = dry_heap_take(dag->arena, (size_t)dag->count + 1, 1);
    for (int i = 0; mark && i < dag->count; i++) {
        const dry_node_record *node = &dag->nodes[i];
        mark[i] = node->op == DRY_OP_PAR && varies[node->index];
        for (int k = 0; k < node->n_args; k++) mark[i] |= mark[dry_dag__args(dag, i)[k]];
    }
    return mark;
}

int dry_order_keep_timed(const dry_dag *dag, const dry_node *roots, int n_roots, const bool *varies,
                         unsigned char *kept) {
    unsigned char *differs = varies ? find_different(dag, varies) : NULL;
    search s = {.order.dag = dag, .differs = differs};
    int n = -1;
    if ((differs || !varies) && dry_order_make(&s.order, roots, n_roots))
        n = cost_of(&s) < COSTLY ? 0 : keep_values(&s, roots, n_roots, kept);
    dry_order_free(&s.order);
    free(differs);
    return n;
}
