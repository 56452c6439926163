/* contact_eval: the forces where shapes touch.
 *
 * X13 (24), (25) for the normal force, X13 (18) in the tangent plane for friction, both with the
 * stage's step tau as KY08 (19) has it; law/frictional_contact.c is the same law for a given gap:
 *
 *     e_dot = max(-e/(beta + tau), -(psi + e)/(alpha + tau)),   N = K (e + (beta + tau) e_dot)
 *     f     = sat(mu N, Kt (a_t + (betat + tau) v)),   a_t = a - n (n . a)
 *     a_dot = (f/Kt - a_t)/(betat + tau) - n (n . a)/(betat + tau)
 *
 * so a is drawn into the tangent plane as the plane turns. K |a|^2/2 is no smaller than what the
 * springs hold and f . v feeds a_t alone: passive. While it sticks a_dot is v along the plane, to
 * the last bit: nothing creeps. A moment resists rolling and spinning,
 *
 *     m = sat(rolling N, Kr (b + (betat + tau) omega)),   b_dot = (m/Kr - b)/(betat + tau)
 *
 * or, without Kr, by m = sat(rolling N, Br omega), which has no state and does not stick. With a
 * lever arm of its own for drilling, the moment about n and that across it are limited apart:
 *
 *     m = sat(rolling N, y_t) + n sat(drilling N, y_n),   y = Kr (b + (betat + tau) omega)
 *
 * the projection on a cylinder along n in place of a ball.
 *
 * With a grain, a direction d with a coefficient of its own, the set of friction is an ellipse (X13
 * (17) with the set C = {D h: |h| <= 1} in place of a ball; the springs stay equal in all
 * directions):
 *
 *     D = N (mu I + (mu_along - mu) d_t d_t'),   d_t = d - n (n . d)
 *     f = the point of C nearest to Kt (a_t + (betat + tau) v)
 *
 * If d is normal to the plane, d_t = 0, no direction is left and D = mu N I; D is smooth there.
 *
 * Force and moment of a point are multiplied by its weight, its strains are not.
 *
 * psi: gap, m; n: unit normal from a to b; v, omega: velocities of b as seen from a, m/s, rad/s;
 * e, a: m; b: rad. The forces on a frame are summed in the order of the pairs, for any number of
 * threads. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* loops over three numbers are unrolled */
#endif
#include "contact_private.h"

/* The action of a pair of frames on each other: the force on b, reversed on a, and the moments
 * about their origins. */
typedef struct wrench {
    double f[3], m_a[3], m_b[3];
} wrench;
_Static_assert(sizeof(wrench) == DRY_BODY__WRENCH * sizeof(double), "the scratch is made for it");

typedef struct touch_law {
    double K, alpha, beta, mu, Kt, betat, rolling, Kr, Br, drilling, mu_along, tau;
    double grain[3]; /* in the axes of the world */
    bool turns, resists;
    int stride;
} touch_law;

static touch_law law_of(const dry_part_env *env) {
    const double *par = env->par;
    const dry_body__contacts *c = env->data;
    return (touch_law){.K = par[DRY_BODY__K],
                       .alpha = par[DRY_BODY__ALPHA],
                       .beta = par[DRY_BODY__BETA],
                       .mu = par[DRY_BODY__MU],
                       .Kt = par[DRY_BODY__KT],
                       .betat = par[DRY_BODY__BETAT],
                       .rolling = par[DRY_BODY__ROLLING],
                       .Kr = par[DRY_BODY__KR],
                       .Br = par[DRY_BODY__BR],
                       .drilling = par[DRY_BODY__DRILLING],
                       .mu_along = par[DRY_BODY__MU_ALONG],
                       .grain = {c->grain.along[0], c->grain.along[1], c->grain.along[2]},
                       .turns = c->grain.turns && par[DRY_BODY__MU_ALONG] >= 0.0,
                       .resists = dry_body__resists(par),
                       .tau = env->tau,
                       .stride = c->stride};
}

