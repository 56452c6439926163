/* What a force does to bodies that joints hold: by hand for a rod on a pin and for welded blocks.
 */
#include "unit.h"

#include "design/designed.h"
#include "net/net_test.h"
#include <drystone/body.h>
#include <stdio.h>

/* The system of conjugate gradients is solved to 1e-8. */
static const double CLOSE = 1e-6;

typedef struct bench {
    dry_net *net;
    const dry_system *system;
    double *x, *a;
} bench;

static void begin(bench *b) {
    dry_error error = {0};
    if (dry_net_system(b->net, &designed, &b->system, &error) != DRY_OK) fail_msg("%s", error.text);
    b->x = calloc((size_t)b->system->n_states, sizeof *b->x);
    b->a = calloc((size_t)b->system->n_states, sizeof *b->a);
    void *work = calloc(1, b->system->work_size + 1);
    const dry_env env = {.model = b->system->model, .par = b->system->par, .work = work};
    b->system->prepare(&env);
    b->system->start(&env, 0.0, b->x);
    free(work);
}

static double *rate_of(const bench *b, const char *state) {
    const int i = index_of(b->system->states, b->system->n_states, state);
    assert_in_range(i, 0, b->system->n_states - 1);
    return &b->a[i];
}

static void end(bench *b) {
    free(b->x);
    free(b->a);
    dry_net_free(b->net);
}

#define make_part(net, name, kind, ...)                                                            \
    dry_net_make(net, name, dry_kind_find(kind), (const dry_value[]){__VA_ARGS__},                 \
                 (int)(sizeof((const dry_value[]){__VA_ARGS__}) / sizeof(dry_value)))

enum { MASS = 3 };
static const double r = 0.5, J = 0.25, h = 1e-3;

/* A ball, J = 2/5 m radius^2, whose middle is r from a pin that turns about z. */
static bench pinned(double K) {
    bench b = {.net = dry_net_new()};
    make_part(b.net, "rod", "sphere", DRY_NUMBERS("mass", MASS),
              DRY_NUMBERS("radius", sqrt(2.5 * J / MASS)), DRY_NUMBERS("v", 0.0, 1.0, 0.0));
    make_part(b.net, "pin", "hinge", DRY_NUMBERS("K", K), DRY_NUMBERS("B", 0.0),
              DRY_NUMBERS("F", 1.0));
    dry_net_connect(b.net, "pin", (dry_end){.port = "rod", .at = {-r, 0.0, 0.0}}, world);
    dry_net_start(b.net, "rod.p", (const double[]){r, 0.0, 0.0}, 3);
    begin(&b);
    return b;
}

/* A moment of 1 about z: of a free body 1/J, of one on a rigid pin 1/(J + m r^2), between them by
 * the stiffness of the pin, D = h^2 K: with v of the pin, W = 1/m + r^2/J,
 *     omega_dot = 1/J - (r/J) D v,   v = (r/J)/(1 + W D) */
static void a_pin_holds_as_far_as_it_is_stiff(void **state) {
    (void)state;
    static const double stiffness[] = {1.0, 1e4, 1e6, 1e8, 1e12};
    for (size_t i = 0; i < sizeof stiffness / sizeof *stiffness; i++) {
        bench b = pinned(stiffness[i]);
        const double D = h * h * stiffness[i], W = 1.0 / MASS + r * r / J;
        *rate_of(&b, "rod.omega[3]") = 1.0 / J;
        assert_int_equal(dry_net_held(b.net, b.x, h, b.a), DRY_OK);
        near_share(*rate_of(&b, "rod.omega[3]"), 1.0 / J - r / J * D * (r / J) / (1.0 + W * D),
                   CLOSE);
        end(&b);
    }
}

static void a_stiff_pin_is_as_good_as_rigid(void **state) {
    (void)state;
    bench b = pinned(1e14);
    *rate_of(&b, "rod.omega[3]") = 1.0 / J;
    assert_int_equal(dry_net_held(b.net, b.x, h, b.a), DRY_OK);
    near_share(*rate_of(&b, "rod.omega[3]"), 1.0 / (J + MASS * r * r), CLOSE);
    near_share(*rate_of(&b, "rod.v[2]"), r / (J + MASS * r * r), CLOSE);
    near_share(*rate_of(&b, "rod.p[2]") + 1.0, 1.0, CLOSE); /* a place is no velocity */
    end(&b);
}

