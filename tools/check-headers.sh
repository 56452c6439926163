#!/bin/sh
# Checks that every public header compiles alone, and twice, as C17 and as C++17, without a warning.
#
#   tools/check-headers.sh c|c++ [ROOT]
set -eu

language=$1
cd "${2-$(dirname -- "$0")/..}"
case $language in
c) compiler="${CC:-cc} -std=c17" ;;
c++) compiler="${CXX:-c++} -std=c++17" ;;
*) echo "usage: tools/check-headers.sh c|c++ [ROOT]" >&2; exit 2 ;;
esac

bad=0
for header in include/drystone/*.h; do
    name=drystone/${header##*/}
    printf '#include <%s>\n#include <%s>\nint main(void) { return 0; }\n' "$name" "$name" |
        $compiler -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Werror -Iinclude \
            -fsyntax-only -x "$language" - || { echo "$header: does not compile alone as $language"; bad=1; }
done
exit $bad
