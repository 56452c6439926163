/* parse_units: units in brackets, after a number, a list or a constant in parentheses, and the
 * places where a reader may think that a unit belongs to more than it does. */
#include "dim.h"
#include "parse_private.h"

#include <drystone/elementary.h>
#include <math.h>
#include <string.h>

enum { MOST_OF_UNIT = 12 }; /* tokens */

/* ---- text that is a unit ------------------------------------------------------------ */

static bool read_unit(const char *text, dry_dim *dim) {
    double factor;
    char bad[DRY_DIM_TEXT];
    return dry_unit_parse(text, &factor, dim, bad);
}

static bool is_unit(const char *text) {
    dry_dim dim;
    return read_unit(text, &dim);
}

/* [1] is an index. */
static bool has_letter(const char *text) { return text[strspn(text, "0123456789 ")] != 0; }

/* Returns the closing bracket of what may be a unit, or NULL. */
static const dry_token *closing(const dry_parser *ps) {
    const dry_token *from = ps->token, *to = from;
    if (!dry_syntax__is(ps, "[")) return NULL;
    do to++;
    while (to - from <= MOST_OF_UNIT && !dry_syntax__at_end(to) && strcmp(to->text, "]") != 0);
    const bool closed = to->kind == DRY_TOK_SIGN && to->text[0] == ']';
    return closed && to->at.line == from->at.line ? to : NULL;
}

const char *dry_syntax__peek_unit(dry_parser *ps) {
    const dry_token *from = ps->token, *to = closing(ps);
    if (!to) return NULL;
    const char *text = dry_arena_text(ps->diag->arena, from->to, (size_t)(to->from - from->to));
    return text && has_letter(text) && is_unit(text) ? text : NULL;
}

const char *dry_syntax__list_unit(dry_parser *ps) {
    const char *unit = dry_syntax__peek_unit(ps);
    if (unit) ps->token = closing(ps) + 1;
    return unit;
}

const char *dry_syntax__unit_or_name(dry_parser *ps) {
    const dry_token *from = ps->token, *to = from, *good = from;
    while (to - from < MOST_OF_UNIT && to[1].kind == DRY_TOK_SIGN && strchr("*/^", to[1].text[0]) &&
           (to[2].kind == DRY_TOK_NAME || to[2].kind == DRY_TOK_NUMBER)) {
        to += 2;
        if (is_unit(dry_syntax__source(ps, from, to))) good = to;
    }
    return dry_syntax__source(ps, from, good);
}

bool dry_syntax__behind_number(const dry_parser *ps) {
    const bool inch = ps->token->kind == DRY_TOK_KEYWORD && is_unit(ps->token->text);
    const bool word = ps->token->kind == DRY_TOK_NAME || inch;
    return word && ps->token->from > ps->from && ps->token[-1].kind == DRY_TOK_NUMBER;
}

/* ---- a unit after more than a number ------------------------------------------------- */

static const dry_expr *number_in(dry_parser *ps, dry_place place, const char *text, double value,
                                 const char *unit, dry_place at) {
    dry_expr *number = dry_syntax__make(ps, DRY_EX_NUMBER, place, text);
    if (!number) return &dry_syntax__broken;
    number->value = value;
    number->unit = unit;
    number->unit_at = at;
    return number;
}

const dry_expr *dry_syntax__in_unit(dry_parser *ps, const dry_expr *a, const char *unit,
                                    dry_place at) {
    if (a->kind == DRY_EX_VECTOR || (a->kind == DRY_EX_UNARY && a->text[0] == '-')) {
        for (int i = 0; i < a->n_args; i++)
            a->arg[i] = dry_syntax__in_unit(ps, a->arg[i], unit, at);
        return a;
    }
    if (a->kind == DRY_EX_NUMBER && !a->unit)
        return number_in(ps, a->at, a->text, a->value, unit, at);
    return dry_syntax__binary(ps, a->at, "*", number_in(ps, a->at, "1", 1.0, unit, at), a);
}

/* Computes the value of numbers without units, pi, and + - * / ^ of them. Returns false for
 * anything else. */
