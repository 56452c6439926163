#!/bin/sh
# `drystone fit --laws`: one text with several friction laws, ranked; what it writes, and what it refuses.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

# A block under a force of 1.2 N at 7 rad/s, with noise of 0.05 mm and 1 mm/s in what was measured.
block() { # NAME FRICTION-AND-MORE RUN
    write "$scratch/$1.dry" <<MODEL
param F = 0.6 [N]
state p = 0 [m], v = 0.4 [m/s]
$2
p' = v
2 [kg]*v' = -f + 1.2 [N]*sin(7 [rad/s]*t)
$3
MODEL
}
noise='seen = p + 0.05 [mm]*noise(400*t/(1 [s]), 1)
seenv = v + 1 [mm/s]*noise(400*t/(1 [s]), 2)
run until = 4 [s], step = 0.5 [ms], record = 5 [ms]'
block rig_lugre 'f = lugre(v, F = 0.5 [N], Fs = 0.9 [N], vs = 50 [mm/s], K = 500 [N/m], B = 3 [N s/m])' "$noise"
block rig_coulomb 'f in 0.5 [N]*sgn(v) with K = 1e3 [N/m], beta = 2 [ms]' "$noise"
"$drystone" run "$scratch/rig_lugre.dry" --quiet --no-watch -o "$scratch/lugre.csv"
"$drystone" run "$scratch/rig_coulomb.dry" --quiet --no-watch -o "$scratch/coulomb.csv"
against='output p against "lugre.csv" column "seen"
output v against "lugre.csv" column "seenv"
run until = 4 [s], step = 0.5 [ms]'
coulomb='f in F*sgn(v) with K = 1e3 [N/m], beta = 2 [ms]'
block block "$coulomb" "$against
free F in 0.1..10 log"
block=$scratch/block.dry

