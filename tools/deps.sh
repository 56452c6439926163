#!/bin/sh
# Installs what a goal wants and this computer does not have: the build (`demo`), the tests (`test`), those in a browser
# (`web`) and of LaTeX (`latex`), the library as WebAssembly (`wasm`), the playground (`playground`), the second programs for the numbers of the papers
# (`reference`), the Python package (`python`), the functions for Octave (`octave`), the accuracy of the elementary
# functions (`accuracy`), exported C on emulated processors (`firmware`), packages for Debian (`deb`), the editors
# (`editors`), the comparison with other libraries (`peers`).
#
#   tools/deps.sh GOAL
#
# Looks first and asks for root only if something is missing. On a computer without apt-get, or
# without root, it names what is missing and goes on: the library needs a C compiler and libm only.
# Fails only if a tool that nothing works without (marked `must`) is missing in the end. With CI set, the tests
# must have everything, so that no test is left out unseen.
set -eu

# package         for   want  how to see that it is there
table='
gcc               demo  must  program cc
libc6-dev         demo  must  header stdio.h
make              demo  must  program make
cmake             demo  must  program cmake
pkg-config        demo  may   program pkg-config
libhdf5-dev       demo  may   library hdf5
libpng-dev        demo  may   library libpng
libxml2-dev       demo  may   library libxml-2.0
binutils          test  must  program nm
libcmocka-dev     test  must  library cmocka
g++               test  may   program c++
clang             test  may   program clang
libclang-rt-dev   test  may   fuzzer clang
liblzma-dev       test  may   library liblzma
libsundials-dev   test  may   header cvode/cvode.h
libnlopt-dev      test  may   header nlopt.h
libopenmpi-dev    test  may   program mpicc
openmpi-bin       test  may   program mpirun
musl-tools        test  may   program musl-gcc
gcc-multilib      test  may   32bit cc
locales           test  must  file /usr/share/i18n/locales/de_DE
python3           test  may   program python3
python3-h5py      test  may   module h5py
python3-numpy     test  may   module numpy
python3-scipy     test  may   module scipy.integrate
python3-pytest    test  may   module pytest
python3-mpmath    test  may   module mpmath
clang-format-14   test  may   program clang-format-14
shellcheck        test  may   program shellcheck
groff-base        test  may   program groff
mandoc            test  may   program mandoc
chromium          web   must  program chromium
nodejs            web   must  program node
npm               web   must  program npm
python3           web   must  program python3
python3-numpy     web   must  module numpy
clang             wasm  must  program clang
lld               wasm  must  program wasm-ld
wasi-libc         wasm  must  file /usr/include/wasm32-wasi/stdio.h
libclang-rt-dev-wasm32 wasm must builtins clang
nodejs            wasm  must  program node
npm               wasm  must  program npm
nodejs            playground must program node
texlive-latex-base latex must program pdflatex
python3           reference must program python3
python3-numpy     reference must module numpy
python3-scipy     reference must module scipy.integrate
gcc               accuracy must program cc
libmpfr-dev       accuracy must header mpfr.h
python3           python must program python3
python3-numpy     python must module numpy
python3-scipy     python may  module scipy.integrate
octave            octave must program octave-cli
octave-dev        octave must program mkoctfile
gcc-arm-none-eabi firmware must program arm-none-eabi-gcc
libnewlib-arm-none-eabi firmware must file /usr/lib/arm-none-eabi/newlib/libm.a
qemu-system-arm   firmware must program qemu-system-arm
gcc-riscv64-unknown-elf firmware must program riscv64-unknown-elf-gcc
picolibc-riscv64-unknown-elf firmware must file /usr/lib/picolibc/riscv64-unknown-elf/picolibc.specs
gcc-avr           firmware must program avr-gcc
avr-libc          firmware must file /usr/lib/avr/include/avr/io.h
qemu-system-misc  firmware must program qemu-system-riscv32
build-essential   deb   must  file /usr/share/build-essential
dpkg-dev          deb   must  program dpkg-buildpackage
debhelper         deb   must  program dh
dh-python         deb   must  program dh_python3
lintian           deb   must  program lintian
libhdf5-dev       deb   must  library hdf5
libpng-dev        deb   must  library libpng
libxml2-dev       deb   must  library libxml-2.0
libsundials-dev   deb   must  header cvode/cvode.h
libnlopt-dev      deb   must  header nlopt.h
libopenmpi-dev    deb   must  program mpicc
libcmocka-dev     deb   must  library cmocka
binutils          deb   must  program readelf
python3           deb   must  program python3
python3-numpy     deb   must  module numpy
nodejs            editors must program node
npm               editors must program npm
vim               editors must program vim
emacs-nox         editors must program emacs
python3           editors must program python3
unzip             editors must program unzip
g++               peers may   program c++
libgsl-dev        peers may   header gsl/gsl_odeiv2.h
libsundials-dev   peers may   header cvode/cvode.h
libsiconos-kernel-dev peers may header siconos/kernel/SiconosKernel.hpp
libode-dev        peers may   header ode/ode.h
libbullet-dev     peers may   header bullet/btBulletCollisionCommon.h
libmujoco-dev     peers may   header mujoco/mujoco.h
'

