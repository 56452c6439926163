/* parse: tokens -> tree. Each rule of the grammar stands above the function that has its name;
 * docs/language.md has them all together. */
#include "ast.h"

#include <string.h>

enum {
    DEEPEST_NESTING = 100,
    DEEPEST_TREE = 500,
    MOST_ITEMS = 100000,
    MOST_KEYS = 200,
    MOST_DOTS = 4,
    MOST_LOST = 200
};

typedef struct parser {
    const dry_token *token;
    int nesting;
    bool failed; /* in this statement: skip to its end */
    bool in_expect;
    const char **lost; /* names in failed statements */
    int n_lost;
    bool exhausted; /* without memory or room: the rest is not read */
    dry_report *report;
} parser;

/* ---- tokens ------------------------------------------------------------------------ */

static bool is(const parser *ps, const char *text) {
    return (ps->token->kind == DRY_TOK_SIGN || ps->token->kind == DRY_TOK_KEYWORD) &&
           !strcmp(ps->token->text, text);
}

static void advance(parser *ps) {
    if (ps->token->kind != DRY_TOK_END) ps->token++;
}

static bool accept(parser *ps, const char *text) {
    if (!is(ps, text)) return false;
    advance(ps);
    return true;
}

static bool at_end(const dry_token *token) {
    return token->kind == DRY_TOK_NEWLINE || token->kind == DRY_TOK_END;
}

static const char *describe(parser *ps) {
    const dry_token *token = ps->token;
    if (at_end(token)) return "the end of the line";
    const char *format = token->kind == DRY_TOK_UNIT     ? "the unit [%s]"
                         : token->kind == DRY_TOK_STRING ? "the text \"%s\""
                                                         : "`%s`";
    return dry_lang__text(ps->report, format, token->text);
}

/* Whether the statement ran into the next one through a bracket, which the lexer has reported. */
static bool runs_on(const parser *ps) {
    const dry_token *token = ps->token;
    while (!at_end(token)) token++;
    return token->text[0] == '(';
}

static void fail_expected(parser *ps, const char *what) {
    if (!ps->failed && !runs_on(ps))
        DRY_SAY(ps->report, ps->token->at, EXPECTED, what, describe(ps));
    ps->failed = true;
}

static void expect_sign(parser *ps, const char *text) {
    if (!accept(ps, text)) fail_expected(ps, dry_lang__text(ps->report, "`%s`", text));
}

static const char *take_name(parser *ps, const char *what) {
    if (ps->token->kind != DRY_TOK_NAME) {
        if (!ps->failed && ps->token->kind == DRY_TOK_KEYWORD) {
            DRY_SAY(ps->report, ps->token->at, RESERVED, ps->token->text);
            ps->failed = true;
        }
        fail_expected(ps, what);
        return "";
    }
    const char *text = ps->token->text;
    advance(ps);
    return text;
}

/* ---- growing lists in the arena ---------------------------------------------------- */

typedef struct list {
    char *item;
    int n, room;
} list;

/* Room for one more item of `size` bytes; NULL (and the statement fails) without memory. */
static void *push(parser *ps, list *items, size_t size) {
    if (items->n == items->room) {
        int room = items->room ? 2 * items->room : 4;
        char *more =
            items->n < MOST_ITEMS ? dry_arena_take(ps->report->arena, size * (size_t)room) : NULL;
        if (!more) {
            if (!ps->failed) DRY_SAY(ps->report, ps->token->at, TOO_LARGE, "");
            ps->failed = ps->exhausted = true;
            return NULL;
        }
        if (items->n) memcpy(more, items->item, size * (size_t)items->n);
        items->item = more;
        items->room = room;
    }
    return items->item + size * (size_t)items->n++;
}

/* ---- expressions ------------------------------------------------------------------- */

static const dry_expr *expression(parser *ps);
static const dry_expr *unary(parser *ps);

/* The expression that stands in for one that could not be read. */
static const dry_expr broken = {.kind = DRY_EX_NUMBER, .text = "0"};

