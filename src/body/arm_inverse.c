/* arm_inverse: computes the torques for wanted accelerations by the recursive Newton-Euler method,
 * and the energies of an arm.
 *
 * R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 5.3. From the base to the tips
 * A = X A_P + S q_ddot + c, F = I A + p; back torque = S.F, F_P += X^T F. With V = (omega, v) the
 * kinetic energy is the sum of V.I V/2, the potential one that of -M g.(o + C). A rotor J adds
 * J q_ddot to the torque of its joint and J q_dot^2/2 to the energy. */
#include "arm.h"

void dry_arm_inverse(const dry_arm *arm, const double gravity[3], const double *q,
                     const double *q_dot, const double *q_ddot, const double *wrenches,
                     double *torque, double *work) {
    const dry_body__work w = dry_body__arm_work(arm, work);
    dry_body__link_work *links = w.links;
    dry_body__arm_set(arm, q, q_dot, wrenches, &w);
    for (int i = 0, k = 0; i < arm->n_links; i++) {
        const dry_body__joint_row *row = dry_body__joint(arm->links[i].kind);
        dry_body__pair F;
        dry_body__carry(arm, gravity, i, links);
        for (int j = 0; j < row->speeds; j++, k++)
            dry_body__push(j < row->slides, w.columns[k].s, q_ddot[k], &links[i].A);
        dry_body__apply(&links[i].inertia, &links[i].A, &F);
        for (int j = 0; j < 3; j++) links[i].p.w[j] += F.w[j], links[i].p.l[j] += F.l[j];
    }
    for (int i = arm->n_links - 1, k = dry_arm_speeds(arm); i >= 0; i--) {
        const dry_link *link = &arm->links[i];
        const dry_body__joint_row *row = dry_body__joint(link->kind);
        for (int j = row->speeds - 1; j >= 0; j--) {
            const double *s = w.columns[--k].s;
            torque[k] = dry_body__along(j < row->slides, s, &links[i].p) + link->rotor * q_ddot[k];
        }
        if (link->parent >= 0) dry_body__hand_down(links[i].r, &links[i].p, &links[link->parent].p);
    }
}

double dry_arm_kinetic(const dry_arm *arm, const double *q, const double *q_dot, double *work) {
    const dry_body__work w = dry_body__arm_work(arm, work);
    double twice = 0.0;
    dry_body__arm_set(arm, q, q_dot, NULL, &w);
    for (int i = 0, k = 0; i < arm->n_links; i++) {
        dry_body__pair V, momentum;
        memcpy(V.w, w.links[i].frame + DRY_BODY__OMEGA, sizeof V.w);
        memcpy(V.l, w.links[i].frame + DRY_BODY__V, sizeof V.l);
        dry_body__apply(&w.links[i].inertia, &V, &momentum);
        twice += dry_dot3(V.w, momentum.w) + dry_dot3(V.l, momentum.l);
        for (int j = 0; j < dry_joint_speeds(arm->links[i].kind); j++, k++)
            twice += arm->links[i].rotor * q_dot[k] * q_dot[k];
    }
    return 0.5 * twice;
}

double dry_arm_potential(const dry_arm *arm, const double gravity[3], const double *q,
                         double *work) {
    static const double rest[6] = {0.0};
    dry_body__link_work *links = dry_body__arm_work(arm, work).links;
    double sum = 0.0, s[18];
    for (int i = 0; i < arm->n_links; i++) {
        const dry_link *link = &arm->links[i];
        double C[3];
        dry_body__link_place(arm, link, link->parent < 0 ? NULL : links[link->parent].frame, q,
                             rest, links[i].frame, links[i].r, s);
        q += dry_joint_positions(link->kind);
        dry_quat_rotate(links[i].frame + DRY_BODY__Q, link->com, C);
        sum -= link->mass * (dry_dot3(gravity, links[i].frame) + dry_dot3(gravity, C));
    }
    return sum;
}
