#!/bin/sh
# Installs the Python package into PREFIX, below DESTDIR where it is set: the folder that this computer's Python reads,
# and beside it the name of the library that `make install` has put there.
#
#   tools/install-python.sh BUILD PREFIX
set -eu
cd "$(dirname -- "$0")/.."
build=$1 prefix=$2
export PATH="/usr/bin:$PATH"

case $prefix in /*) ;; *) echo "install-python: PREFIX must be a whole path, not $prefix" >&2; exit 2 ;; esac

# Debian reads /usr/lib/python3/dist-packages, /usr/local/lib/python3.N/dist-packages and, of a user,
# ~/.local/lib/python3.N/site-packages; others site-packages alone.
folder=$(python3 - "$prefix" <<'PROGRAM'
import site
import sys
prefix, own = sys.argv[1].rstrip("/"), "python%d.%d" % sys.version_info[:2]
read = sys.path + [site.getusersitepackages()]
kinds = ["dist-packages", "site-packages"] if any(path.endswith("dist-packages") for path in read) else ["site-packages"]
places = ["%s/lib/python3/dist-packages" % prefix] + ["%s/lib/%s/%s" % (prefix, own, kind) for kind in kinds]
print(next((place for place in places if place in read), places[1]))
PROGRAM
)
library=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$build/CMakeCache.txt")
version=$(sed -n 's/.*DRY_VERSION "\([0-9]*\.[0-9]*\).*/\1/p' include/drystone/core.h)
case $library in /*) ;; *) library=$prefix/$library ;; esac

to=${DESTDIR-}$folder/drystone
mkdir -p "$to"
rm -f "$to"/*.py # of another version
for file in python/drystone/*.py python/drystone/py.typed; do install -m 644 "$file" "$to/"; done
echo "$library/libdrystone.so.$version" >"$to/library.path"
echo "-- Installing: $to"
case :$(python3 -c 'import site, sys; print(":".join(sys.path + [site.getusersitepackages()]))'): in
*":$folder:"*) ;;
*) echo "   Python does not look there by itself: PYTHONPATH=$folder" ;;
esac
