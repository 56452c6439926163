/* quantities: turns parameters, states, definitions and equations into nodes. It elaborates each
 * quantity at its first use, so that the order of statements does not matter. */
#include "lang_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double work_per_element = 0.25; /* of an indexed name; only for its size */

/* ---- loops ------------------------------------------------------------------------- */

/* Finds the element that a statement defines, with its index from 0. If the index is bad, reports
 * it and returns false. */
static bool element_index(dry_elab *elab, const dry_stmt *stmt, int most, int *index) {
    *index = 0;
    if (!stmt->index) return true;
    if (!dry_lang__integer(elab, stmt->index, "an index", 1, most, index)) return false;
    (*index)--;
    return true;
}

/* ---- values ------------------------------------------------------------------------ */

/* The value of a statement. What stands in place of that of an included file must have its shape
 * and its dimension. */
static dry_term value_of(dry_elab *elab, const dry_stmt *stmt) {
    const dry_term v = dry_lang__expr(elab, stmt->value);
    if (!stmt->was || v.bad) return v;
    const dry_term was = dry_lang__expr(elab, stmt->was);
    if (was.bad) return was;
    if (!dry_lang__same_shape(&v, &was))
        return dry_lang__shapes_differ(elab, stmt->at, "=", &was, &v);
    return dry_lang__same_dim(elab, stmt->at, "value and what it replaces", was.dim, v.dim)
               ? v
               : dry_lang__bad(elab);
}

/* ---- parameters -------------------------------------------------------------------- */

static const char *entry_name(dry_elab *elab, const char *name, const dry_term *v, int k) {
    if (v->rank == 0) return name;
    if (v->rank == 1) return dry_diag_text(elab->diag, "%s[%d]", name, k + 1);
    return dry_diag_text(elab->diag, "%s[%d,%d]", name, k / v->cols + 1, k % v->cols + 1);
}

/* Makes one parameter for each entry of the value; the nodes of the value become these
 * parameters. */
static void define_param(dry_elab *elab, dry_symbol *symbol) {
    const dry_stmt *stmt = symbol->stmt;
    dry_term v = value_of(elab, stmt);
    symbol->first = elab->quantities.n_params;
    for (int k = 0; !v.bad && k < dry_term_size(&v); k++) {
        double value = (double)NAN;
        const char *name = entry_name(elab, symbol->name, &v, k);
        dry_lang__peek(elab, dry_term_at(&v, k), &value);
        const bool set = dry_lang__set_entry(elab, symbol, &v, k, name, &value);
        if (!isfinite(value)) DRY_SAY(elab->diag, stmt->at, PARAM_NOT_FINITE, name);
        dry_param_info *param = dry_lang__add_param(elab, name, v.dim, value, stmt->at);
        if (!param) return;
        param->meaning = set ? -1 : dry_term_at(&v, k);
        dry_term_put(&v, k, dry_dag_leaf(elab->dag, DRY_OP_PAR, elab->quantities.n_params - 1));
    }
    symbol->value = v;
    symbol->progress = DRY_DONE;
    if (stmt->range.from && !v.bad) dry_lang__define_range(elab, symbol);
}

void dry_lang_params(dry_elab *elab) {
    dry_lang__read_settings(elab);
    elab->scope.only_params = true;
    elab->scope.only_what = "a parameter";
    for (int i = 0; i < elab->names.n_symbols; i++) /* in the order of the text */
        if (elab->names.symbol[i].kind == DRY_SYM_PARAM) define_param(elab, &elab->names.symbol[i]);
    elab->scope.only_params = false;
    dry_lang__check_settings(elab);
    dry_lang_check_ranges(elab);
}

/* ---- states ------------------------------------------------------------------------ */

enum { NODES_PER_STATE = 2 }; /* a state takes more memory than a node of its own */

