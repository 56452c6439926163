#!/bin/sh
# Packs the last commit as a tarball FOLDER/drystone-VERSION.tar.gz, and prints its name. One commit always gives the same
# bytes: names in order, owner root, the time of the commit, no name and time in the gzip.
#
#   tools/dist.sh FOLDER [COMMIT]
set -eu
cd "$(dirname -- "$0")/.."
say() { echo "dist: $*" >&2; }
git() { command git -c safe.directory="$PWD" "$@"; } # this folder is trusted, whoever owns it
folder=$1 commit=${2-HEAD}

git rev-parse --verify --quiet "$commit^{commit}" >/dev/null 2>&1 && [ "$(git rev-parse --show-prefix)" = "" ] || {
    say "this is no clone of the repository, but what a release unpacks to: only a clone packs one"
    exit 2
}
version=$(git show "$commit:include/drystone/core.h" | sed -n 's/.*DRY_VERSION "\(.*\)".*/\1/p')
[ -z "$(git status --porcelain)" ] || say "changes that are not committed are left out"
mkdir -p "$folder"
name=drystone-$version
git -c tar.umask=0022 -c core.autocrlf=false -c core.eol=lf -c core.attributesFile=/dev/null \
    archive --format=tar --prefix="$name/" "$commit" | gzip -9 -n >"$folder/$name.tar.gz.part"
mv "$folder/$name.tar.gz.part" "$folder/$name.tar.gz"
echo "$folder/$name.tar.gz"
