/* Turns ordered items into instructions and gives them registers. A temporary is free again after
 * its last use. The code computes the branches of a SELECT directly in the register of its result.
 */
#include "image_private.h"
#include <stdlib.h>

/* One side of a SELECT whose code is being made. */
typedef struct frame {
    int region;   /* DRY_NONE: an empty side */
    int position; /* of the next member */
    int select;   /* the item; DRY_NONE: the whole piece */
    int side;
    size_t hole; /* the jump whose target is the end of the side */
} frame;

typedef struct emitter {
    dry_image *image;
    const dry_dag *dag;
    dry_order order;
    dry_piece *piece;
    size_t *code_capacity;
    frame *frames;
    int n_frames, frames_capacity;
    int *free_of_size; /* the first free range of temporaries of each size */
    int *free_next;    /* by register from at_temporaries on */
    int n_free_next;
    int top; /* the first register that was never assigned */
    bool failed;
} emitter;

/* ---- temporaries ------------------------------------------------------------------- */

static int take(emitter *e, int size) {
    const int base = e->image->at_temporaries, reused = e->free_of_size[size];
    if (reused != DRY_NONE) {
        e->free_of_size[size] = e->free_next[reused - base];
        return reused;
    }
    const int reg = e->top;
    if (!dry_dag_grow(e->dag->arena, &e->free_next, &e->n_free_next, reg + size - base,
                      sizeof(int))) {
        e->failed = true;
        return base;
    }
    e->top += size;
    return reg;
}

static void give_back(emitter *e, int reg, int size) {
    if (e->failed) return;
    e->free_next[reg - e->image->at_temporaries] = e->free_of_size[size];
    e->free_of_size[size] = reg;
}

static dry_item *item_at(const emitter *e, dry_node node) {
    const int i = e->order.item_of[node];
    return i == DRY_NONE ? NULL : e->order.items + i;
}

static int register_of(const emitter *e, dry_node node) {
    const dry_item *item = item_at(e, node);
    return item ? item->reg : e->image->home[node];
}

/* The result of a block that is not split: a name for one of the block's registers. */
static bool is_alias(const emitter *e, dry_node node) {
    const dry_node_record *n = dry_dag__at(e->dag, node);
    return n->op == DRY_OP_PICK && !dry_block__is_split(dry_dag__block(e->dag, n->args[0]));
}

static int width_of(const emitter *e, dry_node node) {
    return dry_image__width(e->image, e->dag, node);
}

static int size_of(const emitter *e, dry_node node) {
    const bool block = dry_op_is_block((dry_op)e->dag->nodes[node].op);
    return width_of(e, node) * (block ? dry_dag__block(e->dag, node)->n_results : 1);
}

static void release(emitter *e, dry_node node) {
    dry_item *item = item_at(e, node);
    if (!item || --item->uses > 0) return;
    if (item->owns)
        give_back(e, item->reg, size_of(e, node));
    else if (is_alias(e, node) && item->target == DRY_NONE)
        release(e, e->dag->nodes[node].args[0]);
}

static void release_arguments(emitter *e, dry_node node) {
    const dry_node *args = dry_dag__args(e->dag, node);
    for (int i = 0; i < e->dag->nodes[node].n_args; i++) release(e, args[i]);
}

static int place(emitter *e, dry_item *item) {
    item->owns = item->target == DRY_NONE;
    item->reg = item->owns ? take(e, width_of(e, item->node)) : item->target;
    return item->reg;
}

/* ---- words ------------------------------------------------------------------------- */

static bool make_room(emitter *e, size_t words) {
    dry_image *image = e->image;
    if (image->n_words + words <= *e->code_capacity) return true;
    const size_t wanted = 2 * *e->code_capacity + words + 256;
    uint32_t *bigger = dry_heap_grow(e->dag->arena, image->code, wanted * sizeof *bigger);
    if (!bigger) {
        e->failed = true;
        return false;
    }
    image->code = bigger;
    *e->code_capacity = wanted;
    return true;
}

