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
    exec node tests/wasm/bench.mjs "$to" "$to/test/peer"
fi

status=0
for file in tests/wasm/models.mjs tests/wasm/engine.mjs tests/wasm/hostile.mjs; do
    echo "# $file"
    node "$file" "$to" "$to/test/peer" || status=1
done >"$to/test/log" 2>&1
grep -v '^ok ' "$to/test/log" || :
awk -v status="$status" '/^ok /{ n++ } /^not ok /{ bad++ } /^1\.\./{ plan += substr($1, 4); plans++ }
    END { lost = plan - n - bad
          printf "%d passed, %d failed\n", n, bad + lost + (plans != 3)
          exit !(n > 0 && !bad && !lost && plans == 3 && status == 0) }' "$to/test/log"
