#!/bin/sh
# Floor 0 needs mem*, str* and what is exact in libm, and has no globals; and the check that says so can fail.
set -eu
. tests/house/tap.sh

check "floor 0 is freestanding" tools/check-floor0.sh

write "$scratch/heap/src/core/greedy.c" <<'C'
#include <stdlib.h>
void *greedy(size_t n) { return malloc(n); }
C
refuses "a use of the heap is found" 'malloc: not exact in libm.*core-greedy' tools/check-floor0.sh "$scratch/heap"

write "$scratch/stdio/src/law/loud.c" <<'C'
#include <stdio.h>
void loud(double x) { printf("%g\n", x); }
C
refuses "a use of stdio is found" 'printf: not exact in libm' tools/check-floor0.sh "$scratch/stdio"

echo 'double wave(double x); double wave(double x) { return __builtin_sin(x); }' | write "$scratch/wave/src/law/wave.c"
refuses "a sine of libm is found" 'sin: not exact in libm.*law-wave' tools/check-floor0.sh "$scratch/wave"

echo 'int calls; int count(void) { return ++calls; }' | write "$scratch/global/src/ode/memory.c"
refuses "a global is found" 'calls is a global' tools/check-floor0.sh "$scratch/global"

echo 'extern double b(double); double a(double x) { return b(x); }' | write "$scratch/own/src/core/a.c"
echo 'double b(double); double b(double x) { return __builtin_floor(x); }' | write "$scratch/own/src/math/b.c"
check "rooms of floor 0 may call each other and what is exact in libm" tools/check-floor0.sh "$scratch/own"

finish