static dry_expr *make(parser *ps, dry_ex kind, dry_place at, const char *text) {
    dry_expr *expr = dry_arena_take(ps->report->arena, sizeof *expr);
    if (!expr) {
        ps->failed = ps->exhausted = true;
        return NULL;
    }
    expr->kind = kind;
    expr->at = at;
    expr->text = text;
    return expr;
}

static const dry_expr *with_args(parser *ps, dry_expr *expr, const dry_expr *const *arg, int n) {
    if (!expr) return &broken;
    expr->arg = dry_arena_take(ps->report->arena, sizeof *arg * (size_t)(n ? n : 1));
    if (!expr->arg) {
        ps->failed = true;
        return &broken;
    }
    for (int i = 0; i < n; i++) {
        expr->arg[i] = arg[i];
        if (arg[i]->depth >= expr->depth) expr->depth = arg[i]->depth + 1;
    }
    expr->n_args = n;
    if (expr->depth > DEEPEST_TREE) {
        if (!ps->failed) DRY_SAY(ps->report, expr->at, TOO_DEEP, "");
        ps->failed = true;
        return &broken;
    }
    return expr;
}

static const dry_expr *binary_of(parser *ps, dry_place at, const char *sign, const dry_expr *a,
                                 const dry_expr *b) {
    return with_args(ps, make(ps, DRY_EX_BINARY, at, sign), (const dry_expr *const[]){a, b}, 2);
}

static const dry_expr *unary_of(parser *ps, dry_place at, const char *sign, const dry_expr *a) {
    return with_args(ps, make(ps, DRY_EX_UNARY, at, sign), &a, 1);
}

/* number = NUMBER [ UNIT ] */
static const dry_expr *number(parser *ps) {
    dry_expr *expr = make(ps, DRY_EX_NUMBER, ps->token->at, ps->token->text);
    if (!expr) return &broken;
    expr->value = ps->token->value;
    advance(ps);
    if (ps->token->kind == DRY_TOK_UNIT) {
        expr->unit = ps->token->text;
        expr->unit_at = ps->token->at;
        advance(ps);
    }
    return expr;
}

/* Before `=` a word of the language may be a key, such as `from`. */
static bool at_key(const parser *ps) {
    const bool word = ps->token->kind == DRY_TOK_NAME || ps->token->kind == DRY_TOK_KEYWORD;
    return word && ps->token[1].kind == DRY_TOK_SIGN && !strcmp(ps->token[1].text, "=");
}

static const dry_expr *text(parser *ps) {
    const dry_expr *expr = make(ps, DRY_EX_TEXT, ps->token->at, ps->token->text);
    advance(ps);
    return expr ? expr : &broken;
}

/* keys = key "=" ( expression | STRING ) { "," key "=" ( expression | STRING ) } */
static void key_pair(parser *ps, list *keys) {
    dry_place at = ps->token->at;
    const char *name = at_key(ps) ? ps->token->text : take_name(ps, "a name");
    if (at_key(ps)) advance(ps);
    expect_sign(ps, "=");
    const dry_expr *value = ps->token->kind == DRY_TOK_STRING ? text(ps) : expression(ps);
    if (keys->n == MOST_KEYS && !ps->failed) {
        DRY_SAY(ps->report, at, TOO_DEEP, "");
        ps->failed = true;
    }
    dry_key *key = ps->failed ? NULL : push(ps, keys, sizeof *key);
    if (key) *key = (dry_key){name, at, value};
}

/* loop = "for" NAME "in" expression ".." expression */
static const char *loop_range(parser *ps, const dry_expr **first, const dry_expr **last) {
    const char *name = take_name(ps, "the name of an index");
    expect_sign(ps, "in");
    *first = expression(ps);
    expect_sign(ps, "..");
    *last = expression(ps);
    return name;
}

