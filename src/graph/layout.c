/* Lays out the register file: the leaves and run-once values that the sections need, and packs for
 * the parameters of laws that are constant during a run. */
#include "image_private.h"
#include <stdlib.h>
#include <string.h>

typedef struct layout {
    dry_image *image;
    const dry_dag *dag;
    unsigned char *needed;
    int next; /* the first register that is not assigned */
} layout;

static bool mark_needed(layout *l, const dry_section *sections) {
    dry_node last = 0;
    l->needed = dry_heap_take(l->dag->arena, (size_t)l->dag->count, 1);
    if (!l->needed) return false;
    for (int s = 0; s < l->image->n_sections; s++)
        for (int i = 0; i < sections[s].n_roots; i++) {
            const dry_node root = sections[s].roots[i];
            l->needed[root] = 1;
            if (root > last) last = root;
        }
    dry_dag_reach(l->dag, last, l->needed);
    return true;
}

/* ---- constants and run-once values ------------------------------------------------- */

static bool add_constant(layout *l, double value, int *capacity) {
    dry_image *image = l->image;
    if (!dry_dag_grow(l->dag->arena, &image->constants, capacity, image->n_constants + 1,
                      sizeof(double)))
        return false;
    image->constants[image->n_constants++] = value;
    l->next++;
    return true;
}

/* 1 in way `way`, 0 in the others. */
static bool add_unit(layout *l, int way, int *capacity) {
    bool good = true;
    for (int k = 0; good && k < l->image->n_ways; k++)
        good = add_constant(l, k == way ? 1.0 : 0.0, capacity);
    return good;
}

static bool give_constants(layout *l) {
    dry_image *image = l->image;
    int capacity = 0;
    bool good = true;
    image->at_constants = image->at_zero = l->next;
    good = add_unit(l, -1, &capacity);
    for (dry_node k = 0; good && k < l->dag->count; k++) {
        const dry_node_record *n = dry_dag__at(l->dag, k);
        if (!l->needed[k]) continue;
        if (n->op == DRY_OP_CONST || n->op == DRY_OP_REF || n->op == DRY_OP_UNIT)
            image->home[k] = l->next;
        if (n->op == DRY_OP_UNIT)
            good = add_unit(l, n->index, &capacity);
        else if (n->op == DRY_OP_CONST || n->op == DRY_OP_REF)
            good = add_constant(l, n->op == DRY_OP_CONST ? n->value : (double)NAN, &capacity);
    }
    return good;
}

static void want_once(const layout *l, dry_node node) {
    if (dry_dag_is_static(l->dag, node) && !dry_op_is_leaf((dry_op)l->dag->nodes[node].op))
        l->needed[node] = 2;
}

static bool list(layout *l, dry_node node, dry_nodes *nodes, int *capacity) {
    if (!dry_dag_grow(l->dag->arena, &nodes->node, capacity, nodes->n + 1, sizeof *nodes->node))
        return false;
    nodes->node[nodes->n++] = node;
    l->image->home[node] = l->next;
    l->next += dry_image__width(l->image, l->dag, node);
    return true;
}

/* Gives registers to the run-once values that a root or a varying node needs. */
static bool give_once(layout *l, const dry_section *sections, dry_nodes *once) {
    int capacity = 0;
    for (int s = 0; s < l->image->n_sections; s++)
        for (int i = 0; i < sections[s].n_roots; i++) want_once(l, sections[s].roots[i]);
    for (dry_node k = 0; k < l->dag->count; k++) {
        if (!l->needed[k] || dry_dag_is_static(l->dag, k)) continue;
        const dry_node *args = dry_dag__args(l->dag, k);
        for (int i = 0; i < l->dag->nodes[k].n_args; i++) want_once(l, args[i]);
    }
    l->image->at_once = l->next;
    for (dry_node k = 0; k < l->dag->count; k++)
        if (l->needed[k] == 2 && !list(l, k, once, &capacity)) return false;
    return true;
}

