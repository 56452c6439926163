#!/bin/sh
# Every example runs, writes its files, and gives the numbers that its head comment promises.
set -eu
. tests/house/tap.sh

examples=$(CDPATH='' cd -- "$DRY_BUILD/examples" && pwd)
mkdir "$scratch/out"
cd "$scratch"

for example in "$examples"/*; do
    check "the example ${example##*/} runs" "$example"
    cp "$scratch/log" "$scratch/${example##*/}.output"
done

between() { # EXAMPLE LINE LOW HIGH: the number behind the colon in the line that begins so
    awk -v line="$2" -v low="$3" -v high="$4" -F: '
        { print }
        index($0, line) == 1 { seen = 1; if ($2 + 0 < low || $2 + 0 > high) bad = 1 }
        END { exit bad || !seen }' "$scratch/$1.output"
}
check "drift: the inclusion stands still" between drift 'creep of f in F sgn(v)' -1e-15 1e-15
# 1.176e-3 m/s was worked out from 3 s to 5 s; whole cycles, as here, change it by 0.1 %.
check "drift: LuGre creeps at 1.176e-3 m/s" between drift 'creep of LuGre' 1.1735e-3 1.1785e-3
check "drift: the files are there" test -s out/drift.csv -a -s out/drift.svg
mkdir "$scratch/bare"
refuses "drift: a missing folder is named with the way out" '^drift: out/drift.svg: .*create its directory first' \
    env -C "$scratch/bare" "$examples/drift"
check "own_part: below the limit the spring holds the ball" between own_part 'gap with 0.9' 7.819 7.820
# 30.8 N on a stop of 1e6 N/m: 31 um beyond 1 mm, and 1 um more because the magnet then pulls more
check "own_part: beyond it the ball lies on the stop" between own_part 'gap with 1.1' 0.966 0.970

finish
