/* What the files of the parser share: the position in the tokens, lists, and the rules that call
 * one another across files. */
#ifndef DRY_SYNTAX_PARSE_PRIVATE_H
#define DRY_SYNTAX_PARSE_PRIVATE_H

#include "ast.h"

enum { DRY_MOST_KEYS = 200 };

/* A list in the arena; its items are contiguous. */
typedef struct dry_parse_list {
    char *item;
    int n, room;
} dry_parse_list;

typedef struct dry_parser {
    const dry_token *token, *all; /* the present one, the first one of the text */
    int nesting;
    bool failed; /* in this statement: the parser skips to its end */
    bool shown;  /* a message has shown how to write the whole statement; no other message about it
                   follows */
    bool in_expect;
    const char **lost; /* names in failed statements */
    int n_lost;
    bool exhausted; /* no memory or no room: the parser does not read the rest */
    dry_parse_list statements;
    const char *from;       /* the first byte of the current statement */
    const dry_token *first; /* the first token of the current statement */
    dry_is_function *is_function;
    dry_diagnostics *diag;
} dry_parser;

/* The statement fails; only the first reason is reported. */
#define DRY_PARSE_FAIL(ps, at, id, ...)                                                            \
    do {                                                                                           \
        if (!(ps)->failed) DRY_SAY((ps)->diag, at, id, __VA_ARGS__);                               \
        (ps)->failed = true;                                                                       \
    } while (0)

/* ---- parse_token.c ----------------------------------------------------------------- */

/* Returns whether the next token is this sign or keyword. */
bool dry_syntax__is(const dry_parser *ps, const char *text);
bool dry_syntax__at_end(const dry_token *token);
void dry_syntax__advance(dry_parser *ps);
/* Steps over the token if it is this one; returns whether it was. */
bool dry_syntax__accept(dry_parser *ps, const char *text);
/* The same for a name, such as `at`, that has a meaning of its own only in this place. */
bool dry_syntax__accept_name(dry_parser *ps, const char *name);
/* Returns the source from one token to another. */
const char *dry_syntax__source(dry_parser *ps, const dry_token *from, const dry_token *to);

/* ---- parse_mistakes.c -------------------------------------------------------------- */

/* The statement fails if the next token is not this one. */
void dry_syntax__need(dry_parser *ps, const char *text);
/* The statement fails: `what` should be here. */
void dry_syntax__expected(dry_parser *ps, const char *what);
const char *dry_syntax__take_name(dry_parser *ps, const char *what);

/* ---- parse_make.c ------------------------------------------------------------------ */

/* The expression that replaces one that the parser could not read. */
extern const dry_expr dry_syntax__broken;
/* A number that fits any dimension. It replaces an expression whose fault has been reported, so
 * that the statement can go on. */
extern const dry_expr dry_syntax__one;
/* Returns NULL (and the statement fails) without memory. */
dry_expr *dry_syntax__make(dry_parser *ps, dry_ex kind, dry_place at, const char *text);
const dry_expr *dry_syntax__with_args(dry_parser *ps, dry_expr *expr, const dry_expr *const *arg,
                                      int n);
const dry_expr *dry_syntax__binary(dry_parser *ps, dry_place at, const char *sign,
                                   const dry_expr *a, const dry_expr *b);
/* Makes room for one more item of `size` bytes. Returns NULL (and the statement fails) without
 * memory. */
void *dry_syntax__push(dry_parser *ps, dry_parse_list *items, size_t size);
void dry_syntax__add(dry_parser *ps, dry_stmt stmt);

/* ---- parse_units.c ----------------------------------------------------------------- */

/* Return the unit in the brackets that follow, or NULL if there is none, because other brackets are
 * an index. list_unit also steps over the brackets. */
const char *dry_syntax__peek_unit(dry_parser *ps);
const char *dry_syntax__list_unit(dry_parser *ps);
/* Returns the name that begins here, together with what extends it to a longer unit, such as N/m.
 */
const char *dry_syntax__unit_or_name(dry_parser *ps);
/* Returns whether the next token is a name right after a number. */
bool dry_syntax__behind_number(const dry_parser *ps);
/* Turns a number into a [unit], and so every entry of a list. Turns any other `a` into 1 [unit]*a.
 */
const dry_expr *dry_syntax__in_unit(dry_parser *ps, const dry_expr *a, const char *unit,
                                    dry_place at);
