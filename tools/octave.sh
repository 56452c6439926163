#!/bin/sh
# Builds the functions for Octave into BUILD/octave, a folder for addpath; with `test` it runs their tests there, and
# docs/octave.md, whose blocks must print what the page shows.
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
rm -f drystone_mex.o # of mkoctfile
[ "${2-}" = test ] || { echo "addpath $to"; exit 0; }

run() { octave-cli --quiet --norc --path "$to" "$1"; }

status=0
export DRYSTONE="$build/drystone"
run tests/octave/test_drystone.m >"$to/log" 2>&1 || status=$?
cat "$to/log"

# The page as one program, and what it shows.
awk '/^```octave/ { on = 1; next } /^```/ { on = 0 } on' docs/octave.md >"$to/page.m"
awk '/^```text/ { on = 1; next } /^```/ { on = 0 } on' docs/octave.md >"$to/page.want"
run "$to/page.m" >"$to/page.got" 2>"$to/page.err" || { cat "$to/page.err"; status=1; }
awk -f tests/house/docs_same.awk "$to/page.want" "$to/page.got" || { echo "docs/octave.md: this is not what its blocks print"; status=1; }

awk -v status="$status" '/^ok /{ n++ } /^not ok /{ bad++ } /^1\.\./{ plan = substr($1, 4) }
    END { printf "%d passed, %d failed\n", n, bad + (status != 0); exit !(n > 0 && !bad && plan == n && status == 0) }' "$to/log"
