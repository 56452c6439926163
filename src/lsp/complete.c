/* complete: how a text may go on at a place. */
#include "lsp_private.h"

#include <stdlib.h>
#include <string.h>

/* CompletionItemKind of the protocol. */
enum {
    ITEM_FUNCTION = 3,
    ITEM_VARIABLE = 6,
    ITEM_CLASS = 7,
    ITEM_PROPERTY = 10,
    ITEM_UNIT = 11,
    ITEM_VALUE = 12,
    ITEM_KEYWORD = 14,
    ITEM_CONSTANT = 21
};

typedef struct list {
    FILE *stream;
    int n;
} list;

static void put_item(list *to, const char *label, int kind, const char *detail,
                     const char *meaning) {
    fprintf(to->stream, "%s{\"label\":", to->n++ ? "," : "");
    dry_lsp__json_put(to->stream, label);
    fprintf(to->stream, ",\"kind\":%d", kind);
    if (detail && detail[0]) {
        fputs(",\"detail\":", to->stream);
        dry_lsp__json_put(to->stream, detail);
    }
    if (meaning && meaning[0]) {
        fputs(",\"documentation\":", to->stream);
        dry_lsp__json_put(to->stream, meaning);
    }
    putc('}', to->stream);
}

static int item_of(dry_lsp_kind kind) {
    static const int items[] = {
        [DRY_LSP_STATEMENT] = ITEM_KEYWORD, [DRY_LSP_JOINING] = ITEM_KEYWORD,
        [DRY_LSP_CONSTANT] = ITEM_CONSTANT, [DRY_LSP_FUNCTION] = ITEM_FUNCTION,
        [DRY_LSP_SET] = ITEM_FUNCTION,      [DRY_LSP_LAW] = ITEM_FUNCTION,
        [DRY_LSP_PART] = ITEM_CLASS,        [DRY_LSP_METHOD] = ITEM_VALUE,
        [DRY_LSP_KEY] = ITEM_PROPERTY,      [DRY_LSP_UNIT] = ITEM_UNIT};
    return items[kind];
}

typedef struct wish {
    list *to;
    unsigned kinds; /* as bits */
} wish;

static bool put_if_wanted(const dry_lsp_word *word, void *user) {
    const wish *w = user;
    if (w->kinds & 1u << word->kind)
        put_item(w->to, word->text, item_of(word->kind), word->form, word->meaning);
    return true;
}

static void put_words(list *to, unsigned kinds) {
    wish w = {to, kinds};
    dry_lsp__each_word(put_if_wanted, &w);
}

static void put_symbols(list *to, const dry_model *model) {
    static const char *const words[] = {
        [DRY_SYM_PARAM] = "parameter",   [DRY_SYM_STATE] = "state",
        [DRY_SYM_QUANTITY] = "quantity", [DRY_SYM_FORCE] = "force",
        [DRY_SYM_FUNCTION] = "function", [DRY_SYM_MEASURE] = "measure",
        [DRY_SYM_PART] = "part",         [DRY_SYM_SAMPLE] = "sample",
        [DRY_SYM_TABLE] = "table",       [DRY_SYM_INPUT] = "input"};
    const dry_names *names = &model->elab.names;
    for (int i = 0; i < names->n_symbols; i++) {
        const dry_symbol *s = &names->symbol[i];
        const bool called = s->kind == DRY_SYM_FUNCTION || s->kind == DRY_SYM_TABLE;
        put_item(to, s->name,
                 called                     ? ITEM_FUNCTION
                 : s->kind == DRY_SYM_PARAM ? ITEM_CONSTANT
                                            : ITEM_VARIABLE,
                 words[s->kind], NULL);
    }
}

/* ---- members -------------------------------------------------------------------------- */

typedef struct members {
    list *to;
    const char *head; /* "ball." */
    char (*seen)[64];
    int n_seen;
} members;

enum { MOST_MEMBERS = 200 };

