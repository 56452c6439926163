/* Orders the nodes that a piece of code computes. Nodes that only one branch of a SELECT needs go
 * into a region that runs only if the branch is chosen.
 *
 * The region of a node is the deepest one that holds all its uses: the common ancestor of the
 * regions of its users. Users come after arguments, so that one sweep from the end finds it. */
#include "image_private.h"
#include <stdlib.h>

enum { CHEAP = 4 }; /* branches of at most this cost are always computed */

/* ---- the order: depth first from the roots ----------------------------------------- */

typedef struct visit {
    dry_order *order;
    bool failed;
} visit;

static bool enter(void *context, dry_node node) {
    const dry_order *order = ((visit *)context)->order;
    if (dry_order_computes(order, node)) return false;
    dry_memo__set(order->dag->memo, node, (dry_memo_cell){.node = DRY_NONE});
    return true;
}

static void leave(void *context, dry_node node) {
    visit *v = context;
    dry_order *order = v->order;
    dry_memo__set(order->dag->memo, node, (dry_memo_cell){.node = order->n_items});
    if (!dry_dag_grow(order->dag->arena, &order->items, &order->items_capacity, order->n_items + 1,
                      sizeof *order->items)) {
        v->failed = true;
        return;
    }
    order->items[order->n_items] = (dry_item){.node = node,
                                              .region = DRY_NONE,
                                              .absorbs = DRY_NONE,
                                              .reg = DRY_NONE,
                                              .target = DRY_NONE,
                                              .side = {DRY_NONE, DRY_NONE}};
    order->item_of[node] = order->n_items++;
}

static bool list_items(dry_order *order, const dry_node *roots, int n_roots) {
    visit v = {order, false};
    const dry_walk walk = {&v, enter, leave};
    order->item_of =
        dry_heap_take(order->dag->arena, (size_t)order->dag->count, sizeof *order->item_of);
    if (!order->item_of || !dry_memo__begin(order->dag)) return false;
    for (int i = 0; i < order->dag->count; i++) order->item_of[i] = DRY_NONE;
    for (int i = 0; i < n_roots && !v.failed; i++)
        if (!dry_dag__walk(order->dag, roots[i], &walk)) return false;
    return !v.failed;
}

/* ---- regions ----------------------------------------------------------------------- */

/* With skips chosen in this way, the number of steps to find an ancestor grows like the logarithm
 * of the depth (Myers 1983). */
static bool add_region(dry_order *order, int parent) {
    if (!dry_dag_grow(order->dag->arena, &order->regions, &order->regions_capacity,
                      order->n_regions + 1, sizeof *order->regions))
        return false;
    dry_region *regions = order->regions, *added = regions + order->n_regions;
    *added = (dry_region){.parent = parent};
    if (order->n_regions++ > 0) {
        const dry_region *above = regions + parent, *skipped = regions + above->skip;
        const bool equal =
            above->depth - skipped->depth == skipped->depth - regions[skipped->skip].depth;
        added->depth = above->depth + 1;
        added->skip = equal ? skipped->skip : parent;
    }
    return true;
}

static int ancestor_at(const dry_region *regions, int r, int depth) {
    while (regions[r].depth > depth)
        r = regions[regions[r].skip].depth >= depth ? regions[r].skip : regions[r].parent;
    return r;
}

static int common_ancestor(const dry_region *regions, int a, int b) {
    if (regions[a].depth > regions[b].depth)
        a = ancestor_at(regions, a, regions[b].depth);
    else
        b = ancestor_at(regions, b, regions[a].depth);
    while (a != b) {
        const bool apart = regions[a].skip != regions[b].skip;
        a = apart ? regions[a].skip : regions[a].parent;
        b = apart ? regions[b].skip : regions[b].parent;
    }
    return a;
}

static void use(dry_order *order, dry_node node, int region) {
    if (order->item_of[node] == DRY_NONE) return;
    dry_item *item = order->items + order->item_of[node];
    item->uses++;
    item->region =
        item->region == DRY_NONE ? region : common_ancestor(order->regions, item->region, region);
}

static bool open_branches(dry_order *order, dry_item *item) {
    for (int k = 0; k < 2; k++) {
        if (!add_region(order, item->region)) return false;
        item->side[k] = order->n_regions - 1;
    }
    return true;
}

static bool find_regions(dry_order *order, const dry_node *roots, int n_roots) {
    if (!add_region(order, 0)) return false;
    for (int i = 0; i < n_roots; i++) use(order, roots[i], 0);
    for (int i = order->n_items - 1; i >= 0; i--) {
        dry_item *item = order->items + i;
        const dry_node_record *n = dry_dag__at(order->dag, item->node);
        const dry_node *args = dry_dag__args(order->dag, item->node);
        const bool select = n->op == DRY_OP_SELECT && !dry_dag_is_wide(order->dag, args[0]);
        if (select && !open_branches(order, item)) return false;
        for (int k = 0; k < n->n_args; k++)
            use(order, args[k], select && k > 0 ? item->side[k - 1] : item->region);
        order->regions[item->region].cost += dry_op__cost((dry_op)n->op);
    }
    return true;
}

