/* contact, inside the room: shapes in the world, points of contact, the layout of the states, the
 * list of pairs.
 *
 * Large shapes (planes, and shapes far larger than the others) have the first numbers; they are
 * compared with all shapes. Pairs (i, j), i > j, are sorted by i and then by j. A pair has a fixed
 * number of slots, one for each point where its shapes can touch; a slot holds e, a[3] and, with
 * a spring against turning, the angle b[3]. The states hold everything that a run must remember:
 *
 *     head | where each frame was when pairs were looked for | the slots of the pairs
 *
 * The pairs follow from these positions of the frames and are kept in the scratch. */
#ifndef DRYSTONE_CONTACT_PRIVATE_H
#define DRYSTONE_CONTACT_PRIVATE_H

#include "body_private.h"
#include <stdint.h>
#include <stdlib.h>

/* ---- shapes ----------------------------------------------------------------------- */

/* A shape as its frame carries it. */
typedef struct dry_body__solid_shape {
    const dry_shape *shape;
    dry_shape_kind kind;
    int frame;
    int turned;       /* index of its rotation; -1: a sphere needs none */
    bool centred;     /* its centre is the origin of its frame */
    bool plain;       /* a centred sphere: its centre is that of its frame */
    double q[4];      /* its rotation in the frame, of length 1 */
    double centre[3]; /* of the sphere around it, in the frame */
    double radius;    /* of the sphere around it; infinite for a plane */
} dry_body__solid_shape;

/* A shape in the world: c its centre, R its axes as columns (NULL for a sphere). */
typedef struct dry_body__placed {
    const dry_shape *shape;
    const double *c, *R;
} dry_body__placed;

/* A point where two shapes touch: psi the gap, m (negative: pressed in); n from the first shape to
 * the second, of length 1; x where the force acts; weight by which the force of the law is
 * multiplied; slot the one of the pair that remembers it. */
typedef struct dry_body__point {
    double psi, n[3], x[3], weight;
    int slot;         /* for two boxes: the key of the feature, see dry_body__corner_key */
    double couple[3]; /* for two boxes: moment per normal force in addition to that of x, m */
} dry_body__point;

/* Two boxes have room for this many points; which they are is noted in the slots after theirs. */
enum {
    DRY_BODY__BOX_POINTS = 24,
    DRY_BODY__NOTES = 6,
    DRY_BODY__BOX_SLOTS = DRY_BODY__BOX_POINTS + DRY_BODY__NOTES,
};

/* Finds how two kinds touch: writes point number k of the pair, below its number of slots; returns
 * false if the shapes are apart there. NULL for two boxes: see dry_body__boxes. */
typedef bool dry_body__touch_fn(const dry_body__placed *a, const dry_body__placed *b, int k,
                                dry_body__point *point);
dry_body__touch_fn *dry_body__touch(dry_shape_kind a, dry_shape_kind b);
/* The slots a pair takes; 0: the two never touch. */
int dry_body__slots(const dry_body__solid_shape *a, const dry_body__solid_shape *b);

/* The points where two boxes touch or are near each other. Points with psi < 0 exist if and only if
 * the boxes overlap. */
int dry_body__boxes(const dry_body__placed *a, const dry_body__placed *b,
                    dry_body__point points[DRY_BODY__BOX_POINTS]);

/* The key of a point of two boxes, 1 or more: a corner of one of them (bits of its number: x, y, z
 * positive), or two edges. */
int dry_body__corner_key(bool of_a, int corner);
int dry_body__crossing_key(int edge_a, int edge_b);
/* The edge of a box along an axis, its other two axes being m, with the sign m_up, and the third.
 */
int dry_body__edge_named(int along, int m, bool m_up, bool n_up);

