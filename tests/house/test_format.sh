#!/bin/sh
# Every source is formatted as .clang-format says.
set -eu
. tests/house/tap.sh

# Versions format differently; .clang-format is for 14.
if ! have clang-format-14; then finish; fi

formatted() { # FILE...: names those that are not
    clang-format-14 --style=file:.clang-format --dry-run -Werror "$@" 2>"$scratch/said" && return
    sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error: .*/\1: not formatted; run '"'make format'/p" "$scratch/said" | sort -u
    return 1
}
# shellcheck disable=SC2046  # no blanks in the names of sources
check "sources are formatted" formatted $(find include src tests bench examples web/engine -name '*.[ch]')

printf 'int   main( void )\n{ return 0;}\n' >"$scratch/untidy.c"
refuses "an untidy source is found" 'untidy.c: not formatted' formatted "$scratch/untidy.c"

finish