/* Offers what follows the head up to an index, once. */
static void put_member(members *m, const char *name, const char *unit) {
    const size_t n = strlen(m->head);
    char rest[64];
    if (strncmp(name, m->head, n) != 0) return;
    const size_t length = strcspn(name + n, "[*");
    if (!length || length >= sizeof rest || m->n_seen == MOST_MEMBERS) return;
    memcpy(rest, name + n, length);
    rest[length] = 0;
    for (int i = 0; i < m->n_seen; i++)
        if (!strcmp(m->seen[i], rest)) return;
    memcpy(m->seen[m->n_seen++], rest, length + 1);
    put_item(m->to, rest, ITEM_PROPERTY, unit, NULL);
}

static void put_rows(members *m, const dry_quantity *rows, int n) {
    for (int i = 0; i < n; i++) put_member(m, rows[i].name, rows[i].unit);
}

static void put_offered(members *m, const char *own, const char *unit) {
    char name[DRY_LSP_NAME];
    snprintf(name, sizeof name, "%s%s", m->head, own);
    put_member(m, name, unit);
}

static void put_quantity(void *user, const dry_net_quantity *quantity) {
    char own[64];
    snprintf(own, sizeof own, "%.*s", quantity->length, quantity->name);
    if (!quantity->is_inner) put_offered(user, own, quantity->unit);
}

/* Ports of a part, its quantities, and what it feels: the net knows which of these there are. */
static void put_part(members *m, const dry_net *net, int part) {
    static const char *const felt[] = {"p",   "v",       "f", "l",   "l_dot", "q", "N",
                                       "psi", "psi_dot", "d", "phi", "omega", "m"};
    const char *name;
    const dry_part *row = dry_net_part_at(net, part, &name);
    dry_net_found spot;
    for (int k = 0; k < row->n_ports; k++)
        if (row->ports[k].name[0]) put_offered(m, row->ports[k].name, "port");
    dry_net_each_quantity(net, part, put_quantity, m);
    for (size_t i = 0; i < sizeof felt / sizeof *felt; i++)
        if (dry_net_find_in(net, part, felt[i], &spot)) put_offered(m, felt[i], spot.unit);
}

/* What the names of the model have after the chain and a dot. */
static void put_members(list *to, const dry_lsp__document *d, const dry_lsp__chain *chain) {
    char head[DRY_LSP_NAME], part[DRY_LSP_NAME];
    snprintf(head, sizeof head, "%s.", dry_lsp__join(chain, chain->n, part));
    members m = {to, head, malloc(MOST_MEMBERS * sizeof *m.seen), 0};
    if (!m.seen) return;
    const dry_names *names = &d->model->elab.names;
    for (int i = 0; i < names->n_symbols; i++) put_member(&m, names->symbol[i].name, "");
    if (d->good) {
        const dry_system *s = dry_model_system(d->good);
        put_rows(&m, s->states, s->n_states);
        put_rows(&m, s->outputs, s->n_outputs);
        put_rows(&m, s->params, s->n_par);
        const int owner = dry_lsp__part(d->good, part);
        if (owner >= 0) put_part(&m, dry_model_net(d->good), owner);
    }
    free(m.seen);
}

/* ---- keys ----------------------------------------------------------------------------- */

static bool put_keys_of_call(list *to, const char *call) {
    const dry_law *law = dry_law_find(call);
    const dry_kind *kind = dry_part_kind_find(call);
    for (int i = 0; kind && i < kind->n_params; i++)
        put_item(to, kind->params[i].name, ITEM_PROPERTY, kind->params[i].unit,
                 kind->params[i].meaning);
    for (int i = 0; law && !kind && i < law->n_params; i++)
        put_item(to, law->params[i].name, ITEM_PROPERTY, law->params[i].unit,
                 law->params[i].meaning);
    return kind || law;
}

static void put_keys_of_statement(list *to, const char *first, const char *set_name) {
    const dry_set *set = set_name ? dry_set_find(set_name) : NULL;
    dry_word row;
    for (int i = 0; !strcmp(first, "run") && dry_lang_run_key(i, &row); i++)
        put_item(to, row.text, ITEM_PROPERTY, "", row.meaning);
    for (int i = 0; !strcmp(first, "plot") && dry_lang_plot_key(i, &row); i++)
        put_item(to, row.text, ITEM_PROPERTY, "", row.meaning);
    for (int i = 0; set && dry_lang_set_key(set->kind, i, &row); i++)
        put_item(to, row.text, ITEM_PROPERTY, "", row.meaning);
}

