/* mathml: the inclusion, or the derived equations, as MathML for a page. */
#include "model_private.h"
#include "notation.h"

#include <stdlib.h>
#include <string.h>

/* ---- names and numbers ------------------------------------------------------------- */

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
    const bool eps = length == 3 && !memcmp(text, "eps", 3);
    const char *letter = eps ? "ε" : dry_symbol_greek(text, length);
    fputs("<mi>", stream);
    print_safely(letter ? letter : text, letter ? strlen(letter) : length, stream);
    fputs("</mi>", stream);
}

static void print_word(const char *text, FILE *stream) { print_stem(text, strlen(text), stream); }

static void print_list(const dry_expr *const *item, int n, FILE *stream);

/* A dot over a letter, the rate. It is not an accent: in a font without a table MATH an accent
 * falls into the letter. Over the letter it is small, so it is made larger. */
#define DOT_BEGINS "<mover>"
#define DOT_ENDS "<mo mathsize=\"1.5em\">˙</mo></mover>"

/* Prints v0 as v with index 0, and mu_1 as μ with index 1; the name's own indices follow, and the
 * name of an included file that it is from. */
static void print_indexed(const char *name, bool rate, const dry_expr *const *index, int n,
                          FILE *stream) {
    const char *rest, *file = name, *dot = strrchr(name, '.');
    if (dot) name = dot + 1;
    const size_t stem = dry_symbol_stem(name, &rest);
    const bool low = *rest || n || dot;
    if (low) fputs("<msub>", stream);
    if (rate) fputs(DOT_BEGINS, stream);
    print_stem(name, stem, stream);
    if (rate) fputs(DOT_ENDS, stream);
    if (!low) return;
    fputs("<mrow>", stream);
    if (*rest) print_word(rest, stream);
    if (*rest && n) fputs("<mo>,</mo>", stream);
    print_list(index, n, stream);
    if (dot && (*rest || n)) fputs("<mo>,</mo>", stream);
    if (dot) {
        fputs("<mi mathvariant=\"normal\">", stream);
        print_safely(file, (size_t)(dot - file), stream);
        fputs("</mi>", stream);
    }
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

static void print_name(const dry_expr *expr, FILE *stream) {
    print_indexed(expr->text, false, NULL, 0, stream);
}

static void print_text(const dry_expr *expr, FILE *stream) {
    fputs("<mtext>", stream);
    print_safely(expr->text, strlen(expr->text), stream);
    fputs("</mtext>", stream);
}

/* Prints a chain of `else if` as one brace. */
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

/* Prints a of f as a with the index f, and arm.tip.v unchanged. */
static void print_member(const dry_expr *expr, FILE *stream) {
    if (!expr->n_args && strchr(expr->member, '.')) {
        fprintf(stream, "<mi>%s.%s</mi>", expr->text, expr->member);
        return;
    }
    fputs("<msub>", stream);
    print_word(expr->member, stream);
    fputs("<mrow>", stream);
    if (expr->n_args)
        print(expr->arg[0], stream);
    else
        print_name(expr, stream);
    fputs("</mrow></msub>", stream);
}

static void print_index(const dry_expr *expr, FILE *stream) {
    const dry_expr *base = expr->arg[0];
    if (base->kind == DRY_EX_NAME) {
        print_indexed(base->text, false, expr->arg + 1, expr->n_args - 1, stream);
        return;
    }
    fputs("<msub><mrow>", stream);
    print(base, stream);
    fputs("</mrow><mrow>", stream);
    print_list(expr->arg + 1, expr->n_args - 1, stream);
    fputs("</mrow></msub>", stream);
}

#define ROW(inner) "<mrow>" inner "</mrow>"
#define IN(left, inner, right) ROW("<mo%h>" left "</mo>" inner "<mo%h>" right "</mo>")
#define DOT(inner) DOT_BEGINS inner DOT_ENDS
#define THIN "<mspace width=\"0.17em\"/>"
#define COMMA "<mo>,</mo>"
#define SIGN(text, sign)                                                                           \
    { DRY_EX_BINARY, text, "%a<mo>" sign "</mo>%b", NULL }
static const dry_form forms[] = {
    {DRY_EX_NUMBER, NULL, NULL, print_number},
    {DRY_EX_NAME, NULL, NULL, print_name},
    {DRY_EX_TEXT, NULL, NULL, print_text},
    {DRY_EX_MEMBER, NULL, NULL, print_member},
    {DRY_EX_INDEX, NULL, NULL, print_index},
    {DRY_EX_CALL, "norm", IN("‖", "%a", "‖"), NULL},
    {DRY_EX_CALL, "transpose", "<msup>%P<mi mathvariant=\"sans-serif\">T</mi></msup>", NULL},
    {DRY_EX_CALL, "delay", "%P<mo>&#x2061;</mo>" IN("(", "<mi>t</mi><mo>−</mo>%B", ")") "%o", NULL},
    {DRY_EX_CALL, NULL, "%t<mo>&#x2061;</mo>" IN("(", "%,", ")"), NULL},
    {DRY_EX_UNARY, "not", "<mo>¬</mo>%A", NULL},
    {DRY_EX_UNARY, "'", DOT(ROW("%a")), NULL},
    {DRY_EX_UNARY, NULL, "<mo>−</mo>%A", NULL},
    {DRY_EX_BINARY, "/", "<mfrac>" ROW("%a") ROW("%b") "</mfrac>", NULL},
    {DRY_EX_BINARY, "^", "<msup>%P" ROW("%b") "</msup>", NULL},
    {DRY_EX_BINARY, "*", "%M%x%B", NULL},
    {DRY_EX_BINARY, "-", "%a<mo>−</mo>%B", NULL},
    SIGN("+", "+"),
    SIGN("==", "="),
    SIGN("!=", "≠"),
    SIGN("<", "&lt;"),
    SIGN("<=", "≤"),
    SIGN(">", "&gt;"),
    SIGN(">=", "≥"),
    SIGN("and", "∧"),
    SIGN("or", "∨"),
    {DRY_EX_IF, NULL, NULL, print_choice},
    {DRY_EX_VECTOR, NULL, ROW("<mo>[</mo><mtable><mtr><mtd>%v</mtd></mtr></mtable><mo>]</mo>"),
     NULL},
    {DRY_EX_SUM, NULL, "<munderover><mo>∑</mo>" ROW("%t<mo>=</mo>%b") ROW("%c") "</munderover>%A",
     NULL},
};

static const char *template_of(const dry_op_row *row) { return row->mathml; }

static const dry_notation mathml = {
    .function = template_of,
    .form = forms,
    .brackets = IN("(", "%e", ")"),
    .no_brackets = ROW("%e"),
    .interval = IN("[", "%,", "]"),
    .arguments = COMMA,
    .indices = COMMA,
    .third = "<msub><mo>|</mo>" ROW("<mi>t</mi><mo>≤</mo><mn>0</mn><mo>:</mo>%c") "</msub>",
    .cell = "</mtd><mtd>",
    .line = "</mtd></mtr><mtr><mtd>",
    .times = {THIN, "<mo>·</mo>"},
    .low = " stretchy=\"false\"",
    .plain = 1u << DRY_EX_NAME | 1u << DRY_EX_NUMBER | 1u << DRY_EX_CALL | 1u << DRY_EX_INDEX,
    .symbol = print_word,
};

static void print(const dry_expr *expr, FILE *stream) { dry_model__notate(&mathml, expr, stream); }

static void print_factor(const dry_expr *expr, FILE *stream) {
    dry_model__notate_factor(&mathml, expr, stream);
}

static void print_list(const dry_expr *const *item, int n, FILE *stream) {
    dry_model__notate_list(&mathml, item, n, COMMA, stream);
}

static void print_level(const dry_expr *expr, FILE *stream) {
    dry_model__notate_level(&mathml, expr, stream);
}

/* ---- equations --------------------------------------------------------------------- */

static void print_target(const dry_stmt *stmt, FILE *stream) {
    print_indexed(stmt->name, false, &stmt->index, stmt->index != NULL, stream);
}

#define OF(letter) "<msub><mi>" letter "</mi><mrow><f></mrow></msub>"
#define RATE(letter) "<msub>" DOT("<mi>" letter "</mi>") "<mrow><f></mrow></msub>"
#define IS "</mtd><mtd><mo>=</mo></mtd><mtd>"
#define NEXT "</mtd></mtr>\n<mtr><mtd>"
#define CALL(name) "<mi>" name "</mi><mo>&#x2061;</mo>"
#define LEFT "<mrow><mo stretchy=\"false\">(</mo>"
#define RIGHT "<mo stretchy=\"false\">)</mo></mrow>"
#define PLUS "<mo>+</mo>"
#define MINUS "<mo>−</mo>"
#define OVER(above, below) "<mfrac><mrow>" above "</mrow><mrow>" below "</mrow></mfrac>"
#define SAT CALL("sat") LEFT "<F>" COMMA OF("K") LEFT OF("a") PLUS OF("β") THIN "<v>" RIGHT RIGHT
#define STRETCH(sign) RATE("a") IS OVER(sign "<f><mo>/</mo>" OF("K") MINUS OF("a"), OF("β"))
#define STRETCHED RATE("a") IS OVER(OF("h") "<mo>/</mo>" OF("K") MINUS OF("a"), OF("β"))
#define BIG_LEFT "<mrow><mo>(</mo>"
#define BIG_RIGHT "<mo>)</mo></mrow>"
#define PUSH                                                                                       \
    OF("K")                                                                                        \
    THIN CALL("max") BIG_LEFT "<mn>0</mn>" COMMA OF("e") MINUS OVER(OF("β"), OF("α")) LEFT         \
        "<u>" PLUS OF("e") RIGHT BIG_RIGHT
#define INDENT                                                                                     \
    CALL("max")                                                                                    \
    BIG_LEFT MINUS OVER(OF("e"), OF("β")) COMMA MINUS OVER("<u>" PLUS OF("e"), OF("α")) BIG_RIGHT

#define IN_P(word) "<msub><mi>" word "</mi><mrow><P></mrow></msub>"
#define PRESS                                                                                      \
    OVER(OF("K") THIN OF("β"), OF("α"))                                                            \
    LEFT OF("y") MINUS IN_P("proj") "<mo>&#x2061;</mo>" OF("y") RIGHT COMMA                        \
        "<mspace width=\"1em\"/>" OF("y") "<mo>=</mo><u>" MINUS BIG_LEFT "<mn>1</mn>" MINUS        \
        OVER(OF("α"), OF("β")) BIG_RIGHT THIN OF("e")
#define SETTLE(sign) RATE("e") IS OVER(sign "<f><mo>/</mo>" OF("K") MINUS OF("e"), OF("β"))
#define CONE(sign)                                                                                 \
    "<f></mtd><mtd><mo>∈</mo></mtd><mtd>" sign                                                     \
    "<msub><mi mathvariant=\"script\">N</mi><mrow><P></mrow></msub>" LEFT "<u>" RIGHT

static const char *rows_of(const dry_law_inclusion *rows) { return rows->mathml; }
static const char *level_of(const dry_law_inclusion *rows) { return rows->mathml_level; }

/* X13 (18) for both signs of the force, X13 (24) and (25); a_f, K_f belong to the force f. */
static const dry_writer mathml_writer = {
    .name = print_target,
    .expr = print,
    .factor = print_factor,
    .level = print_level,
    .relaxed[DRY_RESOLVENT_FRICTION] = {"<f>" IS SAT NEXT STRETCH(""),
                                        "<f>" IS MINUS SAT NEXT STRETCH(MINUS)},
    .relaxed[DRY_RESOLVENT_CONTACT] = {"<f>" IS PUSH NEXT RATE("e") IS INDENT},
    .relaxed[DRY_RESOLVENT_BACKLASH] = {"<f>" IS MINUS PRESS NEXT SETTLE(MINUS),
                                        "<f>" IS PRESS NEXT SETTLE("")},
    .cone = {CONE(MINUS), CONE("")},
    .stretched = {"<f>" IS "<A>" THIN OF("h") NEXT OF("h") IS SAT NEXT STRETCHED,
                  "<f>" IS MINUS "<A>" THIN OF("h") NEXT OF("h") IS SAT NEXT STRETCHED},
    .named = "<f>" IS "<s><L><mo>&#x2061;</mo>" LEFT "<u>" RIGHT,
    .law = print_word,
    .inclusion = rows_of,
    .inclusion_level = level_of,
    .next = NEXT,
    .minus = MINUS,
    .index = {"<mi>i</mi>", "<mi>k</mi>"},
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
    if (stmt->kind == DRY_ST_STOP) {
        fputs("</mtd><mtd></mtd><mtd><mtext>stop when </mtext>", stream);
        print(stmt->value, stream);
        return;
    }
    print_left(stmt, stream);
    fprintf(stream, "</mtd><mtd><mo>%s</mo></mtd><mtd>", sign);
    print(stmt->value, stream);
}

/* at t = 0, T, 2T, ... */
static void print_instants(const dry_stmt *stmt, FILE *stream) {
    if (!stmt->every) return;
    fputs("<mo>,</mo><mspace width=\"1.5em\"/><mi>t</mi><mo>=</mo><mn>0</mn><mo>,</mo>", stream);
    print(stmt->every, stream);
    fputs("<mo>,</mo><mn>2</mn><mo>·</mo>", stream);
    print(stmt->every, stream);
    fputs("<mo>,</mo><mo>…</mo>", stream);
}

static void print_loop(const dry_stmt *stmt, FILE *stream) {
    print_instants(stmt, stream);
    if (!stmt->loop) return;
    fputs("<mo>,</mo><mspace width=\"1.5em\"/>", stream);
    print_word(stmt->loop, stream);
    fputs("<mo>=</mo>", stream);
    print(stmt->first, stream);
    fputs("<mo>,</mo><mo>…</mo><mo>,</mo>", stream);
    print(stmt->last, stream);
}

static bool is_equation(const dry_stmt *stmt) {
    return stmt->kind == DRY_ST_EQUATION || stmt->kind == DRY_ST_DEFINE ||
           stmt->kind == DRY_ST_PUSH || stmt->kind == DRY_ST_FUNCTION || stmt->kind == DRY_ST_SET ||
           stmt->kind == DRY_ST_SAMPLE || stmt->kind == DRY_ST_STOP;
}

void dry_model_print_mathml(const dry_model *model, bool derived, FILE *stream) {
    const dry_tree *tree = &model->elab.tree;
    fputs("<math display=\"block\"><mtable class=\"equations\" displaystyle=\"true\">\n", stream);
    for (int i = 0; i < tree->n; i++) {
        const dry_stmt *stmt = &tree->stmt[i];
        if (!is_equation(stmt)) continue;
        const dry_force *force = dry_model__force_of(&model->elab, stmt);
        fputs("<mtr><mtd>", stream);
        bool written = false;
        if (force && !derived)
            written = dry_model__write_inclusion(stmt, force, &mathml_writer, stream);
        else if (force && stmt->kind == DRY_ST_SET)
            written = dry_model__write_lowered(stmt, force, &mathml_writer, stream);
        if (!written) print_plain(stmt, stream);
        print_loop(stmt, stream);
        fputs("</mtd></mtr>\n", stream);
    }
    fputs("</mtable></math>\n", stream);
}
