/* hover: what stands at a place: a quantity with unit and value, what was chosen for a force, the
 * meaning of a word of the language. */
#include "lsp_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of a model at its start -------------------------------------------------- */

/* The states and outputs of a model at the start of a run. On the heap; NULL: not known. */
typedef struct start {
    double *x, *y;
} start;

static start start_of(const dry_model *model) {
    const dry_system *s = dry_model_system(model);
    void *work = calloc(1, s->work_size + 1);
    start at = {calloc((size_t)s->n_states + 1, sizeof(double)),
                calloc((size_t)s->n_outputs + 1, sizeof(double))};
    const dry_env env = {.par = s->par, .work = work, .model = s->model};
    if (work && at.x && at.y) {
        if (s->prepare) s->prepare(&env);
        if (s->start) s->start(&env, 0.0, at.x);
    }
    const bool computes = work && at.x && at.y && s->output && !dry_model_inclusion(model);
    if (computes) s->output(&env, 0.0, 0.0, at.x, at.y);
    if (!computes) {
        free(at.y);
        at.y = NULL;
    }
    free(work);
    return at;
}

/* Whether a name of the system is `name` or one of its elements, such as x[2]. */
static bool belongs(const char *own, const char *name) {
    const size_t n = strlen(name);
    return !strncmp(own, name, n) && (!own[n] || own[n] == '[');
}

static void put_unit(const char *unit, FILE *stream) {
    if (unit[0]) fprintf(stream, " [%s]", unit);
}

enum { MOST_VALUES = 9 };

/* "value 1, 2, 3 [m]" of what belongs to the name in a table of quantities. Returns whether there
 * is any. `hides`: the rows are outputs of this model, of which it hides some. */
static bool put_values(const char *what, const char *name, const dry_quantity *rows, int n,
                       const double *values, const dry_model *hides, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    const char *unit = NULL;
    int shown = 0;
    for (int i = 0; i < n; i++) {
        if (!belongs(rows[i].name, name) || (hides && !dry_model_output_shown(hides, i))) continue;
        if (!unit) fprintf(stream, "\n\n%s", values ? what : "unit");
        unit = rows[i].unit;
        if (!values) break;
        dry_number_rounded(values[i], 6, text);
        if (shown < MOST_VALUES) fprintf(stream, "%s %s", shown ? "," : "", text);
        if (shown++ == MOST_VALUES) fputs(", ...", stream);
    }
    if (!unit) return false;
    if (!unit[0]) fputs(values ? "" : " 1 (a pure number, or not known)", stream);
    put_unit(unit, stream);
    return true;
}

/* Returns whether the system has such a number. */
static bool put_numbers(const dry_model *model, const char *name, FILE *stream) {
    const dry_system *s = dry_model_system(model);
    if (put_values("value", name, s->params, s->n_par, s->par, NULL, stream)) return true;
    start at = start_of(model);
    const bool found =
        put_values("at the start", name, s->states, s->n_states, at.x, NULL, stream) ||
        put_values("at the start", name, s->outputs, s->n_outputs, at.y, model, stream);
    free(at.x);
    free(at.y);
    return found;
}

/* ---- forces and parts ----------------------------------------------------------------- */

static void put_number(const char *name, double x, const char *unit, FILE *stream) {
    char text[DRY_NUMBER_SIZE];
    if (isnan(x)) return;
    dry_number_rounded(x, 6, text);
    fprintf(stream, "\n- %s = %s", name, text);
    put_unit(unit, stream);
}

static void put_set(const dry_set_info *set, FILE *stream) {
    fprintf(stream, "\n\n`%s`: %s", set->name, set->law->title);
    if (set->set) fprintf(stream, ", for the set `%s`", set->set->name);
    fputs("\n", stream);
    put_number("K", set->K, set->K_unit, stream);
    put_number("alpha", set->alpha, "s", stream);
    put_number("beta", set->beta, "s", stream);
    put_number("effective mass at the start", set->mass, "", stream);
    put_number("restitution", set->restitution, "", stream);
    fprintf(stream, "\n- parameters: %s", set->chosen);
}

enum { MOST_SETS = 3, MOST_CHOSEN = 12 };

static void put_sets(const dry_model *model, const char *name, FILE *stream) {
    int shown = 0;
    for (int i = 0; i < dry_model_sets(model) && shown <= MOST_SETS; i++) {
        const dry_set_info set = dry_model_set(model, i);
        if (!belongs(set.name, name)) continue;
        if (shown++ < MOST_SETS)
            put_set(&set, stream);
        else
            fputs("\n\n...", stream);
    }
}

