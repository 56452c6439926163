#!/bin/sh
# What `make install` leaves behind can be moved, and found by pkg-config and by CMake, from C and from C++; below /usr it is
# where the distribution has its libraries.
set -eu
. tests/house/tap.sh

prefix=$scratch/moved/drystone
version=$(sed -n 's/.*DRY_VERSION "\(.*\)".*/\1/p' include/drystone/core.h)

make_install() { # PREFIX
    env -u MAKEFLAGS make install BUILD="$DRY_BUILD" DESTDIR="$scratch/stage" PREFIX="$1"
}
install() {
    make_install /opt/drystone && mkdir "$scratch/moved" && mv "$scratch/stage/opt/drystone" "$prefix"
}

# ---- a program that uses the library ------------------------------------------------------------
write "$scratch/hello/hello.c" <<'C'
#include <drystone/drystone.h>
#include <stdio.h>
int main(void) {
    double A[4] = {2.0, 0.0, 0.0, 4.0}, b[2] = {2.0, 8.0};
    if (dry_solve(2, A, b) != DRY_OK) return 1;
    printf("%s %g %g %d\n", DRY_VERSION, b[0], b[1], dry_record_has_hdf5() || dry_plot_has_png() || dry_stiff_has_cvode());
    const dry_quantity time = {"t", "s"};
    dry_record *record = dry_record_new(&time, 1);
    dry_error error = {0};
    if (dry_record_has_hdf5() && dry_record_write_hdf5(record, "/dev/null", &error) != DRY_OK) return 2;
    dry_record_free(record);
    return dry_law_count() == 0;
}
C
write "$scratch/hello/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(hello C)
find_package(drystone 0.1 REQUIRED)
foreach(kind static shared)
  add_executable(hello_${kind} hello.c)
  target_link_libraries(hello_${kind} PRIVATE drystone::${kind})
endforeach()
CMAKE

write "$scratch/hello++/hello.cpp" <<'CPP'
#include <drystone/drystone.h>
#include <cstdio>
int main() {
    double A[4] = {2.0, 0.0, 0.0, 4.0}, b[2] = {2.0, 8.0};
    if (dry_solve(2, A, b) != DRY_OK) return 1;
    const double radius[] = {b[0]};
    const dry_value value = {"radius", NULL, radius, 1, 0, 0};
    std::printf("%s %g %g %s\n", DRY_VERSION, *value.numbers, b[1], dry_kind_find("sphere")->name);
}
CPP
write "$scratch/hello++/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(hello CXX)
find_package(drystone 0.1 REQUIRED)
foreach(kind static shared)
  add_executable(hello_${kind} hello.cpp)
  target_link_libraries(hello_${kind} PRIVATE drystone::${kind})
endforeach()
CMAKE

says_hello() { # PROGRAM
    "$1" | grep "^$version 1 2 "
}
pc() { # PREFIX OPTION...
    from=$1
    shift
    PKG_CONFIG_PATH=$from/lib/pkgconfig pkg-config "$@" drystone
}

