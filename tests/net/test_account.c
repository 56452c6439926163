/* The energy account: it closes to the order of the method, adds up by hand, and names the law that
 * creates energy. */
#include "unit.h"

#include "net_test.h"
#include <drystone/design.h>

static dry_account account_of(dry_net *net, const char *method, double step, double until) {
    const dry_system *system;
    dry_error error = {0};
    dry_account account;
    is_ok(dry_net_system(net, &(dry_net_options){.account = true, .choose = dry_design_net},
                         &system, &error),
          &error);
    dry_record *record = record_of(system, method, step, until, 20);
    is_ok(dry_net_account(net, record, &account, &error), &error);
    dry_record_free(record);
    return account;
}

static const dry_account_row *row_of(const dry_account *account, const char *part) {
    for (int i = 0; i < account->count; i++)
        if (strcmp(account->rows[i].part, part) == 0) return &account->rows[i];
    return NULL;
}

/* Smooth: points and frames with lever arms, a base that shakes, a motor, gravity, damping; ports
 * of all the kinds that an impedance part of this room has. */
static dry_net *smooth_net(void) {
    dry_net *net = dry_net_new();
    dry_net_gravity(net, 0.0, 0.0, -9.8);
    add_part(net, "base", "moving_frame", DRY_NUMBERS("amplitude", 0.02, 0.0, 0.01),
             DRY_NUMBERS("w", 9.0), DRY_NUMBERS("omega", 0.3, -0.5, 1.0));
    add_part(net, "one", "point_mass", DRY_NUMBERS("mass", 0.7), DRY_NUMBERS("p", 0.2, 0.3, -0.4));
    add_part(net, "two", "point_mass", DRY_NUMBERS("mass", 0.4), DRY_NUMBERS("p", 0.5, 0.0, -0.5),
             DRY_NUMBERS("v", 0.1, 0.0, 0.0));
    add_part(net, "rod", "spring", DRY_NUMBERS("K", 90.0), DRY_NUMBERS("rest", 0.4),
             DRY_NUMBERS("K3", 500.0), DRY_WORD("on", "length"));
    add_part(net, "oil", "damper", DRY_NUMBERS("D", 0.8), DRY_WORD("on", "length"));
    add_part(net, "bush", "spring", DRY_NUMBERS("K", 60.0), DRY_NUMBERS("dim", 3.0));
    add_part(net, "drag", "viscous", DRY_NUMBERS("D", 0.2), DRY_NUMBERS("dim", 3.0));
    add_part(net, "push", "motor", DRY_NUMBERS("amplitude", 1.0, 0.5, 0.0), DRY_NUMBERS("w", 5.0),
             DRY_NUMBERS("dim", 3.0));
    const dry_end corner = {.port = "base", .at = {0.1, -0.2, 0.05}};
    dry_net_connect(net, "rod", end_at("one"), corner);
    dry_net_connect(net, "oil", corner, end_at("two"));
    dry_net_connect(net, "bush", end_at("one"), end_at("two"));
    dry_net_connect(net, "drag", end_at("two"), world);
    dry_net_connect(net, "push", end_at("one"), end_at("two"));
    return net;
}

static double error_of(const char *method, double step) {
    dry_net *net = smooth_net();
    dry_account account = account_of(net, method, step, 1.0);
    const double error = account.error;
    /* what moved is much more than what is missing */
    above(fabs(row_of(&account, "base")->work), 0.01);
    above(fabs(row_of(&account, "push")->work), 0.01);
    above(row_of(&account, "oil")->dissipated, 0.01);
    dry_account_free(&account);
    dry_net_free(net);
    return fabs(error);
}

static void it_closes_to_the_order_of_the_method(void **state) {
    (void)state;
    const struct {
        const char *method;
        double step, ratio, least;
    } rows[] = {{"euler", 1e-3, 2.0, 1e-5},
                {"semi-implicit", 1e-3, 2.0, 1e-6},
                {"heun", 2e-3, 4.0, 1e-7},
                {"rk4", 4e-3, 16.0, 1e-11}};
    for (int i = 0; i < 4; i++) {
        const double coarse = error_of(rows[i].method, rows[i].step);
        const double fine = error_of(rows[i].method, 0.5 * rows[i].step);
        above(fine, rows[i].least); /* far above rounding */
        /* the next order of the step is some per cent of it; some methods keep energy better */
        above(coarse / fine, 0.9 * rows[i].ratio);
    }
}

