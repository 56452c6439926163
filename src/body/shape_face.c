/* shape_face: a cylinder that lies or stands on a face which ends.
 *
 * It touches as on a plane (shape_cylinder.c). The two lowest points of its side, one on each rim,
 * slide along the line between them as far as they must to be over the face; the others count as
 * far as they are over it. So the depth of a point is
 *
 *     min(d, 2 b)
 *
 * d: depth below the face, m; b: how far inside of its outline it is, m, of a line the most of it.
 * Well inside that is d, as on a plane, and it falls to nothing before the point leaves the face:
 * nothing jumps. The ends of a line are where b has half of the most that is needed. */
#include "contact_private.h"

/* The line of the lowest points, from rim to rim: t from -1 to 1. */
typedef struct side_line {
    const dry_body__face *face;
    double middle[3], half[3];
} side_line;

static double inside_at(const void *of, double t) {
    const side_line *line = of;
    double x[3];
    dry_body__along(line->middle, t, line->half, x);
    return line->face->inside(line->face, x);
}

/* The depth of the lowest point. */
static double deepest(const dry_body__lying *l, double ends[2][3]) {
    double weight, deep = 0.0;
    for (int i = 0; i < 2; i++) {
        dry_body__lie_at(l, i, ends[i], &weight);
        deep = dry_max(deep, -dry_body__height(l, ends[i]));
    }
    return deep;
}

/* Lowest point number k, whose place on a rim is x; how far the line is over the face. */
static double slide(const dry_body__lying *l, const dry_body__face *face, int k, double x[3]) {
    double ends[2][3];
    const double deep = deepest(l, ends), here = face->inside(face, x);
    side_line line = {.face = face};
    if (here > 0.0 && here >= 0.5 * deep) return here; /* so it stays */
    for (int i = 0; i < 3; i++) {
        line.middle[i] = 0.5 * (ends[0][i] + ends[1][i]);
        line.half[i] = 0.5 * (ends[1][i] - ends[0][i]);
    }
    const double peak = dry_body__peak(inside_at, &line, 1.0), most = inside_at(&line, peak);
    const double level = 0.5 * dry_min(most, deep);
    dry_body__along(line.middle, dry_body__reach(inside_at, &line, peak, k ? 1.0 : -1.0, level),
                    line.half, x);
    return most;
}

bool dry_body__lie_over(const dry_body__placed *s, const dry_body__face *face, int k,
                        dry_body__point *p) {
    const dry_body__lying l = dry_body__lie(s, face->o, face->n);
    dry_body__lie_at(&l, k, p->x, &p->weight);
    const double inside = k < 2 ? slide(&l, face, k, p->x) : face->inside(face, p->x);
    if (!(inside > 0.0)) return false;
    memcpy(p->n, face->n, sizeof p->n);
    p->psi = dry_max(dry_body__height(&l, p->x), -2.0 * inside);
    return true; /* of no weight: its strains follow */
}

void dry_body__share_by_overlap(int n, const double *overlaps, double *shares) {
    const double blend = 0.25; /* more overlap than the least, as a part, without a share */
    double least = (double)INFINITY, sum = 0.0;
    for (int k = 0; k < n; k++) least = dry_min(least, overlaps[k]);
    for (int k = 0; k < n; k++) {
        const double more = overlaps[k] - least;
        shares[k] = least > 0.0 ? dry_pos(1.0 - more / (blend * least)) : (double)!(more > 0.0);
        sum += shares[k];
    }
    for (int k = 0; k < n; k++) shares[k] /= sum;
}
