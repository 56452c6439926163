/* parse_plot: the grammar of `plot`. The words `as`, `beside`, `shade` and `within` have their
 * meaning only here, so that a model may use them as names. */
#include "parse_private.h"

#include <string.h>

/* What has been read of the statement. */
typedef struct reader {
    dry_parser *ps;
    dry_parse_list curves, shades;
    int open; /* the first curve whose abscissa is not known yet */
    bool beside;
    dry_plot_expr plot;
} reader;

static bool goes_on_as_unit(const dry_token *sign) {
    return sign->kind == DRY_TOK_SIGN && strchr("*/^", sign->text[0]) &&
           (sign[1].kind == DRY_TOK_NAME || sign[1].kind == DRY_TOK_NUMBER);
}

/* unit = ( NAME | NUMBER ) { ( "*" | "/" | "^" ) ( NAME | NUMBER ) } | "[" unit "]" */
static dry_unit_expr unit(dry_parser *ps) {
    const dry_token *from = ps->token;
    const dry_place at = from->at;
    const char *bracketed = dry_syntax__list_unit(ps);
    if (bracketed) return (dry_unit_expr){bracketed, at};
    if (from->kind != DRY_TOK_NAME && from->kind != DRY_TOK_NUMBER) {
        dry_syntax__expected(ps, "a unit, as in `in um` or `in N/m`");
        return (dry_unit_expr){0};
    }
    while (goes_on_as_unit(ps->token + 1)) ps->token += 2;
    dry_syntax__advance(ps);
    return (dry_unit_expr){dry_syntax__source(ps, from, ps->token - 1), at};
}

static const char *label(dry_parser *ps) {
    if (ps->token->kind != DRY_TOK_STRING) {
        dry_syntax__expected(ps, "a text in quotes after `as`");
        return "";
    }
    dry_syntax__advance(ps);
    return ps->token[-1].text;
}

/* Gives the curves that have no abscissa yet this one. */
static void give_abscissa(reader *r, const dry_expr *x, dry_unit_expr x_unit) {
    dry_curve_expr *curve = (dry_curve_expr *)(void *)r->curves.item;
    for (; r->open < r->curves.n; r->open++) {
        curve[r->open].x = x;
        curve[r->open].x_unit = x_unit;
    }
}

/* An abscissa holds for the curves before it that have none. */
static void against(reader *r) {
    const dry_expr *x = dry_syntax__expression(r->ps);
    const dry_unit_expr x_unit = dry_syntax__accept(r->ps, "in") ? unit(r->ps) : (dry_unit_expr){0};
    give_abscissa(r, x, x_unit);
}

/* The last abscissa also holds for the curves after it. */
static void spread_last(reader *r) {
    const dry_curve_expr *curve = (const dry_curve_expr *)(void *)r->curves.item;
    if (r->open > 0) give_abscissa(r, curve[r->open - 1].x, curve[r->open - 1].x_unit);
}

/* curve = expression [ "in" unit ] [ "as" STRING ] [ "against" expression [ "in" unit ] ] */
static void curve(reader *r) {
    dry_parser *ps = r->ps;
    dry_curve_expr item = {.value = dry_syntax__expression(ps), .beside = r->beside};
    if (dry_syntax__accept(ps, "in")) item.unit = unit(ps);
    if (dry_syntax__accept_name(ps, "as")) item.label = label(ps);
    if (r->curves.n == DRY_MOST_KEYS) DRY_PARSE_FAIL(ps, item.value->at, TOO_DEEP, "");
    dry_curve_expr *slot = ps->failed ? NULL : dry_syntax__push(ps, &r->curves, sizeof *slot);
    if (slot) *slot = item;
    if (dry_syntax__accept(ps, "against")) against(r);
}

static void curves(reader *r) {
    do curve(r);
    while (!r->ps->failed && dry_syntax__accept(r->ps, ","));
}

static void shades(reader *r) {
    do {
        const dry_expr *condition = dry_syntax__expression(r->ps);
        const dry_expr **slot = dry_syntax__push(r->ps, &r->shades, sizeof *slot);
        if (slot) *slot = condition;
    } while (!r->ps->failed && dry_syntax__accept(r->ps, ","));
}

static void span(reader *r, dry_span_expr *to, const char *word) {
    if (to->from) DRY_PARSE_FAIL(r->ps, r->ps->token[-1].at, PLOT_TWICE, word);
    to->from = dry_syntax__expression(r->ps);
    dry_syntax__need(r->ps, "to");
    to->to = dry_syntax__expression(r->ps);
}

static void second_ordinate(reader *r) {
    if (r->beside) DRY_PARSE_FAIL(r->ps, r->ps->token[-1].at, PLOT_TWICE, "beside");
    r->beside = true;
    curves(r);
}

/* Reads one of the clauses that follow the first curves; returns false if none follows. */
static bool clause(reader *r) {
    if (dry_syntax__accept_name(r->ps, "beside"))
        second_ordinate(r);
    else if (dry_syntax__accept_name(r->ps, "shade"))
        shades(r);
    else if (dry_syntax__accept(r->ps, "from"))
        span(r, &r->plot.x, "from");
    else if (dry_syntax__accept_name(r->ps, "within"))
        span(r, r->beside ? &r->plot.beside : &r->plot.y, "within");
    else
        return false;
    return true;
}

/* plot = "plot" curve { "," curve } { "beside" curve { "," curve } | "shade" expressions
 *      | "from" expression "to" expression | "within" expression "to" expression } [ "with" keys ]
 */
void dry_syntax__plot(dry_parser *ps) {
    dry_stmt stmt = {.kind = DRY_ST_PLOT, .at = ps->token[-1].at};
    reader r = {.ps = ps};
    curves(&r);
    while (!ps->failed && clause(&r)) {
    }
    spread_last(&r);
    if (dry_syntax__accept(ps, "with")) dry_syntax__key_list(ps, &stmt);
    r.plot.curve = (const dry_curve_expr *)(void *)r.curves.item;
    r.plot.n_curves = r.curves.n;
    r.plot.shade = (const dry_expr **)(void *)r.shades.item;
    r.plot.n_shades = r.shades.n;
    dry_plot_expr *kept = dry_arena_take(ps->diag->arena, sizeof *kept);
    if (kept) *kept = r.plot;
    stmt.plot = kept;
    if (kept) dry_syntax__add(ps, stmt);
}