/* Returns the position of the first operand. */
static size_t write_words(emitter *e, uint32_t code, const int *operands, int n) {
    dry_image *image = e->image;
    if (!make_room(e, (size_t)n + 1)) return 0;
    const size_t at = image->n_words + 1;
    image->code[image->n_words++] = code;
    for (int i = 0; i < n; i++) image->code[image->n_words++] = (uint32_t)operands[i];
    e->piece->n_instructions++;
    return at;
}

#define WRITE(e, code, ...)                                                                        \
    write_words(e, (uint32_t)(code), (int[]){__VA_ARGS__},                                         \
                (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)))

static void aim_here(emitter *e, size_t hole) {
    if (!e->failed) e->image->code[hole] = (uint32_t)e->image->n_words;
}

/* ---- wide operands ----------------------------------------------------------------- */

/* The instruction for wide operands; with one way these are numbers, and so is the instruction for
 * numbers, which has its operands in the same places. */
static int wide_code(const emitter *e, int code) {
    static const int one[] = {
        [DRY_CODE_WIDE_NEG - DRY_CODE_WIDE_NEG] = DRY_OP_NEG,
        [DRY_CODE_WIDE_MOVE - DRY_CODE_WIDE_NEG] = DRY_CODE_MOVE,
        [DRY_CODE_WIDE_FILL - DRY_CODE_WIDE_NEG] = DRY_CODE_MOVE,
        [DRY_CODE_WIDE_ADD - DRY_CODE_WIDE_NEG] = DRY_OP_ADD,
        [DRY_CODE_WIDE_SUB - DRY_CODE_WIDE_NEG] = DRY_OP_SUB,
        [DRY_CODE_WIDE_TIMES - DRY_CODE_WIDE_NEG] = DRY_OP_MUL,
        [DRY_CODE_WIDE_OVER - DRY_CODE_WIDE_NEG] = DRY_OP_DIV,
        [DRY_CODE_WIDE_MORE - DRY_CODE_WIDE_NEG] = DRY_CODE_MUL_ADD,
        [DRY_CODE_WIDE_SELECT - DRY_CODE_WIDE_NEG] = DRY_OP_SELECT,
        [DRY_CODE_WIDE_CHOOSE - DRY_CODE_WIDE_NEG] = DRY_OP_SELECT,
    };
    const int row = code - DRY_CODE_WIDE_NEG;
    const bool has_one = e->image->n_ways == 1 && row < (int)(sizeof one / sizeof *one);
    return has_one ? one[row] : code;
}

/* What is not wide among wide operands is 0, or a number for all ways, such as NaN where a slope is
 * infinite. For that number there is a place, `slot` of the gathered area. */
static int slot_at(const emitter *e, int slot) {
    return e->image->at_gathered_wide + slot * e->image->n_ways;
}

static int wide_place(const emitter *e, dry_node node, int slot) {
    if (dry_image__is_wide_zero(e->dag, node)) return e->image->at_zero;
    return dry_dag_is_wide(e->dag, node) ? register_of(e, node) : slot_at(e, slot);
}

/* The first register of a wide operand. */
static int wide_register_of(emitter *e, dry_node node, int slot) {
    const int place = wide_place(e, node, slot);
    if (!dry_dag_is_wide(e->dag, node) && place != e->image->at_zero)
        WRITE(e, wide_code(e, DRY_CODE_WIDE_FILL), place, register_of(e, node));
    return place;
}

/* ---- single items ------------------------------------------------------------------ */

static void emit_plain(emitter *e, dry_item *item) {
    const dry_node_record *n = dry_dag__at(e->dag, item->node);
    int operands[4];
    for (int i = 0; i < n->n_args; i++) operands[i + 1] = register_of(e, n->args[i]);
    release_arguments(e, item->node);
    operands[0] = place(e, item);
    write_words(e, n->op, operands, n->n_args + 1);
}

/* The instruction of a wide node, and which of its arguments are wide. */
typedef struct wide_form {
    int code, n_args;
    bool wide[3];
} wide_form;

