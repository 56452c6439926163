/* function_hints: suggests what to write instead of a function or a name that does not exist,
 * mainly one of another language. */
#include "lang_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct slip {
    const char *name[6];
    const char *way_out;
} slip;

/* Functions of other languages that this language does not have, and what to write here. If this
 * language has the function, ops.def lists its other names. */
static const slip slips[] = {
    {{"der", "ddt", "diff", "gradient"},
     "a rate can stand only on the left, x' = ...: give the right side a name, and use that name"},
    {{"sqr", "square"}, "write x^2"},
    {{"pow", "power"}, "write x^y"},
    {{"log2"}, "write log(x)/log(2)"},
    {{"expm1"}, "write exp(x) - 1"},
    {{"sec", "csc", "cot"}, "write 1/cos(x), 1/sin(x), 1/tan(x)"},
    {{"deg2rad", "radians", "deg"}, "write 30 [deg] for a number, 1 [deg]*x for a quantity x"},
    {{"rad2deg", "degrees", "rad"}, "write x/1 [deg]"},
    {{"trunc", "fix", "int"}, "write if x < 0 then ceil(x) else floor(x)"},
    {{"step", "heaviside"}, "write if x < 0 then 0 else 1"},
    {{"ramp", "relu"}, "write pos(x), which is max(0, x)"},
    {{"pulse", "rect"}, "write if t > 1 [s] and t < 2 [s] then 1 else 0"},
    {{"sawtooth"}, "write mod(x, 1)"},
    {{"select", "where", "ifelse", "iif"}, "write if c then a else b"},
    {{"average", "avg"}, "write mean(x), in a measure"},
    {{"integrate", "trapz", "cumtrapz", "quad"},
     "write a state, y' = x; the integral over a whole run is integral(x), in a measure"},
    {{"inv", "mldivide"}, "write solve(A, b) for the x with A*x = b"},
    {{"det", "trace"}, "there is no such function: write it with the elements A[i, j]"},
    {{"zeros", "ones"}, "write the list, as in [0, 0, 0]; for a state write state x[3] = 0"},
    {{"eye", "diag"}, "write the matrix, as in [[1, 0], [0, 1]]"},
    {{"linspace", "arange", "range"}, "write x[i] = ... for i in 1..n"},
    {{"len", "length", "size", "numel"},
     "there is no such function: give the size a name, param n = 3"},
    {{"interp", "interp1", "lookup", "table", "spline"},
     "write a table as a statement, table g(x) at [0, 1, 3] = [2, 5, 4], and use g(x) here"},
    {{"matmul", "mtimes"}, "write A*B"},
    {{"array", "vector", "list", "tuple", "matrix"}, "write [a, b, c], or [[a, b], [c, d]]"},
    {{"derivative"},
     "a rate can stand only on the left, x' = ...: give the right side a name, and use that name"},
    {{"sample"}, "write a sample as a statement, sample u = x every 1 [ms], and use u here"},
    {{"pre"}, "write u.before for the value of a sample u until now, in the text of a sample"},
    {{"edge", "reinit"},
     "there is no such function: contacts and friction need no events; for other changes write if "
     "c then a else b, to end the run stop when c"},
    {{"transport_delay", "delayed", "dead_time", "lag"},
     "write delay(x, T) for the value of x a time T ago; a first-order lag is a state, y' = (x - "
     "y)/T"},
};

/* Names of constants in other languages. */
static const slip constants[] = {
    {{"\xCF\x80", "PI", "Pi", "M_PI"}, "write pi"},
    {{"Inf", "INF", "infinity", "Infinity", "oo"}, "write inf"},
    {{"nan", "NaN", "NAN"}, "remove it: the values of equations must be finite"},
    {{"true", "True", "TRUE"}, "write 1: any number but 0 is true"},
    {{"false", "False", "FALSE"}, "write 0"},
    {{"time", "Time"}, "write t, the time in seconds"},
    {{"e", "E"}, "write exp(1), or exp(x) for a power of e; or define it: param e = ..."},
    {{"g", "gravity"}, "define it: param g = 9.81 [m/s^2]"},
    {{"dt", "Ts"},
     "a model cannot use the step of its run; define a time of your own: param dt = 1 [ms]"},
    {{"np", "numpy", "math", "Math", "Modelica"},
     "write functions and pi without a prefix, as in sin(x)"},
    {{"None", "null", "nil", "undefined"}, "remove it: every quantity has a value"},
    {{"end"}, "write the number of the last element"},
};

