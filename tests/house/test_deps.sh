#!/bin/sh
# tools/deps.sh is silent where all is there, and goes on or gives up as it should where not.
set -eu
. tests/house/tap.sh

# A computer with these programs only.
computer() { # PROGRAM...
    rm -rf "${scratch:?}/bin"
    mkdir "$scratch/bin"
    for program in sh env sed awk cat id echo printf dirname "$@"; do
        path=$(command -v "$program") && [ -e "$path" ] && ln -s "$path" "$scratch/bin/$program"
    done
    :
}
fake() { # PROGRAM: it does what standard input says
    rm -f "$scratch/bin/$1" # a link would lead to the computer's own program
    { echo '#!/bin/sh'; cat; } >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
deps() { env PATH="$scratch/bin" "$(command -v sh)" tools/deps.sh "$@"; }
says() { # PATTERN COMMAND...
    pattern=$1
    shift
    "$@" >"$scratch/said" 2>&1
    cat "$scratch/said"
    grep -q -e "$pattern" "$scratch/said"
}

computer cc make cmake
check "goes on without apt-get" says 'no apt-get here.*libhdf5-dev' deps demo
computer make cmake
refuses "gives up without a compiler" 'cannot go on without: gcc' deps demo

computer cc make cmake
refuses "names what the second programs need" 'cannot go on without: .*python3' deps reference

tests_need_all() { env CI=true PATH="$scratch/bin" "$(command -v sh)" tools/deps.sh test; }
computer cc make cmake nm
refuses "leaves out no test in a CI" 'cannot go on without: .*musl-tools' tests_need_all

computer cc make cmake
echo 'exit 100' | fake apt-get
echo 'echo 1000' | fake id
check "goes on without root and sudo" says 'neither root nor sudo; please run: apt-get install' deps demo

computer cc make cmake
echo 'echo "asked: $*" >&2; exit 100' | fake apt-get
echo 'echo 0' | fake id
check "refreshes the lists once where an install fails" says 'asked: .* update' deps demo

computer cc make cmake
echo 'exit 0' | fake pkg-config
echo 'echo "asked: $*" >&2; exit 1' | fake apt-get
check "asks for nothing where all is there" sh -c "[ -z \"\$(PATH=$scratch/bin $(command -v sh) tools/deps.sh demo 2>&1)\" ]"

# A header of C++ with includes that cc does not find.
mkdir -p "$scratch/include/siconos/kernel"
echo '#include <of/another/folder.hpp>' >"$scratch/include/siconos/kernel/SiconosKernel.hpp"
computer cc make cmake
CPATH=$scratch/include deps peers >"$scratch/with" 2>&1
cat "$scratch/with"
check "sees a header of C++" sh -c "! grep -q libsiconos '$scratch/with'"

finish
