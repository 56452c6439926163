/* arm, inside the room: what the two recursions over the links of an arm share. */
#ifndef DRYSTONE_BODY_ARM_H
#define DRYSTONE_BODY_ARM_H

#include "body_private.h"

/* A motion (angular, linear at the link's origin) and a force (moment about it, force), all in the
 * axes of the world. */
typedef struct dry_body__pair {
    double w[3], l[3];
} dry_body__pair;

/* A symmetric 6 by 6 inertia: moment = I alpha + H a, force = H^T alpha + M a; row-major. */
typedef struct dry_body__inertia {
    double I[9], H[9], M[9];
} dry_body__inertia;

/* A link during a recursion. */
typedef struct dry_body__link_work {
    double frame[DRY_BODY__FRAME];
    double r[3];      /* from the parent's origin to the link's */
    dry_body__pair c; /* acceleration for q_ddot = 0 and a parent that does not accelerate */
    dry_body__pair A; /* acceleration */
    dry_body__pair p; /* force for A = 0, later with what hangs on the link */
    dry_body__inertia inertia; /* articulated */
} dry_body__link_work;

/* One velocity of a joint during a recursion. The columns of a joint are its axes: unit vectors at
 * right angles, fixed in the frame of the parent; those along which it slides come first. */
typedef struct dry_body__column {
    double s[3];      /* the axis */
    dry_body__pair U; /* inertia times axis */
    double d, u;      /* axis times U, and the rotor; force along the axis that is left */
} dry_body__column;

/* What the two recursions work on; columns are those of all links, one after the other. */
typedef struct dry_body__work {
    dry_body__link_work *links;
    dry_body__column *columns;
    double *gears; /* for dry_arm_forward */
} dry_body__work;
dry_body__work dry_body__arm_work(const dry_arm *arm, double *work);

/* One row per kind of joint. */
typedef struct dry_body__joint_row {
    int positions, speeds, slides; /* the first `slides` of its columns slide, the others turn */
    int quaternion;                /* index of a quaternion in its positions; -1: none */
    int ports, dim;                /* of ports, and of each of them */
} dry_body__joint_row;
const dry_body__joint_row *dry_body__joint(dry_joint_kind kind);

/* The frame of a link from that of its parent (NULL: the base), with r and the axes s[3 k]. */
void dry_body__link_place(const dry_arm *arm, const dry_link *link, const double *parent,
                          const double *q, const double *q_dot, double frame[DRY_BODY__FRAME],
                          double r[3], double *s);

/* Frames, c, inertia and p (with the wrenches, NULL: none) of all links. */
void dry_body__arm_set(const dry_arm *arm, const double *q, const double *q_dot,
                       const double *wrenches, const dry_body__work *work);

/* A = X A_parent + c for a link; the base accelerates by -g, which is gravity. */
void dry_body__carry(const dry_arm *arm, const double gravity[3], int link,
                     dry_body__link_work *work);

/* F = I A */
void dry_body__apply(const dry_body__inertia *inertia, const dry_body__pair *A, dry_body__pair *F);

/* Adds X^T F, a force on a link, to that on its parent. */
void dry_body__hand_down(const double r[3], const dry_body__pair *F, dry_body__pair *parent);

/* An axis as a pair: S . F, and A += S q_ddot. */
DRY_INLINE double dry_body__along(bool slides, const double s[3], const dry_body__pair *F) {
    return dry_dot3(s, slides ? F->l : F->w);
}
DRY_INLINE void dry_body__push(bool slides, const double s[3], double q_ddot, dry_body__pair *A) {
    double *to = slides ? A->l : A->w;
    for (int i = 0; i < 3; i++) to[i] += s[i] * q_ddot;
}

/* dry_arm_part_from with the name of its kind. */
const dry_part *dry_body__arm_part(const char *kind, const dry_arm *arm, const double *begin,
                                   dry_arena *arena, dry_error *error);

#endif
