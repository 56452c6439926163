/* body, inside the room: rotations of vectors, and the rows of the catalogue of kinds. */
#ifndef DRYSTONE_BODY_PRIVATE_H
#define DRYSTONE_BODY_PRIVATE_H

#include <drystone/body.h>
#include <string.h>

/* The thirteen numbers of a frame, KY08 (25): p, v, q, omega. */
enum {
    DRY_BODY__P = 0,
    DRY_BODY__V = 3,
    DRY_BODY__Q = 6,
    DRY_BODY__OMEGA = 10,
    DRY_BODY__FRAME = 13
};

/* R, row-major: w = R v turns v from the body to the world. A rotation for q of any length: that of
 * a Runge-Kutta stage is off by the square of the step. */
DRY_INLINE void dry_body__matrix(const double q[4], double R[9]) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double k = 2.0 / (w * w + x * x + y * y + z * z);
    R[0] = 1.0 - k * (y * y + z * z), R[1] = k * (x * y - w * z), R[2] = k * (x * z + w * y);
    R[3] = k * (x * y + w * z), R[4] = 1.0 - k * (x * x + z * z), R[5] = k * (y * z - w * x);
    R[6] = k * (x * z - w * y), R[7] = k * (y * z + w * x), R[8] = 1.0 - k * (x * x + y * y);
}
/* w = R v; w may not be v */
DRY_INLINE void dry_body__turn(const double R[9], const double v[3], double w[3]) {
    for (int i = 0; i < 3; i++) w[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}
/* w = R^T v; w may not be v */
DRY_INLINE void dry_body__turn_back(const double R[9], const double v[3], double w[3]) {
    for (int i = 0; i < 3; i++) w[i] = R[i] * v[0] + R[3 + i] * v[1] + R[6 + i] * v[2];
}
/* q normalised; no rotation if q is {0} */
DRY_INLINE void dry_body__unit_quat(const double q[4], double unit[4]) {
    memcpy(unit, q, 4 * sizeof *unit);
    if (q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0) unit[0] = 1.0;
    dry_quat_normalise(unit);
}

/* The quaternion of a rotation vector, axis times angle. */
void dry_body__turned(const double w[3], double q[4]);

/* The value of that key; NULL if it is not given. */
const dry_value *dry_body__given(const dry_value *values, int count, const char *key);

extern const dry_kind dry_body__rigid_body, dry_body__sphere, dry_body__box, dry_body__capsule,
    dry_body__cylinder, dry_body__cloud, dry_body__plane;
extern const dry_kind dry_body__arm;
extern const dry_kind dry_body__hinge, dry_body__slider, dry_body__ball_joint, dry_body__weld;
extern const dry_kind dry_body__contact;

#endif
