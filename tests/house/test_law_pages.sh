#!/bin/sh
# The pages of docs/laws are what the catalogue gives, and what they show can be used.
set -eu
. tests/house/tap.sh

drystone=$DRY_BUILD/drystone
laws=$("$drystone" laws | awk '{ print $1 }')

fresh() {
    mkdir "$scratch/laws"
    DRY_LAW_PAGES=$scratch/laws tools/law-pages.sh "$DRY_BUILD" text || return 1
    for page in "$scratch"/laws/*.md docs/laws/*.md; do
        diff "$scratch/laws/${page##*/}" "docs/laws/${page##*/}" ||
            { echo "run: tools/law-pages.sh BUILD text"; return 1; }
    done
}
have_figures() {
    for law in $laws; do
        known=$(grep -q '^## Known for' "docs/laws/$law.md" && echo "$law-known")
        for figure in "$law" $known; do
            [ -s "docs/laws/$figure.svg" ] || { echo "no figure $figure"; return 1; }
        done
    done
}

# What an experiment shows is also a number, unless the law of a family is put in.
experiments() { grep -l '^expect' docs/laws/*.dry | while read -r file; do "$drystone" test "$file" || return 1; done; }

block() { awk -v kind="$1" '/^```/ { on = $0 == "```" kind; next } on' "$2"; } # KIND PAGE

# Each line of a page as a model of its own.
models() {
    for law in $laws; do
        block dry "docs/laws/$law.md" | while read -r line; do
            { echo "$line"
              case $line in
              f*) printf '%s\n' "state v = 0 [m/s]" "1 [kg]*v' = 1 [N] - f" ;;
              N*) printf '%s\n' "state psi = 1 [mm], psi_dot = 0 [m/s]" "psi' = psi_dot" "1 [kg]*psi_dot' = N - 1 [N]" ;;
              r*) printf '%s\n' "state q = 0 [m], v = 0 [m/s]" "q' = v" "1 [kg]*v' = 1 [N] - r" ;;
              c*) printf '%s\n' "state psi = 1 [mm], w = 0 [m/s], v = 0 [m/s]" "psi' = w" "1 [kg]*w' = c[1] - 1 [N]" "1 [kg]*v' = -c[2]" ;;
              esac
              echo "run until = 1 [ms], step = 0.01 [us]"; } >"$scratch/model.dry"
            "$drystone" check "$scratch/model.dry" || { echo "$law: $line"; return 1; }
        done || return 1
    done
}

# Each page's C as a function of its own.
functions() {
    { echo '#include <stddef.h>'
      for law in $laws; do
          echo '#include <drystone/law.h>'
          echo "void use_$law(void);"
          echo "void use_$law(void) {"
          block c "docs/laws/$law.md" | grep -v '^#include'
          echo "}"
      done; } >"$scratch/use.c"
    "${CC:-cc}" -std=c17 -Wall -Wextra -Wno-unused-but-set-variable -Werror -Iinclude -fsyntax-only "$scratch/use.c"
}

check "the text is what tools/law-pages.sh prints" fresh
check "every law has a figure" have_figures
check "the experiments show what they say" experiments
check "the lines for models are accepted" models
check "the lines of C compile" functions

finish
