/* timed: finds what some roots need that follows from the time and the parameters alone, so that it
 * is computed once for all stages of a step that have the same time.
 *
 * What only a branch needs stays in the branch if the states choose it: it would often be computed
 * for nothing. A branch that the time chooses is kept as a whole. */
#include "image_private.h"

enum { COSTLY = 10 }; /* less work than this is done again sooner than looked up */

static bool is_timed(const dry_dag *dag, dry_node node) {
    return !dry_op_is_leaf((dry_op)dag->nodes[node].op) && dag->nodes[node].depends & DRY_ON_T &&
           !(dag->nodes[node].depends & ~(unsigned)(DRY_ON_PAR | DRY_ON_T));
}

static bool is_always_computed(const dry_order *order, dry_node node) {
    const int i = order->item_of[node];
    return i != DRY_NONE && order->items[i].region == 0;
}

static int keep(const dry_order *order, dry_node node, unsigned char *kept) {
    if (kept[node] || !is_timed(order->dag, node) || !is_always_computed(order, node)) return 0;
    kept[node] = 1;
    return 1;
}

/* Keeps what other nodes need; returns how many values. */
static int keep_values(const dry_order *order, const dry_node *roots, int n_roots,
                       unsigned char *kept) {
    int n = 0;
    for (int i = 0; i < n_roots; i++) n += keep(order, roots[i], kept);
    for (int i = 0; i < order->n_items; i++) {
        const dry_node node = order->items[i].node;
        if (is_timed(order->dag, node)) continue;
        const dry_node *args = dry_dag__args(order->dag, node);
        for (int k = 0; k < order->dag->nodes[node].n_args; k++) n += keep(order, args[k], kept);
    }
    return n;
}

static long long cost_of(const dry_order *order) {
    long long cost = 0;
    for (int i = 0; i < order->n_items; i++)
        if (is_timed(order->dag, order->items[i].node))
            cost += dry_op__cost((dry_op)order->dag->nodes[order->items[i].node].op);
    return cost;
}

int dry_order_keep_timed(const dry_dag *dag, const dry_node *roots, int n_roots,
                         unsigned char *kept) {
    dry_order order = {.dag = dag};
    int n = -1;
    if (dry_order_make(&order, roots, n_roots))
        n = cost_of(&order) < COSTLY ? 0 : keep_values(&order, roots, n_roots, kept);
    dry_order_free(&order);
    return n;
}
