/* Replaces the references to quantities by their meanings, in one walk over the graph. Finds the
 * cycle if a quantity needs itself. */
#include "dag_private.h"
#include <stdlib.h>
#include <string.h>

typedef struct pass {
    dry_dag *dag;
    const dry_node *meaning;
    int n_refs;
    dry_node *renamed;
    unsigned char *colour; /* 0 new, 1 on the path, 2 done */
    dry_node *args;        /* room for the arguments of the largest block */
} pass;

enum { NEW, ON_PATH, DONE, NO_CYCLE = -1 };

dry_node dry_dag_rebuild(dry_dag *dag, dry_node node, const dry_node *args) {
    const dry_node_record n = *dry_dag__at(dag, node);
    const dry_op op = (dry_op)n.op;
    if (dry_op_is_block(op))
        return dry_dag_block(dag, op, dag->blocks[n.index].block, args, n.n_args);
    if (op == DRY_OP_PICK) return dry_dag_pick(dag, args[0], n.index);
    if (n.n_args == 1) return dry_dag_un(dag, op, args[0]);
    if (n.n_args == 2) return dry_dag_bin(dag, op, args[0], args[1]);
    return n.n_args == 3 ? dry_dag_select(dag, args[0], args[1], args[2]) : node;
}

/* Returns what a node needs: its arguments, or the meaning of a reference. */
static const dry_node *needs(const pass *p, dry_node node, int *n) {
    const dry_node_record *record = dry_dag__at(p->dag, node);
    *n = record->n_args;
    if (record->op != DRY_OP_REF) return dry_dag__args(p->dag, node);
    const bool known = record->index < p->n_refs && p->meaning[record->index] >= 0;
    *n = known ? 1 : 0;
    return known ? p->meaning + record->index : NULL;
}

static void finish(pass *p, dry_node node) {
    int n;
    const dry_node *old = needs(p, node, &n);
    for (int i = 0; i < n; i++) p->args[i] = p->renamed[old[i]];
    if (p->dag->nodes[node].op == DRY_OP_REF)
        p->renamed[node] = n ? p->args[0] : node;
    else
        p->renamed[node] = dry_dag_rebuild(p->dag, node, p->args);
    p->colour[node] = DONE;
}

/* The path from the top of the stack down to `node` is the cycle. */
static int name_cycle(const pass *p, dry_node node) {
    const dry_memo *memo = p->dag->memo;
    for (int i = memo->n_stack - 1; i >= 0; i--) {
        if (memo->stack[i] >= 0) continue;
        const dry_node on_path = ~memo->stack[i];
        if (p->dag->nodes[on_path].op == DRY_OP_REF) return p->dag->nodes[on_path].index;
        if (on_path == node) break;
    }
    return p->dag->nodes[node].index;
}

/* Pushes what the node needs on the stack. Returns the index of a reference if that closes a cycle.
 */
static int open_node(pass *p, dry_node node) {
    int n;
    dry_memo *memo = p->dag->memo;
    const dry_node *needed = needs(p, node, &n);
    p->colour[node] = ON_PATH;
    p->dag->failed |= !dry_memo__push(memo, ~node);
    for (int i = n - 1; i >= 0 && !p->dag->failed; i--) {
        if (p->colour[needed[i]] == ON_PATH) return name_cycle(p, needed[i]);
        if (p->colour[needed[i]] == NEW) p->dag->failed |= !dry_memo__push(memo, needed[i]);
    }
    return NO_CYCLE;
}

static int visit(pass *p, dry_node root) {
    dry_memo *memo = p->dag->memo;
    p->dag->failed |= !dry_memo__push(memo, root);
    while (memo->n_stack > 0 && !p->dag->failed) {
        const int entry = memo->stack[--memo->n_stack];
        int cycle = NO_CYCLE;
        if (entry < 0)
            finish(p, ~entry);
        else if (p->colour[entry] == NEW)
            cycle = open_node(p, entry);
        if (cycle != NO_CYCLE) return cycle;
    }
    return NO_CYCLE;
}

static int resolve_all(pass *p, int count) {
    for (dry_node k = 0; k < count; k++) {
        const bool constant = !(p->dag->nodes[k].depends & DRY_ON_REF);
        p->renamed[k] = constant ? k : 0;
        p->colour[k] = constant ? DONE : NEW;
    }
    p->dag->memo->n_stack = 0;
    for (dry_node k = 0; k < count && !p->dag->failed; k++) {
        const int cycle = p->colour[k] == NEW ? visit(p, k) : NO_CYCLE;
        if (cycle != NO_CYCLE) return cycle;
    }
    return NO_CYCLE;
}

int dry_dag_most_args(const dry_dag *dag) {
    int most = 3;
    for (int i = 0; i < dag->n_blocks; i++)
        if (dag->blocks[i].n_args > most) most = dag->blocks[i].n_args;
    return most;
}

static dry_node keep(dry_dag *dag, dry_node node, const dry_node *args) {
    (void)dag, (void)node, (void)args;
    return DRY_NO_CHANGE;
}

/* Rebuilds the nodes that have no new one yet. Arguments come before the nodes that need them. */
static bool rebuild_all(dry_dag *dag, int count, dry_dag_change *change, dry_node *renamed) {
    dry_node *args = dag->failed
                         ? NULL
                         : dry_heap_take(dag->arena, (size_t)dry_dag_most_args(dag), sizeof *args);
    for (dry_node k = 0; args && k < count && !dag->failed; k++) {
        if (renamed[k] >= 0) continue;
        bool changed = false;
        for (int i = 0; i < dag->nodes[k].n_args; i++) {
            const dry_node old = dry_dag__args(dag, k)[i];
            args[i] = renamed[old];
            changed |= args[i] != old;
        }
        const dry_node other = change(dag, k, args);
        renamed[k] = other != DRY_NO_CHANGE ? other : changed ? dry_dag_rebuild(dag, k, args) : k;
    }
    const bool whole = args && !dag->failed;
    free(args);
    return whole;
}

bool dry_dag_replace(dry_dag *dag, const dry_node *leaf, const dry_node *by, int n,
                     dry_node *renamed) {
    const int count = dag->count;
    for (dry_node k = 0; k < count; k++) renamed[k] = -1;
    for (int i = 0; i < n; i++) renamed[leaf[i]] = by[i];
    return rebuild_all(dag, count, keep, renamed);
}

bool dry_dag_map(dry_dag *dag, dry_dag_change *change, dry_node *renamed) {
    const int count = dag->count;
    for (dry_node k = 0; k < count; k++) renamed[k] = -1;
    return rebuild_all(dag, count, change, renamed);
}

int dry_dag_resolve(dry_dag *dag, const dry_node *meaning, int n_refs, dry_node *renamed) {
    const int count = dag->count;
    if (dag->failed) {
        memset(renamed, 0, (size_t)count * sizeof *renamed);
        return NO_CYCLE;
    }
    pass p = {.dag = dag, .meaning = meaning, .n_refs = n_refs, .renamed = renamed};
    p.colour = dry_heap_take(dag->arena, 1, (size_t)count);
    p.args = dry_heap_take(dag->arena, (size_t)dry_dag_most_args(dag), sizeof *p.args);
    int cycle = NO_CYCLE;
    if (p.colour && p.args)
        cycle = resolve_all(&p, count);
    else
        dag->failed = true;
    free(p.colour);
    free(p.args);
    return cycle;
}
