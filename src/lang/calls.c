/* calls: the functions of the language (functions of numbers are rows of ops.def) and the user's
 * own functions. */
#include "lang_private.h"

#include <string.h>

/* ---- functions of numbers ---------------------------------------------------------- */

typedef dry_term call_fn(dry_elab *elab, const dry_expr *expr, const dry_term *arg);

/* Checks that the argument is a pure number. If it is a time, reports that sin and similar
 * functions need a frequency. */
static bool pure(dry_elab *elab, dry_place at, const dry_op_row *row, dry_dim dim) {
    const char *what = dry_diag_text(elab->diag, "argument of %s", row->text);
    if (dry_lang__same_dim(elab, at, what, dim, dry_dim_pure())) return true;
    char unit[DRY_DIM_TEXT];
    const bool angular = row->takes == DRY_TAKES_ANGLE;
    if (!dry_dim_is_known(elab->dims, dim)) return false;
    dry_dim_text(elab->dims, dim, unit);
    if (angular && !strcmp(unit, "s"))
        dry_diag_way_out(elab->diag, "it takes an angle: write %s(1 [rad/s]*t)", row->text);
    else
        dry_diag_way_out(
            elab->diag,
            "it takes %s: divide the argument by a number in the same unit, %s(x/1 [%s])",
            angular ? "an angle (a pure number)" : "a pure number", row->text, unit);
    return false;
}

static dry_term wrong_shape(dry_elab *elab, const dry_expr *expr, const char *wants,
                            const dry_term *arg) {
    DRY_SAY(elab->diag, expr->at, BAD_ARGUMENT, expr->text, wants, dry_lang_shape(elab, arg));
    return dry_lang__bad(elab);
}

static dry_dim given_dim(dry_elab *elab, const dry_op_row *row, dry_dim dim) {
    static const double power[] = {[DRY_GIVES_SQUARE_ROOT] = 0.5, [DRY_GIVES_CUBE_ROOT] = 1.0 / 3};
    if (row->takes != DRY_TAKES_ANY || row->gives == DRY_GIVES_SAME) return dim;
    if (row->gives == DRY_GIVES_NUMBER) return dry_dim_pure();
    return dry_dim_combine(elab->dims, dim, power[row->gives], dry_dim_pure(), 0.0);
}

static void note_selection(dry_elab *elab, dry_node node, dry_place at) {
    dry_selection_info *info = DRY_GROW(elab->arena, &elab->quantities, selection);
    if (info) *info = (dry_selection_info){node, at};
}

static bool check_seed(dry_elab *elab, const dry_expr *expr, const dry_op_row *row) {
    int seed;
    if (!row->most_seed) return true;
    const char *what = dry_diag_text(elab->diag, "the seed of %s", row->text);
    return dry_lang__integer(elab, expr->arg[row->n_args - 1], what, 0, row->most_seed, &seed);
}

static dry_term call_plain(dry_elab *elab, const dry_expr *expr, const dry_op_row *row,
                           const dry_term *arg) {
    const dry_op op = (dry_op)(row - dry_op_rows);
    for (int i = 0; i < row->n_args; i++)
        if (arg[i].rank) return wrong_shape(elab, expr, "a number", &arg[i]);
    const dry_dim dim = arg[0].dim;
    if (row->n_args == 2 && !dry_lang__same_dim(elab, expr->at, expr->text, dim, arg[1].dim))
        return dry_lang__bad(elab);
    if (row->takes != DRY_TAKES_ANY && !pure(elab, expr->at, row, dim)) return dry_lang__bad(elab);
    if (!check_seed(elab, expr, row)) return dry_lang__bad(elab);
    const dry_node node = row->n_args == 1 ? dry_dag_un(elab->dag, op, arg[0].one)
                                           : dry_dag_bin(elab->dag, op, arg[0].one, arg[1].one);
    if (row->set) note_selection(elab, node, expr->at);
    return dry_lang__scalar(elab, node, given_dim(elab, row, dim));
}

/* ---- functions with rules of their own --------------------------------------------- */