/* The face of the box `base`, and the box `other` above it (shape_clip.c). */
typedef struct dry_body__facing {
    const dry_body__placed *base, *other;
    bool base_is_a;
    int k, u, v;   /* axes of base: normal, and those of the face */
    bool up;       /* the face is at +h[k] */
    double out[3]; /* its normal in the world */
    double margin; /* a point nearer to a corner than this is that corner, m */
} dry_body__facing;
/* Calls `found` for each corner of the part of `other` over the face. */
typedef void dry_body__found_fn(void *user, int key, double weight, double psi, const double x[3]);
void dry_body__clip(const dry_body__facing *facing, dry_body__found_fn *found, void *user);

/* ---- lines and cylinders --------------------------------------------------------------- */

/* The z axis of a shape; a place along a direction. */
DRY_INLINE void dry_body__axis(const dry_body__placed *s, double z[3]) {
    z[0] = s->R[2], z[1] = s->R[5], z[2] = s->R[8];
}
DRY_INLINE void dry_body__along(const double from[3], double length, const double n[3],
                                double x[3]) {
    for (int i = 0; i < 3; i++) x[i] = from[i] + length * n[i];
}

/* A function along a line, -h to h, that has no second maximum, such as the depth in a convex shape
 * (shape_line.c). */
typedef double dry_body__profile_fn(const void *of, double t);
/* Where it is largest, to 1e-7 of the length. */
double dry_body__peak(dry_body__profile_fn *f, const void *of, double h);
/* How far from there, which has at least `level`, towards `end` it stays so. */
double dry_body__reach(dry_body__profile_fn *f, const void *of, double from, double end,
                       double level);
/* A line in the world, and the distance of its points from a shape: below 0 inside. */
typedef double dry_body__depth_fn(const dry_body__placed *s, const double x[3], double n[3]);
typedef struct dry_body__line {
    const dry_body__placed *s;
    dry_body__depth_fn *depth;
    const double *c, *u;
} dry_body__line;
/* The point from -h to h that is nearest to the shape or deepest in it; returns its distance. */
double dry_body__nearest(const dry_body__line *line, double h, double x[3]);

/* The outward normal and the signed distance of a point from a cylinder; a ball against it, n from
 * the cylinder to the ball; the other way round. */
double dry_body__cylinder_depth(const dry_body__placed *cylinder, const double x[3], double n[3]);
bool dry_body__reversed(dry_body__point *p);

/* A cylinder over a plane through o with the normal n: `down` leads from its axis to the lowest
 * point of a rim, `across` to the side; `end` is the lower one; share: of the points that follow
 * the lowest one (shape_cylinder.c). */
typedef struct dry_body__lying {
    const dry_body__placed *s;
    double n[3], o[3], z[3], down[3], across[3];
    double end, share;
} dry_body__lying;
enum { DRY_BODY__LYING = 9 }; /* its points */
dry_body__lying dry_body__lie(const dry_body__placed *s, const double o[3], const double n[3]);
/* Point number k of these, and the weight of its force; its height above the plane. */
void dry_body__lie_at(const dry_body__lying *l, int k, double x[3], double *weight);
double dry_body__height(const dry_body__lying *l, const double x[3]);

/* A bounded flat face: a plane, and how far a point over it lies inside of its outline, m, which is
 * concave along lines (shape_face.c). */
typedef struct dry_body__face {
    const dry_body__placed *of;
    int k; /* of a box: the axis that it is across */
    double n[3], o[3];
    double (*inside)(const struct dry_body__face *face, const double x[3]);
} dry_body__face;
/* Point number k of a cylinder that lies over a face, n from the face; false: it is beside it. */
bool dry_body__lie_over(const dry_body__placed *s, const dry_body__face *face, int k,
                        dry_body__point *p);
/* Computes shares of directions; a direction loses its share as its overlap grows above the
 * least. */
void dry_body__share_by_overlap(int n, const double *overlaps, double *shares);

/* A curve of one shape in a cylinder, t from -h to h (shape_bite.c). */
typedef struct dry_body__curve {
    const dry_body__placed *in;
    double c[3], u[3], v[3]; /* a straight one: c + t u; an arc: c + cos(t) u + sin(t) v */
    bool arc;
    double h;
} dry_body__curve;
/* Point number 0 or 1 of it, n into the cylinder; false: it is not in it. */
bool dry_body__bite(const dry_body__curve *curve, int which, dry_body__point *p);

