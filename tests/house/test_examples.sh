#!/bin/sh
# Every example runs, writes its files, and gives the numbers that its head comment promises.
set -eu
. tests/house/tap.sh

examples=$(CDPATH='' cd -- "$DRY_BUILD/examples" && pwd)
mkdir "$scratch/out"
cd "$scratch"

for example in "$examples"/*; do
    check "the example ${example##*/} runs" "$example"
    cp "$scratch/log" "$scratch/${example##*/}.output"
done

between() { # EXAMPLE LINE LOW HIGH: the number behind the colon in the line that begins so
    awk -v line="$2" -v low="$3" -v high="$4" -F: '
        { print }
        index($0, line) == 1 { seen = 1; if ($2 + 0 < low || $2 + 0 > high) bad = 1 }
        END { exit bad || !seen }' "$scratch/$1.output"
}
check "drift: the inclusion stands still" between drift 'creep of f in F sgn(v)' -1e-15 1e-15
# 1.176e-3 m/s was worked out from 3 s to 5 s; whole cycles, as here, change it by 0.1 %.
check "drift: LuGre creeps at 1.176e-3 m/s" between drift 'creep of LuGre' 1.1735e-3 1.1785e-3
check "drift: the files are there" test -s out/drift.csv -a -s out/drift.svg
mkdir "$scratch/bare"
refuses "drift: a missing folder is named with the way out" '^drift: out/drift.svg: .*create its directory first' \
    env -C "$scratch/bare" "$examples/drift"
check "own_part: below the limit the spring holds the ball" between own_part 'gap with 0.9' 7.819 7.820
# 30.8 N on a stop of 1e6 N/m: 31 um beyond 1 mm, and 1 um more because the magnet then pulls more
check "own_part: beyond it the ball lies on the stop" between own_part 'gap with 1.1' 0.966 0.970

# What each has to give stands in its head comment, with the closed form.
check "run_model: the crate starts at 3.27 s and passes 1 mm/s 36.5 ms later" between run_model starts 3.306 3.307
check "run_model: the crate slides 0.113538 m" between run_model way 0.113535 0.113541
check "step_model: ways of v0^2/(2 mu g)" sh -c "grep -c -e '^way: 0.25484' -e '^way: 1.0193' -e '^way: 0.12741' \
    '$scratch/step_model.output' | grep -x 3"
check "stepper: (gain u - F) t^2/2 while it is pushed" between stepper pushed 9.95 10.05
check "stepper: v^2/(2 F) more after that" between stepper 'with F = 1' 29.95 30.05
check "stepper: the same instant with F = 4" between stepper 'with F = 4' 14.95 15.05
check "controller: the error that friction leaves is at most F/Kp" between controller 'off by' -2 2
check "controller: the friction holds against its force" between controller 'force of the controller' -4 4
check "controller: the slide rests" grep -x 'at rest: yes' "$scratch/controller.output"
check "own_law: forwards m v^2/(2 Ff)" between own_law forwards 1.9999 2.0001
check "own_law: backwards m v^2/(2 Fb)" between own_law backwards -0.5001 -0.4999
check "own_law: it does not creep" grep 'creep below 1e-15 m: yes' "$scratch/own_law.output"
check "account: the sledge turns at 0.5253 m" between account farthest 0.52525 0.52535
check "account: all that was there is there or heat" grep -x 'balance below 1e-6 J: yes' "$scratch/account.output"
check "errors: the sign of the friction" grep -x 'error in line 3: friction-drives' "$scratch/errors.output"
check "errors: the level is negative from 2 s on" grep '^at 2.00[01] s: the friction level' "$scratch/errors.output"

finish
