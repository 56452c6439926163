/* tree: prints expressions and the tree, with as few parentheses as the grammar needs. */
#include "ast.h"

#include <string.h>

/* How tightly an expression binds; larger binds tighter. */
static int strength(const dry_expr *expr) {
    static const struct {
        const char *sign;
        int strength;
    } rows[] = {{"or", 1}, {"and", 2}, {"==", 4}, {"!=", 4}, {"<", 4}, {"<=", 4}, {">", 4},
                {">=", 4}, {"+", 5},   {"-", 5},  {"*", 6},  {"/", 6}, {"^", 8}};
    if (expr->kind == DRY_EX_IF) return 0;
    if (expr->kind == DRY_EX_UNARY) return expr->text[0] == 'n' ? 3 : expr->text[0] == '\'' ? 9 : 7;
    if (expr->kind != DRY_EX_BINARY) return 9;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].sign, expr->text)) return rows[i].strength;
    return 9;
}

static void print_inside(const dry_expr *expr, int least, FILE *stream) {
    bool parentheses = strength(expr) < least;
    if (parentheses) fputc('(', stream);
    dry_syntax_print_expr(expr, stream);
    if (parentheses) fputc(')', stream);
}

static void print_list(const dry_expr *expr, int first, FILE *stream) {
    for (int i = first; i < expr->n_args; i++) {
        if (i > first) fputs(", ", stream);
        dry_syntax_print_expr(expr->arg[i], stream);
    }
}

static void print_call(const dry_expr *expr, FILE *stream) {
    fprintf(stream, "%s(", expr->text);
    print_list(expr, 0, stream);
    for (int i = 0; i < expr->n_keys; i++) {
        fprintf(stream, "%s%s = ", i || expr->n_args ? ", " : "", expr->key[i].name);
        dry_syntax_print_expr(expr->key[i].value, stream);
    }
    if (expr->from) {
        fputs(" from ", stream);
        dry_syntax_print_expr(expr->from, stream);
        fputs(" to ", stream);
        dry_syntax_print_expr(expr->to, stream);
    }
    fputc(')', stream);
}

static void print_binary(const dry_expr *expr, FILE *stream) {
    int own = strength(expr);
    bool tight = own >= 6, power = own == 8;
    print_inside(expr->arg[0], power ? own + 1 : own, stream);
    fprintf(stream, tight ? "%s" : " %s ", expr->text);
    print_inside(expr->arg[1], power ? 7 : own + 1, stream);
}

static void print_choice(const dry_expr *expr, FILE *stream) {
    static const char *const words[] = {"if ", " then ", " else "};
    for (int i = 0; i < 3; i++) {
        fputs(words[i], stream);
        dry_syntax_print_expr(expr->arg[i], stream);
    }
}

void dry_syntax_print_expr(const dry_expr *expr, FILE *stream) {
    switch (expr->kind) {
    case DRY_EX_NUMBER:
        fprintf(stream, expr->unit ? "%s [%s]" : "%s", expr->text, expr->unit);
        break;
    case DRY_EX_NAME: fputs(expr->text, stream); break;
    case DRY_EX_TEXT: fprintf(stream, "\"%s\"", expr->text); break;
    case DRY_EX_MEMBER:
        if (expr->n_args) dry_syntax_print_expr(expr->arg[0], stream);
        fprintf(stream, "%s.%s", expr->text, expr->member);
        break;
    case DRY_EX_INDEX:
        print_inside(expr->arg[0], 9, stream);
        fputc('[', stream);
        print_list(expr, 1, stream);
        fputc(']', stream);
        break;
    case DRY_EX_CALL: print_call(expr, stream); break;
    case DRY_EX_UNARY:
        if (expr->text[0] != '\'') fputs(expr->text[0] == 'n' ? "not " : "-", stream);
        print_inside(expr->arg[0], expr->text[0] == 'n' ? 3 : 7, stream);
        if (expr->text[0] == '\'') fputc('\'', stream);
        break;
    case DRY_EX_BINARY: print_binary(expr, stream); break;
    case DRY_EX_IF: print_choice(expr, stream); break;
    case DRY_EX_VECTOR:
        fputc('[', stream);
        print_list(expr, 0, stream);
        fputc(']', stream);
        break;
    case DRY_EX_SUM:
        fputs("sum(", stream);
        dry_syntax_print_expr(expr->arg[0], stream);
        fprintf(stream, " for %s in ", expr->text);
        dry_syntax_print_expr(expr->arg[1], stream);
        fputs("..", stream);
        dry_syntax_print_expr(expr->arg[2], stream);
        fputc(')', stream);
        break;
    }
}