say() { echo "deps: $*" >&2; }

present() { # HOW WHAT
    case $1 in
    program) command -v "$2" >/dev/null ;;
    header) printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$2" | cc -E -x c - >/dev/null 2>&1 ;; # of C++, too
    library) command -v pkg-config >/dev/null && pkg-config --exists "$2" ;;
    32bit) printf '#include <stdlib.h>\nint main(void) { return abs(0); }\n' | "$2" -m32 -x c - -o /dev/null >/dev/null 2>&1 ;;
    module) PATH=/usr/bin:$PATH python3 -c "import $2" 2>/dev/null ;;
    file) [ -e "$2" ] ;;
    builtins) [ -e "$("$2" --target=wasm32-wasi -print-libgcc-file-name)" ] ;;
    fuzzer) echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
        "$2" -fsanitize=fuzzer -x c - -o /dev/null >/dev/null 2>&1 ;;
    esac
}

# The rows of a goal stand together.
goals() {
    last=
    echo "$table" | while read -r _ purpose _; do
        [ -n "$purpose" ] && [ "$purpose" != "$last" ] || continue
        printf '%s%s' "${last:+|}" "$purpose"
        last=$purpose
    done
}
is_goal() { # GOAL
    case $1 in '' | *'|'*) return 1 ;; esac
    case "|$(goals)|" in *"|$1|"*) ;; *) return 1 ;; esac
}

missing() { # WANT: the packages of that kind which are not there
    echo "$table" | while read -r package purpose want how what; do
        [ -n "$package" ] || continue
        [ "$purpose" = demo ] || [ "$purpose" = "$goal" ] || continue
        [ "$want" = "$1" ] || continue
        present "$how" "$what" || printf '%s ' "$package"
    done
}

# The words before apt-get that make it run as root; fails where there is no way.
as_root() {
    if [ "$(id -u)" = 0 ]; then echo env
    elif ! command -v sudo >/dev/null; then return 1
    elif [ -t 0 ]; then echo sudo
    else sudo -n true 2>/dev/null && echo sudo -n
    fi
}

apt() { # COMMAND...
    # shellcheck disable=SC2086  # $root is one or two words
    $root env DEBIAN_FRONTEND=noninteractive apt-get -y -qq -o DPkg::Lock::Timeout=120 \
        -o Dpkg::Use-Pty=0 "$@" </dev/null >&2
}

install() { # PACKAGE...
    if ! command -v apt-get >/dev/null; then
        say "no apt-get here; please install by hand what stands for: $*"
    elif ! root=$(as_root); then
        say "neither root nor sudo; please run: apt-get install $*"
    else
        say "installing: $*"
        apt install --no-install-recommends "$@" 2>/dev/null || refresh_and_install "$@"
    fi
}

# The lists may be old or empty, and one package that this release lacks must not stop the others.
refresh_and_install() { # PACKAGE...
    apt update || say "apt-get update failed"
    apt install --no-install-recommends "$@" && return
    for package; do
        apt install --no-install-recommends "$package" || say "could not install $package"
    done
}

goal=${1-}
if ! is_goal "$goal"; then
    say "usage: tools/deps.sh $(goals)"
    exit 2
fi

wanted="$(missing must)$(missing may)"
[ -n "$wanted" ] || exit 0
# shellcheck disable=SC2086  # a list of words
install $wanted

lost=$(missing must)
if [ "$goal" = test ] && [ -n "${CI-}" ]; then lost=$lost$(missing may); fi
[ -z "$lost" ] || { say "cannot go on without: $lost"; exit 1; }
lost=$(missing may)
[ -z "$lost" ] || say "going on without: $lost"
