/* parse_token: steps over the tokens, what is said if they do not fit, and growing lists. */
#include "parse_private.h"

#include <string.h>

enum { MOST_ITEMS = 100000 };

/* ---- tokens ------------------------------------------------------------------------ */

bool dry_parse__is(const dry_parser *ps, const char *text) {
    return (ps->token->kind == DRY_TOK_SIGN || ps->token->kind == DRY_TOK_KEYWORD) &&
           ps->token->text[0] == text[0] && !strcmp(ps->token->text, text);
}

void dry_parse__advance(dry_parser *ps) {
    if (ps->token->kind != DRY_TOK_END) ps->token++;
}

bool dry_parse__accept(dry_parser *ps, const char *text) {
    if (!dry_parse__is(ps, text)) return false;
    dry_parse__advance(ps);
    return true;
}

bool dry_parse__at_end(const dry_token *token) {
    return token->kind == DRY_TOK_NEWLINE || token->kind == DRY_TOK_END;
}

static const char *describe(dry_parser *ps) {
    const dry_token *token = ps->token;
    if (dry_parse__at_end(token)) return "the end of the line";
    const char *format = token->kind == DRY_TOK_UNIT     ? "the unit [%s]"
                         : token->kind == DRY_TOK_STRING ? "the text \"%s\""
                                                         : "`%s`";
    return dry_lang__text(ps->report, format, token->text);
}

/* Whether the lexer has reported that something is missing in the statement. */
static bool is_faulty(const dry_parser *ps) {
    const dry_token *token = ps->token;
    while (!dry_parse__at_end(token)) token++;
    return !strcmp(token->text, DRY_TOK_FAULTY);
}

/* ---- what does not fit ------------------------------------------------------------- */

void dry_parse__expected(dry_parser *ps, const char *what) {
    const dry_token *token = ps->token;
    if (ps->failed || is_faulty(ps))
        ps->failed = true;
    else if (dry_parse__behind_number(ps))
        DRY_PARSE_FAIL(ps, token[-1].at, NUMBER_THEN_NAME, token[-1].text,
                       dry_parse__unit_or_name(ps));
    else
        DRY_PARSE_FAIL(ps, token->at, EXPECTED, what, describe(ps));
}

void dry_parse__need(dry_parser *ps, const char *text) {
    if (!dry_parse__accept(ps, text))
        dry_parse__expected(ps, dry_lang__text(ps->report, "`%s`", text));
}

const char *dry_parse__take_name(dry_parser *ps, const char *what) {
    if (ps->token->kind != DRY_TOK_NAME) {
        if (ps->token->kind == DRY_TOK_KEYWORD)
            DRY_PARSE_FAIL(ps, ps->token->at, RESERVED, ps->token->text);
        dry_parse__expected(ps, what);
        return "";
    }
    const char *text = ps->token->text;
    dry_parse__advance(ps);
    return text;
}

/* ---- growing lists in the arena ---------------------------------------------------- */

void *dry_parse__push(dry_parser *ps, dry_parse_list *items, size_t size) {
    if (items->n == items->room) {
        int room = items->room ? 2 * items->room : 4;
        char *more =
            items->n < MOST_ITEMS ? dry_arena_take(ps->report->arena, size * (size_t)room) : NULL;
        if (!more) {
            DRY_PARSE_FAIL(ps, ps->token->at, TOO_LARGE, "");
            ps->exhausted = true;
            return NULL;
        }
        if (items->n) memcpy(more, items->item, size * (size_t)items->n);
        items->item = more;
        items->room = room;
    }
    return items->item + size * (size_t)items->n++;
}
