#!/bin/sh
# Builds everything that `make test` runs, with warnings as errors.
#
#   tools/build-tests.sh BUILD [JOBS]    into BUILD and folders in it
#   tools/build-tests.sh --list BUILD    the folders that tools/run-tests.sh is to run
#
# Every test runs at both ends of what users can have: with all optional libraries (BUILD, and again
# with sanitizers in BUILD/sanitize) and with none (BUILD/bare, by clang). The thread sanitizer watches the
# tests that use threads (BUILD/threads). The other builds are those that users will make, with the library
# and a suite of tests/suites.txt. A build that this computer cannot
# make is left out with a word; in a CI tools/deps.sh has made sure that there is none.
set -eu

bare="-DDRYSTONE_HDF5=OFF -DDRYSTONE_PNG=OFF -DDRYSTONE_XML=OFF -DDRYSTONE_SUNDIALS=OFF -DDRYSTONE_NLOPT=OFF -DDRYSTONE_MPI=OFF"
# Which variables gcc takes for uninitialized at -O3 depends on the vectors of this processor.
guesses=-Wno-maybe-uninitialized
own="$bare -DDRYSTONE_CMOCKA=OFF"

# shellcheck disable=SC2086  # lists of words
all_builds() { # calls $do with: folder, suite, compiler, flags of the compiler, words for cmake
    $do .        full    "${CC:-cc}" ""                  -DDRYSTONE_COUNTED=ON
    $do sanitize full    "${CC:-cc}" ""                  -DDRYSTONE_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug
    $do bare     full    clang       ""                  $bare
    $do native   short   "${CC:-cc}" "-O3 -march=native $guesses" $bare -DCMAKE_BUILD_TYPE=None
    $do musl     short   musl-gcc    ""                  $own
    $do 32bit    short   "${CC:-cc}" "-m32"              $own
    $do threads  threads "${CC:-cc}" ""                  $bare -DDRYSTONE_SANITIZE_THREAD=ON -DCMAKE_BUILD_TYPE=Debug
}

can_build() { # COMPILER FLAGS
    # shellcheck disable=SC2086  # lists of words
    printf '#include <stdlib.h>\nint main(void) { return abs(0); }\n' | $1 $2 -x c - -o /dev/null >/dev/null 2>&1
}

name() { # FOLDER SUITE COMPILER FLAGS ...
    if can_build "$3" "$4"; then (cd "$build/$1" && pwd); fi
}

make_one() { # FOLDER SUITE COMPILER FLAGS WORDS...
    folder=$build/$1 suite=$2 compiler=$3 flags=$4
    shift 4
    can_build "$compiler" "$flags" || { echo "build-tests: left out: $folder ($compiler $flags)" >&2; return; }
    case $suite in full) targets="drystone tests" ;; *) targets=tests ;; esac
    [ "$folder" != "$build/." ] || targets="all tests"
    # shellcheck disable=SC2086  # lists of words
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CFLAGS CC="$compiler" cmake --log-level=WARNING -S . -B "$folder" \
        -DDRYSTONE_WERROR=ON -DDRYSTONE_SUITE="$suite" -DCMAKE_C_FLAGS="$flags" "$@" >/dev/null &&
        env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build "$folder" -j "$jobs" --target $targets
}

cd "$(dirname -- "$0")/.."
do=make_one
if [ "${1-}" = --list ]; then
    do=name
    shift
fi
build=${1:?BUILD}
jobs=${2:-$(nproc)}
all_builds