static void define_state(dry_elab *elab, dry_symbol *symbol) {
    const dry_stmt *stmt = symbol->stmt;
    int n = 1;
    if (stmt->size &&
        !dry_lang__integer(elab, stmt->size, "the size of a state", 1, DRY_MOST_TERMS, &n)) {
        n = 1;
        symbol->faulty = true; /* its equations may be gone with the size */
    }
    if (n > elab->scope.most_nodes / NODES_PER_STATE - elab->quantities.n_states) {
        dry_lang__spend(elab, stmt->at, (double)INFINITY);
        n = 1;
    }
    dry_term start = dry_lang__expr(elab, stmt->value);
    bool fits = !start.rank || (start.rank == 1 && (!stmt->size || start.rows == n));
    if (!start.bad && !fits)
        DRY_SAY(elab->diag, stmt->at, START_SHAPE, stmt->name, dry_lang_shape(elab, &start));
    if (!stmt->size && start.rank == 1) n = start.rows; /* state x = [1, 2, 3] */
    bool vector = stmt->size || start.rank == 1;
    dry_term v =
        vector ? dry_lang__array(elab, 1, n, 1, start.dim) : dry_lang__scalar(elab, 0, start.dim);
    symbol->first = elab->quantities.n_states;
    symbol->shapeless = start.bad && !stmt->size;
    for (int k = 0; !v.bad && k < n; k++) {
        dry_state_info *state = DRY_GROW(elab->arena, &elab->quantities, state);
        if (!state) return;
        *state = (dry_state_info){.name = entry_name(elab, symbol->name, &v, k),
                                  .dim = start.dim,
                                  .start = fits ? dry_term_at(&start, start.rank ? k : 0) : 0,
                                  .rate = -1,
                                  .at = stmt->at,
                                  .symbol = (int)(symbol - elab->names.symbol)};
        dry_term_put(&v, k, dry_dag_leaf(elab->dag, DRY_OP_STATE, elab->quantities.n_states - 1));
    }
    symbol->value = v;
    symbol->progress = DRY_DONE;
}

static dry_symbol *state_symbol(dry_elab *elab, const dry_stmt *stmt) {
    dry_symbol *symbol = dry_lang_find(elab, stmt->name);
    if (symbol && symbol->kind == DRY_SYM_STATE) return symbol;
    if (!symbol)
        dry_lang__unknown(elab, stmt->at, stmt->name);
    else
        DRY_SAY(elab->diag, stmt->at, NOT_A_STATE, stmt->name);
    return NULL;
}

static void init_one(dry_elab *elab, const dry_stmt *stmt, void *user) {
    (void)user;
    dry_symbol *symbol = state_symbol(elab, stmt);
    int k;
    if (!symbol || symbol->shapeless) return;
    if (!element_index(elab, stmt, symbol->value.rows, &k)) return;
    dry_term v = dry_lang__expr(elab, stmt->value);
    bool whole = !stmt->index && v.rank == 1 && v.rows == symbol->value.rows;
    if (v.bad) return;
    if ((v.rank && !whole) || (!stmt->index && symbol->value.rank && !whole)) {
        DRY_SAY(elab->diag, stmt->at, START_SHAPE, stmt->name, dry_lang_shape(elab, &v));
        return;
    }
    if (!dry_lang__same_dim(elab, stmt->at, "start value", symbol->value.dim, v.dim)) return;
    for (int i = 0; i < dry_term_size(&v); i++)
        elab->quantities.state[symbol->first + k + i].start = dry_term_at(&v, i);
}

void dry_lang_states(dry_elab *elab) {
    elab->scope.only_params = true;
    elab->scope.only_what = "a start value";
    for (int i = 0; i < elab->names.n_symbols; i++)
        if (elab->names.symbol[i].kind == DRY_SYM_STATE) define_state(elab, &elab->names.symbol[i]);
    for (int i = 0; i < elab->tree.n; i++)
        if (elab->tree.stmt[i].kind == DRY_ST_INIT && !elab->tree.stmt[i].target)
            dry_lang__loop(elab, &elab->tree.stmt[i], init_one, NULL);
    elab->scope.only_params = false;
}

/* ---- indexed definitions ----------------------------------------------------------- */

