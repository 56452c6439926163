/* joint: hinge, slider, ball_joint and weld as stiff springs with friction along what is free: the
 * impedance part I_joint of KY08 (29), on the relative motion of end a as seen from end b.
 *
 *     f = -(K d + B v)         in the locked directions
 *     m = -(Kr e + Br omega)   about the locked axes
 * and along or about what is free, with one state a per direction (KY08 (19), X13 (18)),
 *     f or m = -sat(F, Kf (a + (beta + tau) theta)),  theta the relative velocity.
 * e measures the misalignment of the axes, such that the moment has a potential:
 *     weld, slider   e = phi, the rotation vector:  Kr |phi|^2/2
 *     hinge          e = z x z_a, z_a the axis of end a, for any angle about it:  Kr (1 - z.z_a)
 * The axis of hinge and slider is z of both ends.
 *
 * Parameters that are not given follow from the response of the two bodies to the joint, W of
 * part.h (choose_joint), and from the fastest allowed motion, omega. With rho the largest
 * eigenvalue of a matrix, and diag over the directions of the points or of the axes,
 *     1/m = rho(W diag(points)),   1/J = rho(W diag(axes)),   r = rho(W diag(m, J)) in 1 .. 2
 *     K = m w^2/r,   Kr = J w^2/r,   B = 2 K/w,   Br = 2 Kr/w
 * so that the stiffest motion has the frequency w = omega and is damped critically; the others are
 * slower and damped less. If only K is given, B = 2 sqrt(K m); the same holds for Kr and Br.
 *
 * A stuck friction also swings at w and is damped critically:
 *     Kf = m_f w^2,   beta = 2/w
 * m_f is the inertia that it must stop, that of the two bodies against each other along or about
 * what is free, while K and Kr hold them at this frequency. With f the free direction and L the
 * locked ones,
 *     1/m_f = W_ff - W_fL (W_LL + w^2/K_L)^-1 W_Lf
 * Of three free directions the least m_f counts. If K and Kr are not given, w is lower than omega,
 * so that the damping of K, Kr and Kf together is that of omega:
 *     w rho(W diag(K, Kr, Kf)/w^2) = omega
 * in which rho does not depend on w. Bodies further along the chain are neglected.
 *
 * d: m; phi: rad; v: m/s; omega: rad/s; f: N; m: N m; K: N/m; B: N s/m; Kr: N m/rad; Br: N m s/rad;
 * F, Kf, beta: level, stiffness and time constant of the friction, in N and m along an axis, in N m
 * and rad about one. */
#include "body_private.h"

/* Where things are in the motion of the port, in its force and among the parameters. */
enum { D = 0, PHI = 3, V = 6, OMEGA = 9 };
enum { FORCE = 0, MOMENT = 3 };
enum { K, B };        /* hold the points */
enum { KR, BR };      /* hold the axes: from `axes` on */
enum { F, KF, BETA }; /* rub: from `friction` on */
enum { MOST_PAR = 7 };

/* s: beta if Kf alone is given. */
static const double BETA_OF_GIVEN = 2e-4;

typedef struct joint {
    dry_part part;
    const dry_law *law;  /* of the friction */
    bool locked[6];      /* d x, y, z, rotation x, y, z */
    bool hinge;          /* any angle about z */
    int free_at, n_free; /* the free directions that rub: from free_at on, of the six */
    int axes, friction;  /* where their parameters are, 0: it has none of them */
} joint;

/* ---- the functions of the part ------------------------------------------------------- */

/* e = z x z_a, with z_a = z turned by phi; returns 1 - z.z_a. n = phi/|phi|:
 *     z_a = cos z + sin n x z + (1 - cos) n_z n */
static double hinge_error(const double phi[3], double e[3]) {
    const double square = dry_dot3(phi, phi), angle = sqrt(square);
    const bool small = square < 1e-10; /* series: the next terms are below rounding */
    const double s = small ? 1.0 - square / 6.0 : dry_sin(angle) / angle;
    const double half =
        small ? 0.5 - square / 24.0 : 2.0 * dry_sin(0.5 * angle) * dry_sin(0.5 * angle) / square;
    e[0] = s * phi[0] - half * phi[1] * phi[2];
    e[1] = s * phi[1] + half * phi[0] * phi[2];
    e[2] = 0.0;
    return half * (phi[0] * phi[0] + phi[1] * phi[1]);
}
static double error_of(const joint *self, const double phi[3], double e[3]) {
    if (self->hinge) return hinge_error(phi, e);
    memcpy(e, phi, 3 * sizeof *e);
    return 0.5 * dry_dot3(phi, phi);
}