static wide_form form_of(const emitter *e, const dry_node_record *n) {
    switch (n->op) {
    case DRY_OP_NEG: return (wide_form){DRY_CODE_WIDE_NEG, 1, {true}};
    case DRY_OP_ADD: return (wide_form){DRY_CODE_WIDE_ADD, 2, {true, true}};
    case DRY_OP_SUB: return (wide_form){DRY_CODE_WIDE_SUB, 2, {true, true}};
    case DRY_OP_MUL: return (wide_form){DRY_CODE_WIDE_TIMES, 2, {false, true}};
    case DRY_OP_DIV: return (wide_form){DRY_CODE_WIDE_OVER, 2, {true, false}};
    case DRY_OP_SELECT:
        if (!dry_dag_is_wide(e->dag, n->args[0]))
            return (wide_form){DRY_CODE_WIDE_SELECT, 3, {false, true, true}};
        return (wide_form){DRY_CODE_WIDE_CHOOSE, 3, {true, true, true}};
    default: /* it compares with 0 */ return (wide_form){DRY_CODE_WIDE_MOVES, 1, {true}};
    }
}

/* Changes are linear in those of the leaves. A rule of ops.def that makes anything else of them has
 * no code, because it would give a wrong number. */
static bool is_linear(const emitter *e, const dry_node_record *n) {
    const bool a = dry_dag_is_wide(e->dag, n->args[0]);
    const bool b = n->n_args > 1 && dry_dag_is_wide(e->dag, n->args[1]);
    switch (n->op) {
    case DRY_OP_NEG:
    case DRY_OP_ADD:
    case DRY_OP_SUB:
    case DRY_OP_SELECT: return true;
    case DRY_OP_MUL: return !(a && b);
    case DRY_OP_DIV: return !b;
    default: return n->op == DRY_OP_NE && dry_image__is_wide_zero(e->dag, n->args[1]);
    }
}

static void emit_wide(emitter *e, dry_item *item) {
    const dry_node_record *n = dry_dag__at(e->dag, item->node);
    if (!is_linear(e, n)) e->failed = true;
    const wide_form form = form_of(e, n);
    const bool swapped = n->op == DRY_OP_MUL && dry_dag_is_wide(e->dag, n->args[0]);
    int operands[4] = {0};
    for (int i = 0; i < form.n_args; i++) {
        const dry_node arg = n->args[swapped ? 1 - i : i];
        operands[1 + i] = form.wide[i] ? wide_register_of(e, arg, i) : register_of(e, arg);
    }
    release_arguments(e, item->node);
    operands[0] = place(e, item);
    write_words(e, (uint32_t)wide_code(e, form.code), operands, form.n_args + 1);
}

/* x a + b */
static void emit_wide_fused(emitter *e, dry_item *item) {
    const dry_node_record *n = dry_dag__at(e->dag, item->node);
    const dry_node inner = n->args[item->absorbs], other = n->args[1 - item->absorbs];
    const dry_node_record *m = dry_dag__at(e->dag, inner);
    const int wide = dry_dag_is_wide(e->dag, m->args[0]) ? 0 : 1;
    const int x = register_of(e, m->args[1 - wide]), a = wide_register_of(e, m->args[wide], 0);
    const int b = wide_register_of(e, other, 1);
    release_arguments(e, inner);
    release(e, other);
    WRITE(e, wide_code(e, DRY_CODE_WIDE_MORE), place(e, item), x, a, b);
}

/* Returns the row of DRY_FUSED_CODES for op(inner, c), or op(c, inner) if `absorbs` is 1. */
static int fused_code(dry_op inner, dry_op op, int absorbs) {
    static const int seconds[2][4] = {{0, 1, 2, 3}, {0, 4, 2, 5}};
    const int first = (int)inner - DRY_OP_ADD, second = seconds[absorbs][(int)op - DRY_OP_ADD];
    return DRY_CODE_ADD_ADD + first * DRY_N_SECONDS + second;
}

static void emit_fused(emitter *e, dry_item *item) {
    const dry_node_record *n = dry_dag__at(e->dag, item->node);
    const dry_node inner = n->args[item->absorbs], other = n->args[1 - item->absorbs];
    const dry_node_record *m = dry_dag__at(e->dag, inner);
    const int a = register_of(e, m->args[0]), b = register_of(e, m->args[1]);
    const int c = register_of(e, other);
    release_arguments(e, inner);
    release(e, other);
    const int code = fused_code((dry_op)m->op, (dry_op)n->op, item->absorbs);
    WRITE(e, code, place(e, item), a, b, c);
}

