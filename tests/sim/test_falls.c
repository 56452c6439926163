/* A ball that falls on a floor, as parts: an adaptive method whose steps would outrun the search
 * for what may touch takes shorter ones. */
#include "unit.h"

#include <drystone/body.h>
#include <drystone/lang.h>
#include <drystone/sim.h>
#include <math.h>
#include <string.h>

#include "stiff/methods.h"

static const double K = 1e5, mass = 1.0, radius = 0.1, height = 1.1, g = 9.81;

static void put(dry_net *net, const char *name, const char *kind, const dry_value *values,
                int count) {
    dry_net_make(net, name, dry_kind_find(kind), values, count);
    dry_net_connect(net, "touch", (dry_end){.port = name}, (dry_end){0});
}

static dry_net *ball_and_floor(void) {
    const dry_value touch[] = {DRY_NUMBERS("K", K), DRY_NUMBERS("alpha", 1e-3),
                               DRY_NUMBERS("beta", 4e-3)};
    const dry_value ball[] = {DRY_NUMBERS("radius", radius), DRY_NUMBERS("mass", mass),
                              DRY_NUMBERS("p", 0.0, 0.0, height)};
    dry_net *net = dry_net_new();
    dry_net_make(net, "touch", dry_kind_find("contact"), touch, 3);
    put(net, "floor", "plane", NULL, 0);
    put(net, "ball", "sphere", ball, 3);
    dry_net_gravity(net, 0.0, 0.0, -g);
    return net;
}

static const double *column(const dry_record *record, const char *name) {
    const int index = dry_record_find(record, name);
    at_least(index, 0);
    return dry_record_values(record, index);
}

/* In free fall until sqrt(2 (height - radius)/g), and at rest K deep in the floor in the end, never
 * deeper than an impact without damping would be. Some hundred steps add up their 1e-8 on the way.
 */
static void falls(void **state) {
    const char *name = *state;
    const dry_method *method = dry_model_method_find(name);
    dry_net *net = ball_and_floor();
    const dry_system *system;
    dry_sim_result r;
    const dry_sim_options options = {
        .run = {.method = method, .until = 3.0, .record = 0.01, .rtol = 1e-8, .atol = 1e-11}};
    assert_int_equal(dry_net_system(net, NULL, &system, NULL), DRY_OK);
    assert_int_equal(dry_sim_run(system, &options, &r, NULL), DRY_OK);
    const double *t = dry_record_values(r.record, 0), *z = column(r.record, "ball.p[3]");
    const size_t rows = dry_record_rows(r.record);
    const double hit = sqrt(2.0 * (height - radius) / g);
    const double deepest = mass * g / K + sqrt(2.0 * mass * g * (height - radius) / K);
    for (size_t i = 0; i < rows; i++) {
        above(z[i], radius - deepest);
        if (t[i] < hit) closer(z[i] - height, -0.5 * g * t[i] * t[i], 1e-5);
    }
    assert_int_equal(rows, 301);
    closer(z[rows - 1] - radius, -mass * g / K, 1e-8);
    dry_record_free(r.record);
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        {"falls by dopri5", falls, NULL, NULL, (void *)(uintptr_t) "dopri5"},
        {"falls by dop853", falls, NULL, NULL, (void *)(uintptr_t) "dop853"},
        WITH_EACH_METHOD(falls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
