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

finish
