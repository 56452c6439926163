#!/bin/sh
# The verbs that work on files: new, run, check, show, test, plot; what they write, say and return.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

has_png=$("$drystone" --version | awk '$1 == "PNG" { print $2 }')
has_hdf5=$("$drystone" --version | awk '$1 == "HDF5" { print $2 }')
has_sundials=$("$drystone" --version | awk '$1 == "SUNDIALS" { print $2 }')

# ---- models -------------------------------------------------------------------------------------

write "$scratch/block.dry" <<'MODEL'
model block "A block that is pushed"
param M = 1 [kg], F = 0.5 [N], push = 1 [N]
state p = 0 [m], v = 0 [m/s]
f in F*sgn(v)    with K = 5e3 [N/m], beta = 2 [ms]
p' = v
M*v' = push - f
run until = 1 [s], step = 1 [ms], method = rk4, record = 10 [ms]
plot p
plot f, v
measure reach = final(p)
expect reach > 0.2
MODEL
sed 's/reach > 0.2/reach > 2/' "$scratch/block.dry" >"$scratch/fails.dry"
sed 's/push - f/push - g/' "$scratch/block.dry" >"$scratch/wrong.dry"
sed '/^plot/d' "$scratch/block.dry" >"$scratch/plain.dry"
sed '/^run/d' "$scratch/block.dry" >"$scratch/endless.dry"
sed 's/F\*sgn(v)/F*(0.5 [s] - t)\/1 [s]*sgn(v)/' "$scratch/block.dry" >"$scratch/negative.dry"
write "$scratch/blowup.dry" <<'MODEL'
state x = 1 [m]
x' = x*x*1 [1\/m\/s]
run until = 2 [s], step = 1 [ms]
MODEL
sed -i 's/\\//g' "$scratch/blowup.dry"

# ---- helpers ------------------------------------------------------------------------------------

