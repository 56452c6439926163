/* expr: turns an expression of the tree into nodes, with its shape and its dimension. */
#include "lang_private.h"

#include <math.h>
#include <string.h>

static const dry_symbol *input_of(const dry_elab *elab, const dry_expr *expr) {
    const dry_symbol *symbol = expr->kind == DRY_EX_NAME ? dry_lang_find(elab, expr->text) : NULL;
    return symbol && symbol->kind == DRY_SYM_INPUT ? symbol : NULL;
}

static dry_term unary(dry_elab *elab, const dry_expr *expr) {
    if (expr->text[0] == '\'') {
        const dry_symbol *input = input_of(elab, expr->arg[0]);
        if (input) return dry_lang__input_rate(elab, input, expr->at);
        DRY_SAY(elab->diag, expr->at, PRIME_INSIDE, "");
        return dry_lang__bad(elab);
    }
    dry_term a = dry_lang__expr(elab, expr->arg[0]);
    if (a.bad) return a;
    if (expr->text[0] == 'n') {
        if (a.rank) return dry_lang__shapes_differ(elab, expr->at, "not", &a, &a);
        return dry_lang__scalar(elab, dry_dag_un(elab->dag, DRY_OP_NOT, a.one), dry_dim_pure());
    }
    if (!a.rank) return dry_lang__scalar(elab, dry_dag_un(elab->dag, DRY_OP_NEG, a.one), a.dim);
    dry_term v = dry_lang__array(elab, a.rank, a.rows, a.cols, a.dim);
    for (int k = 0; !v.bad && k < dry_term_size(&v); k++)
        v.many[k] = dry_dag_un(elab->dag, DRY_OP_NEG, a.many[k]);
    return v;
}

/* ---- leaves ------------------------------------------------------------------------ */

static void say_unit(dry_elab *elab, dry_place at, const char *unit) {
    const size_t letters = strcspn(unit, "+-0123456789");
    DRY_SAY(elab->diag, at, UNKNOWN_UNIT, unit, dry_unit_names());
    if (!strcmp(unit, "\xC2\xB0"))
        dry_diag_way_out(elab->diag, "write deg for an angle, K for a temperature");
    else if (letters > 0 && unit[letters])
        dry_diag_way_out(elab->diag, "write %.*s^%s", (int)letters, unit, unit + letters);
}

static dry_term number(dry_elab *elab, const dry_expr *expr) {
    double factor = 1.0;
    dry_dim dim;
    char bad[DRY_DIM_TEXT];
    if (!expr->unit)
        dim = dry_dim_unknown(elab->dims);
    else if (!dry_unit_parse(expr->unit, &factor, &dim, bad)) {
        say_unit(elab, expr->unit_at, bad);
        return dry_lang__bad(elab);
    }
    return dry_lang__scalar(elab, dry_dag_const(elab->dag, expr->value * factor), dim);
}

static dry_term built_in_name(dry_elab *elab, const dry_expr *expr, bool *found) {
    *found = true;
    if (!strcmp(expr->text, "t")) {
        if (elab->scope.only_params) {
            DRY_SAY(elab->diag, expr->at, ONLY_PARAMS, elab->scope.only_what, "t");
            return dry_lang__bad(elab);
        }
        return dry_lang__scalar(elab, dry_dag_leaf(elab->dag, DRY_OP_T, 0), dry_dim_seconds(1.0));
    }
    if (!strcmp(expr->text, "pi"))
        return dry_lang__scalar(elab, dry_dag_const(elab->dag, 3.14159265358979323846),
                                dry_dim_pure());
    if (!strcmp(expr->text, "inf"))
        return dry_lang__scalar(elab, dry_dag_const(elab->dag, (double)INFINITY),
                                dry_dim_unknown(elab->dims));
    *found = false;
    return dry_lang__bad(elab);
}

static dry_term name(dry_elab *elab, const dry_expr *expr) {
    for (const dry_local *local = elab->scope.locals; local; local = local->next)
        if (!strcmp(local->name, expr->text)) return *local->value;
    bool found;
    dry_term v = built_in_name(elab, expr, &found);
    if (found) return v;
    dry_symbol *symbol = dry_lang_find(elab, expr->text);
    if (!symbol) {
        dry_lang__unknown(elab, expr->at, expr->text);
        return dry_lang__bad(elab);
    }
    return dry_lang__symbol_value(elab, symbol, expr->at);
}

/* ---- vectors, indices, members ----------------------------------------------------------------
 */

/* Returns the common dimension of the entries. If the dimensions differ, the dimension of the
 * vector is not checked further. */
