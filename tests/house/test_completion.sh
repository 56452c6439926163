#!/bin/sh
# The bash completion offers every verb and option that the help tells, and what else can follow.
set -eu
. tests/house/tap.sh

drystone=$DRY_BUILD/drystone

# What follows the words; the last of them is the one under the cursor.
write "$scratch/offer.bash" <<'BASH'
source completion/drystone.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_drystone
printf '%s\n' "${COMPREPLY[@]}" | sort
BASH
offer() { bash "$scratch/offer.bash" "$drystone" "$@" 2>&1; }

verbs=$("$drystone" help | sed -n '/^verbs$/,/^$/s/^  \([a-z]*\) .*/\1/p')

all_verbs() {
    { printf '%s\n' "$verbs" --help --version; } | sort >"$scratch/told"
    offer '' | diff "$scratch/told" -
}
all_options() {
    for verb in $verbs; do
        "$drystone" help "$verb" | sed -n '/^options$/,$s/^  \(-.*\)$/\1/p' | grep -o -E '^(-[a-z], )?--[a-z-]+' |
            tr -d , | tr ' ' '\n' | sort >"$scratch/told"
        [ -s "$scratch/told" ] || return 1
        offer "$verb" - | diff "$scratch/told" - || { echo "options of $verb"; return 1; }
    done
}
offers() { # EXPECTED... -- WORD...: exactly these, in order of the alphabet
    expected=
    while [ "$1" != -- ]; do expected="$expected$1 " && shift; done
    shift
    got=$(offer "$@" | tr '\n' ' ')
    echo "offered: $got"
    [ "$got" = "$expected" ]
}
all_laws() { "$drystone" laws | awk '{ print $1 }' | sort >"$scratch/told" && offer laws '' | diff "$scratch/told" -; }
all_kinds() { "$drystone" parts | awk '{ print $1 }' | sort >"$scratch/told" && offer parts '' | diff "$scratch/told" -; }

if have bash; then
    mkdir "$scratch/d" "$scratch/d/sub"
    d=$scratch/d
    touch "$d/one.dry" "$d/two.csv" "$d/three.txt" "$d/four.svg"
    check "every verb" all_verbs
    check "every option of every verb" all_options
    check "laws" all_laws
    check "kinds of parts" all_kinds
    check "verbs behind help" offers run -- help ru
    check "models and folders" offers "$d/one.dry" "$d/sub" -- run "$d/"
    check "models behind a flag" offers "$d/one.dry" "$d/sub" -- run --quiet "$d/"
    check "results" offers "$d/sub" "$d/two.csv" -- plot "$d/"
    check "files by the endings that an option takes" offers "$d/four.svg" "$d/sub" -- run --plot "$d/"
    check "folders" offers "$d/sub" -- export -o "$d/"
    check "methods" offers rk4 rk4-tau -- run --method rk
    check "methods behind =" offers dop853 dopri5 -- run --method = "do"
    check "methods in a list" offers rk4,dop853 rk4,dopri5 -- compare --methods rk4,do
    check "nothing where a number is due" offers '' -- run --step ''
fi

finish