static const dry_expr *sum_of(parser *ps, dry_place at, const dry_expr *body) {
    const dry_expr *first = &broken, *last = &broken;
    const char *index = loop_range(ps, &first, &last);
    return with_args(ps, make(ps, DRY_EX_SUM, at, index),
                     (const dry_expr *const[]){body, first, last}, 3);
}

/* call = NAME "(" [ argument { "," argument } ] ")"
 * argument = NAME "=" expression | expression [ "from" expression "to" expression ] | expression
 * loop */
static const dry_expr *call(parser *ps, dry_place at, const char *name) {
    list args = {0}, keys = {0};
    const dry_expr *from = NULL, *to = NULL;
    while (!ps->failed && !is(ps, ")")) {
        if (at_key(ps)) {
            key_pair(ps, &keys);
        } else {
            const dry_expr *arg = expression(ps);
            if (accept(ps, "for")) {
                const dry_expr *sum = sum_of(ps, at, arg);
                if (strcmp(name, "sum") != 0 && !ps->failed) {
                    DRY_SAY(ps->report, at, ONLY_SUM, name);
                    ps->failed = true;
                }
                expect_sign(ps, ")");
                return sum;
            }
            if (accept(ps, "from")) {
                from = expression(ps);
                expect_sign(ps, "to");
                to = expression(ps);
            }
            const dry_expr **slot = push(ps, &args, sizeof *slot);
            if (slot) *slot = arg;
        }
        if (!accept(ps, ",")) break;
    }
    expect_sign(ps, ")");
    dry_expr *expr = make(ps, DRY_EX_CALL, at, name);
    if (!expr) return &broken;
    expr->key = (const dry_key *)(void *)keys.item;
    expr->n_keys = keys.n;
    expr->from = from;
    expr->to = to;
    for (int i = 0; i < keys.n; i++)
        if (expr->key[i].value->depth > expr->depth) expr->depth = expr->key[i].value->depth;
    return with_args(ps, expr, (const dry_expr *const *)(void *)args.item, args.n);
}

/* vector = "[" expression { "," expression } "]" */
static const dry_expr *vector(parser *ps, dry_place at) {
    list items = {0};
    do {
        const dry_expr *item = expression(ps);
        const dry_expr **slot = push(ps, &items, sizeof *slot);
        if (slot) *slot = item;
    } while (!ps->failed && accept(ps, ","));
    expect_sign(ps, "]");
    return with_args(ps, make(ps, DRY_EX_VECTOR, at, "["),
                     (const dry_expr *const *)(void *)items.item, items.n);
}

/* choice = "if" expression "then" expression "else" expression */
static const dry_expr *choice(parser *ps, dry_place at) {
    const dry_expr *c = expression(ps);
    expect_sign(ps, "then");
    const dry_expr *a = expression(ps);
    expect_sign(ps, "else");
    const dry_expr *b = expression(ps);
    return with_args(ps, make(ps, DRY_EX_IF, at, "if"), (const dry_expr *const[]){c, a, b}, 3);
}

/* member = "." NAME { "." NAME }, whose first dot has been read */
static const dry_expr *member(parser *ps, dry_place at, const char *name, const dry_expr *base) {
    dry_expr *expr = make(ps, DRY_EX_MEMBER, at, name);
    const char *path = take_name(ps, "a name behind the dot");
    for (int dots = 1; !ps->failed && accept(ps, "."); dots++) {
        if (dots == MOST_DOTS) {
            DRY_SAY(ps->report, at, TOO_DEEP, "");
            ps->failed = true;
            return &broken;
        }
        path = dry_lang__text(ps->report, "%s.%s", path, take_name(ps, "a name behind the dot"));
    }
    if (!expr) return &broken;
    expr->member = path;
    return base ? with_args(ps, expr, &base, 1) : expr;
}

