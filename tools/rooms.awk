# Reads the catalogue of rooms, then lines of `room file line include`; reports what it forbids,
# or draws the picture of the floors. Called by check-rooms.sh.

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function complain(text) {
    print text
    bad = 1
}

function read_table(    line, field, n, header) {
    while ((getline line < table) > 0) {
        if (line ~ /^#/ || line !~ /\|/) continue
        n = split(line, field, "|")
        if (trim(field[1]) == "header") {
            room_of[trim(field[2])] = trim(field[3])
            continue
        }
        name[++rooms] = trim(field[2])
        floor[name[rooms]] = trim(field[1]) + 0
        what[name[rooms]] = trim(field[3])
        uses[name[rooms]] = trim(field[4])
    }
    if (!rooms) complain(table ": no rooms in it")
    for (header in room_of)
        if (!(room_of[header] in floor)) complain("rooms.txt: " header ".h is a header of " room_of[header] ", which is not a room")
}

# The room of a public header: the one that the catalogue names, else the header's own name.
function room_of_header(header) { return header in room_of ? room_of[header] : header }

# may[a, b] for every b that the row of a names.
function expand_table(    i, j, n, room, used) {
    for (i = 1; i <= rooms; i++) {
        room = name[i]
        if (uses[room] == "below") {
            for (j = 1; j <= rooms; j++) if (floor[name[j]] < floor[room]) may[room, name[j]] = 1
            continue
        }
        n = split(uses[room], used, " ")
        for (j = 1; j <= n; j++) {
            may[room, used[j]] = 1
            if (!(used[j] in floor)) complain("rooms.txt: " room " may use " used[j] ", which is no room")
            else if (floor[used[j]] > floor[room]) complain("rooms.txt: " room " may not use " used[j] " of a floor above")
        }
    }
}

# Takes away, again and again, the rooms that use none of those left; a ring is what stays.
function find_ring(    i, j, left, moved, free, text) {
    for (i = 1; i <= rooms; i++) left[name[i]] = 1
    do {
        moved = 0
        for (i = 1; i <= rooms; i++) {
            if (!(name[i] in left)) continue
            free = 1
            for (j in left) if ((name[i], j) in may) free = 0
            if (free) { delete left[name[i]]; moved = 1 }
        }
    } while (moved)
    for (i = 1; i <= rooms; i++) if (name[i] in left) text = text " " name[i]
    if (text != "") complain("rooms.txt: a ring among:" text)
}

# The room that an include leads to; "" for the C library and for files of the same folder.
function target(include,    part, n) {
    n = split(include, part, "/")
    if (n == 1) return ""
    if (part[n - 1] == "drystone") return room_of_header(substr(part[n], 1, length(part[n]) - 2))
    return part[n - 1] in floor ? part[n - 1] : ""
}

BEGIN {
    read_table()
    expand_table()
    find_ring()
}

# Of a public header, check-rooms.sh gives the header's name instead of the room's.
$2 ~ /^include\/drystone\// {
    if ($3 == 0) public[$1] = 1
    $1 = room_of_header($1)
}

{ exists[$1] = 1 }

$1 != "drystone" && !($1 in floor) && !($1 in unknown) {
    unknown[$1] = 1
    complain($2 ": the room " $1 " is not in rooms.txt")
}

$4 != "" {
    to = target($4)
    if ($1 == "drystone") included[$4] = 1
    if (to == "" || to == $1) next
    seen[$1, to] = 1
    if ($1 == "drystone") next
    private = $4 !~ /^drystone\// && $4 != to "/" to ".h"
    if (private) complain($2 ":" $3 ": " $4 " is private to " to "; include <drystone/" to ".h> or its door")
    else if (to == "drystone" ? uses[$1] != "below" : !(($1, to) in may))
        complain($2 ":" $3 ": " $1 " may not use " to " (it may use: " uses[$1] ")")
}

function edges(room,    i, text) {
    for (i = 1; i <= rooms; i++) if ((room, name[i]) in seen) text = text " " name[i]
    if ((room, "drystone") in seen) text = text " all below"
    return substr(text, 2)
}

function rule(n,    text) {
    while (n-- > 0) text = text "─"
    return text
}

function cross(left, middle, right) {
    print left rule(9) middle rule(width_what + 11) middle rule(width_edges + 2) right
}

# One box per floor, the highest on top: its rooms and what they really include.
function draw(    level, i, room, first, top) {
    for (i = 1; i <= rooms; i++) {
        if (!(name[i] in exists)) continue
        if (length(what[name[i]]) > width_what) width_what = length(what[name[i]])
        if (length(edges(name[i])) > width_edges) width_edges = length(edges(name[i]))
    }
    for (level = 9; level >= 0; level--) {
        first = 1
        for (i = 1; i <= rooms; i++) {
            room = name[i]
            if (floor[room] != level || !(room in exists)) continue
            if (first) top++ ? cross("├", "┼", "┤") : cross("┌", "┬", "┐")
            printf "│ %-7s │ %-8s %-" width_what "s │ %-" width_edges "s │\n",
                first ? "floor " level : "", room, what[room], edges(room)
            first = 0
        }
    }
    cross("└", "┴", "┘")
    print "left: the room and what is in it; right: the rooms it includes"
}

END {
    if ("drystone" in public)
        for (header in public)
            if (header != "drystone" && !(("drystone/" header ".h") in included))
                complain("include/drystone/drystone.h: does not include " header ".h")
    if (mode == "picture") draw()
    exit bad
}
