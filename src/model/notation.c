/* notation: visits an expression and fills the templates of a notation. */
#include "notation.h"

#include <string.h>

/* ---- precedence -------------------------------------------------------------------- */

static bool is_sum(const dry_expr *expr) {
    return expr->kind == DRY_EX_IF ||
           (expr->kind == DRY_EX_BINARY && !strchr("*/^", expr->text[0])) ||
           (expr->kind == DRY_EX_UNARY && expr->text[0] != '\'');
}

static bool is_minus(const dry_expr *expr) {
    return expr->kind == DRY_EX_UNARY && expr->text[0] == '-';
}

/* Returns true if the expression is taller than a line, so that its brackets must grow. */
static bool is_tall(const dry_expr *expr) {
    bool tall = expr->kind == DRY_EX_IF || expr->kind == DRY_EX_VECTOR ||
                expr->kind == DRY_EX_SUM || (expr->kind == DRY_EX_BINARY && expr->text[0] == '/');
    for (int i = 0; i < expr->n_args && !tall; i++) tall = is_tall(expr->arg[i]);
    return tall;
}

/* ---- the walk ---------------------------------------------------------------------- */

void dry_model__notate_list(const dry_notation *how, const dry_expr *const *item, int n,
                            const char *between, FILE *stream) {
    for (int i = 0; i < n; i++) {
        if (i) fputs(between, stream);
        dry_model__notate(how, item[i], stream);
    }
}

static void bracket(const dry_notation *how, bool bare, const dry_expr *expr, FILE *stream) {
    dry_model__notate_as(how, bare ? how->no_brackets : how->brackets, expr, stream);
}

void dry_model__notate_factor(const dry_notation *how, const dry_expr *expr, FILE *stream) {
    if (is_sum(expr))
        bracket(how, false, expr, stream);
    else
        dry_model__notate(how, expr, stream);
}

/* Writes the lines of a matrix; a vector has one number in each line. */
static void put_lines(const dry_notation *how, const dry_expr *expr, FILE *stream) {
    for (int i = 0; i < expr->n_args; i++) {
        const dry_expr *line = expr->arg[i];
        if (i) fputs(how->line, stream);
        if (line->kind == DRY_EX_VECTOR)
            dry_model__notate_list(how, line->arg, line->n_args, how->cell, stream);
        else
            dry_model__notate(how, line, stream);
    }
}

/* A vector of two before a set is an interval. */
static bool is_before_set(const dry_expr *expr) {
    return expr->kind == DRY_EX_BINARY && dry_lang_set_of(expr) == expr->arg[1];
}

void dry_model__notate_level(const dry_notation *how, const dry_expr *expr, FILE *stream) {
    if (expr->kind == DRY_EX_VECTOR)
        dry_model__notate_as(how, how->interval, expr, stream);
    else
        dry_model__notate(how, expr, stream);
}

static void put(const dry_notation *how, char sign, const dry_expr *expr, FILE *stream) {
    const dry_expr *const *arg = expr->arg;
    if ((sign == 'A' || sign == 'M') && arg[0]->kind == DRY_EX_VECTOR && is_before_set(expr)) {
        dry_model__notate_level(how, arg[0], stream);
        return;
    }
    switch (sign) {
    case 'A':
    case 'B': dry_model__notate_factor(how, arg[sign - 'A'], stream); break;
    case 'M':
        (is_minus(arg[0]) ? dry_model__notate : dry_model__notate_factor)(how, arg[0], stream);
        break;
    case 'P': bracket(how, how->plain & 1u << arg[0]->kind, arg[0], stream); break;
    case ',': dry_model__notate_list(how, arg, expr->n_args, how->arguments, stream); break;
    case ';': dry_model__notate_list(how, arg + 1, expr->n_args - 1, how->indices, stream); break;
    case 'v': put_lines(how, expr, stream); break;
    case 'x': fputs(how->times[arg[1]->kind == DRY_EX_NUMBER], stream); break;
    case 'e': dry_model__notate(how, expr, stream); break;
    case 'h': fputs(is_tall(expr) ? "" : how->low, stream); break;
    case 'o':
        if (expr->n_args > 2) dry_model__notate_as(how, how->third, expr, stream);
        break;
    case 't': how->symbol(expr->text, stream); break;
    default: dry_model__notate(how, arg[sign - 'a'], stream);
    }
}

void dry_model__notate_as(const dry_notation *how, const char *template, const dry_expr *expr,
                          FILE *stream) {
    for (const char *c = template; *c; c++)
        if (*c == '%')
            put(how, *++c, expr, stream);
        else
            fputc(*c, stream);
}

void dry_model__notate(const dry_notation *how, const dry_expr *expr, FILE *stream) {
    const dry_form *form = how->form;
    const dry_op_row *row = expr->kind == DRY_EX_CALL ? dry_op_find(expr->text) : NULL;
    if (row) {
        dry_model__notate_as(how, how->function(row), expr, stream);
        return;
    }
    while (form->kind != expr->kind || (form->text && strcmp(form->text, expr->text) != 0)) form++;
    if (form->write)
        form->write(expr, stream);
    else
        dry_model__notate_as(how, form->template, expr, stream);
}
