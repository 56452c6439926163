#!/bin/sh
# The compiler ends well with any text: a minute of random ones, DRY_FUZZ_SECONDS for another time.
set -eu
. tests/house/tap.sh

if [ -x "$DRY_BUILD/fuzz/fuzz_compile" ]; then
    check "random texts do no harm" tools/fuzz.sh run "$DRY_BUILD/fuzz" "${DRY_FUZZ_SECONDS:-60}"
fi

finish
