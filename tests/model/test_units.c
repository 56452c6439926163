/* Units as they are shown: those that the text declares, in SI, where the dimension alone would
 * forget what an angle, a frequency or an energy is. */
#include "unit.h"

#include "syntax/dim.h"
#include <drystone/model.h>
#include <stdlib.h>
#include <string.h>

static void units_in_si(void **state) {
    (void)state;
    static const struct {
        const char *written, *si; /* NULL: the dimension says it all */
    } row[] = {
        {"rad", "rad"},
        {"deg", "rad"},
        {"mrad", "rad"},
        {"rev/min", "rad/s"},
        {"rpm", "rad/s"},
        {"rad/s", "rad/s"},
        {"deg/s^2", "rad/s^2"},
        {"Hz", "Hz"},
        {"kHz", "Hz"},
        {"kJ", "J"},
        {"N*m/rad", "N m/rad"},
        {"N mm/deg", "N m/rad"},
        {"kg·m²/rad", "kg m^2/rad"},
        {"1/rad", "1/rad"},
        {"J/mm", "J/m"},
        {"s^-1 rad", "1/s rad"},
        {"m", NULL},
        {"N m", NULL},
        {"1/s", NULL},
        {"%", NULL},
        {"1", NULL},
        {"1/rpm", NULL},
        {"fathom", NULL},
        {"rad/furlong", NULL},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char si[DRY_DIM_TEXT];
        const bool known = dry_unit_si(row[i].written, si);
        if (known != (row[i].si != NULL)) fail_msg("%s: %s", row[i].written, known ? si : "none");
        if (known) assert_string_equal(si, row[i].si);
    }
}

/* A text of any length stays in its place. */
static void long_units(void **state) {
    (void)state;
    char written[1024] = "rad", si[DRY_DIM_TEXT];
    while (strlen(written) < sizeof written - 8) strcat(written, " rad^2");
    assert_false(dry_unit_si(written, si));
    below(strlen(si), DRY_DIM_TEXT);
}

static const char text[] =
    "param w0 = 30 [rpm], fr = 2 [Hz], E0 = 3 [J], k = 2 [N*m/rad], free = 0.5, M = 1 [kg]\n"
    "state phi = -30 [deg], w = 1 [rad/s], x[2] = 1 [mrad], y = [0 [rad], 0 [rad]], s = 1 [mm]\n"
    "state u = w0 + 1 [rad/s], n = w0 + fr\nu' = 0\nn' = 0\n"
    "phi' = w\n1 [kg*m^2]*w' = -k*phi\nx[1]' = 0*fr\nx[2]' = w0\ny' = [w, w]\ns' = 0 [m/s]\n"
    "rel = phi - x[1]\nshifted = abs(phi) + 1 [rad]\nslow = w - fr\ntwice = s + s\n"
    "run until = 1 [s], step = 1 [ms]\n"
    "measure top = max(w)\nmeasure turn = integral(w)\nmeasure when = first(phi > 0)\n"
    "measure span = max(phi) - min(phi)\n";

static void expect_unit(const dry_quantity *list, int n, const char *name, const char *unit) {
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i].name, name)) {
            if (strcmp(list[i].unit, unit) != 0)
                fail_msg("%s [%s], should be [%s]", name, list[i].unit, unit);
            return;
        }
    fail_msg("there is no %s", name);
}

static void units_of_a_model(void **state) {
    (void)state;
    static const dry_quantity states[] = {{"phi", "rad"},  {"w", "rad/s"}, {"x[2]", "rad"},
                                          {"y[2]", "rad"}, {"s", "m"},     {"u", "rad/s"},
                                          {"n", "1/s"}};
    static const dry_quantity params[] = {{"w0", "rad/s"},  {"fr", "Hz"}, {"E0", "J"},
                                          {"k", "N m/rad"}, {"free", ""}, {"M", "kg"}};
    /* slow mixes rad/s and Hz: only the dimension is left */
    static const dry_quantity outputs[] = {
        {"rel", "rad"}, {"shifted", "rad"}, {"slow", "1/s"}, {"twice", "m"}};
    static const char *const measures[] = {"rad/s", "", "s", "rad"};
    dry_model *model = dry_model_compile("units.dry", text, strlen(text), NULL);
    assert_true(dry_model_ok(model));
    const dry_system *system = dry_model_system(model);
    for (int i = 0; i < 7; i++)
        expect_unit(system->states, system->n_states, states[i].name, states[i].unit);
    for (int i = 0; i < 6; i++)
        expect_unit(system->params, system->n_par, params[i].name, params[i].unit);
    for (int i = 0; i < 4; i++)
        expect_unit(system->outputs, system->n_outputs, outputs[i].name, outputs[i].unit);
    for (int i = 0; i < 4; i++)
        assert_string_equal(dry_model_measure_at(model, i).unit, measures[i]);
    dry_model_free(model);
}

