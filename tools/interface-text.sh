#!/bin/sh
# Prints src/native/interface_text.c: the types that the library and its native code share, as text.
#
#   tools/interface-text.sh [ROOT] > src/native/interface_text.c
#
# The types are taken from the headers that the library itself includes, without their comments, so that
# a field is written once. A test compares the file with what this prints.
set -eu
cd "${1-$(dirname -- "$0")/..}"

cat <<'HEAD'
/* Types of the library for its native code, as text: printed by tools/interface-text.sh, not
 * written by hand. */
/* clang-format off */
#include "native_private.h"
HEAD

type_text() { # FILE NAME: the typedef of that struct or function
    awk -v name="$2" -v file="$1" '
        { text = text $0 "\n" }
        END {
            gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, "", text)
            from = index(text, "typedef struct " name " {")
            closing = "\n} " name ";\n"
            if (!from) {
                from = index(text, "typedef void " name "(")
                closing = ";\n"
            }
            rest = substr(text, from)
            length_of = index(rest, closing)
            if (!from || !length_of) {
                print "there is no " name " in " file | "cat >&2"
                exit 1
            }
            n = split(substr(rest, 1, length_of + length(closing) - 2), line, "\n")
            for (i = 1; i <= n; i++) {
                sub(/[ \t]+$/, "", line[i])
                if (line[i] != "") printf "    \"%s\\n\"\n", line[i]
            }
        }' "$1"
}

group() { # NAME FILE TYPE...
    printf '\nconst char dry_native__%s[] =\n' "$1"
    from=$2
    shift 2
    for type in "$@"; do type_text "$from" "$type"; done
    printf '    "\\n";\n'
}

group system_types include/drystone/ode.h dry_env dry_march dry_rate_fn
group inclusion_types include/drystone/rigid.h dry_inclusion_values dry_rigid_march
group calls_type src/native/native_private.h dry_native__calls
group lanes_type src/native/native_private.h dry_native__lanes
