#!/bin/sh
# Packs editors/vscode as BUILD/drystone-VERSION.vsix, with the client that npm brings into BUILD/vscode.
#
#   tools/vsix.sh BUILD
set -eu
cd "$(dirname -- "$0")/.."
build=$(cd "$1" && pwd)
command -v npm >/dev/null || { echo "vsix: no npm here (Debian: npm)" >&2; exit 1; }
version=$(sed -n 's/.*DRY_VERSION "\(.*\)".*/\1/p' include/drystone/core.h)
folder=$build/vscode
mkdir -p "$folder"
cp -R editors/vscode/. "$folder/"
cp LICENSE "$folder/LICENSE"
cd "$folder"
npm install --silent --no-fund --no-audit --no-package-lock
npx --no-install vsce package --allow-missing-repository -o "$build/drystone-$version.vsix" </dev/null
