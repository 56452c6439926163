/* friction_text: where the text has a friction force, its law and its keys, so that another law can
 * be written in their place. */
#include "model_private.h"

#include <math.h>
#include <string.h>

/* ---- tokens -------------------------------------------------------------------------------- */

const dry_token *dry_model__token(const dry_model *model, dry_place at) {
    for (int i = 0; at.file == 0 && i < model->tokens.n; i++) {
        const dry_token *token = &model->tokens.token[i];
        if (token->at.line == at.line && token->at.column == at.column) return token;
    }
    return NULL;
}

static bool is_sign(const dry_token *token, const char *signs) {
    if (token->kind != DRY_TOK_SIGN || token->text[1]) return false;
    while (*signs && *signs != token->text[0]) signs++;
    return *signs;
}

static bool is_end(const dry_token *token) {
    return token->kind == DRY_TOK_NEWLINE || token->kind == DRY_TOK_END;
}

static bool is_word(const dry_token *token, const char *word) {
    return token->kind == DRY_TOK_KEYWORD && !strcmp(token->text, word);
}

/* The next closing bracket, comma or end of the statement outside of brackets; `stops`: of these
 * signs. */
static const dry_token *skip_to(const dry_token *token, const char *stops) {
    int depth = 0;
    for (; !is_end(token); token++) {
        if (depth == 0 && (is_sign(token, stops) || is_word(token, "for"))) break;
        depth += is_sign(token, "([") - is_sign(token, ")]");
    }
    return token;
}

const dry_token *dry_model__end_of_item(const dry_token *token) { return skip_to(token, ",)]"); }

const dry_token *dry_model__end_of_expression(const dry_token *token) {
    const dry_token *end = dry_model__end_of_item(token);
    int depth = 0;
    for (; token < end && (depth > 0 || !is_word(token, "in")); token++)
        depth += is_sign(token, "([") - is_sign(token, ")]");
    return token;
}

const dry_token *dry_model__begin_of_expression(const dry_model *model, const dry_token *token) {
    int depth = 0;
    for (; token > model->tokens.token; token--) {
        if (is_end(token - 1) || (depth == 0 && is_sign(token - 1, "=,(["))) break;
        depth += is_sign(token - 1, ")]") - is_sign(token - 1, "([");
    }
    return token;
}

static dry_text_span between(const dry_model *model, const dry_token *from, const dry_token *to) {
    const size_t end = (size_t)(to[-1].to - model->text);
    return (dry_text_span){from == to ? end : (size_t)(from->from - model->text), end};
}

/* ---- which forces -------------------------------------------------------------------------- */

/* The index-th statement of a friction force, by its first force. */
static const dry_force *find_force(const dry_model *model, int index) {
    const dry_quantities *all = &model->elab.quantities;
    const dry_stmt *last = NULL;
    for (int i = 0; i < all->n_forces; i++) {
        const dry_force *force = &all->force[i];
        if (force->law->kind != DRY_FRICTION || force->stmt == last) continue;
        last = force->stmt;
        if (index-- == 0) return force;
    }
    return NULL;
}

int dry_model_frictions(const dry_model *model) {
    int n = 0;
    while (find_force(model, n)) n++;
    return n;
}

/* ---- its law and its keys -------------------------------------------------------------------- */

/* The call after `law =`, or that of the element; NULL: none. */
static const dry_expr *call_of(const dry_force *force) {
    if (!force->set) return force->stmt->value;
    const dry_stmt *stmt = force->stmt;
    for (int i = 0; i < stmt->n_keys; i++)
        if (!strcmp(stmt->key[i].name, "law")) return stmt->key[i].value;
    return NULL;
}

static bool take_key(const dry_model *model, const dry_key *key, dry_friction_key *to) {
    const dry_token *name = dry_model__token(model, key->at);
    if (!name) return false;
    *to = (dry_friction_key){.name = key->name,
                             .value = between(model, name + 2, skip_to(name + 2, ",)")),
                             .free = dry_model__reads_freed(model, key->value)};
    return true;
}

