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

# A record without a unit in its heading has that of the value in the text.
write "$scratch/slow.dry" <<'MODEL'
input u = -0 [mm/s]
state x = 0 [m]
x' = u
run until = 1 [s], step = 1 [ms]
expect final(x) = 2 [mm] +- 1e-12
MODEL
printf 't,u,v [m/s]\n0,2,2e-3\n1,2,2e-3\n' >"$scratch/u.csv"
is_moved_by() { "$drystone" run "$scratch/slow.dry" --no-watch --input "$@" | grep -q '^  met '; }
check "a column without a unit has the unit of the value" is_moved_by "u=$scratch/u.csv:u"
check "a column with a unit keeps it" is_moved_by "u=$scratch/u.csv:v"
refuses "two records for one input are an error" 'the input `u` is given two records' \
    is_moved_by "u=$scratch/u.csv:u" --input "u=$scratch/u.csv:v"
is_tested_by() { "$drystone" test "$scratch/slow.dry" --input "$@"; }
check "drystone test takes a record, too" is_tested_by "u=$scratch/u.csv:v"
refuses "and says which input a model does not have" 'no input `w`' is_tested_by "w=$scratch/u.csv:v"

# v = u t/M: the table of a sweep that a record drives, and a journal that is of one record only.
write "$scratch/mass.dry" <<'MODEL'
param M = 1 [kg]
input u = 0 [N]
state v = 0 [m/s]
M*v' = u
run until = 1 [s], step = (1/1024) [s]
measure speed = final(v)
MODEL
printf 't,f,g\n0,2,4\n1,2,4\n' >"$scratch/force.csv"
swept_by() { # COLUMN LINES
    "$drystone" sweep "$scratch/mass.dry" -p M=1,4 --input "u=$scratch/force.csv:$1" >"$scratch/out" 2>&1
    cat "$scratch/out"
    [ "$(tail -n +2 "$scratch/out" | tr '\n' ' ')" = "$2" ]
}
check "a sweep takes a record" swept_by f "1,2,0 4,0.5,0 "
check "and another column of it" swept_by g "1,4,0 4,1,0 "
refused_point() {
    "$drystone" sweep "$scratch/mass.dry" -p M=0,4 --input "u=$scratch/force.csv:f" >"$scratch/out" 2>&1
    grep -q -- "-p M=0 --input u=$scratch/force.csv:f" "$scratch/out"
}
check "the command for a point that fails names the record" refused_point
mkfifo "$scratch/pipe"
refuses "so is a pipe as a record, which would wait for a writer" 'a model reads files, not streams' is_moved_by "u=$scratch/pipe:u"

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