static void emit_pick(emitter *e, dry_item *item) {
    const dry_node_record *n = dry_dag__at(e->dag, item->node);
    if (!is_alias(e, item->node)) return;
    const bool wide = dry_dag_is_wide(e->dag, item->node);
    const int from = register_of(e, n->args[0]) + n->index * width_of(e, item->node);
    item->reg = from;
    if (item->target == DRY_NONE) return;
    WRITE(e, wide ? wide_code(e, DRY_CODE_WIDE_MOVE) : DRY_CODE_MOVE, item->reg = item->target,
          from);
    release(e, n->args[0]);
}

static void gather(emitter *e, const dry_node *args, int n, int to) {
    const int head[2] = {to, n};
    write_words(e, DRY_CODE_GATHER, head, 2);
    if (!make_room(e, (size_t)n)) return;
    for (int i = 0; i < n; i++)
        e->image->code[e->image->n_words++] = (uint32_t)register_of(e, args[i]);
}

/* Returns where arguments first .. first + n of a block are side by side. Copies them if they are
 * not. */
static int side_by_side(emitter *e, dry_node block, int first, int n) {
    const dry_node *args = dry_dag__args(e->dag, block) + first;
    if (n == 0) return 0;
    const int reg = register_of(e, args[0]), to = e->image->at_gathered + first;
    for (int i = 1; i < n; i++)
        if (register_of(e, args[i]) != reg + i) {
            gather(e, args, n, to);
            return to;
        }
    return reg;
}

/* Of arguments that have slots from the first on. */
static void fill_slots(emitter *e, const dry_node *args, int n, int first) {
    for (int i = 0; i < n; i++) (void)wide_register_of(e, args[i], first + i);
}

static void write_wide_operands(emitter *e, const dry_node *args, int n, int first) {
    if (!make_room(e, (size_t)n)) return;
    for (int i = 0; i < n; i++)
        e->image->code[e->image->n_words++] = (uint32_t)wide_place(e, args[i], first + i);
}

/* The same as side_by_side for wide arguments; `first`: the slot of the first. */
static int wide_side_by_side(emitter *e, const dry_node *args, int n, int first) {
    const int reg = n ? wide_place(e, args[0], first) : 0, ways = e->image->n_ways;
    fill_slots(e, args, n, first);
    for (int i = 1; i < n; i++) {
        if (wide_place(e, args[i], first + i) == reg + i * ways) continue;
        const int head[2] = {slot_at(e, first), n};
        write_words(e, DRY_CODE_WIDE_GATHER, head, 2);
        write_wide_operands(e, args, n, first);
        return slot_at(e, first);
    }
    return reg;
}

/* A is not wide. The scratch of the solver follows A, of whose size the gathered area has room. */
static void emit_wide_solve(emitter *e, dry_item *item) {
    const dry_node *args = dry_dag__args(e->dag, item->node);
    const int n = dry_dag__block(e->dag, item->node)->n_results, from = e->image->at_gathered;
    for (int i = 0; i < n * n; i++) e->failed |= dry_dag_is_wide(e->dag, args[i]);
    gather(e, args, n * n, from);
    fill_slots(e, args + n * n, n, 0);
    item->owns = true;
    item->reg = take(e, size_of(e, item->node));
    release_arguments(e, item->node);
    const int head[3] = {item->reg, n, from};
    write_words(e, DRY_CODE_WIDE_SOLVE, head, 3);
    write_wide_operands(e, args + n * n, n, 0);
}

static void emit_solve(emitter *e, dry_item *item) {
    const dry_block_info *info = dry_dag__block(e->dag, item->node);
    const int from = e->image->at_gathered;
    gather(e, dry_dag__args(e->dag, item->node), info->n_args, from);
    release_arguments(e, item->node);
    item->owns = true;
    item->reg = take(e, info->n_results);
    WRITE(e, DRY_CODE_SOLVE, item->reg, info->n_results, from);
}

