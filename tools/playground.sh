#!/bin/sh
# Puts the playground together from the command and the engine of BUILD: BUILD/playground, static files.
#
#   tools/playground.sh BUILD
#
# Needs node. What it does is in tools/playground.mjs.
set -eu
cd "$(dirname -- "$0")/.."
build=${1-build}

[ -f "$build/wasm/drystone.wasm" ] || { echo "playground: no engine in $build/wasm (make wasm)" >&2; exit 1; }
command -v node >/dev/null || { echo "playground: no node here (Debian: nodejs)" >&2; exit 1; }
exec node tools/playground.mjs "$build/drystone" "$build/wasm" "$build/playground"
