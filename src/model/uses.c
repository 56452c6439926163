/* uses: which parameters the equations read, and where the text frees the others. */
#include "model_private.h"

#include <string.h>

/* ---- who reads a name ---------------------------------------------------------------------- */

static bool in_expr(const dry_expr *expr, const char *name) {
    if (!expr) return false;
    if (expr->text && expr->kind != DRY_EX_TEXT && !strcmp(expr->text, name)) return true;
    bool found = in_expr(expr->from, name) || in_expr(expr->to, name);
    for (int i = 0; !found && i < expr->n_args; i++) found = in_expr(expr->arg[i], name);
    for (int i = 0; !found && i < expr->n_keys; i++) found = in_expr(expr->key[i].value, name);
    return found;
}

static bool in_span(const dry_span_expr *span, const char *name) {
    return in_expr(span->from, name) || in_expr(span->to, name);
}

static bool in_plot(const dry_plot_expr *plot, const char *name) {
    if (!plot) return false;
    bool found = in_span(&plot->x, name) || in_span(&plot->y, name) || in_span(&plot->beside, name);
    for (int i = 0; !found && i < plot->n_curves; i++)
        found = in_expr(plot->curve[i].value, name) || in_expr(plot->curve[i].x, name);
    for (int i = 0; !found && i < plot->n_shades; i++) found = in_expr(plot->shade[i], name);
    return found;
}

static bool in_end(const dry_end_expr *end, const char *name) {
    return in_expr(end->port, name) || in_expr(end->at, name) || in_expr(end->axes, name) ||
           in_expr(end->normal, name);
}

static bool in_stmt(const dry_stmt *stmt, const char *name) {
    const dry_expr *const all[] = {stmt->size,      stmt->index, stmt->factor, stmt->value,
                                   stmt->target,    stmt->every, stmt->from,   stmt->first,
                                   stmt->tolerance, stmt->last};
    bool found = in_span(&stmt->range, name) || in_plot(stmt->plot, name);
    for (size_t i = 0; !found && i < sizeof all / sizeof *all; i++) found = in_expr(all[i], name);
    for (int i = 0; !found && i < stmt->n_keys; i++) found = in_expr(stmt->key[i].value, name);
    for (int i = 0; !found && i < stmt->n_ends; i++) found = in_end(&stmt->end[i], name);
    for (int i = 0; !found && stmt->data && i < stmt->data->n_axes; i++)
        found = in_expr(stmt->data->axis[i], name);
    return found;
}

/* Through parameters that others read; `deep` bounds the search, as there are so many of them. */
static bool reads(const dry_elab *elab, const char *name, int deep) {
    for (int i = 0; i < elab->tree.n; i++) {
        const dry_stmt *stmt = &elab->tree.stmt[i];
        const bool own = stmt->kind == DRY_ST_PARAM && !strcmp(stmt->name, name);
        if (own || stmt->kind == DRY_ST_FREE || !in_stmt(stmt, name)) continue;
        if (stmt->kind != DRY_ST_PARAM || (deep > 0 && reads(elab, stmt->name, deep - 1)))
            return true;
    }
    return false;
}

enum { DEEP = 8 };

bool dry_model_freed_read(const dry_model *model, int index) {
    const dry_freed_info *freed = &model->elab.results.freed[index];
    if (!(freed->how & DRY_FREE_START))
        return !freed->base || reads(&model->elab, freed->base, DEEP);
    for (int i = 0; i < model->system.n_states; i++)
        if (!strcmp(model->system.states[i].name, freed->name)) return true;
    return false;
}

static bool reads_freed(const dry_elab *elab, const dry_expr *expr, int deep) {
    for (int i = 0; i < elab->results.n_freeds; i++) {
        const dry_freed_info *freed = &elab->results.freed[i];
        const bool param = freed->base && !(freed->how & DRY_FREE_START);
        if (param && in_expr(expr, freed->base)) return true;
    }
    for (int i = 0; deep > 0 && i < elab->tree.n; i++) {
        const dry_stmt *stmt = &elab->tree.stmt[i];
        if (stmt->kind == DRY_ST_PARAM && in_expr(expr, stmt->name) &&
            reads_freed(elab, stmt->value, deep - 1))
            return true;
    }
    return false;
}

bool dry_model__reads_freed(const dry_model *model, const dry_expr *expr) {
    return reads_freed(&model->elab, expr, DEEP);
}

/* ---- where the text frees it ----------------------------------------------------------------- */

/* The tokens of an item of a statement `free`: from `first` to before `end`; `begin` is the word
 * `free`. */
typedef struct item {
    const dry_token *begin, *first, *end;
} item;

static bool find_item(const dry_model *model, int index, item *found) {
    const dry_freed_info *freed = &model->elab.results.freed[index];
    const dry_token *token = dry_model__token(model, freed->at);
    if (!token || token == model->tokens.token) return false;
    found->first = token - (freed->how & DRY_FREE_START ? 1 : 0);
    found->end = dry_model__end_of_item(token);
    found->begin = found->first;
    while (found->begin > model->tokens.token && found->begin[-1].kind != DRY_TOK_NEWLINE)
        found->begin--;
    return true;
}

static dry_text_span span_of(const dry_model *model, const char *from, const char *to) {
    return (dry_text_span){(size_t)(from - model->text), (size_t)(to - model->text)};
}

/* Whether one of the same statement stays, of all or of those before it. */
static bool one_stays(const dry_model *model, const bool *drop, const item *of, int n) {
    item other;
    for (int i = 0; i < n; i++)
        if (!drop[i] && find_item(model, i, &other) && other.begin == of->begin) return true;
    return false;
}

int dry_model_freed_cuts(const dry_model *model, const bool *drop, dry_text_span *cuts) {
    const int n = model->elab.results.n_freeds;
    int n_cuts = 0;
    item one;
    for (int i = 0; i < n; i++) {
        if (!drop[i] || !find_item(model, i, &one)) continue;
        const dry_token *end = one.end;
        while (end->kind != DRY_TOK_NEWLINE && end->kind != DRY_TOK_END) end++;
        dry_text_span cut = span_of(model, one.begin->from, end[-1].to);
        if (one_stays(model, drop, &one, i))
            cut = span_of(model, one.first[-2].to, one.end[-1].to);
        else if (one_stays(model, drop, &one, n))
            cut = span_of(model, one.first->from, one.end[1].from);
        if (!n_cuts || cuts[n_cuts - 1].from != cut.from) cuts[n_cuts++] = cut;
    }
    return n_cuts;
}
