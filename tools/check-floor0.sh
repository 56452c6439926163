#!/bin/sh
# Checks that floor 0 is freestanding: compiled so, it needs libm, mem* and str* and nothing else,
# and keeps no global that can be written.
#
#   tools/check-floor0.sh [ROOT]
set -eu

tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cd "${1-$tools/..}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

allowed="acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1
fabs floor fma fmax fmin fmod frexp hypot ldexp log log10 log1p log2 modf nearbyint nextafter pow
remainder rint round scalbn sin sincos sinh sqrt tan tanh trunc
memchr memcmp memcpy memmove memset strchr strcmp strcspn strlen strncmp strspn strstr"

[ ! -d src/law ] || "$tools/set-laws.sh" "$scratch" .
for room in $(awk -F'|' '/^0/ { print $2 }' "$tools/rooms.txt"); do
    for source in src/"$room"/*.c "$scratch/relaxed_"*.c; do
        [ -f "$source" ] || continue
        "${CC:-cc}" -std=c17 -O2 -ffreestanding -fno-stack-protector -fno-pic -Iinclude -Isrc -I"$scratch" \
            -c "$source" -o "$scratch/$room-$(basename "$source" .c).o"
    done
done

nm -A -P "$scratch"/*.o | awk -v allowed="$allowed" -v scratch="$scratch/" '
    BEGIN { n = split(allowed, word); for (i = 1; i <= n; i++) may[word[i]] = 1 }
    {
        object = substr($1, length(scratch) + 1, length($1) - length(scratch) - 3)
        symbol = $2
    }
    $3 == "U" { needed[symbol] = needed[symbol] " " object; next }
    { defined[symbol] = 1 }
    $3 ~ /^[bBdDC]$/ { print object ": " symbol " is a global that can be written"; bad = 1 }
    END {
        for (symbol in needed)
            if (!(symbol in defined) && !(symbol in may)) {
                print symbol ": not libm, mem* or str*; needed by" needed[symbol]
                bad = 1
            }
        exit bad
    }'
