#!/bin/sh
# Included files: the numbers of one text with all statements; messages with the file that they are about; what must
# notice a changed file.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

mkdir "$scratch/parts"
write "$scratch/parts/motor.dry" <<'MODEL'
param J = 1e-3 [kg m^2], F = 0.02 [N m]
input u = 0 [N m]
table fall(w) from "fall.csv" columns "w" [1/s], "share"
state w = 0 [1/s]
f in F*sgn(w) with K = 50 [N m/rad], beta = 2 [ms]
J*w' = u*fall(abs(w)) - f
run until = 1 [s], step = 1 [ms]
plot w
MODEL
printf 'w,share\n0,1\n100,0.5\n' >"$scratch/parts/fall.csv"
write "$scratch/two.dry" <<'MODEL'
param F2 = 0.05 [N m]
include "parts/motor.dry" as a with u = 0.1 [N m]*sin(20*t)
include "parts/motor.dry" as b with F = F2, u = 0.01 [N m/rad]*(1 [rad])*a.w/(1 [1/s])
both = a.w + b.w
run until = 1 [s], step = 1 [ms], method = rk4
plot a.w, b.w
measure at_end = final(both)
MODEL
write "$scratch/flat.dry" <<'MODEL'
param F2 = 0.05 [N m]
param aJ = 1e-3 [kg m^2], aF = 0.02 [N m]
table afall(w) from "parts/fall.csv" columns "w" [1/s], "share"
state aw = 0 [1/s]
au = 0.1 [N m]*sin(20*t)
af in aF*sgn(aw) with K = 50 [N m/rad], beta = 2 [ms]
aJ*aw' = au*afall(abs(aw)) - af
param bJ = 1e-3 [kg m^2], bF = F2
table bfall(w) from "parts/fall.csv" columns "w" [1/s], "share"
state bw = 0 [1/s]
bu = 0.01 [N m/rad]*(1 [rad])*aw/(1 [1/s])
bf in bF*sgn(bw) with K = 50 [N m/rad], beta = 2 [ms]
bJ*bw' = bu*bfall(abs(bw)) - bf
both = aw + bw
run until = 1 [s], step = 1 [ms], method = rk4
MODEL
two=$scratch/two.dry

numbers() { # FILE OPTION...: the states over the time
    file=$1
    shift
    "$drystone" run "$file" "$@" --no-watch --quiet -o - | sed 1d | cut -d, -f1-5
}
same_as_flat() { # FLAT-PARAMETER METHOD OPTION...
    flat=$1 method=$2
    shift 2
    numbers "$scratch/flat.dry" -p "$flat" --method "$method" >"$scratch/flat.csv"
    numbers "$two" --method "$method" "$@" >"$scratch/two.csv"
    [ "$(wc -l <"$scratch/two.csv")" = 1001 ] && cmp "$scratch/flat.csv" "$scratch/two.csv"
}
for method in rk4 dop853 rigid; do
    check "the numbers are those of one text, by $method" same_as_flat bJ=2e-3 "$method" -p b.J=2e-3
done
check "also in native code" same_as_flat bJ=2e-3 rk4 -p b.J=2e-3 --native
exported() {
    "$drystone" export "$two" -p b.J=2e-3 --no-watch -o "$scratch/c" && make -s -C "$scratch/c" &&
        "$scratch/c/model" | sed 1d | cut -d, -f1-5 >"$scratch/c.csv" &&
        grep -q 'model_real b_J;' "$scratch/c/model.h" && cmp "$scratch/c.csv" "$scratch/two.csv"
}
check "and in exported C" exported
check "a column has its name" sh -c '"$1" run "$2" --no-watch --quiet -o - | head -1 | grep -q "a.w \[1/s\],b.w \[1/s\]"' \
    sh "$drystone" "$two"

gives "show lists the file and what it leaves out" 0 stdout 'b: .*/parts/motor.dry (left out: run, plot)$' show "$two"
gives "latex has the name as an index" 0 stdout 'w_{.mathrm{a}}' show "$two" --as latex
gives "a setting of another name is refused" 3 stderr 'no parameter `b.G`' run "$two" -p b.G=1
check "an input of the file takes a record" sh -c \
    'printf "t,u\n0,1\n2,1\n" >"$3.csv" && sed "s/ with u = .*sin.*//" "$2" >"$3.dry" &&
    "$1" run "$3.dry" --no-watch --input "a.u=$3.csv:u" | grep -q at_end' sh "$drystone" "$two" "$scratch/fed"

write "$scratch/parts/wrong.dry" <<'MODEL'
state w = 0 [1/s]
w' = 1 [1/s^2] + nothing
MODEL
echo 'include "parts/wrong.dry" as m' >"$scratch/wrong.dry"
wrong_place() {
    "$drystone" check "$scratch/wrong.dry" 2>&1 | tee "$scratch/said"
    grep -q '/parts/wrong.dry:2:18: error: `nothing` is not defined' "$scratch/said" &&
        grep -q "2 | w' = 1 \[1/s^2\] + nothing" "$scratch/said"
}
check "a message has the file, the place and the line of where it points to" wrong_place

sed 's/2 \[ms\]/2 [msec]/' "$scratch/parts/motor.dry" >"$scratch/parts/unit.dry"
printf 'include "parts/unit.dry" as a\ninclude "parts/unit.dry" as b\nrun until = 1 [s], step = 1 [ms]\n' >"$scratch/twice.dry"
said_once() { # FILE PATTERN
    "$drystone" check "$1" >"$scratch/said" 2>&1 || :
    cat "$scratch/said"
    [ "$(grep -c -e "$2" "$scratch/said")" = 1 ]
}
check "a mistake of a file that is included twice is told once" said_once "$scratch/twice.dry" 'unknown-unit'

# A sweep that is resumed, and native code that is kept: both are of the file as it was.
sweep() { "$drystone" sweep "$two" -p a.F=0.01:0.03:3 --quiet -o "$scratch/sweep.csv"; }
notices() {
    numbers "$two" --native >"$scratch/before.csv"
    sweep && cp "$scratch/sweep.csv" "$scratch/old.csv"
    sed 's/J = 1e-3/J = 3e-3/' "$scratch/parts/motor.dry" >"$scratch/changed" &&
        mv "$scratch/changed" "$scratch/parts/motor.dry"
    numbers "$two" --native >"$scratch/after.csv"
    numbers "$two" --no-native >"$scratch/bytecode.csv"
    sweep && ! cmp -s "$scratch/sweep.csv" "$scratch/old.csv" && ! cmp -s "$scratch/before.csv" "$scratch/after.csv" &&
        cmp "$scratch/after.csv" "$scratch/bytecode.csv"
}
check "a changed file is noticed" notices

finish