/* The results must not overlap the arguments, which are released after the instruction. */
static void emit_law(emitter *e, dry_item *item) {
    const dry_block_info *info = dry_dag__block(e->dag, item->node);
    const int pack = e->image->pack_of[item->node], n_args = info->n_args;
    const int n_states = n_args - info->n_par - info->n_inputs;
    const int par = pack != DRY_NONE ? pack : side_by_side(e, item->node, 0, info->n_par);
    const int u = side_by_side(e, item->node, info->n_par, info->n_inputs);
    const int s = side_by_side(e, item->node, n_args - n_states, n_states);
    item->owns = true;
    item->reg = take(e, info->n_results);
    release_arguments(e, item->node);
    WRITE(e, DRY_CODE_LAW, item->reg, (int)(info - e->dag->blocks), par, u, s);
}

/* Marks which of the changes there are; returns where. */
static int mark_changes(emitter *e, const dry_node *changes, int n) {
    dry_marks *marks = &e->image->marks;
    const int at = marks->n;
    if (!dry_dag_grow(e->dag->arena, &marks->of, &marks->capacity, at + n, 1)) {
        e->failed = true;
        return 0;
    }
    for (int i = 0; i < n; i++) marks->of[at + i] = !dry_image__is_wide_zero(e->dag, changes[i]);
    marks->n += n;
    return at;
}

static void emit_tangents(emitter *e, dry_item *item) {
    const dry_block_info *info = dry_dag__block(e->dag, item->node);
    const dry_image *image = e->image;
    const int half = info->n_args / 2, pack = image->pack_of[item->node];
    const int wide = image->wide_pack_of[item->node];
    const int at_u = info->n_par, at_s = at_u + info->n_inputs;
    const dry_node *changes = dry_dag__args(e->dag, item->node) + half;
    int operands[9] = {0, (int)(info - e->dag->blocks)};
    operands[2] = pack != DRY_NONE ? pack : side_by_side(e, item->node, 0, info->n_par);
    operands[3] = side_by_side(e, item->node, at_u, info->n_inputs);
    operands[4] = side_by_side(e, item->node, at_s, info->n_states);
    operands[5] = wide != DRY_NONE ? wide : wide_side_by_side(e, changes, info->n_par, 0);
    operands[6] = wide_side_by_side(e, changes + at_u, info->n_inputs, at_u);
    operands[7] = wide_side_by_side(e, changes + at_s, info->n_states, at_s);
    operands[8] = mark_changes(e, changes, info->n_par);
    item->owns = true;
    operands[0] = item->reg = take(e, size_of(e, item->node));
    release_arguments(e, item->node);
    write_words(e, DRY_CODE_TANGENTS, operands, 9);
}

static void emit_split(emitter *e, dry_item *item) {
    const dry_block_info *info = dry_dag__block(e->dag, item->node);
    const dry_node *args = dry_dag__args(e->dag, item->node);
    const int code = info->role == DRY_ROLE_COULOMB ? DRY_CODE_COULOMB : DRY_CODE_CONTACT;
    const int places[5] = {info->at[0], info->at[1], info->at[2], info->n_par,
                           info->n_par + info->n_inputs};
    int operands[7];
    for (int i = 0; i < 5; i++) operands[2 + i] = register_of(e, args[places[i]]);
    release_arguments(e, item->node);
    for (int k = 0; k < 2; k++)
        operands[k] =
            item->side[k] == DRY_NONE ? take(e, 1) : place(e, e->order.items + item->side[k]);
    for (int k = 0; k < 2; k++)
        if (item->side[k] == DRY_NONE) give_back(e, operands[k], 1);
    write_words(e, (uint32_t)code, operands, 7);
}

/* ---- branches ---------------------------------------------------------------------- */

static void push_side(emitter *e, int select, int side, size_t hole) {
    const int region = select == DRY_NONE ? 0 : e->order.items[select].side[side];
    if (!dry_dag_grow(e->dag->arena, &e->frames, &e->frames_capacity, e->n_frames + 1,
                      sizeof *e->frames)) {
        e->failed = true;
        return;
    }
    e->frames[e->n_frames++] = (frame){region, 0, select, side, hole};
}

