/* plots: the panels that the text asks for: columns of curves and of shaded conditions, in the
 * units that the text names, and the axes. */
#include "lang_private.h"

#include <math.h>
#include <string.h>

/* The unit and the dimension of a curve. */
typedef struct scale {
    dry_dim dim;
    double factor; /* SI per unit */
    const char *unit;
} scale;

/* Those along one axis. The first is that of its range. */
typedef struct scales {
    scale of[DRY_PLOT_MOST];
    int n;
} scales;

typedef struct panel {
    dry_elab *elab;
    dry_plot_info info;
    scales x, y, beside;
    bool other; /* a curve has another abscissa than the time */
} panel;

/* ---- units ------------------------------------------------------------------------- */

/* What the text has after `in`; the unit of the dimension if it has none. Returns false after a
 * fault. */
static bool read_scale(dry_elab *elab, dry_unit_expr unit, dry_dim dim, scale *s) {
    dry_dim named;
    char bad[DRY_DIM_TEXT];
    *s = (scale){.dim = dim, .factor = 1.0};
    if (!unit.text) return true;
    if (!dry_unit_parse(unit.text, &s->factor, &named, bad)) {
        DRY_SAY(elab->diag, unit.at, UNKNOWN_UNIT, bad, dry_unit_names());
        return false;
    }
    s->unit = unit.text;
    return dry_lang__same_dim(elab, unit.at, "curve and its unit", dim, named);
}

static const char *unit_name(dry_elab *elab, const scale *s) {
    char text[DRY_DIM_TEXT];
    if (s->unit) return s->unit;
    dry_dim_text(elab->dims, s->dim, text);
    return *text ? dry_diag_text(elab->diag, "%s", text) : "a number without a unit";
}

static bool same_dimension(dry_elab *elab, dry_dim a, dry_dim b) {
    char one[DRY_DIM_TEXT], other[DRY_DIM_TEXT];
    dry_dim_text(elab->dims, a, one);
    dry_dim_text(elab->dims, b, other);
    return dry_dim_is_known(elab->dims, a) && dry_dim_is_known(elab->dims, b) &&
           !strcmp(one, other);
}

/* An axis with one dimension has one unit. An ordinate may have several dimensions, each of which
 * the legend shows. */
static bool add_scale(dry_elab *elab, dry_place at, scales *axis, const scale *s) {
    for (int i = 0; i < axis->n; i++) {
        const scale *other = &axis->of[i];
        if (!same_dimension(elab, other->dim, s->dim) || other->factor == s->factor) continue;
        DRY_SAY(elab->diag, at, UNITS_OF_AXIS, unit_name(elab, other), unit_name(elab, s));
        return false;
    }
    if (axis->n < DRY_PLOT_MOST) axis->of[axis->n++] = *s;
    return true;
}

/* ---- columns ----------------------------------------------------------------------- */

/* Returns the name of entry k of a value, for a legend. */
static const char *entry_name(dry_elab *elab, const dry_expr *expr, const dry_term *v, int k) {
    const char *name = dry_lang__text_of(elab, expr);
    const bool plain = expr->kind == DRY_EX_NAME || (expr->kind == DRY_EX_MEMBER && !expr->n_args);
    return plain && v->rank ? dry_diag_text(elab->diag, "%s[%d]", name, k + 1) : name;
}

/* Whether the text names this state: another name of it, such as `height = x`, has a title, and
 * maybe a dimension, of its own. */
static bool names_state(const dry_elab *elab, dry_node_view view, const char *name) {
    return view.op == DRY_OP_STATE && !strcmp(elab->quantities.state[view.index].name, name);
}

/* Finds the column of a node: a state, the time, or a hidden column. */
static int column_of(dry_elab *elab, dry_node node, const char *name, const scale *s) {
    const dry_node_view view = dry_dag_view(elab->dag, node);
    if (names_state(elab, view, name) && !s->unit) return -1 - view.index;
    if (view.op == DRY_OP_T && !strcmp(name, "t") && !s->unit) return DRY_PLOT_TIME;
    if (s->unit)
        node = dry_dag_bin(elab->dag, DRY_OP_DIV, node, dry_dag_const(elab->dag, s->factor));
    return dry_lang__add_output(
        elab, (dry_output_info){
                  .name = name, .dim = s->dim, .node = node, .hidden = true, .unit = s->unit});
}