static void widen(dry_elab *elab, const dry_stmt *stmt, void *user) {
    int k;
    dry_symbol *symbol = user;
    if (element_index(elab, stmt, DRY_MOST_TERMS, &k) && k >= symbol->n_elements)
        symbol->n_elements = k + 1;
}

void dry_lang_sizes(dry_elab *elab) {
    elab->scope.only_params = true; /* other quantities have no size yet */
    elab->scope.only_what = "an index";
    for (int i = 0; i < elab->names.n_symbols; i++) {
        dry_symbol *symbol = &elab->names.symbol[i];
        if (symbol->indexed) {
            int errors = elab->diag->n_errors;
            symbol->n_elements = 0;
            for (int k = 0; k < symbol->n_stmts; k++)
                dry_lang__loop(elab, symbol->more[k], widen, symbol);
            dry_lang__spend(elab, symbol->at, work_per_element * symbol->n_elements);
            symbol->value.bad = elab->diag->n_errors > errors;
            if (symbol->value.bad) symbol->progress = DRY_DONE;
        }
        symbol->force = dry_arena_take(elab->arena, sizeof(int) * (size_t)(symbol->n_elements + 1));
        if (!symbol->indexed || !symbol->force) continue;
        symbol->element_done = dry_arena_take(elab->arena, (size_t)symbol->n_elements + 1);
        symbol->value.dim = dry_dim_unknown(elab->dims);
        if (!symbol->element_done) symbol->n_elements = 0;
    }
    elab->scope.only_params = false;
}

static const char *element_name(dry_elab *elab, const dry_symbol *symbol, int k) {
    return symbol->indexed ? dry_diag_text(elab->diag, "%s[%d]", symbol->name, k + 1)
                           : symbol->name;
}

/* Returns the right side of one definition. */
static dry_term define_one(dry_elab *elab, dry_symbol *symbol, const dry_stmt *stmt, int k) {
    if (stmt->kind == DRY_ST_SAMPLE) return dry_lang__sample(elab, symbol);
    if (stmt->kind == DRY_ST_SET)
        return dry_lang__set_force(elab, symbol, k, stmt, element_name(elab, symbol, k));
    if (symbol->kind == DRY_SYM_FORCE)
        return dry_lang__element_law(elab, stmt, element_name(elab, symbol, k),
                                     dry_law_find(stmt->value->text));
    return value_of(elab, stmt);
}

/* Stores element k; the first element decides the shape of all. */
static void store_element(dry_elab *elab, dry_symbol *symbol, int k, const dry_term *v,
                          dry_place at) {
    if (!symbol->value.many) {
        dry_dim dim = symbol->value.dim;
        int cols = v->rank ? v->rows : 1;
        symbol->value = dry_lang__array(elab, v->rank + 1, symbol->n_elements, cols, dim);
        if (symbol->value.bad) return;
    }
    int cols = symbol->value.cols;
    if (v->rank > 1 || v->rank + 1 != symbol->value.rank || dry_term_size(v) != cols) {
        DRY_SAY(elab->diag, at, ELEMENT_SHAPE, symbol->name);
        symbol->value.bad = true;
        return;
    }
    if (!dry_lang__same_dim(elab, at, "elements of one name", symbol->value.dim, v->dim)) return;
    for (int i = 0; i < cols; i++) symbol->value.many[k * cols + i] = dry_term_at(v, i);
    if (symbol->refs >= 0) elab->quantities.ref[symbol->refs + k] = dry_term_at(v, 0);
    symbol->element_done[k] = true;
}

static void define_element(dry_elab *elab, const dry_stmt *stmt, void *user) {
    dry_symbol *symbol = user;
    int k;
    if (!element_index(elab, stmt, symbol->n_elements, &k)) return;
    if (symbol->element_done[k]) {
        DRY_SAY(elab->diag, stmt->at, ELEMENT_TWICE, element_name(elab, symbol, k));
        return;
    }
    dry_term v = define_one(elab, symbol, stmt, k);
    if (v.bad)
        symbol->value.bad = true;
    else
        store_element(elab, symbol, k, &v, stmt->at);
    if (symbol->kind == DRY_SYM_FORCE) symbol->force[k] = elab->quantities.n_forces - 1;
}

