/* parse_expr: tokens -> expressions. Each rule of the grammar stands above the function that has
 * its name. */
#include "parse_private.h"

#include <string.h>

enum { DEEPEST_NESTING = 100 };

static const dry_expr *unary(dry_parser *ps);

static const dry_expr *unary_of(dry_parser *ps, dry_place at, const char *sign, const dry_expr *a) {
    return dry_syntax__with_args(ps, dry_syntax__make(ps, DRY_EX_UNARY, at, sign), &a, 1);
}

/* number = NUMBER [ UNIT ] */
static const dry_expr *number(dry_parser *ps) {
    dry_expr *expr = dry_syntax__make(ps, DRY_EX_NUMBER, ps->token->at, ps->token->text);
    if (!expr) return &dry_syntax__broken;
    expr->value = ps->token->value;
    dry_syntax__advance(ps);
    if (ps->token->kind == DRY_TOK_UNIT) {
        expr->unit = ps->token->text;
        expr->unit_at = ps->token->at;
        dry_syntax__advance(ps);
    }
    return expr;
}

/* Before `=` a word of the language may be a key, such as `from`. */
static bool at_key(const dry_parser *ps) {
    const bool word = ps->token->kind == DRY_TOK_NAME || ps->token->kind == DRY_TOK_KEYWORD;
    return word && ps->token[1].kind == DRY_TOK_SIGN && !strcmp(ps->token[1].text, "=");
}

static const dry_expr *text(dry_parser *ps) {
    const dry_expr *expr = dry_syntax__make(ps, DRY_EX_TEXT, ps->token->at, ps->token->text);
    dry_syntax__advance(ps);
    return expr ? expr : &dry_syntax__broken;
}

/* keys = key "=" ( expression | STRING ) { "," key "=" ( expression | STRING ) } */
void dry_syntax__key_pair(dry_parser *ps, dry_parse_list *keys) {
    dry_place at = ps->token->at;
    const char *name = at_key(ps) ? ps->token->text : dry_syntax__take_name(ps, "a name");
    if (at_key(ps)) dry_syntax__advance(ps);
    dry_syntax__need(ps, "=");
    const dry_expr *value =
        ps->token->kind == DRY_TOK_STRING ? text(ps) : dry_syntax__expression(ps);
    if (keys->n == DRY_MOST_KEYS) DRY_PARSE_FAIL(ps, at, TOO_DEEP, "");
    dry_key *key = ps->failed ? NULL : dry_syntax__push(ps, keys, sizeof *key);
    if (key) *key = (dry_key){name, at, value};
}

/* loop = "for" NAME "in" expression ".." expression */
const char *dry_syntax__loop_range(dry_parser *ps, const dry_expr **first, const dry_expr **last) {
    const char *name = dry_syntax__take_name(ps, "the name of an index");
    dry_syntax__need(ps, "in");
    *first = dry_syntax__expression(ps);
    dry_syntax__need(ps, "..");
    *last = dry_syntax__expression(ps);
    return name;
}

void dry_syntax__trailing_loop(dry_parser *ps, dry_stmt *stmt) {
    if (!dry_syntax__accept(ps, "for")) return;
    stmt->loop = dry_syntax__loop_range(ps, &stmt->first, &stmt->last);
    if (!stmt->index && !stmt->target)
        DRY_PARSE_FAIL(ps, stmt->at, LOOP_WITHOUT_INDEX, stmt->name, stmt->loop);
}

static const dry_expr *sum_of(dry_parser *ps, dry_place at, const dry_expr *body) {
    const dry_expr *first = &dry_syntax__broken, *last = &dry_syntax__broken;
    const char *index = dry_syntax__loop_range(ps, &first, &last);
    return dry_syntax__with_args(ps, dry_syntax__make(ps, DRY_EX_SUM, at, index),
                                 (const dry_expr *const[]){body, first, last}, 3);
}

/* call = NAME "(" [ argument { "," argument } ] ")"
 * argument = NAME "=" expression | expression [ "from" expression "to" expression ] | expression
 * loop */
