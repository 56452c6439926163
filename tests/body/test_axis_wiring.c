/* Parts on the axis of a joint: what they do to the two bodies is internal, equations can add to
 * it, the bound of the step counts it, and every wrong connection is told with a way out. */
#include "unit.h"

#include "machine.h"
#include "math/random.h"

static const dry_end nothing = {0};

static void make(dry_net *net, const char *name, const char *kind) {
    dry_net_make(net, name, dry_kind_find(kind), NULL, 0);
}

/* ---- two bodies in free space ---------------------------------------------------------- */

static const double MASS[2] = {2.0, 0.7}, RADIUS[2] = {0.3, 0.2};
enum { P = 0, V = 3, Q = 6, OMEGA = 10, STATES = 13 };

static machine two_spheres(const char *joint, const char *drive) {
    machine m = {.net = dry_net_new()};
    MAKE(m.net, "one", "sphere", DRY_NUMBERS("mass", MASS[0]), DRY_NUMBERS("radius", RADIUS[0]));
    MAKE(m.net, "two", "sphere", DRY_NUMBERS("mass", MASS[1]), DRY_NUMBERS("radius", RADIUS[1]),
         DRY_NUMBERS("p", 0.6, 0.1, 0.2));
    make(m.net, "joint", joint);
    dry_net_connect(m.net, "joint", (dry_end){.port = "one", .at = {0.3, 0.1, 0.0}},
                    (dry_end){.port = "two", .at = {-0.3, 0.0, -0.2}});
    MAKE(m.net, "drive", drive, DRY_NUMBERS("force", 1.5));
    dry_net_connect(m.net, "drive", (dry_end){.port = "joint"}, nothing);
    machine_begin(&m, "rk4", (dry_ode_options){.step = 1e-3}, NULL);
    return m;
}

/* Anywhere near, the axes not parallel. */
static void draw(random_source *source, const machine *m, double *x) {
    memcpy(x, m->ode.x, (size_t)m->system->n_states * sizeof *x);
    for (int i = 0; i < 2 * STATES; i++) x[i] += random_between(source, -0.3, 0.3);
    dry_quat_normalise(x + Q);
    dry_quat_normalise(x + STATES + Q);
}

/* sum M v_dot, and sum M p x v_dot + J omega_dot: rates of the momenta of spheres */
static void momenta(const double *x, const double *x_dot, double sum[6]) {
    memset(sum, 0, 6 * sizeof *sum);
    for (int b = 0; b < 2; b++) {
        const double *at = x + STATES * b, *rate = x_dot + STATES * b,
                     J = 0.4 * RADIUS[b] * RADIUS[b];
        double arm[3];
        dry_cross3(at + P, rate + V, arm);
        for (int i = 0; i < 3; i++) {
            sum[i] += MASS[b] * rate[V + i];
            sum[3 + i] += MASS[b] * (arm[i] + J * rate[OMEGA + i]);
        }
    }
}

static void test_what_acts_between_two_bodies_changes_no_momentum(void **state) {
    static const char *const joints[] = {"hinge", "slider"}, *const drives[] = {"rotary_motor",
                                                                                "motor"};
    random_source source = {7};
    (void)state;
    for (int k = 0; k < 2; k++) {
        machine m = two_spheres(joints[k], drives[k]);
        double x[40], x_dot[40], sum[6], size = 0.0;
        at_most(m.system->n_states, 40);
        for (int round = 0; round < 50; round++) {
            draw(&source, &m, x);
            m.system->rate(&m.ode.env, 0.0, 0.0, x, x_dot);
            momenta(x, x_dot, sum);
            for (int i = 0; i < 2 * STATES; i++) size = fmax(size, fabs(x_dot[i]));
            /* a few dozen roundings of what the joint pulls */
            for (int i = 0; i < 6; i++) closer(sum[i], 0.0, 1e-14 * size);
        }
        machine_end(&m);
    }
}

/* ---- what equations add ------------------------------------------------------------------ */

