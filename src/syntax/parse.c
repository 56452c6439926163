/* parse: tokens -> tree, statement by statement. Each rule of the grammar stands above the function
 * that has its name; docs/language.md has them all together. */
#include "habits.h"

#include <string.h>

enum { MOST_LOST = 200 };

/* ---- statements -------------------------------------------------------------------- */

/* model = "model" NAME [ STRING ] */
static void model(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_MODEL, .at = ps->token->at};
    stmt.name = dry_syntax__take_name(ps, "the model's name");
    if (ps->token->kind == DRY_TOK_STRING) {
        stmt.title = ps->token->text;
        dry_syntax__advance(ps);
    }
    dry_syntax__add(ps, stmt);
}

/* Returns whether `in` ends its line or comes before a comma: then it means inches. */
static bool is_inch(const dry_parser *ps) {
    const dry_token *next = ps->token + 1;
    return dry_syntax__at_end(next) || next->at.line != ps->token->at.line ||
           (next->kind == DRY_TOK_SIGN && next->text[0] == ',');
}

/* range = "in" expression ".." expression */
void dry_syntax__range(dry_parser *ps, dry_stmt *stmt) {
    if (!dry_syntax__is(ps, "in") || is_inch(ps)) return;
    dry_syntax__advance(ps);
    stmt->range.from = dry_syntax__in_unit_of(ps, dry_syntax__expression(ps), stmt->value);
    dry_syntax__need(ps, "..");
    stmt->range.to = dry_syntax__in_unit_of(ps, dry_syntax__expression(ps), stmt->value);
}

/* param = "param" NAME "=" expression [ range ] { "," NAME "=" expression [ range ] } */
static void param(dry_parser *ps) {
    do {
        dry_stmt stmt = {.kind = DRY_ST_PARAM, .at = ps->token->at};
        stmt.name = dry_syntax__take_name(ps, "a parameter's name");
        dry_syntax__need(ps, "=");
        stmt.value = dry_syntax__expression(ps);
        dry_syntax__range(ps, &stmt);
        dry_syntax__add(ps, stmt);
    } while (!ps->failed && dry_syntax__accept(ps, ","));
}

/* state = "state" NAME [ "[" expression "]" ] "=" expression { "," ... } */
static void state(dry_parser *ps) {
    do {
        dry_stmt stmt = {.kind = DRY_ST_STATE, .at = ps->token->at};
        stmt.name = dry_syntax__take_name(ps, "a state's name");
        stmt.unit = dry_syntax__peek_unit(ps);
        stmt.size = dry_syntax__bracketed(ps);
        dry_syntax__need(ps, "=");
        stmt.value = dry_syntax__expression(ps);
        dry_syntax__add(ps, stmt);
    } while (!ps->failed && dry_syntax__accept(ps, ","));
}

/* function = "function" NAME "(" NAME { "," NAME } ")" "=" expression */
static void function(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_FUNCTION, .at = ps->token->at};
    stmt.name = dry_syntax__take_name(ps, "the function's name");
    dry_syntax__arguments(ps, &stmt);
    dry_syntax__need(ps, "=");
    stmt.value = dry_syntax__expression(ps);
    dry_syntax__add(ps, stmt);
}

void dry_syntax__arguments(dry_parser *ps, dry_stmt *stmt) {
    dry_parse_list names = {0};
    dry_syntax__need(ps, "(");
    do {
        const char *name = dry_syntax__take_name(ps, "the name of an argument");
        if (names.n == DRY_MOST_KEYS) DRY_PARSE_FAIL(ps, ps->token->at, TOO_DEEP, "");
        const char **slot = ps->failed ? NULL : dry_syntax__push(ps, &names, sizeof *slot);
        if (slot) *slot = name;
    } while (!ps->failed && dry_syntax__accept(ps, ","));
    dry_syntax__need(ps, ")");
    stmt->param = (const char **)(void *)names.item;
    stmt->n_params = names.n;
}

void dry_syntax__key_list(dry_parser *ps, dry_stmt *stmt) {
    dry_parse_list keys = {0};
    do dry_syntax__key_pair(ps, &keys);
    while (!ps->failed && dry_syntax__accept(ps, ","));
    stmt->key = (const dry_key *)(void *)keys.item;
    stmt->n_keys = keys.n;
}

