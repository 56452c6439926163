/* factors: takes the right side of a set-valued force apart: chi*sgn(theta), [-F, G]*sgn(theta),
 * chi*transpose(A)*sgn(A*v), into the call of the set, its sign, and what stands before it. */
#include "lang_private.h"

static void take_factor(dry_elab *elab, const dry_expr *expr, bool divides, dry_lang__product *p);

/* The first call of a set; of those that yield, if `yielding`, else of the others. */
static const dry_expr *first_set(const dry_expr *expr, bool yielding) {
    const dry_set *set = expr->kind == DRY_EX_CALL ? dry_set_find(expr->text) : NULL;
    if (set && set->yields == yielding) return expr;
    for (int i = 0; i < expr->n_args; i++) {
        const dry_expr *found = first_set(expr->arg[i], yielding);
        if (found) return found;
    }
    return NULL;
}

/* Beside another set, the name of one that yields is a function of the model. */
const dry_expr *dry_lang_set_of(const dry_expr *expr) {
    const dry_expr *found = first_set(expr, false);
    return found ? found : first_set(expr, true);
}

/* A function of the model replaces a set that yields. */
static bool is_set(const dry_elab *elab, const dry_expr *expr) {
    const dry_set *set = expr->kind == DRY_EX_CALL ? dry_set_find(expr->text) : NULL;
    const dry_symbol *own = set && set->yields ? dry_lang_find(elab, expr->text) : NULL;
    return set && !(own && (own->kind == DRY_SYM_FUNCTION || own->kind == DRY_SYM_TABLE));
}

static bool has_set(const dry_elab *elab, const dry_expr *expr) {
    bool has = is_set(elab, expr);
    for (int i = 0; i < expr->n_args && !has; i++) has = has_set(elab, expr->arg[i]);
    return has;
}

/* Takes a factor that is a matrix. A product is taken apart, so that its numbers join the level. */
static void take_matrix(dry_elab *elab, const dry_expr *expr, dry_term v, dry_lang__product *p) {
    if (expr->kind == DRY_EX_UNARY && expr->text[0] == '-') {
        p->sign = -p->sign;
        take_factor(elab, expr->arg[0], false, p);
    } else if (expr->kind == DRY_EX_BINARY && expr->text[0] == '*') {
        take_factor(elab, expr->arg[0], false, p);
        take_factor(elab, expr->arg[1], false, p);
    } else {
        p->written.outer = p->n_outers++ ? NULL : expr;
        p->outer = p->has_outer ? dry_lang__binary(elab, expr->at, "*", p->outer, v) : v;
        p->has_outer = true;
        p->bad = p->bad || p->outer.bad;
    }
}

/* Takes the ends of an interval. A minus and numbers before it are taken apart likewise. */
static void take_interval(dry_elab *elab, const dry_expr *expr, dry_term v, dry_lang__product *p) {
    if (expr->kind == DRY_EX_UNARY && expr->text[0] == '-') {
        p->sign = -p->sign;
        take_factor(elab, expr->arg[0], false, p);
    } else if (expr->kind == DRY_EX_BINARY && (expr->text[0] == '*' || expr->text[0] == '/')) {
        take_factor(elab, expr->arg[0], false, p);
        take_factor(elab, expr->arg[1], expr->text[0] == '/', p);
    } else if (p->has_interval) {
        DRY_SAY(elab->diag, expr->at, LEVEL_NOT_A_NUMBER, dry_lang_shape(elab, &v));
        p->bad = true;
    } else {
        p->interval = v;
        p->has_interval = true;
    }
}

static void take_factor(dry_elab *elab, const dry_expr *expr, bool divides, dry_lang__product *p) {
    dry_term v = dry_lang__expr(elab, expr);
    if (!v.bad && v.rank == 2 && !divides) {
        take_matrix(elab, expr, v, p);
        return;
    }
    if (!v.bad && v.rank == 1 && v.rows == 2 && !divides) {
        take_interval(elab, expr, v, p);
        return;
    }
    p->written.level = p->n_factors++ || divides ? NULL : expr;
    if (divides && !p->has_factor)
        p->factor = dry_lang__scalar(elab, dry_dag_const(elab->dag, 1.0), dry_dim_pure());
    if (p->has_factor || divides)
        v = dry_lang__binary(elab, expr->at, divides ? "/" : "*", p->factor, v);
    p->factor = v;
    p->has_factor = true;
    p->bad = p->bad || v.bad;
}

void dry_lang__split(dry_elab *elab, const dry_expr *expr, bool divides, dry_lang__product *p) {
    if (is_set(elab, expr) && !divides) {
        if (p->set) {
            DRY_SAY(elab->diag, expr->at, TWO_SETS, "");
            p->bad = true;
        }
        p->set = expr;
    } else if (!has_set(elab, expr)) {
        take_factor(elab, expr, divides, p);
    } else if (expr->kind == DRY_EX_UNARY && expr->text[0] == '-') {
        p->sign = -p->sign;
        dry_lang__split(elab, expr->arg[0], divides, p);
    } else if (expr->kind == DRY_EX_BINARY && (expr->text[0] == '*' || expr->text[0] == '/')) {
        dry_lang__split(elab, expr->arg[0], divides, p);
        dry_lang__split(elab, expr->arg[1], divides != (expr->text[0] == '/'), p);
    } else {
        DRY_SAY(elab->diag, expr->at, NOT_A_PRODUCT, "");
        p->bad = true;
    }
}

/* Takes the constant c off the node: sgn(c theta) = sign(c) sgn(theta). */
static dry_node strip_constant(dry_elab *elab, dry_node node, double *sign) {
    for (;;) {
        dry_node_view v = dry_dag_view(elab->dag, node);
        if (v.op == DRY_OP_NEG) {
            *sign = -*sign;
            node = v.args[0];
            continue;
        }
        if (v.op != DRY_OP_MUL && v.op != DRY_OP_DIV) return node;
        dry_node a = v.args[0], b = v.args[1];
        dry_node_view left = dry_dag_view(elab->dag, a), right = dry_dag_view(elab->dag, b);
        bool left_constant = v.op == DRY_OP_MUL && left.op == DRY_OP_CONST && left.value != 0.0;
        bool right_constant = right.op == DRY_OP_CONST && right.value != 0.0;
        if (!left_constant && !right_constant) return node;
        if ((left_constant ? left.value : right.value) < 0.0) *sign = -*sign;
        node = left_constant ? b : a;
    }
}

void dry_lang__strip_argument(dry_elab *elab, dry_term *theta, double *sign) {
    if (!theta->rank) theta->one = strip_constant(elab, theta->one, sign);
}