static dry_dim common_dim(dry_elab *elab, const dry_term *items, int n) {
    dry_dim dim = items[0].dim;
    for (int i = 1; i < n; i++)
        if (!dry_dim_unify(elab->dims, dim, items[i].dim)) return dry_dim_any();
    return dim;
}

static dry_term vector(dry_elab *elab, const dry_expr *expr) {
    int n = expr->n_args;
    dry_term *items = dry_arena_take(elab->arena, sizeof *items * (size_t)n);
    if (!items) return dry_lang__bad(elab);
    for (int i = 0; i < n; i++) {
        items[i] = dry_lang__expr(elab, expr->arg[i]);
        if (items[i].bad) return items[i];
        if (items[i].rank != items[0].rank || items[i].rows != items[0].rows || items[i].rank > 1)
            return dry_lang__shapes_differ(elab, expr->arg[i]->at, "[ ]", &items[0], &items[i]);
    }
    int cols = items[0].rank ? items[0].rows : 1;
    dry_term v = dry_lang__array(elab, items[0].rank + 1, n, cols, common_dim(elab, items, n));
    for (int i = 0; !v.bad && i < n; i++)
        for (int j = 0; j < cols; j++) v.many[i * cols + j] = dry_term_at(&items[i], j);
    return v;
}

/* Elaborates only element `index` of an indexed quantity, so that a recurrence is not a cycle. */
static bool element_of_name(dry_elab *elab, const dry_expr *expr, dry_term *v) {
    const dry_expr *base = expr->arg[0];
    if (base->kind != DRY_EX_NAME || expr->n_args != 2) return false;
    for (const dry_local *local = elab->scope.locals; local; local = local->next)
        if (!strcmp(local->name, base->text)) return false;
    dry_symbol *symbol = dry_lang_find(elab, base->text);
    if (!symbol || !symbol->indexed) return false;
    int i;
    *v = dry_lang__integer(elab, expr->arg[1], "an index", 1, symbol->n_elements, &i)
             ? dry_lang__element(elab, symbol, i - 1, base->at)
             : dry_lang__bad(elab);
    return true;
}

/* Returns the part to which the quantity of an expression belongs, such as ball of ball.p and
 * ball[i].p, and touch of touch.ball[i].f; NULL if there is none. */
static dry_symbol *part_of(const dry_elab *elab, const dry_expr *expr) {
    if (expr->kind != DRY_EX_MEMBER) return NULL;
    const dry_expr *base = expr->n_args ? expr->arg[0]->arg[0] : expr;
    const bool plain = base->kind == DRY_EX_NAME || !base->n_args;
    dry_symbol *symbol = plain ? dry_lang_find(elab, base->text) : NULL;
    return symbol && symbol->kind == DRY_SYM_PART ? symbol : NULL;
}

/* Returns true if the index is an undefined name: the user may mean a unit, as in x [m] and [1, 2]
 * [meter]. */
static bool is_meant_as_unit(dry_elab *elab, const dry_expr *expr) {
    const dry_expr *index = expr->arg[1], *base = expr->arg[0];
    bool found = expr->n_args != 2 || index->kind != DRY_EX_NAME ||
                 dry_lang_find(elab, index->text) || dry_lang__lost(elab, index->text);
    for (const dry_local *local = elab->scope.locals; local && !found; local = local->next)
        found = !strcmp(local->name, index->text);
    if (!found) built_in_name(elab, index, &found);
    double factor;
    dry_dim dim;
    char bad[DRY_DIM_TEXT];
    return !found &&
           (base->kind == DRY_EX_VECTOR || dry_unit_parse(index->text, &factor, &dim, bad));
}

/* Returns true if the shape of the name is unknown for a reason that has been reported; then
 * nothing more is reported. */
static bool is_shapeless(const dry_elab *elab, const dry_expr *base) {
    const dry_symbol *symbol = base->kind == DRY_EX_NAME ? dry_lang_find(elab, base->text) : NULL;
    return symbol && symbol->shapeless;
}

static void say_no_index(dry_elab *elab, const dry_expr *expr, const dry_term *a) {
    const dry_expr *base = expr->arg[0];
    DRY_SAY(elab->diag, expr->at, NOT_INDEXABLE, dry_lang_shape(elab, a));
    if (expr->unit)
        dry_diag_way_out(elab->diag,
                         "a unit can follow only a number, a list, or numbers in parentheses: "
                         "write 1 [%s]*%s",
                         expr->unit, base->kind == DRY_EX_NAME ? base->text : "(...)");
}

