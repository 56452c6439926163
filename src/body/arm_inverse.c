/* arm_inverse: the torques for wanted accelerations by the recursive Newton-Euler method, and the
 * energies of an arm.
 *
 * R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 5.3. From the base to the tips
 * A = X A_P + S q_ddot + c, F = I A + p; back torque = S.F, F_P += X^T F. With V = (omega, v) the
 * kinetic energy is the sum of V.I V/2, the potential one that of -M g.(o + C). */
#include "arm.h"

void dry_arm_inverse(const dry_arm *arm, const double gravity[3], const double *q,
                     const double *q_dot, const double *q_ddot, const double *wrenches,
                     double *torque, double *work) {
    dry_body__link_work *links = (dry_body__link_work *)work;
    dry_body__arm_set(arm, q, q_dot, wrenches, links);
    for (int i = 0, k = 0; i < arm->n_links; i++) {
        dry_body__link_work *w = &links[i];
        dry_body__pair F;
        dry_body__carry(arm, gravity, i, links);
        if (arm->links[i].kind != DRY_WELD)
            dry_body__push(&arm->links[i], w->s, q_ddot[k++], &w->A);
        dry_body__apply(&w->inertia, &w->A, &F);
        for (int j = 0; j < 3; j++) w->p.w[j] += F.w[j], w->p.l[j] += F.l[j];
    }
    for (int i = arm->n_links - 1, k = arm->n_joints; i >= 0; i--) {
        const dry_link *link = &arm->links[i];
        if (link->kind != DRY_WELD) torque[--k] = dry_body__along(link, links[i].s, &links[i].p);
        if (link->parent >= 0) dry_body__hand_down(links[i].r, &links[i].p, &links[link->parent].p);
    }
}

double dry_arm_kinetic(const dry_arm *arm, const double *q, const double *q_dot, double *work) {
    dry_body__link_work *links = (dry_body__link_work *)work;
    double twice = 0.0;
    dry_body__arm_set(arm, q, q_dot, NULL, links);
    for (int i = 0; i < arm->n_links; i++) {
        dry_body__pair V, momentum;
        memcpy(V.w, links[i].frame + DRY_BODY__OMEGA, sizeof V.w);
        memcpy(V.l, links[i].frame + DRY_BODY__V, sizeof V.l);
        dry_body__apply(&links[i].inertia, &V, &momentum);
        twice += dry_dot3(V.w, momentum.w) + dry_dot3(V.l, momentum.l);
    }
    return 0.5 * twice;
}

double dry_arm_potential(const dry_arm *arm, const double gravity[3], const double *q,
                         double *work) {
    dry_body__link_work *links = (dry_body__link_work *)work;
    double sum = 0.0;
    for (int i = 0, k = 0; i < arm->n_links; i++) {
        static const double rest = 0.0;
        const dry_link *link = &arm->links[i];
        double C[3];
        k += dry_body__link_place(arm, link, link->parent < 0 ? NULL : links[link->parent].frame,
                                  q + k, &rest, links[i].frame, links[i].r, links[i].s);
        dry_quat_rotate(links[i].frame + DRY_BODY__Q, link->com, C);
        sum -= link->mass * (dry_dot3(gravity, links[i].frame) + dry_dot3(gravity, C));
    }
    return sum;
}
