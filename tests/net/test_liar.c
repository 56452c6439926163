/* A law that promises to be passive and has created energy is found; what rounding leaves, what a
 * law without the promise does, and what was stored before, is not held against it. */
#include "unit.h"

#include <drystone/net.h>

static const struct {
    const char *why;
    bool passive;
    double least, passed, peak;
    bool found;
} rows[] = {
    {"a hundredth of what passed", true, -1.0, 100.0, 10.0, true},
    {"a tenth of a thousandth", true, -0.01, 100.0, 10.0, false},
    {"no promise", false, -50.0, 100.0, 10.0, false},
    {"it took more than it gave", true, 0.0, 100.0, 10.0, false},
    {"rounding beside what others hold", true, -1e-9, 1e-9, 10.0, false},
};

static void what_is_found(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dry_account_row row = {.part = "law",
                               .kind = "law",
                               .passive = rows[i].passive,
                               .least = rows[i].least,
                               .passed = rows[i].passed};
        const dry_account account = {.rows = &row, .count = 1, .peak = rows[i].peak};
        if ((dry_account_liar(&account, 1e-3) != NULL) != rows[i].found)
            fail_msg("%s", rows[i].why);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
