/* Shapes in random positions, for tests that try many of them. The includer has cmocka's headers.
 */
#ifndef DRY_TEST_PLACED_H
#define DRY_TEST_PLACED_H

#include "body/contact_private.h"
#include <math.h>

typedef struct placed {
    dry_shape shape;
    double c[3], q[4], R[9];
} placed;

static uint64_t seed = 20140703u;
static inline double random_number(void) { /* -1 .. 1 */
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 4503599627370496.0 - 1.0;
}
static inline int random_choice(int n) { return (int)(0.5 * (random_number() + 1.0) * n) % n; }

static inline void place(placed *s) {
    dry_quat_normalise(s->q);
    dry_body__matrix(s->q, s->R);
}
/* Its sizes are mean - spread .. mean + spread. */
static inline placed random_shape(dry_shape_kind kind, double mean, double spread) {
    placed s = {.shape = {.kind = kind}};
    for (int i = 0; i < 3; i++) {
        s.shape.size[i] = mean + spread * random_number();
        s.c[i] = random_number();
    }
    for (int i = 0; i < 4; i++) s.q[i] = random_number();
    place(&s);
    return s;
}
/* One of the 24 rotations that move axes to axes. */
static inline void turn_by_right_angles(placed *s) {
    const double half = sqrt(0.5);
    for (int k = random_choice(4); k > 0; k--) {
        double turn[4] = {half, 0.0, 0.0, 0.0}, q[4];
        turn[1 + random_choice(3)] = half;
        dry_quat_multiply(s->q, turn, q);
        for (int i = 0; i < 4; i++) s->q[i] = q[i];
    }
    place(s);
}

#endif