static const double *rubs(const joint *self, const double *in) {
    return in + (self->free_at < MOMENT ? V : OMEGA - MOMENT) + self->free_at;
}

static void eval(const dry_part_env *env, const double *in, const double *x, double *out,
                 double *x_dot) {
    const joint *self = env->data;
    const double *par = env->par, *axes = par + self->axes;
    double e[3], friction[3];
    error_of(self, in + PHI, e);
    for (int i = 0; i < 3; i++) {
        out[FORCE + i] = self->locked[i] ? -(par[K] * in[D + i] + par[B] * in[V + i]) : 0.0;
        out[MOMENT + i] = self->locked[3 + i] ? -(axes[KR] * e[i] + axes[BR] * in[OMEGA + i]) : 0.0;
    }
    if (self->n_free == 0) return;
    dry_law_eval_in(env->branch, self->law, par + self->friction, self->n_free, env->tau,
                    rubs(self, in), x, friction, x_dot);
    for (int i = 0; i < self->n_free; i++) out[self->free_at + i] -= friction[i];
}

/* For the locked directions: the square of the distance, and the potential of the moment per Kr. */
static double distance2(const joint *self, const double *in) {
    double square = 0.0;
    for (int i = 0; i < 3; i++)
        if (self->locked[i]) square += in[D + i] * in[D + i];
    return square;
}
static double twist(const joint *self, const double *in) {
    double e[3];
    return self->locked[3] ? error_of(self, in + PHI, e) : 0.0;
}
static double held(const dry_part_env *env, const double *in) {
    const joint *self = env->data;
    const double *par = env->par, Kr = self->locked[3] ? par[self->axes + KR] : 0.0;
    return Kr * twist(self, in) + 0.5 * par[K] * distance2(self, in);
}

static double energy(const dry_part_env *env, const double *in, const double *x) {
    const joint *self = env->data;
    const double *friction = env->par + self->friction;
    const double stored = held(env, in);
    if (self->n_free == 0) return stored;
    return stored + self->law->energy(friction, self->n_free, env->tau, rubs(self, in), x);
}

/* 1 - cos = 2 sin^2(angle/2) of a hinge, angle^2/2 of the others */
static void breach(const dry_part_env *env, const double *in, dry_breach *off) {
    const joint *self = env->data;
    const double e = twist(self, in);
    *off = (dry_breach){.moved = sqrt(distance2(self, in)),
                        .turned = self->hinge ? 2.0 * dry_asin(sqrt(dry_min(0.5 * e, 1.0)))
                                              : sqrt(2.0 * e),
                        .energy = held(env, in)};
}

static void kinks(const dry_part_env *env, const double *in, const double *x, double *g) {
    const joint *self = env->data;
    self->law->kinks(env->par + self->friction, self->n_free, env->tau, rubs(self, in), x, g);
}

/* Of its friction, if it has any. */
static unsigned phase(const dry_part_env *env, const double *in, const double *x, const double *y) {
    const joint *self = env->data;
    const double *par = env->par + self->friction;
    (void)y;
    return par[F] > 0.0 ? dry_law_phase(self->law, par, self->n_free, env->tau, rubs(self, in), x)
                        : 0;
}

/* The angle about the axis of a hinge, in (-pi, pi]: twice that of the quaternion's z part. */
static void hinge_angle(const dry_part_env *env, const double *in, const double *x, double *y) {
    const double *phi = in + PHI, angle = dry_norm(3, phi);
    (void)env, (void)x;
    y[0] = angle > 0.0
               ? 2.0 * dry_atan2(dry_sin(0.5 * angle) * phi[2] / angle, dry_cos(0.5 * angle))
               : 0.0;
}

/* ---- what is not given ------------------------------------------------------------------- */

