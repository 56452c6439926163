/* Mistakes of parts point at the key that they are about, and tell what to do. */
#include "unit.h"

#include <drystone/model.h>
#include <string.h>

static const struct {
    const char *text;
    const char *at;      /* what the first message points at */
    const char *way_out; /* what its way out has in it */
} rows[] = {
    {"part b = rigid_body(mass = 1, inertia = [1, 1])", "inertia", "give one, or xx yy zz"},
    {"part b = box(size = 0.1, mass = 1, q = [1, 0, 0, 0], rotation = [0, 0, 1])",
     "q =", "give one"},
    {"part b = box(mass = 1, size = [0.1, -0.2, 1])", "size", "drystone parts box"},
    {"part b = arm(links = 2.5, length = 1, mass = 1)", "links", "drystone parts arm"},
    {"part b = box(size = 0.1)", "b =", "drystone parts box"},
    {"part k = contact(K = 1e4, alpha = 3 [ms], beta = 2 [ms])", "alpha", "lower alpha"},
    {"part k = contact(K = 1e4, alpha = 1 [ms])", "alpha", "give all three, or restitution"},
    {"part k = contact(alpha = 1 [ms], beta = 2 [ms])", "alpha", "give all three, or restitution"},
    {"part k = contact(mu = 0.3, beta = 2 [ms], restitution = 0.5)", "restitution",
     "give restitution, or K, alpha and beta"},
    {"part k = contact(restitution = 1.01)", "restitution", "drystone parts contact"},
    {"part k = stop(lower = 0, upper = 1, alpha = 1 [ms], restitution = 0.5)", "restitution",
     "give restitution, or K, alpha and beta"},
    {"part k = rotary_stop(lower = 0, upper = 1, restitution = 2)", "restitution",
     "drystone parts rotary_stop"},
    {"part m = point_mass(mass = 1)\npart s = spring(K = 1)\nconnect s - m\nconnect s - m", "s - m",
     "add a part for each connection"},
};

static void keys_are_pointed_at(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = rows[i].text;
        dry_model *model = dry_model_compile("test.dry", text, strlen(text), NULL);
        assert_non_null(model);
        assert_in_range(dry_model_messages(model), 1, 100);
        const dry_message m = dry_model_message(model, 0);
        const char *line = text;
        for (int k = 1; k < m.line; k++) line = strchr(line, '\n') + 1;
        if (strcmp(m.word, "wiring") != 0 || m.line < 1 ||
            strncmp(line + m.column - 1, rows[i].at, strlen(rows[i].at)) != 0 ||
            !strstr(m.way_out, rows[i].way_out))
            fail_msg("%s: %d:%d: %s = %s", text, m.line, m.column, m.text, m.way_out);
        dry_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_pointed_at)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
