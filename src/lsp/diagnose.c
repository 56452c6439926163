/* diagnose: the messages of the compiler as diagnostics, and what mends them. */
#include "lsp_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- ranges and locations ------------------------------------------------------------- */

void dry_lsp__put_range(const dry_lsp__text *text, size_t from, size_t to, FILE *stream) {
    const dry_lsp__position a = dry_lsp__position_of(text, from),
                            b = dry_lsp__position_of(text, to);
    fprintf(stream,
            "{\"start\":{\"line\":%d,\"character\":%d},\"end\":{\"line\":%d,\"character\":%d}}",
            a.line, a.character, b.line, b.character);
}

void dry_lsp__put_path(const char *path, FILE *stream) {
    fputs("\"file://", stream);
    for (const char *c = path; *c; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                           (*c >= '0' && *c <= '9') || strchr("/-._~", *c);
        if (plain)
            putc(*c, stream);
        else
            fprintf(stream, "%%%02X", (unsigned)(unsigned char)*c);
    }
    putc('"', stream);
}

void dry_lsp__put_location(const dry_lsp__document *d, dry_place at, FILE *stream) {
    const dry_source *source = &d->model->diag.source[at.file];
    dry_lsp__text other = {0};
    const bool here = at.file == 0;
    if (!here && !dry_lsp__text_set(&other, source->text, source->length)) at = (dry_place){0};
    const dry_lsp__text *text = here || !other.bytes ? &d->text : &other;
    const size_t from = dry_lsp__offset_of_place(text, at.line, at.column);
    fputs("{\"uri\":", stream);
    if (here)
        dry_lsp__json_put(stream, d->uri);
    else
        dry_lsp__put_path(source->path, stream);
    fputs(",\"range\":", stream);
    dry_lsp__put_range(text, from, dry_lsp__later(text, from, at.length), stream);
    putc('}', stream);
    dry_lsp__text_free(&other);
}

/* ---- one message ---------------------------------------------------------------------- */

/* Finds the text that names the included file, in the document itself. Returns its token; -1 if
 * it is not there. */
static int include_of(const dry_lsp__document *d, int file) {
    const dry_diagnostics *diag = &d->model->diag;
    while (diag->source[file].parent > 0) file = diag->source[file].parent;
    const dry_token *t = d->model->tokens.token;
    for (int k = 0; k + 3 < d->model->tokens.n; k++)
        if (t[k].kind == DRY_TOK_NAME && !strcmp(t[k].text, "include") &&
            t[k + 1].kind == DRY_TOK_STRING && t[k + 3].kind == DRY_TOK_NAME &&
            !strcmp(t[k + 3].text, diag->source[file].as))
            return k + 1;
    return -1;
}

typedef struct span {
    size_t from, to;
} span;

/* Where the document shows the message. One without a place is at its first line. */
static span span_of(const dry_lsp__document *d, const dry_diagnostic *said) {
    const int include = said->at.file ? include_of(d, said->at.file) : -1;
    if (include >= 0) return (span){dry_lsp__from(d, include), dry_lsp__to(d, include)};
    if (said->at.file || !said->at.line)
        return (span){0, dry_lsp__offset(&d->text, (dry_lsp__position){0, 1 << 30})};
    const size_t from = dry_lsp__offset_of_place(&d->text, said->at.line, said->at.column);
    const int length = said->at.length > 0 ? said->at.length : 1;
    return (span){from, dry_lsp__later(&d->text, from, length)};
}

static void put_message(const dry_lsp__document *d, const dry_diagnostic *said, FILE *stream) {
    dry_lsp__message message;
    if (!dry_lsp__begin(&message)) return;
    if (said->at.file)
        fprintf(message.stream, "%s:%d:%d: ", d->model->diag.source[said->at.file].path,
                said->at.line, said->at.column);
    fputs(said->text, message.stream);
    if (said->way_out[0]) fprintf(message.stream, "\n%s", said->way_out);
    if (dry_text_close(message.stream, &message.text))
        dry_lsp__json_put_n(stream, message.text, message.length);
    else
        fputs("\"\"", stream);
    free(message.text);
}

