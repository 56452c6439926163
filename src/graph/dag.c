/* Storage of the graph: the nodes are in one growing array. A hash with open addressing finds
 * them again, so that an equal node is never made twice. */
#include "dag_private.h"
#include <stdlib.h>
#include <string.h>

bool dry_dag_grow(dry_arena *arena, void *array, int *capacity, int needed, size_t size) {
    void **place = array;
    if (needed <= *capacity) return true;
    int wanted = *capacity < 64 ? 64 : *capacity;
    while (wanted < needed) wanted = wanted > INT32_MAX / 2 ? INT32_MAX : 2 * wanted;
    void *bigger = dry_heap_grow(arena, *place, (size_t)wanted * size);
    if (!bigger) return false;
    *place = bigger;
    *capacity = wanted;
    return true;
}

/* ---- the hash ---------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 29);
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t hash_of(dry_op op, int index, double value, const dry_node *args, int n_args) {
    uint64_t hash = mix((uint64_t)op << 32 | (uint32_t)index, bits_of(value));
    for (int i = 0; i < n_args; i++) hash = mix(hash, (uint32_t)args[i]);
    return (uint32_t)(mix(hash, hash >> 32) >>
                      32); /* whole numbers differ in the high bits alone */
}

static void enter_table(dry_dag *dag, dry_node node) {
    const dry_node_record *n = dry_dag__at(dag, node);
    const uint32_t mask = dag->table_size - 1;
    uint32_t slot =
        hash_of((dry_op)n->op, n->index, n->value, dry_dag__args(dag, node), n->n_args) & mask;
    while (dag->hash[slot]) slot = (slot + 1) & mask;
    dag->hash[slot] = (uint32_t)node + 1;
}

static bool grow_table(dry_dag *dag) {
    const uint32_t size = dag->table_size ? 2 * dag->table_size : 256;
    uint32_t *hash = dry_heap_take(dag->arena, size, sizeof *hash);
    if (!hash) return false;
    free(dag->hash);
    dag->hash = hash;
    dag->table_size = size;
    for (dry_node k = 0; k < dag->count; k++) enter_table(dag, k);
    return true;
}

static bool is_same(const dry_dag *dag, dry_node node, dry_op op, int index, double value,
                    const dry_node *args, int n_args) {
    const dry_node_record *n = dry_dag__at(dag, node);
    return n->op == op && n->index == index && n->n_args == n_args &&
           bits_of(n->value) == bits_of(value) &&
           (n_args == 0 ||
            memcmp(dry_dag__args(dag, node), args, (size_t)n_args * sizeof *args) == 0);
}

/* Returns the node, or -1 and the free slot where it belongs. */
static dry_node find(const dry_dag *dag, dry_op op, int index, double value, const dry_node *args,
                     int n_args, uint32_t *slot) {
    const uint32_t mask = dag->table_size - 1;
    *slot = hash_of(op, index, value, args, n_args) & mask;
    for (; dag->hash[*slot]; *slot = (*slot + 1) & mask) {
        const dry_node node = (dry_node)(dag->hash[*slot] - 1);
        if (is_same(dag, node, op, index, value, args, n_args)) return node;
    }
    return -1;
}

/* ---- making nodes ------------------------------------------------------------------ */

static unsigned own_dependence(dry_op op) {
    switch (op) {
    case DRY_OP_PAR: return DRY_ON_PAR;
    case DRY_OP_T: return DRY_ON_T;
    case DRY_OP_STATE: return DRY_ON_STATE;
    case DRY_OP_UNIT: return DRY_ON_WAY;
    case DRY_OP_WAY: return DRY_ON_STATE | DRY_ON_WAY;
    case DRY_OP_REF: return DRY_ON_REF;
    case DRY_OP_TAU:
    case DRY_OP_LAW:
    case DRY_OP_LAW_JAC:
    case DRY_OP_LAW_BY_PAR:
    case DRY_OP_LAW_TANGENTS:
    case DRY_OP_LAW_KINKS:
    case DRY_OP_LAW_FASTEST: return DRY_ON_TAU;
    default: return 0;
    }
}

static bool make_room(dry_dag *dag, int n_pool) {
    return dag->count < dag->limit && n_pool <= INT32_MAX - dag->pool_count &&
           dry_dag_grow(dag->arena, &dag->nodes, &dag->capacity, dag->count + 1,
                        sizeof *dag->nodes) &&
           dry_dag_grow(dag->arena, &dag->pool, &dag->pool_capacity, dag->pool_count + n_pool,
                        sizeof *dag->pool) &&
           ((uint32_t)dag->count < dag->table_size / 2 || grow_table(dag));
}

static void store_args(dry_dag *dag, dry_node_record *n, const dry_node *args, int n_args) {
    if (dry_op_is_block((dry_op)n->op)) {
        n->args[0] = dag->pool_count;
        if (n_args) memcpy(dag->pool + dag->pool_count, args, (size_t)n_args * sizeof *args);
        dag->pool_count += n_args;
    } else {
        for (int i = 0; i < n_args; i++) n->args[i] = args[i];
    }
}

