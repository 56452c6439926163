#!/bin/sh
# Checks that floor 0 is freestanding: compiled so, it needs mem*, str* and those functions of libm that
# are exact, and nothing else, and keeps no global that can be written.
#
#   tools/check-floor0.sh [ROOT]
set -eu

tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cd "${1-$tools/..}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Of libm what is exact, or at least the same everywhere; the others are in elementary.h.
allowed="ceil copysign fabs floor fmax fmin fmod frexp ldexp modf nearbyint nextafter remainder rint
round scalbn sqrt trunc
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
                print symbol ": not exact in libm, mem* or str*; needed by" needed[symbol]
                bad = 1
            }
        exit bad
    }'