enum {
    DRY_BODY__BOX_CYLINDER = 3 * DRY_BODY__LYING + 24, /* shape_box_cylinder.c */
    DRY_BODY__CYLINDERS = 2 * DRY_BODY__LYING + 34
}; /* shape_cylinders.c */
dry_body__touch_fn dry_body__plane_cylinder, dry_body__sphere_cylinder, dry_body__box_cylinder,
    dry_body__capsule_cylinder, dry_body__cylinders, dry_body__cylinder_cloud;

/* The bounding sphere of a shape in its frame. */
void dry_body__bound(const dry_shape *shape, double centre[3], double *radius);
/* The distance from a point to a large shape, or less: 0 inside. */
double dry_body__distance(const dry_body__placed *large, const double x[3]);

/* ---- the part's data ---------------------------------------------------------------- */

/* The first states. */
enum {
    DRY_BODY__HEAD_PAIRS, /* how many */
    DRY_BODY__HEAD_SLOTS, /* that they use */
    DRY_BODY__HEAD_PRINT, /* of the list of pairs */
    DRY_BODY__HEAD_TIME,  /* of the end of the last step */
    DRY_BODY__HEAD_FULL,  /* there were more pairs than slots */
    DRY_BODY__HEAD
};

/* Parameters: those of the law frictional_contact in its order, then those of rolling and
 * drilling, and the coefficient along a grain. DRILLING or MU_ALONG below 0: not given. */
enum {
    DRY_BODY__K,
    DRY_BODY__ALPHA,
    DRY_BODY__BETA,
    DRY_BODY__MU,
    DRY_BODY__KT,
    DRY_BODY__BETAT,
    DRY_BODY__ROLLING,
    DRY_BODY__KR,
    DRY_BODY__BR,
    DRY_BODY__DRILLING,
    DRY_BODY__MU_ALONG,
    DRY_BODY__N_PAR
};

enum { DRY_BODY__WRENCH = 9 }; /* numbers of what a pair does to its frames */

/* Whether a moment resists turning. */
DRY_INLINE bool dry_body__resists(const double *par) {
    return par[DRY_BODY__ROLLING] > 0.0 || par[DRY_BODY__DRILLING] > 0.0;
}

/* Whether friction resists slip, in some direction. */
DRY_INLINE bool dry_body__rubs(const double *par) {
    return par[DRY_BODY__MU] > 0.0 || par[DRY_BODY__MU_ALONG] > 0.0;
}

/* The direction along which friction has its own coefficient: a unit vector in the axes of the
 * world, or, if it turns, in those of the body: of the two frames, the one connected last. */
typedef struct dry_body__grain {
    double along[3];
    bool turns;
} dry_body__grain;

/* Offsets in a slot, and its size without and with a spring against turning. */
enum { DRY_BODY__E, DRY_BODY__A, DRY_BODY__B = 4, DRY_BODY__PLAIN = 4, DRY_BODY__ROLLS = 7 };

typedef struct dry_body__contacts {
    int n_frames, n_shapes, n_large, n_turned;
    dry_body__solid_shape *shapes;
    int *to_place, n_to_place; /* the shapes that are not plain */
    double *radii;             /* of all shapes, for loops that need no more of them */
    char *ease;                /* 2: a sphere of no group, alone on its frame; 0: a cloud; else 1 */
    int *first;                /* shape of a frame; -1: none */
    int n_bare;                /* frames without */
    double *reach; /* of a frame: by how much more its shapes can move than it, per rad; m */
    int *frame_q;  /* of a frame that has reach: the place of its q among those kept; else -1 */
    int n_kept_q;
    bool has_boxes;
    double skin, cell;
    double restitution; /* below 0: not given */
    dry_body__grain grain;
    int capacity;                       /* slots */
    int stride;                         /* numbers of a slot */
    int at_p, at_q, at_slots, n_states; /* in the states */
    size_t old_size;                    /* numbers of `old` */
    int buckets;                        /* of the grid; a power of two */
    struct {
        size_t centres, turns;      /* shapes in the world */
        size_t print, pairs, links; /* of the pairs: see dry_body__index */
        size_t shared, shares, ends, places, later, wrenches; /* of the frames, for threads */
        size_t cells, bucket, starts, sorted, spots, old;     /* of the search for pairs */
        size_t size;
    } work;
} dry_body__contacts;