/* ---- one point ------------------------------------------------------------------------- */

/* The velocity of a frame's point at x, arm = x - p. */
DRY_INLINE void velocity(const double *frame, const double arm[3], double v[3]) {
    dry_cross3(frame + DRY_BODY__OMEGA, arm, v);
    for (int i = 0; i < 3; i++) v[i] += frame[DRY_BODY__V + i];
}

/* Without load the strains relax. Tiny strains stay, so that no subnormal numbers slow the run. */
static void relax(const touch_law *law, const double *s, double *s_dot) {
    const double nothing = 1e-60;
    double size = s[DRY_BODY__E];
    for (int i = DRY_BODY__A; i < law->stride; i++) size += fabs(s[i]);
    const double e_rate = size > nothing ? -1.0 / (law->beta + law->tau) : 0.0;
    const double rate = size > nothing ? -1.0 / (law->betat + law->tau) : 0.0;
    s_dot[DRY_BODY__E] = e_rate * s[DRY_BODY__E];
    for (int i = DRY_BODY__A; i < law->stride; i++) s_dot[i] = rate * s[i];
}

static const double UPRIGHT = 1e-8; /* |d_t| below which D is mu N I to rounding */

/* dry_friction with the ellipse in the axes e1 along the grain and e2 across it. */
static void rub_along(const touch_law *law, double N, const double n[3], const double *v_t,
                      const double *a_t, double *f, double *a_dot) {
    const double d_n = dry_dot3(law->grain, n), b = law->betat + law->tau, Kt = law->Kt;
    double e[2][3], y[2];
    for (int i = 0; i < 3; i++) e[0][i] = law->grain[i] - d_n * n[i];
    const double length = dry_norm(3, e[0]);
    if (length < UPRIGHT) {
        dry_friction(3, Kt, law->betat, law->tau, law->mu * N, v_t, a_t, f, a_dot);
        return;
    }
    for (int i = 0; i < 3; i++) e[0][i] /= length;
    dry_cross3(n, e[0], e[1]);
    for (int k = 0; k < 2; k++) y[k] = Kt * (dry_dot3(e[k], a_t) + b * dry_dot3(e[k], v_t));
    const double mu_1 = law->mu + (law->mu_along - law->mu) * length * length;
    const dry_ellipse ellipse = {.n = 2, .s = {mu_1 * N, law->mu * N}, .U = {1.0, 0.0, 0.0, 1.0}};
    const bool sticks = dry_ellipse_project(&ellipse, y, y);
    for (int i = 0; i < 3; i++) {
        f[i] = y[0] * e[0][i] + y[1] * e[1][i];
        a_dot[i] = sticks ? v_t[i] : (f[i] / Kt - a_t[i]) / b;
    }
}

/* The friction on b is -f. */
DRY_INLINE void rub(const touch_law *law, double N, const double n[3], const double v[3],
                    const double *a, double *f, double *a_dot) {
    const double v_n = dry_dot3(v, n), a_n = dry_dot3(a, n), back = a_n / (law->betat + law->tau);
    double v_t[3], a_t[3];
    for (int i = 0; i < 3; i++) {
        v_t[i] = v[i] - v_n * n[i];
        a_t[i] = a[i] - a_n * n[i];
    }
    if (law->mu_along < 0.0)
        dry_friction(3, law->Kt, law->betat, law->tau, law->mu * N, v_t, a_t, f, a_dot);
    else
        rub_along(law, N, n, v_t, a_t, f, a_dot);
    for (int i = 0; i < 3; i++) a_dot[i] -= back * n[i];
}

/* The moment m of `dim` numbers with the level M against omega, and the rate of its angle b. */
DRY_INLINE void resist(const touch_law *law, int dim, double M, const double *omega,
                       const double *b, double *m, double *b_dot) {
    if (law->stride == DRY_BODY__ROLLS) {
        dry_friction(dim, law->Kr, law->betat, law->tau, M, omega, b, m, b_dot);
        return;
    }
    for (int i = 0; i < dim; i++) m[i] = law->Br * omega[i];
    dry_sat(dim, M, m, m);
}