static dry_term extreme(dry_elab *elab, const dry_expr *expr, const dry_term *arg, dry_op op) {
    dry_term v = arg[0];
    if (v.rank) return wrong_shape(elab, expr, "numbers", &v);
    for (int i = 1; i < expr->n_args; i++) {
        if (arg[i].rank) return wrong_shape(elab, expr, "numbers", &arg[i]);
        if (!dry_lang__same_dim(elab, expr->at, expr->text, v.dim, arg[i].dim))
            return dry_lang__bad(elab);
        v.one = dry_dag_bin(elab->dag, op, v.one, arg[i].one);
    }
    return v;
}
static dry_term call_min(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    return extreme(elab, expr, arg, DRY_OP_MIN);
}
static dry_term call_max(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    return extreme(elab, expr, arg, DRY_OP_MAX);
}

static dry_term call_pos(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    if (arg[0].rank) return wrong_shape(elab, expr, "a number", &arg[0]);
    return dry_lang__scalar(elab, dry_dag_bin(elab->dag, DRY_OP_MAX, 0, arg[0].one), arg[0].dim);
}

static dry_node sum_of_products(dry_elab *elab, const dry_term *a, const dry_term *b) {
    dry_node total = 0;
    for (int k = 0; k < dry_term_size(a); k++) {
        dry_node term = dry_dag_bin(elab->dag, DRY_OP_MUL, dry_term_at(a, k), dry_term_at(b, k));
        total = k ? dry_dag_bin(elab->dag, DRY_OP_ADD, total, term) : term;
    }
    return total;
}

dry_node dry_lang__norm(dry_elab *elab, const dry_term *v) {
    if (v->rows == 1) return dry_dag_un(elab->dag, DRY_OP_ABS, dry_term_at(v, 0));
    if (v->rows == 2) return dry_dag_bin(elab->dag, DRY_OP_HYPOT, v->many[0], v->many[1]);
    return dry_dag_un(elab->dag, DRY_OP_SQRT, sum_of_products(elab, v, v));
}

/* sat(Z, x): the projection of a number or a vector onto the ball of radius Z */
static dry_term call_sat(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    const dry_term *Z = &arg[0], *x = &arg[1];
    if (Z->rank) return wrong_shape(elab, expr, "a number first", Z);
    if (x->rank > 1) return wrong_shape(elab, expr, "a number or a vector second", x);
    if (!dry_lang__same_dim(elab, expr->at, "sat", Z->dim, x->dim)) return dry_lang__bad(elab);
    if (!x->rank)
        return dry_lang__scalar(elab, dry_dag_bin(elab->dag, DRY_OP_SAT, Z->one, x->one), x->dim);
    dry_node length = dry_lang__norm(elab, x);
    dry_node inside = dry_dag_bin(elab->dag, DRY_OP_LE, length, Z->one);
    dry_term v = dry_lang__array(elab, 1, x->rows, 1, x->dim);
    for (int k = 0; !v.bad && k < x->rows; k++) {
        dry_node unit = dry_dag_bin(elab->dag, DRY_OP_DIV, x->many[k], length);
        v.many[k] = dry_dag_select(elab->dag, inside, x->many[k],
                                   dry_dag_bin(elab->dag, DRY_OP_MUL, Z->one, unit));
    }
    return v;
}

static dry_term call_norm(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    if (arg[0].rank > 1) return wrong_shape(elab, expr, "a vector", &arg[0]);
    return dry_lang__scalar(elab, dry_lang__norm(elab, &arg[0]), arg[0].dim);
}

static dry_term call_dot(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    if (arg[0].rank != 1 || arg[1].rank != 1 || arg[0].rows != arg[1].rows)
        return wrong_shape(elab, expr, "two vectors of one size", &arg[arg[0].rank == 1]);
    return dry_lang__scalar(elab, sum_of_products(elab, &arg[0], &arg[1]),
                            dry_dim_combine(elab->dims, arg[0].dim, 1.0, arg[1].dim, 1.0));
}

static dry_term call_cross(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    for (int i = 0; i < 2; i++)
        if (arg[i].rank != 1 || arg[i].rows != 3)
            return wrong_shape(elab, expr, "two vectors of 3", &arg[i]);
    dry_term v = dry_lang__array(elab, 1, 3, 1,
                                 dry_dim_combine(elab->dims, arg[0].dim, 1.0, arg[1].dim, 1.0));
    const dry_node *a = arg[0].many, *b = arg[1].many;
    for (int k = 0; !v.bad && k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        v.many[k] =
            dry_dag_bin(elab->dag, DRY_OP_SUB, dry_dag_bin(elab->dag, DRY_OP_MUL, a[i], b[j]),
                        dry_dag_bin(elab->dag, DRY_OP_MUL, a[j], b[i]));
    }
    return v;
}

