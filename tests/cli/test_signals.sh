#!/bin/sh
# Signals that enter a model: records, sampled controllers, and both together on a measured machine.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

# A deadbeat loop: x(k T + T) = r(k T).
write "$scratch/loop.dry" <<'MODEL'
input r = 0 [m]
param T = 10 [ms]
state x = 0 [m]
sample s = r every T from 0 [m]
sample before = s.before every T
sample u = (r - x)/T every T
sample y = x every T
x' = u
run until = 1 [s], step = 1 [ms], record = 10 [ms]
measure apart = max(abs(y - before) from 20 [ms] to 1 [s])
expect apart < 1e-12 [m]
MODEL
awk 'BEGIN { print "t [ms],r [mm]"; for (k = 0; k <= 101; k++) print 10*k "," (k*k) % 37 }' >"$scratch/r.csv"
follows() { # METHOD
    "$drystone" run "$scratch/loop.dry" --method "$1" --no-watch --input "r=$scratch/r.csv:r" >"$scratch/out" 2>&1
    cat "$scratch/out"
    grep -q '^  met ' "$scratch/out"
}
for method in rk4 dop853 rodas4 rigid; do
    check "a deadbeat loop follows a record by $method" follows "$method"
done

emps=../shared/data/emps/estimation.csv
beside_measured() { # METHOD
    "$drystone" run tests/cli/emps.dry --method "$1" --no-watch --input "qg=$emps:qg" --input "qm=$emps:qm" \
        --input "vir=$emps:vir" >"$scratch/out" 2>&1
    cat "$scratch/out"
    [ "$(grep -c '^  met ' "$scratch/out")" = 2 ]
}
if [ -f "$emps" ]; then
    for method in rk4 dop853 rigid; do
        check "a measured axis and its model, both in closed loop, by $method" beside_measured "$method"
    done
fi

finish
