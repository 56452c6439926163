/* What every test includes first: cmocka, and assertions on numbers that speak. One that fails
 * prints one line, with the file and the line of its caller, both expressions and their values, the
 * difference and the tolerance. Each is a statement and evaluates its arguments once. A number that
 * is not a number (NaN) passes is_nan alone.
 *
 *   near(a, b, tolerance)        |a - b| <= tolerance
 *   closer(a, b, tolerance)      |a - b| < tolerance
 *   near_share(a, b, share)      |a - b| <= share |b|
 *   near_case(a, b, tolerance, "row %d", i)   as near; it prints the case as well
 *   equal(a, b), unequal(a, b)   floating numbers; integers have assert_int_equal
 *   below(a, b), at_most(a, b)   a < b, a <= b; of any numbers, for counts are exact up to 2^53
 *   above(a, b), at_least(a, b)  a > b, a >= b
 *   between(x, low, high)        low < x < high
 *   is_nan(x), is_finite(x), is_infinite(x)
 *   same_bits(a, b)              0 and -0 differ
 *   all_near(n, a, b, tolerance), all_closer(n, a, b, tolerance), all_equal(n, a, b),
 *   all_same_bits(n, a, b)
 *                                arrays; they print the first index that fails
 *   same_text(a, b)              prints the text from where it differs
 *   is_ok(status, &error)        prints the text of the error
 */
#ifndef DRYSTONE_TESTS_UNIT_H
#define DRYSTONE_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <drystone/base.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The caller of an assertion, and the text of its first two arguments. */
typedef struct unit__place {
    const char *file;
    int line;
    const char *a, *b;
} unit__place;

/* fail() expands at the caller, so cmocka prints the caller's line. */
#define UNIT__HERE(a, b) (&(const unit__place){__FILE__, __LINE__, a, b})
#define UNIT__CHECK(passes) ((passes) ? (void)0 : fail())

/* ---- what a failure prints ------------------------------------------------------------- */

/* FILE:LINE: a (1.5) is not WORD b (2): they differ by -0.5. Then the rest: a tolerance, an index,
 * a case. */
static inline bool unit__say(const unit__place *at, double a, const char *word, double b,
                             const char *rest) {
    print_error("%s:%d: %s (%.17g) is not %s %s (%.17g): they differ by %.3g%s\n", at->file,
                at->line, at->a, a, word, at->b, b, a - b, rest);
    return false;
}

static inline bool unit__say_within(const unit__place *at, double a, const char *word, double b,
                                    double tolerance, const char *more) {
    char rest[320];
    snprintf(rest, sizeof rest, ", and may by %.3g%s%s", tolerance, *more ? "; " : "", more);
    return unit__say(at, a, word, b, rest);
}

/* ---- two numbers ----------------------------------------------------------------------- */

static inline bool unit__is_near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance;
}
static inline bool unit__is_closer(double a, double b, double tolerance) {
    return fabs(a - b) < tolerance;
}
static inline bool unit__near(double a, double b, double tolerance, const unit__place *at) {
    return unit__is_near(a, b, tolerance) || unit__say_within(at, a, "near", b, tolerance, "");
}
static inline bool unit__closer(double a, double b, double tolerance, const unit__place *at) {
    return unit__is_closer(a, b, tolerance) ||
           unit__say_within(at, a, "close to", b, tolerance, "");
}
static inline bool unit__near_share(double a, double b, double share, const unit__place *at) {
    return unit__near(a, b, share * fabs(b), at);
}

__attribute__((format(printf, 5, 6))) static inline bool unit__near_case(const unit__place *at,
                                                                         double a, double b,
                                                                         double tolerance,
                                                                         const char *format, ...) {
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return unit__is_near(a, b, tolerance) || unit__say_within(at, a, "near", b, tolerance, text);
}

static inline bool unit__is_equal(double a, double b, double tolerance) {
    (void)tolerance;
    return a == b;
}
static inline bool unit__equal(double a, double b, const unit__place *at) {
    return a == b || unit__say(at, a, "equal to", b, "");
}
static inline bool unit__unequal(double a, double b, const unit__place *at) {
    return a < b || a > b || unit__say(at, a, "unequal to", b, "");
}
static inline bool unit__below(double a, double b, const unit__place *at) {
    return a < b || unit__say(at, a, "below", b, "");
}
static inline bool unit__at_most(double a, double b, const unit__place *at) {
    return a <= b || unit__say(at, a, "at most", b, "");
}
static inline bool unit__above(double a, double b, const unit__place *at) {
    return a > b || unit__say(at, a, "above", b, "");
}
static inline bool unit__at_least(double a, double b, const unit__place *at) {
    return a >= b || unit__say(at, a, "at least", b, "");
}
static inline bool unit__between(double x, double low, double high, const unit__place *above_low,
                                 const unit__place *below_high) {
    return unit__above(x, low, above_low) && unit__below(x, high, below_high);
}

/* The same bits, or both not a number: what two programs that compute the same thing agree on. */
static inline bool alike(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}
static inline bool unit__has_bits_of(double a, double b, double tolerance) {
    (void)tolerance;
    return alike(a, b) && !isnan(a);
}
static inline bool unit__same_bits(double a, double b, const unit__place *at) {
    return unit__has_bits_of(a, b, 0.0) || unit__say(at, a, "bit for bit", b, "");
}