static dry_term not_indexable(dry_elab *elab, const dry_expr *expr, const dry_term *a) {
    if (is_shapeless(elab, expr->arg[0])) return dry_lang__bad(elab);
    if (expr->arg[0]->kind == DRY_EX_VECTOR && a->rank >= expr->n_args - 1)
        say_unit(elab, expr->arg[1]->at, expr->arg[1]->text);
    else
        say_no_index(elab, expr, a);
    return dry_lang__bad(elab);
}

static dry_term index_of(dry_elab *elab, const dry_expr *expr) {
    dry_term v;
    if (element_of_name(elab, expr, &v)) return v;
    dry_term a = dry_lang__expr(elab, expr->arg[0]);
    if (a.bad) return a;
    int i, j;
    if (is_meant_as_unit(elab, expr)) return not_indexable(elab, expr, &a);
    if (!a.rank && expr->n_args == 2 && part_of(elab, expr->arg[0])) /* cart.p[1] */
        return dry_lang__integer(elab, expr->arg[1], "an index", 1, 1, &i) ? a
                                                                           : dry_lang__bad(elab);
    if (a.rank < expr->n_args - 1) return not_indexable(elab, expr, &a);
    if (!dry_lang__integer(elab, expr->arg[1], "an index", 1, a.rows, &i))
        return dry_lang__bad(elab);
    if (a.rank == 1) return dry_lang__scalar(elab, a.many[i - 1], a.dim);
    if (expr->n_args == 3)
        return dry_lang__integer(elab, expr->arg[2], "an index", 1, a.cols, &j)
                   ? dry_lang__scalar(elab, a.many[(i - 1) * a.cols + j - 1], a.dim)
                   : dry_lang__bad(elab);
    dry_term row = dry_lang__array(elab, 1, a.cols, 1, a.dim);
    for (int k = 0; !row.bad && k < a.cols; k++) row.many[k] = a.many[(i - 1) * a.cols + k];
    return row;
}

static dry_symbol *force_symbol(dry_elab *elab, const dry_expr *base) {
    dry_symbol *symbol = dry_lang_find(elab, base->text);
    if (!symbol)
        dry_lang__unknown(elab, base->at, base->text);
    else if (symbol->kind != DRY_SYM_FORCE) {
        DRY_SAY(elab->diag, base->at, NO_MEMBERS, base->text);
        symbol = NULL;
    }
    return symbol;
}

/* Returns f.a of every element of an indexed force, stacked. */
static dry_term members_of_all(dry_elab *elab, dry_symbol *symbol, const char *member,
                               dry_place at) {
    dry_term all = {0};
    for (int i = 0; i < symbol->n_elements; i++) {
        dry_term v = dry_lang__member(elab, symbol->force[i], member, at);
        if (v.bad) return v;
        if (!i)
            all = dry_lang__array(elab, v.rank + 1, symbol->n_elements, v.rank ? v.rows : 1, v.dim);
        if (all.bad || v.rank > 1) return dry_lang__bad(elab);
        for (int k = 0; k < all.cols; k++) all.many[i * all.cols + k] = dry_term_at(&v, k);
    }
    return all;
}

/* f.a, f[i].a, ball.p */
static dry_term member(dry_elab *elab, const dry_expr *expr) {
    const dry_expr *base = expr, *index = NULL;
    dry_symbol *part = part_of(elab, expr);
    if (part) return dry_lang__part_member(elab, expr, part);
    if (!expr->n_args && !dry_lang_find(elab, expr->text) && dry_lang__is_made(elab, expr->text))
        return dry_lang__made_member(elab, expr);
    if (expr->n_args) { /* an indexed force */
        base = expr->arg[0]->arg[0];
        index = expr->arg[0]->arg[1];
    }
    dry_symbol *sampled = dry_lang_find(elab, base->text);
    if (sampled && sampled->kind == DRY_SYM_SAMPLE && !index)
        return dry_lang__sample_member(elab, sampled, expr->member, expr->at);
    dry_symbol *symbol = force_symbol(elab, base);
    if (!symbol) return dry_lang__bad(elab);
    int i = 1;
    if (index && !symbol->indexed) {
        DRY_SAY(elab->diag, base->at, NOT_INDEXABLE, "a single force");
        return dry_lang__bad(elab);
    }
    if (index && !dry_lang__integer(elab, index, "an index", 1, symbol->n_elements, &i))
        return dry_lang__bad(elab);
    if (symbol->progress == DRY_UNDER_WAY) { /* its level has members only after it is known */
        DRY_SAY(elab->diag, base->at, CYCLE, symbol->name);
        return dry_lang__bad(elab);
    }
    dry_term whole = dry_lang__symbol_value(elab, symbol, base->at); /* makes it known */
    if (whole.bad) return whole;
    if (symbol->indexed && !index) return members_of_all(elab, symbol, expr->member, expr->at);
    return dry_lang__member(elab, symbol->force[i - 1], expr->member, expr->at);
}