/* Rolling and drilling apart. */
static void resist_apart(const touch_law *law, double N, const double n[3], const double omega[3],
                         const double *b, double *m, double *b_dot) {
    const bool sprung = law->stride == DRY_BODY__ROLLS;
    const double omega_n = dry_dot3(omega, n), b_n = sprung ? dry_dot3(b, n) : 0.0;
    double omega_t[3], b_t[3], m_n, b_n_dot = 0.0;
    for (int i = 0; i < 3; i++) {
        omega_t[i] = omega[i] - omega_n * n[i];
        b_t[i] = sprung ? b[i] - b_n * n[i] : 0.0;
    }
    resist(law, 3, law->rolling * N, omega_t, b_t, m, b_dot);
    resist(law, 1, law->drilling * N, &omega_n, &b_n, &m_n, &b_n_dot);
    for (int i = 0; i < 3; i++) {
        m[i] += m_n * n[i];
        if (sprung) b_dot[i] += b_n_dot * n[i];
    }
}

/* The moment on b is -m. */
static void roll(const touch_law *law, double N, const double n[3], double weight, const double *a,
                 const double *b, const double *s, double *s_dot, wrench *w) {
    double omega[3], m[3];
    for (int i = 0; i < 3; i++) omega[i] = b[DRY_BODY__OMEGA + i] - a[DRY_BODY__OMEGA + i];
    if (law->drilling < 0.0)
        resist(law, 3, law->rolling * N, omega, s + DRY_BODY__B, m, s_dot + DRY_BODY__B);
    else
        resist_apart(law, N, n, omega, s + DRY_BODY__B, m, s_dot + DRY_BODY__B);
    for (int i = 0; i < 3; i++) {
        w->m_a[i] += weight * m[i];
        w->m_b[i] -= weight * m[i];
    }
}

/* Adds the force of the point to the frames a and b. Returns N. */
DRY_INLINE double press(const touch_law *law, const dry_body__point *p, const double *a,
                        const double *b, const double *s, double *s_dot, wrench *w) {
    double arm_a[3], arm_b[3], v_a[3], v_b[3], f[3], m[3];
    const double N = dry_contact(law->K, law->alpha, law->beta, law->tau, p->psi, s[DRY_BODY__E],
                                 s_dot + DRY_BODY__E);
    if (!(N > 0.0)) {
        relax(law, s, s_dot);
        return 0.0;
    }
    for (int i = 0; i < 3; i++) arm_a[i] = p->x[i] - a[i], arm_b[i] = p->x[i] - b[i];
    velocity(a, arm_a, v_a);
    velocity(b, arm_b, v_b);
    for (int i = 0; i < 3; i++) v_b[i] -= v_a[i];
    rub(law, N, p->n, v_b, s + DRY_BODY__A, f, s_dot + DRY_BODY__A);
    for (int i = 0; i < 3; i++) f[i] = p->weight * (N * p->n[i] - f[i]), w->f[i] += f[i];
    dry_cross3(arm_a, f, m);
    for (int i = 0; i < 3; i++) w->m_a[i] -= m[i];
    dry_cross3(arm_b, f, m);
    for (int i = 0; i < 3; i++) w->m_b[i] += m[i];
    if (law->resists) roll(law, N, p->n, p->weight, a, b, s, s_dot, w);
    return N;
}

/* ---- one pair ---------------------------------------------------------------------------- */

/* Two spheres about the origins of their frames: both arms lie along n, so the moments are those of
 * friction alone, and half of press is not needed. */