static bool constant(const dry_expr *a, double *value) {
    double x, y;
    *value = a->kind == DRY_EX_NUMBER ? a->value : 3.14159265358979323846;
    if (a->kind == DRY_EX_NUMBER) return !a->unit;
    if (a->kind == DRY_EX_NAME) return !strcmp(a->text, "pi");
    if (a->kind == DRY_EX_UNARY && a->text[0] == '-') {
        if (!constant(a->arg[0], &x)) return false;
        *value = -x;
        return true;
    }
    if (a->kind != DRY_EX_BINARY || a->text[1] || !strchr("+-*/^", a->text[0])) return false;
    if (!constant(a->arg[0], &x) || !constant(a->arg[1], &y)) return false;
    switch (a->text[0]) {
    case '+': *value = x + y; break;
    case '-': *value = x - y; break;
    case '*': *value = x * y; break;
    case '/': *value = x / y; break;
    default: *value = dry_pow(x, y);
    }
    return true;
}

/* Returns whether an expression consists of numbers without units; pi is not one of them. */
static bool is_plain(const dry_expr *a) {
    double value;
    if (a->kind == DRY_EX_NAME || !constant(a, &value)) return false;
    for (int i = 0; i < a->n_args; i++)
        if (!is_plain(a->arg[i])) return false;
    return true;
}

/* Returns the unit of a number, or the one unit of all entries of a list; NULL for anything else.
 */
static const char *unit_of(const dry_expr *a) {
    if (a->kind == DRY_EX_NUMBER) return a->unit;
    if (a->kind != DRY_EX_VECTOR && !(a->kind == DRY_EX_UNARY && a->text[0] == '-')) return NULL;
    const char *unit = unit_of(a->arg[0]);
    for (int i = 1; unit && i < a->n_args; i++) {
        const char *other = unit_of(a->arg[i]);
        if (!other || strcmp(unit, other) != 0) unit = NULL;
    }
    return unit;
}

const dry_expr *dry_syntax__in_unit_of(dry_parser *ps, const dry_expr *a, const dry_expr *value) {
    char text[DRY_NUMBER_SIZE];
    double x;
    const char *unit = ps->failed ? NULL : unit_of(value);
    if (!unit || !is_plain(a) || !constant(a, &x)) return a;
    dry_number_text(x, text);
    return number_in(ps, a->at, dry_diag_text(ps->diag, "%s", text), x, unit, a->at);
}

const dry_expr *dry_syntax__group_unit(dry_parser *ps, const dry_expr *a) {
    char text[DRY_NUMBER_SIZE];
    double value;
    const dry_place at = ps->token->at;
    if (!constant(a, &value) || !isfinite(value)) return a;
    const char *unit = dry_syntax__list_unit(ps);
    if (!unit) return a;
    dry_number_text(value, text);
    return number_in(ps, a->at, dry_diag_text(ps->diag, "%s", text), value, unit, at);
}

/* ---- what has two readings ------------------------------------------------------------ */

/* Returns whether an expression consists only of numbers without dimension: literals, pi, functions
 * of them such as sqrt(2) and cos(30 [deg]). */
static bool is_literal(const dry_parser *ps, const dry_expr *a, bool inside_call) {
    dry_dim dim;
    const dry_dim pure = {0};
    if (a->kind == DRY_EX_NAME) return !strcmp(a->text, "pi");
    if (a->kind == DRY_EX_NUMBER)
        return !a->unit || (inside_call && read_unit(a->unit, &dim) &&
                            !memcmp(dim.power, pure.power, sizeof dim.power));
    const bool call = a->kind == DRY_EX_CALL && ps->is_function(a->text) && a->n_args > 0;
    if (a->kind != DRY_EX_BINARY && a->kind != DRY_EX_UNARY && !call) return false;
    for (int i = 0; i < a->n_args; i++)
        if (!is_literal(ps, a->arg[i], inside_call || call)) return false;
    return true;
}

/* Returns the unit token of the number (which may have a sign) after an operator, or NULL if it has
 * none. */