/* ---- the tree, one node per line --------------------------------------------------------------
 */

static const char *const expr_names[] = {"number", "name", "member", "index", "call", "unary",
                                         "binary", "if",   "vector", "sum",   "text"};

static void print_node(const dry_expr *expr, const char *role, int indent, FILE *stream) {
    if (!expr) return;
    fprintf(stream, "%*s%s: %s", indent, "", role, expr_names[expr->kind]);
    if (expr->text) fprintf(stream, " %s", expr->text);
    if (expr->member) fprintf(stream, ".%s", expr->member);
    if (expr->unit) fprintf(stream, " [%s]", expr->unit);
    fputc('\n', stream);
    for (int i = 0; i < expr->n_args; i++) print_node(expr->arg[i], "-", indent + 2, stream);
    for (int i = 0; i < expr->n_keys; i++)
        print_node(expr->key[i].value, expr->key[i].name, indent + 2, stream);
    print_node(expr->from, "from", indent + 2, stream);
    print_node(expr->to, "to", indent + 2, stream);
}

static void print_end(const dry_end_expr *end, FILE *stream) {
    print_node(end->port, "end", 4, stream);
    print_node(end->at, "at", 6, stream);
    print_node(end->axes, "axes", 6, stream);
    print_node(end->normal, "normal", 6, stream);
}

static void print_unit(dry_unit_expr unit, int indent, FILE *stream) {
    if (unit.text) fprintf(stream, "%*sin: %s\n", indent, "", unit.text);
}

static void print_curve(const dry_curve_expr *curve, FILE *stream) {
    print_node(curve->value, curve->beside ? "beside" : "curve", 4, stream);
    print_unit(curve->unit, 6, stream);
    if (curve->label) fprintf(stream, "      as: \"%s\"\n", curve->label);
    print_node(curve->x, "against", 6, stream);
    print_unit(curve->x_unit, 8, stream);
}

static void print_span(dry_span_expr span, const char *role, FILE *stream) {
    if (span.from) fprintf(stream, "    %s\n", role);
    print_node(span.from, "from", 6, stream);
    print_node(span.to, "to", 6, stream);
}

static void print_plot(const dry_plot_expr *plot, FILE *stream) {
    for (int k = 0; k < plot->n_curves; k++) print_curve(&plot->curve[k], stream);
    for (int k = 0; k < plot->n_shades; k++) print_node(plot->shade[k], "shade", 4, stream);
    print_span(plot->x, "span", stream);
    print_span(plot->y, "within", stream);
    print_span(plot->beside, "within, beside", stream);
}

static void print_column(const dry_column_expr *column, const char *role, FILE *stream) {
    fprintf(stream, "    %s: \"%s\"\n", role, column->name);
    print_unit(column->unit, 6, stream);
}

static void print_data(const dry_data_expr *data, FILE *stream) {
    for (int k = 0; k < data->n_axes; k++) print_node(data->axis[k], "at", 4, stream);
    if (data->file) fprintf(stream, "    from: \"%s\"\n", data->file);
    for (int k = 0; k < data->n_columns; k++) print_column(&data->column[k], "column", stream);
    if (data->time) print_column(data->time, "time", stream);
}

void dry_syntax_print_tree(dry_tree tree, FILE *stream) {
    static const char *const names[] = {
        "model", "param", "state",   "init",   "define", "function", "equation", "set",
        "run",   "plot",  "measure", "expect", "part",   "connect",  "push",     "sample",
        "table", "input", "stop",    "output", "free",   "steady",   "include"};
    for (int i = 0; i < tree.n; i++) {
        const dry_stmt *s = &tree.stmt[i];
        fprintf(stream, "%d: %s %s\n", s->at.line, names[s->kind], s->name ? s->name : "");
        print_node(s->size, "size", 4, stream);
        print_node(s->index, "index", 4, stream);
        print_node(s->factor, "factor", 4, stream);
        print_node(s->value, "value", 4, stream);
        print_span(s->range, "in", stream);
        print_node(s->target, "target", 4, stream);
        print_node(s->tolerance, "tolerance", 4, stream);
        print_node(s->every, "every", 4, stream);
        print_node(s->from, "from", 4, stream);
        for (int k = 0; k < s->n_ends; k++) print_end(&s->end[k], stream);
        if (s->plot) print_plot(s->plot, stream);
        if (s->data) print_data(s->data, stream);
        for (int k = 0; k < s->n_keys; k++) print_node(s->key[k].value, s->key[k].name, 4, stream);
        if (!s->loop) continue;
        fprintf(stream, "    for %s\n", s->loop);
        print_node(s->first, "first", 6, stream);
        print_node(s->last, "last", 6, stream);
    }
}
