#!/bin/sh
# Builds the functions for Octave into BUILD/octave, a folder for addpath; with `test` it runs their tests there.
#
#   tools/octave.sh BUILD [test]
set -eu
cd "$(dirname -- "$0")/.."
build=$(CDPATH='' cd -- "${1-build}" && pwd)
to=$build/octave
command -v mkoctfile >/dev/null || { echo "octave: no mkoctfile here (Debian: octave-dev)" >&2; exit 1; }

mkdir -p "$to"
cp octave/*.m "$to/"
CFLAGS="-std=c17 -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror" mkoctfile --mex -Iinclude \
    "-L$build" -ldrystone "-Wl,-rpath,$build" octave/drystone_mex.c -o "$to/drystone_mex.mex"
[ "${2-}" = test ] || { echo "addpath $to"; exit 0; }
DRYSTONE=$build/drystone octave-cli --quiet --norc --path "$to" tests/octave/test_drystone.m >"$to/log" 2>&1 || status=$?
cat "$to/log"
awk '/^ok /{ n++ } /^not ok /{ bad++ } /^1\.\./{ plan = substr($1, 4) }
    END { printf "%d passed, %d failed\n", n, bad; exit !(n > 0 && !bad && plan == n) }' "$to/log" && [ -z "${status-}" ]