static size_t emit_condition(emitter *e, const dry_item *item) {
    const dry_node condition = e->dag->nodes[item->node].args[0];
    size_t hole;
    if (item->absorbs == DRY_NONE) {
        hole = WRITE(e, DRY_CODE_UNLESS, 0, register_of(e, condition));
        release(e, condition);
    } else {
        const dry_node_record *n = dry_dag__at(e->dag, condition);
        const int code = n->op == DRY_OP_LT ? DRY_CODE_UNLESS_LT : DRY_CODE_UNLESS_LE;
        hole = WRITE(e, code, 0, register_of(e, n->args[0]), register_of(e, n->args[1]));
        release_arguments(e, condition);
    }
    return hole;
}

static void open_select(emitter *e, int select) {
    dry_item *item = e->order.items + select;
    const size_t hole = emit_condition(e, item);
    place(e, item);
    for (int k = 0; k < 2; k++) {
        const dry_node chosen = e->dag->nodes[item->node].args[1 + k];
        dry_item *inner = item_at(e, chosen);
        if (inner && item->side[k] != DRY_NONE && inner->region == item->side[k] &&
            e->dag->nodes[chosen].op != DRY_OP_PICK)
            inner->target = item->reg;
    }
    push_side(e, select, 0, hole);
}

/* Called at the end of a side. */
static void close_side(emitter *e) {
    const frame done = e->frames[--e->n_frames];
    if (done.select == DRY_NONE) return;
    const dry_item *item = e->order.items + done.select;
    const dry_node chosen = e->dag->nodes[item->node].args[1 + done.side];
    const bool wide = dry_dag_is_wide(e->dag, item->node);
    const int from = wide ? wide_register_of(e, chosen, 0) : register_of(e, chosen);
    if (from != item->reg)
        WRITE(e, wide ? wide_code(e, DRY_CODE_WIDE_MOVE) : DRY_CODE_MOVE, item->reg, from);
    release(e, chosen);
    if (done.side == 0) {
        const size_t over = WRITE(e, DRY_CODE_JUMP, 0);
        aim_here(e, done.hole);
        push_side(e, done.select, 1, over);
    } else {
        aim_here(e, done.hole);
    }
}

static void emit_item(emitter *e, int i) {
    dry_item *item = e->order.items + i;
    const dry_op op = (dry_op)e->dag->nodes[item->node].op;
    const bool wide = dry_dag_is_wide(e->dag, item->node);
    if (item->absorbed) return;
    if (op == DRY_OP_PICK)
        emit_pick(e, item);
    else if (op == DRY_OP_SOLVE)
        (wide ? emit_wide_solve : emit_solve)(e, item);
    else if (op == DRY_OP_LAW_TANGENTS)
        emit_tangents(e, item);
    else if (dry_op_is_block(op) && dry_block__is_split(dry_dag__block(e->dag, item->node)))
        emit_split(e, item);
    else if (dry_op_is_block(op))
        emit_law(e, item);
    else if (item->side[0] != DRY_NONE || item->side[1] != DRY_NONE)
        open_select(e, i);
    else if (item->absorbs != DRY_NONE)
        (wide ? emit_wide_fused : emit_fused)(e, item);
    else
        (wide ? emit_wide : emit_plain)(e, item);
}

static void emit_regions(emitter *e) {
    push_side(e, DRY_NONE, 0, 0);
    while (e->n_frames > 0 && !e->failed) {
        frame *now = e->frames + e->n_frames - 1;
        const dry_region *region = now->region == DRY_NONE ? NULL : e->order.regions + now->region;
        if (region && now->position < region->n)
            emit_item(e, e->order.members[region->first + now->position++]);
        else
            close_side(e);
    }
    if (!e->failed) write_words(e, DRY_CODE_END, NULL, 0);
    e->piece->n_instructions--; /* the end does not count as work */
}

/* ---- a piece of code --------------------------------------------------------------- */

/* How many numbers root i of the section is. */
static int width_of_root(const emitter *e, const dry_section *section, int i) {
    return i < section->n_roots - section->n_wide ? 1 : e->image->n_ways;
}

