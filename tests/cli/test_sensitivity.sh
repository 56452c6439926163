#!/bin/sh
# Sensitivities: what `run --sensitivity` prints, writes and refuses.
set -eu
. tests/house/tap.sh
. tests/cli/command.sh

write "$scratch/slide.dry" <<'MODEL'
param M = 2 [kg], F = 0.5 [N], v0 = 0.4 [m/s], T = 0.3 [s]
state p = 0 [m], v = v0, q = 0 [m]
f in F*sgn(v) with K = 1e6 [N/m], beta = 2 [ms]
p' = v
M*v' = -f
q' = if t < T then 1 [m/s] else -2 [m/s]
run until = 2 [s], step = 20 [us], record = 10 [ms]
measure rest = final(p)
measure top = max(v)
MODEL
slide=$scratch/slide.dry

# The block stops at M v0^2/(2 F) = 0.32 m.
gives "a measure of the end follows the equations" 0 stdout '^    drest/dF *= -0.640[0-9]* m/N   (+- [0-9.e-]*)$' \
    run "$slide" --sensitivity F --no-watch
gives "the largest value is by differences, and says so" 0 stdout \
    '^    dtop/dv0 *= \(1\|0.99999[0-9]*\|1.00000[0-9]*\)   (+- .*, by differences)' run "$slide" --sensitivity v0 --no-watch
gives "a time at which the rate jumps is told" 0 stdout \
    '^  T = 0.3 s: by differences, to about .* of their size: the rates or samples jump at a time that depends on it$' \
    run "$slide" --sensitivity T --no-watch
gives "what the compiler chose is held, and told" 0 stdout \
    '^  F = 0.4 N: by equations, to about .* of their size; the K, alpha, beta that the compiler chose for f are held$' \
    run tests/cli/chosen.dry --sensitivity F --no-watch
gives "JSON has them" 0 stdout \
    '"sensitivities": \[{"name": "F", "value": 0.5, "unit": "N", "by": "equations", "error": [0-9.e-]*, "measures": {"rest": {"value": -0.640' \
    run "$slide" --sensitivity F --json --no-watch
gives "an unknown name is refused" 2 stderr 'has no parameter `G`' run "$slide" --sensitivity G --no-watch
gives "and so is a name twice" 2 stderr '`F` is asked for twice' run "$slide" --sensitivity F,F --no-watch
gives "and a list with a hole" 2 stderr 'one of these is empty' run "$slide" --sensitivity F,,M --no-watch

# Columns: dp/dF at the end, dq/dT = 3 from T on; the columns of the run keep their bits.
columns() {
    "$drystone" run "$slide" --sensitivity F,T --no-watch --quiet -o "$scratch/with.csv" &&
        "$drystone" run "$slide" --no-watch --quiet -o "$scratch/plain.csv" &&
        head -n 1 "$scratch/with.csv" && grep -q ',dp/dF \[m/N\],.*,dq/dT \[m/s\]' "$scratch/with.csv" &&
        cut -d , -f 1-4 "$scratch/with.csv" >"$scratch/a" && cut -d , -f 1-4 "$scratch/plain.csv" >"$scratch/b" &&
        cmp "$scratch/a" "$scratch/b" &&
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { sub(/ .*/, "", $i); at[$i] = i }; next }
            { t = $1; p = $at["dp/dF"]; q = $at["dq/dT"] }
            t > 0.31 && (q < 2.99999999 || q > 3.00000001) { exit 1 }
            END { exit !(p < -0.63999 && p > -0.64001) }' "$scratch/with.csv"
}
check "files have their columns beside those of the run" columns

# Machine code of the equations computes the bits of their bytecode.
both() {
    for code in native no-native; do
        "$drystone" run "$slide" "--$code" --sensitivity F --no-watch --quiet -o "$scratch/$code.csv" || return 1
    done
    cmp "$scratch/native.csv" "$scratch/no-native.csv"
}
check "machine code gives the same columns" both
check "so has HDF5, where the build has it" sh -c '! "$1" --version | grep -q "^hdf5 *yes" ||
    "$1" run "$2" --sensitivity F --no-watch --quiet -o "$3"' sh "$drystone" "$slide" "$scratch/with.h5"
check "and the standard output" sh -c '"$1" run "$2" --sensitivity F --no-watch -o - | head -n 1 | grep -q "dv/dF"' \
    sh "$drystone" "$slide"

finish
