/* term: the values of expressions, which are numbers, vectors and matrices of nodes with one
 * dimension, and their arithmetic. */
#include "lang_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making values ----------------------------------------------------------------- */

dry_term dry_lang__scalar(dry_elab *elab, dry_node node, dry_dim dim) {
    (void)elab;
    return (dry_term){.rows = 1, .cols = 1, .one = node, .dim = dim};
}

dry_term dry_lang__bad(dry_elab *elab) {
    dry_term v = dry_lang__scalar(elab, 0, dry_dim_unknown(elab->dims));
    v.bad = true;
    return v;
}

static const double free_work = 1e6, work_per_node = 20.0;

/* Nested sums and nested functions can need endless work for few nodes. So the work must stay in
 * proportion to the nodes that it makes. */
bool dry_lang__spend(dry_elab *elab, dry_place at, double work) {
    elab->scope.work += work;
    if (!dry_dag_failed(elab->dag) &&
        elab->scope.work <= free_work + work_per_node * dry_dag_count(elab->dag))
        return true;
    if (!elab->scope.exhausted) DRY_SAY(elab->diag, at, TOO_LARGE, "");
    elab->scope.exhausted = true;
    return false;
}

dry_term dry_lang__array(dry_elab *elab, int rank, int rows, int cols, dry_dim dim) {
    dry_term v = {.rank = rank, .rows = rows, .cols = cols, .dim = dim};
    elab->scope.work += (double)rows * cols;
    v.many = dry_arena_take(elab->arena, sizeof(dry_node) * (size_t)rows * (size_t)cols);
    return v.many ? v : dry_lang__bad(elab);
}

const char *dry_lang_shape(dry_elab *elab, const dry_term *v) {
    if (v->rank == 0) return "a number";
    if (v->rank == 1) return dry_diag_text(elab->diag, "a vector of %d", v->rows);
    return dry_diag_text(elab->diag, "a %d by %d matrix", v->rows, v->cols);
}

/* ---- dimensions -------------------------------------------------------------------- */

const char *dry_lang__dim_name(dry_elab *elab, dry_dim dim) {
    char text[DRY_DIM_TEXT];
    dim = dry_dim_resolve(elab->dims, dim);
    const bool known = dim.n == 0;
    dim.n = 0;
    dry_dim_text(elab->dims, dim, text);
    if (!known) return dry_diag_text(elab->diag, text[0] ? "[? %s]" : "[?]", text);
    return text[0] ? dry_diag_text(elab->diag, "[%s]", text) : "[1]";
}

bool dry_lang__same_dim(dry_elab *elab, dry_place at, const char *what, dry_dim a, dry_dim b) {
    if (dry_dim_unify(elab->dims, a, b)) return true;
    DRY_SAY(elab->diag, at, DIMENSIONS, what, dry_lang__dim_name(elab, a),
            dry_lang__dim_name(elab, b));
    if (!dry_dim_is_known(elab->dims, a))
        dry_diag_way_out(elab->diag, "give the states and parameters units, and a rate its factor "
                                     "in 1/s; `?` stands for the same unknown unit on both sides");
    return false;
}

/* ---- constants --------------------------------------------------------------------- */

bool dry_lang__peek(const dry_elab *elab, dry_node node, double *value) {
    unsigned on = dry_dag_depends(elab->dag, node);
    if (on & ~(unsigned)DRY_ON_PAR) return false;
    *value = dry_dag_value(elab->dag, node, elab->quantities.par_value, 0.0, NULL, NULL, 0);
    return true;
}

typedef struct awaiting {
    const dry_elab *elab;
    bool found;
} awaiting;

/* The slot of a measure, or what the compiler chooses later, holds nan until then. */
static void see_slot(void *user, int par) {
    awaiting *a = user;
    a->found |= a->elab->quantities.param[par].hidden && isnan(a->elab->quantities.par_value[par]);
}

