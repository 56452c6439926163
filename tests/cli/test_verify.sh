#!/bin/sh
# What a run tells about itself: the errors of --verify hold the truth, and the restitution is told.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

# ---- verify -------------------------------------------------------------------------------------

# x = 0.5 m, turns at -0.4, 0.3, -0.2, 0.1 m and stands at 0: each half swing loses 2 F/k = 0.1 m.
write "$scratch/swing.dry" <<'MODEL'
param m = 1 [kg], k = 100 [N/m], F = 5 [N]
state x = 0.5 [m], v = 0 [m/s]
f in F*sgn(v)
x' = v
m*v' = -k*x - f
run until = 6 [s], step = 10 [ms]
measure rest = final(x)
MODEL

holds_zero() { # METHOD: the error that is told for `rest` is not smaller than rest itself
    "$drystone" run "$scratch/swing.dry" --verify --method "$1" >"$scratch/log" 2>&1
    awk '$1 == "rest" && $4 == "+-" { rest = $3 < 0 ? -$3 : $3; held += rest <= $5 && rest != 0 }
         END { exit held != 1 }' "$scratch/log"
}

for method in rk4 heun rigid dop853; do
    check "verify counts the error of a chosen K, with $method" holds_zero "$method"
done
sed "s/sgn(v)/sgn(v) with K = 2e4 [N\/m], beta = 10 [ms]/" "$scratch/swing.dry" >"$scratch/given.dry"
gives "where K is given it counts that of the method alone" 0 stdout '^  rest .* +- [0-9.]*e-0[5-9] m' \
    run "$scratch/given.dry" --verify

# A flash of 0.1 ms between the samples of an adaptive run, whose largest value is 1: the error that is told covers it.
write "$scratch/flash.dry" <<'MODEL'
state x = 0 [m]
x' = 1 [m/s]
flash = exp(-(1e4*(t/1 [s] - 0.50037))^2)
run until = 1 [s], method = dopri5
measure peak = max(flash)
MODEL
holds_one() { # ARGUMENTS: the error that is told for `peak` reaches 1
    "$drystone" run "$scratch/flash.dry" --verify "$@" >"$scratch/flash" 2>&1
    awk '$1 == "peak" && $4 == "+-" { held += $3 + $5 >= 1 && $3 < 0.5 } END { exit held != 1 }' "$scratch/flash"
}
check "verify counts what samples have missed" holds_one
check "and tells how far apart the finest were" grep -q 'samples 0.001 s apart, 1e-05 s in the finest run' "$scratch/flash"
check "so it does where --record says how far" holds_one --method rk4 --step 1e-4 --record 5e-4
gives "samples that miss no step are not worth a word" 0 stdout 'trusted to' run "$scratch/given.dry" --verify
check "of theirs" sh -c '! grep -q "samples" "$1"' sh "$scratch/stdout"

# ---- restitution --------------------------------------------------------------------------------

write "$scratch/drop.dry" <<'MODEL'
state z = 1 [m], v = 0 [m/s]
N in dio(z)
z' = v
2 [kg]*v' = N - 19.62 [N]
run until = 0.7 [s], step = 1 [ms]
measure top = max(z from 0.5 to 0.7)
MODEL
sed 's/dio(z)/dio(z) with K = 2e6 [N\/m], alpha = 1 [ms], beta = 1 [ms]/' "$scratch/drop.dry" >"$scratch/spring.dry"
sed 's/1 \[ms\]$/1 [ms], method = rigid/' "$scratch/drop.dry" >"$scratch/rigid.dry"

gives "a rigid run shows the default restitution" 0 stdout 'contact  *restitution = 0.3 (the default)' \
    run "$scratch/drop.dry" --method rigid
check "and rises as high" grep -q 'top  *= 0\.0[89]' "$scratch/stdout"
gives "as one with a K does" 0 stdout 'K = .*, restitution = 0.3 (from the step' run "$scratch/drop.dry" --no-watch
gives "by any method" 0 stdout 'K = .*, restitution = 0.3 (from the step' run "$scratch/drop.dry" --method euler --no-watch
gives "the restitution of K, alpha and beta too" 0 stdout 'restitution = 1 (from K, alpha, beta' \
    run "$scratch/spring.dry" --method rigid
gives "JSON has it" 0 stdout '"restitution": 0.3}' run "$scratch/drop.dry" --method rigid --json
gives "show has the set that is kept" 0 stdout '^  N in dio(z)' show "$scratch/rigid.dry"
check "with its restitution, and without K" sh -c 'grep -q "restitution 0.3" "$1" && ! grep -q "K =" "$1"' sh "$scratch/stdout"

# ---- an ellipse ------------------------------------------------------------------------------------

# The rigid block stops at (1.129514, 0.178310) m: the integrals of the flow rule (models/classics/grain-stops.dry). The law that
# would relax the ellipse has no part in it.
for law in coulomb elliptic; do
    write "$scratch/ellipse.dry" <<MODEL
param m = 1 [kg], g = 9.8 [m/s^2], D = [[0.2, 0], [0, 0.5]]
state p[2] = [0 [m], 0 [m]], v[2] = [2 [m/s], 1 [m/s]]
f in m*g*D*sgn(D*v) with law = $law()
p' = v
m*v' = -f
run until = 1.5 [s], step = 0.1 [ms], method = rigid
expect final(p[1]) = 1.129514 [m] +- 1e-6 [m]
expect final(p[2]) = 0.178310 [m] +- 1e-6 [m]
MODEL
    gives "an ellipse by the rigid method, with law = $law" 0 stdout '2 passed, 0 failed' test "$scratch/ellipse.dry"
done
sed 's/^f in .*/f in m*g*sgn(v) with law = elliptic(D11 = 0.2, D22 = 0.5)/' "$scratch/ellipse.dry" >"$scratch/entries.dry"
gives "with the entries of the matrix as keys of the law" 0 stdout '2 passed, 0 failed' test "$scratch/entries.dry"
sed 's/D\[.*//; s/^param m.*/param m = 1 [kg], g = 9.8 [m\/s^2], D = [[0.2, 0], [0, 0]]/' "$scratch/ellipse.dry" >"$scratch/flat.dry"
gives "a half axis of 0 is refused, not guessed" 4 stderr 'does not oppose its own motion.*half axis of an ellipse' run "$scratch/flat.dry"

finish
