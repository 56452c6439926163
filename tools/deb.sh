#!/bin/sh
# Builds the packages of debian/ from the last commit (without a clone: from this tree) in FOLDER/work, moves them to FOLDER,
# and lets lintian look at them: it must find neither errors nor warnings.
#
#   tools/deb.sh FOLDER [JOBS]
set -eu
cd "$(dirname -- "$0")/.."
mkdir -p "$1"
folder=$(cd "$1" && pwd) jobs=${2-$(nproc)}
version=$(sed -n 's/.*DRY_VERSION "\(.*\)".*/\1/p' include/drystone/core.h)
work=$folder/work
rm -rf "$work" "$folder"/*.deb "$folder"/*.dsc "$folder"/*.tar.xz "$folder"/*.changes "$folder"/*.buildinfo
mkdir "$work"
trap 'rm -rf "$work"' EXIT

if [ -e .git ]; then
    tar -xzf "$(tools/dist.sh "$work")" -C "$work"
else
    mkdir "$work/drystone-$version"
    tar -c --exclude=./build --exclude=./out --exclude=./docs/gallery --exclude="./${folder#"$PWD/"}" . |
        tar -x -C "$work/drystone-$version"
fi
(
    cd "$work/drystone-$version"
    DEB_BUILD_OPTIONS="parallel=$jobs noautodbgsym ${DEB_BUILD_OPTIONS-}" \
        env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL dpkg-buildpackage --no-sign
) >"$folder/build.log" 2>&1 || {
    tail -n 40 "$folder/build.log" >&2
    echo "deb: the build failed; all of it is in $folder/build.log" >&2
    exit 1
}
find "$work" -maxdepth 1 -name 'drystone-*.tar.gz' -delete
find "$work" -maxdepth 1 -type f -exec mv {} "$folder" \;
if [ "$(id -u)" = 0 ]; then set -- --allow-root; else set --; fi
lintian "$@" --fail-on error,warning "$folder"/*.changes
ls -s --block-size=kB "$folder"/*.deb
