/* own_force: levels that depend on the side of the force. Solves a friction level for the force if
 * the level depends on the force that it limits, as in a brake whose friction presses its shoe on.
 *
 *     f = sigma phi,   phi = sat(chi, y),   chi = c + s f,   y = K (a + beta theta), X13 (18)
 *
 * The bounds of phi are those at which phi meets its own level, with k = sigma s:
 *
 *     phi <=   c + k phi    <=>  phi <=  c/(1 - k)
 *     phi >= -(c + k phi)   <=>  phi >= -c/(1 + k)          both for -1 < k < 1
 *
 * so that phi = sat(c/(1 - k sign(y)), y): only the bound in the direction in which y pushes can
 * matter (docs/theory.md section 2). */
#include "lang_private.h"

#include <drystone/math.h>

#include <stdlib.h>
#include <string.h>

/* ---- which forces feed themselves, from the text ----------------------------------- */

typedef struct circle {
    dry_elab *elab;
    int goal;   /* the force */
    int next;   /* first of the symbols to search; -1 if none */
    bool found; /* a way back to the force exists */
} circle;

static void look_at(circle *c, const char *name) {
    dry_symbol *symbol = name ? dry_lang_find(c->elab, name) : NULL;
    if (!symbol) return;
    const int i = (int)(symbol - c->elab->names.symbol);
    const bool passes = symbol->kind == DRY_SYM_QUANTITY || symbol->kind == DRY_SYM_FUNCTION;
    c->found = c->found || i == c->goal;
    if (!passes || symbol->seen_from == c->goal + 1) return;
    symbol->seen_from = c->goal + 1;
    symbol->next = c->next;
    c->next = i;
}

static void look_into(circle *c, const dry_expr *expr) {
    if (!expr) return;
    if (expr->kind == DRY_EX_NAME || expr->kind == DRY_EX_MEMBER || expr->kind == DRY_EX_CALL)
        look_at(c, expr->text);
    for (int i = 0; i < expr->n_args; i++) look_into(c, expr->arg[i]);
    for (int i = 0; i < expr->n_keys; i++) look_into(c, expr->key[i].value);
}

static void look_through(circle *c, const dry_symbol *symbol) {
    if (symbol->stmt) look_into(c, symbol->stmt->value);
    for (int i = 0; i < symbol->n_stmts; i++) look_into(c, symbol->more[i]->value);
}

bool dry_lang__feeds_itself(dry_elab *elab, const dry_symbol *symbol) {
    if (symbol->kind != DRY_SYM_FORCE || symbol->stmt->kind != DRY_ST_SET) return false;
    circle c = {.elab = elab, .goal = (int)(symbol - elab->names.symbol), .next = -1};
    look_through(&c, symbol);
    while (c.next >= 0 && !c.found) {
        const dry_symbol *inner = &elab->names.symbol[c.next];
        c.next = inner->next;
        look_through(&c, inner);
    }
    return c.found;
}

/* ---- the force while its level is being understood --------------------------------- */

/* Returns the set with a level in a right side; NULL if there is none. */
static const dry_expr *find_levelled(const dry_expr *expr) {
    const dry_expr *call = dry_lang_set_of(expr);
    return call && dry_set_find(call->text)->has_level ? call : NULL;
}

bool dry_lang__may_feed(const dry_symbol *symbol) {
    const bool set = symbol->kind == DRY_SYM_FORCE && symbol->stmt->kind == DRY_ST_SET;
    const dry_expr *call = set && !symbol->indexed ? find_levelled(symbol->stmt->value) : NULL;
    return call && call->n_args == 1;
}

dry_term dry_lang__own_force(dry_elab *elab, dry_symbol *symbol, dry_place at) {
    if (symbol->refs < 0) {
        symbol->refs = dry_lang__new_ref(elab, at);
        symbol->value.dim = dry_dim_unknown(elab->dims);
        if (symbol->refs < 0) return dry_lang__bad(elab);
        const dry_term theta = dry_lang__expr(elab, find_levelled(symbol->stmt->value)->arg[0]);
        if (theta.bad) return theta;
        if (theta.rank) {
            DRY_SAY(elab->diag, at, OWN_VECTOR, symbol->name);
            return dry_lang__bad(elab);
        }
    }
    return dry_lang__scalar(elab, dry_dag_leaf(elab->dag, DRY_OP_REF, symbol->refs),
                            symbol->value.dim);
}

/* ---- the level as a straight line -------------------------------------------------- */

typedef enum bent { FREE, STRAIGHT, BENT, THROUGH_LAWS } bent;

/* c + s f */
typedef struct line {
    dry_node c, s;
    bent how;
} line;

static line sum(dry_dag *dag, dry_op op, line a, line b) {
    return (line){dry_dag_bin(dag, op, a.c, b.c), dry_dag_bin(dag, op, a.s, b.s), STRAIGHT};
}

static line scaled(dry_dag *dag, dry_op op, line a, dry_node by) {
    return (line){dry_dag_bin(dag, op, a.c, by), dry_dag_bin(dag, op, a.s, by), STRAIGHT};
}

/* Computes the line of a node from the lines of its arguments, one of which depends on the
 * force. */
