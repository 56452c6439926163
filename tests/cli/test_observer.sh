#!/bin/sh
# examples/observer: two exports in one program, one of them in single precision; the friction that the observer finds from
# the velocity cancels that of the slide.
set -eu
. tests/house/tap.sh

drystone=$DRY_BUILD/drystone
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
compiler=${CC:-cc}
if ! have "$compiler"; then finish; fi

check "the observer is exported" "$drystone" export examples/observer/observer.dry --float -o "$scratch/observer" --prefix observer
check "the slide is exported" "$drystone" export examples/observer/slide.dry -o "$scratch/slide" --prefix slide
builds() {
    "$compiler" -std=c99 -O2 -Wall -Wextra -Werror "-I$scratch/observer" "-I$scratch/slide" -o "$scratch/loop" \
        examples/observer/observer.c "$scratch/observer/observer.c" "$scratch/slide/slide.c" -lm
}
check "both are in one program" builds
runs() { "$scratch/loop" >"$scratch/errors" && cat "$scratch/errors"; }
check "which runs" runs
# A square wave of +-Fc through a spring Kp and a damper Kd has the rms (Fc/Kp) sqrt(1 - 4 Kd/(Kp P)) = 246 um, P = 2 s; at
# each reversal the friction rises late and in elements, so the error is a little less.
between() { awk -v line="$1" -v low="$2" -v high="$3" 'index($0, line) { seen = $3 > low && $3 < high } END { exit !seen }' "$scratch/errors"; }
check "without it the error is that of the friction" between 'error without' 225 246
check "with it a tenth is left" between 'error with:' 1 24.6
# The observer alone is stable at 1 kHz: its elements settle within a step or more.
check "the run of the observer can be trusted" "$drystone" run examples/observer/observer.dry --quiet --strict

finish