/* primary = number | NAME | NAME member | call | vector | choice | "(" expression ")" */
static const dry_expr *primary(parser *ps) {
    dry_place at = ps->token->at;
    if (ps->token->kind == DRY_TOK_NUMBER) return number(ps);
    if (ps->token->kind == DRY_TOK_NAME) {
        const char *name = ps->token->text;
        advance(ps);
        if (accept(ps, "(")) return call(ps, at, name);
        if (accept(ps, ".")) return member(ps, at, name, NULL);
        const dry_expr *expr = make(ps, DRY_EX_NAME, at, name);
        return expr ? expr : &broken;
    }
    if (accept(ps, "[")) return vector(ps, at);
    if (accept(ps, "if")) return choice(ps, at);
    if (accept(ps, "(")) {
        const dry_expr *inner = expression(ps);
        expect_sign(ps, ")");
        return inner;
    }
    fail_expected(ps, "an expression");
    return &broken;
}

/* postfix = primary { "[" expression [ "," expression ] "]" | member | "'" } */
static const dry_expr *postfix(parser *ps) {
    const dry_expr *expr = primary(ps);
    while (!ps->failed) {
        dry_place at = ps->token->at;
        if (accept(ps, "[")) {
            const dry_expr *i = expression(ps), *j = NULL;
            if (accept(ps, ",")) j = expression(ps);
            expect_sign(ps, "]");
            expr = with_args(ps, make(ps, DRY_EX_INDEX, expr->at, "["),
                             (const dry_expr *const[]){expr, i, j}, j ? 3 : 2);
        } else if (expr->kind == DRY_EX_INDEX && accept(ps, ".")) {
            expr = member(ps, expr->at, "", expr);
        } else if (accept(ps, "'")) {
            expr = unary_of(ps, at, "'", expr);
        } else {
            break;
        }
    }
    return expr;
}

/* Counts the nesting; false, and reported, where it is too deep for the stack. */
static bool enter(parser *ps) {
    if (++ps->nesting <= DEEPEST_NESTING) return true;
    if (!ps->failed) DRY_SAY(ps->report, ps->token->at, TOO_DEEP, "");
    ps->failed = true;
    return false;
}

/* power = postfix [ "^" unary ] */
static const dry_expr *power(parser *ps) {
    const dry_expr *base = postfix(ps);
    dry_place at = ps->token->at;
    if (!accept(ps, "^")) return base;
    if (!enter(ps)) return &broken;
    const dry_expr *exponent = unary(ps);
    ps->nesting--;
    return binary_of(ps, at, "^", base, exponent);
}

/* unary = ( "-" | "+" ) unary | power */
static const dry_expr *unary(parser *ps) {
    if (ps->failed) return &broken;
    dry_place at = ps->token->at;
    bool minus = is(ps, "-"), plus = is(ps, "+"), both = is(ps, "+-") && !ps->in_expect;
    if (!minus && !plus && !both) return power(ps);
    if (!enter(ps)) return &broken;
    advance(ps);
    const dry_expr *inner = unary(ps);
    ps->nesting--;
    return plus ? inner : unary_of(ps, at, "-", inner);
}

/* product = unary { ( "*" | "/" ) unary } */
static const dry_expr *product(parser *ps) {
    const dry_expr *a = unary(ps);
    while (!ps->failed && (is(ps, "*") || is(ps, "/"))) {
        dry_place at = ps->token->at;
        const char *sign = ps->token->text;
        advance(ps);
        a = binary_of(ps, at, sign, a, unary(ps));
    }
    return a;
}

/* total = product { ( "+" | "-" ) product } */
static const dry_expr *total(parser *ps) {
    const dry_expr *a = product(ps);
    for (;;) {
        dry_place at = ps->token->at;
        if (ps->failed) return a;
        if (accept(ps, "+"))
            a = binary_of(ps, at, "+", a, product(ps));
        else if (accept(ps, "-"))
            a = binary_of(ps, at, "-", a, product(ps));
        else if (!ps->in_expect && accept(ps, "+-"))
            a = binary_of(ps, at, "-", a, product(ps));
        else
            return a;
    }
}