DRY_INLINE void press_spheres(const touch_law *law, double r_a, double r_b, const double *a,
                              const double *b, const double *s, double *s_dot, wrench *w) {
    const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double length = sqrt(dry_dot3(d, d)), psi = length - (r_a + r_b);
    const double N = dry_contact(law->K, law->alpha, law->beta, law->tau, psi, s[DRY_BODY__E],
                                 s_dot + DRY_BODY__E);
    if (!(N > 0.0)) {
        relax(law, s, s_dot);
        return;
    }
    const double inverse = length > 0.0 ? 1.0 / length : 0.0;
    const double n[3] = {d[0] * inverse, d[1] * inverse, length > 0.0 ? d[2] * inverse : 1.0};
    const double l_a = r_a + 0.5 * psi, l_b = r_b + 0.5 * psi;
    double turn[3], v[3], f[3], m[3];
    for (int i = 0; i < 3; i++)
        turn[i] = l_a * a[DRY_BODY__OMEGA + i] + l_b * b[DRY_BODY__OMEGA + i];
    dry_cross3(n, turn, v);
    for (int i = 0; i < 3; i++) v[i] += b[DRY_BODY__V + i] - a[DRY_BODY__V + i];
    rub(law, N, n, v, s + DRY_BODY__A, f, s_dot + DRY_BODY__A);
    dry_cross3(n, f, m);
    for (int i = 0; i < 3; i++) {
        w->f[i] = N * n[i] - f[i];
        w->m_a[i] = l_a * m[i];
        w->m_b[i] = l_b * m[i];
    }
    if (law->resists) roll(law, N, n, 1.0, a, b, s, s_dot, w);
}

static void press_boxes(const touch_law *law, const dry_body__placed shapes[2], const double *a,
                        const double *b, const double *s, double *s_dot, wrench *w) {
    dry_body__point points[DRY_BODY__BOX_POINTS];
    const int count = dry_body__boxes(&shapes[0], &shapes[1], points), stride = law->stride;
    for (int k = 0; k < DRY_BODY__BOX_POINTS; k++) relax(law, s + k * stride, s_dot + k * stride);
    memset(s_dot + DRY_BODY__BOX_POINTS * stride, 0,
           (size_t)(DRY_BODY__NOTES * stride) * sizeof *s_dot);
    for (int k = 0; k < count; k++) {
        double new_s[DRY_BODY__ROLLS], new_s_dot[DRY_BODY__ROLLS];
        const int slot = dry_body__slot(&points[k], s, stride);
        if (slot < 0) dry_body__take_over(&points[k], s, stride, new_s);
        const double N = press(law, &points[k], a, b, slot < 0 ? new_s : s + slot * stride,
                               slot < 0 ? new_s_dot : s_dot + slot * stride, w);
        for (int i = 0; i < 3; i++) {
            w->m_a[i] -= points[k].weight * N * points[k].couple[i];
            w->m_b[i] += points[k].weight * N * points[k].couple[i];
        }
    }
}

static void press_others(const touch_law *law, const dry_body__placed shapes[2], int n,
                         const double *a, const double *b, const double *s, double *s_dot,
                         wrench *w) {
    dry_body__touch_fn *touch = dry_body__touch(shapes[0].shape->kind, shapes[1].shape->kind);
    for (int k = 0; k < n; k++, s += law->stride, s_dot += law->stride) {
        dry_body__point point = {.weight = 1.0};
        if (touch(&shapes[0], &shapes[1], k, &point))
            press(law, &point, a, b, s, s_dot, w);
        else
            relax(law, s, s_dot);
    }
}

static void press_shapes(const dry_part_env *env, const touch_law *law, const dry_body__link *link,
                         const double *in, const double *s, double *s_dot, wrench *w) {
    const double *a = in + DRY_BODY__FRAME * link->frame_a;
    const double *b = in + DRY_BODY__FRAME * link->frame_b;
    const dry_body__placed shapes[2] = {dry_body__placed_at(env, in, link->a),
                                        dry_body__placed_at(env, in, link->b)};
    if (shapes[0].shape->kind == DRY_BOX && shapes[1].shape->kind == DRY_BOX)
        press_boxes(law, shapes, a, b, s, s_dot, w);
    else
        press_others(law, shapes, link[1].first - link->first, a, b, s, s_dot, w);
}