/* run = "run" keys */
static void run(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_RUN, .at = ps->token[-1].at};
    dry_syntax__key_list(ps, &stmt);
    dry_syntax__add(ps, stmt);
}

/* measure = "measure" NAME "=" expression */
static void measure(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_MEASURE, .at = ps->token->at};
    stmt.name = dry_syntax__take_name(ps, "the name of a measure");
    dry_syntax__need(ps, "=");
    stmt.value = dry_syntax__expression(ps);
    dry_syntax__add(ps, stmt);
}

/* expect = "expect" expression [ "=" expression "+-" expression ] */
static void expect(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_EXPECT, .at = ps->token->at};
    stmt.value = dry_syntax__expression(ps);
    if (dry_syntax__accept(ps, "=")) {
        ps->in_expect = true;
        stmt.target = dry_syntax__expression(ps);
        ps->in_expect = false;
        dry_syntax__need(ps, "+-");
        stmt.tolerance = dry_syntax__expression(ps);
    }
    dry_syntax__add(ps, stmt);
}

/* Splits `x`, `x[i]` into name and index. Returns false if the left side is something else. */
static bool left_name(const dry_expr *left, dry_stmt *stmt) {
    if (left->kind == DRY_EX_INDEX && left->n_args == 2) {
        stmt->index = left->arg[1];
        stmt->unit = left->unit;
        left = left->arg[0];
    }
    stmt->name = left->text;
    stmt->at = left->at;
    return left->kind == DRY_EX_NAME;
}

/* init = "init" ( name | quantity ) "=" expression [ loop ] */
static void init(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_INIT, .at = ps->token->at};
    if (ps->token->kind != DRY_TOK_NAME) (void)dry_syntax__take_name(ps, "a state's name");
    const dry_expr *left = ps->failed ? &dry_syntax__broken : dry_syntax__postfix(ps);
    if (dry_syntax__is_member(left)) {
        stmt.target = left;
        stmt.at = left->at;
    } else if (!left_name(left, &stmt)) {
        if (ps->failed || !dry_syntax__habit(ps)) DRY_PARSE_FAIL(ps, left->at, BAD_LEFT, "");
    }
    dry_syntax__need(ps, "=");
    stmt.value = dry_syntax__expression(ps);
    dry_syntax__trailing_loop(ps, &stmt);
    dry_syntax__add(ps, stmt);
}

static bool is_prime(const dry_expr *expr) {
    return expr->kind == DRY_EX_UNARY && expr->text[0] == '\'';
}

/* Returns the state in what other languages write for a rate: der(x), dx/dt, M*der(x), M*dx/dt; or
 * NULL. */
static const char *rate_of(const dry_expr *left) {
    static const char *const names[] = {"der", "ddt", "diff", "dt"};
    if (left->kind == DRY_EX_BINARY && left->text[0] == '*') return rate_of(left->arg[1]);
    for (int i = 0; left->kind == DRY_EX_CALL && i < 4; i++)
        if (!strcmp(left->text, names[i]) && left->n_args && left->arg[0]->kind == DRY_EX_NAME)
            return left->arg[0]->text;
    if (left->kind != DRY_EX_BINARY || left->text[0] != '/') return NULL;
    const dry_expr *dx = left->arg[0], *dt = left->arg[1];
    if (dx->kind == DRY_EX_BINARY && dx->text[0] == '*') dx = dx->arg[1];
    const bool both = dx->kind == DRY_EX_NAME && dt->kind == DRY_EX_NAME;
    return both && !strcmp(dt->text, "dt") && dx->text[0] == 'd' && dx->text[1] ? dx->text + 1
                                                                                : NULL;
}

/* A failed statement may have defined its names, so that they must not be reported as undefined. */
static void lose_name(dry_parser *ps, const char *name) {
    if (!ps->lost) ps->lost = dry_arena_take(ps->diag->arena, sizeof *ps->lost * MOST_LOST);
    if (ps->lost && ps->n_lost < MOST_LOST) ps->lost[ps->n_lost++] = name;
}

