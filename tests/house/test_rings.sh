#!/bin/sh
# No room has a long ring of files that call each other, or uses the private names of another.
set -eu
. tests/house/tap.sh

check "no ring of files is longer than it may be" tools/check-rings.sh "$DRY_BUILD"

# Two files of one room that call each other, and a third that calls one of them.
objects=$scratch/ring/CMakeFiles/x.dir/src/hen
mkdir -p "$objects"
compile() { ${CC:-cc} -c -x c - -o "$objects/$1.c.o"; }
echo 'int egg(void); int hen(void); int hen(void) { return egg(); }' | compile hen
echo 'int hen(void); int egg(void); int egg(void) { return hen(); }' | compile egg
echo 'int egg(void); int fox(void); int fox(void) { return egg(); }' | compile fox
check "a short ring passes" tools/check-rings.sh "$scratch/ring" 2
refuses "a ring is found, without those who only call it" 'hen: 2 files call each other in a ring: egg hen$' \
    tools/check-rings.sh "$scratch/ring" 1
mkdir -p "$scratch/ring/CMakeFiles/x.dir/src/farm"
echo 'int hen__lay(void); int hen__lay(void) { return 1; }' | compile lay
check "a private name is used in its own room" tools/check-rings.sh "$scratch/ring" 2
echo 'int hen__lay(void); int dog(void); int dog(void) { return hen__lay(); }' | compile ../farm/dog
refuses "but not in another" 'farm/dog uses hen__lay, which is private to hen' tools/check-rings.sh "$scratch/ring" 2
refuses "a folder without objects is not taken for a good one" 'no objects' tools/check-rings.sh "$scratch" 4

finish
