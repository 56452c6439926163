/* An axis: a range that shows the data, round ticks in it, and the shortest labels for them.
 *
 * A tick is N * 10^k with a whole N, and so is all that is printed: labels come from whole numbers,
 * so that no digit of noise can enter. Symbols: N tick in units of 10^k, m 1, 2 or 5 (the step is
 * m * 10^k), B what all labels leave out, e the power of ten that they leave out. */
#include "internal.h"

#include <math.h>
#include <string.h>

#define LARGEST 4e307   /* beyond it a difference of two values might overflow */
#define SMALLEST 1e-303 /* a range below it has no ticks in normal numbers */
#define FLAT 1e-12      /* a range this much smaller than its values is noise of rounding */

typedef long long whole;

bool dry_plot__drawable(double value) { return fabs(value) <= LARGEST; }

dry_plot__range dry_plot__range_empty(void) { return (dry_plot__range){INFINITY, -INFINITY}; }

dry_plot__range dry_plot__range_of(const double *values, size_t n) {
    dry_plot__range range = dry_plot__range_empty();
    for (size_t i = 0; i < n; i++) {
        if (!dry_plot__drawable(values[i])) continue;
        if (values[i] < range.lo) range.lo = values[i];
        if (values[i] > range.hi) range.hi = values[i];
    }
    return range;
}

dry_plot__range dry_plot__range_positive(const double *values, size_t n) {
    dry_plot__range range = dry_plot__range_empty();
    for (size_t i = 0; i < n; i++) {
        if (!dry_plot__drawable(values[i]) || values[i] <= 0.0) continue;
        if (values[i] < range.lo) range.lo = values[i];
        if (values[i] > range.hi) range.hi = values[i];
    }
    return range;
}

dry_plot__range dry_plot__range_join(dry_plot__range a, dry_plot__range b) {
    return (dry_plot__range){fmin(a.lo, b.lo), fmax(a.hi, b.hi)};
}

static dry_plot__range clamp(dry_plot__range range) {
    return (dry_plot__range){fmax(range.lo, -LARGEST), fmin(range.hi, LARGEST)};
}

static dry_plot__range widen(dry_plot__range range, double pad) {
    if (range.lo > range.hi) return (dry_plot__range){0.0, 1.0};
    double size = fmax(fabs(range.lo), fabs(range.hi));
    double width = range.hi - range.lo;
    double more = pad * width;
    if (width <= FLAT * size || width < SMALLEST) more = size > 1e-300 ? 0.1 * size : 1.0;
    return clamp((dry_plot__range){range.lo - more, range.hi + more});
}

/* ---- ticks --------------------------------------------------------------------------------- */

/* N * 10^k, the nearest double where the power is exact. */
static double decimal(whole N, int k) {
    return k >= 0 ? (double)N * pow(10.0, k) : (double)N / pow(10.0, -k);
}

/* The ticks i * m * 10^k with first <= i <= last. */
typedef struct ladder {
    int m, k;
    whole first, last;
} ladder;

static ladder climb(double lo, double hi, int m, int k) {
    double step = decimal(m, k), a = lo / step, b = hi / step;
    double slack = 1e-9 + 4e-16 * fmax(fabs(a), fabs(b));
    return (ladder){m, k, (whole)ceil(a - slack), (whole)floor(b + slack)};
}

static int count(ladder l) { return (int)(l.last - l.first) + 1; }

/* The finest step that gives at most `most` ticks; one finer where that gives fewer than 3. */
static ladder choose(double lo, double hi, int most) {
    static const int m[] = {1, 2, 5};
    int k = (int)floor(log10(hi - lo)) - 1, i = 0;
    ladder finer = climb(lo, hi, m[0], k), now = finer;
    while (count(now) > most) {
        finer = now;
        i++;
        now = climb(lo, hi, m[i % 3], k + i / 3);
    }
    return count(now) < 3 && count(finer) <= DRY_PLOT__TICKS && most >= 5 ? finer : now;
}

/* ---- labels -------------------------------------------------------------------------------- */

static int digits(whole n) {
    int length = 1;
    for (; n >= 10; n /= 10) length++;
    return length;
}

static whole magnitude(whole n) { return n < 0 ? -n : n; }
static whole larger(whole a, whole b) { return a > b ? a : b; }

static whole floor_to(whole n, whole unit) {
    whole rest = n % unit;
    return n - (rest < 0 ? rest + unit : rest);
}

/* What labels of many equal leading digits leave out: the roundest number in or near their range;
 * 0 for nothing. */
static whole offset(whole first, whole last) {
    whole span = larger(last - first, 1), p = 1000000000000000;
    if (larger(magnitude(first), magnitude(last)) < 10000 * span) return 0;
    while (floor_to(last, p) < first - span) p /= 10;
    return floor_to(last, p);
}

/* The power of ten that labels of up to `most` units of 10^k leave out. */
static int exponent(whole most, int k) {
    int decade = digits(most) - 1 + k;
    if (most == 0 || (decade >= -2 && decade < 5)) return 0;
    return decade >= 0 ? decade / 3 * 3 : -((2 - decade) / 3 * 3);
}

/* N * 10^k in full, as "−0.25". */
static void plain(whole N, int k, char *text, size_t size) {
    const char *sign = N < 0 ? "−" : "";
    whole n = magnitude(N), unit = 1;
    for (; k > 0; k--) n *= 10;
    for (int i = k; i < 0; i++) unit *= 10;
    char fraction[24]; /* with a one in front, which holds its zeros */
    snprintf(fraction, sizeof fraction, "%lld", unit + n % unit);
    bool fractional = k < 0 && n != 0;
    snprintf(text, size, "%s%lld%s%s", sign, n / unit, fractional ? "." : "",
             fractional ? fraction + 1 : "");
}

