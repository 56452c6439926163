/* quat: keeps a quaternion at unit length (KY08 (26): q of a rigid body). */
#include <drystone/math.h>

void dry_quat_normalise(double q[4]) {
    const double length = dry_norm(4, q);
    if (!(length > 0.0) || !isfinite(length)) return;
    for (int i = 0; i < 4; i++) q[i] /= length;
}
