/* parse_parts: the grammar of parts: names with dots, `part`, `connect` and `+=`. */
#include "parse_private.h"

#include <string.h>

enum { MOST_DOTS = 12 };

/* ---- names with dots --------------------------------------------------------------- */

/* member = "." NAME { "." NAME }, whose first dot has been read */
const dry_expr *dry_syntax__member(dry_parser *ps, dry_place at, const char *name,
                                   const dry_expr *base) {
    dry_expr *expr = dry_syntax__make(ps, DRY_EX_MEMBER, at, name);
    const char *path = dry_syntax__take_name(ps, "a name after the dot");
    for (int dots = 1; !ps->failed && dry_syntax__accept(ps, "."); dots++) {
        if (dots == MOST_DOTS) {
            DRY_PARSE_FAIL(ps, at, TOO_DEEP, "");
            return &dry_syntax__broken;
        }
        path = dry_diag_text(ps->diag, "%s.%s", path,
                             dry_syntax__take_name(ps, "a name after the dot"));
    }
    if (!expr) return &dry_syntax__broken;
    expr->member = path;
    return base ? dry_syntax__with_args(ps, expr, &base, 1) : expr;
}

bool dry_syntax__is_member(const dry_expr *expr) {
    if (expr->kind == DRY_EX_INDEX && expr->n_args == 2) expr = expr->arg[0];
    return expr->kind == DRY_EX_MEMBER;
}

/* ---- statements -------------------------------------------------------------------- */

/* part = "part" name "=" call [ loop ] */
void dry_syntax__part(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_PART, .at = ps->token->at};
    stmt.name = dry_syntax__take_name(ps, "the name of a part");
    stmt.index = dry_syntax__bracketed(ps);
    dry_syntax__need(ps, "=");
    stmt.value = dry_syntax__expression(ps);
    if (stmt.value->kind != DRY_EX_CALL || stmt.value->n_args)
        DRY_PARSE_FAIL(ps, stmt.value->at, PART_CALL, stmt.name);
    dry_syntax__trailing_loop(ps, &stmt);
    dry_syntax__add(ps, stmt);
}

/* port = NAME [ "[" expression "]" ] [ member ] */
static const dry_expr *port(dry_parser *ps) {
    const dry_expr *expr = dry_syntax__postfix(ps), *base = expr;
    if (base->kind == DRY_EX_MEMBER && base->n_args) base = base->arg[0];
    if (base->kind == DRY_EX_INDEX && base->n_args == 2) base = base->arg[0];
    const bool good = base->kind == DRY_EX_NAME || (base == expr && base->kind == DRY_EX_MEMBER);
    if (good || ps->failed) return expr;
    DRY_PARSE_FAIL(ps, expr->at, NOT_A_PORT, "");
    return &dry_syntax__broken;
}

/* end = port { "at" postfix | "axes" postfix | "normal" postfix } */
static dry_end_expr end_of(dry_parser *ps) {
    dry_end_expr end = {.port = port(ps)};
    while (!ps->failed) {
        if (dry_syntax__accept_name(ps, "at"))
            end.at = dry_syntax__postfix(ps);
        else if (dry_syntax__accept_name(ps, "axes"))
            end.axes = dry_syntax__postfix(ps);
        else if (dry_syntax__accept_name(ps, "normal"))
            end.normal = dry_syntax__postfix(ps);
        else
            break;
    }
    return end;
}

/* connect = "connect" port "-" end [ "-" end ] [ loop ] */
void dry_syntax__connect(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_CONNECT, .at = ps->token->at};
    stmt.target = port(ps);
    do {
        dry_syntax__need(ps, "-");
        stmt.end[stmt.n_ends++] = end_of(ps);
    } while (!ps->failed && stmt.n_ends < 2 && dry_syntax__is(ps, "-"));
    dry_syntax__trailing_loop(ps, &stmt);
    dry_syntax__add(ps, stmt);
}

/* push = quantity "+=" expression [ loop ] */
void dry_syntax__pushing(dry_parser *ps, const dry_expr *left) {
    dry_stmt stmt = {.kind = DRY_ST_PUSH, .at = left->at, .target = left};
    if (!dry_syntax__is_member(left)) {
        DRY_PARSE_FAIL(ps, left->at, BAD_PUSH, "the left side");
        return;
    }
    stmt.value = dry_syntax__expression(ps);
    dry_syntax__trailing_loop(ps, &stmt);
    dry_syntax__add(ps, stmt);
}
