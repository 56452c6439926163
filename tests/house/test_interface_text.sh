#!/bin/sh
# The types that native code is compiled with are those that the library is compiled with.
set -eu
. tests/house/tap.sh

text=src/native/interface_text.c
fresh() { tools/interface-text.sh | diff - $text || { echo "run: tools/interface-text.sh >$text"; false; }; }
check "$text is what tools/interface-text.sh prints" fresh

# A field more in the header is a field more in the text.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/include/drystone" "$scratch/src/native"
cp include/drystone/ode.h include/drystone/rigid.h "$scratch/include/drystone"
cp src/native/native_private.h "$scratch/src/native"
reaches() { # FILE TYPE
    sed "s/^} $2;\$/    int added_to_$2;\n} $2;/" "$1" >"$scratch/$1"
    tools/interface-text.sh "$scratch" | grep -q "\"    int added_to_$2;"
}
check "a field of dry_env reaches it" reaches include/drystone/ode.h dry_env
check "a field of dry_march reaches it" reaches include/drystone/ode.h dry_march
check "a field of dry_inclusion_values reaches it" reaches include/drystone/rigid.h dry_inclusion_values
check "a field of dry_rigid_march reaches it" reaches include/drystone/rigid.h dry_rigid_march
check "a field of the calls reaches it" reaches src/native/native_private.h dry_native__calls
check "a field of the calls of lanes reaches it" reaches src/native/native_private.h dry_native__lanes
missing() { sed 's/dry_march/dry_gone/' include/drystone/ode.h >"$scratch/include/drystone/ode.h"; ! tools/interface-text.sh "$scratch" 2>/dev/null; }
check "a type that is gone is an error" missing

# The structs of an exported model are its own (export_header.c); law_text.c is printed from the laws (test_law_text.sh).
once() { ! grep -n '"typedef struct' src/native/*.c | grep -v -e "^$text:" -e '^src/native/law_text.c:' -e '^src/native/export_header.c:'; }
check "no other file of the room has a struct as text" once

finish
