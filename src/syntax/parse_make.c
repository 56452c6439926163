/* parse_make: nodes, lists and statements of the tree, in the arena. */
#include "parse_private.h"

#include <string.h>

enum { MOST_ITEMS = 100000, DEEPEST_TREE = 500 };

const dry_expr dry_syntax__broken = {.kind = DRY_EX_NUMBER, .text = "0"};
const dry_expr dry_syntax__one = {.kind = DRY_EX_NUMBER, .text = "1", .value = 1.0};

dry_expr *dry_syntax__make(dry_parser *ps, dry_ex kind, dry_place at, const char *text) {
    dry_expr *expr = dry_arena_take(ps->diag->arena, sizeof *expr);
    if (!expr) {
        ps->failed = ps->exhausted = true;
        return NULL;
    }
    expr->kind = kind;
    expr->at = at;
    expr->text = text;
    return expr;
}

const dry_expr *dry_syntax__with_args(dry_parser *ps, dry_expr *expr, const dry_expr *const *arg,
                                      int n) {
    if (!expr) return &dry_syntax__broken;
    expr->arg = dry_arena_take(ps->diag->arena, sizeof *arg * (size_t)(n ? n : 1));
    if (!expr->arg) {
        ps->failed = true;
        return &dry_syntax__broken;
    }
    for (int i = 0; i < n; i++) {
        expr->arg[i] = arg[i];
        if (arg[i]->depth >= expr->depth) expr->depth = arg[i]->depth + 1;
    }
    expr->n_args = n;
    if (expr->depth > DEEPEST_TREE) {
        DRY_PARSE_FAIL(ps, expr->at, TOO_DEEP, "");
        return &dry_syntax__broken;
    }
    return expr;
}

const dry_expr *dry_syntax__binary(dry_parser *ps, dry_place at, const char *sign,
                                   const dry_expr *a, const dry_expr *b) {
    return dry_syntax__with_args(ps, dry_syntax__make(ps, DRY_EX_BINARY, at, sign),
                                 (const dry_expr *const[]){a, b}, 2);
}

void *dry_syntax__push(dry_parser *ps, dry_parse_list *items, size_t size) {
    if (items->n == items->room) {
        int room = items->room ? 2 * items->room : 4;
        char *more =
            items->n < MOST_ITEMS ? dry_arena_take(ps->diag->arena, size * (size_t)room) : NULL;
        if (!more) {
            DRY_PARSE_FAIL(ps, ps->token->at, TOO_LARGE, "");
            ps->exhausted = true;
            return NULL;
        }
        if (items->n) memcpy(more, items->item, size * (size_t)items->n);
        items->item = more;
        items->room = room;
    }
    return items->item + size * (size_t)items->n++;
}

void dry_syntax__add(dry_parser *ps, dry_stmt stmt) {
    if (ps->failed) return;
    const char *to = ps->token[-1].to;
    stmt.source = dry_arena_text(ps->diag->arena, ps->from, (size_t)(to - ps->from));
    dry_stmt *slot = dry_syntax__push(ps, &ps->statements, sizeof *slot);
    if (slot) *slot = stmt;
}
