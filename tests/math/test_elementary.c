/* The elementary functions: values of a second program to 1 ulp, exact cases, special values, ends
 * that rise, and the same bits in every build. */
#include "unit.h"

#include <drystone/elementary.h>
#include <float.h>

#include "elementary_values.h"

typedef struct function {
    const char *name;
    double (*one)(double), (*two)(double, double);
    double low, high;   /* of the points of its digest */
    const char *digest; /* of its bits there */
} function;

#define ONE(f) .name = #f, .one = dry_##f
#define TWO(f) .name = #f, .two = dry_##f

/* The digests are pins: they say that every build computes the same bits, and that a change of one
 * bit is seen; how accurate these are, the values say. `test_elementary --print` prints them anew.
 */
static const function functions[] = {
    {ONE(sin), .low = -1e3, .high = 1e3, .digest = "3ba01fb6de7d664a"},
    {ONE(cos), .low = -1e3, .high = 1e3, .digest = "7b73fdb85a607e65"},
    {ONE(tan), .low = -1e3, .high = 1e3, .digest = "05b2e3d2ff784af1"},
    {ONE(asin), .low = -1.0, .high = 1.0, .digest = "59ac31eefdcb8b76"},
    {ONE(acos), .low = -1.0, .high = 1.0, .digest = "de2b8120708f51a6"},
    {ONE(atan), .low = -9.0, .high = 9.0, .digest = "f64b94592ebd478c"},
    {ONE(sinh), .low = -50.0, .high = 50.0, .digest = "0b54468146b23566"},
    {ONE(cosh), .low = -50.0, .high = 50.0, .digest = "b2210a4690244724"},
    {ONE(tanh), .low = -5.0, .high = 5.0, .digest = "df854fb3e23d1c37"},
    {ONE(exp), .low = -746.0, .high = 710.0, .digest = "6d7557502bc2cedc"},
    {ONE(log), .low = 0.0, .high = 9.0, .digest = "4d820fd02eb010d6"},
    {ONE(log10), .low = 0.0, .high = 1e3, .digest = "04a87d2fba78791f"},
    {ONE(cbrt), .low = -1e3, .high = 1e3, .digest = "3d17d27b57c89824"},
    {ONE(erf), .low = -6.0, .high = 6.0, .digest = "8912bd49333f7fff"},
    {TWO(pow), .low = 0.0, .high = 99.0, .digest = "79b71b120ef877f0"},
    {TWO(atan2), .low = -9.0, .high = 9.0, .digest = "8b9132caf2aed1dd"},
    {TWO(hypot), .low = -9.0, .high = 9.0, .digest = "dc815e0f7e7f884d"},
};
enum {
    N_FUNCTIONS = sizeof functions / sizeof *functions,
    N_VALUES = sizeof values / sizeof *values
};

static const function *find(const char *name) {
    for (int i = 0; i < N_FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0) return functions + i;
    return NULL;
}

static double value_of(const function *f, double x, double y) {
    return f->one ? f->one(x) : f->two(x, y);
}

/* The distance from one double to the next at x. */
static double unit_of(double x) {
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, exponent < -1021 ? -1074 : exponent - 53);
}

static void values_are_within_one_unit(void **state) {
    (void)state;
    for (int i = 0; i < N_VALUES; i++) {
        const function *f = find(values[i].name);
        assert_non_null(f);
        const double got = value_of(f, values[i].x, values[i].y);
        const double off = ((got - values[i].value) - values[i].rest) / unit_of(values[i].value);
        near_case(off, 0.0, 1.0, "%s(%.17g, %.17g)", f->name, values[i].x, values[i].y);
    }
}

static void what_is_exact_is_exact(void **state) {
    (void)state;
    same_bits(dry_exp(0.0), 1.0);
    same_bits(dry_cos(0.0), 1.0);
    same_bits(dry_cosh(0.0), 1.0);
    same_bits(dry_log(1.0), 0.0);
    same_bits(dry_acos(1.0), 0.0);
    same_bits(dry_hypot(3.0, 4.0), 5.0);
    same_bits(dry_hypot(-0x5p1000, 0xcp1000), 0xdp1000);
    same_bits(dry_hypot(3 * DBL_TRUE_MIN, 4 * DBL_TRUE_MIN), 5 * DBL_TRUE_MIN);
    for (int k = -300; k <= 300; k++) {
        if (k >= 0 && k <= 22) same_bits(dry_log10(dry_pow(10.0, k)), (double)k);
        same_bits(dry_pow(2.0, k), ldexp(1.0, k));
        same_bits(dry_pow(-2.0, k), ldexp(k % 2 ? -1.0 : 1.0, k));
        same_bits(dry_cbrt((double)k * k * k), (double)k);
        same_bits(dry_cbrt(ldexp(27.0, 3 * k)), ldexp(3.0, k));
        same_bits(dry_pow((double)k, 2.0), (double)k * k);
        same_bits(dry_pow((double)k, 5.0), (double)k * k * k * k * k);
        same_bits(dry_pow(ldexp(9.0, 2 * k), 0.5), ldexp(3.0, k));
    }
}