static bool take_keys(const dry_model *model, const dry_force *force, dry_arena *arena,
                      dry_friction_text *to) {
    const dry_stmt *stmt = force->stmt;
    const dry_expr *call = call_of(force);
    const int n = stmt->n_keys + (call ? call->n_keys : 0);
    dry_friction_key *keys = dry_arena_take(arena, sizeof *keys * (size_t)(n + 1));
    if (!keys) return false;
    for (int i = 0; i < stmt->n_keys; i++)
        if (strcmp(stmt->key[i].name, "law") != 0)
            to->n_keys += take_key(model, &stmt->key[i], &keys[to->n_keys]);
    for (int i = 0; call && i < call->n_keys; i++)
        to->n_keys += take_key(model, &call->key[i], &keys[to->n_keys]);
    to->keys = keys;
    return true;
}

/* From `with`, or where it would be, to the end; the call of an element. */
static void take_spans(const dry_model *model, const dry_force *force, dry_friction_text *to) {
    const dry_stmt *stmt = force->stmt;
    const dry_expr *call = force->set ? dry_lang_set_of(stmt->value) : stmt->value;
    const dry_token *name = dry_model__token(model, stmt->at);
    const dry_token *called = dry_model__token(model, call->at);
    if (!name || !called) return;
    const dry_token *open = called + 1, *close = skip_to(open + 1, ")");
    const dry_token *loop = skip_to(name, ""), *end = loop;
    while (!is_end(end)) end++;
    to->whole = between(model, name, end);
    to->loop = between(model, loop, end);
    to->index =
        between(model, name + 1, is_sign(name + 1, "[") ? skip_to(name + 2, "]") + 1 : name + 1);
    to->argument = between(model, open + 1, skip_to(open + 1, ",)"));
    to->law_at = between(model, called, close + 1);
    if (force->set) {
        const dry_token *with = loop;
        if (stmt->n_keys > 0) with = dry_model__token(model, stmt->key[0].at) - 1;
        to->law_at = (dry_text_span){(size_t)(with[-1].to - model->text),
                                     (size_t)(loop[-1].to - model->text)};
    }
    to->is_here = true;
}

/* ---- its numbers ----------------------------------------------------------------------------- */

static double value_of(const dry_elab *elab, dry_node node) {
    if (dry_dag_depends(elab->dag, node) & ~(unsigned)DRY_ON_PAR) return (double)NAN;
    return dry_dag_value(elab->dag, node, elab->quantities.par_value, 0.0, NULL, NULL, 0);
}

static bool take_values(const dry_model *model, const dry_force *force, dry_arena *arena,
                        dry_friction_text *to) {
    double *par = dry_arena_take(arena, sizeof *par * (size_t)(force->n_par + 1));
    if (!par) return false;
    for (int i = 0; i < force->n_par; i++) par[i] = value_of(&model->elab, force->par[i]);
    const int level = dry_law_level(force->law);
    to->par = par;
    to->level = force->set   ? value_of(&model->elab, force->chi)
                : level >= 0 ? par[dry_law_par_offset(force->law, level, force->elements)]
                             : (double)NAN;
    return true;
}

dry_status dry_model_friction(const dry_model *model, int index, dry_arena *arena,
                              dry_friction_text *to) {
    const dry_force *force = find_force(model, index);
    *to = (dry_friction_text){0};
    if (!force) return DRY_BAD_ARGUMENT;
    *to = (dry_friction_text){.name = force->stmt->name,
                              .law = force->law,
                              .set = force->set,
                              .plain = dry_lang_is_plain(force),
                              .dim = force->dim,
                              .elements = force->elements};
    take_spans(model, force, to);
    if (!take_values(model, force, arena, to) || !take_keys(model, force, arena, to))
        return DRY_NO_MEMORY;
    return DRY_OK;
}

const char *dry_model_friction_unit(const dry_model *model, int index, const char *unit, char *text,
                                    size_t size) {
    const dry_force *force = find_force(model, index);
    char here[DRY_DIM_TEXT], usual[DRY_DIM_TEXT], bad[DRY_DIM_TEXT];
    double factor;
    dry_dim dim;
    text[0] = '\0';
    if (!force || !dry_unit_parse(unit, &factor, &dim, bad)) return text;
    dry_dims *dims = model->elab.dims;
    (void)dry_dim_text(dims, dry_lang_law_dim(dims, force, unit), here);
    (void)dry_dim_text(dims, dim, usual);
    const char *found = strcmp(here, usual) != 0 ? here : unit; /* N/s rather than m kg/s^3 */
    if (strlen(found) < size) strcpy(text, found);
    return text;
}

bool dry_model_has_name(const dry_model *model, const char *name) {
    return dry_lang_is_reserved(name) || dry_lang_find(&model->elab, name) != NULL;
}
