/* mathml: the inclusion, or the derived equations, as MathML for a page. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* ---- names and numbers ------------------------------------------------------------- */

static const char *const greek[][2] = {
    {"alpha", "α"}, {"beta", "β"}, {"gamma", "γ"},  {"delta", "δ"},  {"epsilon", "ε"},
    {"eps", "ε"},   {"zeta", "ζ"}, {"eta", "η"},    {"theta", "θ"},  {"iota", "ι"},
    {"kappa", "κ"}, {"mu", "μ"},   {"lambda", "λ"}, {"nu", "ν"},     {"xi", "ξ"},
    {"pi", "π"},    {"rho", "ρ"},  {"sigma", "σ"},  {"tau", "τ"},    {"phi", "φ"},
    {"chi", "χ"},   {"psi", "ψ"},  {"omega", "ω"},  {"Gamma", "Γ"},  {"Delta", "Δ"},
    {"Theta", "Θ"}, {"Xi", "Ξ"},   {"Pi", "Π"},     {"Lambda", "Λ"}, {"Sigma", "Σ"},
    {"Phi", "Φ"},   {"Psi", "Ψ"},  {"Omega", "Ω"}};

static void print(const dry_expr *expr, FILE *stream);

static void print_safely(const char *text, size_t length, FILE *stream) {
    for (size_t i = 0; i < length; i++) switch (text[i]) {
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '&': fputs("&amp;", stream); break;
        default: fputc(text[i], stream);
        }
}

static void print_stem(const char *text, size_t length, FILE *stream) {
    fputs("<mi>", stream);
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (strlen(greek[i][0]) == length && !memcmp(greek[i][0], text, length)) {
            fprintf(stream, "%s</mi>", greek[i][1]);
            return;
        }
    print_safely(text, length, stream);
    fputs("</mi>", stream);
}

static void print_indices(const dry_expr *const *index, int n, FILE *stream) {
    for (int i = 0; i < n; i++) {
        if (i) fputs("<mo>,</mo>", stream);
        print(index[i], stream);
    }
}

/* v0 -> v with index 0, mu_1 -> μ with index 1; its own indices behind that. */
static void print_indexed(const char *name, bool rate, const dry_expr *const *index, int n,
                          FILE *stream) {
    size_t stem = strcspn(name, "_0123456789");
    if (!stem) stem = strlen(name);
    const char *rest = name + stem + (name[stem] == '_');
    const bool low = *rest || n;
    if (low) fputs("<msub>", stream);
    if (rate) fputs("<mover accent=\"true\">", stream);
    print_stem(name, stem, stream);
    if (rate) fputs("<mo>˙</mo></mover>", stream);
    if (!low) return;
    fputs("<mrow>", stream);
    if (*rest) print_stem(rest, strlen(rest), stream);
    if (*rest && n) fputs("<mo>,</mo>", stream);
    print_indices(index, n, stream);
    fputs("</mrow></msub>", stream);
}

static void print_number(const dry_expr *expr, FILE *stream) {
    const char *e = strpbrk(expr->text, "eE");
    const size_t length = e ? (size_t)(e - expr->text) : strlen(expr->text);
    if (e || expr->unit) fputs("<mrow>", stream);
    fprintf(stream, "<mn>%.*s</mn>", (int)length, expr->text);
    if (e)
        fprintf(stream, "<mo>·</mo><msup><mn>10</mn><mn>%s%d</mn></msup>",
                atoi(e + 1) < 0 ? "−" : "", abs(atoi(e + 1)));
    if (expr->unit) {
        fputs("<mspace width=\"0.17em\"/><mi mathvariant=\"normal\">", stream);
        print_safely(expr->unit, strlen(expr->unit), stream);
        fputs("</mi>", stream);
    }
    if (e || expr->unit) fputs("</mrow>", stream);
}

/* ---- expressions ------------------------------------------------------------------- */

static bool is_sum(const dry_expr *expr) {
    return expr->kind == DRY_EX_IF ||
           (expr->kind == DRY_EX_BINARY && !strchr("*/^", expr->text[0])) ||
           (expr->kind == DRY_EX_UNARY && expr->text[0] != '\'');
}

/* Higher than a line: its brackets grow. */
static bool is_tall(const dry_expr *expr) {
    bool tall = expr->kind == DRY_EX_IF || expr->kind == DRY_EX_VECTOR ||
                expr->kind == DRY_EX_SUM || (expr->kind == DRY_EX_BINARY && expr->text[0] == '/');
    for (int i = 0; i < expr->n_args && !tall; i++) tall = is_tall(expr->arg[i]);
    return tall;
}

