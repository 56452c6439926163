#!/bin/sh
# A release: its version is in one place and all others follow; its tarball has the same bytes every time and is whole; what
# programs depend on is written down.
set -eu
. tests/house/tap.sh

version=$(sed -n 's/.*DRY_VERSION "\(.*\)".*/\1/p' include/drystone/core.h)
minor=${version%.*}

# ---- the version --------------------------------------------------------------------------------------------------

says() { # FILE SED: prints the version in a file
    found=$(sed -n "$2" "$1" | head -n 1)
    echo "$1: $found, and include/drystone/core.h: $version"
    [ "$found" = "$version" ]
}
numbers() {
    for part in MAJOR MINOR PATCH; do sed -n "s/^#define DRY_VERSION_$part //p" include/drystone/core.h; done | paste -s -d . |
        grep -x "$version"
}
check "DRY_VERSION is its three numbers" numbers
check "debian/changelog follows" says debian/changelog '1s/^drystone (\([^)]*\)).*/\1/p'
check "so does CHANGELOG.md" says CHANGELOG.md 's/^## \[\([0-9][^]]*\)\] - .*/\1/p'
check "so does the Python package" says python/drystone/_signatures.py 's/^VERSION = "\(.*\)"/\1/p'
check "so does the extension of VS Code" says editors/vscode/package.json 's/^  "version": "\(.*\)",/\1/p'
check "so does the mode for Emacs" says editors/emacs/drystone-mode.el 's/^;; Version: //p'
for page in 1 7; do
    check "so does drystone($page)" says man/drystone.$page 's/^\.TH DRYSTONE .* "drystone \([^"]*\)".*/\1/p'
done
one_day() { # of the release, in both changelogs
    day=$(sed -n "s/^## \[$version\] - //p" CHANGELOG.md)
    sed -n 's/^ -- .*  //p' debian/changelog | head -n 1 >"$scratch/day"
    cat "$scratch/day"
    [ "$(LC_ALL=C date -u -d "$(cat "$scratch/day")" +%F)" = "$day" ]
}
check "both changelogs give the same day" one_day
soname_package() { # a package of a library has the name of its SONAME
    grep -x "Package: libdrystone$minor" debian/control && test -s "debian/libdrystone$minor.install" &&
        grep -q "debian/libdrystone$minor.substvars" debian/rules
}
check "the package of the library is named after its SONAME" soname_package

# ---- what programs depend on ---------------------------------------------------------------------------------------

abi=tests/house/abi.txt
if [ "$(uname -sm)" = "Linux x86_64" ]; then
    same_abi() {
        tools/abi.sh "$DRY_BUILD" >"$scratch/abi" && diff "$scratch/abi" $abi && return
        echo "run: tools/abi.sh BUILD >$abi, and see docs/promises.md"
        false
    }
    check "$abi is what tools/abi.sh prints" same_abi
    nm -D --defined-only "$DRY_BUILD/libdrystone.so" | awk '{ print $3 }' | LC_ALL=C sort >"$scratch/exported"
    listed() { grep '^function ' $abi | grep -o 'dry_[a-z0-9_]*(' | tr -d '(' | LC_ALL=C sort -u >"$scratch/names"; }
    all_exported() { listed && LC_ALL=C comm -23 "$scratch/exported" "$scratch/names" >"$scratch/more" && cat "$scratch/more" && [ ! -s "$scratch/more" ]; }
    check "it has every exported name" all_exported
fi

# ---- the tarball ---------------------------------------------------------------------------------------------------

in_clone() { [ -e .git ] && git -c safe.directory="$PWD" rev-parse --verify --quiet HEAD >/dev/null 2>&1; }
if have git && in_clone; then
    twice() {
        tools/dist.sh "$scratch/one" && (umask 077 && TZ=Asia/Tokyo tools/dist.sh "$scratch/two") &&
            cmp "$scratch/one/drystone-$version.tar.gz" "$scratch/two/drystone-$version.tar.gz"
    }
    check "a tarball has the same bytes twice" twice
    whole() {
        tar -xzf "$scratch/one/drystone-$version.tar.gz" -C "$scratch" &&
            (cd "$scratch/drystone-$version" && find . ! -type d | sed 's,^\./,,' | LC_ALL=C sort) >"$scratch/packed" &&
            git -c safe.directory="$PWD" ls-tree -r --name-only HEAD | LC_ALL=C sort >"$scratch/committed" &&
            diff "$scratch/committed" "$scratch/packed"
    }
    check "it has what the commit has" whole
    nobody() { tar --numeric-owner -tvzf "$scratch/one/drystone-$version.tar.gz" | awk '$2 != "0/0" { print; bad = 1 } END { exit bad }'; }
    check "its files belong to nobody in particular" nobody
    configures() {
        cmake --log-level=WARNING -S "$scratch/drystone-$version" -B "$scratch/build" -DDRYSTONE_BENCH=OFF && test -s "$scratch/build/tests.txt"
    }
    check "what it unpacks to configures" configures
    refuses "what it unpacks to says that only a clone packs a release" 'only a clone packs one' \
        env GIT_CEILING_DIRECTORIES="$scratch" "$scratch/drystone-$version/tools/dist.sh" "$scratch/three"
fi

finish
