#!/bin/sh
# Prints law_text.c of a build: the laws as text, for the C that a model becomes.
#
#   tools/law-text.sh [ROOT] > BUILD/law_text.c
#
# Each function, type and enumeration of the laws and of what they use becomes a piece with the names
# that it defines; names that are private to a file get its name in front. A pattern that a law includes (rebound.in) is
# a part of this law. Functions of laws begin with DRY_LAW, so that the text can choose whether they are inline.
set -eu
cd "${1-$(dirname -- "$0")/..}"

# The rows of the catalogue.
print_rows() {
    cat <<'FIRST'
    {"dry_status DRY_OK DRY_SINGULAR", "typedef enum dry_status { DRY_OK, DRY_SINGULAR } dry_status;\n"},
FIRST

    for file in src/math/coefficients.h src/math/elementary.h src/math/exponential.c src/math/logarithm.c src/math/sine.c \
        src/math/arc.c src/math/root.c src/math/error_function.c src/math/sine_single.c src/math/exponential_single.c src/math/single.h include/drystone/math.h \
        src/math/solve.c src/math/ellipse.c src/math/table.c include/drystone/law.h src/law/resolvent.h src/law/stribeck.h \
        src/law/unilateral.h src/law/indentation.h src/law/rebound.h src/law/elements.h src/law/bristle.h \
        $(sed -n 's/^DRY_LAW(\(.*\))$/src\/law\/\1.c/p' src/law/laws.def); do
        prefix='' law=
        case $file in *.c) prefix=${file##*/} prefix=${prefix%.c}_ ;; esac
        case $file in src/law/*) law=yes ;; esac
        pattern=$(sed -n 's/^#include "\(.*[.]in\)"$/src\/law\/\1/p' "$file")
        cat "$file" ${pattern:+"$pattern"} | awk -v prefix="$prefix" -v law="$law" -f tools/c-text.awk -f tools/law-text.awk
    done

    # A set without a law of its own: its functions, and the law of the pattern that calls them by name.
    for set in $(tools/set-laws.sh --list); do
        awk -v prefix="set_${set}_" -f tools/c-text.awk -f tools/law-text.awk "src/math/set_$set.c"
        sed "s/dry_set_at(INDEX)->/set_${set}_/g" src/law/relaxed.in |
            awk -v prefix="relaxed_${set}_" -v law=yes -f tools/c-text.awk -f tools/law-text.awk
    done
}

# Each name, with the first row that has it, in the order of strcmp.
print_words() {
    awk -F '"' '/^    {"/ { n = split($2, names, " "); for (i = 1; i <= n; i++) print names[i], row + 0; row++ }' |
        LC_ALL=C sort -s -u -k 1,1 | awk '{ printf "    {\"%s\", %d},\n", $1, $2 }'
}

rows=$(print_rows)
cat <<'HEAD'
/* The laws as text, piece by piece: printed by tools/law-text.sh, not written by hand. */
/* clang-format off */
#include "native/cgen_private.h"

const dry_c__piece dry_c__pieces[] = {
HEAD
printf '%s\n' "$rows"
printf '    {0},\n};\n\nconst dry_c__word dry_c__words[] = {\n'
printf '%s\n' "$rows" | print_words
printf '};\nconst int dry_c__n_words = sizeof dry_c__words / sizeof *dry_c__words;\n'
