/* names: collects every name of the tree and its kind, and checks that it is defined once. */
#include "lang_private.h"

#include <stdlib.h>
#include <string.h>

static bool is_constant(const char *name) {
    return !strcmp(name, "t") || !strcmp(name, "pi") || !strcmp(name, "inf");
}

/* A part may have the name of a function (floor), because a part's name occurs only before a dot or
 * in a connection. */
static bool is_reserved(const dry_stmt *stmt) {
    const char *name = stmt->name;
    if (stmt->kind == DRY_ST_PART)
        return is_constant(name) || !strcmp(name, "world") || !strcmp(name, "equations");
    return is_constant(name) || dry_lang_is_reserved(name);
}

static const dry_symbol_kind kind_of[] = {
    [DRY_ST_PARAM] = DRY_SYM_PARAM,       [DRY_ST_STATE] = DRY_SYM_STATE,
    [DRY_ST_DEFINE] = DRY_SYM_QUANTITY,   [DRY_ST_SET] = DRY_SYM_FORCE,
    [DRY_ST_FUNCTION] = DRY_SYM_FUNCTION, [DRY_ST_MEASURE] = DRY_SYM_MEASURE,
    [DRY_ST_PART] = DRY_SYM_PART,         [DRY_ST_SAMPLE] = DRY_SYM_SAMPLE,
    [DRY_ST_TABLE] = DRY_SYM_TABLE,       [DRY_ST_INPUT] = DRY_SYM_INPUT,
};

static bool defines(const dry_stmt *stmt) {
    return stmt->kind == DRY_ST_PARAM || stmt->kind == DRY_ST_STATE ||
           stmt->kind == DRY_ST_DEFINE || stmt->kind == DRY_ST_SET ||
           stmt->kind == DRY_ST_FUNCTION || stmt->kind == DRY_ST_MEASURE ||
           stmt->kind == DRY_ST_PART || stmt->kind == DRY_ST_SAMPLE || stmt->kind == DRY_ST_TABLE ||
           stmt->kind == DRY_ST_INPUT;
}

/* Whether the text has a function or a table of that name. */
static bool has_function(const dry_elab *elab, const char *name) {
    for (int i = 0; i < elab->tree.n; i++) {
        const dry_stmt *stmt = &elab->tree.stmt[i];
        if ((stmt->kind == DRY_ST_FUNCTION || stmt->kind == DRY_ST_TABLE) &&
            !strcmp(stmt->name, name))
            return true;
    }
    return false;
}

/* If the right side of a define is a law of the catalogue, the name is an element, which is kept as
 * a force. A function of the text replaces a law that yields. */
static dry_symbol_kind kind_for(const dry_elab *elab, const dry_stmt *stmt) {
    const bool call = stmt->kind == DRY_ST_DEFINE && stmt->value->kind == DRY_EX_CALL;
    const dry_law *law = call ? dry_law_find(stmt->value->text) : NULL;
    if (law && !(law->yields && has_function(elab, law->name))) return DRY_SYM_FORCE;
    return kind_of[stmt->kind];
}

static void add_statement(dry_elab *elab, dry_symbol *symbol, const dry_stmt *stmt) {
    const dry_stmt **slot = dry_lang_grow(elab->arena, (void **)(void *)&symbol->more,
                                          &symbol->n_stmts, &symbol->room, sizeof *slot);
    if (slot) *slot = stmt;
}

static void define(dry_elab *elab, const dry_stmt *stmt) {
    if (is_reserved(stmt)) {
        DRY_SAY(elab->diag, stmt->at, BUILT_IN_NAME, stmt->name);
        return;
    }
    int *slot = dry_lang__slot(elab, stmt->name);
    dry_symbol_kind kind = kind_for(elab, stmt);
    if (*slot >= 0) {
        dry_symbol *symbol = &elab->names.symbol[*slot];
        bool both_indexed = symbol->indexed && stmt->index && symbol->kind == kind;
        if (!both_indexed)
            DRY_SAY(elab->diag, stmt->at, DEFINED_TWICE, stmt->name,
                    dry_diag_text(elab->diag, "%d", symbol->at.line));
        else
            add_statement(elab, symbol, stmt);
        return;
    }
    dry_symbol *symbol = DRY_GROW(elab->arena, &elab->names, symbol);
    if (!symbol) return;
    *slot = elab->names.n_symbols - 1;
    symbol->name = stmt->name;
    symbol->kind = kind;
    symbol->at = stmt->at;
    symbol->stmt = stmt;
    symbol->indexed = stmt->index != NULL;
    symbol->refs = -1;
    symbol->n_elements = 1;
    add_statement(elab, symbol, stmt);
}

void dry_lang_collect(dry_elab *elab) {
    int n = elab->tree.n;
    for (elab->names.hash_size = 64; elab->names.hash_size < 4 * n; elab->names.hash_size *= 2) {
    }
    elab->names.hash =
        dry_heap_take(elab->arena, (size_t)elab->names.hash_size, sizeof *elab->names.hash);
    if (!elab->names.hash) return;
    for (int i = 0; i < elab->names.hash_size; i++) elab->names.hash[i] = -1;
    for (int i = 0; i < n; i++) {
        const dry_stmt *stmt = &elab->tree.stmt[i];
        if (defines(stmt))
            define(elab, stmt);
        else if (stmt->kind == DRY_ST_MODEL && i > 0)
            DRY_SAY(elab->diag, stmt->at, MODEL_FIRST, "");
    }
}
