/* How far the elementary functions are from the exact values, at most, in units of the last place,
 * over N points per function that are drawn at random: over the range that matters most, over all
 * numbers, and near the places where something cancels.
 *
 *   accuracy [N [FUNCTION]]      N: 10000000
 *
 * The exact value is that of MPFR with 160 digits. MPFR is asked only where the long double of libm
 * says that the error may be larger than any before; an error of libm beyond 1/16 ulp of a double
 * would have to hide a larger one. Ends with 1 if an error is above 1 ulp. */
#include <drystone/elementary.h>

#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*exact_1)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int (*exact_2)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

typedef struct function {
    const char *name;
    double (*one)(double), (*two)(double, double);
    long double (*about_one)(long double), (*about_two)(long double, long double);
    exact_1 exact_one;
    exact_2 exact_two;
    double low, high; /* the range that matters most; x of two */
    double near[5];   /* places, and their multiples by .period */
    double period;
} function;

#define ONE(f) .name = #f, .one = dry_##f, .about_one = f##l, .exact_one = mpfr_##f
#define TWO(f) .name = #f, .two = dry_##f, .about_two = f##l, .exact_two = mpfr_##f

static const function functions[] = {
    {ONE(sin), .low = -20.0, .high = 20.0, .period = 1.5707963267948966},
    {ONE(cos), .low = -20.0, .high = 20.0, .period = 1.5707963267948966},
    {ONE(tan), .low = -20.0, .high = 20.0, .period = 0.7853981633974483},
    {ONE(asin), .low = -1.0, .high = 1.0, .near = {0.0, 0.5, -0.5, 1.0, -1.0}},
    {ONE(acos), .low = -1.0, .high = 1.0, .near = {0.0, 0.5, -0.5, 1.0, -1.0}},
    {ONE(atan), .low = -6.0, .high = 6.0, .near = {0.4375, 0.75, 1.25, 2.5, 1.0}},
    {ONE(sinh), .low = -4.0, .high = 4.0, .near = {1.0, 40.0, 710.4, 20.0, -1.0}},
    {ONE(cosh), .low = -4.0, .high = 4.0, .near = {0.0, 40.0, 710.4, 1.0, -1.0}},
    {ONE(tanh), .low = -4.0, .high = 4.0, .near = {0.5, 1.0, 20.0, 0.25, -0.5}},
    {ONE(exp), .low = -40.0, .high = 40.0, .near = {0.0, 709.7, -708.4, -745.0, 1.0}},
    {ONE(log), .low = 0.0, .high = 4.0, .near = {1.0, 0.7, 1.4, 2.0, 0.5}},
    {ONE(log10), .low = 0.0, .high = 4.0, .near = {1.0, 0.7, 1.4, 10.0, 0.1}},
    {ONE(cbrt), .low = -9.0, .high = 9.0, .near = {1.0, 2.0, 4.0, 8.0, 27.0}},
    {ONE(erf), .low = -4.0, .high = 4.0, .near = {0.5, 1.0, 2.0, 5.9, 3.0}},
    {TWO(pow), .low = 0.0, .high = 4.0, .near = {1.0, 2.0, 0.5, 10.0, 3.0}},
    {TWO(atan2), .low = -4.0, .high = 4.0, .near = {1.0, 0.75, 2.5, 1.25, -1.0}},
    {TWO(hypot), .low = -4.0, .high = 4.0, .near = {1.0, 3.0, 4.0, 5.0, 12.0}},
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

static uint64_t seed = 20260101;

/* splitmix64 */
static uint64_t draw(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static double draw_part(void) { return (double)(draw() >> 11) * 0x1p-53; }

static double draw_bits(void) {
    const uint64_t bits = draw();
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* One of: the range; all numbers; moderate sizes; near a place. */
static double point(const function *f, double low, double high) {
    switch (draw() % 4) {
    case 0: return low + (high - low) * draw_part();
    case 1: return draw_bits();
    case 2: return (draw() & 1 ? -1.0 : 1.0) * exp2(60.0 * draw_part() - 50.0);
    default: break;
    }
    const double place = f->period > 0.0
                             ? f->period * (double)(int64_t)(draw() >> (11 + draw() % 52))
                             : f->near[draw() % 5];
    return place * (1.0 + (draw_part() - 0.5) * exp2(-52.0 * draw_part()));
}

static double units(double got, long double exact) {
    int exponent;
    frexpl(exact, &exponent);
    if (exponent < -1021) exponent = -1021;
    return (double)fabsl((got - exact) / ldexpl(1.0L, exponent - 53));
}

static double exact_units(const function *f, double x, double y, double got) {
    mpfr_t a, b, c;
    mpfr_inits2(160, a, b, c, (mpfr_ptr)0);
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_d(b, y, MPFR_RNDN);
    if (f->one)
        f->exact_one(c, a, MPFR_RNDN);
    else
        f->exact_two(c, a, b, MPFR_RNDN);
    long exponent = mpfr_zero_p(c) ? -1021 : mpfr_get_exp(c);
    if (exponent < -1021) exponent = -1021;
    mpfr_set_d(a, got, MPFR_RNDN);
    mpfr_sub(c, c, a, MPFR_RNDN);
    mpfr_mul_2si(c, c, 53 - exponent, MPFR_RNDN);
    const double out = fabs(mpfr_get_d(c, MPFR_RNDN));
    mpfr_clears(a, b, c, (mpfr_ptr)0);
    return out;
}

typedef struct found {
    double most, x, y;
    long n, asked, wrong;
} found;

static void take(const function *f, double x, double y, found *to) {
    const double got = f->one ? f->one(x) : f->two(x, y);
    const long double about = f->one ? f->about_one(x) : f->about_two(x, y);
    if (isnan(about) || fabsl(about) > DBL_MAX || isinf(got)) { /* the same kind of no number */
        const bool edge = isinf(got) && fabsl(about) > 0.9999999999999999L * DBL_MAX;
        const bool same = isnan(got) ? isnan(about) : edge ? (got < 0.0) == (about < 0.0L) : false;
        if (!same && to->wrong++ < 5)
            printf("%s(%.17g, %.17g) is %.17g, about %.20Lg\n", f->name, x, y, got, about);
        return;
    }
    to->n++;
    if (units(got, about) < to->most - 0.0625) return;
    to->asked++;
    const double far = exact_units(f, x, y, got);
    if (!(far > to->most)) return;
    *to = (found){far, x, y, to->n, to->asked, to->wrong};
}

int main(int argc, char **argv) {
    const long many = argc > 1 ? atol(argv[1]) : 10000000;
    int status = 0;
    printf("| function | points | largest error, ulp | at |\n|---|---|---|---|\n");
    for (int i = 0; i < N_FUNCTIONS; i++) {
        const function *f = functions + i;
        found most = {0};
        if (argc > 2 && strcmp(argv[2], f->name) != 0) continue;
        for (long k = 0; k < many; k++) {
            const double x = point(f, f->low, f->high), y = f->two ? point(f, -8.0, 8.0) : 0.0;
            take(f, x, y, &most);
        }
        printf("| `%s` | %ld | %.3f | %.17g", f->name, most.n, most.most, most.x);
        printf(f->two ? ", %.17g |\n" : " |\n", most.y);
        fflush(stdout);
        if (most.most > 1.0 || most.wrong) status = 1;
    }
    return status;
}