static line combine(dry_dag *dag, dry_op op, const line *a) {
    switch (op) {
    case DRY_OP_NEG:
        return (line){dry_dag_un(dag, op, a[0].c), dry_dag_un(dag, op, a[0].s), STRAIGHT};
    case DRY_OP_ADD:
    case DRY_OP_SUB: return sum(dag, op, a[0], a[1]);
    case DRY_OP_MUL:
        if (a[1].how == FREE) return scaled(dag, op, a[0], a[1].c);
        if (a[0].how == FREE) return scaled(dag, op, a[1], a[0].c);
        break;
    case DRY_OP_DIV:
        if (a[1].how == FREE) return scaled(dag, op, a[0], a[1].c);
        break;
    case DRY_OP_SELECT:
        if (a[0].how == FREE)
            return (line){dry_dag_select(dag, a[0].c, a[1].c, a[2].c),
                          dry_dag_select(dag, a[0].c, a[1].s, a[2].s), STRAIGHT};
        break;
    default: break;
    }
    return (line){0, 0, BENT};
}

static line line_of(dry_dag *dag, dry_node node, dry_node own, const line *of) {
    const dry_node_view v = dry_dag_view(dag, node);
    line a[3] = {{0, 0, FREE}, {0, 0, FREE}, {0, 0, FREE}};
    bent how = FREE;
    if (node == own) return (line){0, dry_dag_const(dag, 1.0), STRAIGHT};
    for (int k = 0; k < v.n_args; k++) {
        const line arg = v.args[k] < own ? (line){v.args[k], 0, FREE} : of[v.args[k] - own];
        how = arg.how > how ? arg.how : how;
        if (k < 3) a[k] = arg;
    }
    if (how == FREE) return (line){node, 0, FREE};
    if (v.op >= DRY_OP_LAW && v.op <= DRY_OP_LAW_START) how = THROUGH_LAWS;
    return how > STRAIGHT ? (line){0, 0, how} : combine(dag, v.op, a);
}

/* Arguments come before their users, and nodes that depend on `own` come after it. */
static line straight_line(dry_elab *elab, dry_node level, dry_node own) {
    if (level < own) return (line){level, 0, FREE};
    line *of = dry_heap_take(elab->arena, (size_t)(level - own) + 1, sizeof *of);
    line result = {0, 0, FREE};
    for (dry_node i = own; of && i <= level; i++) of[i - own] = line_of(elab->dag, i, own, of);
    if (of) result = of[level - own];
    free(of);
    return result;
}

/* ---- the level that has been solved ------------------------------------------------ */

/* Returns sign(y), y = K (a + (beta + tau) theta), K > 0; a is the state that the force will
 * get. */
static dry_node side_of_trial(const dry_elab *elab, const dry_force *force) {
    dry_dag *dag = elab->dag;
    const int row = dry_law_par_find(force->law, "beta");
    const dry_node beta = force->par[dry_law_par_offset(force->law, row, force->elements)];
    const dry_node b = dry_dag_bin(dag, DRY_OP_ADD, beta, dry_dag_leaf(dag, DRY_OP_TAU, 0));
    const dry_node a = dry_dag_leaf(dag, DRY_OP_STATE, elab->quantities.n_states);
    const dry_node stretch =
        dry_dag_bin(dag, DRY_OP_ADD, a, dry_dag_bin(dag, DRY_OP_MUL, b, force->input[0]));
    return dry_dag_un(dag, DRY_OP_SIDE, stretch);
}

/* F (1 - side)/2 for end 0, G (1 + side)/2 for end 1: all of it on its own side, to the last bit,
 * and nothing on the other. */
static dry_node share_of(dry_dag *dag, const dry_force *force, int end) {
    const dry_node half = dry_dag_const(dag, 0.5);
    const dry_node part = dry_dag_bin(dag, DRY_OP_MUL, half, force->side);
    const dry_node share = dry_dag_bin(dag, end ? DRY_OP_ADD : DRY_OP_SUB, half, part);
    return dry_dag_bin(dag, DRY_OP_MUL, share, force->interval.level[end]);
}

void dry_lang__level_by_side(dry_elab *elab, dry_force *force) {
    force->side = side_of_trial(elab, force);
    force->chi = dry_dag_bin(elab->dag, DRY_OP_ADD, share_of(elab->dag, force, 0),
                             share_of(elab->dag, force, 1));
}

static bool refuse(dry_elab *elab, const dry_force *force, bent how) {
    if (how == BENT)
        DRY_SAY(elab->diag, force->at, OWN_BENT, force->name);
    else
        DRY_SAY(elab->diag, force->at, OWN_CIRCLE, force->name);
    return false;
}

bool dry_lang__solve_level(dry_elab *elab, dry_force *force, dry_node own) {
    dry_dag *dag = elab->dag;
    const line level = straight_line(elab, force->chi, own);
    for (int k = 0; k < force->n_inputs; k++)
        if (straight_line(elab, force->input[k], own).how != FREE) {
            DRY_SAY(elab->diag, force->argument_at, CYCLE, force->name);
            return false;
        }
    if (level.how == FREE) return true;
    if (force->dim > 1) {
        DRY_SAY(elab->diag, force->at, OWN_VECTOR, force->name);
        return false;
    }
    if (level.how != STRAIGHT) return refuse(elab, force, level.how);
    if (!dry_lang_is_plain(force)) {
        DRY_SAY(elab->diag, force->at, OWN_LAW, force->name, force->law->name);
        return false;
    }
    force->unfed = level.c;
    force->feed = force->sign < 0.0 ? dry_dag_un(dag, DRY_OP_NEG, level.s) : level.s;
    force->side = side_of_trial(elab, force);
    force->interval.middle = 0; /* the rigid methods take the side of the force here */
    const dry_node share = dry_dag_bin(dag, DRY_OP_MUL, force->feed, force->side);
    const dry_node rest = dry_dag_bin(dag, DRY_OP_SUB, dry_dag_const(dag, 1.0), share);
    force->chi = dry_dag_bin(dag, DRY_OP_DIV, level.c, rest);
    return true;
}
