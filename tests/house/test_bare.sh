#!/bin/sh
# The build without any optional library says what it has not, and how to get it.
set -eu
. tests/house/tap.sh

bare=$DRY_BUILD/bare/drystone
[ -x "$bare" ] || finish # there is no clang here
without() { # LIBRARY
    "$bare" version | grep -q "$1  *no"
}

check "the bare build has no HDF5" without HDF5
check "the bare build has no PNG" without PNG
check "the bare build has no SUNDIALS" without SUNDIALS
check "the bare build has no MPI" without MPI
check "the bare build has no URDF" without URDF
refuses "its cvode says how to get it" 'libsundials-dev.*rodas4' \
    "$bare" run tests/lang/features/method-rodas4.dry --method cvode
refuses "so do its robots" 'libxml2-dev' "$bare" run models/robots/six-axis.urdf

finish
