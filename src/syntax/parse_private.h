/* What the files of the parser share: where it is in the tokens, lists, and the rules that call one
 * another across files. */
#ifndef DRY_SYNTAX_PARSE_PRIVATE_H
#define DRY_SYNTAX_PARSE_PRIVATE_H

#include "ast.h"

enum { DRY_MOST_KEYS = 200 };

/* In the arena; the items follow one another. */
typedef struct dry_parse_list {
    char *item;
    int n, room;
} dry_parse_list;

typedef struct dry_parser {
    const dry_token *token;
    int nesting;
    bool failed; /* in this statement: skip to its end */
    bool told;   /* how all of this statement is written: no more is said about it */
    bool in_expect;
    const char **lost; /* names in failed statements */
    int n_lost;
    bool exhausted; /* without memory or room: the rest is not read */
    dry_parse_list statements;
    const char *from;       /* the first byte of the statement under way */
    const dry_token *first; /* its first token */
    dry_is_function *is_function;
    dry_diagnostics *diag;
} dry_parser;

/* The statement fails; the first reason is told. */
#define DRY_PARSE_FAIL(ps, at, id, ...)                                                            \
    do {                                                                                           \
        if (!(ps)->failed) DRY_SAY((ps)->diag, at, id, __VA_ARGS__);                               \
        (ps)->failed = true;                                                                       \
    } while (0)

/* ---- parse_token.c ----------------------------------------------------------------- */

/* Whether the next token is this sign or keyword. */
bool dry_syntax__is(const dry_parser *ps, const char *text);
bool dry_syntax__at_end(const dry_token *token);
void dry_syntax__advance(dry_parser *ps);
/* Steps over the token if it is this one; returns whether it was. */
bool dry_syntax__accept(dry_parser *ps, const char *text);
/* The source from one token to another. */
const char *dry_syntax__source(dry_parser *ps, const dry_token *from, const dry_token *to);

/* ---- parse_mistakes.c -------------------------------------------------------------- */

/* The statement fails if the next token is not this one. */
void dry_syntax__need(dry_parser *ps, const char *text);
/* The statement fails: `what` should be here. */
void dry_syntax__expected(dry_parser *ps, const char *what);
const char *dry_syntax__take_name(dry_parser *ps, const char *what);

/* ---- parse_make.c ------------------------------------------------------------------ */

/* The expression that stands in for one that could not be read. */
extern const dry_expr dry_syntax__broken;
/* A number that fits any dimension, for what has been reported while the statement goes on. */
extern const dry_expr dry_syntax__one;
/* NULL (and the statement fails) without memory. */
dry_expr *dry_syntax__make(dry_parser *ps, dry_ex kind, dry_place at, const char *text);
const dry_expr *dry_syntax__with_args(dry_parser *ps, dry_expr *expr, const dry_expr *const *arg,
                                      int n);
const dry_expr *dry_syntax__binary(dry_parser *ps, dry_place at, const char *sign,
                                   const dry_expr *a, const dry_expr *b);
/* Room for one more item of `size` bytes; NULL (and the statement fails) without memory. */
void *dry_syntax__push(dry_parser *ps, dry_parse_list *items, size_t size);
void dry_syntax__add(dry_parser *ps, dry_stmt stmt);

/* ---- parse_units.c ----------------------------------------------------------------- */

/* The unit in the brackets that follow; NULL if there is none: other brackets are an index. The
 * second goes on after it. */
const char *dry_syntax__peek_unit(dry_parser *ps);
const char *dry_syntax__list_unit(dry_parser *ps);
/* The name that begins here, with what makes a longer unit of it, such as N/m. */
const char *dry_syntax__unit_or_name(dry_parser *ps);
/* Whether the statement has come to a name right after a number. */
bool dry_syntax__behind_number(const dry_parser *ps);
/* `a` becomes a [unit] if it is a number, so do the entries of a list; else it is 1 [unit]*a. */
const dry_expr *dry_syntax__in_unit(dry_parser *ps, const dry_expr *a, const char *unit,
                                    dry_place at);
/* ( a ) [unit]: one number if `a` is a constant of numbers; else `a`, and the brackets are left. */
const dry_expr *dry_syntax__group_unit(dry_parser *ps, const dry_expr *a);
/* Says that the unit of a quotient `a / number [unit]` has two readings, that of `a ^ number
 * [unit]` belongs to the exponent; `first` begins a, `sign` is the operator. False if all is clear.
 */
bool dry_syntax__unit_of_quotient(dry_parser *ps, const dry_token *first, const dry_token *sign,
                                  const dry_expr *a);
bool dry_syntax__unit_of_power(dry_parser *ps, const dry_token *first, const dry_token *sign,
                               const dry_expr *a);
/* Says of each statement of the tree such as `state x [m] = 1` that the unit stands in the wrong
 * place, and takes it away; brackets with a name that the text defines are a size or an index. */
void dry_syntax__units_of_names(dry_parser *ps);

/* ---- parse_expr.c ------------------------------------------------------------------ */

const dry_expr *dry_syntax__expression(dry_parser *ps);
/* [ "[" expression "]" ]; NULL where there is none. */
const dry_expr *dry_syntax__bracketed(dry_parser *ps);
/* Pointers to them. */
dry_parse_list dry_syntax__expressions(dry_parser *ps);
const dry_expr *dry_syntax__postfix(dry_parser *ps);
void dry_syntax__key_pair(dry_parser *ps, dry_parse_list *keys);
const char *dry_syntax__loop_range(dry_parser *ps, const dry_expr **first, const dry_expr **last);
/* The loop that may end a statement. */
void dry_syntax__trailing_loop(dry_parser *ps, dry_stmt *stmt);

/* ---- parse_parts.c ----------------------------------------------------------------- */

const dry_expr *dry_syntax__member(dry_parser *ps, dry_place at, const char *name,
                                   const dry_expr *base);
/* Whether an expression is ball.f, ball[i].f, ball.f[k]. */
bool dry_syntax__is_member(const dry_expr *expr);
void dry_syntax__part(dry_parser *ps);
void dry_syntax__connect(dry_parser *ps);
void dry_syntax__pushing(dry_parser *ps, const dry_expr *left);

#endif
