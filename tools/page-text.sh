#!/bin/sh
# Prints src/report/page_text.c: the style and the scripts of reports as C strings, line by line, without indents, empty
# lines and lines of comment.
#
#   tools/page-text.sh [ROOT] > src/report/page_text.c
#   tools/page-text.sh css, tools/page-text.sh js     the style or the script alone, for other pages
#
# A test compares the file with what this prints, so that a change cannot be forgotten.
set -eu
css=src/report/page.css
panels="src/report/numbers.js src/report/panels.js"
scene="src/report/space.js src/report/flat.js src/report/solid.js src/report/scene.js" # of a page with bodies
page=src/report/page.js

case ${1-} in
css | js)
    cd "$(dirname -- "$0")/.."
    if [ "$1" = css ]; then cat $css; else cat $panels $scene $page; fi
    exit ;;
esac
cd "${1-$(dirname -- "$0")/..}"

lines() { # NAME FILE...
    echo
    echo "const char *const dry_report__$1[] = {"
    shift
    cat "$@" | sed -e 's/^ *//' -e '/^$/d' -e '/^\/\//d' | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' -e 's/$/\\n",/'
    echo "    NULL,"
    echo "};"
}

cat <<'HEAD'
/* The style and the script of a page: printed by tools/page-text.sh, not written by hand. */
/* clang-format off */
#include "report_private.h"
HEAD
lines css $css
lines panels_js $panels
lines scene_js $scene
lines page_js $page
