#!/bin/sh
# Writes the tables of statements into docs/papers.md, from models/papers/statements.txt.
#
#   tools/papers-page.sh [PAGE]      # prints the page; the default PAGE is docs/papers.md
#
# A test compares the page with what this prints, so that a row cannot be forgotten. A table stands between the
# comments `statements PAPER` and `end of statements`.
set -eu
cd "$(dirname -- "$0")/.."
awk '
    function trim(text) { gsub(/^ +| +$/, "", text); return text }
    # A model with a link to its file, from docs; it is named from the folder of its paper.
    function link(folder, name,   path) {
        path = "papers/" folder "/" name
        sub(/[^\/]+\/\.\.\//, "", path)
        return "[`" name "`](../models/" path ".dry)"
    }
    function links(folder, names,   done) {
        if (names !~ /[^ ]/) return "-"
        while (match(names, /[A-Za-z0-9_.\/-]*[a-z][0-9A-Za-z]*-[A-Za-z0-9.\/-]+/)) {
            done = done substr(names, 1, RSTART - 1) link(folder, substr(names, RSTART, RLENGTH))
            names = substr(names, RSTART + RLENGTH)
        }
        return done names
    }
    FNR == NR {
        if (/^#/ || !/[|]/) next
        split($0, cell, "|")
        split(trim(cell[1]), folder, " ")
        verdict = trim(cell[6]); why = trim(cell[7])
        said = verdict == "condition" ? "with a condition: " why : verdict (why ? ": " why : "")
        row = "| " trim(cell[2]) " | " links(folder[1], trim(cell[3])) " | " trim(cell[4]) " | " trim(cell[5]) " | " said " |\n"
        table[trim(cell[1])] = table[trim(cell[1])] row
        next
    }
    /^<!-- end of statements -->$/ { inside = 0 }
    !inside { print }
    /^<!-- statements .* -->$/ {
        name = $0
        sub(/^<!-- statements /, "", name); sub(/ -->$/, "", name)
        print "\n| figure | file | statement | ours | met |\n|---|---|---|---|---|"
        printf "%s\n", table[name]
        inside = 1
    }
' models/papers/statements.txt "${1-docs/papers.md}"