static void put_kind(const dry_kind *kind, FILE *stream) {
    fprintf(stream, "**%s** (kind of part): %s\n\n%s\n", kind->name, kind->title, kind->meaning);
    for (int i = 0; i < kind->n_params; i++) {
        const dry_kind_param *p = &kind->params[i];
        fprintf(stream, "\n- `%s`", p->name);
        if (p->unit) put_unit(p->unit, stream);
        fprintf(stream, ": %s%s", p->meaning, p->required ? " (needed)" : "");
    }
}

/* The parameters that the compiler chose for a part and for what belongs to it. */
static void put_chosen(const dry_model *model, const char *name, FILE *stream) {
    const dry_system *s = dry_model_system(model);
    const size_t n = strlen(name);
    int shown = 0;
    for (int i = 0; (i = dry_model_next_chosen(model, i)) >= 0 && shown <= MOST_CHOSEN; i++) {
        const char *own = s->params[i].name;
        if (strncmp(own, name, n) != 0 || !strchr(".[_", own[n])) continue;
        if (!shown) fputs("\n\nchosen from the step and the inertia of its ends:\n", stream);
        if (shown++ < MOST_CHOSEN)
            put_number(own, s->par[i], s->params[i].unit, stream);
        else
            fputs("\n- ...", stream);
    }
}

/* ---- names of the model --------------------------------------------------------------- */

static const char *const symbol_words[] = {
    [DRY_SYM_PARAM] = "parameter", [DRY_SYM_STATE] = "state",       [DRY_SYM_QUANTITY] = "quantity",
    [DRY_SYM_FORCE] = "force",     [DRY_SYM_FUNCTION] = "function", [DRY_SYM_MEASURE] = "measure",
    [DRY_SYM_PART] = "part",       [DRY_SYM_SAMPLE] = "sample",     [DRY_SYM_TABLE] = "table",
    [DRY_SYM_INPUT] = "input"};

/* The unit of a measure; other measures have none before a run. */
static void put_measure(const dry_model *model, const char *name, FILE *stream) {
    for (int i = 0; i < dry_model_measures(model); i++) {
        const dry_measured m = dry_model_measure_at(model, i);
        if (!strcmp(m.name, name) && m.unit[0]) fprintf(stream, "\n\nunit [%s]", m.unit);
    }
}

static void put_details(const dry_model *good, const dry_symbol *symbol, FILE *stream) {
    switch (symbol->kind) {
    case DRY_SYM_PARAM:
    case DRY_SYM_STATE:
    case DRY_SYM_QUANTITY:
    case DRY_SYM_SAMPLE:
    case DRY_SYM_INPUT: put_numbers(good, symbol->name, stream); break;
    case DRY_SYM_FORCE:
        put_numbers(good, symbol->name, stream);
        put_sets(good, symbol->name, stream);
        break;
    case DRY_SYM_PART: put_chosen(good, symbol->name, stream); break;
    case DRY_SYM_MEASURE: put_measure(good, symbol->name, stream); break;
    case DRY_SYM_FUNCTION:
    case DRY_SYM_TABLE: break;
    }
}

static void put_stale(const dry_lsp__document *d, FILE *stream) {
    if (d->good && d->good != d->model)
        fputs("\n\n(of the last text without errors)", stream);
    else if (!d->good)
        fputs("\n\n(the text has errors: nothing more is known)", stream);
}

static void put_symbol(const dry_lsp__document *d, const dry_symbol *symbol, FILE *stream) {
    const char *source = symbol->stmt->source;
    fprintf(stream, "**%s**: %s", symbol->name, symbol_words[symbol->kind]);
    if (source && source[0]) fprintf(stream, "\n\n```drystone\n%.1000s\n```", source);
    if (symbol->kind == DRY_SYM_PART && symbol->stmt->value && symbol->stmt->value->text) {
        const dry_kind *kind = dry_part_kind_find(symbol->stmt->value->text);
        if (kind) fprintf(stream, "\n\n%s: %s", kind->name, kind->title);
    }
    if (d->good) put_details(d->good, symbol, stream);
    put_stale(d, stream);
}

/* The unit of what a part feels, such as spring.p, which is in no record. */
static void put_felt(const dry_model *good, const dry_symbol *owner, const char *member,
                     FILE *stream) {
    dry_net_found spot;
    const int part = dry_lsp__part(good, owner->name);
    if (part >= 0 && dry_net_find_in(dry_model_net(good), part, member, &spot))
        fprintf(stream, "\n\nunit [%s]", spot.unit[0] ? spot.unit : "1");
}

