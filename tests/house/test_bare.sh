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
check "the bare build has no NLopt" without NLopt
check "the bare build has no URDF" without URDF
refuses "its cvode says how to get it" 'libsundials-dev.*rodas4' \
    "$bare" run tests/lang/features/method-rodas4.dry --method cvode
write "$scratch/fall.dry" <<'END'
param a = 1 [1/s]
state x = 0
x' = a
output x against "fall.csv" column "x"
free a in 0..2
run until = 1 [s], step = 0.1 [s]
END
printf 't [s],x\n0.25,1\n0.5,2\n1,4\n' >"$scratch/fall.csv"
refuses "so do its searches" 'libnlopt-dev.*--starts' "$bare" fit "$scratch/fall.dry" --search crs:20
refuses "so do its robots" 'libxml2-dev' "$bare" run models/robots/six-axis.urdf

finish
