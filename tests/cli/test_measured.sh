#!/bin/sh
# The machines that were measured (models/measured, docs/truth.md): the models follow records that their parameters do not know, and
# `drystone fit` finds these parameters.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

models=models/measured

# ---- the cube: the mean over tosses 30 to 59 ------------------------------------------------------------------------------

tosses() { # FROM TO [OPTION...]: "widths degrees", the means over them
    at=$1 to=$2
    shift 2
    while [ "$at" -le "$to" ]; do
        "$drystone" run $models/cube-toss.dry --no-watch --data "$models/cube-toss/$at.csv" "$@" 2>/dev/null
        at=$((at + 1))
    done | awk '/^  position /{p += $3; n++} /^  attitude /{a += $3} END{print p / n, a / n * 180 / 3.14159265}'
}
judged() {
    tosses 30 59 >"$scratch/judged"
    cat "$scratch/judged"
    awk '{exit !($1 < 0.115 && $2 < 18)}' "$scratch/judged"
}
solid() { # as far off as its inertia says: further than the hollow one in both
    tosses 30 59 -p hollow=1 >"$scratch/solid"
    cat "$scratch/solid"
    paste "$scratch/judged" "$scratch/solid" | awk '{exit !($3 > $1 && $4 > $2)}'
}
check "the cube follows the tosses that it was not fitted to" judged
check "a solid cube follows them less well" solid

# ---- the presliding loop ----------------------------------------------------------------------------------------------------

fitted() { # %, of the cycles of the fit and of those that judge
    "$drystone" fit $models/presliding.dry -p 'L=[0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3]' >"$scratch/out" 2>"$scratch/err"
    grep ' rms ' "$scratch/out"
    awk '/ rms /{sub(/%/, ""); part[++n] = $5} END{exit !(n == 2 && part[1] <= 4.76 && part[2] <= 5.25)}' "$scratch/out"
    cat "$scratch/out" "$scratch/err" >"$scratch/all"
}
check "ten elements, fitted to cycles 1 to 30, follow cycles 31 to 50" fitted
check "and the fit says that the data see fewer of them" grep -q 'cannot distinguish' "$scratch/all"
check "and that its rows are not independent" grep -q 'rows of pull are worth' "$scratch/all"

# ---- the ball screw, whose record is not here ----------------------------------------------------------------------------------

emps=../shared/data/emps/estimation.csv
free_run() {
    "$drystone" run $models/emps.dry --no-watch --input "qg=$emps:qg" --input "qm=$emps:qm" --input "vir=$emps:vir" >"$scratch/out" 2>&1
    cat "$scratch/out"
    grep -q '^  way  *= 0.24' "$scratch/out" && [ "$(grep -c '^  met ' "$scratch/out")" = 3 ]
}
if [ -f "$emps" ]; then check "the axis in closed loop, to 0.8 um and 2.5 %" free_run; fi

# ---- another record in place of that of the text -------------------------------------------------------------------------------

printf 't,u\n0,1\n1,1\n' >"$scratch/one.csv"
printf 't,u\n0,2\n1,2\n' >"$scratch/two.csv"
write "$scratch/read.dry" <<'MODEL'
table start(t) from "one.csv" columns "t" [s], "u" [m]
input u from "one.csv" column "u" [m]
state x = start(0)
x' = u/(1 [s])
run until = 1 [s], step = 0.1 [s]
measure end = final(x)
MODEL
ends_at() { # VALUE [OPTION...]
    value=$1
    shift
    "$drystone" run "$scratch/read.dry" --no-watch "$@" >"$scratch/out" 2>&1
    cat "$scratch/out"
    grep -q "^  end  *= $value m" "$scratch/out"
}
check "a model reads its own record" ends_at 2
check "or another one, by tables too" ends_at 4 --data "$scratch/two.csv"
refuses "a model without a record refuses one" 'reads no record in whose place' "$drystone" run models/hello.dry --data "$scratch/one.csv"

finish