static const char *const brackets[] = {"<mo stretchy=\"false\">%s</mo>", "<mo>%s</mo>"};

static void print_in(const char *left, const dry_expr *expr, const char *right, FILE *stream) {
    fputs("<mrow>", stream);
    fprintf(stream, brackets[is_tall(expr)], left);
    print(expr, stream);
    fprintf(stream, brackets[is_tall(expr)], right);
    fputs("</mrow>", stream);
}

static void print_factor(const dry_expr *expr, FILE *stream) {
    if (is_sum(expr))
        print_in("(", expr, ")", stream);
    else
        print(expr, stream);
}

static void print_row(const dry_expr *expr, FILE *stream) {
    fputs("<mrow>", stream);
    print(expr, stream);
    fputs("</mrow>", stream);
}

static void print_call(const dry_expr *expr, FILE *stream) {
    if (!strcmp(expr->text, "sqrt")) {
        fputs("<msqrt>", stream);
        print(expr->arg[0], stream);
        fputs("</msqrt>", stream);
    } else if (!strcmp(expr->text, "abs")) {
        print_in("|", expr->arg[0], "|", stream);
    } else if (!strcmp(expr->text, "norm")) {
        print_in("‖", expr->arg[0], "‖", stream);
    } else {
        print_stem(expr->text, strlen(expr->text), stream);
        fputs("<mo>&#x2061;</mo><mrow>", stream);
        fprintf(stream, brackets[is_tall(expr)], "(");
        print_indices(expr->arg, expr->n_args, stream);
        fprintf(stream, brackets[is_tall(expr)], ")");
        fputs("</mrow>", stream);
    }
}

static void print_two(const char *element, const dry_expr *expr, FILE *stream) {
    const dry_expr *base = expr->arg[0];
    const bool plain = element[1] == 'f' || base->kind == DRY_EX_NAME ||
                       base->kind == DRY_EX_NUMBER || base->kind == DRY_EX_CALL ||
                       base->kind == DRY_EX_INDEX;
    fprintf(stream, "<%s>", element);
    if (plain)
        print_row(base, stream);
    else
        print_in("(", base, ")", stream);
    print_row(expr->arg[1], stream);
    fprintf(stream, "</%s>", element);
}

static bool is_minus(const dry_expr *expr) {
    return expr->kind == DRY_EX_UNARY && expr->text[0] == '-';
}

static void print_binary(const dry_expr *expr, FILE *stream) {
    static const char *const signs[][2] = {{"==", "="},   {"!=", "≠"},   {"<=", "≤"},
                                           {">=", "≥"},   {"and", "∧"},  {"or", "∨"},
                                           {"<", "&lt;"}, {">", "&gt;"}, {"-", "−"}};
    if (expr->text[0] == '/') {
        print_two("mfrac", expr, stream);
    } else if (expr->text[0] == '^') {
        print_two("msup", expr, stream);
    } else if (expr->text[0] == '*') {
        if (is_minus(expr->arg[0]))
            print(expr->arg[0], stream);
        else
            print_factor(expr->arg[0], stream);
        fputs(expr->arg[1]->kind == DRY_EX_NUMBER ? "<mo>·</mo>" : "<mspace width=\"0.17em\"/>",
              stream);
        print_factor(expr->arg[1], stream);
    } else {
        const char *sign = expr->text;
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
            if (!strcmp(signs[i][0], expr->text)) sign = signs[i][1];
        print(expr->arg[0], stream);
        fprintf(stream, "<mo>%s</mo>", sign);
        if (expr->text[0] == '-')
            print_factor(expr->arg[1], stream);
        else
            print(expr->arg[1], stream);
    }
}

static void print_cells(const dry_expr *expr, FILE *stream) {
    const bool matrix = expr->kind == DRY_EX_VECTOR;
    fputs("<mtr>", stream);
    for (int i = 0; i < (matrix ? expr->n_args : 1); i++) {
        fputs("<mtd>", stream);
        print(matrix ? expr->arg[i] : expr, stream);
        fputs("</mtd>", stream);
    }
    fputs("</mtr>", stream);
}

static void print_vector(const dry_expr *expr, FILE *stream) {
    fputs("<mrow><mo>[</mo><mtable>", stream);
    for (int i = 0; i < expr->n_args; i++) print_cells(expr->arg[i], stream);
    fputs("</mtable><mo>]</mo></mrow>", stream);
}

