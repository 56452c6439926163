/* shape_line: where a function along a line is largest, and how far it stays above a level.
 *
 * The depth in a convex shape is concave along a line, so a golden section finds its peak, and
 * halving finds where it falls below a level. Both move continuously with the line, the peak where
 * there is one place for it, the ends of a level below the peak always. t: m. */
#include "contact_private.h"

enum { SECTIONS = 34, HALVINGS = 40 }; /* 0.62^34: 1e-7 of the length */
static const double GOLDEN = 0.61803398874989484820;

double dry_body__peak(dry_body__profile_fn *f, const void *of, double h) {
    double low = -h, high = h, p = high - GOLDEN * (high - low), q = low + GOLDEN * (high - low);
    double at_p = f(of, p), at_q = f(of, q);
    for (int i = 0; i < SECTIONS; i++) {
        if (at_p >= at_q) {
            high = q, q = p, at_q = at_p;
            p = high - GOLDEN * (high - low), at_p = f(of, p);
        } else {
            low = p, p = q, at_p = at_q;
            q = low + GOLDEN * (high - low), at_q = f(of, q);
        }
    }
    return 0.5 * (low + high);
}

double dry_body__reach(dry_body__profile_fn *f, const void *of, double from, double end,
                       double level) {
    if (f(of, end) >= level) return end;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (from + end);
        if (f(of, middle) >= level)
            from = middle;
        else
            end = middle;
    }
    return from;
}

static double depth_at(const void *of, double t) {
    const dry_body__line *line = of;
    double x[3], n[3];
    dry_body__along(line->c, t, line->u, x);
    return -line->depth(line->s, x, n);
}

double dry_body__nearest(const dry_body__line *line, double h, double x[3]) {
    double n[3];
    dry_body__along(line->c, dry_body__peak(depth_at, line, h), line->u, x);
    return line->depth(line->s, x, n);
}
