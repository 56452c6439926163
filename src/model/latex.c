/* latex: the inclusion and the derived equations in LaTeX, for a paper; `align` needs amsmath. */
#include "model_private.h"
#include "notation.h"

#include <stdlib.h>
#include <string.h>

/* ---- names and numbers ------------------------------------------------------------- */

/* Prints the Greek letter of two bytes at c; as its code if LaTeX has no command for it. */
static void print_greek(const char *c, FILE *stream) {
    const unsigned code = ((unsigned)c[0] & 0x1F) << 6 | ((unsigned)c[1] & 0x3F);
    const char *command = dry_symbol_command(code);
    if (command)
        fprintf(stream, "{%s}", command);
    else
        fprintf(stream, "\\mathrm{U%04X}", code);
}

static bool is_ascii(char c) { return !((unsigned char)c & 0x80); }

static void print_word(const char *text, size_t length, FILE *stream) {
    for (const char *c = text; c < text + length; c++)
        if (!is_ascii(*c))
            print_greek(c++, stream);
        else
            fputs(*c == '_' ? "\\_" : (char[]){*c, 0}, stream);
}

/* Prints the letter of a name as one: `mu` and μ as \mu; words in \mathit. */
static void print_stem(const char *name, size_t length, FILE *stream) {
    if (dry_symbol_greek(name, length)) {
        fprintf(stream, "\\%.*s", (int)length, name);
        return;
    }
    const bool word = length > (is_ascii(*name) ? 1 : 2);
    if (word) fputs("\\mathit{", stream);
    print_word(name, length, stream);
    if (word) fputs("}", stream);
}

/* Prints v0 as v_{0} and mu_1 as \mu_{1}. A name of two letters gets an index only for a direction:
 * vx is v_{x}, fe is not f_{e}. m.x, of an included file, is x_{\mathrm{m}}. */
static void print_dotted(const char *name, bool rate, FILE *stream) {
    const char *rest, *file = name, *dot = strrchr(name, '.');
    if (dot) name = dot + 1;
    const size_t stem = dry_symbol_stem(name, &rest);
    if (rate) fputs("\\dot{", stream); /* over the letter, not over its index */
    print_stem(name, stem, stream);
    if (rate) fputs("}", stream);
    if (!*rest && !dot) return;
    fputs("_{", stream);
    print_word(rest, strlen(rest), stream);
    if (dot) {
        fputs(*rest ? ",\\mathrm{" : "\\mathrm{", stream);
        print_word(file, (size_t)(dot - file), stream);
        fputs("}", stream);
    }
    fputs("}", stream);
}