/* Returns the other side of the same SELECT. Sides are made in pairs after region 0. */
static int opposite(int region) { return region % 2 ? region + 1 : region - 1; }

/* Two cheap sides become a part of their parent. During this function, `first` of a region is the
 * region that gets its members. */
static void dissolve_cheap(dry_order *order) {
    dry_region *regions = order->regions;
    for (int r = order->n_regions - 1; r > 0; r--)
        regions[regions[r].parent].cost += regions[r].cost;
    for (int r = 1; r < order->n_regions; r++)
        regions[r].first = regions[r].cost > CHEAP || regions[opposite(r)].cost > CHEAP
                               ? r
                               : regions[regions[r].parent].first;
    for (int i = 0; i < order->n_items; i++) {
        dry_item *item = order->items + i;
        item->region = regions[item->region].first;
        for (int k = 0; k < 2; k++)
            if (item->side[k] >= 0 && regions[item->side[k]].first != item->side[k])
                item->side[k] = DRY_NONE;
    }
}

static bool list_members(dry_order *order) {
    dry_region *regions = order->regions;
    order->members =
        dry_heap_take(order->dag->arena, 1, (size_t)order->n_items * sizeof *order->members + 1);
    if (!order->members) return false;
    for (int i = 0; i < order->n_items; i++) regions[order->items[i].region].n++;
    for (int r = 0, next = 0; r < order->n_regions; r++) {
        regions[r].first = next;
        next += regions[r].n;
        regions[r].n = 0;
    }
    for (int i = 0; i < order->n_items; i++) {
        dry_region *region = regions + order->items[i].region;
        order->members[region->first + region->n++] = i;
    }
    return true;
}

/* ---- operations that are done together --------------------------------------------- */

/* Returns argument k if nothing else needs it, else NULL. Such an argument is in the same region.
 */
static dry_item *sole_argument(const dry_order *order, const dry_item *item, int k) {
    const dry_node arg = order->dag->nodes[item->node].args[k];
    if (order->item_of[arg] == DRY_NONE) return NULL;
    dry_item *inner = order->items + order->item_of[arg];
    return inner->uses == 1 ? inner : NULL;
}

static bool is_arithmetic(dry_op op) {
    return op == DRY_OP_ADD || op == DRY_OP_SUB || op == DRY_OP_MUL || op == DRY_OP_DIV;
}

/* Of wide nodes only a product and a sum are one instruction. */
static bool is_wide_pair(const dry_order *order, const dry_item *item, const dry_item *inner) {
    return order->dag->nodes[item->node].op == DRY_OP_ADD &&
           order->dag->nodes[inner->node].op == DRY_OP_MUL &&
           dry_dag_is_wide(order->dag, inner->node);
}

static bool absorb_arithmetic(const dry_order *order, dry_item *item, int k) {
    dry_item *inner = sole_argument(order, item, k);
    if (!inner || inner->absorbs != DRY_NONE) return false;
    const dry_op op = (dry_op)order->dag->nodes[inner->node].op;
    if (!is_arithmetic(op)) return false;
    if (dry_dag_is_wide(order->dag, item->node) && !is_wide_pair(order, item, inner)) return false;
    inner->absorbed = true;
    item->absorbs = k;
    return true;
}

static void absorb_comparison(const dry_order *order, dry_item *item) {
    dry_item *inner = sole_argument(order, item, 0);
    if (!inner || (item->side[0] == DRY_NONE && item->side[1] == DRY_NONE)) return;
    const dry_op op = (dry_op)order->dag->nodes[inner->node].op;
    if (op != DRY_OP_LT && op != DRY_OP_LE) return;
    inner->absorbed = true;
    item->absorbs = 0;
}

static void fuse(dry_order *order) {
    for (int i = 0; i < order->n_items; i++) {
        dry_item *item = order->items + i;
        const dry_op op = (dry_op)order->dag->nodes[item->node].op;
        if (op == DRY_OP_SELECT)
            absorb_comparison(order, item);
        else if (is_arithmetic(op))
            (void)(absorb_arithmetic(order, item, 0) || absorb_arithmetic(order, item, 1));
    }
}

static void link_results(dry_order *order) {
    for (int i = 0; i < order->n_items; i++) {
        const dry_node_record *n = dry_dag__at(order->dag, order->items[i].node);
        if (n->op != DRY_OP_PICK || !dry_block__is_split(dry_dag__block(order->dag, n->args[0])))
            continue;
        order->items[order->item_of[n->args[0]]].side[n->index] = i;
    }
}

bool dry_order_make(dry_order *order, const dry_node *roots, int n_roots) {
    if (!list_items(order, roots, n_roots) || !find_regions(order, roots, n_roots)) return false;
    dissolve_cheap(order);
    if (!list_members(order)) return false;
    fuse(order);
    link_results(order);
    return true;
}

void dry_order_free(dry_order *order) {
    free(order->items);
    free(order->item_of);
    free(order->regions);
    free(order->members);
}
