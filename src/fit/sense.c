/* sense: parameters that make no physical sense.
 *
 * What a parameter is, its unit says: a mass, a stiffness and a damping are positive in every
 * machine that is left alone. A value that began negative has its minus in the text. */
#include "statistics.h"

#include <string.h>

static const struct {
    const char *unit, *what, *means;
} rows[] = {
    {"kg", "a mass", "a body that speeds up against the force on it"},
    {"kg m^2", "an inertia", "a body that turns against the moment on it"},
    {"N/m", "a stiffness", "a spring that pushes away from its rest"},
    {"N m/rad", "a stiffness", "a spring that turns away from its rest"},
    {"N s/m", "a damping", "a damper that gives energy with each motion"},
    {"N m s/rad", "a damping", "a damper that gives energy with each turn"},
};

static int row_of(const dry_fit_parameter *p) {
    const int n = sizeof rows / sizeof *rows;
    int i = 0;
    while (i < n && strcmp(rows[i].unit, p->unit) != 0) i++;
    return i < n ? i : -1;
}

bool dry_fit__is_nonsense(const dry_fit_parameter *p, const char **what, const char **means) {
    const int row = row_of(p);
    if (row < 0 || !(p->value < 0.0) || p->start < 0.0) return false;
    *what = rows[row].what;
    *means = rows[row].means;
    return true;
}

bool dry_fit__sign_matters(const dry_fit_parameter *p) {
    return row_of(p) >= 0 || p->low == 0.0 || p->high == 0.0;
}
