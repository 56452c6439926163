#!/bin/sh
# Random texts against the compiler, as models that are run, as robots, tables, journals and documents of editors: no
# crash, no leak, no undefined behaviour, no endless work, no endless memory.
#
#   tools/fuzz.sh build FOLDER             builds the fuzzers there; says so if clang cannot
#   tools/fuzz.sh seeds FOLDER             collects the texts that they begin with
#   tools/fuzz.sh check FOLDER PROGRAM     all seeds and some random texts, the same ones every time
#   tools/fuzz.sh run FOLDER [SECONDS]     all programs, 60 seconds in all if you say nothing else
#   tools/fuzz.sh list                     the programs
#
# They begin with every text of the models and tests, and with the folders of tests/fuzz, which keep
# texts that once failed. `run` keeps what it finds interesting in FOLDER and goes on from there. A text
# that fails is written to FOLDER/found: make it small with `FOLDER/fuzz_... -minimize_crash=1`, mend what
# failed, and keep the text in the folder of tests/fuzz that its program begins with. fuzz_run runs a text by
# its own method and by two others, which differ from text to text, and by all with DRY_FUZZ_METHODS=all.
set -eu

# program    | dictionary | seeds: folder of tests/fuzz | bytes | random texts of `check` | share of `run`, %
programs='
fuzz_compile  dry.dict     corpus                        8192    2000                      25
fuzz_run      dry.dict     corpus                        8192    300                       45
fuzz_urdf     urdf.dict    robots                        8192    5000                      15
fuzz_table    -            tables                        8192    10000                     5
fuzz_journal  -            journals                      2048    10000                     5
fuzz_lsp      dry.dict     corpus                        4096    300                       5
'

say() { echo "fuzz: $*" >&2; }

each() { # COMMAND...: with program, dictionary, seeds, bytes, texts and share behind it
    echo "$programs" | while read -r row; do
        # shellcheck disable=SC2086  # columns
        [ -z "$row" ] || "$@" $row </dev/null || exit 1
    done
}

# ---- building ------------------------------------------------------------------------------------

has_fuzzer() {
    echo 'int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
        clang -fsanitize=fuzzer,address,undefined -x c - -o /dev/null >/dev/null 2>&1
}

remove() { rm -f "$1/$2"; }

build() { # FOLDER
    if ! has_fuzzer; then
        say "skipped: no clang with its fuzzer runtime (Debian: clang, libclang-rt-dev)"
        each remove "$1"
        return
    fi
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --log-level=ERROR -S . -B "$1" \
        -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DDRYSTONE_FUZZ=ON -DDRYSTONE_WERROR=ON \
        -DDRYSTONE_TESTS=OFF -DDRYSTONE_BENCH=OFF -DDRYSTONE_HDF5=OFF -DDRYSTONE_PNG=OFF \
        -DDRYSTONE_SUNDIALS=ON >/dev/null
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build "$1" -j "$(nproc)" --target fuzzers
}

# ---- seeds: what the tree has, and what tests/fuzz keeps --------------------------------------------

copy_all() { # TO ENDING: by name with path, so that none replaces another
    mkdir -p "$1"
    find models docs tests examples -name "*.$2" -type f | while read -r file; do
        cp "$file" "$1/$(echo "$file" | tr / _)"
    done
}

seeds() { # FOLDER
    rm -rf "$1/seeds"
    copy_all "$1/seeds/corpus" dry
    copy_all "$1/seeds/robots" urdf
    copy_all "$1/seeds/tables" csv
    mkdir -p "$1/seeds/journals"
    cp tests/fuzz/journals/* "$1/seeds/journals"
}

# ---- running ---------------------------------------------------------------------------------------

fuzz() { # FOLDER PROGRAM DICTIONARY KEPT SEEDS BYTES WORDS...
    folder=$1 program=$2 dictionary=$3 kept=$4 seeds=$5 bytes=$6
    shift 6
    [ -x "$folder/$program" ] || { say "no $program in $folder; see what 'tools/fuzz.sh build' says"; exit 1; }
    still=
    if setarch -R true 2>/dev/null; then still="setarch -R"; fi
    [ "$dictionary" = - ] || set -- -dict="tests/fuzz/$dictionary" "$@"
    mkdir -p "$kept" "$folder/found"
    # shellcheck disable=SC2086  # $still is two words or none
    $still "$folder/$program" -rss_limit_mb=1536 -max_len="$bytes" \
        -artifact_prefix="$folder/found/" -print_final_stats=1 -verbosity=1 "$@" \
        "$kept" "$folder/seeds/$seeds"
}

# The seeds count as runs.
check() { # FOLDER WANTED PROGRAM DICTIONARY SEEDS BYTES TEXTS SHARE
    [ "$2" = "$3" ] || return 0
    kept=$(mktemp -d)
    status=0
    texts=$(find "$1/seeds/$5" -type f | wc -l)
    (fuzz "$1" "$3" "$4" "$kept" "$5" "$6" -timeout=100 -seed=1 -runs=$((texts + $7))) || status=$?
    rm -rf "$kept"
    return "$status"
}

run_for() { # FOLDER SECONDS PROGRAM DICTIONARY SEEDS BYTES TEXTS SHARE
    say "$3"
    fuzz "$1" "$3" "$4" "$1/kept/$3" "$5" "$6" -timeout=10 -max_total_time=$(($2 * $8 / 100 + 1))
}

cd "$(dirname -- "$0")/.."
case ${1-} in
build) build "${2:?FOLDER}" ;;
seeds) seeds "${2:?FOLDER}" ;;
check) each check "${2:?FOLDER}" "${3:?PROGRAM}" ;;
run)
    seeds "${2:?FOLDER}"
    each run_for "$2" "${3:-60}"
    ;;
list) each echo | cut -d ' ' -f 1 ;;
*) say "usage: tools/fuzz.sh build FOLDER | seeds FOLDER | check FOLDER PROGRAM | run FOLDER [SECONDS] | list"; exit 2 ;;
esac