/* A block thrown on a rough floor stops: friction has taken what it had. */
static void friction_takes_what_the_block_had(void **state) {
    (void)state;
    dry_net *net = dry_net_new();
    add_part(net, "block", "point_mass", DRY_NUMBERS("mass", 2.0), DRY_NUMBERS("v", 1.0));
    add_part(net, "floor", "coulomb", DRY_NUMBERS("F", 4.0), DRY_NUMBERS("beta", 0.02));
    dry_net_connect(net, "floor", end_at("block"), world);
    dry_account account = account_of(net, "rk4", 1e-4, 2.0);
    const dry_account_row *block = row_of(&account, "block"), *ground = row_of(&account, "floor");
    equal(block->kinetic[0], 1.0);
    below(block->kinetic[1], 1e-12);
    closer(ground->dissipated, 1.0, 1e-6);
    at_least(ground->least, 0.0);
    closer(account.before, 1.0, 1e-15);
    closer(account.dissipated, 1.0, 1e-6);
    equal(account.supplied, 0.0);
    dry_account_free(&account);
    dry_net_free(net);
}

/* A conveyor with velocity u drags a block of mass m from rest: it supplies m u^2, half of which
 * moves the block, half of which is lost. */
static void the_conveyor_supplies_twice_what_the_block_gets(void **state) {
    (void)state;
    const double m = 1.5, u = 0.8;
    dry_net *net = dry_net_new();
    add_part(net, "belt", "motion", DRY_NUMBERS("v", u));
    add_part(net, "block", "point_mass", DRY_NUMBERS("mass", m));
    add_part(net, "rub", "coulomb", DRY_NUMBERS("F", 3.0), DRY_NUMBERS("beta", 0.02));
    dry_net_connect(net, "rub", end_at("block"), end_at("belt"));
    dry_account account = account_of(net, "rk4", 1e-4, 2.0);
    closer(account.supplied, m * u * u, 1e-5);
    closer(account.dissipated, 0.5 * m * u * u, 1e-5);
    closer(row_of(&account, "block")->kinetic[1], 0.5 * m * u * u, 1e-9);
    closer(account.error, 0.0, 1e-5);
    dry_account_free(&account);
    dry_net_free(net);
}

/* A ball bounces on a belt, in steps of first order that are far too long to be right. What the
 * forces gave to it is what it got, to the last digit; the balance is off by what gravity's
 * potential is, which changes with p1 - p0 = h v1 where the work has (v0 + v1)/2: that adds up to
 * m g h (v_end - v_start)/2. */
static void steps_of_first_order_miss_no_work(void **state) {
    (void)state;
    const double m = 0.5, g = 9.75, h = 2e-3;
    dry_net *net = dry_net_new();
    dry_net_gravity(net, 0.0, 0.0, -g);
    add_part(net, "belt", "moving_frame", DRY_NUMBERS("v", 0.3, 0.0, 0.0));
    add_part(net, "ball", "point_mass", DRY_NUMBERS("mass", m), DRY_NUMBERS("p", 0.0, 0.0, 0.1),
             DRY_NUMBERS("v", 0.7, 0.1, 0.0));
    add_part(net, "floor", "frictional_contact", DRY_NUMBERS("K", 2e4), DRY_NUMBERS("mu", 0.4),
             DRY_NUMBERS("beta", 5e-3), DRY_NUMBERS("alpha", 2e-3));
    dry_net_connect(net, "floor", end_at("ball"), end_at("belt"));
    const dry_system *system;
    dry_error error;
    dry_account account;
    const dry_net_options options = {.account = true};
    is_ok(dry_net_system(net, &options, &system, &error), &error);
    assert_non_null(system);
    dry_record *record = record_of(system, "semi-implicit", h, 0.4, 20);
    is_ok(dry_net_account(net, record, &account, &error), &error);
    const double *v = dry_record_values(record, dry_record_find(record, "ball.v[3]"));
    above(account.dissipated, 0.4);
    below(account.supplied, -0.05);
    equal(v[0], 0.0);
    const double expected = 0.5 * m * g * h * v[dry_record_rows(record) - 1];
    closer(account.error, expected, 1e-13);
    dry_account_free(&account);
    dry_record_free(record);
    dry_net_free(net);
}

/* A damper of the wrong sign. */
static void a_law_that_creates_energy_is_named(void **state) {
    (void)state;
    dry_net *net = smooth_net();
    add_part(net, "bad", "damper", DRY_NUMBERS("D", -0.5));
    add_part(net, "third", "point_mass", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("v", 0.3));
    dry_net_connect(net, "bad", end_at("third"), world);
    dry_account account = account_of(net, "rk4", 1e-3, 1.0);
    const dry_account_row *culprit = dry_account_culprit(&account, 1e-3);
    assert_non_null(culprit);
    assert_string_equal(culprit->part, "bad");
    assert_string_equal(culprit->kind, "damper");
    /* v = v0 exp(t/2): it has given m v0^2 (e - 1)/2 */
    closer(culprit->dissipated, -0.5 * 0.09 * (exp(1.0) - 1.0), 1e-9);
    equal(culprit->least, culprit->dissipated);
    dry_account_free(&account);
    dry_net_free(net);
}

/* Within an impact that lasts 12 steps of first order the stretch is ahead of the work by a tenth
 * of the energy; nothing is created by that, for nothing of it is given back. */
