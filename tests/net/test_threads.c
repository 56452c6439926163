/* The same bits on 1, 2 and 8 threads, and in every build: a hash of the final state is pinned.
 * Only
 * +, -, *, / and sqrt are in these nets, which IEEE 754 rounds in one way. And: a large net costs
 * per part what a small one does, counted in allocations of its arena and in evaluations. */
#include "unit.h"

#include "counting.h"
#include "listed.h"
#include "net_test.h"
#include <stdio.h>

enum { BODIES = 600 };

/* A grid of points with springs to their neighbours, friction on each, and a few that are pushed:
 * every port kind of points, so that sums have two to seven terms. */
static dry_net *mat(int count) {
    dry_net *net = dry_net_new();
    char name[32], a[32], b[32];
    dry_net_gravity(net, 0.0, 0.1, -9.75);
    for (int i = 0; i < count; i++) {
        snprintf(a, sizeof a, "ball_%d", i);
        add_part(net, a, "point_mass", DRY_NUMBERS("mass", 0.5 + 0.001 * (i % 17)),
                 DRY_NUMBERS("p", 0.125 * (i % 32), 0.125 * (i / 32), 0.0078125 * (i % 5)));
        snprintf(name, sizeof name, "rub_%d", i);
        add_part(net, name, "coulomb", DRY_NUMBERS("F", 0.25), DRY_NUMBERS("dim", 3.0));
        dry_net_connect(net, name, end_at(a), world);
        snprintf(name, sizeof name, "bed_%d", i);
        add_part(net, name, "frictional_contact", DRY_NUMBERS("mu", 0.5), DRY_NUMBERS("K", 1e4));
        dry_net_connect(net, name, end_at(a), world);
        if (i % 7 == 0) {
            snprintf(name, sizeof name, "push_%d", i);
            add_part(net, name, "motor", DRY_NUMBERS("force", 0.5, -0.25, 0.0),
                     DRY_NUMBERS("dim", 3.0));
            dry_net_connect(net, name, end_at(a), world);
        }
        for (int far = 1; far <= 32 && far <= i; far += 31) {
            snprintf(b, sizeof b, "ball_%d", i - far);
            snprintf(name, sizeof name, "tie_%d_%d", far, i);
            add_part(net, name, "spring", DRY_NUMBERS("K", 40.0), DRY_NUMBERS("rest", 0.125),
                     DRY_WORD("on", "length"));
            dry_net_connect(net, name, end_at(a), end_at(b));
        }
    }
    return net;
}

static const dry_system *system_of(dry_net *net, const dry_net_options *options) {
    const dry_system *system;
    dry_error error = {0};
    is_ok(dry_net_system(net, options, &system, &error), &error);
    assert_non_null(system);
    return system;
}

static uint64_t hash_after(const char *method, int threads, long steps) {
    dry_net *net = mat(BODIES);
    const dry_system *system =
        system_of(net, &(dry_net_options){.threads = threads, .account = true});
    trial r = trial_begin(system, method, 0x1p-10);
    assert_int_equal(dry_ode_advance(&r.ode, 0x1p-10 * (double)steps), DRY_OK);
    const uint64_t hash = hash_of(r.ode.x, (size_t)system->n_states * sizeof(double));
    trial_end(&r);
    dry_net_free(net);
    return hash;
}

static void the_bits_do_not_depend_on_threads(void **state) {
    (void)state;
    const struct {
        const char *method;
        uint64_t pinned;
    } rows[] = {{"semi-implicit", 0xf71476be83eb37e2u}, {"rk4-tau", 0xd642b5064ee82d6bu}};
    for (int i = 0; i < 2; i++)
        for (int threads = 1; threads <= 8; threads += threads == 1 ? 1 : 6) {
            const uint64_t hash = hash_after(rows[i].method, threads, 16);
            if (hash != rows[i].pinned)
                print_error("%s on %d threads: 0x%llx\n", rows[i].method, threads,
                            (unsigned long long)hash);
            assert_int_equal(hash, rows[i].pinned);
        }
}

static void no_allocation_in_a_step(void **state) {
    (void)state;
    for (int m = 0; m < dry_method_count(); m++) {
        dry_net *net = mat(40);
        const dry_system *system = system_of(net, &(dry_net_options){.account = true});
        double *y = malloc((size_t)system->n_outputs * sizeof *y);
        trial r = trial_begin(system, dry_method_at(m)->name, 1e-3);
        const long before = allocations;
        const dry_status status = dry_ode_advance(&r.ode, 0.01);
        system->output(&r.ode.env, r.ode.t, 0.0, r.ode.x, y);
        assert_int_equal(allocations, before);
        assert_int_equal(status, DRY_OK);
        trial_end(&r);
        free(y);
        dry_net_free(net);
    }
}

/* A hundred times the parts take a hundred times the memory: no table of all pairs. */
static void large_nets_take_memory_in_proportion(void **state) {
    (void)state;
    size_t used[2], work[2];
    for (int i = 0; i < 2; i++) {
        const int count = i == 0 ? 100 : 10000;
        dry_net *net = dry_net_new();
        char name[2][32];
        for (int k = 0; k < count; k++) {
            snprintf(name[0], sizeof name[0], "block_%05d", k);
            snprintf(name[1], sizeof name[1], "floor_%05d", k);
            add_part(net, name[0], "point_mass", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("v", 1.0));
            add_part(net, name[1], "coulomb", DRY_NUMBERS("F", 1.0));
            dry_net_connect(net, name[1], end_at(name[0]), world);
        }
        const dry_system *system = system_of(net, NULL);
        used[i] = dry_arena_used(dry_net_arena(net));
        work[i] = system->work_size;
        trial r = trial_begin(system, "semi-implicit", 1e-3);
        assert_int_equal(dry_ode_advance(&r.ode, 0.003), DRY_OK);
        equal(r.ode.x[0], r.ode.x[3 * (count - 1)]);
        above(r.ode.x[0], 0.0);
        trial_end(&r);
        dry_net_free(net);
    }
    below(used[1], 110 * used[0]);
    assert_int_equal(work[1], 100 * work[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bits_do_not_depend_on_threads),
        TEST_IF(COUNTING, no_allocation_in_a_step),
        cmocka_unit_test(large_nets_take_memory_in_proportion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
