#!/bin/sh
# Tests print the numbers that differ: they include tests/unit.h, compare numbers by its assertions and make no copy of
# them.
set -eu
. tests/house/tap.sh

# The tests of a tree; unit.h and the small cmocka are what the others use, and fuzzers have no assertions.
tests_of() { # ROOT
    (cd "$1" && find tests -name '*.[ch]' | grep -v -e '^tests/unit\.h$' -e '^tests/cmocka/' -e '^tests/fuzz/' | sort)
}

# FILE: STATEMENT of what a pattern finds; statements may go over several lines.
statements() { # ROOT PATTERN
    tests_of "$1" | while read -r file; do
        tr -s '\n ' '  ' <"$1/$file" | { grep -o -E -e "$2" || :; } | sed "s|^|$file: |"
    done
}

none() { # ROOT PATTERN ADVICE
    statements "$1" "$2" >"$scratch/found"
    [ -s "$scratch/found" ] || return 0
    cat "$scratch/found"
    echo "$3"
    return 1
}

mute='assert_(true|false)\([^;]*(fabs|isnan|isinf|isfinite)\([^;|]*;'
copy='(void|bool) ([a-z_]*_)?(near|close|within|same_bits|equal)(_[a-z_]*)?\(((int|size_t) n, )?(const )?double [^)]*\) \{'
speaks() { none "$1" "$mute" "Use near, closer, is_nan, is_finite of tests/unit.h: they print the numbers."; }
once() { none "$1" "$copy" "Use near, near_share, all_near, same_bits of tests/unit.h."; }
includes() { none "$1" '# *include <cmocka\.h>' "Include unit.h: it includes cmocka."; }

planted() { # COMMAND TEXT: the text at the end of a test
    cp tests/math/test_quat.c "$scratch/tree/tests/math"
    echo "$2" >>"$scratch/tree/tests/math/test_quat.c"
    "$1" "$scratch/tree"
}

check "there are tests to look at" test "$(tests_of . | wc -l)" -gt 100
check "no assertion on the size of a difference is mute" speaks .
check "no test has its own copy of near" once .
check "every test takes cmocka from unit.h" includes .

mkdir -p "$scratch/tree/tests/math"
refuses "a difference in assert_true" 'test_quat.c: assert_true(fabs(a - b) < 1e-9);' \
    planted speaks 'static void p(double a, double b) { assert_true(fabs(a - b) < 1e-9); }'
refuses "a difference over two lines" 'test_quat.c: assert_true(a > 0.0 && fabs(a - b) < 1e-9);' \
    planted speaks 'static void p(double a, double b) { assert_true(a > 0.0 &&
    fabs(a - b) < 1e-9); }'
refuses "a copy of near" 'test_quat.c: void assert_near(double a, double b, double tolerance) {' \
    planted once 'static void assert_near(double a, double b, double tolerance) { fail(); }'
refuses "cmocka past unit.h" 'test_quat.c: #include <cmocka.h>' planted includes '#include <cmocka.h>'
check "a test that speaks passes" planted speaks 'static void p(double a, double b) { near(a, b, 1e-9); }'

finish
