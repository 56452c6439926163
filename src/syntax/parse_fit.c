/* parse_fit: what is measured, and what is free: the statements that `drystone fit` reads; and
 * where hidden states begin. */
#include "parse_private.h"

/* "log.csv" column "force" [N], or "force" [N] of the record */
static void measured(dry_parser *ps, dry_data_expr *data) {
    const dry_place at = ps->token->at;
    dry_column_expr column = dry_syntax__column(ps);
    if (!ps->failed && !column.unit.text && dry_syntax__accept_name(ps, "column")) {
        data->file = column.name;
        data->file_at = at;
        column = dry_syntax__column(ps);
    } else {
        data->file_at = column.at;
    }
    data->column[0] = column;
    data->n_columns = 1;
}

/* output = "output" expression "against" ( STRING "column" column | column ) [ "time" column ]
 *          [ "from" expression "to" expression ] [ "with" keys ] */
void dry_syntax__output(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_OUTPUT, .at = ps->token->at};
    stmt.value = dry_syntax__expression(ps);
    if (!ps->failed && !dry_syntax__is(ps, "against"))
        dry_syntax__expected(ps, "`against` and the column of a record");
    dry_syntax__need(ps, "against");
    dry_data_expr *data = dry_syntax__data_of(ps, &stmt);
    if (ps->failed) return;
    measured(ps, data);
    dry_syntax__time_column(ps, data);
    if (!ps->failed && dry_syntax__accept(ps, "from")) {
        stmt.range.from = dry_syntax__expression(ps);
        dry_syntax__need(ps, "to");
        stmt.range.to = dry_syntax__expression(ps);
    }
    dry_syntax__finish(ps, &stmt);
}

/* in 0.1..10 [N]: the first number too is in N. */
static void range(dry_parser *ps, dry_stmt *stmt) {
    dry_syntax__range(ps, stmt);
    if (stmt->range.from)
        stmt->range.from = dry_syntax__in_unit_of(ps, stmt->range.from, stmt->range.to);
}

/* NAME "=" expression: it defines the parameter too. */
static void define(dry_parser *ps, const dry_stmt *freed) {
    dry_stmt stmt = {.kind = DRY_ST_PARAM, .at = freed->value->at, .name = freed->value->text};
    if (freed->value->kind != DRY_EX_NAME) dry_syntax__expected(ps, "`in`, `,` or the end");
    dry_syntax__need(ps, "=");
    stmt.value = dry_syntax__expression(ps);
    range(ps, &stmt);
    dry_syntax__add(ps, stmt);
}

static void ways(dry_parser *ps, dry_stmt *stmt) {
    while (!ps->failed)
        if (dry_syntax__accept_name(ps, "log"))
            stmt->how |= DRY_FREE_LOG;
        else if (dry_syntax__accept_name(ps, "own"))
            stmt->how |= DRY_FREE_OWN;
        else
            return;
}

/* free = "free" [ "start" ] freed { "," [ "start" ] freed }
 * freed = quantity [ "=" expression ] [ range ] { "log" | "own" } */
void dry_syntax__free(dry_parser *ps) {
    do {
        dry_stmt stmt = {.kind = DRY_ST_FREE, .at = ps->token->at};
        if (ps->token[1].kind == DRY_TOK_NAME && dry_syntax__accept_name(ps, "start"))
            stmt.how |= DRY_FREE_START;
        stmt.at = ps->token->at;
        stmt.value = dry_syntax__postfix(ps);
        if (dry_syntax__is(ps, "="))
            define(ps, &stmt);
        else
            range(ps, &stmt);
        ways(ps, &stmt);
        dry_syntax__add(ps, stmt);
    } while (!ps->failed && dry_syntax__accept(ps, ","));
}

/* steady = "steady" quantity { "," quantity } */
void dry_syntax__steady(dry_parser *ps) {
    do {
        dry_stmt stmt = {.kind = DRY_ST_STEADY, .at = ps->token->at};
        dry_syntax__accept_name(ps, "steady");
        stmt.at = ps->token->at;
        stmt.value = dry_syntax__postfix(ps);
        dry_syntax__add(ps, stmt);
    } while (!ps->failed && dry_syntax__accept(ps, ","));
}