# Whether each of NAME TRUTH ... is in the interval of the first table that is printed.
holds() { # FILE NAME TRUTH ...
    holds_file=$1
    shift
    while [ $# -gt 0 ]; do
        awk -v name="$1" -v truth="$2" '/^outputs/ { exit }
            $1 == name { for (i = 1; i < NF; i++) if ($i == "..") { low = $(i - 1); high = $(i + 1) } found = 1 }
            END { exit !(found && low < truth && truth < high) }' "$holds_file" || return 1
        shift 2
    done
}
first() { sed -n '/^models/,$p' "$1" | sed -n '3s/^  \([a-z_:0-9]*\) .*/\1/p'; }

"$drystone" fit "$block" --laws coulomb,lugre,gms:2,multistate -o "$scratch/best.dry" >"$scratch/lugre.txt"
check "data of lugre rank lugre first" test "$(first "$scratch/lugre.txt")" = lugre
check "with its parameters in their intervals" \
    holds "$scratch/lugre.txt" F 0.5 f_Fs 0.9 f_vs 0.05 f_K 500 f_B 3
"$drystone" fit "$block" --laws coulomb,lugre --hold-out last:40% >"$scratch/held.txt"
check "by what was held out too" test "$(first "$scratch/held.txt")" = lugre
check "the starts are told" grep -q \
    '^  it began at f_Fs = .* \[N\].*4 elements with equal shares of the level begin to slip at .* \[m\]' "$scratch/lugre.txt"
"$drystone" fit "$block" --data "$scratch/coulomb.csv" --laws coulomb,lugre,multistate:2 >"$scratch/coulomb.txt"
check "data of coulomb rank coulomb first, by BIC" test "$(first "$scratch/coulomb.txt")" = coulomb
check "with its level in the interval" holds "$scratch/coulomb.txt" F 0.5

check "-o has the best law instead of the other" grep -q \
    '^f in F\*sgn(v) with law = lugre(Fs = f_Fs, vs = f_vs, K = f_K, B = f_B)$' "$scratch/best.dry"
gives "as a text that can be fitted again" 0 stdout '^  f_B  = 3.0' fit "$scratch/best.dry"
gives "JSON names the law" 0 stdout '"law": "lugre"' fit "$block" --laws lugre --json
"$drystone" fit "$block" --laws dahl,coulomb --quiet --report "$scratch/page.html"
check "the page ranks them by their names" grep -q '>coulomb<' "$scratch/page.html"

# Other ways to write the force.
block call 'f = lugre(v, F = F, Fs = F + 0.1 [N], K = 400 [N/m], D = 0 [N s/m])  # measured' "$against
free F in 0.1..10 log"
"$drystone" fit "$scratch/call.dry" --laws coulomb --quiet -o "$scratch/called.dry"
check "the call of a law becomes that of another, and keeps its keys" grep -q \
    '^f = coulomb(v, F = F, K = 400 \[N/m\], beta = f_beta)  # measured$' "$scratch/called.dry"
block named "param K = 1e3 [N/m], T = 2 [ms]
f in F*sgn(v) with K = K, beta = T" "$against
free F in 0.1..10 log,
  T in 0.1..10, K in 1e2..1e4 log, start v in 0.3..0.5"
"$drystone" fit "$scratch/named.dry" --laws dahl --quiet -o "$scratch/dahl.dry"
check "a stiffness that is free stays what it is" grep -q '^f in F\*sgn(v) with law = dahl(K = K)$' "$scratch/dahl.dry"
check "what is no longer read is no longer free" grep -q '^free F in 0.1..10 log, K in 1e2..1e4 log, start v in 0.3..0.5$' \
    "$scratch/dahl.dry"
gives "from the line either" 0 stdout '^  f_B ' fit "$scratch/named.dry" --laws lugre --free F,T=0.1e-3..1
not_free() { ! "$drystone" fit "$scratch/named.dry" --laws lugre --free F,T=0.1e-3..1 | grep '^  T '; }
check "and the law does not know the rest" not_free
block flat 'f = multistate(v, N = 2, Fc = F, Fs = 0, kappa = [400, 200] [N/m], sigma = 1 [N s/m], tau_d = 0)' "$against
free F in 0.1..10 log"
"$drystone" fit "$scratch/flat.dry" --laws lugre --quiet -o "$scratch/flatter.dry"
check "a level without a curve gets none" grep -q '^f = lugre(v, F = F, Fs = 0, K = f_K, B = f_B)$' "$scratch/flatter.dry"
block slipping "level = F*(1 + 0.2*exp(-abs(v)/(50 [mm/s])))
f in level*sgn(v) with K = 1e3 [N/m], beta = 2 [ms]" "$against
free F in 0.1..10 log"
"$drystone" fit "$scratch/slipping.dry" --laws lugre --quiet -o "$scratch/slipped.dry"
check "a level that varies needs no curve beside it" grep -q \
    '^f in level\*sgn(v) with law = lugre(K = f_K, B = f_B)$' "$scratch/slipped.dry"
block two "f in F*sgn(v) with K = 1e3 [N/m], beta = 2 [ms]
state w = 1 [m/s]
g in 0.1 [N]*sgn(w) with K = 1e3 [N/m], beta = 2 [ms]
w' = -g/(2 [kg])" "$against
free F in 0.1..10 log"
gives "a force by its name" 0 stdout '^  dahl ' fit "$scratch/two.dry" --laws f:dahl,coulomb
gives "several models with several laws" 0 stdout "^  .*two.dry: dahl " fit "$block" "$scratch/two.dry" --laws f:dahl,coulomb

# What cannot be.
gives "no such law" 2 stderr 'no law `lugr` for --laws: did you mean `lugre`' fit "$block" --laws lugr
gives "a law without a level" 2 stderr '`viscous` cannot take the place of a friction law' fit "$block" --laws viscous
gives "the law of a contact" 2 stderr '`hunt_crossley` cannot take the place' fit "$block" --laws hunt_crossley
gives "a law that needs more of the model" 2 stderr '`karnopp` needs `push` (sum of the other forces' fit "$block" --laws karnopp
gives "elements where there are none" 2 stderr '`coulomb` has no elements: leave out `:3`' fit "$block" --laws coulomb:3
gives "too many elements" 2 stderr '`gms` takes 1 to 32 elements here, not 99' fit "$block" --laws gms:99
gives "a law twice" 2 stderr 'each once' fit "$block" --laws dahl,dahl
gives "no law at all" 2 stderr '--laws takes laws' fit "$block" --laws coulomb,,dahl
gives "two forces" 2 stderr 'has 2 friction forces: say whose law is to vary, such as --laws g:dahl' fit "$scratch/two.dry" --laws dahl
gives "no such force" 2 stderr 'has no friction force `x`: `f` is one' fit "$block" --laws x:dahl
block none 'f = 0.3 [N s/m]*v' "$against
free F"
gives "no friction force" 2 stderr 'has no friction force among its equations' fit "$scratch/none.dry" --laws dahl
block inside 'f = lugre(v, F = F, D = 0.1 [N s/m])' "$against
free F"
gives "viscous friction that another law does not have" 2 stderr 'write it beside the force, -f - D\*v' \
    fit "$scratch/inside.dry" --laws coulomb
write "$scratch/plane.dry" <<'MODEL'
param F = 0.6 [N]
state p[2] = [0, 0] [m], v[2] = [0.4, 0.1] [m/s]
f in F*sgn(v) with K = 1e3 [N/m], beta = 2 [ms]
p' = v
2 [kg]*v' = -f
output p[1] against "lugre.csv" column "seen"
free F
run until = 4 [s], step = 0.5 [ms]
MODEL
gives "a law of one direction" 2 stderr '`f` of .* acts in 2 dimensions, but `multistate` knows 1' \
    fit "$scratch/plane.dry" --laws multistate
block still "$coulomb
init v = 0" "output p against \"lugre.csv\" column \"seen\"
free F
run until = 0.01 [s], step = 0.5 [ms]"
sed -i 's/state p = 0 \[m\], v = 0.4 \[m.s\]/state p = 0 [m], v = 0/; /^init/d; s/ + 1.2 .*//' "$scratch/still.dry"
gives "a run without motion" 2 stderr 'but there nothing slides (`f`)' fit "$scratch/still.dry" --laws dahl
one_fails() {
    ended=0
    "$drystone" fit "$block" --laws dahl,karnopp >"$scratch/one.txt" 2>&1 || ended=$?
    [ "$ended" = 2 ] && grep -q '^  dahl ' "$scratch/one.txt"
}
check "one law fails, the others are ranked" one_fails
gives "-o has one text" 2 stderr '-o writes the text of one model' fit "$block" "$scratch/two.dry" --laws dahl -o "$scratch/x.dry"

finish
