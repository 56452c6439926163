#!/bin/sh
# src/math/coefficients.h is what tools/coefficients.py prints, so that anybody can compute its numbers anew.
set -eu
. tests/house/tap.sh

same() { # FILE
    PATH=/usr/bin:$PATH tools/coefficients.py >"$scratch/now" && diff "$1" "$scratch/now" >"$scratch/what" && return 0
    head -n 4 "$scratch/what"
    echo "src/math/coefficients.h is old: run tools/coefficients.py > src/math/coefficients.h"
    return 1
}

check "polynomials and tables are those of tools/coefficients.py" same src/math/coefficients.h
sed 's/0\.6931471805599453/0.6931471805599454/; s/-0.1666666666666666/-0.1666666666666667/' src/math/coefficients.h >"$scratch/changed"
refuses "a digit that somebody changed is found" 'coefficients.h is old' same "$scratch/changed"

finish
