/* arm_forward: computes the accelerations of an arm in O(n) by the articulated-body method.
 *
 * R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 7.3. From the tips to the base,
 * with I and p of the link and of what hangs on it, J the inertia of the rotor:
 *     U = I S,  d = S.U + J,  u = torque - S.p,  Ia = I - U U^T/d,  pa = p + Ia c + U u/d
 * a weld has Ia = I, pa = p + I c;  I_P += X^T Ia X,  p_P += X^T pa.  And back:
 *     A' = X A_P + c,  q_ddot = (u - U.A')/d,  A = A' + S q_ddot
 * A joint of several axes S acts as several joints at one point without mass between them: the last
 * axis is eliminated first and accelerates last.
 *
 * Gears: q_ddot[i] - ratio q_ddot[j] = 0 is C q_ddot = 0. With q_ddot_0 without gears, and the
 * responses Y = H^-1 C^T to unit torques in each gear,
 *     q_ddot = q_ddot_0 + Y lambda,   C Y lambda = -C q_ddot_0 */
#include "arm.h"

static double dot(const dry_body__pair *a, const dry_body__pair *b) {
    return dry_dot3(a->w, b->w) + dry_dot3(a->l, b->l);
}

/* U, d and u of an axis */
static void project_inertia(bool slides, double rotor, double torque, const dry_body__link_work *w,
                            dry_body__column *c) {
    dry_body__pair S = {{0.0}, {0.0}};
    dry_body__push(slides, c->s, 1.0, &S);
    dry_body__apply(&w->inertia, &S, &c->U);
    c->d = dry_body__along(slides, c->s, &c->U) + rotor;
    c->u = torque - dry_body__along(slides, c->s, &w->p);
}
/* I becomes Ia, p becomes p + U u/d */
static void free_axis(const dry_body__column *c, dry_body__link_work *w) {
    const double over = 1.0 / c->d, share = c->u / c->d;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            w->inertia.I[3 * i + j] -= c->U.w[i] * c->U.w[j] * over;
            w->inertia.H[3 * i + j] -= c->U.w[i] * c->U.l[j] * over;
            w->inertia.M[3 * i + j] -= c->U.l[i] * c->U.l[j] * over;
        }
    for (int k = 0; k < 3; k++) {
        w->p.w[k] += c->U.w[k] * share;
        w->p.l[k] += c->U.l[k] * share;
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

/* Adds what hangs on link i to its parent. */
static void hand_down(const dry_arm *arm, int i, dry_body__link_work *work) {
    const dry_link *link = &arm->links[i];
    dry_body__link_work *w = &work[i];
    dry_body__pair pa;
    if (link->parent < 0) return;
    dry_body__apply(&w->inertia, &w->c, &pa);
    for (int k = 0; k < 3; k++) {
        pa.w[k] += w->p.w[k];
        pa.l[k] += w->p.l[k];
    }
    dry_body__hand_down(w->r, &pa, &work[link->parent].p);
    hand_down_inertia(w->r, &w->inertia, &work[link->parent].inertia);
}

/* The tree without gears. */
static void forward(const dry_arm *arm, const double gravity[3], const double *q,
                    const double *q_dot, const double *torque, const double *wrenches,
                    double *q_ddot, const dry_body__work *work) {
    dry_body__link_work *links = work->links;
    dry_body__arm_set(arm, q, q_dot, wrenches, work);
    for (int i = arm->n_links - 1, k = dry_arm_speeds(arm); i >= 0; i--) {
        const dry_body__joint_row *row = dry_body__joint(arm->links[i].kind);
        for (int j = row->speeds - 1; j >= 0; j--) {
            dry_body__column *c = &work->columns[--k];
            project_inertia(j < row->slides, arm->links[i].rotor, torque[k], &links[i], c);
            free_axis(c, &links[i]);
        }
        hand_down(arm, i, links);
    }
    for (int i = 0, k = 0; i < arm->n_links; i++) {
        const dry_body__joint_row *row = dry_body__joint(arm->links[i].kind);
        dry_body__carry(arm, gravity, i, links);
        for (int j = 0; j < row->speeds; j++, k++) {
            const dry_body__column *c = &work->columns[k];
            q_ddot[k] = (c->u - dot(&c->U, &links[i].A)) / c->d;
            dry_body__push(j < row->slides, c->s, q_ddot[k], &links[i].A);
        }
    }
}

/* ---- gears ----------------------------------------------------------------------------- */

static double slip(const dry_gear *gear, const double *q_ddot) {
    return q_ddot[gear->driven] - gear->ratio * q_ddot[gear->driver];
}

/* A x = b for a symmetric positive A, n by n; b becomes x, A its factor L (A = L L^T). */
static void solve(int n, double *A, double *b) {
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = A[i * n + j];
            for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
        }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) b[i] -= A[i * n + k] * b[k];
        b[i] /= A[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) b[i] -= A[k * n + i] * b[k];
        b[i] /= A[i * n + i];
    }
}

/* Computes the responses of the velocities to a unit torque in each gear, at rest. */
static void answers(const dry_arm *arm, const double *q, int n, double *torque, double *rest,
                    double *Y, const dry_body__work *work) {
    static const double none[3] = {0.0};
    for (int k = 0; k < n; k++) torque[k] = rest[k] = 0.0;
    for (int g = 0; g < arm->n_gears; g++) {
        const dry_gear *gear = &arm->gears[g];
        torque[gear->driven] = 1.0;
        torque[gear->driver] -= gear->ratio;
        forward(arm, none, q, rest, torque, NULL, Y + (size_t)g * (size_t)n, work);
        torque[gear->driven] = torque[gear->driver] = 0.0;
    }
}

static void hold_gears(const dry_arm *arm, const double *q, double *q_ddot,
                       const dry_body__work *work) {
    const int n = dry_arm_speeds(arm), m = arm->n_gears;
    double *Y = work->gears, *A = Y + m * n, *lambda = A + m * m, *torque = lambda + m;
    answers(arm, q, n, torque, torque + n, Y, work);
    for (int g = 0; g < m; g++) {
        for (int h = 0; h < m; h++) A[g * m + h] = slip(&arm->gears[g], Y + h * n);
        lambda[g] = -slip(&arm->gears[g], q_ddot);
    }
    solve(m, A, lambda);
    for (int k = 0; k < n; k++)
        for (int h = 0; h < m; h++) q_ddot[k] += Y[h * n + k] * lambda[h];
    for (int g = 0; g < m; g++) /* to the bit, in the order of the gears */
        q_ddot[arm->gears[g].driven] = arm->gears[g].ratio * q_ddot[arm->gears[g].driver];
}

void dry_arm_forward(const dry_arm *arm, const double gravity[3], const double *q,
                     const double *q_dot, const double *torque, const double *wrenches,
                     double *q_ddot, double *work) {
    const dry_body__work w = dry_body__arm_work(arm, work);
    forward(arm, gravity, q, q_dot, torque, wrenches, q_ddot, &w);
    if (arm->n_gears > 0) hold_gears(arm, q, q_ddot, &w);
}
