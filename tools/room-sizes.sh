#!/bin/sh
# Prints the rooms as a table of Markdown: files, lines, the longest ring of files, the longest struct.
#
#   tools/room-sizes.sh BUILD
set -eu

tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
build=$(CDPATH='' cd -- "${1:?BUILD}" && pwd)
cd "$tools/.."

{
    for room in src/*/; do
        name=${room#src/} name=${name%/}
        echo "size $name $(find "$room" -type f | wc -l) $(find "$room" -type f -exec cat {} + | wc -l)"
    done
    tools/check-rings.sh --all "$build" | awk '{ print "ring", $1, $NF }'
    tools/check-structs.sh --all | awk '{ print "struct", $1, $2, $3 }'
    awk -F '|' '/^[0-9]/ { gsub(/ /, "", $1); gsub(/ /, "", $2); print "floor", $2, $1 }' tools/rooms.txt
} | awk '
    $1 == "size" { files[$2] = $3; lines[$2] = $4 }
    $1 == "ring" { ring[$2] = $3 }
    $1 == "struct" { fields[$2] = $3; longest[$2] = $4 }
    $1 == "floor" { order[++n] = $2; floor[$2] = $3 }
    END {
        print "| floor | room | files | lines | longest ring | longest struct |"
        print "|---|---|---|---|---|---|"
        for (i = 1; i <= n; i++) {
            room = order[i]
            printf "| %s | `%s` | %d | %d | %d | %s (%d) |\n", floor[room], room, files[room], lines[room], ring[room],
                longest[room] == "" ? "-" : longest[room], fields[room]
            all += files[room]; sum += lines[room]
        }
        printf "| | all | %d | %d | | |\n", all, sum
    }'