/* Gives registers to what follows from the time alone, and one to that time. */
static bool give_timed(layout *l, const dry_section *sections, dry_nodes *timed) {
    dry_image *image = l->image;
    int capacity = 0, n = 0;
    image->kept = dry_heap_take(l->dag->arena, (size_t)l->dag->count, sizeof *image->kept);
    if (!image->kept) return false;
    for (int s = 0; s < image->n_sections && n >= 0; s++)
        if (sections[s].timed)
            n = dry_order_keep_timed(l->dag, sections[s].roots, sections[s].n_roots, NULL,
                                     image->kept);
    image->at_timed = l->next++;
    for (dry_node k = 0; k < l->dag->count; k++)
        if (image->kept[k] && !list(l, k, timed, &capacity)) return false;
    return n >= 0;
}

/* ---- packs ------------------------------------------------------------------------- */

typedef struct packs {
    dry_node *hash; /* a block with such parameters; DRY_NONE: free */
    uint32_t size;
} packs;

/* A block with parameters side by side. */
static bool is_law(const dry_dag *dag, dry_node node) {
    const dry_op op = (dry_op)dag->nodes[node].op;
    return dry_op_is_block(op) && op != DRY_OP_SOLVE &&
           !dry_block__is_split(dry_dag__block(dag, node)) && dry_dag__block(dag, node)->n_par > 1;
}

static bool wants_pack(const layout *l, dry_node node) {
    if (!l->needed[node] || dry_dag_is_static(l->dag, node) || !is_law(l->dag, node)) return false;
    const dry_node *args = dry_dag__args(l->dag, node);
    for (int i = 0; i < dry_dag__block(l->dag, node)->n_par; i++)
        if (!dry_dag_is_static(l->dag, args[i])) return false;
    return true;
}

/* Returns the earlier block with the same parameters, or the node itself. */
static dry_node find_pack(const layout *l, packs *p, dry_node node) {
    const int n = dry_dag__block(l->dag, node)->n_par;
    const dry_node *args = dry_dag__args(l->dag, node);
    uint32_t slot = (uint32_t)n;
    for (int i = 0; i < n; i++) slot = (slot ^ (uint32_t)args[i]) * 2654435761u;
    for (slot &= p->size - 1; p->hash[slot] != DRY_NONE; slot = (slot + 1) & (p->size - 1)) {
        const dry_node other = p->hash[slot];
        if (dry_dag__block(l->dag, other)->n_par == n &&
            memcmp(dry_dag__args(l->dag, other), args, (size_t)n * sizeof *args) == 0)
            return other;
    }
    return p->hash[slot] = node;
}

static bool add_pack(layout *l, dry_node node, int *capacity) {
    dry_image *image = l->image;
    const int n = dry_dag__block(l->dag, node)->n_par;
    const dry_node *args = dry_dag__args(l->dag, node);
    if (!dry_dag_grow(l->dag->arena, &image->copies, capacity, image->n_copies + n,
                      sizeof *image->copies))
        return false;
    image->pack_of[node] = l->next;
    for (int i = 0; i < n; i++)
        image->copies[image->n_copies++] = (dry_copy){l->next++, image->home[args[i]]};
    return true;
}

/* The changes of the parameters of the tangents of a law, if they are static. */
static bool add_wide_pack(layout *l, dry_node node, int *capacity) {
    dry_image *image = l->image;
    const dry_block_info *info = dry_dag__block(l->dag, node);
    const int n = info->n_par, ways = image->n_ways;
    const dry_node *args = dry_dag__args(l->dag, node) + info->n_args / 2;
    for (int i = 0; i < n; i++)
        if (!dry_dag_is_static(l->dag, args[i])) return true;
    if (!dry_dag_grow(l->dag->arena, &image->copies, capacity, image->n_copies + n * ways,
                      sizeof *image->copies))
        return false;
    image->wide_pack_of[node] = l->next;
    for (int i = 0; i < n; i++) {
        const int from = image->home[args[i]], step = dry_dag_is_wide(l->dag, args[i]);
        for (int k = 0; k < ways; k++)
            image->copies[image->n_copies++] = (dry_copy){l->next++, from + k * step};
    }
    return true;
}