/* A torque that is added is the torque of a motor: the same rates, but for the order of the sums;
 * its power is the torque times the rate of the angle. */
static void test_equations_add_to_the_force(void **state) {
    random_source source = {9};
    (void)state;
    machine m = two_spheres("hinge", "rotary_motor");
    const int n = m.system->n_states, place = dry_net_force_find(m.net, "drive.f");
    double x[40], by_key[40], by_push[40], more[40] = {0.0}, par[40];
    dry_net_found rate;
    dry_error error = {0};
    at_most(n, 40);
    at_most(m.system->n_par, 40);
    at_most(dry_net_force_count(m.net), 40);
    assert_in_range(place, 0, dry_net_force_count(m.net) - 1);
    assert_int_equal(dry_net_force_find(m.net, "joint.f"), -1);
    is_ok(dry_net_find(m.net, "drive.v", &rate, &error), &error);
    for (int round = 0; round < 20; round++) {
        draw(&source, &m, x);
        memcpy(par, m.system->par, (size_t)m.system->n_par * sizeof *par);
        for (int i = 0; i < m.system->n_par; i++)
            if (strcmp(m.system->params[i].name, "drive.force") == 0) par[i] = 4.0;
        dry_env env = m.ode.env;
        env.par = par;
        m.system->rate(&env, 0.0, 0.0, x, by_key);
        more[place] = 2.5; /* 1.5 by its key */
        dry_net_forces(&m.ode.env, 0.0, 0.0, x);
        dry_net_rates(&m.ode.env, 0.0, 0.0, x, more, by_push);
        for (int i = 0; i < n; i++) closer(by_push[i], by_key[i], 1e-12 * (1.0 + fabs(by_key[i])));
        const double v = *dry_net_read(&m.ode.env, x, rate);
        closer(dry_net_push_power(&m.ode.env, more), 2.5 * v, 1e-14);
        dry_net_rates(&m.ode.env, 0.0, 0.0, x, NULL, by_push); /* without it, nothing is left */
        m.system->rate(&m.ode.env, 0.0, 0.0, x, by_key);
        all_same_bits(n, by_push, by_key);
    }
    machine_end(&m);
}

/* ---- how stiff it is ----------------------------------------------------------------------- */

/* K/J of a spring about the middle of a body is far above what the hinge is chosen for. */
static void test_a_stiff_spring_on_a_hinge_counts(void **state) {
    const double K = 1e6, J = 0.02;
    (void)state;
    machine m = {.net = dry_net_new()};
    MAKE(m.net, "disc", "rigid_body", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("inertia", J, J, J));
    make(m.net, "shaft", "hinge");
    MAKE(m.net, "spring", "rotary_spring", DRY_NUMBERS("K", K));
    dry_net_connect(m.net, "spring", (dry_end){.port = "shaft"}, nothing); /* in any order */
    dry_net_connect(m.net, "shaft", (dry_end){.port = "disc"}, nothing);
    machine_begin(&m, "rk4", (dry_ode_options){.step = 1e-4}, NULL);
    dry_net_mode mode;
    const dry_net_question q = {.omega = 1e4};
    assert_int_equal(dry_net_stiffest(m.net, m.ode.x, &q, &mode), DRY_OK);
    assert_int_equal(mode.part, dry_net_part_find(m.net, "spring"));
    near_share(mode.per_mass.K, K / J, 1e-5); /* by differences */
    machine_end(&m);
}

/* ---- mistakes ------------------------------------------------------------------------------ */

typedef struct wrong {
    const char *kind, *word; /* of the part; `on` */
    dry_end a, b;
    const char *says;
} wrong;

#define AT(end)                                                                                    \
    { .port = end }