static void check_complete(dry_elab *elab, dry_symbol *symbol) {
    for (int k = 0; k < symbol->n_elements && !symbol->value.bad; k++)
        if (!symbol->element_done[k]) {
            DRY_SAY(elab->diag, symbol->at, ELEMENT_MISSING, element_name(elab, symbol, k));
            symbol->value.bad = true;
        }
}

static void elaborate(dry_elab *elab, dry_symbol *symbol) {
    const dry_local *outside = elab->scope.locals;
    const int instant = elab->scope.instant;
    elab->scope.locals = NULL;
    elab->scope.instant = 0;
    symbol->progress = DRY_UNDER_WAY;
    if (symbol->indexed) {
        int errors = elab->diag->n_errors;
        for (int i = 0; i < symbol->n_stmts; i++)
            dry_lang__loop(elab, symbol->more[i], define_element, symbol);
        if (elab->diag->n_errors == errors)
            check_complete(elab, symbol);
        else
            symbol->value.bad = true;
    } else {
        symbol->value = define_one(elab, symbol, symbol->stmt, 0);
        if (symbol->refs >= 0 && !symbol->value.bad)
            elab->quantities.ref[symbol->refs] = symbol->value.one;
        if (symbol->kind == DRY_SYM_FORCE) symbol->force[0] = elab->quantities.n_forces - 1;
    }
    symbol->progress = DRY_DONE;
    elab->scope.locals = outside;
    elab->scope.instant = instant;
}

static dry_term refuse(dry_elab *elab, const dry_symbol *symbol, dry_place at) {
    if (symbol->kind == DRY_SYM_FUNCTION || symbol->kind == DRY_SYM_TABLE)
        DRY_SAY(elab->diag, at, FUNCTION_NAME, symbol->name);
    else if (symbol->kind == DRY_SYM_PART)
        DRY_SAY(elab->diag, at, PART_NAME, symbol->name);
    else
        DRY_SAY(elab->diag, at, MEASURE_NAME, symbol->name);
    return dry_lang__bad(elab);
}

/* Returns true if the cycle goes through the levels of several forces. */
static bool forces_under_way(const dry_elab *elab) {
    int n = 0;
    for (int i = 0; i < elab->names.n_symbols; i++)
        n += elab->names.symbol[i].kind == DRY_SYM_FORCE &&
             elab->names.symbol[i].progress == DRY_UNDER_WAY;
    return n > 1;
}

static const dry_symbol *sample_under_way(const dry_elab *elab) {
    for (int i = 0; i < elab->names.n_symbols; i++)
        if (elab->names.symbol[i].kind == DRY_SYM_SAMPLE &&
            elab->names.symbol[i].progress == DRY_UNDER_WAY)
            return &elab->names.symbol[i];
    return NULL;
}

static dry_term refuse_circle(dry_elab *elab, const dry_symbol *symbol, dry_place at) {
    const dry_symbol *sample = sample_under_way(elab);
    if (sample)
        dry_lang__sample_needs_from(elab, sample, at);
    else if (forces_under_way(elab))
        DRY_SAY(elab->diag, at, OWN_CIRCLE, symbol->name);
    else
        DRY_SAY(elab->diag, at, CYCLE, symbol->name);
    return dry_lang__bad(elab);
}

