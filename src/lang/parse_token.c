/* parse_token: steps over the tokens. */
#include "parse_private.h"

#include <string.h>

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

const char *dry_parse__source(dry_parser *ps, const dry_token *from, const dry_token *to) {
    const char *copy = dry_arena_text(ps->report->arena, from->from, (size_t)(to->to - from->from));
    return copy ? copy : "";
}