/* A chain of `else if` is one brace. */
static void print_choice(const dry_expr *expr, FILE *stream) {
    fputs("<mrow><mo>{</mo><mtable class=\"cases\">", stream);
    for (; expr->kind == DRY_EX_IF; expr = expr->arg[2]) {
        fputs("<mtr><mtd>", stream);
        print(expr->arg[1], stream);
        fputs("</mtd><mtd><mtext>if </mtext>", stream);
        print(expr->arg[0], stream);
        fputs("</mtd></mtr>", stream);
    }
    fputs("<mtr><mtd>", stream);
    print(expr, stream);
    fputs("</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>", stream);
}

/* a of f is written with f as its index; arm.tip.v as it is. */
static void print_member(const dry_expr *expr, FILE *stream) {
    if (!expr->n_args && strchr(expr->member, '.')) {
        fprintf(stream, "<mi>%s.%s</mi>", expr->text, expr->member);
        return;
    }
    fputs("<msub>", stream);
    print_stem(expr->member, strlen(expr->member), stream);
    fputs("<mrow>", stream);
    if (expr->n_args)
        print(expr->arg[0], stream);
    else
        print_indexed(expr->text, false, NULL, 0, stream);
    fputs("</mrow></msub>", stream);
}

static void print_index(const dry_expr *expr, FILE *stream) {
    if (expr->arg[0]->kind == DRY_EX_NAME) {
        print_indexed(expr->arg[0]->text, false, expr->arg + 1, expr->n_args - 1, stream);
        return;
    }
    fputs("<msub>", stream);
    print_row(expr->arg[0], stream);
    fputs("<mrow>", stream);
    print_indices(expr->arg + 1, expr->n_args - 1, stream);
    fputs("</mrow></msub>", stream);
}

static void print_sum(const dry_expr *expr, FILE *stream) {
    fputs("<munderover><mo>∑</mo><mrow>", stream);
    print_stem(expr->text, strlen(expr->text), stream);
    fputs("<mo>=</mo>", stream);
    print(expr->arg[1], stream);
    fputs("</mrow>", stream);
    print_row(expr->arg[2], stream);
    fputs("</munderover>", stream);
    print_factor(expr->arg[0], stream);
}

static void print_unary(const dry_expr *expr, FILE *stream) {
    if (expr->text[0] == '\'') {
        fputs("<mover accent=\"true\">", stream);
        print_row(expr->arg[0], stream);
        fputs("<mo>˙</mo></mover>", stream);
        return;
    }
    fputs(expr->text[0] == 'n' ? "<mo>¬</mo>" : "<mo>−</mo>", stream);
    print_factor(expr->arg[0], stream);
}

static void print(const dry_expr *expr, FILE *stream) {
    switch (expr->kind) {
    case DRY_EX_NUMBER: print_number(expr, stream); break;
    case DRY_EX_NAME: print_indexed(expr->text, false, NULL, 0, stream); break;
    case DRY_EX_TEXT:
        fputs("<mtext>", stream);
        print_safely(expr->text, strlen(expr->text), stream);
        fputs("</mtext>", stream);
        break;
    case DRY_EX_MEMBER: print_member(expr, stream); break;
    case DRY_EX_INDEX: print_index(expr, stream); break;
    case DRY_EX_CALL: print_call(expr, stream); break;
    case DRY_EX_UNARY: print_unary(expr, stream); break;
    case DRY_EX_BINARY: print_binary(expr, stream); break;
    case DRY_EX_IF: print_choice(expr, stream); break;
    case DRY_EX_VECTOR: print_vector(expr, stream); break;
    case DRY_EX_SUM: print_sum(expr, stream); break;
    }
}

/* ---- equations --------------------------------------------------------------------- */

static void print_name(const dry_stmt *stmt, FILE *stream) {
    print_indexed(stmt->name, false, &stmt->index, stmt->index != NULL, stream);
}

#define OF(letter) "<msub><mi>" letter "</mi><mrow><f></mrow></msub>"
#define RATE(letter)                                                                               \
    "<msub><mover accent=\"true\"><mi>" letter "</mi><mo>˙</mo></mover><mrow><f></mrow></msub>"
