# shellcheck shell=sh
# Helper of the tests of the command: one call of it, its end and what it prints. To be sourced after
# tests/house/tap.sh.
# shellcheck disable=SC2154  # scratch is set by it

drystone=$DRY_BUILD/drystone

built_with() { # LIBRARY, as `drystone --version` names it
    [ "$("$drystone" --version | awk -v library="$1" '$1 == library { print $2 }')" = yes ]
}

# A run that can be trusted says so on stderr; that is nothing else.
says_nothing() { # STREAM
    ! grep -v -q -e ': trusted to [0-9]' -e ': sampled: ' -e ': not watched: ' "$scratch/$1"
}

gives() { # NAME STATUS STREAM PATTERN ARGUMENT...: ends so and prints the pattern on that stream
    name=$1 status=$2 stream=$3 pattern=$4 ended=0
    shift 4
    "$drystone" "$@" >"$scratch/stdout" 2>"$scratch/stderr" || ended=$?
    { echo "status $ended; stdout, stderr:"; cat "$scratch/stdout" "$scratch/stderr"; } >"$scratch/log"
    other=stderr
    [ "$stream" = stdout ] || other=stdout
    if [ "$ended" = "$status" ] && grep -q -e "$pattern" "$scratch/$stream" && says_nothing "$other"; then
        result ok "$name"
    else
        result not-ok "$name"
    fi
}