/* Returns the column of the abscissa of a curve. */
static bool abscissa(panel *p, const dry_curve_expr *curve, int *column) {
    dry_elab *elab = p->elab;
    scale s = {.dim = dry_dim_seconds(1.0), .factor = 1.0};
    dry_place at = curve->value->at;
    dry_term v = {0};
    if (curve->x) {
        at = curve->x->at;
        v = dry_lang__scalar_expr(elab, curve->x, "the quantity after `against`");
        if (v.bad || !read_scale(elab, curve->x_unit, v.dim, &s)) return false;
    }
    if (p->x.n && !dry_lang__same_dim(elab, at, "abscissa", p->x.of[0].dim, s.dim)) return false;
    if (!add_scale(elab, at, &p->x, &s)) return false;
    p->other = p->other || (curve->x && dry_dag_view(elab->dag, v.one).op != DRY_OP_T);
    *column =
        curve->x ? column_of(elab, v.one, dry_lang__text_of(elab, curve->x), &s) : DRY_PLOT_TIME;
    return true;
}

static void add_curve(panel *p, const dry_curve_expr *curve) {
    dry_elab *elab = p->elab;
    dry_plot_info *info = &p->info;
    scales *axis = curve->beside ? &p->beside : &p->y;
    scale s;
    int x;
    const dry_term v = dry_lang__expr(elab, curve->value);
    if (v.bad || !abscissa(p, curve, &x) || !read_scale(elab, curve->unit, v.dim, &s)) return;
    if (!add_scale(elab, curve->value->at, axis, &s)) return;
    for (int k = 0; k < dry_term_size(&v); k++) {
        if (info->n == DRY_PLOT_MOST) {
            DRY_SAY(elab->diag, curve->value->at, TOO_MANY_CURVES, "");
            return;
        }
        const char *name = entry_name(elab, curve->value, &v, k);
        info->label[info->n] = curve->label;
        info->beside[info->n] = curve->beside;
        info->x[info->n] = x;
        info->y[info->n++] = column_of(elab, dry_term_at(&v, k), name, &s);
    }
}

/* ---- bands ------------------------------------------------------------------------- */

/* Returns the abscissa of a curve that is not drawn over the time; NULL if there is none. */
static const dry_expr *other_than_time(const dry_plot_expr *plot) {
    for (int i = 0; i < plot->n_curves; i++) {
        const dry_expr *x = plot->curve[i].x;
        if (x && !(x->kind == DRY_EX_NAME && !strcmp(x->text, "t"))) return x;
    }
    return NULL;
}

static void add_shade(panel *p, const dry_expr *condition, const dry_expr *other) {
    const dry_term v = dry_lang__scalar_expr(p->elab, condition, "a condition");
    if (v.bad) return;
    if (other)
        DRY_SAY(p->elab->diag, condition->at, SHADE_NEEDS_TIME, dry_lang__text_of(p->elab, other));
    else if (p->info.n_shades == DRY_SHADES_MOST)
        DRY_SAY(p->elab->diag, condition->at, TOO_MANY_SHADES, "");
    else
        p->info.shade[p->info.n_shades++] = dry_lang__add_output(
            p->elab, (dry_output_info){.name = dry_lang__text_of(p->elab, condition),
                                       .dim = v.dim,
                                       .node = v.one,
                                       .hidden = true});
}

/* ---- ranges ------------------------------------------------------------------------ */

static bool is_bare_number(const dry_expr *expr) {
    if (expr->kind == DRY_EX_UNARY && expr->text[0] == '-') expr = expr->arg[0];
    return expr->kind == DRY_EX_NUMBER && !expr->unit;
}

/* An end of a range. A number without a unit is in the unit of the axis. */
static bool end_of(panel *p, const dry_expr *expr, const scale *s, double *end) {
    if (!dry_lang__constant(p->elab, expr, "the end of an axis", end)) return false;
    if (is_bare_number(expr)) return true;
    const dry_term v = dry_lang__scalar_expr(p->elab, expr, "the end of an axis");
    *end /= s->factor;
    return !v.bad && dry_lang__same_dim(p->elab, expr->at, "range and its axis", v.dim, s->dim);
}

static void set_range(panel *p, dry_span_expr span, const scales *all, dry_picture_axis *axis) {
    dry_diagnostics *diag = p->elab->diag;
    const scale *s = &all->of[0];
    double low, high;
    if (!span.from || !all->n) return;
    if (!end_of(p, span.from, s, &low) || !end_of(p, span.to, s, &high)) return;
    if (!(low < high) || !isfinite(low) || !isfinite(high))
        DRY_SAY(diag, span.from->at, PLOT_RANGE, dry_diag_number(diag, low),
                dry_diag_number(diag, high));
    else if (axis->log && !(low > 0.0))
        DRY_SAY(diag, span.from->at, LOG_RANGE, dry_diag_number(diag, low));
    else
        axis->low = low, axis->high = high;
}

/* ---- keys -------------------------------------------------------------------------- */