static dry_term call_transpose(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    const dry_term *a = &arg[0];
    if (a->rank != 2) return wrong_shape(elab, expr, "a matrix", a);
    dry_term v = dry_lang__array(elab, 2, a->cols, a->rows, a->dim);
    for (int i = 0; !v.bad && i < a->rows; i++)
        for (int j = 0; j < a->cols; j++) v.many[j * a->rows + i] = a->many[i * a->cols + j];
    return v;
}

dry_term dry_lang__solve(dry_elab *elab, const dry_term *A, const dry_term *b) {
    int n = A->rows;
    dry_node *args = dry_arena_take(elab->arena, sizeof *args * (size_t)(n * n + n));
    dry_term v =
        dry_lang__array(elab, 1, n, 1, dry_dim_combine(elab->dims, b->dim, 1.0, A->dim, -1.0));
    if (!args || v.bad) return dry_lang__bad(elab);
    memcpy(args, A->many, sizeof *args * (size_t)(n * n));
    memcpy(args + n * n, b->many, sizeof *args * (size_t)n);
    dry_node block = dry_dag_block(elab->dag, DRY_OP_SOLVE, (dry_block){.dim = n, .elements = 1},
                                   args, n * n + n);
    for (int k = 0; k < n; k++) v.many[k] = dry_dag_pick(elab->dag, block, k);
    return v;
}

/* solve(A, b): the vector x with A x = b */
static dry_term call_solve(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    const dry_term *A = &arg[0], *b = &arg[1];
    if (A->rank != 2 || A->rows != A->cols || A->rows > DRY_LARGEST_SOLVE)
        return wrong_shape(elab, expr, "a square matrix of at most 64 rows first", A);
    if (b->rank != 1 || b->rows != A->rows)
        return wrong_shape(elab, expr, "a vector with as many entries as the matrix has rows", b);
    return dry_lang__solve(elab, A, b);
}

static bool vectors_of(const dry_term *arg, int first, int second) {
    return arg[0].rank == 1 && arg[0].rows == first && arg[1].rank == 1 && arg[1].rows == second;
}

/* Returns the sum of +-a[i] b[j] over the rows (i, j, sign). */
static dry_node signed_products(dry_elab *elab, const dry_node *a, const dry_node *b,
                                const int (*rows)[3], int n) {
    dry_node total = 0;
    for (int k = 0; k < n; k++) {
        dry_node term = dry_dag_bin(elab->dag, DRY_OP_MUL, a[rows[k][0]], b[rows[k][1]]);
        if (!k && rows[k][2] < 0)
            total = dry_dag_un(elab->dag, DRY_OP_NEG, term);
        else if (!k)
            total = term;
        else
            total = dry_dag_bin(elab->dag, rows[k][2] > 0 ? DRY_OP_ADD : DRY_OP_SUB, total, term);
    }
    return total;
}

/* quatrate(q, w) = 1/2 (0, w) q, w in the frame of the world */
static dry_term call_quatrate(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    static const int rows[4][3][3] = {
        {{0, 1, -1}, {1, 2, -1}, {2, 3, -1}},
        {{0, 0, 1}, {1, 3, 1}, {2, 2, -1}},
        {{0, 3, -1}, {1, 0, 1}, {2, 1, 1}},
        {{0, 2, 1}, {1, 1, -1}, {2, 0, 1}},
    };
    if (!vectors_of(arg, 4, 3))
        return wrong_shape(elab, expr, "a vector of 4 and a vector of 3", &arg[0]);
    dry_term v = dry_lang__array(elab, 1, 4, 1,
                                 dry_dim_combine(elab->dims, arg[0].dim, 1.0, arg[1].dim, 1.0));
    dry_node half = dry_dag_const(elab->dag, 0.5);
    for (int k = 0; !v.bad && k < 4; k++)
        v.many[k] = dry_dag_bin(elab->dag, DRY_OP_MUL, half,
                                signed_products(elab, arg[1].many, arg[0].many, rows[k], 3));
    return v;
}