begins_with() { # FILE BYTES: the bytes in hexadecimals, as od prints them
    [ "$(od -A n -t x1 -N "$(echo "$2" | wc -w)" "$1" | xargs)" = "$2" ]
}
rows() { awk 'END { print NR - 1 }' "$1"; } # CSV FILE: rows below the header
column() { # CSV COLUMN: its values
    awk -F, -v want="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ "^" want " ") at = i; next } { print $at }' "$1"
}
last_of() { column "$1" "$2" | tail -n 1; }
near() { awk -v a="$1" -v b="$2" -v tol="$3" 'BEGIN { d = a - b; exit !(d <= tol && -d <= tol) }'; }
silent() { # ARGUMENT...: ends well and prints nothing
    "$drystone" "$@" >"$scratch/stdout" 2>"$scratch/stderr" || return 1
    cat "$scratch/stdout" "$scratch/stderr"
    [ ! -s "$scratch/stdout" ] && [ ! -s "$scratch/stderr" ]
}
# A reader of JSON: eats values until nothing is left.
is_json() { # FILE
    awk '
        function blank() { while (substr(s, at, 1) ~ /[ \t\n]/) at++ }
        function fail() { exit 1 }
        function eat(c) { blank(); if (substr(s, at, 1) != c) fail(); at++ }
        function string() {
            eat("\"")
            while (substr(s, at, 1) != "\"") { if (at > length(s)) fail(); at += substr(s, at, 1) == "\\" ? 2 : 1 }
            at++
        }
        function list(left, right, pairs) {
            eat(left); blank()
            if (substr(s, at, 1) == right) { at++; return }
            for (;;) {
                blank()
                if (pairs) { string(); eat(":") }
                value(); blank()
                if (substr(s, at, 1) == right) { at++; return }
                eat(",")
            }
        }
        function value(   rest) {
            blank(); rest = substr(s, at)
            if (rest ~ /^\{/) list("{", "}", 1)
            else if (rest ~ /^\[/) list("[", "]", 0)
            else if (rest ~ /^"/) string()
            else if (match(rest, /^(true|false|null|-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?)/)) at += RLENGTH
            else fail()
        }
        { s = s $0 "\n" }
        END { at = 1; value(); blank(); exit at <= length(s) }' "$1"
}

# ---- new ----------------------------------------------------------------------------------------

cd_drystone=$(cd "$(dirname "$drystone")" && pwd)/drystone
new_writes() { (cd "$scratch" && "$cd_drystone" new first && [ -s first.dry ]); }
check "new writes a model" new_writes
gives "the model of new passes its test" 0 stdout '^4 passed, 0 failed$' test "$scratch/first.dry"
gives "the model of new is named" 0 stdout '"model": "first"' run "$scratch/first.dry" --json
echo mine >"$scratch/kept.dry"
gives "new overwrites nothing" 2 stderr 'kept.dry already exists and stays as it is' new "$scratch/kept"
check "and leaves the file alone" grep -q '^mine$' "$scratch/kept.dry"
gives "new takes the ending too" 2 stderr 'kept.dry already exists' new "$scratch/kept.dry"
for bad in 3block a-b 'a b' .dry ''; do
    gives "new refuses the name '$bad'" 2 stderr 'cannot name a model' new "$scratch/$bad"
done
gives "new needs a name" 2 stderr '^drystone: usage: drystone new NAME' new
gives "new tells of a missing folder" 2 stderr 'cannot be written: No such file' new "$scratch/none/block"

# ---- run ----------------------------------------------------------------------------------------

sed 's/until = 1 /until = 1e6 /; /^measure/d; /^expect/d; s/record = 10 \[ms\]/record = 1 [s]/' "$scratch/block.dry" \
    >"$scratch/long.dry"
for file in -o=x.csv --plot=x.svg --report=x.html; do # it would take half an hour to get there
    gives "run tries ${file%=*} before it runs" 4 stderr 'none/x.* cannot write: No such file' \
        run "$scratch/long.dry" "${file%=*}" "$scratch/none/${file#*=}"
done
interrupted_after() { # SIGNAL SECONDS
    rm -f "$scratch"/long.*csv
    "$drystone" run "$scratch/long.dry" --no-native -o "$scratch/long.csv" 2>"$scratch/stderr" &
    run=$! ended=0
    sleep "$2"
    kill -"$1" $run
    wait $run || ended=$?
    [ $ended = 130 ] && grep -q 'long.partial.csv holds what was recorded until then' "$scratch/stderr" &&
        [ "$(tail -1 "$scratch/long.partial.csv" | cut -d, -f1)" -ge 1 ] && [ ! -e "$scratch/long.csv" ] && [ ! "$(find "$scratch" -name '*.tmp')" ]
}
interrupted() { # SIGNAL; a slow computer has not begun so soon
    interrupted_after "$1" 0.5 || interrupted_after "$1" 3 || interrupted_after "$1" 12
}
for signal in INT TERM HUP; do
    check "a run that gets $signal keeps what it has, and no hidden file" interrupted "$signal"
done
limited() ( # ENDING
    ulimit -f 100
    "$drystone" run "$scratch/long.dry" --no-native --step 1e-3 --record 1e-3 --until 1e3 --no-watch --quiet -o "$scratch/much.$1"
)
for ending in csv h5; do
    [ "$has_hdf5" = yes ] || [ "$ending" = csv ] || continue
    refuses "a .$ending that is longer than the shell allows is an error of writing" \
        "much.partial.$ending: cannot write: File too large" limited "$ending"
    refuses "which ends the run at once" 'the run ended at t = [0-9]\{1,2\}[.][0-9]* s, because' limited "$ending"
done
check "and leaves nothing" test -z "$(find "$scratch" -name '*much*')"

printf 'state x = 1\nx'"'"' = x^2/1 [s]\nrun until = 2 [s], step = 10 [ms]\n' >"$scratch/grows.dry"
gives "a run that fails tells what it has" 4 stderr 'grows.partial.csv holds what was recorded until then' \
    run "$scratch/grows.dry" --force -o "$scratch/grows.csv"
check "that is there, and nothing under the name of the whole" sh -c \
    "[ \$(wc -l <'$scratch/grows.partial.csv') -gt 90 ] && [ ! -e '$scratch/grows.csv' ]"
check "a run with a picture, which needs all rows, gives the bytes of one without" sh -c \
    "'$drystone' run '$scratch/block.dry' --no-watch --quiet --plot '$scratch/all.svg' -o '$scratch/all.csv' &&
    '$drystone' run '$scratch/block.dry' --no-watch --quiet -o '$scratch/rows.csv' &&
    cmp '$scratch/all.csv' '$scratch/rows.csv'"

gives "run tells what it did" 0 stdout '^  1000 steps, 4000 rates' run "$scratch/block.dry"
gives "run counts one law" 0 stdout '^  3 states, 1 set-valued force or law, ' run "$scratch/block.dry"
gives "run prints measures" 0 stdout '^  reach  *= 0\.2[0-9]* m$' run "$scratch/block.dry"
gives "run prints expectations" 0 stdout '^  met  *reach > 0.2' run "$scratch/block.dry"
gives "an expectation that fails gives 1" 1 stdout '^  NOT MET reach > 2' run "$scratch/fails.dry"
gives "a wrong model gives 3" 3 stderr 'wrong.dry:6:15: error: `g` is not defined' run "$scratch/wrong.dry"
gives "a level that becomes negative gives 4" 4 stderr 'at t = 0.50[0-9]* s ' run "$scratch/negative.dry"
gives "a run that leaves the numbers gives 4" 4 stderr 'x' run "$scratch/blowup.dry"
gives "a run without an end is bad usage" 2 stderr 'does not give the length of the run' run "$scratch/endless.dry"
gives "an end can be given" 0 stdout '0 \.\. 0\.5 s$' run "$scratch/plain.dry" --until 0.5 -p push=3
gives "a file that is not there gives 2" 2 stderr 'none.dry: cannot read: No such file' run "$scratch/none.dry"
gives "a folder is no model" 2 stderr 'Is a directory' run "$scratch"
gives "run takes one file" 2 stderr 'is one too many' run "$scratch/block.dry" "$scratch/block.dry"
from_input() { "$drystone" run - <"$scratch/block.dry" | grep -q '^A block that is pushed$'; }
check "a model comes from standard input" from_input

gives "a parameter can be set" 0 stdout 'reach  *= 1\.2' run "$scratch/block.dry" -p push=3
gives "an unknown parameter is explained" 3 stderr 'did you mean `push`?' run "$scratch/block.dry" -p pusch=3
gives "a parameter is given once" 2 stderr 'the parameter `push` is given twice' run "$scratch/block.dry" -p push=1 -p push=2
gives "a parameter needs a number" 2 stderr '^drystone: --param push=much: a number must stand before' run "$scratch/block.dry" -p push=much
gives "the step can be set" 0 stdout '^  2000 steps' run "$scratch/block.dry" --step 0.0005
gives "a step is positive" 2 stderr '^drystone: --step takes a positive number of seconds' run "$scratch/block.dry" --step -1
gives "an unstable step is refused" 3 stderr 'outside the stability bound' run "$scratch/block.dry" --step 0.1
gives "the method can be set" 0 stdout ', heun, step' run "$scratch/block.dry" --method heun
gives "a wrong method is explained" 2 stderr "there is no method 'rk5'; the methods are euler, " run "$scratch/block.dry" --method rk5
gives "an adaptive method runs" 0 stdout ', dopri5' run "$scratch/block.dry" --method dopri5 --rtol 1e-8 --atol 1e-10

csv=$scratch/result.csv
check "quiet is quiet" silent run "$scratch/block.dry" --quiet -o "$csv"
check "the results have a header with units" grep -q '^t \[s\],p \[m\],v \[m/s\],' "$csv"
check "the results have a row per record" test "$(rows "$csv")" = 101
check "the last row is the end" test "$(last_of "$csv" t)" = 1
gained() { column "$csv" v | tail -n 11 | awk 'NR == 1 { first = $1 } END { print $1 - first }'; }
# Sliding, (push - F)/M = 0.5 m/s^2; awk prints six digits.
check "it slides as the level of friction says" near "$(gained)" 0.05 1e-6
"$drystone" run "$scratch/block.dry" --quiet -o "$csv" --record 0.1 --until 2
check "the sampling interval can be set" test "$(rows "$csv")" = 21
both() { "$drystone" run "$scratch/block.dry" --quiet -o "$scratch/a.csv" -o "$scratch/b.csv" && cmp "$scratch/a.csv" "$scratch/b.csv"; }
check "two results at once" both
to_output() { "$drystone" run "$scratch/block.dry" -o - | cmp - "$scratch/a.csv"; }
check "results go to standard output, and nothing else" to_output
gives "json has no place beside them" 2 stderr 'cannot be combined' run "$scratch/block.dry" -o - --json
many=$(awk 'BEGIN { for (i = 1; i < 300; i++) print "-p\nz" i "=1"; print "-p\nM=2" }')
all_count() { # VERB ARGUMENT...: 300 settings, of which only the last says something new
    # shellcheck disable=SC2086
    "$drystone" "$@" $many >"$scratch/many.txt"
    "$drystone" "$@" -p M=2 >"$scratch/few.txt"
    "$drystone" "$@" >"$scratch/unset.txt"
    cmp "$scratch/many.txt" "$scratch/few.txt" && ! cmp -s "$scratch/many.txt" "$scratch/unset.txt"
}
awk '{ print } END { for (i = 1; i < 300; i++) print "param z" i " = 1" }' "$scratch/block.dry" >"$scratch/many.dry"
sed 's/with .*//' "$scratch/many.dry" >"$scratch/chosen.dry" # K follows from M
check "run takes any number of settings" all_count run "$scratch/many.dry" -o -
check "so does show" all_count show "$scratch/chosen.dry"
gives "a wrong ending is refused" 2 stderr 'the ending must be .csv, .h5 or .hdf5' run "$scratch/blowup.dry" -o "$scratch/result.xls"
gives "a wrong ending of a picture is refused" 2 stderr 'the ending must be .svg, .png or .pdf' run "$scratch/blowup.dry" --plot "$scratch/result.gif"
check "and nothing is left" test ! -e "$scratch/result.xls"

cannot_write() { # ARGUMENT...
    ended=0
    "$drystone" run "$scratch/block.dry" --quiet "$@" 2>"$scratch/stderr" || ended=$?
    cat "$scratch/stderr"
    [ "$ended" = 4 ] && grep -q 'none/result.*cannot write: No such file or directory' "$scratch/stderr"
}
check "an unwritable result gives 4" cannot_write -o "$scratch/none/result.csv"
check "an unwritable picture gives 4" cannot_write --plot "$scratch/none/result.svg"

check "json is valid" sh -c '"$1" run "$2" --json >"$3"' sh "$drystone" "$scratch/block.dry" "$scratch/json"
check "the reader of json reads it" is_json "$scratch/json"
check "json has the measure" grep -q '"measures": {"reach": 0\.2' "$scratch/json"
check "json has the expectation" grep -q '"text": "reach > 0.2", "met": true' "$scratch/json"
sed 's/"A block that is pushed"/"tab\tand é"/' "$scratch/block.dry" >"$scratch/odd.dry"
"$drystone" run "$scratch/odd.dry" --json >"$scratch/json" 2>/dev/null || :
check "json escapes what it must" is_json "$scratch/json"
printf '{"a": [1, 2,]}\n' >"$scratch/json"
no_json() { if is_json "$1"; then return 1; fi; }
check "the reader of json refuses a comma too many" no_json "$scratch/json"

check "run draws an svg" silent run "$scratch/block.dry" --quiet --plot "$scratch/run.svg"
check "the svg is one" grep -q '<svg ' "$scratch/run.svg"
gives "nothing to draw is said" 2 stderr 'has no `plot` line' run "$scratch/plain.dry" --quiet --plot "$scratch/no.svg"
if [ "$has_png" = yes ]; then
    check "run draws a png" silent run "$scratch/block.dry" --quiet --plot "$scratch/run.png"
    check "the png is one" begins_with "$scratch/run.png" "89 50 4e 47"
fi
if [ "$has_hdf5" = yes ]; then
    check "run writes hdf5" silent run "$scratch/block.dry" --quiet -o "$scratch/result.h5"
    check "the hdf5 is one" begins_with "$scratch/result.h5" "89 48 44 46"
    gives "plot reads hdf5" 0 stdout '^p \[m\]' plot "$scratch/result.h5" --y p
fi
if [ "$has_sundials" = yes ]; then
    gives "run goes by cvode" 0 stdout 'cvode, step .* s, 0 .. 3 s' run tests/lang/features/method-rodas4.dry --method cvode
fi
no_bar() { "$drystone" run "$scratch/block.dry" --until 40 --record 10 -p push=1.1 --no-native --no-watch 2>"$scratch/stderr" >/dev/null; [ ! -s "$scratch/stderr" ]; }
check "no progress where no terminal is" no_bar

# ---- check, show, test ------------------------------------------------------------------------------

gives "check is content" 0 stdout 'block.dry: fine$' check "$scratch/block.dry"
gives "check gives 3 for a wrong model" 3 stderr 'unknown-name' check "$scratch/wrong.dry"
gives "check gives 2 for a missing file" 2 stderr 'cannot read' check "$scratch/none.dry"
several() { "$drystone" check "$scratch/block.dry" "$scratch/wrong.dry" "$scratch/plain.dry" >"$scratch/stdout" 2>/dev/null; [ $? = 3 ] && [ "$(grep -c fine "$scratch/stdout")" = 2 ]; }
check "check goes on after a wrong model" several

gives "show prints the equations" 0 stdout 'p' show "$scratch/block.dry"
gives "show prints the inclusion as latex" 0 stdout '&\\in F ' show "$scratch/block.dry" --as inclusion
sed "s/\\bv\\b/vx/g" "$scratch/block.dry" >"$scratch/direction.dry"
gives "a direction is an index, below the dot" 0 stdout '\\dot{v}_{x} ' show "$scratch/direction.dry" --as latex
gives "show prints latex" 0 stdout '\\dot' show "$scratch/block.dry" --as latex
for stage in tokens tree checked lowered ordered code; do
    gives "show has the stage $stage" 0 stdout . show "$scratch/block.dry" --stage "$stage"
    gives "with the sets kept, too: $stage" 0 stdout . show "$scratch/block.dry" --method rigid --stage "$stage"
done
gives "a wrong stage is explained" 2 stderr "there is no stage 'cooked'" show "$scratch/block.dry" --stage cooked
gives "a wrong form is explained" 2 stderr "^drystone: --as takes text, latex or inclusion" show "$scratch/block.dry" --as html
gives "show gives 3 for a wrong model" 3 stderr 'unknown-name' show "$scratch/wrong.dry"

mkdir "$scratch/folder"
cp "$scratch/block.dry" "$scratch/first.dry" "$scratch/folder"
echo 'not a model' >"$scratch/folder/notes.txt"
mkdir "$scratch/empty"
sed '/^expect/d' "$scratch/block.dry" >"$scratch/mute.dry"
untested() { # PATTERN PATH: ends with 2, and says that nothing was tested
    ended=0
    "$drystone" test "$2" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    cat "$scratch/stdout" "$scratch/stderr"
    [ "$ended" = 2 ] && grep -q "$1" "$scratch/stdout" && grep -q 'nothing was tested' "$scratch/stderr"
}
check "test of an empty folder is none" untested '^0 models$' "$scratch/empty"
check "nor is that of a model that expects nothing" untested 'mute\.dry: it expects nothing$' "$scratch/mute.dry"
gives "test runs a folder" 0 stdout '^5 passed, 0 failed$' test "$scratch/folder"
gives "test counts the models" 0 stdout '^2 models$' test "$scratch/folder"
gives "also where there is one" 0 stdout '^1 model$' test "$scratch/block.dry"
gives "test gives 1 for a failure" 1 stdout '^FAILED .*fails.dry:11: reach > 2' test "$scratch/fails.dry"
gives "test --quiet tells failures only" 0 stdout '^5 passed' test --quiet "$scratch/folder"
check "and nothing else" test "$(grep -c '^ok' "$scratch/stdout")" = 0
missing_one() {
    ended=0
    "$drystone" test "$scratch/block.dry" "$scratch/none.dry" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    [ "$ended" = 2 ] && grep -q '^1 passed, 0 failed$' "$scratch/stdout" && grep -q 'no such file' "$scratch/stderr"
}
check "test gives 2 for a missing file, and tests the others" missing_one

# ---- plot -------------------------------------------------------------------------------------------

gives "plot draws in the terminal" 0 stdout '^v \[m/s\]' plot "$scratch/a.csv"
check "without colour where no terminal is" sh -c '! grep -q "$(printf "\033")" "$1"' sh "$scratch/stdout"
gives "plot takes the columns" 0 stdout '^v \[m/s\]' plot "$scratch/a.csv" --y v
check "and no others" sh -c '! grep -q "p \[m\]" "$1"' sh "$scratch/stdout"
gives "plot draws one panel per --y" 0 stdout '^f \[N\]' plot "$scratch/a.csv" --y v --y f
gives "plot takes the abscissa" 0 stdout 'p \[m\]$' plot "$scratch/a.csv" --x p --y v
gives "an unknown column is explained" 2 stderr "a.csv has no column 'pp'; did you mean 'p'?" plot "$scratch/a.csv" --y pp
gives "an unknown abscissa is explained" 2 stderr "has no column 'zeit'" plot "$scratch/a.csv" --x zeit
gives "several files lie over one another" 0 stdout 'v (result.csv)' plot "$scratch/a.csv" "$csv" --y v
check "each by its name" grep -q 'v (a.csv)' "$scratch/stdout"
check "plot writes an svg" silent plot "$scratch/a.csv" -o "$scratch/plot.svg" --title 'Two & three' --dark
check "with its title" grep -q 'Two &amp; three' "$scratch/plot.svg"
gives "plot refuses a wrong ending" 2 stderr 'the ending must be .svg, .png or .pdf' plot "$scratch/a.csv" -o "$scratch/plot.gif"
gives "plot tells of an unwritable picture" 4 stderr 'cannot write' plot "$scratch/a.csv" -o "$scratch/none/plot.svg"
gives "plot tells of a missing file" 2 stderr 'cannot read: No such file' plot "$scratch/none.csv"
gives "plot tells of another kind of file" 2 stderr 'the ending must be .csv, .h5 or .hdf5' plot "$scratch/block.dry"
printf 't,x\n1,2\n3,oops\n' >"$scratch/bad.csv"
gives "plot tells where a file is wrong" 2 stderr 'bad.csv:3:' plot "$scratch/bad.csv"
printf 't,x\n' >"$scratch/empty.csv"
gives "plot tells of a file without rows" 2 stderr 'no rows' plot "$scratch/empty.csv"
printf 't\n1\n' >"$scratch/lone.csv"
gives "plot tells of a lone column" 2 stderr 'one column only' plot "$scratch/lone.csv"
gives "a picture has a largest size" 2 stderr 'at most' plot "$scratch/a.csv" --width 100000 -o "$scratch/plot.svg"
awk 'BEGIN { for (i = 0; i <= 30; i++) printf "%sc%d [m]", i ? "," : "", i; print ""; for (r = 0; r < 2; r++) { for (i = 0; i <= 30; i++) printf "%s%d", i ? "," : "", r + i; print "" } }' >"$scratch/wide.csv"
gives "many columns make several panels" 0 stdout . plot "$scratch/wide.csv"
check "of twelve curves at most" test "$(grep -c '^ *\[m\]\|^\[m\]' "$scratch/stdout")" = 3
gives "too many curves in one panel are refused" 2 stderr 'more than 12 curves' plot "$scratch/wide.csv" --y c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13

# ---- what is watched during a run ---------------------------------------------------------------

write "$scratch/rocket.dry" <<'MODEL'
# The mass for which K was chosen falls to its half after 5/3 s.
state m = 1 [kg], v = 0 [m/s]
f in 0.1 [N]*sgn(v)
m' = -0.3 [kg/s]
m*v' = 1 [N] - f
run until = 3 [s], step = 1 [ms]
MODEL
check "the chosen K follows the mass" silent run "$scratch/rocket.dry" --quiet
sed 's/sgn(v)/sgn(v) with K = 1e4 [N\/m]/' "$scratch/rocket.dry" >"$scratch/half.dry"
gives "a mass that shrinks below the choice of beta is told" 4 stderr 'at t = 1.667 s the effective mass of .f. (line 3) fell below half of its start value, 1, from which beta was chosen: also give beta = 0.0141 \[s\]' run "$scratch/half.dry"
sed 's/sgn(v)/sgn(v) with K = 1e4 [N\/m], beta = 0.0141 [s]/' "$scratch/rocket.dry" >"$scratch/advised.dry"
check "with that beta it runs" silent run "$scratch/advised.dry" --quiet
sed 's/sgn(v)/sgn(v) with K = 1e4 [N\/m], beta = 2 [ms]/' "$scratch/rocket.dry" >"$scratch/given.dry"
check "and is of no concern where K is given" silent run "$scratch/given.dry" --quiet

# ---- verify, compare, rigid ---------------------------------------------------------------------

gives "verify says what is converged" 0 stdout '^  trusted to ' run "$scratch/block.dry" --verify
check "with an error for each measure" grep -q 'reach .* = 0.[0-9]* +- ' "$scratch/stdout"
gives "and how well rigid forces obey their sets" 0 stdout '^  forces are in their sets to [0-9.e-]* of the largest' run "$scratch/block.dry" --method rigid --verify
write "$scratch/chaos.dry" <<'MODEL'
# A double pendulum that turns over: two starts 1e-9 apart are 1e-5 apart after 5.4 s, whatever the step.
param g = 9.81 [m/s^2], l = 1 [m]
state a = 2.5 [rad], b = 2 [rad], wa = 0 [rad/s], wb = 0 [rad/s]
d = a - b
a' = wa
b' = wb
wa' = (-3*g/l*sin(a) - g/l*sin(a - 2*b) - 2*sin(d)*(wb^2 + wa^2*cos(d)))/(3 - cos(2*d))
wb' = (2*sin(d)*(2*wa^2 + 2*g/l*cos(a) + wb^2*cos(d)))/(3 - cos(2*d))
run until = 20 [s], step = 5 [ms]
MODEL
sensitive() { # ARGUMENT...: its word is SENSITIVE, on stderr
    "$drystone" run "$scratch/chaos.dry" --quiet "$@" >"$scratch/stdout" 2>"$scratch/stderr" && grep -q 'chaos.dry: SENSITIVE from [5-9]' "$scratch/stderr"
}
check "the word of a chaotic run is SENSITIVE, with --quiet too" sensitive
check "and verify says the same" sensitive --verify
gives "compare puts methods side by side" 0 stdout '^rigid  ' compare "$scratch/block.dry" --methods rk4,dop853,rigid --plot "$scratch/compare.svg"
check "with a reference" grep -q '^dop853 .*reference' "$scratch/stdout"
check "and a picture" grep -q '<svg' "$scratch/compare.svg"
cat >"$scratch/little.dry" <<'MODEL'
state x = 1 [m], y = 0 [m]
x' = -1 [1/s]*x
y' = 1e-8 [m/s]*cos(400 [1/s]*pi*t)   # as long as a step: by rk4 y goes 3e-9 m away, in truth nowhere
run until = 1 [s], step = 5 [ms]
MODEL
gives "compare counts no state that is little beside its like" 0 stdout '^rk4 .* [0-9.]*e-0[5-9]$' compare "$scratch/little.dry" --methods rk4,dop853
gives "compare finds the order of splitting" 0 stdout '^split: observed order 1\.0\|^split: observed order 0\.9' compare models/hello.dry --methods split,rigid --work-precision --until 3
many_steps=$(awk 'BEGIN { for (i = 0; i < 16; i++) printf "%s%g", i ? "," : "", 1e-3/(1 + i) }')
"$drystone" compare "$scratch/block.dry" --until 0.01 --steps "$many_steps" \
    --methods euler,heun,rk4,rk4-tau,semi-implicit,rigid,split,split-symmetric >"$scratch/stdout" 2>"$scratch/stderr"
check "compare has a row for each method and step" test "$(grep -c '^split-symmetric  *[0-9]' "$scratch/stdout")" = 16
cat >"$scratch/rod.dry" <<'END'
param m = 1 [kg], l = 1 [m], J = m*l^2/12, a = 0.8216 [rad]
state y = l/2*sin(a), th = a, vx = 0.633 [m/s], vy = -1 [m/s], w = 0 [rad/s]
N in dio(y - l/2*sin(th)) with restitution = 0.99
f in 0.385*N*sgn(vx + w*l/2*sin(th))
y' = vy
th' = w
m*vx' = -f
m*vy' = N
J*w' = -N*l/2*cos(th) - f*l/2*sin(th)
run until = 1 [ms], step = 10 [us], method = rigid
END
ended=0
"$drystone" compare "$scratch/rod.dry" --methods rigid,rigid-routh >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
check "compare fails if a method does not come to its end" test "$ended" = 4
check "and has the other run" grep -q '^rigid-routh .*reference' "$scratch/stdout"
gives "compare refuses an unknown method" 2 stderr "no method 'rk5'" compare "$scratch/block.dry" --methods rk5
gives "compare refuses a bad step" 2 stderr 'positive numbers' compare "$scratch/block.dry" --steps 1e-3,x
gives "compare tells of a wrong model" 3 stderr 'unknown-name' compare "$scratch/wrong.dry"
check "once, whatever the methods" sh -c '[ "$(grep -c unknown-name "$1")" = 1 ]' sh "$scratch/stderr"
sed '/^run/d' "$scratch/block.dry" >"$scratch/endless.dry"
gives "compare tells of a missing end" 2 stderr 'the length of the run' compare "$scratch/endless.dry"
check "once, too" sh -c '[ "$(wc -l <"$1")" = 1 ]' sh "$scratch/stderr"
gives "compare leaves out what nobody asked for" 0 stdout '^rigid  *not for this model' compare tests/web/heap.dry --until 0.01
write "$scratch/titles.dry" <<'MODEL'
state q[2] = 1 [m]
q[i]' = -q[i]*1 [1/s] for i in 1..2
run until = 1 [s], step = 10 [ms]
plot q[1] with title = "(a) as in the paper"
plot q[2]
MODEL
gives "compare takes the panels of the model" 0 stdout '^rk4  ' compare "$scratch/titles.dry" --methods rk4,heun --plot "$scratch/titles.svg"
check "with their titles" grep -q '>(a) as in the paper</text>' "$scratch/titles.svg"
check "and names as mathematics" sh -c '! grep -q "q\[[12]\]" "$1"' sh "$scratch/titles.svg"
gives "compare draws error against CPU" 0 stdout 'observed order' compare "$scratch/block.dry" --work-precision --methods rk4,heun,dop853 --until 0.1 --plot "$scratch/work.svg"
check "over decades" sh -c 'grep -q ">CPU \[s\]<" "$1" && ! grep -q log10 "$1"' sh "$scratch/work.svg"
gives "a rigid run has no K" 0 stdout 'reach  *= 0.2' run "$scratch/block.dry" --method rigid
if command -v cc >/dev/null 2>&1; then
    XDG_CACHE_HOME=$scratch/cache
    export XDG_CACHE_HOME
    gives "a rigid run takes native code" 0 stdout 'native code' run "$scratch/block.dry" --method rigid --native -o "$scratch/rigid-native.csv"
    check "with the bits of the bytecode" sh -c '"$1" run "$2" --method rigid --quiet -o "$3" && cmp "$3" "$4"' sh \
        "$drystone" "$scratch/block.dry" "$scratch/rigid.csv" "$scratch/rigid-native.csv"
fi
gives "a rigid model may be refused" 3 stderr 'rigid-gap' check tests/lang/errors/rigid-gap.dry


# ---- inputs from files ---------------------------------------------------------------
printf 't,force [N]\n0,1\n1,3\n2,5\n' >"$scratch/log.csv"
printf 'input u = 0 [N]\nstate p = 0 [N s]\np'"'"' = u\nrun until = 2 [s], step = 10 [ms]\nmeasure impulse = final(p)\n' >"$scratch/input.dry"
gives "an input without a file is its constant" 0 stdout 'impulse *= 0 N s' run "$scratch/input.dry"
gives "--input takes a column of a file" 0 stdout 'impulse *= 6 N s' run "$scratch/input.dry" --input "u=$scratch/log.csv:force"
sed 's/^input u = 0 \[N\]/& with by = hold, scale = 2/' "$scratch/input.dry" >"$scratch/held.dry"
gives "the keys of a held input count for the file of --input" 0 stdout 'impulse *= 8 N s' run "$scratch/held.dry" --input "u=$scratch/log.csv:force"
gives "and change nothing of its own value" 0 stdout 'impulse *= 0 N s' run "$scratch/held.dry"
gives "--input is for inputs of the model" 3 stderr 'the model has no input .w.' run "$scratch/input.dry" --input "w=$scratch/log.csv:force"
gives "--input names a column that is there" 3 stderr 'its columns are t, force' run "$scratch/input.dry" --input "u=$scratch/log.csv:power"
gives "--input names a file that is there" 3 stderr 'none.csv. cannot be read' run "$scratch/input.dry" --input "u=$scratch/none.csv:force"
for bad in u "u=$scratch/log.csv" "=$scratch/log.csv:force" 'u=:force' 'u=log.csv:'; do
    gives "--input refuses '${bad##*/}'" 2 stderr '--input takes NAME=FILE:COLUMN' run "$scratch/input.dry" --input "$bad"
done

finish
