/* Mistakes are told all at once, by part and port, with the way out; and nothing is told twice. */
#include "unit.h"

#include "net_test.h"

/* The net has exactly these mistakes, in any order: each text has the words, one after the other.
 */
static bool has_words(const char *text, const char *words) {
    char copy[256];
    strcpy(copy, words);
    for (char *word = strtok(copy, "|"); word; word = strtok(NULL, "|")) {
        text = strstr(text, word);
        if (!text) return false;
    }
    return true;
}

static void expect(dry_net *net, const char *const *expected, int n) {
    const dry_system *system;
    dry_error error = {0};
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_null(system);
    assert_string_equal(error.text, dry_net_mistake(net, 0)->text);
    for (int i = 0; i < n; i++) {
        int found = 0;
        for (int k = 0; k < dry_net_mistake_count(net); k++)
            found += has_words(dry_net_mistake(net, k)->text, expected[i]);
        if (found != 1) {
            print_error("%d times: %s\n", found, expected[i]);
            for (int k = 0; k < dry_net_mistake_count(net); k++)
                print_error("    %s\n", dry_net_mistake(net, k)->text);
        }
        assert_int_equal(found, 1);
    }
    assert_int_equal(dry_net_mistake_count(net), n);
    assert_null(dry_net_mistake(net, n));
    dry_net_free(net);
}
#define EXPECT(net, ...)                                                                           \
    expect(net, (const char *const[]){__VA_ARGS__},                                                \
           (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

static dry_net *bodies(void) {
    dry_net *net = dry_net_new();
    add_part(net, "ball", "point_mass", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("dim", 3.0));
    add_part(net, "car", "point_mass", DRY_NUMBERS("mass", 1.0));
    add_part(net, "wheel", "rotor", DRY_NUMBERS("inertia", 1.0));
    add_part(net, "hand", "moving_frame", DRY_NUMBERS("v", 1.0, 0.0, 0.0));
    return net;
}

static void mistakes_are_values(void **state) {
    (void)state;
    const dry_system *system;
    dry_error error = {0};
    dry_net *net = bodies();
    add_part(net, "light", "point_mass", DRY_NUMBERS("mass", -1.0));
    const dry_mistake *made = dry_net_mistake(net, 0);
    assert_string_equal(made->name, "light");
    assert_string_equal(made->key, "mass");
    add_part(net, "alone", "damper", DRY_NUMBERS("D", 1.0));
    dry_net_connect(net, "alone", end_at("car"), world);
    add_part(net, "twice", "damper", DRY_NUMBERS("D", 1.0));
    dry_net_connect(net, "twice", end_at("wheel"), world);
    dry_net_start(net, "nobody.v", (const double[]){1.0}, 1);
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    const dry_mistake *wired = dry_net_mistake(net, 1), *started = dry_net_mistake(net, 2);
    assert_int_equal(wired->about, DRY_ABOUT_CONNECTION);
    assert_int_equal(wired->number, 1);
    assert_string_equal(wired->name, "twice");
    assert_string_equal(wired->end, "wheel");
    assert_string_equal(wired->what, "end a, wheel, is in rad, the port in m");
    assert_string_equal(wired->way_out, "use a part for coordinates in rad");
    assert_false(wired->unknown);
    assert_int_equal(started->about, DRY_ABOUT_START);
    assert_int_equal(started->number, 0);
    assert_string_equal(started->name, "nobody.v");
    assert_true(started->unknown);
    dry_net_free(net);
}

/* The same by index: a member that the part lacks, a part that nobody has, an end given twice. */
static void members_are_told_by_their_names(void **state) {
    (void)state;
    dry_net *net = bodies();
    add_part(net, "lost", "damper", DRY_NUMBERS("D", 1.0));
    add_part(net, "late", "damper", DRY_NUMBERS("D", 1.0));
    add_part(net, "both", "damper", DRY_NUMBERS("D", 1.0));
    const int car = dry_net_part_find(net, "car"), lost = dry_net_part_find(net, "lost");
    const dry_member tip = {car, "tip"}, nobody = {-1, "cart[3].tip"}, other = {-1, "van"},
                     far = {1000, "far"};
    const dry_member on_car = {car, NULL};
    assert_int_equal(car, 1);
    assert_int_equal(dry_net_part_find(net, "cart"), -1);
    dry_net_connect_member(net, (dry_member){lost, NULL}, (dry_end){.member = &tip}, world);
    dry_net_connect_member(net, nobody, (dry_end){.member = &on_car}, world);
    dry_net_connect_member(net, (dry_member){lost, "side"}, (dry_end){.member = &on_car}, world);
    dry_net_connect_member(net, (dry_member){lost + 1, ""}, (dry_end){.member = &other}, world);
    dry_net_connect(net, "both", (dry_end){.port = "car", .member = &on_car}, world);
    dry_net_start_member(net, (dry_member){car, "v"}, 1, (const double[]){1.0}, 1);
    dry_net_start_member(net, (dry_member){car, "v"}, -1, (const double[]){1.0}, 1);
    dry_net_start_member(net, (dry_member){car, "u"}, 0, (const double[]){1.0}, 1);
    dry_net_start_member(net, far, 0, (const double[]){1.0}, 1);
    EXPECT(net, "lost: |end a, car.tip: |car has no such port",
           "cart[3].tip: |there is no such part", "lost.side: |lost has no such port",
           "late: |end a, van: there is no such part", "car: |an end is given twice",
           "car.v: |no number 2 of this state|it has 1", "car.v: |no number 0 of this state",
           "far: |there is no such part", "car.u: |there is no such state");
}

static void wiring_mistakes_are_told_at_once(void **state) {
    (void)state;
    dry_net *net = bodies();
    add_part(net, "coil", "spring", DRY_NUMBERS("K", 1.0));
    add_part(net, "free", "spring", DRY_NUMBERS("K", 1.0));
    add_part(net, "wide", "spring", DRY_NUMBERS("K", 1.0), DRY_NUMBERS("dim", 2.0));
    add_part(net, "twice", "damper", DRY_NUMBERS("D", 1.0));
    add_part(net, "lost", "damper", DRY_NUMBERS("D", 1.0));
    add_part(net, "loop", "damper", DRY_NUMBERS("D", 1.0));
    add_part(net, "still", "damper", DRY_NUMBERS("D", 1.0));
    add_part(net, "idle", "damper", DRY_NUMBERS("D", 1.0));
    add_part(net, "flat", "unilateral", DRY_WORD("on", "surface"));
    add_part(net, "rod", "spring", DRY_NUMBERS("K", 1.0), DRY_WORD("on", "length"));
    add_part(net, "held", "spring", DRY_NUMBERS("K", 1.0));
    add_part(net, "bent", "spring", DRY_NUMBERS("K", 1.0), DRY_WORD("on", "length"));
    add_part(net, "rub", "patch", DRY_NUMBERS("F", 1.0));
    add_part(net, "rub2", "ellipsoid", DRY_NUMBERS("dim", 2.0));
    dry_net_connect(net, "rub", end_at("hand"), world);
    dry_net_connect(net, "rub2", end_at("ball"), world);
    dry_net_connect(net, "coil", end_at("wheel"), world);
    dry_net_connect(net, "wide", end_at("ball"), world);
    dry_net_connect(net, "twice", end_at("car"), world);
    dry_net_connect(net, "twice", end_at("car"), world);
    dry_net_connect(net, "lost", end_at("cart"), world);
    dry_net_connect(net, "loop", end_at("coil"), end_at("car.q"));
    dry_net_connect(net, "still", world, world);
    dry_net_connect(net, "idle", end_at("car"), end_at("car"));
    dry_net_connect(net, "flat", end_at("ball"), end_at("ball"));
    dry_net_connect(net, "rod", end_at("wheel"), world);
    dry_net_connect(net, "held", end_at("hand"), world);
    dry_net_connect(net, "bent", (dry_end){.port = "hand", .turn = {1.0, 1.0, 0.0, 0.0}},
                    (dry_end){.at = {NAN, 0.0, 0.0}});
    dry_net_connect(net, "ball", end_at("car"), world);
    dry_net_connect(net, "nobody", end_at("car"), world);
    EXPECT(net,
           "rub: end a, hand, is a frame|dimension 1 in m: say on = frame and give the radius of "
           "the area",
           "rub2: end a, ball, has 3 dimensions, the port 2: connect it to a frame",
           "coil: |end a, wheel, is in rad, the port in m", "free: the port is not connected",
           "wide: |end a, ball, has 3 dimensions, the port 2|dim = 3",
           "twice: the port is connected twice", "lost: end a, cart: there is no such part",
           "loop: end a, coil, is a spring, which gives forces itself",
           "loop: end b, car.q|no such port: it has one alone", "still: both ends are the world",
           "idle: both ends are on car", "flat: end b, ball, is a coordinate|takes a frame",
           "rod: end a, wheel, is in rad: a length takes points",
           "held: end a, hand, is a frame|dimension 1 in m: give the part dim = 3|on = length",
           "bent: end a, hand: `turn`", "bent: end b, the world: `at` is not finite",
           "ball: |belongs to a part that gives forces", "nobody: there is no such part");
}

static void names_parameters_and_states(void **state) {
    (void)state;
    dry_net *net = bodies();
    const double one[] = {1.0, 1.0, 1.0, 1.0}, bad[] = {NAN};
    add_part(net, "car", "rotor", DRY_NUMBERS("inertia", 1.0));
    add_part(net, "2nd", "rotor", DRY_NUMBERS("inertia", 1.0));
    add_part(net, "ball[3]", "rotor", DRY_NUMBERS("inertia", 1.0)); /* a good name */
    dry_net_set(net, "ball.weight", one, 1);
    dry_net_set(net, "ball.mass", bad, 1);
    dry_net_set(net, "bell.mass", one, 1);
    dry_net_start(net, "ball.v", one, 4);
    dry_net_start(net, "ball.p[3]", one, 4); /* goes on into v */
    dry_net_start(net, "ball.q", one, 1);
    dry_net_start(net, "wheel.v", bad, 1);
    dry_net_gravity(net, 0.0, INFINITY, 0.0);
    EXPECT(net, "car: two parts have this name", "2nd: a part's name",
           "ball.weight: there is no such parameter: it has mass, p0[1]",
           "ball.mass: number 1 is not finite", "bell.mass: there is no such part",
           "ball.v: 4 numbers are given|it has 3", "ball.q: there is no such state: it has p[1]",
           "wheel.v: number 1 is not finite", "gravity: component 2");
}

static void values_of_kinds(void **state) {
    (void)state;
    dry_net *net = dry_net_new();
    add_part(net, "a", "point_mass", DRY_NUMBERS("mass", -1.0), DRY_NUMBERS("weight", 2.0));
    add_part(net, "b", "point_mass", DRY_NUMBERS("p", 0.0, 0.0, 0.0, 0.0));
    add_part(net, "c", "point_mass", DRY_WORD("mass", "heavy"));
    add_part(net, "d", "point_mass", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("mass", 1.0));
    add_part(net, "e", "spring", DRY_NUMBERS("K", 1.0), DRY_WORD("on", "floor"));
    add_part(net, "f", "coulomb", DRY_NUMBERS("F", 1.0), DRY_NUMBERS("dim", 4.0));
    add_part(net, "g", "multistate", DRY_NUMBERS("N", 3.0), DRY_NUMBERS("kappa", 1.0, 2.0));
    add_part(net, "h", "stop", DRY_NUMBERS("lower", 1.0), DRY_NUMBERS("upper", 0.0));
    add_part(net, "i", "spring", DRY_NUMBERS("at", 0.0, 1.0, 0.5),
             DRY_NUMBERS("force", 0.0, 1.0, 2.0));
    add_part(net, "j", "gms", DRY_NUMBERS("N", 2.5));
    add_part(net, "k", "unilateral", DRY_NUMBERS("alpha", 1.0));
    add_part(net, "l", "point_mass", DRY_NUMBERS("mass", INFINITY));
    add_part(net, "m", "point_mass", DRY_NUMBERS("mass", 1.0), DRY_NUMBERS("p", 1.0, 2.0),
             DRY_NUMBERS("v", 1.0, 2.0, 3.0));
    add_part(net, "n", "moving_frame", DRY_NUMBERS("v", 1.0));
    add_part(net, "o", "motor", DRY_NUMBERS("force", 0.0, 1.0));
    add_part(net, "p", "motor", DRY_NUMBERS("from", 2.0), DRY_NUMBERS("until", 2.0));
    add_part(net, "q", "moving_frame", DRY_NUMBERS("q", 1.0, 1.0, 0.0, 0.0));
    add_part(net, "r", "spring", DRY_NUMBERS("rest", 1.0), DRY_NUMBERS("at", 0.0, 1.0),
             DRY_NUMBERS("force", 0.0, 1.0));
    add_part(net, "s", "patch", DRY_WORD("on", "frame"));
    add_part(net, "t", "patch", DRY_NUMBERS("radius", 1.0));
    add_part(net, "u", "ellipsoid", DRY_WORD("on", "frame"), DRY_NUMBERS("radius", 1.0),
             DRY_NUMBERS("dim", 3.0));
    add_part(net, "w", "coulomb", DRY_WORD("on", "frame"));
    add_part(net, "w2", "elliptic", DRY_WORD("on", "frame"));
    add_part(net, "x", "patch", DRY_NUMBERS("dim", 3.0));
    add_part(net, "y", "ellipsoid", DRY_NUMBERS("dim", 3.0));
    dry_net_connect(net, "e", end_at("a"), end_at("b")); /* of what is broken nothing is said */
    EXPECT(
        net, "a: mass must be positive, not -1", "a: a point_mass has no weight: it takes mass",
        "b: p takes 1 to 3 numbers, not 4", "b: a point_mass needs mass: mass",
        "c: mass is a number, not a word", "d: mass is said twice",
        "e: on is coordinate or length, not floor", "f: dim is 1, 2 or 3",
        "g: kappa has 2 values for 3 elements", "h: lower must lie below upper",
        "i: at and force are two lists", "j: N is a whole number",
        "k: ", "l: mass must be a finite", "m: p has 2 numbers, and there are 3 dimensions",
        "n: v takes 3 numbers, not 1", "o: force has 2 numbers, and there is 1 dimension",
        "p: from does not lie before until", "q: the quaternion q has the length 1.41421",
        "r: rest has no part in a spring by a table",
        "s: a patch on a frame needs the radius of its area",
        "t: the radius is for a patch on a frame",
        "u: an area on a frame slips in two directions and spins",
        "w: a coulomb cannot act on frame: on is coordinate or length",
        "w2: an elliptic cannot act on frame: on is coordinate or length",
        "x: of a coordinate of dimension 3 the third speed is not a spin: for the area of a frame, "
        "say on = frame and give its radius",
        "y: of a coordinate of dimension 3 the third speed is not a spin");
}

static void an_own_part_that_is_wrong(void **state) {
    (void)state;
    static const dry_port ports[] = {{.name = "x", .unit = "mm", .dim = 4, .kind = DRY_COORDINATE},
                                     {.name = "y", .unit = "", .kind = DRY_SURFACE}};
    static const dry_quantity names[] = {{"s", ""}};
    static const dry_part nothing = {.kind = "nothing", .side = DRY_IMPEDANCE};
    static const dry_part body = {.kind = "body",
                                  .side = DRY_ADMITTANCE,
                                  .n_ports = 2,
                                  .ports = ports,
                                  .n_states = 1,
                                  .states = names};
    dry_net *net = dry_net_new();
    dry_net_add(net, "a", &nothing);
    dry_net_add(net, "b", &body);
    EXPECT(net, "a: |has no eval", "a: |without ports", "b: |has no eval",
           "b.x: |1 to 3 dimensions", "b.x: |not \"mm\"", "b.y: |only coordinates and frames");
}

static void an_empty_net_and_one_that_is_fixed(void **state) {
    (void)state;
    EXPECT(dry_net_new(), "the net has no parts");
    dry_net *net = bodies();
    const dry_system *system;
    dry_error error;
    is_ok(dry_net_system(net, NULL, &system, &error), &error);
    dry_net_gravity(net, 0.0, 0.0, 1.0);
    assert_int_equal(dry_net_system(net, NULL, &system, &error), DRY_BAD_MODEL);
    assert_true(has_words(error.text, "gravity: the net is a system already"));
    dry_net_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_values),
        cmocka_unit_test(members_are_told_by_their_names),
        cmocka_unit_test(wiring_mistakes_are_told_at_once),
        cmocka_unit_test(names_parameters_and_states),
        cmocka_unit_test(values_of_kinds),
        cmocka_unit_test(an_own_part_that_is_wrong),
        cmocka_unit_test(an_empty_net_and_one_that_is_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