/* rotate(q, v) = v + 2 u x (u x v + q0 v), u the vector part of q */
static dry_term call_rotate(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    if (!vectors_of(arg, 4, 3))
        return wrong_shape(elab, expr, "a vector of 4 and a vector of 3", &arg[0]);
    dry_term u = {.rank = 1, .rows = 3, .cols = 1, .many = arg[0].many + 1, .dim = dry_dim_pure()};
    dry_term q0 = dry_lang__scalar(elab, arg[0].many[0], dry_dim_pure());
    dry_term two = dry_lang__scalar(elab, dry_dag_const(elab->dag, 2.0), dry_dim_pure());
    dry_term pair[2] = {u, arg[1]};
    dry_term inner = dry_lang__binary(elab, expr->at, "+", call_cross(elab, expr, pair),
                                      dry_lang__binary(elab, expr->at, "*", q0, arg[1]));
    pair[1] = inner;
    if (inner.bad) return inner;
    dry_term turn = call_cross(elab, expr, pair);
    return dry_lang__binary(elab, expr->at, "+", arg[1],
                            dry_lang__binary(elab, expr->at, "*", two, turn));
}

/* sum(v): the sum of the entries of a vector */
static dry_term call_sum(dry_elab *elab, const dry_expr *expr, const dry_term *arg) {
    if (arg[0].rank != 1)
        return wrong_shape(elab, expr, "a vector, or an expression with for i in a..b", &arg[0]);
    dry_node total = arg[0].many[0];
    for (int k = 1; k < arg[0].rows; k++)
        total = dry_dag_bin(elab->dag, DRY_OP_ADD, total, arg[0].many[k]);
    return dry_lang__scalar(elab, total, arg[0].dim);
}

typedef struct special {
    const char *name;
    int least, most;
    const char *form, *meaning; /* NULL: its row of ops.def has them */
    call_fn *call;
    bool yields; /* as in ops.def: a definition of the model replaces it */
    bool past;   /* its arguments mean what they are at any time, even in the text of a sample */
} special;

static const special specials[] = {
    {"min", 2, 1000, NULL, NULL, .call = call_min},
    {"max", 2, 1000, NULL, NULL, .call = call_max},
    {"pos", 1, 1, "pos(x)", "max(0, x)", .call = call_pos},
    {"sat", 2, 2, NULL, NULL, .call = call_sat},
    {"norm", 1, 1, "norm(a)", "the length of a vector", .call = call_norm},
    {"dot", 2, 2, "dot(a, b)", "the scalar product of two vectors", .call = call_dot},
    {"cross", 2, 2, "cross(a, b)", "the cross product of two vectors of 3", .call = call_cross},
    {"transpose", 1, 1, "transpose(A)", "the transpose of a matrix", .call = call_transpose},
    {"solve", 2, 2, "solve(A, b)", "the vector x with A x = b", .call = call_solve},
    {"quatrate", 2, 2, "quatrate(q, w)",
     "the rate of a unit quaternion q that turns with w in the axes of the world",
     .call = call_quatrate},
    {"rotate", 2, 2, "rotate(q, v)", "the vector v turned by the unit quaternion q",
     .call = call_rotate},
    {"sum", 1, 1, "sum(expression for i in a..b)",
     "a sum over i; sum(x): of the entries of a vector", .call = call_sum},
    {"delay", 2, 3, "delay(x, T)",
     "the value of x a time T ago; delay(x, T, before): with its value before the start",
     .call = dry_lang__delay, .yields = true, .past = true},
};

/* Names of functions that other files handle: those for measures. The names of sets come before
 * them. */
static const dry_word others[] = {
    {.text = "final", .form = "final(x)", .meaning = "the value at the end of a run"},
    {.text = "at", .form = "at(x, time)", .meaning = "the value at a time"},
    {.text = "mean", .form = "mean(x from a to b)", .meaning = "the mean over the time"},
    {.text = "rms", .form = "rms(x from a to b)", .meaning = "the root of the mean square"},
    {.text = "integral",
     .form = "integral(x from a to b)",
     .meaning = "the integral over the time"},
    {.text = "first",
     .form = "first(condition)",
     .meaning = "the first time at which it becomes true"},
    {.text = "last",
     .form = "last(condition)",
     .meaning = "the last time at which it becomes true"},
    {.text = "count", .form = "count(condition)", .meaning = "how often it becomes true"},
};

