/* arm: where the links of a tree are, how fast they move, and what each of them asks of its joint
 * before anything is solved.
 *
 * All in the axes of the world, motions at the origin o of the link, so that going from parent P to
 * child is a shift by r = o - o_P and no rotation. s: axis of the joint.
 *   revolute    omega = omega_P + s q_dot,  v = v_P + omega_P x r
 *               alpha = alpha_P + s q_ddot + omega_P x s q_dot
 *               a = a_P + alpha_P x r + omega_P x (omega_P x r)
 *   prismatic   the same with s in the linear row, and 2 omega_P x s q_dot in a
 * A = (alpha, a) is then X A_P + S q_ddot + c. For a link of mass M, centre of mass C from o and
 * inertia J about o, Newton and Euler say
 *     m = J alpha + M C x a + omega x J omega,   f = M (a + alpha x C + omega x (omega x C))
 * which is F = I A + p. R. Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 2, 7, with
 * classical accelerations in place of spatial ones.
 *
 * q: rad or m; omega: rad/s; v: m/s; m: N m; f: N; M: kg; J: kg m^2. */
#include "arm.h"

/* ---- kinematics ---------------------------------------------------------------------- */

static bool is_turned(const double q[4]) {
    return q[0] != 0.0 || q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0;
}
/* the joint's frame on its parent: r so far, and q */
static void joint_frame(const dry_link *link, const double parent_q[4], double r[3], double q[4]) {
    dry_quat_rotate(parent_q, link->at, r);
    if (is_turned(link->turn))
        dry_quat_multiply(parent_q, link->turn, q);
    else
        memcpy(q, parent_q, 4 * sizeof *q);
}
static void turn_about(const double axis[3], double angle, double q[4]) {
    const double s = sin(0.5 * angle), before[4] = {q[0], q[1], q[2], q[3]};
    const double by[4] = {cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
    dry_quat_multiply(before, by, q);
}
static void base_frame(const dry_arm *arm, double frame[DRY_BODY__FRAME]) {
    memset(frame, 0, DRY_BODY__FRAME * sizeof *frame);
    memcpy(frame, arm->at, sizeof arm->at);
    frame[DRY_BODY__Q] = 1.0;
    if (is_turned(arm->turn)) memcpy(frame + DRY_BODY__Q, arm->turn, sizeof arm->turn);
}

int dry_body__link_place(const dry_arm *arm, const dry_link *link, const double *parent,
                         const double *q, const double *q_dot, double frame[DRY_BODY__FRAME],
                         double r[3], double s[3]) {
    double base[DRY_BODY__FRAME], swept[3];
    const bool turns = link->kind == DRY_REVOLUTE, slides = link->kind == DRY_PRISMATIC;
    if (parent == NULL) {
        base_frame(arm, base);
        parent = base;
    }
    joint_frame(link, parent + DRY_BODY__Q, r, frame + DRY_BODY__Q);
    dry_quat_rotate(frame + DRY_BODY__Q, link->axis, s);
    if (turns) turn_about(link->axis, *q, frame + DRY_BODY__Q);
    for (int i = 0; slides && i < 3; i++) r[i] += s[i] * *q;
    dry_cross3(parent + DRY_BODY__OMEGA, r, swept);
    for (int i = 0; i < 3; i++) {
        frame[i] = parent[i] + r[i];
        frame[DRY_BODY__V + i] =
            parent[DRY_BODY__V + i] + swept[i] + (slides ? s[i] * *q_dot : 0.0);
        frame[DRY_BODY__OMEGA + i] = parent[DRY_BODY__OMEGA + i] + (turns ? s[i] * *q_dot : 0.0);
    }
    return turns || slides;
}

void dry_arm_frames(const dry_arm *arm, const double *q, const double *q_dot, double *frames) {
    double r[3], s[3];
    for (int i = 0, k = 0; i < arm->n_links; i++) {
        const int parent = arm->links[i].parent;
        k += dry_body__link_place(arm, &arm->links[i],
                                  parent < 0 ? NULL : frames + DRY_BODY__FRAME * parent, q + k,
                                  q_dot + k, frames + DRY_BODY__FRAME * i, r, s);
    }
}

/* ---- c, the inertia and p of one link ---------------------------------------------------- */

/* y = a x (a x b) */
static void twice(const double a[3], const double b[3], double y[3]) {
    double c[3];
    dry_cross3(a, b, c);
    dry_cross3(a, c, y);
}

static void set_c(const dry_link *link, const double *omega_P, double q_dot,
                  dry_body__link_work *w) {
    double turned[3];
    dry_cross3(omega_P, w->s, turned);
    twice(omega_P, w->r, w->c.l);
    for (int i = 0; i < 3; i++) {
        w->c.w[i] = link->kind == DRY_REVOLUTE ? turned[i] * q_dot : 0.0;
        if (link->kind == DRY_PRISMATIC) w->c.l[i] += 2.0 * turned[i] * q_dot;
    }
}

/* R J R^T of a symmetric J: xx yy zz xy xz yz */
static void turn_tensor(const double R[9], const double J[6], double out[9]) {
    const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
    double half[9];
    for (int i = 0; i < 3; i++) dry_body__turn(full, R + 3 * i, half + 3 * i);
    for (int i = 0; i < 3; i++) dry_body__turn(half, R + 3 * i, out + 3 * i);
}
static void set_inertia(const dry_link *link, const double R[9], double C[3],
                        dry_body__inertia *to) {
    const double M = link->mass;
    dry_body__turn(R, link->com, C);
    const double square = dry_dot3(C, C);
    const double cross[9] = {0.0, -C[2], C[1], C[2], 0.0, -C[0], -C[1], C[0], 0.0};
    turn_tensor(R, link->inertia, to->I);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double same = i == j ? 1.0 : 0.0;
            to->I[3 * i + j] += M * (square * same - C[i] * C[j]);
            to->H[3 * i + j] = M * cross[3 * i + j];
            to->M[3 * i + j] = M * same;
        }
}
static void set_p(const dry_link *link, const double *omega, const double C[3],
                  const double *wrench, dry_body__link_work *w) {
    double L[3];
    dry_body__turn(w->inertia.I, omega, L);
    dry_cross3(omega, L, w->p.w);
    twice(omega, C, w->p.l);
    for (int i = 0; i < 3; i++) w->p.l[i] *= link->mass;
    for (int i = 0; wrench != NULL && i < 3; i++)
        w->p.l[i] -= wrench[i], w->p.w[i] -= wrench[3 + i];
}

