/* Values of columns over time: interpolation, and statistics by the trapezoid rule.
 *
 *   integral = sum (y_i + y_i+1) / 2 (t_i+1 - t_i),  mean = integral / (b - a),
 *   rms = sqrt(integral of y^2 / (b - a)), the ends at a and b being interpolated. */
#include "table.h"
#include <math.h>

/* How far, relative to the times, a time may lie outside by rounding. */
static const double slack = 1e-12;

/* The last row with t <= time; n > 0 and t[0] <= time. */
static size_t last_row(const double *t, size_t n, double time) {
    size_t low = 0, high = n; /* t[low] <= time < t[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (t[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The time, moved to the ends if it is outside by rounding only. */
static double clamp(const double *t, size_t n, double time) {
    double from = t[0], until = t[n - 1], room = slack * fmax(fabs(from), fabs(until));
    if (time < from && time >= from - room) return from;
    if (time > until && time <= until + room) return until;
    return time;
}

bool dry_record__locate(const double *t, size_t n, double time, dry_record__place *place) {
    if (n == 0) return false;
    time = clamp(t, n, time);
    if (!(t[0] <= time && time <= t[n - 1])) return false;
    size_t row = last_row(t, n, time);
    bool between = row + 1 < n && t[row] < time;
    place->row = row;
    place->s = between ? (time - t[row]) / (t[row + 1] - t[row]) : 0;
    return true;
}

double dry_record__value(const double *y, dry_record__place place) {
    double y0 = y[place.row];
    return place.s == 0 ? y0 : y0 + place.s * (y[place.row + 1] - y0);
}

double dry_record_at(const dry_record *record, int t, int y, double time) {
    dry_record__place place;
    const double *times = dry_record_values(record, t), *values = dry_record_values(record, y);
    if (!times || !values || !dry_record__locate(times, record->rows, time, &place)) return NAN;
    return dry_record__value(values, place);
}

/* The smaller (or larger) one; nan once there is a nan. */
static double keep_min(double old, double y) { return y < old || isnan(y) ? y : old; }
static double keep_max(double old, double y) { return y > old || isnan(y) ? y : old; }

static void start(dry_record_sums *s, double y) {
    s->started = true;
    s->at = s->a;
    s->value = s->first = s->min = s->max = y;
}

static void add_point(dry_record_sums *s, double t, double y) {
    double h = t - s->at;
    s->integral += h * (s->value + y) / 2;
    s->square += h * (s->value * s->value + y * y) / 2;
    s->min = keep_min(s->min, y);
    s->max = keep_max(s->max, y);
    s->at = t;
    s->value = y;
}

void dry_record_sums_begin(dry_record_sums *sums, double a, double b) {
    *sums = (dry_record_sums){.asked_a = a, .asked_b = b};
}

/* Whether the ends lie before this time by rounding only is known at the end. */
static void add_first(dry_record_sums *s, double t) {
    s->any = true;
    s->begin = t;
    s->a = fmax(s->asked_a, t);
    s->b = fmax(s->asked_b, t);
}

/* y at a time between the last point and (t, y). */
static double between(const dry_record_sums *s, double time, double t, double y) {
    const double part = s->t < time ? (time - s->t) / (t - s->t) : 0;
    return part == 0 ? s->y : s->y + part * (y - s->y);
}

static void add_later(dry_record_sums *s, double t, double y) {
    if (!s->started && t > s->a) start(s, between(s, s->a, t, y));
    if (!s->started || s->done) return;
    if (t <= s->b) {
        s->backwards = s->backwards || !(t >= s->at);
        add_point(s, t, y);
    } else {
        if (s->at < s->b) add_point(s, s->b, between(s, s->b, t, y));
        s->done = true;
    }
}

void dry_record_sums_add(dry_record_sums *sums, double t, double y) {
    if (sums->any)
        add_later(sums, t, y);
    else
        add_first(sums, t);
    sums->t = t;
    sums->y = y;
}

/* Whether a time lies within the times, but for rounding. */
static bool is_within(const dry_record_sums *s, double time) {
    const double ends[] = {s->begin, s->t}, moved = clamp(ends, 2, time);
    return time == -INFINITY || time == INFINITY || (moved >= s->begin && moved <= s->t);
}

dry_status dry_record_sums_end(dry_record_sums *s, dry_record_stats *stats) {
    if (!s->any || !(s->asked_a <= s->asked_b) || !is_within(s, s->asked_a) ||
        !is_within(s, s->asked_b) || s->asked_a == INFINITY || s->asked_b == -INFINITY)
        return DRY_BAD_ARGUMENT;
    s->a = fmin(s->a, s->t);
    s->b = fmin(s->b, s->t);
    if (!s->started) start(s, s->y);
    if (s->backwards) return DRY_BAD_ARGUMENT;
    *stats =
        (dry_record_stats){.min = s->min,
                           .max = s->max,
                           .mean = s->a < s->b ? s->integral / (s->b - s->a) : s->value,
                           .rms = s->a < s->b ? sqrt(s->square / (s->b - s->a)) : fabs(s->value),
                           .integral = s->integral,
                           .first = s->first,
                           .last = s->value};
    return DRY_OK;
}

dry_status dry_record_statistics(const dry_record *record, int t, int y, double a, double b,
                                 dry_record_stats *stats) {
    const double *times = dry_record_values(record, t), *values = dry_record_values(record, y);
    dry_record_sums sums;
    if (!times || !values) return DRY_BAD_ARGUMENT;
    dry_record_sums_begin(&sums, a, b);
    for (size_t i = 0; i < record->rows; i++) dry_record_sums_add(&sums, times[i], values[i]);
    return dry_record_sums_end(&sums, stats);
}
