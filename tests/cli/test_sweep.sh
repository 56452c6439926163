#!/bin/sh
# The verb sweep: tables, pictures, what it refuses, and that neither threads nor an end at any moment nor
# processes change a byte of the result.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

export XDG_CACHE_HOME="$scratch/cache"
model=models/papers/xiong-dissertation/fig5-07-point.dry
has_png=$("$drystone" --version | awk '$1 == "PNG" { print $2 }')
has_hdf5=$("$drystone" --version | awk '$1 == "HDF5" { print $2 }')

write "$scratch/block.dry" <<'MODEL'
model block "A block that is pushed"
param M = 1 [kg], F = 0.5 [N], push = 1 [N]
state p = 0 [m], v = 0 [m/s]
f in F*sgn(v)    with K = 5e3 [N/m], beta = 2 [ms]
p' = v
M*v' = push - f
run until = 0.2 [s], step = 1 [ms], method = rk4
measure reach = final(p)
measure fastest = max(v)
MODEL
sed '/^measure/d' "$scratch/block.dry" >"$scratch/blind.dry"

same() { cmp "$1" "$2"; }
sweep() { "$drystone" sweep "$@" --quiet; }
absent() { [ ! -e "$1" ]; }
bytes() { if [ -e "$1" ]; then wc -c <"$1"; else echo 0; fi; }
rows() { awk 'END { print NR - 1 }' "$1"; }

# ---- tables -------------------------------------------------------------------------------------

gives "a sweep over two parameters tells what came out" 0 stdout "^  reach .* m$" \
    sweep "$scratch/block.dry" -p F=0.1:0.5:5 -p push=1,2 -o "$scratch/t.csv"
check "its table has a row for each point" [ "$(rows "$scratch/t.csv")" = 10 ]
check "and a column for each parameter, measure, and the status" \
    [ "$(head -n 1 "$scratch/t.csv")" = "F [N],push [N],reach [m],fastest [m/s],status" ]
check "the journal is gone" absent "$scratch/t.csv.part"
"$drystone" run "$scratch/block.dry" -p F=0.4 -p push=2 --json >"$scratch/run.json"
check "a point is what run gives, digit for digit" \
    [ "$(awk -F, '$1 == 0.4 && $2 == 2 { print $3 }' "$scratch/t.csv")" = "$(sed 's/.*"reach": \([^,]*\),.*/\1/' "$scratch/run.json")" ]
gives "one point is one point" 0 stdout '^1 point: F ' sweep "$scratch/block.dry" -p F=0.3 -o "$scratch/one.csv"
check "--measure takes some of them" sweep "$scratch/block.dry" -p F=0.1,0.2 --measure fastest -o "$scratch/m.csv"
check "and only these" [ "$(head -n 1 "$scratch/m.csv")" = "F [N],fastest [m/s],status" ]
gives "without -o the table goes to the output" 0 stdout "^0.1,.*,0$" \
    sweep "$scratch/block.dry" -p F=0.1,0.2 --measure reach
if [ "$has_hdf5" = yes ]; then
    check "a table in HDF5" sweep "$scratch/block.dry" -p F=0.1,0.2 -o "$scratch/t.h5"
fi
for jobs in 1 2 5; do
    check "with $jobs threads" sweep "$model" -p speed=1:5:9 -p beta1=0:6e-3:9 --until 0.3 -j "$jobs" \
        -o "$scratch/j$jobs.csv"
done
check "2 threads change no byte" same "$scratch/j1.csv" "$scratch/j2.csv"
check "5 threads change no byte" same "$scratch/j1.csv" "$scratch/j5.csv"

# ---- pictures -----------------------------------------------------------------------------------

check "a map over two parameters" sweep "$model" -p speed=1:5:9:log -p beta1=0:6e-3:9 --until 0.2 \
    -o "$scratch/map.csv" --plot "$scratch/map.svg"
check "has cells and a bar" grep -q 'class="cell"' "$scratch/map.svg"
check "a family of curves" sweep "$model" -p speed=1:5:9:log -p beta1=0,3e-3 --until 0.2 \
    -o "$scratch/family.csv" --plot "$scratch/family.svg"
check "has a legend in mathematics, with units" grep -q 'β<tspan[^>]*>1</tspan><tspan[^>]*> = 0.003 s' "$scratch/family.svg"
check "--log draws curves over logarithmic axes" sweep "$model" -p speed=1,10,100 --measure cor --until 0.2 --log \
    -o "$scratch/log.csv" --plot "$scratch/log.svg"