/* rho(W diag(K)), 1/s^2 */
static double fastest(const double *W, const double K_of[6]) {
    double A[36], re[6], im[6], most = 0.0;
    for (int i = 0; i < 36; i++) A[i] = W[i] * K_of[i % 6];
    if (dry_eigenvalues(6, A, re, im) != DRY_OK) return 0.0;
    for (int i = 0; i < 6; i++) most = dry_max(most, re[i]);
    return most;
}
static double fastest_of(const joint *self, const double *W, double points, double axes,
                         double friction) {
    double K_of[6];
    for (int i = 0; i < 6; i++) K_of[i] = !self->locked[i] ? 0.0 : i < MOMENT ? points : axes;
    for (int i = 0; i < self->n_free; i++) K_of[self->free_at + i] = friction;
    return fastest(W, K_of);
}

/* 1 if there is nothing to hold or stop */
static double inertia(double over) { return over > 0.0 && isfinite(over) ? 1.0 / over : 1.0; }

/* 1/m_f of the free direction f. */
static double answer_along(const joint *self, const double *W, const double *par, double w, int f) {
    double A[36], b[6], over = W[7 * f];
    int locked[6], n = 0;
    for (int i = 0; i < 6; i++)
        if (self->locked[i]) locked[n++] = i;
    for (int r = 0; r < n; r++) {
        const double stiffness = locked[r] < MOMENT ? par[K] : par[self->axes + KR];
        for (int c = 0; c < n; c++) A[r * n + c] = W[6 * locked[r] + locked[c]];
        A[r * n + r] += w * w / stiffness;
        b[r] = W[6 * locked[r] + f];
    }
    dry_solve(n, A, b);
    for (int r = 0; r < n; r++) over -= W[6 * f + locked[r]] * b[r];
    return over;
}

/* What to choose, and for which response. */
typedef struct task {
    const joint *self;
    const double *W;
    bool points, axes; /* K, Kr are open */
    double m, J;
} task;

static void hold(const task *t, double w, double *par) {
    const double r = fastest_of(t->self, t->W, t->points ? t->m : 0.0, t->axes ? t->J : 0.0, 0.0);
    double *axes = par + t->self->axes;
    if (t->points) par[K] = t->m * w * w * inertia(r);
    if (t->axes) axes[KR] = t->J * w * w * inertia(r);
}

static double firmness_of_friction(const task *t, double w, const double *par) {
    double over = 0.0;
    for (int i = 0; i < t->self->n_free; i++)
        over = dry_max(over, answer_along(t->self, t->W, par, w, t->self->free_at + i));
    return inertia(over) * w * w;
}

/* w of a joint with friction whose K and Kr are not given. */
static double slower(const task *t, double omega, double *par) {
    hold(t, omega, par);
    const double Kr = t->axes ? par[t->self->axes + KR] : 0.0,
                 Kf = firmness_of_friction(t, omega, par);
    return omega / dry_max(1.0, fastest_of(t->self, t->W, par[K], Kr, Kf) / (omega * omega));
}

static void damp(bool open, double inertia_of, double w, double pair[2]) {
    if (pair[B] < 0.0) pair[B] = open ? 2.0 * pair[K] / w : 2.0 * sqrt(pair[K] * inertia_of);
}

static void rub(const task *t, double w, double *par) {
    double *friction = par + t->self->friction;
    const bool open = friction[KF] == 0.0;
    if (open) friction[KF] = firmness_of_friction(t, w, par);
    if (friction[BETA] == 0.0) friction[BETA] = open ? 2.0 / w : BETA_OF_GIVEN;
}

static void choose(const dry_part *part, const double *W, double omega, double *par) {
    const joint *self = part->data;
    const bool turns = self->axes == 0; /* and holds no axes */
    double *axes = par + self->axes;
    const task t = {.self = self,
                    .W = W,
                    .points = par[K] < 0.0,
                    .axes = !turns && axes[KR] < 0.0,
                    .m = inertia(fastest_of(self, W, 1.0, 0.0, 0.0)),
                    .J = inertia(fastest_of(self, W, 0.0, 1.0, 0.0))};
    const double *friction = par + self->friction;
    const bool rubs_too = self->n_free > 0 && friction[F] > 0.0 && friction[KF] == 0.0;
    const double w = rubs_too && t.points && (t.axes || turns) ? slower(&t, omega, par) : omega;
    hold(&t, w, par);
    damp(t.points, t.m, w, par);
    if (!turns) damp(t.axes, t.J, w, axes);
    if (self->n_free > 0) rub(&t, w, par);
}