dry_term dry_lang__symbol_value(dry_elab *elab, dry_symbol *symbol, dry_place at) {
    symbol->used = true;
    if (symbol->kind == DRY_SYM_FUNCTION || symbol->kind == DRY_SYM_PART ||
        symbol->kind == DRY_SYM_TABLE)
        return refuse(elab, symbol, at);
    if (symbol->kind == DRY_SYM_MEASURE &&
        (!elab->scope.in_measure || symbol->progress != DRY_DONE))
        return refuse(elab, symbol, at);
    if (elab->scope.only_params && symbol->kind != DRY_SYM_PARAM) {
        DRY_SAY(elab->diag, at, ONLY_PARAMS, elab->scope.only_what, symbol->name);
        return dry_lang__bad(elab);
    }
    if (symbol->kind == DRY_SYM_PARAM && symbol->progress != DRY_DONE) {
        DRY_SAY(elab->diag, at, PARAM_LATER, symbol->name);
        return dry_lang__bad(elab);
    }
    if (symbol->progress == DRY_UNDER_WAY && symbol->kind == DRY_SYM_SAMPLE)
        return dry_lang__sample_under_way(elab, symbol, at);
    if (symbol->progress == DRY_UNDER_WAY)
        return dry_lang__may_feed(symbol) ? dry_lang__own_force(elab, symbol, at)
                                          : refuse_circle(elab, symbol, at);
    if (symbol->progress == DRY_NEW) elaborate(elab, symbol);
    return symbol->kind == DRY_SYM_SAMPLE ? dry_lang__sample_value(elab, symbol, at)
                                          : symbol->value;
}

/* Makes a node that is a placeholder for an element until the element is known. */
static dry_term reference(dry_elab *elab, dry_symbol *symbol, int k, dry_place at) {
    if (symbol->refs < 0) {
        symbol->refs = elab->quantities.n_refs;
        for (int i = 0; i < symbol->n_elements; i++) {
            int ref = dry_lang__new_ref(elab, at);
            if (ref < 0) {
                symbol->refs = -1;
                return dry_lang__bad(elab);
            }
            if (symbol->element_done[i])
                elab->quantities.ref[ref] = symbol->value.many[i * symbol->value.cols];
        }
    }
    return dry_lang__scalar(elab, dry_dag_leaf(elab->dag, DRY_OP_REF, symbol->refs + k),
                            symbol->value.dim);
}

dry_term dry_lang__element(dry_elab *elab, dry_symbol *symbol, int k, dry_place at) {
    if (symbol->progress != DRY_UNDER_WAY) {
        dry_term all = dry_lang__symbol_value(elab, symbol, at);
        if (all.bad) return dry_lang__bad(elab);
    }
    if (!symbol->element_done[k]) return reference(elab, symbol, k, at);
    int cols = symbol->value.cols;
    if (symbol->value.rank == 1)
        return dry_lang__scalar(elab, symbol->value.many[k], symbol->value.dim);
    dry_term row = dry_lang__array(elab, 1, cols, 1, symbol->value.dim);
    for (int i = 0; !row.bad && i < cols; i++) row.many[i] = symbol->value.many[k * cols + i];
    return row;
}

/* ---- equations --------------------------------------------------------------------------------
 */

/* factor * x' = right: returns the rate x'; *dim is the dimension of the factor. */
static dry_term rate_of(dry_elab *elab, const dry_stmt *stmt, dry_term right, dry_dim *dim) {
    *dim = dry_dim_pure();
    if (!stmt->factor || right.bad) return right;
    dry_term factor = dry_lang__expr(elab, stmt->factor);
    if (factor.bad) return factor;
    *dim = factor.dim;
    double value;
    if (!factor.rank && dry_lang__peek(elab, factor.one, &value) && value == 0.0) {
        DRY_SAY(elab->diag, stmt->factor->at, FACTOR_ZERO, stmt->name);
        return dry_lang__bad(elab);
    }
    if (!factor.rank) return dry_lang__binary(elab, stmt->at, "/", right, factor);
    bool square = factor.rank == 2 && factor.rows == factor.cols;
    if (square && factor.rows <= DRY_LARGEST_SOLVE && right.rank == 1 && right.rows == factor.rows)
        return dry_lang__solve(elab, &factor, &right);
    DRY_SAY(elab->diag, stmt->at, FACTOR_SHAPE, dry_lang_shape(elab, &factor),
            dry_lang_shape(elab, &right));
    return dry_lang__bad(elab);
}

static void set_rate(dry_elab *elab, const dry_stmt *stmt, int index, dry_node node) {
    dry_state_info *state = &elab->quantities.state[index];
    if (state->rate >= 0) {
        DRY_SAY(elab->diag, stmt->at, EQUATION_TWICE, state->name,
                dry_diag_text(elab->diag, "%d", state->rate_at.line));
        return;
    }
    state->rate = node;
    state->rate_at = stmt->at;
}