static void print_symbol(const char *name, FILE *stream) { print_dotted(name, false, stream); }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The signs of a unit that are not ASCII, two bytes each (src/syntax/dim.c). */
static const char *sign_of_unit(const char *c) {
    static const char *const signs[][2] = {
        {"µ", "\\mu "}, {"μ", "\\mu "}, {"·", "\\,"}, {"²", "^{2}"}, {"³", "^{3}"}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (!strncmp(c, signs[i][0], 2)) return signs[i][1];
    return NULL;
}

/* Prints um/s^2 with a Greek prefix (no unit begins with u) and its powers in braces. */
static void print_unit(const char *unit, FILE *stream) {
    for (const char *c = unit; *c; c++) {
        const bool begins = c == unit || !is_letter(c[-1]);
        const char *sign = sign_of_unit(c);
        size_t power = *c == '^' ? strspn(c + 1, "-.0123456789") : 0;
        if (power && c[power] == '.') power--; /* m^2.s is a product */
        if (sign)
            fputs(sign, stream);
        else if (*c == 'u' && begins && is_letter(c[1]))
            fputs("\\mu ", stream);
        else if (power)
            fprintf(stream, "^{%.*s}", (int)power, c + 1);
        else if (*c == ' ' || *c == '*' || *c == '.')
            fputs("\\,", stream);
        else
            fprintf(stream, "%s%c", *c == '%' ? "\\" : "", *c);
        c += sign ? 1 : power;
    }
}

static void print_number(const dry_expr *expr, FILE *stream) {
    const char *e = strpbrk(expr->text, "eE");
    if (e)
        fprintf(stream, "%.*s \\times 10^{%d}", (int)(e - expr->text), expr->text, atoi(e + 1));
    else
        fputs(expr->text, stream);
    if (!expr->unit) return;
    fputs("\\,\\mathrm{", stream);
    print_unit(expr->unit, stream);
    fputs("}", stream);
}

/* ---- expressions ------------------------------------------------------------------- */

static void print(const dry_expr *expr, FILE *stream);

static void print_name(const dry_expr *expr, FILE *stream) { print_symbol(expr->text, stream); }

/* Prints a of f as a with the index f, q_dot of arm as q with two indices, and arm.tip.v unchanged.
 */
static void print_member(const dry_expr *expr, FILE *stream) {
    const char *index;
    const size_t stem = dry_symbol_stem(expr->member, &index);
    if (!expr->n_args && strchr(expr->member, '.')) {
        fputs("\\mathrm{", stream);
        print_word(expr->text, strlen(expr->text), stream);
        fputs(".", stream);
        print_word(expr->member, strlen(expr->member), stream);
        fputs("}", stream);
        return;
    }
    print_stem(expr->member, stem, stream);
    fputs("_{", stream);
    print_word(index, strlen(index), stream);
    if (*index) fputs(",", stream);
    if (expr->n_args)
        print(expr->arg[0], stream);
    else
        print_symbol(expr->text, stream);
    fputs("}", stream);
}

/* Prints a name such as hunt_crossley, or a sign. */
static void print_text(const char *text, FILE *stream) { print_word(text, strlen(text), stream); }

#define SIGN(text, sign)                                                                           \
    { DRY_EX_BINARY, text, "%a " sign " %b", NULL }
static const dry_form forms[] = {
    {DRY_EX_NUMBER, NULL, NULL, print_number},
    {DRY_EX_NAME, NULL, NULL, print_name},
    {DRY_EX_TEXT, NULL, "\\text{%t}", NULL},
    {DRY_EX_MEMBER, NULL, NULL, print_member},
    {DRY_EX_INDEX, NULL, "{%a}_{%;}", NULL},
    {DRY_EX_CALL, "norm", "\\left\\|%a\\right\\|", NULL},
    {DRY_EX_CALL, "transpose", "{%P}^{\\mathsf{T}}", NULL},
    {DRY_EX_CALL, "delay", "%P\\left(t - %B\\right)%o", NULL},
    {DRY_EX_CALL, NULL, "\\operatorname{%t}\\left(%,\\right)", NULL},
    {DRY_EX_UNARY, "not", "\\neg %A", NULL},
    {DRY_EX_UNARY, "'", "\\dot{%a}", NULL},
    {DRY_EX_UNARY, NULL, "-%A", NULL},
    {DRY_EX_BINARY, "/", "\\frac{%a}{%b}", NULL},
    {DRY_EX_BINARY, "^", "{%P}^{%b}", NULL},
    {DRY_EX_BINARY, "*", "%A%x%B", NULL},
    {DRY_EX_BINARY, "-", "%a - %B", NULL},
    SIGN("==", "="),
    SIGN("!=", "\\ne"),
    SIGN("<=", "\\le"),
    SIGN(">=", "\\ge"),
    SIGN("and", "\\wedge"),
    SIGN("or", "\\vee"),
    SIGN(NULL, "%t"),
    {DRY_EX_IF, NULL, "\\begin{cases}%b & \\text{if } %a \\\\ %c & \\text{otherwise}\\end{cases}",
     NULL},
    {DRY_EX_VECTOR, NULL, "\\begin{bmatrix}%v\\end{bmatrix}", NULL},
    {DRY_EX_SUM, NULL, "\\sum_{%t=%b}^{%c} %A", NULL},
};

static const char *template_of(const dry_op_row *row) { return row->latex; }

static const dry_notation latex = {
    .function = template_of,
    .form = forms,
    .brackets = "\\left(%e\\right)",
    .no_brackets = "%e",
    .interval = "\\left[%,\\right]",
    .arguments = ", ",
    .indices = ",",
    .third = "\\big|_{t \\le 0:\\ %c}",
    .cell = " & ",
    .line = " \\\\ ",
    .times = {" ", " \\cdot "},
    .low = "",
    .plain = 1u << DRY_EX_NAME | 1u << DRY_EX_NUMBER,
    .symbol = print_text,
};

static void print(const dry_expr *expr, FILE *stream) { dry_model__notate(&latex, expr, stream); }

static void print_factor(const dry_expr *expr, FILE *stream) {
    dry_model__notate_factor(&latex, expr, stream);
}

static void print_level(const dry_expr *expr, FILE *stream) {
    dry_model__notate_level(&latex, expr, stream);
}

/* ---- equations --------------------------------------------------------------------- */

static void print_side(const dry_stmt *stmt, bool rate, FILE *stream) {
    print_dotted(stmt->name, rate, stream);
    if (!stmt->index) return;
    fputs("^{(", stream); /* the symbol may have its own subscript */
    print(stmt->index, stream);
    fputs(")}", stream);
}

static void print_left(const dry_stmt *stmt, FILE *stream) { print_side(stmt, false, stream); }

/* X13 (18) for both signs of the force, X13 (24) and (25); a_f, K_f belong to the force f. */
#define SAT                                                                                        \
    "\\operatorname{sat}\\left(<F>,\\ K_{<f>}\\left(a_{<f>} + \\beta_{<f>} <v>\\right)\\right)"
#define NEXT " \\\\\n"
#define STRETCHED "\\dot a_{<f>} &= \\frac{h_{<f>} / K_{<f>} - a_{<f>}}{\\beta_{<f>}}"
#define PRESS                                                                                      \
    "\\frac{K_{<f>} \\beta_{<f>}}{\\alpha_{<f>}} "                                                 \
    "\\left(y_{<f>} - \\operatorname{proj}_{<P>} y_{<f>}\\right),\\quad "                          \
    "y_{<f>} = <u> - \\left(1 - \\frac{\\alpha_{<f>}}{\\beta_{<f>}}\\right) e_{<f>}"
#define INDENT(sign) "\\dot e_{<f>} &= \\frac{" sign "<f> / K_{<f>} - e_{<f>}}{\\beta_{<f>}}"
static const char *rows_of(const dry_law_inclusion *rows) { return rows->latex; }
static const char *level_of(const dry_law_inclusion *rows) { return rows->latex_level; }
static const dry_writer latex_writer = {
    .name = print_left,
    .expr = print,
    .factor = print_factor,
    .level = print_level,
    .relaxed[DRY_RESOLVENT_FRICTION] =
        {"<f> &= " SAT NEXT "\\dot a_{<f>} &= \\frac{<f> / K_{<f>} - a_{<f>}}{\\beta_{<f>}}",
         "<f> &= -" SAT NEXT "\\dot a_{<f>} &= \\frac{-<f> / K_{<f>} - a_{<f>}}{\\beta_{<f>}}"},
    .relaxed[DRY_RESOLVENT_CONTACT] =
        {"<f> &= K_{<f>} \\max\\left(0,\\ e_{<f>} - \\frac{\\beta_{<f>}}{\\alpha_{<f>}} "
         "\\left(<u> + e_{<f>}\\right)\\right)" NEXT
         "\\dot e_{<f>} &= \\max\\left(-\\frac{e_{<f>}}{\\beta_{<f>}},\\ "
         "-\\frac{<u> + e_{<f>}}{\\alpha_{<f>}}\\right)"},
    .relaxed[DRY_RESOLVENT_BACKLASH] = {"<f> &= -" PRESS NEXT INDENT("-"),
                                        "<f> &= " PRESS NEXT INDENT("")},
    .cone = {"<f> &\\in -\\mathcal{N}_{<P>}\\left(<u>\\right)",
             "<f> &\\in \\mathcal{N}_{<P>}\\left(<u>\\right)"},
    .stretched = {"<f> &= <A> h_{<f>},\\quad h_{<f>} = " SAT NEXT STRETCHED,
                  "<f> &= -<A> h_{<f>},\\quad h_{<f>} = " SAT NEXT STRETCHED},
    .named = "<f> &= <s>\\operatorname{<L>}\\left(<u>\\right)",
    .law = print_text,
    .inclusion = rows_of,
    .inclusion_level = level_of,
    .next = NEXT,
    .minus = "-",
    .index = {"i", "k"},
};

static void print_plain(const dry_stmt *stmt, FILE *stream) {
    bool rate = stmt->kind == DRY_ST_EQUATION;
    if (stmt->kind == DRY_ST_STOP) {
        fputs("&\\text{stop when } ", stream);
        print(stmt->value, stream);
        return;
    }
    if (stmt->factor) {
        print_factor(stmt->factor, stream);
        fputs(" ", stream);
    }
    if (stmt->target)
        print(stmt->target, stream);
    else
        print_side(stmt, rate, stream);
    const bool set = stmt->kind == DRY_ST_SET;
    fputs(stmt->target ? " &\\mathrel{+}= " : set ? " &\\in " : " &= ", stream);
    print(stmt->value, stream);
}

/* at t = 0, T, 2T, ... */
static void print_instants(const dry_stmt *stmt, FILE *stream) {
    if (!stmt->every) return;
    fputs(", \\qquad t = 0,\\ ", stream);
    print(stmt->every, stream);
    fputs(",\\ 2\\cdot ", stream);
    print(stmt->every, stream);
    fputs(", \\dots", stream);
}

static void print_loop(const dry_stmt *stmt, FILE *stream) {
    print_instants(stmt, stream);
    if (!stmt->loop) return;
    fprintf(stream, ", \\qquad %s = ", stmt->loop);
    print(stmt->first, stream);
    fputs(", \\dots, ", stream);
    print(stmt->last, stream);
}

static bool is_written(const dry_stmt *stmt) {
    return stmt->kind == DRY_ST_EQUATION || stmt->kind == DRY_ST_DEFINE ||
           stmt->kind == DRY_ST_PUSH || stmt->kind == DRY_ST_SET || stmt->kind == DRY_ST_SAMPLE ||
           stmt->kind == DRY_ST_STOP;
}

static void print_statement(const dry_model *model, const dry_stmt *stmt, bool derived,
                            FILE *stream) {
    const dry_force *force = dry_model__force_of(&model->elab, stmt);
    bool written = false;
    if (force && !derived)
        written = dry_model__write_inclusion(stmt, force, &latex_writer, stream);
    else if (force && stmt->kind == DRY_ST_SET)
        written = dry_model__write_lowered(stmt, force, &latex_writer, stream);
    if (!written) print_plain(stmt, stream);
    print_loop(stmt, stream);
}

void dry_model_print_latex(const dry_model *model, bool derived, FILE *stream) {
    const dry_tree *tree = &model->elab.tree;
    bool first = true;
    for (int i = 0; i < tree->n; i++) {
        if (!is_written(&tree->stmt[i])) continue;
        fputs(first ? "\\begin{align}\n" : " \\\\\n", stream);
        first = false;
        print_statement(model, &tree->stmt[i], derived, stream);
    }
    /* LaTeX refuses an align without rows. */
    fputs(first ? "% no equations: the model is made of parts\n" : "\n\\end{align}\n", stream);
}