/* ball.v, f.K: a number that belongs to a name. */
static void put_member(const dry_lsp__document *d, const dry_lsp__chain *chain,
                       const dry_symbol *owner, FILE *stream) {
    char name[DRY_LSP_NAME];
    dry_lsp__join(chain, chain->n, name);
    fprintf(stream, "**%s**: of the %s `%s`", name, symbol_words[owner->kind], owner->name);
    if (d->good && !put_numbers(d->good, name, stream))
        put_felt(d->good, owner, name + strlen(owner->name) + 1, stream);
    put_stale(d, stream);
}

/* ---- words of the language ------------------------------------------------------------ */

static void put_law(const dry_law *law, FILE *stream) {
    fprintf(stream, "**%s** (law): %s\n\n```\n%s\n```\n", law->name, law->title, law->equation);
    for (int i = 0; i < law->n_params; i++) {
        fprintf(stream, "\n- `%s`", law->params[i].name);
        put_unit(law->params[i].unit, stream);
        fprintf(stream, ": %s", law->params[i].meaning);
    }
    fprintf(stream, "\n\n%s", law->paper);
}

static bool put_key(const dry_word *row, const char *of, FILE *stream) {
    fprintf(stream, "**%s** (key of `%s`): %s", row->text, of, row->meaning);
    return true;
}

static bool put_key_of_call(const char *call, const char *name, FILE *stream) {
    const dry_law *law = dry_law_find(call);
    const dry_kind *kind = dry_part_kind_find(call);
    for (int i = 0; kind && i < kind->n_params; i++) {
        const dry_kind_param *p = &kind->params[i];
        if (strcmp(p->name, name) != 0) continue;
        fprintf(stream, "**%s** (key of `%s`)", name, call);
        if (p->unit) put_unit(p->unit, stream);
        fprintf(stream, ": %s", p->meaning);
        return true;
    }
    const int row = law ? dry_law_par_find(law, name) : -1;
    if (row < 0) return false;
    fprintf(stream, "**%s** (key of `%s`)", name, call);
    put_unit(law->params[row].unit, stream);
    fprintf(stream, ": %s", law->params[row].meaning);
    return true;
}

/* K in `with K = ...`, until in `run until = ...`, mass in sphere(mass = ...). */
static bool put_if_key(const dry_lsp__document *d, int token, FILE *stream) {
    const dry_token *t = d->model->tokens.token;
    const dry_lsp__context c = dry_lsp__context_at(d, token);
    dry_word row;
    if (!c.at_key || !dry_lsp__is_sign(&t[token + 1], "=")) return false;
    if (c.call) return put_key_of_call(c.call, t[token].text, stream);
    if (!strcmp(t[c.first].text, "run"))
        for (int i = 0; dry_lang_run_key(i, &row); i++)
            if (!strcmp(row.text, t[token].text)) return put_key(&row, "run", stream);
    if (!strcmp(t[c.first].text, "plot"))
        for (int i = 0; dry_lang_plot_key(i, &row); i++)
            if (!strcmp(row.text, t[token].text)) return put_key(&row, "plot", stream);
    const dry_set *set = c.set ? dry_set_find(c.set) : NULL;
    for (int i = 0; set && dry_lang_set_key(set->kind, i, &row); i++)
        if (!strcmp(row.text, t[token].text)) return put_key(&row, set->name, stream);
    return false;
}

/* Returns true if a token can be a kind, law or method: these stand alone. at(x, 5) is
 * the function, and at [0, 1] joins a statement. */
static bool stands_as(const dry_lsp__document *d, int token, dry_lsp_kind kind) {
    const dry_token *t = d->model->tokens.token;
    const dry_lsp__context c = dry_lsp__context_at(d, token);
    const bool part = !strcmp(t[c.first].text, "part");
    if (kind == DRY_LSP_PART) return part && !c.call;
    if (kind == DRY_LSP_METHOD) return c.key && !strcmp(c.key, "method");
    if (kind == DRY_LSP_LAW) return !part;
    if (kind == DRY_LSP_JOINING)
        return t[token].kind == DRY_TOK_KEYWORD || !dry_lsp__is_sign(&t[token + 1], "(");
    return kind != DRY_LSP_KEY && kind != DRY_LSP_UNIT;
}

