#!/bin/sh
# `drystone fit`: what it prints and writes, and what it says about bad input.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

# A block slides with friction 0.5 N from 0.4 m/s: p = v0 t - F t^2/(2 M), until it stops at 1.6 s.
slide() { # FILE FIRST-ROW VALUE-OF-ROW
    awk -v head="$2" "BEGIN { print head; for (i = 0; i <= 90; i++) { t = 0.02*i; s = t < 1.6 ? t : 1.6
        p = 0.4*s - 0.125*s*s; $3 } }" >"$1"
}
slide "$scratch/log.csv" 't [s],pos [mm],still,hole' 'print t "," 1000*p ",3," (i % 3 ? "" : 1000*p)'
slide "$scratch/two.csv" 't [s],pos [mm]' 'print t "," 1000*p'
slide "$scratch/other.csv" 't [s],place [mm]' 'print t "," 1000*p'
slide "$scratch/force.csv" 't [s],pos [N]' 'print t "," 1000*p'
slide "$scratch/text.csv" 't [s],pos [mm]' 'print t "," (i == 7 ? "n/a" : 1000*p)'
slide "$scratch/late.csv" 't [s],pos [mm]' 'print t + 1000 "," 1000*p'

model() { # NAME OUTPUT-AND-FREE
    write "$scratch/$1.dry" <<MODEL
# A block that friction stops.
param M = 2 [kg], v0 = 400 [mm/s]
param F = 0.8 [N] in 0.1..10 # a guess
param idle = 1
state p = 0 [m], v = v0
f in F*sgn(v) with K = 1e6 [N/m], beta = 2 [ms]
p' = v
M*v' = -f
$2
run until = 1.8 [s], step = 0.2 [ms]
MODEL
}
against='output p against "log.csv" column "pos" [mm]'
model slide "$against
free F log"
slide=$scratch/slide.dry

gives "it finds the level" 0 stdout '^  F = 0.50000[0-9]* N\|^  F = 0.49999[0-9]* N\|^  F = 0.5 N' fit "$slide"
gives "it says how the derivative was found" 0 stdout '^  F = .*, by equations' fit "$slide"
gives "and how large the residuals are" 0 stdout 'fitted: rms [0-9.e-]* m, [0-9.e-]* % of what was measured, 91 rows' \
    fit "$slide"
gives "it judges by what was held out" 0 stdout 'held out: rms .*, 36 rows' fit "$slide" --hold-out last:40%
gives "or by what comes after a time" 0 stdout 'held out: rms .*, 41 rows' fit "$slide" --hold-out from:1s
gives "what is free may come from the line" 0 stdout '^  v0 = 0.4[0-9]* m/s\|^  v0 = 0.39999[0-9]* m/s' \
    fit "$slide" --free F,v0=0.1..1:log
model expressions 'output -2*p against "log.csv" column "neg" [mm]
output (p + 0 [m]) against "log.csv" column "pos" [mm]
free F log'
awk -F, 'NR == 1 { print $0 ",neg" } NR > 1 { print $0 "," (-2 * $2) }' "$scratch/two.csv" >"$scratch/both.csv"
gives "an output may be any expression" 0 stdout '^  F = 0.50000[0-9]* N\|^  F = 0.49999[0-9]* N\|^  F = 0.5 N' \
    fit "$scratch/expressions.dry" --data "$scratch/both.csv"
model whole 'param share = [0.3, 0.9] [N], begin = [0, 0] [m]
whole = share[1] + share[2]
state q[2] = begin
q[1]'"'"' = p/(1 [s])
q[2]'"'"' = v
output p + whole*(1 [m/N]) - q[1] against "log.csv" column "pos" [mm]
output q[2] + share[2]*(1 [m/N]) against "log.csv" column "pos" [mm]
free share in 0..2 log, start q in -1..1'
gives "a vector as a whole is free in all its elements" 0 stdout '^  start q\[2\] =' fit "$scratch/whole.dry"
gives "from the line too" 0 stdout '^  share\[2\] = ' fit "$scratch/whole.dry" --free share=0.01..2:log
gives "an element is free once" 2 stderr 'share\[2\].* free twice\|share\[2\].*twice' \
    fit "$scratch/whole.dry" --free 'share,share[2]'