/* Compares both sides as they are written: [N m] and [N], not the rate and its divisor. */
static void compare_sides(dry_elab *elab, const dry_stmt *stmt, dry_dim state, dry_dim factor,
                          dry_dim right) {
    dry_dim rate = dry_dim_combine(elab->dims, state, 1.0, dry_dim_seconds(-1.0), 1.0);
    dry_dim left = dry_dim_combine(elab->dims, factor, 1.0, rate, 1.0);
    dry_lang__same_dim(elab, stmt->at, "equation", left, right);
}

static void equation_one(dry_elab *elab, const dry_stmt *stmt, void *user) {
    (void)user;
    dry_symbol *symbol = state_symbol(elab, stmt);
    dry_dim factor;
    int k;
    if (symbol && symbol->shapeless) {
        rate_of(elab, stmt, dry_lang__expr(elab, stmt->value), &factor);
        symbol->faulty = true;
        return;
    }
    if (!symbol || !element_index(elab, stmt, symbol->value.rows, &k)) return;
    const dry_term right = dry_lang__expr(elab, stmt->value);
    dry_term rate = rate_of(elab, stmt, right, &factor);
    int n = stmt->index ? 1 : dry_term_size(&symbol->value);
    bool scalar = stmt->index || !symbol->value.rank;
    if (!rate.bad && ((scalar && rate.rank) || (!scalar && (rate.rank != 1 || rate.rows != n)))) {
        DRY_SAY(elab->diag, stmt->at, RATE_SHAPE, stmt->name,
                scalar ? "a number" : dry_lang_shape(elab, &symbol->value),
                dry_lang_shape(elab, &rate));
        rate = dry_lang__bad(elab);
    }
    if (!rate.bad) compare_sides(elab, stmt, symbol->value.dim, factor, right.dim);
    for (int i = 0; i < n; i++)
        set_rate(elab, stmt, symbol->first + k + i, rate.bad ? 0 : dry_term_at(&rate, i));
}

static void equation(dry_elab *elab, const dry_stmt *stmt) {
    int errors = elab->diag->n_errors;
    dry_lang__loop(elab, stmt, equation_one, NULL);
    dry_symbol *symbol = dry_lang_find(elab, stmt->name);
    if (symbol && elab->diag->n_errors > errors) symbol->faulty = true;
}

static void no_equation(dry_elab *elab, dry_state_info *state) {
    const dry_symbol *symbol = &elab->names.symbol[state->symbol];
    if (!elab->scope.exhausted && !symbol->faulty && !dry_lang__lost(elab, symbol->name))
        DRY_SAY(elab->diag, state->at, NO_EQUATION, state->name);
    state->rate = 0;
}

void dry_lang_equations(dry_elab *elab) {
    for (int i = 0; i < elab->names.n_symbols; i++) { /* before the quantities on the way */
        dry_symbol *symbol = &elab->names.symbol[i];
        if (symbol->progress == DRY_NEW && dry_lang__feeds_itself(elab, symbol))
            elaborate(elab, symbol);
    }
    for (int i = 0; i < elab->names.n_symbols; i++) { /* elaborates everything, used or not */
        dry_symbol *symbol = &elab->names.symbol[i];
        bool lazy = symbol->kind == DRY_SYM_QUANTITY || symbol->kind == DRY_SYM_FORCE ||
                    symbol->kind == DRY_SYM_SAMPLE;
        if (lazy && symbol->progress == DRY_NEW) elaborate(elab, symbol);
    }
    for (int i = 0; i < elab->tree.n; i++)
        if (elab->tree.stmt[i].kind == DRY_ST_EQUATION) equation(elab, &elab->tree.stmt[i]);
    for (int i = 0; i < elab->quantities.n_states; i++)
        if (elab->quantities.state[i].rate < 0 && elab->quantities.state[i].symbol >= 0)
            no_equation(elab, &elab->quantities.state[i]);
}
