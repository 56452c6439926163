/* place: which token stands at an offset, and what it belongs to. */
#include "lsp_private.h"

#include <string.h>

/* The tokens of the text; none if it was too large for the compiler, or has changed since. */
static dry_tokens tokens_of(const dry_lsp__document *d) {
    const bool same = d->model && d->model->length == d->text.length && !d->changed;
    return same ? d->model->tokens : (dry_tokens){NULL, 0};
}

size_t dry_lsp__from(const dry_lsp__document *d, int token) {
    const dry_token *t = &d->model->tokens.token[token];
    return t->from ? (size_t)(t->from - d->model->text) : d->text.length;
}

size_t dry_lsp__to(const dry_lsp__document *d, int token) {
    const dry_token *t = &d->model->tokens.token[token];
    return t->to ? (size_t)(t->to - d->model->text) : d->text.length;
}

bool dry_lsp__is_sign(const dry_token *token, const char *sign) {
    return token->kind == DRY_TOK_SIGN && !strcmp(token->text, sign);
}

int dry_lsp__token_before(const dry_lsp__document *d, size_t offset) {
    int low = 0, high = tokens_of(d).n;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (dry_lsp__from(d, middle) < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

int dry_lsp__token_at(const dry_lsp__document *d, size_t offset) {
    const int k = dry_lsp__token_before(d, offset + 1);
    if (k < 0) return -1;
    if (dry_lsp__to(d, k) > offset) return k;
    const int last = dry_lsp__token_before(d, offset);
    return last >= 0 && dry_lsp__to(d, last) == offset ? last : -1;
}

int dry_lsp__statement(const dry_lsp__document *d, int token) {
    const dry_token *t = d->model->tokens.token;
    while (token > 0 && t[token - 1].kind != DRY_TOK_NEWLINE) token--;
    return token;
}

/* ---- context -------------------------------------------------------------------------- */

enum { DEEPEST = 64 };

typedef struct level {
    const char *call, *key;
} level;

dry_lsp__context dry_lsp__context_at(const dry_lsp__document *d, int token) {
    const dry_token *t = d->model->tokens.token;
    dry_lsp__context c = {.first = dry_lsp__statement(d, token)};
    level stack[DEEPEST] = {{NULL, NULL}};
    int depth = 0;
    for (int k = c.first; k < token; k++) {
        const char *before = k > c.first && t[k - 1].kind == DRY_TOK_NAME ? t[k - 1].text : NULL;
        const bool opens = dry_lsp__is_sign(&t[k], "(") || dry_lsp__is_sign(&t[k], "[");
        const bool closes = dry_lsp__is_sign(&t[k], ")") || dry_lsp__is_sign(&t[k], "]");
        if (opens && ++depth < DEEPEST) stack[depth] = (level){before, NULL};
        if (closes && depth > 0) depth--;
        level *here = &stack[depth < DEEPEST ? depth : DEEPEST - 1];
        if (dry_lsp__is_sign(&t[k], "=")) here->key = before;
        if (dry_lsp__is_sign(&t[k], ",")) here->key = NULL;
        if (t[k].kind == DRY_TOK_NAME && dry_set_find(t[k].text)) c.set = t[k].text;
        const bool lists = t[k].kind == DRY_TOK_KEYWORD &&
                           (!strcmp(t[k].text, "with") || !strcmp(t[k].text, "run"));
        if (lists) here->key = NULL;
        c.with = c.with || (lists && depth == 0);
        c.at_key = lists || (opens && before && t[k].text[0] == '(') ||
                   (dry_lsp__is_sign(&t[k], ",") && (depth > 0 || c.with));
    }
    const level *here = &stack[depth < DEEPEST ? depth : DEEPEST - 1];
    c.call = here->call;
    c.key = here->key;
    c.with = c.with && depth == 0;
    return c;
}

/* ---- names ---------------------------------------------------------------------------- */

/* Returns the token before the brackets that end at k. */
static int before_brackets(const dry_token *t, int first, int k) {
    int depth = 0;
    for (; k >= first; k--) {
        if (dry_lsp__is_sign(&t[k], "]")) depth++;
        if (dry_lsp__is_sign(&t[k], "[") && --depth == 0) return k - 1;
    }
    return -1;
}

dry_lsp__chain dry_lsp__chain_at(const dry_lsp__document *d, int token) {
    const dry_token *t = d->model->tokens.token;
    const int first = dry_lsp__statement(d, token);
    dry_lsp__chain back = {.n = 0}, chain = {.n = 0};
    for (int k = token; k >= first && t[k].kind == DRY_TOK_NAME && back.n < DRY_LSP_MOST_PARTS;) {
        back.part[back.n++] = t[k].text;
        if (k - 2 < first || !dry_lsp__is_sign(&t[k - 1], ".")) break;
        k -= 2;
        if (dry_lsp__is_sign(&t[k], "]")) k = before_brackets(t, first, k);
    }
    for (int i = back.n - 1; i >= 0; i--) chain.part[chain.n++] = back.part[i];
    return chain;
}

const char *dry_lsp__join(const dry_lsp__chain *chain, int n, char text[DRY_LSP_NAME]) {
    size_t length = 0;
    text[0] = 0;
    for (int i = 0; i < n && length < DRY_LSP_NAME; i++)
        length += (size_t)snprintf(text + length, DRY_LSP_NAME - length, "%s%s", i ? "." : "",
                                   chain->part[i]);
    return text;
}

const dry_symbol *dry_lsp__symbol(const dry_model *model, const dry_lsp__chain *chain, int *n) {
    char text[DRY_LSP_NAME];
    for (*n = chain->n; model && *n > 0; --*n) {
        dry_lsp__join(chain, *n, text);
        const dry_names *names = &model->elab.names;
        for (int i = 0; i < names->n_symbols; i++)
            if (!strcmp(names->symbol[i].name, text)) return &names->symbol[i];
    }
    return NULL;
}

int dry_lsp__part(const dry_model *model, const char *name) {
    char element[DRY_LSP_NAME];
    const dry_net *net = dry_model_net(model);
    const int part = net ? dry_net_part_find(net, name) : -1;
    if (part >= 0 || !net) return part;
    snprintf(element, sizeof element, "%s[1]", name);
    return dry_net_part_find(net, element);
}

static bool is_word(const dry_token *token, const char *word) {
    return token->kind == DRY_TOK_KEYWORD && !strcmp(token->text, word);
}

int dry_lsp__local(const dry_lsp__document *d, int token) {
    const dry_token *t = d->model->tokens.token;
    const int first = dry_lsp__statement(d, token);
    const char *name = t[token].text;
    if (t[token].kind != DRY_TOK_NAME) return -1;
    const bool has_arguments = is_word(&t[first], "function") || !strcmp(t[first].text, "table");
    bool in_list = false;
    for (int k = first; t[k].kind != DRY_TOK_NEWLINE && t[k].kind != DRY_TOK_END; k++) {
        if (has_arguments && k == first + 2) in_list = dry_lsp__is_sign(&t[k], "(");
        if (dry_lsp__is_sign(&t[k], ")")) in_list = false;
        const bool defines = in_list || (k > first && is_word(&t[k - 1], "for"));
        if (defines && t[k].kind == DRY_TOK_NAME && !strcmp(t[k].text, name)) return k;
    }
    return -1;
}