gives "several records are one fit" 0 stdout '^  2 records' fit "$slide" --data "$scratch/log.csv" --data "$scratch/two.csv"
gives "several starts lead to one optimum" 0 stdout '^  4 starts at cost' fit "$slide" --starts 4
gives "JSON has it all" 0 stdout '"parameters": \[{"name": "F", "unit": "N", "record": null, "value": 0.[45]' \
    fit "$slide" --json
gives "a robust loss is one too" 0 stdout '^  F = 0.[45]' fit "$slide" --loss huber:2
gives "a run compares its outputs as well" 0 stdout '^  p against pos of .*log.csv: rms 0.0[0-9]* m, [0-9.]* % of what was measured' \
    run "$slide" --no-watch

# Rows between the samples of the run: the run says what the fit says, as both take the model there.
model between 'output p against "log.csv" column "pos" [mm] with lag = 3.3 [ms]
free F'
sed -i 's/step = 0.2 \[ms\]/step = 0.2 [ms], record = 100 [ms]/' "$scratch/between.dry"
size_of() { sed -n 's/.*: rms \([0-9.e-]*\) m, .*/\1/p' "$1" | head -n 1; }
same_size() {
    "$drystone" fit "$scratch/between.dry" -o "$scratch/near.dry" >"$scratch/by_fit" &&
        "$drystone" run "$scratch/near.dry" --no-watch >"$scratch/by_run" &&
        awk -v a="$(size_of "$scratch/by_fit")" -v b="$(size_of "$scratch/by_run")" \
            'BEGIN { exit !(a > 0 && (a - b) * (a - b) < 1e-6 * a * a) }'
}
check "a run says how far it is at the times of the rows, as the fit does" same_size

new_text() {
    "$drystone" fit "$slide" --free F,v0 --quiet -o "$scratch/fitted.dry" &&
        sed -e 's/v0 = [0-9.]* \[mm/v0 = 400 [mm/' -e 's/F = [0-9.]* \[N\]/F = 0.8 [N]/' "$scratch/fitted.dry" |
        diff "$slide" - && ! cmp -s "$slide" "$scratch/fitted.dry" && "$drystone" check "$scratch/fitted.dry" &&
        awk -F '[ ,]*' '/^param F/ { exit !($4 > 0.4999 && $4 < 0.5001) }' "$scratch/fitted.dry"
}
check "-o replaces the values in place, and keeps all else" new_text
same_table() {
    "$drystone" fit "$slide" -j 1 | grep -v ' runs' >"$scratch/one" &&
        "$drystone" fit "$slide" -j 3 | grep -v ' runs' >"$scratch/three" && diff "$scratch/one" "$scratch/three"
}
check "the number of threads changes nothing" same_table

