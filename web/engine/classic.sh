#!/bin/sh
# Prints the engine as one classic script, for pages that are opened as files and for workers without modules: the
# modules of this folder one after the other, without their imports and exports, inside a function.
#
#   web/engine/classic.sh > drystone-classic.js
set -eu
cd "$(dirname -- "$0")"
modules='files core plan result stepper editor model engine'

names() { # what the modules have at their top, of which no two may have the same name
    for module in $modules; do
        sed -n 's/^\(export \)\{0,1\}\(async \)\{0,1\}\(function\|class\|const\|let\) \([A-Za-z]*\).*/\4/p' "$module.js"
    done | LC_ALL=C sort
}
twice=$(names | uniq -d)
if [ -n "$twice" ]; then
    echo "classic.sh: two modules define" $twice >&2
    exit 1
fi

echo '"use strict";'
echo '(function () {'
for module in $modules; do
    sed -e '/^import /d' -e '/^export {.*};$/d' -e 's/^export //' "$module.js"
done
echo 'globalThis.drystone = { start: startFrom, DrystoneError };'
echo '})();'
