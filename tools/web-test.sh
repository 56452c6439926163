#!/bin/sh
# Opens the gallery, a report, the page of a fit and the playground in headless Chromium: tests/web/pages.mjs, fit.mjs, playground.mjs.
#
#   tools/web-test.sh BUILD
#
# Needs BUILD/playground (make playground), node, npm, chromium and python3-numpy; playwright-core, which drives it, goes
# into BUILD/web. Screenshots are left in BUILD/web/shots.
set -eu
cd "$(dirname -- "$0")/.."
build=${1-build}
web=$build/web
drystone=$build/drystone
CHROMIUM=${CHROMIUM-$(command -v chromium || :)}
export CHROMIUM

[ -x "$CHROMIUM" ] || { echo "web-test: no chromium here (Debian: chromium)" >&2; exit 1; }
mkdir -p "$web"
[ -d "$web/node_modules/playwright-core" ] ||
    npm install --silent --no-fund --no-audit --prefix "$web" playwright-core@1

"$drystone" gallery --quiet -o "$web/gallery"
"$drystone" run models/papers/xiong2013/fig03-drift.dry --quiet --verify --report "$web/report.html" >/dev/null
"$drystone" run tests/web/heap.dry --quiet --report "$web/heap.html"
"$drystone" run tests/web/panels.dry --quiet --report "$web/panels.html"
"$drystone" run tests/web/slope.dry --quiet --report "$web/slope.html"
"$drystone" run models/hello.dry --quiet --report "$web/hello.html" --playground https://example.org/play/
"$drystone" run models/hello.dry --quiet -p M=2 --report "$web/hello-2.html"
"$drystone" run tests/web/hostile.dry --quiet --report "$web/hostile.html"
# What the fit sees: p = v t - (F/2 M) t^2 with F = 0.5 N, and what looks like noise.
cp tests/web/slide.dry "$web"
awk 'BEGIN { print "t [s],p [m]"; for (i = 0; i <= 80; i++) { t = 0.02*i
    printf "%.2f,%.6f\n", t, 0.4*t - 0.125*t*t + ((i*7919) % 13 - 6)*5e-5 } }' >"$web/slide.csv"
"$drystone" fit "$web/slide.dry" --quiet --report "$web/fit.html"
library=$(find "$build" -maxdepth 1 -name 'libdrystone.so.*' | sort | head -n 1)
PATH=/usr/bin:$PATH PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 DRYSTONE_LIBRARY=$library \
    python3 -W ignore tests/web/notebook.py "$web/notebook.html"
status=0
DRY_NPM=$web node tests/web/pages.mjs "$web/gallery" "$web/report.html" "$web/heap.html" "$web/hostile.html" \
    "$web/notebook.html" "$web/panels.html" "$web/slope.html" "$web/hello.html" "$web/hello-2.html" "$web/shots" || status=1
DRY_NPM=$web node tests/web/fit.mjs "$web/fit.html" "$web/shots" || status=1
DRY_NPM=$web node tests/web/playground.mjs "$build/playground" "$web/shots" || status=1
exit "$status"
