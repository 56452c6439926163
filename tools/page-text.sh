#!/bin/sh
# Prints src/report/page_text.c: the style and the script of reports as C strings, line by line.
#
#   tools/page-text.sh [ROOT] > src/report/page_text.c
#   tools/page-text.sh css, tools/page-text.sh js     the style or the script alone, for other pages
#
# A test compares the file with what this prints, so that a change cannot be forgotten.
set -eu
css=src/report/page.css
js="numbers panels space flat solid scene page"
js=$(for name in $js; do echo "src/report/$name.js"; done)

case ${1-} in
css | js)
    cd "$(dirname -- "$0")/.."
    if [ "$1" = css ]; then cat $css; else cat $js; fi
    exit ;;
esac
cd "${1-$(dirname -- "$0")/..}"

lines() { # NAME FILE...
    echo
    echo "const char *const dry_report__$1[] = {"
    shift
    cat "$@" | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/    "/' -e 's/$/\\n",/'
    echo "    NULL,"
    echo "};"
}

cat <<'HEAD'
/* The style and the script of a page: printed by tools/page-text.sh, not written by hand. */
/* clang-format off */
#include "report_private.h"
HEAD
lines css $css
lines js $js
