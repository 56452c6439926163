/* words: the words of the language, from the tables that give them their meaning. */
#include "lsp_private.h"

static bool syntax_word(int index, dry_lsp_word *word) {
    const dry_word *row = dry_syntax_word(index);
    if (!row) return false;
    *word = (dry_lsp_word){row->starts ? DRY_LSP_STATEMENT : DRY_LSP_JOINING, row->text, row->form,
                           row->meaning, row->reserved};
    return true;
}

static bool constant(int index, dry_lsp_word *word) {
    static const char *const rows[][2] = {{"t", "the time, s"},
                                          {"pi", "3.14159..."},
                                          {"inf", "infinity"},
                                          {"world", "what does not move, in `connect`"}};
    if (index >= (int)(sizeof rows / sizeof *rows)) return false;
    *word = (dry_lsp_word){DRY_LSP_CONSTANT, rows[index][0], "", rows[index][1], true};
    return true;
}

static bool function(int index, dry_lsp_word *word) {
    dry_word row;
    if (!dry_lang_function(index, &row)) return false;
    const bool is_set = dry_set_find(row.text) != NULL;
    *word = (dry_lsp_word){is_set ? DRY_LSP_SET : DRY_LSP_FUNCTION, row.text, row.form, row.meaning,
                           dry_lang_is_reserved(row.text)};
    return true;
}

static bool law(int index, dry_lsp_word *word) {
    if (index >= dry_law_count()) return false;
    const dry_law *row = dry_law_at(index);
    *word = (dry_lsp_word){DRY_LSP_LAW, row->name, "", row->title, false};
    return true;
}

static bool part(int index, dry_lsp_word *word) {
    if (index >= dry_part_kind_count()) return false;
    const dry_kind *row = dry_part_kind_at(index);
    *word = (dry_lsp_word){DRY_LSP_PART, row->name, "", row->title, false};
    return true;
}

static bool method(int index, dry_lsp_word *word) {
    if (index >= dry_model_method_count()) return false;
    const dry_method *row = dry_model_method_at(index);
    *word = (dry_lsp_word){DRY_LSP_METHOD, row->name, "", row->title, false};
    return true;
}

static bool key(bool found, const dry_word *row, dry_lsp_word *word) {
    if (found) *word = (dry_lsp_word){DRY_LSP_KEY, row->text, row->form, row->meaning, false};
    return found;
}

static bool run_key(int index, dry_lsp_word *word) {
    dry_word row;
    return key(dry_lang_run_key(index, &row), &row, word);
}

static bool plot_key(int index, dry_lsp_word *word) {
    dry_word row;
    return key(dry_lang_plot_key(index, &row), &row, word);
}

static bool friction_key(int index, dry_lsp_word *word) {
    dry_word row;
    return key(dry_lang_set_key(DRY_SET_OF_FORCES, index, &row), &row, word);
}

static bool contact_key(int index, dry_lsp_word *word) {
    dry_word row;
    return key(dry_lang_set_key(DRY_SET_OF_POSITIONS, index, &row), &row, word);
}

static bool unit(int index, dry_lsp_word *word) {
    const char *name = dry_unit_name(index);
    if (!name) return false;
    *word = (dry_lsp_word){DRY_LSP_UNIT, name, "", "a unit", false};
    return true;
}

void dry_lsp__each_word(dry_lsp__word_fn *each, void *user) {
    static bool (*const tables[])(int, dry_lsp_word *) = {
        syntax_word, constant, function,     law,         part, method,
        run_key,     plot_key, friction_key, contact_key, unit};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        dry_lsp_word word;
        for (int n = 0; tables[i](n, &word); n++)
            if (!each(&word, user)) return;
    }
}

typedef struct wanted {
    int left; /* words before the one that is wanted */
    dry_lsp_word *word;
    bool found;
} wanted;

static bool take_wanted(const dry_lsp_word *word, void *user) {
    wanted *w = user;
    w->found = w->left-- == 0;
    if (w->found) *w->word = *word;
    return !w->found;
}

bool dry_lsp_word_at(int index, dry_lsp_word *word) {
    wanted w = {index, word, false};
    if (index >= 0) dry_lsp__each_word(take_wanted, &w);
    return w.found;
}

const char *dry_lsp_kind_name(dry_lsp_kind kind) {
    static const char *const names[] = {"statement", "joining", "constant", "function", "set",
                                        "law",       "part",    "method",   "key",      "unit"};
    return kind < DRY_LSP_N_KINDS ? names[kind] : "";
}
