#!/bin/sh
# Libraries that take long to load are loaded where they are used; one that is missing is an error with a way out.
set -eu
. tests/house/tap.sh

drystone=$DRY_BUILD/drystone
needed() { readelf -d "$drystone" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'; }
links_none() { # of those that the command may load
    ! needed | grep -E '^lib(hdf5|xml2|mpi|sundials|nlopt)'
}

# An empty file stands before the library of that name.
hide() { # PATTERN
    mkdir -p "$scratch/hidden"
    rm -f "$scratch"/hidden/*
    strings "$drystone" | grep -E "^$1" | head -1 | while read -r name; do : >"$scratch/hidden/$name"; done
    [ -n "$(ls "$scratch/hidden")" ]
}
without() { env LD_LIBRARY_PATH="$scratch/hidden" "$@"; }
has() { "$drystone" version | grep -q "$1  *yes"; }

if links_none >/dev/null; then
    check "the command starts without HDF5, libxml2, SUNDIALS, NLopt and MPI" links_none
    if has HDF5 && hide 'libhdf5[a-z_]*\.so'; then
        refuses "results in HDF5 name what to install" 'HDF5 cannot be loaded.*install libhdf5-.*\.csv' \
            without "$drystone" run models/hello.dry --quiet --no-watch -o "$scratch/x.h5"
        check "and none are there" test ! -e "$scratch/x.h5"
        check "results in CSV do not need it" \
            without "$drystone" run models/hello.dry --quiet --no-watch -o "$scratch/x.csv"
        : >"$scratch/y.h5"
        refuses "so does a table to read" 'HDF5 cannot be loaded.*install libhdf5-' \
            without "$drystone" plot "$scratch/y.h5"
    fi
    if has URDF && hide 'libxml2\.so'; then
        refuses "robots name what to install" 'libxml2 cannot be loaded.*install libxml2' \
            without "$drystone" run models/robots/six-axis.urdf
    fi
    if has SUNDIALS && hide 'libsundials_cvode\.so'; then
        refuses "the method cvode names what to install" 'SUNDIALS cannot be loaded.*install libsundials-.*rodas4' \
            without "$drystone" run tests/lang/features/method-rodas4.dry --method cvode
        check "rodas4 does not need it" without "$drystone" run tests/lang/features/method-rodas4.dry --quiet --no-watch
    fi
    if has NLopt && hide 'libnlopt\.so'; then
        printf 't [s],x\n0.25,1\n0.5,2\n1,4\n' >"$scratch/fall.csv"
        printf '%s\n' 'param a = 1 [1/s]' 'state x = 0' "x' = a" 'output x against "fall.csv" column "x"' \
            'free a in 0..9' 'run until = 1 [s], step = 0.1 [s]' >"$scratch/fall.dry"
        refuses "a search names what to install" 'NLopt cannot be loaded.*install libnlopt.*--starts' \
            without "$drystone" fit "$scratch/fall.dry" --search crs:20
        check "starts do not need it" without "$drystone" fit "$scratch/fall.dry" --starts 2
    fi
    if has MPI && hide 'libmpi\.so'; then
        refuses "a sweep that mpirun starts names what to install" 'MPI cannot be loaded.*install libopenmpi' \
            env OMPI_COMM_WORLD_SIZE=2 LD_LIBRARY_PATH="$scratch/hidden" "$drystone" sweep models/hello.dry -p F=0.4,0.5
        check "one that mpirun did not start does not need it" \
            without "$drystone" sweep models/hello.dry -p F=0.4,0.5 --quiet
    fi
fi

finish
