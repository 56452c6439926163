#!/bin/sh
# Checks that each room includes only the rooms that rooms.txt allows, and that there is no ring.
#
#   tools/check-rooms.sh [--picture] [ROOT]
#
# A room is src/<room>/ with its public header include/drystone/<room>.h, and the further headers that
# rooms.txt gives to it; what lies in src/<room>/ is private to it. --picture prints the floors with the includes that are really there.
set -eu

tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mode=check
[ "${1-}" = --picture ] && { mode=picture; shift; }
cd "${1-$tools/..}"

# One line per include: room (or public header), file, line, the text between the quotes or brackets.
includes() {
    for file in src/*/*.[ch] src/*/*.def include/drystone/*.h; do
        [ -f "$file" ] || continue
        case $file in
        src/*) room=${file#src/} room=${room%%/*} ;;
        *) room=${file##*/} room=${room%.h} ;;
        esac
        awk -v room="$room" -v file="$file" '
            BEGIN { print room, file, 0, "" }
            /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
                split($0, part, /[<">]/)
                print room, file, FNR, part[2]
            }' "$file"
    done
}

includes | awk -v mode="$mode" -v table="$tools/rooms.txt" -f "$tools/rooms.awk"