/* comparison = total [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) total ] */
static const dry_expr *comparison(parser *ps) {
    static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">="};
    const dry_expr *a = total(ps);
    for (int i = 0; i < 6; i++) {
        dry_place at = ps->token->at;
        if (!ps->failed && accept(ps, signs[i])) return binary_of(ps, at, signs[i], a, total(ps));
    }
    return a;
}

/* denial = "not" denial | comparison */
static const dry_expr *denial(parser *ps) {
    dry_place at = ps->token->at;
    int nots = 0;
    while (accept(ps, "not")) nots++;
    const dry_expr *a = comparison(ps);
    if (nots) a = unary_of(ps, at, "not", a);
    return nots && nots % 2 == 0 ? unary_of(ps, at, "not", a) : a;
}

/* conjunction = denial { "and" denial } */
static const dry_expr *conjunction(parser *ps) {
    const dry_expr *a = denial(ps);
    for (dry_place at = ps->token->at; !ps->failed && accept(ps, "and"); at = ps->token->at)
        a = binary_of(ps, at, "and", a, denial(ps));
    return a;
}

/* expression = conjunction { "or" conjunction } */
static const dry_expr *expression(parser *ps) {
    if (ps->failed) return &broken;
    if (!enter(ps)) return &broken;
    const dry_expr *a = conjunction(ps);
    for (dry_place at = ps->token->at; !ps->failed && accept(ps, "or"); at = ps->token->at)
        a = binary_of(ps, at, "or", a, conjunction(ps));
    ps->nesting--;
    return a;
}

/* ---- statements -------------------------------------------------------------------- */

typedef struct statements {
    list items;
    const char *from; /* the first byte of the statement under way */
} statements;

static void add(parser *ps, statements *all, dry_stmt stmt) {
    if (ps->failed) return;
    const char *to = ps->token[-1].to;
    stmt.source = dry_arena_text(ps->report->arena, all->from, (size_t)(to - all->from));
    dry_stmt *slot = push(ps, &all->items, sizeof *slot);
    if (slot) *slot = stmt;
}

/* model = "model" NAME [ STRING ] */
static void model(parser *ps, statements *all) {
    dry_stmt stmt = {.kind = DRY_ST_MODEL, .at = ps->token->at};
    stmt.name = take_name(ps, "the model's name");
    if (ps->token->kind == DRY_TOK_STRING) {
        stmt.title = ps->token->text;
        advance(ps);
    }
    add(ps, all, stmt);
}

/* param = "param" NAME "=" expression { "," NAME "=" expression } */
static void param(parser *ps, statements *all) {
    do {
        dry_stmt stmt = {.kind = DRY_ST_PARAM, .at = ps->token->at};
        stmt.name = take_name(ps, "a parameter's name");
        expect_sign(ps, "=");
        stmt.value = expression(ps);
        add(ps, all, stmt);
    } while (!ps->failed && accept(ps, ","));
}

/* state = "state" NAME [ "[" expression "]" ] "=" expression { "," ... } */
static void state(parser *ps, statements *all) {
    do {
        dry_stmt stmt = {.kind = DRY_ST_STATE, .at = ps->token->at};
        stmt.name = take_name(ps, "a state's name");
        if (accept(ps, "[")) {
            stmt.size = expression(ps);
            expect_sign(ps, "]");
        }
        expect_sign(ps, "=");
        stmt.value = expression(ps);
        add(ps, all, stmt);
    } while (!ps->failed && accept(ps, ","));
}

static void trailing_loop(parser *ps, dry_stmt *stmt) {
    if (!accept(ps, "for")) return;
    stmt->loop = loop_range(ps, &stmt->first, &stmt->last);
    if (stmt->index || stmt->target || ps->failed) return;
    DRY_SAY(ps->report, stmt->at, LOOP_WITHOUT_INDEX, stmt->name, stmt->loop);
    ps->failed = true;
}