#define DRY_BODY__WORK(type, env, field)                                                           \
    ((type *)(void *)((char *)(env)->work + ((const dry_body__contacts *)(env)->data)->work.field))

enum { DRY_BODY__CENTRE = 4 }; /* numbers of a shape's centre in the world, and its radius */

/* A pair's shapes as one number. */
enum { DRY_BODY__PAIR_BITS = 26 };
DRY_INLINE double dry_body__pair(int i, int j) {
    return (double)(((int64_t)i << DRY_BODY__PAIR_BITS) | (int64_t)j);
}
DRY_INLINE void dry_body__unpair(double pair, int *i, int *j) {
    const int64_t key = (int64_t)pair;
    *i = (int)(key >> DRY_BODY__PAIR_BITS);
    *j = (int)(key & (((int64_t)1 << DRY_BODY__PAIR_BITS) - 1));
}

enum { DRY_BODY__MOST_PIECES = 64 };

/* What the pieces of a loop read and write. */
typedef struct dry_body__job {
    const dry_part_env *env;
    const double *in, *x;
    double *out, *x_dot;
} dry_body__job;

/* The number of slots of the shapes i and j; fast for spheres, the usual pair in a large heap. */
DRY_INLINE int dry_body__slots_of(const dry_body__contacts *c, int i, int j) {
    return c->ease[i] + c->ease[j] > 2 ? 1 : dry_body__slots(&c->shapes[i], &c->shapes[j]);
}

/* Into how many pieces a loop over so many things is cut. */
DRY_INLINE int dry_body__pieces(const dry_part_env *env, int things) {
    const int pieces = dry_team_pieces(env->team, things);
    return pieces < DRY_BODY__MOST_PIECES ? pieces : DRY_BODY__MOST_PIECES;
}

/* _place_one computes the pose of one shape on a frame at p with rotation q; _put_at returns it. */
void dry_body__place_one(const dry_part_env *env, int shape, const double p[3], const double q[4]);
dry_body__placed dry_body__put_at(const dry_part_env *env, int shape);
/* _place computes the poses of all shapes from their frames; _placed_at returns one of them. */
void dry_body__place(const dry_part_env *env, const double *in);
DRY_INLINE dry_body__placed dry_body__placed_at(const dry_part_env *env, const double *in,
                                                int shape) {
    const dry_body__solid_shape *s = &((const dry_body__contacts *)env->data)->shapes[shape];
    if (!s->plain) return dry_body__put_at(env, shape);
    return (dry_body__placed){s->shape, in + DRY_BODY__FRAME * s->frame + DRY_BODY__P, NULL};
}

/* A pair as it is used: its shapes in the order of their kinds, their frames, its first slot. */
typedef struct dry_body__link {
    int32_t a, b, frame_a, frame_b, first;
    bool spheres;          /* two of them, each about the origin of its frame */
    bool later_a, later_b; /* for threads: see contact_share.c */
} dry_body__link;

/* Computes again what follows from the positions of frames in x, if they have changed: the pairs;
 * their links, and one more at the end; the shares of threads. Leaves all shapes at these
 * positions. */
void dry_body__index(const dry_part_env *env, const double *x);

/* Threads take the pairs in pieces (contact_share.c): from this pair and this shape on; n_later
 * notes of forces that are added later. What pair k does to its first or second frame is then put
 * down at places[2 k] or places[2 k + 1] of `later`, where the forces on a frame are together, from
 * ends[frame] on. kept: those of all pairs of the piece are to be added yet. */