#define near(a, b, tolerance) UNIT__CHECK(unit__near(a, b, tolerance, UNIT__HERE(#a, #b)))
#define closer(a, b, tolerance) UNIT__CHECK(unit__closer(a, b, tolerance, UNIT__HERE(#a, #b)))
#define near_share(a, b, share) UNIT__CHECK(unit__near_share(a, b, share, UNIT__HERE(#a, #b)))
#define near_case(a, b, tolerance, ...)                                                            \
    UNIT__CHECK(unit__near_case(UNIT__HERE(#a, #b), a, b, tolerance, __VA_ARGS__))
/* Two integers have no row of the _Generic: they do not compile. */
#define equal(a, b) UNIT__CHECK(_Generic((a) + (b), double : unit__equal)(a, b, UNIT__HERE(#a, #b)))
#define unequal(a, b)                                                                              \
    UNIT__CHECK(_Generic((a) + (b), double : unit__unequal)(a, b, UNIT__HERE(#a, #b)))
#define below(a, b) UNIT__CHECK(unit__below((double)(a), (double)(b), UNIT__HERE(#a, #b)))
#define at_most(a, b) UNIT__CHECK(unit__at_most((double)(a), (double)(b), UNIT__HERE(#a, #b)))
#define above(a, b) UNIT__CHECK(unit__above((double)(a), (double)(b), UNIT__HERE(#a, #b)))
#define at_least(a, b) UNIT__CHECK(unit__at_least((double)(a), (double)(b), UNIT__HERE(#a, #b)))
#define between(x, low, high)                                                                      \
    UNIT__CHECK(unit__between((double)(x), (double)(low), (double)(high), UNIT__HERE(#x, #low),    \
                              UNIT__HERE(#x, #high)))
#define same_bits(a, b) UNIT__CHECK(unit__same_bits(a, b, UNIT__HERE(#a, #b)))

/* ---- one number ------------------------------------------------------------------------ */

static inline bool unit__is(bool passes, double x, const char *what, const unit__place *at) {
    if (!passes) print_error("%s:%d: %s (%.17g) is not %s\n", at->file, at->line, at->a, x, what);
    return passes;
}
static inline bool unit__is_nan(double x, const unit__place *at) {
    return unit__is(isnan(x), x, "NaN", at);
}
static inline bool unit__is_finite(double x, const unit__place *at) {
    return unit__is(isfinite(x), x, "finite", at);
}
static inline bool unit__is_infinite(double x, const unit__place *at) {
    return unit__is(isinf(x), x, "infinite", at);
}

#define is_nan(x) UNIT__CHECK(unit__is_nan(x, UNIT__HERE(#x, "")))
#define is_finite(x) UNIT__CHECK(unit__is_finite(x, UNIT__HERE(#x, "")))
#define is_infinite(x) UNIT__CHECK(unit__is_infinite(x, UNIT__HERE(#x, "")))

/* ---- arrays ---------------------------------------------------------------------------- */

/* An empty comparison would pass whatever was computed. */
static inline bool unit__some(size_t n, const unit__place *at) {
    if (n == 0) print_error("%s:%d: %s has no numbers\n", at->file, at->line, at->a);
    return n > 0;
}

typedef bool unit__agree(double a, double b, double tolerance);

static inline bool unit__all(unit__agree *agree, size_t n, const double *a, const double *b,
                             double tolerance, const char *word, const unit__place *at) {
    char where[32];
    for (size_t i = 0; i < n; i++) {
        if (agree(a[i], b[i], tolerance)) continue;
        snprintf(where, sizeof where, "at index %zu", i);
        return unit__say_within(at, a[i], word, b[i], tolerance, where);
    }
    return unit__some(n, at);
}

#define all_near(n, a, b, tolerance)                                                               \
    UNIT__CHECK(unit__all(unit__is_near, (size_t)(n), a, b, tolerance, "near", UNIT__HERE(#a, #b)))
#define all_closer(n, a, b, tolerance)                                                             \
    UNIT__CHECK(                                                                                   \
        unit__all(unit__is_closer, (size_t)(n), a, b, tolerance, "close to", UNIT__HERE(#a, #b)))
#define all_equal(n, a, b)                                                                         \
    UNIT__CHECK(unit__all(unit__is_equal, (size_t)(n), a, b, 0.0, "equal to", UNIT__HERE(#a, #b)))
#define all_same_bits(n, a, b)                                                                     \
    UNIT__CHECK(                                                                                   \
        unit__all(unit__has_bits_of, (size_t)(n), a, b, 0.0, "bit for bit", UNIT__HERE(#a, #b)))

/* ---- texts and errors ------------------------------------------------------------------ */

/* Long texts are printed from where they differ. */
static inline bool unit__same_text(const char *a, const char *b, const unit__place *at) {
    if (a && b && strcmp(a, b) == 0) return true;
    size_t same = 0;
    while (a && b && a[same] && a[same] == b[same]) same++;
    print_error("%s:%d: %s is not the text %s: from byte %zu on \"%.200s\", not \"%.200s\"\n",
                at->file, at->line, at->a, at->b, same, a ? a + same : "(NULL)",
                b ? b + same : "(NULL)");
    return false;
}

static inline bool unit__is_ok(dry_status status, const dry_error *error, const unit__place *at) {
    if (status != DRY_OK)
        print_error("%s:%d: %s: %s: %s:%d:%d: %s\n", at->file, at->line, at->a,
                    dry_status_text(status), error->file, error->line, error->column, error->text);
    return status == DRY_OK;
}

#define same_text(a, b) UNIT__CHECK(unit__same_text(a, b, UNIT__HERE(#a, #b)))
#define is_ok(status, error) UNIT__CHECK(unit__is_ok(status, error, UNIT__HERE(#status, #error)))

#endif