static bool awaits(const dry_elab *elab, dry_node node) {
    awaiting a = {.elab = elab};
    if (!(dry_dag_depends(elab->dag, node) & DRY_ON_PAR)) return false;
    return !dry_dag_each_par(elab->dag, node, see_slot, &a) || a.found;
}

bool dry_lang__known(dry_elab *elab, dry_node node, double *value) {
    if (!dry_lang__peek(elab, node, value) || awaits(elab, node)) return false;
    dry_lang_note(elab, node);
    return true;
}

static void mark_timed(void *user, int par) {
    ((dry_elab *)user)->quantities.param[par].timed = true;
}

bool dry_lang__timed(dry_elab *elab, dry_node node, double *value) {
    if (!dry_lang__peek(elab, node, value) || awaits(elab, node)) return false;
    return !(dry_dag_depends(elab->dag, node) & DRY_ON_PAR) ||
           dry_dag_each_par(elab->dag, node, mark_timed, elab);
}

static bool constant(dry_elab *elab, const dry_expr *expr, const char *what, dry_node *node,
                     double *value) {
    dry_term v = dry_lang__scalar_expr(elab, expr, what);
    if (v.bad) return false;
    *node = v.one;
    if (dry_lang__known(elab, v.one, value) && isfinite(*value)) return true;
    DRY_SAY(elab->diag, expr->at, NOT_CONSTANT, what);
    return false;
}

bool dry_lang__constant(dry_elab *elab, const dry_expr *expr, const char *what, double *value) {
    dry_node node;
    return constant(elab, expr, what, &node, value);
}

bool dry_lang__integer(dry_elab *elab, const dry_expr *expr, const char *what, int low, int high,
                       int *value) {
    double x;
    dry_node node;
    if (!constant(elab, expr, what, &node, &x)) return false;
    dry_lang_fix(elab, node);
    if (x == floor(x) && x >= low && x <= high) {
        *value = (int)x;
        return true;
    }
    if (high < low && elab->diag->n_errors > 0) return false; /* no elements: reported */
    if (elab->too_large != 0.0 && x == elab->too_large)
        return false; /* of a size, then of a loop */
    if (fabs(x) > DRY_MOST_TERMS && elab->too_large == 0.0) elab->too_large = x;
    DRY_SAY(elab->diag, expr->at, NOT_INTEGER, what, dry_diag_text(elab->diag, "%.10g", x),
            dry_diag_text(elab->diag, "%d", low), dry_diag_text(elab->diag, "%d", high));
    if (x != floor(x))
        dry_diag_way_out(elab->diag, "use floor(...), which gives a whole number");
    else if (x > high && !strcmp(what, "an index") && high < DRY_MOST_TERMS)
        dry_diag_way_out(elab->diag, "it has %d element%s", high, high == 1 ? "" : "s");
    else if (x < low && low == 1)
        dry_diag_way_out(elab->diag, "use at least 1: indices and sizes start at 1");
    return false;
}

dry_term dry_lang__scalar_expr(dry_elab *elab, const dry_expr *expr, const char *what) {
    dry_term v = dry_lang__expr(elab, expr);
    if (v.bad || v.rank == 0) return v;
    DRY_SAY(elab->diag, expr->at, NOT_A_NUMBER, what, dry_lang_shape(elab, &v));
    return dry_lang__bad(elab);
}

/* ---- arithmetic -------------------------------------------------------------------- */

dry_term dry_lang__shapes_differ(dry_elab *elab, dry_place at, const char *sign, const dry_term *a,
                                 const dry_term *b) {
    DRY_SAY(elab->diag, at, SHAPES, sign, dry_lang_shape(elab, a), dry_lang_shape(elab, b));
    if (sign[0] == '*' && a->rank == 1 && b->rank == 1)
        dry_diag_way_out(elab->diag, "write dot(a, b) or cross(a, b)");
    return dry_lang__bad(elab);
}

