#!/bin/sh
# Checks that no room has a ring of more than MOST files that call each other, as its objects say.
#
#   tools/check-rings.sh [--all] BUILD [MOST]
#
# Prints each ring that is too long with its files; --all prints the longest ring of each room.
set -eu

mode=check
[ "${1-}" = --all ] && { mode=all; shift; }
build=${1:?BUILD}
most=${2:-4}
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

# Lines of `room/file D|U symbol`.
symbols() {
    find "$build/CMakeFiles" -path '*/src/*' -name '*.c.o' | sort | while read -r object; do
        file=${object##*/src/}
        nm -P "$object" | awk -v file="${file%.c.o}" '
            $2 == "U" { print file, "U", $1 }
            $2 ~ /^[TDRBCV]$/ { print file, "D", $1 }'
    done
}

symbols | awk -v mode="$mode" -v most="$most" -f "$tools/rings.awk"