/* The code computes roots where they are needed: side by side, or in their own register. */
static void set_targets(emitter *e, const dry_section *section, dry_piece_kind kind) {
    for (int i = 0, at = e->image->at_roots; i < section->n_roots; i++) {
        const dry_node root = section->roots[i];
        dry_item *item = item_at(e, root);
        const int reg = at;
        at += width_of_root(e, section, i);
        if (!item || item->target != DRY_NONE) continue;
        if (kind != DRY_PIECE_SECTION)
            item->target = e->image->home[root];
        else if (!is_alias(e, root))
            item->target = reg;
    }
}

/* Whether a root of one number in the register can follow those of the run. */
static bool goes_on(dry_run_of_roots *run, int reg) {
    if (run->n == 1) run->same = reg == run->from;
    return reg == (run->same ? run->from : run->from + run->n);
}

/* The same of a wide root. */
static bool goes_on_wide(const dry_run_of_roots *run, int reg, bool one) {
    if (run->same) return one && reg == run->from;
    return !one && reg == run->from + run->n;
}

static void list_runs(emitter *e, const dry_section *section) {
    int capacity = 0, first = 0;
    dry_piece *piece = e->piece;
    for (int i = 0; i < section->n_roots && !e->failed; i++) {
        const dry_node root = section->roots[i];
        const bool wide = i >= section->n_roots - section->n_wide;
        const bool one = wide && !dry_dag_is_wide(e->dag, root); /* number for all ways */
        const int width = width_of_root(e, section, i), reg = register_of(e, root);
        dry_run_of_roots *last = piece->n_runs ? piece->runs + piece->n_runs - 1 : NULL;
        if (last && (wide ? goes_on_wide(last, reg, one) : goes_on(last, reg))) {
            last->n += width;
        } else if (dry_dag_grow(e->dag->arena, &piece->runs, &capacity, piece->n_runs + 1,
                                sizeof *last)) {
            piece->runs[piece->n_runs++] = (dry_run_of_roots){first, reg, width, one};
        } else {
            e->failed = true;
        }
        first += width;
    }
}

/* Returns whether the piece reads a timed register. */
static bool reads_timed(const emitter *e, const dry_node *roots, int n_roots) {
    const unsigned char *kept = e->order.kept;
    bool reads = false;
    for (int i = 0; kept && i < n_roots; i++) reads |= kept[roots[i]];
    for (int i = 0; kept && i < e->order.n_items && !reads; i++) {
        const dry_node node = e->order.items[i].node, *args = dry_dag__args(e->dag, node);
        for (int k = 0; k < e->dag->nodes[node].n_args; k++) reads |= kept[args[k]];
    }
    return reads;
}

static int *list_of_sizes(const dry_dag *dag, int n_ways) {
    int most = 1;
    for (int i = 0; i < dag->n_blocks; i++)
        if (dag->blocks[i].n_results > most) most = dag->blocks[i].n_results;
    if (n_ways > 1) most *= n_ways;
    int *sizes = dry_heap_take(dag->arena, ((size_t)most + 1), sizeof *sizes);
    for (int i = 0; sizes && i <= most; i++) sizes[i] = DRY_NONE;
    return sizes;
}

bool dry_image__emit(dry_image *image, const dry_dag *dag, dry_piece_kind kind, dry_piece *piece,
                     const dry_section *section, size_t *code_capacity) {
    emitter e = {.image = image,
                 .dag = dag,
                 .order = {.dag = dag,
                           .once = kind == DRY_PIECE_ONCE,
                           .kept = kind == DRY_PIECE_SECTION ? image->kept : NULL},
                 .piece = piece,
                 .code_capacity = code_capacity,
                 .free_of_size = list_of_sizes(dag, image->n_ways),
                 .top = image->at_temporaries};
    piece->start = image->n_words;
    e.failed = !e.free_of_size || !dry_order_make(&e.order, section->roots, section->n_roots);
    if (!e.failed) {
        piece->timed = reads_timed(&e, section->roots, section->n_roots);
        set_targets(&e, section, kind);
        emit_regions(&e);
    }
    if (!e.failed && kind == DRY_PIECE_SECTION) list_runs(&e, section);
    if (e.top > image->n_registers) image->n_registers = e.top;
    dry_order_free(&e.order);
    free(e.frames);
    free(e.free_of_size);
    free(e.free_next);
    return !e.failed;
}