/* Reports the bad left side even if the left side itself has a fault. */
static bool need_left_name(dry_parser *ps, const dry_expr *left, dry_stmt *stmt) {
    if (left_name(left, stmt)) return true;
    const char *x = rate_of(left);
    if (ps->shown) return false;
    if (!x && !is_prime(left) && !ps->failed && dry_syntax__habit(ps)) return false;
    DRY_SAY(ps->diag, left->at, BAD_LEFT, "");
    if (x) {
        dry_diag_way_out(ps->diag, "write %s' = ..., or M*%s' = ...", x, x);
        lose_name(ps, x);
    }
    if (is_prime(left) && left->arg[0]->kind == DRY_EX_NAME)
        dry_diag_way_out(ps->diag,
                         "declare state v = ..., and write %s' = v and v' = ... instead of %s'': "
                         "equations are of first order",
                         left->arg[0]->text, left->arg[0]->text);
    ps->failed = true;
    return false;
}

/* set = name "in" expression [ "with" keys ] [ loop ] */
static void set(dry_parser *ps, const dry_expr *left) {
    dry_stmt stmt = {.kind = DRY_ST_SET};
    if (!need_left_name(ps, left, &stmt)) return;
    stmt.value = dry_syntax__expression(ps);
    if (dry_syntax__accept(ps, "with")) dry_syntax__key_list(ps, &stmt);
    dry_syntax__trailing_loop(ps, &stmt);
    dry_syntax__add(ps, stmt);
}

/* equation = [ product "*" ] name "'" "=" expression [ loop ]
 * define = name "=" expression [ loop ] */
static void equation_or_define(dry_parser *ps, const dry_expr *left) {
    dry_stmt stmt = {.kind = DRY_ST_DEFINE};
    bool product_left =
        left->kind == DRY_EX_BINARY && left->text[0] == '*' && is_prime(left->arg[1]);
    if (product_left || is_prime(left)) {
        stmt.kind = DRY_ST_EQUATION;
        stmt.factor = product_left ? left->arg[0] : NULL;
        left = product_left ? left->arg[1]->arg[0] : left->arg[0];
    }
    if (!need_left_name(ps, left, &stmt)) return;
    stmt.value = dry_syntax__expression(ps);
    if (dry_syntax__is(ps, "with")) DRY_PARSE_FAIL(ps, ps->token->at, WITH_NEEDS_IN, stmt.name);
    dry_syntax__trailing_loop(ps, &stmt);
    dry_syntax__add(ps, stmt);
}

/* sample = "sample" NAME "=" expression "every" expression [ "from" expression ] [ "with" keys ] */
static void sample(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_SAMPLE, .at = ps->token->at};
    stmt.name = dry_syntax__take_name(ps, "the name of what is sampled");
    dry_syntax__need(ps, "=");
    stmt.value = dry_syntax__expression(ps);
    if (!ps->failed && !dry_syntax__accept_name(ps, "every"))
        dry_syntax__expected(ps, "`every` and the time between two samples");
    stmt.every = dry_syntax__expression(ps);
    if (dry_syntax__accept(ps, "from")) stmt.from = dry_syntax__expression(ps);
    if (dry_syntax__accept(ps, "with")) dry_syntax__key_list(ps, &stmt);
    dry_syntax__add(ps, stmt);
}

/* stop = "stop" "when" expression [ "as" STRING ] */
static void stop(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_STOP, .at = ps->token[-1].at};
    if (!dry_syntax__accept_name(ps, "when")) dry_syntax__expected(ps, "`when`");
    stmt.value = dry_syntax__expression(ps);
    if (!ps->failed && dry_syntax__accept_name(ps, "as"))
        stmt.title = dry_syntax__quoted(ps, "a text in quotation marks");
    dry_syntax__add(ps, stmt);
}

/* include = "include" STRING "as" NAME [ "with" keys ] */
static void include(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_INCLUDE};
    dry_data_expr *data = dry_arena_take(ps->diag->arena, sizeof *data);
    const dry_place file_at = ps->token->at;
    const char *file = dry_syntax__quoted(ps, "the name of a file in quotation marks");
    if (!ps->failed && !dry_syntax__accept_name(ps, "as"))
        dry_syntax__expected(ps, "`as` and a name for what the file has");
    stmt.at = ps->token->at;
    stmt.name = dry_syntax__take_name(ps, "a name for what the file has");
    if (!ps->failed && dry_syntax__accept(ps, "with")) dry_syntax__key_list(ps, &stmt);
    if (!data) return;
    *data = (dry_data_expr){.file = file, .file_at = file_at};
    stmt.data = data;
    dry_syntax__add(ps, stmt);
}