static bool give_packs(layout *l) {
    packs p = {NULL, 16};
    int wanted = 0, capacity = 0;
    bool good = true;
    l->image->at_packs = l->next;
    for (dry_node k = 0; k < l->dag->count; k++) wanted += wants_pack(l, k);
    while (p.size < 2 * (uint32_t)wanted) p.size *= 2;
    p.hash = dry_heap_take(l->dag->arena, p.size, sizeof *p.hash);
    if (!p.hash) return false;
    for (uint32_t i = 0; i < p.size; i++) p.hash[i] = DRY_NONE;
    for (dry_node k = 0; k < l->dag->count && good; k++) {
        if (!wants_pack(l, k)) continue;
        const dry_node first = find_pack(l, &p, k);
        if (first == k)
            good = add_pack(l, k, &capacity);
        else
            l->image->pack_of[k] = l->image->pack_of[first];
    }
    for (dry_node k = 0; k < l->dag->count && good; k++)
        if (l->needed[k] && l->dag->nodes[k].op == DRY_OP_LAW_TANGENTS)
            good = add_wide_pack(l, k, &capacity);
    free(p.hash);
    return good;
}

/* ---- the areas that change --------------------------------------------------------- */

static void give_leaves(const layout *l) {
    const dry_image *image = l->image;
    for (dry_node k = 0; k < l->dag->count; k++) {
        const dry_node_record *n = dry_dag__at(l->dag, k);
        if (n->op == DRY_OP_T) image->home[k] = image->at_t;
        if (n->op == DRY_OP_TAU) image->home[k] = image->at_tau;
        if (n->op == DRY_OP_STATE) image->home[k] = image->at_x + n->index;
        if (n->op == DRY_OP_WAY)
            image->home[k] = image->at_x + image->n_states + n->index * image->n_ways;
    }
}

static void give_areas(layout *l, const dry_section *sections) {
    dry_image *image = l->image;
    const int ways = image->n_ways;
    int most_roots = 0, most_args = 0, most_wide = 3; /* arguments of an operation */
    for (int s = 0; s < image->n_sections; s++) {
        const int wide = sections[s].n_wide, n = sections[s].n_roots - wide + wide * ways;
        if (n > most_roots) most_roots = n;
    }
    for (int i = 0; i < l->dag->n_blocks; i++) {
        const dry_block_info *info = &l->dag->blocks[i];
        const bool scratch = ways && info->op == DRY_OP_SOLVE; /* of dry_wide__solve */
        const int args = info->n_args + (scratch ? info->n_results * info->n_results : 0);
        if (args > most_args) most_args = args;
        const int wide = info->op == DRY_OP_LAW_TANGENTS ? info->n_args / 2 : info->n_results;
        if (wide > most_wide) most_wide = wide;
    }
    image->at_t = l->next;
    image->at_tau = image->at_t + 1;
    image->at_x = image->at_tau + 1;
    image->at_roots = image->at_x + image->n_states * (1 + ways);
    image->at_gathered = image->at_roots + most_roots;
    image->at_gathered_wide = image->at_gathered + most_args;
    image->at_temporaries = image->at_gathered_wide + most_wide * ways;
    image->n_registers = image->at_temporaries;
}

bool dry_image__lay_out(dry_image *image, const dry_dag *dag, const dry_section *sections,
                        dry_nodes *once, dry_nodes *timed) {
    layout l = {.image = image, .dag = dag, .next = image->n_par};
    const size_t bytes = (size_t)dag->count * sizeof(int);
    image->home = dry_heap_take(dag->arena, 1, bytes);
    image->pack_of = dry_heap_take(dag->arena, 1, bytes);
    image->wide_pack_of = dry_heap_take(dag->arena, 1, bytes);
    bool good = image->home && image->pack_of && image->wide_pack_of && mark_needed(&l, sections);
    for (dry_node k = 0; good && k < dag->count; k++) {
        const dry_node_record *n = dry_dag__at(dag, k);
        image->home[k] = n->op == DRY_OP_PAR ? n->index : DRY_NONE;
        image->pack_of[k] = image->wide_pack_of[k] = DRY_NONE;
    }
    good = good && give_constants(&l) && give_once(&l, sections, once) && give_packs(&l) &&
           give_timed(&l, sections, timed);
    if (good) {
        give_areas(&l, sections);
        give_leaves(&l);
    }
    free(l.needed);
    return good;
}