#define WAY_OUT(slips, name) way_out_in(slips, sizeof(slips) / sizeof *(slips), name)

static const char *way_out_in(const slip *row, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 6 && row[i].name[k]; k++)
            if (!strcmp(name, row[i].name[k])) return row[i].way_out;
    return NULL;
}

const char *dry_lang__way_out_of_name(const char *name) { return WAY_OUT(constants, name); }

/* Returns the nearest function of the language or of the model. */
static const char *nearest(const dry_elab *elab, const char *name) {
    int n = 0, n_builtins = 0;
    while (dry_lang__builtin(n_builtins)) n_builtins++;
    const size_t room = (size_t)(elab->names.n_symbols + n_builtins);
    const char **all = dry_arena_take(elab->arena, sizeof *all * room);
    if (!all) return NULL;
    for (int i = 0; i < elab->names.n_symbols; i++)
        if (elab->names.symbol[i].kind == DRY_SYM_FUNCTION) all[n++] = elab->names.symbol[i].name;
    for (int i = 0; i < n_builtins; i++) all[n++] = dry_lang__builtin(i);
    return dry_diag_nearest(name, all, n);
}

/* Lists all functions that an expression can call. After them come sets and the functions for
 * measures, which are left out. */
static void list_functions(char *list, size_t size) {
    size_t length = 0;
    const char *name = "";
    for (int i = 0; strcmp(name, "sum") != 0 && length < size; i++) {
        name = dry_lang__builtin(i);
        length += (size_t)snprintf(list + length, size - length, "%s%s", i ? ", " : "", name);
    }
}

void dry_lang__unknown_function(dry_elab *elab, const dry_expr *call) {
    char list[400];
    if (dry_lang__lost(elab, call->text)) return;
    list_functions(list, sizeof list);
    DRY_SAY(elab->diag, call->at, UNKNOWN_FUNCTION, call->text, list);
    if (!elab->diag->fresh) return;
    const dry_op_row *meant = dry_op_foreign(call->text);
    const char *way_out = meant ? meant->hint : WAY_OUT(slips, call->text);
    const char *near = way_out ? NULL : nearest(elab, call->text);
    if (dry_part_kind_find(call->text))
        dry_diag_way_out(elab->diag, "it is a part kind: write part NAME = %s(...)", call->text);
    else if (way_out)
        dry_diag_way_out(elab->diag, "%s", way_out);
    else if (near)
        dry_diag_mean(elab->diag, near);
}

void dry_lang__unknown(dry_elab *elab, dry_place at, const char *name) {
    static const char *const given[] = {"t", "pi", "inf"};
    int n = 0, n_builtins = 0;
    if (dry_lang__lost(elab, name)) return;
    DRY_SAY(elab->diag, at, UNKNOWN_NAME, name);
    if (!elab->diag->fresh) return;
    const char *way_out = dry_lang__way_out_of_name(name);
    if (dry_diag_is_included(elab->diag, name))
        dry_diag_way_out(elab->diag, "the included file does not define it: look there");
    if (way_out) {
        dry_diag_way_out(elab->diag, "%s", way_out);
        return;
    }
    while (dry_lang__builtin(n_builtins)) n_builtins++;
    const char **all =
        dry_heap_take(elab->arena, (size_t)(elab->names.n_symbols + n_builtins + 3), sizeof *all);
    if (!all) return;
    for (int i = 0; i < elab->names.n_symbols; i++) all[n++] = elab->names.symbol[i].name;
    for (int i = 0; i < n_builtins; i++) all[n++] = dry_lang__builtin(i);
    for (int i = 0; i < 3; i++) all[n++] = given[i];
    const char *nearest = dry_diag_nearest(name, all, n);
    if (nearest) dry_diag_mean(elab->diag, nearest);
    free((void *)all);
}
