/* latex: the derived equations in LaTeX, for a paper. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* ---- names and numbers ------------------------------------------------------------- */

static const char *const greek[] = {"alpha", "beta",  "gamma", "delta",  "epsilon", "zeta", "eta",
                                    "theta", "iota",  "kappa", "lambda", "mu",      "nu",   "xi",
                                    "pi",    "rho",   "sigma", "tau",    "phi",     "chi",  "psi",
                                    "omega", "Gamma", "Delta", "Theta",  "Lambda",  "Xi",   "Pi",
                                    "Sigma", "Phi",   "Psi",   "Omega"};

static bool is_greek(const char *text, size_t length) {
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (strlen(greek[i]) == length && !memcmp(greek[i], text, length)) return true;
    return false;
}

/* v0 -> v_{0}, mu_1 -> \mu_{1}, fe -> f_{e} only where a digit or _ says so; words in roman. */
static void print_symbol(const char *name, FILE *stream) {
    size_t stem = strcspn(name, "_0123456789");
    if (!stem) stem = strlen(name);
    const char *rest = name + stem + (name[stem] == '_');
    bool ascii = true;
    for (size_t i = 0; i < stem; i++) ascii = ascii && (unsigned char)name[i] < 128;
    if (is_greek(name, stem))
        fprintf(stream, "\\%.*s", (int)stem, name);
    else if (stem == 1 || !ascii)
        fprintf(stream, "%.*s", (int)stem, name);
    else
        fprintf(stream, "\\mathit{%.*s}", (int)stem, name);
    if (!*rest) return;
    fputs("_{", stream);
    for (; *rest; rest++) fputs(*rest == '_' ? "\\_" : (char[]){*rest, 0}, stream);
    fputs("}", stream);
}

static void print_number(const dry_expr *expr, FILE *stream) {
    const char *e = strpbrk(expr->text, "eE");
    if (e)
        fprintf(stream, "%.*s \\times 10^{%d}", (int)(e - expr->text), expr->text, atoi(e + 1));
    else
        fputs(expr->text, stream);
    if (expr->unit) fprintf(stream, "\\,\\mathrm{%s}", expr->unit);
}

/* ---- expressions --------------------------------------------------------------------------------
 */

static void print(const dry_expr *expr, FILE *stream);

static bool is_sum(const dry_expr *expr) {
    return expr->kind == DRY_EX_IF ||
           (expr->kind == DRY_EX_BINARY && !strchr("*/^", expr->text[0])) ||
           (expr->kind == DRY_EX_UNARY && expr->text[0] != '\'');
}

static void print_factor(const dry_expr *expr, FILE *stream) {
    if (is_sum(expr)) fputs("\\left(", stream);
    print(expr, stream);
    if (is_sum(expr)) fputs("\\right)", stream);
}

static void print_list(const dry_expr *expr, int first, const char *between, FILE *stream) {
    for (int i = first; i < expr->n_args; i++) {
        if (i > first) fputs(between, stream);
        print(expr->arg[i], stream);
    }
}

static void print_call(const dry_expr *expr, FILE *stream) {
    static const char *const known[] = {"exp",  "log",  "sin",  "cos", "tan",
                                        "sinh", "cosh", "tanh", "min", "max"};
    if (!strcmp(expr->text, "sqrt")) {
        fputs("\\sqrt{", stream);
        print(expr->arg[0], stream);
        fputs("}", stream);
        return;
    }
    bool bars = !strcmp(expr->text, "abs"), double_bars = !strcmp(expr->text, "norm");
    if (bars || double_bars) {
        fputs(bars ? "\\left|" : "\\left\\|", stream);
        print(expr->arg[0], stream);
        fputs(bars ? "\\right|" : "\\right\\|", stream);
        return;
    }
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        found = found || !strcmp(known[i], expr->text);
    fprintf(stream, found ? "\\%s\\left(" : "\\operatorname{%s}\\left(", expr->text);
    print_list(expr, 0, ", ", stream);
    fputs("\\right)", stream);
}

static void print_binary(const dry_expr *expr, FILE *stream) {
    static const char *const signs[][2] = {{"==", "="},    {"!=", "\\ne"},     {"<=", "\\le"},
                                           {">=", "\\ge"}, {"and", "\\wedge"}, {"or", "\\vee"}};
    if (expr->text[0] == '/') {
        fputs("\\frac{", stream);
        print(expr->arg[0], stream);
        fputs("}{", stream);
        print(expr->arg[1], stream);
        fputs("}", stream);
    } else if (expr->text[0] == '^') {
        fputs("{", stream);
        bool plain = expr->arg[0]->kind == DRY_EX_NAME || expr->arg[0]->kind == DRY_EX_NUMBER;
        fputs(plain ? "" : "\\left(", stream);
        print(expr->arg[0], stream);
        fputs(plain ? "}^{" : "\\right)}^{", stream);
        print(expr->arg[1], stream);
        fputs("}", stream);
    } else if (expr->text[0] == '*') {
        print_factor(expr->arg[0], stream);
        fputs(expr->arg[1]->kind == DRY_EX_NUMBER ? " \\cdot " : " ", stream);
        print_factor(expr->arg[1], stream);
    } else {
        const char *sign = expr->text;
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (!strcmp(signs[i][0], expr->text)) sign = signs[i][1];
        print(expr->arg[0], stream);
        fprintf(stream, " %s ", sign);
        if (expr->text[0] == '-')
            print_factor(expr->arg[1], stream);
        else
            print(expr->arg[1], stream);
    }
}