typedef struct meaning {
    const dry_lsp__document *d;
    int token;
    FILE *stream;
} meaning;

/* Writes the first meaning that the word can have there. */
static bool put_if_meant(const dry_lsp_word *word, void *user) {
    const meaning *m = user;
    const char *text = m->d->model->tokens.token[m->token].text;
    if (strcmp(word->text, text) != 0 || !stands_as(m->d, m->token, word->kind)) return true;
    if (word->kind == DRY_LSP_PART) {
        put_kind(dry_part_kind_find(text), m->stream);
    } else if (word->kind == DRY_LSP_LAW) {
        put_law(dry_law_find(text), m->stream);
    } else {
        fprintf(m->stream, "**%s** (%s): %s", text, dry_lsp_kind_name(word->kind), word->meaning);
        if (word->form[0]) fprintf(m->stream, "\n\n```drystone\n%s\n```", word->form);
    }
    return false;
}

static void put_word(const dry_lsp__document *d, int token, FILE *stream) {
    meaning m = {d, token, stream};
    dry_lsp__each_word(put_if_meant, &m);
}

static bool put_unit_meaning(const char *unit, FILE *stream) {
    char bad[DRY_DIM_TEXT], own[DRY_DIM_TEXT], number[DRY_NUMBER_SIZE];
    double factor;
    dry_dim dim;
    dry_dims none = {0};
    if (!dry_unit_parse(unit, &factor, &dim, bad)) return false;
    dry_number_rounded(factor, 9, number);
    const char *si = dry_dim_text(&none, dim, own);
    fprintf(stream, "1 [%s] = %s [%s]", unit, number, si[0] ? si : "1");
    return true;
}

/* ---- the whole ------------------------------------------------------------------------ */

/* hinge in part hinge = hinge(): a part may have the name of its kind, and a force that of its law.
 * Only functions and tables of the model are called by their names. */
static bool is_call_of_word(const dry_lsp__document *d, int token, const dry_symbol *symbol) {
    const bool called = dry_lsp__is_sign(&d->model->tokens.token[token + 1], "(");
    return called &&
           !(symbol && (symbol->kind == DRY_SYM_FUNCTION || symbol->kind == DRY_SYM_TABLE));
}

static void put_name(const dry_lsp__document *d, int token, FILE *stream) {
    const dry_lsp__chain chain = dry_lsp__chain_at(d, token);
    const int local = dry_lsp__local(d, token);
    int n;
    if (local >= 0) {
        const bool index = local > 0 && !strcmp(d->model->tokens.token[local - 1].text, "for");
        fprintf(stream, "**%s**: %s", chain.part[0],
                index ? "the index of this loop" : "an argument of this function");
        return;
    }
    if (put_if_key(d, token, stream)) return;
    const dry_symbol *symbol = dry_lsp__symbol(d->model, &chain, &n);
    if (chain.n == 1 && is_call_of_word(d, token, symbol))
        put_word(d, token, stream);
    else if (symbol && n == chain.n)
        put_symbol(d, symbol, stream);
    else if (symbol)
        put_member(d, &chain, symbol, stream);
    else if (chain.n == 1)
        put_word(d, token, stream);
}

void dry_lsp__hover_text(const dry_lsp__document *d, int token, FILE *stream) {
    const dry_token *t = &d->model->tokens.token[token];
    if (t->kind == DRY_TOK_NAME)
        put_name(d, token, stream);
    else if (t->kind == DRY_TOK_KEYWORD)
        put_word(d, token, stream);
    else if (t->kind == DRY_TOK_UNIT)
        put_unit_meaning(t->text, stream);
}

void dry_lsp__hover(const dry_lsp__document *d, size_t offset, FILE *stream) {
    const int token = dry_lsp__token_at(d, offset);
    dry_lsp__message text;
    if (token < 0 || !dry_lsp__begin(&text)) {
        fputs("null", stream);
        return;
    }
    dry_lsp__hover_text(d, token, text.stream);
    if (!dry_text_close(text.stream, &text.text) || !text.length) {
        fputs("null", stream);
    } else {
        fputs("{\"contents\":{\"kind\":\"markdown\",\"value\":", stream);
        dry_lsp__json_put_n(stream, text.text, text.length);
        fputs("},\"range\":", stream);
        dry_lsp__put_range(&d->text, dry_lsp__from(d, token), dry_lsp__to(d, token), stream);
        putc('}', stream);
    }
    free(text.text);
}
