#!/bin/sh
# Every public header compiles alone as C17 and C++17; and the check that says so can fail.
set -eu
. tests/house/tap.sh

check "public headers compile alone as C17" tools/check-headers.sh c
if have "${CXX:-c++}"; then
    check "public headers compile alone as C++17" tools/check-headers.sh c++
fi

echo 'size_t forgotten_include(void);' | write "$scratch/alone/include/drystone/x.h"
refuses "a header that leans on another is found" 'x.h: does not compile alone' \
    tools/check-headers.sh c "$scratch/alone"

printf '%s\n' '#pragma once' 'static inline int cut(double x) { return x; }' | write "$scratch/warning/include/drystone/x.h"
refuses "a header with a warning is found" 'float-conversion' \
    tools/check-headers.sh c "$scratch/warning"

finish
