/* Native code gives the bits of the bytecode: every feature of the language. */
#include "bits.h"

static void features_agree(void **state) {
    (void)state;
    need_compiler();
    compare_folder(DRY_SOURCE_DIR "/tests/lang/features");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(features_agree)};
    return cmocka_run_group_tests(tests, make_cache, remove_cache);
}
