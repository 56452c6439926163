/* parse_data: tables and inputs, whose numbers come from lists or from the columns of a file. */
#include "parse_private.h"

const char *dry_syntax__quoted(dry_parser *ps, const char *what) {
    const char *text = ps->token->text;
    if (ps->failed) return "";
    if (ps->token->kind != DRY_TOK_STRING) {
        dry_syntax__expected(ps, what);
        return "";
    }
    dry_syntax__advance(ps);
    return text;
}

/* column = STRING [ UNIT ] */
dry_column_expr dry_syntax__column(dry_parser *ps) {
    dry_column_expr column = {.at = ps->token->at};
    column.name = dry_syntax__quoted(ps, "the name of a column in quotation marks");
    column.unit.at = ps->token->at;
    column.unit.text = ps->failed ? NULL : dry_syntax__list_unit(ps);
    return column;
}

/* data = "from" STRING ( "column" | "columns" ) column { "," column } */
static void columns(dry_parser *ps, dry_data_expr *data) {
    data->file_at = ps->token->at;
    data->file = dry_syntax__quoted(ps, "the name of a file in quotation marks");
    if (ps->failed) return;
    if (!dry_syntax__accept_name(ps, "columns") && !dry_syntax__accept_name(ps, "column")) {
        dry_syntax__expected(ps, "`column` or `columns`");
        return;
    }
    do {
        if (data->n_columns == DRY_MOST_AXES) dry_syntax__expected(ps, "the end of the columns");
        if (!ps->failed) data->column[data->n_columns++] = dry_syntax__column(ps);
    } while (!ps->failed && dry_syntax__accept(ps, ","));
}

void dry_syntax__time_column(dry_parser *ps, dry_data_expr *data) {
    if (ps->failed || !dry_syntax__accept_name(ps, "time")) return;
    dry_column_expr *time = dry_arena_take(ps->diag->arena, sizeof *time);
    const dry_column_expr read = dry_syntax__column(ps);
    if (time) *time = read;
    data->time = time;
}

/* "at" vector [ "," vector ] "=" expression */
static void lists(dry_parser *ps, dry_stmt *stmt, dry_data_expr *data) {
    do {
        if (data->n_axes == DRY_MOST_AXES) dry_syntax__expected(ps, "`=`");
        if (!ps->failed) data->axis[data->n_axes++] = dry_syntax__postfix(ps);
    } while (!ps->failed && dry_syntax__accept(ps, ","));
    dry_syntax__need(ps, "=");
    stmt->value = dry_syntax__expression(ps);
}

dry_data_expr *dry_syntax__data_of(dry_parser *ps, dry_stmt *stmt) {
    dry_data_expr *data = dry_arena_take(ps->diag->arena, sizeof *data);
    if (!data) ps->failed = true;
    stmt->data = data;
    return data;
}

void dry_syntax__finish(dry_parser *ps, dry_stmt *stmt) {
    if (!ps->failed && dry_syntax__accept(ps, "with")) dry_syntax__key_list(ps, stmt);
    dry_syntax__add(ps, *stmt);
}

/* table = "table" NAME "(" NAME [ "," NAME ] ")"
 *         ( "at" vector [ "," vector ] "=" expression | data ) [ "with" keys ] */
void dry_syntax__table(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_TABLE, .at = ps->token->at};
    stmt.name = dry_syntax__take_name(ps, "the table's name");
    dry_syntax__arguments(ps, &stmt);
    dry_data_expr *data = dry_syntax__data_of(ps, &stmt);
    if (ps->failed) return;
    if (dry_syntax__accept_name(ps, "at"))
        lists(ps, &stmt, data);
    else if (dry_syntax__accept(ps, "from"))
        columns(ps, data);
    else
        dry_syntax__expected(ps, "`at` or `from`");
    dry_syntax__finish(ps, &stmt);
}

/* input = "input" NAME ( "=" expression | data [ "time" column ] ) [ "with" keys ] */
void dry_syntax__input(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_INPUT, .at = ps->token->at};
    stmt.name = dry_syntax__take_name(ps, "the input's name");
    if (ps->failed) return;
    if (dry_syntax__accept(ps, "=")) {
        stmt.value = dry_syntax__expression(ps);
    } else if (dry_syntax__accept(ps, "from")) {
        dry_data_expr *data = dry_syntax__data_of(ps, &stmt);
        if (data) columns(ps, data);
        if (data) dry_syntax__time_column(ps, data);
    } else {
        dry_syntax__expected(ps, "`=` or `from`");
    }
    dry_syntax__finish(ps, &stmt);
}
