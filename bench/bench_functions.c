/* What do the elementary functions cost, beside those of libm?
 *
 * Nanoseconds per call over numbers of the range that matters most, called one after the other with
 * arguments that do not depend on the result before. */
#include "bench.h"
#include <drystone/elementary.h>

enum { MANY = 1024 };

typedef double function(double a, double b);

/* Calls of one function; `sum` keeps the compiler from leaving them out. */
typedef struct calls {
    function *of;
    double a[MANY], b[MANY], sum;
} calls;

static NOINLINE void run_calls(void *data) {
    calls *c = data;
    for (int i = 0; i < MANY; i++) c->sum += c->of(c->a[i], c->b[i]);
}

/* clang-format off */
#define ONE(f)                                                                        \
    static NOINLINE double own_##f(double a, double b) { (void)b; return dry_##f(a); } \
    static NOINLINE double libm_##f(double a, double b) { (void)b; return f(a); }
#define TWO(f)                                                                        \
    static NOINLINE double own_##f(double a, double b) { return dry_##f(a, b); }       \
    static NOINLINE double libm_##f(double a, double b) { return f(a, b); }
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh)
ONE(exp) ONE(log) ONE(log10) ONE(cbrt) ONE(erf) TWO(pow) TWO(atan2) TWO(hypot)
    /* clang-format on */

    static const struct {
    const char *name;
    function *own, *libm;
    double low, high;
} functions[] = {
#define ROW(f, low, high)                                                                          \
    { #f, own_##f, libm_##f, low, high }
    ROW(sin, -10.0, 10.0), ROW(cos, -10.0, 10.0), ROW(tan, -10.0, 10.0), ROW(asin, -1.0, 1.0),
    ROW(acos, -1.0, 1.0),  ROW(atan, -4.0, 4.0),  ROW(sinh, -4.0, 4.0),  ROW(cosh, -4.0, 4.0),
    ROW(tanh, -4.0, 4.0),  ROW(exp, -10.0, 10.0), ROW(log, 0.01, 100.0), ROW(log10, 0.01, 100.0),
    ROW(cbrt, -9.0, 9.0),  ROW(erf, -4.0, 4.0),   ROW(pow, 0.01, 9.0),   ROW(atan2, -4.0, 4.0),
    ROW(hypot, -4.0, 4.0),
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

static double scattered(int i, double low, double high) {
    const double turn = 0.6180339887498949 * (double)i;
    return low + (high - low) * (turn - floor(turn));
}

static void fill(calls *c, function *of, double low, double high) {
    c->of = of;
    c->sum = 0.0;
    for (int i = 0; i < MANY; i++) {
        c->a[i] = scattered(i + 1, low, high);
        c->b[i] = scattered(7 * i + 3, -4.0, 4.0);
    }
}

int main(int argc, char **argv) {
    static const column columns[] = {
        {"function", 8}, {"own, ns", -8}, {"libm, ns", -9}, {"own/libm", -9}};
    table t = table_begin(argc, argv, columns, 4);
    static calls own, libm;
    for (int i = 0; i < N_FUNCTIONS; i++) {
        fill(&own, functions[i].own, functions[i].low, functions[i].high);
        fill(&libm, functions[i].libm, functions[i].low, functions[i].high);
        contestant both[] = {{"own", run_calls, &own, 0.0}, {"libm", run_calls, &libm, 0.0}};
        race(both, 2, 0.3);
        cell_text(&t, functions[i].name);
        cell_number(&t, "%8.2f", 1e9 * both[0].seconds / MANY);
        cell_number(&t, "%9.2f", 1e9 * both[1].seconds / MANY);
        cell_number(&t, "%9.2f", both[0].seconds / both[1].seconds);
    }
    return 0;
}
