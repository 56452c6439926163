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
write "$scratch/coarse.dry" <<'MODEL'
param m = 1 [kg], k = 1e6 [N/m]
state x = 1 [m], v = 0 [m/s]
x' = v
m*v' = -k*x
run until = 1 [s], step = 1 [ms]
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
write "$scratch/ball.dry" <<'MODEL'
part earth = gravity(g = 9.81 [m/s^2])
part ground = plane()
part ball = sphere(radius = 0.1 [m], mass = 1 [kg], p = [0, 0, 0.1] [m])
part touch = contact()
connect touch - ground
connect touch - ball
run until = 1 [s], step = 1 [ms]
MODEL
check "rigid is not advised for parts, which it does not take" says 'use a smaller step, or give K$' "$scratch/ball.dry" --quiet
check "a step longer than the run is an error" ends 4 run "$scratch/floor.dry" --step 2 --until 1
check "a run that is wrong is not converged" says 'NOT CONVERGED: ' "$scratch/coarse.dry" --quiet
check "--strict ends with 4" ends 4 run "$scratch/coarse.dry" --strict --quiet
check "also where something gives way" ends 4 run "$scratch/floor.dry" --strict --quiet
check "not where all is well" ends 0 run "$scratch/good.dry" --strict --quiet
check "--no-watch says nothing" sh -c '"$1" run "$2" --no-watch --quiet >"$3" 2>&1 && [ ! -s "$3" ]' sh "$drystone" "$scratch/coarse.dry" "$scratch/log"
check "--no-watch and --strict exclude each other" ends 2 run "$scratch/good.dry" --no-watch --strict
check "--watch-error says what is trusted" ends 0 run "$scratch/coarse.dry" --strict --quiet --watch-error 100

# beyond the limit: windows from states that were kept
check "beyond the limit windows are sampled, which --quiet does not leave out" \
    says 'good.dry: sampled: 8 windows, 0.065 s of 5 s, agree to .* this does not cover the whole run' "$scratch/good.dry" --quiet --watch-limit 6e4
check "--strict does not accept that" ends 4 run "$scratch/good.dry" --strict --quiet --watch-limit 6e4
for how in '--watch-limit 100' '--watch-limit 1e3 --method dopri5 --rtol 1e-12' '--watch-limit 6e4 --record 1.5e-3' \
    '--watch-limit 6e4 --method rigid' '--watch-limit 100 --record 2.5'; do
    # shellcheck disable=SC2086  # words
    check "so are those of $how" says 'good.dry: sampled: [1-8] windows*, .* agrees* to [0-9]*e-' "$scratch/good.dry" --quiet $how
done
check "too few steps for windows: not watched, which --quiet does not leave out" \
    says 'good.dry: not watched: ' "$scratch/good.dry" --quiet --watch-limit 100 --step 0.1