/* function = "function" NAME "(" NAME { "," NAME } ")" "=" expression */
static void function(parser *ps, statements *all) {
    dry_stmt stmt = {.kind = DRY_ST_FUNCTION, .at = ps->token->at};
    list names = {0};
    stmt.name = take_name(ps, "the function's name");
    expect_sign(ps, "(");
    do {
        const char *name = take_name(ps, "the name of an argument");
        if (names.n == MOST_KEYS && !ps->failed) {
            DRY_SAY(ps->report, ps->token->at, TOO_DEEP, "");
            ps->failed = true;
        }
        const char **slot = ps->failed ? NULL : push(ps, &names, sizeof *slot);
        if (slot) *slot = name;
    } while (!ps->failed && accept(ps, ","));
    expect_sign(ps, ")");
    expect_sign(ps, "=");
    stmt.value = expression(ps);
    stmt.param = (const char **)(void *)names.item;
    stmt.n_params = names.n;
    add(ps, all, stmt);
}

static void key_list(parser *ps, dry_stmt *stmt) {
    list keys = {0};
    do key_pair(ps, &keys);
    while (!ps->failed && accept(ps, ","));
    stmt->key = (const dry_key *)(void *)keys.item;
    stmt->n_keys = keys.n;
}

/* run = "run" keys */
static void run(parser *ps, statements *all) {
    dry_stmt stmt = {.kind = DRY_ST_RUN, .at = ps->token[-1].at};
    key_list(ps, &stmt);
    add(ps, all, stmt);
}

/* plot = "plot" expression { "," expression } [ "against" expression ] */
static void plot(parser *ps, statements *all) {
    dry_stmt stmt = {.kind = DRY_ST_PLOT, .at = ps->token[-1].at};
    list items = {0};
    do {
        const dry_expr *item = expression(ps);
        const dry_expr **slot = push(ps, &items, sizeof *slot);
        if (slot) *slot = item;
    } while (!ps->failed && accept(ps, ","));
    if (accept(ps, "against")) stmt.against = expression(ps);
    stmt.list = (const dry_expr **)(void *)items.item;
    stmt.n_list = items.n;
    add(ps, all, stmt);
}

/* measure = "measure" NAME "=" expression */
static void measure(parser *ps, statements *all) {
    dry_stmt stmt = {.kind = DRY_ST_MEASURE, .at = ps->token->at};
    stmt.name = take_name(ps, "the name of a measure");
    expect_sign(ps, "=");
    stmt.value = expression(ps);
    add(ps, all, stmt);
}

/* expect = "expect" expression [ "=" expression "+-" expression ] */
static void expect(parser *ps, statements *all) {
    dry_stmt stmt = {.kind = DRY_ST_EXPECT, .at = ps->token->at};
    stmt.value = expression(ps);
    if (accept(ps, "=")) {
        ps->in_expect = true;
        stmt.target = expression(ps);
        ps->in_expect = false;
        expect_sign(ps, "+-");
        stmt.tolerance = expression(ps);
    }
    add(ps, all, stmt);
}

/* Takes `x`, `x[i]` apart; false where the left side is something else. */
static bool left_name(const dry_expr *left, dry_stmt *stmt) {
    if (left->kind == DRY_EX_INDEX && left->n_args == 2) {
        stmt->index = left->arg[1];
        left = left->arg[0];
    }
    stmt->name = left->text;
    stmt->at = left->at;
    return left->kind == DRY_EX_NAME;
}

/* Whether an expression is ball.f, ball[i].f, ball.f[k]. */
static bool is_member(const dry_expr *expr) {
    if (expr->kind == DRY_EX_INDEX && expr->n_args == 2) expr = expr->arg[0];
    return expr->kind == DRY_EX_MEMBER;
}

