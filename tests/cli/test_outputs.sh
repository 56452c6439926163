#!/bin/sh
# What the command writes, and what it must not touch: its own input, files of others, what the dead have left.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

write "$scratch/model.csv" <<'MODEL'
param F = 1 [N]
state x = 0 [m], v = 0 [m/s]
x' = v
1 [kg]*v' = F
run until = 1 [s], step = 10 [ms]
plot x
measure reach = final(x)
MODEL
cp "$scratch/model.csv" "$scratch/kept"
ln -s model.csv "$scratch/link.csv"
ln "$scratch/model.csv" "$scratch/hard.svg"
ln "$scratch/model.csv" "$scratch/hard.html"

spared() { # NAME ARGUMENT...: is refused, and the model stays what it is by every name
    name=$1 ended=0
    shift
    "$drystone" "$@" >"$scratch/log" 2>&1 || ended=$?
    if [ "$ended" -ge 2 ] && grep -q 'which the command reads' "$scratch/log" &&
        cmp -s "$scratch/kept" "$scratch/hard.svg" && cmp -s "$scratch/kept" "$scratch/hard.html" &&
        cmp -s "$scratch/kept" "$scratch/link.csv"; then
        result ok "$name"
    else
        result not-ok "$name"
    fi
}

model=$scratch/model.csv
spared "run -o does not replace the model" run "$model" -o "$model"
spared "nor by another path" run "$model" -o "$scratch/../$(basename "$scratch")/model.csv"
spared "nor by a symbolic link" run "$model" -o "$scratch/link.csv"
spared "nor does --plot by a hard link" run "$model" --plot "$scratch/hard.svg"
spared "nor --report" run "$model" --report "$scratch/hard.html"
spared "nor sweep -o" sweep "$scratch/link.csv" -p F=1:2:2 -o "$model"
spared "nor sweep --plot" sweep "$model" -p F=1:2:2 -o "$scratch/sweep.csv" --plot "$scratch/hard.svg"
spared "nor compare --plot" compare "$model" --methods rk4 --plot "$scratch/hard.svg"

# A process that is dead for sure.
sh -c 'exit 0' &
dead=$!
wait "$dead"
touch "$scratch/.out.csv.$dead-0.tmp" "$scratch/.out.csv.$$-0.tmp" "$scratch/.other.csv.$dead-0.tmp"
"$drystone" run "$model" -o "$scratch/out.csv" >"$scratch/log" 2>&1
if [ ! -e "$scratch/.out.csv.$dead-0.tmp" ] && [ -e "$scratch/.out.csv.$$-0.tmp" ] &&
    [ -e "$scratch/.other.csv.$dead-0.tmp" ] && [ -s "$scratch/out.csv" ]; then
    result ok "what a dead process has left of a file is removed, what a living one writes is not"
else
    result not-ok "what a dead process has left of a file is removed, what a living one writes is not"
fi

printf 'my own notes' >"$scratch/sweep.csv.part"
gives "a .part that is no journal is refused" 4 stderr "is not the journal" \
    sweep "$model" -p F=1:2:2 -o "$scratch/sweep.csv" --resume
if [ "$(cat "$scratch/sweep.csv.part")" = "my own notes" ]; then
    result ok "and is not touched"
else
    result not-ok "and is not touched"
fi

# Cut byte by byte it would take hours, which tools/run-tests.sh ends.
long=$(head -c 1000000 /dev/zero | tr '\0' 'a')
{ echo "model long \"$long\""; cat "$model"; } >"$scratch/long.dry"
if "$drystone" run "$scratch/long.dry" --plot "$scratch/long.svg" >"$scratch/log" 2>&1 &&
    grep -q 'aaa…' "$scratch/long.svg"; then
    result ok "a title of a million letters is cut soon"
else
    result not-ok "a title of a million letters is cut soon"
fi
# ---- the gallery: a page that cannot be written, and an order to end ---------------------------------

mkdir -p "$scratch/root/models/classics" "$scratch/root/models/papers" "$scratch/site/classics-quick.html"
cp "$model" "$scratch/root/models/classics/quick.dry"
ended=0
"$drystone" gallery "$scratch/root" -o "$scratch/site" >"$scratch/log" 2>&1 || ended=$?
if [ "$ended" = 4 ] && grep -q 'could not be written' "$scratch/log"; then
    result ok "a page that cannot be written ends with 4"
else
    result not-ok "a page that cannot be written ends with 4"
fi

sed 's/until = 1 \[s\], step = 10 \[ms\]/until = 1000 [s], step = 1 [us], record = 1 [s]/' "$model" \
    >"$scratch/root/models/classics/slow.dry"
"$drystone" gallery "$scratch/root" --only slow -o "$scratch/slow" >"$scratch/log" 2>&1 &
gallery=$!
children=
for _ in 1 2 3 4 5 6 7 8 9 10; do
    sleep 0.5
    children=$(ps -o pid= --ppid "$gallery" || true)
    [ -z "$children" ] || break
done
kill -TERM "$gallery"
ended=0
wait "$gallery" || ended=$?
left=
for child in $children; do
    if kill -0 "$child" 2>/dev/null; then left=$child; fi
done
if [ "$ended" = 130 ] && [ -n "$children" ] && [ -z "$left" ]; then
    result ok "a gallery that is told to end takes its models with it"
else
    result not-ok "a gallery that is told to end takes its models with it"
fi

finish