DRY_INLINE wrench press_by(const dry_part_env *env, const touch_law *law,
                           const dry_body__link *link, const double *in, const double *x,
                           double *x_dot) {
    const dry_body__contacts *c = env->data;
    const int at = c->at_slots + link->first * law->stride;
    const double *a = in + DRY_BODY__FRAME * link->frame_a;
    const double *b = in + DRY_BODY__FRAME * link->frame_b;
    wrench w = {{0.0}, {0.0}, {0.0}};
    if (link->spheres)
        press_spheres(law, c->radii[link->a], c->radii[link->b], a, b, x + at, x_dot + at, &w);
    else
        press_shapes(env, law, link, in, x + at, x_dot + at, &w);
    return w;
}

/* With the grain of the body of a pair, which is the frame connected last. */
static touch_law turned_law(const dry_part_env *env, const touch_law *law,
                            const dry_body__link *link, const double *in) {
    const dry_body__contacts *c = env->data;
    const int body = link->frame_a > link->frame_b ? link->frame_a : link->frame_b;
    touch_law turned = *law;
    dry_quat_rotate(in + DRY_BODY__FRAME * body + DRY_BODY__Q, c->grain.along, turned.grain);
    return turned;
}

static wrench press_turned(const dry_part_env *env, const touch_law *law,
                           const dry_body__link *link, const double *in, const double *x,
                           double *x_dot) {
    const touch_law turned = turned_law(env, law, link, in);
    return press_by(env, &turned, link, in, x, x_dot);
}

DRY_INLINE wrench press_pair(const dry_part_env *env, const touch_law *law,
                             const dry_body__link *link, const double *in, const double *x,
                             double *x_dot) {
    return law->turns ? press_turned(env, law, link, in, x, x_dot)
                      : press_by(env, law, link, in, x, x_dot);
}

/* ---- all ----------------------------------------------------------------------------------- */

DRY_INLINE void add_a(const wrench *w, double *out) {
    for (int i = 0; i < 3; i++) out[i] -= w->f[i], out[3 + i] += w->m_a[i];
}
DRY_INLINE void add_b(const wrench *w, double *out) {
    for (int i = 0; i < 3; i++) out[i] += w->f[i], out[3 + i] += w->m_b[i];
}

/* One pair after the other, each adding to its frames. */
static void press_in_turn(const dry_body__job *job) {
    const dry_body__contacts *c = job->env->data;
    const dry_body__link *links = DRY_BODY__WORK(dry_body__link, job->env, links);
    const touch_law law = law_of(job->env);
    const int n = (int)job->x[DRY_BODY__HEAD_PAIRS];
    int32_t *shared = DRY_BODY__WORK(int32_t, job->env, shared);
    dry_body__place(job->env, job->in);
    if (*shared > 0) *shared = 0; /* nothing is left for later */
    memset(job->out, 0, DRY_BODY__FORCE * (size_t)c->n_frames * sizeof *job->out);
    for (int k = 0; k < n; k++) {
        const wrench w = press_pair(job->env, &law, &links[k], job->in, job->x, job->x_dot);
        add_a(&w, job->out + DRY_BODY__FORCE * links[k].frame_a);
        add_b(&w, job->out + DRY_BODY__FORCE * links[k].frame_b);
    }
}

/* Adds to the frames of the pair's own block. */
DRY_INLINE void add_own(const dry_body__link *link, const wrench *w, double *out) {
    if (!link->later_a) add_a(w, out + DRY_BODY__FORCE * link->frame_a);
    if (!link->later_b) add_b(w, out + DRY_BODY__FORCE * link->frame_b);
}

