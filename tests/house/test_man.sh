#!/bin/sh
# The manual pages: the one of the command is what its help tells, the one of the language knows its words.
set -eu
. tests/house/tap.sh

drystone=$DRY_BUILD/drystone

fresh() { tools/man-page.sh "$DRY_BUILD" | diff - man/drystone.1 || { echo "run: tools/man-page.sh BUILD >man/drystone.1"; false; }; }

# Independent of the tool that wrote the page: every name of the help occurs.
complete() {
    page=$(sed 's/\\-/-/g' man/drystone.1)
    for verb in $("$drystone" help | sed -n '/^verbs$/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        case $page in *"drystone $verb"*) ;; *) echo "no verb $verb" && return 1 ;; esac
        for option in $("$drystone" help "$verb" | grep -o -E '^  (-[a-z], )?--[a-z-]+' | grep -o -e '--.*'); do
            case $page in *"$option"*) ;; *) echo "$verb: no option $option" && return 1 ;; esac
        done
    done
}

version() { grep "^\.TH DRYSTONE 7 .* \"drystone $("$drystone" --version | sed -n 's/^drystone //p')\"" man/drystone.7; }

# Words as the command lists them for editors.
known() { # COLUMN VALUE
    list=$("$drystone" lsp --words | awk -F '\t' -v column="$1" -v value="$2" '$column == value { print $3 }')
    [ -n "$list" ] || { echo "no words of $2"; return 1; }
    for word in $list; do grep -q -w -e "$word" man/drystone.7 || { echo "no $word"; return 1; }; done
}
methods() {
    for method in $("$drystone" run --help | sed -n 's/^  --method NAME *//p' | tr -d ,); do
        grep -q -w -e "$method" man/drystone.7 || { echo "no $method"; return 1; }
    done
}

# The example between .RS and .RE number N, as a model.
example() { awk -v want="$1" '/^\.RS/ { n++; on = 1; next } /^\.RE/ { on = 0 } on && n == want' man/drystone.7 | sed -e 's/\\-/-/g' -e "s/\\\\(aq/'/g"; }
first_example() { example 1 >"$scratch/first.dry" && "$drystone" test "$scratch/first.dry"; }
last_example() { { example 3; echo "run until = 1 [s], step = 1 [ms]"; } >"$scratch/last.dry" && "$drystone" check "$scratch/last.dry"; }

check "drystone.1 is what tools/man-page.sh prints" fresh
check "it has every verb and option" complete
check "drystone.7 is of this version" version
check "it has every reserved word" known 2 reserved
check "it has every other word that begins a statement" known 1 statement
check "it has every function" known 1 function
check "it has every set" known 1 set
check "it has every method" methods
check "its first example holds what it expects" first_example
check "its example with parts is accepted" last_example
if have groff; then
    silent() { groff -man -ww -z "$1" 2>&1 | tee "$scratch/said" && [ ! -s "$scratch/said" ]; }
    check "groff has nothing to say about drystone.1" silent man/drystone.1
    check "groff has nothing to say about drystone.7" silent man/drystone.7
fi
if have mandoc; then
    check "nor has mandoc" mandoc -Tlint man/drystone.1 man/drystone.7
fi

finish
