#!/bin/sh
# The cage of the tests: what runs in it writes to its folders, and to nothing else without a word.
set -eu
. tests/house/tap.sh

# A clone of its own, with one folder for each kind of thing.
clone=$scratch/clone
mkdir -p "$clone/tools" "$clone/src" "$scratch/first" "$scratch/second folder"
cp tools/cage.sh "$clone/tools"
echo whole >"$clone/src/file"
cage() { "$clone/tools/cage.sh" "$scratch/first" "$scratch/second folder" -- "$@"; }
ends_with() { # STATUS COMMAND...: in the cage
    want=$1
    shift
    status=0
    cage "$@" || status=$?
    [ "$status" = "$want" ]
}

check "a command runs" cage true
check "it keeps its exit code" ends_with 7 sh -c 'exit 7'
check "it keeps its words" cage sh -c '[ "$1" = "a  b" ] && [ "$2" = -- ]' - "a  b" --
check "it runs in the root of the clone" cage test -f src/file
check "it can write to its folders" cage sh -c 'echo here >"$1/x"' - "$scratch/second folder"
check "and there it stays" grep -q here "$scratch/second folder/x"
check "TMPDIR is in the first folder" cage sh -c '[ "${TMPDIR#"$1"}" != "$TMPDIR" ] && : >"$TMPDIR/x"' - "$scratch/first"
check "so is HOME" cage sh -c '[ "${HOME#"$1"}" != "$HOME" ] && : >"$HOME/x"' - "$scratch/first"

# Either it cannot, or the cage says that it did.
harmless() { # COMMAND...
    if cage "$@"; then echo "(nobody noticed)" && return 1; fi
}
check "a new file in the clone is noticed" harmless sh -c ': >src/new'
rm -f "$clone/src/new"
check "a changed file in the clone is noticed" harmless sh -c 'echo changed >src/file'
echo whole >"$clone/src/file"
check "a lost file in the clone is noticed" harmless sh -c 'rm -f src/file; exit "$?"'
# Root without namespaces could write there, and the test must not.
for place in /etc /usr/bin /usr/local/bin; do
    if cage sh -c '[ -w "$1" ]' - "$place"; then continue; fi
    check "nothing gets into $place" harmless sh -c ': >"$1/drystone-was-here"' - "$place"
    check "and nothing is there" test ! -e "$place/drystone-was-here"
done
refuses "a call without a command is explained" 'usage: tools/cage.sh' "$clone/tools/cage.sh" "$scratch/first"

finish