check "--strict does not accept that either" ends 4 run "$scratch/good.dry" --strict --quiet --watch-limit 100 --step 0.1
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
same_lines() { # every line of stderr stands in the JSON and on the page
    "$drystone" run "$scratch/floor.dry" --json --report "$scratch/page.html" >"$scratch/json" 2>"$scratch/said" || return 1
    [ "$(wc -l <"$scratch/said")" -ge 2 ] || return 1
    while read -r line; do
        line=${line#*.dry: }
        grep -qF -e "\"$line\"" "$scratch/json" || return 1
        grep -qF -e "$(printf '%s' "$line" | sed 's/</\&lt;/g; s/>/\&gt;/g')" "$scratch/page.html" || return 1
    done <"$scratch/said"
}
check "with every line of stderr, as has the page" same_lines
page() {
    "$drystone" run "$scratch/floor.dry" --quiet --report "$scratch/page.html" 2>/dev/null &&
        grep -q 'N gives way by 0.19 m' "$scratch/page.html" && grep -q '<p>trusted to ' "$scratch/page.html"
}
check "so has the report" page

# The C that export writes says in its header what a run of it said.
header() { # MODEL ARGUMENT...: the comment at the top of the header on one line, without its stars
    model=$1
    shift
    rm -rf "$scratch/c"
    "$drystone" export "$model" -o "$scratch/c" "$@" >/dev/null 2>"$scratch/stderr" &&
        sed -n '1,/\*\//{s/^ \* *//;s/ \*\/$//;p;}' "$scratch/c/model.h" | tr '\n' ' ' >"$scratch/header"
}
heads() { # PATTERN MODEL ARGUMENT...
    pattern=$1
    shift
    header "$@" && cat "$scratch/header" && grep -q -e "$pattern" "$scratch/header"
}
same_word() { # MODEL: every line of run stands in the header
    header "$1" && "$drystone" run "$1" >/dev/null 2>"$scratch/said" || return 1
    while read -r line; do grep -qF -e "${line#*.dry: }" "$scratch/header" || return 1; done <"$scratch/said"
}
check "export writes the word of the run into the header" heads ' rk4, step 0.001 s, 0 .. 5 s: trusted to [0-9.e-]* $' "$scratch/good.dry"
check "the same as run's" same_word "$scratch/good.dry"
check "with what gives way" same_word "$scratch/floor.dry"
check "and what is not converged" same_word "$scratch/coarse.dry"
check "the word stands on stderr too" grep -q 'coarse.dry: NOT CONVERGED' "$scratch/stderr"
check "single precision is not what was watched" heads 'in double precision: trusted' "$scratch/good.dry" --float
check "--no-watch leaves it out, and says so" heads '[a-z]\.  not watched $' "$scratch/coarse.dry" --no-watch
check "and says nothing else" [ ! -s "$scratch/stderr" ]
check "a run beyond the limit is not watched" heads 's: not watched: the run takes 4e+04 rates times states' "$scratch/good.dry" --watch-limit 1e4
check "export --strict ends with 4" ends 4 export "$scratch/coarse.dry" -o "$scratch/c" --strict
check "not where all is well" ends 0 export "$scratch/good.dry" -o "$scratch/c" --strict
check "nor beside --no-watch" ends 2 export "$scratch/good.dry" -o "$scratch/c" --strict --no-watch
mkdir "$scratch/bin"
for name in cc gcc clang c99; do
    printf '#!/bin/sh\ntouch "%s/called"\nexit 1\n' "$scratch" >"$scratch/bin/$name"
    chmod +x "$scratch/bin/$name"
done
uncompiled() { # a long run, which repeats would compile
    CC=$scratch/bin/cc PATH="$scratch/bin:$PATH" "$drystone" export "$scratch/good.dry" --step 1e-6 --watch-limit 1e9 -o "$scratch/c" >/dev/null 2>&1 &&
        grep -q 'trusted to' "$scratch/c/model.h" && [ ! -e "$scratch/called" ]
}
check "the repeats of export call no compiler" uncompiled

# Euler's oscillator grows by (1 + (w T)^2)^(n/2): after 500 steps of 10 ms by 2.5e-4 with w = 0.1, by 0.25 with w = 3
write "$scratch/euler.dry" <<'MODEL'
param w = 1 [1/s]
state x = 1 [m], v = 0 [m/s]
x' = v
v' = -x*w^2
run until = 5 [s], step = 10 [ms], method = euler
measure xe = final(x)
MODEL
column() { # WANTED FILE PLAIN ARGUMENT...: the column `watch`; the others as a sweep with PLAIN alone has them
    wanted=$1 file=$2 plain=$3
    shift 3
    # shellcheck disable=SC2086  # words
    "$drystone" sweep "$file" $plain "$@" --watch >"$scratch/with.csv" 2>"$scratch/stderr" || return 1
    # shellcheck disable=SC2086  # words
    "$drystone" sweep "$file" $plain >"$scratch/without.csv" 2>/dev/null || return 1
    head -n 1 "$scratch/with.csv" | grep -q ',watch,status$' || return 1
    [ "$(sed 1d "$scratch/with.csv" | awk -F, '{ printf "%s ", $(NF - 1) }')" = "$wanted" ] &&
        awk -F, -v OFS=, '{ $(NF - 1) = $NF; NF--; print }' "$scratch/with.csv" | cmp -s - "$scratch/without.csv"
}
check "sweep --watch has a column" column '0 4 ' "$scratch/euler.dry" '-p w=0.1,3 --force'
check "and counts what cannot be trusted" grep -q '1 of 2 points cannot be trusted: not converged (watch 4) 1' "$scratch/stderr"
check "what gives way is 2" column '2 2 ' "$scratch/floor.dry" '-p m=1,2'
check "what takes too long is 1" column '1 1 ' "$scratch/euler.dry" '-p w=0.1,0.2 --force' --watch-limit 1
check "sweep --strict ends with 4" ends 4 sweep "$scratch/euler.dry" -p w=0.1,3 --force --strict
check "not where all can be trusted" ends 0 sweep "$scratch/euler.dry" -p w=0.1,0.2 --force --strict
check "the picture of a sweep has no panel for it" sh -c '"$1" sweep "$2" -p w=0.1,0.2,0.3 --force --watch --quiet -o "$3.csv" --plot "$3.svg" && ! grep -q ">watch" "$3.svg"' sh "$drystone" "$scratch/euler.dry" "$scratch/drawn"
compared() {
    "$drystone" compare "$scratch/euler.dry" --methods euler,rk4 --watch >"$scratch/stdout" 2>/dev/null &&
        grep -q '^euler: NOT CONVERGED: ' "$scratch/stdout" && grep -q '^rk4: trusted to ' "$scratch/stdout"
}
check "compare --watch has a line for each run" compared
check "compare --strict ends with 4" ends 4 compare "$scratch/euler.dry" --methods euler,rk4 --strict
check "not where all can be trusted" ends 0 compare "$scratch/euler.dry" --methods rk4,dop853 --strict
for verb in 'test' 'compare' 'sweep -p w=1,2'; do
    # shellcheck disable=SC2086  # two words
    check "${verb%% *} --watch-limit without --watch is refused" ends 2 $verb "$scratch/euler.dry" --watch-limit 1e6
done

check "test --watch fails where a result cannot be trusted" ends 1 test "$scratch/coarse.dry" --watch
sed '1i # watch: not converged: shown for it' "$scratch/coarse.dry" >"$scratch/known.dry"
check "unless the model says so" ends 0 test "$scratch/known.dry" --watch
sed '1i # watch: sensitive: it is not' "$scratch/coarse.dry" >"$scratch/other.dry"
check "with the right word" ends 1 test "$scratch/other.dry" --watch
set -- models/hello.dry models/papers models/classics
if built_with URDF; then set -- models; fi
check "every model that is shipped gets no word, or the one it says" "$drystone" test "$@" --watch --quiet

finish