enum { N_SPECIALS = sizeof specials / sizeof *specials, N_OTHERS = sizeof others / sizeof *others };

/* Rows that are only functions of numbers come first. */
const char *dry_lang__builtin(int i) {
    for (const dry_op_row *row = dry_op_rows; row < dry_op_rows + DRY_N_OPS; row++)
        if (row->kind == DRY_FUNCTION && i-- == 0) return row->text;
    const int n_sets = dry_set_count();
    if (i < N_SPECIALS) return specials[i].name;
    i -= N_SPECIALS;
    if (i < n_sets) return dry_set_at(i)->name;
    return i - n_sets < N_OTHERS ? others[i - n_sets].text : NULL;
}

static const special *find_special(const char *name) {
    for (int i = 0; i < N_SPECIALS; i++)
        if (!strcmp(name, specials[i].name)) return &specials[i];
    return NULL;
}

static const dry_word *find_other(const char *name) {
    for (int i = 0; i < N_OTHERS; i++)
        if (!strcmp(name, others[i].text)) return &others[i];
    return NULL;
}

bool dry_lang_function(int index, dry_word *word) {
    const char *name = index >= 0 ? dry_lang__builtin(index) : NULL;
    if (!name) return false;
    const dry_op_row *row = dry_op_find(name);
    const special *found = find_special(name);
    const dry_word *other = find_other(name);
    const dry_set *set = dry_set_find(name);
    *word = (dry_word){.text = name};
    if (row) word->form = row->form, word->meaning = row->meaning;
    if (found && found->form) word->form = found->form, word->meaning = found->meaning;
    if (other) *word = *other;
    if (set) word->form = "", word->meaning = set->title;
    return true;
}

bool dry_lang_is_reserved(const char *name) {
    const dry_op_row *row = dry_op_find(name);
    if (row) return !row->yields;
    const special *found = find_special(name);
    if (found) return !found->yields;
    if (dry_set_find(name)) return !dry_set_find(name)->yields;
    return find_other(name) != NULL;
}

/* ---- the user's functions ---------------------------------------------------------- */

enum { DEEPEST_CALLS = 40 };

static dry_term call_function(dry_elab *elab, const dry_expr *expr, const dry_symbol *symbol,
                              const dry_term *arg) {
    const dry_stmt *stmt = symbol->stmt;
    if (expr->n_args != stmt->n_params) {
        DRY_SAY(elab->diag, expr->at, ARGUMENT_COUNT, expr->text,
                dry_diag_text(elab->diag, "%d", stmt->n_params),
                dry_diag_text(elab->diag, "%d", expr->n_args));
        return dry_lang__bad(elab);
    }
    if (elab->scope.depth >= DEEPEST_CALLS) {
        DRY_SAY(elab->diag, expr->at, RECURSION, expr->text);
        elab->scope.endless = true;
    }
    if (elab->scope.endless) return dry_lang__bad(elab);
    dry_local *locals = dry_arena_take(elab->arena, sizeof *locals * (size_t)(stmt->n_params + 1));
    if (!locals) return dry_lang__bad(elab);
    for (int i = 0; i < stmt->n_params; i++)
        locals[i] = (dry_local){stmt->param[i], &arg[i], i ? &locals[i - 1] : NULL};
    const dry_local *outside =
        elab->scope.locals; /* the body sees its arguments, not the caller's loop */
    elab->scope.locals = stmt->n_params ? &locals[stmt->n_params - 1] : NULL;
    elab->scope.depth++;
    dry_term v = dry_lang__expr(elab, stmt->value);
    elab->scope.depth--;
    elab->scope.endless = elab->scope.endless && elab->scope.depth > 0;
    elab->scope.locals = outside;
    return v;
}

/* ---- any call -----------------------------------------------------------------------------------
 */