check "whose ticks are powers of ten" grep -q '>100</text>' "$scratch/log.svg"
check "with a mark at every point" test "$(sed -n '/class="mark"/,/<\/g>/p' "$scratch/log.svg" | grep -c '<polyline')" = 3
gives "--log needs a picture" 2 stderr '^drystone: --log needs a picture: --plot FILE' \
    sweep "$model" -p speed=1,10,100 --measure cor --until 0.2 --log -o "$scratch/log.csv"
gives "--log does not go with a map" 2 stderr 'add --curves' sweep "$model" -p speed=1:5:8 -p beta1=0:6e-3:8 --until 0.2 --log \
    -o "$scratch/map.csv" --plot "$scratch/map2.svg"
if [ "$has_png" = yes ]; then
    check "a picture in PNG" sweep "$model" -p speed=1:5:5 --until 0.2 -o "$scratch/c.csv" --plot "$scratch/c.png"
fi

# ---- what it refuses ------------------------------------------------------------------------------

gives "no parameter" 2 stderr "no parameter to sweep" sweep "$model"
gives "no such parameter" 2 stderr "speedy" sweep "$model" -p speedy=1:2:3
gives "a grid that is none" 2 stderr "NAME=lo:hi:n" sweep "$model" -p speed=1:2
gives "no such measure" 2 stderr "its measures are cor" sweep "$model" -p speed=1,2 --measure core
gives "a model without measures" 2 stderr "no measure" sweep "$scratch/blind.dry" -p F=1,2
gives "an ending that is none" 2 stderr "the ending must be" sweep "$model" -p speed=1,2 -o x.txt
gives "a folder that is not there, before it runs" 4 stderr "none/t.csv: cannot write: .*mkdir" \
    sweep "$model" -p speed=1,2 -o "$scratch/none/t.csv"
gives "a parameter twice" 2 stderr "given twice" sweep "$model" -p speed=1,2 -p speed=1,2
gives "too many panels, before it runs" 2 stderr "too many" sweep "$model" -p speed=1:2:30 -p beta1=1e-3:2e-3:30 \
    -p beta2=0:1:30 -o "$scratch/x.csv" --plot "$scratch/x.svg"
gives "all points wrong: an error" 4 stderr "2 of 2 points could not be run: .*bad model (status 9) 2" \
    sweep "$scratch/block.dry" -p M=0,-1 -o "$scratch/wrong.csv" --quiet
check "and still a table" grep -q "^-1,nan,nan,9$" "$scratch/wrong.csv"
gives "one point wrong: an error, too" 4 stderr "1 of 3 points could not be run: .*bad model (status 9) 1" \
    sweep "$scratch/block.dry" -p M=1,-1,2 -o "$scratch/wrong.csv" --quiet --step 5e-4
check "with the command that shows it" grep -q "^  bad model: drystone run .*block.dry -p M=-1 --step 5e-4$" "$scratch/stderr"
check "the others are run" [ "$(grep -c ",0$" "$scratch/wrong.csv")" = 2 ]
check "and its journal is gone" absent "$scratch/wrong.csv.part"
gives "of many the first three are shown" 4 stderr "^  \.\.\. and 2 more$" \
    sweep "$scratch/block.dry" -p M=-1:-5:5 -o "$scratch/wrong.csv" --quiet
check "and no more" [ "$(grep -c "drystone run" "$scratch/stderr")" = 3 ]

# ---- interrupted ----------------------------------------------------------------------------------

