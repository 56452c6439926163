/* Arms cost as much as they have links: each further link of a kind costs the same number of basic
 * blocks, and the same room. With a matrix of inertia it would be more from link to link. */
#include "unit.h"

#include "blocks.h"
#include <drystone/body.h>
#include <stdlib.h>

enum { MOST = 400, KINDS = 4 };
static const dry_joint_kind kinds[KINDS] = {DRY_REVOLUTE, DRY_PRISMATIC, DRY_BALL, DRY_WELD};
static const double gravity[3] = {0.3, -9.8, 1.1};

typedef struct arm {
    dry_arm arm;
    dry_link links[MOST];
    double q[4 * MOST], q_dot[3 * MOST], torque[3 * MOST], out[13 * MOST];
    double *work;
} arm;

/* Links of all kinds in turn, each on the one `back` before it: a chain for 1, branches for more.
 */
static arm *arm_new(int links, int back) {
    arm *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->arm.links = a->links;
    a->arm.n_links = links;
    for (int i = 0; i < links; i++) {
        a->links[i] = (dry_link){.parent = i - back < 0 ? -1 : i - back,
                                 .kind = kinds[i % KINDS],
                                 .at = {0.1, 0.02, 0.0},
                                 .axis = {0.0, 0.6, 0.8},
                                 .mass = 1.0,
                                 .com = {0.05, 0.0, 0.01},
                                 .inertia = {0.1, 0.2, 0.25}};
        a->arm.n_joints += kinds[i % KINDS] != DRY_WELD;
    }
    for (int i = 0, k = 0; i < links; k += dry_joint_positions(kinds[i++ % KINDS]))
        if (kinds[i % KINDS] == DRY_BALL) a->q[k] = 1.0; /* a quaternion */
    for (int k = 0; k < dry_arm_speeds(&a->arm); k++) a->q_dot[k] = 0.1, a->torque[k] = 0.3;
    a->work = calloc(dry_arm_size(&a->arm), sizeof *a->work);
    assert_non_null(a->work);
    return a;
}
static void arm_free(arm *a) {
    free(a->work);
    free(a);
}

static void run_forward(arm *a) {
    dry_arm_forward(&a->arm, gravity, a->q, a->q_dot, a->torque, NULL, a->out, a->work);
}
static void run_inverse(arm *a) {
    dry_arm_inverse(&a->arm, gravity, a->q, a->q_dot, a->torque, NULL, a->out, a->work);
}
static void run_frames(arm *a) { dry_arm_frames(&a->arm, a->q, a->q_dot, a->out); }
static void run_kinetic(arm *a) { dry_arm_kinetic(&a->arm, a->q, a->q_dot, a->work); }
static void run_potential(arm *a) { dry_arm_potential(&a->arm, gravity, a->q, a->work); }

static long long cost(void (*run)(arm *a), int links, int back) {
    arm *a = arm_new(links, back);
    const long long before = blocks;
    run(a);
    const long long taken = blocks - before;
    arm_free(a);
    return taken;
}

static void links_cost_the_same(void **state) {
    static void (*const all[])(arm * a) = {run_forward, run_inverse, run_frames, run_kinetic,
                                           run_potential};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int back = 1; back <= 4; back++) {
            const long long small = cost(all[i], 40, back), middle = cost(all[i], 200, back);
            assert_true(small > 40); /* it counts */
            assert_int_equal(cost(all[i], 360, back) - middle, middle - small);
        }
}

static int room(int links) {
    arm *a = arm_new(links, 1);
    const int size = (int)dry_arm_size(&a->arm);
    arm_free(a);
    return size;
}
static void links_take_the_same_room(void **state) {
    (void)state;
    assert_int_equal(room(360) - room(200), room(200) - room(40));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_cost_the_same),
        cmocka_unit_test(links_take_the_same_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