static const char *text_key(panel *p, const dry_key *key) {
    if (key->value->kind == DRY_EX_TEXT) return key->value->text;
    DRY_SAY(p->elab->diag, key->value->at, EXPECTED, "a text in quotes",
            dry_diag_text(p->elab->diag, "`%s`", dry_lang__text_of(p->elab, key->value)));
    return NULL;
}

static void set_title(panel *p, const dry_key *key) { p->info.title = text_key(p, key); }
static void label_x(panel *p, const dry_key *key) { p->info.x_axis.label = text_key(p, key); }
static void label_y(panel *p, const dry_key *key) { p->info.y_axis.label = text_key(p, key); }
static void label_beside(panel *p, const dry_key *key) {
    p->info.beside_axis.label = text_key(p, key);
    if (!p->beside.n && !p->elab->diag->n_errors) DRY_SAY(p->elab->diag, key->at, NO_BESIDE, "");
}

static void set_log(panel *p, const dry_key *key) {
    const char *word = key->value->kind == DRY_EX_NAME ? key->value->text : "";
    const bool both = !strcmp(word, "xy");
    p->info.x_axis.log = both || !strcmp(word, "x");
    p->info.y_axis.log = both || !strcmp(word, "y");
    if (!p->info.x_axis.log && !p->info.y_axis.log)
        DRY_SAY(p->elab->diag, key->value->at, LOG_WORD, dry_lang__text_of(p->elab, key->value));
}

static void set_marks(panel *p, const dry_key *key) {
    (void)dry_lang__integer(p->elab, key->value, "the number of marks", 1, 1000, &p->info.marks);
}

static const struct {
    const char *name;
    void (*set)(panel *, const dry_key *);
    const char *meaning;
} keys[] = {{"title", set_title, "a text above the panel"},
            {"x", label_x, "the text of the abscissa"},
            {"y", label_y, "the text of the ordinate"},
            {"beside", label_beside, "the text of the ordinate at the right"},
            {"log", set_log, "logarithmic axes: x, y or xy"},
            {"marks", set_marks, "how many marks each curve has"}};
enum { N_KEYS = sizeof keys / sizeof *keys };

bool dry_lang_plot_key(int index, dry_word *word) {
    if (index < 0 || index >= N_KEYS) return false;
    *word = (dry_word){.text = keys[index].name, .form = "", .meaning = keys[index].meaning};
    return true;
}

static void set_key(panel *p, const dry_key *key, bool given[N_KEYS]) {
    const char *names[N_KEYS];
    for (int i = 0; i < N_KEYS; i++) {
        names[i] = keys[i].name;
        if (strcmp(key->name, keys[i].name) != 0) continue;
        if (given[i])
            DRY_SAY(p->elab->diag, key->at, KEY_TWICE, key->name);
        else
            keys[i].set(p, key);
        given[i] = true;
        return;
    }
    dry_diag_unknown_key(p->elab->diag, key->at, "plot", key->name, names, N_KEYS);
}

/* ---- the statement ----------------------------------------------------------------- */

void dry_lang__plot(dry_elab *elab, const dry_stmt *stmt) {
    const dry_plot_expr *plot = stmt->plot;
    panel p = {.elab = elab};
    bool given[N_KEYS] = {false};
    for (int i = 0; i < plot->n_curves; i++) add_curve(&p, &plot->curve[i]);
    for (int i = 0; i < plot->n_shades; i++) add_shade(&p, plot->shade[i], other_than_time(plot));
    for (int i = 0; i < stmt->n_keys; i++) set_key(&p, &stmt->key[i], given);
    set_range(&p, plot->x, &p.x, &p.info.x_axis);
    if (plot->x.from) p.info.range_at = plot->x.from->at;
    if (!p.other && p.x.n) p.info.time_unit = p.x.of[0].factor;
    set_range(&p, plot->y, &p.y, &p.info.y_axis);
    set_range(&p, plot->beside, &p.beside, &p.info.beside_axis);
    dry_plot_info *slot = DRY_GROW(elab->arena, &elab->results, plot);
    if (slot) *slot = p.info;
}

/* A panel that shows nothing of the run is drawn all the same: the run may have been cut short. */
void dry_lang__check_panels(dry_elab *elab, double until) {
    for (int i = 0; i < elab->results.n_plots && until > 0.0; i++) {
        const dry_plot_info *info = &elab->results.plot[i];
        const double from = info->x_axis.low * info->time_unit;
        const double to = info->x_axis.high * info->time_unit;
        if (from < to && (from >= until || to <= 0.0))
            DRY_SAY(elab->diag, info->range_at, PANEL_OUTSIDE_RUN,
                    dry_diag_number(elab->diag, from), dry_diag_number(elab->diag, to),
                    dry_diag_number(elab->diag, until));
    }
}