static const dry_token *unit_after(const dry_token *sign) {
    const dry_token *at = sign + 1;
    while (at->kind == DRY_TOK_SIGN && (!strcmp(at->text, "-") || !strcmp(at->text, "+"))) at++;
    return at->kind == DRY_TOK_NUMBER && at[1].kind == DRY_TOK_UNIT ? at + 1 : NULL;
}

/* Writes the whole expression in the unit: (1/2) [mm], or 1 [m]*(sqrt(2)/2) if it is more than
 * numbers. */
static const char *all_in_unit(dry_parser *ps, const char *all, bool plain, const char *unit) {
    return plain ? dry_diag_text(ps->diag, "(%s) [%s]", all, unit)
                 : dry_diag_text(ps->diag, "1 [%s]*(%s)", unit, all);
}

bool dry_syntax__unit_of_quotient(dry_parser *ps, const dry_token *first, const dry_token *sign,
                                  const dry_expr *a) {
    const dry_token *unit = unit_after(sign);
    double value;
    if (sign->text[0] != '/' || !unit || !is_literal(ps, a, false)) return false;
    const char *all = dry_syntax__source(ps, first, unit - 1);
    const char *divisor = dry_syntax__source(ps, sign + 1, unit);
    DRY_SAY(ps->diag, sign->at, UNIT_AFTER_DIVISION, dry_syntax__source(ps, first, unit),
            dry_syntax__source(ps, first, sign - 1), divisor, all, unit->text,
            all_in_unit(ps, all, constant(a, &value), unit->text));
    return true;
}

bool dry_syntax__unit_of_power(dry_parser *ps, const dry_token *first, const dry_token *sign,
                               const dry_expr *a) {
    const dry_token *unit = unit_after(sign);
    const dry_dim pure = {0};
    dry_dim dim;
    double value;
    if (!unit || !read_unit(unit->text, &dim)) return false;
    const bool is_pure = !memcmp(dim.power, pure.power, sizeof dim.power);
    if (is_pure && !is_literal(ps, a, false)) return false;
    const char *all = dry_syntax__source(ps, first, unit - 1);
    DRY_SAY(ps->diag, sign->at, UNIT_OF_EXPONENT, dry_syntax__source(ps, first, unit), unit->text,
            all_in_unit(ps, all, constant(a, &value), unit->text));
    return true;
}

/* ---- a unit after a name that is defined ------------------------------------------------ */

/* Returns whether the text defines the name, or may define it in a statement that the parser cannot
 * read. */
static bool defines(const dry_parser *ps, const char *name) {
    const dry_stmt *stmt = (const dry_stmt *)(void *)ps->statements.item;
    for (int i = 0; i < ps->statements.n; i++)
        if (stmt[i].name && !strcmp(stmt[i].name, name)) return true;
    for (int i = 0; i < ps->n_lost; i++)
        if (!strcmp(ps->lost[i], name)) return true;
    return false;
}

/* Returns whether the text defines a name in the brackets, or the name is the index of the loop. */
static bool is_index(const dry_parser *ps, const dry_stmt *stmt, const dry_expr *expr) {
    if (expr->kind == DRY_EX_NAME)
        return defines(ps, expr->text) || (stmt->loop && !strcmp(stmt->loop, expr->text));
    for (int i = 0; i < expr->n_args; i++)
        if (is_index(ps, stmt, expr->arg[i])) return true;
    return false;
}

void dry_syntax__units_of_names(dry_parser *ps) {
    dry_stmt *stmt = (dry_stmt *)(void *)ps->statements.item;
    for (int i = 0; i < ps->statements.n; i++) {
        const dry_expr *inside = stmt[i].size ? stmt[i].size : stmt[i].index;
        if (!stmt[i].unit || !inside || !stmt[i].value || is_index(ps, &stmt[i], inside)) continue;
        const bool plain = stmt[i].value->kind == DRY_EX_NUMBER && !stmt[i].value->unit;
        DRY_SAY(ps->diag, inside->at, OTHER_WAY, "a unit");
        dry_diag_way_out(ps->diag, "write the unit after the number: %s = %s [%s]%s", stmt[i].name,
                         plain ? stmt[i].value->text : "1", stmt[i].unit, plain ? "" : "*(...)");
        stmt[i].size = stmt[i].index = NULL;
    }
}
