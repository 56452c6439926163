#!/bin/sh
# The laws as text, for generated C, are those of src/law.
set -eu
. tests/house/tap.sh

fresh() { tools/law-text.sh | diff - src/native/law_text.c || { echo "run: tools/law-text.sh >src/native/law_text.c"; false; }; }
check "src/native/law_text.c is what tools/law-text.sh prints" fresh

finish
