/* arm: computes pose and velocity of the links of a tree, and the force that each needs from its
 * joint, before any equation is solved.
 *
 * All vectors are in world axes and all motions at the origin o of the link, so the transform from
 * parent P to child is a shift by r = o - o_P without a rotation. s: axis of the joint.
 *   revolute    omega = omega_P + s q_dot,  v = v_P + omega_P x r
 *               alpha = alpha_P + s q_ddot + omega_P x s q_dot
 *               a = a_P + alpha_P x r + omega_P x (omega_P x r)
 *   prismatic   the same with s in the linear row, and 2 omega_P x s q_dot in a
 * A joint with more velocities (ball, planar, free) has several axes s, all fixed in the frame of
 * the parent, and their terms add up: its motion is taken at the origin of the link, so that
 * turning does not move it.
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
    const double s = dry_sin(0.5 * angle), before[4] = {q[0], q[1], q[2], q[3]};
    const double by[4] = {dry_cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
    dry_quat_multiply(before, by, q);
}
static void base_frame(const dry_arm *arm, double frame[DRY_BODY__FRAME]) {
    memset(frame, 0, DRY_BODY__FRAME * sizeof *frame);
    memcpy(frame, arm->at, sizeof arm->at);
    frame[DRY_BODY__Q] = 1.0;
    if (is_turned(arm->turn)) memcpy(frame + DRY_BODY__Q, arm->turn, sizeof arm->turn);
}

/* ---- joints ---------------------------------------------------------------------------- */

static const dry_body__joint_row rows[] = {
    [DRY_REVOLUTE] = {1, 1, 0, -1, 1, 1}, [DRY_PRISMATIC] = {1, 1, 1, -1, 1, 1},
    [DRY_WELD] = {0, 0, 0, -1, 0, 0},     [DRY_BALL] = {4, 3, 0, 0, 1, 3},
    [DRY_PLANAR] = {3, 3, 2, -1, 3, 1},   [DRY_FREE] = {7, 6, 3, 3, 0, 0},
};

const dry_body__joint_row *dry_body__joint(dry_joint_kind kind) { return &rows[kind]; }
int dry_joint_positions(dry_joint_kind kind) { return rows[kind].positions; }
int dry_joint_speeds(dry_joint_kind kind) { return rows[kind].speeds; }

int dry_arm_positions(const dry_arm *arm) {
    int count = 0;
    for (int i = 0; i < arm->n_links; i++) count += rows[arm->links[i].kind].positions;
    return count;
}
int dry_arm_speeds(const dry_arm *arm) {
    int count = 0;
    for (int i = 0; i < arm->n_links; i++) count += rows[arm->links[i].kind].speeds;
    return count;
}

/* Two directions across an axis, right-handed with it: x, y for z; y, z for x; z, x for y. */
static void across(const double axis[3], double e[3], double f[3]) {
    int largest = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(axis[i]) > fabs(axis[largest])) largest = i;
    const int next = (largest + 1) % 3;
    const double along = axis[next];
    for (int i = 0; i < 3; i++) e[i] = (i == next ? 1.0 : 0.0) - along * axis[i];
    const double length = dry_norm(3, e);
    for (int i = 0; i < 3; i++) e[i] /= length;
    dry_cross3(axis, e, f);
}

/* The axes of a joint in its frame q, turned to the world. */
static void axes_of(const dry_link *link, const double q[4], double *s) {
    const int n = rows[link->kind].speeds;
    double own[18] = {0.0};
    if (n <= 1) { /* a weld has an axis, too; it is not used */
        dry_quat_rotate(q, link->axis, s);
        return;
    }
    if (link->kind == DRY_PLANAR) {
        across(link->axis, own, own + 3);
        memcpy(own + 6, link->axis, sizeof link->axis);
    }
    for (int k = 0; k < n && link->kind != DRY_PLANAR; k++) own[3 * k + k % 3] = 1.0;
    for (int k = 0; k < n; k++) dry_quat_rotate(q, own + 3 * k, s + 3 * k);
}

/* The frame of the link is that of the joint, turned by q. */
static void turn_link(const dry_link *link, const double *q, double frame_q[4]) {
    const dry_body__joint_row *row = &rows[link->kind];
    double unit[4], before[4];
    if (row->quaternion < 0) {
        if (row->speeds > row->slides) turn_about(link->axis, q[row->slides], frame_q);
        return;
    }
    dry_body__unit_quat(q + row->quaternion, unit);
    memcpy(before, frame_q, sizeof before);
    dry_quat_multiply(before, unit, frame_q);
}

/* sum = s[first] x[first] + ...; exact if there is one term, 0 if there is none */
static void combine(const double *s, const double *x, int first, int end, double sum[3]) {
    for (int i = 0; i < 3; i++) {
        sum[i] = first < end ? s[3 * first + i] * x[first] : 0.0;
        for (int k = first + 1; k < end; k++) sum[i] += s[3 * k + i] * x[k];
    }
}

