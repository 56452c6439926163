#!/bin/sh
# The library and the command build without the optional libraries, and with another compiler.
set -eu
. tests/house/tap.sh

bare() { # COMPILER
    mkdir -p "$DRY_BUILD/bare" &&
    cmake --log-level=WARNING -S . -B "$DRY_BUILD/bare" -DCMAKE_C_COMPILER="$1" -DDRYSTONE_HDF5=OFF \
        -DDRYSTONE_PNG=OFF -DDRYSTONE_SUNDIALS=OFF -DDRYSTONE_MPI=OFF -DDRYSTONE_XML=OFF \
        -DDRYSTONE_TESTS=OFF -DDRYSTONE_WERROR=ON -DCMAKE_C_FLAGS=-O0 &&
        cmake --build "$DRY_BUILD/bare" --target drystone
}
without() { # LIBRARY
    "$DRY_BUILD/bare/drystone" version | grep -q "$1  *no"
}

if have clang; then
    check "builds with clang, bare" bare clang
else
    skip "builds with clang, bare" "no clang"
    check "builds bare" bare "${CC:-cc}"
fi
check "the bare build has no HDF5" without HDF5
check "the bare build has no PNG" without PNG
check "the bare build has no SUNDIALS" without SUNDIALS
check "the bare build has no MPI" without MPI
check "the bare build has no URDF" without URDF
refuses "its cvode says how to get it" 'libsundials-dev.*rodas4' \
    "$DRY_BUILD/bare/drystone" run tests/lang/features/method-rodas4.dry --method cvode
refuses "so do its robots" 'libxml2-dev' "$DRY_BUILD/bare/drystone" run models/robots/six-axis.urdf

finish
