#!/bin/sh
# The word of a run on the command line, and the words of all models that are shipped.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

write() { cat >"$1"; }
write "$scratch/floor.dry" <<'MODEL'
param m = 1 [kg]
state y = 0 [m], v = 0 [m/s]
y' = v
m*v' = -m*9.81 + N
N in dio(y)
run until = 1 [s], step = 10 [ms]
measure ye = final(y)
MODEL
write "$scratch/lugre.dry" <<'MODEL'
param m = 1 [kg]
state p = 0 [m], v = 0 [m/s]
f = lugre(v, F = 0.5 [N], K = 5e3 [N/m], B = 10 [N s/m])
p' = v
m*v' = 1 [N] - f
run until = 10 [s], step = 1 [ms]
MODEL
write "$scratch/good.dry" <<'MODEL'
state x = 1 [m], v = 0 [m/s]
x' = v
v' = -x/1 [s^2]
run until = 5 [s], step = 1 [ms]
plot x
MODEL

says() { # PATTERN ARGUMENT...: its word, on stderr
    pattern=$1
    shift
    "$drystone" run "$@" >"$scratch/stdout" 2>"$scratch/stderr" && grep -q -e "$pattern" "$scratch/stderr"
}
ends() { # STATUS ARGUMENT...
    wanted=$1 ended=0
    shift
    "$drystone" "$@" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    [ "$ended" = "$wanted" ]
}

check "a run says how far it can be trusted" says 'good.dry: trusted to [0-9.e-]*$' "$scratch/good.dry"
check "which --quiet leaves out" sh -c '"$1" run "$2" --quiet >"$3" 2>&1 && [ ! -s "$3" ]' sh "$drystone" "$scratch/good.dry" "$scratch/log"
check "a floor that gives way is told, with three ways out" \
    says 'floor.dry: N gives way by 0.19 m; step <= 0.72 ms, K >= 9.9e+03 N/m, or rigid, for 1 mm$' "$scratch/floor.dry" --quiet
check "a step longer than the run is an error" ends 4 run "$scratch/floor.dry" --step 2 --until 1
check "a run that is wrong is not converged" says 'NOT CONVERGED: ' "$scratch/lugre.dry" --quiet
check "--strict ends with 4" ends 4 run "$scratch/lugre.dry" --strict --quiet
check "also where something gives way" ends 4 run "$scratch/floor.dry" --strict --quiet
check "not where all is well" ends 0 run "$scratch/good.dry" --strict --quiet
check "--no-watch says nothing" sh -c '"$1" run "$2" --no-watch --quiet >"$3" 2>&1 && [ ! -s "$3" ]' sh "$drystone" "$scratch/lugre.dry" "$scratch/log"
check "--no-watch and --strict exclude each other" ends 2 run "$scratch/good.dry" --no-watch --strict
check "--watch-error says what is trusted" ends 0 run "$scratch/lugre.dry" --strict --quiet --watch-error 100

# beyond the limit: windows from recorded states, or nothing where the record does not hold them all
check "beyond the limit windows are sampled, which --quiet does not leave out" \
    says 'good.dry: sampled: 8 windows of 0.009 s agree to .* nothing is claimed for the whole' "$scratch/good.dry" --quiet --watch-limit 6e4
check "--strict does not accept that" ends 4 run "$scratch/good.dry" --strict --quiet --watch-limit 6e4
check "a limit too low for windows: not watched, which --quiet does not leave out" \
    says 'good.dry: not watched: ' "$scratch/good.dry" --quiet --watch-limit 100
check "--strict does not accept that either" ends 4 run "$scratch/good.dry" --strict --quiet --watch-limit 100
check "steps that a method chooses are not sampled" \
    says 'good.dry: not watched: ' "$scratch/good.dry" --quiet --watch-limit 1e3 --method dopri5 --rtol 1e-12
check "samples between steps are not sampled" \
    says 'good.dry: not watched: ' "$scratch/good.dry" --quiet --watch-limit 6e4 --record 1.5e-3
sampled_json() { "$drystone" run "$scratch/good.dry" --json --watch-limit 6e4 2>/dev/null | grep -q '"watch": {"word": "unwatched", "error": [0-9.e-]*, "sampled": true'; }
check "JSON says that windows were sampled" sampled_json
check "test --watch lets a run pass that takes too long" ends 0 test "$scratch/good.dry" --watch --watch-limit 100
check "test --strict does not" ends 1 test "$scratch/good.dry" --strict --watch-limit 100

same_files() {
    "$drystone" run "$scratch/good.dry" --quiet -o "$scratch/a.csv" 2>/dev/null &&
        "$drystone" run "$scratch/good.dry" --quiet --no-watch -o "$scratch/b.csv" && cmp "$scratch/a.csv" "$scratch/b.csv"
}
check "results keep their bits" same_files
json() { "$drystone" run "$scratch/floor.dry" --json 2>/dev/null | grep -q '"watch": {"word": "trusted", .*"gives": \[{"name": "N", "by": 0.19'; }
check "JSON has the word" json
page() {
    "$drystone" run "$scratch/floor.dry" --quiet --report "$scratch/page.html" 2>/dev/null &&
        grep -q 'N gives way by 0.19 m' "$scratch/page.html" && grep -q '<p>trusted to ' "$scratch/page.html"
}
check "so has the report" page

check "test --watch fails where a result cannot be trusted" ends 1 test "$scratch/lugre.dry" --watch
sed '1i # watch: not converged: shown for it' "$scratch/lugre.dry" >"$scratch/known.dry"
check "unless the model says so" ends 0 test "$scratch/known.dry" --watch
sed '1i # watch: sensitive: it is not' "$scratch/lugre.dry" >"$scratch/other.dry"
check "with the right word" ends 1 test "$scratch/other.dry" --watch
check "every model that is shipped gets no word, or the one it says" "$drystone" test models --watch --quiet

finish
