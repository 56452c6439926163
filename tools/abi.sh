#!/bin/sh
# Prints what programs that are linked with the shared library depend on: each function that it exports, as the headers
# declare it, the size of each public struct, and the number of each public constant.
#
#   tools/abi.sh BUILD > tests/house/abi.txt
#
# A test compares the file with what this prints, on 64-bit Linux; docs/promises.md says what a change of it means.
set -eu
cd "$(dirname -- "$0")/.."
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "soname $(readelf -d "$build/libdrystone.so" | sed -n 's/.*SONAME[^[]*\[\(.*\)\].*/\1/p')"

# Headers without comments and preprocessor, a declaration in one line.
for header in include/drystone/*.h; do
    printf '#include <drystone/%s>\n' "${header##*/}"
done >"$scratch/all.h"
cat include/drystone/*.h | awk '
    /^#/ { while (/\\$/) getline; next }
    { text = text $0 " " }
    END {
        gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, " ", text)
        gsub(/[ \t]+/, " ", text)
        print text
    }' >"$scratch/text"

sed 's/DRY_API /\nDRY_API /g; s/;/;\n/g' "$scratch/text" |
    sed -n 's/^DRY_API \(.*\);$/\1/p' | awk '{
        match($0, /dry_[a-z0-9_]+\(/)
        print substr($0, RSTART, RLENGTH - 1) "\t" $0 }' | LC_ALL=C sort >"$scratch/declared"
nm -D --defined-only "$build/libdrystone.so" | awk '{ print $3 }' | LC_ALL=C sort >"$scratch/exported"
LC_ALL=C join -t "$(printf '\t')" -a 1 -e "(in no header)" -o 0,2.2 "$scratch/exported" "$scratch/declared" |
    awk -F '\t' '{ print "function " ($2 == "(in no header)" ? $1 " " $2 : $2) }'

# What the compiler makes of the structs and enums.
names=$(grep -o 'typedef struct dry_[a-z0-9_]* {' "$scratch/text" | awk '{ print $3 }' | LC_ALL=C sort -u)
constants=$(grep -o '{[^{}]*} *dry_[a-z0-9_]*;\|enum { [^}]*}' "$scratch/text" | grep -o '\<DRY_[A-Z0-9_]*\>' | LC_ALL=C sort -u)
# shellcheck disable=SC2086  # lists of words
{
    echo '#include <stdio.h>'
    cat "$scratch/all.h"
    echo 'int main(void) {'
    printf '%s\n' $names | awk '{ printf "    printf(\"struct %s %%zu\\n\", sizeof(struct %s));\n", $1, $1 }'
    printf '%s\n' $constants | awk '{ printf "    printf(\"constant %s %%ld\\n\", (long)(%s));\n", $1, $1 }'
    echo '}'
} >"$scratch/sizes.c"
"${CC:-cc}" -std=c17 -Iinclude "$scratch/sizes.c" -lm -o "$scratch/sizes"
"$scratch/sizes"
