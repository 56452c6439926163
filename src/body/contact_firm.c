/* contact_firm: computes the stiffness of the contact of a shape, for the check of the step.
 *
 * Which shapes will touch, and where, is not known before the run. So a body is assumed to lie on
 * something fixed with the points of its shape: a sphere on one, a capsule on two, a cylinder on
 * four points of an end or on its side, a box on the four corners of its largest face, a cloud on
 * three of its points; all closed and stuck (contact_eval.c; X13 (24), (18)). In a crowd, other
 * bodies also press on the same points from the other side, and yield as much as the body itself,
 * which doubles the stiffness. Runs show that heaps of more than six spheres are three times as
 * stiff. Shapes of an arm may all touch something at once; they count in a crowd only.
 *
 * K, Kt: N/m; alpha, beta, betat: s. */
#include "contact_private.h"

void dry_body__contact_firmness(const dry_part_env *env, dry_firmness *rows) {
    const double *par = env->par;
    const double Kt = dry_body__rubs(par) ? par[DRY_BODY__KT] : 0.0;
    const bool rolls = dry_body__resists(par);
    const double Kr = rolls ? par[DRY_BODY__KR] : 0.0, betat = par[DRY_BODY__BETAT];
    rows[0] = (dry_firmness){
        .Kc = par[DRY_BODY__K], .alpha = par[DRY_BODY__ALPHA], .beta = par[DRY_BODY__BETA]};
    rows[1] = (dry_firmness){.C = Kt * betat, .Kf = Kt, .Ktau = Kt};
    rows[2] = (dry_firmness){.C = Kr > 0.0 ? Kr * betat
                                  : rolls  ? par[DRY_BODY__BR]
                                           : 0.0,
                             .Kf = Kr,
                             .Ktau = Kr};
}

/* ---- where a shape lies, in its own axes: points and the normal ---------- */

typedef int lie_fn(const dry_shape *shape, double points[4][3], double n[3]);

static int lie_nowhere(const dry_shape *shape, double points[4][3], double n[3]) {
    (void)shape, (void)points, (void)n;
    return 0;
}

static int lie_sphere(const dry_shape *shape, double points[4][3], double n[3]) {
    n[2] = 1.0;
    points[0][2] = -shape->size[0];
    return 1;
}

/* on the face across its thinnest side */
static int lie_box(const dry_shape *shape, double points[4][3], double n[3]) {
    const double *size = shape->size;
    int thin = 0;
    for (int i = 1; i < 3; i++)
        if (size[i] < size[thin]) thin = i;
    const int a = (thin + 1) % 3, b = (thin + 2) % 3;
    n[thin] = 1.0;
    for (int i = 0; i < 4; i++) {
        points[i][thin] = -size[thin];
        points[i][a] = i % 2 ? size[a] : -size[a];
        points[i][b] = i / 2 ? size[b] : -size[b];
    }
    return 4;
}

static int lie_capsule(const dry_shape *shape, double points[4][3], double n[3]) {
    n[0] = 1.0;
    for (int i = 0; i < 2; i++) {
        points[i][0] = -shape->size[0];
        points[i][2] = i ? shape->size[1] : -shape->size[1];
    }
    return 2;
}

/* On four points of an end, or on its side, whichever is stiffer; wheels of a robot roll on their
 * side. Both ends of the side count twice, because the cylinder may lie in a groove. */
static int lie_cylinder(const dry_shape *shape, double points[4][3], double n[3]) {
    const double r = shape->size[0], h = shape->size[1];
    const bool on_side = shape->group != 0 || h > r;
    n[on_side ? 0 : 2] = 1.0;
    for (int i = 0; i < 4; i++) {
        if (on_side)
            points[i][0] = -r;
        else
            points[i][i / 2] = i % 2 ? r : -r;
        points[i][2] = on_side && i % 2 ? h : -h;
    }
    return 4;
}

static int lie_cloud(const dry_shape *shape, double points[4][3], double n[3]) {
    const int count = shape->n_points < 3 ? shape->n_points : 3;
    n[2] = 1.0;
    for (int i = 0; i < count; i++)
        memcpy(points[i], shape->points + 3 * (size_t)(i * shape->n_points / count),
               sizeof points[i]);
    return count;
}

static lie_fn *const lies[] = {
    [DRY_PLANE] = lie_nowhere,   [DRY_SPHERE] = lie_sphere,     [DRY_BOX] = lie_box,
    [DRY_CAPSULE] = lie_capsule, [DRY_CYLINDER] = lie_cylinder, [DRY_CLOUD] = lie_cloud};

/* ---- in the world --------------------------------------------------------- */

/* Rotates a vector from the shape's axes to the world; q: rotation of its frame. */
static void turn_out(const dry_body__solid_shape *s, const double q[4], const double v[3],
                     double w[3]) {
    double u[3];
    dry_quat_rotate(s->q, v, u);
    dry_quat_rotate(q, u, w);
}

/* The arm to a point of the shape; a cloud's points are in the axes of the frame. */
static void arm_to(const dry_body__solid_shape *s, const double q[4], const double point[3],
                   double arm[3]) {
    double at[3];
    turn_out(s, q, point, arm);
    if (s->kind == DRY_CLOUD) return;
    dry_quat_rotate(q, s->shape->p, at);
    for (int i = 0; i < 3; i++) arm[i] += at[i];
}

/* The weight of each point in a crowd of so many solids: neighbours move as much as the body
 * itself; in a heap a sphere has six neighbours. */
static double crowding(const dry_body__solid_shape *s, int solids) {
    if (solids < 2) return 1.0;
    return s->kind == DRY_SPHERE && solids > 6 ? 3.0 : 2.0;
}

/* Counts the shapes that are not planes; planes are among the large shapes. */
static int count_solids(const dry_body__contacts *c) {
    int n = c->n_shapes;
    for (int i = 0; i < c->n_large; i++) n -= c->shapes[i].kind == DRY_PLANE;
    return n;
}

/* The share of a load on one point; n: the normal in the shape's own axes. A cylinder lies on two
 * points of its side or stands on four of an end; a cloud may stand on one. */
static double share_of(dry_shape_kind kind, const double n[3]) {
    if (kind == DRY_BOX) return 0.25;
    if (kind == DRY_CAPSULE) return 0.5;
    if (kind == DRY_CYLINDER) return n[2] > 0.0 ? 0.25 : 0.5;
    return 1.0;
}

int dry_body__contact_touches(const dry_part_env *env, const double *in, int shape, bool crowd,
                              int *k, dry_touch *touches) {
    const dry_body__contacts *c = env->data;
    if (shape >= c->n_shapes) return -1;
    const dry_body__solid_shape *s = &c->shapes[shape];
    const double *q = in + DRY_BODY__FRAME * s->frame + DRY_BODY__Q;
    double points[4][3] = {{0.0}}, n[3] = {0.0};
    const int sides = crowd && c->n_shapes > 2 ? 2 : 1;
    const double weight = crowd ? crowding(s, count_solids(c)) : 1.0;
    int count = 0;
    *k = s->frame;
    if (c->n_shapes < 2 || (s->shape->group != 0 && !crowd)) return 0;
    const int each = lies[s->kind](s->shape, points, n);
    for (int i = 0; i < each * sides; i++) {
        dry_touch *touch = &touches[count++];
        double *point = points[i % each];
        if (i >= each)
            for (int j = 0; j < 3; j++) point[j] -= 2.0 * n[j] * n[j] * point[j];
        touch->weight = weight;
        touch->bears = share_of(s->kind, n);
        arm_to(s, q, point, touch->arm);
        turn_out(s, q, n, touch->n);
    }
    return count;
}