static bool check_count(dry_elab *elab, const dry_expr *expr, int least, int most) {
    if (expr->n_args >= least && expr->n_args <= most && !expr->n_keys && !expr->from) return true;
    DRY_SAY(elab->diag, expr->at, ARGUMENT_COUNT, expr->text,
            least == most       ? dry_diag_text(elab->diag, "%d", least)
            : least + 1 == most ? dry_diag_text(elab->diag, "%d or %d", least, most)
                                : dry_diag_text(elab->diag, "at least %d", least),
            dry_diag_text(elab->diag, "%d", expr->n_args));
    return false;
}

static bool arguments(dry_elab *elab, const dry_expr *expr, dry_term **arg) {
    *arg = dry_arena_take(elab->arena, sizeof **arg * (size_t)(expr->n_args + 1));
    if (!*arg) return false;
    bool good = true;
    for (int i = 0; i < expr->n_args; i++) {
        (*arg)[i] = dry_lang__expr(elab, expr->arg[i]);
        good = good && !(*arg)[i].bad;
    }
    return good;
}

static dry_term misplaced(dry_elab *elab, const dry_expr *expr) {
    const dry_set *set = dry_set_find(expr->text);
    if (set) {
        DRY_SAY(elab->diag, expr->at, SET_INSIDE, expr->text);
        if (!set->has_level)
            dry_diag_way_out(elab->diag, "name it: %s in %s(...), and use %s here", set->force,
                             set->name, set->force);
    } else if (dry_law_find(expr->text))
        DRY_SAY(elab->diag, expr->at, LAW_INSIDE, expr->text);
    else if (dry_lang_is_reserved(expr->text))
        DRY_SAY(elab->diag, expr->at, ONLY_IN_MEASURE, expr->text);
    else
        dry_lang__unknown_function(elab, expr);
    return dry_lang__bad(elab);
}

/* Returns the function of numbers that the name means. A name that the model defines replaces a
 * function that yields. */
static const dry_op_row *plain_function(const char *name, const dry_symbol *symbol) {
    const dry_op_row *row = dry_op_find(name);
    return row && row->kind == DRY_FUNCTION && !(row->yields && symbol) ? row : NULL;
}

static dry_term call_special(dry_elab *elab, const dry_expr *expr, const special *found) {
    dry_term *arg;
    if (!check_count(elab, expr, found->least, found->most)) return dry_lang__bad(elab);
    const int instant = elab->scope.instant;
    if (found->past) elab->scope.instant = 0;
    const bool good = arguments(elab, expr, &arg);
    elab->scope.instant = instant;
    return good ? found->call(elab, expr, arg) : dry_lang__bad(elab);
}

dry_term dry_lang__call(dry_elab *elab, const dry_expr *expr) {
    bool is_reducer = false;
    dry_term reduced = dry_lang__reduce(elab, expr, &is_reducer);
    if (is_reducer) return reduced;
    dry_term *arg;
    dry_symbol *symbol = dry_lang_find(elab, expr->text);
    const dry_op_row *row = plain_function(expr->text, symbol);
    if (row) {
        if (!check_count(elab, expr, row->n_args, row->n_args)) return dry_lang__bad(elab);
        return arguments(elab, expr, &arg) ? call_plain(elab, expr, row, arg) : dry_lang__bad(elab);
    }
    const special *found = find_special(expr->text);
    if (found && !(found->yields && symbol)) return call_special(elab, expr, found);
    if (symbol && symbol->kind == DRY_SYM_FUNCTION) {
        dry_symbol copy = *symbol; /* the table may move while arguments are elaborated */
        return arguments(elab, expr, &arg) ? call_function(elab, expr, &copy, arg)
                                           : dry_lang__bad(elab);
    }
    if (symbol && symbol->kind == DRY_SYM_TABLE) {
        if (!dry_lang__make_table(elab, symbol)) return dry_lang__bad(elab);
        const dry_table_info *table = symbol->table;
        const int n = symbol->stmt->n_params;
        if (!check_count(elab, expr, n, n) || !arguments(elab, expr, &arg))
            return dry_lang__bad(elab);
        return dry_lang__call_table(elab, expr, table, arg);
    }
    if (symbol) {
        DRY_SAY(elab->diag, expr->at, NOT_A_FUNCTION, expr->text);
        return dry_lang__bad(elab);
    }
    return misplaced(elab, expr);
}