/* init = "init" ( name | quantity ) "=" expression [ loop ] */
static void init(parser *ps, statements *all) {
    dry_stmt stmt = {.kind = DRY_ST_INIT, .at = ps->token->at};
    if (ps->token->kind != DRY_TOK_NAME) (void)take_name(ps, "a state's name");
    const dry_expr *left = ps->failed ? &broken : postfix(ps);
    if (is_member(left)) {
        stmt.target = left;
        stmt.at = left->at;
    } else if (!left_name(left, &stmt) && !ps->failed) {
        DRY_SAY(ps->report, left->at, BAD_LEFT, "");
        ps->failed = true;
    }
    expect_sign(ps, "=");
    stmt.value = expression(ps);
    trailing_loop(ps, &stmt);
    add(ps, all, stmt);
}

/* part = "part" name "=" call [ loop ] */
static void part(parser *ps, statements *all) {
    dry_stmt stmt = {.kind = DRY_ST_PART, .at = ps->token->at};
    stmt.name = take_name(ps, "the name of a part");
    if (accept(ps, "[")) {
        stmt.index = expression(ps);
        expect_sign(ps, "]");
    }
    expect_sign(ps, "=");
    stmt.value = expression(ps);
    if (!ps->failed && (stmt.value->kind != DRY_EX_CALL || stmt.value->n_args)) {
        DRY_SAY(ps->report, stmt.value->at, PART_CALL, stmt.name);
        ps->failed = true;
    }
    trailing_loop(ps, &stmt);
    add(ps, all, stmt);
}

/* Whether the next token is this name, which has a meaning behind ports only. */
static bool accept_name(parser *ps, const char *name) {
    if (ps->token->kind != DRY_TOK_NAME || strcmp(ps->token->text, name) != 0) return false;
    advance(ps);
    return true;
}

/* port = NAME [ "[" expression "]" ] [ member ] */
static const dry_expr *port(parser *ps) {
    const dry_expr *expr = postfix(ps), *base = expr;
    if (base->kind == DRY_EX_MEMBER && base->n_args) base = base->arg[0];
    if (base->kind == DRY_EX_INDEX && base->n_args == 2) base = base->arg[0];
    const bool good = base->kind == DRY_EX_NAME || (base == expr && base->kind == DRY_EX_MEMBER);
    if (good || ps->failed) return expr;
    DRY_SAY(ps->report, expr->at, NOT_A_PORT, "");
    ps->failed = true;
    return &broken;
}

/* end = port { "at" postfix | "axes" postfix | "normal" postfix } */
static dry_end_expr end_of(parser *ps) {
    dry_end_expr end = {.port = port(ps)};
    while (!ps->failed) {
        if (accept_name(ps, "at"))
            end.at = postfix(ps);
        else if (accept_name(ps, "axes"))
            end.axes = postfix(ps);
        else if (accept_name(ps, "normal"))
            end.normal = postfix(ps);
        else
            break;
    }
    return end;
}

/* connect = "connect" port "-" end [ "-" end ] [ loop ] */
static void connect(parser *ps, statements *all) {
    dry_stmt stmt = {.kind = DRY_ST_CONNECT, .at = ps->token->at};
    stmt.target = port(ps);
    do {
        expect_sign(ps, "-");
        stmt.end[stmt.n_ends++] = end_of(ps);
    } while (!ps->failed && stmt.n_ends < 2 && is(ps, "-"));
    trailing_loop(ps, &stmt);
    add(ps, all, stmt);
}

/* push = quantity "+=" expression [ loop ] */
static void push_of(parser *ps, statements *all, const dry_expr *left) {
    dry_stmt stmt = {.kind = DRY_ST_PUSH, .at = left->at, .target = left};
    if (!is_member(left)) {
        if (!ps->failed) DRY_SAY(ps->report, left->at, BAD_PUSH, "the left side");
        ps->failed = true;
        return;
    }
    stmt.value = expression(ps);
    trailing_loop(ps, &stmt);
    add(ps, all, stmt);
}

/* set = name "in" expression [ "with" keys ] [ loop ] */
static void set(parser *ps, statements *all, const dry_expr *left) {
    dry_stmt stmt = {.kind = DRY_ST_SET};
    if (!left_name(left, &stmt)) {
        DRY_SAY(ps->report, left->at, BAD_LEFT, "");
        ps->failed = true;
        return;
    }
    stmt.value = expression(ps);
    if (accept(ps, "with")) key_list(ps, &stmt);
    trailing_loop(ps, &stmt);
    add(ps, all, stmt);
}

