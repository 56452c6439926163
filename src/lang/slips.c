/* slips: what is said about a function that does not exist, above all one of another language. */
#include "elab.h"

#include <stdio.h>
#include <string.h>

typedef struct slip {
    const char *name[4];
    const char *way_out;
} slip;

/* What other languages call a function, and what to write here. */
static const slip slips[] = {
    {{"sign", "signum"},
     "sgn is a set: write f in F*sgn(v) as a statement, and f here; a number is if x < 0 then -1 "
     "else 1"},
    {{"der", "ddt", "diff"},
     "a rate stands only on the left, x' = ...: use the right side of that, under a name"},
    {{"sqr", "square"}, "write x^2"},
    {{"pow", "power"}, "write x^y"},
    {{"ln"}, "write log(x), the natural logarithm"},
    {{"log10", "lg"}, "write log(x)/log(10)"},
    {{"log2"}, "write log(x)/log(2)"},
    {{"fabs"}, "write abs(x)"},
    {{"ceil"}, "write -floor(-x)"},
    {{"round"}, "write floor(x + 0.5)"},
    {{"mod", "fmod", "rem"}, "write x - y*floor(x/y)"},
    {{"step", "heaviside"}, "write if x < 0 then 0 else 1"},
    {{"clamp", "clip", "limit"}, "write min(max(x, a), b), or sat(Z, x) for -Z .. Z"},
    {{"select", "where", "ifelse"}, "write if c then a else b"},
    {{"maximum"}, "write max(x)"},
    {{"minimum"}, "write min(x)"},
    {{"average", "avg"}, "write mean(x), in a measure"},
    {{"inv"}, "write solve(A, b) for the x with A*x = b"},
    {{"delay"}, "there is none: what was is not kept; a state can lag, as in y' = (x - y)/T"},
    {{"random", "rand", "noise"},
     "there is none: a run gives the same numbers each time; write a sum of sines"},
};

static const char *way_out_of(const char *name) {
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        for (int k = 0; k < 4 && slips[i].name[k]; k++)
            if (!strcmp(name, slips[i].name[k])) return slips[i].way_out;
    return NULL;
}

/* The nearest function, of the language or of the model. */
static const char *nearest(const dry_elab *elab, const char *name) {
    int n = 0, n_builtins = 0;
    while (dry_lang__builtin(n_builtins)) n_builtins++;
    const size_t room = (size_t)(elab->n_symbols + n_builtins);
    const char **all = dry_arena_take(elab->arena, sizeof *all * room);
    if (!all) return NULL;
    for (int i = 0; i < elab->n_symbols; i++)
        if (elab->symbol[i].kind == DRY_SYM_FUNCTION) all[n++] = elab->symbol[i].name;
    for (int i = 0; i < n_builtins; i++) all[n++] = dry_lang__builtin(i);
    return dry_lang__nearest(name, all, n);
}

/* All functions that an expression can call; behind them are sets and what measures take. */
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
    DRY_SAY(elab->report, call->at, UNKNOWN_FUNCTION, call->text, list);
    if (!elab->report->fresh) return;
    const char *way_out = way_out_of(call->text);
    const char *near = way_out ? NULL : nearest(elab, call->text);
    if (way_out)
        dry_lang__way_out(elab->report, "%s", way_out);
    else if (near)
        dry_lang__way_out(elab->report, "did you mean `%s`?", near);
}
