#!/bin/sh
# tools/mutants.py changes what it should and nothing else, and tells a mutant that the tests see from one that they do
# not, in a house with one room.
set -eu
. tests/house/tap.sh

PATH=/usr/bin:$PATH
have python3 || finish

# ---- the changes -----------------------------------------------------------------------------------------------------

write "$scratch/sample.c" <<'END'
#include <a-1.h> /* 1 + 1 */
#define SIZE (2 + \
              3)
// x < 4
enum kind { FIRST = 5, LAST = 6 };
static const char *text = "7 + 8 \" < 9";
static double f(const double *x, double y[3], int n) {
    double a[4], b[2][2];
    assert(n > 0 && x[0] < 1.0);
    a[1] += -x[0] * 0.5;
    if (n == '1' || !(a[1] > y[2])) return b[0][n - 1];
    return 0;
}
END

# Line by line: old -> new.
write "$scratch/wanted" <<'END'
10 1 -> 2
10 1 -> 0
10 += -> -=
10 - -> nothing
10 0 -> 1
10 * -> /
10 0.5 -> 1.0
10 0.5 -> 0.0
10 0.5 -> 1.5
11 == -> !=
11 || -> &&
11 1 -> 2
11 1 -> 0
11 > -> >=
11 > -> <
11 2 -> 4
11 2 -> 0
11 2 -> 3
11 return b[0][n - 1] -> return 0
11 0 -> 1
11 - -> +
11 1 -> 2
11 1 -> 0
12 0 -> 1
END

listed() {
    tools/mutants.py list "$scratch/sample.c" |
        sed -e 's/^[^:]*:\([0-9]*\):[0-9]*  /\1 /' -e 's/  ->  / -> /' -e 's/   (.*//' >"$scratch/changes"
    diff "$scratch/wanted" "$scratch/changes"
}
check "signs, constants and comparisons are changed, but no comment, text, directive, assertion, tag or size" listed

place() {
    tools/mutants.py list "$scratch/sample.c" | grep -q -F 'sample.c:10:21  0.5  ->  1.5   (a[1] += -x[0] * 0.5;)'
}
check "a change is named with file, line, column and code" place

# ---- a house with one room -------------------------------------------------------------------------------------------

house=$scratch/house
mkdir -p "$house/tools"
cp tools/mutants.py "$house/tools"
echo '0 | toy | a toy |' | write "$house/tools/rooms.txt"
write "$house/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(house LANGUAGES C)
add_library(drystone_objects OBJECT src/toy/seen.c src/toy/half.c)
target_compile_options(drystone_objects PRIVATE -O2)
add_library(drystone_static STATIC $<TARGET_OBJECTS:drystone_objects>)
set_target_properties(drystone_static PROPERTIES OUTPUT_NAME drystone)
add_executable(toy_test_toy tests/toy/test_toy.c)
set_target_properties(toy_test_toy PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests)
target_link_libraries(toy_test_toy PRIVATE drystone_static)
file(WRITE ${PROJECT_BINARY_DIR}/tests.txt "${PROJECT_BINARY_DIR}/tests/toy_test_toy\n")
END
# In half.c: 3 < 7 is as true as 3 <= 7, 3 < 14 and 3 < 8; `once` can hang; `same` has changes without effect; `pair` is
# not a number.
write "$house/src/toy/seen.c" <<'END'
#include "far.h"
double seen(double a, double b) { return a - FAR(b); }
END
write "$house/src/toy/far.h" <<'END'
static inline double twice(double a) { return a + a; }
#define FAR(b) twice(b)
END
write "$house/src/toy/half.c" <<'END'
#include <stdbool.h>
struct pair { int a, b; };
int less(int a) { return a < 7; }
void once(void) {
    volatile bool done = false;
    while (!done) done = true;
}
unsigned same(unsigned a) { return a * 1u; }
struct pair pair(struct pair p) { return p; }
END
write "$house/tests/toy/test_toy.c" <<'END'
#include <stdio.h>
double seen(double a, double b);
int less(int a);
void once(void);
unsigned same(unsigned a);
int main(void) {
    once();
    const int good = seen(5.0, 1.0) == 3.0 && less(3) == 1 && same(3u) == 3u;
    printf("1..1\n%sok 1 - toy\n", good ? "" : "not ");
    return !good;
}
END
built() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake -G "Unix Makefiles" -S "$house" -B "$house/build" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build "$house/build"
}
check "the house is built" built

