/* parse_token: steps over the tokens. */
#include "parse_private.h"

#include <string.h>

bool dry_syntax__is(const dry_parser *ps, const char *text) {
    return (ps->token->kind == DRY_TOK_SIGN || ps->token->kind == DRY_TOK_KEYWORD) &&
           ps->token->text[0] == text[0] && !strcmp(ps->token->text, text);
}

void dry_syntax__advance(dry_parser *ps) {
    if (ps->token->kind != DRY_TOK_END) ps->token++;
}

bool dry_syntax__accept(dry_parser *ps, const char *text) {
    if (!dry_syntax__is(ps, text)) return false;
    dry_syntax__advance(ps);
    return true;
}

bool dry_syntax__accept_name(dry_parser *ps, const char *name) {
    if (ps->token->kind != DRY_TOK_NAME || strcmp(ps->token->text, name) != 0) return false;
    dry_syntax__advance(ps);
    return true;
}

bool dry_syntax__at_end(const dry_token *token) {
    return token->kind == DRY_TOK_NEWLINE || token->kind == DRY_TOK_END;
}

const char *dry_syntax__source(dry_parser *ps, const dry_token *from, const dry_token *to) {
    const char *copy = dry_arena_text(ps->diag->arena, from->from, (size_t)(to->to - from->from));
    return copy ? copy : "";
}