static void put_diagnostic(const dry_lsp__document *d, const dry_diagnostic *said, FILE *stream) {
    static const int severities[] = {
        [DRY_SAY_NOTE] = 3, [DRY_SAY_WARNING] = 2, [DRY_SAY_ERROR] = 1};
    const span at = span_of(d, said);
    fputs("{\"range\":", stream);
    dry_lsp__put_range(&d->text, at.from, at.to, stream);
    fprintf(stream, ",\"severity\":%d,\"source\":\"drystone\",\"code\":",
            severities[dry_diag_severity(said->id)]);
    dry_lsp__json_put(stream, dry_diag_word(said->id));
    fputs(",\"message\":", stream);
    put_message(d, said, stream);
    if (said->at.file) {
        fputs(",\"relatedInformation\":[{\"location\":", stream);
        dry_lsp__put_location(d, said->at, stream);
        fputs(",\"message\":", stream);
        dry_lsp__json_put(stream, said->text);
        fputs("}]", stream);
    }
    putc('}', stream);
}

void dry_lsp__diagnose(dry_lsp__server *server, const dry_lsp__document *d) {
    dry_lsp__message message;
    if (!d->model) {
        dry_lsp__complain(server, "there is no memory to compile this document");
        return;
    }
    if (!dry_lsp__begin(&message)) return;
    FILE *stream = message.stream;
    fputs(
        "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/publishDiagnostics\",\"params\":{\"uri\":",
        stream);
    dry_lsp__json_put(stream, d->uri);
    fprintf(stream, ",\"version\":%d,\"diagnostics\":[", d->version);
    for (int i = 0; i < d->model->diag.n_said; i++) {
        if (i) putc(',', stream);
        put_diagnostic(d, &d->model->diag.said[i], stream);
    }
    fputs("]}}", stream);
    dry_lsp__end(server, &message);
}

/* ---- what mends it -------------------------------------------------------------------- */

/* A member has its place at the name before the dot, so that it is not replaced. */
static bool can_mend(const dry_diagnostic *said) {
    return said->instead && said->at.line && !said->at.file && !strchr(said->instead, '.');
}

static void put_fix(const dry_lsp__document *d, const dry_diagnostic *said, FILE *stream) {
    char title[200];
    const span at = span_of(d, said);
    if (!strcmp(said->instead, "\n"))
        snprintf(title, sizeof title, "Begin a new line");
    else
        snprintf(title, sizeof title, "Write %.150s", said->instead);
    fputs("{\"title\":", stream);
    dry_lsp__json_put(stream, title);
    fputs(",\"kind\":\"quickfix\",\"diagnostics\":[", stream);
    put_diagnostic(d, said, stream);
    fputs("],\"edit\":{\"changes\":{", stream);
    dry_lsp__json_put(stream, d->uri);
    fputs(":[{\"range\":", stream);
    dry_lsp__put_range(&d->text, at.from, at.to, stream);
    fputs(",\"newText\":", stream);
    dry_lsp__json_put(stream, said->instead);
    fputs("}]}}}", stream);
}

void dry_lsp__fixes(const dry_lsp__document *d, const dry_json *params, FILE *stream) {
    const dry_json *range = dry_lsp__json_get(params, "range");
    const size_t from = dry_lsp__read_position(d, dry_lsp__json_get(range, "start"));
    const size_t to = dry_lsp__read_position(d, dry_lsp__json_get(range, "end"));
    bool any = false;
    putc('[', stream);
    for (int i = 0; d->model && i < d->model->diag.n_said; i++) {
        const dry_diagnostic *said = &d->model->diag.said[i];
        if (!can_mend(said)) continue;
        const span at = span_of(d, said);
        if (at.from > to || at.to < from) continue;
        if (any) putc(',', stream);
        put_fix(d, said, stream);
        any = true;
    }
    putc(']', stream);
}
