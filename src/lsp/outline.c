/* outline: the symbols of a document, and where a name is defined. */
#include "lsp_private.h"

#include <string.h>

/* ---- symbols -------------------------------------------------------------------------- */

/* SymbolKind of the protocol for a statement that names something; 0: it does not. */
static int kind_of(dry_st kind) {
    static const int kinds[] = {[DRY_ST_MODEL] = 2 /* module */,
                                [DRY_ST_PARAM] = 14 /* constant */,
                                [DRY_ST_STATE] = 13 /* variable */,
                                [DRY_ST_DEFINE] = 13,
                                [DRY_ST_FUNCTION] = 12 /* function */,
                                [DRY_ST_SET] = 24 /* event */,
                                [DRY_ST_MEASURE] = 16 /* number */,
                                [DRY_ST_PART] = 19 /* object */,
                                [DRY_ST_SAMPLE] = 13,
                                [DRY_ST_TABLE] = 12,
                                [DRY_ST_INPUT] = 13,
                                [DRY_ST_INCLUDE] = 0};
    return kind <= DRY_ST_INCLUDE ? kinds[kind] : 0;
}

/* The token that ends the statement of a token. */
static int end_of(const dry_lsp__document *d, int token) {
    const dry_token *t = d->model->tokens.token;
    while (t[token].kind != DRY_TOK_NEWLINE && t[token].kind != DRY_TOK_END) token++;
    return token;
}

static bool put_symbol(const dry_lsp__document *d, const dry_stmt *stmt, bool more, FILE *stream) {
    const int kind = kind_of(stmt->kind);
    if (!kind || !stmt->name || stmt->at.file) return false;
    const size_t from = dry_lsp__offset_of_place(&d->text, stmt->at.line, stmt->at.column);
    const size_t to = dry_lsp__later(&d->text, from, stmt->at.length);
    const int token = dry_lsp__token_at(d, from);
    if (token < 0) return false;
    const size_t first = dry_lsp__from(d, dry_lsp__statement(d, token));
    const size_t last = dry_lsp__from(d, end_of(d, token));
    fprintf(stream, "%s{\"name\":", more ? "," : "");
    dry_lsp__json_put(stream, stmt->name[0] ? stmt->name : "model");
    fprintf(stream, ",\"kind\":%d,\"range\":", kind);
    dry_lsp__put_range(&d->text, first < from ? first : from, last > to ? last : to, stream);
    fputs(",\"selectionRange\":", stream);
    dry_lsp__put_range(&d->text, from, to, stream);
    putc('}', stream);
    return true;
}

void dry_lsp__outline(const dry_lsp__document *d, FILE *stream) {
    bool any = false;
    putc('[', stream);
    for (int i = 0; d->model && i < d->model->elab.tree.n; i++)
        any = put_symbol(d, &d->model->elab.tree.stmt[i], any, stream) || any;
    putc(']', stream);
}

/* ---- definitions ---------------------------------------------------------------------- */

/* The file that a text after `include` or `from` names. */
static bool put_file(const dry_lsp__document *d, int token, FILE *stream) {
    const dry_token *t = &d->model->tokens.token[token];
    const dry_diagnostics *diag = &d->model->diag;
    char path[4096];
    if (t->kind != DRY_TOK_STRING || token == 0) return false;
    if (strcmp(t[-1].text, "include") != 0 && strcmp(t[-1].text, "from") != 0) return false;
    const char *name = t->text, *folder = diag->source[0].folder;
    while (!strncmp(name, "./", 2)) name += 2;
    snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : folder, name);
    if (path[0] != '/') return false;
    fputs("[{\"uri\":", stream);
    dry_lsp__put_path(path, stream);
    fputs(",\"range\":{\"start\":{\"line\":0,\"character\":0},"
          "\"end\":{\"line\":0,\"character\":0}}}]",
          stream);
    return true;
}

/* All statements that define the name: those of name[i] may be several. */
static void put_statements(const dry_lsp__document *d, const dry_symbol *symbol, FILE *stream) {
    putc('[', stream);
    for (int i = 0; i < symbol->n_stmts; i++) {
        if (i) putc(',', stream);
        dry_lsp__put_location(d, symbol->more[i]->at, stream);
    }
    putc(']', stream);
}

void dry_lsp__define(const dry_lsp__document *d, size_t offset, FILE *stream) {
    const int token = dry_lsp__token_at(d, offset);
    if (token >= 0 && put_file(d, token, stream)) return;
    if (token < 0 || d->model->tokens.token[token].kind != DRY_TOK_NAME) {
        fputs("null", stream);
        return;
    }
    const int local = dry_lsp__local(d, token);
    if (local >= 0) {
        putc('[', stream);
        dry_lsp__put_location(d, d->model->tokens.token[local].at, stream);
        putc(']', stream);
        return;
    }
    const dry_lsp__chain chain = dry_lsp__chain_at(d, token);
    int n;
    const dry_symbol *symbol = dry_lsp__symbol(d->model, &chain, &n);
    if (symbol)
        put_statements(d, symbol, stream);
    else
        fputs("null", stream);
}
