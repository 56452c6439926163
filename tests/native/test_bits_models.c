/* Native code gives the bits of the bytecode: every model of models/. */
#include "bits.h"

static void models_agree(void **state) {
    (void)state;
    need_compiler();
    above(compare_folder(DRY_SOURCE_DIR "/models"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_agree)};
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
