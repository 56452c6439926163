#!/bin/sh
# Random texts against the compiler, and as robots: no crash, no leak, no endless work, no endless
# memory.
#
#   tools/fuzz.sh build FOLDER            builds the fuzzers there; says so where clang cannot
#   tools/fuzz.sh run FOLDER [SECONDS]    runs them, 60 seconds where nothing else is said
#
# They begin with tests/fuzz/corpus and tests/fuzz/robots, keep what they find interesting in FOLDER,
# and write a text that fails to FOLDER/found: make it small with `FOLDER/fuzz_compile
# -minimize_crash=1` (fuzz_urdf), mend what failed, and keep the text with those they begin with.
set -eu

say() { echo "fuzz: $*" >&2; }

has_fuzzer() {
    echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null >/dev/null 2>&1
}

build() { # FOLDER
    if ! has_fuzzer; then
        say "skipped: no clang with its fuzzer runtime (Debian: clang, libclang-rt-dev)"
        rm -f "$1/fuzz_compile" "$1/fuzz_urdf"
        return
    fi
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --log-level=ERROR -S . -B "$1" \
        -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DDRYSTONE_FUZZ=ON -DDRYSTONE_WERROR=ON \
        -DDRYSTONE_TESTS=OFF -DDRYSTONE_BENCH=OFF -DDRYSTONE_HDF5=OFF -DDRYSTONE_PNG=OFF \
        -DDRYSTONE_SUNDIALS=OFF >/dev/null
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build "$1" -j "$(nproc)" --target fuzzers
}

one() { # FOLDER SECONDS PROGRAM DICTIONARY TEXTS
    still=
    if setarch -R true 2>/dev/null; then still="setarch -R"; fi
    mkdir -p "$1/$5" "$1/found"
    # shellcheck disable=SC2086  # $still is two words or none
    $still "$1/$3" -max_total_time="$2" -timeout=10 -rss_limit_mb=1536 -max_len=2048 \
        -dict="tests/fuzz/$4" -artifact_prefix="$1/found/" -print_final_stats=1 -verbosity=1 \
        "$1/$5" "tests/fuzz/$5"
}

# A sixth of the time is for robots.
run() { # FOLDER SECONDS
    [ -x "$1/fuzz_compile" ] || { say "no fuzzer in $1; see what 'tools/fuzz.sh build' says"; exit 1; }
    robots=$(($2 / 6 + 1))
    one "$1" "$robots" fuzz_urdf urdf.dict robots
    one "$1" "$(($2 - robots + 1))" fuzz_compile dry.dict corpus
}

cd "$(dirname -- "$0")/.."
case ${1-} in
build) build "${2:?FOLDER}" ;;
run) run "${2:?FOLDER}" "${3:-60}" ;;
*) say "usage: tools/fuzz.sh build FOLDER | run FOLDER [SECONDS]"; exit 2 ;;
esac
