#!/bin/sh
# Any bytes at all do no harm: every text of the models and tests, and random ones, the same each time,
# to every fuzzer. `make fuzz` takes more of them.
set -eu
. tests/house/tap.sh

if [ -x "$DRY_BUILD/fuzz/fuzz_compile" ]; then
    tools/fuzz.sh seeds "$DRY_BUILD/fuzz"
    for program in $(tools/fuzz.sh list); do
        check "$program ends well" tools/fuzz.sh check "$DRY_BUILD/fuzz" "$program"
    done
fi

finish