#define IS "</mtd><mtd><mo>=</mo></mtd><mtd>"
#define NEXT "</mtd></mtr>\n<mtr><mtd>"
#define CALL(name) "<mi>" name "</mi><mo>&#x2061;</mo>"
#define THIN "<mspace width=\"0.17em\"/>"
#define LEFT "<mrow><mo stretchy=\"false\">(</mo>"
#define RIGHT "<mo stretchy=\"false\">)</mo></mrow>"
#define PLUS "<mo>+</mo>"
#define MINUS "<mo>−</mo>"
#define COMMA "<mo>,</mo>"
#define OVER(above, below) "<mfrac><mrow>" above "</mrow><mrow>" below "</mrow></mfrac>"
#define SAT CALL("sat") LEFT "<F>" COMMA OF("K") LEFT OF("a") PLUS OF("β") THIN "<v>" RIGHT RIGHT
#define STRETCH(sign) RATE("a") IS OVER(sign "<f><mo>/</mo>" OF("K") MINUS OF("a"), OF("β"))
#define BIG_LEFT "<mrow><mo>(</mo>"
#define BIG_RIGHT "<mo>)</mo></mrow>"
#define PUSH                                                                                       \
    OF("K")                                                                                        \
    THIN CALL("max") BIG_LEFT "<mn>0</mn>" COMMA OF("e") MINUS OVER(OF("β"), OF("α")) LEFT         \
        "<u>" PLUS OF("e") RIGHT BIG_RIGHT
#define INDENT                                                                                     \
    CALL("max")                                                                                    \
    BIG_LEFT MINUS OVER(OF("e"), OF("β")) COMMA MINUS OVER("<u>" PLUS OF("e"), OF("α")) BIG_RIGHT

/* X13 (18) for both signs of the force, X13 (24) and (25); a_f, K_f belong to the force f. */
static const dry_writer mathml_writer = {
    .name = print_name,
    .expr = print,
    .factor = print_factor,
    .sgn = "<f>" IS SAT NEXT STRETCH(""),
    .minus_sgn = "<f>" IS MINUS SAT NEXT STRETCH(MINUS),
    .dio = "<f>" IS PUSH NEXT RATE("e") IS INDENT,
};

static void print_left(const dry_stmt *stmt, FILE *stream) {
    if (stmt->factor) {
        print_factor(stmt->factor, stream);
        fputs(THIN, stream);
    }
    if (stmt->target)
        print(stmt->target, stream);
    else
        print_indexed(stmt->name, stmt->kind == DRY_ST_EQUATION, &stmt->index, stmt->index != NULL,
                      stream);
    if (stmt->kind != DRY_ST_FUNCTION) return;
    fputs("<mrow><mo>(</mo>", stream);
    for (int i = 0; i < stmt->n_params; i++) {
        if (i) fputs("<mo>,</mo>", stream);
        print_indexed(stmt->param[i], false, NULL, 0, stream);
    }
    fputs("<mo>)</mo></mrow>", stream);
}

static void print_plain(const dry_stmt *stmt, FILE *stream) {
    const char *sign = stmt->kind == DRY_ST_SET ? "∈" : stmt->kind == DRY_ST_PUSH ? "+=" : "=";
    print_left(stmt, stream);
    fprintf(stream, "</mtd><mtd><mo>%s</mo></mtd><mtd>", sign);
    print(stmt->value, stream);
}

static void print_loop(const dry_stmt *stmt, FILE *stream) {
    if (!stmt->loop) return;
    fputs("<mo>,</mo><mspace width=\"1.5em\"/>", stream);
    print_stem(stmt->loop, strlen(stmt->loop), stream);
    fputs("<mo>=</mo>", stream);
    print(stmt->first, stream);
    fputs("<mo>,</mo><mo>…</mo><mo>,</mo>", stream);
    print(stmt->last, stream);
}

static bool is_equation(const dry_stmt *stmt) {
    return stmt->kind == DRY_ST_EQUATION || stmt->kind == DRY_ST_DEFINE ||
           stmt->kind == DRY_ST_PUSH || stmt->kind == DRY_ST_FUNCTION || stmt->kind == DRY_ST_SET;
}

void dry_model_print_mathml(const dry_model *model, bool derived, FILE *stream) {
    const dry_tree *tree = &model->elab.tree;
    fputs("<math display=\"block\"><mtable class=\"equations\" displaystyle=\"true\">\n", stream);
    for (int i = 0; i < tree->n; i++) {
        const dry_stmt *stmt = &tree->stmt[i];
        if (!is_equation(stmt)) continue;
        const dry_force *force = dry_lang__force_of(&model->elab, stmt);
        fputs("<mtr><mtd>", stream);
        if (!derived || stmt->kind != DRY_ST_SET || !force ||
            !dry_lang__write_lowered(stmt, force, &mathml_writer, stream))
            print_plain(stmt, stream);
        print_loop(stmt, stream);
        fputs("</mtd></mtr>\n", stream);
    }
    fputs("</mtable></math>\n", stream);
}
