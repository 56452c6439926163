#!/bin/sh
# Packs the engine as BUILD/npm/drystone-VERSION.tgz, a package for npm: an ES module with its types, the module of
# WebAssembly, the classic script. The version is that of include/drystone/core.h.
#
#   tools/npm.sh BUILD
set -eu
cd "$(dirname -- "$0")/.."
build=$(cd "$1" && pwd)
command -v npm >/dev/null || { echo "npm: no npm here (Debian: npm)" >&2; exit 1; }
version=$(sed -n 's/.*DRY_VERSION "\(.*\)".*/\1/p' include/drystone/core.h)
folder=$build/npm/package
rm -rf "$build/npm"
mkdir -p "$folder"
for file in web/engine/*.js; do cp "$build/wasm/${file##*/}" "$folder/"; done
cp "$build/wasm/drystone.wasm" "$build/wasm/drystone-classic.js" web/engine/drystone.d.ts web/engine/README.md LICENSE "$folder/"
sed "s/VERSION/$version/" web/engine/package.json >"$folder/package.json"
cd "$folder"
npm pack --silent --pack-destination .. >/dev/null
echo "$build/npm/drystone-$version.tgz"
