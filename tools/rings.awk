# Reads lines of `room/file D|U symbol` and finds, room by room, the files that call each other in a ring, and
# the private names of a room that another room uses.
# Called by check-rings.sh.

function room_of(file) { return substr(file, 1, index(file, "/") - 1) }

$2 == "D" { home[$3] = $1 }
$2 == "U" { wants[$1] = wants[$1] " " $3 }
!($1 in seen) { seen[$1] = 1; room = room_of($1); member[room, ++size[room]] = $1 }

# calls[a, b]: file a of the room calls one of b, directly or through others.
function close_room(room,    i, j, k, n, part, a, b, c) {
    for (i = 1; i <= size[room]; i++) {
        a = member[room, i]
        n = split(wants[a], part, " ")
        for (j = 1; j <= n; j++)
            if (part[j] in home && home[part[j]] != a && room_of(home[part[j]]) == room) calls[a, home[part[j]]] = 1
    }
    for (k = 1; k <= size[room]; k++) {
        c = member[room, k]
        for (i = 1; i <= size[room]; i++) {
            a = member[room, i]
            if (!((a, c) in calls)) continue
            for (j = 1; j <= size[room]; j++) {
                b = member[room, j]
                if ((c, b) in calls) calls[a, b] = 1
            }
        }
    }
}

# The files that file a is in a ring with, itself included; sets `length_of`.
function ring_of(room, a,    j, b, text) {
    length_of = 0
    for (j = 1; j <= size[room]; j++) {
        b = member[room, j]
        if (!((a, b) in calls) || !((b, a) in calls)) continue
        length_of++
        text = text " " substr(b, length(room) + 2)
        done[b] = 1
    }
    return text
}

function look_at(room,    i, a, text, longest) {
    close_room(room)
    for (i = 1; i <= size[room]; i++) {
        a = member[room, i]
        if (a in done || !((a, a) in calls)) continue
        text = ring_of(room, a)
        if (length_of > longest) longest = length_of
        if (mode == "check" && length_of > most) {
            printf "%s: %d files call each other in a ring:%s\n", room, length_of, text
            bad = 1
        }
    }
    if (mode == "all") printf "%-8s %3d files, longest ring %d\n", room, size[room], longest
}

function check_private(    file, n, part, i) {
    for (file in wants) {
        n = split(wants[file], part, " ")
        for (i = 1; i <= n; i++)
            if (part[i] ~ /[a-z0-9]__/ && part[i] in home && room_of(home[part[i]]) != room_of(file)) {
                printf "%s uses %s, which is private to %s\n", file, part[i], room_of(home[part[i]])
                bad = 1
            }
    }
}

END {
    if (NR == 0) { print "no objects: build first"; exit 1 }
    for (room in size) look_at(room)
    if (mode == "check") check_private()
    exit bad
}