static const wrong mistakes[] = {
    {"motor", NULL, AT("door"), AT(NULL),
     "part: end a, door, is a hinge, which turns: the part takes m: use rotary_motor"},
    {"rotary_coulomb", NULL, AT("rail"), AT(NULL),
     "part: end a, rail, is a slider, which slides: the part takes rad: use coulomb"},
    {"spring", "length", AT("rail"), AT(NULL),
     "part: end a, rail, is a slider, which slides: leave out on = length"},
    {"rotary_motor", NULL, AT("door"), AT("leaf"),
     "part: door, a hinge, has two ends of its own, between which the part acts: name the joint as "
     "end a and leave out end b"},
    {"rotary_motor", NULL, AT(NULL), AT("door"),
     "part: door, a hinge, has two ends of its own, between which the part acts: name the joint as "
     "end a and leave out end b"},
    {"rotary_motor", NULL, AT("door.angle"), AT(NULL),
     "part: end a, door.angle: a hinge has one axis, which is called like it: say door"},
    {"rotary_motor",
     NULL,
     {.port = "door", .at = {0.1, 0.0, 0.0}},
     AT(NULL),
     "part: end a, door: a place or axes are given where the hinge itself is connected: leave them "
     "out here"},
    {"rotary_motor", NULL, AT("ball"), AT(NULL),
     "part: end a, ball, is a ball_joint, which has no axis for a part to act on: connect it to a "
     "hinge or a slider, or to bodies"},
    {"motor", NULL, AT("seam"), AT(NULL),
     "part: end a, seam, is a weld, which has no axis for a part to act on: connect it to a hinge "
     "or a slider, or to bodies"},
    {"hinge", NULL, AT("door"), AT("leaf"),
     "part: end a, door, is a hinge, which gives forces itself: put a body, or another part that "
     "moves, between the two"},
    {"rotary_motor", NULL, AT("loose"), AT(NULL),
     "loose: the port is not connected: say what it joins"},
};

static void check_mistake(const wrong *w) {
    static const char *const joints[][2] = {
        {"door", "hinge"}, {"rail", "slider"}, {"ball", "ball_joint"}, {"seam", "weld"}};
    dry_net *net = dry_net_new();
    MAKE(net, "leaf", "box", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("size", 1.0, 1.0, 1.0));
    for (int i = 0; i < 4; i++) {
        make(net, joints[i][0], joints[i][1]);
        dry_net_connect(net, joints[i][0], (dry_end){.port = "leaf"}, nothing);
    }
    if (w->a.port && strcmp(w->a.port, "loose") == 0) make(net, "loose", "hinge");
    const dry_value on = DRY_WORD("on", w->word);
    dry_net_make(net, "part", dry_kind_find(w->kind), &on, w->word != NULL);
    dry_net_connect(net, "part", w->a, w->b);
    const dry_system *system;
    dry_error error = {0};
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_string_equal(dry_net_mistake(net, 0)->text, w->says);
    assert_int_equal(dry_net_mistake_count(net), 1);
    dry_net_free(net);
}

static void test_mistakes_are_told_with_a_way_out(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) check_mistake(&mistakes[i]);
}

/* One dimension: a friction of three fits no axis. */
static void test_an_axis_has_one_dimension(void **state) {
    dry_net *net = dry_net_new();
    (void)state;
    MAKE(net, "leaf", "box", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("size", 1.0, 1.0, 1.0));
    make(net, "rail", "slider");
    dry_net_connect(net, "rail", (dry_end){.port = "leaf"}, nothing);
    MAKE(net, "rub", "coulomb", DRY_NUMBERS("dim", 3.0));
    dry_net_connect(net, "rub", (dry_end){.port = "rail"}, nothing);
    const dry_system *system;
    dry_error error = {0};
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_string_equal(
        dry_net_mistake(net, 0)->text,
        "rub: end a, rail, has 1 dimension, the port 3: make the part with dim = 1");
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_acts_between_two_bodies_changes_no_momentum),
        cmocka_unit_test(test_equations_add_to_the_force),
        cmocka_unit_test(test_a_stiff_spring_on_a_hinge_counts),
        cmocka_unit_test(test_mistakes_are_told_with_a_way_out),
        cmocka_unit_test(test_an_axis_has_one_dimension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