static const dry_expr *call(dry_parser *ps, dry_place at, const char *name) {
    dry_parse_list args = {0}, keys = {0};
    const dry_expr *from = NULL, *to = NULL;
    while (!ps->failed && !dry_syntax__is(ps, ")")) {
        if (at_key(ps)) {
            dry_syntax__key_pair(ps, &keys);
        } else {
            const dry_expr *arg = dry_syntax__expression(ps);
            if (dry_syntax__accept(ps, "for")) {
                const dry_expr *sum = sum_of(ps, at, arg);
                if (strcmp(name, "sum") != 0) DRY_PARSE_FAIL(ps, at, ONLY_SUM, name);
                dry_syntax__need(ps, ")");
                return sum;
            }
            if (dry_syntax__accept(ps, "from")) {
                from = dry_syntax__expression(ps);
                dry_syntax__need(ps, "to");
                to = dry_syntax__expression(ps);
            }
            const dry_expr **slot = dry_syntax__push(ps, &args, sizeof *slot);
            if (slot) *slot = arg;
        }
        if (!dry_syntax__accept(ps, ",")) break;
    }
    dry_syntax__need(ps, ")");
    dry_expr *expr = dry_syntax__make(ps, DRY_EX_CALL, at, name);
    if (!expr) return &dry_syntax__broken;
    expr->key = (const dry_key *)(void *)keys.item;
    expr->n_keys = keys.n;
    expr->from = from;
    expr->to = to;
    for (int i = 0; i < keys.n; i++)
        if (expr->key[i].value->depth > expr->depth) expr->depth = expr->key[i].value->depth;
    return dry_syntax__with_args(ps, expr, (const dry_expr *const *)(void *)args.item, args.n);
}

/* expressions = expression { "," expression } */
dry_parse_list dry_syntax__expressions(dry_parser *ps) {
    dry_parse_list items = {0};
    do {
        const dry_expr *item = dry_syntax__expression(ps);
        const dry_expr **slot = dry_syntax__push(ps, &items, sizeof *slot);
        if (slot) *slot = item;
    } while (!ps->failed && dry_syntax__accept(ps, ","));
    return items;
}

/* vector = "[" expressions "]" [ UNIT ] */
static const dry_expr *vector(dry_parser *ps, dry_place at) {
    const dry_parse_list items = dry_syntax__expressions(ps);
    dry_syntax__need(ps, "]");
    const dry_expr *list =
        dry_syntax__with_args(ps, dry_syntax__make(ps, DRY_EX_VECTOR, at, "["),
                              (const dry_expr *const *)(void *)items.item, items.n);
    const dry_place unit_at = ps->token->at;
    const char *unit = ps->failed ? NULL : dry_syntax__list_unit(ps);
    return unit ? dry_syntax__in_unit(ps, list, unit, unit_at) : list;
}

/* choice = "if" expression "then" expression "else" expression */
static const dry_expr *choice(dry_parser *ps, dry_place at) {
    const dry_expr *c = dry_syntax__expression(ps);
    dry_syntax__need(ps, "then");
    const dry_expr *a = dry_syntax__expression(ps);
    dry_syntax__need(ps, "else");
    const dry_expr *b = dry_syntax__expression(ps);
    return dry_syntax__with_args(ps, dry_syntax__make(ps, DRY_EX_IF, at, "if"),
                                 (const dry_expr *const[]){c, a, b}, 3);
}

/* group = "(" expression ")" [ UNIT ], the unit only if the expression is a constant of numbers */
static const dry_expr *group(dry_parser *ps) {
    const dry_expr *inner = dry_syntax__expression(ps);
    dry_syntax__need(ps, ")");
    return ps->failed ? &dry_syntax__broken : dry_syntax__group_unit(ps, inner);
}

/* Whether the text includes a file as that name, anywhere. */
static bool names_file(const dry_parser *ps, const char *name) {
    if (!dry_syntax__is(ps, "(")) return false;
    for (const dry_token *t = ps->all; t->kind != DRY_TOK_END; t++)
        if (t->kind == DRY_TOK_STRING && t > ps->all && t[-1].kind == DRY_TOK_NAME &&
            !strcmp(t[-1].text, "include") && t[1].kind == DRY_TOK_NAME &&
            t[2].kind == DRY_TOK_NAME && !strcmp(t[2].text, name))
            return true;
    return false;
}