/* Blocks in a row, each welded to the next: a force of 1 on the first moves them all. The weld
 * behind which k of the N are carries k/N of it and gives way by that over D = h^2 K: by the work
 * of what gives way the first is faster by the sum of (k/N)^2/D, the last slower by that of
 * (k/N) (1 - k/N)/D. What is left out is 1e-5 of that. */
static void welded_blocks_are_one(void **state) {
    (void)state;
    enum { N = 12 };
    bench b = {.net = dry_net_new()};
    char name[N][8], seam[N][8];
    double first = 1.0 / (N * MASS), last = first;
    for (int i = 0; i < N; i++) {
        snprintf(name[i], sizeof *name, "b%d", i);
        make_part(b.net, name[i], "sphere", DRY_NUMBERS("mass", MASS), DRY_NUMBERS("radius", 0.1));
        if (i == 0) continue;
        snprintf(seam[i], sizeof *seam, "w%d", i);
        make_part(b.net, seam[i], "weld", DRY_NUMBERS("K", 1e12), DRY_NUMBERS("B", 0.0));
        dry_net_connect(b.net, seam[i], end_at(name[i]), end_at(name[i - 1]));
        const double share = (double)i / N, D = h * h * 1e12;
        first += share * share / D;
        last -= share * (1.0 - share) / D;
    }
    begin(&b);
    *rate_of(&b, "b0.v[3]") = 1.0 / MASS;
    assert_int_equal(dry_net_held(b.net, b.x, h, b.a), DRY_OK);
    near_share(*rate_of(&b, "b0.v[3]"), first, CLOSE);
    near_share(*rate_of(&b, "b11.v[3]"), last, CLOSE);
    end(&b);
}

/* A force of 1 on the middle of such a row goes both ways alike, and none of it is lost: what the
 * blocks are accelerated by adds up to it, however soft the welds. A row beside it stays as it is.
 */
static void what_is_pushed_in_the_middle_goes_both_ways(void **state) {
    enum { N = 41, MIDDLE = N / 2 };
    static const double stiffness[] = {1e4, 1e7, 1e10};
    (void)state;
    for (size_t k = 0; k < sizeof stiffness / sizeof *stiffness; k++) {
        bench b = {.net = dry_net_new()};
        char name[2 * N][16], seam[2 * N][16], rate[24];
        double sum = 0.0;
        for (int i = 0; i < 2 * N; i++) {
            snprintf(name[i], sizeof *name, "b%d", i);
            make_part(b.net, name[i], "sphere", DRY_NUMBERS("mass", MASS),
                      DRY_NUMBERS("radius", 0.1));
            if (i % N == 0) continue;
            snprintf(seam[i], sizeof *seam, "w%d", i);
            make_part(b.net, seam[i], "weld", DRY_NUMBERS("K", stiffness[k]),
                      DRY_NUMBERS("B", 0.0));
            dry_net_connect(b.net, seam[i], end_at(name[i]), end_at(name[i - 1]));
        }
        begin(&b);
        snprintf(rate, sizeof rate, "b%d.v[3]", MIDDLE);
        *rate_of(&b, rate) = 1.0 / MASS;
        assert_int_equal(dry_net_held(b.net, b.x, h, b.a), DRY_OK);
        for (int i = 0; i < N; i++) {
            char mirror[24], beside[24];
            snprintf(rate, sizeof rate, "b%d.v[3]", i);
            snprintf(mirror, sizeof mirror, "b%d.v[3]", N - 1 - i);
            snprintf(beside, sizeof beside, "b%d.v[3]", N + i);
            sum += MASS * *rate_of(&b, rate);
            closer(*rate_of(&b, rate), *rate_of(&b, mirror), CLOSE / MASS);
            equal(*rate_of(&b, beside), 0.0);
        }
        near_share(sum, 1.0, CLOSE);
        end(&b);
    }
}

static void without_joints_nothing_changes(void **state) {
    (void)state;
    bench b = {.net = dry_net_new()};
    make_part(b.net, "ball", "sphere", DRY_NUMBERS("mass", MASS), DRY_NUMBERS("radius", 0.1));
    begin(&b);
    *rate_of(&b, "ball.v[3]") = 0.125;
    assert_int_equal(dry_net_held(b.net, b.x, h, b.a), DRY_OK);
    equal(*rate_of(&b, "ball.v[3]"), 0.125);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pin_holds_as_far_as_it_is_stiff),
        cmocka_unit_test(a_stiff_pin_is_as_good_as_rigid), cmocka_unit_test(welded_blocks_are_one),
        cmocka_unit_test(what_is_pushed_in_the_middle_goes_both_ways),
        cmocka_unit_test(without_joints_nothing_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