/* The offset in the note: "+1000", "−1.5×10⁹". */
static void offset_text(whole B, int k, char *text, size_t size) {
    char number[48], power[32] = "";
    whole n = magnitude(B);
    for (; n % 10 == 0; n /= 10) k++;
    int decade = digits(n) - 1 + k;
    if (decade > 6 || decade < -3) {
        dry_plot__power(decade, power);
        k -= decade;
    }
    plain(n, k, number, sizeof number);
    snprintf(text, size, "%s%s%s", B < 0 ? "−" : "+", number, power);
}

static void note(dry_plot__axis *axis, whole B, int k, int e) {
    char power[32] = "", rest[96] = "";
    if (e != 0) dry_plot__power(e, power);
    if (B != 0) offset_text(B, k, rest, sizeof rest);
    snprintf(axis->note, sizeof axis->note, "%s%s%s", power, e != 0 && B != 0 ? " " : "", rest);
}

void dry_plot__axis_make(dry_plot__axis *axis, dry_plot__range range, double pad, int most) {
    range = widen(range, pad);
    ladder l = choose(range.lo, range.hi,
                      most < 1                 ? 1
                      : most > DRY_PLOT__TICKS ? DRY_PLOT__TICKS
                                               : most);
    whole B = offset(l.first * l.m, l.last * l.m);
    whole top = larger(magnitude(l.first * l.m - B), magnitude(l.last * l.m - B));
    int e = exponent(top, l.k);
    *axis = (dry_plot__axis){.lo = range.lo, .hi = range.hi, .n = count(l)};
    for (int i = 0; i < axis->n; i++) {
        whole N = (l.first + i) * l.m;
        axis->tick[i] = fmin(fmax(decimal(N, l.k), range.lo), range.hi);
        plain(N - B, l.k - e, axis->label[i], sizeof axis->label[i]);
    }
    note(axis, B, l.k, e);
}

/* ---- logarithms ---------------------------------------------------------------------------- */

/* Adds the tick N * 10^k where it lies on the axis: "0.05", "10⁻⁷". */
static void add_tick(dry_plot__axis *axis, whole N, int k) {
    const double value = decimal(N, k), slack = 1e-9;
    if (value < axis->lo * (1.0 - slack) || value > axis->hi * (1.0 + slack)) return;
    const int i = axis->n++;
    axis->tick[i] = fmin(fmax(value, axis->lo), axis->hi);
    if (k >= -4 && k <= 4) {
        plain(N, k, axis->label[i], sizeof axis->label[i]);
        return;
    }
    char power[32], number[16] = "";
    dry_plot__power(k, power);
    if (N > 1) snprintf(number, sizeof number, "%lld", N);
    snprintf(axis->label[i], sizeof axis->label[i], "%s%s", number,
             N > 1 ? power : power + strcspn(power, "1"));
}

static int count_ticks(double lo, double hi, const int *digit, int n_digits, int every) {
    int n = 0;
    for (int k = (int)floor(log10(lo)); k <= (int)ceil(log10(hi)); k++)
        for (int i = 0; i < n_digits && k % every == 0; i++) {
            const double value = decimal(digit[i], k);
            n += value >= lo * (1.0 - 1e-9) && value <= hi * (1.0 + 1e-9);
        }
    return n;
}

/* By the part `pad` of its length at both ends; a single value gets a third of a decade. */
static dry_plot__range widen_log(dry_plot__range range, double pad) {
    if (!(range.lo > 0.0 && range.lo <= range.hi)) return range;
    const double more = range.hi > range.lo ? pow(range.hi / range.lo, pad) : pad > 0.0 ? 2.0 : 1.0;
    return (dry_plot__range){fmax(range.lo / more, SMALLEST), fmin(range.hi * more, LARGEST)};
}

void dry_plot__axis_make_log(dry_plot__axis *axis, dry_plot__range range, double pad, int most) {
    static const int digits_of[] = {1, 2, 5};
    range = range.lo > range.hi ? (dry_plot__range){0.1, 1.0} : widen_log(range, pad);
    *axis = (dry_plot__axis){.lo = range.lo, .hi = range.hi, .log = true};
    if (!(range.lo > 0.0)) axis->lo = range.hi > 0.0 ? 1e-3 * range.hi : 0.1;
    if (!(range.hi > axis->lo)) axis->hi = 10.0 * axis->lo;
    if (most > DRY_PLOT__TICKS) most = DRY_PLOT__TICKS;
    int every = 1;
    int n_digits = count_ticks(axis->lo, axis->hi, digits_of, 3, 1) <= most ? 3 : 1;
    while (count_ticks(axis->lo, axis->hi, digits_of, n_digits, every) > most) every++;
    for (int k = (int)floor(log10(axis->lo)); k <= (int)ceil(log10(axis->hi)); k++)
        for (int i = 0; i < n_digits && k % every == 0 && axis->n < DRY_PLOT__TICKS; i++)
            add_tick(axis, digits_of[i], k);
}

double dry_plot__axis_at(const dry_plot__axis *axis, double value) {
    if (axis->log) return log(value / axis->lo) / log(axis->hi / axis->lo);
    return (value - axis->lo) / (axis->hi - axis->lo);
}