/* Stores the forces on frames of other blocks, for frame_forces. */
DRY_INLINE void put_down(const dry_body__link *link, const wrench *w, const int32_t *places,
                         double *later) {
    double *a = later + DRY_BODY__FORCE * places[0], *b = later + DRY_BODY__FORCE * places[1];
    for (int i = 0; link->later_a && i < 3; i++) a[i] = -w->f[i], a[3 + i] = w->m_a[i];
    for (int i = 0; link->later_b && i < 3; i++) b[i] = w->f[i], b[3 + i] = w->m_b[i];
}

/* No force yet on the frames whose first shape is in the range of a piece. */
static void clear(const dry_body__contacts *c, const dry_body__share *share, double *out) {
    for (int i = share->shape; i < share[1].shape; i++) {
        const int frame = c->shapes[i].frame;
        if (c->first[frame] == i)
            memset(out + DRY_BODY__FORCE * frame, 0, DRY_BODY__FORCE * sizeof *out);
    }
}

static void press_piece(const void *data, dry_team_piece piece) {
    const dry_body__job *job = data;
    const dry_body__link *links = DRY_BODY__WORK(dry_body__link, job->env, links);
    const touch_law law = law_of(job->env);
    const int32_t *places = DRY_BODY__WORK(int32_t, job->env, places);
    double *later = DRY_BODY__WORK(double, job->env, later);
    wrench *wrenches = DRY_BODY__WORK(wrench, job->env, wrenches);
    dry_body__share *share = DRY_BODY__WORK(dry_body__share, job->env, shares) + piece.index;
    clear(job->env->data, share, job->out);
    for (int k = share->pair; k < share[1].pair; k++) {
        const wrench w = press_pair(job->env, &law, &links[k], job->in, job->x, job->x_dot);
        if (piece.in_turn)
            add_own(&links[k], &w, job->out);
        else
            wrenches[k] = w;
        if (links[k].later_a || links[k].later_b) put_down(&links[k], &w, places + 2 * k, later);
    }
    if (!piece.in_turn) share->kept = true;
}

/* Adds the stored forces of a piece that another thread ran than the pieces before it. */
static void add_kept(const dry_body__job *job, dry_body__share *share) {
    const dry_body__link *links = DRY_BODY__WORK(dry_body__link, job->env, links);
    const wrench *wrenches = DRY_BODY__WORK(wrench, job->env, wrenches);
    for (int k = share->pair; k < share[1].pair; k++) add_own(&links[k], &wrenches[k], job->out);
    share->kept = false;
}

/* Evaluates the pairs of all pieces in parallel; frame_forces adds the stored forces, so the sums
 * are the same. */
static void press_at_once(const dry_body__job *job, int pieces) {
    dry_body__share *shares = DRY_BODY__WORK(dry_body__share, job->env, shares);
    dry_body__place(job->env, job->in);
    dry_team_run(job->env->team, pieces, press_piece, job);
    for (int p = 0; p < pieces; p++)
        if (shares[p].kept) add_kept(job, &shares[p]);
}

void dry_body__contact_eval(const dry_part_env *env, const double *in, const double *x, double *out,
                            double *x_dot) {
    const dry_body__job job = {env, in, x, out, x_dot};
    const int pieces = dry_body__pieces(env, (int)x[DRY_BODY__HEAD_PAIRS]);
    dry_body__index(env, x);
    if (pieces > 1 && dry_body__share_out(env, x, pieces))
        press_at_once(&job, pieces);
    else
        press_in_turn(&job);
}

