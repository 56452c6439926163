# Counts the fields of structs. Called by check-structs.sh, with c-text.awk: mode is check or all, most the
# number of fields that needs no reason.

BEGIN { # further headers of rooms
    while ((getline line < table) > 0)
        if (line ~ /^header/ && split(line, cell, /[ \t]*\|[ \t]*/) == 3) home[cell[2]] = cell[3]
}
function room_of(file,    part, n) {
    n = split(file, part, "/")
    if (part[1] == "src") return part[2]
    n = substr(part[n], 1, length(part[n]) - 2)
    return n in home ? home[n] : n
}
# Keeps in `said` the last comment before a struct.
function comment(text, begins) {
    if (!depth) said = begins ? text : said " " text
}
# Names declared by `text`, which ends with a semicolon at the depth of the struct.
function names_in(text) {
    gsub(/\([^()]*\)/, "", text) # arguments of functions
    while (match(text, /\{[^{}]*\}/)) text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
    return gsub(/,/, ",", text) + 1
}
function finish() {
    room = room_of(FILENAME)
    if (fields > longest[room]) { longest[room] = fields; whose[room] = name }
    if (mode == "check" && fields > most && said !~ /long[ *]+because/) {
        printf "%s:%d: %s has %d fields: make several structs of it, or say why it is long because ...\n", FILENAME, line_of, name, fields
        bad = 1
    }
}
FNR == 1 { in_comment = depth = 0; said = ""; rest = "" }
{
    text = strip($0)
    if (text ~ /^[ \t]*#/) next
    if (!depth) {
        if (text ~ /^(typedef )?struct [a-z_A-Z0-9]* *\{[ \t]*$/) {
            depth = 1; fields = 0; rest = ""; line_of = FNR
            name = text
            sub(/ *\{.*/, "", name); sub(/^(typedef )?struct /, "", name)
        } else if (text !~ /^[ \t]*$/) said = ""
        next
    }
    opened = gsub(/{/, "{", text); closed = gsub(/}/, "}", text)
    depth += opened - closed
    if (depth == 0) { finish(); said = ""; next }
    rest = rest " " text
    if (depth == 1 && text ~ /;[ \t]*$/) { fields += names_in(rest); rest = "" }
}
END {
    if (mode == "all") for (room in longest) printf "%-8s %3d %s\n", room, longest[room], whose[room]
    exit bad
}