static void special_values_are_those_of_annex_f(void **state) {
    (void)state;
    const double inf = (double)INFINITY, nan = (double)NAN, pi = 3.141592653589793;
    static const char *const odd[] = {"sin", "tan", "asin", "atan", "sinh", "tanh", "cbrt", "erf"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        same_bits(find(odd[i])->one(0.0), 0.0);
        same_bits(find(odd[i])->one(-0.0), -0.0);
        same_bits(find(odd[i])->one(-DBL_TRUE_MIN), -find(odd[i])->one(DBL_TRUE_MIN));
    }
    for (int i = 0; i < N_FUNCTIONS; i++) is_nan(value_of(functions + i, nan, 2.0));
    is_nan(dry_sin(inf));
    is_nan(dry_cos(-inf));
    is_nan(dry_tan(inf));
    is_nan(dry_asin(1.0000000000000002));
    is_nan(dry_acos(-1.0000000000000002));
    is_nan(dry_log(-1.0));
    is_nan(dry_log10(-inf));
    is_nan(dry_pow(-8.0, 1.0 / 3.0));
    same_bits(dry_exp(-inf), 0.0);
    same_bits(dry_exp(inf), inf);
    same_bits(dry_exp(709.782712893384), 1.7976931348622732e308);
    same_bits(dry_exp(709.7827128933841), inf);
    same_bits(dry_exp(-745.1332191019411), DBL_TRUE_MIN);
    same_bits(dry_exp(-745.1332191019412), 0.0);
    same_bits(dry_log(0.0), -inf);
    same_bits(dry_log(-0.0), -inf);
    same_bits(dry_log(inf), inf);
    same_bits(dry_log10(0.0), -inf);
    same_bits(dry_sinh(-711.0), -inf);
    same_bits(dry_cosh(-711.0), inf);
    is_finite(dry_cosh(710.4758600739439));
    same_bits(dry_tanh(-inf), -1.0);
    same_bits(dry_erf(inf), 1.0);
    same_bits(dry_cbrt(-inf), -inf);
    same_bits(dry_atan(-inf), -0.5 * pi);
    same_bits(dry_acos(-1.0), pi);
    same_bits(dry_asin(-1.0), -0.5 * pi);
    same_bits(dry_atan2(0.0, -0.0), pi);
    same_bits(dry_atan2(-0.0, -1.0), -pi);
    same_bits(dry_atan2(-0.0, 0.0), -0.0);
    same_bits(dry_atan2(1.0, -0.0), 0.5 * pi);
    same_bits(dry_atan2(-1.0, inf), -0.0);
    same_bits(dry_atan2(inf, -inf), 0.75 * pi);
    same_bits(dry_atan2(-inf, inf), -0.25 * pi);
    same_bits(dry_hypot(-inf, nan), inf);
    same_bits(dry_hypot(nan, inf), inf);
    is_nan(dry_hypot(nan, 1.0));
    same_bits(dry_hypot(DBL_MAX, DBL_MAX), inf);
}

