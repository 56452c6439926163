#!/bin/sh
# Runs the tests, counts them, and ends with the line `N passed, N failed`.
#
#   tools/run-tests.sh BUILD...
#
# A test is a program that prints TAP: BUILD/tests/* (cmocka) and tests/<room>/test_*.sh, which find
# the build in DRY_BUILD. BUILD/tests.txt lists them. Those in tests/house look at the sources and the
# first build only, and so does tests/fuzz, which has a build of its own.
# Two or more run at a time; each reports in one line, and what a failing one printed follows.
# They run once, in the cage of tools/cage.sh: they can write to the builds and to a scratch folder only.
# A test that cannot apply to a build is not in it; one that is skipped all the same counts as failed.
set -eu

TAB=$(printf '\t')
LIMIT=${DRY_TEST_LIMIT:-600} # seconds until a program counts as hanging

# ---- one program: run-tests.sh --one SCRATCH NUMBER ---------------------------------------------

# From TAP to `passed failed`, then one line per test that did not pass.
# shellcheck disable=SC2016  # awk has its own dollars
count='
    /^1\.\.[0-9]+/ { planned += substr($1, 4); plans++; next }
    /^(not )?ok / && /# *SKIP/ { failed++; notes = notes "skipped  " program ": " $0 "\n"; next }
    /^ok / { passed++; next }
    /^not ok / { failed++; notes = notes "FAILED   " program ": " $0 "\n" }
    END {
        lost = planned - passed - failed
        if (!plans || lost > 0 || (status != 0 && !failed)) {
            failed += lost > 0 ? lost : 1
            notes = notes "FAILED   " program ": ended with status " status \
                (status == 124 ? " (too slow)" : "") (plans ? "" : " and no TAP") "\n"
        }
        printf "%d %d\n%s", passed, failed, notes
    }'

# The sanitizers of gcc 12 and clang 14 fail now and then where the kernel scatters addresses widely.
still=
if setarch -R true 2>/dev/null; then still="setarch -R"; fi

run_one() { # SCRATCH NUMBER
    IFS=$TAB read -r build program <<LINE
$(sed -n "$2p" "$1/list")
LINE
    name=$program
    case $program in */tests/*_test_*) name=tests/${program##*/} ;; esac
    [ "$build" = "$first" ] || name="$name (${build##*/})"
    status=0
    began=$(date +%s)
    # shellcheck disable=SC2086  # $still is two words or none
    DRY_BUILD=$build CMOCKA_MESSAGE_OUTPUT=TAP timeout "$LIMIT" $still "$program" \
        </dev/null >"$1/$2.out" 2>&1 || status=$?
    seconds=$(($(date +%s) - began))
    awk -v status="$status" -v program="$name" "$count" "$1/$2.out" >"$1/$2.count"
    read -r passed failed <"$1/$2.count"
    mark=ok
    [ "$failed" = 0 ] || mark=FAILED
    line=$(printf '%-7s %-48s %3d passed' "$mark" "$name" "$passed")
    [ "$failed" = 0 ] || line="$line, $failed failed"
    [ "$seconds" -lt 3 ] || line="$line, $seconds s"
    echo "$line"
}

# ---- all of them -----------------------------------------------------------------------------------

list() { # BUILD...: lines of `build <tab> program`
    for build; do
        [ -f "$build/tests.txt" ] || { echo "run-tests: no tests in $build; see docs/house.md" >&2; return 2; }
        while read -r program; do
            case $program in tests/house/* | tests/fuzz/*) [ "$build" = "$1" ] || continue ;; esac
            printf '%s\t%s\n' "$build" "$program"
        done <"$build/tests.txt"
    done
}

# What the programs that failed printed, what was skipped, and the last line.
report() { # SCRATCH
    [ ! -f "$1/cage.count" ] || sed 1d "$1/cage.count"
    for number in $(seq "$(wc -l <"$1/list")"); do
        [ -f "$1/$number.count" ] || echo "0 1" >"$1/$number.count"
        read -r _ failed <"$1/$number.count"
        sed 1d "$1/$number.count"
        [ "$failed" = 0 ] || sed "s/^/    | /" "$1/$number.out"
    done
    cat "$1"/*.count | awk '
        /^[0-9]+ [0-9]+$/ { passed += $1; failed += $2 }
        END {
            printf "%d passed, %d failed\n", passed, failed
            exit failed > 0 || passed == 0
        }'
}

cd "$(dirname -- "$0")/.."
if [ "${1-}" = --one ]; then
    first=$(cut -f 1 "$2/list" | head -n 1)
    run_one "$2" "$3"
    exit
fi

if [ "${1-}" = --all ]; then
    seq "$(wc -l <"$2/list")" | xargs -r -P "$(nproc)" -n 1 tools/run-tests.sh --one "$2" || :
    exit
fi

[ $# -gt 0 ] || { echo "usage: tools/run-tests.sh BUILD..." >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
list "$@" >"$scratch/list"
tools/cage.sh "$scratch" "$@" -- tools/run-tests.sh --all "$scratch" ||
    printf '0 1\nFAILED   the cage of the tests: see above\n' >"$scratch/cage.count"
report "$scratch"
