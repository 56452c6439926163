#!/bin/sh
# Prints src/report/page_text.c: the style and the script of reports as C strings, line by line.
#
#   tools/page-text.sh [ROOT] > src/report/page_text.c
#
# A test compares the file with what this prints, so that a change cannot be forgotten.
set -eu
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
lines css src/report/page.css
lines js src/report/page.js src/report/scene.js
