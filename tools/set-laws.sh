#!/bin/sh
# Every set of forces has a law that relaxes it: this prints one for each set of src/math/sets.def that
# no law of src/law names, from the pattern src/law/relaxed.in.
#
#   tools/set-laws.sh FOLDER [ROOT]    writes relaxed_<set>.c and set_laws.def, the rows of these laws
#   tools/set-laws.sh --list [ROOT]    prints the names of these sets
set -eu
cd "${2-$(dirname -- "$0")/..}"

# The sets that no law names.
bare() {
    for set in $(sed -n 's/^DRY_SET(\(.*\))$/\1/p' src/math/sets.def); do
        grep -q "kind = DRY_SET_OF_FORCES" "src/math/set_$set.c" || continue
        grep -q "^    \.set = \"$set\"," src/law/*.c || echo "$set"
    done
}

number() { grep '^DRY_SET(' src/math/sets.def | grep -n "^DRY_SET($1)$" | cut -d: -f1; } # SET, from 1

law_of() { # SET
    file=src/math/set_$1.c
    dim=$(sed -n 's/^    \.max_dim = \([0-9]*\),$/\1/p' "$file")
    traits=0
    grep -q '^    \.symmetric = true,' "$file" && traits=DRY_ODD
    sed -e "s/NAME/$1/g" -e "s/INDEX/$(($(number "$1") - 1))/g" -e "s/MAX_DIM/${dim:-1}/" -e "s/TRAITS/$traits/" \
        src/law/relaxed.in
}

if [ "$1" = --list ]; then
    bare
    exit
fi

# Standard input becomes the file, unless it is the same: what depends on it is not built again.
write() { # FILE
    cat >"$1.new"
    if cmp -s "$1.new" "$1"; then rm "$1.new"; else mv "$1.new" "$1"; fi
}

folder=$1
for set in $(bare); do
    law_of "$set" | write "$folder/relaxed_$set.c"
done
bare | sed 's/.*/DRY_LAW(relaxed_&)/' | write "$folder/set_laws.def"
