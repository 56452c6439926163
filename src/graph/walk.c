/* A walk over the part of the graph that one node needs, without recursion. It visits arguments
 * before users and each node once. It keeps the result of a node in a cell that is valid for one
 * walk. */
#include "dag_private.h"
#include <stdlib.h>
#include <string.h>

static bool make_room(dry_memo *memo, int count) {
    int n_cells = memo->capacity, n_stamps = memo->capacity;
    if (count <= memo->capacity) return true;
    if (!dry_dag_grow(memo->arena, &memo->cells, &n_cells, count, sizeof *memo->cells) ||
        !dry_dag_grow(memo->arena, &memo->stamps, &n_stamps, count, sizeof *memo->stamps))
        return false;
    memset(memo->stamps, 0, (size_t)n_stamps * sizeof *memo->stamps);
    memo->generation = 0;
    memo->capacity = n_stamps;
    return true;
}

bool dry_memo__begin(const dry_dag *dag) {
    dry_memo *memo = dag->memo;
    if (!make_room(memo, dag->count)) return false;
    if (++memo->generation == 0) { /* the counter has wrapped around: old stamps would look new */
        memset(memo->stamps, 0, (size_t)memo->capacity * sizeof *memo->stamps);
        memo->generation = 1;
    }
    memo->n_stack = 0;
    memo->n_numbers = 0;
    return true;
}

bool dry_memo__push(dry_memo *memo, int entry) {
    if (!dry_dag_grow(memo->arena, &memo->stack, &memo->stack_capacity, memo->n_stack + 1,
                      sizeof(int)))
        return false;
    memo->stack[memo->n_stack++] = entry;
    return true;
}

static bool push_arguments(const dry_dag *dag, dry_node node) {
    const dry_node *args = dry_dag__args(dag, node);
    for (int i = dag->nodes[node].n_args - 1; i >= 0; i--)
        if (!dry_memo__known(dag->memo, args[i]) && !dry_memo__push(dag->memo, args[i]))
            return false;
    return true;
}

/* An entry ~node on the stack means that the arguments of the node are done. */
bool dry_dag__walk(const dry_dag *dag, dry_node root, const dry_walk *walk) {
    dry_memo *memo = dag->memo;
    if (!dry_memo__push(memo, root)) return false;
    while (memo->n_stack > 0) {
        const int entry = memo->stack[--memo->n_stack];
        const dry_node node = entry < 0 ? ~entry : entry;
        if (dry_memo__known(memo, node)) continue;
        if (entry < 0) {
            walk->leave(walk->context, node);
        } else if (!walk->enter || !walk->enter(walk->context, node)) {
            if (!dry_memo__push(memo, ~node) || !push_arguments(dag, node)) return false;
        }
    }
    return true;
}

/* ---- the parameters that a node needs ------------------------------------------------- */

typedef struct par_search {
    const dry_dag *dag;
    void (*found)(void *user, int index);
    void *user;
} par_search;

static void leave_par(void *context, dry_node node) {
    const par_search *search = context;
    const dry_node_record *n = dry_dag__at(search->dag, node);
    if (n->op == DRY_OP_PAR) search->found(search->user, n->index);
    dry_memo__set(search->dag->memo, node, (dry_memo_cell){.node = node});
}

bool dry_dag_each_par(const dry_dag *dag, dry_node node, void (*found)(void *user, int index),
                      void *user) {
    par_search search = {dag, found, user};
    const dry_walk walk = {.context = &search, .leave = leave_par};
    if (!(dry_dag_depends(dag, node) & DRY_ON_PAR)) return true;
    return dry_memo__begin(dag) && dry_dag__walk(dag, node, &walk);
}