# A quarter of a second of bytecode in 64 blocks.
long="$model -p speed=0.5:5:32 -p beta1=0:6e-3:32 --no-native --until 0.25 --quiet"
# shellcheck disable=SC2086
"$drystone" sweep $long -o "$scratch/whole.csv"
# KILLS: so many kills, each at a random moment: after 0 to 5 more blocks of 272 bytes, or a little later
interrupted() {
    rm -f "$scratch/cut.csv" "$scratch/cut.csv.part"
    kills=0 found=0
    while [ "$kills" -lt "$1" ]; do
        # shellcheck disable=SC2086
        "$drystone" sweep $long --resume -o "$scratch/cut.csv" &
        pid=$!
        wanted=$((found + $(awk -v seed="$kills$$" 'BEGIN { srand(seed); print int(6*rand()) }') * 272))
        while [ "$(bytes "$scratch/cut.csv.part")" -lt "$wanted" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.002; done
        kill -9 "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
        kills=$((kills + 1))
        size=$(bytes "$scratch/cut.csv.part")
        [ "$size" -ge "$found" ] || [ -e "$scratch/cut.csv" ] || return 1 # nothing that was there is lost
        found=$size
    done
    echo "$found bytes in the journal after $kills kills"
    # shellcheck disable=SC2086
    "$drystone" sweep $long --resume -o "$scratch/cut.csv" && same "$scratch/whole.csv" "$scratch/cut.csv" &&
        absent "$scratch/cut.csv.part"
}
check "ten kills at random moments, then --resume: the same bytes" interrupted 10
# A journal of a sweep that is not finished: killed as soon as it has a block.
# shellcheck disable=SC2086
"$drystone" sweep $long -o "$scratch/left.csv" &
pid=$!
while [ "$(bytes "$scratch/left.csv.part")" -lt 200 ]; do sleep 0.01; done
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
cp "$scratch/left.csv.part" "$scratch/mpi.csv.part"
# shellcheck disable=SC2086
gives "a journal that is there is not overwritten" 2 stderr "continue it with --resume" sweep $long -o "$scratch/left.csv"
gives "the journal of another sweep is refused" 4 stderr "belongs to another sweep" \
    sweep "$model" -p speed=0.5:5:32 -p beta1=0:6e-3:33 --until 0.25 --resume -o "$scratch/left.csv"
# shellcheck disable=SC2086
check "what it has is not run again" sh -c "'$drystone' sweep ${long% --quiet} --resume -o '$scratch/left.csv' |
    grep 'were there already'"
check "and the result is the same" same "$scratch/whole.csv" "$scratch/left.csv"
gives "--resume wants the output" 2 stderr "needs the output" sweep "$model" -p speed=1,2 --resume

# ---- units ------------------------------------------------------------------------------------------

cat >"$scratch/pushed.dry" <<'END'
param M = 1 [kg], F = 0.5 [N], x = [1, 2] [m]
state v = 0 [m/s]
M*v' = F
run until = 1 [s], step = 0.25 [s]
measure end = final(v)
END
"$drystone" sweep "$scratch/pushed.dry" -p F=0,0.25,0.5 -o "$scratch/si.csv" >/dev/null
for grid in F=0:500mN:3 'F=0,250 [mN],0.5N'; do
    "$drystone" sweep "$scratch/pushed.dry" -p "$grid" -o "$scratch/units.csv" >/dev/null || true
    check "-p $grid gives the table in SI" same "$scratch/si.csv" "$scratch/units.csv"
done
gives "a unit of another dimension is refused" 2 stderr '`F` is in \[N\], but the setting gives \[kg\]' \
    sweep "$scratch/pushed.dry" -p F=1g:5g:3
gives "so are values with and without a unit" 2 stderr "others have none" \
    sweep "$scratch/pushed.dry" -p F=1:500mN:3
gives "and a vector as a whole" 2 stderr "set one of its elements, such as x\[1\]" \
    sweep "$scratch/pushed.dry" -p x=1:2:3

# ---- ranges -----------------------------------------------------------------------------------------

sed 's/F = 0.5 \[N\]/F = 0.5 [N] in 0..2, G = 2*F in 0 [N]..3 [N]/' "$scratch/pushed.dry" >"$scratch/ranged.dry"
gives "points within the ranges run" 0 stdout "^1.5," sweep "$scratch/ranged.dry" -p F=0:1.5:4 --no-native
gives "the first point outside is refused" 2 stderr 'at the point M=1, F=1.75 the parameter `G` is outside its range 0 .. 3 N' \
    sweep "$scratch/ranged.dry" -p M=1,2 -p F=1,1.75,5
gives "also if it is the first of all" 2 stderr 'at the point F=3 the parameter `F` is outside its range 0 .. 2 N' \
    sweep "$scratch/ranged.dry" -p F=3,1
gives "before anything is written" 2 stderr "outside its range" \
    sweep "$scratch/ranged.dry" -p F=1,3 -o "$scratch/never.csv"
check "no table and no journal" absent "$scratch/never.csv" && check "no journal" absent "$scratch/never.csv.part"

# ---- several processes ------------------------------------------------------------------------------

if [ "$("$drystone" --version | awk '$1 == "MPI" { print $2 }')" = yes ]; then
    export ASAN_OPTIONS=detect_leaks=0 # of MPI itself
    for ranks in 2 4; do
        # shellcheck disable=SC2086
        check "$ranks processes give the same bytes" sh -c "mpirun --allow-run-as-root --oversubscribe -n $ranks \
            '$drystone' sweep $long -j 1 -o '$scratch/mpi$ranks.csv' && cmp '$scratch/whole.csv' '$scratch/mpi$ranks.csv'"
    done
    # shellcheck disable=SC2086
    check "2 processes go on with the journal of one" sh -c "mpirun --allow-run-as-root --oversubscribe -n 2 \
        '$drystone' sweep ${long% --quiet} -j 1 --resume -o '$scratch/mpi.csv' | grep 'were there already' &&
        cmp '$scratch/whole.csv' '$scratch/mpi.csv'"
fi

finish