static bool is_open(const dry_part *part, const double *par, const dry_wrong **wrong) {
    const joint *self = part->data;
    const double *axes = par + self->axes, *friction = par + self->friction;
    (void)wrong;
    return par[K] < 0.0 || par[B] < 0.0 ||
           (self->axes != 0 && (axes[KR] < 0.0 || axes[BR] < 0.0)) ||
           (self->n_free > 0 && (friction[KF] == 0.0 || friction[BETA] == 0.0));
}

static bool forgets(const dry_part *part, int par) {
    const joint *self = part->data;
    return self->n_free > 0 && par == self->friction + BETA;
}

/* ---- the four joints -------------------------------------------------------------------- */

static const dry_port port = {.name = "", .unit = "", .kind = DRY_RELATIVE};
static const dry_quantity turned[] = {{"a[1]", "rad"}, {"a[2]", "rad"}, {"a[3]", "rad"}};
static const dry_quantity turned_one[] = {{"a", "rad"}}, moved_one[] = {{"a", "m"}};
static const dry_quantity angle_name[] = {{"angle", "rad"}};
static const dry_part_outputs angle = {1, angle_name, hinge_angle};
static const dry_part_design design = {
    .forgets = forgets, .choose_joint = choose, .is_open = is_open, .breach = breach};

/* The parameters of hinge and slider, of which the others have some. */
#define POINTS                                                                                     \
    {"K", "N/m"}, { "B", "N s/m" }
#define AXES                                                                                       \
    {"Kr", "N m/rad"}, { "Br", "N m s/rad" }
static const dry_quantity hinge_par[] = {
    POINTS, AXES, {"F", "N m"}, {"Kf", "N m/rad"}, {"beta", "s"}};
static const dry_quantity slider_par[] = {POINTS, AXES, {"F", "N"}, {"Kf", "N/m"}, {"beta", "s"}};
static const dry_quantity ball_par[] = {POINTS, {"F", "N m"}, {"Kf", "N m/rad"}, {"beta", "s"}};
static const dry_quantity weld_par[] = {POINTS, AXES};

typedef struct row {
    bool locked[6];
    dry_axis axis;
    int free_at, n_free, axes, friction;
    const dry_quantity *params, *states;
} row;

static const dry_part *make(const dry_kind *self, dry_arena *arena, const dry_value *values,
                            int count, dry_error *error) {
    const row *form = self->data;
    joint *new = dry_arena_take(arena, sizeof *new);
    double *par = dry_arena_take(arena, MOST_PAR * sizeof *par);
    if (new == NULL || par == NULL) {
        dry_error_set(error, DRY_NO_MEMORY, "out of memory for a %s", self->name);
        return NULL;
    }
    for (int i = 0; i < self->n_params; i++)
        par[i] = dry_value_number(self, values, count, self->params[i].name);
    new->law = dry_law_find("coulomb");
    memcpy(new->locked, form->locked, sizeof new->locked);
    new->hinge = form->axis == DRY_TURNS;
    new->free_at = form->free_at;
    new->n_free = form->n_free;
    new->axes = form->axes;
    new->friction = form->friction;
    new->part = (dry_part){.kind = self->name,
                           .side = DRY_IMPEDANCE,
                           .n_ports = 1,
                           .ports = &port,
                           .n_states = form->n_free,
                           .states = form->states,
                           .n_par = self->n_params,
                           .params = form->params,
                           .par = par,
                           .data = new,
                           .eval = eval,
                           .ends = form->n_free > 0 ? DRY_SLIPS : 0,
                           .energy = energy,
                           .design = &design,
                           .axis = form->axis,
                           .n_kinks = form->n_free > 0 ? new->law->n_kinks(par, form->n_free) : 0,
                           .kinks = form->n_free > 0 ? kinks : NULL,
                           .phase = form->n_free > 0 ? phase : NULL,
                           .outputs = new->hinge ? &angle : NULL};
    return &new->part;
}

#define OPEN -1.0 /* K, B, Kr, Br: not given */
#define POINT_ROWS                                                                                 \
    {"K", "N/m", 1, 1, false, DRY_POSITIVE, OPEN, "stiffness that holds the points together"}, {   \
        "B", "N s/m", 1, 1, false, DRY_NONNEGATIVE, OPEN, "its damping"                            \
    }
