#!/bin/sh
# Every source is formatted as .clang-format says.
set -eu
. tests/house/tap.sh

if ! have clang-format; then
    skip "sources are formatted" "no clang-format"
    finish
fi

formatted() { # FILE...: names those that are not
    untidy=0
    for file; do
        clang-format --style=file:.clang-format --dry-run -Werror "$file" 2>/dev/null ||
            { echo "$file: not formatted; run 'make format'"; untidy=1; }
    done
    return $untidy
}
# shellcheck disable=SC2046  # no blanks in the names of sources
check "sources are formatted" formatted $(find include src tests bench examples -name '*.[ch]')

printf 'int   main( void )\n{ return 0;}\n' >"$scratch/untidy.c"
refuses "an untidy source is found" 'untidy.c: not formatted' formatted "$scratch/untidy.c"

finish
