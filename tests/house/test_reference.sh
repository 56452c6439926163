#!/bin/sh
# Every model that expects a number has a second program in tests/reference, or a reason why it has none.
set -eu
. tests/house/tap.sh

table=tests/reference/programs.txt

# The models of these folders that expect something have a row.
listed() { # TABLE FOLDER...
    list=$1
    shift
    find "$@" -name '*.dry' -exec grep -l '^expect' {} + | sed -e 's/\.dry$//' -e 's/.*models\///' | sort >"$scratch/wanted"
    sed -n 's/^\([^# 	][^ 	]*\).*/\1/p' "$list" | sort >"$scratch/there"
    comm -23 "$scratch/wanted" "$scratch/there" | sed 's/.*/&: no row in programs.txt/' >"$scratch/lost"
    comm -13 "$scratch/wanted" "$scratch/there" | sed 's/.*/&: programs.txt names it, but no such model expects anything/' >>"$scratch/lost"
    cat "$scratch/lost"
    [ ! -s "$scratch/lost" ]
}

# A row names a function that is there, or "-" and a reason.
complete() { # TABLE
    status=0
    while read -r model program reason; do
        case $model in '' | '#'*) continue ;; esac
        if [ "$model" = without ]; then
            case $reason in *because\ ?*) ;; *) echo "without $program: no reason"; status=1 ;; esac
            continue
        fi
        if [ "$program" = - ]; then
            [ -n "$reason" ] || { echo "$model: neither a program nor a reason"; status=1; }
        elif ! grep -q "^def ${program#*:}(" "tests/reference/${program%%:*}.py"; then
            echo "$model: there is no $program"
            status=1
        fi
    done <"$1"
    return $status
}

check "every model that expects something has a row" listed "$table" models/papers models/classics
check "every row has a program or a reason" complete "$table"

mkdir -p "$scratch/models/papers"
echo 'expect 1 = 1 +- 0' >"$scratch/models/papers/new.dry"
refuses "a new model is not forgotten" 'papers/new: no row' listed "$table" models/papers models/classics "$scratch/models/papers"
echo 'papers/old xiong2013:drift' >"$scratch/more"
refuses "nor a row whose model is gone" 'papers/old: programs.txt names it' listed "$scratch/more" models/papers
printf 'a xiong2013:nothing\nb -\n without p = 1\n' >"$scratch/bad"
refuses "a program that is not there is found" 'a: there is no xiong2013:nothing' complete "$scratch/bad"
refuses "a missing reason is found" 'b: neither a program nor a reason' complete "$scratch/bad"
refuses "also that of a single expectation" 'without p: no reason' complete "$scratch/bad"

# What measures the runs of the second programs must itself measure right: a sine of amplitude 2 and period 4.
measures() {
    PATH=/usr/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/reference python3 - <<'PROGRAM'
import numpy as np
from measure import Measurer
from model_text import Model
TEXT = """
param A = 2, w = 2*pi/4 [s], list = [1, 2] [mm]
function double(x) = 2*x
twice[i] = i*x for i in 1..2
measure up = first(x > 1)
expect max(x) = A +- 1e-6
expect min(x from 1 to 2.5) = -A*sin(pi/4) +- 1e-5
expect up = 1/3 +- 1e-5
expect last(x > 1 from 0 to 3) = 5/3 +- 1e-5
expect count(x > 1) = 2 +- 0
expect count(x < 0 from 0.5 to 7) = 2 +- 0
expect mean(x from 0 to 2) = 2*A/pi +- 1e-5
expect rms(x) = A/sqrt(2) +- 1e-5
expect integral(x from 0 to 2) = 8/pi +- 1e-5
expect final(twice[2]) = -double(A) +- 1e-9
expect at(if x > 0 then 1 else -2, 3) = -2 +- 0
expect sum(list[i] for i in 1..2)/1 [um] = 3000 +- 1e-9
expect sum(max(twice[i]) > 3 for i in 1..2) = 1 +- 0
expect -2^2 + 2^3^2 - 500 = 8 +- 0
expect max(1, up) > 0 and not (min(x) > 0)
"""
t = np.linspace(0, 7, 70001)
measurer = Measurer(Model(TEXT), {"t": t, "x": 2*np.sin(np.pi/2*t)})
assert len(measurer.model.expectations) == 15
for text, left, right, within in measurer.model.expectations:
    number = float(measurer.value(left))
    off = abs(number - float(measurer.value(right))) if right else 1 - number
    assert off <= (float(measurer.value(within)) if right else 0), f"{text}: {number}"
PROGRAM
}
if PATH=/usr/bin:$PATH python3 -c 'import numpy' 2>/dev/null; then
    check "what is measured is measured right" measures
fi

finish