static void powers_at_the_ends(void **state) {
    (void)state;
    const double inf = (double)INFINITY, nan = (double)NAN;
    static const double known[][3] = {
        {1.0, NAN, 1.0},
        {NAN, 0.0, 1.0},
        {0.0, 3.0, 0.0},
        {-0.0, 3.0, -0.0},
        {-0.0, 2.0, 0.0},
        {-0.0, 0.5, 0.0},
        {0.0, -1.0, INFINITY},
        {-0.0, -1.0, -INFINITY},
        {-0.0, -2.0, INFINITY},
        {-1.0, INFINITY, 1.0},
        {-1.0, -INFINITY, 1.0},
        {0.5, INFINITY, 0.0},
        {0.5, -INFINITY, INFINITY},
        {2.0, -INFINITY, 0.0},
        {-2.0, INFINITY, INFINITY},
        {-INFINITY, 3.0, -INFINITY},
        {-INFINITY, -3.0, -0.0},
        {-INFINITY, 2.0, INFINITY},
        {INFINITY, -0.5, 0.0},
        {-1.0, 9007199254740991.0, -1.0},
        {-1.0, 9007199254740992.0, 1.0},
        {10.0, 400.0, INFINITY},
        {-10.0, 401.0, -INFINITY},
        {10.0, -400.0, 0.0},
        {-10.0, -401.0, -0.0},
        {2.0, -1075.0, 0.0},
        {2.0, 1024.0, INFINITY},
        {3.0, 1e-300, 1.0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        same_bits(dry_pow(known[i][0], known[i][1]), known[i][2]);
    is_nan(dry_pow(nan, 1.0));
    is_nan(dry_pow(2.0, nan));
    is_nan(dry_pow(-2.0, 0.5));
    same_bits(dry_pow(inf, inf), inf);
}

/* Where a function rises, so do its values from one double to the next, across the seams of its
 * formulas too. */
static void nothing_falls_at_the_seams(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double at;
    } seams[] = {{"exp", 0.010830424696},
                 {"exp", 1.0},
                 {"log", 1.00390625},
                 {"log", 0.998046875},
                 {"asin", 0.5},
                 {"atan", 0.4375},
                 {"atan", 0.75},
                 {"atan", 1.25},
                 {"atan", 2.5},
                 {"sinh", 1.0},
                 {"tanh", 0.5},
                 {"tanh", 20.0},
                 {"erf", 0.5},
                 {"erf", 0.75},
                 {"cbrt", 1.0},
                 {"cbrt", 2.0},
                 {"sin", 0.7853981633974483},
                 {"tan", 0.7853981633974483}};
    for (size_t i = 0; i < sizeof seams / sizeof *seams; i++) {
        const function *f = find(seams[i].name);
        double x = seams[i].at * (1.0 - 100 * DBL_EPSILON), before = f->one(x);
        for (int k = 0; k < 300; k++) {
            x = nextafter(x, (double)INFINITY);
            const double next = f->one(x);
            at_least(next, before - unit_of(before));
            before = next;
        }
    }
}

/* ---- single precision ----------------------------------------------------------------- */

static void single_sines_are_within_one_unit(void **state) {
    (void)state;
    double most[2] = {0.0, 0.0};
    for (uint32_t digits = 1; digits < 0x7f800000u; digits += 40009) {
        float x;
        memcpy(&x, &digits, sizeof x);
        const double exact[] = {dry_sin((double)x), dry_cos((double)x)};
        const float got[] = {dry_sinf(x), dry_cosf(x)};
        for (int i = 0; i < 2; i++) {
            int exponent;
            frexp(exact[i], &exponent);
            const double unit = ldexp(1.0, exponent < -125 ? -149 : exponent - 24);
            most[i] = fmax(most[i], fabs((double)got[i] - exact[i]) / unit);
        }
        same_bits((double)dry_sinf(-x), -(double)got[0]);
        same_bits((double)dry_cosf(-x), (double)got[1]);
    }
    at_most(most[0], 0.85);
    at_most(most[1], 0.85);
    same_bits((double)dry_sinf(-0.0f), -0.0);
    same_bits((double)dry_cosf(-0.0f), 1.0);
    is_nan((double)dry_sinf(INFINITY));
    is_nan((double)dry_cosf(NAN));
}

/* ---- the same bits in every build --------------------------------------------------------- */

/* FNV-1a of n bytes of a number, whatever their order in memory */
static uint64_t add(uint64_t sum, uint64_t bits, int n) {
    for (int k = 0; k < n; k++) sum = (sum ^ (bits >> 8 * k & 0xff)) * 0x100000001b3u;
    return sum;
}

static double scattered(int i, double low, double high) {
    const double turn = 0.6180339887498949 * (double)i;
    return low + (high - low) * (turn - floor(turn));
}

static void digest_of(const function *f, char text[20]) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (int i = 1; i <= 4096; i++) {
        const double x = scattered(i, f->low, f->high), y = scattered(7 * i, -9.0, 9.0);
        uint64_t bits;
        const double value = value_of(f, x, y);
        memcpy(&bits, &value, sizeof bits);
        sum = add(sum, bits, 8);
    }
    snprintf(text, 20, "%016llx", (unsigned long long)sum);
}

static void singles_digest(char text[20]) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (uint32_t digits = 1; digits < 0x7f800000u; digits += 400009) {
        float x, y[2];
        memcpy(&x, &digits, sizeof x);
        y[0] = dry_sinf(x);
        y[1] = dry_cosf(x);
        for (int i = 0; i < 2; i++) {
            uint32_t bits;
            memcpy(&bits, y + i, sizeof bits);
            sum = add(sum, bits, 4);
        }
    }
    snprintf(text, 20, "%016llx", (unsigned long long)sum);
}

static const char singles[] = "2781b1aaf0737000";

static void every_build_has_the_same_bits(void **state) {
    (void)state;
    char text[20];
    for (int i = 0; i < N_FUNCTIONS; i++) {
        digest_of(functions + i, text);
        if (strcmp(text, functions[i].digest) != 0) print_error("%s\n", functions[i].name);
        same_text(text, functions[i].digest);
    }
    singles_digest(text);
    same_text(text, singles);
}

static int print(void) {
    char text[20];
    for (int i = 0; i < N_FUNCTIONS; i++) {
        digest_of(functions + i, text);
        printf("%s %s\n", functions[i].name, text);
    }
    singles_digest(text);
    printf("sinf, cosf %s\n", text);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--print") == 0) return print();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_within_one_unit),
        cmocka_unit_test(what_is_exact_is_exact),
        cmocka_unit_test(special_values_are_those_of_annex_f),
        cmocka_unit_test(powers_at_the_ends),
        cmocka_unit_test(nothing_falls_at_the_seams),
        cmocka_unit_test(single_sines_are_within_one_unit),
        cmocka_unit_test(every_build_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
