#!/bin/sh
# The style and the script of reports, as C strings, are those of src/report.
set -eu
. tests/house/tap.sh

fresh() { tools/page-text.sh | diff - src/report/page_text.c || { echo "run: tools/page-text.sh >src/report/page_text.c"; false; }; }
check "src/report/page_text.c is what tools/page-text.sh prints" fresh
check "no line of them ends a style or a script" sh -c '! grep -n -i "</s" src/report/page.css src/report/*.js'
check "nothing is fetched" sh -c '! grep -n -E "https?://" src/report/page.css src/report/*.js | grep -v "www.w3.org/2000/svg"'

finish