static void an_impact_in_long_steps_creates_nothing(void **state) {
    (void)state;
    dry_net *net = dry_net_new();
    add_part(net, "cart", "point_mass", DRY_NUMBERS("mass", 2.0), DRY_NUMBERS("v", 1.0));
    add_part(net, "ends", "stop", DRY_NUMBERS("lower", -1.0), DRY_NUMBERS("upper", 0.1),
             DRY_NUMBERS("restitution", 0.9));
    dry_net_connect(net, "ends", end_at("cart"), world);
    dry_account account = account_of(net, "semi-implicit", 1e-3, 0.3);
    const dry_account_row *ends = row_of(&account, "ends");
    between(ends->dissipated, 0.05, 0.3); /* (1 - e^2) 1 J, e near 0.9 */
    assert_null(dry_account_culprit(&account, 1e-3));
    dry_account_free(&account);
    dry_net_free(net);
}

/* A mass that falls on a spring and comes back begins and ends with nothing: in between, at 2 m g/K
 * below, the spring holds 2 (m g)^2/K. */
static void what_was_on_the_way_is_the_peak(void **state) {
    (void)state;
    const double m = 0.5, g = 8.0, K = 50.0, T = 2.0 * 3.14159265358979323846 * sqrt(m / K);
    dry_net *net = dry_net_new();
    dry_net_gravity(net, -g, 0.0, 0.0);
    add_part(net, "mass", "point_mass", DRY_NUMBERS("mass", m));
    add_part(net, "coil", "spring", DRY_NUMBERS("K", K));
    dry_net_connect(net, "coil", end_at("mass"), world);
    dry_account account = account_of(net, "rk4", T / 400.0, T);
    const double most = 2.0 * m * g * m * g / K;
    equal(account.before, 0.0);
    closer(account.after, 0.0, 1e-6 * most);
    closer(account.peak, most, 1e-6 * most);
    dry_account_free(&account);
    dry_net_free(net);
}

/* Names may be as long as one likes. */
static void long_names_have_their_rows(void **state) {
    (void)state;
    char block[600], floor[600];
    memset(block, 'b', sizeof block);
    memset(floor, 'f', sizeof floor);
    block[sizeof block - 1] = floor[sizeof floor - 1] = '\0';
    dry_net *net = dry_net_new();
    add_part(net, block, "point_mass", DRY_NUMBERS("mass", 2.0), DRY_NUMBERS("v", 1.0));
    add_part(net, floor, "coulomb", DRY_NUMBERS("F", 4.0), DRY_NUMBERS("beta", 0.02));
    dry_net_connect(net, floor, end_at(block), world);
    dry_account account = account_of(net, "rk4", 1e-4, 2.0);
    equal(row_of(&account, block)->kinetic[0], 1.0);
    closer(row_of(&account, floor)->dissipated, 1.0, 1e-6);
    dry_account_free(&account);
    dry_net_free(net);
}

/* Of another net, and of one that keeps none. */
static void a_record_of_another_net_is_told(void **state) {
    (void)state;
    dry_net *net = smooth_net(), *other = dry_net_new();
    const dry_system *system;
    dry_error error = {0};
    dry_account account;
    add_part(other, "block", "point_mass", DRY_NUMBERS("mass", 2.0));
    const dry_net_options options = {.account = true};
    is_ok(dry_net_system(net, &options, &system, &error), &error);
    is_ok(dry_net_system(other, &options, &system, &error), &error);
    dry_record *record = record_of(system, "rk4", 1e-2, 0.1, 2);
    assert_int_equal(dry_net_account(net, record, &account, &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "no column base.work"));
    assert_null(account.rows);
    dry_record_free(record);
    dry_net_free(net);
    dry_net_free(other);
}

static void a_record_without_the_account_is_told(void **state) {
    (void)state;
    dry_net *net = smooth_net();
    const dry_system *system;
    dry_error error = {0};
    dry_account account;
    is_ok(dry_net_system(net, NULL, &system, &error), &error);
    dry_record *record = record_of(system, "rk4", 1e-2, 0.1, 2);
    assert_int_equal(dry_net_account(net, record, &account, &error), DRY_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "account"));
    assert_null(account.rows);
    dry_record_free(record);
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_closes_to_the_order_of_the_method),
        cmocka_unit_test(friction_takes_what_the_block_had),
        cmocka_unit_test(the_conveyor_supplies_twice_what_the_block_gets),
        cmocka_unit_test(steps_of_first_order_miss_no_work),
        cmocka_unit_test(a_law_that_creates_energy_is_named),
        cmocka_unit_test(an_impact_in_long_steps_creates_nothing),
        cmocka_unit_test(what_was_on_the_way_is_the_peak),
        cmocka_unit_test(long_names_have_their_rows),
        cmocka_unit_test(a_record_of_another_net_is_told),
        cmocka_unit_test(a_record_without_the_account_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
