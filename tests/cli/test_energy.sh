#!/bin/sh
# Laws that create energy: one that promises to take energy only ends a run with 4, one that promises nothing gets a line.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

# A mass of 0.5 J meets a stop, by Euler steps that are three times too long for it: it leaves faster than it came.
cat >"$scratch/liar.dry" <<'MODEL'
part m = point_mass(mass = 1 [kg], p = 0.05, v = -1)
part s = unilateral(K = 1e5 [N/m], alpha = 0.5 [ms], beta = 1 [ms])
connect s - m - world
run until = 0.2 [s], step = 1.5 [ms], method = euler
measure most = max(m.kinetic)
MODEL
# A mass on a spring by Euler steps: its energy is multiplied by 1 + (omega T)^2 in each, so by 1.04^150.
cat >"$scratch/giver.dry" <<'MODEL'
part m = point_mass(mass = 1 [kg], p = 1, v = 0)
part s = spring(K = 100 [N/m])
connect s - m - world
run until = 3 [s], step = 20 [ms], method = euler
measure all = final(m.kinetic + s.stored)
MODEL
sed 's/step = 1.5 \[ms\], method = euler/step = 0.05 [ms], method = rk4/' "$scratch/liar.dry" >"$scratch/good.dry"

ends() { # STATUS PATTERN ARGUMENT...: ends so, and the pattern is on standard error
    wanted=$1 pattern=$2 ended=0
    shift 2
    "$drystone" "$@" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    cat "$scratch/stdout" "$scratch/stderr"
    [ "$ended" = "$wanted" ] && grep -q -e "$pattern" "$scratch/stderr"
}
lie='liar.dry: s (unilateral) promises to take energy only, and has created [0-9.]* J'
check "a passive law that creates energy ends the run with 4" ends 4 "$lie" run "$scratch/liar.dry" --force
for option in --quiet --json --no-watch --verify; do
    check "with $option too" ends 4 "$lie" run "$scratch/liar.dry" --force $option
done
check "compare says that it did not reach its end" ends 4 "$lie" compare "$scratch/liar.dry" --methods euler,rk4
check "and has the other run" grep -q '^rk4 .*reference' "$scratch/stdout"
check "a point of a sweep fails" ends 4 'points could not be run: run failed' sweep "$scratch/liar.dry" -p m.mass=1,2 --force
check "and has no number" grep -q '^1,nan,' "$scratch/stdout"

given='giver.dry: s (spring) has created [0-9.e+]* J, 0.[0-9]* of what passed through it: its law does not promise'
check "a part that promises nothing gets a line" ends 0 "$given" run "$scratch/giver.dry" --force
check "with --quiet too" ends 0 "$given" run "$scratch/giver.dry" --force --quiet
grown() { # 50 J times 1.04^150
    "$drystone" run "$scratch/giver.dry" --force --json 2>/dev/null | sed -n 's/.*"all": \([0-9.e+]*\).*/\1/p' |
        awk '{ exit !($1 > 0.999*50*1.04^150 && $1 < 1.001*50*1.04^150) }'
}
check "which is right: the energy has grown" grown

quiet() { # ARGUMENT...: ends well, and nobody is said to have created anything
    "$drystone" run "$@" >"$scratch/stdout" 2>"$scratch/stderr" && cat "$scratch/stderr" && ! grep -q 'created' "$scratch/stderr"
}
check "a step that is short enough creates nothing" quiet "$scratch/good.dry"
check "nor does a spring by rk4" quiet "$scratch/giver.dry" --method rk4

finish