bool dry_lang__same_shape(const dry_term *a, const dry_term *b) {
    return a->rank == b->rank && a->rows == b->rows && a->cols == b->cols;
}

/* Applies one operation to each pair of entries; combines a number with every entry. */
static dry_term entrywise(dry_elab *elab, dry_op op, const dry_term *a, const dry_term *b,
                          dry_dim dim) {
    const dry_term *shape = a->rank ? a : b;
    if (!shape->rank)
        return dry_lang__scalar(elab, dry_dag_bin(elab->dag, op, a->one, b->one), dim);
    dry_term v = dry_lang__array(elab, shape->rank, shape->rows, shape->cols, dim);
    if (v.bad) return v;
    for (int k = 0; k < dry_term_size(&v); k++)
        v.many[k] = dry_dag_bin(elab->dag, op, dry_term_at(a, a->rank ? k : 0),
                                dry_term_at(b, b->rank ? k : 0));
    return v;
}

static dry_term add(dry_elab *elab, dry_place at, dry_op op, const char *sign, dry_term a,
                    dry_term b) {
    if (!dry_lang__same_shape(&a, &b)) return dry_lang__shapes_differ(elab, at, sign, &a, &b);
    if (!dry_lang__same_dim(elab, at, op == DRY_OP_ADD ? "sum" : "difference", a.dim, b.dim))
        return dry_lang__bad(elab);
    return entrywise(elab, op, &a, &b, a.dim);
}

/* Returns the product of a matrix with a matrix or a vector. */
static dry_term matrix_product(dry_elab *elab, dry_place at, const dry_term *a, const dry_term *b,
                               dry_dim dim) {
    dry_term v = dry_lang__array(elab, b->rank, a->rows, b->cols, dim);
    if (v.bad) return v;
    for (int i = 0; i < a->rows; i++) {
        if (!dry_lang__spend(elab, at, (double)a->cols * b->cols)) return dry_lang__bad(elab);
        for (int j = 0; j < b->cols; j++) {
            dry_node total = 0;
            for (int k = 0; k < a->cols; k++) {
                dry_node term = dry_dag_bin(elab->dag, DRY_OP_MUL, a->many[i * a->cols + k],
                                            b->many[k * b->cols + j]);
                total = k ? dry_dag_bin(elab->dag, DRY_OP_ADD, total, term) : term;
            }
            v.many[i * b->cols + j] = total;
        }
    }
    return v;
}

static dry_term multiply(dry_elab *elab, dry_place at, dry_term a, dry_term b) {
    dry_dim dim = dry_dim_combine(elab->dims, a.dim, 1.0, b.dim, 1.0);
    if (!a.rank || !b.rank) return entrywise(elab, DRY_OP_MUL, &a, &b, dim);
    if (a.rank == 2 && a.cols == b.rows) return matrix_product(elab, at, &a, &b, dim);
    return dry_lang__shapes_differ(elab, at, "*", &a, &b);
}

static dry_term divide(dry_elab *elab, dry_place at, dry_term a, dry_term b) {
    if (b.rank) return dry_lang__shapes_differ(elab, at, "/", &a, &b);
    return entrywise(elab, DRY_OP_DIV, &a, &b,
                     dry_dim_combine(elab->dims, a.dim, 1.0, b.dim, -1.0));
}

static dry_term raise(dry_elab *elab, dry_place at, dry_term a, dry_term b) {
    if (a.rank || b.rank) return dry_lang__shapes_differ(elab, at, "^", &a, &b);
    double exponent;
    if (!dry_lang__same_dim(elab, at, "exponent", b.dim, dry_dim_pure()))
        return dry_lang__bad(elab);
    dry_dim dim = dry_dim_pure();
    if (dry_lang__known(elab, b.one, &exponent))
        dim = dry_dim_combine(elab->dims, a.dim, exponent, dry_dim_pure(), 0.0);
    else if (!dry_lang__same_dim(elab, at, "base of a power that varies", a.dim, dry_dim_pure()))
        return dry_lang__bad(elab);
    return dry_lang__scalar(elab, dry_dag_bin(elab->dag, DRY_OP_POW, a.one, b.one), dim);
}