model few 'output p against "log.csv" column "pos" [mm] from 0.1 [s] to 0.13 [s]
free F, v0, M'
# A second model, whose block is twice as heavy and cannot be right.
model heavy "$against
free F log"
sed 's/M = 2 \[kg\], v0 = 400/M = 4 [kg], v0 = 300/' "$scratch/heavy.dry" >"$scratch/wrong.dry"
ranks() { # ARGUMENT...: the names in the order of the ranking
    "$drystone" fit "$scratch/wrong.dry" "$slide" "$@" >"$scratch/ranks" &&
        [ "$(awk 'on { print $1 } /^  model / { on = 1 }' "$scratch/ranks")" = "$slide
$scratch/wrong.dry" ]
}
check "several models are ranked by BIC" ranks
check "or by what was held out" ranks --hold-out last:40%
gives "and say by what" 0 stdout '^models, the best first by the rows that were held out' \
    fit "$scratch/wrong.dry" "$slide" --hold-out last:40%
gives "JSON lists them in that order" 0 stdout '^\[{"model": "[^"]*slide.dry"' fit "$scratch/wrong.dry" "$slide" --json
gives "a text is that of one model" 2 stderr '-o writes the text of one model' fit "$scratch/wrong.dry" "$slide" -o "$scratch/x.dry"
rest() {
    ended=0
    "$drystone" fit "$scratch/few.dry" "$slide" >"$scratch/ranks" 2>"$scratch/said" || ended=$?
    [ "$ended" = 2 ] && grep -q '2 value(s) cannot give 3 parameters' "$scratch/said" && grep -q '^  .*slide.dry ' "$scratch/ranks"
}
check "one that cannot be fitted is told, and the others are ranked" rest

# ---- many starts: interrupted, and on several processes -------------------------------------------

# What comes out but for the time.
starts="$slide --free F,v0=0.1..1 --starts 12 -j 1 --no-native"
bytes() { if [ -e "$1" ]; then wc -c <"$1"; else echo 0; fi; }
table() { grep -v ' s$\|already$' "$1"; }
same_ends() { table "$scratch/whole" >"$scratch/a" && table "$1" >"$scratch/b" && diff "$scratch/a" "$scratch/b"; }
# shellcheck disable=SC2086
"$drystone" fit $starts >"$scratch/whole"
# A start takes 8 numbers in the journal, whose head has 128 bytes.
interrupted() { # KILLS, each after some more starts or in the midst of one
    kills=0 found=0
    while [ "$kills" -lt "$1" ]; do
        # shellcheck disable=SC2086
        "$drystone" fit $starts --journal "$scratch/starts" --resume >"$scratch/cut" &
        pid=$!
        wanted=$((found + (kills % 3) * 64 + 1))
        while [ "$(bytes "$scratch/starts")" -lt "$wanted" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.002; done
        kill -9 "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
        kills=$((kills + 1))
        [ "$(bytes "$scratch/starts")" -ge "$found" ] || return 1 # nothing that was there is lost
        found=$(bytes "$scratch/starts")
    done
    echo "$found bytes in the journal after $kills kills"
    [ "$found" -gt 200 ] || return 1
    cp "$scratch/starts" "$scratch/left"
    # shellcheck disable=SC2086
    "$drystone" fit $starts --journal "$scratch/starts" --resume >"$scratch/cut" && same_ends "$scratch/cut" &&
        grep -q ' were there already$' "$scratch/cut" && [ ! -e "$scratch/starts" ]
}
check "five kills, then --resume: the same ends to the last digit" interrupted 5
torn() {
    head -c "$(($(bytes "$scratch/left") - 5))" "$scratch/left" >"$scratch/torn"
    # shellcheck disable=SC2086
    "$drystone" fit $starts --journal "$scratch/torn" --resume >"$scratch/cut" && same_ends "$scratch/cut"
}
check "a torn end of the journal does not count" torn
asked_to_end() {
    # shellcheck disable=SC2086
    "$drystone" fit $starts --journal "$scratch/asked" >"$scratch/cut" 2>"$scratch/said" &
    pid=$! ended=0
    while [ "$(bytes "$scratch/asked")" -lt 200 ]; do sleep 0.005; done
    kill -TERM "$pid"
    wait "$pid" || ended=$?
    [ "$ended" = 130 ] && grep -q 'interrupted: continue with --resume' "$scratch/said" || return 1
    # shellcheck disable=SC2086
    "$drystone" fit $starts --journal "$scratch/asked" --resume >"$scratch/cut" && same_ends "$scratch/cut"
}
check "an interrupt ends it at once, and keeps what is finished" asked_to_end
full_disk() {
    # shellcheck disable=SC2086,SC3045
    (trap '' XFSZ; ulimit -f 1; "$drystone" fit $starts --journal "$scratch/full" 2>"$scratch/said" || [ $? = 4 ]) |
        grep . && return 1
    grep -q 'cannot write: File too large.*ulimit -f' "$scratch/said" || return 1
    # shellcheck disable=SC2086
    "$drystone" fit $starts --journal "$scratch/full" --resume >"$scratch/cut" && same_ends "$scratch/cut"
}
check "a disk that is full is told, and what was written counts" full_disk
# shellcheck disable=SC2086
gives "a journal that is there is not overwritten" 2 stderr 'left: a fit was interrupted here: continue it with --resume' \
    fit $starts --journal "$scratch/left"
for other in '--seed 3' '-p M=3' '--tolerance 1e-5' '--hold-out last:10%' '--loss huber:2' '--step 1e-4' \
    '--free F=0.2..10,v0=0.1..1' "--data $scratch/two.csv --data $scratch/two.csv"; do
    # shellcheck disable=SC2086
    gives "a journal of a fit without $other is refused" 4 stderr 'belongs to another fit' \
        fit $starts $other --journal "$scratch/left" --resume
done
cp "$scratch/log.csv" "$scratch/kept.csv"
sed '$s/,.*/,799,3,/' "$scratch/kept.csv" >"$scratch/log.csv"
# shellcheck disable=SC2086
gives "so is one of other data in the same file" 4 stderr 'belongs to another fit' \
    fit $starts --journal "$scratch/left" --resume
mv "$scratch/kept.csv" "$scratch/log.csv"
echo "a file of mine" >"$scratch/mine"
# shellcheck disable=SC2086
gives "a file that is no journal stays" 4 stderr 'is not the journal of a fit' fit $starts --journal "$scratch/mine" --resume
check "as it was" grep -q '^a file of mine$' "$scratch/mine"
gives "a journal needs starts" 2 stderr '--journal keeps the starts' fit "$slide" --journal "$scratch/x.part"
gives "--resume needs a journal" 2 stderr '--resume needs the journal' fit "$slide" --starts 3 --resume
two_journals() {
    # shellcheck disable=SC2086
    set -- fit "$scratch/wrong.dry" $starts
    "$drystone" "$@" >"$scratch/both" || return 1
    cp "$scratch/left" "$scratch/two.1" # of the second model
    ended=0
    "$drystone" "$@" --journal "$scratch/two" --resume >"$scratch/cut" 2>"$scratch/said" || ended=$?
    [ "$ended" = 4 ] && grep -q 'two.1: this journal belongs to another fit' "$scratch/said" && cmp "$scratch/left" "$scratch/two.1" &&
        [ "$(bytes "$scratch/two.2")" = 1568 ] || return 1
    rm "$scratch/two.1"
    "$drystone" "$@" --journal "$scratch/two" --resume >"$scratch/cut" && table "$scratch/both" >"$scratch/a" &&
        table "$scratch/cut" >"$scratch/b" && diff "$scratch/a" "$scratch/b" &&
        grep -q '12 starts were there already' "$scratch/cut" && [ ! -e "$scratch/two.1" ] && [ ! -e "$scratch/two.2" ]
}
check "several models have a journal each, which all go when all are ranked" two_journals
if built_with MPI; then
    export ASAN_OPTIONS=detect_leaks=0 # of MPI itself
    on_processes() { # RANKS ARGUMENT...
        ranks=$1
        shift
        mpirun --allow-run-as-root --oversubscribe -n "$ranks" "$drystone" fit "$@" >"$scratch/cut"
    }
    for ranks in 2 3; do
        # shellcheck disable=SC2086
        check "$ranks processes run" on_processes $ranks $starts
        check "and lead to the same ends" same_ends "$scratch/cut"
    done
    cp "$scratch/left" "$scratch/mpi"
    # shellcheck disable=SC2086
    check "2 processes go on with the journal of one" on_processes 2 $starts --journal "$scratch/mpi" --resume
    check "to the same ends" same_ends "$scratch/cut"
    check "having read it" grep -q ' were there already$' "$scratch/cut"
    # shellcheck disable=SC2086
    refuses "what is wrong ends all of them" 'begins at 0.8 N, outside of its bounds' on_processes 2 $starts --free F=1..2
    check "without starts the first one works alone" on_processes 2 "$slide" -j 1
    check "and says so once" [ "$(grep -c '^parameters' "$scratch/cut")" = 1 ]
    check "several models are ranked once" on_processes 2 "$scratch/wrong.dry" "$slide" --starts 3 -j 1
    check "one table" [ "$(grep -c '^models, the best first' "$scratch/cut")" = 1 ]
fi

# ---- progress --------------------------------------------------------------------------------------

if have script; then
    on_terminal() { # ARGUMENT...: what comes to a terminal
        script -qec "'$drystone' fit $*" /dev/null </dev/null | tr '\r' '\n' >"$scratch/seen"
    }
    long="$starts --starts 24 --step 5e-5"
    check "starts run on a terminal" on_terminal "$long"
    check "which shows how many have ended" grep -q '^[0-9]* of 24 starts have ended, [0-9]* runs *$' "$scratch/seen"
    check "and then the result" grep -q '^  24 starts at cost' "$scratch/seen"
    silent() { # OPTION
        on_terminal "$long" "$1" && ! grep 'have ended' "$scratch/seen"
    }
    check "--quiet shows nothing" silent --quiet
    check "nor does --json" silent --json
    step_by_step() {
        on_terminal "$slide" --free F,v0=0.1..1 --no-native --step 2e-6 &&
            grep '^step [0-9]*, [0-9]* runs, present rms [0-9.e-]* % of the deviation *$' "$scratch/seen"
    }
    check "one start shows its steps" step_by_step
fi
check "what is no terminal gets none" sh -c "! '$drystone' fit $starts 2>&1 | grep 'have ended'"

# ---- a search --------------------------------------------------------------------------------------

if built_with NLopt; then
    gives "a search says how many runs it took" 0 stdout '^  [0-9]* runs (150 of them by the search crs), ' \
        fit "$slide" --free F,v0=0.1..1 --search crs:150
    check "and the solver goes on from there" grep -q '^  v0 = 0\.\(4[0 ]\|39999\)' "$scratch/stdout"
    gives "JSON has it too" 0 stdout '"search_runs": 40' fit "$slide" --search isres:40 --json
    gives "a search that is none" 2 stderr 'there is no search `anneal`: take one of crs, isres' \
        fit "$slide" --search anneal:100
    gives "bounds that are missing" 2 stderr '`v0` has not two: write `free v0 in' fit "$slide" --free v0 --search crs:100
    gives "a search and starts" 2 stderr 'give one of the two' fit "$slide" --search crs:100 --starts 3
    ends_search() {
        "$drystone" fit "$slide" --search crs:1000000 >"$scratch/cut" 2>"$scratch/said" &
        pid=$! ended=0
        sleep 0.3
        kill -TERM "$pid"
        wait "$pid" || ended=$?
        [ "$ended" = 130 ] && grep -q 'drystone: interrupted' "$scratch/said" && [ ! -s "$scratch/cut" ]
    }
    check "an interrupt ends it" ends_search
fi
gives "runs that are no number" 2 stderr '--search takes crs:2000 (a search and how many runs), but not `crs`' \
    fit "$slide" --search crs

# ---- bad input -------------------------------------------------------------------------------------

gives "a parameter that does not exist" 2 stderr 'has no parameter `G` that could be free' fit "$slide" --free G
gives "a state that does not exist" 2 stderr 'has no state `w` whose start could be free' fit "$slide" --free 'start w'
gives "a name twice" 2 stderr '`F` is free twice' fit "$slide" --free F,F
gives "bounds that exclude the start" 2 stderr '`F` begins at 0.8 N, outside of its bounds 1 .. 2: change its value' \
    fit "$slide" --free F=1..2
gives "bounds in the wrong order" 2 stderr 'leave no room: give the smaller one first' fit "$slide" --free F=2..1
gives "factors of a negative number" 2 stderr 'must begin above 0' fit "$slide" --free v0:log -p v0=-1
gives "bounds that are not numbers" 2 stderr 'but not `F=low..high`' fit "$slide" --free F=low..high
gives "a part that is none" 2 stderr '--hold-out takes last:40% ' fit "$slide" --hold-out 40
gives "a loss that is none" 2 stderr '--loss takes squares or huber:2' fit "$slide" --loss cauchy
gives "starts without bounds" 2 stderr 'several starts need bounds' fit "$slide" --free v0 --starts 3
gives "a file that is not there" 3 stderr '`.*none.csv` cannot be read' fit "$slide" --data "$scratch/none.csv"
gives "a missing column" 3 stderr 'has no column `pos`' fit "$slide" --data "$scratch/other.csv"
gives "of the second record too" 2 stderr 'with the record .*other.csv: .* no column `pos`; its columns are t, place' \
    fit "$slide" --data "$scratch/log.csv" --data "$scratch/other.csv"
gives "a unit that does not fit" 3 stderr 'dimension' fit "$slide" --data "$scratch/force.csv"
gives "a text among the numbers" 3 stderr 'line 9' fit "$slide" --data "$scratch/text.csv"
gives "a record of another time" 2 stderr 'begins at 1000 s, after the end of the run (1.8 s): subtract its first time' \
    fit "$slide" --data "$scratch/late.csv"
gives "the file of -o is the model" 2 stderr 'which the command reads' fit "$slide" -o "$slide"
gives "-o of another ending" 2 stderr 'the ending must be .dry' fit "$slide" -o "$scratch/x.txt"

# A mass on a spring: p = 0.1 cos(20 t), over 20 periods; the guess of the frequency is half of it.
awk 'BEGIN { print "t [s],p"; for (i = 0; i <= 300; i++) print i * 0.02 "," 0.1 * cos(0.4 * i) + (i % 7 - 3) / 3000 }' >"$scratch/swing.csv"
write "$scratch/swing.dry" <<'MODEL'
param k = 100 [1/s^2]
state p = 0.1, v = 0 [1/s]
p' = v
v' = -k*p
output p against "swing.csv" column "p"
free k
run until = 6 [s], step = 5 [ms]
MODEL
gives "windows find what a run over all periods does not" 0 stdout '^  k = \(399.9[0-9]*\|400\|400.0[0-9]*\) ' \
    fit "$scratch/swing.dry" --windows 20
gives "they say how they ended" 0 stdout '^  20 of 0.3 s, .* stages\{0,1\}: residuals [0-9.]* %, jumps [0-9.e-]* %' \
    fit "$scratch/swing.dry" --windows 0.3s
gives "JSON has them" 0 stdout '"windows": {"n": 20, "stages": [1-9]' fit "$scratch/swing.dry" --windows 20 --json
gives "no windows, none in JSON" 0 stdout '"windows": null' fit "$slide" --json
gives "windows that are none" 2 stderr '--windows takes a number of windows, such as 10, .* not `2.5`' \
    fit "$scratch/swing.dry" --windows 2.5
gives "too many windows" 2 stderr 'take fewer windows, such as --windows' fit "$scratch/swing.dry" --windows 0.005s
gives "windows of a method that keeps the sets" 2 stderr 'does not take: choose another one' \
    fit "$slide" --method rigid --windows 4

model none 'free F'
gives "no output" 2 stderr 'has no output to fit: write a line such as `output f against' fit "$scratch/none.dry"
model nothing "$against"
gives "nothing free" 2 stderr 'has nothing to fit: write `free F in 0.1..10` in the text, or give --free F' \
    fit "$scratch/nothing.dry"
model still 'output p*3/(1 [m]) against "log.csv" column "still"
free F'
gives "a constant signal" 2 stderr 'the column `still` of .*log.csv is constant (3 ' fit "$scratch/still.dry"
model hole 'output p against "log.csv" column "hole" [mm]
free F'
gives "rows without a value are left out, with a warning" 0 stderr 'lacks 60 of 91 value(s)' fit "$scratch/hole.dry" --quiet
model idle "$against
free F, idle"
gives "a parameter without effect" 0 stdout '^  idle = 1, .*without effect' fit "$scratch/idle.dry"
model file 'output p against "pos" [mm]
free F'
gives "no file" 2 stderr 'names no file for the output `p`: give --data FILE' fit "$scratch/file.dry"
gives "a file from the line" 0 stdout '^  F = 0.[45]' fit "$scratch/file.dry" --data "$scratch/log.csv"
gives "too few values" 2 stderr '2 value(s) cannot give 3 parameters: hold out fewer rows' fit "$scratch/few.dry"
model stops "$against
free F
stop when v < 0.2 [m/s]"
gives "a run that the model stops" 4 stderr 'stops the run at .* before the record ends' fit "$scratch/stops.dry"
model formula "param G = 2 [N]/3 in 0.1..10, twice = 2*G   # a guess
$against
free G, start v"
sed -i 's/^f in F/f in G/' "$scratch/formula.dry"
"$drystone" fit "$scratch/formula.dry" -o "$scratch/y.dry" --quiet
check "-o puts the number where an expression was, and keeps it as a comment" grep -q \
    '^param G = 0\.[45][0-9]* \[N\] in 0.1..10, twice = 2\*G   # a guess   # G was 2 \[N\]/3$' "$scratch/y.dry"
check "also of a start" grep -q '^state p = 0 \[m\], v = 0.[34][0-9]* \[m/s\]   # start v was v0$' "$scratch/y.dry"
gives "and the text can be fitted" 0 stdout '^  G  *= 0.[45]' fit "$scratch/y.dry"
model parted "param x[2] = [0.5 [N], F/2]
$against
free F" && sed -i 's/param x.2. =/param x =/; s/^f in F/f in x[2]/; s/^free F/free x[2]/' "$scratch/parted.dry"
gives "an element that has no number is refused" 4 stderr 'has no number for `x\[2\]` that could be replaced' \
    fit "$scratch/parted.dry" -o "$scratch/z.dry" --quiet
check "leaves no file" test ! -e "$scratch/z.dry"
model init "init v = 300 [mm/s]
$against
free F, start v"
"$drystone" fit "$scratch/init.dry" -o "$scratch/began.dry" --quiet
check "a start is written where the text gives it" grep -q '^init v = \(400\|399\)[0-9.]* \[mm/s\]$' "$scratch/began.dry"
awk -F, 'NR == 1 { print } NR > 1 { print $1 "," $2 * 0.999 }' "$scratch/two.csv" >"$scratch/less.csv"
model owned "$against
free F, v0 own"
gives "each record with values of its own has a text" 0 stdout 'own-2.dry: the text of record 2' \
    fit "$scratch/owned.dry" --data "$scratch/two.csv" --data "$scratch/less.csv" -o "$scratch/own.dry"
own_texts() {
    grep -q 'v0 = 400[0-9.]* \[mm/s\]\|v0 = 399[0-9.]* ' "$scratch/own-1.dry" && grep -q 'v0 = 399[0-9.]* ' "$scratch/own-2.dry" &&
        ! cmp -s "$scratch/own-1.dry" "$scratch/own-2.dry" && test ! -e "$scratch/own.dry"
}
check "with its own values" own_texts
cp "$scratch/owned.dry" "$scratch/mine-1.dry"
gives "but not over the model" 2 stderr 'mine-1.dry: this is .*, which the command reads' \
    fit "$scratch/mine-1.dry" --data "$scratch/two.csv" --data "$scratch/less.csv" -o "$scratch/mine.dry" --quiet

# y = 2.5 t + (i mod 7 - 3)/10: plain least squares know the slope to 2.2e-6
awk 'BEGIN { print "t [s],y"; for (i = 0; i <= 100000; i++) print i * 0.01 "," 0.025 * i + (i % 7 - 3) / 10 }' >"$scratch/long.csv"
printf 'param a = 1 [1/s]\nstate x = 0\nx'"'"' = a\noutput x against "long.csv" column "y"\nfree a\n' >"$scratch/long.dry"
printf 'run until = 1000 [s], step = 10 [ms]\n' >>"$scratch/long.dry"
gives "a narrow interval has ends that differ" 0 stdout '95 % in 2\.49999[0-9]* \.\. 2\.50000' fit "$scratch/long.dry"

finish