/* m.x, or m.g(...), a function of an included file */
static const dry_expr *member_or_call(dry_parser *ps, dry_place at, const char *name) {
    const dry_expr *expr = dry_syntax__member(ps, at, name, NULL);
    if (ps->failed || !names_file(ps, name) || !dry_syntax__accept(ps, "(")) return expr;
    return call(ps, at, dry_diag_join(ps->diag, name, ".", expr->member));
}

/* primary = number | NAME | NAME member | call | vector | choice | group */
static const dry_expr *primary(dry_parser *ps) {
    dry_place at = ps->token->at;
    if (ps->token->kind == DRY_TOK_NUMBER) return number(ps);
    if (ps->token->kind == DRY_TOK_NAME) {
        const char *name = ps->token->text;
        dry_syntax__advance(ps);
        if (dry_syntax__accept(ps, "(")) return call(ps, at, name);
        if (dry_syntax__accept(ps, ".")) return member_or_call(ps, at, name);
        const dry_expr *expr = dry_syntax__make(ps, DRY_EX_NAME, at, name);
        return expr ? expr : &dry_syntax__broken;
    }
    if (dry_syntax__accept(ps, "[")) return vector(ps, at);
    if (dry_syntax__accept(ps, "if")) return choice(ps, at);
    if (dry_syntax__accept(ps, "(")) return group(ps);
    dry_syntax__expected(ps, "an expression");
    return &dry_syntax__broken;
}

/* x[i], x[i, j]. Text that may be meant as a unit is kept for the message. */
static const dry_expr *index_of(dry_parser *ps, const dry_expr *base) {
    const char *unit = dry_syntax__peek_unit(ps);
    dry_syntax__advance(ps);
    const dry_expr *i = dry_syntax__expression(ps), *j = NULL;
    if (dry_syntax__accept(ps, ",")) j = dry_syntax__expression(ps);
    dry_syntax__need(ps, "]");
    dry_expr *expr = dry_syntax__make(ps, DRY_EX_INDEX, base->at, "[");
    if (expr) expr->unit = unit;
    return dry_syntax__with_args(ps, expr, (const dry_expr *const[]){base, i, j}, j ? 3 : 2);
}

/* postfix = primary { "[" expression [ "," expression ] "]" | member | "'" } */
const dry_expr *dry_syntax__postfix(dry_parser *ps) {
    const dry_expr *expr = primary(ps);
    while (!ps->failed) {
        dry_place at = ps->token->at;
        if (dry_syntax__is(ps, "[")) {
            expr = index_of(ps, expr);
        } else if (expr->kind == DRY_EX_INDEX && dry_syntax__accept(ps, ".")) {
            expr = dry_syntax__member(ps, expr->at, "", expr);
        } else if (dry_syntax__accept(ps, "'")) {
            expr = unary_of(ps, at, "'", expr);
        } else {
            break;
        }
    }
    return expr;
}

/* Counts the nesting. If it is too deep for the stack, reports that and returns false. */
static bool enter(dry_parser *ps) {
    if (++ps->nesting <= DEEPEST_NESTING) return true;
    DRY_PARSE_FAIL(ps, ps->token->at, TOO_DEEP, "");
    return false;
}

/* power = postfix [ "^" unary ] */
static const dry_expr *power(dry_parser *ps) {
    const dry_token *first = ps->token;
    const dry_expr *base = dry_syntax__postfix(ps);
    const dry_token *sign = ps->token;
    if (!dry_syntax__accept(ps, "^")) return base;
    if (!enter(ps)) return &dry_syntax__broken;
    const dry_expr *exponent = unary(ps);
    ps->nesting--;
    if (ps->failed) return &dry_syntax__broken;
    if (dry_syntax__unit_of_power(ps, first, sign, base)) return &dry_syntax__one;
    return dry_syntax__binary(ps, sign->at, "^", base, exponent);
}

