/* What a text costs grows with its length: a text of four times as many lines, terms or names takes
 * the compiler at most five times as many basic blocks. Sorting n things takes n log n; what
 * compares each with each takes 16 times. */
#include "unit.h"

#include "blocks.h"
#include "lang/text.h"
#include <drystone/model.h>

static long long cost_of(text *t) {
    FILE *nowhere = fopen("/dev/null", "w");
    assert_non_null(nowhere);
    const long long before = blocks;
    dry_model *model = dry_model_compile("long", t->bytes, t->n, NULL);
    assert_non_null(model);
    for (int i = 0; i < dry_model_messages(model); i++)
        dry_model_print_message(model, i, nowhere, true);
    const long long taken = blocks - before;
    dry_model_free(model);
    fclose(nowhere);
    free(t->bytes);
    return taken;
}

/* `first`, then `each` n times with # = 1 .. n and @ = # - 1, then `last` with # = n */
typedef struct shape {
    const char *name, *first, *each, *last;
    int n;
} shape;

static long long cost(const shape *s, int n) {
    text t = {0};
    put(&t, s->first);
    put_each(&t, s->each, n);
    for (const char *c = s->last; *c; c++) {
        char number[32];
        snprintf(number, sizeof number, *c == '#' ? "%d" : "%c", *c == '#' ? n : *c);
        put(&t, number);
    }
    return cost_of(&t);
}

static const shape shapes[] = {
    {"a sum", "state x = 0\nx' = 1", " + 1", "", 5000},
    {"a product", "state x = 0\nx' = 1", " * x", "", 5000},
    {"a sum over an index", "state x = 0\nx' = sum(sin(i*x) for i in 1..", "", "#)*1 [1/s]", 5000},
    {"definitions", "state x = 0\ny0 = x\n", "y# = y@ + 1\n", "x' = y#*1 [1/s]\n", 5000},
    {"definitions backwards", "state x = 0\nx' = 1\n", "y@ = y# + 1\n", "y# = x\n", 5000},
    {"a recurrence", "state x = 0\nx' = y[1]*1 [1/s]\ny[1] = x\ny[i] = y[i-1] + x for i in 2..", "",
     "#\n", 5000},
    {"parts that nobody knows", "",
     "part ball# = sphere(radius = 1 [m], mass = 1 [kg], p = [#, 0, 0])\n",
     "part touch = contact(K = 1e4 [N/m], alpha = 1 [ms], beta = 1 [ms])\nconnect touch - bull#\n",
     2000},
    {"wires to nowhere", "", "part p# = point_mass(mass = 1)\nconnect q# - p@\n", "", 1000},
    {"springs in the air", "", "part p# = spring(K = 1)\n", "", 1000},
    {"pushes", "part a = point_mass(mass = 1)\n", "a.f += #\n", "", 1000},
    {"ends", "part a = point_mass(mass = 1)\npart s = spring(K = 1)\nconnect s - a",
     " at [0, 0, 0]", "", 5000},
    {"dots", "part a = point_mass(mass = 1)\nx = a", ".v", "", 20000},
    {"faults", "", "x\n", "", 20000},
    {"one name again and again", "", "y = z\n", "", 20000},
    {"unknown names", "", "a# = b@\n", "", 5000},
    {"strange characters", "", "$", "", 50000},
    {"lines", "", "\n", "state x = 0\nx' = 1", 200000},
    {"digits", "state x = ", "9", "\nx' = 1", 100000},
    {"zeros", "state x = 0.", "0", "1\nx' = 1 [1/s]*x", 100000},
    {"keys", "state v = 1\nf in sgn(v) with K = 1", ", K = 1", "", 20000},
    {"arguments", "state x = 0\nfunction f(a", ", a#", ") = a\nx' = f(1)", 20000},
    {"curves", "state x = 0\nx' = 1\nplot x", ", x", "", 20000},
    {"terms of max", "state x = 0\nx' = max(1", ", x", ")", 20000},
    {"a vector", "state x = [0", ", 0", "]\nx' = x*1 [1/s]", 5000},
    {"a unit", "state x = 1\nx' = 1 [", "m/", "m]", 50000},
    {"a long name", "state ", "a", " = 0\n", 100000},
};

static void cost_grows_with_length(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const shape *s = &shapes[i];
        const long long small = cost(s, s->n), large = cost(s, 4 * s->n);
        print_message("%s: %lld blocks for %d, %.2f times for 4 times as many\n", s->name, small,
                      s->n, (double)large / (double)small);
        if (large > 5 * small) fail_msg("%s: %lld blocks, then %lld", s->name, small, large);
    }
}

/* f60(x) = f59(x) + f59(x) ... stands for 2^60 terms: it is refused as soon as 2^39 are. */
static void explosions_are_refused_early(void **state) {
    static const shape functions = {"functions", "state x = 0\nfunction f0(x) = x\n",
                                    "function f#(x) = f@(x) + f@(x)\n", "x' = f#(x)*1 [1/s]\n", 0};
    (void)state;
    at_most((double)cost(&functions, 60), 2.0 * (double)cost(&functions, 39));
}

/* The same as definitions costs as much as it is long: equal nodes are made once. */
static void equal_nodes_are_made_once(void **state) {
    static const shape shared = {"definitions", "state x = 1e-30\ny0 = x\n", "y# = y@ + y@\n",
                                 "x' = y#*1e-30 [1/s]\n", 0};
    (void)state;
    at_most((double)cost(&shared, 60), 4.0 * (double)cost(&shared, 20));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cost_grows_with_length),
        cmocka_unit_test(explosions_are_refused_early),
        cmocka_unit_test(equal_nodes_are_made_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
