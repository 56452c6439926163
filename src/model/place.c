/* place: where the text has the number of a parameter or of the start of a state. */
#include "model_private.h"

#include <stdlib.h>
#include <string.h>

/* ---- from names to expressions -------------------------------------------------------------- */

/* Reads the "2" or "1,2" of "x[2]", "A[1,2]"; how many there are, 0: none. */
static int read_indices(const char *name, long index[2]) {
    const char *at = strchr(name, '[');
    int n = 0;
    while (at && n < 2) {
        char *end;
        index[n++] = strtol(at + 1, &end, 10);
        at = *end == ',' ? end : NULL;
    }
    return n;
}

static const dry_expr *entry_of(const dry_expr *value, const char *name) {
    long index[2];
    const int n = read_indices(name, index);
    for (int i = 0; i < n; i++) {
        if (value->kind != DRY_EX_VECTOR || index[i] < 1 || index[i] > value->n_args) return NULL;
        value = value->arg[index[i] - 1];
    }
    return value;
}

static const dry_symbol *find_base(const dry_model *model, const char *name, size_t length) {
    const dry_elab *elab = &model->elab;
    for (int i = 0; i < elab->names.n_symbols; i++)
        if (!strncmp(elab->names.symbol[i].name, name, length) &&
            !elab->names.symbol[i].name[length])
            return &elab->names.symbol[i];
    return NULL;
}

/* K of pin.K in `part pin = spring(K = 2 [N/m])`. */
static const dry_expr *key_of(const dry_model *model, const char *name) {
    const char *dot = strchr(name, '.');
    const dry_symbol *part = dot ? find_base(model, name, (size_t)(dot - name)) : NULL;
    if (!part || part->kind != DRY_SYM_PART || part->stmt->value->kind != DRY_EX_CALL) return NULL;
    const dry_expr *call = part->stmt->value;
    const size_t length = strcspn(dot + 1, "[");
    for (int i = 0; i < call->n_keys; i++)
        if (!strncmp(call->key[i].name, dot + 1, length) && !call->key[i].name[length])
            return entry_of(call->key[i].value, dot + 1);
    return NULL;
}

/* What `init` gives a state in place of its definition; NULL if it gives elements one by one. */
static const dry_expr *start_of(const dry_model *model, const dry_symbol *state) {
    const dry_expr *value = state->stmt->value;
    for (int i = 0; i < model->elab.tree.n; i++) {
        const dry_stmt *stmt = &model->elab.tree.stmt[i];
        if (stmt->kind != DRY_ST_INIT || stmt->target || strcmp(stmt->name, state->name) != 0)
            continue;
        if (stmt->index || stmt->loop) return NULL;
        value = stmt->value;
    }
    return value;
}

static const dry_expr *find_value(const dry_model *model, const char *name, bool start) {
    const dry_symbol *symbol = find_base(model, name, strcspn(name, "["));
    const dry_symbol_kind kind = start ? DRY_SYM_STATE : DRY_SYM_PARAM;
    if (!symbol || symbol->kind != kind) return start ? NULL : key_of(model, name);
    const dry_expr *value = start ? start_of(model, symbol) : symbol->stmt->value;
    return value ? entry_of(value, name) : NULL;
}

/* ---- from expressions to bytes ----------------------------------------------------------------
 */

/* The byte at a place, whose column counts characters. */
static const char *byte_at(const dry_model *model, dry_place at) {
    const char *text = model->text, *end = text + model->length;
    for (int line = 1; line < at.line && text; line++) {
        text = memchr(text, '\n', (size_t)(end - text));
        if (text) text++;
    }
    for (int column = 1; text && text < end && column < at.column; text++)
        column += ((unsigned char)text[1] & 0xc0) != 0x80;
    return text;
}

static bool place_number(const dry_model *model, const dry_expr *value, const dry_expr *number,
                         dry_text_place *place) {
    dry_dim dim;
    char bad[DRY_DIM_TEXT];
    double read;
    const char *end, *from = byte_at(model, value->at), *at = byte_at(model, number->at);
    if (!from || !at || !dry_number_parse(at, &end, &read) || read != number->value) return false;
    if (number->unit && !dry_unit_parse(number->unit, &place->factor, &dim, bad)) return false;
    place->offset = (size_t)(from - model->text);
    place->length = (size_t)(end - from);
    return true;
}

/* Not of an element, whose list may have a unit for all, and on one line, so that it fits a comment
 * there. */
static bool place_expression(const dry_model *model, const dry_expr *value, const char *name,
                             dry_text_place *place) {
    const dry_token *token = dry_model__token(model, value->at);
    long index[2];
    if (!token || read_indices(name, index) > 0) return false;
    const dry_token *from = dry_model__begin_of_expression(model, token);
    const dry_token *end = dry_model__end_of_expression(token);
    if (from >= end || from->at.line != end[-1].at.line) return false;
    place->is_expression = true;
    place->offset = (size_t)(from->from - model->text);
    place->length = (size_t)(end[-1].to - from->from);
    return true;
}

bool dry_model_place(const dry_model *model, const char *name, bool start, dry_text_place *place) {
    const dry_expr *value = find_value(model, name, start), *number = value;
    *place = (dry_text_place){.factor = 1.0};
    if (value && value->kind == DRY_EX_UNARY && value->text[0] == '-') number = value->arg[0];
    if (!number || value->at.file || number->at.file) return false;
    return number->kind == DRY_EX_NUMBER ? place_number(model, value, number, place)
                                         : place_expression(model, value, name, place);
}
