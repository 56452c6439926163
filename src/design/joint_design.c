/* joint_design: chooses the parameters that joints leave open, from the response of their two ends
 * to a force (part.h, choose_joint).
 *
 *     W = J M^-1 J^T
 *
 * J: Psi, from the velocities of the two bodies to those of the port; J^T: Phi; M^-1: how the
 * bodies respond, at rest where they start, whatever else acts on them. One column of W is the
 * response to a force of 1 in one direction.
 *
 * Joints that pull at one body add up. Let Z_i be the stiffness that joint i chooses for n_i W_i,
 * so that W_i Z_i has no eigenvalue above omega^2/n_i, n_i the larger number of joints at one of
 * its bodies a and b. Then for all velocities w of the bodies, T_b = w_b^T M_b w_b,
 *
 *     sum_i w^T J_i^T Z_i J_i w <= sum_i omega^2/n_i (T_a + T_b) <= omega^2 w^T M w
 *
 * so all joints together let nothing swing faster than omega. */
#include "design_private.h"
#include <stdlib.h>

enum { FORCES = 6, ENDS = 2 };

/* The joint that is part number i; NULL: that part is not a joint. */
static const dry_part *joint_at(const dry_net *net, int i) {
    const char *name;
    const dry_part *part = dry_net_part_at(net, i, &name);
    return dry_part_is_joint(part) ? part : NULL;
}

/* The number of joints at each body. */
static void count_joints(const dry_net *net, const dry_response *response, int *joints) {
    for (int i = 0; i < dry_net_part_count(net); i++) {
        int bodies[ENDS];
        const int n = joint_at(net, i) ? dry_response_bodies(response, i, bodies) : 0;
        for (int k = 0; k < n; k++) joints[bodies[k]]++;
    }
}

/* n W */
static void find_W(const dry_response *response, int part, const int *joints,
                   double W[FORCES * FORCES]) {
    int bodies[ENDS], most = 1;
    const int n = dry_response_bodies(response, part, bodies);
    for (int i = 0; i < n; i++)
        if (joints[bodies[i]] > most) most = joints[bodies[i]];
    dry_response_at_port(response, part, W);
    for (int i = 0; i < FORCES * FORCES; i++) W[i] *= most;
}

bool dry_design__joints(dry_net *net, const dry_response *response, double omega) {
    const int n = dry_net_part_count(net);
    double W[FORCES * FORCES];
    int *joints = dry_heap_take(dry_net_arena(net), (size_t)n + 1, sizeof *joints);
    if (!joints) return false;
    count_joints(net, response, joints);
    for (int i = 0; i < n; i++) {
        const dry_part *part = joint_at(net, i);
        if (!part) continue;
        find_W(response, i, joints, W);
        part->design->choose_joint(part, W, omega, dry_net_own_par(net, i));
    }
    free(joints);
    return true;
}
