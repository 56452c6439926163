/* arm_forward: the accelerations of an arm in O(n) by the articulated-body method.
 *
 * R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.3. From the tips to the base,
 * with I and p of the link and of what hangs on it: U = I S,  d = S.U,  u = torque - S.p Ia = I - U
 * U^T/d,  pa = p + Ia c + U u/d;  a weld has Ia = I, pa = p + I c I_P += X^T Ia X,  p_P += X^T pa
 * and back: A' = X A_P + c,  q_ddot = (u - U.A')/d,  A = A' + S q_ddot. */
#include "arm.h"

static double dot(const dry_body__pair *a, const dry_body__pair *b) {
    return dry_dot3(a->w, b->w) + dry_dot3(a->l, b->l);
}

/* U, d and u of a joint */
static void look_along(const dry_link *link, double torque, dry_body__link_work *w) {
    dry_body__pair S = {{0.0}, {0.0}};
    dry_body__push(link, w->s, 1.0, &S);
    dry_body__apply(&w->inertia, &S, &w->U);
    w->d = dry_body__along(link, w->s, &w->U);
    w->u = torque - dry_body__along(link, w->s, &w->p);
}
/* I becomes Ia */
static void free_joint(dry_body__link_work *w) {
    const double over = 1.0 / w->d;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            w->inertia.I[3 * i + j] -= w->U.w[i] * w->U.w[j] * over;
            w->inertia.H[3 * i + j] -= w->U.w[i] * w->U.l[j] * over;
            w->inertia.M[3 * i + j] -= w->U.l[i] * w->U.l[j] * over;
        }
}

/* out += r x Y, columns; Y 3 by 3 */
static void add_cross(const double r[3], const double Y[9], double out[9]) {
    for (int j = 0; j < 3; j++) {
        out[j] += r[1] * Y[6 + j] - r[2] * Y[3 + j];
        out[3 + j] += r[2] * Y[j] - r[0] * Y[6 + j];
        out[6 + j] += r[0] * Y[3 + j] - r[1] * Y[j];
    }
}
/* I_P += X^T I X: H' = H + r x M, I' = I + r x H^T + (r x H'^T)^T */
static void hand_down_inertia(const double r[3], const dry_body__inertia *from,
                              dry_body__inertia *to) {
    double H[9], I[9], H_back[9], turned[9], lever[9] = {0.0};
    memcpy(H, from->H, sizeof H);
    memcpy(I, from->I, sizeof I);
    add_cross(r, from->M, H);
    for (int i = 0; i < 9; i++) {
        H_back[i] = from->H[i % 3 * 3 + i / 3];
        turned[i] = H[i % 3 * 3 + i / 3];
    }
    add_cross(r, H_back, I);
    add_cross(r, turned, lever);
    for (int i = 0; i < 9; i++) {
        to->I[i] += I[i] + lever[i % 3 * 3 + i / 3];
        to->H[i] += H[i];
        to->M[i] += from->M[i];
    }
}

/* What hangs on link i is handed to its parent. */
static void hand_down(const dry_arm *arm, int i, dry_body__link_work *work) {
    const dry_link *link = &arm->links[i];
    dry_body__link_work *w = &work[i];
    dry_body__pair pa;
    if (link->kind != DRY_WELD) free_joint(w);
    if (link->parent < 0) return;
    dry_body__apply(&w->inertia, &w->c, &pa);
    const double share = link->kind == DRY_WELD ? 0.0 : w->u / w->d;
    for (int k = 0; k < 3; k++) {
        pa.w[k] += w->p.w[k] + w->U.w[k] * share;
        pa.l[k] += w->p.l[k] + w->U.l[k] * share;
    }
    dry_body__hand_down(w->r, &pa, &work[link->parent].p);
    hand_down_inertia(w->r, &w->inertia, &work[link->parent].inertia);
}

void dry_arm_forward(const dry_arm *arm, const double gravity[3], const double *q,
                     const double *q_dot, const double *torque, const double *wrenches,
                     double *q_ddot, double *work) {
    dry_body__link_work *links = (dry_body__link_work *)work;
    dry_body__arm_set(arm, q, q_dot, wrenches, links);
    for (int i = arm->n_links - 1, k = arm->n_joints; i >= 0; i--) {
        if (arm->links[i].kind != DRY_WELD) look_along(&arm->links[i], torque[--k], &links[i]);
        hand_down(arm, i, links);
    }
    for (int i = 0, k = 0; i < arm->n_links; i++) {
        dry_body__link_work *w = &links[i];
        dry_body__carry(arm, gravity, i, links);
        if (arm->links[i].kind == DRY_WELD) continue;
        q_ddot[k] = (w->u - dot(&w->U, &w->A)) / w->d;
        dry_body__push(&arm->links[i], w->s, q_ddot[k++], &w->A);
    }
}