void dry_body__frame_forces(const dry_part_env *env, const double *x, int from, int to,
                            double *forces) {
    const dry_body__contacts *c = env->data;
    const int32_t *ends = DRY_BODY__WORK(int32_t, env, ends);
    const double *later = DRY_BODY__WORK(double, env, later);
    (void)x;
    if (*DRY_BODY__WORK(int32_t, env, shared) <= 0) return; /* they are complete */
    for (int k = from; c->n_bare > 0 && k < to; k++)
        if (c->first[k] < 0)
            memset(forces + DRY_BODY__FORCE * k, 0, DRY_BODY__FORCE * sizeof *forces);
    for (int k = from; ends[from] < ends[to] && k < to; k++)
        for (int32_t m = ends[k]; m < ends[k + 1]; m++)
            for (int i = 0; i < DRY_BODY__FORCE; i++)
                forces[DRY_BODY__FORCE * k + i] += later[DRY_BODY__FORCE * m + i];
}

/* ---- energy and outputs ------------------------------------------------------------------------
 */

/* Calls `each` for every slot with its point, or with NULL if the shapes are apart there. */
typedef void visit_fn(const dry_part_env *env, const dry_body__point *point, const double *slot,
                      double *sums);

static void visit_pair(const dry_part_env *env, int pair, const double *in, const double *x,
                       visit_fn *each, double *sums) {
    const dry_body__contacts *c = env->data;
    const dry_body__link *link = DRY_BODY__WORK(dry_body__link, env, links) + pair;
    const double *slots = x + c->at_slots + link->first * c->stride;
    const dry_body__placed a = dry_body__placed_at(env, in, link->a);
    const dry_body__placed b = dry_body__placed_at(env, in, link->b);
    dry_body__touch_fn *touch = dry_body__touch(a.shape->kind, b.shape->kind);
    dry_body__point points[DRY_BODY__BOX_POINTS], point;
    const int n = touch ? link[1].first - link->first : DRY_BODY__BOX_POINTS;
    const int found = touch ? 0 : dry_body__boxes(&a, &b, points);
    for (int k = 0; k < n; k++) {
        point.weight = 1.0;
        const dry_body__point *at = touch && touch(&a, &b, k, &point) ? &point : NULL;
        for (int m = 0; m < found; m++)
            if (dry_body__slot(&points[m], slots, c->stride) == k) at = &points[m];
        each(env, at, slots + k * c->stride, sums);
    }
}

static void visit(const dry_part_env *env, const double *in, const double *x, visit_fn *each,
                  double *sums) {
    dry_body__index(env, x);
    dry_body__place(env, in);
    for (int k = 0; k < (int)x[DRY_BODY__HEAD_PAIRS]; k++) visit_pair(env, k, in, x, each, sums);
}

static void add_energy(const dry_part_env *env, const dry_body__point *point, const double *slot,
                       double *sums) {
    const dry_body__contacts *c = env->data;
    const double u[5] = {point ? point->psi : (double)INFINITY, 0.0, 0.0, 0.0, 0.0};
    const double weight = point ? point->weight : 1.0;
    sums[0] += weight * dry_law_find("frictional_contact")->energy(env->par, 3, env->tau, u, slot);
    if (c->stride == DRY_BODY__ROLLS)
        sums[0] += weight * 0.5 * env->par[DRY_BODY__KR] *
                   dry_dot3(slot + DRY_BODY__B, slot + DRY_BODY__B);
}

double dry_body__contact_energy(const dry_part_env *env, const double *in, const double *x) {
    double sum = 0.0;
    visit(env, in, x, add_energy, &sum);
    return sum;
}

static const double LIGHT = 1e-6; /* a weight that is not counted as a point */

static void add_outputs(const dry_part_env *env, const dry_body__point *point, const double *slot,
                        double *y) {
    const touch_law law = law_of(env);
    double e_dot;
    if (point == NULL) return;
    const double N =
        dry_contact(law.K, law.alpha, law.beta, law.tau, point->psi, slot[DRY_BODY__E], &e_dot);
    if (N > 0.0 && point->weight > LIGHT) y[DRY_BODY__OUT_POINTS] += 1.0;
    y[DRY_BODY__OUT_N] += point->weight * N;
    y[DRY_BODY__OUT_DEPTH] = dry_max(y[DRY_BODY__OUT_DEPTH], -point->psi);
}