#define AXIS_ROWS                                                                                  \
    {"Kr", "N m/rad", 1, 1, false, DRY_POSITIVE, OPEN, "stiffness that holds the axes"}, {         \
        "Br", "N m s/rad", 1, 1, false, DRY_NONNEGATIVE, OPEN, "its damping"                       \
    }
#define FRICTION_ROWS(force, stiffness)                                                            \
    {"F", force, 1, 1, false, DRY_NONNEGATIVE, 0.0, "friction level"},                             \
        {"Kf", stiffness, 1, 1, false, DRY_NONNEGATIVE, 0.0, KF_MEANING}, {                        \
        "beta", "s", 1, 1, false, DRY_NONNEGATIVE, 0.0, BETA_MEANING                               \
    }
#define KF_MEANING "stiffness of the friction element; 0: chosen"
#define BETA_MEANING "its time constant; 0: that of critical damping, or 0.2 ms if you give Kf"

static const dry_kind_param hinge_rows[] = {POINT_ROWS, AXIS_ROWS, FRICTION_ROWS("N m", "N m/rad")};
static const dry_kind_param slider_rows[] = {POINT_ROWS, AXIS_ROWS, FRICTION_ROWS("N", "N/m")};
static const dry_kind_param ball_rows[] = {POINT_ROWS, FRICTION_ROWS("N m", "N m/rad")};
static const dry_kind_param weld_rows[] = {POINT_ROWS, AXIS_ROWS};

#define COUNT(rows) (int)(sizeof(rows) / sizeof(rows)[0])
#define PORT " Port: the relative motion of two frames."
#define HELD                                                                                       \
    "\nA stiffness that you leave out follows from the inertia of its two bodies at the start: "   \
    "as\n"                                                                                         \
    "stiff as the step of the run allows, or up to 500 rad/s if the step is not known, with\n"     \
    "critical damping. A damping that you leave out beside a stiffness is critical as well."
#define DRIVEN(kind, where, p)                                                                     \
    "\nA part for coordinates, such as a " kind ", acts " where                                    \
    ": connect motor - NAME. Its p is\n" p
#define CHOSEN                                                                                     \
    HELD                                                                                           \
        "\nA stuck joint swings no faster. Give Kf if the bodies carry much more: a stuck joint\n" \
        "gives way by up to F/Kf."

const dry_kind dry_body__hinge = {
    .name = "hinge",
    .title = "hinge about z, by stiff springs",
    .meaning = "Holds two points together and their z axes parallel; friction F about z." PORT
               " Quantities a, angle (-pi to pi)." DRIVEN(
                   "rotary_motor", "about it",
                   "the angle of end a against end b, which goes on beyond half a turn.") CHOSEN,
    .params = hinge_rows,
    .n_params = COUNT(hinge_rows),
    .make = make,
    .data = &(const row){
        {true, true, true, true, true, false}, DRY_TURNS, 5, 1, 2, 4, hinge_par, turned_one}};

const dry_kind dry_body__slider = {
    .name = "slider",
    .title = "slider along z, by stiff springs",
    .meaning = "Lets a point move along the z axis of the other end and not turn; friction F along "
               "z." PORT " Quantity a." DRIVEN("motor", "along it",
                                               "how far end a is along z from end b.") CHOSEN,
    .params = slider_rows,
    .n_params = COUNT(slider_rows),
    .make = make,
    .data = &(const row){
        {true, true, false, true, true, true}, DRY_SLIDES, 2, 1, 2, 4, slider_par, moved_one}};

const dry_kind dry_body__ball_joint = {
    .name = "ball_joint",
    .title = "ball joint, by stiff springs",
    .meaning =
        "Holds two points together; friction F against turning." PORT " Quantity a[3]." CHOSEN,
    .params = ball_rows,
    .n_params = COUNT(ball_rows),
    .make = make,
    .data = &(const row){
        {true, true, true, false, false, false}, DRY_NO_AXIS, 3, 3, 0, 2, ball_par, turned}};

const dry_kind dry_body__weld = {
    .name = "weld",
    .title = "two frames held together by stiff springs",
    .meaning = "Holds two points together and their axes parallel." PORT HELD,
    .params = weld_rows,
    .n_params = COUNT(weld_rows),
    .make = make,
    .data = &(const row){
        {true, true, true, true, true, true}, DRY_NO_AXIS, 0, 0, 2, 0, weld_par, NULL}};