void dry_body__link_place(const dry_arm *arm, const dry_link *link, const double *parent,
                          const double *q, const double *q_dot, double frame[DRY_BODY__FRAME],
                          double r[3], double *s) {
    const dry_body__joint_row *row = &rows[link->kind];
    double base[DRY_BODY__FRAME], swept[3], slid[3], spun[3], moved[3];
    if (parent == NULL) {
        base_frame(arm, base);
        parent = base;
    }
    joint_frame(link, parent + DRY_BODY__Q, r, frame + DRY_BODY__Q);
    axes_of(link, frame + DRY_BODY__Q, s);
    turn_link(link, q, frame + DRY_BODY__Q);
    combine(s, q, 0, row->slides, moved);
    for (int i = 0; row->slides > 0 && i < 3; i++) r[i] += moved[i];
    dry_cross3(parent + DRY_BODY__OMEGA, r, swept);
    combine(s, q_dot, 0, row->slides, slid);
    combine(s, q_dot, row->slides, row->speeds, spun);
    for (int i = 0; i < 3; i++) {
        frame[i] = parent[i] + r[i];
        frame[DRY_BODY__V + i] = parent[DRY_BODY__V + i] + swept[i] + slid[i];
        frame[DRY_BODY__OMEGA + i] = parent[DRY_BODY__OMEGA + i] + spun[i];
    }
}

void dry_arm_frames(const dry_arm *arm, const double *q, const double *q_dot, double *frames) {
    double r[3], s[18];
    for (int i = 0; i < arm->n_links; i++) {
        const dry_link *link = &arm->links[i];
        dry_body__link_place(arm, link,
                             link->parent < 0 ? NULL : frames + DRY_BODY__FRAME * link->parent, q,
                             q_dot, frames + DRY_BODY__FRAME * i, r, s);
        q += rows[link->kind].positions;
        q_dot += rows[link->kind].speeds;
    }
}

/* ---- c, the inertia and p of one link ---------------------------------------------------- */

/* y = a x (a x b) */
static void twice(const double a[3], const double b[3], double y[3]) {
    double c[3];
    dry_cross3(a, b, c);
    dry_cross3(a, c, y);
}

static void set_c(const dry_link *link, const double *omega_P, const double *q_dot,
                  const dry_body__column *columns, dry_body__link_work *w) {
    const dry_body__joint_row *row = &rows[link->kind];
    twice(omega_P, w->r, w->c.l);
    for (int i = 0; i < 3; i++) w->c.w[i] = 0.0;
    for (int k = 0; k < row->speeds; k++) {
        const bool slides = k < row->slides, first = k == row->slides;
        double turned[3];
        dry_cross3(omega_P, columns[k].s, turned);
        for (int i = 0; i < 3; i++) {
            if (slides)
                w->c.l[i] += 2.0 * turned[i] * q_dot[k];
            else
                w->c.w[i] = first ? turned[i] * q_dot[k] : w->c.w[i] + turned[i] * q_dot[k];
        }
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
                       const double *wrenches, const dry_body__work *work) {
    static const double rest[DRY_BODY__FRAME] = {0.0};
    dry_body__column *columns = work->columns;
    for (int i = 0; i < arm->n_links; i++) {
        const dry_link *link = &arm->links[i];
        const int n = rows[link->kind].speeds;
        dry_body__link_work *w = &work->links[i];
        const double *parent = link->parent < 0 ? NULL : work->links[link->parent].frame;
        double R[9], C[3], s[18];
        dry_body__link_place(arm, link, parent, q, q_dot, w->frame, w->r, s);
        for (int k = 0; k < n; k++) memcpy(columns[k].s, s + 3 * k, sizeof columns[k].s);
        set_c(link, (parent ? parent : rest) + DRY_BODY__OMEGA, q_dot, columns, w);
        dry_body__matrix(w->frame + DRY_BODY__Q, R);
        set_inertia(link, R, C, &w->inertia);
        set_p(link, w->frame + DRY_BODY__OMEGA, C, wrenches ? wrenches + 6 * i : NULL, w);
        q += rows[link->kind].positions;
        q_dot += n;
        columns += n;
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

/* Space for links, columns, and the gears in dry_arm_forward. */
size_t dry_arm_size(const dry_arm *arm) {
    const size_t n = (size_t)dry_arm_speeds(arm), gears = (size_t)arm->n_gears;
    const size_t more = gears > 0 ? gears * (n + gears + 1) + 2 * n : 0;
    return (size_t)arm->n_links * (sizeof(dry_body__link_work) / sizeof(double)) +
           n * (sizeof(dry_body__column) / sizeof(double)) + more;
}

dry_body__work dry_body__arm_work(const dry_arm *arm, double *work) {
    dry_body__link_work *links = (dry_body__link_work *)work;
    dry_body__column *columns = (dry_body__column *)(links + arm->n_links);
    double *gears = arm->n_gears > 0 ? (double *)(columns + dry_arm_speeds(arm)) : NULL;
    return (dry_body__work){links, columns, gears};
}