/* ---- choices and sums -------------------------------------------------------------- */

static dry_term choice(dry_elab *elab, const dry_expr *expr) {
    dry_term c = dry_lang__scalar_expr(elab, expr->arg[0], "a condition");
    double known;
    if (c.bad) return c;
    if (dry_lang__known(elab, c.one, &known)) {
        dry_lang_fix(elab, c.one);
        return dry_lang__expr(elab, expr->arg[known != 0.0 ? 1 : 2]);
    }
    dry_term a = dry_lang__expr(elab, expr->arg[1]), b = dry_lang__expr(elab, expr->arg[2]);
    if (a.bad || b.bad) return dry_lang__bad(elab);
    if (!dry_lang__same_shape(&a, &b)) return dry_lang__shapes_differ(elab, expr->at, "if", &a, &b);
    if (!dry_lang__same_dim(elab, expr->at, "choice by if", a.dim, b.dim))
        return dry_lang__bad(elab);
    if (!a.rank)
        return dry_lang__scalar(elab, dry_dag_select(elab->dag, c.one, a.one, b.one), a.dim);
    dry_term v = dry_lang__array(elab, a.rank, a.rows, a.cols, a.dim);
    for (int k = 0; !v.bad && k < dry_term_size(&v); k++)
        v.many[k] = dry_dag_select(elab->dag, c.one, a.many[k], b.many[k]);
    return v;
}

static const double work_per_term = 15.0;

static dry_term sum(dry_elab *elab, const dry_expr *expr) {
    int first, last;
    if (!dry_lang__integer(elab, expr->arg[1], "the first index of a sum", -DRY_MOST_TERMS,
                           DRY_MOST_TERMS, &first) ||
        !dry_lang__integer(elab, expr->arg[2], "the last index of a sum", -DRY_MOST_TERMS,
                           DRY_MOST_TERMS, &last))
        return dry_lang__bad(elab);
    dry_term total = dry_lang__scalar(elab, 0, dry_dim_unknown(elab->dims));
    for (int i = first; i <= last; i++) {
        dry_term index = dry_lang__scalar(elab, dry_dag_const(elab->dag, i), dry_dim_pure());
        dry_local local = {expr->text, &index, elab->scope.locals};
        elab->scope.locals = &local;
        elab->scope.work += work_per_term;
        dry_term term = dry_lang__expr(elab, expr->arg[0]);
        elab->scope.locals = local.next;
        total = i == first ? term : dry_lang__binary(elab, expr->at, "+", total, term);
        if (total.bad || dry_dag_failed(elab->dag)) return dry_lang__bad(elab);
    }
    return total;
}

static dry_term binary(dry_elab *elab, const dry_expr *expr) {
    dry_term a = dry_lang__expr(elab, expr->arg[0]);
    dry_term b = dry_lang__expr(elab, expr->arg[1]);
    return dry_lang__binary(elab, expr->at, expr->text, a, b);
}

static dry_term text(dry_elab *elab, const dry_expr *expr) {
    DRY_SAY(elab->diag, expr->at, TEXT_INSIDE, "");
    return dry_lang__bad(elab);
}

typedef dry_term expr_fn(dry_elab *elab, const dry_expr *expr);
static expr_fn *const readers[] = {
    [DRY_EX_NUMBER] = number,  [DRY_EX_NAME] = name,           [DRY_EX_MEMBER] = member,
    [DRY_EX_INDEX] = index_of, [DRY_EX_CALL] = dry_lang__call, [DRY_EX_UNARY] = unary,
    [DRY_EX_BINARY] = binary,  [DRY_EX_IF] = choice,           [DRY_EX_VECTOR] = vector,
    [DRY_EX_SUM] = sum,        [DRY_EX_TEXT] = text,
};

enum { DEEPEST = 1000 }; /* bounds the stack */

dry_term dry_lang_evaluate(dry_elab *elab, const dry_expr *expr) {
    if (!dry_lang__spend(elab, expr->at, 1.0)) return dry_lang__bad(elab);
    if (elab->scope.nesting >= DEEPEST) {
        DRY_SAY(elab->diag, expr->at, TOO_DEEP, "");
        return dry_lang__bad(elab);
    }
    elab->scope.nesting++;
    dry_term v = readers[expr->kind](elab, expr);
    elab->scope.nesting--;
    return v;
}