mutants() { "$house/tools/mutants.py" run "$house/build" "$@"; } # OPTION...
sums() { find "$house/src" "$house/tests" "$house/tools" -type f -exec cksum '{}' + | sort; }
sums >"$scratch/before"

write "$scratch/wanted" <<'END'
seed 1
src/toy/half.c:3:28  <  ->  <=   (int less(int a) { return a < 7; })
src/toy/half.c:3:30  7  ->  14   (int less(int a) { return a < 7; })
src/toy/half.c:3:30  7  ->  8   (int less(int a) { return a < 7; })
src/toy/half.c:5:26  false  ->  true   (volatile bool done = false;)
END
survivors() {
    mutants --many all --seed 1 --jobs 2 >"$scratch/all" || return
    cat "$scratch/all"
    grep -E '^s' "$scratch/all" | sort >"$scratch/survivors" && sort "$scratch/wanted" | diff - "$scratch/survivors"
}
check "what no test sees is listed, and nothing else" survivors
# less: 6 mutants; once: 2; same: 3 without the one that changes nothing; pair: none; seen: 2; twice: 2.
row() { # mutants, killed, by own tests, by others, too slow, survived
    cat "$scratch/all"
    [ "$(awk '$1 == "toy" { print $2, $3, $4, $5, $6, $7, $8 }' "$scratch/all")" = "15 11 10 0 1 4 73.3%" ]
}
check "killed, too slow, survived; what does not compile or changes nothing does not count" row

some() { mutants --many 7 --seed 4 --jobs "$1" | sort; } # JOBS
repeats() {
    some 1 >"$scratch/one" && some 2 >"$scratch/two" && cat "$scratch/one" && grep -q '^toy  *7 ' "$scratch/one" &&
        diff "$scratch/one" "$scratch/two"
}
check "a seed draws the same mutants for any number of jobs, as many as count" repeats

no_scratch() { [ -z "$(find "$house/build" -name 'scratch-*')" ]; }
ended() { # in the middle
    "$house/tools/mutants.py" run "$house/build" --many all &
    tries=0
    until [ -n "$(find "$house/build" -path '*/scratch-*/2')" ] || [ $((tries += 1)) -gt 500 ]; do sleep 0.01; done
    status=0
    kill "$!" && { wait "$!" || status=$?; }
    [ "$status" = 130 ] && no_scratch
}
check "a run that is ended leaves nothing behind" ended

unchanged() { sums | diff "$scratch/before" - && no_scratch; }
check "the sources are as they were" unchanged

# ---- mistakes ------------------------------------------------------------------------------------------------------

refuses "an unknown room is named" 'no room .attic.; the rooms are toy' mutants --room attic
commands=$house/build/compile_commands.json
compiled_by() { # WORDS: what stands before the words of a compiler
    cp "$commands" "$scratch/commands.json"
    sed "s|\"command\": \"|&$1 |" "$scratch/commands.json" >"$commands"
}
compiled_by /usr/bin/env
launched() { mutants --many 7 --seed 4 --jobs 2 | sort | diff "$scratch/one" -; }
check "a launcher may stand before the compiler" launched
compiled_by false
refuses "a compiler that compiles no mutant is told" 'no mutant of toy compiles' mutants --many 7 --seed 4
cp "$scratch/commands.json" "$commands"
depends() { find "$house/build" -name '*.o.d' -exec sed -i "$1" {} +; } # SED
relative() { depends "s|$house/|../|g" && launched; }
check "a launcher may name the files that an object reads from the folder of the build" relative
depends '2,$d; s|:.*|: nothing|'
refuses "a room that no object reads has no rate" 'no mutant of toy counts' mutants --many 7 --seed 4
refuses "a missing build is named" 'no build in .*/nowhere; .make mutants. makes it' \
    "$house/tools/mutants.py" run "$house/nowhere"
for number in 0 -3 2.5 many; do
    refuses "MANY = $number is refused" 'MANY must be a whole number from 1 on' mutants --many="$number"
done
refuses "JOBS = 0 is refused" 'JOBS must be a whole number from 1 on' mutants --jobs 0
refuses "a SEED that is no number is refused" 'SEED must be a whole number from 0 on' mutants --seed x
breaks() { sed -i 's/less(3) == 1/less(3) == 2/' "$house/tests/toy/test_toy.c" && built && mutants --many 1; }
says_so() { breaks 2>&1 | grep 'left out: toy_test_toy fails without a mutation'; }
check "a test that fails without a mutation is left out and named" says_so

finish
