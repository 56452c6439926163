/* pose: reads the pose of a body from the values p and q or rotation of its kind; checks
 * inertias. */
#include "rigid.h"

const dry_value *dry_body__given(const dry_value *values, int count, const char *key) {
    for (int i = 0; i < count; i++)
        if (strcmp(values[i].key, key) == 0) return &values[i];
    return NULL;
}

/* (cos |w|/2, sin(|w|/2) w/|w|) */
void dry_body__turned(const double w[3], double q[4]) {
    const double angle = dry_norm(3, w);
    const double s = angle > 0.0 ? dry_sin(0.5 * angle) / angle : 0.5;
    q[0] = dry_cos(0.5 * angle);
    for (int i = 0; i < 3; i++) q[1 + i] = s * w[i];
}

bool dry_body__pose(const dry_kind *kind, const dry_value *values, int count, double p[3],
                    double q[4], dry_error *error) {
    double w[3], quat[4];
    dry_value_numbers(kind, values, count, "p", 3, p);
    const int by_q = dry_value_numbers(kind, values, count, "q", 4, quat);
    const int by_rotation = dry_value_numbers(kind, values, count, "rotation", 3, w);
    if (by_q && by_rotation) {
        dry_error_set_key(error, DRY_BAD_MODEL, "q", "give one",
                          "q and rotation both say how it is turned");
        return false;
    }
    if (by_q && !dry_quat_is_turn(quat)) {
        dry_error_set_key(error, DRY_BAD_MODEL, "q",
                          "divide it by its length, or give rotation = axis times angle",
                          "the quaternion q has the length %.6g, and must have 1",
                          dry_norm(4, quat));
        return false;
    }
    if (by_rotation) dry_body__turned(w, quat);
    dry_body__unit_quat(quat, q);
    return true;
}

bool dry_inertia_is_positive(const double J[6], double share) {
    const double trace = J[0] + J[1] + J[2];
    const double minors[] = {J[0] * J[1] - J[3] * J[3], J[0] * J[2] - J[4] * J[4],
                             J[1] * J[2] - J[5] * J[5]};
    const double det =
        J[0] * minors[2] - J[3] * (J[3] * J[2] - J[4] * J[5]) + J[4] * (J[3] * J[5] - J[4] * J[1]);
    for (int i = 0; i < 3; i++)
        if (!(J[i] >= share * trace) || !(minors[i] >= share * trace * trace)) return false;
    return det >= share * trace * trace * trace && isfinite(det);
}

bool dry_inertia_has_moments(const double J[6]) {
    const double half = (0.5 + 1e-3) * (J[0] + J[1] + J[2]);
    const double moments[6] = {half - J[0], half - J[1], half - J[2], -J[3], -J[4], -J[5]};
    return dry_inertia_is_positive(moments, 0.0);
}