typedef struct rule {
    const char *keyword;
    void (*read)(dry_parser *);
} rule;

static const rule rules[] = {
    {"model", model},
    {"param", param},
    {"state", state},
    {"init", init},
    {"function", function},
    {"run", run},
    {"plot", dry_syntax__plot},
    {"measure", measure},
    {"expect", expect},
    {"part", dry_syntax__part},
    {"connect", dry_syntax__connect},
};

/* Words only before a name, so that models may have them as names. */
static const rule words[] = {
    {"sample", sample}, {"table", dry_syntax__table}, {"input", dry_syntax__input},
    {"stop", stop},     {"free", dry_syntax__free},   {"steady", dry_syntax__steady},
};

/* A word only before a text. */
static const rule before_text = {"include", include};
/* A word only in a statement with `against`: an expression follows, such as -f. */
static const rule before_against = {"output", dry_syntax__output};

static bool is_against(const dry_token *token) {
    for (; !dry_syntax__at_end(token); token++)
        if (token->kind == DRY_TOK_KEYWORD && !strcmp(token->text, "against")) return true;
    return false;
}

static const rule *rule_of_word(const dry_parser *ps) {
    const bool named = ps->token->kind == DRY_TOK_NAME;
    if (named && ps->token[1].kind == DRY_TOK_STRING &&
        !strcmp(ps->token->text, before_text.keyword))
        return &before_text;
    if (named && !strcmp(ps->token->text, before_against.keyword) &&
        (ps->token[1].kind == DRY_TOK_NAME || is_against(ps->token)))
        return &before_against;
    if (!named || ps->token[1].kind != DRY_TOK_NAME) return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(ps->token->text, words[i].keyword)) return &words[i];
    return NULL;
}

/* statement = model | param | ... | set | equation | define | push */
static void statement(dry_parser *ps) {
    ps->from = ps->token->from;
    ps->first = ps->token;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (dry_syntax__accept(ps, rules[i].keyword)) {
            rules[i].read(ps);
            return;
        }
    const rule *word = rule_of_word(ps);
    if (word) {
        dry_syntax__advance(ps);
        word->read(ps);
        return;
    }
    const dry_expr *left = dry_syntax__expression(ps);
    if (dry_syntax__accept(ps, "in"))
        set(ps, left);
    else if (dry_syntax__accept(ps, "="))
        equation_or_define(ps, left);
    else if (dry_syntax__accept(ps, "+="))
        dry_syntax__pushing(ps, left);
    else if (left->kind == DRY_EX_BINARY && !strcmp(left->text, "=="))
        DRY_PARSE_FAIL(ps, left->at, COMPARED, "");
    else if (!ps->failed)
        dry_syntax__expected(ps, "`=` or `in`");
}

static void lose_names(dry_parser *ps, const dry_token *from) {
    for (; from < ps->token; from++)
        if (from->kind == DRY_TOK_NAME) lose_name(ps, from->text);
}

static void end_of_statement(dry_parser *ps, const dry_token *from) {
    if (!ps->failed && !dry_syntax__at_end(ps->token))
        dry_syntax__expected(ps, "the end of the line");
    while (!dry_syntax__at_end(ps->token)) dry_syntax__advance(ps);
    if (ps->failed) lose_names(ps, from);
    while (ps->token->kind == DRY_TOK_NEWLINE) dry_syntax__advance(ps);
}

/* file = { statement NEWLINE } */
dry_tree dry_syntax_parse(dry_tokens tokens, const char *text, dry_is_function *is_function,
                          dry_diagnostics *diag) {
    dry_parser ps = {.token = tokens.token,
                     .all = tokens.token,
                     .from = text,
                     .is_function = is_function,
                     .diag = diag};
    while (ps.token->kind == DRY_TOK_NEWLINE) dry_syntax__advance(&ps);
    while (ps.token->kind != DRY_TOK_END && !ps.exhausted) {
        const dry_token *from = ps.token;
        ps.failed = ps.shown = false;
        ps.nesting = 0;
        ps.in_expect = false;
        statement(&ps);
        end_of_statement(&ps, from);
    }
    dry_syntax__units_of_names(&ps);
    return (dry_tree){(const dry_stmt *)(void *)ps.statements.item, ps.statements.n, ps.lost,
                      ps.n_lost, ps.exhausted};
}
