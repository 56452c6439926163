#!/bin/sh
# Prints man/drystone.1: the verbs and options as `drystone help` prints them, between what is written here.
#
#   tools/man-page.sh BUILD > man/drystone.1
#
# A test compares the file with what this prints, so that an option cannot be forgotten.
set -eu
drystone=$1/drystone

version=$("$drystone" --version | sed -n 's/^drystone //p')

# From the help of one verb to a subsection. Options are `  --name ARGUMENT  meaning`.
# shellcheck disable=SC2016  # awk has its own dollars
subsection='
    function plain(text) { gsub(/\\/, "\\e", text); gsub(/-/, "\\-", text); return text }
    function out(text,  words, n, i, line) { # in lines of at most 80 characters
        n = split(plain(text), words, " ")
        line = words[1]
        if (line ~ /^[.\047]/) line = "\\&" line
        for (i = 2; i <= n; i++) {
            if (length(line) + length(words[i]) < 80) { line = line " " words[i]; continue }
            print line
            line = words[i]
            if (line ~ /^[.\047]/) line = "\\&" line
        }
        print line
    }
    NR == 1 { sub(/^[^:]*: /, ""); summary = $0; next }
    /^usage: / && !usage {
        usage = substr($0, 8)
        print ".SS " plain(usage)
        out(toupper(substr(summary, 1, 1)) substr(summary, 2) ".")
        next
    }
    $0 == "options" { listed = 1; next }
    listed && match($0, /^  -.*[^ ]  +/) {
        at = match(substr($0, 3), /  +/)
        left = substr($0, 3, at - 1); right = substr($0, at + 2); sub(/^ +/, "", right)
        if (left == "-h, --help") next
        argument = ""
        if (match(left, / [^- ][^ ]*$/)) { argument = substr(left, RSTART + 1); left = substr(left, 1, RSTART - 1) }
        print ".TP"
        print "\\fB" plain(left) "\\fR" (argument != "" ? " \\fI" plain(argument) "\\fR" : "")
        out(right)
        next
    }
    listed { next }
    $0 == "" { blank = 1; next }
    { if (blank) print ".PP"; blank = 0; out($0) }'

cat <<HEAD
.\\" Printed by tools/man-page.sh, not written by hand.
.TH DRYSTONE 1 2026-11-16 "drystone $version" "User Commands"
HEAD
cat <<'HEAD'
.SH NAME
drystone \- simulate machines with dry friction and unilateral contact
.SH SYNOPSIS
.B drystone
.I VERB
.RI [ OPTION ...]
.RI [ ARGUMENT ...]
.SH DESCRIPTION
A model is a text file in the language of
.BR drystone (7):
ordinary differential equations in which some forces are elements of sets,
.B sgn
for dry friction and
.B dio
for unilateral contact.
.B drystone
checks it, turns each set into a plain element with a state of its own, and runs
the ordinary differential equation that remains: friction sticks without creep,
and contacts never pull.
.PP
You may write options before or after the other arguments, and an option with a
value as
.BI \-\-option= value\fR.
Every verb has
.B \-\-help
.RB ( \-h ).
.B drystone \-\-version
is
.BR "drystone version" .
.SH VERBS
HEAD
for verb in $("$drystone" help | awk '/^verbs$/ { on = 1; next } on && !NF { exit } on { print $1 }'); do
    "$drystone" help "$verb" | awk "$subsection"
done
echo ".SH EXIT STATUS"
"$drystone" help | awk '/^exit codes$/ { on = 1; next }
    on { code = $1; sub(/^ *[0-9]+ */, ""); gsub(/-/, "\\\\-"); print ".TP\n" code "\n" $0 }' | fold -s -w 78 | sed 's/ *$//'
cat <<'TAIL'
.SH ENVIRONMENT
.TP
.B CC
the compiler of native code, in place of
.BR cc (1)
.TP
.B XDG_CACHE_HOME
folder in which compiled models are kept (default ~/.cache)
.TP
.B TMPDIR
folder in which models are compiled if none can be kept
.TP
.B COLUMNS
width of pictures in the terminal, in place of the width of the terminal
.TP
.B NO_COLOR
set to anything: no colours in the terminal
.SH EXAMPLES
.TP
.B drystone new block && drystone run block.dry
A model to start from, and its picture in the terminal.
.TP
.B drystone run block.dry \-p mu=0.1 \-o block.csv \-\-plot block.svg
With another coefficient of friction; numbers and picture into files.
.TP
.B drystone show block.dry
The equations that the model becomes, with the parameters that were chosen.
.TP
.B drystone compare block.dry \-\-methods rk4,dop853,rigid
Methods side by side.
.TP
.B drystone sweep block.dry \-p mu=0.05:0.5:10 \-\-measure rest \-o rest.csv
A measure over a range of a parameter.
.TP
.B drystone test models
Runs every model below a folder and checks what it expects.
.SH SEE ALSO
.BR drystone (7)
TAIL