pkg_config_shared() {
    # shellcheck disable=SC2046  # flags are words
    "${CC:-cc}" "$scratch/hello/hello.c" $(pc "$prefix" --cflags --libs) -o "$scratch/shared" &&
        LD_LIBRARY_PATH=$prefix/lib says_hello "$scratch/shared" &&
        readelf -d "$scratch/shared" | grep "libdrystone.so.${version%.*}"
}
pkg_config_static() { # with no shared library to find
    # shellcheck disable=SC2046  # flags are words
    cp -R "$prefix" "$scratch/static-only" && rm "$scratch"/static-only/lib/*.so* &&
        "${CC:-cc}" "$scratch/hello/hello.c" $(pc "$scratch/static-only" --static --cflags --libs) -o "$scratch/static" &&
        says_hello "$scratch/static"
}
pkg_config_c_plus_plus() {
    # shellcheck disable=SC2046  # flags are words
    c++ "$scratch/hello++/hello.cpp" $(pc "$prefix" --cflags --libs) -o "$scratch/shared++" &&
        LD_LIBRARY_PATH=$prefix/lib says_hello "$scratch/shared++" &&
        c++ "$scratch/hello++/hello.cpp" $(pc "$scratch/static-only" --static --cflags --libs) -o "$scratch/static++" &&
        says_hello "$scratch/static++"
}
# A program that is linked with the shared library sees no flag and needs no header of the libraries behind it.
pkg_config_gives_only_its_own() {
    pc "$prefix" --cflags --libs
    [ "$(pc "$prefix" --cflags | tr -s ' ' '\n' | grep -c .)" = 1 ] && ! pc "$prefix" --print-requires-private | grep . &&
        pc "$prefix" --static --libs | tr -s ' ' '\n' | grep -v -E '^(-L.*|-l[a-z0-9_]+|-pthread)?$' >"$scratch/strange"
    cat "$scratch/strange"
    [ ! -s "$scratch/strange" ]
}
by_cmake() { # PROJECT [PREFIX]
    rm -rf "$scratch/$1/build"
    cmake --log-level=WARNING -S "$scratch/$1" -B "$scratch/$1/build" -DCMAKE_PREFIX_PATH="${2-$prefix}" &&
        cmake --build "$scratch/$1/build" &&
        says_hello "$scratch/$1/build/hello_static" &&
        says_hello "$scratch/$1/build/hello_shared"
}

# ---- below /usr ------------------------------------------------------------------------------------
triplet=$("${CC:-cc}" -print-multiarch 2>/dev/null || :)
libraries=$scratch/stage/usr/lib/$triplet
below_usr() {
    make_install /usr && test -e "$libraries/libdrystone.so.$version" -a -s "$libraries/libdrystone.a" \
        -a -s "$libraries/pkgconfig/drystone.pc" -a -s "$libraries/cmake/drystone/drystoneConfig.cmake" &&
        [ ! -e "$scratch/stage/usr/lib/libdrystone.a" ]
}
pkg_config_below_usr() {
    # shellcheck disable=SC2046  # flags are words
    "${CC:-cc}" "$scratch/hello/hello.c" $(PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config --cflags --libs drystone) \
        -o "$scratch/usr" && LD_LIBRARY_PATH=$libraries says_hello "$scratch/usr"
}

# ---- the shared library itself -------------------------------------------------------------------
soname() { # of the minor version too, until 1.0
    readelf -d "$prefix/lib/libdrystone.so" | grep "SONAME.*libdrystone\.so\.${version%.*}\]"
}
exports_only_public_names() {
    nm -D --defined-only "$prefix/lib/libdrystone.so" | awk '
        $3 !~ /^dry_/ || $3 ~ /__/ { print "should be hidden: " $3; bad = 1 }
        $3 ~ /^dry_/ { n++ }
        END { exit bad || n == 0 }'
}
exports_all_that_headers_declare() {
    cat include/drystone/*.h | awk '
        /^DRY_API/ { declaration = ""; open = 1 }
        open { declaration = declaration " " $0 }
        open && /[;(]/ { open = 0; match(declaration, /dry_[a-z0-9_]+\(/)
                         print substr(declaration, RSTART, RLENGTH - 1) }' | sort >"$scratch/declared"
    nm -D --defined-only "$prefix/lib/libdrystone.so" | awk '{ print $3 }' | sort >"$scratch/exported"
    [ -s "$scratch/declared" ] && comm -3 "$scratch/declared" "$scratch/exported" >"$scratch/differ"
    cat "$scratch/differ"
    [ ! -s "$scratch/differ" ]
}

check "installs below DESTDIR" install
check "the command is there and runs" sh -c "$prefix/bin/drystone --version | grep -q '^drystone $version'"
check "its manual is there" test -s "$prefix/share/man/man1/drystone.1" -a -s "$prefix/share/man/man7/drystone.7"
check "its completion is where bash looks" test -s "$prefix/share/bash-completion/completions/drystone"
for_editors() {
    for file in vim/vimfiles/syntax/drystone.vim vim/vimfiles/ftdetect/drystone.vim emacs/site-lisp/drystone-mode.el \
        emacs/site-lisp/drystone-words.el emacs/site-lisp/drystone-autoloads.el drystone/vscode/package.json \
        drystone/vscode/syntaxes/drystone.tmLanguage.json; do
        [ -s "$prefix/share/$file" ] || { echo "no $file"; return 1; }
    done
    find "$prefix/share" -name node_modules -o -name '*.elc' | tee "$scratch/more"
    [ ! -s "$scratch/more" ]
}
check "editors find their files" for_editors
check "the shared library has its SONAME" soname
check "it exports only public names" exports_only_public_names
check "it exports what the headers declare, no less and no more" exports_all_that_headers_declare
if have pkg-config; then
    check "pkg-config finds it, shared" pkg_config_shared
    check "pkg-config finds it, static" pkg_config_static
    if have c++; then check "so it does for C++" pkg_config_c_plus_plus; fi
    check "pkg-config gives no flags but those of this library" pkg_config_gives_only_its_own
fi
check "CMake finds it, static and shared" by_cmake hello
if have c++; then
    check "so it does for a project in C++ alone" by_cmake hello++
fi
if [ -n "$triplet" ] && [ -e /etc/debian_version ]; then
    check "below /usr the libraries are in the folder of their architecture" below_usr
    if have pkg-config; then check "pkg-config finds them there" pkg_config_below_usr; fi
    check "CMake finds them there" by_cmake hello "$scratch/stage/usr"
fi

finish