/* Returns `a` in the unit of the value, if `a` consists of numbers without units and the value has
 * one unit; otherwise `a` itself. */
const dry_expr *dry_syntax__in_unit_of(dry_parser *ps, const dry_expr *a, const dry_expr *value);
/* ( a ) [unit]: returns one number if `a` is a constant of numbers. Otherwise it returns `a` and
 * does not read the brackets. */
const dry_expr *dry_syntax__group_unit(dry_parser *ps, const dry_expr *a);
/* unit_of_quotient reports that the unit in `a / number [unit]` has two readings. unit_of_power
 * reports that the unit in `a ^ number [unit]` belongs to the exponent. `first` is the first token
 * of a, `sign` is the operator. They return false if the unit is clear. */
bool dry_syntax__unit_of_quotient(dry_parser *ps, const dry_token *first, const dry_token *sign,
                                  const dry_expr *a);
bool dry_syntax__unit_of_power(dry_parser *ps, const dry_token *first, const dry_token *sign,
                               const dry_expr *a);
/* Reports each statement of the tree that has its unit in the wrong place, such as `state x [m] =
 * 1`, and removes the unit. Brackets with a name that the text defines are a size or an index. */
void dry_syntax__units_of_names(dry_parser *ps);

/* ---- parse_expr.c ------------------------------------------------------------------ */

const dry_expr *dry_syntax__expression(dry_parser *ps);
/* [ "[" expression "]" ]; returns NULL if there is none. */
const dry_expr *dry_syntax__bracketed(dry_parser *ps);
/* Returns a list of pointers to the expressions. */
dry_parse_list dry_syntax__expressions(dry_parser *ps);
const dry_expr *dry_syntax__postfix(dry_parser *ps);
void dry_syntax__key_pair(dry_parser *ps, dry_parse_list *keys);
const char *dry_syntax__loop_range(dry_parser *ps, const dry_expr **first, const dry_expr **last);
/* Reads the loop that may end a statement. */
void dry_syntax__trailing_loop(dry_parser *ps, dry_stmt *stmt);

/* ---- parse.c ----------------------------------------------------------------------- */

void dry_syntax__key_list(dry_parser *ps, dry_stmt *stmt);

/* NAME { "," NAME } ")" of a function or a table. */
void dry_syntax__arguments(dry_parser *ps, dry_stmt *stmt);

/* ---- parse_data.c ------------------------------------------------------------------ */

/* Returns the text in quotation marks that comes next; else the statement fails. */
const char *dry_syntax__quoted(dry_parser *ps, const char *what);
void dry_syntax__table(dry_parser *ps);
void dry_syntax__input(dry_parser *ps);

/* ---- parse_fit.c ------------------------------------------------------------------- */

void dry_syntax__output(dry_parser *ps);
void dry_syntax__free(dry_parser *ps);
void dry_syntax__steady(dry_parser *ps);

/* ---- parse.c, parse_data.c --------------------------------------------------------- */

/* range = "in" expression ".." expression, if one is there; numbers without units have the unit of
 * the value. */
void dry_syntax__range(dry_parser *ps, dry_stmt *stmt);
/* column = STRING [ UNIT ] */
dry_column_expr dry_syntax__column(dry_parser *ps);
/* "time" column, if it is there. */
void dry_syntax__time_column(dry_parser *ps, dry_data_expr *data);
/* The data of a statement; NULL (and the statement fails) without memory. */
dry_data_expr *dry_syntax__data_of(dry_parser *ps, dry_stmt *stmt);
/* Reads "with" and keys if they are there, and adds the statement. */
void dry_syntax__finish(dry_parser *ps, dry_stmt *stmt);

/* ---- parse_plot.c ------------------------------------------------------------------ */

void dry_syntax__plot(dry_parser *ps);

/* ---- parse_parts.c ----------------------------------------------------------------- */

const dry_expr *dry_syntax__member(dry_parser *ps, dry_place at, const char *name,
                                   const dry_expr *base);
/* Returns whether an expression is ball.f, ball[i].f or ball.f[k]. */
bool dry_syntax__is_member(const dry_expr *expr);
void dry_syntax__part(dry_parser *ps);
void dry_syntax__connect(dry_parser *ps);
void dry_syntax__pushing(dry_parser *ps, const dry_expr *left);

#endif
