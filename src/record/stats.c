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

/* The time moved to the ends where it is outside by rounding only. */
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

typedef struct sums {
    double t, y; /* the last point */
    double min, max, integral, square;
} sums;

/* The smaller (or larger) one; nan once there is a nan. */
static double keep_min(double old, double y) { return y < old || isnan(y) ? y : old; }
static double keep_max(double old, double y) { return y > old || isnan(y) ? y : old; }

static void add_point(sums *s, double t, double y) {
    double h = t - s->t;
    s->integral += h * (s->y + y) / 2;
    s->square += h * (s->y * s->y + y * y) / 2;
    s->min = keep_min(s->min, y);
    s->max = keep_max(s->max, y);
    s->t = t;
    s->y = y;
}

/* From a at `from` over all rows up to b. False if time runs backwards. */
static bool sum_up(const double *t, const double *y, size_t n, double a, double b,
                   dry_record__place from, dry_record__place until, sums *s) {
    double y_a = dry_record__value(y, from);
    *s = (sums){.t = a, .y = y_a, .min = y_a, .max = y_a};
    for (size_t i = from.row + 1; i < n && t[i] <= b; i++) {
        if (!(t[i] >= s->t)) return false;
        add_point(s, t[i], y[i]);
    }
    if (s->t < b) add_point(s, b, dry_record__value(y, until));
    return true;
}

dry_status dry_record_statistics(const dry_record *record, int t, int y, double a, double b,
                                 dry_record_stats *stats) {
    const double *times = dry_record_values(record, t), *values = dry_record_values(record, y);
    size_t n = record->rows;
    dry_record__place from, until;
    if (!times || !values || n == 0 || !(a <= b)) return DRY_BAD_ARGUMENT;
    a = a == -INFINITY ? times[0] : clamp(times, n, a);
    b = b == INFINITY ? times[n - 1] : clamp(times, n, b);
    bool found = dry_record__locate(times, n, a, &from) && dry_record__locate(times, n, b, &until);
    sums s;
    if (!found || !sum_up(times, values, n, a, b, from, until, &s)) return DRY_BAD_ARGUMENT;
    double first = dry_record__value(values, from);
    *stats = (dry_record_stats){.min = s.min,
                                .max = s.max,
                                .mean = a < b ? s.integral / (b - a) : s.y,
                                .rms = a < b ? sqrt(s.square / (b - a)) : fabs(s.y),
                                .integral = s.integral,
                                .first = first,
                                .last = s.y};
    return DRY_OK;
}