static void print_vector(const dry_expr *expr, FILE *stream) {
    bool matrix = expr->n_args && expr->arg[0]->kind == DRY_EX_VECTOR;
    fputs("\\begin{bmatrix}", stream);
    for (int i = 0; i < expr->n_args; i++) {
        if (i) fputs(" \\\\ ", stream);
        if (matrix)
            print_list(expr->arg[i], 0, " & ", stream);
        else
            print(expr->arg[i], stream);
    }
    fputs("\\end{bmatrix}", stream);
}

static void print_choice(const dry_expr *expr, FILE *stream) {
    fputs("\\begin{cases}", stream);
    print(expr->arg[1], stream);
    fputs(" & \\text{if } ", stream);
    print(expr->arg[0], stream);
    fputs(" \\\\ ", stream);
    print(expr->arg[2], stream);
    fputs(" & \\text{otherwise}\\end{cases}", stream);
}

static void print(const dry_expr *expr, FILE *stream) {
    switch (expr->kind) {
    case DRY_EX_NUMBER: print_number(expr, stream); break;
    case DRY_EX_NAME: print_symbol(expr->text, stream); break;
    case DRY_EX_TEXT: fprintf(stream, "\\text{%s}", expr->text); break;
    case DRY_EX_MEMBER:
        fprintf(stream, "%s_{", expr->member);
        if (expr->n_args)
            print(expr->arg[0], stream);
        else
            print_symbol(expr->text, stream);
        fputs("}", stream);
        break;
    case DRY_EX_INDEX:
        fputs("{", stream);
        print(expr->arg[0], stream);
        fputs("}_{", stream);
        print_list(expr, 1, ",", stream);
        fputs("}", stream);
        break;
    case DRY_EX_CALL: print_call(expr, stream); break;
    case DRY_EX_UNARY:
        fputs(expr->text[0] == 'n' ? "\\neg " : "-", stream);
        print_factor(expr->arg[0], stream);
        break;
    case DRY_EX_BINARY: print_binary(expr, stream); break;
    case DRY_EX_IF: print_choice(expr, stream); break;
    case DRY_EX_VECTOR: print_vector(expr, stream); break;
    case DRY_EX_SUM:
        fprintf(stream, "\\sum_{%s=", expr->text);
        print(expr->arg[1], stream);
        fputs("}^{", stream);
        print(expr->arg[2], stream);
        fputs("} ", stream);
        print_factor(expr->arg[0], stream);
        break;
    }
}

/* ---- equations --------------------------------------------------------------------- */

static void print_name(const dry_stmt *stmt, FILE *stream) {
    print_symbol(stmt->name, stream);
    if (!stmt->index) return;
    fputs("^{(", stream); /* the symbol may have a subscript of its own */
    print(stmt->index, stream);
    fputs(")}", stream);
}

/* X13 (18) for both signs of the force, X13 (24) and (25); a_f, K_f belong to the force f. */
#define SAT                                                                                        \
    "\\operatorname{sat}\\left(<F>,\\ K_{<f>}\\left(a_{<f>} + \\beta_{<f>} <v>\\right)\\right)"
#define NEXT " \\\\\n"
static const dry_writer latex_writer = {
    .name = print_name,
    .expr = print,
    .factor = print_factor,
    .sgn = "<f> &= " SAT NEXT "\\dot a_{<f>} &= \\frac{<f> / K_{<f>} - a_{<f>}}{\\beta_{<f>}}",
    .minus_sgn =
        "<f> &= -" SAT NEXT "\\dot a_{<f>} &= \\frac{-<f> / K_{<f>} - a_{<f>}}{\\beta_{<f>}}",
    .dio = "<f> &= K_{<f>} \\max\\left(0,\\ e_{<f>} - \\frac{\\beta_{<f>}}{\\alpha_{<f>}} "
           "\\left(<u> + e_{<f>}\\right)\\right)" NEXT
           "\\dot e_{<f>} &= \\max\\left(-\\frac{e_{<f>}}{\\beta_{<f>}},\\ "
           "-\\frac{<u> + e_{<f>}}{\\alpha_{<f>}}\\right)",
};

static void print_plain(const dry_stmt *stmt, FILE *stream) {
    bool rate = stmt->kind == DRY_ST_EQUATION;
    if (stmt->factor) {
        print_factor(stmt->factor, stream);
        fputs(" ", stream);
    }
    if (rate) fputs("\\dot{", stream);
    if (stmt->target)
        print(stmt->target, stream);
    else
        print_name(stmt, stream);
    fputs(rate ? "} &= " : stmt->target ? " &\\mathrel{+}= " : " &= ", stream);
    print(stmt->value, stream);
}

static void print_loop(const dry_stmt *stmt, FILE *stream) {
    if (!stmt->loop) return;
    fprintf(stream, ", \\qquad %s = ", stmt->loop);
    print(stmt->first, stream);
    fputs(", \\dots, ", stream);
    print(stmt->last, stream);
}

void dry_model_print_latex(const dry_model *model, FILE *stream) {
    const dry_tree *tree = &model->elab.tree;
    bool first = true;
    fputs("\\begin{align}\n", stream);
    for (int i = 0; i < tree->n; i++) {
        const dry_stmt *stmt = &tree->stmt[i];
        bool plain = stmt->kind == DRY_ST_EQUATION || stmt->kind == DRY_ST_DEFINE ||
                     stmt->kind == DRY_ST_PUSH;
        if (!plain && stmt->kind != DRY_ST_SET) continue;
        if (!first) fputs(" \\\\\n", stream);
        first = false;
        const dry_force *force = dry_lang__force_of(&model->elab, stmt);
        bool lowered = force && stmt->kind == DRY_ST_SET &&
                       dry_lang__write_lowered(stmt, force, &latex_writer, stream);
        if (!lowered) print_plain(stmt, stream);
        print_loop(stmt, stream);
    }
    fputs("\n\\end{align}\n", stream);
}