typedef struct dry_body__share {
    int32_t pair, shape, n_later;
    bool kept;
} dry_body__share;
enum { DRY_BODY__FORCE = 6 }; /* numbers of what acts on a frame: force and moment */
/* Returns false if there is no room for all forces to add later, as with frames of many shapes. */
bool dry_body__share_out(const dry_part_env *env, const double *x, int pieces);
/* Value of `shared` if the forces do not fit; else it is the number of pieces, 0: not yet
 * shared. */
enum { DRY_BODY__NOT_SHARED = -1 };
/* What was found: the pairs in pieces, one after the other. */
typedef struct dry_body__start {
    int pair, slot;
} dry_body__start;
typedef struct dry_body__haul {
    int n_pairs, n_slots;
    bool full; /* there are more than slots for them */
    int pieces;
    dry_body__start starts[DRY_BODY__MOST_PIECES + 1];
} dry_body__haul;
/* The same, always, for pairs that are known. */
void dry_body__link_up(const dry_part_env *env, const double *x, const dry_body__haul *haul);
/* _moved: true if by the end of the next step something will have moved by half the skin.
 * _frame_moved: true if one frame may have. */
bool dry_body__moved(const dry_part_env *env, const double *in, const double *x);
bool dry_body__frame_moved(const dry_part_env *env, const double *in, const double *x, int k);
/* True while nothing has moved so far. */
bool dry_body__holds(const dry_part_env *env, const double *in, const double *x);
/* Searches for pairs again. */
void dry_body__search(const dry_part_env *env, const double *in, double *x);
/* The pairs of where the frames of x were; so many numbers of `old` are in use. */
void dry_body__find_pairs(const dry_part_env *env, const double *x, size_t used,
                          dry_body__haul *haul);

/* Assigns slots to new points of boxes and frees the slots of points that are gone; returns true if
 * x has changed. */
bool dry_body__match(const dry_part_env *env, const double *in, double *x);
/* The slot of a point of two boxes, whose slots these are; -1 if it has none. */
int dry_body__slot(const dry_body__point *point, const double *slots, int stride);
/* Initialises a point without a slot; its boxes may press on each other already. */
void dry_body__take_over(const dry_body__point *point, const double *slots, int stride,
                         double *slot);

void dry_body__contact_eval(const dry_part_env *env, const double *in, const double *x, double *out,
                            double *x_dot);
void dry_body__frame_forces(const dry_part_env *env, const double *x, int from, int to,
                            double *forces);
double dry_body__contact_energy(const dry_part_env *env, const double *in, const double *x);
/* contact_firm.c: for the bound of the step. */
void dry_body__contact_firmness(const dry_part_env *env, dry_firmness *rows);
int dry_body__contact_touches(const dry_part_env *env, const double *in, int shape, bool crowd,
                              int *k, dry_touch *touches);
/* contact_choose.c: what was left open. */
bool dry_body__contact_is_open(const dry_part *self, const double *par, const dry_wrong **wrong);
void dry_body__contact_choose(const dry_part *self, const dry_meeting *meeting, dry_pace *pace,
                              double *par, dry_net_press *press);
/* contact_overlap.c: for the check of a start. */
void dry_body__contact_overlaps(const dry_part_env *env, const double *in, const double *x,
                                dry_overlap_fn *each, void *user);
void dry_body__contact_touching(const dry_part_env *env, const double *in, const double *x,
                                dry_touching_fn *each, void *user);
enum { DRY_BODY__OUT_POINTS, DRY_BODY__OUT_N, DRY_BODY__OUT_DEPTH, DRY_BODY__OUTPUTS };
void dry_body__contact_output(const dry_part_env *env, const double *in, const double *x,
                              double *y);

/* thickness.c */
/* The thickness of the thinnest shape of these frames, m; INFINITY if none has one. */
double dry_body__thinnest(const dry_port *const *frames, int count);

#endif