typedef struct compare_row {
    const char *sign;
    dry_op op;
    bool swap;
} compare_row;
static const compare_row compares[] = {
    {"<", DRY_OP_LT, false}, {"<=", DRY_OP_LE, false}, {">", DRY_OP_LT, true},
    {">=", DRY_OP_LE, true}, {"==", DRY_OP_EQ, false}, {"!=", DRY_OP_NE, false},
};

static dry_term compare(dry_elab *elab, dry_place at, const compare_row *row, dry_term a,
                        dry_term b) {
    if (a.rank || b.rank) return dry_lang__shapes_differ(elab, at, row->sign, &a, &b);
    if (!dry_lang__same_dim(elab, at, "comparison", a.dim, b.dim)) return dry_lang__bad(elab);
    dry_node node = row->swap ? dry_dag_bin(elab->dag, row->op, b.one, a.one)
                              : dry_dag_bin(elab->dag, row->op, a.one, b.one);
    return dry_lang__scalar(elab, node, dry_dim_pure());
}

dry_term dry_lang__binary(dry_elab *elab, dry_place at, const char *sign, dry_term a, dry_term b) {
    if (a.bad || b.bad) return dry_lang__bad(elab);
    if (!strcmp(sign, "+")) return add(elab, at, DRY_OP_ADD, sign, a, b);
    if (!strcmp(sign, "-")) return add(elab, at, DRY_OP_SUB, sign, a, b);
    if (!strcmp(sign, "*")) return multiply(elab, at, a, b);
    if (!strcmp(sign, "/")) return divide(elab, at, a, b);
    if (!strcmp(sign, "^")) return raise(elab, at, a, b);
    for (size_t i = 0; i < sizeof compares / sizeof *compares; i++)
        if (!strcmp(sign, compares[i].sign)) return compare(elab, at, &compares[i], a, b);
    if (a.rank || b.rank) return dry_lang__shapes_differ(elab, at, sign, &a, &b);
    dry_op op = !strcmp(sign, "and") ? DRY_OP_AND : DRY_OP_OR;
    return dry_lang__scalar(elab, dry_dag_bin(elab->dag, op, a.one, b.one), dry_dim_pure());
}

/* ---- parameters that decide something --------------------------------------------------- */

static void mark_structural(void *user, int par) {
    ((dry_elab *)user)->quantities.param[par].structural = true;
}

static void mark_fixed(void *user, int par) {
    dry_param_info *param = &((dry_elab *)user)->quantities.param[par];
    param->structural = param->fixed = true;
}

void dry_lang_fix(dry_elab *elab, dry_node node) {
    if (!(dry_dag_depends(elab->dag, node) & DRY_ON_PAR)) return;
    if (dry_dag_each_par(elab->dag, node, mark_fixed, elab)) return;
    for (int i = 0; i < elab->quantities.n_params; i++) mark_fixed(elab, i);
}

void dry_lang_note(dry_elab *elab, dry_node node) {
    if (dry_dag_each_par(elab->dag, node, mark_structural, elab)) return;
    for (int i = 0; i < elab->quantities.n_params; i++) elab->quantities.param[i].structural = true;
}

const char *dry_lang__text_of(dry_elab *elab, const dry_expr *expr) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = dry_text_open(&text, &length);
    if (stream) dry_syntax_print_expr(expr, stream);
    if (!stream || !dry_text_close(stream, &text)) dry_arena_fail(elab->arena);
    const char *kept = text ? dry_arena_text(elab->arena, text, length) : NULL;
    free(text);
    return kept ? kept : "";
}