void dry_body__contact_output(const dry_part_env *env, const double *in, const double *x,
                              double *y) {
    for (int i = 0; i < DRY_BODY__OUTPUTS; i++) y[i] = 0.0;
    visit(env, in, x, add_outputs, y);
}

/* ---- what touches ------------------------------------------------------------------------------
 */

/* Adds the force of a point, whose strains may be those of no slot. */
static void add_touching(const touch_law *law, const dry_body__point *p, const double *a,
                         const double *b, const double *s, dry_touching *to, double *sum) {
    double s_dot[DRY_BODY__ROLLS];
    wrench w = {{0.0}, {0.0}, {0.0}};
    const double N = p->weight * press(law, p, a, b, s, s_dot, &w);
    for (int i = 0; i < 3; i++) {
        to->x[i] += N * p->x[i];
        to->normal[i] += N * p->n[i];
        to->friction[i] += w.f[i] - N * p->n[i];
    }
    *sum += N;
}

static double add_boxes(const touch_law *law, const dry_body__placed shapes[2], const double *a,
                        const double *b, const double *s, dry_touching *to) {
    dry_body__point points[DRY_BODY__BOX_POINTS];
    const int count = dry_body__boxes(&shapes[0], &shapes[1], points);
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        double new_s[DRY_BODY__ROLLS];
        const int slot = dry_body__slot(&points[k], s, law->stride);
        if (slot < 0) dry_body__take_over(&points[k], s, law->stride, new_s);
        add_touching(law, &points[k], a, b, slot < 0 ? new_s : s + slot * law->stride, to, &sum);
    }
    return sum;
}

static double add_others(const touch_law *law, const dry_body__placed shapes[2], int n,
                         const double *a, const double *b, const double *s, dry_touching *to) {
    dry_body__touch_fn *touch = dry_body__touch(shapes[0].shape->kind, shapes[1].shape->kind);
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        dry_body__point point = {.weight = 1.0};
        if (touch(&shapes[0], &shapes[1], k, &point))
            add_touching(law, &point, a, b, s + k * law->stride, to, &sum);
    }
    return sum;
}

/* Returns the sum of the normal forces of a pair. */
static double add_pair(const dry_part_env *env, const touch_law *law, const dry_body__link *link,
                       const double *in, const double *x, dry_touching *to) {
    const dry_body__contacts *c = env->data;
    const double *a = in + DRY_BODY__FRAME * link->frame_a;
    const double *b = in + DRY_BODY__FRAME * link->frame_b;
    const double *s = x + c->at_slots + link->first * law->stride;
    const dry_body__placed shapes[2] = {dry_body__placed_at(env, in, link->a),
                                        dry_body__placed_at(env, in, link->b)};
    if (shapes[0].shape->kind == DRY_BOX && shapes[1].shape->kind == DRY_BOX)
        return add_boxes(law, shapes, a, b, s, to);
    return add_others(law, shapes, link[1].first - link->first, a, b, s, to);
}

void dry_body__contact_touching(const dry_part_env *env, const double *in, const double *x,
                                dry_touching_fn *each, void *user) {
    const touch_law law = law_of(env);
    dry_body__index(env, x);
    dry_body__place(env, in);
    const dry_body__link *links = DRY_BODY__WORK(dry_body__link, env, links);
    for (int k = 0; k < (int)x[DRY_BODY__HEAD_PAIRS]; k++) {
        dry_touching pair = {.a = links[k].frame_a, .b = links[k].frame_b};
        const touch_law turned = law.turns ? turned_law(env, &law, &links[k], in) : law;
        const double N = add_pair(env, &turned, &links[k], in, x, &pair);
        if (!(N > 0.0)) continue;
        for (int i = 0; i < 3; i++) pair.x[i] /= N;
        each(user, &pair);
    }
}