/* ---- the place ------------------------------------------------------------------------ */

#define BIT(kind) (1u << (kind))
static const unsigned in_expressions = BIT(DRY_LSP_CONSTANT) | BIT(DRY_LSP_FUNCTION) |
                                       BIT(DRY_LSP_SET) | BIT(DRY_LSP_JOINING) | BIT(DRY_LSP_LAW);

/* Whether the offset is in a comment after the token. */
static bool in_comment(const dry_lsp__document *d, int token, size_t offset) {
    size_t from = token >= 0 ? dry_lsp__to(d, token) : 0;
    bool comment = false;
    for (; from < offset; from++) {
        if (d->text.bytes[from] == '#') comment = true;
        if (d->text.bytes[from] == '\n') comment = false;
    }
    return comment;
}

/* The name that has been begun, if the offset is in it or at its end. */
static bool is_begun(const dry_lsp__document *d, int token, size_t offset) {
    const dry_tok kind = d->model->tokens.token[token].kind;
    return (kind == DRY_TOK_NAME || kind == DRY_TOK_KEYWORD) && dry_lsp__to(d, token) >= offset;
}

/* What may follow the token `last`, -1: at the begin of the text. */
static void put_behind(list *to, const dry_lsp__document *d, int last) {
    const dry_token *t = d->model->tokens.token;
    if (last < 0 || t[last].kind == DRY_TOK_NEWLINE) {
        put_words(to, BIT(DRY_LSP_STATEMENT));
        put_symbols(to, d->model);
        return;
    }
    if (dry_lsp__is_sign(&t[last], ".") && last > 0) {
        const int owner = last - 1;
        dry_lsp__chain chain = dry_lsp__chain_at(d, owner);
        for (int k = owner; dry_lsp__is_sign(&t[owner], "]") && k > 0 && !chain.n; k--)
            if (dry_lsp__is_sign(&t[k], "[")) chain = dry_lsp__chain_at(d, k - 1);
        put_members(to, d, &chain);
        return;
    }
    const dry_lsp__context c = dry_lsp__context_at(d, last + 1);
    const char *first = t[c.first].text;
    const bool value = dry_lsp__is_sign(&t[last], "=");
    if (c.at_key && c.call && put_keys_of_call(to, c.call) && !strcmp(first, "part")) return;
    if (c.at_key && !c.call) put_keys_of_statement(to, first, c.set);
    if (c.at_key && !c.call && c.with) return;
    if (value && c.key && !strcmp(c.key, "method"))
        put_words(to, BIT(DRY_LSP_METHOD));
    else if (value && c.key && !strcmp(c.key, "law"))
        put_words(to, BIT(DRY_LSP_LAW));
    else if (value && !c.call && !strcmp(first, "part"))
        put_words(to, BIT(DRY_LSP_PART));
    else {
        put_symbols(to, d->model);
        put_words(to, in_expressions);
    }
}

void dry_lsp__complete(const dry_lsp__document *d, size_t offset, FILE *stream) {
    list to = {stream, 0};
    int last = d->model ? dry_lsp__token_before(d, offset) : -1;
    fputs("{\"isIncomplete\":false,\"items\":[", stream);
    const dry_tok kind = last >= 0 ? d->model->tokens.token[last].kind : DRY_TOK_END;
    const bool inside = last >= 0 && dry_lsp__to(d, last) > offset;
    if (!d->model || in_comment(d, last, offset) || (inside && kind == DRY_TOK_STRING))
        ;
    else if ((inside && kind == DRY_TOK_UNIT) || (last >= 0 && d->text.bytes[offset - 1] == '['))
        put_words(&to, BIT(DRY_LSP_UNIT));
    else
        put_behind(&to, d, last >= 0 && is_begun(d, last, offset) ? last - 1 : last);
    fputs("]}", stream);
}
