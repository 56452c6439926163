#!/bin/sh
# Checks that no room has a ring of more than MOST files that call each other, and that a name with two
# underscores, such as dry_net__take, is used in one room alone; as the objects say.
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

# The sources of a build; an object whose source is gone is not of it any more.
sources=$(sed -n 's/^CMAKE_HOME_DIRECTORY:[^=]*=//p' "$build/CMakeCache.txt" 2>/dev/null) || true

# Lines of `room/file D|U symbol`.
symbols() {
    find "$build/CMakeFiles" -path '*/src/*' -name '*.c.o' | sort | while read -r object; do
        file=${object##*/src/}
        [ -z "$sources" ] || [ -f "$sources/src/${file%.o}" ] || continue
        nm -P "$object" | awk -v file="${file%.c.o}" '
            $2 == "U" { print file, "U", $1 }
            $2 ~ /^[TDRBCV]$/ { print file, "D", $1 }'
    done
}

symbols | awk -v mode="$mode" -v most="$most" -f "$tools/rings.awk"