void dry_body__arm_set(const dry_arm *arm, const double *q, const double *q_dot,
                       const double *wrenches, dry_body__link_work *work) {
    static const double rest[DRY_BODY__FRAME] = {0.0};
    for (int i = 0, k = 0; i < arm->n_links; i++) {
        const dry_link *link = &arm->links[i];
        dry_body__link_work *w = &work[i];
        const double *parent = link->parent < 0 ? NULL : work[link->parent].frame;
        const double *rate = q_dot + k;
        double R[9], C[3];
        k += dry_body__link_place(arm, link, parent, q + k, q_dot + k, w->frame, w->r, w->s);
        set_c(link, (parent ? parent : rest) + DRY_BODY__OMEGA,
              link->kind == DRY_WELD ? 0.0 : *rate, w);
        dry_body__matrix(w->frame + DRY_BODY__Q, R);
        set_inertia(link, R, C, &w->inertia);
        set_p(link, w->frame + DRY_BODY__OMEGA, C, wrenches ? wrenches + 6 * i : NULL, w);
    }
}

/* ---- along the tree ---------------------------------------------------------------------- */

void dry_body__carry(const dry_arm *arm, const double gravity[3], int link,
                     dry_body__link_work *work) {
    dry_body__link_work *w = &work[link];
    const int parent = arm->links[link].parent;
    const dry_body__pair base = {{0.0}, {-gravity[0], -gravity[1], -gravity[2]}};
    const dry_body__pair *from = parent < 0 ? &base : &work[parent].A;
    double swept[3];
    dry_cross3(from->w, w->r, swept);
    for (int i = 0; i < 3; i++) {
        w->A.w[i] = from->w[i] + w->c.w[i];
        w->A.l[i] = from->l[i] + swept[i] + w->c.l[i];
    }
}

void dry_body__apply(const dry_body__inertia *inertia, const dry_body__pair *A, dry_body__pair *F) {
    double a[3], b[3];
    dry_body__turn(inertia->I, A->w, a);
    dry_body__turn(inertia->H, A->l, b);
    for (int i = 0; i < 3; i++) F->w[i] = a[i] + b[i];
    dry_body__turn_back(inertia->H, A->w, a);
    dry_body__turn(inertia->M, A->l, b);
    for (int i = 0; i < 3; i++) F->l[i] = a[i] + b[i];
}

void dry_body__hand_down(const double r[3], const dry_body__pair *F, dry_body__pair *parent) {
    double lever[3];
    dry_cross3(r, F->l, lever);
    for (int i = 0; i < 3; i++) {
        parent->w[i] += F->w[i] + lever[i];
        parent->l[i] += F->l[i];
    }
}

size_t dry_arm_size(const dry_arm *arm) {
    return (size_t)arm->n_links * (sizeof(dry_body__link_work) / sizeof(double));
}
