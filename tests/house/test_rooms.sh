#!/bin/sh
# The rooms include only what the table allows; and the check that says so can fail.
set -eu
. tests/house/tap.sh

rooms() { "${tools-tools}/check-rooms.sh" "$@"; }

check "each room includes only what it may" rooms
check "there is a picture with this room in it" sh -c "tools/check-rooms.sh --picture | grep -q '│ cli '"

echo '#include <drystone/record.h>' | write "$scratch/up/src/core/greedy.c"
refuses "an include of a room above is found" 'src/core/greedy.c:1: core may not use record' \
    rooms "$scratch/up"

echo '#include "law/laws.h"' | write "$scratch/private/src/ode/curious.c"
refuses "an include of a private header is found" 'law/laws.h is private to law' rooms "$scratch/private"

echo '#include "graph/graph.h"' | write "$scratch/door/src/lang/guest.c"
check "the door of a room that may be used is open" rooms "$scratch/door"
echo '#include "graph/graph.h"' | write "$scratch/shut/src/syntax/guest.c"
refuses "to others it is shut" 'syntax may not use graph' rooms "$scratch/shut"

echo '#include "../base/arena.h"' | write "$scratch/dots/src/record/curious.c"
refuses "a private header behind dots is found" 'arena.h is private to base' rooms "$scratch/dots"

echo '#include <drystone/drystone.h>' | write "$scratch/all/src/base/lazy.c"
refuses "the header of all rooms is for the top only" 'base may not use drystone' rooms "$scratch/all"

echo 'int x;' | write "$scratch/unknown/src/attic/dust.c"
refuses "a room without a row is found" 'the room attic is not in rooms.txt' rooms "$scratch/unknown"

echo '/* nothing */' | write "$scratch/forgotten/include/drystone/drystone.h"
echo '/* nothing */' | write "$scratch/forgotten/include/drystone/core.h"
refuses "a header that drystone.h forgot is found" 'does not include core.h' rooms "$scratch/forgotten"

echo '/* nothing */' | write "$scratch/second/include/drystone/drystone.h"
echo '/* nothing */' | write "$scratch/second/include/drystone/part.h"
refuses "so is a second header of a room" 'does not include part.h' rooms "$scratch/second"

echo '#include <drystone/part.h>' | write "$scratch/part/src/base/greedy.c"
refuses "a second header belongs to its room" 'src/base/greedy.c:1: base may not use net' rooms "$scratch/part"

echo '#include <drystone/record.h>' | write "$scratch/from/include/drystone/team.h"
refuses "and may include what its room may" 'team.h:1: base may not use record' rooms "$scratch/from"

mkdir -p "$scratch/ring/tools"
cp tools/check-rooms.sh tools/rooms.awk "$scratch/ring/tools"
printf '0 | hen | lays | egg\n0 | egg | hatches | hen\n' | write "$scratch/ring/tools/rooms.txt"
tools=$scratch/ring/tools
refuses "a ring is found" 'a ring among: hen egg' rooms "$scratch/ring"
printf '0 | hen | lays |\nheader | nest | barn\n' | write "$scratch/ring/tools/rooms.txt"
refuses "a header of a room that is not there is found" 'nest.h is a header of barn, which is not a room' \
    rooms "$scratch/ring"

# The tables of docs/house.md: what a room is, its size, and what its tests see.
rows_of_rooms() { # FILE
    sed -n 's/^[0-9] *| *\([a-z]*\).*/\1/p' tools/rooms.txt >"$scratch/rooms"
    [ "$(wc -l <"$scratch/rooms")" -gt 20 ] || { echo "tools/rooms.txt is not read"; return 1; }
    while read -r room; do
        for part in 'Rooms and floors' Sizes 'What the tests see'; do
            sed -n "/^###* $part\$/,/^##/{ /^##/!p; }" "$1" | grep -q "^|.* \`$room\` |" || echo "$room has no row below $part"
        done
    done <"$scratch/rooms" >"$scratch/lost"
    cat "$scratch/lost"
    [ ! -s "$scratch/lost" ]
}
check "each room has its rows in docs/house.md" rows_of_rooms docs/house.md
grep -v '^| 9 | `cli` | [0-9]' docs/house.md >"$scratch/house.md"
refuses "a row that is not there is missed" 'cli has no row below Sizes' rows_of_rooms "$scratch/house.md"

finish
