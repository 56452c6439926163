/* The cone of directions that pass all points left out since the anchor within a tolerance: how
 * far a straight line may stand for a curve. */
#include "internal.h"

#include <math.h>

static double turn(double angle) { return remainder(angle, 2.0 * acos(-1.0)); }

void dry_plot__cone_start(dry_plot__cone *cone, dry_plot__point anchor) {
    *cone = (dry_plot__cone){.anchor = anchor, .last = anchor};
}

bool dry_plot__cone_takes(const dry_plot__cone *cone, dry_plot__point p) {
    if (!cone->narrowed) return true;
    double dx = p.x - cone->anchor.x, dy = p.y - cone->anchor.y;
    double lx = cone->last.x - cone->anchor.x, ly = cone->last.y - cone->anchor.y;
    double off = turn(atan2(dy, dx) - cone->axis);
    return off >= cone->low && off <= cone->high && dx * lx + dy * ly >= lx * lx + ly * ly;
}

void dry_plot__cone_narrow(dry_plot__cone *cone, dry_plot__point p, double tolerance) {
    double dx = p.x - cone->anchor.x, dy = p.y - cone->anchor.y, d = hypot(dx, dy);
    cone->last = p;
    if (d <= tolerance) return; /* every line from the anchor passes it */
    double open = asin(tolerance / d), angle = atan2(dy, dx);
    if (!cone->narrowed) {
        cone->axis = angle;
        cone->low = -open;
        cone->high = open;
    } else {
        double off = turn(angle - cone->axis);
        cone->low = fmax(cone->low, off - open);
        cone->high = fmin(cone->high, off + open);
    }
    cone->narrowed = true;
}