/* Work is in J, whoever does it. */
static void work_is_energy(void **state) {
    (void)state;
    static const char pushed[] = "part load = point_mass(mass = 2 [kg], dim = 1)\n"
                                 "part s = spring(K = 100 [N/m])\nconnect s - load\n"
                                 "load.f += 1 [N]\nrun until = 1 [s], step = 1 [ms]\n";
    dry_model *model = dry_model_compile("pushed.dry", pushed, strlen(pushed), NULL);
    assert_true(dry_model_ok(model));
    const dry_system *system = dry_model_system(model);
    expect_unit(system->states, system->n_states, "equations.work", "J");
    expect_unit(system->states, system->n_states, "s.work", "J");
    dry_model_free(model);
}

/* Quantities of parts are in the part's units: in measures, in what is named, and in what is drawn.
 */
static void parts_tell_their_units(void **state) {
    (void)state;
    static const char text_of_door[] =
        "part door = box(size = [0.9, 0.04, 2] [m], mass = 20 [kg], p = [0.45, 0, 0] [m])\n"
        "part pin = hinge()\nconnect pin - door at [-0.45, 0, 0] [m] - world\n"
        "part wheel = rotor(inertia = 1 [kg m^2])\n"
        "energy = door.kinetic + wheel.kinetic\nspin = door.omega[3] - wheel.v\n"
        "run until = 1 [s], step = 0.1 [ms]\n"
        "measure turned = final(pin.angle)\nmeasure most = max(door.kinetic)\n"
        "measure fast = max(abs(wheel.v))\nmeasure far = final(wheel.p)\n"
        "measure load = max(pin.m[1])\nmeasure speed = final(door.v[1])\n";
    static const char *const measures[] = {"rad", "J", "rad/s", "rad", "N m", "m/s"};
    dry_model *model = dry_model_compile("door.dry", text_of_door, strlen(text_of_door), NULL);
    assert_true(dry_model_ok(model));
    const dry_system *system = dry_model_system(model);
    expect_unit(system->outputs, system->n_outputs, "energy", "J");
    expect_unit(system->outputs, system->n_outputs, "spin", "rad/s");
    for (int i = 0; i < 6; i++)
        assert_string_equal(dry_model_measure_at(model, i).unit, measures[i]);
    dry_model_free(model);
}

/* An equation whose sides differ shows both as they are written, factor and all. */
static void sides_are_shown_as_written(void **state) {
    (void)state;
    static const struct {
        const char *equation, *text;
    } row[] = {
        {"J*w' = F", "[N m] and [N]"},
        {"M*w' = F", "[N/m] and [N]"},
        {"w' = F", "[1/s^2] and [N]"},
        {"M*d^2*w' = F*d^2", "[N m] and [N m^2]"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char written[400];
        snprintf(written, sizeof written,
                 "param J = 1 [kg m^2], M = 2 [kg], F = 3 [N], d = 4 [m]\n"
                 "state w = 0 [rad/s]\n%s\n",
                 row[i].equation);
        dry_model *model = dry_model_compile("sides.dry", written, strlen(written), NULL);
        assert_int_equal(dry_model_messages(model), 1);
        const dry_message m = dry_model_message(model, 0);
        assert_string_equal(m.word, "dimensions");
        if (!strstr(m.text, row[i].text)) fail_msg("%s: %s", row[i].equation, m.text);
        dry_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_in_si),
        cmocka_unit_test(long_units),
        cmocka_unit_test(units_of_a_model),
        cmocka_unit_test(work_is_energy),
        cmocka_unit_test(parts_tell_their_units),
        cmocka_unit_test(sides_are_shown_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
