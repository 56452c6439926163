#!/bin/sh
# Stops: what the command, its JSON, its pages, sweeps and exported C say of a run that the model ends.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

write "$scratch/slide.dry" <<'MODEL'
model slide "A sliding block, and a counter"
param M = 1 [kg], F = 0.5 [N]
state x = 0 [m], v = 1 [m/s]
f in F*sgn(v) with K = 5e3 [N/m], beta = 2 [ms]
sample k = k.before + 1 every 0.3 [s] from 0
x' = v
M*v' = -f
stop when v < 0.1 [m/s] as "it hardly slides"
stop when k == 20
run until = 9 [s], step = 1 [ms], method = rk4
plot v
measure T = final(t)
MODEL
slide=$scratch/slide.dry
{ cat "$slide" && echo 'measure late = at(x, 8)'; } >"$scratch/late.dry"

gives "the summary says when and why" 0 stdout '^  stopped at t = 1.8 s: it hardly slides$' run "$slide" --no-watch
check "beside a table on the standard output it is said on the other stream" sh -c \
    '"$1" run "$2" --no-watch -o - 2>&1 >"$3" | grep -q "stopped at t = 1.8 s: it hardly slides"' \
    sh "$drystone" "$slide" "$scratch/table.csv"
gives "JSON says it" 0 stdout '"stopped": {"t": 1.8[0-9]*, "reason": "it hardly slides"}' run "$slide" --json
gives "a run to its end says nothing of it" 0 stdout '"kinks": 0, "seconds"' run "$slide" --until 1 --json
gives "a measure beyond it is told" 0 stderr '`late` reads times up to 8 s, but the model stopped the run at 1.8 s' \
    run "$scratch/late.dry" --no-watch --quiet
gives "show has the statement" 0 stdout '^  stop when v < 0.1 \[m/s\] as "it hardly slides"$' show "$slide"
check "repeats of a run that stop at other times are not trusted" sh -c \
    '"$1" run "$2" --quiet --method rigid --step 0.25 2>&1 | grep -q "NOT CONVERGED: .* is off by"' \
    sh "$drystone" "$slide"
check "a page says it" sh -c '"$1" run "$2" --quiet --report "$3" && grep -q "stopped at 1.8 s: it hardly slides" "$3"' \
    sh "$drystone" "$slide" "$scratch/slide.html"

# T = (1 - 0.1) M/F for each point, by code of either kind, and in lanes if there are any.
sweeps() { # OPTION
    "$drystone" sweep "$slide" -p F=0.25:1:4 "$1" --quiet -o "$scratch/sweep.csv" &&
        awk -F, 'NR > 1 { d = $2 - 0.9/$1; if (d*d > 1e-16 || $NF != 0) exit 1 } END { exit NR != 5 }' "$scratch/sweep.csv"
}
for option in --native --no-native; do
    check "every point of a sweep ends at its own time, $option" sweeps "$option"
done

# To the last bit: bytecode, native and exported C, where a state or where a sample ends the run.
same_bits() { # PARAMETER
    "$drystone" run "$slide" -p "$1" --no-watch --quiet --no-native -o - >"$scratch/bytecode.csv" &&
        "$drystone" run "$slide" -p "$1" --no-watch --quiet --native -o - >"$scratch/native.csv" &&
        "$drystone" export "$slide" -p "$1" --no-watch -o "$scratch/c" &&
        make -s -C "$scratch/c" && "$scratch/c/model" >"$scratch/c.csv" 2>"$scratch/reason" &&
        cat "$scratch/reason" && grep -q '^the run ends at t = ' "$scratch/reason" &&
        cmp "$scratch/bytecode.csv" "$scratch/native.csv" && cmp "$scratch/bytecode.csv" "$scratch/c.csv"
}
check "one run has the same bits in bytecode, native and exported C" same_bits F=0.35
check "also if a sample ends it" same_bits F=0.1

finish
