/* parse_mistakes: the messages about a token that does not fit. */
#include "habits.h"

#include <string.h>

static const char *describe(dry_parser *ps) {
    const dry_token *token = ps->token;
    if (dry_syntax__at_end(token)) return "the end of the line";
    const char *format = token->kind == DRY_TOK_UNIT     ? "the unit [%s]"
                         : token->kind == DRY_TOK_STRING ? "the text \"%s\""
                                                         : "`%s`";
    return dry_diag_text(ps->diag, format, token->text);
}

/* Returns whether the lexer has reported that something is missing in the statement. */
static bool is_faulty(const dry_parser *ps) {
    const dry_token *token = ps->token;
    while (!dry_syntax__at_end(token)) token++;
    return !strcmp(token->text, DRY_TOK_FAULTY);
}

/* Returns the first sign of another language in the statement, or NULL. */
static const dry_token *foreign_sign(const dry_parser *ps) {
    const dry_token *token = ps->first;
    while (!dry_syntax__at_end(token) && token->kind != DRY_TOK_FOREIGN) token++;
    return token->kind == DRY_TOK_FOREIGN ? token : NULL;
}

static void say_foreign(dry_parser *ps, const dry_token *sign) {
    DRY_PARSE_FAIL(ps, sign->at, FOREIGN_SIGN, sign->text);
    dry_diag_way_out(ps->diag, "%s", dry_syntax__way_out_of_sign(sign->text));
}

/* Return whether an operand can end with this token, or begin with it. */
static bool ends(const dry_token *token) {
    const bool sign = token->kind == DRY_TOK_SIGN && strchr(")]'", token->text[0]);
    return sign || token->kind == DRY_TOK_NUMBER || token->kind == DRY_TOK_UNIT ||
           token->kind == DRY_TOK_NAME || token->kind == DRY_TOK_STRING;
}

static bool begins(const dry_token *token) {
    const bool sign = token->kind == DRY_TOK_SIGN && strchr("([", token->text[0]);
    return sign || token->kind == DRY_TOK_NUMBER || token->kind == DRY_TOK_NAME;
}

static bool is_key(const dry_token *token) {
    return token->kind == DRY_TOK_NAME && token[1].kind == DRY_TOK_SIGN &&
           !strcmp(token[1].text, "=");
}

/* Returns whether the current statement or bracket takes several items, separated by commas. */
static bool takes_commas(const dry_parser *ps) {
    static const char *const words[] = {"param", "state", "run", "plot"};
    int depth = 0;
    for (const dry_token *token = ps->first; token < ps->token; token++) {
        if (token->kind == DRY_TOK_KEYWORD && !strcmp(token->text, "with")) return true;
        if (token->kind != DRY_TOK_SIGN) continue;
        depth += (strchr("([", token->text[0]) != NULL) - (strchr(")]", token->text[0]) != NULL);
    }
    for (int i = 0; i < 4 && depth <= 0; i++)
        if (ps->first->kind == DRY_TOK_KEYWORD && !strcmp(ps->first->text, words[i])) return true;
    return depth > 0;
}

static bool side_by_side(const dry_parser *ps) {
    return ps->token > ps->first && ends(ps->token - 1) && begins(ps->token);
}

static void say_side_by_side(dry_parser *ps) {
    const dry_token *token = ps->token;
    const char *a = dry_syntax__source(ps, token - 1, token - 1);
    const char *b = dry_syntax__source(ps, token, token);
    DRY_PARSE_FAIL(ps, token->at, SIDE_BY_SIDE, a, b);
    if (is_key(token) && takes_commas(ps))
        dry_diag_way_out(ps->diag, "write a comma between them: ..., %s = ...", b);
    else if (is_key(token))
        dry_diag_way_out(ps->diag, "begin a new line for %s = ...", b);
    else if (takes_commas(ps))
        dry_diag_way_out(ps->diag, "write a comma between them, or `*` for a product");
}

static void say_expected(dry_parser *ps, const char *what) {
    DRY_PARSE_FAIL(ps, ps->token->at, EXPECTED, what, describe(ps));
    if (dry_syntax__is(ps, ")") || dry_syntax__is(ps, "]"))
        dry_diag_way_out(ps->diag, "remove it, or add the bracket that it closes");
}

void dry_syntax__expected(dry_parser *ps, const char *what) {
    const dry_token *token = ps->token, *sign;
    if (ps->failed || is_faulty(ps))
        ps->failed = true;
    else if (dry_syntax__habit(ps))
        return;
    else if ((sign = foreign_sign(ps)))
        say_foreign(ps, sign);
    else if (dry_syntax__behind_number(ps) && !is_key(token))
        DRY_PARSE_FAIL(ps, token[-1].at, NUMBER_THEN_NAME, token[-1].text,
                       dry_syntax__unit_or_name(ps));
    else if (side_by_side(ps))
        say_side_by_side(ps);
    else
        say_expected(ps, what);
}

void dry_syntax__need(dry_parser *ps, const char *text) {
    if (!dry_syntax__accept(ps, text))
        dry_syntax__expected(ps, dry_diag_text(ps->diag, "`%s`", text));
}

const char *dry_syntax__take_name(dry_parser *ps, const char *what) {
    if (ps->token->kind != DRY_TOK_NAME) {
        if (ps->token->kind == DRY_TOK_KEYWORD)
            DRY_PARSE_FAIL(ps, ps->token->at, RESERVED, ps->token->text);
        dry_syntax__expected(ps, what);
        return "";
    }
    const char *text = ps->token->text;
    dry_syntax__advance(ps);
    return text;
}
