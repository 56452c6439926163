#!/bin/sh
# Tests the engine of web/engine in node, against the library of this computer: tests/wasm/*.mjs.
#
#   tools/wasm-test.sh BUILD          all tests; ends with `N passed, N failed`
#   tools/wasm-test.sh BUILD bench    how much longer runs take than by bytecode here, and bytes
set -eu
cd "$(dirname -- "$0")/.."
build=${1-build}
to=$build/wasm
mkdir -p "$to/test"
${CC:-cc} -std=c17 -O2 -Iinclude tests/wasm/peer.c -L"$build" -ldrystone "-Wl,-rpath,$(cd "$build" && pwd)" -lm -o "$to/test/peer"

if [ "${2-}" = bench ]; then
    exec node bench/bench_wasm.mjs "$to" "$to/test/peer"
fi

# The package as npm installs it: a program with types, and what its README shows.
package=$to/test/package
packed=$(tools/npm.sh "$build")
rm -rf "$package"
mkdir -p "$package"
echo '{"type": "module"}' >"$package/package.json"
npm install --silent --no-fund --no-audit --prefix "$package" "$packed" typescript@5.4.5
cp tests/wasm/types.ts "$package/"
awk '/^```js/ { on = 1; next } /^```/ { if (on) exit } on' web/engine/README.md >"$package/readme.mjs"

status=0
for file in tests/wasm/models.mjs tests/wasm/engine.mjs tests/wasm/hostile.mjs tests/wasm/package.mjs; do
    echo "# $file"
    node "$file" "$to" "$to/test/peer" || status=1
done >"$to/test/log" 2>&1
grep -v '^ok ' "$to/test/log" || :
awk -v status="$status" '/^ok /{ n++ } /^not ok /{ bad++ } /^1\.\./{ plan += substr($1, 4); plans++ }
    END { lost = plan - n - bad
          printf "%d passed, %d failed\n", n, bad + lost + (plans != 4)
          exit !(n > 0 && !bad && !lost && plans == 4 && status == 0) }' "$to/test/log"
