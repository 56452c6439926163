/* rigid: the rigid body that all solids use, and their pose. */
#ifndef DRYSTONE_BODY_RIGID_H
#define DRYSTONE_BODY_RIGID_H

#include "body_private.h"

typedef struct dry_body__solid {
    double mass;
    int n_inertia; /* 1: the same about every axis; 3: xx yy zz; 6: xx yy zz xy xz yz */
    double inertia[6];
    double start[DRY_BODY__FRAME];
    bool has_shape;
    dry_shape shape;
} dry_body__solid;

/* The part, in the arena; NULL with the error filled without memory. */
const dry_part *dry_body__rigid(const char *kind, dry_arena *arena, const dry_body__solid *solid,
                                dry_error *error);

/* p and q from the values of the rows below; false with the error filled. */
bool dry_body__pose(const dry_kind *kind, const dry_value *values, int count, double p[3],
                    double q[4], dry_error *error);
#define DRY_BODY__POSE_ROWS                                                                        \
    {"p", "m", 3, 3, false, DRY_ANY, 0.0, "where its frame is"},                                   \
        {"q",   "",      4,   4,                                                                   \
         false, DRY_ANY, 0.0, "how it is turned: a quaternion w, x, y, z of length 1"},            \
    {                                                                                              \
        "rotation", "rad", 3, 3, false, DRY_ANY, 0.0,                                              \
            "how it is turned, as axis times angle; instead of q"                                  \
    }

#endif