static bool is_prime(const dry_expr *expr) {
    return expr->kind == DRY_EX_UNARY && expr->text[0] == '\'';
}

/* equation = [ product "*" ] name "'" "=" expression [ loop ]
 * define = name "=" expression [ loop ] */
static void equation_or_define(parser *ps, statements *all, const dry_expr *left) {
    dry_stmt stmt = {.kind = DRY_ST_DEFINE};
    bool product_left =
        left->kind == DRY_EX_BINARY && left->text[0] == '*' && is_prime(left->arg[1]);
    if (product_left || is_prime(left)) {
        stmt.kind = DRY_ST_EQUATION;
        stmt.factor = product_left ? left->arg[0] : NULL;
        left = product_left ? left->arg[1]->arg[0] : left->arg[0];
    }
    if (!left_name(left, &stmt)) {
        DRY_SAY(ps->report, left->at, BAD_LEFT, "");
        ps->failed = true;
        return;
    }
    stmt.value = expression(ps);
    if (is(ps, "with") && !ps->failed) {
        DRY_SAY(ps->report, ps->token->at, WITH_NEEDS_IN, stmt.name);
        ps->failed = true;
    }
    trailing_loop(ps, &stmt);
    add(ps, all, stmt);
}

typedef struct rule {
    const char *keyword;
    void (*read)(parser *, statements *);
} rule;

static const rule rules[] = {
    {"model", model},       {"param", param}, {"state", state},     {"init", init},
    {"function", function}, {"run", run},     {"plot", plot},       {"measure", measure},
    {"expect", expect},     {"part", part},   {"connect", connect},
};

/* statement = model | param | ... | set | equation | define | push */
static void statement(parser *ps, statements *all) {
    all->from = ps->token->from;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (accept(ps, rules[i].keyword)) {
            rules[i].read(ps, all);
            return;
        }
    const dry_expr *left = expression(ps);
    if (accept(ps, "in"))
        set(ps, all, left);
    else if (accept(ps, "="))
        equation_or_define(ps, all, left);
    else if (accept(ps, "+="))
        push_of(ps, all, left);
    else if (!ps->failed)
        fail_expected(ps, "`=` or `in`");
}

/* What a failed statement says about its names is not known: they are not reported as undefined. */
static void lose_names(parser *ps, const dry_token *from) {
    if (!ps->lost) ps->lost = dry_arena_take(ps->report->arena, sizeof *ps->lost * MOST_LOST);
    for (; ps->lost && from < ps->token && ps->n_lost < MOST_LOST; from++)
        if (from->kind == DRY_TOK_NAME) ps->lost[ps->n_lost++] = from->text;
}

static void end_of_statement(parser *ps, const dry_token *from) {
    if (!ps->failed && !at_end(ps->token)) fail_expected(ps, "the end of the line");
    while (!at_end(ps->token)) advance(ps);
    if (ps->failed) lose_names(ps, from);
    while (ps->token->kind == DRY_TOK_NEWLINE) advance(ps);
}

/* file = { statement NEWLINE } */
dry_tree dry_lang__parse(dry_tokens tokens, const char *text, dry_report *report) {
    parser ps = {.token = tokens.token, .report = report};
    statements all = {.from = text};
    while (ps.token->kind == DRY_TOK_NEWLINE) advance(&ps);
    while (ps.token->kind != DRY_TOK_END && !ps.exhausted) {
        const dry_token *from = ps.token;
        ps.failed = false;
        ps.nesting = 0;
        ps.in_expect = false;
        statement(&ps, &all);
        end_of_statement(&ps, from);
    }
    return (dry_tree){(const dry_stmt *)(void *)all.items.item, all.items.n, ps.lost, ps.n_lost,
                      ps.exhausted};
}