dry_node dry_dag__make(dry_dag *dag, dry_op op, int index, double value, const dry_node *args,
                       int n_args) {
    uint32_t slot;
    if (dag->failed) return 0;
    const dry_node known = find(dag, op, index, value, args, n_args, &slot);
    if (known >= 0) return known;
    const uint32_t size_before = dag->table_size;
    if (!make_room(dag, dry_op_is_block(op) ? n_args : 0)) {
        dag->failed = true;
        return 0;
    }
    const dry_node node = dag->count++;
    dry_node_record *n = dag->nodes + node;
    *n = (dry_node_record){.value = value, .n_args = n_args, .index = index};
    n->op = (unsigned char)op;
    unsigned depends = own_dependence(op);
    for (int i = 0; i < n_args; i++) depends |= dag->nodes[args[i]].depends;
    n->depends = (unsigned char)depends;
    store_args(dag, n, args, n_args);
    if (dag->table_size == size_before)
        dag->hash[slot] = (uint32_t)node + 1;
    else
        enter_table(dag, node);
    return node;
}

static int block_row(dry_dag *dag, dry_op op, dry_block block) {
    for (int i = dag->n_blocks - 1; i >= 0; i--) {
        const dry_block_info *row = dag->blocks + i;
        if (row->op == op && row->block.law == block.law && row->block.dim == block.dim &&
            row->block.elements == block.elements && row->block.table == block.table)
            return i;
    }
    if (!dry_dag_grow(dag->arena, &dag->blocks, &dag->blocks_capacity, dag->n_blocks + 1,
                      sizeof *dag->blocks) ||
        !dry_block__describe(dag->arena, op, block, dag->blocks + dag->n_blocks))
        return -1;
    return dag->n_blocks++;
}

dry_node dry_dag_block(dry_dag *dag, dry_op op, dry_block block, const dry_node *args, int n_args) {
    const int row = block_row(dag, op, block);
    if (row < 0) {
        dag->failed = true;
        return 0;
    }
    DRY_ASSERT(n_args == dag->blocks[row].n_args);
    return dry_dag__make(dag, op, row, 0.0, args, n_args);
}

dry_node dry_dag_table(dry_dag *dag, const dry_table *table, const dry_node *args) {
    const int n = table->n2 ? 2 : 1;
    return dry_dag_block(dag, DRY_OP_TABLE, (dry_block){.dim = n, .table = table}, args, n);
}

dry_node dry_dag_const(dry_dag *dag, double value) {
    return dry_dag__make(dag, DRY_OP_CONST, 0, value, NULL, 0);
}

dry_node dry_dag_leaf(dry_dag *dag, dry_op op, int index) {
    DRY_ASSERT(dry_op_is_leaf(op) && op != DRY_OP_CONST);
    return dry_dag__make(dag, op, index, 0.0, NULL, 0);
}

/* ---- the graph as a whole ---------------------------------------------------------- */

dry_dag *dry_dag_new(dry_arena *arena, int limit) {
    dry_dag *dag = dry_arena_take(arena, sizeof *dag);
    dry_memo *memo = dry_arena_take(arena, sizeof *memo);
    if (!dag || !memo) return NULL;
    *memo = (dry_memo){.arena = arena};
    *dag = (dry_dag){.limit = limit, .arena = arena, .memo = memo};
    dag->failed = !grow_table(dag);
    dry_dag_const(dag, 0.0);
    if (!dag->failed) return dag;
    dry_dag_free(dag);
    return NULL;
}

void dry_dag_free(dry_dag *dag) {
    if (!dag) return;
    free(dag->nodes);
    free(dag->hash);
    free(dag->pool);
    free(dag->blocks);
    free(dag->memo->stamps);
    free(dag->memo->cells);
    free(dag->memo->stack);
    free(dag->memo->numbers);
    *dag->memo = (dry_memo){0};
    *dag = (dry_dag){.failed = true, .memo = dag->memo};
}

bool dry_dag_failed(const dry_dag *dag) { return dag->failed; }

int dry_dag_count(const dry_dag *dag) { return dag->count; }

dry_node_view dry_dag_view(const dry_dag *dag, dry_node node) {
    const dry_node_record *n = dry_dag__at(dag, node);
    dry_node_view view = {(dry_op)n->op, n->value, n->index, dry_dag__args(dag, node),
                          n->n_args,     {0}};
    if (dry_op_is_block(view.op)) {
        view.index = 0;
        view.block = dry_dag__block(dag, node)->block;
    }
    return view;
}

int dry_dag_results(const dry_dag *dag, dry_node block) {
    return dry_dag__block(dag, block)->n_results;
}

dry_op dry_dag_op(const dry_dag *dag, dry_node node) { return (dry_op)dag->nodes[node].op; }
const dry_node *dry_dag_args(const dry_dag *dag, dry_node node) { return dry_dag__args(dag, node); }
const dry_block_info *dry_dag_block_info(const dry_dag *dag, dry_node node) {
    return dry_dag__block(dag, node);
}
dry_arena *dry_dag_arena(const dry_dag *dag) { return dag->arena; }

unsigned dry_dag_depends(const dry_dag *dag, dry_node node) { return dag->nodes[node].depends; }
bool dry_dag_is_static(const dry_dag *dag, dry_node node) {
    return !(dag->nodes[node].depends & ~(unsigned)(DRY_ON_PAR | DRY_ON_WAY));
}
bool dry_dag_is_wide(const dry_dag *dag, dry_node node) {
    return dag->nodes[node].depends & DRY_ON_WAY;
}

void dry_dag_reach(const dry_dag *dag, dry_node root, unsigned char *mark) {
    mark[root] = 1;
    for (dry_node k = root; k >= 0; k--) {
        if (!mark[k]) continue;
        const dry_node *args = dry_dag__args(dag, k);
        for (int i = 0; i < dag->nodes[k].n_args; i++) mark[args[i]] = 1;
    }
}
