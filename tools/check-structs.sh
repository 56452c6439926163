#!/bin/sh
# Checks that a struct of more than MOST fields says why: the comment before it has "long because".
#
#   tools/check-structs.sh [--all] [MOST] [ROOT]
#
# --all prints the longest struct of each room. A field is one declared name.
set -eu

mode=check
[ "${1-}" = --all ] && { mode=all; shift; }
most=${1:-30}
tools=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cd "${2-$tools/..}"

# shellcheck disable=SC2016  # awk has its own dollars
find src include -name '*.[ch]' | LC_ALL=C sort | xargs awk -v mode="$mode" -v most="$most" -v table="$tools/rooms.txt" '
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
    # Text without comments; what comments say right before a struct is kept in `said`.
    function strip(line,    at, end) {
        while (1) {
            if (in_comment) {
                end = index(line, "*/")
                if (!depth) said = said " " line
                if (!end) return ""
                line = substr(line, end + 2)
                in_comment = 0
            }
            at = index(line, "/*")
            if (!at) return line
            end = index(substr(line, at + 2), "*/")
            if (!depth) said = substr(line, at)
            if (end) line = substr(line, 1, at - 1) substr(line, at + end + 3)
            else { in_comment = 1; return substr(line, 1, at - 1) }
        }
    }
    # Names declared by `text`, which ends with a semicolon at the depth of the struct.
    function names_in(text,    inner) {
        gsub(/\([^()]*\)/, "", text) # arguments of functions
        while (match(text, /\{[^{}]*\}/)) text = substr(text, 1, RSTART - 1) substr(text, RSTART + RLENGTH)
        return gsub(/,/, ",", text) + 1
    }
    function finish() {
        room = room_of(FILENAME)
        if (fields > longest[room]) { longest[room] = fields; whose[room] = name }
        if (mode == "check" && fields > most && said !~ /long because/) {
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
    }'