/* unary = ( "-" | "+" ) unary | power */
static const dry_expr *unary(dry_parser *ps) {
    if (ps->failed) return &dry_syntax__broken;
    dry_place at = ps->token->at;
    bool minus = dry_syntax__is(ps, "-"), plus = dry_syntax__is(ps, "+"),
         both = dry_syntax__is(ps, "+-") && !ps->in_expect;
    if (!minus && !plus && !both) return power(ps);
    if (!enter(ps)) return &dry_syntax__broken;
    dry_syntax__advance(ps);
    const dry_expr *inner = unary(ps);
    ps->nesting--;
    return plus ? inner : unary_of(ps, at, "-", inner);
}

/* product = unary { ( "*" | "/" ) unary } */
static const dry_expr *product(dry_parser *ps) {
    const dry_token *first = ps->token;
    const dry_expr *a = unary(ps);
    while (!ps->failed && (dry_syntax__is(ps, "*") || dry_syntax__is(ps, "/"))) {
        const dry_token *sign = ps->token;
        dry_syntax__advance(ps);
        const dry_expr *b = unary(ps);
        a = !ps->failed && dry_syntax__unit_of_quotient(ps, first, sign, a)
                ? &dry_syntax__one
                : dry_syntax__binary(ps, sign->at, sign->text, a, b);
    }
    return a;
}

/* total = product { ( "+" | "-" ) product } */
static const dry_expr *total(dry_parser *ps) {
    const dry_expr *a = product(ps);
    for (;;) {
        dry_place at = ps->token->at;
        if (ps->failed) return a;
        if (dry_syntax__accept(ps, "+"))
            a = dry_syntax__binary(ps, at, "+", a, product(ps));
        else if (dry_syntax__accept(ps, "-"))
            a = dry_syntax__binary(ps, at, "-", a, product(ps));
        else if (!ps->in_expect && dry_syntax__accept(ps, "+-"))
            a = dry_syntax__binary(ps, at, "-", a, product(ps));
        else
            return a;
    }
}

/* comparison = total [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) total ] */
static const dry_expr *comparison(dry_parser *ps) {
    static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
    const dry_expr *a = total(ps);
    for (int i = 0; i < 6; i++) {
        dry_place at = ps->token->at;
        if (!ps->failed && dry_syntax__accept(ps, signs[i]))
            return dry_syntax__binary(ps, at, signs[i], a, total(ps));
    }
    return a;
}

/* denial = "not" denial | comparison */
static const dry_expr *denial(dry_parser *ps) {
    dry_place at = ps->token->at;
    int nots = 0;
    while (dry_syntax__accept(ps, "not")) nots++;
    const dry_expr *a = comparison(ps);
    if (nots) a = unary_of(ps, at, "not", a);
    return nots && nots % 2 == 0 ? unary_of(ps, at, "not", a) : a;
}

/* conjunction = denial { "and" denial } */
static const dry_expr *conjunction(dry_parser *ps) {
    const dry_expr *a = denial(ps);
    for (dry_place at = ps->token->at; !ps->failed && dry_syntax__accept(ps, "and");
         at = ps->token->at)
        a = dry_syntax__binary(ps, at, "and", a, denial(ps));
    return a;
}

/* expression = conjunction { "or" conjunction } */
const dry_expr *dry_syntax__expression(dry_parser *ps) {
    if (ps->failed) return &dry_syntax__broken;
    if (!enter(ps)) return &dry_syntax__broken;
    const dry_expr *a = conjunction(ps);
    for (dry_place at = ps->token->at; !ps->failed && dry_syntax__accept(ps, "or");
         at = ps->token->at)
        a = dry_syntax__binary(ps, at, "or", a, conjunction(ps));
    ps->nesting--;
    return a;
}

const dry_expr *dry_syntax__bracketed(dry_parser *ps) {
    if (!dry_syntax__accept(ps, "[")) return NULL;
    const dry_expr *inside = dry_syntax__expression(ps);
    dry_syntax__need(ps, "]");
    return inside;
}
