# shellcheck shell=sh
# Helpers of the tests written in shell: each check is one line of TAP. To be sourced from the root.

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
checks=0 wrong=0

result() { # ok|not-ok NAME
    checks=$((checks + 1))
    if [ "$1" = ok ]; then echo "ok $checks - $2"; return; fi
    wrong=$((wrong + 1))
    echo "not ok $checks - $2"
    sed 's/^/# /' "$scratch/log"
}

check() { # NAME COMMAND...: the command succeeds
    name=$1
    shift
    if "$@" >"$scratch/log" 2>&1; then result ok "$name"; else result not-ok "$name"; fi
}

refuses() { # NAME PATTERN COMMAND...: the command fails and prints the pattern
    name=$1 pattern=$2
    shift 2
    if "$@" >"$scratch/log" 2>&1; then
        echo "(succeeded, but should have failed)" >>"$scratch/log"
        result not-ok "$name"
    elif grep -q -e "$pattern" "$scratch/log"; then
        result ok "$name"
    else
        echo "(failed as it should, but did not print: $pattern)" >>"$scratch/log"
        result not-ok "$name"
    fi
}

have() { command -v "$1" >/dev/null; }

# write FILE: its standard input, with the folders on the way.
write() { mkdir -p "$(dirname "$1")" && cat >"$1"; }

finish() {
    echo "1..$checks"
    exit $((wrong > 0))
}
