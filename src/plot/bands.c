/* bands: the stretches of the abscissa in which a condition holds, from the column of the
 * condition.
 *
 * A stretch begins at the first row in which the condition holds and ends at the next in which it
 * does not, so that one row alone can be seen. */
#include "internal.h"

#include <math.h>

static bool holds(double condition) { return condition != 0.0 && !isnan(condition); }

static size_t count(const double *condition, size_t n) {
    size_t stretches = 0;
    for (size_t i = 0; i < n; i++)
        stretches += holds(condition[i]) && (i == 0 || !holds(condition[i - 1]));
    return stretches;
}

bool dry_plot__bands_find(dry_panel_band *bands, const double *x, const double *condition, size_t n,
                          dry_arena *arena) {
    const size_t room = (count(condition, n) + 1) * sizeof *bands->from;
    bands->from = dry_arena_take(arena, room);
    bands->to = dry_arena_take(arena, room);
    if (!bands->from || !bands->to) return false;
    for (size_t i = 0; i < n; i++) {
        const bool before = i > 0 && holds(condition[i - 1]);
        if (holds(condition[i]) && !before) bands->from[bands->n++] = x[i];
        if (holds(condition[i]) || before) bands->to[bands->n - 1] = x[i];
    }
    return true;
}
